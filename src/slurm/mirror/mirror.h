/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirror.h - the Slurm reservations that show our instances (RSV-17, RSV-18)
 *
 * slurm-maui decides which jobs may use a reservation. A mirror makes the reservation visible in
 * scontrol, and keeps every job out while slurm-maui is not running. It has whole nodes, the flags
 * FLEX, OVERLAP and IGNORE_JOBS, always an end, and users=nobody (since 25.11 by number), or
 * accounts=-root where associations are enforced, so that slurmdbd charges its time to no account.
 *
 * Thread safety: none, the agent alone calls. Slurm's node lock guards Slurm's reservations.
 *
 * Rules: RSV-32.
 */
#ifndef MAUI_SLURM_MIRROR_MIRROR_H
#define MAUI_SLURM_MIRROR_MIRROR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "slurm/hold.h"
#include "slurm/mirror/list.h"
#include "slurm/mirror/plan.h"

struct maui_mirror_input {
	const struct maui_mirror_want *wants; /* names are unique */
	size_t count;
	enum maui_mirror mode;
	uint64_t table;          /* the node table that the ids are of (cluster.h) */
	const atomic_bool *stop; /* NULL: none */
};

/* What scontrol did to the mirror of an administrative reservation. The caller changes the
 * reservation in the same way; until then the mirror stays as it is. */
struct maui_mirror_change {
	char *name;
	uint32_t rsv_index;
	bool deleted;
	bool moved_start, moved_end, moved_nodes; /* which of these are new */
	int64_t start_s, end_s;
	uint32_t *nodes; /* ids, ascending */
	uint32_t node_count;
};

struct maui_mirror_result {
	struct maui_mirror_change *changes;
	size_t change_count, change_alloc;
	uint32_t created, updated, deleted, adopted, put_back, refused;
	bool changed;       /* the list of mirrors: save it at once, or a crash makes a mirror
			       unowned */
	bool table_changed; /* the node table changed: the rest was not done */
	bool no_memory;     /* something was left out */
	int64_t again_s;    /* the next mirror ends, or is tried again, then; MAUI_NEVER */
	struct maui_hold_times reads, writes;
};

/* Creates, updates and deletes mirrors so that Slurm has the wanted ones. Reads Slurm's
 * reservations under READ first and writes only differences. Mirrors that begin first come first,
 * MAUI_MIRROR_MAX at most; a future instance is mirrored when it begins within the longest time
 * limit of any partition. Logs each restored mirror with its SRCFG, and each foreign reservation
 * and each refusal by Slurm once; a refused change is tried again a minute later. Call without
 * any lock. `ret` is for maui_mirror_result_finish(). */
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

/* Lists all unowned mirrors; memory is the arena's. Takes node READ once; call without locks. -1
 * without memory. */
int maui_mirror_list_unowned(const struct maui_mirrors *mirrors, struct maui_arena *arena,
			     struct maui_hold_times *reads, struct maui_mirror_unowned **ret,
			     size_t *ret_count);

/* Adds it to the list of mirrors as Slurm has it. *ret_nodes are the names of its nodes; memory is
 * the arena's. Takes node READ once. 1: Slurm no longer has it; -1 without memory. */
int maui_mirror_adopt(struct maui_mirrors *mirrors, const struct maui_mirror_unowned *one,
		      struct maui_arena *arena, struct maui_hold_times *reads,
		      const char ***ret_nodes, uint32_t *ret_count);

/* Says in the log, once, that this Slurm reservation has our prefix and is not ours. */
void maui_mirror_leave_alone(struct maui_mirrors *mirrors, const char *name, uint32_t id);

#endif
