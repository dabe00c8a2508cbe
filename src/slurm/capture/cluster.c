/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.c - runs the steps of a capture */

#include "slurm/capture/private.h"

#include "base/bulk.h"
#include "slurm/capture/preemption.h"

/* A capture starts again after a reconfigure, so many times. */
enum { MOST_TRIES = 3 };

static enum maui_draft_result run_steps(struct maui_draft *draft, const struct maui_config *config,
					struct maui_err *err)
{
	enum maui_draft_result result = maui_draft_read_nodes(draft);

	if (result == MAUI_DRAFT_DONE)
		result = maui_draft_read_network(draft);
	if (result == MAUI_DRAFT_DONE)
		result = maui_draft_read_queue(draft);
	if (result == MAUI_DRAFT_DONE)
		result = maui_draft_build(draft, config, err);
	if (result == MAUI_DRAFT_DONE)
		result = maui_draft_read_reservations(draft);
	if (result == MAUI_DRAFT_DONE && maui_preemption_ask(draft->cluster))
		result = MAUI_DRAFT_NO_MEMORY;
	return result == MAUI_DRAFT_DONE ? maui_draft_read_active(draft) : result;
}

static enum maui_draft_result try_once(const struct maui_config *config,
				       const struct maui_mirrors *mirrors, struct maui_cluster *ret,
				       struct maui_captured_jobs *ret_jobs, struct maui_err *err)
{
	struct maui_draft draft = { .cluster = ret, .jobs = ret_jobs, .mirrors = mirrors };
	enum maui_draft_result result;

	ret->now_s = ret_jobs->now_s = time(NULL);
	ret_jobs->config = config;
	result = run_steps(&draft, config, err);
	maui_bulk_free(draft.nodes, draft.node_room * sizeof(*draft.nodes));
	free(draft.gres);
	free(draft.licenses);
	free(draft.job_ids);
	for (uint32_t i = 0; i < draft.share_count; i++) {
		FREE_NULL_BITMAP(draft.shares[i].nodes);
		FREE_NULL_BITMAP(draft.shares[i].cores);
	}
	free(draft.shares);
	maui_admission_unref(draft.admission);
	maui_arena_finish(&draft.arena);
	return result;
}

int maui_cluster_capture(const struct maui_config *config, const struct maui_mirrors *mirrors,
			 struct maui_cluster *ret, struct maui_captured_jobs *ret_jobs,
			 struct maui_err *err)
{
	enum maui_draft_result result = MAUI_DRAFT_CHANGED;

	maui_err_set(err, "no memory for a snapshot of the cluster");
	for (int i = 0; i < MOST_TRIES && result == MAUI_DRAFT_CHANGED; i++) {
		struct maui_hold_times reads = ret->reads;

		maui_cluster_finish(ret);
		maui_captured_jobs_finish(ret_jobs);
		ret->reads = i > 0 ? reads : ret->reads;
		result = try_once(config, mirrors, ret, ret_jobs, err);
	}
	if (result == MAUI_DRAFT_DONE)
		return 0;
	if (result == MAUI_DRAFT_CHANGED)
		maui_err_set(err, "nodes or partitions changed while they were read, %d times",
			     MOST_TRIES);
	if (result == MAUI_DRAFT_FOREIGN)
		maui_err_set(err, "job records are of another build of Slurm");
	maui_cluster_finish(ret);
	return -1;
}

void maui_cluster_finish(struct maui_cluster *cluster)
{
	maui_snapshot_destroy(cluster->snapshot);
	maui_arena_finish(&cluster->arena);
	*cluster = (struct maui_cluster){ 0 };
}
