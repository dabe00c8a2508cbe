/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count_claims.c - the reservation that closes most of the nodes that a job would choose from */

#include "explain/private.h"

/* A claim with its count of nodes. */
struct counted {
	uint32_t nodes, last_line; /* `last_line`: the last line that counted it, from 1 */
	bool asked, counts;
};

struct tally {
	const struct maui_explained_job *a;
	struct maui_span span;
	maui_counts_fn counts;
	int64_t moment;
	struct counted *of_claim;
	uint32_t line;
};

static bool claim_counts(const struct maui_explainer *x, struct tally *tally, uint32_t claim)
{
	struct counted *counted = &tally->of_claim[claim];

	if (!counted->asked) {
		counted->asked = true;
		counted->counts = tally->counts(x, tally->a, claim, tally->moment) &&
				  maui_claim_keeps_out(x, &tally->a->shape, claim, tally->span);
	}
	return counted->counts;
}

/* Counts each claim on the line once, for this many equal nodes. */
static void count_line(const struct maui_explainer *x, struct tally *tally, uint32_t node,
		       uint32_t nodes)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_line *line = &t->lines[node];

	tally->line++;
	for (uint32_t i = 0; nodes > 0 && i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		const struct maui_claim_set *set;

		if (step->at >= tally->span.until)
			break;
		set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
		for (uint32_t c = 0; set && c < set->count; c++) {
			struct counted *counted = &tally->of_claim[set->parts[c].claim];

			if (counted->last_line == tally->line ||
			    !claim_counts(x, tally, set->parts[c].claim))
				continue;
			counted->last_line = tally->line;
			counted->nodes += nodes;
		}
	}
}

static bool is_open(const struct maui_explainer *x, uint32_t node)
{
	return maui_line_step(&x->timeline, &x->timeline.lines[node], 0)->free[MAUI_AMOUNT_PROCS] >
	       0;
}

const struct maui_claim *maui_claim_on_most_nodes(struct maui_explainer *x,
						  const struct maui_explained_job *a,
						  struct maui_span span, maui_counts_fn counts,
						  int64_t moment, bool open_only)
{
	const struct maui_timeline *t = &x->timeline;
	struct tally tally = { .a = a, .span = span, .counts = counts, .moment = moment };
	size_t best = 0;

	tally.of_claim =
		maui_arena_alloc(&x->arena, (t->claim_count + 1) * sizeof(*tally.of_claim));
	if (!tally.of_claim) {
		x->failed = true;
		return NULL;
	}
	for (uint32_t n = 0, end; n < x->snapshot->node_count; n = end) {
		end = maui_stretch_end(x, &a->shape, n);
		if (maui_node_matters(x, &a->shape, n) && (!open_only || is_open(x, n)))
			count_line(x, &tally, n, end - n);
	}
	for (size_t c = 1; c < t->claim_count; c++)
		if (tally.of_claim[c].nodes > tally.of_claim[best].nodes ||
		    (tally.of_claim[c].nodes == tally.of_claim[best].nodes &&
		     t->claims[c]->start_s < t->claims[best]->start_s))
			best = c;
	return t->claim_count > 0 && tally.of_claim[best].nodes > 0 ? t->claims[best] : NULL;
}
