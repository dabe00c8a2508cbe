/* SPDX-License-Identifier: GPL-2.0-or-later */
/* active.c - counts active jobs, and takes what they use from the slacks of planned jobs */

#include "policy/throttle/private.h"

#include "base/array.h"

int maui_throttle_add(struct maui_throttle *t, const struct maui_throttle_set *set,
		      const struct maui_demand *demand, int64_t end_s)
{
	struct throttle_member *members;
	uint32_t *by_end;

	members = maui_array_grow(t->members, t->member_count, &t->member_alloc, sizeof(*members));
	if (!members)
		return -1;
	t->members = members;
	by_end = maui_array_grow(t->by_end, t->member_count, &t->by_end_alloc, sizeof(*by_end));
	if (!by_end)
		return -1;
	t->by_end = by_end;
	members[t->member_count++] = (struct throttle_member){ set, *demand, end_s };
	throttle_count(set, demand, THROTTLE_ACTIVE, 1);
	throttle_plan_weigh(t, set, demand, INT64_MIN, end_s, 1);
	return 0;
}

static bool same_demand(const struct maui_demand *a, const struct maui_demand *b)
{
	for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
		if (a->of[r] != b->of[r])
			return false;
	return true;
}

bool maui_throttle_remove(struct maui_throttle *t, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t end_s)
{
	/* a plan undoes the latest start first */
	for (size_t i = t->member_count; i-- > 0;) {
		struct throttle_member *member = &t->members[i];

		if (member->set != set || member->end_s != end_s ||
		    !same_demand(&member->demand, demand))
			continue;
		*member = t->members[--t->member_count];
		t->sorted = 0;
		throttle_count(set, demand, THROTTLE_ACTIVE, -1);
		throttle_plan_weigh(t, set, demand, INT64_MIN, end_s, -1);
		return true;
	}
	return false;
}
