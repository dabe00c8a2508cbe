/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admission.c - whether a partition admits a job that nobody has submitted
 *
 * As validate_group(), part_policy_valid_acct() and part_policy_valid_qos() of slurmctld decide.
 *
 * Rules: CMD-71.
 */

#include "policy/admission.h"

#include <stdlib.h>

#include "base/words.h"

enum { MOST_PARENTS = 64 }; /* of an account: a list that slurmdbd damaged may have a circle */

static const struct maui_admission_account *find_account(const struct maui_admission *a,
							 const char *name)
{
	const struct maui_admission_account key = { .name = name };

	return a->account_count > 0 ? bsearch(&key, a->accounts, a->account_count, sizeof(key),
					      maui_admission_compare_accounts) :
				      NULL;
}

static const struct maui_admission_user *find_user(const struct maui_admission *a,
						   const struct maui_admission_job *job)
{
	const struct maui_admission_user key = { .uid = job->uid, .account = job->account };

	return job->uid_known && a->user_count > 0 ?
		       bsearch(&key, a->users, a->user_count, sizeof(key),
			       maui_admission_compare_users) :
		       NULL;
}

/* Whether the list has the account or, where it means these as well, one that it is below. */
static bool lists_account(const struct maui_admission *a, const char *list, const char *name)
{
	const struct maui_admission_account *account;

	for (int i = 0; name && i < MOST_PARENTS; i++) {
		if (maui_list_has_any_case(list, name))
			return true;
		account = a->subaccounts ? find_account(a, name) : NULL;
		name = account ? account->parent : NULL;
	}
	return false;
}

/* The QOS of a job that names none. NULL: not known. */
static const char *qos_of(const struct maui_admission *a, const struct maui_admission_job *job)
{
	const struct maui_admission_account *account;
	const struct maui_admission_user *user;

	if (job->qos || !job->account)
		return job->qos;
	user = find_user(a, job);
	if (user)
		return user->qos;
	account = find_account(a, job->account);
	return account ? account->qos : NULL;
}

bool maui_admission_by_groups(const struct maui_admission_groups *g, const char *primary_group,
			      bool if_unknown)
{
	if (!g->groups || g->listed)
		return true;
	if (!g->has_members)
		return false;
	return primary_group ? maui_list_has(g->groups, primary_group) : if_unknown;
}

static bool lists_user(const struct maui_admission_rules *r, uint32_t uid)
{
	for (uint32_t i = 0; i < r->user_count; i++)
		if (r->users[i] == uid)
			return true;
	return false;
}

/* A job that nobody has submitted is not sent where Slurm may refuse it. */
static bool groups_admit(const struct maui_admission *a, const struct maui_admission_rules *r,
			 const struct maui_admission_job *job)
{
	const struct maui_admission_groups groups = {
		.groups = r->groups,
		.has_members = r->user_count > 0,
		.listed = job->uid_known &&
			  (job->uid == 0 || job->uid == a->slurm_user || lists_user(r, job->uid)),
	};

	return maui_admission_by_groups(&groups, job->primary_group, false);
}

static enum maui_admission_rule check_account(const struct maui_admission *a,
					      const struct maui_admission_rules *r,
					      const struct maui_admission_job *job)
{
	if (r->allow_accounts && a->accountless)
		return MAUI_ADMISSION_ALLOW_ACCOUNTS;
	if (!job->account || a->accountless)
		return MAUI_ADMISSION_OPEN;
	if (r->allow_accounts)
		return lists_account(a, r->allow_accounts, job->account) ?
			       MAUI_ADMISSION_OPEN :
			       MAUI_ADMISSION_ALLOW_ACCOUNTS;
	return r->deny_accounts && lists_account(a, r->deny_accounts, job->account) ?
		       MAUI_ADMISSION_DENY_ACCOUNTS :
		       MAUI_ADMISSION_OPEN;
}

static enum maui_admission_rule check_qos(const struct maui_admission *a,
					  const struct maui_admission_rules *r,
					  const struct maui_admission_job *job)
{
	const char *qos = qos_of(a, job);

	if (!qos)
		return MAUI_ADMISSION_OPEN;
	if (r->allow_qos)
		return maui_list_has_any_case(r->allow_qos, qos) ? MAUI_ADMISSION_OPEN :
								   MAUI_ADMISSION_ALLOW_QOS;
	return r->deny_qos && maui_list_has_any_case(r->deny_qos, qos) ? MAUI_ADMISSION_DENY_QOS :
									 MAUI_ADMISSION_OPEN;
}

enum maui_admission_rule maui_admission_check(const struct maui_admission *a, uint32_t partition,
					      const struct maui_admission_job *job)
{
	const struct maui_admission_rules *r;
	enum maui_admission_rule rule;
	bool is_root = job->uid_known && job->uid == 0;

	if (!a)
		return MAUI_ADMISSION_OPEN;
	r = &a->partitions[partition];
	if (r->root_only && !is_root && !(job->uid_known && job->uid == a->slurm_user))
		return MAUI_ADMISSION_ROOT_ONLY;
	if (r->no_root && is_root)
		return MAUI_ADMISSION_NO_ROOT;
	if (r->needs_reservation && !job->names_a_reservation)
		return MAUI_ADMISSION_NEEDS_RESERVATION;
	if (!groups_admit(a, r, job))
		return MAUI_ADMISSION_ALLOW_GROUPS;
	rule = check_account(a, r, job);
	return rule == MAUI_ADMISSION_OPEN ? check_qos(a, r, job) : rule;
}
