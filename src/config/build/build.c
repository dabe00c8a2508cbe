/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.c - fills the typed fields of a configuration from its settings
 *
 * In: the settings as they were read. Out: the typed fields of the configuration. Order: defaults
 * from the schema; parameters for all partitions; parameters of one partition, which start as a
 * copy of those for all; credentials (creds.c); nodes (numbers.c); reservations (reservation.c).
 *
 * Rules: PRIO-17.
 */

#include "config/build/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/limits.h"
#include "config/parse.h"

/* The struct that a row's offset counts from; NULL: the row has no field. */
static void *find_base(struct maui_config *config, const struct maui_param *row)
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
			maui_value_parse(row, row->def, find_base(config, row), NULL);
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

/* The same for one partition; NULL: the row has no value by partition, or there are too many
 * partitions. */
static void *find_partition_base(struct maui_config *config, const struct maui_param *row,
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

static bool is_global(const struct maui_setting *s)
{
	return !s->index || strcmp(s->index, "0") == 0 || strcmp(s->index, "ALL") == 0;
}

/* Stores parameters: for all partitions, or with `indexed` those of one partition. */
static int apply_param(struct maui_config *config, struct maui_setting *s, bool indexed,
		       struct maui_diags *diags)
{
	void *base = find_base(config, s->param);
	bool own = s->param->index == MAUI_INDEX_PARTITION && !is_global(s);

	if (s->attr || s->param->type == MAUI_TYPE_ATTRS || own != indexed ||
	    (own && config->too_many_partitions))
		return 0;
	if (own && base) {
		base = find_partition_base(config, s->param, s->index);
		if (!base) {
			maui_diags_add(
				diags, MAUI_ERROR, s->file, s->line, s->column,
				"%s[%s]: more than %d partitions, or no parameter of a partition",
				s->param->name, s->index, MAUI_CONFIG_MAX_PARTITIONS);
			config->too_many_partitions =
				config->partition_count >= MAUI_CONFIG_MAX_PARTITIONS;
			return 0;
		}
	}
	if (s->param->scope == MAUI_SCOPE_STACK) {
		base = maui_build_stack(config, s, diags);
		s->ignored |= !base;
		if (!base)
			return 0;
	}
	maui_build_store(s, base, diags);
	return 0;
}

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Equal settings set the same thing: parameter, object, attribute, second dimension. */
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

	return order ? order : (one > two) - (one < two); /* then in the order of the files */
}

/* Access lists and triggers of a reservation append, all other values replace (CFG-3). Where
 * nobody reads a family's attributes, two values may be of different ones: RMCFG[x] TYPE, HOST. */
static bool appends(const struct maui_setting *s)
{
	return s->attr ? maui_config_rsv_appends(s->attr) : s->param->type == MAUI_TYPE_ATTRS;
}

/* Whether a value that is read can be read: what cannot replaces nothing (CFG-16). Not known with
 * err->no_memory. */
static bool value_counts(const struct maui_setting *s, struct maui_err *err)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;

	err->no_memory = false;
	if (s->ignored || (row->status != MAUI_HONOURED && row->status != MAUI_DIFFERENT))
		return !s->ignored;
	if (s->attr && s->param->family == MAUI_FAMILY_SR)
		return maui_build_rsv_counts(s, err);
	return maui_value_counts(row, s->value, err);
}

/* Of settings of one subject each is replaced by the next one that counts. -1 without memory. */
static int mark_replaced(struct maui_setting **order, size_t count)
{
	const struct maui_setting *next = NULL;
	struct maui_err err = { .no_memory = false };

	for (size_t i = count; i-- > 0;) {
		struct maui_setting *s = order[i];

		if (next && compare_subject(s, next) != 0)
			next = NULL;
		s->ignored = !value_counts(s, &err);
		if (s->ignored && err.no_memory)
			return -1;
		if (!appends(s))
			s->replaced = next;
		if (!s->ignored)
			next = s;
	}
	return 0;
}

/* ATTR+=VALUE: puts the value of the setting before in front. -1 without memory. */
static int add_values(struct maui_setting **order, size_t count, struct maui_diags *diags)
{
	for (size_t i = 1; i < count; i++) {
		const struct maui_setting *before = order[i - 1];
		struct maui_setting *s = order[i];
		char *value;

		if (!s->adds || appends(s) || compare_subject(before, s) != 0 || !*before->value)
			continue;
		if (strlen(before->value) + strlen(s->value) >= MAUI_CONFIG_MAX_LIST) {
			maui_diags_add(diags, MAUI_ERROR, s->file, s->line, s->column,
				       "list of %s longer than %u bytes", s->attr->name,
				       MAUI_CONFIG_MAX_LIST);
			continue;
		}
		if (asprintf(&value, "%s,%s", before->value, s->value) < 0)
			return -1;
		free(s->value);
		s->value = value;
		s->value_length = 0; /* it stands in several places */
	}
	return 0;
}

/* The settings sorted by subject. Completes those of ATTR+=, and marks the settings that a later
 * one replaces, and those that cannot be read. */
static struct maui_setting **sort_settings(struct maui_config *config, struct maui_diags *diags)
{
	size_t count = config->setting_count;
	struct maui_setting **order = calloc(count + 1, sizeof(*order));

	if (!order)
		return NULL;
	for (size_t i = 0; i < count; i++)
		order[i] = &config->settings[i];
	qsort(order, count, sizeof(*order), by_subject);
	if (add_values(order, count, diags) || mark_replaced(order, count)) {
		free(order);
		return NULL;
	}
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
		rc |= maui_build_cred(config, order[i], diags);
	return rc;
}

/* USESYSTEMQUEUETIME ON is the older form of JOBPRIOACCRUALPOLICY ALWAYS. */
static void fold_queue_time(struct maui_config *config)
{
	for (size_t i = 0; i < config->setting_count; i++)
		if (maui_setting_counts(&config->settings[i]) &&
		    strcmp(config->settings[i].param->name, "JOBPRIOACCRUALPOLICY") == 0)
			return;
	if (config->system_queue_time)
		config->accrual = MAUI_ACCRUAL_ALWAYS;
}

/* Whether `what` names the setting's parameter, or as FAMILY.ATTR its attribute. */
static bool is_called(const struct maui_setting *s, const char *what)
{
	size_t length = strlen(s->param->name);

	if (strncmp(what, s->param->name, length) != 0)
		return false;
	if (what[length] == '\0')
		return true;
	return s->attr && what[length] == '.' && strcmp(what + length + 1, s->attr->name) == 0;
}

/* For tests: treats the settings of one parameter as if they were not in the file. */
static void blank_parameter(struct maui_config *config, const char *what)
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

	blank_parameter(config, blanked);
	maui_build_creds_fold_accounts(config);
	if (maui_build_moab(config, diags))
		return -1;
	set_defaults(config);
	order = maui_build_stacks_init(config) ? NULL : sort_settings(config, diags);
	if (!order)
		return -1;
	rc = apply_all(config, order, diags) || maui_build_numbers(config, diags) ||
			     maui_build_rsvs(config, diags) ?
		     -1 :
		     0;
	free(order);
	if (rc == 0)
		rc = maui_build_creds_inherit(config);
	maui_build_stacks_sort(config);
	fold_queue_time(config);
	return rc;
}

void maui_config_build_finish(struct maui_config *config)
{
	for (size_t i = 0; i < config->partition_count; i++)
		free(config->partitions[i].name);
	free(config->partitions);
	maui_build_stacks_finish(config);
	maui_build_numbers_finish(config);
	maui_build_rsvs_finish(config);
	free(config->query_socket);
	maui_words_finish(&config->node_sets.list);
	for (size_t i = 0; i < sizeof(config->admins) / sizeof(config->admins[0]); i++)
		maui_words_finish(&config->admins[i]);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		maui_creds_finish(&config->creds[k]);
	maui_cred_config_finish(&config->system);
}
