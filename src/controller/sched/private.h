/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the steps of one scheduling cycle, for the files of this folder only */
#ifndef MAUI_CONTROLLER_SCHED_PRIVATE_H
#define MAUI_CONTROLLER_SCHED_PRIVATE_H

#include "admin/rights.h"
#include "base/diag.h"
#include "base/hashtable.h"
#include "controller/sched/cycle.h"
#include "cycle/health.h"
#include "cycle/job_reservations.h"
#include "cycle/refused_preemptions.h"
#include "cycle/rsv_lists.h"
#include "cycle/slurm_answers.h"
#include "plan/finished.h"
#include "plan/plan.h"
#include "slurm/capture/cluster.h"
#include "slurm/eligible/eligible.h"
#include "slurm/hold.h"
#include "slurm/mirror/mirror.h"
#include "slurm/start/start.h"
#include "reservation/placement/placement.h"
#include "reservation/triggers/trigger.h"
#include "verbs/changejob.h"

struct maui_document_idle;

struct maui_sched {
	struct maui_iteration *iteration; /* the cycle that runs; NULL: none */
	struct maui_planner *planner;
	struct maui_kept *kept;            /* of waiting jobs, from one cycle to the next */
	struct maui_standing_hosts *hosts; /* HOSTLISTs matched against the names of nodes */
	struct maui_decisions decisions;   /* of this cycle; of the plan, once that is finished */
	struct maui_plan *plan; /* the last one that is published; of the agent's thread only */
	struct maui_saved_job_rsvs job_rsvs; /* of the last plan */
	int64_t chunk_until_s;               /* BFCHUNKDURATION's timer; 0: none */
	struct maui_rsv_lists rsvs;
	struct maui_mirrors mirrors; /* Slurm reservations that show instances */
	struct maui_trigger_tracks triggers;
	struct maui_sched_programs *programs;    /* of triggers: triggers.c */
	struct maui_document *document;          /* the last one published; NULL: none */
	struct maui_usage_view *usage;           /* the last copy of the fairshare windows; NULL */
	struct maui_statistics_view *statistics; /* likewise */
	int64_t usage_due_us;                    /* they are not copied again before */
	struct maui_diags warnings;              /* of maui.cfg: warnings.c */
	uint64_t checked; /* hash of the nodes that were checked; 0: not checked yet */
	int64_t checked_s;
	struct maui_events events;
	struct maui_health health; /* for commands: how the scheduler itself does */
	struct maui_slurm_answers answers;
	int64_t crowded_s; /* since then each cycle has left jobs untried; 0: the last one has not */
	int64_t asked_again_s; /* a job that Slurm starts at no moment was last asked for */
	struct maui_refused_preemptions refused_preemptions;
	struct maui_preempted_jobs *preempted;        /* requeued ones: preempted.c; NULL: none */
	struct maui_refused_resumes *refused_resumes; /* refused_resumes.c; NULL: none */
	int64_t wake_s;       /* the next cycle is due then at the latest; 0: no such moment */
	int64_t due_retry_s;  /* idle time is written again then; 0: the last write succeeded */
	int64_t trial_said_s; /* the log had the score of the trial then */
	unsigned failures;    /* cycles in a row that failed */
	bool refused_all;     /* the last cycle refused all changes that it took */
	bool said_testing, said_guarded, said_forbidden, said_slurms_preemption;
};

/* The next cycle begins at when_s at the latest. */
static inline void maui_sched_wake(struct maui_sched *sched, int64_t when_s)
{
	if (sched->wake_s == 0 || when_s < sched->wake_s)
		sched->wake_s = when_s;
}

/* The phases of a cycle, for its line in the log. */
enum maui_phase {
	MAUI_PHASE_NODES,      /* nodes and active jobs are copied */
	MAUI_PHASE_CHECKS,     /* Slurm's checks; waiting jobs are copied */
	MAUI_PHASE_PRIORITIES, /* names, charges, priorities */
	MAUI_PHASE_SNAPSHOT,   /* the snapshot is completed */
	MAUI_PHASE_PLAN,
	MAUI_PHASE_STARTS, /* with preemptions, mirrors, records of use, triggers */
	MAUI_PHASE_ESTIMATES,
	MAUI_PHASE_REASONS, /* texts are made, ... */
	MAUI_PHASE_TEXTS,   /* ... and written where they differ */
	MAUI_PHASE_COUNT
};

/* Which jobs a plan of the cycle may start. */
enum maui_turn {
	MAUI_TURN_ALL,
	MAUI_TURN_PLANNED, /* those whose nodes the plan knows: Slurm does not choose */
	MAUI_TURN_NONE,    /* the plan is published */
};

/* A row of an idle job that has no turn in a plan. */
struct maui_aside {
	struct maui_aside *next;
	uint32_t job, row;
	int64_t busy_until_s; /* as it was */
};

/* turns.c: whose jobs are tried. */
struct maui_turns {
	enum maui_turn turn;
	bool crowded; /* earlier cycles have left jobs untried: each user has a share of the tries */
	bool chosen;  /* Slurm has chosen nodes in this cycle */
	bool untried;                       /* some jobs have had no turn in this cycle */
	uint32_t refusals;                  /* plans of this turn with a refused start */
	struct maui_refused_tries *refused; /* by maui_waiting.user */
	struct maui_aside *aside, *spare;   /* in the plan that is made; of earlier ones */
	int64_t began_us;
};

/* One scheduling cycle. */
struct maui_iteration {
	struct maui_controller *c;
	struct maui_sched *sched;
	const struct maui_captured_jobs *captured;
	struct maui_hashtable by_id; /* job id -> its maui_captured_job */
	/* the same of the jobs that this cycle started, as they are now */
	struct maui_hashtable started_by_id;
	/* trial.c: jobs that another scheduler has started since the last plan; those that this
	 * cycle plans as if they still waited */
	struct maui_put_back put_back;
	struct maui_hashtable put_back_by_id;
	struct maui_cluster cluster;
	struct maui_eligible eligible; /* freed once the snapshot has it */
	struct maui_waiting *waiting;  /* of each idle job of the snapshot, in its order */
	uint32_t kept_count;           /* waiting jobs that did not change since the last cycle */
	uint32_t waiting_count; /* all waiting jobs and tasks, held and dependent ones included */
	const struct maui_start_order
		*orders; /* of starts that the snapshot does not have yet; NULL */
	struct maui_job_reservation *job_rsvs;
	size_t job_rsv_count;
	struct maui_arena arena;             /* of everything that one cycle makes */
	struct maui_standing_input standing; /* reservations; count 0: none */
	const struct maui_pending_release *pending_releases;
	struct maui_sched_change *changes;    /* of administrators who wait for an answer */
	const struct maui_document *document; /* that this cycle has published; NULL: none */
	struct maui_sched_change *setres; /* the one that this cycle's plan judges; NULL: none */
	unsigned run_flags; /* of runjob: enum maui_run; 0: nobody asked, or it does not start */
	struct maui_sched_run *run;            /* its job: job_changes.c; NULL: nobody asked */
	bool save;                             /* something must be on disk before the cycle ends */
	uint64_t ends;                         /* maui_events_ends() before anything was copied */
	struct maui_answers_view answers_view; /* of the snapshot, once it is filled */
	/* jobs that go, as Slurm has said that their preemptors could then start; NULL: none */
	struct maui_preemption *preemptions;
	uint32_t preemption_count;
	bool unasked; /* Slurm was not asked about some preemptors of the plan */
	struct maui_asked_preemptions *asked; /* ask_preemptions.c; NULL: nothing was asked */
	bool testing;                         /* starts nothing */
	bool slurm_chooses;                   /* in this plan, for requests that ask it */
	struct maui_turns turns;
	bool may_preempt;
	bool wrote;
	bool dropped; /* the rest of the plan is out of date: tables, nodes, stop */
	int64_t began_s, began_us, plan_us;
	int64_t phase_began_us, phase_us[MAUI_PHASE_COUNT];
	struct maui_hold_times writes;
	uint32_t queued; /* rows of jobs that only the plan keeps waiting */
	uint32_t plans;  /* more than one when Slurm refused starts */
	uint32_t started, refused, changed, backfilled, preempted; /* jobs */
};

/* A phase has ended: the time since the last one ended is its own. */
static inline void maui_sched_phase(struct maui_iteration *it, enum maui_phase phase)
{
	int64_t now_us = maui_monotonic_us();

	it->phase_us[phase] += now_us - it->phase_began_us;
	it->phase_began_us = now_us;
}

/* Where start orders of this cycle apply. */
static inline struct maui_start_site maui_sched_site(struct maui_iteration *it)
{
	return (struct maui_start_site){ .table = it->cluster.table,
					 .mirrors = &it->sched->mirrors,
					 .arena = &it->arena,
					 .stop = &it->c->stop };
}

/* fill.c: completes the copied jobs and puts them into the snapshot. -1: no memory. */
int maui_sched_fill(struct maui_iteration *it);
/* Takes the jobs that were put back out of the queue, and makes them active, as they are. */
int maui_sched_fill_started(struct maui_iteration *it);

/* job_changes.c: what commands ask to be done with jobs. */
/* The answer, of the iteration's arena; NULL with error. */
struct maui_changejob *maui_sched_change_job(struct maui_iteration *it,
					     const struct maui_rights *who,
					     const struct maui_changejob_args *args,
					     struct maui_query_error *error);
/* The job of runjob, before it goes into the snapshot. -1: no memory. */
int maui_sched_fill_run(struct maui_iteration *it, struct maui_pending *pending);
/* Whether the plan does not start the job of runjob. Then the reason is noted, and the plan is to
 * be made again without the request. */
bool maui_sched_refuse_run(struct maui_iteration *it);
/* Notes the outcome of a start order for the answer, if it is of the job of runjob. */
void maui_sched_note_run(struct maui_iteration *it, const struct maui_start_order *order);
/* Completes the answer, once nothing else starts in this cycle. */
void maui_sched_answer_run(struct maui_iteration *it);

/* turns.c: whose jobs are tried while Slurm refuses more starts than a cycle tries. */
void maui_sched_begin_turns(struct maui_iteration *it);
/* Around the making of a plan: jobs without a turn do not start in it. */
void maui_sched_set_aside(struct maui_iteration *it);
void maui_sched_take_back(struct maui_iteration *it);
void maui_sched_note_refused_try(struct maui_iteration *it, const struct maui_start *start);
/* After a plan was executed. `again`: the rest is worth another one; `refused`: Slurm has refused a
 * start. Whether another plan follows. */
bool maui_sched_next_turn(struct maui_iteration *it, bool again, bool refused);
void maui_sched_end_turns(struct maui_iteration *it);

/* carry.c: from one cycle to the next. */
/* Forgets job reservations of jobs that have started: another plan of this cycle may follow, or
 * none. */
void maui_sched_drop_started(struct maui_iteration *it, const struct maui_start_order *orders);
/* Writes bypass counts and limits into the job histories; marks jobs that are no longer
 * preemptible; ends chunking. */
void maui_sched_record_outcome(struct maui_iteration *it);
void maui_sched_end_preemptible(struct maui_iteration *it);
void maui_sched_chunk_timer(struct maui_iteration *it);

/* starts.c: the starts of the decisions. */
/* The order for one start. -1: no memory. */
int maui_sched_make_order(struct maui_iteration *it, const struct maui_start *start,
			  struct maui_start_order *ret);
/* Once the snapshot is filled: gives its jobs what Slurm has answered about them. */
void maui_sched_slurm_answers(struct maui_iteration *it);
/* True: Slurm refused a start or chose its nodes, or a job had changed. The snapshot then has what
 * really happened, and the rest is worth another plan. */
bool maui_sched_start(struct maui_iteration *it);
/* Before another plan of this cycle: puts the starts of the last one into the snapshot, unless
 * maui_sched_start() has done so. false: the cycle ends here. */
bool maui_sched_take_starts(struct maui_iteration *it);
/* Drops idle jobs without copies, and their rows of it->waiting. */
void maui_sched_drop_gone(struct maui_iteration *it);
/* Makes jobs active in the snapshot that the last plan started. After this the plan answers only
 * which reservations are in use. -1 without memory. */
int maui_sched_started(struct maui_iteration *it);

/* possible.c: asks Slurm about jobs that could never run as the plan sees it. True: some can, and
 * the rest is worth another plan. */
bool maui_sched_ask_possible(struct maui_iteration *it);

/* test_mode.c: SERVERMODE TEST. Logs what would start and whether Slurm would refuse it. */
void maui_sched_test(struct maui_iteration *it, const struct maui_start_order *orders,
		     size_t count);

/* trial.c: SERVERMODE TEST beside another scheduler. Finds out which jobs that scheduler has
 * started since the last plan, before the waiting jobs are captured. -1: no memory. */
int maui_sched_trial_begin(struct maui_iteration *it, const struct maui_captured_jobs *jobs);
/* Compares those starts with the plan of this cycle, in which the jobs still wait. */
void maui_sched_trial_compare(struct maui_iteration *it);
/* Counts the jobs that wait and would have started; logs the score every hour. */
void maui_sched_trial_note(struct maui_iteration *it);

/* ask_preemptions.c: asks Slurm whether the preemptions of the plan help, and lists those that do
 * (it->preemptions). True: one would be in vain, and the plan has to be made again without it. */
bool maui_sched_ask_preemptions(struct maui_iteration *it);

/* preempted.c: notes a job that goes, once, ... */
void maui_sched_note_preempted(struct maui_iteration *it, uint32_t job_id, uint32_t for_job_id);
/* ... says for which job it goes; 0: not known ... */
uint32_t maui_sched_preemptor_of(const struct maui_sched *sched, uint32_t job_id);
/* ... and that the job for which others were requeued has started. */
void maui_sched_preemptor_started(struct maui_sched *sched, uint32_t job_id);
/* After a refused start: if jobs were preempted for it on its nodes, the job gives these nodes back
 * and preempts no job there for some time. */
void maui_sched_give_back(struct maui_iteration *it, const struct maui_start *start);
/* After the plan: jobs that were requeued in vain may start again at once. */
void maui_sched_review_preempted(struct maui_iteration *it);

/* usage_records.c: the job among the active ones of the snapshot; NULL: it is not there. */
struct maui_active *maui_sched_find_active(const struct maui_iteration *it, uint64_t job);

/* refused_resumes.c: other jobs have the cores of the suspended job, and the plan resumes it no
 * earlier than that may be over. */
void maui_sched_note_refused_resume(struct maui_iteration *it, uint32_t job_id);
void maui_sched_delay_resumes(struct maui_iteration *it);

/* preempt.c: executes the preemptions and resumes of the decisions ... */
void maui_sched_preempt(struct maui_iteration *it);
/* ... and cancels starts that take too long (JOBMAXSTARTTIME). */
void maui_sched_cancel_slow_starts(struct maui_iteration *it);
/* Whether slurm-maui may preempt: not when Slurm does (PreemptType). Call without any lock. */
bool maui_sched_may_preempt(struct maui_iteration *it);

/* figures.c: what sdiag shows of a finished cycle ... */
void maui_sched_count(struct maui_iteration *it, int64_t took_us);
/* ... and the record of how busy the machine is. */
void maui_sched_record_load(struct maui_iteration *it);

/* reservations.c: hands reservations to the plan, and saves what the plan decided. */
int maui_sched_rsvs(struct maui_iteration *it, struct maui_err *err);
void maui_sched_save_rsvs(struct maui_iteration *it);

/* rsv_names.c */
/* Index in it->standing.list by name; -1. */
int64_t maui_sched_find_rsv(const struct maui_iteration *it, const char *name);
/* The same, searched from index `from` on: names in the order of the list are found at once. */
int64_t maui_sched_find_rsv_from(const struct maui_iteration *it, const char *name, int64_t from);
/* The administrative reservation of this name; NULL: none. */
struct maui_rsv *maui_sched_administrative(struct maui_sched *sched, const char *name);
/* Tells job_submit the names of administrative reservations, after each change. */
void maui_sched_publish_names(struct maui_iteration *it);

/* released.c */
/* Ends an administrative reservation, or releases an instance of a standing one. This happens at
 * the end of the cycle, when no pointer leads to it any more. */
void maui_sched_release(struct maui_iteration *it, const char *name, int32_t day);
void maui_sched_carry_out_releases(struct maui_iteration *it);
/* Removes the reservations that setres made under SERVERMODE TEST. Whether there were any. Between
 * two cycles only. */
bool maui_sched_end_trial_rsvs(struct maui_sched *sched);
/* Hands released instances to the plan, without those whose SRCFG changed. -1 without memory. */
int maui_sched_skip_released(struct maui_iteration *it);
/* Forgets releases of periods that are over: a week is the longest period. */
void maui_sched_forget_released(struct maui_iteration *it);
/* Adds the released instances to the document. */
void maui_sched_publish_released(const struct maui_iteration *it, struct maui_document *p);

/* warnings.c: checks reservations and names of maui.cfg when maui.cfg, the nodes or the known names
 * have changed, and every ten minutes; logs new warnings. Without memory the last ones stay. */
void maui_sched_check_config(struct maui_iteration *it);
/* Whether an object that maui.cfg or setres names certainly does not exist (known_names.h);
 * context: the iteration. Never waits for a name service or slurmdbd. */
bool maui_sched_is_unknown(const void *context, int kind, const char *name);
/* Adds all warnings of the last check to the document. */
void maui_sched_publish_warnings(const struct maui_sched *sched, struct maui_document *p);

/* usage_records.c: finds the instances in use, jobs that have just started included. -1: no
 * memory. */
int maui_sched_usage(struct maui_iteration *it, struct maui_err *err);
/* Charges of instances; SINGLEUSE and IDLETIME. */
void maui_sched_records(struct maui_iteration *it);
/* Before the plan: releases SINGLEUSE instances whose jobs have ended, so that no other job uses
 * them. True: some were released, and it->standing must be made again. */
bool maui_sched_use_up(struct maui_iteration *it);
/* Finds records by reservation and day. It is good until a record is removed. Without memory it
 * finds nothing. */
struct maui_sched_index {
	struct maui_rsv_lists *rsvs;
	uint32_t *order; /* of records, by name and day */
	size_t count;
};
struct maui_sched_index maui_sched_index(struct maui_iteration *it);
/* The record of one instance; NULL: the instance has not begun. */
struct maui_store_record *maui_sched_record(const struct maui_sched_index *index, const char *rsv,
					    int32_t day);

/* triggers.c: fires triggers, and runs their programs. */
void maui_sched_triggers(struct maui_iteration *it);
/* Starts the programs of fired triggers once the state is saved; until then they wait ... */
void maui_sched_programs_begin(struct maui_controller *c);
/* ... and whether it is time to try the save again. */
bool maui_sched_programs_due(const struct maui_sched *sched, int64_t now_s);
void maui_sched_programs_end(struct maui_sched *sched);       /* frees all of it */
struct maui_sched_programs *maui_sched_programs_create(void); /* NULL without memory */

/* mirrors.c: shows instances as Slurm reservations. */
void maui_sched_mirror(struct maui_iteration *it);
/* maui.<reservation>.<YYYYMMDD>: the same at every moment of the instance's life. NULL without
 * memory. */
char *maui_sched_mirror_name(const struct maui_iteration *it,
			     const struct maui_rsv_instance *instance, struct maui_arena *arena);

/* adopt_mirrors.c: adopts mirrors after the state file is lost, before anything is copied. Does
 * nothing in later cycles, in SERVERMODE TEST, and beside another scheduler. */
void maui_sched_adopt_mirrors(struct maui_iteration *it, struct maui_hold_times *reads);

/* admin_changes.c: applies setres and releaseres before the plan, and answers after it, even when
 * the plan fails. */
void maui_sched_changes(struct maui_iteration *it);
/* After a plan: undoes and answers the setres of this cycle if its reservation lacks resources, or
 * exceeds its user's bounds. True: the plan has to be made again without it. */
bool maui_sched_refuse_changes(struct maui_iteration *it);
/* At the end of the cycle, before anything is saved: the same of a setres that no plan has judged,
 * because the cycle failed. */
void maui_sched_refuse_unplanned(struct maui_iteration *it);
void maui_sched_answers(struct maui_iteration *it);

/* publish_document.c: publishes the document for commands, after starts and mirrors. */
void maui_sched_publish(struct maui_iteration *it);

/* estimates.c: remembers the start estimates of a finished plan ... */
void maui_sched_record_estimates(struct maui_iteration *it, const struct maui_plan *plan);
/* ... and tells how that of one idle job moved. */
void maui_sched_copy_estimates(struct maui_iteration *it, const struct maui_plan *plan,
			       uint32_t index, struct maui_document_idle *ret);

/* publish_jobs.c: reasons and start estimates for squeue. */
void maui_sched_publish_jobs(struct maui_iteration *it, const struct maui_plan *plan);
void maui_sched_publish_nodes(struct maui_iteration *it, const struct maui_plan *plan);

#endif
