/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_answers.c - answers in a list by fingerprint, at most MAUI_ANSWERS_MOST
 *
 * A full list drops the oldest answer, but never one to a question that slurm-maui asked: otherwise
 * two questions would push out each other's answers and be asked again and again.
 */

#include "cycle/slurm_answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/search.h"
#include "base/sort.h"

enum {
	/* how long Slurm's word that a job can never run is believed: first, and at most */
	NEVER_S = 300,
	NEVER_MAX_S = 3600,
	CLOSED_MAX_S = 3600, /* the clock was set back if something is closed for longer */
};

static void free_offer(struct maui_slurm_answer *answer)
{
	free(answer->offered.nodes);
	answer->offered.nodes = NULL;
	answer->offered.offer = (struct maui_slurm_offer){ .start_s = MAUI_NEVER };
}

static void drop_answer(struct maui_slurm_answers *answers, size_t index)
{
	free_offer(&answers->list[index]);
	answers->count--;
	memmove(&answers->list[index], &answers->list[index + 1],
		(answers->count - index) * sizeof(*answers->list));
}

void maui_slurm_answers_finish(struct maui_slurm_answers *answers)
{
	while (answers->count > 0)
		drop_answer(answers, answers->count - 1);
	free(answers->list);
	*answers = (struct maui_slurm_answers){ 0 };
}

static bool is_before(const void *element, const void *fingerprint)
{
	return ((const struct maui_slurm_answer *)element)->fingerprint <
	       *(const uint64_t *)fingerprint;
}

static struct maui_slurm_answer *find_answer(const struct maui_slurm_answers *answers,
					     uint64_t fingerprint, size_t *ret_at)
{
	size_t at = maui_lower_bound(answers->list, answers->count, sizeof(*answers->list),
				     is_before, &fingerprint);

	*ret_at = at;
	return at < answers->count && answers->list[at].fingerprint == fingerprint ?
		       &answers->list[at] :
		       NULL;
}

const struct maui_slurm_answer *maui_slurm_answers_find(const struct maui_slurm_answers *answers,
							uint64_t fingerprint)
{
	size_t at;

	return find_answer(answers, fingerprint, &at);
}

static void drop_oldest(struct maui_slurm_answers *answers)
{
	size_t oldest = 0;

	for (size_t i = 1; i < answers->count; i++)
		if (answers->list[i].serial < answers->list[oldest].serial)
			oldest = i;
	drop_answer(answers, oldest);
}

/* The answer of this fingerprint, a new one if there is none. NULL without memory. */
static struct maui_slurm_answer *get_answer(struct maui_slurm_answers *answers,
					    uint64_t fingerprint)
{
	struct maui_slurm_answer *found, *grown;
	size_t at;

	if (answers->count >= MAUI_ANSWERS_MOST && !find_answer(answers, fingerprint, &at))
		drop_oldest(answers);
	found = find_answer(answers, fingerprint, &at);
	if (!found) {
		grown = maui_array_grow(answers->list, answers->count, &answers->alloc,
					sizeof(*grown));
		if (!grown)
			return NULL;
		answers->list = grown;
		found = &grown[at];
		memmove(found + 1, found, (answers->count - at) * sizeof(*found));
		*found = (struct maui_slurm_answer){ .fingerprint = fingerprint,
						     .offered.offer.start_s = MAUI_NEVER,
						     .now.seen = true };
		answers->count++;
	}
	found->serial = ++answers->serial;
	return found;
}

void maui_slurm_answers_asks(struct maui_slurm_answers *answers, uint64_t fingerprint)
{
	struct maui_slurm_answer *answer = get_answer(answers, fingerprint);

	if (answer)
		answer->asks = true;
}

/* One may come from a job that has just ended on these nodes. */
enum { DOUBTS_ENOUGH = 2 };

/* A copy of the offer; without memory, none. */
static void set_offer(struct maui_slurm_answer *answer, const struct maui_slurm_offer *offer)
{
	size_t size = offer->node_count * sizeof(*offer->nodes);

	free_offer(answer);
	answer->offered.doubts = offer->doubtful ? answer->offered.doubts + 1 : 0;
	answer->offered.offer.no_moment =
		offer->no_moment || answer->offered.doubts >= DOUBTS_ENOUGH;
	if (offer->start_s == MAUI_NEVER || offer->node_count == 0)
		return;
	answer->offered.nodes = malloc(size);
	if (!answer->offered.nodes)
		return;
	memcpy(answer->offered.nodes, offer->nodes, size);
	answer->offered.offer = *offer;
	answer->offered.offer.nodes = answer->offered.nodes;
}

static uint64_t hash_closed(enum maui_closed_kind kind, const char *name)
{
	return maui_hash_text(name, (uint64_t)kind);
}

static int64_t pause_ends_s(const struct maui_slurm_answer *answer)
{
	return answer->tried_s + maui_refusal_backoff_s(answer->tries - 1);
}

int64_t maui_slurm_answers_busy(struct maui_slurm_answers *answers, uint64_t fingerprint,
				int64_t now_s, uint64_t ends, const char *partition,
				const struct maui_slurm_offer *offer, bool network)
{
	struct maui_slurm_answer *answer = get_answer(answers, fingerprint);

	if (!answer)
		return now_s + 1;
	if (offer) {
		set_offer(answer, offer);
		answer->offered.ends = ends;
		answer->offered.partition = hash_closed(MAUI_CLOSED_PARTITION, partition);
		answer->offered.asked_at = answer->tries;
	}
	answer->asks = true;
	answer->tries++;
	answer->network = network;
	answer->tried_s = now_s;
	answer->ends = ends;
	return pause_ends_s(answer);
}

void maui_slurm_answers_started(struct maui_slurm_answers *answers, uint64_t fingerprint)
{
	size_t at;
	struct maui_slurm_answer *answer = find_answer(answers, fingerprint, &at);

	if (!answer)
		return;
	answer->tries = answer->offered.asked_at = answer->offered.doubts = 0;
	free_offer(answer);
}

static void set_possible(struct maui_slurm_answer *answer, int64_t now_s, bool possible)
{
	answer->possible = answer->asks = possible;
	answer->unsaid = false;
	answer->never_count = possible ? 0 : answer->never_count + 1;
	answer->tried_s = now_s;
}

void maui_slurm_answers_possible(struct maui_slurm_answers *answers, uint64_t fingerprint,
				 int64_t now_s, bool possible)
{
	struct maui_slurm_answer *answer = get_answer(answers, fingerprint);

	if (answer)
		set_possible(answer, now_s, possible);
}

bool maui_slurm_answers_unsaid(struct maui_slurm_answers *answers, uint64_t fingerprint,
			       int64_t now_s)
{
	struct maui_slurm_answer *answer = get_answer(answers, fingerprint);

	if (!answer)
		return false;
	if (answer->never_count > 0) {
		answer->tried_s = now_s;
		return false;
	}
	set_possible(answer, now_s, true);
	answer->unsaid = true;
	return true;
}

bool maui_slurm_answers_unfit(struct maui_slurm_answers *answers, uint64_t fingerprint,
			      int64_t now_s)
{
	size_t at;
	struct maui_slurm_answer *answer = find_answer(answers, fingerprint, &at);

	if (!answer || !answer->unsaid)
		return false;
	set_possible(answer, now_s, false);
	return true;
}

bool maui_slurm_answer_is_known(const struct maui_slurm_answer *answer, int64_t now_s)
{
	int64_t age_s, lasts_s = NEVER_S;

	if (!answer || answer->never_count == 0)
		return answer && answer->possible;
	age_s = now_s - answer->tried_s;
	for (unsigned i = 1; i < answer->never_count && lasts_s < NEVER_MAX_S; i++)
		lasts_s *= 2;
	return age_s >= 0 && age_s < (lasts_s < NEVER_MAX_S ? lasts_s : NEVER_MAX_S);
}

bool maui_slurm_answers_full(const struct maui_slurm_answers *answers)
{
	return answers->count >= MAUI_ANSWERS_MOST;
}

uint32_t *maui_slurm_answers_by_user(struct maui_slurm_answers *answers,
				     const struct maui_answers_view *view)
{
	const struct maui_snapshot *s = view->snapshot;
	/* a user's number is no larger than the number of credentials */
	uint32_t *ret = maui_arena_alloc(view->arena, (s->cred_count + 1u) * sizeof(*ret));

	for (size_t i = 0; i < answers->count; i++)
		answers->list[i].now.counted = false;
	for (uint32_t i = 0; ret && i < s->idle_count; i++) {
		size_t at;
		struct maui_slurm_answer *answer =
			find_answer(answers, view->waiting[i].fingerprint, &at);

		if (!answer || answer->now.counted ||
		    !(answer->possible || answer->never_count > 0))
			continue;
		answer->now.counted = true;
		ret[view->waiting[i].user]++;
	}
	return ret;
}

int64_t maui_slurm_answer_closed_until(const struct maui_slurm_answer *answer,
				       enum maui_closed_kind kind, const char *name, int64_t now_s)
{
	uint64_t hash;

	if (!answer ||
	    answer->closed_count == 0) /* most jobs: they are asked about in each cycle */
		return 0;
	hash = hash_closed(kind, name);
	for (unsigned i = 0; i < answer->closed_count; i++) {
		int64_t until_s = answer->closed[i].until_s;

		if (answer->closed[i].hash == hash)
			return until_s == MAUI_NEVER || (now_s < until_s &&
							 until_s <= now_s + CLOSED_MAX_S) ?
				       until_s :
				       0;
	}
	return 0;
}

void maui_slurm_answers_close(struct maui_slurm_answers *answers, uint64_t fingerprint,
			      enum maui_closed_kind kind, const char *name, int64_t now_s,
			      int64_t until_s)
{
	struct maui_slurm_answer *answer = get_answer(answers, fingerprint);
	const uint64_t hash = hash_closed(kind, name);
	unsigned at = 0;

	if (!answer)
		return;
	while (at < answer->closed_count && answer->closed[at].hash != hash)
		at++;
	for (unsigned i = 0; at == MAUI_ANSWER_CLOSED_MOST && i < answer->closed_count; i++)
		if (answer->closed[i].until_s <= now_s)
			at = i;
	if (at == MAUI_ANSWER_CLOSED_MOST)
		return;
	answer->closed[at] = (struct maui_closed_entry){ hash, until_s };
	if (at == answer->closed_count)
		answer->closed_count++;
}

/* Whether the job is not tried in this cycle. */
static bool is_busy(const struct maui_slurm_answer *answer, const struct maui_answers_view *view)
{
	return maui_refusal_lasts(answer->tries, answer->tried_s, pause_ends_s(answer),
				  answer->ends != view->ends, view->now_s);
}

/* ---- at the beginning of a cycle ---- */

static void mark_seen(struct maui_slurm_answers *answers, const struct maui_answers_view *view)
{
	for (size_t i = 0; i < answers->count; i++)
		answers->list[i].now.seen = false;
	for (uint32_t i = 0; i < view->snapshot->idle_count; i++) {
		size_t at;
		struct maui_slurm_answer *answer =
			find_answer(answers, view->waiting[i].fingerprint, &at);

		if (answer)
			answer->now.seen = true;
	}
}

int64_t maui_slurm_answers_review(struct maui_slurm_answers *answers,
				  const struct maui_answers_view *view)
{
	int64_t next_s = 0;

	if (answers->count == 0)
		return 0;
	mark_seen(answers, view);
	for (size_t i = answers->count; i-- > 0;) {
		const struct maui_slurm_answer *answer = &answers->list[i];

		if (!answer->now.seen || answers->table != view->table)
			drop_answer(answers, i);
		else if (is_busy(answer, view) && (next_s == 0 || pause_ends_s(answer) < next_s))
			next_s = pause_ends_s(answer);
	}
	return next_s;
}

/* ---- applied to the snapshot ---- */

/* Computes when the first active job of each pool ends. -1 without memory. */
static int find_next_ends(struct maui_answers_view *view)
{
	const struct maui_snapshot *s = view->snapshot;

	if (view->next_end_s)
		return 0;
	view->next_end_s = maui_arena_alloc(view->arena,
					    (s->partition_count + 1u) * sizeof(*view->next_end_s));
	if (!view->next_end_s)
		return -1;
	for (uint32_t p = 0; p <= s->partition_count; p++)
		view->next_end_s[p] = MAUI_NEVER;
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];
		int64_t end_s = active->end_s > view->now_s ? active->end_s : view->now_s + 1;

		for (uint32_t i = 0; i < active->piece_count; i++) {
			const struct maui_node *node = &s->nodes[active->pieces[i].node];
			int64_t *next_s;

			if (node->partition_count == 0)
				continue;
			next_s = &view->next_end_s[s->partitions[node->partitions[0]].pool];
			*next_s = end_s < *next_s ? end_s : *next_s;
		}
	}
	return 0;
}

/* Nothing changes for a busy job before a job ends somewhere on its partitions' nodes. */
static int64_t busy_until(const struct maui_answers_view *view,
			  const struct maui_slurm_answer *answer, const struct maui_idle *idle)
{
	const struct maui_snapshot *s = view->snapshot;
	int64_t until_s = MAUI_NEVER;

	if (answer->offered.offer.no_moment)
		return MAUI_NEVER;
	if (answer->offered.nodes)
		until_s = answer->offered.offer.start_s;
	for (uint32_t r = 0; !answer->offered.nodes && r < idle->row_count; r++) {
		uint32_t pool = s->partitions[idle->rows[r].partition].pool;

		if (view->next_end_s[pool] < until_s)
			until_s = view->next_end_s[pool];
	}
	if (until_s <= view->now_s || until_s == MAUI_NEVER)
		until_s = pause_ends_s(answer);
	return until_s;
}

/* Requires the nodes that Slurm offered in this partition. */
static void require_offer(const struct maui_answers_view *view,
			  const struct maui_slurm_answer *answer, struct maui_request *request)
{
	uint32_t count = answer->offered.offer.node_count, *nodes;

	nodes = maui_arena_alloc(view->arena, (count + 1u) * sizeof(*nodes));
	if (!nodes || request->required_count > 0)
		return;
	for (uint32_t i = 0; i < count; i++) {
		int64_t node = maui_snapshot_find_node(view->snapshot, answer->offered.nodes[i]);

		if (node < 0)
			return;
		nodes[i] = (uint32_t)node;
	}
	qsort(nodes, count, sizeof(*nodes), maui_sort_by_u32);
	request->required = nodes;
	request->required_count = request->nodes_min = request->nodes_max = count;
}

/* Leaves the least number of nodes, the nodes that the job excludes, and the reservations that it
 * may use. Slurm knows the rest. */
static void forget_description(struct maui_request *request)
{
	*request = (struct maui_request){
		.nodes_min = request->nodes_min,
		.procs_per_task = 1,
		.global = request->global,
		.global_claim = request->global_claim,
		.sole_user = request->sole_user,
		.excluded = request->excluded,
		.excluded_count = request->excluded_count,
		.claims = request->claims,
		.claim_count = request->claim_count,
		.only_claims = request->only_claims,
		.passes_shares = request->passes_shares,
	};
}

struct answered {
	const struct maui_answers_view *view;
	const struct maui_slurm_answer *answer;
	const char *partition;
};

static int apply_to_request(void *data, struct maui_request *request)
{
	const struct answered *a = data;

	if (a->answer->possible)
		forget_description(request);
	request->asks_slurm |= a->answer->asks;
	if (a->answer->offered.nodes &&
	    a->answer->offered.partition == hash_closed(MAUI_CLOSED_PARTITION, a->partition) &&
	    is_busy(a->answer, a->view))
		require_offer(a->view, a->answer, request);
	return 0;
}

/* The request of jobs with this answer in a partition; without memory, their own. */
static uint32_t replace_request(struct maui_answers_view *view, struct maui_slurm_answer *answer,
				uint32_t partition, uint32_t plain)
{
	struct answered answered = { view, answer, view->snapshot->partitions[partition].name };
	int64_t found;

	if (answer->now.cached && answer->now.plain == plain && answer->now.partition == partition)
		return answer->now.replaced;
	found = maui_snapshot_change_request(view->snapshot, plain, apply_to_request, &answered);
	answer->now.cached = true;
	answer->now.plain = plain;
	answer->now.partition = partition;
	answer->now.replaced = found < 0 ? plain : (uint32_t)found;
	return answer->now.replaced;
}

/* Row by row: jobs that are alike have the same request in a row, and it is replaced once. False:
 * no job has such a row. */
static bool apply_to_row(struct maui_slurm_answers *answers, struct maui_answers_view *view,
			 uint32_t row)
{
	struct maui_snapshot *s = view->snapshot;
	bool any = false;

	for (size_t i = 0; i < answers->count; i++)
		answers->list[i].now.cached = false;
	for (uint32_t i = 0; i < s->idle_count; i++) {
		size_t at;
		struct maui_slurm_answer *answer =
			row < s->idle[i].row_count ?
				find_answer(answers, view->waiting[i].fingerprint, &at) :
				NULL;

		if (!answer)
			continue;
		any = true;
		maui_snapshot_set_request(s, i, row,
					  replace_request(view, answer,
							  s->idle[i].rows[row].partition,
							  view->waiting[i].requests[row]));
	}
	return any;
}

/* In which of its partitions the job does not start now. If that is all of them it is tried in the
 * one whose turn comes first, in the first one that has refused it if none has a turn. */
static void set_rows(const struct maui_answers_view *view, const struct maui_slurm_answer *answer,
		     const struct maui_idle *idle)
{
	int64_t first_turn_s = MAUI_NEVER;
	uint32_t first = 0;
	bool any = false;

	for (uint32_t r = 0; r < idle->row_count; r++) {
		const char *name = view->snapshot->partitions[idle->rows[r].partition].name;
		bool closed = maui_slurm_answer_closed_until(answer, MAUI_CLOSED_PARTITION, name,
							     view->now_s) != 0;
		int64_t turn_s =
			maui_slurm_answer_closed_until(answer, MAUI_CLOSED_TURN, name, view->now_s);

		any |= !closed && turn_s == 0;
		if (!closed && turn_s < first_turn_s) {
			first_turn_s = turn_s;
			first = r;
		}
		maui_snapshot_set_row(idle, r, closed, turn_s);
	}
	if (!any)
		maui_snapshot_set_row(idle, first, false, 0);
}

void maui_slurm_answers_apply(struct maui_slurm_answers *answers, struct maui_answers_view *view)
{
	struct maui_snapshot *s = view->snapshot;

	answers->table = view->table;
	view->next_end_s = NULL;
	if (answers->count == 0 || find_next_ends(view))
		return;
	for (uint32_t i = 0; i < s->idle_count; i++) {
		size_t at;
		struct maui_slurm_answer *answer =
			find_answer(answers, view->waiting[i].fingerprint, &at);

		s->idle[i].busy_until_s = 0;
		if (answer && is_busy(answer, view))
			s->idle[i].busy_until_s = busy_until(view, answer, &s->idle[i]);
		set_rows(view, answer, &s->idle[i]);
	}
	for (uint32_t row = 0; apply_to_row(answers, view, row);)
		row++;
}
