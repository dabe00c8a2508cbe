/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inexact.c - what Slurm looks at when it places a job, and a request does not describe
 *
 * Such a request is marked (asks_slurm), and its amounts are lowered to the least that the job
 * could need: a plan may be wrong about where and when such a job runs, not about whether it can.
 *
 * Rules: BF-28, BF-32.
 */

#include "slurm/compat.h"

#include "slurm/request/given.h"
#include "slurm/request/request.h"

static int has_changeable(void *x, void *arg)
{
	const job_feature_t *feature = x;

	*(bool *)arg |= feature->changeable;
	return 0;
}

/* Features that a reboot of a node can change, and features that the job prefers: one set after the
 * other is tried. */
static bool has_open_features(const job_record_t *job_ptr)
{
	bool changeable = false;

	if (job_ptr->details->prefer)
		return true;
	if (job_ptr->details->feature_list)
		list_for_each(job_ptr->details->feature_list, has_changeable, &changeable);
	return changeable;
}

/* Sockets of nodes, and tasks on them. */
static bool asks_for_sockets(const job_record_t *job_ptr, const part_record_t *part_ptr)
{
	const multi_core_data_t *mc = job_ptr->details->mc_ptr;

	return maui_compat_limits_sockets(part_ptr) ||
	       (mc && (maui_given16(mc->sockets_per_node) || maui_given16(mc->cores_per_socket) ||
		       maui_given16(mc->ntasks_per_socket)));
}

/* Gres of each socket, next to its cores, or shares of one (shard, mps). */
static int is_placed_gres(void *x, void *arg)
{
	const gres_state_t *state = x;
	const gres_job_state_t *gres = state->gres_data;

	*(bool *)arg |= gres && (gres->gres_per_socket > 0 || gres_id_sharing(state->plugin_id));
	return 0;
}

static bool asks_for_placed_gres(const struct maui_request_site *site, const job_record_t *job_ptr)
{
	bool placed = site->keeps_gres || (job_ptr->bit_flags & GRES_ENFORCE_BIND);

	if (!job_ptr->gres_list_req)
		return false;
	if (!placed)
		list_for_each(job_ptr->gres_list_req, is_placed_gres, &placed);
	return placed;
}

/* Jobs with a label share nodes with jobs of the same label. */
static bool has_label(const job_record_t *job_ptr)
{
	return job_ptr->mcs_label && slurm_mcs_get_select((job_record_t *)job_ptr) == 1;
}

/* A range of nodes (-N1-3): Slurm gives as many as are free. */
static bool takes_what_is_free(const struct maui_request_site *site, const struct maui_request *r)
{
	return r->nodes_named && r->nodes_max > r->nodes_min && !site->cluster->rules.fewest_nodes;
}

/* Takes switches and segments out of a request for nodes of another network. */
static bool lies_elsewhere(const part_record_t *part_ptr, struct maui_request *r)
{
	if (!maui_compat_has_other_network(part_ptr))
		return false;
	r->switches_max = r->segment = 0;
	return r->nodes_min > 1 || r->nodes_max != 1;
}

/* --core-spec and --thread-spec change how many processors of a node the job may use, and give it
 * the whole node. Counts the nodes that all their processors are enough for. */
static void lower_to_nodes(const struct maui_request_site *site, struct maui_request *r)
{
	uint64_t procs = r->tasks * r->procs_per_task, nodes;

	if (site->node_procs > 0) {
		nodes = (procs + (uint64_t)site->node_procs - 1) / (uint64_t)site->node_procs;
		if (nodes > r->nodes_min && (r->nodes_max == 0 || nodes <= r->nodes_max))
			r->nodes_min = (uint32_t)nodes;
	}
	r->whole_nodes = true;
	r->tasks = 0;
	r->tasks_per_node_min = r->tasks_per_node_max = 0;
	r->procs_per_task = 1;
	r->threads_used = 0;
	site->per_node[MAUI_AMOUNT_PROCS] = 0;
}

bool maui_request_shares_cores(const struct job_record *job_ptr, const void *partition)
{
	const part_record_t *part_ptr = partition;

	if ((part_ptr->max_share & ~SHARED_FORCE) < 2 || maui_compat_is_exclusive(job_ptr) ||
	    job_ptr->reboot || xstrcmp(slurm_conf.select_type, "select/linear") == 0)
		return false;
	return (part_ptr->max_share & SHARED_FORCE) || job_ptr->details->share_res == 1;
}

void maui_request_mark(const struct maui_request_site *site, const struct job_record *job_ptr,
		       const void *partition, struct maui_request *r)
{
	const part_record_t *part_ptr = partition;
	bool specialized = job_ptr->details->core_spec != NO_VAL16;

	if (specialized)
		lower_to_nodes(site, r);
	r->shares_procs = maui_request_shares_cores(job_ptr, part_ptr);
	r->asks_slurm |= specialized || r->shares_procs || lies_elsewhere(part_ptr, r) ||
			 has_open_features(job_ptr) || asks_for_sockets(job_ptr, part_ptr) ||
			 asks_for_placed_gres(site, job_ptr) || has_label(job_ptr) ||
			 takes_what_is_free(site, r) || maui_compat_has_size_list(job_ptr) ||
			 maui_compat_moves_segments(job_ptr) ||
			 maui_compat_is_exclusive_to_group(job_ptr, part_ptr);
}
