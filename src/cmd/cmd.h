/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd.h - the maui command: one verb a file
 *
 * stdout has data only, messages go to stderr as "maui <verb>: error: ...".
 */
#ifndef MAUI_CMD_CMD_H
#define MAUI_CMD_CMD_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

enum { /* EXIT STATUS of every verb */
       MAUI_EXIT_OK = 0,
       MAUI_EXIT_ERROR = 1,
       MAUI_EXIT_USAGE = 2,
       /* what a server answers is an exit status as well: enum maui_query_code */
};

/* argv[0] is the verb. Returns the exit status. */
typedef int (*maui_cmd_fn)(int argc, char **argv);

int maui_cmd_canceljob(int argc, char **argv);
int maui_cmd_changeparam(int argc, char **argv);
int maui_cmd_checkjob(int argc, char **argv);
int maui_cmd_checknode(int argc, char **argv);
int maui_cmd_config(int argc, char **argv);
int maui_cmd_config_check(int argc, char **argv);
int maui_cmd_config_show(int argc, char **argv);
int maui_cmd_config_explain(int argc, char **argv);
int maui_cmd_detach(int argc, char **argv);
int maui_cmd_diagnose(int argc, char **argv);
int maui_cmd_fits(int argc, char **argv);
int maui_cmd_metrics(int argc, char **argv);
int maui_cmd_migrate(int argc, char **argv);
int maui_cmd_preflight(int argc, char **argv);
int maui_cmd_queue(int argc, char **argv);
int maui_cmd_reconfigure(int argc, char **argv);
int maui_cmd_releasehold(int argc, char **argv);
int maui_cmd_releaseres(int argc, char **argv);
int maui_cmd_report(int argc, char **argv);
int maui_cmd_resetstats(int argc, char **argv);
int maui_cmd_runjob(int argc, char **argv);
int maui_cmd_sethold(int argc, char **argv);
int maui_cmd_setres(int argc, char **argv);
int maui_cmd_setspri(int argc, char **argv);
int maui_cmd_share(int argc, char **argv);
int maui_cmd_showconfig(int argc, char **argv);
int maui_cmd_showq(int argc, char **argv);
int maui_cmd_showbf(int argc, char **argv);
int maui_cmd_showres(int argc, char **argv);
int maui_cmd_showstart(int argc, char **argv);
int maui_cmd_showstate(int argc, char **argv);
int maui_cmd_snapshot(int argc, char **argv);
int maui_cmd_showstats(int argc, char **argv);
int maui_cmd_trial(int argc, char **argv);
int maui_cmd_version(int argc, char **argv);
int maui_cmd_whatif(int argc, char **argv);
int maui_cmd_why(int argc, char **argv);

/* What every verb of `maui config` understands; see options.c. */
struct maui_cmd_options {
	int json;
	int set_only;           /* show: only what the file sets */
	const char *slurm_conf; /* --slurm-conf */
	const char *operand;    /* FILE or NAME; NULL: none */
};

/* Parses, answers --help with `usage` (then *ret_done is 1). Returns an exit status. */
int maui_cmd_options_parse(int argc, char **argv, const char *usage, struct maui_cmd_options *ret,
			   int *ret_done);

/* A slurm.conf that is named, by --slurm-conf or SLURM_CONF, must be there; the default one may be
 * absent. Says what is wrong; returns an exit status. */
int maui_cmd_slurm_conf_check(const struct maui_cmd_options *options);

/* --slurm-conf, else SLURM_CONF, else where it usually is. */
const char *maui_cmd_slurm_conf_path(const struct maui_cmd_options *options);

/* The maui.cfg meant: the operand, else maui_cfg= of slurm.conf's SchedulerParameters, else
 * maui.cfg beside slurm.conf. The caller frees; NULL without memory. */
char *maui_cmd_config_path(const struct maui_cmd_options *options);

/* Whether there is a slurm.conf that can be read. */
bool maui_cmd_has_slurm_conf(const struct maui_cmd_options *options);

/* The value of the last "KEY=value" line of slurm.conf, any case; NULL: none. The caller frees. */
char *maui_cmd_slurm_conf_value(const struct maui_cmd_options *options, const char *key);

/* SlurmUser of slurm.conf, a name or a number; root without one. -1: nobody of this name. The
 * caller frees *ret_name, which may be NULL. */
int maui_cmd_slurm_user(const struct maui_cmd_options *options, uid_t *ret, char **ret_name);

/* SchedulerType of slurm.conf; NULL: no slurm.conf to be read. The caller frees. */
char *maui_cmd_scheduler_type(const struct maui_cmd_options *options);

/* {"tool": "maui config check", "version": ..., "schema": "maui.config.check.v1"}: the "meta" of
 * every --json output. `name` is "config check". */
json_object *maui_cmd_json_meta(const char *name);

#endif
