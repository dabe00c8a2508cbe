/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_strict.c - strict order by the front of the queue is strict order by all of it
 *
 * A random cluster whose jobs come, start and end over time, under BACKFILLPOLICY NONE and random
 * weights, is planned twice at each step: briefly, with what the planner knows of the queue from
 * the step before, and in full by a planner that is told of nothing. Both start the same.
 */

#include "base/strbuf.h"
#include "plan/plan.h"
#include "prop_cluster.h"

enum { STEPS = 16 };

static struct prop_recipe recipe;
static struct maui_planner *brief_planner, *full_planner;
static unsigned long brief_count, plan_count;

/* ---- what is drawn ---- */

static unsigned weight(unsigned most)
{
	return prop_pick(3) ? 0 : 1 + prop_pick(most);
}

static struct maui_config *draw_config(void)
{
	struct maui_strbuf text = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config;

	maui_strbuf_addf(&text, "BACKFILLPOLICY %s\n", prop_pick(20) ? "NONE" : "FIRSTFIT");
	maui_strbuf_addf(&text, "QUEUETIMEWEIGHT %d\nXFACTORWEIGHT %u\nXFMINWCLIMIT %u\n",
			 prop_pick(20) ? (int)weight(100) : -5, weight(1000), prop_pick(40));
	maui_strbuf_addf(&text, "TARGETWEIGHT %u\nTARGETQUEUETIMEWEIGHT %u\n", weight(100),
			 weight(2));
	maui_strbuf_addf(&text, "QOSCFG[high] QTTARGET=%u PRIORITY=%u QTWEIGHT=%u XFTARGET=%u\n",
			 1 + prop_pick(90), prop_pick(50), weight(20), prop_pick(4));
	maui_strbuf_addf(&text, "USERWEIGHT %u\nQOSWEIGHT %u\n", weight(9), weight(9));
	maui_strbuf_addf(&text, "USERCFG[ann] PRIORITY=3 FSTARGET=%u\n", prop_pick(60));
	maui_strbuf_addf(&text, "USERCFG[bob] PRIORITY=%u FSTARGET=20%s\n", prop_pick(5),
			 prop_pick(10) ? "" : "%");
	maui_strbuf_addf(&text, "PROCWEIGHT %u\nWALLTIMEWEIGHT %u\nBYPASSWEIGHT %u\n", weight(20),
			 weight(5), weight(5));
	maui_strbuf_addf(&text, "FSPOLICY DEDICATEDPS\nFSDEPTH 2\nFSINTERVAL 60\nFSUSERWEIGHT %u\n",
			 weight(20));
	if (prop_pick(2))
		maui_strbuf_addf(&text, "QUEUETIMECAP[p1] 1\nQUEUETIMEWEIGHT[p2] %u\n", weight(50));
	if (prop_pick(10) == 0)
		maui_strbuf_addf(&text, "ENABLENEGJOBPRIORITY TRUE\n");
	if (prop_pick(20) == 0)
		maui_strbuf_addf(&text, "REJECTNEGPRIOJOBS TRUE\nPROCWEIGHT[p0] -3\n");
	if (prop_pick(20) == 0)
		maui_strbuf_addf(&text, "USERCFG[eve] MAXJOB=%u\n", 1 + prop_pick(3));
	config = maui_config_parse("maui.cfg", text.text, text.length, NULL, &diags);
	PROP_CHECK(config, "%s", text.text);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&text);
	return config;
}

/* Mostly jobs that lanes are for. */
static void draw_recipe(void)
{
	prop_draw(&recipe);
	for (uint32_t a = 0; a < recipe.active_count && prop_pick(8); a++)
		recipe.active[a].active.suspended = false;
	for (uint32_t j = 0; j < recipe.idle_count; j++) {
		struct maui_idle *idle = &recipe.idle[j].idle;

		idle->queue_since_s = idle->submit_s + (prop_pick(4) ? 0 : (int)prop_pick(30));
		idle->nice = prop_pick(6) ? 0 : prop_pick(20);
		idle->job.bypass = prop_pick(6) ? 0 : prop_pick(3);
		idle->job.system_priority = prop_pick(30) ? 0 : 1 + (int)prop_pick(2);
		if (prop_pick(60) == 0)
			continue;
		idle->copies = idle->row_count = 1;
		idle->blocked = MAUI_REASON_NONE;
	}
}

/* ---- a cluster over time ---- */

static void arrive(struct maui_snapshot *s, uint32_t job)
{
	static const char *const classes[] = { "p0", "p1", "p2" }; /* of any partition */
	const struct prop_idle *from = &recipe.idle[job];
	struct maui_idle idle = from->idle;
	struct maui_row rows[2];
	int64_t request = maui_snapshot_request(s, &from->request);

	for (uint32_t i = 0; i < idle.row_count; i++) {
		rows[i] = from->rows[i];
		rows[i].creds = prop_creds(s, from->user, from->qos, classes[prop_pick(3)]);
	}
	idle.rows = rows;
	PROP_CHECK(request >= 0, "request %u", job);
	idle.request = (uint32_t)request;
	PROP_CHECK(maui_snapshot_add_idle(s, &idle) >= 0, "idle %u", job);
}

static void launch(struct maui_snapshot *s, const struct maui_decisions *d, int64_t now)
{
	uint32_t gone[PROP_IDLE], count = 0;

	for (uint32_t i = 0; i < d->start_count; i++) {
		const struct maui_start *start = &d->starts[i];
		struct maui_active active = { .id = 100 + s->idle[start->job].id, .start_s = now };

		PROP_CHECK(maui_snapshot_launch(s, start, &active) >= 0, "launch");
	}
	for (uint32_t j = 0; j < s->idle_count; j++)
		for (uint32_t i = 0; i < d->start_count; i++)
			if (d->starts[i].job == j && (count == 0 || gone[count - 1] != j))
				gone[count++] = j;
	maui_planner_drop_idle(brief_planner, s, gone, count);
}

static void end_some(struct maui_snapshot *s, int64_t now)
{
	for (uint32_t a = s->active_count; a-- > 0;)
		if (s->active[a].end_s <= now || prop_pick(6) == 0)
			maui_snapshot_drop_active(s, a);
}

/* ---- the two plans ---- */

static void compare_start(const struct maui_start *one, const struct maui_start *two)
{
	PROP_CHECK(one->job == two->job && one->copy == two->copy && one->row == two->row,
		   "job %u, not %u", two->job, one->job);
	PROP_CHECK(one->limit_s == two->limit_s && one->procs == two->procs &&
			   one->out_of_order == two->out_of_order &&
			   one->backfilled == two->backfilled &&
			   one->soft_violation == two->soft_violation &&
			   one->place_count == two->place_count,
		   "job %u", one->job);
	for (uint32_t i = 0; i < one->place_count; i++)
		PROP_CHECK(one->places[i].node == two->places[i].node &&
				   one->places[i].tasks == two->places[i].tasks,
			   "job %u, place %u", one->job, i);
}

/* What a brief plan does not say is that there is nothing to say. */
static void check_silence(const struct maui_decisions *full, const struct maui_decisions *brief)
{
	PROP_CHECK(full->reservation_count + full->preemption_count + full->resume_count +
				   full->secured_count ==
			   0,
		   "more than starts");
	PROP_CHECK(full->next_s == brief->next_s, "next");
	PROP_CHECK(!brief->verdicts && brief->verdict_count == 0, "verdicts");
	for (uint32_t j = 0; j < full->verdict_count; j++) {
		const struct maui_verdict *v = &full->verdicts[j];

		PROP_CHECK(v->bypass == 0 && !v->no_accrual && !v->rejected && !v->fs_capped &&
				   !v->active_limit && !v->blocks,
			   "job %u", j);
	}
}

static bool plan_both(struct maui_snapshot *s, struct maui_plan_input *input,
		      struct maui_decisions *brief, struct maui_decisions *full)
{
	PROP_CHECK(maui_plan(brief_planner, input, brief, NULL) == 0, "plan");
	input->brief = input->same_idle = false;
	PROP_CHECK(maui_plan(full_planner, input, full, NULL) == 0, "plan");
	PROP_CHECK(full->start_count == brief->start_count && full->verdict_count == s->idle_count,
		   "%u starts, not %u", brief->start_count, full->start_count);
	for (uint32_t i = 0; i < full->start_count; i++)
		compare_start(&full->starts[i], &brief->starts[i]);
	plan_count++;
	brief_count += brief->brief;
	if (brief->brief)
		check_silence(full, brief);
	return brief->brief;
}

/* What has been used so far by somebody or other. */
static struct maui_fs_table *charge(struct maui_usage *usage, const struct maui_config *config,
				    int64_t now)
{
	static const char *const users[] = { "ann", "bob", "eve" };
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = users[prop_pick(3)] };
	struct maui_fs_table *table;

	PROP_CHECK(maui_fairshare_charge(usage, config, cred, 1 + prop_pick(9), now - 20, now) == 0,
		   "charge");
	table = maui_fs_table_create(usage, config, now);
	PROP_CHECK(table, "table");
	return table;
}

static void run(const struct maui_config *config)
{
	uint32_t arrived = prop_pick(recipe.idle_count + 1);
	struct maui_snapshot *s = prop_pour(&recipe, arrived, prop_pick(2));
	struct maui_decisions brief = { 0 }, full = { 0 };
	struct maui_usage usage = { 0 };
	bool same = true;
	int64_t now = PROP_NOW;

	for (int step = 0; step < STEPS; step++) {
		struct maui_fs_table *table = charge(&usage, config, now);
		struct maui_plan_input input = { .config = config,
						 .snapshot = s,
						 .now_s = now,
						 .usage = table,
						 .brief = true,
						 .same_idle = same };

		same = plan_both(s, &input, &brief, &full);
		launch(s, &brief, now);
		maui_fs_table_destroy(table);
		if (s->idle_count > 0 && prop_pick(10) == 0) {
			s->idle[prop_pick(s->idle_count)].queue_since_s += prop_pick(20);
			same = false;
		}
		now += prop_pick(30);
		end_some(s, now);
		while (arrived < recipe.idle_count && prop_pick(2))
			arrive(s, arrived++);
	}
	maui_decisions_finish(&brief);
	maui_decisions_finish(&full);
	maui_usage_finish(&usage);
	maui_snapshot_destroy(s);
}

static void round_once(void)
{
	struct maui_config *config;

	draw_recipe();
	config = draw_config();
	run(config);
	maui_config_unref(config);
}

int main(int argc, char **argv)
{
	int rc;

	brief_planner = maui_planner_create();
	full_planner = maui_planner_create();
	rc = prop_main(argc, argv, 1000, round_once);
	printf("%lu of %lu plans were brief\n", brief_count, plan_count);
	maui_planner_destroy(brief_planner);
	maui_planner_destroy(full_planner);
	return rc || (plan_count > 1000 && brief_count < plan_count / 4);
}
