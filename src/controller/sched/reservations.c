/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - reservations of maui.cfg and of setres: into the plan, and out of it again
 *
 * What is kept from one iteration to the next, and over a restart, is in sched->book:
 * administrative reservations, instances by the names of their nodes (chosen once, kept).
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "controller/submit.h"

/* Node names to indices of this snapshot. */
struct node_names {
	const struct maui_snapshot *snapshot;
	uint32_t *slots; /* 1 + index; 0: free */
	size_t mask;
};

static int make_names(struct maui_iteration *it, struct node_names *ret)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	size_t size = 16;

	while (size < 2 * (size_t)s->node_count)
		size *= 2;
	*ret = (struct node_names){ s, maui_arena_alloc(&it->arena, size * sizeof(*ret->slots)),
				    size - 1 };
	if (!ret->slots)
		return -1;
	memset(ret->slots, 0, size * sizeof(*ret->slots));
	for (uint32_t n = 0; n < s->node_count; n++) {
		size_t at = (size_t)maui_hash_text(s->nodes[n].name, 0) & ret->mask;

		while (ret->slots[at])
			at = (at + 1) & ret->mask;
		ret->slots[at] = n + 1;
	}
	return 0;
}

static int64_t find_name(const struct node_names *names, const char *name)
{
	size_t at = (size_t)maui_hash_text(name, 0) & names->mask;

	for (; names->slots[at]; at = (at + 1) & names->mask)
		if (strcmp(names->snapshot->nodes[names->slots[at] - 1].name, name) == 0)
			return names->slots[at] - 1;
	return -1;
}

static int list_rsvs(struct maui_iteration *it)
{
	const struct maui_config *config = it->c->config;
	const struct maui_store *kept = &it->sched->saved;
	size_t count = config->rsv_count + kept->rsv_count;
	const struct maui_rsv **list = maui_arena_alloc(&it->arena, (count + 1) * sizeof(*list));

	if (!list)
		return -1;
	for (size_t i = 0; i < config->rsv_count; i++)
		list[i] = &config->rsvs[i];
	for (size_t i = 0; i < kept->rsv_count; i++)
		list[config->rsv_count + i] = &kept->rsvs[i];
	it->standing = (struct maui_standing_input){
		.list = list,
		.count = (uint32_t)count,
		.allocation = config->planning.node_allocation,
		.res_depth = config->res_depth,
	};
	return 0;
}

int64_t maui_sched_find_rsv_from(const struct maui_iteration *it, const char *name, int64_t from)
{
	uint32_t count = it->standing.count, at = from < 0 ? 0 : (uint32_t)from;

	for (uint32_t i = 0; i < count; i++, at++) {
		at = at < count ? at : 0;
		if (strcmp(it->standing.list[at]->name, name) == 0)
			return at;
	}
	return -1;
}

int64_t maui_sched_find_rsv(const struct maui_iteration *it, const char *name)
{
	return maui_sched_find_rsv_from(it, name, 0);
}

static int compare_places(const void *a, const void *b)
{
	const struct maui_rsv_place *one = a, *two = b;

	return (one->node > two->node) - (one->node < two->node);
}

/* An instance of the last plan in terms of this snapshot; nodes that are gone are left out. -1
 * without memory. */
static int translate(struct maui_iteration *it, const struct node_names *names, uint32_t rsv,
		     const struct maui_store_instance *kept, struct maui_rsv_instance *ret)
{
	struct maui_rsv_place *places =
		maui_arena_alloc(&it->arena, (kept->node_count + 1) * sizeof(*places));
	uint32_t count = 0;

	if (!places)
		return -1;
	for (size_t i = 0; i < kept->node_count; i++) {
		int64_t node = find_name(names, kept->nodes[i].name);

		if (node >= 0)
			places[count++] =
				(struct maui_rsv_place){ (uint32_t)node, kept->nodes[i].tasks };
	}
	qsort(places, count, sizeof(*places), compare_places);
	*ret = (struct maui_rsv_instance){ .rsv = rsv,
					   .day = kept->period.day,
					   .start_s = kept->start_s,
					   .end_s = kept->end_s,
					   .places = places,
					   .place_count = count,
					   .made = kept->made };
	return 0;
}

static int list_before(struct maui_iteration *it)
{
	const struct maui_store *kept = &it->sched->saved;
	struct maui_rsv_instance *before =
		maui_arena_alloc(&it->arena, (kept->instance_count + 1) * sizeof(*before));
	struct node_names names;
	int64_t rsv = 0;
	uint32_t count = 0;

	if (!before || make_names(it, &names))
		return -1;
	for (size_t i = 0; i < kept->instance_count; i++) {
		/* they are kept in the order of the list */
		rsv = maui_sched_find_rsv_from(it, kept->instances[i].period.rsv, rsv);
		if (rsv < 0)
			continue;
		if (translate(it, &names, (uint32_t)rsv, &kept->instances[i], &before[count]))
			return -1;
		count++;
	}
	it->standing.before = before;
	it->standing.before_count = count;
	return 0;
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

/* Without memory its nodes are chosen anew. */
static void keep_one(const struct maui_iteration *it, const struct maui_rsv_instance *instance,
		     struct maui_store *ret)
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
		maui_store_add_instance(ret, &kept);
	free(kept.nodes);
}

/* The next iteration comes when one begins or ends, to the second. */
static void set_alarm(struct maui_iteration *it, const struct maui_rsv_instance *instance)
{
	int64_t now_s = it->cluster.now_s;

	if (instance->start_s > now_s)
		maui_sched_wake(it->sched, instance->start_s);
	if (instance->end_s != MAUI_NEVER && instance->end_s > now_s)
		maui_sched_wake(it->sched, instance->end_s);
}

/* Whether what is kept is what was decided: most plans move no reservation. */
static bool is_kept(const struct maui_iteration *it, const struct maui_rsv_instance *instance,
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

void maui_sched_keep_rsvs(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_store *saved = &it->sched->saved;
	bool same = saved->instance_count == d->instance_count;

	for (uint32_t i = 0; i < d->instance_count; i++) {
		set_alarm(it, &d->instances[i]);
		same = same && is_kept(it, &d->instances[i], &saved->instances[i]);
	}
	maui_sched_forget_released(it);
	if (same)
		return;
	maui_store_drop_instances(saved);
	for (uint32_t i = 0; i < d->instance_count; i++)
		keep_one(it, &d->instances[i], saved);
	it->save = true;
}

/* ---- the state ---- */

static int copy_book(const struct maui_store *from, struct maui_store *to)
{
	for (size_t i = 0; i < from->rsv_count; i++)
		if (maui_store_add_rsv(to, &from->rsvs[i]))
			return -1;
	for (size_t i = 0; i < from->instance_count; i++)
		if (maui_store_add_instance(to, &from->instances[i]))
			return -1;
	for (size_t i = 0; i < from->released_count; i++)
		if (maui_store_add_released(to, &from->released[i].period, from->released[i].form))
			return -1;
	for (size_t i = 0; i < from->record_count; i++)
		if (maui_store_add_record(to, &from->records[i]))
			return -1;
	for (size_t i = 0; i < from->pending_count; i++)
		if (maui_store_add_pending(to, &from->pending[i]))
			return -1;
	return 0;
}

void maui_sched_rsvs_to_store(const struct maui_sched *sched, struct maui_store *store)
{
	store->rsv_store = &sched->saved;
}

int maui_sched_rsvs_from_store(struct maui_sched *sched, const struct maui_store *store)
{
	return copy_book(store, &sched->saved);
}

/* ---- what jobs may name ---- */

void maui_sched_name_rsvs(struct maui_controller *c, const struct maui_store *store)
{
	const char **names = calloc(store->rsv_count + 1, sizeof(*names));
	int64_t now_s = time(NULL);
	size_t count = 0;

	for (size_t i = 0; names && i < store->rsv_count; i++)
		if (store->rsvs[i].end_s > now_s) /* others wait for their triggers */
			names[count++] = store->rsvs[i].name;
	if (!names || maui_submit_set_names(c, names, count))
		error("slurm-maui: no memory for names of reservations");
	free(names);
}

void maui_sched_publish_names(struct maui_iteration *it)
{
	maui_sched_name_rsvs(it->c, &it->sched->saved);
}

/* ---- what is released ---- */

struct maui_rsv *maui_sched_administrative(struct maui_sched *sched, const char *name)
{
	for (size_t i = 0; i < sched->saved.rsv_count; i++)
		if (strcmp(sched->saved.rsvs[i].name, name) == 0)
			return &sched->saved.rsvs[i];
	return NULL;
}

void maui_sched_release(struct maui_iteration *it, const char *name, int32_t day)
{
	struct maui_pending_release *released = maui_arena_alloc(&it->arena, sizeof(*released));
	char *copy = maui_arena_strdup(&it->arena, name);

	if (!released || !copy) {
		error("slurm-maui: no memory to release reservation %s", name);
		return;
	}
	*released = (struct maui_pending_release){ it->pending_releases, copy, day };
	it->pending_releases = released;
}

/* It ends now; it is forgotten once its triggers have had their turn. */
static void end(struct maui_rsv *rsv, int64_t now_s)
{
	rsv->end_s = now_s;
	if (rsv->start_s > now_s)
		rsv->start_s = now_s;
}

/* Administrative ones that are over. Whether there were any. */
static bool forget_ended(struct maui_sched *sched, int64_t now_s)
{
	struct maui_store *kept = &sched->saved;
	size_t left = 0;

	for (size_t i = 0; i < kept->rsv_count; i++) {
		struct maui_rsv *rsv = &kept->rsvs[i];

		if (rsv->end_s <= now_s && !maui_trigger_waits(&sched->triggers, rsv->name))
			maui_rsv_finish(rsv);
		else
			kept->rsvs[left++] = *rsv;
	}
	if (left == kept->rsv_count)
		return false;
	kept->rsv_count = left;
	return true;
}

void maui_sched_carry_out_releases(struct maui_iteration *it)
{
	/* nothing is copied yet when a command's change is carried out */
	int64_t now_s = it->cluster.now_s ? it->cluster.now_s : time(NULL);
	bool fewer = false;

	for (const struct maui_pending_release *r = it->pending_releases; r; r = r->next) {
		struct maui_rsv *rsv = maui_sched_administrative(it->sched, r->name);

		fewer |= rsv != NULL;
		if (rsv)
			end(rsv, now_s);
		else
			maui_sched_add_released(it, r->name, r->day);
		it->save = true;
		maui_sched_wake(it->sched, now_s);
	}
	it->pending_releases = NULL;
	fewer |= forget_ended(it->sched, now_s);
	if (fewer)
		maui_sched_publish_names(it);
	it->standing = (struct maui_standing_input){ 0 }; /* may lead to what is gone */
}
