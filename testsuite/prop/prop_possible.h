/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_possible.h - checks second by second that the decisions of a plan are possible
 *
 * No job gets what is not free, what is kept for others, or less than it requests.
 */
#ifndef MAUI_TESTSUITE_PROP_POSSIBLE_H
#define MAUI_TESTSUITE_PROP_POSSIBLE_H

#include "model/features.h"
#include "plan/plan.h"
#include "prop_cluster.h"

enum { PROP_HORIZON = 600 };

/* A configuration, and its values that matter here. */
struct prop_rules {
	struct maui_config *config;
	bool limits, reserves, sole_user, match;
	int64_t max_proc;
};

static int64_t prop_left[PROP_NODES][PROP_HORIZON][PROP_AMOUNTS];
static int64_t prop_licences[PROP_HORIZON];
static uint32_t prop_users[PROP_NODES][PROP_HORIZON]; /* one bit for each user */
static uint32_t prop_alone[PROP_NODES][PROP_HORIZON]; /* users with jobs that do not share nodes */

static inline bool prop_preempted(const struct maui_decisions *d, uint32_t active)
{
	for (uint32_t i = 0; i < d->preemption_count; i++)
		if (d->preemptions[i].active == active)
			return true;
	return false;
}

static inline void prop_hold(uint32_t node, int64_t from, int64_t until, const int64_t *amounts,
			     uint32_t user, bool sole)
{
	for (int64_t t = from; t < until && t < PROP_HORIZON; t++) {
		for (unsigned d = 0; d < PROP_AMOUNTS; d++) {
			prop_left[node][t][d] -= amounts[d];
			PROP_CHECK(prop_left[node][t][d] >= 0, "node %u dimension %u at %d", node,
				   d, (int)t);
		}
		prop_users[node][t] |= 1u << user;
		prop_alone[node][t] |= sole ? 1u << user : 0;
		PROP_CHECK(prop_alone[node][t] == 0 || prop_users[node][t] == prop_alone[node][t],
			   "node %u at %d: not alone", node, (int)t);
	}
}

static inline void prop_hold_licences(const struct maui_snapshot *s, int64_t from, int64_t until,
				      const int64_t *amounts)
{
	for (int64_t t = from; s->global && amounts && t < until && t < PROP_HORIZON; t++) {
		prop_licences[t] -= amounts[PROP_LICENCE];
		PROP_CHECK(prop_licences[t] >= 0, "licences at %d", (int)t);
	}
}

static inline void prop_begin_model(const struct maui_snapshot *s, const struct maui_decisions *d,
				    int64_t now)
{
	memset(prop_users, 0, sizeof(prop_users));
	memset(prop_alone, 0, sizeof(prop_alone));
	for (int64_t t = 0; t < PROP_HORIZON; t++)
		prop_licences[t] = s->global ? s->global[PROP_LICENCE] : 0;
	for (uint32_t n = 0; n < s->node_count; n++)
		for (int64_t t = 0; t < PROP_HORIZON; t++)
			memcpy(prop_left[n][t], s->nodes[n].have, sizeof(prop_left[n][t]));
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];
		int64_t end = active->end_s == MAUI_NEVER ? PROP_HORIZON : active->end_s - now;

		if (!prop_preempted(d, a) || active->keeps_licenses ||
		    active->going == MAUI_GOING_SUSPENDED)
			prop_hold_licences(s, 0, end > 0 ? end : 1, active->global);
		for (uint32_t p = 0; p < active->piece_count; p++) {
			int64_t held[PROP_AMOUNTS];

			memcpy(held, active->pieces[p].amounts, sizeof(held));
			if (prop_preempted(d, a) && active->going != MAUI_GOING_SUSPENDED)
				continue;
			if (prop_preempted(d, a))
				held[MAUI_AMOUNT_PROCS] = 0;
			prop_hold(active->pieces[p].node, 0, end > 0 ? end : 1, held,
				  s->creds[active->creds].user, active->sole_user);
		}
	}
}

static inline bool prop_same_node(const struct maui_place *one, uint32_t count,
				  const struct maui_place *other, uint32_t other_count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < other_count; k++)
			if (one[i].node == other[k].node)
				return true;
	return false;
}

/* All components of a het job start, or none, on nodes of their own; their job reservations begin
 * together. */
static inline void prop_check_hets(const struct maui_snapshot *s, const struct maui_decisions *d)
{
	for (uint32_t j = 0; j < s->idle_count; j++) {
		uint32_t started = 0, reserved = 0, together = 0;
		const struct maui_reservation *first = NULL;

		if (s->idle[j].het_count == 0)
			continue;
		for (uint32_t i = 0; i < d->start_count; i++) {
			const struct maui_start *one = &d->starts[i];

			if (s->idle[one->job].het_id != s->idle[j].het_id)
				continue;
			started++;
			together += one->together;
			for (uint32_t k = 0; k < i; k++)
				PROP_CHECK(s->idle[d->starts[k].job].het_id != s->idle[j].het_id ||
						   !prop_same_node(one->places, one->place_count,
								   d->starts[k].places,
								   d->starts[k].place_count),
					   "het job %d: one node for two", (int)s->idle[j].id);
		}
		for (uint32_t i = 0; i < d->reservation_count; i++) {
			const struct maui_reservation *r = &d->reservations[i];

			if (s->idle[r->job].het_id != s->idle[j].het_id)
				continue;
			reserved++;
			first = first ? first : r;
			PROP_CHECK(r->start_s == first->start_s, "het job %d: %d and %d",
				   (int)s->idle[j].id, (int)r->start_s, (int)first->start_s);
		}
		PROP_CHECK((started == 0 || started == s->idle[j].het_count) && together == started,
			   "het job %d: %u start, %u together", (int)s->idle[j].id, started,
			   together);
		PROP_CHECK(reserved == 0 || (reserved == s->idle[j].het_count && started == 0),
			   "het job %d: %u reserved", (int)s->idle[j].id, reserved);
	}
}

/* By Slurm's rules, the preemptor may preempt the job. */
static inline void prop_check_preemptions(const struct maui_snapshot *s,
					  const struct maui_decisions *d)
{
	for (uint32_t i = 0; s->slurm_preempts && i < d->preemption_count; i++) {
		const struct maui_preemption *p = &d->preemptions[i];
		const struct maui_active *active = &s->active[p->active];
		const struct maui_idle *idle = &s->idle[p->job];
		uint32_t priority = d->verdicts[p->job].published;
		unsigned whom = 0;

		for (uint32_t r = 0; r < idle->row_count; r++)
			whom |= maui_snapshot_preempts(s, idle->rows[r].kind, active->kind);
		PROP_CHECK(!active->warned && active->going != MAUI_GOING_NEVER,
			   "job %d stays for every preemptor", (int)active->id);
		PROP_CHECK(whom & (active->slurm_priority < priority  ? MAUI_PREEMPTS_LOWER :
				   active->slurm_priority == priority ? MAUI_PREEMPTS_EQUAL :
									MAUI_PREEMPTS_HIGHER),
			   "job %d may not preempt job %d", (int)idle->id, (int)active->id);
		for (uint32_t k = 0; k < i; k++)
			PROP_CHECK(d->preemptions[k].active != p->active, "job %d goes twice",
				   (int)active->id);
	}
}

static inline bool prop_resumed(const struct maui_decisions *d, uint32_t active)
{
	for (uint32_t i = 0; i < d->resume_count; i++)
		if (d->resumes[i] == active)
			return true;
	return false;
}

/* Processors that an active job has in this plan. */
static inline double prop_procs_of(const struct maui_snapshot *s, const struct maui_decisions *d,
				   uint32_t active)
{
	return s->active[active].suspended && !prop_resumed(d, active) ?
		       0 :
		       s->active[active].job.procs;
}

/* A resumed job has the processors it had. */
static inline void prop_check_resumed(const struct maui_snapshot *s, const struct maui_decisions *d,
				      int64_t now)
{
	for (uint32_t i = 0; i < d->resume_count; i++) {
		const struct maui_active *active = &s->active[d->resumes[i]];

		PROP_CHECK(active->suspended && active->resumable, "it was not suspended");
		for (uint32_t p = 0; p < active->piece_count; p++) {
			const int64_t procs[PROP_AMOUNTS] = { active->pieces[p].resumes };

			prop_hold(active->pieces[p].node, 0, active->end_s - now, procs,
				  s->creds[active->creds].user, active->sole_user);
		}
	}
}

static inline bool prop_lists(const uint32_t *list, uint32_t count, uint32_t what)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] == what)
			return true;
	return false;
}

static inline void prop_check_claims(const struct maui_snapshot *s, const struct maui_request *q,
				     uint32_t node, int64_t from, int64_t until)
{
	bool inside = false;

	for (uint32_t c = 0; c < s->claim_count; c++) {
		const struct maui_claim *claim = &s->claims[c];

		if (!prop_lists(claim->nodes, claim->node_count, node) || claim->start_s >= until ||
		    claim->end_s <= from)
			continue;
		inside = true;
		PROP_CHECK(prop_lists(q->claims, q->claim_count, c), "node %u is claimed", node);
	}
	PROP_CHECK(inside || !q->only_claims, "node %u is outside of claims", node);
}

/* The job may run on the node with any amounts. */
static inline void prop_check_may_run(const struct maui_snapshot *s, const struct maui_request *q,
				      const struct maui_row *row, uint32_t node, int64_t from,
				      int64_t until)
{
	const struct maui_node *n = &s->nodes[node];

	PROP_CHECK(prop_lists(n->partitions, n->partition_count, row->partition), "partition");
	PROP_CHECK(maui_features_match(q->features, n->features), "features");
	PROP_CHECK(!prop_lists(q->excluded, q->excluded_count, node), "excluded");
	PROP_CHECK(n->usable_from_s <= from, "not usable");
	prop_check_claims(s, q, node, from, until);
}

static inline void prop_check_required(const struct maui_request *q,
				       const struct maui_place *places, uint32_t count)
{
	for (uint32_t i = 0; i < q->required_count; i++) {
		bool there = false;

		for (uint32_t k = 0; k < count; k++)
			there |= places[k].node == q->required[i];
		PROP_CHECK(there, "a required node is missing");
	}
}

static inline void prop_check_node(const struct maui_snapshot *s, const struct maui_request *q,
				   const struct maui_row *row, const struct maui_place *place,
				   int64_t from, int64_t until)
{
	const struct maui_node *n = &s->nodes[place->node];
	int64_t least = (int64_t)place->tasks * q->procs_per_task;

	prop_check_may_run(s, q, row, place->node, from, until);
	PROP_CHECK(place->tasks >= 1, "no task");
	PROP_CHECK(q->tasks_per_node_max == 0 || place->tasks <= q->tasks_per_node_max, "tasks");
	PROP_CHECK(place->procs >= least && place->procs % n->unit == 0 &&
			   place->procs == place->amounts[MAUI_AMOUNT_PROCS],
		   "procs");
	PROP_CHECK(!q->whole_nodes || place->procs == n->have[MAUI_AMOUNT_PROCS], "whole node");
	PROP_CHECK(!q->all_memory || place->amounts[MAUI_AMOUNT_MEM] == n->have[MAUI_AMOUNT_MEM],
		   "all memory");
	for (unsigned d = MAUI_AMOUNT_MEM; d < PROP_AMOUNTS; d++)
		PROP_CHECK(place->amounts[d] >=
				   (q->per_node ? q->per_node[d] : 0) +
					   (q->per_task ? q->per_task[d] * place->tasks : 0) +
					   (q->per_proc ? q->per_proc[d] * place->procs : 0),
			   "dimension %u", d);
}

/* The nodes are of one network, and of no more leaf switches than the job asked for. */
static inline void prop_check_network(const struct maui_snapshot *s, const struct maui_request *q,
				      uint32_t partition, const struct maui_place *places,
				      uint32_t count)
{
	bool used[PROP_LEAVES] = { false };
	uint32_t leaves = 0;

	if (s->switch_count == 0 || q->contiguous || q->spread ||
	    s->partitions[partition].least_loaded || (s->switches_optional && q->switches_max == 0))
		return;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t leaf = s->nodes[places[i].node].leaf;
		uint32_t first = s->nodes[places[0].node].leaf;

		PROP_CHECK(leaf != MAUI_NO_SWITCH, "a node that no switch reaches");
		PROP_CHECK(leaf == first || (leaf < 3 && first < 3), "two networks");
		leaves += !used[leaf];
		used[leaf] = true;
	}
	PROP_CHECK(q->switches_max == 0 || leaves <= q->switches_max, "too many leaf switches");
}

static inline void prop_check_places(const struct maui_snapshot *s, const struct prop_rules *drawn,
				     uint32_t job, uint32_t row_index,
				     const struct maui_place *places, uint32_t count, int64_t from,
				     int64_t until, int64_t now)
{
	const struct maui_idle *idle = &s->idle[job];
	const struct maui_request *q = &s->requests[maui_idle_request(idle, row_index)];
	const struct maui_row *row = &idle->rows[row_index];
	uint64_t tasks = 0, least;

	prop_hold_licences(s, from - now, until == MAUI_NEVER ? PROP_HORIZON : until - now,
			   q->global);

	for (uint32_t i = 0; i < count; i++) {
		prop_check_node(s, q, row, &places[i], from, until);
		prop_hold(places[i].node, from - now,
			  until == MAUI_NEVER ? PROP_HORIZON : until - now, places[i].amounts,
			  s->creds[row->creds].user, q->sole_user || drawn->sole_user);
		tasks += places[i].tasks;
		PROP_CHECK(i == 0 || places[i].node > places[i - 1].node, "order of places");
		PROP_CHECK(!q->contiguous || i == 0 || places[i].node == places[i - 1].node + 1,
			   "not contiguous");
	}
	prop_check_network(s, q, row->partition, places, count);
	PROP_CHECK(count >= q->nodes_min && (q->nodes_max == 0 || count <= q->nodes_max),
		   "job %d: %u nodes", (int)idle->id, count);
	PROP_CHECK(!drawn->match || !q->nodes_named || q->nodes_max > q->nodes_min ||
			   count == q->nodes_min,
		   "not exactly");
	least = q->nodes_min > q->required_count ? q->nodes_min : q->required_count;
	PROP_CHECK(tasks == (q->tasks > least ? q->tasks : least), "job %d: tasks", (int)idle->id);
	prop_check_required(q, places, count);
}

static inline void prop_check_possible(const struct maui_snapshot *s,
				       const struct prop_rules *drawn,
				       const struct maui_decisions *d, int64_t now)
{
	prop_begin_model(s, d, now);
	prop_check_resumed(s, d, now);
	for (uint32_t i = 0; i < d->start_count; i++) {
		const struct maui_start *start = &d->starts[i];
		const struct maui_idle *idle = &s->idle[start->job];
		const struct maui_row *row = &idle->rows[start->row];

		PROP_CHECK(!idle->refused && idle->blocked == MAUI_REASON_NONE, "not eligible");
		PROP_CHECK(!row->refused && idle->busy_until_s <= now && row->busy_until_s <= now,
			   "job %d starts where Slurm has just refused it", (int)idle->id);
		PROP_CHECK(start->limit_s == idle->limit_s ||
				   (idle->limit_min_s > 0 && start->limit_s < idle->limit_s &&
				    start->limit_s >= idle->limit_min_s),
			   "limit");
		prop_check_places(s, drawn, start->job, start->row, start->places,
				  start->place_count, now, now + start->limit_s, now);
	}
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];
		const struct maui_idle *idle = &s->idle[r->job];
		const struct maui_row *row = &idle->rows[r->row];

		PROP_CHECK(!row->refused && (r->preempting || (idle->busy_until_s <= r->start_s &&
							       row->busy_until_s <= r->start_s)),
			   "job %d is reserved where Slurm has just refused it", (int)idle->id);
		prop_check_places(s, drawn, r->job, r->row, r->places, r->place_count, r->start_s,
				  r->end_s, now);
	}
	for (uint32_t j = 0; j < s->idle_count; j++)
		PROP_CHECK(d->verdicts[j].started <= s->idle[j].copies, "started too often");
}

/* What a job counts in its place. */
static inline double prop_counted(const struct maui_idle *idle, int64_t procs)
{
	return (double)procs > idle->job.procs ? (double)procs : idle->job.procs;
}

/* What a user's jobs have when a job reservation begins: its own job, and jobs that run or start
 * by then. */
static inline double prop_use_at(const struct maui_snapshot *s, const struct maui_decisions *d,
				 uint32_t user, int64_t now, int64_t when)
{
	double use = 0;

	for (uint32_t a = 0; a < s->active_count; a++)
		if (s->creds[s->active[a].creds].user == user && s->active[a].end_s > when)
			use += prop_procs_of(s, d, a);
	for (uint32_t i = 0; i < d->start_count; i++) {
		const struct maui_idle *idle = &s->idle[d->starts[i].job];

		if (s->creds[idle->rows[0].creds].user == user && now + d->starts[i].limit_s > when)
			use += prop_counted(idle, d->starts[i].procs);
	}
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];

		if (s->creds[s->idle[r->job].rows[0].creds].user == user && r->start_s <= when &&
		    r->end_s > when)
			use += prop_counted(&s->idle[r->job], r->procs);
	}
	return use;
}

/* No job reservation begins when its user's limit is reached. */
static inline void prop_check_promised(const struct maui_snapshot *s,
				       const struct prop_rules *drawn,
				       const struct maui_decisions *d, int64_t now)
{
	for (uint32_t i = 0; drawn->limits && i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];
		uint32_t user = s->creds[s->idle[r->job].rows[0].creds].user;
		double use = prop_use_at(s, d, user, now, r->start_s);

		PROP_CHECK(r->preempting || r->start_s <= now || use <= (double)drawn->max_proc,
			   "user %u: %g of %d when job %d is to start", user, use,
			   (int)drawn->max_proc, (int)s->idle[r->job].id);
	}
}

static inline void prop_check_limits(const struct maui_snapshot *s, const struct prop_rules *drawn,
				     const struct maui_decisions *d)
{
	for (uint32_t user = 1; drawn->limits && user < 4; user++) {
		double use = 0;
		bool started = false;

		for (uint32_t a = 0; a < s->active_count; a++)
			if (s->creds[s->active[a].creds].user == user)
				use += prop_procs_of(s, d, a);
		for (uint32_t i = 0; i < d->start_count; i++) {
			const struct maui_idle *idle = &s->idle[d->starts[i].job];

			if (s->creds[idle->rows[0].creds].user != user)
				continue;
			use += prop_counted(idle, d->starts[i].procs);
			started = true;
		}
		PROP_CHECK(!started || use <= (double)drawn->max_proc, "user %u: %g of %d", user,
			   use, (int)drawn->max_proc);
	}
}

#endif
