/* SPDX-License-Identifier: GPL-2.0-or-later */
/* histories.h - what we remember of each job beyond slurmctld's record
 *
 * Its queue-time stamp, the QOS it asked for, how much of its run is charged, and what we last
 * published for it. Survives restarts through state/store/store.h.
 * Thread safety: the context's lock.
 */
#ifndef MAUI_CYCLE_JOB_HISTORY_H
#define MAUI_CYCLE_JOB_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hashtable.h"
#include "policy/defer.h"
#include "policy/publish.h"
#include "state/store/store.h"

/* One row of sprio: the job in one partition. */
struct maui_job_history_row {
	const char *part; /* interned */
	uint32_t priority;
	int32_t column[MAUI_COMP_COUNT];
};

/* SERVERMODE TEST: what the last plan made of a job. */
enum maui_trial {
	MAUI_TRIAL_UNSEEN, /* no plan has had it yet */
	MAUI_TRIAL_STARTS,
	MAUI_TRIAL_WAITS,
};

struct maui_job_history {
	uint32_t job_id;
	int64_t submit_s;    /* with the id: the job's identity */
	int64_t stamp_s;     /* accrual.h */
	int64_t accrued_s;   /* the cycle up to which stamp_s is right */
	bool blocked;        /* was held or dependent when last seen */
	bool rejected;       /* REJECTNEGPRIOJOBS, when last computed */
	bool limited;        /* failed the eligibility step of the last plan */
	bool active_limit;   /* failed a hard active limit there */
	bool soft_violation; /* runs over a soft limit: SPVIOLATION */
	bool preemptible;    /* started under BACKFILLPOLICY PREEMPT */
	bool suspended_by_us;
	uint64_t reasons; /* hash of those that the log has had */
	bool said_test;   /* SERVERMODE TEST has said that it would start it */
	enum maui_trial trial;
	int64_t told_start_s; /* the start by another scheduler that the log was told of; 0: none */
	uint32_t bypass;      /* out-of-order starts of others while it waited */
	struct maui_defer defer;
	/* Slurm had no room for it: not tried again before retry_s, or before something has ended
	 * since (events.h); 0: no such thing */
	int64_t retry_s;
	uint64_t retry_ends;
	unsigned busy;         /* times in a row */
	uint64_t fingerprint;  /* its fingerprint when last looked at; 0: not yet */
	uint64_t changed_from; /* its fingerprint when an order for it was out of date */
	unsigned changed;      /* times in a row */
	char *qos;             /* text kept by job_submit/maui; NULL: none */
	char *advres; /* likewise: the reservations of ours that it names, "a,b"; NULL: none */
	/* what it asked for when it started, where slurmctld's record tells something else since; 0:
	 * nothing to remember */
	int64_t asked_tasks, asked_procs;
	int64_t run_s; /* start of the run that charged_s counts */
	int64_t charged_s;
	int64_t seen_s;   /* when a snapshot last had the job */
	uint32_t version; /* counts recomputations */
	struct maui_job_history_row *rows;
	size_t row_count;
};

struct maui_job_histories {
	struct maui_hashtable map;
	int64_t restored_s; /* when the state was saved that a restart began with; 0: none was */
};

void maui_job_histories_finish(struct maui_job_histories *histories);

/* Which job: the id alone is not enough, Slurm's ids wrap around. */
struct maui_job_history_key {
	uint32_t job_id, array_job_id;
	int64_t submit_s;
	bool restarted; /* a new submit time may be the same job, requeued: what it asked
			   for stays */
};

/* The job's history, made when missing. A task split off an array inherits stamp, QOS,
 * reservation and trial from the array's. NULL without memory. */
struct maui_job_history *maui_job_histories_get(struct maui_job_histories *histories,
						const struct maui_job_history_key *key,
						int64_t now_s);
/* NULL: not known. */
struct maui_job_history *maui_job_histories_find(const struct maui_job_histories *histories,
						 uint32_t job_id);

/* Takes the rows over (copies). */
int maui_job_history_publish(struct maui_job_history *history,
			     const struct maui_job_history_row *rows, size_t count);
void maui_job_history_set_qos(struct maui_job_history *history, const char *qos);
void maui_job_history_set_advres(struct maui_job_history *history,
				 const char *advres); /* "": none */
/* What the job asks for now (slurm/eligible.h: the fingerprint). Another job than the one whose
 * starts were refused, updated or held, has a clean record. */
void maui_job_history_set_fingerprint(struct maui_job_history *history, uint64_t fingerprint);

/* Forgets jobs that no snapshot had since `before_s`. */
void maui_job_histories_expire(struct maui_job_histories *histories, int64_t before_s);

/* To and from the state file; jobs about which nothing needs remembering are left out. */
int maui_job_histories_to_store(const struct maui_job_histories *histories,
				struct maui_store *store);
int maui_job_histories_from_store(struct maui_job_histories *histories,
				  const struct maui_store *store, int64_t now_s);

#endif
