/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_preemptions.c - refusals in a list, at most MOST of them */

#include "cycle/refused_preemptions.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sort.h"
#include "base/hashtable.h"

enum {
	MOST = 256,          /* stored refusals; a new one replaces the oldest */
	STAYERS_MOST = 1000, /* of one refusal; the end of a further job is not noticed */
	ASKED_S = 300,       /* Slurm said no beforehand: the next question costs no job anything */
	IN_VAIN_S = 3600,    /* the victims had gone: a further try may cost them again */
};

static void finish_refusal(struct maui_refused_preemption *refusal)
{
	free(refusal->nodes);
	free(refusal->stayers);
}

static void drop_refusal(struct maui_refused_preemptions *refused, size_t index)
{
	finish_refusal(&refused->list[index]);
	refused->count--;
	memmove(&refused->list[index], &refused->list[index + 1],
		(refused->count - index) * sizeof(*refused->list));
}

void maui_refused_preemptions_finish(struct maui_refused_preemptions *refused)
{
	while (refused->count > 0)
		drop_refusal(refused, refused->count - 1);
	free(refused->list);
	*refused = (struct maui_refused_preemptions){ 0 };
}

/* ---- a new refusal ---- */

static bool is_on_node(const struct maui_active *active, const struct maui_refused_victims *victims)
{
	for (uint32_t i = 0; i < active->piece_count; i++)
		for (uint32_t n = 0; n < victims->node_count; n++)
			if (active->pieces[i].node == victims->nodes[n])
				return true;
	return false;
}

/* The jobs on the nodes that were not to go. -1 without memory. */
static int list_stayers(const struct maui_snapshot *s, const struct maui_refused_victims *victims,
			struct maui_refused_preemption *refusal)
{
	refusal->stayers = calloc(STAYERS_MOST, sizeof(*refusal->stayers));
	if (!refusal->stayers)
		return -1;
	for (uint32_t a = 0; a < s->active_count && refusal->stayer_count < STAYERS_MOST; a++)
		if (!(victims->is_leaving && victims->is_leaving[a]) &&
		    is_on_node(&s->active[a], victims))
			refusal->stayers[refusal->stayer_count++] =
				(struct maui_stayer){ s->active[a].id, s->active[a].start_s };
	return 0;
}

static int make_refusal(const struct maui_answers_view *view,
			const struct maui_refused_victims *victims,
			struct maui_refused_preemption *ret)
{
	*ret = (struct maui_refused_preemption){
		.fingerprint = view->waiting[victims->job].fingerprint,
		.nodes = calloc(victims->node_count + 1u, sizeof(*ret->nodes)),
		.node_count = victims->node_count,
		.until_s = view->now_s + (victims->is_leaving ? ASKED_S : IN_VAIN_S),
	};
	if (!ret->nodes || list_stayers(view->snapshot, victims, ret)) {
		finish_refusal(ret);
		return -1;
	}
	for (uint32_t i = 0; i < ret->node_count; i++)
		ret->nodes[i] = view->snapshot->nodes[victims->nodes[i]].id;
	return 0;
}

static bool is_same(const struct maui_refused_preemption *one,
		    const struct maui_refused_preemption *other)
{
	return one->fingerprint == other->fingerprint && one->node_count == other->node_count &&
	       memcmp(one->nodes, other->nodes, one->node_count * sizeof(*one->nodes)) == 0;
}

/* The refusal that the new one replaces: the one of the same nodes, or the oldest of a full
 * list. */
static void make_place(struct maui_refused_preemptions *refused,
		       const struct maui_refused_preemption *refusal)
{
	size_t oldest = 0;

	for (size_t i = 0; i < refused->count; i++) {
		if (is_same(&refused->list[i], refusal)) {
			drop_refusal(refused, i);
			return;
		}
		if (refused->list[i].serial < refused->list[oldest].serial)
			oldest = i;
	}
	if (refused->count >= MOST)
		drop_refusal(refused, oldest);
}

int maui_refused_preemptions_add(struct maui_refused_preemptions *refused,
				 const struct maui_answers_view *view,
				 const struct maui_refused_victims *victims)
{
	struct maui_refused_preemption refusal, *grown;

	if (make_refusal(view, victims, &refusal))
		return -1;
	make_place(refused, &refusal);
	grown = maui_array_grow(refused->list, refused->count, &refused->alloc, sizeof(*grown));
	if (!grown) {
		finish_refusal(&refusal);
		return -1;
	}
	refused->list = grown;
	refusal.serial = ++refused->serial;
	grown[refused->count++] = refusal;
	return 0;
}

/* ---- refusals of earlier cycles ---- */

static bool is_still_active(const struct maui_hashtable *by_id, const struct maui_stayer *stayer)
{
	const struct maui_active *active = maui_hashtable_find_id(by_id, (uint32_t)stayer->id);

	return active && active->start_s == stayer->start_s;
}

static bool is_over(const struct maui_refused_preemption *refusal,
		    const struct maui_hashtable *by_id, int64_t now_s)
{
	if (refusal->until_s <= now_s ||
	    refusal->until_s > now_s + IN_VAIN_S) /* the clock was set back */
		return true;
	for (uint32_t i = 0; i < refusal->stayer_count; i++)
		if (!is_still_active(by_id, &refusal->stayers[i]))
			return true;
	return false;
}

void maui_refused_preemptions_review(struct maui_refused_preemptions *refused,
				     const struct maui_answers_view *view)
{
	struct maui_snapshot *s = view->snapshot;
	struct maui_hashtable by_id = { 0 };
	bool known = refused->table == view->table;

	for (uint32_t a = 0; known && refused->count > 0 && a < s->active_count; a++)
		known = maui_hashtable_set_id(&by_id, (uint32_t)s->active[a].id, &s->active[a]) ==
			0;
	for (size_t i = refused->count; i-- > 0;)
		if (!known || is_over(&refused->list[i], &by_id, view->now_s))
			drop_refusal(refused, i);
	maui_hashtable_finish(&by_id);
	refused->table = view->table;
}

/* The nodes that jobs of this fingerprint spare, ascending. NULL: none, or no memory. */
static uint32_t *list_spared(const struct maui_refused_preemptions *refused,
			     const struct maui_answers_view *view, uint64_t fingerprint,
			     uint32_t *ret_count)
{
	uint32_t *list = NULL;
	uint32_t all = 0, count = 0;

	for (size_t i = 0; i < refused->count; i++)
		if (refused->list[i].fingerprint == fingerprint)
			all += refused->list[i].node_count;
	if (all > 0)
		list = maui_arena_alloc(view->arena, all * sizeof(*list));
	all = 0;
	for (size_t i = 0; list && i < refused->count; i++) {
		const struct maui_refused_preemption *refusal = &refused->list[i];

		for (uint32_t n = 0; refusal->fingerprint == fingerprint && n < refusal->node_count;
		     n++) {
			int64_t node = maui_snapshot_find_node(view->snapshot, refusal->nodes[n]);

			if (node >= 0)
				list[all++] = (uint32_t)node;
		}
	}
	if (all > 1)
		qsort(list, all, sizeof(*list), maui_sort_by_u32);
	for (uint32_t i = 0; i < all; i++)
		if (i == 0 || list[i] != list[i - 1])
			list[count++] = list[i];
	*ret_count = count;
	return count > 0 ? list : NULL;
}

/* All waiting jobs of one fingerprint share one list. Without memory such a job may preempt there
 * once more: Slurm is asked again. */
static void spare_for_alike(struct maui_refused_preemptions *refused,
			    const struct maui_answers_view *view, uint64_t fingerprint)
{
	struct maui_snapshot *s = view->snapshot;
	const struct maui_idle *first = NULL;
	uint32_t count, *list = list_spared(refused, view, fingerprint, &count);

	for (uint32_t i = 0; list && i < s->idle_count; i++) {
		if (view->waiting[i].fingerprint != fingerprint)
			continue;
		if (first) {
			s->idle[i].spared = first->spared;
			s->idle[i].spared_count = first->spared_count;
		} else if (maui_snapshot_spare(s, i, list, count) == 0) {
			first = &s->idle[i];
		} else {
			return;
		}
	}
}

/* Whether an earlier refusal of the list has the fingerprint of this one. */
static bool is_known(const struct maui_refused_preemptions *refused, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (refused->list[i].fingerprint == refused->list[index].fingerprint)
			return true;
	return false;
}

void maui_refused_preemptions_apply(struct maui_refused_preemptions *refused,
				    const struct maui_answers_view *view)
{
	for (size_t i = 0; i < refused->count; i++)
		if (!is_known(refused, i))
			spare_for_alike(refused, view, refused->list[i].fingerprint);
}
