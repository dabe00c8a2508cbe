/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - answers "trial": the score of SERVERMODE TEST
 *
 * The score names jobs of all users, so administrators and operators alone get it.
 *
 * Rules: CMD-57.
 */

#include "answers/answer.h"

#include "answers/find_job.h"
#include "cycle/health.h"
#include "plan/finished.h"
#include "state/trial.h"
#include "verbs/trial.h"

/* NULL without memory. */
static const struct maui_trial_answer_sum *figures_of(const struct maui_question *q,
						      enum maui_trial_outcome outcome)
{
	const struct maui_trial_sum *sum = &q->document->trial->sums[outcome];
	struct maui_trial_answer_sum *ret = maui_question_alloc(q, 1, sizeof(*ret));

	if (ret)
		*ret = (struct maui_trial_answer_sum){
			.jobs = sum->jobs,
			.unknown = sum->unknown,
			.seconds = sum->by_s,
			.longest = sum->max_s,
		};
	return ret;
}

/* NULL without memory. */
static const struct maui_trial_answer_cause *list_causes(const struct maui_question *q,
							 const struct maui_trial_causes *causes)
{
	struct maui_trial_answer_cause *list = maui_question_alloc(q, causes->count, sizeof(*list));

	for (uint32_t i = 0; list && i < causes->count; i++)
		list[i] = (struct maui_trial_answer_cause){
			.name = causes->list[i].name,
			.jobs = causes->list[i].jobs,
			.first = causes->list[i].first_s,
			.last = causes->list[i].last_s,
		};
	return list;
}

/* As squeue names it. NULL without memory. */
static const char *label_of(const struct maui_question *q, const struct maui_trial_job *job)
{
	const struct maui_document_rsv row = { .job_id = job->job_id,
					       .array_job_id = job->array_job_id,
					       .array_task = job->array_task };
	char label[MAUI_JOB_LABEL_SIZE];

	return maui_question_copy(q, maui_active_label(&row, label));
}

/* NULL without memory. */
static const struct maui_trial_answer_job *list_jobs(const struct maui_question *q)
{
	const struct maui_trial *trial = q->document->trial;
	struct maui_trial_answer_job *list =
		maui_question_alloc(q, trial->job_count, sizeof(*list));

	for (uint32_t i = 0; list && i < trial->job_count; i++) {
		const struct maui_trial_job *job = &trial->jobs[i];
		bool later = job->outcome == MAUI_TRIAL_LATER;

		list[i] = (struct maui_trial_answer_job){
			.job = job->job_id,
			.label = label_of(q, job),
			.user = job->user,
			.outcome = later ? "later" : "sooner",
			.start = job->started_s,
			.seconds = job->by_s < 0 ? MAUI_NEVER : job->by_s,
			.cause = later ? job->cause : NULL,
		};
		if (!list[i].label)
			return NULL;
	}
	return list;
}

/* Reservations that setres made in the trial. NULL without memory. */
static const char *const *list_reservations(const struct maui_question *q, size_t *ret_count)
{
	const struct maui_plan *plan = q->document->plan;
	const char **names = maui_question_alloc(q, plan->rsv_count, sizeof(*names));

	for (uint32_t i = 0; names && i < plan->rsv_count; i++)
		if (plan->rsvs[i].trial)
			names[(*ret_count)++] = plan->rsvs[i].name;
	return names;
}

static const void *answer(const struct maui_question *q)
{
	const struct maui_document *p = q->document;
	const struct maui_trial *trial = p->trial;
	struct maui_trial_answer *ret = maui_question_alloc(q, 1, sizeof(*ret));

	if (!ret)
		return NULL;
	*ret = (struct maui_trial_answer){
		.cluster = p->cluster,
		.time = p->now_s,
		.begin = trial->began_s,
		.end = trial->ended_s ? trial->ended_s : MAUI_NEVER,
		.alone = p->health && !p->health->beside,
		.same_within = MAUI_TRIAL_SAME_S,
		.started = maui_trial_started(trial),
		.same = figures_of(q, MAUI_TRIAL_SAME),
		.sooner = figures_of(q, MAUI_TRIAL_SOONER),
		.later = figures_of(q, MAUI_TRIAL_LATER),
		.not_compared = trial->sums[MAUI_TRIAL_NOT_COMPARED].jobs,
		.refused = trial->refused,
		.waiting = trial->ahead,
		.waiting_since = trial->ahead_since_s ? trial->ahead_since_s : MAUI_NEVER,
		.causes = list_causes(q, &trial->causes),
		.causes_count = trial->causes.count,
		.refusals = list_causes(q, &trial->refusals),
		.refusals_count = trial->refusals.count,
		.jobs = list_jobs(q),
		.jobs_count = trial->job_count,
	};
	ret->reservations = list_reservations(q, &ret->reservations_count);
	if (ret->same && ret->sooner && ret->later && ret->causes && ret->refusals && ret->jobs &&
	    ret->reservations)
		return ret;
	return NULL;
}

/* Out: struct maui_trial_answer; NULL with an error: not permitted, no plan yet, no trial, no
 * memory. */
const void *maui_answer_trial(const struct maui_question *q, const void *args)
{
	const struct maui_document *p = q->document;

	(void)args;
	if (!maui_question_has_plan(q))
		return NULL;
	if (!p->trial || !p->trial->began_s)
		return maui_question_fail(q, MAUI_QUERY_NOT_FOUND,
					  "no trial here: a trial is SERVERMODE TEST beside "
					  "another SchedulerType than sched/maui");
	return answer(q);
}
