/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - what an administrator or the job's user asks to be done with a job
 *
 * In: the arguments of a request. Out: which change of which job, or why not. The caller carries it
 * out.
 *
 * Holds and cancels are Slurm's own: Slurm checks the rights of the user, and ADMIN1 and ADMIN2 of
 * maui.cfg act as SlurmUser. System priorities and forced starts are slurm-maui's and need ADMIN1,
 * ADMIN2 or an operator of Slurm (Maui manual, appendix F).
 *
 * Rules: CMD-45, CMD-47, CMD-52.
 */
#ifndef MAUI_ADMIN_JOBS_H
#define MAUI_ADMIN_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "admin/rights.h"
#include "answers/find_job.h"
#include "base/arena.h"
#include "verbs/changejob.h"

struct maui_job_request {
	enum maui_job_action action;
	struct maui_job_name name;
	int32_t priority;  /* PRIORITY: 0 clears */
	bool relative;     /* it is added */
	unsigned run;      /* RUN: enum maui_run of model/snapshot.h */
	const char *hosts; /* RUN: only on these nodes; NULL: any. Borrowed from the arguments */
	bool runs;         /* HOLD, HOLD_USER, after the change: the job runs */
};

/* The request of these arguments. -1 with error: it is wrong, or needs rights that the user
 * lacks. */
int maui_job_request_read(const struct maui_changejob_args *args, const struct maui_rights *who,
			  struct maui_job_request *ret, struct maui_query_error *error);

/* "17", "17_3", "17+1"; buf is returned. */
const char *maui_job_request_label(const struct maui_job_request *request, char *buf, size_t size);

/* The answer, without the result of RUN; NULL without memory. */
struct maui_changejob *maui_job_answer(const struct maui_job_request *request,
				       struct maui_arena *arena);

#endif
