/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shares.h - the columns of sshare: normalized and effective usage, and the factor of Slurm's own
 * fairshare
 *
 * Slurm itself uses the factor for QOS with EnforceUsageThreshold. The calculations are those that
 * the pages of priority/multifactor and Fair Tree describe; PriorityFlags says which.
 *
 * Rules: FS-13.
 */
#ifndef MAUI_SLURM_ASSOCIATIONS_SHARES_H
#define MAUI_SLURM_ASSOCIATIONS_SHARES_H

#include <math.h>

/* For priority_p_set_assoc_usage(): of one association, a slurmdb_assoc_rec_t. Under the
 * association manager's WRITE lock. */
void maui_shares_set(void *assoc);
/* The same for all associations. */
void maui_shares_rank_all(void);

/* The factor of Slurm's fairshare without Fair Tree: 1 for no usage, 1/2 for usage as the shares
 * are. Inline: sshare of Slurm 22.05 and 23.02 calls it, without libmaui.so. */
static inline double maui_shares_factor(long double effective, long double shares, unsigned damping)
{
	if (shares <= 0)
		return 0;
	return exp2((double)-(effective / shares / (damping > 0 ? damping : 1)));
}

/* Shares are divided in another way with Fair Tree: call when PriorityFlags may have changed. */
void maui_shares_reconfigure(void);

#endif
