/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit.c - the attribute that sets each limit, and how much one job counts */

#include "model/limit.h"

#include <math.h>

/* The attributes of one resource by kind of limit. OMAXJJOB does not exist. */
#define ATTRIBUTES(resource, ...)                               \
	{                                                       \
		[MAUI_LIMIT_ACTIVE] = "MAX" #resource,          \
		[MAUI_LIMIT_IDLE] = "MAXI" #resource,           \
		[MAUI_LIMIT_OVERRIDE] = "OMAX" #resource,       \
		[MAUI_LIMIT_OVERRIDE_IDLE] = "OMAXI" #resource, \
		[MAUI_LIMIT_SINGLE] = "OMAXJ" #resource,        \
	},

static const char *const attributes[MAUI_RESOURCE_COUNT][MAUI_LIMIT_KIND_COUNT] = { ATTRIBUTES(
	JOB) MAUI_AMOUNTS(ATTRIBUTES) };

const char *maui_limit_name(enum maui_limit_kind kind, enum maui_resource resource)
{
	return kind < MAUI_LIMIT_KIND_COUNT && resource < MAUI_RESOURCE_COUNT ?
		       attributes[resource][kind] :
		       "?";
}

/* The PE of 4 processors of 64 is computed as 64 x (4/64). A rounding error below 4 would lose a
 * whole PE. */
static double whole_part(double pe)
{
	double nearest = round(pe);

	return fabs(pe - nearest) <= 1e-9 * nearest ? nearest : floor(pe);
}

void maui_demand_make(const struct maui_job *job, double pe, struct maui_demand *ret)
{
	double left = job->active ? fmax(0, job->walltime_s - job->elapsed_s) : job->walltime_s;

	ret->of[MAUI_RESOURCE_JOB] = 1;
	ret->of[MAUI_RESOURCE_PROC] = job->procs;
	ret->of[MAUI_RESOURCE_NODE] = job->nodes;
	ret->of[MAUI_RESOURCE_PS] = job->procs * left;
	ret->of[MAUI_RESOURCE_PE] = whole_part(pe);
	ret->of[MAUI_RESOURCE_WC] = left;
	ret->of[MAUI_RESOURCE_MEM] = job->mem_mb;
	ret->of[MAUI_RESOURCE_GPU] = job->gpus;
}

void maui_demand_suspend(struct maui_demand *demand, double pe)
{
	demand->of[MAUI_RESOURCE_PROC] = 0;
	demand->of[MAUI_RESOURCE_PS] = 0;
	demand->of[MAUI_RESOURCE_PE] = whole_part(pe);
}

const char *maui_limited_name(int object)
{
	return object == MAUI_LIMITED_SYSTEM ? "system" :
					       maui_cred_name((enum maui_cred_kind)object);
}
