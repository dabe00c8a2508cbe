/* SPDX-License-Identifier: GPL-2.0-or-later */
/* anonymous_rsvs.c - reservations without names, as PrivateData=reservations asks for
 *
 * Lines of maui.cfg about reservations are not there either: each period that is planned stands as
 * a reservation of its own.
 *
 * Rules: CMD-35.
 */

#include "answers/anonymous_private.h"

#include <string.h>

#include "base/strbuf.h"
#include "plan/finished.h"

/* Whether a reservation of setres is hidden: its rows say who made it. */
static bool is_hidden_rsv(const struct maui_hiding *h, const struct maui_rsv *rsv)
{
	size_t at = maui_document_find(h->p, rsv->name, 0);

	return h->p->privacy.hide_rsvs &&
	       (at == h->p->rsv_count || !maui_document_shows(h->p, &h->p->rsvs[at], h->uid));
}

static int hide_acl(struct maui_hiding *h, struct maui_acl *acl)
{
	struct maui_acl_entry *list = maui_arena_alloc(h->arena, (acl->count + 1) * sizeof(*list));

	if (!list)
		return -1;
	for (size_t i = 0; i < acl->count; i++) {
		list[i] = acl->list[i];
		if (list[i].kind < MAUI_CRED_COUNT)
			list[i].name = (char *)maui_hiding_name(h, list[i].kind, list[i].name);
	}
	acl->list = list;
	return 0;
}

/* Nodes, times and flags count; who made it, owns it or pays for it does not. A number stands for
 * `name`. */
static struct maui_rsv *hide_rsv(struct maui_hiding *h, const struct maui_rsv *from,
				 const char *name)
{
	static char nobody[] = "hidden";
	struct maui_rsv *rsv = maui_arena_alloc(h->arena, sizeof(*rsv));

	if (!rsv)
		return NULL;
	*rsv = *from;
	rsv->name = (char *)maui_hiding_number(h, MAUI_HIDING_RSV, name);
	rsv->owner = (char *)(from->owner_kind >= 0 ?
				      maui_hiding_name(h, from->owner_kind, from->owner) :
				      NULL);
	rsv->charge_account = rsv->subtype = NULL;
	rsv->made_by = from->made_by ? nobody : NULL;
	rsv->made_uid_known = false;
	rsv->trigger_count = 0;
	return hide_acl(h, &rsv->acl) ? NULL : rsv;
}

/* The reservations of the new list, and which each was. */
struct listing {
	const struct maui_rsv **from, **to;
	uint32_t count;
};

static int begin_list(const struct maui_hiding *h, struct listing *list)
{
	size_t most = (size_t)h->plan->rsv_count + h->plan->instance_count + 1;

	*list = (struct listing){ .from = maui_arena_alloc(h->arena, most * sizeof(*list->from)),
				  .to = maui_arena_alloc(h->arena, most * sizeof(*list->to)) };
	return list->from && list->to ? 0 : -1;
}

static int add_rsv(struct listing *list, const struct maui_rsv *from, const struct maui_rsv *to)
{
	list->from[list->count] = from;
	list->to[list->count++] = to;
	return to ? 0 : -1;
}

/* One period of a reservation of maui.cfg. Later ones, which nobody has planned yet, are not there:
 * the saved plan has no line that says when they begin. */
static struct maui_rsv *make_period(struct maui_hiding *h, const struct maui_rsv *from,
				    const struct maui_saved_instance *instance)
{
	char *name = maui_rsv_stable_name(from, instance->day, "period ", h->arena);
	struct maui_rsv *rsv = name ? hide_rsv(h, from, name) : NULL;

	if (!rsv)
		return NULL;
	rsv->period = MAUI_RSV_ONCE;
	rsv->start_s = instance->start_s;
	rsv->end_s = instance->end_s;
	rsv->days = 0;
	rsv->depth = 1;
	rsv->idle_s = 0;
	return rsv;
}

static int take_periods(struct maui_hiding *h, struct listing *list)
{
	const struct maui_plan *plan = h->p->plan;
	struct maui_saved_instance *instances = (struct maui_saved_instance *)h->plan->instances;

	/* both lists have the same order */
	for (uint32_t i = 0; i < h->plan->instance_count; i++) {
		uint32_t rsv = plan->decisions.instances[i].rsv;
		const struct maui_rsv *from = plan->standing->list[rsv], *period;

		if (rsv >= plan->config->rsv_count)
			continue;
		period = make_period(h, from, &instances[i]);
		if (add_rsv(list, from, period))
			return -1;
		instances[i].rsv = period->name;
		instances[i].day = 0;
	}
	return 0;
}

/* The reservations of setres. */
static int take_admin(struct maui_hiding *h, struct listing *list)
{
	struct maui_saved_instance *instances = (struct maui_saved_instance *)h->plan->instances;

	for (uint32_t i = 0; i < h->plan->rsv_count; i++) {
		const struct maui_rsv *from = h->plan->rsvs[i];
		const struct maui_rsv *to =
			is_hidden_rsv(h, from) ? hide_rsv(h, from, from->name) : from;

		if (add_rsv(list, from, to))
			return -1;
		for (uint32_t k = 0; k < h->plan->instance_count; k++)
			if (instances[k].rsv == from->name)
				instances[k].rsv = to->name;
	}
	return 0;
}

/* What is released of maui.cfg's reservations is not planned, so it is not there any more. */
static void take_releases(struct maui_hiding *h, const struct listing *list)
{
	struct maui_saved_release *releases = (struct maui_saved_release *)h->plan->releases;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < h->plan->release_count; i++)
		for (uint32_t k = 0; k < list->count; k++)
			if (list->from[k]->made_by && list->from[k]->name == releases[i].rsv) {
				releases[kept] = releases[i];
				releases[kept++].rsv = list->to[k]->name;
				break;
			}
	h->plan->release_count = kept;
}

/* What a job calls its reservations: by their new names, or as it does if there is none. */
static const char *name_again(struct maui_hiding *h, const struct listing *list, const char *advres)
{
	struct maui_strbuf text = { 0 };
	const char *named;

	if (!advres)
		return NULL;
	for (uint32_t i = 0; i < list->count; i++)
		if (maui_rsv_is_meant(list->from[i], advres))
			maui_strbuf_addf(&text, "%s%s", text.length > 0 ? "," : "",
					 list->to[i]->name);
	named = text.length > 0 ? text.text : maui_hiding_number(h, MAUI_HIDING_RSV, advres);
	named = named && !text.failed ? maui_arena_strdup(h->arena, named) : NULL;
	h->failed |= !named;
	maui_strbuf_finish(&text);
	return named;
}

static void name_all(struct maui_hiding *h, const struct listing *list)
{
	for (uint32_t i = 0; i < h->s->idle_count; i++)
		h->s->idle[i].advres = name_again(h, list, h->s->idle[i].advres);
	for (uint32_t i = 0; i < h->s->active_count; i++)
		h->s->active[i].advres = name_again(h, list, h->s->active[i].advres);
}

/* Slurm's reservations are claims without names. */
static int take_claims(struct maui_hiding *h)
{
	struct maui_claim *claims =
		maui_arena_alloc(h->arena, (h->s->claim_count + 1u) * sizeof(*claims));
	struct maui_global_claim *global =
		maui_arena_alloc(h->arena, (h->s->global_claim_count + 1u) * sizeof(*global));

	if (!claims || !global)
		return -1;
	for (uint32_t i = 0; i < h->s->claim_count; i++) {
		claims[i] = h->s->claims[i];
		claims[i].name = maui_hiding_number(h, MAUI_HIDING_RSV, claims[i].name);
	}
	for (uint32_t i = 0; i < h->s->global_claim_count; i++) {
		global[i] = h->s->global_claims[i];
		global[i].name = maui_hiding_number(h, MAUI_HIDING_RSV, global[i].name);
	}
	h->s->claims = claims;
	h->s->global_claims = global;
	return 0;
}

int maui_hiding_rsvs(struct maui_hiding *h)
{
	struct listing list;

	if (begin_list(h, &list) || take_periods(h, &list) || take_admin(h, &list) ||
	    take_claims(h))
		return -1;
	take_releases(h, &list);
	name_all(h, &list);
	h->plan->rsvs = list.to;
	h->plan->rsv_count = list.count;
	return 0;
}
