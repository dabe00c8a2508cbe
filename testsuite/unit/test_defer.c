/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_defer.c - refused starts: the job is tried again, deferred, held
 *
 * Rules: BF-13.
 */
#include "policy/defer.h"

#include <string.h>

#include "model/when.h"
#include "parsed.h"
#include "rows.h"

#define NOW INT64_C(1729916252)

/* A start is tried every 10 s unless the job is deferred, and each is refused. The outcomes in the
 * order of time: "r" tried again, "D" deferred, "H" held. */
static const struct {
	const char *name, *text, *story;
	int64_t aside_s; /* time spent deferred, all in all */
} stories[] = {
	{ "one refusal defers", "DEFERCOUNT 3\nDEFERTIME 60\n", "DDDH", 180 },
	{ "several refusals each time", "DEFERCOUNT 2\nDEFERTIME 60\nDEFERSTARTCOUNT 3\n",
	  "rrDrrDrrH", 120 },
	{ "never deferred: held at once", "DEFERCOUNT 0\nDEFERTIME 60\nDEFERSTARTCOUNT 2\n", "rH",
	  0 },
	{ "no DEFERTIME: tried each time", "DEFERCOUNT 0\nDEFERTIME 0\n", "rrrrrrrrrrrr", 0 },
	{ "the defaults", "", "DDDDDDDDDDDDDDDDDDDDDDDDH", 24 * 3600 },
};

TEST_ROWS(defer, story, stories, row)
{
	static const char letters[] = {
		[MAUI_DEFER_RETRY] = 'r', [MAUI_DEFER_ASIDE] = 'D', [MAUI_DEFER_HOLD] = 'H'
	};
	struct maui_config *config = PARSE_GOOD(row->text);
	struct maui_defer defer = { 0 };
	size_t length = strlen(row->story);
	int64_t now = NOW, aside = 0;
	char story[64] = "";

	for (size_t i = 0; i < length; i++, now += 10) {
		int64_t until = maui_defer_until(config, &defer, now);

		if (until > 0) {
			cr_expect(maui_defer_until(config, &defer, until - 1) == until,
				  "%s: to the last second", row->name);
			aside += until - now + 10;
			now = until;
			cr_expect(maui_defer_until(config, &defer, now) == 0, "%s: then no more",
				  row->name);
		}
		story[i] = letters[maui_defer_refused(config, &defer, now)];
	}
	EXPECT_TEXT(row->name, story, row->story);
	cr_expect(aside == row->aside_s, "%s: aside for %d s", row->name, (int)aside);
	maui_defer_forget(&defer);
	cr_expect(defer.refusals == 0 && defer.deferrals == 0 && defer.until_s == 0,
		  "%s: forgotten", row->name);
	maui_config_unref(config);
}

Test(defer, no_job_waits_longer_than_defertime)
{
	struct maui_config *config = PARSE_GOOD("DEFERTIME 60\n");
	struct maui_config *never = PARSE_GOOD("DEFERTIME 0\n");
	struct maui_defer defer = { .deferrals = 1, .until_s = NOW + 7200 };

	cr_expect(maui_defer_until(never, &defer, NOW) == 0, "DEFERTIME was taken away");
	cr_expect(maui_defer_until(config, &defer, NOW) == NOW + 60, "the clock was set back");
	cr_expect(maui_defer_until(config, &defer, NOW + 1) == NOW + 60, "it does not move");
	cr_expect(maui_defer_until(config, &defer, NOW + 59) == NOW + 60, "near the end");
	cr_expect(maui_defer_until(config, &defer, NOW + 60) == 0, "then no more");
	maui_config_unref(config);
	maui_config_unref(never);
}

Test(defer, start_deadline)
{
	struct maui_config *none = PARSE_GOOD("");
	struct maui_config *some = PARSE_GOOD("JOBMAXSTARTTIME 5:00\n");

	cr_expect(maui_defer_start_deadline(none, NOW) == MAUI_NEVER);
	cr_expect(maui_defer_start_deadline(some, NOW) == NOW + 300);
	maui_config_unref(none);
	maui_config_unref(some);
}
