/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape.h - a job's request, worked out for each node class
 *
 * Placing a job asks one question all the time: how many tasks of the job would this node take,
 * with so much free? Jobs with the same request in the same partition share a shape.
 */
#ifndef MAUI_TIMELINE_SHAPE_H
#define MAUI_TIMELINE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/access.h"
#include "model/snapshot.h"

/* What policies of maui.cfg add to every request. */
struct maui_shape_rules {
	/* JOBNODEMATCHPOLICY EXACTNODE: as many nodes as the user named; of a range the least
	 * number that holds the job */
	bool exact_nodes;
	bool exact_procs; /* EXACTPROC: only nodes whose processors the job fills */
	bool whole_nodes; /* NODEACCESSPOLICY SINGLEJOB, SINGLETASK */
	bool one_task;    /* SINGLETASK: one task a node */
	bool sole_user;   /* SINGLEUSER */
};

/* Need on nodes of one class. */
struct maui_need {
	int64_t most;        /* tasks that an empty node takes; 0: the node does not serve */
	const int64_t *want; /* amounts of `most` tasks, when the shape is fixed */
	uint32_t excluded;   /* nodes of the class that the job excludes */
};

struct maui_node_sets;

struct maui_shape {
	const struct maui_snapshot *snapshot;
	const struct maui_request *request;
	uint32_t partition;
	uint32_t cap_amount; /* dimension of the partition's MaxCPUsPerNode; 0: none */
	uint32_t user;       /* 0: no job wants nodes of its own, so the user does not matter */
	/* our reservations that admit the job, set by the caller; NULL: none */
	const struct maui_access_table *access;
	/* nodes that belong together, set by the caller; NULL: maui.cfg makes no sets */
	const struct maui_node_sets *sets;
	bool in_set; /* nodes of one set or none; set by the caller */
	bool sole_user, whole_nodes;
	bool fixed; /* each node takes `least` tasks or none */
	/* take the least number of nodes in nodes_min .. nodes_max that holds the job */
	bool fewest_nodes;
	/* a node takes need.most tasks, which fill it, or none; all nodes of a job take equally
	 * many */
	bool fills_nodes;
	uint32_t nodes_min, nodes_max; /* nodes_max: never 0 */
	int64_t tasks;                 /* >= nodes_min */
	int64_t least;                 /* nodes that take fewer tasks are not used */
	struct maui_need *needs;       /* one for each node class */
	enum maui_reason impossible;   /* NEVER_FITS or NODES_DOWN; NONE: the shape may fit */
};

/* Works out the shape. usable[class]: the number of its nodes that are usable at all. Memory is
 * the arena's; -1 without. */
int maui_shape_make(const struct maui_snapshot *snapshot, uint32_t request, uint32_t partition,
		    uint32_t user, const struct maui_shape_rules *rules, const uint32_t *usable,
		    struct maui_arena *arena, struct maui_shape *ret);

/* The same for a request that no job of the snapshot has. The caller keeps the request as long as
 * the shape. */
int maui_shape_make_of(const struct maui_snapshot *snapshot, const struct maui_request *request,
		       uint32_t partition, uint32_t user, const struct maui_shape_rules *rules,
		       const uint32_t *usable, struct maui_arena *arena, struct maui_shape *ret);

/* The fewest nodes that could hold a job of this shape; 0: none serve. */
int64_t maui_shape_fewest_nodes(const struct maui_shape *shape);
/* Whether the job gets all of an amount of its nodes, more than it asks for. */
bool maui_shape_gets_all(const struct maui_shape *shape, unsigned d);

/* Nodes that a job may get. */
struct maui_shape_supply {
	uint32_t *counts; /* of each node class, without the nodes that the job requires */
	int64_t most;     /* tasks that one of them, or of those, takes */
	struct maui_supply_part {
		int64_t each;
		uint32_t count;
	} * parts; /* working memory, one for each node class */
};
/* Room for the supply; -1 without memory. */
int maui_shape_supply_make(const struct maui_snapshot *s, struct maui_arena *arena,
			   struct maui_shape_supply *ret);
/* All nodes that could serve the job when they are empty. */
void maui_shape_supply_all(const struct maui_shape *shape, struct maui_shape_supply *ret);
/* How many of them hold the job at the least; 0: none serve. */
int64_t maui_shape_supply_fewest(const struct maui_shape *shape,
				 const struct maui_shape_supply *supply);
/* The least of an amount that Slurm adds to what the job asks for, on so many of the nodes together
 * and with those that the job requires: processors and gres of whole nodes, all memory. */
double maui_shape_least(const struct maui_shape *shape, const struct maui_shape_supply *supply,
			int64_t nodes, unsigned d);

/* What Slurm gives for so many tasks on a node of this class, in snapshot->amount_count numbers:
 * all of the node if the job asks for whole nodes, but not where only maui.cfg keeps others from
 * the node. Once the amounts of all nodes are added up, set_job_counts() sets those that the job
 * asked for as a whole (--gpus). */
void maui_shape_given(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
		      int64_t *ret);
void maui_shape_set_job_counts(const struct maui_shape *shape, int64_t *amounts);

/* The most nodes that Slurm can give if it chooses among `count` nodes, at least one; and the most
 * of each amount on so many, once each node that it may choose was added. */
struct maui_shape_most {
	/* the largest of a node with one task, of one with `least` tasks, of a task, of a unit */
	int64_t one, full, a_task, unit;
	int64_t *have; /* the most that a node has of each amount; the caller's, zeros at first */
};
uint32_t maui_shape_most_nodes(const struct maui_shape *shape, uint32_t count);
void maui_shape_most_add(const struct maui_shape *shape, uint32_t node,
			 struct maui_shape_most *most);
void maui_shape_most_given(const struct maui_shape *shape, const struct maui_shape_most *most,
			   uint32_t nodes, int64_t *ret);

/* Tasks that a node of the class takes with so much free: 0, or `least` and more. */
int64_t maui_shape_tasks(const struct maui_shape *shape, uint32_t class_index,
			 const int64_t *free_amounts);

/* What so many tasks take of a node of the class: of one amount, and of all, in
 * snapshot->amount_count numbers. */
int64_t maui_shape_amount(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
			  unsigned d);
void maui_shape_amounts(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
			int64_t *ret);

/* Whether the shape treats equal nodes alike: it requires or excludes no single node. */
static inline bool maui_shape_is_uniform(const struct maui_shape *shape)
{
	const struct maui_request *r = shape->request;

	return r->required_count == 0 && r->excluded_count == 0;
}

/* Whether the request excludes this node. */
bool maui_shape_excludes(const struct maui_shape *shape, uint32_t node);
/* Whether the request requires this node (--nodelist). */
bool maui_shape_requires(const struct maui_shape *shape, uint32_t node);

#endif
