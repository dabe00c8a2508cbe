/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_config_check.c - maui config check: errors, warnings and notes about a maui.cfg
 *
 * Rules: CMD-8.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/need.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/machine.h"
#include "cmd/query.h"
#include "config/check/known_names.h"
#include "config/check/reservation.h"
#include "config/check/slurm_settings.h"
#include "config/config.h"
#include "reservation/windows/windows.h"
#include "slurmconf/slurmconf.h"

static const struct maui_option known[] = {
	MAUI_SLURM_CONF_OPTION(maui_cmd_options, slurm_conf),
	{ 0 },
};

const struct maui_command maui_config_check_usage = {
	.synopsis = "maui config check [FILE] [--json] [--slurm-conf FILE]",
	.about =
		"Reports errors (slurmctld does not accept the file), warnings (a line has no "
		"effect, or another effect than in Maui) and notes. Hosts, tasks, PARTITION and "
		"CLASSLIST of reservations are checked against the nodes of slurm.conf. Users, "
		"groups, administrators and programs of triggers are looked up on this machine. A "
		"note says what was not checked, and why: without slurm.conf, or on a machine that "
		"does not have its SlurmUser.",
	.options = known,
	.operands = 1,
	.notes = "Exit status: 0 no error, 1 errors, 2 usage.",
};

static const struct maui_field diag_fields[] = {
	MAUI_MEMBER(maui_diag, file, "file", TEXT),
	MAUI_MEMBER(maui_diag, line, "line", COUNT),
	MAUI_MEMBER(maui_diag, column, "column", COUNT),
	MAUI_MEMBER(maui_diag, text, "text", TEXT),
};
static MAUI_RECORD_TABLE_WITH(maui_diag_type, maui_diag, diag_fields, .sparse = false);

#define CHECKED_FIELDS(F, R)                \
	F(R, LIST, errors, "", maui_diag)   \
	F(R, LIST, warnings, "", maui_diag) \
	F(R, LIST, notes, "", maui_diag)
MAUI_RECORD(maui_config_checked, CHECKED_FIELDS);
MAUI_RECORD_TYPE(maui_config_checked, CHECKED_FIELDS);

/* Those of the severity, in their order. The caller frees. */
static struct maui_diag *select_diags(const struct maui_diags *diags, enum maui_severity severity,
				      size_t *ret_count)
{
	struct maui_diag *list = maui_need_list(diags->count, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < diags->count; i++)
		if (diags->list[i].severity == severity)
			list[count++] = diags->list[i];
	*ret_count = count;
	return list;
}

static void print_json(const struct maui_tool_common *common, const struct maui_diags *diags)
{
	struct maui_config_checked checked;
	struct maui_diag *errors = select_diags(diags, MAUI_ERROR, &checked.errors_count);
	struct maui_diag *warnings = select_diags(diags, MAUI_WARNING, &checked.warnings_count);
	struct maui_diag *notes = select_diags(diags, MAUI_NOTE, &checked.notes_count);

	checked.errors = errors;
	checked.warnings = warnings;
	checked.notes = notes;
	maui_cmd_print_record_json(common, &maui_config_checked_type, &checked);
	free(errors);
	free(warnings);
	free(notes);
}

static void print_text(const char *path, const struct maui_diags *diags)
{
	size_t all = 0;
	char text[2048];

	for (size_t i = 0; i < diags->count; i++) {
		maui_diag_format(&diags->list[i], text, sizeof(text));
		printf("%s\n", text);
	}
	for (int s = 0; s < MAUI_SEVERITY_COUNT; s++)
		all += diags->seen[s];
	if (all > diags->count)
		printf("%s: %zu more not shown\n", path, all - diags->count);
	printf("%s: %zu error%s, %zu warning%s, %zu note%s\n", path, diags->seen[MAUI_ERROR],
	       maui_plural(diags->seen[MAUI_ERROR]), diags->seen[MAUI_WARNING],
	       maui_plural(diags->seen[MAUI_WARNING]), diags->seen[MAUI_NOTE],
	       maui_plural(diags->seen[MAUI_NOTE]));
}

static void note_unchecked(const char *path, struct maui_diags *diags, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void note_unchecked(const char *path, struct maui_diags *diags, const char *fmt, ...)
{
	char why[MAUI_DIAG_MAX_TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	maui_diags_add(diags, MAUI_NOTE, path, 0, 0,
		       "whether nodes and partitions exist, and nodes suffice, was not checked: %s",
		       why);
}

static void note_partition(const struct maui_mention *mention, void *context)
{
	bool *any = context;

	*any |= mention->kind == MAUI_CRED_CLASS;
}

/* Whether the file names nodes or partitions. */
static bool needs_cluster(const struct maui_config *config)
{
	const struct maui_named_numbers *ranks = &config->node_ranks;
	bool partitions = false;

	maui_config_each_name(config, note_partition, &partitions);
	return partitions || config->rsv_count > 0 || ranks->count > 1 ||
	       (ranks->count == 1 && strcmp(ranks->list[0].name, "DEFAULT") != 0);
}

static bool is_no_partition(const void *context, int kind, const char *name)
{
	return kind == MAUI_CRED_CLASS && maui_snapshot_find_partition(context, name) < 0;
}

/* Hosts and tasks of reservations, names of nodes and partitions, against slurm.conf. */
static void check_nodes(const struct maui_config *config, const char *path,
			const struct maui_cmd_options *options, struct maui_diags *diags)
{
	const char *conf = maui_cmd_slurm_conf_path(options);
	struct maui_slurmconf cluster = { 0 };
	struct maui_err err;

	if (!needs_cluster(config))
		return;
	if (!maui_cmd_has_slurm_conf(options))
		note_unchecked(path, diags, "there is no %s; name one with --slurm-conf", conf);
	else if (maui_slurmconf_read(&cluster, conf, &err))
		note_unchecked(path, diags, "%s", err.text);
	else if (cluster.open)
		note_unchecked(
			path, diags,
			"%s has MaxNodeCount and does not list all nodes; slurmctld's log and diagnose -r do",
			conf);
	else
		maui_config_check_snapshot(config, cluster.snapshot, true, diags);
	if (cluster.snapshot)
		maui_config_check_known(config, is_no_partition, cluster.snapshot, diags);
	if (cluster.snapshot && !cluster.open)
		maui_config_check_empty_partitions(config, cluster.snapshot, diags);
	maui_slurmconf_finish(&cluster);
}

/* Jobs without a time limit that are too long for the time between two instances (RSV-39). */
static void check_gaps(const struct maui_config *config, struct maui_diags *diags)
{
	char limit[32], gap[32];

	for (size_t i = 0; i < config->rsv_count; i++) {
		const struct maui_rsv *rsv = &config->rsvs[i];
		int64_t gap_s = maui_standing_longest_gap(rsv, time(NULL));

		if (!rsv->hosts || rsv->task_count > 0 || gap_s < 0 ||
		    config->default_walltime_s <= gap_s)
			continue;
		maui_duration_format(config->default_walltime_s, limit, sizeof(limit));
		if (gap_s == 0) {
			maui_diags_add(diags, MAUI_NOTE, rsv->file, rsv->line, 0,
				       "SRCFG[%.300s] never leaves its hosts to other jobs: its "
				       "periods follow one another without a gap",
				       rsv->name);
			continue;
		}
		maui_duration_format(gap_s, gap, sizeof(gap));
		maui_diags_add(diags, MAUI_NOTE, rsv->file, rsv->line, 0,
			       "SRCFG[%.300s] leaves its hosts to other jobs for at most %s at a "
			       "time: a job that it does not admit and that gets no shorter time "
			       "limit than SYSTEMDEFAULTJOBWALLTIME %s never starts there",
			       rsv->name, gap, limit);
	}
}

/* The keys that maui_config_check_conflicts() asks for. */
enum { PREEMPT_TYPE, PRIORITY_TYPE, GRES_TYPES, STORAGE_TYPE, MIN_JOB_AGE, KEYS };

static void read_settings(const struct maui_cmd_options *options, const char *scheduler,
			  char *values[KEYS], struct maui_slurm_settings *ret)
{
	static const char *const keys[KEYS] = { "PreemptType", "PriorityType", "GresTypes",
						"AccountingStorageType", "MinJobAge" };

	for (int i = 0; i < KEYS; i++)
		values[i] = maui_cmd_slurm_conf_value(options, keys[i]);
	*ret = (struct maui_slurm_settings){
		.schedules = scheduler && strcasecmp(scheduler, "sched/maui") == 0,
		.ranks = values[PRIORITY_TYPE] &&
			 strcasecmp(values[PRIORITY_TYPE], "priority/maui") == 0,
		.preempt_type = values[PREEMPT_TYPE],
		.gres_types = values[GRES_TYPES],
		.slurmdbd = maui_slurm_is_slurmdbd(values[STORAGE_TYPE]),
		.min_job_age_s = maui_slurm_min_job_age(values[MIN_JOB_AGE]),
	};
}

int maui_cmd_config_check(int argc, char **argv)
{
	struct maui_config_context context = { .require_settings = true, .keep_faulty = true };
	struct maui_tool_common common = { .tool = "maui config check",
					   .command = &maui_config_check_usage };
	struct maui_cmd_options options = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config;
	struct maui_slurm_settings settings;
	char *scheduler, *path, *values[KEYS];
	int rc = maui_cmd_read(&common, &options, argc, argv);

	if (!common.done)
		rc = maui_cmd_slurm_conf_check(&options);
	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	options.operand = *common.operands;
	path = maui_cmd_config_path(&options);
	scheduler = maui_cmd_scheduler_type(&options);
	context.scheduler_type = scheduler;
	read_settings(&options, scheduler, values, &settings);
	context.slurm = scheduler ? &settings : NULL;
	config = maui_config_load(path, &context, &diags);
	if (config) {
		check_nodes(config, path, &options, &diags);
		check_gaps(config, &diags);
		maui_cmd_check_machine(config, path, &options, &diags);
	}
	maui_diags_sort(&diags);
	if (common.json)
		print_json(&common, &diags);
	else
		print_text(path, &diags);
	rc = config && diags.seen[MAUI_ERROR] == 0 ? MAUI_EXIT_OK : MAUI_EXIT_ERROR;
	maui_config_unref(config);
	maui_diags_finish(&diags);
	for (int i = 0; i < KEYS; i++)
		free(values[i]);
	free(scheduler);
	free(path);
	return rc;
}
