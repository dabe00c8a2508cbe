/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_history.h - what we remember about each job beyond slurmctld's record
 *
 * Effective queue time, the QOS and reservation that the job named, how much of its run is charged,
 * refused starts, and the published priorities. state/store keeps them over a restart. Thread
 * safety: the caller holds the controller's lock.
 */
#ifndef MAUI_CYCLE_JOB_HISTORY_H
#define MAUI_CYCLE_JOB_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hashtable.h"
#include "cycle/start_estimates.h"
#include "model/captured.h"
#include "policy/accrual.h"
#include "policy/defer.h"
#include "policy/publish.h"
#include "state/estimate_errors.h"
#include "state/store/store.h"

/* One row of sprio: the job in one partition. */
struct maui_job_history_row {
	const char *part; /* interned */
	uint32_t priority;
	int32_t column[MAUI_COMP_COUNT];
};

struct maui_job_history {
	uint32_t job_id;
	int64_t submit_s;    /* with the id, it identifies the job */
	int64_t stamp_s;     /* start of effective queue time: policy/accrual.h */
	int64_t accrued_s;   /* the cycle up to which stamp_s is brought forward */
	bool blocked;        /* held or dependent when last captured */
	bool rejected;       /* REJECTNEGPRIOJOBS refused it when it was last ranked */
	bool limited;        /* failed the eligibility step of the last plan */
	bool active_limit;   /* failed a hard active limit there */
	bool soft_violation; /* runs over a soft limit: SPVIOLATION */
	bool preemptible;    /* started under BACKFILLPOLICY PREEMPT */
	bool suspended_by_us;
	/* of its run: how often it was suspended, as far as captures saw that, and when last */
	uint32_t suspensions;
	int64_t suspended_at_s;
	int64_t refused_stop_s; /* start of the run that Slurm refused to stop; 0: none; not saved */
	uint32_t bypassed;      /* `bypass` when it started */
	bool backfilled;        /* started while a better job waited */
	bool counted;           /* its end is in the statistics, or never will be */
	bool wait_counted;      /* so is the wait before its run */
	uint64_t reason_hash; /* hash of the reason that slurmctld's record got from us; 0: none */
	bool estimated;       /* slurmctld's record got a start estimate from us */
	uint64_t reasons;     /* hash of the reasons that were last logged */
	/* SERVERMODE TEST (state/trial.h): the first moment at which a plan started the job and Slurm
	 * would have taken it, 0: none yet; how many tasks of an array that waits */
	int64_t trial_planned_s;
	uint32_t trial_copies;
	bool trial_refused;     /* Slurm would have refused its start */
	int64_t trial_retry_s;  /* then Slurm is asked again */
	int64_t scored_start_s; /* start by another scheduler that the score has; 0: none */
	uint32_t bypass;        /* starts of other jobs out of order while it waited */
	struct maui_defer defer;
	/* Slurm refused its start. The job is tried again at retry_s, or sooner when another job has
	 * ended since (counted by slurm/events.h; maui_refusal_lasts()); 0: not refused. */
	int64_t retry_s, refused_s;
	uint64_t retry_ends;
	unsigned busy;         /* consecutive times */
	uint64_t fingerprint;  /* when last captured; 0: not yet */
	uint64_t changed_from; /* fingerprint when a start order for it was outdated */
	unsigned changed;      /* consecutive times */
	/* setspri: 1 to MAUI_SYSPRIO_MAX, and what is added; 0: none */
	int32_t system_priority, system_priority_added;
	char *qos;    /* text kept by job_submit/maui; NULL: none */
	char *advres; /* our reservations that the job names, "a,b"; NULL: none */
	/* What the job requested, if slurmctld's record has changed since its start; 0: the record
	 * is right. */
	int64_t asked_tasks, asked_procs;
	int64_t run_s; /* start of the run whose seconds charged_s counts */
	int64_t charged_s;
	int64_t seen_s;   /* when the job was last captured */
	uint64_t version; /* number of its last ranking: the controller counts all rankings */
	struct maui_start_estimates *estimates; /* NULL: it never had one; not saved */
	/* while it waits */
	struct maui_expected expected;
	struct maui_job_history_row *rows;
	size_t row_count;
};

struct maui_job_histories {
	struct maui_hashtable map;
	int64_t restored_s; /* when the restored state was saved; 0: no state was restored */
};

void maui_job_histories_finish(struct maui_job_histories *histories);

/* Slurm's job ids wrap around, so the submit time belongs to a job's identity. */
struct maui_job_history_key {
	uint32_t job_id, array_job_id;
	int64_t submit_s;
	bool restarted; /* requeued at least once: the same job may have a new submit time */
};

/* The job's history. Makes a new one if there is none. A task split off an array inherits queue
 * time, QOS, reservation and, as long as the array has any, a planned start of the trial from the
 * array. NULL: no memory. */
struct maui_job_history *maui_job_histories_get(struct maui_job_histories *histories,
						const struct maui_job_history_key *key,
						int64_t now_s);
/* NULL: unknown job. */
struct maui_job_history *maui_job_histories_find(const struct maui_job_histories *histories,
						 uint32_t job_id);

/* Counts the suspension in which the active job is, once. */
void maui_job_history_count_suspension(struct maui_job_history *history,
				       const struct maui_captured_job *captured);

/* Stores a copy of the rows that sprio shows. */
int maui_job_history_publish(struct maui_job_history *history,
			     const struct maui_job_history_row *rows, size_t count);
/* -1 without memory: the text stays as it was. */
int maui_job_history_set_qos(struct maui_job_history *history, const char *qos);
int maui_job_history_set_advres(struct maui_job_history *history,
				const char *advres); /* "": none */
/* Sets the fingerprint of what the job requests now (slurm/eligible/eligible.h). If it changed, the
 * job was updated or held, so its refused and planned starts are forgotten. */
void maui_job_history_set_fingerprint(struct maui_job_history *history, uint64_t fingerprint);

/* Forgets the planned and refused starts of a trial: another one begins. */
void maui_job_histories_forget_trial(struct maui_job_histories *histories);

/* Forgets jobs that were not captured since `before_s`. */
void maui_job_histories_expire(struct maui_job_histories *histories, int64_t before_s);

/* To and from the state file; jobs about which nothing needs remembering are left out. */
int maui_job_histories_to_store(const struct maui_job_histories *histories,
				struct maui_store *store);
int maui_job_histories_from_store(struct maui_job_histories *histories,
				  const struct maui_store *store, int64_t now_s);

/* Brings the stamp of a waiting job forward to now_s, according to its state. A call with an older
 * moment than the last one changes nothing: a submit may rank the job while a cycle is still
 * running. */
void maui_job_history_accrue(struct maui_job_history *history, enum maui_accrual policy,
			     const struct maui_accrual_state *state, int64_t now_s);

#endif
