/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.c - generic resources and licences of a request
 *
 * A gres counts twice: as any gres of its name, and as one of its type. Counts by node, socket and
 * task (--gpus-per-node, --gpus-per-socket, --gpus-per-task) are about the same gres, not one more
 * each. A count for the whole job alone (--gpus) is spread evenly over as few nodes as can have it.
 * Slurm may spread it otherwise: then a start needs only one on each node.
 *
 * Rules: BF-28.
 */

#include "slurm/compat.h"

#include "base/hash.h"
#include "model/gres.h"
#include "slurm/request/job_gres.h"
#include "slurm/request/request.h"

/* ---- what the nodes of a partition can give ---- */

static struct maui_request_supply *find_entry(struct maui_request_site *site, uint32_t partition,
					      unsigned dimension, struct maui_gres_along along)
{
	uint64_t hash = maui_hash_mix(maui_hash_mix(partition, dimension), along.procs);

	hash = maui_hash_mix(hash, along.memory);
	return &site->supplies[(hash ^ hash >> 32) % MAUI_REQUEST_SUPPLIES];
}

static bool is_about(const struct maui_request_supply *entry, uint32_t partition,
		     unsigned dimension, struct maui_gres_along along)
{
	return entry->dimension == dimension && entry->partition == partition &&
	       entry->along.procs == along.procs && entry->along.memory == along.memory;
}

/* What the nodes of a partition can give of a gres, as counted before for the same question: few
 * questions are asked, and each costs a look at all node classes. -1: that would take too long, the
 * snapshot does not know the partition, or no memory. */
static int ask_supply(struct maui_request_site *site, const char *name, unsigned dimension,
		      struct maui_gres_along along, struct maui_gres_supply *ret)
{
	const struct maui_snapshot *s = site->cluster->snapshot;
	int64_t partition = maui_snapshot_find_partition(site->cluster->snapshot, name);
	uint64_t left = MAUI_REQUEST_WORK_OF_A_JOB;
	struct maui_request_supply *entry;

	if (partition < 0)
		return -1;
	entry = find_entry(site, (uint32_t)partition, dimension, along);
	if (!is_about(entry, (uint32_t)partition, dimension, along)) {
		if (!maui_request_may_work(site, &left, s->class_count) ||
		    maui_gres_supply(s, (uint32_t)partition, dimension, along,
				     &site->cluster->arena, &entry->supply))
			return -1;
		entry->partition = (uint32_t)partition;
		entry->dimension = dimension;
		entry->along = along;
	}
	*ret = entry->supply;
	return 0;
}

/* ---- one entry of a job's list ---- */

enum { UNKNOWN = -1 };

struct ask {
	struct maui_request_site *site;
	const job_record_t *job_ptr;
	const part_record_t *part_ptr;
	struct maui_request *request;
	bool memory; /* memory is counted by gres: the default is taken back */
};

static int64_t add(int64_t a, int64_t b)
{
	return a > MAUI_REQUEST_MOST - b ? MAUI_REQUEST_MOST : a + b;
}

/* For --gpus: how the count is dealt out, which may need more nodes. */
static struct maui_gres_share deal(const struct ask *ask, int dimension, uint64_t count,
				   struct maui_gres_along along)
{
	struct maui_request *r = ask->request;
	struct maui_gres_supply supply = { 0 };
	struct maui_gres_share share;

	if (dimension >= 0 &&
	    ask_supply(ask->site, ask->part_ptr->name, (unsigned)dimension, along, &supply)) {
		/* too many supplies are being asked for */
		r->asks_slurm = true;
		return (struct maui_gres_share){ .by_node = 1, .nodes_min = r->nodes_min };
	}
	share = maui_gres_deal(count, &supply, r->tasks, r->nodes_min, r->nodes_max);
	ask->site->uneven |= share.uneven;
	return maui_gres_use_share(share, ask->site->describes_least, r);
}

/* Adds processors and memory that come with a count of gres on each node, or for each task. */
static void add_gres_share(struct ask *ask, struct maui_gres_along along, int64_t by_node,
			   int64_t by_task)
{
	const struct maui_request_site *site = ask->site;
	struct maui_request *r = ask->request;
	int64_t node_cpus = maui_request_times((uint64_t)by_node, along.procs);
	int64_t task_cpus = maui_request_times((uint64_t)by_task, along.procs);

	if (node_cpus > site->per_node[MAUI_AMOUNT_PROCS])
		site->per_node[MAUI_AMOUNT_PROCS] = node_cpus;
	if (task_cpus > r->procs_per_task)
		r->procs_per_task = task_cpus > INT32_MAX ? INT32_MAX : (uint32_t)task_cpus;
	if (along.memory == 0 || site->cluster->snapshot->amount_count <= MAUI_AMOUNT_MEM)
		return;
	if (!ask->memory) {
		ask->memory = true;
		site->per_node[MAUI_AMOUNT_MEM] = site->per_task[MAUI_AMOUNT_MEM] = 0;
		site->per_proc[MAUI_AMOUNT_MEM] = 0;
		if (ask->job_ptr->details->pn_min_memory == 0 && !site->cluster->rules.linear)
			r->whole_nodes = ask->part_ptr->max_share == 0 || ask->job_ptr->reboot ||
					 maui_compat_is_exclusive(ask->job_ptr);
	}
	site->per_node[MAUI_AMOUNT_MEM] = add(site->per_node[MAUI_AMOUNT_MEM],
					      maui_request_times((uint64_t)by_node, along.memory));
	site->per_task[MAUI_AMOUNT_MEM] = add(site->per_task[MAUI_AMOUNT_MEM],
					      maui_request_times((uint64_t)by_task, along.memory));
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Adds a count for the whole job; 0: the amount is asked for otherwise, so that the whole job's is
 * not known. */
static void add_job_count(const struct maui_request_site *site, unsigned d, int64_t count)
{
	int64_t *sum = &site->per_job[d];

	*sum = count == 0 || *sum == UNKNOWN ? UNKNOWN : add(*sum, count);
}

/* --gpus-per-socket: slurmctld may take fewer of a node than of all its sockets, but no fewer than
 * of one. */
static void lower_to_socket(struct maui_request_site *site, const gres_job_state_t *gres,
			    struct maui_gres_ask *asks)
{
	int64_t least = larger(maui_request_times(gres->gres_per_socket, 1),
			       maui_request_times(gres->gres_per_node, 1));

	if (gres->gres_per_socket == 0 || asks->by_node <= least)
		return;
	site->uneven = true;
	if (site->describes_least)
		asks->by_node = least;
}

static int add_gres(void *x, void *arg)
{
	const gres_state_t *state = x;
	const gres_job_state_t *gres = state->gres_data;
	struct ask *ask = arg;
	struct maui_request_site *site = ask->site;
	struct maui_gres_along along;
	int any, typed;
	struct maui_gres_ask asks;

	if (!gres || !state->gres_name)
		return 0;
	any = maui_cluster_gres(site->cluster, state->gres_name, NULL);
	typed = gres->type_name ?
			maui_cluster_gres(site->cluster, state->gres_name, gres->type_name) :
			-1;
	along.procs = maui_job_gres_cpus(ask->job_ptr, ask->part_ptr, state->gres_name, gres);
	along.memory =
		site->cluster->rules.memory ?
			maui_job_gres_memory(ask->job_ptr, ask->part_ptr, state->gres_name, gres) :
			0;
	asks = maui_job_gres_ask(ask->job_ptr, gres);
	lower_to_socket(site, gres, &asks);
	if (asks.by_node == 0 && asks.by_task == 0 && asks.by_job > 0) {
		struct maui_gres_share share =
			deal(ask, typed >= 0 ? typed : any, (uint64_t)asks.by_job, along);

		asks.by_task = maui_request_times(share.by_task, 1);
		asks.by_node = maui_request_times(share.by_node, 1);
		site->gres_procs = larger(site->gres_procs,
					  maui_request_times((uint64_t)asks.by_job, along.procs));
		site->per_job[MAUI_AMOUNT_PROCS] = site->gres_procs;
	}
	for (int i = 0; i < 2; i++) {
		int d = i ? typed : any;

		if (d < 0)
			continue;
		if (!asks.consumed) {
			site->least[d] =
				add(site->least[d], asks.by_node ? asks.by_node : asks.by_task);
			continue;
		}
		site->per_node[d] = add(site->per_node[d], asks.by_node);
		site->per_task[d] = add(site->per_task[d], asks.by_task);
		add_job_count(site, (unsigned)d, asks.by_job);
	}
	add_gres_share(ask, along, asks.by_node, asks.by_task);
	if (along.memory > 0 && site->cluster->snapshot->amount_count > MAUI_AMOUNT_MEM)
		add_job_count(site, MAUI_AMOUNT_MEM,
			      maui_request_times((uint64_t)asks.by_job, along.memory));
	return 0;
}

void maui_request_gres(struct maui_request_site *site, const struct job_record *job_ptr,
		       const void *part_ptr, struct maui_request *request)
{
	struct ask ask = {
		.site = site, .job_ptr = job_ptr, .part_ptr = part_ptr, .request = request
	};

	if (ask.job_ptr->gres_list_req)
		list_for_each(ask.job_ptr->gres_list_req, add_gres, &ask);
	for (unsigned d = 0; d < site->cluster->snapshot->amount_count; d++)
		if (site->per_job[d] == UNKNOWN)
			site->per_job[d] = 0;
}

void maui_request_licenses(const struct maui_request_site *site, const struct job_record *job_ptr,
			   const char *reservation, struct maui_request *request)
{
	const struct maui_cluster_reservation *own =
		reservation ? maui_cluster_reservation(site->cluster, reservation) : NULL;
	maui_compat_iterator_t iterator;
	const licenses_t *license;

	if (!job_ptr->license_list)
		return;
	request->global_claim = own ? own->global_claim : 0;
	iterator = list_iterator_create(job_ptr->license_list);
	while ((license = list_next(iterator))) {
		int d = maui_cluster_license(site->cluster, license->name);

		if (!maui_compat_is_plain_license(license))
			request->asks_slurm = true;
		else if (d >= 0)
			site->global[d] = add(site->global[d], license->total);
	}
	list_iterator_destroy(iterator);
}
