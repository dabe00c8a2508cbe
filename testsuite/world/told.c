/* SPDX-License-Identifier: GPL-2.0-or-later */
/* told.c - what checkjob says of each job must be true in the world
 *
 * The answer is made of the document that the cycle has published, as the socket's thread makes it.
 * Nothing may have happened since the cycle began.
 */

#include "world.h"

#include "answers/answer.h"
#include "controller/sched/private.h"
#include "verbs/job.h"

/* What is asked, and what the world knows of the job. */
struct told {
	const struct maui_document *document;
	const struct maui_job_details *answer;
	const job_record_t *job_ptr;
};

static void fail(const struct told *told, const char *what)
{
	const struct maui_job_waiting *waiting = told->answer->waiting;

	for (size_t i = 0; waiting && i < waiting->reasons_count; i++)
		fprintf(stderr, "world: checkjob: %s\n", waiting->reasons[i]);
	world_fault("checkjob says of job %u, which has state %u, reason %u and priority %u: %s",
		    told->job_ptr->job_id, told->job_ptr->job_state, told->job_ptr->state_reason,
		    told->job_ptr->priority, what);
}

static void expect(const struct told *told, bool holds, const char *what)
{
	if (!holds)
		fail(told, what);
}

static bool says(const struct told *told, const char *text)
{
	const struct maui_job_waiting *waiting = told->answer->waiting;

	for (size_t i = 0; i < waiting->reasons_count; i++)
		if (strstr(waiting->reasons[i], text))
			return true;
	return false;
}

/* ---- jobs that run ---- */

static void check_active(const struct told *told)
{
	const struct maui_job_active *active = told->answer->active;
	const struct world_run *run = world_find_run(told->job_ptr->job_id);

	expect(told, run, "it runs");
	expect(told,
	       told->answer->state == (run->suspended ? MAUI_JOB_SUSPENDED : MAUI_JOB_RUNNING),
	       "another state");
	expect(told, active->start == run->start_s, "another start");
	if (told->answer->procs != (int64_t)run->procs && !run->suspended)
		world_fault("job %u: checkjob: %lld procs, %u", run->job_id,
			    (long long)told->answer->procs, run->procs);
	expect(told, !xstrcmp(told->answer->node_names, told->job_ptr->nodes), "other nodes");
}

/* ---- jobs that wait ---- */

/* Runs of the user, or of the QOS of this name. */
static void count_use(const char *kind, const char *name, unsigned *ret_jobs, unsigned *ret_procs)
{
	unsigned user;
	bool of_user = strcmp(kind, "USER") == 0 && sscanf(name, "u%u", &user) == 1;

	*ret_jobs = *ret_procs = 0;
	for (size_t r = 0; r < world.run_count; r++) {
		const struct world_run *run = &world.runs[r];

		if (run->suspended || (of_user ? run->user != WORLD_USER_0 + user :
						 !run->qos || strcmp(run->qos, name) != 0))
			continue;
		++*ret_jobs;
		*ret_procs += run->procs;
	}
}

/* "MAXJOB USER u1 4/4 (hard)", "MAXPROC USER u1 30+8/32 (hard)" */
static void check_limit(const struct told *told, const char *text)
{
	unsigned jobs, procs, used, asked = 1, limit;
	char what[16], kind[16], name[16];
	/* What a job ahead leaves at its start may be less than what is in use now. */
	bool later = strstr(text, "once a job ahead starts");
	int length = 0;

	if (sscanf(text, "MAX%7s %15s %15s %n", what, kind, name, &length) != 3 || !length)
		return;
	count_use(kind, name, &jobs, &procs);
	text += length;
	if (strstr(text, "larger than the limit"))
		return;
	if (strcmp(what, "JOB") == 0 && (sscanf(text, "%u/%u", &used, &limit) == 2 ||
					 sscanf(text, "%u+%u/%u", &used, &asked, &limit) == 3)) {
		expect(told, later || used >= jobs, "more jobs of its limit run");
		expect(told, used + asked > limit, "its limit of jobs is not reached");
	} else if (strcmp(what, "PROC") == 0 &&
		   sscanf(text, "%u+%u/%u", &used, &asked, &limit) == 3) {
		expect(told, later || used >= procs, "more processors of its limit are in use");
		expect(told, used + asked > limit, "its limit of processors is not reached");
	}
}

static void check_node_counts(const struct told *told)
{
	const struct maui_job_waiting *waiting = told->answer->waiting;
	int64_t sum = 0, down = 0;

	for (size_t i = 0; i < waiting->nodes_by_reason_count; i++)
		sum += waiting->nodes_by_reason[i].value;
	if (sum == 0)
		return;
	for (int n = 0; n < world.node_count; n++)
		down += world.nodes[n].down || world.nodes[n].drain;
	expect(told, sum == world.node_count, "another number of nodes");
	for (size_t i = 0; i < waiting->nodes_by_reason_count; i++)
		if (strcmp(waiting->nodes_by_reason[i].key,
			   maui_reason_node_text(MAUI_REASON_NODE_STATE)) == 0)
			expect(told, waiting->nodes_by_reason[i].value <= down,
			       "more nodes are down than are");
}

static bool is_reservation(const char *name)
{
	ListIterator iterator = list_iterator_create(world_tables.resvs);
	const slurmctld_resv_t *resv;
	bool found = false;

	while ((resv = list_next(iterator)))
		found |= strcmp(resv->name, name) == 0;
	list_iterator_destroy(iterator);
	return found || world_config_has_rsv(name);
}

static bool exists(uint32_t id)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	const job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator)) && job_ptr->job_id != id &&
	       job_ptr->array_job_id != id)
		;
	list_iterator_destroy(iterator);
	return job_ptr != NULL;
}

static void check_named(const struct told *told)
{
	const struct maui_job_waiting *waiting = told->answer->waiting;

	if (waiting->blocking_reservation)
		expect(told, is_reservation(waiting->blocking_reservation->name),
		       "a reservation that does not exist");
	for (size_t i = 0; i < waiting->node_users_count; i++) {
		unsigned id = (unsigned)atoi(waiting->node_users[i].label);

		expect(told, exists(id), "a job that does not exist");
	}
}

static void check_conditions(const struct told *told)
{
	const job_record_t *job_ptr = told->job_ptr;
	bool blocked = told->answer->state != MAUI_JOB_IDLE;
	bool held = job_ptr->priority == 0, begins = job_ptr->details->begin_time > world_wall_s();

	if (says(told, "Het job:")) /* what another component waits for */
		return;
	expect(told, says(told, "held") || !held, "not that it is held");
	expect(told, held || !says(told, "held by"), "that it is held");
	expect(told, blocked || !held, "that it is eligible, and it is held");
	expect(told,
	       job_ptr->details->begin_time > told->document->plan->now_s ||
		       !says(told, "begin time not reached"),
	       "that it begins later");
	expect(told, blocked || !begins, "that it is eligible before its begin time");
	expect(told, world_job_depends(job_ptr) || !says(told, "waits for another job"),
	       "that it waits for another job");
	expect(told, blocked || !world_job_depends(job_ptr),
	       "that it is eligible, and it depends on another job");
}

static void check_times(const struct told *told)
{
	const struct maui_job_waiting *waiting = told->answer->waiting;
	int64_t now_s = told->document->plan->now_s;

	expect(told, waiting->expected_start >= now_s, "a start that has passed");
	expect(told, waiting->earliest_start >= now_s, "an earliest start that has passed");
	if (waiting->expected_start != MAUI_NEVER)
		expect(told, told->job_ptr->priority > 0, "a start, and it is held");
	if (waiting->expected_start != MAUI_NEVER && told->job_ptr->details->begin_time > now_s)
		expect(told, waiting->expected_start >= told->job_ptr->details->begin_time,
		       "a start before its begin time");
	if (waiting->start_by != MAUI_NEVER)
		expect(told, told->job_ptr->deadline > 0, "a deadline that it does not have");
}

static void check_waiting(const struct told *told)
{
	const struct maui_job_waiting *waiting = told->answer->waiting;

	for (size_t i = 0; i < waiting->reasons_count; i++)
		check_limit(told, waiting->reasons[i]);
	check_node_counts(told);
	check_named(told);
	check_conditions(told);
	check_times(told);
}

/* ---- all ---- */

static void check_job(const struct maui_document *document, const job_record_t *job_ptr)
{
	struct maui_query_error error = { 0 };
	struct maui_arena arena = { 0 };
	const struct maui_question q = { .document = document, .arena = &arena, .error = &error };
	const struct maui_job_args args = { .job = job_ptr->job_id, .task = -1, .component = -1 };
	const struct maui_job_answer *answer = maui_answer_job(&q, &args);

	if (!answer)
		world_fault("checkjob does not know job %u: %s", job_ptr->job_id, error.err.text);
	if (answer->job->id == job_ptr->job_id) { /* a task of the array runs */
		const struct told told = { document, answer->job, job_ptr };

		if (answer->job->active)
			check_active(&told);
		else
			check_waiting(&told);
	}
	maui_arena_finish(&arena);
}

void world_check_told(const struct maui_document *document)
{
	ListIterator iterator;
	const job_record_t *job_ptr;

	if (!document || !document->plan)
		return;
	iterator = list_iterator_create(world_tables.jobs);
	while ((job_ptr = list_next(iterator)))
		if (!IS_JOB_COMPLETING(job_ptr) && !IS_JOB_FINISHED(job_ptr))
			check_job(document, job_ptr);
	list_iterator_destroy(iterator);
}
