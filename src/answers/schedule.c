/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.c - collects the items of a schedule and their boxes, node by node
 *
 * Jobs and reservations come from the document's rows, which have the rights of users. Starts,
 * Slurm's reservations, backfill windows and nodes that are down come from the finished plan.
 */

#include "answers/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/find_job.h"
#include "answers/rsv_walk.h"
#include "plan/finished.h"

struct draft {
	struct maui_schedule *schedule;
	const struct maui_document *document;
	const struct maui_plan *plan; /* NULL: none */
	uid_t uid;
};

/* ---- the document's rows ---- */

static enum maui_schedule_kind kind_of(const struct maui_document_rsv *row)
{
	switch (row->type) {
	case MAUI_DOCUMENT_SYSTEM:
		return MAUI_SCHEDULE_SYSTEM;
	case MAUI_DOCUMENT_USER:
		return MAUI_SCHEDULE_USER;
	case MAUI_DOCUMENT_STANDING:
		return MAUI_SCHEDULE_STANDING;
	case MAUI_DOCUMENT_SLURM:
		return MAUI_SCHEDULE_SLURM;
	default:
		return row->state == MAUI_JOB_IDLE      ? MAUI_SCHEDULE_RESERVED :
		       row->state == MAUI_JOB_SUSPENDED ? MAUI_SCHEDULE_SUSPENDED :
		       row->state == MAUI_JOB_STARTING  ? MAUI_SCHEDULE_STARTING :
							  MAUI_SCHEDULE_RUNNING;
	}
}

static void add_row(struct draft *d, const struct maui_document_rsv *row)
{
	int64_t now_s = d->schedule->now_s;
	bool is_job = row->type == MAUI_DOCUMENT_JOB;
	bool active = is_job && row->state != MAUI_JOB_IDLE;
	uint32_t item = maui_schedule_add_item(
		d->schedule,
		&(struct maui_schedule_item){
			.kind = kind_of(row),
			.id = is_job || !row->stable ? row->name : row->stable,
			.user = row->cred[MAUI_CRED_USER],
			.account = row->cred[MAUI_CRED_ACCOUNT],
			.start_s = row->start_s,
			/* a job over its limit runs still */
			.end_s = active && row->end_s <= now_s ? now_s + 1 : row->end_s,
			.nodes = row->node_count,
			.procs = row->procs });

	for (uint32_t i = 0; i < row->node_count; i++)
		maui_schedule_add_box(d->schedule, item, row->nodes[i].node);
}

/* ---- the plan ---- */

static const char *keep_text(struct draft *d, const char *text)
{
	const char *copy = maui_arena_strdup(d->schedule->arena, text);

	d->schedule->failed |= !copy;
	return copy;
}

static const char *number_text(struct draft *d, const char *prefix, uint64_t number)
{
	char text[48];

	snprintf(text, sizeof(text), "%s%" PRIu64, prefix, number);
	return keep_text(d, text);
}

static void add_start(struct draft *d, const struct maui_start *start)
{
	const struct maui_snapshot *s = d->plan->snapshot;
	const struct maui_idle *job = &s->idle[start->job];
	const struct maui_credentials *creds = &s->creds[job->rows[start->row].creds];
	int64_t now_s = d->plan->now_s;
	char label[MAUI_JOB_LABEL_SIZE];
	uint32_t item;

	if (!maui_document_shows_idle(d->document, start->job, d->uid))
		return;
	maui_waiting_part_label(d->document, start->job, 1, label);
	item = maui_schedule_add_item(
		d->schedule,
		&(struct maui_schedule_item){ .kind = MAUI_SCHEDULE_STARTING,
					      .id = keep_text(d, label),
					      .user = creds->cred[MAUI_CRED_USER],
					      .account = creds->cred[MAUI_CRED_ACCOUNT],
					      .start_s = now_s,
					      .end_s = maui_when_add(now_s, start->limit_s),
					      .nodes = start->place_count,
					      .procs = start->procs });
	for (uint32_t i = 0; i < start->place_count; i++)
		maui_schedule_add_box(d->schedule, item, start->places[i].node);
}

/* Until when BFCHUNKSIZE keeps idle processors of each partition from smaller jobs; 0: it does
 * not. NULL without memory. */
static int64_t *held_partitions(struct draft *d)
{
	const struct maui_snapshot *s = d->plan->snapshot;
	int64_t *held =
		maui_arena_alloc(d->schedule->arena, (s->partition_count + 1) * sizeof(*held));

	for (uint32_t i = 0; held && i < s->idle_count; i++) {
		const struct maui_block *block = d->plan->decisions.verdicts[i].blocks;

		for (; block; block = block->next)
			if (block->reason == MAUI_REASON_CHUNKING && block->until_s != MAUI_NEVER)
				held[maui_plan_row(d->plan, i)->partition] = block->until_s;
	}
	d->schedule->failed |= !held;
	return held;
}

static int64_t held_until(const struct maui_node *node, const int64_t *held)
{
	int64_t until_s = 0;

	for (uint32_t i = 0; i < node->partition_count; i++)
		if (held[node->partitions[i]] > until_s)
			until_s = held[node->partitions[i]];
	return until_s;
}

/* Processors of the node that are free now for jobs that no reservation admits, and until when. */
static int64_t free_now(struct maui_timeline *t, uint32_t node, int64_t *ret_until_s)
{
	const struct maui_line *line = &t->lines[node];
	int64_t procs = 0;

	*ret_until_s = MAUI_NEVER;
	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		const int64_t *gives = maui_timeline_capacity(t, step, NULL, MAUI_SPAN_NONE);
		int64_t now = gives ? gives[MAUI_AMOUNT_PROCS] : 0;

		if (i == 0)
			procs = now;
		if (procs <= 0)
			return 0;
		if (now < procs) {
			*ret_until_s = step->at;
			break;
		}
	}
	/* a Slurm reservation of some processors matters to jobs that overlap it */
	return maui_timeline_procs(t, node, t->now, *ret_until_s, NULL);
}

/* A node that is down, free, or held for larger jobs, until a moment. */
struct idle_node {
	enum maui_schedule_kind kind;
	uint32_t node;
	int64_t until_s, procs;
};

static int compare_idle(const void *a, const void *b)
{
	const struct idle_node *one = a, *two = b;

	if (one->kind != two->kind)
		return one->kind < two->kind ? -1 : 1;
	if (one->until_s != two->until_s)
		return one->until_s < two->until_s ? -1 : 1;
	return (one->node > two->node) - (one->node < two->node);
}

/* Fills in the nodes that do nothing now; returns how many these are. */
static uint32_t list_idle(struct draft *d, struct maui_timeline *t, const int64_t *held,
			  struct idle_node *list)
{
	const struct maui_snapshot *s = d->plan->snapshot;
	int64_t now_s = d->schedule->now_s;
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->node_count; i++) {
		const struct maui_node *node = &s->nodes[i];
		struct idle_node idle = { MAUI_SCHEDULE_FREE, i, node->usable_from_s, 0 };
		int64_t held_s = held_until(node, held);

		if (node->usable_from_s > now_s)
			idle.kind = MAUI_SCHEDULE_DOWN;
		else if ((idle.procs = free_now(t, i, &idle.until_s)) <= 0)
			continue;
		else if (held_s > now_s)
			idle = (struct idle_node){ MAUI_SCHEDULE_HELD, i,
						   held_s < idle.until_s ? held_s : idle.until_s,
						   idle.procs };
		list[count++] = idle;
	}
	return count;
}

/* An item for all nodes with the same end. */
static void add_idle_items(struct draft *d, const struct idle_node *list, uint32_t count)
{
	static const char *const prefixes[MAUI_SCHEDULE_KIND_COUNT] = {
		[MAUI_SCHEDULE_DOWN] = "down",
		[MAUI_SCHEDULE_HELD] = "held",
		[MAUI_SCHEDULE_FREE] = "window",
	};
	uint32_t item = UINT32_MAX, number = 0;

	for (uint32_t i = 0; i < count && !d->schedule->failed; i++) {
		const struct idle_node *idle = &list[i];

		if (i == 0 || list[i - 1].kind != idle->kind ||
		    list[i - 1].until_s != idle->until_s) {
			number = i > 0 && list[i - 1].kind == idle->kind ? number + 1 : 1;
			item = maui_schedule_add_item(
				d->schedule,
				&(struct maui_schedule_item){
					.kind = idle->kind,
					.id = number_text(d, prefixes[idle->kind], number),
					.start_s = d->schedule->now_s,
					.end_s = idle->until_s });
		}
		if (item == UINT32_MAX)
			continue;
		d->schedule->items[item].nodes++;
		d->schedule->items[item].procs += idle->procs;
		maui_schedule_add_box(d->schedule, item, idle->node);
	}
}

static void add_idle_nodes(struct draft *d)
{
	uint32_t count = d->schedule->node_count;
	struct idle_node *list = maui_arena_alloc(d->schedule->arena, (count + 1) * sizeof(*list));
	int64_t *held = held_partitions(d);
	struct maui_timeline view;

	if (!list || !held || maui_timeline_view(&d->plan->timeline, &view)) {
		d->schedule->failed = true;
		return;
	}
	count = list_idle(d, &view, held, list);
	maui_timeline_finish(&view);
	if (count > 1)
		qsort(list, count, sizeof(*list), compare_idle);
	add_idle_items(d, list, count);
}

static void add_plan(struct draft *d)
{
	for (uint32_t i = 0; i < d->plan->decisions.start_count; i++)
		add_start(d, &d->plan->decisions.starts[i]);
	add_idle_nodes(d);
}

/* The classes of the nodes; NULL: not known. */
static const uint32_t *classes_of(struct draft *d)
{
	uint32_t *classes;

	if (!d->plan)
		return NULL;
	classes = maui_arena_alloc(d->schedule->arena,
				   (d->schedule->node_count + 1) * sizeof(*classes));
	for (uint32_t i = 0; classes && i < d->schedule->node_count; i++)
		classes[i] = d->plan->snapshot->nodes[i].class_index;
	d->schedule->failed |= !classes;
	return classes;
}

int maui_schedule_make(const struct maui_question *q, int64_t horizon_s, struct maui_schedule *ret)
{
	const struct maui_document *p = q->document;
	struct draft d = { .schedule = ret, .document = p, .uid = q->uid };
	struct maui_rsv_walk walk = { .document = p, .uid = q->uid };
	const struct maui_document_rsv *row;

	/* the document may be older than its plan by a change of the nodes */
	if (p->plan && p->plan->snapshot->node_count == p->node_count)
		d.plan = p->plan;
	maui_schedule_begin(ret, q->arena, p->now_s, horizon_s, (const char *const *)p->nodes,
			    p->node_count);
	while (!ret->failed && (row = maui_rsv_walk_next(&walk)))
		add_row(&d, row);
	ret->failed |= walk.failed;
	maui_rsv_walk_finish(&walk);
	if (d.plan && !ret->failed)
		add_plan(&d);
	return maui_schedule_end(ret, classes_of(&d));
}
