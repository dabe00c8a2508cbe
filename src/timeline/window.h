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

/* Finds the windows of these nodes for a requester (NULL: without access). The array is the
 * arena's. A TIMELIMIT bounds a window, too. -1 without memory. */
int maui_windows_find(const struct maui_timeline *t, const uint32_t *nodes, uint32_t count,
		      const struct maui_requester *requester, struct maui_arena *arena,
		      struct maui_window **ret_windows, uint32_t *ret_count);

#endif
