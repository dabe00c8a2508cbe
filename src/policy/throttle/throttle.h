/* SPDX-License-Identifier: GPL-2.0-or-later */
/* throttle.h - usage limits of credentials (Maui manual 6.2)
 *
 * Counts what active jobs hold and what accepted idle jobs ask for, by credential and by pair of
 * credentials, and checks a job against every limit of maui.cfg that holds for it:
 *   single job   SYSTEMMAX*; CLASSCFG MAXPROCPERJOB, MAXNODEPERJOB, MAX.WCLIMIT; QOSCFG OMAXJ*;
 *                MINPROC
 *   active       MAX* of user, group, account, class and QOS, then of pairs, then of SYSCFG
 *   idle         MAXI* likewise; their soft values do not count
 * OMAX* (OMAXI*) of the job's QOS replaces the values that its user, group, account and class have,
 * soft by soft and hard by hard, those of pairs as well. It never replaces the limits of the QOS
 * itself or of SYSCFG. The flags of the QOS lift limits:
 *   IGNJOBPERUSER IGNPROCPERUSER IGNNODEPERUSER IGNPSPERUSER   MAXJOB, MAXPROC, MAXNODE, MAXPS
 *   IGNJOBQUEUEDPERUSER                                        MAXIJOB
 *   IGNUSER IGNGROUP IGNACCOUNT      all limits of USERCFG, GROUPCFG, ACCOUNTCFG
 *   IGNSYSMAXPROC IGNSYSMAXPS IGNSYSMAXTIME                    the SYSTEMMAX* of that name
 *   IGNSYSTEM                        all three of them
 *   IGNALL                           all of these and of CLASSCFG
 * OMAXJ* limits each job of the QOS and replaces the single-job limits of CLASSCFG.
 *
 * In: a configuration, the active jobs, a candidate. Out: yes or no, the violated limits, the
 * moment from which the limits hold. The plan decides when jobs start; fairshare caps are in
 * plan/fscap.h. Not thread safe: each planner has its own throttle.
 *
 * Rules: THR-1, THR-2, THR-5, THR-6, THR-9, THR-10, THR-11.
 */
#ifndef MAUI_POLICY_THROTTLE_THROTTLE_H
#define MAUI_POLICY_THROTTLE_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "model/limit.h"
#include "model/violation.h"

struct maui_throttle;

/* The limits in force for jobs with one set of credentials. The throttle owns it. */
struct maui_throttle_set;

/* A throttle without jobs. Keeps a reference on `config`. NULL without memory. */
struct maui_throttle *maui_throttle_create(const struct maui_config *config);
void maui_throttle_destroy(struct maui_throttle *throttle); /* NULL is fine */

/* Forgets all jobs, active and idle. Sets stay valid. */
void maui_throttle_clear(struct maui_throttle *throttle);

/* The set of these credentials, indexed by enum maui_cred_kind; NULL or "": the job has no such
 * credential. Equal credentials give the same set. NULL without memory. */
const struct maui_throttle_set *maui_throttle_resolve(struct maui_throttle *throttle,
						      const char *const *cred);

/* ---- active jobs ---- */

/* The end of a job whose end is unknown: a suspended job. */
#define MAUI_THROTTLE_NEVER INT64_MAX

/* Counts an active job. end_s: when its time limit ends. All demands must be made for the same
 * moment, because they have remaining times. -1 without memory: nothing is counted. */
int maui_throttle_add(struct maui_throttle *throttle, const struct maui_throttle_set *set,
		      const struct maui_demand *demand, int64_t end_s);

/* Undoes a maui_throttle_add() with the same arguments. false: there was none. */
bool maui_throttle_remove(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t end_s);

/* What the active jobs of a credential hold of a resource. `object`: an enum maui_cred_kind, or
 * MAUI_LIMITED_SYSTEM for all jobs (name NULL). 0 for an unknown name. */
double maui_throttle_used(const struct maui_throttle *throttle, int object, const char *name,
			  enum maui_resource resource);

/* ---- checks ---- */

/* Whether the job keeps all limits of a single job and of active jobs, at this level. */
bool maui_throttle_allows(const struct maui_throttle_set *set, const struct maui_demand *demand,
			  enum maui_limit_level level);

/* Which limits: a mask. */
enum {
	MAUI_THROTTLE_JOB = 1 << MAUI_VIOLATION_JOB,
	MAUI_THROTTLE_ACTIVE = 1 << MAUI_VIOLATION_ACTIVE,
	MAUI_THROTTLE_IDLE = 1 << MAUI_VIOLATION_IDLE,
	MAUI_THROTTLE_START = MAUI_THROTTLE_JOB | MAUI_THROTTLE_ACTIVE,
};

/* Writes the first `size` violated limits to `list`, in the order of the comment at the top.
 * Returns how many limits are violated. Their names live as long as the throttle. */
size_t maui_throttle_violations(const struct maui_throttle_set *set,
				const struct maui_demand *demand, enum maui_limit_level level,
				unsigned which, struct maui_violation *list, size_t size);

/* What is in use of the limit of a violation of this set by now. */
double maui_throttle_in_use(const struct maui_throttle_set *set,
			    const struct maui_violation *violation);

/* The least processors of a job of the set, by MINPROC; at least 1. */
int64_t maui_throttle_least_procs(const struct maui_throttle_set *set);

/* Whether any idle limit holds for jobs of the set. */
bool maui_throttle_limits_idle(const struct maui_throttle_set *set);

/* The largest possible number of violations of a job of the set. */
size_t maui_throttle_limit_count(const struct maui_throttle_set *set);

/* The earliest moment, now_s or later, at which the job keeps its limits if each active job runs to
 * its end and no other job starts. An active job that is over its time limit ends in a second.
 * now_s: the moment for which demands are made. MAUI_THROTTLE_NEVER: there is no such moment. */
int64_t maui_throttle_when(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			   const struct maui_demand *demand, enum maui_limit_level level,
			   int64_t now_s);

/* ---- planned jobs: they have a start in the future ---- */

/* Plans a job to start at start_s, which is in the future, and to run until end_s at most. The
 * active jobs and the jobs planned before count for it. -1 without memory. */
int maui_throttle_plan(struct maui_throttle *throttle, const struct maui_throttle_set *set,
		       const struct maui_demand *demand, int64_t start_s, int64_t end_s);

/* Undoes a maui_throttle_plan() with the same arguments. false: there was none. */
bool maui_throttle_unplan(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t start_s, int64_t end_s);

/* Whether each planned job still keeps its limits at its start if the job starts now for length_s
 * seconds: its soft limits if it keeps them today, else its hard limits. */
bool maui_throttle_spares(const struct maui_throttle *throttle, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t now_s, int64_t length_s);

/* Whether it does not spare them all. Sets the first limit that a planned job would not keep. */
bool maui_throttle_harms(const struct maui_throttle *throttle, const struct maui_throttle_set *set,
			 const struct maui_demand *demand, int64_t now_s, int64_t length_s,
			 struct maui_violation *ret);

/* The earliest moment, from_s (>= now_s) or later, at which the job keeps its limits with all jobs
 * that are active or planned then, and lets every planned job keep its own. Active jobs that are
 * over their time limit must have been added with an end in the future. MAUI_THROTTLE_NEVER: there
 * is none; -1 without memory. */
int64_t maui_throttle_earliest(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			       const struct maui_demand *demand, enum maui_limit_level level,
			       int64_t now_s, int64_t from_s, int64_t length_s);

/* ---- idle jobs ---- */

enum maui_throttle_verdict {
	MAUI_THROTTLE_ELIGIBLE,
	MAUI_THROTTLE_BLOCKED, /* by a limit: the violation says which */
	MAUI_THROTTLE_PASSED,  /* passed over: no decision is needed */
};

struct maui_throttle_idle {
	const struct maui_throttle_set *set;
	struct maui_demand demand;
	uint32_t *stands; /* shared by all rows (partitions) of a job: 1 + index of the accepted
			     row, 0 before; rows after it are passed over. NULL: a single row */
	/* tasks of the same array behind it, which differ in nothing; select() sets how many of
	 * them an idle limit keeps out */
	uint32_t further, further_blocked;
	bool passed_over; /* on hold, dependent, to begin later, class disabled */
	bool reserved;    /* has a job reservation: eligible without a check */

	enum maui_throttle_verdict verdict; /* set by maui_throttle_select() */
	struct maui_violation violation;    /* of a blocked job: the first violated limit */
};

/* Decides which idle jobs are considered (THR-8). Walks the jobs in the given order of priority and
 * accepts each job that keeps, at the hard level, the limits of a single job, those of active jobs
 * with all active jobs, and idle limits with the jobs accepted before it. A blocked job does not
 * stop the walk. The count of idle jobs begins at 0. */
void maui_throttle_select(struct maui_throttle *throttle, struct maui_throttle_idle *jobs,
			  size_t count);

/* One step of the walk: counts an accepted idle job. */
void maui_throttle_accept(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			  const struct maui_demand *demand);
/* Accepts as many of `count` equal jobs as idle limits allow. Returns how many. */
uint32_t maui_throttle_accept_more(struct maui_throttle *throttle,
				   const struct maui_throttle_set *set,
				   const struct maui_demand *demand, uint32_t count);

#endif
