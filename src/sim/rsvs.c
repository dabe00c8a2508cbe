/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsvs.c - standing reservations from plan to plan */

#include "sim/rsvs.h"

#include "base/strbuf.h"
#include "config/check/reservation.h"

enum {
	PATIENCE_S = 15 * 86400,       /* two weeks and a day */
	PATIENCE_RUNS_S = 400 * 86400, /* running jobs end and free their nodes */
};

int maui_sim_rsvs_init(struct maui_sim_rsvs *rsvs, const struct maui_config *config,
		       struct maui_snapshot *snapshot, int64_t epoch_s, struct maui_err *err)
{
	struct maui_standing_targets *targets;
	const struct maui_rsv **list;

	*rsvs = (struct maui_sim_rsvs){ 0 };
	if (config->rsv_count == 0)
		return 0;
	list = maui_arena_alloc(&rsvs->arena, config->rsv_count * sizeof(*list));
	if (!list)
		return maui_err_set(err, "no memory");
	for (size_t i = 0; i < config->rsv_count; i++)
		list[i] = &config->rsvs[i];
	rsvs->input = (struct maui_standing_input){
		.list = list,
		.count = (uint32_t)config->rsv_count,
		.allocation = config->planning.node_allocation,
		.res_depth = config->res_depth,
		.clock_s = epoch_s,
	};
	if (maui_standing_targets(snapshot, list, rsvs->input.count, &rsvs->arena, &targets, err))
		return -1;
	rsvs->input.targets = targets;
	return 0;
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
	if (text.text && text.text[0] && !text.failed)
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
