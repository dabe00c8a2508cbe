/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_refused_nodes.c - nodes that Slurm refused to a job */

#include "cycle/refused_nodes.h"

#include "plan_world.h"

enum { NOW = 1000, ALIKE = 7, OTHER = 8 };

/* Three jobs, the first two alike, and a running job on n1 that ends at 1050. */
struct scene {
	struct world w;
	struct maui_arena arena;
	struct maui_waiting waiting[3];
	struct maui_refused_nodes refused;
	struct maui_refusal_view view;
};

static void set_scene(struct scene *scene, const char *running)
{
	world_make(&scene->w, "RMPOLLINTERVAL 30\n", "3 procs=4", "", running,
		   "A procs=2; B procs=2; C procs=2", NOW);
	for (uint32_t j = 0; j < 3; j++)
		scene->waiting[j] = (struct maui_waiting){
			.job_id = j + 1,
			.fingerprint = j < 2 ? ALIKE : OTHER,
			.request = scene->w.snapshot->idle[j].request,
		};
	scene->view = (struct maui_refusal_view){ .snapshot = scene->w.snapshot,
						  .waiting = scene->waiting,
						  .arena = &scene->arena,
						  .now_s = NOW };
}

static void drop_scene(struct scene *scene)
{
	maui_arena_clear(&scene->arena);
	world_finish(&scene->w);
}

/* The start of job A on n1 is refused. Returns when it may be tried again. */
static int64_t refuse_n1(struct scene *scene, bool never_there, bool reserved)
{
	const struct maui_place place = { .node = 1, .tasks = 2 };
	const uint32_t id = scene->w.snapshot->nodes[1].id;

	return maui_refused_nodes_add(&scene->refused, &scene->view,
				      &(struct maui_refused_start){ .nodes = &id,
								    .places = &place,
								    .node_count = 1,
								    .never_there = never_there,
								    .reserved = reserved });
}

/* The nodes that are refused to an idle job now. */
static uint32_t refused_count(struct scene *scene, uint32_t job)
{
	maui_refused_nodes_apply(&scene->refused, &scene->view);
	return scene->w.snapshot->requests[scene->w.snapshot->idle[job].request].refused_count;
}

Test(refused_nodes, are_kept_from_equal_jobs_only)
{
	struct scene scene = { 0 };

	set_scene(&scene, "r nodes=n1 procs=1 end=1050");
	cr_expect(refuse_n1(&scene, false, false) == NOW + 1, "tried again after a second");
	cr_expect(refused_count(&scene, 0) == 1, "A");
	cr_expect(refused_count(&scene, 1) == 1, "B, which is like A");
	cr_expect(refused_count(&scene, 2) == 0, "C");
	drop_scene(&scene);
	maui_refused_nodes_finish(&scene.refused);
}

Test(refused_nodes, pause_for_a_second_then_two_then_four)
{
	struct scene scene = { 0 };

	set_scene(&scene, "");
	for (unsigned tries = 0; tries < 6; tries++)
		cr_expect(refuse_n1(&scene, false, false) == NOW + (tries < 4 ? 1 << tries : 16),
			  "try %u", tries);
	cr_expect(scene.refused.count == 1, "the same nodes are one refusal");
	drop_scene(&scene);
	maui_refused_nodes_finish(&scene.refused);
}

Test(refused_nodes, that_would_refuse_even_if_empty_are_kept_for_five_minutes)
{
	struct scene scene = { 0 };

	set_scene(&scene, "");
	cr_expect(refuse_n1(&scene, true, false) == NOW + 300, "later");
	drop_scene(&scene);
	maui_refused_nodes_finish(&scene.refused);
}

Test(refused_nodes, are_free_again_when_a_job_on_them_has_ended)
{
	struct scene before = { 0 }, after = { 0 };

	set_scene(&before, "r nodes=n1 procs=1 end=1050");
	refuse_n1(&before, false, false);
	set_scene(&after, "");
	after.refused = before.refused;
	cr_expect(maui_refused_nodes_review(&after.refused, &after.view) == 0, "none is left");
	cr_expect(refused_count(&after, 0) == 0, "A may use n1");
	drop_scene(&before);
	drop_scene(&after);
	maui_refused_nodes_finish(&after.refused);
}

Test(refused_nodes, stay_refused_while_nothing_on_them_ends)
{
	struct scene scene = { 0 };

	set_scene(&scene, "r nodes=n1 procs=1 end=1050");
	refuse_n1(&scene, false, true);
	cr_expect(maui_refused_nodes_review(&scene.refused, &scene.view) == NOW + 1, "next try");
	scene.view.now_s = NOW + 1;
	cr_expect(refused_count(&scene, 0) == 0, "a second later A is tried again");
	scene.view.now_s = NOW + 62;
	maui_refused_nodes_review(&scene.refused, &scene.view);
	cr_expect(scene.refused.count == 0, "a minute later the refusal is forgotten");
	drop_scene(&scene);
	maui_refused_nodes_finish(&scene.refused);
}

Test(refused_nodes, of_another_node_table_are_forgotten)
{
	struct scene scene = { 0 };

	set_scene(&scene, "");
	refuse_n1(&scene, false, false);
	scene.view.table = 1;
	maui_refused_nodes_review(&scene.refused, &scene.view);
	cr_expect(scene.refused.count == 0, "slurmctld read its nodes again");
	drop_scene(&scene);
	maui_refused_nodes_finish(&scene.refused);
}
