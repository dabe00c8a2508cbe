/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_usage.c - decay, resets, and the time that a job has used
 *
 * Rules: FS-13, THR-18.
 */

#include "policy/slurm_usage.h"

#include <math.h>
#include <time.h>

enum { DAY_S = 86400, DAYS_OF_WEEK = 7, MONTHS = 12, QUARTER = 3 };

/* slurmctld's own constant for ln 2: sshare must show the same digits. */
static const double slurms_ln_2 = 0.693;

double maui_slurm_usage_decay(uint32_t half_life_s)
{
	return half_life_s > 0 ? 1 - slurms_ln_2 / half_life_s : 1;
}

static int64_t midnight(struct tm *day)
{
	day->tm_sec = day->tm_min = day->tm_hour = 0;
	day->tm_isdst = -1;
	return mktime(day);
}

/* The last of the moments `step_s` apart that is not yet a whole step ago. */
static int64_t catch_up(int64_t next_s, int64_t step_s, int64_t now_s)
{
	return now_s - next_s > step_s ? next_s + (now_s - next_s - 1) / step_s * step_s : next_s;
}

int64_t maui_slurm_usage_next_reset(enum maui_reset_period period, int64_t last_s, int64_t now_s)
{
	time_t last = last_s;
	struct tm day;

	if (period == MAUI_RESET_NONE || !localtime_r(&last, &day))
		return 0;
	if (period == MAUI_RESET_DAILY)
		return catch_up(midnight(&day) + DAY_S, DAY_S, now_s);
	if (period == MAUI_RESET_WEEKLY)
		return catch_up(midnight(&day) + (int64_t)DAY_S * (DAYS_OF_WEEK - day.tm_wday),
				(int64_t)DAY_S * DAYS_OF_WEEK, now_s);
	day.tm_mday = 1;
	if (period == MAUI_RESET_MONTHLY)
		day.tm_mon++;
	else if (period == MAUI_RESET_QUARTERLY)
		day.tm_mon += QUARTER - day.tm_mon % QUARTER;
	else
		day.tm_mon = MONTHS;
	return midnight(&day);
}

static uint64_t seconds_between(int64_t from_s, int64_t until_s)
{
	return until_s > from_s ? (uint64_t)(until_s - from_s) : 0;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static uint64_t back_of(const struct maui_slurm_usage_job *job, int64_t until_s)
{
	int64_t from_s = later(job->start_s, job->back_from_s);

	if (from_s >= job->limit_end_s)
		return 0;
	if (job->over)
		return seconds_between(from_s, job->limit_end_s);
	return seconds_between(from_s, until_s > job->due_end_s ? job->due_end_s : until_s);
}

struct maui_slurm_usage_span maui_slurm_usage_span(const struct maui_slurm_usage_job *job,
						   int64_t last_s, int64_t now_s, double decay)
{
	int64_t until_s = job->end_s > 0 && job->end_s < now_s ? job->end_s : now_s;
	double ran_s = (double)seconds_between(later(job->start_s, last_s), until_s);

	return (struct maui_slurm_usage_span){ .ran_s = ran_s,
					       .decayed_s = ran_s * pow(decay, ran_s),
					       .back_s = back_of(job, until_s) };
}
