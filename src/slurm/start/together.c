/* SPDX-License-Identifier: GPL-2.0-or-later */
/* together.c - starts the components of a het job in one hold of the locks, all or none
 *
 * Slurm is asked about each component, and the limits are checked of all together, before the
 * first one starts. If a later one is refused all the same, those before it are taken back, as if
 * they had been requeued before they ran.
 *
 * Rules: HET-1.
 */

#include "slurm/start/private.h"

/* A job that was taken back is not tried again for so long: what refused it has to change first. */
enum { AGAIN_S = 60 };

/* Whether Slurm would start each of them now, by itself, on nodes that none before it would get. If
 * not, that order says why. */
static bool would_all_start(const struct maui_start_site *site,
			    const struct maui_known_reservations *known,
			    struct maui_start_order *orders, uint32_t count)
{
	bitstr_t *taken = bit_alloc(node_record_count);
	bool starts = true;

	for (uint32_t i = 0; starts && i < count; i++) {
		struct maui_start_order *order = &orders[i];
		struct maui_start_target target;

		order->outcome = MAUI_START_CHANGED;
		order->why = maui_start_find_free(order, &target);
		maui_start_leave_out(&target, taken);
		starts = !order->why && maui_start_try(site, known, &target, order, taken);
		maui_start_target_finish(&target);
	}
	FREE_NULL_BITMAP(taken);
	return starts;
}

/* Takes a start back, as a requeue would. */
static void take_back(struct maui_start_order *order)
{
	job_record_t *job_ptr = find_job_record(order->started_id);
	time_t now = time(NULL);
	uint64_t flags;

	order->outcome = MAUI_START_CHANGED;
	order->why = "another component of its het job does not start";
	if (!job_ptr || IS_JOB_PENDING(job_ptr))
		return;
	job_ptr->details->begin_time = now + AGAIN_S;
	job_ptr->end_time = now;
	maui_compat_set_state(job_ptr, JOB_PENDING | JOB_COMPLETING);
	last_job_update = now;
	build_cg_bitmap(job_ptr);
	job_completion_logger(job_ptr, false);
	deallocate_nodes(job_ptr, false, false, false);
	flags = job_ptr->bit_flags;
	job_ptr->bit_flags |= JOB_KILL_HURRY; /* the burst buffer stays */
	maui_compat_count_submit(job_ptr);
	job_ptr->bit_flags = flags;
	/* it asked for no limit; not before its run-minutes have come back, which the limit says */
	if (job_ptr->limit_set.time == 1) {
		job_ptr->time_limit = NO_VAL;
		job_ptr->limit_set.time = 0;
	}
	if (!job_ptr->node_bitmap_cg || bit_ffs(job_ptr->node_bitmap_cg) < 0)
		batch_requeue_fini(job_ptr);
	info("slurm-maui: %pJ is requeued before it ran: another component of its het job does not start",
	     job_ptr);
}

/* Starts one after the other. false: one does not start, and those before it are taken back. */
static bool start_all(const struct maui_start_site *site,
		      const struct maui_known_reservations *known, struct maui_start_order *orders,
		      uint32_t count, bitstr_t *taken)
{
	for (uint32_t i = 0; i < count; i++) {
		const job_record_t *job_ptr;

		maui_start_one(site, known, &orders[i], taken);
		if (orders[i].outcome == MAUI_START_DONE) {
			job_ptr = find_job_record(orders[i].started_id);
			if (job_ptr && job_ptr->node_bitmap)
				bit_or(taken, job_ptr->node_bitmap);
			continue;
		}
		while (i-- > 0)
			take_back(&orders[i]);
		return false;
	}
	return true;
}

bool maui_start_together(const struct maui_start_site *site,
			 const struct maui_known_reservations *known,
			 struct maui_start_order *orders, uint32_t count)
{
	bitstr_t *taken;
	bool started;

	if (!would_all_start(site, known, orders, count) || !maui_start_keep_limits(orders, count))
		return false;
	taken = bit_alloc(node_record_count);
	started = start_all(site, known, orders, count, taken);
	FREE_NULL_BITMAP(taken);
	return started;
}
