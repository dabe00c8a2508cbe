/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_changes.c - executes setspri, sethold, releasehold, canceljob and runjob
 *
 * Holds and cancels are Slurm's functions. A system priority stays in the job's history, and the
 * next cycle ranks by it. A job of runjob goes into this cycle's plan ahead of all others. If that
 * plan does not start it, the cycle plans again without the request. The reply has the jobs that
 * Slurm has started, or why it started none.
 *
 * Rules: CMD-45, CMD-47, CMD-52.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>
#include <string.h>

#include "admin/jobs.h"
#include "base/hostexpr.h"
#include "base/strbuf.h"
#include "explain/advice.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "slurm/change_job.h"

/* A job or a task that runjob has started, "17_3". */
struct started {
	const struct started *before;
	const char *label;
};

/* The job of runjob. */
struct maui_sched_run {
	uint32_t job_id;
	const char *hosts;                      /* only on these nodes; NULL: any */
	const uint32_t *requests;               /* the job's own, of the snapshot, a row each */
	struct maui_changejob_outcome *outcome; /* of the answer; NULL: it was not accepted */
	const struct started *started;          /* the last one first */
	size_t started_count;
	const char *reason; /* why none has started; NULL: not known */
};

enum { TASKS_MAX = 10000 }; /* records of one array that a setspri changes */

static int change_failed(const struct maui_job_request *request, enum maui_change_result result,
			 const char *why, struct maui_query_error *error)
{
	char label[MAUI_JOB_LABEL_SIZE];

	maui_job_request_label(request, label, sizeof(label));
	switch (result) {
	case MAUI_CHANGE_DONE:
		return 0;
	case MAUI_CHANGE_DENIED:
		return maui_query_denied(error, "Slurm does not let you change job %s", label);
	case MAUI_CHANGE_NO_JOB:
		return maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no such job: %s", label);
	case MAUI_CHANGE_NO_HOLD:
		return maui_query_fail(error, MAUI_QUERY_ERROR, "job %s is not held", label);
	case MAUI_CHANGE_OTHER_HOLD:
		return maui_query_fail(error, MAUI_QUERY_ERROR, "job %s has %s", label,
				       request->action == MAUI_JOB_RELEASE_USER ?
					       "a system hold, not a user's: releasehold -s" :
					       "a user's hold, not a system hold: releasehold -u");
	case MAUI_CHANGE_TOO_MANY:
		return maui_query_fail(error, MAUI_QUERY_ERROR,
				       "array %s has more tasks than one request may change: name "
				       "its tasks",
				       label);
	case MAUI_CHANGE_RUNS:
		return maui_query_fail(error, MAUI_QUERY_ERROR, "job %s runs already", label);
	case MAUI_CHANGE_FAILED:
		break;
	}
	return maui_query_fail(error, MAUI_QUERY_ERROR, "job %s: Slurm says: %s", label, why);
}

static int change_in_slurm(struct maui_iteration *it, const struct maui_rights *who,
			   struct maui_job_request *request, struct maui_query_error *error)
{
	const struct maui_job_choice choice = {
		.job_id = (uint32_t)request->name.id,
		.task = request->name.task,
		.component = request->name.component,
		.uid = who->jobs ? (uid_t)it->c->slurm_user : who->uid,
	};
	enum maui_change_result result;
	const char *why;

	result = maui_change_job(&choice, &request->action, &request->runs, &why, &it->writes);
	return change_failed(request, result, why, error);
}

/* The waiting records that a request means; the user may change all jobs. -1 with error: there are
 * none. */
static int find_waiting(struct maui_iteration *it, const struct maui_job_request *request,
			struct maui_job_record *records, size_t room, size_t *ret_count,
			struct maui_query_error *error)
{
	const struct maui_job_choice choice = { .job_id = (uint32_t)request->name.id,
						.task = request->name.task,
						.component = request->name.component,
						.uid = (uid_t)it->c->slurm_user };
	enum maui_change_result result;
	const char *why;

	result = maui_find_waiting_records(&choice, records, room, ret_count, &why, &it->writes);
	return change_failed(request, result, why, error);
}

/* Under the controller's lock. NULL: no memory. */
static struct maui_job_history *history_of(struct maui_iteration *it,
					   const struct maui_job_record *record)
{
	const struct maui_job_history_key key = { .job_id = record->job_id,
						  .array_job_id = record->array_job_id,
						  .submit_s = record->submit_s,
						  .restarted = record->restarted };

	return maui_job_histories_get(&it->c->histories, &key, it->began_s);
}

static int set_priority(struct maui_iteration *it, const struct maui_job_request *request,
			struct maui_query_error *error)
{
	struct maui_job_record *records =
		maui_arena_alloc(&it->arena, TASKS_MAX * sizeof(*records));
	struct maui_job_history *history;
	bool failed = false;
	size_t count;

	if (!records)
		return maui_query_no_memory(error);
	if (find_waiting(it, request, records, TASKS_MAX, &count, error))
		return -1;
	slurm_mutex_lock(&it->c->lock);
	for (size_t i = 0; i < count; i++) {
		history = history_of(it, &records[i]);
		failed |= !history;
		if (!history)
			continue;
		history->system_priority = request->relative ? 0 : request->priority;
		history->system_priority_added = request->relative ? request->priority : 0;
	}
	it->c->recalculate = true;
	slurm_mutex_unlock(&it->c->lock);
	maui_sched_wake(it->sched, it->began_s);
	it->save = true;
	return failed ? maui_query_no_memory(error) : 0;
}

/* Marks the nodes of the snapshot that a HOSTLIST means. -1 with err: it is wrong, or means no
 * node. */
static int match_hosts(struct maui_iteration *it, const struct maui_snapshot *s, const char *hosts,
		       bool *ret_match, struct maui_err *err)
{
	const char **names = maui_arena_alloc(&it->arena, (s->node_count + 1u) * sizeof(*names));
	struct maui_hostexpr *list = NULL;
	const char *unmatched = NULL;
	ssize_t count = -1;

	if (!names)
		return maui_err_no_memory(err);
	for (uint32_t n = 0; n < s->node_count; n++)
		names[n] = s->nodes[n].name;
	if (maui_hostexpr_parse(hosts, &list, err) == 0)
		count = maui_hostexpr_match(list, names, s->node_count, ret_match, &unmatched, err);
	if (count >= 0 && unmatched)
		count = maui_err_set(err, "no node is named '%.64s'", unmatched);
	maui_hostexpr_destroy(list);
	return count < 0 ? -1 : 0;
}

/* Whether the HOSTLIST is right, by the nodes of the last plan. */
static int check_hosts(struct maui_iteration *it, const char *hosts, struct maui_query_error *error)
{
	const struct maui_document *last = it->sched->document;
	const struct maui_snapshot *s = last && last->plan ? last->plan->snapshot : NULL;
	struct maui_err err;
	bool *match;

	if (!s)
		return maui_query_unplanned(error);
	match = maui_arena_alloc(&it->arena, s->node_count + 1u);
	if (!match)
		return maui_query_no_memory(error);
	if (match_hosts(it, s, hosts, match, &err))
		return maui_query_fail(error, MAUI_QUERY_BAD, "-n: %s", err.text);
	return 0;
}

/* Why no job is started in this cycle; "" without memory. */
static const char *no_starts(struct maui_iteration *it)
{
	const char *why = maui_health_no_starts(&it->sched->health);
	char text[MAUI_NO_STARTS_SIZE];
	const char *ret = why ? maui_arena_strdup(&it->arena,
						  maui_explain_no_starts(why, text, sizeof(text))) :
				NULL;

	return ret ? ret : "";
}

/* Forgets refused starts, and puts the job into this cycle's plan. */
static int run_job(struct maui_iteration *it, const struct maui_job_request *request,
		   struct maui_query_error *error)
{
	struct maui_job_record record;
	struct maui_job_history *history;
	size_t count;

	if (it->testing)
		return maui_query_fail(error, MAUI_QUERY_ERROR, "%s", no_starts(it));
	if (it->run_flags)
		return maui_query_fail(error, MAUI_QUERY_BUSY, "another runjob is in progress");
	if (find_waiting(it, request, &record, 1, &count, error) ||
	    (request->hosts && check_hosts(it, request->hosts, error)))
		return -1;
	it->run = maui_arena_alloc(&it->arena, sizeof(*it->run));
	if (!it->run)
		return maui_query_no_memory(error);
	it->run->job_id = record.job_id;
	it->run->hosts = maui_arena_strdup(&it->arena, request->hosts);
	if (request->hosts && !it->run->hosts) /* without them it would run on any nodes */
		return maui_query_no_memory(error);
	slurm_mutex_lock(&it->c->lock);
	history = history_of(it, &record);
	if (history) {
		maui_defer_forget(&history->defer);
		history->retry_s = 0;
		history->busy = 0;
	}
	slurm_mutex_unlock(&it->c->lock);
	return 0;
}

static int execute(struct maui_iteration *it, const struct maui_rights *who,
		   struct maui_job_request *request, struct maui_query_error *error)
{
	if (request->action == MAUI_JOB_PRIORITY)
		return set_priority(it, request, error);
	if (request->action == MAUI_JOB_RUN)
		return run_job(it, request, error);
	return change_in_slurm(it, who, request, error);
}

struct maui_changejob *maui_sched_change_job(struct maui_iteration *it,
					     const struct maui_rights *who,
					     const struct maui_changejob_args *args,
					     struct maui_query_error *error)
{
	struct maui_job_request request;
	char label[MAUI_JOB_LABEL_SIZE];
	struct maui_changejob *answer;

	if (maui_job_request_read(args, who, &request, error))
		return NULL;
	/* before anything is changed, so that no change is made and then denied */
	answer = maui_job_answer(&request, &it->arena);
	if (answer && request.action == MAUI_JOB_RUN)
		answer->outcome = maui_arena_alloc(&it->arena, sizeof(*answer->outcome));
	if (!answer || (request.action == MAUI_JOB_RUN && !answer->outcome)) {
		maui_query_no_memory(error);
		return NULL;
	}
	if (execute(it, who, &request, error))
		return NULL;
	/* a user's `hold` has become a user hold, and slurmctld has said whether the job runs on */
	answer->action = maui_changejob_actions[request.action];
	answer->runs = request.runs;
	if (request.action == MAUI_JOB_RUN) {
		it->run->outcome = (struct maui_changejob_outcome *)answer->outcome;
		it->run_flags = request.run;
	}
	info("slurm-maui: job %s: %s by %s", maui_job_request_label(&request, label, sizeof(label)),
	     answer->action, maui_rights_name(who));
	return answer;
}

/* ---- runjob in the plan ---- */

/* The nodes that the HOSTLIST of runjob does not mean, and those that the request excludes:
 * indices, ascending. NULL: no memory. */
static uint32_t *other_nodes(struct maui_iteration *it, const struct maui_request *request,
			     uint32_t *ret_count)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	uint32_t *nodes = maui_arena_alloc(&it->arena, (s->node_count + 1u) * sizeof(*nodes));
	bool *match = maui_arena_alloc(&it->arena, s->node_count + 1u);
	struct maui_err err;

	*ret_count = 0;
	if (!nodes || !match || match_hosts(it, s, it->run->hosts, match, &err))
		return NULL;
	for (uint32_t i = 0; i < request->excluded_count; i++)
		match[request->excluded[i]] = false;
	for (uint32_t n = 0; n < s->node_count; n++)
		if (!match[n])
			nodes[(*ret_count)++] = n;
	return nodes;
}

/* Leaves only the nodes that runjob means; -1: no memory. */
static int only_on_hosts(void *data, struct maui_request *request)
{
	request->excluded = other_nodes(data, request, &request->excluded_count);
	return request->excluded ? 0 : -1;
}

int maui_sched_fill_run(struct maui_iteration *it, struct maui_pending *pending)
{
	struct maui_idle *idle = &pending->idle;

	if (it->run_flags == 0 || it->run->job_id != pending->job_id)
		return 0;
	idle->run |= it->run_flags;
	it->run->requests = maui_waiting_requests(idle, &it->arena);
	if (!it->run->requests)
		return -1;
	for (uint32_t r = 0; it->run->hosts && r < idle->row_count; r++) {
		int64_t index = maui_snapshot_change_request(
			it->cluster.snapshot, it->run->requests[r], only_on_hosts, it);

		if (index < 0)
			return -1;
		pending->rows[r].own_request = (uint32_t)index + 1;
	}
	return 0;
}

/* Why the job does not start, by a separate plan; NULL: not known. */
static char *reason_of(struct maui_iteration *it, uint32_t job)
{
	struct maui_plan *plan = maui_plan_finish(it->sched->planner, it->cluster.snapshot, 0);
	struct maui_explainer *x = plan ? maui_explainer_create(plan) : NULL;
	const struct maui_captured_job *captured =
		maui_hashtable_find_id(&it->by_id, it->waiting[job].job_id);
	struct maui_slurm_facts facts = { .next_task_s = MAUI_NEVER };
	struct maui_strbuf all = { 0 };
	struct maui_explanation e;

	if (captured)
		facts.conditions = captured->conditions;
	if (x && maui_explain_job(x, job, &e) == 0) {
		e.facts = &facts;
		if (maui_explain_all(&e, &all) == 0 && all.text)
			all.text[strcspn(all.text, "\n")] = '\0';
	}
	maui_explainer_destroy(x);
	maui_plan_unref(plan);
	return maui_strbuf_steal(&all);
}

bool maui_sched_refuse_run(struct maui_iteration *it)
{
	struct maui_snapshot *s = it->cluster.snapshot;
	uint32_t job = 0;
	char *why;

	if (it->run_flags == 0)
		return false;
	while (job < s->idle_count &&
	       (it->waiting[job].job_id != it->run->job_id || it->waiting[job].put_back))
		job++;
	if (job == s->idle_count || it->sched->decisions.verdicts[job].started > 0)
		return false;
	why = reason_of(it, job);
	if (why && *why)
		it->run->reason = maui_arena_strdup(&it->arena, why);
	free(why);
	it->run_flags = 0;
	s->idle[job].run = 0;
	for (uint32_t r = 0; r < s->idle[job].row_count; r++)
		maui_snapshot_set_request(s, job, r, it->run->requests[r]);
	it->waiting[job].requests = it->run->requests;
	return true;
}

/* ---- the answer of runjob ---- */

/* Without memory the job has started, and is not named. */
static void add_started(struct maui_iteration *it, const struct maui_start_order *order)
{
	struct started *one = maui_arena_alloc(&it->arena, sizeof(*one));

	it->run->outcome->started = true;
	if (!one)
		return;
	one->label = order->started_task == MAUI_NO_TASK ?
			     maui_arena_printf(&it->arena, "%u", order->started_id) :
			     maui_arena_printf(&it->arena, "%u_%u", order->array_job_id,
					       order->started_task);
	if (!one->label)
		return;
	one->before = it->run->started;
	it->run->started = one;
	it->run->started_count++;
}

void maui_sched_note_run(struct maui_iteration *it, const struct maui_start_order *order)
{
	if (!it->run || !it->run->outcome || order->job_id != it->run->job_id)
		return;
	if (order->outcome == MAUI_START_DONE)
		add_started(it, order);
	else if (order->outcome == MAUI_START_REFUSED)
		it->run->reason = maui_arena_printf(&it->arena, "Slurm refused the start: %s",
						    slurm_strerror(order->code));
	else if (order->outcome == MAUI_START_CHANGED)
		it->run->reason = "it has changed meanwhile: try again";
}

static const char *const *list_started(struct maui_iteration *it)
{
	const char **list =
		maui_arena_alloc(&it->arena, (it->run->started_count + 1) * sizeof(*list));
	size_t at = it->run->started_count;

	for (const struct started *s = it->run->started; list && s; s = s->before)
		list[--at] = s->label;
	return list;
}

void maui_sched_answer_run(struct maui_iteration *it)
{
	struct maui_changejob_outcome *outcome = it->run ? it->run->outcome : NULL;
	const char *reason;

	if (!outcome)
		return;
	reason = it->run->reason;
	if (!reason && it->testing) /* a changeparam of the same cycle */
		reason = no_starts(it);
	if (!reason)
		reason = "it no longer waits, or the cycle ended early: try again";
	if (!outcome->started) {
		outcome->reason = reason;
		return;
	}
	outcome->started_jobs = list_started(it);
	outcome->started_jobs_count = outcome->started_jobs ? it->run->started_count : 0;
}
