/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_json.c - the answer to `report`, and its schedule */

#include "answers/report_json.h"

#include <stdlib.h>
#include <string.h>

#include "answers/object.h"
#include "answers/schedule.h"
#include "answers/share_json.h"
#include "base/hostrange.h"
#include "base/limits.h"
#include "state/utilisation.h"

static int append(json_object *array, json_object *value)
{
	if (array && value && json_object_array_add(array, value) == 0)
		return 0;
	json_object_put(value);
	return -1;
}

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
	int failed = 0;

	for (int i = 0; i < 3; i++)
		failed |= append(array, json_object_new_int64(numbers[i]));
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
		o.failed |= append(boxes, box_json(s, &row->boxes[i])) != 0;
	o.failed |= !name;
	maui_object_put_text(&o, "nodes", name);
	maui_object_put_number(&o, "node_count", row->node_count);
	maui_object_put(&o, "boxes", boxes);
	free(name);
	return maui_object_finish(&o);
}

static json_object *schedule_json(const struct maui_schedule *s)
{
	struct maui_object o = maui_object_make();
	json_object *items = json_object_new_array(), *rows = json_object_new_array();

	maui_object_put_number(&o, "horizon", s->until_s - s->now_s);
	maui_object_put_number(&o, "node_count", s->node_count);
	maui_object_put_number(&o, "step", s->step_s);
	for (size_t i = 0; !o.failed && i < s->item_count; i++)
		o.failed |= append(items, item_json(&s->items[i])) != 0;
	for (uint32_t i = 0; !o.failed && i < s->row_count; i++)
		o.failed |= append(rows, row_json(s, &s->rows[i])) != 0;
	maui_object_put(&o, "items", items);
	maui_object_put(&o, "rows", rows);
	return maui_object_finish(&o);
}

static void put_schedule(struct maui_object *o, const struct maui_document *p, uid_t uid,
			 int64_t horizon_s)
{
	struct maui_schedule schedule;

	if (maui_schedule_make(p, uid, horizon_s, &schedule)) {
		o->failed = true;
		return;
	}
	maui_object_put(o, "schedule", schedule_json(&schedule));
	maui_schedule_finish(&schedule);
}

/* null: nothing is known of usage. */
static void put_fairshare(struct maui_object *o, const struct maui_document *p, uid_t uid)
{
	json_object *shares = p->plan && p->usage ?
				      maui_share_json_largest(p, MAUI_REPORT_MAX_SHARES, uid) :
				      NULL;

	if (shares)
		maui_object_put(o, "fairshare", shares);
	else
		maui_object_put_null(o, "fairshare");
}

static json_object *span_json(const struct maui_utilisation_span *span)
{
	static const char *const keys[MAUI_LOAD_COUNT] = {
		[MAUI_LOAD_PROCS] = "procs",     [MAUI_LOAD_DOWN] = "down",
		[MAUI_LOAD_USED] = "used",       [MAUI_LOAD_RESERVED] = "reserved",
		[MAUI_LOAD_IDLE] = "idle",       [MAUI_LOAD_RUNNING] = "running",
		[MAUI_LOAD_WAITING] = "waiting",
	};
	struct maui_object o = maui_object_make();

	maui_object_put_number(&o, "start", span->start_s);
	maui_object_put_number(&o, "end", span->start_s + MAUI_UTILISATION_SPAN_S);
	for (int i = 0; i < MAUI_LOAD_COUNT; i++)
		maui_object_put(&o, keys[i], json_object_new_double(span->sum[i] / span->known_s));
	return maui_object_finish(&o);
}

/* The means of each span of the last day of which anything is known. */
static void put_utilisation(struct maui_object *o, const struct maui_document *p)
{
	const struct maui_utilisation *u = p->utilisation;
	json_object *spans = json_object_new_array();

	for (uint32_t i = 0; u && i < u->count; i++)
		if (u->spans[i].known_s > 0 && u->spans[i].start_s > p->now_s - (int64_t)24 * 3600)
			o->failed |= append(spans, span_json(&u->spans[i])) != 0;
	maui_object_put(o, "utilisation", spans);
}

json_object *maui_report_json(const struct maui_document *p, const struct maui_report_args *args,
			      uid_t uid, struct maui_query_error *error)
{
	int64_t horizon_s = args->horizon_s ? args->horizon_s : MAUI_REPORT_HORIZON_S;
	struct maui_object o;

	if (horizon_s < 1 || horizon_s > MAUI_REPORT_MAX_HORIZON_S) {
		maui_query_fail(error, MAUI_QUERY_BAD,
				"a report looks ahead for a second at least, for a year at most");
		return NULL;
	}
	o = maui_object_make();
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", p->now_s);
	put_schedule(&o, p, uid, horizon_s);
	if (!args->schedule_only) {
		put_fairshare(&o, p, uid);
		put_utilisation(&o, p);
		maui_report_put_queue(&o, p, uid);
	}
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
