/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_json.c - when one job starts, what that rests on, and how it moved */

#include "answers/start_json.h"

#include "answers/json_rows.h"
#include "answers/object.h"
#include "answers/wait_text.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "plan/finished.h"

json_object *maui_start_history_json(const struct maui_document *p, uint32_t index)
{
	const struct maui_document_idle *idle = &p->idle[index];
	struct maui_json_rows rows = { 0 };

	for (uint32_t i = 0; i < idle->estimate_count; i++) {
		maui_json_rows_begin(&rows);
		maui_json_rows_number(&rows, idle->estimates[i].at_s);
		maui_json_rows_number(&rows, idle->estimates[i].start_s);
		maui_json_rows_end(&rows);
	}
	return maui_json_rows_finish(&rows);
}

static const char *const bases[] = {
	[MAUI_START_UNKNOWN] = NULL,
	[MAUI_START_NOW] = "starting",
	[MAUI_START_RESERVATION] = "reservation",
	[MAUI_START_LIMIT] = "limit",
	[MAUI_START_PROJECTION] = "projection",
	[MAUI_START_FIT] = "fit",
};

static void put_reason(struct maui_object *o, const struct maui_document *p, uint32_t index,
		       const struct maui_explanation *why)
{
	char line[MAUI_EXPLAIN_LINE_SIZE], waits[MAUI_WAIT_TEXT_SIZE];

	maui_explain_first(why, line, sizeof(line));
	if (!*line)
		maui_wait_text(p, index, waits);
	maui_object_put_text(o, "reason", *line ? line : *waits ? waits : NULL);
}

static json_object *waiting_start(const struct maui_document *p, uint32_t index)
{
	const struct maui_plan *plan = p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	struct maui_object o = maui_object_make();
	struct maui_explainer *x = maui_explainer_create(plan);
	struct maui_explanation why;
	char label[MAUI_JOB_LABEL_SIZE];
	struct maui_start_time start;

	if (!x || maui_explain_start(x, index, &start) || maui_explain_short(x, index, &why)) {
		o.failed = true;
	} else {
		why.now_s = plan->now_s;
		why.start_apart = true;
		if (start.basis == MAUI_START_NOW && maui_document_estimate(p, index) == MAUI_NEVER)
			start = (struct maui_start_time){ .when_s = MAUI_NEVER };
		maui_object_put_text(&o, "label", maui_waiting_label(p, index, label));
		maui_object_put_text(&o, "state", maui_waiting_state(p, index));
		maui_object_put_number(&o, "jobs", p->idle[index].waiting);
		maui_object_put_text(&o, "partition", why.partition);
		maui_object_put_number(&o, "procs", idle->procs);
		maui_object_put_time(&o, "limit", idle->limit_s);
		maui_object_put_text(&o, "basis", bases[start.basis]);
		maui_object_put_time(&o, "start", start.when_s);
		maui_object_put_time(&o, "end", maui_when_add(start.when_s, idle->limit_s));
		maui_object_put_time(&o, "start_by",
				     idle->start_by_s ? idle->start_by_s : MAUI_NEVER);
		put_reason(&o, p, index, &why);
		maui_object_put_number(&o, "ahead", why.ahead);
		maui_object_put(&o, "history", maui_start_history_json(p, index));
	}
	maui_explainer_destroy(x);
	return maui_object_finish(&o);
}

static json_object *active_start(const struct maui_document_rsv *row)
{
	struct maui_object o = maui_object_make();
	char label[MAUI_JOB_LABEL_SIZE];

	maui_object_put_text(&o, "label", maui_active_label(row, label));
	maui_object_put_text(&o, "state", maui_active_state(row));
	maui_object_put_text(&o, "partition", row->cred[MAUI_CRED_CLASS]);
	maui_object_put_number(&o, "procs", row->procs);
	maui_object_put_time(&o, "limit", maui_when_length(row->start_s, row->end_s));
	maui_object_put_text(&o, "basis", "active");
	maui_object_put_number(&o, "start", row->start_s);
	maui_object_put_time(&o, "end", row->end_s);
	maui_object_put_null(&o, "reason");
	return maui_object_finish(&o);
}

json_object *maui_start_json(const struct maui_document *p, const struct maui_job_name *name,
			     uid_t uid, struct maui_query_error *error)
{
	struct maui_found_job found;
	struct maui_object o;

	if (maui_document_find_job(p, name, uid, &found, error))
		return NULL;
	o = maui_object_make();
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", p->now_s);
	maui_object_put(&o, "start",
			found.active ? active_start(found.active) :
				       waiting_start(p, found.waiting));
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
