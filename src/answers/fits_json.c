/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_json.c - what is free now for a user's next job
 *
 * Each partition is one question to src/explain/offer.h; limits in use are counted once for all.
 * MAUI_FITS_* bound the answer.
 */

#include "answers/fits_json.h"

#include <string.h>

#include "answers/fits_question.h"
#include "answers/gres_json.h"
#include "base/limits.h"
#include "explain/offer.h"
#include "plan/finished.h"
#include "policy/throttle/throttle.h"

static json_object *window_json(const struct maui_fits_asked *a, const struct maui_window *window)
{
	struct maui_object o = maui_object_make();
	int64_t now_s = a->p->plan->now_s;

	maui_object_put_time(&o, "seconds", window->length_s);
	maui_object_put_time(
		&o, "end", window->length_s == MAUI_NEVER ? MAUI_NEVER : now_s + window->length_s);
	maui_object_put_number(&o, "procs", window->procs);
	maui_object_put_number(&o, "nodes", window->nodes);
	return maui_object_finish(&o);
}

/* Why no job of the user starts in the partition now, whatever is free; NULL: one may. */
static const char *closed(const struct maui_fits_asked *a, const struct maui_offer_question *q)
{
	if (!maui_fits_rules(a, q->partition).up)
		return "the partition starts no jobs now";
	if (maui_fits_is_too_long(a, q->partition))
		return "the time limit is above the partition's MaxTime";
	return maui_fits_qos_is_open(a, q) ? NULL : "the QOS is not open to the user";
}

/* The windows with at least so many nodes; of too many the first, the last, and some between. */
static json_object *windows_json(const struct maui_fits_asked *a, const struct maui_offers *offers)
{
	json_object *list = json_object_new_array();
	uint32_t count = offers->count, taken = 0;

	while (count > 0 && offers->windows[count - 1].nodes < a->least_nodes)
		count--;
	for (uint32_t i = 0; list && i < count; i++) {
		json_object *window;

		if (i + 1 < count && (uint64_t)i * MAUI_FITS_WINDOWS < (uint64_t)taken * count)
			continue;
		taken++;
		window = window_json(a, &offers->windows[i]);
		if (!window || json_object_array_add(list, window) != 0) {
			json_object_put(window);
			json_object_put(list);
			return NULL;
		}
	}
	return list;
}

static int put_offers(const struct maui_fits_asked *a, const struct maui_offer_question *q,
		      struct maui_object *o)
{
	struct maui_offers offers = { .obstacle = closed(a, q) };

	if (offers.obstacle) {
		maui_object_put(o, "windows", json_object_new_array());
		maui_object_put_null(o, "limit");
		maui_object_put_text(o, "obstacle", offers.obstacle);
		maui_object_put(o, "whole_nodes", json_object_new_array());
		return 0;
	}
	if (maui_explain_offers(a->x, q, false, a->least_s, &offers))
		return -1;
	maui_object_put(o, "windows", windows_json(a, &offers));
	maui_object_put_text(o, "limit", offers.limit);
	maui_object_put_text(o, "obstacle", offers.obstacle);
	if (maui_explain_offers(a->x, q, true, a->least_s, &offers))
		return -1;
	maui_object_put(o, "whole_nodes", windows_json(a, &offers));
	return 0;
}

static int put_graph(const struct maui_fits_asked *a, const struct maui_offer_question *q,
		     struct maui_object *o)
{
	int64_t procs[MAUI_FITS_PARTS] = { 0 }, part_s = a->horizon_s / a->parts;
	json_object *list;

	part_s = part_s > 0 ? part_s : 1;
	if (!closed(a, q) && maui_explain_free(a->x, q, part_s, (uint32_t)a->parts, procs))
		return -1;
	list = json_object_new_array();
	for (int64_t i = 0; list && i < a->parts; i++)
		o->failed |= json_object_array_add(list, json_object_new_int64(procs[i])) != 0;
	maui_object_put_number(o, "free_step", part_s);
	maui_object_put(o, "free_procs", list);
	return 0;
}

static int64_t procs_of(const struct maui_fits_asked *a, uint32_t partition)
{
	int64_t procs = 0;

	for (uint32_t n = 0; n < a->s->node_count; n++)
		for (uint32_t i = 0; i < a->s->nodes[n].partition_count; i++)
			if (a->s->nodes[n].partitions[i] == partition)
				procs += a->s->nodes[n].have[MAUI_AMOUNT_PROCS];
	return procs;
}

/* Adds what the node, or a job on it, has of each resource to the sums of the node's partitions. */
static void add_amounts(const struct maui_fits_asked *a, uint32_t index, const int64_t *amounts,
			int64_t *sums)
{
	const struct maui_node *node = &a->s->nodes[index];

	if (node->usable_from_s == MAUI_NEVER) /* down, drained */
		return;
	for (uint32_t i = 0; i < node->partition_count; i++)
		for (unsigned d = MAUI_AMOUNT_FIXED; d < a->s->amount_count; d++)
			sums[(size_t)node->partitions[i] * a->s->amount_count + d] += amounts[d];
}

/* Counts generic resources, if there are any, whatever reservations and limits say. */
static int count_gres(struct maui_fits_asked *a)
{
	size_t size = (size_t)a->s->partition_count * a->s->amount_count * sizeof(int64_t);

	if (a->s->amount_count == MAUI_AMOUNT_FIXED)
		return 0;
	a->gres_total = maui_arena_alloc(&a->arena, size);
	a->gres_used = maui_arena_alloc(&a->arena, size);
	if (!a->gres_total || !a->gres_used)
		return -1;
	for (uint32_t n = 0; n < a->s->node_count; n++)
		add_amounts(a, n, a->s->nodes[n].have, a->gres_total);
	for (uint32_t i = 0; i < a->s->active_count; i++)
		for (uint32_t k = 0; k < a->s->active[i].piece_count; k++)
			add_amounts(a, a->s->active[i].pieces[k].node,
				    a->s->active[i].pieces[k].amounts, a->gres_used);
	return 0;
}

static void put_gres(const struct maui_fits_asked *a, uint32_t partition, struct maui_object *ret)
{
	size_t at = (size_t)partition * a->s->amount_count;

	maui_gres_put(ret, a->s, a->gres_total ? a->gres_total + at : NULL,
		      a->gres_used ? a->gres_used + at : NULL);
}

static json_object *partition_json(const struct maui_fits_asked *a, uint32_t partition)
{
	int64_t amounts[MAUI_FITS_VECTORS * a->s->amount_count];
	struct maui_fits_request request = maui_fits_request_in(a, amounts);
	const struct maui_document_partition rules = maui_fits_rules(a, partition);
	const struct maui_partition *part = &a->s->partitions[partition];
	struct maui_object o = maui_object_make();
	struct maui_offer_question q;

	if (maui_fits_ask(a, partition, &request, &q)) {
		o.failed = true;
		return maui_object_finish(&o);
	}
	maui_object_put_text(&o, "name", part->name);
	maui_object_put(&o, "default", json_object_new_boolean(part->is_default));
	maui_object_put(&o, "up", json_object_new_boolean(rules.up));
	maui_object_put_time(&o, "max_time",
			     part->max_limit_s > 0 ? part->max_limit_s : MAUI_NEVER);
	maui_object_put_number(&o, "procs", procs_of(a, partition));
	maui_object_put_text(&o, "qos", q.cred[MAUI_CRED_QOS]);
	put_gres(a, partition, &o);
	o.failed |= put_offers(a, &q, &o) ||
		    (a->shaped && maui_fits_put_shape(a, &q, rules.up, &o)) ||
		    (a->parts > 0 && put_graph(a, &q, &o));
	return maui_object_finish(&o);
}

static json_object *partitions_json(const struct maui_fits_asked *a)
{
	json_object *list = json_object_new_array();
	uint32_t count = 0;

	for (uint32_t i = 0; list && i < a->s->partition_count && count < MAUI_FITS_PARTITIONS;
	     i++) {
		json_object *partition;

		if (!maui_fits_asks(a, i))
			continue;
		count++;
		partition = partition_json(a, i);
		if (!partition || json_object_array_add(list, partition) != 0) {
			json_object_put(partition);
			json_object_put(list);
			return NULL;
		}
	}
	return list;
}

static json_object *reservation_json(const struct maui_document_rsv *row)
{
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "name", row->name);
	maui_object_put_number(&o, "start", row->start_s);
	maui_object_put_time(&o, "end", row->end_s);
	maui_object_put_number(&o, "nodes", row->node_count);
	maui_object_put_number(&o, "procs", row->procs);
	maui_object_put_number(&o, "used_procs", row->used_procs);
	maui_object_put_text(&o, "partition", row->partition);
	return maui_object_finish(&o);
}

/* The reservations that admit the user in one of the partitions, as far as the asker sees them. */
static json_object *reservations_json(const struct maui_fits_asked *a)
{
	const struct maui_standing_input *standing = a->p->plan->standing;
	uint32_t count = standing ? standing->count : 0;
	int64_t amounts[MAUI_FITS_VECTORS * a->s->amount_count];
	struct maui_fits_request request = maui_fits_request_in(a, amounts);
	json_object *list = json_object_new_array();
	struct maui_arena arena = { 0 };
	bool *admits = maui_arena_alloc(&arena, 2 * (count + 1u) * sizeof(*admits));
	bool failed = !admits || !list;

	for (uint32_t i = 0; !failed && count > 0 && i < a->s->partition_count; i++) {
		struct maui_offer_question q;

		if (!maui_fits_asks(a, i))
			continue;
		failed = maui_fits_ask(a, i, &request, &q) ||
			 maui_explain_admitting(a->x, &q, admits + count + 1);
		for (uint32_t r = 0; r < count; r++)
			admits[r] |= admits[count + 1 + r];
	}
	for (size_t i = 0; !failed && i < a->p->rsv_count; i++) {
		const struct maui_document_rsv *row = &a->p->rsvs[i];

		if (json_object_array_length(list) >= MAUI_FITS_RESERVATIONS || row->rsv >= count ||
		    !admits[row->rsv] || row->node_count == 0 ||
		    !maui_document_shows(a->p, row, a->uid))
			continue;
		failed = json_object_array_add(list, reservation_json(row)) != 0;
	}
	maui_arena_finish(&arena);
	if (!failed)
		return list;
	json_object_put(list);
	return NULL;
}

/* Whether a job, a line of maui.cfg or an association has the user. */
static bool is_known_user(const struct maui_fits_asked *a)
{
	const struct maui_creds *creds = &a->p->plan->config->creds[MAUI_CRED_USER];
	const char *user = a->cred[MAUI_CRED_USER], *other;

	for (uint32_t i = 0; user && i < a->s->cred_count; i++) {
		other = a->s->creds[i].cred[MAUI_CRED_USER];
		if (other && strcmp(other, user) == 0)
			return true;
	}
	for (size_t i = 0; user && i < creds->count; i++)
		if (strcmp(creds->list[i].name, user) == 0)
			return true;
	for (size_t i = 0; user && i < a->p->default_account_count; i++)
		if (strcmp(a->p->default_accounts[i].user, user) == 0)
			return true;
	return false;
}

/* Whether this site has accounts, or gives them limits. */
static bool accounts_matter(const struct maui_fits_asked *a)
{
	return a->p->default_account_count > 0 ||
	       a->p->plan->config->creds[MAUI_CRED_ACCOUNT].count > 0;
}

static json_object *make_answer(struct maui_fits_asked *a, struct maui_query_error *error)
{
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "cluster", a->p->cluster);
	maui_object_put_number(&o, "time", a->p->plan->now_s);
	maui_object_put_text(&o, "user", a->user);
	if (!a->hides_others)
		maui_object_put(&o, "user_known", json_object_new_boolean(is_known_user(a)));
	maui_object_put_text(&o, "group", a->cred[MAUI_CRED_GROUP]);
	maui_object_put_text(&o, "account", a->cred[MAUI_CRED_ACCOUNT]);
	maui_object_put(&o, "account_assumed",
			json_object_new_boolean(a->account_assumed && accounts_matter(a)));
	maui_object_put_text(&o, "qos", a->cred[MAUI_CRED_QOS]);
	if (a->claimed)
		maui_object_put_text(&o, "slurm_reservation", a->reservation);
	maui_object_put_text(&o, "no_starts", maui_document_no_starts(a->p));
	maui_object_put(&o, "partitions", partitions_json(a));
	maui_object_put(&o, "reservations", reservations_json(a));
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}

/* Waiting jobs, which may be many, count for idle limits alone, which few sites set. */
static int count_waiting(const struct maui_fits_asked *a)
{
	int64_t amounts[MAUI_FITS_VECTORS * a->s->amount_count];
	struct maui_fits_request request = maui_fits_request_in(a, amounts);
	const struct maui_throttle_set *set;
	struct maui_offer_question q;

	for (uint32_t i = 0; i < a->s->partition_count; i++) {
		if (!maui_fits_asks(a, i))
			continue;
		if (maui_fits_ask(a, i, &request, &q))
			return -1;
		set = maui_throttle_resolve(a->throttle, q.cred);
		if (!set)
			return -1;
		if (maui_throttle_limits_idle(set))
			return maui_plan_throttle_waiting(a->p->plan, a->throttle);
	}
	return 0;
}

json_object *maui_fits_json(const struct maui_document *p, json_object *args, uid_t uid,
			    struct maui_query_error *error)
{
	struct maui_fits_asked a = { .p = p, .uid = uid };
	json_object *answer = NULL;

	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	a.s = p->plan->snapshot;
	if (maui_fits_read(args, &a, error)) {
		maui_fits_finish(&a);
		return NULL;
	}
	a.x = maui_explainer_create(p->plan);
	a.throttle = maui_plan_throttle(p->plan);
	if (a.x && a.throttle && count_gres(&a) == 0 && count_waiting(&a) == 0)
		answer = make_answer(&a, error);
	else
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	maui_throttle_destroy(a.throttle);
	maui_explainer_destroy(a.x);
	maui_fits_finish(&a);
	return answer;
}
