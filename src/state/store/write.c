/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write.c - a store as the text of the state file, one element a line */

#include "state/store/private.h"

#include "record/write.h"

/* -1 without memory. */
static int pack_instances(const struct maui_store *store, struct maui_arena *arena,
			  struct maui_packed_state *ret)
{
	ret->instances =
		maui_arena_alloc(arena, (store->instance_count + 1) * sizeof(*ret->instances));
	if (!ret->instances)
		return -1;
	for (; ret->instance_count < store->instance_count; ret->instance_count++) {
		const struct maui_store_instance *from = &store->instances[ret->instance_count];
		struct maui_packed_instance *one = &ret->instances[ret->instance_count];

		*one = (struct maui_packed_instance){ .period = from->period,
						      .start_s = from->start_s,
						      .end_s = from->end_s,
						      .made = from->made };
		if (maui_store_pack_nodes(from, arena, one))
			return -1;
	}
	return 0;
}

static int pack_rsvs(const struct maui_store *store, struct maui_arena *arena,
		     struct maui_packed_state *ret)
{
	ret->rsvs = maui_arena_alloc(arena, (store->rsv_count + 1) * sizeof(*ret->rsvs));
	if (!ret->rsvs)
		return -1;
	for (; ret->rsv_count < store->rsv_count; ret->rsv_count++)
		maui_store_pack_rsv(&store->rsvs[ret->rsv_count], &ret->rsvs[ret->rsv_count]);
	return 0;
}

static void pack_lists(const struct maui_store *store, struct maui_packed_state *ret)
{
	*ret = (struct maui_packed_state){
		.schema = MAUI_STORE_SCHEMA,
		.saved_s = store->saved_s,
		.chunk_until_s = store->chunk_until_s,
		.job_rsvs = store->job_rsvs,
		.job_rsv_count = store->job_rsv_count,
		.jobs = store->jobs,
		.job_count = store->count,
		.mirrors = store->mirrors,
		.mirror_count = store->mirror_count,
		.released = store->released,
		.released_count = store->released_count,
		.records = store->records,
		.record_count = store->record_count,
		.pending = store->pending,
		.pending_count = store->pending_count,
		.triggers = store->triggers,
		.trigger_count = store->trigger_count,
		.spans = (struct maui_utilisation_span *)store->utilisation.spans,
		.span_count = store->utilisation.count,
	};
}

void maui_store_format(const struct maui_store *store, struct maui_strbuf *out)
{
	const struct maui_record_writer w = { .out = out, .spaced = true, .short_escapes = true };
	struct maui_packed_statistics statistics;
	struct maui_packed_trial trial;
	struct maui_packed_state state;
	struct maui_arena arena = { 0 };

	pack_lists(store, &state);
	maui_store_pack_trial(&store->trial, &trial);
	out->failed |= pack_rsvs(store, &arena, &state) || pack_instances(store, &arena, &state) ||
		       maui_store_pack_statistics(&store->statistics, &arena, &statistics);
	state.statistics = store->statistics.since_s > 0 ? &statistics : NULL;
	state.trial = store->trial.began_s > 0 ? &trial : NULL;
	if (!out->failed) {
		maui_strbuf_add(out, "{", 1);
		maui_record_write_members(&w, &maui_packed_state_type, &state);
		maui_strbuf_add(out, "}\n", 2);
	}
	maui_arena_finish(&arena);
}
