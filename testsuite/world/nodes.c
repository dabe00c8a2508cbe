/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - the tables of nodes and partitions, and slurmctld's bitmaps
 *
 * The cluster itself is world.nodes; a reconfigure builds slurmctld's records of it anew.
 */

#include "world.h"

#include "src/common/node_conf.h"

static part_record_t *parts[WORLD_PARTS];

part_record_t *default_part_loc;

part_record_t *world_part(int i)
{
	return parts[i];
}

static void free_part(void *x)
{
	part_record_t *part = x;

	xfree(part->name);
	xfree(part->nodes);
	FREE_NULL_BITMAP(part->node_bitmap);
	xfree(part);
}

static node_record_t *make_node(int i)
{
	const struct world_node *of = &world.nodes[i];
	node_record_t *node = xmalloc(sizeof(*node));
	config_record_t *config = xmalloc(sizeof(*config));

	config->cpus = config->cores = of->cpus;
	config->tot_sockets = config->threads = 1;
	config->real_memory = of->memory;
	config->tmp_disk = 1000;
	config->weight = 1 + (uint32_t)i % 3;
	config->feature = of->big ? xstrdup("big") : NULL;
	node->index = (uint32_t)i;
	node->magic = NODE_MAGIC;
	node->name = xstrdup(of->name);
	node->node_hostname = xstrdup(of->name);
	node->comm_name = xstrdup(of->name);
	node->config_ptr = config;
	node->cpus = node->cpus_efctv = node->cores = node->tot_cores = of->cpus;
	node->tot_sockets = node->threads = node->tpc = node->boards = 1;
	node->real_memory = of->memory;
	node->tmp_disk = 1000;
	node->features = xstrdup(config->feature);
	node->features_act = xstrdup(config->feature);
	node->part_pptr = xcalloc(WORLD_PARTS, sizeof(void *));
	node->cpu_load = NO_VAL;
	node->gres_list = world_gres_of_node(of);
	return node;
}

static void free_node(node_record_t *node)
{
	FREE_NULL_LIST(node->gres_list);
	xfree(node->config_ptr->feature);
	xfree(node->config_ptr);
	xfree(node->name);
	xfree(node->node_hostname);
	xfree(node->comm_name);
	xfree(node->features);
	xfree(node->features_act);
	xfree(node->part_pptr);
	xfree(node->reason);
	xfree(node);
}

/* The first partition has all nodes, the others a half each. */
static bool has_node(int part, int node)
{
	return part == 0 || (part == 1 && node < (world.node_count + 1) / 2) ||
	       (part == 2 && node >= world.node_count / 3);
}

static part_record_t *make_part(int i)
{
	static const char *const names[WORLD_PARTS] = { "all", "front", "back" };
	part_record_t *part = xmalloc(sizeof(*part));

	part->name = xstrdup(names[i]);
	part->flags = i == 0 ? PART_FLAG_DEFAULT : 0;
	part->max_nodes = part->max_nodes_orig = INFINITE;
	part->min_nodes = part->min_nodes_orig = 0;
	part->max_time = 3 * 24 * 60;
	part->default_time = world.plan.no_defaults ? NO_VAL : 60;
	part->max_share = 1;
	part->max_cpus_per_node = INFINITE;
	part->priority_tier = 1;
	part->priority_job_factor = 1;
	part->state_up = PARTITION_UP;
	part->node_bitmap = bit_alloc(world.node_count);
	for (int n = 0; n < world.node_count; n++) {
		node_record_t *node = world_tables.nodes[n];

		if (!has_node(i, n))
			continue;
		bit_set(part->node_bitmap, n);
		node->part_pptr[node->part_cnt++] = part;
		part->total_nodes++;
		part->total_cpus += world.nodes[n].cpus;
	}
	part->nodes = bitmap2node_name(part->node_bitmap);
	return part;
}

static void make_bitmaps(void)
{
	bitstr_t **all[] = { &world_tables.avail, &world_tables.up, &world_tables.idle,
			     &world_tables.share, &world_tables.cg, &world_tables.rs };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		*all[i] = bit_alloc(world.node_count);
}

void world_nodes_make(void)
{
	world_tables.nodes = xcalloc((size_t)world.node_count, sizeof(node_record_t *));
	node_record_table_ptr = world_tables.nodes;
	node_record_count = world.node_count;
	for (int i = 0; i < world.node_count; i++)
		world_tables.nodes[i] = make_node(i);
	cr_init_global_core_data(world_tables.nodes, world.node_count);
	make_bitmaps();
	world_tables.parts = list_create(free_part);
	for (int i = 0; i < world.part_count; i++) {
		parts[i] = make_part(i);
		list_append(world_tables.parts, parts[i]);
	}
	default_part_loc = parts[0];
	last_part_update = last_node_update = world_wall_s();
	world_tables_changed();
	world_nodes_update();
}

void world_nodes_free(void)
{
	for (int i = 0; i < node_record_count; i++)
		free_node(world_tables.nodes[i]);
	xfree(world_tables.nodes);
	cr_fini_global_core_data();
	FREE_NULL_BITMAP(world_tables.avail);
	FREE_NULL_BITMAP(world_tables.up);
	FREE_NULL_BITMAP(world_tables.idle);
	FREE_NULL_BITMAP(world_tables.share);
	FREE_NULL_BITMAP(world_tables.cg);
	FREE_NULL_BITMAP(world_tables.rs);
	FREE_NULL_LIST(world_tables.parts);
}

/* Which nodes jobs that have ended still clean. */
static uint32_t completing_nodes(void)
{
	uint32_t bits = 0;
	ListIterator iterator;
	const job_record_t *job_ptr;

	if (!world_tables.jobs)
		return 0;
	iterator = list_iterator_create(world_tables.jobs);
	while ((job_ptr = list_next(iterator)))
		for (int n = 0;
		     IS_JOB_COMPLETING(job_ptr) && job_ptr->node_bitmap_cg && n < node_record_count;
		     n++)
			if (bit_test(job_ptr->node_bitmap_cg, n))
				bits |= 1U << n;
	list_iterator_destroy(iterator);
	return bits;
}

static void set_bit(bitstr_t *bits, int n, bool on)
{
	if (on)
		bit_set(bits, n);
	else
		bit_clear(bits, n);
}

void world_nodes_update(void)
{
	uint16_t free_cpus[WORLD_NODES];
	uint64_t free_memory[WORLD_NODES];
	uint32_t cg = completing_nodes();

	world_free_cpus(free_cpus, free_memory, false);
	for (int n = 0; n < node_record_count; n++) {
		const struct world_node *of = &world.nodes[n];
		node_record_t *node = world_tables.nodes[n];
		bool cleans = cg & 1U << n, idle = free_cpus[n] == of->cpus;

		node->node_state = of->down ? NODE_STATE_DOWN :
				   idle     ? NODE_STATE_IDLE :
					      NODE_STATE_ALLOCATED;
		node->node_state |= of->drain ? NODE_STATE_DRAIN : 0;
		node->node_state |= cleans ? NODE_STATE_COMPLETING : 0;
		set_bit(world_tables.avail, n, !of->down && !of->drain);
		set_bit(world_tables.up, n, !of->down);
		set_bit(world_tables.idle, n, !of->down && idle && !cleans);
		set_bit(world_tables.share, n, true);
		set_bit(world_tables.cg, n, cleans);
	}
	last_node_update = world_wall_s();
}

void world_free_cpus(uint16_t *ret_cpus, uint64_t *ret_memory, bool all)
{
	for (int n = 0; n < world.node_count; n++) {
		ret_cpus[n] = world.nodes[n].cpus;
		ret_memory[n] = world.nodes[n].memory;
	}
	for (size_t r = 0; r < world.run_count && !all; r++)
		for (int n = 0; n < world.node_count; n++) {
			if (!world.runs[r].suspended)
				ret_cpus[n] = (uint16_t)(ret_cpus[n] - world.runs[r].cpus[n]);
			ret_memory[n] -= world.runs[r].memory[n];
		}
}

part_record_t *find_part_record(char *name)
{
	world_need("find_part_record", 0, 0, 0, 1);
	for (int i = 0; i < world.part_count; i++)
		if (strcmp(parts[i]->name, name) == 0)
			return parts[i];
	return NULL;
}
