/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - parts of an iteration, for sched*.c only */
#ifndef MAUI_CONTROLLER_SCHED_PRIVATE_H
#define MAUI_CONTROLLER_SCHED_PRIVATE_H

#include "base/diag.h"
#include "base/hashtable.h"
#include "controller/crash_guard.h"
#include "controller/sched/cycle.h"
#include "cycle/refused_nodes.h"
#include "plan/finished.h"
#include "plan/plan.h"
#include "slurm/capture/cluster.h"
#include "slurm/eligible/eligible.h"
#include "slurm/mirror/mirror.h"
#include "slurm/start/start.h"
#include "reservation/placement/placement.h"
#include "reservation/triggers/trigger.h"

enum { MAUI_SCHED_PROGRAMS = 8 }; /* of triggers, at once */

struct maui_sched {
	struct maui_iteration *iteration; /* in hand; NULL: none */
	struct maui_planner *planner;
	struct maui_standing_hosts *hosts; /* HOSTLISTs, matched once for the names of nodes */
	struct maui_decisions decisions;   /* of this cycle; of the plan, once that is finished */
	struct maui_plan *plan; /* the last one that is published; under the context's lock */
	struct maui_store kept; /* promises by ids, since indices are another snapshot's; the chunk
				   timer */
	struct maui_store book; /* reservations: administrative ones, where instances are, periods
				   released, records, what is due */
	struct maui_mirrors mirrors; /* reservations of Slurm's that are ours */
	struct maui_trigger_tracks triggers;
	struct maui_sched_program *programs[MAUI_SCHED_PROGRAMS]; /* of triggers, that run */
	bool trigger_waits;                                       /* for one of them to end */
	int64_t program_retry_s; /* some wait for a state that could not be saved: again then; 0 */
	struct maui_document *document; /* the last one published; NULL: none */
	struct maui_diags warnings;     /* of SRCFG: sched_check.c */
	uint64_t checked; /* hash of the nodes that they are of; 0: not looked at yet */
	struct maui_events events;
	struct maui_crash_guard crash_guard;
	struct maui_refused_nodes refused_nodes;
	int64_t wake_s;       /* something is due then; 0: nothing */
	int64_t due_retry_s;  /* idle time could not be written down: again then; 0: it could */
	int64_t trial_s;      /* SERVERMODE TEST beside another scheduler: when it began; 0: it is
				 not on */
	uint32_t stayed;      /* who could not be preempted in the last iteration, the first; 0 */
	uint32_t said_forced; /* partitions whose sharing the log was told of */
	unsigned failures;    /* iterations in a row that came to nothing */
	bool said_testing, said_guarded, said_forbidden, said_slurms_preemption;
};

/* The next iteration shall not be later than this. */
static inline void maui_sched_wake(struct maui_sched *sched, int64_t when_s)
{
	if (sched->wake_s == 0 || when_s < sched->wake_s)
		sched->wake_s = when_s;
}

/* A release that is carried out at the end of the iteration. */
struct maui_pending_release {
	const struct maui_pending_release *next;
	const char *name;
	int32_t day;
};

/* One iteration. */
struct maui_iteration {
	struct maui_controller *c;
	struct maui_sched *sched;
	const struct maui_captured_jobs *captured;
	struct maui_hashtable by_id; /* job id -> its maui_captured_job */
	struct maui_cluster cluster;
	struct maui_eligible eligible;         /* given up once the snapshot has it */
	struct maui_waiting *waiting;          /* of each idle job of the snapshot, in its order */
	uint32_t waiting_count;                /* all that wait, whatever for */
	const struct maui_start_order *orders; /* of the last plan's starts, when the snapshot does
						  not have these yet; NULL: none */
	struct maui_promise *promises;
	size_t promise_count;
	struct maui_arena arena;             /* of all that is made here */
	struct maui_standing_input standing; /* reservations; count 0: none */
	const struct maui_pending_release *pending_releases;
	struct maui_sched_change *changes;     /* that wait for an answer */
	bool save;                             /* something must survive a crash that follows */
	uint64_t ends;                         /* maui_events_ends() before anything was copied */
	struct maui_refusal_view refusal_view; /* of the snapshot, once it is filled */
	bool testing;                          /* starts nothing */
	bool may_preempt;
	bool wrote;
	bool dropped; /* what is left of the plan is out of date: tables, nodes,
					  stop */
	int64_t began_s, began_us, plan_us;
	struct maui_hold_times writes;
	uint32_t queued; /* rows of those that nothing but the plan keeps waiting */
	uint32_t started, refused, changed, backfilled; /* jobs */
};

/* What the orders of this iteration are carried out in. */
static inline struct maui_start_site maui_sched_site(const struct maui_iteration *it)
{
	return (struct maui_start_site){ .table = it->cluster.table,
					 .mirrors = &it->sched->mirrors,
					 .stop = &it->c->stop };
}

/* sched_fill.c: completes what was copied and puts it into the snapshot. -1 without memory. */
int maui_sched_fill(struct maui_iteration *it);

/* sched_carry.c: what one iteration leaves to the next. */
/* Promises of the last one, in terms of this snapshot. -1 without memory. */
int maui_sched_promises(struct maui_iteration *it);
/* Keeps this one's. */
void maui_sched_keep(struct maui_iteration *it);
/* Bypass counts and stamps; the chunk timer. */
void maui_sched_note(struct maui_iteration *it);
void maui_sched_secure(struct maui_iteration *it);
void maui_sched_chunk_timer(struct maui_iteration *it);

/* starts.c: the starts of the decisions. */
/* Once the snapshot is filled: keeps from its jobs the nodes that Slurm refused them. */
void maui_sched_refused_nodes(struct maui_iteration *it);
/* True: something was refused or had changed, and what is left is worth another plan: the snapshot
 * has what really happened. */
bool maui_sched_start(struct maui_iteration *it);
/* Those that the last plan started are active in the snapshot from now on. Nothing is asked about
 * that plan afterwards but what of reservations is in use. -1 without memory. */
int maui_sched_started(struct maui_iteration *it);

/* sched_test.c: SERVERMODE TEST. Logs what would be started and what Slurm says to it ... */
void maui_sched_test(struct maui_iteration *it, const struct maui_start_order *orders,
		     size_t count);
/* ... and what another scheduler has started since the last plan. */
void maui_sched_compare(struct maui_iteration *it);

/* sched_vacate.c: active jobs. Those that go for others or come back, by the decisions ... */
void maui_sched_preempt(struct maui_iteration *it);
/* ... and, before anything is copied, starts that take too long. */
void maui_sched_tend(struct maui_iteration *it);
/* Whether active jobs may be pushed off at all: not when Slurm does that itself. Without any
 * lock. */
bool maui_sched_may_preempt(struct maui_iteration *it);

/* sched_stats.c: what sdiag shows of an iteration that came to its end. */
void maui_sched_count(struct maui_iteration *it, int64_t took_us);

/* sched_rsv.c: reservations of maui.cfg and of setres. Into the plan; out of it. */
int maui_sched_rsvs(struct maui_iteration *it, struct maui_err *err);
void maui_sched_keep_rsvs(struct maui_iteration *it);
/* Index in it->standing.list by name; -1. */
int64_t maui_sched_find_rsv(const struct maui_iteration *it, const char *name);
/* The same, looked for from there on: the one before, of names in the list's order. */
int64_t maui_sched_find_rsv_from(const struct maui_iteration *it, const char *name, int64_t from);
/* An administrative one; NULL: there is none of this name. */
struct maui_rsv *maui_sched_administrative(struct maui_sched *sched, const char *name);
/* Ends an administrative reservation, or releases an instance of a standing one: at the end of the
 * iteration, when no pointer leads to it any more. */
void maui_sched_release(struct maui_iteration *it, const char *name, int32_t day);
void maui_sched_carry_out_releases(struct maui_iteration *it);
/* Which administrative ones there are, to job_submit: after each change. */
void maui_sched_publish_names(struct maui_iteration *it);
/* They are lent to it. */
void maui_sched_rsvs_to_store(const struct maui_sched *sched, struct maui_store *store);
int maui_sched_rsvs_from_store(struct maui_sched *sched, const struct maui_store *store);

/* released.c: released instances. Into the plan, without those whose SRCFG has changed. -1 without
 * memory. */
int maui_sched_skip_released(struct maui_iteration *it);
/* Those that cannot come again: a week is the longest. */
void maui_sched_forget_released(struct maui_iteration *it);
void maui_sched_add_released(struct maui_iteration *it, const char *name, int32_t day);
/* Into the document. */
void maui_sched_publish_released(const struct maui_iteration *it, struct maui_document *p);

/* sched_check.c: reservations that maui.cfg gets wrong. Looks when something changed, and logs what
 * these nodes cannot hold ... */
void maui_sched_check_rsvs(struct maui_iteration *it);
/* ... and commands are told of all of it. */
void maui_sched_publish_warnings(const struct maui_sched *sched, struct maui_document *p);

/* sched_record.c: what of them is in use, jobs that have just been started included. -1 without
 * memory. */
int maui_sched_usage(struct maui_iteration *it, struct maui_err *err);
/* What they are charged with; SINGLEUSE and IDLETIME. */
void maui_sched_records(struct maui_iteration *it);
/* Before anything is planned, or the next job would be in it: gives up those of SINGLEUSE whose
 * jobs have ended. True: there were some, it->standing has to be made anew. */
bool maui_sched_use_up(struct maui_iteration *it);
/* Finds the records that there are now, as long as none is taken out. Made of the iteration's
 * memory; without, it finds nothing. */
struct maui_sched_index {
	struct maui_store *book;
	uint32_t *order; /* of records, by name and day */
	size_t count;
};
struct maui_sched_index maui_sched_index(struct maui_iteration *it);
/* Of one instance; NULL: it had not begun. */
struct maui_store_record *maui_sched_record(const struct maui_sched_index *index, const char *rsv,
					    int32_t day);

/* sched_trigger.c: TRIGGER, and the programs it runs. */
void maui_sched_triggers(struct maui_iteration *it);
/* Those that have fired, once that is saved; else they go on waiting ... */
void maui_sched_programs_begin(struct maui_controller *c);
/* ... and it is time to try to save it again. */
bool maui_sched_programs_due(const struct maui_sched *sched, int64_t now_s);
void maui_sched_programs_end(struct maui_sched *sched);

/* sched_mirror.c: instances as reservations of Slurm's. */
void maui_sched_mirror(struct maui_iteration *it);
/* maui.<reservation>.<YYYYMMDD>: the same at every moment of the instance's life. NULL without
 * memory. */
char *maui_sched_mirror_name(const struct maui_iteration *it,
			     const struct maui_rsv_instance *instance, struct maui_arena *arena);

/* adopt_mirrors.c: after a lost state file, before anything is copied. Does nothing once the
 * mirrors were looked at, in SERVERMODE TEST, and beside another scheduler. */
void maui_sched_adopt_mirrors(struct maui_iteration *it, struct maui_hold_times *reads);

/* sched_change.c: what setres and releaseres ask for: made before anything is planned, answered
 * when it is, in any case. */
void maui_sched_changes(struct maui_iteration *it);
void maui_sched_answers(struct maui_iteration *it);

/* sched_publish.c: what commands are told, once everything is as the plan says. */
void maui_sched_publish(struct maui_iteration *it);

/* sched_tell.c: reasons and estimates. */
void maui_sched_publish_jobs(struct maui_iteration *it, const struct maui_plan *plan);

#endif
