/* SPDX-License-Identifier: GPL-2.0-or-later */
/* share.c - Slurm's core reservations: how much of each node they have, and which jobs use them
 *
 * slurmctld keeps a reservation's cores in one bitmap of all cores of the cluster. It keeps a job
 * off these cores when the job does not name the reservation and would overlap it in time.
 */

#include "slurm/capture/private.h"

/* Counts the cores; under CR_SOCKET whole sockets count. */
static int64_t count_cores(bitstr_t *cores, const node_record_t *node_ptr, int64_t from)
{
	int64_t unit = slurm_conf.select_type_param & CR_SOCKET ? node_ptr->cores : 1, count = 0;
	int64_t end = from + node_ptr->tot_cores;

	if (end > bit_size(cores))
		return 0;
	if (unit <= 1)
		return bit_set_count_range(cores, (int32_t)from, (int32_t)end);
	for (; from < end; from += unit)
		if (bit_set_count_range(cores, (int32_t)from,
					(int32_t)(from + unit < end ? from + unit : end)) > 0)
			count += unit;
	return count;
}

int64_t maui_draft_share_procs(bitstr_t *cores, int64_t index)
{
	const node_record_t *node_ptr = node_record_table_ptr[index];

	if (!node_ptr)
		return 0;
	return count_cores(cores, node_ptr, cr_get_coremap_offset((uint32_t)index)) *
	       (node_ptr->tpc > 0 ? node_ptr->tpc : 1);
}

/* Whether one bitmap contains the other. */
static bool nested(bitstr_t *one, bitstr_t *two)
{
	return bit_size(one) == bit_size(two) &&
	       (bit_super_set(one, two) || bit_super_set(two, one));
}

bool maui_draft_shares_meet(const struct maui_draft_share *one, const struct maui_draft_share *two)
{
	return one->first <= two->last && two->first <= one->last &&
	       bit_size(one->nodes) == bit_size(two->nodes) &&
	       bit_overlap_any(one->nodes, two->nodes);
}

uint32_t maui_draft_stack(const struct maui_draft *draft, const struct maui_draft_share *share)
{
	bool *closed = xcalloc(draft->share_count + 2u, sizeof(*closed));
	uint32_t stack = 1;

	for (uint32_t i = 0; i < draft->share_count; i++) {
		const struct maui_draft_share *other = &draft->shares[i];

		if (!closed[other->stack] && maui_draft_shares_meet(other, share))
			closed[other->stack] = !nested(other->cores, share->cores);
	}
	while (closed[stack])
		stack++;
	xfree(closed);
	return stack;
}

/* Counts the job's cores on a node that belong to a core reservation. */
static int64_t count_both(bitstr_t *share, const job_resources_t *res, int64_t job_from,
			  int64_t from, int64_t cores)
{
	int64_t count = 0;

	if (from + cores > bit_size(share) || job_from + cores > bit_size(res->core_bitmap) ||
	    bit_set_count_range(share, (int32_t)from, (int32_t)(from + cores)) == 0)
		return 0;
	for (int64_t c = 0; c < cores; c++)
		count += bit_test(share, from + c) && bit_test(res->core_bitmap, job_from + c);
	return count;
}

uint32_t maui_draft_hold_shares(struct maui_draft *draft, const job_resources_t *res,
				int64_t job_from, int64_t cores, int64_t index,
				const struct maui_share **ret_list)
{
	const node_record_t *node_ptr = node_record_table_ptr[index];
	struct maui_share *list = NULL;
	uint32_t count = 0;

	if (!node_ptr || !res->core_bitmap || cores != node_ptr->tot_cores)
		return 0;
	for (uint32_t i = 0; i < draft->share_count; i++) {
		const struct maui_draft_share *share = &draft->shares[i];
		int64_t both = 0;

		if (index >= share->first && index <= share->last)
			both = count_both(share->cores, res, job_from,
					  cr_get_coremap_offset((uint32_t)index), cores);
		if (both == 0)
			continue;
		if (!list)
			list = maui_arena_alloc(&draft->cluster->arena,
						(draft->share_count - i) * sizeof(*list));
		if (!list) {
			draft->failed = true;
			return 0;
		}
		list[count++] = (struct maui_share){ share->claim,
						     both * (node_ptr->tpc ? node_ptr->tpc : 1) };
	}
	*ret_list = list;
	return count;
}
