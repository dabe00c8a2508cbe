/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_views.c - jobs that each name other reservations: which of them start */

#include <stdlib.h>
#include <time.h>

#include "rsv_world.h"
#include "rows.h"

#define HERS      "R hosts=n0 users=ann; S hosts=n1 users=ann; T hosts=n2 users=ann"
#define FULL      "r nodes=n3 procs=4 end=50 user=bob"
#define DAYS_OF_R "R hosts=n0,n1,n2 users=ann depth=4"

/* X is blocked: backfill decides about all jobs behind it. */
static const struct row {
	const char *name, *reservations, *queue, *plan;
} rows[] = {
	{ "each job sees all reservations that it names", HERS,
	  "X user=bob need=n3; A user=ann rsv=R,S nodes=2 whole; B user=ann rsv=S,T whole; "
	  "C user=ann rsv=T,R whole",
	  "A:n0+n1 B:n2 | X@50:n3" },
	{ "in its turn, too", HERS,
	  "A user=ann rsv=R,S nodes=2 whole; X user=bob need=n3; B user=ann rsv=T whole",
	  "A:n0+n1 B:n2 | X@50:n3" },
	{ "jobs with and without a named reservation differ", HERS "; U hosts=n0,n2 users=eve",
	  "X user=bob need=n3; A user=ann rsv=S,R whole; B user=ann rsv=R whole; "
	  "C user=ann rsv=S whole; D user=ann whole",
	  "A:n1 | X@50:n3" },
	{ "days that adjoin are as good as one", DAYS_OF_R,
	  "X user=bob need=n3; A user=ann rsv=maui.R.19700101 limit=86401 whole; "
	  "B user=ann rsv=maui.R.19700101,maui.R.19700102 limit=86401 whole; "
	  "C user=ann rsv=maui.R.19700101,maui.R.19700103 limit=86401 whole; "
	  "D user=ann rsv=maui.R.19700101,maui.R.19700103 limit=86400 whole; "
	  "E user=ann rsv=maui.R.19700102,maui.R.19700103 limit=10 whole; "
	  "F user=ann rsv=maui.R.19700101,maui.R.19700102,maui.R.19700103 limit=259200 whole",
	  "B:n0 D:n1 F:n2 | X@50:n3" },
};

static void utc(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
}

/* Seventeen different choices of five reservations come first, none of which can start. */
static char *many_choices(const char *last)
{
	struct maui_strbuf queue = { 0 };

	maui_strbuf_addf(&queue, "X user=bob need=n3; ");
	for (unsigned set = 0, made = 0; made < 17; set++) {
		if (__builtin_popcount(set) < 2)
			continue;
		maui_strbuf_addf(&queue, "J%u user=ann procs=99 rsv=", made++);
		for (unsigned r = 0; r < 5; r++)
			if (set & (1u << r))
				maui_strbuf_addf(&queue, "%s%c", set & ((1u << r) - 1) ? "," : "",
						 (char)('P' + r));
		maui_strbuf_addf(&queue, "; ");
	}
	maui_strbuf_addf(&queue, "%s", last);
	return maui_strbuf_steal(&queue);
}

Test(plan_views, beyond_the_bound_a_job_sees_one_reservation, .init = utc)
{
	static const char five[] = "P hosts=n0 users=ann; Q hosts=n1 users=ann; "
				   "R hosts=n2 users=ann; S hosts=n2 users=ann; "
				   "T hosts=n2 users=ann";
	char *queue = many_choices("Y user=ann rsv=P,Q,R,S,T nodes=2 procs=8 whole; "
				   "Z user=ann rsv=P,Q,R,S,T whole");
	struct world *w = rsv_make("", "4 procs=4", NULL, five, FULL, queue);
	char *plan = world_plan(w);

	EXPECT_TEXT("plan", plan, "Z:n0 | X@50:n3");
	free(plan);
	free(queue);
	rsv_drop();
}

static void expect(const struct row *row)
{
	struct world *w = rsv_make("", "4 procs=4", NULL, row->reservations, FULL, row->queue);
	char *plan;

	plan = world_plan(w);
	EXPECT_TEXT(row->name, plan, row->plan);
	free(plan);
	rsv_drop();
}

Test(plan_views, which_jobs_start, .init = utc)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect(&rows[i]);
}
