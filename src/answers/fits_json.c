/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_json.c - what is free now for a user's next job
 *
 * Each partition is one question to src/explain/offer.h; limits in use are counted once for all.
 * MAUI_FITS_* bound the answer.
 */

#include "answers/fits_json.h"

#include <string.h>

#include "answers/lines.h"
#include "answers/object.h"
#include "base/limits.h"
#include "explain/offer.h"
#include "explain/text.h"
#include "plan/finished.h"
#include "policy/qos.h"
#include "policy/throttle/throttle.h"

enum { LEAST_S = 60 }; /* the shortest time limit of Slurm */

struct asked {
	const struct maui_document *p;
	const struct maui_snapshot *s;
	uid_t uid;
	const char *cred[MAUI_CRED_COUNT];
	const char *partition, *features, *reservation;
	int64_t nodes, tasks, cpus, mem, mem_per_cpu, limit_s;
	int64_t least_s, least_nodes, horizon_s, parts;
	int whole;
	bool shaped; /* a job of one shape is asked for */
	struct maui_explainer *x;
	struct maui_throttle *throttle;
};

/* ---- the question ---- */

static int read_number(json_object *args, const char *key, int64_t absent, int64_t most,
		       int64_t *ret, struct maui_query_error *error)
{
	if (maui_message_number(args, key, absent, ret, error))
		return -1;
	return *ret < 0 || *ret > most ?
		       maui_query_fail(error, MAUI_QUERY_BAD, "%s is out of range", key) :
		       0;
}

static int read_shape(json_object *args, struct asked *a, struct maui_query_error *error)
{
	enum { MOST = 1000000000 };

	if (read_number(args, "nodes", 0, MOST, &a->nodes, error) ||
	    read_number(args, "tasks", 0, MOST, &a->tasks, error) ||
	    read_number(args, "cpus_per_task", 1, MOST, &a->cpus, error) ||
	    read_number(args, "mem", 0, MOST, &a->mem, error) ||
	    read_number(args, "mem_per_cpu", 0, MOST, &a->mem_per_cpu, error) ||
	    read_number(args, "limit", MAUI_NEVER, MAUI_NEVER, &a->limit_s, error) ||
	    read_number(args, "least", 0, MAUI_NEVER, &a->least_s, error) ||
	    read_number(args, "least_nodes", 0, MOST, &a->least_nodes, error) ||
	    read_number(args, "horizon", 0, MOST, &a->horizon_s, error) ||
	    read_number(args, "parts", 0, MAUI_FITS_PARTS, &a->parts, error) ||
	    maui_message_bool(args, "whole_nodes", &a->whole, error) ||
	    maui_message_text(args, "features", &a->features, error) ||
	    maui_message_text(args, "reservation", &a->reservation, error))
		return -1;
	if (a->cpus == 0 || a->limit_s == 0)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "cpus_per_task and limit are above 0");
	a->shaped = a->nodes > 0 || a->tasks > 0;
	return 0;
}

/* The account of the user's jobs that the plan knows; NULL: none. */
static const char *find_account(const struct asked *a)
{
	for (uint32_t i = a->s->cred_count; i-- > 0;) {
		const char *const *cred = a->s->creds[i].cred;

		if (cred[MAUI_CRED_USER] && cred[MAUI_CRED_ACCOUNT] &&
		    strcmp(cred[MAUI_CRED_USER], a->cred[MAUI_CRED_USER]) == 0)
			return cred[MAUI_CRED_ACCOUNT];
	}
	return NULL;
}

static int read_credentials(json_object *args, struct asked *a, struct maui_query_error *error)
{
	if (maui_message_text(args, "user", &a->cred[MAUI_CRED_USER], error) ||
	    maui_message_text(args, "group", &a->cred[MAUI_CRED_GROUP], error) ||
	    maui_message_text(args, "account", &a->cred[MAUI_CRED_ACCOUNT], error) ||
	    maui_message_text(args, "qos", &a->cred[MAUI_CRED_QOS], error) ||
	    maui_message_text(args, "partition", &a->partition, error))
		return -1;
	if (!a->cred[MAUI_CRED_USER])
		return maui_query_fail(error, MAUI_QUERY_BAD, "no user is named");
	if (!a->cred[MAUI_CRED_ACCOUNT])
		a->cred[MAUI_CRED_ACCOUNT] = find_account(a);
	return 0;
}

/* What the partition gives a job that does not say otherwise. */
static struct maui_document_partition rules_of(const struct asked *a, uint32_t partition)
{
	static const struct maui_document_partition unknown = { .up = true,
								.memory = true,
								.max_time_s = MAUI_NEVER };

	return a->p->partitions ? a->p->partitions[partition] : unknown;
}

/* A job's request, with the vectors that it points to. */
struct request {
	struct maui_request r;
	int64_t *per_node, *per_proc, *least;
};

static void fill_request(const struct asked *a, const struct maui_document_partition *rules,
			 struct request *ret)
{
	ret->r = (struct maui_request){ .nodes_min = a->nodes > 0 ? (uint32_t)a->nodes : 1,
					.nodes_max = (uint32_t)a->nodes,
					.tasks = (uint64_t)a->tasks,
					.procs_per_task = (uint32_t)a->cpus,
					.per_node = ret->per_node,
					.per_proc = ret->per_proc,
					.least = ret->least,
					.whole_nodes = a->whole || rules->whole_nodes,
					.sole_user = rules->sole_user,
					.nodes_named = a->nodes > 0,
					.features = a->features };
	for (unsigned d = 0; d < a->s->amount_count; d++)
		ret->per_node[d] = ret->per_proc[d] = ret->least[d] = 0;
	if (a->s->amount_count <= MAUI_AMOUNT_MEM)
		return;
	if (!rules->memory)
		ret->least[MAUI_AMOUNT_MEM] = a->mem;
	else if (a->mem > 0)
		ret->per_node[MAUI_AMOUNT_MEM] = a->mem;
	else if (a->mem_per_cpu > 0)
		ret->per_proc[MAUI_AMOUNT_MEM] = a->mem_per_cpu;
	else {
		ret->per_node[MAUI_AMOUNT_MEM] = rules->mem_per_node;
		ret->per_proc[MAUI_AMOUNT_MEM] = rules->mem_per_cpu;
	}
}

/* ---- the answer ---- */

static json_object *window_json(const struct asked *a, const struct maui_window *window)
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

/* The windows with at least so many nodes; of too many the first, the last, and some between. */
static json_object *windows_json(const struct asked *a, const struct maui_offers *offers)
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

static int put_offers(const struct asked *a, const struct maui_offer_question *q,
		      struct maui_object *o)
{
	struct maui_offers offers;

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

/* For a job without a time limit: the longest one with which nodes let it start now; 0: none. */
static int find_longest(const struct asked *a, struct maui_offer_question q, int64_t *ret_s)
{
	struct maui_would_start would;

	q.throttle = NULL;
	if (maui_explain_would_start(a->x, &q, false, &would))
		return -1;
	*ret_s = would.now ? q.limit_s : would.longest_s;
	return 0;
}

static void put_reasons(const struct asked *a, const struct maui_document_partition *rules,
			const struct maui_would_start *would, struct maui_object *o)
{
	struct maui_strbuf reasons = { 0 };

	if (a->limit_s != MAUI_NEVER && a->limit_s > rules->max_time_s)
		maui_strbuf_addf(&reasons, "the time limit is above the partition's MaxTime\n");
	if (!rules->up)
		maui_strbuf_addf(&reasons, "the partition starts no jobs now\n");
	o->failed |= would->e.verdict->blocks && maui_explain_all(&would->e, &reasons);
	maui_object_put(o, "reasons", maui_lines_to_json(reasons.text ? reasons.text : ""));
	maui_strbuf_finish(&reasons);
}

/* A job of the shape: whether it starts, and what would help. */
static int put_shape(const struct asked *a, const struct maui_offer_question *q,
		     const struct maui_document_partition *rules, struct maui_object *ret)
{
	struct maui_offer_question asked = *q;
	struct maui_object o;
	struct maui_would_start would;
	bool too_long = a->limit_s != MAUI_NEVER && a->limit_s > rules->max_time_s;
	int64_t longest_s = 0;

	if (asked.limit_s > rules->max_time_s)
		asked.limit_s = rules->max_time_s;
	if (a->limit_s == MAUI_NEVER && find_longest(a, asked, &longest_s))
		return -1;
	if (a->limit_s == MAUI_NEVER)
		asked.limit_s = longest_s > 0 && longest_s < LEAST_S ? longest_s : LEAST_S;
	if (maui_explain_would_start(a->x, &asked, true, &would))
		return -1;
	longest_s = longest_s > 0 ? longest_s : would.longest_s;
	o = maui_object_make();
	maui_object_put(&o, "starts_now",
			json_object_new_boolean(would.now && rules->up && !too_long));
	maui_object_put_time(&o, "earliest", would.earliest_s);
	maui_object_put_time(&o, "starts_with_limit", longest_s ? longest_s : MAUI_NEVER);
	maui_object_put_time(&o, "starts_on_nodes",
			     would.fewer_nodes ? would.fewer_nodes : MAUI_NEVER);
	put_reasons(a, rules, &would, &o);
	maui_object_put(ret, "shape", maui_object_finish(&o));
	return 0;
}

static int put_graph(const struct asked *a, const struct maui_offer_question *q,
		     struct maui_object *o)
{
	int64_t procs[MAUI_FITS_PARTS], part_s = a->horizon_s / a->parts;
	json_object *list;

	part_s = part_s > 0 ? part_s : 1;
	if (maui_explain_free(a->x, q, part_s, (uint32_t)a->parts, procs))
		return -1;
	list = json_object_new_array();
	for (int64_t i = 0; list && i < a->parts; i++)
		o->failed |= json_object_array_add(list, json_object_new_int64(procs[i])) != 0;
	maui_object_put_number(o, "free_step", part_s);
	maui_object_put(o, "free_procs", list);
	return 0;
}

static int64_t procs_of(const struct asked *a, uint32_t partition)
{
	int64_t procs = 0;

	for (uint32_t n = 0; n < a->s->node_count; n++)
		for (uint32_t i = 0; i < a->s->nodes[n].partition_count; i++)
			if (a->s->nodes[n].partitions[i] == partition)
				procs += a->s->nodes[n].have[MAUI_AMOUNT_PROCS];
	return procs;
}

/* The question about one partition. */
static void ask(const struct asked *a, uint32_t partition, struct request *request,
		struct maui_offer_question *ret)
{
	const struct maui_document_partition rules = rules_of(a, partition);

	fill_request(a, &rules, request);
	*ret = (struct maui_offer_question){ .partition = partition,
					     .request = &request->r,
					     .limit_s = a->limit_s,
					     .advres = a->reservation,
					     .throttle = a->throttle };
	memcpy(ret->cred, a->cred, sizeof(ret->cred));
	ret->cred[MAUI_CRED_CLASS] = a->s->partitions[partition].name;
	if (!ret->cred[MAUI_CRED_QOS])
		ret->cred[MAUI_CRED_QOS] = maui_qos_default(a->p->plan->config, ret->cred);
}

static json_object *partition_json(const struct asked *a, uint32_t partition)
{
	int64_t vectors[3][a->s->amount_count];
	struct request request = { .per_node = vectors[0],
				   .per_proc = vectors[1],
				   .least = vectors[2] };
	const struct maui_document_partition rules = rules_of(a, partition);
	struct maui_object o = maui_object_make();
	struct maui_offer_question q;

	ask(a, partition, &request, &q);
	maui_object_put_text(&o, "name", a->s->partitions[partition].name);
	maui_object_put(&o, "default", json_object_new_boolean(rules.is_default));
	maui_object_put(&o, "up", json_object_new_boolean(rules.up));
	maui_object_put_time(&o, "max_time", rules.max_time_s);
	maui_object_put_number(&o, "procs", procs_of(a, partition));
	maui_object_put_text(&o, "qos", q.cred[MAUI_CRED_QOS]);
	o.failed |= put_offers(a, &q, &o) || (a->shaped && put_shape(a, &q, &rules, &o)) ||
		    (a->parts > 0 && put_graph(a, &q, &o));
	return maui_object_finish(&o);
}

static json_object *partitions_json(const struct asked *a)
{
	json_object *list = json_object_new_array();
	uint32_t count = 0;

	for (uint32_t i = 0; list && i < a->s->partition_count && count < MAUI_FITS_PARTITIONS;
	     i++) {
		json_object *partition;

		if (a->partition && strcmp(a->partition, a->s->partitions[i].name) != 0)
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
	return maui_object_finish(&o);
}

/* The reservations that admit the user in one of the partitions, as far as the asker sees them. */
static json_object *reservations_json(const struct asked *a)
{
	const struct maui_standing_input *standing = a->p->plan->standing;
	uint32_t count = standing ? standing->count : 0;
	int64_t vectors[3][a->s->amount_count];
	struct request request = { .per_node = vectors[0],
				   .per_proc = vectors[1],
				   .least = vectors[2] };
	json_object *list = json_object_new_array();
	struct maui_arena arena = { 0 };
	bool *admits = maui_arena_alloc(&arena, 2 * (count + 1u) * sizeof(*admits));
	bool failed = !admits || !list;

	for (uint32_t i = 0; !failed && count > 0 && i < a->s->partition_count; i++) {
		struct maui_offer_question q;

		if (a->partition && strcmp(a->partition, a->s->partitions[i].name) != 0)
			continue;
		ask(a, i, &request, &q);
		failed = maui_explain_admitting(a->x, &q, admits + count + 1) != 0;
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

static json_object *make_answer(struct asked *a, struct maui_query_error *error)
{
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "cluster", a->p->cluster);
	maui_object_put_number(&o, "time", a->p->plan->now_s);
	maui_object_put_text(&o, "user", a->cred[MAUI_CRED_USER]);
	maui_object_put_text(&o, "group", a->cred[MAUI_CRED_GROUP]);
	maui_object_put_text(&o, "account", a->cred[MAUI_CRED_ACCOUNT]);
	maui_object_put_text(&o, "qos", a->cred[MAUI_CRED_QOS]);
	maui_object_put(&o, "partitions", partitions_json(a));
	maui_object_put(&o, "reservations", reservations_json(a));
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}

static bool has_partition(const struct asked *a)
{
	for (uint32_t i = 0; i < a->s->partition_count; i++)
		if (strcmp(a->partition, a->s->partitions[i].name) == 0)
			return true;
	return false;
}

json_object *maui_fits_json(const struct maui_document *p, json_object *args, uid_t uid,
			    struct maui_query_error *error)
{
	struct asked a = { .p = p, .uid = uid };
	json_object *answer = NULL;

	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	a.s = p->plan->snapshot;
	if (read_credentials(args, &a, error) || read_shape(args, &a, error))
		return NULL;
	if (a.partition && !has_partition(&a)) {
		maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no partition '%.64s'", a.partition);
		return NULL;
	}
	a.x = maui_explainer_create(p->plan);
	a.throttle = maui_plan_throttle(p->plan);
	if (a.x && a.throttle)
		answer = make_answer(&a, error);
	else
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	maui_throttle_destroy(a.throttle);
	maui_explainer_destroy(a.x);
	return answer;
}
