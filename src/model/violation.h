/* SPDX-License-Identifier: GPL-2.0-or-later */
/* violation.h - one limit that keeps a job from starting, for explanations (explain/text.h) */
#ifndef MAUI_MODEL_VIOLATION_H
#define MAUI_MODEL_VIOLATION_H

#include <stdbool.h>

#include "model/limit.h"

enum maui_violation_kind {
	MAUI_VIOLATION_JOB,       /* limit of a single job: the job can never start */
	MAUI_VIOLATION_ACTIVE,    /* together with the active jobs */
	MAUI_VIOLATION_IDLE,      /* together with the idle jobs of higher priority */
	MAUI_VIOLATION_FAIRSHARE, /* a fairshare cap is reached */
};

/* Names live as long as the maker of the violation: the throttle, or the decisions. */
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
	/* `requested` is what it would hold on nodes that are free, not the least that it needs */
	bool placed;
	/* the limit is kept now, but would not be when a job with a job reservation starts: `in_use`
	 * and `requested` are those of that moment */
	bool later;
};

#endif
