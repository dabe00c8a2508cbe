/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.c - builds the snapshot from a draft, without any lock */

#include "slurm/capture/private.h"

static int compare_gres(const void *a, const void *b)
{
	const struct maui_draft_gres *const *one = a, *const *two = b;
	int order = strcmp((*one)->name, (*two)->name);

	if (order != 0)
		return order;
	return strcmp((*one)->type ? (*one)->type : "", (*two)->type ? (*two)->type : "");
}

static int compare_licenses(const void *a, const void *b)
{
	const struct maui_draft_license *one = a, *two = b;

	return strcmp(one->name, two->name);
}

/* Adds "KIND/NAME" or "KIND/NAME:TYPE" as the next dimension; returns its number. */
static unsigned add_amount(struct maui_draft *draft, const char *kind, const char *name,
			   const char *type)
{
	struct maui_cluster *cluster = draft->cluster;
	size_t size = strlen(kind) + strlen(name) + (type ? strlen(type) : 0) + 3;
	char *text = maui_arena_alloc(&cluster->arena, size);

	if (text)
		snprintf(text, size, "%s/%s%s%s", kind, name, type ? ":" : "", type ? type : "");
	draft->failed |= !text;
	cluster->amounts[cluster->amount_count] = text;
	return cluster->amount_count++;
}

/* Adds dimensions sorted by name: the order of reading is accidental. */
static void add_gres(struct maui_draft *draft)
{
	struct maui_draft_gres **sorted;

	sorted = maui_arena_alloc(&draft->arena, (draft->gres_count + 1u) * sizeof(*sorted));
	if (!sorted) {
		draft->failed = true;
		return;
	}
	for (uint32_t i = 0; i < draft->gres_count; i++)
		sorted[i] = &draft->gres[i];
	qsort(sorted, draft->gres_count, sizeof(*sorted), compare_gres);
	for (uint32_t i = 0; i < draft->gres_count; i++)
		sorted[i]->amount = add_amount(draft, "gres", sorted[i]->name, sorted[i]->type);
}

static enum maui_draft_result name_amounts(struct maui_draft *draft)
{
	struct maui_cluster *cluster = draft->cluster;
	size_t most = MAUI_AMOUNT_FIXED + (size_t)draft->gres_count + draft->license_count +
		      draft->partition_count;

	cluster->amounts = maui_arena_alloc(&cluster->arena, most * sizeof(*cluster->amounts));
	if (!cluster->amounts)
		return MAUI_DRAFT_NO_MEMORY;
	cluster->amounts[MAUI_AMOUNT_PROCS] = "procs";
	cluster->amounts[MAUI_AMOUNT_MEM] = "mem";
	cluster->amounts[MAUI_AMOUNT_DISK] = "disk";
	cluster->amount_count = MAUI_AMOUNT_FIXED;
	add_gres(draft);
	if (draft->license_count > 1)
		qsort(draft->licenses, draft->license_count, sizeof(*draft->licenses),
		      compare_licenses);
	for (uint32_t i = 0; i < draft->license_count; i++)
		if (draft->licenses[i].total >= 0)
			draft->licenses[i].amount =
				add_amount(draft, "license", draft->licenses[i].name, NULL);
	for (uint32_t i = 0; i < draft->partition_count; i++)
		if (draft->partitions[i].cap_procs > 0 || draft->partitions[i].jobs_a_core > 1)
			draft->partitions[i].of.cap_amount =
				add_amount(draft, "cpus", draft->partitions[i].of.name, NULL);
	return draft->failed ? MAUI_DRAFT_NO_MEMORY : MAUI_DRAFT_DONE;
}

/* topology/block alone decides how a job's nodes lie, even with LLN. */
static int add_partitions(struct maui_draft *draft)
{
	for (uint32_t i = 0; i < draft->partition_count; i++) {
		struct maui_partition *partition = &draft->partitions[i].of;

		partition->least_loaded &= !draft->cluster->rules.blocks;
		if (maui_snapshot_add_partition(draft->cluster->snapshot, partition) < 0)
			return -1;
	}
	return 0;
}

static int64_t round_up(int64_t value, int64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

/* Slurm lets the last core go over MaxCPUsPerNode. */
static int64_t cap_of(const struct maui_draft_partition *partition,
		      const struct maui_draft_node *node)
{
	int64_t shared = node->procs * partition->jobs_a_core;
	int64_t cap = round_up(partition->cap_procs, node->unit);

	return partition->cap_procs == 0 || shared < cap ? shared : cap;
}

static void fill_amounts(const struct maui_draft *draft, const struct maui_draft_node *from,
			 int64_t *have)
{
	memset(have, 0, draft->cluster->amount_count * sizeof(*have));
	have[MAUI_AMOUNT_PROCS] = from->procs;
	have[MAUI_AMOUNT_MEM] = from->mem;
	have[MAUI_AMOUNT_DISK] = from->disk;
	for (uint32_t i = 0; i < from->count_count; i++)
		have[draft->gres[from->counts[i].gres].amount] = from->counts[i].count;
	for (uint32_t i = 0; i < from->partition_count; i++) {
		const struct maui_draft_partition *partition =
			&draft->partitions[from->partitions[i]];

		if (partition->of.cap_amount)
			have[partition->of.cap_amount] = cap_of(partition, from);
	}
}

static int add_node(struct maui_draft *draft, const struct maui_draft_node *from,
		    const struct maui_config *config, int64_t *have)
{
	struct maui_node node = {
		.id = from->id,
		.name = from->name,
		.have = have,
		.partitions = from->partitions,
		.partition_count = from->partition_count,
		.features = from->features,
		.unit = from->unit,
		.weight = from->weight,
		.speed = 1, /* Slurm knows of none */
		.load = from->load,
		.asleep = from->asleep,
		.drained = from->drained,
		.leaf = maui_draft_leaf(from->id),
		.usable_from_s = from->usable_from_s,
		.state = from->state,
		.note = from->note,
	};

	fill_amounts(draft, from, have);
	if (config)
		node.priority = maui_config_node_priority(config, from->name);
	return maui_snapshot_add_node(draft->cluster->snapshot, &node) < 0 ? -1 : 0;
}

/* Sets the licences as global amounts, if any job asks for one. */
static int set_global(struct maui_draft *draft)
{
	struct maui_snapshot *s = draft->cluster->snapshot;
	int64_t *global = maui_arena_alloc(&draft->arena, s->amount_count * sizeof(*global));
	bool any = false;

	if (!global)
		return -1;
	for (uint32_t i = 0; i < draft->license_count; i++)
		if (draft->licenses[i].amount) {
			global[draft->licenses[i].amount] = draft->licenses[i].total;
			any = true;
		}
	return any && maui_snapshot_set_global(s, global) ? -1 : 0;
}

static int set_with_whole_nodes(struct maui_draft *draft)
{
	struct maui_snapshot *s = draft->cluster->snapshot;
	int64_t *with;

	if (draft->cluster->rules.linear)
		return 0; /* jobs have whole nodes, and the gres that they ask for */
	with = maui_arena_alloc(&draft->arena, s->amount_count * sizeof(*with));
	if (!with)
		return -1;
	for (uint32_t i = 0; i < draft->gres_count; i++)
		with[draft->gres[i].amount] = !draft->gres[i].apart;
	return maui_snapshot_set_with_whole_nodes(s, with);
}

/* "gres/gpu" is called gpu where users read it, "license/matlab" matlab. */
static int name_dimensions(const struct maui_cluster *cluster, struct maui_snapshot *s)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; d < cluster->amount_count; d++)
		if (maui_snapshot_name_amount(s, d, strchr(cluster->amounts[d], '/') + 1))
			return -1;
	return 0;
}

enum maui_draft_result maui_draft_build(struct maui_draft *draft, const struct maui_config *config,
					struct maui_err *err)
{
	struct maui_snapshot *s;
	int64_t *have;

	if (name_amounts(draft) != MAUI_DRAFT_DONE)
		return MAUI_DRAFT_NO_MEMORY;
	s = maui_snapshot_create(draft->cluster->amount_count);
	draft->cluster->snapshot = s;
	draft->cluster->rules.fewest_nodes = config && config->node_match != 0;
	if (!s || name_dimensions(draft->cluster, s) || maui_draft_add_switches(draft) ||
	    add_partitions(draft) || maui_draft_add_admission(draft))
		return MAUI_DRAFT_NO_MEMORY;
	s->totals = draft->jobs->totals;
	s->shares_tasks = !draft->cluster->rules.linear;
	s->switches_optional =
		draft->cluster->rules.switches_optional && !draft->cluster->rules.blocks;
	have = maui_arena_alloc(&draft->arena, s->amount_count * sizeof(*have));
	if (!have)
		return MAUI_DRAFT_NO_MEMORY;
	for (uint32_t i = 0; i < draft->node_count; i++)
		if (add_node(draft, &draft->nodes[i], config, have))
			return MAUI_DRAFT_NO_MEMORY;
	if (set_global(draft) || set_with_whole_nodes(draft) || maui_snapshot_seal(s, err))
		return MAUI_DRAFT_NO_MEMORY;
	return MAUI_DRAFT_DONE;
}
