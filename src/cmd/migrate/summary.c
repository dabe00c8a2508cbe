/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.c - the end of the report: counts, and what is left to do */

#include <stdio.h>
#include <string.h>

#include "base/moment.h"
#include "base/need.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/migrate/migration.h"
#include "cmd/query.h"

/* Whether the diagnostic is about a setting, which has a report of its own. */
static bool has_setting(const struct maui_migration *m, const struct maui_diag *diag)
{
	for (size_t i = 0; i < m->config->setting_count; i++)
		if (m->config->settings[i].line == diag->line &&
		    m->config->settings[i].column == diag->column &&
		    strcmp(m->config->settings[i].file, diag->file) == 0)
			return true;
	return false;
}

static bool is_fault(const struct maui_migration *m, const struct maui_diag *diag)
{
	return diag->severity == MAUI_ERROR || (diag->severity == MAUI_WARNING && diag->line > 0 &&
						m->config && !has_setting(m, diag));
}

static size_t count_faults(const struct maui_migration *m)
{
	size_t count = 0;

	for (size_t i = 0; i < m->diags.count; i++)
		count += is_fault(m, &m->diags.list[i]);
	return count;
}

static void print_diag(const struct maui_diag *diag)
{
	char text[2048];

	maui_diag_format(diag, text, sizeof(text));
	printf("%s\n", text);
}

void maui_migration_print_faults(const struct maui_migration *m)
{
	for (size_t i = 0; i < m->diags.count; i++)
		if (is_fault(m, &m->diags.list[i]))
			print_diag(&m->diags.list[i]);
}

static void print_history(const struct maui_migration *m)
{
	char first[32], last[32];

	maui_moment_date(m->history.first_s, first, sizeof(first));
	maui_moment_date(m->history.last_s, last, sizeof(last));
	if (m->history.windows == 0)
		printf("fairshare: no FS.<epoch> files in %s\n", m->stats);
	else
		printf("fairshare: %zu window%s from %s to %s, up to %zu credentials\n",
		       m->history.windows, maui_plural(m->history.windows), first, last,
		       m->history.names);
	for (size_t i = 0; i < m->history_diags.count; i++)
		print_diag(&m->history_diags.list[i]);
}

static void print_list(const struct maui_migration_lines *list)
{
	for (size_t i = 0; i < list->count; i++)
		printf("       %s\n", list->items[i]);
}

static void print_count(int step, const char *what, size_t count)
{
	printf("  %d. %s (%zu setting%s).\n", step, what, count, maui_plural(count));
}

static void print_steps(const struct maui_migration *m)
{
	const char *dir = m->output ? m->output : "DIR";
	int step = 0;

	printf("\nTo do:\n");
	if (count_faults(m) > 0)
		printf("  %d. Correct the errors and unknown names above (%zu); whole lines of "
		       "these are comments in the new maui.cfg.\n",
		       ++step, count_faults(m));
	if (m->counts[MAUI_DIFFERENT] > m->rewritten)
		print_count(++step, "Read what is different",
			    m->counts[MAUI_DIFFERENT] - m->rewritten);
	if (m->two_fields > 0)
		print_count(++step,
			    m->of_moab ? "Check times of two fields: they are minutes and seconds, "
					 "as Moab's reference says" :
					 "Check times of two fields: they are the hours and "
					 "minutes of Maui 3.x, with :00 in the new maui.cfg",
			    m->two_fields);
	if (m->without_effect > 0)
		print_count(++step, "Read why settings have no effect", m->without_effect);
	if (m->warned > 0)
		print_count(++step, "Read the warnings below honoured lines", m->warned);
	if (m->commands.count > 0) {
		printf("  %d. With slurmdbd, run:\n", ++step);
		print_list(&m->commands);
	}
	if (!m->output)
		printf("  %d. Run maui migrate %s --output DIR, which writes the files.\n", ++step,
		       m->from);
	printf("  %d. Copy %s/maui.cfg beside slurm.conf and run maui config check.\n", ++step,
	       dir);
	if (m->history.windows > 0)
		printf("  %d. Copy %s/maui/FS.* to the directory maui/ of StateSaveLocation, owned "
		       "by SlurmUser.\n",
		       ++step, dir);
	printf("  %d. Merge into slurm.conf%s, for a trial with the present SchedulerType:\n",
	       ++step, m->output ? " (slurm.conf.add)" : "");
	print_list(&m->lines);
	printf("  %d. Try it: SERVERMODE TEST in maui.cfg, restart slurmctld, and ask maui trial "
	       "after a day.\n",
	       ++step);
	printf("  %d. Switch: SERVERMODE NORMAL, SchedulerType=sched/maui, then maui preflight, "
	       "and restart slurmctld.\n",
	       ++step);
}

void maui_migration_print_summary(const struct maui_migration *m)
{
	printf("\n%s: %zu honoured, %zu without effect, %zu different, %zu belong to slurm.conf, "
	       "%zu not supported, %zu not yet, %zu errors or unknown\n",
	       m->path, m->counts[MAUI_HONOURED], m->without_effect, m->counts[MAUI_DIFFERENT],
	       m->counts[MAUI_SLURM_CONF], m->counts[MAUI_UNSUPPORTED], m->counts[MAUI_NOT_YET],
	       count_faults(m));
	print_history(m);
	if (m->left > 0)
		printf("%s/maui.cfg still has %d errors, in lines that go on behind a backslash or "
		       "that depend on each other\n",
		       m->output ? m->output : "the new file", m->left);
	print_steps(m);
}

/* ---- JSON ---- */

MAUI_RECORD_TYPE(maui_migration_row, MAUI_MIGRATION_ROW_FIELDS);

#define HISTORY_FIELDS(F, R)      \
	F(R, INT, windows, "")    \
	F(R, INT, first_s, "")    \
	F(R, INT, last_s, "")     \
	F(R, INT, interval_s, "") \
	F(R, INT, credentials, "at most, of a window")
MAUI_RECORD(maui_migration_history, HISTORY_FIELDS);
MAUI_RECORD_TYPE(maui_migration_history, HISTORY_FIELDS);

#define RESULT_FIELDS(F, R)                                                   \
	F(R, LIST, lines, "what becomes of each setting", maui_migration_row) \
	F(R, TEXTS, errors, "")                                               \
	F(R, TEXTS, slurm_conf, "lines for slurm.conf")                       \
	F(R, TEXTS, commands, "of sacctmgr")                                  \
	F(R, ONE, fairshare, "", maui_migration_history)                      \
	F(R, INT, left, "errors that the new maui.cfg still has")
MAUI_RECORD(maui_migration_result, RESULT_FIELDS);
MAUI_RECORD_TYPE(maui_migration_result, RESULT_FIELDS);

#define FAILURE_FIELDS(F, R) F(R, TEXTS, errors, "what stopped the run, then those of files")
MAUI_RECORD(maui_migration_failure, FAILURE_FIELDS);
MAUI_RECORD_TYPE(maui_migration_failure, FAILURE_FIELDS);

static const char *diag_text(struct maui_arena *arena, const struct maui_diag *diag)
{
	char text[2048];

	maui_diag_format(diag, text, sizeof(text));
	return maui_need(maui_arena_strdup(arena, text));
}

/* Faults of maui.cfg and of the fairshare files, behind `first` unless it is NULL. */
static const char *const *list_errors(const struct maui_migration *m, struct maui_arena *arena,
				      const char *first, size_t *ret_count)
{
	size_t most = 1 + m->diags.count + m->history_diags.count, count = 0;
	const char **list = maui_need(maui_arena_alloc_list(arena, most, sizeof(*list)));

	if (first)
		list[count++] = first;
	for (size_t i = 0; i < m->diags.count; i++)
		if (is_fault(m, &m->diags.list[i]))
			list[count++] = diag_text(arena, &m->diags.list[i]);
	for (size_t i = 0; i < m->history_diags.count; i++)
		list[count++] = diag_text(arena, &m->history_diags.list[i]);
	*ret_count = count;
	return list;
}

void maui_migration_print_failure(const struct maui_migration *m, const char *text)
{
	struct maui_migration_failure failure;
	struct maui_arena arena = { 0 };

	fprintf(stderr, "maui migrate: error: %s\n", text);
	if (!m->common->json)
		return;
	failure.errors = list_errors(m, &arena, text, &failure.errors_count);
	maui_cmd_print_report_json(m->common, &maui_migration_failure_type, &failure);
	maui_arena_finish(&arena);
}

void maui_migration_print_json(struct maui_migration *m)
{
	const struct maui_migration_history history = {
		.windows = (int64_t)m->history.windows,
		.first_s = m->history.first_s,
		.last_s = m->history.last_s,
		.interval_s = m->history.interval_s,
		.credentials = (int64_t)m->history.names,
	};
	struct maui_migration_result result = {
		.lines = m->rows,
		.lines_count = m->row_count,
		.slurm_conf = (const char *const *)m->lines.items,
		.slurm_conf_count = m->lines.count,
		.commands = (const char *const *)m->commands.items,
		.commands_count = m->commands.count,
		.fairshare = &history,
		.left = m->left,
	};

	result.errors = list_errors(m, &m->arena, NULL, &result.errors_count);
	maui_cmd_print_report_json(m->common, &maui_migration_result_type, &result);
}
