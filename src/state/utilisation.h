/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utilisation.h - how busy the machine was over the last day, in ten-minute spans
 *
 * In: the state of the machine at each cycle. Out: the mean of each span. A state holds until the
 * next one, but no longer than a span: while slurmctld is down nothing is known. Plain data,
 * copied as a whole.
 *
 * Rules: CMD-29.
 */
#ifndef MAUI_STATE_UTILISATION_H
#define MAUI_STATE_UTILISATION_H

#include <stdint.h>

enum { MAUI_UTILISATION_SPAN_S = 600, MAUI_UTILISATION_SPANS = 144 };

enum maui_load {
	MAUI_LOAD_PROCS,    /* of all nodes */
	MAUI_LOAD_DOWN,     /* of nodes that are down or drained */
	MAUI_LOAD_USED,     /* by jobs */
	MAUI_LOAD_RESERVED, /* idle, and kept by a reservation that has begun */
	MAUI_LOAD_IDLE,     /* the rest */
	MAUI_LOAD_RUNNING,  /* jobs */
	MAUI_LOAD_WAITING,  /* jobs, held and dependent ones included */
	MAUI_LOAD_COUNT
};

struct maui_utilisation_span {
	int64_t start_s;             /* a multiple of MAUI_UTILISATION_SPAN_S */
	double known_s;              /* seconds of it that are known */
	double sum[MAUI_LOAD_COUNT]; /* over these seconds: divide by known_s */
};

struct maui_utilisation {
	struct maui_utilisation_span spans[MAUI_UTILISATION_SPANS]; /* oldest first */
	uint32_t count;
	int64_t last_s; /* of the state below; 0: none */
	double last[MAUI_LOAD_COUNT];
};

/* The state at now_s. The state before it counts until then; after a clock was set back, counting
 * restarts from there. Returns for how many seconds the state before it counted. */
int64_t maui_utilisation_note(struct maui_utilisation *utilisation, int64_t now_s,
			      const double *load);
/* Adds a span that was saved; the spans must come in order. 0: it is not a span, or not later. */
int maui_utilisation_restore(struct maui_utilisation *utilisation,
			     const struct maui_utilisation_span *span);

#endif
