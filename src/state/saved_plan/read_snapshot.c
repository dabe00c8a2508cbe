/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read_snapshot.c - the snapshot of a saved plan from JSON
 *
 * All lists of the file are read first, then each element is added to the snapshot. Equal requests
 * and credentials become one, so jobs name them by the index in the file.
 */

#include <stdlib.h>

#include "state/saved_plan/private.h"

enum { DIMENSIONS_MAX = 4096 };

struct reading {
	struct maui_record_reader r;
	struct maui_snapshot from; /* the lists of the file */
	struct maui_saved_jobs jobs;
	struct maui_snapshot *s;
	uint32_t *requests, *creds; /* indices in the snapshot, by index in the file */
	struct maui_piece *pieces;  /* of the active job that is being read */
};

static int read_record(const struct reading *rd, const struct maui_record_type *type,
		       json_object *root, void *ret)
{
	return maui_record_read(&rd->r, type, root, ret) ? -1 : 0;
}

/* The lists, with vectors of as many numbers as there are dimensions. */
static int read_lists(struct reading *rd, json_object *root)
{
	if (read_record(rd, &maui_saved_amounts_type, root, &rd->from))
		return -1;
	if (rd->from.amount_count < 1 || rd->from.amount_count > DIMENSIONS_MAX)
		return maui_record_fault(&rd->r, "amounts", "not a list of dimensions");
	rd->r.amount_count = rd->from.amount_count;
	if (read_record(rd, &maui_saved_snapshot_type, root, &rd->from) ||
	    read_record(rd, &maui_saved_jobs_type, root, &rd->jobs))
		return -1;
	return 0;
}

/* ---- the cluster ---- */

static int add_dimensions(struct reading *rd)
{
	const struct maui_snapshot *from = &rd->from;
	const double procs = from->totals.procs;

	for (unsigned d = 0; d < from->amount_count; d++)
		if (from->amount_names[d] &&
		    maui_snapshot_name_amount(rd->s, d, from->amount_names[d]))
			return maui_record_no_memory(&rd->r);
	if (!(procs >= 0 && procs <= (double)MAUI_RECORD_MOST_SAVED))
		return maui_record_fault(&rd->r, "totals", "out of range");
	rd->s->totals = from->totals;
	rd->s->shares_tasks = from->shares_tasks;
	rd->s->switches_optional = from->switches_optional;
	if ((from->global && maui_snapshot_set_global(rd->s, from->global)) ||
	    maui_snapshot_set_with_whole_nodes(rd->s, from->with_whole_nodes))
		return maui_record_no_memory(&rd->r);
	if (maui_snapshot_set_switches(rd->s, from->switches, from->switch_count))
		return maui_record_fault(&rd->r, "switches", "a switch stands behind its parent");
	if (from->preemption_rules && maui_snapshot_set_preemption(rd->s, from->preemption_rules,
								   from->preemption_rule_count))
		return maui_record_fault(&rd->r, "preemption_rules", "not in order");
	return 0;
}

/* ---- lists ---- */

/* Adds element `i` of a list to the snapshot. Returns its index there; -1: what the functions of
 * snapshot.h refuse, an index that does not exist, or no memory; FAULT: with err. */
typedef int64_t (*add_fn)(struct reading *rd, uint32_t i);
enum { FAULT = -2 };

static int add_all(struct reading *rd, const char *key, uint32_t count, add_fn add)
{
	rd->r.list = key;
	for (rd->r.index = 0; rd->r.index < count; rd->r.index++) {
		int64_t index = add(rd, (uint32_t)rd->r.index);

		if (index == -1)
			maui_record_fault(&rd->r, NULL, "an index does not exist");
		if (index < 0)
			return -1;
	}
	rd->r.list = NULL;
	return 0;
}

static int64_t fault(const struct reading *rd, const char *key, const char *what)
{
	maui_record_fault(&rd->r, key, what);
	return FAULT;
}

static int64_t add_partition(struct reading *rd, uint32_t i)
{
	const struct maui_partition *from = &rd->from.partitions[i];

	if (from->mem_per_node < 0 || from->mem_per_cpu < 0)
		return fault(rd, "mem_per_node", "out of range");
	return maui_snapshot_add_partition(rd->s, from);
}

static int64_t add_node(struct reading *rd, uint32_t i)
{
	return maui_snapshot_add_node(rd->s, &rd->from.nodes[i]);
}

static int64_t add_global_claim(struct reading *rd, uint32_t i)
{
	return maui_snapshot_keep_global(rd->s, &rd->from.global_claims[i]);
}

static int64_t add_claim(struct reading *rd, uint32_t i)
{
	return maui_snapshot_add_claim(rd->s, &rd->from.claims[i]);
}

static int64_t add_creds(struct reading *rd, uint32_t i)
{
	int64_t index = maui_snapshot_creds(rd->s, rd->from.creds[i].cred);

	rd->creds[i] = (uint32_t)index;
	return index;
}

static int64_t add_request(struct reading *rd, uint32_t i)
{
	int64_t index = maui_snapshot_request(rd->s, &rd->from.requests[i]);

	rd->requests[i] = (uint32_t)index;
	return index;
}

/* ---- jobs ---- */

static int64_t find_creds(const struct reading *rd, uint32_t *creds)
{
	if (*creds >= rd->from.cred_count)
		return fault(rd, "credentials", "no such credentials");
	*creds = rd->creds[*creds];
	return 0;
}

static int64_t add_active(struct reading *rd, uint32_t i)
{
	const struct maui_saved_active *from = &rd->jobs.active[i];
	struct maui_active active = from->active;

	if (find_creds(rd, &active.creds))
		return FAULT;
	if (active.going > MAUI_GOING_SUSPENDED)
		return fault(rd, "going", "not a way to go");
	for (uint32_t k = 0; k < from->run_count; k++) {
		struct maui_piece piece = from->runs[k].first;
		uint32_t count = from->runs[k].count;

		if (count < 1 || count > rd->s->node_count - active.piece_count ||
		    piece.resumes < 0)
			return fault(rd, "pieces", "more than there are nodes");
		for (; count > 0; count--, piece.node++)
			rd->pieces[active.piece_count++] = piece;
	}
	active.pieces = rd->pieces;
	return maui_snapshot_add_active(rd->s, &active);
}

static int64_t find_row(const struct reading *rd, struct maui_row *row)
{
	if (row->own_request > rd->from.request_count)
		return fault(rd, "own_request", "no such request");
	if (row->own_request > 0)
		row->own_request = rd->requests[row->own_request - 1] + 1;
	return find_creds(rd, &row->creds);
}

static int64_t add_idle(struct reading *rd, uint32_t i)
{
	struct maui_idle *idle = &rd->jobs.idle[i].idle;

	for (uint32_t k = 0; k < idle->row_count; k++)
		if (find_row(rd, (struct maui_row *)&idle->rows[k]))
			return FAULT;
	if (idle->request >= rd->from.request_count)
		return fault(rd, "request", "no such request");
	if (idle->limit_s < 0 || idle->limit_min_s < 0 || idle->limit_min_s > idle->limit_s ||
	    idle->procs < 0)
		return fault(rd, NULL, "a negative limit or number of processors");
	idle->request = rd->requests[idle->request];
	return maui_snapshot_add_idle(rd->s, idle);
}

/* ---- the whole ---- */

/* Each list may name elements of those before it. */
static int read_all(struct reading *rd, json_object *root)
{
	const struct maui_snapshot *from = &rd->from;
	struct maui_arena *arena = rd->r.arena;

	if (read_lists(rd, root))
		return -1;
	rd->s = maui_snapshot_create(from->amount_count);
	rd->requests = maui_arena_alloc(arena, (from->request_count + 1u) * sizeof(*rd->requests));
	rd->creds = maui_arena_alloc(arena, (from->cred_count + 1u) * sizeof(*rd->creds));
	rd->pieces = maui_arena_alloc(arena, (from->node_count + 1u) * sizeof(*rd->pieces));
	if (!rd->s || !rd->requests || !rd->creds || !rd->pieces)
		return maui_record_no_memory(&rd->r);
	if (add_dimensions(rd) || add_all(rd, "partitions", from->partition_count, add_partition) ||
	    add_all(rd, "nodes", from->node_count, add_node) ||
	    maui_snapshot_seal(rd->s, rd->r.err) ||
	    add_all(rd, "global_claims", from->global_claim_count, add_global_claim) ||
	    add_all(rd, "claims", from->claim_count, add_claim) ||
	    add_all(rd, "credentials", from->cred_count, add_creds) ||
	    add_all(rd, "requests", from->request_count, add_request) ||
	    add_all(rd, "active", rd->jobs.active_count, add_active) ||
	    add_all(rd, "idle", rd->jobs.idle_count, add_idle))
		return -1;
	return 0;
}

int maui_saved_read_snapshot(json_object *root, const struct maui_snapshot **ret,
			     struct maui_err *err)
{
	struct maui_arena arena = { 0 }; /* the snapshot copies what it keeps */
	struct reading rd = { .r = { .arena = &arena, .err = err } };
	int rc = read_all(&rd, root);

	*ret = rd.s;
	maui_arena_finish(&arena);
	return rc;
}
