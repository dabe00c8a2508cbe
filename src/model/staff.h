/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staff.h - what slurmdbd says of users: who sees more than PrivateData lets others see, and the
 * accounts of jobs that name none
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

struct maui_staff {
	uid_t *operators;
	size_t operator_count;
	struct maui_coordinator *coordinators; /* one for each account of each */
	size_t coordinator_count;
	struct maui_default_account *accounts; /* of each user who has one */
	size_t account_count;
};

#endif
