/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.c - the jobs of a trace, sorted by submit time */

#include "sim/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "model/job.h"

enum { TOLD = 20 }; /* warnings that are printed; further ones are counted */

void maui_sim_trace_add(struct maui_sim_trace *trace, const struct maui_sim_job *job)
{
	trace->jobs = maui_need_more(trace->jobs, trace->count, &trace->alloc, sizeof(*job));
	trace->jobs[trace->count] = *job;
	trace->jobs[trace->count].start_s = -1;
	trace->jobs[trace->count++].reserved_s = -1;
}

void maui_sim_trace_junk(struct maui_sim_trace *trace, const char *path, uint64_t line,
			 const char *what, const struct maui_sim_complaints *complaints)
{
	if (trace->junk++ < TOLD && complaints && complaints->tell)
		complaints->tell(complaints->data, path, line, what);
}

/* Merges two sorted halves. Equal submit times keep their order. */
static void merge_halves(struct maui_sim_job *jobs, size_t middle, size_t count,
			 struct maui_sim_job *spare)
{
	size_t left = 0, right = middle, at = 0;

	while (left < middle || right < count) {
		bool from_left = right == count ||
				 (left < middle && jobs[left].submit_s <= jobs[right].submit_s);

		spare[at++] = from_left ? jobs[left++] : jobs[right++];
	}
	memcpy(jobs, spare, count * sizeof(*jobs));
}

static void merge_sort(struct maui_sim_job *jobs, size_t count, struct maui_sim_job *spare)
{
	bool sorted = true;

	for (size_t i = 1; i < count && sorted; i++)
		sorted = jobs[i - 1].submit_s <= jobs[i].submit_s;
	if (sorted)
		return;
	merge_sort(jobs, count / 2, spare);
	merge_sort(jobs + count / 2, count - count / 2, spare);
	merge_halves(jobs, count / 2, count, spare);
}

void maui_sim_trace_sort(struct maui_sim_trace *trace)
{
	struct maui_sim_job *spare = maui_need_list(trace->count, sizeof(*spare));

	merge_sort(trace->jobs, trace->count, spare);
	free(spare);
}

const char *maui_sim_job_label(const struct maui_sim_job *job, char *buf)
{
	if (job->number >= MAUI_SIM_NO_NUMBER)
		snprintf(buf, MAUI_SIM_LABEL_SIZE, "-");
	else if (job->array_job && job->array_task != MAUI_NO_TASK)
		snprintf(buf, MAUI_SIM_LABEL_SIZE, "%" PRIu32 "_%" PRIu32, job->array_job,
			 job->array_task);
	else
		snprintf(buf, MAUI_SIM_LABEL_SIZE, "%" PRIu64,
			 job->array_job ? job->array_job : job->number);
	return buf;
}

void maui_sim_trace_finish(struct maui_sim_trace *trace)
{
	free(trace->jobs);
	maui_arena_finish(&trace->arena);
	*trace = (struct maui_sim_trace){ 0 };
}
