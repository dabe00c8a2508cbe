/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - the state file: parsed by json-c, written by hand with one job a line */

#include "state/store/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/limits.h"

#define SCHEMA "maui.state.v1"
enum { SCHEMA_VERSION = 1 };

void maui_store_finish(struct maui_store *store)
{
	for (size_t i = 0; i < store->count; i++) {
		free(store->jobs[i].qos);
		free(store->jobs[i].advres);
	}
	free(store->jobs);
	for (size_t i = 0; i < store->job_rsv_count; i++) {
		free(store->job_rsvs[i].partition);
		free(store->job_rsvs[i].places);
	}
	free(store->job_rsvs);
	maui_store_finish_rsvs(store);
	maui_statistics_finish(&store->statistics);
	*store = (struct maui_store){ 0 };
}

int maui_store_add_job(struct maui_store *store, const struct maui_store_job *job)
{
	struct maui_store_job copy = *job;
	struct maui_store_job *grown =
		maui_array_grow(store->jobs, store->count, &store->alloc, sizeof(*grown));

	if (!grown)
		return -1;
	store->jobs = grown;
	copy.qos = job->qos ? strdup(job->qos) : NULL;
	copy.advres = job->advres ? strdup(job->advres) : NULL;
	if ((job->qos && !copy.qos) || (job->advres && !copy.advres)) {
		free(copy.qos);
		free(copy.advres);
		return -1;
	}
	grown[store->count++] = copy;
	return 0;
}

int maui_store_add_job_rsv(struct maui_store *store, const struct maui_store_job_rsv *job_rsv)
{
	struct maui_store_job_rsv copy = *job_rsv;
	struct maui_store_job_rsv *grown = maui_array_grow(store->job_rsvs, store->job_rsv_count,
							   &store->job_rsv_alloc, sizeof(*grown));

	if (!grown)
		return -1;
	store->job_rsvs = grown;
	copy.partition = strdup(job_rsv->partition);
	copy.places = calloc(job_rsv->place_count + 1u, sizeof(*copy.places));
	if (!copy.partition || !copy.places) {
		free(copy.partition);
		free(copy.places);
		return -1;
	}
	memcpy(copy.places, job_rsv->places, job_rsv->place_count * sizeof(*copy.places));
	grown[store->job_rsv_count++] = copy;
	return 0;
}

/* 0 when the file has something else than setspri allows. */
static int32_t get_priority(json_object *object, const char *key, int32_t low, int32_t high)
{
	int64_t value = maui_store_get_int(object, key);

	return value >= low && value <= high ? (int32_t)value : 0;
}

static int read_job(json_object *object, struct maui_store *store, struct maui_err *err)
{
	struct maui_store_job job = { 0 };
	int64_t id;

	if (!json_object_is_type(object, json_type_object))
		return maui_err_set(err, "a job is not an object");
	id = maui_store_get_int(object, "id");
	if (id <= 0 || id > UINT32_MAX)
		return maui_err_set(err, "a job without an id");
	job.job_id = (uint32_t)id;
	job.submit_s = maui_store_get_int(object, "submit");
	job.stamp_s = maui_store_get_int(object, "stamp");
	job.start_s = maui_store_get_int(object, "start");
	job.charged_s = maui_store_get_int(object, "charged");
	job.qos = (char *)maui_store_get_text(object, "qos");
	job.advres = (char *)maui_store_get_text(object, "advres");
	job.bypass = maui_store_get_count(object, "bypass");
	job.bypassed = maui_store_get_count(object, "bypassed");
	job.flags = maui_store_get_count(object, "flags");
	job.system_priority = get_priority(object, "spri", 0, MAUI_SYSPRIO_MAX);
	job.system_priority_added =
		get_priority(object, "spri_added", -MAUI_PRIORITY_MAX, MAUI_PRIORITY_MAX);
	job.asked_tasks = maui_store_get_count(object, "tasks");
	job.asked_procs = maui_store_get_count(object, "procs");
	job.refusals = maui_store_get_count(object, "refusals");
	job.deferrals = maui_store_get_count(object, "deferrals");
	job.deferred_until_s = maui_store_get_int(object, "deferred_until");
	job.trial_planned_s = maui_store_get_int(object, "trial_planned");
	job.trial_copies = maui_store_get_count(object, "trial_copies");
	if (job.submit_s < 0 || job.stamp_s < 0 || job.start_s < 0 || job.charged_s < 0 ||
	    job.deferred_until_s < 0 || job.trial_planned_s < 0)
		return maui_err_set(err, "job %u: a time below 0", job.job_id);
	if (maui_store_add_job(store, &job))
		return maui_err_set(err, "no memory");
	return 0;
}

static bool read_place(json_object *place, struct maui_store_place *ret)
{
	int64_t value[3] = { 0 };

	if (!json_object_is_type(place, json_type_array) || json_object_array_length(place) != 3)
		return false;
	for (size_t i = 0; i < 3; i++)
		value[i] = json_object_get_int64(json_object_array_get_idx(place, i));
	if (value[0] < 0 || value[0] > UINT32_MAX || value[2] < 0 || value[2] > UINT32_MAX)
		return false;
	*ret = (struct maui_store_place){ .node = (uint32_t)value[0],
					  .tasks = (uint32_t)value[2],
					  .name = (uint64_t)value[1] };
	return true;
}

/* Skips an invalid job reservation: the job gets a new one. -1 without memory. */
static int read_job_rsv(json_object *object, struct maui_store *store)
{
	struct maui_store_job_rsv job_rsv = {
		.job_id = maui_store_get_count(object, "job"),
		.submit_s = maui_store_get_int(object, "submit"),
		.partition = (char *)maui_store_get_text(object, "partition"),
		.start_s = maui_store_get_int(object, "start"),
	};
	json_object *nodes = maui_store_get_list(object, "nodes");
	size_t count;
	int rc = 0;

	if (!job_rsv.job_id || !job_rsv.partition || !nodes)
		return 0;
	job_rsv.preempting = maui_store_get_bool(object, "vacating");
	count = json_object_array_length(nodes);
	job_rsv.places = calloc(count + 1, sizeof(*job_rsv.places));
	if (!job_rsv.places)
		return -1;
	while (job_rsv.place_count < count &&
	       read_place(json_object_array_get_idx(nodes, job_rsv.place_count),
			  &job_rsv.places[job_rsv.place_count]))
		job_rsv.place_count++;
	if (job_rsv.place_count == count && count > 0)
		rc = maui_store_add_job_rsv(store, &job_rsv);
	free(job_rsv.places);
	return rc;
}

static int read_job_rsvs(json_object *root, struct maui_store *store)
{
	json_object *list = maui_store_get_list(root, "promises");

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		if (read_job_rsv(json_object_array_get_idx(list, i), store))
			return -1;
	return 0;
}

/* A file of a later slurm-maui, which this one must neither read nor overwrite. */
enum { NEWER = -2 };

static bool is_newer(const char *schema)
{
	static const char stem[] = "maui.state.v";
	size_t length = sizeof(stem) - 1;
	char *end;

	return strncmp(schema, stem, length) == 0 && schema[length] >= '1' &&
	       schema[length] <= '9' && strtoul(schema + length, &end, 10) > SCHEMA_VERSION &&
	       *end == '\0';
}

/* 0, -1 or NEWER. */
static int read_root(json_object *root, struct maui_store *store, struct maui_err *err)
{
	const char *schema = json_object_is_type(root, json_type_object) ?
				     maui_store_get_text(root, "schema") :
				     NULL;
	json_object *jobs = maui_store_get_list(root, "jobs");

	if (schema && is_newer(schema)) {
		maui_err_set(err,
			     "written by a newer slurm-maui (schema '%s', this one reads "
			     "'" SCHEMA "')",
			     schema);
		return NEWER;
	}
	if (!schema || strcmp(schema, SCHEMA) != 0)
		return maui_err_set(err, "not a state file of this release (schema '%s')",
				    schema ? schema : "none");
	store->saved_s = maui_store_get_int(root, "saved");
	if (store->saved_s <= 0)
		return maui_err_set(err, "no time of saving");
	store->chunk_until_s = maui_store_get_int(root, "chunk_until");
	if (read_job_rsvs(root, store) || maui_store_read_rsvs(root, store) ||
	    maui_store_read_statistics(root, store))
		return maui_err_set(err, "no memory");
	maui_store_read_trial(root, store);
	if (!jobs)
		return maui_err_set(err, "no list of jobs");
	for (size_t i = 0; i < json_object_array_length(jobs); i++)
		if (read_job(json_object_array_get_idx(jobs, i), store, err))
			return -1;
	return 0;
}

static bool only_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
		at++;
	return at == end;
}

/* 0, -1 or NEWER. */
static int parse(const char *text, size_t length, struct maui_store *ret, struct maui_err *err)
{
	struct json_tokener *tokener = json_tokener_new_ex(MAUI_STATE_MAX_DEPTH);
	struct maui_store store = { 0 };
	json_object *root = NULL;
	int rc = -1;

	*ret = store;
	if (!tokener || length > INT32_MAX) {
		maui_err_set(err, "no memory");
	} else {
		root = json_tokener_parse_ex(tokener, text, (int)length);
		if (root && !only_blanks(text + json_tokener_get_parse_end(tokener), text + length))
			maui_err_set(err, "something follows the JSON object");
		else if (!root)
			maui_err_set(err, "not JSON: %s at byte %zu",
				     json_tokener_error_desc(json_tokener_get_error(tokener)),
				     json_tokener_get_parse_end(tokener));
		else
			rc = read_root(root, &store, err);
	}
	json_object_put(root);
	if (tokener)
		json_tokener_free(tokener);
	if (rc)
		maui_store_finish(&store);
	else
		*ret = store;
	return rc;
}

int maui_store_parse(const char *text, size_t length, struct maui_store *ret, struct maui_err *err)
{
	return parse(text, length, ret, err) ? -1 : 0;
}

static void format_job(struct maui_strbuf *out, const struct maui_store_job *job)
{
	maui_strbuf_addf(out, "{\"id\": %u, \"submit\": %lld, \"stamp\": %lld", job->job_id,
			 (long long)job->submit_s, (long long)job->stamp_s);
	if (job->start_s)
		maui_strbuf_addf(out, ", \"start\": %lld, \"charged\": %lld",
				 (long long)job->start_s, (long long)job->charged_s);
	maui_store_put_named(out, "qos", job->qos);
	maui_store_put_named(out, "advres", job->advres);
	maui_store_put_count(out, "bypass", job->bypass);
	maui_store_put_count(out, "bypassed", job->bypassed);
	maui_store_put_count(out, "flags", job->flags);
	maui_store_put_count(out, "spri", job->system_priority);
	maui_store_put_count(out, "spri_added", job->system_priority_added);
	maui_store_put_count(out, "tasks", job->asked_tasks);
	maui_store_put_count(out, "procs", job->asked_procs);
	maui_store_put_count(out, "refusals", job->refusals);
	maui_store_put_count(out, "deferrals", job->deferrals);
	maui_store_put_count(out, "deferred_until", job->deferred_until_s);
	maui_store_put_count(out, "trial_planned", job->trial_planned_s);
	maui_store_put_count(out, "trial_copies", job->trial_copies);
	maui_strbuf_addf(out, "}");
}

static void format_job_rsv(struct maui_strbuf *out, const struct maui_store_job_rsv *job_rsv)
{
	maui_strbuf_addf(out, "{\"job\": %u, \"submit\": %lld, \"partition\": ", job_rsv->job_id,
			 (long long)job_rsv->submit_s);
	maui_store_put_text(out, job_rsv->partition);
	maui_strbuf_addf(out, ", \"start\": %lld, \"vacating\": %s, \"nodes\": [",
			 (long long)job_rsv->start_s, job_rsv->preempting ? "true" : "false");
	for (uint32_t i = 0; i < job_rsv->place_count; i++)
		maui_strbuf_addf(out, "%s[%u, %llu, %u]", i ? ", " : "", job_rsv->places[i].node,
				 (unsigned long long)job_rsv->places[i].name,
				 job_rsv->places[i].tasks);
	maui_strbuf_addf(out, "]}");
}

void maui_store_format(const struct maui_store *store, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "{\"schema\": \"" SCHEMA "\", \"saved\": %lld",
			 (long long)store->saved_s);
	maui_store_put_count(out, "chunk_until", store->chunk_until_s);
	for (size_t i = 0; i < store->job_rsv_count; i++) {
		maui_strbuf_addf(out, i ? ",\n" : ", \"promises\": [\n");
		format_job_rsv(out, &store->job_rsvs[i]);
	}
	maui_strbuf_addf(out, "%s, \"jobs\": [", store->job_rsv_count ? "\n]" : "");
	for (size_t i = 0; i < store->count; i++) {
		maui_strbuf_addf(out, i ? ",\n" : "\n");
		format_job(out, &store->jobs[i]);
	}
	maui_strbuf_addf(out, "\n]");
	maui_store_format_rsvs(store, out);
	maui_store_format_statistics(store, out);
	maui_store_format_trial(store, out);
	maui_strbuf_addf(out, "}\n");
}

int maui_store_read(const char *path, struct maui_store *ret, struct maui_err *err)
{
	size_t length;
	char *text;
	int rc;

	if (maui_file_read(path, MAUI_STATE_MAX_BYTES, &text, &length, err))
		return -1;
	rc = parse(text, length, ret, err);
	free(text);
	errno = rc == NEWER ? ENOTSUP : EINVAL;
	return rc ? -1 : 0;
}

/* 1: the file was read; 0: no such file; -1: the file is unusable, and was set aside or blocks
 * its place: `ret->blocked`; NEWER. */
static int load_file(const char *path, struct maui_store *ret, struct maui_diags *diags)
{
	struct maui_err err;
	char *name = NULL;

	if (maui_store_read(path, ret, &err) == 0)
		return 1;
	if (errno == ENOENT)
		return 0;
	if (errno == ENOTSUP) {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0,
			       "%s: left alone, nothing is read nor saved there; install that "
			       "slurm-maui, or move the file away and restart slurmctld",
			       err.text);
		ret->blocked = true;
		return NEWER;
	}
	maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "%s", err.text);
	if (maui_file_set_aside(path, &name, &err) == 0) {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "set aside as %s", name);
	} else {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0,
			       "%s; it stays, nothing is saved there", err.text);
		ret->blocked = true;
	}
	free(name);
	return -1;
}

int maui_store_load(const char *path, struct maui_store *ret, struct maui_diags *diags)
{
	struct maui_store kept = { 0 };
	char *old;
	int rc;

	*ret = (struct maui_store){ 0 };
	rc = load_file(path, ret, diags);
	if (rc > 0 || rc == NEWER) /* the file before a newer one is out of date */
		return 0;
	if (asprintf(&old, "%s.old", path) < 0)
		return -1;
	if (load_file(old, &kept, diags) > 0)
		maui_diags_add(diags, MAUI_WARNING, old, 0, 0,
			       "taken in place of %s: at most some seconds of usage count twice",
			       path);
	kept.blocked |= ret->blocked;
	*ret = kept;
	free(old);
	return 0;
}

int maui_store_save(const char *path, const struct maui_store *store, struct maui_err *err)
{
	struct maui_strbuf out = { 0 };
	int rc;

	maui_store_format(store, &out);
	if (out.failed)
		rc = maui_err_set(err, "%s: no memory", path);
	else
		rc = maui_file_write(path, out.text, out.length, 1, err);
	maui_strbuf_finish(&out);
	return rc;
}
