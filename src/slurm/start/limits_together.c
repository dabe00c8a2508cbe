/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits_together.c - whether the components of a het job together keep the limits of associations
 * and QOS
 *
 * As in sched/backfill: each component is checked while those before it count as begun; then all
 * are counted out again.
 *
 * Rules: HET-1.
 */

#include "slurm/start/private.h"

/* A component that counts as begun, and what it was before. */
struct begun {
	job_record_t *job_ptr;
	struct maui_start_before before;
	uint64_t *tres_alloc_cnt, bit_flags;
	job_resources_t *resources;
	__typeof__(((job_record_t *)NULL)->part_ptr_list) partitions;
	time_t start_time, end_time, end_time_exp;
	__typeof__(((job_record_t *)NULL)->billable_tres) billable_tres;
};

/* What the component asks for, with the planned nodes and processors. */
static uint64_t *list_asked(const job_record_t *job_ptr, const struct maui_start_order *order)
{
	uint64_t *asked = xcalloc(slurmctld_tres_cnt, sizeof(*asked));
	uint64_t procs = 0;

	if (job_ptr->tres_req_cnt)
		memcpy(asked, job_ptr->tres_req_cnt, slurmctld_tres_cnt * sizeof(*asked));
	if (order->slurm_chooses)
		return asked;
	for (uint32_t i = 0; order->procs && i < order->node_count; i++)
		procs += order->procs[i];
	if (procs > 0)
		asked[TRES_ARRAY_CPU] = procs;
	asked[TRES_ARRAY_NODE] = order->node_count;
	if (job_ptr->part_ptr->billing_weights)
		asked[TRES_ARRAY_BILLING] =
			(uint64_t)assoc_mgr_tres_weighted(asked, job_ptr->part_ptr->billing_weights,
							  slurm_conf.priority_flags, false);
	return asked;
}

/* GrpTRES=node counts nodes, each of them once: those that the job is to have. */
static job_resources_t *planned_nodes(const struct maui_start_order *order)
{
	job_resources_t *ret = create_job_resources();

	ret->node_bitmap = bit_alloc(node_record_count);
	for (uint32_t i = 0; i < order->node_count; i++)
		bit_set(ret->node_bitmap, order->nodes[i]);
	ret->nhosts = order->node_count;
	return ret;
}

/* Keeps what beginning and ending do beside the count: the job's submit leaves the QOS of its other
 * partitions, and a job that is over accrues no priority any more. */
static void keep_waiting(struct begun *begun)
{
	job_record_t *job_ptr = begun->job_ptr;

	begun->partitions = job_ptr->part_ptr_list;
	begun->bit_flags = job_ptr->bit_flags;
	job_ptr->part_ptr_list = NULL;
	job_ptr->bit_flags |= JOB_ACCRUE_OVER;
}

static void put_back_resources(const struct begun *begun)
{
	if (begun->job_ptr->job_resrcs != begun->resources)
		free_job_resources(&begun->job_ptr->job_resrcs);
	begun->job_ptr->job_resrcs = begun->resources;
}

/* Counts the component as begun if it keeps its limits. */
static bool begin(const struct maui_start_order *order, const struct maui_start_target *target,
		  struct begun *ret)
{
	job_record_t *job_ptr = target->job_ptr;
	time_t now = time(NULL);
	uint64_t *asked;

	*ret = (struct begun){ .job_ptr = job_ptr,
			       .tres_alloc_cnt = job_ptr->tres_alloc_cnt,
			       .resources = job_ptr->job_resrcs,
			       .start_time = job_ptr->start_time,
			       .end_time = job_ptr->end_time,
			       .end_time_exp = job_ptr->end_time_exp,
			       .billable_tres = job_ptr->billable_tres };
	maui_start_begin(target, order, &ret->before);
	maui_start_set_limit(job_ptr, order);
	if (job_ptr->time_limit == NO_VAL)
		job_ptr->time_limit = maui_start_default_limit(job_ptr->part_ptr);
	asked = list_asked(job_ptr, order);
	if (!order->slurm_chooses)
		job_ptr->job_resrcs = planned_nodes(order);
	if (!acct_policy_job_runnable_pre_select(job_ptr, false) ||
	    !acct_policy_job_runnable_post_select(job_ptr, asked, false)) {
		xfree(asked);
		put_back_resources(ret);
		maui_start_put_back(job_ptr, &ret->before);
		return false;
	}
	keep_waiting(ret);
	job_ptr->tres_alloc_cnt = asked;
	job_ptr->start_time = now;
	job_ptr->end_time = job_ptr->end_time_exp = now + (time_t)job_ptr->time_limit * 60;
	maui_compat_count_begin(job_ptr);
	return true;
}

/* Counts it out, as a job that ends when it begins. */
static void end(struct begun *begun)
{
	job_record_t *job_ptr = begun->job_ptr;
	uint32_t state = job_ptr->job_state;

	job_ptr->end_time = job_ptr->start_time;
	job_ptr->job_state = JOB_COMPLETE | JOB_COMPLETING;
	maui_compat_count_end(job_ptr);
	job_ptr->job_state = state;
	job_ptr->part_ptr_list = begun->partitions;
	job_ptr->bit_flags = begun->bit_flags;
	put_back_resources(begun);
	xfree(job_ptr->tres_alloc_cnt);
	job_ptr->tres_alloc_cnt = begun->tres_alloc_cnt;
	job_ptr->start_time = begun->start_time;
	job_ptr->end_time = begun->end_time;
	job_ptr->end_time_exp = begun->end_time_exp;
	job_ptr->billable_tres = begun->billable_tres;
	maui_start_put_back(job_ptr, &begun->before);
}

bool maui_start_keep_limits(struct maui_start_order *orders, uint32_t count)
{
	struct begun *list;
	uint32_t begun = 0;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return true;
	list = xcalloc(count, sizeof(*list));
	while (begun < count) {
		struct maui_start_order *order = &orders[begun];
		struct maui_start_target target;

		order->why = maui_start_find(order, &target);
		maui_start_target_finish(&target);
		if (order->why) {
			order->outcome = MAUI_START_CHANGED;
			break;
		}
		if (!begin(order, &target, &list[begun])) {
			order->outcome = MAUI_START_REFUSED;
			order->code = ESLURM_ACCOUNTING_POLICY;
			break;
		}
		begun++;
	}
	for (uint32_t i = 0; i < begun; i++)
		end(&list[i]);
	xfree(list);
	return begun == count;
}
