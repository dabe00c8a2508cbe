/* SPDX-License-Identifier: GPL-2.0-or-later */
/* items.c - the instances to be placed
 *
 * In: the reservations and the instances of the last plan. Out: the instances of now with what the
 * last plan knew of them, the order of their reservations, and which reservations adjoin (RSV-13).
 *
 * Rules: RSV-11.
 */

#include <stdlib.h>

#include "base/calendar.h"
#include "reservation/placement/private.h"
#include "reservation/windows/windows.h"

/* ---- windows ---- */

static bool is_skipped(const struct maui_standing_input *input, uint32_t rsv, int32_t day)
{
	for (uint32_t i = 0; i < input->skip_count; i++)
		if (input->skips[i].rsv == rsv && input->skips[i].day == day)
			return true;
	return false;
}

/* The windows of a reservation, in the plan's time. */
static int find_windows(struct maui_placement *p, uint32_t rsv, struct maui_rsv_instance **ret,
			uint32_t *ret_count)
{
	int64_t clock_s = p->input->clock_s;

	if (maui_standing_windows(p->input->list[rsv], p->now + clock_s, p->arena, ret, ret_count))
		return -1;
	for (uint32_t i = 0; i < *ret_count && clock_s; i++) {
		struct maui_rsv_instance *instance = &(*ret)[i];

		instance->start_s -= clock_s;
		if (instance->end_s != MAUI_NEVER)
			instance->end_s -= clock_s;
	}
	return 0;
}

struct windows {
	struct maui_rsv_instance *list;
	uint32_t count;
};

/* Lists the windows of all reservations one after another, without released instances. Sets
 * p->first and p->item_count. */
static int list_windows(struct maui_placement *p, struct maui_rsv_instance **ret)
{
	uint32_t count = p->input->count, total = 0, at = 0;
	struct windows *windows = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*windows));

	p->first = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*p->first));
	if (!windows || !p->first)
		return -1;
	for (uint32_t r = 0; r < count; r++) {
		if (find_windows(p, r, &windows[r].list, &windows[r].count))
			return -1;
		total += windows[r].count;
	}
	*ret = maui_arena_alloc(p->arena, (total + 1u) * sizeof(**ret));
	if (!*ret)
		return -1;
	for (uint32_t r = 0; r < count; r++) {
		p->first[r] = at;
		for (uint32_t i = 0; i < windows[r].count; i++) {
			if (is_skipped(p->input, r, windows[r].list[i].day))
				continue;
			(*ret)[at] = windows[r].list[i];
			(*ret)[at++].rsv = r;
		}
	}
	p->first[count] = p->item_count = at;
	return 0;
}

/* ---- instances of the last plan ---- */

struct known {
	uint32_t *first; /* first element of `list` of each reservation; one entry more */
	uint32_t *list;  /* indices of input->before */
};

/* Lists the instances of the last plan by reservation. */
static int sort_before(struct maui_placement *p, struct known *ret)
{
	const struct maui_standing_input *input = p->input;

	ret->first = maui_arena_alloc(p->arena, (input->count + 2u) * sizeof(*ret->first));
	ret->list = maui_arena_alloc(p->arena, (input->before_count + 1u) * sizeof(*ret->list));
	if (!ret->first || !ret->list)
		return -1;
	for (uint32_t i = 0; i < input->before_count; i++)
		if (input->before[i].rsv < input->count)
			ret->first[input->before[i].rsv + 2]++;
	for (uint32_t r = 2; r <= input->count + 1; r++)
		ret->first[r] += ret->first[r - 1];
	for (uint32_t i = 0; i < input->before_count; i++)
		if (input->before[i].rsv < input->count)
			ret->list[ret->first[input->before[i].rsv + 1]++] = i;
	return 0;
}

static const struct maui_rsv_instance *find_before(const struct maui_placement *p,
						   const struct known *known, uint32_t rsv,
						   int32_t day)
{
	for (uint32_t i = known->first[rsv]; i < known->first[rsv + 1]; i++) {
		const struct maui_rsv_instance *before = &p->input->before[known->list[i]];

		if (before->day == day && before->made)
			return before;
	}
	return NULL;
}

/* An instance of PERIOD=INFINITY begins when it was first made, or now if the clock was set back
 * before that. A TIMEFLEX instance begins where the last plan shifted it to. */
static void set_start(struct maui_placement_item *item)
{
	struct maui_rsv_instance *i = item->instance;
	const struct maui_rsv_instance *before = item->before;

	if (!before)
		return;
	if ((item->rsv->period == MAUI_RSV_INFINITY && before->start_s < i->start_s) ||
	    (maui_rsv_has(item->rsv, MAUI_RSV_TIMEFLEX) && before->start_s > i->start_s &&
	     before->start_s < i->end_s))
		i->start_s = before->start_s;
	item->changed = (i->start_s != before->start_s && item->rsv->period != MAUI_RSV_INFINITY) ||
			i->end_s != before->end_s;
}

static int make_items(struct maui_placement *p, struct maui_rsv_instance *list)
{
	struct known known;

	p->items = maui_arena_alloc(p->arena, (p->item_count + 1u) * sizeof(*p->items));
	if (!p->items || sort_before(p, &known))
		return -1;
	for (uint32_t k = 0; k < p->item_count; k++) {
		struct maui_placement_item *item = &p->items[k];
		struct maui_rsv_instance *i = &list[k];

		*item = (struct maui_placement_item){ .instance = i,
						      .rsv = p->input->list[i->rsv],
						      .target = &p->input->targets->list[i->rsv],
						      .before = find_before(p, &known, i->rsv,
									    i->day) };
		i->places = NULL;
		i->place_count = 0;
		i->made = true;
		i->wanted = item->missing = item->rsv->task_count;
		i->missing = 0;
		item->whole = maui_placement_is_whole(item->rsv);
		set_start(item);
		item->from = i->start_s > p->now ? i->start_s : p->now;
	}
	return 0;
}

/* ---- order of reservations, adjoining reservations ---- */

struct by_priority {
	int64_t priority;
	uint32_t rsv;
};

static int compare_priority(const void *a, const void *b)
{
	const struct by_priority *one = a, *two = b;

	if (one->priority != two->priority)
		return one->priority > two->priority ? -1 : 1;
	return (one->rsv > two->rsv) - (one->rsv < two->rsv);
}

static int sort_priority(struct maui_placement *p)
{
	uint32_t count = p->input->count;
	struct by_priority *list = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*list));

	p->order = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*p->order));
	if (!list || !p->order)
		return -1;
	for (uint32_t r = 0; r < count; r++)
		list[r] = (struct by_priority){ p->input->list[r]->priority, r };
	qsort(list, count, sizeof(*list), compare_priority);
	for (uint32_t r = 0; r < count; r++)
		p->order[r] = list[r].rsv;
	return 0;
}

/* When in its period a reservation begins and ends, and when one that follows it must begin. */
struct clock {
	int64_t start, end, next;
};

static struct clock clock_of(const struct maui_rsv *rsv)
{
	int64_t period = rsv->period == MAUI_RSV_DAY ? MAUI_DAY_S : 7 * MAUI_DAY_S;
	int64_t end = rsv->end_s > 0 && rsv->end_s < period ? rsv->end_s : period;

	return (struct clock){ rsv->start_s, end, end % period };
}

static bool clocks_adjoin(const struct clock *a, const struct clock *b)
{
	return (a->next == b->start || b->next == a->start) &&
	       !(a->start < b->end && b->start < a->end);
}

static bool are_alike(const struct maui_rsv *a, const struct maui_rsv *b)
{
	return a->period == b->period && a->period <= MAUI_RSV_WEEK &&
	       a->task.procs == b->task.procs && a->task.mem_mb == b->task.mem_mb &&
	       a->task.disk_mb == b->task.disk_mb;
}

/* The first later reservation that adjoins this one by the clock, has the same tasks, and has no
 * partner yet. */
static uint32_t find_partner(const struct maui_placement *p, const struct clock *clocks, uint32_t a)
{
	const struct maui_rsv *const *list = p->input->list;

	for (uint32_t b = a + 1; b < p->input->count; b++)
		if (clocks_adjoin(&clocks[a], &clocks[b]) &&
		    p->partners[b] == MAUI_PLACEMENT_NONE && are_alike(list[a], list[b]))
			return b;
	return MAUI_PLACEMENT_NONE;
}

static int find_partners(struct maui_placement *p)
{
	uint32_t count = p->input->count;
	struct clock *clocks = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*clocks));

	p->partners = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*p->partners));
	if (!p->partners || !clocks)
		return -1;
	for (uint32_t a = 0; a < count; a++) {
		p->partners[a] = MAUI_PLACEMENT_NONE;
		clocks[a] = clock_of(p->input->list[a]);
	}
	for (uint32_t a = 0; a < count; a++) {
		uint32_t b = p->partners[a] == MAUI_PLACEMENT_NONE ? find_partner(p, clocks, a) :
								     MAUI_PLACEMENT_NONE;

		if (b == MAUI_PLACEMENT_NONE)
			continue;
		p->partners[a] = b;
		p->partners[b] = a;
	}
	return 0;
}

int maui_placement_make_items(struct maui_placement *p, struct maui_rsv_instance **ret)
{
	return list_windows(p, ret) || make_items(p, *ret) || sort_priority(p) || find_partners(p) ?
		       -1 :
		       0;
}
