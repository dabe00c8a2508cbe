/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.h - a trace whose jobs are read when they arrive, and forgotten when they have ended
 *
 * For the simulations that quick.h can do, whose only results are sums and starts. A file of a year
 * then needs the memory of the jobs of a few days: those between the oldest one that has not ended
 * and the next one to arrive.
 *
 * The file is read twice. The first reading says whether its jobs are in order of submission, and
 * none is a part of another, and whether quick.h can do them. So the file is a regular one. A pipe
 * is kept in memory as a whole, as every other trace is.
 *
 * Rules: CMD-13.
 */
#ifndef MAUI_SIM_STREAM_H
#define MAUI_SIM_STREAM_H

#include <stdbool.h>

#include "base/err.h"
#include "config/config.h"
#include "sim/cluster.h"
#include "sim/engine.h"
#include "sim/trace.h"

struct maui_sim_stream;

/* Gets each job once, in the order of the trace, after its end. last_submit_s: as of
 * maui_sim_tally_add(). */
typedef void (*maui_sim_take_fn)(void *data, const struct maui_sim_job *job, int64_t last_submit_s);

/* Reads the file once. Sets what is known of the trace without its jobs, and the stream; NULL: the
 * file is none that can be read twice. */
int maui_sim_stream_open(const char *path, const struct maui_sim_complaints *complaints,
			 struct maui_sim_trace *trace, struct maui_sim_stream **ret,
			 struct maui_err *err);
/* NULL is fine. The trace has no jobs after that. */
void maui_sim_stream_close(struct maui_sim_stream *stream);

/* Whether quick.h can do this simulation of the stream's jobs. If only the file itself needs to be
 * kept as a whole, *ret_why_not says why, for the user; else it is NULL. */
bool maui_sim_stream_suits(struct maui_sim_stream *stream, struct maui_sim_cluster *cluster,
			   const struct maui_config *config, const struct maui_sim_options *options,
			   const char **ret_why_not);
/* Begins to read the jobs into the trace of maui_sim_stream_open(). They leave through `take`. */
int maui_sim_stream_begin(struct maui_sim_stream *stream, const struct maui_sim_cluster *cluster,
			  const struct maui_config *config, maui_sim_take_fn take, void *data,
			  struct maui_err *err);

/* Reads more jobs, if the file has more; an error is kept for maui_sim_stream_check(). */
void maui_sim_stream_more(struct maui_sim_stream *stream);
int maui_sim_stream_check(const struct maui_sim_stream *stream, struct maui_err *err);
/* Lets the oldest jobs go: those that have ended, of the first `arrived` of the trace. No job that
 * has not arrived was submitted before now_s. MAUI_NEVER: all that are left. */
void maui_sim_stream_retire(struct maui_sim_stream *stream, size_t arrived, int64_t now_s);

/* Submit time of the last job; MAUI_NEVER: more jobs may follow. */
int64_t maui_sim_stream_last_submit(const struct maui_sim_stream *stream);

#endif
