/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched_test.c - SERVERMODE TEST: what would be started, what Slurm would say to it, and what its own
 * scheduler started instead */

#include "slurm/compat.h"

#include "context/sched_private.h"

#include <stdlib.h>

#include "slurm/hold.h"

enum { TESTS_MAX_US = 50000 }; /* of questions to Slurm in one iteration, the locks held */

static int by_number(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	return (one > two) - (one < two);
}

static bool was_planned(const struct maui_sched *sched, uint32_t job_id)
{
	return sched->planned && bsearch(&job_id, sched->planned, sched->planned_count,
					 sizeof(job_id), by_number);
}

/* Each start is told once: those between the last plan and this one. */
void maui_sched_compare(struct maui_iteration *it)
{
	struct maui_sched *sched = it->sched;
	int64_t from_s = sched->planned_s, until_s = it->cluster.now_s;

	if (maui_context_schedules(it->c) || !from_s)
		return;
	for (size_t i = 0; i < it->seen->count; i++) {
		const struct maui_seen_job *seen = &it->seen->jobs[i];
		bool planned;

		if (seen->start_s < from_s || seen->start_s >= until_s ||
		    seen->state == MAUI_SEEN_PENDING)
			continue;
		planned = was_planned(sched, seen->array_job_id ? seen->array_job_id :
								   seen->job_id);
		info("slurm-maui: TEST: %s started JobId=%u, %s", it->c->scheduler_type,
		     seen->job_id, planned ? "as the plan has it" : "which the plan leaves waiting");
	}
}

static void remember(struct maui_iteration *it, const struct maui_start_order *orders, size_t count)
{
	struct maui_sched *sched = it->sched;

	free(sched->planned);
	sched->planned = calloc(count + 1, sizeof(*sched->planned));
	sched->planned_count = 0;
	sched->planned_s = it->cluster.now_s;
	for (size_t i = 0; sched->planned && i < count; i++)
		sched->planned[sched->planned_count++] =
			orders[i].array_job_id ? orders[i].array_job_id : orders[i].job_id;
	if (sched->planned && sched->planned_count > 1)
		qsort(sched->planned, sched->planned_count, sizeof(*sched->planned), by_number);
}

/* The same start every half a minute is asked, and told, once. */
static bool is_news(struct maui_iteration *it, uint32_t job_id)
{
	struct maui_context *c = it->c;
	struct maui_track *track;
	bool news = false;

	slurm_mutex_lock(&c->lock);
	track = maui_tracks_find(&c->tracks, job_id);
	if (track) {
		news = !track->said_test;
		track->said_test = true;
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
	int64_t used_us = 0;

	for (size_t i = 0; i < count && used_us < TESTS_MAX_US && !it->c->stop; i++) {
		int64_t since_us = maui_hold_clock_us(), took_us;
		int code;

		if (!is_news(it, orders[i].job_id))
			continue;
		code = maui_start_test(&orders[i], it->cluster.table);
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
	remember(it, orders, count);
}
