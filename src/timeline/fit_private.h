/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit_private.h - for fit.c and fit_sweep.c only */
#ifndef MAUI_TIMELINE_FIT_PRIVATE_H
#define MAUI_TIMELINE_FIT_PRIVATE_H

#include "timeline/fit.h"

/* Whether a reservation that comes back keeps the job from the node during this span, and ever
 * after (RSV-39). */
bool maui_fit_is_shut(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		      struct maui_span span);

/* maui_fit_earliest() for shapes that are not fixed: nodes take different numbers of tasks. */
int64_t maui_fit_sweep(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
		       int64_t length, maui_fit_place_fn place, void *data);

#endif
