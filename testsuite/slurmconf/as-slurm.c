/* SPDX-License-Identifier: GPL-2.0-or-later */
/* as-slurm FILE - the nodes and partitions of a slurm.conf, as Slurm's own library has them
 *
 * As slurmctld does it: nodes are those of its node table, partitions what the parser hands it. The
 * library ends the program where slurmctld would not start.
 */

#include "slurm/compat.h"

#include <stdlib.h>
#include <string.h>

#include "testsuite/slurmconf/print.h"

static slurm_conf_nodeset_t **sets;
static int set_count;

static int64_t seconds(uint32_t minutes)
{
	return minutes == INFINITE || minutes == NO_VAL ? 0 : (int64_t)minutes * 60;
}

/* ---- nodes ---- */

static void show_gres(const node_record_t *node)
{
	char *names = strdup(slurm_conf.gres_plugins ? slurm_conf.gres_plugins : "");
	__typeof__(((node_record_t *)NULL)->gres_list) list = NULL;

	if (node->config_ptr->gres)
		gres_init_node_config(node->config_ptr->gres, &list);
	for (char *name = strtok(names, ","); name && list; name = strtok(NULL, ","))
		print_gres(node->name, name, (int64_t)gres_node_config_cnt(list, name));
	free(names);
}

/* Processors that Slurm keeps from jobs. */
static int64_t special(const node_record_t *node, int64_t per_core)
{
	int64_t count = 0;
	bitstr_t *listed;

	if (!node->cpu_spec_list)
		return node->core_spec_cnt * per_core;
	listed = bit_alloc(node->cpus);
	if (bit_unfmt(listed, node->cpu_spec_list) == 0)
		count = bit_set_count(listed);
	bit_free(listed);
	return count;
}

static void show_node(const node_record_t *node)
{
	int64_t cores = (int64_t)node->tot_sockets * node->cores;
	int64_t per_core = node->cpus > cores ? node->threads : 1;

	print_node(&(struct printed_node){
		.name = node->name,
		.features = node->features,
		.procs = node->cpus - special(node, per_core),
		.unit = slurm_conf.select_type_param & CR_CPU ? 1 : per_core,
		.mem_mb = (int64_t)(node->real_memory - node->mem_spec_limit),
		.disk_mb = node->tmp_disk,
		.weight = node->weight,
		.usable = !IS_NODE_DOWN(node) && !IS_NODE_DRAIN(node) && !IS_NODE_FAIL(node) &&
			  !IS_NODE_FUTURE(node),
	});
	show_gres(node);
}

/* As slurmctld does it: what it cannot read of these lines it only names. */
static void set_down(const slurm_conf_downnodes_t *down)
{
	uint32_t state = NODE_STATE_DOWN;
	__typeof__(hostlist_create(NULL)) names;
	node_record_t *node;
	char *name;

	if (down->state)
		state = (uint32_t)state_str2int(down->state, down->nodenames);
	if (state == NO_VAL || state == NODE_STATE_UNKNOWN)
		return;
	names = hostlist_create(down->nodenames);
	while (names && (name = hostlist_shift(names))) {
		node = find_node_record(name);
		if (node)
			node->node_state = state;
		free(name);
	}
	hostlist_destroy(names);
}

static void set_all_down(void)
{
	slurm_conf_downnodes_t **downs;
	int count = slurm_conf_downnodes_array(&downs);

	for (int i = 0; i < count; i++)
		set_down(downs[i]);
}

/* ---- partitions ---- */

static bool list_has(const char *list, const char *name)
{
	__typeof__(hostlist_create(NULL)) names = hostlist_create(list);
	bool found = names && hostlist_find(names, name) >= 0;

	hostlist_destroy(names);
	return found;
}

static bool has_feature(const char *features, const char *feature)
{
	char *copy = strdup(features ? features : ""), *rest;
	char *one = strtok_r(copy, ",", &rest);

	while (one && strcmp(one, feature) != 0)
		one = strtok_r(NULL, ",", &rest);
	free(copy);
	return one != NULL;
}

static bool is_member(const slurm_conf_partition_t *part, const node_record_t *node)
{
	if (!part->nodes)
		return false;
	if (strcasecmp(part->nodes, "ALL") == 0 || list_has(part->nodes, node->name))
		return true;
	for (int i = 0; i < set_count; i++)
		if (list_has(part->nodes, sets[i]->name) &&
		    ((sets[i]->feature && has_feature(node->features, sets[i]->feature)) ||
		     (sets[i]->nodes && list_has(sets[i]->nodes, node->name))))
			return true;
	return false;
}

/* UNLIMITED is no memory that a job could get, either. */
static bool is_none(uint64_t memory)
{
	return memory == MEM_PER_CPU || memory == NO_VAL64 || memory == INFINITE64;
}

static void show_partition(const slurm_conf_partition_t *part)
{
	bool linear = strcmp(slurm_conf.select_type, "select/linear") == 0;
	bool counted = slurm_conf.select_type_param & CR_MEMORY;
	/* without SelectTypeParameters the releases differ, and the reader takes neither side */
	bool told = linear || slurm_conf.select_type_param;
	uint64_t memory = part->def_mem_per_cpu;

	if (memory == 0 || is_none(memory))
		memory = slurm_conf.def_mem_per_cpu;
	if (is_none(memory))
		memory = 0;
	print_partition(&(struct printed_partition){
		.name = part->name,
		.tier = part->priority_tier,
		.job_factor = part->priority_job_factor == 1 ? 0 : part->priority_job_factor,
		.is_default = part->default_flag,
		.down = part->state_up != PARTITION_UP,
		.whole_nodes = linear || part->max_share == 0,
		.sole_user = part->exclusive_user,
		.least_loaded =
			!linear && (part->lln_flag || (slurm_conf.select_type_param & CR_LLN)),
		.memory_uncounted = told && !counted,
		.all_memory = counted && memory == 0,
		.mem_per_node = counted && !(memory & MEM_PER_CPU) ? (int64_t)memory : 0,
		.mem_per_cpu =
			counted && (memory & MEM_PER_CPU) ? (int64_t)(memory & ~MEM_PER_CPU) : 0,
		.default_s = seconds(part->default_time),
		.max_s = part->max_time == INFINITE ? -1 : (int64_t)part->max_time * 60,
		.min_nodes = part->min_nodes,
		.max_nodes = part->max_nodes,
	});
}

static bool is_set(const char *name)
{
	int i = 0;

	while (i < set_count && strcmp(sets[i]->name, name) != 0)
		i++;
	return i < set_count;
}

/* slurmctld does not start with a partition of nodes that there are not. */
static void check_nodes(const slurm_conf_partition_t *part)
{
	__typeof__(hostlist_create(NULL)) names = hostlist_create(part->nodes);
	char *name;

	while (strcasecmp(part->nodes ? part->nodes : "ALL", "ALL") != 0 &&
	       (name = hostlist_shift(names))) {
		if (!is_set(name) && !find_node_record(name))
			fatal("partition %s: no node %s", part->name, name);
		free(name);
	}
	hostlist_destroy(names);
}

/* Nor does that of 24.11 and later with two lines for one partition. */
static void check_names(slurm_conf_partition_t **parts, int count)
{
	for (int i = 0; i < count; i++)
		for (int k = 0; k < i; k++)
			if (strcmp(parts[i]->name, parts[k]->name) == 0)
				fatal("partition %s: two lines", parts[i]->name);
}

int main(int argc, char **argv)
{
	slurm_conf_partition_t **parts;
	int part_count, at = 0;
	node_record_t *node;
	log_options_t log = LOG_OPTS_STDERR_ONLY;

	/* by this name the library knows that it is to read what only daemons need: gres */
	log_init("slurmctld", log, SYSLOG_FACILITY_USER, NULL);
	if (argc != 2 || slurm_conf_init(argv[1])) {
		fprintf(stderr, "usage: as-slurm FILE\n");
		return 2;
	}
	gres_init();
	init_node_conf();
	build_all_nodeline_info(false, 0);
	rehash_node();
	set_count = slurm_conf_nodeset_array(&sets);
	part_count = slurm_conf_partition_array(&parts);
	check_names(parts, part_count);
	set_all_down();
	for (; (node = next_node(&at)); at++) {
		show_node(node);
		for (int p = 0; p < part_count; p++)
			if (is_member(parts[p], node))
				print_member(parts[p]->name, node->name);
	}
	for (int p = 0; p < part_count; p++) {
		check_nodes(parts[p]);
		show_partition(parts[p]);
	}
	return 0;
}
