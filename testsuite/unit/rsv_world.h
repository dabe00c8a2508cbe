/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_world.h - reservations for the worlds of plan_world.h, as text
 *
 *   "R hosts=n0,n1 users=ann,bob- limit=30 start=10 end=50; S count=2 procs=8 classes=p0"
 * Keys: hosts (node names), count (TASKCOUNT), procs, mem (of a task; without procs whole nodes),
 * start, end, depth (every day then, of 24 hours without start and end), limit (TIMELIMIT), last
 * (the same behind all lists, with negative affinity), atleast (PROCLIMIT=>=), most (PROCLIMIT),
 * few (TASKLIMIT), priority, owner=USER:ann, users, qos, classes: names with their marks; words:
 * byname, dedicated (DEDICATEDNODE), ownerpreempt, preemptee, singleuse, spaceflex, required (the
 * limit), attr (JOBATTRLIST=PREEMPTEE).
 */
#ifndef MAUI_TESTSUITE_RSV_WORLD_H
#define MAUI_TESTSUITE_RSV_WORLD_H

#include "plan_world.h"

#include "reservation/placement/placement.h"

struct rsv_world {
	struct world world;
	struct maui_rsv rsvs[WORLD_MOST];
	const struct maui_rsv *list[WORLD_MOST];
	struct maui_standing_input input;
	struct maui_arena arena;
};

static struct rsv_world rsv_world;

static inline struct maui_acl_entry *rsv_entry(struct maui_rsv *r, int kind)
{
	struct maui_acl_entry *grown =
		realloc(r->acl.list, (r->acl.count + 1) * sizeof(*r->acl.list));

	cr_assert(grown, "memory");
	r->acl.list = grown;
	grown[r->acl.count] =
		(struct maui_acl_entry){ .kind = kind, .affinity = MAUI_AFFINITY_POSITIVE };
	return &grown[r->acl.count++];
}

/* "ann,bob-,!eve" */
static inline void rsv_names(struct maui_rsv *r, int kind, const char *text)
{
	while (text && *text) {
		struct maui_acl_entry *entry = rsv_entry(r, kind);
		size_t length = strcspn(text, ",");
		const char *end = text + length;

		for (; strchr("!*^", *text); text++) {
			entry->deny |= *text == '!';
			entry->required |= *text == '*';
			entry->xor |= *text == '^';
		}
		length = (size_t)(end - text);
		if (strchr("+-=", end[-1])) {
			length--;
			entry->affinity = end[-1] == '+' ? 1 : end[-1] == '-' ? -1 : 0;
		}
		entry->name = strndup(text, length);
		text = end + (*end == ',');
	}
}

static inline void rsv_add(struct world *w, const char *part)
{
	struct maui_rsv *r = &rsv_world.rsvs[rsv_world.input.count];
	const char *hosts = world_get(part, "hosts"), *owner = world_get(part, "owner");

	(void)w;
	*r = (struct maui_rsv){ .name = strndup(part, strcspn(part, " ")),
				.owner_kind = owner ? MAUI_CRED_USER : -1,
				.owner = owner ? strdup(strchr(owner, ':') + 1) : NULL,
				.hosts = hosts ? strdup(hosts) : NULL,
				.task = { .procs = world_number(part, "procs", -1),
					  .mem_mb = world_number(part, "mem", 0) },
				.task_count = world_number(part, "count", 0),
				.priority = world_number(part, "priority", 0),
				.period = MAUI_RSV_ONCE,
				.start_s = world_number(part, "start", 0),
				.end_s = world_number(part, "end", MAUI_NEVER),
				.depth = 1 };
	if (world_get(part, "depth")) {
		r->period = MAUI_RSV_DAY;
		r->end_s = world_number(part, "end", 0);
		r->days = 0x7f;
		r->depth = world_number(part, "depth", 1);
	}
	r->flags |= (uint64_t)world_has(part, "byname") << MAUI_RSV_BYNAME;
	r->flags |= (uint64_t)world_has(part, "dedicated") << MAUI_RSV_DEDICATEDNODE;
	r->flags |= (uint64_t)world_has(part, "ownerpreempt") << MAUI_RSV_OWNERPREEMPT;
	r->flags |= (uint64_t)world_has(part, "preemptee") << MAUI_RSV_PREEMPTEE;
	r->flags |= (uint64_t)world_has(part, "singleuse") << MAUI_RSV_SINGLEUSE;
	r->flags |= (uint64_t)world_has(part, "spaceflex") << MAUI_RSV_SPACEFLEX;
	if (world_has(part, "attr"))
		rsv_entry(r, MAUI_ACL_JOBATTR)->name = strdup("PREEMPTEE");
	if (world_get(part, "limit")) {
		struct maui_acl_entry *entry = rsv_entry(r, MAUI_ACL_DURATION);

		entry->value = world_number(part, "limit", 0);
		entry->required = world_has(part, "required");
	}
	if (world_get(part, "atleast")) {
		struct maui_acl_entry *entry = rsv_entry(r, MAUI_ACL_PROC);

		entry->value = world_number(part, "atleast", 0);
		entry->order = MAUI_ACL_AT_LEAST;
	}
	if (world_get(part, "most"))
		rsv_entry(r, MAUI_ACL_PROC)->value = world_number(part, "most", 0);
	if (world_get(part, "few"))
		rsv_entry(r, MAUI_ACL_TASK)->value = world_number(part, "few", 0);
	rsv_names(r, MAUI_CRED_USER, world_get(part, "users"));
	rsv_names(r, MAUI_CRED_QOS, world_get(part, "qos"));
	rsv_names(r, MAUI_CRED_CLASS, world_get(part, "classes"));
	if (world_get(part, "last")) {
		struct maui_acl_entry *entry = rsv_entry(r, MAUI_ACL_DURATION);

		entry->value = world_number(part, "last", 0);
		entry->affinity = MAUI_AFFINITY_NEGATIVE;
	}
	rsv_world.list[rsv_world.input.count++] = r;
}

/* world_make() with reservations. */
static inline struct world *rsv_make(const char *config, const char *nodes, const char *claims,
				     const char *reservations, const char *running,
				     const char *queue)
{
	struct maui_standing_targets *targets;
	struct world *w = &rsv_world.world;
	struct maui_err err = { .text = "" };

	memset(&rsv_world, 0, sizeof(rsv_world));
	world_make(w, config, nodes, claims, running, queue, 0);
	world_each(w, reservations, rsv_add);
	rsv_world.input.list = rsv_world.list;
	rsv_world.input.allocation = MAUI_ALLOC_FIRSTAVAILABLE;
	cr_assert(maui_standing_targets(w->snapshot, rsv_world.list, rsv_world.input.count,
					&rsv_world.arena, &targets, &err) == 0,
		  "%s", err.text);
	rsv_world.input.targets = targets;
	w->standing = &rsv_world.input;
	return w;
}

static inline void rsv_drop(void)
{
	for (uint32_t i = 0; i < rsv_world.input.count; i++)
		maui_rsv_finish(&rsv_world.rsvs[i]);
	world_finish(&rsv_world.world);
	maui_arena_finish(&rsv_world.arena);
}

#endif
