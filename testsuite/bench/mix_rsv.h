/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_rsv.h - reservations on the cluster of mix.h, for benchmarks of plans */
#ifndef MAUI_TESTSUITE_BENCH_MIX_RSV_H
#define MAUI_TESTSUITE_BENCH_MIX_RSV_H

#include <stdbool.h>

#include "mix.h"
#include "reservation/placement/placement.h"

enum { BENCH_RSV_NAMES = 14 }; /* reservations, or instances, that a job may name */

enum bench_rsv_kind {
	/* of 20 nodes each (every fifth of processors of them), from 9 to 17 on 7 days ahead, each
	 * for one user (every third with a TIMELIMIT of an hour for all) */
	BENCH_DAILY,
	BENCH_ENDLESS, /* the same, from now on without end */
	BENCH_WIDE,    /* half of the nodes each, from any node on, without end */
	BENCH_MIRRORS, /* the same, made with scontrol */
	BENCH_NAMED,   /* together they have all nodes; every job names some */
	/* the same for every second job; the last reservation has all nodes and admits no job */
	BENCH_UPON,
};

struct bench_rsvs {
	struct maui_standing_input input; /* of a plan */
	struct maui_rsv *rsvs;
	const struct maui_rsv **list;
	struct maui_arena arena;
};

/* For all kinds but BENCH_MIRRORS. */
void bench_rsvs_make(struct bench_rsvs *ret, struct maui_snapshot *s, uint32_t count,
		     enum bench_rsv_kind kind);
void bench_rsvs_finish(struct bench_rsvs *rsvs);

/* Adds so many BENCH_MIRRORS. */
void bench_rsvs_mirror(struct maui_snapshot *s, uint32_t count);

/* Every step-th idle job names a subset of the reservations, or of the instances of the only
 * reservation: of those that a plan has placed. `own`: another subset for each job; else all. */
void bench_rsvs_name(struct bench_rsvs *rsvs, struct maui_snapshot *s,
		     const struct maui_decisions *d, uint32_t step, bool own);

#endif
