/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.c - the jobs of a trace, sorted by submit time */

#include "sim/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/need.h"
#include "model/job.h"

enum { PRINTED = 20 }; /* warnings that are printed; further ones are counted */

void maui_sim_trace_add(struct maui_sim_trace *trace, const struct maui_sim_job *job)
{
	trace->jobs = maui_need_more(trace->jobs, trace->count, &trace->alloc, sizeof(*job));
	trace->jobs[trace->count] = *job;
	trace->jobs[trace->count].start_s = -1;
	trace->jobs[trace->count++].reserved_s = -1;
}

size_t maui_sim_trace_drop_superseded(struct maui_sim_trace *trace)
{
	size_t kept = 0, dropped;

	for (size_t i = 0; i < trace->count; i++)
		if (!trace->jobs[i].superseded)
			trace->jobs[kept++] = trace->jobs[i];
	dropped = trace->count - kept;
	trace->count = kept;
	return dropped;
}

static void complain(const struct maui_sim_complaints *complaints, const char *path, uint64_t line,
		     const char *text)
{
	if (complaints && complaints->complain)
		complaints->complain(complaints->data, path, line, text);
}

void maui_sim_trace_junk(struct maui_sim_trace *trace, const char *path, uint64_t line,
			 const char *what, const struct maui_sim_complaints *complaints)
{
	char text[256];

	if (trace->junk++ >= PRINTED)
		return;
	snprintf(text, sizeof(text), "%s, line skipped", what);
	complain(complaints, path, line, text);
}

void maui_sim_trace_early(struct maui_sim_trace *trace, const char *path, uint64_t line,
			  const struct maui_sim_complaints *complaints)
{
	if (trace->early++ < PRINTED)
		complain(complaints, path, line,
			 "Start is before Submit: the job is simulated from Submit on");
}

struct place {
	int64_t submit_s;
	size_t index;
};

/* Equal submit times keep their order. */
static int by_submit(const void *a, const void *b)
{
	const struct place *one = a, *two = b;

	if (one->submit_s != two->submit_s)
		return one->submit_s < two->submit_s ? -1 : 1;
	return (one->index > two->index) - (one->index < two->index);
}

void maui_sim_trace_sort(struct maui_sim_trace *trace)
{
	struct place *places = maui_need_list(trace->count, sizeof(*places));
	struct maui_sim_job *jobs = maui_need_list(trace->count, sizeof(*jobs));

	for (size_t i = 0; i < trace->count; i++)
		places[i] = (struct place){ trace->jobs[i].submit_s, i };
	if (trace->count > 1)
		qsort(places, trace->count, sizeof(*places), by_submit);
	for (size_t i = 0; i < trace->count; i++)
		jobs[i] = trace->jobs[places[i].index];
	free(places);
	free(trace->jobs);
	trace->jobs = jobs;
	trace->alloc = trace->count;
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
