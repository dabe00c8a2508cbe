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
	int enforce;           /* AccountingStorageEnforce */
	int64_t at_s;
	struct maui_slurm_names *names; /* NULL: none, or not all */
} kept;

/* Counts with NULL lists, fills them in otherwise. */
struct walk {
	struct maui_slurm_names *names;
	bool failed;
};

static void add(struct walk *walk, const char **list, size_t *count, const char *name)
{
	if (list) {
		list[*count] = maui_arena_strdup(&walk->names->arena, name);
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
		add(walk, walk->names->accounts, &walk->names->account_count, association->acct);
	return 0;
}

static int walk_qos(void *element, void *data)
{
	const slurmdb_qos_rec_t *qos = element;
	struct walk *walk = data;

	if (qos->name)
		add(walk, walk->names->qos, &walk->names->qos_count, qos->name);
	return 0;
}

static void walk_all(struct walk *walk)
{
	if (assoc_mgr_assoc_list)
		list_for_each(assoc_mgr_assoc_list, walk_association, walk);
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, walk_qos, walk);
}

/* Under the association manager's locks. NULL: no memory. */
static struct maui_slurm_names *copy_names(void)
{
	struct maui_slurm_names *names = maui_slurm_names_create();
	struct walk walk = { .names = names };

	if (!names)
		return NULL;
	walk_all(&walk);
	names->accounts = maui_arena_alloc(&names->arena,
					   (names->account_count + 1) * sizeof(*names->accounts));
	names->qos = maui_arena_alloc(&names->arena, (names->qos_count + 1) * sizeof(*names->qos));
	names->account_count = names->qos_count = 0;
	names->account_needed = accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS;
	names->qos_needed = accounting_enforce & ACCOUNTING_ENFORCE_QOS;
	walk.failed = !names->accounts || !names->qos;
	if (!walk.failed)
		walk_all(&walk);
	if (!walk.failed)
		return names;
	maui_slurm_names_unref(names);
	return NULL;
}

void maui_slurm_names_forget(void)
{
	maui_slurm_names_unref(kept.names);
	memset(&kept, 0, sizeof(kept));
}

int maui_slurm_names_capture(struct maui_slurm_names **ret, int64_t now_s)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	int associations, qos;

	*ret = NULL;
	if (!slurm_with_slurmdbd())
		return 0;
	assoc_mgr_lock(&locks);
	associations = assoc_mgr_assoc_list ? list_count(assoc_mgr_assoc_list) : 0;
	qos = assoc_mgr_qos_list ? list_count(assoc_mgr_qos_list) : 0;
	if (!kept.names || associations != kept.associations || qos != kept.qos ||
	    accounting_enforce != kept.enforce || now_s < kept.at_s ||
	    now_s - kept.at_s >= FRESH_S) {
		maui_slurm_names_forget();
		kept.associations = associations;
		kept.qos = qos;
		kept.enforce = accounting_enforce;
		kept.at_s = now_s;
		kept.names = copy_names();
	}
	assoc_mgr_unlock(&locks);
	*ret = maui_slurm_names_ref(kept.names);
	return kept.names ? 0 : -1;
}
