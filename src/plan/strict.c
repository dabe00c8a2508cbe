/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strict.c - strict order (BACKFILLPOLICY NONE) without looking at the whole queue
 *
 * Behind the first job of a pool that cannot start nothing happens there. When nothing else is
 * asked for, it is enough to know who is first, and then who is next, until all pools are blocked:
 * only the first of each lane (lanes.h) is ranked, and a heap of them tells who comes first.
 *
 * What has to look at everybody (limits, fairshare caps, REJECTNEGPRIOJOBS, preemption, promises,
 * suspended jobs, reservations) is planned in full. Neither way decides anything else than the
 * other.
 */

#include <stdlib.h>
#include <string.h>

#include "plan/private.h"

/* ---- whether it can be done ---- */

static bool asked_for_more(const struct maui_plan_input *input)
{
	return !input->brief || input->promise_count > 0 || input->estimates > 0 ||
	       input->backfill_only || input->want_windows || input->want_reasons;
}

static bool all_in_order(const struct maui_planner *p)
{
	for (uint32_t i = 0; i < p->snapshot->partition_count; i++)
		if (p->rules[i]->backfill_policy != MAUI_BACKFILL_NONE)
			return false;
	if (p->access)
		return false;
	for (uint32_t a = 0; a < p->snapshot->active_count; a++)
		if (p->snapshot->active[a].suspended)
			return false;
	return true;
}

static bool may_be_capped(const struct maui_plan_creds *c)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		enum maui_fs_target_kind kind = c->priority.cred[k]->fstarget.kind;

		if (kind == MAUI_FS_CAP_ABSOLUTE || kind == MAUI_FS_CAP_RELATIVE)
			return true;
	}
	return false;
}

/* What a job is ranked by; false: it is none for a lane. */
static bool make_key(struct maui_planner *p, const struct maui_idle *idle,
		     struct maui_lane_key *key)
{
	const struct maui_row *row = &idle->rows[0];
	const struct maui_plan_creds *c = maui_plan_creds(p, row->creds);
	struct maui_job job = maui_plan_ranked_job(p, c, idle, row);

	if (idle->row_count > 1 || idle->copies > 1 || idle->priority_given ||
	    idle->blocked != MAUI_REASON_NONE || c->limit_count > 0 || may_be_capped(c) ||
	    c->priority.weights->reject_negative ||
	    (c->flags & (UINT64_C(1) << MAUI_QOS_PREEMPTOR)))
		return false;
	memset(key, 0, sizeof(*key));
	key->partition = row->partition;
	key->delay_s = idle->queue_since_s - idle->submit_s;
	key->nice = idle->nice;
	if (!maui_priority_find_inputs(p->config, &c->priority, &c->weights, &job, &key->inputs))
		return false;
	key->creds = key->inputs.fairshare ? row->creds : 0;
	return true;
}

/* Puts new jobs into their lanes. */
static bool line_up(struct maui_planner *p)
{
	struct maui_lane_key key;

	if (!p->input->same_idle)
		maui_lanes_finish(&p->lanes);
	while (p->lanes.known < p->snapshot->idle_count && !p->unfit) {
		p->unfit = !make_key(p, &p->snapshot->idle[p->lanes.known], &key);
		if (!p->unfit && maui_lanes_add(&p->lanes, p->snapshot, &key))
			p->failed = true;
		if (p->failed)
			return false;
	}
	if (p->unfit)
		maui_lanes_finish(&p->lanes);
	return !p->unfit;
}

bool maui_plan_is_strict(struct maui_planner *p)
{
	return !p->unfit && !asked_for_more(p->input) && all_in_order(p) && line_up(p);
}

/* ---- who is next ---- */

/* The first of a lane that has not had its turn. */
struct head {
	struct maui_plan_rank rank;
	const struct maui_lane *lane;
	uint32_t at;
};

struct heads {
	struct maui_planner *p;
	struct head *list; /* a heap */
	size_t count;
	size_t *of_pool; /* lanes of each pool that are in it and not blocked */
	size_t open;     /* all of those */
};

static void set_rank(struct maui_planner *p, struct head *head)
{
	head->rank = maui_plan_rank_row(p, head->lane->jobs[head->at], 0);
}

static void sift(struct heads *heads, size_t at)
{
	struct head *list = heads->list;

	for (;;) {
		size_t best = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heads->count;
		     child++)
			if (maui_plan_compare_ranks(&list[child].rank, &list[best].rank) < 0)
				best = child;
		if (best == at)
			return;

		struct head other = list[at];

		list[at] = list[best];
		list[best] = other;
		at = best;
	}
}

static uint32_t pool_of(const struct maui_planner *p, const struct maui_lane *lane)
{
	return p->snapshot->partitions[lane->key.partition].pool;
}

static int make_heads(struct maui_planner *p, struct heads *heads)
{
	*heads = (struct heads){ .p = p, .count = p->lanes.count, .open = p->lanes.count };
	heads->list = maui_arena_alloc(&p->arena, (heads->count + 1) * sizeof(*heads->list));
	heads->of_pool =
		maui_arena_alloc(&p->arena, (p->pool_count + 1u) * sizeof(*heads->of_pool));
	if (!heads->list || !heads->of_pool)
		return -1;
	for (size_t i = 0; i < heads->count; i++) {
		const struct maui_lane *lane = p->lanes.list[i];

		heads->list[i] = (struct head){ .lane = lane, .at = lane->first };
		set_rank(p, &heads->list[i]);
		heads->of_pool[pool_of(p, lane)]++;
	}
	for (size_t i = heads->count / 2; i-- > 0;)
		sift(heads, i);
	return 0;
}

static void remove_best(struct heads *heads)
{
	heads->list[0] = heads->list[--heads->count];
	sift(heads, 0);
}

/* The best has had its turn: the next one of its lane is. */
static void advance(struct heads *heads, uint32_t pool)
{
	struct head *best = &heads->list[0];

	if (++best->at < best->lane->end) {
		set_rank(heads->p, best);
		sift(heads, 0);
		return;
	}
	heads->of_pool[pool]--;
	heads->open--;
	remove_best(heads);
}

static void close_pool(struct heads *heads, uint32_t pool)
{
	heads->open -= heads->of_pool[pool];
	heads->of_pool[pool] = 0;
}

/* ---- the plan ---- */

/* Verdicts of all idle jobs, all zero, and nobody's chains of rows: those who start are written
 * to, and cleaned up after. */
static int spread_blanks(struct maui_planner *p)
{
	size_t wanted = p->snapshot->idle_count + 1u;

	if (wanted > p->blank_count) {
		free(p->blank_verdicts);
		free(p->blank_chains);
		wanted += wanted / 2;
		p->blank_verdicts = calloc(wanted, sizeof(*p->blank_verdicts));
		p->blank_chains = calloc(wanted, sizeof(*p->blank_chains));
		p->blank_count = p->blank_verdicts && p->blank_chains ? wanted : 0;
	}
	p->out->verdicts = p->blank_verdicts;
	p->last_of_job = p->blank_chains;
	return p->blank_count > 0 ? 0 : -1;
}

static void clean_up(struct maui_planner *p)
{
	struct maui_decisions *out = p->out;

	for (uint32_t i = 0; i < out->start_count; i++)
		p->blank_verdicts[out->starts[i].job] = (struct maui_verdict){ 0 };
	out->verdicts = NULL;
	out->verdict_count = 0;
	out->brief = true;
	p->entry_count = 0;
}

static void take_turn(struct maui_planner *p, const struct maui_plan_rank *rank)
{
	memset(p->entries, 0, sizeof(*p->entries));
	p->entry_count = 0;
	maui_plan_make_entry(p, rank);
	maui_plan_visit(p, &p->entries[0], MAUI_LIMIT_SOFT);
}

int maui_plan_strictly(struct maui_planner *p)
{
	struct heads heads;

	p->entries = maui_arena_alloc(&p->arena, sizeof(*p->entries));
	if (!p->entries || spread_blanks(p) || make_heads(p, &heads))
		return -1;
	while (heads.open > 0 && !p->failed) {
		uint32_t pool = pool_of(p, heads.list[0].lane);

		if (p->pools[pool].blocked) { /* closed already */
			remove_best(&heads);
			continue;
		}
		take_turn(p, &heads.list[0].rank);
		if (p->pools[pool].blocked)
			close_pool(&heads, pool);
		else
			advance(&heads, pool);
	}
	clean_up(p);
	return p->failed ? -1 : 0;
}
