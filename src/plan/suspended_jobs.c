/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suspended_jobs.c - resumes suspended jobs where they were (PREEMPTPOLICY SUSPEND)
 *
 * Rules: PRE-4.
 */

#include <stdlib.h>
#include <string.h>

#include "plan/limits.h"
#include "plan/preempt.h"
#include "plan/private.h"

struct maui_plan_suspended {
	uint32_t active, priority;
	int64_t start_s;
	uint64_t id;
};

/* Highest priority first; of equals the job that started first. */
static int compare_suspended(const void *a, const void *b)
{
	const struct maui_plan_suspended *one = a, *two = b;

	if (one->priority != two->priority)
		return one->priority > two->priority ? -1 : 1;
	if (one->start_s != two->start_s)
		return one->start_s < two->start_s ? -1 : 1;
	return (one->id > two->id) - (one->id < two->id);
}

int maui_plan_list_suspended(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;

	p->preemption.suspended = NULL;
	p->preemption.suspended_count = p->preemption.next_suspended = 0;
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];

		if (!active->suspended || !active->resumable)
			continue;
		if (!p->preemption.suspended)
			p->preemption.suspended = maui_arena_alloc(
				&p->arena, s->active_count * sizeof(*p->preemption.suspended));
		if (!p->preemption.suspended)
			return -1;
		p->preemption.suspended[p->preemption.suspended_count++] =
			(struct maui_plan_suspended){ a, maui_plan_run_priority(p, active),
						      active->start_s, active->id };
	}
	if (p->preemption.suspended_count > 1)
		qsort(p->preemption.suspended, p->preemption.suspended_count,
		      sizeof(*p->preemption.suspended), compare_suspended);
	return 0;
}

/* Whether the piece's processors are free during [from, until). If not, *ret_next is the first
 * moment after `from` at which this may change. */
static bool is_free(const struct maui_planner *p, const struct maui_piece *piece, int64_t from,
		    int64_t until, int64_t *ret_next)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[piece->node];

	for (uint32_t i = maui_timeline_step_at(t, piece->node, from); i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= until)
			break;
		if (step->free[MAUI_AMOUNT_PROCS] >= piece->resumes)
			continue;
		*ret_next = maui_line_step_end(t, line, i);
		return false;
	}
	return true;
}

/* The first moment at which all processors of the job are free for `length` seconds; MAUI_NEVER. */
static int64_t earliest_resume(const struct maui_planner *p, const struct maui_active *active,
			       int64_t length)
{
	int64_t from = active->resume_from_s > p->now ? active->resume_from_s : p->now, next;

	for (uint32_t i = 0; i < active->piece_count && from != MAUI_NEVER;) {
		if (is_free(p, &active->pieces[i], from, maui_when_add(from, length), &next)) {
			i++;
			continue;
		}
		from = next;
		i = 0; /* the pieces before it must be free then, too */
	}
	return from;
}

static void take_procs(struct maui_planner *p, const struct maui_active *active, int64_t from,
		       int64_t length)
{
	for (uint32_t i = 0; i < active->piece_count; i++)
		if (maui_timeline_take(
			    &p->timeline, active->pieces[i].node, from, maui_when_add(from, length),
			    maui_timeline_only_procs(&p->timeline, active->pieces[i].resumes), 0))
			p->failed = true;
}

static void record_resume(struct maui_planner *p, uint32_t active)
{
	struct maui_decisions *out = p->out;

	if (!out->resumes)
		out->resumes = maui_arena_alloc(&out->arena, p->preemption.suspended_count *
								     sizeof(*out->resumes));
	if (out->resumes)
		out->resumes[out->resume_count++] = active;
}

static void consider_resuming(struct maui_planner *p, uint32_t index)
{
	const struct maui_active *active = &p->snapshot->active[index];
	int64_t length = active->end_s > p->now ? maui_when_length(p->now, active->end_s) : 1;
	int64_t from = earliest_resume(p, active, length);

	if (from == MAUI_NEVER || (from == p->now && !maui_plan_limits_resume(p, active)))
		return;
	take_procs(p, active, from, length);
	if (from == p->now)
		record_resume(p, index);
	else if (from < p->out->next_s)
		p->out->next_s = from;
}

void maui_plan_resume(struct maui_planner *p, uint32_t above)
{
	while (p->preemption.next_suspended < p->preemption.suspended_count &&
	       !maui_plan_is_given_up(p) &&
	       p->preemption.suspended[p->preemption.next_suspended].priority >= above)
		consider_resuming(p,
				  p->preemption.suspended[p->preemption.next_suspended++].active);
}
