/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_change_tally.c - what a request says that changes several records
 *
 * Rules: CMD-47.
 */
#include "slurm/change_tally.h"

#include "rows.h"

enum {
	DONE = MAUI_CHANGE_DONE,
	GONE = MAUI_CHANGE_NO_JOB,
	UNHELD = MAUI_CHANGE_NO_HOLD,
	OTHER = MAUI_CHANGE_OTHER_HOLD,
	FAILED = MAUI_CHANGE_FAILED,
	ALL = MAUI_JOB_RELEASE,
	ONE = MAUI_JOB_RELEASE_USER,
	HOLD = MAUI_JOB_HOLD,
};

static const struct row {
	const char *text;
	int action, count, records[3], sum;
} rows[] = {
	{ "a task is released", ALL, 3, { UNHELD, DONE, UNHELD }, DONE },
	{ "no task is held", ALL, 2, { UNHELD, UNHELD }, UNHELD },
	{ "a task ends, and no other is held", ALL, 3, { UNHELD, GONE, UNHELD }, UNHELD },
	{ "one task ends, one is released", ALL, 2, { GONE, DONE }, DONE },
	{ "all tasks end", ALL, 2, { GONE, GONE }, GONE },
	{ "a job ends before it is held", HOLD, 1, { GONE }, GONE },
	{ "there is no record", HOLD, 0, { 0 }, GONE },
	{ "one of the two holds", ONE, 2, { DONE, UNHELD }, UNHELD },
	{ "the first failure counts", ONE, 3, { DONE, OTHER, FAILED }, OTHER },
};

TEST_ROWS(change_tally, sum, rows, row)
{
	struct maui_change_tally tally = { 0 };

	for (int i = 0; i < row->count; i++)
		maui_change_count(&tally, (enum maui_job_action)row->action,
				  (enum maui_change_result)row->records[i]);
	cr_expect_eq((int)maui_change_sum(&tally), row->sum);
}
