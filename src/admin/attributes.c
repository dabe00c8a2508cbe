/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attributes.c - sets the attributes of a setres, which mean the same as those of a SRCFG
 *
 * A list, a flag or a task is written as in maui.cfg. Names may have blanks, between double quotes,
 * and backslashes. No value has what a terminal acts on, or ends a line.
 */
#include "admin/attributes.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "config/quotes.h"
#include "config/rsv_attributes.h"
#include "config/rsv_value.h"

static bool has_value(const struct maui_setres_args *args, const char *name)
{
	for (size_t i = 0; i < args->attributes_count; i++)
		if (strcmp(args->attributes[i].key, name) == 0 && *args->attributes[i].value)
			return true;
	return false;
}

bool maui_admin_names(const struct maui_setres_args *args, const char *attribute)
{
	for (size_t i = 0; i < args->attributes_count; i++)
		if (strcmp(args->attributes[i].key, attribute) == 0)
			return true;
	return false;
}

bool maui_admin_has_place(const struct maui_setres_args *args)
{
	return has_value(args, "HOSTLIST") || has_value(args, "TASKCOUNT");
}

static bool is_subtype(const char *name)
{
	return strcmp(name, "SUBTYPE") == 0;
}

/* Whether the attribute has names of users and groups, as a directory may have them. The lists of
 * accounts, QOS and partitions are written as theirs. */
static bool has_names(const char *name)
{
	int kind = maui_acl_kind_of(name);

	return (kind >= 0 && kind < MAUI_CRED_COUNT) || strcmp(name, "OWNER") == 0;
}

/* Whether the value has none of these characters, nor one that a terminal acts on. */
static bool is_plain(const char *value, const char *refused)
{
	size_t length = strlen(value), bytes;
	uint32_t character;

	for (size_t i = 0; i < length; i += bytes) {
		bytes = maui_utf8_decode(value + i, length - i, &character);
		if (bytes == 0 || maui_utf8_is_hidden(character) || strchr(refused, value[i]))
			return false;
	}
	return true;
}

static int check_text(const char *name, const char *value, struct maui_query_error *error)
{
	if (has_names(name) && !is_plain(value, ""))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "%s: a name has no control characters", name);
	if (has_names(name) && !maui_quotes_pair(value))
		return maui_query_fail(error, MAUI_QUERY_BAD, "%s: a quote that is not closed",
				       name);
	if (!has_names(name) && !is_plain(value, " #\"'\\"))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "%s: a value has no blanks, quotes, control characters, '#' "
				       "or '\\' in it",
				       name);
	return 0;
}

/* Whether each name of an attribute that has some is as short as those of credentials. */
static bool has_short_names(const char *attribute, const char *value)
{
	size_t length;

	if (maui_acl_kind_of(attribute) < 0 && strcmp(attribute, "OWNER") != 0 &&
	    strcmp(attribute, "PARTITION") != 0 && strncmp(attribute, "CHARGE", 6) != 0)
		return true;
	for (; *value; value += length + (value[length] != '\0')) {
		length = strcspn(value, ",|:");
		if (length > MAUI_NAME_MAX)
			return false;
	}
	return true;
}

static int check_attribute(const char *name, const char *value, struct maui_query_error *error)
{
	if (!maui_rsv_may_set(name) && !is_subtype(name))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "%.64s is not an attribute of a reservation made by command",
				       name);
	if (check_text(name, value, error))
		return -1;
	if (strcmp(name, "NODEFEATURES") == 0 && strlen(value) > MAUI_REQUEST_MAX_FEATURES)
		return maui_query_fail(error, MAUI_QUERY_BAD, "NODEFEATURES has at most %d bytes",
				       MAUI_REQUEST_MAX_FEATURES);
	if (!has_short_names(name, value))
		return maui_query_fail(error, MAUI_QUERY_BAD, "%s: a name has at most %d bytes",
				       name, MAUI_NAME_MAX);
	if (is_subtype(name) && strlen(value) > MAUI_ADMIN_MAX_NAME)
		return maui_query_fail(error, MAUI_QUERY_BAD, "SUBTYPE has at most %d bytes",
				       MAUI_ADMIN_MAX_NAME);
	return 0;
}

/* Returns the first error, or all warnings in one line. A setting that maui.cfg would ignore is
 * an error here: a reservation without its BYNAME is another one. */
static int read_diags(const struct maui_diags *diags, bool accepted, char **ret_warning,
		      struct maui_query_error *error)
{
	struct maui_strbuf text = { 0 };
	int rc = 0;

	for (size_t i = 0; i < diags->count && rc == 0; i++) {
		const struct maui_diag *diag = &diags->list[i];
		const size_t ignored = maui_diag_ignored(diag);
		const char *alone;

		if (ignored)
			diag->text[ignored] = '\0';
		/* without the reservation's name, because there is only one reservation */
		alone = maui_rsv_plain_text(diag, MAUI_RSV_ATTRIBUTES_INDEX);
		if (diag->severity == MAUI_ERROR || ignored)
			rc = maui_query_fail(error, MAUI_QUERY_BAD, "%s", alone);
		else if (diag->severity == MAUI_WARNING)
			maui_strbuf_addf(&text, "%s%s", text.length ? "; " : "", alone);
	}
	if (diags->no_memory || (rc == 0 && (!accepted || text.failed)))
		rc = maui_query_no_memory(error);
	if (rc == 0 && text.length)
		*ret_warning = maui_strbuf_steal(&text);
	maui_strbuf_finish(&text);
	return rc;
}

/* SUBTYPE is not an attribute of SRCFG: diagnose -r shows the word. */
static int set_subtype(struct maui_rsv *to, const char *value)
{
	char *copy = *value != '\0' ? strdup(value) : NULL;

	if (*value != '\0' && !copy)
		return -1;
	free(to->subtype);
	to->subtype = copy;
	return 0;
}

/* Sets the attributes that a SRCFG has, too. */
static int set_attributes(struct maui_rsv *rsv, const struct maui_rsv_attribute *list, size_t count,
			  char **ret_warning, struct maui_query_error *error)
{
	struct maui_diags diags = { 0 };
	bool accepted = maui_rsv_set_attributes(rsv, list, count, &diags) == 0;
	int rc = read_diags(&diags, accepted, ret_warning, error);

	maui_diags_finish(&diags);
	return rc;
}

int maui_admin_set_attributes(struct maui_rsv *rsv, const struct maui_setres_args *args,
			      char **ret_warning, struct maui_query_error *error)
{
	struct maui_rsv_attribute *list = calloc(args->attributes_count + 1, sizeof(*list));
	size_t count = 0;
	int rc = 0;

	*ret_warning = NULL;
	if (!list)
		return maui_query_no_memory(error);
	for (size_t i = 0; i < args->attributes_count && rc == 0; i++) {
		const struct maui_label *one = &args->attributes[i];

		rc = check_attribute(one->key, one->value, error);
		if (rc == 0 && !is_subtype(one->key))
			list[count++] = (struct maui_rsv_attribute){ one->key, one->value };
	}
	if (rc == 0)
		rc = set_attributes(rsv, list, count, ret_warning, error);
	for (size_t i = 0; i < args->attributes_count && rc == 0; i++)
		if (is_subtype(args->attributes[i].key) &&
		    set_subtype(rsv, args->attributes[i].value))
			rc = maui_query_no_memory(error);
	if (rc != 0) {
		free(*ret_warning);
		*ret_warning = NULL;
	}
	free(list);
	return rc;
}
