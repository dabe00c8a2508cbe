/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_statistics.c - one job that has started or ended as figures */

#include "cycle/job_statistics.h"

#include <string.h>

#include "policy/accrual.h"
#include "policy/priority.h"

/* The waits end with the start, even if the run fails. */
static int count_waits(struct maui_statistics *statistics, const struct maui_config *config,
		       const struct maui_job_history *history,
		       const struct maui_captured_job *captured, const char *const *cred,
		       unsigned known)
{
	int64_t start_s = captured->start_s;
	int64_t eligible_s = maui_accrual_queue_time(history->stamp_s, start_s, start_s);
	int64_t all_s = start_s > captured->submit_s ? start_s - captured->submit_s : 0;
	const struct maui_started_job job = {
		.cred = cred,
		.known = known | maui_config_named(config, cred),
		.waited_s = { [MAUI_WAIT_ELIGIBLE] = eligible_s,
			      [MAUI_WAIT_BLOCKED] = all_s > eligible_s ? all_s - eligible_s : 0 },
	};

	return maui_statistics_add_waits(statistics, &job);
}

int maui_job_statistics_count_start(struct maui_statistics *statistics,
				    const struct maui_config *config,
				    struct maui_job_history *history,
				    const struct maui_captured_job *captured,
				    const char *const *cred, unsigned known)
{
	const char *partition = cred[MAUI_CRED_CLASS];
	int rc = 0;

	/* a requeued job whose last run still completes: its next run gets a new history */
	if (captured->state == MAUI_CAPTURED_PENDING)
		return 0;
	if (statistics->since_s > 0 &&
	    captured->start_s >= history->expected.of[MAUI_ESTIMATE_FIRST].at_s && partition)
		rc = maui_statistics_add_error(statistics, partition, &history->expected,
					       captured->start_s);
	history->expected = (struct maui_expected){ 0 };
	if (!history->wait_counted && statistics->since_s > 0 &&
	    captured->start_s >= statistics->since_s)
		rc |= count_waits(statistics, config, history, captured, cred, known);
	history->wait_counted = true;
	return rc;
}

int maui_job_statistics_count(struct maui_statistics *statistics, const struct maui_config *config,
			      struct maui_job_history *history,
			      const struct maui_captured_job *captured, const char *const *cred,
			      unsigned known, double limit_s)
{
	struct maui_ended_job job = {
		.cred = cred,
		.known = known | maui_config_named(config, cred),
		.procs = captured->procs,
		.ran_s = (double)captured->ran_s,
		.limit_s = limit_s,
		.bypass = history->bypassed,
		.backfilled = history->backfilled,
	};

	if (captured->state != MAUI_CAPTURED_ENDED || history->counted || captured->start_s == 0)
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
