/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swf.h - reads Standard Workload Format, version 2, gzipped or not
 *
 * Fields: job number, submit time, wait, run time, processors, -, -, requested processors,
 * requested time, -, status, user, group, -, queue, ... Comments begin with ';'; of the header
 * MaxProcs (otherwise MaxNodes) and UnixStartTime are used. A job without run time or processors is
 * dropped. Credentials are named u<user>, g<group> and q<queue>.
 */
#ifndef MAUI_SIM_SWF_H
#define MAUI_SIM_SWF_H

#include "base/hashtable.h"
#include "base/lines.h"
#include "sim/trace.h"

/* A file that is read job by job. What is counted of it goes into the trace, no job does. */
struct maui_swf {
	struct maui_sim_trace *trace;
	const char *path;
	const struct maui_sim_complaints *complaints; /* NULL: nothing is said */
	struct maui_lines lines;
	struct maui_hashtable names; /* in the arena of the trace */
	bool procs_known;
};

/* -1: the file cannot be opened. */
int maui_swf_open(struct maui_swf *swf, struct maui_sim_trace *trace, const char *path,
		  const struct maui_sim_complaints *complaints, struct maui_err *err);
/* 1: the next job of the file, which may be a part of a job, with its times as they stand there.
 * 0: there is none. -1: an error. */
int maui_swf_next(struct maui_swf *swf, struct maui_sim_job *ret, struct maui_err *err);
void maui_swf_close(struct maui_swf *swf);
/* A missing estimate is the run time, and a longer run is cut. */
void maui_swf_limit_run(struct maui_sim_job *job);

/* Reads all jobs of a file. The parts of a job (status 2 to 4) are one job. */
int maui_swf_read(struct maui_sim_trace *trace, const char *path,
		  const struct maui_sim_complaints *complaints, struct maui_err *err);

#endif
