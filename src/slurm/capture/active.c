/* SPDX-License-Identifier: GPL-2.0-or-later */
/* active.c - reads what active jobs hold on each node, and until when */

#include "slurm/capture/private.h"

#include "slurm/abi.h"
#include "slurm/capture/jobs.h"
#include "slurm/capture/preemption.h"
#include "slurm/capture/walk.h"
#include "slurm/request/request.h"

/* Pieces, or jobs worth eight of them, between two looks at the clock. */
enum { WORK_A_LOOK = 256, WORK_OF_A_JOB = 8 };

/* The nodes of the current job, and what the job holds of each. Grown as needed, filled again for
 * each job. */
struct nodes_of_job {
	uint32_t *places, *nodes; /* order in the job's own arrays; index in the snapshot */
	int64_t *rows;
	/* processors that the job takes back when it resumes; 0 unless suspended */
	int64_t *resumes;
	const struct maui_share **shares; /* see struct maui_piece */
	uint32_t *share_counts;
	int64_t procs; /* of all nodes, also those that the job shares */
	uint32_t count, room;
};

bool maui_cluster_holds_cores(const struct job_record *job_ptr)
{
	return !IS_JOB_SUSPENDED(job_ptr) ||
	       ((slurm_conf.preempt_mode & PREEMPT_MODE_GANG) && job_ptr->priority != 0);
}

static bool is_active(const job_record_t *job_ptr)
{
	return IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr) || IS_JOB_COMPLETING(job_ptr);
}

/* Ids of jobs that run or have ended; licences that any job wants. */
static enum maui_draft_result walk_queue(struct maui_draft *draft)
{
	size_t room = job_list ? (size_t)list_count(job_list) : 0;
	maui_compat_iterator_t iterator;
	const job_record_t *job_ptr;

	if (room > 0 && !maui_abi_job_fits(list_peek(job_list)))
		return MAUI_DRAFT_FOREIGN;
	draft->job_ids = malloc((room + 1) * sizeof(*draft->job_ids));
	if (!draft->job_ids)
		return MAUI_DRAFT_NO_MEMORY;
	if (room == 0)
		return MAUI_DRAFT_DONE;
	iterator = list_iterator_create(job_list);
	while ((job_ptr = list_next(iterator)) && draft->job_count < room) {
		bool active = is_active(job_ptr);

		if (active || !IS_JOB_PENDING(job_ptr))
			draft->job_ids[draft->job_count++] = job_ptr->job_id;
		if (active || IS_JOB_PENDING(job_ptr))
			maui_draft_want_licenses(draft, job_ptr);
	}
	list_iterator_destroy(iterator);
	maui_draft_count_licenses(draft);
	return draft->failed ? MAUI_DRAFT_NO_MEMORY : MAUI_DRAFT_DONE;
}

enum maui_draft_result maui_draft_read_queue(struct maui_draft *draft)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK
	};
	enum maui_draft_result result;
	int64_t since;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	result = walk_queue(draft);
	maui_hold_note(&draft->cluster->reads, since);
	unlock_slurmctld(locks);
	return result;
}

static void free_room(struct nodes_of_job *nodes)
{
	free(nodes->places);
	free(nodes->nodes);
	free(nodes->rows);
	free(nodes->resumes);
	free(nodes->shares);
	free(nodes->share_counts);
}

static int make_room(struct nodes_of_job *nodes, uint32_t count, unsigned amounts)
{
	nodes->count = 0;
	nodes->procs = 0;
	if (count <= nodes->room)
		return 0;
	free_room(nodes);
	nodes->room = count;
	nodes->places = malloc(count * sizeof(*nodes->places));
	nodes->nodes = malloc(count * sizeof(*nodes->nodes));
	nodes->rows = malloc((size_t)count * amounts * sizeof(*nodes->rows));
	nodes->resumes = malloc(count * sizeof(*nodes->resumes));
	nodes->shares = malloc(count * sizeof(const struct maui_share *));
	nodes->share_counts = malloc(count * sizeof(*nodes->share_counts));
	if (nodes->places && nodes->nodes && nodes->rows && nodes->resumes && nodes->shares &&
	    nodes->share_counts)
		return 0;
	nodes->room = 0;
	return -1;
}

static bool is_consistent(const job_resources_t *res)
{
	return res && res->node_bitmap && res->nhosts > 0 &&
	       maui_cluster_has(res->cpus, res->nhosts, sizeof(*res->cpus));
}

/* The node of the step, if its cores in the job's bitmap are known; else NULL. */
static const node_record_t *node_of_cores(const job_resources_t *res,
					  const struct maui_cluster_step *step)
{
	if (step->cores == 0 || step->index >= node_record_count ||
	    step->from + step->cores > bit_size(res->core_bitmap))
		return NULL;
	return node_record_table_ptr[step->index];
}

static int64_t threads_of(const node_record_t *node_ptr)
{
	return node_ptr->tpc > 0 ? node_ptr->tpc : 1;
}

/* Processors that the job holds: a core with all its threads. */
static int64_t procs_held(const job_resources_t *res, const struct maui_cluster_step *step)
{
	const node_record_t *node_ptr = node_of_cores(res, step);

	if (!node_ptr)
		return res->cpus[step->place];
	return (int64_t)bit_set_count_range(res->core_bitmap, (int32_t)step->from,
					    (int32_t)(step->from + step->cores)) *
	       threads_of(node_ptr);
}

/* Whether a job still has the node: a completing one gives them back one by one. */
static bool holds_node(const job_record_t *job_ptr, int64_t index)
{
	bitstr_t *left = job_ptr->node_bitmap_cg;

	if (!IS_JOB_COMPLETING(job_ptr))
		return true;
	return left && index < bit_size(left) && bit_test(left, index);
}

struct active_walk {
	struct maui_draft *draft;
	struct nodes_of_job of;
	struct maui_request_site site;
	bool surveyed;
	/* of the current job */
	const job_record_t *job_ptr;
	bool whole, cores, shared, memory;
	unsigned cap_amount;
};

/* The bits of the cluster for shared cores of this node, [0] the number of cores that they are for.
 * NULL: no memory. */
static uint64_t *shared_cores_of(struct maui_cluster *cluster, int64_t node, int64_t cores)
{
	size_t words = 1 + ((size_t)cores + 63) / 64;

	if (!cluster->shared_cores)
		cluster->shared_cores =
			maui_arena_alloc(&cluster->arena, cluster->snapshot->node_count *
								  sizeof(*cluster->shared_cores));
	if (!cluster->shared_cores)
		return NULL;
	if (!cluster->shared_cores[node]) {
		cluster->shared_cores[node] =
			maui_arena_alloc(&cluster->arena, words * sizeof(uint64_t));
		if (cluster->shared_cores[node])
			cluster->shared_cores[node][0] = (uint64_t)cores;
	}
	return cluster->shared_cores[node];
}

/* The cores of the node that no other job which shares its cores holds as well, as processors; from
 * now on they are this job's. Which of them this is, is not important: Slurm chooses the nodes of
 * the jobs that come to shared cores. */
static int64_t procs_of_its_own(const struct active_walk *walk,
				const struct maui_cluster_step *step, int64_t node)
{
	const job_resources_t *res = walk->job_ptr->job_resrcs;
	const node_record_t *node_ptr = node_of_cores(res, step);
	uint64_t *held;
	int64_t count = 0;

	if (!node_ptr)
		return res->cpus[step->place];
	held = shared_cores_of(walk->draft->cluster, node, step->cores);
	walk->draft->failed |= !held;
	if (!held || held[0] < (uint64_t)step->cores) /* it had fewer when another job began */
		return procs_held(res, step);
	for (int64_t i = 0; i < step->cores; i++) {
		uint64_t bit = UINT64_C(1) << (i % 64), *word = &held[1 + i / 64];

		if (!bit_test(res->core_bitmap, step->from + i))
			continue;
		count += !(*word & bit);
		*word |= bit;
	}
	return count * threads_of(node_ptr);
}

static void fill_row(struct active_walk *walk, const struct maui_cluster_step *step, int64_t node)
{
	const job_resources_t *res = walk->job_ptr->job_resrcs;
	struct maui_cluster *cluster = walk->draft->cluster;
	const int64_t *have = cluster->snapshot->nodes[node].have;
	struct nodes_of_job *of = &walk->of;
	int64_t *row = &of->rows[(size_t)of->count * cluster->amount_count];
	int64_t procs = procs_held(res, step);

	if (walk->whole && procs < have[MAUI_AMOUNT_PROCS])
		procs = have[MAUI_AMOUNT_PROCS];
	memset(row, 0, cluster->amount_count * sizeof(*row));
	if (walk->cores)
		row[MAUI_AMOUNT_PROCS] = walk->shared ? procs_of_its_own(walk, step, node) : procs;
	if (walk->memory)
		row[MAUI_AMOUNT_MEM] = (int64_t)res->memory_allocated[step->place];
	row[MAUI_AMOUNT_DISK] = walk->job_ptr->details->pn_min_tmp_disk;
	if (walk->cap_amount)
		row[walk->cap_amount] += walk->cores ? procs : 0;
	of->procs += walk->cores ? procs : 0;
	of->resumes[of->count] = walk->cores ? 0 : procs;
	of->share_counts[of->count] = 0;
	if (walk->cores && walk->draft->share_count > 0)
		of->share_counts[of->count] =
			maui_draft_hold_shares(walk->draft, res, step->from, step->cores,
					       step->index, &of->shares[of->count]);
	of->places[of->count] = step->place;
	of->nodes[of->count++] = (uint32_t)node;
}

static unsigned cap_amount_of(const struct maui_cluster *cluster, const job_record_t *job_ptr)
{
	int64_t p = job_ptr->part_ptr ? maui_snapshot_find_partition(cluster->snapshot,
								     job_ptr->part_ptr->name) :
					-1;

	return p < 0 ? 0 : cluster->snapshot->partitions[p].cap_amount;
}

/* Reads the job's nodes into walk->of. -1: no memory. */
static int walk_nodes(struct active_walk *walk)
{
	struct maui_cluster *cluster = walk->draft->cluster;
	const job_record_t *job_ptr = walk->job_ptr;
	job_resources_t *res = job_ptr->job_resrcs;
	struct maui_cluster_step step = { 0 };

	if (make_room(&walk->of, res->nhosts, cluster->amount_count))
		return -1;
	walk->whole = cluster->rules.linear || maui_compat_is_exclusive(job_ptr) ||
		      (job_ptr->part_ptr && job_ptr->part_ptr->max_share == 0);
	walk->cores = maui_cluster_holds_cores(job_ptr);
	walk->shared = job_ptr->part_ptr && maui_request_shares_cores(job_ptr, job_ptr->part_ptr);
	walk->memory = cluster->rules.memory && maui_cluster_has(res->memory_allocated, res->nhosts,
								 sizeof(*res->memory_allocated));
	walk->cap_amount = cap_amount_of(cluster, job_ptr);
	while (maui_cluster_walk(res, &step)) {
		int64_t node = maui_snapshot_find_node(cluster->snapshot, (uint32_t)step.index);

		/* no processors: the node was given back when the job was made smaller */
		if (node >= 0 && res->cpus[step.place] > 0 && holds_node(job_ptr, step.index))
			fill_row(walk, &step, node);
	}
	maui_cluster_hold_gres(cluster, job_ptr, walk->of.places, walk->of.count, walk->of.rows);
	return 0;
}

/* Turns rows into pieces; equal neighbours share their amounts. NULL without memory. */
static const struct maui_piece *make_pieces(struct active_walk *walk)
{
	struct maui_cluster *cluster = walk->draft->cluster;
	size_t size = cluster->amount_count * sizeof(int64_t);
	const struct nodes_of_job *of = &walk->of;
	struct maui_piece *pieces;

	pieces = maui_arena_alloc(&cluster->arena, (of->count + 1u) * sizeof(*pieces));
	for (uint32_t i = 0; pieces && i < of->count; i++) {
		const int64_t *row = &of->rows[(size_t)i * cluster->amount_count];

		pieces[i].node = of->nodes[i];
		pieces[i].resumes = of->resumes[i];
		pieces[i].shares = of->share_counts[i] ? of->shares[i] : NULL;
		pieces[i].share_count = of->share_counts[i];
		if (i > 0 && memcmp(row, pieces[i - 1].amounts, size) == 0) {
			pieces[i].amounts = pieces[i - 1].amounts;
			continue;
		}
		pieces[i].amounts = maui_arena_alloc(&cluster->arena, size);
		if (!pieces[i].amounts)
			return NULL;
		memcpy((void *)pieces[i].amounts, row, size);
	}
	return pieces;
}

/* Seconds; MAUI_NEVER: no limit. */
static int64_t limit_of(const job_record_t *job_ptr)
{
	if (job_ptr->time_limit == INFINITE || job_ptr->time_limit == NO_VAL)
		return MAUI_NEVER;
	return (int64_t)job_ptr->time_limit * 60;
}

/* The end of a job; a suspended one counts as resumed now. For jobs without a limit Slurm writes
 * an end a year away. */
static int64_t end_of(const job_record_t *job_ptr, int64_t now_s)
{
	int64_t limit_s = limit_of(job_ptr);

	if (IS_JOB_COMPLETING(job_ptr))
		return now_s;
	if (job_ptr->preempt_time && IS_JOB_RUNNING(job_ptr))
		return job_ptr->end_time;
	if (limit_s == MAUI_NEVER)
		return MAUI_NEVER;
	if (IS_JOB_SUSPENDED(job_ptr))
		return now_s +
		       (limit_s > job_ptr->pre_sus_time ? limit_s - job_ptr->pre_sus_time : 1);
	return job_ptr->end_time > 0 ? job_ptr->end_time :
				       maui_when_add(job_ptr->start_time, limit_s);
}

static void read_job(const job_record_t *job_ptr, uint32_t nodes, struct maui_job *ret)
{
	uint64_t memory = job_ptr->details->pn_min_memory;
	int64_t limit_s = limit_of(job_ptr);

	ret->active = true;
	ret->nodes = nodes;
	ret->procs = job_ptr->total_cpus;
	ret->mem_mb = memory & MEM_PER_CPU ? (double)(memory & ~MEM_PER_CPU) * ret->procs :
					     (double)memory * nodes;
	ret->disk_mb = (double)job_ptr->details->pn_min_tmp_disk * nodes;
	ret->walltime_s = limit_s == MAUI_NEVER ? 0 : (double)limit_s;
}

/* Reads what the job holds of nodes, and until when. False: its record is inconsistent. */
static bool read_pieces(struct active_walk *walk, const job_record_t *job_ptr,
			struct maui_active *ret)
{
	walk->job_ptr = job_ptr;
	if (!job_ptr->details || !is_consistent(job_ptr->job_resrcs))
		return false;
	*ret = (struct maui_active){ .id = job_ptr->job_id };
	if (!walk_nodes(walk))
		ret->pieces = make_pieces(walk);
	walk->draft->failed |= !ret->pieces;
	ret->piece_count = walk->of.count;
	ret->start_s = job_ptr->start_time;
	ret->end_s = end_of(job_ptr, walk->draft->cluster->now_s);
	ret->procs = walk->of.procs;
	return !walk->draft->failed;
}

/* False: the job holds nothing, or its record is inconsistent. */
static bool read_active(struct active_walk *walk, const job_record_t *job_ptr,
			struct maui_active *ret)
{
	if (!read_pieces(walk, job_ptr, ret))
		return false;
	ret->global = maui_draft_hold_licenses(walk->draft, job_ptr);
	if (walk->of.count == 0 && (IS_JOB_COMPLETING(job_ptr) && !ret->global))
		return false;
	ret->suspended = IS_JOB_SUSPENDED(job_ptr);
	ret->sole_user =
		maui_compat_is_exclusive_to_user(job_ptr) ||
		(job_ptr->part_ptr && (job_ptr->part_ptr->flags & PART_FLAG_EXCLUSIVE_USER));
	maui_request_size(&walk->site, job_ptr, &ret->asked_tasks, &ret->asked_procs);
	read_job(job_ptr, ret->piece_count, &ret->job);
	maui_preemption_read_active(walk->draft->cluster, (job_record_t *)job_ptr, ret);
	return !walk->draft->failed;
}

/* A job that waits is captured by the eligibility walk. */
static void read_job_record(struct active_walk *walk, const job_record_t *job_ptr)
{
	struct maui_cluster *cluster = walk->draft->cluster;
	uint32_t n = cluster->active_count;

	if (!IS_JOB_PENDING(job_ptr) && maui_capture_add(job_ptr, walk->draft->jobs) < 0)
		walk->draft->failed = true;
	if (!is_active(job_ptr) || !read_active(walk, job_ptr, &cluster->active[n]))
		return;
	cluster->active_users[n] = job_ptr->user_id;
	cluster->active_completing[n] = IS_JOB_COMPLETING(job_ptr);
	cluster->active_count++;
}

/* As many jobs as fit into one short hold, from *at on. */
static enum maui_draft_result read_some(struct active_walk *walk, size_t *at)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK
	};
	struct maui_draft *draft = walk->draft;
	struct maui_cluster *cluster = draft->cluster;
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	unsigned work = 0;
	int64_t since, held_us;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	if (!maui_cluster_is_current(cluster->table))
		result = MAUI_DRAFT_CHANGED;
	else if (!walk->surveyed && maui_request_survey(&walk->site, cluster, &draft->arena))
		result = MAUI_DRAFT_NO_MEMORY;
	walk->surveyed = true;
	while (result == MAUI_DRAFT_DONE && *at < draft->job_count) {
		const job_record_t *job_ptr = find_job_record(draft->job_ids[(*at)++]);

		walk->of.count = 0;
		if (job_ptr)
			read_job_record(walk, job_ptr);
		work += WORK_OF_A_JOB + walk->of.count;
		if (draft->failed)
			result = MAUI_DRAFT_NO_MEMORY;
		if (work >= WORK_A_LOOK && maui_monotonic_us() - since > MAUI_HOLD_MAX_US)
			break;
		work = work >= WORK_A_LOOK ? 0 : work;
	}
	held_us = maui_hold_note(&cluster->reads, since);
	unlock_slurmctld(locks);
	if (result == MAUI_DRAFT_DONE && *at < draft->job_count)
		maui_hold_give_way(held_us);
	return result;
}

enum maui_draft_result maui_draft_read_active(struct maui_draft *draft)
{
	struct maui_cluster *cluster = draft->cluster;
	struct active_walk walk = { .draft = draft };
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	size_t room = draft->job_count + 1, at = 0;

	cluster->active = maui_arena_alloc(&cluster->arena, room * sizeof(*cluster->active));
	cluster->active_users =
		maui_arena_alloc(&cluster->arena, room * sizeof(*cluster->active_users));
	cluster->active_completing =
		maui_arena_alloc(&cluster->arena, room * sizeof(*cluster->active_completing));
	if (!cluster->active || !cluster->active_users || !cluster->active_completing)
		return MAUI_DRAFT_NO_MEMORY;
	while (result == MAUI_DRAFT_DONE && at < draft->job_count)
		result = read_some(&walk, &at);
	free_room(&walk.of);
	return result;
}

/* Whether some reservation keeps certain processors: which of these a job holds is not known after
 * the capture. */
static bool has_shares(const struct maui_snapshot *s)
{
	for (uint32_t i = 0; i < s->claim_count; i++)
		if (s->claims[i].rsv == MAUI_CLAIM_FOREIGN && s->claims[i].amounts)
			return true;
	return false;
}

int maui_cluster_read_started(struct maui_cluster *cluster, uint32_t job_id,
			      struct maui_active *ret)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK
	};
	struct maui_draft draft = { .cluster = cluster };
	struct active_walk walk = { .draft = &draft };
	const job_record_t *job_ptr;
	bool done = false;
	int64_t since;

	if (has_shares(cluster->snapshot))
		return 0;
	lock_slurmctld(locks);
	since = maui_monotonic_us();
	job_ptr = maui_cluster_is_current(cluster->table) ? find_job_record(job_id) : NULL;
	if (job_ptr && is_active(job_ptr))
		done = read_pieces(&walk, job_ptr, ret);
	maui_hold_note(&cluster->reads, since);
	unlock_slurmctld(locks);
	free_room(&walk.of);
	return draft.failed ? -1 : done;
}
