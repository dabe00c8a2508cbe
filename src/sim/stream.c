/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - the jobs of a trace between the oldest that has not ended and the next to arrive
 *
 * Rules: CMD-13.
 */

#include "sim/stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/hashtable.h"
#include "base/need.h"
#include "model/when.h"
#include "sim/quick.h"
#include "sim/settle.h"
#include "sim/swf.h"

enum { BATCH = 1024 }; /* jobs that are read at once */

struct maui_sim_stream {
	const char *path;
	struct maui_sim_trace *trace;
	struct maui_sim_trace examples; /* of a first reading: one for equal credentials */
	const char *why_not;            /* the file has to be kept as a whole; NULL: it has not */
	const struct maui_sim_cluster *cluster;
	const struct maui_config *config;
	int64_t procs; /* of the machine */
	maui_sim_take_fn take;
	void *data;
	struct maui_swf swf;
	bool at_end;
	int64_t read_submit_s, last_submit_s; /* of the last job that was read; that is held */
	struct maui_sim_job *jobs;            /* the trace's jobs are behind the `gone` first */
	size_t gone, alloc;
	bool failed;
	struct maui_err err;
};

/* ---- the first reading ---- */

struct survey {
	struct maui_sim_trace *trace; /* of examples */
	struct maui_hashtable by_creds;
	size_t count;
	int64_t last_submit_s;
	const char *why_not; /* as in the stream */
};

struct example {
	const char *cred[MAUI_CRED_COUNT]; /* equal names are one text */
	size_t index;
};

static bool has_creds(const void *example, const void *cred)
{
	return memcmp(((const struct example *)example)->cred, cred,
		      sizeof(((const struct example *)example)->cred)) == 0;
}

/* The longest limit and the latest submit of all jobs with these credentials, on one processor.
 * What quick.h can do with the example, it can do with each of them that the machine can hold. */
static void take_example(struct survey *survey, const struct maui_sim_job *job)
{
	uint64_t hash = maui_hash_struct(0, job->cred, sizeof(job->cred));
	struct example *example =
		maui_hashtable_find(&survey->by_creds, hash, has_creds, job->cred);
	struct maui_sim_job *jobs;

	if (!example) {
		example = maui_need(maui_arena_alloc(&survey->trace->arena, sizeof(*example)));
		memcpy(example->cred, job->cred, sizeof(example->cred));
		example->index = survey->trace->count;
		if (maui_hashtable_add(&survey->by_creds, hash, example))
			maui_out_of_memory();
		maui_sim_trace_add(survey->trace, job);
		survey->trace->jobs[example->index].procs = 1;
		return;
	}
	jobs = survey->trace->jobs;
	jobs[example->index].submit_s = job->submit_s;
	if (job->limit_s > jobs[example->index].limit_s)
		jobs[example->index].limit_s = job->limit_s;
}

static void take_first(struct survey *survey, struct maui_sim_job *job)
{
	if (job->part)
		survey->why_not = "it has parts of jobs";
	else if (survey->count > 0 && job->submit_s < survey->last_submit_s)
		survey->why_not = "its jobs are not in order of submission";
	survey->last_submit_s = job->submit_s;
	survey->count++;
	maui_swf_limit_run(job);
	take_example(survey, job);
}

static int survey_all(const char *path, const struct maui_sim_complaints *complaints,
		      struct survey *survey, struct maui_err *err)
{
	struct maui_sim_job job;
	struct maui_swf swf;
	int rc;

	if (maui_swf_open(&swf, survey->trace, path, complaints, err))
		return -1;
	while ((rc = maui_swf_next(&swf, &job, err)) > 0)
		take_first(survey, &job);
	maui_swf_close(&swf);
	maui_hashtable_finish(&survey->by_creds);
	return rc;
}

int maui_sim_stream_open(const char *path, const struct maui_sim_complaints *complaints,
			 struct maui_sim_trace *trace, struct maui_sim_stream **ret,
			 struct maui_err *err)
{
	struct maui_sim_stream *stream;
	struct survey survey = { 0 };
	struct stat st;

	*ret = NULL;
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	stream = maui_need_list(1, sizeof(*stream));
	stream->path = path;
	stream->trace = trace;
	survey.trace = &stream->examples;
	if (survey_all(path, complaints, &survey, err)) {
		maui_sim_stream_close(stream);
		return -1;
	}
	stream->why_not = survey.why_not;
	trace->max_procs = stream->examples.max_procs;
	trace->epoch_s = stream->examples.epoch_s;
	trace->count = survey.count;
	trace->streamed = true;
	*ret = stream;
	return 0;
}

void maui_sim_stream_close(struct maui_sim_stream *stream)
{
	if (!stream)
		return;
	maui_swf_close(&stream->swf);
	maui_sim_trace_finish(&stream->examples);
	free(stream->jobs);
	stream->trace->jobs = NULL;
	free(stream);
}

bool maui_sim_stream_suits(struct maui_sim_stream *stream, struct maui_sim_cluster *cluster,
			   const struct maui_config *config, const struct maui_sim_options *options,
			   const char **ret_why_not)
{
	struct maui_sim_trace *examples = &stream->examples;
	bool suits;

	for (size_t i = 0; i < examples->count; i++)
		maui_sim_settle(&examples->jobs[i], cluster, config, &examples->arena);
	suits = maui_sim_quick_suits(cluster, examples, config, options);
	*ret_why_not = suits ? stream->why_not : NULL;
	return suits && !stream->why_not;
}

/* ---- the jobs ---- */

int maui_sim_stream_begin(struct maui_sim_stream *stream, const struct maui_sim_cluster *cluster,
			  const struct maui_config *config, maui_sim_take_fn take, void *data,
			  struct maui_err *err)
{
	stream->cluster = cluster;
	stream->config = config;
	stream->procs = (int64_t)cluster->conf.snapshot->totals.procs;
	stream->take = take;
	stream->data = data;
	if (maui_swf_open(&stream->swf, stream->trace, stream->path, NULL, err))
		return -1;
	maui_sim_stream_more(stream);
	return maui_sim_stream_check(stream, err);
}

/* Adds a job behind those that are held. */
static void hold_job(struct maui_sim_stream *stream, const struct maui_sim_job *job)
{
	struct maui_sim_trace *trace = stream->trace;

	if (stream->gone > 0 && stream->gone >= trace->held &&
	    stream->gone + trace->held == stream->alloc) {
		memmove(stream->jobs, trace->jobs, trace->held * sizeof(*job));
		stream->gone = 0;
	}
	stream->jobs = maui_need_more(stream->jobs, stream->gone + trace->held, &stream->alloc,
				      sizeof(*stream->jobs));
	trace->jobs = stream->jobs + stream->gone;
	trace->jobs[trace->held] = *job;
	trace->jobs[trace->held].start_s = -1;
	trace->jobs[trace->held++].reserved_s = -1;
}

static int read_job(struct maui_sim_stream *stream)
{
	struct maui_sim_trace *trace = stream->trace;
	struct maui_sim_job job;
	int rc = maui_swf_next(&stream->swf, &job, &stream->err);

	if (rc <= 0)
		return rc;
	if (job.part || job.submit_s < stream->read_submit_s)
		return maui_err_set(&stream->err, "%s: changed while maui-sim read it",
				    stream->path);
	stream->read_submit_s = job.submit_s;
	if (job.procs > stream->procs) { /* it could never start */
		trace->dropped++;
		trace->count--;
		return 1;
	}
	maui_swf_limit_run(&job);
	maui_sim_settle(&job, stream->cluster, stream->config, &trace->arena);
	stream->last_submit_s = job.submit_s;
	hold_job(stream, &job);
	return 1;
}

void maui_sim_stream_more(struct maui_sim_stream *stream)
{
	size_t wanted = stream->trace->held + BATCH;
	int rc = 1;

	while (!stream->at_end && stream->trace->held < wanted && rc > 0)
		rc = read_job(stream);
	stream->failed |= rc < 0;
	stream->at_end |= rc <= 0;
	if (stream->at_end)
		stream->trace->count = maui_sim_trace_end(stream->trace);
}

int maui_sim_stream_check(const struct maui_sim_stream *stream, struct maui_err *err)
{
	return stream->failed ? maui_err_set(err, "%s", stream->err.text) : 0;
}

int64_t maui_sim_stream_last_submit(const struct maui_sim_stream *stream)
{
	return stream->at_end ? stream->last_submit_s : MAUI_NEVER;
}

void maui_sim_stream_retire(struct maui_sim_stream *stream, size_t arrived, int64_t now_s)
{
	struct maui_sim_trace *trace = stream->trace;
	int64_t last_s = maui_sim_stream_last_submit(stream);

	for (; trace->held > 0 && trace->first < arrived; trace->held--, trace->first++) {
		const struct maui_sim_job *job = trace->jobs;

		if (now_s != MAUI_NEVER && (job->start_s < 0 || job->start_s + job->run_s > now_s))
			return;
		stream->take(stream->data, job, last_s);
		trace->jobs = stream->jobs + ++stream->gone;
	}
}
