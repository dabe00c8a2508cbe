/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finished.h - one scheduling cycle as a value, for questions about it
 *
 * A finished plan never changes, so any number of threads may read it at once (src/explain). It
 * keeps references to what it was made from: the configuration, the snapshot, the reservations.
 */
#ifndef MAUI_PLAN_FINISHED_H
#define MAUI_PLAN_FINISHED_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "model/access.h"
#include "model/decision.h"
#include "model/limit.h"
#include "model/priority.h"
#include "model/snapshot.h"
#include "reservation/placement/placement.h"
#include "timeline/shape.h"
#include "timeline/timeline.h"

/* How limits see a row of a waiting job. */
struct maui_plan_row {
	struct maui_quantities least; /* what it counts for, where that is more than it asks for */
	bool passed_over; /* the job can never run there, and can in another partition */
};

/* An idle job as the cycle considered it, in the partition in which it ranks best. */
struct maui_plan_job {
	const struct maui_access_table *access; /* NULL: no reservation admits the job */
	uint64_t qos_flags;                     /* 1 << enum maui_qos_flag */
	/* index of the job's rows, which names the partition that the reasons are about: where the
	 * job has a job reservation, or else the first where it can run at all; and of the row in
	 * which it ranks best */
	uint32_t row, best_row;
	uint32_t partition, request; /* of that row */
	uint32_t next;               /* the job that ranks behind it; UINT32_MAX: none */
	struct maui_plan_row *rows;  /* one for each; NULL: no job has limits */
	bool queued;                 /* false: it was not eligible; the verdict says why */
	/* it waits for resources only: no limit and no refusal by Slurm keeps it, and the nodes
	 * that it requests exist */
	bool waits;
	bool reserved; /* it has a job reservation */
	/* reservations keep it out at every moment that the plan knows. Checked for the first jobs
	 * without a job reservation, as many as get an estimate, and for all jobs that may run only
	 * inside reservations */
	bool kept_out;
};

/* What ranked the jobs of one set of credentials, apart from the snapshot and the configuration. */
struct maui_plan_cred_use {
	double fs_delta[MAUI_CRED_COUNT];
	double user_procs, user_jobs; /* UPROC, UJOB */
};

struct maui_throttle;

struct maui_plan {
	const struct maui_config *config;
	const struct maui_snapshot *snapshot;
	const struct maui_standing_input *standing; /* reservations; NULL: none */
	/* of a job that every reservation would admit; NULL: there are no reservations */
	const struct maui_access_table *all_access;
	/* of each pool: whether a job waits for its resources in the next plan, so that the plain
	 * order ends there: one of this plan, or one that only an idle limit kept out of it while jobs
	 * ahead of it had not started */
	const bool *pool_waits;
	int64_t now_s;
	int64_t chunk_until_s; /* as the plan was asked; 0: none */
	struct maui_decisions decisions;
	struct maui_timeline timeline;             /* with all starts and job reservations */
	const struct maui_plan_job *jobs;          /* one for each idle job of the snapshot */
	const struct maui_plan_cred_use *cred_use; /* of each of the snapshot's credentials */
	uint32_t first_job;                        /* the job that ranks first; UINT32_MAX: none */
	/* some job excludes other users from its nodes, so users matter */
	bool by_user;
	unsigned refs;
	struct maui_arena arena;
	struct maui_access_index *access_index;
	struct maui_rsv *rsvs; /* copies of administrative reservations */
	uint32_t rsv_count;
};

/* The job's row (maui_plan_job): what it asks for in the partition that its reasons are about. */
const struct maui_row *maui_plan_row(const struct maui_plan *plan, uint32_t job);

/* The rules that the site's policies and the flags of the job's QOS add to its request. */
struct maui_shape_rules maui_plan_shape_rules(const struct maui_config *config, uint64_t qos_flags);

/* The priority of an idle job, in the partition in which it ranks best, with every contribution to
 * it: the calculation by which the cycle ranked it. */
void maui_plan_job_priority(const struct maui_plan *plan, uint32_t job, struct maui_priority *ret);

/* The limits of maui.cfg with what the plan's jobs use of them: active and started jobs, and job
 * reservations. The caller destroys it. NULL without memory. */
struct maui_throttle *maui_plan_throttle(const struct maui_plan *plan);
/* Adds the jobs that wait within their limits, which the next cycle will consider: they count for
 * idle limits alone. -1 without memory. */
int maui_plan_throttle_waiting(const struct maui_plan *plan, struct maui_throttle *throttle);

/* What an active job counts against limits, `suspended` as if it were; *ret_end: until when. */
struct maui_demand maui_plan_demand(const struct maui_snapshot *snapshot, int64_t now_s,
				    const struct maui_active *active, bool suspended,
				    int64_t *ret_end);

/* What a waiting job counts against limits in one of its rows. */
struct maui_demand maui_plan_waiting_demand(const struct maui_plan *plan, uint32_t job,
					    uint32_t row);
/* The same of a job that holds at least so much. */
struct maui_demand maui_plan_idle_demand(const struct maui_snapshot *snapshot,
					 const struct maui_idle *idle,
					 const struct maui_quantities *least);

/* Any thread may call both. unref() accepts NULL. */
struct maui_plan *maui_plan_ref(struct maui_plan *plan);
void maui_plan_unref(struct maui_plan *plan);

#endif
