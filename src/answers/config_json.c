/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_json.c - the configuration in force, each parameter with its value and its origin
 *
 * In: the status of maui.cfg that slurmctld publishes. With PrivateData=users and accounts a user
 * sees lines about other users, groups and accounts as little as they themselves; lines about
 * reservations with PrivateData=reservations, and keys of other programs, are for administrators.
 *
 * Rules: CMD-9, CMD-32.
 */

#include "maui_config.h"

#include "answers/config_json.h"

#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "config/show.h"
#include "config/status.h"

static json_object *diags_to_json(const struct maui_diags *diags)
{
	json_object *array = json_object_new_array();
	char text[2 * MAUI_DIAG_MAX_TEXT];

	for (size_t i = 0; array && i < diags->count; i++) {
		json_object *line;

		maui_diag_format(&diags->list[i], text, sizeof(text));
		line = json_object_new_string(text);
		if (!line || json_object_array_add(array, line) != 0) {
			json_object_put(line);
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

/* Diagnostics quote lines of all objects. */
static bool may_read_lines(const struct maui_document *p, uid_t uid)
{
	return (!p->hide_users && !p->hide_accounts && !p->hide_rsvs) ||
	       maui_document_sees_all(p, uid);
}

void maui_config_put_refused(struct maui_object *o, const struct maui_document *p, uid_t uid)
{
	const struct maui_diags none = { 0 };
	struct maui_object refused;

	if (!p->config || !p->config->refused_s)
		return;
	refused = maui_object_make();
	maui_object_put_text(&refused, "path", p->config->path);
	maui_object_put_number(&refused, "since", p->config->refused_s);
	maui_object_put(&refused, "kept_copy", json_object_new_boolean(p->config->kept_copy));
	maui_object_put(&refused, "errors",
			diags_to_json(may_read_lines(p, uid) ? &p->config->errors : &none));
	maui_object_put(o, "refused", maui_object_finish(&refused));
}

/* Whether a line at this position sets a family, or a weight. */
static bool sets(const struct maui_config *config, const struct maui_diag *diag, unsigned families,
		 bool weights)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (s->line == diag->line && diag->file && strcmp(s->file, diag->file) == 0 &&
		    ((s->param->family & families) ||
		     (weights && s->param->scope == MAUI_SCOPE_PRIORITY)))
			return true;
	}
	return false;
}

json_object *maui_config_warnings(const struct maui_document *p, unsigned families, bool weights,
				  uid_t uid)
{
	struct maui_diags chosen = { 0 };
	json_object *list;

	for (size_t i = 0; p->config && may_read_lines(p, uid) && i < p->config->warnings.count;
	     i++) {
		const struct maui_diag *one = &p->config->warnings.list[i];

		if (sets(p->config->config, one, families, weights))
			maui_diags_add(&chosen, one->severity, one->file, one->line, one->column,
				       "%s", one->text);
	}
	list = diags_to_json(&chosen);
	maui_diags_finish(&chosen);
	return list;
}

/* ---- parameters ---- */

struct listing {
	json_object *list;
	const char *name; /* only this parameter or attribute; NULL: all */
	const struct maui_own_creds *own;
	bool sees_all, failed;
	bool full; /* there are more rows than an answer may have */
};

static bool is_meant(const struct listing *listing, const struct maui_config_row *row)
{
	const struct maui_setting *s = row->setting;

	return !listing->name || strcasecmp(row->row->name, listing->name) == 0 ||
	       (s && strcasecmp(s->param->name, listing->name) == 0);
}

bool maui_config_shows(const struct maui_own_creds *own, const struct maui_setting *s)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (s->param->family == 1u << k && s->index && strcmp(s->index, "DEFAULT") != 0 &&
		    !maui_own_creds_shows(own, (enum maui_cred_kind)k, s->index))
			return false;
	if (s->param->family == MAUI_FAMILY_SR)
		return !own->document->hide_rsvs;
	return s->param->family != MAUI_FAMILY_OTHER;
}

/* Whether the user may see the line. */
static bool is_shown(const struct listing *listing, const struct maui_config_row *row)
{
	return !row->setting || listing->sees_all || maui_config_shows(listing->own, row->setting);
}

static void add_row(const struct maui_config_row *row, void *arg)
{
	struct listing *listing = arg;
	struct maui_object o;
	json_object *json;

	if (listing->failed || listing->full || !is_meant(listing, row) || !is_shown(listing, row))
		return;
	listing->full = json_object_array_length(listing->list) >= MAUI_QUERY_MAX_ROWS;
	if (listing->full)
		return;
	o = maui_object_make();
	maui_object_put_text(&o, "name", row->name);
	maui_object_put_text(&o, "value", row->value);
	maui_object_put_text(&o, "default", row->def);
	maui_object_put_text(&o, "origin", row->origin);
	maui_object_put(&o, "set", json_object_new_boolean(row->setting != NULL));
	maui_object_put(&o, "attribute",
			json_object_new_boolean(row->setting && row->setting->attr));
	maui_object_put_text(&o, "status", maui_status_name(row->row->status));
	maui_object_put(&o, "honoured",
			json_object_new_boolean(row->row->status == MAUI_HONOURED ||
						row->row->status == MAUI_DIFFERENT));
	json = maui_object_finish(&o);
	if (!json || json_object_array_add(listing->list, json) != 0) {
		json_object_put(json);
		listing->failed = true;
	}
}

static json_object *list_parameters(const struct maui_document *p, const char *name, uid_t uid,
				    struct maui_query_error *error)
{
	struct maui_own_creds own;
	struct listing listing = { .list = json_object_new_array(),
				   .name = name,
				   .own = &own,
				   .sees_all = maui_document_sees_all(p, uid) };

	listing.failed = maui_own_creds_find(p, uid, &own) != 0 || !listing.list;
	if (!listing.failed)
		maui_config_show(p->config->config, false, add_row, &listing);
	maui_own_creds_finish(&own);
	if (!listing.failed && !listing.full)
		return listing.list;
	if (listing.full)
		maui_query_fail(error, MAUI_QUERY_ERROR,
				"more than %d lines, the most that are listed: name a parameter",
				MAUI_QUERY_MAX_ROWS);
	json_object_put(listing.list);
	return NULL;
}

/* The name as the schema has it. NULL with an error: no parameter and no attribute has it. */
static const char *canonical(const char *name, struct maui_query_error *error)
{
	const struct maui_alias *alias = maui_schema_find_alias(name);
	const char *similar;

	if (maui_schema_find_param(name) || maui_schema_find_attr(~0u, name))
		return name;
	if (alias)
		return alias->attr ? alias->attr : alias->param;
	similar = maui_schema_suggest(0, name);
	maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no parameter '%.64s'%s%s%s", name,
			similar ? "; did you mean " : "", similar ? similar : "",
			similar ? "?" : "");
	return NULL;
}

json_object *maui_config_json(const struct maui_document *p, const char *name, uid_t uid,
			      struct maui_query_error *error)
{
	struct maui_object o;

	if (!p->config) {
		maui_query_fail(
			error, MAUI_QUERY_UNAVAILABLE,
			"slurmctld has no memory for its configuration's status, try again");
		return NULL;
	}
	if (name && !(name = canonical(name, error)))
		return NULL;
	maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	o = maui_object_make();
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", p->now_s);
	maui_object_put_text(&o, "version", MAUI_VERSION);
	maui_object_put_text(&o, "slurm_version", p->slurm_version);
	maui_object_put_text(&o, "path", p->config->path);
	maui_object_put_number(&o, "read", p->config->read_s);
	maui_object_put_number(&o, "read_us", p->config->read_us);
	maui_object_put_number(&o, "warning_count", (int64_t)p->config->warnings.count);
	maui_config_put_refused(&o, p, uid);
	maui_object_put(&o, "parameters", list_parameters(p, name, uid, error));
	return maui_object_finish(&o);
}
