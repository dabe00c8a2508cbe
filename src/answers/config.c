/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.c - answers "config": each parameter with its value and its origin
 *
 * In: the status of maui.cfg that slurmctld publishes. With PrivateData=users and accounts a user
 * sees lines about other users, groups and accounts as little as they themselves, and no tree of
 * shares; lines about reservations with PrivateData=reservations, and keys of other programs, are
 * for administrators.
 *
 * Rules: CMD-9, CMD-32.
 */

#include "maui_config.h"

#include "answers/config.h"

#include <string.h>
#include <strings.h>

#include "answers/answer.h"
#include "answers/refused.h"
#include "base/limits.h"
#include "config/show.h"
#include "config/status.h"
#include "verbs/config.h"

struct listing {
	const struct maui_question *question;
	const char *name; /* only this parameter or attribute; NULL: all */
	const struct maui_own_creds *own;
	bool sees_all, failed;
	struct maui_config_parameter *list; /* NULL: they are counted only */
	size_t count;
};

static bool is_meant(const struct listing *listing, const struct maui_config_row *row)
{
	const struct maui_setting *s = row->setting;

	return !listing->name || strcasecmp(row->row->name, listing->name) == 0 ||
	       (s && strcasecmp(s->param->name, listing->name) == 0);
}

/* Members of a tree stand together, of whichever kind they are. */
static bool hides_names(const struct maui_own_creds *own)
{
	bool any = false;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		any |= own->hidden[k];
	return any;
}

bool maui_config_shows(const struct maui_own_creds *own, const struct maui_setting *s)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (s->param->family == 1u << k && s->index && strcmp(s->index, "DEFAULT") != 0 &&
		    !maui_own_creds_shows(own, (enum maui_cred_kind)k, s->index))
			return false;
	if (s->param->family == MAUI_FAMILY_TREE || s->param->family == MAUI_FAMILY_DEEP_TREE)
		return !hides_names(own);
	if (s->param->family == MAUI_FAMILY_SR)
		return !own->document->privacy.hide_rsvs;
	return s->param->family != MAUI_FAMILY_OTHER;
}

/* Whether the user may see the line. */
static bool is_shown(const struct listing *listing, const struct maui_config_row *row)
{
	return !row->setting || listing->sees_all || maui_config_shows(listing->own, row->setting);
}

static struct maui_config_parameter describe(const struct maui_question *q,
					     const struct maui_config_row *row)
{
	return (struct maui_config_parameter){
		.name = maui_question_copy(q, row->name),
		.value = !row->setting || row->value == row->setting->value ?
				 row->value :
				 maui_question_copy(q, row->value),
		.def = row->def,
		.origin = maui_question_copy(q, row->origin),
		.set = row->setting,
		.attribute = row->setting && row->setting->attr,
		.status = row->status,
		.honoured = row->honoured,
	};
}

static void add_row(const struct maui_config_row *row, void *arg)
{
	struct listing *listing = arg;

	if (listing->failed || !is_meant(listing, row) || !is_shown(listing, row))
		return;
	if (listing->list) {
		struct maui_config_parameter *one = &listing->list[listing->count];

		*one = describe(listing->question, row);
		listing->failed = !one->name || !one->origin || !one->value;
	}
	listing->count++;
}

/* Counts them, then fills the list. -1 with the error. */
static int fill_list(struct listing *listing)
{
	const struct maui_question *q = listing->question;
	const struct maui_config *config = q->document->config->config;

	maui_config_show(config, false, add_row, listing);
	if (listing->count > MAUI_QUERY_MAX_ROWS) {
		maui_question_too_many(q, MAUI_QUERY_MAX_ROWS, "lines", "name a parameter");
		return -1;
	}
	listing->list = maui_question_alloc(q, listing->count, sizeof(*listing->list));
	if (!listing->list)
		return -1;
	listing->count = 0;
	maui_config_show(config, false, add_row, listing);
	return listing->failed ? -1 : 0;
}

static int list_parameters(const struct maui_question *q, const char *name,
			   struct maui_config_answer *ret)
{
	struct maui_own_creds own;
	struct listing listing = { .question = q,
				   .name = name,
				   .own = &own,
				   .sees_all = maui_document_sees_all(q->document, q->uid) };
	int rc = maui_own_creds_find(q->document, q->uid, &own);

	if (rc)
		maui_question_no_memory(q);
	else
		rc = fill_list(&listing);
	maui_own_creds_finish(&own);
	ret->parameters = listing.list;
	ret->parameters_count = listing.count;
	return rc;
}

/* The name as the schema has it. NULL with an error: no parameter and no attribute has it. */
static const char *canonical(const struct maui_question *q, const char *name)
{
	const struct maui_alias *alias = maui_schema_find_alias(name);
	const char *similar;

	if (maui_schema_find_param(name) || maui_schema_find_attr(~0u, name))
		return name;
	if (alias)
		return alias->attr ? alias->attr : alias->param;
	similar = maui_schema_suggest(0, name);
	return maui_question_fail(q, MAUI_QUERY_NOT_FOUND, "no parameter '%.64s'%s%s%s", name,
				  similar ? "; did you mean " : "", similar ? similar : "",
				  similar ? "?" : "");
}

/* In: struct maui_config_args. Out: struct maui_config_answer; NULL with an error: no parameter has
 * the name; more lines than are listed; no memory. */
const void *maui_answer_config(const struct maui_question *q, const void *args)
{
	const struct maui_document *p = q->document;
	const char *name = ((const struct maui_config_args *)args)->name;
	struct maui_config_answer *ret;

	if (!p->config)
		return maui_question_fail(
			q, MAUI_QUERY_UNAVAILABLE,
			"slurmctld has no memory for its configuration's status, try again");
	if (name && !(name = canonical(q, name)))
		return NULL;
	ret = maui_question_alloc(q, 1, sizeof(*ret));
	if (!ret)
		return NULL;
	*ret = (struct maui_config_answer){
		.cluster = p->cluster,
		.time = p->now_s,
		.version = MAUI_VERSION,
		.slurm_version = p->slurm_version,
		.path = p->config->path,
		.read = p->config->read_s,
		.read_us = p->config->read_us,
		.warning_count = (int64_t)maui_document_count_warnings(p),
		.unread = p->config->unread,
		.unread_since = p->config->unread ? p->config->unread_s : 0,
	};
	return maui_refused_get(q, &ret->refused) || list_parameters(q, name, ret) ? NULL : ret;
}
