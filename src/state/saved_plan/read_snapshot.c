/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read_snapshot.c - the snapshot of a saved plan from JSON
 *
 * Equal requests and credentials become one, so jobs name them by the index in the file.
 */

#include <stdlib.h>
#include <string.h>

#include "state/saved_plan/read.h"

enum { DIMENSIONS_MAX = 4096 };

struct reading {
	struct maui_saved_reader *r;
	json_object *root;
	struct maui_snapshot *s;
	const uint32_t *requests, *creds; /* indices in the snapshot, by index in the file */
	size_t request_count, cred_count;
	struct maui_piece *pieces; /* of the active job that is being read */
};

/* ---- the dimensions ---- */

static int name_dimensions(const struct reading *rd, json_object *names)
{
	for (unsigned d = 0; d < rd->s->amount_count; d++) {
		json_object *name = json_object_array_get_idx(names, d);

		if (json_object_is_type(name, json_type_string) &&
		    maui_snapshot_name_amount(rd->s, d, json_object_get_string(name)))
			return maui_saved_no_memory(rd->r);
	}
	return 0;
}

static bool is_set(const struct reading *rd, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(rd->root, key, &value) && json_object_get_boolean(value);
}

static int read_dimensions(struct reading *rd, const struct maui_snapshot **ret)
{
	json_object *names, *value;
	const int64_t *global;
	size_t count;

	rd->r->list = NULL;
	if (maui_saved_get_list(rd->r, rd->root, "amounts", &names, &count))
		return -1;
	if (count < 1 || count > DIMENSIONS_MAX)
		return maui_saved_fault(rd->r, "amounts", "not a list of dimensions");
	*ret = rd->s = maui_snapshot_create((unsigned)count);
	if (!rd->s)
		return maui_saved_no_memory(rd->r);
	rd->r->amount_count = (unsigned)count;
	if (name_dimensions(rd, names))
		return -1;
	if (json_object_object_get_ex(rd->root, "totals", &value) &&
	    maui_saved_get_fields(rd->r, &maui_fields_totals, value, &rd->s->totals))
		return -1;
	if (!(rd->s->totals.procs >= 0 && rd->s->totals.procs <= (double)MAUI_SAVED_MOST))
		return maui_saved_fault(rd->r, "totals", "out of range");
	rd->s->shares_tasks = is_set(rd, "shares_tasks");
	rd->s->switches_optional = is_set(rd, "switches_optional");
	if (!json_object_object_get_ex(rd->root, "global", &value) || !value)
		return 0;
	if (maui_saved_get_amounts(rd->r, "global", value, &global))
		return -1;
	return maui_snapshot_set_global(rd->s, global) ? maui_saved_no_memory(rd->r) : 0;
}

/* ---- lists ---- */

/* Reads one element of a list and adds it to the snapshot. -1 with err. */
typedef int (*read_one_fn)(struct reading *rd, json_object *object);

static int read_list(struct reading *rd, const char *key, read_one_fn read_one)
{
	json_object *array;
	size_t count;

	rd->r->list = NULL;
	if (maui_saved_get_list(rd->r, rd->root, key, &array, &count))
		return -1;
	rd->r->list = key;
	for (rd->r->index = 0; rd->r->index < count; rd->r->index++)
		if (read_one(rd, json_object_array_get_idx(array, rd->r->index)))
			return -1;
	return 0;
}

/* What the functions of snapshot.h refuse: an index that does not exist, or no memory. */
static int added(const struct reading *rd, int64_t index)
{
	return index < 0 ? maui_saved_fault(rd->r, NULL, "an index does not exist") : 0;
}

static int read_partition(struct reading *rd, json_object *object)
{
	struct maui_partition partition = { 0 };

	if (maui_saved_get_fields(rd->r, &maui_fields_partition, object, &partition))
		return -1;
	if (!partition.name)
		return maui_saved_fault(rd->r, "name", "absent");
	return added(rd, maui_snapshot_add_partition(rd->s, &partition));
}

static int read_switches(struct reading *rd)
{
	struct maui_switch *list;
	json_object *array;
	size_t count;

	rd->r->list = NULL;
	list = maui_saved_make_list(rd->r, rd->root, "switches", sizeof(*list), &array, &count);
	if (!list)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (maui_saved_get_fields(rd->r, &maui_fields_switch,
					  json_object_array_get_idx(array, i), &list[i]))
			return -1;
	return maui_snapshot_set_switches(rd->s, list, (uint32_t)count) ?
		       maui_saved_fault(rd->r, "switches", "a switch stands behind its parent") :
		       0;
}

/* Only a plan with Slurm's own preemption has the list. */
static int read_preemption_rules(struct reading *rd)
{
	struct maui_preemption_rule *list;
	json_object *array;
	size_t count;

	if (!json_object_object_get_ex(rd->root, "preemption_rules", NULL))
		return 0;
	rd->r->list = NULL;
	list = maui_saved_make_list(rd->r, rd->root, "preemption_rules", sizeof(*list), &array,
				    &count);
	if (!list)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (maui_saved_get_fields(rd->r, &maui_fields_preemption_rule,
					  json_object_array_get_idx(array, i), &list[i]))
			return -1;
	return maui_snapshot_set_preemption(rd->s, list, (uint32_t)count) ?
		       maui_saved_fault(rd->r, "preemption_rules", "not in order") :
		       0;
}

static int read_node(struct reading *rd, json_object *object)
{
	struct maui_node node = { 0 };

	if (maui_saved_get_fields(rd->r, &maui_fields_node, object, &node))
		return -1;
	if (!node.name || !node.have)
		return maui_saved_fault(rd->r, node.name ? "have" : "name", "absent");
	return added(rd, maui_snapshot_add_node(rd->s, &node));
}

static int read_global_claim(struct reading *rd, json_object *object)
{
	struct maui_global_claim claim = { 0 };

	if (maui_saved_get_fields(rd->r, &maui_fields_global_claim, object, &claim))
		return -1;
	if (!claim.amounts)
		return maui_saved_fault(rd->r, "amounts", "absent");
	return added(rd, maui_snapshot_keep_global(rd->s, &claim));
}

static int read_claim_amounts(const struct reading *rd, json_object *array,
			      struct maui_claim *claim)
{
	unsigned width = rd->s->amount_count;
	const int64_t *one = NULL;
	int64_t *amounts =
		maui_arena_alloc(rd->r->arena, (claim->node_count + 1u) * width * sizeof(*amounts));

	if (!amounts)
		return maui_saved_no_memory(rd->r);
	if (!json_object_is_type(array, json_type_array) ||
	    json_object_array_length(array) != claim->node_count)
		return maui_saved_fault(rd->r, "amounts", "not one for each of `nodes`");
	for (uint32_t i = 0; i < claim->node_count; i++) {
		json_object *value = json_object_array_get_idx(array, i);

		if ((value || !one) && maui_saved_get_amounts(rd->r, "amounts", value, &one))
			return -1;
		memcpy(amounts + (size_t)i * width, one, width * sizeof(*amounts));
	}
	claim->amounts = amounts;
	return 0;
}

static int read_claim(struct reading *rd, json_object *object)
{
	struct maui_claim claim = { 0 };
	json_object *amounts;

	if (maui_saved_get_fields(rd->r, &maui_fields_claim, object, &claim))
		return -1;
	if (json_object_object_get_ex(object, "amounts", &amounts) &&
	    read_claim_amounts(rd, amounts, &claim))
		return -1;
	return added(rd, maui_snapshot_add_claim(rd->s, &claim));
}

static int read_creds(struct reading *rd, json_object *object)
{
	const char *cred[MAUI_CRED_COUNT] = { NULL };
	uint32_t *creds = (uint32_t *)rd->creds;
	json_object *name;
	int64_t index;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (json_object_object_get_ex(object, maui_cred_name((enum maui_cred_kind)k),
					      &name) &&
		    json_object_is_type(name, json_type_string))
			cred[k] = json_object_get_string(name);
	index = maui_snapshot_creds(rd->s, cred);
	creds[rd->r->index] = (uint32_t)index;
	return index < 0 ? maui_saved_no_memory(rd->r) : 0;
}

static int read_request(struct reading *rd, json_object *object)
{
	uint32_t *requests = (uint32_t *)rd->requests;
	struct maui_request request = { 0 };
	int64_t index;

	if (maui_saved_get_fields(rd->r, &maui_fields_request, object, &request))
		return -1;
	index = maui_snapshot_request(rd->s, &request);
	requests[rd->r->index] = (uint32_t)index;
	return added(rd, index);
}

/* ---- jobs ---- */

static int read_job(const struct reading *rd, json_object *object, struct maui_job *ret)
{
	json_object *job;

	if (!json_object_object_get_ex(object, "job", &job))
		return 0;
	return maui_saved_get_fields(rd->r, &maui_fields_job, job, ret);
}

static int find_creds(const struct reading *rd, uint32_t index, uint32_t *ret)
{
	if (index >= rd->cred_count)
		return maui_saved_fault(rd->r, "credentials", "no such credentials");
	*ret = rd->creds[index];
	return 0;
}

/* A run of pieces: as many as its `count`. */
static int read_pieces(const struct reading *rd, json_object *object, struct maui_piece *ret,
		       uint32_t room, uint32_t *ret_count)
{
	struct maui_piece piece = { 0 };
	json_object *value, *array;
	struct maui_share *shares;
	int64_t length = 1;
	size_t share_count;

	if (maui_saved_get_fields(rd->r, &maui_fields_piece, object, &piece) ||
	    maui_saved_get_list(rd->r, object, "shares", &array, &share_count))
		return -1;
	if (!json_object_object_get_ex(object, "amounts", &value) ||
	    maui_saved_get_amounts(rd->r, "pieces: amounts", value, &piece.amounts))
		return maui_saved_fault(rd->r, "pieces", "no amounts");
	if (json_object_object_get_ex(object, "count", &value))
		length = json_object_get_int64(value);
	if (length < 1 || length > room || piece.resumes < 0)
		return maui_saved_fault(rd->r, "pieces", "more than there are nodes");
	shares = maui_arena_alloc(rd->r->arena, (share_count + 1) * sizeof(*shares));
	if (!shares)
		return maui_saved_no_memory(rd->r);
	for (size_t i = 0; i < share_count; i++)
		if (maui_saved_get_fields(rd->r, &maui_fields_share,
					  json_object_array_get_idx(array, i), &shares[i]))
			return -1;
	piece.shares = shares;
	piece.share_count = (uint32_t)share_count;
	for (uint32_t i = 0; i < length; i++, piece.node++)
		ret[i] = piece;
	*ret_count = (uint32_t)length;
	return 0;
}

static int read_active(struct reading *rd, json_object *object)
{
	struct maui_active active = { .pieces = rd->pieces };
	json_object *array;
	uint32_t length = 0;
	size_t count;

	if (maui_saved_get_fields(rd->r, &maui_fields_active, object, &active) ||
	    read_job(rd, object, &active.job) || find_creds(rd, active.creds, &active.creds) ||
	    maui_saved_get_list(rd->r, object, "pieces", &array, &count))
		return -1;
	if (active.going > MAUI_GOING_SUSPENDED)
		return maui_saved_fault(rd->r, "going", "not a way to go");
	for (size_t i = 0; i < count; i++) {
		if (read_pieces(rd, json_object_array_get_idx(array, i),
				rd->pieces + active.piece_count,
				rd->s->node_count - active.piece_count, &length))
			return -1;
		active.piece_count += length;
	}
	return added(rd, maui_snapshot_add_active(rd->s, &active));
}

static int find_own_request(const struct reading *rd, struct maui_row *row)
{
	if (row->own_request > rd->request_count)
		return maui_saved_fault(rd->r, "own_request", "no such request");
	if (row->own_request > 0)
		row->own_request = rd->requests[row->own_request - 1] + 1;
	return 0;
}

static int read_rows(const struct reading *rd, json_object *object, struct maui_idle *idle)
{
	struct maui_row *rows;
	json_object *array;
	size_t count;

	rows = maui_saved_make_list(rd->r, object, "rows", sizeof(*rows), &array, &count);
	if (!rows)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (maui_saved_get_fields(rd->r, &maui_fields_row,
					  json_object_array_get_idx(array, i), &rows[i]) ||
		    find_creds(rd, rows[i].creds, &rows[i].creds) || find_own_request(rd, &rows[i]))
			return -1;
	idle->rows = rows;
	idle->row_count = (uint32_t)count;
	return 0;
}

static int read_idle(struct reading *rd, json_object *object)
{
	struct maui_idle idle = { 0 };

	if (maui_saved_get_fields(rd->r, &maui_fields_idle, object, &idle) ||
	    read_job(rd, object, &idle.job) || read_rows(rd, object, &idle))
		return -1;
	if (idle.request >= rd->request_count)
		return maui_saved_fault(rd->r, "request", "no such request");
	if (idle.limit_s < 0 || idle.limit_min_s < 0 || idle.limit_min_s > idle.limit_s ||
	    idle.procs < 0)
		return maui_saved_fault(rd->r, NULL, "a negative limit or number of processors");
	idle.request = rd->requests[idle.request];
	return added(rd, maui_snapshot_add_idle(rd->s, &idle));
}

/* Makes room for the indices of requests and credentials. */
static int make_maps(struct reading *rd)
{
	json_object *array;

	rd->r->list = NULL;
	if (maui_saved_get_list(rd->r, rd->root, "requests", &array, &rd->request_count) ||
	    maui_saved_get_list(rd->r, rd->root, "credentials", &array, &rd->cred_count))
		return -1;
	rd->requests =
		maui_arena_alloc(rd->r->arena, (rd->request_count + 1) * sizeof(*rd->requests));
	rd->creds = maui_arena_alloc(rd->r->arena, (rd->cred_count + 1) * sizeof(*rd->creds));
	return rd->requests && rd->creds ? 0 : maui_saved_no_memory(rd->r);
}

static int read_nodes(struct reading *rd)
{
	if (read_switches(rd) || read_preemption_rules(rd) ||
	    read_list(rd, "partitions", read_partition) || read_list(rd, "nodes", read_node) ||
	    maui_snapshot_seal(rd->s, rd->r->err))
		return -1;
	rd->pieces = maui_arena_alloc(rd->r->arena, (rd->s->node_count + 1u) * sizeof(*rd->pieces));
	return rd->pieces ? 0 : maui_saved_no_memory(rd->r);
}

static int read_jobs(struct reading *rd)
{
	return read_list(rd, "global_claims", read_global_claim) ||
			       read_list(rd, "claims", read_claim) ||
			       read_list(rd, "credentials", read_creds) ||
			       read_list(rd, "requests", read_request) ||
			       read_list(rd, "active", read_active) ||
			       read_list(rd, "idle", read_idle) ?
		       -1 :
		       0;
}

int maui_saved_read_snapshot(struct maui_saved_reader *r, json_object *root,
			     const struct maui_snapshot **ret)
{
	struct maui_arena own = { 0 }; /* the snapshot copies what it keeps */
	struct maui_saved_reader reader = { .arena = &own, .err = r->err };
	struct reading rd = { .r = &reader, .root = root };
	int rc;

	*ret = NULL;
	rc = read_dimensions(&rd, ret) || make_maps(&rd) || read_nodes(&rd) || read_jobs(&rd) ? -1 :
												0;
	r->amount_count = reader.amount_count;
	maui_arena_finish(&own);
	return rc;
}
