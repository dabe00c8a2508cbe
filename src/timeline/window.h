/* SPDX-License-Identifier: GPL-2.0-or-later */
/* window.h - stretches of idle processors (Maui manual 8.2)
 *
 * Of each node so many processors are free for at least d: the least of its line over [now, now+d).
 * Windows are the steps of the sum over nodes as d grows: the widest and shortest first. They
 * overlap.
 *
 * Rules: BF-4.
 */
#ifndef MAUI_TIMELINE_WINDOW_H
#define MAUI_TIMELINE_WINDOW_H

#include <stdint.h>

#include "model/decision.h"
#include "timeline/timeline.h"

/* The windows of the given nodes for jobs that claims treat alike (NULL: without any access); an
 * array of the arena's. A TIMELIMIT bounds a window, too. -1 without memory. */
int maui_windows_find(const struct maui_timeline *t, const uint32_t *nodes, uint32_t count,
		      const struct maui_requester *requester, struct maui_arena *arena,
		      struct maui_window **ret_windows, uint32_t *ret_count);

#endif
