/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document_publish.c - fills a document: copies in its arena, references */
#include "answers/document_publish.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
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

static const char *const *copy_names(struct maui_document *p, const char *const *list, size_t count)
{
	const char **to = copy(p, list, count * sizeof(*list));

	for (size_t i = 0; to && i < count; i++)
		to[i] = copy_text(p, list[i]);
	return to;
}

static const char *const *copy_texts(struct maui_document *p, const char *const *texts)
{
	size_t count = 0;

	while (texts && texts[count])
		count++;
	return count > 0 ? copy_names(p, texts, count + 1) : NULL;
}

void maui_document_hide(struct maui_document *p, bool jobs, bool rsvs, const uid_t *admins,
			size_t admin_count)
{
	p->privacy.hide_jobs = jobs;
	p->privacy.hide_rsvs = rsvs;
	p->privacy.admins = copy(p, admins, admin_count * sizeof(*admins));
	p->privacy.admin_count = p->privacy.admins ? admin_count : 0;
}

void maui_document_coordinators(struct maui_document *p, const struct maui_coordinator *list,
				size_t count)
{
	struct maui_coordinator *to = copy(p, list, count * sizeof(*list));

	for (size_t i = 0; to && i < count; i++)
		to[i].account = copy_text(p, list[i].account);
	p->privacy.coordinators = to;
	p->privacy.coordinator_count = to ? count : 0;
}

void maui_document_know_users(struct maui_document *p, const struct maui_document_user *users,
			      size_t count)
{
	struct maui_document_user *to = copy(p, users, count * sizeof(*users));

	for (size_t i = 0; to && i < count; i++) {
		to[i].name = copy_text(p, users[i].name);
		to[i].called = copy_text(p, users[i].called);
	}
	if (to)
		qsort(to, count, sizeof(*to), maui_privacy_compare_users);
	p->privacy.users = to;
	p->privacy.user_count = to ? count : 0;
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

void maui_document_slurm_names(struct maui_document *p, struct maui_slurm_names *names)
{
	p->slurm_names = names;
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
		c->hold_words = copy_text(p, c->hold_words);
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

void maui_document_set_state(struct maui_document *p, const char *const *damage, size_t count,
			     const char *not_saved)
{
	p->damage = copy_names(p, damage, count);
	p->damage_count = p->damage ? count : 0;
	p->not_saved = copy_text(p, not_saved);
}

void maui_document_set_config(struct maui_document *p, struct maui_config_status *config,
			      const char *slurm_version)
{
	p->config = maui_config_status_ref(config);
	p->slurm_version = copy_text(p, slurm_version);
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

enum { WARNING = MAUI_DIAG_MAX_TEXT + 1024 }; /* with the name of a file */

void maui_document_warn(struct maui_document *p, const struct maui_diag *diag, bool of_file)
{
	struct maui_document_warning *grown =
		maui_array_grow(p->warnings, p->warning_count, &p->warning_alloc, sizeof(*grown));
	char text[WARNING];

	p->cluster_warnings += !of_file;
	if (!grown) {
		p->failed = true;
		return;
	}
	p->warnings = grown;
	maui_diag_format(diag, text, sizeof(text));
	grown[p->warning_count++] = (struct maui_document_warning){
		.text = copy_text(p, text), .family = diag->kind, .name = copy_text(p, diag->name)
	};
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
