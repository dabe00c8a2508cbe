/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staff.h - users to whom Slurm shows more than PrivateData lets others see
 *
 * Operators and administrators see everything, a coordinator sees the jobs of an account.
 */
#ifndef MAUI_MODEL_STAFF_H
#define MAUI_MODEL_STAFF_H

#include <stddef.h>
#include <sys/types.h>

struct maui_coordinator {
	uid_t uid;
	const char *account;
};

struct maui_staff {
	uid_t *operators;
	size_t operator_count;
	struct maui_coordinator *coordinators; /* one for each account of each */
	size_t coordinator_count;
};

#endif
