/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdicts.c - the reasons of a job's verdict */

#include "plan/private.h"

void maui_plan_add_reason(struct maui_planner *p, const struct maui_plan_entry *e,
			  enum maui_reason reason, const struct maui_violation *violation,
			  int64_t until_s)
{
	const struct maui_block **at = &p->out->verdicts[e->job].blocks;
	struct maui_block *block = maui_arena_alloc(&p->out->arena, sizeof(*block));

	if (!block) {
		p->failed = true;
		return;
	}
	while (*at)
		at = (const struct maui_block **)&(*at)->next;
	*block =
		(struct maui_block){ .reason = reason, .violation = violation, .until_s = until_s };
	*at = block;
}
