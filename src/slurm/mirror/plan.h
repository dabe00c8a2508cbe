/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - decides what to do about one mirror: pure, sees nothing of Slurm
 *
 * Goes in: the mirror that is wanted, the mirror as slurm-maui last wrote it, and the Slurm
 * reservation of this name. Comes out: the next step. A Slurm reservation is ours when its name
 * and its number are those in the state. A difference from what slurm-maui wrote is a change that
 * a user of scontrol made.
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
	/* a mirror of an endless instance keeps at least this much of its year */
	MAUI_MIRROR_RENEW_S = 335 * 24 * 3600,
	MAUI_MIRROR_RETRY_S = 60,  /* after Slurm has refused */
	MAUI_MIRROR_LINGER_S = 60, /* a deleted mirror is remembered so long */
};

struct maui_mirror_want {
	const char *name;       /* maui.<reservation>.<YYYYMMDD> */
	const char *rsv;        /* SRCFG or administrative reservation, for log messages */
	uint32_t rsv_index;     /* index in the caller's list; handed back in results */
	int64_t start_s, end_s; /* MAUI_NEVER: no end */
	const uint32_t *nodes;  /* ids: indices of slurmctld's node table, each once */
	uint32_t count;
	bool administrative; /* a change by scontrol changes the reservation */
};

/* A mirror as slurm-maui last wrote it. */
struct maui_mirror_known {
	char *name;
	uint32_t id;
	int64_t start_s, end_s;
	uint64_t nodes; /* hash of Slurm's text of its nodes */
	bool administrative;
	/* Slurm's bitmap of its nodes when `nodes` was last compared, by indices of node table
	 * `table`. While the bitmap is the same, the text need not be read. NULL: none. Not
	 * saved. */
	void *copy;
	uint64_t table;
	int64_t retry_s; /* not tried before then; not saved */
	/* When slurm-maui deleted it; 0: not deleted. slurmctld saves its reservations seconds
	 * later. After a crash a deleted mirror may be back; it is still ours, and is deleted
	 * again. */
	int64_t deleted_s;
};

/* A Slurm reservation. */
struct maui_mirror_seen {
	uint32_t id;
	int64_t start_s, end_s;
	uint64_t nodes;
	bool unread;     /* the nodes were not read yet */
	bool same_nodes; /* its nodes are the wanted ones */
	bool form;       /* flags, users and accounts are as slurm-maui makes them */
	/* as slurm-maui makes them under another slurm.conf, or made them before, or with a flag
	 * that a change of its nodes by scontrol has left */
	bool old_form;
	bool empty; /* has no nodes */
};

enum maui_mirror_step {
	MAUI_MIRROR_KEEP, /* nothing */
	MAUI_MIRROR_LOOK, /* its nodes must be read first */
	MAUI_MIRROR_CREATE,
	/* equal to what slurm-maui would make: slurm-maui made it, and the state was lost */
	MAUI_MIRROR_ADOPT,
	MAUI_MIRROR_UPDATE,
	/* delete and create: its begin is past and must move, or its form was changed (slurmdbd
	 * keeps old associations of an updated reservation) */
	MAUI_MIRROR_REMAKE,
	MAUI_MIRROR_DELETE,
	MAUI_MIRROR_FORGET,   /* not wanted, and gone */
	MAUI_MIRROR_OVER,     /* not wanted, and ended: Slurm purges it */
	MAUI_MIRROR_NAMESAKE, /* not ours: left alone */
	MAUI_MIRROR_GONE,     /* administrative: deleted with scontrol */
	MAUI_MIRROR_CHANGED,  /* administrative: times or nodes changed with scontrol */
};

/* Any of the three may be NULL. `first`: the first look of this process. A missing reservation
 * then need not have been deleted with scontrol: slurmctld may have lost its state, or may have
 * run without slurm-maui (maui detach). */
enum maui_mirror_step maui_mirror_decide(const struct maui_mirror_want *want,
					 const struct maui_mirror_known *known,
					 const struct maui_mirror_seen *seen, int64_t now_s,
					 bool first);

/* Takes a difference at the first look for what it is. slurmctld saves its reservations seconds
 * after slurm-maui saves its state. After a crash slurmctld may have an administrative reservation
 * as it was before the last change, so the difference is not a wish of an administrator. `known`
 * becomes what was seen; the next step updates the mirror. Returns whether there was a difference.
 * `known` may be NULL. */
bool maui_mirror_accept(struct maui_mirror_known *known, const struct maui_mirror_seen *seen);

/* Whether a mirror was changed or deleted (seen: NULL) outside slurm-maui. Slurm purging an ended
 * mirror does not count. */
bool maui_mirror_is_tampered(const struct maui_mirror_known *known,
			     const struct maui_mirror_seen *seen, int64_t now_s);

/* The end that Slurm gets. A mirror of an endless instance ends a year after its begin, or a year
 * from now. */
static inline int64_t maui_mirror_end(const struct maui_mirror_want *want, int64_t now_s)
{
	return want->end_s != MAUI_NEVER ?
		       want->end_s :
		       maui_when_add(want->start_s > now_s ? want->start_s : now_s, MAUI_YEAR_S);
}

/* Chooses the instances to mirror: those in force first, then those that begin within `ahead_s` (a
 * year at most), soonest first, MAUI_MIRROR_MAX at most. Instances without nodes, or already over,
 * get no mirror. `ret` has space for `count` pointers into `wants`. Returns how many were chosen.
 * *ret_left: when there are more than MAUI_MIRROR_MAX, the number of others, those beyond
 * `ahead_s` included. */
size_t maui_mirror_select(const struct maui_mirror_want *wants, size_t count, enum maui_mirror mode,
			  int64_t now_s, int64_t ahead_s, const struct maui_mirror_want **ret,
			  size_t *ret_left);

#endif
