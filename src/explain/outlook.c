/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outlook.c - when a waiting job could start, one sentence a line */

#include "explain/outlook.h"

#include <stdio.h>

#include "explain/advice.h"
#include "explain/private.h"
#include "explain/text.h"
#include "explain/text_private.h"

/* For an array at its limit (%N): when its next task may start. A task over its limit has no known
 * end. */
static void append_next_task(struct maui_text_line *line, const struct maui_explanation *e)
{
	if (!e->facts || e->verdict->blocks->reason != MAUI_REASON_SLURM ||
	    !maui_text_at_array_limit(e) || e->facts->next_task_s == MAUI_NEVER ||
	    e->facts->next_task_s <= e->now_s)
		return;
	maui_text_append(line, "a task of the array ends by its time limit");
	maui_text_exact(line, e->facts->next_task_s);
}

/* The last moment at which the job can start and end before its deadline. */
static void append_deadline(struct maui_text_line *line, const struct maui_explanation *e)
{
	if (e->start_by_s == 0 || e->now_s <= 0)
		return;
	if (e->start_by_s <= e->now_s)
		maui_text_append(line, "the job had to start by ");
	else if (maui_explain_is_too_late(e, e->start.when_s))
		maui_text_append(line, "the job will not start by ");
	else
		maui_text_append(line, "the job must start by ");
	maui_text_moment(line, e->now_s, e->start_by_s, MAUI_NOT_AFTER);
	if (e->start_by_s <= e->now_s)
		maui_text_append(line, " to end before its deadline: Slurm cancels it");
	else if (maui_explain_is_too_late(e, e->start.when_s))
		maui_text_append(line, ", as its deadline requires: Slurm cancels it then");
	else
		maui_text_append(line, " to end before its deadline");
}

char *maui_explain_longest_limit(const struct maui_explanation *e, char *buf, size_t size)
{
	struct maui_advice advice;

	*buf = '\0';
	return maui_advice_limit(e, &advice) ? maui_advice_text(&advice, buf, size) : buf;
}

int maui_explain_outlook(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	char text[MAUI_EXPLAIN_LINE_SIZE] = "", limit[MAUI_ADVICE_SIZE], before[64];
	struct maui_text_line line = { .text = text, .size = sizeof(text) };

	if (!e->verdict->blocks)
		return 0;
	maui_text_add_part(ret, e, append_next_task);
	if (*maui_explain_longest_limit(e, limit, sizeof(limit)))
		maui_strbuf_addf(ret, "%s\n", limit);
	snprintf(before, sizeof(before), "%s%s", e->tasks > 1 ? "the first of its tasks " : "",
		 e->verdict->estimate_s == MAUI_NEVER ? "could start about " :
		 e->tasks > 1                         ? "is expected to start about " :
							"expected to start about ");
	maui_text_when(&line, e->now_s, before, e->start.when_s);
	maui_text_add(ret, text);
	maui_text_add_part(ret, e, append_deadline);
	return ret->failed ? -1 : 0;
}
