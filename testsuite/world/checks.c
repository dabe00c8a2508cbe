/* SPDX-License-Identifier: GPL-2.0-or-later */
/* checks.c - what must hold in every world */

#include "world.h"

#include <math.h>

#include "controller/sched/private.h"
#include "state/usage.h"

/* ---- starts ---- */

/* The configuration that slurm-maui has in force: the one before until it has read the new one. */
static struct world_config in_force;
static const struct maui_config *known_config;

static bool touches(const struct world_run *run, uint32_t nodes)
{
	for (int n = 0; n < world.node_count; n++)
		if (nodes & 1U << n && run->cpus[n] > 0)
			return true;
	return false;
}

/* Whether the reservation is open at some moment of the time. */
static bool is_open(const struct world_sr *rsv, int64_t from_s, int64_t to_s)
{
	int64_t day_s = from_s - from_s % 86400;

	for (; day_s < to_s; day_s += 86400)
		if (day_s + rsv->start_h * 3600 < to_s && day_s + rsv->end_h * 3600 > from_s)
			return true;
	return false;
}

static void check_reservations(const job_record_t *job_ptr, const struct world_run *run)
{
	for (int i = 0; i < in_force.rsv_count; i++) {
		const struct world_sr *rsv = &in_force.rsvs[i];

		if (rsv->users & 1U << (run->user - WORLD_USER_0) || !touches(run, rsv->nodes) ||
		    !is_open(rsv, job_ptr->start_time, job_ptr->end_time))
			continue;
		world_fault("job %u of u%u starts on %s until %lld, in reservation %s, which "
			    "refuses it",
			    run->job_id, run->user - WORLD_USER_0, job_ptr->nodes,
			    (long long)job_ptr->end_time, rsv->name);
	}
}

static void check_limits(const struct world_run *run)
{
	unsigned jobs = 0, procs = 0;

	for (size_t r = 0; r < world.run_count; r++)
		if (world.runs[r].user == run->user) {
			jobs++;
			procs += world.runs[r].procs;
		}
	if (in_force.max_jobs && jobs > in_force.max_jobs)
		world_fault("u%u has %u jobs with job %u, MAXJOB is %u", run->user - WORLD_USER_0,
			    jobs, run->job_id, in_force.max_jobs);
	if (in_force.max_procs && procs > in_force.max_procs)
		world_fault("u%u has %u processors with job %u, MAXPROC is %u",
			    run->user - WORLD_USER_0, procs, run->job_id, in_force.max_procs);
}

static void check_twice(const struct world_run *run)
{
	for (size_t r = 0; r < world.run_count; r++) {
		const struct world_run *other = &world.runs[r];

		if (other != run &&
		    (other->job_id == run->job_id ||
		     (run->array_job_id && run->array_job_id == other->array_job_id &&
		      run->array_task_id == other->array_task_id)))
			world_fault("job %u is started twice", run->job_id);
	}
}

/* slurm-maui reads maui.cfg after a reconfigure, at the begin of a round. */
static void follow_config(void)
{
	struct maui_controller *c = world_controller();

	if (!c || c->config == known_config)
		return;
	known_config = c->config;
	in_force = world_config;
}

void world_check_start(job_record_t *job_ptr, const struct world_run *run)
{
	follow_config();
	world_note("job %u of u%u starts on %s: %u processors, %u min", job_ptr->job_id,
		   job_ptr->user_id - WORLD_USER_0, job_ptr->nodes, job_ptr->total_cpus,
		   job_ptr->time_limit);
	check_twice(run);
	check_limits(run);
	check_reservations(job_ptr, run);
	if (job_ptr->details->begin_time > world_wall_s())
		world_fault("job %u starts before its begin time", job_ptr->job_id);
	if (job_ptr->array_recs && job_ptr->array_recs->max_run_tasks &&
	    job_ptr->array_recs->tot_run_tasks > job_ptr->array_recs->max_run_tasks)
		world_fault("array %u runs too many tasks", job_ptr->array_job_id);
}

/* ---- after each event ---- */

static void check_nodes(void)
{
	uint16_t cpus[WORLD_NODES];
	uint64_t memory[WORLD_NODES];

	world_free_cpus(cpus, memory, false);
	for (int n = 0; n < world.node_count; n++)
		if (cpus[n] > world.nodes[n].cpus || memory[n] > world.nodes[n].memory)
			world_fault("%s has more jobs than room", world.nodes[n].name);
}

/* Each record is in a state that it can have, and each running one runs. */
static void check_records(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	const job_record_t *job_ptr;
	size_t running = 0;

	while ((job_ptr = list_next(iterator))) {
		if (IS_JOB_PENDING(job_ptr) && !IS_JOB_COMPLETING(job_ptr) &&
		    (job_ptr->job_resrcs || job_ptr->resv_name || job_ptr->resv_ptr ||
		     job_ptr->details->exc_node_bitmap))
			world_fault("job %u waits, and a start has left something in its record",
				    job_ptr->job_id);
		if (!IS_JOB_RUNNING(job_ptr))
			continue;
		running++;
		if (!world_find_run(job_ptr->job_id))
			world_fault("job %u is lost", job_ptr->job_id);
	}
	list_iterator_destroy(iterator);
	if (running != world.run_count)
		world_fault("%zu jobs run, %zu records say so", world.run_count, running);
}

void world_check_event(void)
{
	check_nodes();
	check_records();
}

/* ---- fairshare ---- */

enum { WINDOW_S = 12 * 3600, WINDOWS = 4096 };

/* What users used, by window, from runs that have ended; and how much of it is in doubt. */
static struct {
	double used[WORLD_USERS], doubt;
} windows[WINDOWS];
static int64_t first_window_s;

void world_usage_begin(void)
{
	first_window_s = world_wall_s() - world_wall_s() % WINDOW_S - 8 * WINDOW_S;
}

static int64_t window_of(int64_t moment_s)
{
	int64_t window = (moment_s - first_window_s) / WINDOW_S;

	return window < 0 ? 0 : window < WINDOWS ? window : WINDOWS - 1;
}

void world_usage_run(const struct world_run *run, int64_t from_s, int64_t to_s)
{
	/* slurm-maui sees whole seconds, and the end of a window within a cycle */
	windows[window_of(to_s)].doubt += run->procs * 2.0;
	for (int64_t at_s = from_s; at_s < to_s;) {
		int64_t window = window_of(at_s);
		int64_t end_s = first_window_s + (window + 1) * WINDOW_S;

		if (end_s > to_s)
			end_s = to_s;
		windows[window].used[run->user - WORLD_USER_0] +=
			(double)run->procs * (double)(end_s - at_s);
		at_s = end_s;
	}
}

/* So many processor seconds of now and shortly before may be charged twice, or not at all. */
void world_usage_doubt(double proc_s)
{
	for (int64_t window = window_of(world_wall_s()), i = 0; i < 3 && window - i >= 0; i++)
		windows[window - i].doubt += proc_s;
}

void world_usage_step(int64_t step_s)
{
	int64_t from = window_of(world_wall_s() - (step_s < 0 ? -step_s : step_s) - WINDOW_S);
	int64_t to = window_of(world_wall_s() + (step_s < 0 ? -step_s : step_s) + WINDOW_S);

	for (int64_t window = from; window <= to; window++)
		windows[window].doubt = INFINITY;
}

static double running_in(int64_t from_s, int64_t to_s, uint32_t user)
{
	double used = 0;

	for (size_t r = 0; r < world.run_count; r++) {
		const struct world_run *run = &world.runs[r];
		int64_t start_s = run->start_s > from_s ? run->start_s : from_s;

		if (run->user == user && start_s < to_s)
			used += (double)run->procs * (double)(to_s - start_s);
	}
	return used;
}

static void check_window(const struct maui_usage_window *window)
{
	int64_t place = window_of(window->start_s);
	double doubt = windows[place].doubt + 60;

	for (int u = 0; u < world.user_count; u++) {
		char name[8];
		double used = windows[place].used[u] + running_in(window->start_s,
								  window->start_s + WINDOW_S,
								  WORLD_USER_0 + (uint32_t)u);
		double charged;

		snprintf(name, sizeof(name), "u%d", u);
		charged = maui_usage_get(window, MAUI_CRED_USER, name);
		if (fabs(charged - used) > doubt)
			world_fault("window %lld: u%d is charged %.0f processor seconds, used %.0f "
				    "(in doubt: %.0f)",
				    (long long)window->start_s, u, charged, used, doubt);
	}
}

/* Windows that have ended a while ago. */
static void check_usage(struct maui_controller *c)
{
	for (size_t i = 0; i < c->usage.count; i++)
		if (c->usage.windows[i].start_s + WINDOW_S + 7200 < world_wall_s())
			check_window(&c->usage.windows[i]);
}

/* ---- RESERVATIONPOLICY HIGHEST ---- */

enum { PROMISES = 16 };

static struct promise {
	uint32_t job_id;
	int64_t submit_s, start_s;
} promises[PROMISES];
static size_t promise_count;
static int void_cycles = 2; /* one may be under way, with an old plan */

void world_promise_void(const char *why)
{
	(void)why;
	void_cycles = 2;
}

/* Jobs that outlive their limit may delay others, and so may nodes that are not clean yet: a job
 * that starts seconds late ends late, and the promises behind it move. */
static bool any_late(void)
{
	if (bit_ffs(world_tables.cg) >= 0)
		return true;
	for (size_t r = 0; r < world.run_count; r++) {
		const job_record_t *job_ptr = find_job_record(world.runs[r].job_id);

		if (job_ptr && job_ptr->end_time <= world_wall_s())
			return true;
	}
	return false;
}

static void check_promise(const struct maui_saved_job_rsvs *now, const struct promise *promise)
{
	const job_record_t *job_ptr = find_job_record(promise->job_id);

	/* of an array the next task is promised something else */
	if (!job_ptr || !IS_JOB_PENDING(job_ptr) || job_ptr->priority == 0 ||
	    job_ptr->array_job_id || job_ptr->details->submit_time != promise->submit_s)
		return;
	for (size_t i = 0; i < now->count; i++)
		if (now->list[i].job_id == promise->job_id) {
			if (now->list[i].start_s > promise->start_s + 120)
				world_fault("job %u was promised %lld, and now %lld",
					    promise->job_id, (long long)promise->start_s,
					    (long long)now->list[i].start_s);
			return;
		}
	if (IS_JOB_PENDING(job_ptr))
		world_fault("job %u was promised %lld, and has lost it", promise->job_id,
			    (long long)promise->start_s);
}

static void check_promises(const struct maui_sched *sched)
{
	const struct maui_saved_job_rsvs *now = &sched->job_rsvs;

	static const struct maui_config *promised_by;

	follow_config();
	if (any_late() || promised_by != known_config)
		void_cycles = 2;
	promised_by = known_config;
	/* with limits another job of the user may take the place that the promised one needs */
	if (in_force.max_jobs || in_force.max_procs)
		void_cycles = 2;
	for (size_t i = 0;
	     i < promise_count && world.promises && void_cycles == 0 && in_force.highest; i++)
		check_promise(now, &promises[i]);
	void_cycles -= void_cycles > 0;
	promise_count = 0;
	for (size_t i = 0; i < now->count && promise_count < PROMISES; i++)
		promises[promise_count++] =
			(struct promise){ now->list[i].job_id, now->list[i].submit_s,
					  now->list[i].start_s };
}

/* ---- after each cycle ---- */

enum { MEMORY_MAX = 16 * 1024 * 1024 };

void world_check_cycle(void)
{
	struct maui_controller *c = world_controller();

	if (!c || !c->sched)
		return;
	check_usage(c);
	check_promises(c->sched);
	if (world_memory_used() > MEMORY_MAX)
		world_fault("slurm-maui has %zu bytes of memory", world_memory_used());
}
