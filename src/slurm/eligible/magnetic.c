/* SPDX-License-Identifier: GPL-2.0-or-later */
/* magnetic.c - chooses among the reservations of a list, and among magnetic ones */

#include "slurm/compat.h"

#include "slurm/eligible/magnetic.h"

#include "slurm/capture/jobs.h"
#include "slurm/eligible/eligible.h"
#include "slurm/request/request.h"

static bool is_in_force(const slurmctld_resv_t *resv_ptr, time_t now)
{
	return resv_ptr->node_bitmap && resv_ptr->start_time <= now && now < resv_ptr->end_time &&
	       !(resv_ptr->flags & RESERVE_FLAG_TIME_FLOAT);
}

/* Idle nodes of the reservation in the job's partition that have the features, processors and
 * memory which the job asks for on each node; 0 where they are fewer than `least`. Jobs of a FLEX
 * reservation may have other nodes as well. */
static int64_t idle_nodes(const slurmctld_resv_t *resv_ptr, job_record_t *job_ptr, uint32_t least)
{
	const part_record_t *part_ptr = job_ptr->part_ptr;
	bitstr_t *idle;
	int64_t count;

	if (!part_ptr || !part_ptr->node_bitmap)
		return 0;
	idle = bit_copy(part_ptr->node_bitmap);
	if (!(resv_ptr->flags & RESERVE_FLAG_FLEX))
		bit_and(idle, resv_ptr->node_bitmap);
	bit_and(idle, idle_node_bitmap);
	bit_and(idle, avail_node_bitmap);
	count = bit_set_count(idle);
	if (count >= least && count > 0)
		count = job_req_node_filter(job_ptr, idle, true) == SLURM_SUCCESS ?
				bit_set_count(idle) :
				0;
	bit_free(idle);
	return count >= least ? count : 0;
}

static int is_magnetic(void *x, void *arg)
{
	const slurmctld_resv_t *resv_ptr = x;

	(void)arg;
	return (resv_ptr->flags & RESERVE_FLAG_MAGNETIC) != 0;
}

bool maui_magnetic_exist(void)
{
	return resv_list && list_find_first(resv_list, is_magnetic, NULL);
}

/* Slurm's queue records of the magnetic reservations that admit the job. NULL: no magnetic
 * reservation exists. */
static maui_compat_list_t list_magnetic(job_record_t *job_ptr)
{
	job_queue_req_t request = { .job_ptr = job_ptr, .part_ptr = job_ptr->part_ptr };

	if (job_ptr->resv_name || job_ptr->resv_list || !maui_magnetic_exist())
		return NULL;
	request.job_queue = list_create(xfree_ptr);
	job_resv_append_magnetic(&request);
	return request.job_queue;
}

static int list_idle_resources(struct maui_idle_resources *room)
{
	const struct maui_cluster *cluster = room->site->cluster;
	const struct maui_snapshot *s = cluster->snapshot;

	if (room->procs)
		return 0;
	room->memory = maui_arena_alloc(room->arena, (s->node_count + 1u) * sizeof(int64_t));
	room->procs = maui_arena_alloc(room->arena, (s->node_count + 1u) * sizeof(int64_t));
	if (!room->procs || !room->memory) {
		room->procs = NULL;
		return -1;
	}
	for (uint32_t n = 0; n < s->node_count; n++) {
		room->procs[n] = s->nodes[n].have[MAUI_AMOUNT_PROCS];
		room->memory[n] = s->nodes[n].have[MAUI_AMOUNT_MEM];
	}
	for (uint32_t i = 0; i < cluster->active_count; i++)
		for (uint32_t k = 0; k < cluster->active[i].piece_count; k++) {
			const struct maui_piece *piece = &cluster->active[i].pieces[k];

			room->procs[piece->node] -= piece->amounts[MAUI_AMOUNT_PROCS];
			room->memory[piece->node] -= piece->amounts[MAUI_AMOUNT_MEM];
		}
	return 0;
}

/* Whether the job shares nodes, and its needs on one node are plain numbers of processors and
 * memory. */
static bool is_simple(const job_record_t *job_ptr, const struct maui_cluster_rules *rules)
{
	const maui_compat_details_t *details = job_ptr->details;

	return !rules->linear && !details->whole_node && details->share_res != 0 &&
	       !job_ptr->gres_list_req && !details->features && !details->req_node_bitmap &&
	       !details->exc_node_bitmap && details->core_spec == NO_VAL16 && job_ptr->part_ptr &&
	       job_ptr->part_ptr->max_share != 0 && (!rules->memory || details->pn_min_memory != 0);
}

/* Whether a node of the reservation has enough free resources for the job. Each task is counted
 * with a whole core. */
static bool has_free_node(struct maui_idle_resources *room, const job_record_t *job_ptr,
			  const slurmctld_resv_t *resv_ptr)
{
	const struct maui_request_site *site = room->site;
	const struct maui_cluster_rules *rules = &site->cluster->rules;
	uint64_t memory = job_ptr->details->pn_min_memory;
	int64_t procs = (int64_t)job_ptr->details->min_cpus * (site->threads ? site->threads : 1);
	int64_t end = bit_size(resv_ptr->node_bitmap);

	if (!(resv_ptr->ctld_flags & RESV_CTLD_FULL_NODE) || !is_simple(job_ptr, rules) ||
	    list_idle_resources(room))
		return false;
	if (memory & MEM_PER_CPU)
		memory = (memory & ~MEM_PER_CPU) * (uint64_t)procs;
	for (int64_t i = 0; i < end && i < site->node_count; i++) {
		int32_t n = site->index_of[i];

		if (n >= 0 && bit_test(resv_ptr->node_bitmap, i) &&
		    bit_test(job_ptr->part_ptr->node_bitmap, i) && bit_test(avail_node_bitmap, i) &&
		    bit_test(share_node_bitmap, i) && !bit_test(cg_node_bitmap, i) &&
		    room->procs[n] >= procs &&
		    (!rules->memory || room->memory[n] >= (int64_t)memory))
			return true;
	}
	return false;
}

static bool has_room(struct maui_idle_resources *room, job_record_t *job_ptr, uint32_t nodes_min,
		     const slurmctld_resv_t *resv_ptr)
{
	return idle_nodes(resv_ptr, job_ptr, nodes_min > 0 ? nodes_min : 1) > 0 ||
	       (nodes_min <= 1 && has_free_node(room, job_ptr, resv_ptr));
}

static bool is_closed(const struct maui_reservation_choice *choice, const job_record_t *job_ptr,
		      const slurmctld_resv_t *resv_ptr)
{
	return choice->questions->is_closed(choice->questions->data,
					    maui_capture_fingerprint(job_ptr), resv_ptr->name);
}

static void enter(job_record_t *job_ptr, slurmctld_resv_t *resv_ptr)
{
	job_ptr->resv_ptr = resv_ptr;
	job_ptr->resv_id = resv_ptr->resv_id;
	if ((job_ptr->bit_flags & JOB_PART_ASSIGNED) && resv_ptr->part_ptr)
		job_ptr->part_ptr = resv_ptr->part_ptr;
}

/* Chooses the first reservation of the list that is in force and has room now, as Slurm's own
 * schedulers do; else the one in force with the most idle nodes, among equals the first. Closed
 * ones come last. */
static const char *choose_of_list(job_record_t *job_ptr, uint32_t nodes_min,
				  const struct maui_reservation_choice *choice)
{
	maui_compat_iterator_t iterator = list_iterator_create(job_ptr->resv_list);
	slurmctld_resv_t *resv_ptr, *best = NULL;
	time_t now = time(NULL);
	int64_t most = -1;

	while ((resv_ptr = list_next(iterator))) {
		bool in_force = is_in_force(resv_ptr, now) && !is_closed(choice, job_ptr, resv_ptr);
		int64_t idle = in_force ? idle_nodes(resv_ptr, job_ptr, 1) + 1 : 0;

		if (idle > most) {
			most = idle;
			best = resv_ptr;
		}
		if (in_force && has_room(choice->room, job_ptr, nodes_min, resv_ptr)) {
			best = resv_ptr;
			break;
		}
	}
	list_iterator_destroy(iterator);
	if (!best)
		return job_ptr->resv_name;
	enter(job_ptr, best);
	return best->name;
}

const char *maui_magnetic_choose(struct job_record *job_ptr, uint32_t nodes_min,
				 const struct maui_reservation_choice *choice)
{
	maui_compat_list_t list;
	job_queue_rec_t *queued;
	const char *name = NULL;
	time_t now = time(NULL);

	if (job_ptr->resv_list)
		return choose_of_list(job_ptr, nodes_min, choice);
	if (job_ptr->resv_name)
		return job_ptr->resv_name;
	list = list_magnetic(job_ptr);
	while (list && !name && (queued = list_pop(list))) {
		if (is_in_force(queued->resv_ptr, now) &&
		    has_room(choice->room, job_ptr, nodes_min, queued->resv_ptr) &&
		    !is_closed(choice, job_ptr, queued->resv_ptr))
			name = queued->resv_ptr->name;
		xfree(queued);
	}
	FREE_NULL_LIST(list);
	return name;
}

static bool has_all(const slurmctld_resv_t *resv_ptr, const uint32_t *nodes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (nodes[i] >= bit_size(resv_ptr->node_bitmap) ||
		    !bit_test(resv_ptr->node_bitmap, nodes[i]))
			return false;
	return count > 0;
}

bool maui_eligible_attract(struct job_record *job_ptr, const uint32_t *nodes, uint32_t count)
{
	maui_compat_list_t list = list_magnetic(job_ptr);
	job_queue_rec_t *queued;
	time_t now = time(NULL);
	bool found = false;

	while (list && !found && (queued = list_pop(list))) {
		if (is_in_force(queued->resv_ptr, now) && has_all(queued->resv_ptr, nodes, count)) {
			job_queue_rec_magnetic_resv(queued);
			found = true;
		}
		xfree(queued);
	}
	FREE_NULL_LIST(list);
	return found;
}
