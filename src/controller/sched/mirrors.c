/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirrors.c - shows instances as Slurm reservations, and follows what scontrol changes in them
 *
 * When a user changes the mirror of a standing reservation with scontrol, slurm/mirror restores
 * the mirror. When a user changes the mirror of an administrative reservation, this file changes
 * the reservation in the same way, and the next plan uses it.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/mirror.h"

char *maui_sched_mirror_name(const struct maui_iteration *it,
			     const struct maui_rsv_instance *instance, struct maui_arena *arena)
{
	return maui_rsv_stable_name(it->standing.list[instance->rsv], instance->day,
				    MAUI_MIRROR_PREFIX, arena);
}

static const uint32_t *node_ids(struct maui_iteration *it, const struct maui_rsv_instance *instance)
{
	uint32_t *ids = maui_arena_alloc(&it->arena, (instance->place_count + 1u) * sizeof(*ids));

	for (uint32_t i = 0; ids && i < instance->place_count; i++)
		ids[i] = it->cluster.snapshot->nodes[instance->places[i].node].id;
	return ids;
}

/* All instances of the plan, as mirrors. NULL without memory. */
static struct maui_mirror_want *list_wants(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_mirror_want *wants =
		maui_arena_alloc(&it->arena, (d->instance_count + 1u) * sizeof(*wants));

	for (uint32_t i = 0; wants && i < d->instance_count; i++) {
		const struct maui_rsv_instance *instance = &d->instances[i];
		const struct maui_rsv *rsv = it->standing.list[instance->rsv];

		wants[i] = (struct maui_mirror_want){
			.name = maui_sched_mirror_name(it, instance, &it->arena),
			.rsv = rsv->name,
			.rsv_index = instance->rsv,
			.start_s = instance->start_s,
			.end_s = instance->end_s,
			.nodes = node_ids(it, instance),
			.count = instance->place_count,
			.administrative = rsv->period == MAUI_RSV_ONCE,
		};
		if (!wants[i].name || !wants[i].nodes)
			return NULL;
	}
	return wants;
}

/* Sets the reservation's hosts to the nodes that scontrol named, with all processors of each. -1:
 * no memory, or the nodes are newer than the snapshot. */
static int take_nodes(struct maui_iteration *it, const struct maui_mirror_change *change,
		      struct maui_rsv *rsv)
{
	struct maui_strbuf hosts = { 0 };

	for (uint32_t i = 0; i < change->node_count; i++) {
		int64_t node = maui_snapshot_find_node(it->cluster.snapshot, change->nodes[i]);

		if (node >= 0)
			maui_strbuf_addf(&hosts, "%s%s", hosts.length ? "," : "",
					 it->cluster.snapshot->nodes[node].name);
	}
	if (hosts.failed || hosts.length == 0) {
		maui_strbuf_finish(&hosts);
		return -1;
	}
	free(rsv->hosts);
	rsv->hosts = maui_strbuf_steal(&hosts);
	rsv->task_count = 0;
	return 0;
}

/* Changes the reservation as scontrol changed its mirror. `name` is of the cycle's arena, because
 * the reservation may be removed. */
static void follow_change(struct maui_iteration *it, const char *name,
			  const struct maui_mirror_change *change)
{
	struct maui_rsv *rsv = maui_sched_administrative(it->sched, name);

	if (!rsv)
		return;
	if (change->deleted) {
		maui_sched_release(it, name, 0);
		return;
	}
	if (change->moved_start)
		rsv->start_s = change->start_s;
	if (change->moved_end)
		rsv->end_s = change->end_s;
	if (change->moved_nodes && take_nodes(it, change, rsv))
		error("slurm-maui: reservation %s keeps its nodes: no memory, or the nodes that "
		      "scontrol gave its mirror are too new",
		      name);
}

void maui_sched_mirror(struct maui_iteration *it)
{
	bool shown =
		maui_controller_schedules(it->c); /* in a trial beside another scheduler: none */
	struct maui_mirror_input input = {
		.wants = list_wants(it),
		.count = shown ? it->sched->decisions.instance_count : 0,
		.mode = (enum maui_mirror)it->c->config->mirror,
		.table = it->cluster.table,
		.stop = &it->c->stop,
	};
	struct maui_mirror_result result;

	if (!input.wants || (shown && it->testing))
		return;
	maui_mirror_sync(&it->sched->mirrors, &input, &result);
	maui_hold_add(&it->cluster.reads, &result.reads);
	maui_hold_add(&it->writes, &result.writes);
	for (size_t i = 0; i < result.change_count; i++)
		follow_change(it, it->standing.list[result.changes[i].rsv_index]->name,
			      &result.changes[i]);
	it->wrote |= result.created || result.updated || result.deleted;
	it->save |= result.changed || result.change_count > 0;
	if (result.change_count > 0)
		maui_sched_wake(it->sched, it->cluster.now_s);
	if (result.again_s != MAUI_NEVER)
		maui_sched_wake(it->sched, result.again_s);
	maui_mirror_result_finish(&result);
}
