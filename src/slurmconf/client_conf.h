/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client_conf.h - where slurmctld answers commands of other hosts, from a slurm.conf
 *
 * Every client has slurm.conf, configless clients too; none but slurmctld's hosts has maui.cfg.
 *   SchedulerParameters=maui_port=N    the TCP port; absent: slurmctld answers on its own host only
 *   ClusterName                        only its slurmctld is to answer
 *   SlurmctldAddr, SlurmctldHost       the hosts, in turn; "name(address)" is its address
 *   AuthInfo=socket=PATH               munged's socket
 *
 * Rules: CMD-15.
 */
#ifndef MAUI_SLURMCONF_CLIENT_CONF_H
#define MAUI_SLURMCONF_CLIENT_CONF_H

#include <stddef.h>

#include "base/err.h"

/* Controllers that slurmctld takes at most are fewer. */
#define MAUI_CLIENT_MAX_HOSTS 16

struct maui_client_conf {
	char *cluster;    /* ClusterName; NULL: none */
	char *parameters; /* SchedulerParameters, for maui_remote_port(); NULL: none */
	char *hosts[MAUI_CLIENT_MAX_HOSTS];
	size_t count;
	char *munge_socket; /* NULL: MUNGE's default */
};

/* -1 with err: the file cannot be read. */
int maui_client_conf_read(struct maui_client_conf *ret, const char *path, struct maui_err *err);
void maui_client_conf_finish(struct maui_client_conf *conf);

#endif
