/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.c - Slurm's answers about AllowGroups in a table of fixed size: two users who share a slot
 * are asked about in turn
 */

#include "slurm/eligible/groups.h"

#include <string.h>

#include "base/hash.h"

enum { SLOTS = 4096, REMEMBERED_S = 30 };

/* Partitions are compared by address alone: the table is emptied when any has changed. */
static struct {
	time_t since, part_update;
	struct {
		const part_record_t *part_ptr;
		uid_t uid;
		bool admitted;
	} slots[SLOTS];
} seen;

static void forget_old(time_t now)
{
	if (seen.part_update == last_part_update && now >= seen.since &&
	    now < seen.since + REMEMBERED_S)
		return;
	memset(&seen, 0, sizeof(seen));
	seen.since = now;
	seen.part_update = last_part_update;
}

bool maui_groups_admit(part_record_t *part_ptr, uid_t uid)
{
	size_t at = maui_hash_mix((uintptr_t)part_ptr, uid) % SLOTS;

	if (!part_ptr->allow_groups)
		return true;
	forget_old(time(NULL));
	if (seen.slots[at].part_ptr != part_ptr || seen.slots[at].uid != uid) {
		seen.slots[at].admitted = validate_group(part_ptr, uid);
		seen.slots[at].part_ptr = part_ptr;
		seen.slots[at].uid = uid;
	}
	return seen.slots[at].admitted;
}
