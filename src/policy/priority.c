/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.c - the sum of weighted, capped factors (Maui manual 5.1.2)
 *
 * One function a component computes raw values into factor[]; one loop caps, weighs and sums
 * them. A factor without weight is never computed: sites use a handful of thirty.
 *
 * Rules: PRIO-1, PRIO-3, PRIO-4, PRIO-5, PRIO-6, PRIO-7, PRIO-8, PRIO-9, PRIO-11, PRIO-12,
 * PRIO-13.
 */

#include "policy/priority.h"

#include <stddef.h>

#include "base/limits.h"

struct calc {
	const struct maui_config *config;
	const struct maui_totals *totals;
	const struct maui_priority_creds *creds;
	const struct maui_job *job;
	double *factor;
	const double *weight;
};

void maui_priority_resolve(const struct maui_config *config, const char *const *cred,
			   struct maui_priority_creds *ret)
{
	ret->weights = maui_config_priority(config, cred[MAUI_CRED_CLASS]);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		ret->cred[k] = maui_config_cred(config, (enum maui_cred_kind)k, cred[k]);
}

/* fmax() and fmin() are slower, because they handle NaN, which does not occur here. */
static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static double share(double request, double total)
{
	return request > 0 && total > 0 ? request / total : 0;
}

double maui_priority_pe(const struct maui_job *job, const struct maui_totals *totals)
{
	double most = share(job->procs, totals->procs);

	most = larger(most, share(job->mem_mb, totals->mem_mb));
	most = larger(most, share(job->disk_mb, totals->disk_mb));
	most = larger(most, share(job->swap_mb, totals->swap_mb));
	most = larger(most, share(job->gres, totals->gres));
	return totals->procs * most;
}

double maui_priority_xfactor(const struct maui_priority_config *weights, double queue_s,
			     double limit_s)
{
	double limit = larger(limit_s, (double)weights->xfminwclimit_s);

	return limit > 0 ? 1 + larger(queue_s, 0) / limit : 1;
}

static double xfactor(const struct calc *c)
{
	return maui_priority_xfactor(c->creds->weights, c->job->queue_time_s, c->job->walltime_s);
}

static void service(const struct calc *c)
{
	if (c->weight[MAUI_FACTOR_QUEUETIME] != 0)
		c->factor[MAUI_FACTOR_QUEUETIME] = c->job->queue_time_s / 60;
	if (c->weight[MAUI_FACTOR_XFACTOR] != 0)
		c->factor[MAUI_FACTOR_XFACTOR] = xfactor(c);
	if (c->weight[MAUI_FACTOR_BYPASS] != 0)
		c->factor[MAUI_FACTOR_BYPASS] = c->job->bypass;
	if (c->weight[MAUI_FACTOR_SPVIOLATION] != 0)
		c->factor[MAUI_FACTOR_SPVIOLATION] = c->job->soft_violation ? 1 : 0;
}

/* Grows without bound as the target comes near, saturates at 1e8 (PRIO-8). */
static double target_distance(double target, double now)
{
	double left = larger(0.0001, target - now);

	return 1 / (left * left);
}

static void target(const struct calc *c)
{
	const struct maui_cred_config *qos = c->creds->cred[MAUI_CRED_QOS];

	if (c->weight[MAUI_FACTOR_TARGETQUEUETIME] != 0 && qos->qttarget_s > 0)
		c->factor[MAUI_FACTOR_TARGETQUEUETIME] =
			target_distance((double)qos->qttarget_s, c->job->queue_time_s);
	if (c->weight[MAUI_FACTOR_TARGETXFACTOR] != 0 && qos->xftarget > 0)
		c->factor[MAUI_FACTOR_TARGETXFACTOR] = target_distance(qos->xftarget, xfactor(c));
}

/* The object's PRIORITY; if that is 0 (also if set to 0, PRIO-3), the kind's DEFAULT. QOS has no
 * DEFAULT; for a class the partition's PriorityJobFactor comes first (PRIO-3). */
static double cred_priority(const struct calc *c, enum maui_cred_kind kind)
{
	double own;

	if (!c->job->cred[kind])
		return 0;
	own = (double)c->creds->cred[kind]->priority;
	if (own == 0 && kind == MAUI_CRED_CLASS)
		own = c->job->class_fallback;
	if (own == 0 && kind != MAUI_CRED_QOS)
		own = (double)c->config->creds[kind].default_priority;
	return own;
}

static void credential(const struct calc *c)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (c->weight[MAUI_FACTOR_USER + k] != 0)
			c->factor[MAUI_FACTOR_USER + k] = cred_priority(c, (enum maui_cred_kind)k);
}

static void fairshare(const struct calc *c)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		c->factor[MAUI_FACTOR_FSUSER + k] = c->job->fs_delta[k];
}

static void resource(const struct calc *c)
{
	const struct maui_job *job = c->job;
	double *factor = c->factor;

	factor[MAUI_FACTOR_NODE] = job->nodes;
	factor[MAUI_FACTOR_PROC] = job->procs;
	factor[MAUI_FACTOR_MEM] = job->mem_mb;
	factor[MAUI_FACTOR_SWAP] = job->swap_mb;
	factor[MAUI_FACTOR_DISK] = job->disk_mb;
	factor[MAUI_FACTOR_GRES] = job->gres;
	factor[MAUI_FACTOR_PS] = job->procs * job->walltime_s;
	if (c->weight[MAUI_FACTOR_PE] != 0)
		factor[MAUI_FACTOR_PE] = maui_priority_pe(job, c->totals);
	factor[MAUI_FACTOR_WALLTIME] = job->walltime_s;
	factor[MAUI_FACTOR_UPROC] = job->user_procs;
	factor[MAUI_FACTOR_UJOB] = job->user_jobs;
}

/* Active jobs only (PRIO-11). A job may run over its limit: nothing remains then. */
static void usage(const struct calc *c)
{
	const struct maui_job *job = c->job;
	double left = larger(0, job->walltime_s - job->elapsed_s);

	if (!job->active)
		return;
	c->factor[MAUI_FACTOR_USAGECONSUMED] = job->procs * job->elapsed_s;
	c->factor[MAUI_FACTOR_USAGEREMAINING] = job->procs * left;
	c->factor[MAUI_FACTOR_USAGEEXECUTIONTIME] = job->elapsed_s;
	if (job->walltime_s > 0)
		c->factor[MAUI_FACTOR_USAGEPERCENT] =
			smaller(100, 100 * job->elapsed_s / job->walltime_s);
}

static const struct {
	enum maui_factor first, end;
	void (*compute)(const struct calc *c);
} components[MAUI_COMP_COUNT] = {
	[MAUI_COMP_SERV] = { MAUI_FACTOR_QUEUETIME, MAUI_FACTOR_TARGETQUEUETIME, service },
	[MAUI_COMP_TARG] = { MAUI_FACTOR_TARGETQUEUETIME, MAUI_FACTOR_USER, target },
	[MAUI_COMP_CRED] = { MAUI_FACTOR_USER, MAUI_FACTOR_FSUSER, credential },
	[MAUI_COMP_FS] = { MAUI_FACTOR_FSUSER, MAUI_FACTOR_NODE, fairshare },
	[MAUI_COMP_RES] = { MAUI_FACTOR_NODE, MAUI_FACTOR_USAGECONSUMED, resource },
	[MAUI_COMP_USAGE] = { MAUI_FACTOR_USAGECONSUMED, MAUI_FACTOR_COUNT, usage },
};

/* The configured weights, with the changes by QOS and group for this job. */
static void weights_in_force(const struct maui_priority_creds *creds, double *weight)
{
	const struct maui_cred_config *qos = creds->cred[MAUI_CRED_QOS];
	double class_weight = creds->cred[MAUI_CRED_GROUP]->class_weight;

	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		weight[f] = creds->weights->weight[f];
	weight[MAUI_FACTOR_QUEUETIME] += qos->qtweight;
	weight[MAUI_FACTOR_XFACTOR] += qos->xfweight;
	if (class_weight > 0)
		weight[MAUI_FACTOR_CLASS] = class_weight;
}

static bool is_weighted(const double *weight, enum maui_component comp)
{
	bool any = false;

	for (int f = (int)components[comp].first; f < (int)components[comp].end; f++)
		any |= weight[f] != 0;
	return any;
}

/* Applies caps and weights of one component. A component without any weight is not computed. */
static double component(const struct calc *c, enum maui_component comp)
{
	const struct maui_priority_config *w = c->creds->weights;
	double sum = 0;

	for (int f = (int)components[comp].first; f < (int)components[comp].end; f++)
		c->factor[f] = 0;
	if (!is_weighted(c->weight, comp))
		return 0;
	components[comp].compute(c);
	for (int f = (int)components[comp].first; f < (int)components[comp].end; f++) {
		if (w->cap[f] > 0 && c->factor[f] > w->cap[f])
			c->factor[f] = w->cap[f];
		if (c->weight[f] != 0)
			sum += c->weight[f] * c->factor[f];
		else
			c->factor[f] = 0;
	}
	if (w->component_cap[comp] > 0 && sum > w->component_cap[comp])
		sum = w->component_cap[comp];
	return sum * w->component_weight[comp];
}

/* Applies PRIO-12 and PRIO-13 in their order: a rejected job keeps its negative value; the relative
 * system priority is added after clip and ceiling and is not clipped again. */
static double finish(const struct maui_priority_config *w, const struct maui_job *job, double value,
		     bool *ret_rejected)
{
	*ret_rejected = w->reject_negative && value < 0;
	if (!w->enable_negative && !w->reject_negative && value < 1)
		value = 1;
	if (value > MAUI_PRIORITY_MAX)
		value = MAUI_PRIORITY_MAX;
	if (job->system_priority > 0)
		value = (double)MAUI_PRIORITY_MAX + job->system_priority;
	return value + job->system_priority_relative;
}

void maui_priority_compute(const struct maui_config *config, const struct maui_totals *totals,
			   const struct maui_priority_creds *creds, const struct maui_job *job,
			   struct maui_priority *ret)
{
	struct calc c = { .config = config,
			  .totals = totals,
			  .creds = creds,
			  .job = job,
			  .factor = ret->factor,
			  .weight = ret->weight };

	weights_in_force(creds, ret->weight);
	ret->raw = 0;
	for (int comp = 0; comp < MAUI_COMP_COUNT; comp++) {
		ret->component[comp] = component(&c, (enum maui_component)comp);
		ret->raw += ret->component[comp];
	}
	ret->value = finish(creds->weights, job, ret->raw, &ret->rejected);
}

void maui_priority_prepare(const struct maui_priority_creds *creds,
			   struct maui_priority_weights *ret)
{
	weights_in_force(creds, ret->weight);
	ret->used = 0;
	for (int comp = 0; comp < MAUI_COMP_COUNT; comp++)
		if (is_weighted(ret->weight, (enum maui_component)comp))
			ret->used |= 1u << comp;
}

double maui_priority_value(const struct maui_config *config, const struct maui_totals *totals,
			   const struct maui_priority_creds *creds,
			   const struct maui_priority_weights *weights, const struct maui_job *job,
			   bool *ret_rejected)
{
	double factor[MAUI_FACTOR_COUNT], raw = 0;
	const struct calc c = { .config = config,
				.totals = totals,
				.creds = creds,
				.job = job,
				.factor = factor,
				.weight = weights->weight };

	for (int comp = 0; comp < MAUI_COMP_COUNT; comp++)
		if (weights->used & 1u << comp)
			raw += component(&c, (enum maui_component)comp);
	return finish(creds->weights, job, raw, ret_rejected);
}
