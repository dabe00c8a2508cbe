/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.c - answers about AllowGroups in a table of fixed size
 *
 * The list of a partition may have thousands of users, so an answer is remembered for half a
 * minute. Two users who share a slot are looked up in turn.
 */

#include "slurm/eligible/groups.h"

#include <string.h>

#include "base/hash.h"

enum { SLOTS = 4096, REMEMBERED_S = 30 };

/* Partitions are compared by address alone: the table is emptied when any has changed. */
static struct {
	time_t since, update; /* when it was emptied, and the change of partitions before that */
	struct {
		const part_record_t *part_ptr;
		uid_t uid;
		bool admitted;
	} slots[SLOTS];
} seen;

/* Another change may follow in the second of the one that was seen: when that second is over the
 * table is emptied once more. */
static void forget_old(time_t now)
{
	bool same = seen.update == last_part_update && now >= seen.since &&
		    now < seen.since + REMEMBERED_S;

	if (same && (seen.since > last_part_update || now == seen.since))
		return;
	memset(&seen, 0, sizeof(seen));
	seen.since = now;
	seen.update = last_part_update;
}

static bool has_group(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
			return true;
	return false;
}

bool maui_groups_admit(const part_record_t *part_ptr, uid_t uid,
		       const struct maui_eligible_questions *questions)
{
	size_t at = maui_hash_mix((uintptr_t)part_ptr, uid) % SLOTS;
	const char *group;
	bool admitted;

	if (!part_ptr->allow_groups || uid == 0 || uid == slurm_conf.slurm_user_id)
		return true;
	forget_old(time(NULL));
	if (seen.slots[at].part_ptr == part_ptr && seen.slots[at].uid == uid)
		return seen.slots[at].admitted;
	admitted = maui_compat_lists_user(part_ptr, uid);
	if (!admitted && maui_compat_lists_any_user(part_ptr)) {
		group = questions->primary_group(questions->data, uid);
		if (!group) /* not remembered: the name may be known next time */
			return true;
		admitted = has_group(part_ptr->allow_groups, group);
	}
	seen.slots[at].part_ptr = part_ptr;
	seen.slots[at].uid = uid;
	seen.slots[at].admitted = admitted;
	return admitted;
}
