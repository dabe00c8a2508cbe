/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_walk.c - walks the document's rows, then the claims of Slurm's reservations */

#include "answers/rsv_walk.h"

#include <stdlib.h>
#include <string.h>

#include "model/mirror.h"
#include "model/snapshot.h"
#include "plan/finished.h"

static const struct maui_document_rsv *next_of_document(struct maui_rsv_walk *walk)
{
	const struct maui_document *p = walk->document;

	while (walk->at < p->rsv_count) {
		if (walk->name)
			walk->at = maui_document_find(p, walk->name, walk->at);
		if (walk->at >= p->rsv_count)
			break;
		if (maui_document_shows(p, &p->rsvs[walk->at], walk->uid))
			return &p->rsvs[walk->at++];
		walk->at++;
	}
	return NULL;
}

/* Rows name nodes by their place in the document: NULL while its nodes are not the plan's. */
static const struct maui_snapshot *snapshot_of(const struct maui_rsv_walk *walk)
{
	const struct maui_document *p = walk->document;

	if (p->plan && p->plan->snapshot->node_count == p->node_count &&
	    !maui_document_hides_rsvs(p, walk->uid))
		return p->plan->snapshot;
	return NULL;
}

static bool is_wanted(const struct maui_rsv_walk *walk, const struct maui_claim *claim)
{
	return claim->rsv == MAUI_CLAIM_FOREIGN && claim->end_s > walk->document->now_s &&
	       (!walk->name || strcmp(claim->name, walk->name) == 0);
}

/* The whole nodes, or so many processors of each. */
static const struct maui_document_rsv *describe(struct maui_rsv_walk *walk,
						const struct maui_snapshot *s,
						const struct maui_claim *claim)
{
	struct maui_document_rsv *row = &walk->slurms;

	if (!walk->nodes)
		walk->nodes = malloc((s->node_count + 1u) * sizeof(*walk->nodes));
	walk->failed |= !walk->nodes;
	if (walk->failed)
		return NULL;
	*row = (struct maui_document_rsv){ .name = claim->name,
					   .type = MAUI_DOCUMENT_SLURM,
					   .start_s = claim->start_s,
					   .end_s = claim->end_s,
					   .rsv = UINT32_MAX,
					   .nodes = walk->nodes,
					   .state = MAUI_JOB_NO_STATE,
					   .uid = (uid_t)-1 };
	for (uint32_t i = 0; i < claim->node_count; i++) {
		const int64_t *amounts = claim->amounts ?
						 &claim->amounts[(size_t)i * s->amount_count] :
						 s->nodes[claim->nodes[i]].have;
		int64_t procs = amounts[MAUI_AMOUNT_PROCS];

		walk->nodes[row->node_count++] =
			(struct maui_document_node){ claim->nodes[i], procs, procs };
		row->tasks += procs;
		row->procs += procs;
	}
	return row;
}

const struct maui_document_rsv *maui_rsv_walk_next(struct maui_rsv_walk *walk)
{
	const struct maui_document_rsv *row = next_of_document(walk);
	const struct maui_snapshot *s = row ? NULL : snapshot_of(walk);
	size_t first = walk->document->rsv_count;

	while (s && walk->at - first < s->claim_count) {
		const struct maui_claim *claim = &s->claims[walk->at++ - first];

		if (is_wanted(walk, claim))
			return describe(walk, s, claim);
	}
	return row;
}

bool maui_rsv_walk_is_unowned(const struct maui_rsv_walk *walk, const struct maui_document_rsv *row)
{
	/* a state that is not saved was not read either: its reservations are not lost */
	return row->type == MAUI_DOCUMENT_SLURM && maui_mirror_is_name(row->name) &&
	       !walk->document->not_saved &&
	       maui_document_find(walk->document, row->name, 0) == walk->document->rsv_count;
}

void maui_rsv_walk_finish(struct maui_rsv_walk *walk)
{
	free(walk->nodes);
	walk->nodes = NULL;
}
