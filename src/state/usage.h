/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.h - what each credential used, window by window
 *
 * Plain storage: policy/fairshare.h gives it meaning, state/fsfile.h keeps it on disk.
 * Thread safety: none; callers serialise.
 *
 * Rules: FS-12.
 */
#ifndef MAUI_STATE_USAGE_H
#define MAUI_STATE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hashtable.h"
#include "model/cred.h"

struct maui_usage_entry {
	double value; /* proc-seconds (PE-seconds under DEDICATEDPES) */
	enum maui_cred_kind kind;
	char name[];
};

struct maui_usage_window {
	int64_t start_s;    /* epoch */
	int64_t interval_s; /* its length */
	double total;       /* delivered to all */
	bool dirty;         /* changed since it was last written */
	bool blocked;       /* its file can be neither read nor moved: must not be written over */
	struct maui_hashtable entries; /* struct maui_usage_entry, by kind and name */
};

struct maui_usage {
	struct maui_usage_window *windows; /* newest start first */
	size_t count, alloc;
};

void maui_usage_finish(struct maui_usage *usage); /* a zeroed struct is empty */
void maui_usage_window_finish(struct maui_usage_window *window);

/* The window that begins at start_s, made empty when missing; NULL without memory. There is one for
 * each start, as there is one file: after a change of FSINTERVAL it goes on with the longer of both
 * lengths. The pointer holds until the next window is made or removed. */
struct maui_usage_window *maui_usage_window(struct maui_usage *usage, int64_t start_s,
					    int64_t interval_s);
void maui_usage_remove(struct maui_usage *usage, size_t index);

/* Adds to one credential; `name` is copied on first sight. -1 only without memory. Does not touch
 * the total. */
int maui_usage_add(struct maui_usage_window *window, enum maui_cred_kind kind, const char *name,
		   double value);
/* The same for what jobs bring: without slurmdbd anybody can invent account names, so of more than
 * MAUI_FS_MAX_NAMES in one window the later ones share this one. */
#define MAUI_USAGE_OTHERS "[others]"
int maui_usage_charge(struct maui_usage_window *window, enum maui_cred_kind kind, const char *name,
		      double value);
/* 0 for an unknown credential. */
double maui_usage_get(const struct maui_usage_window *window, enum maui_cred_kind kind,
		      const char *name);

#endif
