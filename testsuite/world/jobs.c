/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - job records: made, copied, saved and restored, ended */

#include "world.h"

#include <stddef.h>

static List saved; /* copies of all records, as slurmctld's state file has them */

/* Texts that each record owns. */
static const size_t texts[] = {
	offsetof(job_record_t, account),    offsetof(job_record_t, admin_comment),
	offsetof(job_record_t, comment),    offsetof(job_record_t, name),
	offsetof(job_record_t, nodes),      offsetof(job_record_t, partition),
	offsetof(job_record_t, resv_name),  offsetof(job_record_t, sched_nodes),
	offsetof(job_record_t, state_desc), offsetof(job_record_t, user_name),
};
static const size_t detail_texts[] = {
	offsetof(struct job_details, features),
	offsetof(struct job_details, req_nodes),
	offsetof(struct job_details, exc_nodes),
	offsetof(struct job_details, dependency),
};

static char **text_of(void *record, size_t offset)
{
	return (char **)((char *)record + offset);
}

#define EACH(i, list) for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)

job_record_t *world_job_create(void)
{
	job_record_t *job_ptr = xmalloc(sizeof(*job_ptr));

	job_ptr->magic = 0xf0b7392c;
	job_ptr->details = xmalloc(sizeof(*job_ptr->details));
	job_ptr->details->magic = 0xdea84e7;
	job_ptr->details->core_spec = NO_VAL16;
	job_ptr->prio_factors = xmalloc(sizeof(*job_ptr->prio_factors));
	job_ptr->step_list = list_create(NULL);
	job_ptr->limit_set.tres = xcalloc((size_t)slurmctld_tres_cnt, sizeof(uint16_t));
	job_ptr->tres_req_cnt = xcalloc((size_t)slurmctld_tres_cnt, sizeof(uint64_t));
	job_ptr->array_task_id = NO_VAL;
	job_ptr->time_min = 0;
	return job_ptr;
}

static void free_array(job_record_t *job_ptr)
{
	if (!job_ptr->array_recs)
		return;
	FREE_NULL_BITMAP(job_ptr->array_recs->task_id_bitmap);
	xfree(job_ptr->array_recs->task_id_str);
	xfree(job_ptr->array_recs);
}

void world_job_free(void *x)
{
	job_record_t *job_ptr = x;

	EACH(i, texts)
	xfree(*text_of(job_ptr, texts[i]));
	EACH(i, detail_texts)
	xfree(*text_of(job_ptr->details, detail_texts[i]));
	free_array(job_ptr);
	FREE_NULL_LIST(job_ptr->details->depend_list);
	FREE_NULL_LIST(job_ptr->license_list);
	FREE_NULL_LIST(job_ptr->gres_list_req);
	FREE_NULL_LIST(job_ptr->gres_list_alloc);
	FREE_NULL_LIST(job_ptr->het_job_list);
	FREE_NULL_BITMAP(job_ptr->node_bitmap);
	FREE_NULL_BITMAP(job_ptr->node_bitmap_cg);
	FREE_NULL_BITMAP(job_ptr->details->req_node_bitmap);
	FREE_NULL_BITMAP(job_ptr->details->exc_node_bitmap);
	FREE_NULL_LIST(job_ptr->part_ptr_list);
	FREE_NULL_LIST(job_ptr->step_list);
	free_job_resources(&job_ptr->job_resrcs);
	xfree(job_ptr->priority_array);
	xfree(job_ptr->limit_set.tres);
	xfree(job_ptr->tres_req_cnt);
	xfree(job_ptr->tres_alloc_cnt);
	slurm_destroy_priority_factors_object(job_ptr->prio_factors);
	xfree(job_ptr->details);
	xfree(job_ptr);
}

static void *copy_array(const void *array, size_t count, size_t size)
{
	void *copy = array ? xcalloc(count, size) : NULL;

	if (copy)
		memcpy(copy, array, count * size);
	return copy;
}

static void copy_details(job_record_t *to, struct job_details *details)
{
	*to->details = *details;
	EACH(i, detail_texts)
	*text_of(to->details, detail_texts[i]) = xstrdup(*text_of(details, detail_texts[i]));
	to->details->req_node_bitmap =
		details->req_node_bitmap ? bit_copy(details->req_node_bitmap) : NULL;
	to->details->exc_node_bitmap =
		details->exc_node_bitmap ? bit_copy(details->exc_node_bitmap) : NULL;
}

job_record_t *world_job_copy(job_record_t *from)
{
	job_record_t *to = world_job_create();
	struct job_details *details = to->details;
	priority_factors_object_t *factors = to->prio_factors;
	List steps = to->step_list;
	size_t tres = (size_t)slurmctld_tres_cnt;

	xfree(to->limit_set.tres);
	xfree(to->tres_req_cnt);
	*to = *from;
	to->details = details;
	to->prio_factors = factors;
	to->step_list = steps;
	copy_details(to, from->details);
	EACH(i, texts)
	*text_of(to, texts[i]) = xstrdup(*text_of(from, texts[i]));
	to->limit_set.tres = copy_array(from->limit_set.tres, tres, sizeof(uint16_t));
	to->tres_req_cnt = copy_array(from->tres_req_cnt, tres, sizeof(uint64_t));
	to->tres_alloc_cnt = copy_array(from->tres_alloc_cnt, tres, sizeof(uint64_t));
	to->priority_array = from->priority_array ?
				     copy_array(from->priority_array,
						xsize(from->priority_array) / sizeof(uint32_t),
						sizeof(uint32_t)) :
				     NULL;
	to->part_ptr_list = from->part_ptr_list ? list_shallow_copy(from->part_ptr_list) : NULL;
	to->node_bitmap = from->node_bitmap ? bit_copy(from->node_bitmap) : NULL;
	to->node_bitmap_cg = from->node_bitmap_cg ? bit_copy(from->node_bitmap_cg) : NULL;
	to->job_resrcs = from->job_resrcs ? copy_job_resources(from->job_resrcs) : NULL;
	to->details->depend_list = NULL;
	world_depend_list(to);
	world_licences_copy(to, from);
	world_gres_copy(to, from);
	to->het_job_list = NULL;
	if (from->array_recs) {
		to->array_recs = copy_array(from->array_recs, 1, sizeof(*from->array_recs));
		to->array_recs->task_id_str = NULL;
		if (from->array_recs->task_id_bitmap)
			to->array_recs->task_id_bitmap = bit_copy(from->array_recs->task_id_bitmap);
	}
	return to;
}

static void leave_array(const job_record_t *job_ptr)
{
	job_record_t *head = job_ptr->array_job_id ? find_job_record(job_ptr->array_job_id) : NULL;

	if (head && head->array_recs && head->array_recs->tot_run_tasks > 0)
		head->array_recs->tot_run_tasks--;
}

/* ---- what slurmctld saves ---- */

static List copy_all(List list)
{
	List copies = list_create(world_job_free);
	ListIterator iterator = list_iterator_create(list);
	job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator)))
		list_append(copies, world_job_copy(job_ptr));
	list_iterator_destroy(iterator);
	return copies;
}

void world_jobs_save(void)
{
	bool before = world_memory_out();

	FREE_NULL_LIST(saved);
	saved = copy_all(world_tables.jobs);
	world_resvs_save();
	world_memory_leave(before);
}

/* Partitions by name: their records are new. */
static void find_parts(job_record_t *job_ptr)
{
	char *names = xstrdup(job_ptr->partition), *at = names, *name;

	FREE_NULL_LIST(job_ptr->part_ptr_list);
	job_ptr->part_ptr = NULL;
	if (strchr(names, ','))
		job_ptr->part_ptr_list = list_create(NULL);
	while ((name = strsep(&at, ","))) {
		part_record_t *part = find_part_record(name);

		if (!job_ptr->part_ptr)
			job_ptr->part_ptr = part;
		if (job_ptr->part_ptr_list)
			list_append(job_ptr->part_ptr_list, part);
	}
	xfree(names);
}

void world_jobs_find_tables(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator)))
		find_parts(job_ptr);
	list_iterator_destroy(iterator);
	world_hets_find();
}

/* Runs of jobs that slurmctld knows nothing of are killed by their nodes. */
static void end_orphans(void)
{
	for (size_t r = 0; r < world.run_count;) {
		const job_record_t *job_ptr = find_job_record(world.runs[r].job_id);

		if (job_ptr && (IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr))) {
			world_run_as_recorded(&world.runs[r++], job_ptr);
			continue;
		}
		world_note("the run of job %u is not known any more", world.runs[r].job_id);
		world_usage_doubt((double)world.runs[r].procs *
				  (double)(world_wall_s() - world.runs[r].start_s + 60));
		world.runs[r] = world.runs[--world.run_count];
	}
}

/* Jobs that ended after slurmctld had saved its state: their nodes say so. */
static void end_lost(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator)))
		if ((IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr)) &&
		    !world_find_run(job_ptr->job_id)) {
			world_usage_doubt((double)job_ptr->total_cpus *
					  (double)(world_wall_s() - job_ptr->start_time + 60));
			job_ptr->job_state = JOB_COMPLETE;
			job_ptr->end_time = world_wall_s();
			leave_array(job_ptr);
		}
	list_iterator_destroy(iterator);
}

void world_jobs_restore(void)
{
	FREE_NULL_LIST(world_tables.jobs);
	world_tables.jobs = saved;
	saved = NULL;
	world_tables_changed();
	end_orphans();
	end_lost();
	world_resvs_restore();
}

/* ---- submit ---- */

static unsigned count_pending(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	const job_record_t *job_ptr;
	unsigned count = 0;

	while ((job_ptr = list_next(iterator)))
		count += IS_JOB_PENDING(job_ptr);
	list_iterator_destroy(iterator);
	return count;
}

/* NULL: it would fit on no nodes. */
static job_record_t *make_job(void)
{
	job_record_t *job_ptr = world_job_create();
	int part = world_chance(60) ? 0 : (int)world_random((uint64_t)world.part_count);

	job_ptr->job_id = world.next_job++;
	job_ptr->user_id = WORLD_USER_0 + (uint32_t)world_random((uint64_t)world.user_count);
	job_ptr->group_id = 100;
	job_ptr->name = xstrdup("job");
	job_ptr->account = world_chance(50) ? xstrdup("lab") : NULL;
	job_ptr->job_state = JOB_PENDING;
	job_ptr->batch_flag = 1;
	job_ptr->details->requeue = 1;
	job_ptr->details->nice = NICE_OFFSET;
	job_ptr->partition = xstrdup(world_part(part)->name);
	if (part == 0 && world.part_count > 1 && world_chance(25))
		xstrcat(job_ptr->partition, ",front");
	find_parts(job_ptr);
	world_ask(job_ptr);
	if (!world_fits_empty(job_ptr) && world_chance(90)) { /* users know the cluster */
		world_job_free(job_ptr);
		return NULL;
	}
	return job_ptr;
}

static void enter(job_record_t *job_ptr)
{
	if (world_chance(8)) {
		job_ptr->priority = 0;
		job_ptr->state_reason = WAIT_HELD;
	} else {
		job_ptr->priority = world_product_priority(job_ptr);
	}
	world_note("job %u of %u: %u tasks of %u on %u to %u nodes, %u min%s%s", job_ptr->job_id,
		   job_ptr->user_id, job_ptr->details->num_tasks, job_ptr->details->cpus_per_task,
		   job_ptr->details->min_nodes, job_ptr->details->max_nodes, job_ptr->time_limit,
		   job_ptr->qos_ptr ? ", " : "", job_ptr->qos_ptr ? job_ptr->qos_ptr->name : "");
	last_job_update = world_wall_s();
	slurmctld_diag_stats.jobs_submitted++;
	world.submitted++;
}

static bool is_full(unsigned more)
{
	return count_pending() + more > WORLD_QUEUE ||
	       (unsigned)list_count(world_tables.jobs) + more > WORLD_JOBS;
}

static void submit_het(void)
{
	job_record_t *components[3];
	uint32_t count = 2 + (uint32_t)world_random(2), made = 0;

	if (is_full(count))
		return;
	while (made < count) {
		job_record_t *job_ptr = make_job();

		if (!job_ptr)
			continue;
		if (made > 0) {
			job_ptr->user_id = components[0]->user_id;
			job_ptr->qos_ptr = components[0]->qos_ptr;
			job_ptr->qos_id = components[0]->qos_id;
		}
		list_append(world_tables.jobs, job_ptr);
		components[made++] = job_ptr;
	}
	world_het_join(components, count);
	for (uint32_t i = 0; i < count; i++)
		enter(components[i]);
	for (uint32_t i = 0; i < count && components[0]->priority == 0; i++) {
		components[i]->priority = 0;
		components[i]->state_reason = WAIT_HELD;
	}
}

void world_job_submit(void)
{
	job_record_t *job_ptr;

	if (world.plan.hets && world_chance(6)) {
		submit_het();
		return;
	}
	job_ptr = is_full(1) ? NULL : make_job();
	if (!job_ptr)
		return;
	world_ask_more(job_ptr);
	list_append(world_tables.jobs, job_ptr);
	enter(job_ptr);
}

/* ---- ends ---- */

struct world_run *world_find_run(uint32_t job_id)
{
	for (size_t r = 0; r < world.run_count; r++)
		if (world.runs[r].job_id == job_id)
			return &world.runs[r];
	return NULL;
}

void world_job_end(size_t index, const char *how, uint32_t state, bool requeue)
{
	struct world_run run = world.runs[index];
	job_record_t *job_ptr = find_job_record(run.job_id);

	world.runs[index] = world.runs[--world.run_count];
	if (!run.suspended)
		world_usage_run(&run, run.charged_s, world_wall_s());
	world_note("job %u ends: %s", run.job_id, how);
	world.ended++;
	world.changes++;
	if (!job_ptr)
		world_fault("job %u runs and has no record", run.job_id);
	job_ptr->end_time = run.suspended ? job_ptr->suspend_time : world_wall_s();
	job_ptr->job_state = (requeue ? JOB_PENDING : state) | JOB_COMPLETING;
	job_ptr->node_bitmap_cg = bit_copy(job_ptr->node_bitmap);
	/* cleaned for so long; a requeued job long enough for a cycle to see it */
	job_ptr->time_last_active = world_wall_s() + (requeue ? 10 : (time_t)world_random(5));
	if (requeue && job_ptr->priority == 0) /* it was suspended */
		job_ptr->state_reason = WAIT_HELD;
	leave_array(job_ptr);
	world_nodes_update();
	last_job_update = world_wall_s();
	slurmctld_diag_stats.jobs_completed++;
	if (world_het_run(job_ptr))
		world_job_end((size_t)(world_het_run(job_ptr) - world.runs), how, state, requeue);
}

void world_job_take_back(job_record_t *job_ptr)
{
	struct world_run *run = world_find_run(job_ptr->job_id);

	if (!run || !IS_JOB_PENDING(job_ptr) || !IS_JOB_COMPLETING(job_ptr))
		world_fault("job %u is taken back, and has not started", job_ptr->job_id);
	world_note("job %u is taken back", run->job_id);
	world_usage_run(run, run->charged_s, world_wall_s());
	*run = world.runs[--world.run_count];
	job_ptr->time_last_active = world_wall_s() + 2;
	world.changes++;
	world_nodes_update();
}

static void forget_nodes(job_record_t *job_ptr)
{
	FREE_NULL_BITMAP(job_ptr->node_bitmap);
	FREE_NULL_LIST(job_ptr->gres_list_alloc);
	free_job_resources(&job_ptr->job_resrcs);
	xfree(job_ptr->nodes);
	xfree(job_ptr->tres_alloc_cnt);
	job_ptr->node_cnt = job_ptr->total_nodes = job_ptr->total_cpus = job_ptr->cpu_cnt = 0;
	job_ptr->start_time = job_ptr->end_time = 0;
	job_ptr->restart_cnt++;
	job_ptr->suspend_time = job_ptr->pre_sus_time = job_ptr->tot_sus_time = 0;
	/* a batch job waits until its last credential is surely void */
	if (job_ptr->batch_flag && job_ptr->details->begin_time <= world_wall_s())
		job_ptr->details->begin_time = world_wall_s() + 121;
	job_ptr->details->submit_time = world_wall_s();
	if (job_ptr->limit_set.time)
		job_ptr->time_limit = NO_VAL;
	job_ptr->limit_set.time = 0;
}

static void finish_completing(job_record_t *job_ptr)
{
	world_note("the nodes of job %u are clean", job_ptr->job_id);
	job_ptr->job_state &= (uint32_t)~JOB_COMPLETING;
	FREE_NULL_BITMAP(job_ptr->node_bitmap_cg);
	if (IS_JOB_PENDING(job_ptr))
		forget_nodes(job_ptr);
	last_job_update = world_wall_s();
}

/* Jobs whose time has come, and nodes that are clean again. */
void world_jobs_end_due(void)
{
	ListIterator iterator;
	job_record_t *job_ptr;
	bool changed = false;

	for (size_t r = 0; r < world.run_count;)
		if (world.runs[r].end_us <= world_now_us && !world.runs[r].suspended)
			world_job_end(r, "done", world_chance(90) ? JOB_COMPLETE : JOB_FAILED,
				      false);
		else
			r++;
	iterator = list_iterator_create(world_tables.jobs);
	while ((job_ptr = list_next(iterator)))
		if (IS_JOB_COMPLETING(job_ptr) && job_ptr->time_last_active <= world_wall_s()) {
			finish_completing(job_ptr);
			changed = true;
			world.changes++;
		}
	list_iterator_destroy(iterator);
	if (changed)
		world_nodes_update();
}

/* slurmctld forgets jobs MinJobAge after their end, but not while a scheduler works. */
static int is_old(void *x, void *arg)
{
	const job_record_t *job_ptr = x;

	(void)arg;
	return IS_JOB_FINISHED(job_ptr) && !IS_JOB_COMPLETING(job_ptr) &&
	       job_ptr->end_time + (time_t)slurm_conf.min_job_age < world_wall_s();
}

void world_jobs_purge(void)
{
	if (!slurmctld_diag_stats.bf_active)
		list_delete_all(world_tables.jobs, is_old, NULL);
}
