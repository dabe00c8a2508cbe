/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_rsv.c - what must hold of every plan with reservations
 *
 *   no job is inside a whole-node reservation that does not admit it, at any moment of its run
 *   what a partial reservation keeps is there for the jobs that it admits, even if others start
 *   a job that may run only in reservations runs nowhere else
 *   floating reservations together never take more than the node has
 *   a job reservation does not begin later because of jobs behind it in the queue, jobs of owners
 *     included; the owner's jobs preempt only jobs that are not the owner's and that use what is
 *     reserved: processors and memory are counted
 *   what jobs inside a reservation use now is counted as used, and nothing else
 *   the same input gives the same bytes in any order
 *
 * reservation/access says for each reservation whether it admits a job; overlaps are counted in
 * seconds.
 *
 * Rules: ACL-10.
 */

#include <time.h>

#include "reservation/access/access.h"
#include "reservation/placement/placement.h"
#include "prop_dump.h"
#include "prop_kept.h"
#include "prop_possible.h"
#include "prop_rsv.h"
#include "prop_use.h"

enum { MOMENTS = 6, TIMES = 4 };

static struct maui_planner *planner, *other_planner;

/* What a plan was made with. */
struct drawn {
	struct prop_rules rules;
	bool ignore_time, use_reserved; /* QOS high */
	int allocation;
};

/* The tasks and processors that running jobs requested, by recipe: less than they were given. */
static int64_t asked[PROP_ACTIVE][2];

static void draw_asked(uint32_t index)
{
	struct prop_active *a = &recipe.active[index];
	int64_t given = 0;

	for (uint32_t i = 0; i < a->active.piece_count; i++)
		given += a->amounts[i][MAUI_AMOUNT_PROCS];
	asked[index][0] = asked[index][1] = given;
	if (given > 0 && prop_pick(4)) {
		asked[index][1] = 1 + prop_pick((unsigned)given);
		asked[index][0] = 1 + prop_pick((unsigned)asked[index][1]);
		a->active.asked_tasks = asked[index][0];
		a->active.asked_procs = asked[index][1];
	}
}

/* One reservation, or several. */
static const char *draw_names(uint32_t job)
{
	static char names[PROP_IDLE][RSVS * 4];
	size_t length = 0;

	names[job][0] = '\0';
	do
		length += (size_t)snprintf(names[job] + length, sizeof(names[job]) - length, "%s%s",
					   length > 0 ? "," : "", rsvs[prop_pick(rsv_count)].name);
	while (length < (RSVS - 1) * 3 && prop_pick(2));
	return names[job];
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
		if (recipe.active[a].active.suspended) /* prop_plan tests these */
			recipe.active[a].active.piece_count = 0;
	for (uint32_t a = 0; a < recipe.active_count; a++)
		draw_asked(a);
	for (uint32_t j = 0; j < recipe.idle_count; j++)
		recipe.idle[j].idle.advres = prop_pick(6) == 0 ? draw_names(j) : NULL;
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
	maui_strbuf_addf(&text, "NODEALLOCATIONPOLICY %s\nQOSWEIGHT 1\nUSERWEIGHT 1\n",
			 word(orders, 5));
	maui_strbuf_addf(&text, "USERCFG[ann] PRIORITY=%u\nUSERCFG[bob] PRIORITY=30\n",
			 prop_pick(3) ? 90 : prop_pick(50));
	maui_strbuf_addf(&text, "QOSCFG[high] PRIORITY=%u QFLAGS=NOBF%s%s\n", prop_pick(150),
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
	struct maui_err err = { .text = "" };

	PROP_CHECK(maui_standing_targets(s, rsv_list, rsv_count, &arena, &targets, &err) == 0, "%s",
		   err.text);
	standing.targets = targets;
	PROP_CHECK(maui_plan(with, &input, ret, &err) == 0, "%s", err.text);
	maui_arena_finish(&arena);
}

/* ---- which jobs a reservation admits ---- */

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
	const struct maui_request *q = &s->requests[maui_idle_request(idle, 0)];

	return describe(s, drawn, idle->rows[row].creds, idle->advres,
			(int64_t)(q->tasks ? q->tasks : q->nodes_min), idle->procs);
}

/* By the recipe, not by what the snapshot says the job requested. */
static struct maui_access_job describe_active(const struct maui_snapshot *s,
					      const struct drawn *drawn,
					      const struct maui_active *active)
{
	const struct prop_idle *idle;
	const int64_t *size;

	if (active->id >= PROP_FIRST_ACTIVE) {
		size = asked[active->id - PROP_FIRST_ACTIVE];
		return describe(s, drawn, active->creds, active->advres, size[0], size[1]);
	}
	idle = &recipe.idle[active->id - PROP_FIRST_IDLE]; /* started since */
	return describe(
		s, drawn, active->creds, active->advres,
		(int64_t)(idle->request.tasks ? idle->request.tasks : idle->request.nodes_min),
		idle->idle.procs);
}

/* The table's entry of one, by asking for each overlap that a list speaks of. */
static struct maui_access ask_each(const struct maui_access_job *job, uint32_t group,
				   struct maui_access_short *shorter)
{
	const struct maui_rsv *rsv = &rsvs[group];
	struct maui_access ret = { .rsv = group,
				   .shorter = shorter,
				   .own = !job->advres || maui_rsv_is_meant(rsv, job->advres) };

	for (size_t e = 0; e <= rsv->acl.count; e++) {
		const struct maui_acl_entry *entry = &rsv->acl.list[e];
		int64_t overlap = e == rsv->acl.count ? MAUI_NEVER : entry->value;
		enum maui_affinity found;
		enum maui_entry result;

		if (e < rsv->acl.count && entry->kind != MAUI_ACL_DURATION)
			continue;
		result = maui_access_check(rsv, job, overlap, &found);
		if (result != MAUI_ENTRY_OK && result != MAUI_ENTRY_NOT)
			continue;
		PROP_CHECK(ret.shorter_count < TIMES, "too many");
		shorter[ret.shorter_count++] = (struct maui_access_short){ overlap, (int)found };
		if (overlap > ret.overlap_s)
			ret.overlap_s = overlap;
	}
	return ret;
}

static void make_table(const struct maui_access_job *job, struct maui_access *list,
		       struct maui_access_short (*shorter)[TIMES], struct maui_access_table *ret)
{
	*ret = (struct maui_access_table){ .list = list, .only = job->advres || job->use_reserved };
	for (uint32_t g = 0; g < rsv_count; g++) {
		list[ret->count] = ask_each(job, g, shorter[g]);
		ret->count += list[ret->count].overlap_s > 0;
	}
}

/* ---- the model ---- */

static struct kept_model model;
static struct maui_claim claims[KEPT_CLAIMS];
static uint32_t claim_nodes[KEPT_CLAIMS][PROP_NODES];
static int64_t claim_amounts[KEPT_CLAIMS][PROP_NODES * PROP_AMOUNTS];
static struct maui_access take_entries[KEPT_TAKES][RSVS + 1];
static struct maui_access_short take_shorter[KEPT_TAKES][RSVS][TIMES];
static struct maui_access_table take_tables[KEPT_TAKES];

static void model_instance(const struct maui_rsv_instance *i)
{
	const struct maui_rsv_task *task = &rsvs[i->rsv].task;
	uint32_t c = model.claim_count;

	if (c == KEPT_CLAIMS || i->place_count == 0)
		return;
	claims[c] = (struct maui_claim){ .rsv = i->rsv,
					 .start_s = i->start_s,
					 .end_s = i->end_s,
					 .nodes = claim_nodes[c],
					 .node_count = i->place_count,
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
	make_table(job, take_entries[i], take_shorter[i], &take_tables[i]);
	model.takes[i] = (struct kept_take){
		.node = node, .from = from, .until = until, .access = &take_tables[i]
	};
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

/* Running jobs come first; returns model.take_count. */
static uint32_t make_model(const struct maui_snapshot *s, const struct drawn *drawn,
			   const struct maui_decisions *d)
{
	uint32_t before;

	model.claim_count = model.take_count = 0;
	for (uint32_t i = 0; i < d->instance_count; i++)
		model_instance(&d->instances[i]);
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];
		const struct maui_access_job job = describe_active(s, drawn, active);

		for (uint32_t p = 0; p < active->piece_count && !prop_preempted(d, a); p++)
			model_take(&job, active->pieces[p].node, active->start_s,
				   active->end_s > PROP_NOW ? active->end_s : PROP_NOW + 1,
				   active->pieces[p].amounts);
	}
	before = model.take_count;
	for (uint32_t i = 0; i < d->start_count; i++)
		model_places(s, drawn, d->starts[i].job, d->starts[i].row, d->starts[i].places,
			     d->starts[i].place_count, PROP_NOW, PROP_NOW + d->starts[i].limit_s);
	for (uint32_t i = 0; i < d->reservation_count; i++)
		model_places(s, drawn, d->reservations[i].job, d->reservations[i].row,
			     d->reservations[i].places, d->reservations[i].place_count,
			     d->reservations[i].start_s, d->reservations[i].end_s);
	return before;
}

/* ---- what must hold ---- */

/* What requesters without an admission take of a node. */
static int64_t taken_outside(const struct kept_moment *now, uint32_t node, int64_t t, unsigned d)
{
	int64_t sum = 0;
	int admissions[KEPT_CLAIMS];

	for (uint32_t i = 0; i < model.take_count; i++) {
		const struct kept_take *take = &model.takes[i];

		if (take->node == node && take->from <= t && t < take->until &&
		    kept_doors(&model, now, take, admissions) == 0)
			sum += take->amounts[d];
	}
	return sum;
}

/* What each claim keeps there. Unreserved amounts go to outside jobs first, since these may use
 * nothing else. */
static void work_out(const struct maui_snapshot *s, uint32_t node, int64_t t, unsigned d,
		     struct kept_moment *now)
{
	int64_t have = s->nodes[node].have[d];

	kept_work_out(&model, node, t, d, have, now);
	kept_work_out(&model, node, t, d, have - taken_outside(now, node, t, d), now);
}

/* What the claims keep that do not admit the job; ret_closed says which ones. */
static int64_t sum_closed(const struct kept_moment *now, const struct kept_take *take,
			  bool ret_closed[KEPT_CLAIMS])
{
	int64_t sum = 0;
	int affinity;

	for (uint32_t c = 0; c < model.claim_count; c++) {
		ret_closed[c] = now->covers[c] && !kept_admits(&claims[c], take->access, take->from,
							       take->until, &affinity);
		sum += ret_closed[c] ? now->kept[c] : 0;
	}
	return sum;
}

/* Whether the job leaves what is kept for others. Where several reservations keep more than the
 * node has, a job inside some of them uses what one of them keeps: any one will do. */
static bool leaves_enough(const struct maui_snapshot *s, const struct kept_take *take, int64_t t,
			  unsigned d, int64_t left)
{
	bool closed[KEPT_CLAIMS], ignored[KEPT_CLAIMS];
	struct kept_moment now;
	bool enough;

	work_out(s, take->node, t, d, &now);
	if (sum_closed(&now, take, closed) <= left)
		return true;
	model.first = closed;
	work_out(s, take->node, t, d, &now);
	enough = sum_closed(&now, take, ignored) <= left;
	model.first = NULL;
	return enough;
}

/* At one moment: the job is only in reservations that admit it, and leaves what is kept for
 * others. */
static void check_moment(const struct maui_snapshot *s, const struct kept_take *take, int64_t t)
{
	bool inside = false;

	for (unsigned d = 0; d < PROP_LICENCE; d++) {
		int affinity;

		for (uint32_t c = 0; c < model.claim_count; c++) {
			if (!kept_covers(&claims[c], take->node, t))
				continue;
			if (kept_admits(&claims[c], take->access, take->from, take->until,
					&affinity))
				inside |= kept_is_home(&claims[c], take->access);
			else
				PROP_CHECK(claims[c].amounts, "node %u at %d: inside of %s",
					   take->node, (int)(t - PROP_NOW),
					   rsvs[claims[c].rsv].name);
		}
		if (take->amounts[d] > 0 && t - PROP_NOW < PROP_HORIZON)
			PROP_CHECK(leaves_enough(s, take, t, d,
						 prop_left[take->node][t - PROP_NOW][d]),
				   "node %u at %d: %d of %u left, more is kept", take->node,
				   (int)(t - PROP_NOW), (int)prop_left[take->node][t - PROP_NOW][d],
				   d);
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
				const struct maui_rsv *r = &rsvs[claims[o].rsv];

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

/* ---- owners ---- */

/* The queue up to the job of this reservation alone gives it the same reservation. */
static void check_undisturbed(const struct drawn *drawn, const struct maui_snapshot *s,
			      const struct maui_decisions *d, const struct maui_reservation *r)
{
	struct maui_snapshot *front = prop_pour(&recipe, PROP_IDLE, false);
	uint32_t rank = d->verdicts[r->job].rank, gone[PROP_IDLE], count = 0;
	struct maui_decisions alone = { 0 };
	int64_t start_s = MAUI_NEVER;

	for (uint32_t j = 0; j < front->idle_count; j++)
		for (uint32_t k = 0; k < s->idle_count; k++)
			if (s->idle[k].id == front->idle[j].id && d->verdicts[k].rank > rank)
				gone[count++] = j;
	maui_snapshot_drop_idle(front, gone, count);
	plan(other_planner, drawn, front, &alone);
	for (uint32_t i = 0; i < alone.reservation_count; i++)
		if (front->idle[alone.reservations[i].job].id == s->idle[r->job].id &&
		    alone.reservations[i].copy == r->copy)
			start_s = alone.reservations[i].start_s;
	PROP_CHECK(start_s == r->start_s, "job %d: reserved at %d, alone at %d",
		   (int)s->idle[r->job].id, (int)r->start_s, (int)start_s);
	maui_decisions_finish(&alone);
	maui_snapshot_destroy(front);
}

static bool is_owners(const struct maui_snapshot *s, const struct maui_rsv *r, uint32_t creds)
{
	const char *user = s->creds[creds].cred[MAUI_CRED_USER];

	return r->owner && user && strcmp(r->owner, user) == 0;
}

/* What an instance reserves of an amount of a node, whole cores; all of it: INT64_MAX. */
static int64_t reserved_of(const struct maui_snapshot *s, const struct maui_rsv_instance *i,
			   uint32_t node, unsigned d)
{
	const struct maui_rsv_task *task = &rsvs[i->rsv].task;
	int64_t unit = s->nodes[node].unit, tasks = 0;

	for (uint32_t k = 0; k < i->place_count && i->start_s <= PROP_NOW; k++)
		if (i->places[k].node == node)
			tasks = i->places[k].tasks;
	if (tasks > 0 && task->procs < 0)
		return INT64_MAX;
	if (d == MAUI_AMOUNT_PROCS)
		return (tasks * task->procs + unit - 1) / unit * unit;
	return d == MAUI_AMOUNT_MEM ? tasks * task->mem_mb : 0;
}

static bool admits(const struct maui_snapshot *s, const struct drawn *drawn,
		   const struct maui_rsv_instance *i, const struct maui_active *active)
{
	const struct maui_access_job job = describe_active(s, drawn, active);
	int64_t until = active->end_s > PROP_NOW ? active->end_s : PROP_NOW + 1;
	int64_t from = active->start_s > i->start_s ? active->start_s : i->start_s;
	enum maui_affinity ignored;
	enum maui_entry entry;

	entry = maui_access_check(&rsvs[i->rsv], &job, (until < i->end_s ? until : i->end_s) - from,
				  &ignored);
	return entry == MAUI_ENTRY_OK || entry == MAUI_ENTRY_NOT;
}

/* Whether a job that the reservation does not admit, together with all such jobs, takes more of an
 * amount than is unreserved. */
static bool is_too_much(const struct maui_snapshot *s, const struct drawn *drawn,
			const struct maui_decisions *d, const struct maui_rsv_instance *i,
			uint32_t node, unsigned amount)
{
	int64_t have = s->nodes[node].have[amount], others = 0, outside = 0;

	for (uint32_t k = 0; k < d->instance_count; k++) {
		int64_t reserved = reserved_of(s, &d->instances[k], node, amount);

		if (&d->instances[k] != i)
			others += reserved < have ? reserved : have;
	}
	for (uint32_t a = 0; a < s->active_count; a++)
		for (uint32_t p = 0; p < s->active[a].piece_count; p++)
			if (s->active[a].pieces[p].node == node &&
			    !admits(s, drawn, i, &s->active[a]))
				outside += s->active[a].pieces[p].amounts[amount];
	return outside > have - reserved_of(s, i, node, amount) - others;
}

/* Whether a job uses what is reserved. Of a whole node: it is on the node. Of a part: it is
 * admitted and part of the amount is used; or it is not admitted and the rest of the node is too
 * small. */
static bool is_on(const struct maui_snapshot *s, const struct drawn *drawn,
		  const struct maui_decisions *d, const struct maui_rsv_instance *i,
		  const struct maui_active *active)
{
	bool guest = admits(s, drawn, i, active);

	for (uint32_t p = 0; p < active->piece_count; p++) {
		const struct maui_piece *piece = &active->pieces[p];

		for (unsigned a = 0; a < PROP_LICENCE; a++) {
			int64_t reserved = reserved_of(s, i, piece->node, a);

			if (reserved == INT64_MAX ||
			    (reserved > 0 && piece->amounts[a] > 0 &&
			     (guest || is_too_much(s, drawn, d, i, piece->node, a))))
				return true;
		}
	}
	return false;
}

/* No QOS makes preemptors here; only BACKFILLPOLICY PREEMPT does. */
static void check_preemption(const struct drawn *drawn, const struct maui_snapshot *s,
			     const struct maui_decisions *d, const struct maui_preemption *gone)
{
	const struct maui_active *active = &s->active[gone->active];
	uint32_t creds = s->idle[gone->job].rows[0].creds;
	bool pushed = false;

	for (uint32_t i = 0; i < d->instance_count; i++) {
		const struct maui_rsv *r = &rsvs[d->instances[i].rsv];

		pushed |= d->instances[i].start_s <= PROP_NOW && is_owners(s, r, creds) &&
			  !is_owners(s, r, active->creds) &&
			  is_on(s, drawn, d, &d->instances[i], active);
	}
	PROP_CHECK(pushed, "job %d goes for %d", (int)active->id, (int)s->idle[gone->job].id);
}

static void check_owners(const struct drawn *drawn, const struct maui_snapshot *s,
			 const struct maui_decisions *d)
{
	int policy = drawn->rules.config->planning.backfill_policy;

	for (uint32_t i = 0; i < d->preemption_count && policy != MAUI_BACKFILL_PREEMPT; i++)
		check_preemption(drawn, s, d, &d->preemptions[i]);
	for (uint32_t i = 0; i < d->reservation_count; i++)
		if (!d->reservations[i].preempting &&
		    s->idle[d->reservations[i].job].row_count == 1)
			check_undisturbed(drawn, s, d, &d->reservations[i]);
}

static bool is_inside(const struct maui_snapshot *s, const void *drawn,
		      const struct maui_rsv_instance *i, const struct maui_active *active)
{
	return admits(s, drawn, i, active);
}

/* A plan of its own, carried out. */
static void check_use(const struct drawn *drawn)
{
	struct maui_snapshot *s = prop_pour(&recipe, PROP_IDLE, false);
	struct maui_decisions d = { 0 };

	plan(planner, drawn, s, &d);
	for (uint32_t i = 0; i < d.start_count; i++) {
		struct maui_active active = { .id = s->idle[d.starts[i].job].id,
					      .start_s = PROP_NOW };

		PROP_CHECK(maui_snapshot_launch(s, &d.starts[i], &active) >= 0, "launch");
	}
	PROP_CHECK(maui_plan_usage(planner) == 0, "memory");
	prop_check_use(s, &d, is_inside, drawn);
	maui_decisions_finish(&d);
	maui_snapshot_destroy(s);
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
	check_owners(&drawn, s, &d);
	check_same(&drawn, s, &d);
	check_use(&drawn);
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
