/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation_stacked.c - node-locked reservations upon each other that together let nobody in
 *
 * Who is let into one reservation of several on a node has to be let into all of them (f.1). Said
 * where that is certain: whole nodes by HOSTLIST, windows of a week that overlap, and in both
 * nothing but plain names of one kind, none of them the same.
 */

#include "config/check/reservation_stacked.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/calendar.h"

/* As many of a node are compared, and as many names in all: no table of reservations, however
 * large, makes the check long. */
enum { MOST_ON_NODE = 8, MOST_NAMES = 4000000 };

struct maui_stacked {
	const struct maui_config *config;
	uint32_t (*on)[MOST_ON_NODE]; /* of each node: reservations, from 1; 0: no more */
	uint32_t *common;             /* of each reservation: nodes of the one looked at */
	uint32_t *met;                /* those that have any */
	uint32_t names;               /* compared */
};

struct maui_stacked *maui_stacked_create(const struct maui_config *config, size_t node_count)
{
	struct maui_stacked *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->config = config;
	s->on = calloc(node_count + 1, sizeof(*s->on));
	s->common = calloc(config->rsv_count + 1, sizeof(*s->common));
	s->met = calloc(config->rsv_count + 1, sizeof(*s->met));
	if (s->on && s->common && s->met)
		return s;
	maui_stacked_destroy(s);
	return NULL;
}

void maui_stacked_destroy(struct maui_stacked *s)
{
	if (!s)
		return;
	free(s->on);
	free(s->common);
	free(s->met);
	free(s);
}

/* ---- whom ---- */

/* The kind of all its entries, plain names; -1: it has others, or none. */
static int kind_of(const struct maui_rsv *rsv)
{
	const struct maui_acl_entry *first = rsv->acl.list;

	for (size_t i = 0; i < rsv->acl.count; i++) {
		const struct maui_acl_entry *entry = &rsv->acl.list[i];

		if (entry->kind >= MAUI_CRED_COUNT || entry->kind != first->kind || !entry->name ||
		    entry->required || entry->deny || entry->xor)
			return -1;
	}
	return rsv->acl.count > 0 ? first->kind : -1;
}

static bool share_no_name(struct maui_stacked *s, const struct maui_acl *a,
			  const struct maui_acl *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++)
			if (s->names++ >= MOST_NAMES ||
			    strcasecmp(a->list[i].name, b->list[k].name) == 0)
				return false;
	return true;
}

/* ---- when ---- */

struct window {
	int64_t from_s, until_s; /* of a week */
};

/* Those of any week. */
static int list_windows(const struct maui_rsv *rsv, struct window windows[7])
{
	bool week = rsv->period == MAUI_RSV_WEEK;
	int64_t whole = week ? MAUI_WEEK_S : MAUI_DAY_S;
	int64_t end_s = rsv->end_s <= 0 || rsv->end_s > whole ? whole : rsv->end_s;
	int count = 0;

	if (!maui_rsv_recurs(rsv)) {
		windows[0] = (struct window){ 0, MAUI_WEEK_S };
		return 1;
	}
	for (int day = 0; day < (week ? 1 : 7); day++)
		if ((week || rsv->days & 1u << day) && rsv->start_s < end_s)
			windows[count++] = (struct window){ day * MAUI_DAY_S + rsv->start_s,
							    day * MAUI_DAY_S + end_s };
	return count;
}

static bool overlap(const struct maui_rsv *a, const struct maui_rsv *b)
{
	struct window one[7], two[7];
	int one_count = list_windows(a, one), two_count = list_windows(b, two);

	for (int i = 0; i < one_count; i++)
		for (int k = 0; k < two_count; k++)
			if (one[i].from_s < two[k].until_s && two[k].from_s < one[i].until_s)
				return true;
	return false;
}

/* ---- where ---- */

/* Whether it has all of each of its hosts, and nobody gets in but by its lists. */
static bool counts(const struct maui_rsv *rsv)
{
	return rsv->hosts && rsv->task_count == 0 && kind_of(rsv) >= 0 &&
	       (rsv->task.procs == -1 || maui_rsv_has(rsv, MAUI_RSV_DEDICATEDNODE)) &&
	       !maui_rsv_has(rsv, MAUI_RSV_PREEMPTEE) && !maui_rsv_has(rsv, MAUI_RSV_SPACEFLEX) &&
	       !maui_rsv_has(rsv, MAUI_RSV_TIMEFLEX);
}

/* Enters it on its nodes, and lists those that are there before it. Returns how many. */
static uint32_t enter(struct maui_stacked *s, size_t rsv, const uint32_t *nodes, size_t count)
{
	uint32_t met = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t *on = s->on[nodes[i]], at = 0;

		for (; at < MOST_ON_NODE && on[at]; at++)
			if (s->common[on[at] - 1]++ == 0)
				s->met[met++] = on[at] - 1;
		if (at < MOST_ON_NODE)
			on[at] = (uint32_t)rsv + 1;
	}
	return met;
}

bool maui_stacked_note(struct maui_stacked *s, size_t index, const uint32_t *nodes, size_t count,
		       char *text, size_t size)
{
	const struct maui_rsv *rsv = &s->config->rsvs[index], *other;
	uint32_t met = counts(rsv) ? enter(s, index, nodes, count) : 0;
	bool found = false;

	for (uint32_t i = 0; i < met; i++) {
		uint32_t common = s->common[s->met[i]];

		s->common[s->met[i]] = 0;
		other = &s->config->rsvs[s->met[i]];
		if (found || kind_of(other) != kind_of(rsv) || !overlap(other, rsv) ||
		    !share_no_name(s, &other->acl, &rsv->acl))
			continue;
		found = true;
		snprintf(text, size,
			 "has %u node%s at times when SRCFG[%.300s] has %s, too, and nobody is let "
			 "into both",
			 common, common == 1 ? "" : "s", other->name, common == 1 ? "it" : "them");
	}
	return found;
}
