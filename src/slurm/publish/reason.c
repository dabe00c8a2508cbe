/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reason.c - tables from our reasons and limits to enum job_state_reason
 *
 * Three codes are left out because slurmctld acts on them: FAIL_BAD_CONSTRAINTS takes a directly
 * set priority away with the next update of the job, and job_limits_check() clears
 * WAIT_PART_NODE_LIMIT and WAIT_PART_TIME_LIMIT. So a class limit gets an association's code.
 */

#include "slurm/compat.h"

#include "slurm/publish/reason.h"

static const uint32_t codes[MAUI_REASON_COUNT] = {
	[MAUI_REASON_DEFERRED] = FAIL_DEFER,       [MAUI_REASON_REFUSED] = WAIT_RESOURCES,
	[MAUI_REASON_NEGATIVE] = WAIT_PRIORITY,    [MAUI_REASON_LIMIT] = WAIT_ACCOUNT_POLICY,
	[MAUI_REASON_PRIORITY] = WAIT_PRIORITY,    [MAUI_REASON_NOBF] = WAIT_PRIORITY,
	[MAUI_REASON_RESOURCES] = WAIT_RESOURCES,  [MAUI_REASON_LICENCES] = WAIT_LICENSES,
	[MAUI_REASON_RESERVED] = WAIT_RESOURCES,   [MAUI_REASON_ACCESS] = WAIT_RESERVATION,
	[MAUI_REASON_CHUNKING] = WAIT_RESOURCES,   [MAUI_REASON_BUSY] = WAIT_RESOURCES,
	[MAUI_REASON_NEVER_FITS] = WAIT_RESOURCES, [MAUI_REASON_NODES_DOWN] = WAIT_NODE_NOT_AVAIL,
	[MAUI_REASON_HET] = WAIT_RESOURCES,        [MAUI_REASON_COMPONENT] = WAIT_RESOURCES,
};

/* Whether the limit names this credential: a limit of a user, group, account or class gets an
 * association's code, that of a QOS a QOS's code. */
enum { OF_ASSOC, OF_QOS, OWNERS };

/* Of a resource: the code of a limit on active jobs together, and of one on a single job. Each
 * resource of model/limit.h has a row, or this does not build. */
struct limit_codes {
	uint32_t active[OWNERS], single[OWNERS];
};
#define CODES(assoc, qos, assoc_job, qos_job) \
	{                                     \
		{ assoc, qos },               \
		{                             \
			assoc_job, qos_job    \
		}                             \
	}
#define JOB_CODES CODES(WAIT_ASSOC_GRP_JOB, WAIT_QOS_GRP_JOB, WAIT_ASSOC_GRP_JOB, WAIT_QOS_GRP_JOB)
#define PROC_CODES                                                              \
	CODES(WAIT_ASSOC_GRP_CPU, WAIT_QOS_GRP_CPU, WAIT_ASSOC_MAX_CPU_PER_JOB, \
	      WAIT_QOS_MAX_CPU_PER_JOB)
#define NODE_CODES                                                                 \
	CODES(WAIT_ASSOC_GRP_NODE, WAIT_QOS_GRP_NODE, WAIT_ASSOC_MAX_NODE_PER_JOB, \
	      WAIT_QOS_MAX_NODE_PER_JOB)
#define PS_CODES                                                    \
	CODES(WAIT_ASSOC_GRP_CPU_RUN_MIN, WAIT_QOS_GRP_CPU_RUN_MIN, \
	      WAIT_ASSOC_MAX_CPU_MINS_PER_JOB, WAIT_QOS_MAX_CPU_MINS_PER_JOB)
#define PE_CODES                                                                            \
	CODES(WAIT_ASSOC_GRP_BILLING, WAIT_QOS_GRP_BILLING, WAIT_ASSOC_MAX_BILLING_PER_JOB, \
	      WAIT_QOS_MAX_BILLING_PER_JOB)
#define WC_CODES                                                                   \
	CODES(WAIT_ASSOC_GRP_WALL, WAIT_QOS_GRP_WALL, WAIT_ASSOC_MAX_WALL_PER_JOB, \
	      WAIT_QOS_MAX_WALL_PER_JOB)
#define MEM_CODES                                                               \
	CODES(WAIT_ASSOC_GRP_MEM, WAIT_QOS_GRP_MEM, WAIT_ASSOC_MAX_MEM_PER_JOB, \
	      WAIT_QOS_MAX_MEM_PER_JOB)
#define GPU_CODES                                                                  \
	CODES(WAIT_ASSOC_GRP_GRES, WAIT_QOS_GRP_GRES, WAIT_ASSOC_MAX_GRES_PER_JOB, \
	      WAIT_QOS_MAX_GRES_PER_JOB)

static const struct limit_codes limit_codes[MAUI_RESOURCE_COUNT] = {
#define CODES_ROW(name, ...) [MAUI_RESOURCE_##name] = name##_CODES,
	CODES_ROW(JOB) MAUI_AMOUNTS(CODES_ROW)
};

static const uint32_t idle_codes[OWNERS] = { WAIT_ASSOC_GRP_SUB_JOB, WAIT_QOS_GRP_SUB_JOB };
static const uint32_t fairshare_codes[OWNERS] = { WAIT_ASSOC_GRP_CPU_MIN, WAIT_QOS_GRP_CPU_MIN };

static bool names_cred(const struct maui_violation *violation, int cred)
{
	return violation->cred == cred || violation->second == cred;
}

/* Slurm tells a limit on a user's jobs (MaxJobs) from one on an association's (GrpJobs). */
static uint32_t user_code(const struct maui_violation *violation)
{
	if (violation->kind == MAUI_VIOLATION_IDLE)
		return WAIT_ASSOC_MAX_SUB_JOB;
	if (violation->kind == MAUI_VIOLATION_ACTIVE && violation->resource == MAUI_RESOURCE_JOB)
		return WAIT_ASSOC_MAX_JOBS;
	return WAIT_NO_REASON;
}

static uint32_t limit_code(const struct maui_violation *violation)
{
	int owner = names_cred(violation, MAUI_CRED_QOS) ? OF_QOS : OF_ASSOC;
	uint32_t code = WAIT_NO_REASON;

	if (owner == OF_ASSOC && names_cred(violation, MAUI_CRED_USER))
		code = user_code(violation);
	if (code != WAIT_NO_REASON)
		return code;
	switch (violation->kind) {
	case MAUI_VIOLATION_JOB:
		return limit_codes[violation->resource].single[owner];
	case MAUI_VIOLATION_ACTIVE:
		return limit_codes[violation->resource].active[owner];
	case MAUI_VIOLATION_IDLE:
		return idle_codes[owner];
	case MAUI_VIOLATION_FAIRSHARE:
		return fairshare_codes[owner];
	}
	return WAIT_ACCOUNT_POLICY;
}

uint32_t maui_publish_reason(enum maui_reason reason, const struct maui_violation *violation)
{
	if ((unsigned)reason >= MAUI_REASON_COUNT)
		return WAIT_NO_REASON;
	if (reason == MAUI_REASON_LIMIT && violation)
		return limit_code(violation);
	return codes[reason];
}
