/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - answers "snapshot": the last plan and what it leaves for the next one
 *
 * What PrivateData hides from the asker is there without names, because the plan would be wrong
 * without it; `complete` is then false.
 *
 * Rules: CMD-35.
 */

#include "answers/answer.h"

#include <stdlib.h>
#include <string.h>

#include "answers/anonymous.h"
#include "base/hashtable.h"
#include "base/limits.h"
#include "plan/finished.h"
#include "verbs/snapshot.h"

enum { REST_OF_ANSWER = 65536 }; /* bytes: everything but the saved plan */

/* One answer that is being made. */
struct making {
	const struct maui_document *p;
	struct maui_snapshot snapshot; /* shares with the plan's what is not changed */
	struct maui_saved_plan saved;
	uint32_t *idle_of;  /* index in the plan's snapshot of each idle job that is left */
	uint32_t *place_of; /* and the way back; UINT32_MAX: it has started since, or ended */
	struct maui_arena *arena;
};

/* ---- jobs ---- */

static void *copy(struct making *m, const void *from, size_t size)
{
	void *to = maui_arena_alloc(m->arena, size + 1);

	return to && size > 0 ? memcpy(to, from, size) : to;
}

static struct maui_saved_waiting describe_waiting(const struct maui_document_idle *idle)
{
	return (struct maui_saved_waiting){ .array_job = idle->array_job_id,
					    .array_task = idle->array_task,
					    .first_task = idle->first_task,
					    .last_task = idle->last_task,
					    .count = idle->waiting,
					    .conditions = idle->conditions };
}

/* Waiting jobs without those that have started, with the counts that the plan left them. */
static int take_idle(struct making *m)
{
	const struct maui_plan *plan = m->p->plan;
	uint32_t count = plan->snapshot->idle_count;
	struct maui_idle *idle = maui_arena_alloc(m->arena, (count + 1u) * sizeof(*idle));
	struct maui_saved_waiting *saved =
		maui_arena_alloc(m->arena, (count + 1u) * sizeof(*saved));

	m->saved.waiting = saved;
	m->idle_of = maui_arena_alloc(m->arena, (count + 1u) * sizeof(*m->idle_of));
	m->place_of = maui_arena_alloc(m->arena, (count + 1u) * sizeof(*m->place_of));
	m->snapshot.idle = idle;
	m->snapshot.idle_count = 0;
	if (!idle || !saved || !m->idle_of || !m->place_of)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		const struct maui_idle *from = &plan->snapshot->idle[i];
		uint32_t waiting = m->p->idle[i].waiting, at = m->snapshot.idle_count;

		m->place_of[i] = UINT32_MAX;
		if (waiting == 0 || from->copies == 0)
			continue;
		idle[at] = *from;
		if (idle[at].copies > waiting)
			idle[at].copies = waiting;
		saved[at] = describe_waiting(&m->p->idle[i]);
		idle[at].job.bypass += plan->decisions.verdicts[i].bypass;
		m->idle_of[at] = i;
		m->place_of[i] = at;
		m->snapshot.idle_count++;
	}
	return 0;
}

/* Of active jobs: the tasks that they are. */
static int take_running(struct making *m)
{
	uint32_t count = m->snapshot.active_count;
	struct maui_saved_running *list = maui_arena_alloc(m->arena, (count + 1u) * sizeof(*list));
	struct maui_hashtable rows = { 0 };
	int rc = list ? maui_document_index_jobs(m->p, &rows) : -1;

	for (uint32_t i = 0; rc == 0 && i < count; i++) {
		const struct maui_document_rsv *row =
			maui_hashtable_find_id(&rows, (uint32_t)m->snapshot.active[i].id);

		list[i].array_task = MAUI_NO_TASK;
		if (row && row->array_job_id)
			list[i] = (struct maui_saved_running){ row->array_job_id, row->array_task };
	}
	maui_hashtable_finish(&rows);
	m->saved.running = list;
	return rc;
}

static int take_active(struct making *m)
{
	const struct maui_plan *plan = m->p->plan;
	uint32_t count = plan->snapshot->active_count;

	m->snapshot.active = copy(m, plan->snapshot->active, count * sizeof(*m->snapshot.active));
	if (!m->snapshot.active)
		return -1;
	for (uint32_t i = 0; i < plan->decisions.secured_count; i++)
		m->snapshot.active[plan->decisions.secured[i]].preemptee = false;
	return take_running(m);
}

static const struct maui_rsv_place *take_places(struct making *m, const struct maui_place *from,
						uint32_t count)
{
	struct maui_rsv_place *places = maui_arena_alloc(m->arena, (count + 1u) * sizeof(*places));

	for (uint32_t i = 0; places && i < count; i++)
		places[i] = (struct maui_rsv_place){ from[i].node, from[i].tasks };
	return places;
}

static int take_job_rsvs(struct making *m)
{
	const struct maui_decisions *d = &m->p->plan->decisions;
	struct maui_saved_job_rsv *list =
		maui_arena_alloc(m->arena, (d->reservation_count + 1u) * sizeof(*list));

	m->saved.job_rsvs = list;
	for (uint32_t i = 0; list && i < d->reservation_count; i++) {
		const struct maui_reservation *from = &d->reservations[i];
		const struct maui_idle *idle;
		struct maui_saved_job_rsv *to = &list[m->saved.job_rsv_count];

		if (m->place_of[from->job] == UINT32_MAX)
			continue;
		idle = &m->snapshot.idle[m->place_of[from->job]];
		*to = (struct maui_saved_job_rsv){
			.job = idle->id,
			.partition = idle->rows[from->row].partition,
			.start_s = from->start_s,
			.places = take_places(m, from->places, from->place_count),
			.place_count = from->place_count,
			.preempting = from->preempting,
		};
		if (!to->places)
			return -1;
		m->saved.job_rsv_count++;
	}
	return list ? 0 : -1;
}

/* ---- reservations ---- */

static const char *rsv_name(const struct making *m, uint32_t rsv)
{
	return m->p->plan->standing->list[rsv]->name;
}

static int take_instances(struct making *m)
{
	const struct maui_decisions *d = &m->p->plan->decisions;
	struct maui_saved_instance *list =
		maui_arena_alloc(m->arena, (d->instance_count + 1u) * sizeof(*list));

	for (uint32_t i = 0; list && i < d->instance_count; i++)
		list[i] = (struct maui_saved_instance){
			.rsv = rsv_name(m, d->instances[i].rsv),
			.day = d->instances[i].day,
			.start_s = d->instances[i].start_s,
			.end_s = d->instances[i].end_s,
			.places = d->instances[i].places,
			.place_count = d->instances[i].place_count,
			.made = d->instances[i].made,
		};
	m->saved.instances = list;
	m->saved.instance_count = d->instance_count;
	return list ? 0 : -1;
}

static int take_releases(struct making *m, const struct maui_standing_input *standing)
{
	struct maui_saved_release *list =
		maui_arena_alloc(m->arena, (standing->skip_count + 1u) * sizeof(*list));

	for (uint32_t i = 0; list && i < standing->skip_count; i++)
		list[i] = (struct maui_saved_release){ rsv_name(m, standing->skips[i].rsv),
						       standing->skips[i].day };
	m->saved.releases = list;
	m->saved.release_count = standing->skip_count;
	return list ? 0 : -1;
}

/* The list has the reservations of maui.cfg, then the administrative ones. */
static int take_rsvs(struct making *m)
{
	const struct maui_plan *plan = m->p->plan;
	uint32_t own = (uint32_t)plan->config->rsv_count;

	if (!plan->standing)
		return 0;
	m->saved.rsvs = plan->standing->list + own;
	m->saved.rsv_count = plan->standing->count - own;
	return take_instances(m) || take_releases(m, plan->standing) ? -1 : 0;
}

/* ---- the answer ---- */

/* 1: some of it has no names; -1 without memory. */
static int take_all(struct making *m, uid_t uid)
{
	const struct maui_plan *plan = m->p->plan;

	m->snapshot = *plan->snapshot;
	m->saved = (struct maui_saved_plan){
		.now_s = plan->now_s,
		.cluster = m->p->cluster,
		.config_path = plan->config->file_count > 0 ? plan->config->files[0] : NULL,
		.config_text = plan->config->text,
		.config_length = plan->config->text_length,
		.snapshot = &m->snapshot,
		.usage = m->p->usage,
		.chunk_until_s = plan->chunk_until_s,
	};
	if (take_idle(m) || take_active(m) || take_job_rsvs(m) || take_rsvs(m))
		return -1;
	if (maui_document_sees_all(m->p, uid))
		return 0;
	return maui_anonymous(m->p, uid, m->idle_of, &m->saved, &m->snapshot, m->arena);
}

static const void *put_together(const struct maui_question *q, const struct maui_strbuf *text,
				bool complete)
{
	struct maui_snapshot_answer *answer;

	if (text->failed)
		return maui_question_no_memory(q);
	if (text->length > MAUI_QUERY_MAX_ANSWER - REST_OF_ANSWER)
		return maui_question_fail(q, MAUI_QUERY_ERROR,
					  "the snapshot has %zu MB, an answer at most %u MB",
					  text->length >> 20, MAUI_QUERY_MAX_ANSWER >> 20);
	answer = maui_question_alloc(q, 1, sizeof(*answer));
	if (!answer)
		return NULL;
	*answer = (struct maui_snapshot_answer){
		.cluster = q->document->cluster,
		.time = q->document->plan->now_s,
		.complete = complete,
		.snapshot.text = maui_question_copy(q, text->text),
	};
	return answer->snapshot.text ? answer : NULL;
}

/* Returns a struct maui_snapshot_answer; NULL with the error: there is no plan yet, nodes are
 * hidden, the answer would be too large, no memory. */
const void *maui_answer_snapshot(const struct maui_question *q, const void *args)
{
	struct making m = { .p = q->document, .arena = q->arena };
	struct maui_strbuf text = { 0 };
	const void *answer;
	int hidden;

	(void)args;
	if (!maui_question_has_plan(q))
		return NULL;
	hidden = take_all(&m, q->uid);
	if (hidden < 0)
		return maui_question_no_memory(q);
	maui_saved_plan_write(&m.saved, &text);
	answer = put_together(q, &text, !hidden);
	maui_strbuf_finish(&text);
	return answer;
}
