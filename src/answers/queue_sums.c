/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_sums.c - counts jobs by state and by reason */

#include "answers/queue_sums.h"

#include "answers/find_job.h"
#include "explain/text.h"
#include "plan/finished.h"

const char *maui_queue_state_name(enum maui_queue_state state)
{
	static const char *const names[MAUI_QUEUE_STATES] = {
		[MAUI_QUEUE_RUNNING] = "running",     [MAUI_QUEUE_STARTING] = "starting",
		[MAUI_QUEUE_SUSPENDED] = "suspended", [MAUI_QUEUE_RESERVED] = "reserved",
		[MAUI_QUEUE_ELIGIBLE] = "eligible",   [MAUI_QUEUE_BLOCKED] = "blocked",
	};

	return names[state];
}

enum maui_queue_state maui_queue_state(const struct maui_plan *plan, uint32_t job)
{
	if (plan->jobs[job].reserved)
		return MAUI_QUEUE_RESERVED;
	if (plan->jobs[job].kept_out ||
	    (plan->decisions.verdicts[job].blocks && !plan->jobs[job].waits))
		return MAUI_QUEUE_BLOCKED;
	return MAUI_QUEUE_ELIGIBLE;
}

enum maui_reason maui_queue_reason(const struct maui_plan *plan, uint32_t job)
{
	const struct maui_explanation e = maui_explain_recorded(plan, job);

	return maui_explain_reason(&e);
}

uint32_t maui_queue_idle_limited(const struct maui_document *p, uint32_t index)
{
	uint32_t limited = p->plan->decisions.verdicts[index].idle_limited;

	return limited < p->idle[index].waiting ? limited : p->idle[index].waiting;
}

uint32_t maui_queue_count_part(const struct maui_document *p, uint32_t index, bool blocked)
{
	uint32_t all = p->idle[index].waiting;
	uint32_t limited = maui_queue_state(p->plan, index) == MAUI_QUEUE_BLOCKED ?
				   all :
				   maui_queue_idle_limited(p, index);

	return blocked ? limited : all - limited;
}

static void add_to(struct maui_queue_sum *sum, int64_t jobs, int64_t procs)
{
	sum->jobs += jobs;
	sum->procs += procs * jobs;
}

static void count_active(const struct maui_document *p, uid_t uid, struct maui_queue_sums *ret)
{
	for (size_t i = 0; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];
		enum maui_queue_state state =
			row->state == MAUI_JOB_SUSPENDED ? MAUI_QUEUE_SUSPENDED :
			row->state == MAUI_JOB_STARTING  ? MAUI_QUEUE_STARTING :
							   MAUI_QUEUE_RUNNING;

		if (maui_document_is_active(row) && maui_document_shows(p, row, uid))
			add_to(&ret->states[state], 1, row->procs);
	}
}

static void count_waiting(const struct maui_document *p, uid_t uid, struct maui_queue_sums *ret)
{
	const struct maui_plan *plan = p->plan;

	for (uint32_t i = 0; i < plan->snapshot->idle_count; i++) {
		int64_t procs = plan->snapshot->idle[i].procs;
		uint32_t limited = maui_queue_idle_limited(p, i), other;

		if (p->idle[i].waiting == 0 || !maui_document_shows_idle(p, i, uid))
			continue;
		other = p->idle[i].waiting - limited;
		add_to(&ret->states[maui_queue_state(plan, i)], other, procs);
		add_to(&ret->reasons[maui_queue_reason(plan, i)], other, procs);
		add_to(&ret->states[MAUI_QUEUE_BLOCKED], limited, procs);
		add_to(&ret->reasons[MAUI_REASON_LIMIT], limited, procs);
	}
}

struct maui_queue_sums maui_queue_sums(const struct maui_document *p, uid_t uid)
{
	struct maui_queue_sums ret = { 0 };

	count_active(p, uid, &ret);
	if (p->plan)
		count_waiting(p, uid, &ret);
	return ret;
}
