/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.c - a saved plan from JSON: the parts other than the snapshot, and the whole */

#include "state/saved_plan/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "state/store/private.h"

/* ---- reservations ---- */

int maui_saved_get_places(const struct maui_saved_reader *r, json_object *object,
			  uint32_t node_count, const struct maui_rsv_place **ret,
			  uint32_t *ret_count)
{
	json_object *nodes, *tasks;
	struct maui_rsv_place *places;
	size_t count, task_count;

	if (maui_saved_get_list(r, object, "nodes", &nodes, &count) ||
	    maui_saved_get_list(r, object, "tasks", &tasks, &task_count))
		return -1;
	if (count != task_count)
		return maui_saved_fault(r, "tasks", "not one for each of `nodes`");
	places = maui_arena_alloc(r->arena, (count + 1) * sizeof(*places));
	if (!places)
		return maui_saved_no_memory(r);
	for (size_t i = 0; i < count; i++) {
		int64_t node = json_object_get_int64(json_object_array_get_idx(nodes, i));
		int64_t task = json_object_get_int64(json_object_array_get_idx(tasks, i));

		if (node < 0 || node >= node_count || (i > 0 && node <= places[i - 1].node))
			return maui_saved_fault(r, "nodes", "not ascending indices of nodes");
		if (task < 0 || task > UINT32_MAX)
			return maui_saved_fault(r, "tasks", "out of range");
		places[i] = (struct maui_rsv_place){ (uint32_t)node, task };
	}
	*ret = places;
	*ret_count = (uint32_t)count;
	return 0;
}

/* All administrative reservations. What was read so far is in `ret`, also on failure. */
static int read_rsvs(struct maui_saved_reader *r, json_object *root, struct maui_saved_plan *ret)
{
	const struct maui_rsv **list;
	json_object *array;
	size_t count;

	r->list = "reservations";
	list = maui_saved_make_list(r, root, r->list, sizeof(*list), &array, &count);
	if (!list)
		return -1;
	ret->rsvs = list;
	for (r->index = 0; r->index < count; r->index++) {
		struct maui_rsv *rsv = maui_arena_alloc(r->arena, sizeof(*rsv));
		int rc;

		if (!rsv)
			return maui_saved_no_memory(r);
		list[ret->rsv_count++] = rsv;
		rc = maui_store_read_rsv(json_object_array_get_idx(array, r->index), rsv);
		if (rc < 0)
			return maui_saved_no_memory(r);
		if (rc > 0)
			return maui_saved_fault(r, NULL, "not a reservation");
	}
	return 0;
}

static char *keep_text(const struct maui_saved_reader *r, const char *text)
{
	return maui_arena_strdup(r->arena, text ? text : "");
}

static int read_instances(struct maui_saved_reader *r, json_object *root,
			  struct maui_saved_plan *ret)
{
	struct maui_saved_instance *list;
	json_object *array;
	size_t count;

	r->list = "instances";
	ret->instances = list =
		maui_saved_make_list(r, root, r->list, sizeof(*list), &array, &count);
	if (!list)
		return -1;
	for (r->index = 0; r->index < count; r->index++) {
		struct maui_saved_instance *one = &list[r->index];
		json_object *object = json_object_array_get_idx(array, r->index);

		if (maui_saved_get_fields(r, &maui_fields_instance, object, one) ||
		    maui_saved_get_places(r, object, ret->snapshot->node_count, &one->places,
					  &one->place_count))
			return -1;
		if (!(one->rsv = keep_text(r, one->rsv)))
			return maui_saved_no_memory(r);
		if (one->end_s < one->start_s)
			return maui_saved_fault(r, "end", "before the start");
	}
	ret->instance_count = (uint32_t)count;
	return 0;
}

static int read_releases(struct maui_saved_reader *r, json_object *root,
			 struct maui_saved_plan *ret)
{
	struct maui_saved_release *list;
	json_object *array;
	size_t count;

	r->list = "released";
	ret->releases = list =
		maui_saved_make_list(r, root, r->list, sizeof(*list), &array, &count);
	if (!list)
		return -1;
	for (r->index = 0; r->index < count; r->index++) {
		json_object *object = json_object_array_get_idx(array, r->index);

		if (maui_saved_get_fields(r, &maui_fields_release, object, &list[r->index]))
			return -1;
		if (!(list[r->index].rsv = keep_text(r, list[r->index].rsv)))
			return maui_saved_no_memory(r);
	}
	ret->release_count = (uint32_t)count;
	return 0;
}

static int read_job_rsvs(struct maui_saved_reader *r, json_object *root,
			 struct maui_saved_plan *ret)
{
	struct maui_saved_job_rsv *list;
	json_object *array;
	size_t count;

	r->list = "job_reservations";
	ret->job_rsvs = list =
		maui_saved_make_list(r, root, r->list, sizeof(*list), &array, &count);
	if (!list)
		return -1;
	for (r->index = 0; r->index < count; r->index++) {
		struct maui_saved_job_rsv *one = &list[r->index];
		json_object *object = json_object_array_get_idx(array, r->index);

		if (maui_saved_get_fields(r, &maui_fields_job_rsv, object, one) ||
		    maui_saved_get_places(r, object, ret->snapshot->node_count, &one->places,
					  &one->place_count))
			return -1;
		if (one->partition >= ret->snapshot->partition_count)
			return maui_saved_fault(r, "partition", "no such partition");
	}
	ret->job_rsv_count = (uint32_t)count;
	return 0;
}

/* ---- fairshare windows ---- */

static int read_names(const struct maui_saved_reader *r, json_object *names,
		      enum maui_cred_kind kind, struct maui_usage_window *window)
{
	if (!json_object_is_type(names, json_type_object))
		return maui_saved_fault(r, maui_cred_name(kind), "not an object");
	json_object_object_foreach(names, name, value)
	{
		double used = json_object_get_double(value);

		if (!(used >= 0 && used < 1e300))
			return maui_saved_fault(r, maui_cred_name(kind), "not a usage");
		if (maui_usage_add(window, kind, name, used))
			return maui_saved_no_memory(r);
	}
	return 0;
}

static int read_window(const struct maui_saved_reader *r, json_object *object,
		       struct maui_usage *usage)
{
	int64_t start_s = maui_store_get_int(object, "start");
	int64_t interval_s = maui_store_get_int(object, "interval");
	struct maui_usage_window *window;
	json_object *value;

	if (!json_object_is_type(object, json_type_object) || interval_s < 1 ||
	    interval_s > MAUI_SAVED_MOST || start_s < -MAUI_SAVED_MOST || start_s > MAUI_SAVED_MOST)
		return maui_saved_fault(r, NULL, "not a fairshare window");
	window = maui_usage_window(usage, start_s, interval_s);
	if (!window)
		return maui_saved_no_memory(r);
	if (json_object_object_get_ex(object, "total", &value))
		window->total = json_object_get_double(value);
	if (!(window->total >= 0 && window->total < 1e300))
		return maui_saved_fault(r, "total", "not a usage");
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (json_object_object_get_ex(object, maui_cred_name((enum maui_cred_kind)k),
					      &value) &&
		    read_names(r, value, (enum maui_cred_kind)k, window))
			return -1;
	return 0;
}

static int read_usage(struct maui_saved_reader *r, json_object *root, struct maui_saved_plan *ret)
{
	struct maui_usage usage = { 0 };
	json_object *array;
	size_t count;
	int rc = 0;

	r->list = "fairshare";
	if (maui_saved_get_list(r, root, r->list, &array, &count))
		return -1;
	if (count > MAUI_FS_MAX_DEPTH)
		return maui_saved_fault(r, NULL, "too many windows");
	for (r->index = 0; r->index < count && rc == 0; r->index++)
		rc = read_window(r, json_object_array_get_idx(array, r->index), &usage);
	if (rc == 0 && count > 0 && !(ret->usage = maui_usage_view_create(&usage, NULL)))
		rc = maui_saved_no_memory(r);
	maui_usage_finish(&usage);
	return rc;
}

/* ---- the whole ---- */

static int read_config(struct maui_saved_reader *r, json_object *root, struct maui_saved_plan *ret)
{
	json_object *config, *text;
	const char *path;
	char *copy;

	r->list = NULL;
	if (!json_object_object_get_ex(root, "config", &config) ||
	    !(path = maui_store_get_text(config, "file")) ||
	    !json_object_object_get_ex(config, "text", &text) ||
	    !json_object_is_type(text, json_type_string))
		return maui_saved_fault(r, "config", "no maui.cfg");
	ret->config_length = (size_t)json_object_get_string_len(text);
	copy = maui_arena_alloc(&ret->arena, ret->config_length + 1);
	ret->config_path = maui_arena_strdup(&ret->arena, path);
	if (!copy || !ret->config_path)
		return maui_saved_no_memory(r);
	memcpy(copy, json_object_get_string(text), ret->config_length);
	ret->config_text = copy;
	return 0;
}

static int read_head(struct maui_saved_reader *r, json_object *root, struct maui_saved_plan *ret)
{
	const char *schema = maui_store_get_text(root, "schema");
	const char *cluster = maui_store_get_text(root, "cluster");

	if (!schema || strcmp(schema, MAUI_SAVED_PLAN_SCHEMA) != 0)
		return maui_err_set(r->err, "not a saved plan: its schema is not %s",
				    MAUI_SAVED_PLAN_SCHEMA);
	ret->now_s = maui_store_get_int(root, "time");
	ret->chunk_until_s = maui_store_get_int(root, "chunk_until");
	if (ret->now_s < 0 || ret->now_s > MAUI_SAVED_MOST || ret->chunk_until_s < 0 ||
	    ret->chunk_until_s > MAUI_SAVED_MOST)
		return maui_saved_fault(r, "time", "out of range");
	ret->cluster = maui_arena_strdup(&ret->arena, cluster);
	return cluster && !ret->cluster ? maui_saved_no_memory(r) : read_config(r, root, ret);
}

static int read_root(json_object *root, struct maui_saved_plan *ret, struct maui_err *err)
{
	struct maui_saved_reader r = { .arena = &ret->arena, .err = err };

	return read_head(&r, root, ret) || maui_saved_read_snapshot(&r, root, &ret->snapshot) ||
			       maui_saved_read_waiting(&r, root, ret) ||
			       maui_saved_read_running(&r, root, ret) || read_rsvs(&r, root, ret) ||
			       read_instances(&r, root, ret) || read_releases(&r, root, ret) ||
			       read_job_rsvs(&r, root, ret) || read_usage(&r, root, ret) ?
		       -1 :
		       0;
}

/* The object of the text. NULL with err. */
static json_object *parse(const char *text, size_t length, struct maui_err *err)
{
	struct json_tokener *tokener = json_tokener_new_ex(MAUI_STATE_MAX_DEPTH);
	json_object *root = NULL;

	if (!tokener) {
		maui_err_set(err, "no memory");
		return NULL;
	}
	if (length < INT32_MAX)
		root = json_tokener_parse_ex(tokener, text, (int)length);
	if (!json_object_is_type(root, json_type_object)) {
		maui_err_set(err, "not a saved plan: not a JSON object");
		json_object_put(root);
		root = NULL;
	}
	json_tokener_free(tokener);
	return root;
}

int maui_saved_plan_read(const char *text, size_t length, struct maui_saved_plan *ret,
			 struct maui_err *err)
{
	json_object *root = parse(text, length, err);
	int rc;

	*ret = (struct maui_saved_plan){ 0 };
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
