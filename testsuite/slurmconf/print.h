/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print.h - what a slurm.conf says, a line for each fact: as Slurm's reader and ours print it */
#ifndef TESTSUITE_SLURMCONF_PRINT_H
#define TESTSUITE_SLURMCONF_PRINT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct printed_node {
	const char *name, *features;
	int64_t procs, unit, mem_mb, disk_mb;
	uint32_t weight;
	bool usable;
};

struct printed_partition {
	const char *name;
	uint32_t tier, job_factor;
	bool is_default, down, whole_nodes, sole_user, least_loaded;
	bool memory_uncounted, all_memory;
	int64_t mem_per_node, mem_per_cpu, default_s; /* 0: none */
	int64_t max_s;                                /* -1: none */
	int64_t min_nodes, max_nodes;
};

static inline void print_node(const struct printed_node *n)
{
	printf("node %s procs=%" PRId64 " unit=%" PRId64 " mem=%" PRId64 " disk=%" PRId64
	       " weight=%" PRIu32 " usable=%d features=%s\n",
	       n->name, n->procs, n->unit, n->mem_mb, n->disk_mb, n->weight, n->usable,
	       n->features ? n->features : "");
}

static inline void print_gres(const char *node, const char *name, int64_t count)
{
	if (count > 0)
		printf("gres %s %s=%" PRId64 "\n", node, name, count);
}

static inline void print_member(const char *partition, const char *node)
{
	printf("member %s %s\n", partition, node);
}

static inline void print_partition(const struct printed_partition *p)
{
	printf("partition %s tier=%" PRIu32 " factor=%" PRIu32
	       " default=%d down=%d whole=%d user=%d lln=%d uncounted=%d all=%d node=%" PRId64
	       " cpu=%" PRId64 " time=%" PRId64 " max=%" PRId64 " nodes=%" PRId64 "-%" PRId64 "\n",
	       p->name, p->tier, p->job_factor, p->is_default, p->down, p->whole_nodes,
	       p->sole_user, p->least_loaded, p->memory_uncounted, p->all_memory, p->mem_per_node,
	       p->mem_per_cpu, p->default_s, p->max_s, p->min_nodes, p->max_nodes);
}

#endif
