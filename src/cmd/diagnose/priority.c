/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.c - diagnose -p: what makes the priority of each job of the queue, as Maui showed it
 *
 * A column for each component with a weight: its percentage of the job's priority, and in
 * parentheses what each factor contributes, of CRED its value. All by absolute values. The weights
 * stand above the jobs, the percentages of the whole queue below.
 *
 * Rules: CMD-30.
 */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "base/strbuf.h"
#include "cmd/diagnose/diagnose.h"
#include "model/factor.h"
#include "verbs/priorities.h"

/* Maui's order of the components, and its titles. */
static const struct {
	enum maui_component component;
	const char *title;
} shown_components[] = {
	{ MAUI_COMP_CRED, "Cred" }, { MAUI_COMP_FS, "FS" },   { MAUI_COMP_SERV, "Serv" },
	{ MAUI_COMP_TARG, "Targ" }, { MAUI_COMP_RES, "Res" },
};

enum {
	COMPONENTS = sizeof(shown_components) / sizeof(shown_components[0]),
	COLUMNS = 2 + COMPONENTS,
	NUMBER = 5, /* characters of a number at least */
};

/* A number for each component and each factor. */
struct numbers {
	double component[MAUI_COMP_COUNT], factor[MAUI_FACTOR_COUNT];
};

struct view {
	const struct maui_priorities *answer;
	/* where the numbers of the jobs' lists are; SIZE_MAX: not shown, they are 0 */
	size_t component_at[MAUI_COMP_COUNT], factor_at[MAUI_FACTOR_COUNT];
	struct numbers weights;
	int width[MAUI_FACTOR_COUNT]; /* characters of the widest number */
	struct numbers sum;           /* of absolute values, of all jobs */
	double all;                   /* of all components */
	bool system, given;           /* a job has such a priority */
};

/* The place of a name; SIZE_MAX: it has none. */
static size_t find_weight(const struct maui_pair *weights, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(weights[i].key, name) == 0)
			return i;
	return SIZE_MAX;
}

static void find_weights(const struct maui_priorities *answer, struct view *view)
{
	for (int c = 0; c < MAUI_COMP_COUNT; c++) {
		size_t at = find_weight(answer->component_weights, answer->component_weights_count,
					maui_component_name((enum maui_component)c));

		view->component_at[c] = at;
		view->weights.component[c] =
			at == SIZE_MAX ? 0 : answer->component_weights[at].value;
	}
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
		size_t at = find_weight(answer->factor_weights, answer->factor_weights_count,
					maui_factor_name((enum maui_factor)f));

		view->factor_at[f] = at;
		view->weights.factor[f] = at == SIZE_MAX ? 0 : answer->factor_weights[at].value;
		view->width[f] = NUMBER;
	}
}

static double number_at(const double *list, size_t count, size_t at)
{
	return at < count ? list[at] : 0;
}

/* What contributes to a job's priority. */
static void read_contributions(const struct view *view, const struct maui_priorities_job *job,
			       struct numbers *ret)
{
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		ret->component[c] =
			number_at(job->components, job->components_count, view->component_at[c]);
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		ret->factor[f] =
			number_at(job->contributions, job->contributions_count, view->factor_at[f]);
}

/* What a job shows: of CRED the values, of other components what the factors contribute. */
static void show_values(const struct view *view, const struct maui_priorities_job *job,
			struct numbers *n)
{
	for (int f = MAUI_FACTOR_USER; f <= MAUI_FACTOR_CLASS; f++)
		n->factor[f] = number_at(job->values, job->values_count, view->factor_at[f]);
}

static bool has_system_priority(const struct maui_priorities_job *job)
{
	return job->system_priority != 0 || job->system_priority_added != 0;
}

static double sum_of(const struct numbers *n)
{
	double sum = 0;

	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		sum += fabs(n->component[c]);
	return sum;
}

static void widen(struct view *view, const struct numbers *n, int decimals)
{
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
		int width = view->factor_at[f] != SIZE_MAX ?
				    snprintf(NULL, 0, "%.*f", decimals, n->factor[f]) :
				    0;

		view->width[f] = width > view->width[f] ? width : view->width[f];
	}
}

/* The sums by which contributions to the whole queue are measured. */
static void add_up(struct view *view, const struct numbers *n)
{
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		view->sum.component[c] += fabs(n->component[c]);
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		view->sum.factor[f] += fabs(n->factor[f]);
	view->all += sum_of(n);
}

static void look(const struct maui_priorities *answer, struct view *view)
{
	struct numbers n;

	view->answer = answer;
	find_weights(answer, view);
	widen(view, &view->weights, 0);
	for (size_t i = 0; i < answer->jobs_count; i++) {
		const struct maui_priorities_job *job = &answer->jobs[i];

		read_contributions(view, job, &n);
		add_up(view, &n);
		show_values(view, job, &n);
		widen(view, &n, 1);
		view->system |= has_system_priority(job);
		view->given |= job->given;
	}
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* "92.2(100.0:  0.0)". n NULL: the titles of the factors instead of numbers. */
static void add_cell(struct maui_strbuf *out, const struct view *view, enum maui_component c,
		     const char *first, const struct numbers *n, int decimals)
{
	char sign = '(';

	maui_strbuf_addf(out, "%s", first);
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
		if (view->factor_at[f] == SIZE_MAX ||
		    maui_factor_component((enum maui_factor)f) != c)
			continue;
		if (n)
			maui_strbuf_addf(out, "%c%*.*f", sign, view->width[f], decimals,
					 n->factor[f]);
		else
			maui_strbuf_addf(out, "%c%*s", sign, view->width[f],
					 maui_factor_title((enum maui_factor)f));
		sign = ':';
	}
	maui_strbuf_addf(out, ")");
}

/* A row: two cells, and a number before each component's factors. */
static void add_row(struct maui_table *table, const struct view *view, const char *name,
		    const char *priority, const struct numbers *first, const struct numbers *n,
		    int decimals)
{
	struct maui_strbuf text[COMPONENTS] = { { 0 } };
	const char *cells[COLUMNS] = { name, priority };
	size_t count = 2;

	for (size_t i = 0; i < COMPONENTS; i++) {
		enum maui_component c = shown_components[i].component;
		char lead[64];

		if (view->component_at[c] == SIZE_MAX)
			continue;
		snprintf(lead, sizeof(lead), "%.*f", decimals, first->component[c]);
		add_cell(&text[i], view, c, lead, n, decimals);
		cells[count++] = text[i].text ? text[i].text : "";
	}
	maui_table_add(table, cells);
	for (size_t i = 0; i < COMPONENTS; i++)
		maui_strbuf_finish(&text[i]);
}

static void add_job(struct maui_table *table, const struct view *view,
		    const struct maui_priorities_job *job)
{
	struct numbers n, shares = { 0 };
	char name[32], priority[32];
	double whole;

	read_contributions(view, job, &n);
	show_values(view, job, &n);
	whole = sum_of(&n);
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		shares.component[c] = percent(fabs(n.component[c]), whole);
	snprintf(name, sizeof(name), "%" PRId64, job->id);
	snprintf(priority, sizeof(priority), "%" PRId64 "%s", job->priority,
		 job->given               ? "+" :
		 has_system_priority(job) ? "*" :
					    " ");
	add_row(table, view, name, priority, &shares, &n, 1);
}

static void add_contributions(struct maui_table *table, const struct view *view)
{
	struct numbers shares;

	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		shares.component[c] = percent(view->sum.component[c], view->all);
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		shares.factor[f] = percent(view->sum.factor[f], view->all);
	add_row(table, view, "Percent", "Contribution", &shares, &shares, 1);
}

/* The table's lines: titles and weights, jobs, contributions, with blank lines between them. */
static void print_lines(char *text, size_t jobs)
{
	char *rest = text, *line;

	for (size_t at = 0; (line = strsep(&rest, "\n")) && *line; at++) {
		if (at == 2 || (at == 2 + jobs && jobs > 0))
			printf("\n");
		printf("%s\n", line);
	}
}

static void print_text(const struct maui_tool_common *common, struct maui_table *table,
		       const struct view *view)
{
	char *text;

	if (maui_tool_rows_only(common)) {
		maui_tool_print_table(common, table);
		return;
	}
	add_contributions(table, view);
	text = maui_table_text(table, false, maui_tool_color());
	printf("diagnosing job priority information (partition: ALL)\n\n");
	if (text)
		print_lines(text, view->answer->jobs_count);
	if (view->system || view->given)
		printf("\n");
	if (view->system)
		printf("* indicates system prio set on job\n");
	if (view->given)
		printf("+ the priority was set directly, with scontrol or by another plugin\n");
	maui_diagnose_show_warnings(view->answer->warnings, view->answer->warnings_count);
	maui_diagnose_show_refused(view->answer->refused, view->answer->time);
	free(text);
	maui_table_destroy(table);
}

static int print_priorities(const struct maui_tool_common *common,
			    const struct maui_priorities *answer)
{
	struct maui_column columns[COLUMNS] = { { "Job", false }, { "PRIORITY*", true } };
	struct maui_strbuf heads[COMPONENTS] = { { 0 } };
	struct view view = { 0 };
	struct maui_table *table;
	size_t count = 2;

	look(answer, &view);
	for (size_t i = 0; i < COMPONENTS; i++) {
		enum maui_component c = shown_components[i].component;

		if (view.component_at[c] == SIZE_MAX)
			continue;
		add_cell(&heads[i], &view, c, shown_components[i].title, NULL, 0);
		columns[count++] = (struct maui_column){ heads[i].text ? heads[i].text : "", true };
	}
	table = maui_tool_table(common, columns, count);
	if (table) {
		if (!maui_tool_rows_only(common))
			add_row(table, &view, "Weights", "--------", &view.weights, &view.weights,
				0);
		for (size_t i = 0; i < answer->jobs_count; i++)
			add_job(table, &view, &answer->jobs[i]);
		print_text(common, table, &view);
	}
	for (size_t i = 0; i < COMPONENTS; i++)
		maui_strbuf_finish(&heads[i]);
	return table ? MAUI_EXIT_OK : MAUI_EXIT_USAGE;
}

/* ---- JSON ---- */

/* The long answer has the names of its values only once: here each job is an object, and so are
 * its numbers. */
#define SHOWN_JOB_FIELDS(F, R)                                        \
	MAUI_PRIORITIES_RANK_FIELDS(F, R)                             \
	F(R, MAYBE_MAP, components, "by the names of the components") \
	F(R, MAYBE_MAP, values, "by the names of the factors")        \
	F(R, MAYBE_MAP, contributions, "by the names of the factors")
MAUI_RECORD(maui_shown_priority, SHOWN_JOB_FIELDS);
MAUI_RECORD_TYPE(maui_shown_priority, SHOWN_JOB_FIELDS);

#define SHOWN_FIELDS(F, R) F(R, LIST, jobs, "by rank", maui_shown_priority)
MAUI_RECORD(maui_shown_priorities, SHOWN_FIELDS);
MAUI_RECORD_TYPE(maui_shown_priorities, SHOWN_FIELDS);

/* The numbers by the names of the weights in whose order they are; none: NULL. */
static const struct maui_pair *by_name(struct maui_arena *arena, const struct maui_pair *weights,
				       size_t weight_count, const double *numbers, size_t count,
				       size_t *ret_count)
{
	struct maui_pair *pairs;

	*ret_count = count < weight_count ? count : weight_count;
	if (count == 0)
		return NULL;
	pairs = maui_need(maui_arena_alloc_list(arena, *ret_count, sizeof(*pairs)));
	for (size_t i = 0; i < *ret_count; i++)
		pairs[i] = (struct maui_pair){ weights[i].key, numbers[i] };
	return pairs;
}

#define SAME(job, kind, name, ...) .name = (job)->name,

static void fill_shown(struct maui_arena *arena, const struct maui_priorities *answer,
		       const struct maui_priorities_job *job, struct maui_shown_priority *ret)
{
	*ret = (struct maui_shown_priority){ MAUI_PRIORITIES_RANK_FIELDS(SAME, job) };
	ret->components = by_name(arena, answer->component_weights, answer->component_weights_count,
				  job->components, job->components_count, &ret->components_count);
	ret->values = by_name(arena, answer->factor_weights, answer->factor_weights_count,
			      job->values, job->values_count, &ret->values_count);
	ret->contributions =
		by_name(arena, answer->factor_weights, answer->factor_weights_count,
			job->contributions, job->contributions_count, &ret->contributions_count);
}

static void print_json(const struct maui_tool_common *common, struct maui_cmd_answer *answer)
{
	const struct maui_priorities *record = answer->record;
	struct maui_shown_priority *jobs =
		maui_need(maui_arena_alloc_list(&answer->arena, record->jobs_count, sizeof(*jobs)));
	const struct maui_shown_priorities shown = { .jobs = jobs,
						     .jobs_count = record->jobs_count };

	for (size_t i = 0; i < record->jobs_count; i++)
		fill_shown(&answer->arena, record, &record->jobs[i], &jobs[i]);
	maui_cmd_answer_print_changed(common, answer, "job_columns", &maui_shown_priorities_type,
				      &shown);
}

int maui_diagnose_priorities(const struct maui_tool_common *common, const char *name)
{
	struct maui_priorities_args args = { 0 };
	struct maui_cmd_answer answer;
	int rc = name ? maui_diagnose_read_job(common, name, &args.job) : MAUI_EXIT_OK;

	if (rc == MAUI_EXIT_OK)
		rc = maui_cmd_ask_verb(common, &maui_verb_priorities, &args, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	if (common->json)
		print_json(common, &answer);
	else
		rc = print_priorities(common, answer.record);
	maui_cmd_answer_finish(&answer);
	return rc;
}
