/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - answers "nodes": what jobs leave of them at the moment of the plan
 *
 * Rules: CMD-9, CMD-33, CMD-65.
 */

#include "answers/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answers/find_job.h"
#include "answers/gres.h"
#include "answers/node_use.h"
#include "answers/refused.h"
#include "answers/rsv_text.h"
#include "answers/rsv_walk.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "model/gres.h"
#include "plan/finished.h"
#include "verbs/nodes.h"

static const struct maui_snapshot *snapshot_of(const struct maui_question *q)
{
	return q->document->plan->snapshot;
}

static bool is_usable(const struct maui_question *q, const struct maui_node *node)
{
	return node->usable_from_s <= q->document->plan->now_s;
}

/* ---- one node in detail ---- */

/* What jobs have on the node of each dimension. NULL without memory; the caller frees. */
static int64_t *sum_used(const struct maui_snapshot *s, uint32_t index)
{
	int64_t *used = calloc(s->amount_count, sizeof(*used));

	for (uint32_t i = 0; used && i < s->active_count; i++)
		for (uint32_t k = 0; k < s->active[i].piece_count; k++)
			for (unsigned d = 0;
			     s->active[i].pieces[k].node == index && d < s->amount_count; d++)
				used[d] += s->active[i].pieces[k].amounts[d];
	return used;
}

static int list_gres(const struct maui_question *q, uint32_t index, struct maui_nodes_node *ret)
{
	const struct maui_snapshot *s = snapshot_of(q);
	const struct maui_node *node = &s->nodes[index];
	int64_t *used = sum_used(s, index);
	int rc;

	if (!used) {
		maui_question_no_memory(q);
		return -1;
	}
	rc = maui_gres_list(q, node->have, is_usable(q, node) ? used : node->have, &ret->gres,
			    &ret->gres_count);
	free(used);
	return rc;
}

/* What an active job has of the node; NULL: the plan does not know. */
static const struct maui_piece *piece_of(const struct maui_snapshot *s, uint64_t job,
					 uint32_t index)
{
	uint32_t i = 0, k = 0;

	while (i < s->active_count && s->active[i].id != job)
		i++;
	if (i == s->active_count)
		return NULL;
	while (k < s->active[i].piece_count && s->active[i].pieces[k].node != index)
		k++;
	return k < s->active[i].piece_count ? &s->active[i].pieces[k] : NULL;
}

/* Sets *ret to "gpu:2,gpu:a100:2"; NULL: nothing. -1 without memory. */
static int get_gres_text(const struct maui_question *q, const struct maui_piece *piece,
			 const char **ret)
{
	const struct maui_snapshot *s = snapshot_of(q);
	struct maui_strbuf text = { 0 };

	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		if (piece->amounts[d] > 0 && maui_gres_name(s, d))
			maui_strbuf_addf(&text, "%s%s:%" PRId64, text.length ? "," : "",
					 maui_gres_name(s, d), piece->amounts[d]);
	*ret = text.length > 0 ? maui_question_copy(q, text.text) : NULL;
	if (text.failed)
		maui_question_no_memory(q);
	maui_strbuf_finish(&text);
	return text.failed || (text.length > 0 && !*ret) ? -1 : 0;
}

static int fill_holder(const struct maui_question *q, const struct maui_document_rsv *row,
		       const struct maui_document_node *node, struct maui_nodes_holder *ret)
{
	const struct maui_piece *piece = maui_document_is_active(row) ?
						 piece_of(snapshot_of(q), row->job_id, node->node) :
						 NULL;

	*ret = (struct maui_nodes_holder){
		.name = row->name,
		.type = maui_rsv_text_type(row->type),
		.state = row->state,
		.user = row->cred[MAUI_CRED_USER],
		.start = row->start_s,
		.end = row->end_s,
		.procs = node->procs,
	};
	return piece ? get_gres_text(q, piece, &ret->gres) : 0;
}

/* Lists the reservations on the node, jobs included, that the user may see. `list` NULL: counts
 * them. -1 without memory. */
static int walk_holders(const struct maui_question *q, uint32_t index,
			struct maui_nodes_holder *list, size_t *ret_count)
{
	struct maui_rsv_walk walk = { .document = q->document, .uid = q->uid };
	const struct maui_document_rsv *row;
	int rc = 0;

	*ret_count = 0;
	while (rc == 0 && (row = maui_rsv_walk_next(&walk)))
		for (uint32_t n = 0; rc == 0 && n < row->node_count; n++) {
			if (row->nodes[n].node != index)
				continue;
			if (list)
				rc = fill_holder(q, row, &row->nodes[n], &list[*ret_count]);
			++*ret_count;
		}
	if (walk.failed)
		maui_question_no_memory(q);
	maui_rsv_walk_finish(&walk);
	return walk.failed ? -1 : rc;
}

static int list_reserved(const struct maui_question *q, uint32_t index, struct maui_nodes_node *ret)
{
	struct maui_nodes_holder *list;

	if (walk_holders(q, index, NULL, &ret->reserved_count))
		return -1;
	ret->reserved = list = maui_question_alloc(q, ret->reserved_count, sizeof(*list));
	return list ? walk_holders(q, index, list, &ret->reserved_count) : -1;
}

/* ---- all nodes ---- */

static int64_t configured(const struct maui_question *q, const struct maui_node *node, unsigned d)
{
	return d < snapshot_of(q)->amount_count ? node->have[d] : 0;
}

/* Nothing of a node that is down or drained is available. */
static int64_t available(const struct maui_question *q, const struct maui_node *node,
			 const struct maui_node_use *use, unsigned d)
{
	int64_t left = is_usable(q, node) ? configured(q, node, d) - use->amounts[d] : 0;

	return left > 0 ? left : 0;
}

/* NULL without memory. */
static const char *const *list_partitions(const struct maui_question *q,
					  const struct maui_node *node)
{
	const char **names = maui_question_alloc(q, node->partition_count, sizeof(*names));

	for (uint32_t i = 0; names && i < node->partition_count; i++)
		names[i] = snapshot_of(q)->partitions[node->partitions[i]].name;
	return names;
}

static int fill_node(const struct maui_question *q, uint32_t index, const struct maui_node_use *use,
		     struct maui_nodes_node *ret)
{
	const struct maui_node *node = &snapshot_of(q)->nodes[index];

	*ret = (struct maui_nodes_node){
		.name = node->name,
		.state = maui_node_state(q->document->plan, index, use),
		.procs_available = available(q, node, use, MAUI_AMOUNT_PROCS),
		.procs = configured(q, node, MAUI_AMOUNT_PROCS),
		.mem_mb_available = available(q, node, use, MAUI_AMOUNT_MEM),
		.mem_mb = configured(q, node, MAUI_AMOUNT_MEM),
		.disk_mb_available = available(q, node, use, MAUI_AMOUNT_DISK),
		.disk_mb = configured(q, node, MAUI_AMOUNT_DISK),
		.load = node->load,
		.jobs = use->jobs,
		.reservations = use->reservations,
		.classes = list_partitions(q, node),
		.classes_count = node->partition_count,
		.features = node->features,
		.note = node->note,
	};
	return ret->classes ? 0 : -1;
}

static bool is_wanted(const struct maui_node *node, const char *name)
{
	return !name || (node->name && strcmp(node->name, name) == 0);
}

static size_t count_nodes(const struct maui_snapshot *s, const char *name)
{
	size_t count = 0;

	for (uint32_t i = 0; i < s->node_count; i++)
		count += is_wanted(&s->nodes[i], name);
	return count;
}

/* -1 without memory. */
static int fill_nodes(const struct maui_question *q, const char *name,
		      const struct maui_node_use *uses, struct maui_nodes_node *list)
{
	const struct maui_snapshot *s = snapshot_of(q);
	size_t at = 0;

	for (uint32_t i = 0; i < s->node_count; i++) {
		if (!is_wanted(&s->nodes[i], name))
			continue;
		if (fill_node(q, i, &uses[i], &list[at]) ||
		    (name && (list_gres(q, i, &list[at]) || list_reserved(q, i, &list[at]))))
			return -1;
		at++;
	}
	return 0;
}

static int list_nodes(const struct maui_question *q, const char *name, struct maui_nodes *ret)
{
	struct maui_nodes_node *list = maui_question_alloc(q, ret->nodes_count, sizeof(*list));
	struct maui_node_use *uses;
	int rc = -1;

	if (!list)
		return -1;
	ret->nodes = list;
	uses = maui_node_use_list(q->document, q->uid);
	if (uses)
		rc = fill_nodes(q, name, uses, list);
	else
		maui_question_no_memory(q);
	free(uses);
	return rc;
}

static const void *answer(const struct maui_question *q, const char *name)
{
	struct maui_nodes *ret = maui_question_alloc(q, 1, sizeof(*ret));

	if (!ret)
		return NULL;
	*ret = (struct maui_nodes){
		.cluster = q->document->cluster,
		.time = q->document->plan->now_s,
		.nodes_count = count_nodes(snapshot_of(q), name),
	};
	return list_nodes(q, name, ret) || maui_refused_get(q, &ret->refused) ? NULL : ret;
}

/* In: struct maui_nodes_args. Out: struct maui_nodes, of the finished plan; NULL with an error: no
 * plan yet, no such node, PrivateData=nodes, more nodes than are listed, no memory. */
const void *maui_answer_nodes(const struct maui_question *q, const void *args)
{
	const char *name = ((const struct maui_nodes_args *)args)->name;

	if (!maui_question_has_plan(q))
		return NULL;
	if (!name && snapshot_of(q)->node_count > MAUI_QUERY_MAX_ROWS)
		return maui_question_too_many(q, MAUI_QUERY_MAX_ROWS, "nodes", "name one");
	if (name && count_nodes(snapshot_of(q), name) == 0)
		return maui_question_fail(q, MAUI_QUERY_NOT_FOUND, "no node '%.64s'", name);
	return answer(q, name);
}
