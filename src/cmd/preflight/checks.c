/* SPDX-License-Identifier: GPL-2.0-or-later */
/* checks.c - the list of checks that were made */

#include "cmd/preflight/preflight.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/limits.h"

static const char *const results[MAUI_CHECK_COUNT] = { "ok", "warning", "failed", "skipped" };

/* A command that has no memory left ends. */
static void no_memory(void)
{
	fprintf(stderr, "maui preflight: error: out of memory\n");
	exit(MAUI_EXIT_ERROR);
}

void maui_preflight_add(struct maui_preflight *p, enum maui_check_result result, const char *name,
			const char *fmt, ...)
{
	struct maui_preflight_check *grown =
		maui_array_grow(p->checks, p->check_count, &p->check_alloc, sizeof(*grown));
	struct maui_preflight_check check = { maui_arena_strdup(&p->arena, name), results[result],
					      NULL };
	char text[2 * MAUI_DIAG_MAX_TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	check.text = maui_arena_strdup(&p->arena, text);
	if (!grown || !check.name || !check.text)
		no_memory();
	p->checks = grown;
	p->checks[p->check_count++] = check;
	p->counts[result]++;
}
