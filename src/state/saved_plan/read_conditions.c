/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read_conditions.c - the tasks of arrays and the dependencies of a saved plan from JSON */

#include "state/saved_plan/read.h"

#include <string.h>

#include "state/store/private.h"

static int read_dependency(const struct maui_saved_reader *r, json_object *object,
			   struct maui_dependency *ret)
{
	const char *kind = maui_store_get_text(object, "kind");

	if (maui_saved_get_fields(r, &maui_fields_dependency, object, ret))
		return -1;
	for (int i = 0; kind && i < MAUI_DEPENDENCY_COUNT; i++)
		if (strcmp(kind, maui_saved_dependency_kinds[i]) == 0)
			ret->kind = (enum maui_dependency_kind)i;
	return 0;
}

static int read_dependencies(const struct maui_saved_reader *r, json_object *object,
			     struct maui_job_conditions *c)
{
	struct maui_dependency *list;
	json_object *array;
	size_t count;

	list = maui_saved_make_list(r, object, "dependencies", sizeof(*list), &array, &count);
	if (!list)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (read_dependency(r, json_object_array_get_idx(array, i), &list[i]))
			return -1;
	c->dependencies = list;
	c->dependency_count = (uint32_t)count;
	return 0;
}

int maui_saved_read_waiting(struct maui_saved_reader *r, json_object *root,
			    struct maui_saved_plan *ret)
{
	struct maui_saved_waiting *list;
	json_object *array;
	size_t count;

	r->list = "idle";
	ret->waiting = list = maui_saved_make_list(r, root, r->list, sizeof(*list), &array, &count);
	if (!list)
		return -1;
	for (r->index = 0; r->index < count; r->index++) {
		json_object *object = json_object_array_get_idx(array, r->index);
		struct maui_saved_waiting *one = &list[r->index];

		if (maui_saved_get_fields(r, &maui_fields_waiting, object, one) ||
		    read_dependencies(r, object, &one->conditions))
			return -1;
		if (one->count == 0 ||
		    (one->conditions.task_count > 0 && one->conditions.task_count < one->count))
			return maui_saved_fault(r, "count", "not as many as there are tasks");
	}
	ret->waiting_count = (uint32_t)count;
	return 0;
}

int maui_saved_read_running(struct maui_saved_reader *r, json_object *root,
			    struct maui_saved_plan *ret)
{
	struct maui_saved_running *list;
	json_object *array;
	size_t count;

	r->list = "active";
	ret->running = list = maui_saved_make_list(r, root, r->list, sizeof(*list), &array, &count);
	if (!list)
		return -1;
	for (r->index = 0; r->index < count; r->index++)
		if (maui_saved_get_fields(r, &maui_fields_running,
					  json_object_array_get_idx(array, r->index),
					  &list[r->index]))
			return -1;
	return 0;
}
