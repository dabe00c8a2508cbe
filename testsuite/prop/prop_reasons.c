/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_reasons.c - reasons do not depend on which nodes are asked about together
 *
 * A random cluster is planned, in which many nodes are alike: of one class, in one state, with the
 * same jobs. One explainer asks about one of the nodes that are alike, and another one about each
 * node. Both give the same reasons for each waiting job and for one that nobody has submitted: the
 * same counts, the same texts, the same start. Reservations that keep nodes are named.
 *
 * Rules: CMD-21.
 */

#include "explain/outlook.h"
#include "explain/private.h"
#include "explain/text.h"
#include "plan/finished.h"
#include "plan/plan.h"
#include "prop_rsv.h"

static struct maui_planner *planner;
static struct maui_arena arena;

/* ---- the cluster ---- */

/* Makes a node alike to another one, but for reservations: in all, and with the same jobs. */
static void draw_alike(uint32_t node, uint32_t model)
{
	struct prop_node *n = &recipe.nodes[node];
	const struct maui_node own = n->node;

	*n = recipe.nodes[model];
	n->node.id = own.id;
	n->node.name = own.name;
	n->node.have = n->have;
	n->node.partitions = n->partitions;
	for (uint32_t a = 0; a < recipe.active_count; a++) {
		struct prop_active *active = &recipe.active[a];
		uint32_t *count = &active->active.piece_count, from = PROP_NODES;

		for (uint32_t i = 0; i < *count; i++) {
			if (active->pieces[i].node == node)
				active->pieces[i--] = active->pieces[--*count];
			else if (active->pieces[i].node == model)
				from = i;
		}
		for (uint32_t i = 0; i < *count; i++)
			if (active->pieces[i].node == model)
				from = i;
		if (from < *count) {
			active->pieces[*count] = active->pieces[from];
			active->pieces[(*count)++].node = node;
		}
	}
}

static void draw(void)
{
	prop_draw(&recipe);
	for (uint32_t n = 0; n < recipe.node_count; n++) {
		if (n > 0 && prop_pick(3))
			draw_alike(n, prop_pick(n));
		snprintf(node_names[n], sizeof(node_names[n]), "n%u", n);
		recipe.nodes[n].node.name = node_names[n];
		recipe.nodes[n].node.state = recipe.nodes[n].node.usable_from_s == MAUI_NEVER ?
						     MAUI_REASON_NODE_STATE :
						     MAUI_REASON_NODE_UNANSWERED;
	}
	rsv_count = prop_pick(3) ? prop_pick(RSVS) : 0;
	for (uint32_t r = 0; r < rsv_count; r++)
		draw_rsv(r);
}

static struct maui_config *draw_config(void)
{
	struct maui_strbuf text = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config;

	maui_strbuf_addf(&text, "BACKFILLPOLICY %s\nRESERVATIONDEPTH %u\nQUEUETIMEWEIGHT 0\n",
			 prop_pick(8) ? "FIRSTFIT" : "NONE", prop_pick(4));
	config = maui_config_parse("maui.cfg", text.text, text.length, NULL, &diags);
	PROP_CHECK(config, "%s", text.text);
	maui_diags_finish(&diags);
	maui_strbuf_finish(&text);
	return config;
}

static struct maui_plan *make_plan(const struct maui_config *config, struct maui_snapshot *s,
				   struct maui_standing_input *standing, struct maui_decisions *d)
{
	const struct maui_plan_input input = { .config = config,
					       .snapshot = s,
					       .now_s = PROP_NOW,
					       .standing = rsv_count ? standing : NULL,
					       .want_reasons = true };
	struct maui_standing_targets *targets;
	struct maui_plan *plan;
	struct maui_err err;

	PROP_CHECK(maui_standing_targets(s, rsv_list, rsv_count, &arena, &targets, &err) == 0, "%s",
		   err.text);
	standing->targets = targets;
	PROP_CHECK(maui_plan(planner, &input, d, &err) == 0, "%s", err.text);
	plan = maui_plan_finish(planner, s, prop_pick(4));
	PROP_CHECK(plan, "memory");
	return plan;
}

/* ---- the answers ---- */

static unsigned counted, together; /* nodes that were asked about, and those asked with others */

/* Everything that an explanation says. The caller frees it. */
static char *words_of(const struct maui_explanation *e)
{
	const struct maui_node_reasons *nodes = e->nodes;
	struct maui_strbuf text = { 0 };
	char line[MAUI_EXPLAIN_LINE_SIZE];

	maui_strbuf_addf(&text, "%s\n", maui_explain_first(e, line, sizeof(line)));
	maui_explain_all(e, &text);
	maui_explain_outlook(e, &text);
	maui_strbuf_addf(&text, "%d %lld %lld %d\n", maui_explain_kind(e), (long long)e->longest_s,
			 (long long)e->start.when_s, e->start.basis);
	for (int r = 0; nodes && r < MAUI_REASON_COUNT; r++)
		if (nodes->counts[r] > 0)
			maui_strbuf_addf(&text, "%d: %u nodes, ", r, nodes->counts[r]);
	if (nodes)
		maui_strbuf_addf(&text, "room %lld scarce %s %lld gres %s by %s %d\n",
				 (long long)nodes->room, nodes->scarce ? nodes->scarce : "-",
				 (long long)nodes->scarce_needed,
				 nodes->missing_gres ? nodes->missing_gres : "-",
				 nodes->reserved_by ? nodes->reserved_by : "-",
				 nodes->reservations_decide);
	PROP_CHECK(!text.failed, "memory");
	PROP_CHECK(!nodes || nodes->counts[MAUI_REASON_NODE_CLAIMED] == 0 || nodes->reserved_by,
		   "reserved by nobody");
	return maui_strbuf_steal(&text);
}

static void compare(const struct maui_explanation *one, const struct maui_explanation *two,
		    uint32_t job, const char *which)
{
	char *grouped = words_of(one), *single = words_of(two);

	PROP_CHECK(strcmp(grouped, single) == 0, "%s reasons of job %u:\n%s\nand singly:\n%s",
		   which, job, grouped, single);
	free(grouped);
	free(single);
}

static void compare_jobs(struct maui_explainer *x, struct maui_explainer *single)
{
	for (uint32_t j = 0; j < x->snapshot->idle_count; j++) {
		struct maui_explanation one, two;

		PROP_CHECK(maui_explain_short(x, j, &one) == 0 &&
				   maui_explain_short(single, j, &two) == 0,
			   "memory");
		compare(&one, &two, j, "short");
		PROP_CHECK(maui_explain_job(x, j, &one) == 0 &&
				   maui_explain_job(single, j, &two) == 0,
			   "memory");
		compare(&one, &two, j, "all");
	}
}

static void compare_hypothetical(struct maui_explainer *x, struct maui_explainer *single)
{
	static const char *const users[] = { "ann", "bob", "eve" };
	const struct maui_request r = { .nodes_min = 1 + prop_pick(4),
					.nodes_max = prop_pick(2) ? 0 : 8,
					.procs_per_task = 1 + prop_pick(3),
					.whole_nodes = prop_pick(4) == 0 };
	struct maui_offer_question q = { .request = &r,
					 .partition = prop_pick(recipe.partition_count),
					 .limit_s = 1 + prop_pick(60) };
	struct maui_would_start one, two;

	q.cred[MAUI_CRED_USER] = users[prop_pick(3)];
	q.cred[MAUI_CRED_CLASS] = x->snapshot->partitions[q.partition].name;
	PROP_CHECK(maui_explain_would_start(x, &q, true, &one) == 0 &&
			   maui_explain_would_start(single, &q, true, &two) == 0,
		   "memory");
	PROP_CHECK(one.now == two.now && one.fewer_nodes == two.fewer_nodes &&
			   one.longest_s == two.longest_s && one.earliest_s == two.earliest_s,
		   "a hypothetical job");
	if (!one.now)
		compare(&one.e, &two.e, UINT32_MAX, "hypothetical");
}

static void round_once(void)
{
	struct maui_decisions d = { 0 };
	struct maui_standing_input standing = { .list = rsv_list };
	struct maui_explainer *x, *single;
	struct maui_config *config;
	struct maui_snapshot *s;
	struct maui_plan *plan;

	draw();
	config = draw_config();
	standing.count = rsv_count;
	s = prop_pour(&recipe, PROP_IDLE, false);
	plan = make_plan(config, s, &standing, &d);
	x = maui_explainer_create(plan);
	single = maui_explainer_create(plan);
	PROP_CHECK(x && single, "memory");
	single->groups.singly = true;
	compare_jobs(x, single);
	compare_hypothetical(x, single);
	if (x->groups.of) {
		counted += s->node_count;
		together += s->node_count - x->groups.count;
	}
	maui_explainer_destroy(x);
	maui_explainer_destroy(single);
	maui_plan_unref(plan);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
	maui_arena_clear(&arena);
}

int main(int argc, char **argv)
{
	int rc;

	planner = maui_planner_create();
	rc = prop_main(argc, argv, 2000, round_once);
	printf("%u nodes, %u of them asked about with others\n", counted, together);
	maui_planner_destroy(planner);
	maui_arena_finish(&arena);
	for (uint32_t r = 0; r < RSVS; r++)
		maui_rsv_finish(&rsvs[r]);
	return rc;
}
