/* SPDX-License-Identifier: GPL-2.0-or-later */
/* results.c - figures over all jobs, and over the jobs of each credential */

#include "sim/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "base/sort.h"
#include "model/conditions.h"
#include "model/snapshot.h"

enum { SHORTEST_RUN = 10 }; /* seconds, for the bounded slowdown */

struct sums {
	struct maui_sim_figures figures;
	int64_t end_s; /* of a saved plan: until when jobs wait that do not start */
	int64_t *waits;
	size_t count, alloc;
	uint64_t limited; /* jobs that started and have a limit */
};

/* When what is counted ends: with the time that is looked at, else with the last job. */
static int64_t end_of(const struct maui_sim_trace *trace)
{
	int64_t last_s = trace->from_s;

	if (trace->until_s != MAUI_NEVER)
		return trace->until_s;
	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].start_s >= 0 &&
		    trace->jobs[i].start_s + trace->jobs[i].run_s > last_s)
			last_s = trace->jobs[i].start_s + trace->jobs[i].run_s;
	return last_s;
}

/* When the wait of a job begins: its submit, or its --begin time. */
static int64_t waits_from(const struct maui_sim_job *job)
{
	int64_t begin_s = job->conditions ? job->conditions->begin_s : 0;

	return begin_s > job->submit_s ? begin_s : job->submit_s;
}

/* The time that a job runs; of a saved plan, what lies between its moment and the end. */
static double run_of(const struct maui_sim_trace *trace, const struct maui_sim_job *job)
{
	int64_t from = job->start_s, until = job->start_s + job->run_s;

	if (trace->until_s) {
		from = from > trace->from_s ? from : trace->from_s;
		until = until < trace->until_s ? until : trace->until_s;
	}
	return until > from ? (double)(until - from) : 0;
}

static void add_wait(struct sums *s, const struct maui_sim_job *job, int64_t wait_s)
{
	double run = (double)(job->run_s > SHORTEST_RUN ? job->run_s : SHORTEST_RUN);
	double slowdown = (double)(wait_s + job->run_s) / run;

	s->waits = maui_need_more(s->waits, s->count, &s->alloc, sizeof(*s->waits));
	s->waits[s->count++] = wait_s;
	s->figures.wait_mean_s += (double)wait_s;
	s->figures.bounded_slowdown += slowdown > 1 ? slowdown : 1;
}

/* A job of a saved plan that does not start has waited at least until the end: else a change that
 * lets nothing start would look like a short wait. */
static void add_job(struct sums *s, const struct maui_sim_trace *trace,
		    const struct maui_sim_job *job)
{
	if (job->start_s < 0) {
		if (!trace->until_s || job->left_out != MAUI_REASON_NONE)
			return;
		s->figures.waiting++;
		add_wait(s, job, s->end_s > waits_from(job) ? s->end_s - waits_from(job) : 0);
		return;
	}
	s->figures.proc_seconds += (double)maui_sim_job_procs(job) * run_of(trace, job);
	if (job->ran_before) /* it did not wait in this simulation */
		return;
	s->figures.jobs++;
	if (job->limit_kind == MAUI_SIM_LIMIT_NAMED) {
		s->figures.accuracy +=
			(double)job->run_s / (double)(job->limit_s > 0 ? job->limit_s : 1);
		s->limited++;
	}
	add_wait(s, job, job->start_s - waits_from(job));
}

/* For the time between the moment of a saved plan and the end. */
static double utilisation_since(const struct maui_sim_trace *trace, int64_t procs, int64_t last_s)
{
	double done = 0;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].start_s >= 0)
			done += (double)maui_sim_job_procs(&trace->jobs[i]) *
				run_of(trace, &trace->jobs[i]);
	return last_s > trace->from_s && procs > 0 ?
		       done / ((double)procs * (double)(last_s - trace->from_s)) :
		       0;
}

static int64_t percentile(const struct sums *s, double p)
{
	size_t at = (size_t)((double)s->count * p);

	return s->waits[at < s->count ? at : s->count - 1];
}

static void close_sums(struct sums *s)
{
	struct maui_sim_figures *f = &s->figures;

	if (s->count > 0) {
		qsort(s->waits, s->count, sizeof(*s->waits), maui_sort_by_i64);
		f->wait_mean_s /= (double)s->count;
		f->bounded_slowdown /= (double)s->count;
		f->accuracy /= s->limited > 0 ? (double)s->limited : 1;
		f->wait_p50_s = percentile(s, 0.50);
		f->wait_p95_s = percentile(s, 0.95);
		f->wait_max_s = s->waits[s->count - 1];
	}
	free(s->waits);
	s->waits = NULL;
}

/* Utilisation: work done between the first and the last submit, as a part of the machine's
 * capacity. */
static double utilisation(const struct maui_sim_trace *trace, int64_t procs)
{
	int64_t first = trace->jobs[0].submit_s, last = trace->jobs[trace->count - 1].submit_s;
	double done = 0;

	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_sim_job *job = &trace->jobs[i];
		int64_t end = job->start_s + job->run_s;

		if (job->start_s < 0 || job->start_s >= last)
			continue;
		done += (double)maui_sim_job_procs(job) *
			(double)((end < last ? end : last) - job->start_s);
	}
	return last > first ? done / ((double)procs * (double)(last - first)) : 0;
}

static int compare_creds(const void *a, const void *b, void *kind)
{
	int cred_kind = *(const int *)kind;
	const struct maui_sim_job *one = *(const struct maui_sim_job *const *)a;
	const struct maui_sim_job *two = *(const struct maui_sim_job *const *)b;
	int order = strcmp(one->cred[cred_kind], two->cred[cred_kind]);

	return order ? order : (one > two) - (one < two);
}

/* The figures of one credential: of jobs[0] and the following jobs with the same name. Returns
 * their number. */
static size_t take_cred(const struct maui_sim_trace *trace, const struct maui_sim_job **jobs,
			size_t count, int kind, int64_t end_s, struct maui_sim_figures *ret)
{
	struct sums s = { .figures.name = jobs[0]->cred[kind], .end_s = end_s };
	size_t i = 0;

	for (; i < count && strcmp(jobs[i]->cred[kind], s.figures.name) == 0; i++)
		add_job(&s, trace, jobs[i]);
	close_sums(&s);
	*ret = s.figures;
	return i;
}

static void sum_by(const struct maui_sim_trace *trace, int kind, int64_t end_s,
		   struct maui_sim_results *ret)
{
	const struct maui_sim_job **jobs = maui_need_list(trace->count, sizeof(const void *));
	size_t count = 0, alloc = 0;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].cred[kind])
			jobs[count++] = &trace->jobs[i];
	qsort_r(jobs, count, sizeof(const void *), compare_creds, &kind);
	for (size_t i = 0; i < count;) {
		ret->by[kind] = maui_need_more(ret->by[kind], ret->by_count[kind], &alloc,
					       sizeof(*ret->by[kind]));
		i += take_cred(trace, jobs + i, count - i, kind, end_s,
			       &ret->by[kind][ret->by_count[kind]++]);
	}
	free(jobs);
}

void maui_sim_results_make(const struct maui_sim_trace *trace, int64_t procs,
			   struct maui_sim_results *ret)
{
	struct sums all = { .end_s = trace->until_s ? end_of(trace) : 0 };

	*ret = (struct maui_sim_results){ .procs = procs };
	for (size_t i = 0; i < trace->count; i++)
		add_job(&all, trace, &trace->jobs[i]);
	close_sums(&all);
	for (size_t i = 0; i < trace->count; i++) {
		ret->left_out[trace->jobs[i].left_out]++;
		ret->without_limit += trace->jobs[i].limit_kind == MAUI_SIM_LIMIT_NONE;
	}
	ret->left_out[MAUI_REASON_NONE] = 0;
	ret->all = all.figures;
	if (trace->count > 0)
		ret->utilisation = trace->until_s ? utilisation_since(trace, procs, all.end_s) :
						    utilisation(trace, procs);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		sum_by(trace, k, all.end_s, ret);
}

void maui_sim_results_finish(struct maui_sim_results *results)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		free(results->by[k]);
	*results = (struct maui_sim_results){ 0 };
}
