/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credentials_json.c - users, groups, accounts, classes and QOS with their limits and use
 *
 * In: the configuration of the plan, and its jobs. Out: an object for each credential that maui.cfg
 * names or a job has, DEFAULT included. Values of DEFAULT are in force for those that do not set
 * their own, so they are shown there.
 *
 * Rules: CMD-9, CMD-31.
 */

#include "answers/credentials_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/config_json.h"
#include "answers/credential_use.h"
#include "answers/own_creds.h"
#include "base/limits.h"
#include "config/config.h"

struct answer {
	const struct maui_document *p;
	const struct maui_config *config;
	enum maui_cred_kind kind;
	struct maui_credential_use use;
	struct maui_own_creds own;
	bool shows_use; /* PrivateData does not hide the jobs of others */
};

/* ---- names ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every name once: of maui.cfg and of jobs, as far as the user may see them. The caller frees. */
static const char **list_names(const struct answer *a, size_t *ret_count)
{
	const struct maui_creds *creds = &a->config->creds[a->kind];
	const struct maui_snapshot *s = a->p->plan->snapshot;
	const char **names = calloc(creds->count + s->cred_count + 1, sizeof(*names));
	size_t all = 0, count = 0;

	for (size_t i = 0; names && i < creds->count; i++)
		names[all++] = creds->list[i].name;
	for (uint32_t c = 0; names && c < s->cred_count; c++)
		if (s->creds[c].cred[a->kind] && *s->creds[c].cred[a->kind])
			names[all++] = s->creds[c].cred[a->kind];
	if (names)
		qsort(names, all, sizeof(*names), by_text);
	for (size_t i = 0; i < all; i++)
		if ((count == 0 || strcmp(names[i], names[count - 1]) != 0) &&
		    (strcmp(names[i], "DEFAULT") == 0 ||
		     maui_own_creds_shows(&a->own, a->kind, names[i])))
			names[count++] = names[i];
	*ret_count = count;
	return names;
}

/* The settings in force; those of the template itself for DEFAULT. */
static const struct maui_cred_config *settings_of(const struct answer *a, const char *name)
{
	const struct maui_creds *creds = &a->config->creds[a->kind];

	for (size_t i = 0; strcmp(name, "DEFAULT") == 0 && i < creds->count; i++)
		if (strcmp(creds->list[i].name, name) == 0)
			return &creds->list[i];
	return maui_config_cred(a->config, a->kind, name);
}

/* ---- texts ---- */

static void put_words(struct maui_object *o, const char *key, const struct maui_words *words)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < words->count; i++)
		maui_object_append(o, list, json_object_new_string(words->list[i]));
	maui_object_put(o, key, list);
}

/* The flags' names are words of the schema, in the order of the bits. */
static void put_flags(struct maui_object *o, uint64_t flags)
{
	const struct maui_param *row = maui_schema_find_attr(MAUI_FAMILY_QOS, "FLAGS");
	json_object *list = json_object_new_array();
	const char *word = row ? row->words : "";

	for (int bit = 0; *word && bit < MAUI_QOS_FLAG_COUNT; bit++) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, " ="), word);
		if (flags & UINT64_C(1) << bit)
			maui_object_append(o, list, json_object_new_string(name));
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	maui_object_put(o, "flags", list);
}

static void put_target(struct maui_object *o, struct maui_fs_target target)
{
	static const char *const marks[] = {
		[MAUI_FS_TARGET] = "",          [MAUI_FS_TARGET_FLOOR] = "+",
		[MAUI_FS_TARGET_CEILING] = "-", [MAUI_FS_CAP_ABSOLUTE] = "^",
		[MAUI_FS_CAP_RELATIVE] = "%",
	};
	char text[64];

	if (target.kind == MAUI_FS_TARGET_NONE) {
		maui_object_put_null(o, "fstarget");
		return;
	}
	snprintf(text, sizeof(text), "%.2f%s", target.value, marks[target.kind]);
	maui_object_put_text(o, "fstarget", text);
}

/* ---- limits ---- */

static void put_limit_value(struct maui_object *o, const char *key, int64_t value)
{
	if (value > 0)
		maui_object_put_number(o, key, value);
	else
		maui_object_put_null(o, key); /* no limit */
}

static void add_limit(json_object *list, struct maui_object *o, const char *name,
		      struct maui_limit limit, const double *used)
{
	struct maui_object one = maui_object_make();

	maui_object_put_text(&one, "name", name);
	put_limit_value(&one, "soft", limit.soft);
	put_limit_value(&one, "hard", limit.hard);
	if (used)
		maui_object_put_number(&one, "used", (int64_t)floor(*used));
	else
		maui_object_put_null(&one, "used");
	maui_object_append(o, list, maui_object_finish(&one));
}

/* MAXJOB and so on with what is in use; object: an enum maui_cred_kind or MAUI_LIMITED_SYSTEM. */
static void add_joint_limits(const struct answer *a, json_object *list, struct maui_object *o,
			     const struct maui_cred_config *settings, int object, const char *name)
{
	bool counted = a->shows_use && (!name || strcmp(name, "DEFAULT") != 0);

	for (int kind = 0; kind < MAUI_LIMIT_KIND_COUNT; kind++)
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++) {
			struct maui_limit limit = settings->limits[kind][r];
			const struct maui_throttle *jobs = kind == MAUI_LIMIT_ACTIVE ?
								   a->use.active :
							   kind == MAUI_LIMIT_IDLE ? a->use.idle :
										     NULL;
			double used = jobs ? maui_throttle_used(jobs, object, name,
								(enum maui_resource)r) :
					     0;

			if (limit.hard != 0)
				add_limit(list, o,
					  maui_limit_name((enum maui_limit_kind)kind,
							  (enum maui_resource)r),
					  limit, jobs && counted ? &used : NULL);
		}
}

/* MAXPROC[USER:steve]: what is in use differs by the second credential. */
static void add_pair_limits(json_object *list, struct maui_object *o,
			    const struct maui_pair_limits *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		const struct maui_pair_limit *pair = &pairs->list[i];
		char name[2 * MAUI_NAME_MAX];

		snprintf(name, sizeof(name), "%s[%s%s%s]",
			 maui_limit_name(pair->kind, pair->resource), maui_cred_name(pair->second),
			 pair->name ? ":" : "", pair->name ? pair->name : "");
		add_limit(list, o, name, pair->limit, NULL);
	}
}

static void add_job_limit(json_object *list, struct maui_object *o, const char *name, int64_t value)
{
	if (value > 0 && value < MAUI_TIME_INFINITY)
		add_limit(list, o, name, (struct maui_limit){ value, value }, NULL);
}

static void put_limits(const struct answer *a, struct maui_object *o,
		       const struct maui_cred_config *settings, int object, const char *name)
{
	json_object *list = json_object_new_array();

	add_joint_limits(a, list, o, settings, object, name);
	add_pair_limits(list, o, &settings->pair_limits);
	add_job_limit(list, o, "MINPROC", settings->min_procs);
	add_job_limit(list, o, "MAXPROCPERJOB", settings->max_job_procs);
	add_job_limit(list, o, "MAXNODEPERJOB", settings->max_job_nodes);
	add_job_limit(list, o, "MAX.WCLIMIT", settings->max_job_walltime_s);
	maui_object_put(o, "limits", list);
}

/* ---- members of a QOS ---- */

/* The credentials of a kind whose QLIST names the QOS. */
static void put_members_of(const struct answer *a, struct maui_object *o, enum maui_cred_kind kind,
			   const char *qos)
{
	static const char *const keys[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "users",
							   [MAUI_CRED_GROUP] = "groups",
							   [MAUI_CRED_ACCOUNT] = "accounts",
							   [MAUI_CRED_CLASS] = "classes" };
	const struct maui_creds *creds = &a->config->creds[kind];
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < creds->count; i++)
		if (maui_words_contain(&creds->list[i].qlist, qos) &&
		    (strcmp(creds->list[i].name, "DEFAULT") == 0 ||
		     maui_own_creds_shows(&a->own, kind, creds->list[i].name)))
			maui_object_append(o, list, json_object_new_string(creds->list[i].name));
	maui_object_put(o, keys[kind], list);
}

static void put_qos(const struct answer *a, struct maui_object *o,
		    const struct maui_cred_config *settings, const char *name)
{
	struct maui_object members = maui_object_make();

	maui_object_put(o, "qtweight", json_object_new_double(settings->qtweight));
	maui_object_put_number(o, "qttarget", settings->qttarget_s);
	maui_object_put(o, "xfweight", json_object_new_double(settings->xfweight));
	maui_object_put(o, "xftarget", json_object_new_double(settings->xftarget));
	put_flags(o, settings->flags);
	maui_object_put_text(o, "use_reserved", settings->use_reserved);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (k != MAUI_CRED_QOS)
			put_members_of(a, &members, (enum maui_cred_kind)k, name);
	maui_object_put(o, "members", maui_object_finish(&members));
}

/* ---- a credential ---- */

static void put_qlist(struct maui_object *o, const struct maui_cred_config *settings)
{
	maui_object_put_text(o, "qdef", settings->qdef);
	put_words(o, "qlist", &settings->qlist);
	maui_object_put_text(o, "qlist_mode",
			     settings->qlist_mode == MAUI_QLIST_AND  ? "&" :
			     settings->qlist_mode == MAUI_QLIST_ONLY ? "^" :
								       "");
}

/* PRIORITY as priority/maui reads it: 0 is not set, then DEFAULT's, but not of a QOS. */
static int64_t priority_of(const struct answer *a, const struct maui_cred_config *settings)
{
	if (settings->priority != 0 || a->kind == MAUI_CRED_QOS)
		return settings->priority;
	return a->config->creds[a->kind].default_priority;
}

static void put_use(const struct answer *a, struct maui_object *o, const char *name)
{
	static const struct {
		const char *key;
		enum maui_resource resource;
		bool idle;
	} counts[] = {
		{ "active_jobs", MAUI_RESOURCE_JOB, false },
		{ "active_procs", MAUI_RESOURCE_PROC, false },
		{ "idle_jobs", MAUI_RESOURCE_JOB, true },
		{ "idle_procs", MAUI_RESOURCE_PROC, true },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (a->shows_use)
			maui_object_put_number(o, counts[i].key,
					       (int64_t)maui_throttle_used(
						       counts[i].idle ? a->use.idle : a->use.active,
						       (int)a->kind, name, counts[i].resource));
		else
			maui_object_put_null(o, counts[i].key);
}

static json_object *credential(const struct answer *a, const char *name)
{
	const struct maui_cred_config *settings = settings_of(a, name);
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "name", name);
	maui_object_put_number(&o, "priority", priority_of(a, settings));
	put_qlist(&o, settings);
	put_target(&o, settings->fstarget);
	put_limits(a, &o, settings, (int)a->kind, name);
	put_use(a, &o, name);
	if (a->kind == MAUI_CRED_QOS)
		put_qos(a, &o, settings, name);
	return maui_object_finish(&o);
}

static json_object *list_credentials(const struct answer *a, const char *wanted,
				     struct maui_query_error *error)
{
	size_t count = 0;
	const char **names = list_names(a, &count);
	json_object *list = json_object_new_array();
	bool failed = !names || !list;

	if (names && !wanted && count > MAUI_QUERY_MAX_ROWS)
		failed = maui_query_fail(error, MAUI_QUERY_ERROR,
					 "%zu names, and at most %d are listed: name one", count,
					 MAUI_QUERY_MAX_ROWS) != 0;
	for (size_t i = 0; !failed && i < count; i++) {
		json_object *one;

		if (wanted && strcmp(names[i], wanted) != 0)
			continue;
		one = credential(a, names[i]);
		failed = !one || json_object_array_add(list, one) != 0;
		if (failed)
			json_object_put(one);
	}
	free(names);
	if (!failed)
		return list;
	json_object_put(list);
	return NULL;
}

/* ---- the answer ---- */

static void put_system(const struct answer *a, struct maui_object *o)
{
	struct maui_object system = maui_object_make();

	put_qlist(&system, &a->config->system);
	put_limits(a, &system, &a->config->system, MAUI_LIMITED_SYSTEM, NULL);
	maui_object_put(o, "system", maui_object_finish(&system));
}

static json_object *answer(const struct answer *a, const char *name, uid_t uid,
			   struct maui_query_error *error)
{
	struct maui_object o = maui_object_make();
	json_object *list;

	maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	list = list_credentials(a, name, error);
	if (list && name && json_object_array_length(list) == 0) {
		maui_query_fail(error, MAUI_QUERY_NOT_FOUND,
				"unknown %s '%.64s' (not in maui.cfg or any job)",
				maui_cred_name(a->kind), name);
		o.failed = true;
	}
	maui_object_put_text(&o, "cluster", a->p->cluster);
	maui_object_put_number(&o, "time", a->p->plan->now_s);
	maui_object_put_text(&o, "kind", maui_cred_name(a->kind));
	put_system(a, &o);
	maui_object_put(&o, "credentials", list);
	maui_object_put(&o, "warnings", maui_config_warnings(a->p, 1u << a->kind, false, uid));
	maui_config_put_refused(&o, a->p, uid);
	return maui_object_finish(&o);
}

json_object *maui_credentials_json(const struct maui_document *p, const char *kind,
				   const char *name, uid_t uid, struct maui_query_error *error)
{
	struct answer a = { .p = p, .kind = maui_cred_parse(kind ? kind : "") };
	json_object *result = NULL;

	if (a.kind == MAUI_CRED_COUNT) {
		maui_query_fail(error, MAUI_QUERY_BAD, "kind: user, group, account, qos or class");
		return NULL;
	}
	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	a.config = p->plan->config;
	a.shows_use = !p->hide_jobs || maui_document_sees_all(p, uid);
	maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	if (maui_credential_use_count(p->plan, &a.use))
		return NULL;
	if (maui_own_creds_find(p, uid, &a.own) == 0)
		result = answer(&a, name, uid, error);
	maui_own_creds_finish(&a.own);
	maui_credential_use_finish(&a.use);
	return result;
}
