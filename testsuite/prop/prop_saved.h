/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_saved.h - random input of plans with everything that is saved: clusters with jobs,
 * reservations of maui.cfg and of setres, released instances, job reservations, fairshare windows
 */
#ifndef MAUI_TESTSUITE_PROP_SAVED_H
#define MAUI_TESTSUITE_PROP_SAVED_H

#include "prop_rsv.h"

#include <time.h>

#include "cycle/job_reservations.h"
#include "policy/fairshare.h"
#include "prop_dump.h"
#include "reservation/placement/placement.h"
#include "state/saved_plan/saved_plan.h"

static const struct maui_rsv *own_rsvs[RSVS]; /* of maui.cfg */
static uint32_t own_count;

/* Reservations of maui.cfg first: a saved plan has those of setres only. */
static void order_rsvs(void)
{
	uint32_t count = 0;

	own_count = 0;
	for (uint32_t i = 0; i < rsv_count; i++)
		if (rsvs[i].period != MAUI_RSV_ONCE)
			own_rsvs[own_count++] = rsv_list[count++] = &rsvs[i];
	for (uint32_t i = 0; i < rsv_count; i++)
		if (rsvs[i].period == MAUI_RSV_ONCE)
			rsv_list[count++] = &rsvs[i];
}

static void draw_all(void)
{
	prop_draw(&recipe);
	prop_draw_preemption(&recipe);
	prop_draw_answers(&recipe);
	prop_draw_hets(&recipe);
	rsv_count = prop_pick(RSVS + 1);
	for (uint32_t n = 0; n < recipe.node_count; n++) {
		snprintf(node_names[n], sizeof(node_names[n]), "n%u", n);
		recipe.nodes[n].node.name = node_names[n];
	}
	for (uint32_t i = 0; i < rsv_count; i++)
		draw_rsv(i);
	order_rsvs();
	for (uint32_t j = 0; j < recipe.idle_count; j++) {
		struct maui_idle *idle = &recipe.idle[j].idle;

		idle->advres =
			rsv_count > 0 && prop_pick(6) == 0 ? rsvs[prop_pick(rsv_count)].name : NULL;
		/* of jobs and tasks of arrays, as slurmctld numbers them */
		idle->order = (uint64_t)(4000000000u + prop_pick(3)) << 32 | prop_pick(3);
		idle->job.bypass = prop_pick(5);
		idle->job.system_priority = prop_pick(9) ? 0 : 1 + (int)prop_pick(1000);
		idle->nice = prop_pick(3) ? 0 : prop_pick(100) - 50;
		idle->priority_given = prop_pick(8) == 0;
		idle->in_reservation = prop_pick(8) == 0;
		recipe.idle[j].rows[0].priority = prop_pick(1000);
	}
}

static struct maui_config *draw_config(void)
{
	static const char *const policies[] = { "FIRSTFIT", "BESTFIT", "GREEDY", "NONE",
						"PREEMPT" };
	static const char *const orders[] = { "FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE",
					      "PRIORITY",       "CPULOAD",       "CONTIGUOUS",
					      "MAXBALANCE",     "FASTEST",       "SLURM" };
	struct maui_strbuf text = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config;

	maui_strbuf_addf(&text, "BACKFILLPOLICY %s\nRESERVATIONDEPTH %u\n", word(policies, 5),
			 prop_pick(5));
	maui_strbuf_addf(&text, "NODEALLOCATIONPOLICY %s\nRESERVATIONPOLICY %s\n", word(orders, 9),
			 prop_pick(2) ? "HIGHEST" : "CURRENTHIGHEST");
	maui_strbuf_addf(&text, "FSPOLICY DEDICATEDPS\nFSINTERVAL 100\nFSDEPTH 3\nFSDECAY 0.7\n"
				"FSWEIGHT 1\nFSUSERWEIGHT 10\nUSERCFG[DEFAULT] FSTARGET=20\n");
	maui_strbuf_addf(&text, "SERVICEWEIGHT 1\nQUEUETIMEWEIGHT 1\nBYPASSWEIGHT 3\n");
	if (prop_pick(4) == 0)
		maui_strbuf_addf(&text, "USERCFG[ann] MAXPROC=%u\n", 2 + prop_pick(20));
	if (prop_pick(4) == 0)
		maui_strbuf_addf(&text, "BFCHUNKSIZE 4\nBFCHUNKDURATION 100\n");
	config = maui_config_parse("maui.cfg", text.text, text.length, NULL, &diags);
	PROP_CHECK(config, "%s", text.text);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&text);
	return config;
}

static struct maui_usage_view *draw_usage(void)
{
	static const char *const users[] = { "ann", "bob", "eve", "\"d\\rew\n" };
	struct maui_usage usage = { 0 };
	struct maui_usage_view *view;

	for (unsigned i = prop_pick(4); i > 0; i--) {
		struct maui_usage_window *w = maui_usage_window(&usage, 1000 - 100 * i, 100);

		for (unsigned u = 0; u < 4; u++)
			if (prop_pick(3)) {
				double value = prop_pick(100000) / 7.0;

				maui_usage_add(w, MAUI_CRED_USER, users[u], value);
				w->total += value;
			}
	}
	view = maui_usage_view_create(&usage, NULL);
	maui_usage_finish(&usage);
	return view;
}

/* ---- from a saved plan to the input of a plan ---- */

static struct maui_fs_table *usage_table(const struct maui_usage_view *view,
					 const struct maui_config *config)
{
	struct maui_usage usage = { 0 };
	struct maui_fs_table *table;

	PROP_CHECK(maui_usage_restore(view, &usage) == 0, "usage");
	table = maui_fs_table_create(&usage, config, PROP_NOW);
	maui_usage_finish(&usage);
	return table;
}

static int64_t find_rsv(const struct maui_rsv *const *list, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(list[i]->name, name) == 0)
			return i;
	return -1;
}

/* Instances and releases, by the index of their reservation. */
static void fill_standing(const struct maui_saved_plan *p, struct maui_standing_input *standing,
			  struct maui_arena *arena)
{
	struct maui_rsv_instance *before =
		maui_arena_alloc(arena, (p->instance_count + 1) * sizeof(*before));
	struct maui_standing_skip *skips =
		maui_arena_alloc(arena, (p->release_count + 1) * sizeof(*skips));

	for (uint32_t i = 0; i < p->instance_count; i++) {
		const struct maui_saved_instance *from = &p->instances[i];

		before[i] = (struct maui_rsv_instance){
			.rsv = (uint32_t)find_rsv(standing->list, standing->count, from->rsv),
			.day = from->day,
			.start_s = from->start_s,
			.end_s = from->end_s,
			.places = (struct maui_rsv_place *)from->places,
			.place_count = from->place_count,
			.made = from->made,
		};
	}
	for (uint32_t i = 0; i < p->release_count; i++)
		skips[i] = (struct maui_standing_skip){
			(uint32_t)find_rsv(standing->list, standing->count, p->releases[i].rsv),
			p->releases[i].day
		};
	standing->before = before;
	standing->before_count = p->instance_count;
	standing->skips = skips;
	standing->skip_count = p->release_count;
}

static void plan(struct maui_planner *with, const struct maui_config *config,
		 const struct maui_saved_plan *p, struct maui_decisions *ret)
{
	const struct maui_rsv *list[RSVS];
	struct maui_standing_input standing = { .list = list, .res_depth = config->res_depth };
	struct maui_standing_targets *targets;
	struct maui_plan_input input = { .config = config,
					 .snapshot = p->snapshot,
					 .now_s = p->now_s,
					 .chunk_until_s = p->chunk_until_s,
					 .job_rsv_count = p->job_rsv_count,
					 .want_windows = true,
					 .want_reasons = true };
	struct maui_fs_table *table = usage_table(p->usage, config);
	struct maui_arena arena = { 0 };
	struct maui_err err = { .text = "" };

	memcpy(list, own_rsvs, sizeof(own_rsvs));
	standing.count = own_count;
	for (uint32_t i = 0; i < p->rsv_count; i++)
		list[standing.count++] = p->rsvs[i];
	fill_standing(p, &standing, &arena);
	PROP_CHECK(maui_standing_targets((struct maui_snapshot *)p->snapshot, list, standing.count,
					 &arena, &targets, &err) == 0,
		   "%s", err.text);
	standing.targets = targets;
	input.usage = table;
	input.standing = standing.count > 0 ? &standing : NULL;
	input.job_rsvs = maui_job_reservations_of_plan(p, &arena);
	PROP_CHECK(input.job_rsvs, "memory");
	PROP_CHECK(maui_plan(with, &input, ret, &err) == 0, "%s", err.text);
	maui_fs_table_destroy(table);
	maui_arena_finish(&arena);
}

/* ---- what a plan leaves ---- */

static struct maui_saved_instance instances[RSVS * 8];
static struct maui_saved_job_rsv job_rsvs[PROP_IDLE * 5];
static struct maui_saved_release releases[1];

static const struct maui_rsv_place *copy_places(const struct maui_place *places, uint32_t count,
						struct maui_arena *arena)
{
	struct maui_rsv_place *copy = maui_arena_alloc(arena, (count + 1) * sizeof(*copy));

	for (uint32_t i = 0; i < count; i++)
		copy[i] = (struct maui_rsv_place){ places[i].node, places[i].tasks };
	return copy;
}

static void keep(struct maui_saved_plan *p, const struct maui_decisions *d)
{
	for (uint32_t i = 0; i < d->instance_count; i++) {
		const struct maui_rsv_instance *from = &d->instances[i];

		PROP_CHECK(i < RSVS * 8, "instances");
		instances[i] = (struct maui_saved_instance){ rsv_list[from->rsv]->name,
							     from->day,
							     from->start_s,
							     from->end_s,
							     from->places,
							     from->place_count,
							     from->made };
	}
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *from = &d->reservations[i];
		const struct maui_idle *idle = &p->snapshot->idle[from->job];

		PROP_CHECK(i < PROP_IDLE * 5, "job reservations");
		job_rsvs[i] = (struct maui_saved_job_rsv){
			idle->id,          idle->rows[from->row].partition,
			from->start_s,     copy_places(from->places, from->place_count, &p->arena),
			from->place_count, from->preempting
		};
	}
	p->instances = instances;
	p->instance_count = d->instance_count;
	p->job_rsvs = job_rsvs;
	p->job_rsv_count = d->reservation_count;
	if (d->instance_count > 0 && prop_pick(4) == 0) {
		releases[0] = (struct maui_saved_release){ instances[0].rsv, instances[0].day };
		p->releases = releases;
		p->release_count = 1;
	}
	p->now_s += prop_pick(3);
}

/* Where the fairshare windows begin in a saved text: their names have no order. */
static size_t fairshare_at(const char *text)
{
	const char *at = strstr(text, "\"fairshare\":");

	return at ? (size_t)(at - text) : strlen(text);
}

#endif
