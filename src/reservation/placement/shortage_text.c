/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shortage_text.c - the sentence about missing tasks for showres, diagnose -r and slurmctld's log
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/words.h"
#include "reservation/placement/private.h"
#include "reservation/placement/shortage.h"

bool maui_standing_has_partition(const struct maui_snapshot *s, const struct maui_rsv *rsv)
{
	return !rsv->partition || maui_snapshot_find_partition(s, rsv->partition) >= 0;
}

/* Names the property that the reservation asks for and no node has. */
static void put_no_node(struct maui_strbuf *out, const struct maui_snapshot *s,
			const struct maui_rsv *rsv, const struct maui_standing_target *target)
{
	const char *before = "no node";

	if (!maui_standing_has_partition(s, rsv)) {
		maui_strbuf_addf(out, "there is no partition %.80s", rsv->partition);
		return;
	}
	if (target->list && (rsv->task_count == 0 || target->list->none_exists)) {
		maui_strbuf_addf(out, "%s is named or matches '%.200s'", before, rsv->hosts);
		before = " and";
	}
	for (size_t i = 0; i < rsv->features.count; i++) {
		maui_strbuf_addf(out, "%s has the feature %.80s", before, rsv->features.list[i]);
		before = " and";
	}
	if (rsv->partition) {
		maui_strbuf_addf(out, "%s is in partition %.80s", before, rsv->partition);
		before = " and";
	}
	if (strcmp(before, "no node") == 0)
		maui_strbuf_addf(out, "there are no nodes");
}

static void put_instance(struct maui_strbuf *out, const struct maui_rsv *rsv,
			 const struct maui_rsv_instance *instance)
{
	struct maui_arena arena = { 0 };
	const char *name = maui_rsv_ordinal_name(rsv, instance->ordinal, &arena);

	maui_strbuf_addf(out, "reservation %s holds", name ? name : rsv->name);
	maui_arena_finish(&arena);
}

static void put_what(struct maui_strbuf *out, const struct maui_snapshot *s,
		     const struct maui_standing_input *input, const struct maui_rsv_instance *list,
		     const struct maui_holder *holder)
{
	uint32_t index = holder->index;

	switch (holder->kind) {
	case MAUI_HOLDER_JOB:
		maui_strbuf_addf(out, "job %" PRIu64 " holds", s->active[index].id);
		break;
	case MAUI_HOLDER_JOB_RSV:
		maui_strbuf_addf(out, "waiting job %" PRIu64 " has reserved",
				 input->job_rsvs[index].job);
		break;
	case MAUI_HOLDER_INSTANCE:
		put_instance(out, input->list[list[index].rsv], &list[index]);
		break;
	case MAUI_HOLDER_CLAIM:
		maui_strbuf_addf(out, "Slurm's reservation %s holds",
				 s->claims[index].name ? s->claims[index].name : "");
		break;
	case MAUI_HOLDER_DOWN:
		maui_strbuf_addf(out, "not usable:");
		break;
	case MAUI_HOLDER_SMALL:
		maui_strbuf_addf(out, "too small:");
		break;
	case MAUI_HOLDER_DEPTH:
		maui_strbuf_addf(out, "full by RESDEPTH:");
		break;
	case MAUI_HOLDER_NO_NODE:
		put_no_node(out, s, input->list[list[index].rsv],
			    &input->targets->list[list[index].rsv]);
		break;
	case MAUI_HOLDER_CAPACITY:
		maui_strbuf_addf(out, "there is room for %" PRId64 " in all", holder->tasks);
		break;
	}
}

static void put_holder(struct maui_strbuf *out, const struct maui_snapshot *s,
		       const struct maui_standing_input *input,
		       const struct maui_rsv_instance *list, const struct maui_holder *holder)
{
	const char *name = s->node_count ? s->nodes[holder->node].name : NULL;

	put_what(out, s, input, list, holder);
	if (holder->nodes == 0)
		return;
	if (holder->nodes == 1)
		maui_strbuf_addf(out, " %s", name ? name : "a node");
	else
		maui_strbuf_addf(out, " %" PRIu32 " nodes (%s, ...)", holder->nodes,
				 name ? name : "");
}

static void put_holders(struct maui_strbuf *out, const struct maui_snapshot *s,
			const struct maui_standing_input *input,
			const struct maui_rsv_instance *list, const struct maui_holder *holders,
			uint32_t count, uint32_t most)
{
	for (uint32_t i = 0; i < count && i < most; i++) {
		maui_strbuf_addf(out, i ? ", " : ": ");
		put_holder(out, s, input, list, &holders[i]);
	}
	if (count > most)
		maui_strbuf_addf(out, ", and %" PRIu32 " more", count - most);
}

/* With a greater DEPTH the reservation is planned earlier and has its nodes before jobs start
 * there. This does not help where another reservation holds the nodes as well. */
static bool depth_helps(const struct maui_rsv *rsv, const struct maui_holder *holders,
			uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (holders[i].kind <= MAUI_HOLDER_JOB_RSV && holders[i].unreserved > 0)
			return rsv->period <= MAUI_RSV_WEEK;
	return false;
}

static void put_missing(struct maui_strbuf *out, const struct maui_rsv_instance *mine)
{
	if (mine->wanted > 0)
		maui_strbuf_addf(out, "%" PRId64 " of %" PRId64 " task%s missing", mine->missing,
				 mine->wanted, maui_plural(mine->wanted));
	else
		maui_strbuf_addf(out, "%" PRId64 " of its hosts missing", mine->missing);
}

static const char *finish_text(struct maui_strbuf *out, struct maui_arena *arena)
{
	const char *text = out->failed ? NULL : maui_arena_strdup(arena, out->text);

	maui_strbuf_finish(out);
	return text;
}

const char *maui_standing_explain(const struct maui_snapshot *snapshot,
				  const struct maui_standing_input *input,
				  const struct maui_rsv_instance *list, uint32_t count,
				  uint32_t instance, int64_t now_s, uint32_t most,
				  struct maui_arena *arena)
{
	const struct maui_rsv_instance *mine = &list[instance];
	const struct maui_rsv *rsv = input->list[mine->rsv];
	struct maui_strbuf out = { 0 };
	struct maui_holder *holders;
	uint32_t holder_count;

	if (maui_standing_holders(snapshot, input, list, count, instance, now_s, arena, &holders,
				  &holder_count))
		return NULL;
	if (!maui_standing_has_partition(snapshot, rsv)) {
		/* the hosts are not what is missing */
		maui_strbuf_addf(&out, "there is no partition %.80s", rsv->partition);
		return finish_text(&out, arena);
	}
	put_missing(&out, mine);
	put_holders(&out, snapshot, input, list, holders, holder_count, most);
	if (depth_helps(rsv, holders, holder_count))
		maui_strbuf_addf(&out, "; raise DEPTH of SRCFG[%s] to have nodes before jobs do",
				 rsv->name);
	return finish_text(&out, arena);
}

/* ---- all instances ---- */

struct partial {
	int64_t start_s;
	uint32_t index;
};

static int by_start(const void *a, const void *b)
{
	const struct partial *one = a, *two = b;

	if (one->start_s != two->start_s)
		return one->start_s < two->start_s ? -1 : 1;
	return (one->index > two->index) - (one->index < two->index);
}

/* The instances with missing tasks, ascending by start. */
static struct partial *list_partial(const struct maui_rsv_instance *list, uint32_t count,
				    struct maui_arena *scratch, uint32_t *ret_count)
{
	struct partial *partial = maui_arena_alloc(scratch, (count + 1u) * sizeof(*partial));

	*ret_count = 0;
	for (uint32_t i = 0; partial && i < count; i++)
		if (list[i].missing > 0)
			partial[(*ret_count)++] = (struct partial){ list[i].start_s, i };
	if (partial && *ret_count > 1)
		qsort(partial, *ret_count, sizeof(*partial), by_start);
	return partial;
}

static const char *count_missing(const struct maui_rsv_instance *mine, struct maui_arena *arena)
{
	struct maui_strbuf out = { 0 };

	put_missing(&out, mine);
	return finish_text(&out, arena);
}

const char **maui_standing_explain_all(const struct maui_snapshot *snapshot,
				       const struct maui_standing_input *input,
				       const struct maui_rsv_instance *list, uint32_t count,
				       int64_t now_s, uint32_t most, struct maui_arena *arena)
{
	const char **texts = maui_arena_alloc(arena, (count + 1u) * sizeof(*texts));
	struct maui_arena scratch = { 0 }, each = { 0 };
	uint32_t partial_count;
	struct partial *partial = list_partial(list, count, &scratch, &partial_count);
	bool failed = !texts || !partial;

	for (uint32_t i = 0; !failed && i < partial_count; i++) {
		uint32_t k = partial[i].index;

		if (i < MAUI_STANDING_EXPLAINED)
			texts[k] = maui_arena_strdup(
				arena, maui_standing_explain(snapshot, input, list, count, k, now_s,
							     most, &each));
		else
			texts[k] = count_missing(&list[k], arena);
		failed = !texts[k];
		maui_arena_clear(&each);
	}
	maui_arena_finish(&each);
	maui_arena_finish(&scratch);
	return failed ? NULL : texts;
}
