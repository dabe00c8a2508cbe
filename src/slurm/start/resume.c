/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resume.c - compares the cores of a suspended job with those of all running jobs */

#include "slurm/compat.h"

#include "slurm/start/resume.h"

#include "src/common/job_resources.h"

/* Whether two jobs have a core in common on one node: node a of the one, node b of the other. */
static bool share_cores(job_resources_t *one, int a, job_resources_t *other, int b)
{
	uint16_t sockets, cores, other_sockets, other_cores;

	if (get_job_resources_cnt(one, (uint32_t)a, &sockets, &cores) != SLURM_SUCCESS ||
	    get_job_resources_cnt(other, (uint32_t)b, &other_sockets, &other_cores) !=
		    SLURM_SUCCESS ||
	    sockets != other_sockets || cores != other_cores)
		return true; /* the node has changed since: the job waits */
	for (uint16_t s = 0; s < sockets; s++)
		for (uint16_t core = 0; core < cores; core++)
			if (maui_compat_has_core(one, (uint32_t)a, s, core) &&
			    maui_compat_has_core(other, (uint32_t)b, s, core))
				return true;
	return false;
}

static bool jobs_share_cores(job_resources_t *one, job_resources_t *other)
{
	int a = -1, b = -1;

	if (!bit_overlap_any(one->node_bitmap, other->node_bitmap))
		return false;
	for (bitoff_t n = 0; n < bit_size(one->node_bitmap); n++) {
		bool in_one = bit_test(one->node_bitmap, n);
		bool in_other = bit_test(other->node_bitmap, n);

		a += in_one;
		b += in_other;
		if (in_one && in_other && share_cores(one, a, other, b))
			return true;
	}
	return false;
}

static bool has_cores(const job_record_t *job_ptr)
{
	return job_ptr->job_resrcs && job_ptr->job_resrcs->node_bitmap &&
	       job_ptr->job_resrcs->core_bitmap;
}

bool maui_resume_fits(const void *record)
{
	const job_record_t *job_ptr = record, *other;
	maui_compat_iterator_t iterator;
	bool fits = has_cores(job_ptr);

	iterator = list_iterator_create(job_list);
	while (fits && (other = list_next(iterator)))
		if (other != job_ptr && has_cores(other) &&
		    (IS_JOB_RUNNING(other) || IS_JOB_COMPLETING(other)) &&
		    bit_size(other->job_resrcs->node_bitmap) ==
			    bit_size(job_ptr->job_resrcs->node_bitmap))
			fits = !jobs_share_cores(job_ptr->job_resrcs, other->job_resrcs);
	list_iterator_destroy(iterator);
	return fits;
}
