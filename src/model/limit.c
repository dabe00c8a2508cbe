/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit.c - names of limits, and what a job counts for in them */

#include "model/limit.h"

#include <math.h>

static const char *const resource_names[MAUI_RESOURCE_COUNT] = {
	[MAUI_RESOURCE_JOB] = "JOB", [MAUI_RESOURCE_PROC] = "PROC", [MAUI_RESOURCE_NODE] = "NODE",
	[MAUI_RESOURCE_PS] = "PS",   [MAUI_RESOURCE_PE] = "PE",     [MAUI_RESOURCE_WC] = "WC",
	[MAUI_RESOURCE_MEM] = "MEM",
};

#define NAMES(prefix)                                                                     \
	{                                                                                 \
		[MAUI_RESOURCE_JOB] = prefix "JOB", [MAUI_RESOURCE_PROC] = prefix "PROC", \
		[MAUI_RESOURCE_NODE] = prefix "NODE", [MAUI_RESOURCE_PS] = prefix "PS",   \
		[MAUI_RESOURCE_PE] = prefix "PE", [MAUI_RESOURCE_WC] = prefix "WC",       \
		[MAUI_RESOURCE_MEM] = prefix "MEM",                                       \
	}

static const char *const limit_names[MAUI_LIMIT_KIND_COUNT][MAUI_RESOURCE_COUNT] = {
	[MAUI_LIMIT_ACTIVE] = NAMES("MAX"),    [MAUI_LIMIT_IDLE] = NAMES("MAXI"),
	[MAUI_LIMIT_OVERRIDE] = NAMES("OMAX"), [MAUI_LIMIT_OVERRIDE_IDLE] = NAMES("OMAXI"),
	[MAUI_LIMIT_SINGLE] = NAMES("OMAXJ"),
};

const char *maui_resource_name(enum maui_resource resource)
{
	return resource < MAUI_RESOURCE_COUNT ? resource_names[resource] : "?";
}

const char *maui_limit_name(enum maui_limit_kind kind, enum maui_resource resource)
{
	return kind < MAUI_LIMIT_KIND_COUNT && resource < MAUI_RESOURCE_COUNT ?
		       limit_names[kind][resource] :
		       "?";
}

/* PE of 4 processors out of 64 is 64 x (4/64): a hair below 4 would lose a whole one. */
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
}

void maui_demand_suspend(struct maui_demand *demand, double pe)
{
	demand->of[MAUI_RESOURCE_PROC] = 0;
	demand->of[MAUI_RESOURCE_PS] = 0;
	demand->of[MAUI_RESOURCE_PE] = whole_part(pe);
}
