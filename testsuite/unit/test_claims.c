/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_claims.c - what claims keep from which jobs; prop_claims checks every second of random
 * cases
 *
 * One node of 16 processors and 100 MB. As text:
 *   claims   "0 procs=8 start=10 end=20; 1 mem=50": index of the reservation; without procs and
 *            mem the whole node
 *   jobs     "0+ procs=4 from=0 until=10; - procs=2": access as below, or "-" for none
 *   access   "0+ 1- 2=30": reservation, affinity and TIMELIMIT; "only" behind: the job runs nowhere
 *            else, with "!" behind reservations that are not its own
 *
 * Rules: RSV-6, ACL-10.
 */

#include "plan_world.h"
#include "rows.h"

#include "model/acl.h"
#include "timeline/fit.h"

enum { MOST = 8 };

struct scene {
	struct world world;
	struct maui_timeline t;
	struct maui_claim claims[MOST];
	int64_t amounts[MOST][WORLD_AMOUNTS];
	struct maui_access entries[MOST][MOST];
	struct maui_access_table tables[MOST];
	uint32_t claim_count, table_count;
	int sign; /* of jobs: 1 start, -1 are removed */
};

static struct scene scene;

static const struct maui_access_table *read_access(const char *text)
{
	struct maui_access_table *table = &scene.tables[scene.table_count];
	struct maui_access *list = scene.entries[scene.table_count];

	if (!text || *text == '-' || *text == '\0')
		return NULL;
	scene.table_count = (scene.table_count + 1) % MOST;
	*table = (struct maui_access_table){ .list = list, .only = strstr(text, "only") };
	for (; *text >= '0' && *text <= '9'; text += strspn(text, " ")) {
		struct maui_access *entry = &list[table->count++];
		char *end;

		entry->rsv = (uint32_t)strtoul(text, &end, 10);
		entry->affinity = *end == '+' ? MAUI_AFFINITY_POSITIVE :
				  *end == '-' ? MAUI_AFFINITY_NEGATIVE :
						MAUI_AFFINITY_NEUTRAL;
		text = end + 1;
		entry->overlap_s =
			*text >= '0' && *text <= '9' ? strtol(text, &end, 10) : MAUI_NEVER;
		text += strspn(text, "0123456789");
		entry->own = *text != '!';
		text += *text == '!';
	}
	return table;
}

static void add_claim(struct world *w, const char *part)
{
	static const uint32_t node = 0;
	uint32_t c = scene.claim_count++;

	(void)w;
	scene.amounts[c][MAUI_AMOUNT_PROCS] = world_number(part, "procs", 0);
	scene.amounts[c][MAUI_AMOUNT_MEM] = world_number(part, "mem", 0);
	scene.claims[c] = (struct maui_claim){
		.id = c,
		.rsv = (uint32_t)atoi(part),
		.nodes = &node,
		.node_count = 1,
		.start_s = world_number(part, "start", 0),
		.end_s = world_number(part, "end", MAUI_NEVER),
		.amounts = world_get(part, "procs") || world_get(part, "mem") ? scene.amounts[c] :
										NULL,
	};
	cr_assert(maui_timeline_add_claims(&scene.t, &scene.claims[c], 1) == 0, "memory");
}

static void move_job(struct world *w, const char *part)
{
	const int64_t amounts[WORLD_AMOUNTS] = { world_number(part, "procs", 0),
						 world_number(part, "mem", 0) };
	const struct maui_span span = { world_number(part, "from", 0),
					world_number(part, "until", MAUI_NEVER) };
	const struct maui_requester who = { NULL, read_access(part) };

	(void)w;
	cr_assert((scene.sign > 0 ?
			   maui_timeline_take_inside(&scene.t, 0, span, amounts, 0, &who) :
			   maui_timeline_give_inside(&scene.t, 0, span, amounts, 0, &who)) == 0,
		  "memory");
}

static void make_scene(const char *claims, const char *jobs)
{
	scene = (struct scene){ .sign = 1 };
	world_make(&scene.world, "", "1 procs=16 mem=100", NULL, NULL, NULL, 0);
	cr_assert(maui_timeline_build(&scene.t, scene.world.snapshot, 0, false) == 0, "memory");
	world_each(&scene.world, claims, add_claim);
	world_each(&scene.world, jobs, move_job);
}

static void drop_scene(void)
{
	maui_timeline_finish(&scene.t);
	world_finish(&scene.world);
}

static int64_t procs_for(const char *access, int64_t from, int64_t until)
{
	const struct maui_requester who = { NULL, read_access(access) };

	return maui_timeline_procs(&scene.t, 0, from, until, &who);
}

static const struct {
	const char *name, *claims, *jobs, *access;
	int64_t from, until, procs;
} rows[] = {
	{ "a job without access gets nothing", "0", "", "", 0, 1, 0 },
	{ "an admitted job gets the whole node", "0", "", "0+", 0, 1, 16 },
	{ "access to another reservation does not help", "0", "", "1+", 0, 1, 0 },
	{ "a span before the claim gets the node", "0 start=10", "", "", 0, 10, 16 },
	{ "a span that meets the claim gets nothing", "0 start=10", "", "", 0, 11, 0 },
	{ "a span after the claim gets the node", "0 end=10", "", "", 10, 20, 16 },

	{ "8 and 8 of 16: admitted to one", "0 procs=8; 1 procs=8", "", "0+", 0, 1, 8 },
	{ "8 and 8 of 16: admitted to both", "0 procs=8; 1 procs=8", "", "0+ 1+", 0, 1, 16 },
	{ "8 and 8 of 16: admitted to neither", "0 procs=8; 1 procs=8", "", "", 0, 1, 0 },
	{ "4 and 10 of 16: a job without access gets the other 2", "0 procs=4; 1 procs=10", "", "",
	  0, 1, 2 },
	{ "4 and 10 of 16: an admitted job gets its 4 and the other 2", "0 procs=4; 1 procs=10", "",
	  "0+", 0, 1, 6 },

	{ "stacked: access to one of two is not enough", "0; 1", "", "0+", 0, 1, 0 },
	{ "stacked: access to both is enough", "0; 1", "", "0+ 1-", 0, 1, 16 },
	{ "stacked later: a span into the second claim needs access to it", "0; 1 start=10", "",
	  "0+", 0, 11, 0 },
	{ "stacked later: a span up to the second claim does not", "0; 1 start=10", "", "0+", 0, 10,
	  16 },
	{ "10 and 10 of 16: admitted to one", "0 procs=10; 1 procs=10", "", "0+", 0, 1, 6 },
	{ "10 and 10 of 16: a job takes the common processors first", "0 procs=10; 1 procs=10",
	  "0+ 1+ procs=4", "0+", 0, 1, 6 },
	{ "10 and 10 of 16: then processors of one claim", "0 procs=10; 1 procs=10",
	  "0+ 1= procs=10", "1+", 0, 1, 6 },

	{ "8, 8 and 7 of 16: a job takes what all three have in common first",
	  "0 procs=8; 1 procs=8; 2 procs=7", "0+ 1+ 2+ procs=4", "0+", 0, 1, 5 },
	{ "a job inside uses up what the claim keeps", "0 procs=8", "0+ procs=6", "", 0, 1, 8 },
	{ "the claim keeps the rest for admitted jobs", "0 procs=8", "0+ procs=6", "0+", 0, 1, 10 },
	{ "a job without access lessens what is free", "0 procs=8", "- procs=6", "", 0, 1, 2 },
	{ "a job that was there before the claim keeps its processors", "0 procs=8", "- procs=12",
	  "", 0, 1, 0 },
	{ "a job inside takes more than the claim has", "0 procs=8", "0+ procs=12", "", 0, 1, 4 },
	{ "neutral: the job takes from the claim first, too", "0 procs=8", "0= procs=6", "", 0, 1,
	  8 },
	{ "negative: the job takes unreserved processors first", "0 procs=8", "0- procs=6", "", 0,
	  1, 2 },
	{ "negative: then processors of the claim", "0 procs=8", "0- procs=10", "", 0, 1, 0 },
	{ "negative: the claim keeps the rest", "0 procs=8", "0- procs=10", "0+", 0, 1, 6 },
	{ "the job takes from the positive claim first", "0 procs=8; 1 procs=8", "0= 1+ procs=6",
	  "1+", 0, 1, 2 },
	{ "the neutral claim keeps all", "0 procs=8; 1 procs=8", "0= 1+ procs=6", "0+", 0, 1, 8 },
	{ "the job with fewer admissions goes first", "0 procs=8; 1 procs=8",
	  "0+ 1+ procs=8; 0+ procs=8", "1+", 0, 1, 0 },
	{ "a job inside at another time uses nothing now", "0 procs=8",
	  "0+ procs=8 from=10 until=20", "", 0, 10, 8 },
	{ "a job inside never uses more than the claim keeps", "0 procs=4", "0+ procs=16", "0+", 0,
	  1, 0 },

	{ "a claim of memory keeps no processors", "0 mem=60", "", "", 0, 1, 16 },

	{ "TIMELIMIT: a span of the limit is admitted", "0 start=0 end=100", "", "0+30", 10, 40,
	  16 },
	{ "TIMELIMIT: a longer span is not", "0 start=0 end=100", "", "0+30", 10, 41, 0 },
	{ "TIMELIMIT: a span over the claim's begin counts from there", "0 start=50 end=150", "",
	  "0+30", 20, 80, 16 },
	{ "TIMELIMIT: a span too far over the begin", "0 start=50 end=150", "", "0+30", 20, 81, 0 },
	{ "TIMELIMIT: a span over the claim's end counts up to there", "0 start=0 end=100", "",
	  "0+30", 70, 500, 16 },
	{ "TIMELIMIT: a span that begins too early before the end", "0 start=0 end=100", "", "0+30",
	  69, 500, 0 },
	{ "TIMELIMIT: a limit longer than the reservation admits any span", "0 start=50 end=80", "",
	  "0+30", 0, 500, 16 },
	{ "TIMELIMIT: a span that overlaps by just the limit", "0 start=50 end=100", "", "0+30", 20,
	  80, 16 },
	{ "TIMELIMIT: a span inside that is too long", "0 start=50 end=100", "", "0+30", 60, 91,
	  0 },
	{ "TIMELIMIT: a span over both ends", "0 start=50 end=100", "", "0+30", 40, 110, 0 },
	{ "TIMELIMIT: a claim of processors leaves the others", "0 procs=8 start=0 end=100", "",
	  "0+30", 10, 41, 8 },
	{ "TIMELIMIT: adjoining claims count one by one", "0 start=0 end=50; 0 start=50 end=100",
	  "", "0+30", 20, 80, 16 },
	{ "TIMELIMIT: a job that is too long is not inside", "0 procs=8 start=0 end=100",
	  "0+30 procs=8 from=0 until=31", "", 0, 1, 0 },
	{ "TIMELIMIT: a job within the limit is inside", "0 procs=8 start=0 end=100",
	  "0+30 procs=8 from=0 until=30", "", 0, 1, 8 },
	{ "TIMELIMIT: time before now counts", "0 procs=8 start=-50 end=100",
	  "0+30 procs=8 from=-10 until=25", "", 0, 1, 0 },

	{ "only: nothing without a reservation", "", "", "0+ only", 0, 1, 0 },
	{ "only: the whole node inside the claim", "0 end=10", "", "0+ only", 0, 10, 16 },
	{ "only: nothing beyond the claim", "0 end=10", "", "0+ only", 0, 11, 0 },
	{ "only: a span over adjoining claims", "0 end=10; 0 start=10 end=20", "", "0+ only", 0, 20,
	  16 },
	{ "only: a gap between claims closes the span", "0 end=10; 0 start=11 end=20", "",
	  "0+ only", 0, 20, 0 },
	{ "only: the reserved processors", "0 procs=8", "", "0+ only", 0, 1, 8 },
	{ "only: what other jobs inside leave", "0 procs=8", "0+ procs=6", "0+ only", 0, 1, 2 },
	{ "only: what jobs without access leave", "0 procs=8", "- procs=12", "0+ only", 0, 1, 4 },
	{ "only: a stacked claim that admits the job", "0; 1", "", "0+ 1+! only", 0, 1, 16 },
	{ "only: a stacked claim that does not", "0; 1", "", "0+ only", 0, 1, 0 },
	{ "only: another reservation is not the job's own", "1", "", "0+ 1+! only", 0, 1, 0 },
	{ "only: a stacked claim whose TIMELIMIT is too short", "0; 1", "", "0+ 1+5! only", 0, 6,
	  0 },
	{ "only: a stacked claim whose TIMELIMIT is long enough", "0; 1", "", "0+ 1+5! only", 0, 5,
	  16 },
	{ "only: nothing of another claim on the node", "0 procs=8; 1 procs=8", "", "0+ 1+! only",
	  0, 1, 8 },
	{ "only: stacked claims of processors", "0 procs=8; 1 procs=12", "", "0+ 1+! only", 0, 1,
	  8 },
	{ "only: a job takes from its own reservation first", "0 procs=8; 1 procs=8",
	  "0= 1+! procs=6 only", "1+", 0, 1, 8 },
	{ "only: a used-up own reservation leaves the rest only", "0 procs=8; 1 procs=8",
	  "0= 1+! procs=6 only", "0+ 1+! only", 0, 1, 2 },
	{ "only: the other claim is this job's own", "0 procs=8; 1 procs=8", "", "1+ only", 0, 1,
	  8 },
	{ "only: amounts that its own does not reserve are free", "0 mem=60", "", "0+ only", 0, 1,
	  16 },
};

TEST_ROWS(claims, give, rows, row)
{
	int64_t procs;

	make_scene(row->claims, row->jobs);
	procs = procs_for(row->access, row->from, row->until);
	cr_expect(procs == row->procs, "%s: %d, not %d", row->name, (int)procs, (int)row->procs);
	drop_scene();
}

/* What requesters of all kinds get at many times, before and after jobs started and were
 * removed. */
static void ask_all(struct maui_strbuf *out)
{
	static const char *const who[] = { "",     "0+",   "0-",      "1=",     "0+ 1+",
					   "0+10", "1+20", "0+ only", "1+ only" };

	for (size_t i = 0; i < sizeof(who) / sizeof(who[0]); i++)
		for (int64_t from = 0; from < 60; from += 5)
			maui_strbuf_addf(out, " %d", (int)procs_for(who[i], from, from + 17));
}

TEST_ROWS(claims, give_back, rows, row)
{
	struct maui_strbuf before = { 0 }, after = { 0 };

	make_scene(row->claims, "");
	ask_all(&before);
	for (int turn = 0; turn < 2; turn++) {
		scene.sign = 1;
		world_each(&scene.world, row->jobs, move_job);
		world_each(&scene.world, "0+ procs=2; 1- procs=1 from=5 until=40", move_job);
		scene.sign = -1;
		world_each(&scene.world, row->jobs, move_job);
		world_each(&scene.world, "1- procs=1 from=5 until=40; 0+ procs=2", move_job);
	}
	ask_all(&after);
	cr_expect(strcmp(before.text, after.text) == 0, "%s:%s, was%s", row->name, after.text,
		  before.text);
	maui_strbuf_finish(&before);
	maui_strbuf_finish(&after);
	drop_scene();
}

/* The first moment from `from` on at which so many processors are free for `length`: as one task
 * (a fixed shape), and as single tasks (a shape that may be spread). */
static const struct {
	const char *name, *claims, *jobs, *access;
	int64_t procs, from, length, when;
} earliest[] = {
	{ "the job fits after the claim", "0 start=0 end=100", "", "", 4, 0, 10, 100 },
	{ "the job fits before the claim", "0 start=50 end=100", "", "", 4, 0, 50, 0 },
	{ "the job is too long to fit before the claim", "0 start=50 end=100", "", "", 4, 0, 51,
	  100 },
	{ "unclaimed processors are free at once", "0 procs=8 start=50 end=100", "", "", 8, 0, 200,
	  0 },
	{ "an admitted job fits at once", "0 start=50 end=100", "", "0+", 16, 0, 200, 0 },
	{ "TIMELIMIT: the job reaches into the claim by the limit", "0 start=50 end=150", "",
	  "0+30", 4, 0, 80, 0 },
	{ "TIMELIMIT: a longer job waits until it overlaps little with the end",
	  "0 start=50 end=150", "", "0+30", 4, 0, 81, 120 },
	{ "TIMELIMIT: a begin inside the claim waits for the same moment", "0 start=50 end=150", "",
	  "0+30", 4, 60, 31, 120 },
	{ "TIMELIMIT: a claim between one and two limits long", "0 start=50 end=100", "", "0+30", 4,
	  10, 71, 70 },
	{ "TIMELIMIT: two claims block one after the other",
	  "0 start=50 end=150; 0 start=160 end=260", "", "0+30", 4, 0, 81, 230 },
	{ "TIMELIMIT: a job that ends in the gap fits at once",
	  "0 start=50 end=150; 0 start=160 end=260", "", "0+30", 4, 0, 70, 0 },
	{ "TIMELIMIT: the job overlaps with both claims a little",
	  "0 start=50 end=150; 0 start=160 end=260", "", "0+30", 4, 60, 70, 120 },
	{ "TIMELIMIT: unclaimed processors are free after a job's end", "0 procs=8 start=0 end=100",
	  "- procs=8 until=20", "0+30", 8, 0, 31, 20 },
	{ "TIMELIMIT: unclaimed processors are free at once", "0 procs=8 start=0 end=100", "",
	  "0+30", 8, 0, 31, 0 },
	{ "TIMELIMIT: the later of two stacked claims decides", "0 end=100; 1 end=120", "",
	  "0+30 1+30", 4, 0, 31, 90 },
	{ "only: the job waits for its reservation", "0 start=50 end=100", "", "0+ only", 4, 0, 50,
	  50 },
	{ "only: a job longer than its reservation never fits", "0 start=50 end=100", "", "0+ only",
	  4, 0, 51, -1 },
};

static enum maui_fit_answer accept(void *data, int64_t start_s, const struct maui_fit_run *runs,
				   size_t count)
{
	(void)data, (void)start_s, (void)runs, (void)count;
	return MAUI_FIT_CHOSEN;
}

TEST_ROWS(claims, earliest, earliest, row)
{
	const struct maui_shape_rules rules = { 0 };

	make_scene(row->claims, row->jobs);
	for (int spread = 0; spread < 2; spread++) {
		const struct maui_request request = {
			.nodes_min = 1,
			.nodes_max = 1,
			.tasks = (uint64_t)(spread ? row->procs : 1),
			.procs_per_task = (uint32_t)(spread ? 1 : row->procs),
		};
		int64_t when, want = row->when < 0 ? MAUI_NEVER : row->when;
		struct maui_shape shape;

		maui_shape_make(scene.world.snapshot,
				(uint32_t)maui_snapshot_request(scene.world.snapshot, &request), 0,
				0, &rules, NULL, &scene.t.arena, &shape);
		if (spread)
			shape.fixed = false;
		shape.access = read_access(row->access);
		when = maui_fit_earliest(&scene.t, &shape, row->from, row->length, accept, NULL);
		cr_expect(when == want, "%s%s: at %ld, not %ld", row->name,
			  spread ? ", spread" : "", (long)when, (long)want);
	}
	drop_scene();
}

/* Steps and nodes with equal sets share one set. */
Test(claims, sets_are_shared)
{
	make_scene("0 procs=8 end=10; 1 procs=8 start=5 end=20", "");
	cr_expect(scene.t.claim_set_count == 3, "%zu sets", scene.t.claim_set_count);
	for (int i = 0; i < 100; i++) {
		scene.sign = 1;
		world_each(&scene.world, "0+ procs=2", move_job);
		scene.sign = -1;
		world_each(&scene.world, "0+ procs=2", move_job);
	}
	cr_expect(scene.t.claim_set_count == 5, "%zu sets", scene.t.claim_set_count);
	drop_scene();
}
