/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_reason_limits.c - the reason that squeue shows for jobs that a limit of maui.cfg keeps
 * from free nodes
 */

#include "plan_world.h"
#include "rows.h"

#include <inttypes.h>

#include "explain/text.h"

/* A job with a job reservation says which limit keeps it from the nodes that are free, and not that
 * it is larger than the limit: other nodes are small enough. */
Test(plan_reason_limits, a_limit_refuses_the_free_nodes)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;
	struct world w;

	world_make(&w, "USERCFG[bob] MAXNODE=1\nRESERVATIONDEPTH 1\n", "2 procs=4", NULL,
		   "r nodes=n0 procs=1 end=600; s nodes=n1 procs=1 end=900",
		   "X procs=4 user=bob limit=300", 0);
	free(world_plan(&w));
	cr_expect(w.decisions.reservation_count == 1);
	e = world_explain(&w, "X", true);
	maui_explain_first(&e, text, sizeof(text));
	cr_expect_str_eq(text, "MAXNODE USER bob 0+2/1 (hard)", "'%s'", text);
	world_finish(&w);
}

/* bob's A has a job reservation from 600 on. X would keep the limit on the free node until then,
 * and break it when A starts. */
static const struct {
	const char *name, *config, *job, *text;
} later[] = {
	{ "with a job reservation", "USERCFG[bob] MAXPROC=6\nRESERVATIONDEPTH 2\n", "procs=3",
	  "MAXPROC USER bob 4+3/6 (hard) once a job ahead starts" },
	{ "without one", "USERCFG[bob] MAXPROC=6\nRESERVATIONDEPTH 1\n", "procs=3",
	  "MAXPROC USER bob 4+3/6 (hard) once a job ahead starts" },
	{ "the soft limit of A", "USERCFG[bob] MAXPROC=6,20\nRESERVATIONDEPTH 1\n", "procs=3",
	  "MAXPROC USER bob 4+3/6 (soft) once a job ahead starts" },
	{ "in the place that is free", "USERCFG[bob] MAXPROC=6\nRESERVATIONDEPTH 2\n",
	  "procs=1 whole", "MAXPROC USER bob 4+4/6 (hard) once a job ahead starts" },
	{ "a limit of jobs", "USERCFG[bob] MAXJOB=1\nRESERVATIONDEPTH 1\n", "procs=3",
	  "MAXJOB USER bob 1/1 (hard) once a job ahead starts" },
};

TEST_ROWS(plan_reason_limits, later, later, row)
{
	char text[MAUI_EXPLAIN_LINE_SIZE], queue[128];
	struct maui_explanation e;
	struct world w;

	snprintf(queue, sizeof(queue),
		 "A procs=4 need=n0 user=bob limit=600; X %s user=bob limit=3600", row->job);
	world_make(&w, row->config, "2 procs=4; 1 procs=1", NULL,
		   "r nodes=n0 procs=4 end=600 user=ann; s nodes=n2 procs=1 end=9000 user=ann",
		   queue, 0);
	free(world_plan(&w));
	e = world_explain(&w, "X", true);
	maui_explain_first(&e, text, sizeof(text));
	cr_expect_str_eq(text, row->text, "%s: '%s'", row->name, text);
	cr_expect(e.longest_s == 0, "%s: %" PRId64 " s would help", row->name, e.longest_s);
	world_finish(&w);
}
