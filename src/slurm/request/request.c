/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.c - job_record_t to struct maui_request */

#include "slurm/compat.h"

#include "slurm/request/given.h"
#include "slurm/request/request.h"

#include "model/when.h"

static int64_t cut(uint64_t amount)
{
	return maui_request_times(amount, 1);
}

static uint64_t ratio_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

static int64_t *vector(struct maui_arena *arena, unsigned count)
{
	return maui_arena_alloc(arena, count * sizeof(int64_t));
}

static int make_room(struct maui_request_site *site, struct maui_arena *arena)
{
	unsigned amounts = site->cluster->snapshot->amount_count;
	size_t nodes = ((size_t)site->node_count + 1) * sizeof(uint32_t);

	site->index_of = maui_arena_alloc(arena, nodes);
	site->required = maui_arena_alloc(arena, nodes);
	site->excluded = maui_arena_alloc(arena, nodes);
	site->claims = maui_arena_alloc(arena, (site->cluster->snapshot->claim_count + 1u) *
						       sizeof(uint32_t));
	site->per_node = vector(arena, amounts);
	site->per_task = vector(arena, amounts);
	site->per_proc = vector(arena, amounts);
	site->per_job = vector(arena, amounts);
	site->least = vector(arena, amounts);
	site->global = vector(arena, amounts);
	if (site->index_of && site->required && site->excluded && site->claims && site->per_node &&
	    site->per_task && site->per_proc && site->per_job && site->least && site->global)
		return 0;
	return -1;
}

/* The memory of each node when all have the same, else 0. */
static int64_t common_memory(const struct maui_snapshot *s)
{
	if (s->amount_count <= MAUI_AMOUNT_MEM || s->node_count == 0)
		return 0;
	for (uint32_t n = 1; n < s->node_count; n++)
		if (s->nodes[n].have[MAUI_AMOUNT_MEM] != s->nodes[0].have[MAUI_AMOUNT_MEM])
			return 0;
	return s->nodes[0].have[MAUI_AMOUNT_MEM];
}

static int keeps_gres(void *x, void *arg)
{
	(void)arg;
	return maui_compat_keeps_gres(x);
}

int maui_request_survey(struct maui_request_site *site, struct maui_cluster *cluster,
			struct maui_arena *arena)
{
	const struct maui_snapshot *s = cluster->snapshot;
	const node_record_t *node_ptr;

	*site = (struct maui_request_site){ .cluster = cluster,
					    .node_count = (uint32_t)node_record_count,
					    .kinds.work_left = MAUI_REQUEST_WORK_OF_A_PASS,
					    .threads = 1,
					    .sockets = 1 };
	if (make_room(site, arena))
		return -1;
	for (uint32_t i = 0; i < site->node_count; i++)
		site->index_of[i] = -1;
	for (uint32_t n = 0; n < s->node_count; n++) {
		const struct maui_node *node = &s->nodes[n];

		if (node->id < site->node_count)
			site->index_of[node->id] = (int32_t)n;
		site->procs += node->have[MAUI_AMOUNT_PROCS];
	}
	site->memory = common_memory(s);
	site->keeps_gres = resv_list && list_find_first(resv_list, keeps_gres, NULL);
	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		if (node_ptr->config_ptr->cpus > site->node_procs)
			site->node_procs = node_ptr->config_ptr->cpus;
		if (node_ptr->tot_sockets > site->sockets)
			site->sockets = node_ptr->tot_sockets;
		site->mixed |= i > 0 && site->threads > 0 && node_ptr->tpc != site->threads &&
			       !cluster->rules.linear &&
			       !(slurm_conf.select_type_param & CR_SOCKET);
		if (node_ptr->tpc > site->threads && !cluster->rules.linear)
			site->threads = node_ptr->tpc;
	}
	return 0;
}

int maui_request_prepare(struct maui_request_site *site, struct maui_cluster *cluster,
			 struct maui_arena *arena)
{
	return maui_request_survey(site, cluster, arena) || maui_request_kinds_make(site) ? -1 : 0;
}

static uint32_t cpus_per_task(const job_record_t *job_ptr)
{
	return maui_given16(job_ptr->details->cpus_per_task) ? job_ptr->details->cpus_per_task : 1;
}

/* The CPUs of a core that the job uses: --hint=nomultithread, --threads-per-core,
 * --ntasks-per-core. The job still gets the other threads of the core. */
static uint32_t used_threads(const struct maui_request_site *site, const job_record_t *job_ptr)
{
	const multi_core_data_t *mc = job_ptr->details->mc_ptr;
	uint32_t used = site->threads;

	if (!mc || used <= 1)
		return used;
	if (maui_given16(mc->ntasks_per_core) &&
	    mc->ntasks_per_core * cpus_per_task(job_ptr) < used)
		used = mc->ntasks_per_core * cpus_per_task(job_ptr);
	if (maui_given16(mc->threads_per_core) && mc->threads_per_core < used)
		used = mc->threads_per_core;
	return used;
}

/* The processors of whole cores that the job needs to use this number of CPUs. */
static int64_t in_cores(const struct maui_request_site *site, const job_record_t *job_ptr,
			uint64_t cpus)
{
	uint32_t used = used_threads(site, job_ptr);

	if (used == site->threads)
		return cut(cpus);
	return maui_request_times(ratio_up(cpus, used), site->threads);
}

/* The largest number of tasks of a node, --ntasks-per-socket included; 0: any number. */
static uint32_t tasks_per_node(const struct maui_request_site *site, const job_record_t *job_ptr)
{
	const multi_core_data_t *mc = job_ptr->details->mc_ptr;
	uint64_t cpus;

	if (maui_given16(job_ptr->details->ntasks_per_node))
		return job_ptr->details->ntasks_per_node;
	if (!mc || !maui_given16(mc->ntasks_per_socket))
		return 0;
	/* whole cores of each socket, as many as its tasks want, and what tasks these can have */
	cpus = (uint64_t)mc->ntasks_per_socket * cpus_per_task(job_ptr);
	cpus = ratio_up(cpus, site->threads) * site->threads * site->sockets;
	cpus /= cpus_per_task(job_ptr);
	return cpus < UINT32_MAX ? (uint32_t)cpus : 0;
}

static void set_tasks(const struct maui_request_site *site, const job_record_t *job_ptr,
		      struct maui_request *r)
{
	const maui_compat_details_t *details = job_ptr->details;
	uint64_t cpus = maui_given32(details->min_cpus) ? details->min_cpus : 1;
	uint64_t by_node = (uint64_t)r->nodes_min *
			   (maui_given32(details->pn_min_cpus) ? details->pn_min_cpus : 1);
	uint32_t per_task = cpus_per_task(job_ptr);

	r->procs_per_task = 1;
	if (details->overcommit) { /* tasks share the processors */
		r->tasks = cpus;
		return;
	}
	r->tasks_per_node_max = tasks_per_node(site, job_ptr);
	if (maui_given32(details->num_tasks))
		r->tasks = details->num_tasks;
	else if (maui_given16(details->ntasks_per_node))
		r->tasks = (uint64_t)details->ntasks_per_node * r->nodes_min;
	else
		r->tasks = ratio_up(cpus, per_task);
	/* more CPUs than tasks want: by node (--mincpus), or it is tasks that count them */
	if (r->tasks * per_task < cpus && by_node < cpus && !r->tasks_per_node_max) {
		/* but Slurm gives no more nodes than there are tasks of the user's own */
		if (maui_given32(details->num_tasks) &&
		    (r->nodes_max == 0 || r->nodes_max > details->num_tasks))
			r->nodes_max = details->num_tasks > r->nodes_min ? details->num_tasks :
									   r->nodes_min;
		r->tasks = ratio_up(cpus, per_task);
	}
	if (maui_given16(details->ntasks_per_node))
		r->tasks_per_node_min = r->tasks < details->ntasks_per_node ?
						(uint32_t)r->tasks :
						details->ntasks_per_node;
	r->procs_per_task = (uint32_t)in_cores(site, job_ptr, per_task);
	/* depends on the node */
	if (site->mixed && used_threads(site, job_ptr) < site->threads) {
		r->procs_per_task = per_task;
		r->threads_used = used_threads(site, job_ptr);
	}
}

/* Sets processors of each node, independent of tasks, and counts requests for sizes of a node (-B,
 * --sockets) that only Slurm checks. */
static void set_node_procs(const struct maui_request_site *site, const job_record_t *job_ptr)
{
	const multi_core_data_t *mc = job_ptr->details->mc_ptr;
	uint64_t size = 1;

	if (maui_given32(job_ptr->details->pn_min_cpus) &&
	    job_ptr->details->pn_min_cpus > cpus_per_task(job_ptr))
		site->per_node[MAUI_AMOUNT_PROCS] =
			in_cores(site, job_ptr, job_ptr->details->pn_min_cpus);
	if (!mc)
		return;
	size *= maui_given16(mc->sockets_per_node) ? mc->sockets_per_node : 1;
	size *= maui_given16(mc->cores_per_socket) ? mc->cores_per_socket : 1;
	/* nodes may count cores instead of threads */
	if (size > 1)
		site->least[MAUI_AMOUNT_PROCS] = cut(size);
}

/* The threads of a core that count for memory by CPU: unused threads count with --ntasks-per-core,
 * but not with --threads-per-core. */
static uint32_t memory_threads(const struct maui_request_site *site, const job_record_t *job_ptr)
{
	const multi_core_data_t *mc = job_ptr->details->mc_ptr;

	if (mc && maui_given16(mc->threads_per_core) && mc->threads_per_core < site->threads &&
	    site->cluster->rules.cores)
		return mc->threads_per_core;
	return site->threads;
}

/* Sets memory by CPU: for all CPUs of whole cores where whole cores are given out, else for the
 * CPUs asked for. Exact for tasks of whole cores; otherwise by processor, rounded up. */
static void set_memory_per_cpu(const struct maui_request_site *site, const job_record_t *job_ptr,
			       uint64_t memory, const struct maui_request *r)
{
	uint32_t threads = memory_threads(site, job_ptr);

	if (!site->cluster->rules.cores && !r->whole_nodes && !site->per_node[MAUI_AMOUNT_PROCS])
		site->per_task[MAUI_AMOUNT_MEM] =
			maui_request_times(memory, cpus_per_task(job_ptr));
	else if (threads == site->threads)
		site->per_proc[MAUI_AMOUNT_MEM] = cut(memory);
	else if (r->whole_nodes || site->per_node[MAUI_AMOUNT_PROCS])
		site->per_proc[MAUI_AMOUNT_MEM] =
			cut(ratio_up((uint64_t)maui_request_times(memory, threads), site->threads));
	else
		site->per_task[MAUI_AMOUNT_MEM] = maui_request_times(
			memory, (uint64_t)in_cores(site, job_ptr, cpus_per_task(job_ptr)) /
					site->threads * threads);
}

static void set_memory(const struct maui_request_site *site, const job_record_t *job_ptr,
		       struct maui_request *r)
{
	const maui_compat_details_t *details = job_ptr->details;
	uint64_t memory = details->pn_min_memory;
	bool per_cpu = memory & MEM_PER_CPU;

	if (memory == NO_VAL64)
		memory = 0;
	memory &= ~MEM_PER_CPU;
	if (site->cluster->snapshot->amount_count <= MAUI_AMOUNT_MEM)
		return;
	if (!site->cluster->rules.memory) {
		uint64_t cpus =
			per_cpu && maui_given32(details->pn_min_cpus) ? details->pn_min_cpus : 1;

		site->least[MAUI_AMOUNT_MEM] = maui_request_times(memory, cpus);
	} else if (per_cpu) {
		set_memory_per_cpu(site, job_ptr, memory, r);
	} else if (memory > 0) {
		site->per_node[MAUI_AMOUNT_MEM] = cut(memory);
	} else if (site->memory > 0) {
		site->per_node[MAUI_AMOUNT_MEM] = site->memory;
	} else {
		r->all_memory = true;
	}
}

static void set_disk(const struct maui_request_site *site, const job_record_t *job_ptr)
{
	uint32_t disk = job_ptr->details->pn_min_tmp_disk;

	if (maui_given32(disk) && site->cluster->snapshot->amount_count > MAUI_AMOUNT_DISK)
		site->least[MAUI_AMOUNT_DISK] = disk;
}

/* The number of leaf switches that the job waits for; 0: it does not, or no longer. Slurm counts
 * the time from the first attempt to place the job. */
static uint32_t switches_of(const job_record_t *job_ptr)
{
	if (job_ptr->req_switch == 0 ||
	    (job_ptr->wait4switch_start != 0 &&
	     time(NULL) - job_ptr->wait4switch_start >= job_ptr->wait4switch))
		return 0;
	return job_ptr->req_switch;
}

/* A job may lie on as many blocks as would hold it if all were empty, and on one for each of its
 * segments. Slurm counts the nodes that the job must have. */
static void set_blocks(const job_record_t *job_ptr, uint32_t block_size, struct maui_request *r)
{
	uint32_t segment = maui_compat_segment(job_ptr), size;

	if (segment <= r->nodes_min)
		r->segment = segment;
	size = r->segment > 0 ? r->segment : block_size;
	r->switches_max = size > 0 ? (r->nodes_min + size - 1) / size : 0;
}

/* How the nodes of the job lie in the network. */
static void set_network(const struct maui_request_site *site, const job_record_t *job_ptr,
			struct maui_request *r)
{
	const struct maui_cluster *cluster = site->cluster;

	if (cluster->rules.blocks) {
		set_blocks(job_ptr, cluster->rules.block_size, r);
		return;
	}
	r->contiguous = job_ptr->details->contiguous && job_ptr->details->contiguous != NO_VAL16;
	r->spread = job_ptr->bit_flags & SPREAD_JOB;
	if (cluster->snapshot->switch_count > 0)
		r->switches_max = switches_of(job_ptr);
}

static void set_sharing(const struct maui_request_site *site, const job_record_t *job_ptr,
			const part_record_t *part_ptr, struct maui_request *r)
{
	r->whole_nodes = site->cluster->rules.linear || part_ptr->max_share == 0 ||
			 job_ptr->reboot || maui_compat_is_exclusive(job_ptr);
	r->sole_user = maui_compat_is_exclusive_to_user(job_ptr) ||
		       (part_ptr->flags & PART_FLAG_EXCLUSIVE_USER);
}

static void set_limits(const job_record_t *job_ptr, const part_record_t *part_ptr,
		       struct maui_request_facts *ret)
{
	uint32_t minutes = job_ptr->time_limit, least = job_ptr->time_min;

	if (minutes == NO_VAL)
		minutes = part_ptr->default_time;
	if (minutes == NO_VAL || minutes == INFINITE)
		minutes = part_ptr->max_time;
	if (maui_given32(least) && minutes > part_ptr->max_time)
		minutes = part_ptr->max_time;
	ret->limit_s =
		minutes == NO_VAL || minutes == INFINITE ? MAUI_NEVER : (int64_t)minutes * 60;
	if (ret->limit_s == 0)
		ret->limit_s = 1;
	ret->limit_min_s = maui_given32(least) && least < minutes ? (int64_t)least * 60 : 0;
}

/* Tasks of an array that may run now. */
static uint32_t array_copies(const job_record_t *job_ptr)
{
	const job_array_struct_t *array = job_ptr->array_recs;
	uint32_t copies = array ? array->task_cnt : 1;

	if (array && array->max_run_tasks) {
		uint32_t left = array->tot_run_tasks < array->max_run_tasks ?
					array->max_run_tasks - array->tot_run_tasks :
					0;

		copies = copies < left ? copies : left;
	}
	return copies > 0 ? copies : 1;
}

static int64_t procs_of(const struct maui_request_site *site, const struct maui_request *r)
{
	uint64_t tasks = r->tasks > r->nodes_min ? r->tasks : r->nodes_min;
	int64_t by_task = maui_request_times(tasks, r->procs_per_task);
	int64_t by_node =
		maui_request_times(r->nodes_min, (uint64_t)site->per_node[MAUI_AMOUNT_PROCS]);

	by_node = by_node > site->gres_procs ? by_node : site->gres_procs;
	return by_task > by_node ? by_task : by_node;
}

static void clear_vectors(struct maui_request_site *site)
{
	size_t size = site->cluster->snapshot->amount_count * sizeof(int64_t);

	memset(site->per_node, 0, size);
	memset(site->per_task, 0, size);
	memset(site->per_proc, 0, size);
	memset(site->per_job, 0, size);
	memset(site->least, 0, size);
	memset(site->global, 0, size);
	site->gres_procs = 0;
	site->uneven = false;
}

/* NULL for a vector of zeros, so that equal requests are equal. */
static const int64_t *or_none(const struct maui_request_site *site, const int64_t *amounts)
{
	for (unsigned d = 0; d < site->cluster->snapshot->amount_count; d++)
		if (amounts[d] != 0)
			return amounts;
	return NULL;
}

void maui_request_size(struct maui_request_site *site, const struct job_record *job_ptr,
		       int64_t *ret_tasks, int64_t *ret_procs)
{
	const part_record_t *part_ptr = job_ptr->part_ptr;
	struct maui_request r = { .nodes_min = job_ptr->details->min_nodes,
				  .nodes_max = job_ptr->details->max_nodes };

	if (part_ptr && part_ptr->min_nodes > r.nodes_min)
		r.nodes_min = part_ptr->min_nodes;
	if (r.nodes_min == 0)
		r.nodes_min = 1;
	clear_vectors(site);
	set_tasks(site, job_ptr, &r);
	set_node_procs(site, job_ptr);
	if (part_ptr)
		maui_request_gres(site, job_ptr, part_ptr, &r);
	*ret_tasks = maui_request_task_count(&r);
	*ret_procs = procs_of(site, &r);
}

/* What the job asks for: its shares, or with site->describes_least the least that a start needs.
 * The vectors are the site's. -1 without memory. */
static int describe(struct maui_request_site *site, const job_record_t *job_ptr,
		    const part_record_t *part_ptr, const struct maui_request_bounds *bounds,
		    struct maui_request *r, struct maui_request_facts *ret)
{
	/* with --prefer Slurm tries these features in place of --constraint first */
	const char *features = job_ptr->details->prefer ? NULL : job_ptr->details->features;

	*r = (struct maui_request){ .nodes_min = bounds->nodes_min > 0 ? bounds->nodes_min : 1,
				    .nodes_max = bounds->nodes_max,
				    .nodes_named = maui_compat_names_nodes(job_ptr) };
	clear_vectors(site);
	set_sharing(site, job_ptr, part_ptr, r);
	set_network(site, job_ptr, r);
	set_tasks(site, job_ptr, r);
	set_node_procs(site, job_ptr);
	set_memory(site, job_ptr, r);
	set_disk(site, job_ptr);
	maui_request_gres(site, job_ptr, part_ptr, r);
	maui_request_licenses(site, job_ptr, bounds->reservation, r);
	maui_request_nodes(site, job_ptr, r);
	if (bounds->reservation)
		maui_request_claims(site, job_ptr, bounds->reservation, r);
	if (maui_request_features(
		    site, features,
		    maui_snapshot_find_partition(site->cluster->snapshot, part_ptr->name), r))
		return -1;
	ret->procs = procs_of(site, r);
	maui_request_mark(site, job_ptr, part_ptr, r);
	if (r->asks_slurm)
		maui_request_open_features(features, r);
	r->per_node = or_none(site, site->per_node);
	r->per_task = or_none(site, site->per_task);
	r->per_proc = or_none(site, site->per_proc);
	r->per_job = or_none(site, site->per_job);
	r->least = or_none(site, site->least);
	r->global = or_none(site, site->global);
	return 0;
}

/* The same with site->describes_least, as the index of a request + 1; 0 without memory. */
static uint32_t add_least(struct maui_request_site *site, const job_record_t *job_ptr,
			  const part_record_t *part_ptr, const struct maui_request_bounds *bounds)
{
	struct maui_request_facts facts;
	struct maui_request r;
	int64_t index = -1;

	site->describes_least = true;
	if (describe(site, job_ptr, part_ptr, bounds, &r, &facts) == 0)
		index = maui_snapshot_request(site->cluster->snapshot, &r);
	site->describes_least = false;
	return (uint32_t)(index + 1);
}

int maui_request_make(struct maui_request_site *site, const struct job_record *record,
		      const void *partition, const struct maui_request_bounds *bounds,
		      struct maui_request_facts *ret)
{
	struct maui_request r;
	uint32_t least = 0;
	int64_t index;

	if (describe(site, record, partition, bounds, &r, ret))
		return -1;
	if (site->uneven) {
		least = add_least(site, record, partition, bounds);
		if (least == 0 || describe(site, record, partition, bounds, &r, ret))
			return -1;
	}
	r.least_request = least;
	index = maui_snapshot_request(site->cluster->snapshot, &r);
	if (index < 0)
		return -1;
	ret->request = (uint32_t)index;
	ret->copies = array_copies(record);
	set_limits(record, partition, ret);
	ret->most_s = maui_request_most_s(site, record, bounds->reservation, &r);
	return 0;
}
