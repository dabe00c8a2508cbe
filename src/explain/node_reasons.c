/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_reasons.c - for each node, why the job cannot run there now
 *
 * The first reason that applies counts, in this order: partition; the job's own request (--exclude,
 * a --nodelist that names enough nodes, its reservation); features; configured resources; node
 * state; what is taken now; what is taken later. A busy node that a reservation keeps from the
 * moment on at which it is free counts as kept by the reservation.
 */

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/strbuf.h"
#include "explain/private.h"
#include "model/features.h"
#include "model/gres.h"

enum { NAMES_MAX = 3 }; /* reservations named in the text */

static bool lists(const uint32_t *list, uint32_t count, uint32_t what)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] == what)
			return true;
	return false;
}

static enum maui_reason shortage_of(const struct maui_shape *shape, unsigned dimension)
{
	return dimension == MAUI_AMOUNT_PROCS ? MAUI_REASON_NODE_PROCS :
	       dimension == shape->cap_amount ? MAUI_REASON_NODE_PROCS :
	       dimension == MAUI_AMOUNT_MEM   ? MAUI_REASON_NODE_MEM :
	       dimension == MAUI_AMOUNT_DISK  ? MAUI_REASON_NODE_DISK :
						MAUI_REASON_NODE_OTHER;
}

/* Whether the one is a generic resource, "gpu", and the other one a type of it, "gpu:a100". */
static bool is_type_of(const struct maui_snapshot *s, unsigned resource, unsigned type)
{
	const char *name = maui_gres_name(s, resource), *other = maui_gres_name(s, type);

	return name && other && maui_gres_is_type_of(other, name);
}

/* The first dimension that is too small for the fewest useful tasks, of a generic resource the type
 * that the job asks for; -1. */
static int short_dimension(const struct maui_shape *shape, uint32_t class_index,
			   const int64_t *free_amounts, const int64_t *least)
{
	const struct maui_snapshot *s = shape->snapshot;
	int first = -1;

	for (unsigned d = 0; d < s->amount_count; d++) {
		if (maui_shape_amount(shape, class_index, shape->least, d) <= free_amounts[d] &&
		    !(least && least[d] > free_amounts[d]))
			continue;
		if (first >= 0 && is_type_of(s, (unsigned)first, d))
			return (int)d;
		if (first < 0)
			first = (int)d;
	}
	return first;
}

/* The moment at which the job starts, if it has a job reservation or an estimate. Later
 * reservations do not matter to it. */
struct question {
	struct maui_explainer *x;
	const struct maui_explained_job *a;
	const struct maui_shape *shape;
	int64_t own_s;
	bool selects;                   /* selects_nodes() */
	struct maui_node_note *classes; /* the answer of ask_class() for each node class */
	struct maui_node_note *kinds;   /* likewise for each kind; count 0: not asked yet, or not
					   the same for all nodes of the kind */
	/* nodes that are alike, and the answer for each of these groups */
	const struct maui_alike *alike;
	struct maui_node_note *notes;
	uint32_t note_count;
	struct maui_node_reasons *ret;
	uint32_t *scarce; /* number of busy nodes by the dimension that they lack */
};

/* A note of a node has the reason; `when` (for CLAIMED and for nodes that can serve): since when
 * only reservations keep the node, see free_moment(); `claims`: the set of claims for CLAIMED; the
 * dimension that the node lacks (for BUSY and for configured resources), -1. */
enum { WHEN_ASKED = -1 }; /* a moment that is worked out when it matters */

static bool keeps_out(const struct question *q, const struct maui_claim_part *part,
		      struct maui_span span)
{
	const struct maui_timeline *t = &q->x->timeline;
	const struct maui_requester who = { q->shape->request, q->shape->access };
	const struct maui_access *entry = maui_claims_access(t, part, &who);

	return !maui_claims_admit_request(t, part, q->shape->request) &&
	       !(entry && maui_claim_admits(t->claims[part->claim], entry, span));
}

/* Whether some claim of the set keeps the job out. If none does, the job may run only inside other
 * claims, or all that its own claims keep is in use. */
static bool set_keeps_out(const struct question *q, uint32_t claims, struct maui_span span)
{
	const struct maui_claim_set *set = &q->x->timeline.claim_sets[claims - 1];

	for (uint32_t i = 0; i < set->count; i++)
		if (keeps_out(q, &set->parts[i], span))
			return true;
	return false;
}

/* Whether some claim of the set is of a reservation that the job may not leave. */
static bool set_has_own(const struct question *q, uint32_t claims)
{
	const struct maui_timeline *t = &q->x->timeline;
	const struct maui_claim_set *set = &t->claim_sets[claims - 1];

	for (uint32_t i = 0; i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_access_find(q->shape->access, claim->rsv);

		if (maui_claims_admit_request(t, &set->parts[i], q->shape->request) ||
		    (q->a->confined && entry && maui_claim_is_own(claim, entry)))
			return true;
	}
	return false;
}

/* Why the job cannot use a step on which enough is free. */
static enum maui_reason closed_reason(const struct question *q, uint32_t class_index,
				      const struct maui_step *step, struct maui_span span)
{
	const struct maui_requester who = { q->shape->request, q->shape->access };
	const int64_t *gives = maui_timeline_capacity(&q->x->timeline, step, &who, span);

	if (gives && maui_shape_tasks(q->shape, class_index, gives) > 0)
		return MAUI_REASON_NODE_USER;
	if (!step->claims)
		return MAUI_REASON_NODE_EXCLUDED;
	if (set_keeps_out(q, step->claims, span))
		return MAUI_REASON_NODE_CLAIMED;
	return set_has_own(q, step->claims) ? MAUI_REASON_NODE_BUSY : MAUI_REASON_NODE_EXCLUDED;
}

/* From when on no other job uses the node during the job's whole run. */
static int64_t free_from(const struct question *q, uint32_t node)
{
	const struct maui_timeline *t = &q->x->timeline;
	const struct maui_line *line = &t->lines[node];
	int64_t from = q->x->now_s;

	for (uint32_t i = 0; i < line->count && from < q->own_s; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= maui_when_add(from, q->a->limit_s) || step->at >= q->own_s)
			break;
		if (maui_shape_tasks(q->shape, t->class_of[node], step->free) == 0)
			from = maui_line_step_end(t, line, i);
	}
	return from;
}

/* When the job would use the node after other jobs have ended. Of a job without a limit that moment
 * is unknown, so the end of the timeline is used. */
static struct maui_span span_from(const struct question *q, uint32_t node, int64_t free_s)
{
	const struct maui_line *line = &q->x->timeline.lines[node];

	if (free_s == MAUI_NEVER)
		free_s = maui_line_step(&q->x->timeline, line, line->count - 1)->at;
	return (struct maui_span){ free_s, maui_when_add(free_s, q->a->limit_s) };
}

/* The claims that keep the node from the job after other jobs have ended; 0: none. */
static uint32_t keeping_claims(const struct question *q, uint32_t node, int64_t free_s)
{
	const struct maui_span span = span_from(q, node, free_s);
	uint32_t claims;

	if (maui_remainder_tasks(q->x, q->shape, node, span, &claims) > 0)
		return 0;
	return claims && set_keeps_out(q, claims, span) ? claims : 0;
}

static struct maui_node_note taken(const struct question *q, const struct maui_alike *nodes,
				   bool now, int dimension)
{
	const uint32_t node = nodes->node;
	struct maui_node_note v = { .reason =
					    now ? MAUI_REASON_NODE_BUSY : MAUI_REASON_NODE_RESERVED,
				    .when = WHEN_ASKED,
				    .dimension = dimension };

	if (q->x->timeline.claim_count == 0 || nodes->kind != MAUI_ALIKE_NO_KIND)
		return v;
	v.when = free_from(q, node);
	if (v.when < q->own_s || q->own_s == MAUI_NEVER)
		v.claims = keeping_claims(q, node, v.when);
	if (v.claims)
		v.reason = MAUI_REASON_NODE_CLAIMED;
	return v;
}

/* Since when only reservations keep the nodes. */
static int64_t free_moment(const struct question *q, uint32_t index)
{
	const struct maui_node_note *v = &q->notes[index];

	return v->when == WHEN_ASKED ? free_from(q, q->alike[index].node) : v->when;
}

/* What keeps the job from the nodes' steps, those of now or later ones. *ret_later: not the first
 * step alone. */
static struct maui_node_note ask_steps(const struct question *q, const struct maui_alike *nodes,
				       bool *ret_later)
{
	const struct maui_timeline *t = &q->x->timeline;
	const struct maui_line *line = &t->lines[nodes->node];
	uint32_t class_index = t->class_of[nodes->node];
	struct maui_span span = maui_span_now(q->x, q->a->limit_s);
	int64_t room = q->shape->tasks;

	if (q->own_s < span.until)
		span.until = q->own_s;
	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t tasks;

		if (step->at >= span.until)
			break;
		if (maui_shape_tasks(q->shape, class_index, step->free) == 0)
			return taken(q, nodes, i == 0,
				     short_dimension(q->shape, class_index, step->free, NULL));
		tasks = maui_fit_step(t, q->shape, class_index, step, span);
		room = tasks < room ? tasks : room;
		if (tasks == 0)
			return (struct maui_node_note){ .reason = closed_reason(q, class_index,
										step, span),
							.when = q->x->now_s,
							.claims = step->claims,
							.dimension = -1 };
		*ret_later = true;
	}
	return (struct maui_node_note){ .when = q->x->now_s, .tasks = room, .dimension = -1 };
}

/* The answer that holds for all nodes of a node class: partition, features, configured
 * resources. */
static struct maui_node_note ask_class(const struct question *q, uint32_t class_index)
{
	const struct maui_snapshot *s = q->x->snapshot;
	const struct maui_node *node = &s->nodes[s->classes[class_index].sample];
	const struct maui_shape *shape = q->shape;
	struct maui_node_note v = { .when = MAUI_NEVER, .dimension = -1 };

	if (!lists(node->partitions, node->partition_count, shape->partition)) {
		v.reason = MAUI_REASON_NODE_PARTITION;
	} else if (!maui_features_match(shape->request->features, node->features)) {
		v.reason = MAUI_REASON_NODE_FEATURES;
	} else if (shape->needs[class_index].most < shape->least) {
		v.dimension =
			short_dimension(shape, class_index, node->have, shape->request->least);
		/* -1: EXACTPROC excludes the node */
		v.reason = v.dimension < 0 ? MAUI_REASON_NODE_PROCS :
					     shortage_of(shape, (unsigned)v.dimension);
	}
	return v;
}

/* Whether the job names nodes, or may run only inside some reservations. */
static bool selects_nodes(const struct maui_shape *shape)
{
	return !maui_shape_is_uniform(shape) || shape->request->only_claims ||
	       (shape->access && shape->access->only);
}

static struct maui_node_note ask_node(const struct question *q, const struct maui_alike *nodes,
				      bool *ret_later)
{
	const uint32_t index = nodes->node;
	const struct maui_node *node = &q->x->snapshot->nodes[index];
	const struct maui_node_note *class = &q->classes[node->class_index];
	struct maui_node_note v = { .when = MAUI_NEVER, .dimension = -1 };

	if (class->reason == MAUI_REASON_NODE_PARTITION)
		return *class;
	if (q->selects &&
	    (maui_shape_excludes(q->shape, index) || !maui_node_is_asked(q->x, q->shape, index))) {
		v.reason = MAUI_REASON_NODE_EXCLUDED;
		return v;
	}
	if (class->reason != MAUI_REASON_NONE)
		return *class;
	if (node->usable_from_s <= q->x->now_s)
		return ask_steps(q, nodes, ret_later);
	/* a node that still ends a job is busy, and not down */
	v.reason = node->state == MAUI_REASON_NONE ? MAUI_REASON_NODE_STATE : node->state;
	return v;
}

static bool can_serve(const struct maui_node_note *v)
{
	return v->reason == MAUI_REASON_NONE || v->reason == MAUI_REASON_NODE_BUSY ||
	       v->reason == MAUI_REASON_NODE_RESERVED || v->reason == MAUI_REASON_NODE_CLAIMED;
}

/* ---- how many nodes it needs ---- */

/* The next smaller number of tasks that some nodes take, and how many nodes take it; 0: none. */
static int64_t next_most(const struct maui_shape *shape, int64_t below, uint64_t *ret_nodes)
{
	const struct maui_snapshot *s = shape->snapshot;
	int64_t best = 0;

	for (uint32_t c = 0; c < s->class_count; c++) {
		int64_t most = shape->needs[c].most;

		if (most >= below || most < best || most == 0)
			continue;
		*ret_nodes = (most > best ? 0 : *ret_nodes) + s->classes[c].count;
		best = most;
	}
	return best;
}

uint32_t maui_shape_least_nodes(const struct maui_shape *shape)
{
	int64_t left = shape->tasks, most = INT64_MAX, last = 0;
	uint64_t sum = 0, nodes = 0;

	while (left > 0 && (most = next_most(shape, most, &nodes)) > 0) {
		int64_t used = left / most + (left % most > 0);

		last = last ? last : most;
		used = used < (int64_t)nodes ? used : (int64_t)nodes;
		sum += (uint64_t)used;
		left -= used * most < left ? used * most : left;
	}
	if (left > 0 && last > 0) /* more than the cluster has */
		sum += (uint64_t)(left / last + (left % last > 0));
	if (sum < shape->nodes_min || sum > UINT32_MAX)
		sum = shape->nodes_min;
	return (uint32_t)sum;
}

/* ---- whether reservations decide ---- */

/* Whether enough nodes serve the job at that moment, reservations included. */
static bool enough_at(const struct question *q, int64_t when)
{
	int64_t until_s = maui_when_add(when, q->a->limit_s);
	uint32_t nodes = 0, wanted = q->ret->wanted;

	for (uint32_t i = 0; nodes < wanted && i < q->note_count; i++)
		if (can_serve(&q->notes[i]) &&
		    maui_fit_tasks(&q->x->timeline, q->shape, q->alike[i].node, when, until_s) > 0)
			nodes += q->notes[i].count;
	return nodes >= wanted;
}

/* Whether reservations decide when the job starts: without them it would start earlier, and the end
 * of other jobs does not let it start. */
static bool reservations_decide(const struct question *q)
{
	uint32_t count = 0, shut = 0, wanted = q->ret->wanted;
	int64_t *free_s = q->x->moments, when;

	if (wanted == 0)
		return false;
	for (uint32_t i = 0; i < q->note_count; i++) {
		const struct maui_node_note *v = &q->notes[i];

		if (!can_serve(v))
			continue;
		when = free_moment(q, i);
		for (uint32_t k = 0; k < v->count; k++)
			free_s[count++] = when;
		if (v->reason == MAUI_REASON_NODE_CLAIMED &&
		    keeping_claims(q, q->alike[i].node, when))
			shut += v->count;
	}
	if (shut == 0 || count < wanted || count - shut >= wanted)
		return false;
	qsort(free_s, count, sizeof(*free_s), maui_sort_by_i64);
	when = free_s[wanted - 1];
	if (q->own_s != MAUI_NEVER)
		return when < q->own_s;
	return when == MAUI_NEVER || !enough_at(q, when);
}

/* ---- names ---- */

static bool has_name(const char *const *list, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

/* "maint, demo": the reservations that keep nodes from the job, in the order of the nodes; NULL:
 * none. */
static const char *name_reservations(const struct question *q)
{
	const struct maui_timeline *t = &q->x->timeline;
	const char *list[NAMES_MAX], *text;
	struct maui_strbuf names = { 0 };
	uint32_t count = 0;

	for (uint32_t n = 0; n < q->note_count && count < NAMES_MAX; n++) {
		const struct maui_node_note *v = &q->notes[n];
		const struct maui_span span = span_from(q, q->alike[n].node, v->when);
		const struct maui_claim_set *set;

		if (v->reason != MAUI_REASON_NODE_CLAIMED || !v->claims)
			continue;
		set = &t->claim_sets[v->claims - 1];
		for (uint32_t i = 0; i < set->count && count < NAMES_MAX; i++) {
			const char *name = t->claims[set->parts[i].claim]->name;

			if (keeps_out(q, &set->parts[i], span) && name &&
			    !has_name(list, count, name))
				list[count++] = name;
		}
	}
	for (uint32_t i = 0; i < count; i++)
		maui_strbuf_addf(&names, "%s%s", i ? ", " : "", list[i]);
	text = count > 0 && !names.failed ? maui_arena_strdup(&q->x->arena, names.text) : NULL;
	maui_strbuf_finish(&names);
	q->x->failed |= count > 0 && !text;
	return text;
}

/* The name of a dimension for users; NULL: processors, or not known. */
static const char *dimension_name(const struct question *q, int dimension)
{
	const struct maui_snapshot *s = q->x->snapshot;

	if (dimension < 0 || dimension == MAUI_AMOUNT_PROCS ||
	    (unsigned)dimension == q->shape->cap_amount)
		return NULL;
	if (dimension == MAUI_AMOUNT_MEM)
		return "MB of memory";
	if (dimension == MAUI_AMOUNT_DISK)
		return "MB of disk space";
	return s->amount_names ? s->amount_names[dimension] : NULL;
}

/* Sets the dimension that most of the busy nodes lack. */
static void note_scarce(const struct question *q)
{
	const struct maui_snapshot *s = q->x->snapshot;
	unsigned best = 0;

	for (unsigned d = 1; d < s->amount_count; d++)
		if (q->scarce[d] > q->scarce[best])
			best = d;
	if (q->scarce[best] == 0)
		return;
	q->ret->scarce = dimension_name(q, (int)best);
	for (uint32_t c = 0; c < s->class_count; c++)
		if (q->shape->needs[c].most >= q->shape->least) {
			q->ret->scarce_needed =
				maui_shape_amount(q->shape, c, q->shape->least, best);
			return;
		}
}

static void count_nodes(const struct question *q, const struct maui_node_note *v)
{
	q->ret->counts[v->reason] += v->count;
	if (v->reason == MAUI_REASON_NONE)
		q->ret->room += v->tasks * v->count;
	if (v->reason == MAUI_REASON_NODE_BUSY && v->dimension >= 0)
		q->scarce[v->dimension] += v->count;
	if (v->reason == MAUI_REASON_NODE_OTHER && !q->ret->missing_gres)
		q->ret->missing_gres = dimension_name(q, v->dimension);
}

/* The answer for nodes that are alike, which may be that for all of their kind. */
static struct maui_node_note ask_alike(const struct question *q, const struct maui_alike *nodes)
{
	struct maui_node_note *of_kind =
		nodes->kind == MAUI_ALIKE_NO_KIND ? NULL : &q->kinds[nodes->kind];
	struct maui_node_note note;
	bool later = false;

	if (of_kind && of_kind->count > 0) {
		note = *of_kind;
		note.count = nodes->count;
		return note;
	}
	note = ask_node(q, nodes, &later);
	note.count = nodes->count;
	if (of_kind && !later)
		*of_kind = note;
	return note;
}

/* Asks about all nodes. */
static void ask_all(struct question *q)
{
	for (uint32_t c = 0; c < q->x->snapshot->class_count; c++)
		q->classes[c] = ask_class(q, c);
	for (uint32_t i = 0; i < q->note_count; i++) {
		q->notes[i] = ask_alike(q, &q->alike[i]);
		count_nodes(q, &q->notes[i]);
	}
}

const struct maui_node_reasons *maui_explain_nodes(struct maui_explainer *x,
						   const struct maui_explained_job *a)
{
	const struct maui_snapshot *s = x->snapshot;
	struct question q = {
		.x = x, .a = a, .shape = &a->shape, .own_s = MAUI_NEVER, .notes = x->notes
	};

	q.ret = maui_arena_alloc(&x->arena, sizeof(*q.ret));
	q.scarce = maui_arena_alloc(&x->arena, s->amount_count * sizeof(*q.scarce));
	q.classes = maui_arena_alloc(&x->arena, (s->class_count + 1u) * sizeof(*q.classes));
	q.alike = maui_explain_alike(x, q.shape, &q.note_count);
	q.kinds = maui_arena_alloc_list(&x->arena, x->groups.kind_count, sizeof(*q.kinds));
	q.selects = selects_nodes(q.shape);
	if (!q.ret || !q.scarce || !q.classes || !q.alike || !q.kinds) {
		x->failed = true;
		return NULL;
	}
	if (a->planned->reserved && a->verdict->estimate_s > x->now_s)
		q.own_s = a->verdict->estimate_s;
	ask_all(&q);
	q.ret->wanted = maui_shape_least_nodes(q.shape);
	q.ret->tasks = q.shape->tasks;
	q.ret->procs_per_task = q.shape->request->procs_per_task;
	q.ret->whole = q.shape->whole_nodes;
	q.ret->bound = maui_alloc_is_bound(q.shape);
	q.ret->contiguous = q.shape->request->contiguous;
	q.ret->in_set = q.shape->in_set;
	q.ret->asks_slurm = q.shape->request->asks_slurm;
	q.ret->switches_max = q.ret->bound ? q.shape->request->switches_max : 0;
	if (q.ret->counts[MAUI_REASON_NODE_FEATURES] > 0)
		q.ret->features = q.shape->request->features;
	note_scarce(&q);
	if (q.ret->counts[MAUI_REASON_NODE_CLAIMED] > 0) {
		q.ret->reserved_by = name_reservations(&q);
		q.ret->reservations_decide = q.ret->reserved_by && reservations_decide(&q);
		if (x->hides_reservations)
			q.ret->reserved_by = NULL;
	}
	return q.ret;
}

void maui_serving_nodes(struct maui_explainer *x, const struct maui_explained_job *a, bool *ret)
{
	const struct maui_snapshot *s = x->snapshot;
	struct question q = { .x = x, .a = a, .shape = &a->shape, .own_s = MAUI_NEVER };

	q.selects = selects_nodes(q.shape);
	q.classes = maui_arena_alloc(&x->arena, (s->class_count + 1u) * sizeof(*q.classes));
	if (!q.classes) {
		x->failed = true;
		return;
	}
	for (uint32_t c = 0; c < s->class_count; c++)
		q.classes[c] = ask_class(&q, c);
	for (uint32_t n = 0; n < s->node_count; n++)
		ret[n] = q.classes[s->nodes[n].class_index].reason == MAUI_REASON_NONE &&
			 (!q.selects ||
			  (!maui_shape_excludes(q.shape, n) && maui_node_is_asked(x, q.shape, n)));
}

/* The first cluster-wide amount of which there is too little at some moment of the job's run. */
const struct maui_licence_shortage *maui_explain_licence(struct maui_explainer *x,
							 const struct maui_explained_job *a)
{
	const struct maui_snapshot *s = x->snapshot;
	const int64_t *wants = a->shape.request->global;
	const struct maui_span span = maui_span_now(x, a->limit_s);
	const struct maui_global_claim *claim =
		maui_fit_blocking_global_claim(&x->timeline, &a->shape, span);
	struct maui_licence_shortage *ret = maui_arena_alloc(&x->arena, sizeof(*ret));
	const struct maui_step *now;

	x->failed |= !ret;
	if (!ret || !wants || !x->timeline.has_global)
		return ret;
	ret->reserved_by = !claim ? NULL : x->hides_reservations ? "" : claim->name;
	now = maui_line_step(&x->timeline, &x->timeline.lines[x->timeline.node_count], 0);
	for (unsigned d = 0; d < s->amount_count; d++) {
		if (wants[d] == 0 || wants[d] <= now->free[d])
			continue;
		ret->name = s->amount_names ? s->amount_names[d] : NULL;
		ret->needed = wants[d];
		ret->free = now->free[d] > 0 ? now->free[d] : 0;
		return ret;
	}
	return ret;
}
