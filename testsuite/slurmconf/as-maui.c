/* SPDX-License-Identifier: GPL-2.0-or-later */
/* as-maui FILE - the nodes and partitions of a slurm.conf, as our reader has them */

#include "base/limits.h"
#include "model/when.h"
#include "slurmconf/slurmconf.h"
#include "testsuite/slurmconf/print.h"

static void show_node(const struct maui_slurmconf *conf, const struct maui_node *n)
{
	print_node(&(struct printed_node){
		.name = n->name,
		.features = n->features,
		.procs = n->have[MAUI_AMOUNT_PROCS],
		.unit = n->unit,
		.mem_mb = n->have[MAUI_AMOUNT_MEM],
		.disk_mb = n->have[MAUI_AMOUNT_DISK],
		.weight = n->weight,
		.usable = n->usable_from_s == 0,
	});
	for (unsigned g = 0; g < conf->gres_count; g++)
		print_gres(n->name, conf->gres[g], n->have[MAUI_AMOUNT_FIXED + g]);
	for (uint32_t p = 0; p < n->partition_count; p++)
		print_member(conf->snapshot->partitions[n->partitions[p]].name, n->name);
}

static void show_partition(const struct maui_partition *p, const struct maui_conf_limits *limits)
{
	print_partition(&(struct printed_partition){
		.name = p->name,
		.tier = p->tier,
		.job_factor = (uint32_t)p->job_factor,
		.is_default = p->is_default,
		.down = p->down,
		.whole_nodes = p->whole_nodes,
		.sole_user = p->sole_user,
		.least_loaded = p->least_loaded,
		.memory_uncounted = p->memory_uncounted,
		.all_memory = p->all_memory,
		.mem_per_node = p->mem_per_node,
		.mem_per_cpu = p->mem_per_cpu,
		.default_s = p->default_limit_s,
		.max_s = limits->max_s == MAUI_NEVER ? -1 : limits->max_s,
		.min_nodes = limits->min_nodes,
		.max_nodes = limits->max_nodes,
	});
}

int main(int argc, char **argv)
{
	struct maui_slurmconf conf;
	struct maui_err err = { .text = "" };
	int rc = argc == 2 ? maui_slurmconf_read(&conf, argv[1], &err) : 2;

	if (rc) {
		fprintf(stderr, "as-maui: %s\n", rc == 2 ? "usage: as-maui FILE" : err.text);
		if (rc != 2)
			maui_slurmconf_finish(&conf);
		return rc == 2 ? 2 : 1;
	}
	for (uint32_t i = 0; i < conf.snapshot->node_count; i++)
		show_node(&conf, &conf.snapshot->nodes[i]);
	for (uint32_t i = 0; i < conf.snapshot->partition_count; i++)
		show_partition(&conf.snapshot->partitions[i], &conf.limits[i]);
	for (size_t i = 0; i < conf.notes.count; i++)
		fprintf(stderr, "as-maui: %s: %s\n", argv[1], conf.notes.list[i]);
	maui_slurmconf_finish(&conf);
	return 0;
}
