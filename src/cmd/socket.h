/* SPDX-License-Identifier: GPL-2.0-or-later */
/* socket.h - where slurmctld's query socket is, for commands */
#ifndef MAUI_CMD_SOCKET_H
#define MAUI_CMD_SOCKET_H

#include "cmd/cmd.h"
#include "query/message.h"

/* MAUI_SOCKET of the environment, else QUERYSOCKET of a maui.cfg that can be read, else by
 * query/path.h's rule from slurm.conf. The caller frees. NULL with error. */
char *maui_cmd_socket_path(struct maui_query_error *error);

/* The same without MAUI_SOCKET, and from this slurm.conf: where slurmctld makes it. */
char *maui_cmd_server_socket(const struct maui_cmd_options *options,
			     struct maui_query_error *error);

#endif
