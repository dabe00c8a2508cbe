/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_rsv.c - what must hold of every plan with reservations
 *
 *   nobody is inside a whole-node reservation that refuses him, at any moment of his run
 *   what a partial one keeps is there for those whom it lets in, whoever else was started
 *   who may run nowhere else runs nowhere else
 *   floating reservations together are never more than the node has
 *   the same input gives the same bytes, in whatever order it was put in
 * Whom a reservation lets in is asked of policy/access, reservation by reservation; overlaps are
 * counted in seconds.
 */

#include <time.h>

#include "policy/access.h"
#include "policy/standing.h"
#include "prop_dump.h"
#include "prop_kept.h"
#include "prop_possible.h"

enum { RSVS = 5, MOMENTS = 6 };

static struct prop_recipe recipe;
static struct maui_planner *planner, *other_planner;
static struct maui_rsv rsvs[RSVS];
static const struct maui_rsv *rsv_list[RSVS];
static uint32_t rsv_count;
static char node_names[PROP_NODES][16];

/* What a plan was made with. */
struct drawn {
	struct prop_rules rules;
	bool ignore_time, use_reserved; /* QOS high */
	int allocation;
};

/* ---- reservations ---- */

static const char *word(const char *const *words, unsigned count)
{
	return words[prop_pick(count)];
}

static struct maui_acl_entry *draw_entry(struct maui_rsv *r, int kind)
{
	struct maui_acl_entry *grown =
		realloc(r->acl.list, (r->acl.count + 1) * sizeof(*r->acl.list));

	PROP_CHECK(grown, "memory");
	r->acl.list = grown;
	grown[r->acl.count] = (struct maui_acl_entry){ .kind = kind,
						       .affinity = (int)prop_pick(3) - 1,
						       .required = prop_pick(8) == 0 };
	return &grown[r->acl.count++];
}

static void draw_acl(struct maui_rsv *r)
{
	static const char *const users[] = { "ann", "bob", "eve" };
	static const char *const classes[] = { "p0", "p1", "p2" };
	struct maui_acl_entry *entry;

	for (unsigned i = prop_pick(3); i > 0; i--) {
		entry = draw_entry(r, MAUI_CRED_USER);
		entry->name = strdup(word(users, 3));
		entry->deny = prop_pick(8) == 0;
	}
	if (prop_pick(3) == 0)
		draw_entry(r, MAUI_CRED_CLASS)->name = strdup(word(classes, 3));
	if (prop_pick(4) == 0)
		draw_entry(r, MAUI_CRED_QOS)->name = strdup("high");
	if (prop_pick(2))
		draw_entry(r, MAUI_ACL_DURATION)->value = 1 + prop_pick(40);
	if (prop_pick(8) == 0)
		draw_entry(r, MAUI_ACL_PROC)->value = 1 + prop_pick(8);
}

static void draw_hosts(struct maui_rsv *r)
{
	struct maui_strbuf hosts = { 0 };

	for (uint32_t n = 0; n < recipe.node_count; n++)
		if (prop_pick(2))
			maui_strbuf_addf(&hosts, "%s%s", hosts.length ? "," : "", node_names[n]);
	r->hosts = maui_strbuf_steal(&hosts);
}

static void draw_rsv(uint32_t index)
{
	static const char *const names[RSVS] = { "r0", "r1", "r2", "r3", "r4" };
	struct maui_rsv *r = &rsvs[index];

	maui_rsv_finish(r);
	*r = (struct maui_rsv){ .name = strdup(names[index]), .owner_kind = -1,
				.period = MAUI_RSV_ONCE, .depth = 1,
				.start_s = PROP_NOW - 20 + prop_pick(60),
				.priority = prop_pick(3) };
	r->end_s = prop_pick(8) ? r->start_s + 1 + prop_pick(80) : MAUI_NEVER;
	if (prop_pick(3) == 0) { /* two days: both windows, a night between them */
		r->period = MAUI_RSV_DAY;
		r->days = 127;
		r->depth = 2;
		r->start_s = 950 + prop_pick(80);
		r->end_s = r->start_s + 1 + prop_pick(80);
	}
	r->task = (struct maui_rsv_task){ .procs = prop_pick(2) ? -1 : (int64_t)(1 + prop_pick(4)),
					  .mem_mb = prop_pick(2) ? 0 : prop_pick(30) };
	if (prop_pick(2))
		draw_hosts(r);
	if (!r->hosts || prop_pick(2))
		r->task_count = 1 + prop_pick(5);
	if (prop_pick(6) == 0)
		r->flags |= UINT64_C(1) << MAUI_RSV_BYNAME;
	if (prop_pick(6) == 0)
		r->shared = true;
	draw_acl(r);
	rsv_list[index] = r;
}

static void draw_all(void)
{
	prop_draw(&recipe);
	rsv_count = 1 + prop_pick(RSVS);
	for (uint32_t n = 0; n < recipe.node_count; n++) {
		snprintf(node_names[n], sizeof(node_names[n]), "n%u", n);
		recipe.nodes[n].node.name = node_names[n];
	}
	for (uint32_t i = 0; i < rsv_count; i++)
		draw_rsv(i);
	for (uint32_t a = 0; a < recipe.active_count; a++)
		if (recipe.active[a].active.suspended) /* prop_plan has those */
			recipe.active[a].active.piece_count = 0;
	for (uint32_t j = 0; j < recipe.idle_count; j++)
		recipe.idle[j].idle.advres =
			prop_pick(8) == 0 ? rsvs[prop_pick(rsv_count)].name : NULL;
}

static struct drawn draw_config(void)
{
	static const char *const policies[] = { "FIRSTFIT", "BESTFIT", "GREEDY", "NONE",
						"PREEMPT" };
	static const char *const orders[] = { "FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE",
					      "CONTIGUOUS", "MAXBALANCE" };
	struct drawn d = { .ignore_time = prop_pick(4) == 0, .use_reserved = prop_pick(4) == 0 };
	struct maui_strbuf text = { 0 };
	struct maui_diags diags = { 0 };

	maui_strbuf_addf(&text, "BACKFILLPOLICY %s\nRESERVATIONDEPTH %u\n", word(policies, 5),
			 prop_pick(4));
	maui_strbuf_addf(&text, "NODEALLOCATIONPOLICY %s\nQOSWEIGHT 1\n", word(orders, 5));
	maui_strbuf_addf(&text, "QOSCFG[high] PRIORITY=50 QFLAGS=NOBF%s%s\n",
			 d.ignore_time ? ":IGNSRMAXTIME" : "",
			 d.use_reserved ? ":USERESERVED" : "");
	d.rules.config = maui_config_parse("maui.cfg", text.text, text.length, NULL, &diags);
	PROP_CHECK(d.rules.config, "%s", text.text);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&text);
	return d;
}

/* ---- one plan ---- */

static void plan(struct maui_planner *with, const struct drawn *drawn, struct maui_snapshot *s,
		 struct maui_decisions *ret)
{
	struct maui_standing_input standing = { .list = rsv_list, .count = rsv_count };
	const struct maui_plan_input input = { .config = drawn->rules.config,
					       .snapshot = s,
					       .now_s = PROP_NOW,
					       .standing = &standing,
					       .chunk_until_s = PROP_NOW,
					       .want_windows = true,
					       .want_reasons = true };
	struct maui_standing_targets *targets;
	struct maui_arena arena = { 0 };
	struct maui_err err = { "" };

	PROP_CHECK(maui_standing_targets(s, rsv_list, rsv_count, &arena, &targets, &err) == 0,
		   "%s", err.text);
	standing.targets = targets;
	PROP_CHECK(maui_plan(with, &input, ret, &err) == 0, "%s", err.text);
	maui_arena_finish(&arena);
}

/* ---- whom a reservation lets in ---- */

static struct maui_access_job describe(const struct maui_snapshot *s, const struct drawn *drawn,
				       uint32_t creds, const char *advres, int64_t tasks,
				       int64_t procs)
{
	struct maui_access_job job = { .advres = advres, .tasks = tasks, .procs = procs };
	bool high;

	memcpy(job.cred, s->creds[creds].cred, sizeof(job.cred));
	high = job.cred[MAUI_CRED_QOS] && strcmp(job.cred[MAUI_CRED_QOS], "high") == 0;
	job.ignore_time = high && drawn->ignore_time;
	job.use_reserved = high && drawn->use_reserved;
	return job;
}

static struct maui_access_job describe_idle(const struct maui_snapshot *s,
					    const struct drawn *drawn, uint32_t job, uint32_t row)
{
	const struct maui_idle *idle = &s->idle[job];
	const struct maui_request *q = &s->requests[idle->request];

	return describe(s, drawn, idle->rows[row].creds, idle->advres,
			(int64_t)(q->tasks ? q->tasks : q->nodes_min), idle->procs);
}

/* Its table, by asking for each overlap that a list speaks of. */
static void make_table(const struct maui_access_job *job, struct maui_access *list,
		       struct maui_access_table *ret)
{
	*ret = (struct maui_access_table){ .list = list, .only = job->advres || job->use_reserved };
	for (uint32_t g = 0; g < rsv_count; g++) {
		int64_t best = 0;
		int affinity = 0;

		for (size_t e = 0; e <= rsvs[g].acl.count; e++) {
			const struct maui_acl_entry *entry = &rsvs[g].acl.list[e];
			int64_t overlap = e == rsvs[g].acl.count ? MAUI_NEVER : entry->value;
			enum maui_affinity found;
			enum maui_entry result;

			if (overlap <= best ||
			    (e < rsvs[g].acl.count && entry->kind != MAUI_ACL_DURATION))
				continue;
			result = maui_access_check(&rsvs[g], job, overlap, &found);
			if (result != MAUI_ENTRY_OK && result != MAUI_ENTRY_NOT)
				continue;
			best = overlap;
			affinity = found;
		}
		if (best > 0)
			list[ret->count++] = (struct maui_access){
				g, affinity, best,
				!job->advres || strcmp(job->advres, rsvs[g].name) == 0
			};
	}
}

/* ---- the model ---- */

static struct kept_model model;
static struct maui_claim claims[KEPT_CLAIMS];
static uint32_t claim_nodes[KEPT_CLAIMS][PROP_NODES];
static int64_t claim_amounts[KEPT_CLAIMS][PROP_NODES * PROP_AMOUNTS];
static struct maui_access take_entries[KEPT_TAKES][RSVS];
static struct maui_access_table take_tables[KEPT_TAKES];

static void model_instance(const struct maui_rsv_instance *i)
{
	const struct maui_rsv_task *task = &rsvs[i->rsv].task;
	uint32_t c = model.claim_count;

	if (c == KEPT_CLAIMS || i->place_count == 0)
		return;
	claims[c] = (struct maui_claim){ .group = i->rsv, .start_s = i->start_s, .end_s = i->end_s,
					 .nodes = claim_nodes[c], .node_count = i->place_count,
					 .amounts = task->procs < 0 ? NULL : claim_amounts[c] };
	for (uint32_t p = 0; p < i->place_count; p++) {
		int64_t *amounts = &claim_amounts[c][p * PROP_AMOUNTS];

		claim_nodes[c][p] = i->places[p].node;
		memset(amounts, 0, PROP_AMOUNTS * sizeof(*amounts));
		amounts[MAUI_AMOUNT_PROCS] = i->places[p].tasks * task->procs;
		amounts[MAUI_AMOUNT_MEM] = i->places[p].tasks * task->mem_mb;
	}
	model.claims[model.claim_count++] = &claims[c];
}

static void model_take(const struct maui_access_job *job, uint32_t node, int64_t from,
		       int64_t until, const int64_t *amounts)
{
	uint32_t i = model.take_count++;

	PROP_CHECK(i < KEPT_TAKES, "too many");
	make_table(job, take_entries[i], &take_tables[i]);
	model.takes[i] = (struct kept_take){ .node = node, .from = from, .until = until,
					     .access = &take_tables[i] };
	memcpy(model.takes[i].amounts, amounts, sizeof(model.takes[i].amounts));
}

static void model_places(const struct maui_snapshot *s, const struct drawn *drawn, uint32_t job,
			 uint32_t row, const struct maui_place *places, uint32_t count,
			 int64_t from, int64_t until)
{
	const struct maui_access_job described = describe_idle(s, drawn, job, row);

	for (uint32_t i = 0; i < count; i++)
		model_take(&described, places[i].node, from, until, places[i].amounts);
}

/* Those who run come first: model.take_count of them is returned. */
static uint32_t make_model(const struct maui_snapshot *s, const struct drawn *drawn,
			   const struct maui_decisions *d)
{
	uint32_t before;

	model.claim_count = model.take_count = 0;
	for (uint32_t i = 0; i < d->instance_count; i++)
		model_instance(&d->instances[i]);
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];
		const struct maui_access_job job = describe(s, drawn, active->creds,
							    active->advres, active->procs,
							    active->procs);

		for (uint32_t p = 0; p < active->piece_count && !prop_preempted(d, a); p++)
			model_take(&job, active->pieces[p].node, active->start_s,
				   active->end_s > PROP_NOW ? active->end_s : PROP_NOW + 1,
				   active->pieces[p].amounts);
	}
	before = model.take_count;
	for (uint32_t i = 0; i < d->start_count; i++)
		model_places(s, drawn, d->starts[i].job, d->starts[i].row, d->starts[i].places,
			     d->starts[i].place_count, PROP_NOW,
			     PROP_NOW + d->starts[i].limit_s);
	for (uint32_t i = 0; i < d->reservation_count; i++)
		model_places(s, drawn, d->reservations[i].job, d->reservations[i].row,
			     d->reservations[i].places, d->reservations[i].place_count,
			     d->reservations[i].start_s, d->reservations[i].end_s);
	return before;
}

/* ---- what must hold ---- */

/* What those without a door take of a node. */
static int64_t taken_outside(const struct kept_moment *now, uint32_t node, int64_t t, unsigned d)
{
	int64_t sum = 0;
	int doors[KEPT_CLAIMS];

	for (uint32_t i = 0; i < model.take_count; i++) {
		const struct kept_take *take = &model.takes[i];

		if (take->node == node && take->from <= t && t < take->until &&
		    kept_doors(&model, now, take, doors) == 0)
			sum += take->amounts[d];
	}
	return sum;
}

/* What each claim keeps there: what nobody reserved is first of all outsiders', who can be nowhere
 * else. */
static void work_out(const struct maui_snapshot *s, uint32_t node, int64_t t, unsigned d,
		     struct kept_moment *now)
{
	int64_t have = s->nodes[node].have[d];

	kept_work_out(&model, node, t, d, have, now);
	kept_work_out(&model, node, t, d, have - taken_outside(now, node, t, d), now);
}

/* At one moment: in the reservations it may be in, and with what others are kept left for them. */
static void check_moment(const struct maui_snapshot *s, const struct kept_take *take, int64_t t)
{
	bool inside = false;

	for (unsigned d = 0; d < PROP_LICENCE; d++) {
		struct kept_moment now;
		int64_t closed = 0;
		int affinity;

		work_out(s, take->node, t, d, &now);
		for (uint32_t c = 0; c < model.claim_count; c++) {
			if (!now.covers[c])
				continue;
			if (kept_lets_in(&claims[c], take->access, take->from, take->until,
					 &affinity)) {
				inside |= kept_is_home(&claims[c], take->access);
				continue;
			}
			PROP_CHECK(claims[c].amounts, "node %u at %d: inside of %s", take->node,
				   (int)(t - PROP_NOW), rsvs[claims[c].group].name);
			closed += now.kept[c];
		}
		if (take->amounts[d] > 0 && t - PROP_NOW < PROP_HORIZON)
			PROP_CHECK(prop_left[take->node][t - PROP_NOW][d] >= closed,
				   "node %u at %d: %d of %u left, %d are kept", take->node,
				   (int)(t - PROP_NOW),
				   (int)prop_left[take->node][t - PROP_NOW][d], d, (int)closed);
	}
	PROP_CHECK(inside || !take->access->only, "node %u at %d: outside", take->node,
		   (int)(t - PROP_NOW));
}

static void check_takes(const struct maui_snapshot *s, uint32_t first)
{
	for (uint32_t i = first; i < model.take_count; i++) {
		const struct kept_take *take = &model.takes[i];
		int64_t length = take->until - take->from;

		check_moment(s, take, take->from);
		check_moment(s, take, take->until - 1);
		for (int m = 0; m < MOMENTS; m++)
			check_moment(s, take, take->from + prop_pick((unsigned)length));
		for (uint32_t c = 0; c < model.claim_count; c++) {
			if (take->from <= claims[c].start_s && claims[c].start_s < take->until)
				check_moment(s, take, claims[c].start_s);
			if (take->from <= claims[c].end_s && claims[c].end_s < take->until)
				check_moment(s, take, claims[c].end_s);
		}
	}
}

/* Those that float and may lie on top of nothing, at the beginning of each: none begins later
 * without being looked at. */
static void check_room(const struct maui_snapshot *s)
{
	for (uint32_t c = 0; c < model.claim_count; c++)
		for (uint32_t p = 0; p < claims[c].node_count; p++) {
			int64_t procs = 0, when = claims[c].start_s;
			uint32_t node = claims[c].nodes[p];

			if (when < PROP_NOW)
				when = PROP_NOW;
			for (uint32_t o = 0; o < model.claim_count; o++) {
				const struct maui_rsv *r = &rsvs[claims[o].group];

				if (r->hosts || r->shared || !kept_covers(&claims[o], node, when))
					continue;
				procs += claims[o].amounts ?
						 claims[o].amounts[kept_place(&claims[o], node) *
								   PROP_AMOUNTS] :
						 s->nodes[node].have[MAUI_AMOUNT_PROCS];
			}
			PROP_CHECK(procs <= s->nodes[node].have[MAUI_AMOUNT_PROCS],
				   "node %u: %d processors reserved", node, (int)procs);
		}
}

static void check_same(const struct drawn *drawn, struct maui_snapshot *s,
		       const struct maui_decisions *d)
{
	struct maui_snapshot *shuffled = prop_pour(&recipe, PROP_IDLE, true);
	struct maui_decisions again = { 0 };
	struct maui_strbuf one = { 0 }, two = { 0 };

	prop_dump(&one, s, d);
	plan(planner, drawn, s, &again);
	prop_dump(&two, s, &again);
	PROP_CHECK(strcmp(one.text, two.text) == 0, "planned again:\n%s\n%s", one.text, two.text);
	maui_strbuf_clear(&two);
	plan(other_planner, drawn, shuffled, &again);
	prop_dump(&two, shuffled, &again);
	PROP_CHECK(strcmp(one.text, two.text) == 0, "shuffled:\n%s\n%s", one.text, two.text);
	maui_strbuf_finish(&one);
	maui_strbuf_finish(&two);
	maui_decisions_finish(&again);
	maui_snapshot_destroy(shuffled);
}

static void round_once(void)
{
	struct maui_decisions d = { 0 };
	struct maui_snapshot *s;
	struct drawn drawn;
	uint32_t first;

	draw_all();
	drawn = draw_config();
	s = prop_pour(&recipe, PROP_IDLE, false);
	plan(planner, &drawn, s, &d);
	prop_check_possible(s, &drawn.rules, &d, PROP_NOW);
	first = make_model(s, &drawn, &d);
	check_takes(s, first);
	check_room(s);
	check_same(&drawn, s, &d);
	maui_decisions_finish(&d);
	maui_snapshot_destroy(s);
	maui_config_unref(drawn.rules.config);
}

int main(int argc, char **argv)
{
	int rc;

	setenv("TZ", "UTC", 1);
	tzset();
	planner = maui_planner_create();
	other_planner = maui_planner_create();
	rc = prop_main(argc, argv, 1000, round_once);
	for (uint32_t i = 0; i < RSVS; i++)
		maui_rsv_finish(&rsvs[i]);
	maui_planner_destroy(planner);
	maui_planner_destroy(other_planner);
	return rc;
}
