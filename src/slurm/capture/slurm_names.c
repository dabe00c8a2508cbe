/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_names.c - copies the names of accounts and QOS that the association manager has
 *
 * The lists have a count, but no stamp. A name that was replaced by another one is found out after
 * a minute.
 */

#include "slurm/compat.h"

#include "slurm/capture/staff.h"

enum { FRESH_S = 60 };

/* Of the agent. */
static struct {
	int associations, qos; /* how many the lists had */
	int64_t at_s;
	struct maui_arena arena; /* of the names */
	struct maui_slurm_names names;
	bool complete;
} kept;

/* Counts with NULL lists, fills them in otherwise. */
struct walk {
	const char **accounts, **qos;
	size_t account_count, qos_count;
	bool failed;
};

static void add(struct walk *walk, const char **list, size_t *count, const char *name)
{
	if (list) {
		list[*count] = maui_arena_strdup(&kept.arena, name);
		walk->failed |= !list[*count];
	}
	(*count)++;
}

/* Each account has one association of its own. */
static int walk_association(void *element, void *data)
{
	const slurmdb_assoc_rec_t *association = element;
	struct walk *walk = data;

	if (association->acct && !association->user)
		add(walk, walk->accounts, &walk->account_count, association->acct);
	return 0;
}

static int walk_qos(void *element, void *data)
{
	const slurmdb_qos_rec_t *qos = element;
	struct walk *walk = data;

	if (qos->name)
		add(walk, walk->qos, &walk->qos_count, qos->name);
	return 0;
}

static void walk_all(struct walk *walk)
{
	if (assoc_mgr_assoc_list)
		list_for_each(assoc_mgr_assoc_list, walk_association, walk);
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, walk_qos, walk);
}

/* Under the association manager's locks. */
static void copy_names(void)
{
	struct walk count = { 0 }, walk = { 0 };

	walk_all(&count);
	walk.accounts =
		maui_arena_alloc(&kept.arena, (count.account_count + 1) * sizeof(*walk.accounts));
	walk.qos = maui_arena_alloc(&kept.arena, (count.qos_count + 1) * sizeof(*walk.qos));
	if (!walk.accounts || !walk.qos)
		return;
	walk_all(&walk);
	kept.complete = !walk.failed;
	kept.names = (struct maui_slurm_names){ .accounts = walk.accounts,
						.qos = walk.qos,
						.account_count = walk.account_count,
						.qos_count = walk.qos_count };
}

void maui_slurm_names_forget(void)
{
	maui_arena_finish(&kept.arena);
	memset(&kept, 0, sizeof(kept));
}

int maui_slurm_names_capture(struct maui_slurm_names *ret, int64_t now_s)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	int associations, qos;

	*ret = (struct maui_slurm_names){ 0 };
	if (!slurm_with_slurmdbd())
		return 0;
	assoc_mgr_lock(&locks);
	associations = assoc_mgr_assoc_list ? list_count(assoc_mgr_assoc_list) : 0;
	qos = assoc_mgr_qos_list ? list_count(assoc_mgr_qos_list) : 0;
	if (!kept.complete || associations != kept.associations || qos != kept.qos ||
	    now_s < kept.at_s || now_s - kept.at_s >= FRESH_S) {
		maui_slurm_names_forget();
		kept.associations = associations;
		kept.qos = qos;
		kept.at_s = now_s;
		copy_names();
	}
	assoc_mgr_unlock(&locks);
	*ret = kept.names;
	ret->account_needed = accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS;
	ret->qos_needed = accounting_enforce & ACCOUNTING_ENFORCE_QOS;
	return kept.complete ? 0 : -1;
}
