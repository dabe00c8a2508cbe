/* SPDX-License-Identifier: GPL-2.0-or-later */
/* together.c - starts the components of a het job in one hold of the locks, all or none
 *
 * Slurm is asked about each component before, in as many holds as that takes: at 10,000 nodes a
 * start takes 2 ms, a question 10. The limits are checked for all together, and then all are
 * started one after the other. If a later one is still refused, those before it are taken back,
 * as if they had been requeued before they ran.
 *
 * Rules: HET-1.
 */

#include "slurm/start/private.h"

#include "slurm/hold.h"

/* A job that was taken back is not tried again for so long: what refused it has to change first. */
enum { AGAIN_S = 60 };

/* Whether Slurm would start it now, by itself, on nodes that none before it would get. If not, the
 * order says why. */
static bool would_start(const struct maui_start_site *site,
			const struct maui_known_reservations *known, struct maui_start_order *order,
			bitstr_t *taken)
{
	struct maui_start_target target;
	bool starts;

	order->outcome = MAUI_START_CHANGED;
	order->why = maui_start_find_free(order, &target);
	maui_start_leave_out(&target, taken);
	starts = !order->why && maui_start_try(site, known, &target, order, taken);
	maui_start_target_finish(&target);
	return starts;
}

/* Asks about those that were not asked about yet, until the hold is over: about one at least. */
static enum maui_start_progress ask(const struct maui_start_site *site,
				    const struct maui_known_reservations *known,
				    struct maui_start_order *orders, uint32_t count,
				    struct maui_start_asked *asked, int64_t until_us)
{
	if (asked->count == count)
		return MAUI_START_ALL;
	if (!asked->taken)
		asked->taken = bit_alloc(node_record_count);
	while (asked->count < count) {
		if (!would_start(site, known, &orders[asked->count], asked->taken))
			return MAUI_START_NONE;
		asked->count++;
		if (maui_monotonic_us() >= until_us)
			return MAUI_START_LATER;
	}
	return MAUI_START_ALL;
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

static bool start_together(const struct maui_start_site *site,
			   const struct maui_known_reservations *known,
			   struct maui_start_order *orders, uint32_t count)
{
	bitstr_t *taken;
	bool started;

	if (!maui_start_keep_limits(orders, count))
		return false;
	taken = bit_alloc(node_record_count);
	started = start_all(site, known, orders, count, taken);
	FREE_NULL_BITMAP(taken);
	return started;
}

void maui_start_forget_asked(struct maui_start_asked *asked)
{
	FREE_NULL_BITMAP(asked->taken);
	asked->count = 0;
}

enum maui_start_progress maui_start_together(const struct maui_start_site *site,
					     const struct maui_known_reservations *known,
					     struct maui_start_order *orders, uint32_t count,
					     struct maui_start_asked *asked, int64_t until_us)
{
	enum maui_start_progress progress = ask(site, known, orders, count, asked, until_us);

	if (progress == MAUI_START_LATER)
		return progress;
	maui_start_forget_asked(asked);
	if (progress == MAUI_START_ALL && !start_together(site, known, orders, count))
		progress = MAUI_START_NONE;
	return progress;
}
