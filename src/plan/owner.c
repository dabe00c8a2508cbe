/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner.c - OWNERPREEMPT: whose reservation it is, and who sits on it (rulings f.5, j.1) */

#include "plan/private.h"
#include "policy/access.h"

static bool is_owners(const struct maui_planner *p, const struct maui_rsv *rsv, uint32_t creds)
{
	const char *name;

	if (rsv->owner_kind < 0 || rsv->owner_kind >= MAUI_CRED_COUNT || !rsv->owner)
		return false;
	name = p->snapshot->creds[creds].cred[rsv->owner_kind];
	return name && maui_access_same_name(rsv->owner_kind, name, rsv->owner);
}

/* Whether the instance has begun and lets its owner's jobs push others off. */
static bool pushes(const struct maui_planner *p, const struct maui_rsv_instance *instance)
{
	const struct maui_rsv *rsv = p->input->standing->list[instance->rsv];

	return instance->start_s <= p->now && instance->end_s > p->now &&
	       instance->place_count > 0 && maui_rsv_has(rsv, MAUI_RSV_OWNERPREEMPT);
}

int maui_plan_owned(struct maui_planner *p)
{
	p->owned_count = 0;
	p->owned = NULL;
	for (uint32_t i = 0; i < p->out->instance_count; i++) {
		if (!pushes(p, &p->out->instances[i]))
			continue;
		if (!p->owned)
			p->owned = maui_arena_alloc(&p->arena,
						    p->out->instance_count * sizeof(*p->owned));
		if (!p->owned)
			return -1;
		p->owned[p->owned_count++] = i;
	}
	return 0;
}

static const struct maui_rsv *rsv_of(const struct maui_planner *p, uint32_t instance)
{
	return p->input->standing->list[p->out->instances[instance].rsv];
}

bool maui_plan_owns(const struct maui_planner *p, uint32_t creds)
{
	for (uint32_t i = 0; i < p->owned_count; i++)
		if (is_owners(p, rsv_of(p, p->owned[i]), creds))
			return true;
	return false;
}

static bool has_node(const struct maui_rsv_instance *instance, uint32_t node)
{
	uint32_t low = 0, high = instance->place_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (instance->places[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low < instance->place_count && instance->places[low].node == node;
}

static bool is_on(const struct maui_active *active, const struct maui_rsv_instance *instance)
{
	for (uint32_t i = 0; i < active->piece_count; i++)
		if (has_node(instance, active->pieces[i].node))
			return true;
	return false;
}

bool maui_plan_is_squatter(const struct maui_planner *p, uint32_t creds,
			   const struct maui_active *active)
{
	for (uint32_t i = 0; i < p->owned_count; i++) {
		const struct maui_rsv *rsv = rsv_of(p, p->owned[i]);

		if (is_owners(p, rsv, creds) && !is_owners(p, rsv, active->creds) &&
		    is_on(active, &p->out->instances[p->owned[i]]))
			return true;
	}
	return false;
}
