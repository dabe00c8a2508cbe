/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.h - where the query socket is
 *
 * QUERYSOCKET of maui.cfg, else maui.query/socket in the first of these directories that belongs to
 * SlurmUser:
 *   that of SlurmctldPidFile     /run/slurmctld, where the service has RuntimeDirectory=slurmctld
 *   StateSaveLocation            there since slurmctld needs it; users must be able to pass through
 * Server and commands use the same rule and the same slurm.conf, so both find the same socket.
 */
#ifndef MAUI_QUERY_PATH_H
#define MAUI_QUERY_PATH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* Bytes of a socket's path at most: the kernel's limit. */
#define MAUI_QUERY_PATH_MAX 107

/* pid_file, state_dir: of slurm.conf; NULL or "": not known. The caller frees; NULL with err when
 * there is no such directory. */
char *maui_query_path(const char *pid_file, const char *state_dir, uid_t slurm_user,
		      struct maui_err *err);

/* Whether everybody may pass through the directories that lead to the socket's own; else *ret_dir
 * (caller frees, may be NULL) is the first that keeps others out. Logged at the start. */
bool maui_query_path_is_open(const char *path, char **ret_dir);

#endif
