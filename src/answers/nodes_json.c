/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_json.c - nodes with what jobs leave of them at the moment of the plan
 *
 * Rules: CMD-9, CMD-33, CMD-65.
 */

#include "answers/nodes_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answers/config_json.h"
#include "answers/find_job.h"
#include "answers/gres_json.h"
#include "answers/node_use.h"
#include "answers/rsv_json.h"
#include "answers/rsv_walk.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "model/gres.h"
#include "plan/finished.h"

/* Nothing of a node that is down or drained is available. */
static void put_amount(struct maui_object *o, const char *available, const char *configured,
		       const struct maui_snapshot *s, const struct maui_node *node,
		       const struct maui_node_use *use, bool usable, unsigned d)
{
	int64_t have = d < s->amount_count ? node->have[d] : 0;
	int64_t left = usable ? have - use->amounts[d] : 0;

	maui_object_put_number(o, available, left > 0 ? left : 0);
	maui_object_put_number(o, configured, have);
}

static void put_partitions(struct maui_object *o, const struct maui_snapshot *s,
			   const struct maui_node *node)
{
	json_object *list = json_object_new_array();

	for (uint32_t i = 0; list && i < node->partition_count; i++) {
		json_object *name = json_object_new_string(s->partitions[node->partitions[i]].name);

		if (!name || json_object_array_add(list, name) != 0) {
			json_object_put(name);
			o->failed = true;
		}
	}
	maui_object_put(o, "classes", list);
}

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

static void put_gres(struct maui_object *o, const struct maui_snapshot *s, uint32_t index,
		     bool usable)
{
	int64_t *used = sum_used(s, index);

	if (used)
		maui_gres_put(o, s, s->nodes[index].have, usable ? used : s->nodes[index].have);
	o->failed |= !used;
	free(used);
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

/* "gpu:2,gpu:a100:2". The caller frees; NULL: no memory. */
static char *gres_text(const struct maui_snapshot *s, const struct maui_piece *piece)
{
	struct maui_strbuf text = { 0 };

	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++)
		if (piece->amounts[d] > 0 && maui_gres_name(s, d))
			maui_strbuf_addf(&text, "%s%s:%" PRId64, text.length ? "," : "",
					 maui_gres_name(s, d), piece->amounts[d]);
	return maui_strbuf_steal(&text);
}

static json_object *reserved_json(const struct maui_snapshot *s,
				  const struct maui_document_rsv *row,
				  const struct maui_document_node *node)
{
	struct maui_object o = maui_object_make();
	const struct maui_piece *piece =
		maui_document_is_active(row) ? piece_of(s, row->job_id, node->node) : NULL;
	char *gres = piece ? gres_text(s, piece) : NULL;

	maui_rsv_put_short(&o, row);
	maui_object_put_number(&o, "procs", node->procs);
	maui_object_put_text(&o, "gres", gres && *gres ? gres : NULL);
	free(gres);
	return maui_object_finish(&o);
}

/* Of the reservations that the user may see, those that have the node, jobs among them. */
static void put_reserved(struct maui_object *o, const struct maui_document *p, uint32_t index,
			 uid_t uid)
{
	struct maui_rsv_walk walk = { .document = p, .uid = uid };
	json_object *list = json_object_new_array();
	const struct maui_document_rsv *row;

	while (!o->failed && (row = maui_rsv_walk_next(&walk)))
		for (uint32_t n = 0; n < row->node_count; n++)
			if (row->nodes[n].node == index)
				maui_object_append(
					o, list,
					reserved_json(p->plan->snapshot, row, &row->nodes[n]));
	o->failed |= walk.failed;
	maui_rsv_walk_finish(&walk);
	maui_object_put(o, "reserved", list);
}

static struct maui_object describe(const struct maui_plan *plan, uint32_t index,
				   const struct maui_node_use *use)
{
	const struct maui_snapshot *s = plan->snapshot;
	const struct maui_node *node = &s->nodes[index];
	bool usable = node->usable_from_s <= plan->now_s;
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "name", node->name);
	maui_object_put_text(&o, "state", maui_node_state_name(maui_node_state(plan, index, use)));
	put_amount(&o, "procs_available", "procs", s, node, use, usable, MAUI_AMOUNT_PROCS);
	put_amount(&o, "mem_mb_available", "mem_mb", s, node, use, usable, MAUI_AMOUNT_MEM);
	put_amount(&o, "disk_mb_available", "disk_mb", s, node, use, usable, MAUI_AMOUNT_DISK);
	maui_object_put(&o, "load", json_object_new_double(node->load));
	maui_object_put_number(&o, "jobs", use->jobs);
	maui_object_put_number(&o, "reservations", use->reservations);
	put_partitions(&o, s, node);
	maui_object_put_text(&o, "features", node->features);
	maui_object_put_text(&o, "note", node->note);
	return o;
}

static json_object *list_nodes(const struct maui_document *p, const char *name, uid_t uid)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	struct maui_node_use *uses = maui_node_use_list(p, uid);
	json_object *list = json_object_new_array();
	bool failed = !uses || !list;

	for (uint32_t i = 0; !failed && i < s->node_count; i++) {
		struct maui_object node;

		if (name && (!s->nodes[i].name || strcmp(s->nodes[i].name, name) != 0))
			continue;
		node = describe(p->plan, i, &uses[i]);
		if (name) {
			put_gres(&node, s, i, s->nodes[i].usable_from_s <= p->plan->now_s);
			put_reserved(&node, p, i, uid);
		}
		failed = !maui_list_append(list, maui_object_finish(&node));
	}
	free(uses);
	if (!failed)
		return list;
	json_object_put(list);
	return NULL;
}

json_object *maui_nodes_json(const struct maui_document *p, const char *name, uid_t uid,
			     struct maui_query_error *error)
{
	struct maui_object o;
	json_object *list;

	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	if (maui_document_hides_nodes(p, uid)) {
		maui_query_fail(error, MAUI_QUERY_DENIED,
				"not permitted: PrivateData=nodes shows nodes to operators only");
		return NULL;
	}
	if (!name && p->plan->snapshot->node_count > MAUI_QUERY_MAX_ROWS) {
		maui_query_fail(error, MAUI_QUERY_ERROR,
				"%u nodes, and at most %d are listed: name one",
				p->plan->snapshot->node_count, MAUI_QUERY_MAX_ROWS);
		return NULL;
	}
	list = list_nodes(p, name, uid);
	if (list && name && json_object_array_length(list) == 0) {
		json_object_put(list);
		maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no node '%.64s'", name);
		return NULL;
	}
	o = maui_object_make();
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", p->plan->now_s);
	maui_object_put(&o, "nodes", list);
	maui_config_put_refused(&o, p, uid);
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
