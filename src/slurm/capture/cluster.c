/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.c - runs the steps of a capture, and finds gres, licences and reservations in a captured
 * cluster
 */

#include "slurm/capture/private.h"

#include <stdatomic.h>

#include "base/bulk.h"
#include "base/hash.h"
#include "slurm/capture/preemption.h"

/* A capture starts again after a reconfigure, so many times. */
enum { MOST_TRIES = 3 };

static atomic_uint_fast64_t changes;

void maui_cluster_table_changed(void)
{
	atomic_fetch_add(&changes, 1);
}

/* slurmctld reports a reconfigure. Nodes made and deleted while it runs show in the stamp of the
 * partitions, which are built again then. */
uint64_t maui_cluster_table(void)
{
	uint64_t hash = maui_hash_mix(1, atomic_load(&changes));

	hash = maui_hash_mix(hash, (uint64_t)slurm_conf.last_update);
	hash = maui_hash_mix(hash, (uint64_t)last_part_update);
	hash = maui_hash_mix(hash, (uint64_t)node_record_count);
	return maui_hash_mix(hash, (uintptr_t)node_record_table_ptr);
}

bool maui_cluster_is_current(uint64_t table)
{
	return maui_cluster_table() == table;
}

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

/* Whether an amount is called KIND/NAME or KIND/NAME:TYPE. */
static bool is_called(const char *amount, const char *kind, const char *name, const char *type)
{
	size_t kind_length = strlen(kind), name_length = strlen(name);

	if (strncmp(amount, kind, kind_length) != 0 ||
	    strncmp(amount + kind_length, name, name_length) != 0)
		return false;
	amount += kind_length + name_length;
	if (!type || !*type)
		return *amount == '\0';
	return *amount == ':' && strcmp(amount + 1, type) == 0;
}

static int find_amount(const struct maui_cluster *cluster, const char *kind, const char *name,
		       const char *type)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; name && d < cluster->amount_count; d++)
		if (is_called(cluster->amounts[d], kind, name, type))
			return (int)d;
	return -1;
}

int maui_cluster_gres(const struct maui_cluster *cluster, const char *name, const char *type)
{
	return find_amount(cluster, "gres/", name, type);
}

int maui_cluster_license(const struct maui_cluster *cluster, const char *name)
{
	return find_amount(cluster, "license/", name, NULL);
}

int64_t maui_cluster_partition(const struct maui_cluster *cluster, const char *name)
{
	const struct maui_snapshot *s = cluster->snapshot;

	for (uint32_t i = 0; name && i < s->partition_count; i++)
		if (strcmp(s->partitions[i].name, name) == 0)
			return i;
	return -1;
}

const struct maui_cluster_reservation *maui_cluster_reservation(const struct maui_cluster *cluster,
								const char *name)
{
	for (uint32_t i = 0; name && i < cluster->reservation_count; i++)
		if (strcmp(cluster->reservations[i].name, name) == 0)
			return &cluster->reservations[i];
	return NULL;
}

int64_t maui_cluster_claim(const struct maui_cluster *cluster, const char *reservation)
{
	const struct maui_cluster_reservation *found =
		maui_cluster_reservation(cluster, reservation);

	return found ? found->claim : -1;
}
