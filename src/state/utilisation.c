/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utilisation.c - means of ten minutes */

#include "state/utilisation.h"

#include <math.h>
#include <string.h>

/* The span that begins then; the oldest one goes for a new one. */
static struct maui_utilisation_span *span_at(struct maui_utilisation *u, int64_t start_s)
{
	while (u->count > 0 && u->spans[u->count - 1].start_s > start_s)
		u->count--; /* the clock was set back */
	if (u->count > 0 && u->spans[u->count - 1].start_s == start_s)
		return &u->spans[u->count - 1];
	if (u->count == MAUI_UTILISATION_SPANS) {
		memmove(u->spans, u->spans + 1, (u->count - 1) * sizeof(*u->spans));
		u->count--;
	}
	u->spans[u->count] = (struct maui_utilisation_span){ .start_s = start_s };
	return &u->spans[u->count++];
}

/* Spans older than a day go, also after a long pause. */
static void drop_old(struct maui_utilisation *u, int64_t now_s)
{
	const int64_t day_s = (int64_t)MAUI_UTILISATION_SPAN_S * MAUI_UTILISATION_SPANS;
	uint32_t old = 0;

	while (old < u->count && u->spans[old].start_s + MAUI_UTILISATION_SPAN_S <= now_s - day_s)
		old++;
	u->count -= old;
	memmove(u->spans, u->spans + old, u->count * sizeof(*u->spans));
}

/* Adds the last load for the time from then on until now, to each span that has a part of it. */
static void add_time(struct maui_utilisation *u, int64_t from_s, int64_t now_s)
{
	while (from_s < now_s) {
		int64_t start_s = from_s - from_s % MAUI_UTILISATION_SPAN_S;
		int64_t end_s = start_s + MAUI_UTILISATION_SPAN_S;
		struct maui_utilisation_span *span = span_at(u, start_s);

		end_s = end_s < now_s ? end_s : now_s;
		span->known_s += (double)(end_s - from_s);
		for (int i = 0; i < MAUI_LOAD_COUNT; i++)
			span->sum[i] += u->last[i] * (double)(end_s - from_s);
		from_s = end_s;
	}
}

int64_t maui_utilisation_note(struct maui_utilisation *u, int64_t now_s, const double *load)
{
	int64_t counted_s = u->last_s > 0 ? now_s - u->last_s : 0;

	/* nothing is known of a longer pause, or when the clock was set back */
	if (counted_s < 0 || counted_s > MAUI_UTILISATION_SPAN_S)
		counted_s = 0;
	add_time(u, now_s - counted_s, now_s);
	u->last_s = now_s;
	memcpy(u->last, load, sizeof(u->last));
	drop_old(u, now_s);
	return counted_s;
}

int maui_utilisation_restore(struct maui_utilisation *u, const struct maui_utilisation_span *span)
{
	if (span->start_s <= 0 || span->start_s % MAUI_UTILISATION_SPAN_S != 0 ||
	    !(span->known_s > 0) || span->known_s > MAUI_UTILISATION_SPAN_S ||
	    u->count == MAUI_UTILISATION_SPANS ||
	    (u->count > 0 && u->spans[u->count - 1].start_s >= span->start_s))
		return 0;
	for (int i = 0; i < MAUI_LOAD_COUNT; i++)
		if (!isfinite(span->sum[i]) || span->sum[i] < 0)
			return 0;
	u->spans[u->count++] = *span;
	return 1;
}
