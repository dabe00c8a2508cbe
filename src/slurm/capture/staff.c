/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staff.c - copies operators, coordinators and default accounts from the list of users that the
 * association manager has */

#include "slurm/compat.h"

#include "slurm/capture/staff.h"

/* Counts with NULL lists, fills them in otherwise. */
struct walk {
	struct maui_staff *staff;
	struct maui_arena *arena;
	uid_t uid;
	bool failed;
};

static int walk_account(void *element, void *data)
{
	const slurmdb_coord_rec_t *account = element;
	struct walk *walk = data;
	struct maui_staff *staff = walk->staff;

	if (staff->coordinators) {
		const char *name = maui_arena_strdup(walk->arena, account->name);

		walk->failed |= !name;
		staff->coordinators[staff->coordinator_count] =
			(struct maui_coordinator){ walk->uid, name };
	}
	staff->coordinator_count++;
	return 0;
}

static void add_account(struct walk *walk, const slurmdb_user_rec_t *user)
{
	struct maui_default_account *account = &walk->staff->accounts[walk->staff->account_count];

	account->uid = walk->uid;
	account->user = maui_arena_strdup(walk->arena, user->name);
	account->account = maui_arena_strdup(walk->arena, user->default_acct);
	walk->failed |= !account->user || !account->account;
}

static int walk_user(void *element, void *data)
{
	const slurmdb_user_rec_t *user = element;
	struct walk *walk = data;
	struct maui_staff *staff = walk->staff;

	if (user->uid == NO_VAL)
		return 0;
	walk->uid = (uid_t)user->uid;
	if (user->admin_level >= SLURMDB_ADMIN_OPERATOR) {
		if (staff->operators)
			staff->operators[staff->operator_count] = walk->uid;
		staff->operator_count++;
	}
	if (user->default_acct && user->name) {
		if (staff->accounts)
			add_account(walk, user);
		staff->account_count++;
	}
	if (user->coord_accts)
		list_for_each(user->coord_accts, walk_account, walk);
	return 0;
}

int maui_staff_capture(struct maui_staff *ret, struct maui_arena *arena)
{
	assoc_mgr_lock_t locks = { .user = READ_LOCK };
	struct maui_staff count = { 0 };
	struct walk walk = { .staff = &count, .arena = arena };

	*ret = (struct maui_staff){ 0 };
	assoc_mgr_lock(&locks);
	if (assoc_mgr_user_list) {
		list_for_each(assoc_mgr_user_list, walk_user, &walk);
		ret->operators = maui_arena_alloc(arena, (count.operator_count + 1) *
								 sizeof(*ret->operators));
		ret->coordinators = maui_arena_alloc(arena, (count.coordinator_count + 1) *
								    sizeof(*ret->coordinators));
		walk.staff = ret;
		ret->accounts =
			maui_arena_alloc(arena, (count.account_count + 1) * sizeof(*ret->accounts));
		walk.failed = !ret->operators || !ret->coordinators || !ret->accounts;
		if (!walk.failed)
			list_for_each(assoc_mgr_user_list, walk_user, &walk);
	}
	assoc_mgr_unlock(&locks);
	return walk.failed ? -1 : 0;
}
