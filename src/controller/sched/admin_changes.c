/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admin_changes.c - takes the changes that commands ask for, applies them, and answers
 *
 * A change waits in the server's queue. The agent takes it at the beginning of a cycle and answers
 * at the end of the cycle, when the plan knows the nodes of the reservation and the state is
 * saved. A change that changed nothing is answered at once.
 *
 * A cycle takes TAKEN_MAX changes at most, because jobs wait for the cycle and every user may send
 * changes; the rest causes another cycle. A setres is the last change of its cycle: the plan judges
 * this setres alone. It is undone before anything is started or saved if the plan shows that its
 * resources are not available or exceed the user's bounds, and if no plan can be made. The first
 * cycle takes no change: before the first plan the cost of a HOSTLIST is not known. A release takes
 * effect before the next change is made.
 *
 * Rules: CMD-14, CMD-54.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/check/reservation.h"
#include "config/rsv_attributes.h"
#include "controller/query.h"
#include "model/mirror.h"
#include "admin/admin.h"
#include "admin/bounds.h"
#include "admin/machine.h"
#include "admin/set_answer.h"
#include "answers/answer.h"
#include "slurm/capture/resv.h"
#include "verbs/changeparam.h"

enum {
	TAKEN_MAX = 16,     /* of one cycle */
	WARNINGS_SAID = 20, /* in one answer */
	TAKING_US = 100000, /* no further change is taken after this time */
};

/* One change, and its answer. */
struct maui_sched_change {
	struct maui_sched_change *next;
	struct maui_query_change *change;
	const struct maui_verb *verb;
	/* NULL: failed; setres is answered from the plan */
	const void *answer;
	struct maui_warnings warned; /* of the answer: may grow until it is sent */
	bool changed;                /* answered at the end of the cycle, once it is saved */
	const char *name;            /* setres: the reservation that was made or changed */
	struct maui_rsv before;      /* setres: what was changed, unless it was made */
	bool created;                /* setres */
	char *warning;
	struct maui_query_error error;
};

/* In: the record of the arguments. Out: that of the answer, of the iteration's arena, or NULL with
 * made->error. */
typedef const void *(*make_fn)(struct maui_iteration *it, const struct maui_rights *who,
			       const void *args, struct maui_sched_change *made);

__attribute__((format(printf, 2, 3))) static void add_warning(struct maui_sched_change *made,
							      const char *format, ...)
{
	const char *before = made->warning ? made->warning : "";
	char *text, *all = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text && asprintf(&all, "%s%s%s", before, *before ? "; " : "", text) >= 0) {
		free(made->warning);
		made->warning = all;
	}
	free(text);
}

/* Warns that the reservation keeps no node free, or that Slurm has a reservation of the same
 * name. */
static void warn_of_use(const struct maui_iteration *it, struct maui_sched_change *made)
{
	if (maui_controller_is_trial(it->c))
		add_warning(made, "SERVERMODE is TEST: this is a trial, no node is kept free%s",
			    made->created ? "; the reservation is gone when the trial ends, unless "
					    "maui trial --keep" :
					    "");
	else if (it->c->config->server_mode != MAUI_SERVER_NORMAL)
		add_warning(made,
			    "SERVERMODE is TEST: Slurm does not show this change before NORMAL");
	if (maui_resv_is_there(made->name))
		add_warning(made,
			    "Slurm has a reservation %s, too: --reservation=%s means Slurm's; "
			    "--reservation=" MAUI_MIRROR_PREFIX "%s.0 means this one",
			    made->name, made->name, made->name);
}

/* Keeps a copy of the reservation of this name, if it exists. -1 without memory. */
static int keep_before(const struct maui_admin *admin, const char *name,
		       struct maui_sched_change *made)
{
	size_t index = name ? maui_admin_find(admin, name) : SIZE_MAX;

	return index == SIZE_MAX ? 0 : maui_rsv_copy(&admin->list[index], &made->before);
}

static size_t find_rsv(const struct maui_rsv_lists *rsvs, const char *name)
{
	size_t i = 0;

	while (i < rsvs->rsv_count && strcmp(rsvs->rsvs[i].name, name) != 0)
		i++;
	return i;
}

/* Takes the change of a setres back. */
static void undo(struct maui_iteration *it, struct maui_sched_change *made, size_t index)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;

	info("slurm-maui: reservation %s %s again: %s", rsvs->rsvs[index].name,
	     made->created ? "removed" : "as before", made->error.err.text);
	maui_rsv_finish(&rsvs->rsvs[index]);
	if (made->created) {
		rsvs->rsv_count--;
		memmove(&rsvs->rsvs[index], &rsvs->rsvs[index + 1],
			(rsvs->rsv_count - index) * sizeof(*rsvs->rsvs));
	} else {
		rsvs->rsvs[index] = made->before;
		made->before = (struct maui_rsv){ 0 };
	}
	maui_sched_publish_names(it);
}

/* Returns NULL: it is answered from the plan, if it is not refused. */
static const void *make_setres(struct maui_iteration *it, const struct maui_rights *who,
			       const void *arguments, struct maui_sched_change *made)
{
	const struct maui_setres_args *args = arguments;
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_admin admin = { rsvs->rsvs, rsvs->rsv_count, rsvs->rsv_alloc,
				    it->sched->document };
	size_t index;
	int rc;

	if (keep_before(&admin, args->name, made)) {
		maui_query_no_memory(&made->error);
		return NULL;
	}
	rc = maui_admin_set(&admin, who, it->c->config, args, time(NULL), &index, &made->created,
			    &made->warning, &made->error);
	rsvs->rsvs = admin.list;
	rsvs->rsv_count = admin.count;
	rsvs->rsv_alloc = admin.alloc;
	if (rc != 0)
		return NULL;
	if (made->created)
		rsvs->rsvs[index].trial = maui_controller_is_trial(it->c);
	made->name = maui_arena_strdup(&it->arena, rsvs->rsvs[index].name);
	if (!made->name) {
		maui_query_no_memory(&made->error);
		undo(it, made, index);
		return NULL;
	}
	maui_sched_publish_names(it);
	it->save = true;
	info("slurm-maui: reservation %s %s by %s", rsvs->rsvs[index].name,
	     made->created ? "made" : "changed", maui_rights_name(who));
	return NULL;
}

typedef struct maui_release_outcome (*release_fn)(struct maui_iteration *it,
						  const struct maui_rights *who, const char *name);

static struct maui_release_outcome release_one(struct maui_iteration *it,
					       const struct maui_rights *who, const char *name)
{
	const struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_admin admin = { rsvs->rsvs, rsvs->rsv_count, rsvs->rsv_alloc,
				    it->sched->document };
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

/* The warnings about the line, which stands in a file of this name. They are copies: another change
 * of the same cycle replaces the status. -1 without memory. */
static int list_warnings(const struct maui_config_status *status, const char *name,
			 struct maui_arena *arena, struct maui_warnings *ret)
{
	size_t all = status ? status->warnings.count : 0;
	const char **texts = maui_arena_alloc(arena, (all + 1) * sizeof(*texts));

	ret->warnings = texts;
	for (size_t i = 0; texts && i < all; i++) {
		const struct maui_diag *diag = &status->warnings.list[i];

		if (!diag->file || strcmp(diag->file, name) != 0)
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
	char name[MAUI_NAME_MAX + 32];
	char number[16] = ""; /* tells the warnings of several changes apart */

	if (it->c->change_count > 0)
		snprintf(number, sizeof(number), " %zu", (size_t)it->c->change_count + 1);
	snprintf(name, sizeof(name), "changeparam%s by %.*s", number, MAUI_NAME_MAX,
		 maui_rights_name(who));
	if (!ret) {
		maui_query_no_memory(&made->error);
		return NULL;
	}
	if (maui_admin_config_line(args->line, &made->error) ||
	    maui_change_config(it->c, name, args->line, &made->error))
		return NULL;
	maui_sched_reloaded(it->sched);
	it->c->recalculate = true;
	made->changed = true;
	info("slurm-maui: %s, in force until maui.cfg is read again: %s", name, args->line);
	/* the change is made, with or without memory for what it is warned of */
	if (list_warnings(it->c->config_status, name, &it->arena, &made->warned))
		error("slurm-maui: %s: no memory for the warnings about it", name);
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

/* Answers, and frees the change's memory. */
static void answer_change(struct maui_iteration *it, struct maui_sched_change *made)
{
	json_object *result = maui_answer_json(made->verb, made->answer, &made->error);

	maui_query_answer(it->c->query, made->change, result, &made->error);
	free(made->warning);
	maui_rsv_finish(&made->before);
}

/* At the end of the cycle. */
static void answer_later(struct maui_iteration *it, struct maui_sched_change *made)
{
	made->next = it->changes;
	it->changes = made;
}

/* Whether the change was made, as far as it is known before the plan. */
static bool make_change(struct maui_iteration *it, struct maui_query_change *change)
{
	struct maui_sched_change *made = maui_arena_alloc(&it->arena, sizeof(*made));
	const struct maui_verb *verb = change->verb->own;
	struct maui_query_error error;
	struct maui_rights who;
	const void *args;

	if (!made) {
		maui_query_no_memory(&error);
		maui_query_answer(it->c->query, change, NULL, &error);
		return false;
	}
	*made = (struct maui_sched_change){ .change = change, .verb = verb };
	maui_controller_query_who(it->c, &change->peer, &who);
	if (maui_rights_use(&who, verb, &made->error) == 0 &&
	    maui_answer_args(verb, change->args, &it->arena, &args, &made->error) == 0)
		made->answer = makers[verb->number](it, &who, args, made);
	if (made->name)
		it->setres = made;
	else if (made->changed)
		answer_later(it, made);
	else
		answer_change(it, made);
	return made->name || made->changed;
}

void maui_sched_changes(struct maui_iteration *it)
{
	int64_t until_us = maui_hold_clock_us() + TAKING_US;
	struct maui_query_change *change;
	bool any_made = false, any = false;

	it->sched->refused_all = false;
	/* when plans fail, the reservation that makes them fail can still be released */
	if (!it->c->query || (!it->sched->document && it->sched->failures == 0))
		return;
	for (int i = 0;
	     i < TAKEN_MAX && !it->setres && !it->c->stop && maui_hold_clock_us() < until_us; i++) {
		change = maui_query_take(it->c->query);
		if (!change)
			break;
		any = true;
		any_made |= make_change(it, change);
		if (it->pending_releases)
			maui_sched_carry_out_releases(it); /* this cycle plans without them */
	}
	it->sched->refused_all = any && !any_made;
}

/* The tasks that the reservation lacks in the last published plan. */
static int64_t missing_of(const struct maui_document *p, const char *name)
{
	for (size_t i = 0; p && i < p->rsv_count; i++)
		if (p->rsvs[i].type != MAUI_DOCUMENT_JOB && strcmp(p->rsvs[i].name, name) == 0)
			return p->rsvs[i].missing;
	return 0;
}

/* Whether the plan gives the setres what it asked for, within the bounds of its user. */
static bool is_granted(struct maui_iteration *it, struct maui_sched_change *made)
{
	const struct maui_bounds_plan plan = {
		.snapshot = it->cluster.snapshot,
		.standing = &it->standing,
		.instances = it->sched->decisions.instances,
		.instance_count = it->sched->decisions.instance_count,
		.now_s = it->cluster.now_s,
		.published = it->sched->document,
		.missing_before = made->created ? 0 : missing_of(it->sched->document, made->name),
	};
	int64_t rsv = maui_sched_find_rsv(it, made->name);
	struct maui_rights who;

	maui_controller_query_who(it->c, &made->change->peer, &who);
	return rsv < 0 ||
	       maui_bounds_planned(&plan, (uint32_t)rsv, &who, it->c->config, &made->error) == 0;
}

static void take_back(struct maui_iteration *it, struct maui_sched_change *made)
{
	size_t index = find_rsv(&it->sched->rsvs, made->name);

	if (index < it->sched->rsvs.rsv_count)
		undo(it, made, index);
	answer_change(it, made);
}

bool maui_sched_refuse_changes(struct maui_iteration *it)
{
	struct maui_sched_change *made = it->setres;

	it->setres = NULL;
	if (!made)
		return false;
	if (is_granted(it, made)) {
		answer_later(it, made);
		return false;
	}
	take_back(it, made);
	it->sched->refused_all = true; /* it cost two plans */
	return true;
}

void maui_sched_refuse_unplanned(struct maui_iteration *it)
{
	struct maui_sched_change *made = it->setres;

	it->setres = NULL;
	if (!made)
		return;
	maui_query_fail(
		&made->error, MAUI_QUERY_UNAVAILABLE,
		"no plan could be made with this reservation; nothing was changed: try again");
	take_back(it, made);
}

/* Warns of unknown partitions, as for a SRCFG. The snapshot of the plan has the partitions. */
static void warn_of_partitions(const struct maui_iteration *it, struct maui_sched_change *made)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_config one = { .rsv_count = 1 };
	struct maui_diags diags = { 0 };
	size_t i = find_rsv(rsvs, made->name);

	if (!s || s->partition_count == 0 || i == rsvs->rsv_count)
		return;
	one.rsvs = &rsvs->rsvs[i];
	maui_config_check_partitions(&one, s, true, &diags);
	for (i = 0; i < diags.count && i < WARNINGS_SAID; i++)
		add_warning(made, "%s", maui_rsv_plain_text(&diags.list[i], one.rsvs->name));
	if (diags.count > WARNINGS_SAID)
		add_warning(made, "and %zu more", diags.count - WARNINGS_SAID);
	maui_diags_finish(&diags);
}

/* Adds what the answer warns of. Without memory it is not said. */
static void add_warned(struct maui_iteration *it, struct maui_sched_change *made, const char *text)
{
	struct maui_warnings *warned = &made->warned;
	const char **texts =
		maui_arena_alloc(&it->arena, (warned->warnings_count + 1) * sizeof(*texts));
	const char *copy = maui_arena_strdup(&it->arena, text);

	if (!texts || !copy)
		return;
	if (warned->warnings_count > 0)
		memcpy(texts, warned->warnings, warned->warnings_count * sizeof(*texts));
	texts[warned->warnings_count++] = copy;
	warned->warnings = texts;
}

/* Warns that the change is made but not saved: a slurmctld that ends now forgets it. */
static void warn_of_state(struct maui_iteration *it, struct maui_sched_change *made)
{
	const char *why = it->save ? maui_not_saved(it->c) : NULL;

	if (!why)
		return;
	add_warning(made,
		    "done, but not saved: lost when slurmctld ends before it can be saved: %s",
		    why);
	if (made->answer && made->warning)
		add_warned(it, made, made->warning);
}

/* An earlier document may have the reservation as it was. */
static const struct maui_setres *answer_setres(struct maui_iteration *it,
					       struct maui_sched_change *made)
{
	const struct maui_question q = {
		.document = it->document,
		.uid = made->change->peer.uid,
		.arena = &it->arena,
		.error = &made->error,
	};

	warn_of_partitions(it, made);
	warn_of_use(it, made);
	return maui_admin_set_answer(&q, made->name, made->created, made->warning);
}

void maui_sched_answers(struct maui_iteration *it)
{
	for (struct maui_sched_change *made = it->changes; made; made = made->next) {
		warn_of_state(it, made);
		if (made->name)
			made->answer = answer_setres(it, made);
		answer_change(it, made);
	}
	it->changes = NULL;
}
