/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - what the parts of placing reservations share, for policy/standing*.c only
 *
 * standing.c         targets: which nodes each reservation may use
 * standing_windows.c when
 * standing_hosts.c   which nodes a HOSTLIST means
 * standing_place.c   the steps of placing, in their order
 * standing_works.c   the instances to be placed
 * standing_ledger.c  what reservations hold of each node, over time
 * standing_room.c    how many tasks a node has room for
 * standing_keep.c    what stays of the last plan; node-locked ones
 * standing_sole.c    setres -E: alone on its nodes
 * standing_fill.c    what is missing: where it may be looked for, when it may begin
 * standing_search.c  nodes for some tasks, in the order of choice
 * standing_ending.c  that of LASTAVAILABLE
 * standing_rank.c    those in which all nodes stand
 * standing_vain.c    searches that found too little
 * standing_flex.c    SPACEFLEX
 * standing_holders.c who holds what is missing
 *
 * What jobs hold is read from the timeline's lines, what reservations hold from the ledger: the two
 * are asked for separately, since a reservation may go over the one and not over the other.
 */
#ifndef MAUI_RESERVATION_PLACEMENT_PRIVATE_H
#define MAUI_RESERVATION_PLACEMENT_PRIVATE_H

#include "policy/alloc/alloc.h"
#include "reservation/standing.h"

#define MAUI_STANDING_NONE UINT32_MAX

enum { MAUI_STANDING_AMOUNTS = 3 }; /* what a task is made of: processors, memory, disk */

/* Nodes that reservations may use. One for all that say the same. */
struct maui_standing_set {
	const char *hosts;                 /* HOSTLIST; NULL: any */
	const struct maui_words *features; /* all of them; none: any */
	const char *partition;             /* NULL: any */
	uint64_t *bits;                    /* one a node */
	uint32_t *nodes;                   /* ascending */
	uint32_t count, index;
	struct maui_standing_set *next; /* of equal hash */
};

struct maui_standing_target {
	const struct maui_standing_set *list; /* its hosts; NULL: no HOSTLIST */
	const struct maui_standing_set *wide; /* as `list`, whatever the host */
	bool locked;                          /* all of `list` is wanted, or more */
};

struct maui_standing_targets {
	struct maui_standing_target *list; /* of each reservation */
	uint32_t set_count;
};

static inline bool maui_standing_contains(const struct maui_standing_set *set, uint32_t node)
{
	return set->bits[node / 64] >> (node % 64) & 1;
}

/* Who has a node alone (setres -E), by whom he keeps off. */
enum maui_standing_sole {
	MAUI_STANDING_NOT_SOLE,
	MAUI_STANDING_SOLE_USER, /* made by a user: other users' */
	MAUI_STANDING_SOLE,      /* everybody */
};

static inline enum maui_standing_sole maui_standing_sole_of(const struct maui_rsv *rsv)
{
	if (!maui_rsv_is_exclusive(rsv))
		return MAUI_STANDING_NOT_SOLE;
	return rsv->by_user ? MAUI_STANDING_SOLE_USER : MAUI_STANDING_SOLE;
}

/* Whether `other` keeps `rsv` off, whatever that tolerates. */
static inline bool maui_standing_keeps_off(const struct maui_rsv *other, const struct maui_rsv *rsv)
{
	return maui_standing_sole_of(other) >=
	       (rsv->by_user ? MAUI_STANDING_SOLE_USER : MAUI_STANDING_SOLE);
}

/* An amount of a node that is held for a time. */
struct maui_standing_hold {
	int64_t from, until;
	int64_t used[MAUI_STANDING_AMOUNTS];
	bool whole; /* the whole node; `used` is nothing */
	enum maui_standing_sole sole;
};

/* From `at` on so much is held, until the next step. */
struct maui_standing_step {
	int64_t at;
	int64_t used[MAUI_STANDING_AMOUNTS];
	uint32_t whole;           /* so many have the whole node */
	uint16_t sole, sole_user; /* and so many have it alone */
};

/* What is held of a node. Nodes of one class that are held alike share one: what holds for one of
 * them then needs to be found out only once. */
struct maui_standing_profile {
	struct maui_standing_step *steps; /* the first begins before all time */
	uint32_t count, alloc;
	uint32_t users; /* nodes that have it */
	uint32_t class_index;
	uint64_t asked; /* the last question, and its answer when no job is on the node; none is
			   asked of a node to which something was put since it was begun */
	int64_t tasks, until_s;
	int64_t more_s; /* the first moment after that question's time at which more is held than at
			   its end; not after until_s */
	struct maui_standing_hold
		added; /* the last hold that was put to it, and what became of it */
	struct maui_standing_profile *then, *from; /* and back; NULL: none, or it is no more */
	struct maui_standing_profile *next;        /* nobody's */
};

/* An instance being placed. */
struct maui_standing_work {
	struct maui_rsv_instance *instance; /* of the result: places in no order until the end */
	const struct maui_rsv *rsv;
	const struct maui_standing_target *target;
	const struct maui_rsv_instance *before; /* of the last plan; NULL: it is new */
	int64_t from;                           /* its start, or now */
	int64_t left;                           /* tasks that are missing */
	uint32_t place_alloc; /* 0: the places are another's, too, or there are none */
	uint32_t fits_class;  /* 1 + the class of nodes asked about last; 0: none */
	int64_t fits;         /* tasks that one takes as it is configured */
	bool whole;           /* keeps whole nodes */
	bool changed;         /* its times are not those of the last plan */
};

/* How much may be held of a node that is to have room for a task of a work. */
struct maui_standing_limits {
	uint64_t turn;        /* of that question, */
	uint32_t class_index; /* on nodes of that class */
	int64_t most[MAUI_STANDING_AMOUNTS];
	bool rsvs, by_user;
};

/* What a job has of one node. */
struct maui_standing_piece {
	const struct maui_active *active;
	const struct maui_piece *piece;
};

struct maui_standing_placer {
	struct maui_timeline *t;
	const struct maui_snapshot *s;
	const struct maui_standing_input *input;
	struct maui_arena *arena;
	int64_t now;
	unsigned amounts;    /* of MAUI_STANDING_AMOUNTS that the snapshot has */
	bool any_silent;     /* some node is, see maui_standing_is_silent() */
	bool any_sole;       /* some reservation is to be alone on its nodes */
	uint32_t vain_nodes; /* lists of no more nodes are searched quickly enough */
	uint32_t long_steps; /* profiles of so many steps are long, see standing_ledger.c */

	struct maui_standing_work *works; /* in the order of the result */
	uint32_t work_count;
	uint32_t *first;    /* work of each reservation; one more: work_count */
	uint32_t *order;    /* reservations by PRIORITY */
	uint32_t *partners; /* of each reservation: one alike that it adjoins; NONE */

	struct maui_standing_profile **profiles; /* of each node */
	struct maui_standing_profile *spare;     /* nobody's: to be used again */
	uint32_t *depth;                         /* reservations on each node */
	uint32_t *touched;                       /* nodes of which something is or was held */
	uint32_t touched_count;
	bool *is_touched;
	int64_t *idle_from;  /* of each node: when it is up and the last job is gone; none:
			       INT64_MIN */
	int64_t *busy_until; /* of each node: a job is on it from now till then, or it is down */
	bool *only_end;      /* of each node: from now on jobs there give back, and take nothing */
	bool *jobs_known;    /* of each node: these are set */
	struct maui_standing_piece *pieces; /* node by node; NULL: not known */
	uint32_t *first_piece;              /* of each node; one more */

	struct maui_standing_profile *held_from, *held_to; /* the last hold made of one the
							      other: */
	uint64_t held_open; /* for this work, whose times do not change between two of them, */
	int64_t held_tasks; /* so many tasks */

	uint64_t turn;                      /* number of the last question or walk */
	struct maui_standing_limits limits; /* the last that were worked out */
	uint64_t
		*own_turn; /* of each node: equals `open` when the work at hand has a place there */
	uint32_t *own;     /* its index */
	uint64_t open;
	uint64_t *seen; /* of each node: the search that has dealt with it */

	struct maui_snapshot plain; /* `s`, for policy/alloc: its tasks are not shared out */
	uint32_t *ranked, *rank;    /* nodes in the order of choice, and back; NULL: not known */
	uint32_t **ranked_sets;     /* of each set, nodes in that order; NULL: not known */
	struct maui_candidate *list, *found; /* lists of a search */
	struct maui_standing_question *vain; /* searches that found too little */
	size_t vain_count, vain_alloc;
};

/* ---- standing_works.c ---- */

/* Finds the instances to be placed, *ret and p->works, and which of them act as one; in which order
 * reservations come. -1 without memory. */
int maui_standing_works(struct maui_standing_placer *p, struct maui_rsv_instance **ret);

/* ---- standing_windows.c ---- */

/* One before it, if it is not too far from it, that has the same times; itself. */
uint32_t maui_standing_like(const struct maui_rsv *const *list, uint32_t index);

/* maui_standing_windows() of one of the input's list, in the plan's time. */
int maui_standing_input_windows(const struct maui_standing_input *input, uint32_t rsv,
				int64_t now_s, struct maui_arena *arena,
				struct maui_rsv_instance **ret, uint32_t *ret_count);

/* ---- standing_hosts.c ---- */

/* Before lists are matched with a snapshot's nodes, and after. -1 without memory. */
int maui_standing_hosts_begin(struct maui_standing_hosts *hosts, const struct maui_snapshot *s);
void maui_standing_hosts_end(struct maui_standing_hosts *hosts);
/* Nodes that a HOSTLIST means, ascending; theirs is the memory. One that cannot be read, or is too
 * costly, means none. -1 without memory. */
int maui_standing_match(struct maui_standing_hosts *hosts, const struct maui_snapshot *s,
			const char *text, const uint32_t **ret, uint32_t *ret_count);

/* ---- standing_ledger.c ---- */

/* Lays out an empty ledger. -1 without memory, like all below that may need it. */
int maui_standing_ledger(struct maui_standing_placer *p);
/* The step in force at `when`. */
const struct maui_standing_step *maui_standing_step(const struct maui_standing_profile *profile,
						    int64_t when);
/* Holds (sign 1) or gives back (-1). */
int maui_standing_hold(struct maui_standing_placer *p, uint32_t node,
		       const struct maui_standing_hold *hold, int sign);

/* The work at hand, whose places are known by node, and are its own. */
int maui_standing_open(struct maui_standing_placer *p, struct maui_standing_work *w);
/* Makes room for so many more places of it. */
int maui_standing_reserve(struct maui_standing_placer *p, struct maui_standing_work *w,
			  uint32_t more);
/* Gives it tasks on a node, more than it has. */
int maui_standing_put(struct maui_standing_placer *p, struct maui_standing_work *w, uint32_t node,
		      int64_t tasks);
/* Gives works of one reservation, which have no places, the same ones, each on another node. The
 * list, the arena's, is theirs together until one of them is opened. */
int maui_standing_put_all(struct maui_standing_placer *p, struct maui_standing_work *works,
			  uint32_t count, struct maui_rsv_place *places, uint32_t place_count);
/* Takes away all that it has there. */
int maui_standing_drop(struct maui_standing_placer *p, struct maui_standing_work *w, uint32_t node);
/* Its tasks on a node. */
static inline int64_t maui_standing_has(const struct maui_standing_placer *p,
					const struct maui_standing_work *w, uint32_t node)
{
	return p->own_turn[node] == p->open ? w->instance->places[p->own[node]].tasks : 0;
}

/* ---- standing_room.c ---- */

/* Tasks of a reservation that a node takes as it is configured; 0 also for fewer than TPN. */
int64_t maui_standing_capacity(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			       uint32_t node);
/* The same for a work's. */
static inline int64_t maui_standing_fits(const struct maui_standing_placer *p,
					 struct maui_standing_work *w, uint32_t node)
{
	uint32_t class_index = p->s->nodes[node].class_index;

	if (w->fits_class != class_index + 1) {
		w->fits_class = class_index + 1;
		w->fits = maui_standing_capacity(p->s, w->rsv, node);
	}
	return w->fits;
}
/* Tasks in so much, on a node like this. */
int64_t maui_standing_tasks_in(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			       const struct maui_node *node, const int64_t *amounts);
/* What so many tasks take of a node. */
void maui_standing_amounts(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			   const struct maui_node *node, int64_t tasks, int64_t *ret);
bool maui_standing_is_whole(const struct maui_rsv *rsv);

/* Room for a work's tasks during [from, until). */
struct maui_standing_ask {
	const struct maui_standing_work *work;
	int64_t from, until;
	bool jobs, rsvs; /* what is there counts */
	bool kept;       /* it is there already: RESDEPTH and TPN have been met */
	bool want_until; /* until_s is wanted: when the room ends */
	bool ending;     /* room that no reservation brings to an end is not wanted */
	bool silent;     /* of nodes that are not up yet, instead of those that are */
	uint64_t turn;
};
/* Makes it a new question. */
void maui_standing_begin(struct maui_standing_placer *p, struct maui_standing_ask *ask);
/* Finds out what jobs do on a node, and the answer of its profile. */
void maui_standing_find_out(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			    uint32_t node);
static inline void maui_standing_know(struct maui_standing_placer *p,
				      const struct maui_standing_ask *ask, uint32_t node)
{
	if (!p->jobs_known[node] || p->profiles[node]->asked != ask->turn)
		maui_standing_find_out(p, ask, node);
}
/* Tasks besides those that the work has there, which must be the one at hand. */
int64_t maui_standing_room(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			   uint32_t node, int64_t *ret_until);
/* The same of a search, where little has to be looked at; -1 elsewhere. */
static inline int64_t maui_standing_known_room(const struct maui_standing_placer *p,
					       const struct maui_standing_ask *ask, uint32_t node,
					       int64_t *ret_until)
{
	const struct maui_standing_profile *profile = p->profiles[node];

	if (ask->silent || !p->jobs_known[node] || p->own_turn[node] == p->open)
		return -1;
	if (p->idle_from[node] > ask->from) /* somebody is there till then, or it is down */
		return ask->jobs && ask->work->whole &&
				       (p->idle_from[node] <= ask->until ||
					p->busy_until[node] > ask->from) ?
			       0 :
			       -1;
	if (profile->asked != ask->turn || p->input->res_depth > 0)
		return -1;
	*ret_until = profile->until_s;
	return profile->tasks >= ask->work->rsv->tasks_per_node ? profile->tasks : 0;
}
/* Tasks that fit with what others have there, those that the work has included. */
int64_t maui_standing_beside(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			     uint32_t node);
/* Whether a node is somebody's alone at any time of [from, until), who keeps the work off. */
bool maui_standing_is_sole(struct maui_standing_placer *p, const struct maui_standing_work *w,
			   uint32_t node, int64_t from, int64_t until);
/* Whether nothing at all is on a node during [from, until). */
bool maui_standing_is_free(struct maui_standing_placer *p, uint32_t node, int64_t from,
			   int64_t until);
static inline bool maui_standing_is_up(const struct maui_standing_placer *p, uint32_t node,
				       int64_t from)
{
	return p->s->nodes[node].usable_from_s <= from;
}
static inline bool maui_standing_is_down(const struct maui_snapshot *s, uint32_t node)
{
	return s->nodes[node].usable_from_s == MAUI_NEVER;
}
/* Nothing is heard of it for a moment, as of all after a start of slurmctld, or it is cleaned up
 * after a job: it is expected back. */
static inline bool maui_standing_is_silent(const struct maui_standing_placer *p, uint32_t node)
{
	return p->s->nodes[node].usable_from_s > p->now && !maui_standing_is_down(p->s, node);
}

/* ---- standing_rank.c ---- */

/* maui_alloc_choose() among the first of p->list, as if each were asked for tasks alone. */
bool maui_standing_choose(struct maui_standing_placer *p, int policy, size_t count, int64_t tasks,
			  uint32_t *ret_count);
/* Nodes of the set in the order of choice: that of FIRSTAVAILABLE, where it depends on who else is
 * chosen. NULL without memory. Uses p->list. */
const uint32_t *maui_standing_ranked(struct maui_standing_placer *p,
				     const struct maui_standing_set *set);

/* ---- standing_vain.c ---- */

/* What a search looks for. */
struct maui_standing_question {
	const struct maui_standing_set *set;
	struct maui_rsv_task task;
	int64_t from, until;
	bool jobs, rsvs, whole, alone, by_user;
	int64_t most; /* of one in vain: tasks that there are at most */
};
/* How many tasks there are at most, going by one that looked for the same and found too little;
 * MAUI_NEVER: there was none. */
int64_t maui_standing_vain(const struct maui_standing_placer *p,
			   const struct maui_standing_question *q);
/* What was found is put, `most` 0, or it was only looked for. Holds until p->vain_count becomes 0,
 * as it has to when something is given back. */
int maui_standing_note_vain(struct maui_standing_placer *p, const struct maui_standing_question *q);

/* ---- standing_search.c ---- */

struct maui_standing_query {
	struct maui_standing_work *work; /* the one at hand */
	int64_t from, tasks;
	bool jobs, rsvs;  /* as in an ask */
	bool in_use;      /* only nodes of which something is taken then */
	bool silent;      /* when those that are up do not suffice, silent nodes, too */
	bool looks;       /* only whether there are so many is of interest: nothing is put there */
	uint32_t without; /* not this node; NONE */
};
/* Nodes for so many tasks, or for as many as there are, into p->found with `gives`. Tasks found;
 * -1 without memory. */
int64_t maui_standing_find(struct maui_standing_placer *p, const struct maui_standing_query *q,
			   uint32_t *ret_count);

/* ---- the steps ---- */

/* Whether it may be laid over other reservations. */
bool maui_standing_tolerates(const struct maui_rsv *rsv);
/* For all works of one reservation, in the order of time: those whose times have, or have not,
 * changed; node-locked ones. */
int maui_standing_keep(struct maui_standing_placer *p, struct maui_standing_work *works,
		       uint32_t count, bool changed);
int maui_standing_lock(struct maui_standing_placer *p, struct maui_standing_work *works,
		       uint32_t count);
/* Those of setres -E: what they have, before all others; hosts that they have not. */
int maui_standing_keep_sole(struct maui_standing_placer *p);
int maui_standing_lock_sole(struct maui_standing_placer *p, struct maui_standing_work *w);
/* For one. */
int maui_standing_fill(struct maui_standing_placer *p, struct maui_standing_work *w);
int maui_standing_flex(struct maui_standing_placer *p, struct maui_standing_work *w);

#endif
