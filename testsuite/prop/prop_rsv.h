/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_rsv.h - random reservations for the random clusters of prop_cluster.h */
#ifndef MAUI_TESTSUITE_PROP_RSV_H
#define MAUI_TESTSUITE_PROP_RSV_H

#include "base/strbuf.h"
#include "model/rsv.h"
#include "prop_cluster.h"

enum { RSVS = 5 };

static struct prop_recipe recipe;
static struct maui_rsv rsvs[RSVS];
static const struct maui_rsv *rsv_list[RSVS];
static uint32_t rsv_count;
static char node_names[PROP_NODES][16];

static const char *word(const char *const *words, unsigned count)
{
	return words[prop_pick(count)];
}

static struct maui_acl_entry *draw_entry(struct maui_rsv *r, int kind)
{
	struct maui_acl_entry *grown =
		realloc(r->acl.list, (r->acl.count + 1) * sizeof(*r->acl.list));

	PROP_CHECK(grown, "memory");
	r->acl.list = grown;
	grown[r->acl.count] = (struct maui_acl_entry){ .kind = kind,
						       .affinity = (int)prop_pick(3) - 1,
						       .required = prop_pick(8) == 0 };
	return &grown[r->acl.count++];
}

static void draw_acl(struct maui_rsv *r)
{
	static const char *const users[] = { "ann", "bob", "eve" };
	static const char *const classes[] = { "p0", "p1", "p2" };
	struct maui_acl_entry *entry;

	for (unsigned i = prop_pick(3); i > 0; i--) {
		entry = draw_entry(r, MAUI_CRED_USER);
		entry->name = strdup(word(users, 3));
		entry->deny = prop_pick(8) == 0;
	}
	if (prop_pick(3) == 0)
		draw_entry(r, MAUI_CRED_CLASS)->name = strdup(word(classes, 3));
	if (prop_pick(4) == 0)
		draw_entry(r, MAUI_CRED_QOS)->name = strdup("high");
	if (prop_pick(2))
		draw_entry(r, MAUI_ACL_DURATION)->value = 1 + prop_pick(40);
	for (int kind = MAUI_ACL_TASK; kind <= MAUI_ACL_PROC; kind++) {
		if (prop_pick(5) > 0)
			continue;
		entry = draw_entry(r, kind);
		entry->value = 1 + prop_pick(6);
		if (prop_pick(3) == 0)
			entry->order = MAUI_ACL_AT_LEAST;
	}
}

/* A job that its access list admits now and then. */
static void draw_owner(struct maui_rsv *r)
{
	static const char *const users[] = { "ann", "bob", "eve" };

	if (prop_pick(2))
		return;
	r->owner_kind = MAUI_CRED_USER;
	r->owner = strdup(users[prop_pick(4) ? 0 : prop_pick(3)]);
	r->flags |= UINT64_C(1) << MAUI_RSV_OWNERPREEMPT;
	if (prop_pick(4))
		draw_entry(r, MAUI_CRED_USER)->name = strdup(r->owner);
	if (prop_pick(2))
		r->start_s = PROP_NOW - 20;
}

static void draw_hosts(struct maui_rsv *r)
{
	struct maui_strbuf hosts = { 0 };

	for (uint32_t n = 0; n < recipe.node_count; n++)
		if (prop_pick(2))
			maui_strbuf_addf(&hosts, "%s%s", hosts.length ? "," : "", node_names[n]);
	r->hosts = maui_strbuf_steal(&hosts);
}

static void draw_rsv(uint32_t index)
{
	static const char *const names[RSVS] = { "r0", "r1", "r2", "r3", "r4" };
	struct maui_rsv *r = &rsvs[index];

	maui_rsv_finish(r);
	*r = (struct maui_rsv){ .name = strdup(names[index]),
				.owner_kind = -1,
				.period = MAUI_RSV_ONCE,
				.depth = 1,
				.start_s = PROP_NOW - 20 + prop_pick(60),
				.priority = prop_pick(3) };
	r->end_s = prop_pick(8) ? r->start_s + 1 + prop_pick(80) : MAUI_NEVER;
	draw_owner(r);
	if (prop_pick(3) == 0) { /* two days: both windows, a night between them */
		r->period = MAUI_RSV_DAY;
		r->days = 127;
		r->depth = 2;
		r->start_s = 950 + prop_pick(80);
		r->end_s = r->start_s + 1 + prop_pick(80);
	}
	r->task = (struct maui_rsv_task){ .procs = prop_pick(2) ? -1 : (int64_t)(1 + prop_pick(4)),
					  .mem_mb = prop_pick(2) ? 0 : prop_pick(30) };
	if (prop_pick(2))
		draw_hosts(r);
	if (!r->hosts || prop_pick(2))
		r->task_count = 1 + prop_pick(5);
	if (prop_pick(6) == 0)
		r->flags |= UINT64_C(1) << MAUI_RSV_BYNAME;
	if (prop_pick(6) == 0)
		r->shared = true;
	draw_acl(r);
	rsv_list[index] = r;
}

#endif
