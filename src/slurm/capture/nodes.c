/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - reads slurmctld's partitions and nodes, a few milliseconds at a time */

#include "slurm/capture/private.h"

#include "slurm/capture/jobs.h"
#include "slurm/capture/preemption.h"

#include "base/bulk.h"
#include "base/hash.h"
#include "slurm/request/request.h"

enum { SILENT_S = 60 }; /* a silent node is expected back within this time */

/* The index of each partition: pointers are valid during one hold of the locks only. */
struct part_place {
	const void *part_ptr;
	uint32_t index;
};

struct part_map {
	struct part_place *places; /* by pointer */
	uint32_t count;
	/* most nodes have the same partitions as the one before */
	void **last;
	uint16_t last_count;
	const uint32_t *last_indices;
};

static int compare_places(const void *a, const void *b)
{
	uintptr_t one = (uintptr_t)((const struct part_place *)a)->part_ptr;
	uintptr_t two = (uintptr_t)((const struct part_place *)b)->part_ptr;

	return (one > two) - (one < two);
}

/* Whether the partitions are those that were read before; then finds where each is now. */
static bool map_partitions(struct maui_draft *draft, struct part_map *map)
{
	maui_compat_iterator_t iterator;
	const part_record_t *part_ptr;
	bool same = true;

	map->count = 0;
	map->last_indices = NULL;
	if (!part_list)
		return draft->partition_count == 0;
	iterator = list_iterator_create(part_list);
	while (same && (part_ptr = list_next(iterator))) {
		same = map->count < draft->partition_count && part_ptr->name &&
		       strcmp(part_ptr->name, draft->partitions[map->count].of.name) == 0;
		if (same) {
			map->places[map->count].part_ptr = part_ptr;
			map->places[map->count].index = map->count;
			map->count++;
		}
	}
	list_iterator_destroy(iterator);
	qsort(map->places, map->count, sizeof(*map->places), compare_places);
	return same && map->count == draft->partition_count;
}

/* 0: none. */
static int64_t limit_s(uint32_t minutes)
{
	return minutes == INFINITE || minutes == NO_VAL ? 0 : (int64_t)minutes * 60;
}

/* As slurm_conf.def_mem_per_cpu; a partition without its own has one of three values. */
static uint64_t default_memory(const part_record_t *part_ptr, const struct maui_cluster *cluster)
{
	uint64_t memory = part_ptr->def_mem_per_cpu;

	return memory == 0 || memory == MEM_PER_CPU || memory == NO_VAL64 ? cluster->rules.def_mem :
									    memory;
}

static uint32_t jobs_a_core(const struct maui_draft *draft, const part_record_t *part_ptr)
{
	uint32_t jobs = part_ptr->max_share & ~SHARED_FORCE;

	return jobs > 1 && !draft->cluster->rules.linear ? jobs : 1;
}

/* What slurmctld gives a job of the partition that names no memory (slurm/request/request.c). */
static void read_memory(const part_record_t *part_ptr, const struct maui_cluster *cluster,
			struct maui_partition *ret)
{
	uint64_t memory = default_memory(part_ptr, cluster);

	if (!cluster->rules.memory)
		ret->memory_uncounted = true;
	else if (memory == 0 || memory == INFINITE64)
		ret->all_memory = true;
	else if (memory & MEM_PER_CPU)
		ret->mem_per_cpu = maui_request_times(memory & ~MEM_PER_CPU, 1);
	else
		ret->mem_per_node = maui_request_times(memory, 1);
}

static void read_partition(struct maui_draft *draft, const part_record_t *part_ptr,
			   struct maui_draft_partition *ret)
{
	const struct maui_cluster_rules *rules = &draft->cluster->rules;

	ret->of = (struct maui_partition){
		.name = maui_arena_strdup(&draft->arena, part_ptr->name ? part_ptr->name : ""),
		.tier = part_ptr->priority_tier,
		.job_factor =
			part_ptr->priority_job_factor == 1 ? 0 : part_ptr->priority_job_factor,
		.least_loaded = !rules->linear && ((slurm_conf.select_type_param & CR_LLN) ||
						   (part_ptr->flags & PART_FLAG_LLN)),
		.is_default = part_ptr->flags & PART_FLAG_DEFAULT,
		.default_limit_s = limit_s(part_ptr->default_time),
		.max_limit_s = limit_s(part_ptr->max_time),
		.down = part_ptr->state_up != PARTITION_UP,
		.whole_nodes = rules->linear || part_ptr->max_share == 0,
		.sole_user = part_ptr->flags & PART_FLAG_EXCLUSIVE_USER,
	};
	draft->failed |= !ret->of.name;
	read_memory(part_ptr, draft->cluster, &ret->of);
	ret->jobs_a_core = jobs_a_core(draft, part_ptr);
	/* sockets are given out whole, even past MaxCPUsPerNode; select/linear ignores it */
	if (part_ptr->max_cpus_per_node != INFINITE && part_ptr->max_cpus_per_node != NO_VAL &&
	    !rules->linear && !(slurm_conf.select_type_param & CR_SOCKET))
		ret->cap_procs = part_ptr->max_cpus_per_node;
}

static void read_rules(struct maui_cluster_rules *ret)
{
	uint16_t type = slurm_conf.select_type_param;

	ret->linear = xstrcmp(slurm_conf.select_type, "select/linear") == 0;
	ret->cores = type & (CR_CORE | CR_SOCKET);
	ret->memory = type & CR_MEMORY;
	ret->one_task_per_core = type & CR_ONE_TASK_PER_CORE;
	ret->def_mem = slurm_conf.def_mem_per_cpu;
	ret->switches_optional = xstrcasestr(slurm_conf.topology_param, "TopoOptional") != NULL;
	maui_preemption_read_rules(ret);
}

static enum maui_draft_result read_partitions(struct maui_draft *draft)
{
	size_t room = part_list ? (size_t)list_count(part_list) : 0;
	maui_compat_iterator_t iterator;
	const part_record_t *part_ptr;

	draft->partitions =
		maui_arena_alloc(&draft->arena, (room + 1) * sizeof(*draft->partitions));
	draft->node_room = (size_t)node_record_count + 1;
	draft->nodes = maui_bulk_alloc(draft->node_room * sizeof(*draft->nodes));
	if (!draft->partitions || !draft->nodes)
		return MAUI_DRAFT_NO_MEMORY;
	if (room == 0) {
		maui_draft_forget_admission();
		return MAUI_DRAFT_DONE;
	}
	iterator = list_iterator_create(part_list);
	while (draft->partition_count < room && (part_ptr = list_next(iterator)))
		read_partition(draft, part_ptr, &draft->partitions[draft->partition_count++]);
	list_iterator_destroy(iterator);
	maui_draft_read_admission(draft);
	return draft->failed ? MAUI_DRAFT_NO_MEMORY : MAUI_DRAFT_DONE;
}

static enum maui_draft_result begin(struct maui_draft *draft)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	enum maui_draft_result result;
	int64_t since;

	maui_draft_check_associations(draft);
	lock_slurmctld(locks);
	since = maui_monotonic_us();
	draft->cluster->table = maui_cluster_table();
	read_rules(&draft->cluster->rules);
	draft->changeable_features = node_features_g_count() > 0;
	result = read_partitions(draft);
	maui_hold_note(&draft->cluster->reads, since);
	unlock_slurmctld(locks);
	return result;
}

/* Whether select_nodes() would not use the node. Its bitmaps decide; the flags give the reason. */
static bool is_out(const node_record_t *node_ptr)
{
	bool wakes = IS_NODE_POWERING_UP(node_ptr) || IS_NODE_POWERED_DOWN(node_ptr);

	return IS_NODE_DOWN(node_ptr) || IS_NODE_UNKNOWN(node_ptr) || IS_NODE_DRAIN(node_ptr) ||
	       IS_NODE_FAIL(node_ptr) || IS_NODE_INVALID_REG(node_ptr) ||
	       IS_NODE_POWER_DOWN(node_ptr) || IS_NODE_POWERING_DOWN(node_ptr) ||
	       IS_NODE_REBOOT_REQUESTED(node_ptr) || IS_NODE_REBOOT_ISSUED(node_ptr) ||
	       (IS_NODE_NO_RESPOND(node_ptr) && !wakes) ||
	       !bit_test(avail_node_bitmap, node_ptr->index) ||
	       bit_test(rs_node_bitmap, node_ptr->index);
}

/* Whether the node is silent and nothing else is wrong with it: slurmctld has just started, or
 * waits before it sets the node DOWN. A job that ends before its node answers takes the UNKNOWN
 * state away. */
static bool is_only_silent(const node_record_t *node_ptr)
{
	return (IS_NODE_NO_RESPOND(node_ptr) || IS_NODE_UNKNOWN(node_ptr) ||
		IS_NODE_COMPLETING(node_ptr)) &&
	       !IS_NODE_DOWN(node_ptr) && !IS_NODE_DRAIN(node_ptr) && !IS_NODE_FAIL(node_ptr) &&
	       !IS_NODE_INVALID_REG(node_ptr) && !IS_NODE_POWER_DOWN(node_ptr) &&
	       !IS_NODE_POWERING_DOWN(node_ptr) && !IS_NODE_REBOOT_REQUESTED(node_ptr) &&
	       !IS_NODE_REBOOT_ISSUED(node_ptr) && !bit_test(rs_node_bitmap, node_ptr->index);
}

static void read_state(const node_record_t *node_ptr, int64_t now_s, struct maui_draft_node *ret)
{
	ret->asleep = IS_NODE_POWERED_DOWN(node_ptr) || IS_NODE_POWERING_UP(node_ptr);
	ret->maint = IS_NODE_MAINT(node_ptr);
	ret->drained = IS_NODE_DRAIN(node_ptr) && !IS_NODE_DOWN(node_ptr);
	if (is_out(node_ptr)) {
		/* after a restart no small job may take silent nodes for which a large job waits */
		bool silent = is_only_silent(node_ptr);

		ret->usable_from_s = silent ? now_s + SILENT_S : MAUI_NEVER;
		ret->state = silent ? MAUI_REASON_NODE_UNANSWERED : MAUI_REASON_NODE_STATE;
	} else if (IS_NODE_COMPLETING(node_ptr) || bit_test(cg_node_bitmap, node_ptr->index)) {
		/* no job starts there until the epilog ends, at an unknown time */
		ret->usable_from_s = now_s + 1;
		ret->state = MAUI_REASON_NODE_BUSY;
	}
}

/* The partitions of a node as indices; NULL when one of them is not in the list. */
static const uint32_t *read_membership(struct maui_draft *draft, struct part_map *map,
				       const node_record_t *node_ptr)
{
	size_t size = node_ptr->part_cnt * sizeof(*node_ptr->part_pptr);
	uint32_t *indices;

	if (map->last_indices && map->last_count == node_ptr->part_cnt &&
	    (size == 0 || memcmp(map->last, node_ptr->part_pptr, size) == 0))
		return map->last_indices;
	indices = maui_arena_alloc(&draft->arena, (node_ptr->part_cnt + 1u) * sizeof(*indices));
	if (!indices) {
		draft->failed = true;
		return NULL;
	}
	for (uint16_t i = 0; i < node_ptr->part_cnt; i++) {
		const struct part_place key = { .part_ptr = node_ptr->part_pptr[i] };
		const struct part_place *place =
			bsearch(&key, map->places, map->count, sizeof(key), compare_places);

		if (!place)
			return NULL;
		indices[i] = place->index;
	}
	map->last = node_ptr->part_pptr;
	map->last_count = node_ptr->part_cnt;
	map->last_indices = indices;
	return indices;
}

/* Processors, memory and disk that jobs may use, without the system's share. */
static void read_amounts(const struct maui_draft *draft, const node_record_t *node_ptr,
			 struct maui_draft_node *ret)
{
	const config_record_t *config_ptr = node_ptr->config_ptr;
	bool linear = draft->cluster->rules.linear;
	uint64_t mem = linear ? config_ptr->real_memory : node_ptr->real_memory;
	uint32_t unit = node_ptr->tpc;

	ret->procs = linear ? config_ptr->cpus : node_ptr->cpus_efctv;
	ret->mem = mem > node_ptr->mem_spec_limit ? (int64_t)(mem - node_ptr->mem_spec_limit) : 0;
	ret->disk = config_ptr->tmp_disk;
	if (slurm_conf.select_type_param & CR_SOCKET)
		unit *= node_ptr->cores;
	ret->unit = linear || unit < 1 ? 1 : unit;
}

/* Copies a text, unless it equals the one before: a thousand nodes have few different ones. */
static const char *copy_again(struct maui_draft *draft, const char *before, const char *text)
{
	const char *copy;

	if (!text || !*text)
		return NULL;
	if (before && strcmp(before, text) == 0)
		return before;
	copy = maui_arena_strdup(&draft->arena, text);
	draft->failed |= !copy;
	return copy;
}

/* Where a reboot can change the features of a node, the node has all that it may have: Slurm
 * decides whether to boot it for a job. */
static const char *features_of(const node_record_t *node_ptr, bool changeable)
{
	if (changeable && node_ptr->features)
		return node_ptr->features;
	return node_ptr->features_act ? node_ptr->features_act : node_ptr->config_ptr->feature;
}

static bool read_node(struct maui_draft *draft, struct part_map *map, const node_record_t *node_ptr)
{
	struct maui_draft_node *node = &draft->nodes[draft->node_count];
	const char *features = features_of(node_ptr, draft->changeable_features);

	*node = (struct maui_draft_node){ .id = node_ptr->index };
	node->name = maui_arena_strdup(&draft->arena, node_ptr->name);
	node->features =
		copy_again(draft, draft->node_count > 0 ? node[-1].features : NULL, features);
	node->partitions = read_membership(draft, map, node_ptr);
	node->partition_count = node_ptr->part_cnt;
	node->weight = node_ptr->config_ptr->weight;
	node->load = node_ptr->cpu_load == NO_VAL ? 0 : node_ptr->cpu_load / 100.0;
	draft->failed |= !node->name;
	read_amounts(draft, node_ptr, node);
	read_state(node_ptr, draft->cluster->now_s, node);
	if (node->state == MAUI_REASON_NODE_STATE)
		node->note = copy_again(draft, draft->node_count > 0 ? node[-1].note : NULL,
					node_ptr->reason);
	maui_draft_read_gres(draft, node_ptr->gres_list, node);
	draft->places = maui_hash_text(node->name ? node->name : "", draft->places ^ node->id);
	draft->places = maui_compat_hash_place(draft->places, node_ptr);
	draft->node_count++;
	return node->partitions || draft->failed;
}

/* Reads as many nodes as fit into one short hold, from *at on; *at -1: all are read. */
static enum maui_draft_result read_some(struct maui_draft *draft, struct part_map *map, int *at)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	const node_record_t *node_ptr = NULL;
	unsigned done = 0;
	int64_t since, held_us;
	bool good;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	good = maui_cluster_is_current(draft->cluster->table) && map_partitions(draft, map);
	while (good && (node_ptr = next_node(at))) {
		if (node_ptr->config_ptr && node_ptr->name && *node_ptr->name) {
			maui_capture_node_totals(node_ptr, draft->jobs->config,
						 &draft->jobs->totals);
			if (!IS_NODE_FUTURE(node_ptr))
				good = read_node(draft, map, node_ptr);
		}
		++*at;
		if (maui_hold_is_over(since, ++done))
			break;
	}
	if (!node_ptr)
		*at = -1;
	if (!good)
		result = MAUI_DRAFT_CHANGED;
	else if (draft->failed)
		result = MAUI_DRAFT_NO_MEMORY;
	held_us = maui_hold_note(&draft->cluster->reads, since);
	unlock_slurmctld(locks);
	if (result == MAUI_DRAFT_DONE && *at >= 0)
		maui_hold_give_way(held_us);
	return result;
}

enum maui_draft_result maui_draft_read_nodes(struct maui_draft *draft)
{
	enum maui_draft_result result = begin(draft);
	struct part_map map = { 0 };
	int at = 0;

	if (result != MAUI_DRAFT_DONE)
		return result;
	map.places = maui_arena_alloc(&draft->arena,
				      (draft->partition_count + 1u) * sizeof(*map.places));
	if (!map.places)
		return MAUI_DRAFT_NO_MEMORY;
	while (result == MAUI_DRAFT_DONE && at >= 0)
		result = read_some(draft, &map, &at);
	return result;
}
