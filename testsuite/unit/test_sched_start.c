/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sched_start.c - refused nodes, deferrals and dropped plans after a plan's starts
 *
 * src/controller/sched/starts.c with a slurmctld of this file's own that
 * answers each start as the test wants. Jobs whose names begin with the same letter are alike.
 *
 * Rules: BF-12, BF-13.
 */
#include "plan_world.h"
#include "rows.h"
#include "slurm_log.h"

#include "slurm/compat.h"

#include "controller/sched/private.h"
#include "slurm/publish/jobs.h"

#define NOW INT64_C(1763746622)

/* ---- slurmctld ---- */

struct answer {
	char name; /* first letter of the jobs that get it; '\0': nobody */
	enum maui_start_outcome outcome;
	int code;
	bool nodes_refused, failed, moved, unfit;
};

static struct answer answer; /* all others start */
static char held_text[128];
static struct maui_strbuf story;
static const struct world *world;

char *slurm_strerror(int code)
{
	static char text[] = "no";

	(void)code;
	return text;
}

bool maui_publish_hold(uint32_t job_id, int64_t submit_s, const char *text)
{
	(void)submit_s;
	snprintf(held_text, sizeof(held_text), "%s: %s", world->names[job_id], text);
	return true;
}

void maui_sched_test(struct maui_iteration *it, const struct maui_start_order *orders, size_t count)
{
	(void)it;
	(void)orders;
	(void)count;
}

void maui_sched_note_refused_try(struct maui_iteration *it, const struct maui_start *start)
{
	(void)it;
	(void)start;
}

void maui_sched_note_run(struct maui_iteration *it, const struct maui_start_order *order)
{
	(void)it;
	(void)order;
}

static void answer_one(struct maui_start_order *order, struct maui_start_result *ret)
{
	const char *name = world->names[order->job_id];
	bool meant = name[0] == answer.name;

	order->outcome = meant ? answer.outcome : MAUI_START_DONE;
	order->code = meant ? answer.code : SLURM_SUCCESS;
	order->nodes_refused = meant && answer.nodes_refused;
	order->failed = meant && answer.failed;
	order->moved = meant && answer.moved;
	order->unfit = meant && answer.unfit;
	order->why = "updated";
	order->started_id = order->job_id;
	order->start_s = world->now;
	ret->done += order->outcome == MAUI_START_DONE;
	ret->changed += order->outcome == MAUI_START_CHANGED;
	ret->refused += order->outcome == MAUI_START_REFUSED;
	ret->moved |= order->moved;
	maui_strbuf_addf(&story, "%s%s%s", story.length ? " " : "", name,
			 order->outcome == MAUI_START_REFUSED ? "!" :
			 order->outcome == MAUI_START_CHANGED ? "?" :
								"");
}

/* Until the first refusal, or a start on other nodes: start.h. */
void maui_start_jobs(const struct maui_start_site *site, struct maui_start_order *orders,
		     size_t count, struct maui_start_result *ret)
{
	bool go_on = true;

	(void)site;
	*ret = (struct maui_start_result){ 0 };
	for (size_t i = 0; i < count; i++) {
		orders[i].outcome = MAUI_START_NOT_TRIED;
		orders[i].moved = false;
		if (!go_on)
			continue;
		answer_one(&orders[i], ret);
		go_on = orders[i].outcome != MAUI_START_REFUSED && !orders[i].moved;
	}
}

/* No job of these tests had a job reservation. */
void maui_sched_drop_started(struct maui_iteration *it, const struct maui_start_order *orders)
{
	(void)it;
	(void)orders;
}

/* No job of these tests has preempted another one. */
void maui_sched_preemptor_started(struct maui_sched *sched, uint32_t job_id)
{
	(void)sched;
	(void)job_id;
}

void maui_sched_give_back(struct maui_iteration *it, const struct maui_start *start)
{
	(void)it;
	(void)start;
}

/* Slurm takes the last of the nodes among which it may choose. */
int maui_cluster_read_started(struct maui_cluster *cluster, uint32_t job_id,
			      struct maui_active *ret)
{
	static int64_t amounts[WORLD_AMOUNTS];
	static struct maui_piece piece;
	const struct maui_snapshot *s = cluster->snapshot;

	for (uint32_t i = 0; i < s->idle_count; i++)
		if (s->idle[i].id == job_id)
			amounts[MAUI_AMOUNT_PROCS] = s->idle[i].procs;
	piece = (struct maui_piece){ .node = s->node_count - 1, .amounts = amounts };
	*ret = (struct maui_active){ .pieces = &piece, .piece_count = 1 };
	return 1;
}

/* ---- iterations ---- */

static uint64_t ends; /* of jobs, so far */

struct run {
	struct maui_controller context;
	struct maui_sched sched;
	struct world world;
	struct maui_captured_jobs captured;
	struct maui_iteration it; /* the last one */
};

static void begin(struct run *r)
{
	*r = (struct run){ 0 };
	pthread_mutex_init(&r->context.lock, NULL);
	world = &r->world;
	answer = (struct answer){ 0 };
	log_text[0] = held_text[0] = '\0';
}

static void finish(struct run *r)
{
	maui_decisions_finish(&r->sched.decisions);
	maui_slurm_answers_finish(&r->sched.answers);
	maui_job_histories_finish(&r->context.histories);
	maui_strbuf_finish(&story);
	pthread_mutex_destroy(&r->context.lock);
}

static void list_waiting(struct run *r)
{
	const struct maui_snapshot *s = r->world.snapshot;
	struct maui_iteration *it = &r->it;

	it->waiting = maui_arena_alloc(&it->arena, (s->idle_count + 1u) * sizeof(*it->waiting));
	for (uint32_t i = 0; i < s->idle_count; i++) {
		struct maui_job_history_key key = { .job_id = (uint32_t)s->idle[i].id,
						    .submit_s = 1 };

		uint32_t *request = maui_arena_alloc(&it->arena, sizeof(*request));

		cr_assert(maui_job_histories_get(&r->context.histories, &key, r->world.now) !=
			  NULL);
		*request = s->idle[i].request;
		it->waiting[i] = (struct maui_waiting){
			.job_id = key.job_id,
			.submit_s = key.submit_s,
			.fingerprint = (uint64_t)r->world.names[key.job_id][0],
			.requests = request,
		};
	}
}

static void plan(struct run *r)
{
	const struct maui_plan_input input = { .config = r->world.config,
					       .snapshot = r->world.snapshot,
					       .now_s = r->world.now,
					       .want_reasons = true,
					       .slurm_chooses = true };
	struct maui_err err = { .text = "" };

	cr_assert(maui_plan(r->world.planner, &input, &r->sched.decisions, &err) == 0, "%s",
		  err.text);
}

/* One iteration at NOW + at_s: what was tried, in turn, a line a plan; "!" refused, "?" changed.
 * promised: the name of a job that had a reservation; NULL: none had. */
static const char *iterate(struct run *r, int64_t at_s, const char *config, const char *nodes,
			   const char *active, const char *queue, const char *promised)
{
	struct maui_job_reservation job_rsv = { 0 };
	struct maui_iteration *it = &r->it;
	bool again;

	if (r->world.snapshot) {
		maui_arena_finish(&it->arena);
		world_finish(&r->world);
	}
	world_make(&r->world, config, nodes, NULL, active, queue, NOW + at_s);
	*it = (struct maui_iteration){ .c = &r->context, .sched = &r->sched, .ends = ends };
	it->cluster.snapshot = r->world.snapshot;
	it->cluster.now_s = r->world.now;
	r->context.config = r->world.config;
	r->captured.config = r->world.config;
	it->captured = &r->captured;
	if (promised) {
		job_rsv.job = r->world.snapshot->idle[world_find(&r->world, promised)].id;
		it->job_rsvs = &job_rsv;
		it->job_rsv_count = 1;
	}
	list_waiting(r);
	maui_strbuf_finish(&story);
	maui_strbuf_addf(&story, "%s", "");
	maui_sched_slurm_answers(it);
	for (unsigned round = 0; round < 9; round++) {
		plan(r);
		again = maui_sched_start(it);
		if (!again)
			break;
		maui_strbuf_addf(&story, "%s", " /");
	}
	return story.text;
}

static void end(struct run *r)
{
	maui_arena_finish(&r->it.arena);
	world_finish(&r->world);
	finish(r);
}

/* When the plan wants to start the job; 0: no reservation. Of NOW. */
static int64_t reserved_at(const struct run *r, const char *name)
{
	const struct maui_decisions *d = &r->sched.decisions;

	for (uint32_t i = 0; i < d->reservation_count; i++)
		if (d->reservations[i].job == world_find(&r->world, name))
			return d->reservations[i].start_s - NOW;
	return 0;
}

/* ---- refused nodes ---- */

/* n0 has four processors, two are taken until 1000; A is refused there, though two are free. B
 * wants them, too, for 100 s. */
#define BUSY "a nodes=n0 procs=2 end=1763747622"
static const struct answer refused_nodes = { .name = 'A',
					     .outcome = MAUI_START_REFUSED,
					     .code = ESLURM_NODES_BUSY,
					     .nodes_refused = true };

Test(sched_start, a_refused_job_is_tried_anywhere_and_then_gives_way)
{
	struct run r;
	const char *text;

	begin(&r);
	answer = refused_nodes;
	text = iterate(&r, 0, "", "1 procs=4", BUSY, "A procs=2 limit=100; B procs=2 limit=100",
		       NULL);
	cr_expect_str_eq(text, "A! / A! / B", "tried: %s", text);
	cr_expect(reserved_at(&r, "A") == 1000, "reserved at %d", (int)reserved_at(&r, "A"));
	cr_expect(r.sched.wake_s == NOW + 1, "and looked at again in a second");
	end(&r);
}

Test(sched_start, a_refused_job_waits_for_its_time_unless_something_ends)
{
	struct run r;
	const char *text;

	begin(&r);
	answer = refused_nodes;
	for (int i = 0; i < 2; i++) /* twice: refused for two seconds, from 1 on */
		iterate(&r, i, "", "1 procs=4", BUSY, "A procs=2 limit=100", NULL);
	text = iterate(&r, 2, "", "1 procs=4", BUSY, "A procs=2 limit=100", NULL);
	cr_expect_str_eq(text, "", "tried too early: %s", text);
	ends++;
	text = iterate(&r, 2, "", "1 procs=4", BUSY, "A procs=2 limit=100", NULL);
	cr_expect_str_eq(text, "A! /", "not tried though a job has ended: %s", text);
	end(&r);
}

Test(sched_start, jobs_that_are_alike_are_refused_together)
{
	struct run r;
	const char *text;

	begin(&r);
	answer = refused_nodes;
	text = iterate(
		&r, 0, "", "2 procs=4", BUSY,
		"A1 procs=2 need=n0; A2 procs=2 need=n0; A3 procs=2 need=n0; B procs=2 need=n0",
		NULL);
	cr_expect_str_eq(text, "A1! / A1! / B", "%s", text);
	end(&r);
}

/* Slurm did not say whether A, which is larger than the cluster, can run: it is tried once. That no
 * nodes could ever run it is no try, after which it would ask for nodes again. */
Test(sched_start, a_job_that_never_fits_is_not_tried_again)
{
	const struct maui_slurm_answer *found;
	struct run r;
	const char *text;

	begin(&r);
	answer = refused_nodes;
	answer.unfit = true;
	cr_assert(maui_slurm_answers_unsaid(&r.sched.answers, 'A', NOW));
	text = iterate(&r, 0, "", "1 procs=4", NULL, "A procs=8; B procs=4", NULL);
	cr_expect_str_eq(text, "A! / B", "tried: %s", text);
	found = maui_slurm_answers_find(&r.sched.answers, 'A');
	cr_assert(found != NULL);
	cr_expect(!found->asks && !found->possible, "it asks for nodes again");
	cr_expect(found->tries == 0, "counted as a try: %u", found->tries);
	end(&r);
}

/* Slurm has said that A can run: the refusal is one of these nodes only. */
Test(sched_start, unfit_nodes_of_a_possible_job_are_a_try)
{
	const struct maui_slurm_answer *found;
	struct run r;

	begin(&r);
	answer = refused_nodes;
	answer.unfit = true;
	maui_slurm_answers_possible(&r.sched.answers, 'A', NOW, true);
	iterate(&r, 0, "", "1 procs=4", NULL, "A procs=8; B procs=4", NULL);
	found = maui_slurm_answers_find(&r.sched.answers, 'A');
	cr_assert(found != NULL);
	cr_expect(found->asks && found->possible && found->tries == 1);
	end(&r);
}

/* Slurm chooses their nodes, so nothing else is planned before these are known. */
Test(sched_start, jobs_that_ask_slurm_start_in_one_go)
{
	struct run r;
	const char *text;

	begin(&r);
	text = iterate(&r, 0, "", "3 procs=4", NULL,
		       "A procs=2 asks; B procs=4 asks; C procs=2; D procs=2 asks", NULL);
	cr_expect_str_eq(text, "A B / C D /", "%s", text);
	end(&r);
}

/* ---- not the nodes ---- */

Test(sched_start, deferred_then_held)
{
	static const char config[] = "DEFERTIME 60\nDEFERSTARTCOUNT 2\nDEFERCOUNT 1\n";
	struct maui_job_history *history;
	struct run r;

	begin(&r);
	answer = (struct answer){ .name = 'A',
				  .outcome = MAUI_START_REFUSED,
				  .failed = true,
				  .code = ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE };
	for (int i = 0; i < 4; i++) {
		const char *text = iterate(&r, i, config, "1 procs=4", NULL,
					   "A1 procs=2; A2 procs=2; B procs=2", NULL);

		cr_expect_str_eq(text, "A1! / B", "look %d: %s", i, text);
		history = maui_job_histories_find(&r.context.histories, 1);
		cr_expect(history->retry_s == NOW + i + (1 << i), "look %d: again at %d", i,
			  (int)(history->retry_s - NOW));
		cr_expect((i == 3) == (held_text[0] != '\0'), "look %d: %s", i, held_text);
		cr_expect((i > 0) == (strstr(log_text, "JobId=1 deferred for 60 s") != NULL),
			  "look %d: %s", i, log_text);
	}
	cr_expect_str_eq(held_text, "A1: deferred 1 times (DEFERCOUNT)");
	history = maui_job_histories_find(&r.context.histories, 1);
	cr_expect(history->defer.deferrals == 0 && history->defer.refusals == 0,
		  "all is forgotten");
	history = maui_job_histories_find(&r.context.histories, 2);
	cr_expect(history->defer.deferrals == 0 && history->retry_s == 0, "its like was not tried");
	end(&r);
}

/* Slurm has not refused the start, so nothing counts against the job; other jobs have its place for
 * now, and the log has one line. */
Test(sched_start, out_of_date)
{
	struct run r;

	begin(&r);
	answer = (struct answer){ .name = 'A', .outcome = MAUI_START_CHANGED };
	for (int i = 0; i < 4; i++) {
		const char *text =
			iterate(&r, i, "", "1 procs=4", NULL, "A procs=4; B procs=4", NULL);

		cr_expect_str_eq(text, "A? / B", "look %d: %s", i, text);
		cr_expect((i > 0) == (log_text[0] != '\0'), "look %d: %s", i, log_text);
	}
	cr_expect_str_eq(log_text, "slurm-maui: JobId=1 is planned again and again, but not "
				   "started: updated");
	cr_expect(maui_job_histories_find(&r.context.histories, 1)->retry_s == 0);
	end(&r);
}

/* Slurm took fewer nodes: what follows was planned with less room than there is. */
Test(sched_start, a_start_that_moved_ends_the_plan)
{
	struct maui_job_history *history;
	struct run r;
	const char *text;

	begin(&r);
	answer = (struct answer){ .name = 'B', .outcome = MAUI_START_DONE, .moved = true };
	text = iterate(&r, 0, "", "3 procs=4", NULL, "A procs=4; B procs=4; C procs=4; D procs=4",
		       NULL);
	cr_expect_str_eq(text, "A B", "%s", text);
	cr_expect(r.it.dropped, "this plan decides nothing else");
	cr_expect(r.sched.wake_s == NOW, "the next one comes at once");
	cr_expect(r.it.started == 2 && r.it.refused == 0 && r.it.wrote);
	history = maui_job_histories_find(&r.context.histories, 2);
	cr_expect(history->busy == 0 && history->changed == 0);
	end(&r);
}

/* ---- what there is afterwards ---- */

static const struct {
	const char *name, *queue;
	struct answer answer;
	const char *active; /* first letters */
} afterwards[] = {
	{ "all have started", "A procs=4; B procs=4", { 0 }, "AB" },
	{ "after a refusal",
	  "A procs=4; B procs=4; C procs=4",
	  { .name = 'B', .outcome = MAUI_START_REFUSED, .code = ESLURM_ACCOUNTING_POLICY },
	  "AC" },
	{ "a plan that was dropped",
	  "A procs=4; B procs=4; C procs=4",
	  { .name = 'B', .outcome = MAUI_START_DONE, .moved = true },
	  "AB" },
	{ "no job fits", "A procs=40", { 0 }, "" },
};

static void list_active(const struct run *r, char *text)
{
	const struct maui_snapshot *s = r->world.snapshot;

	for (uint32_t i = 0; i < s->active_count; i++)
		*text++ = r->world.names[s->active[i].id][0];
	*text = '\0';
}

TEST_ROWS(sched_start, what_has_started_is_active, afterwards, row)
{
	char active[WORLD_MOST + 1];
	struct run r;

	begin(&r);
	answer = row->answer;
	iterate(&r, 0, "", "3 procs=4", NULL, row->queue, NULL);
	for (int i = 0; i < 2; i++) { /* once */
		cr_assert(maui_sched_started(&r.it) == 0, "memory");
		list_active(&r, active);
		EXPECT_TEXT(row->name, active, row->active);
	}
	end(&r);
}

/* Slurm has said that another job is possible, so the queue is planned once more. */
Test(sched_start, another_plan_of_the_cycle_has_the_jobs_that_started)
{
	char active[WORLD_MOST + 1];
	struct run r;

	begin(&r);
	iterate(&r, 0, "", "1 procs=4", NULL, "A procs=4; B procs=4", NULL);
	cr_expect(maui_sched_take_starts(&r.it));
	plan(&r);
	cr_expect(!maui_sched_start(&r.it));
	cr_expect_str_eq(story.text, "A", "%s", story.text);
	cr_assert(maui_sched_started(&r.it) == 0, "memory");
	list_active(&r, active);
	cr_expect_str_eq(active, "A", "%s", active);
	end(&r);
}
