/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standing_world.h - reservations as text on the small clusters of plan_world.h, placed, as text
 *
 *   rsvs     "biz tasks=6 procs=1 mem=512 end=100; ...". Keys: tasks procs (-1: whole nodes, unless
 *            given) mem disk hosts=n[0-3],n7 feature=a,b part prio tpn depth user (USERLIST); start
 *            and end of the epoch, or with the words day, week by the clock (h of the day: from=9
 *            to=17); forever. Words: shared force space time dednode dedres best; exclusive (setres
 *            -E of an administrator), userexclusive (of a user)
 *   placed   "biz:n0*2+n1 !1": two tasks on n0, one on n1, one is missing. @start follows the name
 *            of an instance that does not begin at its reservation's start, or that has no end and
 *            has not begun. Instances of days have their number: biz.1
 */
#ifndef MAUI_TESTSUITE_STANDING_WORLD_H
#define MAUI_TESTSUITE_STANDING_WORLD_H

#include "plan_world.h"

#include "config/planning.h"
#include "reservation/placement/placement.h"

enum { STANDING_MOST = 16 };

struct standing_world {
	struct world w;
	struct maui_rsv rsvs[STANDING_MOST];
	const struct maui_rsv *list[STANDING_MOST];
	uint32_t rsv_count;
	struct maui_standing_input input;
	struct maui_timeline t;
	struct maui_arena arena;
	struct maui_rsv_instance *instances;
	uint32_t count;
};

static struct standing_world *standing_at; /* world_each() hands over the inner one */

static inline uint64_t standing_flags(const char *part)
{
	static const struct {
		const char *word;
		enum maui_rsv_flag flag;
	} flags[] = { { "force", MAUI_RSV_FORCE },         { "space", MAUI_RSV_SPACEFLEX },
		      { "time", MAUI_RSV_TIMEFLEX },       { "dednode", MAUI_RSV_DEDICATEDNODE },
		      { "best", MAUI_RSV_BESTEFFORT },     { "dedres", MAUI_RSV_DEDICATEDRESOURCE },
		      { "standing", MAUI_RSV_STANDINGRES } };
	uint64_t mask = 0;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (world_has(part, flags[i].word))
			mask |= UINT64_C(1) << flags[i].flag;
	return mask;
}

static inline char *standing_copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

static inline void standing_times(const char *part, struct maui_rsv *rsv)
{
	rsv->depth = world_number(part, "depth", 1);
	rsv->days = 0x7f;
	rsv->period = world_has(part, "forever") ? MAUI_RSV_INFINITY :
		      world_has(part, "day")     ? MAUI_RSV_DAY :
		      world_has(part, "week")    ? MAUI_RSV_WEEK :
						   MAUI_RSV_ONCE;
	rsv->start_s = world_number(part, "start", 3600 * world_number(part, "from", 0));
	rsv->end_s = world_number(part, "end", 3600 * world_number(part, "to", 0));
	if (rsv->period == MAUI_RSV_ONCE && rsv->end_s == 0)
		rsv->end_s = MAUI_NEVER;
}

static inline void standing_rsv(struct world *w, const char *part)
{
	struct standing_world *s = standing_at;
	struct maui_rsv *rsv = &s->rsvs[s->rsv_count];
	const char *features = world_get(part, "feature"), *user = world_get(part, "user");
	static char name[16]; /* one ACL for all */
	static struct maui_acl_entry entry = { .kind = MAUI_CRED_USER,
					       .affinity = MAUI_AFFINITY_POSITIVE };

	(void)w;
	*rsv = (struct maui_rsv){ .name = strndup(part, strcspn(part, " ")),
				  .flags = standing_flags(part),
				  .owner_kind = -1,
				  .shared = world_has(part, "shared"),
				  .priority = world_number(part, "prio", 0),
				  .hosts = standing_copy(world_get(part, "hosts")),
				  .partition = standing_copy(world_get(part, "part")),
				  .task_count = world_number(part, "tasks", 0),
				  .tasks_per_node = world_number(part, "tpn", 0) };
	rsv->task = (struct maui_rsv_task){ world_number(part, "procs", -1),
					    world_number(part, "mem", 0),
					    world_number(part, "disk", 0), 0 };
	if (features)
		maui_words_split(features, ",", &rsv->features);
	if (user) {
		snprintf(name, sizeof(name), "%s", user);
		entry.name = name;
		rsv->acl = (struct maui_acl){ &entry, 1, 1 };
	}
	rsv->by_user = world_has(part, "userexclusive");
	if (rsv->by_user || world_has(part, "exclusive"))
		rsv->made_by = (char *)"root";
	standing_times(part, rsv);
	s->list[s->rsv_count++] = rsv;
}

/* A cluster with reservations, not placed yet. */
static inline void standing_make(struct standing_world *s, const char *nodes, const char *claims,
				 const char *running, const char *rsvs, int64_t now)
{
	struct maui_standing_targets *targets;

	setenv("TZ", "UTC", 1);
	*s = (struct standing_world){ 0 };
	standing_at = s;
	world_make(&s->w, "", nodes, claims, running, NULL, now);
	world_each(&s->w, rsvs, standing_rsv);
	cr_assert(maui_standing_targets(s->w.snapshot, s->list, s->rsv_count, &s->arena, &targets,
					NULL) == 0);
	s->input = (struct maui_standing_input){ .list = s->list,
						 .count = s->rsv_count,
						 .targets = targets,
						 .allocation = MAUI_ALLOC_FIRSTAVAILABLE };
}

static inline void standing_text(struct maui_strbuf *out, const struct standing_world *s,
				 const struct maui_rsv_instance *i)
{
	const struct maui_rsv *rsv = s->list[i->rsv];

	maui_strbuf_addf(out, "%s%s", out->length ? " " : "", rsv->name);
	if (rsv->period <= MAUI_RSV_WEEK)
		maui_strbuf_addf(out, ".%u", i->ordinal);
	if ((rsv->period == MAUI_RSV_ONCE && i->start_s != rsv->start_s) ||
	    (rsv->period == MAUI_RSV_INFINITY && i->start_s > s->w.now))
		maui_strbuf_addf(out, "@%d", (int)i->start_s);
	for (uint32_t k = 0; k < i->place_count; k++) {
		maui_strbuf_addf(out, "%sn%u", k ? "+" : ":", i->places[k].node);
		if (i->places[k].tasks > 1)
			maui_strbuf_addf(out, "*%d", (int)i->places[k].tasks);
	}
	if (i->missing > 0)
		maui_strbuf_addf(out, " !%d", (int)i->missing);
}

/* Places them once, and returns where they are; the caller frees. */
static inline char *standing_place(struct standing_world *s)
{
	struct maui_strbuf out = { 0 };

	cr_assert(maui_timeline_build(&s->t, s->w.snapshot, s->w.now, false) == 0);
	cr_assert(maui_standing_place(&s->t, s->w.snapshot, &s->input, s->w.now, &s->arena,
				      &s->instances, &s->count) == 0);
	maui_strbuf_addf(&out, "%s", "");
	for (uint32_t i = 0; i < s->count; i++)
		standing_text(&out, s, &s->instances[i]);
	return maui_strbuf_steal(&out);
}

static inline void standing_finish(struct standing_world *s)
{
	for (uint32_t r = 0; r < s->rsv_count; r++) {
		free(s->rsvs[r].name);
		free(s->rsvs[r].hosts);
		free(s->rsvs[r].partition);
		maui_words_finish(&s->rsvs[r].features);
	}
	maui_timeline_finish(&s->t);
	maui_arena_finish(&s->arena);
	world_finish(&s->w);
}

#endif
