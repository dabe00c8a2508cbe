/* SPDX-License-Identifier: GPL-2.0-or-later */
/* computed.h - the priority of one job under a maui.cfg's text, for unit tests */
#ifndef MAUI_TESTSUITE_COMPUTED_H
#define MAUI_TESTSUITE_COMPUTED_H

#include <math.h>

#include "parsed.h"
#include "policy/priority.h"

/* The credentials of a job that has none. */
#define NOBODY "-", "-", "-", "-", "-"

static const struct maui_totals totals = { .procs = 100,
					   .mem_mb = 1000,
					   .swap_mb = 500,
					   .disk_mb = 2000 };

/* The credentials of every row; a row adds what it tests. */
static inline struct maui_job base_job(const struct maui_job *row)
{
	static const char *const names[MAUI_CRED_COUNT] = { "amy", "phys", "acc", "hi", "batch" };
	struct maui_job job = *row;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (!job.cred[k])
			job.cred[k] = names[k];
		else if (strcmp(job.cred[k], "-") == 0)
			job.cred[k] = NULL;
	if (job.walltime_s == 0)
		job.walltime_s = 3600;
	return job;
}

static inline struct maui_priority compute(const char *text, const struct maui_job *row)
{
	struct maui_config *config = PARSE_GOOD(text);
	struct maui_job job = base_job(row);
	struct maui_priority_creds creds;
	struct maui_priority got;

	maui_priority_resolve(config, job.cred, &creds);
	maui_priority_compute(config, &totals, &creds, &job, &got);
	maui_config_unref(config);
	return got;
}

static inline bool near(double got, double expected)
{
	return fabs(got - expected) <= 1e-9 * fabs(expected) + 1e-12;
}

#endif
