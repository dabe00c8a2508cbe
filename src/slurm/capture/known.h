/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known.h - whether Slurm's database has an account or a QOS
 *
 * slurmctld has a copy of the database, so nothing waits for slurmdbd. Each call holds the lock of
 * that copy for one look-up. Without slurmdbd nothing is known, and nothing is said to be lacking.
 */
#ifndef MAUI_SLURM_CAPTURE_KNOWN_H
#define MAUI_SLURM_CAPTURE_KNOWN_H

#include <stdbool.h>

/* True only if the database certainly does not have it. */
bool maui_slurm_lacks_account(const char *name);
bool maui_slurm_lacks_qos(const char *name);

#endif
