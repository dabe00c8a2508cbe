/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_command.h - runs scontrol and its kin, as the user who runs our command
 *
 * argv[0] is searched in PATH. Slurm's command says on stderr what went wrong.
 */
#ifndef MAUI_CMD_SLURM_COMMAND_H
#define MAUI_CMD_SLURM_COMMAND_H

/* 0: it exited with 0. -1 else; when it cannot be run, stderr says so, each line after `tool`. */
int maui_cmd_slurm_run(const char *tool, char *const *argv);

/* The same; calls `line` with each line that it prints. */
int maui_cmd_slurm_ask(const char *tool, char *const *argv, void (*line)(char *text, void *arg),
		       void *arg);

#endif
