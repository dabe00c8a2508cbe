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

#include "answers/verbs.h"
#include "base/strbuf.h"
#include "cmd/diagnose/diagnose.h"
#include "cmd/rows.h"
#include "model/factor.h"

/* Maui's order of the components, and its titles. */
static const struct {
	enum maui_component component;
	const char *title;
} shown_components[] = {
	{ MAUI_COMP_CRED, "Cred" }, { MAUI_COMP_FS, "FS" },   { MAUI_COMP_SERV, "Serv" },
	{ MAUI_COMP_TARG, "Targ" }, { MAUI_COMP_RES, "Res" },
};

static const char *const titles[MAUI_FACTOR_COUNT] = {
	[MAUI_FACTOR_QUEUETIME] = "QTime",
	[MAUI_FACTOR_XFACTOR] = "XFctr",
	[MAUI_FACTOR_BYPASS] = "Bypss",
	[MAUI_FACTOR_SPVIOLATION] = "SPVio",
	[MAUI_FACTOR_TARGETQUEUETIME] = "QTime",
	[MAUI_FACTOR_TARGETXFACTOR] = "XFctr",
	[MAUI_FACTOR_USER] = "User",
	[MAUI_FACTOR_GROUP] = "Group",
	[MAUI_FACTOR_ACCOUNT] = "Accnt",
	[MAUI_FACTOR_QOS] = "QOS",
	[MAUI_FACTOR_CLASS] = "Class",
	[MAUI_FACTOR_FSUSER] = "User",
	[MAUI_FACTOR_FSGROUP] = "Group",
	[MAUI_FACTOR_FSACCOUNT] = "Accnt",
	[MAUI_FACTOR_FSQOS] = "QOS",
	[MAUI_FACTOR_FSCLASS] = "Class",
	[MAUI_FACTOR_NODE] = "Node",
	[MAUI_FACTOR_PROC] = "Proc",
	[MAUI_FACTOR_MEM] = "Mem",
	[MAUI_FACTOR_SWAP] = "Swap",
	[MAUI_FACTOR_DISK] = "Disk",
	[MAUI_FACTOR_GRES] = "GPU",
	[MAUI_FACTOR_PS] = "PS",
	[MAUI_FACTOR_PE] = "PE",
	[MAUI_FACTOR_WALLTIME] = "WallT",
	[MAUI_FACTOR_UPROC] = "UProc",
	[MAUI_FACTOR_UJOB] = "UJobs",
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

/* The jobs of the answer, and the columns of their values. SIZE_MAX: none, the value is 0. */
struct jobs {
	struct maui_cmd_rows rows;
	size_t id, priority, system, added, given;
	size_t component[MAUI_COMP_COUNT], value[MAUI_FACTOR_COUNT];
	size_t contribution[MAUI_FACTOR_COUNT];
};

struct view {
	struct jobs jobs;
	bool component[MAUI_COMP_COUNT], factor[MAUI_FACTOR_COUNT];
	int width[MAUI_FACTOR_COUNT]; /* characters of the widest number */
	struct numbers sum;           /* of absolute values, of all jobs */
	double all;                   /* of all components */
	bool system, given;           /* a job has such a priority */
};

static double number(json_object *object, const char *key)
{
	json_object *value;

	return object && json_object_object_get_ex(object, key, &value) ?
		       json_object_get_double(value) :
		       0;
}

static void read_numbers(json_object *components, json_object *factors, struct numbers *ret)
{
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		ret->component[c] = number(components, maui_component_name((enum maui_component)c));
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		ret->factor[f] = number(factors, maui_factor_name((enum maui_factor)f));
}

static struct jobs find_jobs(json_object *result)
{
	struct jobs jobs = { .rows = maui_cmd_rows(result, "jobs", "job_columns") };
	const struct maui_cmd_rows *rows = &jobs.rows;
	char name[64];

	jobs.id = maui_cmd_rows_column(rows, "id");
	jobs.priority = maui_cmd_rows_column(rows, "priority");
	jobs.system = maui_cmd_rows_column(rows, "system_priority");
	jobs.added = maui_cmd_rows_column(rows, "system_priority_added");
	jobs.given = maui_cmd_rows_column(rows, "given");
	for (int c = 0; c < MAUI_COMP_COUNT; c++) {
		snprintf(name, sizeof(name), "components.%s",
			 maui_component_name((enum maui_component)c));
		jobs.component[c] = maui_cmd_rows_column(rows, name);
	}
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
		snprintf(name, sizeof(name), "values.%s", maui_factor_name((enum maui_factor)f));
		jobs.value[f] = maui_cmd_rows_column(rows, name);
		snprintf(name, sizeof(name), "contributions.%s",
			 maui_factor_name((enum maui_factor)f));
		jobs.contribution[f] = maui_cmd_rows_column(rows, name);
	}
	return jobs;
}

/* What contributes to a job's priority. */
static void read_contributions(const struct jobs *jobs, size_t row, struct numbers *ret)
{
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		ret->component[c] = maui_cmd_rows_double(&jobs->rows, row, jobs->component[c]);
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		ret->factor[f] = maui_cmd_rows_double(&jobs->rows, row, jobs->contribution[f]);
}

/* What a job shows: of CRED the values, of other components what the factors contribute. */
static void show_values(const struct jobs *jobs, size_t row, struct numbers *n)
{
	for (int f = MAUI_FACTOR_USER; f <= MAUI_FACTOR_CLASS; f++)
		n->factor[f] = maui_cmd_rows_double(&jobs->rows, row, jobs->value[f]);
}

static bool is_given(const struct jobs *jobs, size_t row)
{
	return maui_cmd_rows_double(&jobs->rows, row, jobs->given) != 0;
}

static bool has_system_priority(const struct jobs *jobs, size_t row)
{
	return maui_cmd_rows_double(&jobs->rows, row, jobs->system) != 0 ||
	       maui_cmd_rows_double(&jobs->rows, row, jobs->added) != 0;
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
		int width = view->factor[f] ? snprintf(NULL, 0, "%.*f", decimals, n->factor[f]) : 0;

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

static void look(json_object *result, struct view *view)
{
	json_object *components = maui_cmd_member(result, "component_weights");
	json_object *factors = maui_cmd_member(result, "factor_weights"), *value;
	struct numbers n;

	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		view->component[c] = json_object_object_get_ex(
			components, maui_component_name((enum maui_component)c), &value);
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
		view->factor[f] = json_object_object_get_ex(
			factors, maui_factor_name((enum maui_factor)f), &value);
		view->width[f] = NUMBER;
	}
	read_numbers(components, factors, &n);
	widen(view, &n, 0);
	view->jobs = find_jobs(result);
	for (size_t i = 0; i < view->jobs.rows.count; i++) {
		read_contributions(&view->jobs, i, &n);
		add_up(view, &n);
		show_values(&view->jobs, i, &n);
		widen(view, &n, 1);
		view->system |= has_system_priority(&view->jobs, i);
		view->given |= is_given(&view->jobs, i);
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
		if (!view->factor[f] || maui_factor_component((enum maui_factor)f) != c)
			continue;
		if (n)
			maui_strbuf_addf(out, "%c%*.*f", sign, view->width[f], decimals,
					 n->factor[f]);
		else
			maui_strbuf_addf(out, "%c%*s", sign, view->width[f], titles[f]);
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

		if (!view->component[c])
			continue;
		snprintf(lead, sizeof(lead), "%.*f", decimals, first->component[c]);
		add_cell(&text[i], view, c, lead, n, decimals);
		cells[count++] = text[i].text ? text[i].text : "";
	}
	maui_table_add(table, cells);
	for (size_t i = 0; i < COMPONENTS; i++)
		maui_strbuf_finish(&text[i]);
}

static void add_job(struct maui_table *table, const struct view *view, size_t row)
{
	const struct jobs *jobs = &view->jobs;
	struct numbers n, shares = { 0 };
	char name[32], priority[32];
	double whole;

	read_contributions(jobs, row, &n);
	show_values(jobs, row, &n);
	whole = sum_of(&n);
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		shares.component[c] = percent(fabs(n.component[c]), whole);
	snprintf(name, sizeof(name), "%" PRId64, maui_cmd_rows_number(&jobs->rows, row, jobs->id));
	snprintf(priority, sizeof(priority), "%" PRId64 "%s",
		 maui_cmd_rows_number(&jobs->rows, row, jobs->priority),
		 is_given(jobs, row)            ? "+" :
		 has_system_priority(jobs, row) ? "*" :
						  " ");
	add_row(table, view, name, priority, &shares, &n, 1);
}

static void add_weights(struct maui_table *table, const struct view *view, json_object *result)
{
	struct numbers weights;

	read_numbers(maui_cmd_member(result, "component_weights"),
		     maui_cmd_member(result, "factor_weights"), &weights);
	add_row(table, view, "Weights", "--------", &weights, &weights, 0);
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

static void print_text(const struct maui_cmd_common *common, struct maui_table *table,
		       const struct view *view, json_object *result)
{
	char *text;

	if (maui_cmd_rows_only(common)) {
		maui_cmd_print_table(common, table);
		return;
	}
	add_contributions(table, view);
	text = maui_table_text(table, false, maui_cmd_color());
	printf("diagnosing job priority information (partition: ALL)\n\n");
	if (text)
		print_lines(text, view->jobs.rows.count);
	if (view->system || view->given)
		printf("\n");
	if (view->system)
		printf("* indicates system prio set on job\n");
	if (view->given)
		printf("+ the priority was set directly, with scontrol or by another plugin\n");
	maui_diagnose_print_warnings(result);
	maui_diagnose_print_refused(result);
	free(text);
	maui_table_destroy(table);
}

static int print_priorities(const struct maui_cmd_common *common, json_object *result)
{
	struct maui_column columns[COLUMNS] = { { "Job", false }, { "PRIORITY*", true } };
	struct maui_strbuf heads[COMPONENTS] = { { 0 } };
	struct view view = { 0 };
	struct maui_table *table;
	size_t count = 2;

	look(result, &view);
	for (size_t i = 0; i < COMPONENTS; i++) {
		enum maui_component c = shown_components[i].component;

		if (!view.component[c])
			continue;
		add_cell(&heads[i], &view, c, shown_components[i].title, NULL, 0);
		columns[count++] = (struct maui_column){ heads[i].text ? heads[i].text : "", true };
	}
	table = maui_cmd_table(common, columns, count);
	if (table) {
		if (!maui_cmd_rows_only(common))
			add_weights(table, &view, result);
		for (size_t i = 0; i < view.jobs.rows.count; i++)
			add_job(table, &view, i);
		print_text(common, table, &view, result);
	}
	for (size_t i = 0; i < COMPONENTS; i++)
		maui_strbuf_finish(&heads[i]);
	return table ? MAUI_EXIT_OK : MAUI_EXIT_USAGE;
}

int maui_diagnose_priorities(const struct maui_cmd_common *common, const char *name)
{
	json_object *args = json_object_new_object(), *result;
	int rc;

	if (name && maui_diagnose_put_job(common, args, name))
		return MAUI_EXIT_USAGE;
	result = maui_cmd_ask(common, MAUI_VERB_PRIORITIES, args, &rc);
	if (!result)
		return rc;
	if (common->json) {
		maui_cmd_rows_expand(result, "jobs", "job_columns");
		maui_cmd_print_json(common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_priorities(common, result);
	json_object_put(result);
	return rc;
}
