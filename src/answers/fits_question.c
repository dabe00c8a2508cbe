/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_question.c - reads what showbf and maui fits ask, and asks it of one partition */

#include "answers/fits_question.h"

#include <stdio.h>
#include <string.h>

#include "answers/own_creds.h"
#include "base/limits.h"
#include "model/gres.h"
#include "plan/finished.h"
#include "policy/qos.h"

static int read_number(json_object *args, const char *key, int64_t absent, int64_t most,
		       int64_t *ret, struct maui_query_error *error)
{
	if (maui_message_number(args, key, absent, ret, error))
		return -1;
	return *ret < 0 || *ret > most ?
		       maui_query_fail(error, MAUI_QUERY_BAD, "%s is out of range", key) :
		       0;
}

/* A list of generic resources as a vector; NULL: none are asked for. */
static int read_gres(json_object *args, const char *key, struct maui_fits_asked *a, int64_t **ret,
		     struct maui_query_error *error)
{
	struct maui_err err;
	const char *text;

	if (maui_message_text(args, key, &text, error))
		return -1;
	if (!text)
		return 0;
	*ret = maui_arena_alloc(&a->arena, a->s->amount_count * sizeof(**ret));
	if (!*ret)
		return maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_gres_add(a->s, text, *ret, &err) ?
		       maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "%s", err.text) :
		       0;
}

/* A standing or administrative reservation, or one of its instances. */
static bool is_ours(const struct maui_fits_asked *a, const char *name)
{
	const struct maui_standing_input *standing = a->p->plan->standing;

	for (uint32_t i = 0; standing && i < standing->count; i++)
		if (maui_rsv_is_meant(standing->list[i], name))
			return true;
	return false;
}

/* One of our reservations by its name, or one of Slurm's, of which the plan knows only the
 * nodes. */
static int read_reservation(json_object *args, struct maui_fits_asked *a,
			    struct maui_query_error *error)
{
	if (maui_message_text(args, "reservation", &a->reservation, error))
		return -1;
	if (!a->reservation || is_ours(a, a->reservation))
		return 0;
	for (uint32_t i = 0; i < a->s->claim_count && !maui_document_hides_rsvs(a->p, a->uid); i++)
		if (a->s->claims[i].rsv == MAUI_CLAIM_FOREIGN &&
		    strcmp(a->s->claims[i].name, a->reservation) == 0) {
			a->claimed = true;
			a->claim = i;
			return 0;
		}
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND,
			       "no reservation '%.64s' visible to you (a Slurm reservation needs "
			       "nodes, and PrivateData may hide it)",
			       a->reservation);
}

static int read_shape(json_object *args, struct maui_fits_asked *a, struct maui_query_error *error)
{
	enum { MOST = 1000000000 };

	if (read_number(args, "nodes", 0, MOST, &a->nodes, error) ||
	    read_number(args, "nodes_max", a->nodes, MOST, &a->nodes_max, error) ||
	    read_number(args, "tasks", 0, MOST, &a->tasks, error) ||
	    read_number(args, "cpus_per_task", 1, MOST, &a->cpus, error) ||
	    read_number(args, "mem", 0, MOST, &a->mem, error) ||
	    read_number(args, "mem_per_cpu", 0, MOST, &a->mem_per_cpu, error) ||
	    read_number(args, "limit", 0, MAUI_NEVER, &a->limit_s, error) ||
	    read_number(args, "least", 0, MAUI_NEVER, &a->least_s, error) ||
	    read_number(args, "least_nodes", 0, MOST, &a->least_nodes, error) ||
	    read_number(args, "horizon", 0, MOST, &a->horizon_s, error) ||
	    read_number(args, "parts", 0, MAUI_FITS_PARTS, &a->parts, error) ||
	    maui_message_bool(args, "whole_nodes", &a->whole, error) ||
	    maui_message_text(args, "features", &a->features, error) ||
	    read_reservation(args, a, error) || read_gres(args, "gres", a, &a->gres, error) ||
	    read_gres(args, "gpus", a, &a->gpus, error))
		return -1;
	if (a->nodes_max < a->nodes)
		return maui_query_fail(error, MAUI_QUERY_BAD, "nodes_max is below nodes");
	if (a->cpus == 0 || (a->limit_s == 0 && json_object_object_get_ex(args, "limit", NULL)))
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "cpus_per_task and limit are above 0");
	a->names_memory = json_object_object_get_ex(args, "mem", NULL) ||
			  json_object_object_get_ex(args, "mem_per_cpu", NULL);
	a->shaped = a->nodes > 0 || a->tasks > 0 || a->gpus;
	return 0;
}

/* Whether PrivateData keeps the limits, jobs and accounts of other users from the asker. */
static bool hides_others(const struct maui_fits_asked *a)
{
	const struct maui_document *p = a->p;

	return (p->hide_jobs || p->hide_usage || p->hide_users || p->hide_accounts) &&
	       !maui_document_sees_all(p, a->uid);
}

/* The account that slurmctld gives a job of the user that names none. NULL: none. */
static const char *find_account(const struct maui_fits_asked *a)
{
	for (size_t i = 0; i < a->p->default_account_count; i++)
		if (strcmp(a->p->default_accounts[i].user, a->cred[MAUI_CRED_USER]) == 0)
			return a->p->default_accounts[i].account;
	return NULL;
}

/* The name that slurmctld knows for the asker's id. NULL: none yet. */
static const char *asker_name(const struct maui_fits_asked *a)
{
	const char *name = maui_document_user_name(a->p, a->uid);

	for (size_t i = 0; !name && i < a->p->default_account_count; i++)
		if (a->p->default_accounts[i].uid == a->uid)
			name = a->p->default_accounts[i].user;
	return name;
}

/* A user may not ask about another one, whose limits and account the answer would reveal. While
 * slurmctld knows no name for the asker, the asker counts by number, as such a user's jobs do. */
static int keep_own_user(struct maui_fits_asked *a, struct maui_query_error *error)
{
	const char *name = asker_name(a);

	if (name && strcmp(name, a->user) != 0)
		return maui_query_fail(error, MAUI_QUERY_DENIED,
				       "not permitted: PrivateData hides other users");
	snprintf(a->number, sizeof(a->number), "%u", (unsigned)a->uid);
	a->cred[MAUI_CRED_USER] = name ? name : a->number;
	return 0;
}

/* A limit in use tells what jobs of an account, QOS or group run: only of those that the asker's
 * jobs have. The command always names a group, so that another one is left out, not refused. */
static int keep_own_kinds(struct maui_fits_asked *a, const struct maui_own_creds *own,
			  struct maui_query_error *error)
{
	static const int kinds[] = { MAUI_CRED_GROUP, MAUI_CRED_ACCOUNT, MAUI_CRED_QOS };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char **name = &a->cred[kinds[i]];
		const char *other = kinds[i] == MAUI_CRED_ACCOUNT ? find_account(a) : NULL;

		if (!*name || maui_own_creds_shows(own, (enum maui_cred_kind)kinds[i], *name) ||
		    (other && strcmp(other, *name) == 0))
			continue;
		if (kinds[i] != MAUI_CRED_GROUP)
			return maui_query_fail(error, MAUI_QUERY_DENIED,
					       "not permitted: PrivateData hides %s '%.64s', which "
					       "none of your jobs has",
					       maui_cred_name((enum maui_cred_kind)kinds[i]),
					       *name);
		*name = NULL;
	}
	return 0;
}

static int keep_own(struct maui_fits_asked *a, struct maui_query_error *error)
{
	struct maui_own_creds own;
	int rc;

	if (!a->hides_others)
		return 0;
	if (keep_own_user(a, error))
		return -1;
	if (maui_own_creds_find_all(a->p, a->uid, &own))
		return maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	rc = keep_own_kinds(a, &own, error);
	maui_own_creds_finish(&own);
	return rc;
}

/* "batch", "batch,fast" */
static int read_partitions(json_object *args, struct maui_fits_asked *a,
			   struct maui_query_error *error)
{
	const char *text;

	if (maui_message_text(args, "partition", &text, error))
		return -1;
	return text ? maui_document_read_partitions(a->p, text, &a->partitions, error) : 0;
}

bool maui_fits_asks(const struct maui_fits_asked *a, uint32_t partition)
{
	return a->partitions.count == 0 ||
	       maui_words_contain(&a->partitions, a->s->partitions[partition].name);
}

static int read_credentials(json_object *args, struct maui_fits_asked *a,
			    struct maui_query_error *error)
{
	if (maui_message_text(args, "user", &a->user, error) ||
	    maui_message_text(args, "group", &a->cred[MAUI_CRED_GROUP], error) ||
	    maui_message_text(args, "account", &a->cred[MAUI_CRED_ACCOUNT], error) ||
	    maui_message_text(args, "qos", &a->cred[MAUI_CRED_QOS], error) ||
	    read_partitions(args, a, error))
		return -1;
	if (!a->user)
		return maui_query_fail(error, MAUI_QUERY_BAD, "no user is named");
	a->cred[MAUI_CRED_USER] = a->user;
	a->hides_others = hides_others(a);
	if (keep_own(a, error))
		return -1;
	a->account_assumed = !a->cred[MAUI_CRED_ACCOUNT];
	if (a->account_assumed)
		a->cred[MAUI_CRED_ACCOUNT] = find_account(a);
	return 0;
}

void maui_fits_finish(struct maui_fits_asked *a)
{
	maui_words_finish(&a->partitions);
	maui_arena_finish(&a->arena);
}

int maui_fits_read(json_object *args, struct maui_fits_asked *a, struct maui_query_error *error)
{
	return read_credentials(args, a, error) || read_shape(args, a, error) ? -1 : 0;
}

struct maui_fits_request maui_fits_request_in(const struct maui_fits_asked *a, int64_t *amounts)
{
	const size_t count = a->s->amount_count;

	return (struct maui_fits_request){ .per_node = amounts,
					   .per_task = amounts + count,
					   .per_proc = amounts + 2 * count,
					   .least = amounts + 3 * count };
}

struct maui_document_partition maui_fits_rules(const struct maui_fits_asked *a, uint32_t partition)
{
	static const struct maui_document_partition unknown = { .up = true, .memory = true };

	return a->p->partitions ? a->p->partitions[partition] : unknown;
}

/* -1 without memory. */
static int fill_request(const struct maui_fits_asked *a, uint32_t partition,
			const struct maui_document_partition *rules, struct maui_fits_request *ret)
{
	bool all_memory = rules->memory && (a->names_memory ? a->mem == 0 && a->mem_per_cpu == 0 :
							      rules->all_memory);

	ret->r = (struct maui_request){ .nodes_min = a->nodes > 0 ? (uint32_t)a->nodes : 1,
					.nodes_max = (uint32_t)a->nodes_max,
					.tasks = (uint64_t)a->tasks,
					.procs_per_task = (uint32_t)a->cpus,
					.per_node = ret->per_node,
					.per_task = ret->per_task,
					.per_proc = ret->per_proc,
					.least = ret->least,
					.whole_nodes = a->whole || rules->whole_nodes || all_memory,
					.sole_user = rules->sole_user,
					.nodes_named = a->nodes > 0,
					.claims = a->claimed ? &a->claim : NULL,
					.claim_count = a->claimed,
					.only_claims = a->claimed && !a->s->claims[a->claim].flex,
					.passes_shares = a->claimed,
					.features = a->features };
	for (unsigned d = 0; d < a->s->amount_count; d++)
		ret->per_node[d] = ret->per_task[d] = ret->per_proc[d] = ret->least[d] = 0;
	for (unsigned d = 0; a->gres && d < a->s->amount_count; d++)
		ret->per_node[d] = a->gres[d];
	if (a->gpus &&
	    maui_gres_deal_all(a->s, partition, a->gpus, &ret->r, ret->per_node, ret->per_task))
		return -1;
	if (a->s->amount_count <= MAUI_AMOUNT_MEM)
		return 0;
	if (!rules->memory)
		ret->least[MAUI_AMOUNT_MEM] = a->mem;
	else {
		ret->per_node[MAUI_AMOUNT_MEM] = a->names_memory ? a->mem : rules->mem_per_node;
		ret->per_proc[MAUI_AMOUNT_MEM] =
			a->names_memory ? a->mem_per_cpu : rules->mem_per_cpu;
	}
	return 0;
}

bool maui_fits_qos_is_open(const struct maui_fits_asked *a, const struct maui_offer_question *q)
{
	return !q->cred[MAUI_CRED_QOS] ||
	       maui_qos_allowed(a->p->plan->config, q->cred, q->cred[MAUI_CRED_QOS]);
}

int maui_fits_ask(const struct maui_fits_asked *a, uint32_t partition,
		  struct maui_fits_request *request, struct maui_offer_question *ret)
{
	const struct maui_document_partition rules = maui_fits_rules(a, partition);

	if (fill_request(a, partition, &rules, request))
		return -1;
	*ret = (struct maui_offer_question){ .partition = partition,
					     .request = &request->r,
					     .limit_s = a->limit_s > 0 ? a->limit_s : MAUI_NEVER,
					     .advres = a->claimed ? NULL : a->reservation,
					     .throttle = a->throttle };
	memcpy(ret->cred, a->cred, sizeof(ret->cred));
	ret->cred[MAUI_CRED_CLASS] = a->s->partitions[partition].name;
	if (!ret->cred[MAUI_CRED_QOS])
		ret->cred[MAUI_CRED_QOS] = maui_qos_default(a->p->plan->config, ret->cred);
	return 0;
}
