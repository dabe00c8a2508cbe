/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.c - one start order: checks it, calls select_nodes() with all other nodes excluded,
 * launches the job
 */

#include "slurm/start/private.h"

#include "model/when.h"
#include "slurm/eligible/verdict.h"
#include "slurm/hold.h"
#include "slurm/start/hide_cores.h"
#include "slurm/start/refusal.h"
#include "slurm/start/start_reservation.h"

enum {
	/* A start takes 0.2 ms at 1,000 nodes and 2 ms at 10,000 (measured), most of it in the
	 * select plugin's copies of the partition's cores. So one hold has ten to a hundred
	 * starts. Because the clock is read after each start, the longest hold stays below 50
	 * ms. */
	START_HOLD_US = 20000,
};

/* select_nodes() splits the starting task off an array. The task gets a new id; the rest is a copy
 * under the old id, with all that was meant for this start alone. Restores the rest. Runs after
 * refusals, too, because some come after the split. */
static void mend_rest_of_array(const struct maui_start_order *order, const job_record_t *job_ptr,
			       const struct maui_start_before *before,
			       const struct maui_start_reservation *resv)
{
	job_record_t *rest = find_job_record(order->job_id);

	if (!rest || rest == job_ptr || !rest->details)
		return;
	FREE_NULL_BITMAP(rest->details->exc_node_bitmap);
	if (before->exc_node_bitmap)
		rest->details->exc_node_bitmap = bit_copy(before->exc_node_bitmap);
	maui_start_reservation_mend(rest, resv);
	maui_start_put_back(rest, before);
}

/* Partitions that are asked whether they can serve a job that another one cannot: each takes the
 * time of a test. */
enum { OTHERS_ASKED = 4 };

/* Whether the partition does not take the job, or starts none now. */
static bool is_closed(int code)
{
	return code == ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE || code == ESLURM_PARTITION_DOWN;
}

/* Whether Slurm says of another partition of the job than its own that it could serve it. */
static bool fits_elsewhere(job_record_t *job_ptr)
{
	part_record_t *own = job_ptr->part_ptr, *part_ptr;
	maui_compat_iterator_t iterator;
	unsigned asked = 0;
	bool fits = false;
	int code;

	if (!job_ptr->part_ptr_list)
		return false;
	iterator = list_iterator_create(job_ptr->part_ptr_list);
	while (!fits && asked < OTHERS_ASKED && (part_ptr = list_next(iterator))) {
		if (part_ptr == own)
			continue;
		job_ptr->part_ptr = part_ptr;
		code = maui_compat_select_nodes(job_ptr, true, 0);
		fits = maui_refusal_kind(code) != MAUI_REFUSED_UNFIT && !is_closed(code);
		asked++;
	}
	list_iterator_destroy(iterator);
	job_ptr->part_ptr = own;
	return fits;
}

/* Slurm looks for counts of features ("a*1&b*1", "[a|b]") among the idle nodes, and calls all nodes
 * unfit when these have too few: while jobs run on others, that is not for good. */
static bool may_fit_later(const job_record_t *job_ptr)
{
	const char *features = job_ptr->details->features;
	bitstr_t *in_use;
	bool ret;

	if (!features || !strpbrk(features, "*[") || !job_ptr->part_ptr->node_bitmap)
		return false;
	in_use = bit_copy(job_ptr->part_ptr->node_bitmap);
	bit_and(in_use, avail_node_bitmap);
	bit_and_not(in_use, idle_node_bitmap);
	ret = bit_ffs(in_use) >= 0;
	FREE_NULL_BITMAP(in_use);
	return ret;
}

/* The planned nodes could never run the job. Only when Slurm says the same of all nodes, with
 * nothing excluded and without reservations, the job can never run: then it is held, as in
 * slurmctld's main loop. Where another of its partitions may serve it, the job has not failed; nor
 * where it names a reservation, because that may get other nodes. */
static void judge_unfit(const struct maui_known_reservations *known, job_record_t *job_ptr,
			struct maui_start_order *order)
{
	struct maui_start_reservation resv;
	enum maui_refusal_kind kind;
	bool elsewhere;
	int code;

	job_resv_clear_magnetic_flag(job_ptr); /* other nodes may serve it */
	maui_start_reservation_enter_any(known, job_ptr, &resv);
	code = maui_compat_select_nodes(job_ptr, true, 0);
	kind = maui_refusal_kind(code);
	elsewhere = kind == MAUI_REFUSED_UNFIT && fits_elsewhere(job_ptr);
	maui_start_reservation_leave(job_ptr, &resv);
	last_job_update = time(NULL);
	if (elsewhere)
		order->partition_closed = MAUI_START_CLOSED_EVER;
	order->failed =
		kind == MAUI_REFUSED_JOB || (kind == MAUI_REFUSED_UNFIT && !elsewhere &&
					     !job_ptr->resv_name && !may_fit_later(job_ptr));
	if (!order->failed && !elsewhere) {
		order->nodes_refused = true;
		order->network = maui_compat_is_topology_refusal(code);
		order->code = ESLURM_NODES_BUSY;
	}
	if (!order->failed || kind != MAUI_REFUSED_UNFIT) {
		job_ptr->state_reason = WAIT_RESOURCES;
		xfree(job_ptr->state_desc);
	} else if (!job_ptr->part_ptr_list && job_ptr->state_reason != WAIT_RESERVATION &&
		   !maui_compat_has_extra_constraints(job_ptr)) {
		info("slurm-maui: %pJ can never run, held", job_ptr);
		job_ptr->state_reason = FAIL_BAD_CONSTRAINTS;
		xfree(job_ptr->state_desc);
		job_ptr->start_time = 0;
		job_ptr->priority = 0;
	}
}

/* The reservation in which the job was tried, if it may be tried in others or outside: a magnetic
 * one, or one of a list. NULL: none, or no memory. */
static const char *tried_reservation(const struct maui_start_site *site,
				     const job_record_t *job_ptr)
{
	if (!site->arena || !job_ptr->resv_ptr ||
	    !((job_ptr->bit_flags & JOB_MAGNETIC) || job_ptr->resv_list))
		return NULL;
	return maui_arena_strdup(site->arena, job_ptr->resv_ptr->name);
}

static void note_refusal(const struct maui_start_site *site,
			 const struct maui_known_reservations *known,
			 const struct maui_start_target *target, struct maui_start_order *order,
			 const struct maui_start_before *before)
{
	job_record_t *job_ptr = target->job_ptr;
	char *nodes = bitmap2node_name(target->planned);
	enum maui_refusal_kind kind = maui_refusal_kind(order->code);

	verbose("slurm-maui: %pJ does not start in %s on %s: %s", job_ptr, order->partition, nodes,
		slurm_strerror(order->code));
	xfree(nodes);
	order->failed = kind == MAUI_REFUSED_JOB;
	order->unfit = kind == MAUI_REFUSED_UNFIT;
	order->reservation = tried_reservation(site, job_ptr);
	if (order->reservation && kind != MAUI_REFUSED_UNFIT)
		order->reservation_closed = MAUI_START_CLOSED_NOW;
	else if (order->reservation && order->slurm_chooses) /* else others of its nodes might do */
		order->reservation_closed = MAUI_START_CLOSED_EVER;
	if (kind == MAUI_REFUSED_UNFIT)
		judge_unfit(known, job_ptr, order);
	else if (kind == MAUI_REFUSED_WAIT && job_ptr->part_ptr_list)
		order->partition_closed = MAUI_START_CLOSED_NOW;
	if (order->want_offer && order->nodes_refused)
		maui_start_find_offer(site, target, order);
	maui_start_put_back(job_ptr, before);
	maui_start_restore_features(job_ptr, before);
	order->outcome = MAUI_START_REFUSED;
}

static void launch_started(job_record_t *job_ptr, struct maui_start_order *order)
{
	order->outcome = MAUI_START_DONE;
	order->started_id = job_ptr->job_id;
	order->started_task =
		job_ptr->array_task_id == NO_VAL ? MAUI_NO_TASK : job_ptr->array_task_id;
	order->start_s = job_ptr->start_time;
	order->end_s = job_ptr->end_time;
	order->moved = !order->slurm_chooses && job_ptr->node_bitmap &&
		       (uint32_t)bit_set_count(job_ptr->node_bitmap) != order->node_count;
	last_job_update = time(NULL);
	if (!order->slurm_chooses)
		maui_hide_cores_check(order, job_ptr);
	info("slurm-maui: %s %pJ in %s on %s", order->backfilled ? "backfilled" : "started",
	     job_ptr, order->partition, job_ptr->nodes);
	if (!job_ptr->batch_flag)
		srun_allocate(job_ptr);
	/* else slurmctld launches it when its nodes are ready */
	else if (!IS_JOB_CONFIGURING(job_ptr))
		launch_job(job_ptr);
}

/* Slurm's own schedulers try a job with --prefer on nodes with these features first, then on all
 * nodes. */
static int select_some(job_record_t *job_ptr, const struct maui_start_order *order)
{
	uint32_t flag = order->backfilled ? SLURMDB_JOB_FLAG_BACKFILL : SLURMDB_JOB_FLAG_SCHED;
	int code;

	if (order->slurm_chooses && job_ptr->details->prefer) {
		maui_start_use_features(job_ptr, true);
		code = maui_compat_select_nodes(job_ptr, false, flag);
		if (code == SLURM_SUCCESS || !IS_JOB_PENDING(job_ptr))
			return code;
	}
	maui_start_use_features(job_ptr, false);
	return maui_compat_select_nodes(job_ptr, false, flag);
}

/* Starts with --time-min a job whose run-minutes would be too many otherwise, and then gives it the
 * planned limit: as sched/backfill does with every such job. */
static int select_shortest(job_record_t *job_ptr, const struct maui_start_order *order)
{
	uint32_t planned = job_ptr->time_limit, least = maui_verdict_least_minutes(job_ptr);
	int code;

	if (least == planned)
		return ESLURM_ACCOUNTING_POLICY;
	job_ptr->time_limit = least;
	code = select_some(job_ptr, order);
	if (code == SLURM_SUCCESS)
		acct_policy_alter_job(job_ptr, planned);
	job_ptr->time_limit = planned;
	if (code == SLURM_SUCCESS)
		job_end_time_reset(job_ptr);
	return code;
}

/* Returns Slurm's code. Tests licences first: select_nodes() leaves that to its caller. */
static int select_planned(const struct maui_known_reservations *known,
			  const struct maui_start_target *target, struct maui_start_order *order,
			  const struct maui_start_before *before)
{
	job_record_t *job_ptr = target->job_ptr;
	struct maui_start_reservation resv;
	bitstr_t *cores, *reserved;
	int code;

	if (license_job_test(job_ptr, time(NULL), true) != SLURM_SUCCESS) {
		job_ptr->state_reason = WAIT_LICENSES;
		xfree(job_ptr->state_desc);
		return ESLURM_NODES_BUSY;
	}
	if (order->backfilled)
		job_ptr->bit_flags |= BACKFILL_SCHED;
	else
		job_ptr->bit_flags &= ~BACKFILL_SCHED;
	job_ptr->last_sched_eval = time(NULL);
	maui_start_exclude(target);
	reserved = maui_start_reservation_shares(known, job_ptr, target->planned);
	cores = maui_hide_cores(order, reserved);
	maui_start_reservation_enter(known, job_ptr, target->planned, reserved, cores, &resv);
	code = select_some(job_ptr, order);
	if (code == ESLURM_ACCOUNTING_POLICY && IS_JOB_PENDING(job_ptr))
		code = select_shortest(job_ptr, order);
	mend_rest_of_array(order, job_ptr, before, &resv);
	maui_start_reservation_leave(job_ptr, &resv);
	FREE_NULL_BITMAP(cores);
	FREE_NULL_BITMAP(reserved);
	maui_start_include(job_ptr, before);
	order->nodes_refused = maui_refusal_kind(code) == MAUI_REFUSED_NODES;
	order->network = maui_compat_is_topology_refusal(code);
	return code;
}

void maui_start_one(const struct maui_start_site *site, const struct maui_known_reservations *known,
		    struct maui_start_order *order, const bitstr_t *taken)
{
	struct maui_start_before before;
	struct maui_start_target target;

	order->outcome = MAUI_START_CHANGED;
	order->why = maui_start_find_free(order, &target);
	maui_start_leave_out(&target, taken);
	if (order->why) {
		maui_start_target_finish(&target);
		return;
	}
	order->why = maui_start_prepare(&target, order, &before);
	if (order->why) {
		maui_start_put_back(target.job_ptr, &before);
	} else {
		order->code = select_planned(known, &target, order, &before);
		if (order->code == SLURM_SUCCESS)
			launch_started(target.job_ptr, order);
		else
			note_refusal(site, known, &target, order, &before);
	}
	maui_start_target_finish(&target);
}

static bool must_stop(const struct maui_start_site *site)
{
	return site->stop && *site->stop;
}

/* Executes one order. false: stop after this one. */
static bool start_next(const struct maui_start_site *site,
		       const struct maui_known_reservations *known, struct maui_start_order *order,
		       struct maui_start_result *ret)
{
	maui_start_one(site, known, order, NULL);
	if (order->outcome == MAUI_START_CHANGED)
		debug("slurm-maui: JobId=%u is not started: %s", order->job_id, order->why);
	ret->done += order->outcome == MAUI_START_DONE;
	ret->changed += order->outcome == MAUI_START_CHANGED;
	ret->refused += order->outcome == MAUI_START_REFUSED;
	ret->moved |= order->moved;
	return order->outcome != MAUI_START_REFUSED && !order->moved;
}

/* What a walk over the orders carries from one hold of the locks to the next. */
struct walk {
	struct maui_start_order *orders;
	size_t at, count;
	struct maui_start_asked asked; /* of those that start together, at `at` */
};

/* Executes the orders that start together, or asks about some of them. false: stop after
 * these. */
static bool start_group(const struct maui_start_site *site,
			const struct maui_known_reservations *known, struct walk *walk,
			int64_t until_us, struct maui_start_result *ret)
{
	struct maui_start_order *first = &walk->orders[walk->at];
	uint32_t count = first->together;
	enum maui_start_progress progress =
		maui_start_together(site, known, first, count, &walk->asked, until_us);

	if (progress == MAUI_START_LATER)
		return true;
	walk->at += count;
	for (uint32_t i = 0; i < count; i++) {
		ret->done += first[i].outcome == MAUI_START_DONE;
		ret->changed += first[i].outcome == MAUI_START_CHANGED;
		ret->refused += first[i].outcome == MAUI_START_REFUSED;
		ret->moved |= first[i].moved;
	}
	return progress == MAUI_START_ALL && !ret->moved;
}

/* Executes the next order, with those that start together with it. false: stop after these. */
static bool start_these(const struct maui_start_site *site,
			const struct maui_known_reservations *known, struct walk *walk,
			int64_t until_us, struct maui_start_result *ret)
{
	if (walk->orders[walk->at].together > 1)
		return start_group(site, known, walk, until_us, ret);
	return start_next(site, known, &walk->orders[walk->at++], ret);
}

/* One hold of the locks. false: no order is left. */
static bool start_some(const struct maui_start_site *site, struct walk *walk,
		       struct maui_start_result *ret)
{
	uint32_t done_before = ret->done, changed_before = ret->changed;
	struct maui_known_reservations known;
	bool go_on;
	int64_t since, held_us;

	maui_start_lock();
	since = maui_monotonic_us();
	ret->table_changed = !maui_cluster_is_current(site->table);
	go_on = !ret->table_changed && !must_stop(site);
	maui_known_reservations_open(site->mirrors, &known);
	while (go_on && walk->at < walk->count && maui_monotonic_us() - since < START_HOLD_US)
		go_on = start_these(site, &known, walk, since + START_HOLD_US, ret) &&
			!must_stop(site);
	maui_known_reservations_close(&known);
	/* changed: a start may have been taken back */
	if (ret->done > done_before || ret->changed > changed_before) {
		schedule_job_save();
		schedule_node_save();
	}
	held_us = maui_hold_note(&ret->writes, since);
	maui_start_unlock();
	go_on = go_on && walk->at < walk->count;
	if (go_on)
		maui_hold_give_way(held_us);
	return go_on;
}

void maui_start_jobs(const struct maui_start_site *site, struct maui_start_order *orders,
		     size_t count, struct maui_start_result *ret)
{
	struct walk walk = { .orders = orders, .count = count };

	*ret = (struct maui_start_result){ 0 };
	for (size_t i = 0; i < count; i++) {
		orders[i].outcome = MAUI_START_NOT_TRIED;
		orders[i].code = SLURM_SUCCESS;
		orders[i].nodes_refused = orders[i].network = orders[i].failed = false;
		orders[i].partition_closed = orders[i].reservation_closed = MAUI_START_OPEN;
		orders[i].reservation = NULL;
		orders[i].why = NULL;
		orders[i].started_id = 0;
		orders[i].start_s = orders[i].end_s = 0;
		orders[i].offer_s = MAUI_NEVER;
		orders[i].offer_count = 0;
		orders[i].no_moment = orders[i].doubtful = false;
	}
	while (walk.at < count && start_some(site, &walk, ret))
		;
	maui_start_forget_asked(&walk.asked);
}
