/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_fit.c - the timeline, compared with a model that counts every second
 *
 * Random clusters, with random amounts taken and given back, licences as well. Compared are the
 * capacity of nodes during a span, when licences are free, the earliest fit of each request, and
 * windows.
 */

#include "prop_cluster.h"

#include "timeline/fit.h"
#include "timeline/shape.h"
#include "timeline/window.h"

enum { HORIZON = 400 }; /* seconds of the model; everything random ends before */

struct model {
	int64_t free[PROP_NODES][HORIZON][PROP_AMOUNTS];
	uint32_t claims[PROP_NODES][HORIZON]; /* one bit for each claim */
	int64_t licences[HORIZON];
};

static struct model model;
static struct prop_recipe recipe;
static struct maui_snapshot *snapshot;
static struct maui_timeline timeline;
static struct maui_arena arena;

static void change(uint32_t node, int64_t from, int64_t until, const int64_t *amounts, int sign)
{
	for (int64_t t = from < 0 ? 0 : from; t < until && t < HORIZON; t++)
		for (unsigned d = 0; d < PROP_AMOUNTS; d++)
			model.free[node][t][d] += sign * amounts[d];
}

/* Relative to now; MAUI_NEVER remains MAUI_NEVER. */
static int64_t relative(int64_t t)
{
	return t == MAUI_NEVER ? HORIZON : t - PROP_NOW;
}

static void make_model(void)
{
	memset(&model, 0, sizeof(model));
	for (uint32_t n = 0; n < recipe.node_count; n++) {
		int64_t from = relative(recipe.nodes[n].node.usable_from_s);

		for (unsigned d = 0; d < PROP_AMOUNTS; d++)
			for (int64_t t = 0; t < HORIZON; t++)
				model.free[n][t][d] = recipe.nodes[n].have[d];
		change(n, 0, recipe.nodes[n].node.usable_from_s > PROP_NOW ? from : 0,
		       recipe.nodes[n].have, -1);
	}
	for (int64_t t = 0; t < HORIZON; t++)
		model.licences[t] = recipe.global[PROP_LICENCE];
	for (uint32_t a = 0; a < recipe.active_count; a++) {
		const struct maui_active *active = &recipe.active[a].active;
		int64_t end = relative(active->end_s);

		for (int64_t t = 0; active->global && t < (end > 0 ? end : 1) && t < HORIZON; t++)
			model.licences[t] -= active->global[PROP_LICENCE];
		for (uint32_t p = 0; p < active->piece_count; p++)
			change(active->pieces[p].node, 0, end > 0 ? end : 1,
			       active->pieces[p].amounts, -1);
	}
	for (uint32_t c = 0; c < recipe.claim_count; c++)
		for (uint32_t i = 0; i < recipe.claims[c].node_count; i++)
			for (int64_t t = 0; t < HORIZON; t++)
				if (t >= relative(recipe.claims[c].start_s) &&
				    t < relative(recipe.claims[c].end_s))
					model.claims[recipe.claims[c].nodes[i]][t] |= 1u << c;
}

/* Takes amounts of a node, and mostly keeps them. */
static void take(uint32_t node, int64_t from, int64_t until, const int64_t *amounts)
{
	maui_timeline_take(&timeline, node, PROP_NOW + from, PROP_NOW + until, amounts, 0);
	change(node, from, until, amounts, -1);
	if (prop_pick(3) > 0)
		return;
	maui_timeline_give(&timeline, node, PROP_NOW + from, PROP_NOW + until, amounts, 0);
	change(node, from, until, amounts, 1);
}

/* Takes random amounts, often equal ones of neighbours. */
static void disturb(void)
{
	for (unsigned i = prop_pick(20); i > 0; i--) {
		uint32_t node = prop_pick(recipe.node_count), end = node + 1 + prop_pick(4);
		int64_t from = prop_pick(80), until = from + 1 + prop_pick(80);
		int64_t amounts[PROP_AMOUNTS];

		for (unsigned d = 0; d < PROP_AMOUNTS; d++)
			amounts[d] = prop_pick(3);
		amounts[PROP_LICENCE] = 0; /* no node has any: it would serve nobody */
		for (; node < end && node < recipe.node_count; node++)
			take(node, from, until, amounts);
	}
}

/* Takes licences from some later moment on, mostly all but a few, and mostly keeps them. Drawn by
 * numbers of its own, like all that prop_cluster.h has got later. */
static void disturb_licences(void)
{
	uint64_t state = recipe.node_count * 19u + (uint64_t)model.licences[HORIZON - 1];
	int64_t amounts[PROP_AMOUNTS] = { 0 };

	for (uint32_t j = 0; j < recipe.idle_count; j++)
		state = state * 31 + (uint64_t)recipe.idle[j].idle.limit_s;
	for (unsigned i = snapshot->global ? prop_side_pick(&state, 6) : 0; i > 0; i--) {
		int64_t from = prop_side_pick(&state, 80), until;
		bool given = prop_side_pick(&state, 4) == 0;

		until = from + 1 + prop_side_pick(&state, 40);
		amounts[PROP_LICENCE] =
			recipe.global[PROP_LICENCE] - prop_side_pick(&state, PROP_ACTIVE);
		maui_timeline_take(&timeline, recipe.node_count, PROP_NOW + from, PROP_NOW + until,
				   amounts, 0);
		for (int64_t t = from; !given && t < until; t++)
			model.licences[t] -= amounts[PROP_LICENCE];
		if (given)
			maui_timeline_give(&timeline, recipe.node_count, PROP_NOW + from,
					   PROP_NOW + until, amounts, 0);
	}
}

/* The nodes of a run share their steps. */
static void check_runs(void)
{
	for (uint32_t node = 0, end; node < recipe.node_count; node = end) {
		end = maui_timeline_run_end(&timeline, node);
		PROP_CHECK(end > node && end <= recipe.node_count, "a run of %u ends at %u", node,
			   end);
		for (uint32_t n = node + 1; n < end; n++)
			PROP_CHECK(maui_timeline_same(&timeline, node, n), "%u in the run of %u", n,
				   node);
	}
}

static int64_t asked(const int64_t *amounts, unsigned d)
{
	return amounts ? amounts[d] : 0;
}

/* Whether so many tasks fit into these amounts of the node, by what the request says. */
static bool model_has_room(const struct maui_shape *shape, uint32_t node, int64_t tasks,
			   const int64_t *amounts)
{
	const struct maui_request *r = shape->request;
	const struct maui_node *n = &snapshot->nodes[node];
	int64_t procs = tasks * r->procs_per_task;

	if (procs < asked(r->per_node, MAUI_AMOUNT_PROCS))
		procs = asked(r->per_node, MAUI_AMOUNT_PROCS);
	procs = (procs + n->unit - 1) / n->unit * n->unit;
	if (shape->whole_nodes || r->whole_nodes)
		procs = n->have[MAUI_AMOUNT_PROCS];
	if (amounts[MAUI_AMOUNT_PROCS] < procs)
		return false;
	for (unsigned d = MAUI_AMOUNT_MEM; d < PROP_AMOUNTS; d++) {
		int64_t want = asked(r->per_node, d) + tasks * asked(r->per_task, d) +
			       procs * asked(r->per_proc, d);

		if (d == MAUI_AMOUNT_MEM && r->all_memory)
			want = n->have[d];
		if (amounts[d] < want)
			return false;
	}
	return true;
}

/* The most tasks that fit, tried one after the other. */
static int64_t model_tasks_in(const struct maui_shape *shape, uint32_t node, const int64_t *amounts)
{
	const struct maui_need *need = &shape->needs[snapshot->nodes[node].class_index];
	int64_t tasks = need->most;

	if (shape->fixed || shape->fills_nodes)
		return tasks > 0 && model_has_room(shape, node, tasks, amounts) ? tasks : 0;
	while (tasks > 0 && !model_has_room(shape, node, tasks, amounts))
		tasks--;
	return tasks >= shape->least ? tasks : 0;
}

static int64_t model_tasks(const struct maui_shape *shape, uint32_t node, int64_t from,
			   int64_t until)
{
	uint32_t open = 0;
	int64_t least = INT64_MAX;

	for (uint32_t i = 0; i < shape->request->claim_count; i++)
		open |= 1u << shape->request->claims[i];
	if (maui_shape_excludes(shape, node))
		return 0;
	for (int64_t t = from; t < until && t < HORIZON; t++) {
		int64_t tasks = model_tasks_in(shape, node, model.free[node][t]);

		if ((model.claims[node][t] & ~open) ||
		    (shape->request->only_claims && !model.claims[node][t]))
			tasks = 0;
		least = tasks < least ? tasks : least;
	}
	return least;
}

/* With processors shared, only the other amounts matter, outside of claims. */
static int64_t model_tasks_shared(const struct maui_shape *shape, uint32_t node, int64_t from,
				  int64_t until)
{
	int64_t amounts[PROP_AMOUNTS], least = INT64_MAX;

	if (maui_shape_excludes(shape, node) || shape->sole_user)
		return 0;
	for (int64_t t = from; t < until && t < HORIZON; t++) {
		int64_t tasks;

		memcpy(amounts, model.free[node][t], sizeof(amounts));
		amounts[MAUI_AMOUNT_PROCS] = snapshot->nodes[node].have[MAUI_AMOUNT_PROCS];
		tasks = model.claims[node][t] ? 0 : model_tasks_in(shape, node, amounts);
		least = tasks < least ? tasks : least;
	}
	return least;
}

/* Licences that reservations for others keep at some moment of the span. */
static int64_t model_kept(const struct maui_shape *shape, int64_t from, int64_t length)
{
	int64_t sum = 0;

	for (uint32_t c = 0; c < recipe.kept_count; c++)
		if (shape->request->global_claim != c + 1 &&
		    relative(recipe.kept[c].start_s) < from + length &&
		    relative(recipe.kept[c].end_s) > from)
			sum += recipe.kept_amounts[c][PROP_LICENCE];
	return sum;
}

/* Whether the job's licences are free for all of the span, besides so many. */
static bool model_licences(const struct maui_shape *shape, int64_t from, int64_t length,
			   int64_t kept)
{
	if (!snapshot->global || !shape->request->global)
		return true;
	for (int64_t t = from; t < from + length && t < HORIZON; t++)
		if (model.licences[t] < shape->request->global[PROP_LICENCE] + kept)
			return false;
	return true;
}

/* When licences are free: for spans that end with a change of them, too. */
static void check_licences(const struct maui_shape *shape)
{
	for (int64_t from = 0; from < 100; from += 7)
		for (int64_t length = 1; length < 60; length += 3) {
			int64_t got = maui_fit_global(&timeline, shape, PROP_NOW + from, length);
			const struct maui_span span = { PROP_NOW + from, PROP_NOW + from + length };
			bool kept = maui_fit_blocking_global_claim(&timeline, shape, span) != NULL;
			bool free = model_licences(shape, from, length, 0);
			int64_t want = from;

			while (want + length < HORIZON &&
			       !model_licences(shape, want, length,
					       model_kept(shape, want, length)))
				want++;
			PROP_CHECK(want + length < HORIZON ?
					   got == PROP_NOW + want :
					   got == MAUI_NEVER || got >= PROP_NOW + want,
				   "licences for %lld s are free from %lld; by the model from %lld",
				   (long long)length, (long long)(got - PROP_NOW), (long long)want);
			PROP_CHECK(kept == (snapshot->global && shape->request->global && free &&
					    model_kept(shape, from, length) > 0),
				   "a reservation keeps licences from %lld for %lld s: %d",
				   (long long)from, (long long)length, kept);
		}
}

/* Whether the sums are enough, which place() below accepts. */
static bool model_fits(const struct maui_shape *shape, int64_t from, int64_t length)
{
	int64_t tasks = 0;
	uint32_t nodes = 0, required = 0;

	for (uint32_t n = 0; n < recipe.node_count; n++) {
		int64_t own = model_tasks(shape, n, from, from + length);

		tasks += own;
		nodes += own > 0;
		required += own > 0 && maui_shape_requires(shape, n);
	}
	if (!model_licences(shape, from, length, model_kept(shape, from, length)))
		return false;
	return required == shape->request->required_count && maui_fit_suffices(shape, nodes, tasks);
}

struct placing {
	const struct maui_shape *shape;
	int64_t length, not_before; /* earlier moments are refused, as a choice of nodes may do */
};

static void check_run(const struct placing *placing, int64_t start_s,
		      const struct maui_fit_run *run)
{
	for (uint32_t node = run->node; node < run->node + run->count; node++)
		PROP_CHECK((run->next == start_s) ==
				   (model_tasks(placing->shape, node, start_s - PROP_NOW,
						start_s - PROP_NOW + placing->length) > 0),
			   "node %u at %lld", node, (long long)(start_s - PROP_NOW));
}

static enum maui_fit_answer place(void *data, int64_t start_s, const struct maui_fit_run *runs,
				  size_t count)
{
	const struct placing *placing = data;

	PROP_CHECK(model_fits(placing->shape, start_s - PROP_NOW, placing->length),
		   "offered at %lld", (long long)(start_s - PROP_NOW));
	for (size_t i = 0; i < count; i++)
		check_run(placing, start_s, &runs[i]);
	return start_s >= placing->not_before ? MAUI_FIT_CHOSEN : MAUI_FIT_NO;
}

/* Moments are offered where the sums grow. Before not_before each is refused, so the result is
 * some later moment at which the shape fits. */
static void check_earliest(const struct maui_shape *shape)
{
	int64_t length = 1 + prop_pick(50), from = prop_pick(3) ? 0 : prop_pick(60), want = from;
	struct placing placing = { shape, length, 0 };
	int64_t got = maui_fit_earliest(&timeline, shape, PROP_NOW + from, length, place, &placing);

	while (want + length < HORIZON && !model_fits(shape, want, length))
		want++;
	if (want + length == HORIZON)
		PROP_CHECK(got == MAUI_NEVER || got >= PROP_NOW + want,
			   "it starts at %lld; by the model it fits at no moment before %lld",
			   (long long)(got - PROP_NOW), (long long)want);
	else
		PROP_CHECK(got == PROP_NOW + want,
			   "it starts at %lld; by the model it fits at %lld",
			   (long long)(got - PROP_NOW), (long long)want);
	placing.not_before = PROP_NOW + want + 1;
	if (got != MAUI_NEVER)
		got = maui_fit_earliest(&timeline, shape, PROP_NOW + from, length, place, &placing);
	PROP_CHECK(got > PROP_NOW + want,
		   "it starts at %lld, although all moments until %lld were refused",
		   (long long)(got - PROP_NOW), (long long)want);
}

/* Whether these empty nodes can run the job; one bit for each node. */
static bool set_fits(const struct maui_shape *shape, unsigned set, bool up)
{
	const struct maui_request *r = shape->request;
	unsigned count = 0, required = 0, last = 0;
	int64_t tasks = 0;

	for (uint32_t n = 0; n < recipe.node_count; n++) {
		int64_t most = shape->needs[snapshot->nodes[n].class_index].most;

		if (!(set & 1u << n))
			continue;
		if (most == 0 || maui_shape_excludes(shape, n) ||
		    (up && snapshot->nodes[n].usable_from_s == MAUI_NEVER) ||
		    (r->contiguous && count > 0 && n != last + 1))
			return false;
		last = n;
		count++;
		required += maui_shape_requires(shape, n);
		tasks += most;
	}
	return count >= shape->nodes_min && count <= shape->nodes_max && tasks >= shape->tasks &&
	       required == r->required_count;
}

static bool any_set_fits(const struct maui_shape *shape, bool up)
{
	for (unsigned set = 1; set < 1u << recipe.node_count; set++)
		if (set_fits(shape, set, up))
			return true;
	return false;
}

/* A job is impossible exactly when no set of nodes can run it. `whole`: the shape as if every
 * node were up, because EXACTPROC drops sizes of which there are too few nodes. */
static void check_impossible(const struct maui_shape *shape, const struct maui_shape *whole)
{
	const int64_t *global = shape->request->global;
	bool licences = !snapshot->global || !global ||
			global[PROP_LICENCE] <= snapshot->global[PROP_LICENCE];
	enum maui_reason want = !licences || !any_set_fits(whole, false) ? MAUI_REASON_NEVER_FITS :
				!any_set_fits(shape, true)               ? MAUI_REASON_NODES_DOWN :
									   MAUI_REASON_NONE;

	PROP_CHECK(shape->impossible == want, "the shape is '%s'; by the model it is '%s'",
		   maui_reason_text(shape->impossible), maui_reason_text(want));
}

static void check_shape(uint32_t job)
{
	const struct maui_shape_rules rules = { .whole_nodes = prop_pick(8) == 0,
						.exact_procs = prop_pick(8) == 0 };
	uint32_t usable[PROP_NODES] = { 0 }, all[PROP_NODES] = { 0 };
	struct maui_shape shape, whole;
	int64_t from, until;

	for (uint32_t n = 0; n < recipe.node_count; n++) {
		usable[snapshot->nodes[n].class_index] +=
			snapshot->nodes[n].usable_from_s != MAUI_NEVER;
		all[snapshot->nodes[n].class_index]++;
	}
	PROP_CHECK(maui_shape_make(snapshot, snapshot->idle[job].request,
				   snapshot->idle[job].rows[0].partition, 0, &rules, usable, &arena,
				   &shape) == 0,
		   "shape");
	PROP_CHECK(maui_shape_make(snapshot, snapshot->idle[job].request,
				   snapshot->idle[job].rows[0].partition, 0, &rules, all, &arena,
				   &whole) == 0,
		   "shape of nodes that are all up");
	check_impossible(&shape, &whole);
	if (shape.impossible)
		return;
	from = prop_pick(60);
	until = from + 1 + prop_pick(60);
	for (uint32_t n = 0; n < recipe.node_count; n++) {
		int64_t want = model_tasks(&shape, n, from, until);
		int64_t got =
			maui_fit_tasks(&timeline, &shape, n, PROP_NOW + from, PROP_NOW + until);

		PROP_CHECK(got == want, "node %u takes %lld tasks of job %u; by the model %lld", n,
			   (long long)got, job, (long long)want);
		want = model_tasks_shared(&shape, n, from, until);
		got = maui_fit_tasks_shared(
			&timeline, &shape, n,
			(struct maui_span){ PROP_NOW + from, PROP_NOW + until });
		PROP_CHECK(got == want,
			   "node %u shares with %lld tasks of job %u; by the model %lld", n,
			   (long long)got, job, (long long)want);
	}
	if (shape.request->global)
		check_licences(&shape);
	check_earliest(&shape);
}

/* Processors that are free for at least d, over all nodes. */
static int64_t model_free_for(int64_t d)
{
	int64_t sum = 0;

	for (uint32_t n = 0; n < recipe.node_count; n++) {
		int64_t least = INT64_MAX;

		for (int64_t t = 0; t < d && t < HORIZON; t++) {
			int64_t procs =
				model.claims[n][t] ? 0 : model.free[n][t][MAUI_AMOUNT_PROCS];

			least = procs < least ? procs : least;
		}
		sum += least > 0 ? least : 0;
	}
	return sum;
}

static void check_windows(void)
{
	uint32_t nodes[PROP_NODES], count;
	struct maui_window *windows;

	prop_shuffle(nodes, recipe.node_count, false);
	PROP_CHECK(maui_windows_find(&timeline, nodes, recipe.node_count, NULL, &arena, &windows,
				     &count) == 0,
		   "windows");
	for (uint32_t w = 0; w < count; w++) {
		int64_t length = windows[w].length_s;

		PROP_CHECK(w == 0 || (length > windows[w - 1].length_s &&
				      windows[w].procs < windows[w - 1].procs),
			   "window %u is not longer and smaller than the one before", w);
		PROP_CHECK(windows[w].procs == model_free_for(length),
			   "window %u has %lld processors for %lld s; by the model %lld are free",
			   w, (long long)windows[w].procs, (long long)length,
			   (long long)model_free_for(length));
		if (length < HORIZON)
			PROP_CHECK(model_free_for(length + 1) < windows[w].procs,
				   "window %u ends after %lld s; by the model it goes on", w,
				   (long long)length);
	}
	PROP_CHECK(count > 0 || model_free_for(1) == 0,
		   "no window; by the model %lld processors are free",
		   (long long)model_free_for(1));
}

static void round_once(void)
{
	prop_draw(&recipe);
	prop_draw_kept(&recipe);
	prop_draw_mincpus(&recipe);
	snapshot = prop_pour(&recipe, PROP_IDLE, false);
	maui_arena_clear(&arena);
	PROP_CHECK(maui_timeline_build(&timeline, snapshot, PROP_NOW, false) == 0, "build");
	make_model();
	disturb();
	disturb_licences();
	check_runs();
	check_windows();
	for (uint32_t j = 0; j < snapshot->idle_count; j++)
		check_shape(j);
	maui_snapshot_destroy(snapshot);
}

int main(int argc, char **argv)
{
	int rc = prop_main(argc, argv, 400, round_once);

	maui_timeline_finish(&timeline);
	maui_arena_finish(&arena);
	return rc;
}
