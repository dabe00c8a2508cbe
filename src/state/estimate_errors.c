/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_errors.c - counts errors of estimates in steps, and finds quantiles in the counts */

#include "state/estimate_errors.h"

#include <math.h>

#include "model/when.h"

/* A step in the middle, and as many on either side: the last begin at 30 days. */
enum { MIDDLE = MAUI_ERROR_STEPS / 2, LEAST_S = 30, STEPS_A_DOUBLING = 4 };

const char *const maui_estimate_kind_names[MAUI_ESTIMATE_KINDS + 1] = {
	[MAUI_ESTIMATE_FIRST] = "first",
	[MAUI_ESTIMATE_LAST] = "last",
};

int64_t maui_ahead_limit(int step)
{
	static const int64_t limits_s[MAUI_AHEAD_STEPS] = { 600,   3600,   14400,
							    86400, 604800, MAUI_NEVER };

	return limits_s[step];
}

int maui_ahead_step(int64_t ahead_s)
{
	int step = 0;

	while (ahead_s > maui_ahead_limit(step))
		step++;
	return step;
}

/* How many steps from the middle an error of this size is. */
static int distance_of(double size_s)
{
	double steps;

	if (size_s < LEAST_S)
		return 0;
	steps = 1 + floor(STEPS_A_DOUBLING * log2(size_s / LEAST_S));
	return steps < MIDDLE ? (int)steps : MIDDLE;
}

/* Where the errors of a step at this distance begin, seconds; those of the next one end them. */
static double begin_of(int distance)
{
	return distance <= 0 ? 0 : LEAST_S * exp2((distance - 1) / (double)STEPS_A_DOUBLING);
}

void maui_expected_add(struct maui_expected *expected, const struct maui_estimate *estimate)
{
	if (expected->of[MAUI_ESTIMATE_FIRST].start_s == 0)
		expected->of[MAUI_ESTIMATE_FIRST] = *estimate;
	expected->of[MAUI_ESTIMATE_LAST] = *estimate;
}

void maui_estimate_errors_add(struct maui_estimate_errors *errors, enum maui_estimate_kind kind,
			      const struct maui_estimate *estimate, int64_t start_s)
{
	double error_s = (double)start_s - (double)estimate->start_s;
	int ahead = maui_ahead_step(estimate->start_s - estimate->at_s);
	int distance = distance_of(fabs(error_s));

	errors->counts[kind][ahead].jobs[error_s < 0 ? MIDDLE - distance : MIDDLE + distance]++;
}

void maui_error_counts_add(struct maui_error_counts *sum, const struct maui_error_counts *more)
{
	for (int i = 0; i < MAUI_ERROR_STEPS; i++)
		sum->jobs[i] += more->jobs[i];
}

uint64_t maui_error_counts_jobs(const struct maui_error_counts *counts)
{
	uint64_t jobs = 0;

	for (int i = 0; i < MAUI_ERROR_STEPS; i++)
		jobs += counts->jobs[i];
	return jobs;
}

/* From the most negative error of the step to the largest. */
static double low_end(int step)
{
	return step < MIDDLE  ? -begin_of(MIDDLE - step + 1) :
	       step == MIDDLE ? -begin_of(1) :
				begin_of(step - MIDDLE);
}

static double high_end(int step)
{
	return step < MIDDLE ? -begin_of(MIDDLE - step) : begin_of(step - MIDDLE + 1);
}

double maui_error_counts_quantile(const struct maui_error_counts *counts, double part)
{
	double wanted = part * (double)maui_error_counts_jobs(counts), before = 0;

	for (int i = 0; i < MAUI_ERROR_STEPS; i++) {
		double jobs = counts->jobs[i];

		/* equal errors are in one step, and no spread is made up for them */
		if (jobs > 0 && before + jobs >= wanted)
			return (low_end(i) + high_end(i)) / 2;
		before += jobs;
	}
	return NAN;
}

double maui_error_counts_within(const struct maui_error_counts *counts, double part)
{
	struct maui_error_counts later = { 0 };
	double within_s;

	later.jobs[MIDDLE] = counts->jobs[MIDDLE];
	for (int i = 1; i <= MIDDLE; i++)
		later.jobs[MIDDLE + i] = counts->jobs[MIDDLE - i] + counts->jobs[MIDDLE + i];
	within_s = maui_error_counts_quantile(&later, part);
	return within_s < LEAST_S ? LEAST_S : within_s;
}
