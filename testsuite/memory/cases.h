/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cases.h - what is done without memory: each case is one thing that slurm-maui does
 *
 * A case has the same input each time. Its steps are: prepare (once), then for each trial do (some
 * call of which finds no memory), show, drop.
 */
#ifndef MAUI_TESTSUITE_MEMORY_CASES_H
#define MAUI_TESTSUITE_MEMORY_CASES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

struct memory_case {
	const char *name;
	/* Makes the input; `variant` is one of `variants`. */
	void (*prepare)(unsigned variant);
	unsigned variants;
	/* 0, or -1 with err. Memory fails in here only. */
	int (*act)(struct maui_err *err);
	/* What came of it, after 0. */
	void (*show)(struct maui_strbuf *out);
	/* Frees what `act` made, whether it failed or not. */
	void (*drop)(void);
	/* Frees the input. */
	void (*end)(void);
};

extern const struct memory_case memory_answer_cases[], memory_config_cases[], memory_late_cases[],
	memory_plan_cases[], memory_snapshot_cases[], memory_state_cases[];

/* Of this run: cases that draw their input draw it by this. */
extern uint64_t memory_seed;

/* Ends the program: the case itself is wrong. */
void memory_broken(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
