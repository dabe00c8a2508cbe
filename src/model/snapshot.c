/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - fills a snapshot: copies everything, and checks references */

#include "model/snapshot.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bulk.h"
#include "model/admission.h"
#include "model/decision.h"
#include "model/snapshot_private.h"

static atomic_uint_fast64_t last_serial;

struct maui_snapshot *maui_snapshot_create(unsigned amount_count)
{
	struct maui_snapshot *s = calloc(1, sizeof(*s));

	if (!s || amount_count < 1) {
		free(s);
		return NULL;
	}
	s->serial = atomic_fetch_add(&last_serial, 1) + 1;
	s->refs = 1;
	s->amount_count = amount_count;
	s->store = calloc(1, sizeof(*s->store));
	if (!s->store) {
		free(s);
		return NULL;
	}
	return s;
}

struct maui_snapshot *maui_snapshot_ref(struct maui_snapshot *s)
{
	__atomic_add_fetch(&s->refs, 1, __ATOMIC_RELAXED);
	return s;
}

void maui_snapshot_destroy(struct maui_snapshot *s)
{
	if (!s || __atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	MAUI_SNAPSHOT_FREE(s, partitions);
	MAUI_SNAPSHOT_FREE(s, nodes);
	MAUI_SNAPSHOT_FREE(s, classes);
	MAUI_SNAPSHOT_FREE(s, requests);
	MAUI_SNAPSHOT_FREE(s, creds);
	MAUI_SNAPSHOT_FREE(s, claims);
	MAUI_SNAPSHOT_FREE(s, global_claims);
	MAUI_SNAPSHOT_FREE(s, active);
	MAUI_SNAPSHOT_FREE(s, idle);
	maui_admission_unref(s->admission);
	maui_hashtable_finish(&s->store->request_table);
	maui_hashtable_finish(&s->store->cred_table);
	maui_hashtable_finish(&s->store->user_table);
	maui_strbuf_finish(&s->store->key);
	maui_arena_finish(&s->store->arena);
	free(s->store);
	free(s);
}

int maui_snapshot_grow(void **array, size_t count, size_t *room, size_t size)
{
	void *grown = count < UINT32_MAX ? maui_bulk_grow(*array, count, room, size) : NULL;

	if (!grown)
		return -1;
	*array = grown;
	return 0;
}

void *maui_snapshot_copy(struct maui_snapshot *s, const void *data, size_t size)
{
	void *copy = data && size > 0 ? maui_arena_alloc(&s->store->arena, size) : NULL;

	return copy ? memcpy(copy, data, size) : NULL;
}

int maui_snapshot_name_amount(struct maui_snapshot *s, unsigned dimension, const char *name)
{
	if (!s->amount_names)
		s->amount_names = maui_arena_alloc(&s->store->arena,
						   s->amount_count * sizeof(*s->amount_names));
	if (!s->amount_names || dimension >= s->amount_count)
		return -1;
	s->amount_names[dimension] = maui_arena_strdup(&s->store->arena, name);
	return s->amount_names[dimension] ? 0 : -1;
}

const int64_t *maui_snapshot_amounts(struct maui_snapshot *s, const int64_t *amounts)
{
	return maui_snapshot_copy(s, amounts, s->amount_count * sizeof(*amounts));
}

/* Whether each of `count` indices is below `limit`. */
static bool all_below(const uint32_t *list, uint32_t count, uint32_t limit)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] >= limit)
			return false;
	return true;
}

int64_t maui_snapshot_add_partition(struct maui_snapshot *s, const struct maui_partition *partition)
{
	struct maui_partition *p;

	if (s->node_count > 0 || partition->cap_amount >= s->amount_count ||
	    MAUI_SNAPSHOT_GROW(s, partitions, partition_count, partitions))
		return -1;
	p = &s->partitions[s->partition_count];
	*p = *partition;
	p->name = maui_arena_strdup(&s->store->arena, partition->name);
	return p->name ? (int64_t)s->partition_count++ : -1;
}

/* Shares with the node before it what is equal there, and copies the rest. */
static void copy_node(struct maui_snapshot *s, const struct maui_node *node,
		      const struct maui_node *before, struct maui_node *n)
{
	size_t have_size = s->amount_count * sizeof(*n->have);
	size_t list_size = node->partition_count * sizeof(*n->partitions);

	n->have = before && memcmp(before->have, node->have, have_size) == 0 ?
			  before->have :
			  maui_snapshot_amounts(s, node->have);
	n->features = before && before->features && node->features &&
				      strcmp(before->features, node->features) == 0 ?
			      before->features :
			      maui_arena_strdup(&s->store->arena, node->features);
	n->note = before && before->note && node->note && strcmp(before->note, node->note) == 0 ?
			  before->note :
			  maui_arena_strdup(&s->store->arena, node->note);
	n->partitions =
		before && before->partition_count == node->partition_count && list_size > 0 &&
				memcmp(before->partitions, node->partitions, list_size) == 0 ?
			before->partitions :
			maui_snapshot_copy(s, node->partitions, list_size);
}

int64_t maui_snapshot_add_node(struct maui_snapshot *s, const struct maui_node *node)
{
	struct maui_node *n;

	if (s->sealed || !all_below(node->partitions, node->partition_count, s->partition_count) ||
	    (s->switch_count > 0 && node->leaf != MAUI_NO_SWITCH &&
	     node->leaf >= s->switch_count) ||
	    MAUI_SNAPSHOT_GROW(s, nodes, node_count, nodes))
		return -1;
	n = &s->nodes[s->node_count];
	*n = *node;
	n->name = maui_arena_strdup(&s->store->arena, node->name ? node->name : "");
	copy_node(s, node, s->node_count > 0 ? n - 1 : NULL, n);
	n->unit = node->unit > 0 ? node->unit : 1;
	n->leaf = s->switch_count > 0 ? node->leaf : MAUI_NO_SWITCH;
	if (!n->name || !n->have || (node->features && !n->features) || (node->note && !n->note) ||
	    (node->partition_count > 0 && !n->partitions))
		return -1;
	return s->node_count++;
}

int maui_snapshot_set_switches(struct maui_snapshot *s, const struct maui_switch *list,
			       uint32_t count)
{
	if (s->node_count > 0 || s->switch_count > 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (list[i].parent != MAUI_NO_SWITCH &&
		    (list[i].parent <= i || list[i].parent >= count))
			return -1;
	s->switches = maui_snapshot_copy(s, list, count * sizeof(*list));
	if (count > 0 && !s->switches)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		s->switches[i].name =
			maui_arena_strdup(&s->store->arena, list[i].name ? list[i].name : "");
		if (!s->switches[i].name)
			return -1;
	}
	s->switch_count = count;
	return 0;
}

int maui_snapshot_set_global(struct maui_snapshot *s, const int64_t *amounts)
{
	s->global = maui_snapshot_amounts(s, amounts);
	return s->global || !amounts ? 0 : -1;
}

int maui_snapshot_set_with_whole_nodes(struct maui_snapshot *s, const int64_t *amounts)
{
	s->with_whole_nodes = maui_snapshot_amounts(s, amounts);
	return s->with_whole_nodes || !amounts ? 0 : -1;
}

static int compare_rules(const void *a, const void *b)
{
	const struct maui_preemption_rule *one = a, *two = b;

	if (one->preemptor != two->preemptor)
		return one->preemptor < two->preemptor ? -1 : 1;
	return (one->preemptee > two->preemptee) - (one->preemptee < two->preemptee);
}

int maui_snapshot_set_preemption(struct maui_snapshot *s, const struct maui_preemption_rule *list,
				 uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (compare_rules(&list[i - 1], &list[i]) >= 0)
			return -1;
	s->preemption_rules = maui_snapshot_copy(s, list, count * sizeof(*list));
	if (count > 0 && !s->preemption_rules)
		return -1;
	s->preemption_rule_count = count;
	s->slurm_preempts = true;
	return 0;
}

unsigned maui_snapshot_preempts(const struct maui_snapshot *s, uint32_t preemptor,
				uint32_t preemptee)
{
	const struct maui_preemption_rule key = { .preemptor = preemptor, .preemptee = preemptee },
					  *found;

	if (s->preemption_rule_count == 0)
		return 0;
	found = bsearch(&key, s->preemption_rules, s->preemption_rule_count, sizeof(key),
			compare_rules);
	return found ? found->whom : 0;
}

int64_t maui_snapshot_keep_global(struct maui_snapshot *s, const struct maui_global_claim *claim)
{
	struct maui_global_claim *c;

	if (MAUI_SNAPSHOT_GROW(s, global_claims, global_claim_count, global_claims))
		return -1;
	c = &s->global_claims[s->global_claim_count];
	*c = *claim;
	c->name = maui_arena_strdup(&s->store->arena, claim->name ? claim->name : "");
	c->amounts = maui_snapshot_amounts(s, claim->amounts);
	return c->name && c->amounts ? (int64_t)s->global_claim_count++ : -1;
}

int64_t maui_snapshot_add_claim(struct maui_snapshot *s, const struct maui_claim *claim)
{
	struct maui_claim *c;

	if (!s->sealed || !all_below(claim->nodes, claim->node_count, s->node_count) ||
	    MAUI_SNAPSHOT_GROW(s, claims, claim_count, claims))
		return -1;
	c = &s->claims[s->claim_count];
	*c = *claim;
	c->name = maui_arena_strdup(&s->store->arena, claim->name ? claim->name : "");
	c->nodes = maui_snapshot_copy(s, claim->nodes, claim->node_count * sizeof(*c->nodes));
	if (claim->amounts)
		c->amounts = maui_snapshot_copy(s, claim->amounts,
						(size_t)claim->node_count * s->amount_count *
							sizeof(*c->amounts));
	return c->name && (c->nodes || claim->node_count == 0) && (c->amounts || !claim->amounts) ?
		       (int64_t)s->claim_count++ :
		       -1;
}

static int copy_shares(struct maui_snapshot *s, struct maui_piece *piece)
{
	for (uint32_t i = 0; i < piece->share_count; i++)
		if (piece->shares[i].claim >= s->claim_count)
			return -1;
	piece->shares =
		maui_snapshot_copy(s, piece->shares, piece->share_count * sizeof(*piece->shares));
	return piece->share_count > 0 && !piece->shares ? -1 : 0;
}

int64_t maui_snapshot_add_active(struct maui_snapshot *s, const struct maui_active *active)
{
	struct maui_piece *pieces;
	struct maui_active *a;
	int64_t given = 0, held = 0;

	if (!s->sealed || active->creds >= s->cred_count)
		return -1;
	for (uint32_t i = 0; i < active->piece_count; i++)
		if (active->pieces[i].node >= s->node_count)
			return -1;
	if (MAUI_SNAPSHOT_GROW(s, active, active_count, active))
		return -1;
	a = &s->active[s->active_count];
	*a = *active;
	pieces = maui_snapshot_copy(s, active->pieces, active->piece_count * sizeof(*pieces));
	a->pieces = pieces;
	a->global = maui_snapshot_amounts(s, active->global);
	if (active->advres && !(a->advres = maui_arena_strdup(&s->store->arena, active->advres)))
		return -1;
	if ((!pieces && active->piece_count > 0) || (active->global && !a->global))
		return -1;
	for (uint32_t i = 0; i < active->piece_count; i++) {
		bool same = i > 0 && active->pieces[i].amounts == active->pieces[i - 1].amounts;

		pieces[i].amounts = same ? pieces[i - 1].amounts :
					   maui_snapshot_amounts(s, active->pieces[i].amounts);
		if (!pieces[i].amounts)
			return -1;
		held += pieces[i].amounts[MAUI_AMOUNT_PROCS];
		given += pieces[i].amounts[MAUI_AMOUNT_PROCS] + pieces[i].resumes;
		if (copy_shares(s, &pieces[i]))
			return -1;
	}
	if (a->procs < held)
		a->procs = held;
	if (a->asked_tasks <= 0)
		a->asked_tasks = given;
	if (a->asked_procs <= 0)
		a->asked_procs = given;
	return s->active_count++;
}

/* The processors of the job that belong to the claim: all of them, if it may run nowhere else. */
static uint32_t own_share(const struct maui_snapshot *s, const struct maui_request *request,
			  const int64_t *amounts, struct maui_share *ret)
{
	for (uint32_t i = 0; request->only_claims && i < request->claim_count; i++)
		if (s->claims[request->claims[i]].amounts) {
			*ret = (struct maui_share){ request->claims[i],
						    amounts[MAUI_AMOUNT_PROCS] };
			return 1;
		}
	return 0;
}

/* Adds the job with what its places say. */
static int64_t launch_on_places(struct maui_snapshot *s, const struct maui_start *start,
				const struct maui_request *request, struct maui_active *active)
{
	struct maui_piece *pieces = calloc(start->place_count + 1u, sizeof(*pieces));
	struct maui_share *shares = calloc(start->place_count + 1u, sizeof(*shares));
	int64_t index = -1;

	for (uint32_t i = 0; pieces && shares && i < start->place_count; i++) {
		const int64_t *amounts = start->places[i].amounts;

		pieces[i] = (struct maui_piece){ .node = start->places[i].node,
						 .amounts = amounts,
						 .shares = &shares[i] };
		pieces[i].share_count = own_share(s, request, amounts, &shares[i]);
	}
	if (pieces && shares) {
		active->pieces = pieces;
		active->piece_count = start->place_count;
		index = maui_snapshot_add_active(s, active);
		active->pieces = NULL;
	}
	free(pieces);
	free(shares);
	return index;
}

int64_t maui_snapshot_launch(struct maui_snapshot *s, const struct maui_start *start,
			     struct maui_active *active)
{
	const struct maui_idle *idle = &s->idle[start->job];
	const struct maui_request *request = &s->requests[maui_idle_request(idle, start->row)];

	active->creds = idle->rows[start->row].creds;
	active->end_s = maui_when_add(active->start_s, start->limit_s);
	active->global = request->global;
	active->asked_tasks = maui_request_task_count(&s->requests[maui_idle_request(idle, 0)]);
	active->asked_procs = idle->procs;
	if (!start->slurm_chooses)
		maui_job_raise(&active->job, &start->holds);
	active->advres = idle->advres;
	active->sole_user = request->sole_user;
	return active->pieces ? maui_snapshot_add_active(s, active) :
				launch_on_places(s, start, request, active);
}

void maui_snapshot_set_request(struct maui_snapshot *s, uint32_t job, uint32_t row,
			       uint32_t request)
{
	struct maui_idle *idle = &s->idle[job];

	/* the snapshot made its own copy of the rows */
	((struct maui_row *)idle->rows)[row].own_request =
		request == idle->request ? 0 : request + 1;
}

void maui_snapshot_set_row(const struct maui_idle *idle, uint32_t row, bool refused,
			   int64_t busy_until_s)
{
	struct maui_row *own = (struct maui_row *)&idle->rows[row]; /* as above */

	own->refused = refused;
	own->busy_until_s = busy_until_s;
}

int maui_snapshot_spare(struct maui_snapshot *s, uint32_t job, const uint32_t *nodes,
			uint32_t count)
{
	const uint32_t *copy = maui_snapshot_copy(s, nodes, count * sizeof(*nodes));

	s->idle[job].spared = copy;
	s->idle[job].spared_count = copy ? count : 0;
	return count > 0 && !copy ? -1 : 0;
}

int64_t maui_snapshot_add_idle(struct maui_snapshot *s, const struct maui_idle *idle)
{
	struct maui_idle *job;

	if (!s->sealed || idle->request >= s->request_count || idle->row_count < 1)
		return -1;
	for (uint32_t i = 0; i < idle->row_count; i++)
		if (idle->rows[i].partition >= s->partition_count ||
		    idle->rows[i].creds >= s->cred_count ||
		    idle->rows[i].own_request > s->request_count)
			return -1;
	if (MAUI_SNAPSHOT_GROW(s, idle, idle_count, idle))
		return -1;
	job = &s->idle[s->idle_count];
	*job = *idle;
	job->rows = maui_snapshot_copy(s, idle->rows, idle->row_count * sizeof(*job->rows));
	if (maui_snapshot_spare(s, s->idle_count, idle->spared, idle->spared_count))
		return -1;
	if (idle->advres && !(job->advres = maui_arena_strdup(&s->store->arena, idle->advres)))
		return -1;
	if (job->copies < 1)
		job->copies = 1;
	return job->rows ? (int64_t)s->idle_count++ : -1;
}

void maui_snapshot_drop_active(struct maui_snapshot *s, uint32_t index)
{
	s->active[index] = s->active[--s->active_count];
}

void maui_snapshot_drop_idle(struct maui_snapshot *s, const uint32_t *indices, uint32_t count)
{
	uint32_t kept = count ? indices[0] : s->idle_count;

	for (uint32_t i = 0; i < count; i++) { /* the jobs behind each move up */
		uint32_t next = i + 1 < count ? indices[i + 1] : s->idle_count;
		uint32_t length = next - indices[i] - 1;

		memmove(&s->idle[kept], &s->idle[indices[i] + 1], length * sizeof(*s->idle));
		kept += length;
	}
	s->idle_count = kept;
}
