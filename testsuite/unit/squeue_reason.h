/* SPDX-License-Identifier: GPL-2.0-or-later */
/* squeue_reason.h - the reason that squeue would show for a job of a world
 *
 * For one test program: the functions are static.
 */
#ifndef MAUI_TESTSUITE_SQUEUE_REASON_H
#define MAUI_TESTSUITE_SQUEUE_REASON_H

#include <time.h>

#include "explain/text.h"
#include "plan_world.h"

static void utc(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
}

/* Plans, and checks the reason that squeue would show for a job. */
static void expect_told(struct world *w, const char *row, const char *job, const char *expected)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;

	free(world_plan(w));
	e = world_explain(w, job, false);
	e.now_s = 1;
	e.nodes = NULL;
	maui_explain_first(&e, text, sizeof(text));
	cr_expect(strcmp(text, expected) == 0, "%s: %s: '%s'", row, job, text);
}

#endif
