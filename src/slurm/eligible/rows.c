/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - the rows of a job, one for each partition
 *
 * Rules: BF-16.
 */

#include "slurm/eligible/private.h"

#include "base/array.h"
#include "slurm/capture/preemption.h"
#include "slurm/eligible/magnetic.h"
#include "slurm/eligible/verdict.h"

static void add_part(struct maui_eligible_walk *walk, part_record_t *part_ptr)
{
	part_record_t **grown =
		maui_array_grow(walk->parts, walk->part_count, &walk->part_alloc, sizeof(*grown));

	if (!grown) {
		walk->no_memory = true;
		return;
	}
	walk->parts = grown;
	walk->parts[walk->part_count++] = part_ptr;
}

static int list_part(void *x, void *arg)
{
	add_part(arg, x);
	return 0;
}

/* A record without its partition gets it by name, as in slurmctld. */
void maui_eligible_list_parts(struct maui_eligible_walk *walk, job_record_t *job_ptr)
{
	walk->part_count = 0;
	if (!job_ptr->part_ptr && !job_ptr->part_ptr_list) {
		job_ptr->part_ptr = find_part_record(job_ptr->partition);
		if (!job_ptr->part_ptr) {
			error("slurm-maui: could not find partition %s for %pJ", job_ptr->partition,
			      job_ptr);
			return;
		}
		error("slurm-maui: partition pointer reset for %pJ, part %s", job_ptr,
		      job_ptr->partition);
		job_ptr->bit_flags |= JOB_PART_ASSIGNED;
	}
	if (job_ptr->part_ptr_list)
		list_for_each(job_ptr->part_ptr_list, list_part, walk);
	else
		add_part(walk, job_ptr->part_ptr);
	if (!job_ptr->part_ptr && walk->part_count > 0)
		job_ptr->part_ptr = walk->parts[0];
}

/* Slurm's priority in the n-th partition of the list, with one of its QOS. */
static double priority_of(const job_record_t *job_ptr, size_t part, unsigned qos)
{
	uint32_t *array = job_ptr->part_ptr_list ? maui_compat_priority_array(job_ptr) : NULL;
	size_t index = part * maui_compat_qos_count(job_ptr) + qos;

	return array && index < xsize(array) / sizeof(*array) ? array[index] : job_ptr->priority;
}

static void add_row(struct maui_eligible_walk *walk, struct maui_pending *pending,
		    const job_record_t *job_ptr, size_t part, unsigned qos)
{
	int64_t index =
		maui_snapshot_find_partition(walk->cluster->snapshot, walk->parts[part]->name);

	if (index < 0) /* the partition is newer than the capture */
		return;
	pending->rows[pending->idle.row_count++] = (struct maui_row){
		.partition = (uint32_t)index,
		.kind = maui_preemption_kind(walk->cluster, job_ptr, (uint32_t)index),
		.qos = qos,
		.priority = priority_of(job_ptr, part, qos),
	};
}

/* Tries the job's QOS in turn, until the partition admits one. */
static enum maui_reason try_part(const struct maui_eligible_walk *walk, job_record_t *job_ptr,
				 part_record_t *part_ptr, struct maui_chosen *ret)
{
	unsigned count = maui_compat_qos_count(job_ptr);
	enum maui_reason reason = MAUI_REASON_SLURM;

	job_ptr->part_ptr = ret->part_ptr = part_ptr;
	for (unsigned q = 0; q < count && reason != MAUI_REASON_NONE; q++) {
		maui_compat_set_qos(job_ptr, q);
		ret->qos = q;
		reason = maui_verdict_partition(job_ptr, walk->choice.questions,
						&ret->bounds.nodes_min, &ret->bounds.nodes_max,
						&ret->no_reservation);
	}
	return reason;
}

/* Adds a row for each partition that admits the job. Returns why not when none does. */
static enum maui_reason try_parts(struct maui_eligible_walk *walk, job_record_t *job_ptr,
				  struct maui_pending *pending)
{
	enum maui_reason blocked = MAUI_REASON_NONE;

	for (size_t i = 0; i < walk->part_count; i++) {
		struct maui_chosen tried = { 0 };
		enum maui_reason reason = try_part(walk, job_ptr, walk->parts[i], &tried);

		if (reason == MAUI_REASON_NONE) {
			walk->tried[pending->idle.row_count] = tried;
			add_row(walk, pending, job_ptr, i, tried.qos);
		} else if (blocked != MAUI_REASON_SLURM) {
			blocked = reason;
		}
	}
	return pending->idle.row_count > 0 ? MAUI_REASON_NONE : blocked;
}

/* Sets the record to the chosen partition: limits and reason. */
static void set_chosen(struct maui_eligible_walk *walk, job_record_t *job_ptr,
		       const struct maui_chosen *chosen)
{
	bool last = walk->parts[walk->part_count - 1] == chosen->part_ptr;

	job_ptr->part_ptr = chosen->part_ptr;
	maui_compat_set_qos(job_ptr, chosen->qos);
	if (!last)
		maui_verdict_limits(job_ptr);
}

/* The reason before Slurm's checks. Some checks clear a limit's reason and set it again; the text
 * that we published for an eligible job stays until the next plan. */
struct saved_reason {
	uint32_t reason;
	char *desc;
	time_t update;
};

static struct saved_reason save_reason(const job_record_t *job_ptr)
{
	return (struct saved_reason){ job_ptr->state_reason, xstrdup(job_ptr->state_desc),
				      last_job_update };
}

/* Puts back the reason of an eligible job, which checks in other partitions may have changed.
 * Without an update event when it is the same as before. */
static void restore_reason(struct saved_reason *saved, job_record_t *job_ptr,
			   enum maui_reason blocked)
{
	if (blocked == MAUI_REASON_NONE &&
	    (saved->desc || job_ptr->state_reason != WAIT_NO_REASON)) {
		xfree(job_ptr->state_desc);
		job_ptr->state_desc = xstrdup(saved->desc);
		job_ptr->state_reason = saved->reason;
	}
	if (job_ptr->state_reason == saved->reason && !xstrcmp(job_ptr->state_desc, saved->desc))
		last_job_update = saved->update;
	xfree(saved->desc);
}

enum maui_reason maui_eligible_place(struct maui_eligible_walk *walk, job_record_t *job_ptr,
				     struct maui_pending *pending)
{
	struct saved_reason saved = save_reason(job_ptr);
	const char *reservation = NULL;
	part_record_t *own;
	enum maui_reason blocked;

	if (job_ptr->resv_list) {
		reservation =
			maui_magnetic_choose(job_ptr, job_ptr->details->min_nodes, &walk->choice);
		if (!job_ptr->part_ptr_list)
			walk->parts[0] = job_ptr->part_ptr;
	}
	own = job_ptr->part_ptr;
	blocked = try_parts(walk, job_ptr, pending);
	if (blocked == MAUI_REASON_NONE) {
		set_chosen(walk, job_ptr, &walk->tried[0]);
		if (!reservation)
			reservation = maui_magnetic_choose(job_ptr, walk->tried[0].bounds.nodes_min,
							   &walk->choice);
		for (uint32_t r = 0; r < pending->idle.row_count; r++)
			walk->tried[r].bounds.reservation = reservation;
	}
	job_ptr->part_ptr = own;
	restore_reason(&saved, job_ptr, blocked);
	return blocked;
}

void maui_eligible_list_rows(struct maui_eligible_walk *walk, const job_record_t *job_ptr,
			     struct maui_pending *pending)
{
	for (size_t i = 0; i < walk->part_count; i++)
		add_row(walk, pending, job_ptr, i, 0);
}
