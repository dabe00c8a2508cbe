/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_backfill.c - cases of the feature "backfill": one pass over idle nodes, or a whole
 * iteration
 *
 * Both use maui_plan(). Without a mode the nodes are idle until a reservation begins that admits no
 * job. The mode "schedule" has one node with all processors of the pool.
 *
 * Rules: BF-1, BF-4, BF-5, BF-6, BF-7, BF-8.
 */

#include "golden.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

/* A case as a snapshot, and its result. */
struct run {
	struct golden_case *c;
	struct maui_snapshot *snapshot;
	struct maui_planner *planner;
	struct maui_decisions decisions;
	json_object *idle; /* array of jobs */
	int64_t creds;
	uint64_t active_count;
};

static size_t length_of(json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

static void add_node(struct run *r, uint32_t id, const char *name, int64_t procs)
{
	const uint32_t partition = 0;
	const struct maui_node node = { .id = id,
					.name = name,
					.have = &procs,
					.partitions = &partition,
					.partition_count = 1 };

	if (maui_snapshot_add_node(r->snapshot, &node) < 0)
		golden_fault(r->c, "node %s is not accepted", name);
	r->snapshot->totals.procs += (double)procs;
}

/* Job number i of the queue; the priority keeps the order of the file. */
static void add_job(struct run *r, uint32_t i, json_object *job)
{
	const int64_t procs = golden_get_int(job, "procs", 0);
	const struct maui_request request = { .nodes_min = 1,
					      .tasks = (uint64_t)procs,
					      .procs_per_task = 1 };
	const struct maui_row row = { .partition = 0,
				      .creds = (uint32_t)r->creds,
				      .priority = (double)(length_of(r->idle) - i) };
	struct maui_idle idle = { .id = i,
				  .copies = 1,
				  .rows = &row,
				  .row_count = 1,
				  .limit_s = golden_get_int(job, "wclimit", 0),
				  .procs = procs,
				  .priority_given = true };

	golden_check_known(r->c, job, "job", "name procs wclimit");
	idle.request = (uint32_t)maui_snapshot_request(r->snapshot, &request);
	idle.job = (struct maui_job){ .procs = (double)procs,
				      .nodes = 1,
				      .walltime_s = (double)idle.limit_s };
	if (maui_snapshot_add_idle(r->snapshot, &idle) < 0)
		golden_fault(r->c, "job %u is not accepted", i);
}

static void add_running(struct run *r, json_object *job)
{
	const int64_t procs = golden_get_int(job, "procs", 0);
	const struct maui_piece piece = { .node = 0, .amounts = &procs };
	const struct maui_active active = { .id = 1000 + r->active_count++,
					    .creds = (uint32_t)r->creds,
					    .end_s = golden_get_int(job, "end", 0),
					    .pieces = &piece,
					    .piece_count = 1 };

	golden_check_known(r->c, job, "running", "name procs end");
	if (maui_snapshot_add_active(r->snapshot, &active) < 0)
		golden_fault(r->c, "a running job is not accepted");
}

/* From `avail` seconds on the node is needed elsewhere. */
static void keep_node(struct run *r, uint32_t index, json_object *node, int64_t now)
{
	json_object *avail = golden_get(node, "avail");
	const struct maui_claim claim = { .rsv = MAUI_CLAIM_FOREIGN,
					  .id = index,
					  .name = "elsewhere",
					  .start_s = now + golden_get_int(node, "avail", 0),
					  .end_s = MAUI_NEVER,
					  .nodes = &index,
					  .node_count = 1 };

	if (avail && maui_snapshot_add_claim(r->snapshot, &claim) < 0)
		golden_fault(r->c, "claim %u is not accepted", index);
}

static void lay_out(struct run *r, bool schedule, int64_t now)
{
	static const char *const nobody[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "user" };
	const struct maui_partition partition = { .name = "pool" };
	json_object *nodes = golden_get(r->c->inputs, "idle_nodes");
	json_object *running = golden_get(r->c->inputs, "running");

	r->snapshot = maui_snapshot_create(1);
	maui_snapshot_add_partition(r->snapshot, &partition);
	if (schedule)
		add_node(r, 0, "pool", golden_get_int(r->c->inputs, "procs", 0));
	for (size_t i = 0; i < length_of(nodes); i++) {
		json_object *node = json_object_array_get_idx(nodes, i);

		golden_check_known(r->c, node, "node", "name procs avail");
		add_node(r, (uint32_t)i, golden_get_text(node, "name"),
			 golden_get_int(node, "procs", 0));
	}
	maui_snapshot_seal(r->snapshot, NULL);
	r->creds = maui_snapshot_creds(r->snapshot, nobody);
	for (size_t i = 0; i < length_of(nodes); i++)
		keep_node(r, (uint32_t)i, json_object_array_get_idx(nodes, i), now);
	for (size_t i = 0; i < length_of(running); i++)
		add_running(r, json_object_array_get_idx(running, i));
	for (size_t i = 0; i < length_of(r->idle); i++)
		add_job(r, (uint32_t)i, json_object_array_get_idx(r->idle, i));
}

static const char *name_of(const struct run *r, uint32_t job)
{
	return golden_get_text(json_object_array_get_idx(r->idle, r->snapshot->idle[job].id),
			       "name");
}

static void compare_started(struct run *r)
{
	json_object *started = golden_get(r->c->expected, "started");

	if (length_of(started) != r->decisions.start_count)
		golden_fault(r->c, "started: expected %zu, got %u", length_of(started),
			     r->decisions.start_count);
	for (uint32_t i = 0; i < r->decisions.start_count && i < length_of(started); i++) {
		const char *want = json_object_get_string(json_object_array_get_idx(started, i));
		const char *got = name_of(r, r->decisions.starts[i].job);

		if (strcmp(want, got) != 0)
			golden_fault(r->c, "started[%u]: expected %s, got %s", i, want, got);
	}
}

static void compare_windows(struct run *r)
{
	json_object *windows = golden_get(r->c->expected, "windows");

	if (!windows)
		return;
	if (length_of(windows) != r->decisions.window_count)
		golden_fault(r->c, "windows: expected %zu, got %u", length_of(windows),
			     r->decisions.window_count);
	for (uint32_t i = 0; i < r->decisions.window_count && i < length_of(windows); i++) {
		json_object *want = json_object_array_get_idx(windows, i);
		const struct maui_window *got = &r->decisions.windows[i];

		golden_check_known(r->c, want, "window", "nodes procs time");
		golden_expect_int(r->c, want, "nodes", got->nodes);
		golden_expect_int(r->c, want, "procs", got->procs);
		if (golden_get_int(want, "time", MAUI_NEVER) != got->length_s)
			golden_fault(r->c, "windows[%u]: another time", i);
	}
}

static void compare_bypass(struct run *r)
{
	json_object *bypass = golden_get(r->c->expected, "bypass");

	for (uint32_t i = 0; bypass && i < r->decisions.verdict_count; i++) {
		const char *name = name_of(r, i);
		int64_t want = golden_get_int(bypass, name, 0);

		if (want != r->decisions.verdicts[i].bypass)
			golden_fault(r->c, "bypass of %s: expected %d, got %u", name, (int)want,
				     r->decisions.verdicts[i].bypass);
	}
}

static void compare_reservations(struct run *r)
{
	json_object *list = golden_get(r->c->expected, "reservations");

	if (!list)
		return;
	if (length_of(list) != r->decisions.reservation_count)
		golden_fault(r->c, "reservations: expected %zu, got %u", length_of(list),
			     r->decisions.reservation_count);
	for (uint32_t i = 0; i < r->decisions.reservation_count && i < length_of(list); i++) {
		json_object *want = json_object_array_get_idx(list, i);
		const struct maui_reservation *got = &r->decisions.reservations[i];

		golden_check_known(r->c, want, "reservation", "job start end procs");
		golden_expect_text(r->c, want, "job", name_of(r, got->job));
		golden_expect_int(r->c, want, "start", got->start_s);
		golden_expect_int(r->c, want, "end", got->end_s);
		golden_expect_int(r->c, want, "procs", got->procs);
	}
}

static void plan(struct run *r, const struct maui_config *config, bool schedule, int64_t now)
{
	const struct maui_plan_input input = {
		.config = config,
		.snapshot = r->snapshot,
		.now_s = now,
		.chunk_until_s = golden_get_int(r->c->inputs, "chunk_block_until", 0),
		.backfill_only = !schedule,
		.want_windows = true,
		.want_reasons = true,
	};
	struct maui_err err;

	if (maui_plan(r->planner, &input, &r->decisions, &err)) {
		golden_fault(r->c, "%s", err.text);
		return;
	}
	compare_started(r);
	compare_windows(r);
	compare_bypass(r);
	compare_reservations(r);
}

void golden_run_backfill(struct golden_case *c)
{
	const char *mode = golden_get_text(c->inputs, "mode");
	bool schedule = mode && strcmp(mode, "schedule") == 0;
	struct run r = { .c = c, .idle = golden_get(c->inputs, schedule ? "idle" : "jobs") };
	struct maui_config *config = golden_config(c);
	int64_t now = golden_get_int(c->inputs, "now", 0);

	if (!config)
		return;
	golden_check_known(c, c->inputs, "inputs",
			   schedule ? "mode procs running idle now" :
				      "idle_nodes jobs now chunk_block_until");
	golden_check_known(c, c->expected, "expected",
			   schedule ? "started reservations" : "windows started bypass");
	lay_out(&r, schedule, now);
	r.planner = maui_planner_create();
	plan(&r, config, schedule, now);
	maui_planner_destroy(r.planner);
	maui_decisions_finish(&r.decisions);
	maui_snapshot_destroy(r.snapshot);
	maui_config_unref(config);
}
