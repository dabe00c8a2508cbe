/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cycle.h - one scheduling cycle on the real slurmctld: copy, plan, start, publish
 *
 * The agent runs it without any lock.
 *
 *   copy     nodes and active jobs under short READ locks (slurm/capture), waiting jobs under short
 *            WRITE locks (slurm/eligible), completed by names and job histories
 *   plan     maui_plan(), without a lock
 *   start    short WRITE locks; each decision is checked again (slurm/start). After a refusal the
 *            rest is planned again, a bounded number of times
 *   publish  reasons and estimates (slurm/publish)
 *
 * Without SchedulerType=sched/maui a cycle runs under SERVERMODE TEST only: it plans and logs, and
 * starts and publishes nothing, while Slurm's own scheduler works. Eligibility is checked as
 * always, which keeps reasons and dependencies up to date as that scheduler's own walk does.
 */
#ifndef MAUI_CONTROLLER_SCHED_CYCLE_H
#define MAUI_CONTROLLER_SCHED_CYCLE_H

#include "controller/private.h"
#include "slurm/capture/jobs.h"
#include "slurm/events.h"
#include "state/store/store.h"

/* NULL: no memory. */
struct maui_sched *maui_sched_create(void);
void maui_sched_destroy(struct maui_sched *sched); /* NULL is fine */

/* Begins a cycle: copies nodes and jobs. `ret` gets all jobs and must stay until the cycle ends.
 * -1: the log says why, there is no cycle, and `ret` is empty. */
int maui_sched_begin(struct maui_controller *c, struct maui_captured_jobs *ret);
/* The rest of the cycle, after the jobs were ranked: plans, starts, publishes. An error is logged
 * and ends the cycle. */
void maui_sched_iterate(struct maui_sched *sched);

/* Begins a trial when SERVERMODE has become TEST, and ends it when it has become NORMAL. Call it
 * before each cycle. */
void maui_sched_trial_mode(struct maui_controller *c);

/* Adds what survives a restart to a store, which borrows from it until the next cycle. -1 without
 * memory. */
int maui_sched_to_store(const struct maui_sched *sched, struct maui_store *store);
int maui_sched_from_store(struct maui_sched *sched, const struct maui_store *store);
/* Tells job_submit which of these administrative reservations jobs may name: those that have not
 * ended. */
void maui_sched_name_rsvs(struct maui_controller *c, const struct maui_rsv *rsvs, size_t count);

/* Call after maui.cfg was read again. */
void maui_sched_reloaded(struct maui_sched *sched);

/* Programs of triggers: whether one runs; and a look at all of them, which logs their output and
 * their exit status. NULL is fine. */
bool maui_sched_programs_run(const struct maui_sched *sched);
void maui_sched_programs_look(struct maui_sched *sched);

/* Whether the last cycle took changes of commands and refused all of them. NULL: no. */
bool maui_sched_refused_all(const struct maui_sched *sched);

/* Whether an event since the last cycle asks for another one. */
bool maui_sched_is_due(const struct maui_sched *sched, int64_t now_s);

#endif
