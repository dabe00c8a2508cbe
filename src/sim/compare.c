/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.c - differences between two simulations of the same jobs */

#include "sim/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/moment.h"
#include "base/need.h"
#include "base/words.h"
#include "model/when.h"
#include "tool/option.h"
#include "tool/print.h"

enum {
	NAMES = 12, /* of each kind of credential, those with the most work */
	CELL = 32,
};

static const struct maui_tool_common plain = { .tool = "maui-sim" };

/* ---- who starts when ---- */

/* How much later it starts; never counts as later than any moment. */
static int64_t delay(const struct maui_sim_change *change)
{
	if (change->before_s < 0 || change->after_s < 0)
		return change->before_s < 0 ? -MAUI_NEVER : MAUI_NEVER;
	return change->after_s - change->before_s;
}

static int64_t size_of(const struct maui_sim_change *change)
{
	int64_t by = delay(change);

	return by < 0 ? -by : by;
}

static int by_size(const void *a, const void *b)
{
	const struct maui_sim_change *one = a, *two = b;
	int64_t left = size_of(one), right = size_of(two);

	if (left != right)
		return left > right ? -1 : 1;
	return (one->job > two->job) - (one->job < two->job);
}

/* Seconds of the epoch; -1: it does not start. */
static int64_t start_of(const struct maui_sim_trace *trace, size_t index)
{
	int64_t start_s = trace->jobs[index].start_s;

	return start_s < 0 ? -1 : trace->epoch_s + start_s;
}

void maui_sim_changes_make(const struct maui_sim_outcome *before,
			   const struct maui_sim_outcome *after, struct maui_sim_changes *ret)
{
	size_t count = before->trace->count;

	*ret = (struct maui_sim_changes){ .list = maui_need_list(count, sizeof(*ret->list)) };
	for (size_t i = 0; i < count && i < after->trace->count; i++) {
		const struct maui_sim_change change = { &before->trace->jobs[i],
							start_of(before->trace, i),
							start_of(after->trace, i) };

		if (change.before_s == change.after_s) {
			ret->same +=
				!change.job->ran_before && change.job->left_out == MAUI_REASON_NONE;
			continue;
		}
		ret->earlier += delay(&change) < 0;
		ret->later += delay(&change) > 0;
		ret->list[ret->count++] = change;
	}
	if (ret->count > 0)
		qsort(ret->list, ret->count, sizeof(*ret->list), by_size);
}

void maui_sim_changes_finish(struct maui_sim_changes *changes)
{
	free(changes->list);
	*changes = (struct maui_sim_changes){ 0 };
}

/* ---- text ---- */

/* "-" if it does not start. */
static const char *moment(int64_t when_s, char *buf)
{
	return when_s < 0 ? "-" : maui_moment_padded(when_s, buf, CELL);
}

/* "-" if it does not start in one of both. */
static const char *difference(const struct maui_sim_change *change, char *buf)
{
	int64_t by = delay(change);

	return by == MAUI_NEVER || by == -MAUI_NEVER ? "-" :
						       maui_duration_difference(by, buf, CELL);
}

static void add_change(struct maui_table *table, const struct maui_sim_change *change)
{
	const char *user = change->job->cred[MAUI_CRED_USER];
	char number[MAUI_SIM_LABEL_SIZE], before[CELL], after[CELL], by[CELL];

	maui_table_add(table, (const char *const[]){
				      maui_sim_job_label(change->job, number), user ? user : "-",
				      moment(change->before_s, before),
				      moment(change->after_s, after), difference(change, by) });
}

static void print_moved(const struct maui_sim_changes *changes, size_t count)
{
	static const struct maui_column columns[] = { { "JOB", false },
						      { "USER", false },
						      { "START BEFORE", false },
						      { "START AFTER", false },
						      { "DIFFERENCE", true } };
	static const unsigned widths[] = { 10, 12, 20, 20, 12 }; /* dates have blanks */
	struct maui_table *table =
		maui_tool_table(&plain, columns, sizeof(columns) / sizeof(columns[0]));

	maui_table_widen(table, widths);
	for (size_t i = 0; i < count; i++)
		add_change(table, &changes->list[i]);
	maui_tool_print_table(&plain, table);
}

void maui_sim_print_changes(const struct maui_sim_changes *changes, size_t most)
{
	printf("\n%zu job%s start%s earlier, %zu later, %zu as before\n", changes->earlier,
	       maui_plural(changes->earlier), changes->earlier == 1 ? "s" : "", changes->later,
	       changes->same);
	if (changes->count == 0)
		return;
	printf("\n");
	print_moved(changes, most > 0 && most < changes->count ? most : changes->count);
	if (most > 0 && changes->count > most)
		printf("... and %zu more\n", changes->count - most);
}

/* A credential in both runs; NULL: it has no job in that one. */
struct pair {
	const struct maui_sim_figures *before, *after;
};

static const char *name_of(const struct pair *pair)
{
	return pair->before ? pair->before->name : pair->after->name;
}

static double work_of(const struct pair *pair)
{
	double before = pair->before ? pair->before->proc_seconds : 0;
	double after = pair->after ? pair->after->proc_seconds : 0;

	return before > after ? before : after;
}

static int by_work(const void *a, const void *b)
{
	double one = work_of(a), two = work_of(b);

	if (one != two)
		return one > two ? -1 : 1;
	return strcmp(name_of(a), name_of(b));
}

static const struct maui_sim_figures *find_name(const struct maui_sim_results *results, int kind,
						const char *name)
{
	for (size_t i = 0; i < results->by_count[kind]; i++)
		if (strcmp(results->by[kind][i].name, name) == 0)
			return &results->by[kind][i];
	return NULL;
}

static double share(const struct maui_sim_results *results, const struct maui_sim_figures *f)
{
	return f && results->all.proc_seconds > 0 ?
		       100 * f->proc_seconds / results->all.proc_seconds :
		       0;
}

/* The caller frees. */
static struct pair *list_pairs(const struct maui_sim_results *before,
			       const struct maui_sim_results *after, int kind, size_t *ret_count)
{
	size_t most = before->by_count[kind] + after->by_count[kind] + 1, count = 0;
	struct pair *list = maui_need_list(most, sizeof(*list));

	for (size_t i = 0; i < before->by_count[kind]; i++) {
		const struct maui_sim_figures *f = &before->by[kind][i];

		list[count++] = (struct pair){ f, find_name(after, kind, f->name) };
	}
	for (size_t i = 0; i < after->by_count[kind]; i++)
		if (!find_name(before, kind, after->by[kind][i].name))
			list[count++] = (struct pair){ .after = &after->by[kind][i] };
	if (count > 1)
		qsort(list, count, sizeof(*list), by_work);
	*ret_count = count;
	return list;
}

static void add_pair(struct maui_table *table, const struct pair *pair,
		     const struct maui_sim_results *before, const struct maui_sim_results *after)
{
	static const struct maui_sim_figures none;
	const struct maui_sim_figures *one = pair->before ? pair->before : &none;
	const struct maui_sim_figures *two = pair->after ? pair->after : &none;
	char text[6][CELL];

	snprintf(text[0], CELL, "%" PRIu64, one->jobs);
	snprintf(text[1], CELL, "%" PRIu64, two->jobs);
	snprintf(text[2], CELL, "%.0f", one->wait_mean_s);
	snprintf(text[3], CELL, "%.0f", two->wait_mean_s);
	snprintf(text[4], CELL, "%.2f", share(before, one));
	snprintf(text[5], CELL, "%.2f", share(after, two));
	maui_table_add(table, (const char *const[]){ name_of(pair), text[0], text[1], text[2],
						     text[3], text[4], text[5] });
}

/* Each figure before the change, and beside it after the change. */
static void print_kind(const struct maui_sim_results *before, const struct maui_sim_results *after,
		       int kind)
{
	const struct maui_column columns[] = {
		{ maui_cred_name((enum maui_cred_kind)kind), false },
		{ "jobs", true },
		{ "after", true },
		{ "mean wait s", true },
		{ "after", true },
		{ "share %", true },
		{ "after", true },
	};
	static const unsigned widths[] = { 16, 8, 8, 11, 11, 8, 8 };
	size_t count;
	struct pair *list = list_pairs(before, after, kind, &count);
	struct maui_table *table;

	if (count > 0) {
		table = maui_tool_table(&plain, columns, sizeof(columns) / sizeof(columns[0]));
		maui_table_widen(table, widths);
		for (size_t i = 0; i < count && i < NAMES; i++)
			add_pair(table, &list[i], before, after);
		printf("\n");
		maui_tool_print_table(&plain, table);
	}
	if (count > NAMES)
		printf("... and %zu more\n", count - NAMES);
	free(list);
}

void maui_sim_print_credentials(const struct maui_sim_outcome *before,
				const struct maui_sim_outcome *after)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		print_kind(&before->results, &after->results, k);
}

/* ---- the record ---- */

MAUI_RECORD_TYPE(maui_sim_moved, MAUI_SIM_MOVED_FIELDS);
MAUI_RECORD_TYPE(maui_sim_comparison, MAUI_SIM_COMPARISON_FIELDS);

void maui_sim_changes_record(struct maui_arena *arena, const struct maui_sim_changes *changes,
			     struct maui_sim_comparison *ret)
{
	struct maui_sim_moved *jobs =
		maui_need(maui_arena_alloc_list(arena, changes->count, sizeof(*jobs)));

	*ret = (struct maui_sim_comparison){ .earlier = (int64_t)changes->earlier,
					     .later = (int64_t)changes->later,
					     .same = (int64_t)changes->same,
					     .jobs = jobs,
					     .jobs_count = changes->count };
	for (size_t i = 0; i < changes->count; i++) {
		const struct maui_sim_change *change = &changes->list[i];
		const struct maui_sim_job *job = change->job;
		bool hidden = job->number >= MAUI_SIM_NO_NUMBER;
		char label[MAUI_SIM_LABEL_SIZE];

		jobs[i] = (struct maui_sim_moved){
			.job = hidden ? MAUI_NEVER : (int64_t)job->number,
			.label =
				maui_need(maui_arena_strdup(arena, maui_sim_job_label(job, label))),
			.user = job->cred[MAUI_CRED_USER],
			.before = change->before_s < 0 ? MAUI_NEVER : change->before_s,
			.after = change->after_s < 0 ? MAUI_NEVER : change->after_s,
		};
	}
}
