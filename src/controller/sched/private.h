/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the steps of one scheduling cycle, for the files of this folder only */
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
	struct maui_iteration *iteration; /* the cycle that runs; NULL: none */
	struct maui_planner *planner;
	struct maui_standing_hosts *hosts; /* HOSTLISTs matched against the names of nodes */
	struct maui_decisions decisions;   /* of this cycle; of the plan, once that is finished */
	struct maui_plan *plan;  /* the last one that is published; under the controller's lock */
	struct maui_store kept;  /* job reservations, by ids; the chunk timer */
	struct maui_store saved; /* administrative reservations, places of instances, released
				   instances, usage records, pending idle time */
	struct maui_mirrors mirrors; /* Slurm reservations that show instances */
	struct maui_trigger_tracks triggers;
	struct maui_sched_program
		*programs[MAUI_SCHED_PROGRAMS]; /* programs of triggers that run */
	bool trigger_waits;                     /* for the end of a program */
	int64_t program_retry_s; /* programs wait for a save: tried again then; 0: none does */
	struct maui_document *document; /* the last one published; NULL: none */
	struct maui_diags warnings;     /* of SRCFG: check_nodes.c */
	uint64_t checked; /* hash of the nodes that were checked; 0: not checked yet */
	struct maui_events events;
	struct maui_crash_guard crash_guard;
	struct maui_refused_nodes refused_nodes;
	int64_t wake_s;       /* the next cycle is due then at the latest; 0: no such moment */
	int64_t due_retry_s;  /* idle time is written again then; 0: the last write succeeded */
	int64_t trial_s;      /* when SERVERMODE TEST beside another scheduler began; 0: off */
	uint32_t stayed;      /* first job that could not be preempted in the last cycle; 0 */
	uint32_t said_forced; /* partitions with OverSubscribe=FORCE that the log names */
	unsigned failures;    /* cycles in a row that failed */
	bool said_testing, said_guarded, said_forbidden, said_slurms_preemption;
};

/* The next cycle begins at when_s at the latest. */
static inline void maui_sched_wake(struct maui_sched *sched, int64_t when_s)
{
	if (sched->wake_s == 0 || when_s < sched->wake_s)
		sched->wake_s = when_s;
}

/* A release that is carried out at the end of the cycle. */
struct maui_pending_release {
	const struct maui_pending_release *next;
	const char *name;
	int32_t day;
};

/* One scheduling cycle. */
struct maui_iteration {
	struct maui_controller *c;
	struct maui_sched *sched;
	const struct maui_captured_jobs *captured;
	struct maui_hashtable by_id; /* job id -> its maui_captured_job */
	struct maui_cluster cluster;
	struct maui_eligible eligible; /* freed once the snapshot has it */
	struct maui_waiting *waiting;  /* of each idle job of the snapshot, in its order */
	uint32_t waiting_count;        /* all waiting jobs, held and dependent ones included */
	const struct maui_start_order
		*orders; /* of starts that the snapshot does not have yet; NULL */
	struct maui_job_reservation *job_rsvs;
	size_t job_rsv_count;
	struct maui_arena arena;             /* of everything that one cycle makes */
	struct maui_standing_input standing; /* reservations; count 0: none */
	const struct maui_pending_release *pending_releases;
	struct maui_sched_change *changes;     /* of administrators who wait for an answer */
	bool save;                             /* something must be on disk before the cycle ends */
	uint64_t ends;                         /* maui_events_ends() before anything was copied */
	struct maui_refusal_view refusal_view; /* of the snapshot, once it is filled */
	bool testing;                          /* starts nothing */
	bool may_preempt;
	bool wrote;
	bool dropped; /* the rest of the plan is out of date: tables, nodes, stop */
	int64_t began_s, began_us, plan_us;
	struct maui_hold_times writes;
	uint32_t queued; /* rows of jobs that only the plan keeps waiting */
	uint32_t started, refused, changed, backfilled; /* jobs */
};

/* Where start orders of this cycle apply. */
static inline struct maui_start_site maui_sched_site(const struct maui_iteration *it)
{
	return (struct maui_start_site){ .table = it->cluster.table,
					 .mirrors = &it->sched->mirrors,
					 .stop = &it->c->stop };
}

/* fill.c: completes the copied jobs and puts them into the snapshot. -1: no memory. */
int maui_sched_fill(struct maui_iteration *it);

/* carry.c: from one cycle to the next. */
/* Job reservations of the last cycle, in terms of this snapshot. -1: no memory. */
int maui_sched_job_rsvs(struct maui_iteration *it);
/* Keeps those of this cycle. */
void maui_sched_keep(struct maui_iteration *it);
/* Bypass counts and limits into the job histories; jobs that are no longer preemptible; the end of
 * chunking. */
void maui_sched_note(struct maui_iteration *it);
void maui_sched_secure(struct maui_iteration *it);
void maui_sched_chunk_timer(struct maui_iteration *it);

/* starts.c: the starts of the decisions. */
/* Once the snapshot is filled: keeps from its jobs the nodes that Slurm refused them. */
void maui_sched_refused_nodes(struct maui_iteration *it);
/* True: Slurm refused a start or a job had changed. The snapshot then has what really happened, and
 * the rest is worth another plan. */
bool maui_sched_start(struct maui_iteration *it);
/* Jobs that the last plan started become active in the snapshot. Nothing is asked about
 * that plan afterwards but what of reservations is in use. -1 without memory. */
int maui_sched_started(struct maui_iteration *it);

/* test_mode.c: SERVERMODE TEST. Logs what would start and whether Slurm would refuse it ... */
void maui_sched_test(struct maui_iteration *it, const struct maui_start_order *orders,
		     size_t count);
/* ... and what another scheduler has started since the last plan. */
void maui_sched_compare(struct maui_iteration *it);

/* preempt.c: carries out the preemptions and resumes of the decisions ... */
void maui_sched_preempt(struct maui_iteration *it);
/* ... and cancels starts that take too long (JOBMAXSTARTTIME). */
void maui_sched_tend(struct maui_iteration *it);
/* Whether we preempt at all: not when Slurm does (PreemptType). Call without any lock. */
bool maui_sched_may_preempt(struct maui_iteration *it);

/* stats.c: what sdiag shows of a finished cycle. */
void maui_sched_count(struct maui_iteration *it, int64_t took_us);

/* reservations.c: reservations of maui.cfg and of setres. Into the plan; out of it. */
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

/* check_nodes.c: reservations that maui.cfg gets wrong. Looks when something changed, and logs what
 * these nodes cannot hold ... */
void maui_sched_check_rsvs(struct maui_iteration *it);
/* ... and commands are told of all of it. */
void maui_sched_publish_warnings(const struct maui_sched *sched, struct maui_document *p);

/* usage_records.c: which instances are in use, jobs that have just started included. -1: no
 * memory. */
int maui_sched_usage(struct maui_iteration *it, struct maui_err *err);
/* Charges of instances; SINGLEUSE and IDLETIME. */
void maui_sched_records(struct maui_iteration *it);
/* Before the plan: releases SINGLEUSE instances whose jobs have ended, so that no other job gets
 * in. True: there were some, and it->standing must be made again. */
bool maui_sched_use_up(struct maui_iteration *it);
/* Finds records by reservation and day, until one is removed. Without memory it finds nothing. */
struct maui_sched_index {
	struct maui_store *saved;
	uint32_t *order; /* of records, by name and day */
	size_t count;
};
struct maui_sched_index maui_sched_index(struct maui_iteration *it);
/* The record of one instance; NULL: the instance has not begun. */
struct maui_store_record *maui_sched_record(const struct maui_sched_index *index, const char *rsv,
					    int32_t day);

/* triggers.c: TRIGGER, and the programs it runs. */
void maui_sched_triggers(struct maui_iteration *it);
/* Starts the programs of fired triggers once the state is saved; until then they wait ... */
void maui_sched_programs_begin(struct maui_controller *c);
/* ... and whether it is time to try the save again. */
bool maui_sched_programs_due(const struct maui_sched *sched, int64_t now_s);
void maui_sched_programs_end(struct maui_sched *sched);

/* mirrors.c: instances as reservations of Slurm's. */
void maui_sched_mirror(struct maui_iteration *it);
/* maui.<reservation>.<YYYYMMDD>: the same at every moment of the instance's life. NULL without
 * memory. */
char *maui_sched_mirror_name(const struct maui_iteration *it,
			     const struct maui_rsv_instance *instance, struct maui_arena *arena);

/* adopt_mirrors.c: after a lost state file, before anything is copied. Does nothing once the
 * mirrors were looked at, in SERVERMODE TEST, and beside another scheduler. */
void maui_sched_adopt_mirrors(struct maui_iteration *it, struct maui_hold_times *reads);

/* admin_changes.c: what setres and releaseres ask for: made before anything is planned, answered
 * when it is, in any case. */
void maui_sched_changes(struct maui_iteration *it);
void maui_sched_answers(struct maui_iteration *it);

/* publish_document.c: what commands are told, once everything is as the plan says. */
void maui_sched_publish(struct maui_iteration *it);

/* publish_jobs.c: reasons and start estimates for squeue. */
void maui_sched_publish_jobs(struct maui_iteration *it, const struct maui_plan *plan);

#endif
