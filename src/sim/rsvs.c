/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsvs.c - standing reservations from plan to plan */

#include "sim/rsvs.h"

#include <string.h>

#include "base/need.h"
#include "base/strbuf.h"
#include "config/check/reservation.h"

enum {
	PATIENCE_S = 15 * 86400,       /* two weeks and a day */
	PATIENCE_RUNS_S = 400 * 86400, /* running jobs end and free their nodes */
};

/* The reservations of maui.cfg, then these. */
static void list_rsvs(struct maui_sim_rsvs *rsvs, const struct maui_config *config,
		      const struct maui_rsv *const *others, uint32_t other_count, int64_t epoch_s)
{
	size_t count = config->rsv_count + other_count;
	const struct maui_rsv **list =
		maui_need(maui_arena_alloc_list(&rsvs->arena, count, sizeof(*list)));

	for (size_t i = 0; i < config->rsv_count; i++)
		list[i] = &config->rsvs[i];
	for (uint32_t i = 0; i < other_count; i++)
		list[config->rsv_count + i] = others[i];
	rsvs->input = (struct maui_standing_input){
		.list = list,
		.count = (uint32_t)count,
		.allocation = maui_planning_rsv_allocation(&config->planning),
		.res_depth = config->res_depth,
		.clock_s = epoch_s,
	};
}

static int make_targets(struct maui_sim_rsvs *rsvs, struct maui_snapshot *snapshot,
			struct maui_err *err)
{
	struct maui_standing_targets *targets;

	if (maui_standing_targets(snapshot, rsvs->input.list, rsvs->input.count, &rsvs->arena,
				  &targets, err))
		return -1;
	rsvs->input.targets = targets;
	return 0;
}

int maui_sim_rsvs_init(struct maui_sim_rsvs *rsvs, const struct maui_config *config,
		       struct maui_snapshot *snapshot, int64_t epoch_s, struct maui_err *err)
{
	*rsvs = (struct maui_sim_rsvs){ 0 };
	if (config->rsv_count == 0)
		return 0;
	list_rsvs(rsvs, config, NULL, 0, epoch_s);
	return make_targets(rsvs, snapshot, err);
}

/* ---- from a saved plan ---- */

/* The index of a reservation, searched for from `from` on; -1: none. */
static int64_t find_rsv(const struct maui_sim_rsvs *rsvs, const char *name, uint32_t from)
{
	for (uint32_t i = 0; i < rsvs->input.count; i++) {
		uint32_t at = (from + i) % rsvs->input.count;

		if (strcmp(rsvs->input.list[at]->name, name) == 0)
			return at;
	}
	return -1;
}

static void take_instances(struct maui_sim_rsvs *rsvs, const struct maui_saved_plan *saved)
{
	struct maui_rsv_instance *list = maui_need(
		maui_arena_alloc_list(&rsvs->arena, saved->instance_count, sizeof(*list)));
	uint32_t count = 0, last = 0;

	for (uint32_t i = 0; i < saved->instance_count; i++) {
		const struct maui_saved_instance *from = &saved->instances[i];
		int64_t rsv = find_rsv(rsvs, from->rsv, last);

		if (rsv < 0)
			continue;
		last = (uint32_t)rsv;
		list[count++] = (struct maui_rsv_instance){
			.rsv = last,
			.day = from->day,
			.start_s = from->start_s,
			.end_s = from->end_s,
			.places = (struct maui_rsv_place *)from->places,
			.place_count = from->place_count,
			.made = from->made,
		};
	}
	rsvs->input.before = list;
	rsvs->input.before_count = count;
}

static void take_releases(struct maui_sim_rsvs *rsvs, const struct maui_saved_plan *saved)
{
	struct maui_standing_skip *list =
		maui_need(maui_arena_alloc_list(&rsvs->arena, saved->release_count, sizeof(*list)));
	uint32_t count = 0;

	for (uint32_t i = 0; i < saved->release_count; i++) {
		int64_t rsv = find_rsv(rsvs, saved->releases[i].rsv, 0);

		if (rsv >= 0)
			list[count++] = (struct maui_standing_skip){ (uint32_t)rsv,
								     saved->releases[i].day };
	}
	rsvs->input.skips = list;
	rsvs->input.skip_count = count;
}

int maui_sim_rsvs_resume(struct maui_sim_rsvs *rsvs, const struct maui_config *config,
			 struct maui_snapshot *snapshot, const struct maui_saved_plan *saved,
			 struct maui_err *err)
{
	*rsvs = (struct maui_sim_rsvs){ .moved_s = saved->now_s };
	if (config->rsv_count + saved->rsv_count == 0)
		return 0;
	list_rsvs(rsvs, config, saved->rsvs, saved->rsv_count, 0);
	take_instances(rsvs, saved);
	take_releases(rsvs, saved);
	return make_targets(rsvs, snapshot, err);
}

void maui_sim_rsvs_finish(struct maui_sim_rsvs *rsvs)
{
	maui_arena_finish(&rsvs->arena);
}

const struct maui_standing_input *maui_sim_rsvs_input(const struct maui_sim_rsvs *rsvs)
{
	return rsvs->input.count > 0 ? &rsvs->input : NULL;
}

void maui_sim_rsvs_keep(struct maui_sim_rsvs *rsvs, const struct maui_decisions *d)
{
	rsvs->input.before = d->instances;
	rsvs->input.before_count = d->instance_count;
}

bool maui_sim_rsvs_are_awaited(const struct maui_sim_rsvs *rsvs, int64_t now_s, bool any_runs)
{
	return now_s - rsvs->moved_s < (any_runs ? PATIENCE_RUNS_S : PATIENCE_S);
}

/* ---- warnings ---- */

static void add_word(struct maui_strbuf *text, bool set, const char *word)
{
	if (set)
		maui_strbuf_addf(text, "%s%s", text->text && text->text[0] ? ", " : "", word);
}

static void check_one(const struct maui_config *config, const struct maui_rsv *rsv,
		      struct maui_diags *diags)
{
	bool charged = rsv->owner_kind >= 0 && config->fs_policy.metric != MAUI_FS_NONE;
	struct maui_strbuf text = { 0 };

	add_word(&text, rsv->trigger_count > 0, "TRIGGER");
	add_word(&text, rsv->idle_s > 0, "IDLETIME");
	add_word(&text, maui_rsv_has(rsv, MAUI_RSV_SINGLEUSE), "SINGLEUSE");
	add_word(&text, rsv->charge_account != NULL, "CHARGEACCOUNT");
	add_word(&text, charged, "charges to its OWNER for what is idle");
	if (text.text && text.text[0])
		maui_diags_add(diags, MAUI_WARNING, rsv->file, rsv->line, 0,
			       "SRCFG[%.300s] is simulated without %s", rsv->name, text.text);
	if (maui_rsv_has(rsv, MAUI_RSV_BYNAME))
		maui_diags_add(diags, MAUI_WARNING, rsv->file, rsv->line, 0,
			       "SRCFG[%.300s] is BYNAME: no job of a trace names it", rsv->name);
	maui_strbuf_finish(&text);
}

void maui_sim_rsvs_check(const struct maui_config *config, const struct maui_snapshot *snapshot,
			 struct maui_diags *diags)
{
	for (size_t i = 0; i < config->rsv_count; i++)
		check_one(config, &config->rsvs[i], diags);
	maui_config_check_rsvs(config, diags);
	maui_config_check_snapshot(config, snapshot, false, diags);
	maui_diags_sort(diags);
}
