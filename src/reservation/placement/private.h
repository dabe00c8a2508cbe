/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - data and functions shared by the steps of a placement, for the files of this folder
 * only
 *
 * The timeline's lines tell what jobs hold of a node; node_use.c counts what reservations hold. The
 * two are kept apart, because a reservation may overlap jobs but not reservations, or the reverse.
 *
 * Times are seconds, spans half open. Functions that return int return -1 without memory, and take
 * memory from the arena of the placement.
 */
#ifndef MAUI_RESERVATION_PLACEMENT_PRIVATE_H
#define MAUI_RESERVATION_PLACEMENT_PRIVATE_H

#include "policy/alloc/alloc.h"
#include "reservation/placement/placement.h"

#define MAUI_PLACEMENT_NONE UINT32_MAX

enum { MAUI_PLACEMENT_AMOUNTS = 3 }; /* amounts of a task: processors, memory, disk */

/* Nodes that reservations with the same hosts, features and partition may use. */
struct maui_node_set {
	const char *hosts;                 /* HOSTLIST; NULL: any */
	const struct maui_words *features; /* all of them; none: any */
	const char *partition;             /* NULL: any */
	uint64_t *bits;                    /* one bit for each node */
	uint32_t *nodes;                   /* ascending */
	uint32_t count, index;
	bool none_exists; /* `hosts` matches no node, whatever its features and partition */
};

/* The nodes of one reservation. */
struct maui_standing_target {
	const struct maui_node_set *list; /* nodes of HOSTLIST; NULL: no HOSTLIST */
	/* like `list`, without regard to HOSTLIST; `list` itself, if no host of it exists */
	const struct maui_node_set *wide;
	/* node-locked: TASKCOUNT is unset, or needs the whole `list` */
	bool locked;
};

struct maui_standing_targets {
	struct maui_standing_target *list; /* of each reservation */
	uint32_t set_count;
};

static inline bool maui_node_set_has(const struct maui_node_set *set, uint32_t node)
{
	return set->bits[node / 64] >> (node % 64) & 1;
}

/* Whose reservations an exclusive reservation (setres -E) keeps off its nodes. */
enum maui_exclusive {
	MAUI_EXCLUSIVE_NOT,
	MAUI_EXCLUSIVE_USER, /* made by a user: reservations of other users */
	MAUI_EXCLUSIVE_ALL,  /* every other reservation */
};

static inline enum maui_exclusive maui_exclusive_of(const struct maui_rsv *rsv)
{
	if (!maui_rsv_is_exclusive(rsv))
		return MAUI_EXCLUSIVE_NOT;
	return rsv->by_user ? MAUI_EXCLUSIVE_USER : MAUI_EXCLUSIVE_ALL;
}

/* Whether `other` keeps `rsv` off its nodes, even if `rsv` may overlap reservations. */
static inline bool maui_exclusive_keeps_off(const struct maui_rsv *other,
					    const struct maui_rsv *rsv)
{
	return maui_exclusive_of(other) >=
	       (rsv->by_user ? MAUI_EXCLUSIVE_USER : MAUI_EXCLUSIVE_ALL);
}

/* An instance that is being placed. */
struct maui_placement_item {
	struct maui_rsv_instance *instance; /* part of the result; its places are unordered */
	const struct maui_rsv *rsv;
	const struct maui_standing_target *target;
	const struct maui_rsv_instance *before; /* the instance in the last plan; NULL: new */
	int64_t from;                           /* its start, or now */
	int64_t missing;                        /* number of missing tasks */
	uint32_t place_alloc;
	bool whole;   /* it holds whole nodes */
	bool changed; /* its times differ from the last plan */
};

/* Amounts that reservations hold of a node from `at` until the next step. */
struct maui_use_step {
	int64_t at;
	int64_t used[MAUI_PLACEMENT_AMOUNTS];
	uint32_t whole; /* number of reservations that hold the whole node */
	uint16_t exclusive, exclusive_user;
};

struct maui_node_use {
	struct maui_use_step *steps; /* ascending; the first begins at INT64_MIN */
	uint32_t count, alloc;
};

/* A job's share of one node. */
struct maui_placement_piece {
	const struct maui_active *active;
	const struct maui_piece *piece;
};

/* One placement: input, results so far, and the state of each node. */
struct maui_placement {
	struct maui_timeline *t;
	const struct maui_snapshot *s;
	const struct maui_standing_input *input;
	struct maui_arena *arena;
	int64_t now;
	unsigned amounts;   /* how many of MAUI_PLACEMENT_AMOUNTS the snapshot has */
	bool any_silent;    /* some node is silent, see maui_placement_is_silent() */
	bool any_exclusive; /* some reservation is exclusive */

	struct maui_placement_item *items; /* in the order of the result */
	uint32_t item_count;
	uint32_t *first;    /* first item of each reservation; one entry more: item_count */
	uint32_t *order;    /* reservations by PRIORITY */
	uint32_t *partners; /* for each reservation a similar one that begins when it ends; NONE */

	/* for each node: */
	struct maui_node_use *use;
	uint32_t *depth;    /* number of reservations on the node */
	int64_t *idle_from; /* when the node is up and its last job has ended; no job: INT64_MIN */
	/* end of the jobs that are on the node now; MAUI_NEVER if it is down */
	int64_t *busy_until;
	uint64_t *seen;      /* number of the last search that visited the node */
	uint64_t *own_item;  /* equals `item_number` if the current item has a place there */
	uint32_t *own_place; /* index of that place */
	uint64_t item_number,
		search_number; /* numbers of the current item and of the last search */
	/* pieces of jobs, node by node; NULL: not listed yet */
	struct maui_placement_piece *pieces;
	uint32_t *first_piece; /* for each node; one entry more */

	struct maui_snapshot plain; /* `s`, for policy/alloc: without Slurm's task distribution */
	uint32_t *ranked;           /* nodes in the order of choice; NULL: not computed yet */
	uint32_t **ranked_sets;     /* the same for each set; NULL: not computed yet */
	struct maui_candidate *list, *found; /* work space of a search */
};

/* ---- items.c ---- */

/* Makes p->items and p->order, and finds adjoining reservations; *ret: the instances of the
 * items. */
int maui_placement_make_items(struct maui_placement *p, struct maui_rsv_instance **ret);

/* ---- hosts.c ---- */

/* Called before and after lists are matched with the nodes of a snapshot. */
void maui_standing_hosts_begin(struct maui_standing_hosts *hosts, const struct maui_snapshot *s);
void maui_standing_hosts_end(struct maui_standing_hosts *hosts);
/* The nodes that a HOSTLIST matches, ascending; borrowed until the end of a matching in which the
 * list is not asked for. A list that is not valid, or too costly to match, matches no node. -1
 * without memory; the matching must end then. */
int maui_standing_match(struct maui_standing_hosts *hosts, const struct maui_snapshot *s,
			const char *text, const uint32_t **ret, uint32_t *ret_count);

/* ---- node_use.c ---- */

/* Allocates the state of each node; no reservation holds any node yet. */
int maui_placement_init_nodes(struct maui_placement *p);
/* The step in force at `when`. */
const struct maui_use_step *maui_node_use_at(const struct maui_node_use *use, int64_t when);
/* Adds a claim of a Slurm reservation to a node. `used`: its amounts; NULL: the whole node. */
int maui_placement_hold_claim(struct maui_placement *p, uint32_t node, int64_t from, int64_t until,
			      const int64_t *used);

/* Makes this the current item, whose places are found by node. */
void maui_placement_select_item(struct maui_placement *p, struct maui_placement_item *item);
/* Gives the current item more tasks on a node. */
int maui_placement_put_tasks(struct maui_placement *p, struct maui_placement_item *item,
			     uint32_t node, int64_t tasks);
/* Takes all tasks of the current item off a node. */
int maui_placement_drop_tasks(struct maui_placement *p, struct maui_placement_item *item,
			      uint32_t node);
/* Number of tasks of the current item on a node. */
static inline int64_t maui_placement_tasks_on(const struct maui_placement *p,
					      const struct maui_placement_item *item, uint32_t node)
{
	return p->own_item[node] == p->item_number ?
		       item->instance->places[p->own_place[node]].tasks :
		       0;
}

/* ---- capacity.c ---- */

/* Tasks of a reservation that an empty node takes; 0 if they are fewer than TPN. */
int64_t maui_placement_capacity(const struct maui_snapshot *s, const struct maui_rsv *rsv,
				uint32_t node);
/* Tasks that fit into these amounts of a node. */
int64_t maui_placement_tasks_in(const struct maui_snapshot *s, const struct maui_rsv *rsv,
				const struct maui_node *node, const int64_t *amounts);
/* The amounts that so many tasks take of a node: MAUI_PLACEMENT_AMOUNTS numbers. */
void maui_placement_amounts(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			    const struct maui_node *node, int64_t tasks, int64_t *ret);
/* Whether a reservation holds whole nodes. */
bool maui_placement_is_whole(const struct maui_rsv *rsv);

/* ---- remaining.c ---- */

/* Asks how many more tasks of the current item a node takes during [from, until). */
struct maui_placement_ask {
	const struct maui_placement_item *item;
	int64_t from, until;
	bool jobs, rsvs; /* whether amounts of jobs, of other reservations count */
	/* the item is on the node already: RESDEPTH, TPN and the node's state do not count */
	bool kept;
	bool silent; /* ask for silent nodes instead of nodes that are up */
};
/* *ret_end, unless NULL: when reservations (or jobs before that) leave no capacity for a task;
 * MAUI_NEVER: reservations never do, or the node takes no task now. */
int64_t maui_placement_remaining(struct maui_placement *p, const struct maui_placement_ask *ask,
				 uint32_t node, int64_t *ret_end);
/* Tasks that fit without touching what jobs and other reservations hold, those of the current item
 * included. */
int64_t maui_placement_fitting(struct maui_placement *p, const struct maui_placement_ask *ask,
			       uint32_t node);
/* Whether an exclusive reservation keeps the item off a node at any time of [from, until). */
bool maui_placement_is_kept_off(const struct maui_placement *p,
				const struct maui_placement_item *item, uint32_t node, int64_t from,
				int64_t until);
/* Whether the node has neither jobs nor reservations during [from, until). */
bool maui_placement_is_free(struct maui_placement *p, uint32_t node, int64_t from, int64_t until);
/* Sets idle_from and busy_until of a node. */
void maui_placement_find_jobs(struct maui_placement *p, uint32_t node);

static inline bool maui_placement_is_up(const struct maui_placement *p, uint32_t node, int64_t from)
{
	return p->s->nodes[node].usable_from_s <= from;
}
static inline bool maui_placement_is_down(const struct maui_snapshot *s, uint32_t node)
{
	return s->nodes[node].usable_from_s == MAUI_NEVER;
}
/* slurmctld has not heard from the node for a moment (as from all nodes after its start), or cleans
 * up after a job: the node is expected back. */
static inline bool maui_placement_is_silent(const struct maui_placement *p, uint32_t node)
{
	return p->s->nodes[node].usable_from_s > p->now && !maui_placement_is_down(p->s, node);
}

/* ---- search.c ---- */

struct maui_placement_query {
	struct maui_placement_item *item; /* the current item */
	int64_t from, tasks;
	bool jobs, rsvs;  /* as in an ask */
	bool in_use;      /* only nodes that jobs or reservations use then */
	bool silent;      /* take silent nodes if the nodes that are up do not suffice */
	uint32_t without; /* skip this node; NONE */
};
/* Finds nodes for the tasks, or for as many of them as possible, and stores them in p->found with
 * `gives`. Returns the number of tasks placed. */
int64_t maui_placement_find_nodes(struct maui_placement *p, const struct maui_placement_query *q,
				  uint32_t *ret_count);

/* ---- the steps ---- */

/* Whether a reservation may overlap other reservations. */
bool maui_placement_tolerates(const struct maui_rsv *rsv);
/* kept_nodes.c: keeps nodes of the last plan */
int maui_placement_keep_nodes(struct maui_placement *p, struct maui_placement_item *item);
/* exclusive.c: keeps the nodes of all exclusive reservations, before all other steps; takes missing
 * hosts of one */
int maui_placement_keep_exclusive(struct maui_placement *p);
int maui_placement_lock_exclusive(struct maui_placement *p, struct maui_placement_item *item);
/* missing_tasks.c: finds nodes for missing tasks; each attempt says what the tasks must not
 * overlap */
struct maui_placement_attempt {
	bool jobs, rsvs; /* whether amounts of jobs, of other reservations are respected */
};
const struct maui_placement_attempt *maui_placement_attempts(const struct maui_rsv *rsv,
							     unsigned *ret_count);
int maui_placement_fill_missing(struct maui_placement *p, struct maui_placement_item *item);
/* timeflex.c: lets the current item, which misses tasks, begin later if that helps (TIMEFLEX) */
int maui_placement_shift_start(struct maui_placement *p, struct maui_placement_item *item);
/* spaceflex.c: moves tasks to other nodes (SPACEFLEX) */
int maui_placement_move_tasks(struct maui_placement *p, struct maui_placement_item *item);

#endif
