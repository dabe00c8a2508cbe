/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_standing_model.h - placement in a small cluster, and a model that computes every second what
 * is left of its nodes
 */
#ifndef MAUI_TESTSUITE_PROP_STANDING_MODEL_H
#define MAUI_TESTSUITE_PROP_STANDING_MODEL_H

#include "prop_standing.h"

static struct maui_timeline timeline;

struct placed {
	struct maui_rsv_instance *list;
	uint32_t count;
};

static inline struct placed place(const struct maui_snapshot *s, const struct placed *before,
				  struct maui_arena *memory)
{
	struct maui_standing_targets *targets;
	struct maui_standing_input input = { .list = world.list,
					     .count = world.rsv_count,
					     .before = before->list,
					     .before_count = before->count,
					     .allocation = world.allocation,
					     .res_depth = world.res_depth,
					     .job_rsvs = &world.job_rsv,
					     .job_rsv_count = world.promised };
	struct placed ret;

	PROP_CHECK(maui_standing_targets((struct maui_snapshot *)s, world.list, world.rsv_count,
					 memory, &targets, NULL) == 0,
		   "targets");
	input.targets = targets;
	PROP_CHECK(maui_timeline_build(&timeline, s, world.now, false) == 0, "build");
	PROP_CHECK(maui_standing_place(&timeline, s, &input, world.now, memory, &ret.list,
				       &ret.count) == 0,
		   "place");
	return ret;
}

/* ---- the model ---- */

static inline int64_t amount(const struct maui_rsv *rsv, uint32_t node, int64_t tasks, unsigned d)
{
	const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };
	int64_t unit = world.nodes[node].unit;

	if (is_whole(rsv))
		return world.have[node][d];
	return d ? tasks * want[d] : (tasks * want[0] + unit - 1) / unit * unit;
}

/* Whether this many tasks fit into what is left. */
static inline bool fits(const struct maui_rsv *rsv, uint32_t node, int64_t tasks,
			const int64_t *left)
{
	if (rsv->task.procs == 0 && rsv->task.mem_mb == 0 && rsv->task.disk_mb == 0)
		return false;
	if (rsv->task.procs < 0 && tasks > 1)
		return false;
	for (unsigned d = 0; d < AMOUNTS; d++) {
		const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };

		if (!is_whole(rsv) && want[d] == 0) /* jobs may hold more than the node has */
			continue;
		if (amount(rsv, node, tasks, d) > left[d] ||
		    (rsv->task.procs >= 0 && tasks * want[d] > world.have[node][d]))
			return false;
	}
	return true;
}

static inline bool listed(const struct maui_rsv *rsv, uint32_t node)
{
	static const struct {
		const char *hosts;
		unsigned mask;
	} lists[] = {
		{ "n0,n1", 3 }, { "n[0-2]", 7 }, { "n3", 8 }, { "n[1-4]", 30 }, { "zebra", 0 }
	};

	for (unsigned i = 0; rsv->hosts && i < 5; i++)
		if (strcmp(rsv->hosts, lists[i].hosts) == 0)
			return lists[i].mask >> node & 1;
	return false;
}

/* The node is of its partition and has its features. A HOSTLIST without an existing host leaves no
 * node. */
static inline bool serves(const struct maui_rsv *rsv, uint32_t node)
{
	const struct maui_node *n = &world.nodes[node];

	if (rsv->hosts && strcmp(rsv->hosts, "zebra") == 0)
		return false;
	if (rsv->partition && strcmp(rsv->partition, n->partitions[0] ? "p1" : "p0") != 0)
		return false;
	return rsv->features.count == 0 || n->features;
}

static inline int64_t capacity(const struct maui_rsv *rsv, uint32_t node)
{
	int64_t tasks = 0;

	while (tasks < 1000 && fits(rsv, node, tasks + 1, world.have[node]))
		tasks++;
	return tasks < rsv->tasks_per_node ? 0 : tasks;
}

static inline bool is_locked(const struct maui_rsv *rsv)
{
	int64_t sum = 0;

	if (!rsv->hosts)
		return false;
	for (uint32_t n = 0; n < world.node_count; n++)
		if (listed(rsv, n) && serves(rsv, n))
			sum += capacity(rsv, n);
	return rsv->task_count == 0 || sum <= rsv->task_count;
}

/* Of the node-locked part of an instance. */
static inline bool locked_there(const struct maui_rsv *rsv, uint32_t node)
{
	return is_locked(rsv) && listed(rsv, node);
}

static inline bool covers(const struct maui_rsv_instance *i, int64_t t)
{
	return i->start_s <= t && t < i->end_s;
}

/* Which reservations count in left_at(). */
enum { STRICT = 1, LOCKED = 2, TOLERANT = 4, JOBS_AND_CLAIMS = 8, ALL = 15 };

static inline void take_all(int64_t *left)
{
	for (unsigned d = 0; d < AMOUNTS; d++)
		left[d] = left[d] > 0 ? 0 : left[d];
}

/* What is left of a node at a moment, but for one instance. */
static inline void left_at(const struct placed *placed, uint32_t node, int64_t t, unsigned which,
			   const struct maui_rsv_instance *without, int64_t *left,
			   bool *ret_touched)
{
	*ret_touched = false;
	memcpy(left, world.have[node], sizeof(world.have[node]));
	for (uint32_t i = 0; i < placed->count; i++) {
		const struct maui_rsv_instance *other = &placed->list[i];
		const struct maui_rsv *rsv = world.list[other->rsv];
		unsigned kind = locked_there(rsv, node) ? LOCKED :
				tolerates(rsv)          ? TOLERANT :
							  STRICT;

		for (uint32_t k = 0; k < other->place_count; k++)
			if (other != without && covers(other, t) && (which & kind) &&
			    other->places[k].node == node) {
				*ret_touched = true;
				for (unsigned d = 0; d < AMOUNTS; d++)
					left[d] -= amount(rsv, node, other->places[k].tasks, d);
			}
	}
	for (uint32_t j = 0; (which & JOBS_AND_CLAIMS) && j < world.job_count; j++)
		if (world.jobs[j].piece.node == node && t < world.jobs[j].active.end_s) {
			*ret_touched = true;
			for (unsigned d = 0; d < AMOUNTS; d++)
				left[d] -= world.jobs[j].amounts[d];
		}
	if ((which & JOBS_AND_CLAIMS) && world.promised && world.piece.node == node &&
	    world.job_rsv.start_s <= t && t < world.job_rsv.end_s) {
		*ret_touched = true;
		for (unsigned d = 0; d < AMOUNTS; d++)
			left[d] -= world.piece_amounts[d];
	}
	if ((which & JOBS_AND_CLAIMS) && world.claimed && node == world.claim_node &&
	    world.claim.start_s <= t && t < world.claim.end_s) {
		*ret_touched = true;
		take_all(left);
	}
	if ((which & JOBS_AND_CLAIMS) && world.nodes[node].usable_from_s == MAUI_NEVER) {
		*ret_touched = true;
		take_all(left);
	}
}

/* Whether this many tasks of the instance fit next to other reservations, from now or its start
 * on. */
static inline bool has_room(const struct placed *placed, const struct maui_rsv_instance *i,
			    uint32_t node, int64_t tasks, unsigned which)
{
	const struct maui_rsv *rsv = world.list[i->rsv];
	int64_t from = i->start_s > world.now ? i->start_s : world.now;

	for (int64_t t = from; t < i->end_s && t < 3 * HORIZON; t++) {
		int64_t left[AMOUNTS];
		bool touched;

		left_at(placed, node, t, which, i, left, &touched);
		if ((is_whole(rsv) && touched) || !fits(rsv, node, tasks, left))
			return false;
	}
	return true;
}

#endif
