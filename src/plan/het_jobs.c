/* SPDX-License-Identifier: GPL-2.0-or-later */
/* het_jobs.c - het jobs: several components that start together, each on nodes of its own
 *
 * Slurm calls them het jobs, Maui jobs with several requests. Each component is an idle job of the
 * snapshot, with its own request, partitions and credentials, and counts against its own limits.
 * The components start, or get their job reservations, at the turn of the first one, the leader:
 * all at the same moment or none. When one does not fit, nothing is kept for the others.
 *
 * Behind a blocked job a het job starts after all other jobs have had their turn in backfill.
 *
 * Rules: HET-1, HET-2.
 */

#include <stdlib.h>
#include <string.h>

#include "plan/private.h"

/* For a reservation so many components are placed at most, at one moment after another: a job of
 * Slurm's 128 components must not keep the plan from all others. */
enum { PLACEMENTS_MOST = 1000, MOMENTS_LEAST = 8 };

struct component {
	uint64_t het_id;
	uint32_t offset, job;
	struct maui_plan_entry **rows; /* those in which it can start some day, best first */
	uint32_t row_count;
	uint32_t kind;                   /* see struct kinds */
	uint32_t admitted;               /* rows that limits allow beside no other component */
	struct maui_plan_entry *counted; /* the row that limits count */
	struct maui_plan_entry *chosen;  /* the row in which it is placed */
	const struct maui_place *places; /* while it is being placed */
	uint32_t place_count;
};

struct maui_plan_het {
	struct component *components; /* by offset; the first is the leader */
	/* in the order in which they are counted and placed: those with the fewest rows within
	 * limits first, since the others can avoid them */
	struct component **order;
	uint32_t count;
	/* the place of a component, beside those of the others, that limits refused first in the
	 * last turn, and the hard limits among these; row NULL: they refused none */
	struct refused_place {
		const struct component *component;
		const struct maui_plan_entry *row;
		struct maui_plan_violations violations;
	} refused;
};

/* An attempt to place all components. */
struct attempt {
	enum maui_limit_level level;
	int64_t when;
	bool now_only;   /* only what may start now */
	bool as_counted; /* each component in the row that limits count */
};

/* ---- which jobs belong together ---- */

static int compare_components(const void *a, const void *b)
{
	const struct component *one = a, *other = b;

	if (one->het_id != other->het_id)
		return one->het_id < other->het_id ? -1 : 1;
	return (one->offset > other->offset) - (one->offset < other->offset);
}

/* Lists the components of all het jobs, sorted. Returns how many; NULL without memory. */
static struct component *list_components(struct maui_planner *p, uint32_t *ret_count)
{
	const struct maui_snapshot *s = p->snapshot;
	struct component *list;
	uint32_t count = 0;

	for (uint32_t j = 0; j < s->idle_count; j++)
		count += s->idle[j].het_id != 0;
	list = maui_arena_alloc(&p->arena, (count + 1u) * sizeof(*list));
	*ret_count = 0;
	for (uint32_t j = 0; list && j < s->idle_count; j++) {
		const struct maui_idle *idle = &s->idle[j];
		struct component *c = &list[*ret_count];

		if (idle->het_id == 0)
			continue;
		*c = (struct component){ .het_id = idle->het_id,
					 .offset = idle->het_offset,
					 .job = j };
		c->rows = maui_arena_alloc(&p->arena,
					   idle->row_count * sizeof(struct maui_plan_entry *));
		if (!c->rows)
			return NULL;
		++*ret_count;
	}
	if (list && *ret_count > 1)
		qsort(list, *ret_count, sizeof(*list), compare_components);
	return list;
}

static bool can_start(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	return shape && !shape->impossible && !e->refused;
}

/* Finds the entries of the components. None starts at its own turn. */
static int find_rows(struct maui_planner *p, struct component *list, uint32_t count)
{
	struct component **of_job = maui_arena_alloc(&p->arena, (p->snapshot->idle_count + 1u) *
									sizeof(struct component *));

	if (!of_job)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		of_job[list[i].job] = &list[i];
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];
		struct component *c = of_job[e->job];

		if (!c)
			continue;
		e->het = MAUI_PLAN_NONE;
		if (e->state == MAUI_PLAN_WAITING && e->copy == 0 && can_start(p, e))
			c->rows[c->row_count++] = e;
	}
	return 0;
}

/* Whether all components are in the queue, and each can start some day. */
static bool is_complete(const struct maui_planner *p, const struct maui_plan_het *het)
{
	if (het->count != p->snapshot->idle[het->components[0].job].het_count)
		return false;
	for (uint32_t k = 0; k < het->count; k++)
		if (het->components[k].row_count == 0 || het->components[k].offset != k)
			return false;
	return true;
}

static void take_out(const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		for (uint32_t r = 0; r < het->components[k].row_count; r++)
			het->components[k].rows[r]->state = MAUI_PLAN_OUT;
}

/* A component that may not start keeps the others out. */
static void leave_out(struct maui_planner *p, const struct maui_plan_het *het)
{
	const struct component *first = NULL;

	for (uint32_t k = het->count; k-- > 0;)
		if (het->components[k].row_count == 0)
			first = &het->components[k];
	take_out(het);
	for (uint32_t k = 0; k < het->count; k++) {
		const struct component *c = &het->components[k];

		if (c->row_count > 0 && !p->out->verdicts[c->job].blocks)
			maui_plan_add_component(p, c->rows[0], first ? first->job : MAUI_PLAN_NONE);
	}
}

/* ---- whether there are nodes enough ---- */

/* Components that the same nodes serve are of one kind. Further kinds count as the last one. */
enum { KINDS_MOST = 6 };

struct kinds {
	const struct component *first[KINDS_MOST];
	int64_t needed[KINDS_MOST]; /* nodes, of all its components */
	uint32_t count;
};

/* The fewest nodes that the component needs in any of its rows. */
static int64_t fewest_nodes(struct maui_planner *p, const struct component *c)
{
	int64_t least = INT64_MAX;

	for (uint32_t r = 0; r < c->row_count; r++) {
		const struct maui_shape *shape = maui_plan_shape(p, c->rows[r]);
		int64_t nodes = shape ? maui_shape_fewest_nodes(shape) : 0;

		least = nodes < least ? nodes : least;
	}
	return least;
}

static bool serves(struct maui_planner *p, const struct component *c, uint32_t class_index)
{
	for (uint32_t r = 0; r < c->row_count; r++) {
		const struct maui_shape *shape = maui_plan_shape(p, c->rows[r]);

		if (shape && shape->needs[class_index].most > 0)
			return true;
	}
	return false;
}

static bool are_alike(struct maui_planner *p, const struct component *a, const struct component *b)
{
	if (a->row_count != b->row_count)
		return false;
	for (uint32_t r = 0; r < a->row_count; r++)
		if (maui_plan_shape(p, a->rows[r]) != maui_plan_shape(p, b->rows[r]))
			return false;
	return true;
}

static struct kinds list_kinds(struct maui_planner *p, const struct maui_plan_het *het)
{
	struct kinds kinds = { .count = 0 };

	for (uint32_t k = 0; k < het->count; k++) {
		struct component *c = &het->components[k];
		uint32_t i = 0;

		while (i < kinds.count && !are_alike(p, kinds.first[i], c))
			i++;
		if (i == KINDS_MOST)
			i--;
		if (i == kinds.count)
			kinds.first[kinds.count++] = c;
		kinds.needed[i] += fewest_nodes(p, c);
		c->kind = i;
	}
	return kinds;
}

/* How many nodes there are for each set of kinds: those that serve just these. */
static void count_nodes(struct maui_planner *p, const struct maui_plan_het *het,
			int64_t ret[1 << KINDS_MOST])
{
	for (uint32_t n = 0; n < p->snapshot->class_count; n++) {
		unsigned set = 0;

		for (uint32_t k = 0; k < het->count; k++)
			if (serves(p, &het->components[k], n))
				set |= 1u << het->components[k].kind;
		ret[set] += p->snapshot->classes[n].count;
	}
}

/* Whether there is no way to give each component nodes of its own, were the cluster empty: that is
 * so if some kinds together need more nodes than serve any of them. */
static bool needs_too_many(struct maui_planner *p, const struct maui_plan_het *het)
{
	const struct kinds kinds = list_kinds(p, het);
	int64_t nodes[1 << KINDS_MOST] = { 0 };

	count_nodes(p, het, nodes);
	for (unsigned set = 1; set < 1u << kinds.count; set++) {
		int64_t left = 0;

		for (unsigned other = 1; other < 1u << kinds.count; other++)
			left += (other & set) ? nodes[other] : 0;
		for (uint32_t i = 0; i < kinds.count; i++)
			left -= (set & (1u << i)) ? kinds.needed[i] : 0;
		if (left < 0)
			return true;
	}
	return false;
}

/* The least of a cluster-wide amount that the component needs in any of its rows. */
static int64_t least_global(const struct maui_planner *p, const struct component *c, unsigned d)
{
	int64_t least = INT64_MAX;

	for (uint32_t r = 0; r < c->row_count; r++) {
		const int64_t *global = p->snapshot->requests[c->rows[r]->request].global;
		int64_t own = global ? global[d] : 0;

		least = own < least ? own : least;
	}
	return least;
}

/* Whether all components together need more licences than there are. */
static bool needs_too_many_licences(const struct maui_planner *p, const struct maui_plan_het *het)
{
	const int64_t *have = p->snapshot->global;

	for (unsigned d = 0; have && d < p->snapshot->amount_count; d++) {
		int64_t left = have[d];

		for (uint32_t k = 0; k < het->count && left >= 0; k++)
			left -= least_global(p, &het->components[k], d);
		if (left < 0)
			return true;
	}
	return false;
}

static void leave_together(struct maui_planner *p, const struct maui_plan_het *het)
{
	take_out(het);
	for (uint32_t k = 0; k < het->count; k++)
		maui_plan_add_together(p, het->components[k].rows[0]);
}

int maui_plan_list_hets(struct maui_planner *p)
{
	struct component *list, **order;
	uint32_t count, next;

	p->hets.list = NULL;
	p->hets.count = 0;
	list = list_components(p, &count);
	if (!list)
		return -1;
	if (count == 0)
		return 0;
	p->hets.list = maui_arena_alloc(&p->arena, count * sizeof(*p->hets.list));
	p->hets.closed = maui_arena_alloc(&p->arena, p->snapshot->node_count + 1u);
	order = maui_arena_alloc(&p->arena, count * sizeof(struct component *));
	if (!p->hets.list || !p->hets.closed || !order || find_rows(p, list, count))
		return -1;
	for (uint32_t i = 0; i < count; i = next) {
		struct maui_plan_het *het = &p->hets.list[p->hets.count];

		for (next = i + 1; next < count && list[next].het_id == list[i].het_id;)
			next++;
		*het = (struct maui_plan_het){ .components = &list[i],
					       .order = &order[i],
					       .count = next - i };
		if (!is_complete(p, het))
			leave_out(p, het);
		else if (needs_too_many(p, het) || needs_too_many_licences(p, het))
			leave_together(p, het);
		else
			list[i].rows[0]->het = ++p->hets.count;
	}
	return p->failed ? -1 : 0;
}

static struct maui_plan_het *het_of(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return &p->hets.list[e->het - 1];
}

/* ---- limits ---- */

/* maui_plan_is_within_limits() or maui_plan_limits_allow_start() */
typedef bool (*allows_fn)(const struct maui_planner *p, const struct maui_plan_entry *e,
			  enum maui_limit_level level);

static int compare_choices(const void *a, const void *b)
{
	const struct component *one = *(struct component *const *)a;
	const struct component *other = *(struct component *const *)b;

	if (one->admitted != other->admitted)
		return one->admitted < other->admitted ? -1 : 1;
	return (one->offset > other->offset) - (one->offset < other->offset);
}

static void set_order(struct maui_planner *p, const struct maui_plan_het *het, allows_fn allows,
		      enum maui_limit_level level)
{
	for (uint32_t k = 0; k < het->count; k++) {
		struct component *c = &het->components[k];

		het->order[k] = c;
		c->admitted = 0;
		for (uint32_t r = 0; r < c->row_count; r++)
			c->admitted += allows(p, c->rows[r], level);
	}
	qsort(het->order, het->count, sizeof(struct component *), compare_choices);
}

/* Chooses the first row of the component within limits, which counts as if it ran until uncount().
 * false: limits keep the component out. */
static bool count_component(struct maui_planner *p, struct component *c, allows_fn allows,
			    enum maui_limit_level level)
{
	for (uint32_t r = 0; r < c->row_count && !c->counted; r++)
		if (allows(p, c->rows[r], level))
			c->counted = c->rows[r];
	if (!c->counted)
		return false;
	maui_plan_limits_unplace(p, c->counted);
	maui_plan_limits_reserved(p, c->counted, p->now, true);
	return true;
}

/* The first component that limits keep out beside the others, which count until uncount(); NULL:
 * limits admit all. */
static struct component *count_until_over(struct maui_planner *p, const struct maui_plan_het *het,
					  allows_fn allows, enum maui_limit_level level)
{
	set_order(p, het, allows, level);
	for (uint32_t k = 0; k < het->count; k++)
		het->components[k].counted = NULL;
	for (uint32_t k = 0; k < het->count; k++)
		if (!count_component(p, het->order[k], allows, level))
			return het->order[k];
	return NULL;
}

static void uncount(struct maui_planner *p, const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		if (het->components[k].counted)
			maui_plan_limits_reserved(p, het->components[k].counted, p->now, false);
}

/* Whether limits admit all components side by side. Leaves their order and the rows that count. */
static bool are_allowed(struct maui_planner *p, const struct maui_plan_het *het, allows_fn allows,
			enum maui_limit_level level)
{
	bool allowed = !count_until_over(p, het, allows, level);

	uncount(p, het);
	return allowed;
}

bool maui_plan_is_het_within_limits(struct maui_planner *p, const struct maui_plan_entry *e,
				    enum maui_limit_level level)
{
	return are_allowed(p, het_of(p, e), maui_plan_is_within_limits, level);
}

bool maui_plan_limits_allow_het(struct maui_planner *p, const struct maui_plan_entry *e,
				enum maui_limit_level level)
{
	return are_allowed(p, het_of(p, e), maui_plan_limits_allow_start, level);
}

bool maui_plan_is_het_too_much(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return het_of(p, e)->refused.row != NULL;
}

static void record_het_limits(struct maui_planner *p, const struct maui_plan_het *het)
{
	const struct component *over =
		count_until_over(p, het, maui_plan_is_within_limits, MAUI_LIMIT_HARD);
	const struct maui_plan_entry *row = over ? over->rows[0] : het->refused.row;
	struct maui_plan_violations violations = het->refused.violations;

	if (over)
		violations = maui_plan_list_violations(p, row, MAUI_LIMIT_HARD);
	uncount(p, het);
	if (!over)
		over = het->refused.component;
	if (!over)
		return;
	p->out->verdicts[over->job].active_limit = true;
	maui_plan_ask_for_given_back(p, row, &violations);
	maui_plan_record_list(p, row, &violations);
	if (!p->out->verdicts[over->job].blocks) /* beside the places of the others */
		maui_plan_add_reason(p, row, MAUI_REASON_LIMIT, NULL, MAUI_NEVER);
	for (uint32_t k = 0; k < het->count; k++) {
		const struct component *c = &het->components[k];

		for (uint32_t r = 0; r < c->row_count; r++)
			c->rows[r]->limited = true;
		if (!p->out->verdicts[c->job].blocks)
			maui_plan_add_component(p, c->rows[0], over->job);
	}
}

void maui_plan_record_het_limits(struct maui_planner *p)
{
	for (uint32_t i = 0; i < p->hets.count; i++) {
		const struct maui_plan_het *het = &p->hets.list[i];
		const struct maui_plan_entry *leader = het->components[0].rows[0];

		if (leader->limited && leader->state == MAUI_PLAN_WAITING)
			record_het_limits(p, het);
	}
}

/* ---- placing all components at one moment ---- */

static void close_nodes(struct maui_planner *p, const struct component *c, bool close)
{
	for (uint32_t i = 0; i < c->place_count; i++)
		p->hets.closed[c->places[i].node] = close;
}

/* Takes back the places of the components that were placed first. */
static void undo(struct maui_planner *p, const struct maui_plan_het *het, uint32_t count)
{
	while (count-- > 0) {
		struct component *c = het->order[count];

		close_nodes(p, c, false);
		maui_plan_release(p, c->chosen);
	}
}

/* When the next running job ends after a moment. */
static int64_t next_end(const struct maui_planner *p, int64_t when)
{
	const struct maui_snapshot *s = p->snapshot;
	int64_t next = MAUI_NEVER;

	for (uint32_t i = 0; i < s->active_count; i++)
		if (s->active[i].end_s > when && s->active[i].end_s < next)
			next = s->active[i].end_s;
	return next;
}

/* When the component could start in this row, from the attempt's moment on; MAUI_NEVER. Leaves the
 * candidates. */
static int64_t earliest_in(struct maui_planner *p, struct maui_plan_entry *e,
			   const struct attempt *attempt, uint32_t *ret_count)
{
	/* alone it may run: the places of the others are too much beside it, and may be others
	 * when more nodes are free */
	e->too_much = !maui_plan_is_within_limits(p, e, attempt->level);
	if (e->too_much) {
		maui_plan_limits_unplace(p, e);
		return next_end(p, attempt->when);
	}
	if (!attempt->now_only)
		return maui_plan_earliest(p, e, attempt->level, attempt->when, ret_count);
	e->too_much = !maui_plan_limits_allow_start(p, e, attempt->level);
	if (e->busy || e->too_much)
		return MAUI_NEVER;
	*ret_count = maui_plan_place_now(p, e, e->limit_s);
	return *ret_count > 0 ? p->now : MAUI_NEVER;
}

/* Reserves nodes for the component at the attempt's moment. If it does not fit, *ret_next is the
 * first later moment at which it might. Sets `refused` where limits first refuse a place. */
static bool place_component(struct maui_planner *p, struct component *c,
			    const struct attempt *attempt, int64_t *ret_next,
			    struct refused_place *refused)
{
	*ret_next = MAUI_NEVER;
	c->chosen = NULL;
	for (uint32_t r = 0; r < c->row_count; r++) {
		uint32_t count = 0;
		int64_t first;
		struct maui_reservation *rsv;

		if (attempt->as_counted && c->rows[r] != c->counted)
			continue;
		first = earliest_in(p, c->rows[r], attempt, &count);
		if (c->rows[r]->too_much && !refused->row)
			*refused = (struct refused_place){
				c, c->rows[r],
				maui_plan_list_violations(p, c->rows[r], MAUI_LIMIT_HARD)
			};
		if (first != attempt->when) {
			*ret_next = first < *ret_next ? first : *ret_next;
			continue;
		}
		rsv = maui_plan_reserve(p, c->rows[r], count, first);
		if (!rsv || !rsv->places)
			return false;
		c->chosen = c->rows[r];
		c->places = rsv->places;
		c->place_count = rsv->place_count;
		close_nodes(p, c, true);
		return true;
	}
	return false;
}

static bool place_all(struct maui_planner *p, struct maui_plan_het *het,
		      const struct attempt *attempt, int64_t *ret_next)
{
	for (uint32_t k = 0; k < het->count; k++) {
		if (place_component(p, het->order[k], attempt, ret_next, &het->refused))
			continue;
		undo(p, het, k);
		p->epoch += k > 0; /* what did not fit beside the others may fit */
		return false;
	}
	for (uint32_t k = 0; k < het->count; k++)
		close_nodes(p, het->order[k], false);
	p->epoch++;
	return true;
}

/* Whether limits may keep a component out because of the row that another one takes. */
static bool limits_decide(const struct maui_planner *p, const struct maui_plan_het *het)
{
	return p->limits.of_entry && het->order[het->count - 1]->admitted > 1;
}

/* Places each component in its first row that has room. A component that passes over a full row for
 * another one can leave a later component without a row within limits; then places all in the rows
 * that limits count, which never happens there. are_allowed() was called before. */
static bool place_somewhere(struct maui_planner *p, struct maui_plan_het *het,
			    struct attempt attempt, int64_t *ret_next)
{
	int64_t next = MAUI_NEVER;
	bool placed = place_all(p, het, &attempt, ret_next);

	if (placed || !limits_decide(p, het) || p->failed)
		return placed;
	attempt.as_counted = true;
	placed = place_all(p, het, &attempt, &next);
	*ret_next = next < *ret_next ? next : *ret_next;
	return placed;
}

/* ---- starts and job reservations ---- */

/* Leaves the places of the component as candidates. */
static uint32_t list_places(struct maui_planner *p, const struct component *c)
{
	const struct maui_shape *shape = &c->chosen->shape->shape;
	int64_t until = maui_when_add(p->now, c->chosen->limit_s);

	for (uint32_t i = 0; i < c->place_count; i++) {
		struct maui_candidate *candidate = maui_plan_candidate(p, i);

		if (!candidate)
			return 0;
		*candidate = (struct maui_candidate){
			.node = c->places[i].node,
			.gives = c->places[i].tasks,
			.tasks = maui_fit_tasks(&p->timeline, shape, c->places[i].node, p->now,
						until),
		};
	}
	return c->place_count;
}

/* Closes the places of the components for which the plan chooses the nodes to all others. */
static void close_chosen(struct maui_planner *p, const struct maui_plan_het *het, bool close)
{
	for (uint32_t k = 0; k < het->count; k++)
		if (!maui_plan_slurm_chooses(p, het->components[k].chosen))
			close_nodes(p, &het->components[k], close);
}

/* Starts the component on the nodes on which it was placed, or on those among all on which it may
 * run that Slurm will choose. */
static void start_component(struct maui_planner *p, const struct component *c)
{
	struct maui_plan_entry *e = c->chosen;
	uint32_t count = 0;

	if (maui_plan_slurm_chooses(p, e))
		count = maui_plan_place_anywhere(p, e, e->limit_s);
	if (count == 0)
		count = list_places(p, c);
	if (count > 0)
		maui_plan_start(p, e, count, e->limit_s);
}

/* Whether the plan has to end before one of the components starts. */
static bool must_end(struct maui_planner *p, const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		for (uint32_t r = 0; r < het->components[k].row_count; r++)
			if (maui_plan_must_end(p, het->components[k].rows[r]))
				return true;
	return false;
}

bool maui_plan_is_het_behind(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	struct maui_plan_het *het = het_of(p, e);

	for (uint32_t k = 0; k < het->count; k++)
		for (uint32_t r = 0; r < het->components[k].row_count; r++)
			if (p->pools.list[het->components[k].rows[r]->pool].blocked)
				return true;
	return false;
}

/* Whether backfill may start all of the components. */
static bool may_backfill(const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		for (uint32_t r = 0; r < het->components[k].row_count; r++) {
			const struct maui_plan_entry *e = het->components[k].rows[r];

			if (e->rules->backfill_policy == MAUI_BACKFILL_NONE ||
			    (e->flags & (UINT64_C(1) << MAUI_QOS_NOBF)))
				return false;
		}
	return true;
}

bool maui_plan_start_het(struct maui_planner *p, struct maui_plan_entry *e,
			 enum maui_limit_level level, bool backfill)
{
	struct maui_plan_het *het = het_of(p, e);
	bool behind = maui_plan_is_het_behind(p, e);
	uint32_t first = p->out->start_count;
	struct attempt now = { .level = level, .when = p->now, .now_only = true };
	int64_t next;

	het->refused = (struct refused_place){ 0 };
	if (must_end(p, het) || !maui_plan_limits_allow_het(p, e, level))
		return false;
	if (!place_somewhere(p, het, now, &next))
		return false;
	undo(p, het, het->count);
	close_chosen(p, het, true);
	for (uint32_t k = 0; k < het->count; k++)
		start_component(p, &het->components[k]);
	close_chosen(p, het, false);
	p->epoch++;
	if (p->failed || p->out->start_count - first != het->count)
		return false;
	p->out->starts[first].together = het->count;
	for (uint32_t i = first; i < p->out->start_count; i++) {
		p->out->starts[i].backfilled = backfill;
		p->out->starts[i].out_of_order = backfill || behind;
	}
	if (backfill || behind)
		maui_plan_count_bypass(p, e);
	return true;
}

bool maui_plan_reserve_het(struct maui_planner *p, struct maui_plan_entry *e,
			   enum maui_limit_level level)
{
	struct maui_plan_het *het = het_of(p, e);
	struct attempt attempt = { .level = level, .when = p->now };
	uint32_t moments;
	int64_t next;

	if (!maui_plan_is_het_within_limits(p, e, level))
		return false;
	moments = PLACEMENTS_MOST / het->count / (limits_decide(p, het) ? 2 : 1);
	if (moments < MOMENTS_LEAST)
		moments = MOMENTS_LEAST;
	for (uint32_t i = 0; i < moments && attempt.when != MAUI_NEVER && !p->failed; i++) {
		if (place_somewhere(p, het, attempt, &next))
			return true;
		attempt.when = next;
	}
	return false;
}

void maui_plan_backfill_hets(struct maui_planner *p, enum maui_limit_level level)
{
	for (uint32_t i = 0; p->hets.count > 0 && i < p->queue.count && !maui_plan_is_given_up(p);
	     i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->het == 0 || e->het == MAUI_PLAN_NONE || e->state != MAUI_PLAN_WAITING ||
		    !may_backfill(het_of(p, e)))
			continue;
		maui_plan_start_het(p, e, level, true);
	}
}
