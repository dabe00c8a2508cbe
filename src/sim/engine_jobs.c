/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_jobs.c - jobs of a simulation come and go */

#include "sim/engine_private.h"
#include "base/need.h"

#include <string.h>

/* A job of a saved plan that was preempted: it asks for what it had. */
static void wait_again(struct maui_sim_engine *e, size_t index)
{
	struct maui_idle idle = *maui_sim_trace_job(e->trace, index)->again;

	idle.id = index;
	idle.blocked = MAUI_REASON_NONE;
	if (maui_snapshot_add_idle(e->snapshot, &idle) < 0)
		maui_out_of_memory();
}

static void submit(struct maui_sim_engine *e, size_t index)
{
	const struct maui_sim_job *job = maui_sim_trace_job(e->trace, index);
	const char *cred[MAUI_CRED_COUNT];
	uint32_t partition =
		maui_sim_cluster_partition(e->cluster, job->cred[MAUI_CRED_CLASS], NULL);
	int64_t creds, request = maui_sim_cluster_request(e->cluster, partition, job);
	struct maui_row row = { .partition = partition };
	struct maui_idle idle = { .id = index,
				  .copies = 1,
				  .rows = &row,
				  .row_count = 1,
				  .submit_s = job->submit_s,
				  .queue_since_s = job->submit_s,
				  .limit_s = job->limit_s,
				  .procs = job->procs,
				  .blocked =
					  job->refused ? MAUI_REASON_PARTITION : MAUI_REASON_NONE };

	memcpy(cred, job->cred, sizeof(cred));
	if (!cred[MAUI_CRED_CLASS])
		cred[MAUI_CRED_CLASS] =
			e->cluster->pool ? NULL : e->snapshot->partitions[partition].name;
	creds = maui_snapshot_creds(e->snapshot, cred);
	if (creds < 0 || request < 0)
		maui_out_of_memory();
	row.creds = (uint32_t)creds;
	idle.request = (uint32_t)request;
	idle.job.procs = (double)job->procs;
	idle.job.nodes = job->nodes;
	if (!e->cluster->pool) { /* components need nodes of their own */
		idle.het_id = job->het_id;
		idle.het_offset = job->het_offset;
		idle.het_count = job->het_count;
	}
	idle.job.mem_mb = (double)job->mem_node_mb * (job->nodes ? job->nodes : 1) +
			  (double)job->mem_proc_mb * (double)job->procs;
	idle.job.walltime_s = (double)job->limit_s;
	maui_sim_cluster_gres(e->cluster, e->config, job, &idle.job);
	if (maui_snapshot_add_idle(e->snapshot, &idle) < 0)
		maui_out_of_memory();
}

void maui_sim_jobs_keep_places(struct maui_sim_engine *e, const struct maui_active *active)
{
	struct maui_sim_job *job = maui_sim_trace_job(e->trace, active->id);
	uint32_t *places;

	if (!e->options->want_nodes)
		return;
	places = maui_need(
		maui_arena_alloc_list(&e->trace->arena, active->piece_count, sizeof(*places)));
	for (uint32_t i = 0; i < active->piece_count; i++)
		places[i] = active->pieces[i].node;
	job->places = places;
}

static void keep_places(struct maui_sim_engine *e, struct maui_sim_job *job,
			const struct maui_start *start)
{
	uint32_t *places = maui_need(
		maui_arena_alloc_list(&e->trace->arena, start->place_count, sizeof(*places)));

	for (uint32_t i = 0; i < start->place_count; i++)
		places[i] = start->places[i].node;
	job->places = places;
}

void maui_sim_jobs_arrive(struct maui_sim_engine *e, size_t index)
{
	const struct maui_sim_job *job = maui_sim_trace_job(e->trace, index);

	if (e->is_quick)
		maui_sim_quick_arrive(&e->quick, index, job->procs, job->limit_s);
	if (job->again)
		wait_again(e, index);
	else if (e->plans)
		submit(e, index);
}

/* Counts how far the start came from what was expected, once. */
static void count_start(struct maui_sim_engine *e, struct maui_sim_job *job, const char *partition)
{
	if (!job->expected)
		return;
	if (maui_statistics_add_error(&e->run->starts, partition, job->expected, e->now))
		maui_out_of_memory();
	*job->expected = (struct maui_expected){ 0 };
}

/* How long a job that starts now runs. Of a saved plan nothing but the limit is known. */
static int64_t run_time(const struct maui_sim_engine *e, const struct maui_sim_job *job,
			int64_t limit_s)
{
	if (e->options->saved)
		return maui_sim_saved_run(e->options->saved, limit_s);
	return job->limit_kind == MAUI_SIM_LIMIT_NAMED && job->run_s > limit_s ? limit_s :
										 job->run_s;
}

/* What follows from any start of a job. */
static void begin_run(struct maui_sim_engine *e, uint64_t id, int64_t limit_s, bool out_of_order)
{
	struct maui_sim_job *job = maui_sim_trace_job(e->trace, id);

	job->run_s = run_time(e, job, limit_s);
	maui_sim_ends_add(&e->ends, e->now + job->run_s, id);
	e->rsvs.moved_s = e->now;
	job->start_s = e->now;
	job->backfilled = out_of_order;
	e->run->backfilled += out_of_order;
}

void maui_sim_jobs_launch_quick(struct maui_sim_engine *e, const struct maui_sim_quick_start *start)
{
	struct maui_sim_job *job = maui_sim_trace_job(e->trace, start->job);

	begin_run(e, start->job, job->limit_s, start->out_of_order);
	job->nodes_used = 1;
}

void maui_sim_jobs_launch(struct maui_sim_engine *e, const struct maui_start *start)
{
	const struct maui_idle *idle = &e->snapshot->idle[start->job];
	struct maui_sim_job *job = maui_sim_trace_job(e->trace, idle->id);
	struct maui_active active = { .id = idle->id,
				      .start_s = e->now,
				      .job = idle->job,
				      .no_limit = job->limit_kind == MAUI_SIM_LIMIT_NONE };
	int64_t at;

	active.job.nodes = e->cluster->pool ? idle->job.nodes : start->place_count;
	active.preemptee = start->preemptible;
	active.job.soft_violation = start->soft_violation;
	active.job.queue_time_s = (double)(e->now - idle->queue_since_s);
	at = maui_snapshot_launch(e->snapshot, start, &active);
	if (at < 0)
		maui_out_of_memory();
	/* whole nodes, by the request, the partition, NODEACCESSPOLICY or DEDICATED */
	if (e->snapshot->active[at].procs > job->procs)
		job->procs_used = e->snapshot->active[at].procs;
	e->active_at[idle->id] = (uint32_t)at;
	begin_run(e, idle->id, start->limit_s, start->out_of_order);
	count_start(e, job, e->snapshot->partitions[idle->rows[start->row].partition].name);
	maui_sim_conditions_start(e, idle->id);
	job->nodes_used = start->place_count;
	if (e->options->want_nodes)
		keep_places(e, job, start);
	maui_sim_charges_start(&e->charges, idle->id, e->now);
}

/* Removes a job from the running jobs. */
void maui_sim_jobs_remove(struct maui_sim_engine *e, uint64_t id)
{
	uint32_t at = e->active_at[id];
	const struct maui_active *active = &e->snapshot->active[at];

	maui_sim_charges_end(&e->charges, e->snapshot, active, e->now);
	maui_snapshot_drop_active(e->snapshot, at);
	if (at < e->snapshot->active_count)
		e->active_at[e->snapshot->active[at].id] = at;
}

void maui_sim_jobs_end(struct maui_sim_engine *e, uint64_t id, int64_t end_s)
{
	const struct maui_sim_job *job = maui_sim_trace_job(e->trace, id);

	if (job->start_s < 0 || job->start_s + job->run_s != end_s)
		return; /* the end of a run that was preempted */
	if (e->is_quick)
		maui_sim_quick_end(&e->quick, job->procs, job->start_s + job->limit_s);
	if (e->plans)
		maui_sim_jobs_remove(e, id);
	maui_sim_conditions_end(e, id, false);
	e->ended++;
	if (e->config->planning.chunk_duration_s > 0)
		e->chunk_until_s = e->now + e->config->planning.chunk_duration_s;
}
