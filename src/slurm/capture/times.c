/* SPDX-License-Identifier: GPL-2.0-or-later */
/* times.c - when a job was submitted and began, and how long it has run, as Slurm accounts it
 *
 * Rules: FS-11.
 */

#include "slurm/compat.h"

#include "slurm/capture/jobs.h"

void maui_capture_times(const struct job_record *job_ptr, int64_t now_s,
			struct maui_captured_job *ret)
{
	/* a requeued job is pending while its last run still completes: that run has ended */
	bool ended = ret->state == MAUI_CAPTURED_ENDED || IS_JOB_COMPLETING(job_ptr);
	/* a job that was cancelled while it waited has an end time and no nodes */
	bool ran = ret->state == MAUI_CAPTURED_PENDING ? IS_JOB_COMPLETING(job_ptr) :
							 job_ptr->nodes != NULL;
	/* each part by itself: what the clock was set back by must not shorten a run after a resume */
	int64_t before_s = job_ptr->pre_sus_time > 0 ? job_ptr->pre_sus_time : 0;

	ret->submit_s = job_ptr->details->submit_time;
	ret->until_s = ended && job_ptr->end_time < now_s ? job_ptr->end_time : now_s;
	if (!ran || job_ptr->start_time <= 0 || job_ptr->start_time > now_s)
		return;
	ret->start_s = job_ptr->start_time;
	if (ret->suspended) {
		ret->until_s = job_ptr->suspend_time;
		ret->ran_s = before_s;
	} else { /* pre_sus_time may be 0: suspended at once */
		int64_t since_s = job_ptr->suspend_time ? job_ptr->suspend_time : ret->start_s;

		ret->ran_s = (since_s < ret->until_s ? ret->until_s - since_s : 0) + before_s;
	}
}
