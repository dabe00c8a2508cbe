/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner.c - OWNERPREEMPT: who owns a reservation, and which jobs the owner's jobs may preempt
 *
 * Rules: RSV-14.
 */

#include "plan/private.h"
#include "reservation/access/access.h"

static bool is_owners(const struct maui_planner *p, const struct maui_rsv *rsv, uint32_t creds)
{
	const char *name;

	if (rsv->owner_kind < 0 || rsv->owner_kind >= MAUI_CRED_COUNT || !rsv->owner)
		return false;
	name = p->snapshot->creds[creds].cred[rsv->owner_kind];
	return name && maui_access_same_name(rsv->owner_kind, name, rsv->owner);
}

/* Whether the instance has begun and lets its owner's jobs preempt others. */
static bool lets_owner_preempt(const struct maui_planner *p,
			       const struct maui_rsv_instance *instance)
{
	const struct maui_rsv *rsv = p->input->standing->list[instance->rsv];

	return instance->start_s <= p->now && instance->end_s > p->now &&
	       instance->place_count > 0 && maui_rsv_has(rsv, MAUI_RSV_OWNERPREEMPT);
}

int maui_plan_list_owned(struct maui_planner *p)
{
	p->owners.instance_count = 0;
	p->owners.instances = NULL;
	for (uint32_t i = 0; i < p->out->instance_count; i++) {
		if (!lets_owner_preempt(p, &p->out->instances[i]))
			continue;
		if (!p->owners.instances)
			p->owners.instances = maui_arena_alloc(
				&p->arena, p->out->instance_count * sizeof(*p->owners.instances));
		if (!p->owners.instances)
			return -1;
		p->owners.instances[p->owners.instance_count++] = i;
	}
	return 0;
}

static const struct maui_rsv *rsv_of(const struct maui_planner *p, uint32_t instance)
{
	return p->input->standing->list[p->out->instances[instance].rsv];
}

bool maui_plan_owns(const struct maui_planner *p, uint32_t creds)
{
	for (uint32_t i = 0; i < p->owners.instance_count; i++)
		if (is_owners(p, rsv_of(p, p->owners.instances[i]), creds))
			return true;
	return false;
}

bool maui_plan_owns_instance(const struct maui_planner *p, uint32_t instance, uint32_t creds)
{
	return is_owners(p, rsv_of(p, instance), creds);
}

bool maui_plan_is_occupying(const struct maui_planner *p, uint32_t creds,
			    const struct maui_active *active)
{
	if (p->owners.instance_count == 0)
		return false;
	for (const struct maui_plan_occupied *on =
		     p->owners.occupying[active - p->snapshot->active];
	     on; on = on->next)
		if (maui_plan_owns_instance(p, on->instance, creds) &&
		    !maui_plan_owns_instance(p, on->instance, active->creds))
			return true;
	return false;
}
