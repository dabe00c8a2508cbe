/* SPDX-License-Identifier: GPL-2.0-or-later */
/* released.c - periods of standing reservations that are not to be
 *
 * Released by hand, idle for IDLETIME, used up (SINGLEUSE), cancelled by a trigger. They stay away
 * over restarts and reconfigures until the period ends, somebody takes it back, or what the SRCFG
 * asks for is another: then it is as if it were new.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>

#include "base/calendar.h"
#include "answers/document.h"

/* One of maui.cfg; -1: there is none any more. */
static int64_t find_standing(const struct maui_iteration *it, const char *name, int64_t from)
{
	int64_t rsv = maui_sched_find_rsv_from(it, name, from);

	return rsv < (int64_t)it->c->config->rsv_count ? rsv : -1;
}

/* Whether it stays away; one of a state that does not know what was asked for is known from now. */
static bool holds(const struct maui_rsv *rsv, struct maui_store_released *aside)
{
	uint64_t form = maui_store_form(rsv);

	if (aside->form == 0)
		aside->form = form;
	return form == 0 || aside->form == form;
}

int maui_sched_skips(struct maui_iteration *it)
{
	struct maui_store *book = &it->sched->book;
	struct maui_standing_skip *skips =
		maui_arena_alloc(&it->arena, (book->released_count + 1) * sizeof(*skips));
	int64_t rsv = 0;
	uint32_t count = 0;

	if (!skips)
		return -1;
	for (size_t i = 0; i < book->released_count; i++) {
		struct maui_store_released *aside = &book->released[i];

		rsv = find_standing(it, aside->period.rsv, rsv);
		if (rsv >= 0 && holds(it->standing.list[rsv], aside)) {
			skips[count] =
				(struct maui_standing_skip){ (uint32_t)rsv, aside->period.day };
			book->released[count++] = *aside;
			continue;
		}
		info("slurm-maui: reservation %s was released, and is as new: its SRCFG is another",
		     aside->period.rsv);
		free(aside->period.rsv);
		it->save = true;
	}
	book->released_count = count;
	it->standing.skips = skips;
	it->standing.skip_count = count;
	return 0;
}

void maui_sched_forget_asides(struct maui_iteration *it)
{
	struct maui_store *book = &it->sched->book;
	int32_t oldest = maui_calendar_date(maui_calendar_day(it->cluster.now_s) - 8);
	size_t left = 0;

	for (size_t i = 0; i < book->released_count; i++) {
		struct maui_store_released *aside = &book->released[i];

		if (aside->period.day == 0 || aside->period.day >= oldest)
			book->released[left++] = *aside;
		else
			free(aside->period.rsv);
	}
	book->released_count = left;
}

void maui_sched_set_aside(struct maui_iteration *it, const char *name, int32_t day)
{
	struct maui_store_period period = { (char *)name, day };
	const struct maui_config *config = it->c->config;
	uint64_t form = 0;

	for (size_t i = 0; i < config->rsv_count && form == 0; i++)
		if (strcmp(config->rsvs[i].name, name) == 0)
			form = maui_store_form(&config->rsvs[i]);
	if (maui_store_add_released(&it->sched->book, &period, form))
		error("slurm-maui: no memory to release reservation %s", name);
}

void maui_sched_tell_asides(const struct maui_iteration *it, struct maui_document *p)
{
	const struct maui_store *book = &it->sched->book;
	int64_t rsv = 0;

	for (size_t i = 0; i < book->released_count; i++) {
		const struct maui_store_period *period = &book->released[i].period;

		rsv = find_standing(it, period->rsv, rsv);
		if (rsv >= 0)
			maui_document_add_released(p, it->standing.list[rsv], period->day);
	}
}
