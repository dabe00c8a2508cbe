/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keeper.c - which reservation keeps a job from starting now, why, and what would help
 *
 * A job is kept out by a reservation when that decides: it would start now if every reservation let
 * it in, and could not if no other job were there, or could with a shorter limit; or there is no
 * later moment at which it could. Who only has to wait for other jobs' ends waits for resources.
 *
 * Asked once everything is decided, so that what is found holds for all jobs with the same shape.
 */

#include <stdlib.h>
#include <string.h>

#include "plan/private.h"
#include "reservation/access/access.h"
#include "reservation/windows/windows.h"

enum {
	AHEAD = 60, /* periods in which the next instance is looked for */
	DAYS = 64,  /* so many days that a job names are looked at */
};

/* Whether it would start if every reservation let it in. */
static bool open_would_do(struct maui_planner *p, const struct maui_plan_entry *e)
{
	struct maui_plan_entry probe = *e;

	probe.access = maui_plan_access_all(p);
	probe.shape = NULL;
	return maui_plan_fits(p, &probe, e->limit_s);
}

/* Nodes that are the same, next to each other: so many tasks each, until then. */
struct run {
	int64_t until_s, tasks;
	uint32_t count;
};

static int compare_runs(const void *a, const void *b)
{
	const struct run *one = a, *two = b;

	return (one->until_s < two->until_s) - (one->until_s > two->until_s);
}

static struct run make_run(const struct maui_planner *p, const struct maui_shape *shape,
			   uint32_t node)
{
	int64_t tasks = maui_fit_tasks(&p->timeline, shape, node, p->now, p->now + 1);

	return (struct run){ .tasks = tasks,
			     .until_s = tasks == 0 ? p->now :
						     maui_fit_until(&p->timeline, shape, node,
								    p->now, tasks) };
}

/* Those of the open nodes of its pool, the last to close first; NULL without memory. */
static struct run *list_runs(struct maui_planner *p, const struct maui_plan_entry *e,
			     const struct maui_shape *shape, uint32_t *ret_count)
{
	const struct maui_plan_pool *pool = &p->pools[e->pool];
	struct run *list = malloc((pool->open_count + 1u) * sizeof(*list));
	uint32_t count = 0;

	p->reason_work += pool->open_count;
	for (uint32_t i = 0; list && i < pool->open_count; i++) {
		if (i == 0 || !maui_timeline_same(&p->timeline, pool->open[i - 1], pool->open[i]))
			list[count++] = make_run(p, shape, pool->open[i]);
		list[count - 1].count += list[count - 1].tasks > 0;
	}
	if (list)
		qsort(list, count, sizeof(*list), compare_runs);
	*ret_count = count;
	return list;
}

/* How long enough nodes serve it, by what each can take now; -1: not at all, or no memory. */
static int64_t guess_length(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_plan_shape *now = maui_plan_shape_now(p, e);
	uint32_t count = 0;
	struct run *list = now ? list_runs(p, e, &now->shape, &count) : NULL;
	uint64_t nodes = 0;
	int64_t tasks = 0, length = -1;

	p->failed |= !list;
	for (uint32_t i = 0; list && length < 0 && i < count; i++) {
		nodes += list[i].count;
		tasks += list[i].tasks * list[i].count;
		if (maui_fit_suffices(&now->shape, nodes, tasks))
			length = maui_when_length(p->now, list[i].until_s);
	}
	free(list);
	return length;
}

/* The longest time for which it would start now, shorter than its own limit, for which it would
 * not; 0: none. */
static int64_t find_shorter(struct maui_planner *p, struct maui_plan_entry *e)
{
	int64_t low = 0, high = e->limit_s, guess;

	if (maui_plan_fits_for(p, e) >= 0)
		return maui_plan_fits_for(p, e);
	if (!maui_plan_shape(p, e) || !maui_plan_leaves_any(p, e, 1) || !maui_plan_has_time(p, e))
		return 0;
	guess = guess_length(p, e);
	if (guess < 0 && !maui_plan_fits(p, e, 1))
		return 0; /* most that it does not fit now */
	if (guess > low && guess < high && maui_plan_fits(p, e, guess))
		low = guess;
	if (low == guess && low + 1 < high && !maui_plan_fits(p, e, low + 1))
		high = low + 1;
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (!maui_plan_has_time(p, e))
			return low;
		if (maui_plan_fits(p, e, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The entry of the list that tells best why a job is kept out however short it is: the one that
 * denies it, is required and missed, or the first that could have let it in. */
static const struct maui_acl_entry *telling_entry(const struct maui_rsv *rsv,
						  const struct maui_access_job *job,
						  enum maui_entry why)
{
	for (size_t i = 0; i < rsv->acl.count; i++) {
		const struct maui_acl_entry *entry = &rsv->acl.list[i];
		const struct maui_rsv alone = { .name = rsv->name,
						.acl = { .list = &rsv->acl.list[i], .count = 1 } };
		enum maui_affinity affinity;
		enum maui_entry result = maui_access_check(&alone, job, 1, &affinity);

		if (result == why ||
		    (why == MAUI_ENTRY_NOMATCH && !entry->required && result != MAUI_ENTRY_OK))
			return entry;
	}
	return NULL;
}

static void say_why(struct maui_planner *p, const struct maui_plan_entry *e,
		    const struct maui_claim *claim, struct maui_keeper *ret)
{
	const struct maui_rsv *rsv = p->input->standing->list[claim->group];
	const struct maui_access *entry = maui_access_find(e->access, claim->group);
	bool later = claim->start_s >=
		     (maui_plan_confined(e) ? p->now : maui_when_add(p->now, e->limit_s));
	const struct maui_acl_entry *telling;
	struct maui_access_job job;
	enum maui_affinity affinity;

	if (entry) {
		int64_t from = later ? claim->start_s : p->now;
		const struct maui_span span = { from, maui_when_add(from, e->limit_s) };

		ret->limit_s = maui_claim_lets_in(claim, entry, span) ? 0 : entry->overlap_s;
		return;
	}
	maui_plan_access_job(p, e->job, e->row, &job);
	/* No time is short enough: told is what else is in the way, not a TIMELIMIT that he would
	 * obey in vain. */
	ret->why = maui_access_check(rsv, &job, 1, &affinity);
	telling = telling_entry(rsv, &job, (enum maui_entry)ret->why);
	if (!telling)
		return;
	ret->kind = telling->kind;
	ret->name_of_kind = telling->kind < MAUI_CRED_COUNT ? job.cred[telling->kind] : NULL;
	ret->attribute = telling->kind == MAUI_ACL_JOBATTR ? telling->name : NULL;
	ret->value = telling->value;
	ret->order = telling->order;
}

/* Of a job that may run nowhere else: the next or current instance that it may use. */
static const struct maui_claim *find_own(const struct maui_planner *p,
					 const struct maui_plan_entry *e)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_claim *best = NULL;

	for (size_t c = 0; c < t->claim_count; c++) {
		const struct maui_access *entry = maui_access_find(e->access, t->claims[c]->group);

		if (entry && maui_claim_is_home(t->claims[c], entry) &&
		    t->claims[c]->end_s > p->now &&
		    (!best || t->claims[c]->start_s < best->start_s))
			best = t->claims[c];
	}
	return best;
}

/* Of a job that names reservations of which none lets it in: the next or current instance of one of
 * them. */
static const struct maui_claim *find_named(const struct maui_planner *p,
					   const struct maui_plan_entry *e)
{
	const char *advres = p->snapshot->idle[e->job].advres;
	const struct maui_timeline *t = &p->timeline;
	const struct maui_claim *best = NULL;

	for (size_t c = 0; advres && c < t->claim_count; c++)
		if (t->claims[c]->group != MAUI_CLAIM_FOREIGN && t->claims[c]->end_s > p->now &&
		    maui_rsv_is_meant(p->input->standing->list[t->claims[c]->group], advres) &&
		    (!best || t->claims[c]->start_s < best->start_s))
			best = t->claims[c];
	return best;
}

/* Whether all that it names are instances that are over, or have no node. */
static bool names_nothing(const struct maui_plan_entry *e)
{
	bool confined = false;

	for (uint32_t i = 0; i < e->access->count; i++) {
		const struct maui_access *entry = &e->access->list[i];

		if (entry->home && (!entry->starts || entry->start_count > 0))
			return false;
		confined |= entry->home;
	}
	return confined;
}

/* The instance has begun, and has time for the job: what it lacks there is something else. */
static bool has_time(const struct maui_planner *p, const struct maui_plan_entry *e,
		     const struct maui_claim *claim)
{
	const struct maui_span span = { p->now, maui_when_add(p->now, e->limit_s) };
	const struct maui_access *entry = maui_access_find(e->access, claim->group);
	int64_t end_s = entry->starts ? claim->end_s : maui_claim_run(claim).until;

	return claim->start_s <= span.from && span.until <= end_s &&
	       maui_claim_lets_in(claim, entry, span);
}

static const struct maui_keeper *keep(struct maui_planner *p, const struct maui_keeper *keeper)
{
	struct maui_keeper *kept = maui_arena_alloc(&p->out->arena, sizeof(*kept));

	if (kept)
		*kept = *keeper;
	else
		p->failed = true;
	return kept;
}

static struct maui_keeper describe(const struct maui_claim *claim)
{
	return (struct maui_keeper){ .name = claim->name ? claim->name : "",
				     .rsv = claim->group,
				     .start_s = claim->start_s,
				     .end_s = claim->end_s,
				     .kind = -1 };
}

/* Of a job that names what is not there: the instance, or the reservation. */
static const struct maui_keeper *make_gone(struct maui_planner *p, const struct maui_plan_entry *e,
					   enum maui_entry why)
{
	const struct maui_keeper keeper = { .name = p->snapshot->idle[e->job].advres,
					    .end_s = MAUI_NEVER,
					    .kind = -1,
					    .why = (int)why };

	return keep(p, &keeper);
}

/* Of those that are, or are to come, the first that a job means: any, unless it names them by
 * their days. NULL: there is none; p->failed without memory. */
static const struct maui_rsv_instance *find_window(struct maui_planner *p, struct maui_rsv rsv,
						   const char *advres)
{
	int32_t days[DAYS];
	int64_t day_count = maui_rsv_meant_days(&rsv, advres, days, DAYS);
	struct maui_rsv_instance *windows;
	uint32_t count;

	if (day_count < 0 && rsv.depth < AHEAD)
		rsv.depth = AHEAD;
	if (maui_standing_windows(&rsv, p->now, &p->arena, &windows, &count)) {
		p->failed = true;
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (day_count < 0)
			return &windows[i];
		for (int64_t k = 0; k < day_count && k < DAYS; k++)
			if (windows[i].day == days[k])
				return &windows[i];
	}
	return NULL;
}

/* Of a job that names reservations of which none has a node now: the first that it means, and when
 * it begins. */
static const struct maui_keeper *make_missing(struct maui_planner *p,
					      const struct maui_plan_entry *e)
{
	const char *advres = p->snapshot->idle[e->job].advres;
	const struct maui_standing_input *input = p->input->standing;
	struct maui_keeper keeper = { .kind = -1, .lacks = MAUI_REASON_NODE_STATE };
	const struct maui_rsv_instance *window;

	if (!advres)
		return NULL;
	while (input && keeper.rsv < input->count &&
	       !maui_rsv_is_meant(input->list[keeper.rsv], advres))
		keeper.rsv++;
	if (!input || keeper.rsv == input->count)
		return make_gone(p, e, MAUI_ENTRY_UNKNOWN);
	window = find_window(p, *input->list[keeper.rsv], advres);
	if (!window && maui_rsv_meant_days(input->list[keeper.rsv], advres, NULL, 0) >= 0)
		return make_gone(p, e, MAUI_ENTRY_GONE);
	keeper.name = input->list[keeper.rsv]->name;
	keeper.start_s = window ? window->start_s : MAUI_NEVER;
	keeper.end_s = window ? window->end_s : MAUI_NEVER;
	return keep(p, &keeper);
}

/* Another is upon those that it may not leave, where it would have room. */
static const struct maui_keeper *make_upon(struct maui_planner *p, struct maui_plan_entry *e,
					   const struct maui_claim *claim)
{
	struct maui_keeper keeper = describe(claim);

	if (maui_plan_has_time(p, e) || maui_plan_fits_for(p, e) >= 0)
		keeper.shorter_s = find_shorter(p, e);
	if (claim->group == MAUI_CLAIM_FOREIGN)
		keeper.why = MAUI_ENTRY_FOREIGN;
	else
		say_why(p, e, claim, &keeper);
	return keep(p, &keeper);
}

/* Of a job that may run in reservations only. */
static const struct maui_keeper *make_inside(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_claim *claim = find_own(p, e), *upon;
	struct maui_keeper keeper;

	if (claim && has_time(p, e, claim)) {
		upon = maui_plan_obstacle_upon(p, e);
		/* found once for many, what it lacks is not */
		if (upon && (!maui_plan_leaves_any(p, e, e->limit_s) || maui_plan_has_room(p, e)))
			return make_upon(p, e, upon);
		keeper = describe(claim);
		maui_plan_room(p, e, &keeper);
		if (upon && keeper.lacks == MAUI_REASON_NODE_STATE)
			return make_upon(p, e, upon);
		return keeper.lacks ? keep(p, &keeper) : NULL;
	}
	if (!claim && !names_nothing(e))
		claim = find_named(p, e);
	if (!claim)
		return make_missing(p, e);
	keeper = describe(claim);
	keeper.shorter_s = find_shorter(p, e);
	say_why(p, e, claim, &keeper);
	return keep(p, &keeper);
}

/* The one that decides, and until when it does: `ret->end_s`. With `shorter_s` it fits now. */
static const struct maui_claim *find_obstacle(struct maui_planner *p, struct maui_plan_entry *e,
					      bool ever, int64_t shorter_s, int64_t *ret_end_s)
{
	const struct maui_claim *claim;

	if (shorter_s >= 60)
		claim = maui_plan_obstacle_at(p, e, shorter_s);
	else if (ever)
		claim = maui_plan_obstacle_ever(p, e);
	else if ((claim = maui_plan_until(p, e, ret_end_s)))
		return claim;
	else
		claim = maui_plan_obstacle(p, e);
	if (claim)
		*ret_end_s = claim->end_s;
	return claim;
}

static const struct maui_keeper *make_keeper(struct maui_planner *p, struct maui_plan_entry *e)
{
	bool ever = maui_plan_kept_for_ever(p, e), open;
	const struct maui_claim *claim;
	struct maui_keeper keeper;
	int64_t shorter_s, end_s;

	if (!maui_plan_has_time(p, e) || maui_plan_fits(p, e, e->limit_s))
		return NULL;
	open = (!ever || maui_plan_leaves_any(p, e, 1)) && open_would_do(p, e);
	shorter_s = open ? find_shorter(p, e) : 0;
	if (!ever && (!open || (shorter_s < 60 && maui_plan_alone(p, e))))
		return NULL;
	claim = find_obstacle(p, e, ever, shorter_s, &end_s);
	if (!claim)
		return NULL;
	keeper = describe(claim);
	keeper.end_s = end_s;
	keeper.shorter_s = shorter_s;
	say_why(p, e, claim, &keeper);
	return keep(p, &keeper);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

const struct maui_keeper *maui_plan_keeper(struct maui_planner *p, struct maui_plan_entry *e)
{
	const char *advres = p->snapshot->idle[e->job].advres;
	struct maui_plan_shape *shape = e->shape;

	if (!p->access || !maui_plan_shape(p, e) || e->refused)
		return NULL;
	shape = e->shape;
	if (shape->keeper_known != p->iteration || shape->keeper_limit_s != e->limit_s ||
	    shape->keeper_creds != e->creds || !same_text(shape->keeper_advres, advres)) {
		shape->keeper = maui_plan_confined(e) ? make_inside(p, e) : make_keeper(p, e);
		shape->keeper_limit_s = e->limit_s;
		shape->keeper_creds = e->creds;
		shape->keeper_advres = advres;
		shape->keeper_known = p->iteration;
	}
	return shape->keeper;
}
