/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_statistics.c - one ended job as figures */

#include "cycle/job_statistics.h"

#include <string.h>

#include "policy/accrual.h"
#include "policy/priority.h"

int maui_job_statistics_count_start(struct maui_statistics *statistics,
				    struct maui_job_history *history,
				    const struct maui_captured_job *captured, const char *partition)
{
	int rc = 0;

	if (captured->state == MAUI_CAPTURED_PENDING)
		return 0;
	if (statistics->since_s > 0 &&
	    captured->start_s >= history->expected.of[MAUI_ESTIMATE_FIRST].at_s && partition)
		rc = maui_statistics_add_start(statistics, partition, &history->expected,
					       captured->start_s);
	history->expected = (struct maui_expected){ 0 };
	return rc;
}

int maui_job_statistics_count(struct maui_statistics *statistics, const struct maui_config *config,
			      struct maui_job_history *history,
			      const struct maui_captured_job *captured, const char *const *cred,
			      double limit_s)
{
	struct maui_ended_job job = {
		.cred = cred,
		.named = maui_config_named(config, cred),
		.procs = captured->procs,
		.ran_s = (double)captured->ran_s,
		.limit_s = limit_s,
		.bypass = history->bypassed,
		.backfilled = history->backfilled,
	};

	if (captured->state != MAUI_CAPTURED_ENDED) { /* perhaps requeued after an end */
		history->counted = false;
		return 0;
	}
	if (history->counted || captured->start_s == 0)
		return 0;
	history->counted = true;
	if (captured->until_s < statistics->since_s)
		return 0;
	job.queue_s = (double)maui_accrual_queue_time(history->stamp_s, captured->start_s,
						      captured->until_s);
	job.xfactor = maui_priority_xfactor(maui_config_priority(config, cred[MAUI_CRED_CLASS]),
					    job.queue_s, limit_s);
	return maui_statistics_add(statistics, &job);
}
