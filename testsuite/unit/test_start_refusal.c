/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_start_refusal.c - the kind of each code with which select_nodes() refuses a start
 *
 * Rules: BF-12, BF-13.
 */
#include "slurm/compat.h"

#include "slurm/start/refusal.h"

#include "rows.h"

static const struct row {
	const char *name;
	int code;
	enum maui_refusal_kind kind;
} rows[] = {
	{ "no refusal", SLURM_SUCCESS, MAUI_REFUSED_NOT },
	{ "taken nodes", ESLURM_NODES_BUSY, MAUI_REFUSED_NODES },
	{ "drained nodes", ESLURM_NODE_NOT_AVAIL, MAUI_REFUSED_NODES },
	{ "the nodes' MPI ports are taken", ESLURM_PORTS_BUSY, MAUI_REFUSED_NODES },
	{ "an association's limit", ESLURM_ACCOUNTING_POLICY, MAUI_REFUSED_WAIT },
	{ "a partition's limit may be raised", ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE,
	  MAUI_REFUSED_WAIT },
	{ "a held job may be released", ESLURM_JOB_HELD, MAUI_REFUSED_WAIT },
	{ "a burst buffer is filled", ESLURM_BURST_BUFFER_WAIT, MAUI_REFUSED_WAIT },
	{ "a reservation ahead", ESLURM_RESERVATION_BUSY, MAUI_REFUSED_WAIT },
	{ "a reservation that is not active", ESLURM_RESERVATION_NOT_USABLE, MAUI_REFUSED_WAIT },
	{ "maintenance ahead", ESLURM_RESERVATION_MAINT, MAUI_REFUSED_WAIT },
	{ "a partition that is down", ESLURM_PARTITION_DOWN, MAUI_REFUSED_WAIT },
	{ "nodes too small", ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE, MAUI_REFUSED_UNFIT },
	{ "no support by the topology", ESLURM_NOT_SUPPORTED, MAUI_REFUSED_UNFIT },
	{ "a job without nodes", ESLURM_INVALID_NODE_COUNT, MAUI_REFUSED_JOB },
	{ "two sets of KNL features", ESLURM_MULTI_KNL_CONSTRAINT, MAUI_REFUSED_JOB },
	{ "more MPI ports than configured", ESLURM_PORTS_INVALID, MAUI_REFUSED_JOB },
	{ "a broken burst buffer", ESLURM_INVALID_BURST_BUFFER_REQUEST, MAUI_REFUSED_JOB },
	{ "an unknown code", 123456, MAUI_REFUSED_WAIT },
	{ "an error without a code", SLURM_ERROR, MAUI_REFUSED_WAIT },
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	{ "licences", ESLURM_LICENSES_UNAVAILABLE, MAUI_REFUSED_WAIT },
	{ "the limit of powered nodes", ESLURM_MAX_POWERED_NODES, MAUI_REFUSED_WAIT },
	{ "no network holds the job", ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE,
	  MAUI_REFUSED_UNFIT },
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	{ "required nodes of the network", ESLURM_TOPO_REQ_NODES_NOT_AVAIL, MAUI_REFUSED_NODES },
	{ "required nodes in the wrong place", ESLURM_TOPO_REQ_NODES_NO_MATCH_TOPO,
	  MAUI_REFUSED_NODES },
	{ "no place in the network", ESLURM_TOPO_NO_FIT, MAUI_REFUSED_NODES },
	{ "no place for a segment", ESLURM_TOPO_SEGMENT_NO_FIT, MAUI_REFUSED_NODES },
	{ "too little in the network", ESLURM_TOPO_INSUFFICIENT_RESOURCES, MAUI_REFUSED_NODES },
	{ "weights", ESLURM_TOPO_WEIGHT_NO_FIT, MAUI_REFUSED_NODES },
	{ "too many nodes", ESLURM_TOPO_MAX_NODE_LIMIT, MAUI_REFUSED_NODES },
	{ "no nodes left", ESLURM_TOPO_EMPTY_NODE_MAP, MAUI_REFUSED_NODES },
	{ "the end of the range is no code", ESLURM_TOPO_ERROR_END, MAUI_REFUSED_WAIT },
#endif
};

TEST_ROWS(start_refusal, kind, rows, row)
{
	enum maui_refusal_kind kind = maui_refusal_kind(row->code);

	cr_expect(kind == row->kind, "%s: kind %d, expected %d", row->name, (int)kind,
		  (int)row->kind);
}
