/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_json.c - the answer to `report`, and its schedule */

#include "answers/report_json.h"

#include <stdlib.h>
#include <string.h>

#include "answers/fairshare.h"
#include "answers/object.h"
#include "answers/schedule.h"
#include "base/limits.h"
#include "state/utilisation.h"

static void put_schedule(struct maui_object *o, const struct maui_document *p, uid_t uid,
			 int64_t horizon_s)
{
	struct maui_schedule schedule;

	if (maui_schedule_make(p, uid, horizon_s, &schedule)) {
		o->failed = true;
		return;
	}
	maui_object_put(o, "schedule", maui_schedule_json(&schedule));
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
			maui_object_append(o, spans, span_json(&u->spans[i]));
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
	if (maui_document_hides_nodes(p, uid)) {
		maui_query_fail(error, MAUI_QUERY_DENIED,
				"not permitted: PrivateData=nodes shows nodes to operators only");
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
