/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_errors.h - how far the starts of jobs came from what was expected
 *
 * In: an estimate of each job that starts, and when it started. Out: how many jobs started how much
 * earlier or later, by partition and by how far ahead the estimate was, and quantiles of that.
 * Errors are counted in steps that grow by a fifth, so a quantile is right to a tenth of itself,
 * and of errors below half a minute it is only known that they are.
 *
 * Thread safety: none.
 *
 * Rules: CMD-67.
 */
#ifndef MAUI_STATE_ESTIMATE_ERRORS_H
#define MAUI_STATE_ESTIMATE_ERRORS_H

#include <stdint.h>

#include "model/estimate.h"

/* The first estimate that a job got, and the last one before it started. */
enum maui_estimate_kind { MAUI_ESTIMATE_FIRST, MAUI_ESTIMATE_LAST, MAUI_ESTIMATE_KINDS };
extern const char *const maui_estimate_kind_names[MAUI_ESTIMATE_KINDS + 1]; /* NULL at the end */

/* Estimates up to ten minutes ahead, an hour, four hours, a day, a week; the last has all others.
 */
enum { MAUI_AHEAD_STEPS = 6 };
int64_t maui_ahead_limit(int step); /* seconds; MAUI_NEVER: of the last */
int maui_ahead_step(int64_t ahead_s);

/* Steps of an error: early ones first, in the middle those of less than half a minute. */
enum { MAUI_ERROR_STEPS = 133 };

struct maui_error_counts {
	uint32_t jobs[MAUI_ERROR_STEPS];
};

struct maui_estimate_errors {
	const char *partition;
	struct maui_error_counts counts[MAUI_ESTIMATE_KINDS][MAUI_AHEAD_STEPS];
};

/* What was expected of a job that waits: 0 where there was no estimate. */
struct maui_expected {
	struct maui_estimate of[MAUI_ESTIMATE_KINDS];
};
void maui_expected_add(struct maui_expected *expected, const struct maui_estimate *estimate);

/* A job started: `estimate` says when that was expected, and when it was estimated. */
void maui_estimate_errors_add(struct maui_estimate_errors *errors, enum maui_estimate_kind kind,
			      const struct maui_estimate *estimate, int64_t start_s);
void maui_error_counts_add(struct maui_error_counts *sum, const struct maui_error_counts *more);
uint64_t maui_error_counts_jobs(const struct maui_error_counts *counts);
/* Of this part of the jobs (0 to 1) the error, in seconds, is at most so much; later than expected
 * is positive. NAN: no job. */
double maui_error_counts_quantile(const struct maui_error_counts *counts, double part);
/* This part of the jobs started within so many seconds of the estimate, earlier or later. NAN: no
 * job. */
double maui_error_counts_within(const struct maui_error_counts *counts, double part);

#endif
