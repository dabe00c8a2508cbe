/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_use.c - counts what is on each node */

#include "answers/node_use.h"

#include <stdlib.h>

#include "answers/find_job.h"
#include "answers/rsv_walk.h"
#include "plan/finished.h"

static void count_jobs(const struct maui_snapshot *s, struct maui_node_use *uses)
{
	unsigned amounts =
		s->amount_count < MAUI_AMOUNT_FIXED ? s->amount_count : MAUI_AMOUNT_FIXED;

	for (uint32_t i = 0; i < s->active_count; i++)
		for (uint32_t k = 0; k < s->active[i].piece_count; k++) {
			const struct maui_piece *piece = &s->active[i].pieces[k];

			uses[piece->node].jobs++;
			for (unsigned d = 0; d < amounts; d++)
				uses[piece->node].amounts[d] += piece->amounts[d];
		}
}

static void count_reservation(const struct maui_document *p, const struct maui_document_rsv *row,
			      struct maui_node_use *uses)
{
	bool begun = row->start_s <= p->now_s && !maui_document_is_active(row);

	for (uint32_t n = 0; n < row->node_count; n++) {
		uint32_t node = row->nodes[n].node;

		if (node >= p->plan->snapshot->node_count)
			continue;
		uses[node].reservations++;
		uses[node].reserved |= begun;
	}
}

struct maui_node_use *maui_node_use_list(const struct maui_document *p, uid_t uid)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	struct maui_node_use *uses = calloc(s->node_count + 1u, sizeof(*uses));
	struct maui_rsv_walk walk = { .document = p, .uid = uid };
	const struct maui_document_rsv *row;

	if (!uses)
		return NULL;
	count_jobs(s, uses);
	while ((row = maui_rsv_walk_next(&walk)))
		count_reservation(p, row, uses);
	maui_rsv_walk_finish(&walk);
	if (!walk.failed)
		return uses;
	free(uses);
	return NULL;
}

enum maui_node_state maui_node_state(const struct maui_plan *plan, uint32_t node,
				     const struct maui_node_use *use)
{
	const struct maui_node *n = &plan->snapshot->nodes[node];

	if (n->usable_from_s > plan->now_s) {
		if (n->state == MAUI_REASON_NODE_BUSY)
			return MAUI_NODE_BUSY;
		if (n->state == MAUI_REASON_NODE_UNANSWERED)
			return MAUI_NODE_UNKNOWN;
		if (n->drained)
			return use->jobs ? MAUI_NODE_DRAINING : MAUI_NODE_DRAINED;
		return MAUI_NODE_DOWN;
	}
	if (use->jobs == 0)
		return MAUI_NODE_IDLE;
	return use->amounts[MAUI_AMOUNT_PROCS] >= n->have[MAUI_AMOUNT_PROCS] ? MAUI_NODE_BUSY :
									       MAUI_NODE_RUNNING;
}
