/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - the state file on disk */

#include "state/store/private.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"

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
	size_t length;
	char *text;
	int rc;

	if (maui_file_read(path, MAUI_STATE_MAX_BYTES, &text, &length, err))
		return -1;
	rc = maui_store_read_text(text, length, ret, err);
	free(text);
	errno = rc == MAUI_STORE_NEWER ? ENOTSUP : EINVAL;
	return rc ? -1 : 0;
}

/* 1: the file was read; 0: no such file; -1: the file is unusable, and was set aside or blocks
 * its place: `ret->blocked`; MAUI_STORE_NEWER. */
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
		return MAUI_STORE_NEWER;
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
	if (rc > 0 || rc == MAUI_STORE_NEWER) /* the file before a newer one is out of date */
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
