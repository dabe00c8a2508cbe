/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write.c - a saved plan as JSON */

#include "state/saved_plan/fields.h"
#include "state/saved_plan/saved_plan.h"

#include <stdlib.h>
#include <string.h>

#include "state/store/private.h"

/* `"key": [` and what comes between elements. */
static void begin_list(struct maui_strbuf *out, const char *key)
{
	maui_saved_put_key(out, key);
	maui_strbuf_add(out, "[", 1);
}

static void next_element(struct maui_strbuf *out, size_t index)
{
	maui_strbuf_add(out, ",", index > 0);
}

static void end_list(struct maui_strbuf *out)
{
	maui_strbuf_add(out, "]", 1);
}

static void close_object(struct maui_strbuf *out)
{
	maui_strbuf_add(out, "}", 1);
}

/* ---- the snapshot ---- */

static void put_set(struct maui_strbuf *out, const char *key, bool set)
{
	if (!set)
		return;
	maui_saved_put_key(out, key);
	maui_strbuf_add(out, "true", 4);
}

static void put_dimensions(const struct maui_snapshot *s, struct maui_strbuf *out)
{
	begin_list(out, "amounts");
	for (unsigned d = 0; d < s->amount_count; d++) {
		maui_strbuf_add(out, ",", d > 0);
		maui_saved_put_text(out, s->amount_names ? s->amount_names[d] : NULL);
	}
	end_list(out);
	maui_saved_put_key(out, "totals");
	maui_saved_put_fields(out, &maui_fields_totals, &s->totals, 0);
	close_object(out);
	put_set(out, "shares_tasks", s->shares_tasks);
	put_set(out, "switches_optional", s->switches_optional);
	if (s->global) {
		maui_saved_put_key(out, "global");
		maui_saved_put_amounts(out, s->global, s->amount_count);
	}
}

/* A list whose elements have only the members of the table. */
static void put_plain(const struct maui_snapshot *s, struct maui_strbuf *out, const char *key,
		      const struct maui_fields *fields, const void *list, size_t size, size_t count)
{
	begin_list(out, key);
	for (size_t i = 0; i < count; i++) {
		next_element(out, i);
		maui_saved_put_fields(out, fields, (const char *)list + i * size, s->amount_count);
		close_object(out);
	}
	end_list(out);
}

/* A vector for each node; null: the same as for the node before it. */
static void put_claim_amounts(const struct maui_snapshot *s, const struct maui_claim *claim,
			      struct maui_strbuf *out)
{
	const int64_t *at = claim->amounts;

	begin_list(out, "amounts");
	for (uint32_t i = 0; i < claim->node_count; i++, at += s->amount_count) {
		maui_strbuf_add(out, ",", i > 0);
		if (i > 0 && memcmp(at, at - s->amount_count, s->amount_count * sizeof(*at)) == 0)
			maui_strbuf_add(out, "null", 4);
		else
			maui_saved_put_amounts(out, at, s->amount_count);
	}
	end_list(out);
}

static void put_claims(const struct maui_snapshot *s, struct maui_strbuf *out)
{
	begin_list(out, "claims");
	for (uint32_t i = 0; i < s->claim_count; i++) {
		next_element(out, i);
		maui_saved_put_fields(out, &maui_fields_claim, &s->claims[i], s->amount_count);
		if (s->claims[i].amounts)
			put_claim_amounts(s, &s->claims[i], out);
		close_object(out);
	}
	end_list(out);
}

static void put_credentials(const struct maui_snapshot *s, struct maui_strbuf *out)
{
	begin_list(out, "credentials");
	for (uint32_t i = 0; i < s->cred_count; i++) {
		next_element(out, i);
		maui_strbuf_add(out, "{", 1);
		for (int k = 0; k < MAUI_CRED_COUNT; k++) {
			if (!s->creds[i].cred[k])
				continue;
			maui_saved_put_key(out, maui_cred_name((enum maui_cred_kind)k));
			maui_saved_put_text(out, s->creds[i].cred[k]);
		}
		close_object(out);
	}
	end_list(out);
}

static void put_requests(const struct maui_snapshot *s, struct maui_strbuf *out)
{
	begin_list(out, "requests");
	for (uint32_t i = 0; i < s->request_count; i++) {
		const struct maui_request *r = &s->requests[i];

		next_element(out, i);
		maui_saved_put_fields(out, &maui_fields_request, r, s->amount_count);
		close_object(out);
	}
	end_list(out);
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

static void put_pieces(const struct maui_snapshot *s, const struct maui_active *active,
		       struct maui_strbuf *out)
{
	uint32_t length;

	begin_list(out, "pieces");
	for (uint32_t i = 0; i < active->piece_count; i += length) {
		const struct maui_piece *p = &active->pieces[i];

		length = run_length(s, active, i);
		maui_strbuf_add(out, ",", i > 0);
		maui_saved_put_fields(out, &maui_fields_piece, p, s->amount_count);
		if (length > 1) {
			maui_saved_put_key(out, "count");
			maui_saved_put_int(out, length);
		}
		maui_saved_put_key(out, "amounts");
		maui_saved_put_amounts(out, p->amounts, s->amount_count);
		if (p->share_count > 0)
			put_plain(s, out, "shares", &maui_fields_share, p->shares,
				  sizeof(*p->shares), p->share_count);
		close_object(out);
	}
	end_list(out);
}

static void put_job(const struct maui_job *job, struct maui_strbuf *out)
{
	maui_saved_put_key(out, "job");
	maui_saved_put_fields(out, &maui_fields_job, job, 0);
	close_object(out);
}

static void put_active(const struct maui_saved_plan *plan, struct maui_strbuf *out)
{
	const struct maui_snapshot *s = plan->snapshot;

	begin_list(out, "active");
	for (uint32_t i = 0; i < s->active_count; i++) {
		next_element(out, i);
		maui_saved_put_fields(out, &maui_fields_active, &s->active[i], s->amount_count);
		if (plan->running)
			maui_saved_put_members(out, &maui_fields_running, &plan->running[i], 0);
		put_job(&s->active[i].job, out);
		put_pieces(s, &s->active[i], out);
		close_object(out);
	}
	end_list(out);
}

static void put_waiting(const struct maui_saved_waiting *waiting, struct maui_strbuf *out)
{
	const struct maui_job_conditions *c = &waiting->conditions;

	maui_saved_put_members(out, &maui_fields_waiting, waiting, 0);
	if (c->dependency_count == 0)
		return;
	begin_list(out, "dependencies");
	for (uint32_t i = 0; i < c->dependency_count; i++) {
		next_element(out, i);
		maui_saved_put_fields(out, &maui_fields_dependency, &c->dependencies[i], 0);
		maui_saved_put_key(out, "kind");
		maui_saved_put_text(out, maui_saved_dependency_kinds[c->dependencies[i].kind]);
		close_object(out);
	}
	end_list(out);
}

static void put_idle(const struct maui_saved_plan *plan, struct maui_strbuf *out)
{
	const struct maui_snapshot *s = plan->snapshot;

	begin_list(out, "idle");
	for (uint32_t i = 0; i < s->idle_count; i++) {
		const struct maui_idle *idle = &s->idle[i];

		next_element(out, i);
		maui_saved_put_fields(out, &maui_fields_idle, idle, s->amount_count);
		if (plan->waiting)
			put_waiting(&plan->waiting[i], out);
		put_job(&idle->job, out);
		put_plain(s, out, "rows", &maui_fields_row, idle->rows, sizeof(*idle->rows),
			  idle->row_count);
		close_object(out);
	}
	end_list(out);
}

static void put_snapshot(const struct maui_saved_plan *plan, struct maui_strbuf *out)
{
	const struct maui_snapshot *s = plan->snapshot;

	put_dimensions(s, out);
	if (s->switch_count > 0)
		put_plain(s, out, "switches", &maui_fields_switch, s->switches,
			  sizeof(*s->switches), s->switch_count);
	put_plain(s, out, "partitions", &maui_fields_partition, s->partitions,
		  sizeof(*s->partitions), s->partition_count);
	put_plain(s, out, "nodes", &maui_fields_node, s->nodes, sizeof(*s->nodes), s->node_count);
	put_plain(s, out, "global_claims", &maui_fields_global_claim, s->global_claims,
		  sizeof(*s->global_claims), s->global_claim_count);
	if (s->slurm_preempts)
		put_plain(s, out, "preemption_rules", &maui_fields_preemption_rule,
			  s->preemption_rules, sizeof(*s->preemption_rules),
			  s->preemption_rule_count);
	put_claims(s, out);
	put_credentials(s, out);
	put_requests(s, out);
	put_active(plan, out);
	put_idle(plan, out);
}

/* ---- what carries over ---- */

static void put_places(const struct maui_rsv_place *places, uint32_t count, struct maui_strbuf *out)
{
	begin_list(out, "nodes");
	for (uint32_t i = 0; i < count; i++) {
		maui_strbuf_add(out, ",", i > 0);
		maui_saved_put_int(out, places[i].node);
	}
	end_list(out);
	begin_list(out, "tasks");
	for (uint32_t i = 0; i < count; i++) {
		maui_strbuf_add(out, ",", i > 0);
		maui_saved_put_int(out, places[i].tasks);
	}
	end_list(out);
}

static void put_rsvs(const struct maui_saved_plan *plan, struct maui_strbuf *out)
{
	begin_list(out, "reservations");
	for (uint32_t i = 0; i < plan->rsv_count; i++) {
		next_element(out, i);
		maui_store_format_rsv(plan->rsvs[i], out);
	}
	end_list(out);
	begin_list(out, "instances");
	for (uint32_t i = 0; i < plan->instance_count; i++) {
		next_element(out, i);
		maui_saved_put_fields(out, &maui_fields_instance, &plan->instances[i], 0);
		put_places(plan->instances[i].places, plan->instances[i].place_count, out);
		close_object(out);
	}
	end_list(out);
	put_plain(plan->snapshot, out, "released", &maui_fields_release, plan->releases,
		  sizeof(*plan->releases), plan->release_count);
	begin_list(out, "job_reservations");
	for (uint32_t i = 0; i < plan->job_rsv_count; i++) {
		next_element(out, i);
		maui_saved_put_fields(out, &maui_fields_job_rsv, &plan->job_rsvs[i], 0);
		put_places(plan->job_rsvs[i].places, plan->job_rsvs[i].place_count, out);
		close_object(out);
	}
	end_list(out);
}

static void put_window(const struct maui_usage_view_window *w, struct maui_strbuf *out)
{
	maui_strbuf_add(out, "{", 1);
	maui_saved_put_key(out, "start");
	maui_saved_put_int(out, w->start_s);
	maui_saved_put_key(out, "interval");
	maui_saved_put_int(out, w->interval_s);
	maui_saved_put_key(out, "total");
	maui_saved_put_real(out, w->total);
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		maui_saved_put_key(out, maui_cred_name((enum maui_cred_kind)k));
		maui_strbuf_add(out, "{", 1);
		for (size_t i = 0; i < w->count; i++) {
			if (w->entries[i].kind != (enum maui_cred_kind)k)
				continue;
			maui_strbuf_add(out, ",", out->text[out->length - 1] != '{');
			maui_saved_put_text(out, w->entries[i].name);
			maui_strbuf_add(out, ":", 1);
			maui_saved_put_real(out, w->entries[i].value);
		}
		close_object(out);
	}
	close_object(out);
}

static void put_usage(const struct maui_usage_view *usage, struct maui_strbuf *out)
{
	begin_list(out, "fairshare");
	for (size_t i = 0; usage && i < usage->count; i++) {
		next_element(out, i);
		put_window(usage->windows[i], out);
	}
	end_list(out);
}

static void put_config(const struct maui_saved_plan *plan, struct maui_strbuf *out)
{
	json_object *text = json_object_new_string_len(plan->config_text ? plan->config_text : "",
						       (int)plan->config_length);
	const char *escaped = text ? json_object_to_json_string(text) : NULL;

	out->failed |= !escaped;
	maui_saved_put_key(out, "config");
	maui_strbuf_add(out, "{", 1);
	maui_saved_put_key(out, "file");
	maui_saved_put_text(out, plan->config_path ? plan->config_path : "maui.cfg");
	maui_saved_put_key(out, "text");
	maui_strbuf_add(out, escaped ? escaped : "", escaped ? strlen(escaped) : 0);
	close_object(out);
	json_object_put(text);
}

void maui_saved_plan_write(const struct maui_saved_plan *plan, struct maui_strbuf *out)
{
	maui_strbuf_add(out, "{", 1);
	maui_saved_put_key(out, "schema");
	maui_saved_put_text(out, MAUI_SAVED_PLAN_SCHEMA);
	maui_saved_put_key(out, "time");
	maui_saved_put_int(out, plan->now_s);
	maui_saved_put_key(out, "cluster");
	maui_saved_put_text(out, plan->cluster);
	maui_saved_put_key(out, "chunk_until");
	maui_saved_put_int(out, plan->chunk_until_s);
	put_config(plan, out);
	put_snapshot(plan, out);
	put_rsvs(plan, out);
	put_usage(plan->usage, out);
	close_object(out);
}
