/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_priority_factors.c - the value of each subcomponent of a job's priority
 *
 * The golden cases compute whole jobs; here are the rules and edges that these cases leave open.
 *
 * Rules: PRIO-3, PRIO-4, PRIO-5, PRIO-6, PRIO-7, PRIO-8, PRIO-11.
 */
#include "computed.h"
#include "rows.h"

/* ---- raw values ---- */

struct value {
	const char *name, *text;
	enum maui_factor factor;
	double expected; /* the factor after its cap */
	struct maui_job job;
};

static const struct value values[] = {
	/* SERV */
	{ "queue time in fractional minutes",
	  "",
	  MAUI_FACTOR_QUEUETIME,
	  1.5,
	  { .queue_time_s = 90 } },
	{ "expansion factor",
	  "XFACTORWEIGHT 1",
	  MAUI_FACTOR_XFACTOR,
	  2.5,
	  { .queue_time_s = 5400 } },
	{ "expansion factor of a short job",
	  "XFACTORWEIGHT 1\nXFMINWCLIMIT 10:00",
	  MAUI_FACTOR_XFACTOR,
	  1.5,
	  { .queue_time_s = 300, .walltime_s = 60 } },
	{ "expansion factor, limit above the minimum",
	  "XFACTORWEIGHT 1\nXFMINWCLIMIT 10:00",
	  MAUI_FACTOR_XFACTOR,
	  1.25,
	  { .queue_time_s = 300, .walltime_s = 1200 } },
	{ "expansion factor without any limit",
	  "XFACTORWEIGHT 1",
	  MAUI_FACTOR_XFACTOR,
	  1,
	  { .queue_time_s = 300, .walltime_s = -1 } },
	{ "bypass", "BYPASSWEIGHT 2", MAUI_FACTOR_BYPASS, 7, { .bypass = 7 } },
	{ "violation of a soft limit",
	  "SPVIOLATIONWEIGHT -5",
	  MAUI_FACTOR_SPVIOLATION,
	  1,
	  { .soft_violation = true } },
	{ "no violation", "SPVIOLATIONWEIGHT -5", MAUI_FACTOR_SPVIOLATION, 0, { .bypass = 1 } },
	/* TARG: seconds, from the queue time, not capped by XFACTORCAP, saturated at 1e8 */
	{ "target in 10 s",
	  "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME,
	  0.01,
	  { .queue_time_s = 590 } },
	{ "target in 1 s",
	  "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=10:00",
	  MAUI_FACTOR_TARGETQUEUETIME,
	  1,
	  { .queue_time_s = 599 } },
	{ "target in 0.1 s",
	  "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME,
	  100,
	  { .queue_time_s = 599.9 } },
	{ "target now",
	  "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME,
	  1e8,
	  { .queue_time_s = 600 } },
	{ "target long missed",
	  "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME,
	  1e8,
	  { .queue_time_s = 1e6 } },
	{ "no target",
	  "TARGETQUEUETIMEWEIGHT 1",
	  MAUI_FACTOR_TARGETQUEUETIME,
	  0,
	  { .queue_time_s = 600 } },
	{ "no QOS",
	  "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[DEFAULT] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME,
	  0,
	  { .queue_time_s = 600, .cred = { NOBODY } } },
	{ "target of XFACTOR before its cap",
	  "TARGETXFACTORWEIGHT 1\nXFACTORWEIGHT 1\nXFACTORCAP 1\nQOSCFG[hi] XFTARGET=3",
	  MAUI_FACTOR_TARGETXFACTOR,
	  4,
	  { .queue_time_s = 5400 } },
	/* CRED */
	{ "own",
	  "USERWEIGHT 1\nUSERCFG[amy] PRIORITY=-7\nUSERCFG[DEFAULT] PRIORITY=3",
	  MAUI_FACTOR_USER,
	  -7,
	  { .nodes = 0 } },
	{ "DEFAULT",
	  "USERWEIGHT 1\nUSERCFG[DEFAULT] PRIORITY=3",
	  MAUI_FACTOR_USER,
	  3,
	  { .nodes = 0 } },
	{ "an explicit 0 masks no DEFAULT",
	  "GROUPWEIGHT 1\nGROUPCFG[phys] PRIORITY=0\nGROUPCFG[DEFAULT] PRIORITY=3",
	  MAUI_FACTOR_GROUP,
	  3,
	  { .nodes = 0 } },
	{ "QOS has no DEFAULT",
	  "QOSWEIGHT 1\nQOSCFG[DEFAULT] PRIORITY=3",
	  MAUI_FACTOR_QOS,
	  0,
	  { .nodes = 0 } },
	{ "no credential, no DEFAULT",
	  "ACCOUNTWEIGHT 1\nACCOUNTCFG[DEFAULT] PRIORITY=3",
	  MAUI_FACTOR_ACCOUNT,
	  0,
	  { .cred = { NOBODY } } },
	{ "a class's own first",
	  "CLASSWEIGHT 1\nCLASSCFG[batch] PRIORITY=5",
	  MAUI_FACTOR_CLASS,
	  5,
	  { .class_fallback = 40 } },
	{ "then the partition's",
	  "CLASSWEIGHT 1\nCLASSCFG[DEFAULT] PRIORITY=5",
	  MAUI_FACTOR_CLASS,
	  40,
	  { .class_fallback = 40 } },
	{ "then DEFAULT",
	  "CLASSWEIGHT 1\nCLASSCFG[DEFAULT] PRIORITY=5",
	  MAUI_FACTOR_CLASS,
	  5,
	  { .class_fallback = 0 } },
	{ "the partition's is no other kind's",
	  "USERWEIGHT 1",
	  MAUI_FACTOR_USER,
	  0,
	  { .class_fallback = 40 } },
	/* FS: the values that policy/fairshare has computed */
	{ "fairshare as given",
	  "FSUSERWEIGHT 1",
	  MAUI_FACTOR_FSUSER,
	  -55,
	  { .fs_delta = { -55 } } },
	{ "fairshare, each credential its own",
	  "FSCLASSWEIGHT 1",
	  MAUI_FACTOR_FSCLASS,
	  5,
	  { .fs_delta = { 1, 2, 3, 4, 5 } } },
	{ "a cap cuts larger values",
	  "FSUSERWEIGHT 1\nFSUSERCAP 10",
	  MAUI_FACTOR_FSUSER,
	  10,
	  { .fs_delta = { 20 } } },
	{ "a cap does not cut smaller values",
	  "FSUSERWEIGHT 1\nFSUSERCAP 10",
	  MAUI_FACTOR_FSUSER,
	  -55,
	  { .fs_delta = { -55 } } },
	/* RES */
	{ "nodes as asked for", "NODEWEIGHT 1", MAUI_FACTOR_NODE, 0, { .procs = 8 } },
	{ "processor-seconds", "PSWEIGHT 1", MAUI_FACTOR_PS, 28800, { .procs = 8 } },
	{ "processors of the user", "UPROCWEIGHT -1", MAUI_FACTOR_UPROC, 12, { .user_procs = 12 } },
	{ "jobs of the user, capped",
	  "UJOBWEIGHT -1\nUJOBCAP 3",
	  MAUI_FACTOR_UJOB,
	  3,
	  { .user_jobs = 12 } },
	/* USAGE: active jobs only */
	{ "idle",
	  "USAGECONSUMEDWEIGHT 1",
	  MAUI_FACTOR_USAGECONSUMED,
	  0,
	  { .procs = 4, .elapsed_s = 60 } },
	{ "idle, nothing remains either",
	  "USAGEREMAININGWEIGHT 1",
	  MAUI_FACTOR_USAGEREMAINING,
	  0,
	  { .procs = 4 } },
	{ "consumed",
	  "USAGECONSUMEDWEIGHT 1",
	  MAUI_FACTOR_USAGECONSUMED,
	  240,
	  { .procs = 4, .elapsed_s = 60, .active = true } },
	{ "remaining",
	  "USAGEREMAININGWEIGHT 1",
	  MAUI_FACTOR_USAGEREMAINING,
	  14160,
	  { .procs = 4, .elapsed_s = 60, .active = true } },
	{ "over its limit",
	  "USAGEREMAININGWEIGHT 1",
	  MAUI_FACTOR_USAGEREMAINING,
	  0,
	  { .procs = 4, .elapsed_s = 4000, .active = true } },
	{ "percent",
	  "USAGEPERCENTWEIGHT 1",
	  MAUI_FACTOR_USAGEPERCENT,
	  25,
	  { .elapsed_s = 900, .active = true } },
	{ "percent over its limit",
	  "USAGEPERCENTWEIGHT 1",
	  MAUI_FACTOR_USAGEPERCENT,
	  100,
	  { .elapsed_s = 4000, .active = true } },
	{ "percent without a limit",
	  "USAGEPERCENTWEIGHT 1",
	  MAUI_FACTOR_USAGEPERCENT,
	  0,
	  { .elapsed_s = 4000, .active = true, .walltime_s = -1 } },
};

TEST_ROWS(priority, value, values, row)
{
	struct maui_priority got = compute(row->text, &row->job);

	cr_expect(near(got.factor[row->factor], row->expected), "%s: expected %.12g, got %.12g",
		  row->name, row->expected, got.factor[row->factor]);
}

/* ---- processor equivalents ---- */

struct pe {
	const char *name;
	struct maui_job job;
	struct maui_totals totals;
	double expected;
};

#define WHOLE                                                                            \
	{                                                                                \
		.procs = 100, .mem_mb = 1000, .swap_mb = 500, .disk_mb = 2000, .gres = 8 \
	}

static const struct pe pes[] = {
	{ "processors", { .procs = 30, .mem_mb = 100 }, WHOLE, 30 },
	{ "memory", { .procs = 30, .mem_mb = 500 }, WHOLE, 50 },
	{ "swap", { .procs = 30, .swap_mb = 300 }, WHOLE, 60 },
	{ "disk", { .procs = 30, .disk_mb = 1800 }, WHOLE, 90 },
	{ "GPUs", { .procs = 30, .gres = 6 }, WHOLE, 75 },
	{ "more than there is", { .procs = 30, .mem_mb = 2000 }, WHOLE, 200 },
	{ "unknown totals do not count",
	  { .procs = 30, .swap_mb = 300, .disk_mb = 1e6 },
	  { .procs = 100, .mem_mb = 1000 },
	  30 },
	{ "no processors known", { .procs = 30, .mem_mb = 500 }, { .mem_mb = 1000 }, 0 },
	{ "asks for nothing", { .procs = 0 }, WHOLE, 0 },
	/* the manual's: 25 % of the processors and 50 % of the memory of 128 processors */
	{ "seed", { .procs = 32, .mem_mb = 512 }, { .procs = 128, .mem_mb = 1024 }, 64 },
};

TEST_ROWS(priority, pe, pes, row)
{
	double got = maui_priority_pe(&row->job, &row->totals);

	cr_expect(near(got, row->expected), "%s: expected %g, got %g", row->name, row->expected,
		  got);
}

/* src/policy/priority.c goes through the factors of one component after another. */
Test(priority_factors, are_grouped_by_component)
{
	bool ended[MAUI_COMP_COUNT] = { false };

	for (int f = 1; f < MAUI_FACTOR_COUNT; f++) {
		enum maui_component before = maui_factor_component((enum maui_factor)(f - 1));
		enum maui_component own = maui_factor_component((enum maui_factor)f);

		ended[before] |= own != before;
		cr_expect(!ended[own], "%s of %s stands behind factors of %s in src/model/factor.h",
			  maui_factor_name((enum maui_factor)f), maui_component_name(own),
			  maui_component_name(before));
	}
}
