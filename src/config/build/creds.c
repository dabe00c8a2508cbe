/* SPDX-License-Identifier: GPL-2.0-or-later */
/* creds.c - builds the objects of USERCFG[name] and the other *CFG parameters
 *
 * Rules: DEFAULT holds for each attribute by itself (THR-4), but not for PRIORITY, whose rule
 * differs by kind (PRIO-3); a later line replaces an earlier one (CFG-3).
 */

#include "config/build/private.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

/* Settings are sorted by object, so only the last object can have the name. */
static struct maui_cred_config *find_or_add_cred(struct maui_config *config, unsigned family,
						 const char *name)
{
	struct maui_cred_config *grown;
	struct maui_creds *creds;
	int kind = 0;

	if (family == MAUI_FAMILY_SYS)
		return &config->system;
	while (!(family & (1u << kind)))
		kind++;
	creds = &config->creds[kind];
	if (creds->count > 0 && strcmp(creds->list[creds->count - 1].name, name) == 0)
		return &creds->list[creds->count - 1];
	grown = maui_array_grow(creds->list, creds->count, &creds->alloc, sizeof(*grown));
	if (!grown)
		return NULL;
	creds->list = grown;
	grown += creds->count;
	*grown = (struct maui_cred_config){ .name = strdup(name) };
	return grown->name ? (creds->count++, grown) : NULL;
}

/* Parses a two-dimensional limit like any other limit and adds it to the object's list. */
static int add_pair_limit(struct maui_cred_config *cred, struct maui_setting *s,
			  struct maui_diags *diags)
{
	struct maui_pair_limit pair;
	struct maui_cred_config scratch = { 0 };
	struct maui_err err;

	if (maui_build_pair(s, &pair, &err)) {
		if (err.no_memory)
			return -1;
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column, "%s, ignoring",
			       err.text);
		s->ignored = true;
		return 0;
	}
	if (!maui_build_store(s, &scratch, diags))
		return 0;
	pair.limit = scratch.limits[pair.kind][pair.resource];
	return maui_pair_limits_add(&cred->pair_limits, &pair);
}

static bool names_reserved(const struct maui_setting *s)
{
	return s->attr->scope == MAUI_SCOPE_CRED && s->param->family == MAUI_FAMILY_QOS &&
	       strcmp(s->attr->name, "FLAGS") == 0;
}

/* Stores the reservation of USERESERVED:<name>. A later line with flags replaces it too. */
static int set_use_reserved(struct maui_cred_config *cred, const char *text)
{
	const struct maui_param *row = maui_schema_find_attr(MAUI_FAMILY_QOS, "FLAGS");
	struct maui_words words;
	int rc = 0;

	free(cred->use_reserved);
	cred->use_reserved = NULL;
	if (maui_words_split(text, ",|: \t", &words))
		return -1;
	for (size_t i = 1; i < words.count && !cred->use_reserved && rc == 0; i++)
		if (strcasecmp(words.list[i - 1], "USERESERVED") == 0 &&
		    maui_schema_word(row, words.list[i], strlen(words.list[i])) < 0) {
			cred->use_reserved = strdup(words.list[i]);
			rc = cred->use_reserved ? 0 : -1;
		}
	maui_words_finish(&words);
	return rc;
}

int maui_build_cred(struct maui_config *config, struct maui_setting *s, struct maui_diags *diags)
{
	void *base = NULL;

	if (!s->attr || s->param->family == MAUI_FAMILY_SR || maui_build_switched_off(config, s))
		return 0; /* build/reservation.c stores reservations */
	if (s->attr->scope == MAUI_SCOPE_CRED || s->attr->scope == MAUI_SCOPE_PERUSER) {
		base = find_or_add_cred(config, s->param->family, s->index ? s->index : "");
		if (!base)
			return -1;
	}
	if (maui_build_is_pair(s))
		return add_pair_limit(base, s, diags);
	maui_build_store(s, base, diags);
	return names_reserved(s) && !s->ignored ? set_use_reserved(base, s->value) : 0;
}

static int copy_words(struct maui_words *to, const struct maui_words *from)
{
	*to = (struct maui_words){ .list = calloc(from->count, sizeof(*to->list)) };
	if (!to->list)
		return -1;
	for (; to->count < from->count; to->count++) {
		to->list[to->count] = strdup(from->list[to->count]);
		if (!to->list[to->count])
			return -1;
	}
	return 0;
}

/* Copies DEFAULT's values for everything but PRIORITY that the object does not set. */
static int inherit_attributes(struct maui_cred_config *cred, const struct maui_cred_config *from)
{
	if (cred->class_weight == 0)
		cred->class_weight = from->class_weight;
	if (cred->qtweight == 0)
		cred->qtweight = from->qtweight;
	if (cred->xfweight == 0)
		cred->xfweight = from->xfweight;
	if (cred->qttarget_s == 0)
		cred->qttarget_s = from->qttarget_s;
	if (cred->xftarget == 0)
		cred->xftarget = from->xftarget;
	if (cred->fstarget.kind == MAUI_FS_TARGET_NONE)
		cred->fstarget = from->fstarget;
	if (cred->fscap.kind == MAUI_FS_TARGET_NONE)
		cred->fscap = from->fscap;
	if (cred->flags == 0 && from->use_reserved && !cred->use_reserved &&
	    !(cred->use_reserved = strdup(from->use_reserved)))
		return -1;
	maui_build_inherit_limits(cred, from);
	if (!cred->qdef && from->qdef && !(cred->qdef = strdup(from->qdef)))
		return -1;
	if (cred->qlist.count == 0 && from->qlist.count > 0) {
		cred->qlist_mode = from->qlist_mode;
		return copy_words(&cred->qlist, &from->qlist);
	}
	return 0;
}

static int inherit_default(struct maui_creds *creds)
{
	const struct maui_cred_config *def = NULL;

	if (maui_creds_index(creds))
		return -1;
	for (size_t i = 0; i < creds->count; i++) {
		maui_pair_limits_sort(&creds->list[i].pair_limits);
		if (strcmp(creds->list[i].name, "DEFAULT") == 0)
			def = &creds->list[i];
	}
	if (!def)
		return 0;
	creds->default_priority = def->priority;
	creds->unnamed = *def;
	creds->unnamed.name = NULL;
	creds->unnamed.priority = 0;
	for (size_t i = 0; i < creds->count; i++)
		if (&creds->list[i] != def && inherit_attributes(&creds->list[i], def))
			return -1;
	return 0;
}

static void note_qlists(struct maui_config *config)
{
	for (size_t i = 0; i < config->setting_count; i++)
		config->restricts_qos |= config->settings[i].attr &&
					 strcmp(config->settings[i].attr->name, "QLIST") == 0;
}

/* slurmctld stores accounts in lower case, so ACCOUNTCFG[CHEM] must be in lower case to match
 * jobs. */
void maui_build_creds_fold_accounts(struct maui_config *config)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		struct maui_setting *s = &config->settings[i];

		if (s->param->family == MAUI_FAMILY_ACCOUNT && s->index &&
		    strcmp(s->index, "DEFAULT") != 0)
			maui_cred_fold_account(s->index);
	}
}

int maui_build_creds_inherit(struct maui_config *config)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (inherit_default(&config->creds[k]))
			return -1;
	maui_pair_limits_sort(&config->system.pair_limits);
	note_qlists(config);
	return 0;
}
