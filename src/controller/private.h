/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the context's parts, for the files of this folder only
 *
 * Shared: under `lock`, each access short. Agent: touched by the agent's thread alone while it
 * runs, by open and close otherwise.
 */
#ifndef MAUI_CONTROLLER_PRIVATE_H
#define MAUI_CONTROLLER_PRIVATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/words.h"
#include "controller/controller.h"
#include "controller/names.h"
#include "cycle/job_history.h"
#include "model/job.h"
#include "model/rsv_names.h"
#include "policy/fairshare.h"

struct maui_controller {
	pthread_mutex_t lock;
	pthread_cond_t wake;

	/* shared */
	struct maui_config *config; /* never NULL once open */
	struct maui_fs_table *fs;   /* percentages of the last cycle; NULL before the first */
	struct maui_totals totals;
	struct maui_names names;
	struct maui_job_histories histories;
	struct maui_words rsv_names;           /* of administrative reservations: submit.h */
	struct maui_rsv_names rsv_names_index; /* of these */
	bool roles[MAUI_ROLE_COUNT];
	bool stop, reload, recalculate; /* wishes to the agent */
	bool submitted;                 /* a job came, or changed: sched/maui looks at once */

	/* agent */
	pthread_t thread;
	bool thread_runs;
	struct maui_sched *sched; /* sched.h; NULL unless jobs are planned */
	bool on_good_file;        /* maui.cfg is bad: running on the last good one */
	bool first_start;         /* no state was found: what runs was not charged by us */
	bool store_blocked;       /* state.json can be neither read nor moved */
	bool save_failed;         /* said once, again every hour */
	struct maui_err save_err; /* why */
	int64_t complained_s;     /* of either */
	int64_t saved_s;          /* last save */
	int64_t window_s;         /* start of the current fairshare window */
	struct maui_usage usage;
	struct maui_query_server *query; /* query.h; NULL: no socket */
	char *query_path, *query_said;   /* where it is; what is wrong and was said */
	int64_t query_retry_s;
	char *config_path, *state_dir;
	int state_fd; /* the directory, as we know it; -1: not known yet */
	/* of slurm.conf: copies, since a reconfigure empties it before it reads the file. The
	 * agent's once it runs. */
	char *scheduler_type, *slurm_conf_path;
	unsigned min_job_age_s;
	uid_t slurm_user;
};

/* The process's context; NULL before the first open. */
extern struct maui_controller *maui_controller;

/* load.c: configuration and state from disk, and back. No lock is held by the caller. */
/* Copies what slurm.conf says that matters to us. The caller holds conf READ. */
int maui_load_slurm_conf(struct maui_controller *c);
/* Reads maui.cfg, else, at a start, the last good one. Swaps it in. `keep`: an accepted one becomes
 * the last good one. -1: none; all is logged. */
int maui_load_config(struct maui_controller *c, bool start, bool keep);
void maui_load_state(struct maui_controller *c);
/* Forgets windows and histories: who takes over later reads what is on disk then. */
void maui_drop_state(struct maui_controller *c);
/* Writes all that changed. */
void maui_save_state(struct maui_controller *c);
/* The configuration in force becomes the last good one on disk. */
void maui_keep_good(const struct maui_controller *c);
/* Why what was to be saved last is not on disk; NULL: it is. */
const char *maui_not_saved(const struct maui_controller *c);
/* Repeats every hour what still is wrong. */
void maui_complain(struct maui_controller *c, int64_t now_s);

/* Whether a job may start by this plugin, or is planned at all. */
static inline bool maui_controller_schedules(const struct maui_controller *c)
{
	return c->roles[MAUI_ROLE_SCHED];
}

/* state_dir.c */
/* Before anything is written to it: makes the directory of the state (0700). One that was removed
 * since the last time is said to be, and what it had is written anew: maui.cfg.good at once,
 * windows and the rest by the save that follows. -1 with err: it cannot be made. The agent's. */
int maui_state_dir_check(struct maui_controller *c, struct maui_err *err);
/* Whatever is there the next time is right. */
void maui_state_dir_forget(struct maui_controller *c);

/* agent.c */
int maui_agent_start(struct maui_controller *c);
void maui_agent_stop(struct maui_controller *c);

#endif
