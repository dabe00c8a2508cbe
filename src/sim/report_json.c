/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_json.c - the summary as JSON */

#include <string.h>

#include "policy/fairshare.h"
#include "sim/report.h"

static void add_number(json_object *object, const char *name, double value)
{
	json_object_object_add(object, name, json_object_new_double(value));
}

static void add_int(json_object *object, const char *name, int64_t value)
{
	json_object_object_add(object, name, json_object_new_int64(value));
}

static json_object *figures_json(const struct maui_sim_figures *f)
{
	json_object *object = json_object_new_object();

	if (f->name)
		json_object_object_add(object, "name", json_object_new_string(f->name));
	add_int(object, "jobs", (int64_t)f->jobs);
	add_int(object, "waiting", (int64_t)f->waiting);
	add_number(object, "wait_mean_s", f->wait_mean_s);
	add_int(object, "wait_p50_s", f->wait_p50_s);
	add_int(object, "wait_p95_s", f->wait_p95_s);
	add_int(object, "wait_max_s", f->wait_max_s);
	add_number(object, "bounded_slowdown", f->bounded_slowdown);
	add_number(object, "wallclock_accuracy", f->accuracy);
	add_number(object, "proc_seconds", f->proc_seconds);
	return object;
}

static json_object *creds_json(const struct maui_sim_results *results, int kind)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < results->by_count[kind]; i++)
		json_object_array_add(list, figures_json(&results->by[kind][i]));
	return list;
}

static json_object *share_json(enum maui_cred_kind kind, const char *name,
			       const struct maui_sim_share *share)
{
	static const char *const types[] = { "none",    "target",       "floor",
					     "ceiling", "absolute cap", "cap" };
	json_object *object = json_object_new_object();

	json_object_object_add(object, "kind", json_object_new_string(maui_cred_name(kind)));
	json_object_object_add(object, "name", json_object_new_string(name));
	json_object_object_add(object, "type", json_object_new_string(types[share->target.kind]));
	add_number(object, "target", share->target.value);
	add_number(object, "used", share->used);
	add_number(object, "percent", share->percent);
	return object;
}

static json_object *targets_json(const struct maui_sim_outcome *o)
{
	json_object *list = json_object_new_array();

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		for (size_t i = 0; i < o->results.by_count[k]; i++) {
			const char *name = o->results.by[k][i].name;
			struct maui_sim_share share;

			if (maui_sim_share_of(o, (enum maui_cred_kind)k, name, &share))
				json_object_array_add(
					list, share_json((enum maui_cred_kind)k, name, &share));
		}
	return list;
}

static json_object *left_out_json(const struct maui_sim_results *results)
{
	json_object *object = json_object_new_object();

	for (int i = 0; i < MAUI_REASON_COUNT; i++)
		if (results->left_out[i] > 0)
			add_int(object, maui_reason_text((enum maui_reason)i),
				(int64_t)results->left_out[i]);
	return object;
}

json_object *maui_sim_outcome_json(const struct maui_sim_outcome *o)
{
	json_object *object = json_object_new_object();

	json_object_object_add(object, "config", json_object_new_string(o->config_path));
	add_int(object, "procs", o->results.procs);
	add_int(object, "jobs", (int64_t)o->trace->count);
	add_int(object, "dropped", (int64_t)o->trace->dropped);
	add_int(object, "junk_lines", (int64_t)o->trace->junk);
	add_int(object, "unstarted", (int64_t)o->run->unstarted);
	add_int(object, "backfilled", (int64_t)o->run->backfilled);
	add_int(object, "preempted", (int64_t)o->run->preempted);
	add_int(object, "plans", (int64_t)o->run->plans);
	add_number(object, "utilisation", o->results.utilisation);
	json_object_object_add(object, "left_out", left_out_json(&o->results));
	json_object_object_add(object, "all", figures_json(&o->results.all));
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		json_object_object_add(object, maui_cred_name((enum maui_cred_kind)k),
				       creds_json(&o->results, k));
	json_object_object_add(object, "fairshare", targets_json(o));
	return object;
}
