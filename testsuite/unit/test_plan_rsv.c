/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_rsv.c - plans with reservations: which jobs are admitted, where, and when
 *
 * Rules: CMD-52, PRE-6, RSV-14, RSV-36, RSV-39, ACL-10, ACL-11.
 */

#include "explain/hypothetical_job.h"
#include "reservation/placement/shortage.h"
#include "rsv_world.h"
#include "rows.h"

#include <time.h>

static const struct {
	const char *name, *config, *nodes, *reservations, *running, *queue, *plan;
} rows[] = {
	{ "a user who is not on the access list is not admitted", "", "1 procs=4",
	  "R hosts=n0 users=ann", NULL, "A user=bob", "" },
	{ "runjob -x goes where no access list admits the job", "", "1 procs=4",
	  "R hosts=n0 users=ann", NULL, "A user=bob first force; B user=bob first anywhere",
	  "B:n0" },
	{ "a user on the access list is admitted", "", "1 procs=4", "R hosts=n0 users=ann", NULL,
	  "A user=ann", "A:n0" },
	{ "PROCLIMIT >=3 admits large jobs only", "", "2 procs=4", "R hosts=n0 atleast=3", NULL,
	  "A procs=2 nodes=1; B procs=3 nodes=1; C procs=4 nodes=1", "A:n1*2 B:n0*3 | C@10:n0*4" },
	{ "a job that is not admitted takes another node", "", "2 procs=4", "R hosts=n0 users=ann",
	  NULL, "A user=bob", "A:n1" },
	{ "a job may run before the reservation begins", "", "1 procs=4",
	  "R hosts=n0 users=ann start=20", NULL, "A user=bob limit=20", "A:n0" },
	{ "a job that would overlap starts after the reservation", "", "1 procs=4",
	  "R hosts=n0 users=ann start=20 end=50", NULL, "A user=bob limit=21", "| A@50:n0" },
	{ "memory that is reserved, but in use, keeps no job out that needs none", "",
	  "1 procs=4 mem=100", "R hosts=n0 count=1 procs=1 mem=60 users=ann",
	  "r nodes=n0 procs=1 mem=80 end=50 user=eve", "A user=bob; B user=bob mem=1",
	  "A:n0 | B@50:n0" },
	{ "reserved and free nodes together", "", "2 procs=4", "R hosts=n0 users=ann", NULL,
	  "A user=ann nodes=2", "A:n0+n1" },
	{ "a blocked job does not keep admitted jobs from a reservation", "", "2 procs=4",
	  "R hosts=n0 users=ann", "r nodes=n1 procs=4 end=50 user=bob",
	  "A user=bob procs=4 limit=100; B user=ann limit=100", "B:n0 | A@50:n1*4" },

	{ "most constrained first", "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "4 procs=4",
	  "R hosts=n2 users=ann; S hosts=n2,n3 users=ann", NULL,
	  "A user=ann procs=4; B user=ann procs=4; C user=ann procs=4", "A:n2*4 B:n3*4 C:n0*4" },
	{ "last resort last", "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "3 procs=4",
	  "R hosts=n0 users=ann-; S hosts=n1 users=ann=", NULL,
	  "A user=ann procs=4; B user=ann procs=4; C user=ann procs=4", "A:n1*4 B:n2*4 C:n0*4" },
	{ "last resort of short ones only", "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "2 procs=4",
	  "R hosts=n0 users=ann last=30", NULL,
	  "A user=ann procs=4 limit=30; B user=ann procs=4 limit=31", "A:n1*4 B:n0*4" },
	{ "the affinity is that of the actual overlap", "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n",
	  "2 procs=4", "R hosts=n0 users=ann last=30 end=30; S hosts=n1 users=ann= start=0 end=30",
	  NULL, "A user=ann procs=4 limit=31", "A:n1*4" },
	{ "no affinity to a reservation that begins as the job ends",
	  "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "2 procs=4",
	  "R hosts=n1 users=ann start=30 end=60", NULL, "A user=ann procs=4 limit=30", "A:n0*4" },
	{ "nodes that a job names come first", "", "3 procs=4", "R hosts=n0 users=ann", NULL,
	  "A user=ann nodes=2 need=n2", "A:n0+n2" },
	{ "affinity before the policy's stretch", "NODEALLOCATIONPOLICY CONTIGUOUS\n", "5 procs=4",
	  "R hosts=n2,n3,n4 users=ann", NULL, "A user=ann nodes=2 whole", "A:n2+n3" },
	{ "up before asleep, but affinity before that", "", "1 procs=4 asleep; 1 procs=4",
	  "R hosts=n0 users=ann", NULL, "A user=ann", "A:n0" },
	{ "the number of nodes counts before affinity", "", "1 procs=2; 1 procs=4",
	  "R hosts=n0 users=ann", NULL, "A user=ann procs=4 nodes=1", "A:n1*4" },

	{ "8 and 8 of 16", "", "1 procs=16",
	  "R count=1 procs=8 users=ann; S count=1 procs=8 users=bob", NULL,
	  "A user=ann procs=12; B user=ann procs=8; C user=eve; D user=bob procs=8",
	  "B:n0*8 D:n0*8" },
	{ "six tasks of 2 with 512 MB serve ten of 1 with 128 MB", "", "2 procs=8 mem=2000",
	  "R count=6 procs=2 mem=512 users=ann", "r nodes=n0,n1 procs=2 mem=464 user=bob",
	  "A user=ann procs=10 nodes=2 each=5 mem=640; B user=bob", "A:n0*5+n1*5" },
	{ "or two of 4 with 1 GB", "", "2 procs=8 mem=2000", "R count=6 procs=2 mem=512 users=ann",
	  "r nodes=n0,n1 procs=2 mem=464 user=bob",
	  "A user=ann procs=8 nodes=2 each=4 mem=1024; B user=bob", "A:n0*4+n1*4" },
	{ "what an inside job does not use stays reserved", "", "1 procs=16",
	  "R count=1 procs=8 users=ann", "r nodes=n0 procs=8 user=ann",
	  "A user=bob procs=8 limit=5; B user=bob", "A:n0*8 | B@5:n0" },
	{ "a job that ran before the reservation is outside", "", "1 procs=16",
	  "R hosts=n0 procs=8 users=ann", "r nodes=n0 procs=8 user=bob end=50",
	  "A user=eve; B user=ann procs=8 limit=5", "B:n0*8" },
	{ "stacked: all reservations must admit the job", "", "1 procs=4",
	  "R hosts=n0 users=ann,bob; S hosts=n0 users=bob,eve", NULL,
	  "A user=ann; B user=eve; C user=bob", "C:n0" },

	{ "TIMELIMIT", "", "1 procs=4", "R hosts=n0 users=ann limit=30 end=100", NULL,
	  "A user=bob procs=2 limit=30; B user=bob procs=2 limit=31", "A:n0*2 | B@70:n0*2" },
	{ "TIMELIMIT holds across adjoining reservations", "", "1 procs=4",
	  "R hosts=n0 limit=30 end=100; S hosts=n0 limit=30 start=100 end=200", NULL, "A limit=60",
	  "| A@70:n0" },

	{ "BYNAME admits only jobs that name the reservation", "", "2 procs=4",
	  "R hosts=n0 users=ann byname", NULL,
	  "A user=ann procs=4; B user=ann procs=4 rsv=R; C user=ann", "A:n1*4 B:n0*4 | C@10:n1" },
	{ "a job that names a reservation runs nowhere else", "", "2 procs=4",
	  "R hosts=n0 users=ann", NULL,
	  "A user=ann procs=8 rsv=R; B user=ann procs=4 rsv=R limit=60", "B:n0*4" },
	{ "named, and a stacked reservation admits the job", "", "2 procs=4",
	  "R hosts=n0 users=ann byname; S hosts=n0 users=ann,bob", NULL,
	  "A user=ann procs=4 rsv=R; B user=bob procs=4 rsv=R; C user=bob procs=4",
	  "A:n0*4 C:n1*4" },
	{ "named, and a stacked reservation does not admit the job", "", "2 procs=4",
	  "R hosts=n0 users=ann; S hosts=n0 users=bob", NULL, "A user=ann rsv=R", "" },
	{ "named, and a stacked reservation admits the job for some time", "", "1 procs=4",
	  "R hosts=n0 users=ann; S hosts=n0 limit=30 end=100", NULL,
	  "A user=ann procs=4 rsv=R limit=31; B user=ann procs=4 rsv=R limit=30",
	  "B:n0*4 | A@70:n0*4" },
	{ "a preemptor may use a PREEMPTEE reservation stacked with its own",
	  "QOSCFG[now] QFLAGS=PREEMPTOR\n", "1 procs=4",
	  "R hosts=n0 users=ann; S hosts=n0 users=bob preemptee", NULL,
	  "A user=ann rsv=R; B user=ann rsv=R qos=now", "B:n0" },
	{ "USERESERVED", "QOSCFG[x] QFLAGS=USERESERVED\n", "2 procs=4",
	  "R hosts=n0 qos=x start=20 end=50", NULL, "A qos=x limit=30; B qos=x limit=31",
	  "| A@20:n0" },
	{ "IGNSRMAXTIME", "QOSCFG[x] QFLAGS=IGNSRMAXTIME\n", "1 procs=4",
	  "R hosts=n0 limit=30 end=100", NULL, "A qos=x limit=50; B limit=50", "A:n0 | B@70:n0" },

	{ "TIMELIMIT: a day without nodes separates its neighbours", "", "1 procs=4",
	  "R count=1 limit=3600 depth=2; S hosts=n0 users=ann start=86400 end=172800", NULL,
	  "A user=ann limit=90000", "| A@82800:n0" },
	{ "a preemptor that names a reservation does not run in a PREEMPTEE one",
	  "QOSCFG[now] QFLAGS=PREEMPTOR\n", "2 procs=4",
	  "R hosts=n0 users=ann; S hosts=n1 users=bob preemptee", NULL,
	  "A user=ann procs=8 rsv=R qos=now; B user=ann procs=4 rsv=R qos=now", "B:n0*4" },

	{ "TIMELIMIT over midnight: adjoining days are one reservation", "", "1 procs=4",
	  "R hosts=n0 limit=7200 depth=3", NULL, "A limit=7201; B limit=7200", "B:n0" },
	{ "a job fits behind the last known instance of a reservation that floats", "", "1 procs=4",
	  "R count=1 limit=7200 depth=3", NULL, "A limit=7201; B limit=7200",
	  "B:n0 | A@252000:n0" },
	{ "a job longer than all gaps of a daily reservation has no place behind it", "",
	  "1 procs=4", "R hosts=n0 users=ann start=32400 end=39600 depth=3", NULL,
	  "A user=bob limit=79201; B user=bob limit=79200", "| B@39600:n0" },
	{ "with a TIMELIMIT it may reach into both of its neighbours", "", "1 procs=4",
	  "R hosts=n0 limit=3600 start=32400 end=39600 depth=3", NULL,
	  "A limit=86401; B limit=86400", "| B@36000:n0" },
	{ "nodes without the reservation take it", "", "2 procs=4",
	  "R hosts=n0 users=ann start=32400 end=39600 depth=3", "r nodes=n1 procs=4 end=500000",
	  "A user=bob limit=79201", "| A@500000:n1" },

	{ "backfill checks access job by job", "", "2 procs=4", "R hosts=n0 users=ann start=20",
	  "r nodes=n1 procs=4 end=30 user=eve",
	  "A user=bob nodes=2 whole limit=10; B user=bob limit=30; C user=ann limit=40;"
	  "D user=bob limit=20",
	  "C:n0 D:n0 | B@30:n1" },
	{ "BACKFILLPOLICY NONE", "BACKFILLPOLICY NONE\n", "2 procs=4", "R hosts=n0 users=ann",
	  "r nodes=n1 procs=4 end=30", "A user=ann limit=40; B user=bob; C user=ann", "A:n0" },
	{ "--time-min: the limit is cut to end before the reservation", "", "1 procs=4",
	  "R hosts=n0 users=ann start=20", NULL, "A user=bob limit=50 min=10", "A:n0" },
};

TEST_ROWS(plan_rsv, plan, rows, row)
{
	struct world *w = rsv_make(row->config, row->nodes, NULL, row->reservations, row->running,
				   row->queue);
	char *plan = world_plan(w);

	EXPECT_TEXT(row->name, plan, row->plan);
	free(plan);
	rsv_drop();
}

/* A job that TIMELIMIT keeps outside is planned again when TIMELIMIT would admit it, with or
 * without a job reservation. */
Test(plan_rsv, next_cycle_when_timelimit_admits_a_job)
{
	struct world *w = rsv_make("RESERVATIONPOLICY NEVER\n", "1 procs=4", NULL,
				   "R hosts=n0 limit=30 end=100", NULL, "A limit=31");
	char *plan = world_plan(w);

	cr_expect_str_eq(plan, "");
	cr_expect(w->decisions.next_s == 70, "at %d", (int)w->decisions.next_s);
	free(plan);
	rsv_drop();
}

/* Whether ann's next job in the first partition, with this QOS, is said to preempt perhaps. */
static bool asked_to_preempt(struct world *w, const char *qos)
{
	const struct maui_request whole = { .nodes_min = 1, .procs_per_task = 1, .tasks = 4 };
	const struct maui_offer_question q = {
		.request = &whole,
		.limit_s = 10,
		.cred = { [MAUI_CRED_USER] = "ann",
			  [MAUI_CRED_QOS] = qos,
			  [MAUI_CRED_CLASS] = w->snapshot->partitions[0].name },
	};
	struct maui_would_start would;

	world_finished(w);
	cr_assert(maui_explain_would_start(world_explainer(w), &q, false, &would) == 0, "memory");
	cr_assert(!would.now);
	return would.preempts;
}

Test(plan_rsv, a_job_to_come_may_preempt_as_a_job_that_waits)
{
	static const struct {
		const char *name, *config, *reservations, *qos;
		bool preempts;
	} cases[] = {
		{ "nobody does", "QOSCFG[now] QFLAGS=PREEMPTOR\n", NULL, "high", false },
		{ "the QOS", "QOSCFG[now] QFLAGS=PREEMPTOR\n", NULL, "now", true },
		{ "the policy", "BACKFILLPOLICY PREEMPT\n", NULL, "high", true },
		{ "the owner of a reservation", "",
		  "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt", "high", true },
		{ "another's reservation", "",
		  "R hosts=n0 users=ann,bob- owner=USER:bob ownerpreempt", "high", false },
		{ "before the reservation begins", "",
		  "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt start=5", "high", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world *w =
			rsv_make(cases[i].config, "1 procs=4", NULL, cases[i].reservations,
				 "r nodes=n0 procs=4 end=50 user=bob", NULL);

		free(world_plan(w));
		cr_expect(asked_to_preempt(w, cases[i].qos) == cases[i].preempts, "%s",
			  cases[i].name);
		rsv_drop();
	}
}

/* Processors that are free now for the next job of this user. */
static int64_t offered(struct world *w, const char *user)
{
	const struct maui_request one = { .nodes_min = 1, .procs_per_task = 1, .tasks = 1 };
	const struct maui_offer_question q = {
		.request = &one,
		.cred = { [MAUI_CRED_USER] = user,
			  [MAUI_CRED_CLASS] = w->snapshot->partitions[0].name },
	};
	struct maui_offers offers;

	cr_assert(maui_explain_offers(world_explainer(w), &q, false, 0, &offers) == 0, "memory");
	return offers.count > 0 ? offers.windows[0].procs : 0;
}

Test(plan_rsv, what_is_free_for_a_user_depends_on_no_earlier_question)
{
	struct world *w = rsv_make("", "1 procs=4; 1 procs=8", NULL,
				   "R hosts=n0 users=ann; Q hosts=n1 users=bob", NULL, NULL);

	free(world_plan(w));
	world_finished(w);
	cr_expect(offered(w, "bob") == 8, "bob");
	cr_expect(offered(w, "ann") == 4, "ann");
	cr_expect(offered(w, "bob") == 8, "bob again");
	cr_expect(offered(w, "eve") == 0, "eve");
	rsv_drop();
}

/* A job on the node is in the way of all but insiders of the kind that pushes. */
#define OWNED                                                                              \
	"QOSWEIGHT 1\nQUEUETIMEWEIGHT 0\nQOSCFG[high] PRIORITY=9\nQOSCFG[now] PRIORITY=9 " \
	"QFLAGS=PREEMPTOR\n"

static const struct {
	const char *name, *reservations, *running, *queue, *plan;
} owned[] = {
	{ "the owner's job preempts other users' jobs",
	  "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt",
	  "r nodes=n0 procs=4 end=50 user=bob; s nodes=n1 procs=4 end=90 user=bob",
	  "A user=ann procs=4 qos=high", "| A@0:n0*4 !r" },
	{ "without OWNERPREEMPT it does not", "R hosts=n0 users=ann,bob- owner=USER:ann",
	  "r nodes=n0 procs=4 end=50 user=bob; s nodes=n1 procs=4 end=90 user=bob",
	  "A user=ann procs=4 qos=high", "| A@50:n0*4" },
	{ "another user's job does not",
	  "R hosts=n0 users=ann,bob-,eve owner=USER:ann ownerpreempt",
	  "r nodes=n0 procs=4 end=50 user=bob; s nodes=n1 procs=4 end=90 user=bob",
	  "A user=eve procs=4 qos=high", "| A@50:n0*4" },
	{ "only on the reservation's nodes",
	  "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt",
	  "r nodes=n0 procs=4 end=50 user=bob; s nodes=n1 procs=4 end=90 user=bob",
	  "A user=ann procs=8 qos=high", "| A@90:n0*4+n1*4" },
	{ "the owner's own jobs are not preempted",
	  "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt",
	  "r nodes=n0 procs=4 end=50 user=ann; s nodes=n1 procs=4 end=90 user=bob",
	  "A user=ann procs=4 qos=high", "| A@50:n0*4" },
	{ "not before the reservation begins",
	  "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt start=5",
	  "r nodes=n0 procs=4 end=50 user=bob; s nodes=n1 procs=4 end=90 user=bob",
	  "A user=ann procs=4 qos=high", "| A@50:n0*4" },
	{ "jobs of higher priority are not preempted",
	  "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt",
	  "r nodes=n0 procs=4 end=50 user=bob qos=high; s nodes=n1 procs=4 end=90 user=bob",
	  "A user=ann procs=4", "| A@50:n0*4" },
	{ "a preemptor may use a PREEMPTEE reservation", "R hosts=n0 users=bob preemptee",
	  "s nodes=n1 procs=4 end=90 user=bob", "B user=ann procs=4; A user=ann procs=4 qos=now",
	  "A:n0*4 | B@90:n1*4" },
	{ "a preemptor may not use a reservation without PREEMPTEE", "R hosts=n0 users=bob",
	  "s nodes=n1 procs=4 end=90 user=bob", "A user=ann procs=4 qos=now", "| A@90:n1*4" },
	{ "a PREEMPTEE reservation is the preemptor's last resort",
	  "R hosts=n0 users=bob preemptee", NULL, "A user=ann procs=4 qos=now", "A:n1*4" },
};

TEST_ROWS(plan_rsv, owner, owned, row)
{
	struct world *w =
		rsv_make(OWNED, "2 procs=4", NULL, row->reservations, row->running, row->queue);
	char *plan = world_plan(w);

	EXPECT_TEXT(row->name, plan, row->plan);
	free(plan);
	rsv_drop();
}

/* Of 4 processors of n0 ann owns 3; n1 is full. */
#define ELSEWHERE "s nodes=n1 procs=4 end=90 user=eve; "

static const struct {
	const char *name, *reservations, *running, *queue, *plan;
} owned_in_part[] = {
	{ "a job on the rest of the node stays",
	  "R hosts=n0 procs=3 users=ann owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 end=50 user=bob", "A user=ann nodes=1 procs=4 qos=high",
	  "| A@50:n0*4" },
	{ "a job that needs reserved processors is preempted",
	  "R hosts=n0 procs=3 users=ann owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=2 end=50 user=bob", "A user=ann nodes=1 procs=3 qos=high",
	  "| A@0:n0*3 !r" },
	{ "if the rest holds one of two jobs, one is preempted",
	  "R hosts=n0 procs=3 users=ann owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 end=50 user=bob; t nodes=n0 procs=1 end=50 user=bob",
	  "A user=ann nodes=1 procs=3 qos=high", "| A@0:n0*3 !t" },
	{ "if the rest holds one of two jobs, not both are",
	  "R hosts=n0 procs=3 users=ann owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 end=50 user=bob; t nodes=n0 procs=1 end=50 user=bob",
	  "A user=ann nodes=1 procs=4 qos=high", "| A@50:n0*4" },
	{ "a job that cannot be preempted gets the rest of the node first",
	  "R hosts=n0 procs=3 users=ann owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 end=50 user=bob; t nodes=n0 procs=1 end=50 user=bob never",
	  "A user=ann nodes=1 procs=3 qos=high", "| A@0:n0*3 !r" },
	{ "another user's admitted job inside is preempted",
	  "R hosts=n0 procs=3 users=ann,bob owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 end=50 user=bob", "A user=ann nodes=1 procs=4 qos=high",
	  "| A@0:n0*4 !r" },
	{ "another user's admitted job on the rest of the node stays",
	  "R hosts=n0 procs=3 users=ann,bob- owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 end=50 user=bob", "A user=ann nodes=1 procs=4 qos=high",
	  "| A@50:n0*4" },
	{ "an admitted job is inside when a job that is not admitted has the rest",
	  "R hosts=n0 procs=3 users=ann,bob- owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 end=50 user=bob; t nodes=n0 procs=1 end=50 user=eve",
	  "A user=ann nodes=1 procs=3 qos=high", "| A@0:n0*3 !r" },
	{ "a job in a reservation side by side stays",
	  "R hosts=n0 count=1 procs=1 users=ann owner=USER:ann ownerpreempt; "
	  "S hosts=n0 count=1 procs=2 users=bob,ann-",
	  ELSEWHERE "r nodes=n0 procs=2 end=50 user=bob; t nodes=n0 procs=1 end=50 user=eve",
	  "A user=ann nodes=1 procs=3 qos=high", "| A@50:n0*3" },
	{ "memory counts: a job that needs reserved memory is preempted",
	  "R hosts=n0 procs=3 mem=600 users=ann owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 mem=401 end=50 user=bob",
	  "A user=ann nodes=1 procs=3 mem=600 qos=high", "| A@0:n0*3 !r" },
	{ "memory counts: a job that fits the rest stays",
	  "R hosts=n0 procs=3 mem=600 users=ann owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 mem=400 end=50 user=bob",
	  "A user=ann nodes=1 procs=3 mem=601 qos=high", "| A@50:n0*3" },
	{ "an amount that is not reserved does not count",
	  "R hosts=n0 procs=3 users=ann owner=USER:ann ownerpreempt",
	  ELSEWHERE "r nodes=n0 procs=1 mem=1000 end=50 user=bob",
	  "A user=ann nodes=1 procs=3 mem=1 qos=high", "| A@50:n0*3" },
};

TEST_ROWS(plan_rsv, owner_of_a_part, owned_in_part, row)
{
	struct world *w =
		rsv_make(OWNED, "2 procs=4", NULL, row->reservations, row->running, row->queue);
	char *plan = world_plan(w);

	EXPECT_TEXT(row->name, plan, row->plan);
	free(plan);
	rsv_drop();
}

/* Behind a job of higher priority that is blocked: three nodes, ann's is the first. */
#define HERS "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt"
#define FULL                                                                       \
	"r nodes=n0 procs=4 end=50 user=bob; s nodes=n1 procs=4 end=90 user=bob; " \
	"t nodes=n2 procs=4 end=90 user=bob"

static const struct {
	const char *name, *config, *reservations, *running, *queue, *plan;
} behind[] = {
	{ "the owner's job preempts behind a blocked job", "", HERS, FULL,
	  "X user=eve procs=8 qos=high; A user=ann procs=4 qos=mid",
	  "| X@90:n1*4+n2*4 A@0:n0*4 !r" },
	{ "another user's job does not preempt behind a blocked job", "", HERS, FULL,
	  "X user=eve procs=8 qos=high; A user=bob procs=4 qos=mid", "| X@90:n1*4+n2*4" },
	{ "not if it would delay the job reservation", "", HERS, FULL,
	  "X user=bob procs=4 nodes=1 need=n0 qos=high; A user=ann procs=4 qos=mid limit=51",
	  "| X@50:n0*4" },
	{ "if it ends before the job reservation", "", HERS, FULL,
	  "X user=bob procs=4 nodes=1 need=n0 qos=high; A user=ann procs=4 qos=mid limit=50",
	  "| X@50:n0*4 A@0:n0*4 !r" },
	{ "not if backfill can start it without preemption", "", HERS,
	  "r nodes=n0 procs=4 end=50 user=bob; s nodes=n1 procs=4 end=90 user=bob",
	  "X user=eve procs=8 qos=high; A user=ann procs=4 qos=mid", "A:n2*4 | X@90:n1*4+n2*4" },
	{ "idle nodes that it would hold too long do not count", "", HERS,
	  "r nodes=n0 procs=4 end=50 user=bob; s nodes=n1 procs=4 end=9 user=bob",
	  "X user=eve procs=8 qos=high; A user=ann procs=4 qos=mid limit=10",
	  "| X@9:n1*4+n2*4 A@0:n0*4 !r" },
	{ "not a job of higher priority", "QOSCFG[vip] PRIORITY=7\n", HERS,
	  "r nodes=n0 procs=4 end=50 user=bob qos=vip; s nodes=n1 procs=4 end=90; "
	  "t nodes=n2 procs=4 end=90",
	  "X user=eve procs=8 qos=high; A user=ann procs=4 qos=mid", "| X@90:n1*4+n2*4" },
	{ "each of two owner's jobs has its own victim", "",
	  "R hosts=n0,n1 users=ann,bob- owner=USER:ann ownerpreempt", FULL,
	  "X user=eve procs=4 qos=high; A user=ann procs=4 qos=mid; B user=ann procs=4 qos=mid;"
	  "C user=ann procs=4 qos=mid",
	  "| X@90:n2*4 A@0:n1*4 B@0:n0*4 !s !r" },
	{ "a preemptor preempts no job outside the reservation", "QOSCFG[mid] QFLAGS=PREEMPTOR\n",
	  HERS,
	  "r nodes=n0 procs=4 end=50 user=ann; s nodes=n1 procs=4 end=90 preemptee; "
	  "t nodes=n2 procs=4 end=90 preemptee",
	  "X user=eve procs=8 qos=high; A user=ann procs=4 qos=mid", "| X@90:n1*4+n2*4" },
	{ "a job with NOBF preempts no job", "QOSCFG[mid] QFLAGS=NOBF\n", HERS, FULL,
	  "X user=eve procs=8 qos=high; A user=ann procs=4 qos=mid", "| X@90:n1*4+n2*4" },
	{ "with BACKFILLPOLICY NONE no job preempts", "BACKFILLPOLICY NONE\n", HERS, FULL,
	  "X user=eve procs=8 qos=high; A user=ann procs=4 qos=mid", "" },
	{ "another user's job does not start where it would be preempted", "",
	  "R hosts=n0,n1 users=ann,bob- owner=USER:ann ownerpreempt",
	  "r nodes=n0 procs=4 end=50 user=bob; t nodes=n2 procs=4 end=90 user=bob",
	  "X user=eve procs=4 qos=high; A user=ann procs=8 qos=mid; B user=bob procs=4",
	  "| X@90:n2*4 A@0:n0*4+n1*4 !r" },
	{ "SUSPEND does not free memory", "PREEMPTPOLICY SUSPEND\n", HERS,
	  "r nodes=n0 procs=4 mem=900 end=50 user=bob; s nodes=n1 procs=4 end=90; "
	  "t nodes=n2 procs=4 end=90",
	  "X user=eve procs=8 qos=high; A user=ann procs=4 mem=101 nodes=1 qos=mid; "
	  "B user=ann procs=4 mem=100 nodes=1 qos=mid",
	  "| X@90:n1*4+n2*4 B@0:n0*4 !r" },
};

#define BEHIND "QOSWEIGHT 1\nQUEUETIMEWEIGHT 0\nQOSCFG[high] PRIORITY=9\nQOSCFG[mid] PRIORITY=5\n"

static struct world *make_behind(const char *lines, const char *reservations, const char *running,
				 const char *queue)
{
	char config[256];

	snprintf(config, sizeof(config), "%s%s", BEHIND, lines);
	return rsv_make(config, "3 procs=4", NULL, reservations, running, queue);
}

TEST_ROWS(plan_rsv, behind, behind, row)
{
	struct world *w = make_behind(row->config, row->reservations, row->running, row->queue);
	char *plan = world_plan(w);

	EXPECT_TEXT(row->name, plan, row->plan);
	free(plan);
	rsv_drop();
}

static void expect_plan(struct world *w, const char *what, const char *planned)
{
	char *plan = world_plan(w);

	EXPECT_TEXT(what, plan, planned);
	free(plan);
}

/* The victims leave late. The job that has a job reservation on the node for later gets it. */
static void take_time(int64_t limit, int64_t now, const char *planned)
{
	struct world *w;
	char queue[160];

	snprintf(queue, sizeof(queue),
		 "X user=bob procs=4 nodes=1 need=n0 qos=high; A user=ann procs=4 qos=mid limit=%d",
		 (int)limit);
	w = make_behind("", HERS, FULL, queue);
	expect_plan(w, "r has to go", "| X@50:n0*4 A@0:n0*4 !r");
	world_promise(w);
	w->snapshot->active[0].completing = true;
	w->snapshot->active[0].end_s = w->now = now;
	expect_plan(w, "it is on its way", planned);
	rsv_drop();
}

Test(plan_rsv, late_victims_do_not_delay_a_job_reservation)
{
	take_time(45, 4, "| X@50:n0*4 A@0:n0*4");
	take_time(45, 5, "| X@6:n0*4");
}

Test(plan_rsv, a_victim_that_has_left_is_replaced)
{
	struct world *w = make_behind("", HERS, FULL,
				      "X user=eve procs=8 qos=high; A user=ann procs=4 qos=mid; "
				      "B user=bob procs=4");

	expect_plan(w, "r has to go", "| X@90:n1*4+n2*4 A@0:n0*4 !r");
	world_promise(w);
	maui_snapshot_drop_active(w->snapshot, 0);
	w->now = 3;
	expect_plan(w, "it is gone", "A:n0*4 | X@90:n1*4+n2*4");
	cr_expect(w->decisions.starts[0].out_of_order, "past X");
	rsv_drop();
}

static const struct {
	const char *name, *nodes, *reservations, *running;
	int64_t reserved, used, idle; /* processors of the first reservation */
	int64_t second_used, second_idle;
} uses[] = {
	{ "no job is there", "2 procs=8", "R hosts=n0,n1 users=ann", NULL, 16, 0, 16, 0, 0 },
	{ "a job inside", "2 procs=8", "R hosts=n0,n1 users=ann", "r nodes=n0 procs=6 user=ann", 16,
	  6, 10, 0, 0 },
	{ "a job that ran before the reservation", "1 procs=8", "R hosts=n0 users=ann",
	  "r nodes=n0 procs=6 user=bob", 8, 0, 2, 0, 0 },
	{ "part of a node: one job inside, one on the rest", "1 procs=16",
	  "R hosts=n0 count=1 procs=9 users=ann",
	  "r nodes=n0 procs=4 user=ann; s nodes=n0 procs=8 user=bob", 9, 4, 4, 0, 0 },
	{ "the job inside is larger than the reservation", "1 procs=16",
	  "R hosts=n0 count=1 procs=9 users=ann", "r nodes=n0 procs=12 user=ann", 9, 9, 0, 0, 0 },
	{ "a suspended job uses nothing", "1 procs=8", "R hosts=n0 users=ann",
	  "r nodes=n0 procs=8 user=ann suspended", 8, 0, 8, 0, 0 },
	{ "a job suspended by gang scheduling uses nothing and keeps its processors", "1 procs=8",
	  "R hosts=n0 users=ann", "r nodes=n0 procs=6 user=ann suspended gang", 8, 0, 2, 0, 0 },
	{ "the reservation has not begun", "1 procs=8", "R hosts=n0 users=ann start=50", NULL, 0, 0,
	  0, 0, 0 },
	{ "side by side: a job counts in one of them", "1 procs=4",
	  "R hosts=n0 count=1 procs=2 users=ann; S hosts=n0 count=1 procs=2 users=ann",
	  "r nodes=n0 procs=2 user=ann", 2, 2, 0, 0, 0 },
	{ "side by side: each processor of a job counts once", "1 procs=8",
	  "R hosts=n0 count=1 procs=2 users=ann; S hosts=n0 count=1 procs=2 users=ann",
	  "r nodes=n0 procs=3 user=ann", 2, 2, 0, 1, 1 },
	{ "a job counts in the reservation of positive affinity", "1 procs=6",
	  "R hosts=n0 count=1 procs=2 users=ann-; S hosts=n0 count=1 procs=2 users=ann",
	  "r nodes=n0 procs=2 user=ann", 2, 0, 2, 2, 0 },
	{ "a job takes unreserved processors before those of negative affinity", "1 procs=4",
	  "R hosts=n0 count=1 procs=2 users=ann-", "r nodes=n0 procs=2 user=ann", 2, 0, 2, 0, 0 },
	{ "a job longer than TIMELIMIT is outside", "1 procs=8", "R hosts=n0 limit=60",
	  "r nodes=n0 procs=4 user=ann end=36000", 8, 0, 4, 0, 0 },
	{ "likewise, part of a node", "1 procs=8", "R hosts=n0 count=1 procs=4 limit=60",
	  "r nodes=n0 procs=4 user=ann end=36000", 4, 0, 4, 0, 0 },
	{ "a completing job that was longer than TIMELIMIT is outside", "1 procs=8",
	  "R hosts=n0 limit=60", "r nodes=n0 procs=4 user=ann end=36000 completing", 8, 0, 4, 0,
	  0 },
	{ "likewise, part of a node", "1 procs=8", "R hosts=n0 count=1 procs=4 limit=60",
	  "r nodes=n0 procs=4 user=ann end=36000 completing", 4, 0, 4, 0, 0 },
	{ "a job as long as TIMELIMIT is inside", "1 procs=8", "R hosts=n0 limit=60",
	  "r nodes=n0 procs=4 user=ann end=60", 8, 4, 4, 0, 0 },
	{ "stacked: an idle processor counts for the first reservation only", "1 procs=16",
	  "R hosts=n0 users=ann; S hosts=n0 users=bob", NULL, 16, 0, 16, 0, 0 },
	{ "stacked on one of two nodes", "2 procs=16",
	  "R hosts=n0 users=ann; S hosts=n0,n1 users=bob", NULL, 16, 0, 16, 0, 16 },
	{ "stacked on parts of a node, with another job on the rest", "1 procs=16",
	  "R hosts=n0 procs=8 users=ann; S hosts=n0 procs=8 users=bob",
	  "r nodes=n0 procs=8 user=eve", 16, 0, 8, 0, 0 },
	{ "TASKLIMIT counts tasks, not processors", "1 procs=8", "R hosts=n0 count=1 procs=4 few=2",
	  "r nodes=n0 procs=4 tasks=2 asked=4", 4, 4, 0, 0, 0 },
	{ "a job with more tasks than TASKLIMIT is outside", "1 procs=8",
	  "R hosts=n0 count=1 procs=4 few=2", "r nodes=n0 procs=4 tasks=3 asked=3", 4, 0, 4, 0, 0 },
	{ "PROCLIMIT counts requested processors, not those given", "1 procs=8 unit=2",
	  "R hosts=n0 count=1 procs=2 most=1", "r nodes=n0 procs=2 tasks=1 asked=1", 2, 2, 0, 0,
	  0 },
	{ "or whole nodes", "2 procs=8", "R hosts=n0,n1 most=4",
	  "r nodes=n0,n1 procs=8 tasks=2 asked=4", 16, 16, 0, 0, 0 },
	{ "a processor more than that", "1 procs=8", "R hosts=n0 most=3",
	  "r nodes=n0 procs=8 tasks=1 asked=4", 8, 0, 0, 0, 0 },
	{ "strangers have more than there is", "1 procs=4", "R hosts=n0 users=ann",
	  "r nodes=n0 procs=3 user=bob; s nodes=n0 procs=3 user=bob", 4, 0, 0, 0, 0 },
	{ "stacked: both are used", "1 procs=8", "R hosts=n0 users=ann,bob; S hosts=n0 users=bob",
	  "r nodes=n0 procs=6 user=bob", 8, 6, 2, 6, 0 },
};

TEST_ROWS(plan_rsv, use, uses, row)
{
	struct world *w = rsv_make("", row->nodes, NULL, row->reservations, row->running, NULL);
	const struct maui_rsv_instance *instance;

	free(world_plan(w));
	cr_assert(maui_plan_usage(w->planner) == 0, "memory");
	instance = &w->decisions.instances[0];
	cr_expect(instance->reserved_procs == row->reserved && instance->used_procs == row->used &&
			  instance->idle_procs == row->idle,
		  "%s: %d reserved, %d used, %d idle", row->name, (int)instance->reserved_procs,
		  (int)instance->used_procs, (int)instance->idle_procs);
	if (w->decisions.instance_count > 1)
		cr_expect(instance[1].used_procs == row->second_used &&
				  instance[1].idle_procs == row->second_idle,
			  "%s: of the second %d used, %d idle", row->name,
			  (int)instance[1].used_procs, (int)instance[1].idle_procs);
	rsv_drop();
}

/* What a plan starts, reserves or preempts: the use of R once the plan is carried out. */
static const struct {
	const char *name, *reservations, *running, *queue;
	bool carried_out; /* all that was to start has */
	int64_t used, idle;
} begun[] = {
	{ "a start", "R hosts=n0 users=ann", NULL, "A user=ann procs=3", true, 3, 1 },
	{ "a start that failed", "R hosts=n0 users=ann", NULL, "A user=ann procs=3", false, 0, 4 },
	{ "on a part of the node", "R hosts=n0 count=1 procs=2 users=ann", NULL,
	  "A user=ann procs=3", true, 2, 0 },
	{ "another user's job on the rest of the node", "R hosts=n0 count=1 procs=2 users=ann",
	  NULL, "A user=bob procs=2", true, 0, 2 },
	{ "by name", "R hosts=n0 users=ann byname", NULL, "A user=ann rsv=R procs=4", true, 4, 0 },
	{ "a job next to a running one", "R hosts=n0 users=ann", "r nodes=n0 procs=1 user=ann",
	  "A user=ann procs=2", true, 3, 1 },
	{ "a job with a job reservation uses nothing", "R hosts=n0 users=ann",
	  "r nodes=n0 procs=3 user=ann end=50", "A user=ann procs=4", true, 3, 1 },
	{ "DEDICATEDNODE: the whole node, however few tasks",
	  "R hosts=n0 count=1 procs=1 users=ann dedicated", NULL, "A user=ann procs=3", true, 3,
	  1 },
	{ "few tasks that are given more", "R hosts=n0 few=2", NULL, "A procs=2 whole", true, 4,
	  0 },
	{ "a processor of a whole node", "R hosts=n0 most=1", NULL, "A procs=1 whole", true, 4, 0 },
	{ "a victim still counts, its preemptor does not yet",
	  "R hosts=n0 users=ann,bob- owner=USER:ann ownerpreempt",
	  "r nodes=n0 procs=3 end=50 user=bob", "A user=ann procs=4 qos=high", true, 3, 1 },
};

/* Whether any job uses R, and S: IDLETIME and SINGLEUSE depend on it. */
static const struct {
	const char *name, *reservations, *running;
	bool in_use, second_in_use;
} taken[] = {
	{ "no job is there", "R hosts=n0 users=ann", NULL, false, false },
	{ "a job inside", "R hosts=n0 users=ann", "r nodes=n0 procs=1 user=ann", true, false },
	{ "a stranger", "R hosts=n0 users=ann", "r nodes=n0 procs=1 user=bob", false, false },
	{ "a suspended job", "R hosts=n0 users=ann",
	  "r nodes=n0 procs=1 mem=10 user=ann suspended never", false, false },
	{ "a suspended job that keeps its memory", "R hosts=n0 count=1 procs=0 mem=30 users=ann",
	  "r nodes=n0 procs=1 mem=10 user=ann suspended never", false, false },
	{ "memory alone", "R hosts=n0 count=1 procs=0 mem=30 users=ann",
	  "r nodes=n0 procs=1 mem=10 user=ann", true, false },
	{ "memory that a stranger has", "R hosts=n0 count=1 procs=0 mem=30 users=ann",
	  "r nodes=n0 procs=1 mem=10 user=bob", false, false },
	{ "none of the memory", "R hosts=n0 count=1 procs=0 mem=30 users=ann",
	  "r nodes=n0 procs=1 user=ann", false, false },
	{ "processors, and no memory", "R hosts=n0 count=1 procs=1 mem=30 users=ann",
	  "r nodes=n0 procs=1 user=ann", true, false },
	{ "the other one's",
	  "R hosts=n0 count=1 procs=0 mem=30 users=ann; "
	  "S hosts=n0 count=1 procs=0 mem=30 users=bob",
	  "r nodes=n0 procs=1 mem=10 user=bob", false, true },
	{ "side by side, and one is enough",
	  "R hosts=n0 count=1 procs=0 mem=30 users=ann; "
	  "S hosts=n0 count=1 procs=0 mem=30 users=ann",
	  "r nodes=n0 procs=1 mem=10 user=ann", true, false },
	{ "side by side, and both are wanted",
	  "R hosts=n0 count=1 procs=0 mem=30 users=ann; "
	  "S hosts=n0 count=1 procs=0 mem=30 users=ann",
	  "r nodes=n0 procs=1 mem=60 user=ann", true, true },
	{ "longer than a TIMELIMIT", "R hosts=n0 count=1 procs=0 mem=30 limit=60",
	  "r nodes=n0 procs=1 mem=10 user=ann end=36000", false, false },
};

TEST_ROWS(plan_rsv, in_use, taken, row)
{
	struct world *w =
		rsv_make("", "1 procs=4 mem=200", NULL, row->reservations, row->running, NULL);
	const struct maui_rsv_instance *list;

	free(world_plan(w));
	for (int i = 0; i < 2; i++) {
		cr_assert(maui_plan_usage(w->planner) == 0, "memory");
		list = w->decisions.instances;
		cr_expect(list[0].place_count == 1 && list[0].in_use == row->in_use, "%s: R",
			  row->name);
		cr_expect(w->decisions.instance_count == 1 || list[1].in_use == row->second_in_use,
			  "%s: S", row->name);
	}
	rsv_drop();
}

/* The jobs in a reservation with SINGLEUSE. */
static const struct {
	const char *name, *nodes, *reservations, *running, *queue, *users;
} inside[] = {
	{ "the job that runs there and the job just started", "1 procs=4",
	  "R hosts=n0 users=ann singleuse", "r nodes=n0 procs=1 user=ann", "A user=ann procs=2",
	  "r A" },
	{ "once, on however many nodes", "3 procs=4", "R hosts=n0,n1,n2 users=ann singleuse",
	  "r nodes=n0,n1 procs=1 user=ann; s nodes=n0,n1,n2 procs=1 user=ann", "A user=ann procs=4",
	  "r s A" },
	{ "a suspended job there", "1 procs=4", "R hosts=n0 users=ann singleuse",
	  "r nodes=n0 procs=4 user=ann suspended never; s nodes=n0 procs=1 user=ann", NULL, "r s" },
	{ "no user if the reservation is not in use", "1 procs=4", "R hosts=n0 users=ann singleuse",
	  "r nodes=n0 procs=4 user=ann suspended never", NULL, "" },
	{ "on a part of the node", "1 procs=4", "R hosts=n0 count=1 procs=2 users=ann singleuse",
	  "r nodes=n0 procs=1 user=ann; s nodes=n0 procs=1 user=bob", NULL, "r" },
	{ "in its memory", "1 procs=4 mem=60",
	  "R hosts=n0 count=1 procs=0 mem=30 users=ann singleuse",
	  "r nodes=n0 procs=1 mem=10 user=ann; s nodes=n0 procs=1 user=ann", NULL, "r" },
	{ "no job that is not admitted, and none on other nodes", "2 procs=4",
	  "R hosts=n0 users=ann singleuse",
	  "r nodes=n0 procs=1 user=bob; s nodes=n1 procs=1 user=ann; t nodes=n0 procs=1 user=ann",
	  NULL, "t" },
	{ "a job longer than TIMELIMIT is outside", "1 procs=8", "R hosts=n0 limit=60 singleuse",
	  "r nodes=n0 procs=4 user=ann end=36000", NULL, "" },
	{ "not computed without SINGLEUSE", "1 procs=4", "R hosts=n0 users=ann",
	  "r nodes=n0 procs=1 user=ann", NULL, "" },
};

static void execute(struct world *w)
{
	for (uint32_t i = 0; i < w->decisions.start_count; i++) {
		struct maui_active active = { .id = 100 + i, .start_s = w->now };

		cr_assert(maui_snapshot_launch(w->snapshot, &w->decisions.starts[i], &active) >= 0,
			  "memory");
	}
}

TEST_ROWS(plan_rsv, use_of_what_starts, begun, row)
{
	struct world *w =
		rsv_make(OWNED, "1 procs=4", NULL, row->reservations, row->running, row->queue);
	const struct maui_rsv_instance *instance;

	free(world_plan(w));
	if (row->carried_out)
		execute(w);
	cr_assert(maui_plan_usage(w->planner) == 0, "memory");
	instance = &w->decisions.instances[0];
	cr_expect(instance->used_procs == row->used && instance->idle_procs == row->idle,
		  "%s: %d used, %d idle", row->name, (int)instance->used_procs,
		  (int)instance->idle_procs);
	rsv_drop();
}

static void list_users(const struct world *w, char *text)
{
	const struct maui_rsv_instance *instance = &w->decisions.instances[0];

	*text = '\0';
	for (uint32_t i = 0; i < instance->user_count; i++) {
		uint64_t id = instance->users[i];

		strcat(strcat(text, i ? " " : ""), id < WORLD_MOST ? w->active_names[id] : "A");
	}
}

TEST_ROWS(plan_rsv, users, inside, row)
{
	struct world *w =
		rsv_make("", row->nodes, NULL, row->reservations, row->running, row->queue);
	char users[WORLD_MOST * 16];

	free(world_plan(w));
	execute(w);
	for (int i = 0; i < 2; i++) {
		cr_assert(maui_plan_usage(w->planner) == 0, "memory");
		list_users(w, users);
		EXPECT_TEXT(row->name, users, row->users);
	}
	rsv_drop();
}

/* A job waits for nodes that are free only behind the last reservation; at midnight the next
 * reservation misses them (Maui manual 7.1.5.2.6: raise DEPTH). */
static const struct {
	const char *name, *config;
	int depth;
	const char *first, *later, *text;
} midnights[] = {
	{ "the job was there first", "", 2, "| A@172800:n0*4", "| A@172800:n0*4",
	  "1 of 2 tasks missing: job 0 holds n2, waiting job 1 has reserved n0; raise DEPTH of "
	  "SRCFG[biz] to have nodes before jobs do" },
	{ "HIGHEST as well", "RESERVATIONPOLICY HIGHEST\n", 2, "| A@172800:n0*4", "| A@172800:n0*4",
	  "1 of 2 tasks missing: job 0 holds n2, waiting job 1 has reserved n0; raise DEPTH of "
	  "SRCFG[biz] to have nodes before jobs do" },
	{ "a reservation that reaches further", "", 3, "| A@216000:n3*4", "| A@216000:n3*4", NULL },
	{ "without promises", "RESERVATIONPOLICY NEVER\n", 2, "", "", NULL },
};

/* The last plan's instances are the next one's earlier ones. */
static void carry_instances(struct world *w)
{
	const struct maui_decisions *d = &w->decisions;
	struct maui_rsv_instance *before =
		maui_arena_alloc(&rsv_world.arena, (d->instance_count + 1) * sizeof(*before));

	cr_assert(before, "memory");
	for (uint32_t i = 0; i < d->instance_count; i++) {
		size_t size = d->instances[i].place_count * sizeof(struct maui_rsv_place);

		before[i] = d->instances[i];
		before[i].places = maui_arena_alloc(&rsv_world.arena, size + 1);
		cr_assert(before[i].places, "memory");
		memcpy(before[i].places, d->instances[i].places, size);
	}
	rsv_world.input.before = before;
	rsv_world.input.before_count = d->instance_count;
}

/* SPACEFLEX avoids nodes with jobs that the reservation does not admit. The QOS may admit a job. */
static const struct {
	const char *name, *reservation, *running;
	uint32_t node;
} guests[] = {
	{ "a guest", "R hosts=n0,n1 count=1 users=ann spaceflex", "r nodes=n0 procs=4 end=900", 1 },
	{ "longer than a TIMELIMIT", "R hosts=n0,n1 count=1 limit=30 spaceflex",
	  "r nodes=n0 procs=4 end=900", 1 },
	{ "IGNSRMAXTIME", "R hosts=n0,n1 count=1 limit=30 spaceflex",
	  "r nodes=n0 procs=4 end=900 qos=long", 0 },
	{ "a job that may be preempted", "R hosts=n0,n1 count=1 attr spaceflex",
	  "r nodes=n0 procs=4 end=900 qos=low", 0 },
	{ "a preemptor where such jobs are admitted",
	  "R hosts=n0,n1 count=1 users=ann preemptee spaceflex",
	  "r nodes=n0 procs=4 end=900 qos=now", 0 },
	{ "as many tasks as TASKLIMIT admits", "R hosts=n0,n1 count=1 few=2 spaceflex",
	  "r nodes=n0 procs=4 tasks=2 end=900", 0 },
	{ "more than that", "R hosts=n0,n1 count=1 few=2 spaceflex",
	  "r nodes=n0 procs=4 tasks=3 end=900", 1 },
	{ "as many processors as PROCLIMIT admits, on whole nodes",
	  "R hosts=n0,n1 count=1 most=1 spaceflex", "r nodes=n0 procs=4 asked=1 end=900", 0 },
	{ "a preemptor where they are not", "R hosts=n0,n1 count=1 users=ann spaceflex",
	  "r nodes=n0 procs=4 end=900 qos=now", 1 },
};

TEST_ROWS(plan_rsv, guest, guests, row)
{
	struct maui_rsv_place place = { .node = 0, .tasks = 1 };
	const struct maui_rsv_instance before = {
		.end_s = MAUI_NEVER, .places = &place, .place_count = 1, .wanted = 1, .made = true
	};
	struct world *w =
		rsv_make("QOSCFG[long] QFLAGS=IGNSRMAXTIME\nQOSCFG[low] QFLAGS=PREEMPTEE\n"
			 "QOSCFG[now] QFLAGS=PREEMPTOR\n",
			 "2 procs=4", NULL, row->reservation, row->running, NULL);

	rsv_world.input.before = &before;
	rsv_world.input.before_count = 1;
	free(world_plan(w));
	cr_expect(w->decisions.instances[0].place_count == 1 &&
			  w->decisions.instances[0].places[0].node == row->node,
		  "%s: n%u", row->name, w->decisions.instances[0].places[0].node);
	rsv_drop();
}

/* Why the last instance lacks nodes; NULL: it does not. */
static const char *last_instance(struct world *w)
{
	const struct maui_decisions *d = &w->decisions;
	struct maui_standing_input input = rsv_world.input;
	uint32_t last = d->instance_count - 1;

	input.job_rsvs = d->held_job_rsvs;
	input.job_rsv_count = d->held_job_rsv_count;
	return d->instances[last].missing == 0 ?
		       NULL :
		       maui_standing_explain(w->snapshot, &input, d->instances, d->instance_count,
					     last, w->now, 4, &rsv_world.arena);
}

TEST_ROWS(plan_rsv, midnight, midnights, row)
{
	char reservation[64], *first, *later;
	const char *text;
	struct world *w;

	setenv("TZ", "UTC", 1);
	tzset();
	snprintf(reservation, sizeof(reservation), "biz hosts=n0,n1,n2 count=2 depth=%d",
		 row->depth);
	w = rsv_make(row->config, "4 procs=4", NULL, reservation,
		     "a nodes=n2 procs=4 end=600000; b nodes=n3 procs=4 end=216000",
		     "A procs=4 limit=43200");
	first = world_plan(w);
	cr_expect(!last_instance(w), "%s: %s", row->name, last_instance(w));
	world_promise(w);
	carry_instances(w);
	w->now = 86400;
	later = world_plan(w);
	text = last_instance(w);
	cr_expect(strcmp(first, row->first) == 0 && strcmp(later, row->later) == 0,
		  "%s: '%s', then '%s'", row->name, first, later);
	cr_expect(row->text ? text && strcmp(text, row->text) == 0 : !text, "%s: '%s'", row->name,
		  text ? text : "");
	free(first);
	free(later);
	rsv_drop();
}
