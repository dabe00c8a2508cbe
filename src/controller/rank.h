/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.h - computes a captured job's priorities, one for each partition */
#ifndef MAUI_CONTROLLER_RANK_H
#define MAUI_CONTROLLER_RANK_H

#include "controller/private.h"
#include "slurm/publish/priorities.h"
#include "slurm/capture/jobs.h"

/* The job's history, with the QOS text and reservations that the record carries. NULL: no memory.
 * Under the controller's lock. */
struct maui_job_history *maui_rank_history(struct maui_controller *c,
					   const struct maui_captured_job *captured, int64_t now_s);

/* The job's credentials as maui.cfg knows them, in the partition `part` (NULL: none). The texts
 * live as long as the context, or as the snapshot. Under the controller's lock. */
void maui_rank_creds(struct maui_controller *c, const struct maui_captured_job *captured,
		     const struct maui_job_history *history, const char *part,
		     const char **ret_cred);

/* Fills the fields of the job that do not depend on its partition; credentials, wallclock limit
 * and class_fallback are left out. Under the controller's lock. */
void maui_rank_fill(struct maui_controller *c, const struct maui_captured_job *captured,
		    const struct maui_job_history *history, int64_t now_s, struct maui_job *ret);

/* The wallclock limit in a partition, seconds > 0 (policy/time_limit.h). */
double maui_rank_walltime(const struct maui_controller *c, const struct maui_captured_job *captured,
			  const struct maui_captured_part *part);

/* Moves the job's queue-time stamp (policy/accrual.h), computes and publishes all its rows into
 * the history. -1: no memory, or a job without a partition. Under the controller's lock. */
int maui_rank(struct maui_controller *c, const struct maui_captured_job *captured,
	      struct maui_job_history *history, int64_t now_s);

/* Copies the priorities for maui_apply_priorities(); `parts` has space for history->row_count. */
void maui_rank_parts(const struct maui_job_history *history, struct maui_apply_part *parts);

#endif
