/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admin_changes.c - takes the changes that commands ask for, and answers
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

#include "controller/sched/admin_changes.h"

#include <stdlib.h>
#include <string.h>

#include "admin/warning.h"
#include "answers/answer.h"
#include "controller/query.h"

enum {
	TAKEN_MAX = 16,     /* of one cycle */
	TAKING_US = 100000, /* no further change is taken after this time */
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
	if (maui_controller_query_who(it->c, &change->peer, &who, &made->error) == 0 &&
	    maui_rights_use(&who, verb, &made->error) == 0 &&
	    maui_answer_args(verb, change->args, &it->arena, &args, &made->error) == 0)
		made->answer = maui_sched_make_change(it, &who, args, made);
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
	int64_t until_us = maui_monotonic_us() + TAKING_US;
	struct maui_query_change *change;
	bool any_made = false, any = false;

	it->sched->refused_all = false;
	/* when plans fail, the reservation that makes them fail can still be released */
	if (!it->c->query || (!it->sched->document && it->sched->failures == 0))
		return;
	for (int i = 0;
	     i < TAKEN_MAX && !it->setres && !it->c->stop && maui_monotonic_us() < until_us; i++) {
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

bool maui_sched_refuse_changes(struct maui_iteration *it)
{
	struct maui_sched_change *made = it->setres;

	it->setres = NULL;
	if (!made)
		return false;
	if (maui_sched_is_setres_granted(it, made)) {
		answer_later(it, made);
		return false;
	}
	maui_sched_undo_setres(it, made);
	answer_change(it, made);
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
	maui_sched_undo_setres(it, made);
	answer_change(it, made);
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
	maui_admin_warn(&made->warning,
			"done, but not saved: lost when slurmctld ends before it can be saved: %s",
			why);
	if (made->answer && made->warning)
		add_warned(it, made, made->warning);
}

void maui_sched_answers(struct maui_iteration *it)
{
	for (struct maui_sched_change *made = it->changes; made; made = made->next) {
		warn_of_state(it, made);
		if (made->name)
			made->answer = maui_sched_answer_setres(it, made);
		answer_change(it, made);
	}
	it->changes = NULL;
}
