/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unowned.h - reservations of Slurm's that we do not know as ours
 *
 * After the state was lost our own mirrors are among them: they are taken for ours again before
 * they count as somebody else's (context/sched_stray.c).
 *
 * Thread safety: none, the agent's alone.
 */
#ifndef MAUI_SLURM_MIRROR_UNOWNED_H
#define MAUI_SLURM_MIRROR_UNOWNED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "slurm/hold.h"
#include "slurm/mirror/list.h"

struct maui_mirror_stray {
	const char *name;
	uint32_t id;
	int64_t start_s, end_s;
	bool form; /* flags and whom it names are as we make or made them */
	bool sure; /* and it names whom hardly anybody else would: not root */
};

struct maui_mirror_strays {
	struct maui_mirror_stray *list;
	uint32_t count;
	size_t alloc;
};

/* Those whose names are wanted, which is asked under the lock. Takes READ locks, for no longer than
 * a hold may be; call without any. Names are the arena's. -1 without memory. `ret` is for
 * maui_mirror_strays_finish() in any case. */
int maui_mirror_strays_find(const struct maui_mirrors *mirrors,
			    bool (*wanted)(const void *arg, const char *name), const void *arg,
			    struct maui_arena *arena, struct maui_hold_times *reads,
			    struct maui_mirror_strays *ret);
void maui_mirror_strays_finish(struct maui_mirror_strays *strays);

/* The names of all nodes, by their places in the table; NULL: there is none. */
struct maui_mirror_nodes {
	const char **names;
	uint32_t count;
	uint64_t table; /* that they are of (cluster.h) */
};

/* Same locks; memory is the arena's. 1: the table was changed meanwhile. -1 without memory.
 * Then there are no names. */
int maui_mirror_nodes_read(struct maui_arena *arena, struct maui_hold_times *reads,
			   struct maui_mirror_nodes *ret);

/* It is ours from now on, as Slurm has it; its nodes in a list of the arena's, their names those of
 * `nodes`. Same locks; gives way after that. 1: it is gone, or of another node table: it is not
 * ours. -1 without memory: neither. */
int maui_mirror_take(struct maui_mirrors *mirrors, const struct maui_mirror_stray *stray,
		     const struct maui_mirror_nodes *nodes, struct maui_arena *arena,
		     struct maui_hold_times *reads, const char ***ret_nodes, uint32_t *ret_count);

/* To the log, once: somebody's reservation has the name of a mirror of SRCFG[rsv], or of
 * reservation[rsv]. */
void maui_mirror_say_namesake(struct maui_mirrors *mirrors, const char *name, uint32_t id,
			      const char *kind, const char *rsv);

#endif
