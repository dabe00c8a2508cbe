/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setres.c - a setres in the cycle that takes it: made, judged by the plan, answered or undone
 *
 * Rules: CMD-14.
 */

#include "slurm/compat.h"

#include "controller/sched/admin_changes.h"

#include <string.h>

#include "admin/bounds.h"
#include "admin/set_answer.h"
#include "admin/warning.h"
#include "answers/answer.h"
#include "config/check/known_names.h"
#include "config/check/reservation.h"
#include "config/rsv_attributes.h"
#include "controller/query.h"
#include "model/mirror.h"
#include "slurm/capture/resv.h"

enum { WARNINGS_MAX = 20 }; /* in one answer */

/* Keeps a copy of the reservation of this name, if it exists. -1 without memory. */
static int keep_before(const struct maui_admin *admin, const char *name,
		       struct maui_sched_change *made)
{
	size_t index = name ? maui_admin_find(admin, name) : SIZE_MAX;

	return index == SIZE_MAX ? 0 : maui_rsv_copy(&admin->list[index], &made->before);
}

static size_t find_rsv(const struct maui_rsv_lists *rsvs, const char *name)
{
	size_t i = 0;

	while (i < rsvs->rsv_count && strcmp(rsvs->rsvs[i].name, name) != 0)
		i++;
	return i;
}

static void undo(struct maui_iteration *it, struct maui_sched_change *made, size_t index)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;

	info("slurm-maui: reservation %s %s again: %s", rsvs->rsvs[index].name,
	     made->created ? "removed" : "as before", made->error.err.text);
	maui_rsv_finish(&rsvs->rsvs[index]);
	if (made->created) {
		rsvs->rsv_count--;
		memmove(&rsvs->rsvs[index], &rsvs->rsvs[index + 1],
			(rsvs->rsv_count - index) * sizeof(*rsvs->rsvs));
	} else {
		rsvs->rsvs[index] = made->before;
		made->before = (struct maui_rsv){ 0 };
	}
	maui_sched_publish_names(it);
}

struct maui_admin maui_sched_admin(const struct maui_iteration *it)
{
	const struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	const struct maui_document *published = it->sched->document;
	struct maui_admin ret = { .list = rsvs->rsvs,
				  .count = rsvs->rsv_count,
				  .alloc = rsvs->rsv_alloc,
				  .published = published };

	if (published)
		ret.nodes = (struct maui_admin_nodes){ published->nodes, published->node_count };
	return ret;
}

void maui_sched_make_setres(struct maui_iteration *it, const struct maui_rights *who,
			    const struct maui_setres_args *args, struct maui_sched_change *made)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_admin admin = maui_sched_admin(it);
	size_t index;
	int rc;

	if (keep_before(&admin, args->name, made)) {
		maui_query_no_memory(&made->error);
		return;
	}
	rc = maui_admin_set(&admin, who, it->c->config, args, time(NULL), &index, &made->created,
			    &made->warning, &made->error);
	rsvs->rsvs = admin.list;
	rsvs->rsv_count = admin.count;
	rsvs->rsv_alloc = admin.alloc;
	if (rc != 0)
		return;
	if (made->created)
		rsvs->rsvs[index].trial = maui_controller_is_trial(it->c);
	made->name = maui_arena_strdup(&it->arena, rsvs->rsvs[index].name);
	if (!made->name) {
		maui_query_no_memory(&made->error);
		undo(it, made, index);
		return;
	}
	maui_sched_publish_names(it);
	it->save = true;
	info("slurm-maui: reservation %s %s by %s", rsvs->rsvs[index].name,
	     made->created ? "made" : "changed", maui_rights_name(who));
}

void maui_sched_undo_setres(struct maui_iteration *it, struct maui_sched_change *made)
{
	size_t index = find_rsv(&it->sched->rsvs, made->name);

	if (index < it->sched->rsvs.rsv_count)
		undo(it, made, index);
}

/* The tasks that the reservation lacks in the last published plan. */
static int64_t missing_of(const struct maui_document *p, const char *name)
{
	for (size_t i = 0; p && i < p->rsv_count; i++)
		if (p->rsvs[i].type != MAUI_DOCUMENT_JOB && strcmp(p->rsvs[i].name, name) == 0)
			return p->rsvs[i].missing;
	return 0;
}

bool maui_sched_is_setres_granted(struct maui_iteration *it, struct maui_sched_change *made)
{
	const struct maui_bounds_plan plan = {
		.snapshot = it->cluster.snapshot,
		.standing = &it->standing,
		.instances = it->sched->decisions.instances,
		.instance_count = it->sched->decisions.instance_count,
		.now_s = it->cluster.now_s,
		.published = it->sched->document,
		.missing_before = made->created ? 0 : missing_of(it->sched->document, made->name),
	};
	int64_t rsv = maui_sched_find_rsv(it, made->name);
	struct maui_rights who;

	if (rsv < 0)
		return true;
	return maui_controller_query_who(it->c, &made->change->peer, &who, &made->error) == 0 &&
	       maui_bounds_planned(&plan, (uint32_t)rsv, &who, it->c->config, &made->error) == 0;
}

/* The command has looked up users and groups; here a name service would be too slow. */
static bool is_unknown(const void *context, int kind, const char *name)
{
	return kind != MAUI_CRED_USER && kind != MAUI_CRED_GROUP &&
	       maui_sched_is_unknown(context, kind, name);
}

/* Warns of unknown partitions, accounts and QOS, as for a SRCFG. The snapshot of the plan has the
 * partitions. */
static void warn_of_names(const struct maui_iteration *it, struct maui_sched_change *made)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_config one = { .rsv_count = 1 };
	struct maui_diags diags = { 0 };
	size_t i = find_rsv(rsvs, made->name);

	if (!s || s->partition_count == 0 || i == rsvs->rsv_count)
		return;
	one.rsvs = &rsvs->rsvs[i];
	maui_config_check_empty_partitions(&one, s, &diags);
	maui_config_check_known(&one, is_unknown, it, &diags);
	for (i = 0; i < diags.count && i < WARNINGS_MAX; i++)
		maui_admin_warn(&made->warning, "%s",
				maui_rsv_plain_text(&diags.list[i], one.rsvs->name));
	if (diags.count > WARNINGS_MAX)
		maui_admin_warn(&made->warning, "and %zu more", diags.count - WARNINGS_MAX);
	maui_diags_finish(&diags);
}

/* Warns that the reservation keeps no node free, or that Slurm has a reservation of the same
 * name. */
static void warn_of_use(const struct maui_iteration *it, struct maui_sched_change *made)
{
	if (maui_controller_is_trial(it->c))
		maui_admin_warn(&made->warning,
				"SERVERMODE is TEST: this is a trial, no node is kept free%s",
				made->created ?
					"; the reservation is gone when the trial ends, unless "
					"maui trial --keep" :
					"");
	else if (it->c->config->server_mode != MAUI_SERVER_NORMAL)
		maui_admin_warn(
			&made->warning,
			"SERVERMODE is TEST: Slurm does not show this change before NORMAL");
	if (maui_resv_is_there(made->name))
		maui_admin_warn(&made->warning,
				"Slurm has a reservation %s, too: --reservation=%s means Slurm's; "
				"--reservation=" MAUI_MIRROR_PREFIX "%s.0 means this one",
				made->name, made->name, made->name);
}

/* An earlier document may have the reservation as it was. */
const struct maui_setres *maui_sched_answer_setres(struct maui_iteration *it,
						   struct maui_sched_change *made)
{
	const struct maui_question q = {
		.document = it->document,
		.uid = made->change->peer.uid,
		.arena = &it->arena,
		.error = &made->error,
	};

	warn_of_names(it, made);
	warn_of_use(it, made);
	return maui_admin_set_answer(&q, made->name, made->created, made->warning);
}
