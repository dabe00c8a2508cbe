/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmconf.c - reads nodes and partitions from a slurm.conf
 *
 * The file is read twice, because names of gres and partitions must be known before the first node
 * is made.
 */

#include "slurmconf/slurmconf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "slurmconf/conf.h"
#include "slurmconf/keys.h"
#include "slurmconf/reading.h"

static int keep_default(const struct maui_conf_reading *r, struct maui_conf_line *kept,
			const struct maui_conf_line *line)
{
	return maui_conf_line_add(kept, line) ? maui_conf_no_memory(r) : 0;
}

static void read_select_type(const struct maui_conf_line *line, struct maui_conf_rules *ret)
{
	const char *type = maui_conf_value(line, "SelectType");
	const char *parameters = maui_conf_value(line, "SelectTypeParameters");

	if (type)
		ret->linear = strcasecmp(type, "select/linear") == 0;
	if (parameters) {
		ret->by_cpu = strcasestr(parameters, "CR_CPU") != NULL;
		ret->least_loaded = strcasestr(parameters, "CR_LLN") != NULL;
		ret->memory = strcasestr(parameters, "_Memory") != NULL;
		ret->memory_known = true;
	}
}

/* UNLIMITED memory is none that slurmctld could add to a job. */
static int64_t read_memory(struct maui_conf_entry *entry, const char *key, int64_t before)
{
	int64_t mb = maui_conf_entry_number(entry, key, MAUI_NUMBER_MAX, before);

	return mb == MAUI_NUMBER_MAX ? 0 : mb;
}

/* A line of neither nodes nor partitions. */
static int read_cluster_line(struct maui_conf_reading *r, const struct maui_conf_line *line)
{
	struct maui_conf_entry entry = { .path = r->path, .line = line, .err = r->err };
	struct maui_conf_rules *rules = &r->rules;
	const char *licenses = maui_conf_value(line, "Licenses");

	read_select_type(line, rules);
	r->conf->open |= maui_conf_value(line, "MaxNodeCount") != NULL;
	rules->mem_per_node = read_memory(&entry, "DefMemPerNode", rules->mem_per_node);
	rules->mem_per_cpu = read_memory(&entry, "DefMemPerCPU", rules->mem_per_cpu);
	if (licenses && *licenses &&
	    maui_conf_note(r, "Licenses are not simulated: %.100s", licenses))
		return -1;
	return entry.failed ? -1 : 0;
}

/* What Slurm says of the line before it looks at its values. */
static int check_line(struct maui_conf_reading *r, const struct maui_conf_line *line)
{
	const char *unknown;

	if (maui_conf_check_line(line, &unknown, r->err))
		return -1;
	return unknown ?
		       maui_conf_note(r,
				      "line %" PRIu64
				      ": no release of Slurm from 22.05 to 26.05 knows the key %s",
				      line->number, unknown) :
		       0;
}

static int read_partitions_line(void *data, const struct maui_conf_line *line)
{
	struct maui_conf_reading *r = data;
	const char *name = line->count > 0 ? line->pairs[0].value : "";

	if (check_line(r, line))
		return -1;
	switch (maui_conf_kind_of(line)) {
	case MAUI_CONF_NODES:
		return maui_conf_note_gres(r, line);
	case MAUI_CONF_PARTITION:
		return strcasecmp(name, "DEFAULT") == 0 ?
			       keep_default(r, &r->partition_default, line) :
			       maui_conf_read_partition(r, line, name);
	case MAUI_CONF_NODESET:
		return maui_conf_read_set(r, line, name);
	case MAUI_CONF_CLUSTER:
		return read_cluster_line(r, line);
	default:
		return 0;
	}
}

static int read_nodes_line(void *data, const struct maui_conf_line *line)
{
	struct maui_conf_reading *r = data;
	const char *names = line->count > 0 ? line->pairs[0].value : "";

	switch (maui_conf_kind_of(line)) {
	case MAUI_CONF_NODES:
		return strcasecmp(names, "DEFAULT") == 0 ? keep_default(r, &r->node_default, line) :
							   maui_conf_read_nodes(r, line, names);
	case MAUI_CONF_DOWN_NODES:
		return maui_conf_read_down(r, line, names);
	default:
		return 0;
	}
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
	    maui_conf_read(r->path, read_nodes_line, r, r->err) || maui_conf_check_members(r) ||
	    maui_conf_finish_nodes(r) || maui_conf_note_left_out(r))
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
	maui_conf_downs_finish(&r);
	maui_conf_line_finish(&r.node_default);
	maui_conf_line_finish(&r.partition_default);
	return rc;
}

void maui_slurmconf_finish(struct maui_slurmconf *conf)
{
	maui_snapshot_destroy(conf->snapshot);
	for (unsigned i = 0; i < conf->gres_count; i++)
		free(conf->gres[i]);
	free(conf->gres);
	free(conf->limits);
	maui_words_finish(&conf->notes);
	*conf = (struct maui_slurmconf){ 0 };
}
