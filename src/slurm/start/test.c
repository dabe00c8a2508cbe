/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test.c - questions to Slurm about starts: would it accept one, when would it, could it ever
 *
 * Each leaves the job as it was.
 */

#include "slurm/start/private.h"

#include "model/when.h"
#include "slurm/start/hide_cores.h"
#include "slurm/start/refusal.h"
#include "slurm/start/start_reservation.h"

int maui_start_node_counts(job_record_t *job_ptr, uint32_t *ret_min, uint32_t *ret_wanted,
			   uint32_t *ret_max)
{
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };
	uint32_t flags;

	assoc_mgr_lock(&qos_lock);
	flags = job_ptr->qos_ptr ? job_ptr->qos_ptr->flags : 0;
	assoc_mgr_unlock(&qos_lock);
	return get_node_cnts(job_ptr, flags, job_ptr->part_ptr, ret_min, ret_wanted, ret_max);
}

/* Whether the job could run on the planned nodes now; adds those that it would get to `taken`.
 * select_nodes(test_only) looks at states and sharing of nodes, but not at processors and memory
 * that other jobs hold. */
static int test_now(const struct maui_start_target *target, bitstr_t *taken)
{
	job_record_t *job_ptr = target->job_ptr;
	uint32_t min_nodes, wanted_nodes, max_nodes;
	bitstr_t *nodes;
	int code = maui_start_node_counts(job_ptr, &min_nodes, &wanted_nodes, &max_nodes);

	if (code != SLURM_SUCCESS)
		return code;
	nodes = bit_copy(target->planned);
	job_ptr->start_time = 0;
	code = maui_compat_will_run(job_ptr, nodes, min_nodes, max_nodes, wanted_nodes);
	if (code != SLURM_SUCCESS || job_ptr->start_time > time(NULL))
		code = ESLURM_NODES_BUSY;
	else if (taken)
		bit_or(taken, nodes);
	FREE_NULL_BITMAP(nodes);
	return code;
}

static int test_planned(const struct maui_known_reservations *known,
			const struct maui_start_target *target,
			const struct maui_start_order *order,
			const struct maui_start_before *before, bitstr_t *taken)
{
	struct maui_start_reservation resv;
	bitstr_t *cores, *reserved;
	int code;

	if (license_job_test(target->job_ptr, time(NULL), true) != SLURM_SUCCESS)
		return ESLURM_NODES_BUSY;
	maui_start_exclude(target);
	maui_start_use_features(target->job_ptr, false);
	reserved = maui_start_reservation_shares(known, target->job_ptr, target->planned);
	cores = maui_hide_cores(order, reserved);
	maui_start_reservation_enter(known, target->job_ptr, target->planned, reserved, cores,
				     &resv);
	code = maui_compat_select_nodes(target->job_ptr, true, 0);
	maui_start_reservation_leave(target->job_ptr, &resv);
	FREE_NULL_BITMAP(cores);
	FREE_NULL_BITMAP(reserved);
	if (code == SLURM_SUCCESS)
		code = test_now(target, taken);
	maui_start_include(target->job_ptr, before);
	maui_start_restore_features(target->job_ptr, before);
	return code;
}

/* Nodes of the partition that are up and that the job does not exclude. */
static bitstr_t *nodes_for_offer(const struct maui_start_target *target)
{
	const bitstr_t *excluded = target->job_ptr->details->exc_node_bitmap;
	bitstr_t *nodes = bit_copy(target->part_ptr->node_bitmap);

	if (target->taken)
		bit_and_not(nodes, (bitstr_t *)target->taken);
	bit_and(nodes, up_node_bitmap);
	bit_and(nodes, avail_node_bitmap);
	if (excluded)
		bit_and_not(nodes, (bitstr_t *)excluded);
	return nodes;
}

static void list_offer(const struct maui_start_site *site, bitstr_t *nodes,
		       struct maui_start_order *order)
{
	uint32_t count = 0;
	uint32_t *list =
		maui_arena_alloc(site->arena, ((size_t)bit_set_count(nodes) + 1) * sizeof(*list));

	for (int64_t i = list ? bit_ffs(nodes) : -1; i >= 0 && i < bit_size(nodes); i++)
		if (bit_test(nodes, i))
			list[count++] = (uint32_t)i;
	order->offer = list;
	order->offer_count = count;
}

/* Asks when the job could start on the nodes, of which those remain that it would get. false: at no
 * moment. */
static bool find_moment(job_record_t *job_ptr, bitstr_t *nodes)
{
	uint32_t min_nodes, wanted_nodes, max_nodes;

	job_ptr->start_time = 0;
	/* the select plugin does not look at features */
	return job_req_node_filter(job_ptr, nodes, true) == SLURM_SUCCESS && bit_ffs(nodes) >= 0 &&
	       maui_start_node_counts(job_ptr, &min_nodes, &wanted_nodes, &max_nodes) ==
		       SLURM_SUCCESS &&
	       maui_compat_will_run(job_ptr, nodes, min_nodes, max_nodes, wanted_nodes) ==
		       SLURM_SUCCESS;
}

/* Whether the test would start the job now on the nodes that select_nodes() has just refused: it
 * knows nothing of counts of features (--constraint="a*2"), for example. */
static bool contradicts_itself(const struct maui_start_target *target)
{
	bitstr_t *nodes = bit_copy(target->planned);
	bool now = find_moment(target->job_ptr, nodes) && target->job_ptr->start_time <= time(NULL);

	FREE_NULL_BITMAP(nodes);
	return now;
}

void maui_start_find_offer(const struct maui_start_site *site,
			   const struct maui_start_target *target, struct maui_start_order *order)
{
	job_record_t *job_ptr = target->job_ptr;
	struct maui_start_unseen unseen = maui_start_hide_question(job_ptr);
	bitstr_t *nodes = nodes_for_offer(target);

	order->no_moment = !find_moment(job_ptr, nodes);
	if (!order->no_moment && job_ptr->start_time > time(NULL)) {
		order->offer_s = job_ptr->start_time;
		list_offer(site, nodes, order);
	} else if (!order->no_moment) {
		/* not where select_nodes() was kept from cores that are kept for others */
		order->doubtful = !order->kept && contradicts_itself(target);
	}
	if (order->no_moment)
		debug("slurm-maui: Slurm's test lets %pJ start at no moment", job_ptr);
	FREE_NULL_BITMAP(nodes);
	maui_start_forget_question(job_ptr, &unseen);
}

/* What a refusal of the question says. */
static void note_refusal(const struct maui_start_site *site, const struct maui_start_target *target,
			 struct maui_start_order *order)
{
	enum maui_refusal_kind kind = maui_refusal_kind(order->code);

	order->outcome = MAUI_START_REFUSED;
	order->nodes_refused = kind == MAUI_REFUSED_NODES || kind == MAUI_REFUSED_UNFIT;
	order->unfit = kind == MAUI_REFUSED_UNFIT;
	order->network = maui_compat_is_topology_refusal(order->code);
	order->failed = kind == MAUI_REFUSED_JOB;
	if (order->want_offer && order->nodes_refused)
		maui_start_find_offer(site, target, order);
}

bool maui_start_try(const struct maui_start_site *site, const struct maui_known_reservations *known,
		    const struct maui_start_target *target, struct maui_start_order *order,
		    bitstr_t *taken)
{
	job_record_t *job_ptr = target->job_ptr;
	struct maui_start_unseen unseen = maui_start_hide_question(job_ptr);
	struct maui_start_before before;

	order->outcome = MAUI_START_CHANGED;
	order->why = maui_start_prepare(target, order, &before);
	if (!order->why) {
		order->code = test_planned(known, target, order, &before, taken);
		order->outcome = MAUI_START_NOT_TRIED;
	}
	if (!order->why && order->code != SLURM_SUCCESS)
		note_refusal(site, target, order);
	maui_start_put_back(job_ptr, &before);
	maui_start_forget_question(job_ptr, &unseen);
	return order->outcome == MAUI_START_NOT_TRIED;
}

int maui_start_test(const struct maui_start_site *site, const struct maui_start_order *order)
{
	struct maui_start_order asked = *order;
	struct maui_start_target target = { 0 };
	struct maui_known_reservations known;
	int code = ESLURM_INVALID_JOB_ID;

	asked.want_offer = false;
	maui_start_lock();
	maui_known_reservations_open(site->mirrors, &known);
	if (maui_cluster_is_current(site->table) && !maui_start_find(&asked, &target)) {
		maui_start_try(site, &known, &target, &asked, NULL);
		code = asked.why ? ESLURM_NODE_NOT_AVAIL : asked.code;
	} else if (target.job_ptr) {
		code = ESLURM_NODE_NOT_AVAIL;
	}
	maui_known_reservations_close(&known);
	maui_start_target_finish(&target);
	maui_start_unlock();
	return code;
}

/* What the code says of whether the nodes could serve the job at some time. */
static enum maui_possible possible_by(int code)
{
	switch (maui_refusal_kind(code)) {
	case MAUI_REFUSED_UNFIT:
		return MAUI_POSSIBLE_NO;
	case MAUI_REFUSED_WAIT:
		return MAUI_POSSIBLE_UNSAID;
	default:
		return MAUI_POSSIBLE_YES;
	}
}

static enum maui_possible ask_possible(const struct maui_known_reservations *known,
				       const struct maui_start_target *target,
				       const struct maui_start_order *order)
{
	job_record_t *job_ptr = target->job_ptr;
	struct maui_start_unseen unseen = maui_start_hide_question(job_ptr);
	struct maui_start_reservation resv;
	struct maui_start_before before;
	int code;

	maui_start_begin(target, order, &before);
	maui_start_use_features(job_ptr, false);
	maui_start_reservation_enter_any(known, job_ptr, &resv);
	code = maui_compat_select_nodes(job_ptr, true, 0);
	maui_start_reservation_leave(job_ptr, &resv);
	maui_start_restore_features(job_ptr, &before);
	maui_start_put_back(job_ptr, &before);
	maui_start_forget_question(job_ptr, &unseen);
	return possible_by(code);
}

enum maui_possible maui_start_is_possible(const struct maui_start_site *site,
					  const struct maui_start_order *order)
{
	struct maui_known_reservations known;
	struct maui_start_target target;
	enum maui_possible possible = MAUI_POSSIBLE_CHANGED;

	maui_start_lock();
	maui_known_reservations_open(site->mirrors, &known);
	if (maui_cluster_is_current(site->table) && !maui_start_find_job(order, &target))
		possible = ask_possible(&known, &target, order);
	maui_known_reservations_close(&known);
	maui_start_unlock();
	return possible;
}
