/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_whatif.c - the job of maui whatif --job is the one that maui fits answers about
 *
 * Each set of options is asked of fits, and added by whatif to the same cluster and planned: both
 * say the same moment, with any defaults of the partition.
 *
 * Rules: CMD-41, CMD-53.
 */

#include "cmd/whatif.h"

#include <stdio.h>
#include <stdlib.h>

#include "answers/document_publish.h"
#include "answers/answer.h"
#include "ask.h"
#include "plan/finished.h"
#include "plan/plan.h"

enum { NODES = 4, PROCS = 16, MEM = 64000, HOUR = 3600, GPU = MAUI_AMOUNT_FIXED, A100, V100, ALL };

static const int64_t now_s = INT64_C(1795428000);

/* Four nodes: one has a job for an hour, two have a100s, two have v100s. */
static struct maui_snapshot *make_cluster(const struct maui_partition *partition)
{
	static const int64_t haves[][ALL] = { { PROCS, MEM, [GPU] = 4, [A100] = 4 },
					      { PROCS, MEM, [GPU] = 2, [V100] = 2 } };
	static const int64_t held[ALL] = { 4, 8000, [GPU] = 1, [A100] = 1 };
	static const uint32_t member = 0;
	static const struct maui_piece piece = { .node = 0, .amounts = held };
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "bob", [MAUI_CRED_CLASS] = "p" };
	struct maui_snapshot *s = maui_snapshot_create(ALL);
	struct maui_active active = { .id = 1,
				      .start_s = now_s - HOUR,
				      .end_s = now_s + HOUR,
				      .pieces = &piece,
				      .piece_count = 1,
				      .procs = 4,
				      .job = { .nodes = 1, .procs = 4 } };

	maui_snapshot_name_amount(s, GPU, "gpu");
	maui_snapshot_name_amount(s, A100, "gpu:a100");
	maui_snapshot_name_amount(s, V100, "gpu:v100");
	maui_snapshot_add_partition(s, partition);
	for (uint32_t i = 0; i < NODES; i++) {
		char name[8];

		snprintf(name, sizeof(name), "n%u", i);
		maui_snapshot_add_node(s, &(struct maui_node){ .id = i,
							       .name = name,
							       .have = haves[i >= NODES / 2],
							       .partitions = &member,
							       .partition_count = 1,
							       .unit = 1 });
	}
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	s->totals.procs = NODES * PROCS;
	active.creds = (uint32_t)maui_snapshot_creds(s, cred);
	cr_assert(maui_snapshot_add_active(s, &active) >= 0);
	return s;
}

static struct maui_config *make_config(void)
{
	static const char text[] = "RESERVATIONDEPTH 1\nUSERCFG[ann] MAXNODE=3 MAXMEM=200000\n"
				   "USERCFG[eve] MAXGPU=3\nUSERCFG[bob] MAXNODE=1\n";
	struct maui_diags diags = { 0 };
	struct maui_config *config =
		maui_config_parse("maui.cfg", text, strlen(text), NULL, &diags);

	maui_diags_finish(&diags);
	cr_assert(config);
	return config;
}

static struct maui_plan *plan_of(struct maui_snapshot *s, const struct maui_config *config,
				 struct maui_decisions *ret)
{
	struct maui_planner *planner = maui_planner_create();
	const struct maui_plan_input input = {
		.config = config, .snapshot = s, .now_s = now_s, .want_reasons = true
	};
	struct maui_plan *plan;
	struct maui_err err;

	cr_assert(maui_plan(planner, &input, ret, &err) == 0, "%s", err.text);
	plan = maui_plan_finish(planner, s, 1);
	cr_assert(plan);
	maui_planner_destroy(planner);
	return plan;
}

/* When the job starts, as fits says. */
static int64_t ask_fits(const struct maui_partition *partition, const struct maui_fits_args *args)
{
	static const struct maui_document_idle none;
	struct maui_snapshot *s = make_cluster(partition);
	struct maui_config *config = make_config();
	struct maui_decisions decisions = { 0 };
	struct maui_plan *plan = plan_of(s, config, &decisions);
	struct maui_document *p = maui_document_create(now_s, "test");
	struct maui_query_error error = { 0 };
	json_object *root, *shape, *earliest;
	int64_t start_s = MAUI_NEVER;

	maui_document_nodes(p, s);
	maui_document_set_plan(p, plan, &none);
	root = ask_verb(&maui_verb_fits, maui_answer_fits, p, 0, args, &error);
	cr_assert(root, "%s", error.err.text);
	shape = member(json_object_array_get_idx(member(root, "partitions"), 0), "shape");
	earliest = member(shape, "earliest");
	if (json_object_get_boolean(member(shape, "starts_now")))
		start_s = now_s;
	else if (json_object_is_type(earliest, json_type_string))
		cr_assert_fail("a text");
	else if (!json_object_is_type(earliest, json_type_null))
		start_s = json_object_get_int64(earliest);
	json_object_put(root);
	maui_document_unref(p);
	maui_plan_unref(plan);
	maui_decisions_finish(&decisions);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
	return start_s;
}

/* The same in the first plan of whatif. */
static int64_t ask_whatif(const struct maui_partition *partition, const struct maui_fits_args *args)
{
	struct maui_snapshot *s = make_cluster(partition);
	struct maui_config *config = make_config();
	struct maui_saved_plan saved = { .now_s = now_s, .snapshot = s };
	struct maui_whatif w = { .job = args, .config = config };
	struct maui_decisions decisions = { 0 };
	struct maui_plan *plan;
	struct maui_err err;
	int64_t start_s;

	cr_assert(maui_whatif_change(&saved, &w, &err) == 0, "%s", err.text);
	cr_assert(s->idle_count == 1);
	plan = plan_of(s, config, &decisions);
	start_s = plan->decisions.verdicts[0].started ? now_s :
							plan->decisions.verdicts[0].estimate_s;
	maui_plan_unref(plan);
	maui_decisions_finish(&decisions);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
	maui_whatif_finish(&w);
	return start_s;
}

static const struct maui_partition partitions[] = {
	{ .name = "p" },
	{ .name = "p", .whole_nodes = true },
	{ .name = "p", .whole_nodes = true, .mem_per_cpu = 4000 },
	{ .name = "p", .sole_user = true },
	{ .name = "p", .mem_per_cpu = 8000 },
	{ .name = "p", .mem_per_node = 60000 },
	{ .name = "p", .all_memory = true },
	{ .name = "p", .memory_uncounted = true },
};

static const struct maui_fits_memory all = { 0 }, most = { .mem = 60000 }, by_cpu = { 0, 5000 };

#define JOB(...)                                          \
	{                                                 \
		.user = "ann", .limit = HOUR, __VA_ARGS__ \
	}

static const struct maui_fits_args jobs[] = {
	JOB(.tasks = 1),
	JOB(.tasks = 17),
	JOB(.tasks = 60),
	JOB(.nodes = 3),
	JOB(.nodes = 4, .memory = &all),
	JOB(.nodes = 3, .memory = &all),
	JOB(.nodes = 1, .nodes_max = 4, .tasks = 40, .memory = &all),
	JOB(.tasks = 40, .memory = &most),
	JOB(.tasks = 12, .memory = &by_cpu),
	JOB(.tasks = 8, .cpus_per_task = 4, .memory = &by_cpu),
	JOB(.nodes = 2, .whole_nodes = true),
	JOB(.nodes = 2, .gres = "gpu:a100:4"),
	JOB(.nodes = 1, .gres = "gpu:a100:3"),
	JOB(.nodes = 2, .gres = "gpu:v100:2", .memory = &all),
	JOB(.tasks = 4, .gpus = "gpu:v100:4"),
	JOB(.tasks = 1, .gpus = "gpu:a100:8"),
	JOB(.nodes = 1, .gpus = "gpu:3"),
	{ .user = "bob", .limit = HOUR, .tasks = 1 },
	{ .user = "eve", .limit = HOUR, .nodes = 1, .gres = "gpu:v100:2" },
	{ .user = "eve", .limit = HOUR, .nodes = 2, .gres = "gpu:v100:2" },
};

Test(whatif, the_job_is_that_of_fits)
{
	for (size_t i = 0; i < sizeof(partitions) / sizeof(partitions[0]); i++)
		for (size_t k = 0; k < sizeof(jobs) / sizeof(jobs[0]); k++) {
			int64_t fits_s = ask_fits(&partitions[i], &jobs[k]);
			int64_t whatif_s = ask_whatif(&partitions[i], &jobs[k]);

			cr_expect(fits_s == whatif_s, "partition %zu, job %zu: %lld, not %lld", i,
				  k, (long long)whatif_s, (long long)fits_s);
		}
}

/* Slurm would not start it, so a simulation of it would mislead. */
Test(whatif, a_partition_that_is_down_is_refused)
{
	static const struct maui_partition down = { .name = "p", .down = true };
	struct maui_snapshot *s = make_cluster(&down);
	struct maui_config *config = make_config();
	struct maui_saved_plan saved = { .now_s = now_s, .snapshot = s };
	struct maui_whatif w = { .job = &jobs[0], .config = config };
	struct maui_err err;

	cr_expect(maui_whatif_change(&saved, &w, &err) == -1);
	cr_expect_str_eq(err.text, "--job: partition 'p': the partition starts no jobs now");
	maui_snapshot_destroy(s);
	maui_config_unref(config);
	maui_whatif_finish(&w);
}
