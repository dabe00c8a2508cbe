/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.c - the simulated machine, and what jobs request of it */

#include "sim/cluster.h"

#include <string.h>

#include "base/need.h"
#include "base/number.h"
#include "model/options.h"

bool maui_sim_cluster_share_pool(const struct maui_sim_cluster *cluster, struct maui_config *config)
{
	const uint64_t dedicated = UINT64_C(1) << MAUI_QOS_DEDICATED;
	struct maui_creds *qos = &config->creds[MAUI_CRED_QOS];
	bool had = config->node_access != MAUI_ACCESS_SHARED || (qos->unnamed.flags & dedicated);

	if (!cluster->pool)
		return false;
	config->node_access = MAUI_ACCESS_SHARED;
	qos->unnamed.flags &= ~dedicated;
	for (size_t i = 0; i < qos->count; i++) {
		had |= (qos->list[i].flags & dedicated) != 0;
		qos->list[i].flags &= ~dedicated;
	}
	return had;
}

int maui_sim_cluster_pool(struct maui_sim_cluster *cluster, int64_t procs, struct maui_err *err)
{
	const struct maui_partition partition = { .name = "pool" };
	const uint32_t member = 0;
	const struct maui_node node = {
		.name = "pool", .have = &procs, .partitions = &member, .partition_count = 1
	};

	struct maui_snapshot *s = maui_need(maui_snapshot_create(1));

	*cluster = (struct maui_sim_cluster){ .pool = true, .conf.snapshot = s };
	if (procs < 1)
		return maui_err_set(
			err,
			"the trace does not say how many processors the machine has: use --procs N");
	if (maui_snapshot_add_partition(s, &partition) < 0 || maui_snapshot_add_node(s, &node) < 0)
		maui_out_of_memory();
	s->totals.procs = (double)procs;
	return maui_snapshot_seal(s, err);
}

int maui_sim_cluster_read(struct maui_sim_cluster *cluster, const char *path, struct maui_err *err)
{
	*cluster = (struct maui_sim_cluster){ 0 };
	return maui_slurmconf_read(&cluster->conf, path, err);
}

void maui_sim_cluster_finish(struct maui_sim_cluster *cluster)
{
	maui_slurmconf_finish(&cluster->conf);
}

/* The count of a generic resource in "gpu=2,mps=10". */
static int64_t read_gres(const char *name, const char *text)
{
	int64_t count = 0;

	while (text && *text) {
		size_t length = strcspn(text, "=,");

		if (text[length] == '=' && strlen(name) == length &&
		    strncmp(name, text, length) == 0)
			count += maui_number_read(text + length + 1, NULL);
		text += strcspn(text, ",");
		text += *text == ',';
	}
	return count;
}

static double weigh(const struct maui_sim_cluster *cluster, const struct maui_config *config,
		    unsigned g, double count)
{
	return count * maui_config_gres_weight(config, cluster->conf.gres[g], NULL);
}

void maui_sim_cluster_weigh(struct maui_sim_cluster *cluster, const struct maui_config *config)
{
	struct maui_snapshot *s = cluster->conf.snapshot;

	s->totals.gres = 0;
	for (uint32_t n = 0; n < s->node_count; n++)
		for (unsigned g = 0; g < cluster->conf.gres_count && s->nodes[n].usable_from_s == 0;
		     g++)
			s->totals.gres += weigh(cluster, config, g,
						(double)s->nodes[n].have[MAUI_AMOUNT_FIXED + g]);
}

void maui_sim_cluster_gres(const struct maui_sim_cluster *cluster, const struct maui_config *config,
			   const struct maui_sim_job *job, struct maui_job *ret)
{
	double nodes = job->nodes > 0 ? job->nodes : 1;

	for (unsigned g = 0; g < cluster->conf.gres_count; g++) {
		double count = (double)read_gres(cluster->conf.gres[g], job->gres) * nodes;

		if (strcmp(cluster->conf.gres[g], "gpu") == 0)
			ret->gpus = count;
		ret->gres += weigh(cluster, config, g, count);
	}
}

/* A job that names no nodes gets as many as its partition gives. */
static void limit_nodes(const struct maui_conf_limits *limits, struct maui_job_options *options)
{
	if (limits->min_nodes > 1)
		options->nodes = limits->min_nodes;
	if (limits->min_nodes > 1 || limits->max_nodes < UINT32_MAX)
		options->nodes_max = limits->max_nodes;
}

int64_t maui_sim_cluster_request(struct maui_sim_cluster *cluster, uint32_t partition,
				 const struct maui_sim_job *job)
{
	struct maui_snapshot *s = cluster->conf.snapshot;
	struct maui_arena arena = { 0 };
	int64_t *gres = maui_need(maui_arena_alloc(&arena, s->amount_count * sizeof(*gres)));
	int64_t index = -1;
	struct maui_job_options options = {
		.nodes = cluster->pool ? 0 : job->nodes,
		.tasks = job->procs,
		.whole_nodes = job->whole_nodes && !cluster->pool,
		.memory_named = job->mem_node_mb > 0 || job->mem_proc_mb > 0,
		.mem = job->mem_node_mb,
		.mem_per_cpu = job->mem_proc_mb,
		.gres = gres,
	};
	struct maui_request request;

	for (unsigned g = 0; g < cluster->conf.gres_count; g++)
		gres[MAUI_AMOUNT_FIXED + g] = read_gres(cluster->conf.gres[g], job->gres);
	if (!cluster->pool && job->nodes == 0)
		limit_nodes(&cluster->conf.limits[partition], &options);
	if (maui_options_request(s, partition, &options, &arena, &request) == 0) {
		request.nodes_named = job->nodes > 0; /* of a pool, too */
		index = maui_snapshot_request(s, &request);
	}
	maui_arena_finish(&arena);
	return index;
}

/* The partition of a name of this length; partition_count: there is none. */
static uint32_t find_partition(const struct maui_snapshot *s, const char *name, size_t length)
{
	uint32_t at = 0;

	while (at < s->partition_count && (strncmp(s->partitions[at].name, name, length) != 0 ||
					   s->partitions[at].name[length] != '\0'))
		at++;
	return at;
}

uint32_t maui_sim_cluster_partition(const struct maui_sim_cluster *cluster, const char *name,
				    bool *ret_known)
{
	const struct maui_snapshot *s = cluster->conf.snapshot;
	uint32_t at = s->partition_count;

	for (const char *one = name; one && *one && at == s->partition_count;) {
		size_t length = strcspn(one, ",");

		at = find_partition(s, one, length);
		one += length;
		one += *one == ',';
	}
	if (ret_known)
		*ret_known = at < s->partition_count || !name;
	return at < s->partition_count ? at : cluster->conf.default_partition;
}
