/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showstate.c - showstate: active jobs on a map of the nodes, the scheduler, what is wrong
 *
 * Each of the largest jobs has a letter, which stands on the nodes that the job has alone. Above
 * 200 nodes, nodes with the same sign share a line.
 *
 * Rules: CMD-49.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/duration.h"
#include "base/hostrange.h"
#include "base/moment.h"
#include "base/need.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/list.h"
#include "cmd/query.h"
#include "model/when.h"
#include "verbs/state.h"

static const struct maui_command command = {
	.synopsis = "showstate [-o COLUMN,...] [--noheader] [--json]",
	.about = "Shows the largest active jobs and the nodes that they have, how the scheduler "
		 "does, and what is wrong. With --noheader or --format it lists the jobs only.",
	.table = true,
	.notes = MAUI_EXITS ".",
};

enum {
	CELLS_OF_A_LINE = 16, /* of the map: as Maui, and within 80 columns */
	MAP_MAX = 200,        /* nodes with a cell of their own */
	OLD_S = 300,          /* a plan of this age is a problem */
};

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/* Characters other than letters; Maui's own where Maui has them. */
static const struct {
	char sign;
	const char *meaning;
} signs[] = {
	{ ' ', "idle" },        { '=', "idle, reserved" },     { '&', "several jobs" },
	{ '+', "another job" }, { '@', "busy without a job" }, { '!', "drained" },
	{ '#', "down" },        { '*', "down with a job" },    { '?', "no answer yet" },
};

/* ---- jobs ---- */

/* A row of the table. */
struct shown_job {
	struct maui_state_job job;
	char letter;
};

static const char *format_letter(const void *row, int64_t now_s, char *buf)
{
	(void)now_s;
	snprintf(buf, MAUI_SHOWN_CELL, "(%c)", ((const struct shown_job *)row)->letter);
	return buf;
}

static const char *format_state(const void *row, int64_t now_s, char *buf)
{
	(void)now_s;
	(void)buf;
	return maui_job_state_letter(((const struct shown_job *)row)->job.state);
}

#define JOB(member) offsetof(struct shown_job, job.member)

static const struct maui_shown rows_only_columns[] = {
	{ { "Map", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_letter },
	{ { "JobName", false }, MAUI_SHOWN_TEXT, JOB(job), 0, NULL },
	{ { "S", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_state },
	{ { "User", true }, MAUI_SHOWN_TEXT, JOB(user), 0, NULL },
	{ { "Group", true }, MAUI_SHOWN_TEXT, JOB(group), 0, NULL },
	{ { "Procs", true }, MAUI_SHOWN_NUMBER, JOB(procs), 0, NULL },
	{ { "Remaining", true }, MAUI_SHOWN_REMAINING, JOB(end), 0, NULL },
	{ { "StartTime", true }, MAUI_SHOWN_DATE, JOB(start), 0, NULL },
};
/* Maui's widths, in 80 columns. */
static const struct maui_shown columns[] = {
	{ { "", false }, MAUI_SHOWN_FORMATTED, 0, 3, format_letter },
	{ { "JobName", false }, MAUI_SHOWN_TEXT, JOB(job), 15, NULL },
	{ { "S", false }, MAUI_SHOWN_FORMATTED, 0, 1, format_state },
	{ { "User", true }, MAUI_SHOWN_TEXT, JOB(user), 9, NULL },
	{ { "Group", true }, MAUI_SHOWN_TEXT, JOB(group), 8, NULL },
	{ { "Procs", true }, MAUI_SHOWN_NUMBER, JOB(procs), 6, NULL },
	{ { "Remaining", true }, MAUI_SHOWN_REMAINING, JOB(end), 11, NULL },
	{ { "StartTime", true }, MAUI_SHOWN_DATE, JOB(start), 19, NULL },
};

static int print_jobs(const struct maui_tool_common *common, const struct maui_state *state)
{
	static const struct maui_shown_list rows_only = MAUI_SHOWN_LIST(rows_only_columns),
					    whole = MAUI_SHOWN_LIST(columns);
	const struct maui_shown_list *shown = maui_tool_rows_only(common) ? &rows_only : &whole;
	struct maui_table *table = maui_shown_table(common, shown);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < state->jobs_count && letters[i]; i++) {
		const struct shown_job row = { state->jobs[i], letters[i] };

		maui_shown_add(table, shown, &row, 1, sizeof(row), state->time);
	}
	maui_tool_print_table(common, table);
	return MAUI_EXIT_OK;
}

static void print_usage(const struct maui_state *state)
{
	int64_t jobs = state->active_jobs, listed = (int64_t)state->jobs_count;

	if (jobs > listed)
		printf("and %" PRId64 " smaller jobs: showq -r lists all\n", jobs - listed);
	printf("\nusage summary:  %" PRId64 " active job%s", jobs, maui_plural(jobs));
	if (state->active_nodes != MAUI_NEVER)
		printf("  %" PRId64 " of %" PRId64 " nodes active", state->active_nodes,
		       state->node_count);
	printf("  %" PRId64 " of %" PRId64 " processors in use\n", state->active_procs,
	       state->procs);
	maui_cmd_show_gres(state->gres, state->gres_count, "  not in use: ", "");
	printf("\n");
}

/* ---- nodes ---- */

static char sign_of(const struct maui_state_node *node)
{
	switch (node->state) {
	case MAUI_NODE_UNKNOWN:
		return '?';
	case MAUI_NODE_DOWN:
		return node->jobs > 0 ? '*' : '#';
	case MAUI_NODE_DRAINED:
	case MAUI_NODE_DRAINING:
		return '!';
	default:
		break;
	}
	if (node->jobs == 0 && node->state != MAUI_NODE_IDLE)
		return '@';
	if (node->jobs == 0)
		return node->reserved ? '=' : ' ';
	if (node->jobs > 1)
		return '&';
	return (uint64_t)node->job < sizeof(letters) - 1 ? letters[node->job] : '+';
}

/* Nodes folded ("n[1-16]"); the caller frees. */
static char *fold(const struct maui_state_node *nodes, const size_t *which, size_t count)
{
	const char **names = maui_need_list(count, sizeof(*names));
	char *text;

	for (size_t i = 0; i < count; i++)
		names[i] = nodes[which[i]].name;
	text = maui_need(maui_hostrange_fold(names, count));
	free(names);
	return text;
}

/* A line of the map: nodes from `first` on. The label is as wide as the widest one. */
static void print_line(const struct maui_state_node *nodes, size_t first, size_t count, int *width,
		       bool print)
{
	size_t which[CELLS_OF_A_LINE];
	char *text;

	for (size_t i = 0; i < count; i++)
		which[i] = first + i;
	text = fold(nodes, which, count);
	if ((int)strlen(text) > *width)
		*width = (int)strlen(text);
	if (print) {
		printf("%-*s  ", *width, text);
		for (size_t i = 0; i < count; i++)
			printf("[%c]", sign_of(&nodes[first + i]));
		printf("\n");
	}
	free(text);
}

static void print_map(const struct maui_state_node *nodes, size_t count)
{
	int width = 0;

	for (int print = 0; print < 2; print++)
		for (size_t i = 0; i < count; i += CELLS_OF_A_LINE)
			print_line(nodes, i,
				   count - i < CELLS_OF_A_LINE ? count - i : CELLS_OF_A_LINE,
				   &width, print);
}

/* A line for each sign, in the order of the first node that has it. */
static void print_folded(const struct maui_state_node *nodes, size_t count)
{
	size_t *which = maui_need_list(count, sizeof(*which));
	bool done[256] = { false };

	for (size_t i = 0; i < count; i++) {
		char sign = sign_of(&nodes[i]);
		size_t found = 0;
		char *text;

		if (done[(unsigned char)sign])
			continue;
		done[(unsigned char)sign] = true;
		for (size_t k = i; k < count; k++)
			if (sign_of(&nodes[k]) == sign)
				which[found++] = k;
		text = fold(nodes, which, found);
		printf("[%c] %6zu node%s  %s\n", sign, found, found == 1 ? " " : "s", text);
		free(text);
	}
	free(which);
}

static void print_key(const struct maui_state_node *nodes, size_t count)
{
	const char *separator = "\nKey:  ";

	for (size_t s = 0; s < sizeof(signs) / sizeof(signs[0]); s++) {
		size_t i = 0;

		while (i < count && sign_of(&nodes[i]) != signs[s].sign)
			i++;
		if (i == count)
			continue;
		printf("%s[%c] %s", separator, signs[s].sign, signs[s].meaning);
		separator = "  ";
	}
	printf("%s", *separator == ' ' ? "\n" : "");
}

static void print_nodes(const struct maui_state *state)
{
	if (!state->nodes) {
		printf("PrivateData=nodes: nodes are shown to operators only\n");
		return;
	}
	if (state->nodes_count > MAP_MAX)
		print_folded(state->nodes, state->nodes_count);
	else
		print_map(state->nodes, state->nodes_count);
	print_key(state->nodes, state->nodes_count);
}

/* ---- the scheduler ---- */

/* By this machine's clock, which may be behind slurmctld's. */
static int64_t age_of(const struct maui_state *state)
{
	int64_t age_s = (int64_t)time(NULL) - state->time;

	return age_s > 0 ? age_s : 0;
}

static void print_counters(const struct maui_state_health *h, int64_t now_s)
{
	char moment[MAUI_MOMENT_SIZE];

	printf("Last cycle:  %.3f s, planning %.3f s; lock holds: read %.1f ms, write %.1f ms\n",
	       h->last_cycle, h->last_plan, 1000 * h->last_read_hold, 1000 * h->last_write_hold);
	printf("Longest:     %.3f s; lock holds: read %.1f ms, write %.1f ms\n", h->longest_cycle,
	       1000 * h->longest_read_hold, 1000 * h->longest_write_hold);
	printf("Since %s: %" PRId64 " cycles, %" PRId64 " failed;\n",
	       maui_moment_as_maui(h->since, now_s, moment, sizeof(moment)), h->cycles,
	       h->failed_cycles);
	printf("    jobs started %" PRId64 ", backfilled %" PRId64 ", preempted %" PRId64
	       "; starts refused by Slurm %" PRId64 "\n",
	       h->started, h->backfilled, h->preempted, h->refused);
}

static void print_scheduler(const struct maui_state *state)
{
	const struct maui_state_health *health = state->scheduler->health;
	char moment[MAUI_MOMENT_SIZE], span[MAUI_DURATION_SIZE];

	printf("\nScheduler:   SERVERMODE %s\n", state->scheduler->server_mode);
	printf("Plan:        of %s, %s old\n",
	       maui_moment_as_maui(state->time, state->time, moment, sizeof(moment)),
	       maui_duration_as_maui(age_of(state), span, sizeof(span)));
	if (health && health->since != 0)
		print_counters(health, state->time);
}

static void print_problems(const struct maui_state *state)
{
	int64_t age_s = age_of(state);
	bool old = age_s > OLD_S && age_s / 4 > state->scheduler->poll_interval;

	printf("\n%s\n", state->problems_count || old ? "Problems:" : "No problems.");
	if (old)
		printf("  the plan is old: slurmctld makes no new one, and its log says why\n");
	for (size_t i = 0; i < state->problems_count; i++)
		printf("  %s\n", state->problems[i]);
}

static int print_state(const struct maui_tool_common *common, const void *options,
		       const void *record)
{
	const struct maui_state *state = record;
	char moment[MAUI_MOMENT_SIZE];
	int rc;

	(void)options;
	if (maui_tool_rows_only(common))
		return print_jobs(common, state);
	printf("cluster state summary for %s\n\n",
	       maui_moment_as_maui(state->time, state->time, moment, sizeof(moment)));
	rc = print_jobs(common, state);
	print_usage(state);
	print_nodes(state);
	print_scheduler(state);
	print_problems(state);
	return rc;
}

static int run_showstate(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "showstate", .command = &command };
	int rc = maui_cmd_read(&common, NULL, argc, argv);

	return common.done ? rc : maui_cmd_show(&common, &maui_verb_state, NULL, print_state, NULL);
}

MAUI_COMMAND(showstate, "the machine at a glance, and what is wrong");
