/* SPDX-License-Identifier: GPL-2.0-or-later */
/* case_plan.c - plans of random clusters, what is made of them, and what explains their jobs
 *
 * The planner stays from trial to trial, as in slurmctld.
 */

#include "cases.h"

#include <stdlib.h>
#include <string.h>

#include "../prop/prop_saved.h"
#include "explain/advice.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "plan/finished.h"

static struct maui_planner *planner;
static struct maui_config *config;
static struct maui_snapshot *snapshot;
static struct maui_usage_view *view;
static struct maui_standing_input standing;
static struct maui_saved_plan carried; /* what an earlier plan left */
static struct maui_decisions before;   /* of that plan, with the nodes that are carried over */
static struct maui_arena carried_arena;
static const struct maui_job_reservation *carried_job_rsvs;

/* What a trial makes. */
static struct maui_arena arena;
static struct maui_fs_table *table;
static struct maui_usage usage;
static struct maui_decisions decisions;
static struct maui_plan *finished;
static struct maui_explainer *explainer;
static struct maui_strbuf told;
static struct maui_saved_plan read_plan;
static struct maui_strbuf written;

static void make_planner(void)
{
	planner = maui_planner_create();
	if (!planner)
		memory_broken("no planner");
}

/* One plan, so that the next one has instances and job reservations to carry over. */
static void prepare(unsigned variant)
{
	seeds_state = prop_seed = memory_seed * 16 + variant;
	view = draw_usage();
	draw_all();
	config = draw_config();
	snapshot = prop_pour(&recipe, PROP_IDLE, true);
	make_planner();
	carried = (struct maui_saved_plan){ .now_s = PROP_NOW,
					    .chunk_until_s = PROP_NOW + 10,
					    .snapshot = snapshot,
					    .rsvs = rsv_list + own_count,
					    .rsv_count = rsv_count - own_count,
					    .usage = view,
					    .config_path = "maui.cfg",
					    .config_text = config->text,
					    .config_length = config->text_length };
	plan(planner, config, &carried, &before);
	keep(&carried, &before);
	standing = (struct maui_standing_input){ .list = rsv_list,
						 .count = rsv_count,
						 .res_depth = config->res_depth };
	fill_standing(&carried, &standing, &carried_arena);
	carried_job_rsvs = carried.job_rsv_count > 0 ?
				   maui_job_reservations_of_plan(&carried, &carried_arena) :
				   NULL;
}

static int make_plan(struct maui_err *err)
{
	struct maui_plan_input input = { .config = config,
					 .snapshot = snapshot,
					 .now_s = carried.now_s,
					 .chunk_until_s = carried.chunk_until_s,
					 .job_rsv_count = carried.job_rsv_count,
					 .want_windows = true,
					 .want_reasons = true };
	struct maui_standing_targets *targets;

	if (maui_standing_targets(snapshot, rsv_list, rsv_count, &arena, &targets, err))
		return -1;
	standing.targets = targets;
	input.standing = standing.count > 0 ? &standing : NULL;
	if (maui_usage_restore(view, &usage))
		return maui_err_no_memory(err);
	table = maui_fs_table_create(&usage, config, PROP_NOW);
	if (!table)
		return maui_err_no_memory(err);
	input.usage = table;
	input.job_rsvs = carried_job_rsvs;
	return maui_plan(planner, &input, &decisions, err);
}

static void show_plan(struct maui_strbuf *out)
{
	prop_dump(out, snapshot, &decisions);
}

static void drop_input(void)
{
	maui_decisions_finish(&decisions);
	maui_fs_table_destroy(table);
	maui_usage_finish(&usage);
	table = NULL;
	maui_arena_finish(&arena);
}

/* The planner forgets only what the next plan replaces anyway, except what it looks up again. */
static void drop_plan(void)
{
	drop_input();
	maui_planner_destroy(planner);
	make_planner();
}

static void end(void)
{
	maui_planner_destroy(planner);
	maui_snapshot_destroy(snapshot);
	maui_config_unref(config);
	maui_usage_view_unref(view);
	maui_decisions_finish(&before);
	maui_arena_finish(&carried.arena);
	maui_arena_finish(&carried_arena);
}

/* ---- the same planner, which a plan without memory leaves fit for the next one ---- */

static int act_again(struct maui_err *err)
{
	int rc = make_plan(err);

	return rc ? rc : (maui_plan_usage(planner) ? maui_err_no_memory(err) : 0);
}

static void show_usage(struct maui_strbuf *out)
{
	prop_dump(out, snapshot, &decisions);
	for (uint32_t i = 0; i < decisions.instance_count; i++)
		maui_strbuf_addf(out, "%lld %lld %lld %d\n",
				 (long long)decisions.instances[i].reserved_procs,
				 (long long)decisions.instances[i].used_procs,
				 (long long)decisions.instances[i].idle_procs,
				 decisions.instances[i].in_use);
}

static void drop_again(void)
{
	drop_input();
	maui_planner_rest(planner);
}

/* ---- the plan behind one that failed, by the same planner: as if none had failed ---- */

static int act_behind(struct maui_err *err)
{
	if (make_plan(err) == 0)
		return 0;
	drop_input();
	return make_plan(err);
}

/* ---- a finished plan and what is asked about it ---- */

static int explain_once(uint32_t job, struct maui_err *err)
{
	struct maui_explanation e;
	struct maui_start_time start;
	char cause[256];
	uint32_t least;

	if (maui_explain_short(explainer, job, &e))
		return maui_err_no_memory(err);
	maui_strbuf_addf(&told, "%s: ", maui_explain_cause(&e, cause, sizeof(cause)));
	if (maui_explain_job(explainer, job, &e) || maui_explain_all(&e, &told) ||
	    maui_explain_never(&e, &told) || maui_explain_start(explainer, job, &start) ||
	    maui_explain_least_nodes(explainer, job, &least))
		return maui_err_no_memory(err);
	maui_strbuf_addf(&told, "%lld %u\n", (long long)start.when_s, least);
	return told.failed ? maui_err_no_memory(err) : 0;
}

/* An answer that failed is asked for again. */
static int explain(uint32_t job, struct maui_err *err)
{
	size_t so_far = told.length;

	if (explain_once(job, err) == 0)
		return 0;
	told.length = so_far;
	told.failed = false;
	return explain_once(job, err);
}

static int act_explain(struct maui_err *err)
{
	if (make_plan(err))
		return -1;
	finished = maui_plan_finish(planner, snapshot, 8);
	explainer = finished ? maui_explainer_create(finished) : NULL;
	if (!explainer)
		return maui_err_no_memory(err);
	for (uint32_t job = 0; job < snapshot->idle_count; job++)
		if (explain(job, err))
			return -1;
	return 0;
}

static void show_explained(struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "%s", told.text ? told.text : "nothing");
}

static void drop_explained(void)
{
	maui_explainer_destroy(explainer);
	explainer = NULL;
	if (finished)
		decisions = (struct maui_decisions){ 0 };
	maui_plan_unref(finished);
	finished = NULL;
	maui_strbuf_finish(&told);
	drop_plan();
}

/* ---- a plan's input, saved and read ---- */

static int act_saved(struct maui_err *err)
{
	maui_saved_plan_write(&carried, &written);
	if (written.failed)
		return maui_err_no_memory(err);
	return maui_saved_plan_read(written.text, written.length, &read_plan, err);
}

static void show_saved(struct maui_strbuf *out)
{
	struct maui_strbuf again = { 0 };

	maui_saved_plan_write(&read_plan, &again);
	maui_strbuf_addf(out, "%.*s", (int)fairshare_at(again.text), again.text);
	maui_strbuf_finish(&again);
}

static void drop_saved(void)
{
	maui_strbuf_finish(&written);
	maui_saved_plan_finish(&read_plan);
	read_plan = (struct maui_saved_plan){ 0 };
}

const struct memory_case memory_plan_cases[] = {
	{ "plan", prepare, 6, make_plan, show_plan, drop_plan, end },
	{ "plan-again", prepare, 6, act_again, show_usage, drop_again, end },
	{ "plan-behind", prepare, 6, act_behind, show_plan, drop_plan, end },
	{ "explain", prepare, 6, act_explain, show_explained, drop_explained, end },
	{ "saved-plan", prepare, 3, act_saved, show_saved, drop_saved, end },
	{ NULL, NULL, 0, NULL, NULL, NULL, NULL },
};
