/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - the queue: every eligible job, once for each of its partitions, best first
 *
 * Order: a job of runjob, a job in a Slurm reservation, tier of the partition, published priority,
 * time of submission, id or array and task (equal ranks keep queue order). The copies of an array
 * are adjacent, as many as could run at once.
 *
 * Rules: PRIO-16, CMD-52.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "plan/placing.h"
#include "plan/private.h"
#include "policy/publish.h"

static int compare_ranks(const void *a, const void *b)
{
	const struct maui_plan_rank *one = a, *two = b;

	if (one->first != two->first)
		return one->first ? -1 : 1;
	if (one->in_reservation != two->in_reservation)
		return one->in_reservation ? -1 : 1;
	if (one->tier != two->tier)
		return one->tier > two->tier ? -1 : 1;
	if (one->published != two->published)
		return one->published > two->published ? -1 : 1;
	if (one->submit_s != two->submit_s)
		return one->submit_s < two->submit_s ? -1 : 1;
	if (one->order != two->order)
		return one->order < two->order ? -1 : 1;
	if (one->id != two->id)
		return one->id < two->id ? -1 : 1;
	return (one->row > two->row) - (one->row < two->row);
}

/* The published value of a priority that another plugin or an administrator has set. */
static uint32_t given_priority(double priority)
{
	return priority < 0 ? 0 : priority > UINT32_MAX ? UINT32_MAX : (uint32_t)priority;
}

/* For work done for each job of each plan: a call would cost as much as the work. */
#define INLINE static inline __attribute__((always_inline))

/* Our own priority: value and published number. Returns whether REJECTNEGPRIOJOBS refuses the
 * job. */
INLINE bool compute(struct maui_planner *p, const struct maui_idle *idle,
		    const struct maui_row *row, double *ret_value, uint32_t *ret_published)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, row->creds);
	struct maui_job job = maui_plan_ranked_job(p, c, idle, row);
	bool rejected;

	p->creds.list[row->creds].user_procs = job.user_procs;
	p->creds.list[row->creds].user_jobs = job.user_jobs;
	*ret_value = maui_priority_value(p->config, &p->snapshot->totals, &c->priority, &c->weights,
					 &job, &rejected);
	*ret_published =
		maui_publish_priority(*ret_value, c->priority.weights->enable_negative, idle->nice);
	return rejected;
}

/* The rank of a row. The verdict gets the priority of the job's best row. */
INLINE struct maui_plan_rank rank_row(struct maui_planner *p, uint32_t job, uint32_t index,
				      struct maui_verdict *verdict)
{
	const struct maui_idle *idle = &p->snapshot->idle[job];
	const struct maui_row *row = &idle->rows[index];
	double value = row->priority;
	uint32_t published;

	if (idle->priority_given)
		published = given_priority(row->priority);
	else
		verdict->rejected |= compute(p, idle, row, &value, &published);
	if (published >= verdict->published) {
		verdict->published = published;
		verdict->priority = value;
	}
	return (struct maui_plan_rank){ .first = idle->run & MAUI_RUN_FIRST,
					.in_reservation = idle->in_reservation,
					.tier = p->snapshot->partitions[row->partition].tier,
					.published = published,
					.job = job,
					.row = index,
					.submit_s = idle->submit_s,
					.order = idle->order,
					.id = idle->id };
}

static void block(struct maui_planner *p, uint32_t job, enum maui_reason reason, int64_t until_s)
{
	const struct maui_plan_entry e = { .job = job };

	maui_plan_add_reason(p, &e, reason, NULL, until_s > p->now ? until_s : MAUI_NEVER);
	if (until_s > p->now && until_s < p->out->next_s)
		p->out->next_s = until_s;
}

/* Ranks the rows of all jobs, and records why a job is not eligible. Returns the number of rows;
 * *ret_entries is the number of rows of all copies. */
static uint32_t rank_all(struct maui_planner *p, struct maui_plan_rank *ranks,
			 uint64_t *ret_entries)
{
	uint32_t count = 0;

	*ret_entries = 0;
	p->hets.any = false;
	for (uint32_t j = 0; j < p->snapshot->idle_count; j++) {
		const struct maui_idle *idle = &p->snapshot->idle[j];
		struct maui_verdict *verdict = &p->out->verdicts[j];
		uint32_t first = count;

		verdict->rank = MAUI_PLAN_NONE;
		verdict->estimate_s = MAUI_NEVER;
		p->hets.any |= idle->het_id != 0;
		for (uint32_t r = 0; r < idle->row_count; r++)
			ranks[count++] = rank_row(p, j, r, verdict);
		if (idle->blocked != MAUI_REASON_NONE)
			block(p, j, idle->blocked, idle->blocked_until_s);
		if (verdict->rejected)
			block(p, j, MAUI_REASON_NEGATIVE, 0);
		if (verdict->blocks)
			count = first;
		*ret_entries += (uint64_t)(count - first) * maui_plan_useful_copies(p, idle);
	}
	return count;
}

static void sort_ranks(struct maui_plan_rank *ranks, uint32_t count)
{
	bool sorted = true;

	for (uint32_t i = 1; i < count && sorted; i++)
		sorted = compare_ranks(&ranks[i - 1], &ranks[i]) < 0;
	if (!sorted)
		qsort(ranks, count, sizeof(*ranks), compare_ranks);
}

/* Chains the entries of jobs that have several rows. A job's first row in the queue is its primary
 * one, with all copies. */
static void chain(struct maui_planner *p, struct maui_plan_entry *e)
{
	uint32_t *last_of_job = p->queue.last_of_job;
	const struct maui_plan_entry *last;

	e->next_of_job = MAUI_PLAN_NONE;
	e->primary = true;
	if (maui_plan_job(p, e)->row_count < 2)
		return;
	if (last_of_job[e->job] > 0) {
		last = &p->queue.entries[last_of_job[e->job] - 1];
		e->primary = last->primary && last->row == e->row;
		e->next_of_job = last_of_job[e->job] - 1;
	}
	last_of_job[e->job] = (uint32_t)(e - p->queue.entries) + 1;
}

INLINE void make_entry(struct maui_planner *p, const struct maui_plan_rank *rank, uint32_t copy)
{
	const struct maui_idle *idle = &p->snapshot->idle[rank->job];
	const struct maui_row *row = &idle->rows[rank->row];
	const struct maui_plan_creds *c = maui_plan_creds(p, row->creds);
	struct maui_plan_entry *e = &p->queue.entries[p->queue.count++]; /* the arena is zeroed */

	e->job = rank->job;
	e->copy = copy;
	e->row = rank->row;
	e->partition = row->partition;
	e->creds = row->creds;
	e->pool = p->snapshot->partitions[row->partition].pool;
	e->request = maui_idle_request(idle, rank->row);
	e->rules = p->rules[row->partition];
	e->limit_s = idle->limit_s > 0 ? idle->limit_s : 1;
	e->limit_min_s = idle->limit_min_s;
	e->procs = idle->procs > 0 ? idle->procs : 1;
	e->stack = c->stack;
	e->published = rank->published;
	e->reservation = MAUI_PLAN_NONE;
	e->flags = c->flags;
	e->refused = idle->refused || row->refused;
	e->no_reservation = idle->no_reservation;
	e->busy_until_s =
		idle->busy_until_s > row->busy_until_s ? idle->busy_until_s : row->busy_until_s;
	e->busy = e->busy_until_s > p->now;
	e->forced = idle->run & MAUI_RUN_FORCE;
	e->in_set_until_s = maui_node_sets_until(p->config, idle->queue_since_s);
}

static const struct maui_access_table *access_of(struct maui_planner *p,
						 const struct maui_plan_entry *e)
{
	return maui_plan_job(p, e)->run & MAUI_RUN_ANYWHERE ? maui_plan_access_all(p) :
							      maui_plan_access(p, e->job, e->row);
}

int maui_plan_queue(struct maui_planner *p)
{
	uint32_t rows = 0;
	struct maui_plan_rank *ranks;
	uint64_t entries;

	for (uint32_t j = 0; j < p->snapshot->idle_count; j++)
		rows += p->snapshot->idle[j].row_count;
	ranks = maui_arena_alloc(&p->arena, (rows + 1u) * sizeof(*ranks));
	p->queue.last_of_job = maui_arena_alloc(&p->arena, (p->snapshot->idle_count + 1u) *
								   sizeof(*p->queue.last_of_job));
	if (!ranks || !p->queue.last_of_job)
		return -1;
	rows = rank_all(p, ranks, &entries);
	if (entries >= MAUI_PLAN_NONE)
		return -1;
	sort_ranks(ranks, rows);
	p->queue.entries = maui_arena_alloc(&p->arena, (entries + 1) * sizeof(*p->queue.entries));
	if (!p->queue.entries)
		return -1;
	for (uint32_t i = 0; i < rows && !maui_plan_is_given_up(p); i++) {
		struct maui_verdict *verdict = &p->out->verdicts[ranks[i].job];
		uint32_t copies = maui_plan_useful_copies(p, &p->snapshot->idle[ranks[i].job]);
		struct maui_plan_entry *entry;

		if (verdict->rank == MAUI_PLAN_NONE)
			verdict->rank = i;
		for (uint32_t copy = 0; copy < copies; copy++) {
			make_entry(p, &ranks[i], copy);
			entry = &p->queue.entries[p->queue.count - 1];
			if (p->reservations.access)
				entry->access = access_of(p, entry);
			chain(p, entry);
		}
	}
	return 0;
}
