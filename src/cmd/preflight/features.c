/* SPDX-License-Identifier: GPL-2.0-or-later */
/* features.c - how slurm-maui treats preemption, het jobs, GPUs and the usage of associations
 *
 * Rules: CMD-66.
 */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/preflight/preflight.h"
#include "base/need.h"
#include "config/check/slurm_settings.h"
#include "config/config.h"

static void add_preemption(struct maui_preflight *p, const struct maui_config *config)
{
	const char *type = p->values[MAUI_KEY_PREEMPT_TYPE];

	if (!type || strcasecmp(type, "preempt/none") == 0)
		return;
	if (maui_config_preempts(config))
		maui_preflight_add(
			p, MAUI_CHECK_WARNING, "preemption",
			"PreemptType=%s is set: PREEMPTOR, PREEMPTEE and OWNERPREEMPT of "
			"maui.cfg have no effect",
			type);
	else
		maui_preflight_add(p, MAUI_CHECK_OK, "preemption",
				   "PreemptType=%s says which jobs may preempt which", type);
}

static void add_het_jobs(struct maui_preflight *p, const struct maui_config *config)
{
	if (config->het_jobs || config->multi_requests)
		maui_preflight_add(p, MAUI_CHECK_OK, "het jobs",
				   "they are accepted, once slurmctld has started with HETJOBS ON");
	else
		maui_preflight_add(
			p, MAUI_CHECK_OK, "het jobs",
			"slurmctld will refuse them: HETJOBS ON in maui.cfg accepts them");
}

/* Weights of what no node can have: GRESCFG[gpx]. */
static void add_gres(struct maui_preflight *p, const struct maui_config *config)
{
	for (size_t i = 0; i < config->gres_weights.count; i++) {
		const char *full = config->gres_weights.list[i].name;
		char *name = maui_need(strndup(full, strcspn(full, ":")));

		if (!maui_slurm_list_has(p->values[MAUI_KEY_GRES_TYPES], name))
			maui_preflight_add(
				p, MAUI_CHECK_WARNING, "gres",
				"GRESCFG[%s] counts nothing: GresTypes of slurm.conf has "
				"no %s",
				full, name);
		free(name);
	}
}

static bool has_slurmdbd(const struct maui_preflight *p)
{
	const char *storage = p->values[MAUI_KEY_ACCOUNTING_STORAGE_TYPE];

	return storage && strcasecmp(storage, "accounting_storage/slurmdbd") == 0;
}

static bool has_kind(const struct maui_acl *acl, int kind)
{
	for (size_t i = 0; i < acl->count; i++)
		if (acl->list[i].kind == kind)
			return true;
	return false;
}

/* Without slurmdbd slurmctld takes each account that a user names. */
static void add_accounts(struct maui_preflight *p, const struct maui_config *config)
{
	for (size_t i = 0; i < config->rsv_count && !has_slurmdbd(p); i++)
		if (has_kind(&config->rsvs[i].acl, MAUI_CRED_ACCOUNT))
			maui_preflight_add(p, MAUI_CHECK_WARNING, "accounts",
					   "SRCFG[%s] ACCOUNTLIST admits whoever names such an "
					   "account: without slurmdbd users choose theirs",
					   config->rsvs[i].name);
}

static void add_usage(struct maui_preflight *p)
{
	if (has_slurmdbd(p))
		maui_preflight_add(p, MAUI_CHECK_OK, "usage",
				   "usage of associations and QOS goes on from where "
				   "priority/multifactor stopped");
}

void maui_preflight_features(struct maui_preflight *p, const struct maui_config *config)
{
	if (maui_preflight_names(p, "sched/maui")) {
		add_preemption(p, config);
		add_het_jobs(p, config);
		add_accounts(p, config);
	}
	if (maui_preflight_names(p, "priority/maui")) {
		add_gres(p, config);
		add_usage(p);
	}
}
