/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision.c - the memory of decisions, and which active jobs are on their nodes */

#include "model/decision.h"

#include "model/snapshot.h"

bool maui_active_is_on(const struct maui_active *active, const struct maui_place *places,
		       uint32_t count)
{
	for (uint32_t i = 0; i < active->piece_count; i++)
		for (uint32_t k = 0; k < count; k++)
			if (active->pieces[i].node == places[k].node)
				return true;
	return false;
}

void maui_decisions_finish(struct maui_decisions *decisions)
{
	maui_arena_finish(&decisions->arena);
	*decisions = (struct maui_decisions){ 0 };
}
