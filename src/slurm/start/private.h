/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - a start order checked against the job's record, and the record's fields that a start
 * changes
 *
 * All functions run under the locks of a start.
 */
#ifndef MAUI_SLURM_START_PRIVATE_H
#define MAUI_SLURM_START_PRIVATE_H

#include "slurm/compat.h"

#include "slurm/start/start.h"
#include "slurm/start/start_reservation.h"

/* The fields of a job that a start changes, or that select_nodes() changes before it refuses. */
struct maui_start_before {
	part_record_t *part_ptr;
	bitstr_t *exc_node_bitmap; /* owned while the job has a temporary one */
	char *features_use;
	maui_compat_list_t feature_list_use;
	slurmdb_qos_rec_t *qos_ptr;
	uint32_t qos_id;
	uint32_t priority, time_limit;
	uint64_t pn_min_memory;
	uint32_t min_cpus, max_cpus, pn_min_cpus;
	uint16_t cpus_per_task;
	uint16_t limit_set_time;
	uint8_t share_res, whole_node;
};

/* The job of an order, its partition, and the planned nodes. */
struct maui_start_target {
	job_record_t *job_ptr;
	part_record_t *part_ptr;
	bitstr_t *planned;
	int place; /* of the partition in the job's list */
	/* nodes of the other components of its het job, which are not planned for it; NULL: none */
	const bitstr_t *taken;
};

/* Of slurmctld's own requests that start, requeue and suspend jobs; conf and part for reading. */
static const slurmctld_lock_t maui_start_locks = {
	.conf = READ_LOCK,
	.job = WRITE_LOCK,
	.node = WRITE_LOCK,
	.part = READ_LOCK,
	.fed = READ_LOCK,
};

/* lock.c: locks for a start, or for questions about one; select_nodes() preempts no job as long as
 * they are held. */
void maui_start_lock(void);
void maui_start_unlock(void);

/* Finds the job and the partition of an order, without planned nodes. NULL: the order is up to
 * date; else the text says what has changed. */
const char *maui_start_find_job(const struct maui_start_order *order,
				struct maui_start_target *ret);
/* Finds the target of an order. NULL: the order is up to date; else the text says what has
 * changed. */
const char *maui_start_find(const struct maui_start_order *order, struct maui_start_target *ret);
/* The same; a node on which a job has just ended has changed, too. */
const char *maui_start_find_free(const struct maui_start_order *order,
				 struct maui_start_target *ret);
void maui_start_target_finish(struct maui_start_target *target);

/* Saves the job's fields, and puts the job into the planned partition. */
void maui_start_begin(const struct maui_start_target *target, const struct maui_start_order *order,
		      struct maui_start_before *ret);

/* Sets the planned time limit, shortened by --deadline; without one, select_nodes() uses the
 * partition's. Call before the start, so that limits and reservations are tested with it. false:
 * the deadline is too near. */
bool maui_start_set_limit(job_record_t *job_ptr, const struct maui_start_order *order);

/* Begins: the found job is as the order has it, and Slurm's own checks let it start. NULL: it may
 * be started, or asked about; else the text says what has changed. maui_start_put_back() follows
 * in each case. */
const char *maui_start_prepare(const struct maui_start_target *target,
			       const struct maui_start_order *order, struct maui_start_before *ret);

/* What a question changes and maui_start_put_back() does not restore; so that the queue shows
 * nothing of it. */
struct maui_start_unseen {
	time_t updated, start_time;
	char *desc;
	uint32_t reason;
};
struct maui_start_unseen maui_start_hide_question(const job_record_t *job_ptr);
void maui_start_forget_question(job_record_t *job_ptr, struct maui_start_unseen *before);

/* The time limit of a job of the partition that has none, in minutes; it may be no limit, too. */
uint32_t maui_start_default_limit(const part_record_t *part_ptr);

/* Excludes all but the planned nodes, in addition to --exclude; then restores --exclude. */
void maui_start_exclude(const struct maui_start_target *target);
void maui_start_include(job_record_t *job_ptr, const struct maui_start_before *before);
/* Sets the features that Slurm looks at: --constraint, or --prefer. */
void maui_start_use_features(job_record_t *job_ptr, bool preferred);
void maui_start_restore_features(job_record_t *job_ptr, const struct maui_start_before *before);

/* Leaves the nodes out that the other components of its het job have. */
void maui_start_leave_out(struct maui_start_target *target, const bitstr_t *taken);

/* start.c: executes one order, on none of the taken nodes; NULL: none are taken. */
void maui_start_one(const struct maui_start_site *site, const struct maui_known_reservations *known,
		    struct maui_start_order *order, const bitstr_t *taken);

/* The components of a het job that Slurm was asked about, in one hold after another. */
struct maui_start_asked {
	uint32_t count;
	bitstr_t *taken; /* the nodes that they would get */
};

enum maui_start_progress {
	MAUI_START_ALL,   /* all have started */
	MAUI_START_NONE,  /* none has, and some order says why */
	MAUI_START_LATER, /* this hold is over: call again in the next one */
};

/* together.c: executes all of these orders or none. `asked`: empty before the first hold. */
enum maui_start_progress maui_start_together(const struct maui_start_site *site,
					     const struct maui_known_reservations *known,
					     struct maui_start_order *orders, uint32_t count,
					     struct maui_start_asked *asked, int64_t until_us);
void maui_start_forget_asked(struct maui_start_asked *asked);

/* limits_together.c: whether these jobs together keep the limits of their associations and QOS.
 * false: one does not, or has changed; its order says so, and its record has Slurm's reason. */
bool maui_start_keep_limits(struct maui_start_order *orders, uint32_t count);

/* test.c: asks whether Slurm would start the job now, without a trace; the order gets the results
 * of a refusal, or CHANGED. If it would, adds the nodes that the job would get to `taken`; NULL:
 * nobody asks. */
bool maui_start_try(const struct maui_start_site *site, const struct maui_known_reservations *known,
		    const struct maui_start_target *target, struct maui_start_order *order,
		    bitstr_t *taken);

/* test.c: the numbers of nodes between which Slurm places the job, with the flags of its QOS.
 * Returns Slurm's code. */
int maui_start_node_counts(job_record_t *job_ptr, uint32_t *ret_min, uint32_t *ret_wanted,
			   uint32_t *ret_max);

/* test.c: asks Slurm when the refused job could start in its partition, and on which nodes. */
void maui_start_find_offer(const struct maui_start_site *site,
			   const struct maui_start_target *target, struct maui_start_order *order);

/* Restores the job, so that the next plan sees it unchanged: without a magnetic reservation, with
 * what job_limits_check() writes by partition. --exclude and features are restored separately. A
 * hold stays. */
void maui_start_put_back(job_record_t *job_ptr, const struct maui_start_before *before);

#endif
