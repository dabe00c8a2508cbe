/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_preemptions.h - on which nodes a job preempts no other job, because it would be in vain
 *
 * A plan counts processors and memory; Slurm also looks at sockets, at cores of GPUs and the like.
 * So before a preemption Slurm is asked whether the preemptor could start without the victims. When
 * Slurm says no, or refuses the start after the victims have gone, the preemptor and all equal jobs
 * preempt no job on these nodes for some time. They still start there when the nodes are free.
 *
 * A refusal is over as soon as a job that would have stayed on the nodes has ended: victims that
 * come back, and jobs that start there, change nothing for the better. It is over after some time
 * as well, since nodes and configurations change, too.
 *
 * Goes in: refused preemptions. Comes out: the snapshot's idle jobs with the nodes that they spare.
 *
 * Rules: PRE-8, PRE-9.
 */
#ifndef MAUI_CYCLE_REFUSED_PREEMPTIONS_H
#define MAUI_CYCLE_REFUSED_PREEMPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cycle/slurm_answers.h"

/* A job that would have stayed on a node of a refused preemption. */
struct maui_stayer {
	uint64_t id;
	int64_t start_s; /* of the run */
};

struct maui_refused_preemption {
	uint64_t fingerprint, serial; /* fingerprint of the preemptors; number of the refusal */
	uint32_t *nodes;              /* ids, in the order in which they were given */
	uint32_t node_count;
	struct maui_stayer *stayers;
	uint32_t stayer_count;
	int64_t until_s; /* it is asked again then, at the latest */
};

struct maui_refused_preemptions {
	struct maui_refused_preemption *list;
	size_t count, alloc;
	/* `table`: number of slurmctld's node table when refusals were last applied */
	uint64_t serial, table;
};

/* A preemption that Slurm refused, in terms of the snapshot. */
struct maui_refused_victims {
	uint32_t job;          /* the preemptor: idle job */
	const uint32_t *nodes; /* indices */
	uint32_t node_count;
	const bool *is_leaving; /* of each active job: it was to go; NULL: the victims have gone */
};

void maui_refused_preemptions_finish(struct maui_refused_preemptions *refused);

/* Stores a refused preemption. -1: nothing was stored (no memory). */
int maui_refused_preemptions_add(struct maui_refused_preemptions *refused,
				 const struct maui_answers_view *view,
				 const struct maui_refused_victims *victims);

/* Drops the refusals that are over; call it once for each snapshot. */
void maui_refused_preemptions_review(struct maui_refused_preemptions *refused,
				     const struct maui_answers_view *view);

/* Tells each idle job of the snapshot which nodes it spares. */
void maui_refused_preemptions_apply(struct maui_refused_preemptions *refused,
				    const struct maui_answers_view *view);

#endif
