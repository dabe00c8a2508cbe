/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_standing.h - small random clusters with jobs and reservations, for prop_standing.c and
 * prop_ending.c
 */
#ifndef MAUI_TESTSUITE_PROP_STANDING_H
#define MAUI_TESTSUITE_PROP_STANDING_H

#include <stdbool.h>
#include <string.h>

#include "config/planning.h"
#include "reservation/placement/placement.h"
#include "prop.h"

enum { NODES = 7, RSVS = 7, JOBS = 6, AMOUNTS = 3, HORIZON = 100, PLANS = 5 };

struct job {
	struct maui_active active;
	struct maui_piece piece;
	int64_t amounts[AMOUNTS];
};

static struct {
	int64_t have[NODES][AMOUNTS];
	struct maui_node nodes[NODES];
	uint32_t node_count, job_count, rsv_count;
	struct job jobs[JOBS];
	struct maui_claim claim;
	uint32_t claim_node;
	bool claimed;
	struct maui_standing_job_rsv job_rsv; /* of a job that waits */
	struct maui_piece piece;
	int64_t piece_amounts[AMOUNTS];
	bool promised;
	struct maui_rsv rsvs[RSVS];
	const struct maui_rsv *list[RSVS];
	char hosts[RSVS][32];
	int64_t now, res_depth;
	int allocation;
} world;

/* ---- a world ---- */

static inline void draw_node(uint32_t n)
{
	static const char *const features[] = { NULL, "x", "x,y" };
	static const char *const names[NODES] = { "n0", "n1", "n2", "n3", "n4", "n5", "n6" };
	static const uint32_t parts[] = { 0, 1 };
	unsigned unit = 1 + prop_pick(2);

	world.have[n][0] = unit * (1 + prop_pick(6));
	world.have[n][1] = 10 * (1 + prop_pick(6));
	world.have[n][2] = prop_pick(3) * 10;
	world.nodes[n] = (struct maui_node){ .id = n,
					     .name = names[n],
					     .have = world.have[n],
					     .partitions = parts + prop_pick(2),
					     .partition_count = 1,
					     .features = features[prop_pick(3)],
					     .unit = unit,
					     .weight = prop_pick(3),
					     .speed = prop_pick(3),
					     .asleep = prop_pick(8) == 0 };
}

static inline void draw_states(void)
{
	for (uint32_t n = 0; n < world.node_count; n++)
		world.nodes[n].usable_from_s = prop_pick(8) == 0 ? MAUI_NEVER :
					       prop_pick(8) == 0 ? world.now + prop_pick(50) :
								   0;
}

static inline void draw_jobs(void)
{
	world.job_count = prop_pick(JOBS + 1);
	for (uint32_t j = 0; j < world.job_count; j++) {
		struct job *job = &world.jobs[j];
		uint32_t node = prop_pick(world.node_count);

		job->amounts[0] =
			world.nodes[node].unit *
			(1 + prop_pick((unsigned)world.have[node][0] / world.nodes[node].unit));
		job->amounts[1] = prop_pick(20);
		job->amounts[2] = 0;
		job->piece = (struct maui_piece){ .node = node, .amounts = job->amounts };
		job->active = (struct maui_active){ .id = j,
						    .end_s = world.now + 1 + prop_pick(60),
						    .pieces = &job->piece,
						    .piece_count = 1 };
	}
	world.claimed = prop_pick(3) == 0;
	world.claim_node = prop_pick(world.node_count);
	world.claim = (struct maui_claim){ .start_s = world.now + prop_pick(40) - 10,
					   .nodes = &world.claim_node,
					   .node_count = 1,
					   .rsv = MAUI_CLAIM_FOREIGN };
	world.claim.end_s = world.claim.start_s + 1 + prop_pick(60);
}

static inline void draw_promise(void)
{
	world.promised = prop_pick(3) == 0;
	world.piece_amounts[0] = 1 + prop_pick(6);
	world.piece_amounts[1] = prop_pick(20);
	world.piece = (struct maui_piece){ .node = prop_pick(world.node_count),
					   .amounts = world.piece_amounts };
	world.job_rsv = (struct maui_standing_job_rsv){ .job = 1,
							.start_s = world.now + prop_pick(60),
							.pieces = &world.piece,
							.piece_count = 1 };
	world.job_rsv.end_s = world.job_rsv.start_s + 1 + prop_pick(60);
}

/* A reservation with the same request as an earlier one, except for its size and owner. Now and
 * then with one difference. */
static inline void draw_alike(struct maui_rsv *rsv, const struct maui_rsv *other)
{
	rsv->hosts = other->hosts;
	rsv->features = other->features;
	rsv->partition = other->partition;
	rsv->task = other->task;
	rsv->start_s = prop_pick(6) ? other->start_s : other->start_s + 1;
	rsv->end_s = prop_pick(6) && other->end_s > rsv->start_s ? other->end_s : MAUI_NEVER;
	if (!rsv->hosts && rsv->task_count == 0)
		rsv->task_count = 1 + prop_pick(5);
}

static inline void draw_rsv(uint32_t r)
{
	static char *x = "x", *lists[] = { "n0,n1", "n[0-2]", "n3", "n[1-4]", "zebra" };
	struct maui_rsv *rsv = &world.rsvs[r];

	*rsv = (struct maui_rsv){ .name = "r",
				  .owner_kind = -1,
				  .period = MAUI_RSV_ONCE,
				  .depth = 1,
				  .start_s = prop_pick(60),
				  .priority = prop_pick(2),
				  .shared = prop_pick(6) == 0,
				  .task_count = prop_pick(6) };
	rsv->end_s = rsv->start_s + 1 + prop_pick(HORIZON - 60);
	if (prop_pick(8) == 0)
		rsv->end_s = MAUI_NEVER;
	rsv->task.procs = prop_pick(3) ? (int64_t)prop_pick(4) : -1;
	rsv->task.mem_mb = prop_pick(2) ? prop_pick(30) : 0;
	rsv->task.disk_mb = prop_pick(4) ? 0 : 5;
	if (prop_pick(2) || rsv->task_count == 0)
		rsv->hosts = lists[prop_pick(5)];
	if (prop_pick(4) == 0)
		rsv->features = (struct maui_words){ &x, 1 };
	if (prop_pick(4) == 0)
		rsv->partition = prop_pick(2) ? "p0" : "p1";
	if (prop_pick(5) == 0)
		rsv->tasks_per_node = 1 + prop_pick(3);
	for (int flag = 0; flag < MAUI_RSV_FLAG_COUNT; flag++)
		if (prop_pick(12) == 0)
			rsv->flags |= UINT64_C(1) << flag;
	if (prop_pick(5) == 0) {
		rsv->made_by = "root";
		rsv->by_user = prop_pick(3) == 0;
	}
	if (r > 0 && prop_pick(3) == 0)
		draw_alike(rsv, &world.rsvs[prop_pick(r)]);
	world.list[r] = rsv;
}

static inline struct maui_snapshot *pour(void)
{
	static const char *const cred[MAUI_CRED_COUNT] = { "amy" };
	struct maui_snapshot *s = maui_snapshot_create(AMOUNTS);

	maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "p0" });
	maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "p1" });
	for (uint32_t n = 0; n < world.node_count; n++)
		maui_snapshot_add_node(s, &world.nodes[n]);
	PROP_CHECK(maui_snapshot_seal(s, NULL) == 0, "seal");
	for (uint32_t j = 0; j < world.job_count; j++) {
		world.jobs[j].active.creds = (uint32_t)maui_snapshot_creds(s, cred);
		maui_snapshot_add_active(s, &world.jobs[j].active);
	}
	if (world.claimed)
		maui_snapshot_add_claim(s, &world.claim);
	return s;
}

/* ---- reservations ---- */

static inline bool has_flag(const struct maui_rsv *rsv, enum maui_rsv_flag flag)
{
	return rsv->flags >> flag & 1;
}

static inline bool is_whole(const struct maui_rsv *rsv)
{
	return rsv->task.procs < 0 || has_flag(rsv, MAUI_RSV_DEDICATEDNODE);
}

static inline bool tolerates(const struct maui_rsv *rsv)
{
	return (rsv->shared || has_flag(rsv, MAUI_RSV_FORCE)) &&
	       !has_flag(rsv, MAUI_RSV_DEDICATEDRESOURCE) && !(rsv->made_by && !rsv->shared);
}

/* setres -E */
static inline bool is_sole(const struct maui_rsv *rsv)
{
	return rsv->made_by && !rsv->shared;
}

static inline bool goes_over_jobs(const struct maui_rsv *rsv)
{
	return has_flag(rsv, MAUI_RSV_FORCE) && !has_flag(rsv, MAUI_RSV_DEDICATEDRESOURCE);
}

/* Whether one is not to be where the other is. */
static inline bool keeps_off(const struct maui_rsv *one, const struct maui_rsv *other)
{
	return is_sole(one) && (!one->by_user || other->by_user);
}

#endif
