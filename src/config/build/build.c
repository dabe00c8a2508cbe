/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.c - typed values out of settings, by the schema's rows
 *
 * Order: defaults from the schema, then plain parameters, then partitions (each begins as a copy of
 * what holds for all), then credentials, whose DEFAULT fills what an object does not say itself;
 * build_limits.c has what is special about their limits.
 */

#include "config/build/build.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/limits.h"
#include "config/build/limits.h"
#include "config/build/nodes.h"
#include "config/build/reservation.h"
#include "config/build/stacks.h"
#include "config/parse.h"
#include "config/value.h"

/* What a row's offset counts from; NULL: nowhere. */
static void *base_of(struct maui_config *config, const struct maui_param *row)
{
	return row->scope == MAUI_SCOPE_CONFIG   ? (void *)config :
	       row->scope == MAUI_SCOPE_PRIORITY ? (void *)&config->priority :
	       row->scope == MAUI_SCOPE_PLANNING ? (void *)&config->planning :
						   NULL;
}

static void set_defaults(struct maui_config *config)
{
	for (size_t i = 0; i < maui_schema_param_count; i++) {
		const struct maui_param *row = &maui_schema_params[i];

		if (row->scope != MAUI_SCOPE_RAW && *row->def != '\0')
			maui_value_parse(row, row->def, base_of(config, row), NULL);
	}
}

static struct maui_partition_config *partition_of(struct maui_config *config, const char *name)
{
	struct maui_partition_config *grown;

	for (size_t i = 0; i < config->partition_count; i++)
		if (strcmp(config->partitions[i].name, name) == 0)
			return &config->partitions[i];
	if (config->partition_count >= MAUI_CONFIG_MAX_PARTITIONS)
		return NULL;
	grown = maui_array_grow(config->partitions, config->partition_count,
				&config->partition_alloc, sizeof(*grown));
	if (!grown)
		return NULL;
	config->partitions = grown;
	grown += config->partition_count;
	*grown = (struct maui_partition_config){ .name = strdup(name),
						 .priority = config->priority,
						 .planning = config->planning };
	if (!grown->name)
		return NULL;
	config->partition_count++;
	return grown;
}

/* The place of one partition's values; NULL: not by partition, or too many of them. */
static void *base_of_partition(struct maui_config *config, const struct maui_param *row,
			       const char *name)
{
	struct maui_partition_config *partition = NULL;

	if (row->scope == MAUI_SCOPE_PRIORITY || row->scope == MAUI_SCOPE_PLANNING)
		partition = partition_of(config, name);
	if (!partition)
		return NULL;
	return row->scope == MAUI_SCOPE_PRIORITY ? (void *)&partition->priority :
						   (void *)&partition->planning;
}

/* Settings come sorted, so one object's stand together: only the last one can be it. */
static struct maui_cred_config *cred_of(struct maui_config *config, unsigned family,
					const char *name)
{
	struct maui_cred_config *grown;
	struct maui_creds *creds;
	int kind = 0;

	if (family == MAUI_FAMILY_SYS)
		return &config->system;
	while (!(family & (1u << kind)))
		kind++;
	creds = &config->creds[kind];
	if (creds->count > 0 && strcmp(creds->list[creds->count - 1].name, name) == 0)
		return &creds->list[creds->count - 1];
	grown = maui_array_grow(creds->list, creds->count, &creds->alloc, sizeof(*grown));
	if (!grown)
		return NULL;
	creds->list = grown;
	grown += creds->count;
	*grown = (struct maui_cred_config){ .name = strdup(name) };
	return grown->name ? (creds->count++, grown) : NULL;
}

static bool is_global(const struct maui_setting *s)
{
	return !s->index || strcmp(s->index, "0") == 0 || strcmp(s->index, "ALL") == 0;
}

void maui_build_say_at(const struct maui_setting *s, size_t offset, enum maui_value_result result,
		       const struct maui_err *err, struct maui_diags *diags)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	bool honoured = row->status == MAUI_HONOURED || row->status == MAUI_DIFFERENT;
	bool warning = !honoured || result == MAUI_VALUE_IGNORED;
	uint32_t line, column;

	maui_setting_place(s, offset, &line, &column);
	if (result != MAUI_VALUE_OK)
		maui_diags_add(diags, warning ? MAUI_WARNING : MAUI_ERROR, s->file, line, column,
			       "%s%s", err->text, warning ? ", ignoring" : "");
}

void maui_build_say(const struct maui_setting *s, enum maui_value_result result,
		    const struct maui_err *err, struct maui_diags *diags)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	struct maui_list_word word = { 0 };
	struct maui_err why;

	if (row->type != MAUI_TYPE_WORDS || result != MAUI_VALUE_IGNORED)
		maui_build_say_at(s, SIZE_MAX, result, err, diags);
	else
		while (maui_value_next_wrong(row, s->value, &word)) {
			maui_value_wrong(row, s->value + word.at, word.length, &why);
			maui_build_say_at(s, word.at, result, &why, diags);
		}
}

/* Stores one setting and returns true, or says why not. */
static bool apply(struct maui_setting *s, void *base, struct maui_diags *diags)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	enum maui_value_result result;
	struct maui_err err;

	if (row->status == MAUI_SLURM_CONF || row->status == MAUI_UNSUPPORTED)
		return false; /* said by check.c; what it would have to be is not our business */
	result = maui_value_parse(row, s->value, base, &err);
	maui_build_say(s, result, &err, diags);
	return result == MAUI_VALUE_OK;
}

/* Parameters: `indexed` false those for all partitions, true those of one. */
static int apply_param(struct maui_config *config, struct maui_setting *s, bool indexed,
		       struct maui_diags *diags)
{
	void *base = base_of(config, s->param);
	bool own = s->param->index == MAUI_INDEX_PARTITION && !is_global(s);

	if (s->attr || s->param->type == MAUI_TYPE_ATTRS || own != indexed ||
	    (own && config->too_many_partitions))
		return 0;
	if (own && base) {
		base = base_of_partition(config, s->param, s->index);
		if (!base) {
			maui_diags_add(diags, MAUI_ERROR, s->file, s->line, s->column,
				       "%s[%s]: more than %d partitions, or not by partition",
				       s->param->name, s->index, MAUI_CONFIG_MAX_PARTITIONS);
			config->too_many_partitions =
				config->partition_count >= MAUI_CONFIG_MAX_PARTITIONS;
			return 0;
		}
	}
	if (s->param->scope == MAUI_SCOPE_STACK) {
		base = maui_build_stack(config, s, diags);
		if (!base)
			return 0;
	}
	apply(s, base, diags);
	return 0;
}

/* A two-dimensional limit: typed like any other, then to the object's list. */
static int apply_pair(struct maui_cred_config *cred, struct maui_setting *s,
		      struct maui_diags *diags)
{
	struct maui_pair_limit pair;
	struct maui_cred_config scratch = { 0 };
	struct maui_err err;

	if (maui_build_pair(s, &pair, &err)) {
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column, "%s, ignoring",
			       err.text);
		return 0;
	}
	if (!apply(s, &scratch, diags))
		return 0;
	pair.limit = scratch.limits[pair.kind][pair.resource];
	return maui_pairs_add(&cred->pairs, &pair);
}

static bool names_reserved(const struct maui_setting *s)
{
	return s->attr->scope == MAUI_SCOPE_CRED && s->param->family == MAUI_FAMILY_QOS &&
	       strcmp(s->attr->name, "FLAGS") == 0;
}

/* USERESERVED:<reservation> among the flags; a further line for the flags replaces it, too. */
static int keep_reserved(struct maui_cred_config *cred, const char *text)
{
	const struct maui_param *row = maui_schema_find_attr(MAUI_FAMILY_QOS, "FLAGS");
	struct maui_words words;
	int rc = 0;

	free(cred->use_reserved);
	cred->use_reserved = NULL;
	if (maui_words_split(text, ",|: \t", &words))
		return -1;
	for (size_t i = 1; i < words.count && !cred->use_reserved && rc == 0; i++)
		if (strcasecmp(words.list[i - 1], "USERESERVED") == 0 &&
		    maui_schema_word(row, words.list[i], strlen(words.list[i])) < 0) {
			cred->use_reserved = strdup(words.list[i]);
			rc = cred->use_reserved ? 0 : -1;
		}
	maui_words_finish(&words);
	return rc;
}

static int apply_attr(struct maui_config *config, struct maui_setting *s, struct maui_diags *diags)
{
	void *base = NULL;

	if (!s->attr || s->param->family == MAUI_FAMILY_SR || maui_build_switched_off(config, s))
		return 0; /* reservations: build_rsv.c */
	if (s->attr->scope == MAUI_SCOPE_CRED || s->attr->scope == MAUI_SCOPE_PERUSER) {
		base = cred_of(config, s->param->family, s->index ? s->index : "");
		if (!base)
			return -1;
	}
	if (maui_build_is_pair(s))
		return apply_pair(base, s, diags);
	apply(s, base, diags);
	return names_reserved(s) ? keep_reserved(base, s->value) : 0;
}

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Same thing set: parameter, object, attribute, second dimension. */
static int compare_subject(const struct maui_setting *a, const struct maui_setting *b)
{
	int order = (a->param > b->param) - (a->param < b->param);

	if (order == 0)
		order = compare_text(a->index, b->index);
	if (order == 0)
		order = (a->attr > b->attr) - (a->attr < b->attr);
	return order ? order : compare_text(a->sub, b->sub);
}

static int by_subject(const void *a, const void *b)
{
	const struct maui_setting *one = *(struct maui_setting *const *)a;
	const struct maui_setting *two = *(struct maui_setting *const *)b;
	int order = compare_subject(one, two);

	return order ? order : (one > two) - (one < two); /* then as they were written */
}

/* Lists of who may enter a reservation append, everything else replaces (a.1). */
static bool appends(const struct maui_setting *s)
{
	return s->attr && maui_build_rsv_appends(s->attr);
}

/* The settings sorted by subject; marks those that a later one replaces. */
static struct maui_setting **sort_settings(struct maui_config *config)
{
	size_t count = config->setting_count;
	struct maui_setting **order = calloc(count + 1, sizeof(*order));

	if (!order)
		return NULL;
	for (size_t i = 0; i < count; i++)
		order[i] = &config->settings[i];
	qsort(order, count, sizeof(*order), by_subject);
	for (size_t i = 1; i < count; i++)
		if (compare_subject(order[i - 1], order[i]) == 0 && !appends(order[i]))
			order[i - 1]->replaced = true;
	return order;
}

static int apply_all(struct maui_config *config, struct maui_setting **order,
		     struct maui_diags *diags)
{
	int rc = 0;

	for (size_t i = 0; i < config->setting_count; i++)
		rc |= apply_param(config, order[i], false, diags);
	for (size_t i = 0; i < config->setting_count; i++)
		rc |= apply_param(config, order[i], true, diags);
	for (size_t i = 0; i < config->setting_count; i++)
		rc |= apply_attr(config, order[i], diags);
	return rc;
}

static int copy_words(struct maui_words *to, const struct maui_words *from)
{
	*to = (struct maui_words){ .list = calloc(from->count, sizeof(*to->list)) };
	if (!to->list)
		return -1;
	for (; to->count < from->count; to->count++) {
		to->list[to->count] = strdup(from->list[to->count]);
		if (!to->list[to->count])
			return -1;
	}
	return 0;
}

/* Everything but PRIORITY that the object left unsaid. */
static int inherit(struct maui_cred_config *cred, const struct maui_cred_config *from)
{
	if (cred->class_weight == 0)
		cred->class_weight = from->class_weight;
	if (cred->qtweight == 0)
		cred->qtweight = from->qtweight;
	if (cred->xfweight == 0)
		cred->xfweight = from->xfweight;
	if (cred->qttarget_s == 0)
		cred->qttarget_s = from->qttarget_s;
	if (cred->xftarget == 0)
		cred->xftarget = from->xftarget;
	if (cred->fstarget.kind == MAUI_FS_TARGET_NONE)
		cred->fstarget = from->fstarget;
	if (cred->flags == 0 && from->use_reserved && !cred->use_reserved &&
	    !(cred->use_reserved = strdup(from->use_reserved)))
		return -1;
	maui_build_inherit_limits(cred, from);
	if (!cred->qdef && from->qdef && !(cred->qdef = strdup(from->qdef)))
		return -1;
	if (cred->qlist.count == 0 && from->qlist.count > 0) {
		cred->qlist_mode = from->qlist_mode;
		return copy_words(&cred->qlist, &from->qlist);
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_cred_config *)a)->name,
		      ((const struct maui_cred_config *)b)->name);
}

static int finish_creds(struct maui_creds *creds)
{
	const struct maui_cred_config *def = NULL;

	if (creds->count > 0)
		qsort(creds->list, creds->count, sizeof(*creds->list), by_name);
	for (size_t i = 0; i < creds->count; i++) {
		maui_pairs_sort(&creds->list[i].pairs);
		if (strcmp(creds->list[i].name, "DEFAULT") == 0)
			def = &creds->list[i];
	}
	if (maui_config_index_creds(creds))
		return -1;
	if (!def)
		return 0;
	creds->default_priority = def->priority;
	creds->unnamed = *def;
	creds->unnamed.name = NULL;
	creds->unnamed.priority = 0;
	for (size_t i = 0; i < creds->count; i++)
		if (&creds->list[i] != def && inherit(&creds->list[i], def))
			return -1;
	return 0;
}

/* USESYSTEMQUEUETIME ON is what ALWAYS was called before JOBPRIOACCRUALPOLICY came. */
static void fold_queue_time(struct maui_config *config)
{
	for (size_t i = 0; i < config->setting_count; i++)
		if (strcmp(config->settings[i].param->name, "JOBPRIOACCRUALPOLICY") == 0)
			return;
	if (config->system_queue_time)
		config->accrual = MAUI_ACCRUAL_ALWAYS;
}

/* Whether `what` is the setting's parameter, or FAMILY.ATTR its attribute. */
static bool is_called(const struct maui_setting *s, const char *what)
{
	size_t length = strlen(s->param->name);

	if (strncmp(what, s->param->name, length) != 0)
		return false;
	if (what[length] == '\0')
		return true;
	return s->attr && what[length] == '.' && strcmp(what + length + 1, s->attr->name) == 0;
}

/* slurmctld writes every account in lower case, so that is how ACCOUNTCFG[CHEM] meets its jobs. */
static void fold_accounts(struct maui_config *config)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		struct maui_setting *s = &config->settings[i];

		if (s->param->family == MAUI_FAMILY_ACCOUNT && s->index &&
		    strcmp(s->index, "DEFAULT") != 0)
			maui_cred_fold_account(s->index);
	}
}

static void note_qlists(struct maui_config *config)
{
	for (size_t i = 0; i < config->setting_count; i++)
		config->restricts_qos |= config->settings[i].attr &&
					 strcmp(config->settings[i].attr->name, "QLIST") == 0;
}

/* A test's wish: as if the parameter stood nowhere. */
static void blank(struct maui_config *config, const char *what)
{
	size_t kept = 0;

	for (size_t i = 0; what && i < config->setting_count; i++) {
		struct maui_setting *s = &config->settings[i];

		if (is_called(s, what)) {
			free(s->index);
			free(s->sub);
			free(s->value);
		} else {
			config->settings[kept++] = *s;
		}
	}
	if (what)
		config->setting_count = kept;
}

int maui_config_build(struct maui_config *config, const char *blanked, struct maui_diags *diags)
{
	struct maui_setting **order;
	int rc;

	blank(config, blanked);
	fold_accounts(config);
	set_defaults(config);
	order = maui_build_stacks_init(config) ? NULL : sort_settings(config);
	if (!order)
		return -1;
	rc = apply_all(config, order, diags) || maui_build_nodes(config) ||
			     maui_build_rsvs(config, diags) ?
		     -1 :
		     0;
	free(order);
	for (int k = 0; k < MAUI_CRED_COUNT && rc == 0; k++)
		rc = finish_creds(&config->creds[k]);
	maui_pairs_sort(&config->system.pairs);
	maui_build_stacks_sort(config);
	fold_queue_time(config);
	note_qlists(config);
	return rc;
}
