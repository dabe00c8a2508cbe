/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_view.h - the fairshare windows as a value: copied once, shared by reference
 *
 * In: the windows, which the agent charges. Out: a copy that never changes, so that any thread
 * reads it without a lock, and a saved plan keeps it. A window that did not change since the last
 * copy is shared with that copy: usually only the current window is copied.
 *
 * Rules: CMD-26.
 */
#ifndef MAUI_STATE_USAGE_VIEW_H
#define MAUI_STATE_USAGE_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "state/usage.h"

struct maui_usage_view_entry {
	const char *name;
	double value; /* proc-seconds (PE-seconds under DEDICATEDPES) */
	enum maui_cred_kind kind;
};

struct maui_usage_view_window {
	int64_t start_s, interval_s;
	double total;                                /* of all jobs */
	const struct maui_usage_view_entry *entries; /* in no order */
	size_t count;
	uint64_t version; /* of the window that was copied */
	struct maui_arena arena;
	unsigned refs; /* atomic */
};

struct maui_usage_view {
	struct maui_usage_view_window **windows; /* newest start first */
	size_t count;
	unsigned refs; /* atomic */
};

/* A view of the windows. `last`: an earlier view of the same windows, whose copies are shared as
 * far as they are right still; NULL: none. When nothing changed it is `last` itself, with one more
 * reference. NULL without memory. */
struct maui_usage_view *maui_usage_view_create(const struct maui_usage *usage,
					       struct maui_usage_view *last);
struct maui_usage_view *maui_usage_view_ref(struct maui_usage_view *view); /* NULL is fine */
void maui_usage_view_unref(struct maui_usage_view *view);                  /* NULL is fine */

/* Windows of its own with the same usage, to be charged further. `ret` is empty before. -1 without
 * memory. */
int maui_usage_restore(const struct maui_usage_view *view, struct maui_usage *ret);

#endif
