/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_accrual.c - effective queue time pauses and continues
 *
 * Rules: PRIO-10.
 */
#include "policy/accrual.h"

#include "parsed.h"
#include "rows.h"

struct pause {
	const char *name;
	struct maui_accrual_state state;
	/* does not accrue under QUEUEPOLICY and FULLPOLICY; accrues under ALWAYS */
	bool queue, full;
};

static const struct pause pauses[] = {
	{ "eligible", { .held = false }, false, false },
	{ "held", { .held = true }, true, true },
	{ "dependent", { .dependent = true }, true, true },
	{ "over a limit", { .limit = true }, true, true },
	{ "class disabled", { .class_disabled = true }, false, true },
	{ "rejected", { .rejected = true }, false, true },
	{ "over a fairshare cap", { .fs_capped = true }, false, true },
	{ "over an active limit", { .active_limit = true }, false, true },
	{ "several", { .limit = true, .rejected = true }, true, true },
};

/* The cycle before was at 470: of 400 s, 370 stay. */
TEST_ROWS(accrual, stamp, pauses, row)
{
	int64_t always = maui_accrual_stamp(MAUI_ACCRUAL_ALWAYS, &row->state, 100, 470, 500);
	int64_t queue = maui_accrual_stamp(MAUI_ACCRUAL_QUEUEPOLICY, &row->state, 100, 470, 500);
	int64_t full = maui_accrual_stamp(MAUI_ACCRUAL_FULLPOLICY, &row->state, 100, 470, 500);

	cr_expect(always == 100, "%s: %lld", row->name, (long long)always);
	cr_expect(queue == (row->queue ? 130 : 100), "%s: %lld", row->name, (long long)queue);
	cr_expect(full == (row->full ? 130 : 100), "%s: %lld", row->name, (long long)full);
}

Test(accrual, a_clock_that_is_set_back_moves_nothing)
{
	const struct maui_accrual_state held = { .held = true };

	cr_expect(maui_accrual_stamp(MAUI_ACCRUAL_QUEUEPOLICY, &held, 100, 500, 400) == 100);
}

Test(accrual, the_stamp_never_passes_now)
{
	const struct maui_accrual_state held = { .held = true };

	cr_expect(maui_accrual_stamp(MAUI_ACCRUAL_QUEUEPOLICY, &held, 490, 470, 500) == 500);
}

struct waited {
	const char *name;
	int64_t stamp, start, now, seconds;
};

static const struct waited waited[] = {
	{ "pending", 100, 0, 700, 600 },
	{ "just submitted", 700, 0, 700, 0 },
	{ "the clock was set back", 800, 0, 700, 0 },
	{ "active: until its start", 100, 400, 700, 300 },
	{ "active since now", 100, 700, 700, 600 },
	{ "starts in the future: still waiting", 100, 900, 700, 600 },
	{ "started before its stamp", 500, 400, 700, 0 },
};

TEST_ROWS(accrual, queue_time, waited, row)
{
	int64_t got = maui_accrual_queue_time(row->stamp, row->start, row->now);

	cr_expect(got == row->seconds, "%s: expected %lld, got %lld", row->name,
		  (long long)row->seconds, (long long)got);
}

struct history {
	const char *name;
	int64_t submit;
	struct {
		int64_t now;
		bool blocked;
	} cycles[8];     /* up to the first at 0 */
	int64_t seconds; /* at the last cycle */
};

static const struct history histories[] = {
	{ "eligible for 300 s, blocked for 120 s, eligible for 60 s",
	  0,
	  { { 300, false }, { 360, true }, { 420, true }, { 450, false }, { 480, false } },
	  360 },
	{ "blocked twice",
	  0,
	  { { 100, false },
	    { 200, true },
	    { 300, true },
	    { 400, false },
	    { 500, true },
	    { 700, false } },
	  400 },
	{ "held since its submission", 50, { { 100, true }, { 900, true } }, 0 },
	{ "5 hours of waiting survive 10 minutes behind a limit",
	  0,
	  { { 18000, false }, { 18300, true }, { 18600, true } },
	  18000 },
};

TEST_ROWS(accrual, pauses_and_goes_on, histories, row)
{
	int64_t stamp = row->submit, before = row->submit;

	for (int i = 0; i < 8 && row->cycles[i].now > 0; i++) {
		const struct maui_accrual_state state = { .limit = row->cycles[i].blocked };

		stamp = maui_accrual_stamp(MAUI_ACCRUAL_QUEUEPOLICY, &state, stamp, before,
					   row->cycles[i].now);
		before = row->cycles[i].now;
	}
	cr_expect(maui_accrual_queue_time(stamp, 0, before) == row->seconds, "%s: %lld", row->name,
		  (long long)maui_accrual_queue_time(stamp, 0, before));
}

struct policy {
	const char *text;
	enum maui_accrual policy;
};

static const struct policy policies[] = {
	{ "", MAUI_ACCRUAL_QUEUEPOLICY },
	{ "JOBPRIOACCRUALPOLICY ALWAYS", MAUI_ACCRUAL_ALWAYS },
	{ "JOBPRIOACCRUALPOLICY FULLPOLICY\nUSESYSTEMQUEUETIME ON", MAUI_ACCRUAL_FULLPOLICY },
	{ "USESYSTEMQUEUETIME ON", MAUI_ACCRUAL_ALWAYS },
};

TEST_ROWS(accrual, policy, policies, row)
{
	struct maui_config *config = PARSE_GOOD(row->text);

	cr_expect(maui_accrual_policy(config) == row->policy, "%s: %d", row->text,
		  (int)maui_accrual_policy(config));
	maui_config_unref(config);
}
