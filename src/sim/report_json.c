/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_json.c - the summary for programs */

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

static json_object *targets_json(const struct maui_sim_outcome *o)
{
	double total = maui_fairshare_total(&o->run->usage, o->config, o->run->last_s);
	json_object *list = json_object_new_array();

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		for (size_t i = 0; i < o->config->creds[k].count; i++) {
			const struct maui_cred_config *c = &o->config->creds[k].list[i];
			double used = maui_fairshare_usage(&o->run->usage, o->config,
							   o->run->last_s, (enum maui_cred_kind)k,
							   c->name);
			json_object *object;

			if (c->fstarget.kind == MAUI_FS_TARGET_NONE)
				continue;
			object = json_object_new_object();
			json_object_object_add(
				object, "kind",
				json_object_new_string(maui_cred_name((enum maui_cred_kind)k)));
			json_object_object_add(object, "name", json_object_new_string(c->name));
			add_number(object, "target", c->fstarget.value);
			add_number(object, "percent", maui_fairshare_percent(used, total));
			json_object_array_add(list, object);
		}
	return list;
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
	json_object_object_add(object, "all", figures_json(&o->results.all));
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		json_object_object_add(object, maui_cred_name((enum maui_cred_kind)k),
				       creds_json(&o->results, k));
	json_object_object_add(object, "fairshare", targets_json(o));
	return object;
}
