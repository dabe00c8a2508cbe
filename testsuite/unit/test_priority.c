/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_priority.c - weights, caps, clip and their order (Maui manual 5.1.2)
 *
 * Rules: PRIO-1, PRIO-9, PRIO-12, PRIO-13.
 */
#include "policy/priority.h"

#include <stdio.h>

#include "computed.h"
#include "rows.h"

/* ---- weights in force ---- */

struct weight {
	const char *name, *text;
	enum maui_factor factor;
	double expected;
	struct maui_job job;
};

static const struct weight weights[] = {
	{ "QTWEIGHT is added",
	  "QUEUETIMEWEIGHT 2\nQOSCFG[hi] QTWEIGHT=5",
	  MAUI_FACTOR_QUEUETIME,
	  7,
	  { .nodes = 0 } },
	{ "XFWEIGHT is added to nothing",
	  "QOSCFG[hi] XFWEIGHT=5",
	  MAUI_FACTOR_XFACTOR,
	  5,
	  { .nodes = 0 } },
	{ "negative QTWEIGHT",
	  "QUEUETIMEWEIGHT 2\nQOSCFG[hi] QTWEIGHT=-2",
	  MAUI_FACTOR_QUEUETIME,
	  0,
	  { .nodes = 0 } },
	{ "the weights of another QOS do not count",
	  "QUEUETIMEWEIGHT 2\nQOSCFG[lo] QTWEIGHT=5",
	  MAUI_FACTOR_QUEUETIME,
	  2,
	  { .nodes = 0 } },
	{ "no QOS at all",
	  "QOSCFG[DEFAULT] QTWEIGHT=5",
	  MAUI_FACTOR_QUEUETIME,
	  1,
	  { .cred = { NOBODY } } },
	{ "a group's CLASSWEIGHT",
	  "CLASSWEIGHT 2\nGROUPCFG[phys] CLASSWEIGHT=7",
	  MAUI_FACTOR_CLASS,
	  7,
	  { .nodes = 0 } },
	{ "0 replaces nothing",
	  "CLASSWEIGHT 2\nGROUPCFG[phys] CLASSWEIGHT=0",
	  MAUI_FACTOR_CLASS,
	  2,
	  { .nodes = 0 } },
	{ "a negative CLASSWEIGHT of the group does not count",
	  "CLASSWEIGHT 2\nGROUPCFG[phys] CLASSWEIGHT=-3",
	  MAUI_FACTOR_CLASS,
	  2,
	  { .nodes = 0 } },
	{ "the CLASSWEIGHT of another group does not count",
	  "CLASSWEIGHT 2\nGROUPCFG[chem] CLASSWEIGHT=7",
	  MAUI_FACTOR_CLASS,
	  2,
	  { .nodes = 0 } },
	{ "the partition's",
	  "PROCWEIGHT 2\nPROCWEIGHT[batch] 3",
	  MAUI_FACTOR_PROC,
	  3,
	  { .nodes = 0 } },
	{ "the weights of another partition do not count",
	  "PROCWEIGHT 2\nPROCWEIGHT[debug] 3",
	  MAUI_FACTOR_PROC,
	  2,
	  { .nodes = 0 } },
	{ "no partition",
	  "PROCWEIGHT 2\nPROCWEIGHT[batch] 3",
	  MAUI_FACTOR_PROC,
	  2,
	  { .cred = { NOBODY } } },
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

/* A factor without a weight is shown as 0. */
Test(priority, without_weight)
{
	static const struct maui_job job = {
		.procs = 10, .nodes = 3, .bypass = 4, .queue_time_s = 60, .user_jobs = 2
	};
	struct maui_priority got = compute("PROCWEIGHT 2", &job);

	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		cr_expect((got.factor[f] != 0) ==
				  (f == MAUI_FACTOR_PROC || f == MAUI_FACTOR_QUEUETIME),
			  "%s: %g", maui_factor_name((enum maui_factor)f), got.factor[f]);
}

/* ---- clip, ceiling, system priority: PRIO-12, PRIO-13 ---- */

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
	struct maui_job job = { .procs = 1,
				.system_priority = row->system,
				.system_priority_relative = row->relative };
	struct maui_priority got;
	char text[256];

	snprintf(text, sizeof(text), "QUEUETIMEWEIGHT 0\nPROCWEIGHT %f\n%s%s", row->raw,
		 row->flags & ENABLE ? "ENABLENEGJOBPRIORITY TRUE\n" : "",
		 row->flags & REJECT ? "REJECTNEGPRIOJOBS TRUE\n" : "");
	got = compute(text, &job);
	cr_expect(near(got.raw, row->raw), "raw %g", got.raw);
	cr_expect(near(got.value, row->value) && got.rejected == row->rejected,
		  "raw %g flags %d system %d relative %d: expected %.10g %d, got %.10g %d",
		  row->raw, row->flags, row->system, row->relative, row->value, row->rejected,
		  got.value, got.rejected);
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
	*job = base_job(&(struct maui_job){ .nodes = pick(10),
					    .procs = pick(100),
					    .mem_mb = pick(1000),
					    .swap_mb = pick(500),
					    .disk_mb = pick(2000),
					    .walltime_s = 1 + pick(1e5),
					    .queue_time_s = pick(1e6),
					    .bypass = pick(5),
					    .elapsed_s = pick(1e5),
					    .user_procs = pick(50),
					    .user_jobs = pick(9),
					    .active = pick(2) > 1,
					    .soft_violation = pick(2) > 1 });
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

static void clear_weights(struct maui_priority_config *w, int component)
{
	for (int f = 0; f < MAUI_FACTOR_COUNT; f++)
		if ((int)maui_factor_component((enum maui_factor)f) == component)
			w->weight[f] = 0;
}

/* Without the parts it is the same, to the last bit. */
static void expect_value(const struct maui_config *config, const struct maui_priority_creds *creds,
			 const struct maui_job *job, const struct maui_priority *got)
{
	struct maui_priority_weights in_force;
	bool rejected;
	double value;

	memset(&in_force, 0x55, sizeof(in_force));
	maui_priority_prepare(creds, &in_force);
	value = maui_priority_value(config, &totals, creds, &in_force, job, &rejected);
	cr_assert(memcmp(&value, &got->value, sizeof(value)) == 0 && rejected == got->rejected,
		  "%.17g, not %.17g", value, got->value);
}

/* The parts shown add up to the whole, and the same job gives the same bytes. */
Test(priority, adds_up)
{
	struct maui_config *config = PARSE_GOOD("ENABLENEGJOBPRIORITY ON\nFSPOLICY DEDICATEDPS\n"
						"USERCFG[amy] PRIORITY=-4 FSTARGET=30\n"
						"GROUPCFG[phys] PRIORITY=9 FSTARGET=9-\n"
						"QOSCFG[hi] QTTARGET=9000 XFTARGET=4 QTWEIGHT=1\n");

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
			if (pick(3) < 1)
				clear_weights(&config->priority, c);
		}
		config->priority.reject_negative = pick(2) > 1;
		config->priority.enable_negative = pick(2) > 1;
		random_job(&job);
		maui_priority_resolve(config, job.cred, &creds);
		memset(&got, 0x55, sizeof(got));
		memset(&again, 0x55, sizeof(again));
		maui_priority_compute(config, &totals, &creds, &job, &got);
		maui_priority_compute(config, &totals, &creds, &job, &again);
		expect_sums(&config->priority, &got);
		expect_value(config, &creds, &job, &got);
		cr_assert(memcmp(&got, &again, sizeof(got)) == 0, "round %d", round);
	}
	maui_config_unref(config);
}
