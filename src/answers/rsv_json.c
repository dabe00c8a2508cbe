/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_json.c - rows of reservations as JSON
 */
#include "answers/rsv_json.h"

#include <stdlib.h>

#include "answers/config_json.h"
#include "answers/object.h"
#include "answers/rsv_walk.h"
#include "base/hostrange.h"
#include "base/limits.h"

static void put_texts(struct maui_object *o, const char *key, const char *const *texts)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; array && texts && texts[i]; i++) {
		json_object *text = json_object_new_string(texts[i]);

		if (!text || json_object_array_add(array, text) != 0) {
			json_object_put(text);
			o->failed = true;
		}
	}
	maui_object_put(o, key, array);
}

/* How many nodes from here on have as much as this one. */
static uint32_t run_length(const struct maui_document_node *nodes, uint32_t count)
{
	uint32_t n = 1;

	while (n < count && nodes[n].tasks == nodes[0].tasks && nodes[n].procs == nodes[0].procs)
		n++;
	return n;
}

static json_object *run_json(const struct maui_document *p, const struct maui_document_node *nodes,
			     uint32_t count)
{
	struct maui_object run = { .json = json_object_new_object() };
	json_object *names = json_object_new_array();

	run.failed = !run.json || !names;
	for (uint32_t i = 0; !run.failed && i < count; i++) {
		json_object *name = json_object_new_string(p->nodes[nodes[i].node]);

		run.failed = !name || json_object_array_add(names, name) != 0;
		if (run.failed)
			json_object_put(name);
	}
	if (!run.failed) {
		maui_object_put_number(&run, "tasks", nodes->tasks);
		maui_object_put_number(&run, "procs", nodes->procs);
		maui_object_put(&run, "names", json_object_get(names));
	}
	json_object_put(names);
	if (!run.failed)
		return run.json;
	json_object_put(run.json);
	return NULL;
}

/* Neighbours with as much each are one element: an object a node would take ten times the
 * memory. */
static void put_nodes(struct maui_object *o, const struct maui_document *p,
		      const struct maui_document_rsv *row)
{
	json_object *array = json_object_new_array();
	uint32_t count;

	for (uint32_t i = 0; array && i < row->node_count; i += count) {
		json_object *run;

		count = run_length(&row->nodes[i], row->node_count - i);
		run = run_json(p, &row->nodes[i], count);
		if (!run || json_object_array_add(array, run) != 0) {
			json_object_put(run);
			o->failed = true;
			break;
		}
	}
	maui_object_put(o, "nodes", array);
}

static const char *type_name(enum maui_document_type type)
{
	static const char *const names[MAUI_DOCUMENT_TYPE_COUNT] = {
		[MAUI_DOCUMENT_JOB] = "Job",     [MAUI_DOCUMENT_SYSTEM] = "System",
		[MAUI_DOCUMENT_USER] = "User",   [MAUI_DOCUMENT_STANDING] = "Standing",
		[MAUI_DOCUMENT_SLURM] = "Slurm",
	};

	return names[type];
}

static const char *state_name(char state)
{
	switch (state) {
	case 'R':
		return "Running";
	case 'S':
		return "Starting";
	case 'I':
		return "Idle";
	case 'Z':
		return "Suspended";
	default:
		return NULL;
	}
}

static void put_job(struct maui_object *o, const struct maui_document_rsv *row)
{
	static const char *const keys[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = "user",       [MAUI_CRED_GROUP] = "group",
		[MAUI_CRED_ACCOUNT] = "account", [MAUI_CRED_QOS] = "qos",
		[MAUI_CRED_CLASS] = "class",
	};

	maui_object_put_text(o, "state", state_name(row->state));
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		maui_object_put_text(o, keys[i], row->cred[i]);
}

static void put_request(struct maui_object *o, const struct maui_document_rsv *row,
			const char *held_by)
{
	put_texts(o, "flags", row->flags);
	put_texts(o, "acl", row->acl);
	maui_object_put_text(o, "owner", row->owner);
	maui_object_put_text(o, "charge_account", row->charge_account);
	maui_object_put_text(o, "subtype", row->subtype);
	put_texts(o, "triggers", row->triggers);
	maui_object_put_number(o, "task_procs", row->task_procs);
	maui_object_put_number(o, "task_mem_mb", row->task_mem_mb);
	maui_object_put_number(o, "task_disk_mb", row->task_disk_mb);
	maui_object_put_number(o, "task_count", row->task_count);
	maui_object_put_text(o, "host_list", row->hosts);
	maui_object_put_text(o, "features", row->features);
	maui_object_put_number(o, "wanted_tasks", row->wanted);
	maui_object_put_number(o, "missing_tasks", row->missing);
	maui_object_put_text(o, "held_by", held_by);
	maui_object_put_number(o, "used_procs", row->used_procs);
	maui_object_put(o, "used_proc_seconds", json_object_new_double(row->used_procsec));
	maui_object_put(o, "idle_proc_seconds", json_object_new_double(row->idle_procsec));
}

json_object *maui_rsv_json(const struct maui_document *p, const struct maui_document_rsv *row,
			   uid_t uid, bool nodes)
{
	struct maui_object o = { .json = json_object_new_object() };

	if (!o.json)
		return NULL;
	maui_object_put_text(&o, "name", row->name);
	maui_object_put_text(&o, "stable_name", row->stable);
	maui_object_put_text(&o, "mirror", row->mirror);
	maui_object_put_text(&o, "type", type_name(row->type));
	maui_object_put_number(&o, "start", row->start_s);
	maui_object_put_time(&o, "end", row->end_s);
	maui_object_put_time(&o, "duration", maui_when_length(row->start_s, row->end_s));
	maui_object_put_text(&o, "partition", row->partition);
	maui_object_put_number(&o, "node_count", row->node_count);
	maui_object_put_number(&o, "tasks", row->tasks);
	maui_object_put_number(&o, "procs", row->procs);
	if (row->type == MAUI_DOCUMENT_JOB)
		put_job(&o, row);
	else if (row->type != MAUI_DOCUMENT_SLURM)
		put_request(&o, row, maui_document_held_by(p, row, uid));
	if (nodes)
		put_nodes(&o, p, row);
	if (!o.failed)
		return o.json;
	json_object_put(o.json);
	return NULL;
}

void maui_rsv_put_node_names(struct maui_object *o, const char *key, const struct maui_document *p,
			     const struct maui_document_rsv *row)
{
	const char **names = calloc(row->node_count + 1u, sizeof(*names));
	char *text;

	for (uint32_t i = 0; names && i < row->node_count; i++)
		names[i] = p->nodes[row->nodes[i].node];
	text = names ? maui_hostrange_fold(names, row->node_count) : NULL;
	o->failed |= !text;
	maui_object_put_text(o, key, text);
	free(text);
	free(names);
}

void maui_rsv_put_short(struct maui_object *o, const struct maui_document_rsv *row)
{
	maui_object_put_text(o, "name", row->name);
	maui_object_put_text(o, "type", type_name(row->type));
	maui_object_put_text(o, "state", state_name(row->state));
	maui_object_put_text(o, "user", row->cred[MAUI_CRED_USER]);
	maui_object_put_number(o, "start", row->start_s);
	maui_object_put_time(o, "end", row->end_s);
}

/* Counted before anything is built. -1: they are too many. */
static int check_size(const struct maui_document *p, const char *name, bool nodes, uid_t uid,
		      struct maui_err *err)
{
	struct maui_rsv_walk walk = { .document = p, .name = name, .uid = uid };
	const struct maui_document_rsv *row;
	size_t node_count = 0, row_count = 0;

	while ((row = maui_rsv_walk_next(&walk))) {
		node_count += row->node_count;
		row_count++;
	}
	maui_rsv_walk_finish(&walk);
	if (walk.failed)
		return maui_err_set(err, "out of memory");
	for (size_t i = 0; (i = maui_document_find_released(p, name, uid, i)) < p->released_count;
	     i++)
		row_count++;
	if (row_count > MAUI_QUERY_MAX_ROWS)
		return maui_err_set(err,
				    "%zu reservations, and at most %d are listed: name one, "
				    "or see showres -s",
				    row_count, MAUI_QUERY_MAX_ROWS);
	if (nodes && node_count > MAUI_QUERY_MAX_NODES)
		return maui_err_set(err, "more than %d nodes to be listed: name a reservation",
				    MAUI_QUERY_MAX_NODES);
	return 0;
}

static void put_warnings(struct maui_object *o, const struct maui_document *p, const char *name,
			 uid_t uid)
{
	json_object *array = json_object_new_array();
	size_t i = 0;

	while (array && !o->failed &&
	       (i = maui_document_find_warning(p, name, uid, i)) < p->warning_count) {
		json_object *text = json_object_new_string(p->warnings[i++]);

		o->failed = !text || json_object_array_add(array, text) != 0;
		if (o->failed)
			json_object_put(text);
	}
	maui_object_put(o, "warnings", array);
}

static json_object *released_json(const struct maui_document_released *released)
{
	struct maui_object o = { .json = json_object_new_object() };

	if (!o.json)
		return NULL;
	maui_object_put_text(&o, "name", released->name);
	maui_object_put_text(&o, "stable_name", released->stable);
	maui_object_put_number(&o, "start", released->start_s);
	maui_object_put_time(&o, "end", released->end_s);
	if (!o.failed)
		return o.json;
	json_object_put(o.json);
	return NULL;
}

static void put_released(struct maui_object *o, const struct maui_document *p, const char *name,
			 uid_t uid)
{
	json_object *array = json_object_new_array();
	size_t i = 0;

	while (array && !o->failed &&
	       (i = maui_document_find_released(p, name, uid, i)) < p->released_count) {
		json_object *one = released_json(&p->released[i++]);

		o->failed = !one || json_object_array_add(array, one) != 0;
		if (o->failed)
			json_object_put(one);
	}
	maui_object_put(o, "released", array);
}

json_object *maui_rsv_json_list(const struct maui_document *p, const char *name, bool nodes,
				uid_t uid, size_t *ret_count, struct maui_err *err)
{
	struct maui_rsv_walk walk = { .document = p, .name = name, .uid = uid };
	const struct maui_document_rsv *row;
	struct maui_object o = { 0 };
	json_object *array;

	*ret_count = 0;
	if (check_size(p, name, nodes, uid, err))
		return NULL;
	o.json = json_object_new_object();
	array = json_object_new_array();
	o.failed = !o.json || !array;
	while (!o.failed && (row = maui_rsv_walk_next(&walk))) {
		o.failed = !maui_list_append(array, maui_rsv_json(p, row, uid, nodes));
		++*ret_count;
	}
	o.failed |= walk.failed;
	maui_rsv_walk_finish(&walk);
	if (!o.failed) {
		maui_object_put_text(&o, "cluster", p->cluster);
		maui_object_put_number(&o, "time", p->now_s);
		maui_object_put(&o, "reservations", json_object_get(array));
		put_warnings(&o, p, name, uid);
		put_released(&o, p, name, uid);
		maui_config_put_refused(&o, p, uid);
	}
	json_object_put(array);
	if (!o.failed)
		return o.json;
	json_object_put(o.json);
	maui_err_set(err, "out of memory");
	return NULL;
}

/* ---- summary ---- */

/* Now in force, and later. */
struct sum {
	int64_t active, active_procs, future, future_procs;
};

static json_object *sum_json(enum maui_document_type type, const struct sum *sum)
{
	struct maui_object o = { .json = json_object_new_object() };

	if (!o.json)
		return NULL;
	maui_object_put_text(&o, "type", type_name(type));
	maui_object_put_number(&o, "active", sum->active);
	maui_object_put_number(&o, "active_procs", sum->active_procs);
	maui_object_put_number(&o, "future", sum->future);
	maui_object_put_number(&o, "future_procs", sum->future_procs);
	if (!o.failed)
		return o.json;
	json_object_put(o.json);
	return NULL;
}

json_object *maui_rsv_json_summary(const struct maui_document *p, const char *name, uid_t uid,
				   size_t *ret_count)
{
	struct sum sums[MAUI_DOCUMENT_TYPE_COUNT] = { 0 };
	struct maui_object o = { .json = json_object_new_object() };
	struct maui_rsv_walk walk = { .document = p, .name = name, .uid = uid };
	json_object *array = json_object_new_array();
	const struct maui_document_rsv *row;

	*ret_count = 0;
	while ((row = maui_rsv_walk_next(&walk))) {
		bool later = row->start_s > p->now_s;

		*(later ? &sums[row->type].future : &sums[row->type].active) += 1;
		*(later ? &sums[row->type].future_procs : &sums[row->type].active_procs) +=
			row->procs;
		++*ret_count;
	}
	maui_rsv_walk_finish(&walk);
	o.failed = !o.json || !array || walk.failed;
	for (int t = 0; !o.failed && t < MAUI_DOCUMENT_TYPE_COUNT; t++) {
		json_object *sum = sum_json((enum maui_document_type)t, &sums[t]);

		o.failed = !sum || json_object_array_add(array, sum) != 0;
		if (o.failed)
			json_object_put(sum);
	}
	if (!o.failed) {
		maui_object_put_text(&o, "cluster", p->cluster);
		maui_object_put_number(&o, "time", p->now_s);
		maui_object_put(&o, "summary", json_object_get(array));
	}
	json_object_put(array);
	if (!o.failed)
		return o.json;
	json_object_put(o.json);
	return NULL;
}
