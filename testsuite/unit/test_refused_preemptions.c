/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_refused_preemptions.c - nodes on which a job preempts no other job
 *
 * Rules: PRE-8, PRE-9.
 */

#include "cycle/refused_preemptions.h"

#include "plan_world.h"

enum { NOW = 1000, ALIKE = 7, OTHER = 8, LATER = NOW + 60 };

/* Three waiting jobs, the first two alike. */
struct scene {
	struct world w;
	struct maui_arena arena;
	struct maui_waiting waiting[3];
	struct maui_answers_view view;
};

static void set_scene(struct scene *scene, const char *running, int64_t now_s)
{
	world_make(&scene->w, "RMPOLLINTERVAL 30\n", "3 procs=4", "", running,
		   "A procs=2; B procs=2; C procs=2", now_s);
	for (uint32_t j = 0; j < 3; j++)
		scene->waiting[j] = (struct maui_waiting){ .fingerprint = j < 2 ? ALIKE : OTHER };
	scene->view = (struct maui_answers_view){ .snapshot = scene->w.snapshot,
						  .waiting = scene->waiting,
						  .arena = &scene->arena,
						  .now_s = now_s };
}

static void drop_scene(struct scene *scene)
{
	maui_arena_clear(&scene->arena);
	world_finish(&scene->w);
}

/* Job A would not start on n1 although the first running job were to go. `in_vain`: the job has
 * gone. */
static void refuse_n1(struct maui_refused_preemptions *refused, struct scene *scene, bool in_vain)
{
	const uint32_t node = 1;
	const bool is_leaving[] = { true, false };

	cr_assert(maui_refused_preemptions_add(
			  refused, &scene->view,
			  &(struct maui_refused_victims){
				  .nodes = &node,
				  .node_count = 1,
				  .is_leaving = in_vain ? NULL : is_leaving }) == 0);
}

/* The nodes that an idle job spares, as text; static memory. */
static const char *spared(struct maui_refused_preemptions *refused, struct scene *scene,
			  uint32_t job)
{
	const struct maui_idle *idle = &scene->w.snapshot->idle[job];
	static char text[64];
	size_t length = 0;

	maui_refused_preemptions_review(refused, &scene->view);
	maui_refused_preemptions_apply(refused, &scene->view);
	text[0] = '\0';
	for (uint32_t i = 0; i < idle->spared_count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%u",
					   i > 0 ? "," : "", idle->spared[i]);
	return text;
}

#define TWO "v nodes=n1 procs=2 start=900 end=5000; s nodes=n1 procs=2 start=900 end=5000"

Test(refused_preemptions, hold_for_equal_jobs_only)
{
	struct maui_refused_preemptions refused = { 0 };
	struct scene scene = { 0 };

	set_scene(&scene, TWO, NOW);
	refuse_n1(&refused, &scene, false);
	cr_expect_str_eq(spared(&refused, &scene, 0), "1");
	cr_expect_str_eq(spared(&refused, &scene, 1), "1", "an equal job");
	cr_expect_str_eq(spared(&refused, &scene, 2), "", "another job");
	drop_scene(&scene);
	maui_refused_preemptions_finish(&refused);
}

static const struct {
	const char *name, *running;
	int64_t now_s;
	const char *asked, *in_vain; /* nodes that are spared then */
} later[] = {
	{ "nothing has changed", TWO, LATER, "1", "1" },
	{ "the victim has gone",
	  "x nodes=n2 procs=1 end=5000; s nodes=n1 procs=2 start=900 end=5000", LATER, "1", "" },
	{ "the job that would have stayed has ended", "v nodes=n1 procs=2 start=900 end=5000",
	  LATER, "", "" },
	{ "that job runs once more",
	  "v nodes=n1 procs=2 start=900 end=5000; s nodes=n1 procs=2 start=1010 end=5000", LATER,
	  "", "" },
	{ "a further job has started", TWO "; z nodes=n1 procs=1 start=1010 end=5000", LATER, "1",
	  "1" },
	{ "after five minutes", TWO, NOW + 300, "", "1" },
	{ "after an hour", TWO, NOW + 3600, "", "" },
	{ "the clock was set back", TWO, NOW - 7200, "", "" },
};

Test(refused_preemptions, are_over_when_a_job_that_stayed_has_ended_or_after_some_time)
{
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		for (int in_vain = 0; in_vain < 2; in_vain++) {
			struct maui_refused_preemptions refused = { 0 };
			struct scene scene = { 0 }, after = { 0 };
			const char *wanted = in_vain ? later[i].in_vain : later[i].asked, *got;

			set_scene(&scene, TWO, NOW);
			refuse_n1(&refused, &scene, in_vain);
			set_scene(&after, later[i].running, later[i].now_s);
			got = spared(&refused, &after, 0);
			cr_expect(strcmp(got, wanted) == 0, "%s, %s: spares '%s', not '%s'",
				  later[i].name, in_vain ? "in vain" : "asked", got, wanted);
			drop_scene(&scene);
			drop_scene(&after);
			maui_refused_preemptions_finish(&refused);
		}
}

Test(refused_preemptions, of_another_node_table_are_forgotten)
{
	struct maui_refused_preemptions refused = { 0 };
	struct scene scene = { 0 };

	set_scene(&scene, TWO, NOW);
	refuse_n1(&refused, &scene, false);
	scene.view.table = 1;
	cr_expect_str_eq(spared(&refused, &scene, 0), "");
	drop_scene(&scene);
	maui_refused_preemptions_finish(&refused);
}

Test(refused_preemptions, are_kept_in_bounded_memory)
{
	struct maui_refused_preemptions refused = { 0 };
	struct scene scene = { 0 };

	set_scene(&scene, TWO, NOW);
	for (uint64_t i = 0; i < 1000; i++) {
		scene.waiting[0].fingerprint = i < 500 ? i : 1000; /* the second half are equal */
		refuse_n1(&refused, &scene, false);
	}
	cr_expect(refused.count <= 256, "%zu refusals", refused.count);
	cr_expect_str_eq(spared(&refused, &scene, 0), "1", "the last one");
	drop_scene(&scene);
	maui_refused_preemptions_finish(&refused);
}
