/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape.h - a request, worked out for each class of nodes
 *
 * Answers the one question that placing a job asks all the time: how many of its tasks would this
 * node take, given what is free on it? Jobs with the same request in the same partition have the
 * same shape.
 */
#ifndef MAUI_TIMELINE_SHAPE_H
#define MAUI_TIMELINE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/access.h"
#include "model/snapshot.h"

/* What the site's policies add to every request. */
struct maui_shape_rules {
	bool exact_nodes; /* JOBNODEMATCHPOLICY EXACTNODE: the number of nodes that the user named;
			     of a range the least number that holds the job */
	bool exact_procs; /* EXACTPROC: only nodes on which the job fills all processors */
	bool whole_nodes; /* NODEACCESSPOLICY SINGLEJOB, SINGLETASK */
	bool one_task;    /* SINGLETASK: one task a node */
	bool sole_user;   /* SINGLEUSER */
};

/* Of one class. */
struct maui_need {
	int64_t most;        /* tasks that an empty node takes; 0: never serves */
	const int64_t *want; /* what `most` tasks take, when the shape is fixed */
};

struct maui_shape {
	const struct maui_snapshot *snapshot;
	const struct maui_request *request;
	uint32_t partition;
	uint32_t cap_amount; /* the partition's */
	uint32_t user;       /* 0: nobody wants nodes for himself, so it does not matter */
	const struct maui_access_table *access; /* to reservations of ours; the caller's to set,
						   NULL: none */
	bool sole_user, whole_nodes;
	bool fixed;                    /* each node takes `least` tasks or none */
	bool fewest_nodes;             /* of nodes_min .. nodes_max the least number that does */
	bool fills_nodes;              /* a node takes need.most tasks, which fill it, or none, and
					  all nodes of a job take as many */
	uint32_t nodes_min, nodes_max; /* nodes_max: never 0 */
	int64_t tasks;                 /* >= nodes_min */
	int64_t least;                 /* a node that takes fewer is no use */
	struct maui_need *needs;       /* one a class */
	enum maui_reason impossible;   /* NEVER_FITS, NODES_DOWN; NONE: some day it may fit */
};

/* Works it out. usable[class]: how many of its nodes are usable at all. Memory is the arena's;
 * -1 without. */
int maui_shape_make(const struct maui_snapshot *snapshot, uint32_t request, uint32_t partition,
		    uint32_t user, const struct maui_shape_rules *rules, const uint32_t *usable,
		    struct maui_arena *arena, struct maui_shape *ret);

/* Tasks that a node of the class takes with so much free: 0, or `least` and more. */
int64_t maui_shape_tasks(const struct maui_shape *shape, uint32_t class_index,
			 const int64_t *free_amounts);

/* What `tasks` of them take on a node of the class, into snapshot->amount_count numbers. */
void maui_shape_amounts(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
			int64_t *ret);

/* Whether it treats equal nodes alike: none is required, left out or barred. */
static inline bool maui_shape_is_uniform(const struct maui_shape *shape)
{
	const struct maui_request *r = shape->request;

	return r->required_count == 0 && r->excluded_count == 0 && r->refused_count == 0;
}

/* Whether the request leaves this node out. */
bool maui_shape_excludes(const struct maui_shape *shape, uint32_t node);
/* Until when the request is kept off this node by a bar; INT64_MIN: it is not. */
int64_t maui_shape_refused_until(const struct maui_shape *shape, uint32_t node);
/* Whether it names it (--nodelist). */
bool maui_shape_requires(const struct maui_shape *shape, uint32_t node);

#endif
