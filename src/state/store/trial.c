/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - the score of SERVERMODE TEST in the state file
 *
 *   "trial": {"began": 1763740000, "ended": 0, "looked": 1763750000, "refused": 2,
 *    "same": {"jobs": 9}, "sooner": {"jobs": 2, "by": 70, "max": 60}, "later": {...},
 *    "not_compared": {...},
 *    "causes": [{"name": "MAXJOB USER amy", "jobs": 1, "first": ..., "last": ...}, ...],
 *    "refusals": [...],
 *    "jobs": [{"job": 17, "outcome": "later", "started": ..., "by": -1, "user": "amy",
 *     "cause": "MAXJOB USER amy"}, ...]}
 *
 * An invalid element is left out.
 *
 * Rules: CMD-56.
 */

#include <string.h>

#include "base/utf8.h"
#include "state/store/private.h"

static const char *const outcomes[MAUI_TRIAL_OUTCOMES] = {
	[MAUI_TRIAL_SAME] = "same",
	[MAUI_TRIAL_SOONER] = "sooner",
	[MAUI_TRIAL_LATER] = "later",
	[MAUI_TRIAL_NOT_COMPARED] = "not_compared",
};

static void read_sum(json_object *root, const char *key, struct maui_trial_sum *ret)
{
	json_object *object = NULL;

	if (!json_object_object_get_ex(root, key, &object))
		return;
	ret->jobs = maui_store_get_count(object, "jobs");
	ret->unknown = maui_store_get_count(object, "unknown");
	ret->by_s = maui_store_get_int(object, "by");
	ret->max_s = maui_store_get_int(object, "max");
	if (ret->unknown > ret->jobs || ret->by_s < 0 || ret->max_s < 0)
		*ret = (struct maui_trial_sum){ .jobs = ret->jobs, .unknown = ret->jobs };
}

static void read_causes(json_object *root, const char *key, struct maui_trial_causes *ret)
{
	json_object *list = maui_store_get_list(root, key);

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *object = json_object_array_get_idx(list, i);
		const char *name = maui_store_get_text(object, "name");
		struct maui_trial_cause cause = {
			.jobs = maui_store_get_count(object, "jobs"),
			.first_s = maui_store_get_int(object, "first"),
			.last_s = maui_store_get_int(object, "last"),
		};

		if (!name)
			continue;
		maui_utf8_copy(cause.name, sizeof(cause.name), name);
		maui_trial_restore_cause(ret, &cause);
	}
}

static void read_jobs(json_object *root, struct maui_trial *trial)
{
	json_object *list = maui_store_get_list(root, "jobs");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *object = json_object_array_get_idx(list, i);
		const char *outcome = maui_store_get_text(object, "outcome");
		const char *user = maui_store_get_text(object, "user");
		const char *cause = maui_store_get_text(object, "cause");
		struct maui_trial_job job = { .job_id = maui_store_get_count(object, "job"),
					      .array_job_id = maui_store_get_count(object, "array"),
					      .array_task = maui_store_get_count(object, "task"),
					      .started_s = maui_store_get_int(object, "started"),
					      .by_s = maui_store_get_int(object, "by") };

		for (int o = 0; outcome && o < MAUI_TRIAL_OUTCOMES; o++)
			if (strcmp(outcome, outcomes[o]) == 0)
				job.outcome = (enum maui_trial_outcome)o;
		maui_utf8_copy(job.user, sizeof(job.user), user ? user : "");
		maui_utf8_copy(job.cause, sizeof(job.cause), cause ? cause : "");
		maui_trial_restore_job(trial, &job);
	}
}

void maui_store_read_trial(json_object *root, struct maui_store *store)
{
	struct maui_trial *trial = &store->trial;
	json_object *object = NULL;

	if (!json_object_object_get_ex(root, "trial", &object) ||
	    !json_object_is_type(object, json_type_object) ||
	    maui_store_get_int(object, "began") <= 0)
		return;
	trial->began_s = maui_store_get_int(object, "began");
	trial->ended_s = maui_store_get_int(object, "ended");
	trial->looked_s = maui_store_get_int(object, "looked");
	trial->refused = maui_store_get_count(object, "refused");
	for (int i = 0; i < MAUI_TRIAL_OUTCOMES; i++)
		read_sum(object, outcomes[i], &trial->sums[i]);
	read_causes(object, "causes", &trial->causes);
	read_causes(object, "refusals", &trial->refusals);
	read_jobs(object, trial);
}

/* ---- writing ---- */

static void format_sum(struct maui_strbuf *out, const char *key, const struct maui_trial_sum *sum)
{
	maui_strbuf_addf(out, ", \"%s\": {\"jobs\": %u", key, sum->jobs);
	maui_store_put_count(out, "unknown", sum->unknown);
	maui_store_put_count(out, "by", sum->by_s);
	maui_store_put_count(out, "max", sum->max_s);
	maui_strbuf_addf(out, "}");
}

static void format_causes(struct maui_strbuf *out, const char *key,
			  const struct maui_trial_causes *causes)
{
	maui_strbuf_addf(out, ",\n\"%s\": [", key);
	for (uint32_t i = 0; i < causes->count; i++) {
		const struct maui_trial_cause *cause = &causes->list[i];

		maui_strbuf_addf(out, "%s\n{\"name\": ", i ? "," : "");
		maui_store_put_text(out, cause->name);
		maui_store_put_count(out, "jobs", cause->jobs);
		maui_store_put_count(out, "first", cause->first_s);
		maui_store_put_count(out, "last", cause->last_s);
		maui_strbuf_addf(out, "}");
	}
	maui_strbuf_addf(out, "]");
}

static void format_jobs(struct maui_strbuf *out, const struct maui_trial *trial)
{
	maui_strbuf_addf(out, ",\n\"jobs\": [");
	for (uint32_t i = 0; i < trial->job_count; i++) {
		const struct maui_trial_job *job = &trial->jobs[i];

		maui_strbuf_addf(out, "%s\n{\"job\": %u, \"outcome\": \"%s\"", i ? "," : "",
				 job->job_id, outcomes[job->outcome]);
		if (job->array_job_id) {
			maui_store_put_count(out, "array", job->array_job_id);
			maui_store_put_count(out, "task", job->array_task);
		}
		maui_store_put_count(out, "started", job->started_s);
		maui_store_put_count(out, "by", job->by_s);
		maui_store_put_named(out, "user", job->user);
		maui_store_put_named(out, "cause", job->cause);
		maui_strbuf_addf(out, "}");
	}
	maui_strbuf_addf(out, "]");
}

void maui_store_format_trial(const struct maui_store *store, struct maui_strbuf *out)
{
	const struct maui_trial *trial = &store->trial;

	if (trial->began_s <= 0)
		return;
	maui_strbuf_addf(out, ",\n\"trial\": {\"began\": %lld", (long long)trial->began_s);
	maui_store_put_count(out, "ended", trial->ended_s);
	maui_store_put_count(out, "looked", trial->looked_s);
	maui_store_put_count(out, "refused", trial->refused);
	for (int i = 0; i < MAUI_TRIAL_OUTCOMES; i++)
		format_sum(out, outcomes[i], &trial->sums[i]);
	format_causes(out, "causes", &trial->causes);
	format_causes(out, "refusals", &trial->refusals);
	format_jobs(out, trial);
	maui_strbuf_addf(out, "}");
}
