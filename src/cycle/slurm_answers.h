/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_answers.h - what Slurm has answered about the jobs of one request
 *
 * A plan knows less than Slurm: it counts the processors of a node, not those of each socket. Slurm
 * alone decides whether a job can run. Each answer holds for all jobs of the same fingerprint:
 *
 * ASKS     Slurm refused the planned nodes, or a job's options say from the start that the plan's
 *          description is not exact (maui_request.asks_slurm): Slurm chooses among all nodes on
 *          which the plan lets the job run.
 * BUSY     Slurm chose none of them. The job waits, and may have a job reservation from the moment
 *          and on the nodes that Slurm's own test has named, or else from the next end of a job;
 *          none when the test finds no moment even after the end of all running jobs, or twice
 *          in a row a moment that cannot be true. It is tried
 *          again after a second, then two ... sixteen, and when a job has ended, the sooner the
 *          fewer tries it had, so that a thousand such jobs take turns.
 * POSSIBLE the plan says that no nodes could ever serve the job, and Slurm says that some can: of
 *          the request the plan keeps the least number of nodes, the licences, the nodes that it
 *          excludes, and the reservations that it may use.
 * NEVER    the plan says that no nodes could ever serve the job, and Slurm agrees. Slurm is asked
 *          again after five minutes, ten ... an hour.
 * CLOSED   one of the partitions that the job names, or one of the reservations that it may use
 *          without naming that one alone, does not serve it, for good or for a moment: it is
 *          planned in the others.
 *
 * An answer is forgotten when no job of its fingerprint waits any more, and when nodes or
 * partitions were changed.
 *
 * Goes in: outcomes of starts and tests. Comes out: the snapshot's idle jobs with `busy_until_s`
 * and requests with `asks_slurm`.
 *
 * Rules: BF-12, BF-26, BF-27.
 */
#ifndef MAUI_CYCLE_SLURM_ANSWERS_H
#define MAUI_CYCLE_SLURM_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cycle/waiting.h"
#include "model/snapshot.h"

/* How many partitions and reservations are remembered as closed to a job. Others that close are
 * tried again in each cycle. */
enum { MAUI_ANSWER_CLOSED_MOST = 8 };

/* What is closed to a job, by the name of a partition or a reservation. */
enum maui_closed_kind {
	MAUI_CLOSED_PARTITION,
	MAUI_CLOSED_RESERVATION,
	/* a partition to starts alone: another one has its turn. It may get a job reservation there */
	MAUI_CLOSED_TURN,
};

struct maui_closed_entry {
	uint64_t hash; /* of kind and name */
	int64_t until_s;
};

/* When Slurm's own test lets a job start, and where. */
struct maui_slurm_offer {
	int64_t start_s;       /* MAUI_NEVER: no offer */
	const uint32_t *nodes; /* ids, ascending */
	uint32_t node_count;
	/* on the nodes that are up it starts at no moment, not even after the end of all running
	 * jobs */
	bool no_moment;
	/* now, on the nodes that Slurm has just refused: a test that is not to be believed */
	bool doubtful;
};

/* What Slurm last answered when it was asked for a moment. */
struct maui_offered {
	struct maui_slurm_offer offer;
	uint32_t *nodes;    /* owned: of the offer */
	uint64_t partition; /* hash of its name: the offer is about it alone */
	uint64_t ends;      /* maui_events_ends() then */
	unsigned asked_at;  /* `tries` then; 0: never asked */
	unsigned doubts;    /* answers in a row that named a doubtful moment */
};

/* What holds in the current cycle alone. */
struct maui_answer_now {
	bool seen;    /* a waiting job has this fingerprint */
	bool counted; /* by maui_slurm_answers_by_user() */
	bool cached;  /* while answers are applied: `replaced` is the request for these two */
	uint32_t plain, partition, replaced;
};

struct maui_slurm_answer {
	uint64_t fingerprint, serial; /* of the last change: the oldest one is dropped first */
	bool asks, possible;
	bool unsaid;          /* possible, as Slurm did not say that the job never fits */
	unsigned never_count; /* how often in a row Slurm said NEVER */
	unsigned tries;       /* starts in a row for which Slurm found no nodes; 0: not busy */
	bool network;         /* the last of these starts failed because of the network */
	int64_t tried_s;
	uint64_t ends; /* maui_events_ends() at the last try */
	struct maui_offered offered;
	struct maui_closed_entry closed[MAUI_ANSWER_CLOSED_MOST];
	unsigned closed_count;
	struct maui_answer_now now;
};

struct maui_slurm_answers {
	struct maui_slurm_answer *list; /* ascending by fingerprint */
	size_t count, alloc;
	uint64_t serial;
	uint64_t table; /* number of slurmctld's node table when answers were last applied */
};

/* The current snapshot. */
struct maui_answers_view {
	struct maui_snapshot *snapshot;
	const struct maui_waiting *waiting; /* of each idle job */
	struct maui_arena *arena;
	int64_t now_s;
	uint64_t table, ends;
	int64_t *next_end_s; /* of each pool: first end of an active job; computed when needed */
};

/* The longest pause before the next try while no job ends. */
enum { MAUI_ANSWER_RETRY_MAX_S = 16 };

/* The pause after this many refusals: a second, two, four ... */
static inline int64_t maui_refusal_backoff_s(unsigned refusals)
{
	return refusals < 4 ? 1 << refusals : MAUI_ANSWER_RETRY_MAX_S;
}

/* The end of any job may have made the start possible, and brings the next try forward: after n
 * refusals not to less than n - 1 seconds, so that many refused jobs take turns where jobs end all
 * the time. */
enum { MAUI_REFUSAL_TURNS_MAX_S = 8 };

/* Whether a start that Slurm has refused so many times in a row, the last time at `tried_s`, is not
 * tried yet. `until_s`: when its pause is over; `ended`: a job has ended since. */
static inline bool maui_refusal_lasts(unsigned refusals, int64_t tried_s, int64_t until_s,
				      bool ended, int64_t now_s)
{
	int64_t turn_s = refusals <= MAUI_REFUSAL_TURNS_MAX_S ? (int64_t)refusals - 1 :
								MAUI_REFUSAL_TURNS_MAX_S;

	if (refusals == 0 || now_s < tried_s || now_s >= until_s)
		return false;
	return !ended || now_s - tried_s < turn_s;
}

void maui_slurm_answers_finish(struct maui_slurm_answers *answers);

/* The answer about jobs like this idle one; NULL: none. Valid until the next call that adds one. */
const struct maui_slurm_answer *maui_slurm_answers_find(const struct maui_slurm_answers *answers,
							uint64_t fingerprint);

/* Each notes an answer. Without memory the question is asked again in a later cycle. */
void maui_slurm_answers_asks(struct maui_slurm_answers *answers, uint64_t fingerprint);
/* `offer`: for the partition; NULL: Slurm was not asked. `network`: because of the places of the
 * free nodes in the network. Returns when the job is tried again at the latest. */
int64_t maui_slurm_answers_busy(struct maui_slurm_answers *answers, uint64_t fingerprint,
				int64_t now_s, uint64_t ends, const char *partition,
				const struct maui_slurm_offer *offer, bool network);
void maui_slurm_answers_started(struct maui_slurm_answers *answers, uint64_t fingerprint);
/* Whether Slurm says that the job could run at some time. */
void maui_slurm_answers_possible(struct maui_slurm_answers *answers, uint64_t fingerprint,
				 int64_t now_s, bool possible);
/* Slurm was asked, and did not say: a reservation came first. If it has said last that the job
 * never fits, that holds for one more pause. Else the job may be possible: returns true. */
bool maui_slurm_answers_unsaid(struct maui_slurm_answers *answers, uint64_t fingerprint,
			       int64_t now_s);
/* The nodes that Slurm had for a start could never run the job. If nobody has said that it is
 * possible, it is not, and Slurm is asked again after a pause: returns true. */
bool maui_slurm_answers_unfit(struct maui_slurm_answers *answers, uint64_t fingerprint,
			      int64_t now_s);

/* Closes a partition or a reservation to these jobs, which may use others as well, until a moment;
 * MAUI_NEVER: as long as the answer lasts. */
void maui_slurm_answers_close(struct maui_slurm_answers *answers, uint64_t fingerprint,
			      enum maui_closed_kind kind, const char *name, int64_t now_s,
			      int64_t until_s);
/* Until when the partition or reservation is closed to jobs with this answer (NULL: none); 0: it is
 * open. */
int64_t maui_slurm_answer_closed_until(const struct maui_slurm_answer *answer,
				       enum maui_closed_kind kind, const char *name, int64_t now_s);

/* Whether Slurm has said lately whether such a job could ever run. NULL: no answer. */
bool maui_slurm_answer_is_known(const struct maui_slurm_answer *answer, int64_t now_s);

/* How many answers are remembered, and how many of those about whether a job can run may be about
 * jobs of one user. */
enum { MAUI_ANSWERS_MOST = 16384, MAUI_ANSWERS_OF_USER_MOST = 1024 };

/* Whether there is no room for an answer about one more fingerprint. */
bool maui_slurm_answers_full(const struct maui_slurm_answers *answers);

/* How many answers about whether a job can run are about jobs of each user of the snapshot, by
 * maui_waiting.user: the arena's. NULL without memory. */
uint32_t *maui_slurm_answers_by_user(struct maui_slurm_answers *answers,
				     const struct maui_answers_view *view);

/* Forgets answers about jobs that no longer wait, and all of them when the node table changed.
 * Returns when the next busy job is tried again; 0: none. */
int64_t maui_slurm_answers_review(struct maui_slurm_answers *answers,
				  const struct maui_answers_view *view);

/* Gives each idle job of the snapshot what Slurm has answered about it. */
void maui_slurm_answers_apply(struct maui_slurm_answers *answers, struct maui_answers_view *view);

#endif
