/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - what has to be done about one mirror: pure, sees nothing of Slurm
 *
 * A mirror is ours by its name and the number that Slurm gave it, both kept in the state. What we
 * wrote is kept as well: what differs from that was changed by somebody else.
 */
#ifndef MAUI_SLURM_MIRROR_PLAN_H
#define MAUI_SLURM_MIRROR_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/planning.h"
#include "model/when.h"

enum {
	MAUI_MIRROR_MAX = 1000,
	MAUI_MIRROR_RENEW_S = 335 * 24 * 3600, /* of an endless one's year, at least: a month
						  less */
	MAUI_MIRROR_RETRY_S = 60,              /* after Slurm has refused */
	MAUI_MIRROR_LINGER_S = 60,             /* remembered after it was deleted */
};

struct maui_mirror_want {
	const char *name;       /* maui.<reservation>.<YYYYMMDD> */
	const char *rsv;        /* the SRCFG's, or the administrative reservation's own, for
				  people */
	uint32_t group;         /* the caller's; handed back in results */
	int64_t start_s, end_s; /* MAUI_NEVER: no end */
	const uint32_t *nodes;  /* ids: indices of slurmctld's node table, each once */
	uint32_t count;
	bool administrative; /* what scontrol does to it counts */
};

/* One that we made, as we made it. */
struct maui_mirror_known {
	char *name;
	uint32_t id;
	int64_t start_s, end_s;
	uint64_t nodes; /* hash of Slurm's text of its nodes */
	bool administrative;
	/* Slurm's set of its nodes when `nodes` was last compared, by indices of node table
	 * `table`: while that is the same, the text need not be read. NULL: none. Not kept in the
	 * state. */
	void *copy;
	uint64_t table;
	int64_t retry_s; /* left alone until then; not kept in the state */
	/* When we deleted it; 0: we did not. Slurm saves its reservations seconds later: one that
	 * is there again after a crash is still ours, and deleted again. */
	int64_t deleted_s;
};

/* One that Slurm has. */
struct maui_mirror_seen {
	uint32_t id;
	int64_t start_s, end_s;
	uint64_t nodes;
	bool unread;     /* `nodes` is not known yet: the known one's may be others */
	bool same_nodes; /* as those wanted */
	bool form;       /* flags and who may enter are as we make them */
	bool old_form;   /* as we make them under another slurm.conf, or did before, or with a flag
			  * that somebody's change of its nodes has left */
	bool empty;      /* has no nodes */
};

enum maui_mirror_step {
	MAUI_MIRROR_KEEP, /* nothing */
	MAUI_MIRROR_LOOK, /* its nodes have to be read first */
	MAUI_MIRROR_CREATE,
	MAUI_MIRROR_ADOPT, /* it is what we would make, so we made it, and forgot */
	MAUI_MIRROR_UPDATE,
	MAUI_MIRROR_REMAKE, /* by deleting and creating it: has begun, and shall begin later; or
				 its form was changed (slurmdbd keeps old associations of what is
				 updated) */
	MAUI_MIRROR_DELETE,
	MAUI_MIRROR_FORGET,   /* not wanted, and gone */
	MAUI_MIRROR_OVER,     /* not wanted, and over: Slurm purges it */
	MAUI_MIRROR_NAMESAKE, /* somebody else's: left alone */
	MAUI_MIRROR_GONE,     /* administrative: somebody has deleted it */
	MAUI_MIRROR_CHANGED,  /* administrative: somebody has changed times or nodes */
};

/* Any may be NULL. `first`: the first look of this process: what is missing now need not have been
 * deleted by anybody, slurmctld may have lost its state or may have been without us (detached). */
enum maui_mirror_step maui_mirror_decide(const struct maui_mirror_want *want,
					 const struct maui_mirror_known *known,
					 const struct maui_mirror_seen *seen, int64_t now_s,
					 bool first);

/* slurmctld saves its reservations seconds after slurm-maui saves its state. After a crash it may
 * have an administrative one as it was before the last change: at the first look a difference is
 * nobody's word. `known` becomes what was seen, and is then updated to what is wanted. Whether it
 * differed. `known` may be NULL. */
bool maui_mirror_accept(struct maui_mirror_known *known, const struct maui_mirror_seen *seen);

/* In times or nodes. */
bool maui_mirror_differs(const struct maui_mirror_known *known,
			 const struct maui_mirror_seen *seen);

/* Whether a known one is not as we left it (deleted: seen is NULL). Not the end of an ended one. */
bool maui_mirror_is_tampered(const struct maui_mirror_known *known,
			     const struct maui_mirror_seen *seen, int64_t now_s);

/* The end that Slurm gets: of an endless one a year behind its begin, or now. */
static inline int64_t maui_mirror_end(const struct maui_mirror_want *want, int64_t now_s)
{
	return want->end_s != MAUI_NEVER ?
		       want->end_s :
		       maui_when_add(want->start_s > now_s ? want->start_s : now_s, MAUI_YEAR_S);
}

/* Which are mirrored: what is on, then what begins within `ahead_s`, a year at most, soonest first,
 * no more than MAUI_MIRROR_MAX; what has no nodes or is over is not. `ret` has room for all of them
 * and gets pointers into `wants`. Returns how many; *ret_left: when there are more than that, how
 * many are not among them, with those that begin beyond `ahead_s`. */
size_t maui_mirror_select(const struct maui_mirror_want *wants, size_t count, enum maui_mirror mode,
			  int64_t now_s, int64_t ahead_s, const struct maui_mirror_want **ret,
			  size_t *ret_left);

#endif
