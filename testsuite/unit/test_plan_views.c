/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_views.c - jobs of which each names other reservations: who starts; test_plan_cost.c
 * tells what that costs */

#include <stdlib.h>
#include <time.h>

#include "rsv_world.h"

#define HERS      "R hosts=n0 users=ann; S hosts=n1 users=ann; T hosts=n2 users=ann"
#define FULL      "r nodes=n3 procs=4 end=50 user=bob"
#define DAYS_OF_R "R hosts=n0,n1,n2 users=ann depth=4"

/* X is blocked: all behind it is backfill. */
static const struct row {
	const char *name, *reservations, *queue, *plan;
	uint64_t looks;
} rows[] = {
	{ "each its own", HERS,
	  "X user=bob need=n3; A user=ann rsv=R,S nodes=2 whole; B user=ann rsv=S,T whole; "
	  "C user=ann rsv=T,R whole",
	  "A:n0+n1 B:n2 | X@50:n3", 0 },
	{ "who comes too late sees one of them: no other", HERS,
	  "X user=bob need=n3; A user=ann rsv=R,S nodes=2 whole; B user=ann rsv=S,T whole; "
	  "C user=ann rsv=T,R whole",
	  "A:n0+n1 | X@50:n3", 1 },
	{ "but sees that", HERS,
	  "X user=bob need=n3; A user=ann rsv=S,T whole; B user=ann rsv=T,R nodes=2 whole; "
	  "C user=ann rsv=R,S whole",
	  "A:n1 C:n0 | X@50:n3", 1 },
	{ "in its turn all", HERS,
	  "A user=ann rsv=R,S nodes=2 whole; X user=bob need=n3; B user=ann rsv=T whole",
	  "A:n0+n1 B:n2 | X@50:n3", 1 },
	{ "who names none, or one, is told apart all the same", HERS "; U hosts=n0,n2 users=eve",
	  "X user=bob need=n3; A user=ann rsv=S,R whole; B user=ann rsv=R whole; "
	  "C user=ann rsv=S whole; D user=ann whole",
	  "A:n1 | X@50:n3", 1 },
	{ "days that adjoin are as good as one", DAYS_OF_R,
	  "X user=bob need=n3; A user=ann rsv=R.19700101 limit=86401 whole; "
	  "B user=ann rsv=R.19700101,R.19700102 limit=86401 whole; "
	  "C user=ann rsv=R.19700101,R.19700103 limit=86401 whole; "
	  "D user=ann rsv=R.19700101,R.19700103 limit=86400 whole; "
	  "E user=ann rsv=R.19700102,R.19700103 limit=10 whole; "
	  "F user=ann rsv=R.19700101,R.19700102,R.19700103 limit=259200 whole",
	  "B:n0 D:n1 F:n2 | X@50:n3", 0 },
	{ "who comes too late has today", DAYS_OF_R,
	  "X user=bob need=n3; A user=ann rsv=R.19700101,R.19700103 limit=10 whole; "
	  "B user=ann rsv=R.19700101,R.19700102 limit=86401 whole; "
	  "C user=ann rsv=R.19700101,R.19700102 limit=86400 whole",
	  "A:n0 C:n1 | X@50:n3", 1 },
};

static void utc(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
}

static void expect(const struct row *row)
{
	struct world *w = rsv_make("", "4 procs=4", NULL, row->reservations, FULL, row->queue);
	char *plan;

	w->looks = row->looks;
	plan = world_plan(w);
	cr_expect(strcmp(plan, row->plan) == 0, "%s: '%s'", row->name, plan);
	free(plan);
	rsv_drop();
}

Test(plan_views, who_starts, .init = utc)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect(&rows[i]);
}
