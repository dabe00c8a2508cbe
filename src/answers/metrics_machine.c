/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics_machine.c - what the machine has, and how much of it is free
 *
 * Rules: CMD-48.
 */

#include <stdlib.h>

#include "answers/gres.h"
#include "answers/metric_parts.h"
#include "answers/node_use.h"
#include "model/gres.h"
#include "plan/finished.h"
#include "state/utilisation.h"

static void add_processors(struct maui_metric_families *f, const struct maui_document *p)
{
	static const struct {
		enum maui_load load;
		const char *state;
	} states[] = { { MAUI_LOAD_USED, "used" },
		       { MAUI_LOAD_RESERVED, "reserved" },
		       { MAUI_LOAD_IDLE, "idle" },
		       { MAUI_LOAD_DOWN, "down" } };
	const struct maui_utilisation *u = p->utilisation;

	if (!u || u->last_s == 0)
		return;
	maui_metric_begin(
		f, "processors", "gauge",
		"Processors by state; reserved: idle under a reservation that has begun.");
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		maui_metric_by(f, "state", states[i].state, u->last[states[i].load]);
	maui_metric_gauge(f, "configured_processors", "Processors of all nodes.",
			  u->last[MAUI_LOAD_PROCS]);
}

static void add_nodes(struct maui_metric_families *f, const struct maui_document *p, uid_t uid)
{
	static const char *const names[MAUI_NODE_STATES] = {
		[MAUI_NODE_IDLE] = "idle",       [MAUI_NODE_RUNNING] = "running",
		[MAUI_NODE_BUSY] = "busy",       [MAUI_NODE_DRAINING] = "draining",
		[MAUI_NODE_DRAINED] = "drained", [MAUI_NODE_DOWN] = "down",
		[MAUI_NODE_UNKNOWN] = "unknown",
	};
	uint32_t counts[MAUI_NODE_STATES] = { 0 };
	struct maui_node_use *uses;

	if (maui_document_hides_nodes(p, uid))
		return;
	uses = maui_node_use_list(p, uid);
	f->failed |= !uses;
	for (uint32_t i = 0; uses && i < p->plan->snapshot->node_count; i++)
		counts[maui_node_state(p->plan, i, &uses[i])]++;
	free(uses);
	maui_metric_begin(f, "nodes", "gauge", "Nodes by state.");
	for (int i = 0; i < MAUI_NODE_STATES; i++)
		maui_metric_by(f, "state", names[i], counts[i]);
}

static void put_gres(struct maui_metric_families *f, const struct maui_snapshot *s,
		     const int64_t *total, const int64_t *amounts)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		if (maui_gres_name(s, d) && total[d] > 0)
			maui_metric_by(f, "gres", maui_gres_name(s, d), (double)amounts[d]);
}

static bool has_gres(const struct maui_snapshot *s)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		if (maui_gres_name(s, d))
			return true;
	return false;
}

/* Generic resources by name and type, as in --gres: what nodes have, and what jobs hold. */
static void add_gres(struct maui_metric_families *f, const struct maui_document *p)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	int64_t *total = has_gres(s) ? maui_gres_sums(s) : NULL;

	f->failed |= has_gres(s) && !total;
	if (!total)
		return;
	maui_metric_begin(f, "gres", "gauge", "Generic resources of all nodes, such as GPUs.");
	put_gres(f, s, total, total);
	maui_metric_begin(f, "gres_allocated", "gauge", "Generic resources that jobs hold.");
	put_gres(f, s, total, total + s->amount_count);
	free(total);
}

/* ---- by partition ---- */

enum share { USED, RESERVED, FREE, DOWN, SHARES };
static const char *const share_names
	[SHARES] = { [USED] = "used", [RESERVED] = "reserved", [FREE] = "idle", [DOWN] = "down" };

/* Of each partition, of each amount: what there is of each share. */
struct partition_shares {
	const struct maui_snapshot *snapshot;
	int64_t *amounts;
};

static int64_t *amounts_of(const struct partition_shares *shares, uint32_t partition,
			   enum share share)
{
	return &shares->amounts[((size_t)partition * SHARES + share) *
				shares->snapshot->amount_count];
}

static enum share unused_share(const struct maui_plan *plan, uint32_t node,
			       const struct maui_node_use *use)
{
	if (plan->snapshot->nodes[node].usable_from_s > plan->now_s)
		return DOWN;
	return use->reserved ? RESERVED : FREE;
}

/* A node of two partitions counts in both. */
static void add_node(struct partition_shares *shares, uint32_t n, const int64_t *used,
		     enum share unused)
{
	const struct maui_node *node = &shares->snapshot->nodes[n];

	for (uint32_t i = 0; i < node->partition_count; i++)
		for (unsigned d = 0; d < shares->snapshot->amount_count; d++) {
			int64_t have = node->have[d] < MAUI_GRES_UNCOUNTED ? node->have[d] : 0;
			int64_t held = used[d] < have ? used[d] : have;

			amounts_of(shares, node->partitions[i], USED)[d] += held;
			amounts_of(shares, node->partitions[i], unused)[d] += have - held;
		}
}

/* What jobs hold on each node, of each amount. NULL without memory. */
static int64_t *held_on_nodes(const struct maui_snapshot *s)
{
	int64_t *held = calloc((size_t)s->node_count * s->amount_count + 1, sizeof(*held));

	for (uint32_t a = 0; held && a < s->active_count; a++)
		for (uint32_t i = 0; i < s->active[a].piece_count; i++) {
			const struct maui_piece *piece = &s->active[a].pieces[i];

			for (unsigned d = 0; d < s->amount_count; d++)
				held[(size_t)piece->node * s->amount_count + d] +=
					piece->amounts[d];
		}
	return held;
}

static void put_shares(struct maui_metric_families *f, const struct partition_shares *shares,
		       unsigned amount)
{
	const struct maui_snapshot *s = shares->snapshot;
	const char *gres = amount >= MAUI_AMOUNT_FIXED ? maui_gres_name(s, amount) : NULL;

	for (uint32_t p = 0; p < s->partition_count; p++) {
		int64_t all = 0;

		for (int share = 0; share < SHARES; share++)
			all += amounts_of(shares, p, (enum share)share)[amount];
		for (int share = 0; all > 0 && share < SHARES; share++)
			maui_metric_add(f, NULL,
					(const char *const[]){ "partition", s->partitions[p].name,
							       "state", share_names[share],
							       gres ? "gres" : NULL, gres, NULL },
					(double)amounts_of(shares, p, (enum share)share)[amount]);
	}
}

static void put_partitions(struct maui_metric_families *f, const struct partition_shares *shares)
{
	const struct maui_snapshot *s = shares->snapshot;

	maui_metric_begin(f, "partition_processors", "gauge",
			  "Processors of the partition's nodes by state.");
	put_shares(f, shares, MAUI_AMOUNT_PROCS);
	if (!has_gres(s))
		return;
	maui_metric_begin(f, "partition_gres", "gauge",
			  "Generic resources of the partition's nodes by state.");
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		if (maui_gres_name(s, d))
			put_shares(f, shares, d);
}

static void add_partitions(struct maui_metric_families *f, const struct maui_document *p, uid_t uid)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	struct partition_shares shares = { .snapshot = s };
	struct maui_node_use *uses;
	int64_t *held;

	if (maui_document_hides_nodes(p, uid))
		return;
	uses = maui_node_use_list(p, uid);
	held = held_on_nodes(s);
	shares.amounts = calloc((size_t)s->partition_count * SHARES * s->amount_count + 1,
				sizeof(*shares.amounts));
	if (uses && held && shares.amounts) {
		for (uint32_t n = 0; n < s->node_count; n++)
			add_node(&shares, n, &held[(size_t)n * s->amount_count],
				 unused_share(p->plan, n, &uses[n]));
		put_partitions(f, &shares);
	} else {
		f->failed = true;
	}
	free(uses);
	free(held);
	free(shares.amounts);
}

void maui_metrics_machine(struct maui_metric_families *families)
{
	const struct maui_question *q = families->question;

	add_processors(families, q->document);
	add_nodes(families, q->document, q->uid);
	add_gres(families, q->document);
	add_partitions(families, q->document, q->uid);
}
