/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refusal.c - the codes that select_nodes() returns in any supported release, by kind
 *
 * Gathered from select_nodes() and from what it calls: the select, topology, switch and burst
 * buffer plugins, reservations, limits of accounting, reserved ports.
 */

#include "slurm/compat.h"

#include "slurm/start/refusal.h"

static const struct {
	int code;
	enum maui_refusal_kind kind;
} refusals[] = {
	{ SLURM_SUCCESS, MAUI_REFUSED_NOT },

	{ ESLURM_NODES_BUSY, MAUI_REFUSED_NODES },
	{ ESLURM_NODE_NOT_AVAIL, MAUI_REFUSED_NODES },
	{ ESLURM_PORTS_BUSY, MAUI_REFUSED_NODES }, /* the ports of the chosen nodes */

	{ ESLURM_ACCOUNTING_POLICY, MAUI_REFUSED_WAIT },
	{ ESLURM_BURST_BUFFER_WAIT, MAUI_REFUSED_WAIT },
	{ ESLURM_JOB_HELD, MAUI_REFUSED_WAIT },
	{ ESLURM_PARTITION_DOWN, MAUI_REFUSED_WAIT },
	/* the partition's limits, accounts, groups and QOS */
	{ ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE, MAUI_REFUSED_WAIT },
	{ ESLURM_RESERVATION_BUSY, MAUI_REFUSED_WAIT },
	{ ESLURM_RESERVATION_MAINT, MAUI_REFUSED_WAIT },
	{ ESLURM_RESERVATION_NOT_USABLE, MAUI_REFUSED_WAIT },
	{ MAUI_COMPAT_LICENSES_UNAVAILABLE, MAUI_REFUSED_WAIT },
	/* nodes that are powered up may serve; the plan sees them when the pause is over */
	{ MAUI_COMPAT_MAX_POWERED_NODES, MAUI_REFUSED_WAIT },

	{ ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE, MAUI_REFUSED_UNFIT },
	{ MAUI_COMPAT_REQUESTED_TOPO_CONFIG_UNAVAILABLE, MAUI_REFUSED_UNFIT },
	{ ESLURM_NOT_SUPPORTED, MAUI_REFUSED_UNFIT }, /* by the topology of the planned nodes */

	{ ESLURM_INVALID_BURST_BUFFER_REQUEST, MAUI_REFUSED_JOB }, /* Slurm has held the job */
	{ ESLURM_INVALID_NODE_COUNT, MAUI_REFUSED_JOB },           /* no nodes, no burst buffer */
	{ ESLURM_MULTI_KNL_CONSTRAINT, MAUI_REFUSED_JOB },
	{ ESLURM_PORTS_INVALID, MAUI_REFUSED_JOB }, /* more ports than are configured */
};

enum maui_refusal_kind maui_refusal_kind(int code)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		if (refusals[i].code == code)
			return refusals[i].kind;
	/* why the free ones of these nodes do not match the network; since 26.05 */
	return maui_compat_is_topology_refusal(code) ? MAUI_REFUSED_NODES : MAUI_REFUSED_WAIT;
}
