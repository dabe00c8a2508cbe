/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - what the steps of a placement share, for the files of this folder only
 *
 * What jobs hold of a node is read from the timeline's lines; what reservations hold is counted in
 * node_use.c. They are asked for separately, since a reservation may lie over the one and not over
 * the other.
 *
 * Times are seconds, spans half open. Functions that return int return -1 without memory, and take
 * memory from the arena of the placement.
 */
#ifndef MAUI_RESERVATION_PLACEMENT_PRIVATE_H
#define MAUI_RESERVATION_PLACEMENT_PRIVATE_H

#include "policy/alloc/alloc.h"
#include "reservation/placement/placement.h"

#define MAUI_PLACEMENT_NONE UINT32_MAX

enum { MAUI_PLACEMENT_AMOUNTS = 3 }; /* what a task is made of: processors, memory, disk */

/* Nodes that reservations with the same hosts, features and partition may use. */
struct maui_node_set {
	const char *hosts;                 /* HOSTLIST; NULL: any */
	const struct maui_words *features; /* all of them; none: any */
	const char *partition;             /* NULL: any */
	uint64_t *bits;                    /* one a node */
	uint32_t *nodes;                   /* ascending */
	uint32_t count, index;
};

/* The nodes of one reservation. */
struct maui_standing_target {
	const struct maui_node_set *list; /* its hosts; NULL: no HOSTLIST */
	const struct maui_node_set *wide; /* as `list`, whatever the host */
	bool locked;                      /* node-locked: all of `list` is wanted, or more */
};

struct maui_standing_targets {
	struct maui_standing_target *list; /* of each reservation */
	uint32_t set_count;
};

static inline bool maui_node_set_has(const struct maui_node_set *set, uint32_t node)
{
	return set->bits[node / 64] >> (node % 64) & 1;
}

/* Whom an exclusive reservation (setres -E) keeps off its nodes. */
enum maui_exclusive {
	MAUI_EXCLUSIVE_NOT,
	MAUI_EXCLUSIVE_USER, /* a user made it: reservations of other users */
	MAUI_EXCLUSIVE_ALL,  /* every other reservation */
};

static inline enum maui_exclusive maui_exclusive_of(const struct maui_rsv *rsv)
{
	if (!maui_rsv_is_exclusive(rsv))
		return MAUI_EXCLUSIVE_NOT;
	return rsv->by_user ? MAUI_EXCLUSIVE_USER : MAUI_EXCLUSIVE_ALL;
}

/* Whether `other` keeps `rsv` off its nodes, whatever `rsv` tolerates. */
static inline bool maui_exclusive_keeps_off(const struct maui_rsv *other,
					    const struct maui_rsv *rsv)
{
	return maui_exclusive_of(other) >=
	       (rsv->by_user ? MAUI_EXCLUSIVE_USER : MAUI_EXCLUSIVE_ALL);
}

/* An instance that is being placed. */
struct maui_placement_item {
	struct maui_rsv_instance *instance; /* of the result; its places are in no order */
	const struct maui_rsv *rsv;
	const struct maui_standing_target *target;
	const struct maui_rsv_instance *before; /* of the last plan; NULL: it is new */
	int64_t from;                           /* its start, or now */
	int64_t left;                           /* tasks that are missing */
	uint32_t place_alloc;
	bool whole;   /* it holds whole nodes */
	bool changed; /* its times are not those of the last plan */
};

/* What reservations hold of a node from `at` on, until the next step. */
struct maui_use_step {
	int64_t at;
	int64_t used[MAUI_PLACEMENT_AMOUNTS];
	uint32_t whole; /* so many reservations hold the whole node */
	uint16_t exclusive, exclusive_user;
};

struct maui_node_use {
	struct maui_use_step *steps; /* ascending; the first begins before all time */
	uint32_t count, alloc;
};

/* What a job has of one node. */
struct maui_placement_piece {
	const struct maui_active *active;
	const struct maui_piece *piece;
};

/* One placement: input, results so far, and what is known of each node. */
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
	uint32_t *first;    /* item of each reservation; one more: item_count */
	uint32_t *order;    /* reservations by PRIORITY */
	uint32_t *partners; /* of each reservation: one alike that it adjoins; NONE */

	/* of each node */
	struct maui_node_use *use;
	uint32_t *depth;     /* reservations on it */
	int64_t *idle_from;  /* when it is up and the last job is gone; no job: INT64_MIN */
	int64_t *busy_until; /* a job is on it from now till then, or it is down */
	uint64_t *seen;      /* the search that has dealt with it */
	uint64_t *own_turn;  /* equals `open` when the item at hand has a place there ... */
	uint32_t *own;       /* ... of this index */
	uint64_t open, turn; /* numbers of the item at hand and of the last search */
	struct maui_placement_piece *pieces; /* of jobs, node by node; NULL: not listed yet */
	uint32_t *first_piece;               /* of each node; one more */

	struct maui_snapshot plain; /* `s`, for policy/alloc: Slurm does not share out its tasks */
	uint32_t *ranked;           /* nodes in the order of choice; NULL: not known */
	uint32_t **ranked_sets;     /* of each set, nodes in that order; NULL: not known */
	struct maui_candidate *list, *found; /* lists of a search */
};

/* ---- items.c ---- */

/* Makes p->items, their order and which of them adjoin; *ret: their instances, the result. */
int maui_placement_items(struct maui_placement *p, struct maui_rsv_instance **ret);

/* ---- hosts.c ---- */

/* Before lists are matched with the nodes of a snapshot, and after. */
void maui_standing_hosts_begin(struct maui_standing_hosts *hosts, const struct maui_snapshot *s);
void maui_standing_hosts_end(struct maui_standing_hosts *hosts);
/* The nodes that a HOSTLIST means, ascending; borrowed. A list that cannot be read, or takes too
 * long to match, means none. */
int maui_standing_match(struct maui_standing_hosts *hosts, const struct maui_snapshot *s,
			const char *text, const uint32_t **ret, uint32_t *ret_count);

/* ---- node_use.c ---- */

/* Makes what is known of each node; nothing is held yet. */
int maui_placement_nodes(struct maui_placement *p);
/* The step in force at `when`. */
const struct maui_use_step *maui_node_use_at(const struct maui_node_use *use, int64_t when);
/* Counts a claim of Slurm's on a node. `used`: its amounts; NULL: the whole node. */
int maui_placement_hold_claim(struct maui_placement *p, uint32_t node, int64_t from, int64_t until,
			      const int64_t *used);

/* Makes it the item at hand: its places are known by node. */
void maui_placement_open(struct maui_placement *p, struct maui_placement_item *item);
/* Gives the item at hand tasks on a node, besides those that it has there. */
int maui_placement_put(struct maui_placement *p, struct maui_placement_item *item, uint32_t node,
		       int64_t tasks);
/* Takes away all tasks that the item at hand has on a node. */
int maui_placement_drop(struct maui_placement *p, struct maui_placement_item *item, uint32_t node);
/* The tasks that the item at hand has on a node. */
static inline int64_t maui_placement_has(const struct maui_placement *p,
					 const struct maui_placement_item *item, uint32_t node)
{
	return p->own_turn[node] == p->open ? item->instance->places[p->own[node]].tasks : 0;
}

/* ---- capacity.c ---- */

/* Tasks of a reservation that an empty node takes; 0 also for fewer than TPN. */
int64_t maui_placement_capacity(const struct maui_snapshot *s, const struct maui_rsv *rsv,
				uint32_t node);
/* Tasks that fit into these amounts of a node. */
int64_t maui_placement_tasks_in(const struct maui_snapshot *s, const struct maui_rsv *rsv,
				const struct maui_node *node, const int64_t *amounts);
/* What so many tasks take of a node: MAUI_PLACEMENT_AMOUNTS numbers. */
void maui_placement_amounts(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			    const struct maui_node *node, int64_t tasks, int64_t *ret);
/* Whether a reservation holds whole nodes. */
bool maui_placement_is_whole(const struct maui_rsv *rsv);

/* ---- remaining.c ---- */

/* Asks how many more tasks of the item at hand a node takes during [from, until). */
struct maui_placement_ask {
	const struct maui_placement_item *item;
	int64_t from, until;
	bool jobs, rsvs; /* what jobs, what other reservations hold counts */
	bool kept;       /* the item is there already: RESDEPTH, TPN and the node's state do not
			    count */
	bool silent;     /* of silent nodes, instead of those that are up */
};
/* *ret_end, unless it is NULL: when the node takes no task any more because of reservations (or of
 * jobs before that); MAUI_NEVER: reservations do not end it, or it takes none now. */
int64_t maui_placement_remaining(struct maui_placement *p, const struct maui_placement_ask *ask,
				 uint32_t node, int64_t *ret_end);
/* Tasks that fit beside what others hold, those of the item at hand included. */
int64_t maui_placement_beside(struct maui_placement *p, const struct maui_placement_ask *ask,
			      uint32_t node);
/* Whether an exclusive reservation keeps the item off a node at any time of [from, until). */
bool maui_placement_is_kept_off(const struct maui_placement *p,
				const struct maui_placement_item *item, uint32_t node, int64_t from,
				int64_t until);
/* Whether neither jobs nor reservations hold anything of a node during [from, until). */
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
/* slurmctld has not heard from the node for a moment, as from all nodes after its start, or cleans
 * up after a job: the node is expected back. */
static inline bool maui_placement_is_silent(const struct maui_placement *p, uint32_t node)
{
	return p->s->nodes[node].usable_from_s > p->now && !maui_placement_is_down(p->s, node);
}

/* ---- node_order.c ---- */

/* maui_alloc_choose() among the first of p->list, each taken for itself. */
bool maui_placement_choose(struct maui_placement *p, int policy, size_t count, int64_t tasks,
			   uint32_t *ret_count);
/* The nodes of the set in the order of choice; where that depends on which others are chosen, that
 * of FIRSTAVAILABLE. NULL without memory. Uses p->list. */
const uint32_t *maui_placement_ranked(struct maui_placement *p, const struct maui_node_set *set);

/* ---- search.c ---- */

struct maui_placement_query {
	struct maui_placement_item *item; /* the one at hand */
	int64_t from, tasks;
	bool jobs, rsvs;  /* as in an ask */
	bool in_use;      /* only nodes of which something is taken then */
	bool silent;      /* when the nodes that are up do not suffice, silent ones, too */
	uint32_t without; /* not this node; NONE */
};
/* Nodes for so many tasks, or for as many as there are, into p->found with `gives`. Returns the
 * tasks found. */
int64_t maui_placement_find(struct maui_placement *p, const struct maui_placement_query *q,
			    uint32_t *ret_count);

/* ---- the steps ---- */

/* Whether a reservation may lie over other reservations. */
bool maui_placement_tolerates(const struct maui_rsv *rsv);
/* kept_nodes.c: nodes of the last plan */
int maui_placement_keep(struct maui_placement *p, struct maui_placement_item *item);
/* locked_nodes.c: the hosts of a node-locked reservation */
int maui_placement_lock(struct maui_placement *p, struct maui_placement_item *item);
/* exclusive.c: what all exclusive ones keep, before all others; hosts that one of them misses */
int maui_placement_keep_exclusive(struct maui_placement *p);
int maui_placement_lock_exclusive(struct maui_placement *p, struct maui_placement_item *item);
/* missing_tasks.c: nodes for missing tasks; over what they may be laid, attempt by attempt */
struct maui_placement_attempt {
	bool jobs, rsvs; /* what jobs, what other reservations hold is respected */
};
const struct maui_placement_attempt *maui_placement_attempts(const struct maui_rsv *rsv,
							     unsigned *ret_count);
int maui_placement_fill(struct maui_placement *p, struct maui_placement_item *item);
/* timeflex.c: lets the item at hand, which misses tasks, begin later if that helps (TIMEFLEX) */
int maui_placement_shift(struct maui_placement *p, struct maui_placement_item *item);
/* spaceflex.c: SPACEFLEX */
int maui_placement_flex(struct maui_placement *p, struct maui_placement_item *item);

#endif
