/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reading.h - what the files of slurmconf.c share while they read one slurm.conf */
#ifndef MAUI_SLURMCONF_READING_H
#define MAUI_SLURMCONF_READING_H

#include "base/words.h"
#include "slurmconf/conf.h"
#include "slurmconf/entry.h"
#include "slurmconf/slurmconf.h"

/* A name of a Nodes list: of a node, or of a NodeSet. */
struct maui_conf_member {
	char *name;
	bool known;
};

struct maui_conf_partition {
	struct maui_partition of;
	struct maui_conf_limits limits;
	char *name;
	bool all;                         /* Nodes=ALL */
	struct maui_conf_member *members; /* by name */
	size_t member_count;
};

/* DownNodes=LIST State=S */
struct maui_conf_down {
	struct maui_words nodes;
	uint8_t state; /* as nodes.c reads it */
};

/* NodeSet=NAME Feature=F or Nodes=LIST */
struct maui_conf_set {
	char *name, *feature;
	struct maui_words nodes;
};

/* Settings of the whole cluster, before or after the lines of nodes and partitions. */
struct maui_conf_rules {
	bool linear, by_cpu, least_loaded;
	bool memory_known; /* SelectTypeParameters says whether jobs consume memory */
	bool memory;
	int64_t mem_per_node, mem_per_cpu; /* 0: none */
};

enum { MAUI_CONF_LEFT_OUT = 16 }; /* keys of partitions */

struct maui_conf_reading {
	struct maui_slurmconf *conf;
	const char *path;
	struct maui_err *err;
	struct maui_conf_line node_default, partition_default; /* all DEFAULT lines, in order */
	struct maui_conf_rules rules;
	struct maui_conf_partition *partitions;
	struct maui_conf_set *sets;
	struct maui_conf_down *downs;
	size_t partition_count, partition_alloc, set_count, set_alloc, down_count, down_alloc;
	size_t gres_alloc, note_alloc, state_alloc;
	uint8_t *states; /* of each node, as nodes.c reads it */
	struct {
		size_t first, count; /* partitions that have the key */
	} left_out[MAUI_CONF_LEFT_OUT];
};

int maui_conf_no_memory(const struct maui_conf_reading *r);
/* Keeps a sentence for the user (maui_slurmconf.notes). -1 without memory. */
int maui_conf_note(struct maui_conf_reading *r, const char *form, ...)
	__attribute__((format(printf, 2, 3)));

/* The first pass: names of gres, NodeSets, partitions. Each reads one line. -1 with err. */
int maui_conf_note_gres(struct maui_conf_reading *r, const struct maui_conf_line *line);
int maui_conf_read_set(struct maui_conf_reading *r, const struct maui_conf_line *line,
		       const char *name);
int maui_conf_read_partition(struct maui_conf_reading *r, const struct maui_conf_line *line,
			     const char *name);
/* Between them, once: the rules of the cluster for each partition, and the snapshot. */
int maui_conf_make_snapshot(struct maui_conf_reading *r);

/* The second pass: the nodes of a line; nodes that are down. */
int maui_conf_read_nodes(struct maui_conf_reading *r, const struct maui_conf_line *line,
			 const char *names);
int maui_conf_read_down(struct maui_conf_reading *r, const struct maui_conf_line *line,
			const char *names);
/* The partitions of a node with these features, as indices; how many. Notes the names that it
 * was found by. */
uint32_t maui_conf_memberships(struct maui_conf_reading *r, const char *name, const char *features,
			       uint32_t *list);
/* At the end: a name of a Nodes list that nothing has; a node with two lines; DownNodes. */
int maui_conf_check_members(struct maui_conf_reading *r);
int maui_conf_finish_nodes(struct maui_conf_reading *r);

/* Counts what no simulation does of the last partition, whose entry this is; at the end a note for
 * each key. */
void maui_conf_count_left_out(struct maui_conf_reading *r, const struct maui_conf_entry *entry);
int maui_conf_note_left_out(struct maui_conf_reading *r);

void maui_conf_partitions_finish(struct maui_conf_reading *r);
void maui_conf_downs_finish(struct maui_conf_reading *r);

#endif
