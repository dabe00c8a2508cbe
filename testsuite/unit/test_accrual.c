/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_accrual.c - from when a job's waiting counts (semantics c.4, m.13) */
#include "policy/accrual.h"

#include "parsed.h"
#include "rows.h"

struct reset {
	const char *name;
	struct maui_accrual_state state;
	bool queue, full; /* resets under QUEUEPOLICY, FULLPOLICY; ALWAYS never does */
};

static const struct reset resets[] = {
	{ "free", { .held = false }, false, false },
	{ "held", { .held = true }, true, true },
	{ "dependent", { .dependent = true }, true, true },
	{ "over a limit", { .limit = true }, true, true },
	{ "class disabled", { .class_disabled = true }, false, true },
	{ "rejected", { .rejected = true }, false, true },
	{ "over a fairshare cap", { .fs_capped = true }, false, true },
	{ "over an active limit", { .active_limit = true }, false, true },
	{ "several", { .limit = true, .rejected = true }, true, true },
};

TEST_ROWS(accrual, stamp, resets, row)
{
	int64_t always = maui_accrual_stamp(MAUI_ACCRUAL_ALWAYS, &row->state, 100, 500);
	int64_t queue = maui_accrual_stamp(MAUI_ACCRUAL_QUEUEPOLICY, &row->state, 100, 500);
	int64_t full = maui_accrual_stamp(MAUI_ACCRUAL_FULLPOLICY, &row->state, 100, 500);

	cr_expect(always == 100, "%s: %lld", row->name, (long long)always);
	cr_expect(queue == (row->queue ? 500 : 100), "%s: %lld", row->name, (long long)queue);
	cr_expect(full == (row->full ? 500 : 100), "%s: %lld", row->name, (long long)full);
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

/* "Time since the last moment of violation", not the sum of the free times. */
Test(accrual, since_the_last_violation)
{
	static const bool held[] = { false, true, true, false, true, false, false };
	struct maui_accrual_state state = { 0 };
	int64_t stamp = 0;

	for (int i = 0; i < 7; i++) {
		state.held = held[i];
		stamp = maui_accrual_stamp(MAUI_ACCRUAL_QUEUEPOLICY, &state, stamp, 100 * (i + 1));
	}
	cr_expect(maui_accrual_queue_time(stamp, 0, 700) == 200);
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
