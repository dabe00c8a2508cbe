/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_choose.c - a cycle in which Slurm chooses the nodes of some jobs
 *
 * A model of Slurm takes any of the offered nodes that suffice, or none. What must hold in each
 * case:
 *
 *   each offered node may run the job, and the offered nodes suffice as long as none is taken
 *   the cycle ends, and no node gives more than it has
 *   no job reservation begins while Slurm's refusal stands, or later because of jobs behind it
 *   a job that is first and fits by its description has started
 *
 * Rules: BF-26.
 */

#include "prop_cluster.h"

#include "prop_possible.h"

enum { CYCLES = 200 };

static struct prop_recipe recipe;
static struct maui_planner *planner, *other_planner;
/* of each node, by the node's index */
static int64_t left[PROP_NODES][PROP_AMOUNTS];
static uint32_t users[PROP_NODES], alone[PROP_NODES]; /* one bit for each user */
static int64_t licences;                              /* that are left */

static struct maui_config *draw_config(void)
{
	static const char *const policies[] = { "FIRSTFIT", "BESTFIT", "GREEDY" };
	struct maui_diags diags = { 0 };
	char text[200];
	struct maui_config *config;

	snprintf(text, sizeof(text), "BACKFILLPOLICY %s\nRESERVATIONDEPTH %u\nBACKFILLDEPTH %u\n",
		 policies[prop_pick(3)], 1 + prop_pick(4), prop_pick(3) ? 0 : prop_pick(4));
	config = maui_config_parse("maui.cfg", text, strlen(text), NULL, &diags);
	PROP_CHECK(config, "%s", text);
	maui_diags_finish(&diags);
	return config;
}

/* Half of the jobs ask Slurm. In half of the rounds only processors matter: of what a later job
 * reservation needs on a node, nothing else is kept from a start that Slurm chooses. */
static bool draw_requests(void)
{
	bool procs_only = prop_pick(2);

	for (uint32_t j = 0; j < recipe.idle_count; j++) {
		struct prop_idle *idle = &recipe.idle[j];
		struct maui_request *q = &idle->request;

		q->asks_slurm = prop_pick(2);
		if (!procs_only)
			continue;
		q->per_node = q->per_task = q->per_proc = q->global = NULL;
		q->sole_user = q->only_claims = false;
		q->claim_count = 0;
	}
	return procs_only;
}

/* Nothing is resumed here. */
static void drop_suspended(void)
{
	for (uint32_t a = 0; a < recipe.active_count; a++) {
		struct prop_active *active = &recipe.active[a];

		if (active->active.suspended)
			active->active.piece_count = 0;
		active->active.suspended = active->active.resumable = false;
	}
}

static void plan(struct maui_planner *with, const struct maui_config *config,
		 const struct maui_snapshot *s, bool slurm_chooses, struct maui_decisions *ret)
{
	const struct maui_plan_input input = {
		.config = config, .snapshot = s, .now_s = PROP_NOW, .slurm_chooses = slurm_chooses
	};
	struct maui_err err;

	PROP_CHECK(maui_plan(with, &input, ret, &err) == 0, "%s", err.text);
}

static void count_left(const struct maui_snapshot *s)
{
	memset(users, 0, sizeof(users));
	memset(alone, 0, sizeof(alone));
	for (uint32_t n = 0; n < s->node_count; n++)
		memcpy(left[n], s->nodes[n].have, sizeof(left[n]));
	licences = s->global ? s->global[PROP_LICENCE] : 0;
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];
		uint32_t user = 1u << s->creds[active->creds].user;

		licences -= active->global ? active->global[PROP_LICENCE] : 0;
		for (uint32_t i = 0; i < active->piece_count; i++) {
			const struct maui_piece *piece = &active->pieces[i];

			users[piece->node] |= user;
			alone[piece->node] |= active->sole_user ? user : 0;
			for (unsigned d = 0; d < PROP_AMOUNTS; d++) {
				left[piece->node][d] -= piece->amounts[d];
				PROP_CHECK(left[piece->node][d] >= 0, "node %u has too much",
					   piece->node);
			}
		}
	}
}

/* ---- a model of Slurm ---- */

struct choice {
	struct maui_piece pieces[PROP_NODES];
	int64_t amounts[PROP_NODES][PROP_AMOUNTS];
	uint32_t count;
};

/* What so many tasks take of the node. */
static void weigh(const struct maui_snapshot *s, const struct maui_request *q, uint32_t node,
		  int64_t tasks, int64_t *ret)
{
	int64_t unit = s->nodes[node].unit, procs = tasks * q->procs_per_task;

	procs = q->whole_nodes ? s->nodes[node].have[MAUI_AMOUNT_PROCS] :
				 (procs + unit - 1) / unit * unit;
	for (unsigned d = 0; d < PROP_AMOUNTS; d++)
		ret[d] = (q->per_node ? q->per_node[d] : 0) +
			 (q->per_task ? q->per_task[d] * tasks : 0) +
			 (q->per_proc ? q->per_proc[d] * procs : 0);
	ret[MAUI_AMOUNT_PROCS] = procs;
}

/* How many tasks the node takes now. */
static int64_t room(const struct maui_snapshot *s, const struct maui_request *q, uint32_t user,
		    const struct maui_place *place)
{
	int64_t amounts[PROP_AMOUNTS], tasks;
	int64_t most = q->tasks_per_node_max ? q->tasks_per_node_max : 1000;
	uint32_t others = (q->sole_user ? users : alone)[place->node] & ~(1u << user);

	if (others)
		return 0;
	for (tasks = 0; tasks < most; tasks++) {
		weigh(s, q, place->node, tasks + 1, amounts);
		amounts[MAUI_AMOUNT_PROCS] += q->whole_nodes ? 0 : place->kept;
		for (unsigned d = 0; d < PROP_AMOUNTS; d++)
			if (amounts[d] > left[place->node][d])
				return tasks;
		if (q->whole_nodes &&
		    (tasks + 1) * q->procs_per_task > s->nodes[place->node].have[MAUI_AMOUNT_PROCS])
			return tasks;
	}
	return tasks;
}

/* The offered nodes in any order, or those with most room first; required ones before them. */
static void order_nodes(const struct maui_request *q, const struct maui_start *start,
			const int64_t *rooms, bool roomy, uint32_t *order)
{
	prop_shuffle(order, start->place_count, true);
	for (uint32_t i = 0; i < start->place_count; i++)
		for (uint32_t k = i + 1; k < start->place_count; k++) {
			uint32_t one = order[i], other = order[k];
			bool needs_one =
				prop_lists(q->required, q->required_count, start->places[one].node);
			bool needs_other = prop_lists(q->required, q->required_count,
						      start->places[other].node);

			if (needs_other == needs_one ? roomy && rooms[other] > rooms[one] :
						       needs_other) {
				order[i] = other;
				order[k] = one;
			}
		}
}

/* Takes nodes in this way. False: they do not suffice. */
static bool choose(const struct maui_snapshot *s, const struct maui_start *start, bool roomy,
		   struct choice *ret)
{
	const struct maui_idle *idle = &s->idle[start->job];
	const struct maui_request *q = &s->requests[maui_idle_request(idle, start->row)];
	uint32_t order[PROP_NODES], least = q->nodes_min, most = q->nodes_max;
	int64_t rooms[PROP_NODES], wanted;

	if (s->global && q->global && q->global[PROP_LICENCE] > licences)
		return false;
	least = q->required_count > least ? q->required_count : least;
	wanted = (int64_t)q->tasks > least ? (int64_t)q->tasks : least;
	for (uint32_t i = 0; i < start->place_count; i++)
		rooms[i] = room(s, q, s->creds[idle->rows[0].creds].user, &start->places[i]);
	order_nodes(q, start, rooms, roomy, order);
	ret->count = 0;
	for (uint32_t i = 0; i < start->place_count && (wanted > 0 || ret->count < least); i++) {
		uint32_t node = start->places[order[i]].node;
		int64_t tasks = rooms[order[i]], kept = 0;

		if (tasks == 0 && i < q->required_count)
			return false;
		if (tasks == 0 || (most > 0 && ret->count == most))
			continue;
		if (ret->count + 1 < least) /* one for each of the others */
			kept = (int64_t)least - ret->count - 1;
		if (tasks > wanted - kept)
			tasks = wanted - kept;
		if (tasks < 1)
			return false;
		weigh(s, q, node, tasks, ret->amounts[ret->count]);
		ret->pieces[ret->count] =
			(struct maui_piece){ .node = node, .amounts = ret->amounts[ret->count] };
		ret->count++;
		wanted -= tasks;
	}
	return wanted <= 0 && ret->count >= least;
}

/* ---- one cycle ---- */

static void check_offer(const struct maui_snapshot *s, const struct maui_start *start)
{
	const struct maui_idle *idle = &s->idle[start->job];
	const struct maui_request *q = &s->requests[maui_idle_request(idle, start->row)];

	prop_check_required(q, start->places, start->place_count);
	for (uint32_t i = 0; i < start->place_count; i++)
		prop_check_may_run(s, q, &idle->rows[start->row], start->places[i].node, PROP_NOW,
				   PROP_NOW + start->limit_s);
}

static bool is_bound(const struct maui_snapshot *s, const struct maui_request *q)
{
	return q->contiguous || q->switches_max > 0 || s->switch_count > 0 ||
	       (q->features && strchr(q->features, '['));
}

/* Starts the job on what Slurm takes. False: Slurm takes nothing. */
static bool start_one(struct maui_snapshot *s, const struct maui_start *start, bool first)
{
	const struct maui_request *q =
		&s->requests[maui_idle_request(&s->idle[start->job], start->row)];
	struct maui_active active = { .id = s->idle[start->job].id, .start_s = PROP_NOW };
	struct choice choice;

	if (start->slurm_chooses) {
		check_offer(s, start);
		PROP_CHECK(!first || is_bound(s, q) || choose(s, start, true, &choice),
			   "job %d: the offered nodes do not suffice", (int)active.id);
		if (prop_pick(4) == 0 || !choose(s, start, prop_pick(2), &choice))
			return false;
		active.pieces = choice.pieces;
		active.piece_count = choice.count;
	}
	PROP_CHECK(maui_snapshot_launch(s, start, &active) >= 0, "launch");
	count_left(s);
	return true;
}

/* Carries out the plan. Returns how many jobs started or were refused. */
static uint32_t execute(struct maui_snapshot *s, const struct maui_decisions *d, bool *ret_refused)
{
	uint32_t gone[PROP_IDLE], count = 0;
	bool first = true;

	*ret_refused = false;
	for (uint32_t i = 0; i < d->start_count; i++)
		PROP_CHECK(s->idle[d->starts[i].job].busy_until_s <= PROP_NOW,
			   "job %d starts while it is refused", (int)s->idle[d->starts[i].job].id);
	for (uint32_t i = 0; i < d->start_count; i++) {
		const struct maui_start *start = &d->starts[i];
		struct maui_idle *idle = &s->idle[start->job];

		if (idle->busy_until_s > PROP_NOW)
			continue;
		if (start_one(s, start, first)) {
			idle->copies--;
		} else {
			idle->busy_until_s =
				prop_pick(4) ? PROP_NOW + 1 + prop_pick(50) : MAUI_NEVER;
			*ret_refused = true;
		}
		first &= !start->slurm_chooses;
	}
	for (uint32_t j = 0; j < s->idle_count; j++)
		if (s->idle[j].copies == 0)
			gone[count++] = j;
	maui_snapshot_drop_idle(s, gone, count);
	return d->start_count;
}

/* ---- what must hold in the end ---- */

static void check_busy(const struct maui_snapshot *s, const struct maui_decisions *d)
{
	for (uint32_t i = 0; i < d->reservation_count; i++)
		PROP_CHECK(d->reservations[i].start_s >=
				   s->idle[d->reservations[i].job].busy_until_s,
			   "job %d is reserved while it is refused",
			   (int)s->idle[d->reservations[i].job].id);
}

/* By its description no job could start in its turn. */
static void check_nothing_left(const struct maui_config *config, const struct maui_snapshot *s)
{
	struct maui_decisions d = { 0 };

	plan(other_planner, config, s, false, &d);
	for (uint32_t i = 0; i < d.start_count; i++)
		PROP_CHECK(d.starts[i].out_of_order || d.starts[i].backfilled, "job %d could start",
			   (int)s->idle[d.starts[i].job].id);
	maui_decisions_finish(&d);
}

/* The start of the first job reservation, at its job's id; INT64_MAX: no promise. */
static int64_t promised[PROP_IDLE + 1];

/* The first job reservation of a plan is not delayed by what Slurm takes afterwards for jobs behind
 * it, where nothing but processors is in the way. A job that is refused may be a better one, and
 * then has a job reservation, too; a job of two partitions may get its own in the other one. */
static void check_promise(const struct maui_snapshot *s, const struct maui_decisions *d)
{
	for (uint32_t j = 0; j < s->idle_count; j++)
		PROP_CHECK(promised[s->idle[j].id] == INT64_MAX || s->idle[j].row_count > 1 ||
				   s->idle[j].busy_until_s > 0 ||
				   d->verdicts[j].estimate_s <= promised[s->idle[j].id],
			   "job %d: promised %d, now %d", (int)s->idle[j].id,
			   (int)promised[s->idle[j].id], (int)d->verdicts[j].estimate_s);
}

static void note_promise(const struct maui_snapshot *s, const struct maui_decisions *d)
{
	for (uint32_t j = 0; j <= PROP_IDLE; j++)
		promised[j] = INT64_MAX;
	if (d->reservation_count > 0)
		promised[s->idle[d->reservations[0].job].id] = d->reservations[0].start_s;
}

static void round_once(void)
{
	struct maui_decisions d = { 0 };
	struct prop_rules drawn = { 0 };
	struct maui_snapshot *s;
	uint32_t cycles = 0;
	bool procs_only, refused = false;

	prop_draw(&recipe);
	drop_suspended();
	procs_only = draw_requests();
	drawn.config = draw_config();
	s = prop_pour(&recipe, PROP_IDLE, false);
	count_left(s);
	note_promise(s, &d);
	do {
		plan(planner, drawn.config, s, true, &d);
		check_busy(s, &d);
		if (procs_only && !refused && !d.incomplete)
			check_promise(s, &d);
		note_promise(s, &d);
		PROP_CHECK(++cycles < CYCLES, "no end");
	} while (execute(s, &d, &refused));
	prop_check_possible(s, &drawn, &d, PROP_NOW);
	check_nothing_left(drawn.config, s);
	maui_decisions_finish(&d);
	maui_planner_rest(planner);
	maui_planner_rest(other_planner);
	maui_snapshot_destroy(s);
	maui_config_unref(drawn.config);
}

int main(int argc, char **argv)
{
	int rc;

	planner = maui_planner_create();
	other_planner = maui_planner_create();
	rc = prop_main(argc, argv, 1000, round_once);
	maui_planner_destroy(planner);
	maui_planner_destroy(other_planner);
	return rc;
}
