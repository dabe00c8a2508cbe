/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres_weight.h - how much generic resources count (GRESCFG WEIGHT), and so a whole request
 *
 * Rules: PRIO-4, PRIO-5.
 */
#ifndef MAUI_POLICY_GRES_WEIGHT_H
#define MAUI_POLICY_GRES_WEIGHT_H

#include "config/config.h"
#include "model/snapshot.h"

/* Adds `count` of the snapshot's amount `d` to the job's gpus and gres; an amount that is no
 * generic resource adds nothing. To be called for every amount: one of a type is in the amount of
 * its name as well. */
void maui_gres_weigh(const struct maui_config *config, const struct maui_snapshot *s, unsigned d,
		     double count, struct maui_job *job);

/* Sets what a hypothetical job counts for limits and priority: one with this request, so many
 * processors, and this limit, on so many nodes. */
void maui_request_count(const struct maui_config *config, const struct maui_snapshot *s,
			const struct maui_request *r, int64_t procs, int64_t nodes, int64_t limit_s,
			struct maui_job *ret);
/* The number of nodes that such a job counts: as slurmctld has it, one where its user names
 * none. */
static inline int64_t maui_request_counted_nodes(const struct maui_request *r)
{
	return r->nodes_named ? r->nodes_min : 1;
}

#endif
