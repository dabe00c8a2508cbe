/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finished.h - one scheduling cycle as a value: what was planned, for whoever asks about it
 *
 * Nobody changes a finished plan, so any number of threads may read it at once (src/explain). It
 * keeps alive what it was made from: the configuration, the snapshot, the reservations.
 */
#ifndef MAUI_PLAN_FINISHED_H
#define MAUI_PLAN_FINISHED_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "model/access.h"
#include "model/decision.h"
#include "model/snapshot.h"
#include "reservation/placement/placement.h"
#include "timeline/shape.h"
#include "timeline/timeline.h"

/* An idle job as the cycle considered it: in the partition in which it ranks best. */
struct maui_plan_job {
	const struct maui_access_table *access; /* to reservations; NULL: none */
	uint64_t qos_flags;                     /* 1 << enum maui_qos_flag */
	uint32_t row;                           /* of the snapshot's job: which partition */
	uint32_t next;                          /* the job that ranks behind it; UINT32_MAX: none */
	bool queued;   /* false: it was not eligible; the verdict says why */
	bool waits;    /* neither a limit nor a refusal of Slurm's keeps it, and the nodes that it
			  asks for exist: it waits for resources */
	bool reserved; /* it has a job reservation */
};

struct maui_plan {
	const struct maui_config *config;
	const struct maui_snapshot *snapshot;
	const struct maui_standing_input *standing; /* reservations; NULL: there are none */
	const struct maui_access_table *all_access; /* as if each of them admitted the job; NULL */
	int64_t now_s;
	struct maui_decisions decisions;
	struct maui_timeline timeline;    /* with all that was started and reserved */
	const struct maui_plan_job *jobs; /* of each idle job of the snapshot */
	uint32_t first_job;               /* the one that ranks first; UINT32_MAX: none */
	bool by_user;                     /* somebody wants nodes for himself: users matter */
	unsigned refs;
	struct maui_arena arena;
	struct maui_access_index *access_index;
	struct maui_rsv *rsvs; /* copies of administrative reservations */
	uint32_t rsv_count;
};

/* What the site's policies, and the flags of the job's QOS, add to its request. */
struct maui_shape_rules maui_plan_shape_rules(const struct maui_config *config, uint64_t qos_flags);

/* Both from any thread. NULL is fine for unref. */
struct maui_plan *maui_plan_ref(struct maui_plan *plan);
void maui_plan_unref(struct maui_plan *plan);

#endif
