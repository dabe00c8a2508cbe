/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait_text.c - why slurmctld keeps a waiting job, in words */

#include "answers/wait_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

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
	time_t when = (time_t)when_s;
	char text[64];
	struct tm tm;

	if (localtime_r(&when, &tm) && strftime(text, sizeof(text), "%e %b %Y %H:%M:%S", &tm) > 0)
		add(buf, length, ": ", text[0] == ' ' ? text + 1 : text);
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

char *maui_wait_text(const struct maui_document *p, uint32_t index, char buf[MAUI_WAIT_TEXT_SIZE])
{
	const struct maui_block *block = p->plan->decisions.verdicts[index].blocks;
	const struct maui_job_conditions *c = &p->idle[index].conditions;
	size_t length;

	buf[0] = '\0';
	if (!block)
		return buf;
	length = add(buf, 0, "", maui_reason_text(block->reason));
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
		if (c->slurm_reason)
			add(buf, length, ": ", c->slurm_reason);
		return buf;
	case MAUI_REASON_HELD:
		return buf;
	default:
		buf[0] = '\0';
		return buf;
	}
}
