/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd.h - the maui command: one verb a file
 *
 * stdout has data only, messages go to stderr as "maui <verb>: error: ...".
 */
#ifndef MAUI_CMD_CMD_H
#define MAUI_CMD_CMD_H

#include <stdbool.h>
#include <sys/types.h>

#include "cmd/names.h"
#include "tool/option.h"

/* argv[0] is the verb. Returns the exit status. */
typedef int (*maui_cmd_fn)(int argc, char **argv);

/* A verb of maui, as `maui --help` and maui(1) list it. */
struct maui_cmd_verb {
	const char *name;
	maui_cmd_fn run;
	bool alone;       /* a command of this name too, by a link to maui */
	const char *what; /* it is for; NULL: left out of this build */
};

/* Rows beside the code, from which the list MAUI_COMMANDS is made: a verb with a command of its own
 * name, and one without. Both run run_NAME(). */
#define MAUI_COMMAND(name, what)    MAUI_CMD_VERB(name, true, what)
#define MAUI_SUBCOMMAND(name, what) MAUI_CMD_VERB(name, false, what)
#define MAUI_CMD_VERB(name, alone, what) \
	const struct maui_cmd_verb maui_command_##name = { #name, run_##name, alone, what }

#define MAUI_COMMAND_DECLARE(name) extern const struct maui_cmd_verb maui_command_##name;
MAUI_COMMANDS(MAUI_COMMAND_DECLARE)

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
