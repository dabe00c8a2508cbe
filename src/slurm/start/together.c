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

#include "slurm/start/refusal.h"

/* A job that was taken back is not tried again for so long: what refused it has to change first. */
enum { AGAIN_S = 60 };

/* Whether Slurm would start each of them now, by itself. If not, that order says why. */
static bool would_all_start(const struct maui_known_reservations *known,
			    struct maui_start_order *orders, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct maui_start_order *order = &orders[i];
		enum maui_refusal_kind kind;
		struct maui_start_target target;

		order->why = maui_start_find_free(order, &target);
		if (!order->why)
			order->code = maui_start_try(known, &target, order, &order->why);
		maui_start_target_finish(&target);
		if (order->why)
			order->outcome = MAUI_START_CHANGED;
		else if (order->code != SLURM_SUCCESS)
			order->outcome = MAUI_START_REFUSED;
		else
			continue;
		kind = maui_refusal_kind(order->code);
		order->nodes_refused = kind == MAUI_REFUSED_NODES || kind == MAUI_REFUSED_UNFIT;
		order->failed = kind == MAUI_REFUSED_JOB;
		return false;
	}
	return true;
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
	info("slurm-maui: %pJ is taken back: another component of its het job does not start",
	     job_ptr);
}

bool maui_start_together(const struct maui_start_site *site,
			 const struct maui_known_reservations *known,
			 struct maui_start_order *orders, uint32_t count)
{
	if (!would_all_start(known, orders, count) || !maui_start_keep_limits(orders, count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		maui_start_one(site, known, &orders[i]);
		if (orders[i].outcome == MAUI_START_DONE)
			continue;
		while (i-- > 0)
			take_back(&orders[i]);
		return false;
	}
	return true;
}
