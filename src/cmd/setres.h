/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setres.h - the line of setres, for a command that only asks what it would do */
#ifndef MAUI_CMD_SETRES_H
#define MAUI_CMD_SETRES_H

#include <json-c/json.h>

/* Options and resources as setres takes them; argv[0] is overwritten. Returns an exit status; what
 * is wrong is said. The caller puts *ret. */
int maui_setres_args(const char *tool, int argc, char **argv, json_object **ret);

#endif
