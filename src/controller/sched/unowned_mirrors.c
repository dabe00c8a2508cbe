/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unowned_mirrors.c - reservations of Slurm's that are called as ours are
 *
 * When our state is lost our own mirrors are unknown to us, and would be somebody else's claims on
 * the very nodes that their reservations want: these would have none, for good. So before anything
 * is copied what looks like the mirror of an instance in force is taken for it, with its nodes.
 * What does not is left alone, and said, as are reservations of Slurm's that take the name of one
 * of ours from jobs.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <string.h>

#include "model/mirror.h"
#include "slurm/mirror/unowned.h"

/* What the log was told of a name, beside what slurm/mirror_settle.c tells it of mirrors. */
enum { SAME_NAME = -1 };

/* Of one SRCFG. */
struct windows {
	struct maui_rsv_instance *list;
	uint32_t count;
	bool known;
};

struct strays {
	struct maui_iteration *it;
	struct maui_hold_times *reads;
	struct maui_mirror_strays found;
	struct maui_mirror_nodes nodes; /* read for the first that is taken */
	struct windows *windows;        /* of each, found when one of Slurm's is called as it is */
	int64_t now_s;
	bool again; /* something was left to the next look */
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
	bool first = !strays->it->sched->strays_whole;

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
		    const char *const *names, uint32_t count, struct maui_arena *scratch)
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
		.nodes = maui_arena_alloc(scratch, (count + 1u) * sizeof(*kept.nodes)),
		.node_count = count,
	};

	if (count == 0 || is_known(book, rsv, window->day))
		return 0;
	for (uint32_t i = 0; kept.nodes && i < count; i++)
		kept.nodes[i] = (struct maui_store_instance_node){ .name = (char *)names[i] };
	return kept.nodes ? maui_store_add_instance(book, &kept) : -1;
}

/* 0: taken. 1: not now. -1: no memory. */
static int try_take(struct strays *strays, const struct maui_mirror_stray *stray,
		    const struct maui_rsv *rsv, const struct maui_rsv_instance *window)
{
	struct maui_iteration *it = strays->it;
	struct maui_arena scratch = { 0 }; /* a large one may have thousands of nodes */
	const char **names;
	uint32_t count;
	int rc = 0;

	if (!strays->nodes.names)
		rc = maui_mirror_nodes_read(&it->arena, strays->reads, &strays->nodes);
	if (rc == 0)
		rc = maui_mirror_take(&it->sched->mirrors, stray, &strays->nodes, &scratch,
				      strays->reads, &names, &count);
	if (rc == 0 && remember(strays, stray, rsv, window, names, count, &scratch)) {
		maui_mirrors_drop(&it->sched->mirrors, stray->name);
		rc = -1;
	}
	maui_arena_finish(&scratch);
	return rc;
}

static void take(struct strays *strays, const struct maui_mirror_stray *stray,
		 const struct maui_rsv *rsv, const struct maui_rsv_instance *window)
{
	int rc = try_take(strays, stray, rsv, window);

	strays->again |= rc != 0;
	if (rc < 0)
		error("slurm-maui: no memory for reservation %s", stray->name);
	if (rc != 0)
		return;
	info("slurm-maui: reservation %s looks like ours, though our state does not know of it: "
	     "taken for that of SRCFG[%s]",
	     stray->name, rsv->name);
	strays->it->save = true;
}

static void look_at(struct strays *strays, const struct maui_mirror_stray *stray,
		    const struct maui_rsv *rsv, const struct windows *windows)
{
	struct maui_iteration *it = strays->it;
	int64_t day = maui_rsv_suffix(rsv, stray->name, strlen(stray->name));
	const char *name;

	for (uint32_t i = 0; i < windows->count; i++) {
		const struct maui_rsv_instance *window = &windows->list[i];

		if (window->day != day || is_aside(&it->sched->book, rsv, window->day))
			continue;
		name = maui_rsv_stable_name(rsv, window->day, MAUI_MIRROR_PREFIX, &it->arena);
		if (!name || strcmp(name, stray->name) != 0)
			continue;
		if (looks_like(strays, stray, rsv, window))
			take(strays, stray, rsv, window);
		else
			maui_mirror_say_namesake(&it->sched->mirrors, name, stray->id, "SRCFG",
						 rsv->name);
	}
}

static void look_for_mirror(struct strays *strays, const struct maui_mirror_stray *stray)
{
	const struct maui_config *config = strays->it->c->config;
	size_t meant[MAUI_RSV_FORMS];
	size_t count = maui_rsv_names_meant(&config->rsv_names, stray->name, meant);

	for (size_t i = 0; i < count; i++) {
		const struct maui_rsv *rsv = &config->rsvs[meant[i]];
		struct windows *windows = &strays->windows[meant[i]];

		if (!windows->known && maui_standing_windows(rsv, strays->now_s, &strays->it->arena,
							     &windows->list, &windows->count)) {
			strays->again = true;
			return;
		}
		windows->known = true;
		look_at(strays, stray, rsv, windows);
	}
}

/* ---- names that jobs use ---- */

static void say_name(struct strays *strays, const struct maui_mirror_stray *stray, const char *kind,
		     const char *rsv, bool recurs)
{
	bool is_new;

	maui_mirrors_note(&strays->it->sched->mirrors, stray->name, stray->id, SAME_NAME, &is_new);
	if (is_new)
		error("slurm-maui: Slurm has a reservation %s beside %s[%s]: "
		      "--reservation=%s means Slurm's; ours is named by " MAUI_MIRROR_PREFIX
		      "%s.%s, see showres",
		      stray->name, kind, rsv, stray->name, rsv, recurs ? "YYYYMMDD" : "0");
}

/* A job that names Slurm's reservation may mean one of ours, or an instance of it. Only the agent
 * changes these indices, so the agent reads them without the context's lock. */
static void look_for_name(struct strays *strays, const struct maui_mirror_stray *stray)
{
	const struct maui_context *c = strays->it->c;
	size_t meant[MAUI_RSV_FORMS];

	if (maui_rsv_names_meant(&c->config->rsv_names, stray->name, meant) > 0) {
		const struct maui_rsv *rsv = &c->config->rsvs[meant[0]];

		say_name(strays, stray, "SRCFG", rsv->name, maui_rsv_recurs(rsv));
	} else if (maui_rsv_names_meant(&c->rsv_names_index, stray->name, meant) > 0) {
		say_name(strays, stray, "reservation", c->rsv_names.list[meant[0]], false);
	}
}

/* ---- all of them ---- */

/* Under slurmctld's node READ. */
static bool is_wanted(const void *arg, const char *name)
{
	const struct maui_context *c = arg;
	size_t meant[MAUI_RSV_FORMS];

	return maui_rsv_names_meant(&c->config->rsv_names, name, meant) > 0 ||
	       (!is_prefixed(name) && maui_rsv_names_meant(&c->rsv_names_index, name, meant) > 0);
}

/* Not while all is as it was: Slurm's stamp tells whole seconds, so one of the second of the last
 * look tells nothing. Periods come and go with the clock, at full minutes. */
static bool is_due(const struct maui_sched *sched, int64_t now_s)
{
	int64_t resvs_s = sched->events.resvs_s;

	return sched->strays_s == 0 || resvs_s != sched->strays_resvs_s ||
	       resvs_s >= sched->strays_s || now_s / 60 != sched->strays_s / 60;
}

static void look(struct strays *strays)
{
	struct maui_iteration *it = strays->it;

	strays->windows = maui_arena_alloc(&it->arena, (it->c->config->rsv_count + 1) *
							       sizeof(*strays->windows));
	if (!strays->windows ||
	    maui_mirror_strays_find(&it->sched->mirrors, is_wanted, it->c, &it->arena,
				    strays->reads, &strays->found)) {
		error("slurm-maui: no memory for reservations");
		strays->again = true;
		return;
	}
	for (uint32_t i = 0; i < strays->found.count && !it->c->stop; i++) {
		if (is_prefixed(strays->found.list[i].name))
			look_for_mirror(strays, &strays->found.list[i]);
		else
			look_for_name(strays, &strays->found.list[i]);
	}
}

void maui_sched_strays(struct maui_iteration *it, struct maui_hold_times *reads)
{
	struct maui_sched *sched = it->sched;
	struct strays strays = { .it = it, .reads = reads, .now_s = time(NULL) };

	if (!maui_context_schedules(it->c) || it->testing) {
		sched->strays_s = 0; /* nothing is shown by mirrors, or taken for one */
		return;
	}
	if (it->c->config->rsv_count + sched->book.rsv_count == 0) {
		sched->strays_whole = true;
		return;
	}
	if (!is_due(sched, strays.now_s)) {
		maui_mirrors_keep_notes(&sched->mirrors);
		return;
	}
	look(&strays);
	maui_mirror_strays_finish(&strays.found);
	sched->strays_whole |= !strays.again;
	sched->strays_s = strays.again ? 0 : strays.now_s;
	sched->strays_resvs_s = sched->events.resvs_s;
}
