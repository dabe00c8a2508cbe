/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rename.c - administrative reservations give way to names of maui.cfg
 *
 * A SRCFG that comes with a reload may be called as one of them is: both would have one mirror, and
 * nobody could say which of the two he means.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>
#include <string.h>

#include "admin/admin.h"

static int rename_text(char **text, const char *from, const char *to)
{
	char *copy;

	if (strcmp(*text, from) != 0)
		return 0;
	copy = strdup(to);
	if (!copy)
		return -1;
	free(*text);
	*text = copy;
	return 0;
}

/* What is kept of the administrative one: it has no day. */
static int rename_period(struct maui_store_period *period, const char *from, const char *to)
{
	return period->day == 0 ? rename_text(&period->rsv, from, to) : 0;
}

static int rename_kept(struct maui_sched *sched, const char *from, const char *to)
{
	struct maui_store *book = &sched->book;
	int rc = 0;

	for (size_t i = 0; i < book->instance_count; i++)
		rc |= rename_period(&book->instances[i].period, from, to);
	for (size_t i = 0; i < book->record_count; i++)
		rc |= rename_period(&book->records[i].period, from, to);
	for (size_t i = 0; i < sched->triggers.count; i++)
		if (sched->triggers.list[i].day == 0)
			rc |= rename_text(&sched->triggers.list[i].rsv, from, to);
	return rc;
}

void maui_sched_rename(struct maui_iteration *it)
{
	struct maui_store *book = &it->sched->book;
	struct maui_admin admin = { .list = book->rsvs,
				    .count = book->rsv_count,
				    .alloc = book->rsv_alloc };
	bool any = false;

	for (size_t i = 0; i < book->rsv_count; i++) {
		char *old = book->rsvs[i].name;
		char *name = maui_admin_other_name(&admin, i, it->c->config);

		if (!name)
			continue;
		error("slurm-maui: reservation %s is called %s from now on: maui.cfg has a "
		      "standing reservation of its name",
		      old, name);
		if (rename_kept(it->sched, old, name))
			error("slurm-maui: no memory: reservation %s is placed anew", name);
		book->rsvs[i].name = name;
		free(old);
		any = true;
	}
	if (!any)
		return;
	it->save = true;
	maui_sched_tell_names(it);
}
