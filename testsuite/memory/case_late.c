/* SPDX-License-Identifier: GPL-2.0-or-later */
/* case_late.c - plans in which a promise has to wait for its nodes, before any search has made room
 * for candidates
 */

#include "cases.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "model/snapshot.h"
#include "plan/plan.h"

/* More nodes than candidates have room for at once. */
enum { NODES = 200, NOW = 1000, PROMISED = NOW + 50, FREE = NOW + 100 };

static struct maui_planner *planner;
static struct maui_config *config;
static struct maui_snapshot *snapshot;
static struct maui_decisions decisions;
static struct maui_place places[NODES];
static struct maui_job_reservation job_rsv;

/* The promise stays on its nodes; in the second half of the variants, a limit is asked, too. */
static void read_config(bool limits)
{
	static const char plain[] = "RESERVATIONPOLICY HIGHEST\n";
	static const char limiting[] = "RESERVATIONPOLICY HIGHEST\nUSERCFG[ann] MAXPROC=500\n";
	const char *text = limits ? limiting : plain;
	struct maui_diags diags = { 0 };

	config = maui_config_parse("maui.cfg", text, strlen(text), NULL, &diags);
	maui_diags_finish(&diags);
	if (!config)
		memory_broken("maui.cfg");
}

static void add_nodes(void)
{
	static const int64_t have[MAUI_AMOUNT_FIXED] = { [MAUI_AMOUNT_PROCS] = 2 };
	static const uint32_t partitions[] = { 0 };
	char name[16];

	for (uint32_t n = 0; n < NODES; n++) {
		snprintf(name, sizeof(name), "n%u", n);
		if (maui_snapshot_add_node(snapshot,
					   &(struct maui_node){ .id = n,
								.name = name,
								.have = have,
								.partitions = partitions,
								.partition_count = 1,
								.unit = 1,
								.leaf = MAUI_NO_SWITCH }) < 0)
			memory_broken("node");
		places[n] = (struct maui_place){ .node = n, .tasks = n < NODES / 2 ? 2 : 1 };
	}
	snapshot->totals.procs = 2 * NODES;
}

/* They run on these nodes for longer than until the promised start. */
static void add_active(uint32_t creds)
{
	static const int64_t amounts[MAUI_AMOUNT_FIXED] = { [MAUI_AMOUNT_PROCS] = 2 };
	struct maui_piece pieces[NODES];

	for (uint32_t n = 0; n < NODES; n++)
		pieces[n] = (struct maui_piece){ .node = n, .amounts = amounts };
	if (maui_snapshot_add_active(snapshot, &(struct maui_active){ .id = 1,
								      .pieces = pieces,
								      .piece_count = NODES,
								      .start_s = 0,
								      .end_s = FREE,
								      .creds = creds }) < 0)
		memory_broken("active job");
}

static void add_idle(uint32_t creds)
{
	const struct maui_row row = { .creds = creds };
	int64_t request =
		maui_snapshot_request(snapshot, &(struct maui_request){ .nodes_min = NODES,
									.nodes_max = NODES,
									.tasks = NODES + NODES / 2,
									.procs_per_task = 1 });

	if (request < 0 ||
	    maui_snapshot_add_idle(snapshot, &(struct maui_idle){ .id = 2,
								  .copies = 1,
								  .rows = &row,
								  .row_count = 1,
								  .request = (uint32_t)request,
								  .limit_s = 60,
								  .procs = NODES + NODES / 2 }) < 0)
		memory_broken("idle job");
}

static void make_planner(void)
{
	planner = maui_planner_create();
	if (!planner)
		memory_broken("no planner");
}

static void prepare(unsigned variant)
{
	static const char *const cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "ann" };
	int64_t creds;

	read_config(variant == 1);
	snapshot = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	if (!snapshot ||
	    maui_snapshot_add_partition(snapshot, &(struct maui_partition){ .name = "p0" }) < 0)
		memory_broken("snapshot");
	add_nodes();
	creds = maui_snapshot_seal(snapshot, NULL) == 0 ? maui_snapshot_creds(snapshot, cred) : -1;
	if (creds < 0)
		memory_broken("credentials");
	add_active((uint32_t)creds);
	add_idle((uint32_t)creds);
	job_rsv = (struct maui_job_reservation){
		.job = 2, .start_s = PROMISED, .places = places, .place_count = NODES
	};
	make_planner();
}

static int act(struct maui_err *err)
{
	const struct maui_plan_input input = { .config = config,
					       .snapshot = snapshot,
					       .now_s = NOW,
					       .job_rsvs = &job_rsv,
					       .job_rsv_count = 1 };

	return maui_plan(planner, &input, &decisions, err);
}

static void show(struct maui_strbuf *out)
{
	for (uint32_t i = 0; i < decisions.reservation_count; i++) {
		const struct maui_reservation *r = &decisions.reservations[i];

		maui_strbuf_addf(out, "%lld", (long long)r->start_s);
		for (uint32_t k = 0; k < r->place_count; k++)
			maui_strbuf_addf(out, " %u*%u", r->places[k].node, r->places[k].tasks);
	}
	if (decisions.reservation_count != 1 || decisions.reservations[0].start_s != FREE)
		memory_broken("the promise did not wait for its nodes: %s", out->text);
}

static void drop(void)
{
	maui_decisions_finish(&decisions);
	maui_planner_destroy(planner);
	make_planner();
}

static void end(void)
{
	maui_planner_destroy(planner);
	maui_snapshot_destroy(snapshot);
	maui_config_unref(config);
}

const struct memory_case memory_late_cases[] = {
	{ "late-promise", prepare, 2, act, show, drop, end },
	{ NULL, NULL, 0, NULL, NULL, NULL, NULL },
};
