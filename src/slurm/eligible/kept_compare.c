/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_compare.c - the mode that compares what is kept with what Slurm's checks say now
 *
 * Rules: BF-17.
 */

#include "slurm/compat.h"

#include "base/text.h"
#include "slurm/eligible/kept.h"

/* What differs, by name; NULL: nothing. */
static const char *compare_pending(const struct maui_kept_job *job, int64_t request,
				   const struct maui_pending *p)
{
	const struct maui_pending *k = &job->pending;
	const struct maui_row *row = p->rows;

#define DIFFERS(a, b, what)          \
	do {                         \
		if ((a) != (b))      \
			return what; \
	} while (0)
#define SAME(what) DIFFERS(k->what, p->what, #what)
	DIFFERS(p->idle.row_count, 1, "row_count");
	DIFFERS(request, (int64_t)p->idle.request, "request");
	DIFFERS(job->row.partition, row->partition, "partition");
	DIFFERS(job->row.kind, row->kind, "kind");
	DIFFERS(job->row.own_request, row->own_request, "own_request");
	DIFFERS(job->row.qos, row->qos, "qos");
	DIFFERS(job->row.priority, row->priority, "priority");
	SAME(task_count);
	SAME(user_id);
	SAME(submit_s);
	SAME(fingerprint);
	SAME(restarts);
	SAME(most_s);
	SAME(idle.copies);
	SAME(idle.limit_s);
	SAME(idle.limit_min_s);
	SAME(idle.start_by_s);
	SAME(idle.nice);
	SAME(idle.procs);
	SAME(idle.run);
	SAME(idle.in_reservation);
	SAME(idle.no_reservation);
	SAME(idle.blocked);
#undef SAME
	return NULL;
}

static const char *compare_captured(const struct maui_captured_job *k,
				    const struct maui_captured_job *c)
{
#define SAME(what)      DIFFERS(k->what, c->what, #what)
#define SAME_TEXT(what) DIFFERS(maui_same_text(k->what, c->what), true, #what)
	SAME(state);
	SAME(group_id);
	SAME(held);
	SAME(dependent);
	SAME(direct);
	SAME(restarted);
	SAME(own_limit);
	SAME(requeueable);
	SAME(priority);
	SAME(nice);
	SAME(submit_s);
	SAME(start_s);
	SAME(part_count);
	SAME_TEXT(parts->name);
	SAME(parts->job_factor);
	SAME(parts->walltime_s);
	SAME(parts->up);
	SAME_TEXT(name);
	SAME_TEXT(account);
	SAME_TEXT(qos);
	SAME_TEXT(qos_text);
	SAME_TEXT(advres);
	SAME(conditions.dependency_count);
	SAME(conditions.begin_s);
	SAME(conditions.run_max);
#define SAME_QUANTITY(name, what) SAME(name);
	MAUI_JOB_QUANTITIES(SAME_QUANTITY)
#undef SAME_QUANTITY
#undef SAME_TEXT
#undef SAME
#undef DIFFERS
	return NULL;
}

void maui_kept_compare(const struct maui_kept_job *job, int64_t request,
		       const struct maui_pending *pending, const struct maui_captured_job *captured)
{
	const char *differs = compare_pending(job, request, pending);

	if (!differs)
		differs = compare_captured(&job->captured, captured);
	if (differs)
		fatal("slurm-maui: what is kept of JobId=%u is no longer so: %s", pending->job_id,
		      differs);
}
