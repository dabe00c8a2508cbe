/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.c - a saved plan from JSON: the parts other than the snapshot, and the whole */

#include "state/saved_plan/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "record/parse.h"

static int keep_text(const struct maui_record_reader *r, const char *text, const char **ret)
{
	*ret = maui_arena_strdup(r->arena, text ? text : "");
	return *ret ? 0 : maui_record_no_memory(r);
}

/* ---- jobs ---- */

static int read_extras(struct maui_record_reader *r, json_object *root, struct maui_saved_plan *ret)
{
	struct maui_saved_extras extras;

	if (maui_record_read(r, &maui_saved_extras_type, root, &extras))
		return -1;
	r->list = "idle";
	for (r->index = 0; r->index < extras.waiting_count; r->index++) {
		const struct maui_saved_waiting *one = &extras.waiting[r->index];

		if (one->count == 0 ||
		    (one->conditions.task_count > 0 && one->conditions.task_count < one->count))
			return maui_record_fault(r, "count", "not as many as there are tasks");
	}
	r->list = NULL;
	ret->running = extras.running;
	ret->waiting = extras.waiting;
	ret->waiting_count = extras.waiting_count;
	return 0;
}

/* ---- reservations ---- */

static int check_places(const struct maui_record_reader *r, const struct maui_rsv_place *places,
			uint32_t count, uint32_t node_count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (places[i].node >= node_count || (i > 0 && places[i].node <= places[i - 1].node))
			return maui_record_fault(r, "nodes", "not ascending indices of nodes");
		if (places[i].tasks < 0 || places[i].tasks > UINT32_MAX)
			return maui_record_fault(r, "tasks", "out of range");
	}
	return 0;
}

/* An administrative reservation may have the largest number for "any", which a strict reader
 * refuses. */
static int read_rsv(const struct maui_record_reader *r, json_object *object, struct maui_rsv *ret)
{
	const struct maui_record_reader forgiving = { .arena = r->arena, .forgiving = true };
	struct maui_packed_rsv packed;
	struct maui_rsv rsv;
	int rc = maui_record_read(&forgiving, &maui_packed_rsv_type, object, &packed);

	if (rc != MAUI_RECORD_NO_MEMORY && (rc || !maui_store_unpack_rsv(&packed, &rsv)))
		return maui_record_fault(r, NULL, "not a reservation");
	return rc || maui_rsv_copy(&rsv, ret) ? maui_record_no_memory(r) : 0;
}

/* All of them. What was read so far is in `ret`, also on failure. */
static int read_rsvs(struct maui_record_reader *r, json_object *root, struct maui_saved_plan *ret)
{
	json_object *array = json_object_object_get(root, "reservations");
	const struct maui_rsv **list;
	size_t count;

	if (array && !json_object_is_type(array, json_type_array))
		return maui_record_fault(r, "reservations", "not a list");
	count = array ? json_object_array_length(array) : 0;
	ret->rsvs = list = maui_arena_alloc(r->arena, (count + 1) * sizeof(*list));
	if (!list)
		return maui_record_no_memory(r);
	r->list = "reservations";
	for (r->index = 0; r->index < count; r->index++) {
		struct maui_rsv *rsv = maui_arena_alloc(r->arena, sizeof(*rsv));

		if (!rsv)
			return maui_record_no_memory(r);
		if (read_rsv(r, json_object_array_get_idx(array, r->index), rsv))
			return -1;
		list[ret->rsv_count++] = rsv;
	}
	r->list = NULL;
	return 0;
}

static int take_instances(struct maui_record_reader *r, const struct maui_saved_rest *rest,
			  struct maui_saved_plan *ret)
{
	r->list = "instances";
	for (r->index = 0; r->index < rest->instance_count; r->index++) {
		struct maui_saved_instance *one = &rest->instances[r->index];

		if (check_places(r, one->places, one->place_count, ret->snapshot->node_count) ||
		    keep_text(r, one->rsv, &one->rsv))
			return -1;
		if (one->end_s < one->start_s)
			return maui_record_fault(r, "end", "before the start");
	}
	ret->instances = rest->instances;
	ret->instance_count = rest->instance_count;
	return 0;
}

static int take_releases(struct maui_record_reader *r, const struct maui_saved_rest *rest,
			 struct maui_saved_plan *ret)
{
	for (uint32_t i = 0; i < rest->release_count; i++)
		if (keep_text(r, rest->releases[i].rsv, &rest->releases[i].rsv))
			return -1;
	ret->releases = rest->releases;
	ret->release_count = rest->release_count;
	return 0;
}

static int take_job_rsvs(struct maui_record_reader *r, const struct maui_saved_rest *rest,
			 struct maui_saved_plan *ret)
{
	r->list = "job_reservations";
	for (r->index = 0; r->index < rest->job_rsv_count; r->index++) {
		const struct maui_saved_job_rsv *one = &rest->job_rsvs[r->index];

		if (check_places(r, one->places, one->place_count, ret->snapshot->node_count))
			return -1;
		if (one->partition >= ret->snapshot->partition_count)
			return maui_record_fault(r, "partition", "no such partition");
		if (one->start_s == MAUI_NEVER)
			return maui_record_fault(r, "start", "never");
	}
	ret->job_rsvs = rest->job_rsvs;
	ret->job_rsv_count = rest->job_rsv_count;
	return 0;
}

/* ---- fairshare windows ---- */

static bool is_usage(double value)
{
	return value >= 0 && value < 1e300;
}

static int add_names(const struct maui_record_reader *r, const struct maui_saved_window *from,
		     enum maui_cred_kind kind, struct maui_usage_window *window)
{
	for (size_t i = 0; i < from->name_count[kind]; i++) {
		const struct maui_pair *name = &from->names[kind][i];

		if (!is_usage(name->value))
			return maui_record_fault(r, maui_cred_name(kind), "not a usage");
		if (maui_usage_add(window, kind, name->key, name->value))
			return maui_record_no_memory(r);
	}
	return 0;
}

static int add_window(const struct maui_record_reader *r, const struct maui_saved_window *from,
		      struct maui_usage *usage)
{
	struct maui_usage_window *window;

	if (from->interval_s < 1)
		return maui_record_fault(r, "interval", "out of range");
	if (!is_usage(from->total))
		return maui_record_fault(r, "total", "not a usage");
	window = maui_usage_window(usage, from->start_s, from->interval_s);
	if (!window)
		return maui_record_no_memory(r);
	window->total = from->total;
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (add_names(r, from, (enum maui_cred_kind)k, window))
			return -1;
	return 0;
}

static int take_usage(struct maui_record_reader *r, const struct maui_saved_rest *rest,
		      struct maui_saved_plan *ret)
{
	struct maui_usage usage = { 0 };
	int rc = 0;

	r->list = "fairshare";
	r->index = 0;
	if (rest->window_count > MAUI_FS_MAX_DEPTH)
		return maui_record_fault(r, NULL, "too many windows");
	for (; r->index < rest->window_count && rc == 0; r->index++)
		rc = add_window(r, &rest->windows[r->index], &usage);
	if (rc == 0 && rest->window_count > 0 &&
	    !(ret->usage = maui_usage_view_create(&usage, NULL)))
		rc = maui_record_no_memory(r);
	maui_usage_finish(&usage);
	return rc;
}

/* ---- the whole ---- */

static int read_head(const struct maui_record_reader *r, json_object *root,
		     struct maui_saved_plan *ret)
{
	json_object *schema = json_object_object_get(root, "schema");
	struct maui_saved_head head;

	if (!schema || strcmp(json_object_get_string(schema), MAUI_SAVED_PLAN_SCHEMA) != 0)
		return maui_err_set(r->err, "not a saved plan: its schema is not %s",
				    MAUI_SAVED_PLAN_SCHEMA);
	if (maui_record_read(r, &maui_saved_head_type, root, &head))
		return -1;
	if (head.now_s < 0 || head.chunk_until_s < 0)
		return maui_record_fault(r, "time", "out of range");
	if (!head.config.file || !head.config.text)
		return maui_record_fault(r, "config", "no maui.cfg");
	ret->now_s = head.now_s;
	ret->chunk_until_s = head.chunk_until_s;
	ret->cluster = maui_arena_strdup(r->arena, head.cluster);
	ret->config_length = strlen(head.config.text);
	if (keep_text(r, head.config.file, &ret->config_path) ||
	    keep_text(r, head.config.text, &ret->config_text))
		return -1;
	return head.cluster && !ret->cluster ? maui_record_no_memory(r) : 0;
}

static int read_rest(struct maui_record_reader *r, json_object *root, struct maui_saved_plan *ret)
{
	struct maui_saved_rest rest;

	if (maui_record_read(r, &maui_saved_rest_type, root, &rest) ||
	    take_instances(r, &rest, ret) || take_releases(r, &rest, ret) ||
	    take_job_rsvs(r, &rest, ret) || take_usage(r, &rest, ret))
		return -1;
	return 0;
}

static int read_root(json_object *root, struct maui_saved_plan *ret, struct maui_err *err)
{
	struct maui_record_reader r = { .arena = &ret->arena, .err = err };

	if (read_head(&r, root, ret) || maui_saved_read_snapshot(root, &ret->snapshot, err) ||
	    read_extras(&r, root, ret) || read_rsvs(&r, root, ret) || read_rest(&r, root, ret))
		return -1;
	return 0;
}

/* The object of the text. NULL with err. */
static json_object *parse(const char *text, size_t length, struct maui_err *err)
{
	static const struct maui_json_bounds bounds = { .depth = MAUI_STATE_MAX_DEPTH };
	json_object *root = NULL;
	bool parsed = maui_json_parse(text, length, &bounds, &root, err) == 0;

	if (!parsed && err->no_memory)
		return NULL;
	if (parsed && json_object_is_type(root, json_type_object))
		return root;
	maui_err_set(err, "not a saved plan: not a JSON object");
	json_object_put(root);
	return NULL;
}

int maui_saved_plan_read(const char *text, size_t length, struct maui_saved_plan *ret,
			 struct maui_err *err)
{
	struct maui_err unseen = { .text = "" };
	json_object *root;
	int rc;

	err = err ? err : &unseen;
	*ret = (struct maui_saved_plan){ 0 };
	root = parse(text, length, err);
	if (!root)
		return -1;
	rc = read_root(root, ret, err);
	json_object_put(root);
	if (rc)
		maui_saved_plan_finish(ret);
	return rc;
}

void maui_saved_plan_finish(struct maui_saved_plan *plan)
{
	for (uint32_t i = 0; i < plan->rsv_count; i++)
		maui_rsv_finish((struct maui_rsv *)plan->rsvs[i]);
	maui_snapshot_destroy((struct maui_snapshot *)plan->snapshot);
	maui_usage_view_unref((struct maui_usage_view *)plan->usage);
	maui_arena_finish(&plan->arena);
	*plan = (struct maui_saved_plan){ 0 };
}
