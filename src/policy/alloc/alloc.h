/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alloc.h - which of the nodes that fit a job gets (NODEALLOCATIONPOLICY, Maui manual 5.2)
 *
 *   FIRSTAVAILABLE  order of the node table
 *   LASTAVAILABLE   the node whose free interval ends soonest: long ones are kept for long jobs
 *   MINRESOURCE     fewest configured resources: procs, then memory, then the rest
 *   PRIORITY        highest NODECFG PRIORITY
 *   CPULOAD         most processors without load
 *   FASTEST         highest speed
 *   CONTIGUOUS      neighbours in the node table, from the smallest group that suffices; when
 *                   there is none any, unless the job itself asks for it
 *   MAXBALANCE      speeds as uniform as possible
 *   LOCAL           a site's own code in Maui; here FIRSTAVAILABLE
 *   SLURM           as Slurm prefers: the fewest leaf switches under topology/tree, the most idle
 *                   processors under CR_LLN; then, or without these, LASTAVAILABLE
 * A job that Slurm places by switches gets nodes of one connected network, and of no more leaf
 * switches than it asks for (--switches), under each policy.
 * Where the resource manager distributes tasks itself (snapshot's shares_tasks), the plan does so
 * in the same way, and does not choose nodes that would be left out.
 * Before all: nodes the job names; then by affinity to reservations (Maui manual 7.1.5.2.3), those
 * of most of them first, those of last resort last; then nodes that are up before sleeping ones.
 * NODESETPOLICY comes before all of this: it looks for nodes in one set after the other.
 * JOBNODEMATCHPOLICY comes before the order: EXACTNODE with a range of nodes (-N1-4) takes the
 * least number of them that holds the job now, EXACTPROC only nodes of one size, the fewest that
 * serve.
 * CONTIGUOUS and MAXBALANCE choose among nodes with positive affinity first, then among
 * those without negative, then among all. Ties: Slurm's node weight, then the order of the node
 * table.
 *
 * Rules: BF-9, BF-10, BF-24.
 */
#ifndef MAUI_POLICY_ALLOC_ALLOC_H
#define MAUI_POLICY_ALLOC_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timeline/shape.h"
#include "timeline/timeline.h"

/* A node on which the job fits. */
struct maui_candidate {
	uint32_t node;
	/* > 0: how many reservations attract the job; < 0: a last resort; 0: neither */
	int affinity;
	bool required; /* the job names it */
	int64_t tasks; /* how many tasks it could take */
	int64_t cost;  /* cheap nodes come before all that follows, the policy included; 0: none */
	int64_t until_s; /* end of its free interval, for LASTAVAILABLE only */
	int64_t idle;    /* idle processors, for LEAST_LOADED only */
	uint32_t rank;   /* place of its leaf switch in the choice; set by policy/alloc */
	int64_t gives;   /* result: how many tasks it is to take */
};

/* Whether the candidates together have, at a moment, what the request asks for the whole job
 * (per_job); claims are ignored: what the shape counts on each node may be less than its part. */
bool maui_alloc_has_whole_job(const struct maui_shape *shape, const struct maui_timeline *t,
			      int64_t when, const struct maui_candidate *candidates, size_t count);

/* The policy by which the nodes for this shape are ordered: what SLURM stands for, and LEAST_LOADED
 * for a job that is to be spread. It says which members of a candidate must be set. */
int maui_alloc_order_of(const struct maui_shape *shape, int policy);

/* Whether Slurm places the shape by switches. */
bool maui_alloc_uses_switches(const struct maui_shape *shape);
/* Whether free nodes may be enough and still not serve: they have to be neighbours, in one node
 * set, on few leaf switches, or on one of several networks. */
bool maui_alloc_is_bound(const struct maui_shape *shape);

/* Chooses among candidates whose number and tasks suffice for the shape as counts. True: the first
 * *ret_count of the list are the chosen ones, with `gives` set. False: no choice serves, as when
 * the number of nodes is bounded. The order of the list does not matter; it is changed. Without
 * memory errno is ENOMEM afterwards, and the choice is not the policy's. */
bool maui_alloc_choose(const struct maui_shape *shape, int policy, struct maui_candidate *list,
		       size_t count, uint32_t *ret_count);

#endif
