/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit.h - what throttling limits count, and how a limit is written (Maui manual 6.2)
 *
 * A new resource is a row of MAUI_AMOUNTS and what a job counts for in maui_demand_make(): the
 * enum, the names, maui.cfg's attributes and their manual are made from the list; the parser, the
 * checks and the throttle walk over the enum. The codes that slurmctld shows behind the reason are
 * rows of slurm/publish/reason.c. CONTRIBUTING.md has the steps.
 *
 * A limit is a pair [soft,]hard. 0 is not set, -1 explicitly no limit; after parsing either both
 * are 0 or neither is, and a soft value is never above a hard one.
 *
 * Rules: THR-1, THR-3.
 */
#ifndef MAUI_MODEL_LIMIT_H
#define MAUI_MODEL_LIMIT_H

#include <stdint.h>

#include "model/cred.h"
#include "model/job.h"

/* What limits count besides jobs: R(RESOURCE, type of the value (enum maui_type), rule, unit, what
 * active jobs hold, what idle jobs ask for, the largest of a single job, source). */
/* clang-format off */
#define MAUI_AMOUNTS(R) \
	R(PROC, LIMIT, "THR-1", "procs", "processors", "processors", "Largest number of processors", \
	  "Manual 6.2.") \
	R(NODE, LIMIT, "THR-1", "nodes", "nodes", "nodes", "Largest number of nodes", "Manual 6.2.") \
	R(PS, LIMIT, "THR-1", "proc-s", "outstanding processor-seconds", "processor-seconds", \
	  "Largest number of processor-seconds", "Manual 6.2.") \
	R(PE, LIMIT, "THR-1", "PE", "processor equivalents", "processor equivalents", \
	  "Largest number of processor equivalents", "Manual 6.2.") \
	R(WC, TIMELIMIT, "THR-1", "s", "outstanding wall clock time", "wall clock time", \
	  "Longest time limit", "Manual 6.2.") \
	R(MEM, LIMIT, "THR-1", "MB", "memory", "memory", "Largest amount of memory", "Manual 6.2.") \
	R(GPU, LIMIT, "THR-1", "GPUs", "GPUs, of any type,", "GPUs", "Largest number of GPUs", \
	  "slurm-maui's own.")
/* clang-format on */

enum maui_resource {
	MAUI_RESOURCE_JOB,
#define MAUI_RESOURCE(name, ...) MAUI_RESOURCE_##name,
	MAUI_AMOUNTS(MAUI_RESOURCE)
#undef MAUI_RESOURCE
		MAUI_RESOURCE_COUNT
};

enum maui_limit_kind {
	MAUI_LIMIT_ACTIVE,        /* MAX*: of active jobs together */
	MAUI_LIMIT_IDLE,          /* MAXI*: of idle jobs that are considered, together */
	MAUI_LIMIT_OVERRIDE,      /* OMAX* of a QOS: instead of the other credentials' MAX* */
	MAUI_LIMIT_OVERRIDE_IDLE, /* OMAXI* */
	MAUI_LIMIT_SINGLE,        /* OMAXJ* of a QOS: of a single job */
	MAUI_LIMIT_KIND_COUNT
};

enum maui_limit_level { MAUI_LIMIT_SOFT, MAUI_LIMIT_HARD, MAUI_LIMIT_LEVEL_COUNT };

struct maui_limit {
	int64_t soft, hard;
};

/* The objects that have limits: the five kinds of credential, and the system as a whole
 * (SYSCFG). */
enum { MAUI_LIMITED_SYSTEM = MAUI_CRED_COUNT, MAUI_LIMITED_COUNT };
/* "user", ..., "class", "system". */
const char *maui_limited_name(int object);

/* "MAXJOB", "MAXIJOB", "OMAXJOB", "OMAXIJOB", "OMAXJJOB" (which does not exist). */
const char *maui_limit_name(enum maui_limit_kind kind, enum maui_resource resource);

/* What one job requests, or holds. */
struct maui_demand {
	double of[MAUI_RESOURCE_COUNT];
};

/* An active job holds what remains of its limit, never less than 0 seconds; an idle job requests
 * all of it. pe: the job's processor equivalents, whose whole part counts (THR-1). job->nodes must
 * be the allocated nodes of an active job. */
void maui_demand_make(const struct maui_job *job, double pe, struct maui_demand *ret);

/* Removes the processors from an active job that is suspended: the job still counts as a job, and
 * keeps nodes, memory and its remaining time (THR-3). pe: its equivalents without processors. */
void maui_demand_suspend(struct maui_demand *demand, double pe);

#endif
