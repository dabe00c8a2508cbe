/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request_nodes.c - --nodelist, --exclude and the reservation of a request */

#include "slurm/compat.h"

#include "base/sort.h"
#include "slurm/eligible/request.h"

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

void maui_request_nodes(const struct maui_request_site *site, const void *record,
			struct maui_request *r)
{
	const job_record_t *job_ptr = record;
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

/* Whether Slurm lets the job's reservation overlap the other one: within it, under OVERLAP, or
 * MAINT. */
static bool may_overlap(const slurmctld_resv_t *own, const slurmctld_resv_t *other)
{
	if (!(own->flags & (RESERVE_FLAG_MAINT | RESERVE_FLAG_OVERLAP)) || !other->node_bitmap ||
	    bit_size(other->node_bitmap) != bit_size(own->node_bitmap))
		return false;
	if ((other->flags & RESERVE_FLAG_MAINT) && !(own->flags & RESERVE_FLAG_MAINT))
		return false;
	return bit_super_set(other->node_bitmap, own->node_bitmap);
}

void maui_request_claims(const struct maui_request_site *site, const char *name,
			 struct maui_request *r)
{
	const slurmctld_resv_t *own = find_resv_name((char *)name), *other;
	int64_t claim = maui_cluster_claim(site->cluster, name);
	maui_compat_iterator_t iterator;

	r->claims = site->claims;
	r->passes_shares = true;
	if (own && (!own->node_bitmap || !own->node_cnt || (own->flags & RESERVE_FLAG_ANY_NODES)))
		return; /* a reservation of licences, on any nodes */
	r->only_claims = !own || !(own->flags & RESERVE_FLAG_FLEX);
	if (!own || claim < 0)
		return;
	site->claims[r->claim_count++] = (uint32_t)claim;
	iterator = list_iterator_create(resv_list);
	while ((other = list_next(iterator))) {
		claim = maui_cluster_claim(site->cluster, other->name);
		if (other != own && claim >= 0 && may_overlap(own, other) &&
		    !site->cluster->snapshot->claims[claim].amounts &&
		    r->claim_count < site->cluster->snapshot->claim_count)
			site->claims[r->claim_count++] = (uint32_t)claim;
	}
	list_iterator_destroy(iterator);
	qsort(site->claims, r->claim_count, sizeof(*site->claims), maui_sort_by_u32);
}
