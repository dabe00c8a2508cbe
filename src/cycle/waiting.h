/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiting.h - which job record an idle job of the snapshot stands for
 *
 * The snapshot knows jobs by index. A start, a job reservation and a refusal need the record's own
 * numbers: an array of these lies beside the snapshot's idle jobs, in the same order.
 */
#ifndef MAUI_CYCLE_WAITING_H
#define MAUI_CYCLE_WAITING_H

#include <stdint.h>

struct maui_waiting {
	uint32_t job_id, array_job_id; /* array_job_id 0: no array */
	int64_t submit_s;
	uint64_t fingerprint; /* of what the job asks for; equal for jobs that are alike */
	uint32_t request;     /* in the snapshot, without refused nodes */
};

#endif
