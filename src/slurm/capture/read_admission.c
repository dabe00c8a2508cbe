/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read_admission.c - copies whom partitions admit, and what slurmdbd says of accounts for that
 *
 * A copy serves all captures until something in it changes. Partitions have slurmctld's stamp;
 * sacctmgr leaves none, so of associations the numbers that the copy comes from are compared, and
 * only where a partition goes by accounts or QOS. No name service is asked: slurmctld has the users
 * of AllowGroups.
 */

#include "slurm/capture/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- the copy ---- */

/* Of the agent, as all captures are. */
static struct {
	bool complete;
	bool doubtful;   /* read in the second of the stamp, which may hide a later change */
	bool by_account; /* a partition goes by accounts or QOS */
	uint64_t partitions, associations; /* stamps */
	struct maui_admission *admission;  /* NULL: no partition has a rule */
} kept;

void maui_draft_forget_admission(void)
{
	maui_admission_unref(kept.admission);
	memset(&kept, 0, sizeof(kept));
}

/* Slurm has the bits of AllowQos and DenyQos once slurmdbd has named the QOS, which leaves no
 * stamp. Under conf and part READ. */
static uint64_t stamp_partitions(const struct maui_draft *draft)
{
	uint64_t hash = draft->cluster->table;
	maui_compat_iterator_t iterator = list_iterator_create(part_list);
	const part_record_t *part_ptr;

	while ((part_ptr = list_next(iterator))) {
		hash = maui_hash_mix(hash, part_ptr->allow_qos_bitstr != NULL);
		hash = maui_hash_mix(hash, part_ptr->deny_qos_bitstr != NULL);
	}
	list_iterator_destroy(iterator);
	return maui_hash_mix(hash, maui_compat_lists_accounts());
}

static int stamp_association(void *element, void *data)
{
	const slurmdb_assoc_rec_t *association = element;
	uint64_t *hash = data;

	*hash = maui_hash_mix(*hash, (uint64_t)association->id << 32 | association->parent_id);
	*hash = maui_hash_mix(*hash, (uint64_t)association->uid << 32 | association->def_qos_id);
	return 0;
}

static int stamp_qos(void *element, void *data)
{
	const slurmdb_qos_rec_t *qos = element;
	uint64_t *hash = data;

	*hash = maui_hash_mix(*hash, qos->id);
	return 0;
}

/* A record keeps its names; sacctmgr changes its numbers. Under the association manager's assoc and
 * qos READ. */
static uint64_t stamp_associations(void)
{
	uint64_t hash = 1;

	if (assoc_mgr_assoc_list)
		list_for_each(assoc_mgr_assoc_list, stamp_association, &hash);
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, stamp_qos, &hash);
	return hash;
}

void maui_draft_check_associations(struct maui_draft *draft)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	int64_t since;
	bool same;

	if (!kept.complete || !kept.by_account)
		return;
	assoc_mgr_lock(&locks);
	since = maui_monotonic_us();
	same = stamp_associations() == kept.associations;
	maui_hold_note(&draft->cluster->reads, since);
	assoc_mgr_unlock(&locks);
	if (!same)
		maui_draft_forget_admission();
}

/* ---- the rules of a partition ---- */

static const char *copy(struct maui_draft *draft, const char *text)
{
	const char *ret = maui_arena_strdup(&draft->admission->arena, text);

	draft->failed |= text && !ret;
	return ret;
}

/* The list of a partition before it with the same groups, or a new copy. */
static void copy_users(struct maui_draft *draft, const part_record_t *part_ptr, uint32_t at)
{
	struct maui_admission_rules *all = draft->admission->partitions, *rules = &all[at];
	size_t count;
	const uid_t *users = maui_compat_listed_users(part_ptr, &count);
	uint32_t *list;

	for (uint32_t i = 0; i < at; i++)
		if (all[i].groups && all[i].user_count == count && count > 0 &&
		    strcmp(all[i].groups, rules->groups) == 0) {
			rules->users = all[i].users;
			rules->user_count = all[i].user_count;
			return;
		}
	if (count == 0 || count > UINT32_MAX)
		return;
	list = maui_arena_alloc(&draft->admission->arena, count * sizeof(*list));
	draft->failed |= !list;
	for (size_t i = 0; list && i < count; i++)
		list[i] = users[i];
	rules->users = list;
	rules->user_count = list ? (uint32_t)count : 0;
}

/* Slurm has bits for the QOS of a list if slurmdbd has any QOS. */
static void read_rules(struct maui_draft *draft, const part_record_t *part_ptr, uint32_t at)
{
	struct maui_admission_rules *rules = &draft->admission->partitions[at];

	*rules = (struct maui_admission_rules){
		.root_only = part_ptr->flags & PART_FLAG_ROOT_ONLY,
		.no_root = part_ptr->flags & PART_FLAG_NO_ROOT,
		.needs_reservation = part_ptr->flags & PART_FLAG_REQ_RESV,
	};
	if (part_ptr->allow_groups) {
		rules->groups = copy(draft, part_ptr->allow_groups);
		if (rules->groups)
			copy_users(draft, part_ptr, at);
	}
	if (maui_compat_lists_accounts()) {
		rules->allow_accounts = copy(draft, part_ptr->allow_accounts);
		rules->deny_accounts = copy(draft, part_ptr->deny_accounts);
	}
	if (part_ptr->allow_qos_bitstr)
		rules->allow_qos = copy(draft, part_ptr->allow_qos);
	else if (part_ptr->deny_qos_bitstr)
		rules->deny_qos = copy(draft, part_ptr->deny_qos);
}

void maui_draft_read_admission(struct maui_draft *draft)
{
	uint64_t stamp = stamp_partitions(draft);
	size_t room = (size_t)list_count(part_list);
	struct maui_admission *to;
	maui_compat_iterator_t iterator;
	const part_record_t *part_ptr;

	if (kept.complete && !kept.doubtful && kept.partitions == stamp)
		return;
	maui_draft_forget_admission();
	kept.partitions = stamp;
	kept.doubtful = last_part_update == time(NULL);
	draft->admission = to = maui_admission_create();
	if (to)
		to->partitions = maui_arena_alloc(&to->arena, (room + 1) * sizeof(*to->partitions));
	if (!to || !to->partitions) {
		draft->failed = true;
		return;
	}
	to->slurm_user = slurm_conf.slurm_user_id;
	iterator = list_iterator_create(part_list);
	while (to->partition_count < room && (part_ptr = list_next(iterator)))
		read_rules(draft, part_ptr, to->partition_count++);
	list_iterator_destroy(iterator);
}

/* ---- slurmdbd's accounts ---- */

/* Counts with NULL lists, fills them in otherwise. */
struct walk {
	struct maui_draft *draft;
	struct maui_admission *to;
};

/* The QOS of a job under the association that names none; NULL: not known. */
static const char *default_qos(slurmdb_assoc_rec_t *association)
{
	slurmdb_qos_rec_t qos = { 0 };

	assoc_mgr_get_default_qos_info(association, &qos);
	if (qos.name || !assoc_mgr_qos_list)
		return qos.name;
	return slurmdb_qos_str(assoc_mgr_qos_list, qos.id);
}

static void add_account(struct walk *walk, slurmdb_assoc_rec_t *association)
{
	struct maui_admission *to = walk->to;

	if (to->accounts)
		to->accounts[to->account_count] = (struct maui_admission_account){
			.name = copy(walk->draft, association->acct),
			.parent = copy(walk->draft, association->parent_acct),
			.qos = copy(walk->draft, default_qos(association)),
		};
	to->account_count++;
}

/* Most users have the QOS of their account. */
static bool has_own_qos(slurmdb_assoc_rec_t *association)
{
	slurmdb_qos_rec_t own = { 0 }, its = { 0 };

	if (!association->usage->parent_assoc_ptr)
		return true;
	assoc_mgr_get_default_qos_info(association, &own);
	assoc_mgr_get_default_qos_info(association->usage->parent_assoc_ptr, &its);
	return own.id != its.id || xstrcmp(own.name, its.name) != 0;
}

static void add_user(struct walk *walk, slurmdb_assoc_rec_t *association)
{
	struct maui_admission *to = walk->to;

	if (association->uid == NO_VAL || association->partition || !has_own_qos(association))
		return;
	if (to->users)
		to->users[to->user_count] = (struct maui_admission_user){
			.uid = association->uid,
			.account = copy(walk->draft, association->acct),
			.qos = copy(walk->draft, default_qos(association)),
		};
	to->user_count++;
}

static int walk_association(void *element, void *data)
{
	slurmdb_assoc_rec_t *association = element;

	if (!association->acct)
		return 0;
	if (association->user)
		add_user(data, association);
	else
		add_account(data, association);
	return 0;
}

/* Under the association manager's assoc and qos READ. */
static void copy_accounts(struct maui_draft *draft)
{
	struct maui_admission count = { 0 }, *to = draft->admission;
	struct walk walk = { draft, &count };

	list_for_each(assoc_mgr_assoc_list, walk_association, &walk);
	to->accounts =
		maui_arena_alloc(&to->arena, (count.account_count + 1u) * sizeof(*to->accounts));
	to->users = maui_arena_alloc(&to->arena, (count.user_count + 1u) * sizeof(*to->users));
	draft->failed |= !to->accounts || !to->users;
	walk.to = to;
	if (!draft->failed)
		list_for_each(assoc_mgr_assoc_list, walk_association, &walk);
}

/* Rules of accounts and QOS alone need it. */
static void read_accounts(struct maui_draft *draft)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	struct maui_admission *to = draft->admission;
	int64_t since;

	to->subaccounts = maui_compat_lists_subaccounts();
	to->accountless = !slurm_with_slurmdbd();
	if (to->accountless)
		return;
	assoc_mgr_lock(&locks);
	since = maui_monotonic_us();
	kept.associations = stamp_associations();
	if (assoc_mgr_assoc_list)
		copy_accounts(draft);
	maui_hold_note(&draft->cluster->reads, since);
	assoc_mgr_unlock(&locks);
	kept.by_account = true;
	if (draft->failed)
		return;
	qsort(to->accounts, to->account_count, sizeof(*to->accounts),
	      maui_admission_compare_accounts);
	qsort(to->users, to->user_count, sizeof(*to->users), maui_admission_compare_users);
}

/* The draft's copy, which goes to the captures that follow. */
static void keep(struct maui_draft *draft)
{
	bool any = false, by_account = false;

	for (uint32_t i = 0; i < draft->admission->partition_count; i++) {
		const struct maui_admission_rules *rules = &draft->admission->partitions[i];

		by_account |= rules->allow_accounts || rules->deny_accounts || rules->allow_qos ||
			      rules->deny_qos;
		any |= rules->groups || rules->root_only || rules->no_root ||
		       rules->needs_reservation;
	}
	if (by_account)
		read_accounts(draft);
	if (draft->failed)
		return;
	kept.admission = any || by_account ? maui_admission_ref(draft->admission) : NULL;
	kept.complete = true;
}

int maui_draft_add_admission(struct maui_draft *draft)
{
	if (draft->admission)
		keep(draft);
	if (draft->failed)
		return -1;
	return kept.admission ?
		       maui_snapshot_set_admission(draft->cluster->snapshot, kept.admission) :
		       0;
}
