/* SPDX-License-Identifier: GPL-2.0-or-later */
/* missing_tasks.c - nodes for the missing tasks of an instance (RSV-9)
 *
 * FORCE and ACCESS=SHARED permit tasks to overlap jobs or reservations. The search is tried several
 * times; each attempt respects less than the one before.
 *
 * Rules: RSV-25.
 */

#include "reservation/placement/private.h"

const struct maui_placement_attempt *maui_placement_attempts(const struct maui_rsv *rsv,
							     unsigned *ret_count)
{
	static const struct maui_placement_attempt plain[] = { { true, true } };
	static const struct maui_placement_attempt over_jobs[] = { { true, true },
								   { false, true } };
	static const struct maui_placement_attempt shared[] = { { true, true }, { true, false } };
	static const struct maui_placement_attempt force[] = { { true, true },
							       { false, true },
							       { false, false } };

	*ret_count = 1;
	if (maui_rsv_has(rsv, MAUI_RSV_DEDICATEDRESOURCE))
		return plain;
	if (maui_rsv_has(rsv, MAUI_RSV_FORCE)) {
		*ret_count = maui_rsv_is_exclusive(rsv) ? 2 : 3;
		return maui_rsv_is_exclusive(rsv) ? over_jobs : force;
	}
	if (!rsv->shared)
		return plain;
	*ret_count = 2;
	return shared;
}

static int place_missing(struct maui_placement *p, struct maui_placement_item *item,
			 const struct maui_placement_attempt *attempt)
{
	const struct maui_placement_query q = { .item = item,
						.from = item->from,
						.tasks = item->missing,
						.jobs = attempt->jobs,
						.rsvs = attempt->rsvs,
						.silent = true,
						.without = MAUI_PLACEMENT_NONE };
	uint32_t count;

	if (maui_placement_find_nodes(p, &q, &count) < 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (maui_placement_put_tasks(p, item, p->found[i].node, p->found[i].gives))
			return -1;
	return 0;
}

int maui_placement_fill_missing(struct maui_placement *p, struct maui_placement_item *item)
{
	unsigned count;
	const struct maui_placement_attempt *attempts = maui_placement_attempts(item->rsv, &count);

	if (item->missing == 0)
		return 0;
	maui_placement_select_item(p, item);
	if (maui_placement_shift_start(p, item))
		return -1;
	for (unsigned i = 0; i < count && item->missing > 0; i++)
		if (place_missing(p, item, &attempts[i]))
			return -1;
	return 0;
}
