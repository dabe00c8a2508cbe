/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_settings.h - settings of slurm.conf that sched/maui refuses, and those that take the effect
 * from lines of maui.cfg
 *
 * slurmctld asks with its own values, `maui preflight` and `maui config check` with those of the
 * file.
 *
 * Rules: CMD-12, CMD-62, CMD-66.
 */
#ifndef MAUI_CONFIG_CHECK_SLURM_SETTINGS_H
#define MAUI_CONFIG_CHECK_SLURM_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct maui_config;

/* NULL: not set. */
struct maui_slurm_settings {
	bool schedules, ranks; /* SchedulerType is sched/maui, PriorityType priority/maui */
	const char *scheduler_parameters;
	const char *federation_parameters;
	const char *preempt_type;
	bool gang; /* PreemptMode has GANG */
	const char *gres_types;
	bool slurmdbd;         /* AccountingStorageType */
	int64_t min_job_age_s; /* 0: jobs are not forgotten by age */
};

/* AccountingStorageType and MinJobAge as slurm.conf has them; NULL: Slurm's default. */
bool maui_slurm_is_slurmdbd(const char *storage_type);
int64_t maui_slurm_min_job_age(const char *value);

/* Adds an error without a file for each of them: defer_batch (since 23.02 it lets srun start jobs),
 * federation, gang scheduling (several jobs on a processor in turns), and preemption plugins other
 * than preempt/qos and preempt/partition_prio. */
void maui_config_check_slurm(const struct maui_slurm_settings *settings, struct maui_diags *diags);

/* Calls `fn` for each conflict of maui.cfg with slurm.conf: PREEMPTOR beside PreemptType, GRESCFG
 * without GresTypes, ACCOUNTLIST without slurmdbd, RMPOLLINTERVAL beside MinJobAge. One list for
 * slurmctld's log and all commands. `subject` is a word or two for a column; `attr` NULL: of a
 * parameter. */
struct maui_slurm_conflict {
	const char *subject;              /* "preemption" */
	const char *param, *index, *attr; /* the line of maui.cfg; index and attr NULL: any */
	const char *text;
};
typedef void (*maui_slurm_conflict_fn)(const struct maui_slurm_conflict *conflict, void *context);
void maui_config_each_conflict(const struct maui_config *config,
			       const struct maui_slurm_settings *settings,
			       maui_slurm_conflict_fn fn, void *context);

/* Adds them as warnings, each at its first line. */
void maui_config_check_conflicts(const struct maui_config *config,
				 const struct maui_slurm_settings *settings,
				 struct maui_diags *diags);

#endif
