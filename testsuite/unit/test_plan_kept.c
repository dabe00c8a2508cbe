/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_kept.c - what a start on several nodes must leave on each of them (maui_place.kept) */

#include "rsv_world.h"
#include "rows.h"

/* Starts with kept processors behind each node that has some. */
static const struct {
	const char *name, *nodes, *reservations, *running, *queue, *starts;
	bool alone; /* tasks are shared out by us */
} rows[] = {
	{ "nobody's", "2 procs=4", NULL, NULL, "A procs=8", "A:n0+n1", false },
	{ "the node has more than the job requests", "2 procs=4", NULL, NULL, "A procs=5",
	  "A:n0+n1", false },
	{ "a reservation for another user", "2 procs=4", "R hosts=n0 count=1 procs=3 users=ann",
	  NULL, "A user=bob procs=5", "A:n0-3+n1", false },
	{ "a reservation that admits the job", "2 procs=4", "R hosts=n0 count=1 procs=3 users=ann",
	  NULL, "A user=ann procs=5", "A:n0+n1", false },
	{ "processors in use are not kept", "2 procs=4", "R hosts=n0 count=1 procs=2 users=ann",
	  "r nodes=n0 procs=2 user=ann rsv=R", "A user=bob procs=6", "A:n0+n1", false },
	{ "each node keeps what it has", "3 procs=4",
	  "R hosts=n0 count=3 procs=1 users=ann; S hosts=n1 count=1 procs=1 users=ann", NULL,
	  "A user=bob procs=8", "A:n0-3+n1-1+n2", false },
	{ "later within its time", "2 procs=4", "R hosts=n0 procs=3 count=1 users=ann start=50",
	  NULL, "A user=bob procs=5 limit=60", "A:n0-3+n1", false },
	{ "later than that", "2 procs=4", "R hosts=n0 procs=3 count=1 users=ann start=50", NULL,
	  "A user=bob procs=5 limit=50", "A:n0+n1", false },
	{ "later, but more is free by then", "2 procs=4",
	  "R hosts=n0 procs=2 count=1 users=ann start=50", "r nodes=n0 procs=2 end=40 user=bob",
	  "A user=bob procs=6 limit=60", "A:n0+n1", false },
	{ "promised", "3 procs=4", NULL, "r nodes=n2 procs=4 end=10",
	  "P procs=9 nodes=3 limit=60 each=3; B procs=2 limit=60", "B:n0-3+n1-3", false },
	{ "after the other starts", "2 procs=8", "R hosts=n0 procs=3 count=1 users=ann", NULL,
	  "A user=bob nodes=2 procs=4; B user=bob procs=9", "A:n0+n1 B:n0-3+n1", false },
	{ "one node is given no more than is asked for", "1 procs=4",
	  "R hosts=n0 count=1 procs=2 users=ann", NULL, "A user=bob procs=2", "A:n0", false },
	{ "whole nodes", "3 procs=4", "R hosts=n0 count=1 procs=2 users=ann", NULL,
	  "A user=bob nodes=2 whole", "A:n1+n2", false },
	{ "the resource manager does not distribute tasks", "2 procs=4",
	  "R hosts=n0 count=1 procs=3 users=ann", NULL, "A user=bob procs=5", "A:n0+n1", true },
};

static char *kept_of(const struct world *w)
{
	const struct maui_decisions *d = &w->decisions;
	struct maui_strbuf text = { 0 };

	for (uint32_t i = 0; i < d->start_count; i++) {
		const struct maui_start *start = &d->starts[i];

		maui_strbuf_addf(&text, "%s%s:", i > 0 ? " " : "",
				 w->names[w->snapshot->idle[start->job].id]);
		for (uint32_t k = 0; k < start->place_count; k++) {
			maui_strbuf_addf(&text, "%sn%u", k > 0 ? "+" : "", start->places[k].node);
			if (start->places[k].kept > 0)
				maui_strbuf_addf(&text, "-%lld", (long long)start->places[k].kept);
		}
	}
	return maui_strbuf_steal(&text);
}

TEST_ROWS(plan_kept, rows, rows, row)
{
	struct world *w =
		rsv_make("", row->nodes, NULL, row->reservations, row->running, row->queue);
	char *text;

	w->snapshot->shares_tasks = !row->alone;
	free(world_plan(w));
	text = kept_of(w);
	EXPECT_TEXT(row->name, text, row->starts);
	free(text);
	rsv_drop();
}

/* P's node is free at last, and A goes first: Slurm sees the processors that P is to have. */
Test(plan_kept, processors_of_a_job_reservation_that_is_due)
{
	struct world w;
	char *text;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\nRESERVATIONRETRYTIME 60\n", "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100", "A procs=5 limit=50; P procs=3 limit=50 need=n0",
		   0);
	w.snapshot->idle[0].refused = true; /* P alone is promised */
	w.snapshot->shares_tasks = true;
	free(world_plan(&w));
	cr_assert(w.decisions.reservation_count == 1);
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 0);
	w.snapshot->idle[0].refused = false;
	w.now = 100;
	free(world_plan(&w));
	text = kept_of(&w);
	EXPECT_TEXT("due", text, "A:n0-3+n1 P:n0");
	free(text);
	world_finish(&w);
}
