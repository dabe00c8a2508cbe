/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_names.c - whether the account, QOS and features exist that showbf and maui fits are asked
 * about
 *
 * With slurmdbd its accounts and QOS exist, and each QOS that maui.cfg gives jobs; without it every
 * account, and each QOS that maui.cfg names. A name that a job has exists, too. Partitions,
 * reservations and generic resources are looked up where they are read.
 *
 * Rules: CMD-40.
 */

#include <string.h>
#include <strings.h>

#include "answers/fits_question.h"
#include "base/limits.h"
#include "config/check/known_names.h"
#include "model/features.h"
#include "plan/finished.h"

bool maui_fits_has_job_of(const struct maui_fits_asked *a, enum maui_cred_kind kind,
			  const char *name)
{
	for (uint32_t i = 0; i < a->s->cred_count; i++) {
		const char *other = a->s->creds[i].cred[kind];

		if (other && strcmp(other, name) == 0)
			return true;
	}
	return false;
}

/* Slurm does not tell upper case from lower case. */
static bool has_slurm(const char *const *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(list[i], name) == 0)
			return true;
	return false;
}

/* Whether QLIST or QDEF has the QOS; *any: they name some. */
static bool lists_qos(const struct maui_cred_config *cred, const char *name, bool *any)
{
	*any |= cred->qlist.count > 0 || cred->qdef;
	return maui_words_contain(&cred->qlist, name) ||
	       (cred->qdef && strcmp(cred->qdef, name) == 0);
}

/* Whether maui.cfg names the QOS, or names none at all, so that any may be a job's. */
static bool is_configured_qos(const struct maui_config *config, const char *name)
{
	const struct maui_creds *qos = &config->creds[MAUI_CRED_QOS];
	bool any = false;

	for (size_t i = 0; i < qos->count; i++) {
		if (strcmp(qos->list[i].name, name) == 0)
			return true;
		any |= strcmp(qos->list[i].name, "DEFAULT") != 0;
	}
	for (int kind = 0; kind < MAUI_CRED_COUNT; kind++)
		for (size_t i = 0; i < config->creds[kind].count; i++)
			if (lists_qos(&config->creds[kind].list[i], name, &any))
				return true;
	return lists_qos(&config->system, name, &any) || !any;
}

static bool is_qos(const struct maui_fits_asked *a, const char *name)
{
	const struct maui_slurm_names *slurm = a->p->slurm_names;
	const struct maui_config *config = a->p->plan->config;

	if (maui_fits_has_job_of(a, MAUI_CRED_QOS, name))
		return true;
	if (!slurm || slurm->qos_count == 0)
		return is_configured_qos(config, name);
	return has_slurm(slurm->qos, slurm->qos_count, name) ||
	       maui_config_gives_qos(config, name, !slurm->qos_needed);
}

bool maui_fits_is_account(const struct maui_fits_asked *a, const char *name)
{
	const struct maui_slurm_names *slurm = a->p->slurm_names;

	return !slurm || slurm->account_count == 0 ||
	       maui_fits_has_job_of(a, MAUI_CRED_ACCOUNT, name) ||
	       has_slurm(slurm->accounts, slurm->account_count, name);
}

/* Nodes of a class have the same features. A constraint has up to 500 names, and any user may ask:
 * with each node looked at, one question would take 0.5 s on 10,000 nodes. */
static bool has_node_of(const struct maui_fits_asked *a, const char *feature)
{
	for (uint32_t c = 0; c < a->s->class_count; c++)
		if (maui_features_match(feature, a->s->nodes[a->s->classes[c].sample].features))
			return true;
	return false;
}

/* Of a constraint that is well formed. */
static int check_features(const struct maui_fits_asked *a, const char *constraint)
{
	char feature[MAUI_REQUEST_MAX_FEATURES + 1];
	const char *at = constraint ? constraint : "", *name;
	size_t length;

	while ((length = maui_features_next(&at, &name)) > 0) {
		memcpy(feature, name, length);
		feature[length] = '\0';
		if (!has_node_of(a, feature))
			return maui_query_fail(a->question->error, MAUI_QUERY_NOT_FOUND,
					       "no node has the feature '%.64s'", feature);
	}
	return 0;
}

int maui_fits_check_names(const struct maui_fits_asked *a)
{
	const struct maui_slurm_names *slurm = a->p->slurm_names;
	const struct maui_fits_args *args = a->args;

	if (args->account && slurm && slurm->account_needed &&
	    !maui_fits_is_account(a, args->account))
		return maui_query_fail(a->question->error, MAUI_QUERY_NOT_FOUND,
				       "no account '%.64s'", args->account);
	if (args->qos && !args->qos_may_be_new && !is_qos(a, args->qos))
		return maui_query_fail(a->question->error, MAUI_QUERY_NOT_FOUND, "no QOS '%.64s'",
				       args->qos);
	return check_features(a, args->features);
}
