/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_answers.c - what Slurm answered about jobs, and what a plan makes of that
 *
 * Rules: BF-12, BF-26, BF-27.
 */

#include "cycle/slurm_answers.h"

#include "plan_world.h"

enum { NOW = 1000, ALIKE = 7, OTHER = 8 };

/* Three jobs, the first two alike, and a running job on n1 that ends at 1050. */
struct scene {
	struct world w;
	struct maui_arena arena;
	struct maui_waiting waiting[3];
	uint32_t requests[3];
	struct maui_slurm_answers answers;
	struct maui_answers_view view;
};

static void set_scene(struct scene *scene, const char *running)
{
	world_make(&scene->w, "RMPOLLINTERVAL 30\n", "3 procs=4", "", running,
		   "A procs=2; B procs=2; C procs=2", NOW);
	for (uint32_t j = 0; j < 3; j++) {
		scene->requests[j] = scene->w.snapshot->idle[j].request;
		scene->waiting[j] = (struct maui_waiting){
			.job_id = j + 1,
			.fingerprint = j < 2 ? ALIKE : OTHER,
			.requests = &scene->requests[j],
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
				       offer, false);
}

/* Until when the job is busy, at `now_s`, when so many jobs have ended. */
static int64_t busy_until(struct scene *scene, uint32_t job, int64_t now_s, uint64_t ends)
{
	scene->view.now_s = now_s;
	scene->view.ends = ends;
	maui_slurm_answers_apply(&scene->answers, &scene->view);
	return scene->w.snapshot->idle[job].busy_until_s;
}

static const struct maui_request *request_of(const struct scene *scene, uint32_t job)
{
	return &scene->w.snapshot->requests[maui_idle_request(&scene->w.snapshot->idle[job], 0)];
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
	cr_assert(answer->tries == 3 && answer->asked == 0, "it was not first in the queue");
	note_busy(&scene, &none);
	note_busy(&scene, NULL);
	answer = maui_slurm_answers_find(&scene.answers, ALIKE);
	cr_expect(answer->tries == 5 && answer->asked == 3, "after three refusals");
	maui_slurm_answers_started(&scene.answers, ALIKE);
	cr_expect(maui_slurm_answers_find(&scene.answers, ALIKE)->asked == 0, "anew");
	drop_scene(&scene);
}

Test(slurm_answers, a_partition_that_can_never_serve_the_job)
{
	struct scene scene = { 0 };
	char name[16];

	set_scene(&scene, NULL);
	cr_expect(!maui_slurm_answer_is_unfit(NULL, "few"), "no answer");
	maui_slurm_answers_unfit(&scene.answers, ALIKE, "few");
	maui_slurm_answers_unfit(&scene.answers, ALIKE, "few");
	cr_expect(
		maui_slurm_answer_is_unfit(maui_slurm_answers_find(&scene.answers, ALIKE), "few"));
	cr_expect(
		!maui_slurm_answer_is_unfit(maui_slurm_answers_find(&scene.answers, ALIKE), "lean"),
		"the other one");
	for (int i = 0; i < 2 * MAUI_ANSWER_UNFIT_MOST; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		maui_slurm_answers_unfit(&scene.answers, ALIKE, name);
	}
	cr_expect(maui_slurm_answers_find(&scene.answers, ALIKE)->unfit_count ==
			  MAUI_ANSWER_UNFIT_MOST,
		  "no more than are remembered");
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

Test(slurm_answers, a_job_that_is_possible_is_not_described)
{
	struct scene scene = { 0 };

	set_scene(&scene, NULL);
	maui_slurm_answers_possible(&scene.answers, ALIKE, NOW, true);
	maui_slurm_answers_possible(&scene.answers, OTHER, NOW, false);
	busy_until(&scene, 0, NOW, 0);
	cr_expect(request_of(&scene, 0)->asks_slurm && request_of(&scene, 0)->tasks == 0, "A");
	cr_expect(!request_of(&scene, 2)->asks_slurm && request_of(&scene, 2)->tasks == 2, "C");
	cr_expect(maui_slurm_answers_find(&scene.answers, OTHER)->never);
	scene.view.now_s = NOW + 300;
	maui_slurm_answers_review(&scene.answers, &scene.view);
	cr_expect(!maui_slurm_answers_find(&scene.answers, OTHER), "asked again");
	cr_expect(maui_slurm_answers_find(&scene.answers, ALIKE)->possible, "still known");
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
