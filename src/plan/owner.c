/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner.c - OWNERPREEMPT: who owns a reservation, and which jobs the owner's jobs may preempt
 *
 * Rules: RSV-14.
 */

#include "plan/private.h"
#include "reservation/access/access.h"

static const struct maui_rsv *rsv_of(const struct maui_planner *p, uint32_t instance)
{
	return p->input->standing->list[p->out->instances[instance].rsv];
}

int maui_plan_list_owned(struct maui_planner *p)
{
	p->owners.instance_count = 0;
	p->owners.instances = NULL;
	for (uint32_t i = 0; i < p->out->instance_count; i++) {
		if (!maui_rsv_lets_owner_preempt(rsv_of(p, i), &p->out->instances[i], p->now))
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

bool maui_plan_owns_instance(const struct maui_planner *p, uint32_t instance, uint32_t creds)
{
	return maui_access_is_owners(rsv_of(p, instance), p->snapshot->creds[creds].cred);
}

bool maui_plan_owns(const struct maui_planner *p, uint32_t creds)
{
	for (uint32_t i = 0; i < p->owners.instance_count; i++)
		if (maui_plan_owns_instance(p, p->owners.instances[i], creds))
			return true;
	return false;
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
