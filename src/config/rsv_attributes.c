/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_attributes.c - sets attributes of a reservation, first of an empty one, which is checked */

#include "config/rsv_attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "config/build/build.h"
#include "config/check/check.h"
#include "config/config.h"
#include "config/quotes.h"
#include "config/rsv_value.h"

static const struct maui_param *find(const char *name)
{
	const struct maui_param *attr = maui_schema_find_attr(MAUI_FAMILY_SR, name);

	return attr && attr->in_setres && strcmp(attr->name, name) == 0 ? attr : NULL;
}

bool maui_rsv_may_set(const char *name)
{
	return find(name) != NULL;
}

/* The attribute as the setting of a line of a file. The caller owns its value; NULL without
 * memory. */
static struct maui_setting make_setting(const struct maui_param *attr, const char *value, size_t at)
{
	size_t skipped, known;
	char *stored = maui_quotes_store(attr, value, &skipped, &known);

	return (struct maui_setting){
		.param = maui_schema_find_param("SRCFG"),
		.attr = attr,
		.index = (char *)MAUI_RSV_ATTRIBUTES_INDEX,
		.value = stored,
		.file = MAUI_RSV_ATTRIBUTES_INDEX,
		.line = (uint32_t)at + 1,
		.column = 1,
		.value_line = (uint32_t)at + 1,
		.value_column = (uint32_t)(strlen(attr->name) + 2 + skipped),
		.value_length = known,
	};
}

static void finish_settings(struct maui_setting *settings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(settings[i].value);
	free(settings);
}

/* The attributes that have a value. The first is PERIOD, for the checks alone: a reservation of
 * setres has no times of the day. NULL without memory. */
static struct maui_setting *make_settings(const struct maui_rsv_attribute *list, size_t count,
					  size_t *ret_count)
{
	const struct maui_param *period = maui_schema_find_attr(MAUI_FAMILY_SR, "PERIOD");
	struct maui_setting *made = calloc(count + 2, sizeof(*made));
	bool whole = made && period;
	size_t at = 0;

	if (made && period) {
		made[at] = make_setting(period, "INFINITY", at);
		whole = made[at++].value;
	}
	for (size_t i = 0; i < count && whole; i++) {
		const struct maui_param *attr = find(list[i].name);

		if (!attr || *list[i].value == '\0') /* check_names() has found each */
			continue;
		if (made[at - 1].attr == attr && !maui_config_rsv_appends(attr))
			made[at - 1].replaced = &made[at]; /* values of a name stand together */
		made[at] = make_setting(attr, list[i].value, at);
		whole = made[at++].value;
	}
	*ret_count = at;
	if (whole)
		return made;
	finish_settings(made, at);
	return NULL;
}

static bool is_place(const char *name)
{
	return strcmp(name, "HOSTLIST") == 0 || strcmp(name, "TASKCOUNT") == 0;
}

static bool names(const struct maui_rsv_attribute *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].name, name) == 0)
			return true;
	return false;
}

/* Adds what a SRCFG needs and a change of a reservation may leave out: a HOSTLIST, and an access
 * list, unless all of them are named, as empty. -1 without memory. */
static int add_required(const struct maui_rsv_attribute *list, size_t count, struct maui_rsv *rsv)
{
	bool has_place = false, has_list = false;

	for (size_t i = 0; i < count; i++) {
		bool has_value = *list[i].value != '\0';

		has_place |= has_value && is_place(list[i].name);
		has_list |= has_value && maui_acl_kind_of(list[i].name) >= 0;
	}
	if (!has_place && !(rsv->hosts = strdup("ALL")))
		return -1;
	for (int kind = 0; kind < MAUI_CRED_COUNT && !has_list; kind++) {
		if (names(list, count, maui_acl_attr(kind)))
			continue;
		if (maui_acl_parse(&rsv->acl, kind, "anybody", NULL) != MAUI_VALUE_OK)
			return -1;
		has_list = true;
	}
	return 0;
}

/* Whether the settings, alone, make a valid reservation. */
static int check(const struct maui_rsv_attribute *list, size_t count, struct maui_setting *settings,
		 size_t setting_count, struct maui_diags *diags)
{
	size_t errors_before = diags->seen[MAUI_ERROR];
	struct maui_rsv rsv;
	struct maui_config config = {
		.rsvs = &rsv, .rsv_count = 1, .settings = settings, .setting_count = setting_count
	};
	int rc;

	maui_config_default_rsv(&rsv);
	maui_config_set_rsv(&rsv, settings, setting_count, diags);
	rsv.name = strdup(MAUI_RSV_ATTRIBUTES_INDEX);
	rc = rsv.name ? add_required(list, count, &rsv) : -1;
	if (rc == 0) {
		maui_config_check_attributes(&config, diags);
		maui_diags_sort(diags);
		rc = diags->seen[MAUI_ERROR] > errors_before || diags->no_memory ? -1 : 0;
	}
	maui_rsv_finish(&rsv);
	return rc;
}

/* Removes the named attributes. */
static void clear(struct maui_rsv *rsv, const struct maui_rsv_attribute *list, size_t count)
{
	bool place = false;

	for (size_t i = 0; i < count; i++) {
		place |= is_place(list[i].name);
		maui_config_clear_rsv(rsv, find(list[i].name));
	}
	if (!place)
		return;
	maui_config_clear_rsv(rsv, find("HOSTLIST"));
	maui_config_clear_rsv(rsv, find("TASKCOUNT"));
}

static int check_names(const struct maui_rsv_attribute *list, size_t count,
		       struct maui_diags *diags)
{
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		if (!maui_rsv_may_set(list[i].name)) {
			maui_diags_add(diags, MAUI_ERROR, MAUI_RSV_ATTRIBUTES_INDEX, 0, 0,
				       "%.64s is not an attribute of a reservation made by command",
				       list[i].name);
			rc = -1;
		}
	return rc;
}

int maui_rsv_set_attributes(struct maui_rsv *rsv, const struct maui_rsv_attribute *list,
			    size_t count, struct maui_diags *diags)
{
	struct maui_diags again = { 0 }; /* what `diags` has */
	struct maui_setting *settings;
	size_t setting_count;
	int rc = -1;

	if (check_names(list, count, diags) != 0)
		return -1;
	settings = make_settings(list, count, &setting_count);
	if (settings && check(list, count, settings, setting_count, diags) == 0) {
		clear(rsv, list, count);
		maui_config_set_rsv(rsv, settings + 1, setting_count - 1, &again);
		diags->no_memory |= again.no_memory || again.seen[MAUI_ERROR] > 0;
		rc = diags->no_memory ? -1 : 0;
	}
	maui_diags_finish(&again);
	if (settings)
		finish_settings(settings, setting_count);
	return rc;
}

const char *maui_rsv_plain_text(const struct maui_diag *diag, const char *name)
{
	const char *text = diag->text;
	char of[MAUI_DIAG_MAX_TEXT];
	size_t length;

	snprintf(of, sizeof(of), "SRCFG[%s]", name);
	length = strlen(of);
	if (strncmp(text, of, length) != 0)
		return text;
	text += length;
	text += *text == ':';
	return text + (*text == ' ');
}
