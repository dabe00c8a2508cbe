/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.h - whether AllowGroups of a partition admits a user
 *
 * Slurm looks at groups when a job is submitted, with EnforcePartLimits, and when it is started: a
 * job of several partitions goes on to the next one then. So a plan must know.
 */
#ifndef MAUI_SLURM_ELIGIBLE_GROUPS_H
#define MAUI_SLURM_ELIGIBLE_GROUPS_H

#include "slurm/compat.h"

/* Under part READ, by one thread. Slurm's answer, remembered for up to half a minute: for a user
 * whom it refuses it asks the name service. */
bool maui_groups_admit(part_record_t *part_ptr, uid_t uid);

#endif
