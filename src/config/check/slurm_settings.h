/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_settings.h - settings of slurm.conf that sched/maui refuses
 *
 * sched/maui asks with slurmctld's own values, `maui preflight` with those of the file.
 *
 * Rules: CMD-12, CMD-62.
 */
#ifndef MAUI_CONFIG_CHECK_SLURM_SETTINGS_H
#define MAUI_CONFIG_CHECK_SLURM_SETTINGS_H

#include <stdbool.h>

#include "base/diag.h"

/* NULL: not set. */
struct maui_slurm_settings {
	const char *scheduler_parameters;
	const char *federation_parameters;
	const char *preempt_type;
	bool gang; /* PreemptMode has GANG */
};

/* Whether the list "a,b=c,d" has the word, in any case. */
bool maui_slurm_list_has(const char *list, const char *word);

/* Adds an error without a file for each of them: defer_batch (since 23.02 it lets srun start jobs),
 * federation, gang scheduling (several jobs on a processor in turns), and preemption plugins other
 * than preempt/qos and preempt/partition_prio. */
void maui_config_check_slurm(const struct maui_slurm_settings *settings, struct maui_diags *diags);

#endif
