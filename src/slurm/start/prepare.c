/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prepare.c - checks that a start order is up to date, and prepares the job for select_nodes() */

#include "slurm/start/private.h"

#include "slurm/capture/jobs.h"
#include "slurm/eligible/eligible.h"

/* What has changed since the plan; NULL: nothing. */
static const char *find_change(const job_record_t *job_ptr, const struct maui_start_order *order)
{
	if (!job_ptr || !job_ptr->details || job_ptr->details->submit_time != order->submit_s ||
	    job_ptr->array_job_id != order->array_job_id ||
	    (job_ptr->het_job_id != 0) != order->het)
		return "gone";
	if (!IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr))
		return "not pending";
	if (job_ptr->priority == 0)
		return "held";
	return maui_capture_fingerprint(job_ptr) != order->fingerprint ? "updated" : NULL;
}

/* Finds the partition by name; NULL: it is down, or not one of the job's. */
static part_record_t *find_part(const job_record_t *job_ptr, const char *name, int *ret_place)
{
	part_record_t *part_ptr = name ? find_part_record((char *)name) : NULL;
	const part_record_t *one;
	maui_compat_iterator_t iterator;

	*ret_place = 0;
	if (!part_ptr || !part_ptr->node_bitmap || !(part_ptr->state_up & PARTITION_SCHED))
		return NULL;
	if (!job_ptr->part_ptr_list)
		return job_ptr->part_ptr == part_ptr ? part_ptr : NULL;
	iterator = list_iterator_create(job_ptr->part_ptr_list);
	while ((one = list_next(iterator)) && one != part_ptr)
		++*ret_place;
	list_iterator_destroy(iterator);
	return one ? part_ptr : NULL;
}

/* Leaves what Slurm may choose from. On a node where a job has just ended, select_nodes() starts
 * none until what has ended there is gone. */
static bool drop_unusable(bitstr_t *nodes, const part_record_t *part_ptr)
{
	bit_and(nodes, avail_node_bitmap);
	bit_and(nodes, up_node_bitmap);
	bit_and(nodes, part_ptr->node_bitmap);
	bit_and_not(nodes, cg_node_bitmap);
	return bit_ffs(nodes) >= 0;
}

/* The planned nodes as a bitmap; NULL: a node is missing, down, or not in the partition; where
 * Slurm chooses: all are. */
static bitstr_t *planned_nodes(const struct maui_start_order *order, part_record_t *part_ptr)
{
	bitstr_t *planned = bit_alloc(node_record_count);
	bool usable = order->node_count > 0;

	for (uint32_t i = 0; usable && i < order->node_count; i++) {
		usable = order->nodes[i] < (uint32_t)node_record_count;
		if (usable)
			bit_set(planned, order->nodes[i]);
	}
	if (usable && order->slurm_chooses) {
		if (!drop_unusable(planned, part_ptr))
			FREE_NULL_BITMAP(planned);
		return planned;
	}
	if (!usable || !bit_super_set(planned, avail_node_bitmap) ||
	    !bit_super_set(planned, up_node_bitmap) ||
	    !bit_super_set(planned, part_ptr->node_bitmap))
		FREE_NULL_BITMAP(planned);
	return planned;
}

const char *maui_start_find_job(const struct maui_start_order *order, struct maui_start_target *ret)
{
	job_record_t *job_ptr = find_job_record(order->job_id);
	const char *why = find_change(job_ptr, order);

	*ret = (struct maui_start_target){ .job_ptr = why ? NULL : job_ptr };
	if (why)
		return why;
	ret->part_ptr = find_part(job_ptr, order->partition, &ret->place);
	return ret->part_ptr ? NULL : "its partition is not available to it";
}

const char *maui_start_find(const struct maui_start_order *order, struct maui_start_target *ret)
{
	const char *why = maui_start_find_job(order, ret);

	if (why)
		return why;
	ret->planned = planned_nodes(order, ret->part_ptr);
	return ret->planned ? NULL : "a node is not available to it";
}

void maui_start_target_finish(struct maui_start_target *target)
{
	FREE_NULL_BITMAP(target->planned);
}

/* Sets the partition, and the QOS and the priority that the job has in it. */
static void set_part(const struct maui_start_target *target, uint32_t qos)
{
	job_record_t *job_ptr = target->job_ptr;
	uint32_t *array = maui_compat_priority_array(job_ptr);
	unsigned count = maui_compat_qos_count(job_ptr);
	size_t place = (size_t)target->place * count + (qos < count ? qos : 0);

	if (job_ptr->part_ptr_list && array && xsize(array) > place * sizeof(*array) &&
	    array[place] > 0)
		job_ptr->priority = array[place];
	job_ptr->part_ptr = target->part_ptr;
	maui_compat_set_qos(job_ptr, qos);
}

void maui_start_begin(const struct maui_start_target *target, const struct maui_start_order *order,
		      struct maui_start_before *ret)
{
	const job_record_t *job_ptr = target->job_ptr;

	*ret = (struct maui_start_before){
		.part_ptr = job_ptr->part_ptr,
		.exc_node_bitmap = job_ptr->details->exc_node_bitmap,
		.features_use = job_ptr->details->features_use,
		.feature_list_use = job_ptr->details->feature_list_use,
		.qos_ptr = job_ptr->qos_ptr,
		.qos_id = job_ptr->qos_id,
		.priority = job_ptr->priority,
		.time_limit = job_ptr->time_limit,
		.pn_min_memory = job_ptr->details->pn_min_memory,
		.min_cpus = job_ptr->details->min_cpus,
		.max_cpus = job_ptr->details->max_cpus,
		.pn_min_cpus = job_ptr->details->pn_min_cpus,
		.cpus_per_task = job_ptr->details->cpus_per_task,
		.limit_set_time = job_ptr->limit_set.time,
		.share_res = job_ptr->details->share_res,
		.whole_node = job_ptr->details->whole_node,
	};
	set_part(target, order->qos);
}

static bool is_limit(uint32_t minutes)
{
	return minutes != NO_VAL && minutes != INFINITE;
}

uint32_t maui_start_default_limit(const part_record_t *part_ptr)
{
	return is_limit(part_ptr->default_time) ? part_ptr->default_time : part_ptr->max_time;
}

static bool set_deadline(job_record_t *job_ptr)
{
	uint32_t limit = job_ptr->time_limit;
	int64_t left = (job_ptr->deadline - time(NULL)) / 60;

	if (left < 1 || left < job_ptr->time_min)
		return false;
	if (!is_limit(limit)) {
		limit = maui_start_default_limit(job_ptr->part_ptr);
		job_ptr->limit_set.time = 1; /* a requeue asks again */
	}
	job_ptr->time_limit = is_limit(limit) && limit < left ? limit : (uint32_t)left;
	return true;
}

static uint32_t lesser_limit(uint32_t limit, uint32_t most)
{
	return is_limit(most) && limit > most ? most : limit;
}

/* Sets the planned limit. select_nodes() would replace a limit beyond the partition's by the
 * partition's default, even with --time-min. */
static void set_planned(job_record_t *job_ptr, uint32_t planned)
{
	bool has_min = job_ptr->time_min > 0 && is_limit(job_ptr->time_min);
	bool none = job_ptr->time_limit == NO_VAL;
	uint32_t limit = lesser_limit(planned, job_ptr->time_limit);

	if (!none && !has_min)
		return;
	if (none)
		limit = lesser_limit(limit, job_ptr->part_ptr->max_time);
	if (has_min && limit < job_ptr->time_min)
		limit = job_ptr->time_min;
	if (none)
		job_ptr->limit_set.time = 1; /* a requeue asks again */
	job_ptr->time_limit = limit;
}

bool maui_start_set_limit(job_record_t *job_ptr, const struct maui_start_order *order)
{
	/* a job without a limit gets here what select_nodes() would give it after its test of
	 * reservations, which goes by the longest limit of the partition */
	if (order->limit_min > 0)
		set_planned(job_ptr, order->limit_min);
	else if (job_ptr->time_limit == NO_VAL)
		set_planned(job_ptr, maui_start_default_limit(job_ptr->part_ptr));
	return !job_ptr->deadline || job_ptr->deadline == (time_t)NO_VAL || set_deadline(job_ptr);
}

void maui_start_exclude(const struct maui_start_target *target)
{
	job_record_t *job_ptr = target->job_ptr;
	bitstr_t *others = bit_copy(target->planned);

	bit_not(others);
	if (job_ptr->details->exc_node_bitmap)
		bit_or(others, job_ptr->details->exc_node_bitmap);
	job_ptr->details->exc_node_bitmap = others;
}

void maui_start_use_features(job_record_t *job_ptr, bool preferred)
{
	maui_compat_details_t *details = job_ptr->details;

	details->features_use = preferred ? details->prefer : details->features;
	details->feature_list_use = preferred ? details->prefer_list : details->feature_list;
}

void maui_start_include(job_record_t *job_ptr, const struct maui_start_before *before)
{
	FREE_NULL_BITMAP(job_ptr->details->exc_node_bitmap);
	job_ptr->details->exc_node_bitmap = before->exc_node_bitmap;
}

void maui_start_restore_features(job_record_t *job_ptr, const struct maui_start_before *before)
{
	job_ptr->details->features_use = before->features_use;
	job_ptr->details->feature_list_use = before->feature_list_use;
}

void maui_start_put_back(job_record_t *job_ptr, const struct maui_start_before *before)
{
	if (job_ptr->priority != 0) /* else the job is held */
		job_ptr->priority = before->priority;
	job_resv_clear_magnetic_flag(job_ptr);
	job_ptr->part_ptr = before->part_ptr;
	job_ptr->qos_ptr = before->qos_ptr;
	job_ptr->qos_id = before->qos_id;
	job_ptr->time_limit = before->time_limit;
	job_ptr->limit_set.time = before->limit_set_time;
	job_ptr->details->pn_min_memory = before->pn_min_memory;
	job_ptr->details->min_cpus = before->min_cpus;
	job_ptr->details->max_cpus = before->max_cpus;
	job_ptr->details->pn_min_cpus = before->pn_min_cpus;
	job_ptr->details->cpus_per_task = before->cpus_per_task;
	job_ptr->details->share_res = before->share_res;
	job_ptr->details->whole_node = before->whole_node;
}

const char *maui_start_find_free(const struct maui_start_order *order,
				 struct maui_start_target *ret)
{
	const char *why = maui_start_find(order, ret);

	/* select_nodes() leaves a node out until what has ended there is gone */
	if (!why && !order->slurm_chooses && bit_overlap_any(ret->planned, cg_node_bitmap))
		why = "a job has just ended on its nodes";
	return why;
}

void maui_start_leave_out(struct maui_start_target *target, const bitstr_t *taken)
{
	target->taken = taken;
	if (target->planned && taken)
		bit_and_not(target->planned, (bitstr_t *)taken);
}

const char *maui_start_prepare(const struct maui_start_target *target,
			       const struct maui_start_order *order, struct maui_start_before *ret)
{
	maui_start_begin(target, order, ret);
	maui_eligible_attract(target->job_ptr, order->nodes, order->node_count);
	if (!maui_eligible_again(target->job_ptr))
		return "not eligible any more";
	return maui_start_set_limit(target->job_ptr, order) ? NULL : "its deadline is too near";
}

/* ---- questions ---- */

struct maui_start_unseen maui_start_hide_question(const job_record_t *job_ptr)
{
	return (struct maui_start_unseen){ .updated = last_job_update,
					   .start_time = job_ptr->start_time,
					   .desc = xstrdup(job_ptr->state_desc),
					   .reason = job_ptr->state_reason };
}

void maui_start_forget_question(job_record_t *job_ptr, struct maui_start_unseen *before)
{
	job_ptr->start_time = before->start_time;
	job_ptr->state_reason = before->reason;
	xfree(job_ptr->state_desc);
	job_ptr->state_desc = before->desc;
	last_job_update = before->updated;
}
