/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmconf.c - reads nodes and partitions from a slurm.conf
 *
 * The file is read twice, because names of gres and partitions must be known before the first node
 * is made.
 */

#include "slurmconf/slurmconf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "slurmconf/conf.h"
#include "slurmconf/reading.h"

/* A DEFAULT line comes before those that it adds to: the first value of a key counts. */
static int keep_default(const struct maui_conf_reading *r, char **kept, const char *line)
{
	char *both = NULL;

	if (asprintf(&both, "%s %s", line, *kept ? *kept : "") < 0)
		both = NULL;
	free(*kept);
	*kept = both;
	return both ? 0 : maui_conf_no_memory(r);
}

static void read_select_type(const char *line, struct maui_conf_rules *ret)
{
	char *type = maui_conf_get(line, "SelectType");
	char *parameters = maui_conf_get(line, "SelectTypeParameters");

	if (type)
		ret->linear = strcasecmp(type, "select/linear") == 0;
	if (parameters) {
		ret->by_cpu = strcasestr(parameters, "CR_CPU") != NULL;
		ret->least_loaded = strcasestr(parameters, "CR_LLN") != NULL;
		ret->memory = strcasestr(parameters, "_Memory") != NULL;
		ret->memory_known = true;
	}
	free(type);
	free(parameters);
}

/* A line of neither nodes nor partitions. */
static int read_cluster_line(struct maui_conf_reading *r, const char *line)
{
	struct maui_conf_entry entry = { .path = r->path, .line = line, .err = r->err };
	struct maui_conf_rules *rules = &r->rules;
	char *more = maui_conf_get(line, "MaxNodeCount");

	read_select_type(line, rules);
	r->conf->open |= more != NULL;
	free(more);
	rules->mem_per_node = maui_conf_entry_number(&entry, "DefMemPerNode", MAUI_NUMBER_MAX,
						     rules->mem_per_node);
	rules->mem_per_cpu =
		maui_conf_entry_number(&entry, "DefMemPerCPU", MAUI_NUMBER_MAX, rules->mem_per_cpu);
	return entry.failed ? -1 : 0;
}

static int read_partitions_line(void *data, const char *line)
{
	struct maui_conf_reading *r = data;
	char *node = maui_conf_get(line, "NodeName");
	char *partition = node ? NULL : maui_conf_get(line, "PartitionName");
	char *set = node || partition ? NULL : maui_conf_get(line, "NodeSet");
	int rc;

	if (node)
		rc = maui_conf_note_gres(r, line);
	else if (partition && strcasecmp(partition, "DEFAULT") == 0)
		rc = keep_default(r, &r->partition_default, line);
	else if (partition)
		rc = maui_conf_read_partition(r, line, partition);
	else if (set)
		rc = maui_conf_read_set(r, line, set);
	else
		rc = read_cluster_line(r, line);
	free(node);
	free(partition);
	free(set);
	return rc;
}

static int read_nodes_line(void *data, const char *line)
{
	struct maui_conf_reading *r = data;
	char *names = maui_conf_get(line, "NodeName");
	int rc = 0;

	if (names && strcasecmp(names, "DEFAULT") == 0)
		rc = keep_default(r, &r->node_default, line);
	else if (names)
		rc = maui_conf_read_nodes(r, line, names);
	free(names);
	return rc;
}

/* Jobs that get whole nodes get all gres, too, but for shares of a GPU. */
static int set_with_whole_nodes(struct maui_conf_reading *r)
{
	struct maui_slurmconf *conf = r->conf;
	int64_t *with = calloc(conf->snapshot->amount_count, sizeof(*with));
	int rc = 0;

	if (!with)
		return maui_conf_no_memory(r);
	for (unsigned g = 0; g < conf->gres_count; g++)
		with[MAUI_AMOUNT_FIXED + g] =
			strcmp(conf->gres[g], "mps") != 0 && strcmp(conf->gres[g], "shard") != 0;
	if (!r->rules.linear && maui_snapshot_set_with_whole_nodes(conf->snapshot, with))
		rc = maui_conf_no_memory(r);
	free(with);
	return rc;
}

static int read_both(struct maui_conf_reading *r)
{
	if (maui_conf_read(r->path, read_partitions_line, r, r->err) ||
	    maui_conf_make_snapshot(r) || set_with_whole_nodes(r) ||
	    maui_conf_read(r->path, read_nodes_line, r, r->err) || maui_conf_check_members(r))
		return -1;
	if (r->conf->snapshot->node_count == 0)
		return maui_err_set(r->err, "%s: no NodeName line", r->path);
	return maui_snapshot_seal(r->conf->snapshot, r->err);
}

int maui_slurmconf_read(struct maui_slurmconf *ret, const char *path, struct maui_err *err)
{
	struct maui_conf_reading r = { .conf = ret, .path = path, .err = err };
	int rc;

	*ret = (struct maui_slurmconf){ 0 };
	rc = read_both(&r);
	maui_conf_partitions_finish(&r);
	free(r.node_default);
	free(r.partition_default);
	return rc;
}

void maui_slurmconf_finish(struct maui_slurmconf *conf)
{
	maui_snapshot_destroy(conf->snapshot);
	for (unsigned i = 0; i < conf->gres_count; i++)
		free(conf->gres[i]);
	free(conf->gres);
	maui_words_finish(&conf->notes);
	*conf = (struct maui_slurmconf){ 0 };
}
