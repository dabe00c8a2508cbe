/* SPDX-License-Identifier: GPL-2.0-or-later */
/* checks.c - the list of checks that were made */

#include "cmd/preflight/preflight.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/need.h"

static const char *const results[MAUI_CHECK_COUNT] = { "ok", "warning", "failed", "skipped" };

void maui_preflight_add(struct maui_preflight *p, enum maui_check_result result, const char *name,
			const char *fmt, ...)
{
	char text[2 * MAUI_DIAG_MAX_TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	p->checks = maui_need_more(p->checks, p->check_count, &p->check_alloc, sizeof(*p->checks));
	p->checks[p->check_count++] = (struct maui_preflight_check){
		maui_need(maui_arena_strdup(&p->arena, name)),
		results[result],
		maui_need(maui_arena_strdup(&p->arena, text)),
	};
	p->counts[result]++;
}
