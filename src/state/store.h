/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.h - what must survive a restart besides fairshare windows: one JSON file
 *
 *   {"schema": "maui.state.v1", "saved": 1763746622, "jobs": [
 *     {"id": 17, "submit": 1763740000, "stamp": 1763740000, "qos": "high",
 *      "start": 1763741000, "charged": 5622}, ...]}
 *
 * Fields unknown to this release are skipped; absent ones are 0 or none.
 */
#ifndef MAUI_STATE_STORE_H
#define MAUI_STATE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/strbuf.h"

/* Of one job. A job is the same when id and submit time are: ids wrap around. */
struct maui_store_job {
	uint32_t job_id;
	int64_t submit_s;
	int64_t stamp_s;   /* accrual.h */
	int64_t start_s;   /* of the run that `charged_s` counts; 0 = none */
	int64_t charged_s; /* seconds of that run already in the fairshare windows */
	char *qos;         /* QOS text kept without slurmdbd; NULL: none */
};

struct maui_store {
	int64_t saved_s; /* 0: there was no file, this is the first start */
	bool blocked;    /* the file can be neither read nor moved: must not be written over */
	struct maui_store_job *jobs;
	size_t count, alloc;
};

void maui_store_finish(struct maui_store *store);

/* Adds a job; qos is copied. -1 without memory. */
int maui_store_add(struct maui_store *store, const struct maui_store_job *job);

/* Text to store and back. -1 with err: `ret` is left empty. */
int maui_store_parse(const char *text, size_t length, struct maui_store *ret,
		     struct maui_err *err);
void maui_store_format(const struct maui_store *store, struct maui_strbuf *out);

/* Reads `path`; one that cannot be read is set aside, with an error among the diagnostics, and
 * `path`.old takes its place. Neither there: an empty store with saved_s 0. -1 without memory. */
int maui_store_load(const char *path, struct maui_store *ret, struct maui_diags *diags);
/* Atomic; the file before is kept as `path`.old. */
int maui_store_save(const char *path, const struct maui_store *store, struct maui_err *err);

#endif
