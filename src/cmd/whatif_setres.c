/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_setres.c - the reservation of maui whatif --setres: made as setres makes it, with the
 * rights and bounds of the user, and refused as setres refuses it
 *
 * Rules: CMD-53.
 */

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "admin/admin.h"
#include "admin/bounds.h"
#include "base/need.h"
#include "cmd/whatif.h"
#include "model/decision.h"
#include "answers/document_publish.h"

/* Who asks, as slurmctld would see it; of SlurmUser and Slurm's operators it alone knows. */
static void find_rights(const struct maui_config *config, char *name, size_t size,
			struct maui_rights *ret)
{
	const struct passwd *pw = getpwuid(geteuid());

	*ret = (struct maui_rights){ .uid = geteuid(), .any_creates = config->res_ctl_any };
	if (pw) {
		strncpy(name, pw->pw_name, size - 1);
		ret->name = name;
	}
	ret->admin = maui_rights_is_admin(ret->uid, ret->name, 0, config->admins, 1);
}

/* The administrative reservations of the plan become a list that setres may change, with room for
 * one more. They stay the plan's. */
static void take_list(struct maui_saved_plan *plan, struct maui_admin *admin)
{
	const struct maui_rsv **list =
		maui_need(maui_arena_alloc(&plan->arena, (plan->rsv_count + 1u) * sizeof(*list)));

	admin->list = maui_need_list(plan->rsv_count + 1u, sizeof(*admin->list));
	for (uint32_t i = 0; i < plan->rsv_count; i++) {
		admin->list[i] = *plan->rsvs[i];
		list[i] = &admin->list[i];
	}
	admin->count = plan->rsv_count;
	admin->alloc = plan->rsv_count + 1u;
	plan->rsvs = list;
}

int maui_whatif_set(struct maui_whatif *w, struct maui_saved_plan *plan, struct maui_err *err)
{
	struct maui_document *nodes = maui_need(maui_document_create(plan->now_s, NULL));
	struct maui_admin admin = { .published = nodes };
	struct maui_query_error error;
	struct maui_rights who;
	char name[256] = "";
	bool created;
	int rc;

	find_rights(w->config, name, sizeof(name), &who);
	maui_document_nodes(nodes, plan->snapshot);
	if (nodes->failed)
		maui_out_of_memory();
	take_list(plan, &admin);
	w->made = admin.list;
	rc = maui_admin_set(&admin, &who, w->config, w->setres, plan->now_s, &w->set, &created,
			    &w->warning, &error);
	maui_document_unref(nodes);
	if (rc != 0)
		return maui_err_set(err, "--setres: %s", error.err.text);
	if (created)
		((const struct maui_rsv **)plan->rsvs)[plan->rsv_count++] = &admin.list[w->set];
	return 0;
}

int maui_whatif_check_set(const struct maui_whatif *w, const struct maui_sim_first_plan *first,
			  struct maui_err *err)
{
	const struct maui_bounds_plan plan = {
		.snapshot = first->snapshot,
		.standing = first->standing,
		.instances = first->decisions->instances,
		.instance_count = first->decisions->instance_count,
		.now_s = first->now_s,
	};
	struct maui_query_error error;
	struct maui_rights who;
	char name[256] = "";

	if (!w->setres || !first->standing)
		return 0;
	find_rights(w->config, name, sizeof(name), &who);
	return maui_bounds_planned(&plan, (uint32_t)(w->config->rsv_count + w->set), &who,
				   w->config, &error) ?
		       maui_err_set(err, "--setres: %s", error.err.text) :
		       0;
}
