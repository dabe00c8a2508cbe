/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities_json.c - the priority of each job of the queue, with every contribution to it
 *
 * In: the finished plan. Out: the published number, which squeue shows; each factor's value after
 * its cap; what factors and components contribute. Only factors that some job's weights use appear.
 *
 * Rules: CMD-30.
 */

#include "answers/priorities_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "answers/config_json.h"
#include "answers/json_rows.h"
#include "base/limits.h"
#include "config/config.h"
#include "plan/finished.h"

/* The factors that any job or partition gives a weight, and the components of these. */
struct shown {
	bool factor[MAUI_FACTOR_COUNT];
	bool component[MAUI_COMP_COUNT];
};

/* A job of the answer. */
struct ranked {
	uint32_t job;
	struct maui_priority priority;
	const struct maui_priority_config *weights;
};

static double weight_of(const struct maui_priority_config *weights, const double *weight, int f)
{
	return weights->component_weight[maui_factor_component((enum maui_factor)f)] * weight[f];
}

/* USAGE is 0 for jobs that wait. */
static void show_weighted(struct shown *shown, const struct maui_priority_config *weights,
			  const double *weight)
{
	for (int f = 0; f < MAUI_FACTOR_USAGECONSUMED; f++)
		if (weight_of(weights, weight, f) != 0)
			shown->factor[f] =
				shown->component[maui_factor_component((enum maui_factor)f)] = true;
}

static void put_weights(struct maui_object *o, const struct maui_priority_config *weights,
			const struct shown *shown)
{
	struct maui_object components = maui_object_make(), factors = maui_object_make();

	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		if (shown->component[c])
			maui_object_put(&components, maui_component_name((enum maui_component)c),
					json_object_new_double(weights->component_weight[c]));
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		if (shown->factor[f])
			maui_object_put(&factors, maui_factor_name((enum maui_factor)f),
					json_object_new_double(weights->weight[f]));
	maui_object_put(o, "component_weights", maui_object_finish(&components));
	maui_object_put(o, "factor_weights", maui_object_finish(&factors));
}

/* Numbers of the components or the factors that are shown. */
static void add_numbers(struct maui_json_rows *rows, const double *numbers, const bool *shown,
			int count)
{
	for (int i = 0; i < count; i++)
		if (shown[i])
			maui_json_rows_real(rows, numbers[i]);
}

static void add_job(struct maui_json_rows *rows, const struct maui_plan *plan,
		    const struct ranked *r, const struct shown *shown)
{
	const struct maui_idle *idle = &plan->snapshot->idle[r->job];
	const struct maui_row *row = &idle->rows[plan->jobs[r->job].row];
	const char *const *cred = plan->snapshot->creds[row->creds].cred;
	double contributions[MAUI_FACTOR_COUNT];

	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		contributions[f] =
			r->priority.factor[f] * weight_of(r->weights, r->priority.weight, f);
	maui_json_rows_begin(rows);
	maui_json_rows_number(rows, (int64_t)idle->id);
	maui_json_rows_text(rows, cred[MAUI_CRED_USER]);
	maui_json_rows_text(rows, cred[MAUI_CRED_CLASS]);
	maui_json_rows_number(rows, plan->decisions.verdicts[r->job].published);
	maui_json_rows_number(rows, idle->job.system_priority);
	maui_json_rows_number(rows, idle->job.system_priority_relative);
	maui_json_rows_bool(rows, idle->priority_given);
	maui_json_rows_number(rows, idle->nice);
	add_numbers(rows, r->priority.component, shown->component, MAUI_COMP_COUNT);
	add_numbers(rows, r->priority.factor, shown->factor, MAUI_FACTOR_COUNT);
	add_numbers(rows, contributions, shown->factor, MAUI_FACTOR_COUNT);
	maui_json_rows_end(rows);
}

static void add_name(json_object *names, const char *group, const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s", group, name);
	json_object_array_add(names, json_object_new_string(text));
}

/* The names of the values of a row, in the order of add_job(). */
static json_object *columns_json(const struct shown *shown)
{
	static const char *const columns[] = {
		"id",
		"user",
		"partition",
		"priority",
		"system_priority",
		"system_priority_added",
		"given",
		"nice",
	};
	json_object *names = json_object_new_array();

	for (size_t i = 0; names && i < sizeof(columns) / sizeof(columns[0]); i++)
		add_name(names, "", columns[i]);
	for (int c = 0; names && c < MAUI_COMP_COUNT; c++)
		if (shown->component[c])
			add_name(names, "components.", maui_component_name((enum maui_component)c));
	for (int f = 0; names && f < MAUI_FACTOR_COUNT; f++)
		if (shown->factor[f])
			add_name(names, "values.", maui_factor_name((enum maui_factor)f));
	for (int f = 0; names && f < MAUI_FACTOR_COUNT; f++)
		if (shown->factor[f])
			add_name(names, "contributions.", maui_factor_name((enum maui_factor)f));
	return names;
}

static void rank(const struct maui_plan *plan, uint32_t job, struct ranked *ret)
{
	const struct maui_idle *idle = &plan->snapshot->idle[job];
	uint32_t creds = idle->rows[plan->jobs[job].row].creds;

	ret->job = job;
	ret->weights = maui_config_priority(plan->config,
					    plan->snapshot->creds[creds].cred[MAUI_CRED_CLASS]);
	maui_plan_job_priority(plan, job, &ret->priority);
}

/* The jobs that wait in the queue and that the user may see, or the one job that is asked for. */
static struct ranked *list_jobs(const struct maui_document *p, int64_t id, uid_t uid,
				size_t *ret_count)
{
	const struct maui_plan *plan = p->plan;
	uint32_t all = plan->snapshot->idle_count;
	struct ranked *list = calloc(all + 1u, sizeof(*list));

	*ret_count = 0;
	for (uint32_t j = 0; list && id > 0 && j < all; j++)
		if ((int64_t)plan->snapshot->idle[j].id == id &&
		    maui_document_shows_idle(p, j, uid))
			rank(plan, j, &list[(*ret_count)++]);
	for (uint32_t j = plan->first_job; list && id <= 0 && j != UINT32_MAX;
	     j = plan->jobs[j].next)
		if (plan->decisions.verdicts[j].started < plan->snapshot->idle[j].copies &&
		    maui_document_shows_idle(p, j, uid))
			rank(plan, j, &list[(*ret_count)++]);
	return list;
}

static void put_jobs(struct maui_object *o, const struct maui_plan *plan, const struct ranked *list,
		     size_t count)
{
	struct maui_json_rows rows = { 0 };
	struct shown shown = { 0 };

	show_weighted(&shown, &plan->config->priority, plan->config->priority.weight);
	for (size_t i = 0; i < count; i++)
		show_weighted(&shown, list[i].weights, list[i].priority.weight);
	put_weights(o, &plan->config->priority, &shown);
	for (size_t i = 0; i < count; i++)
		add_job(&rows, plan, &list[i], &shown);
	maui_object_put(o, "job_columns", columns_json(&shown));
	maui_object_put(o, "jobs", maui_json_rows_finish(&rows));
}

json_object *maui_priorities_json(const struct maui_document *p, int64_t id, uid_t uid,
				  struct maui_query_error *error)
{
	struct maui_object o;
	struct ranked *list;
	size_t count;

	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	list = list_jobs(p, id, uid, &count);
	if (list && count > MAUI_QUERY_MAX_ROWS) {
		free(list);
		maui_query_fail(error, MAUI_QUERY_ERROR,
				"%zu jobs, and at most %d are listed: name one, or see showq -i",
				count, MAUI_QUERY_MAX_ROWS);
		return NULL;
	}
	if (list && id > 0 && count == 0) {
		free(list);
		maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no job %lld is waiting",
				(long long)id);
		return NULL;
	}
	o = maui_object_make();
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", p->plan->now_s);
	o.failed |= !list;
	if (list)
		put_jobs(&o, p->plan, list, count);
	free(list);
	maui_object_put(&o, "warnings", maui_config_warnings(p, 0, true, uid));
	maui_config_put_refused(&o, p, uid);
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
