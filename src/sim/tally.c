/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tally.c - sums over all jobs, and over the jobs of each credential */

#include "sim/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hashtable.h"
#include "base/need.h"
#include "model/conditions.h"
#include "model/snapshot.h"
#include "sim/waits.h"

enum { SHORTEST_RUN = 10 }; /* seconds, for the bounded slowdown */

struct sums {
	struct maui_sim_figures figures;
	struct maui_sim_waits waits;
	uint64_t limited; /* jobs that started and have a limit */
};

struct maui_sim_tally {
	int64_t from_s, until_s; /* as in the trace */
	int64_t end_s;
	int64_t first_submit_s; /* MAUI_NEVER: no job was added */
	double done;            /* processor-seconds between the first and the last submit */
	struct sums all;
	struct maui_hashtable by[MAUI_CRED_COUNT]; /* of struct sums */
	uint64_t without_limit, left_out[MAUI_REASON_COUNT];
};

struct maui_sim_tally *maui_sim_tally_create(const struct maui_sim_trace *trace, int64_t end_s)
{
	struct maui_sim_tally *tally = maui_need_list(1, sizeof(*tally));

	tally->from_s = trace->from_s;
	tally->until_s = trace->until_s;
	tally->end_s = end_s;
	tally->first_submit_s = MAUI_NEVER;
	return tally;
}

/* ---- one job ---- */

/* When the wait of a job begins: its submit, or its --begin time. */
static int64_t waits_from(const struct maui_sim_job *job)
{
	int64_t begin_s = job->conditions ? job->conditions->begin_s : 0;

	return begin_s > job->submit_s ? begin_s : job->submit_s;
}

/* The time that a job runs; of a saved plan, what lies between its moment and the end. */
static double run_of(const struct maui_sim_tally *tally, const struct maui_sim_job *job)
{
	int64_t from = job->start_s, until = job->start_s + job->run_s;

	if (tally->until_s) {
		from = from > tally->from_s ? from : tally->from_s;
		until = until < tally->until_s ? until : tally->until_s;
	}
	return until > from ? (double)(until - from) : 0;
}

static void add_wait(struct sums *s, const struct maui_sim_job *job, int64_t wait_s)
{
	double run = (double)(job->run_s > SHORTEST_RUN ? job->run_s : SHORTEST_RUN);
	double slowdown = (double)(wait_s + job->run_s) / run;

	maui_sim_waits_add(&s->waits, wait_s);
	s->figures.wait_mean_s += (double)wait_s;
	s->figures.bounded_slowdown += slowdown > 1 ? slowdown : 1;
}

/* A job of a saved plan that does not start has waited at least until the end: else a change that
 * lets nothing start would look like a short wait. */
static void add_job(struct sums *s, const struct maui_sim_tally *tally,
		    const struct maui_sim_job *job)
{
	if (job->start_s < 0) {
		int64_t from_s = waits_from(job);

		if (!tally->until_s || job->left_out != MAUI_REASON_NONE)
			return;
		s->figures.waiting++;
		add_wait(s, job, tally->end_s > from_s ? tally->end_s - from_s : 0);
		return;
	}
	s->figures.proc_seconds += (double)maui_sim_job_procs(job) * run_of(tally, job);
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

static bool is_named(const void *sums, const void *name)
{
	return strcmp(((const struct sums *)sums)->figures.name, name) == 0;
}

static struct sums *sums_of(struct maui_hashtable *by, const char *name)
{
	uint64_t hash = maui_hash_text(name, 0);
	struct sums *s = maui_hashtable_find(by, hash, is_named, name);

	if (s)
		return s;
	s = maui_need_list(1, sizeof(*s));
	s->figures.name = name;
	if (maui_hashtable_add(by, hash, s))
		maui_out_of_memory();
	return s;
}

/* Work done up to the last submit. */
static void add_work(struct maui_sim_tally *tally, const struct maui_sim_job *job,
		     int64_t last_submit_s)
{
	int64_t end = job->start_s + job->run_s;

	if (job->start_s < 0 || job->start_s >= last_submit_s)
		return;
	tally->done += (double)maui_sim_job_procs(job) *
		       (double)((end < last_submit_s ? end : last_submit_s) - job->start_s);
}

void maui_sim_tally_add(struct maui_sim_tally *tally, const struct maui_sim_job *job,
			int64_t last_submit_s)
{
	if (tally->first_submit_s == MAUI_NEVER)
		tally->first_submit_s = job->submit_s;
	add_job(&tally->all, tally, job);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (job->cred[k])
			add_job(sums_of(&tally->by[k], job->cred[k]), tally, job);
	add_work(tally, job, last_submit_s);
	tally->left_out[job->left_out]++;
	tally->without_limit += job->limit_kind == MAUI_SIM_LIMIT_NONE;
}

/* ---- all jobs ---- */

static int64_t percentile(const struct maui_sim_waits *waits, double p)
{
	uint64_t at = (uint64_t)((double)waits->jobs * p);

	return maui_sim_waits_at(waits, at < waits->jobs ? at : waits->jobs - 1);
}

static struct maui_sim_figures close_sums(struct sums *s)
{
	struct maui_sim_figures *f = &s->figures;

	if (s->waits.jobs > 0) {
		maui_sim_waits_sort(&s->waits);
		f->wait_mean_s /= (double)s->waits.jobs;
		f->bounded_slowdown /= (double)s->waits.jobs;
		f->accuracy /= s->limited > 0 ? (double)s->limited : 1;
		f->wait_p50_s = percentile(&s->waits, 0.50);
		f->wait_p95_s = percentile(&s->waits, 0.95);
		f->wait_max_s = maui_sim_waits_at(&s->waits, s->waits.jobs - 1);
	}
	maui_sim_waits_finish(&s->waits);
	return *f;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_sim_figures *)a)->name,
		      ((const struct maui_sim_figures *)b)->name);
}

static struct maui_sim_figures *close_creds(struct maui_hashtable *by, size_t *ret_count)
{
	struct maui_sim_figures *list = maui_need_list(by->used, sizeof(*list));
	size_t count = 0;
	struct sums *s;

	for (size_t at = 0; (s = maui_hashtable_next(by, &at));) {
		list[count++] = close_sums(s);
		free(s);
	}
	maui_hashtable_finish(by);
	if (count > 0)
		qsort(list, count, sizeof(*list), by_name);
	*ret_count = count;
	return list;
}

/* Work done, as a part of what the machine could do: between the first and the last submit, of a
 * saved plan between its moment and the end. */
static double utilisation(const struct maui_sim_tally *tally, int64_t procs, int64_t last_submit_s)
{
	int64_t first_s = tally->until_s ? tally->from_s : tally->first_submit_s;
	int64_t last_s = tally->until_s ? tally->end_s : last_submit_s;
	double done = tally->until_s ? tally->all.figures.proc_seconds : tally->done;

	return tally->first_submit_s != MAUI_NEVER && last_s > first_s && procs > 0 ?
		       done / ((double)procs * (double)(last_s - first_s)) :
		       0;
}

void maui_sim_tally_close(struct maui_sim_tally *tally, int64_t procs, int64_t last_submit_s,
			  struct maui_sim_results *ret)
{
	*ret = (struct maui_sim_results){ .procs = procs,
					  .without_limit = tally->without_limit,
					  .utilisation = utilisation(tally, procs, last_submit_s) };
	memcpy(ret->left_out, tally->left_out, sizeof(ret->left_out));
	ret->left_out[MAUI_REASON_NONE] = 0;
	ret->all = close_sums(&tally->all);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		ret->by[k] = close_creds(&tally->by[k], &ret->by_count[k]);
	free(tally);
}
