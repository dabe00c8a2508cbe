/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shares.c - usage and factors of sshare, for Fair Tree and for the fairshare before it
 *
 * Fair Tree ranks the children of an account by level fairshare, shares over usage, the highest
 * first; the users of an account before all those that its next sibling has. Of equal users each
 * has the rank of the first, and so has the first user of an account that equals the sibling before
 * it. Slurm's page says that equal accounts are ranked as one; Slurm's code does not do so.
 *
 * Rules: FS-13.
 */

#include "slurm/compat.h"

#include "slurm/associations/shares.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

/* slurmctld's mark for "not calculated"; sshare leaves the field empty. */
static const long double no_value = (long double)NO_VAL;

static bool ranks_by_tree(void)
{
	return slurm_conf.priority_flags & PRIORITY_FLAGS_FAIR_TREE;
}

static void set_normalized(void *record)
{
	slurmdb_assoc_rec_t *assoc = record;
	long double all = assoc_mgr_root_assoc->usage->usage_raw;
	long double part = all > 0 ? assoc->usage->usage_raw / all : 0;

	assoc->usage->usage_norm = part > 1 ? 1 : part;
}

/* ---- one level of the tree ---- */

/* Children are copied before anything is done with them: Slurm 22.05 ends when a list is walked
 * within a walk over the same list. */
struct level {
	slurmdb_assoc_rec_t **list;
	size_t count, alloc;
	bool failed;
};

static int add_child(void *x, void *arg)
{
	struct level *level = arg;
	slurmdb_assoc_rec_t **grown;

	grown = maui_array_grow(level->list, level->count, &level->alloc, sizeof(*grown));
	if (!grown) {
		level->failed = true;
		return -1;
	}
	level->list = grown;
	level->list[level->count++] = x;
	return 0;
}

static void add_children(struct level *level, const slurmdb_assoc_rec_t *assoc)
{
	if (assoc->usage->children_list)
		list_for_each(assoc->usage->children_list, add_child, level);
}

static void finish_level(struct level *level)
{
	if (level->failed)
		error("slurm-maui: no memory: not all associations have their factor for sshare");
	free(level->list);
}

/* ---- Fair Tree ---- */

struct ranking {
	uint32_t rank; /* of the user before */
	uint32_t left; /* users that have no rank yet */
};

static void set_level_fairshare(slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_rec_t *parent = assoc->usage->fs_assoc_ptr;
	long double shares = assoc->usage->shares_norm, used = 0;

	if (parent && parent->usage->usage_raw != 0)
		used = assoc->usage->usage_raw / parent->usage->usage_raw;
	assoc->usage->usage_efctv = used;
	set_normalized(assoc);
	if (assoc->shares_raw == SLURMDB_FS_USE_PARENT)
		assoc->usage->level_fs = assoc->user ? INFINITY : no_value;
	else
		assoc->usage->level_fs = shares == 0 ? 0 : used == 0 ? INFINITY : shares / used;
}

/* The highest first; of equals the users before the accounts. */
static int by_level_fairshare(const void *x, const void *y)
{
	const slurmdb_assoc_rec_t *a = *(slurmdb_assoc_rec_t *const *)x;
	const slurmdb_assoc_rec_t *b = *(slurmdb_assoc_rec_t *const *)y;

	if (a->usage->level_fs != b->usage->level_fs)
		return a->usage->level_fs < b->usage->level_fs ? 1 : -1;
	return (a->user == NULL) - (b->user == NULL);
}

static void rank_user(struct ranking *ranking, slurmdb_assoc_rec_t *assoc, bool tied)
{
	if (!tied)
		ranking->rank = ranking->left;
	assoc->usage->fs_factor = (double)ranking->rank / g_user_assoc_count;
	if (ranking->left > 0)
		ranking->left--;
}

/* tied: the first of the level has the rank of the user before. */
static void rank_level(struct ranking *ranking, struct level *level, bool tied)
{
	for (size_t i = 0; i < level->count; i++)
		set_level_fairshare(level->list[i]);
	qsort(level->list, level->count, sizeof(*level->list), by_level_fairshare);
	for (size_t i = 0; i < level->count; i++) {
		slurmdb_assoc_rec_t *assoc = level->list[i];
		struct level below = { 0 };

		if (i > 0)
			tied = assoc->usage->level_fs == level->list[i - 1]->usage->level_fs;
		if (assoc->user) {
			rank_user(ranking, assoc, tied);
			continue;
		}
		add_children(&below, assoc);
		if (below.count > 0)
			rank_level(ranking, &below, tied);
		finish_level(&below);
	}
}

static void rank_tree(void)
{
	struct ranking ranking = { .rank = g_user_assoc_count, .left = g_user_assoc_count };
	struct level top = { 0 };

	assoc_mgr_root_assoc->usage->level_fs = no_value;
	add_children(&top, assoc_mgr_root_assoc);
	if (top.count > 0)
		rank_level(&ranking, &top, false);
	finish_level(&top);
}

/* ---- without Fair Tree ---- */

static int add_sibling(void *x, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = x;

	if (assoc->shares_raw != SLURMDB_FS_USE_PARENT)
		*(long double *)arg += assoc->usage->usage_norm;
	return 0;
}

/* PriorityFlags=DEPTH_OBLIVIOUS: the ratio of usage to shares of the parent, times the ratio among
 * siblings to a power that falls as the parent's ratio leaves 1. */
static long double depth_oblivious(const slurmdb_assoc_rec_t *assoc,
				   const slurmdb_assoc_rec_t *parent)
{
	static const long double steepness = 5;
	long double shares = assoc->usage->shares_norm, used = assoc->usage->usage_norm;
	long double ratio, among = 0, power = 1;

	if (shares == 0 || used == 0 || parent->usage->shares_norm == 0 ||
	    parent->usage->usage_efctv == 0)
		return used;
	ratio = parent->usage->usage_efctv / parent->usage->shares_norm;
	list_for_each(parent->usage->children_list, add_sibling, &among);
	among = used / shares / (among / parent->usage->shares_norm);
	if (logl(ratio) * logl(among) < 0)
		power = 1 / (1 + powl(steepness * logl(ratio), 2));
	return ratio * powl(among, power) * shares;
}

/* Its own usage, and its part, by shares, of its parent's. */
static long double by_shares(const slurmdb_assoc_rec_t *assoc, const slurmdb_assoc_rec_t *parent)
{
	long double own = assoc->usage->usage_norm, above = parent->usage->usage_efctv;
	uint32_t of_level = assoc->usage->level_shares;

	return of_level > 0 ? own + (above - own) * assoc->shares_raw / of_level : above;
}

static void set_factor(slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_rec_t *of =
		assoc->shares_raw == SLURMDB_FS_USE_PARENT ? assoc->usage->fs_assoc_ptr : assoc;

	assoc->usage->fs_factor =
		of->usage->usage_efctv == no_value ?
			0 :
			maui_shares_factor(of->usage->usage_efctv, of->usage->shares_norm,
					   slurm_conf.fs_dampening_factor);
}

void maui_shares_set(void *record)
{
	slurmdb_assoc_rec_t *assoc = record;
	const slurmdb_assoc_rec_t *parent = assoc->usage ? assoc->usage->fs_assoc_ptr : NULL;

	if (!assoc_mgr_root_assoc || !parent)
		return;
	set_normalized(assoc);
	if (parent == assoc_mgr_root_assoc)
		assoc->usage->usage_efctv = assoc->usage->usage_norm;
	else if (assoc->shares_raw == SLURMDB_FS_USE_PARENT)
		assoc->usage->usage_efctv = parent->usage->usage_efctv;
	else if (slurm_conf.priority_flags & PRIORITY_FLAGS_DEPTH_OBLIVIOUS)
		assoc->usage->usage_efctv = depth_oblivious(assoc, parent);
	else
		assoc->usage->usage_efctv = by_shares(assoc, parent);
	if (!ranks_by_tree())
		set_factor(assoc);
}

/* Parents first: the numbers of children depend on them. */
static void for_all_below(const slurmdb_assoc_rec_t *assoc, void (*set)(void *assoc))
{
	struct level level = { 0 };

	add_children(&level, assoc);
	for (size_t i = 0; i < level.count; i++) {
		set(level.list[i]);
		for_all_below(level.list[i], set);
	}
	finish_level(&level);
}

void maui_shares_rank_all(void)
{
	if (ranks_by_tree()) {
		rank_tree();
		return;
	}
	for_all_below(assoc_mgr_root_assoc, set_normalized); /* DEPTH_OBLIVIOUS sums siblings */
	for_all_below(assoc_mgr_root_assoc, maui_shares_set);
}

static void normalize_shares(void *assoc)
{
	assoc_mgr_normalize_assoc_shares(assoc);
}

void maui_shares_reconfigure(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	if (assoc_mgr_root_assoc)
		for_all_below(assoc_mgr_root_assoc, normalize_shares);
	assoc_mgr_unlock(&locks);
}
