/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask.h - asks slurmctld from wherever the command runs */
#ifndef MAUI_CMD_ASK_H
#define MAUI_CMD_ASK_H

#include "query/client.h"

/* Over the Unix socket when one answers on this host or MAUI_SOCKET names one; else over TCP when
 * slurm.conf has maui_port. args are taken over. NULL with error. */
json_object *maui_cmd_ask_server(const char *verb, json_object *args,
				 struct maui_query_error *error);

#endif
