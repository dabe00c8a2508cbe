/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.h - the score of SERVERMODE TEST: slurm-maui's plans against another scheduler's starts
 *
 * In: each start that the other scheduler made, with what slurm-maui's plans decided about that job
 * on the same state of the machine. Out: how many jobs would have started sooner, later or at the
 * same time, and what would have kept the later ones. state/store keeps the score over a restart.
 * Plain data, copied as a whole; names and lists are bounded.
 *
 * Thread safety: none.
 *
 * Rules: CMD-55, CMD-56.
 */
#ifndef MAUI_STATE_TRIAL_H
#define MAUI_STATE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MAUI_TRIAL_SAME_S = 5, /* two starts within this time are at the same time */
	MAUI_TRIAL_CAUSES = 32,
	MAUI_TRIAL_JOBS = 50,
	MAUI_TRIAL_USER_SIZE = 40,
	MAUI_TRIAL_CAUSE_SIZE = 96,
	MAUI_TRIAL_LINE_SIZE = 256,
};

enum maui_trial_outcome { /* order as in the words of the state file */
			  MAUI_TRIAL_SAME,
			  MAUI_TRIAL_SOONER,
			  MAUI_TRIAL_LATER,
			  MAUI_TRIAL_NOT_COMPARED, /* no plan was made on the state of its start */
			  MAUI_TRIAL_OUTCOMES
};

/* A start of the other scheduler, and what plans decided about the job. */
struct maui_trial_start {
	uint32_t job_id;
	uint32_t array_job_id, array_task; /* array_job_id 0: no task of an array */
	const char *user;
	int64_t started_s;
	/* the first moment at which a plan started the job, and Slurm would have taken it; 0: no
	 * plan did, up to the one on the state of started_s */
	int64_t planned_s;
	/* without planned_s: what kept the job in the plan on the state of started_s (NULL: there
	 * was no such plan), and when that plan expected its start (MAUI_NEVER: not known) */
	const char *cause;
	int64_t expected_s;
};

struct maui_trial_result {
	enum maui_trial_outcome outcome;
	int64_t by_s; /* sooner or later by so much; -1: not known */
};

struct maui_trial_sum {
	uint32_t jobs;
	uint32_t unknown; /* of them, by how much is not known */
	int64_t by_s, max_s;
};

/* A limit, reservation or shortage that would have kept jobs; or a refusal by Slurm. */
struct maui_trial_cause {
	char name[MAUI_TRIAL_CAUSE_SIZE];
	uint32_t jobs;
	int64_t first_s, last_s;
};

struct maui_trial_causes {
	struct maui_trial_cause list[MAUI_TRIAL_CAUSES]; /* the last one is for all others */
	uint32_t count;
};

/* A job that the two schedulers start at different times. */
struct maui_trial_job {
	uint32_t job_id;
	uint32_t array_job_id, array_task; /* array_job_id 0: no task of an array */
	enum maui_trial_outcome outcome;   /* sooner or later */
	int64_t started_s, by_s;
	char user[MAUI_TRIAL_USER_SIZE];
	char cause[MAUI_TRIAL_CAUSE_SIZE]; /* of a later one */
};

struct maui_trial {
	int64_t began_s;  /* 0: there was no trial yet */
	int64_t ended_s;  /* SERVERMODE became another one; 0: the trial goes on */
	int64_t looked_s; /* starts up to this moment are counted */
	struct maui_trial_sum sums[MAUI_TRIAL_OUTCOMES];
	uint32_t refused; /* jobs whose planned start Slurm would have refused, at least once */
	/* jobs that wait now, and would have started */
	uint32_t ahead;
	int64_t ahead_since_s; /* the earliest of these planned starts */
	struct maui_trial_causes causes, refusals;
	struct maui_trial_job jobs[MAUI_TRIAL_JOBS]; /* the last ones, oldest first */
	uint32_t job_count;
};

/* A trial begins: the score is empty. A trial that goes on, as after a restart, keeps its score.
 * true: it has just begun. */
bool maui_trial_begin(struct maui_trial *trial, int64_t now_s);
/* The trial is over; its score stays until the next one begins. true: it has just ended. */
bool maui_trial_end(struct maui_trial *trial, int64_t now_s);

/* Which scheduler starts the job earlier, and by how much. */
struct maui_trial_result maui_trial_compare(const struct maui_trial_start *start);

/* Counts a start. Returns what maui_trial_compare() returns. */
struct maui_trial_result maui_trial_add(struct maui_trial *trial,
					const struct maui_trial_start *start);
/* Counts a job of which Slurm would have refused the start, for the first time. */
void maui_trial_add_refusal(struct maui_trial *trial, const char *why, int64_t now_s);

/* All outcomes together: the starts of the other scheduler. */
uint32_t maui_trial_started(const struct maui_trial *trial);

/* The score in one line: "12 jobs started: 9 at the same time, 2 sooner (35 s on average) ...".
 * Returns buf; MAUI_TRIAL_LINE_SIZE suffices. */
char *maui_trial_line(const struct maui_trial *trial, char *buf, size_t size);

/* For reading a saved score: adds a cause, or a job at the end of the list. What is not valid is
 * left out. */
void maui_trial_restore_cause(struct maui_trial_causes *causes,
			      const struct maui_trial_cause *cause);
void maui_trial_restore_job(struct maui_trial *trial, const struct maui_trial_job *job);

#endif
