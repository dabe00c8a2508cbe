/* SPDX-License-Identifier: GPL-2.0-or-later */
/* violation.h - one limit that keeps a job from starting, for explanations and squeue's REASON */
#ifndef MAUI_MODEL_VIOLATION_H
#define MAUI_MODEL_VIOLATION_H

#include <stddef.h>

#include "model/limit.h"

enum maui_violation_kind {
	MAUI_VIOLATION_JOB,       /* limit of a single job: the job can never start */
	MAUI_VIOLATION_ACTIVE,    /* together with the active jobs */
	MAUI_VIOLATION_IDLE,      /* together with the idle jobs of higher priority */
	MAUI_VIOLATION_FAIRSHARE, /* a fairshare cap is reached */
};

/* Names live as long as whatever made the violation: the throttle, or the decisions. */
struct maui_violation {
	enum maui_violation_kind kind;
	enum maui_limit_level level;
	enum maui_resource resource; /* for a fairshare cap: PS, or COUNT for a percentage */
	int cred;                    /* enum maui_cred_kind, or MAUI_LIMITED_SYSTEM */
	int second;                  /* second dimension; MAUI_LIMITED_COUNT: none */
	const char *name;            /* name of the object, "ALL" for the system */
	const char *second_name;     /* the job's own credential; NULL: none */
	const char *limit;           /* "MAXJOB", "SYSTEMMAXPROCPERJOB", ...; static */
	/* the value in force, after DEFAULT, soft/hard and overrides */
	double value;
	double in_use;    /* without the job itself; 0 for a limit of a single job */
	double requested; /* by the job */
};

/* "user", ..., "class", "system". */
const char *maui_limited_name(int object);

/* One line, as long as the buffer lets it be:
 *   MAXJOB USER steve 2/2 (soft)                       jobs in use / limit
 *   MAXPROC CLASS fast USER steve 40+11/50 (hard)      in use + asked for / limit
 *   MAX.WCLIMIT CLASS batch 2:00:00/1:00:00 (hard)     asked for / limit of a single job
 *   MAXPROC USER dan 20/16 (hard): larger than the limit   the job alone asks for more
 *   FSTARGET USER steve 31.79%/25% (cap)
 * Returns buf. MAUI_VIOLATION_SIZE suffices for names of ordinary length. */
#define MAUI_VIOLATION_SIZE 256
char *maui_violation_format(const struct maui_violation *violation, char *buf, size_t size);

/* The limit alone: "MAXJOB USER steve". Returns buf. */
char *maui_violation_limit(const struct maui_violation *violation, char *buf, size_t size);

#endif
