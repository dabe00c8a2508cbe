/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admission.h - whom the partitions of slurm.conf admit: AllowGroups, AllowAccounts and the like
 *
 * Slurm's own checks decide about jobs. These copies of their rules are for questions about a job
 * that nobody has submitted (policy/admission.h). A saved plan has none.
 *
 * One copy serves all snapshots that are made until a rule or an account changes, so it has
 * references. Its maker fills it; once a snapshot has it nobody changes it.
 */
#ifndef MAUI_MODEL_ADMISSION_H
#define MAUI_MODEL_ADMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Of one partition. Lists are texts, `a,b`; NULL: no such rule. */
struct maui_admission_rules {
	const char *groups;    /* AllowGroups */
	const uint32_t *users; /* the members of these groups, as Slurm has looked them up */
	uint32_t user_count;   /* 0: the groups have no members, and admit nobody */
	const char *allow_accounts, *deny_accounts, *allow_qos, *deny_qos;
	bool root_only;         /* RootOnly=YES */
	bool no_root;           /* DisableRootJobs=YES */
	bool needs_reservation; /* ReqResv=YES */
};

/* An account of slurmdbd. */
struct maui_admission_account {
	const char *name;
	const char *parent; /* NULL: none */
	const char *qos;    /* of its users' jobs that name none; NULL: not known */
};

/* A user whose jobs under an account have another QOS than the account says. */
struct maui_admission_user {
	uint32_t uid;
	const char *account, *qos;
};

struct maui_admission {
	unsigned refs;           /* atomic */
	struct maui_arena arena; /* of all that it points to */
	struct maui_admission_rules *partitions;
	uint32_t partition_count; /* as many as the snapshot has */
	uint32_t slurm_user;
	/* without slurmdbd none; ascending, as the comparisons below say */
	struct maui_admission_account *accounts;
	struct maui_admission_user *users;
	uint32_t account_count, user_count;
	bool subaccounts; /* a list of accounts means those below them as well */
	bool accountless; /* Slurm knows the account of no job: a list of accounts admits none */
};

/* With one reference; empty. NULL without memory. */
struct maui_admission *maui_admission_create(void);
/* Each reference needs an unref(); any thread may call both. */
struct maui_admission *maui_admission_ref(struct maui_admission *admission);
void maui_admission_unref(struct maui_admission *admission); /* NULL is fine */

/* For qsort() and bsearch(): accounts by name; users by uid, then account. */
int maui_admission_compare_accounts(const void *a, const void *b);
int maui_admission_compare_users(const void *a, const void *b);

#endif
