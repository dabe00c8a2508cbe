/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the controller's data, for the files of this folder only
 *
 * Fields under "shared" are read and written under `lock`, each access short. Fields under "agent"
 * belong to the agent's thread while it runs, and otherwise to open and close.
 */
#ifndef MAUI_CONTROLLER_PRIVATE_H
#define MAUI_CONTROLLER_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/errand.h"
#include "base/words.h"
#include "config/status.h"
#include "controller/controller.h"
#include "controller/crash_guard.h"
#include "config/check/slurm_settings.h"
#include "controller/names.h"
#include "cycle/job_history.h"
#include "model/job.h"
#include "model/rsv_names.h"
#include "policy/fairshare.h"
#include "query/message.h"
#include "state/set_aside.h"

/* Seconds after which the agent tries again to open the query socket or the port for login nodes: a
 * virtual address may come after slurmctld takes over. */
enum { MAUI_RETRY_S = 5 };

struct maui_controller {
	pthread_mutex_t lock;
	pthread_cond_t wake;

	/* atomic: read and written with and without the lock. A request that has to wake the agent
	 * is made under the lock. */
	atomic_bool roles[MAUI_ROLE_COUNT];
	atomic_bool stop, reload, recalculate; /* requests to the agent */
	atomic_bool submitted;                 /* a job was submitted or changed: plan soon */

	/* shared */
	struct maui_config *config; /* never NULL once open */
	struct maui_fs_table *fs;   /* percentages of the last cycle; NULL before the first */
	struct maui_totals totals;
	struct maui_names names;
	struct maui_job_histories histories;
	uint64_t rankings;           /* how often any job was ranked: the histories' versions */
	struct maui_words rsv_names; /* names of administrative reservations: submit.h */
	struct maui_rsv_names rsv_names_index; /* index of rsv_names */

	/* agent */
	pthread_t thread;
	bool thread_runs;
	void (*save)(struct maui_controller *c); /* writes everything that changed */
	struct maui_sched *sched;                /* sched/cycle.h; NULL: jobs are not planned */
	struct maui_config *file_config; /* of the file, without what changeparam has changed */
	struct maui_config_lines changes[MAUI_CONFIG_MAX_CHANGES]; /* by changeparam */
	size_t change_count;
	struct maui_config_status *config_status; /* for commands; NULL: no memory for it */
	/* files that are being read (config/reading.h); NULL: none */
	struct maui_errand *config_reading, *config_comparison;
	bool refresh_names;       /* maui.cfg, or all names, are to be looked up again */
	bool on_good_file;        /* maui.cfg is bad: running on the last good one */
	bool first_start;         /* no state file: running jobs are charged from now on */
	bool store_blocked;       /* state.json cannot be read, and stays */
	bool save_failed;         /* logged once, and again every hour */
	struct maui_err save_err; /* why */
	int64_t errors_logged_s;  /* last such line in the log */
	int64_t saved_s;          /* last save */
	int64_t window_s;         /* start of the current fairshare window */
	struct maui_usage usage;
	struct maui_statistics statistics;
	struct maui_utilisation utilisation;
	struct maui_trial trial;
	struct maui_set_aside set_aside;    /* state files that were damaged at the start */
	int64_t trial_restored_s;           /* the saved score has starts up to then */
	struct maui_query_server *query;    /* query.h; NULL: no socket */
	char *query_path, *query_error;     /* of the socket; the last error in the log */
	int64_t query_retry_s;              /* the next try, on the monotonic clock */
	struct maui_query_remote *remote;   /* remote.h; NULL: no port */
	struct maui_errand *remote_opening; /* NULL: no port is being opened */
	bool remote_is_whole;             /* open at all addresses of its name; or there is none */
	char *remote_name, *remote_error; /* what the port is made of; the last error in the log */
	int64_t remote_retry_s;
	char *config_path, *state_dir;
	int state_fd;                        /* of the state directory; -1: not opened yet */
	struct maui_crash_guard crash_guard; /* open while `sched` is there */
	/* Copies from slurm.conf, because a reconfigure clears Slurm's own values before it reads
	 * the file. They belong to the agent once it runs. */
	char *scheduler_type, *slurm_conf_path;
	struct maui_slurm_settings slurm; /* of slurm.conf, as far as lines of maui.cfg conflict */
	uid_t slurm_user;
};

/* load_config.c. Call without locks. */
/* Copies the values of slurm.conf that we need. The caller holds conf READ. -1 without memory, with
 * a log line: nothing has changed. */
int maui_load_slurm_conf(struct maui_controller *c);
/* At a start: reads maui.cfg and puts it in force, or the last good one when maui.cfg has errors.
 * `keep`: an accepted file becomes the last good one. -1: no configuration; the log says why. */
int maui_load_config(struct maui_controller *c, bool keep);
/* A reconfigure, by the agent, which does not wait for the disk: begins to read maui.cfg. */
void maui_reload_begin(struct maui_controller *c);
/* Whether the disk has answered. false also when nothing is being read. */
bool maui_reload_has_ended(const struct maui_controller *c);
/* Puts what was read in force; a maui.cfg with errors leaves all as it is. Waits this long at most.
 * false: nothing is being read, or the disk has not answered yet. */
bool maui_reload_end(struct maui_controller *c, int wait_ms);
/* By the agent, every RMPOLLINTERVAL: notices that maui.cfg on the disk is not what was read, and
 * looks again. Does not wait for the disk. */
void maui_look_at_config(struct maui_controller *c);
/* Ends both kinds of reading. */
void maui_forget_readings(struct maui_controller *c);
/* config_changes.c */
/* changeparam: puts the configuration with one more line in force; `name` stands for its file. -1
 * with error: it is not accepted, nothing has changed. By the agent only. */
int maui_change_config(struct maui_controller *c, const char *name, const char *line,
		       struct maui_query_error *error);
/* The file was read again: its configuration replaces all changes. */
void maui_forget_config_changes(struct maui_controller *c, struct maui_config *file_config);
/* Takes the configuration over. */
void maui_swap_config(struct maui_controller *c, struct maui_config *config);
/* Takes the status over; commands get it with the next document. maui_set_config_status(): the file
 * was read, which the status then says, with the conflicts of its configuration with slurm.conf. */
void maui_replace_config_status(struct maui_controller *c, struct maui_config_status *status);
void maui_set_config_status(struct maui_controller *c, struct maui_config_status *status);

/* state.c. Call without locks. */
/* -1 without memory, with a log line: nothing is loaded then, and nothing may be saved. */
int maui_load_state(struct maui_controller *c);
/* Forgets windows and histories: a controller that takes over reads them from the disk again. */
void maui_drop_state(struct maui_controller *c);
/* Writes everything that changed. */
void maui_save_state(struct maui_controller *c);
/* Logs every hour which errors still hold. */
void maui_log_errors(struct maui_controller *c, int64_t now_s);

/* Why the last save failed; NULL: it succeeded. */
static inline const char *maui_not_saved(const struct maui_controller *c)
{
	return c->save_failed ? c->save_err.text : NULL;
}

/* Whether sched/maui is the scheduler. */
static inline bool maui_controller_schedules(const struct maui_controller *c)
{
	return c->roles[MAUI_ROLE_SCHED];
}

/* Whether there is a trial: SERVERMODE TEST beside another scheduler. Under sched/maui SERVERMODE
 * TEST is a pause. The caller holds the lock, or is the agent. */
static inline bool maui_controller_is_trial(const struct maui_controller *c)
{
	return !maui_controller_schedules(c) && c->config->server_mode == MAUI_SERVER_TEST;
}

/* Whether cycles plan jobs: under sched/maui, and in a trial. The caller holds the lock, or is the
 * agent. */
static inline bool maui_controller_plans(const struct maui_controller *c)
{
	return c->sched && (maui_controller_schedules(c) || maui_controller_is_trial(c));
}

/* state_dir.c */
/* Makes the state directory (0700) before any file is written. When the directory was removed,
 * logs it, writes maui.cfg.good again, and marks all windows and state.json for the next save. -1
 * with err: the directory cannot be made. For the agent only. */
int maui_state_dir_check(struct maui_controller *c, struct maui_err *err);
/* Closes the directory: the next check accepts any directory at its path. */
void maui_state_dir_forget(struct maui_controller *c);

/* The path of a file in the state directory; the caller frees it. NULL without memory. */
static inline char *maui_state_path(const struct maui_controller *c, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", c->state_dir, name) < 0 ? NULL : path;
}

/* agent.c */
/* Starts the agent's thread; does nothing if it runs. `save` writes everything that changed. -1:
 * the system gives no thread. */
int maui_agent_start(struct maui_controller *c, void (*save)(struct maui_controller *c));
/* Waits for the end of the thread; does nothing if there is none. */
void maui_agent_stop(struct maui_controller *c);

#endif
