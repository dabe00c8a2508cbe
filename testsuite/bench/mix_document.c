/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_document.c - the document of a full cluster, for benchmarks of answers */

#include "mix_document.h"

#include "answers/document_publish.h"

#include "bench.h"
#include "plan/finished.h"
#include "plan/plan.h"

static void plan(struct maui_planner *planner, struct maui_snapshot *s, struct maui_config *config,
		 struct maui_decisions *d)
{
	const struct maui_plan_input input = {
		.config = config, .snapshot = s, .now_s = BENCH_NOW, .want_reasons = true
	};
	struct maui_err err;

	if (maui_plan(planner, &input, d, &err))
		bench_die(err.text);
}

/* What the agent publishes: nodes, running jobs, job reservations, the plan. */
static struct maui_document *publish(struct maui_snapshot *s, struct maui_plan *finished)
{
	struct maui_document_idle *idle = calloc(s->idle_count + 1, sizeof(*idle));
	struct maui_document *p = maui_document_create(BENCH_NOW, "bench");

	if (!p || !idle)
		bench_die("no memory");
	maui_document_nodes(p, s);
	for (uint32_t i = 0; i < s->active_count; i++)
		maui_document_add_active(p, s, i, 1000);
	for (uint32_t i = 0; i < finished->decisions.reservation_count; i++)
		maui_document_add_job_rsv(p, s, &finished->decisions.reservations[i], 1000);
	for (uint32_t i = 0; i < s->idle_count; i++)
		idle[i] = (struct maui_document_idle){ .array_task = MAUI_NO_TASK,
						       .waiting = s->idle[i].copies,
						       .uid = 1000,
						       .name = "simulation" };
	maui_document_set_plan(p, finished, idle);
	free(idle);
	return p;
}

struct maui_document *bench_mix_document(const char *config_text, uint32_t nodes, uint32_t running,
					 uint32_t waiting, uint32_t estimates)
{
	struct maui_config *config = bench_config(config_text);
	struct maui_planner *planner = maui_planner_create();
	struct maui_decisions d = { 0 };
	struct maui_document *p;
	struct maui_snapshot *s;
	struct maui_plan *finished;

	bench_mix_begin();
	s = bench_mix_cluster(nodes);
	for (uint32_t j = 0; j < running; j++)
		bench_mix_job(s, j + 1, false);
	plan(planner, s, config, &d);
	bench_mix_activate(s, &d);
	for (uint32_t j = s->idle_count; j < waiting; j++)
		bench_mix_job(s, running + j + 1, false);
	plan(planner, s, config, &d);
	finished = maui_plan_finish(planner, s, estimates);
	if (!finished)
		bench_die("no memory");
	p = publish(s, finished);
	maui_plan_unref(finished);
	maui_decisions_finish(&d);
	maui_planner_destroy(planner);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
	return p;
}
