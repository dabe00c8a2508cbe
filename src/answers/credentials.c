/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credentials.c - answers "credentials": users, groups, accounts, classes and QOS
 *
 * In: the configuration of the plan, and its jobs. Out: for each credential that maui.cfg names or
 * a job has, DEFAULT included, its settings, its limits and what is in use of them. Values of
 * DEFAULT are in force for those that do not set their own, so they are shown there.
 *
 * Rules: CMD-9, CMD-31.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answer.h"
#include "answers/config_warnings.h"
#include "answers/own_creds.h"
#include "answers/refused.h"
#include "base/limits.h"
#include "base/sort.h"
#include "config/config.h"
#include "plan/finished.h"
#include "policy/throttle/throttle.h"
#include "verbs/credentials.h"

/* ---- what jobs use ---- */

struct credential_use {
	struct maui_throttle *active; /* jobs that run, and suspended ones */
	struct maui_throttle *idle;   /* jobs that wait in the queue */
};

static int add(struct maui_throttle *throttle, const struct maui_plan *plan, uint32_t creds,
	       const struct maui_demand *demand)
{
	const struct maui_throttle_set *set =
		maui_throttle_resolve(throttle, plan->snapshot->creds[creds].cred);

	return set ? maui_throttle_add(throttle, set, demand, MAUI_THROTTLE_NEVER) : -1;
}

static int count_active(const struct maui_plan *plan, struct maui_throttle *throttle)
{
	const struct maui_snapshot *s = plan->snapshot;

	for (uint32_t i = 0; i < s->active_count; i++) {
		const struct maui_active *active = &s->active[i];
		struct maui_demand demand;
		int64_t end_s;

		if (active->completing)
			continue;
		demand = maui_plan_demand(s, plan->now_s, active, active->suspended, &end_s);
		if (add(throttle, plan, active->creds, &demand))
			return -1;
	}
	return 0;
}

/* Tasks of an array count each. */
static int count_idle(const struct maui_plan *plan, struct maui_throttle *throttle)
{
	const struct maui_snapshot *s = plan->snapshot;

	for (uint32_t j = 0; j < s->idle_count; j++) {
		const struct maui_idle *idle = &s->idle[j];
		const struct maui_verdict *verdict = &plan->decisions.verdicts[j];
		struct maui_demand demand;

		/* idle limits count the jobs that pass the eligibility step */
		if (!plan->jobs[j].queued || verdict->no_accrual ||
		    verdict->started + verdict->idle_limited >= idle->copies)
			continue;
		demand = maui_plan_waiting_demand(plan, j, plan->jobs[j].row);
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
			demand.of[r] *= idle->copies - verdict->started - verdict->idle_limited;
		if (add(throttle, plan, maui_plan_row(plan, j)->creds, &demand))
			return -1;
	}
	return 0;
}

static void finish_use(struct credential_use *use)
{
	maui_throttle_destroy(use->active);
	maui_throttle_destroy(use->idle);
	*use = (struct credential_use){ 0 };
}

/* -1 without memory. */
static int count_use(const struct maui_plan *plan, struct credential_use *ret)
{
	ret->active = maui_throttle_create(plan->config);
	ret->idle = maui_throttle_create(plan->config);
	if (ret->active && ret->idle && count_active(plan, ret->active) == 0 &&
	    count_idle(plan, ret->idle) == 0)
		return 0;
	finish_use(ret);
	return -1;
}

struct view {
	const struct maui_question *q;
	const struct maui_config *config;
	enum maui_cred_kind kind;
	struct credential_use use;
	struct maui_own_creds own;
	bool shows_use; /* PrivateData does not hide the jobs of others */
	bool failed;    /* with the question's error */
};

/* ---- texts ---- */

static void *allocate(struct view *v, size_t count, size_t size)
{
	void *list = maui_question_alloc(v->q, count, size);

	v->failed |= !list;
	return list;
}

static const char *copy(struct view *v, const char *text)
{
	const char *copied = maui_question_copy(v->q, text);

	v->failed |= !copied;
	return copied;
}

/* ---- names ---- */

/* Whether the user may see the credential. */
static bool is_shown(const struct view *v, enum maui_cred_kind kind, const char *name)
{
	return strcmp(name, "DEFAULT") == 0 || maui_own_creds_shows(&v->own, kind, name);
}

/* Every name once, of maui.cfg and of jobs, as far as the user may see them; wanted: only this one.
 * NULL without memory. */
static const char **list_names(struct view *v, const char *wanted, size_t *ret_count)
{
	const struct maui_creds *creds = &v->config->creds[v->kind];
	const struct maui_snapshot *s = v->q->document->plan->snapshot;
	const char **names = allocate(v, creds->count + s->cred_count, sizeof(*names));
	size_t all = 0, count = 0;

	for (size_t i = 0; names && i < creds->count; i++)
		names[all++] = creds->list[i].name;
	for (uint32_t c = 0; names && c < s->cred_count; c++)
		if (s->creds[c].cred[v->kind] && *s->creds[c].cred[v->kind])
			names[all++] = s->creds[c].cred[v->kind];
	if (all > 0)
		qsort(names, all, sizeof(*names), maui_sort_by_text);
	for (size_t i = 0; i < all; i++)
		if ((count == 0 || strcmp(names[i], names[count - 1]) != 0) &&
		    (!wanted || strcmp(names[i], wanted) == 0) && is_shown(v, v->kind, names[i]))
			names[count++] = names[i];
	*ret_count = count;
	return names;
}

/* The settings in force; those of the template itself for DEFAULT. */
static const struct maui_cred_config *settings_of(const struct view *v, const char *name)
{
	const struct maui_creds *creds = &v->config->creds[v->kind];

	for (size_t i = 0; strcmp(name, "DEFAULT") == 0 && i < creds->count; i++)
		if (strcmp(creds->list[i].name, name) == 0)
			return &creds->list[i];
	return maui_config_cred(v->config, v->kind, name);
}

/* ---- limits ---- */

/* Limits are counted without a list, then filled in. */
struct limits {
	struct maui_credential_limit *list;
	size_t count;
};

static int64_t limit_or_none(int64_t value)
{
	return value > 0 ? value : MAUI_NEVER;
}

static void add_limit(struct limits *limits, const char *name, struct maui_limit limit,
		      int64_t used)
{
	if (limits->list)
		limits->list[limits->count] = (struct maui_credential_limit){
			.name = name,
			.soft = limit_or_none(limit.soft),
			.hard = limit_or_none(limit.hard),
			.used = used,
		};
	limits->count++;
}

/* What is in use of MAXJOB and so on; MAUI_NEVER: it is not counted, or not shown. */
static int64_t used_of(const struct view *v, int kind, int resource, int object, const char *name)
{
	const struct maui_throttle *jobs = kind == MAUI_LIMIT_ACTIVE ? v->use.active :
					   kind == MAUI_LIMIT_IDLE   ? v->use.idle :
								       NULL;

	if (!jobs || !v->shows_use || (name && strcmp(name, "DEFAULT") == 0))
		return MAUI_NEVER;
	return (int64_t)floor(maui_throttle_used(jobs, object, name, (enum maui_resource)resource));
}

static void add_joint_limits(const struct view *v, struct limits *limits,
			     const struct maui_cred_config *settings, int object, const char *name)
{
	for (int kind = 0; kind < MAUI_LIMIT_KIND_COUNT; kind++)
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
			if (settings->limits[kind][r].hard != 0)
				add_limit(limits,
					  maui_limit_name((enum maui_limit_kind)kind,
							  (enum maui_resource)r),
					  settings->limits[kind][r],
					  used_of(v, kind, r, object, name));
}

/* MAXPROC[USER:steve]: what is in use differs by the second credential. */
static void add_pair_limits(struct view *v, struct limits *limits,
			    const struct maui_pair_limits *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		const struct maui_pair_limit *pair = &pairs->list[i];
		char name[2 * MAUI_NAME_MAX];

		snprintf(name, sizeof(name), "%s[%s%s%s]",
			 maui_limit_name(pair->kind, pair->resource), maui_cred_name(pair->second),
			 pair->name ? ":" : "", pair->name ? pair->name : "");
		add_limit(limits, limits->list ? copy(v, name) : NULL, pair->limit, MAUI_NEVER);
	}
}

static void add_job_limit(struct limits *limits, const char *name, int64_t value)
{
	if (value > 0 && value < MAUI_TIME_INFINITY)
		add_limit(limits, name, (struct maui_limit){ value, value }, MAUI_NEVER);
}

/* object: an enum maui_cred_kind, or MAUI_LIMITED_SYSTEM with name NULL. */
static void add_limits(struct view *v, struct limits *limits,
		       const struct maui_cred_config *settings, int object, const char *name)
{
	limits->count = 0;
	add_joint_limits(v, limits, settings, object, name);
	add_pair_limits(v, limits, &settings->pair_limits);
	add_job_limit(limits, "MINPROC", settings->min_procs);
	add_job_limit(limits, "MAXPROCPERJOB", settings->max_job_procs);
	add_job_limit(limits, "MAXNODEPERJOB", settings->max_job_nodes);
	add_job_limit(limits, "MAX.WCLIMIT", settings->max_job_walltime_s);
}

static struct limits list_limits(struct view *v, const struct maui_cred_config *settings,
				 int object, const char *name)
{
	struct limits limits = { 0 };

	add_limits(v, &limits, settings, object, name);
	limits.list = allocate(v, limits.count, sizeof(*limits.list));
	if (limits.list)
		add_limits(v, &limits, settings, object, name);
	return limits;
}

/* ---- a QOS ---- */

/* The credentials of a kind whose QLIST names the QOS; all of them are counted, `most` listed. */
static size_t find_members(const struct view *v, enum maui_cred_kind kind, const char *qos,
			   const char **list, size_t most)
{
	const struct maui_creds *creds = &v->config->creds[kind];
	size_t count = 0;

	for (size_t i = 0; i < creds->count; i++) {
		const char *name = creds->list[i].name;

		if (!maui_words_contain(&creds->list[i].qlist, qos) || !is_shown(v, kind, name))
			continue;
		if (count < most)
			list[count] = name;
		count++;
	}
	return count;
}

static const char *const *list_members(struct view *v, enum maui_cred_kind kind, const char *qos,
				       size_t *ret_count)
{
	const char **list;

	*ret_count = find_members(v, kind, qos, NULL, 0);
	list = allocate(v, *ret_count, sizeof(*list));
	if (list)
		find_members(v, kind, qos, list, *ret_count);
	return list;
}

/* The flags' names are words of the schema, in the order of the bits. */
static const char *const *list_flags(struct view *v, uint64_t flags, size_t *ret_count)
{
	const struct maui_param *row = maui_schema_find_attr(MAUI_FAMILY_QOS, "FLAGS");
	const char **list = allocate(v, MAUI_QOS_FLAG_COUNT, sizeof(*list));
	const char *word = row ? row->words : "";

	*ret_count = 0;
	for (int bit = 0; list && *word && bit < MAUI_QOS_FLAG_COUNT; bit++) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, " ="), word);
		if (flags & UINT64_C(1) << bit)
			list[(*ret_count)++] = copy(v, name);
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	return list;
}

static const struct maui_credential_qos *qos_of(struct view *v,
						const struct maui_cred_config *settings,
						const char *name)
{
	struct maui_credential_qos *qos = allocate(v, 1, sizeof(*qos));
	struct maui_credential_members *members = allocate(v, 1, sizeof(*members));

	if (!qos || !members)
		return NULL;
	members->users = list_members(v, MAUI_CRED_USER, name, &members->users_count);
	members->groups = list_members(v, MAUI_CRED_GROUP, name, &members->groups_count);
	members->accounts = list_members(v, MAUI_CRED_ACCOUNT, name, &members->accounts_count);
	members->classes = list_members(v, MAUI_CRED_CLASS, name, &members->classes_count);
	*qos = (struct maui_credential_qos){
		.qtweight = settings->qtweight,
		.qttarget = settings->qttarget_s,
		.xfweight = settings->xfweight,
		.xftarget = settings->xftarget,
		.use_reserved = settings->use_reserved,
		.members = members,
	};
	qos->flags = list_flags(v, settings->flags, &qos->flags_count);
	return qos;
}

/* ---- a credential ---- */

static const char *qlist_mode(const struct maui_cred_config *settings)
{
	return settings->qlist_mode == MAUI_QLIST_AND  ? "&" :
	       settings->qlist_mode == MAUI_QLIST_ONLY ? "^" :
							 "";
}

static const char *target_of(struct view *v, struct maui_fs_target target)
{
	char text[64];

	if (target.kind == MAUI_FS_TARGET_NONE)
		return NULL;
	snprintf(text, sizeof(text), "%.2f%s", target.value,
		 maui_fs_target_words[target.kind].suffix);
	return copy(v, text);
}

/* PRIORITY as priority/maui reads it: 0 is not set, then DEFAULT's, but not of a QOS. */
static int64_t priority_of(const struct view *v, const struct maui_cred_config *settings)
{
	if (settings->priority != 0 || v->kind == MAUI_CRED_QOS)
		return settings->priority;
	return v->config->creds[v->kind].default_priority;
}

static int64_t count_of(const struct view *v, const struct maui_throttle *jobs, const char *name,
			enum maui_resource resource)
{
	return v->shows_use ? (int64_t)maui_throttle_used(jobs, (int)v->kind, name, resource) :
			      MAUI_NEVER;
}

/* SYSCFG's is the last that counts (THR-13). A QOS has none. */
static const char *qdef_of(const struct view *v, const struct maui_cred_config *settings)
{
	return settings->qdef || v->kind == MAUI_CRED_QOS ? settings->qdef : v->config->system.qdef;
}

static void fill_credential(struct view *v, const char *name, struct maui_credential *ret)
{
	const struct maui_cred_config *settings = settings_of(v, name);
	struct limits limits = list_limits(v, settings, (int)v->kind, name);

	*ret = (struct maui_credential){
		.name = name,
		.priority = priority_of(v, settings),
		.qdef = qdef_of(v, settings),
		.qlist = (const char *const *)settings->qlist.list,
		.qlist_count = settings->qlist.count,
		.qlist_mode = qlist_mode(settings),
		.fstarget = target_of(v, settings->fstarget),
		.limits = limits.list,
		.limits_count = limits.count,
		.active_jobs = count_of(v, v->use.active, name, MAUI_RESOURCE_JOB),
		.active_procs = count_of(v, v->use.active, name, MAUI_RESOURCE_PROC),
		.idle_jobs = count_of(v, v->use.idle, name, MAUI_RESOURCE_JOB),
		.idle_procs = count_of(v, v->use.idle, name, MAUI_RESOURCE_PROC),
		.qos = v->kind == MAUI_CRED_QOS ? qos_of(v, settings, name) : NULL,
	};
}

/* ---- the answer ---- */

static const struct maui_credentials_system *system_of(struct view *v)
{
	const struct maui_cred_config *settings = &v->config->system;
	struct limits limits = list_limits(v, settings, MAUI_LIMITED_SYSTEM, NULL);
	struct maui_credentials_system *system = allocate(v, 1, sizeof(*system));

	if (system)
		*system = (struct maui_credentials_system){
			.qdef = settings->qdef,
			.qlist = (const char *const *)settings->qlist.list,
			.qlist_count = settings->qlist.count,
			.qlist_mode = qlist_mode(settings),
			.limits = limits.list,
			.limits_count = limits.count,
		};
	return system;
}

/* The names that are asked for, checked. NULL with the error. */
static const char **choose_names(struct view *v, const char *wanted, size_t *ret_count)
{
	const char **names = list_names(v, wanted, ret_count);

	if (names && !wanted && *ret_count > MAUI_QUERY_MAX_ROWS) {
		maui_question_too_many(v->q, MAUI_QUERY_MAX_ROWS, "names", "name one");
		return NULL;
	}
	if (names && wanted && *ret_count == 0) {
		maui_question_fail(v->q, MAUI_QUERY_NOT_FOUND,
				   "unknown %s '%.64s' (not in maui.cfg or any job)",
				   maui_cred_name(v->kind), wanted);
		return NULL;
	}
	return names;
}

static const struct maui_credentials_answer *answer(struct view *v, const char *wanted)
{
	const struct maui_document *p = v->q->document;
	struct maui_credentials_answer *ret = allocate(v, 1, sizeof(*ret));
	struct maui_credential *list;
	const char **names;
	size_t count;

	names = choose_names(v, wanted, &count);
	list = names ? allocate(v, count, sizeof(*list)) : NULL;
	if (!ret || !list)
		return NULL;
	for (size_t i = 0; i < count && !v->failed; i++)
		fill_credential(v, names[i], &list[i]);
	*ret = (struct maui_credentials_answer){
		.cluster = p->cluster,
		.time = p->plan->now_s,
		.kind = maui_cred_name(v->kind),
		.system = system_of(v),
		.credentials = list,
		.credentials_count = count,
	};
	if (maui_config_warnings_list(v->q, 1u << v->kind, false, &ret->warnings,
				      &ret->warnings_count) ||
	    maui_refused_get(v->q, &ret->refused))
		return NULL;
	return v->failed ? NULL : ret;
}

/* In and out: verbs/credentials.h. NULL with the error: unknown kind or name, more names than an
 * answer may have, no plan yet, no memory. */
const void *maui_answer_credentials(const struct maui_question *q, const void *record)
{
	const struct maui_credentials_args *args = record;
	const struct maui_document *p = q->document;
	struct view v = { .q = q };
	const void *ret = NULL;

	v.kind = maui_question_cred_kind(q, args->kind ? args->kind : "");
	if (v.kind == MAUI_CRED_COUNT || !maui_question_has_plan(q))
		return NULL;
	v.config = p->plan->config;
	v.shows_use = !p->privacy.hide_jobs || maui_document_sees_all(p, q->uid);
	if (count_use(p->plan, &v.use))
		return maui_question_no_memory(q);
	if (maui_own_creds_find(p, q->uid, &v.own))
		maui_question_no_memory(q);
	else
		ret = answer(&v, args->name);
	maui_own_creds_finish(&v.own);
	finish_use(&v.use);
	return ret;
}
