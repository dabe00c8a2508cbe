/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern.c - an extended POSIX regular expression, searched without regard to case
 *
 * Running a program keeps the set of all steps that the text so far can have led to, so each byte
 * of a name costs at most one visit of each step.
 */
#include "base/pattern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/pattern_private.h"

int maui_pattern_create(const char *text, struct maui_pattern **ret_pattern, struct maui_err *err)
{
	struct maui_pattern *pattern = calloc(1, sizeof(*pattern));

	if (!pattern)
		return maui_err_set(err, "out of memory");
	if (maui_pattern_parse(pattern, text, err) < 0) {
		maui_pattern_destroy(pattern);
		return -1;
	}
	*ret_pattern = pattern;
	return 0;
}

void maui_pattern_destroy(struct maui_pattern *pattern)
{
	if (!pattern)
		return;
	free(pattern->steps);
	free(pattern->sets);
	free(pattern);
}

size_t maui_pattern_steps(const struct maui_pattern *pattern)
{
	return pattern->count;
}

/* ---- running ---- */

/* The steps that wait for the next byte. `seen` holds the 1-based number of the byte for which a
 * step was last visited, so that it is visited once for each. */
struct run {
	const struct maui_pattern *pattern;
	const char *name;
	size_t position;
	size_t count;
	uint16_t waiting[MAUI_PATTERN_MAX_STEPS];
	uint32_t seen[MAUI_PATTERN_MAX_STEPS];
	size_t todo_count;
	uint16_t todo[MAUI_PATTERN_MAX_STEPS];
};

static void visit(struct run *run, size_t step)
{
	if (run->seen[step] == run->position + 1)
		return;
	run->seen[step] = (uint32_t)run->position + 1;
	run->todo[run->todo_count++] = (uint16_t)step;
}

/* Follows all that needs no byte from `first` on. True when the pattern's end is reached. */
static bool follow(struct run *run, size_t first)
{
	visit(run, first);
	while (run->todo_count) {
		size_t at = run->todo[--run->todo_count];
		const struct maui_pattern_step *step = &run->pattern->steps[at];

		switch (step->kind) {
		case MAUI_STEP_MATCH:
			return true;
		case MAUI_STEP_START:
			if (run->position == 0)
				visit(run, at + 1);
			break;
		case MAUI_STEP_END:
			if (!run->name[run->position])
				visit(run, at + 1);
			break;
		case MAUI_STEP_FORK:
			visit(run, at + 1);
			visit(run, at + (size_t)step->arg);
			break;
		case MAUI_STEP_JUMP:
			visit(run, (size_t)((int)at + step->arg));
			break;
		default:
			run->waiting[run->count++] = (uint16_t)at;
		}
	}
	return false;
}

static bool takes(const struct maui_pattern *pattern, const struct maui_pattern_step *step, char c)
{
	if (step->kind == MAUI_STEP_BYTE)
		return maui_pattern_lower(c) == step->arg;
	if (step->kind == MAUI_STEP_SET)
		return maui_pattern_set_has(&pattern->sets[step->arg], (unsigned char)c);
	return true;
}

bool maui_pattern_match(const struct maui_pattern *pattern, const char *name)
{
	uint16_t before[MAUI_PATTERN_MAX_STEPS];
	struct run run; /* not cleared as a whole: that would be 32 KiB a name */
	size_t count;
	char c;

	run.pattern = pattern;
	run.name = name;
	run.position = run.count = run.todo_count = 0;
	memset(run.seen, 0, pattern->count * sizeof(run.seen[0]));
	for (;;) {
		if (follow(&run, 0)) /* a match may begin anywhere */
			return true;
		c = name[run.position];
		if (!c)
			return false;
		count = run.count;
		memcpy(before, run.waiting, count * sizeof(before[0]));
		run.count = 0;
		run.position++;
		for (size_t i = 0; i < count; i++) {
			if (takes(pattern, &pattern->steps[before[i]], c) &&
			    follow(&run, before[i] + 1u))
				return true;
		}
	}
}
