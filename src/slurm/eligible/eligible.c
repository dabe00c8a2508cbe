/* SPDX-License-Identifier: GPL-2.0-or-later */
/* eligible.c - the walk over the pending jobs
 *
 * Copies the ids in one short hold, then looks at the jobs by id in chunks. job_list may grow
 * during the walk, because arrays are split; jobs may vanish between two chunks; and none of the
 * functions called may run inside an iteration of job_list.
 */

#include "slurm/eligible/private.h"

#include "base/array.h"
#include "base/bulk.h"
#include "slurm/capture/jobs.h"
#include "slurm/eligible/arrays.h"
#include "slurm/eligible/kept.h"
#include "slurm/hold.h"
#include "slurm/eligible/verdict.h"

static const slurmctld_lock_t write_locks = { .conf = READ_LOCK,
					      .job = WRITE_LOCK,
					      .node = WRITE_LOCK,
					      .part = READ_LOCK,
					      .fed = READ_LOCK };

static void add_id(struct maui_eligible_walk *walk, uint32_t id)
{
	uint32_t *grown =
		maui_array_grow(walk->ids, walk->id_count, &walk->id_alloc, sizeof(*grown));

	if (!grown) {
		walk->no_memory = true;
		return;
	}
	walk->ids = grown;
	walk->ids[walk->id_count++] = id;
}

static void clear_estimate(job_record_t *job_ptr)
{
	if (!job_ptr->start_time && !job_ptr->sched_nodes)
		return;
	job_ptr->start_time = 0;
	xfree(job_ptr->sched_nodes);
	last_job_update = time(NULL);
}

static void fill_pending(const job_record_t *job_ptr, struct maui_pending *ret)
{
	const job_array_struct_t *array = job_ptr->array_recs;

	ret->job_id = job_ptr->job_id;
	ret->array_job_id = job_ptr->array_job_id;
	ret->task_count = array && array->task_cnt > 0 ? array->task_cnt : 1;
	ret->user_id = job_ptr->user_id;
	ret->submit_s = job_ptr->details->submit_time;
	ret->fingerprint = maui_capture_fingerprint(job_ptr);
	ret->restarts = job_ptr->restart_cnt;
	ret->idle.id = job_ptr->job_id;
	ret->idle.submit_s = ret->submit_s;
	ret->idle.het_id = job_ptr->het_job_id;
	ret->idle.het_offset = job_ptr->het_job_offset;
	ret->idle.het_count =
		job_ptr->het_job_list ? (uint32_t)list_count(job_ptr->het_job_list) : 0;
	ret->idle.nice = (int64_t)job_ptr->details->nice - NICE_OFFSET;
	ret->idle.rows = ret->rows;
	ret->idle.start_by_s = maui_verdict_start_by(job_ptr);
}

/* The requests of the rows behind the first, where they are others. */
static int set_own_requests(struct maui_eligible_walk *walk, const job_record_t *job_ptr,
			    struct maui_pending *ret)
{
	for (uint32_t r = 1; r < ret->idle.row_count; r++) {
		const struct maui_chosen *tried = &walk->tried[r];
		struct maui_request_facts facts;

		if (maui_request_make(&walk->site, job_ptr, tried->part_ptr, &tried->bounds,
				      &facts))
			return -1;
		if (facts.request != ret->idle.request)
			ret->rows[r].own_request = facts.request + 1;
	}
	return 0;
}

/* The request in the partition of the first row, or of a job that may not run. */
static int set_request(struct maui_eligible_walk *walk, const job_record_t *job_ptr,
		       const struct maui_chosen *chosen, struct maui_pending *ret)
{
	struct maui_request_facts facts;

	if (maui_request_make(&walk->site, job_ptr, chosen->part_ptr, &chosen->bounds, &facts))
		return -1;
	ret->idle.request = facts.request;
	ret->idle.procs = facts.procs;
	ret->idle.limit_s = facts.limit_s;
	ret->idle.limit_min_s = facts.limit_min_s;
	ret->idle.copies = facts.copies;
	ret->most_s = facts.most_s;
	ret->idle.in_reservation = chosen->bounds.reservation != NULL;
	ret->idle.no_reservation = chosen->no_reservation;
	if (maui_compat_is_expedited(job_ptr))
		ret->idle.run = MAUI_RUN_FIRST;
	return 0;
}

/* As the record has it: of a job that may not run, or that has started. */
static struct maui_chosen as_recorded(const job_record_t *job_ptr)
{
	return (struct maui_chosen){
		.part_ptr = job_ptr->part_ptr,
		.bounds = { .nodes_min = job_ptr->details->min_nodes,
			    .nodes_max = job_ptr->details->max_nodes },
	};
}

/* Lists the job's partitions, and makes room for their rows. 0: it has none; -1: no memory. */
static int prepare_rows(struct maui_eligible_walk *walk, job_record_t *job_ptr,
			struct maui_pending *ret)
{
	struct maui_arena *arena = &walk->ret->arena;

	maui_eligible_list_parts(walk, job_ptr);
	ret->rows = maui_arena_alloc(arena, (walk->part_count + 1) * sizeof(*ret->rows));
	walk->tried = maui_arena_alloc(arena, (walk->part_count + 1) * sizeof(*walk->tried));
	if (!ret->rows || !walk->tried || walk->no_memory)
		return -1;
	return walk->part_count > 0;
}

/* 1: the job waits; 0: the job is gone, or has no partition of the snapshot. */
static int check_job(struct maui_eligible_walk *walk, job_record_t *job_ptr,
		     struct maui_pending *ret)
{
	enum maui_reason blocked = maui_verdict_job(job_ptr);
	int rc;

	if (!maui_verdict_is_pending(job_ptr))
		return 0;
	rc = prepare_rows(walk, job_ptr, ret);
	if (rc <= 0)
		return rc;
	if (blocked == MAUI_REASON_NONE)
		blocked = maui_eligible_place(walk, job_ptr, ret);
	if (blocked == MAUI_REASON_NONE && !maui_verdict_meets_deadline(job_ptr))
		return 0;
	if (blocked == MAUI_REASON_NONE) {
		job_ptr->last_sched_eval = time(NULL);
		/* --switches=N@TIME: the time begins with the first attempt to place the job */
		if (job_ptr->req_switch > 0 && job_ptr->wait4switch_start == 0)
			job_ptr->wait4switch_start = time(NULL);
	} else {
		walk->tried[0] = as_recorded(job_ptr);
		maui_eligible_list_rows(walk, job_ptr, ret);
		if (job_ptr->state_reason != WAIT_CLEANING)
			clear_estimate(job_ptr);
	}
	ret->idle.blocked = blocked;
	if (blocked == MAUI_REASON_BEGIN_TIME)
		ret->idle.blocked_until_s = job_ptr->details->begin_time;
	fill_pending(job_ptr, ret);
	if (ret->idle.row_count == 0)
		return 0;
	rc = set_request(walk, job_ptr, &walk->tried[0], ret);
	if (rc == 0 && blocked == MAUI_REASON_NONE)
		rc = set_own_requests(walk, job_ptr, ret);
	return rc ? -1 : 1;
}

/* Reads a record into `ret`, which is empty: how many jobs it gives, 0 or 1; -1 without memory. */
typedef int (*read_job_fn)(struct maui_eligible_walk *walk, job_record_t *job_ptr,
			   struct maui_pending *ret);

static void add_job(struct maui_eligible_walk *walk, job_record_t *job_ptr, read_job_fn read_job)
{
	struct maui_pending *grown = maui_bulk_grow(walk->ret->jobs, walk->ret->count,
						    &walk->ret->alloc, sizeof(*grown));
	int found;

	if (!grown) {
		walk->no_memory = true;
		return;
	}
	walk->ret->jobs = grown;
	grown[walk->ret->count] = (struct maui_pending){ 0 };
	found = read_job(walk, job_ptr, &grown[walk->ret->count]);
	if (found < 0)
		walk->no_memory = true;
	else
		walk->ret->count += (uint32_t)found;
}

/* Copies the record for priorities and charges, after Slurm's checks. `before`: the number of
 * eligible jobs before this one. */
static void capture_job(struct maui_eligible_walk *walk, const job_record_t *job_ptr,
			uint32_t before)
{
	bool is_seen = walk->ret->count > before;
	int added = maui_capture_add(job_ptr, walk->jobs);

	if (added < 0 || (is_seen && added == 0))
		walk->no_memory = true;
	else if (is_seen)
		walk->ret->jobs[before].captured = (uint32_t)walk->jobs->count - 1;
	if (is_seen && maui_kept_is_usable(walk->kept) &&
	    walk->ret->jobs[before].idle.blocked == MAUI_REASON_NONE)
		walk->ret->jobs[before].record = maui_kept_record(job_ptr, walk->jobs->now_s);
}

static bool is_over(int64_t since_us)
{
	return maui_monotonic_us() - since_us > MAUI_HOLD_MAX_US;
}

/* ---- jobs that are kept ---- */

enum { KEPT_AHEAD = 64 /* as many kept jobs in a row are worth another hold */ };

static struct maui_kept_job *kept_at(const struct maui_eligible_walk *walk, size_t at)
{
	return at < walk->found_count ? walk->found[at] : NULL;
}

/* Finds the jobs that did not change, as many as fit into one short hold; returns the next. */
static size_t find_some(struct maui_eligible_walk *walk, size_t at)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .job = READ_LOCK, .part = READ_LOCK };
	int64_t since, held_us;
	unsigned done = 0;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	walk->changed = !maui_cluster_is_current(walk->cluster->table);
	do {
		const job_record_t *job_ptr = find_job_record(walk->ids[at]);

		if (job_ptr && !walk->changed)
			walk->found[at] = maui_kept_find(walk->kept, job_ptr);
		at++;
	} while (at < walk->found_count && !maui_hold_is_over(since, ++done));
	held_us = maui_hold_note(&walk->ret->reads, since);
	unlock_slurmctld(locks);
	if (at < walk->found_count)
		maui_hold_give_way(held_us);
	return at;
}

/* Finds all jobs that did not change. */
static void find_kept(struct maui_eligible_walk *walk)
{
	size_t at = 0;

	if (!maui_kept_has_any(walk->kept) || walk->id_count == 0)
		return;
	walk->found = maui_arena_alloc(&walk->ret->arena, walk->id_count * sizeof(*walk->found));
	if (!walk->found)
		return;
	walk->found_count = walk->id_count;
	while (at < walk->found_count && !walk->changed)
		at = find_some(walk, at);
}

/* The job as it is kept, in terms of this cycle. Without a lock. -1 without memory. */
static int use_kept(struct maui_eligible_walk *walk, struct maui_kept_job *kept)
{
	struct maui_captured_jobs *all = walk->jobs;
	struct maui_pending *jobs =
		maui_bulk_grow(walk->ret->jobs, walk->ret->count, &walk->ret->alloc, sizeof(*jobs));
	struct maui_captured_job *copies;
	int64_t request = maui_kept_request(walk->kept, kept, walk->cluster->snapshot);
	struct maui_row *row = maui_arena_alloc(&walk->ret->arena, sizeof(*row));
	struct maui_pending *job;

	if (jobs)
		walk->ret->jobs = jobs;
	copies = maui_bulk_grow(all->jobs, all->count, &all->alloc, sizeof(*copies));
	if (copies)
		all->jobs = copies;
	if (!jobs || !copies || !row || request < 0)
		return -1;
	copies[all->count] = kept->captured;
	copies[all->count].until_s = all->now_s;
	copies[all->count].conditions.slurm_reason = kept->slurm_reason;
	*row = kept->row;
	job = &jobs[walk->ret->count++];
	*job = kept->pending;
	job->kept = kept;
	walk->ret->kept++;
	job->rows = row;
	job->idle.rows = row;
	job->idle.request = (uint32_t)request;
	job->captured = (uint32_t)all->count++;
	return 0;
}

/* Uses kept jobs up to the next one that is to be checked. */
static void use_some(struct maui_eligible_walk *walk)
{
	struct maui_kept_job *kept;

	while (walk->at < walk->id_count && !walk->no_memory && (kept = kept_at(walk, walk->at))) {
		walk->no_memory = use_kept(walk, kept) != 0;
		walk->at++;
	}
}

/* Whether so many kept jobs follow that they are used without the locks. */
static bool kept_follow(const struct maui_eligible_walk *walk)
{
	for (size_t i = 0; i < KEPT_AHEAD && walk->at + i < walk->id_count; i++)
		if (!kept_at(walk, walk->at + i))
			return false;
	return walk->at < walk->id_count;
}

/* ---- jobs that are checked ---- */

/* The mode that compares: the job must have the same verdict, request and copy as before. */
static void compare_kept(struct maui_eligible_walk *walk, struct maui_kept_job *kept,
			 uint32_t before)
{
	struct maui_pending *job = &walk->ret->jobs[before];
	int64_t request = maui_kept_request(walk->kept, kept, walk->cluster->snapshot);

	if (walk->ret->count == before || walk->no_memory || request < 0)
		return;
	maui_kept_compare(kept, request, job, &walk->jobs->jobs[job->captured]);
	walk->ret->kept++;
	if (job->record == kept->record)
		job->kept = kept;
}

/* Looks at the next job: first at what must be split off, then at the job. */
static void walk_next(struct maui_eligible_walk *walk, int64_t since_us)
{
	job_record_t *job_ptr = find_job_record(walk->ids[walk->at]);
	struct maui_kept_job *kept = kept_at(walk, walk->at);
	uint32_t task = 1, before;

	if (kept && !maui_kept_compares(walk->kept)) {
		use_some(walk);
		return;
	}
	/* the record may have changed since it was compared; a clock that is set back in the cycle
	 * makes a begin time lie ahead again, which counts in the fingerprint */
	if (kept && (!job_ptr || maui_kept_record(job_ptr, walk->jobs->now_s) != kept->record ||
		     time(NULL) < walk->jobs->now_s))
		kept = NULL;

	if (!job_ptr || !IS_JOB_PENDING(job_ptr)) {
		walk->at++;
		return;
	}
	while (task != 0) {
		job_ptr = maui_arrays_split(job_ptr, &task);
		if (task != 0)
			add_id(walk, task);
		if (task != 0 && is_over(since_us))
			return; /* the rest has the same id: the next hold goes on with it */
	}
	walk->at++;
	if (maui_kept_is_usable(walk->kept))
		maui_kept_limits_note(job_ptr);
	maui_verdict_renew(job_ptr);
	before = walk->ret->count;
	if (maui_verdict_is_pending(job_ptr))
		add_job(walk, job_ptr, check_job);
	capture_job(walk, job_ptr, before);
	if (kept)
		compare_kept(walk, kept, before);
}

static bool can_go_on(const struct maui_eligible_walk *walk)
{
	return walk->at < walk->id_count && !walk->no_memory && !walk->changed;
}

static void walk_some(struct maui_eligible_walk *walk)
{
	int64_t since, held_us;

	if (!maui_kept_compares(walk->kept))
		use_some(walk);
	if (!can_go_on(walk))
		return;
	lock_slurmctld(write_locks);
	since = maui_monotonic_us();
	walk->changed = !maui_cluster_is_current(walk->cluster->table);
	while (can_go_on(walk) && !is_over(since) &&
	       (maui_kept_compares(walk->kept) || !kept_follow(walk)))
		walk_next(walk, since);
	held_us = maui_hold_note(&walk->ret->writes, since);
	unlock_slurmctld(write_locks);
	if (can_go_on(walk))
		maui_hold_give_way(held_us);
}

static bool has_put_back(const struct maui_eligible_walk *walk)
{
	return walk->put_back_at < walk->put_back->count && !walk->no_memory && !walk->changed;
}

/* The request of a job that has started, as it was when the job waited. 1: it is there; 0: the
 * record, or the partition, is not. */
static int read_started(struct maui_eligible_walk *walk, job_record_t *job_ptr,
			struct maui_pending *ret)
{
	struct maui_chosen chosen;
	int64_t partition;

	if (!job_ptr || IS_JOB_PENDING(job_ptr) || !job_ptr->details || !job_ptr->part_ptr)
		return 0;
	partition = maui_snapshot_find_partition(walk->cluster->snapshot, job_ptr->part_ptr->name);
	if (partition < 0)
		return 0;
	ret->rows = maui_arena_alloc(&walk->ret->arena, sizeof(*ret->rows));
	if (!ret->rows)
		return -1;
	*ret->rows = (struct maui_row){ .partition = (uint32_t)partition,
					.priority = job_ptr->priority };
	chosen = as_recorded(job_ptr);
	chosen.bounds.reservation = job_ptr->resv_name;
	fill_pending(job_ptr, ret);
	ret->idle.row_count = 1;
	ret->task_count = 1;
	ret->fingerprint = 0;
	ret->put_back = true;
	if (set_request(walk, job_ptr, &chosen, ret))
		return -1;
	ret->idle.copies = 1;
	return 1;
}

static void put_back_some(struct maui_eligible_walk *walk)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK
	};
	int64_t since, held_us;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	walk->changed = !maui_cluster_is_current(walk->cluster->table);
	while (has_put_back(walk) && !is_over(since))
		add_job(walk, find_job_record(walk->put_back->ids[walk->put_back_at++]),
			read_started);
	held_us = maui_hold_note(&walk->ret->reads, since);
	unlock_slurmctld(locks);
	if (has_put_back(walk))
		maui_hold_give_way(held_us);
}

/* Begins the walk: ids of all pending jobs, tables that depend on the nodes only, state of burst
 * buffers. */
static void begin_walk(struct maui_eligible_walk *walk)
{
	maui_compat_iterator_t iterator;
	const job_record_t *job_ptr;
	int64_t since;

	lock_slurmctld(write_locks);
	since = maui_monotonic_us();
	bb_g_load_state(false);
	walk->changed = !maui_cluster_is_current(walk->cluster->table);
	if (!walk->changed)
		walk->no_memory =
			maui_request_prepare(&walk->site, walk->cluster, &walk->ret->arena) != 0;
	if (!walk->no_memory && !walk->changed)
		maui_kept_begin(walk->kept, walk->cluster, &walk->site,
				walk->jobs->config->poll_interval_s);
	iterator = list_iterator_create(job_list);
	while (!walk->no_memory && !walk->changed && (job_ptr = list_next(iterator)))
		if (IS_JOB_PENDING(job_ptr))
			add_id(walk, job_ptr->job_id);
	list_iterator_destroy(iterator);
	maui_hold_note(&walk->ret->writes, since);
	unlock_slurmctld(write_locks);
}

static void end_walk(struct maui_eligible_walk *walk)
{
	int64_t since;

	lock_slurmctld(write_locks);
	since = maui_monotonic_us();
	bb_g_job_try_stage_in();
	maui_hold_note(&walk->ret->writes, since);
	unlock_slurmctld(write_locks);
	free(walk->ids);
	free(walk->parts);
}

int maui_eligible_capture(struct maui_cluster *cluster, struct maui_captured_jobs *jobs,
			  const struct maui_put_back *put_back,
			  const struct maui_eligible_questions *questions, struct maui_kept *kept,
			  struct maui_eligible *ret, struct maui_err *err)
{
	struct maui_eligible_walk walk = {
		.cluster = cluster, .jobs = jobs, .ret = ret, .put_back = put_back, .kept = kept
	};

	walk.room = (struct maui_idle_resources){ .site = &walk.site, .arena = &ret->arena };
	walk.choice =
		(struct maui_reservation_choice){ .room = &walk.room, .questions = questions };
	*ret = (struct maui_eligible){ 0 };
	begin_walk(&walk);
	if (can_go_on(&walk))
		find_kept(&walk);
	while (can_go_on(&walk))
		walk_some(&walk);
	while (has_put_back(&walk))
		put_back_some(&walk);
	end_walk(&walk);
	if (!walk.no_memory && !walk.changed) {
		maui_kept_end(kept, cluster->snapshot, ret, jobs);
		return 0;
	}
	maui_eligible_finish(ret);
	if (walk.changed)
		return maui_err_set(err, "slurmctld's tables have changed");
	return maui_err_set(err, "no memory for %zu waiting jobs", walk.id_count);
}

void maui_eligible_finish(struct maui_eligible *eligible)
{
	maui_bulk_free(eligible->jobs, eligible->alloc * sizeof(*eligible->jobs));
	maui_arena_finish(&eligible->arena);
	*eligible = (struct maui_eligible){ 0 };
}

bool maui_eligible_again(struct job_record *job_ptr)
{
	return maui_verdict_is_pending(job_ptr) && job_ptr->part_ptr &&
	       maui_verdict_job(job_ptr) == MAUI_REASON_NONE && job_array_start_test(job_ptr) &&
	       maui_verdict_limits(job_ptr) == MAUI_REASON_NONE &&
	       maui_verdict_meets_deadline(job_ptr);
}
