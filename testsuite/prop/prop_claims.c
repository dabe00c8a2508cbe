/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_claims.c - our claims on a timeline, compared with a model that counts every second
 *
 * Whole nodes and parts of nodes, side by side and stacked, with TIMELIMITs, jobs inside and
 * outside. Compared are the capacity for each requester, the earliest fit, the end of free
 * intervals and windows. Giving back must leave the timeline as it was.
 */

#include "prop_kept.h"
#include "timeline/fit.h"
#include "timeline/window.h"

enum { HORIZON = 260, GROUPS = 4, TABLES = 4 };

static struct prop_recipe recipe;
static struct maui_snapshot *snapshot;
static struct maui_timeline timeline;
static struct maui_arena arena;
static struct kept_model model;
static struct maui_claim claims[KEPT_CLAIMS];
static uint32_t nodes_of[KEPT_CLAIMS][PROP_NODES];
static int64_t amounts_of[KEPT_CLAIMS][PROP_NODES * PROP_AMOUNTS];
static struct maui_access entries[TABLES][GROUPS];
static struct maui_access_short shorter[TABLES][GROUPS][2];
static struct maui_access_table tables[TABLES];
static int64_t free_at[PROP_NODES][HORIZON][PROP_AMOUNTS];

static void change_free(uint32_t node, int64_t from, int64_t until, const int64_t *amounts,
			int sign)
{
	for (int64_t t = from > PROP_NOW ? from - PROP_NOW : 0; t < until - PROP_NOW && t < HORIZON;
	     t++)
		for (unsigned d = 0; d < PROP_AMOUNTS; d++)
			free_at[node][t][d] += sign * amounts[d];
}

/* ---- drawing ---- */

/* A claim, with earlier claims of the reservation that it adjoins. */
static void join(uint32_t c)
{
	int64_t from = maui_claim_run(&claims[c - 1]).from, until = claims[c].end_s;

	for (uint32_t i = c + 1; i-- > 0;) {
		claims[i].run_start_s = from;
		claims[i].run_end_s = until;
		if (claims[i].start_s == from)
			return;
	}
}

/* Amounts near those of a whole node, so that claims lie side by side and stacked. */
static void draw_claim(uint32_t c)
{
	struct maui_claim *claim = &claims[c];
	int64_t start = PROP_NOW - 20 + prop_pick(90);
	bool whole = prop_pick(3) == 0;

	*claim = (struct maui_claim){ .id = 100 + c,
				      .rsv = prop_pick(GROUPS),
				      .start_s = start,
				      .end_s = start + 1 + prop_pick(50),
				      .nodes = nodes_of[c] };
	if (prop_pick(12) == 0)
		claim->end_s = MAUI_NEVER;
	if (c > 0 && prop_pick(4) == 0) { /* adjoins the claim before */
		claim->rsv = claims[c - 1].rsv;
		claim->start_s = claims[c - 1].end_s;
		claim->end_s = claim->start_s == MAUI_NEVER ? MAUI_NEVER :
							      claim->start_s + 1 + prop_pick(40);
		if (claim->start_s != MAUI_NEVER && prop_pick(2))
			join(c);
	}
	for (uint32_t n = 0; n < recipe.node_count; n++) {
		if (prop_pick(2))
			continue;
		for (unsigned d = 0; d < PROP_AMOUNTS; d++)
			amounts_of[c][claim->node_count * PROP_AMOUNTS + d] =
				prop_pick((unsigned)recipe.nodes[n].have[d] + 1);
		nodes_of[c][claim->node_count++] = n;
	}
	claim->amounts = whole ? NULL : amounts_of[c];
}

/* Affinities of shorter overlaps. */
static void draw_shorter(struct maui_access *access, struct maui_access_short *list)
{
	int64_t longest = access->overlap_s == MAUI_NEVER ? 40 : access->overlap_s, least = 0;

	access->shorter = list;
	while (access->shorter_count < 2 && least + 1 < longest && prop_pick(2)) {
		least += 1 + prop_pick((unsigned)(longest - least - 1));
		list[access->shorter_count++] =
			(struct maui_access_short){ least, (int)prop_pick(3) - 1 };
	}
}

static void draw_table(uint32_t index)
{
	struct maui_access_table *table = &tables[index];

	*table = (struct maui_access_table){ .list = entries[index], .only = prop_pick(5) == 0 };
	for (uint32_t g = 0; g < GROUPS; g++) {
		if (prop_pick(2))
			continue;
		entries[index][table->count++] = (struct maui_access){
			.rsv = g,
			.affinity = (int)prop_pick(3) - 1,
			.overlap_s = prop_pick(2) ? MAUI_NEVER : 1 + prop_pick(30),
			.own = !table->only || prop_pick(3) > 0,
		};
		draw_shorter(&entries[index][table->count - 1], shorter[index][g]);
	}
}

/* A requester with random access; half of the time without any. */
static const struct maui_access_table *draw_access(void)
{
	return prop_pick(4) ? &tables[prop_pick(TABLES)] : NULL;
}

static void hold_active(void)
{
	memset(free_at, 0, sizeof(free_at));
	for (uint32_t n = 0; n < recipe.node_count; n++) {
		change_free(n, PROP_NOW, PROP_NOW + HORIZON, recipe.nodes[n].have, 1);
		change_free(n, PROP_NOW,
			    recipe.nodes[n].node.usable_from_s == MAUI_NEVER ?
				    PROP_NOW + HORIZON :
				    recipe.nodes[n].node.usable_from_s,
			    recipe.nodes[n].have, -1);
	}
	for (uint32_t a = 0; a < recipe.active_count; a++) {
		const struct maui_active *active = &recipe.active[a].active;
		int64_t end = active->end_s > PROP_NOW ? active->end_s : PROP_NOW + 1;

		if (end > PROP_NOW + HORIZON)
			end = PROP_NOW + HORIZON;
		for (uint32_t p = 0; p < active->piece_count; p++)
			change_free(active->pieces[p].node, PROP_NOW, end,
				    active->pieces[p].amounts, -1);
	}
}

static void lay_out(void)
{
	uint32_t count = 1 + prop_pick(6);

	recipe.claim_count = 0;
	for (uint32_t j = 0; j < recipe.idle_count; j++) {
		recipe.idle[j].request.claim_count = 0;
		recipe.idle[j].request.only_claims = false;
	}
	snapshot = prop_pour(&recipe, PROP_IDLE, false);
	PROP_CHECK(maui_timeline_build(&timeline, snapshot, PROP_NOW, false) == 0, "build");
	hold_active();
	memset(&model, 0, sizeof(model));
	for (uint32_t c = 0; c < count; c++) {
		draw_claim(c);
		model.claims[model.claim_count++] = &claims[c];
	}
	/* added at once, or one after the other */
	for (uint32_t c = 0, some; c < count; c += some) {
		some = 1 + prop_pick(count - c);
		PROP_CHECK(maui_timeline_add_claims(&timeline, &claims[c], some) == 0, "claims");
	}
	for (uint32_t i = 0; i < TABLES; i++)
		draw_table(i);
}

/* ---- the model's answers ---- */

static int64_t model_tasks(const struct maui_shape *shape, uint32_t node, int64_t from,
			   int64_t until)
{
	uint32_t class_index = snapshot->nodes[node].class_index;
	int64_t least = INT64_MAX, gives[PROP_AMOUNTS];

	if (maui_shape_excludes(shape, node))
		return 0;
	for (int64_t t = from; t < until && t < PROP_NOW + HORIZON && least > 0; t++) {
		bool in =
			kept_gives(&model, node, t, recipe.nodes[node].have,
				   free_at[node][t - PROP_NOW], shape->access, from, until, gives);
		int64_t tasks = in ? maui_shape_tasks(shape, class_index, gives) : 0;

		least = tasks < least ? tasks : least;
	}
	return least;
}

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
	return required == shape->request->required_count && maui_fit_suffices(shape, nodes, tasks);
}

struct placing {
	const struct maui_shape *shape;
	int64_t length;
};

static void check_run(const struct placing *placing, int64_t start_s,
		      const struct maui_fit_run *run)
{
	for (uint32_t node = run->node; node < run->node + run->count; node++)
		PROP_CHECK((run->next == start_s) == (model_tasks(placing->shape, node, start_s,
								  start_s + placing->length) > 0),
			   "node %u at %d", node, (int)(start_s - PROP_NOW));
}

static enum maui_fit_answer place(void *data, int64_t start_s, const struct maui_fit_run *runs,
				  size_t count)
{
	const struct placing *placing = data;

	PROP_CHECK(model_fits(placing->shape, start_s, placing->length), "offered at %d",
		   (int)(start_s - PROP_NOW));
	for (size_t i = 0; i < count; i++)
		check_run(placing, start_s, &runs[i]);
	return MAUI_FIT_CHOSEN;
}

/* ---- comparisons ---- */

static void check_earliest(const struct maui_shape *shape)
{
	int64_t length = 1 + prop_pick(50), want = PROP_NOW + (prop_pick(3) ? 0 : prop_pick(60));
	struct placing placing = { shape, length };
	int64_t got = shape->request->global ?
			      MAUI_NEVER :
			      maui_fit_earliest(&timeline, shape, want, length, place, &placing);

	if (shape->request->global)
		return;
	while (want + length < PROP_NOW + HORIZON && !model_fits(shape, want, length))
		want++;
	if (want + length == PROP_NOW + HORIZON)
		PROP_CHECK(got >= want, "got %d", (int)(got - PROP_NOW));
	else
		PROP_CHECK(got == want, "got %d, fits at %d", (int)(got - PROP_NOW),
			   (int)(want - PROP_NOW));
}

static void check_until(const struct maui_shape *shape, uint32_t node)
{
	int64_t from = PROP_NOW + prop_pick(60);
	int64_t tasks = maui_fit_tasks(&timeline, shape, node, from, from + 1), got, want;

	if (tasks == 0)
		return;
	got = maui_fit_until(&timeline, shape, node, from, tasks);
	want = from + 1;
	while (want < PROP_NOW + HORIZON && model_tasks(shape, node, from, want + 1) >= tasks)
		want++;
	PROP_CHECK(want == PROP_NOW + HORIZON ? got >= want : got == want,
		   "node %u from %d until %d, not %d", node, (int)(from - PROP_NOW),
		   (int)(want - PROP_NOW), (int)(got - PROP_NOW));
}

/* How many claims attract the job at one moment; -1: one repels it. */
static int model_affinity_at(const struct maui_access_table *access, uint32_t node, int64_t t,
			     int64_t from, int64_t until)
{
	int positive = 0;

	for (uint32_t c = 0; c < model.claim_count; c++) {
		const struct maui_claim *claim = model.claims[c];
		int affinity;

		for (uint32_t i = 0; i < access->count; i++) {
			const struct maui_access_table one = { .list = &access->list[i],
							       .count = 1 };

			if (!kept_covers(claim, node, t) ||
			    !kept_admits(claim, &one, from, until, &affinity))
				continue;
			if (affinity < 0)
				return -1;
			positive += affinity > 0;
		}
	}
	return positive;
}

static void check_affinity(uint32_t node, int64_t from, int64_t until)
{
	for (uint32_t i = 0; i < TABLES; i++) {
		int got = maui_timeline_affinity(&timeline, node, &tables[i],
						 (struct maui_span){ from, until });
		int want = 0;

		for (int64_t t = from; t < until && want >= 0; t++) {
			int now = model_affinity_at(&tables[i], node, t, from, until);

			want = now < 0 || now > want ? now : want;
		}
		PROP_CHECK(got == want, "node %u from %d until %d has affinity %d, not %d", node,
			   (int)(from - PROP_NOW), (int)(until - PROP_NOW), got, want);
	}
}

static bool make_shape(uint32_t job, struct maui_shape *shape)
{
	const struct maui_shape_rules rules = { .whole_nodes = prop_pick(8) == 0 };

	PROP_CHECK(maui_shape_make(snapshot, snapshot->idle[job].request,
				   snapshot->idle[job].rows[0].partition, 0, &rules, NULL, &arena,
				   shape) == 0,
		   "shape");
	shape->access = draw_access();
	return shape->impossible == MAUI_REASON_NONE;
}

static void check_shape(uint32_t job)
{
	struct maui_shape shape;
	int64_t from = PROP_NOW + prop_pick(60), until = from + 1 + prop_pick(60);

	if (!make_shape(job, &shape))
		return;
	for (uint32_t n = 0; n < recipe.node_count; n++) {
		int64_t want = model_tasks(&shape, n, from, until);
		int64_t got = maui_fit_tasks(&timeline, &shape, n, from, until);

		PROP_CHECK(got == want, "node %u job %u: %d tasks, not %d", n, job, (int)got,
			   (int)want);
		check_until(&shape, n);
		check_affinity(n, from, until);
	}
	check_earliest(&shape);
}

static int64_t model_free_for(const struct maui_access_table *access, int64_t length)
{
	int64_t sum = 0, gives[PROP_AMOUNTS];

	for (uint32_t n = 0; n < recipe.node_count; n++) {
		int64_t least = INT64_MAX;

		for (int64_t t = 0; t < length && t < HORIZON && least > 0; t++) {
			int64_t procs = kept_gives(&model, n, PROP_NOW + t, recipe.nodes[n].have,
						   free_at[n][t], access, PROP_NOW,
						   PROP_NOW + length, gives) ?
						gives[MAUI_AMOUNT_PROCS] :
						0;

			least = procs < least ? procs : least;
		}
		sum += least > 0 ? least : 0;
	}
	return sum;
}

static void check_windows(void)
{
	const struct maui_access_table *access = draw_access();
	const struct maui_requester who = { NULL, access };
	uint32_t nodes[PROP_NODES], count;
	struct maui_window *windows;

	prop_shuffle(nodes, recipe.node_count, false);
	PROP_CHECK(maui_windows_find(&timeline, nodes, recipe.node_count, access ? &who : NULL,
				     &arena, &windows, &count) == 0,
		   "windows");
	for (uint32_t w = 0; w < count; w++) {
		int64_t length = windows[w].length_s;

		PROP_CHECK(windows[w].procs ==
				   model_free_for(access, length < HORIZON ? length : HORIZON),
			   "window %u", w);
		if (length < HORIZON)
			PROP_CHECK(model_free_for(access, length + 1) < windows[w].procs,
				   "window %u could be longer", w);
	}
	PROP_CHECK(count > 0 || model_free_for(access, 1) == 0, "no window");
}

/* ---- jobs start and are removed ---- */

/* A job that fits, with the amounts it takes. */
static void take_one(void)
{
	struct kept_take *take = &model.takes[model.take_count];
	struct maui_shape shape;
	int64_t tasks, from = PROP_NOW - 10 + prop_pick(60), until = from + 1 + prop_pick(60);
	int64_t begin = from > PROP_NOW ? from : PROP_NOW;
	uint32_t node = prop_pick(recipe.node_count);

	if (snapshot->idle_count == 0 || model.take_count == KEPT_TAKES ||
	    !make_shape(prop_pick(snapshot->idle_count), &shape) || until <= begin)
		return;
	tasks = maui_fit_tasks(&timeline, &shape, node, begin, until);
	if (tasks == 0)
		return;
	*take = (struct kept_take){
		.node = node, .from = from, .until = until, .access = shape.access
	};
	maui_shape_amounts(&shape, snapshot->nodes[node].class_index, tasks, take->amounts);
	change_free(node, from, until, take->amounts, -1);
	model.take_count++;
	if (prop_pick(3) == 0) { /* the job was there before its access was known */
		PROP_CHECK(maui_timeline_take(&timeline, node, from, until, take->amounts, 0) == 0,
			   "take");
		PROP_CHECK(maui_timeline_mark_inside(&timeline, node,
						     (struct maui_span){ from, until }, until,
						     take->amounts, take->access) == 0,
			   "admit");
		return;
	}
	const struct maui_requester who = { NULL, take->access };

	PROP_CHECK(maui_timeline_take_inside(&timeline, node, (struct maui_span){ from, until },
					     take->amounts, 0, &who) == 0,
		   "take");
}

static void give_one(void)
{
	uint32_t index = prop_pick(model.take_count);
	struct kept_take take = model.takes[index];
	const struct maui_requester who = { NULL, take.access };

	model.takes[index] = model.takes[--model.take_count];
	change_free(take.node, take.from, take.until, take.amounts, 1);
	PROP_CHECK(maui_timeline_give_inside(&timeline, take.node,
					     (struct maui_span){ take.from, take.until },
					     take.amounts, 0, &who) == 0,
		   "give");
}

static void check_nothing_left(void)
{
	while (model.take_count > 0)
		give_one();
	for (uint32_t n = 0; n < timeline.node_count; n++)
		for (uint32_t i = 0; i < timeline.lines[n].count; i++) {
			const struct maui_step *step =
				maui_line_step(&timeline, &timeline.lines[n], i);

			PROP_CHECK(step->claims == 0 ||
					   timeline.claim_sets[step->claims - 1].use_count == 0,
				   "node %u step %u", n, i);
		}
}

static void round_once(void)
{
	prop_draw(&recipe);
	maui_arena_clear(&arena);
	lay_out();
	for (unsigned i = prop_pick(24); i > 0; i--)
		take_one();
	for (unsigned i = prop_pick(4); i > 0 && model.take_count > 0; i--)
		give_one();
	for (uint32_t j = 0; j < snapshot->idle_count && j < 8; j++)
		check_shape(j);
	check_windows();
	check_nothing_left();
	maui_snapshot_destroy(snapshot);
}

int main(int argc, char **argv)
{
	int rc = prop_main(argc, argv, 50, round_once);

	maui_timeline_finish(&timeline);
	maui_arena_finish(&arena);
	return rc;
}
