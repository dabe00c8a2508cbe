/* SPDX-License-Identifier: GPL-2.0-or-later */
/* object.h - a JSON object that notices when an addition finds no memory
 *
 * json-c returns NULL without memory, and NULL is also its null: a text that failed would read as
 * "none". So additions are checked, and an object that is not complete is thrown away.
 */
#ifndef MAUI_ANSWERS_OBJECT_H
#define MAUI_ANSWERS_OBJECT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/when.h"

struct maui_object {
	json_object *json; /* NULL: no memory */
	bool failed;
};

static inline struct maui_object maui_object_make(void)
{
	json_object *json = json_object_new_object();

	return (struct maui_object){ json, !json };
}

/* Takes the value over; NULL is a failure. */
static inline void maui_object_put(struct maui_object *o, const char *key, json_object *value)
{
	if (!value || !o->json || json_object_object_add(o->json, key, value) != 0) {
		json_object_put(value);
		o->failed = true;
	}
}

static inline void maui_object_put_null(struct maui_object *o, const char *key)
{
	o->failed |= !o->json || json_object_object_add(o->json, key, NULL) != 0;
}

/* NULL: null. */
static inline void maui_object_put_text(struct maui_object *o, const char *key, const char *text)
{
	if (text)
		maui_object_put(o, key, json_object_new_string(text));
	else
		maui_object_put_null(o, key);
}

static inline void maui_object_put_number(struct maui_object *o, const char *key, int64_t value)
{
	maui_object_put(o, key, json_object_new_int64(value));
}

/* A number as short as it is exact enough to read, by a format such as "%.4f". NULL without
 * memory. */
static inline json_object *maui_json_decimal(double value, const char *format)
{
	json_object *number = json_object_new_double(value);

	if (number)
		json_object_set_serializer(number, json_object_double_to_json_string,
					   (char *)format, NULL);
	return number;
}

static inline void maui_object_put_rounded(struct maui_object *o, const char *key, double value)
{
	maui_object_put(o, key, maui_json_decimal(value, "%.4f"));
}

/* Adds to a list; takes the value over. False without memory, or when the value is NULL. */
static inline bool maui_list_append(json_object *list, json_object *value)
{
	if (list && value && json_object_array_add(list, value) == 0)
		return true;
	json_object_put(value);
	return false;
}

/* The same to a list that becomes a member of the object. */
static inline void maui_object_append(struct maui_object *o, json_object *list, json_object *value)
{
	o->failed |= !maui_list_append(list, value);
}

/* A moment or a duration; MAUI_NEVER: null. */
static inline void maui_object_put_time(struct maui_object *o, const char *key, int64_t value)
{
	if (value == MAUI_NEVER)
		maui_object_put_null(o, key);
	else
		maui_object_put_number(o, key, value);
}

/* The object, if nothing failed; else NULL, and the object is gone. */
static inline json_object *maui_object_finish(struct maui_object *o)
{
	if (!o->failed)
		return o->json;
	json_object_put(o->json);
	return NULL;
}

#endif
