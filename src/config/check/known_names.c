/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_names.c - names in maui.cfg that no user, group, account, QOS or partition has (ACL-15) */

#include "config/check/known_names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config/check/private.h"
#include "config/rsv_value.h"
#include "model/snapshot.h"

/* ---- all names ---- */

struct walk {
	maui_mention_fn fn;
	void *context;
};

/* "1007" of USERCFG is a number: jobs of a user without a name have it. */
static bool is_name(enum maui_cred_kind kind, const char *name)
{
	bool person = kind == MAUI_CRED_USER || kind == MAUI_CRED_GROUP;

	return *name != '\0' && strcmp(name, "DEFAULT") != 0 && strcmp(name, "ALL") != 0 &&
	       (!person || name[strspn(name, "0123456789")] != '\0');
}

static void visit(const struct walk *walk, const struct maui_mention *mention)
{
	if (is_name(mention->kind, mention->name))
		walk->fn(mention, walk->context);
}

static void visit_rsv(const struct walk *walk, const struct maui_rsv *rsv)
{
	for (size_t i = 0; i < rsv->acl.count; i++)
		if (rsv->acl.list[i].kind < MAUI_CRED_COUNT)
			visit(walk, &(struct maui_mention){
					    .kind = (enum maui_cred_kind)rsv->acl.list[i].kind,
					    .name = rsv->acl.list[i].name,
					    .rsv = rsv,
					    .attr = maui_acl_attr(rsv->acl.list[i].kind) });
	if (rsv->owner)
		visit(walk, &(struct maui_mention){ .kind = (enum maui_cred_kind)rsv->owner_kind,
						    .name = rsv->owner,
						    .rsv = rsv,
						    .attr = "OWNER" });
	if (rsv->partition)
		visit(walk, &(struct maui_mention){ .kind = MAUI_CRED_CLASS,
						    .name = rsv->partition,
						    .rsv = rsv,
						    .attr = "PARTITION" });
}

/* *CFG, and PARAMETER[partition] */
static void visit_objects(const struct walk *walk, const struct maui_config *config)
{
	for (int kind = 0; kind < MAUI_CRED_COUNT; kind++)
		for (size_t i = 0; i < config->creds[kind].count; i++)
			visit(walk,
			      &(struct maui_mention){ .kind = (enum maui_cred_kind)kind,
						      .name = config->creds[kind].list[i].name });
	for (size_t i = 0; i < config->partition_count; i++)
		visit(walk, &(struct maui_mention){ .kind = MAUI_CRED_CLASS,
						    .name = config->partitions[i].name });
}

void maui_config_each_name(const struct maui_config *config, maui_mention_fn fn, void *context)
{
	const struct walk walk = { fn, context };

	visit_objects(&walk, config);
	maui_check_each_admin(config, fn, context);
	for (size_t i = 0; i < config->rsv_count; i++)
		visit_rsv(&walk, &config->rsvs[i]);
}

/* ---- unknown names ---- */

struct check {
	const struct maui_config *config;
	maui_check_unknown_fn unknown;
	const void *context;
	struct maui_diags *diags;
};

static const char *const is_none[MAUI_CRED_COUNT] = {
	[MAUI_CRED_USER] = "is not a user of this machine",
	[MAUI_CRED_GROUP] = "is not a group of this machine",
	[MAUI_CRED_ACCOUNT] = "is not an account in Slurm's database",
	[MAUI_CRED_QOS] = "is not a QOS in Slurm's database",
	[MAUI_CRED_CLASS] = "is not a Slurm partition",
};

/* What follows from that for an attribute of a SRCFG. */
static const char *consequence(const struct maui_mention *mention)
{
	return strcmp(mention->attr, "OWNER") == 0     ? "" :
	       strcmp(mention->attr, "PARTITION") == 0 ? ": nothing is reserved" :
							 ": no job matches this entry";
}

/* The first setting with this index, of *CFG or of a partition's parameter. */
static const struct maui_setting *find_object(const struct maui_config *config,
					      enum maui_cred_kind kind, const char *name)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (s->index && strcasecmp(s->index, name) == 0 &&
		    (maui_check_kind(s) == kind ||
		     (kind == MAUI_CRED_CLASS && s->param->index == MAUI_INDEX_PARTITION)))
			return s;
	}
	return NULL;
}

static void warn_of_object(const struct check *check, const struct maui_mention *mention)
{
	/* only the first diagnostics are kept: the lines of the others are not searched for */
	bool kept = maui_diags_keep(check->diags, MAUI_WARNING);
	const struct maui_setting *s =
		kept ? find_object(check->config, mention->kind, mention->name) : NULL;

	const struct maui_diag_place place = { .file = s ? s->file : NULL,
					       .line = s ? s->line : 0,
					       .column = s ? s->column : 0,
					       .kind = s ? s->param->family : 0,
					       .name = mention->name };

	maui_diags_add_at(check->diags, MAUI_WARNING, &place, "%s[%.200s]: '%.200s' %s",
			  s ? s->param->name : "", mention->name, mention->name,
			  is_none[mention->kind]);
}

static void check_name(const struct maui_mention *mention, void *context)
{
	const struct check *check = context;
	char what[128];

	if (!check->unknown(check->context, (int)mention->kind, mention->name))
		return;
	if (mention->rsv) {
		snprintf(what, sizeof(what), "%s%s", is_none[mention->kind], consequence(mention));
		maui_check_warn_of_rsv(check->config, mention->rsv, mention->attr, mention->name,
				       what, check->diags);
	} else if (mention->admins) {
		maui_check_warn_of_admin(mention->admins, mention->at, mention->name,
					 is_none[mention->kind], check->diags);
	} else {
		warn_of_object(check, mention);
	}
}

void maui_config_check_known(const struct maui_config *config, maui_check_unknown_fn unknown,
			     const void *context, struct maui_diags *diags)
{
	struct check check = { config, unknown, context, diags };

	maui_config_each_name(config, check_name, &check);
}

static bool gives(const struct maui_cred_config *cred, const char *qos, bool asked)
{
	return (cred->qdef && strcmp(cred->qdef, qos) == 0) ||
	       (asked && maui_words_contain(&cred->qlist, qos));
}

bool maui_config_gives_qos(const struct maui_config *config, const char *qos, bool asked)
{
	if (gives(&config->system, qos, asked))
		return true;
	for (int kind = 0; kind < MAUI_CRED_COUNT; kind++)
		for (size_t i = 0; i < config->creds[kind].count; i++)
			if (gives(&config->creds[kind].list[i], qos, asked))
				return true;
	return false;
}
