/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision.c - frees decisions */

#include "model/decision.h"

void maui_decisions_finish(struct maui_decisions *decisions)
{
	maui_arena_finish(&decisions->arena);
	*decisions = (struct maui_decisions){ 0 };
}
