/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_world.h - small clusters and queues as text, and what is planned for them as text
 *
 *   nodes    "4 procs=8; 2 procs=16 mem=100 feature=big part=p0,p1": so many alike; they are called
 *            n0, n1, ... Keys: procs mem gpu feature part weight speed priority load, and the words
 *            asleep, down; from=T: usable from then on; cap=N: processors of it for jobs of p1;
 *            leaf=l0: connected to that switch. Switches l0 to l3 are leaves: l0 and l1 are below
 *            s0, l2 and l3 below s1; s0 and s1 are below the top, and so are s[1,3] and
 *            s[1,4], of nodes on two leaves. leaf=x: another network
 *   running  "a nodes=n0,n1 procs=8 end=100; ...": procs a node. Keys: end start user qos mem
 *            prio (of the class), rsv, cap (what it takes of it a node); words: preemptee, over
 *            (a soft limit), never (preempted), suspended (by us: procs are what it had),
 *            gang (suspended, and keeps them), completing; het=N: it goes with job number N,
 *            counted from 0
 *   queue    "A procs=8 limit=60; B nodes=2-4 whole limit=60": first to last in priority. Keys:
 *            procs nodes limit min (time-min) by (must start by) user qos part=p0,p1 mem (a node)
 *            gpu (a node) gpus (of which gpu is a share) least (memory configured a node)
 *            each (tasks a node at most) mincpus (a node) feature need=n1,n2 not=n3
 *            uneven=N (a start for which Slurm chooses needs N of gpu on each node)
 *            spares=n1,n2 (it preempts no job there)
 *            claim=R wait bypass copies id rsv=R (--reservation=R); words: whole, allmem,
 *            contiguous,
 *            away (refused in its first partition); away=N (another one has its turn until N)
 *            refused, noreserve, asks, shares, sole, only (inside its claim), exactly (as many
 *            nodes), spread; first, force, anywhere (runjob); switches=N (leaves at most);
 *            segment=N (nodes of one leaf);
 *            licences of the cluster, which has three: lic=N, of running jobs, too
 *   claims   "R nodes=n0,n1 start=10 end=20"; gap=N: it comes back after so long
 *   planned  "A:n0+n1 C:n2*2 | B@100:n0": starts, then reservations; *k: so many tasks there.
 *            "!a" behind: a is preempted, "+a": it is resumed
 * Time begins at 0; now is `now`.
 */
#ifndef MAUI_TESTSUITE_PLAN_WORLD_H
#define MAUI_TESTSUITE_PLAN_WORLD_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "base/strbuf.h"
#include "explain/explain.h"
#include "plan/plan.h"

enum {
	WORLD_GPU = MAUI_AMOUNT_FIXED,
	WORLD_CAP,
	WORLD_LICENCE,
	WORLD_AMOUNTS,
	WORLD_MOST = 64,
};

struct world {
	struct maui_snapshot *snapshot;
	struct maui_config *config;
	struct maui_planner *planner;
	struct maui_decisions decisions;
	struct maui_job_reservation job_rsvs[WORLD_MOST];
	size_t job_rsv_count;
	char names[WORLD_MOST][16]; /* of idle jobs, by id */
	char active_names[WORLD_MOST][16];
	const struct maui_standing_input *standing; /* rsv_world.h */
	int64_t now, chunk_until;
	uint32_t estimates;
	atomic_bool stop;
	bool slurm_chooses;
	struct maui_plan *plan; /* the last plan, once a test has asked about it */
	struct maui_explainer *explainer;
};

/* The value of a key in "a key=value b"; NULL: none. Static memory. */
static inline const char *world_get(const char *text, const char *key)
{
	static char value[32][64]; /* a part has fewer keys */
	static unsigned turn;
	size_t length = strlen(key);

	for (const char *at = text; (at = strstr(at, key)); at += length) {
		if (at[length] != '=' || (at > text && at[-1] != ' '))
			continue;
		turn = (turn + 1) % 32;
		snprintf(value[turn], sizeof(value[turn]), "%.*s",
			 (int)strcspn(at + length + 1, " "), at + length + 1);
		return value[turn];
	}
	return NULL;
}

static inline int64_t world_number(const char *text, const char *key, int64_t missing)
{
	const char *value = world_get(text, key);

	return value ? atoll(value) : missing;
}

static inline bool world_has(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += length)
		if (at > text && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

/* "n0,n3" as numbers; the letter before each is passed over. */
static inline uint32_t world_list(const char *text, uint32_t *list)
{
	uint32_t count = 0;

	while (text && *text) {
		list[count++] = (uint32_t)atoi(text + 1);
		text += strcspn(text, ",");
		text += *text == ',';
	}
	return count;
}

/* Calls for each part between ';'. */
typedef void (*world_part_fn)(struct world *w, const char *part);

static inline void world_each(struct world *w, const char *text, world_part_fn call)
{
	char part[256];

	while (text && *text) {
		size_t length = strcspn(text, ";");

		text += strspn(text, " ");
		length = strcspn(text, ";");
		snprintf(part, sizeof(part), "%.*s", (int)length, text);
		if (*part)
			call(w, part);
		text += length + (text[length] == ';');
	}
}

/* The switches of all worlds whose nodes have one. */
static const struct maui_switch world_switches[] = {
	{ "l0", 7 },
	{ "l1", 7 },
	{ "l2", 8 },
	{ "l3", 8 },
	{ "x", 10 },
	{ "s[1,3]", 9 },
	{ "s[1,4]", 9 },
	{ "s0", 9 },
	{ "s1", 9 },
	{ "top", MAUI_NO_SWITCH },
	{ "other", MAUI_NO_SWITCH },
};

enum { WORLD_SWITCHES = sizeof(world_switches) / sizeof(*world_switches) };

static inline void world_connect(struct world *w, const char *nodes)
{
	if (nodes && strstr(nodes, "leaf="))
		cr_assert(maui_snapshot_set_switches(w->snapshot, world_switches, WORLD_SWITCHES) ==
				  0,
			  "switches");
}

static inline uint32_t world_leaf(const char *part)
{
	const char *name = world_get(part, "leaf");

	for (uint32_t i = 0; name && i < WORLD_SWITCHES; i++)
		if (strcmp(world_switches[i].name, name) == 0)
			return i;
	return MAUI_NO_SWITCH;
}

static inline void world_node(struct world *w, const char *part)
{
	int64_t have[WORLD_AMOUNTS] = { world_number(part, "procs", 1),
					world_number(part, "mem", 1000), 0,
					world_number(part, "gpu", 0),
					world_number(part, "cap", 1000) };
	const char *partitions = world_get(part, "part");
	uint32_t member_of[4];
	struct maui_node node = { .have = have,
				  .partitions = member_of,
				  .features = world_get(part, "feature"),
				  .unit = (uint32_t)world_number(part, "unit", 1),
				  .weight = (uint32_t)world_number(part, "weight", 1),
				  .speed = (double)world_number(part, "speed", 1),
				  .priority = (double)world_number(part, "priority", 0),
				  .load = (double)world_number(part, "load", 0),
				  .asleep = world_has(part, "asleep"),
				  .leaf = world_leaf(part) };

	node.partition_count = world_list(partitions ? partitions : "p0", member_of);
	node.usable_from_s = world_has(part, "down") ? MAUI_NEVER : world_number(part, "from", 0);
	for (int i = atoi(part); i > 0; i--) {
		char name[16];

		node.id = w->snapshot->node_count;
		snprintf(name, sizeof(name), "n%u", node.id);
		node.name = name;
		cr_assert(maui_snapshot_add_node(w->snapshot, &node) >= 0, "node '%s'", part);
		w->snapshot->totals.procs += (double)have[MAUI_AMOUNT_PROCS];
	}
}

static inline uint32_t world_creds(struct world *w, const char *part, uint32_t partition)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = world_get(part, "user"),
					      [MAUI_CRED_QOS] = world_get(part, "qos"),
					      [MAUI_CRED_CLASS] =
						      w->snapshot->partitions[partition].name };

	if (!cred[MAUI_CRED_USER])
		cred[MAUI_CRED_USER] = "somebody";
	return (uint32_t)maui_snapshot_creds(w->snapshot, cred);
}

static inline void world_keep(struct world *w, const char *part, const char *name, int64_t start_s,
			      int64_t end_s)
{
	const int64_t amounts[WORLD_AMOUNTS] = { [WORLD_LICENCE] = world_number(part, "lic", 0) };
	const struct maui_global_claim claim = { name, start_s, end_s, amounts };

	cr_assert(maui_snapshot_keep_global(w->snapshot, &claim) >= 0, "claim '%s'", part);
}

static inline void world_claim(struct world *w, const char *part)
{
	int64_t amounts[WORLD_MOST][WORLD_AMOUNTS] = { { 0 } };
	uint32_t nodes[WORLD_MOST];
	char name[16];
	struct maui_claim claim = { .rsv = MAUI_CLAIM_FOREIGN,
				    .name = name,
				    .id = w->snapshot->claim_count,
				    .nodes = nodes,
				    .start_s = world_number(part, "start", 0),
				    .end_s = world_number(part, "end", MAUI_NEVER) };

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(part, " "), part);
	if (world_get(part, "lic")) {
		world_keep(w, part, name, claim.start_s, claim.end_s);
		return;
	}
	claim.node_count = world_list(world_get(part, "nodes"), nodes);
	claim.stack = (uint32_t)world_number(part, "stack", 0);
	claim.gap_s = world_number(part, "gap", 0);
	claim.repeats = claim.gap_s > 0;
	if (world_get(part, "procs")) /* of each node */
		claim.amounts = amounts[0];
	for (uint32_t n = 0; n < claim.node_count; n++)
		amounts[n][MAUI_AMOUNT_PROCS] = world_number(part, "procs", 0);
	cr_assert(maui_snapshot_add_claim(w->snapshot, &claim) >= 0, "claim '%s'", part);
}

static inline void world_active(struct world *w, const char *part)
{
	int64_t amounts[WORLD_AMOUNTS] = { world_number(part, "procs", 1),
					   world_number(part, "mem", 0), 0,
					   world_number(part, "gpu", 0),
					   world_number(part, "cap", 0) };
	uint32_t id = w->snapshot->active_count, nodes[WORLD_MOST];
	/* of claim 0 on each node */
	const struct maui_share share = { 0, world_number(part, "share", 0) };
	struct maui_piece pieces[WORLD_MOST];
	int64_t global[WORLD_AMOUNTS] = { [WORLD_LICENCE] = world_number(part, "lic", 0) };
	struct maui_active active = { .global = global,
				      .id = id,
				      .pieces = pieces,
				      .start_s = world_number(part, "start", 0),
				      .end_s = world_number(part, "end", MAUI_NEVER),
				      .preemptee = world_has(part, "preemptee"),
				      .going = world_has(part, "never")  ? MAUI_GOING_NEVER :
					       world_has(part, "sleeps") ? MAUI_GOING_SUSPENDED :
									   MAUI_GOING_BY_POLICY,
				      .het_id = (uint64_t)world_number(part, "het", 0),
				      .kind = (uint32_t)world_number(part, "kind", 0),
				      .cost = (uint32_t)world_number(part, "cost", 0),
				      .slurm_priority = (uint32_t)world_number(part, "prio", 0),
				      .keeps_licenses = world_has(part, "keeps"),
				      .warned = world_has(part, "warned"),
				      .suspended = world_has(part, "suspended"),
				      .resumable = world_has(part, "suspended"),
				      .sole_user = world_has(part, "sole"),
				      .advres = world_get(part, "rsv"),
				      .asked_tasks = world_number(part, "tasks", 0),
				      .asked_procs = world_number(part, "asked", 0),
				      .creds = world_creds(w, part, 0) };

	active.piece_count = world_list(world_get(part, "nodes"), nodes);
	active.procs = amounts[0] * active.piece_count;
	active.job.procs = (double)active.procs;
	active.job.soft_violation = world_has(part, "over");
	for (uint32_t i = 0; i < active.piece_count; i++)
		pieces[i] = (struct maui_piece){ .node = nodes[i],
						 .amounts = amounts,
						 .resumes = active.suspended ? amounts[0] : 0,
						 .shares = &share,
						 .share_count = share.procs > 0 };
	if (active.suspended && !world_has(part, "gang"))
		amounts[0] = 0;
	active.job.nodes = active.piece_count;
	active.job.walltime_s = (double)(active.end_s - active.start_s);
	active.completing = world_has(part, "completing");
	if (active.completing) /* its end has come before its limit */
		active.end_s = w->now;
	snprintf(w->active_names[id], sizeof(w->active_names[id]), "%.*s", (int)strcspn(part, " "),
		 part);
	cr_assert(maui_snapshot_add_active(w->snapshot, &active) >= 0, "running '%s'", part);
}

static inline int64_t world_request(struct world *w, const char *part, int64_t procs)
{
	int64_t per_node[WORLD_AMOUNTS] = { world_number(part, "mincpus", 0),
					    world_number(part, "mem", 0), 0,
					    world_number(part, "gpu", 0) };
	int64_t per_job[WORLD_AMOUNTS] = { [WORLD_GPU] = world_number(part, "gpus", 0) };
	int64_t global[WORLD_AMOUNTS] = { [WORLD_LICENCE] = world_number(part, "lic", 0) };
	int64_t least[WORLD_AMOUNTS] = { 0, world_number(part, "least", 0) };
	uint32_t need[WORLD_MOST], without[WORLD_MOST], claim = 0;
	const char *nodes = world_get(part, "nodes");
	struct maui_request r = { .nodes_min = nodes ? (uint32_t)atoi(nodes) : 1,
				  .procs_per_task = 1,
				  .per_node = per_node,
				  .per_job = per_job[WORLD_GPU] > 0 ? per_job : NULL,
				  .least = least[MAUI_AMOUNT_MEM] > 0 ? least : NULL,
				  .tasks_per_node_max = (uint32_t)world_number(part, "each", 0),
				  .whole_nodes = world_has(part, "whole"),
				  .all_memory = world_has(part, "allmem"),
				  .contiguous = world_has(part, "contiguous"),
				  .spread = world_has(part, "spread"),
				  .switches_max = (uint32_t)world_number(part, "switches", 0),
				  .segment = (uint32_t)world_number(part, "segment", 0),
				  .sole_user = world_has(part, "sole"),
				  .nodes_named = nodes != NULL,
				  .asks_slurm = world_has(part, "asks"),
				  .shares_procs = world_has(part, "shares"),
				  .features = world_get(part, "feature"),
				  .required = need,
				  .excluded = without,
				  .claims = &claim,
				  .claim_count = world_get(part, "claim") != NULL,
				  .global_claim = (uint32_t)world_number(part, "own", 0),
				  .only_claims = world_has(part, "only"),
				  .passes_shares =
					  world_get(part, "claim") || world_has(part, "passes") };

	if (nodes)
		r.nodes_max =
			strchr(nodes, '-') ? (uint32_t)atoi(strchr(nodes, '-') + 1) : r.nodes_min;
	if (world_get(part, "procs"))
		r.tasks = (uint64_t)procs;
	r.required_count = world_list(world_get(part, "need"), need);
	if (global[WORLD_LICENCE] > 0)
		r.global = global;
	r.excluded_count = world_list(world_get(part, "not"), without);
	if (world_get(part, "uneven")) {
		int64_t shares = per_node[WORLD_GPU];

		r.asks_slurm = true;
		per_node[WORLD_GPU] = world_number(part, "uneven", 0);
		r.least_request = (uint32_t)maui_snapshot_request(w->snapshot, &r) + 1;
		per_node[WORLD_GPU] = shares;
	}
	return maui_snapshot_request(w->snapshot, &r);
}

static inline void world_idle(struct world *w, const char *part)
{
	const char *partitions = world_get(part, "part");
	uint32_t id = w->snapshot->idle_count + 1, list[4], spared[WORLD_MOST];
	struct maui_row rows[4];
	struct maui_idle idle = {
		.id = id,
		.rows = rows,
		.copies = (uint32_t)world_number(part, "copies", 1),
		.submit_s = w->now - 1000 + id,
		.limit_s = world_number(part, "limit", 10),
		.limit_min_s = world_number(part, "min", 0),
		.start_by_s = world_number(part, "by", 0),
		.het_id = (uint64_t)world_number(part, "het", 0),
		.het_offset = (uint32_t)world_number(part, "off", 0),
		.het_count = (uint32_t)world_number(part, "of", 0),
		.refused = world_has(part, "refused"),
		.blocked = world_has(part, "held") ? MAUI_REASON_HELD : MAUI_REASON_NONE,
		.no_reservation = world_has(part, "noreserve"),
		.busy_until_s = world_number(part, "busy", 0),
		.in_reservation = world_has(part, "inside"),
		.run = (world_has(part, "first") ? MAUI_RUN_FIRST : 0u) |
		       (world_has(part, "force") ? MAUI_RUN_FORCE : 0u) |
		       (world_has(part, "anywhere") ? MAUI_RUN_ANYWHERE : 0u),
		.spared = spared,
		.spared_count = world_list(world_get(part, "spares"), spared),
		.advres = world_get(part, "rsv"),
		.procs = world_number(part, "procs", world_number(part, "nodes", 1))
	};
	int64_t request = world_request(w, part, idle.procs);

	idle.row_count = world_list(partitions ? partitions : "p0", list);
	for (uint32_t i = 0; i < idle.row_count; i++)
		rows[i] = (struct maui_row){ .partition = list[i],
					     .creds = world_creds(w, part, list[i]),
					     .kind = (uint32_t)world_number(part, "kind", 0),
					     .refused = i == 0 && world_has(part, "away"),
					     .busy_until_s =
						     i == 0 ? world_number(part, "away", 0) : 0 };
	idle.queue_since_s = w->now - world_number(part, "wait", 1000 - id);
	idle.job = (struct maui_job){ .procs = (double)idle.procs,
				      .nodes = (double)world_number(part, "nodes", 0),
				      .bypass = (double)world_number(part, "bypass", 0),
				      .walltime_s = (double)idle.limit_s };
	idle.request = (uint32_t)request;
	snprintf(w->names[id], sizeof(w->names[id]), "%.*s", (int)strcspn(part, " "), part);
	cr_assert(request >= 0 && maui_snapshot_add_idle(w->snapshot, &idle) >= 0, "job '%s'",
		  part);
}

/* Everything but the plan. tiers: of p0, p1, p2; NULL: all alike. */
static inline void world_make(struct world *w, const char *config, const char *nodes,
			      const char *claims, const char *running, const char *queue,
			      int64_t now)
{
	static const int64_t licences[WORLD_AMOUNTS] = { [WORLD_LICENCE] = 3 };
	static const int64_t with_whole_nodes[WORLD_AMOUNTS] = { [WORLD_GPU] = 1 };
	struct maui_diags diags = { 0 };

	*w = (struct world){ .snapshot = maui_snapshot_create(WORLD_AMOUNTS),
			     .planner = maui_planner_create(),
			     .now = now };
	w->config = maui_config_parse("maui.cfg", config, strlen(config), NULL, &diags);
	cr_assert(w->config, "configuration '%s'", config);
	maui_diags_finish(&diags);
	for (int p = 0; p < 3; p++) {
		char name[] = { 'p', (char)('0' + p), '\0' };

		maui_snapshot_add_partition(
			w->snapshot,
			&(struct maui_partition){ .name = name,
						  .tier = p == 2,
						  .cap_amount = p == 1 ? WORLD_CAP : 0 });
	}
	world_connect(w, nodes);
	world_each(w, nodes, world_node);
	cr_assert(maui_snapshot_seal(w->snapshot, NULL) == 0, "seal");
	maui_snapshot_set_global(w->snapshot, licences);
	maui_snapshot_set_with_whole_nodes(w->snapshot, with_whole_nodes);
	maui_snapshot_name_amount(w->snapshot, WORLD_GPU, "gpu");
	world_each(w, claims, world_claim);
	world_each(w, running, world_active);
	world_each(w, queue, world_idle);
}

static inline void world_places(struct maui_strbuf *out, const struct maui_place *places,
				uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		maui_strbuf_addf(out, "%sn%u", i ? "+" : ":", places[i].node);
		if (places[i].tasks > 1)
			maui_strbuf_addf(out, "*%u", places[i].tasks);
	}
}

/* The last plan as a value; the decisions stay as they are. */
static inline const struct maui_plan *world_finished(struct world *w)
{
	if (!w->plan)
		w->plan = maui_plan_finish(w->planner, w->snapshot, w->estimates);
	cr_assert(w->plan, "memory");
	return w->plan;
}

static inline struct maui_explainer *world_explainer(struct world *w)
{
	if (!w->explainer)
		w->explainer = maui_explainer_create(world_finished(w));
	cr_assert(w->explainer, "memory");
	return w->explainer;
}

static inline void world_forget(struct world *w)
{
	maui_explainer_destroy(w->explainer);
	maui_plan_unref(w->plan);
	w->explainer = NULL;
	w->plan = NULL;
}

/* Plans, and returns what was planned; the caller frees. */
static inline char *world_plan(struct world *w)
{
	const struct maui_plan_input input = { .config = w->config,
					       .snapshot = w->snapshot,
					       .now_s = w->now,
					       .standing = w->standing,
					       .chunk_until_s = w->chunk_until,
					       .job_rsvs = w->job_rsvs,
					       .job_rsv_count = w->job_rsv_count,
					       .stop = &w->stop,
					       .slurm_chooses = w->slurm_chooses,
					       .want_reasons = true };
	struct maui_strbuf out = { 0 };
	struct maui_err err = { .text = "" };
	const struct maui_decisions *d = &w->decisions;

	world_forget(w);
	if (maui_plan(w->planner, &input, &w->decisions, &err)) {
		maui_strbuf_addf(&out, "%s", err.text);
		return maui_strbuf_steal(&out);
	}
	if (w->estimates > 0)
		world_finished(w);
	maui_strbuf_addf(&out, "%s", "");
	for (uint32_t i = 0; i < d->start_count; i++) {
		maui_strbuf_addf(&out, "%s%s", i ? " " : "",
				 w->names[w->snapshot->idle[d->starts[i].job].id]);
		world_places(&out, d->starts[i].places, d->starts[i].place_count);
		if (d->starts[i].slurm_chooses)
			maui_strbuf_addf(&out, "%s", "?");
	}
	if (d->incomplete) {
		maui_strbuf_addf(&out, "%s", " ...");
		return maui_strbuf_steal(&out);
	}
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];

		maui_strbuf_addf(&out, "%s%s@%d",
				 i          ? " " :
				 out.length ? " | " :
					      "| ",
				 w->names[w->snapshot->idle[r->job].id], (int)r->start_s);
		world_places(&out, r->places, r->place_count);
	}
	for (uint32_t i = 0; i < d->preemption_count; i++)
		maui_strbuf_addf(&out, " !%s",
				 w->active_names[w->snapshot->active[d->preemptions[i].active].id]);
	for (uint32_t i = 0; i < d->resume_count; i++)
		maui_strbuf_addf(&out, " +%s",
				 w->active_names[w->snapshot->active[d->resumes[i]].id]);
	return maui_strbuf_steal(&out);
}

/* Plans, and compares what was planned. */
static inline void world_expect(struct world *w, const char *what, const char *planned)
{
	char *got = world_plan(w);

	EXPECT_TEXT(what, got, planned);
	free(got);
}

/* The next plan gets the job reservations of this one. */
static inline void world_promise(struct world *w)
{
	static struct maui_place places[WORLD_MOST][WORLD_MOST];

	w->job_rsv_count = 0;
	for (uint32_t i = 0; i < w->decisions.reservation_count; i++) {
		const struct maui_reservation *r = &w->decisions.reservations[i];
		const struct maui_idle *idle = &w->snapshot->idle[r->job];

		memcpy(places[i], r->places, r->place_count * sizeof(*r->places));
		w->job_rsvs[w->job_rsv_count++] =
			(struct maui_job_reservation){ .job = idle->id,
						       .partition = idle->rows[r->row].partition,
						       .start_s = r->start_s,
						       .places = places[i],
						       .place_count = r->place_count,
						       .preempting = r->preempting };
	}
}

/* Index of the job called so. */
static inline uint32_t world_find(const struct world *w, const char *name)
{
	for (uint32_t j = 0; j < w->snapshot->idle_count; j++)
		if (strcmp(w->names[w->snapshot->idle[j].id], name) == 0)
			return j;
	cr_assert_fail("no job %s", name);
	return 0;
}

static inline const struct maui_verdict *world_verdict(const struct world *w, const char *name)
{
	return &w->decisions.verdicts[world_find(w, name)];
}

/* The explanation of the job with this name: the complete one, or the short one of a cycle. */
static inline struct maui_explanation world_explain(struct world *w, const char *name, bool all)
{
	struct maui_explanation e;
	uint32_t job = world_find(w, name);

	cr_assert((all ? maui_explain_job(world_explainer(w), job, &e) :
			 maui_explain_short(world_explainer(w), job, &e)) == 0,
		  "memory");
	return e;
}

static inline void world_finish(struct world *w)
{
	world_forget(w);
	maui_decisions_finish(&w->decisions);
	maui_planner_destroy(w->planner);
	maui_snapshot_destroy(w->snapshot);
	maui_config_unref(w->config);
}

#endif
