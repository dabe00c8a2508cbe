/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.h - looks up on this machine what maui.cfg names: users, groups, programs of triggers */
#ifndef MAUI_CMD_MACHINE_H
#define MAUI_CMD_MACHINE_H

#include "base/arena.h"
#include "cmd/cmd.h"
#include "config/config.h"
#include "verbs/setres.h"

/* Adds a warning for each user, group, administrator and program of a trigger that this machine
 * does not have. Where it cannot tell, a note of the file `path` says so; NULL: no note. */
void maui_cmd_check_machine(const struct maui_config *config, const char *path,
			    const struct maui_cmd_options *options, struct maui_diags *diags);

/* The same of the attributes of a setres: *ret is of the arena. */
void maui_cmd_check_attributes(const struct maui_setres_args *args, struct maui_arena *arena,
			       struct maui_warnings *ret);

#endif
