/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.h - whether AllowGroups of a partition admits a user
 *
 * Slurm looks at groups when a job is submitted, with EnforcePartLimits, and when it is started: a
 * job of several partitions goes on to the next one then. So a plan must know. Slurm asks the name
 * service for a user whom its list does not have; here that is asked between two cycles, without
 * locks.
 */
#ifndef MAUI_SLURM_ELIGIBLE_GROUPS_H
#define MAUI_SLURM_ELIGIBLE_GROUPS_H

#include "slurm/compat.h"
#include "slurm/eligible/eligible.h"

/* Under conf READ and part READ, by one thread. A user whose own group is not known yet is
 * admitted: Slurm decides when the job is started. */
bool maui_groups_admit(const part_record_t *part_ptr, uid_t uid,
		       const struct maui_eligible_questions *questions);

#endif
