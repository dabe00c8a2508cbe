/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the parts of a saved plan as records, for this folder only
 *
 * Jobs, nodes and most others are the structs of the model. The structs here are what the file has
 * in another form.
 */
#ifndef MAUI_STATE_SAVED_PLAN_PRIVATE_H
#define MAUI_STATE_SAVED_PLAN_PRIVATE_H

#include <json-c/json.h>

#include "record/read.h"
#include "state/saved_plan/saved_plan.h"
#include "state/store/private.h"

struct maui_saved_config {
	const char *file, *text;
};

/* The beginning of the object. */
struct maui_saved_head {
	const char *schema;
	int64_t now_s;
	const char *cluster;
	int64_t chunk_until_s;
	struct maui_saved_config config;
};

/* Pieces of an active job that differ in their node only, which counts up. */
struct maui_saved_run {
	struct maui_piece first;
	uint32_t count;
};

struct maui_saved_active {
	struct maui_active active; /* without its pieces */
	const struct maui_saved_running *running;
	struct maui_saved_run *runs;
	uint32_t run_count;
};

struct maui_saved_idle {
	struct maui_idle idle;
	const struct maui_saved_waiting *waiting;
};

struct maui_saved_jobs {
	struct maui_saved_active *active;
	struct maui_saved_idle *idle;
	uint32_t active_count, idle_count;
};

/* What a saved plan has of the same jobs in addition to the snapshot. */
struct maui_saved_extras {
	struct maui_saved_running *running;
	struct maui_saved_waiting *waiting;
	uint32_t running_count, waiting_count;
};

/* A fairshare window: names with their usage, by enum maui_cred_kind. */
struct maui_saved_window {
	int64_t start_s, interval_s;
	double total;
	struct maui_pair *names[MAUI_CRED_COUNT];
	size_t name_count[MAUI_CRED_COUNT];
};

/* What the next plan takes over, except administrative reservations. */
struct maui_saved_rest {
	struct maui_saved_instance *instances;
	struct maui_saved_release *releases;
	struct maui_saved_job_rsv *job_rsvs;
	struct maui_saved_window *windows;
	uint32_t instance_count, release_count, job_rsv_count, window_count;
};

/* In the order of the file; lists of the snapshot other than jobs are in struct maui_snapshot. */
extern const struct maui_record_type maui_saved_head_type, maui_saved_snapshot_type,
	maui_saved_active_type, maui_saved_idle_type, maui_saved_rest_type;
/* For reading only: the names of the dimensions, the jobs. */
extern const struct maui_record_type maui_saved_amounts_type, maui_saved_jobs_type,
	maui_saved_extras_type;

/* A sealed snapshot with all its jobs. -1 with err: *ret is what was made so far, or NULL. */
int maui_saved_read_snapshot(json_object *root, const struct maui_snapshot **ret,
			     struct maui_err *err);

#endif
