/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - job_record_t to struct maui_captured_job
 *
 * First all ids are copied in one short walk, then the jobs by id. The locks are given back every
 * few milliseconds, so a long queue delays slurmctld no longer than a short one.
 */

#include "slurm/compat.h"

#include "slurm/capture/jobs.h"

#include "base/bulk.h"
#include "base/limits.h"
#include "model/comment.h"
#include "slurm/abi.h"
#include "config/config.h"
#include "slurm/capture/conditions.h"
#include "slurm/capture/preemption.h"
#include "slurm/request/job_gres.h"
#include "slurm/eligible/eligible.h"
#include "slurm/hold.h"

/* Processors of a waiting job: the minimum that it asks for. */
static double requested_procs(const job_record_t *job_ptr)
{
	uint32_t cpus = job_ptr->details->min_cpus, nodes = job_ptr->details->min_nodes;

	return cpus > nodes ? cpus : nodes;
}

/* A record whose quantities are copied. */
struct asked {
	const job_record_t *job_ptr;
	bool held;           /* it has nodes, or had them a moment ago */
	double nodes, procs; /* those that the job has, or had, else those that it asks for */
	struct maui_job_gres gres;
};

static double capture_nodes(const struct asked *asked)
{
	return asked->job_ptr->details->min_nodes;
}

static double capture_procs(const struct asked *asked)
{
	return asked->procs;
}

static double capture_mem_mb(const struct asked *asked)
{
	uint64_t memory = asked->job_ptr->details->pn_min_memory;
	const uint64_t *given = asked->held ? asked->job_ptr->tres_alloc_cnt : NULL;

	/* 0: memory is not given out */
	if (given && given[TRES_ARRAY_MEM] > 0 && given[TRES_ARRAY_MEM] < NO_VAL64)
		return (double)given[TRES_ARRAY_MEM];
	if (asked->gres.mem_mb > 0)
		return asked->gres.mem_mb;
	if (memory & MEM_PER_CPU)
		return (double)(memory & ~MEM_PER_CPU) * asked->procs;
	return (double)memory * asked->nodes;
}

static double capture_swap_mb(const struct asked *asked)
{
	(void)asked;
	return 0;
}

static double capture_disk_mb(const struct asked *asked)
{
	return (double)asked->job_ptr->details->pn_min_tmp_disk * asked->nodes;
}

static double capture_gpus(const struct asked *asked)
{
	return asked->gres.gpus;
}

static double capture_gres(const struct asked *asked)
{
	return asked->gres.weighed;
}

static void capture_quantities(const job_record_t *job_ptr, const struct maui_config *config,
			       struct maui_captured_job *ret)
{
	bool held = (ret->state != MAUI_CAPTURED_PENDING || IS_JOB_COMPLETING(job_ptr)) &&
		    job_ptr->total_cpus > 0;
	const struct asked asked = {
		.job_ptr = job_ptr,
		.held = held,
		.nodes = held ? job_ptr->total_nodes : job_ptr->details->min_nodes,
		.procs = held ? job_ptr->total_cpus : requested_procs(job_ptr),
		.gres = maui_job_gres_sum(job_ptr, config),
	};

#define CAPTURE(name, what) ret->name = capture_##name(&asked);
	MAUI_JOB_QUANTITIES(CAPTURE)
#undef CAPTURE
}

/* Without memory a name that nothing has: no name at all would lift the limits of its owner. */
static const char *copy_name(struct maui_arena *arena, const char *name)
{
	const char *copy = maui_arena_strdup(arena, name);

	return name && !copy ? "?" : copy;
}

/* The time limit in one partition: the job's own, else the partition's default, else its
 * maximum. */
static double walltime_s(const job_record_t *job_ptr, const part_record_t *part_ptr)
{
	uint32_t minutes = job_ptr->time_limit;

	if (minutes == NO_VAL)
		minutes = part_ptr->default_time;
	if (minutes == NO_VAL)
		minutes = part_ptr->max_time;
	return minutes == NO_VAL || minutes == INFINITE ? 0 : (double)minutes * 60;
}

static void capture_part(const job_record_t *job_ptr, const part_record_t *part_ptr,
			 struct maui_arena *arena, struct maui_captured_part *ret)
{
	ret->name = copy_name(arena, part_ptr->name);
	ret->job_factor = part_ptr->priority_job_factor == 1 ? 0 : part_ptr->priority_job_factor;
	ret->walltime_s = walltime_s(job_ptr, part_ptr);
	ret->up = part_ptr->state_up & PARTITION_SCHED;
}

struct part_walk {
	const job_record_t *job_ptr;
	struct maui_arena *arena;
	struct maui_captured_job *job;
};

static int walk_part(void *x, void *arg)
{
	struct part_walk *walk = arg;

	capture_part(walk->job_ptr, x, walk->arena, &walk->job->parts[walk->job->part_count++]);
	return 0;
}

/* Copies the partitions: of a pending job all of its list, of an active one the partition in which
 * it runs. */
static int capture_parts(const job_record_t *job_ptr, struct maui_arena *arena,
			 struct maui_captured_job *ret)
{
	struct part_walk walk = { .job_ptr = job_ptr, .arena = arena, .job = ret };
	bool many = ret->state == MAUI_CAPTURED_PENDING && job_ptr->part_ptr_list;
	size_t count = many ? (size_t)list_count(job_ptr->part_ptr_list) : 1;

	ret->parts = maui_arena_alloc(arena, count * sizeof(*ret->parts));
	if (!ret->parts)
		return -1;
	if (many)
		list_for_each(job_ptr->part_ptr_list, walk_part, &walk);
	else if (job_ptr->part_ptr)
		walk_part(job_ptr->part_ptr, &walk);
	return 0;
}

/* qos_ptr belongs to the association manager: its lock comes after slurmctld's. */
static void capture_qos(const job_record_t *job_ptr, struct maui_arena *arena,
			struct maui_captured_job *ret)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };

	if (job_ptr->qos_ptr) {
		assoc_mgr_lock(&locks);
		ret->qos = copy_name(arena, job_ptr->qos_ptr->name);
		assoc_mgr_unlock(&locks);
		return;
	}
	ret->qos_text = maui_comment_copy(job_ptr->admin_comment, MAUI_COMMENT_QOS, arena);
	if (!ret->qos_text)
		ret->qos_text = maui_arena_strdup(arena, maui_compat_qos_text(job_ptr));
}

/* Which tasks of an array the record stands for. */
static void capture_tasks(const job_record_t *job_ptr, struct maui_captured_job *ret)
{
	const job_array_struct_t *array = job_ptr->array_recs;

	ret->array_job_id = job_ptr->array_job_id;
	ret->array_task = job_ptr->array_task_id == NO_VAL ? MAUI_NO_TASK : job_ptr->array_task_id;
	ret->first_task = ret->last_task = ret->array_task;
	if (ret->array_task != MAUI_NO_TASK || !array || !array->task_id_bitmap ||
	    bit_ffs(array->task_id_bitmap) < 0)
		return;
	ret->first_task = (uint32_t)bit_ffs(array->task_id_bitmap);
	ret->last_task = (uint32_t)bit_fls(array->task_id_bitmap);
}

/* Users choose the name, and it may be long. */
static const char *capture_name(const job_record_t *job_ptr, struct maui_arena *arena)
{
	return job_ptr->name ?
		       maui_arena_printf(arena, "%.*s", MAUI_JOB_NAME_SHOWN, job_ptr->name) :
		       NULL;
}

int maui_capture_job(const struct job_record *job_ptr, const struct maui_config *config,
		     int64_t now_s, struct maui_arena *arena, struct maui_captured_job *ret)
{
	if (!maui_abi_job_fits(job_ptr) || !job_ptr->details)
		return -1;
	*ret = (struct maui_captured_job){ .job_id = job_ptr->job_id };
	capture_tasks(job_ptr, ret);
	ret->user_id = job_ptr->user_id;
	ret->group_id = job_ptr->group_id;
	ret->state = IS_JOB_PENDING(job_ptr)  ? MAUI_CAPTURED_PENDING :
		     IS_JOB_FINISHED(job_ptr) ? MAUI_CAPTURED_ENDED :
						MAUI_CAPTURED_ACTIVE;
	ret->suspended = IS_JOB_SUSPENDED(job_ptr);
	ret->held = job_ptr->priority == 0 && ret->state == MAUI_CAPTURED_PENDING;
	ret->dependent =
		ret->state == MAUI_CAPTURED_PENDING &&
		(job_ptr->state_reason == WAIT_DEPENDENCY || job_ptr->details->begin_time > now_s);
	/* Slurm's own holds have the same reason, and words: its user may release them */
	ret->held_by_user =
		ret->held && job_ptr->state_reason == WAIT_HELD_USER && !job_ptr->state_desc;
	ret->direct = job_ptr->direct_set_prio;
	ret->restarted = job_ptr->restart_cnt > 0;
	ret->starting = IS_JOB_CONFIGURING(job_ptr);
	ret->own_limit = job_ptr->time_limit != NO_VAL;
	ret->requeueable = maui_preemption_is_requeueable(job_ptr);
	ret->het = (struct maui_het_place){ job_ptr->het_job_id, job_ptr->het_job_offset };
	ret->priority = job_ptr->priority;
	ret->nice = (int64_t)job_ptr->details->nice - NICE_OFFSET;
	capture_quantities(job_ptr, config, ret);
	maui_capture_times(job_ptr, now_s, ret);
	if (ret->state == MAUI_CAPTURED_PENDING)
		ret->fingerprint = maui_capture_fingerprint(job_ptr);
	ret->name = capture_name(job_ptr, arena);
	ret->account = copy_name(arena, job_ptr->account);
	capture_qos(job_ptr, arena, ret);
	ret->advres = maui_comment_copy(job_ptr->admin_comment, MAUI_COMMENT_ADVRES, arena);
	return capture_parts(job_ptr, arena, ret);
}

int maui_capture_add(const struct job_record *job_ptr, struct maui_captured_jobs *ret)
{
	struct maui_captured_job *grown =
		maui_bulk_grow(ret->jobs, ret->count, &ret->alloc, sizeof(*grown));
	struct maui_captured_job *job;
	int rc;

	if (!grown)
		return -1;
	ret->jobs = grown;
	job = &grown[ret->count];
	rc = maui_capture_job(job_ptr, ret->config, ret->now_s, &ret->arena, job);
	if (ret->arena.failed) /* a running job that is left out would count against no limit */
		return -1;
	if (rc)
		return 0;
	if (job->state == MAUI_CAPTURED_PENDING && maui_capture_conditions(job_ptr, ret, job))
		return -1;
	ret->count++;
	return 1;
}

struct node_sum {
	const struct maui_config *config;
	double weighed;
};

/* Without a type, or without a weight for the type, the weight of the name counts. */
static int add_node_gres(void *x, void *arg)
{
	const gres_state_t *gres = x;
	const gres_node_state_t *state = gres->gres_data;
	struct node_sum *sum = arg;
	double left;

	if (!state || !gres->gres_name)
		return 0;
	left = (double)state->gres_cnt_avail;
	for (uint16_t i = 0; i < state->type_cnt && state->type_name; i++) {
		double count = (double)state->type_cnt_avail[i];

		sum->weighed += count * maui_config_gres_weight(sum->config, gres->gres_name,
								state->type_name[i]);
		left -= count;
	}
	if (left > 0)
		sum->weighed += left * maui_config_gres_weight(sum->config, gres->gres_name, NULL);
	return 0;
}

void maui_capture_node_totals(const struct node_record *node_ptr, const struct maui_config *config,
			      struct maui_totals *ret)
{
	struct node_sum sum = { .config = config };

	ret->procs += node_ptr->config_ptr->cpus;
	ret->mem_mb += (double)node_ptr->config_ptr->real_memory;
	ret->disk_mb += node_ptr->config_ptr->tmp_disk;
	if (node_ptr->gres_list)
		list_for_each(node_ptr->gres_list, add_node_gres, &sum);
	ret->gres += sum.weighed;
}

static void capture_totals(const struct maui_config *config, struct maui_totals *ret)
{
	const node_record_t *node_ptr;

	*ret = (struct maui_totals){ 0 };
	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		if (node_ptr->config_ptr)
			maui_capture_node_totals(node_ptr, config, ret);
	}
}

/* Ids of all jobs, in a plain array. */
static uint32_t *capture_ids(struct maui_captured_jobs *captured, struct maui_hold_times *reads,
			     size_t *ret_count)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK
	};
	size_t room, count = 0;
	const job_record_t *job_ptr;
	uint32_t *ids;
	int64_t since;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	room = job_list && maui_abi_job_fits(list_peek(job_list)) ? (size_t)list_count(job_list) :
								    0;
	ids = malloc((room + 1) * sizeof(*ids));
	if (ids && room) {
		maui_compat_iterator_t iterator = list_iterator_create(job_list);

		while (count < room && (job_ptr = list_next(iterator)))
			ids[count++] = job_ptr->job_id;
		list_iterator_destroy(iterator);
	}
	capture_totals(captured->config, &captured->totals);
	maui_hold_note(reads, since);
	unlock_slurmctld(locks);
	*ret_count = count;
	return ids;
}

/* Copies as many jobs as fit into one short hold; returns the index of the next. */
static size_t capture_some(struct maui_captured_jobs *captured, struct maui_hold_times *reads,
			   const uint32_t *ids, size_t at, size_t count)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .job = READ_LOCK, .part = READ_LOCK };
	int64_t since, held_us;
	unsigned done = 0;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	do {
		const job_record_t *job_ptr = find_job_record(ids[at++]);

		if (job_ptr &&
		    maui_capture_job(job_ptr, captured->config, captured->now_s, &captured->arena,
				     &captured->jobs[captured->count]) == 0)
			captured->count++;
	} while (at < count && !maui_hold_is_over(since, ++done));
	held_us = maui_hold_note(reads, since);
	unlock_slurmctld(locks);
	if (at < count)
		maui_hold_give_way(held_us);
	return at;
}

int maui_capture_jobs(const struct maui_config *config, struct maui_captured_jobs *ret,
		      struct maui_hold_times *ret_reads, struct maui_err *err)
{
	size_t count = 0;
	uint32_t *ids;

	*ret = (struct maui_captured_jobs){ .config = config };
	*ret_reads = (struct maui_hold_times){ 0 };
	ids = capture_ids(ret, ret_reads, &count);
	ret->now_s = time(NULL);
	ret->alloc = count + 1;
	ret->jobs = maui_bulk_alloc(ret->alloc * sizeof(*ret->jobs));
	if (!ids || !ret->jobs) {
		free(ids);
		maui_captured_jobs_finish(ret);
		return maui_err_set(err, "no memory for a snapshot of %zu jobs", count);
	}
	for (size_t at = 0; at < count;)
		at = capture_some(ret, ret_reads, ids, at, count);
	free(ids);
	return 0;
}
