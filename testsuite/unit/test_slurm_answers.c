/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_answers.c - what Slurm answered about jobs, and what a plan makes of that
 *
 * Rules: BF-12, BF-26, BF-27.
 */

#include "cycle/slurm_answers.h"

#include "plan_world.h"

enum { NOW = 1000, ALIKE = 7, OTHER = 8 };

/* Three jobs in p0 and p1, the first two alike, and a running job on n1 that ends at 1050. */
struct scene {
	struct world w;
	struct maui_arena arena;
	struct maui_waiting waiting[3];
	uint32_t requests[3][2];
	struct maui_slurm_answers answers;
	struct maui_answers_view view;
};

static void set_scene(struct scene *scene, const char *running)
{
	world_make(&scene->w, "RMPOLLINTERVAL 30\n", "3 procs=4 part=p0,p1", "", running,
		   "A procs=2 part=p0,p1; B procs=2 part=p0,p1; C procs=2 part=p0,p1", NOW);
	for (uint32_t j = 0; j < 3; j++) {
		for (uint32_t r = 0; r < 2; r++)
			scene->requests[j][r] = scene->w.snapshot->idle[j].request;
		scene->waiting[j] = (struct maui_waiting){
			.job_id = j + 1,
			.fingerprint = j < 2 ? ALIKE : OTHER,
			.requests = scene->requests[j],
			.user = 1,
		};
	}
	scene->view = (struct maui_answers_view){ .snapshot = scene->w.snapshot,
						  .waiting = scene->waiting,
						  .arena = &scene->arena,
						  .now_s = NOW };
}

static void drop_scene(struct scene *scene)
{
	maui_arena_finish(&scene->arena);
	world_finish(&scene->w);
	maui_slurm_answers_finish(&scene->answers);
}

static int64_t note_busy(struct scene *scene, const struct maui_slurm_offer *offer)
{
	return maui_slurm_answers_busy(&scene->answers, ALIKE, scene->view.now_s, scene->view.ends,
				       "p0", offer, false);
}

/* Until when the job is busy, at `now_s`, when so many jobs have ended. */
static int64_t busy_until(struct scene *scene, uint32_t job, int64_t now_s, uint64_t ends)
{
	scene->view.now_s = now_s;
	scene->view.ends = ends;
	maui_slurm_answers_apply(&scene->answers, &scene->view);
	return scene->w.snapshot->idle[job].busy_until_s;
}

static const struct maui_request *request_in(const struct scene *scene, uint32_t job, uint32_t row)
{
	return &scene->w.snapshot->requests[maui_idle_request(&scene->w.snapshot->idle[job], row)];
}

static const struct maui_request *request_of(const struct scene *scene, uint32_t job)
{
	return request_in(scene, job, 0);
}

Test(slurm_answers, hold_for_equal_jobs_only)
{
	struct scene scene = { 0 };

	set_scene(&scene, "r nodes=n1 procs=1 end=1050");
	maui_slurm_answers_asks(&scene.answers, ALIKE);
	busy_until(&scene, 0, NOW, 0);
	cr_expect(request_of(&scene, 0)->asks_slurm, "A");
	cr_expect(request_of(&scene, 1)->asks_slurm, "B, which is like A");
	cr_expect(!request_of(&scene, 2)->asks_slurm, "C");
	drop_scene(&scene);
}

Test(slurm_answers, a_busy_job_waits_for_the_next_end)
{
	struct scene scene = { 0 };

	set_scene(&scene, "r nodes=n1 procs=1 end=1050");
	cr_expect(note_busy(&scene, NULL) == NOW + 1, "tried again after a second");
	cr_expect(busy_until(&scene, 0, NOW, 0) == 1050, "its reservation");
	cr_expect(busy_until(&scene, 2, NOW, 0) == 0, "another job");
	cr_expect(busy_until(&scene, 0, NOW, 1) == 0, "a job has ended");
	cr_expect(busy_until(&scene, 0, NOW + 1, 0) == 0, "after a second");
	drop_scene(&scene);
}

Test(slurm_answers, pauses_become_longer)
{
	static const int64_t pauses[] = { 1, 2, 4, 8, 16, 16 };
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	for (size_t i = 0; i < 6; i++)
		cr_expect(note_busy(&scene, NULL) == NOW + pauses[i], "try %zu", i);
	drop_scene(&scene);
}

Test(slurm_answers, a_job_that_was_tried_often_lets_others_be_tried_first)
{
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	for (int i = 0; i < 4; i++)
		note_busy(&scene, NULL);
	cr_expect(busy_until(&scene, 0, NOW + 2, 1) > 0, "a job has ended, others have their turn");
	cr_expect(busy_until(&scene, 0, NOW + 3, 1) == 0, "its turn");
	drop_scene(&scene);
}

Test(slurm_answers, an_offer_names_the_nodes_of_the_reservation)
{
	const uint32_t nodes[] = { 0, 2 };
	const struct maui_slurm_offer offer = { .start_s = 1200, .nodes = nodes, .node_count = 2 };
	struct scene scene = { 0 };

	set_scene(&scene, "r nodes=n1 procs=1 end=1050");
	note_busy(&scene, &offer);
	cr_expect(busy_until(&scene, 0, NOW, 0) == 1200, "its reservation");
	cr_expect(request_of(&scene, 0)->required_count == 2 &&
			  request_of(&scene, 0)->required[1] == 2 &&
			  request_of(&scene, 0)->nodes_min == 2,
		  "on the offered nodes");
	cr_expect(request_in(&scene, 0, 1)->required_count == 0,
		  "in another partition anywhere: the offer is not about that one");
	busy_until(&scene, 0, NOW, 1);
	cr_expect(request_of(&scene, 0)->required_count == 0, "tried again anywhere");
	drop_scene(&scene);
}

Test(slurm_answers, at_no_moment_is_no_reservation)
{
	const struct maui_slurm_offer never = { .start_s = MAUI_NEVER, .no_moment = true };
	const struct maui_slurm_offer none = { .start_s = MAUI_NEVER };
	struct scene scene = { 0 };

	set_scene(&scene, "r nodes=n1 procs=1 end=1050");
	note_busy(&scene, &never);
	cr_expect(busy_until(&scene, 0, NOW, 0) == MAUI_NEVER, "no reservation");
	note_busy(&scene, NULL);
	cr_expect(busy_until(&scene, 0, NOW, 0) == MAUI_NEVER, "Slurm was not asked again");
	note_busy(&scene, &none);
	cr_expect(busy_until(&scene, 0, NOW, 0) == 1050, "the next end of a job");
	drop_scene(&scene);
}

/* Slurm refuses the nodes of a job although its test would start it there. */
Test(slurm_answers, a_moment_that_cannot_be_true_is_believed_once)
{
	const struct maui_slurm_offer doubtful = { .start_s = MAUI_NEVER, .doubtful = true };
	const struct maui_slurm_offer none = { .start_s = MAUI_NEVER };
	struct scene scene = { 0 };

	set_scene(&scene, "r nodes=n1 procs=1 end=1050");
	note_busy(&scene, &doubtful);
	cr_expect(busy_until(&scene, 0, NOW, 0) == 1050, "a job may just have ended");
	note_busy(&scene, NULL);
	note_busy(&scene, &doubtful);
	cr_expect(busy_until(&scene, 0, NOW, 0) == MAUI_NEVER, "no reservation");
	note_busy(&scene, &none);
	cr_expect(busy_until(&scene, 0, NOW, 0) == 1050, "the next end of a job");
	note_busy(&scene, &doubtful);
	maui_slurm_answers_started(&scene.answers, ALIKE);
	note_busy(&scene, &doubtful);
	cr_expect(busy_until(&scene, 0, NOW, 0) == 1050, "one like it has started in between");
	drop_scene(&scene);
}

Test(slurm_answers, it_is_known_when_slurm_was_last_asked_for_a_moment)
{
	const struct maui_slurm_offer none = { .start_s = MAUI_NEVER };
	struct scene scene = { 0 };
	const struct maui_slurm_answer *answer;

	set_scene(&scene, NULL);
	for (int i = 0; i < 3; i++)
		note_busy(&scene, NULL);
	answer = maui_slurm_answers_find(&scene.answers, ALIKE);
	cr_assert(answer->tries == 3 && answer->offered.asked_at == 0,
		  "it was not first in the queue");
	note_busy(&scene, &none);
	note_busy(&scene, NULL);
	answer = maui_slurm_answers_find(&scene.answers, ALIKE);
	cr_expect(answer->tries == 5 && answer->offered.asked_at == 3, "after three refusals");
	maui_slurm_answers_started(&scene.answers, ALIKE);
	cr_expect(maui_slurm_answers_find(&scene.answers, ALIKE)->offered.asked_at == 0,
		  "counts again");
	drop_scene(&scene);
}

static bool is_closed(const struct scene *scene, enum maui_closed_kind kind, const char *name,
		      int64_t now_s)
{
	return maui_slurm_answer_closed_until(maui_slurm_answers_find(&scene->answers, ALIKE), kind,
					      name, now_s) != 0;
}

Test(slurm_answers, a_partition_or_a_reservation_that_does_not_serve_the_job)
{
	const enum maui_closed_kind part = MAUI_CLOSED_PARTITION, rsv = MAUI_CLOSED_RESERVATION;
	struct scene scene = { 0 };
	char name[16];

	set_scene(&scene, NULL);
	cr_expect(!is_closed(&scene, part, "few", NOW), "no answer");
	maui_slurm_answers_close(&scene.answers, ALIKE, part, "few", NOW, MAUI_NEVER);
	maui_slurm_answers_close(&scene.answers, ALIKE, rsv, "course", NOW, NOW + 16);
	cr_expect(is_closed(&scene, part, "few", NOW + 9999), "for good");
	cr_expect(!is_closed(&scene, part, "lean", NOW), "another partition");
	cr_expect(!is_closed(&scene, rsv, "few", NOW), "a reservation of this name");
	cr_expect(is_closed(&scene, rsv, "course", NOW + 15), "for a moment");
	cr_expect(!is_closed(&scene, rsv, "course", NOW + 16), "the moment is over");
	cr_expect(!is_closed(&scene, rsv, "course", NOW - 99999), "the clock was set back");
	maui_slurm_answers_close(&scene.answers, ALIKE, rsv, "course", NOW + 20, NOW + 30);
	cr_expect(is_closed(&scene, rsv, "course", NOW + 29), "again");
	for (int i = 0; i < 2 * MAUI_ANSWER_CLOSED_MOST; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		maui_slurm_answers_close(&scene.answers, ALIKE, part, name, NOW, MAUI_NEVER);
	}
	cr_expect(is_closed(&scene, part, "p5", NOW) && !is_closed(&scene, part, "p6", NOW),
		  "no more than are remembered");
	maui_slurm_answers_close(&scene.answers, ALIKE, part, "p6", NOW + 30, MAUI_NEVER);
	cr_expect(is_closed(&scene, part, "p6", NOW + 30), "in place of one that is over");
	drop_scene(&scene);
}

/* The first job in a row: '-' it starts, 'r' it does not, a digit: so many seconds later. */
static char row_of(const struct scene *scene, uint32_t row)
{
	const struct maui_row *own = &scene->w.snapshot->idle[0].rows[row];

	return own->busy_until_s ? (char)('0' + own->busy_until_s - NOW) : own->refused ? 'r' : '-';
}

static const char *rows_at(struct scene *scene, int64_t now_s)
{
	static char rows[3];

	scene->view.now_s = now_s;
	maui_slurm_answers_apply(&scene->answers, &scene->view);
	rows[0] = row_of(scene, 0);
	rows[1] = row_of(scene, 1);
	return rows;
}

Test(slurm_answers, one_partition_after_the_other)
{
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	maui_slurm_answers_close(&scene.answers, ALIKE, MAUI_CLOSED_TURN, "p0", NOW, NOW + 5);
	cr_expect_str_eq(rows_at(&scene, NOW), "5-", "the turn of p1");
	maui_slurm_answers_close(&scene.answers, ALIKE, MAUI_CLOSED_TURN, "p1", NOW, NOW + 7);
	cr_expect_str_eq(rows_at(&scene, NOW), "-7", "of both the one whose turn comes first");
	cr_expect_str_eq(rows_at(&scene, NOW + 6), "-7", "the turn of p0");
	cr_expect_str_eq(rows_at(&scene, NOW + 7), "--");
	maui_slurm_answers_close(&scene.answers, ALIKE, MAUI_CLOSED_PARTITION, "p0", NOW, NOW + 9);
	cr_expect_str_eq(rows_at(&scene, NOW + 7), "r-", "p0 has refused it");
	cr_expect_str_eq(rows_at(&scene, NOW + 9), "--");
	maui_slurm_answers_close(&scene.answers, ALIKE, MAUI_CLOSED_PARTITION, "p0", NOW + 9,
				 NOW + 20);
	maui_slurm_answers_close(&scene.answers, ALIKE, MAUI_CLOSED_TURN, "p1", NOW + 9, NOW + 12);
	cr_expect_str_eq(rows_at(&scene, NOW + 9), "r-", "p0 has refused it, p1 has the next turn");
	maui_slurm_answers_close(&scene.answers, ALIKE, MAUI_CLOSED_PARTITION, "p1", NOW + 9,
				 NOW + 20);
	cr_expect_str_eq(rows_at(&scene, NOW + 13), "-r", "both have refused it");
	drop_scene(&scene);
}

Test(slurm_answers, those_about_possible_jobs_are_counted_by_user)
{
	struct scene scene = { 0 };
	uint32_t *of_user;

	set_scene(&scene, NULL);
	maui_slurm_answers_asks(&scene.answers, OTHER);
	of_user = maui_slurm_answers_by_user(&scene.answers, &scene.view);
	cr_expect(of_user[1] == 0, "only asked when it starts");
	maui_slurm_answers_possible(&scene.answers, ALIKE, NOW, false);
	of_user = maui_slurm_answers_by_user(&scene.answers, &scene.view);
	cr_expect(of_user[1] == 1, "two jobs, one answer");
	maui_slurm_answers_possible(&scene.answers, OTHER, NOW, true);
	of_user = maui_slurm_answers_by_user(&scene.answers, &scene.view);
	cr_expect(of_user[1] == 2);
	scene.waiting[0].user = scene.waiting[1].user = scene.waiting[2].user = 0;
	of_user = maui_slurm_answers_by_user(&scene.answers, &scene.view);
	cr_expect(of_user[0] == 2 && of_user[1] == 0, "users without a name are one");
	drop_scene(&scene);
}

Test(slurm_answers, a_started_job_is_not_busy)
{
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	note_busy(&scene, NULL);
	maui_slurm_answers_started(&scene.answers, ALIKE);
	cr_expect(busy_until(&scene, 0, NOW, 0) == 0);
	cr_expect(request_of(&scene, 0)->asks_slurm, "its like ask Slurm as well");
	drop_scene(&scene);
}

static bool is_known(const struct scene *scene, uint64_t fingerprint, int64_t now_s)
{
	return maui_slurm_answer_is_known(maui_slurm_answers_find(&scene->answers, fingerprint),
					  now_s);
}

Test(slurm_answers, a_job_that_is_possible_is_not_described)
{
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	maui_slurm_answers_possible(&scene.answers, ALIKE, NOW, true);
	maui_slurm_answers_possible(&scene.answers, OTHER, NOW, false);
	busy_until(&scene, 0, NOW, 0);
	cr_expect(request_of(&scene, 0)->asks_slurm && request_of(&scene, 0)->tasks == 0, "A");
	cr_expect(!request_of(&scene, 2)->asks_slurm && request_of(&scene, 2)->tasks == 2, "C");
	cr_expect(is_known(&scene, ALIKE, NOW + 99999), "possible for good");
	cr_expect(!is_known(&scene, 99, NOW), "not asked");
	drop_scene(&scene);
}

/* A question that meets a reservation, a limit or a licence first is no answer: the job may be
 * possible, until nodes that Slurm had for it could never run it. */
Test(slurm_answers, what_slurm_does_not_say_is_believed_until_a_start)
{
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	cr_expect(maui_slurm_answers_unsaid(&scene.answers, ALIKE, NOW));
	maui_slurm_answers_possible(&scene.answers, OTHER, NOW, true);
	busy_until(&scene, 0, NOW, 0);
	cr_expect(request_of(&scene, 0)->tasks == 0 && is_known(&scene, ALIKE, NOW + 99999));
	cr_expect(maui_slurm_answers_unfit(&scene.answers, ALIKE, NOW));
	cr_expect(!maui_slurm_answers_unfit(&scene.answers, OTHER, NOW));
	busy_until(&scene, 0, NOW, 0);
	cr_expect(request_of(&scene, 0)->tasks == 2, "its own request again");
	cr_expect(is_known(&scene, ALIKE, NOW + 299) && !is_known(&scene, ALIKE, NOW + 300));
	cr_expect(request_of(&scene, 2)->tasks == 0, "Slurm has said that it is possible");
	drop_scene(&scene);
}

Test(slurm_answers, what_slurm_does_not_say_changes_no_answer)
{
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	maui_slurm_answers_possible(&scene.answers, ALIKE, NOW, false);
	cr_expect(!maui_slurm_answers_unsaid(&scene.answers, ALIKE, NOW + 300));
	busy_until(&scene, 0, NOW, 0);
	cr_expect(request_of(&scene, 0)->tasks == 2);
	cr_expect(is_known(&scene, ALIKE, NOW + 599) && !is_known(&scene, ALIKE, NOW + 600));
	drop_scene(&scene);
}

/* The pause doubles with each answer, up to an hour. */
Test(slurm_answers, slurm_is_asked_again_whether_a_job_can_never_run)
{
	static const int64_t pauses_s[] = { 300, 600, 1200, 2400, 3600, 3600 };
	struct scene scene = { 0 };
	int64_t now_s = NOW;

	set_scene(&scene, NULL);
	for (size_t i = 0; i < sizeof(pauses_s) / sizeof(*pauses_s); i++) {
		maui_slurm_answers_possible(&scene.answers, OTHER, now_s, false);
		cr_expect(is_known(&scene, OTHER, now_s + pauses_s[i] - 1), "answer %zu", i);
		cr_expect(!is_known(&scene, OTHER, now_s - 1), "the clock was set back");
		now_s += pauses_s[i];
		cr_expect(!is_known(&scene, OTHER, now_s), "after answer %zu", i);
	}
	maui_slurm_answers_possible(&scene.answers, OTHER, now_s, true);
	cr_expect(is_known(&scene, OTHER, now_s + 99999), "possible after all");
	drop_scene(&scene);
}

Test(slurm_answers, a_question_does_not_push_out_the_answer_to_another)
{
	struct scene scene = { 0 };
	uint64_t fingerprint = 1000;

	set_scene(&scene, NULL);
	while (!maui_slurm_answers_full(&scene.answers))
		maui_slurm_answers_possible(&scene.answers, fingerprint++, NOW, false);
	cr_expect(fingerprint == 1000 + MAUI_ANSWERS_MOST);
	maui_slurm_answers_asks(&scene.answers, ALIKE);
	cr_expect(maui_slurm_answers_find(&scene.answers, ALIKE) &&
			  !maui_slurm_answers_find(&scene.answers, 1000),
		  "a refused start pushes out the oldest");
	drop_scene(&scene);
}

Test(slurm_answers, are_forgotten_with_their_jobs_and_nodes)
{
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	maui_slurm_answers_asks(&scene.answers, ALIKE);
	maui_slurm_answers_asks(&scene.answers, 99);
	maui_slurm_answers_review(&scene.answers, &scene.view);
	cr_expect(maui_slurm_answers_find(&scene.answers, ALIKE));
	cr_expect(!maui_slurm_answers_find(&scene.answers, 99), "no such job waits");
	scene.view.table = 2;
	maui_slurm_answers_review(&scene.answers, &scene.view);
	cr_expect(!maui_slurm_answers_find(&scene.answers, ALIKE), "other nodes");
	drop_scene(&scene);
}

Test(slurm_answers, a_refusal_lasts_less_long_when_jobs_end)
{
	static const struct {
		const char *name;
		unsigned refusals;
		int64_t since_s, pause_s;
		bool ended, lasts;
	} rows[] = {
		{ "never refused", 0, 0, 16, false, false },
		{ "the pause", 1, 0, 1, false, true },
		{ "is over", 1, 1, 1, false, false },
		{ "a job has ended", 1, 0, 1, true, false },
		{ "the second time not at once", 2, 0, 2, true, true },
		{ "but a second later", 2, 1, 2, true, false },
		{ "without an end not yet", 2, 1, 2, false, true },
		{ "after five refusals four seconds", 5, 3, 16, true, true },
		{ "not five", 5, 4, 16, true, false },
		{ "after many eight", 30, 7, 16, true, true },
		{ "not more", 30, 8, 16, true, false },
		{ "the clock was set back", 5, -1, 16, false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect(maui_refusal_lasts(rows[i].refusals, NOW, NOW + rows[i].pause_s,
					     rows[i].ended, NOW + rows[i].since_s) == rows[i].lasts,
			  "%s", rows[i].name);
}
