/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write.c - a saved plan as JSON */

#include "state/saved_plan/private.h"

#include <stdlib.h>
#include <string.h>

#include "record/write.h"

/* ---- the snapshot ---- */

static void write_snapshot(const struct maui_record_writer *w, const struct maui_snapshot *snapshot,
			   struct maui_arena *arena)
{
	static const struct maui_preemption_rule none;
	struct maui_snapshot s = *snapshot;

	if (!s.amount_names)
		s.amount_names = maui_arena_alloc(arena, s.amount_count * sizeof(char *));
	if (s.slurm_preempts && !s.preemption_rules)
		s.preemption_rules = &none; /* an empty list */
	if (s.amount_names)
		maui_record_write_members(w, &maui_saved_snapshot_type, &s);
	else
		w->out->failed = true;
}

/* The number of pieces from `at` on that differ in their node only, which counts up. */
static uint32_t run_length(const struct maui_snapshot *s, const struct maui_active *active,
			   uint32_t at)
{
	const struct maui_piece *first = &active->pieces[at];
	uint32_t length = 1;

	if (first->share_count > 0)
		return 1;
	for (; at + length < active->piece_count; length++) {
		const struct maui_piece *p = &active->pieces[at + length];

		if (p->node != first->node + length || p->share_count > 0 ||
		    p->resumes != first->resumes ||
		    (p->amounts != first->amounts &&
		     memcmp(p->amounts, first->amounts, s->amount_count * sizeof(*p->amounts))))
			break;
	}
	return length;
}

/* -1 without memory. */
static int list_runs(const struct maui_snapshot *s, struct maui_saved_active *ret,
		     struct maui_arena *arena)
{
	const struct maui_active *active = &ret->active;

	ret->runs = maui_arena_alloc(arena, (active->piece_count + 1u) * sizeof(*ret->runs));
	if (!ret->runs)
		return -1;
	for (uint32_t i = 0; i < active->piece_count; i += ret->runs[ret->run_count++].count)
		ret->runs[ret->run_count] =
			(struct maui_saved_run){ active->pieces[i], run_length(s, active, i) };
	return 0;
}

static void write_active(const struct maui_record_writer *w, const struct maui_saved_plan *plan,
			 struct maui_arena *arena)
{
	const struct maui_snapshot *s = plan->snapshot;

	maui_record_begin_list(w, "active");
	for (uint32_t i = 0; i < s->active_count; i++) {
		struct maui_saved_active one = { .active = s->active[i],
						 .running =
							 plan->running ? &plan->running[i] : NULL };

		maui_arena_clear(arena);
		w->out->failed |= list_runs(s, &one, arena) != 0;
		maui_record_write_element(w, &maui_saved_active_type, &one);
	}
	maui_record_end_list(w, &maui_saved_active_type);
}

/* A number that orders jobs or groups them. */
struct number {
	uint64_t value;
	uint32_t idle;
};

static uint64_t order_of(const struct maui_idle *idle)
{
	return idle->order;
}

static uint64_t het_of(const struct maui_idle *idle)
{
	return idle->het_id;
}

static int by_value(const void *a, const void *b)
{
	const struct number *one = a, *other = b;

	return one->value < other->value ? -1 : one->value > other->value;
}

/* The ranks of the numbers of idle jobs, from 0 on; equal numbers have equal ranks. A user may see
 * the saved plan, and not the numbers, which are of other users' jobs as well. NULL without
 * memory. */
static const uint32_t *rank_idle(const struct maui_snapshot *s,
				 uint64_t (*number_of)(const struct maui_idle *),
				 struct maui_arena *arena)
{
	struct number *numbers = maui_arena_alloc(arena, (s->idle_count + 1u) * sizeof(*numbers));
	uint32_t *ranks = maui_arena_alloc(arena, (s->idle_count + 1u) * sizeof(*ranks));
	uint32_t rank = 0;

	if (!numbers || !ranks)
		return NULL;
	for (uint32_t i = 0; i < s->idle_count; i++)
		numbers[i] = (struct number){ number_of(&s->idle[i]), i };
	if (s->idle_count > 1)
		qsort(numbers, s->idle_count, sizeof(*numbers), by_value);
	for (uint32_t i = 0; i < s->idle_count; i++) {
		rank += i > 0 && numbers[i].value != numbers[i - 1].value;
		ranks[numbers[i].idle] = rank;
	}
	return ranks;
}

static void write_idle(const struct maui_record_writer *w, const struct maui_saved_plan *plan,
		       struct maui_arena *arena)
{
	const struct maui_snapshot *s = plan->snapshot;
	const uint32_t *orders, *hets;

	maui_arena_clear(arena);
	orders = rank_idle(s, order_of, arena);
	hets = rank_idle(s, het_of, arena);
	if (!orders || !hets) {
		w->out->failed = true;
		return;
	}
	maui_record_begin_list(w, "idle");
	for (uint32_t i = 0; i < s->idle_count; i++) {
		struct maui_saved_idle one = { s->idle[i],
					       plan->waiting ? &plan->waiting[i] : NULL };

		one.idle.order = orders[i];
		one.idle.het_id = one.idle.het_id ? hets[i] + 1u : 0;
		maui_record_write_element(w, &maui_saved_idle_type, &one);
	}
	maui_record_end_list(w, &maui_saved_idle_type);
}

/* ---- what carries over ---- */

static void write_rsvs(const struct maui_record_writer *w, const struct maui_saved_plan *plan)
{
	maui_record_begin_list(w, "reservations");
	for (uint32_t i = 0; i < plan->rsv_count; i++) {
		struct maui_packed_rsv packed;

		maui_store_pack_rsv(plan->rsvs[i], &packed);
		maui_record_write_element(w, &maui_packed_rsv_type, &packed);
	}
	maui_record_end_list(w, &maui_packed_rsv_type);
}

/* The names of a window by kind. -1 without memory. */
static int fill_window(const struct maui_usage_view_window *from, struct maui_saved_window *ret,
		       struct maui_arena *arena)
{
	size_t room[MAUI_CRED_COUNT] = { 0 };

	*ret = (struct maui_saved_window){ .start_s = from->start_s,
					   .interval_s = from->interval_s,
					   .total = from->total };
	for (size_t i = 0; i < from->count; i++)
		room[from->entries[i].kind]++;
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		ret->names[k] = maui_arena_alloc(arena, (room[k] + 1) * sizeof(**ret->names));
		if (!ret->names[k])
			return -1;
	}
	for (size_t i = 0; i < from->count; i++) {
		const struct maui_usage_view_entry *entry = &from->entries[i];

		ret->names[entry->kind][ret->name_count[entry->kind]++] =
			(struct maui_pair){ entry->name, entry->value };
	}
	return 0;
}

static int list_windows(const struct maui_usage_view *usage, struct maui_saved_rest *ret,
			struct maui_arena *arena)
{
	size_t count = usage ? usage->count : 0;

	ret->windows = maui_arena_alloc(arena, (count + 1) * sizeof(*ret->windows));
	if (!ret->windows)
		return -1;
	for (; ret->window_count < count; ret->window_count++)
		if (fill_window(usage->windows[ret->window_count], &ret->windows[ret->window_count],
				arena))
			return -1;
	return 0;
}

static void write_rest(const struct maui_record_writer *w, const struct maui_saved_plan *plan,
		       struct maui_arena *arena)
{
	struct maui_saved_rest rest = {
		.instances = (struct maui_saved_instance *)plan->instances,
		.instance_count = plan->instance_count,
		.releases = (struct maui_saved_release *)plan->releases,
		.release_count = plan->release_count,
		.job_rsvs = (struct maui_saved_job_rsv *)plan->job_rsvs,
		.job_rsv_count = plan->job_rsv_count,
	};

	if (list_windows(plan->usage, &rest, arena))
		w->out->failed = true;
	else
		maui_record_write_members(w, &maui_saved_rest_type, &rest);
}

void maui_saved_plan_write(const struct maui_saved_plan *plan, struct maui_strbuf *out)
{
	const struct maui_record_writer w = { .out = out,
					      .amount_count = plan->snapshot->amount_count,
					      .short_escapes = true };
	const struct maui_saved_head head = {
		.schema = MAUI_SAVED_PLAN_SCHEMA,
		.now_s = plan->now_s,
		.cluster = plan->cluster,
		.chunk_until_s = plan->chunk_until_s,
		.config = { plan->config_path ? plan->config_path : "maui.cfg",
			    plan->config_text ? plan->config_text : "" },
	};
	struct maui_arena arena = { 0 };

	maui_strbuf_add(out, "{", 1);
	maui_record_write_members(&w, &maui_saved_head_type, &head);
	write_snapshot(&w, plan->snapshot, &arena);
	write_active(&w, plan, &arena);
	write_idle(&w, plan, &arena);
	write_rsvs(&w, plan);
	write_rest(&w, plan, &arena);
	maui_strbuf_add(out, "}", 1);
	maui_arena_finish(&arena);
}
