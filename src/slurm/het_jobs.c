/* SPDX-License-Identifier: GPL-2.0-or-later */
/* het_jobs.c - the request that makes slurmctld accept het jobs */

#include "slurm/compat.h"

#include "slurm/het_jobs.h"

#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_bool starts;

void maui_het_jobs_set(bool start)
{
	starts = start;
}

bool maui_het_jobs_start(void)
{
	return starts;
}

static const slurmctld_rpc_t *find_request(uint16_t type)
{
	for (const slurmctld_rpc_t *rpc = slurmctld_rpcs; rpc->msg_type; rpc++)
		if (rpc->msg_type == type)
			return rpc;
	return NULL;
}

/* slurmctld answers every request. Nobody reads this answer, which fits into the socket. */
static bool ask(const slurmctld_rpc_t *rpc, const int sockets[2])
{
	char *own = slurm_conf.schedtype;
	char backfill[] = "sched/backfill";
	slurm_msg_t message;
	bool connected;

	slurm_msg_t_init(&message);
	message.msg_type = rpc->msg_type;
	message.protocol_version = SLURM_PROTOCOL_VERSION;
	maui_compat_identify(&message);
	connected = maui_compat_connect(&message, sockets[0]);
	if (connected) {
		slurm_conf.schedtype = backfill;
		rpc->func(&message);
		slurm_conf.schedtype = own;
	}
	maui_compat_disconnect(&message);
	return connected;
}

bool maui_het_jobs_open(void)
{
	const slurmctld_rpc_t *rpc = find_request(REQUEST_HET_JOB_ALLOCATION);
	int sockets[2];
	bool asked;

	if (!rpc || !rpc->func || slurmctld_config.submissions_disabled ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return false;
	info("slurm-maui: HETJOBS ON: an empty request follows, which slurmctld refuses");
	asked = ask(rpc, sockets);
	close(sockets[0]);
	close(sockets[1]);
	return asked;
}
