/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirror.h - our reservations as reservations of Slurm's, so that scontrol shows them
 *
 * The policy is ours; a mirror only makes it visible, and keeps everybody else out should we not be
 * there: whole nodes, FLEX, OVERLAP and IGNORE_JOBS, always with an end; users=nobody, or
 * accounts=-root where associations are enforced, so that slurmdbd charges its time to no account
 * (doc/measurements.md, "What mirrors do to accounting"). Who gets in is decided by the plan, and
 * carried out by pass.h.
 *
 * Thread safety: none, the agent's alone. Reservations of Slurm's are guarded by its node lock.
 */
#ifndef MAUI_SLURM_MIRROR_MIRROR_H
#define MAUI_SLURM_MIRROR_MIRROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "slurm/hold.h"
#include "slurm/mirror/list.h"
#include "slurm/mirror/plan.h"

struct maui_mirror_input {
	const struct maui_mirror_want *wants; /* no two of one name */
	size_t count;
	enum maui_mirror mode;
	uint64_t table;            /* the node table that the ids are of (cluster.h) */
	const volatile bool *stop; /* NULL: none */
};

/* What scontrol did to a mirror of an administrative reservation: it counts. The caller changes the
 * reservation accordingly; until then its mirror stays as it is. */
struct maui_mirror_word {
	char *name;
	uint32_t group;
	bool deleted;
	bool moved_start, moved_end, moved_nodes; /* which of these are new */
	int64_t start_s, end_s;
	uint32_t *nodes; /* ids, ascending */
	uint32_t node_count;
};

struct maui_mirror_result {
	struct maui_mirror_word *words;
	size_t word_count, word_alloc;
	uint32_t created, updated, deleted, adopted, put_back, refused;
	bool changed;       /* the list: to be saved at once, a mirror that nobody knows is
			       nobody's */
	bool table_changed; /* nodes are others now: nothing more was done */
	bool no_memory;     /* something was left out */
	int64_t again_s;    /* one ends, or is to be tried again, then; MAUI_NEVER */
	struct maui_hold_times reads, writes;
};

/* Makes Slurm's reservations what is wanted: at most one call a change, none when nothing differs
 * (looked at under READ first). Soonest first, MAUI_MIRROR_MAX at most, of those to come only those
 * that begin within the longest time limit of any partition. Logs what somebody else has changed
 * and is put back, with the SRCFG's name; what is somebody else's, once; what Slurm refuses, once,
 * and tries that again a minute later; and at the first look, what looks like ours and is neither
 * known nor wanted (the state was lost). Call without any lock. `ret` is for
 * maui_mirror_result_finish(). */
void maui_mirror_sync(struct maui_mirrors *mirrors, const struct maui_mirror_input *input,
		      struct maui_mirror_result *ret);
void maui_mirror_result_finish(struct maui_mirror_result *result);

/* A Slurm reservation with our prefix that is not in the list of mirrors. */
struct maui_mirror_unowned {
	const char *name;
	uint32_t id;
	int64_t start_s, end_s;
	bool form; /* flags, users and accounts are as slurm-maui makes them */
};

/* All of them; memory is the arena's. Takes node READ once; call without locks. -1 without
 * memory. */
int maui_mirror_list_unowned(const struct maui_mirrors *mirrors, struct maui_arena *arena,
			     struct maui_hold_times *reads, struct maui_mirror_unowned **ret,
			     size_t *ret_count);

/* Adds it to the list of mirrors as Slurm has it. *ret_nodes are the names of its nodes; memory is
 * the arena's. Takes node READ once. 1: Slurm has it no more; -1 without memory. */
int maui_mirror_adopt(struct maui_mirrors *mirrors, const struct maui_mirror_unowned *one,
		      struct maui_arena *arena, struct maui_hold_times *reads,
		      const char ***ret_nodes, uint32_t *ret_count);

/* Says in the log, once, that this Slurm reservation has our prefix and is not ours. */
void maui_mirror_leave_alone(struct maui_mirrors *mirrors, const char *name, uint32_t id);

/* Whether a record of Slurm's (slurmctld_resv_t) is one of ours. Under node READ. NULL: nothing
 * is. */
bool maui_mirror_is_ours(const struct maui_mirrors *mirrors, const void *resv_ptr);

#endif
