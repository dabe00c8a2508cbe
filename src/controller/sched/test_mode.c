/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_mode.c - SERVERMODE TEST: logs the starts of the plan, what Slurm answers to each, and what
 * Slurm's own scheduler started instead
 *
 * Rules: CMD-4.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "slurm/hold.h"

enum { TESTS_MAX_US = 50000 }; /* time for questions to Slurm in one cycle, under its locks */

/* What the last plan decided about a job that another scheduler started. NULL: the log has this
 * start. */
static const char *describe_start(struct maui_iteration *it,
				  const struct maui_captured_job *captured)
{
	static const char *const words[] = {
		[MAUI_TRIAL_UNSEEN] = "which no plan had seen yet",
		[MAUI_TRIAL_STARTS] = "as the plan has it",
		[MAUI_TRIAL_WAITS] = "which the last plan left waiting",
	};
	struct maui_controller *c = it->c;
	struct maui_job_history *history;
	const char *text = NULL;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, captured->job_id);
	if (history && history->told_start_s != captured->start_s) {
		history->told_start_s = captured->start_s;
		text = words[history->trial];
	}
	slurm_mutex_unlock(&c->lock);
	return text;
}

/* Logs the starts that the other scheduler made since the trial began. */
void maui_sched_compare(struct maui_iteration *it)
{
	if (maui_controller_schedules(it->c))
		return;
	if (!it->sched->trial_s)
		it->sched->trial_s = it->cluster.now_s;
	for (size_t i = 0; i < it->captured->count; i++) {
		const struct maui_captured_job *captured = &it->captured->jobs[i];
		const char *text;

		if (captured->start_s < it->sched->trial_s ||
		    captured->state == MAUI_CAPTURED_PENDING)
			continue;
		text = describe_start(it, captured);
		if (text)
			info("slurm-maui: TEST: %s started JobId=%u, %s", it->c->scheduler_type,
			     captured->job_id, text);
	}
}

void maui_sched_end_trial(struct maui_sched *sched)
{
	if (sched)
		sched->trial_s = 0;
}

/* Remembers what this plan decided about each job, for the next comparison. */
static void remember_verdicts(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_controller *c = it->c;
	struct maui_job_history *history;

	for (uint32_t i = 0; i < d->verdict_count; i++) {
		slurm_mutex_lock(&c->lock);
		history = maui_job_histories_find(&c->histories, it->waiting[i].job_id);
		if (history)
			history->trial =
				d->verdicts[i].started > 0 ? MAUI_TRIAL_STARTS : MAUI_TRIAL_WAITS;
		slurm_mutex_unlock(&c->lock);
	}
}

/* Whether the log does not have this job's start yet: a job that every plan starts is asked about
 * once. */
static bool is_first_test(struct maui_iteration *it, uint32_t job_id)
{
	struct maui_controller *c = it->c;
	struct maui_job_history *history;
	bool news = false;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_id);
	if (history) {
		news = !history->said_test;
		history->said_test = true;
	}
	slurm_mutex_unlock(&c->lock);
	return news;
}

static void log_test(const struct maui_start_order *order, int code)
{
	info("slurm-maui: TEST: would %s JobId=%u in %s on %u node%s%s%s",
	     order->backfilled ? "backfill" : "start", order->job_id, order->partition,
	     order->node_count, order->node_count == 1 ? "" : "s",
	     code ? "; Slurm would refuse: " : "", code ? slurm_strerror(code) : "");
}

void maui_sched_test(struct maui_iteration *it, const struct maui_start_order *orders, size_t count)
{
	uint32_t refused = 0, asked = 0;
	struct maui_start_site site = maui_sched_site(it);
	int64_t used_us = 0;

	for (size_t i = 0; i < count && used_us < TESTS_MAX_US && !it->c->stop; i++) {
		int64_t since_us = maui_hold_clock_us(), took_us;
		int code;

		if (!is_first_test(it, orders[i].job_id))
			continue;
		code = maui_start_test(&site, &orders[i]);
		took_us = maui_hold_clock_us() - since_us;
		used_us += took_us;
		asked++;
		refused += code != SLURM_SUCCESS;
		log_test(&orders[i], code);
		maui_hold_give_way(took_us);
	}
	if (asked > 0)
		info("slurm-maui: TEST: %zu starts planned, %u asked of Slurm, %u refused", count,
		     asked, refused);
	if (!maui_controller_schedules(it->c))
		remember_verdicts(it);
}
