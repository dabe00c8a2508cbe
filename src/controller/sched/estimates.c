/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimates.c - remembers how start estimates of waiting jobs move, for showstart
 *
 * Rules: CMD-25, CMD-67.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>
#include <string.h>

#include "answers/document.h"

/* Without memory a moment is missing. */
static void record(struct maui_job_history *history, int64_t at_s, int64_t start_s)
{
	maui_expected_add(&history->expected, &(struct maui_estimate){ at_s, start_s });
	if (!history->estimates)
		history->estimates = calloc(1, sizeof(*history->estimates));
	if (history->estimates)
		maui_start_estimates_add(history->estimates, at_s, start_s);
}

void maui_sched_record_estimates(struct maui_iteration *it, const struct maui_plan *plan)
{
	struct maui_controller *c = it->c;

	for (uint32_t i = 0; i < plan->decisions.verdict_count; i++) {
		const struct maui_verdict *verdict = &plan->decisions.verdicts[i];
		struct maui_job_history *history;

		if (verdict->estimate_s == MAUI_NEVER || !verdict->blocks)
			continue;
		slurm_mutex_lock(&c->lock);
		history = maui_job_histories_find(&c->histories,
						  (uint32_t)plan->snapshot->idle[i].id);
		if (history)
			record(history, plan->now_s, verdict->estimate_s);
		slurm_mutex_unlock(&c->lock);
	}
}

void maui_sched_copy_estimates(struct maui_iteration *it, const struct maui_plan *plan,
			       uint32_t index, struct maui_document_idle *ret)
{
	struct maui_controller *c = it->c;
	const struct maui_job_history *history;
	struct maui_estimate *list;

	if (plan->decisions.verdicts[index].estimate_s == MAUI_NEVER)
		return;
	list = maui_arena_alloc(&it->arena, MAUI_START_ESTIMATES * sizeof(*list));
	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, (uint32_t)plan->snapshot->idle[index].id);
	if (list && history && history->estimates) {
		ret->estimates = list;
		ret->estimate_count = history->estimates->count;
		memcpy(list, history->estimates->list, ret->estimate_count * sizeof(*list));
	}
	slurm_mutex_unlock(&c->lock);
}
