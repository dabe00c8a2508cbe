/* SPDX-License-Identifier: GPL-2.0-or-later */
/* window.h - backfill windows: idle processors and how long they stay idle (Maui manual 8.2)
 *
 * A node has so many processors free for at least d: the least of its line over [now, now + d).
 * Summed over the nodes this falls in steps as d grows. Each step is a window; the widest and
 * shortest comes first. Windows overlap.
 *
 * Rules: BF-4.
 */
#ifndef MAUI_TIMELINE_WINDOW_H
#define MAUI_TIMELINE_WINDOW_H

#include <stdint.h>

#include "model/decision.h"
#include "timeline/timeline.h"

/* So many processors and nodes stop being free at a moment. */
struct maui_profile_end {
	int64_t at, procs;
	uint32_t nodes;
};

/* Availability profile: what is free now, and when that ends. All zeros in the beginning. */
struct maui_profile {
	int64_t procs; /* free now */
	uint32_t nodes;
	struct maui_profile_end *ends;
	size_t count, alloc;
};

/* At this moment so many processors and nodes stop being free. -1 without memory. */
int maui_profile_lower(struct maui_profile *profile, int64_t at, int64_t procs, uint32_t nodes);
/* One window for each distinct moment that is at least `least_s` away, and the one without end.
 * The array is the arena's; NULL without memory. */
struct maui_window *maui_profile_windows(struct maui_profile *profile, int64_t now_s,
					 int64_t least_s, struct maui_arena *arena,
					 uint32_t *ret_count);
void maui_profile_finish(struct maui_profile *profile);

/* Finds the windows of these nodes for a requester (NULL: without access). The array is the
 * arena's. A TIMELIMIT bounds a window, too. -1 without memory. */
int maui_windows_find(const struct maui_timeline *t, const uint32_t *nodes, uint32_t count,
		      const struct maui_requester *requester, struct maui_arena *arena,
		      struct maui_window **ret_windows, uint32_t *ret_count);

#endif
