/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known.c - whether Slurm's database has an account or a QOS (ACL-15) */

#include "slurm/compat.h"

#include "slurm/capture/known.h"

/* The association of the account itself, which every account of this cluster has, is found by a
 * hash. */
bool maui_slurm_lacks_account(const char *name)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .user = READ_LOCK };
	slurmdb_assoc_rec_t asked = { .uid = NO_VAL, .acct = (char *)name }, *found = NULL;
	bool known;

	if (!slurm_with_slurmdbd())
		return false;
	assoc_mgr_lock(&locks);
	known = assoc_mgr_root_assoc;
	if (known)
		(void)assoc_mgr_fill_in_assoc(acct_db_conn, &asked, 0, &found, true);
	assoc_mgr_unlock(&locks);
	return known && !found;
}

static int is_qos(void *one, void *name)
{
	const slurmdb_qos_rec_t *qos = one;

	return qos->name && xstrcasecmp(qos->name, name) == 0;
}

bool maui_slurm_lacks_qos(const char *name)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	bool known, found = false;

	if (!slurm_with_slurmdbd())
		return false;
	assoc_mgr_lock(&locks);
	known = assoc_mgr_qos_list && list_count(assoc_mgr_qos_list) > 0;
	if (known)
		found = list_find_first(assoc_mgr_qos_list, is_qos, (void *)name) != NULL;
	assoc_mgr_unlock(&locks);
	return known && !found;
}
