/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_plan.c - cases of the feature "plan": one whole iteration over named nodes
 *
 * README.md beside this file has the fields. Three amounts are counted: processors, memory
 * and the cluster's licences.
 *
 * Rules: BF-1, BF-2, BF-3, BF-6, BF-9, BF-10, BF-24, PRE-1, PRE-2, PRE-3, PRE-4.
 */

#include "golden.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

enum { PROCS, MEM, LICENCES = MAUI_AMOUNT_FIXED, AMOUNTS };

/* A case as a snapshot, and its result. */
struct run {
	struct golden_case *c;
	struct maui_config *config;
	struct maui_snapshot *snapshot;
	struct maui_decisions decisions;
	json_object *nodes, *running, *idle; /* arrays */
	struct maui_job_reservation *job_rsvs;
	size_t job_rsv_count;
	const char **partitions; /* names, by index */
	size_t partition_count;
	int64_t now;
};

static size_t length_of(json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

static const char *text_or(json_object *object, const char *name, const char *missing)
{
	const char *text = golden_get_text(object, name);

	return text ? text : missing;
}

/* Its index; one not seen before is added. */
static uint32_t partition_of(struct run *r, const char *name)
{
	const struct maui_partition partition = { .name = name };

	for (size_t i = 0; i < r->partition_count; i++)
		if (strcmp(r->partitions[i], name) == 0)
			return (uint32_t)i;
	if (maui_snapshot_add_partition(r->snapshot, &partition) < 0)
		golden_fault(r->c, "partition %s is not accepted", name);
	r->partitions[r->partition_count] = name;
	return (uint32_t)r->partition_count++;
}

static uint32_t creds_of(struct run *r, json_object *job)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = text_or(job, "user", "user"),
					      [MAUI_CRED_QOS] = golden_get_text(job, "qos"),
					      [MAUI_CRED_CLASS] = text_or(job, "class", "batch") };

	return (uint32_t)maui_snapshot_creds(r->snapshot, cred);
}

/* ---- the cluster ---- */

static uint32_t leaf_of(const struct run *r, const char *name)
{
	for (uint32_t i = 0; name && i < r->snapshot->switch_count; i++)
		if (strcmp(r->snapshot->switches[i].name, name) == 0)
			return i;
	return MAUI_NO_SWITCH;
}

/* The leaf switches that nodes name, below a common one. */
static void add_switches(struct run *r)
{
	struct maui_switch list[17];
	uint32_t count = 0;

	for (size_t i = 0; i < length_of(r->nodes); i++) {
		const char *name =
			golden_get_text(json_object_array_get_idx(r->nodes, i), "switch");
		uint32_t at = 0;

		while (name && at < count && strcmp(list[at].name, name) != 0)
			at++;
		if (name && at == count && count < 16)
			list[count++] = (struct maui_switch){ .name = name };
	}
	for (uint32_t i = 0; i < count; i++)
		list[i].parent = count;
	list[count] = (struct maui_switch){ .name = "top", .parent = MAUI_NO_SWITCH };
	if (count > 0 && maui_snapshot_set_switches(r->snapshot, list, count + 1))
		golden_fault(r->c, "the switches are not accepted");
}

static void add_node(struct run *r, uint32_t id, json_object *node)
{
	const int64_t have[AMOUNTS] = {
		[PROCS] = golden_get_int(node, "procs", 0), [MEM] = golden_get_int(node, "mem", 0)
	};
	json_object *names = golden_get(node, "partitions");
	const char *name = golden_get_text(node, "name");
	uint32_t partitions[8], count = 0;
	struct maui_node made = { .id = id, .name = name, .have = have, .partitions = partitions };

	golden_check_known(r->c, node, "node",
			   "name procs mem weight load speed partitions features switch");
	for (; count < length_of(names) && count < 8; count++)
		partitions[count] = partition_of(
			r, json_object_get_string(json_object_array_get_idx(names, count)));
	if (count == 0)
		partitions[count++] = partition_of(r, "batch");
	made.partition_count = count;
	made.weight = (uint32_t)golden_get_int(node, "weight", 1);
	made.load = golden_get_number(node, "load", 0);
	made.speed = golden_get_number(node, "speed", 1);
	made.priority = maui_config_node_priority(r->config, name);
	made.features = golden_get_text(node, "features");
	made.leaf = leaf_of(r, golden_get_text(node, "switch"));
	if (maui_snapshot_add_node(r->snapshot, &made) < 0)
		golden_fault(r->c, "node %s is not accepted", name);
	r->snapshot->totals.procs += (double)have[PROCS];
	r->snapshot->totals.mem_mb += (double)have[MEM];
}

static uint32_t node_of(struct run *r, const char *name)
{
	for (uint32_t n = 0; n < r->snapshot->node_count; n++)
		if (strcmp(r->snapshot->nodes[n].name, name) == 0)
			return n;
	golden_fault(r->c, "there is no node %s", name);
	return 0;
}

static void add_running(struct run *r, uint32_t id, json_object *job)
{
	json_object *places = golden_get(job, "places");
	struct maui_piece pieces[16];
	int64_t amounts[16][AMOUNTS] = { { 0 } };
	const int64_t licences[AMOUNTS] = { [LICENCES] = golden_get_int(job, "licences", 0) };
	struct maui_active active = { .id = 1000 + id,
				      .global = licences[LICENCES] > 0 ? licences : NULL,
				      .creds = creds_of(r, job),
				      .start_s = golden_get_int(job, "start", 0),
				      .end_s = golden_get_int(job, "end", 0),
				      .pieces = pieces };

	golden_check_known(r->c, job, "running",
			   "name user qos class places mem licences start end over_soft");
	json_object_object_foreach(places, node, procs)
	{
		uint32_t i = active.piece_count++;

		amounts[i][PROCS] = json_object_get_int64(procs);
		amounts[i][MEM] = golden_get_int(job, "mem", 0);
		pieces[i] = (struct maui_piece){ .node = node_of(r, node), .amounts = amounts[i] };
		active.procs += amounts[i][PROCS];
		if (active.piece_count == 16)
			break;
	}
	active.job =
		(struct maui_job){ .procs = (double)active.procs,
				   .nodes = active.piece_count,
				   .walltime_s = (double)(active.end_s - active.start_s),
				   .soft_violation = golden_get_bool(job, "over_soft", false) };
	if (maui_snapshot_add_active(r->snapshot, &active) < 0)
		golden_fault(r->c, "running job %u is not accepted", id);
}

/* ---- the queue ---- */

/* "job_rsv": {"start", "places": {node: tasks}}: the job reservation of the previous plan. */
static void add_job_rsv(struct run *r, uint64_t job, uint32_t partition, json_object *job_rsv)
{
	json_object *places = golden_get(job_rsv, "places");
	struct maui_place *list;
	uint32_t count = 0;

	if (!job_rsv)
		return;
	list = calloc((size_t)json_object_object_length(places) + 1, sizeof(*list));
	json_object_object_foreach(places, node, tasks)
	{
		list[count++] =
			(struct maui_place){ .node = node_of(r, node),
					     .tasks = (uint32_t)json_object_get_int(tasks) };
	}
	r->job_rsvs[r->job_rsv_count++] = (struct maui_job_reservation){
		.job = job,
		.partition = partition,
		.start_s = golden_get_int(job_rsv, "start", 0),
		.places = list,
		.place_count = count,
	};
}

static uint32_t request_of(struct run *r, json_object *job)
{
	const int64_t each = golden_get_int(job, "procs_per_task", 1);
	const int64_t per_node[AMOUNTS] = { [MEM] = golden_get_int(job, "mem", 0) };
	const int64_t licences[AMOUNTS] = { [LICENCES] = golden_get_int(job, "licences", 0) };
	const struct maui_request request = {
		.nodes_min = (uint32_t)golden_get_int(job, "nodes", 1),
		.nodes_max = (uint32_t)golden_get_int(job, "nodes_max", 0),
		.tasks = (uint64_t)(golden_get_int(job, "procs", 0) / each),
		.procs_per_task = (uint32_t)each,
		.per_node = per_node,
		.global = licences[LICENCES] > 0 ? licences : NULL,
		.nodes_named = golden_get(job, "nodes") != NULL,
	};

	return (uint32_t)maui_snapshot_request(r->snapshot, &request);
}

/* Jobs rank in the order of the file unless the case gives priorities. */
static void add_idle(struct run *r, uint32_t i, json_object *job)
{
	const struct maui_row row = {
		.partition = partition_of(r, text_or(job, "class", "batch")),
		.creds = creds_of(r, job),
		.priority = golden_get_number(job, "priority", 1000000.0 - i),
	};
	struct maui_idle idle = { .id = i,
				  .request = request_of(r, job),
				  .copies = 1,
				  .rows = &row,
				  .row_count = 1,
				  .limit_s = golden_get_int(job, "wclimit", 0),
				  .procs = golden_get_int(job, "procs", 0),
				  .priority_given = true,
				  .refused = golden_get_bool(job, "refused", false) };

	golden_check_known(
		r->c, job, "job",
		"name user qos class procs nodes nodes_max procs_per_task mem licences wclimit "
		"waited bypass priority refused job_rsv");
	idle.queue_since_s = r->now - golden_get_int(job, "waited", 0);
	idle.job = (struct maui_job){ .procs = (double)idle.procs,
				      .nodes = golden_get_number(job, "nodes", 1),
				      .bypass = golden_get_number(job, "bypass", 0),
				      .walltime_s = (double)idle.limit_s };
	idle.job.mem_mb = golden_get_number(job, "mem", 0) * idle.job.nodes;
	if (maui_snapshot_add_idle(r->snapshot, &idle) < 0)
		golden_fault(r->c, "job %u is not accepted", i);
	add_job_rsv(r, idle.id, row.partition, golden_get(job, "job_rsv"));
}

/* Partitions come before nodes. */
static void add_partitions(struct run *r)
{
	size_t most = 1;

	for (size_t i = 0; i < length_of(r->nodes); i++)
		most += length_of(golden_get(json_object_array_get_idx(r->nodes, i), "partitions"));
	r->partitions = calloc(most, sizeof(*r->partitions));
	partition_of(r, "batch");
	for (size_t i = 0; i < length_of(r->nodes); i++) {
		json_object *names =
			golden_get(json_object_array_get_idx(r->nodes, i), "partitions");

		for (size_t k = 0; k < length_of(names); k++)
			partition_of(r,
				     json_object_get_string(json_object_array_get_idx(names, k)));
	}
}

static void lay_out(struct run *r)
{
	const int64_t licences[AMOUNTS] = { [LICENCES] =
						    golden_get_int(r->c->inputs, "licences", 0) };

	r->snapshot = maui_snapshot_create(AMOUNTS);
	r->job_rsvs = calloc(length_of(r->idle) + 1, sizeof(*r->job_rsvs));
	add_switches(r);
	add_partitions(r);
	for (size_t i = 0; i < length_of(r->nodes); i++)
		add_node(r, (uint32_t)i, json_object_array_get_idx(r->nodes, i));
	maui_snapshot_seal(r->snapshot, NULL);
	if (licences[LICENCES] > 0 && maui_snapshot_set_global(r->snapshot, licences))
		golden_fault(r->c, "the licences are not accepted");
	for (size_t i = 0; i < length_of(r->running); i++)
		add_running(r, (uint32_t)i, json_object_array_get_idx(r->running, i));
	for (size_t i = 0; i < length_of(r->idle); i++)
		add_idle(r, (uint32_t)i, json_object_array_get_idx(r->idle, i));
}

/* ---- results ---- */

static const char *name_of(const struct run *r, uint32_t job)
{
	return golden_get_text(json_object_array_get_idx(r->idle, r->snapshot->idle[job].id),
			       "name");
}

static void compare_places(struct run *r, const char *job, json_object *want,
			   const struct maui_place *places, uint32_t count)
{
	if ((uint32_t)json_object_object_length(want) != count)
		golden_fault(r->c, "%s: expected %d nodes, got %u", job,
			     json_object_object_length(want), count);
	for (uint32_t i = 0; i < count; i++) {
		const char *node = r->snapshot->nodes[places[i].node].name;

		if (golden_get_int(want, node, 0) != places[i].tasks)
			golden_fault(r->c, "%s on %s: expected %d tasks, got %u", job, node,
				     (int)golden_get_int(want, node, 0), places[i].tasks);
	}
}

static void compare_started(struct run *r)
{
	json_object *list = golden_get(r->c->expected, "started");

	if (length_of(list) != r->decisions.start_count)
		golden_fault(r->c, "started: expected %zu, got %u", length_of(list),
			     r->decisions.start_count);
	for (uint32_t i = 0; i < r->decisions.start_count && i < length_of(list); i++) {
		json_object *want = json_object_array_get_idx(list, i);
		const struct maui_start *got = &r->decisions.starts[i];

		golden_check_known(r->c, want, "started", "job places");
		golden_expect_text(r->c, want, "job", name_of(r, got->job));
		compare_places(r, name_of(r, got->job), golden_get(want, "places"), got->places,
			       got->place_count);
	}
}

static void compare_reservations(struct run *r)
{
	json_object *list = golden_get(r->c->expected, "reservations");

	if (length_of(list) != r->decisions.reservation_count)
		golden_fault(r->c, "reservations: expected %zu, got %u", length_of(list),
			     r->decisions.reservation_count);
	for (uint32_t i = 0; i < r->decisions.reservation_count && i < length_of(list); i++) {
		json_object *want = json_object_array_get_idx(list, i);
		const struct maui_reservation *got = &r->decisions.reservations[i];

		golden_check_known(r->c, want, "reservation", "job start end places");
		golden_expect_text(r->c, want, "job", name_of(r, got->job));
		golden_expect_int(r->c, want, "start", got->start_s);
		golden_expect_int(r->c, want, "end", got->end_s);
		compare_places(r, name_of(r, got->job), golden_get(want, "places"), got->places,
			       got->place_count);
	}
}

static bool is_among(json_object *list, const char *name)
{
	for (size_t i = 0; i < length_of(list); i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(list, i)), name) == 0)
			return true;
	return false;
}

static void compare_preempted(struct run *r)
{
	json_object *list = golden_get(r->c->expected, "preempted");

	if (length_of(list) != r->decisions.preemption_count)
		golden_fault(r->c, "preempted: expected %zu, got %u", length_of(list),
			     r->decisions.preemption_count);
	for (uint32_t i = 0; i < r->decisions.preemption_count; i++) {
		uint32_t active = r->decisions.preemptions[i].active;
		uint64_t id = r->snapshot->active[active].id - 1000;
		const char *name =
			golden_get_text(json_object_array_get_idx(r->running, id), "name");

		if (!is_among(list, name))
			golden_fault(r->c, "%s is preempted", name);
	}
}

static void compare_bypass(struct run *r)
{
	json_object *bypass = golden_get(r->c->expected, "bypass");

	for (uint32_t i = 0; i < r->decisions.verdict_count; i++) {
		int64_t want = golden_get_int(bypass, name_of(r, i), 0);

		if (want != r->decisions.verdicts[i].bypass)
			golden_fault(r->c, "bypass of %s: expected %d, got %u", name_of(r, i),
				     (int)want, r->decisions.verdicts[i].bypass);
	}
}

static void plan(struct run *r)
{
	const struct maui_plan_input input = {
		.config = r->config,
		.snapshot = r->snapshot,
		.now_s = r->now,
		.chunk_until_s = golden_get_int(r->c->inputs, "chunk_block_until", 0),
		.job_rsvs = r->job_rsvs,
		.job_rsv_count = r->job_rsv_count,
	};
	struct maui_planner *planner = maui_planner_create();
	struct maui_err err;

	if (maui_plan(planner, &input, &r->decisions, &err)) {
		golden_fault(r->c, "%s", err.text);
	} else {
		compare_started(r);
		compare_reservations(r);
		compare_preempted(r);
		compare_bypass(r);
	}
	maui_planner_destroy(planner);
}

void golden_run_plan(struct golden_case *c)
{
	struct run r = { .c = c,
			 .config = golden_config(c),
			 .nodes = golden_get(c->inputs, "nodes"),
			 .running = golden_get(c->inputs, "running"),
			 .idle = golden_get(c->inputs, "idle"),
			 .now = golden_get_int(c->inputs, "now", 0) };

	if (!r.config)
		return;
	golden_check_known(c, c->inputs, "inputs",
			   "nodes licences running idle now chunk_block_until");
	golden_check_known(c, c->expected, "expected", "started reservations preempted bypass");
	lay_out(&r);
	plan(&r);
	for (size_t i = 0; i < r.job_rsv_count; i++)
		free((void *)r.job_rsvs[i].places);
	free(r.job_rsvs);
	free(r.partitions);
	maui_decisions_finish(&r.decisions);
	maui_snapshot_destroy(r.snapshot);
	maui_config_unref(r.config);
}
