/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.h - what only this machine can tell of a reservation: users, groups, files of triggers */
#ifndef MAUI_CMD_MACHINE_H
#define MAUI_CMD_MACHINE_H

#include <json-c/json.h>

#include "cmd/cmd.h"
#include "config/config.h"

/* Warnings of check_rsv.h for the reservations and administrators of a configuration; none when
 * slurm.conf is another machine's (--slurm-conf), or there is none. */
void maui_cmd_check_machine(const struct maui_config *config,
			    const struct maui_cmd_options *options, struct maui_diags *diags);

/* The same of the attributes of a setres; texts behind those of the array. */
void maui_cmd_check_attributes(json_object *attributes, json_object *warnings);

#endif
