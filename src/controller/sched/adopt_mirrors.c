/* SPDX-License-Identifier: GPL-2.0-or-later */
/* adopt_mirrors.c - adopts our mirrors again after the state file is lost
 *
 * The documentation reserves the prefix "maui." for us. Without the state file slurm-maui would
 * take its own mirrors for reservations of the site, and the instances that they show would lose
 * their nodes. So before the first cycle copies anything, slurm-maui adopts each Slurm reservation
 * with our prefix that has name, form and period of an instance in force, and the instance keeps
 * the nodes. slurm-maui leaves every other Slurm reservation with our prefix alone, and names it
 * in the log.
 *
 * Rules: RSV-18.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <string.h>

#include "model/mirror.h"
#include "reservation/windows/windows.h"

/* Finds the instance that a mirror of this name shows. NULL: no such instance is in force. */
static const struct maui_rsv *find_instance(const struct maui_config *config, const char *mirror,
					    int64_t now_s, struct maui_arena *arena,
					    struct maui_rsv_instance *ret)
{
	const struct maui_rsv *rsv;
	char *name, *dot;
	int64_t place;

	if (!maui_mirror_is_name(mirror))
		return NULL;
	name = maui_arena_strdup(arena, mirror + strlen(MAUI_MIRROR_PREFIX));
	if (!name)
		return NULL;
	dot = strrchr(name, '.');
	*dot = '\0';
	place = maui_rsv_names_place(&config->rsv_names, name);
	rsv = place < 0 ? NULL : &config->rsvs[place];
	if (!rsv || maui_rsv_recurs(rsv) == (strcmp(dot + 1, "0") == 0))
		return NULL;
	*ret = (struct maui_rsv_instance){ .start_s = now_s, .end_s = MAUI_NEVER };
	if (maui_rsv_recurs(rsv) &&
	    !maui_standing_get_window(rsv, now_s, strtol(dot + 1, NULL, 10), ret))
		return NULL;
	return rsv;
}

/* Whether the mirror has the name of a reservation of setres: the plan, which knows the nodes of
 * that one, adopts it. */
static bool is_of_setres(const struct maui_rsv_lists *rsvs, const char *mirror,
			 struct maui_arena *arena)
{
	for (size_t i = 0; i < rsvs->rsv_count; i++) {
		const char *name =
			maui_rsv_stable_name(&rsvs->rsvs[i], 0, MAUI_MIRROR_PREFIX, arena);

		if (name && strcmp(name, mirror) == 0)
			return true;
	}
	return false;
}

static bool has_saved_instance(const struct maui_rsv_lists *rsvs, const struct maui_rsv *rsv,
			       int32_t day)
{
	for (size_t i = 0; i < rsvs->instance_count; i++)
		if (rsvs->instances[i].period.day == day &&
		    strcmp(rsvs->instances[i].period.rsv, rsv->name) == 0)
			return true;
	return false;
}

/* Saves the instance on the nodes of its mirror. The number of tasks on each node is unknown: 0. */
static int save_instance(struct maui_iteration *it, const struct maui_rsv *rsv,
			 const struct maui_rsv_instance *instance,
			 const struct maui_mirror_unowned *mirror, const char *const *nodes,
			 uint32_t count)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	bool moves = maui_rsv_has(rsv, MAUI_RSV_TIMEFLEX) || !maui_rsv_recurs(rsv);
	struct maui_store_instance entry = {
		.period = { .rsv = rsv->name, .day = instance->day },
		.start_s = moves ? mirror->start_s : instance->start_s,
		.end_s = instance->end_s,
		.made = true,
		.nodes = maui_arena_alloc(&it->arena, (count + 1u) * sizeof(*entry.nodes)),
		.node_count = count,
	};

	if (count == 0 || has_saved_instance(rsvs, rsv, instance->day))
		return 0;
	if (!entry.nodes)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		entry.nodes[i] = (struct maui_store_instance_node){ .name = (char *)nodes[i] };
	return maui_rsv_lists_add_instance(rsvs, &entry);
}

static void adopt(struct maui_iteration *it, const struct maui_rsv *rsv,
		  const struct maui_rsv_instance *instance,
		  const struct maui_mirror_unowned *mirror, struct maui_hold_times *reads)
{
	const char **nodes;
	uint32_t count;
	int rc = maui_mirror_adopt(&it->sched->mirrors, mirror, &it->arena, reads, &nodes, &count);

	if (rc == 0)
		rc = save_instance(it, rsv, instance, mirror, nodes, count);
	if (rc < 0)
		error("slurm-maui: no memory to adopt Slurm reservation %s", mirror->name);
	if (rc != 0)
		return;
	info("slurm-maui: adopted Slurm reservation %s: it shows SRCFG[%s], but our state did not "
	     "list it",
	     mirror->name, rsv->name);
	it->save = true;
}

void maui_sched_adopt_mirrors(struct maui_iteration *it, struct maui_hold_times *reads)
{
	struct maui_mirrors *mirrors = &it->sched->mirrors;
	struct maui_mirror_unowned *list;
	int64_t now_s = time(NULL);
	size_t count;

	if (mirrors->looked || !maui_controller_schedules(it->c) || it->testing)
		return;
	if (maui_mirror_list_unowned(mirrors, &it->arena, reads, &list, &count)) {
		error("slurm-maui: no memory to look for our mirrors");
		return;
	}
	for (size_t i = 0; i < count && !it->c->stop; i++) {
		struct maui_rsv_instance instance;
		const struct maui_rsv *rsv =
			find_instance(it->c->config, list[i].name, now_s, &it->arena, &instance);

		if (list[i].end_s <= now_s)
			continue; /* slurmctld is about to purge it */
		if (rsv && list[i].form && list[i].start_s < instance.end_s &&
		    list[i].end_s > instance.start_s)
			adopt(it, rsv, &instance, &list[i], reads);
		else if (!is_of_setres(&it->sched->rsvs, list[i].name, &it->arena))
			maui_mirror_leave_alone(mirrors, list[i].name, list[i].id);
	}
}
