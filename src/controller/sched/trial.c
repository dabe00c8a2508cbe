/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - SERVERMODE TEST beside another scheduler: compares its starts with plans
 *
 * That scheduler may start a job before any plan has seen the job, and between two plans the
 * machine changes. So the cycle after a start puts the job back: the job is planned as if it still
 * waited and its nodes were free. Whether this plan starts the job goes into the score
 * (state/trial.h). Then the cycle plans again, for the machine as it is.
 *
 * Rules: CMD-4, CMD-55, CMD-56, CMD-58.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "explain/text.h"

enum { SAID_EVERY_S = 3600 };

/* ---- when a trial begins and ends ---- */

static void log_score(struct maui_controller *c, const char *what)
{
	char line[MAUI_TRIAL_LINE_SIZE];

	info("slurm-maui: TEST: %s: %s", what, maui_trial_line(&c->trial, line, sizeof(line)));
}

static void begin(struct maui_controller *c, int64_t now_s)
{
	if (maui_trial_begin(&c->trial, now_s)) {
		info("slurm-maui: TEST: a trial begins");
		slurm_mutex_lock(&c->lock);
		maui_job_histories_forget_trial(&c->histories);
		slurm_mutex_unlock(&c->lock);
	}
	if (!c->sched->trial_said_s)
		c->sched->trial_said_s = now_s;
}

void maui_sched_trial_mode(struct maui_controller *c)
{
	int64_t now_s = time(NULL);

	if (!c->sched)
		return;
	if (maui_controller_is_trial(c)) {
		begin(c, now_s);
	} else if (maui_trial_end(&c->trial, now_s)) {
		log_score(c, "the trial is over");
		c->sched->trial_said_s = 0;
	}
	if (c->config->server_mode != MAUI_SERVER_TEST && maui_sched_end_trial_rsvs(c->sched)) {
		maui_sched_name_rsvs(c, c->sched->rsvs.rsvs, c->sched->rsvs.rsv_count);
		c->save(c);
	}
}

/* ---- jobs that the other scheduler has started ---- */

/* Times are in seconds: a start in the second in which the trial began may have been before it. */
static bool is_new_start(struct maui_controller *c, const struct maui_captured_job *captured)
{
	const struct maui_job_history *history;
	bool is_new;

	if (captured->state == MAUI_CAPTURED_PENDING || captured->start_s <= 0 ||
	    captured->start_s <= c->trial.began_s || captured->start_s <= c->trial_restored_s)
		return false;
	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, captured->job_id);
	is_new = !history || history->submit_s != captured->submit_s ||
		 history->scored_start_s != captured->start_s;
	slurm_mutex_unlock(&c->lock);
	return is_new;
}

int maui_sched_trial_begin(struct maui_iteration *it, const struct maui_captured_jobs *jobs)
{
	uint32_t *ids;
	size_t count = 0;

	if (!maui_controller_is_trial(it->c))
		return 0;
	ids = maui_arena_alloc(&it->arena, (jobs->count + 1) * sizeof(*ids));
	if (!ids)
		return -1;
	for (size_t i = 0; i < jobs->count; i++)
		if (is_new_start(it->c, &jobs->jobs[i]))
			ids[count++] = jobs->jobs[i].job_id;
	it->put_back = (struct maui_put_back){ .ids = ids, .count = count };
	return 0;
}

/* ---- the comparison ---- */

/* The plan in which the jobs still wait. */
struct comparison {
	struct maui_iteration *it;
	struct maui_hashtable index; /* job id -> its row of it->waiting */
	struct maui_plan *plan; /* finished when a job waits in it; NULL: none does, no memory */
	struct maui_explainer *explainer;
};

static int index_waiting(struct comparison *x)
{
	struct maui_iteration *it = x->it;

	for (uint32_t i = 0; i < it->cluster.snapshot->idle_count; i++)
		if (it->waiting[i].put_back &&
		    maui_hashtable_set_id(&x->index, it->waiting[i].job_id, &it->waiting[i]))
			return -1;
	return 0;
}

/* Estimates and causes come from the finished plan. */
static void finish_if_wanted(struct comparison *x)
{
	const struct maui_decisions *d = &x->it->sched->decisions;
	bool wanted = false;

	for (uint32_t i = 0; i < d->verdict_count; i++)
		wanted |= x->it->waiting[i].put_back && d->verdicts[i].started == 0;
	if (!wanted)
		return;
	x->plan = maui_plan_finish(x->it->sched->planner, x->it->cluster.snapshot,
				   MAUI_PLAN_ESTIMATES);
	if (x->plan)
		x->explainer = maui_explainer_create(x->plan);
}

/* What keeps the job; without memory as the cycle recorded it. */
static const char *cause_of(struct comparison *x, uint32_t job, char *buf, size_t size)
{
	struct maui_explanation e = maui_explain_recorded(x->plan, job);

	if (x->explainer && maui_explain_short(x->explainer, job, &e))
		e = maui_explain_recorded(x->plan, job);
	return maui_explain_cause(&e, buf, size);
}

/* What the plan says of the job, into `start`. */
static void read_verdict(struct comparison *x, struct maui_trial_start *start, char *buf,
			 size_t size)
{
	const struct maui_waiting *waiting = maui_hashtable_find_id(&x->index, start->job_id);
	const struct maui_decisions *d = x->plan ? &x->plan->decisions : &x->it->sched->decisions;
	uint32_t job;

	start->expected_s = MAUI_NEVER;
	if (!waiting || start->planned_s)
		return;
	job = (uint32_t)(waiting - x->it->waiting);
	if (d->verdicts[job].started > 0) {
		start->planned_s = start->started_s;
	} else if (x->plan) {
		start->expected_s = d->verdicts[job].estimate_s;
		start->cause = cause_of(x, job, buf, size);
	}
}

static void log_start(const struct maui_iteration *it, const struct maui_trial_start *start,
		      const struct maui_trial_result *result)
{
	const char *by = it->c->scheduler_type;

	if (result->outcome == MAUI_TRIAL_SOONER)
		info("slurm-maui: TEST: %s started JobId=%u, %lld s after the plan would have", by,
		     start->job_id, (long long)result->by_s);
	else if (result->outcome == MAUI_TRIAL_LATER)
		info("slurm-maui: TEST: %s started JobId=%u, which would wait: %s", by,
		     start->job_id, start->cause);
	else
		info("slurm-maui: TEST: %s started JobId=%u, %s", by, start->job_id,
		     result->outcome == MAUI_TRIAL_SAME ? "as the plan has it" :
							  "which no plan has seen");
}

/* Reads what earlier plans decided about the job, and forgets it: the job may be requeued. false:
 * the job has no history, and is not counted. */
static bool take_history(struct maui_iteration *it, struct maui_trial_start *start)
{
	struct maui_controller *c = it->c;
	struct maui_job_history *history;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, start->job_id);
	if (history) {
		start->planned_s = history->trial_planned_s;
		history->trial_planned_s = 0;
		history->trial_copies = 0;
		history->trial_refused = false;
		history->scored_start_s = start->started_s;
	}
	slurm_mutex_unlock(&c->lock);
	return history != NULL;
}

static void compare_job(struct comparison *x, const struct maui_captured_job *captured)
{
	struct maui_trial_start start = { .job_id = captured->job_id,
					  .started_s = captured->start_s };
	bool is_task = captured->array_job_id && captured->array_task != MAUI_NO_TASK;
	const struct maui_waiting *waiting = maui_hashtable_find_id(&x->index, captured->job_id);
	const struct maui_snapshot *s = x->it->cluster.snapshot;
	struct maui_trial_result result;
	char cause[MAUI_EXPLAIN_LINE_SIZE];

	if (!take_history(x->it, &start))
		return;
	start.array_job_id = is_task ? captured->array_job_id : 0;
	start.array_task = is_task ? captured->array_task : 0;
	if (waiting)
		start.user = s->creds[s->idle[waiting - x->it->waiting].rows[0].creds]
				     .cred[MAUI_CRED_USER];
	read_verdict(x, &start, cause, sizeof(cause));
	result = maui_trial_add(&x->it->c->trial, &start);
	log_start(x->it, &start, &result);
}

void maui_sched_trial_compare(struct maui_iteration *it)
{
	struct comparison x = { .it = it };

	if (index_waiting(&x) == 0) {
		finish_if_wanted(&x);
		for (size_t i = 0; i < it->put_back.count; i++)
			compare_job(&x, maui_hashtable_find_id(&it->by_id, it->put_back.ids[i]));
	}
	maui_explainer_destroy(x.explainer);
	maui_plan_unref(x.plan);
	maui_hashtable_finish(&x.index);
}

/* ---- the jobs that wait ---- */

void maui_sched_trial_note(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_controller *c = it->c;
	struct maui_trial *trial = &c->trial;

	if (!maui_controller_is_trial(c))
		return;
	trial->ahead = 0;
	trial->ahead_since_s = 0;
	for (uint32_t i = 0; i < d->verdict_count; i++) {
		struct maui_job_history *history;

		slurm_mutex_lock(&c->lock);
		history = maui_job_histories_find(&c->histories, it->waiting[i].job_id);
		if (history && history->trial_planned_s) {
			/* of an array so many tasks as one plan starts */
			if (it->waiting[i].task_count > 1 &&
			    d->verdicts[i].started > history->trial_copies)
				history->trial_copies = d->verdicts[i].started;
			trial->ahead += history->trial_copies > 1 ? history->trial_copies : 1;
			if (!trial->ahead_since_s ||
			    history->trial_planned_s < trial->ahead_since_s)
				trial->ahead_since_s = history->trial_planned_s;
		}
		slurm_mutex_unlock(&c->lock);
	}
	trial->looked_s = it->cluster.now_s;
	if (it->cluster.now_s < it->sched->trial_said_s + SAID_EVERY_S)
		return;
	it->sched->trial_said_s = it->cluster.now_s;
	log_score(c, "the score");
}
