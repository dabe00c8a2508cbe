/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd.h - the maui command: one verb a file
 *
 * stdout has data only, messages go to stderr as "maui <verb>: error: ...".
 */
#ifndef MAUI_CMD_CMD_H
#define MAUI_CMD_CMD_H

#include <stdbool.h>
#include <sys/types.h>

#include "tool/option.h"

/* argv[0] is the verb. Returns the exit status. */
typedef int (*maui_cmd_fn)(int argc, char **argv);

/* Each verb of maui, as `maui --help` and maui(1) list them, with what it is for. ALONE: a name of
 * its own too, by a link to maui. ONLY: maui-NAME(1) is its manual page. HERE: maui(1) is. */
/* clang-format off */
#define MAUI_COMMANDS(ALONE, ONLY, HERE) \
	ALONE(canceljob, "cancel jobs, as scancel does") \
	ALONE(changeparam, "put a line of maui.cfg in force for now") \
	ALONE(checkjob, "show a job, and every reason why it waits") \
	ALONE(checknode, "show a node, and who holds it until when") \
	HERE(config, "check, show and explain maui.cfg") \
	HERE(detach, "remove reservations, when a site goes back") \
	ALONE(diagnose, "priorities, jobs, nodes, credentials, reservations") \
	ONLY(fits, "say what you could run right now") \
	ONLY(metrics, "figures for Prometheus") \
	HERE(migrate, "read the maui.cfg and fairshare files of a Maui") \
	ONLY(preflight, "before a restart: will slurmctld run with slurm-maui?") \
	ONLY(queue, "list jobs as squeue does, with when and why") \
	ONLY(reconfigure, "read maui.cfg again, and tell whether it is in force") \
	ALONE(releasehold, "take holds off jobs, as scontrol does") \
	ALONE(releaseres, "remove reservations") \
	ONLY(report, "write the schedule as an HTML page with pictures") \
	ALONE(resetstats, "reset the statistics") \
	ALONE(runjob, "start a waiting job now") \
	ALONE(sethold, "hold jobs, as scontrol does") \
	ALONE(setres, "make or change a reservation") \
	ALONE(setspri, "set the system priority of jobs") \
	ONLY(share, "usage against fairshare targets, and until when") \
	ALONE(showbf, "show free processors, and for how long") \
	ALONE(showconfig, "show the configuration in force") \
	ALONE(showq, "list active, idle and blocked jobs") \
	ALONE(showres, "list reservations") \
	ALONE(showstart, "show when a job is expected to start") \
	ALONE(showstate, "the machine at a glance, and what is wrong") \
	ALONE(showstats, "figures of jobs that have ended") \
	ONLY(snapshot, "save the last plan in a file, for maui-sim") \
	ONLY(trial, "the score of SERVERMODE TEST") \
	HERE(version, "print versions") \
	ONLY(whatif, "simulate a change: who would start earlier or later") \
	ONLY(why, "say in a few sentences why a job waits")
/* clang-format on */

#define MAUI_COMMAND_DECLARE(name, what) int maui_cmd_##name(int argc, char **argv);
MAUI_COMMANDS(MAUI_COMMAND_DECLARE, MAUI_COMMAND_DECLARE, MAUI_COMMAND_DECLARE)

int maui_cmd_config_check(int argc, char **argv);
int maui_cmd_config_show(int argc, char **argv);
int maui_cmd_config_explain(int argc, char **argv);
extern const struct maui_command maui_config_check_usage, maui_config_show_usage;
extern const struct maui_command maui_config_explain_usage;

/* Which slurm.conf and which maui.cfg are meant. */
struct maui_cmd_options {
	const char *slurm_conf; /* --slurm-conf */
	const char *operand;    /* maui.cfg; NULL: none is named */
};

#define MAUI_SLURM_CONF_OPTION(tag, member) \
	MAUI_TEXT(0, "slurm-conf", "FILE", tag, member, "default: $SLURM_CONF, or the usual one")

/* A slurm.conf that is named, by --slurm-conf or SLURM_CONF, must be there; the default one may be
 * absent. Says what is wrong; returns an exit status. */
int maui_cmd_slurm_conf_check(const struct maui_cmd_options *options);

/* --slurm-conf, else SLURM_CONF, else where it usually is. */
const char *maui_cmd_slurm_conf_path(const struct maui_cmd_options *options);

/* The maui.cfg meant: the operand, else maui_cfg= of slurm.conf's SchedulerParameters, else
 * maui.cfg beside slurm.conf. The caller frees. */
char *maui_cmd_config_path(const struct maui_cmd_options *options);

/* Whether there is a slurm.conf that can be read. */
bool maui_cmd_has_slurm_conf(const struct maui_cmd_options *options);

/* The value of the last "KEY=value" line of slurm.conf, any case; NULL: none. The caller frees. */
char *maui_cmd_slurm_conf_value(const struct maui_cmd_options *options, const char *key);

/* SlurmUser of slurm.conf, a name or a number; root without one. -1: no such user. The
 * caller frees *ret_name, which may be NULL. */
int maui_cmd_slurm_user(const struct maui_cmd_options *options, uid_t *ret, char **ret_name);

/* SchedulerType of slurm.conf; NULL: no slurm.conf to be read. The caller frees. */
char *maui_cmd_scheduler_type(const struct maui_cmd_options *options);

/* What `maui version` and -V print. */
void maui_cmd_print_version(void);

#endif
