/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_facts.c - when what is kept of waiting jobs is forgotten
 *
 * Rules: BF-17.
 */

#include "cycle/kept_facts.h"

enum {
	SECOND_US = 1000000,
	/* Stamps this close to the clock are not trusted: with the rest of a second, a step of the
	 * clock that is shorter than STEP_US cannot bring them back either. */
	MARGIN_S = 1,
	STEP_US = 500000,
};

static bool may_hide_a_change(const struct maui_kept_look *look)
{
	return look->stamp_s >= look->began_s - MARGIN_S;
}

bool maui_kept_facts_hold(struct maui_kept_facts *facts, const struct maui_kept_look *look,
			  int64_t full_every_s)
{
	int64_t offset_us = look->clock_us - look->steady_us;
	bool was_set_back = offset_us < facts->offset_us - STEP_US;
	bool is_due =
		facts->full_us == 0 || look->steady_us - facts->full_us >= full_every_s * SECOND_US;
	bool hold = !is_due && !was_set_back && !facts->in_doubt && look->facts == facts->facts;

	facts->facts = look->facts;
	facts->in_doubt = was_set_back || may_hide_a_change(look);
	facts->offset_us = offset_us;
	if (!hold)
		facts->full_us = look->steady_us;
	return hold;
}
