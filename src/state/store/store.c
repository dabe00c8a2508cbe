/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - the state file on disk, one element of its lists a line */

#include "state/store/private.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "record/write.h"
#include "state/set_aside.h"

void maui_store_finish(struct maui_store *store)
{
	maui_statistics_finish(&store->statistics);
	maui_arena_finish(&store->arena);
	json_object_put(store->source);
	*store = (struct maui_store){ 0 };
}

int maui_store_parse(const char *text, size_t length, struct maui_store *ret, struct maui_err *err)
{
	return maui_store_read_text(text, length, ret, err) ? -1 : 0;
}

int maui_store_read(const char *path, struct maui_store *ret, struct maui_err *err)
{
	struct maui_err unseen = { .text = "" };
	size_t length;
	char *text;
	int rc;

	err = err ? err : &unseen;
	if (maui_file_read(path, MAUI_STATE_MAX_BYTES, &text, &length, err))
		return -1;
	rc = maui_store_read_text(text, length, ret, err);
	free(text);
	errno = rc == MAUI_STORE_NEWER ? ENOTSUP : rc && err->no_memory ? ENOMEM : EINVAL;
	return rc ? -1 : 0;
}

enum { NO_MEMORY = -3 }; /* to read the file, which may be sound */

/* 1: the file was read; 0: no such file; -1: the file is unusable, and was set aside as *ret_aside,
 * or blocks its place: `ret->blocked`; MAUI_STORE_NEWER; NO_MEMORY. */
static int load_file(const char *path, struct maui_store *ret, struct maui_diags *diags,
		     char **ret_aside)
{
	struct maui_err err, not_moved;
	struct maui_diag_place place;

	*ret_aside = NULL;
	if (maui_store_read(path, ret, &err) == 0)
		return 1;
	if (errno == ENOENT)
		return 0;
	if (errno == ENOMEM)
		return NO_MEMORY;
	if (errno == ENOTSUP) {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0,
			       "%s: left alone, nothing is read nor saved there; install that "
			       "slurm-maui, or move the file away and restart slurmctld",
			       err.text);
		ret->blocked = true;
		return MAUI_STORE_NEWER;
	}
	if (maui_file_set_aside(path, ret_aside, &not_moved) == 0) {
		place = maui_set_aside_place(path, *ret_aside);
		maui_diags_add_at(diags, MAUI_ERROR, &place, "%s: set aside as %s", err.text,
				  *ret_aside);
	} else {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0,
			       "%s: %s; it stays, nothing is saved there", err.text,
			       not_moved.text);
		ret->blocked = true;
	}
	return -1;
}

int maui_store_load(const char *path, struct maui_store *ret, struct maui_diags *diags)
{
	char *old, *aside, *old_aside;
	struct maui_store kept = { 0 };
	struct maui_diag_place place;
	int rc, first;

	*ret = (struct maui_store){ 0 };
	first = load_file(path, ret, diags, &aside);
	if (first > 0 || first == MAUI_STORE_NEWER) /* the file before a newer one is out of date */
		return 0;
	if (first == NO_MEMORY || asprintf(&old, "%s.old", path) < 0) {
		free(aside);
		return -1;
	}
	rc = load_file(old, &kept, diags, &old_aside);
	place = maui_set_aside_place(rc > 0 ? old : path, aside ? aside : old_aside);
	if (rc > 0)
		maui_diags_add_at(diags, MAUI_WARNING, &place,
				  "taken in place of %s: other changes since it was saved are lost",
				  path);
	else if (rc != NO_MEMORY && (first < 0 || rc < 0))
		maui_diags_add_at(
			diags, MAUI_WARNING, &place,
			"reservations of setres, releases, queue times and statistics are "
			"lost");
	kept.blocked |= ret->blocked;
	*ret = kept;
	free(aside);
	free(old_aside);
	free(old);
	return rc == NO_MEMORY ? -1 : 0;
}

/* -1 without memory. */
static int pack_instances(const struct maui_store *store, struct maui_arena *arena,
			  struct maui_packed_state *ret)
{
	ret->instances =
		maui_arena_alloc(arena, (store->instance_count + 1) * sizeof(*ret->instances));
	if (!ret->instances)
		return -1;
	for (; ret->instance_count < store->instance_count; ret->instance_count++) {
		const struct maui_store_instance *from = &store->instances[ret->instance_count];
		struct maui_packed_instance *one = &ret->instances[ret->instance_count];

		*one = (struct maui_packed_instance){ .period = from->period,
						      .start_s = from->start_s,
						      .end_s = from->end_s,
						      .made = from->made };
		if (maui_store_pack_nodes(from, arena, one))
			return -1;
	}
	return 0;
}

static int pack_rsvs(const struct maui_store *store, struct maui_arena *arena,
		     struct maui_packed_state *ret)
{
	ret->rsvs = maui_arena_alloc(arena, (store->rsv_count + 1) * sizeof(*ret->rsvs));
	if (!ret->rsvs)
		return -1;
	for (; ret->rsv_count < store->rsv_count; ret->rsv_count++)
		maui_store_pack_rsv(&store->rsvs[ret->rsv_count], &ret->rsvs[ret->rsv_count]);
	return 0;
}

static void pack_lists(const struct maui_store *store, struct maui_packed_state *ret)
{
	*ret = (struct maui_packed_state){
		.schema = MAUI_STORE_SCHEMA,
		.saved_s = store->saved_s,
		.chunk_until_s = store->chunk_until_s,
		.job_rsvs = store->job_rsvs,
		.job_rsv_count = store->job_rsv_count,
		.jobs = store->jobs,
		.job_count = store->count,
		.mirrors = store->mirrors,
		.mirror_count = store->mirror_count,
		.released = store->released,
		.released_count = store->released_count,
		.records = store->records,
		.record_count = store->record_count,
		.pending = store->pending,
		.pending_count = store->pending_count,
		.triggers = store->triggers,
		.trigger_count = store->trigger_count,
		.spans = (struct maui_utilisation_span *)store->utilisation.spans,
		.span_count = store->utilisation.count,
	};
}

void maui_store_format(const struct maui_store *store, struct maui_strbuf *out)
{
	const struct maui_record_writer w = { .out = out, .spaced = true, .short_escapes = true };
	struct maui_packed_statistics statistics;
	struct maui_packed_trial trial;
	struct maui_packed_state state;
	struct maui_arena arena = { 0 };

	pack_lists(store, &state);
	maui_store_pack_trial(&store->trial, &trial);
	out->failed |= pack_rsvs(store, &arena, &state) || pack_instances(store, &arena, &state) ||
		       maui_store_pack_statistics(&store->statistics, &arena, &statistics);
	state.statistics = store->statistics.since_s > 0 ? &statistics : NULL;
	state.trial = store->trial.began_s > 0 ? &trial : NULL;
	if (!out->failed) {
		maui_strbuf_add(out, "{", 1);
		maui_record_write_members(&w, &maui_packed_state_type, &state);
		maui_strbuf_add(out, "}\n", 2);
	}
	maui_arena_finish(&arena);
}

int maui_store_save(const char *path, const struct maui_store *store, struct maui_err *err)
{
	struct maui_strbuf out = { 0 };
	int rc;

	maui_store_format(store, &out);
	if (out.failed)
		rc = maui_err_no_memory_for(err, path);
	else
		rc = maui_file_write(path, out.text, out.length, 1, err);
	maui_strbuf_finish(&out);
	return rc;
}
