/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_question.c - reads what showbf and maui fits ask, and asks it of one partition */

#include "answers/fits_question.h"

#include <stdio.h>
#include <string.h>

#include "answers/own_creds.h"
#include "base/limits.h"
#include "model/features.h"
#include "model/gres.h"
#include "model/options.h"
#include "plan/finished.h"
#include "policy/qos.h"

/* A list of generic resources as a vector; NULL: none are asked for. */
static int read_gres(const struct maui_fits_asked *a, const char *text, int64_t **ret)
{
	struct maui_err err;

	if (!text)
		return 0;
	*ret = maui_question_alloc(a->question, a->s->amount_count, sizeof(**ret));
	if (!*ret)
		return -1;
	return maui_gres_add(a->s, text, *ret, &err) ?
		       maui_query_fail(a->question->error, MAUI_QUERY_NOT_FOUND, "%s", err.text) :
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

/* A reservation of slurm-maui by its name, or a Slurm reservation, whose nodes alone are known. */
static int find_reservation(struct maui_fits_asked *a)
{
	const char *name = a->args->reservation;

	if (!name || is_ours(a, name))
		return 0;
	a->claimed = !maui_document_hides_rsvs(a->p, a->question->uid) &&
		     maui_options_find_claim(a->s, name, &a->claim);
	if (a->claimed)
		return 0;
	return maui_query_fail(a->question->error, MAUI_QUERY_NOT_FOUND,
			       "no reservation '%.64s' visible to you (a Slurm reservation needs "
			       "nodes, and PrivateData may hide it)",
			       name);
}

static int check_numbers(const struct maui_fits_asked *a)
{
	enum { MOST = 1000000000 };
	const struct maui_fits_args *args = a->args;
	const struct maui_fits_memory none = { 0 }, *memory = args->memory ? args->memory : &none;
	const struct {
		const char *name;
		int64_t value, most;
	} numbers[] = {
		{ "uid", args->uid == -1 ? 0 : args->uid, UINT32_MAX },
		{ "nodes", args->nodes, MOST },
		{ "nodes_max", args->nodes_max, MOST },
		{ "tasks", args->tasks, MOST },
		{ "cpus_per_task", args->cpus_per_task, MOST },
		{ "mem", memory->mem, MOST },
		{ "mem_per_cpu", memory->mem_per_cpu, MOST },
		{ "limit", args->limit, MAUI_NEVER },
		{ "least", args->least, MAUI_NEVER },
		{ "least_nodes", args->least_nodes, MOST },
		{ "horizon", args->horizon, MOST },
		{ "parts", args->parts, MAUI_FITS_PARTS },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].value < 0 || numbers[i].value > numbers[i].most)
			return maui_query_fail(a->question->error, MAUI_QUERY_BAD,
					       "%s is out of range", numbers[i].name);
	if (args->features && strlen(args->features) > MAUI_REQUEST_MAX_FEATURES)
		return maui_query_fail(a->question->error, MAUI_QUERY_BAD,
				       "features has at most %d bytes", MAUI_REQUEST_MAX_FEATURES);
	if (!maui_features_valid(args->features))
		return maui_query_fail(a->question->error, MAUI_QUERY_BAD,
				       "features: '%.64s' is no constraint of sbatch -C",
				       args->features);
	if (args->nodes_max > 0 && args->nodes_max < args->nodes)
		return maui_query_fail(a->question->error, MAUI_QUERY_BAD,
				       "nodes_max is below nodes");
	return 0;
}

/* Whether PrivateData keeps the limits, jobs and accounts of other users from the asker. */
static bool hides_others(const struct maui_fits_asked *a)
{
	const struct maui_document *p = a->p;

	return (p->privacy.hide_jobs || p->privacy.hide_usage || p->privacy.hide_users ||
		p->privacy.hide_accounts) &&
	       !maui_document_sees_all(p, a->question->uid);
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
	const char *name = maui_document_user_name(a->p, a->question->uid);

	for (size_t i = 0; !name && i < a->p->default_account_count; i++)
		if (a->p->default_accounts[i].uid == a->question->uid)
			name = a->p->default_accounts[i].user;
	return name;
}

/* A user may not ask about another one, whose limits and account the answer would reveal. While
 * slurmctld knows no name for the asker, the asker counts by number, as such a user's jobs do: a
 * subordinate id must not become the user who has that number for a name. */
static int keep_own_user(struct maui_fits_asked *a)
{
	const char *name = asker_name(a);
	const char *called = maui_document_user_called(a->p, a->question->uid);

	if (name && strcmp(name, a->args->user) != 0)
		return maui_query_denied(a->question->error, "PrivateData hides other users");
	snprintf(a->number, sizeof(a->number), "%u", (unsigned)a->question->uid);
	a->cred[MAUI_CRED_USER] = name ? name : called ? called : a->number;
	return 0;
}

/* A limit in use tells what jobs of an account, QOS or group run: only of those that the asker's
 * jobs have. The command always names a group, so that another one is left out, not refused. */
static int keep_own_kinds(struct maui_fits_asked *a, const struct maui_own_creds *own)
{
	static const int kinds[] = { MAUI_CRED_GROUP, MAUI_CRED_ACCOUNT, MAUI_CRED_QOS };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char **name = &a->cred[kinds[i]];
		const char *other = kinds[i] == MAUI_CRED_ACCOUNT ? find_account(a) : NULL;

		if (!*name || maui_own_creds_shows(own, (enum maui_cred_kind)kinds[i], *name) ||
		    (other && strcmp(other, *name) == 0))
			continue;
		if (kinds[i] != MAUI_CRED_GROUP)
			return maui_query_denied(a->question->error,
						 "PrivateData hides %s '%.64s', which "
						 "none of your jobs has",
						 maui_cred_name((enum maui_cred_kind)kinds[i]),
						 *name);
		*name = NULL;
	}
	return 0;
}

static int keep_own(struct maui_fits_asked *a)
{
	struct maui_own_creds own;
	int rc;

	if (!a->hides_others)
		return 0;
	if (keep_own_user(a))
		return -1;
	if (maui_own_creds_find_all(a->p, a->question->uid, &own)) {
		maui_question_no_memory(a->question);
		return -1;
	}
	rc = keep_own_kinds(a, &own);
	maui_own_creds_finish(&own);
	return rc;
}

/* Under PrivateData=partitions a user learns of the partitions that the question names, as with
 * `sbatch --test-only`; without a name, of the one where such a job goes. */
bool maui_fits_asks(const struct maui_fits_asked *a, uint32_t partition)
{
	const struct maui_partition *part = &a->s->partitions[partition];

	if (a->partitions.count > 0)
		return maui_words_contain(&a->partitions, part->name);
	return part->is_default || !maui_document_hides_partitions(a->p, a->question->uid);
}

/* Whose groups Slurm looks at: the command names the user's id. */
static void find_uid(struct maui_fits_asked *a)
{
	const char *user = a->cred[MAUI_CRED_USER], *name = asker_name(a);
	bool own = a->hides_others || (name && strcmp(name, user) == 0);

	a->uid_known = true;
	if (own)
		a->uid = a->question->uid;
	else if (a->args->uid >= 0)
		a->uid = (uint32_t)a->args->uid;
	else
		a->uid_known = false;
}

static int read_credentials(struct maui_fits_asked *a)
{
	const struct maui_fits_args *args = a->args;

	if (!args->user)
		return maui_query_fail(a->question->error, MAUI_QUERY_BAD, "no user is named");
	a->cred[MAUI_CRED_USER] = args->user;
	a->cred[MAUI_CRED_GROUP] = args->group;
	a->cred[MAUI_CRED_ACCOUNT] = args->account;
	a->cred[MAUI_CRED_QOS] = args->qos;
	a->hides_others = hides_others(a);
	if (keep_own(a))
		return -1;
	find_uid(a);
	a->account_assumed = !args->account || !maui_fits_is_account(a, args->account);
	if (a->account_assumed)
		a->cred[MAUI_CRED_ACCOUNT] = find_account(a);
	return 0;
}

void maui_fits_finish(struct maui_fits_asked *a)
{
	maui_words_finish(&a->partitions);
}

int maui_fits_read(struct maui_fits_asked *a)
{
	if ((a->args->partition &&
	     maui_document_read_partitions(a->p, a->args->partition, &a->partitions,
					   a->question->error)) ||
	    read_credentials(a) || check_numbers(a) || maui_fits_check_names(a) ||
	    find_reservation(a) || read_gres(a, a->args->gres, &a->gres) ||
	    read_gres(a, a->args->gpus, &a->gpus))
		return -1;
	return 0;
}

static struct maui_job_options options_of(const struct maui_fits_asked *a)
{
	struct maui_job_options ret;

	maui_fits_options(a->args, &ret);
	ret.gres = a->gres;
	ret.gpus = a->gpus;
	ret.claim = a->claimed ? &a->claim : NULL;
	return ret;
}

int maui_fits_ask(const struct maui_fits_asked *a, uint32_t partition, bool least,
		  struct maui_offer_question *ret)
{
	struct maui_job_options options = options_of(a);
	struct maui_request *request = maui_question_alloc(a->question, 1, sizeof(*request));

	options.least = least;
	if (!request ||
	    maui_options_request(a->s, partition, &options, a->question->arena, request))
		return -1;
	*ret = (struct maui_offer_question){
		.partition = partition,
		.request = request,
		.limit_s = a->args->limit > 0 ? a->args->limit : MAUI_NEVER,
		.named_s = a->args->limit > a->args->least ? a->args->limit : a->args->least,
		.advres = a->claimed ? NULL : a->args->reservation,
		.uid_known = a->uid_known,
		.uid = a->uid,
		.primary_group = a->args->primary_group,
		.names_a_reservation = a->args->reservation,
		.throttle = a->throttle
	};
	memcpy(ret->cred, a->cred, sizeof(ret->cred));
	ret->cred[MAUI_CRED_CLASS] = a->s->partitions[partition].name;
	if (!ret->cred[MAUI_CRED_QOS])
		ret->cred[MAUI_CRED_QOS] = maui_qos_default(a->p->plan->config, ret->cred);
	return 0;
}
