/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation.c - builds reservations from SRCFG[name] lines (Maui manual 7.1.5)
 *
 * Settings are applied in the order of the file, because the last matching entry of all access
 * lists decides a job's affinity. SRCFG[DEFAULT] is not a reservation: each of its attributes
 * applies to the reservations that do not set the attribute themselves (CFG-12). A value that
 * cannot be read sets nothing (CFG-16).
 *
 * Rules: CFG-12.
 */

#include "config/build/private.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/calendar.h"
#include "config/rsv_value.h"

/* A reservation under construction, with the values that decide its other fields. */
struct draft {
	/* first member, so that the offsets of SRCFG rows count from here too */
	struct maui_rsv rsv;
	int access, time_logic;
	uint64_t days;                    /* bits in the order of the schema's words */
	int64_t week_start_s, week_end_s; /* -1: not set */
	int64_t duration_s;               /* DURATION, instead of an end; 0: not set */
};

struct drafts {
	struct draft *list;
	size_t count, alloc;
	struct draft common; /* parses SRCFG[DEFAULT] once, for its diagnostics */
	/* which attributes each draft sets itself: one row of schema attributes for each draft */
	bool *has;
};

static bool is_rsv(const struct maui_setting *s)
{
	return s->param->family == MAUI_FAMILY_SR && s->attr;
}

bool maui_config_rsv_appends(const struct maui_param *attr)
{
	return attr->family == MAUI_FAMILY_SR &&
	       (maui_acl_kind_of(attr->name) >= 0 || strcmp(attr->name, "TRIGGER") == 0);
}

static bool is_common(const struct maui_setting *s)
{
	return strcmp(s->index, "DEFAULT") == 0;
}

/* ---- names of reservations ---- */

struct name {
	const char *name;
	size_t at; /* index of the first setting; then of the draft */
};

static int by_name_and_place(const void *a, const void *b)
{
	const struct name *one = a, *two = b;
	int order = strcmp(one->name, two->name);

	return order ? order : (one->at > two->at) - (one->at < two->at);
}

static int by_place(const void *a, const void *b)
{
	const struct name *one = a, *two = b;

	return (one->at > two->at) - (one->at < two->at);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->name, ((const struct name *)b)->name);
}

/* Every name once, in the order of first appearance. NULL without memory. */
static struct name *find_names(const struct maui_config *config, size_t *ret_count)
{
	struct name *names = calloc(config->setting_count + 1, sizeof(*names));
	size_t count = 0, kept = 0;

	if (!names)
		return NULL;
	for (size_t i = 0; i < config->setting_count; i++)
		if (is_rsv(&config->settings[i]) && !is_common(&config->settings[i]))
			names[count++] = (struct name){ config->settings[i].index, i };
	qsort(names, count, sizeof(*names), by_name_and_place);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(names[i].name, names[kept - 1].name) != 0)
			names[kept++] = names[i];
	qsort(names, kept, sizeof(*names), by_place);
	*ret_count = kept;
	return names;
}

static int set_defaults(struct draft *draft)
{
	*draft = (struct draft){ .rsv = maui_rsv_defaults(),
				 .days = 1, /* ALL */
				 .week_start_s = -1,
				 .week_end_s = -1 };
	for (size_t i = 0; i < maui_schema_attr_count; i++) {
		const struct maui_param *row = &maui_schema_attrs[i];

		if (row->scope == MAUI_SCOPE_RSV && *row->def != '\0' &&
		    maui_value_parse(row, row->def, &draft->rsv, NULL) == MAUI_VALUE_BAD)
			return -1;
	}
	draft->rsv.end_s = 0; /* the end of the day or of the week */
	return 0;
}

static int make_drafts(const struct maui_config *config, struct name *names, size_t count,
		       struct drafts *ret)
{
	if (set_defaults(&ret->common))
		return -1;
	ret->list = calloc(count + 1, sizeof(*ret->list));
	ret->has = calloc(count + 1, maui_schema_attr_count * sizeof(*ret->has));
	if (!ret->list || !ret->has)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct maui_setting *first = &config->settings[names[i].at];
		struct draft *draft = &ret->list[ret->count++];
		int rc = set_defaults(draft);

		draft->rsv.name = strdup(first->index);
		draft->rsv.line = first->line;
		draft->rsv.file = first->file;
		names[i].at = i;
		if (rc || !draft->rsv.name)
			return -1;
	}
	qsort(names, count, sizeof(*names), by_name);
	return 0;
}

/* ---- attributes ---- */

/* Attributes that are parsed by type like parameters, and the field of the draft that they fill. */
static const struct {
	const char *attr;
	size_t offset;
} places[] = {
	{ "ACCESS", offsetof(struct draft, access) },
	{ "DAYS", offsetof(struct draft, days) },
	{ "DURATION", offsetof(struct draft, duration_s) },
	{ "TIMELOGIC", offsetof(struct draft, time_logic) },
	{ "WENDTIME", offsetof(struct draft, week_end_s) },
	{ "WSTARTTIME", offsetof(struct draft, week_start_s) },
};

static enum maui_value_result parse_days(const struct maui_param *row, const char *text,
					 struct draft *draft, struct maui_err *err)
{
	char *spread = maui_rsv_spread_days(row, text);
	enum maui_value_result result;
	struct maui_err unseen; /* a list of words needs no memory */
	bool known;

	maui_err_no_memory_for(err, "DAYS");
	if (!spread)
		return MAUI_VALUE_BAD;
	result = maui_value_parse(row, spread, draft, err);
	known = (result == MAUI_VALUE_BAD && err->no_memory) ||
		(maui_value_counts(row, spread, &unseen) && draft->days != 0);
	free(spread);
	/* a list without a day, such as DAYS=MON-FRI or DAYS=:, must become neither every day nor
	 * no day */
	if (!known) {
		maui_err_set(err,
			     "DAYS names no day: write MON,TUE,..., each by itself, or ALL, "
			     "got '%s'",
			     text);
		result = MAUI_VALUE_BAD;
	}
	return result;
}

/* Features in brackets are accepted, as Maui prints them. */
static enum maui_value_result parse_features(const struct maui_param *row, const char *text,
					     struct draft *draft, struct maui_err *err)
{
	char *plain =
		strcasecmp(text, "[NONE]") == 0 ? strdup(text) : maui_rsv_strip_brackets(text);
	enum maui_value_result result = MAUI_VALUE_BAD;

	maui_err_no_memory_for(err, row->name);
	if (plain)
		result = maui_value_parse(row, plain, &draft->rsv, err);
	free(plain);
	return result;
}

static enum maui_value_result parse_attr(const struct maui_setting *s, struct draft *draft,
					 struct maui_err *err)
{
	struct maui_param row = *s->attr;

	maui_err_set(err, "%s has no value", row.name);
	if (*s->value == '\0')
		return MAUI_VALUE_BAD;
	if (strcmp(row.name, "RESOURCES") == 0)
		return maui_rsv_parse_task(&draft->rsv.task, s->value, err);
	if (strcmp(row.name, "OWNER") == 0)
		return maui_rsv_parse_owner(&draft->rsv.owner_kind, &draft->rsv.owner, s->value,
					    err);
	if (strcmp(row.name, "NODEFEATURES") == 0)
		return parse_features(&row, s->value, draft, err);
	if (strcmp(row.name, "TRIGGER") == 0)
		return maui_rsv_parse_trigger(&draft->rsv, s->value, err);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (strcmp(row.name, places[i].attr) == 0) {
			row.scope = MAUI_SCOPE_RSV;
			row.offset = places[i].offset;
		}
	if (strcmp(row.name, "DAYS") == 0)
		return parse_days(&row, s->value, draft, err);
	return maui_value_parse(&row, s->value, draft, err);
}

bool maui_build_rsv_counts(const struct maui_setting *s, struct maui_err *err)
{
	bool is_words = s->attr->type == MAUI_TYPE_WORDS && strcmp(s->attr->name, "DAYS") != 0;
	struct draft draft = { 0 };
	enum maui_value_result result;

	err->no_memory = false;
	if (maui_config_rsv_appends(s->attr))
		return true;
	if (is_words)
		return maui_value_counts(s->attr, s->value, err);
	result = parse_attr(s, &draft, err);
	maui_rsv_finish(&draft.rsv);
	return result == MAUI_VALUE_OK || (result == MAUI_VALUE_IGNORED && draft.days != 0);
}

/* Parses an access list entry by entry, so that each faulty entry is reported at its position. */
static void apply_list(const struct maui_setting *s, int kind, struct draft *draft,
		       struct maui_diags *diags)
{
	enum maui_value_result result = MAUI_VALUE_OK;
	struct maui_list_word word = { 0 };
	struct maui_err err;

	while (result != MAUI_VALUE_BAD && maui_acl_next_word(kind, s->value, &word)) {
		char *text = strndup(s->value + word.at, word.length);

		maui_err_no_memory_for(&err, s->attr->name);
		result = text ? maui_acl_parse(&draft->rsv.acl, kind, text, &err) : MAUI_VALUE_BAD;
		if (diags)
			maui_build_report_at(s, result == MAUI_VALUE_BAD ? SIZE_MAX : word.at,
					     result, &err, diags);
		free(text);
	}
}

static void report_days(const struct maui_setting *s, struct maui_diags *diags)
{
	struct maui_list_word word = { 0 };
	struct maui_err err;

	while (maui_rsv_next_wrong_day(s->attr, s->value, &word)) {
		maui_value_wrong(s->attr, s->value + word.at, word.length, &err);
		maui_build_report_at(s, word.at, MAUI_VALUE_IGNORED, &err, diags);
	}
}

static void apply(const struct maui_setting *s, struct draft *draft, struct maui_diags *diags)
{
	int kind = maui_acl_kind_of(s->attr->name);
	enum maui_value_result result;
	struct maui_err err;

	if (s->attr->status != MAUI_HONOURED && s->attr->status != MAUI_DIFFERENT)
		return; /* check.c reports values without effect */
	if (s->replaced)
		return;
	if (kind >= 0 && *s->value != '\0') {
		apply_list(s, kind, draft, diags);
		return;
	}
	result = parse_attr(s, draft, &err);
	if (diags && result == MAUI_VALUE_IGNORED && strcmp(s->attr->name, "DAYS") == 0)
		report_days(s, diags);
	else if (diags)
		maui_build_report(s, result, &err, diags);
}

static size_t draft_of(const struct maui_setting *s, const struct name *names, size_t count)
{
	const struct name key = { .name = s->index };
	const struct name *name = bsearch(&key, names, count, sizeof(key), by_name);

	return name->at;
}

static bool *own_attr(const struct drafts *drafts, size_t draft, const struct maui_setting *s)
{
	return &drafts->has[draft * maui_schema_attr_count + (size_t)(s->attr - maui_schema_attrs)];
}

static void apply_common(const struct maui_setting *s, struct drafts *drafts,
			 struct maui_diags *diags)
{
	apply(s, &drafts->common, diags);
	for (size_t i = 0; i < drafts->count; i++)
		if (!*own_attr(drafts, i, s))
			apply(s, &drafts->list[i], NULL);
}

static void apply_all(const struct maui_config *config, const struct name *names,
		      struct drafts *drafts, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (is_rsv(s) && !is_common(s) && !s->ignored)
			*own_attr(drafts, draft_of(s, names, drafts->count), s) = true;
	}
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (is_rsv(s) && is_common(s))
			apply_common(s, drafts, diags);
		else if (is_rsv(s))
			apply(s, &drafts->list[draft_of(s, names, drafts->count)], diags);
	}
}

/* ---- fields that follow from several attributes ---- */

static bool is_unset(const char *text)
{
	return strcasecmp(text, "[ALL]") == 0 || strcasecmp(text, "[NONE]") == 0;
}

static void clear_text(char **text, bool condition)
{
	if (*text && (is_unset(*text) || condition)) {
		free(*text);
		*text = NULL;
	}
}

static bool equals_word(const char *text, const char *word)
{
	return text && strcasecmp(text, word) == 0;
}

static void finish_texts(struct maui_rsv *rsv)
{
	clear_text(&rsv->hosts, equals_word(rsv->hosts, "ALL") && rsv->task_count > 0);
	clear_text(&rsv->partition, equals_word(rsv->partition, "ALL"));
	clear_text(&rsv->charge_account, equals_word(rsv->charge_account, "NONE"));
	if (rsv->charge_account)
		maui_cred_fold_account(rsv->charge_account);
}

static void finish(struct draft *draft)
{
	struct maui_rsv *rsv = &draft->rsv;

	rsv->shared = draft->access == 1;
	/* the words of the schema row are ALL MON .. SAT SUN */
	rsv->days =
		draft->days & 1 ? 0x7f : (unsigned)((draft->days & 0x7e) | (draft->days >> 7 & 1));
	if (rsv->period == MAUI_RSV_WEEK && draft->week_start_s >= 0)
		rsv->start_s = draft->week_start_s;
	if (rsv->period == MAUI_RSV_WEEK && draft->week_end_s >= 0)
		rsv->end_s = draft->week_end_s;
	if (draft->duration_s > 0 && draft->duration_s < MAUI_TIME_INFINITY && rsv->end_s == 0)
		rsv->end_s = rsv->start_s + draft->duration_s;
	for (size_t i = 0; i < rsv->acl.count && draft->time_logic == 1; i++)
		if (rsv->acl.list[i].kind == MAUI_ACL_DURATION)
			rsv->acl.list[i].required = true;
	finish_texts(rsv);
}

static int move_drafts(struct maui_config *config, struct drafts *drafts)
{
	config->rsvs = calloc(drafts->count + 1, sizeof(*config->rsvs));
	if (!config->rsvs)
		return -1;
	config->rsv_alloc = drafts->count + 1;
	for (size_t i = 0; i < drafts->count; i++) {
		finish(&drafts->list[i]);
		config->rsvs[config->rsv_count++] = drafts->list[i].rsv;
	}
	drafts->count = 0; /* the configuration owns the reservations now */
	return 0;
}

static int file_names(struct maui_config *config)
{
	const char **names = calloc(config->rsv_count + 1, sizeof(*names));
	int rc = -1;

	for (size_t i = 0; names && i < config->rsv_count; i++)
		names[i] = config->rsvs[i].name;
	if (names)
		rc = maui_rsv_names_make(&config->rsv_names, names, config->rsv_count);
	free(names);
	return rc;
}

/* ---- one reservation: setres ---- */

void maui_config_default_rsv(struct maui_rsv *ret)
{
	struct draft draft;

	set_defaults(&draft);
	*ret = draft.rsv;
}

static void clear_list(struct maui_acl *acl, int kind)
{
	size_t left = 0;

	for (size_t i = 0; i < acl->count; i++) {
		if (acl->list[i].kind == kind)
			free(acl->list[i].name);
		else
			acl->list[left++] = acl->list[i];
	}
	acl->count = left;
}

static void clear_triggers(struct maui_rsv *rsv)
{
	for (size_t i = 0; i < rsv->trigger_count; i++)
		free(rsv->triggers[i].data);
	rsv->trigger_count = 0;
}

/* A field of its own. */
static void clear_field(struct maui_rsv *rsv, const struct maui_param *row)
{
	void *field = (char *)rsv + row->offset;

	if (row->type == MAUI_TYPE_LIST) {
		maui_words_finish(field);
	} else if (row->type == MAUI_TYPE_STRING) {
		free(*(char **)field);
		*(char **)field = NULL;
	} else if (row->type == MAUI_TYPE_WORDS) {
		*(uint64_t *)field = 0;
	} else {
		maui_value_parse(row, row->def, rsv, NULL);
	}
}

void maui_config_clear_rsv(struct maui_rsv *rsv, const struct maui_param *attr)
{
	int kind = maui_acl_kind_of(attr->name);

	if (kind >= 0) {
		clear_list(&rsv->acl, kind);
	} else if (attr->scope == MAUI_SCOPE_RSV) {
		clear_field(rsv, attr);
	} else if (strcmp(attr->name, "ACCESS") == 0) {
		rsv->shared = false;
	} else if (strcmp(attr->name, "RESOURCES") == 0) {
		rsv->task = maui_rsv_defaults().task;
	} else if (strcmp(attr->name, "TRIGGER") == 0) {
		clear_triggers(rsv);
	} else if (strcmp(attr->name, "OWNER") == 0) {
		free(rsv->owner);
		rsv->owner = NULL;
		rsv->owner_kind = maui_rsv_defaults().owner_kind;
	}
}

void maui_config_set_rsv(struct maui_rsv *rsv, const struct maui_setting *settings, size_t count,
			 struct maui_diags *diags)
{
	struct draft draft = { .rsv = *rsv, .access = rsv->shared };

	for (size_t i = 0; i < count; i++)
		apply(&settings[i], &draft, diags);
	finish_texts(&draft.rsv);
	draft.rsv.shared = draft.access == 1;
	*rsv = draft.rsv;
}

/* ---- all of a configuration ---- */

int maui_build_rsvs(struct maui_config *config, struct maui_diags *diags)
{
	size_t count = 0;
	struct name *names = find_names(config, &count);
	struct drafts drafts = { 0 };
	int rc = names ? make_drafts(config, names, count, &drafts) : -1;

	if (rc == 0) {
		apply_all(config, names, &drafts, diags);
		rc = move_drafts(config, &drafts) || file_names(config) ? -1 : 0;
	}
	for (size_t i = 0; i < drafts.count; i++)
		maui_rsv_finish(&drafts.list[i].rsv);
	maui_rsv_finish(&drafts.common.rsv);
	free(drafts.has);
	free(drafts.list);
	free(names);
	return rc;
}

void maui_build_rsvs_finish(struct maui_config *config)
{
	for (size_t i = 0; i < config->rsv_count; i++)
		maui_rsv_finish(&config->rsvs[i]);
	free(config->rsvs);
	maui_rsv_names_finish(&config->rsv_names);
}
