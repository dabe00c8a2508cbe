/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait_text.c - why slurmctld keeps a waiting job, in words */

#include "answers/wait_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/find_job.h"
#include "base/moment.h"
#include "model/captured.h"
#include "model/reason.h"
#include "plan/finished.h"

enum { JOBS_NAMED = 5 };

/* Writes behind `length` bytes; returns the length then, which leaves room for the terminator. */
static size_t add(char *buf, size_t length, const char *before, const char *text)
{
	size_t room = MAUI_WAIT_TEXT_SIZE - length;
	int written = snprintf(buf + length, room, "%s%s", before, text);

	return written < 0 || (size_t)written >= room ? MAUI_WAIT_TEXT_SIZE - 1 :
							length + (size_t)written;
}

static void add_moment(char *buf, size_t length, int64_t when_s)
{
	char text[MAUI_MOMENT_SIZE];

	add(buf, length, ": ", maui_moment_exact(when_s, text, sizeof(text)));
}

static void add_jobs(char *buf, size_t length, const struct maui_job_conditions *c)
{
	char text[48];

	for (uint32_t i = 0; i < c->dependency_count && i < JOBS_NAMED; i++) {
		const struct maui_dependency *d = &c->dependencies[i];

		if (d->job == 0) /* singleton */
			return;
		if (d->task == MAUI_NO_TASK)
			snprintf(text, sizeof(text), "%" PRIu32, d->job);
		else
			snprintf(text, sizeof(text), "%" PRIu32 "_%" PRIu32, d->job, d->task);
		length = add(buf, length,
			     i > 0                                        ? ", " :
			     c->any_dependency && c->dependency_count > 1 ? ": one of " :
									    ": ",
			     text);
	}
	if (c->dependency_count > JOBS_NAMED) {
		snprintf(text, sizeof(text), "%" PRIu32, c->dependency_count - JOBS_NAMED);
		length = add(buf, length, " and ", text);
		add(buf, length, " more", "");
	}
}

static bool has_slurm_reason(const struct maui_job_conditions *c, const char *reason)
{
	return c->slurm_reason && strcmp(c->slurm_reason, reason) == 0;
}

/* Of names that do not say it; "" else. */
static const char *meaning_of(const struct maui_job_conditions *c)
{
	static const struct {
		const char *reason, *meaning;
	} known[] = {
		{ "PartitionNodeLimit", " (more nodes than the partition has or admits)" },
		{ "PartitionTimeLimit", " (a longer time limit than the partition's MaxTime)" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (has_slurm_reason(c, known[i].reason))
			return known[i].meaning;
	return "";
}

/* The reason in words, before what slurmctld knows of it. */
static const char *reason_text(const struct maui_document *p, uint32_t index,
			       enum maui_reason reason)
{
	const struct maui_job_conditions *c = &p->idle[index].conditions;

	if (reason == MAUI_REASON_DEPENDENCY && has_slurm_reason(c, "DependencyNeverSatisfied"))
		return "its dependency can never be satisfied";
	if (reason == MAUI_REASON_SLURM && has_slurm_reason(c, "JobArrayTaskLimit"))
		return "the task limit of its array (%N) is reached";
	if (reason == MAUI_REASON_BEGIN_TIME && p->idle[index].requeued)
		return "requeued; does not start before";
	if (reason == MAUI_REASON_HELD && p->idle[index].held_by_user)
		return "held by its user";
	if (reason == MAUI_REASON_HELD && has_slurm_reason(c, "JobHeldAdmin"))
		return "held by an administrator";
	return maui_reason_text(reason);
}

char *maui_wait_text(const struct maui_document *p, uint32_t index, char buf[MAUI_WAIT_TEXT_SIZE])
{
	const struct maui_block *block = p->plan->decisions.verdicts[index].blocks;
	const struct maui_job_conditions *c = &p->idle[index].conditions;
	const char *no_starts = maui_document_no_starts(p);
	size_t length;

	buf[0] = '\0';
	if (!block && no_starts && p->plan->decisions.verdicts[index].started)
		add(buf, add(buf, 0, "", "would start now, but no job is started: "), no_starts,
		    "");
	if (!block)
		return buf;
	length = add(buf, 0, "", reason_text(p, index, block->reason));
	switch (block->reason) {
	case MAUI_REASON_BEGIN_TIME:
		if (c->begin_s > 0)
			add_moment(buf, length, c->begin_s);
		return buf;
	case MAUI_REASON_DEPENDENCY:
		add_jobs(buf, length, c);
		return buf;
	case MAUI_REASON_SLURM:
	case MAUI_REASON_PARTITION:
		if (c->slurm_reason && !has_slurm_reason(c, "JobArrayTaskLimit"))
			add(buf, add(buf, length, ": ", c->slurm_reason), "", meaning_of(c));
		return buf;
	case MAUI_REASON_HELD: /* by Slurm itself: "ReservationDeleted", "JobHoldMaxRequeue" */
		if (c->slurm_reason && !p->idle[index].held_by_user &&
		    !has_slurm_reason(c, "JobHeldAdmin"))
			add(buf, length, ": ", c->slurm_reason);
		return buf;
	default:
		buf[0] = '\0';
		return buf;
	}
}

char *maui_wait_outlook(const struct maui_document *p, uint32_t index,
			char buf[MAUI_WAIT_TEXT_SIZE])
{
	const struct maui_document_idle *idle = &p->idle[index];
	const struct maui_block *block = p->plan->decisions.verdicts[index].blocks;
	int64_t end_s = MAUI_NEVER;

	buf[0] = '\0';
	if (!block || block->reason != MAUI_REASON_SLURM ||
	    !has_slurm_reason(&idle->conditions, "JobArrayTaskLimit"))
		return buf;
	for (size_t i = 0; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (maui_document_is_active(row) && row->array_job_id == idle->array_job_id &&
		    row->end_s < end_s)
			end_s = row->end_s;
	}
	if (end_s != MAUI_NEVER && end_s > p->now_s) /* one over its limit has no known end */
		add_moment(buf, add(buf, 0, "", "a task of the array ends by its time limit"),
			   end_s);
	return buf;
}

/* ---- preemption ---- */

/* Whether the active job goes for the one that has this job reservation: the plan preempts it, or
 * it is leaving its nodes. */
static bool goes_for(const struct maui_decisions *d, const struct maui_snapshot *s, uint32_t active,
		     const struct maui_reservation *r)
{
	for (uint32_t i = 0; i < d->preemption_count; i++)
		if (d->preemptions[i].active == active)
			return d->preemptions[i].job == r->job && d->preemptions[i].copy == r->copy;
	return (s->active[active].warned || s->active[active].completing) &&
	       maui_active_is_on(&s->active[active], r->places, r->place_count);
}

static const char *label_of(const struct maui_document *p, uint64_t job_id, char *buf)
{
	for (size_t i = 0; i < p->rsv_count; i++)
		if (maui_document_is_active(&p->rsvs[i]) && p->rsvs[i].job_id == job_id)
			return maui_active_label(&p->rsvs[i], buf);
	snprintf(buf, MAUI_JOB_LABEL_SIZE, "%" PRIu64, job_id);
	return buf;
}

static const struct maui_reservation *preempting_of(const struct maui_decisions *d, uint32_t index)
{
	for (uint32_t i = 0; i < d->reservation_count; i++)
		if (d->reservations[i].preempting && d->reservations[i].job == index)
			return &d->reservations[i];
	return NULL;
}

char *maui_wait_preempted(const struct maui_document *p, uint32_t index,
			  char buf[MAUI_WAIT_TEXT_SIZE])
{
	const struct maui_decisions *d = &p->plan->decisions;
	const struct maui_snapshot *s = p->plan->snapshot;
	const struct maui_reservation *r = preempting_of(d, index);
	char label[MAUI_JOB_LABEL_SIZE];
	uint32_t count = 0;
	size_t length = 0;
	int64_t until_s = 0;

	buf[0] = '\0';
	for (uint32_t a = 0; r && a < s->active_count; a++) {
		if (!goes_for(d, s, a, r))
			continue;
		if (count < JOBS_NAMED)
			length = add(buf, length, count == 0 ? "jobs that go for it: " : ", ",
				     label_of(p, s->active[a].id, label));
		if (s->active[a].warned && s->active[a].end_s > until_s)
			until_s = s->active[a].end_s;
		count++;
	}
	if (count > JOBS_NAMED) {
		snprintf(label, sizeof(label), "%" PRIu32, count - JOBS_NAMED);
		length = add(buf, add(buf, length, " and ", label), " more", "");
	}
	if (until_s > p->now_s)
		add_moment(buf, add(buf, length, ", at the latest", ""), until_s);
	return buf;
}
