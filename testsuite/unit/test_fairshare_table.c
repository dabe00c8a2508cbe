/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fairshare_table.c - the use of all credentials, and jobs ranked by it */
#include "policy/fairshare.h"

#include <math.h>

#include "parsed.h"
#include "plan/rank.h"

#define DAY      INT64_C(86400)
#define MIDNIGHT INT64_C(1729468800)

static const char day_by_day[] =
	"FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 4\nFSDECAY 0.5\n";

static const char *const everything[MAUI_CRED_COUNT] = { "amy", "phys", "acc", "hi", "batch" };

static bool near(double got, double expected)
{
	return fabs(got - expected) <= 1e-9 * fabs(expected) + 1e-9;
}

/* ---- what holds for any history ---- */

static uint64_t seed = 19950401;

static unsigned pick(unsigned below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % below;
}

static void charge_at_random(struct maui_usage *usage, const struct maui_config *config,
			     double *ret_charged)
{
	for (int job = 0; job < 500; job++) {
		char names[MAUI_CRED_COUNT][16];
		const char *cred[MAUI_CRED_COUNT];
		int64_t from = MIDNIGHT - pick(3 * DAY), to = from + pick(20000);
		unsigned procs = 1 + pick(64);

		for (int k = 0; k < MAUI_CRED_COUNT; k++) {
			snprintf(names[k], sizeof(names[k]), "%c%u", 'a' + k, pick(40));
			cred[k] = names[k];
		}
		/* in two polls, as a running job is charged */
		cr_assert(maui_fairshare_charge(usage, config, cred, procs, from,
						from + (to - from) / 3) == 0);
		cr_assert(maui_fairshare_charge(usage, config, cred, procs, from + (to - from) / 3,
						to) == 0);
		*ret_charged += (double)procs * (double)(to - from);
	}
}

static void expect_categories(const struct maui_usage_window *w)
{
	const struct maui_usage_entry *entry;
	double sum[MAUI_CRED_COUNT] = { 0 };

	for (size_t at = 0; (entry = maui_hashtable_next(&w->entries, &at));)
		sum[entry->kind] += entry->value;
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		cr_expect(near(sum[k], w->total), "%s: %g of %g",
			  maui_cred_name((enum maui_cred_kind)k), sum[k], w->total);
}

/* The manual's: when every job has every credential, each category sums to TOTAL, and nothing is
 * lost or charged twice between polls and windows. */
Test(fairshare, categories_sum_to_total)
{
	struct maui_config *config =
		PARSE_GOOD("FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 100\n");
	struct maui_usage usage = { 0 };
	double charged = 0, total = 0, percent = 0;
	struct maui_fs_table *table;

	charge_at_random(&usage, config, &charged);
	for (size_t i = 0; i < usage.count; i++) {
		expect_categories(&usage.windows[i]);
		total += usage.windows[i].total;
		cr_expect(i == 0 || usage.windows[i - 1].start_s > usage.windows[i].start_s);
	}
	cr_expect(near(total, charged), "charged %.10g, found %.10g", charged, total);
	table = maui_fs_table_create(&usage, config, MIDNIGHT + 20000);
	for (unsigned i = 0; i < 40; i++) {
		char name[16];

		snprintf(name, sizeof(name), "a%u", i);
		percent += maui_fs_table_percent(table, MAUI_CRED_USER, name);
	}
	cr_expect(near(percent, 100), "%.12g", percent);
	maui_fs_table_destroy(table);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

/* ---- the table ---- */

Test(fairshare, table_is_the_same_as_asking)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = { 0 };
	double ignored = 0;
	struct maui_fs_table *table;

	charge_at_random(&usage, config, &ignored);
	table = maui_fs_table_create(&usage, config, MIDNIGHT);
	cr_expect(near(maui_fs_table_total(table), maui_fairshare_total(&usage, config, MIDNIGHT)));
	for (unsigned i = 0; i < 45; i++) {
		char name[16];
		double used;

		snprintf(name, sizeof(name), "c%u", i);
		used = maui_fairshare_usage(&usage, config, MIDNIGHT, MAUI_CRED_ACCOUNT, name);
		cr_expect(near(maui_fs_table_percent(table, MAUI_CRED_ACCOUNT, name),
			       maui_fairshare_percent(used, maui_fs_table_total(table))),
			  "%s", name);
	}
	/* and stays so when usage goes on */
	ignored = maui_fs_table_total(table);
	cr_assert(maui_fairshare_charge(&usage, config, everything, 9, MIDNIGHT, MIDNIGHT + 9) ==
		  0);
	cr_expect(maui_fs_table_total(table) == ignored);
	maui_fs_table_destroy(table);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

static double table_delta(const struct maui_fs_table *table, const struct maui_config *config,
			  const char *name)
{
	return maui_fs_table_delta(table, config, MAUI_CRED_USER, name,
				   maui_config_cred(config, MAUI_CRED_USER, name));
}

/* By the list of the table's own configuration, by search in another one: the same values. */
Test(fairshare, table_delta)
{
	static const char text[] = "FSPOLICY DEDICATEDPS\nUSERCFG[amy] FSTARGET=40 QDEF=x\n"
				   "USERCFG[DEFAULT] FSTARGET=30+\nUSERCFG[zoe] FSTARGET=20%\n";
	struct maui_config *own = PARSE_GOOD(text), *other = PARSE_GOOD(text);
	struct maui_config *more = PARSE_GOOD("FSPOLICY DEDICATEDPS\nUSERCFG[aaa] FSTARGET=90\n"
					      "USERCFG[amy] FSTARGET=50\n");
	struct maui_usage usage = { 0 };
	struct maui_usage_window *w = maui_usage_window(&usage, MIDNIGHT, DAY);
	struct maui_fs_table *table;

	cr_assert(w && maui_usage_add(w, MAUI_CRED_USER, "amy", 45) == 0 &&
		  maui_usage_add(w, MAUI_CRED_USER, "bob", 10) == 0);
	w->total = 100;
	table = maui_fs_table_create(&usage, own, MIDNIGHT);
	for (int i = 0; i < 2; i++) {
		struct maui_config *config = i == 0 ? own : other;

		cr_expect(near(table_delta(table, config, "amy"), -5), "%d", i);
		cr_expect(near(table_delta(table, config, "bob"), 20), "%d", i);
		cr_expect(near(table_delta(table, config, "nobody"), 30), "%d", i);
		cr_expect(table_delta(table, config, "zoe") == 0, "%d", i);
		cr_expect(table_delta(table, config, NULL) == 0, "%d", i);
		cr_expect(table_delta(NULL, config, "amy") == 0, "%d", i);
	}
	cr_expect(near(table_delta(table, more, "amy"), 5));
	cr_expect(near(table_delta(table, more, "aaa"), 90));
	cr_expect(table_delta(table, more, "bob") == 0);
	maui_config_unref(own); /* the table keeps it */
	cr_expect(near(table_delta(table, more, "amy"), 5));
	maui_fs_table_destroy(table);
	maui_config_unref(other);
	maui_config_unref(more);
	maui_usage_finish(&usage);
}

/* FS-5: nothing delivered, nothing to compare with. */
Test(fairshare, table_without_usage)
{
	struct maui_config *config = PARSE_GOOD("FSPOLICY DEDICATEDPS\nUSERCFG[amy] FSTARGET=40\n");
	struct maui_usage usage = { 0 };
	struct maui_fs_table *table = maui_fs_table_create(&usage, config, MIDNIGHT);

	cr_assert(table != NULL);
	cr_expect(maui_fs_table_total(table) == 0);
	cr_expect(maui_fs_table_percent(table, MAUI_CRED_USER, "amy") == 0);
	cr_expect(table_delta(table, config, "amy") == 0);
	cr_expect(maui_fs_table_total(NULL) == 0);
	cr_expect(maui_fs_table_percent(NULL, MAUI_CRED_USER, "amy") == 0);
	maui_fs_table_destroy(table);
	maui_fs_table_destroy(NULL);
	maui_config_unref(config);
}

/* ---- ranked with it ---- */

/* The job of 5.1.2: user 5 points below, account 10 above, QOS above its floor. */
Test(rank, seed_job_x)
{
	struct maui_config *config = PARSE_GOOD(
		"FSPOLICY DEDICATEDPS\nFSWEIGHT 100\nFSUSERWEIGHT 10\nFSGROUPWEIGHT 20\n"
		"FSACCOUNTWEIGHT 30\nFSQOSWEIGHT 40\nFSCLASSWEIGHT 0\nENABLENEGJOBPRIORITY TRUE\n"
		"USERCFG[A] FSTARGET=50.0\nACCOUNTCFG[C] FSTARGET=25.0\n"
		"QOSCFG[D] FSTARGET=10.0+\n");
	/* user, group, account (in lower case, as slurmctld has it), qos, class */
	static const char *const names[MAUI_CRED_COUNT] = { "A", "B", "c", "D", "E" };
	static const double used[MAUI_CRED_COUNT] = { 45, 65, 35, 25, 20 };
	struct maui_usage usage = { 0 };
	struct maui_usage_window *w = maui_usage_window(&usage, MIDNIGHT, DAY);
	struct maui_job job = { .cred = { "A", "B", "c", "D", "E" }, .walltime_s = 60 };
	struct maui_totals totals = { 0 };
	struct maui_fs_table *table;
	struct maui_priority got;

	cr_assert(w != NULL);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		cr_assert(maui_usage_add(w, (enum maui_cred_kind)k, names[k], used[k]) == 0);
	w->total = 100;
	table = maui_fs_table_create(&usage, config, MIDNIGHT);
	maui_plan_rank(config, table, &totals, &job, &got);
	cr_expect(near(got.component[MAUI_COMP_FS], -25000), "%g", got.component[MAUI_COMP_FS]);
	cr_expect(near(got.value, -25000), "%g", got.value);
	/* the last job's values do not stay behind */
	maui_plan_rank(config, NULL, &totals, &job, &got);
	cr_expect(got.component[MAUI_COMP_FS] == 0, "%g", got.component[MAUI_COMP_FS]);
	maui_fs_table_destroy(table);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}
