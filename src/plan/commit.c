/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commit.c - turns a placement into a start or a job reservation, and records reasons
 *
 * Rules: PRIO-7, BF-11.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"

/* Makes an array of the decisions long enough for one more element. The arrays live in an arena. */
static void *grow_decisions(struct maui_planner *p, void *array, uint32_t count, size_t *alloc,
			    size_t size)
{
	size_t wanted = *alloc ? *alloc * 2 : 64;
	void *grown;

	if (count < *alloc)
		return array;
	grown = maui_arena_alloc(&p->out->arena, wanted * size);
	if (!grown)
		return NULL;
	if (count > 0)
		memcpy(grown, array, count * size);
	*alloc = wanted;
	return grown;
}

static int by_node(const void *a, const void *b)
{
	const struct maui_place *one = a, *two = b;

	return (one->node > two->node) - (one->node < two->node);
}

static bool same_amounts(const struct maui_planner *p, const struct maui_candidate *a,
			 const struct maui_candidate *b)
{
	return a->gives == b->gives &&
	       p->timeline.class_of[a->node] == p->timeline.class_of[b->node];
}

static const int64_t *amounts_of(struct maui_planner *p, const struct maui_shape *shape,
				 const struct maui_candidate *c)
{
	int64_t *amounts =
		maui_arena_alloc(&p->out->arena, p->snapshot->amount_count * sizeof(*amounts));

	if (amounts)
		maui_shape_amounts(shape, p->timeline.class_of[c->node], c->gives, amounts);
	return amounts;
}

void maui_plan_take_global(struct maui_planner *p, const struct maui_shape *shape, int64_t from,
			   int64_t until)
{
	struct maui_timeline *t = &p->timeline;

	if (t->has_global && shape->request->global &&
	    maui_timeline_take(t, t->node_count, from, until, shape->request->global, 0))
		p->failed = true;
}

void maui_plan_note_due(struct maui_planner *p, uint32_t node, int64_t from, const int64_t *takes,
			bool taken)
{
	size_t amounts = p->snapshot->amount_count;

	if (from > p->now)
		return;
	if (!p->due)
		p->due = maui_arena_alloc_list(&p->arena, p->snapshot->node_count,
					       amounts * sizeof(*p->due));
	if (!p->due)
		return;
	for (size_t d = 0; d < amounts; d++)
		p->due[node * amounts + d] += taken ? takes[d] : -takes[d];
}

/* What Slurm sees as free on a node, in the working memory. */
static const int64_t *seen_free(const struct maui_planner *p, uint32_t node)
{
	const struct maui_step *now = maui_line_step(&p->timeline, &p->timeline.lines[node], 0);
	size_t amounts = p->snapshot->amount_count;

	for (size_t d = 0; d < amounts; d++)
		p->takes[d] = now->free[d] + (p->due ? p->due[node * amounts + d] : 0);
	return p->takes;
}

/* place->kept (see struct maui_place). A node that takes as many tasks as it would without claims
 * is left to Slurm's select plugin. Where a claim keeps memory, the processors that go with the
 * memory are kept. */
static int64_t procs_kept_on(const struct maui_planner *p, const struct maui_shape *shape,
			     const struct maui_candidate *c)
{
	uint32_t class_index = p->timeline.class_of[c->node];
	const int64_t *seen = seen_free(p, c->node);
	int64_t kept, unit = p->snapshot->nodes[c->node].unit;

	if (c->tasks >= maui_shape_tasks(shape, class_index, seen))
		return 0;
	kept = seen[MAUI_AMOUNT_PROCS] / unit * unit -
	       maui_shape_amount(shape, class_index, c->tasks, MAUI_AMOUNT_PROCS);
	return kept > 0 ? kept : 0;
}

/* Takes the amounts of the chosen candidates during [from, until), and returns them as places. NULL
 * without memory. */
static const struct maui_place *take_places(struct maui_planner *p, struct maui_plan_entry *e,
					    uint32_t count, int64_t from, int64_t until,
					    int64_t *ret_procs)
{
	const struct maui_shape *shape = &e->shape->shape;
	struct maui_place *places = maui_arena_alloc(&p->out->arena, count * sizeof(*places));
	const int64_t *takes = NULL;
	const struct maui_requester who = maui_plan_requester(p, e);
	uint32_t user = maui_plan_user(p, e);
	bool shared = from <= p->now && count > 1 && p->snapshot->shares_tasks && !shape->fixed &&
		      !shape->whole_nodes;

	p->limits.taken++;
	*ret_procs = 0;
	for (uint32_t i = 0; places && i < count; i++) {
		const struct maui_candidate *c = &p->candidates.list[i];
		int64_t kept = shared ? procs_kept_on(p, shape, c) : 0;

		if (!takes || !same_amounts(p, &p->candidates.list[i - 1], c))
			takes = amounts_of(p, shape, c);
		if (!takes)
			return NULL;
		if (maui_timeline_take_inside(&p->timeline, c->node,
					      (struct maui_span){ from, until }, takes, user, &who))
			p->failed = true;
		if (p->backfill.window && p->backfill.procs)
			p->backfill.procs[c->node] = maui_timeline_procs(
				&p->timeline, c->node, p->now,
				maui_when_add(p->now, p->backfill.window->length_s),
				p->backfill.who);
		places[i] = (struct maui_place){ c->node, (uint32_t)c->gives,
						 takes[MAUI_AMOUNT_PROCS], takes, kept };
		*ret_procs += takes[MAUI_AMOUNT_PROCS];
	}
	if (places && count > 1)
		qsort(places, count, sizeof(*places), by_node);
	maui_plan_take_global(p, shape, from, until);
	return places;
}

/* The moment at which the job is to begin: others may run there before it, and behind. */
static struct maui_span moment_of(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	int64_t from = e->held_from_s > p->now ? e->held_from_s : p->now;

	return (struct maui_span){ from, maui_when_add(from, 1) };
}

/* Takes the processors that the entry keeps free on a node, or gives them back. */
static void keep_free(struct maui_planner *p, const struct maui_plan_entry *e, uint32_t node,
		      int64_t procs, bool keep)
{
	const struct maui_span span = moment_of(p, e);

	memset(p->takes, 0, p->snapshot->amount_count * sizeof(*p->takes));
	p->takes[MAUI_AMOUNT_PROCS] = procs;
	if (keep ? maui_timeline_take(&p->timeline, node, span.from, span.until, p->takes, 0) :
		   maui_timeline_give(&p->timeline, node, span.from, span.until, p->takes, 0))
		p->failed = true;
}

void maui_plan_keep_vacated(struct maui_planner *p, struct maui_plan_entry *e,
			    const struct maui_place *places, uint32_t count)
{
	struct maui_timeline *t = &p->timeline;
	bool keeps = maui_plan_slurm_chooses(p, e);

	if (!p->preemption.is_vacated)
		p->preemption.is_vacated =
			maui_arena_alloc(&p->arena, p->snapshot->node_count + 1u);
	if (keeps)
		e->kept_free = maui_arena_alloc(&p->arena, (count + 1u) * sizeof(*e->kept_free));
	if (!p->preemption.is_vacated || (keeps && !e->kept_free))
		return;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = places[i].node, at;
		int64_t procs;

		p->preemption.is_vacated[node] = true;
		if (!e->kept_free)
			continue;
		at = maui_timeline_step_at(t, node, moment_of(p, e).from);
		procs = maui_line_step(t, &t->lines[node], at)->free[MAUI_AMOUNT_PROCS];
		e->kept_free[i] = procs > 0 ? procs : 0;
		keep_free(p, e, node, e->kept_free[i], true);
	}
}

/* Gives an entry's places and cluster-wide resources back to the timeline. */
static void give_back(struct maui_planner *p, struct maui_plan_entry *e,
		      const struct maui_place *places, uint32_t count, int64_t from, int64_t until)
{
	const struct maui_requester who = maui_plan_requester(p, e);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = places[i].node;

		maui_shape_amounts(&e->shape->shape, p->timeline.class_of[node], places[i].tasks,
				   p->takes);
		if (maui_timeline_give_inside(&p->timeline, node, (struct maui_span){ from, until },
					      p->takes, maui_plan_user(p, e), &who))
			p->failed = true;
		maui_plan_note_due(p, node, from, p->takes, false);
	}
	for (uint32_t i = 0; e->kept_free && i < count; i++)
		keep_free(p, e, places[i].node, e->kept_free[i], false);
	e->kept_free = NULL;
	if (p->timeline.has_global && e->shape->shape.request->global &&
	    maui_timeline_give(&p->timeline, p->timeline.node_count, from, until,
			       e->shape->shape.request->global, 0))
		p->failed = true;
	p->epoch++; /* what did not fit may fit now */
	p->pools.reopen |= from <= p->now;
}

/* Processors of a node that are idle now, and that the entry cannot have until then. The amounts of
 * its request are the least that it could need, so they say nothing of this. */
static int64_t procs_kept_from(const struct maui_planner *p, const struct maui_plan_entry *e,
			       uint32_t node, int64_t until)
{
	const struct maui_requester own = maui_plan_requester(p, e);
	const struct maui_requester *who = own.request || own.access ? &own : NULL;
	int64_t unit = p->snapshot->nodes[node].unit;
	int64_t idle = seen_free(p, node)[MAUI_AMOUNT_PROCS] / unit * unit;
	int64_t left = maui_timeline_procs(&p->timeline, node, p->now, until, who) / unit * unit;

	return idle > left ? idle - left : 0;
}

/* Lists the candidates as places, from which Slurm is to choose. Which of them the job takes is not
 * known, so nothing is taken on the timeline. */
static const struct maui_place *list_choice(struct maui_planner *p, const struct maui_plan_entry *e,
					    uint32_t count, int64_t until)
{
	const struct maui_shape *shape = &e->shape->shape;
	struct maui_place *places = maui_arena_alloc(&p->out->arena, count * sizeof(*places));
	const int64_t *amounts = NULL;

	for (uint32_t i = 0; places && i < count; i++) {
		const struct maui_candidate *c = &p->candidates.list[i];
		int64_t kept = shape->whole_nodes ? 0 : procs_kept_from(p, e, c->node, until);

		if (!amounts || !same_amounts(p, &p->candidates.list[i - 1], c))
			amounts = amounts_of(p, shape, c);
		if (!amounts)
			return NULL;
		places[i] = (struct maui_place){ c->node, (uint32_t)c->gives,
						 amounts[MAUI_AMOUNT_PROCS], amounts, kept };
	}
	if (places && count > 1)
		qsort(places, count, sizeof(*places), by_node);
	return places;
}

static void leave_to_slurm(struct maui_planner *p, const struct maui_plan_entry *e, uint32_t count,
			   struct maui_start *start)
{
	start->slurm_chooses = true;
	start->places = list_choice(p, e, count, maui_when_add(p->now, start->limit_s));
	start->procs = e->procs;
	p->choosing.starts++;
	p->choosing.procs += maui_plan_takes(p, e);
	if (p->choosing.starts >= MAUI_PLAN_CHOICES)
		p->out->incomplete = true;
}

/* This row has decided about the job, so its other rows leave the queue. */
static void drop_other_rows(struct maui_planner *p, const struct maui_plan_entry *e)
{
	for (uint32_t i = p->queue.last_of_job[e->job] - 1; i != MAUI_PLAN_NONE;
	     i = p->queue.entries[i].next_of_job) {
		struct maui_plan_entry *other = &p->queue.entries[i];

		if (other == e || other->copy != e->copy)
			continue;
		if (other->reservation != MAUI_PLAN_NONE)
			maui_plan_release(p, other);
		if (other->state == MAUI_PLAN_HELD)
			maui_plan_unhold(p, other);
		other->state = MAUI_PLAN_OUT;
	}
}

/* Adds a start that has its places. NULL if the plan has failed. */
static struct maui_start *add_start(struct maui_planner *p, const struct maui_start *start)
{
	struct maui_start *starts = grow_decisions(p, p->out->starts, p->out->start_count,
						   &p->capacity.starts, sizeof(*starts));

	if (maui_plan_has_failed(p))
		return NULL;
	p->out->starts = starts;
	starts[p->out->start_count] = *start;
	return &starts[p->out->start_count++];
}

struct maui_start *maui_plan_start(struct maui_planner *p, struct maui_plan_entry *e,
				   uint32_t count, int64_t limit_s)
{
	struct maui_verdict *verdict = &p->out->verdicts[e->job];
	struct maui_start *start,
		made = { .job = e->job,
			 .copy = e->copy,
			 .row = e->row,
			 .limit_s = limit_s,
			 .place_count = count,
			 .holds = maui_plan_holds(p, e, count),
			 .soft_violation =
				 !maui_plan_place_is_within_limits(p, e, MAUI_LIMIT_SOFT) };

	if (maui_plan_slurm_chooses(p, e))
		leave_to_slurm(p, e, count, &made);
	else
		made.places = take_places(p, e, count, p->now, maui_when_add(p->now, limit_s),
					  &made.procs);
	start = add_start(p, &made);
	if (!start)
		return NULL;
	e->state = MAUI_PLAN_STARTED;
	verdict->started++;
	if (verdict->started == maui_plan_job(p, e)->copies)
		verdict->estimate_s = p->now;
	drop_other_rows(p, e);
	maui_plan_limits_started(p, e);
	return start;
}

/* Adds a job reservation that has its places. NULL if the plan has failed. */
static struct maui_reservation *add_reservation(struct maui_planner *p, struct maui_plan_entry *e,
						const struct maui_reservation *reservation)
{
	struct maui_reservation *list =
		grow_decisions(p, p->out->reservations, p->out->reservation_count,
			       &p->capacity.reservations, sizeof(*list));
	struct maui_plan_entry **reserved =
		grow_decisions(p, p->reserved, p->out->reservation_count, &p->capacity.reserved,
			       sizeof(struct maui_plan_entry *));

	if (maui_plan_has_failed(p))
		return NULL; /* the lists stay: entries have indices of them */
	p->out->reservations = list;
	p->reserved = reserved;
	e->reservation = p->out->reservation_count++;
	reserved[e->reservation] = e;
	list[e->reservation] = *reservation;
	return &list[e->reservation];
}

struct maui_reservation *maui_plan_reserve(struct maui_planner *p, struct maui_plan_entry *e,
					   uint32_t count, int64_t start_s)
{
	struct maui_reservation *r, made = { .job = e->job,
					     .copy = e->copy,
					     .row = e->row,
					     .start_s = start_s,
					     .end_s = maui_when_add(start_s, e->limit_s),
					     .place_count = count,
					     .holds = maui_plan_holds(p, e, count) };

	made.places = take_places(p, e, count, start_s, made.end_s, &made.procs);
	r = add_reservation(p, e, &made);
	if (!r)
		return NULL;
	for (uint32_t i = 0; i < r->place_count; i++)
		maui_plan_note_due(p, r->places[i].node, start_s, r->places[i].amounts, true);
	e->state = MAUI_PLAN_RESERVED;
	e->held_from_s = start_s;
	maui_plan_limits_reserved(p, e, start_s, true);
	return r;
}

void maui_plan_release(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct maui_reservation *list = p->out->reservations;
	uint32_t index = e->reservation;

	give_back(p, e, list[index].places, list[index].place_count, e->held_from_s,
		  list[index].end_s);
	maui_plan_limits_reserved(p, e, e->held_from_s, false);
	p->out->reservation_count--;
	memmove(&list[index], &list[index + 1],
		(p->out->reservation_count - index) * sizeof(*list));
	memmove(&p->reserved[index], &p->reserved[index + 1],
		(p->out->reservation_count - index) * sizeof(struct maui_plan_entry *));
	for (uint32_t i = index; i < p->out->reservation_count; i++)
		p->reserved[i]->reservation = i;
	e->reservation = MAUI_PLAN_NONE;
	e->state = MAUI_PLAN_WAITING;
}

void maui_plan_unhold(struct maui_planner *p, struct maui_plan_entry *e)
{
	give_back(p, e, e->job_rsv->places, e->job_rsv->place_count, e->held_from_s,
		  maui_when_add(e->held_from_s, e->limit_s));
	maui_plan_limits_reserved(p, e, e->held_from_s, false);
	e->state = MAUI_PLAN_WAITING;
}

void maui_plan_count_bypass(struct maui_planner *p, const struct maui_plan_entry *e)
{
	/* copies of a job are adjacent in the queue and count once */
	uint32_t counted = MAUI_PLAN_NONE;

	for (const struct maui_plan_entry *other = p->queue.entries; other < e; other++) {
		bool idle = other->state == MAUI_PLAN_WAITING ||
			    other->state == MAUI_PLAN_RESERVED || other->state == MAUI_PLAN_HELD;

		if (!idle || other->pool != e->pool || !other->primary || other->limited ||
		    other->job == counted || other->job == e->job)
			continue;
		counted = other->job;
		p->out->verdicts[other->job].bypass++;
	}
}

static void add_block(struct maui_planner *p, const struct maui_plan_entry *e,
		      const struct maui_block *block)
{
	const struct maui_block **at = &p->out->verdicts[e->job].blocks;
	struct maui_block *copy = maui_arena_alloc(&p->out->arena, sizeof(*copy));

	if (!copy)
		return;
	while (*at)
		at = (const struct maui_block **)&(*at)->next;
	*copy = *block;
	*at = copy;
}

void maui_plan_add_reason(struct maui_planner *p, const struct maui_plan_entry *e,
			  enum maui_reason reason, const struct maui_violation *violation,
			  int64_t until_s)
{
	add_block(p, e,
		  &(struct maui_block){
			  .reason = reason, .violation = violation, .until_s = until_s });
}

void maui_plan_add_component(struct maui_planner *p, const struct maui_plan_entry *e,
			     uint32_t component)
{
	struct maui_block block = { .reason = MAUI_REASON_COMPONENT, .until_s = MAUI_NEVER };
	const struct maui_block *first;

	if (component != MAUI_PLAN_NONE) {
		first = p->out->verdicts[component].blocks;
		block.violation = first ? first->violation : NULL;
		block.component_reason = first ? first->reason : MAUI_REASON_NONE;
		block.component = p->snapshot->idle[component].id;
		block.component_offset = p->snapshot->idle[component].het_offset;
	}
	add_block(p, e, &block);
}

void maui_plan_add_together(struct maui_planner *p, const struct maui_plan_entry *e)
{
	add_block(p, e,
		  &(struct maui_block){ .reason = MAUI_REASON_COMPONENT,
					.until_s = MAUI_NEVER,
					.together = true });
}
