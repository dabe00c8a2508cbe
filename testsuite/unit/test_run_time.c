/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_run_time.c - how long a job has run, by the times in slurmctld's record
 *
 * slurmctld counts by its clock: pre_sus_time grows at each suspension by what the clock says since
 * the start or the last resume. When the clock is set back in between, pre_sus_time may be below 0.
 *
 * Rules: FS-11.
 */
#include "slurm/compat.h"

#include "slurm/capture/jobs.h"

#include "rows.h"

#define NOW INT64_C(10000)

struct row {
	const char *name;
	enum maui_captured_state state;
	uint32_t flags; /* of the record's state */
	int64_t start_s, end_s, suspend_s, before_s;
	int64_t want_start_s, want_ran_s, want_until_s;
};

static const struct row rows[] = {
	{ "runs", MAUI_CAPTURED_ACTIVE, 0, 9900, 20000, 0, 0, 9900, 100, NOW },
	{ "has ended", MAUI_CAPTURED_ENDED, 0, 9000, 9600, 0, 0, 9000, 600, 9600 },
	{ "ends in the future: the clock was set back", MAUI_CAPTURED_ENDED, 0, 9000, 10100, 0, 0,
	  9000, 1000, NOW },
	{ "waits, with a planned start", MAUI_CAPTURED_PENDING, 0, 9900, 0, 0, 0, 0, 0, NOW },
	{ "was requeued, and its last run completes", MAUI_CAPTURED_PENDING, JOB_COMPLETING, 9000,
	  9600, 0, 0, 9000, 600, 9600 },
	{ "starts in the future: the clock was set back", MAUI_CAPTURED_ACTIVE, 0, 10100, 20000, 0,
	  0, 0, 0, NOW },
	{ "is suspended", MAUI_CAPTURED_ACTIVE, JOB_SUSPENDED, 9000, 20000, 9100, 100, 9000, 100,
	  9100 },
	{ "was suspended", MAUI_CAPTURED_ACTIVE, 0, 9000, 20000, 9950, 100, 9000, 150, NOW },
	{ "was suspended in the second of its start", MAUI_CAPTURED_ACTIVE, 0, 9000, 20000, 9950, 0,
	  9000, 50, NOW },
	{ "was suspended, and has ended", MAUI_CAPTURED_ENDED, 0, 9000, 9970, 9950, 100, 9000, 120,
	  9970 },
	{ "is suspended after the clock was set back behind its last resume", MAUI_CAPTURED_ACTIVE,
	  JOB_SUSPENDED, 9000, 20000, 9100, -3000, 9000, 0, 9100 },
	{ "was suspended after the clock was set back: it runs since its resume",
	  MAUI_CAPTURED_ACTIVE, 0, 9000, 20000, 9950, -3000, 9000, 50, NOW },
	{ "was resumed, and the clock is set back: what it ran before counts", MAUI_CAPTURED_ACTIVE,
	  0, 9000, 20000, 10500, 100, 9000, 100, NOW },
};

TEST_ROWS(run_time, record, rows, row)
{
	maui_compat_details_t details = { .submit_time = 8000 };
	job_record_t record = {
		.job_state = row->flags | (row->state == MAUI_CAPTURED_ENDED ? JOB_COMPLETE : 0),
		.details = &details,
		.nodes = row->state == MAUI_CAPTURED_PENDING ? NULL : "n1",
		.start_time = row->start_s,
		.end_time = row->end_s,
		.suspend_time = row->suspend_s,
		.pre_sus_time = row->before_s,
	};
	struct maui_captured_job job = { .state = row->state,
					 .suspended = row->flags == JOB_SUSPENDED };

	maui_capture_times(&record, NOW, &job);
	cr_expect(job.submit_s == 8000, "%s", row->name);
	cr_expect(job.start_s == row->want_start_s, "%s: start %lld", row->name,
		  (long long)job.start_s);
	cr_expect(job.ran_s == row->want_ran_s, "%s: ran %lld s", row->name, (long long)job.ran_s);
	cr_expect(job.until_s == row->want_until_s, "%s: until %lld", row->name,
		  (long long)job.until_s);
}
