/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics_machine.c - what the machine has, and how much of it is free
 *
 * Rules: CMD-48.
 */

#include <stdlib.h>

#include "answers/gres.h"
#include "answers/metric_parts.h"
#include "answers/node_use.h"
#include "answers/partition_shares.h"
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

static void put_share(struct maui_metric_families *f, const struct maui_partition_share *row)
{
	const struct {
		const char *state;
		int64_t amount;
	} list[] = { { "used", row->used },
		     { "reserved", row->reserved },
		     { "idle", row->idle },
		     { "down", row->down } };

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		maui_metric_add(f, NULL,
				(const char *const[]){ "partition", row->partition, "state",
						       list[i].state, row->gres ? "gres" : NULL,
						       row->gres, NULL },
				(double)list[i].amount);
}

static void add_partitions(struct maui_metric_families *f)
{
	const struct maui_partition_share *rows;
	size_t count, i;

	if (maui_partition_shares(f->question, &rows, &count)) {
		f->failed = true;
		return;
	}
	if (count == 0)
		return;
	maui_metric_begin(f, "partition_processors", "gauge",
			  "Processors of the partition's nodes by state.");
	for (i = 0; i < count && !rows[i].gres; i++)
		put_share(f, &rows[i]);
	if (i == count)
		return;
	maui_metric_begin(f, "partition_gres", "gauge",
			  "Generic resources of the partition's nodes by state.");
	for (; i < count; i++)
		put_share(f, &rows[i]);
}

void maui_metrics_machine(struct maui_metric_families *families)
{
	const struct maui_question *q = families->question;

	add_processors(families, q->document);
	add_nodes(families, q->document, q->uid);
	add_gres(families, q->document);
	add_partitions(families);
}
