/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - --nodelist, --exclude and the reservation of a request
 *
 * Rules: BF-29.
 */

#include "slurm/compat.h"

#include "base/sort.h"
#include "slurm/request/request.h"

/* Translates indices of the node table to indices of the snapshot, in ascending order. *ret_lost:
 * nodes that the snapshot does not have. */
static uint32_t list_nodes(const struct maui_request_site *site, const bitstr_t *bitmap,
			   uint32_t *list, bool *ret_lost)
{
	uint32_t count = 0;
	int64_t end = bitmap ? bit_size((bitstr_t *)bitmap) : 0;

	for (int64_t i = bitmap ? bit_ffs((bitstr_t *)bitmap) : -1; i >= 0 && i < end; i++) {
		if (!bit_test((bitstr_t *)bitmap, i))
			continue;
		if (i < site->node_count && site->index_of[i] >= 0)
			list[count++] = (uint32_t)site->index_of[i];
		else
			*ret_lost = true;
	}
	return count;
}

void maui_request_nodes(const struct maui_request_site *site, const struct job_record *job_ptr,
			struct maui_request *r)
{
	bool lost = false, ignored;

	r->required = site->required;
	r->required_count =
		list_nodes(site, job_ptr->details->req_node_bitmap, site->required, &lost);
	r->excluded = site->excluded;
	r->excluded_count =
		list_nodes(site, job_ptr->details->exc_node_bitmap, site->excluded, &ignored);
	if (lost)
		site->least[MAUI_AMOUNT_PROCS] = MAUI_REQUEST_NOWHERE;
}

/* Whether a job of its reservation `own` does not look at the other one: under MAINT at no other,
 * under OVERLAP at none but MAINT. */
static bool may_overlap(const slurmctld_resv_t *own, const slurmctld_resv_t *other)
{
	if (!other->node_bitmap || bit_size(other->node_bitmap) != bit_size(own->node_bitmap) ||
	    !bit_overlap_any(other->node_bitmap, own->node_bitmap))
		return false;
	return (own->flags & RESERVE_FLAG_MAINT) ||
	       ((own->flags & RESERVE_FLAG_OVERLAP) && !(other->flags & RESERVE_FLAG_MAINT));
}

/* Excludes the nodes that only the other reservations have. */
static void exclude_outside(const struct maui_request_site *site, const job_record_t *job_ptr,
			    bitstr_t *others, const slurmctld_resv_t *own, struct maui_request *r)
{
	bool ignored;

	bit_and_not(others, own->node_bitmap);
	if (job_ptr->details->exc_node_bitmap)
		bit_or(others, job_ptr->details->exc_node_bitmap);
	r->excluded_count = list_nodes(site, others, site->excluded, &ignored);
}

/* Adds the claims of other reservations that the job may overlap. */
static void add_overlapped(const struct maui_request_site *site, const job_record_t *job_ptr,
			   const slurmctld_resv_t *own, struct maui_request *r)
{
	const struct maui_snapshot *s = site->cluster->snapshot;
	bitstr_t *others = bit_alloc(bit_size(own->node_bitmap));
	maui_compat_iterator_t iterator = list_iterator_create(resv_list);
	const slurmctld_resv_t *other;

	while ((other = list_next(iterator))) {
		int64_t claim = maui_cluster_claim(site->cluster, other->name);

		if (other == own || claim < 0 || !may_overlap(own, other) ||
		    s->claims[claim].amounts || r->claim_count >= s->claim_count)
			continue;
		site->claims[r->claim_count++] = (uint32_t)claim;
		bit_or(others, other->node_bitmap);
	}
	list_iterator_destroy(iterator);
	if (r->only_claims && r->claim_count > 1)
		exclude_outside(site, job_ptr, others, own, r);
	FREE_NULL_BITMAP(others);
	qsort(site->claims, r->claim_count, sizeof(*site->claims), maui_sort_by_u32);
}

void maui_request_claims(const struct maui_request_site *site, const struct job_record *record,
			 const char *name, struct maui_request *r)
{
	const slurmctld_resv_t *own = find_resv_name((char *)name);
	int64_t claim = maui_cluster_claim(site->cluster, name);

	r->claims = site->claims;
	r->passes_shares = true;
	r->asks_slurm |= own && maui_compat_keeps_gres(own);
	if (own && (!own->node_bitmap || !own->node_cnt || (own->flags & RESERVE_FLAG_ANY_NODES)))
		return; /* a reservation of licences, on any nodes */
	r->only_claims = !own || !(own->flags & RESERVE_FLAG_FLEX);
	if (!own || claim < 0)
		return;
	site->claims[r->claim_count++] = (uint32_t)claim;
	if (own->flags & (RESERVE_FLAG_MAINT | RESERVE_FLAG_OVERLAP))
		add_overlapped(site, record, own, r);
}

int64_t maui_request_most_s(const struct maui_request_site *site, const struct job_record *job_ptr,
			    const char *reservation, const struct maui_request *r)
{
	int64_t now_s = site->cluster->now_s, claim;
	const struct maui_claim *own;

	if (!reservation || !r->only_claims || maui_compat_must_end_in_magnet(job_ptr))
		return 0;
	claim = maui_cluster_claim(site->cluster, reservation);
	if (claim < 0)
		return 0;
	own = &site->cluster->snapshot->claims[claim];
	return own->end_s - (own->start_s > now_s ? own->start_s : now_s);
}
