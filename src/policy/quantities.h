/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quantities.h - what a job asks for, or gets, as limits and priorities count it
 *
 * Generic resources count by their weight (GRESCFG WEIGHT).
 *
 * Rules: THR-1, PRIO-4, PRIO-5.
 */
#ifndef MAUI_POLICY_QUANTITIES_H
#define MAUI_POLICY_QUANTITIES_H

#include "config/config.h"
#include "model/snapshot.h"
#include "timeline/shape.h"

/* Of what a job gets on so many nodes together: a vector of the snapshot's amounts. */
void maui_quantities_make(const struct maui_config *config, const struct maui_snapshot *s,
			  const int64_t *amounts, int64_t nodes, struct maui_quantities *ret);

/* The least that a job of this shape gets on nodes of the supply, where Slurm gives it more than it
 * asks for: nodes that it needs, whole nodes, all memory. Each quantity by itself: no place need
 * have all of them. */
void maui_quantities_least(const struct maui_config *config, const struct maui_shape *shape,
			   const struct maui_shape_supply *supply, struct maui_quantities *ret);

/* Sets what a hypothetical job counts for limits and priority: one with this request, so many
 * processors, and this limit, on so many nodes. */
void maui_quantities_ask(const struct maui_config *config, const struct maui_snapshot *s,
			 const struct maui_request *r, int64_t procs, int64_t nodes,
			 int64_t limit_s, struct maui_job *ret);
/* The number of nodes that such a job counts: as slurmctld has it, one where its user names
 * none. */
static inline int64_t maui_request_counted_nodes(const struct maui_request *r)
{
	return r->nodes_named ? r->nodes_min : 1;
}

#endif
