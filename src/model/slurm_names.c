/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_names.c - which accounts and QOS slurmdbd has */

#include "model/slurm_names.h"

#include <stdlib.h>

struct maui_slurm_names *maui_slurm_names_create(void)
{
	struct maui_slurm_names *names = calloc(1, sizeof(*names));

	if (names)
		names->refs = 1;
	return names;
}

struct maui_slurm_names *maui_slurm_names_ref(struct maui_slurm_names *names)
{
	if (names)
		__atomic_add_fetch(&names->refs, 1, __ATOMIC_RELAXED);
	return names;
}

void maui_slurm_names_unref(struct maui_slurm_names *names)
{
	if (!names || __atomic_sub_fetch(&names->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	maui_arena_finish(&names->arena);
	free(names);
}
