/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settle.c - the partition, QOS and time limit of a job of a trace
 *
 * Rules: CMD-13, PRIO-18.
 */

#include "sim/settle.h"

#include <string.h>

#include "base/need.h"
#include "policy/qos.h"
#include "policy/time_limit.h"

/* "batch,fast": the class of a job is one partition. */
static void settle_class(struct maui_arena *arena, const struct maui_sim_cluster *cluster,
			 struct maui_sim_job *job)
{
	const char *list = job->cred[MAUI_CRED_CLASS];
	const struct maui_snapshot *s = cluster->conf.snapshot;
	size_t length = list ? strcspn(list, ",") : 0;
	uint32_t partition;
	char *first;
	bool known;

	if (!list || list[length] == '\0')
		return;
	partition = maui_sim_cluster_partition(cluster, list, &known);
	if (known) {
		job->cred[MAUI_CRED_CLASS] = s->partitions[partition].name;
		return;
	}
	first = maui_need(maui_arena_strdup(arena, list));
	first[length] = '\0';
	job->cred[MAUI_CRED_CLASS] = first;
}

/* Whether a job may start in a partition. `limit_s`: what it asks for; 0: not known. */
static bool is_taken(const struct maui_sim_cluster *cluster, uint32_t partition, uint32_t nodes,
		     int64_t limit_s)
{
	const struct maui_conf_limits *limits = &cluster->conf.limits[partition];

	if (cluster->conf.snapshot->partitions[partition].down || limit_s > limits->max_s ||
	    limits->min_nodes > limits->max_nodes || limits->max_s == 0)
		return false;
	return nodes == 0 || (nodes >= limits->min_nodes && nodes <= limits->max_nodes);
}

/* The limit of a job that names none, or none that ends. */
static void settle_limit(const struct maui_config *config, const struct maui_partition *partition,
			 struct maui_sim_job *job)
{
	bool of_partition = job->limit_kind == MAUI_SIM_LIMIT_PARTITION;
	struct maui_time_limit limit =
		maui_time_limit_in(config, partition, of_partition ? 0 : MAUI_NEVER);

	job->limit_s = limit.seconds;
	job->limit_kind = of_partition && strcmp(limit.from, "SYSTEMDEFAULTJOBWALLTIME") != 0 ?
				  MAUI_SIM_LIMIT_NAMED :
				  MAUI_SIM_LIMIT_NONE;
}

static void settle_job(const struct maui_sim_cluster *cluster, const struct maui_config *config,
		       struct maui_sim_job *job)
{
	uint32_t at = maui_sim_cluster_partition(cluster, job->cred[MAUI_CRED_CLASS], NULL);
	int64_t asked_s = job->limit_kind == MAUI_SIM_LIMIT_NAMED ? job->limit_s :
			  job->limit_kind == MAUI_SIM_LIMIT_NONE  ? MAUI_NEVER :
								    0;

	/* as priority/maui gives it to a job without a QOS */
	if (!job->cred[MAUI_CRED_QOS])
		job->cred[MAUI_CRED_QOS] = maui_qos_default(config, job->cred);
	job->refused = !cluster->pool && !is_taken(cluster, at, job->nodes, asked_s);
	if (job->limit_kind != MAUI_SIM_LIMIT_NAMED)
		settle_limit(config, &cluster->conf.snapshot->partitions[at], job);
	if (job->limit_kind == MAUI_SIM_LIMIT_NAMED && job->limit_s < job->run_s)
		job->limit_s = job->run_s; /* slurmctld let it run over its limit */
}

void maui_sim_settle(struct maui_sim_job *job, const struct maui_sim_cluster *cluster,
		     const struct maui_config *config, struct maui_arena *arena)
{
	settle_class(arena, cluster, job);
	settle_job(cluster, config, job);
}
