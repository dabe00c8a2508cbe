/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preflight.h - the checks of maui preflight
 *
 * Each adds one line or more: what is there, and if that is wrong, what to do.
 *
 * Rules: CMD-60, CMD-61, CMD-62, CMD-63, CMD-64, CMD-66.
 */
#ifndef MAUI_CMD_PREFLIGHT_H
#define MAUI_CMD_PREFLIGHT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "cmd/cmd.h"
#include "config/check/slurm_settings.h"
#include "record/record.h"

enum maui_check_result {
	MAUI_CHECK_OK,
	MAUI_CHECK_WARNING, /* slurmctld runs, and something is missing */
	MAUI_CHECK_FAILED,  /* it does not run, or slurm-maui does not work */
	MAUI_CHECK_SKIPPED, /* could not be checked */
	MAUI_CHECK_COUNT,
};

/* Keys of slurm.conf that are read. */
enum maui_preflight_key {
	MAUI_KEY_PLUGIN_DIR,
	MAUI_KEY_PRIORITY_TYPE,
	MAUI_KEY_SCHEDULER_TYPE,
	MAUI_KEY_JOB_SUBMIT_PLUGINS,
	MAUI_KEY_SCHEDULER_PARAMETERS,
	MAUI_KEY_FEDERATION_PARAMETERS,
	MAUI_KEY_PREEMPT_MODE,
	MAUI_KEY_PREEMPT_TYPE,
	MAUI_KEY_SELECT_TYPE,
	MAUI_KEY_STATE_SAVE_LOCATION,
	MAUI_KEY_AUTH_TYPE,
	MAUI_KEY_AUTH_INFO,
	MAUI_KEY_GRES_TYPES,
	MAUI_KEY_ACCOUNTING_STORAGE_TYPE,
	MAUI_KEY_MIN_JOB_AGE,
	MAUI_KEY_COUNT,
};

#define MAUI_PREFLIGHT_CHECK_FIELDS(F, R)                    \
	F(R, TEXT, name, "what is checked")                  \
	F(R, TEXT, result, "ok, warning, failed or skipped") \
	F(R, TEXT, text, "what is there, and what to do")
MAUI_RECORD(maui_preflight_check, MAUI_PREFLIGHT_CHECK_FIELDS);

struct maui_preflight {
	const struct maui_cmd_options *options; /* slurm.conf */
	const char *slurmctld;                  /* --slurmctld; NULL: looked for */
	char *values[MAUI_KEY_COUNT];           /* NULL: not set */
	uid_t slurm_user;
	struct maui_preflight_check *checks;
	size_t check_count, check_alloc;
	struct maui_arena arena; /* their texts */
	size_t counts[MAUI_CHECK_COUNT];
};

void maui_preflight_add(struct maui_preflight *p, enum maui_check_result result, const char *name,
			const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Reads slurm.conf; -1: without it the rest cannot be checked. */
int maui_preflight_conf(struct maui_preflight *p);
/* Does Slurm itself read slurm.conf without an error? */
void maui_preflight_slurms_reading(struct maui_preflight *p);
/* Is it slurmctld's host? */
void maui_preflight_host(struct maui_preflight *p);
/* slurm.conf's settings that matter to sched/maui and maui.cfg; texts borrowed. */
struct maui_slurm_settings maui_preflight_slurm_settings(const struct maui_preflight *p);
void maui_preflight_settings(struct maui_preflight *p);

/* slurmctld, PluginDir, and the plugins that slurm.conf names. */
void maui_preflight_plugins(struct maui_preflight *p);

/* What becomes of preemption, het jobs, GPUs and the usage of associations. */
struct maui_config;
void maui_preflight_features(struct maui_preflight *p, const struct maui_config *config);

/* maui.cfg, StateSaveLocation, the directory of the query socket, MUNGE. */
void maui_preflight_places(struct maui_preflight *p);

/* Whether slurm.conf names the plugin: "priority/maui". */
bool maui_preflight_names(const struct maui_preflight *p, const char *type);

enum { MAUI_CANNOT_TELL = -1 }; /* neither root nor the user asks */

/* 0: the user has this access(2) to the path; an errno: not; MAUI_CANNOT_TELL. */
int maui_preflight_access(uid_t user, const char *path, int mode);

#endif
