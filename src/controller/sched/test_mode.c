/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_mode.c - SERVERMODE TEST: logs the starts of the plan, and what Slurm answers to each
 *
 * Slurm is asked about a job until it would take a planned start: that moment is the job's planned
 * start for the score of the trial. After a refusal it is asked again half a minute later.
 *
 * Rules: CMD-4, CMD-55.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "base/words.h"
#include "slurm/hold.h"

enum {
	TESTS_MAX_US = 50000, /* time for questions to Slurm in one cycle, under its locks */
	ASK_AGAIN_S = 30,
};

static bool is_asked(struct maui_iteration *it, uint32_t job_id)
{
	struct maui_controller *c = it->c;
	const struct maui_job_history *history;
	bool asked;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_id);
	asked = history && !history->trial_planned_s && it->cluster.now_s >= history->trial_retry_s;
	slurm_mutex_unlock(&c->lock);
	return asked;
}

/* Whether the answer is news for the log. A refusal after a change in slurmctld says nothing: the
 * plan was made before the change. */
static bool note_answer(struct maui_iteration *it, uint32_t job_id, int code)
{
	bool changed =
		code != SLURM_SUCCESS && (code == ESLURM_INVALID_JOB_ID ||
					  maui_events_any(&it->sched->events, it->cluster.now_s));
	struct maui_controller *c = it->c;
	struct maui_job_history *history;
	bool news = !changed, refused = false;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_id);
	if (history && code == SLURM_SUCCESS) {
		history->trial_planned_s = it->cluster.now_s;
	} else if (history && changed) {
		history->trial_retry_s = it->cluster.now_s + 1;
	} else if (history) {
		news = refused = !history->trial_refused;
		history->trial_refused = true;
		history->trial_retry_s = it->cluster.now_s + ASK_AGAIN_S;
	}
	slurm_mutex_unlock(&c->lock);
	if (changed)
		maui_sched_wake(it->sched, it->cluster.now_s + 1);
	if (refused && maui_controller_is_trial(c))
		maui_trial_add_refusal(&c->trial, slurm_strerror(code), it->cluster.now_s);
	if (refused)
		maui_sched_wake(it->sched, it->cluster.now_s + ASK_AGAIN_S);
	return news;
}

static void log_test(const struct maui_start_order *order, int code)
{
	info("slurm-maui: TEST: would %s JobId=%u in %s on %u node%s%s%s",
	     order->backfilled ? "backfill" : "start", order->job_id, order->partition,
	     order->node_count, maui_plural(order->node_count),
	     code ? "; Slurm would refuse: " : "", code ? slurm_strerror(code) : "");
}

void maui_sched_test(struct maui_iteration *it, const struct maui_start_order *orders, size_t count)
{
	uint32_t refused = 0, answers = 0;
	struct maui_start_site site = maui_sched_site(it);
	int64_t used_us = 0;

	for (size_t i = 0; i < count && used_us < TESTS_MAX_US && !it->c->stop; i++) {
		int64_t since_us = maui_monotonic_us(), took_us;
		int code;

		if (!is_asked(it, orders[i].job_id))
			continue;
		code = maui_start_test(&site, &orders[i]);
		took_us = maui_monotonic_us() - since_us;
		used_us += took_us;
		if (note_answer(it, orders[i].job_id, code)) {
			answers++;
			refused += code != SLURM_SUCCESS;
			log_test(&orders[i], code);
		}
		maui_hold_give_way(took_us);
	}
	if (used_us >= TESTS_MAX_US) /* the rest, soon */
		maui_sched_wake(it->sched, it->cluster.now_s + 1);
	if (answers > 0)
		info("slurm-maui: TEST: %zu starts planned, %u asked of Slurm, %u refused", count,
		     answers, refused);
}
