/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities.c - answers "priorities": the priority of each job of the queue, with every
 * contribution to it
 *
 * In: the finished plan. Out: the published number, which squeue shows; each factor's value after
 * its cap; what factors and components contribute. Only factors that some job's weights use appear.
 *
 * Rules: CMD-30.
 */

#include "answers/answer.h"

#include "answers/config_warnings.h"
#include "answers/refused.h"
#include "base/limits.h"
#include "config/config.h"
#include "plan/finished.h"
#include "verbs/priorities.h"

/* The factors that any job or partition gives a weight, and the components of these. */
struct shown {
	bool factor[MAUI_FACTOR_COUNT];
	bool component[MAUI_COMP_COUNT];
	size_t factor_count, component_count;
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

static void find_shown(const struct maui_plan *plan, const struct ranked *list, size_t count,
		       struct shown *ret)
{
	*ret = (struct shown){ 0 };
	show_weighted(ret, &plan->config->priority, plan->config->priority.weight);
	for (size_t i = 0; i < count; i++)
		show_weighted(ret, list[i].weights, list[i].priority.weight);
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		ret->factor_count += ret->factor[f];
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		ret->component_count += ret->component[c];
}

/* ---- weights ---- */

static const struct maui_pair *list_component_weights(const struct maui_question *q,
						      const struct shown *shown)
{
	const double *weights = q->document->plan->config->priority.component_weight;
	struct maui_pair *list = maui_question_alloc(q, shown->component_count, sizeof(*list));
	size_t count = 0;

	for (int c = 0; list && c < MAUI_COMP_COUNT; c++)
		if (shown->component[c])
			list[count++] =
				(struct maui_pair){ maui_component_name((enum maui_component)c),
						    weights[c] };
	return list;
}

static const struct maui_pair *list_factor_weights(const struct maui_question *q,
						   const struct shown *shown)
{
	const double *weights = q->document->plan->config->priority.weight;
	struct maui_pair *list = maui_question_alloc(q, shown->factor_count, sizeof(*list));
	size_t count = 0;

	for (int f = 0; list && f < MAUI_FACTOR_COUNT; f++)
		if (shown->factor[f])
			list[count++] = (struct maui_pair){ maui_factor_name((enum maui_factor)f),
							    weights[f] };
	return list;
}

/* ---- jobs ---- */

static void rank(const struct maui_plan *plan, uint32_t job, struct ranked *ret)
{
	uint32_t creds = maui_plan_row(plan, job)->creds;

	ret->job = job;
	ret->weights = maui_config_priority(plan->config,
					    plan->snapshot->creds[creds].cred[MAUI_CRED_CLASS]);
	maui_plan_job_priority(plan, job, &ret->priority);
}

/* The jobs that wait in the queue and that the user may see, or the one job that is asked for.
 * NULL without memory, with the error. */
static uint32_t *find_jobs(const struct maui_question *q, int64_t id, size_t *ret_count)
{
	const struct maui_document *p = q->document;
	const struct maui_plan *plan = p->plan;
	const struct maui_snapshot *s = plan->snapshot;
	uint32_t *list = maui_question_alloc(q, s->idle_count, sizeof(*list));

	*ret_count = 0;
	for (uint32_t j = 0; list && id > 0 && j < s->idle_count; j++)
		if ((int64_t)s->idle[j].id == id && maui_document_shows_idle(p, j, q->uid))
			list[(*ret_count)++] = j;
	for (uint32_t j = plan->first_job; list && id <= 0 && j != UINT32_MAX;
	     j = plan->jobs[j].next)
		if (plan->decisions.verdicts[j].started < s->idle[j].copies &&
		    maui_document_shows_idle(p, j, q->uid))
			list[(*ret_count)++] = j;
	return list;
}

/* The same with their priorities. NULL with the error: also when there are too many jobs, or not
 * the one that is asked for. */
static struct ranked *rank_jobs(const struct maui_question *q, int64_t id, size_t *ret_count)
{
	uint32_t *jobs = find_jobs(q, id, ret_count);
	struct ranked *list;

	if (!jobs)
		return NULL;
	if (*ret_count > MAUI_QUERY_MAX_ROWS) {
		maui_question_too_many(q, MAUI_QUERY_MAX_ROWS, "jobs", "name one, or see showq -i");
		return NULL;
	}
	if (id > 0 && *ret_count == 0) {
		maui_question_fail(q, MAUI_QUERY_NOT_FOUND, "no job %lld is waiting",
				   (long long)id);
		return NULL;
	}
	list = maui_question_alloc(q, *ret_count, sizeof(*list));
	for (size_t i = 0; list && i < *ret_count; i++)
		rank(q->document->plan, jobs[i], &list[i]);
	return list;
}

/* Those that are shown, one behind the other. */
static void pick(const double *numbers, const bool *shown, int count, double *ret)
{
	for (int i = 0; i < count; i++)
		if (shown[i])
			*ret++ = numbers[i];
}

/* numbers: room for those of the job. */
static void fill_job(const struct maui_plan *plan, const struct ranked *r,
		     const struct shown *shown, double *numbers, struct maui_priorities_job *ret)
{
	const struct maui_idle *idle = &plan->snapshot->idle[r->job];
	const struct maui_row *row = maui_plan_row(plan, r->job);
	const char *const *cred = plan->snapshot->creds[row->creds].cred;
	double *values = numbers + shown->component_count;
	double *contributions = values + shown->factor_count;
	double all[MAUI_FACTOR_COUNT];

	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		all[f] = r->priority.factor[f] * weight_of(r->weights, r->priority.weight, f);
	pick(r->priority.component, shown->component, MAUI_COMP_COUNT, numbers);
	pick(r->priority.factor, shown->factor, MAUI_FACTOR_COUNT, values);
	pick(all, shown->factor, MAUI_FACTOR_COUNT, contributions);
	*ret = (struct maui_priorities_job){
		.id = (int64_t)idle->id,
		.user = cred[MAUI_CRED_USER],
		.partition = cred[MAUI_CRED_CLASS],
		.priority = plan->decisions.verdicts[r->job].published,
		.system_priority = idle->job.system_priority,
		.system_priority_added = idle->job.system_priority_relative,
		.given = idle->priority_given,
		.nice = idle->nice,
		.components = numbers,
		.components_count = shown->component_count,
		.values = values,
		.values_count = shown->factor_count,
		.contributions = contributions,
		.contributions_count = shown->factor_count,
	};
}

static const struct maui_priorities_job *list_jobs(const struct maui_question *q,
						   const struct ranked *ranked, size_t count,
						   const struct shown *shown)
{
	size_t each = shown->component_count + 2 * shown->factor_count;
	struct maui_priorities_job *list = maui_question_alloc(q, count, sizeof(*list));
	double *numbers = maui_question_alloc(q, count * each, sizeof(*numbers));

	if (!list || !numbers)
		return NULL;
	for (size_t i = 0; i < count; i++)
		fill_job(q->document->plan, &ranked[i], shown, numbers + i * each, &list[i]);
	return list;
}

/* ---- the answer ---- */

/* In and out: verbs/priorities.h. The queue in its order, as far as the user may see it, or one
 * waiting job, in the queue or not. NULL with the error: no plan yet, no such job, more jobs than
 * an answer may have, no memory. */
const void *maui_answer_priorities(const struct maui_question *q, const void *record)
{
	const struct maui_priorities_args *args = record;
	struct maui_priorities *ret = maui_question_alloc(q, 1, sizeof(*ret));
	struct ranked *ranked;
	struct shown shown;
	size_t count;

	if (!ret || !maui_question_has_plan(q))
		return NULL;
	ranked = rank_jobs(q, args->job, &count);
	if (!ranked)
		return NULL;
	find_shown(q->document->plan, ranked, count, &shown);
	*ret = (struct maui_priorities){
		.cluster = q->document->cluster,
		.time = q->document->plan->now_s,
		.component_weights = list_component_weights(q, &shown),
		.component_weights_count = shown.component_count,
		.factor_weights = list_factor_weights(q, &shown),
		.factor_weights_count = shown.factor_count,
		.job_columns = maui_priorities_job_type.count,
		.jobs = list_jobs(q, ranked, count, &shown),
		.jobs_count = count,
	};
	if (!ret->component_weights || !ret->factor_weights || !ret->jobs ||
	    maui_config_warnings_list(q, 0, true, &ret->warnings, &ret->warnings_count) ||
	    maui_refused_get(q, &ret->refused))
		return NULL;
	return ret;
}
