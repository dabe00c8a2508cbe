/* SPDX-License-Identifier: GPL-2.0-or-later */
/* make_change.c - makes the changes of setres, releaseres, changeparam and other commands */

#include "slurm/compat.h"

#include "controller/sched/admin_changes.h"

#include <stdio.h>
#include <string.h>

#include "admin/machine.h"
#include "config/status.h"
#include "verbs/changeparam.h"

typedef const void *(*make_fn)(struct maui_iteration *it, const struct maui_rights *who,
			       const void *args, struct maui_sched_change *made);

static const void *make_setres(struct maui_iteration *it, const struct maui_rights *who,
			       const void *args, struct maui_sched_change *made)
{
	maui_sched_make_setres(it, who, args, made);
	return NULL;
}

typedef struct maui_release_outcome (*release_fn)(struct maui_iteration *it,
						  const struct maui_rights *who, const char *name);

static struct maui_release_outcome release_one(struct maui_iteration *it,
					       const struct maui_rights *who, const char *name)
{
	const struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_admin admin = maui_sched_admin(it);
	struct maui_release_outcome failed = { 0 };
	struct maui_release release;

	if (maui_admin_release(&admin, who, it->c->config, name, &release, &failed.error))
		return failed;
	info("slurm-maui: reservation %s released by %s", release.name, maui_rights_name(who));
	if (release.kind == MAUI_RELEASE_ADMIN)
		maui_sched_release(it, rsvs->rsvs[release.index].name, 0);
	else if (release.kind == MAUI_RELEASE_STANDING)
		maui_sched_release(it, release.sr->name, release.day);
	else
		maui_saved_job_rsvs_drop(&it->sched->job_rsvs, release.job);
	return maui_release_done(&release, &it->arena);
}

static struct maui_release_outcome restore_one(struct maui_iteration *it,
					       const struct maui_rights *who, const char *name)
{
	struct maui_release_outcome failed = { 0 };
	struct maui_release release;

	if (maui_admin_restore(it->c->config, name, time(NULL), &release, &failed.error) ||
	    (maui_rsv_lists_drop_released(&it->sched->rsvs, release.sr->name, release.day) == 0 &&
	     maui_admin_nothing_released(name, &failed.error)))
		return failed;
	it->save = true;
	info("slurm-maui: reservation %s taken back by %s", name, maui_rights_name(who));
	return maui_release_done(&release, &it->arena);
}

/* Releases each name of the request, or restores it. */
static const void *for_each_name(struct maui_iteration *it, const struct maui_rights *who,
				 const struct maui_releaseres_args *args,
				 struct maui_sched_change *made, release_fn change)
{
	struct maui_release_outcome *outcomes;
	struct maui_releaseres *ret;

	if (maui_admin_check_names(args, &made->error))
		return NULL;
	outcomes = maui_arena_alloc(&it->arena, args->names_count * sizeof(*outcomes));
	if (!outcomes) {
		maui_query_no_memory(&made->error);
		return NULL;
	}
	for (size_t i = 0; i < args->names_count; i++) {
		outcomes[i] = change(it, who, args->names[i]);
		made->changed |= !outcomes[i].error.code;
	}
	ret = maui_release_answer(outcomes, args->names_count, &it->arena);
	if (ret)
		ret->warned = &made->warned;
	else
		maui_query_no_memory(&made->error);
	return ret;
}

static const void *make_releaseres(struct maui_iteration *it, const struct maui_rights *who,
				   const void *args, struct maui_sched_change *made)
{
	return for_each_name(it, who, args, made, release_one);
}

static const void *make_restoreres(struct maui_iteration *it, const struct maui_rights *who,
				   const void *args, struct maui_sched_change *made)
{
	return for_each_name(it, who, args, made, restore_one);
}

static const void *make_resetstats(struct maui_iteration *it, const struct maui_rights *who,
				   const void *args, struct maui_sched_change *made)
{
	struct maui_resetstats *ret = maui_admin_reset_statistics(&it->c->statistics, time(NULL),
								  &it->arena, &made->error);

	(void)args;
	made->changed = ret;
	if (!ret)
		return NULL;
	ret->warned = &made->warned;
	it->save = true;
	info("slurm-maui: statistics reset by %s", maui_rights_name(who));
	return ret;
}

static const void *make_keeptrial(struct maui_iteration *it, const struct maui_rights *who,
				  const void *args, struct maui_sched_change *made)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_keeptrial *ret =
		maui_admin_keep_trial(rsvs->rsvs, rsvs->rsv_count, &it->arena, &made->error);

	(void)args;
	made->changed = ret;
	if (!ret)
		return NULL;
	ret->warned = &made->warned;
	it->save = true;
	info("slurm-maui: reservations of the trial are kept by %s", maui_rights_name(who));
	return ret;
}

/* Whether the status warns of this already, beside slurm.conf. */
static bool has_conflict(const struct maui_config_status *status, const char *text)
{
	for (size_t i = status ? status->file_warnings : 0; status && i < status->warnings.count;
	     i++)
		if (strcmp(status->warnings.list[i].text, text) == 0)
			return true;
	return false;
}

/* The warnings about the line, which stands in a file of this name, and the conflicts with
 * slurm.conf that were not there `before`. They are copies: another change of the same cycle
 * replaces the status. -1 without memory. */
static int list_warnings(const struct maui_config_status *status,
			 const struct maui_config_status *before, const char *name,
			 struct maui_arena *arena, struct maui_warnings *ret)
{
	size_t all = status ? status->warnings.count : 0;
	const char **texts = maui_arena_alloc(arena, (all + 1) * sizeof(*texts));

	ret->warnings = texts;
	for (size_t i = 0; texts && i < all; i++) {
		const struct maui_diag *diag = &status->warnings.list[i];

		if (i < status->file_warnings ? !diag->file || strcmp(diag->file, name) != 0 :
						has_conflict(before, diag->text))
			continue;
		texts[ret->warnings_count] = maui_arena_strdup(arena, diag->text);
		if (!texts[ret->warnings_count++])
			return -1;
	}
	return texts ? 0 : -1;
}

static const void *make_changeparam(struct maui_iteration *it, const struct maui_rights *who,
				    const void *arguments, struct maui_sched_change *made)
{
	const struct maui_changeparam_args *args = arguments;
	struct maui_changeparam *ret = maui_arena_alloc(&it->arena, sizeof(*ret));
	struct maui_config_status *before;
	char name[MAUI_NAME_MAX + 48];
	char number[32] = ""; /* tells the warnings of several changes apart */

	if (it->c->change_count > 0)
		snprintf(number, sizeof(number), " %zu", (size_t)it->c->change_count + 1);
	snprintf(name, sizeof(name), "changeparam%s by %.*s", number, MAUI_NAME_MAX,
		 maui_rights_name(who));
	if (!ret) {
		maui_query_no_memory(&made->error);
		return NULL;
	}
	before = maui_config_status_ref(it->c->config_status);
	if (maui_admin_config_line(args->line, &made->error) ||
	    maui_change_config(it->c, name, args->line, &made->error)) {
		maui_config_status_unref(before);
		return NULL;
	}
	maui_sched_reloaded(it->sched);
	it->c->recalculate = true;
	made->changed = true;
	info("slurm-maui: %s, in force until maui.cfg is read again: %s", name, args->line);
	/* the change is made, with or without memory for what it is warned of */
	if (list_warnings(it->c->config_status, before, name, &it->arena, &made->warned))
		error("slurm-maui: %s: no memory for the warnings about it", name);
	maui_config_status_unref(before);
	*ret = (struct maui_changeparam){ .line = args->line, .warned = &made->warned };
	return ret;
}

static const void *make_changejob(struct maui_iteration *it, const struct maui_rights *who,
				  const void *args, struct maui_sched_change *made)
{
	struct maui_changejob *ret = maui_sched_change_job(it, who, args, &made->error);

	made->changed = ret;
	if (ret)
		ret->warned = &made->warned;
	return ret;
}

static const make_fn makers[MAUI_VERB_COUNT] = {
#define MAKER(tag) [MAUI_VERB_##tag] = make_##tag,
	MAUI_VERBS(MAUI_VERB_NONE, MAKER)
};

const void *maui_sched_make_change(struct maui_iteration *it, const struct maui_rights *who,
				   const void *args, struct maui_sched_change *made)
{
	return makers[made->verb->number](it, who, args, made);
}
