/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_shares.c - adds up nodes by partition */

#include "answers/partition_shares.h"

#include <stdlib.h>

#include "answers/node_use.h"
#include "model/gres.h"
#include "plan/finished.h"

struct sums {
	const struct maui_plan *plan;
	const struct maui_snapshot *snapshot;
	const struct maui_node_use *uses;
	int64_t *held;                     /* by jobs: of each node, of each amount */
	struct maui_partition_share *rows; /* of each amount, of each partition */
};

static struct maui_partition_share *row_of(const struct sums *sums, unsigned amount,
					   uint32_t partition)
{
	return &sums->rows[(size_t)amount * sums->snapshot->partition_count + partition];
}

static int64_t *unused_of(const struct sums *sums, uint32_t n, struct maui_partition_share *row)
{
	if (sums->snapshot->nodes[n].usable_from_s > sums->plan->now_s)
		return &row->down;
	return sums->uses[n].reserved ? &row->reserved : &row->idle;
}

static void add_node(const struct sums *sums, uint32_t n)
{
	const struct maui_node *node = &sums->snapshot->nodes[n];
	const int64_t *held = &sums->held[(size_t)n * sums->snapshot->amount_count];

	for (uint32_t i = 0; i < node->partition_count; i++)
		for (unsigned d = 0; d < sums->snapshot->amount_count; d++) {
			struct maui_partition_share *row = row_of(sums, d, node->partitions[i]);
			int64_t have = node->have[d] < MAUI_GRES_UNCOUNTED ? node->have[d] : 0;
			int64_t used = held[d] < have ? held[d] : have;

			row->used += used;
			*unused_of(sums, n, row) += have - used;
		}
}

static void add_jobs(const struct sums *sums)
{
	const struct maui_snapshot *s = sums->snapshot;

	for (uint32_t a = 0; a < s->active_count; a++)
		for (uint32_t i = 0; i < s->active[a].piece_count; i++) {
			const struct maui_piece *piece = &s->active[a].pieces[i];

			for (unsigned d = 0; d < s->amount_count; d++)
				sums->held[(size_t)piece->node * s->amount_count + d] +=
					piece->amounts[d];
		}
}

/* Whether the answer has rows of this amount: processors and generic resources. */
static bool is_listed(const struct maui_snapshot *s, unsigned amount)
{
	return amount == MAUI_AMOUNT_PROCS ||
	       (amount >= MAUI_AMOUNT_FIXED && maui_gres_name(s, amount));
}

/* Names the rows that the answer has, and moves them up. Returns how many they are. */
static size_t keep_listed(const struct sums *sums)
{
	const struct maui_snapshot *s = sums->snapshot;
	size_t count = 0;

	for (unsigned d = 0; d < s->amount_count; d++) {
		if (!is_listed(s, d))
			continue;
		for (uint32_t p = 0; p < s->partition_count; p++) {
			struct maui_partition_share row = *row_of(sums, d, p);

			if (row.used + row.reserved + row.idle + row.down == 0)
				continue;
			row.partition = s->partitions[p].name;
			row.gres = d == MAUI_AMOUNT_PROCS ? NULL : maui_gres_name(s, d);
			sums->rows[count++] = row;
		}
	}
	return count;
}

int maui_partition_shares(const struct maui_question *q, const struct maui_partition_share **ret,
			  size_t *ret_count)
{
	const struct maui_document *p = q->document;
	struct sums sums = { .plan = p->plan, .snapshot = p->plan->snapshot };
	const struct maui_snapshot *s = sums.snapshot;
	struct maui_node_use *uses;

	*ret = NULL;
	*ret_count = 0;
	if (maui_document_hides_nodes(p, q->uid) || maui_document_hides_partitions(p, q->uid))
		return 0;
	sums.uses = uses = maui_node_use_list(p, q->uid);
	sums.held =
		maui_question_alloc(q, (size_t)s->node_count * s->amount_count, sizeof(*sums.held));
	sums.rows = maui_question_alloc(q, (size_t)s->partition_count * s->amount_count,
					sizeof(*sums.rows));
	if (uses && sums.held && sums.rows) {
		add_jobs(&sums);
		for (uint32_t n = 0; n < s->node_count; n++)
			add_node(&sums, n);
		*ret = sums.rows;
		*ret_count = keep_listed(&sums);
	}
	free(uses);
	return *ret ? 0 : -1;
}
