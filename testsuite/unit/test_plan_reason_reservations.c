/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_reason_reservations.c - the reason that squeue shows for jobs that wait for
 * reservations: which one, until when, and what of the job it does not admit
 */

#include "rsv_world.h"
#include "rows.h"
#include "squeue_reason.h"

#include "explain/text.h"

/* Plans, without checking the result. */
static void plan_only(struct world *w)
{
	const struct maui_plan_input input = { .config = w->config,
					       .snapshot = w->snapshot,
					       .now_s = w->now,
					       .standing = w->standing,
					       .want_reasons = true };
	struct maui_err err = { .text = "" };

	cr_assert(maui_plan(w->planner, &input, &w->decisions, &err) == 0, "%s", err.text);
}

/* What squeue says of the job X. */
static const struct {
	const char *name, *reservations, *running, *queue, *text;
} reasons[] = {
	{ "not in its lists", "biz hosts=n0,n1 users=ann end=7200", NULL, "X user=bob limit=300",
	  "Reservation biz until 02:00: user bob not admitted" },
	{ "the list that does not admit the job is named", "biz hosts=n0,n1 classes=p1 end=7200",
	  NULL, "X limit=300", "Reservation biz until 02:00: class p0 not admitted" },
	{ "a job without the listed credential", "biz hosts=n0,n1 qos=high end=7200", NULL,
	  "X limit=300", "Reservation biz until 02:00: job without QOS not admitted" },
	{ "the job is too small", "biz hosts=n0,n1 atleast=3 end=7200", NULL, "X procs=2 limit=300",
	  "Reservation biz until 02:00: PROCLIMIT >=3" },
	{ "denied", "biz hosts=n0,n1 users=!bob end=7200", NULL, "X user=bob limit=300",
	  "Reservation biz until 02:00: user bob denied" },
	{ "required", "biz hosts=n0,n1 users=bob,*eve end=7200", NULL, "X user=bob limit=300",
	  "Reservation biz until 02:00: user bob not admitted" },
	{ "a list that admits nobody", "biz hosts=n0,n1 end=7200", NULL, "X limit=300",
	  "Reservation biz until 02:00: its access list admits nobody" },
	{ "BYNAME", "biz hosts=n0,n1 users=bob byname end=7200", NULL, "X user=bob limit=300",
	  "Reservation biz until 02:00: only with --reservation=biz" },
	{ "a reservation without end", "biz hosts=n0,n1 users=ann", NULL, "X user=bob limit=300",
	  "Reservation biz: user bob not admitted" },
	{ "a later reservation: a shorter limit would help",
	  "biz hosts=n0,n1 users=ann start=3600 end=7200", NULL, "X user=bob limit=4000",
	  "Reservation biz from 01:00: fits before with -t 60" },
	{ "the shorter limit is rounded down", "biz hosts=n0,n1 users=ann start=3500 end=7200",
	  NULL, "X user=bob limit=4000", "Reservation biz from 00:58: fits before with -t 55" },
	{ "limits shorter than a minute are not proposed",
	  "biz hosts=n0,n1 users=ann start=50 end=7200", NULL, "X user=bob limit=4000",
	  "Reservation biz from 00:00: user bob not admitted" },
	{ "TIMELIMIT", "biz hosts=n0,n1 limit=1800 end=7200", NULL, "X limit=4000",
	  "Reservation biz until 02:00: TIMELIMIT 30:00; fits with -t 30" },
	{ "TIMELIMIT of a later reservation", "biz hosts=n0,n1 limit=1800 start=3600 end=9000",
	  NULL, "X limit=7000", "Reservation biz from 01:00: TIMELIMIT 30:00; fits with -t 90" },
	{ "a course that comes back too soon", "biz hosts=n0,n1,n2 users=ann end=7200 depth=3",
	  NULL, "X user=bob limit=864000",
	  "Reservation biz: user bob not admitted; fits between its "
	  "instances with -t 1320" },
	{ "as long as it lasts a job inside does not hide the time that fits",
	  "biz hosts=n0 limit=3600 depth=3", "r nodes=n0 procs=4 end=1800",
	  "X need=n0 procs=4 limit=5400", "Reservation biz: TIMELIMIT 1:00:00; fits with -t 60" },
	{ "a daily reservation without a gap", "biz hosts=n0,n1,n2 users=ann depth=3", NULL,
	  "X user=bob limit=300", "Reservation biz: user bob not admitted" },
	{ "a job that fits between its instances waits for the end of one",
	  "biz hosts=n0,n1,n2 users=ann end=7200 depth=3", NULL, "X user=bob limit=79200",
	  "Reservation biz until 02:00: user bob not admitted" },
	{ "the reservation on most nodes is named",
	  "biz hosts=n0 users=ann; bar hosts=n1,n2 users=ann", NULL, "X nodes=3 user=bob limit=300",
	  "Reservation bar: user bob not admitted" },
	{ "only the nodes that the job names count",
	  "biz hosts=n0 users=ann; bar hosts=n1,n2 users=ann", NULL, "X need=n0 user=bob limit=300",
	  "Reservation biz: user bob not admitted" },
	{ "the required TIMELIMIT is kept, the user is not admitted",
	  "biz hosts=n0,n1 users=ann limit=600 required end=7200", NULL, "X user=bob limit=300",
	  "Reservation biz until 02:00: user bob not admitted" },
	{ "the required TIMELIMIT is not kept",
	  "biz hosts=n0,n1 users=ann limit=600 required end=7200", NULL, "X user=ann limit=700",
	  "Reservation biz until 02:00: TIMELIMIT 10:00; fits with -t 10" },
	{ "no shorter limit is proposed that would not help",
	  "biz hosts=n0,n1 users=ann limit=600 required end=7200", NULL, "X user=bob limit=700",
	  "Reservation biz until 02:00: user bob not admitted" },
	{ "a job with a reservation for later as well", "biz hosts=n0,n1 users=ann end=7200",
	  "r nodes=n2 procs=4 end=600", "X procs=4 user=bob limit=300",
	  "Resources: not enough is free; starts about 00:10" },
	{ "the job behind it has no job reservation", "biz hosts=n0 users=ann",
	  "r nodes=n1,n2 procs=4 end=600",
	  "A procs=4 user=bob limit=300; B procs=4 user=bob "
	  "limit=300; X procs=4 user=bob limit=900",
	  "Priority: 2 jobs are ahead in partition p0" },
	{ "other jobs are in the way, but a shorter limit would help",
	  "biz hosts=n0,n1 users=ann start=3600 end=7200", "r nodes=n2 procs=4 end=600",
	  "X procs=4 user=bob limit=4000", "Reservation biz from 01:00: fits before with -t 60" },
	{ "other jobs are in the way, and a permanent reservation", "biz hosts=n0 users=ann",
	  "r nodes=n1,n2 procs=4 end=600", "X procs=12 user=bob limit=300",
	  "Reservation biz: user bob not admitted" },
	{ "part of a node, permanently", "biz hosts=n0,n1,n2 count=3 procs=2 users=ann",
	  "r nodes=n0,n1,n2 procs=2 end=600", "X procs=7 user=bob limit=300",
	  "Reservation biz: user bob not admitted" },
	{ "the rest of the nodes is enough", "biz hosts=n0,n1,n2 count=3 procs=2 users=ann",
	  "r nodes=n0,n1,n2 procs=2 end=600", "X procs=6 user=bob limit=300",
	  "Resources: not enough is free; starts about 00:10" },
	{ "a reservation that ends and one that does not",
	  "biz hosts=n1,n2 users=ann end=7200; bar hosts=n0 users=ann", NULL,
	  "X nodes=3 user=bob limit=300", "Reservation bar: user bob not admitted" },
	{ "a permanent reservation begins later, with enough time before it",
	  "biz hosts=n0,n1,n2 users=ann start=3600", "r nodes=n0,n1,n2 procs=4 end=600",
	  "X procs=12 user=bob limit=3000", "Resources: not enough is free; starts about 00:10" },
	{ "a permanent reservation begins too soon", "biz hosts=n0,n1,n2 users=ann start=3600",
	  "r nodes=n0,n1,n2 procs=4 end=600", "X procs=12 user=bob limit=3001",
	  "Reservation biz from 01:00: user bob not admitted" },
	{ "only inside, where other jobs run", "biz hosts=n0 users=bob limit=3600 end=7200",
	  "r nodes=n0 procs=3 end=7200 user=bob", "X procs=4 user=bob rsv=biz limit=300",
	  "Resources: not enough is free" },
	{ "only inside a reservation that does not admit the job",
	  "biz hosts=n0,n1 users=ann end=7200", NULL, "X user=bob rsv=biz limit=300",
	  "Reservation biz: user bob not admitted" },
	{ "only inside a daily reservation that does not admit the job",
	  "biz hosts=n0,n1 users=ann depth=3", NULL, "X user=bob rsv=biz limit=300",
	  "Reservation biz: user bob not admitted" },
	{ "only inside, not begun", "biz hosts=n0,n1 users=bob start=3600 end=7200", NULL,
	  "X user=bob rsv=biz limit=300", "Reservation biz from 01:00: not begun" },
	{ "only inside tomorrow's", "biz hosts=n0,n1 users=bob depth=2", NULL,
	  "X user=bob rsv=maui.biz.19700102 limit=300",
	  "Reservation biz from 2 Jan 00:00: not begun" },
	{ "only inside an instance that is over", "biz hosts=n0,n1 users=bob depth=2", NULL,
	  "X user=bob rsv=maui.biz.19691231 limit=300",
	  "Reservation maui.biz.19691231: this instance does not exist and is not planned" },
	{ "only inside tomorrow's, which has no node",
	  "biz count=1 users=bob depth=2; bar hosts=n0,n1 start=86400", NULL,
	  "X user=bob rsv=maui.biz.19700102 limit=300",
	  "Reservation biz from 2 Jan 00:00: not begun" },
	{ "only inside today's, which has no node",
	  "biz count=1 users=bob depth=2; bar hosts=n0,n1", NULL,
	  "X user=bob rsv=maui.biz.19700101 limit=300",
	  "Reservation biz until 2 Jan 00:00: has no nodes now" },
	{ "only inside an instance that is beyond DEPTH",
	  "biz count=1 users=bob depth=2; bar hosts=n0,n1", NULL,
	  "X user=bob rsv=maui.biz.19700103 limit=300",
	  "Reservation maui.biz.19700103: this instance does not exist and is not planned" },
	{ "only inside a reservation that does not exist", "biz hosts=n0,n1 users=bob", NULL,
	  "X user=bob rsv=debug limit=300",
	  "Reservation debug: this reservation does not exist (any more)" },
	{ "only inside a reservation, and none exists", NULL, NULL,
	  "X user=bob rsv=debug limit=300",
	  "Reservation debug: this reservation does not exist (any more)" },
	{ "another attribute", "biz hosts=n0,n1 attr end=7200", NULL, "X user=bob limit=300",
	  "Reservation biz until 02:00: JOBATTRLIST PREEMPTEE" },
	{ "only inside, and it ends too soon", "biz hosts=n0,n1 users=bob end=3600", NULL,
	  "X user=bob rsv=biz limit=4000", "Reservation biz until 01:00: fits with -t 60" },
	{ "inside a reservation with too little memory",
	  "biz hosts=n0 count=1 procs=4 mem=100 users=bob end=7200", NULL,
	  "X nodes=1 mem=400 user=bob rsv=biz limit=300",
	  "Reservation biz until 02:00: job needs 400 MB of a node, it has 100" },
	{ "inside a reservation with too few processors on a node",
	  "biz hosts=n0 count=1 procs=2 mem=1 users=bob", NULL,
	  "X nodes=1 procs=4 whole user=bob rsv=biz limit=300",
	  "Reservation biz: job needs 4 processors of a node, it has 2" },
	{ "inside a reservation with too few tasks", "biz count=4 procs=1 mem=1 users=bob end=7200",
	  NULL, "X procs=5 user=bob rsv=biz limit=300",
	  "Reservation biz until 02:00: room for 4 of the job's 5 tasks" },
	{ "inside a reservation that has not begun, on a full machine",
	  "biz hosts=n0,n1 users=bob start=3600 end=7200", "r nodes=n0,n1,n2 procs=4 end=600",
	  "X procs=4 user=bob rsv=biz limit=300", "Reservation biz from 01:00: not begun" },
	{ "inside a reservation that is over",
	  "biz hosts=n0,n1 users=bob start=-9 end=-1; bar hosts=n1", NULL,
	  "X user=bob rsv=biz limit=300", "Reservation biz: no more is planned" },
	{ "inside a reservation whose node is down",
	  "biz hosts=n2 users=bob end=7200; bar hosts=n1", NULL, "X user=bob rsv=biz limit=300",
	  "Reservation biz until 02:00: its nodes are down" },
	{ "stacked with a reservation that does not admit the job",
	  "a hosts=n0 users=bob end=7200; b hosts=n0 users=ann end=3600", NULL,
	  "X user=bob rsv=a limit=300", "Reservation b until 01:00: user bob not admitted" },
	{ "stacked with a reservation that admits nobody",
	  "a hosts=n0 users=bob byname; sy hosts=n0 end=3600", NULL, "X user=bob rsv=a limit=300",
	  "Reservation sy until 01:00: its access list admits nobody" },
	{ "stacked on one of its nodes", "a hosts=n0,n1 users=bob; b hosts=n1 users=ann end=3600",
	  NULL, "X procs=8 user=bob rsv=a limit=300",
	  "Reservation b until 01:00: user bob not admitted" },
	{ "the stacked reservation leaves nothing: it is the reason",
	  "a hosts=n0 users=bob; b hosts=n0 users=ann", NULL,
	  "X nodes=2 procs=2 user=bob rsv=a limit=300", "Reservation b: user bob not admitted" },
	{ "the job would not fit without the stacked one either",
	  "a hosts=n0 count=1 procs=2 mem=1 users=bob; b hosts=n0 count=1 procs=2 mem=1 users=ann",
	  NULL, "X nodes=1 procs=4 whole user=bob rsv=a limit=300",
	  "Reservation a: job needs 4 processors of a node, it has 2" },
	{ "a stacked reservation begins soon",
	  "a hosts=n0 users=bob; b hosts=n0 users=ann start=1800", NULL,
	  "X user=bob rsv=a limit=2000", "Reservation b from 00:30: fits before with -t 30" },
	{ "a stacked reservation admits the job for some time",
	  "a hosts=n0 users=bob; b hosts=n0 limit=600 end=3600", NULL,
	  "X user=bob rsv=a limit=1200",
	  "Reservation b until 01:00: TIMELIMIT 10:00; fits with -t 10" },
	{ "inside tomorrow's, which adjoins today's and has a limit",
	  "biz hosts=n0,n1 limit=3600 required users=bob depth=2", NULL,
	  "X user=bob rsv=maui.biz.19700102 limit=600",
	  "Reservation biz from 2 Jan 00:00: not begun" },
	{ "longer than tomorrow's limit", "biz hosts=n0,n1 limit=3600 required users=bob depth=2",
	  NULL, "X user=bob rsv=maui.biz.19700102 limit=4000",
	  "Reservation biz from 2 Jan 00:00: TIMELIMIT 1:00:00" },
	{ "only inside, and the reservation ends within a minute",
	  "biz hosts=n0,n1 users=bob end=50", NULL, "X user=bob rsv=biz limit=4000",
	  "Reservation biz until 00:00: ends before the job would" },
	{ "today's ends too soon, and tomorrow's adjoins it", "biz hosts=n0 users=bob depth=2",
	  "r nodes=n0 procs=4 user=bob end=86000", "X user=bob rsv=biz limit=86900",
	  "Resources: not enough is free" },
	{ "a job without a time limit waits for other jobs", "biz hosts=n0 users=ann",
	  "r nodes=n1,n2 procs=4 end=600", "X procs=4 user=bob limit=9223372036854775807",
	  "Resources: not enough is free; starts about 00:10" },
	{ "so does the job behind it", "biz hosts=n0 users=ann", "r nodes=n1,n2 procs=4 end=600",
	  "A procs=8 user=bob limit=300; X procs=8 user=bob limit=9223372036854775807",
	  "Priority: 1 job is ahead in partition p0" },
	{ "no job is behind a job that can never start", "biz hosts=n0 users=ann",
	  "r nodes=n1,n2 procs=4 end=600", "A procs=4 need=n0 user=bob; X procs=8 user=bob",
	  "Resources: not enough is free; starts about 00:10" },
	{ "or behind a job that its reservation does not admit", "biz hosts=n0 users=ann end=9000",
	  "r nodes=n1,n2 procs=4 end=600",
	  "A procs=4 user=bob rsv=biz; X procs=8 user=bob limit=300",
	  "Resources: not enough is free; starts about 00:10" },
	{ "or behind a job whose reservation has not begun",
	  "biz hosts=n0 users=ann start=3600 end=9000", "r nodes=n1,n2 procs=4 end=600",
	  "A procs=4 user=ann rsv=biz; X procs=8 user=bob limit=300",
	  "Resources: not enough is free" },
	{ "inside a reservation a job is behind the job ahead of it",
	  "biz hosts=n0 users=ann end=9000",
	  "r nodes=n0 procs=4 user=ann end=600; q nodes=n1,n2 procs=4 end=600",
	  "A procs=4 user=ann rsv=biz; X procs=4 user=ann rsv=biz",
	  "Priority: 1 job is ahead in partition p0" },
	{ "the node is busy, with or without the reservation", "biz hosts=n0 users=ann",
	  "r nodes=n0,n1,n2 procs=4 end=50", "X user=bob limit=300",
	  "Resources: not enough is free; starts about 00:01" },
};

TEST_ROWS(plan_reason_reservations, reason, reasons, row)
{
	struct world *w;

	utc();
	w = rsv_make("", "3 procs=4", NULL, row->reservations, row->running, row->queue);
	if (row->reservations && !strstr(row->queue, "nodes=3") &&
	    !row->running) /* nowhere else to go */
		w->snapshot->nodes[2].usable_from_s = MAUI_NEVER;
	expect_told(w, row->name, "X", row->text);
	rsv_drop();
}

/* A Slurm reservation stacked with the reservation that X names. */
static const struct {
	const char *name, *claims, *queue, *text;
} upon[] = {
	{ "now", "maint nodes=n0 start=0 end=3600", "X user=bob rsv=a limit=300",
	  "Reservation maint until 01:00: a Slurm reservation covers the requested nodes" },
	{ "soon", "maint nodes=n0 start=1800 end=3600", "X user=bob rsv=a limit=2000",
	  "Reservation maint from 00:30: fits before with -t 30" },
	{ "later, and other jobs run there", "maint nodes=n0 start=1800 end=3600",
	  "Y user=eve need=n0; X user=bob rsv=a limit=300",
	  "Resources: not enough is free; starts about 00:10" },
};

TEST_ROWS(plan_reason_reservations, upon, upon, row)
{
	struct world *w = rsv_make(
		"", "1 procs=4", row->claims, "a hosts=n0 users=bob",
		strchr(row->queue, ';') ? "r nodes=n0 procs=4 user=bob end=600" : NULL, row->queue);

	utc();
	expect_told(w, row->name, "X", row->text);
	rsv_drop();
}

/* Partitions with nodes of their own: what is found out for a job of one must not be used for the
 * other. Two nodes of four processors in p0, two in p1. */
static const struct {
	const char *name, *reservations, *queue, *text;
} pools[] = {
	{ "shut in the other one", "a hosts=n0,n2 users=bob; b hosts=n0,n1 users=ann",
	  "A user=bob rsv=a part=p0 limit=300; X procs=8 user=bob rsv=a part=p1 limit=300",
	  "Reservation a: room for 4 of the job's 8 tasks" },
	{ "shut in its own", "a hosts=n0,n2 users=bob; b hosts=n0,n1 users=ann",
	  "A procs=8 user=bob rsv=a part=p1 limit=300; X user=bob rsv=a part=p0 limit=300",
	  "Reservation b: user bob not admitted" },
	{ "of jobs that name no reservation", "b hosts=n0,n1 users=ann; c hosts=n3 users=eve",
	  "A user=bob part=p0 limit=300; X procs=8 user=bob part=p1 limit=300",
	  "Reservation c: user bob not admitted" },
	{ "none is left in its own", "b hosts=n0,n1 users=ann; c hosts=n3 users=eve",
	  "A procs=8 user=bob part=p1 limit=300; X user=bob part=p0 limit=300",
	  "Reservation b: user bob not admitted" },
	{ "other jobs run in the other partition",
	  "a hosts=n0,n2,n3 users=bob; b hosts=n0,n1 users=ann",
	  "A user=bob rsv=a part=p0 limit=300; B procs=4 user=bob rsv=a part=p1 limit=300; "
	  "X procs=8 user=bob rsv=a part=p1 limit=300",
	  "Resources: not enough is free; starts about 00:05" },
};

TEST_ROWS(plan_reason_reservations, pools, pools, row)
{
	struct world *w = rsv_make("", "2 procs=4 part=p0; 2 procs=4 part=p1", NULL,
				   row->reservations, NULL, row->queue);

	utc();
	expect_told(w, row->name, "X", row->text);
	rsv_drop();
}

/* A shorter limit is proposed only to a job that would start with it. */
Test(plan_reason_reservations, a_shorter_limit_is_proposed_where_it_starts_the_job)
{
	static const struct {
		const char *config, *job, *text;
	} rows[] = {
		{ "", "X", "Reservation biz until 02:00: TIMELIMIT 30:00; fits with -t 30" },
		{ "BACKFILLPOLICY NONE\n", "A",
		  "Reservation biz until 02:00: TIMELIMIT 30:00; fits with -t 30" },
		{ "BACKFILLPOLICY NONE\n", "X", "Reservation biz until 02:00: TIMELIMIT 30:00" },
	};

	utc();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct world *w = rsv_make(rows[i].config, "3 procs=4", NULL,
					   "biz hosts=n0,n1 limit=1800 end=7200", NULL,
					   "A nodes=2 procs=8 limit=4000; X limit=4000");

		w->snapshot->nodes[2].usable_from_s = MAUI_NEVER;
		expect_told(w, "shorter", rows[i].job, rows[i].text);
		rsv_drop();
	}
}

/* Many jobs with the same answer, though each asks for something else. */
enum { MANY = 24 };

static const struct {
	const char *name, *nodes, *reservations, *named;
	int procs, procs_more, limit_more; /* of the first; from one to the next */
	int free;                          /* nodes */
} many[] = {
	{ "limits", "46000 procs=1", "a hosts=n[0-22999] users=bob; b hosts=n[0-45999] users=ann",
	  "rsv=a", 1, 0, 10, 0 },
	{ "limits, and a part is left", "46000 procs=1",
	  "a hosts=n[0-22999] users=bob; b hosts=n[1000-45999] users=ann", "rsv=a", 1001, 0, 10,
	  1000 },
	{ "sizes", "46000 procs=1", "a hosts=n[0-22999] users=bob; b hosts=n[0-45999] users=ann",
	  "rsv=a", 1, 1, 0, 0 },
	{ "sizes of jobs that name no reservation", "46000 procs=1", "b hosts=n[0-45999] users=ann",
	  "", 1, 1, 0, 0 },
	{ "both jobs name no reservation", "46000 procs=1", "b hosts=n[0-45999] users=ann", "", 1,
	  1, 10, 0 },
};

TEST_ROWS(plan_reason_reservations, many_names, many, row)
{
	struct maui_strbuf queue = { 0 };
	struct maui_explanation e;
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct world *w;

	for (int64_t i = 0; i < MANY; i++)
		maui_strbuf_addf(&queue, "A%d procs=%d user=bob %s limit=%d; ", (int)i,
				 (int)(row->procs + i * row->procs_more), row->named,
				 (int)(300 + i * row->limit_more));
	maui_strbuf_addf(&queue, "X procs=%d user=bob limit=300", row->free + 1);
	utc();
	w = rsv_make("", row->nodes, NULL, row->reservations, NULL, queue.text);
	free(world_plan(w));
	for (uint32_t i = 0; i <= MANY; i++) {
		cr_assert(maui_explain_short(world_explainer(w), i, &e) == 0, "memory");
		maui_explain_first(&e, text, sizeof(text));
		cr_expect(strcmp(text, "Reservation b: user bob not admitted") == 0, "%s: %s: '%s'",
			  row->name, w->names[i + 1], text);
	}
	maui_strbuf_finish(&queue);
	rsv_drop();
}

/* Which reservation is named; on four nodes. */
static const struct {
	const char *name, *reservations, *queue, *text;
} which[] = {
	{ "of two permanent reservations, the one that leaves too little",
	  "own hosts=n3 users=eve; gone hosts=n0 users=eve; later hosts=n1,n2 users=ann start=3600",
	  "X nodes=3 user=bob limit=600", "Reservation own: user bob not admitted" },
	{ "the reservation before which the shorter limit ends",
	  "own hosts=n3 users=eve; later hosts=n0,n1 users=ann start=3600; soon hosts=n2 users=ann "
	  "start=1800",
	  "X nodes=3 user=bob limit=7200", "Reservation soon from 00:30: fits before with -t 30" },
	{ "the second of two windows is one too many",
	  "wk hosts=n0 users=ann start=120 end=9000; wkend hosts=n3 users=ann start=190 end=9000",
	  "X nodes=3 user=bob limit=1800", "Reservation wkend from 00:03: fits before with -t 3" },
	{ "the window that ends first is enough",
	  "wkend hosts=n3 users=ann end=86400; wk hosts=n0 users=ann end=1200",
	  "X nodes=3 user=bob limit=1800", "Reservation wk until 00:20: user bob not admitted" },
	{ "a shorter limit helps against a window, not against a permanent reservation",
	  "own hosts=n3 users=eve; a hosts=n0 users=ann start=1000 end=3600; b hosts=n1 users=ann "
	  "start=2000 end=3600; win hosts=n2 users=ann start=3300 end=3600",
	  "X nodes=1 user=bob limit=7200", "Reservation win from 00:55: fits before with -t 55" },
	{ "until all is over that adjoins",
	  "wk hosts=n0 users=ann end=600; wk2 hosts=n0 users=ann start=600 end=1260",
	  "X nodes=1 need=n0 user=bob limit=1800",
	  "Reservation wk until 00:21: user bob not admitted" },
	{ "stacked: the last to end",
	  "wk hosts=n0 users=ann end=600; wk2 hosts=n0 users=ann end=1260",
	  "X nodes=1 need=n0 user=bob limit=1800",
	  "Reservation wk2 until 00:21: user bob not admitted" },
	{ "the time between is too short: until the next one ends",
	  "wk hosts=n0 users=ann end=600; wk2 hosts=n0 users=ann start=1200 end=9000",
	  "X nodes=1 need=n0 user=bob limit=1800",
	  "Reservation wk2 from 00:20: user bob not admitted" },
	{ "the time between is enough",
	  "wk hosts=n0 users=ann end=600; wk2 hosts=n0 users=ann start=2400 end=9000",
	  "X nodes=1 need=n0 user=bob limit=1800",
	  "Reservation wk until 00:10: user bob not admitted" },
	{ "adjoining, and one of them admits the job",
	  "wk hosts=n0 users=ann end=600; wk2 hosts=n0 users=bob start=600 end=1260",
	  "X nodes=1 need=n0 user=bob limit=300",
	  "Reservation wk until 00:10: user bob not admitted" },
	{ "two limits, two answers",
	  "wk hosts=n0,n1,n2,n3 users=ann end=600; wk2 hosts=n0,n1,n2,n3 users=ann start=1200 end=9000",
	  "A nodes=1 user=bob limit=1800; X nodes=1 user=bob limit=300",
	  "Reservation wk until 00:10: user bob not admitted" },
};

TEST_ROWS(plan_reason_reservations, which, which, row)
{
	struct world *w;

	utc();
	w = rsv_make("", "4 procs=4", NULL, row->reservations, NULL, row->queue);
	expect_told(w, row->name, "X", row->text);
	rsv_drop();
}

/* Nodes that a reservation does not keep from the job do not count as reserved. Four of four
 * processors. */
static const struct {
	const char *name, *claims, *reservations, *running, *queue, *line;
} keepers[] = {
	{ "a reservation that admits the job, and a user who shares no node", NULL,
	  "debug hosts=n0,n1,n2,n3 procs=1 users=bob",
	  "r nodes=n0,n1,n2,n3 procs=1 end=600 user=ann sole", "X procs=1 user=bob limit=300",
	  "4 nodes are another user's" },
	{ "one that does not, and a user who shares no node", NULL,
	  "debug hosts=n0,n1,n2,n3 procs=3 users=eve",
	  "r nodes=n0,n1,n2,n3 procs=1 end=600 user=ann sole", "X procs=1 user=bob limit=300",
	  "4 nodes are reserved by debug" },
	{ "a TIMELIMIT, behind jobs without a time limit", NULL,
	  "debug hosts=n0,n1,n2,n3 users=bob limit=30 required",
	  "r nodes=n0,n1,n2,n3 procs=4 end=9223372036854775807", "X procs=4 user=bob limit=300",
	  "4 nodes are reserved by debug" },
	{ "inside a Slurm reservation, before it begins", "R nodes=n0 start=5000 end=9000",
	  "debug hosts=n0 procs=1 users=bob", NULL, "X procs=1 user=bob claim=R only limit=300",
	  "4 nodes are outside its request" },
	{ "inside a Slurm reservation that another job uses up", "R nodes=n0 procs=2", "", NULL,
	  "A procs=2 user=bob claim=R only limit=600; X procs=1 user=bob claim=R only limit=300",
	  "1 node is busy" },
};

TEST_ROWS(plan_reason_reservations, who_keeps_the_nodes, keepers, row)
{
	struct world *w =
		rsv_make("", "4 procs=4", row->claims, row->reservations, row->running, row->queue);
	struct maui_strbuf text = { 0 };
	struct maui_explanation e;

	free(world_plan(w));
	e = world_explain(w, "X", true);
	cr_assert(maui_explain_all(&e, &text) == 0 && text.text, "%s: no reason", row->name);
	cr_expect(strstr(text.text, row->line), "%s:\n%s", row->name, text.text);
	cr_expect(strstr(row->line, "reserved") || !strstr(text.text, "reserved"), "%s:\n%s",
		  row->name, text.text);
	maui_strbuf_finish(&text);
	rsv_drop();
}

Test(plan_reason_reservations, a_job_that_reservations_keep_out_for_ever_is_blocked, .init = utc)
{
	struct world *w = rsv_make("", "3 procs=4", NULL, "biz hosts=n0,n1 users=ann depth=3",
				   "r nodes=n2 procs=4 end=600",
				   "A user=bob rsv=biz limit=300; B need=n0 user=bob limit=300; "
				   "C procs=4 user=bob limit=300; D procs=4 user=bob limit=300");
	const struct maui_plan_job *jobs;

	w->estimates = 4;
	free(world_plan(w));
	jobs = world_finished(w)->jobs;
	cr_expect(jobs[world_find(w, "A")].kept_out, "the only reservation does not admit A");
	cr_expect(jobs[world_find(w, "B")].kept_out, "B names a permanently reserved node");
	cr_expect(!jobs[world_find(w, "C")].kept_out && !jobs[world_find(w, "D")].kept_out,
		  "C and D wait for n2");
	rsv_drop();
}

/* Just after a restart: a node that has not answered yet is expected back in a minute. */
Test(plan_reason_reservations, a_node_that_has_not_answered_yet_is_not_down, .init = utc)
{
	struct world *w = rsv_make("", "3 procs=4", NULL, "biz hosts=n0 users=bob", NULL,
				   "X user=bob rsv=biz limit=300");

	w->snapshot->nodes[0].usable_from_s = 60;
	w->snapshot->nodes[0].state = MAUI_REASON_NODE_UNANSWERED;
	expect_told(w, "silent", "X", "Reservation biz: its nodes have not answered yet");
	rsv_drop();
}

/* squeue names the blocking reservation for the first hundred waiting jobs of a partition. Jobs
 * behind these show Priority; the complete explanation of such a job has the reservation. */
Test(plan_reason_reservations, behind_the_first_hundred_jobs_read_priority, .init = utc)
{
	enum { JOBS = 120 };
	struct world *w = rsv_make("", "2 procs=4", NULL, "biz hosts=n0,n1 users=ann end=7200",
				   NULL, "X procs=1 user=bob limit=300");
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;

	for (uint64_t j = 1; j < JOBS; j++) {
		struct maui_idle idle = w->snapshot->idle[0];

		idle.id = 1000 + j;
		cr_assert(maui_snapshot_add_idle(w->snapshot, &idle) == (int64_t)j);
	}
	plan_only(w);
	for (uint32_t j = 0; j < JOBS; j++) {
		cr_assert(maui_explain_short(world_explainer(w), j, &e) == 0);
		maui_explain_first(&e, text, sizeof(text));
		cr_expect_str_eq(text,
				 j < 100 ? "Reservation biz: user bob not admitted" :
				 j <= 100 ?
					   "Priority: more than 50 jobs are ahead in partition p0" :
					   "Priority: more than 100 jobs are ahead in partition "
					   "p0",
				 "%u: '%s'", j, text);
		cr_expect(maui_explain_kind(&e) ==
			  (j < 100 ? MAUI_REASON_ACCESS : MAUI_REASON_PRIORITY));
	}
	cr_assert(maui_explain_job(world_explainer(w), JOBS - 1, &e) == 0);
	cr_assert(e.blocking, "the complete explanation has it");
	cr_expect_str_eq(e.blocking->name, "biz");
	rsv_drop();
}

/* PrivateData=reservations: the reason is the same, without the name. */
Test(plan_reason_reservations, private_reservations_have_no_names, .init = utc)
{
	struct world *w =
		rsv_make("", "2 procs=4", NULL, "biz hosts=n0,n1 users=ann end=7200", NULL,
			 "X procs=1 user=bob limit=300; Y procs=1 user=bob rsv=biz");
	struct maui_explainer *x;
	struct maui_explanation e;
	char text[MAUI_EXPLAIN_LINE_SIZE];

	plan_only(w);
	x = world_explainer(w);
	maui_explainer_hide_reservations(x);
	cr_assert(maui_explain_short(x, 0, &e) == 0 && e.blocking);
	cr_expect(!e.blocking->name);
	cr_expect_str_eq(maui_explain_first(&e, text, sizeof(text)),
			 "Reservation: user bob not admitted");
	cr_expect_str_eq(maui_explain_cause(&e, text, sizeof(text)), "reservation");
	cr_assert(maui_explain_short(x, 1, &e) == 0 && e.blocking);
	cr_expect_str_eq(e.blocking->name, "biz", "Y asks for it");
	rsv_drop();
}
