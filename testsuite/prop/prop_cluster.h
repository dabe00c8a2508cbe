/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_cluster.h - random clusters with running jobs and a queue, for property tests of the
 * planner
 *
 * A recipe is drawn first, and then copied into a snapshot in any order: the plan must not depend
 * on that order.
 */
#ifndef MAUI_TESTSUITE_PROP_CLUSTER_H
#define MAUI_TESTSUITE_PROP_CLUSTER_H

#include <stdbool.h>
#include <string.h>

#include "model/snapshot.h"
#include "prop.h"

enum {
	PROP_NODES = 12,
	PROP_ACTIVE = 12,
	PROP_IDLE = 24,
	PROP_PARTITIONS = 3,
	PROP_CLAIMS = 2,
	PROP_KEPT = 3,                        /* reservations that keep licences */
	PROP_AMOUNTS = MAUI_AMOUNT_FIXED + 2, /* one gres, one licence */
	PROP_LICENCE = MAUI_AMOUNT_FIXED + 1,
	PROP_LISTED = 3,
	PROP_FIRST_IDLE = 1, /* first id */
	PROP_FIRST_ACTIVE = 5000,
	PROP_LEAVES = 5, /* 0 to 2 below one switch; 3 and 4 each a network of its own */
};

#define PROP_NOW INT64_C(1000)

/* Of jobs, for Slurm's own preemption. */
enum { PROP_KINDS = 3 };

struct prop_node {
	int64_t have[PROP_AMOUNTS];
	uint32_t partitions[PROP_PARTITIONS], partition_count;
	struct maui_node node;
};

struct prop_active {
	struct maui_active active;
	int64_t global[PROP_AMOUNTS];
	struct maui_piece pieces[PROP_NODES]; /* node: index by id */
	int64_t amounts[PROP_NODES][PROP_AMOUNTS];
	unsigned user;
};

struct prop_idle {
	struct maui_idle idle;
	struct maui_request request; /* node lists: by id */
	int64_t per_node[PROP_AMOUNTS], per_task[PROP_AMOUNTS], per_proc[PROP_AMOUNTS];
	int64_t global[PROP_AMOUNTS];
	uint32_t required[PROP_LISTED], excluded[PROP_LISTED], claims[PROP_CLAIMS];
	struct maui_row rows[2];
	uint32_t least_there, most_there; /* nodes in the second row; most 0: as in the first */
	unsigned user, qos;
};

struct prop_recipe {
	struct prop_node nodes[PROP_NODES];
	struct prop_active active[PROP_ACTIVE];
	struct prop_idle idle[PROP_IDLE];
	struct maui_claim claims[PROP_CLAIMS];
	uint32_t claim_nodes[PROP_CLAIMS][PROP_NODES];
	uint32_t node_count, active_count, idle_count, partition_count, claim_count;
	bool users_alone;             /* some jobs do not share nodes */
	bool switches, optional;      /* there is a network; only jobs that ask for it use it */
	bool least_loaded;            /* p0 is */
	int64_t global[PROP_AMOUNTS]; /* licences; PROP_LICENCE 0: not modelled */
	struct maui_global_claim kept[PROP_KEPT];
	int64_t kept_amounts[PROP_KEPT][PROP_AMOUNTS];
	uint32_t kept_count; /* prop_draw_kept() */
	bool slurm_preempts;
	struct maui_preemption_rule rules[PROP_KINDS * PROP_KINDS];
	uint32_t rule_count;
};

static inline void prop_draw_node(struct prop_recipe *r, uint32_t id)
{
	static const char *const features[] = { NULL, "fast", "fast,big", "big" };
	struct prop_node *n = &r->nodes[id];
	unsigned unit = 1 + prop_pick(2);

	memset(n, 0, sizeof(*n));
	n->have[MAUI_AMOUNT_PROCS] = unit * (1 + prop_pick(8));
	n->have[MAUI_AMOUNT_MEM] = 10 * (1 + prop_pick(10));
	n->have[MAUI_AMOUNT_DISK] = prop_pick(50);
	n->have[MAUI_AMOUNT_FIXED] = prop_pick(3);
	for (uint32_t p = 0; p < r->partition_count; p++)
		if (prop_pick(3) || (p == 0 && prop_pick(8)))
			n->partitions[n->partition_count++] = p;
	n->node = (struct maui_node){ .id = 10 * id,
				      .name = "node",
				      .have = n->have,
				      .partitions = n->partitions,
				      .partition_count = n->partition_count,
				      .features = features[prop_pick(4)],
				      .unit = unit,
				      .weight = prop_pick(3),
				      .speed = prop_pick(4),
				      .priority = prop_pick(3),
				      .load = prop_pick(4),
				      .asleep = prop_pick(8) == 0,
				      .leaf = prop_pick(20) ? prop_pick(PROP_LEAVES) :
							      MAUI_NO_SWITCH };
	if (prop_pick(10) == 0)
		n->node.usable_from_s = prop_pick(2) ? MAUI_NEVER : PROP_NOW + prop_pick(50);
}

/* Makes the node like an earlier one, except for what may differ within a node class. */
static inline void prop_draw_twin(struct prop_recipe *r, uint32_t id)
{
	const struct prop_node *model = &r->nodes[prop_pick(id)];
	struct prop_node *n = &r->nodes[id];

	memcpy(n->have, model->have, sizeof(n->have));
	memcpy(n->partitions, model->partitions, sizeof(n->partitions));
	n->partition_count = n->node.partition_count = model->partition_count;
	n->node.unit = model->node.unit;
	n->node.features = model->node.features;
}

/* Takes only what is still free on some nodes, so that nothing is overcommitted. */
static inline void prop_draw_active(struct prop_recipe *r, uint32_t index,
				    int64_t left[PROP_NODES][PROP_AMOUNTS], unsigned *user_of)
{
	struct prop_active *a = &r->active[index];
	unsigned wanted = 1 + prop_pick(3);

	memset(a, 0, sizeof(*a));
	a->user = 1 + prop_pick(3);
	a->active = (struct maui_active){ .id = PROP_FIRST_ACTIVE + index,
					  .start_s = PROP_NOW - prop_pick(100),
					  .end_s = PROP_NOW - 5 + prop_pick(100),
					  .preemptee = prop_pick(2) };
	if (prop_pick(12) == 0)
		a->active.end_s = MAUI_NEVER;
	a->active.suspended = a->active.end_s > PROP_NOW && prop_pick(5) == 0;
	a->active.resumable = a->active.suspended && prop_pick(4) > 0;
	for (unsigned tries = 0; tries < 6 && a->active.piece_count < wanted; tries++) {
		uint32_t n = prop_pick(r->node_count), piece = a->active.piece_count;
		bool twice = false;

		for (uint32_t i = 0; i < piece; i++)
			twice |= a->pieces[i].node == n;
		if (twice || left[n][MAUI_AMOUNT_PROCS] == 0 ||
		    (r->users_alone && user_of[n] && user_of[n] != a->user))
			continue;
		user_of[n] = a->user;
		for (unsigned d = 0; d < PROP_LICENCE; d++) {
			a->amounts[piece][d] = prop_pick((unsigned)left[n][d] + 1);
			if (d == MAUI_AMOUNT_PROCS && a->amounts[piece][d] == 0)
				a->amounts[piece][d] = 1;
			if (d != MAUI_AMOUNT_PROCS || !a->active.suspended)
				left[n][d] -= a->amounts[piece][d];
		}
		a->active.job.procs += (double)a->amounts[piece][MAUI_AMOUNT_PROCS];
		a->pieces[piece] = (struct maui_piece){ .node = n, .amounts = a->amounts[piece] };
		if (a->active.suspended) {
			a->pieces[piece].resumes = a->amounts[piece][MAUI_AMOUNT_PROCS];
			a->amounts[piece][MAUI_AMOUNT_PROCS] = 0;
		}
		a->active.piece_count++;
	}
	a->active.pieces = a->pieces;
	if (r->global[PROP_LICENCE] > 0 && prop_pick(4) == 0) {
		a->global[PROP_LICENCE] = 1;
		a->active.global = a->global;
	}
}

static inline uint32_t prop_draw_list(const struct prop_recipe *r, uint32_t *list, uint32_t most)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < r->node_count && count < most; n++)
		if (prop_pick(r->node_count) < 2)
			list[count++] = n;
	return count;
}

static inline void prop_draw_request(struct prop_recipe *r, struct prop_idle *j)
{
	static const char *const features[] = { "fast",     "big",        "fast&big",
						"fast|big", "[fast|big]", "nothing" };
	struct maui_request *q = &j->request;

	*q = (struct maui_request){ .nodes_min = 1 + prop_pick(3),
				    .procs_per_task = 1 + prop_pick(2),
				    .per_node = j->per_node };
	if (prop_pick(3) == 0)
		q->nodes_min = 1;
	if (prop_pick(2))
		q->nodes_max = q->nodes_min + prop_pick(3);
	if (prop_pick(3))
		q->tasks = 1 + prop_pick(16);
	if (prop_pick(6) == 0)
		q->tasks_per_node_max = 1 + prop_pick(4);
	q->whole_nodes = prop_pick(5) == 0;
	q->contiguous = prop_pick(12) == 0;
	q->spread = prop_pick(12) == 0;
	q->switches_max = r->switches && prop_pick(4) == 0 ? 1 + prop_pick(2) : 0;
	q->sole_user = r->users_alone && prop_pick(4) == 0;
	q->nodes_named = prop_pick(2);
	j->per_node[MAUI_AMOUNT_MEM] = prop_pick(2) ? prop_pick(30) : 0;
	j->per_node[MAUI_AMOUNT_DISK] = prop_pick(4) ? 0 : prop_pick(20);
	q->all_memory = prop_pick(12) == 0;
	if (!q->all_memory && prop_pick(4) == 0) {
		j->per_proc[MAUI_AMOUNT_MEM] = prop_pick(8);
		q->per_proc = j->per_proc;
	}
	if (prop_pick(6) == 0) {
		j->per_task[MAUI_AMOUNT_FIXED] = 1;
		q->per_task = j->per_task;
	}
	if (prop_pick(6) == 0)
		q->features = features[prop_pick(6)];
	if (prop_pick(10) == 0)
		q->required_count = prop_draw_list(r, j->required, PROP_LISTED);
	if (prop_pick(8) == 0)
		q->excluded_count = prop_draw_list(r, j->excluded, PROP_LISTED);
	q->required = j->required;
	q->excluded = j->excluded;
	for (uint32_t c = 0; c < r->claim_count; c++)
		if (prop_pick(4) == 0)
			j->claims[q->claim_count++] = c;
	q->claims = j->claims;
	if (prop_pick(4) == 0) {
		j->global[PROP_LICENCE] = 1 + prop_pick(3);
		q->global = j->global;
	}
	q->only_claims = q->claim_count > 0 && prop_pick(4) == 0;
}

static inline void prop_draw_idle(struct prop_recipe *r, uint32_t index)
{
	struct prop_idle *j = &r->idle[index];

	memset(j, 0, sizeof(*j));
	prop_draw_request(r, j);
	j->user = 1 + prop_pick(3);
	j->qos = prop_pick(3);
	j->rows[0].partition = prop_pick(r->partition_count);
	j->rows[1].partition = prop_pick(r->partition_count);
	j->idle = (struct maui_idle){ .id = PROP_FIRST_IDLE + index,
				      .copies = prop_pick(8) ? 1 : 1 + prop_pick(4),
				      .rows = j->rows,
				      .row_count = prop_pick(5) ? 1 : 2,
				      .submit_s = PROP_NOW - prop_pick(40),
				      .limit_s = 1 + prop_pick(60) };
	if (j->rows[0].partition == j->rows[1].partition)
		j->idle.row_count = 1;
	if (j->idle.row_count == 2 && prop_pick(2)) {
		j->least_there = j->request.nodes_min + (j->request.tasks > 0 ? prop_pick(2) : 0);
		j->most_there = j->least_there + prop_pick(3);
		if (j->most_there < j->request.required_count)
			j->most_there = j->request.required_count;
	}
	j->idle.queue_since_s = j->idle.submit_s;
	if (prop_pick(10) == 0)
		j->idle.limit_min_s = 1 + prop_pick((unsigned)j->idle.limit_s);
	if (prop_pick(20) == 0)
		j->idle.refused = true;
	if (prop_pick(20) == 0)
		j->idle.blocked = MAUI_REASON_HELD;
	j->idle.procs = (int64_t)(j->request.tasks > j->request.nodes_min ? j->request.tasks :
									    j->request.nodes_min) *
			j->request.procs_per_task;
	j->idle.job = (struct maui_job){ .procs = (double)j->idle.procs,
					 .nodes = j->request.nodes_min,
					 .walltime_s = (double)j->idle.limit_s };
}

/* Slurm's own preemption. Drawn by numbers of its own, made from what is drawn already, so that a
 * seed that failed once draws the same cluster as then. */
static inline unsigned prop_side_pick(uint64_t *state, unsigned below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*state >> 40) % below;
}

static inline void prop_draw_preemption(struct prop_recipe *r)
{
	uint64_t state = r->node_count * 7u + r->idle_count;

	for (uint32_t a = 0; a < r->active_count; a++)
		state = state * 31 + (uint64_t)r->active[a].active.start_s;
	for (uint32_t j = 0; j < r->idle_count; j++)
		state = state * 31 + (uint64_t)r->idle[j].idle.limit_s;
	r->rule_count = 0;
	r->slurm_preempts = prop_side_pick(&state, 3) == 0;
	if (!r->slurm_preempts)
		return;
	for (uint32_t a = 0; a < PROP_KINDS; a++)
		for (uint32_t b = 0; b < PROP_KINDS; b++)
			if (prop_side_pick(&state, 2))
				r->rules[r->rule_count++] = (struct maui_preemption_rule){
					a, b, 1 + prop_side_pick(&state, 7)
				};
	for (uint32_t i = 0; i < r->active_count; i++) {
		struct maui_active *active = &r->active[i].active;

		active->kind = prop_side_pick(&state, PROP_KINDS);
		active->cost = prop_side_pick(&state, 3);
		active->slurm_priority = prop_side_pick(&state, 3);
		active->keeps_licenses = prop_side_pick(&state, 2);
		active->warned = prop_side_pick(&state, 8) == 0;
		active->going = (enum maui_going)(MAUI_GOING_NEVER + prop_side_pick(&state, 3));
	}
	for (uint32_t j = 0; j < r->idle_count; j++)
		for (uint32_t i = 0; i < r->idle[j].idle.row_count; i++)
			r->idle[j].rows[i].kind = prop_side_pick(&state, PROP_KINDS);
}

/* What Slurm has answered: partitions that refuse a job, or in which it has no turn. Drawn by
 * numbers of its own as well. */
static inline void prop_draw_answers(struct prop_recipe *r)
{
	uint64_t state = r->node_count * 11u + r->active_count;

	for (uint32_t j = 0; j < r->idle_count; j++) {
		struct prop_idle *idle = &r->idle[j];

		state = state * 31 + (uint64_t)idle->idle.limit_s;
		if (prop_side_pick(&state, 12) == 0)
			idle->idle.busy_until_s = PROP_NOW + 1 + prop_side_pick(&state, 60);
		for (uint32_t i = 0; i < idle->idle.row_count; i++) {
			idle->rows[i].refused = prop_side_pick(&state, 8) == 0;
			idle->rows[i].busy_until_s =
				prop_side_pick(&state, 8) ?
					0 :
					PROP_NOW + 1 + prop_side_pick(&state, 60);
		}
	}
}

/* Slurm has answered nothing. */
static inline void prop_forget_answers(struct maui_snapshot *s, uint32_t job)
{
	s->idle[job].refused = false;
	s->idle[job].busy_until_s = 0;
	for (uint32_t r = 0; r < s->idle[job].row_count; r++)
		maui_snapshot_set_row(&s->idle[job], r, false, 0);
}

static inline void prop_draw(struct prop_recipe *r)
{
	int64_t left[PROP_NODES][PROP_AMOUNTS];
	unsigned user_of[PROP_NODES] = { 0 };

	r->node_count = 1 + prop_pick(PROP_NODES);
	r->active_count = prop_pick(PROP_ACTIVE + 1);
	r->idle_count = prop_pick(PROP_IDLE + 1);
	r->partition_count = 1 + prop_pick(PROP_PARTITIONS);
	r->claim_count = prop_pick(3) ? 0 : prop_pick(PROP_CLAIMS + 1);
	r->users_alone = prop_pick(4) == 0;
	r->switches = prop_pick(3) == 0;
	r->optional = prop_pick(4) == 0;
	r->least_loaded = prop_pick(6) == 0;
	r->global[PROP_LICENCE] = prop_pick(3) ? 0 : PROP_ACTIVE + prop_pick(4);
	for (uint32_t n = 0; n < r->node_count; n++) {
		prop_draw_node(r, n);
		if (n > 0 && prop_pick(2))
			prop_draw_twin(r, n);
		memcpy(left[n], r->nodes[n].have, sizeof(left[n]));
	}
	for (uint32_t a = 0; a < r->active_count; a++)
		prop_draw_active(r, a, left, user_of);
	for (uint32_t c = 0; c < r->claim_count; c++) {
		uint32_t count = prop_draw_list(r, r->claim_nodes[c], PROP_NODES);
		int64_t start = PROP_NOW - 10 + prop_pick(60);

		r->claims[c] =
			(struct maui_claim){ .rsv = MAUI_CLAIM_FOREIGN,
					     .id = c,
					     .start_s = start,
					     .end_s = prop_pick(4) ? start + 1 + prop_pick(60) :
								     MAUI_NEVER,
					     .nodes = r->claim_nodes[c],
					     .node_count = count };
	}
	for (uint32_t j = 0; j < r->idle_count; j++)
		prop_draw_idle(r, j);
	r->slurm_preempts = false;
	r->kept_count = 0;
}

/* Reservations that keep licences, some of them for jobs of the queue. Drawn by numbers of its own
 * as well. */
static inline void prop_draw_kept(struct prop_recipe *r)
{
	uint64_t state = r->node_count * 17u + r->idle_count;

	for (uint32_t a = 0; a < r->active_count; a++)
		state = state * 31 + (uint64_t)r->active[a].active.end_s;
	for (uint32_t j = 0; j < r->idle_count; j++)
		state = state * 31 + (uint64_t)r->idle[j].idle.limit_s;
	r->kept_count = r->global[PROP_LICENCE] > 0 ? prop_side_pick(&state, PROP_KEPT + 1) : 0;
	for (uint32_t c = 0; c < r->kept_count; c++) {
		int64_t start_s = PROP_NOW - 10 + prop_side_pick(&state, 80);
		int64_t end_s = start_s + 1 + prop_side_pick(&state, 60);

		memset(r->kept_amounts[c], 0, sizeof(r->kept_amounts[c]));
		r->kept_amounts[c][PROP_LICENCE] =
			prop_side_pick(&state, (unsigned)r->global[PROP_LICENCE] + 1);
		if (prop_side_pick(&state, 6) == 0)
			end_s = MAUI_NEVER;
		r->kept[c] =
			(struct maui_global_claim){ "kept", start_s, end_s, r->kept_amounts[c] };
	}
	for (uint32_t j = 0; r->kept_count > 0 && j < r->idle_count; j++)
		if (prop_side_pick(&state, 4) == 0)
			r->idle[j].request.global_claim = 1 + prop_side_pick(&state, r->kept_count);
}

/* --mincpus of some jobs. Drawn by numbers of its own as well. */
static inline void prop_draw_mincpus(struct prop_recipe *r)
{
	uint64_t state = r->node_count * 23u + r->active_count;

	for (uint32_t j = 0; j < r->idle_count; j++) {
		state = state * 31 + (uint64_t)r->idle[j].idle.limit_s;
		if (prop_side_pick(&state, 5) == 0)
			r->idle[j].per_node[MAUI_AMOUNT_PROCS] = 1 + prop_side_pick(&state, 8);
	}
}

/* Makes het jobs of neighbours in the queue: two or three components of one copy. */
static inline void prop_draw_hets(struct prop_recipe *r)
{
	uint64_t state = r->active_count * 13u + r->node_count;
	uint32_t next;

	for (uint32_t j = 0; j < r->idle_count; j++)
		state = state * 31 + (uint64_t)r->idle[j].idle.submit_s;
	for (uint32_t j = 0; j + 1 < r->idle_count; j = next) {
		uint32_t count = 2 + prop_side_pick(&state, 2);

		next = j + 1;
		if (prop_side_pick(&state, 6) > 0 || j + count > r->idle_count)
			continue;
		next = j + count;
		for (uint32_t k = 0; k < count; k++) {
			struct maui_idle *idle = &r->idle[j + k].idle;

			idle->copies = 1;
			idle->het_id = r->idle[j].idle.id;
			idle->het_offset = k;
			idle->het_count = k == 0 ? count : 0;
		}
	}
}

/* The i-th element of a random order of `count` things; i = 0 makes `order`. */
static inline void prop_shuffle(uint32_t *order, uint32_t count, bool shuffled)
{
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	for (uint32_t i = count; shuffled && i > 1; i--) {
		uint32_t other = prop_pick(i), swap = order[i - 1];

		order[i - 1] = order[other];
		order[other] = swap;
	}
}

static inline uint32_t prop_creds(struct maui_snapshot *s, unsigned user, unsigned qos,
				  const char *class_name)
{
	static const char *const users[] = { "?", "ann", "bob", "eve" };
	static const char *const qualities[] = { NULL, "high", "low" };
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = users[user],
					      [MAUI_CRED_QOS] = qualities[qos],
					      [MAUI_CRED_CLASS] = class_name };
	int64_t index = maui_snapshot_creds(s, cred);

	PROP_CHECK(index >= 0, "credentials");
	return (uint32_t)index;
}

/* The request in the second row, where it is another: index + 1; else 0. */
static inline uint32_t prop_own_request(struct maui_snapshot *s, const struct prop_idle *from)
{
	struct maui_request request = from->request;
	int64_t index;

	if (from->most_there == 0)
		return 0;
	request.nodes_min = from->least_there;
	request.nodes_max = from->most_there;
	index = maui_snapshot_request(s, &request);
	PROP_CHECK(index >= 0, "own request");
	return (uint32_t)index + 1;
}

/* A snapshot of the recipe, with the idle jobs below `jobs`. The caller frees it. */
static inline struct maui_snapshot *prop_pour(const struct prop_recipe *r, uint32_t jobs,
					      bool shuffled)
{
	static const char *const names[] = { "p0", "p1", "p2" };
	static const struct maui_switch switches[PROP_LEAVES + 1] = {
		{ "l0", 5 },
		{ "l1", 5 },
		{ "l2", 5 },
		{ "l3", MAUI_NO_SWITCH },
		{ "l4", MAUI_NO_SWITCH },
		{ "top", MAUI_NO_SWITCH },
	};
	struct maui_snapshot *s = maui_snapshot_create(PROP_AMOUNTS);
	uint32_t order[64];

	s->switches_optional = r->optional;
	if (r->switches)
		PROP_CHECK(maui_snapshot_set_switches(s, switches, PROP_LEAVES + 1) == 0,
			   "switches");
	for (uint32_t p = 0; p < r->partition_count; p++)
		maui_snapshot_add_partition(
			s, &(struct maui_partition){ .name = names[p],
						     .tier = p == 2,
						     .least_loaded = p == 0 && r->least_loaded });
	prop_shuffle(order, r->node_count, shuffled);
	for (uint32_t n = 0; n < r->node_count; n++) {
		PROP_CHECK(maui_snapshot_add_node(s, &r->nodes[order[n]].node) >= 0, "node %u", n);
		s->totals.procs += (double)r->nodes[order[n]].have[MAUI_AMOUNT_PROCS];
	}
	PROP_CHECK(maui_snapshot_seal(s, NULL) == 0, "seal");
	PROP_CHECK(!r->slurm_preempts ||
			   maui_snapshot_set_preemption(s, r->rules, r->rule_count) == 0,
		   "rules of preemption");
	PROP_CHECK(maui_snapshot_set_global(s, r->global[PROP_LICENCE] ? r->global : NULL) == 0,
		   "licences");
	for (uint32_t c = 0; c < r->kept_count; c++)
		PROP_CHECK(maui_snapshot_keep_global(s, &r->kept[c]) >= 0, "kept licences %u", c);
	for (uint32_t c = 0; c < r->claim_count; c++)
		PROP_CHECK(maui_snapshot_add_claim(s, &r->claims[c]) >= 0, "claim %u", c);
	prop_shuffle(order, r->active_count, shuffled);
	for (uint32_t a = 0; a < r->active_count; a++) {
		const struct prop_active *from = &r->active[order[a]];
		struct maui_active active = from->active;

		active.creds = prop_creds(s, from->user, 0, NULL);
		PROP_CHECK(maui_snapshot_add_active(s, &active) >= 0, "active %u", a);
	}
	prop_shuffle(order, r->idle_count, shuffled);
	for (uint32_t j = 0; j < r->idle_count; j++) {
		const struct prop_idle *from = &r->idle[order[j]];
		struct maui_idle idle = from->idle;
		struct maui_row rows[2];
		int64_t request;

		if (order[j] >= jobs)
			continue;
		for (uint32_t i = 0; i < idle.row_count; i++) {
			rows[i] = from->rows[i];
			rows[i].creds =
				prop_creds(s, from->user, from->qos, names[rows[i].partition]);
		}
		idle.rows = rows;
		if (idle.row_count == 2)
			rows[1].own_request = prop_own_request(s, from);
		request = maui_snapshot_request(s, &from->request);
		PROP_CHECK(request >= 0, "request %u", j);
		idle.request = (uint32_t)request;
		PROP_CHECK(maui_snapshot_add_idle(s, &idle) >= 0, "idle %u", j);
	}
	return s;
}

#endif
