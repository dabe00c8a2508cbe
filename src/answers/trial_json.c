/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial_json.c - the score of a trial as JSON */

#include "answers/trial_json.h"

#include "answers/find_job.h"
#include "answers/object.h"
#include "cycle/health.h"
#include "plan/finished.h"
#include "state/trial.h"

static void put_sum(struct maui_object *o, const char *key, const struct maui_trial_sum *sum)
{
	struct maui_object one = maui_object_make();

	maui_object_put_number(&one, "jobs", sum->jobs);
	maui_object_put_number(&one, "unknown", sum->unknown);
	maui_object_put_number(&one, "seconds", sum->by_s);
	maui_object_put_number(&one, "longest", sum->max_s);
	maui_object_put(o, key, maui_object_finish(&one));
}

static void put_causes(struct maui_object *o, const char *key,
		       const struct maui_trial_causes *causes)
{
	json_object *list = json_object_new_array();

	for (uint32_t i = 0; list && i < causes->count; i++) {
		struct maui_object one = maui_object_make();

		maui_object_put_text(&one, "name", causes->list[i].name);
		maui_object_put_number(&one, "jobs", causes->list[i].jobs);
		maui_object_put_number(&one, "first", causes->list[i].first_s);
		maui_object_put_number(&one, "last", causes->list[i].last_s);
		maui_object_append(o, list, maui_object_finish(&one));
	}
	maui_object_put(o, key, list);
}

static json_object *job_json(const struct maui_trial_job *job)
{
	struct maui_object o = maui_object_make();
	bool later = job->outcome == MAUI_TRIAL_LATER;
	const struct maui_document_rsv row = { .job_id = job->job_id,
					       .array_job_id = job->array_job_id,
					       .array_task = job->array_task };
	char label[MAUI_JOB_LABEL_SIZE];

	maui_object_put_number(&o, "job", job->job_id);
	maui_object_put_text(&o, "label", maui_active_label(&row, label));
	maui_object_put_text(&o, "user", job->user);
	maui_object_put_text(&o, "outcome", later ? "later" : "sooner");
	maui_object_put_number(&o, "start", job->started_s);
	maui_object_put_time(&o, "seconds", job->by_s < 0 ? MAUI_NEVER : job->by_s);
	maui_object_put_text(&o, "cause", later ? job->cause : NULL);
	return maui_object_finish(&o);
}

static void put_jobs(struct maui_object *o, const struct maui_trial *trial)
{
	json_object *list = json_object_new_array();

	for (uint32_t i = 0; list && i < trial->job_count; i++)
		maui_object_append(o, list, job_json(&trial->jobs[i]));
	maui_object_put(o, "jobs", list);
}

/* Reservations that setres made in the trial. */
static void put_rsvs(struct maui_object *o, const struct maui_plan *plan)
{
	json_object *list = json_object_new_array();

	for (uint32_t i = 0; list && i < plan->rsv_count; i++)
		if (plan->rsvs[i].trial)
			maui_object_append(o, list, json_object_new_string(plan->rsvs[i].name));
	maui_object_put(o, "reservations", list);
}

static void put_trial(struct maui_object *o, const struct maui_document *p)
{
	const struct maui_trial *trial = p->trial;

	maui_object_put_text(o, "cluster", p->cluster);
	maui_object_put_number(o, "time", p->now_s);
	maui_object_put_number(o, "begin", trial->began_s);
	maui_object_put_time(o, "end", trial->ended_s ? trial->ended_s : MAUI_NEVER);
	maui_object_put(o, "alone", json_object_new_boolean(p->health && !p->health->beside));
	maui_object_put_number(o, "same_within", MAUI_TRIAL_SAME_S);
	maui_object_put_number(o, "started", maui_trial_started(trial));
	put_sum(o, "same", &trial->sums[MAUI_TRIAL_SAME]);
	put_sum(o, "sooner", &trial->sums[MAUI_TRIAL_SOONER]);
	put_sum(o, "later", &trial->sums[MAUI_TRIAL_LATER]);
	maui_object_put_number(o, "not_compared", trial->sums[MAUI_TRIAL_NOT_COMPARED].jobs);
	maui_object_put_number(o, "refused", trial->refused);
	maui_object_put_number(o, "waiting", trial->ahead);
	maui_object_put_time(o, "waiting_since",
			     trial->ahead_since_s ? trial->ahead_since_s : MAUI_NEVER);
	put_causes(o, "causes", &trial->causes);
	put_causes(o, "refusals", &trial->refusals);
	put_jobs(o, trial);
	put_rsvs(o, p->plan);
}

json_object *maui_trial_json(const struct maui_document *p, uid_t uid,
			     struct maui_query_error *error)
{
	struct maui_object o;

	if (!maui_document_sees_all(p, uid)) {
		maui_query_fail(error, MAUI_QUERY_DENIED,
				"not permitted: the score of a trial is for administrators of "
				"maui.cfg and Slurm's operators");
		return NULL;
	}
	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	if (!p->trial || !p->trial->began_s) {
		maui_query_fail(error, MAUI_QUERY_NOT_FOUND,
				"no trial: SERVERMODE of maui.cfg was never TEST here");
		return NULL;
	}
	o = maui_object_make();
	put_trial(&o, p);
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
