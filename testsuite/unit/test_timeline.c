/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_timeline.c - steps, shapes, windows; prop_fit checks every second of random cases
 *
 * Rules: BF-4.
 */

#include "limit_memory.h"
#include "plan_world.h"
#include "rows.h"

#include "timeline/fit.h"
#include "timeline/shape.h"
#include "timeline/window.h"

/* Lines lie one behind the other as they were laid out: none had to move to grow. */
static bool none_moved(const struct maui_timeline *t)
{
	for (uint32_t n = 1; n < t->node_count; n++)
		if (t->lines[n].steps !=
		    t->lines[n - 1].steps + t->lines[n - 1].alloc * t->step_size)
			return false;
	return true;
}

/* "0:4 10:2": the free processors of n0's steps. */
static char *steps_of(const struct maui_timeline *t)
{
	struct maui_strbuf out = { 0 };

	for (uint32_t i = 0; i < t->lines[0].count; i++) {
		const struct maui_step *step = maui_line_step(t, &t->lines[0], i);

		maui_strbuf_addf(&out, "%s%d:%d%s", i ? " " : "", (int)step->at, (int)step->free[0],
				 step->claims ? "c" : "");
	}
	return maui_strbuf_steal(&out);
}

static const struct {
	const char *name, *nodes, *claims, *running, *steps;
} builds[] = {
	{ "idle", "1 procs=4", NULL, NULL, "0:4" },
	{ "one job ends", "1 procs=4", NULL, "a nodes=n0 procs=3 end=10", "0:1 10:4" },
	{ "jobs in any order, two with equal ends", "1 procs=8", NULL,
	  "a nodes=n0 procs=1 end=20; b nodes=n0 procs=2 end=10; c nodes=n0 procs=3 end=20",
	  "0:2 10:4 20:8" },
	{ "a job over its limit ends in the next second", "1 procs=4", NULL,
	  "a nodes=n0 procs=3 end=-7", "0:1 1:4" },
	{ "a job without an end", "1 procs=4", NULL, "a nodes=n0 procs=3", "0:1" },
	{ "a node whose jobs hold more than it has", "1 procs=2", NULL,
	  "a nodes=n0 procs=2 end=5; b nodes=n0 procs=2 end=9", "0:-2 5:0 9:2" },
	{ "down", "1 procs=4 down", NULL, NULL, "0:0" },
	{ "a node that comes back", "1 procs=4 from=30", NULL, NULL, "0:0 30:4" },
	{ "claimed", "1 procs=4", "R nodes=n0 start=5 end=9", NULL, "0:4 5:4c 9:4" },
	{ "overlapping claims", "1 procs=4", "R nodes=n0 start=5 end=9; S nodes=n0 start=7 end=12",
	  NULL, "0:4 5:4c 7:4c 9:4c 12:4" },
	{ "an ended claim is left out", "1 procs=4", "R nodes=n0 start=-5 end=0", NULL, "0:4" },
};

TEST_ROWS(timeline, build, builds, row)
{
	struct maui_timeline t = { 0 };
	struct world w;
	char *steps;

	world_make(&w, "", row->nodes, row->claims, row->running, NULL, 0);
	cr_assert(maui_timeline_build(&t, w.snapshot, 0, false) == 0, "%s: memory", row->name);
	steps = steps_of(&t);
	EXPECT_TEXT(row->name, steps, row->steps);
	free(steps);
	maui_timeline_finish(&t);
	world_finish(&w);
}

/* Active jobs never make a line longer than its memory, and one more job does not either. */
Test(timeline, room_for_what_runs)
{
	const int64_t one[WORLD_AMOUNTS] = { 1 };
	struct maui_timeline t = { 0 };
	struct world w;

	world_make(&w, "", "3 procs=20", NULL,
		   "a nodes=n0,n1 procs=1 end=9; b nodes=n0,n2 procs=1 end=8; "
		   "c nodes=n0 procs=1 end=7; d nodes=n0 procs=1 end=6; e nodes=n0 procs=1 end=5; "
		   "f nodes=n0 procs=1 end=4; g nodes=n1 procs=1; h nodes=n0 procs=1 end=8 sole",
		   NULL, 0);
	cr_assert(maui_timeline_build(&t, w.snapshot, 0, true) == 0, "memory");
	cr_expect(t.lines[0].count == 7 && t.lines[1].count == 2 && t.lines[2].count == 2);
	cr_expect(none_moved(&t), "while it was laid out");
	for (uint32_t n = 0; n < t.node_count; n++)
		cr_assert(maui_timeline_take(&t, n, 1, 3, one, 0) == 0, "memory");
	cr_expect(none_moved(&t), "for a job");
	maui_timeline_finish(&t);
	world_finish(&w);
}

/* "0-1 2 3-5": the runs of equal nodes. */
static char *runs_of(const struct maui_timeline *t)
{
	struct maui_strbuf out = { 0 };

	for (uint32_t n = 0, end; n < t->node_count; n = end) {
		end = maui_timeline_run_end(t, n);
		maui_strbuf_addf(&out, end == n + 1 ? "%s%u" : "%s%u-%u", n > 0 ? " " : "", n,
				 end - 1);
	}
	return maui_strbuf_steal(&out);
}

static const struct {
	const char *name, *nodes, *claims, *running;
	const char *taken; /* nodes of which a processor is taken, one after the other */
	const char *runs;
} runs[] = {
	{ "idle", "6 procs=4", NULL, NULL, "", "0-5" },
	{ "nodes of two kinds", "3 procs=4; 2 procs=8", NULL, NULL, "", "0-2 3-4" },
	{ "nodes of one job, and of two that end together", "6 procs=4", NULL,
	  "a nodes=n0,n1 procs=2 end=9; b nodes=n3 procs=2 end=7; c nodes=n4 procs=2 end=7", "",
	  "0-1 2 3-4 5" },
	{ "nodes of a reservation", "6 procs=4", "R nodes=n1,n2 start=5 end=9", NULL, "",
	  "0 1-2 3-5" },
	{ "one node is taken", "6 procs=4", NULL, NULL, "2", "0-1 2 3-5" },
	{ "the first node is taken", "6 procs=4", NULL, NULL, "0", "0 1-5" },
	{ "the last node is taken", "6 procs=4", NULL, NULL, "5", "0-4 5" },
	{ "neighbours are taken, upwards", "6 procs=4", NULL, NULL, "234", "0-1 2-4 5" },
	{ "neighbours are taken, downwards", "6 procs=4", NULL, NULL, "432", "0-1 2-4 5" },
	{ "a node of a run is taken twice", "6 procs=4", NULL, NULL, "2343", "0-1 2 3 4 5" },
	{ "the others are, too", "6 procs=4", NULL, NULL, "234324", "0-1 2-4 5" },
	{ "more nodes than bits of a word", "200 procs=4", NULL, NULL, "9", "0-8 9 10-199" },
};

TEST_ROWS(timeline, runs, runs, row)
{
	const int64_t one[WORLD_AMOUNTS] = { 1 };
	struct maui_timeline t = { 0 };
	struct maui_line *frozen;
	char *before, *after;
	struct world w;

	world_make(&w, "", row->nodes, row->claims, row->running, NULL, 0);
	cr_assert(maui_timeline_build(&t, w.snapshot, 0, false) == 0, "%s: memory", row->name);
	before = runs_of(&t);
	frozen = maui_timeline_freeze(&t);
	for (const char *node = row->taken; *node; node++)
		maui_timeline_take(&t, (uint32_t)(*node - '0'), 1, 3, one, 0);
	after = runs_of(&t);
	EXPECT_TEXT(row->name, after, row->runs);
	free(after);
	cr_assert(frozen && maui_timeline_restore(&t, frozen) == 0, "%s: memory", row->name);
	after = runs_of(&t);
	EXPECT_TEXT(row->name, after, before);
	free(after);
	free(before);
	maui_timeline_finish(&t);
	world_finish(&w);
}

static const struct {
	const char *name;
	int64_t from, until, procs;
	const char *steps;
} spans[] = {
	{ "a span in the middle", 10, 20, 1, "0:4 10:3 20:4" },
	{ "a span from now on", 0, 20, 4, "0:0 20:4" },
	{ "the past part of a span is ignored", -10, 20, 1, "0:3 20:4" },
	{ "a span in the past", -10, 0, 1, "0:4" },
	{ "a span without an end", 10, MAUI_NEVER, 2, "0:4 10:2" },
	{ "an empty span", 10, 10, 2, "0:4" },
};

TEST_ROWS(timeline, take, spans, row)
{
	const int64_t amounts[WORLD_AMOUNTS] = { row->procs };
	struct maui_timeline t = { 0 };
	struct world w;
	char *steps;

	world_make(&w, "", "1 procs=4", NULL, NULL, NULL, 0);
	maui_timeline_build(&t, w.snapshot, 0, false);
	maui_timeline_take(&t, 0, row->from, row->until, amounts, 0);
	steps = steps_of(&t);
	EXPECT_TEXT(row->name, steps, row->steps);
	free(steps);
	maui_timeline_give(&t, 0, row->from, row->until, amounts, 0);
	cr_expect(maui_timeline_procs(&t, 0, 0, MAUI_NEVER, NULL) == 4, "%s: given back",
		  row->name);
	maui_timeline_finish(&t);
	world_finish(&w);
}

/* Jobs of users 1 and 2 come to a node and go. */
static const struct {
	const char *name;
	uint32_t come[3], go[2];
	uint32_t who;
} users[] = {
	{ "one user", { 1 }, { 0 }, 1 },
	{ "one user twice", { 1, 1 }, { 0 }, 1 },
	{ "two users", { 1, 2 }, { 0 }, MAUI_USER_SEVERAL },
	{ "one of them has gone", { 1, 2 }, { 2 }, 1 },
	{ "one of two jobs has gone", { 1, 1, 2 }, { 1 }, MAUI_USER_SEVERAL },
	{ "both jobs have gone", { 1, 1, 2 }, { 1, 1 }, 2 },
	{ "nobody is left", { 1 }, { 1 }, 0 },
	{ "a job alone among others",
	  { 1, 2 | MAUI_USER_SOLE },
	  { 0 },
	  MAUI_USER_SEVERAL | MAUI_USER_SOLE },
	{ "it has gone", { 1, 2 | MAUI_USER_SOLE }, { 2 | MAUI_USER_SOLE }, 1 },
	{ "one of its user is left", { 2, 2 | MAUI_USER_SOLE }, { 2 | MAUI_USER_SOLE }, 2 },
};

TEST_ROWS(timeline, users, users, row)
{
	const int64_t none[WORLD_AMOUNTS] = { 0 };
	struct maui_timeline t = { 0 };
	struct world w;
	uint32_t who;

	world_make(&w, "", "1 procs=4", NULL, NULL, NULL, 0);
	maui_timeline_build(&t, w.snapshot, 0, true);
	for (int i = 0; i < 3 && row->come[i]; i++)
		maui_timeline_take(&t, 0, 0, 9, none, row->come[i]);
	for (int i = 0; i < 2 && row->go[i]; i++)
		maui_timeline_give(&t, 0, 0, 9, none, row->go[i]);
	who = maui_line_step(&t, &t.lines[0], 0)->who;
	cr_expect(who == row->who, "%s: %x", row->name, who);
	who = maui_line_step(&t, &t.lines[0], 1)->who;
	cr_expect(who == 0, "%s: later %x", row->name, who);
	maui_timeline_finish(&t);
	world_finish(&w);
}

/* `jobs` jobs of one processor on each node, of 40 users, with other ends on each node. */
static void run_jobs(struct world *w, uint32_t jobs)
{
	const int64_t one[WORLD_AMOUNTS] = { 1 };
	uint32_t creds[40], nodes = w->snapshot->node_count;
	char user[16];

	for (uint32_t i = 0; i < 40; i++) {
		snprintf(user, sizeof(user), "user=u%u", i);
		creds[i] = world_creds(w, user, 0);
	}
	for (uint32_t i = 0; i < jobs * nodes; i++) {
		const struct maui_piece piece = { .node = i % nodes, .amounts = one };
		const struct maui_active active = { .id = i + 1,
						    .creds = creds[(i * 7 + i / nodes) % 40],
						    .end_s = 1 + i * 7919 % 100003,
						    .pieces = &piece,
						    .piece_count = 1,
						    .sole_user = i == 0 };

		cr_assert(maui_snapshot_add_active(w->snapshot, &active) >= 0, "memory");
	}
}

/* Which users are on the nodes costs memory that is linear in the jobs: any user can make it
 * matter. */
Test(timeline, users_of_many_jobs_need_little_memory)
{
	enum { PER_JOB = 80 }; /* bytes, also for sorting the jobs */
	struct maui_timeline t = { 0 };
	uint32_t jobs;
	struct world w;

	world_make(&w, "", "100 procs=128", NULL, NULL, NULL, 0);
	run_jobs(&w, 128);
	jobs = w.snapshot->active_count;
	cr_assert(maui_timeline_build(&t, w.snapshot, 0, false) == 0, "without users");
	limit_memory(PER_JOB * jobs + 1024 * 1024); /* a block of the arena */
	cr_expect(maui_timeline_build(&t, w.snapshot, 0, true) == 0, "with users");
	maui_timeline_finish(&t);
	world_finish(&w);
}

/* How many tasks a node of 8 processors (cores of 2 threads), 100 MB and 2 GPUs takes. */
static const struct {
	const char *name;
	struct maui_request request;
	int64_t per_node[WORLD_AMOUNTS], per_proc[WORLD_AMOUNTS], per_task[WORLD_AMOUNTS];
	int64_t free[WORLD_AMOUNTS];
	int64_t tasks; /* tasks that fit */
	int64_t procs; /* processors that these tasks take */
} shapes[] = {
	{ "as many tasks as processors",
	  { .tasks = 20 },
	  { 0 },
	  { 0 },
	  { 0 },
	  { 8, 100, 0, 2 },
	  8,
	  8 },
	{ "whole cores", { .tasks = 20 }, { 0 }, { 0 }, { 0 }, { 7, 100, 0, 2 }, 6, 6 },
	{ "an odd task takes a core",
	  { .tasks = 1, .procs_per_task = 1 },
	  { 0 },
	  { 0 },
	  { 0 },
	  { 8, 100, 0, 2 },
	  1,
	  2 },
	{ "several processors for each task",
	  { .tasks = 20, .procs_per_task = 3 },
	  { 0 },
	  { 0 },
	  { 0 },
	  { 8, 100, 0, 2 },
	  2,
	  6 },
	{ "a bound of tasks for each node",
	  { .tasks = 20, .tasks_per_node_max = 3 },
	  { 0 },
	  { 0 },
	  { 0 },
	  { 8, 100, 0, 2 },
	  3,
	  4 },
	{ "memory for each node", { .tasks = 20 }, { 0, 60 }, { 0 }, { 0 }, { 8, 59, 0, 2 }, 0, 0 },
	{ "memory for each processor",
	  { .tasks = 20 },
	  { 0 },
	  { 0, 25 },
	  { 0 },
	  { 8, 100, 0, 2 },
	  4,
	  4 },
	{ "memory for each processor counts all threads of a core",
	  { .tasks = 20 },
	  { 0 },
	  { 0, 25 },
	  { 0 },
	  { 8, 80, 0, 2 },
	  2,
	  2 },
	{ "memory for each node and processor",
	  { .tasks = 20 },
	  { 0, 50 },
	  { 0, 25 },
	  { 0 },
	  { 8, 100, 0, 2 },
	  2,
	  2 },
	{ "gres for each task",
	  { .tasks = 20 },
	  { 0 },
	  { 0 },
	  { 0, 0, 0, 1 },
	  { 8, 100, 0, 2 },
	  2,
	  2 },
	{ "a least number of processors",
	  { .tasks = 1 },
	  { 6 },
	  { 0 },
	  { 0 },
	  { 8, 100, 0, 2 },
	  1,
	  6 },
	{ "a whole node must be free",
	  { .tasks = 1, .whole_nodes = true },
	  { 0 },
	  { 0 },
	  { 0 },
	  { 7, 100, 0, 2 },
	  0,
	  0 },
	{ "a whole node is taken",
	  { .tasks = 1, .whole_nodes = true },
	  { 0 },
	  { 0 },
	  { 0 },
	  { 8, 100, 0, 2 },
	  1,
	  8 },
};

TEST_ROWS(timeline, shape, shapes, row)
{
	const struct maui_shape_rules rules = { 0 };
	struct maui_arena arena = { 0 };
	struct maui_request request = row->request;
	int64_t takes[WORLD_AMOUNTS], tasks;
	struct maui_shape shape;
	struct world w;

	world_make(&w, "", "3 procs=8 unit=2 mem=100 gpu=2", NULL, NULL, NULL, 0);
	request.per_node = row->per_node;
	request.per_proc = row->per_proc;
	request.per_task = row->per_task;
	cr_assert(maui_shape_make(w.snapshot, (uint32_t)maui_snapshot_request(w.snapshot, &request),
				  0, 0, &rules, NULL, &arena, &shape) == 0,
		  "%s: memory", row->name);
	/* 20 tasks may be too many, but the question is what one node takes */
	if (shape.impossible) {
		request.tasks /= 4;
		maui_shape_make(w.snapshot, (uint32_t)maui_snapshot_request(w.snapshot, &request),
				0, 0, &rules, NULL, &arena, &shape);
	}
	cr_assert(!shape.impossible, "%s: impossible", row->name);
	shape.least = 1;
	shape.fixed = false;
	tasks = maui_shape_tasks(&shape, 0, row->free);
	cr_expect(tasks == row->tasks, "%s: %d tasks", row->name, (int)tasks);
	maui_shape_amounts(&shape, 0, tasks, takes);
	if (tasks > 0)
		cr_expect(takes[0] == row->procs, "%s: %d processors", row->name, (int)takes[0]);
	maui_arena_finish(&arena);
	world_finish(&w);
}

static const struct {
	const char *name, *nodes, *claims, *running, *windows;
} windows[] = {
	{ "all nodes are idle", "3 procs=4", NULL, NULL, "3n12p" },
	{ "no node is idle", "1 procs=4", NULL, "a nodes=n0 procs=4 end=9", "" },
	{ "a node is reserved later", "2 procs=4", "R nodes=n0 start=50", NULL, "2n8px50 1n4p" },
	{ "a node that becomes free later does not widen a window", "1 procs=4",
	  "R nodes=n0 start=50", "a nodes=n0 procs=3 end=20", "1n1px50" },
	{ "a claim that holds a node now", "2 procs=4", "R nodes=n0 end=30", NULL, "1n4p" },
};

TEST_ROWS(timeline, windows, windows, row)
{
	static const uint32_t nodes[] = { 0, 1, 2 };
	struct maui_timeline t = { 0 };
	struct maui_strbuf out = { 0 };
	struct maui_window *list;
	struct world w;
	uint32_t count;

	world_make(&w, "", row->nodes, row->claims, row->running, NULL, 0);
	maui_timeline_build(&t, w.snapshot, 0, false);
	cr_assert(maui_windows_find(&t, nodes, w.snapshot->node_count, NULL, &t.arena, &list,
				    &count) == 0,
		  "%s: memory", row->name);
	maui_strbuf_addf(&out, "%s", "");
	for (uint32_t i = 0; i < count; i++) {
		maui_strbuf_addf(&out, "%s%un%dp", i ? " " : "", list[i].nodes, (int)list[i].procs);
		if (list[i].length_s != MAUI_NEVER)
			maui_strbuf_addf(&out, "x%d", (int)list[i].length_s);
	}
	EXPECT_TEXT(row->name, out.text, row->windows);
	maui_strbuf_finish(&out);
	maui_timeline_finish(&t);
	world_finish(&w);
}
