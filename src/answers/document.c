/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document.c - the document itself: rows in an arena, counted references */
#include "answers/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "config/status.h"
#include "cycle/health.h"
#include "model/mirror.h"
#include "model/rsv.h"
#include "model/snapshot.h"
#include "plan/finished.h"
#include "reservation/windows/windows.h"
#include "state/statistics.h"
#include "state/trial.h"
#include "state/usage_view.h"
#include "state/utilisation.h"

struct maui_document *maui_document_create(int64_t now_s, const char *cluster)
{
	struct maui_document *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->refs = 1;
	p->now_s = now_s;
	p->cluster = maui_arena_strdup(&p->arena, cluster);
	return p;
}

struct maui_document *maui_document_ref(struct maui_document *p)
{
	if (p)
		__atomic_add_fetch(&p->refs, 1, __ATOMIC_RELAXED);
	return p;
}

void maui_document_unref(struct maui_document *p)
{
	if (!p || __atomic_sub_fetch(&p->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	free(p->rsvs);
	free(p->warnings);
	free(p->released);
	maui_plan_unref(p->plan);
	maui_config_status_unref(p->config);
	maui_usage_view_unref(p->usage);
	maui_statistics_view_unref(p->statistics);
	maui_arena_finish(&p->arena);
	free(p);
}

static void *copy(struct maui_document *p, const void *data, size_t size)
{
	void *to;

	if (!data || size == 0)
		return NULL;
	to = maui_arena_alloc(&p->arena, size);
	if (to)
		memcpy(to, data, size);
	else
		p->failed = true;
	return to;
}

static const char *copy_text(struct maui_document *p, const char *text)
{
	return copy(p, text, text ? strlen(text) + 1 : 0);
}

static const char *const *copy_texts(struct maui_document *p, const char *const *texts)
{
	const char **to;
	size_t count = 0;

	while (texts && texts[count])
		count++;
	if (count == 0)
		return NULL;
	to = copy(p, texts, (count + 1) * sizeof(*to));
	for (size_t i = 0; to && i < count; i++)
		to[i] = copy_text(p, texts[i]);
	return to;
}

void maui_document_hide(struct maui_document *p, bool jobs, bool rsvs, const uid_t *admins,
			size_t admin_count)
{
	p->hide_jobs = jobs;
	p->hide_rsvs = rsvs;
	p->admins = copy(p, admins, admin_count * sizeof(*admins));
	p->admin_count = p->admins ? admin_count : 0;
}

void maui_document_coordinators(struct maui_document *p, const struct maui_coordinator *list,
				size_t count)
{
	struct maui_coordinator *to = copy(p, list, count * sizeof(*list));

	for (size_t i = 0; to && i < count; i++)
		to[i].account = copy_text(p, list[i].account);
	p->coordinators = to;
	p->coordinator_count = to ? count : 0;
}

void maui_document_default_accounts(struct maui_document *p,
				    const struct maui_default_account *list, size_t count)
{
	struct maui_default_account *to = copy(p, list, count * sizeof(*list));

	for (size_t i = 0; to && i < count; i++) {
		to[i].user = copy_text(p, list[i].user);
		to[i].account = copy_text(p, list[i].account);
	}
	p->default_accounts = to;
	p->default_account_count = to ? count : 0;
}

void maui_document_set_plan(struct maui_document *p, struct maui_plan *plan,
			    const struct maui_document_idle *idle)
{
	uint32_t count = plan->snapshot->idle_count;
	struct maui_document_idle *to = maui_arena_alloc(&p->arena, (count + 1u) * sizeof(*to));

	p->failed |= !to;
	for (uint32_t i = 0; to && i < count; i++) {
		struct maui_job_conditions *c = &to[i].conditions;

		to[i] = idle[i];
		c->tasks = copy(p, c->tasks, c->task_count * sizeof(*c->tasks));
		c->dependencies =
			copy(p, c->dependencies, c->dependency_count * sizeof(*c->dependencies));
		c->slurm_reason = copy_text(p, c->slurm_reason);
		to[i].name = copy_text(p, idle[i].name);
		to[i].estimates = copy(p, idle[i].estimates,
				       idle[i].estimate_count * sizeof(*idle[i].estimates));
	}
	p->idle = to;
	p->plan = maui_plan_ref(plan);
}

void maui_document_set_usage(struct maui_document *p, struct maui_usage_view *usage)
{
	p->usage = maui_usage_view_ref(usage);
}

void maui_document_set_statistics(struct maui_document *p, struct maui_statistics_view *statistics,
				  const struct maui_utilisation *utilisation)
{
	p->statistics = maui_statistics_view_ref(statistics);
	p->utilisation = copy(p, utilisation, sizeof(*utilisation));
}

void maui_document_set_trial(struct maui_document *p, const struct maui_trial *trial)
{
	p->trial = copy(p, trial, sizeof(*trial));
}

void maui_document_set_health(struct maui_document *p, const struct maui_health *health)
{
	p->health = copy(p, health, sizeof(*health));
}

static int compare_users(const void *a, const void *b)
{
	const struct maui_document_user *x = a, *y = b;

	return x->uid < y->uid ? -1 : x->uid > y->uid;
}

void maui_document_know_users(struct maui_document *p, const struct maui_document_user *users,
			      size_t count)
{
	struct maui_document_user *to = copy(p, users, count * sizeof(*users));

	for (size_t i = 0; to && i < count; i++)
		to[i].name = copy_text(p, users[i].name);
	if (to)
		qsort(to, count, sizeof(*to), compare_users);
	p->users = to;
	p->user_count = to ? count : 0;
}

void maui_document_set_config(struct maui_document *p, struct maui_config_status *config,
			      const char *slurm_version)
{
	p->config = maui_config_status_ref(config);
	p->slurm_version = copy_text(p, slurm_version);
}

static const struct maui_document_user *find_user(const struct maui_document *p, uid_t uid)
{
	const struct maui_document_user key = { .uid = uid };

	return p->user_count > 0 ?
		       bsearch(&key, p->users, p->user_count, sizeof(key), compare_users) :
		       NULL;
}

const char *maui_document_user_name(const struct maui_document *p, uid_t uid)
{
	const struct maui_document_user *found = find_user(p, uid);

	return found ? found->name : NULL;
}

bool maui_document_knows(const struct maui_document *p, uid_t uid)
{
	bool hides = p->hide_jobs || p->hide_rsvs || p->hide_usage || p->hide_users ||
		     p->hide_accounts || p->hide_nodes;

	return !hides || maui_document_sees_all(p, uid) || find_user(p, uid);
}

void maui_document_nodes(struct maui_document *p, const struct maui_snapshot *snapshot)
{
	p->nodes = maui_arena_alloc(&p->arena, (snapshot->node_count + 1) * sizeof(*p->nodes));
	if (!p->nodes) {
		p->failed = true;
		return;
	}
	p->node_count = snapshot->node_count;
	for (uint32_t i = 0; i < p->node_count; i++)
		p->nodes[i] = copy_text(p, snapshot->nodes[i].name);
}

struct maui_document_rsv *maui_document_add(struct maui_document *p,
					    const struct maui_document_rsv *row)
{
	struct maui_document_rsv *rows =
		maui_array_grow(p->rsvs, p->rsv_count, &p->rsv_alloc, sizeof(*rows));
	struct maui_document_rsv *to;

	if (!rows) {
		p->failed = true;
		return NULL;
	}
	p->rsvs = rows;
	to = &rows[p->rsv_count];
	*to = *row;
	to->name = copy_text(p, row->name);
	to->stable = copy_text(p, row->stable);
	to->mirror = copy_text(p, row->mirror);
	to->srcfg = copy_text(p, row->srcfg);
	to->partition = copy_text(p, row->partition);
	to->nodes = copy(p, row->nodes, row->node_count * sizeof(*row->nodes));
	to->held_by = copy_text(p, row->held_by);
	to->flags = copy_texts(p, row->flags);
	to->acl = copy_texts(p, row->acl);
	to->triggers = copy_texts(p, row->triggers);
	to->owner = copy_text(p, row->owner);
	to->charge_account = copy_text(p, row->charge_account);
	to->subtype = copy_text(p, row->subtype);
	to->job_name = copy_text(p, row->job_name);
	to->hosts = copy_text(p, row->hosts);
	to->features = copy_text(p, row->features);
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		to->cred[i] = copy_text(p, row->cred[i]);
	if (p->failed || !to->name)
		return NULL;
	p->rsv_count++;
	return to;
}

static bool is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

bool maui_document_has_number(const struct maui_document_rsv *row, const char *name)
{
	char *end;
	unsigned long long number = strtoull(name, &end, 10);

	return row->type == MAUI_DOCUMENT_JOB && *end == '\0' && number > 0 &&
	       (row->job_id == number || row->array_job_id == number);
}

size_t maui_document_find(const struct maui_document *p, const char *name, size_t from)
{
	size_t i;

	for (i = from; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (is(row->name, name) || is(row->stable, name) || is(row->srcfg, name) ||
		    maui_document_has_number(row, name))
			break;
	}
	return i;
}

bool maui_document_sees_all(const struct maui_document *p, uid_t uid)
{
	if (uid == 0)
		return true;
	for (size_t i = 0; i < p->admin_count; i++)
		if (p->admins[i] == uid)
			return true;
	return false;
}

bool maui_document_hides_rsvs(const struct maui_document *p, uid_t uid)
{
	return p->hide_rsvs && !maui_document_sees_all(p, uid);
}

bool maui_document_shows_holders(const struct maui_document *p, uid_t uid)
{
	return (!p->hide_jobs && !p->hide_rsvs) || maui_document_sees_all(p, uid);
}

bool maui_document_hides_nodes(const struct maui_document *p, uid_t uid)
{
	return p->hide_nodes && !maui_document_sees_all(p, uid);
}

bool maui_document_coordinates(const struct maui_document *p, const char *account, uid_t uid)
{
	for (size_t i = 0; account && i < p->coordinator_count; i++)
		if (p->coordinators[i].uid == uid &&
		    strcmp(p->coordinators[i].account, account) == 0)
			return true;
	return false;
}

static bool shows_job(const struct maui_document *p, uid_t owner, const char *account, uid_t uid)
{
	return !p->hide_jobs || owner == uid || maui_document_sees_all(p, uid) ||
	       maui_document_coordinates(p, account, uid);
}

bool maui_document_shows(const struct maui_document *p, const struct maui_document_rsv *row,
			 uid_t uid)
{
	if (row->type == MAUI_DOCUMENT_JOB)
		return shows_job(p, row->uid, row->cred[MAUI_CRED_ACCOUNT], uid);
	return !p->hide_rsvs || row->uid == uid || maui_document_sees_all(p, uid);
}

const char *maui_document_no_starts(const struct maui_document *p)
{
	const struct maui_health *h = p->health;

	if (!h || h->starts)
		return NULL;
	if (h->guarded)
		return "slurmctld died twice inside a plan";
	if (h->forbidden)
		return "slurmctld may not schedule here (no_backup_scheduling, or a federation)";
	if (h->beside)
		return "another scheduler starts the jobs";
	return "SERVERMODE of maui.cfg is not NORMAL";
}

int64_t maui_document_estimate(const struct maui_document *p, uint32_t idle)
{
	const struct maui_verdict *verdict = &p->plan->decisions.verdicts[idle];
	bool would_start = verdict->started && !verdict->blocks;

	return would_start && maui_document_no_starts(p) ? MAUI_NEVER : verdict->estimate_s;
}

static bool has_partition(const struct maui_document *p, const char *name)
{
	const struct maui_snapshot *s = p->plan->snapshot;

	for (uint32_t i = 0; i < s->partition_count; i++)
		if (strcmp(name, s->partitions[i].name) == 0)
			return true;
	return false;
}

int maui_document_read_partitions(const struct maui_document *p, const char *text,
				  struct maui_words *ret, struct maui_query_error *error)
{
	if (maui_words_split(text, ",", ret))
		return maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	if (ret->count == 0)
		return maui_query_fail(error, MAUI_QUERY_BAD, "no partition is named");
	for (size_t i = 0; i < ret->count; i++)
		if (!has_partition(p, ret->list[i]))
			return maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no partition '%.64s'",
					       ret->list[i]);
	return 0;
}

const char *maui_document_held_by(const struct maui_document *p,
				  const struct maui_document_rsv *row, uid_t uid)
{
	return maui_document_shows_holders(p, uid) ? row->held_by : NULL;
}

bool maui_document_shows_idle(const struct maui_document *p, uint32_t index, uid_t uid)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	const struct maui_credentials *creds = &s->creds[s->idle[index].rows[0].creds];

	return shows_job(p, p->idle[index].uid, creds->cred[MAUI_CRED_ACCOUNT], uid);
}

bool maui_document_shows_usage(const struct maui_document *p, uid_t uid)
{
	return !p->hide_usage || maui_document_sees_all(p, uid);
}

void maui_document_warn(struct maui_document *p, const char *text)
{
	const char **grown =
		maui_array_grow(p->warnings, p->warning_count, &p->warning_alloc, sizeof(*grown));
	const char *copied = grown ? copy_text(p, text) : NULL;

	if (grown)
		p->warnings = grown;
	if (copied)
		grown[p->warning_count++] = copied;
	else
		p->failed = true;
}

/* Whether "... SRCFG[biz] ..." is about biz, biz.1, maui.biz.20261123. */
static bool is_about(const char *warning, const char *name)
{
	static const char open[] = "SRCFG[";
	const char *subject = strstr(warning, open);
	const char *end = subject ? strchr(subject, ']') : NULL;
	size_t length;

	if (!end)
		return false;
	if (strncmp(name, MAUI_MIRROR_PREFIX, strlen(MAUI_MIRROR_PREFIX)) == 0)
		name += strlen(MAUI_MIRROR_PREFIX);
	subject += sizeof(open) - 1;
	length = (size_t)(end - subject);
	if (strncmp(name, subject, length) != 0)
		return false;
	name += length;
	return *name == '\0' ||
	       (*name == '.' && strspn(name + 1, "0123456789") == strlen(name + 1));
}

size_t maui_document_find_warning(const struct maui_document *p, const char *name, uid_t uid,
				  size_t from)
{
	if (maui_document_hides_rsvs(p, uid))
		return p->warning_count;
	while (from < p->warning_count && name && !is_about(p->warnings[from], name))
		from++;
	return from;
}

void maui_document_add_released(struct maui_document *p, const struct maui_rsv *rsv, int32_t day)
{
	struct maui_rsv_instance window = { .start_s = p->now_s, .end_s = MAUI_NEVER };
	struct maui_document_released *grown;

	if (maui_rsv_recurs(rsv) && !maui_standing_get_window(rsv, p->now_s, day, &window))
		return;
	grown = maui_array_grow(p->released, p->released_count, &p->released_alloc, sizeof(*grown));
	if (!grown) {
		p->failed = true;
		return;
	}
	p->released = grown;
	grown += p->released_count;
	*grown = (struct maui_document_released){
		.name = maui_rsv_ordinal_name(rsv, window.ordinal, &p->arena),
		.stable = maui_rsv_stable_name(rsv, window.day, MAUI_MIRROR_PREFIX, &p->arena),
		.start_s = window.start_s,
		.end_s = window.end_s,
	};
	if (grown->name && grown->stable)
		p->released_count++;
	else
		p->failed = true;
}

size_t maui_document_find_released(const struct maui_document *p, const char *name, uid_t uid,
				   size_t from)
{
	if (maui_document_hides_rsvs(p, uid))
		return p->released_count;
	for (; name && from < p->released_count; from++) {
		const struct maui_document_released *one = &p->released[from];

		if (is(one->name, name) || is(one->stable, name) ||
		    maui_rsv_is_numbered(name, one->name, strlen(one->name)))
			break;
	}
	return from;
}
