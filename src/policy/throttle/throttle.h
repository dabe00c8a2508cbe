/* SPDX-License-Identifier: GPL-2.0-or-later */
/* throttle.h - usage limits of credentials (Maui manual 6.2; rulings b.3, e, k.4, k.5, m.14 - m.16)
 *
 * Counts what active jobs hold and what accepted idle jobs ask for, by credential and by pair of
 * credentials, and checks a job against every limit of maui.cfg that holds for it:
 *   single job   SYSTEMMAX*; CLASSCFG MAXPROCPERJOB, MAXNODEPERJOB, MAX.WCLIMIT; QOSCFG OMAXJ*;
 *                MINPROC
 *   active       MAX* of user, group, account, class and QOS, then of pairs, then of SYSCFG
 *   idle         MAXI* likewise; their soft values do not count
 * Where a QOS has OMAX* (OMAXI*), that replaces the values of user, group, account and class that
 * are there, of pairs as well, never those of the QOS itself and of SYSCFG; of two levels each its
 * own. Its flags lift limits:
 *   IGNJOBPERUSER IGNPROCPERUSER IGNNODEPERUSER IGNPSPERUSER   MAXJOB, MAXPROC, MAXNODE, MAXPS
 *   IGNJOBQUEUEDPERUSER                                        MAXIJOB
 *   IGNUSER IGNGROUP IGNACCOUNT      all limits of USERCFG, GROUPCFG, ACCOUNTCFG
 *   IGNSYSMAXPROC IGNSYSMAXPS IGNSYSMAXTIME                    the SYSTEMMAX* of that name
 *   IGNSYSTEM                        all three of them
 *   IGNALL                           all of these and of CLASSCFG
 * OMAXJ* limits each job of the QOS and replaces what CLASSCFG says of a single job.
 *
 * Owns: counters, limits in force. Does not own: when jobs start (plan), fairshare caps
 * (plan/fscap.h). Not thread safe: one for each planner.
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

/* The limits that hold for all jobs of one set of credentials. Owned by the throttle. */
struct maui_throttle_set;

/* Nothing is in use. Keeps a reference on `config`. NULL without memory. */
struct maui_throttle *maui_throttle_create(const struct maui_config *config);
void maui_throttle_destroy(struct maui_throttle *throttle); /* NULL is fine */

/* Forgets all jobs, active and idle; sets stay what they are. */
void maui_throttle_clear(struct maui_throttle *throttle);

/* The set of these credentials (NULL or "": the job has none of that kind), made when it is new.
 * The same credentials always give the same set. NULL without memory. */
const struct maui_throttle_set *maui_throttle_resolve(struct maui_throttle *throttle,
						      const char *const *cred);

/* ---- active jobs ---- */

/* Of jobs that end nobody knows when: suspended ones. */
#define MAUI_THROTTLE_NEVER INT64_MAX

/* A job is active; end_s: when its limit ends. Demands hold for one moment, which is the same for
 * all (remaining times). -1 without memory: nothing is counted. */
int maui_throttle_add(struct maui_throttle *throttle, const struct maui_throttle_set *set,
		      const struct maui_demand *demand, int64_t end_s);

/* Takes back a maui_throttle_add() with the same arguments. false: there was none. */
bool maui_throttle_remove(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t end_s);

/* What active jobs of a credential hold: UPROC, UJOB, outstanding processor-seconds. `object` is
 * an enum maui_cred_kind or MAUI_LIMITED_SYSTEM (name NULL): all jobs. 0 of an unknown one. */
double maui_throttle_used(const struct maui_throttle *throttle, int object, const char *name,
			  enum maui_resource resource);

/* ---- checks ---- */

/* Whether the job violates no limit of a single job and none of active jobs, at this level. */
bool maui_throttle_allows(const struct maui_throttle_set *set, const struct maui_demand *demand,
			  enum maui_limit_level level);

/* Which limits: a mask. */
enum {
	MAUI_THROTTLE_JOB = 1 << MAUI_VIOLATION_JOB,
	MAUI_THROTTLE_ACTIVE = 1 << MAUI_VIOLATION_ACTIVE,
	MAUI_THROTTLE_IDLE = 1 << MAUI_VIOLATION_IDLE,
	MAUI_THROTTLE_START = MAUI_THROTTLE_JOB | MAUI_THROTTLE_ACTIVE,
};

/* All violations of a job, in the order of the comment at the top; the first `size` go to `list`.
 * Returns how many there are. Names in them live as long as the throttle. */
size_t maui_throttle_violations(const struct maui_throttle_set *set,
				const struct maui_demand *demand, enum maui_limit_level level,
				unsigned which, struct maui_violation *list, size_t size);

/* More violations than this a job of the set cannot have. */
size_t maui_throttle_limit_count(const struct maui_throttle_set *set);

/* The earliest moment, now_s or later, at which the job violates nothing, when each active job
 * ends at its end (one that is over its limit: in a second) and no other starts, planned or not.
 * now_s: the moment for which demands hold. MAUI_THROTTLE_NEVER: it never will. */
int64_t maui_throttle_when(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			   const struct maui_demand *demand, enum maui_limit_level level,
			   int64_t now_s);

/* ---- jobs that are to start later ---- */

/* A job is promised to start at start_s, which is to come, and runs until end_s at most. What was
 * added to the active jobs and to those planned before counts for it. -1 without memory. */
int maui_throttle_plan(struct maui_throttle *throttle, const struct maui_throttle_set *set,
		       const struct maui_demand *demand, int64_t start_s, int64_t end_s);

/* Takes back a maui_throttle_plan() with the same arguments. false: there was none. */
bool maui_throttle_unplan(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t start_s, int64_t end_s);

/* Whether the job, started now for so long, leaves each planned one what its limits must bear when
 * it starts: at the soft level if the planned job stands there, else at the hard one. */
bool maui_throttle_spares(const struct maui_throttle *throttle, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t now_s, int64_t length_s);

/* The earliest moment, from_s >= now_s or later, at which the job violates nothing with what is
 * active or planned then, and spares every planned job. Active jobs that are over their limit must
 * have been added with an end to come. MAUI_THROTTLE_NEVER: there is none, or no memory. */
int64_t maui_throttle_earliest(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			       const struct maui_demand *demand, enum maui_limit_level level,
			       int64_t now_s, int64_t from_s, int64_t length_s);

/* ---- idle jobs ---- */

enum maui_throttle_verdict {
	MAUI_THROTTLE_ELIGIBLE,
	MAUI_THROTTLE_BLOCKED, /* by the violation */
	MAUI_THROTTLE_PASSED,  /* passed over: nothing was to be decided */
};

struct maui_throttle_idle {
	const struct maui_throttle_set *set;
	struct maui_demand demand;
	uint32_t *stands; /* shared by the rows of one job: 1 + index of the one that was accepted,
			     0 before; later ones are passed over. NULL: there are no others */
	bool passed_over; /* on hold, dependent, to begin later, class disabled */
	bool reserved;    /* has a reservation: eligible without a check */

	enum maui_throttle_verdict verdict; /* set by maui_throttle_select() */
	struct maui_violation violation;    /* of a blocked job the first one */
};

/* Which idle jobs are considered (manual 6.2.3; ruling e.8): walks them in the given order of
 * priority and accepts each that violates, at the hard level, no limit of a single job, none with
 * the active jobs, and no idle limit with those accepted so far. One that does not fit is passed,
 * later ones may. Begins with no idle job counted. */
void maui_throttle_select(struct maui_throttle *throttle, struct maui_throttle_idle *jobs,
			  size_t count);

/* One step of it: counts an accepted idle job, or takes that back. */
void maui_throttle_accept(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			  const struct maui_demand *demand);
void maui_throttle_withdraw(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			    const struct maui_demand *demand);

#endif
