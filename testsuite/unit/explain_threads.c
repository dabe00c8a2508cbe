/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain_threads.c - several threads ask one finished plan at once
 *
 * Each explains every job, takes and gives up references, and must hear what one thread alone
 * hears. Run under ThreadSanitizer by explain-threads, which reports what they would share.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/text.h"
#include "plan/plan.h"
#include "reservation/access/access.h"

enum { NODES = 64, JOBS = 48, RSVS = 3, THREADS = 4, ROUNDS = 3 };

static struct maui_plan *plan;
static char *expected[JOBS];
static unsigned differ;

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "explain_threads: %s\n", what);
	exit(1);
}

static char *explain(struct maui_explainer *x, uint32_t job)
{
	struct maui_strbuf text = { 0 };
	struct maui_explanation e;

	check(maui_explain_job(x, job, &e) == 0, "no memory for an explanation");
	e.now_s = 1;
	check(maui_explain_all(&e, &text) == 0, "no memory for its text");
	maui_strbuf_addf(&text, "%s", "");
	return maui_strbuf_steal(&text);
}

static void *ask(void *data)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct maui_plan *own = maui_plan_ref(plan);
		struct maui_explainer *x = maui_explainer_create(own);

		check(x != NULL, "no memory for an explainer");
		for (uint32_t j = 0; j < JOBS; j++) {
			char *text = explain(x, j);

			if (strcmp(text, expected[j]) != 0)
				__atomic_add_fetch(&differ, 1, __ATOMIC_RELAXED);
			free(text);
		}
		maui_explainer_destroy(x);
		maui_plan_unref(own);
	}
	return data;
}

static struct maui_snapshot *make_cluster(void)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	const int64_t have[] = { 4, 1000, 0 };
	const struct maui_partition partition = { .name = "batch" };
	const uint32_t member = 0;

	check(s && maui_snapshot_add_partition(s, &partition) == 0, "no memory for a cluster");
	for (uint32_t n = 0; n < NODES; n++) {
		char name[16];
		const struct maui_node node = { .id = n,
						.name = name,
						.have = have,
						.partitions = &member,
						.partition_count = 1 };

		snprintf(name, sizeof(name), "n%u", n);
		check(maui_snapshot_add_node(s, &node) >= 0, "no memory for a node");
	}
	s->totals = (struct maui_totals){ 4.0 * NODES, 1000.0 * NODES, 0, 0 };
	check(maui_snapshot_seal(s, NULL) == 0, "the snapshot is not sealed");
	return s;
}

/* Some run inside reservations, some name one, some are too long for one. */
static void add_jobs(struct maui_snapshot *s)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_CLASS] = "batch" };
	struct maui_row row = { .partition = 0 };

	for (uint32_t j = 0; j < JOBS; j++) {
		const struct maui_request request = { .nodes_min = 1 + j % 40,
						      .procs_per_task = 1 + j % 4 };
		struct maui_idle idle = { .id = j + 1,
					  .copies = 1,
					  .rows = &row,
					  .row_count = 1,
					  .limit_s = 600 * (1 + j % 9),
					  .procs = (1 + j % 40) * (1 + j % 4),
					  .advres = j % 5 == 4 ? "r1" : NULL };

		cred[MAUI_CRED_USER] = j % 3 ? "ann" : "bob";
		row.creds = (uint32_t)maui_snapshot_creds(s, cred);
		idle.request = (uint32_t)maui_snapshot_request(s, &request);
		check(maui_snapshot_add_idle(s, &idle) >= 0, "no memory for a job");
	}
}

static void make_plan(struct maui_arena *arena)
{
	static struct maui_acl_entry ann = { .kind = MAUI_CRED_USER, .name = "ann" };
	static char names[RSVS][4], hosts[RSVS][16];
	static struct maui_rsv rsvs[RSVS];
	static const struct maui_rsv *list[RSVS];
	struct maui_standing_input standing = { .list = list, .count = RSVS };
	struct maui_standing_targets *targets;
	struct maui_planner *planner = maui_planner_create();
	struct maui_snapshot *s = make_cluster();
	struct maui_diags diags = { 0 };
	struct maui_config *config = maui_config_parse("maui.cfg", "", 0, NULL, &diags);
	const struct maui_plan_input input = {
		.config = config, .snapshot = s, .standing = &standing, .want_reasons = true
	};
	struct maui_decisions decisions = { 0 };
	struct maui_err err;

	for (int i = 0; i < RSVS; i++) {
		snprintf(names[i], sizeof(names[i]), "r%d", i);
		snprintf(hosts[i], sizeof(hosts[i]), "n[%d-%d]", i * 20, i * 20 + 19);
		list[i] = &rsvs[i];
		rsvs[i] = (struct maui_rsv){ .name = names[i],
					     .owner_kind = -1,
					     .hosts = hosts[i],
					     .task = { .procs = i == 1 ? 2 : -1 },
					     .period = MAUI_RSV_ONCE,
					     .start_s = i * 1800,
					     .end_s = i == 2 ? MAUI_NEVER : 7200,
					     .depth = 1,
					     .acl = { .list = &ann, .count = 1 } };
	}
	add_jobs(s);
	check(planner && config && maui_standing_targets(s, list, RSVS, arena, &targets, &err) == 0,
	      "no memory for a plan");
	standing.targets = targets;
	check(maui_plan(planner, &input, &decisions, &err) == 0, "no plan");
	plan = maui_plan_finish(planner, s, 4);
	check(plan != NULL, "no memory for a finished plan");
	maui_planner_destroy(planner);
	maui_snapshot_destroy(s); /* the plan keeps both */
	maui_config_unref(config);
	maui_diags_finish(&diags);
}

int main(void)
{
	struct maui_arena arena = { 0 };
	struct maui_explainer *x;
	pthread_t threads[THREADS];

	setenv("TZ", "UTC", 1);
	make_plan(&arena);
	x = maui_explainer_create(plan);
	check(x != NULL, "no memory for an explainer");
	for (uint32_t j = 0; j < JOBS; j++)
		expected[j] = explain(x, j);
	maui_explainer_destroy(x);
	for (int i = 0; i < THREADS; i++)
		check(pthread_create(&threads[i], NULL, ask, NULL) == 0, "no thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	maui_plan_unref(plan);
	maui_arena_finish(&arena);
	for (uint32_t j = 0; j < JOBS; j++)
		free(expected[j]);
	printf("%d threads explained %d jobs %d times, %u answers differ\n", THREADS, JOBS, ROUNDS,
	       differ);
	return differ > 0;
}
