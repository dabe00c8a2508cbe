/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_usage.c - usage of associations: decay, resets, and the time of one job
 *
 * Rules: FS-13, THR-18.
 */
#include "policy/slurm_usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rows.h"

static const int64_t never = INT64_MAX;

struct span_row {
	const char *name;
	struct maui_slurm_usage_job job;
	int64_t last, now;
	double ran;
	uint64_t back;
};

static const struct span_row spans[] = {
	{ "runs since before", { 100, 0, 700, 700, 200, false }, 200, 300, 100, 100 },
	{ "has begun since", { 250, 0, 850, 850, 200, false }, 200, 300, 50, 50 },
	{ "first count of all", { 250, 0, 850, 850, 0, false }, 0, 300, 50, 50 },
	{ "begins later", { 400, 0, 900, 900, 200, false }, 200, 300, 0, 0 },
	{ "ended before its limit", { 100, 260, 700, 700, 200, true }, 200, 300, 60, 500 },
	{ "ended before the last count", { 100, 190, 700, 700, 200, true }, 200, 300, 0, 500 },
	{ "ended, none came back yet", { 100, 260, 700, 700, 0, true }, 200, 300, 60, 600 },
	{ "ended behind its limit", { 100, 260, 180, 400, 200, true }, 200, 300, 60, 0 },
	{ "over its limit", { 100, 0, 150, 700, 200, false }, 200, 300, 100, 0 },
	{ "reaches its limit", { 100, 0, 250, 250, 200, false }, 200, 300, 100, 50 },
	{ "no limit", { 100, 0, INT64_MAX, INT64_MAX, 200, false }, 200, 300, 100, 100 },
	{ "the clock went back", { 100, 0, 700, 700, 300, false }, 300, 200, 0, 0 },
};

TEST_ROWS(slurm_usage, span, spans, row)
{
	struct maui_slurm_usage_span got = maui_slurm_usage_span(&row->job, row->last, row->now, 1);

	cr_expect(got.ran_s == row->ran && got.decayed_s == row->ran, "%s: %g", row->name,
		  got.ran_s);
	cr_expect(got.back_s == row->back, "%s: %llu", row->name, (unsigned long long)got.back_s);
}

Test(slurm_usage, half_of_it_is_gone_after_a_half_life)
{
	const struct maui_slurm_usage_job job = { 0, 0, never, never, 0, false };
	double decay = maui_slurm_usage_decay(1000);
	struct maui_slurm_usage_span got = maui_slurm_usage_span(&job, 0, 1000, decay);

	cr_expect(got.ran_s == 1000 && got.decayed_s > 499 && got.decayed_s < 501, "%g",
		  got.decayed_s);
	cr_expect(maui_slurm_usage_decay(0) == 1);
}

struct reset_row {
	const char *name;
	enum maui_reset_period period;
	const char *last, *now, *next;
};

static const struct reset_row resets[] = {
	{ "never", MAUI_RESET_NONE, "2026-11-27 10:00", "2026-11-27 11:00", NULL },
	{ "tomorrow", MAUI_RESET_DAILY, "2026-11-27 10:00", "2026-11-27 11:00",
	  "2026-11-28 00:00" },
	{ "days ago", MAUI_RESET_DAILY, "2026-11-20 10:00", "2026-11-27 11:00",
	  "2026-11-27 00:00" },
	{ "Sunday", MAUI_RESET_WEEKLY, "2026-11-27 10:00", "2026-11-27 11:00", "2026-11-29 00:00" },
	{ "weeks ago", MAUI_RESET_WEEKLY, "2026-11-01 10:00", "2026-11-27 11:00",
	  "2026-11-22 00:00" },
	{ "month", MAUI_RESET_MONTHLY, "2026-11-27 10:00", "2026-11-27 11:00", "2026-12-01 00:00" },
	{ "year's end", MAUI_RESET_MONTHLY, "2026-12-27 10:00", "2026-12-27 11:00",
	  "2027-01-01 00:00" },
	{ "quarter", MAUI_RESET_QUARTERLY, "2026-07-31 10:00", "2026-08-01 11:00",
	  "2026-10-01 00:00" },
	{ "fourth quarter", MAUI_RESET_QUARTERLY, "2026-11-27 10:00", "2026-11-27 11:00",
	  "2027-01-01 00:00" },
	{ "year", MAUI_RESET_YEARLY, "2026-02-28 10:00", "2026-11-27 11:00", "2027-01-01 00:00" },
	{ "into winter time", MAUI_RESET_DAILY, "2026-10-24 10:00", "2026-10-24 11:00",
	  "2026-10-25 00:00" },
	{ "behind it, by days of 24 hours as slurmctld counts", MAUI_RESET_DAILY,
	  "2026-10-25 10:00", "2026-10-25 11:00", "2026-10-25 23:00" },
	{ "a month with a change to winter time", MAUI_RESET_MONTHLY, "2026-10-02 10:00",
	  "2026-10-02 11:00", "2026-11-01 00:00" },
};

static int64_t when(const char *text)
{
	struct tm day = { .tm_isdst = -1 };

	cr_assert(sscanf(text, "%d-%d-%d %d:%d", &day.tm_year, &day.tm_mon, &day.tm_mday,
			 &day.tm_hour, &day.tm_min) == 5);
	day.tm_year -= 1900;
	day.tm_mon--;
	return mktime(&day);
}

TEST_ROWS(slurm_usage, next_reset, resets, row)
{
	int64_t got;

	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	got = maui_slurm_usage_next_reset(row->period, when(row->last), when(row->now));
	cr_expect(got == (row->next ? when(row->next) : 0), "%s: %lld", row->name, (long long)got);
}
