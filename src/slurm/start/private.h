/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - what a start needs of a job, and what it lends from it
 *
 * Shared by start.c and start_prepare.c. All under the locks of a start.
 */
#ifndef MAUI_SLURM_START_PRIVATE_H
#define MAUI_SLURM_START_PRIVATE_H

#include "slurm/compat.h"

#include "slurm/start/start.h"

/* What a start changes of a job, or select_nodes() on the way to a refusal. */
struct maui_start_before {
	part_record_t *part_ptr;
	bitstr_t *exc_node_bitmap; /* owned while the job has another one */
	char *features_use;
	maui_compat_list_t feature_list_use;
	uint32_t priority, time_limit;
	uint64_t pn_min_memory;
	uint32_t min_cpus, max_cpus, pn_min_cpus;
	uint16_t cpus_per_task;
	uint16_t limit_set_time;
	uint8_t share_res, whole_node;
};

/* The job of an order, its partition, its nodes. */
struct maui_start_target {
	job_record_t *job_ptr;
	part_record_t *part_ptr;
	bitstr_t *planned;
	int place; /* of the partition in the job's list */
};

/* Everything that was planned, if it still is so; else the order is out of date, and why. NULL: it
 * is not. */
const char *maui_start_find(const struct maui_start_order *order, struct maui_start_target *ret);
void maui_start_target_finish(struct maui_start_target *target);

/* Notes how the job is and puts it into the partition. */
void maui_start_begin(const struct maui_start_target *target, struct maui_start_before *ret);

/* The limit that was planned, and what --deadline leaves of it; select_nodes() fills in the
 * partition's when there is none. Set before the start, so that limits and reservations are tested
 * with it. false: its deadline is too near. */
bool maui_start_set_limit(job_record_t *job_ptr, const struct maui_start_order *order);

/* The planned nodes alone for the job, besides its own --exclude, and its features; and back. */
void maui_start_exclude(const struct maui_start_target *target);
void maui_start_include(job_record_t *job_ptr, const struct maui_start_before *before);
void maui_start_restore_features(job_record_t *job_ptr, const struct maui_start_before *before);

/* As it was, so that it looks the same to the next plan, out of a magnetic reservation, with what
 * job_limits_check() writes by partition; --exclude and features apart. A hold stays. */
void maui_start_put_back(job_record_t *job_ptr, const struct maui_start_before *before);

#endif
