/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_names.c - finds reservations by name, and gives job_submit the names that jobs may use */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>
#include <string.h>

#include "controller/submit.h"

int64_t maui_sched_find_rsv_from(const struct maui_iteration *it, const char *name, int64_t from)
{
	uint32_t count = it->standing.count, at = from < 0 ? 0 : (uint32_t)from;

	for (uint32_t i = 0; i < count; i++, at++) {
		at = at < count ? at : 0;
		if (strcmp(it->standing.list[at]->name, name) == 0)
			return at;
	}
	return -1;
}

int64_t maui_sched_find_rsv(const struct maui_iteration *it, const char *name)
{
	return maui_sched_find_rsv_from(it, name, 0);
}

struct maui_rsv *maui_sched_administrative(struct maui_sched *sched, const char *name)
{
	for (size_t i = 0; i < sched->rsvs.rsv_count; i++)
		if (strcmp(sched->rsvs.rsvs[i].name, name) == 0)
			return &sched->rsvs.rsvs[i];
	return NULL;
}

void maui_sched_name_rsvs(struct maui_controller *c, const struct maui_rsv *rsvs, size_t count)
{
	const char **names = calloc(count + 1, sizeof(*names));
	int64_t now_s = time(NULL);
	size_t named = 0;

	for (size_t i = 0; names && i < count; i++)
		if (rsvs[i].end_s > now_s) /* an ended reservation only waits for its triggers */
			names[named++] = rsvs[i].name;
	if (!names || maui_submit_set_names(c, names, named))
		error("slurm-maui: no memory for names of reservations");
	free(names);
}

void maui_sched_publish_names(struct maui_iteration *it)
{
	maui_sched_name_rsvs(it->c, it->sched->rsvs.rsvs, it->sched->rsvs.rsv_count);
}
