/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_json.c - nodes with what jobs leave of them at the moment of the plan
 *
 * Rules: CMD-9, CMD-33.
 */

#include "answers/nodes_json.h"

#include <stdlib.h>
#include <string.h>

#include "answers/config_json.h"
#include "base/limits.h"
#include "plan/finished.h"

/* What jobs hold of a node, and how much is on it. */
struct use {
	int64_t amounts[MAUI_AMOUNT_FIXED];
	uint32_t jobs, reservations;
};

static void count_jobs(const struct maui_snapshot *s, struct use *uses)
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

/* Reservations that have begun or will, jobs among them, as far as the user may see them. */
static void count_reservations(const struct maui_document *p, uint32_t node_count, struct use *uses,
			       uid_t uid)
{
	for (size_t i = 0; i < p->rsv_count; i++)
		for (uint32_t n = 0;
		     maui_document_shows(p, &p->rsvs[i], uid) && n < p->rsvs[i].node_count; n++)
			if (p->rsvs[i].nodes[n].node < node_count)
				uses[p->rsvs[i].nodes[n].node].reservations++;
}

static const char *state_of(const struct maui_plan *plan, const struct maui_node *node,
			    const struct use *use)
{
	if (node->usable_from_s > plan->now_s)
		return node->state == MAUI_REASON_NODE_UNANSWERED ? "Unknown" : "Down";
	if (use->jobs == 0)
		return "Idle";
	return use->amounts[MAUI_AMOUNT_PROCS] >= node->have[MAUI_AMOUNT_PROCS] ? "Busy" :
										  "Running";
}

static void put_amount(struct maui_object *o, const char *available, const char *configured,
		       const struct maui_snapshot *s, const struct maui_node *node,
		       const struct use *use, unsigned d)
{
	int64_t have = d < s->amount_count ? node->have[d] : 0;
	int64_t left = have - use->amounts[d];

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

static json_object *node_to_json(const struct maui_plan *plan, uint32_t index,
				 const struct use *use)
{
	const struct maui_snapshot *s = plan->snapshot;
	const struct maui_node *node = &s->nodes[index];
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "name", node->name);
	maui_object_put_text(&o, "state", state_of(plan, node, use));
	put_amount(&o, "procs_available", "procs", s, node, use, MAUI_AMOUNT_PROCS);
	put_amount(&o, "mem_mb_available", "mem_mb", s, node, use, MAUI_AMOUNT_MEM);
	put_amount(&o, "disk_mb_available", "disk_mb", s, node, use, MAUI_AMOUNT_DISK);
	maui_object_put(&o, "load", json_object_new_double(node->load));
	maui_object_put_number(&o, "jobs", use->jobs);
	maui_object_put_number(&o, "reservations", use->reservations);
	put_partitions(&o, s, node);
	maui_object_put_text(&o, "features", node->features);
	return maui_object_finish(&o);
}

static json_object *list_nodes(const struct maui_document *p, const char *name, uid_t uid)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	struct use *uses = calloc(s->node_count + 1u, sizeof(*uses));
	json_object *list = json_object_new_array();
	bool failed = !uses || !list;

	if (!failed) {
		count_jobs(s, uses);
		count_reservations(p, s->node_count, uses, uid);
	}
	for (uint32_t i = 0; !failed && i < s->node_count && i < MAUI_QUERY_MAX_ROWS; i++) {
		json_object *node;

		if (name && (!s->nodes[i].name || strcmp(s->nodes[i].name, name) != 0))
			continue;
		node = node_to_json(p->plan, i, &uses[i]);
		failed = !node || json_object_array_add(list, node) != 0;
		if (failed)
			json_object_put(node);
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
	if (p->hide_nodes && !maui_document_sees_all(p, uid)) {
		maui_query_fail(error, MAUI_QUERY_DENIED,
				"not permitted: PrivateData=nodes shows nodes to operators only");
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
