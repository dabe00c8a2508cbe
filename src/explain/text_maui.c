/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_maui.c - why a job waits, in the words of Maui's commands */

#include "explain/text.h"
#include "explain/violation_text.h"

#include <inttypes.h>

#include "base/limits.h"
#include "base/words.h"
#include "explain/text_private.h"

enum { MAUI_LINE_SIZE = MAUI_VIOLATION_SIZE + MAUI_NAME_MAX };

/* "violates active SOFT MAXPROC limit of 64 for user ann (R: 3, U: 62)" */
static void append_violation(struct maui_text_line *line, const struct maui_violation *v)
{
	static const char *const kinds[] = { [MAUI_VIOLATION_JOB] = "system",
					     [MAUI_VIOLATION_ACTIVE] = "active",
					     [MAUI_VIOLATION_IDLE] = "idle" };
	char text[MAUI_VIOLATION_SIZE];

	if (v->kind == MAUI_VIOLATION_FAIRSHARE)
		maui_text_append(line, "violates the fairshare cap %s",
				 maui_violation_format(v, text, sizeof(text)));
	else
		maui_text_append(
			line, "violates %s %s %s limit of %.0f for %s %s%s%s  (R: %.0f, U: %.0f)%s",
			kinds[v->kind], v->level == MAUI_LIMIT_SOFT ? "SOFT" : "HARD", v->limit,
			v->value, maui_limited_name(v->cred), v->name ? v->name : "",
			v->second_name ? " " : "", v->second_name ? v->second_name : "",
			v->requested, v->in_use, v->later ? " once a job ahead starts" : "");
}

static void append_as_maui(struct maui_text_line *line, const struct maui_explanation *e,
			   const struct maui_block *block)
{
	if (block->reason == MAUI_REASON_LIMIT && block->violation) {
		append_violation(line, block->violation);
	} else if (block->reason == MAUI_REASON_HELD) {
		maui_text_append(line, "has the following hold(s) in place:  %s",
				 e->facts && e->facts->held_by_user ? "User" : "System");
	} else {
		maui_text_append(line, "is blocked: ");
		if (!maui_text_known(line, e, block))
			maui_text_append(line, "%s", maui_reason_text(block->reason));
	}
}

/* An idle limit may keep some tasks of an array, while the others wait for resources. */
int maui_explain_as_maui(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	static const struct maui_block access = { .reason = MAUI_REASON_ACCESS };
	const struct maui_verdict *verdict = e->verdict;
	const struct maui_block *block = e->kept_out ? &access : verdict->blocks;
	char text[MAUI_LINE_SIZE];

	if (verdict->idle_limit) {
		struct maui_text_line line = { .text = text, .size = sizeof(text) };

		append_violation(&line, verdict->idle_limit);
		maui_text_append(&line, ", %" PRIu32 " task%s", verdict->idle_limited,
				 maui_plural(verdict->idle_limited));
		maui_text_add(ret, text);
		return ret->failed ? -1 : 0;
	}
	for (; block; block = block->next) {
		struct maui_text_line line = { .text = text, .size = sizeof(text) };

		append_as_maui(&line, e, block);
		maui_text_add(ret, text);
	}
	return ret->failed ? -1 : 0;
}

/* Whether the limit alone is smaller than the job. */
static bool is_too_large(const struct maui_violation *v)
{
	return v && v->level == MAUI_LIMIT_HARD && v->requested > v->value &&
	       v->kind != MAUI_VIOLATION_FAIRSHARE;
}

int maui_explain_never(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	char text[MAUI_LINE_SIZE], limit[MAUI_VIOLATION_SIZE];

	for (const struct maui_block *block = e->verdict->blocks; block; block = block->next) {
		struct maui_text_line line = { .text = text, .size = sizeof(text) };

		if (block->reason == MAUI_REASON_NEVER_FITS)
			maui_text_append(&line, "can never start: %s",
					 maui_reason_text(block->reason));
		else if (block->reason == MAUI_REASON_LIMIT && is_too_large(block->violation))
			maui_text_append(
				&line, "can never start: %s",
				maui_violation_format(block->violation, limit, sizeof(limit)));
		else
			continue;
		maui_text_add(ret, text);
	}
	return ret->failed ? -1 : 0;
}
