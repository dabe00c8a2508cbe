/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fairshare.c - windows, charging, decay, targets and caps (Maui manual 6.3)
 *
 * Rules: FS-1, FS-4, FS-5, FS-6, FS-7, FS-8, FS-10.
 */
#include "policy/fairshare.h"

#include <math.h>

#include "parsed.h"
#include "rows.h"

#define DAY  INT64_C(86400)
#define HOUR INT64_C(3600)
/* Mon Oct 21 2024 00:00 UTC: the start of a day, not of a week of epoch seconds */
#define MIDNIGHT INT64_C(1729468800)

static const char day_by_day[] =
	"FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 4\nFSDECAY 0.5\n";

static bool near(double got, double expected)
{
	return fabs(got - expected) <= 1e-9 * fabs(expected) + 1e-9;
}

static const char *const everything[MAUI_CRED_COUNT] = { "amy", "phys", "acc", "hi", "batch" };

/* ---- windows ---- */

struct start {
	int64_t now, interval, start;
};

static const struct start starts[] = {
	{ MIDNIGHT, DAY, MIDNIGHT },
	{ MIDNIGHT - 1, DAY, MIDNIGHT - DAY },
	{ MIDNIGHT + DAY - 1, DAY, MIDNIGHT },
	{ MIDNIGHT + 5 * HOUR + 1, HOUR, MIDNIGHT + 5 * HOUR },
	{ MIDNIGHT + 5, 7, MIDNIGHT + 5 - (MIDNIGHT + 5) % 7 },
	{ 0, DAY, 0 },
	{ 5, 1, 5 },
};

TEST_ROWS(fairshare, window_start, starts, row)
{
	int64_t got = maui_fairshare_window_start(row->now, row->interval);

	cr_expect(got == row->start, "now %lld, interval %lld: expected %lld, got %lld",
		  (long long)row->now, (long long)row->interval, (long long)row->start,
		  (long long)got);
	cr_expect(got % row->interval == 0 && got <= row->now && row->now < got + row->interval);
}

struct age {
	const char *name;
	int64_t start, interval, now, age; /* of a window, under 4 windows of a day */
};

static const struct age ages[] = {
	{ "current, at its start", MIDNIGHT, DAY, MIDNIGHT, 0 },
	{ "current, at its end", MIDNIGHT, DAY, MIDNIGHT + DAY - 1, 0 },
	{ "just rolled", MIDNIGHT, DAY, MIDNIGHT + DAY, 1 },
	{ "the last that counts", MIDNIGHT, DAY, MIDNIGHT + 4 * DAY - 1, 3 },
	{ "gone", MIDNIGHT, DAY, MIDNIGHT + 4 * DAY, -1 },
	{ "long gone", 0, DAY, MIDNIGHT, -1 },
	{ "in the future", MIDNIGHT + DAY, DAY, MIDNIGHT, -1 },
	/* FS-8: windows of another FSINTERVAL count by their own start and length */
	{ "short, of today", MIDNIGHT, HOUR, MIDNIGHT + 2 * HOUR, 0 },
	{ "short, the last of yesterday", MIDNIGHT - HOUR, HOUR, MIDNIGHT, 1 },
	{ "short, the first of yesterday", MIDNIGHT - DAY, HOUR, MIDNIGHT, 1 },
	{ "short, three days ago", MIDNIGHT - 3 * DAY, HOUR, MIDNIGHT, 3 },
	{ "short, four days ago", MIDNIGHT - 3 * DAY - HOUR, HOUR, MIDNIGHT, -1 },
	{ "long, the running week", MIDNIGHT - 2 * DAY, 7 * DAY, MIDNIGHT, 0 },
	{ "long, ended yesterday", MIDNIGHT - 7 * DAY, 7 * DAY, MIDNIGHT, 1 },
	{ "long, ended three days ago", MIDNIGHT - 9 * DAY, 7 * DAY, MIDNIGHT, 3 },
	{ "long, ended four days ago", MIDNIGHT - 10 * DAY, 7 * DAY, MIDNIGHT, -1 },
};

TEST_ROWS(fairshare, age, ages, row)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage_window window = { .start_s = row->start, .interval_s = row->interval };
	int64_t got = maui_fairshare_age(config, &window, row->now);

	cr_expect(got == row->age, "%s: expected %lld, got %lld", row->name, (long long)row->age,
		  (long long)got);
	maui_config_unref(config);
}

/* ---- charging ---- */

static double of(const struct maui_usage *usage, int64_t start, const char *user)
{
	for (size_t i = 0; i < usage->count; i++)
		if (usage->windows[i].start_s == start)
			return maui_usage_get(&usage->windows[i], MAUI_CRED_USER, user);
	return -1;
}

/* A span over two midnights goes to three windows, to the second. */
Test(fairshare, charge_is_split)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = { 0 };

	cr_assert(maui_fairshare_charge(&usage, config, everything, 4, MIDNIGHT - 100,
					MIDNIGHT + DAY + 7) == 0);
	cr_expect(usage.count == 3, "%zu", usage.count);
	cr_expect(of(&usage, MIDNIGHT - DAY, "amy") == 400);
	cr_expect(of(&usage, MIDNIGHT, "amy") == 4.0 * DAY);
	cr_expect(of(&usage, MIDNIGHT + DAY, "amy") == 28);
	for (size_t i = 0; i < usage.count; i++) {
		cr_expect(usage.windows[i].dirty && usage.windows[i].interval_s == DAY);
		cr_expect(usage.windows[i].total == of(&usage, usage.windows[i].start_s, "amy"));
		for (int k = 0; k < MAUI_CRED_COUNT; k++)
			cr_expect(maui_usage_get(&usage.windows[i], (enum maui_cred_kind)k,
						 everything[k]) == usage.windows[i].total);
	}
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

struct span {
	const char *name;
	int64_t from, to;
	size_t windows;
	double total;
};

static const struct span spans[] = {
	{ "nothing", MIDNIGHT, MIDNIGHT, 0, 0 },
	{ "backwards", MIDNIGHT + 5, MIDNIGHT, 0, 0 },
	{ "up to the end of a window", MIDNIGHT - 5, MIDNIGHT, 1, 5 },
	{ "from the start of a window", MIDNIGHT, MIDNIGHT + 5, 1, 5 },
	{ "one whole window", MIDNIGHT, MIDNIGHT + DAY, 1, DAY },
	{ "longer than the timeframe", MIDNIGHT - 100 * DAY, MIDNIGHT + 10, 4, 3.0 * DAY + 10 },
	{ "from the beginning of time", 0, MIDNIGHT + 10, 4, 3.0 * DAY + 10 },
};

TEST_ROWS(fairshare, charge, spans, row)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = { 0 };
	double total = 0;

	cr_assert(maui_fairshare_charge(&usage, config, everything, 1, row->from, row->to) == 0);
	for (size_t i = 0; i < usage.count; i++)
		total += usage.windows[i].total;
	cr_expect(usage.count == row->windows && total == row->total, "%s: %zu windows with %g",
		  row->name, usage.count, total);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

struct known {
	const char *name;
	int64_t until, known, now; /* the file's moment, that of the jobs' state, the present */
	double first, second;      /* charged for 100 s before and 100 s after midnight */
};

#define AGO(seconds) (MIDNIGHT - (seconds))
static const struct known knowns[] = {
	{ "the state is younger", AGO(50), AGO(40), MIDNIGHT + 200, 100, 100 },
	{ "of the same moment", AGO(50), AGO(50), MIDNIGHT + 200, 100, 100 },
	{ "the file is younger", AGO(30), AGO(60), MIDNIGHT + 200, 30, 100 },
	{ "younger than all that is charged", MIDNIGHT + 200, AGO(60), MIDNIGHT + 300, 0, 100 },
	{ "the clock was set back", MIDNIGHT + 900, AGO(200), AGO(80), 80, 100 },
	{ "a file of Maui", 0, AGO(60), MIDNIGHT + 200, 100, 100 },
	{ "no state", AGO(30), 0, MIDNIGHT + 200, 30, 100 },
};

/* FS-10: what the file of a window has is not charged again, whatever the state of the jobs says;
 * other windows are charged. */
TEST_ROWS(fairshare, charged_once, knowns, row)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = { 0 };
	struct maui_usage_window *saved = maui_usage_window(&usage, MIDNIGHT - DAY, DAY);

	cr_assert_not_null(saved);
	saved->charged_until_s = row->until;
	maui_usage_charge_on(&usage, row->known, row->now);
	cr_assert(maui_fairshare_charge(&usage, config, everything, 1, MIDNIGHT - 100,
					MIDNIGHT + 100) == 0);
	cr_expect(of(&usage, MIDNIGHT - DAY, "amy") == row->first &&
			  of(&usage, MIDNIGHT, "amy") == row->second,
		  "%s: %g and %g", row->name, of(&usage, MIDNIGHT - DAY, "amy"),
		  of(&usage, MIDNIGHT, "amy"));
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

/* FS-10: an hour back, and the window is charged whatever its file says; the file gets the new
 * moment, or a later start would take it for younger than the state. */
Test(fairshare, charged_after_the_clock_was_set_back)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = { 0 };
	struct maui_usage_window *saved = maui_usage_window(&usage, MIDNIGHT, DAY);

	cr_assert_not_null(saved);
	saved->charged_until_s = MIDNIGHT + 2 * HOUR;
	maui_usage_charge_on(&usage, MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR);
	maui_usage_charge_until(&usage, MIDNIGHT + 2 * HOUR + 1);
	cr_expect(saved->charges_from_s == MIDNIGHT + 2 * HOUR && !saved->dirty);
	maui_usage_charge_until(&usage, MIDNIGHT + HOUR);
	cr_expect(saved->dirty && usage.charged_until_s == MIDNIGHT + HOUR);
	cr_assert(maui_fairshare_charge(&usage, config, everything, 1, MIDNIGHT + HOUR - 5,
					MIDNIGHT + HOUR) == 0);
	cr_expect(of(&usage, MIDNIGHT, "amy") == 5, "%g", of(&usage, MIDNIGHT, "amy"));
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

/* The same when it was set back while slurmctld was down. */
Test(fairshare, clock_set_back_before_a_start)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_window *saved = maui_usage_window(&usage, MIDNIGHT, DAY);

	cr_assert_not_null(saved);
	saved->charged_until_s = MIDNIGHT + 2 * HOUR;
	maui_usage_charge_on(&usage, MIDNIGHT + 2 * HOUR, MIDNIGHT + HOUR);
	cr_expect(saved->charges_from_s == 0);
	maui_usage_charge_until(&usage, MIDNIGHT + HOUR);
	cr_expect(saved->dirty);
	maui_usage_finish(&usage);
}

Test(fairshare, charge_skips_missing_credentials)
{
	static const char *const some[MAUI_CRED_COUNT] = { "amy", "phys", NULL, "", NULL };
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = { 0 };

	cr_assert(maui_fairshare_charge(&usage, config, some, 2, MIDNIGHT, MIDNIGHT + 5) == 0);
	cr_expect(usage.windows[0].entries.used == 2 && usage.windows[0].total == 10);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

/* The manual's: a sleep of 15 minutes on 4 processors is a processor-hour. */
Test(fairshare, seed_sleep)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = { 0 };

	cr_assert(maui_fairshare_charge(&usage, config, everything, 4, MIDNIGHT, MIDNIGHT + 900) ==
		  0);
	cr_expect(usage.windows[0].total == 3600);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

/* ---- roll over, expiry, change of parameters ---- */

static struct maui_usage week(void)
{
	struct maui_usage usage = { 0 };

	for (int day = 0; day < 7; day++) {
		struct maui_usage_window *w = maui_usage_window(&usage, MIDNIGHT - day * DAY, DAY);

		cr_assert(w && maui_usage_add(w, MAUI_CRED_USER, "amy", 100 * (day + 1)) == 0);
		w->total = 1000;
	}
	return usage;
}

Test(fairshare, decays_and_rolls)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = week();
	static const double expected[] = { 100 + 100 + 75 + 50, 50 + 50 + 37.5, 25 + 25, 12.5, 0 };

	for (int day = 0; day < 5; day++) {
		double got = maui_fairshare_usage(&usage, config, MIDNIGHT + day * DAY,
						  MAUI_CRED_USER, "amy");

		cr_expect(near(got, expected[day]), "day %d: expected %g, got %g", day,
			  expected[day], got);
	}
	cr_expect(near(maui_fairshare_total(&usage, config, MIDNIGHT), 1875));
	cr_expect(maui_fairshare_usage(&usage, config, MIDNIGHT, MAUI_CRED_USER, "bob") == 0);
	cr_expect(maui_fairshare_usage(&usage, config, MIDNIGHT, MAUI_CRED_GROUP, "amy") == 0);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

struct change {
	const char *name, *text;
	double usage; /* of the week above, at MIDNIGHT + 1 h */
};

static const struct change changes[] = {
	{ "unchanged", "FSDEPTH 4\nFSDECAY 0.5", 325 },
	{ "deeper", "FSDEPTH 7\nFSDECAY 0.5", 100 + 100 + 75 + 50 + 31.25 + 18.75 + 10.9375 },
	{ "only today", "FSDEPTH 1\nFSDECAY 0.5", 100 },
	{ "no decay", "FSDEPTH 3\nFSDECAY 1", 600 },
	{ "all decay", "FSDEPTH 3\nFSDECAY 0", 100 },
	/* today's old window is current; yesterday's ended 2 h before the current hour will,
	 * the one before 26 h */
	{ "hours now", "FSINTERVAL 1:00:00\nFSDEPTH 30\nFSDECAY 0.5",
	  100 + 200 * 0.25 + 300 * 0x1p-26 },
	{ "hours now, short memory", "FSINTERVAL 1:00:00\nFSDEPTH 2\nFSDECAY 0.5", 100 },
	/* the running window of a week began on Thursday, Oct 17: five days of the old ones end
	 * behind its start, the others in the week before */
	{ "weeks now", "FSINTERVAL 7:00:00:00\nFSDEPTH 2\nFSDECAY 0.5",
	  100 + 200 + 300 + 400 + 500 + 0.5 * (600 + 700) },
};

TEST_ROWS(fairshare, change, changes, row)
{
	struct maui_config *config;
	struct maui_usage usage = week();
	char text[200];
	double got;

	snprintf(text, sizeof(text), "FSPOLICY DEDICATEDPS\n%s", row->text);
	config = PARSE_GOOD(text);
	got = maui_fairshare_usage(&usage, config, MIDNIGHT + HOUR, MAUI_CRED_USER, "amy");
	cr_expect(near(got, row->usage), "%s: expected %.10g, got %.10g", row->name, row->usage,
		  got);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

/* After a change, the window that begins at the same moment continues; a later one is a window of
 * its own. */
Test(fairshare, charge_after_a_change)
{
	struct maui_config *days = PARSE_GOOD(day_by_day);
	struct maui_config *hours =
		PARSE_GOOD("FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 48\n");
	struct maui_usage usage = { 0 };

	cr_assert(maui_fairshare_charge(&usage, days, everything, 1, MIDNIGHT, MIDNIGHT + 10) == 0);
	cr_assert(maui_fairshare_charge(&usage, hours, everything, 1, MIDNIGHT + 10,
					MIDNIGHT + 30) == 0);
	cr_expect(usage.count == 1 && usage.windows[0].interval_s == DAY);
	cr_assert(maui_fairshare_charge(&usage, hours, everything, 1, MIDNIGHT + HOUR,
					MIDNIGHT + HOUR + 5) == 0);
	cr_expect(usage.count == 2);
	cr_expect(maui_fairshare_total(&usage, hours, MIDNIGHT + HOUR + 5) == 35);
	cr_expect(maui_fairshare_total(&usage, days, MIDNIGHT + HOUR + 5) == 35);
	maui_usage_finish(&usage);
	maui_config_unref(days);
	maui_config_unref(hours);
}

Test(fairshare, expire)
{
	struct maui_config *config = PARSE_GOOD(day_by_day);
	struct maui_usage usage = week();
	double before = maui_fairshare_total(&usage, config, MIDNIGHT);

	cr_assert(maui_usage_window(&usage, MIDNIGHT + 5 * DAY, DAY) != NULL);
	cr_expect(maui_fairshare_expire(&usage, config, MIDNIGHT) == 3);
	/* the clock was set back: windows in the future are kept */
	cr_expect(usage.count == 5 && usage.windows[0].start_s == MIDNIGHT + 5 * DAY);
	cr_expect(maui_fairshare_total(&usage, config, MIDNIGHT) == before);
	cr_expect(maui_fairshare_expire(&usage, config, MIDNIGHT) == 0);
	cr_expect(maui_fairshare_expire(&usage, config, MIDNIGHT + 100 * DAY) == 5);
	cr_expect(usage.count == 0);
	maui_usage_finish(&usage);
	maui_config_unref(config);
}

/* ---- targets and caps ---- */

struct delta {
	const char *policy, *target;
	double percent, expected;
};

static const struct delta deltas[] = {
	{ "DEDICATEDPS", "25", 20, 5 },    { "DEDICATEDPS", "25", 30, -5 },
	{ "DEDICATEDPS", "25", 25, 0 },    { "DEDICATEDPS", "25+", 20, 5 },
	{ "DEDICATEDPS", "25+", 30, 0 },   { "DEDICATEDPS", "25-", 20, 0 },
	{ "DEDICATEDPS", "25-", 30, -5 },  { "DEDICATEDPS", "25%", 30, 0 },
	{ "DEDICATEDPS", "25^", 30, 0 },   { "DEDICATEDPS", "0", 30, 0 },
	{ "DEDICATEDPS%", "25", 20, 0.2 }, { "DEDICATEDPS%", "25", 50, -1 },
	{ "DEDICATEDPS%", "25+", 50, 0 },  { "DEDICATEDPS%", "25-", 50, -1 },
	{ "DEDICATEDPES", "25", 20, 5 },   { "NONE", "25", 20, 0 },
};

static struct maui_config *with_target(const char *policy, const char *target)
{
	char text[128];

	snprintf(text, sizeof(text), "FSPOLICY %s\nUSERCFG[DEFAULT] FSTARGET=%s\n", policy, target);
	return PARSE_GOOD(text);
}

TEST_ROWS(fairshare, delta, deltas, row)
{
	struct maui_config *config = with_target(row->policy, row->target);
	struct maui_fs_target target = maui_config_cred(config, MAUI_CRED_USER, "amy")->fstarget;
	double got = maui_fairshare_delta(config, target, row->percent);

	cr_expect(near(got, row->expected), "%s %s %g%%: expected %g, got %g", row->policy,
		  row->target, row->percent, row->expected, got);
	maui_config_unref(config);
}

struct cap {
	const char *policy, *target;
	double usage, total;
	bool blocked;
};

/* FS-7: a credential that reaches its cap is blocked, not only one that exceeds it */
static const struct cap caps[] = {
	{ "DEDICATEDPS", "25%", 250, 1000, true },
	{ "DEDICATEDPS", "25%", 249.999, 1000, false },
	{ "DEDICATEDPS", "25%", 251, 1000, true },
	{ "DEDICATEDPS", "25%", 0, 0, false },
	{ "DEDICATEDPS", "100%", 1000, 1000, true },
	{ "DEDICATEDPS%", "25%", 250, 1000, true },
	{ "DEDICATEDPS", "5000^", 5000, 9000, true },
	{ "DEDICATEDPS", "5000^", 4999.999, 9000, false },
	{ "DEDICATEDPS", "5000^", 5001, 5001, true },
	{ "DEDICATEDPS", "25", 900, 1000, false },
	{ "DEDICATEDPS", "25+", 900, 1000, false },
	{ "DEDICATEDPS", "25-", 900, 1000, false },
	{ "DEDICATEDPS", "0%", 900, 1000, false },
	{ "NONE", "25%", 900, 1000, false },
	{ "NONE", "5^", 900, 1000, false },
};

TEST_ROWS(fairshare, cap, caps, row)
{
	struct maui_config *config = with_target(row->policy, row->target);
	struct maui_fs_target target = maui_config_cred(config, MAUI_CRED_USER, "amy")->fstarget;

	cr_expect(maui_fairshare_blocked(config, target, row->usage, row->total) == row->blocked,
		  "%s %s: %g of %g", row->policy, row->target, row->usage, row->total);
	maui_config_unref(config);
}
