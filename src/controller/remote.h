/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote.h - the TCP port at which this slurmctld answers login nodes; for the agent, without
 * locks */
#ifndef MAUI_CONTROLLER_REMOTE_H
#define MAUI_CONTROLLER_REMOTE_H

#include "controller/private.h"

/* Opens, moves or closes the port as SchedulerParameters=maui_port=N says; an address of the host
 * that is not open is tried again. Needs the query socket's server; without it the port is closed.
 * Logs each cause of a failure once. */
void maui_controller_remote_tend(struct maui_controller *c, bool reloaded);
/* Whether an address may be open now, or it is time to try. */
bool maui_controller_remote_is_due(struct maui_controller *c);
/* Before the server is stopped. */
void maui_controller_remote_close(struct maui_controller *c);

#endif
