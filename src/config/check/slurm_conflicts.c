/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_conflicts.c - lines of maui.cfg that have no effect, or another one, with this slurm.conf
 * (CMD-66)
 */

#include "config/check/slurm_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "config/config.h"

struct visit {
	const struct maui_config *config;
	const struct maui_slurm_settings *settings;
	maui_slurm_conflict_fn fn;
	void *context;
};

static void check_preemption(const struct visit *visit)
{
	const char *type = visit->settings->preempt_type;
	char text[512];

	if (!type || strcasecmp(type, "preempt/none") == 0 || !maui_config_preempts(visit->config))
		return;
	snprintf(
		text, sizeof(text),
		"PreemptType=%.64s is set: PREEMPTOR, PREEMPTEE and OWNERPREEMPT of maui.cfg have no "
		"effect",
		type);
	visit->fn(&(struct maui_slurm_conflict){ .subject = "preemption", .text = text },
		  visit->context);
}

static bool has_kind(const struct maui_acl *acl, int kind)
{
	for (size_t i = 0; i < acl->count; i++)
		if (acl->list[i].kind == kind)
			return true;
	return false;
}

/* Without slurmdbd slurmctld takes each account that a user names. */
static void check_accounts(const struct visit *visit)
{
	char text[512];

	for (size_t i = 0; i < visit->config->rsv_count && !visit->settings->slurmdbd; i++) {
		const struct maui_rsv *rsv = &visit->config->rsvs[i];

		if (!has_kind(&rsv->acl, MAUI_CRED_ACCOUNT))
			continue;
		snprintf(text, sizeof(text),
			 "SRCFG[%.200s] ACCOUNTLIST admits whoever names such an account: without "
			 "slurmdbd users choose theirs",
			 rsv->name);
		visit->fn(&(struct maui_slurm_conflict){ .subject = "accounts",
							 .param = "SRCFG",
							 .index = rsv->name,
							 .attr = "ACCOUNTLIST",
							 .text = text },
			  visit->context);
	}
}

/* Weights of what no node can have: GRESCFG[gpx]. */
static void check_gres(const struct visit *visit)
{
	const struct maui_named_numbers *weights = &visit->config->gres_weights;
	char text[512];

	for (size_t i = 0; i < weights->count; i++) {
		const char *full = weights->list[i].name;
		char *name = strndup(full, strcspn(full, ":"));

		if (name && !maui_list_has_any_case(visit->settings->gres_types, name)) {
			snprintf(text, sizeof(text),
				 "GRESCFG[%.200s] counts nothing: GresTypes of slurm.conf has no "
				 "%.200s",
				 full, name);
			visit->fn(&(struct maui_slurm_conflict){ .subject = "gres",
								 .param = "GRESCFG",
								 .index = full,
								 .text = text },
				  visit->context);
		}
		free(name);
	}
}

static void check_job_age(const struct visit *visit)
{
	long long age_s = visit->settings->min_job_age_s;
	long long poll_s = visit->config->poll_interval_s;
	char text[512];

	if (age_s == 0 || age_s >= 2 * poll_s)
		return;
	snprintf(
		text, sizeof(text),
		"MinJobAge=%lld of slurm.conf is shorter than two RMPOLLINTERVAL (%lld s): jobs may "
		"end unseen and go uncharged",
		age_s, poll_s);
	visit->fn(&(struct maui_slurm_conflict){ .subject = "job age",
						 .param = "RMPOLLINTERVAL",
						 .text = text },
		  visit->context);
}

void maui_config_each_conflict(const struct maui_config *config,
			       const struct maui_slurm_settings *settings,
			       maui_slurm_conflict_fn fn, void *context)
{
	const struct visit visit = { config, settings, fn, context };

	if (settings->schedules) {
		check_preemption(&visit);
		check_accounts(&visit);
	}
	if (settings->ranks)
		check_gres(&visit);
	if (settings->schedules || settings->ranks)
		check_job_age(&visit);
}

/* ---- as diagnostics ---- */

struct warnings {
	const struct maui_config *config;
	struct maui_diags *diags;
};

static const struct maui_setting *find_line(const struct maui_config *config,
					    const struct maui_slurm_conflict *conflict)
{
	for (size_t i = 0; conflict->param && i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (strcmp(s->param->name, conflict->param) == 0 &&
		    (!conflict->index ||
		     (s->index && strcasecmp(s->index, conflict->index) == 0)) &&
		    (!conflict->attr || (s->attr && strcmp(s->attr->name, conflict->attr) == 0)))
			return s;
	}
	return NULL;
}

static void warn(const struct maui_slurm_conflict *conflict, void *context)
{
	const struct warnings *warnings = context;
	const struct maui_setting *s = find_line(warnings->config, conflict);

	maui_diags_add(warnings->diags, MAUI_WARNING,
		       s                                ? s->file :
		       warnings->config->file_count > 0 ? warnings->config->files[0] :
							  NULL,
		       s ? s->line : 0, s ? s->column : 0, "%s", conflict->text);
}

void maui_config_check_conflicts(const struct maui_config *config,
				 const struct maui_slurm_settings *settings,
				 struct maui_diags *diags)
{
	struct warnings warnings = { config, diags };

	maui_config_each_conflict(config, settings, warn, &warnings);
}
