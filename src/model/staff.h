/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staff.h - what slurmdbd says of users: who sees more than PrivateData lets others see, and the
 * accounts of jobs that name none; and which accounts and QOS there are
 *
 * Operators and administrators see everything, a coordinator sees the jobs of an account.
 */
#ifndef MAUI_MODEL_STAFF_H
#define MAUI_MODEL_STAFF_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct maui_coordinator {
	uid_t uid;
	const char *account;
};

/* The account of a user's jobs that name none. */
struct maui_default_account {
	uid_t uid;
	const char *user, *account;
};

/* What slurmdbd has, so that another name does not exist; without slurmdbd nothing. */
struct maui_slurm_names {
	const char *const *accounts, *const *qos;
	size_t account_count, qos_count;
	/* AccountingStorageEnforce: a job with another is refused */
	bool account_needed, qos_needed;
};

struct maui_staff {
	uid_t *operators;
	size_t operator_count;
	struct maui_coordinator *coordinators; /* one for each account of each */
	size_t coordinator_count;
	struct maui_default_account *accounts; /* of each user who has one */
	size_t account_count;
};

#endif
