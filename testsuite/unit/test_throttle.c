/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_throttle.c - counters, sets and checks of throttling; the rules' golden cases are in
 * testsuite/golden
 *
 * Rules: THR-5, THR-6, THR-8, THR-9, THR-12.
 */
#include "policy/throttle/throttle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/violation_text.h"
#include "parsed.h"
#include "rows.h"

#define NOW INT64_C(1729916252)

static struct maui_throttle *throttle_of(const char *text)
{
	struct maui_config *config = PARSE_GOOD(text);
	struct maui_throttle *throttle = maui_throttle_create(config);

	cr_assert(throttle, "no memory");
	maui_config_unref(config); /* the throttle's reference must do */
	return throttle;
}

/* A set of "user group account qos class", "-" for none. */
static const struct maui_throttle_set *set_of(struct maui_throttle *t, const char *names)
{
	const char *cred[MAUI_CRED_COUNT] = { NULL };
	const struct maui_throttle_set *set;
	char copy[256], *rest = copy;

	snprintf(copy, sizeof(copy), "%s", names);
	for (int k = 0; k < MAUI_CRED_COUNT && rest; k++) {
		cred[k] = strsep(&rest, " ");
		if (strcmp(cred[k], "-") == 0)
			cred[k] = NULL;
	}
	set = maui_throttle_resolve(t, cred);
	cr_assert(set, "no memory");
	return set;
}

static struct maui_demand demand_of(double procs, double walltime_s)
{
	struct maui_job job = {
		.procs = procs, .nodes = 1, .walltime_s = walltime_s, .mem_mb = 100 * procs
	};
	struct maui_demand demand;

	maui_demand_make(&job, procs, &demand);
	return demand;
}

static void add(struct maui_throttle *t, const char *names, double procs, double walltime_s)
{
	struct maui_demand demand = demand_of(procs, walltime_s);

	cr_assert(maui_throttle_add(t, set_of(t, names), &demand, NOW + (int64_t)walltime_s) == 0);
}

/* ---- sets ---- */

Test(throttle, same_credentials_same_set)
{
	struct maui_throttle *t = throttle_of("USERCFG[amy] MAXJOB=3\n");
	const char *const empty[] = { "amy", "", "", "", "" };
	const struct maui_throttle_set *set = set_of(t, "amy - - - -");

	cr_expect(set_of(t, "amy - - - -") == set);
	cr_expect(maui_throttle_resolve(t, empty) == set, "an empty name is none");
	cr_expect(set_of(t, "bob - - - -") != set);
	cr_expect(set_of(t, "- amy - - -") != set, "a group is no user");
	cr_expect(set_of(t, "amy amy - - -") != set);
	cr_expect(set_of(t, "Amy - - - -") != set, "names keep their case");
	maui_throttle_destroy(t);
	maui_throttle_destroy(NULL);
}

struct bound {
	const char *name, *text, *names;
	size_t limits;
};

static const struct bound bounds[] = {
	{ "nothing", "USERCFG[bob] MAXJOB=3\n", "amy - - - -", 0 },
	{ "a limit", "USERCFG[amy] MAXJOB=3\n", "amy - - - -", 1 },
	{ "active and idle", "USERCFG[amy] MAXJOB=3 MAXIJOB=4\n", "amy - - - -", 2 },
	{ "unlimited is none", "USERCFG[amy] MAXJOB=-1\n", "amy - - - -", 0 },
	{ "a soft limit without a hard one counts", "USERCFG[amy] MAXJOB=3,-1\n", "amy - - - -",
	  1 },
	{ "default", "USERCFG[DEFAULT] MAXJOB=3\n", "amy - - - -", 1 },
	{ "a DEFAULT for accounts does not limit a job without an account",
	  "ACCOUNTCFG[DEFAULT] MAXJOB=3\n", "amy - - - -", 0 },
	{ "lifted", "USERCFG[amy] MAXJOB=3\nQOSCFG[q] FLAGS=IGNALL\n", "amy - - q -", 0 },
	{ "overridden away", "USERCFG[amy] MAXJOB=3\nQOSCFG[q] OMAXJOB=-1\n", "amy - - q -", 0 },
	{ "override of nothing", "QOSCFG[q] OMAXJOB=1\n", "amy - - q -", 0 },
	{ "pair", "CLASSCFG[c] MAXJOB[USER]=1\n", "amy - - - c", 1 },
	{ "a pair limit for another user does not limit the job",
	  "CLASSCFG[c] MAXJOB[USER:bob]=1\n", "amy - - - c", 0 },
	{ "system", "SYSCFG MAXJOB=1 MAXJOB[USER]=1\nSYSTEMMAXPROCPERJOB 1\n", "- - - - -", 2 },
	{ "system pair", "SYSCFG MAXJOB=1 MAXJOB[USER]=1\n", "amy - - - -", 2 },
	{ "minimum", "USERCFG[amy] MINPROC=1\n", "amy - - - -", 1 },
	{ "endless", "SYSTEMMAXJOBWALLTIME INFINITY\nUSERCFG[amy] MAXWC=INFINITY\n", "amy - - - -",
	  0 },
};

TEST_ROWS(throttle, limit_count, bounds, row)
{
	struct maui_throttle *t = throttle_of(row->text);
	size_t got = maui_throttle_limit_count(set_of(t, row->names));

	cr_expect(got == row->limits, "%s: %zu limits", row->name, got);
	maui_throttle_destroy(t);
}

/* Every limit that exists, for one set: no violation is written beyond the end of the list. */
Test(throttle, all_limits_at_once)
{
	static const char *const families[] = { "USERCFG[n]", "GROUPCFG[n]", "ACCOUNTCFG[n]",
						"QOSCFG[n]",  "CLASSCFG[n]", "SYSCFG" };
	static const char *const seconds[] = { "",          "[USER]", "[GROUP]",
					       "[ACCOUNT]", "[QOS]",  "[CLASS]" };
	char *text = NULL;
	size_t size = 0, expected = 0;
	FILE *out = open_memstream(&text, &size);
	struct maui_throttle *t;

	for (int f = 0; f < 6; f++)
		for (int kind = 0; kind <= MAUI_LIMIT_IDLE; kind++)
			for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
				for (int s = 0; s < 6; s++, expected++)
					fprintf(out, "%s %s%s=5\n", families[f],
						maui_limit_name((enum maui_limit_kind)kind,
								(enum maui_resource)r),
						seconds[s]);
	fputs("SYSTEMMAXPROCPERJOB 1\nSYSTEMMAXPROCSECONDPERJOB 1\nSYSTEMMAXJOBWALLTIME 1\n"
	      "CLASSCFG[n] MAXPROCPERJOB=1 MAXNODEPERJOB=1 MAX.WCLIMIT=1\n"
	      "USERCFG[n] MINPROC=9\nGROUPCFG[n] MINPROC=9\nACCOUNTCFG[n] MINPROC=9\n"
	      "QOSCFG[n] MINPROC=9 OMAXJMEM=1 OMAXJPE=1 OMAXJPS=1\nCLASSCFG[n] MINPROC=9\n",
	      out);
	expected += 3 + 3 + 3 + 5;
	fclose(out);
	t = throttle_of(text);
	cr_expect(maui_throttle_limit_count(set_of(t, "n n n n n")) == expected, "%zu, not %zu",
		  maui_throttle_limit_count(set_of(t, "n n n n n")), expected);
	maui_throttle_destroy(t);
	free(text);
}

Test(throttle, many_credentials)
{
	struct maui_throttle *t = throttle_of("USERCFG[DEFAULT] MAXJOB=2\n"
					      "CLASSCFG[c] MAXJOB[USER]=1\n");
	struct maui_demand demand = demand_of(1, 60);
	char names[64];

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < 10000; i++) {
			snprintf(names, sizeof(names), "u%d - - - %s", i, pass ? "c" : "d");
			cr_assert(maui_throttle_add(t, set_of(t, names), &demand, NOW + 60) == 0);
		}
	for (int i = 0; i < 10000; i += 7) {
		snprintf(names, sizeof(names), "u%d", i);
		cr_expect(maui_throttle_used(t, MAUI_CRED_USER, names, MAUI_RESOURCE_JOB) == 2);
		snprintf(names, sizeof(names), "u%d - - - d", i);
		cr_expect(!maui_throttle_allows(set_of(t, names), &demand, MAUI_LIMIT_HARD));
	}
	cr_expect(maui_throttle_used(t, MAUI_LIMITED_SYSTEM, NULL, MAUI_RESOURCE_PROC) == 20000);
	maui_throttle_destroy(t);
}

/* ---- counting ---- */

Test(throttle, used)
{
	struct maui_throttle *t = throttle_of("");

	add(t, "amy g a - c", 4, 3600);
	add(t, "amy h - q c", 2, 21600);
	cr_expect(maui_throttle_used(t, MAUI_CRED_USER, "amy", MAUI_RESOURCE_JOB) == 2);
	cr_expect(maui_throttle_used(t, MAUI_CRED_USER, "amy", MAUI_RESOURCE_PROC) == 6);
	cr_expect(maui_throttle_used(t, MAUI_CRED_USER, "amy", MAUI_RESOURCE_PS) == 16 * 3600);
	cr_expect(maui_throttle_used(t, MAUI_CRED_GROUP, "g", MAUI_RESOURCE_PROC) == 4);
	cr_expect(maui_throttle_used(t, MAUI_CRED_GROUP, "amy", MAUI_RESOURCE_PROC) == 0);
	cr_expect(maui_throttle_used(t, MAUI_CRED_QOS, NULL, MAUI_RESOURCE_PROC) == 0);
	cr_expect(maui_throttle_used(t, MAUI_CRED_CLASS, "c", MAUI_RESOURCE_MEM) == 600);
	cr_expect(maui_throttle_used(t, MAUI_LIMITED_SYSTEM, NULL, MAUI_RESOURCE_WC) == 25200);
	maui_throttle_clear(t);
	cr_expect(maui_throttle_used(t, MAUI_CRED_USER, "amy", MAUI_RESOURCE_JOB) == 0);
	cr_expect(maui_throttle_used(t, MAUI_LIMITED_SYSTEM, NULL, MAUI_RESOURCE_WC) == 0);
	maui_throttle_destroy(t);
}

Test(throttle, remove_takes_back_what_was_added)
{
	struct maui_throttle *t = throttle_of("CLASSCFG[c] MAXJOB[USER]=1\n");
	const struct maui_throttle_set *set = set_of(t, "amy - - - c");
	struct maui_demand small = demand_of(1, 60), big = demand_of(2, 60);

	cr_expect(!maui_throttle_remove(t, set, &small, NOW + 60), "there is none");
	cr_assert(maui_throttle_add(t, set, &small, NOW + 60) == 0);
	cr_expect(!maui_throttle_remove(t, set, &big, NOW + 60), "another job");
	cr_expect(!maui_throttle_remove(t, set, &small, NOW + 61), "another end");
	cr_expect(!maui_throttle_remove(t, set_of(t, "bob - - - c"), &small, NOW + 60));
	cr_expect(!maui_throttle_allows(set, &small, MAUI_LIMIT_HARD));
	cr_expect(maui_throttle_remove(t, set, &small, NOW + 60));
	cr_expect(maui_throttle_allows(set, &small, MAUI_LIMIT_HARD));
	cr_expect(!maui_throttle_remove(t, set, &small, NOW + 60), "twice");
	cr_expect(maui_throttle_used(t, MAUI_CRED_USER, "amy", MAUI_RESOURCE_PS) == 0);
	maui_throttle_destroy(t);
}

/* A set that is made when jobs run counts them, a pair's counter as well. */
Test(throttle, later_sets_count_running_jobs)
{
	struct maui_throttle *t =
		throttle_of("CLASSCFG[c] MAXJOB[USER]=1\nUSERCFG[amy] MAXPROC=4\n");
	struct maui_demand demand = demand_of(1, 60);

	add(t, "amy g - - c", 4, 60);
	cr_expect(!maui_throttle_allows(set_of(t, "amy h - q c"), &demand, MAUI_LIMIT_HARD));
	cr_expect(!maui_throttle_allows(set_of(t, "amy h - q d"), &demand, MAUI_LIMIT_HARD));
	cr_expect(maui_throttle_allows(set_of(t, "bob h - q c"), &demand, MAUI_LIMIT_HARD));
	maui_throttle_destroy(t);
}

/* ---- violations ---- */

Test(throttle, violations_in_their_order)
{
	static const char *const expected[] = {
		"SYSTEMMAXPROCPERJOB SYSTEM ALL 4/3 (hard)",
		"MAXPROCPERJOB CLASS c 4/2 (hard)",
		"MINPROC USER amy 4/9 (hard)",
		"MAXJOB USER amy 1/1 (hard)",
		"MAXPROC USER amy 4+4/5 (hard)",
		"MAXJOB GROUP g 1/1 (hard)",
		"MAXJOB CLASS c 1/1 (hard)",
		"MAXJOB QOS q 1/1 (hard)",
		"MAXNODE CLASS c USER amy 1+1/1 (hard)",
		"MAXJOB QOS q GROUP g 1/1 (hard)",
		"MAXPS SYSTEM ALL 240+240/300 (hard)",
		"MAXJOB SYSTEM ALL USER amy 1/1 (hard)",
	};
	struct maui_throttle *t = throttle_of(
		"SYSCFG MAXPS=300 MAXJOB[USER]=1\nQOSCFG[q] MAXJOB=1 MAXJOB[GROUP]=1\n"
		"CLASSCFG[c] MAXNODE[USER]=1 MAXJOB=1 MAXPROCPERJOB=2\nGROUPCFG[g] MAXJOB=1\n"
		"USERCFG[amy] MAXPROC=5 MAXJOB=1 MINPROC=9 MAXIJOB=1\nSYSTEMMAXPROCPERJOB 3\n");
	const struct maui_throttle_set *set = set_of(t, "amy g - q c");
	struct maui_demand demand = demand_of(4, 60);
	struct maui_violation list[32];
	char line[MAUI_VIOLATION_SIZE];
	size_t count;

	add(t, "amy g - q c", 4, 60);
	count = maui_throttle_violations(set, &demand, MAUI_LIMIT_HARD, MAUI_THROTTLE_START, list,
					 32);
	cr_assert(count == 12, "%zu", count);
	for (size_t i = 0; i < count; i++)
		cr_expect(strcmp(maui_violation_format(&list[i], line, sizeof(line)),
				 expected[i]) == 0,
			  "%zu: %s", i, line);
	/* part of them */
	cr_expect(maui_throttle_violations(set, &demand, MAUI_LIMIT_HARD, MAUI_THROTTLE_JOB, NULL,
					   0) == 3);
	cr_expect(maui_throttle_violations(set, &demand, MAUI_LIMIT_HARD, MAUI_THROTTLE_ACTIVE,
					   list, 2) == 9);
	cr_expect(strcmp(maui_violation_format(&list[1], line, sizeof(line)), expected[4]) == 0);
	cr_expect(strcmp(maui_violation_format(&list[2], line, sizeof(line)), expected[2]) == 0,
		  "written beyond the room there is");
	maui_throttle_accept(t, set, &demand);
	cr_expect(maui_throttle_violations(set, &demand, MAUI_LIMIT_SOFT, MAUI_THROTTLE_IDLE, list,
					   2) == 1);
	cr_expect(strcmp(maui_violation_format(&list[0], line, sizeof(line)),
			 "MAXIJOB USER amy 1/1 (hard)") == 0,
		  "%s", line);
	cr_expect(maui_throttle_limit_count(set) == 13);
	maui_throttle_destroy(t);
}

/* ---- idle ---- */

Test(throttle, select_begins_anew)
{
	struct maui_throttle *t = throttle_of("USERCFG[amy] MAXIPROC=5\n");
	const struct maui_throttle_set *set = set_of(t, "amy - - - -");
	struct maui_throttle_idle jobs[] = {
		{ .set = set, .demand = demand_of(3, 60) },
		{ .set = set, .demand = demand_of(3, 60) },
		{ .set = set, .demand = demand_of(9, 60), .passed_over = true },
		{ .set = set, .demand = demand_of(2, 60) },
	};

	for (int turn = 0; turn < 3; turn++) {
		maui_throttle_select(t, jobs, 4);
		cr_expect(jobs[0].verdict == MAUI_THROTTLE_ELIGIBLE, "turn %d", turn);
		cr_expect(jobs[1].verdict == MAUI_THROTTLE_BLOCKED, "turn %d", turn);
		cr_expect(jobs[1].violation.in_use == 3 && jobs[1].violation.requested == 3);
		cr_expect(jobs[2].verdict == MAUI_THROTTLE_PASSED, "turn %d", turn);
		cr_expect(jobs[3].verdict == MAUI_THROTTLE_ELIGIBLE, "turn %d", turn);
	}
	maui_throttle_accept(t, set, &jobs[1].demand);
	cr_expect(maui_throttle_violations(set, &jobs[1].demand, MAUI_LIMIT_HARD,
					   MAUI_THROTTLE_IDLE, NULL, 0) == 1);
	maui_throttle_clear(t);
	cr_expect(maui_throttle_violations(set, &jobs[1].demand, MAUI_LIMIT_HARD,
					   MAUI_THROTTLE_IDLE, NULL, 0) == 0);
	maui_throttle_select(t, NULL, 0);
	maui_throttle_destroy(t);
}

/* Soft values of idle limits do not count at any level. */
Test(throttle, idle_limits_are_hard)
{
	struct maui_throttle *t = throttle_of("USERCFG[amy] MAXIJOB=1,3\nQOSCFG[q] OMAXIJOB=2,4\n");
	struct maui_demand demand = demand_of(1, 60);
	struct maui_violation violation;

	for (unsigned accepted = 0; accepted < 5; accepted++) {
		for (int level = 0; level < MAUI_LIMIT_LEVEL_COUNT; level++) {
			cr_expect(maui_throttle_violations(set_of(t, "amy - - - -"), &demand,
							   (enum maui_limit_level)level,
							   MAUI_THROTTLE_IDLE, &violation,
							   1) == (accepted >= 3),
				  "%u accepted", accepted);
			cr_expect(accepted < 3 ||
				  (violation.value == 3 && violation.level == MAUI_LIMIT_HARD));
			cr_expect(maui_throttle_violations(set_of(t, "amy - - q -"), &demand,
							   (enum maui_limit_level)level,
							   MAUI_THROTTLE_IDLE, NULL,
							   0) == (accepted >= 4),
				  "%u accepted, with QOS", accepted);
		}
		maui_throttle_accept(t, set_of(t, "amy - - - -"), &demand);
	}
	maui_throttle_destroy(t);
}

/* ---- when ---- */

static int64_t when(struct maui_throttle *t, const char *names, double procs)
{
	struct maui_demand demand = demand_of(procs, 100);
	int64_t at = maui_throttle_when(t, set_of(t, names), &demand, MAUI_LIMIT_HARD, NOW);

	return at == MAUI_THROTTLE_NEVER ? -1 : at - NOW;
}

/* Jobs come and go between the questions: few and many, in any order of their ends. */
Test(throttle, when_follows_what_changes)
{
	struct maui_throttle *t = throttle_of("USERCFG[amy] MAXPROC=100\n");
	struct maui_demand one = demand_of(1, 500), last = demand_of(1, 1000);

	cr_expect(when(t, "amy - - - -", 1) == 0);
	for (int i = 100; i > 0; i--) /* processors given back at 10, 20, ... 1000 */
		add(t, "amy - - - -", 1, i * 10);
	cr_expect(when(t, "amy - - - -", 1) == 10);
	cr_expect(when(t, "amy - - - -", 30) == 300);
	cr_expect(when(t, "amy - - - -", 100) == 1000);
	cr_expect(when(t, "amy - - - -", 101) == -1);
	cr_expect(when(t, "bob - - - -", 101) == 0);
	add(t, "amy - - - -", 2, 5); /* one by one into the sorted ones */
	add(t, "amy - - - -", 1, 555);
	add(t, "bob - - - -", 50, 1);
	cr_expect(when(t, "amy - - - -", 1) == 20, "103 in use, 2 end at 5, 1 at 10, 1 at 20");
	cr_expect(when(t, "amy - - - -", 100) == 1000);
	cr_assert(maui_throttle_remove(t, set_of(t, "amy - - - -"), &one, NOW + 500));
	cr_expect(when(t, "amy - - - -", 1) == 10);
	/* one job ended and one started: the same number, but other jobs */
	cr_assert(maui_throttle_remove(t, set_of(t, "amy - - - -"), &last, NOW + 1000));
	add(t, "amy - - - -", 1, 1);
	cr_expect(when(t, "amy - - - -", 100) == 990);
	maui_throttle_clear(t);
	for (int i = 0; i < 102; i++)
		add(t, i % 2 ? "amy - - - -" : "bob - - - -", i % 2 ? 2 : 1, 200 + i);
	cr_expect(when(t, "amy - - - -", 100) == 301);
	maui_throttle_clear(t);
	cr_expect(when(t, "amy - - - -", 100) == 0);
	maui_throttle_destroy(t);
}

Test(throttle, when_checks_every_limit)
{
	struct maui_throttle *t = throttle_of("USERCFG[amy] MAXJOB=2\nCLASSCFG[c] MAXPROC[USER]=4\n"
					      "SYSCFG MAXWC=250\nUSERCFG[bob] MAXIJOB=1\n");

	add(t, "amy - - - c", 4, 50);
	add(t, "amy - - - d", 1, 30);
	cr_expect(when(t, "amy - - - d", 1) == 30, "a job");
	cr_expect(when(t, "amy - - - c", 1) == 50, "the pair later than the job");
	add(t, "bob - - - -", 1, 200);
	/* 280 s outstanding and 100 asked for; three run down by 3 a second to 190 at 30, two to
	 * 150 at 50 */
	cr_expect(when(t, "eve - - - -", 1) == 50, "%lld", (long long)when(t, "eve - - - -", 1));
	maui_throttle_destroy(t);
}
