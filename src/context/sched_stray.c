/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched_stray.c - reservations of Slurm's that are called as ours are
 *
 * When our state is lost our own mirrors are unknown to us, and would be somebody else's claims on
 * the very nodes that their reservations want: these would have none, for good. So before anything
 * is copied what looks like the mirror of an instance in force is taken for it, with its nodes.
 * What does not is left alone, and said, as are reservations of Slurm's that take the name of one
 * of ours from jobs.
 */

#include "slurm/compat.h"

#include "context/sched_private.h"

#include <string.h>

#include "model/mirror.h"
#include "slurm/mirror_stray.h"

/* What the log was told of a name, beside what slurm/mirror_settle.c tells it of mirrors. */
enum { SAME_NAME = -1 };

struct strays {
	struct maui_iteration *it;
	struct maui_hold_times *reads;
	struct maui_mirror_stray *list;
	uint32_t count;
	int64_t now_s;
};

static bool is_prefixed(const char *name)
{
	return strncmp(name, MAUI_MIRROR_PREFIX, strlen(MAUI_MIRROR_PREFIX)) == 0;
}

/* ---- mirrors ---- */

static bool is_aside(const struct maui_store *book, const struct maui_rsv *rsv, int32_t day)
{
	for (size_t i = 0; i < book->set_aside_count; i++)
		if (book->set_aside[i].period.day == day &&
		    strcmp(book->set_aside[i].period.rsv, rsv->name) == 0)
			return true;
	return false;
}

static bool is_known(const struct maui_store *book, const struct maui_rsv *rsv, int32_t day)
{
	for (size_t i = 0; i < book->instance_count; i++)
		if (book->instances[i].period.day == day &&
		    strcmp(book->instances[i].period.rsv, rsv->name) == 0)
			return true;
	return false;
}

/* Of a lost state even the times may be others by now, as long as nobody else makes such ones. */
static bool looks_like(const struct strays *strays, const struct maui_mirror_stray *stray,
		       const struct maui_rsv *rsv, const struct maui_rsv_instance *window)
{
	bool first = !strays->it->sched->mirrors.looked;

	if (!stray->form)
		return false;
	if (first && stray->sure && stray->start_s < window->end_s &&
	    stray->end_s > window->start_s)
		return true;
	return maui_mirror_has_times(stray->start_s, stray->end_s, window->start_s, window->end_s,
				     strays->now_s, maui_rsv_has(rsv, MAUI_RSV_TIMEFLEX));
}

/* How many of its tasks are on each of its nodes is not known: 0. */
static int remember(struct strays *strays, const struct maui_mirror_stray *stray,
		    const struct maui_rsv *rsv, const struct maui_rsv_instance *window,
		    const char *const *names, uint32_t count)
{
	struct maui_store *book = &strays->it->sched->book;
	bool late = stray->start_s <= strays->now_s && window->start_s <= stray->start_s;
	struct maui_store_instance kept = {
		.period = { .rsv = rsv->name, .day = window->day },
		.start_s = late && rsv->period != MAUI_RSV_INFINITY &&
					   !maui_rsv_has(rsv, MAUI_RSV_TIMEFLEX) ?
				   window->start_s :
				   stray->start_s,
		.end_s = window->end_s == MAUI_NEVER ? MAUI_NEVER : stray->end_s,
		.made = true,
		.nodes = maui_arena_alloc(&strays->it->arena, (count + 1u) * sizeof(*kept.nodes)),
		.node_count = count,
	};

	if (count == 0 || is_known(book, rsv, window->day))
		return 0;
	for (uint32_t i = 0; kept.nodes && i < count; i++)
		kept.nodes[i] = (struct maui_store_instance_node){ .name = (char *)names[i] };
	return kept.nodes ? maui_store_add_instance(book, &kept) : -1;
}

static void take(struct strays *strays, const struct maui_mirror_stray *stray,
		 const struct maui_rsv *rsv, const struct maui_rsv_instance *window)
{
	struct maui_iteration *it = strays->it;
	const char **names;
	uint32_t count;
	int rc = maui_mirror_take(&it->sched->mirrors, stray, &it->arena, strays->reads, &names,
				  &count);

	if (rc > 0)
		return;
	if (rc < 0 || remember(strays, stray, rsv, window, names, count)) {
		error("slurm-maui: no memory for reservation %s", stray->name);
		return;
	}
	info("slurm-maui: reservation %s looks like ours, though our state does not know of it: "
	     "taken for that of SRCFG[%s]",
	     stray->name, rsv->name);
	it->save = true;
}

/* `windows` are those of the reservation. */
static void look_at(struct strays *strays, const struct maui_mirror_stray *stray,
		    const struct maui_rsv *rsv, const struct maui_rsv_instance *windows,
		    uint32_t count)
{
	struct maui_iteration *it = strays->it;
	int64_t day = maui_rsv_suffix(rsv, stray->name, strlen(stray->name));
	const char *name;

	for (uint32_t i = 0; i < count; i++) {
		if (windows[i].day != day || is_aside(&it->sched->book, rsv, windows[i].day))
			continue;
		name = maui_rsv_stable_name(rsv, windows[i].day, MAUI_MIRROR_PREFIX, &it->arena);
		if (!name || strcmp(name, stray->name) != 0)
			continue;
		if (looks_like(strays, stray, rsv, &windows[i]))
			take(strays, stray, rsv, &windows[i]);
		else
			maui_mirror_say_namesake(&it->sched->mirrors, name, stray->id, "SRCFG",
						 rsv->name);
	}
}

static void look_for_mirrors(struct strays *strays, const struct maui_rsv *rsv)
{
	struct maui_rsv_instance *windows = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < strays->count; i++) {
		const struct maui_mirror_stray *stray = &strays->list[i];

		if (!is_prefixed(stray->name) ||
		    maui_rsv_suffix(rsv, stray->name, strlen(stray->name)) < 0)
			continue;
		if (!windows &&
		    maui_standing_windows(rsv, strays->now_s, &strays->it->arena, &windows, &count))
			return;
		look_at(strays, stray, rsv, windows, count);
	}
}

/* ---- names that jobs use ---- */

/* Whether jobs that name Slurm's could mean ours: all of it, an instance, a setres without its
 * number. */
static bool takes_name(const char *name, const struct maui_rsv *rsv, bool standing)
{
	return !is_prefixed(name) &&
	       (maui_rsv_suffix(rsv, name, strlen(name)) != -2 ||
		(!standing && maui_rsv_is_numbered(name, rsv->name, strlen(rsv->name))));
}

static void say_names(struct strays *strays, const struct maui_rsv *rsv, bool standing)
{
	for (uint32_t i = 0; i < strays->count; i++) {
		const struct maui_mirror_stray *stray = &strays->list[i];
		bool is_new;

		if (!takes_name(stray->name, rsv, standing))
			continue;
		maui_mirrors_note(&strays->it->sched->mirrors, stray->name, stray->id, SAME_NAME,
				  &is_new);
		if (is_new)
			error("slurm-maui: Slurm has a reservation %s beside %s[%s]: "
			      "--reservation=%s means Slurm's; ours is named by " MAUI_MIRROR_PREFIX
			      "%s.%s, see showres",
			      stray->name, standing ? "SRCFG" : "reservation", rsv->name,
			      stray->name, rsv->name, maui_rsv_recurs(rsv) ? "YYYYMMDD" : "0");
	}
}

void maui_sched_strays(struct maui_iteration *it, struct maui_hold_times *reads)
{
	const struct maui_config *config = it->c->config;
	const struct maui_store *book = &it->sched->book;
	struct strays strays = { .it = it, .reads = reads, .now_s = time(NULL) };

	if (config->rsv_count + book->rsv_count == 0)
		return;
	if (maui_mirror_strays(&it->sched->mirrors, &it->arena, reads, &strays.list,
			       &strays.count)) {
		error("slurm-maui: no memory for reservations");
		return;
	}
	for (size_t i = 0; i < config->rsv_count && strays.count > 0; i++) {
		look_for_mirrors(&strays, &config->rsvs[i]);
		say_names(&strays, &config->rsvs[i], true);
	}
	for (size_t i = 0; i < book->rsv_count && strays.count > 0; i++)
		say_names(&strays, &book->rsvs[i], false);
}
