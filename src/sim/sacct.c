/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct.c - reads jobs from `sacct -P`: a line of field names, then one line for each job, with
 * `|` between the fields
 *
 *   sacct -a -X -P -S ... -o JobID,JobIDRaw,User,Group,Account,Partition,QOS,Submit,Start,End,
 *         Timelimit,ReqCPUS,AllocCPUS,NNodes,ReqMem,ReqTRES,State
 *
 * Needed: Submit, Start, End, and one of AllocCPUS, ReqCPUS, AllocTRES and ReqTRES. Times are local
 * (TZ) as sacct prints them, or seconds since the epoch (SLURM_TIME_FORMAT=%s). Job steps are
 * skipped; jobs that did not run are dropped. The components of a het job (JobID 15+0, 15+1) start
 * together, if all of them ran; otherwise those that ran are jobs of their own. ReqMem with suffix
 * c or n is for each processor or node, otherwise for the job. Of ReqTRES, else AllocTRES, gres are
 * read, and the processors and nodes that no field of their own has.
 *
 * Of a job with several rows (--duplicates) the last run counts. A job that is resized keeps its
 * Submit. slurmctld gives a requeued job a new one, when the nodes of its last run are free: later
 * than the End of that run, and with the same user and name. A number that wrapped around comes
 * much later.
 *
 * Rules: CMD-13.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/lines.h"
#include "base/need.h"
#include "base/sort.h"
#include "base/text.h"
#include "sim/sacct_row.h"
#include "sim/trace.h"

/* Het jobs of which a component never ran. */
struct id_list {
	uint64_t *ids;
	size_t count, alloc;
};

/* From the End of a run to the next Submit of the same job. A record that tells of a requeue may
 * wait for nodes that do not answer. Other records are of a job that had ended and was requeued
 * while slurmctld knew it still (MinJobAge). */
enum { REQUEUED_S = 7 * 86400, ENDED_S = 86400 };

/* What tells the runs of one job from jobs of one number. */
struct run {
	int64_t start_s;
	const char *name; /* NULL: not known */
	bool requeued;    /* its State is that of a job that slurmctld queues again */
};

/* What one file is read with. */
struct reader {
	struct maui_sim_trace *trace;
	struct maui_sacct_columns columns;
	const struct maui_sim_complaints *complaints;
	struct id_list incomplete;
	struct run *runs; /* as of trace->jobs */
	size_t run_alloc;
};

/* Counts a job that did not run. */
static void drop(struct maui_sim_trace *trace, const struct maui_sim_job *job,
		 struct id_list *incomplete)
{
	trace->dropped++;
	if (!job->het_id)
		return;
	incomplete->ids = maui_need_more(incomplete->ids, incomplete->count, &incomplete->alloc,
					 sizeof(*incomplete->ids));
	incomplete->ids[incomplete->count++] = job->het_id;
}

/* A step has the job's number, a point, and its own. */
static bool is_step(const struct maui_sacct_row *row)
{
	return strchr(maui_sacct_value(row, MAUI_SACCT_JOBIDRAW), '.') ||
	       strchr(maui_sacct_value(row, MAUI_SACCT_JOBID), '.');
}

static bool is_requeued(const char *state)
{
	static const char *const states[] = { "REQUEUED", "PREEMPTED", "NODE_FAIL", "BOOT_FAIL" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strcasecmp(state, states[i]) == 0)
			return true;
	return false;
}

static struct run run_of(struct maui_sim_trace *trace, const struct maui_sacct_row *row,
			 int64_t start_s)
{
	const char *name = maui_sacct_value(row, MAUI_SACCT_JOBNAME);

	return (struct run){
		.start_s = start_s,
		.name = *name ? maui_need(maui_arena_strdup(&trace->arena, name)) : NULL,
		.requeued = is_requeued(maui_sacct_value(row, MAUI_SACCT_STATE)),
	};
}

static void add(struct reader *r, const struct maui_sim_job *job, struct run run,
		const struct maui_lines *lines)
{
	struct maui_sim_trace *trace = r->trace;

	if (run.start_s < job->submit_s)
		maui_sim_trace_early(trace, lines->path, lines->number, r->complaints);
	r->runs = maui_need_more(r->runs, trace->count, &r->run_alloc, sizeof(*r->runs));
	r->runs[trace->count] = run;
	maui_sim_trace_add(trace, job);
}

static void read_line(struct reader *r, const struct maui_lines *lines)
{
	struct maui_sacct_row row = { .columns = &r->columns };
	struct maui_sim_job job;
	int64_t start_s;
	bool cut = maui_sacct_split(lines->text, &row) == 0;

	if (cut && is_step(&row))
		return;
	r->trace->lines++;
	if (!cut || maui_sacct_job(r->trace, &row, &job, &start_s))
		maui_sim_trace_junk(r->trace, lines->path, lines->number, row.why, r->complaints);
	else if (job.run_s <= 0 || job.procs <= 0)
		drop(r->trace, &job, &r->incomplete);
	else
		add(r, &job, run_of(r->trace, &row, start_s), lines);
}

/* ---- jobs of several rows ---- */

/* The rows of one job stand together, the last run last. */
static int compare_runs(const void *a, const void *b, void *data)
{
	const struct reader *r = data;
	size_t one = *(const size_t *)a, two = *(const size_t *)b;
	const struct maui_sim_job *first = &r->trace->jobs[one], *second = &r->trace->jobs[two];
	const int64_t keys[][2] = {
		{ (int64_t)first->number, (int64_t)second->number },
		{ first->array_task, second->array_task },
		{ first->het_offset, second->het_offset },
		{ first->submit_s, second->submit_s },
		{ r->runs[one].start_s, r->runs[two].start_s },
		{ (int64_t)one, (int64_t)two },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

/* Whether the second row is a later run of the first row's job. */
static bool is_same_job(const struct reader *r, size_t first, size_t second)
{
	const struct maui_sim_job *one = &r->trace->jobs[first], *two = &r->trace->jobs[second];
	const struct run *run = &r->runs[first];
	int64_t between_s = two->submit_s - run->start_s - one->run_s;

	if (one->number == 0 || one->number != two->number || one->array_task != two->array_task ||
	    one->het_offset != two->het_offset)
		return false;
	if (one->submit_s == two->submit_s)
		return true;
	return maui_same_text(one->cred[MAUI_CRED_USER], two->cred[MAUI_CRED_USER]) &&
	       maui_same_text(run->name, r->runs[second].name) && between_s >= 0 &&
	       between_s <= (run->requeued ? REQUEUED_S : ENDED_S);
}

/* A job that was requeued would run again for each of its rows. */
static void drop_earlier_runs(struct reader *r)
{
	struct maui_sim_trace *trace = r->trace;
	size_t *order = maui_need_list(trace->count, sizeof(*order));
	size_t count = trace->count;

	for (size_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), compare_runs, r);
	for (size_t i = 0; i + 1 < count; i++)
		trace->jobs[order[i]].superseded = is_same_job(r, order[i], order[i + 1]);
	free(order);
	trace->reruns += maui_sim_trace_drop_superseded(trace);
}

static int compare_components(const void *a, const void *b)
{
	const struct maui_sim_job *one = *(struct maui_sim_job *const *)a;
	const struct maui_sim_job *other = *(struct maui_sim_job *const *)b;

	if (one->het_id != other->het_id)
		return one->het_id < other->het_id ? -1 : 1;
	return (one->het_offset > other->het_offset) - (one->het_offset < other->het_offset);
}

/* The components of one het job, by offset: together, or each a job of its own. */
static void join_components(struct maui_sim_job *const *list, size_t count,
			    const struct id_list *incomplete)
{
	bool dropped = incomplete->count > 0 &&
		       bsearch(&list[0]->het_id, incomplete->ids, incomplete->count,
			       sizeof(*incomplete->ids), maui_sort_by_u64);
	bool complete = count > 1 && !dropped;

	for (size_t k = 0; k < count; k++)
		complete &= list[k]->het_offset == k && list[k]->submit_s == list[0]->submit_s;
	for (size_t k = 0; k < count; k++) {
		if (complete)
			list[k]->het_count = (uint32_t)count;
		else
			list[k]->het_id = 0;
	}
}

static void join_het_jobs(struct maui_sim_trace *trace, struct id_list *incomplete)
{
	struct maui_sim_job **list = maui_need_list(trace->count, sizeof(struct maui_sim_job *));
	size_t count = 0, next;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].het_id)
			list[count++] = &trace->jobs[i];
	if (count > 1)
		qsort(list, count, sizeof(*list), compare_components);
	if (incomplete->count > 1)
		qsort(incomplete->ids, incomplete->count, sizeof(*incomplete->ids),
		      maui_sort_by_u64);
	for (size_t i = 0; i < count; i = next) {
		for (next = i + 1; next < count && list[next]->het_id == list[i]->het_id;)
			next++;
		join_components(&list[i], next - i, incomplete);
	}
	free(list);
}

static int read_file(struct reader *r, struct maui_lines *lines, struct maui_err *err)
{
	int rc = maui_lines_next(lines, err);

	if (rc == 0)
		rc = maui_err_set(err, "%s: empty", lines->path);
	else if (rc > 0)
		rc = maui_sacct_head(lines->text, &r->columns, lines->path, err) ? -1 : 1;
	while (rc > 0 && (rc = maui_lines_next(lines, err)) > 0)
		if (*lines->text)
			read_line(r, lines);
	return rc;
}

int maui_sacct_read(struct maui_sim_trace *trace, const char *path,
		    const struct maui_sim_complaints *complaints, struct maui_err *err)
{
	struct reader r = { .trace = trace, .complaints = complaints };
	struct maui_lines lines;
	int rc;

	if (maui_lines_open(&lines, path, err))
		return -1;
	rc = read_file(&r, &lines, err);
	maui_lines_close(&lines);
	if (rc == 0) {
		drop_earlier_runs(&r);
		join_het_jobs(trace, &r.incomplete);
		maui_sim_trace_sort(trace);
	}
	free(r.incomplete.ids);
	free(r.runs);
	return rc;
}
