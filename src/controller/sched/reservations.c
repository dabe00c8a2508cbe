/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - hands reservations to a plan, and saves what the plan decided
 *
 * Goes in: standing reservations of maui.cfg, administrative reservations of setres, and the
 * instances of the last plan. Comes out: the instances of this plan. sched->rsvs holds
 * administrative reservations and instances between cycles and over a restart. An instance is saved
 * with the names of its nodes, because the indices of nodes change.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hashtable.h"

static bool is_node_named(const void *node, const void *name)
{
	return strcmp(((const struct maui_node *)node)->name, name) == 0;
}

/* Finds the snapshot's nodes by name. -1 without memory. */
static int index_nodes(const struct maui_snapshot *s, struct maui_hashtable *ret)
{
	for (uint32_t n = 0; n < s->node_count; n++)
		if (maui_hashtable_add(ret, maui_hash_text(s->nodes[n].name, 0), &s->nodes[n]))
			return -1;
	return 0;
}

static int list_rsvs(struct maui_iteration *it)
{
	const struct maui_config *config = it->c->config;
	const struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	size_t count = config->rsv_count + rsvs->rsv_count;
	const struct maui_rsv **list = maui_arena_alloc(&it->arena, (count + 1) * sizeof(*list));

	if (!list)
		return -1;
	for (size_t i = 0; i < config->rsv_count; i++)
		list[i] = &config->rsvs[i];
	for (size_t i = 0; i < rsvs->rsv_count; i++)
		list[config->rsv_count + i] = &rsvs->rsvs[i];
	it->standing = (struct maui_standing_input){
		.list = list,
		.count = (uint32_t)count,
		.allocation = maui_planning_rsv_allocation(&config->planning),
		.res_depth = config->res_depth,
	};
	return 0;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct maui_rsv_place *one = a, *two = b;

	return (one->node > two->node) - (one->node < two->node);
}

/* Translates a saved instance to this snapshot's indices of nodes, and leaves out nodes that no
 * longer exist. -1 without memory. */
static int restore_instance(struct maui_iteration *it, const struct maui_hashtable *nodes,
			    uint32_t rsv, const struct maui_store_instance *kept,
			    struct maui_rsv_instance *ret)
{
	struct maui_rsv_place *places =
		maui_arena_alloc(&it->arena, (kept->node_count + 1) * sizeof(*places));
	uint32_t count = 0;

	if (!places)
		return -1;
	for (size_t i = 0; i < kept->node_count; i++) {
		const char *name = kept->nodes[i].name;
		const struct maui_node *node =
			maui_hashtable_find(nodes, maui_hash_text(name, 0), is_node_named, name);

		if (node)
			places[count++] = (struct maui_rsv_place){
				(uint32_t)(node - it->cluster.snapshot->nodes), kept->nodes[i].tasks
			};
	}
	qsort(places, count, sizeof(*places), compare_nodes);
	*ret = (struct maui_rsv_instance){ .rsv = rsv,
					   .day = kept->period.day,
					   .start_s = kept->start_s,
					   .end_s = kept->end_s,
					   .places = places,
					   .place_count = count,
					   .made = kept->made };
	return 0;
}

/* Restores all saved instances whose reservation still exists. */
static int restore_instances(struct maui_iteration *it, const struct maui_hashtable *nodes,
			     struct maui_rsv_instance *ret, uint32_t *ret_count)
{
	const struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	int64_t rsv = 0;

	*ret_count = 0;
	for (size_t i = 0; i < rsvs->instance_count; i++) {
		/* saved in the order of the list: the search goes on where the last one ended */
		rsv = maui_sched_find_rsv_from(it, rsvs->instances[i].period.rsv, rsv);
		if (rsv < 0)
			continue;
		if (restore_instance(it, nodes, (uint32_t)rsv, &rsvs->instances[i],
				     &ret[*ret_count]))
			return -1;
		(*ret_count)++;
	}
	return 0;
}

/* Lists the instances of the last plan, which keep their nodes. */
static int list_before(struct maui_iteration *it)
{
	struct maui_rsv_instance *before = maui_arena_alloc(
		&it->arena, (it->sched->rsvs.instance_count + 1) * sizeof(*before));
	struct maui_hashtable nodes = { 0 };
	uint32_t count = 0;
	int rc = -1;

	if (before && index_nodes(it->cluster.snapshot, &nodes) == 0)
		rc = restore_instances(it, &nodes, before, &count);
	maui_hashtable_finish(&nodes);
	it->standing.before = before;
	it->standing.before_count = count;
	return rc;
}

int maui_sched_rsvs(struct maui_iteration *it, struct maui_err *err)
{
	struct maui_standing_targets *targets;

	if (list_rsvs(it) || (maui_sched_use_up(it) && list_rsvs(it)) ||
	    maui_sched_skip_released(it))
		return maui_err_set(err, "no memory for reservations");
	if (it->standing.count == 0)
		return 0;
	if (list_before(it))
		return maui_err_set(err, "no memory for reservations");
	if (maui_standing_targets_with(it->sched->hosts, it->cluster.snapshot, it->standing.list,
				       it->standing.count, &it->arena, &targets, err))
		return -1;
	it->standing.targets = targets;
	return 0;
}

/* Saves an instance with the names of its nodes. Without memory the instance is not saved, and the
 * next plan chooses its nodes again. */
static void save_instance(const struct maui_iteration *it, const struct maui_rsv_instance *instance,
			  struct maui_rsv_lists *ret)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	struct maui_store_instance kept = {
		.period = { .rsv = it->standing.list[instance->rsv]->name, .day = instance->day },
		.start_s = instance->start_s,
		.end_s = instance->end_s,
		.made = instance->made,
		.nodes = calloc(instance->place_count + 1u, sizeof(*kept.nodes)),
		.node_count = instance->place_count,
	};

	for (uint32_t i = 0; kept.nodes && i < instance->place_count; i++)
		kept.nodes[i] = (struct maui_store_instance_node){
			.name = (char *)s->nodes[instance->places[i].node].name,
			.tasks = instance->places[i].tasks,
		};
	if (kept.nodes)
		maui_rsv_lists_add_instance(ret, &kept);
	free(kept.nodes);
}

/* Makes the agent run a cycle at the second in which the instance begins or ends. */
static void wake_at_bounds(struct maui_iteration *it, const struct maui_rsv_instance *instance)
{
	int64_t now_s = it->cluster.now_s;

	if (instance->start_s > now_s)
		maui_sched_wake(it->sched, instance->start_s);
	if (instance->end_s != MAUI_NEVER && instance->end_s > now_s)
		maui_sched_wake(it->sched, instance->end_s);
}

/* Whether the saved instance equals the one that the plan decided. Most plans move no instance. */
static bool is_saved(const struct maui_iteration *it, const struct maui_rsv_instance *instance,
		     const struct maui_store_instance *kept)
{
	if (kept->period.day != instance->day || kept->start_s != instance->start_s ||
	    kept->end_s != instance->end_s || kept->made != instance->made ||
	    kept->node_count != instance->place_count ||
	    strcmp(kept->period.rsv, it->standing.list[instance->rsv]->name) != 0)
		return false;
	for (uint32_t i = 0; i < instance->place_count; i++)
		if (kept->nodes[i].tasks != instance->places[i].tasks ||
		    strcmp(kept->nodes[i].name,
			   it->cluster.snapshot->nodes[instance->places[i].node].name) != 0)
			return false;
	return true;
}

void maui_sched_save_rsvs(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	bool same = rsvs->instance_count == d->instance_count;

	for (uint32_t i = 0; i < d->instance_count; i++) {
		wake_at_bounds(it, &d->instances[i]);
		same = same && is_saved(it, &d->instances[i], &rsvs->instances[i]);
	}
	maui_sched_forget_released(it);
	if (same)
		return;
	maui_rsv_lists_drop_instances(rsvs);
	for (uint32_t i = 0; i < d->instance_count; i++)
		save_instance(it, &d->instances[i], rsvs);
	it->save = true;
}
