/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - what happens in the world: users, operators, nodes, clocks, disks, deaths */

#include "world.h"

enum { MINUTE = 60, HOUR = 3600 };

static job_record_t *pick_job(bool pending)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	job_record_t *job_ptr, *found = NULL;
	uint64_t seen = 0;

	while ((job_ptr = list_next(iterator)))
		if ((pending ? IS_JOB_PENDING(job_ptr) : IS_JOB_RUNNING(job_ptr)) &&
		    !IS_JOB_COMPLETING(job_ptr) && world_random(++seen) == 0)
			found = job_ptr;
	list_iterator_destroy(iterator);
	return found;
}

static void submit_some(void)
{
	for (uint64_t i = 1 + world_random(4); i > 0; i--)
		world_job_submit();
}

static size_t run_of(const job_record_t *job_ptr)
{
	return (size_t)(world_find_run(job_ptr->job_id) - world.runs);
}

static void cancel_pending(job_record_t *job_ptr)
{
	world_note("job %u is cancelled", job_ptr->job_id);
	job_ptr->job_state = JOB_CANCELLED;
	job_ptr->start_time = job_ptr->end_time = world_wall_s();
	last_job_update = world_wall_s();
	slurmctld_diag_stats.jobs_canceled++;
}

static void cancel(void)
{
	job_record_t *job_ptr = pick_job(world_chance(60)), *other;
	ListIterator iterator;

	if (!job_ptr)
		return;
	if (IS_JOB_RUNNING(job_ptr)) {
		world_job_end(run_of(job_ptr), "cancelled", JOB_CANCELLED, false);
		return;
	}
	cancel_pending(job_ptr);
	iterator = list_iterator_create(world_tables.jobs);
	while ((other = list_next(iterator)))
		if (job_ptr->het_job_id && other->het_job_id == job_ptr->het_job_id &&
		    IS_JOB_PENDING(other))
			cancel_pending(other);
	list_iterator_destroy(iterator);
}

/* A job that vanishes, record and all, as slurmctld purges it. */
static void vanish(void)
{
	cancel();
	world_jobs_purge();
}

static void requeue(void)
{
	const job_record_t *job_ptr = pick_job(false);

	if (job_ptr)
		world_job_end(run_of(job_ptr), "requeued", JOB_PENDING, true);
}

static void change_job(job_record_t *job_ptr)
{
	if (!job_ptr)
		return;
	switch (world_random(6)) {
	case 0:
		if (job_ptr->time_limit != NO_VAL)
			job_ptr->time_limit = 1 + (uint32_t)world_random(600);
		if (job_ptr->time_min >= job_ptr->time_limit)
			job_ptr->time_min = 0;
		break;
	case 1:
		job_ptr->priority = 0;
		job_ptr->state_reason = WAIT_HELD_USER;
		break;
	case 2:
		job_ptr->details->nice = (uint32_t)(NICE_OFFSET + world_random(1000));
		break;
	case 3:
		job_ptr->direct_set_prio = 1;
		if (job_ptr->priority == 0)
			job_ptr->state_reason = WAIT_NO_REASON;
		job_ptr->priority = 1 + (uint32_t)world_random(1U << 31);
		break;
	case 4:
		job_ptr->details->begin_time = world_wall_s() + (time_t)world_random(2 * HOUR);
		break;
	default:
		job_ptr->details->whole_node =
			job_ptr->details->whole_node ? 0 : WHOLE_NODE_REQUIRED;
		break;
	}
	if (job_ptr->priority > 0 && !job_ptr->direct_set_prio)
		job_ptr->priority = world_product_priority(job_ptr);
	world_note("job %u is updated", job_ptr->job_id);
	world_refusals_forget(job_ptr->job_id);
	world_promise_void("an update");
	last_job_update = world_wall_s();
}

static void update(void)
{
	change_job(pick_job(true));
}

/* The job that goes first. */
static job_record_t *first_job(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	job_record_t *job_ptr, *first = NULL;

	while ((job_ptr = list_next(iterator)))
		if (IS_JOB_PENDING(job_ptr) && !IS_JOB_COMPLETING(job_ptr) && job_ptr->priority &&
		    (!first || job_ptr->priority > first->priority))
			first = job_ptr;
	list_iterator_destroy(iterator);
	return first;
}

static void release(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator)))
		if (IS_JOB_PENDING(job_ptr) && job_ptr->priority == 0 &&
		    !IS_JOB_COMPLETING(job_ptr)) {
			job_ptr->direct_set_prio = 0;
			job_ptr->state_reason = WAIT_NO_REASON;
			job_ptr->priority = world_product_priority(job_ptr);
			last_job_update = world_wall_s();
			world_note("job %u is released", job_ptr->job_id);
		}
	list_iterator_destroy(iterator);
}

/* ---- nodes ---- */

static void end_runs_on(int node)
{
	for (size_t r = 0; r < world.run_count;)
		if (world.runs[r].cpus[node] > 0)
			world_job_end(r, "node failure",
				      world_chance(50) ? JOB_NODE_FAIL : JOB_PENDING, true);
		else
			r++;
}

/* An operator suspends a job, and each of them is resumed when its cores are free. */
static void suspend(void)
{
	job_record_t *job_ptr = world.plan.suspends ? pick_job(false) : NULL;

	if (!job_ptr || job_ptr->het_job_id)
		return;
	world_promise_void("a suspended job");
	world_suspend(world_find_run(job_ptr->job_id), job_ptr);
}

static void resume(void)
{
	for (size_t r = 0; r < world.run_count; r++)
		if (world.runs[r].suspended && world_cores_free(&world.runs[r])) {
			world_promise_void("a resumed job");
			world_check_resumed();
			world_resume(&world.runs[r], find_job_record(world.runs[r].job_id));
			return;
		}
}

static void fail_node(void)
{
	int n = (int)world_random((uint64_t)world.node_count);
	struct world_node *node = &world.nodes[n];

	if (node->down || node->drain)
		return;
	node->returns_us = world_now_us + (int64_t)world_random(5 * HOUR) * WORLD_SECOND;
	world_promise_void("a node");
	if (world_chance(50)) {
		node->drain = true;
		world_note("%s is drained", node->name);
	} else {
		node->down = true;
		world_note("%s fails", node->name);
		end_runs_on(n);
	}
	world_nodes_update();
}

static void return_nodes(void)
{
	bool changed = false;

	for (int n = 0; n < world.node_count; n++) {
		struct world_node *node = &world.nodes[n];

		if (!node->returns_us || node->returns_us > world_now_us)
			continue;
		node->returns_us = 0;
		node->down = node->drain = false;
		world_note("%s returns", node->name);
		changed = true;
	}
	if (changed)
		world_nodes_update();
	world.changes += changed;
}

/* ---- operators ---- */

/* Since then maui.cfg is as it is: without memory slurm-maui would go on with the old one. */
static int64_t config_since_us;

static void reconfigure(void)
{
	bool new_config = world_chance(50);

	if (!world.plan.reconfigures)
		return;
	world_note("reconfigure%s", new_config ? " with another maui.cfg" : "");
	world_promise_void("a reconfigure");
	config_since_us = world_now_us;
	world_memory_fail(0, 0);
	if (new_config)
		world_config_write();
	world_nodes_free();
	world_nodes_make();
	world_check_nodes_made();
	world_slurm_conf_make();
	world_jobs_find_tables();
	world_product_reconfigure();
}

static int64_t partitions_next_us; /* another update soon after the last one; 0: none */

/* Often more than once in a second, under the same stamp. */
static void update_partitions(void)
{
	ListIterator iterator = list_iterator_create(world_tables.parts);
	part_record_t *part;

	while ((part = list_next(iterator)))
		if (world_chance(50))
			part->max_time =
				world_chance(50) ? 3 * 24 * 60 : 1 + (uint32_t)world_random(600);
	list_iterator_destroy(iterator);
	last_part_update = world_wall_s();
	world_note("partitions are updated");
	world_promise_void("an update of partitions");
	if (world_chance(30))
		partitions_next_us = world_now_us + (int64_t)world_random(WORLD_SECOND);
}

static void reserve(void)
{
	if (world.plan.reservations)
		world_resv_make();
}

static void step_clock(void)
{
	int64_t step_s = world_chance(50) ? (int64_t)world_random(20) - 10 :
					    (int64_t)world_random(4 * HOUR) - 2 * HOUR;

	if (!world.plan.steps)
		return;
	world_offset_us += step_s * WORLD_SECOND;
	world_note("the clock steps by %lld s", (long long)step_s);
	world_promise_void("a step of the clock");
	world_usage_step(step_s);
}

static void spoil_disk(void)
{
	if (!world.plan.cuts)
		return;
	world_note("the disk fails");
	world_disk_fail(1 + (unsigned)world_random(40));
}

static void starve(void)
{
	if (!world.plan.hunger || world_now_us < config_since_us + 10 * MINUTE * WORLD_SECOND)
		return;
	world_note("memory runs out");
	world_usage_doubt(64.0 * (world_config.poll_s + 120));
	world_memory_fail((unsigned)world_random(2000),
			  1 + (unsigned)world_random(world_chance(50) ? 1 : 50));
}

static void arm_death(void)
{
	if (!world.plan.kills || world_fibers_armed())
		return;
	world_note("slurmctld is going to die");
	world_jobs_save();
	world_fibers_arm(1 + (unsigned)world_random(150));
	submit_some();
}

static void end_cleanly(void)
{
	world_restart();
}

/* ---- when ---- */

static struct kind {
	const char *name;
	void (*happen)(void);
	int64_t mean_s;
	bool gap; /* may happen between two holds of the locks */
	int64_t next_us;
} kinds[] = {
	{ "submit", submit_some, 40 * MINUTE, true, 0 },
	{ "cancel", cancel, 4 * HOUR, true, 0 },
	{ "vanish", vanish, 8 * HOUR, true, 0 },
	{ "requeue", requeue, 10 * HOUR, true, 0 },
	{ "update", update, 4 * HOUR, true, 0 },
	{ "release", release, 6 * HOUR, true, 0 },
	{ "suspend", suspend, 12 * HOUR, true, 0 },
	{ "resume", resume, 3 * HOUR, true, 0 },
	{ "node", fail_node, 16 * HOUR, true, 0 },
	{ "reconfigure", reconfigure, 20 * HOUR, true, 0 },
	{ "partitions", update_partitions, 6 * HOUR, true, 0 },
	{ "reserve", reserve, 20 * HOUR, true, 0 },
	{ "clock", step_clock, 48 * HOUR, true, 0 },
	{ "disk", spoil_disk, 24 * HOUR, false, 0 },
	{ "death", arm_death, 24 * HOUR, false, 0 },
	{ "hunger", starve, 30 * MINUTE, false, 0 },
	{ "end", end_cleanly, 36 * HOUR, false, 0 },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void set_next(struct kind *kind)
{
	kind->next_us = world_now_us +
			(1 + (int64_t)world_random(2 * (uint64_t)kind->mean_s)) * WORLD_SECOND;
}

void world_events_plan(void)
{
	for (int i = 0; i < KINDS; i++)
		set_next(&kinds[i]);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t world_events_due_us(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	int64_t due_us = INT64_MAX;
	const job_record_t *job_ptr;

	for (int i = 0; i < KINDS; i++)
		due_us = least(due_us, kinds[i].next_us);
	for (size_t r = 0; r < world.run_count; r++)
		due_us = least(due_us, world.runs[r].end_us);
	for (int n = 0; n < world.node_count; n++)
		if (world.nodes[n].returns_us)
			due_us = least(due_us, world.nodes[n].returns_us);
	while ((job_ptr = list_next(iterator)))
		if (IS_JOB_COMPLETING(job_ptr))
			due_us = least(due_us, world_now_us + WORLD_SECOND);
	list_iterator_destroy(iterator);
	return due_us;
}

static void happen(struct kind *kind)
{
	set_next(kind);
	kind->happen();
	if (kind->happen == update_partitions && partitions_next_us)
		kind->next_us = partitions_next_us;
	partitions_next_us = 0;
	world.events++;
	world.changes++;
	world_fibers_wake();
}

void world_events_run(void)
{
	uint64_t changes = world.changes;

	world_jobs_end_due();
	world_jobs_purge();
	return_nodes();
	for (int i = 0; i < KINDS && !world_fibers_died(); i++)
		if (kinds[i].next_us <= world_now_us)
			happen(&kinds[i]);
	if (changes != world.changes)
		world_fibers_wake();
	world_check_event();
}

/* What a plan that is carried out must notice. */
static void update_between(void)
{
	change_job(world_chance(50) ? first_job() : pick_job(true));
	world.events++;
	world.changes++;
	world_fibers_wake();
}

/* A job that has come within these seconds, and may start soon; NULL: none. */
enum { FRESH_S = 2 };

static job_record_t *fresh_job(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	job_record_t *job_ptr, *fresh = NULL;

	while ((job_ptr = list_next(iterator)))
		if (IS_JOB_PENDING(job_ptr) && job_ptr->priority > 0 && job_ptr->details &&
		    job_ptr->details->submit_time + FRESH_S > world_wall_s() && world_chance(50))
			fresh = job_ptr;
	list_iterator_destroy(iterator);
	return fresh;
}

/* Before a job starts that the plan has just seen: its user has it wait, or all nodes are made
 * anew. */
static void startle(job_record_t *job_ptr)
{
	if (world_chance(20)) {
		reconfigure();
	} else if (world_chance(70)) {
		if (world_chance(30)) {
			job_ptr->priority = 0;
			job_ptr->state_reason = WAIT_HELD_USER;
		} else {
			job_ptr->details->begin_time = world_wall_s() + HOUR;
		}
		last_job_update = world_wall_s();
		world_note("job %u is to wait", job_ptr->job_id);
		world_refusals_forget(job_ptr->job_id);
		world_promise_void("a hold");
	} else {
		change_job(job_ptr);
	}
	world.events++;
	world.changes++;
	world_fibers_wake();
}

void world_gap(void)
{
	struct world_outside before;
	bool in_agent = world_in_agent();
	job_record_t *fresh;
	bool busy;

	if (!in_agent || world_locked())
		return;
	busy = world_chance(world.plan.busy ? 10 : 2);
	before = world_leave();
	fresh = fresh_job();
	if (!busy && !(fresh && world_chance(10))) {
		world_return(before);
		return;
	}
	world_show_tables(true);
	world_jobs_end_due();
	if (fresh && world_chance(50))
		startle(fresh);
	if (world_chance(25)) {
		struct kind *kind = &kinds[world_random(KINDS)];

		/* as often as by themselves, compared with each other */
		if (kind->gap && world_random((uint64_t)kind->mean_s) < 40 * MINUTE)
			happen(kind);
		else if (world.plan.busy && world_chance(60))
			update_between();
	}
	world_check_event();
	world_return(before);
	world_show_tables(!world_in_agent());
}
