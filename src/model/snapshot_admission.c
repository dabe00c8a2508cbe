/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_admission.c - whom partitions admit: the copy that snapshots share */

#include "model/admission.h"

#include <stdlib.h>
#include <string.h>

#include "model/snapshot.h"

struct maui_admission *maui_admission_create(void)
{
	struct maui_admission *ret = calloc(1, sizeof(*ret));

	if (ret)
		ret->refs = 1;
	return ret;
}

struct maui_admission *maui_admission_ref(struct maui_admission *admission)
{
	__atomic_add_fetch(&admission->refs, 1, __ATOMIC_RELAXED);
	return admission;
}

void maui_admission_unref(struct maui_admission *admission)
{
	if (!admission || __atomic_sub_fetch(&admission->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	maui_arena_finish(&admission->arena);
	free(admission);
}

int maui_admission_compare_accounts(const void *a, const void *b)
{
	const struct maui_admission_account *one = a, *two = b;

	return strcmp(one->name, two->name);
}

int maui_admission_compare_users(const void *a, const void *b)
{
	const struct maui_admission_user *one = a, *two = b;

	return one->uid != two->uid ? (one->uid < two->uid ? -1 : 1) :
				      strcmp(one->account, two->account);
}

/* slurmdbd may have two associations of a user with one account, in different partitions. */
static bool is_sorted(const struct maui_admission *a)
{
	for (uint32_t i = 1; i < a->account_count; i++)
		if (maui_admission_compare_accounts(&a->accounts[i - 1], &a->accounts[i]) > 0)
			return false;
	for (uint32_t i = 1; i < a->user_count; i++)
		if (maui_admission_compare_users(&a->users[i - 1], &a->users[i]) > 0)
			return false;
	return true;
}

int maui_snapshot_set_admission(struct maui_snapshot *s, struct maui_admission *admission)
{
	if (s->admission || admission->partition_count != s->partition_count ||
	    !is_sorted(admission))
		return -1;
	s->admission = maui_admission_ref(admission);
	return 0;
}
