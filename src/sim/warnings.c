/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.c - what maui-sim says on the standard error */

#include "sim/warnings.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/need.h"
#include "sim/rsvs.h"

void maui_sim_warn_of_policy(const struct maui_config *config, const struct maui_snapshot *snapshot)
{
	struct maui_diags diags = { 0 };
	char text[2048];

	maui_sim_rsvs_check(config, snapshot, &diags);
	for (size_t i = 0; i < diags.count; i++) {
		if (diags.list[i].severity == MAUI_NOTE)
			continue;
		maui_diag_format(&diags.list[i], text, sizeof(text));
		fprintf(stderr, "%s\n", text);
	}
	maui_diags_finish(&diags);
}

static void warn_of_partitions(const struct maui_sim_trace *trace,
			       const struct maui_sim_cluster *cluster)
{
	const struct maui_snapshot *s = cluster->conf.snapshot;
	const char *first = NULL;
	size_t count = 0;
	bool known;

	for (size_t i = 0; i < trace->count; i++) {
		const char *name = trace->jobs[i].cred[MAUI_CRED_CLASS];

		maui_sim_cluster_partition(cluster, name, &known);
		if (!known && count++ == 0)
			first = name;
	}
	if (count > 0)
		fprintf(stderr,
			"maui-sim: warning: partition '%s' is not in slurm.conf; jobs of unknown "
			"partitions run in '%s', %s: %zu of %zu\n",
			first, s->partitions[cluster->conf.default_partition].name,
			cluster->conf.has_default ? "the default" :
						    "the first one (slurmctld refuses them: no "
						    "partition has Default=YES)",
			count, trace->count);
}

void maui_sim_warn_of_sharing(const char *config_path)
{
	fprintf(stderr,
		"maui-sim: warning: %s: NODEACCESSPOLICY and the QOS flag DEDICATED have no effect on a "
		"pool of processors, which has no nodes; --cluster names a slurm.conf with nodes\n",
		config_path);
}

void maui_sim_warn_of_cluster(const char *slurm_conf, const struct maui_sim_trace *trace,
			      const struct maui_sim_cluster *cluster)
{
	for (size_t i = 0; i < cluster->conf.notes.count; i++)
		fprintf(stderr, "maui-sim: warning: %s: %s\n", slurm_conf,
			cluster->conf.notes.list[i]);
	warn_of_partitions(trace, cluster);
}

/* The jobs of a partition, and those of them that started. */
struct starts {
	size_t jobs, started, refused;
};

static void count_starts(const struct maui_sim_trace *trace, const struct maui_sim_cluster *cluster,
			 struct starts *of)
{
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_sim_job *job = &trace->jobs[i];
		struct starts *one =
			&of[maui_sim_cluster_partition(cluster, job->cred[MAUI_CRED_CLASS], NULL)];

		one->jobs++;
		one->started += job->start_s >= 0;
		one->refused += job->refused;
	}
}

static void warn_of_idle_partitions(const struct maui_sim_outcome *o,
				    const struct maui_sim_cluster *cluster)
{
	const struct maui_snapshot *s = cluster->conf.snapshot;
	struct starts *of = maui_need_list(s->partition_count, sizeof(*of));

	count_starts(o->trace, cluster, of);
	for (uint32_t p = 0; p < s->partition_count; p++)
		if (of[p].jobs > 0 && of[p].started == 0)
			fprintf(stderr,
				"maui-sim: warning: %s: no job of partition '%s' ever starts%s; "
				"jobs: %zu\n",
				o->config_path, s->partitions[p].name,
				of[p].refused == of[p].jobs ?
					": its State, MaxTime, MinNodes or MaxNodes refuses them" :
					"",
				of[p].jobs);
	free(of);
}

bool maui_sim_warn_of_starts(const struct maui_sim_outcome *o,
			     const struct maui_sim_cluster *cluster)
{
	bool none = o->trace->count > 0 && o->run->unstarted == o->trace->count;

	if (none)
		fprintf(stderr, "maui-sim: warning: %s: no job of the workload ever starts%s\n",
			o->config_path,
			!cluster->pool && cluster->conf.snapshot->totals.procs <= 0 ?
				": no node is in use" :
				"");
	else if (!cluster->pool)
		warn_of_idle_partitions(o, cluster);
	return none;
}
