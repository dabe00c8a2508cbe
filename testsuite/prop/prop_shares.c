/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_shares.c - reservations of cores and of licences, against a slurmctld that knows each core
 *
 * Each planned start is given cores as Slurm gives them: any cores that it may have. A job outside
 * gets no core of a reservation that its span meets; a job inside gets only its reservation's.
 * Slurm may refuse no start. Where it is clear which cores belong to which reservation, a lone job
 * that could start must start.
 */

#include <string.h>

#include "config/config.h"
#include "explain/explain.h"
#include "plan/plan.h"
#include "prop.h"

enum { NODES = 3, CORES = 12, SHARES = 4, ACTIVE = 5, IDLE = 8, NOW = 10000, LICENCE = 1, AMOUNTS };

struct share {
	uint32_t cores[NODES]; /* a bit a core */
	uint32_t claim;
	int64_t start_s, end_s, licences;
	uint32_t stack;
	bool mixed;
};

struct job {
	struct maui_request request;
	int64_t global[AMOUNTS], limit_s;
	int inside; /* the share that the job names; -1: none */
};

static struct share shares[SHARES];
static struct job jobs[IDLE];
static uint32_t busy[NODES]; /* cores */
static unsigned share_count, job_count, node_cores[NODES];
static int64_t licences_free;
static bool tidy; /* stacks have no cores in common */
static struct maui_config *config;
static struct maui_planner *planner;
static struct maui_decisions decisions;

static unsigned count(uint32_t bits)
{
	return (unsigned)__builtin_popcount(bits);
}

/* Some of these, `wanted` at most. */
static uint32_t draw_cores(uint32_t from, unsigned wanted)
{
	uint32_t bits = 0;

	while (count(bits) < wanted && (from & ~bits))
		bits |= from & (1u << prop_pick(CORES));
	return bits;
}

static bool contains(const struct share *one, const struct share *two)
{
	for (unsigned n = 0; n < NODES; n++)
		if (two->cores[n] & ~one->cores[n])
			return false;
	return true;
}

static bool meets(const struct share *one, const struct share *two)
{
	for (unsigned n = 0; n < NODES; n++)
		if (one->cores[n] & two->cores[n])
			return true;
	return false;
}

/* As the capture finds them. */
static void find_stack(unsigned index)
{
	struct share *own = &shares[index];
	uint32_t most = 0;

	for (unsigned i = 0; i < index; i++)
		most = shares[i].stack > most ? shares[i].stack : most;
	own->stack = most + 1;
	for (uint32_t stack = most; stack > 0; stack--) {
		bool all = true;

		for (unsigned i = 0; i < index; i++)
			all &= shares[i].stack != stack || contains(&shares[i], own) ||
			       contains(own, &shares[i]);
		if (all)
			own->stack = stack;
	}
	for (unsigned i = 0; i < index; i++)
		if (shares[i].stack != own->stack && meets(&shares[i], own)) {
			shares[i].mixed = own->mixed = true;
			tidy = false;
		}
}

static void draw_share(struct maui_snapshot *s, unsigned index)
{
	int64_t amounts[NODES * AMOUNTS] = { 0 }, kept[AMOUNTS] = { 0 };
	struct share *own = &shares[index];
	struct maui_claim claim = {
		.rsv = MAUI_CLAIM_FOREIGN, .id = index, .name = "share", .amounts = amounts
	};
	uint32_t nodes[NODES];

	*own = (struct share){ .start_s = NOW - 20 + prop_pick(60) };
	own->end_s = own->start_s + 21 + prop_pick(40);
	for (unsigned n = 0; n < NODES; n++) {
		uint32_t all = (1u << node_cores[n]) - 1;

		if (index > 0 && prop_pick(3))
			all &= prop_pick(2) ? shares[index - 1].cores[n] :
					      ~shares[index - 1].cores[n];
		own->cores[n] = prop_pick(4) ? draw_cores(all, prop_pick(node_cores[n] + 1)) : 0;
		if (!own->cores[n] && (n + 1 < NODES || claim.node_count > 0))
			continue;
		amounts[claim.node_count * AMOUNTS] = count(own->cores[n]);
		nodes[claim.node_count++] = n;
	}
	find_stack(index);
	claim.stack = own->stack;
	claim.start_s = own->start_s;
	claim.end_s = own->end_s;
	claim.nodes = nodes;
	own->claim = (uint32_t)maui_snapshot_add_claim(s, &claim);
	own->licences = prop_pick(3) ? 0 : prop_pick(4);
	kept[LICENCE] = own->licences;
	PROP_CHECK(maui_snapshot_keep_global(
			   s, &(struct maui_global_claim){ .name = "share",
							   .start_s = own->start_s,
							   .end_s = own->end_s,
							   .amounts = kept }) == (int64_t)index,
		   "licences");
}

static uint32_t draw_creds(struct maui_snapshot *s)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "ann" };

	return (uint32_t)maui_snapshot_creds(s, cred);
}

static void draw_active(struct maui_snapshot *s)
{
	uint32_t n = prop_pick(NODES), list_count = 0;
	uint32_t cores = draw_cores(((1u << node_cores[n]) - 1) & ~busy[n], 1 + prop_pick(6));
	int64_t amounts[AMOUNTS] = { count(cores) }, global[AMOUNTS] = { 0, prop_pick(2) };
	struct maui_share list[SHARES];
	struct maui_piece piece = { .node = n, .amounts = amounts, .shares = list };
	const struct maui_active active = { .id = 100 + s->active_count,
					    .creds = draw_creds(s),
					    .start_s = NOW - 10,
					    .end_s = NOW + 1 + prop_pick(60),
					    .pieces = &piece,
					    .piece_count = 1,
					    .global = global };

	if (!cores)
		return;
	for (unsigned i = 0; i < share_count; i++)
		if (shares[i].cores[n] & cores)
			list[list_count++] =
				(struct maui_share){ shares[i].claim,
						     count(shares[i].cores[n] & cores) };
	piece.share_count = list_count;
	busy[n] |= cores;
	licences_free -= global[LICENCE];
	PROP_CHECK(maui_snapshot_add_active(s, &active) >= 0, "active");
}

static void draw_job(struct maui_snapshot *s, unsigned index)
{
	struct job *j = &jobs[index];
	struct maui_row row = { .creds = draw_creds(s) };
	struct maui_idle idle = { .id = 1 + index, .copies = 1, .rows = &row, .row_count = 1 };
	int64_t request;

	*j = (struct job){ .limit_s = 1 + prop_pick(70), .inside = -1 };
	j->request =
		(struct maui_request){ .nodes_min = 1 + (prop_pick(4) == 0), .procs_per_task = 1 };
	j->request.nodes_max = j->request.nodes_min;
	j->request.tasks = j->request.nodes_min + prop_pick(8);
	j->request.whole_nodes = prop_pick(8) == 0;
	if (share_count > 0 && prop_pick(3) == 0) {
		j->inside = (int)prop_pick(share_count);
		j->request.claims = &shares[j->inside].claim;
		j->request.claim_count = 1;
		j->request.only_claims = j->request.passes_shares = true;
		j->request.global_claim = (uint32_t)j->inside + 1;
		j->request.whole_nodes = false;
	}
	j->global[LICENCE] = prop_pick(3) ? 0 : 1 + prop_pick(3);
	if (j->global[LICENCE])
		j->request.global = j->global;
	request = maui_snapshot_request(s, &j->request);
	idle.request = (uint32_t)request;
	idle.submit_s = NOW - 100 + index;
	idle.queue_since_s = idle.submit_s;
	idle.limit_s = j->limit_s;
	idle.procs = (int64_t)j->request.tasks;
	idle.job.procs = (double)idle.procs;
	idle.job.walltime_s = (double)idle.limit_s;
	PROP_CHECK(request >= 0 && maui_snapshot_add_idle(s, &idle) >= 0, "job %u", index);
}

static struct maui_snapshot *draw(void)
{
	struct maui_snapshot *s = maui_snapshot_create(AMOUNTS);
	const int64_t global[AMOUNTS] = { [LICENCE] = ACTIVE + prop_pick(6) };
	static const uint32_t partition;

	tidy = true;
	memset(busy, 0, sizeof(busy));
	maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "p" });
	for (unsigned n = 0; n < NODES; n++) {
		int64_t have[AMOUNTS] = { node_cores[n] = 1 + prop_pick(CORES) };

		maui_snapshot_add_node(s, &(struct maui_node){ .id = n,
							       .name = "n",
							       .have = have,
							       .partitions = &partition,
							       .partition_count = 1 });
	}
	PROP_CHECK(maui_snapshot_seal(s, NULL) == 0 && maui_snapshot_set_global(s, global) == 0,
		   "snapshot");
	licences_free = global[LICENCE];
	share_count = prop_pick(SHARES + 1);
	for (unsigned i = 0; i < share_count; i++)
		draw_share(s, i);
	for (unsigned i = 0; i < share_count; i++)
		s->claims[shares[i].claim].mixed = shares[i].mixed;
	for (unsigned i = prop_pick(ACTIVE + 1); i > 0; i--)
		draw_active(s);
	job_count = prop_pick(3) ? 1 + prop_pick(IDLE) : 1;
	for (unsigned j = 0; j < job_count; j++)
		draw_job(s, j);
	return s;
}

/* ---- slurmctld ---- */

static bool comes(const struct share *share, const struct job *j)
{
	return share->start_s < NOW + j->limit_s && share->end_s > NOW;
}

/* The cores of the node that the job might get. */
static uint32_t open_cores(const struct job *j, unsigned n)
{
	uint32_t all = (1u << node_cores[n]) - 1, open = all & ~busy[n];

	if (j->inside >= 0)
		return shares[j->inside].start_s <= NOW && shares[j->inside].end_s > NOW ?
			       open & shares[j->inside].cores[n] :
			       0;
	for (unsigned i = 0; i < share_count; i++)
		if (comes(&shares[i], j))
			open &= ~shares[i].cores[n];
	return j->request.whole_nodes && open != all ? 0 : open;
}

static bool has_licences(const struct job *j)
{
	int64_t left = licences_free - j->global[LICENCE];

	for (unsigned i = 0; i < share_count; i++)
		if ((int)i != j->inside && comes(&shares[i], j))
			left -= shares[i].licences;
	return j->global[LICENCE] == 0 || left >= 0;
}

static void start(const struct maui_start *start)
{
	const struct job *j = &jobs[start->job];

	PROP_CHECK(has_licences(j), "licences of job %u", start->job);
	for (uint32_t i = 0; i < start->place_count; i++) {
		const struct maui_place *place = &start->places[i];
		uint32_t open = open_cores(j, place->node);

		PROP_CHECK(count(open) >= place->amounts[MAUI_AMOUNT_PROCS],
			   "job %u gets %u of node %u, not %d", start->job, count(open),
			   place->node, (int)place->amounts[MAUI_AMOUNT_PROCS]);
		busy[place->node] |= draw_cores(open, (unsigned)place->amounts[MAUI_AMOUNT_PROCS]);
	}
	licences_free -= j->global[LICENCE];
}

/* On one node, with no other job before it. */
static bool could_start(const struct job *j)
{
	for (unsigned n = 0; n < NODES; n++)
		if (has_licences(j) && count(open_cores(j, n)) >= j->request.tasks)
			return true;
	return false;
}

/* Whatever is asked of the finished plan has an answer. */
static void explain_all(struct maui_plan *plan)
{
	struct maui_explainer *x = plan ? maui_explainer_create(plan) : NULL;
	struct maui_explanation e;

	PROP_CHECK(x, "memory");
	for (unsigned j = 0; j < job_count; j++)
		PROP_CHECK(maui_explain_job(x, j, &e) == 0, "memory");
	maui_explainer_destroy(x);
	maui_plan_unref(plan);
}

static void round_once(void)
{
	struct maui_snapshot *s = draw();
	const struct maui_plan_input input = { .config = config,
					       .snapshot = s,
					       .now_s = NOW,
					       .want_reasons = true,
					       .want_windows = true };
	struct maui_err err;
	bool starts;

	/* one inside is there for no longer than its reservation, by the plan's lights */
	starts = tidy && job_count == 1 && jobs[0].request.nodes_min == 1 &&
		 could_start(&jobs[0]) &&
		 (jobs[0].inside < 0 || shares[jobs[0].inside].end_s >= NOW + jobs[0].limit_s);
	PROP_CHECK(maui_plan(planner, &input, &decisions, &err) == 0, "%s", err.text);
	PROP_CHECK(!starts || decisions.start_count == 1, "it could start");
	for (uint32_t i = 0; i < decisions.start_count; i++)
		start(&decisions.starts[i]);
	explain_all(maui_plan_finish(planner, s, 4));
	maui_snapshot_destroy(s);
}

int main(int argc, char **argv)
{
	static const char text[] = "RESERVATIONDEPTH 3\n";
	struct maui_diags diags = { 0 };
	int rc;

	config = maui_config_parse("maui.cfg", text, sizeof(text) - 1, NULL, &diags);
	planner = maui_planner_create();
	PROP_CHECK(config && planner, "configuration");
	maui_diags_finish(&diags);
	rc = prop_main(argc, argv, 3000, round_once);
	maui_decisions_finish(&decisions);
	maui_planner_destroy(planner);
	maui_config_unref(config);
	return rc;
}
