/* SPDX-License-Identifier: GPL-2.0-or-later */
/* windows.c - when the instances of a reservation begin and end (RSV-1, RSV-2, RSV-4) */

#include <stdbool.h>

#include "base/calendar.h"
#include "reservation/windows/windows.h"

static int64_t days_of_period(const struct maui_rsv *rsv)
{
	return rsv->period == MAUI_RSV_WEEK ? 7 : 1;
}

/* The day on which the period of `now` begins. */
static int64_t current_period(const struct maui_rsv *rsv, int64_t now_s)
{
	return rsv->period == MAUI_RSV_WEEK ? maui_calendar_week(now_s) : maui_calendar_day(now_s);
}

/* The window of the period that begins on `day`; false: the period has none. */
static bool window_of(const struct maui_rsv *rsv, int64_t day, struct maui_rsv_instance *ret)
{
	int64_t whole = days_of_period(rsv) * MAUI_DAY_S;
	int64_t end_s = rsv->end_s <= 0 || rsv->end_s > whole ? whole : rsv->end_s;

	if (rsv->start_s < 0 || rsv->start_s >= whole ||
	    (rsv->period == MAUI_RSV_DAY && !(rsv->days & 1u << maui_calendar_weekday(day))))
		return false;
	ret->day = maui_calendar_date(day);
	ret->start_s = maui_calendar_at(day, rsv->start_s);
	ret->end_s = maui_calendar_at(day, end_s);
	return ret->end_s > ret->start_s;
}

static void init_instance(const struct maui_rsv *rsv, struct maui_rsv_instance *instance)
{
	*instance =
		(struct maui_rsv_instance){ .wanted = rsv->task_count, .missing = rsv->task_count };
}

/* The only window of INFINITY and ONCE. */
static int single_window(const struct maui_rsv *rsv, int64_t now_s, struct maui_arena *arena,
			 struct maui_rsv_instance **ret, uint32_t *ret_count)
{
	bool forever = rsv->period == MAUI_RSV_INFINITY;
	struct maui_rsv_instance *list;

	if (!forever && (rsv->end_s <= now_s || rsv->end_s <= rsv->start_s))
		return 0;
	list = maui_arena_alloc(arena, sizeof(*list));
	if (!list)
		return -1;
	init_instance(rsv, list);
	list->start_s = forever ? now_s : rsv->start_s;
	list->end_s = forever ? MAUI_NEVER : rsv->end_s;
	*ret = list;
	*ret_count = 1;
	return 0;
}

int maui_standing_windows(const struct maui_rsv *rsv, int64_t now_s, struct maui_arena *arena,
			  struct maui_rsv_instance **ret, uint32_t *ret_count)
{
	int64_t day, depth = rsv->depth > 0 ? rsv->depth : 0;
	struct maui_rsv_instance *list;

	*ret = NULL;
	*ret_count = 0;
	if (!maui_rsv_recurs(rsv))
		return single_window(rsv, now_s, arena, ret, ret_count);
	list = maui_arena_alloc(arena, (size_t)depth * sizeof(*list));
	if (!list)
		return -1;
	day = current_period(rsv, now_s);
	for (int64_t i = 0; i < depth; i++, day += days_of_period(rsv)) {
		struct maui_rsv_instance *instance = &list[*ret_count];

		init_instance(rsv, instance);
		if (!window_of(rsv, day, instance) || instance->end_s <= now_s)
			continue;
		instance->ordinal = (uint32_t)i;
		(*ret_count)++;
	}
	*ret = list;
	return 0;
}

bool maui_standing_get_window(const struct maui_rsv *rsv, int64_t now_s, int64_t number,
			      struct maui_rsv_instance *ret)
{
	int64_t length = days_of_period(rsv), first = current_period(rsv, now_s), day;

	init_instance(rsv, ret);
	if (maui_rsv_is_day(number))
		day = maui_calendar_of_date((int32_t)number);
	else if (number >= 0 && number < rsv->depth)
		day = first + number * length;
	else
		return false;
	if (day < first || (day - first) % length != 0 || (day - first) / length >= rsv->depth ||
	    !window_of(rsv, day, ret) || ret->end_s <= now_s ||
	    (maui_rsv_is_day(number) && ret->day != number))
		return false;
	ret->ordinal = (uint32_t)((day - first) / length);
	return true;
}

bool maui_standing_find_window(const struct maui_rsv *rsv, int64_t now_s, int64_t number,
			       int32_t *ret_day)
{
	struct maui_rsv_instance window;

	if (!maui_standing_get_window(rsv, now_s, number, &window))
		return false;
	*ret_day = window.day;
	return true;
}

int64_t maui_standing_longest_gap(const struct maui_rsv *rsv, int64_t now_s)
{
	enum { PERIODS = 15 }; /* two of each weekday */
	int64_t day = current_period(rsv, now_s), last_s = 0, longest = -1;

	for (int i = 0; maui_rsv_recurs(rsv) && i < PERIODS; i++, day += days_of_period(rsv)) {
		struct maui_rsv_instance window;

		if (!window_of(rsv, day, &window))
			continue;
		if (last_s > 0 && window.start_s - last_s > longest)
			longest = window.start_s - last_s;
		last_s = window.end_s;
	}
	return longest;
}

static int64_t earlier_after(int64_t now_s, int64_t found, int64_t candidate)
{
	return candidate > now_s && candidate < found ? candidate : found;
}

int64_t maui_standing_next(const struct maui_rsv *rsv, int64_t now_s)
{
	struct maui_rsv_instance window;
	int64_t next = MAUI_NEVER, day;

	if (rsv->period == MAUI_RSV_INFINITY)
		return MAUI_NEVER;
	if (rsv->period == MAUI_RSV_ONCE)
		return earlier_after(now_s, earlier_after(now_s, next, rsv->start_s), rsv->end_s);
	day = current_period(rsv, now_s);
	/* the windows of later periods are in force after the roll */
	next = maui_calendar_begins(day + days_of_period(rsv), now_s);
	if (!window_of(rsv, day, &window))
		return next;
	return earlier_after(now_s, earlier_after(now_s, next, window.start_s), window.end_s);
}

int64_t maui_standing_next_of(const struct maui_rsv *const *list, uint32_t count, int64_t now_s)
{
	int64_t next = MAUI_NEVER;

	for (uint32_t i = 0; i < count; i++)
		next = earlier_after(now_s, next, maui_standing_next(list[i], now_s));
	return next;
}
