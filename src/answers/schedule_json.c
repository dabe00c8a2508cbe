/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule_json.c - a schedule as JSON, which README.md describes */

#include "answers/schedule.h"

#include <stdbool.h>
#include <stdlib.h>

#include "answers/object.h"
#include "base/hostrange.h"

static json_object *item_json(const struct maui_schedule_item *item)
{
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "kind", maui_schedule_kind_name(item->kind));
	maui_object_put_text(&o, "id", item->id);
	if (item->user)
		maui_object_put_text(&o, "user", item->user);
	if (item->account)
		maui_object_put_text(&o, "account", item->account);
	maui_object_put_number(&o, "start", item->start_s);
	maui_object_put_time(&o, "end", item->end_s);
	maui_object_put_number(&o, "nodes", item->nodes);
	maui_object_put_number(&o, "procs", item->procs);
	if (item->count)
		maui_object_put_number(&o, "count", item->count);
	return maui_object_finish(&o);
}

/* [item, from, until]: seconds from now. */
static json_object *box_json(const struct maui_schedule *s, const struct maui_schedule_box *box)
{
	const int64_t numbers[] = { box->item, box->from_s - s->now_s, box->until_s - s->now_s };
	json_object *array = json_object_new_array();
	bool failed = false;

	for (int i = 0; i < 3; i++)
		failed |= !maui_list_append(array, json_object_new_int64(numbers[i]));
	if (!failed)
		return array;
	json_object_put(array);
	return NULL;
}

/* "n[1-4]"; NULL without memory. */
static char *row_name(const struct maui_schedule *s, const struct maui_schedule_row *row)
{
	const char **names = malloc((row->node_count + 1) * sizeof(*names));
	char *text;

	for (uint32_t i = 0; names && i < row->node_count; i++)
		names[i] = s->names[row->nodes[i]] ? s->names[row->nodes[i]] : "?";
	text = names ? maui_hostrange_fold(names, row->node_count) : NULL;
	free(names);
	return text;
}

static json_object *row_json(const struct maui_schedule *s, const struct maui_schedule_row *row)
{
	struct maui_object o = maui_object_make();
	json_object *boxes = json_object_new_array();
	char *name = row_name(s, row);

	for (uint32_t i = 0; i < row->box_count; i++)
		maui_object_append(&o, boxes, box_json(s, &row->boxes[i]));
	o.failed |= !name;
	maui_object_put_text(&o, "nodes", name);
	maui_object_put_number(&o, "node_count", row->node_count);
	maui_object_put(&o, "boxes", boxes);
	free(name);
	return maui_object_finish(&o);
}

json_object *maui_schedule_json(const struct maui_schedule *s)
{
	struct maui_object o = maui_object_make();
	json_object *items = json_object_new_array(), *rows = json_object_new_array();

	maui_object_put_number(&o, "horizon", s->until_s - s->now_s);
	maui_object_put_number(&o, "node_count", s->node_count);
	maui_object_put_number(&o, "step", s->step_s);
	for (size_t i = 0; !o.failed && i < s->item_count; i++)
		maui_object_append(&o, items, item_json(&s->items[i]));
	for (uint32_t i = 0; !o.failed && i < s->row_count; i++)
		maui_object_append(&o, rows, row_json(s, &s->rows[i]));
	maui_object_put(&o, "items", items);
	maui_object_put(&o, "rows", rows);
	return maui_object_finish(&o);
}
