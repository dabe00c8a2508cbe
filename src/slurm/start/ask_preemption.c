/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask_preemption.c - hands the select plugin the jobs that stay, and asks when the job could run */

#include "slurm/start/private.h"
#include "slurm/start/ask_preemption.h"

#include <stdlib.h>

#include "base/sort.h"
#include "slurm/hold.h"

/* The select plugin looks for each active job among those that stay. From this product of the two
 * numbers on, it would hold the locks for more than 50 ms (measured: 5 ns a look), so Slurm is not
 * asked. */
enum { LOOKS_MOST = 10000000 };

struct victims {
	const uint32_t *ids; /* ascending */
	size_t count;
};

static bool is_victim(const struct victims *victims, const job_record_t *job_ptr)
{
	return bsearch(&job_ptr->job_id, victims->ids, victims->count, sizeof(*victims->ids),
		       maui_sort_by_u32) != NULL;
}

/* The jobs on the nodes that are no victims; of a het job the leader, as the select plugin knows
 * it. NULL: none. *ret_active: all active jobs. */
static maui_compat_list_t list_stayers(const bitstr_t *nodes, const struct victims *victims,
				       size_t *ret_active)
{
	maui_compat_list_t stay = list_create(NULL);
	maui_compat_iterator_t iterator = list_iterator_create(job_list);
	job_record_t *job_ptr;

	*ret_active = 0;
	while ((job_ptr = list_next(iterator))) {
		if ((!IS_JOB_RUNNING(job_ptr) && !IS_JOB_SUSPENDED(job_ptr)) ||
		    !job_ptr->node_bitmap)
			continue;
		++*ret_active;
		if (is_victim(victims, job_ptr) ||
		    !bit_overlap_any((bitstr_t *)nodes, job_ptr->node_bitmap))
			continue;
		if (job_ptr->het_job_id)
			job_ptr = find_job_record(job_ptr->het_job_id);
		if (job_ptr)
			list_append(stay, job_ptr);
	}
	list_iterator_destroy(iterator);
	if (list_count(stay) == 0)
		FREE_NULL_LIST(stay);
	return stay;
}

static maui_compat_list_t list_victims(const struct victims *victims)
{
	maui_compat_list_t list = list_create(NULL);

	for (size_t i = 0; i < victims->count; i++) {
		job_record_t *job_ptr = find_job_record(victims->ids[i]);

		if (job_ptr)
			list_append(list, job_ptr);
	}
	return list;
}

/* Asks the select plugin. Slurm's own preemption takes the candidates that it is given away;
 * without it, the candidates stay and all other jobs end. */
static bool could_run_beside(job_record_t *job_ptr, bitstr_t *nodes, const struct victims *victims)
{
	bool slurm_preempts = maui_compat_slurm_preempts();
	uint32_t min_nodes, req_nodes, max_nodes;
	maui_compat_list_t candidates;
	size_t active;
	int code = maui_start_node_counts(job_ptr, &min_nodes, &req_nodes, &max_nodes);

	if (code != SLURM_SUCCESS)
		return false;
	candidates = slurm_preempts ? list_victims(victims) : list_stayers(nodes, victims, &active);
	if (!slurm_preempts && candidates && (size_t)list_count(candidates) * active > LOOKS_MOST) {
		debug("slurm-maui: %pJ: too many jobs on its nodes to ask Slurm about a preemption",
		      job_ptr);
		FREE_NULL_LIST(candidates);
		return true;
	}
	job_ptr->start_time = 0;
	code = maui_compat_will_run_beside(job_ptr, nodes, min_nodes, max_nodes, req_nodes,
					   candidates, slurm_preempts);
	FREE_NULL_LIST(candidates);
	return code == SLURM_SUCCESS && (!slurm_preempts || job_ptr->start_time <= time(NULL));
}

/* Whether the prepared job could run on the nodes without the victims. */
static bool could_run(const struct maui_start_target *target, const struct victims *victims)
{
	job_record_t *job_ptr = target->job_ptr;
	maui_compat_list_t licences = job_ptr->license_list;
	bitstr_t *nodes = bit_copy(target->planned);
	bool could;

	job_ptr->license_list = NULL; /* those of victims would have to be given back as well */
	could = could_run_beside(job_ptr, nodes, victims);
	job_ptr->license_list = licences;
	FREE_NULL_BITMAP(nodes);
	return could;
}

/* Asks without a trace in the queue. */
static enum maui_preemption_answer ask(const struct maui_start_target *target,
				       const struct maui_start_order *order,
				       const struct victims *victims)
{
	enum maui_preemption_answer answer = MAUI_PREEMPTION_CHANGED;
	job_record_t *job_ptr = target->job_ptr;
	struct maui_start_unseen unseen = maui_start_hide_question(job_ptr);
	struct maui_start_before before;

	maui_start_begin(target, order, &before);
	if (maui_start_set_limit(job_ptr, order)) {
		maui_start_exclude(target);
		maui_start_use_features(job_ptr, false);
		answer = could_run(target, victims) ? MAUI_PREEMPTION_HELPS :
						      MAUI_PREEMPTION_IN_VAIN;
		maui_start_include(job_ptr, &before);
		maui_start_restore_features(job_ptr, &before);
	}
	maui_start_put_back(job_ptr, &before);
	maui_start_forget_question(job_ptr, &unseen);
	return answer;
}

static void log_in_vain(const struct maui_start_target *target, size_t count)
{
	char *nodes = bitmap2node_name(target->planned);

	verbose("slurm-maui: %pJ would not start on %s without %zu other jobs either: none of them "
		"is preempted for it",
		target->job_ptr, nodes, count);
	xfree(nodes);
}

enum maui_preemption_answer maui_ask_preemption(const struct maui_start_site *site,
						const struct maui_start_order *order,
						const uint32_t *victims, size_t count,
						struct maui_hold_times *holds)
{
	const struct victims known = { victims, count };
	enum maui_preemption_answer answer = MAUI_PREEMPTION_CHANGED;
	struct maui_start_target target = { 0 };
	int64_t since, held_us;

	lock_slurmctld(maui_start_locks);
	since = maui_monotonic_us();
	if (maui_cluster_is_current(site->table) && !maui_start_find(order, &target))
		answer = ask(&target, order, &known);
	if (answer == MAUI_PREEMPTION_IN_VAIN)
		log_in_vain(&target, count);
	maui_start_target_finish(&target);
	held_us = maui_hold_note(holds, since);
	unlock_slurmctld(maui_start_locks);
	maui_hold_give_way(held_us);
	return answer;
}
