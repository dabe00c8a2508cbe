/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json.c - reads and writes single values of the state's JSON */

#include "state/store/private.h"

int64_t maui_store_get_int(json_object *object, const char *key)
{
	json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_int))
		return 0;
	return json_object_get_int64(value);
}

const char *maui_store_get_text(json_object *object, const char *key)
{
	json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

uint32_t maui_store_get_count(json_object *object, const char *key)
{
	int64_t value = maui_store_get_int(object, key);

	return value < 0 || value > UINT32_MAX ? 0 : (uint32_t)value;
}

bool maui_store_get_bool(json_object *object, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(object, key, &value) &&
	       json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);
}

json_object *maui_store_get_list(json_object *object, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(object, key, &value) &&
			       json_object_is_type(value, json_type_array) ?
		       value :
		       NULL;
}

/* Bytes that are not UTF-8 are written unchanged and read back unchanged, so that names keep
 * matching. */
void maui_store_put_text(struct maui_strbuf *out, const char *text)
{
	json_object *object = json_object_new_string(text);

	maui_strbuf_addf(out, "%s", object ? json_object_to_json_string(object) : "null");
	json_object_put(object);
}

void maui_store_put_count(struct maui_strbuf *out, const char *key, int64_t value)
{
	if (value)
		maui_strbuf_addf(out, ", \"%s\": %lld", key, (long long)value);
}

void maui_store_put_named(struct maui_strbuf *out, const char *key, const char *text)
{
	if (!text)
		return;
	maui_strbuf_addf(out, ", \"%s\": ", key);
	maui_store_put_text(out, text);
}

void maui_store_put_true(struct maui_strbuf *out, const char *key, bool value)
{
	if (value)
		maui_strbuf_addf(out, ", \"%s\": true", key);
}
