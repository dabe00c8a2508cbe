/* SPDX-License-Identifier: GPL-2.0-or-later */
/* select.c - select_nodes(), with exact counts of processors and memory
 *
 * As select/cons_tres with CR_Core_Memory on nodes of one thread a core: a job gets the fewest
 * nodes with the most free processors, each with one task at least.
 */

#include "world.h"

/* What a job asks of the nodes that it may have. */
struct wish {
	uint32_t nodes_min, nodes_max, tasks, cpus_per_task, tasks_per_node;
	uint64_t memory;
	uint32_t gpus; /* on each node */
	bool memory_per_cpu, whole;
};

/* What is free. */
struct room {
	uint16_t cores[WORLD_NODES]; /* bits */
	uint64_t memory[WORLD_NODES];
	uint32_t gpus[WORLD_NODES];
};

struct gift {
	uint32_t tasks[WORLD_NODES];
	uint16_t cpus[WORLD_NODES], cores[WORLD_NODES];
	uint32_t count;
};

static struct wish wish_of(const job_record_t *job_ptr)
{
	const struct job_details *details = job_ptr->details;

	return (struct wish){
		.nodes_min = details->min_nodes ? details->min_nodes : 1,
		.nodes_max = details->max_nodes ? details->max_nodes : (uint32_t)world.node_count,
		.tasks = details->num_tasks ? details->num_tasks : 1,
		.cpus_per_task = details->cpus_per_task ? details->cpus_per_task : 1,
		.tasks_per_node = details->ntasks_per_node,
		.memory = details->pn_min_memory & ~MEM_PER_CPU,
		.gpus = world_gres_wanted(job_ptr),
		.memory_per_cpu = details->pn_min_memory & MEM_PER_CPU,
		.whole = details->whole_node == WHOLE_NODE_REQUIRED,
	};
}

/* The tasks of the job that the node takes now. */
static uint32_t capacity(const struct wish *wish, const struct room *have, int n)
{
	uint16_t cpus = (uint16_t)__builtin_popcount(have->cores[n]), all = world.nodes[n].cpus;
	uint64_t memory = have->memory[n];
	uint32_t tasks = cpus / wish->cpus_per_task;

	if ((wish->whole && cpus < all) || have->gpus[n] < wish->gpus)
		return 0;
	if (wish->tasks_per_node && tasks > wish->tasks_per_node)
		tasks = wish->tasks_per_node;
	if (!wish->memory_per_cpu)
		return memory < wish->memory ? 0 : tasks;
	if (wish->memory && wish->whole)
		return memory < wish->memory * all ? 0 : tasks;
	if (wish->memory && memory / (wish->memory * wish->cpus_per_task) < tasks)
		tasks = (uint32_t)(memory / (wish->memory * wish->cpus_per_task));
	return tasks;
}

/* Takes the node with the most room that is not taken yet; required ones first. */
static int best_node(const uint32_t *room, const struct gift *gift, bitstr_t *required)
{
	int best = -1;

	for (int n = 0; n < world.node_count; n++) {
		if (gift->tasks[n] > 0 || room[n] == 0)
			continue;
		if (required && bit_test(required, n))
			return n;
		if (best < 0 || room[n] > room[best])
			best = n;
	}
	return best;
}

/* Deals the tasks: one to each node, the rest from the first node on. */
static void deal(const struct wish *wish, const uint32_t *room, struct gift *gift)
{
	uint32_t left = wish->tasks > gift->count ? wish->tasks - gift->count : 0;

	for (int n = 0; n < world.node_count; n++) {
		uint32_t more;

		if (gift->tasks[n] == 0)
			continue;
		more = room[n] - 1 < left ? room[n] - 1 : left;
		gift->tasks[n] += more;
		left -= more;
		gift->cpus[n] = (uint16_t)(wish->whole ? world.nodes[n].cpus :
							 gift->tasks[n] * wish->cpus_per_task);
	}
}

/* So many of the cores. */
static uint16_t lowest(uint16_t cores, uint16_t count)
{
	uint16_t taken = 0;

	for (int c = 0; c < 16 && count > 0; c++)
		if (cores & 1U << c) {
			taken = (uint16_t)(taken | 1U << c);
			count--;
		}
	return taken;
}

/* Chooses among the nodes. false: they do not suffice. */
static bool choose(job_record_t *job_ptr, bitstr_t *nodes, const struct room *have,
		   struct gift *gift)
{
	bitstr_t *required = job_ptr->details->req_node_bitmap;
	struct wish wish = wish_of(job_ptr);
	uint32_t room[WORLD_NODES] = { 0 }, sum = 0;
	int n;

	*gift = (struct gift){ 0 };
	if (required && !bit_super_set(required, nodes))
		return false;
	for (n = 0; n < world.node_count; n++)
		if (bit_test(nodes, n))
			room[n] = capacity(&wish, have, n);
	while ((sum < wish.tasks || gift->count < wish.nodes_min ||
		(required && gift->count < (uint32_t)bit_set_count(required))) &&
	       (n = best_node(room, gift, required)) >= 0) {
		gift->tasks[n] = 1;
		gift->count++;
		sum += room[n];
	}
	if (sum < wish.tasks || gift->count < wish.nodes_min || gift->count > wish.nodes_max)
		return false;
	for (n = 0; required && n < world.node_count; n++)
		if (bit_test(required, n) && gift->tasks[n] == 0)
			return false;
	deal(&wish, room, gift);
	for (n = 0; n < world.node_count; n++)
		gift->cores[n] = lowest(have->cores[n], gift->cpus[n]);
	return true;
}

void world_features_filter(const job_record_t *job_ptr, bitstr_t *nodes)
{
	for (int n = 0; job_ptr->details->features && n < world.node_count; n++)
		if (!world.nodes[n].big)
			bit_clear(nodes, n);
}

/* The nodes that the job may have at all. */
static bitstr_t *nodes_of(const job_record_t *job_ptr, bool exclude)
{
	bitstr_t *nodes = bit_copy(job_ptr->part_ptr->node_bitmap);

	world_features_filter(job_ptr, nodes);
	if (exclude && job_ptr->details->exc_node_bitmap)
		bit_and_not(nodes, job_ptr->details->exc_node_bitmap);
	return nodes;
}

/* A suspended job has no cores. */
static void take_run(const struct world_run *run, int n, struct room *room)
{
	if (!run->suspended)
		room->cores[n] &= (uint16_t)~run->cores[n];
	room->gpus[n] -= run->gpus[n];
}

static struct room room_now(bool empty)
{
	uint16_t cpus[WORLD_NODES];
	struct room room = { 0 };

	world_free_cpus(cpus, room.memory, empty);
	for (int n = 0; n < world.node_count; n++) {
		room.cores[n] = (uint16_t)((1U << world.nodes[n].cpus) - 1);
		room.gpus[n] = world.nodes[n].gpus;
		for (size_t r = 0; r < world.run_count && !empty; r++)
			take_run(&world.runs[r], n, &room);
	}
	return room;
}

static bool fits_empty(job_record_t *job_ptr, bool exclude)
{
	bitstr_t *nodes = nodes_of(job_ptr, exclude);
	struct room room = room_now(true);
	struct gift gift;
	bool fits = choose(job_ptr, nodes, &room, &gift);

	bit_free(nodes);
	return fits;
}

bool world_fits_empty(job_record_t *job_ptr)
{
	return fits_empty(job_ptr, true);
}

static void fill_resources(job_record_t *job_ptr, const struct gift *gift)
{
	job_resources_t *res = create_job_resources();
	struct wish wish = wish_of(job_ptr);
	uint32_t at = 0, cores = 0;

	res->nhosts = gift->count;
	res->node_req = NODE_CR_ONE_ROW;
	res->node_bitmap = bit_alloc(world.node_count);
	res->cpus = xcalloc(gift->count, sizeof(*res->cpus));
	res->cpus_used = xcalloc(gift->count, sizeof(*res->cpus_used));
	res->memory_allocated = xcalloc(gift->count, sizeof(*res->memory_allocated));
	res->memory_used = xcalloc(gift->count, sizeof(*res->memory_used));
	res->cores_per_socket = xcalloc(gift->count, sizeof(*res->cores_per_socket));
	res->sockets_per_node = xcalloc(gift->count, sizeof(*res->sockets_per_node));
	res->sock_core_rep_count = xcalloc(gift->count, sizeof(*res->sock_core_rep_count));
	res->threads_per_core = 1;
	res->whole_node = wish.whole;
	for (int n = 0; n < world.node_count; n++) {
		if (gift->tasks[n] == 0)
			continue;
		bit_set(res->node_bitmap, n);
		res->cpus[at] = gift->cpus[n];
		res->memory_allocated[at] =
			wish.memory_per_cpu ? wish.memory * gift->cpus[n] : wish.memory;
		res->cores_per_socket[at] = world.nodes[n].cpus;
		res->sockets_per_node[at] = res->sock_core_rep_count[at] = 1;
		res->ncpus += gift->cpus[n];
		cores += world.nodes[n].cpus;
		at++;
	}
	res->core_bitmap = bit_alloc(cores);
	cores = 0;
	for (int n = 0; n < world.node_count; n++) {
		if (gift->tasks[n] == 0)
			continue;
		for (uint32_t c = 0; c < world.nodes[n].cpus; c++)
			if (gift->cores[n] & 1U << c)
				bit_set(res->core_bitmap, cores + c);
		cores += world.nodes[n].cpus;
	}
	res->nodes = bitmap2node_name(res->node_bitmap);
	job_ptr->job_resrcs = res;
}

static void add_run(job_record_t *job_ptr, const struct gift *gift)
{
	struct world_run *run;
	struct wish wish = wish_of(job_ptr);
	int64_t limit_us = (int64_t)job_ptr->time_limit * 60 * WORLD_SECOND, lasts_us;

	if (world.run_count == world.run_alloc) {
		world.run_alloc = 2 * world.run_alloc + 16;
		world.runs = realloc(world.runs, world.run_alloc * sizeof(*world.runs));
	}
	run = &world.runs[world.run_count++];
	*run = (struct world_run){ .job_id = job_ptr->job_id,
				   .array_job_id = job_ptr->array_job_id,
				   .array_task_id = job_ptr->array_task_id,
				   .user = job_ptr->user_id,
				   .qos = job_ptr->qos_ptr ? job_ptr->qos_ptr->name : NULL,
				   .procs = job_ptr->total_cpus,
				   .start_s = world_wall_s(),
				   .charged_s = world_wall_s() };
	/* most end early, some at their limit, a few a little late */
	lasts_us = world_chance(60) ? (int64_t)world_random((uint64_t)limit_us) :
		   world_chance(90) ? limit_us :
				      limit_us + (int64_t)world_random(60 * WORLD_SECOND);
	run->end_us = world_now_us + lasts_us + 1;
	for (int n = 0; n < world.node_count; n++) {
		run->cpus[n] = gift->cpus[n];
		run->cores[n] = gift->cores[n];
		if (gift->tasks[n] > 0)
			run->gpus[n] = wish.gpus;
		if (gift->tasks[n] > 0)
			run->memory[n] =
				wish.memory_per_cpu ? wish.memory * gift->cpus[n] : wish.memory;
	}
	world_check_start(job_ptr, run);
}

static void start(job_record_t *job_ptr, const struct gift *gift)
{
	job_array_pre_sched(job_ptr);
	fill_resources(job_ptr, gift);
	job_ptr->node_bitmap = bit_copy(job_ptr->job_resrcs->node_bitmap);
	xfree(job_ptr->nodes);
	job_ptr->nodes = xstrdup(job_ptr->job_resrcs->nodes);
	job_ptr->node_cnt = job_ptr->total_nodes = gift->count;
	job_ptr->total_cpus = job_ptr->cpu_cnt = job_ptr->job_resrcs->ncpus;
	if (job_ptr->time_limit == NO_VAL)
		job_ptr->time_limit = job_ptr->part_ptr->default_time;
	job_ptr->start_time = world_wall_s();
	job_ptr->end_time = job_ptr->start_time + (time_t)job_ptr->time_limit * 60;
	world_gres_give(job_ptr, gift->count);
	job_ptr->tres_alloc_cnt = xcalloc((size_t)slurmctld_tres_cnt, sizeof(uint64_t));
	job_ptr->tres_alloc_cnt[TRES_ARRAY_CPU] = job_ptr->total_cpus;
	job_ptr->suspend_time = job_ptr->pre_sus_time = job_ptr->tot_sus_time = 0;
	job_ptr->state_reason = WAIT_NO_REASON;
	xfree(job_ptr->state_desc);
	xfree(job_ptr->sched_nodes);
	if (nonstop_ops.job_begin)
		nonstop_ops.job_begin(job_ptr);
	job_ptr->job_state = JOB_RUNNING;
	if (job_ptr->array_recs)
		job_ptr->array_recs->tot_run_tasks++;
	(void)job_array_post_sched(job_ptr);
	add_run(job_ptr, gift);
	world_nodes_update();
	last_job_update = world_wall_s();
	world.started++;
	world.changes++;
	world_refusals_forget(job_ptr->job_id);
}

enum { TRIED = 64 };

static uint32_t refused[TRIED]; /* jobs that have not started since; at their numbers' rests */

bool world_any_refused(void)
{
	for (int i = 0; i < TRIED; i++) {
		const job_record_t *job_ptr = refused[i] ? find_job_record(refused[i]) : NULL;

		if (job_ptr && IS_JOB_PENDING(job_ptr))
			return true;
	}
	return false;
}

/* A refusal that no plan could foresee: any code that the release has. */
static int refuse(job_record_t *job_ptr)
{
	static const int codes[] = {
		ESLURM_NODES_BUSY,
		ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE,
		ESLURM_RESERVATION_MAINT,
		ESLURM_RESERVATION_BUSY,
		ESLURM_NODE_NOT_AVAIL,
		ESLURM_ACCOUNTING_POLICY,
		ESLURM_RESERVATION_NOT_USABLE,
		ESLURM_BURST_BUFFER_WAIT,
		ESLURM_INVALID_NODE_COUNT,
		ESLURM_PARTITION_DOWN,
		ESLURM_CAN_NOT_START_IMMEDIATELY,
		ESLURM_JOB_NOT_PENDING_NOR_RUNNING,
		SLURM_ERROR,
	};
	/* later releases have codes of their own */
	int code = world_chance(70) ? codes[world_random(sizeof(codes) / sizeof(codes[0]))] :
				      2000 + (int)world_random(300);

	job_ptr->state_reason = WAIT_RESOURCES;
	world.refused++;
	world.changes++;
	refused[job_ptr->job_id % TRIED] = job_ptr->job_id;
	world_promise_void("a refusal");
	world_note("job %u is refused: %d", job_ptr->job_id, code);
	return code;
}

/* ---- jobs that Slurm refuses for a while, as for a limit of their association ---- */

enum { STUBBORN_S = 900, A_TRY_US = 20000 };

/* A try may come up to a second early: slurm-maui counts whole seconds. */
static struct {
	uint32_t job_id;
	unsigned refusals;
	int64_t last_us;
} tried[TRIED];

void world_refusals_forget(uint32_t job_id)
{
	for (int i = 0; i < TRIED; i++) {
		if (job_id == 0 || tried[i].job_id == job_id)
			tried[i].refusals = 0;
		if (refused[i] == job_id)
			refused[i] = 0;
	}
}

/* One job of sixteen, in its first quarter of an hour, and where no other partition would do. */
static bool is_stubborn(const job_record_t *job_ptr)
{
	return world.plan.refusals && (job_ptr->job_id * 2654435761U >> 8) % 16 == 0 &&
	       !job_ptr->part_ptr_list && !job_ptr->het_job_id &&
	       world_wall_s() >= job_ptr->details->submit_time &&
	       world_wall_s() < job_ptr->details->submit_time + STUBBORN_S;
}

/* However many jobs end meanwhile, such a job is tried less and less often. */
static void check_try(uint32_t job_id)
{
	int at = (int)(job_id % TRIED);
	int64_t least_s;

	if (tried[at].job_id != job_id)
		tried[at].refusals = 0;
	if (tried[at].refusals > 0 && world_now_us - tried[at].last_us < A_TRY_US)
		return; /* one try may ask twice */
	least_s = tried[at].refusals > 8 ? 8 : (int64_t)tried[at].refusals - 1;
	if (world_now_us - tried[at].last_us < (least_s - 1) * WORLD_SECOND)
		world_fault("job %u is tried again %.1f s after refusal %u", job_id,
			    (double)(world_now_us - tried[at].last_us) / 1e6, tried[at].refusals);
	tried[at].job_id = job_id;
	tried[at].refusals++;
	tried[at].last_us = world_now_us;
}

static int refuse_again(job_record_t *job_ptr)
{
	check_try(job_ptr->job_id);
	job_ptr->state_reason = WAIT_ASSOC_JOB_LIMIT;
	world.refused++;
	world.changes++;
	refused[job_ptr->job_id % TRIED] = job_ptr->job_id;
	world_promise_void("a refusal");
	world_note("job %u is refused again", job_ptr->job_id);
	return ESLURM_ACCOUNTING_POLICY;
}

/* A reservation of cores admits its jobs to these. */
static void keep_cores(const slurmctld_resv_t *resv, struct room *room)
{
	for (int n = 0; resv && resv->core_bitmap && n < world.node_count; n++)
		for (uint32_t c = 0; c < world.nodes[n].cpus; c++)
			if (!bit_test(resv->core_bitmap, cr_get_coremap_offset((uint32_t)n) + c))
				room->cores[n] &= (uint16_t) ~(1U << c);
}

int world_select(job_record_t *job_ptr, bool test_only)
{
	bitstr_t *nodes;
	struct gift gift;
	struct room room = room_now(test_only);
	int code;
	bool fits;

	if (!IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr))
		world_fault("select_nodes() for job %u, which is not pending", job_ptr->job_id);
	if (job_ptr->priority == 0 && !test_only)
		world_fault("job %u is started, which is held", job_ptr->job_id);
	if (job_ptr->priority == 0)
		return ESLURM_JOB_HELD;
	if (!(job_ptr->part_ptr->state_up & PARTITION_SCHED))
		return ESLURM_PARTITION_DOWN;
	if (!test_only && is_stubborn(job_ptr))
		return refuse_again(job_ptr);
	if (world.plan.refusals && !test_only && world_chance(4))
		return refuse(job_ptr);
	nodes = nodes_of(job_ptr, true);
	if (!test_only)
		world_check_planned(job_ptr, nodes);
	code = world_resv_filter(job_ptr, nodes);
	if (code != SLURM_SUCCESS) {
		bit_free(nodes);
		return code;
	}
	if (!test_only) {
		bit_and(nodes, world_tables.avail);
		bit_and_not(nodes, world_tables.cg);
	}
	keep_cores(job_ptr->resv_ptr, &room);
	fits = choose(job_ptr, nodes, &room, &gift);
	bit_free(nodes);
	if (!fits && !fits_empty(job_ptr, true)) {
		job_ptr->state_reason = FAIL_BAD_CONSTRAINTS;
		world.changes += !test_only;
		if (!test_only)
			world_promise_void("a refusal");
		if (!test_only)
			world_note(
				"job %u never fits on the planned nodes: memory %lld%s, whole %d",
				job_ptr->job_id,
				(long long)(job_ptr->details->pn_min_memory & ~MEM_PER_CPU),
				job_ptr->details->pn_min_memory & MEM_PER_CPU ? " a cpu" : "",
				job_ptr->details->whole_node);
		return ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
	}
	if (!fits) {
		job_ptr->state_reason = WAIT_RESOURCES;
		if (!test_only)
			world_promise_void("the plan did not know what the job needs");
		return ESLURM_NODES_BUSY;
	}
	if (!test_only)
		start(job_ptr, &gift);
	return SLURM_SUCCESS;
}

/* The next end of a running job by its limit after the moment; 0: none. */
static int64_t next_end(int64_t after_s)
{
	int64_t next_s = 0;

	for (size_t r = 0; r < world.run_count; r++) {
		const job_record_t *job_ptr = find_job_record(world.runs[r].job_id);

		if (job_ptr && job_ptr->end_time > after_s &&
		    (next_s == 0 || job_ptr->end_time < next_s))
			next_s = job_ptr->end_time;
	}
	return next_s;
}

/* Gives the room back that running jobs have until then. */
static void free_until(int64_t moment_s, struct room *room)
{
	*room = room_now(false);
	for (size_t r = 0; r < world.run_count; r++) {
		const job_record_t *job_ptr = find_job_record(world.runs[r].job_id);

		if (world.runs[r].suspended)
			continue;
		for (int n = 0; job_ptr && job_ptr->end_time <= moment_s && n < world.node_count;
		     n++) {
			room->cores[n] |= world.runs[r].cores[n];
			room->memory[n] += world.runs[r].memory[n];
			room->gpus[n] += world.runs[r].gpus[n];
		}
	}
}

int world_will_run(job_record_t *job_ptr, bitstr_t *nodes)
{
	int64_t moment_s = world_wall_s();
	struct gift gift;
	struct room room;

	do {
		free_until(moment_s, &room);
		if (choose(job_ptr, nodes, &room, &gift)) {
			for (int n = 0; n < world.node_count; n++)
				if (gift.tasks[n] == 0)
					bit_clear(nodes, n);
			job_ptr->start_time = moment_s;
			return SLURM_SUCCESS;
		}
		moment_s = next_end(moment_s);
	} while (moment_s != 0);
	return ESLURM_NODES_BUSY;
}
