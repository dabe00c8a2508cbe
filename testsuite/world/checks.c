/* SPDX-License-Identifier: GPL-2.0-or-later */
/* checks.c - what must hold in every world */

#include "world.h"

#include <math.h>

#include "controller/sched/private.h"
#include "answers/document.h"
#include "state/usage.h"

/* ---- starts ---- */

/* The configuration that slurm-maui has in force: the one before until it has read the new one. */
static struct world_config in_force;
static int64_t known_config; /* the mark of the one in force */

/* slurm-maui reads maui.cfg after a reconfigure, at the begin of a round. */
static void follow_config(void)
{
	struct maui_controller *c = world_controller();

	/* not by its address: a later one may lie where an earlier one was */
	if (!c || c->config->max_start_s == known_config)
		return;
	known_config = c->config->max_start_s;
	in_force = *world_config_of(c->config);
}

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

/* A start names nodes by their places in the node table. */
static uint64_t node_table, node_table_read;

void world_check_nodes_made(void)
{
	node_table++;
}

void world_check_nodes_read(void)
{
	node_table_read = node_table;
}

static uint64_t begun_events, begun_ends; /* of the world, when the cycle began */

/* The plan has chosen none of the nodes where a reservation refuses the job. What has happened
 * since it was made, it does not know; nor the seconds until now. */
void world_check_planned(const job_record_t *job_ptr, const bitstr_t *nodes)
{
	enum { SECONDS = 120, DAY_S = 86400 };
	int64_t now_s = world_wall_s(), lasts_s = (int64_t)job_ptr->time_limit * 60 - SECONDS;

	if (node_table_read != node_table)
		world_fault("job %u starts by a plan for another node table", job_ptr->job_id);
	follow_config();
	if (begun_events != world.events || job_ptr->resv_ptr || job_ptr->time_limit == NO_VAL)
		return;
	if (lasts_s > DAY_S)
		lasts_s = DAY_S; /* reservations are made for three days */
	for (int i = 0; i < in_force.rsv_count; i++) {
		const struct world_sr *rsv = &in_force.rsvs[i];

		if (rsv->users & 1U << (job_ptr->user_id - WORLD_USER_0) ||
		    !is_open(rsv, now_s, now_s + lasts_s))
			continue;
		for (int n = 0; n < world.node_count; n++)
			if (rsv->nodes & 1U << n && bit_test((bitstr_t *)nodes, n))
				world_fault("job %u of u%u is planned on %s, in reservation %s, "
					    "which refuses it",
					    job_ptr->job_id, job_ptr->user_id - WORLD_USER_0,
					    world.nodes[n].name, rsv->name);
	}
}

static bool is_of(const struct world_run *run, const char *qos)
{
	return run->qos && strcmp(run->qos, qos) == 0;
}

bool world_may_be_preempted(const struct world_run *run)
{
	follow_config();
	return in_force.preempts && is_of(run, "low");
}

static bool resumed; /* an operator has resumed a job since the cycle began */

void world_check_resumed(void)
{
	resumed = true;
}

/* slurmctld does not look at limits when an operator resumes a job: with that job there may be more
 * than the plan knew, as if it were resumed after the start. */
void world_check_limits(const struct world_run *run)
{
	unsigned jobs = 0, procs = 0, high = 0;

	follow_config();
	if (resumed)
		return;
	for (size_t r = 0; r < world.run_count; r++) {
		const struct world_run *other = &world.runs[r];

		high += !other->suspended && is_of(other, "high");
		if (!other->suspended && other->user == run->user) {
			jobs++;
			procs += other->procs;
		}
	}
	if (in_force.high_jobs && is_of(run, "high") && high > in_force.high_jobs)
		world_fault("QOS high has %u jobs with job %u, MAXJOB is %u", high, run->job_id,
			    in_force.high_jobs);
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

static bool has_its_places(const struct maui_snapshot *s, const struct maui_start *start,
			   const struct world_run *run)
{
	for (uint32_t i = 0; i < start->place_count; i++)
		if (run->cpus[s->nodes[start->places[i].node].id] != start->places[i].procs)
			return false;
	return true;
}

/* Slurm deals the tasks out to the planned nodes as it likes. Where that is not as planned, a
 * promise beside the job may have to move. */
static void check_places(const job_record_t *job_ptr, const struct world_run *run)
{
	const struct maui_sched *sched = world_controller()->sched;
	const struct maui_snapshot *s = sched->iteration->cluster.snapshot;
	const struct maui_decisions *d = &sched->decisions;
	uint32_t id = job_ptr->array_job_id ? job_ptr->array_job_id : job_ptr->job_id;

	for (uint32_t i = 0; i < d->start_count; i++)
		if (s->idle[d->starts[i].job].id == id && has_its_places(s, &d->starts[i], run))
			return;
	world_note("job %u gets other processors than planned", job_ptr->job_id);
	world_promise_void("other processors than planned");
}

void world_check_start(job_record_t *job_ptr, const struct world_run *run)
{
	follow_config();
	world_note("job %u of u%u starts on %s: %u processors, %u min", job_ptr->job_id,
		   job_ptr->user_id - WORLD_USER_0, job_ptr->nodes, job_ptr->total_cpus,
		   job_ptr->time_limit);
	check_twice(run);
	check_places(job_ptr, run);
	world_check_limits(run);
	check_reservations(job_ptr, run);
	if (job_ptr->details->dependency)
		world_fault("job %u starts before %s", job_ptr->job_id,
			    job_ptr->details->dependency);
	if (job_ptr->deadline && job_ptr->end_time > job_ptr->deadline)
		world_fault("job %u starts, and ends after its deadline", job_ptr->job_id);
	if (job_ptr->het_job_id && !in_force.hets)
		world_fault("component %u of a het job starts, HETJOBS is OFF", job_ptr->job_id);
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
	for (int n = 0; n < world.node_count; n++) {
		uint32_t gpus = 0;

		for (size_t r = 0; r < world.run_count; r++)
			gpus += world.runs[r].gpus[n];
		if (gpus > world.nodes[n].gpus)
			world_fault("%s has %u GPUs, jobs have %u", world.nodes[n].name,
				    world.nodes[n].gpus, gpus);
		if (cpus[n] > world.nodes[n].cpus || memory[n] > world.nodes[n].memory)
			world_fault("%s has more jobs than room", world.nodes[n].name);
	}
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
		if (!IS_JOB_RUNNING(job_ptr) && !IS_JOB_SUSPENDED(job_ptr))
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
	world_licences_check();
	world_hets_check();
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
		int64_t start_s = run->charged_s > from_s ? run->charged_s : from_s;

		if (run->user == user && !run->suspended && start_s < to_s)
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
	int64_t made_s;      /* when this plan said so */
	bool behind_refused; /* a job waited then that Slurm had refused */
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

/* Who knows when a suspended job goes on? The plan expects it at once: as long as it stays
 * suspended its end comes no nearer, nor does the moment at which its nodes are free. Nor does that
 * of a job whose start Slurm has refused, and which is tried again minutes later. */
static int64_t may_move_s(const struct promise *promise)
{
	enum { SLACK_S = 120 };
	bool moves = promise->behind_refused;

	for (size_t r = 0; r < world.run_count; r++)
		moves |= world.runs[r].suspended;
	return moves ? SLACK_S + world_wall_s() - promise->made_s : SLACK_S;
}

static void check_promise(const struct maui_saved_job_rsvs *now, const struct promise *promise)
{
	const job_record_t *job_ptr = find_job_record(promise->job_id);

	/* of an array the next task is promised something else, and a het job's moment is made again
	 * by each plan (HET-2) */
	if (!job_ptr || !IS_JOB_PENDING(job_ptr) || job_ptr->priority == 0 ||
	    job_ptr->array_job_id || job_ptr->het_job_id ||
	    job_ptr->details->submit_time != promise->submit_s)
		return;
	for (size_t i = 0; i < now->count; i++)
		if (now->list[i].job_id == promise->job_id) {
			if (now->list[i].start_s > promise->start_s + may_move_s(promise))
				world_fault("job %u was promised %lld, and now %lld",
					    promise->job_id, (long long)promise->start_s,
					    (long long)now->list[i].start_s);
			return;
		}
	if (IS_JOB_PENDING(job_ptr))
		world_fault("job %u was promised %lld, and has lost it", promise->job_id,
			    (long long)promise->start_s);
}

/* What is new among the promises, for the log. */
static void note_promises(const struct maui_saved_job_rsvs *now)
{
	for (size_t i = 0; i < now->count; i++) {
		const struct maui_store_job_rsv *rsv = &now->list[i];
		uint32_t nodes = 0;
		bool known = false;

		for (size_t k = 0; k < promise_count; k++)
			known |= promises[k].job_id == rsv->job_id &&
				 promises[k].start_s == rsv->start_s;
		for (size_t k = 0; k < rsv->place_count; k++)
			nodes |= 1U << rsv->places[k].node;
		if (!known)
			world_note("job %llu is promised %lld on nodes %x of %s",
				   (unsigned long long)rsv->job_id, (long long)rsv->start_s, nodes,
				   rsv->partition);
	}
}

static void check_promises(const struct maui_sched *sched)
{
	const struct maui_saved_job_rsvs *now = &sched->job_rsvs;
	static int64_t promised_by;
	static const struct maui_plan *plan;
	static uint64_t starved;

	if (sched->plan == plan)
		return; /* the cycle was given up, and the next one begins at once */
	plan = sched->plan;
	note_promises(now);
	follow_config();
	/* a job that ends between a plan and its starts leaves room that Slurm uses otherwise */
	if (any_late() || promised_by != known_config || starved != world.starved ||
	    begun_events != world.events || begun_ends != world.ended)
		void_cycles = 2;
	promised_by = known_config;
	starved = world.starved; /* without memory a job reservation is left out */

	for (size_t i = 0;
	     i < promise_count && world.promises && void_cycles == 0 && in_force.highest; i++)
		check_promise(now, &promises[i]);
	void_cycles -= void_cycles > 0;
	promise_count = 0;
	for (size_t i = 0; i < now->count && promise_count < PROMISES; i++)
		promises[promise_count++] =
			(struct promise){ now->list[i].job_id, now->list[i].submit_s,
					  now->list[i].start_s, world_wall_s(),
					  world_any_refused() };
}

/* ---- cycles ---- */

/* A cycle has a cause. Where nothing happens, one more looks for what the last one's own writes may
 * have hidden, and some wait for a moment that comes nearer. */
enum { IDLE_CYCLES = 8, IDLE_GAP_S = 4 };

static void check_cause(void)
{
	static uint64_t changes, cycles;
	static int64_t since_us;

	/* each second slurm-maui looks whether the jobs are gone that have made room */
	if (changes != world.changes || (world.preempted && bit_ffs(world_tables.cg) >= 0)) {
		changes = world.changes;
		cycles = 0;
		since_us = world_now_us;
	}
	if (++cycles >
	    IDLE_CYCLES + (uint64_t)((world_now_us - since_us) / WORLD_SECOND) / IDLE_GAP_S)
		world_fault("%llu cycles in %lld seconds in which nothing happened",
			    (unsigned long long)cycles,
			    (long long)((world_now_us - since_us) / WORLD_SECOND));
}

/* ---- memory ---- */

enum { MEMORY_MAX = 16 * 1024 * 1024, DAY_S = 86400, WARM_DAYS = 8, WINDOW_DAYS = 8 };

/* The most that a day needs does not grow: the least of these in eight days is compared with that
 * of the first eight days. The first day of all does not count: it begins with an empty cluster. */
static void check_memory(void)
{
	static size_t of_day, of_days = SIZE_MAX, at_first;
	static int64_t day;
	size_t used = world_memory_used();

	if (used > MEMORY_MAX)
		world_fault("slurm-maui has %zu bytes of memory", used);
	of_day = used > of_day ? used : of_day;
	if (world_now_us / WORLD_SECOND / DAY_S == day)
		return;
	day = world_now_us / WORLD_SECOND / DAY_S;
	if (day > 1)
		of_days = of_day < of_days ? of_day : of_days;
	world_note("memory: %zu bytes at most", of_day);
	of_day = 0;
	if (day < WARM_DAYS || day % WINDOW_DAYS != 0)
		return;
	if (!at_first)
		at_first = of_days;
	if (of_days > at_first + at_first / 4)
		world_fault("slurm-maui needs %zu bytes of memory, and on day 8 needed %zu",
			    of_days, at_first);
	of_days = SIZE_MAX;
}

/* ---- after each cycle ---- */

enum { TOLD_EVERY = 6 };

static uint64_t begun; /* world.changes when the cycle began */
static const struct maui_document *old_document;

void world_check_begin(void)
{
	const struct maui_controller *c = world_controller();

	begun = world.changes;
	begun_events = world.events;
	begun_ends = world.ended;
	resumed = false;
	old_document = c && c->sched ? c->sched->document : NULL;
}

void world_check_cycle(void)
{
	struct maui_controller *c = world_controller();

	if (!c || !c->sched)
		return;
	check_cause();
	check_usage(c);
	check_promises(c->sched);
	/* a document is published once a second */
	if (begun == world.changes && world.cycles % TOLD_EVERY == 0 &&
	    c->sched->document != old_document)
		world_check_told(c->sched->document);
	check_memory();
}
