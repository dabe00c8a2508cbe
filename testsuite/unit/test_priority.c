/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_priority.c - rules of a job's priority, one row each (Maui manual 5.1.2; semantics c, k)
 *
 * The golden cases compute whole jobs; here stand the rules that they leave open, and edges.
 */
#include "policy/priority.h"

#include <math.h>
#include <stdio.h>

#include "base/limits.h"
#include "parsed.h"
#include "rows.h"

static const struct maui_totals totals = { 100, 1000, 500, 2000 };

/* Everybody's credentials; a row adds what it is about. */
static struct maui_job base_job(const struct maui_job *row)
{
	static const char *const names[MAUI_CRED_COUNT] = { "amy", "phys", "acc", "hi", "batch" };
	struct maui_job job = *row;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (!job.cred[k])
			job.cred[k] = names[k];
		else if (strcmp(job.cred[k], "-") == 0)
			job.cred[k] = NULL;
	if (job.walltime_s == 0)
		job.walltime_s = 3600;
	return job;
}

static struct maui_priority compute(const char *text, const struct maui_job *row)
{
	struct maui_config *config = PARSE_GOOD(text);
	struct maui_job job = base_job(row);
	struct maui_priority_creds creds;
	struct maui_priority got;

	maui_priority_resolve(config, job.cred, &creds);
	maui_priority_compute(config, &totals, &creds, &job, &got);
	maui_config_unref(config);
	return got;
}

static bool near(double got, double expected)
{
	return fabs(got - expected) <= 1e-9 * fabs(expected) + 1e-12;
}

/* ---- raw values ---- */

struct value {
	const char *name, *text;
	enum maui_factor factor;
	double expected; /* the factor after its cap */
	struct maui_job job;
};

#define NOBODY { "-", "-", "-", "-", "-" }

static const struct value values[] = {
	/* SERV */
	{ "queue time in fractional minutes", "", MAUI_FACTOR_QUEUETIME, 1.5,
	  { .queue_time_s = 90 } },
	{ "expansion factor", "XFACTORWEIGHT 1", MAUI_FACTOR_XFACTOR, 2.5,
	  { .queue_time_s = 5400 } },
	{ "expansion factor of a short job", "XFACTORWEIGHT 1\nXFMINWCLIMIT 10:00",
	  MAUI_FACTOR_XFACTOR, 1.5, { .queue_time_s = 300, .walltime_s = 60 } },
	{ "expansion factor, limit above the minimum", "XFACTORWEIGHT 1\nXFMINWCLIMIT 10:00",
	  MAUI_FACTOR_XFACTOR, 1.25, { .queue_time_s = 300, .walltime_s = 1200 } },
	{ "expansion factor without any limit", "XFACTORWEIGHT 1", MAUI_FACTOR_XFACTOR, 1,
	  { .queue_time_s = 300, .walltime_s = -1 } },
	{ "bypass", "BYPASSWEIGHT 2", MAUI_FACTOR_BYPASS, 7, { .bypass = 7 } },
	{ "violation of a soft limit", "SPVIOLATIONWEIGHT -5", MAUI_FACTOR_SPVIOLATION, 1,
	  { .soft_violation = true } },
	{ "no violation", "SPVIOLATIONWEIGHT -5", MAUI_FACTOR_SPVIOLATION, 0, { .bypass = 1 } },
	/* TARG: seconds, from the queue time, not capped by XFACTORCAP, saturated at 1e8 */
	{ "target in 10 s", "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME, 0.01, { .queue_time_s = 590 } },
	{ "target in 1 s", "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=10:00",
	  MAUI_FACTOR_TARGETQUEUETIME, 1, { .queue_time_s = 599 } },
	{ "target in 0.1 s", "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME, 100, { .queue_time_s = 599.9 } },
	{ "target now", "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME, 1e8, { .queue_time_s = 600 } },
	{ "target long missed", "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[hi] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME, 1e8, { .queue_time_s = 1e6 } },
	{ "no target", "TARGETQUEUETIMEWEIGHT 1", MAUI_FACTOR_TARGETQUEUETIME, 0,
	  { .queue_time_s = 600 } },
	{ "no QOS", "TARGETQUEUETIMEWEIGHT 1\nQOSCFG[DEFAULT] QTTARGET=600",
	  MAUI_FACTOR_TARGETQUEUETIME, 0, { .queue_time_s = 600, .cred = NOBODY } },
	{ "target of XFACTOR before its cap",
	  "TARGETXFACTORWEIGHT 1\nXFACTORWEIGHT 1\nXFACTORCAP 1\nQOSCFG[hi] XFTARGET=3",
	  MAUI_FACTOR_TARGETXFACTOR, 4, { .queue_time_s = 5400 } },
	/* CRED */
	{ "own", "USERWEIGHT 1\nUSERCFG[amy] PRIORITY=-7\nUSERCFG[DEFAULT] PRIORITY=3",
	  MAUI_FACTOR_USER, -7, { .nodes = 0 } },
	{ "DEFAULT", "USERWEIGHT 1\nUSERCFG[DEFAULT] PRIORITY=3", MAUI_FACTOR_USER, 3,
	  { .nodes = 0 } },
	{ "an explicit 0 masks no DEFAULT",
	  "GROUPWEIGHT 1\nGROUPCFG[phys] PRIORITY=0\nGROUPCFG[DEFAULT] PRIORITY=3",
	  MAUI_FACTOR_GROUP, 3, { .nodes = 0 } },
	{ "QOS has no DEFAULT", "QOSWEIGHT 1\nQOSCFG[DEFAULT] PRIORITY=3", MAUI_FACTOR_QOS, 0,
	  { .nodes = 0 } },
	{ "no credential, no DEFAULT", "ACCOUNTWEIGHT 1\nACCOUNTCFG[DEFAULT] PRIORITY=3",
	  MAUI_FACTOR_ACCOUNT, 0, { .cred = NOBODY } },
	{ "a class's own first", "CLASSWEIGHT 1\nCLASSCFG[batch] PRIORITY=5", MAUI_FACTOR_CLASS, 5,
	  { .class_fallback = 40 } },
	{ "then the partition's", "CLASSWEIGHT 1\nCLASSCFG[DEFAULT] PRIORITY=5", MAUI_FACTOR_CLASS,
	  40, { .class_fallback = 40 } },
	{ "then DEFAULT", "CLASSWEIGHT 1\nCLASSCFG[DEFAULT] PRIORITY=5", MAUI_FACTOR_CLASS, 5,
	  { .class_fallback = 0 } },
	{ "the partition's is no other kind's", "USERWEIGHT 1", MAUI_FACTOR_USER, 0,
	  { .class_fallback = 40 } },
	/* FS: what a policy of its own has found */
	{ "fairshare as given", "FSUSERWEIGHT 1", MAUI_FACTOR_FSUSER, -55, { .fs_delta = { -55 } } },
	{ "fairshare, each credential its own", "FSCLASSWEIGHT 1", MAUI_FACTOR_FSCLASS, 5,
	  { .fs_delta = { 1, 2, 3, 4, 5 } } },
	{ "a cap cuts what is above", "FSUSERWEIGHT 1\nFSUSERCAP 10", MAUI_FACTOR_FSUSER, 10,
	  { .fs_delta = { 20 } } },
	{ "and not what is below", "FSUSERWEIGHT 1\nFSUSERCAP 10", MAUI_FACTOR_FSUSER, -55,
	  { .fs_delta = { -55 } } },
	/* RES */
	{ "nodes as asked for", "NODEWEIGHT 1", MAUI_FACTOR_NODE, 0, { .procs = 8 } },
	{ "processor-seconds", "PSWEIGHT 1", MAUI_FACTOR_PS, 28800, { .procs = 8 } },
	{ "processors of the user", "UPROCWEIGHT -1", MAUI_FACTOR_UPROC, 12, { .user_procs = 12 } },
	{ "jobs of the user, capped", "UJOBWEIGHT -1\nUJOBCAP 3", MAUI_FACTOR_UJOB, 3,
	  { .user_jobs = 12 } },
	/* USAGE: active jobs only */
	{ "idle", "USAGECONSUMEDWEIGHT 1", MAUI_FACTOR_USAGECONSUMED, 0,
	  { .procs = 4, .elapsed_s = 60 } },
	{ "idle, nothing remains either", "USAGEREMAININGWEIGHT 1", MAUI_FACTOR_USAGEREMAINING, 0,
	  { .procs = 4 } },
	{ "consumed", "USAGECONSUMEDWEIGHT 1", MAUI_FACTOR_USAGECONSUMED, 240,
	  { .procs = 4, .elapsed_s = 60, .active = true } },
	{ "remaining", "USAGEREMAININGWEIGHT 1", MAUI_FACTOR_USAGEREMAINING, 14160,
	  { .procs = 4, .elapsed_s = 60, .active = true } },
	{ "over its limit", "USAGEREMAININGWEIGHT 1", MAUI_FACTOR_USAGEREMAINING, 0,
	  { .procs = 4, .elapsed_s = 4000, .active = true } },
	{ "percent", "USAGEPERCENTWEIGHT 1", MAUI_FACTOR_USAGEPERCENT, 25,
	  { .elapsed_s = 900, .active = true } },
	{ "percent over its limit", "USAGEPERCENTWEIGHT 1", MAUI_FACTOR_USAGEPERCENT, 100,
	  { .elapsed_s = 4000, .active = true } },
	{ "percent without a limit", "USAGEPERCENTWEIGHT 1", MAUI_FACTOR_USAGEPERCENT, 0,
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

static const struct pe pes[] = {
	{ "processors", { .procs = 30, .mem_mb = 100 }, { 100, 1000, 500, 2000 }, 30 },
	{ "memory", { .procs = 30, .mem_mb = 500 }, { 100, 1000, 500, 2000 }, 50 },
	{ "swap", { .procs = 30, .swap_mb = 300 }, { 100, 1000, 500, 2000 }, 60 },
	{ "disk", { .procs = 30, .disk_mb = 1800 }, { 100, 1000, 500, 2000 }, 90 },
	{ "more than there is", { .procs = 30, .mem_mb = 2000 }, { 100, 1000, 500, 2000 }, 200 },
	{ "unknown totals do not count", { .procs = 30, .swap_mb = 300, .disk_mb = 1e6 },
	  { 100, 1000, 0, 0 }, 30 },
	{ "no processors known", { .procs = 30, .mem_mb = 500 }, { 0, 1000, 0, 0 }, 0 },
	{ "asks for nothing", { .procs = 0 }, { 100, 1000, 500, 2000 }, 0 },
	/* the manual's: 25 % of the processors and 50 % of the memory of 128 processors */
	{ "seed", { .procs = 32, .mem_mb = 512 }, { 128, 1024, 0, 0 }, 64 },
};

TEST_ROWS(priority, pe, pes, row)
{
	double got = maui_priority_pe(&row->job, &row->totals);

	cr_expect(near(got, row->expected), "%s: expected %g, got %g", row->name, row->expected,
		  got);
}

/* ---- weights in force ---- */

struct weight {
	const char *name, *text;
	enum maui_factor factor;
	double expected;
	struct maui_job job;
};

static const struct weight weights[] = {
	{ "QTWEIGHT is added", "QUEUETIMEWEIGHT 2\nQOSCFG[hi] QTWEIGHT=5", MAUI_FACTOR_QUEUETIME, 7,
	  { .nodes = 0 } },
	{ "XFWEIGHT is added to nothing", "QOSCFG[hi] XFWEIGHT=5", MAUI_FACTOR_XFACTOR, 5,
	  { .nodes = 0 } },
	{ "negative QTWEIGHT", "QUEUETIMEWEIGHT 2\nQOSCFG[hi] QTWEIGHT=-2", MAUI_FACTOR_QUEUETIME, 0,
	  { .nodes = 0 } },
	{ "of another QOS", "QUEUETIMEWEIGHT 2\nQOSCFG[lo] QTWEIGHT=5", MAUI_FACTOR_QUEUETIME, 2,
	  { .nodes = 0 } },
	{ "no QOS at all", "QOSCFG[DEFAULT] QTWEIGHT=5", MAUI_FACTOR_QUEUETIME, 1,
	  { .cred = NOBODY } },
	{ "a group's CLASSWEIGHT", "CLASSWEIGHT 2\nGROUPCFG[phys] CLASSWEIGHT=7", MAUI_FACTOR_CLASS, 7,
	  { .nodes = 0 } },
	{ "0 replaces nothing", "CLASSWEIGHT 2\nGROUPCFG[phys] CLASSWEIGHT=0", MAUI_FACTOR_CLASS, 2,
	  { .nodes = 0 } },
	{ "nor does a negative one", "CLASSWEIGHT 2\nGROUPCFG[phys] CLASSWEIGHT=-3",
	  MAUI_FACTOR_CLASS, 2, { .nodes = 0 } },
	{ "another group's", "CLASSWEIGHT 2\nGROUPCFG[chem] CLASSWEIGHT=7", MAUI_FACTOR_CLASS, 2,
	  { .nodes = 0 } },
	{ "the partition's", "PROCWEIGHT 2\nPROCWEIGHT[batch] 3", MAUI_FACTOR_PROC, 3,
	  { .nodes = 0 } },
	{ "another partition's", "PROCWEIGHT 2\nPROCWEIGHT[debug] 3", MAUI_FACTOR_PROC, 2,
	  { .nodes = 0 } },
	{ "no partition", "PROCWEIGHT 2\nPROCWEIGHT[batch] 3", MAUI_FACTOR_PROC, 2,
	  { .cred = NOBODY } },
};

TEST_ROWS(priority, weight, weights, row)
{
	struct maui_priority got = compute(row->text, &row->job);

	cr_expect(near(got.weight[row->factor], row->expected), "%s: expected %g, got %g",
		  row->name, row->expected, got.weight[row->factor]);
}

/* ---- caps and component weights, in their order ---- */

struct sum {
	const char *name, *text;
	double component; /* RES of a job of 10 processors and 3600 s */
};

static const struct sum sums[] = {
	{ "weighted", "PROCWEIGHT 2\nWALLTIMEWEIGHT 1", 3620 },
	{ "cap before weight", "PROCWEIGHT 2\nPROCCAP 4", 8 },
	{ "cap above the value", "PROCWEIGHT 2\nPROCCAP 11", 20 },
	{ "cap 0 is none", "PROCWEIGHT 2\nPROCCAP 0", 20 },
	{ "negative cap is none", "PROCWEIGHT 2\nPROCCAP -4", 20 },
	{ "negative weight", "PROCWEIGHT -2\nPROCCAP 4", -8 },
	{ "component cap", "PROCWEIGHT 2\nWALLTIMEWEIGHT 1\nRESCAP 100", 100 },
	{ "component cap before component weight", "PROCWEIGHT 2\nRESCAP 15\nRESWEIGHT 3", 45 },
	{ "negative component cap is none", "PROCWEIGHT 2\nRESCAP -15", 20 },
	{ "a cap is no floor", "PROCWEIGHT -2\nRESCAP 15", -20 },
	{ "negative component weight", "PROCWEIGHT 2\nRESCAP 15\nRESWEIGHT -1", -15 },
	{ "component weight 0", "PROCWEIGHT 2\nRESWEIGHT 0", 0 },
};

TEST_ROWS(priority, component, sums, row)
{
	static const struct maui_job job = { .procs = 10 };
	struct maui_priority got = compute(row->text, &job);

	cr_expect(near(got.component[MAUI_COMP_RES], row->component), "%s: expected %g, got %g",
		  row->name, row->component, got.component[MAUI_COMP_RES]);
	cr_expect(near(got.raw, row->component), "%s: raw %g", row->name, got.raw);
}

/* What has no weight is shown as 0, whatever it would be. */
Test(priority, without_weight)
{
	static const struct maui_job job = { .procs = 10, .nodes = 3, .bypass = 4,
					     .queue_time_s = 60, .user_jobs = 2 };
	struct maui_priority got = compute("PROCWEIGHT 2", &job);

	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		cr_expect((got.factor[f] != 0) ==
				  (f == MAUI_FACTOR_PROC || f == MAUI_FACTOR_QUEUETIME),
			  "%s: %g", maui_factor_name((enum maui_factor)f), got.factor[f]);
}

/* ---- clip, ceiling, system priority: c.6 in its order, k.2 ---- */

enum { ENABLE = 1, REJECT = 2 };

struct clip {
	double raw;
	int flags;
	int32_t system, relative;
	double value;
	bool rejected;
};

static const struct clip clips[] = {
	{ 5, 0, 0, 0, 5, false },
	{ 0.5, 0, 0, 0, 1, false },
	{ 0, 0, 0, 0, 1, false },
	{ -5, 0, 0, 0, 1, false },
	{ -5, ENABLE, 0, 0, -5, false },
	{ 0.5, ENABLE, 0, 0, 0.5, false },
	{ 0, ENABLE, 0, 0, 0, false },
	{ -5, REJECT, 0, 0, -5, true },
	{ 0.5, REJECT, 0, 0, 0.5, false },
	{ 0, REJECT, 0, 0, 0, false },
	{ -5, ENABLE | REJECT, 0, 0, -5, true },
	{ 5, REJECT, 0, 0, 5, false },
	{ 1e9, 0, 0, 0, 1e9, false },
	{ 2e9, 0, 0, 0, 1e9, false },
	{ -2e9, ENABLE, 0, 0, -2e9, false },
	{ 5, 0, 1, 0, 1e9 + 1, false },
	{ 2e9, 0, 1000, 0, 1e9 + 1000, false },
	{ -5, 0, 7, 0, 1e9 + 7, false },
	{ 5, 0, 0, 3, 8, false },
	{ 5, 0, 0, -3, 2, false },
	{ -5, 0, 0, 3, 4, false },        /* after the clip to 1 */
	{ -5, 0, 0, -3, -2, false },      /* and not clipped again */
	{ 2e9, 0, 0, 3, 1e9 + 3, false }, /* after the ceiling */
	{ -5, ENABLE, 0, 3, -2, false },
};

TEST_ROWS(priority, clip, clips, row)
{
	struct maui_job job = { .procs = 1, .system_priority = row->system,
				.system_priority_relative = row->relative };
	struct maui_priority got;
	char text[256];

	snprintf(text, sizeof(text), "QUEUETIMEWEIGHT 0\nPROCWEIGHT %f\n%s%s", row->raw,
		 row->flags & ENABLE ? "ENABLENEGJOBPRIORITY TRUE\n" : "",
		 row->flags & REJECT ? "REJECTNEGPRIOJOBS TRUE\n" : "");
	got = compute(text, &job);
	cr_expect(near(got.raw, row->raw), "raw %g", got.raw);
	cr_expect(near(got.value, row->value) && got.rejected == row->rejected,
		  "raw %g flags %d system %d relative %d: expected %.10g %d, got %.10g %d", row->raw,
		  row->flags, row->system, row->relative, row->value, row->rejected, got.value,
		  got.rejected);
}

/* ---- what holds for every job ---- */

static uint64_t seed = 4711;

static double pick(double below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 40) / (double)(1 << 24) * below;
}

static void random_job(struct maui_job *job)
{
	*job = base_job(&(struct maui_job){
		.nodes = pick(10), .procs = pick(100), .mem_mb = pick(1000), .swap_mb = pick(500),
		.disk_mb = pick(2000), .walltime_s = 1 + pick(1e5), .queue_time_s = pick(1e6),
		.bypass = pick(5), .elapsed_s = pick(1e5), .user_procs = pick(50),
		.user_jobs = pick(9), .active = pick(2) > 1, .soft_violation = pick(2) > 1 });
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		job->fs_delta[k] = pick(100) - 50;
}

static void expect_sums(const struct maui_priority_config *w, const struct maui_priority *got)
{
	double raw = 0;

	for (int c = 0; c < MAUI_COMP_COUNT; c++) {
		double sum = 0;

		for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
			cr_assert(w->cap[f] <= 0 || got->factor[f] <= w->cap[f]);
			if ((int)maui_factor_component((enum maui_factor)f) == c)
				sum += got->weight[f] * got->factor[f];
		}
		if (w->component_cap[c] > 0)
			sum = fmin(sum, w->component_cap[c]);
		cr_assert(near(got->component[c], sum * w->component_weight[c]), "component %d", c);
		raw += got->component[c];
	}
	cr_assert(near(got->raw, raw));
}

/* The parts shown add up to the whole, and the same job gives the same bytes. */
Test(priority, adds_up)
{
	struct maui_config *config = PARSE_GOOD(
		"ENABLENEGJOBPRIORITY ON\nFSPOLICY DEDICATEDPS\nUSERCFG[amy] PRIORITY=-4 FSTARGET=30\n"
		"GROUPCFG[phys] PRIORITY=9 FSTARGET=9-\nQOSCFG[hi] QTTARGET=9000 XFTARGET=4 QTWEIGHT=1\n");

	for (int round = 0; round < 2000; round++) {
		struct maui_priority_creds creds;
		struct maui_priority got, again;
		struct maui_job job;

		for (int f = 0; f < MAUI_FACTOR_COUNT; f++) {
			config->priority.weight[f] = pick(2) > 1 ? pick(40) - 20 : 0;
			config->priority.cap[f] = pick(2) > 1 ? pick(200) - 20 : 0;
		}
		for (int c = 0; c < MAUI_COMP_COUNT; c++) {
			config->priority.component_weight[c] = pick(6) - 3;
			config->priority.component_cap[c] = pick(2) > 1 ? pick(2000) : 0;
		}
		random_job(&job);
		maui_priority_resolve(config, job.cred, &creds);
		memset(&got, 0x55, sizeof(got));
		memset(&again, 0x55, sizeof(again));
		maui_priority_compute(config, &totals, &creds, &job, &got);
		maui_priority_compute(config, &totals, &creds, &job, &again);
		expect_sums(&config->priority, &got);
		cr_assert(memcmp(&got, &again, sizeof(got)) == 0, "round %d", round);
	}
	maui_config_unref(config);
}
