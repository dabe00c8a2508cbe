/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirror_stray.h - reservations of Slurm's that we do not know as ours
 *
 * After the state was lost our own mirrors are among them: they are taken for ours again before
 * they count as somebody else's (context/sched_stray.c).
 *
 * Thread safety: none, the agent's alone.
 */
#ifndef MAUI_SLURM_MIRROR_STRAY_H
#define MAUI_SLURM_MIRROR_STRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "slurm/hold.h"
#include "slurm/mirror_list.h"

struct maui_mirror_stray {
	const char *name;
	uint32_t id;
	int64_t start_s, end_s;
	bool form; /* flags and whom it names are as we make or made them */
	bool sure; /* and it names whom hardly anybody else would: not root */
};

/* Those that there are. Takes READ locks; call without any. Memory is the arena's; -1 without. */
int maui_mirror_strays(const struct maui_mirrors *mirrors, struct maui_arena *arena,
		       struct maui_hold_times *reads, struct maui_mirror_stray **ret,
		       uint32_t *ret_count);

/* It is ours from now on, as Slurm has it; the names of its nodes, the arena's. Same locks. 1: it
 * is gone. -1 without memory: it is not ours. */
int maui_mirror_take(struct maui_mirrors *mirrors, const struct maui_mirror_stray *stray,
		     struct maui_arena *arena, struct maui_hold_times *reads,
		     const char ***ret_nodes, uint32_t *ret_count);

/* To the log, once: somebody's reservation has the name of a mirror of SRCFG[rsv], or of
 * reservation[rsv]. */
void maui_mirror_say_namesake(struct maui_mirrors *mirrors, const char *name, uint32_t id,
			      const char *kind, const char *rsv);

#endif
