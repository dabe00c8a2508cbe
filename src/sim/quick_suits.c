/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quick_suits.c - which simulations quick.c can do
 *
 * Everything is checked before the simulation begins, because all its jobs are known by then.
 *
 * Rules: BF-1, PRIO-16.
 */

#include "sim/quick.h"

#include "base/need.h"
#include "config/config.h"
#include "policy/priority.h"
#include "policy/throttle/throttle.h"
#include "sim/cluster.h"
#include "sim/engine.h"
#include "sim/trace.h"

/* Times and sums of processors up to these do not overflow. */
static const int64_t LATEST_S = INT64_C(1) << 60, MOST_PROCS = INT64_C(1) << 40;

/* With such a weight a job that has waited longer never ranks lower. */
static bool is_usual(double weight)
{
	return weight >= 0 && weight <= 1e12;
}

static bool suits_options(const struct maui_sim_options *o)
{
	return !o->saved && !o->want_reasons && !o->want_nodes && !o->want_estimates && !o->polls &&
	       !o->check;
}

static bool suits_planning(const struct maui_planning_config *c)
{
	if (c->backfill_policy == MAUI_BACKFILL_NONE)
		return c->reservation_retry_s <= 0;
	return c->backfill_policy == MAUI_BACKFILL_FIRSTFIT && c->backfill_depth <= 0 &&
	       (c->chunk_size <= 0 || c->chunk_duration_s <= 0) &&
	       c->reservation_policy == MAUI_RESERVE_CURRENTHIGHEST &&
	       c->reservation_retry_s <= 0 && c->threshold == MAUI_THRESHOLD_NONE;
}

static bool suits_config(const struct maui_config *c)
{
	return c->fs_policy.metric == MAUI_FS_NONE && c->rsv_count == 0 && c->stack_count == 1 &&
	       c->stacks[0].depth == 1 && c->stacks[0].qos.count == 0 &&
	       c->node_access == MAUI_ACCESS_SHARED && c->node_match == 0 &&
	       c->node_sets.policy == MAUI_SETS_NONE;
}

static bool suits_job(const struct maui_sim_job *job, int64_t procs)
{
	return job->procs >= 1 && job->procs <= procs && procs <= MOST_PROCS &&
	       job->submit_s >= -LATEST_S && job->submit_s <= LATEST_S &&
	       job->limit_kind == MAUI_SIM_LIMIT_NAMED && job->limit_s >= 1 &&
	       job->limit_s <= INT32_MAX && job->run_s <= job->limit_s && !job->refused &&
	       job->left_out == MAUI_REASON_NONE && job->mem_node_mb == 0 && job->mem_proc_mb == 0;
}

/* Whether jobs with these credentials rank by queue time alone, in the same way as all others, and
 * have neither limits nor flags. */
static bool suits_creds(const struct maui_config *config, struct maui_throttle *throttle,
			const char *const *cred)
{
	const struct maui_throttle_set *limits =
		maui_need((void *)maui_throttle_resolve(throttle, cred));
	const struct maui_priority_config *all = &config->priority;
	struct maui_priority_creds creds;
	struct maui_priority_weights weights;

	maui_priority_resolve(config, cred, &creds);
	maui_priority_prepare(&creds, &weights);
	if (maui_throttle_limit_count(limits) > 0 || creds.cred[MAUI_CRED_QOS]->flags != 0 ||
	    creds.weights != all ||
	    weights.weight[MAUI_FACTOR_QUEUETIME] != all->weight[MAUI_FACTOR_QUEUETIME])
		return false;
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		if (f != MAUI_FACTOR_QUEUETIME && weights.weight[f] != 0)
			return false;
	return true;
}

static bool suits_jobs(struct maui_snapshot *s, const struct maui_sim_trace *trace,
		       const struct maui_config *config)
{
	struct maui_throttle *throttle = maui_need(maui_throttle_create(config));
	uint32_t known = s->cred_count;
	bool suits = true;

	for (size_t i = 0; i < trace->count && suits; i++) {
		const struct maui_sim_job *job = &trace->jobs[i];

		if (maui_snapshot_creds(s, job->cred) < 0)
			maui_out_of_memory();
		suits = suits_job(job, s->nodes[0].have[MAUI_AMOUNT_PROCS]);
		for (; known < s->cred_count && suits; known++)
			suits = suits_creds(config, throttle, s->creds[known].cred);
	}
	maui_throttle_destroy(throttle);
	return suits;
}

bool maui_sim_quick_suits(struct maui_sim_cluster *cluster, const struct maui_sim_trace *trace,
			  const struct maui_config *config, const struct maui_sim_options *options)
{
	struct maui_snapshot *s = cluster->conf.snapshot;

	return cluster->pool && suits_options(options) &&
	       suits_planning(maui_config_planning(config, s->partitions[0].name)) &&
	       suits_config(config) && is_usual(config->priority.weight[MAUI_FACTOR_QUEUETIME]) &&
	       is_usual(config->priority.component_weight[MAUI_COMP_SERV]) &&
	       suits_jobs(s, trace, config);
}
