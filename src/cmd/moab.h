/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moab.h - Moab's commands, for hands that are used to them
 *
 * mdiag, mjobctl, mrsvctl, mcredctl and mshow are links to maui as Maui's commands are. Each form
 * of them is a command of Maui in other words, and does nothing of its own.
 *
 * Rules: CMD-70.
 */
#ifndef MAUI_CMD_MOAB_H
#define MAUI_CMD_MOAB_H

#include <stdbool.h>

bool maui_moab_is_command(const char *name);

/* The words of Maui's command, its verb first and NULL behind the last, in one block that the
 * caller frees; they lead into argv. NULL: a message is on stderr, or with --help on stdout, and
 * *ret_status is the exit status. argv[0] is Moab's command. */
char **maui_moab_translate(int argc, char **argv, int *ret_status);

#endif
