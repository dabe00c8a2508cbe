/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saved_plan.h - everything that one plan is made from, as one JSON text: maui.snapshot.v1
 *
 * In: a snapshot and what carried over to its plan. Out: JSON, and the same value read back: the
 * plan of what was read equals the plan of what was written. doc/snapshot.md has the form. `maui
 * snapshot` writes such a text, and maui-sim goes on from it.
 *
 * A text that is read may come from anywhere: each number and index is checked.
 *
 * Rules: CMD-34.
 */
#ifndef MAUI_STATE_SAVED_PLAN_SAVED_PLAN_H
#define MAUI_STATE_SAVED_PLAN_SAVED_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/conditions.h"
#include "model/rsv.h"
#include "model/snapshot.h"
#include "state/usage_view.h"

#define MAUI_SAVED_PLAN_SCHEMA "maui.snapshot.v1"

/* What a plan does not need of a waiting job, and what comes next does. Tasks: as in struct
 * maui_captured_job. */
struct maui_saved_waiting {
	uint32_t array_job; /* 0: not of an array */
	uint32_t array_task, first_task, last_task;
	uint32_t count; /* jobs that wait: tasks of an array */
	struct maui_job_conditions conditions;
};

/* The same of an active job. */
struct maui_saved_running {
	uint32_t array_job, array_task;
};

/* A period of a reservation with the nodes that were chosen for it. It names its reservation,
 * because another maui.cfg may list other ones. */
struct maui_saved_instance {
	const char *rsv;
	int32_t day; /* YYYYMMDD; 0: of a reservation without periods */
	int64_t start_s, end_s;
	const struct maui_rsv_place *places; /* ascending by node */
	uint32_t place_count;
	bool made;
};

/* A released instance. */
struct maui_saved_release {
	const char *rsv;
	int32_t day;
};

/* The job reservation of a waiting job. */
struct maui_saved_job_rsv {
	uint64_t job; /* id */
	uint32_t partition;
	int64_t start_s;
	const struct maui_rsv_place *places;
	uint32_t place_count;
	bool preempting;
};

/* The lists are borrowed when it is written; when it was read, they belong to the arena. */
struct maui_saved_plan {
	int64_t now_s;
	const char *cluster;     /* ClusterName; NULL: not known */
	const char *config_path; /* of maui.cfg */
	const char *config_text; /* all its files as one text */
	size_t config_length;
	const struct maui_snapshot *snapshot; /* sealed */
	/* of each idle (waiting_count of them) and each active job of the snapshot; NULL: not known */
	const struct maui_saved_waiting *waiting;
	const struct maui_saved_running *running;
	const struct maui_rsv *const *rsvs; /* administrative reservations */
	const struct maui_saved_instance *instances;
	const struct maui_saved_release *releases;
	const struct maui_saved_job_rsv *job_rsvs;
	uint32_t waiting_count, rsv_count, instance_count, release_count, job_rsv_count;
	const struct maui_usage_view *usage; /* fairshare windows; NULL: none */
	int64_t chunk_until_s;               /* BFCHUNKDURATION's timer; 0: none */
	struct maui_arena arena;
};

struct maui_record_type;

/* The records whose members the object has, in order, NULL behind the last; the object also has
 * "reservations", as in the state file. doc/snapshot.md is made from them. */
extern const struct maui_record_type *const maui_saved_plan_types[];

/* Appends the JSON object. */
void maui_saved_plan_write(const struct maui_saved_plan *plan, struct maui_strbuf *out);

/* Reads `length` bytes. -1 with err, which names the first fault; `ret` is then empty. */
int maui_saved_plan_read(const char *text, size_t length, struct maui_saved_plan *ret,
			 struct maui_err *err);
/* Frees what was read. The snapshot stays if the caller has taken a reference. */
void maui_saved_plan_finish(struct maui_saved_plan *plan);

#endif
