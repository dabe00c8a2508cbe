/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_clock.c - moments as commands write them, in Denver: 2026 changes on 8 March, 1 November
 *
 * Rules: CMD-1.
 */
#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "rows.h"

static void denver(void)
{
	setenv("TZ", "America/Denver", 1);
	tzset();
}

/* `base` and `moment` are seconds of the epoch: date -d '...' +%s */
struct row {
	const char *text;
	int64_t base, moment;
};

#define NOON INT64_C(1795374000) /* 2026-11-22 12:00:00 MST, a Sunday */

static const struct row rows[] = {
	{ "+0", NOON, NOON },
	{ "+1:30:00", NOON, NOON + 5400 },
	{ "+90", NOON, NOON + 90 },
	{ "+INFINITY", NOON, MAUI_CLOCK_NEVER },
	{ "INFINITY", NOON, MAUI_CLOCK_NEVER },
	{ "infinite", NOON, MAUI_CLOCK_NEVER },
	/* the next such time: now counts, a second ago is tomorrow */
	{ "12", NOON, NOON },
	{ "12:00:00", NOON, NOON },
	{ "12:00:01", NOON, NOON + 1 },
	{ "11:59:59", NOON, NOON + 86399 },
	{ "14:30", NOON, NOON + 9000 },
	{ "9", NOON, NOON + 75600 },
	{ "0", NOON, NOON + 43200 },
	{ "24", NOON, NOON + 43200 },
	{ "24:00:00", NOON + 43200, NOON + 43200 },
	/* with a date */
	{ "12:00_11/22", NOON, NOON },
	{ "11:00_11/22", NOON, NOON - 3600 + 365 * 86400 },
	{ "12:00_11/23", NOON, NOON + 86400 },
	{ "0:00_12", NOON, 1796108400 },
	{ "12:00_11/22/26", NOON, NOON },
	{ "12:00_11/22/2026", NOON, NOON },
	{ "12:00_11/21/26", NOON, NOON - 86400 },
	{ "0:00_2/29", NOON, 1835420400 }, /* of 2028 */
	{ "24:00_12/31/26", NOON, 1798786800 },
	/* 2:30 does not exist in spring: 3:30; 1:30 comes twice in autumn: the first */
	{ "2:30_3/8/26", NOON, 1772962200 },
	{ "1:30_3/8/26", NOON, 1772958600 },
	{ "3:30_3/8/26", NOON, 1772962200 },
	{ "1:30_11/1/26", NOON, 1793518200 },
	{ "2:30_11/1/26", NOON, 1793525400 },
	/* 9:00 stays 9:00 across the clock change */
	{ "9:00", 1793509200, 1793548800 },
};

TEST_ROWS(clock, parse, rows, row)
{
	struct maui_err err = { .text = "" };
	int64_t moment = -7;

	denver();
	cr_assert(maui_clock_parse(row->text, row->base, &moment, &err) == 0, "%s: %s", row->text,
		  err.text);
	cr_expect(moment == row->moment, "%s: expected %" PRId64 ", got %" PRId64, row->text,
		  row->moment, moment);
}

struct bad {
	const char *text;
};

static const struct bad bad[] = {
	{ "" },
	{ " 9" },
	{ "9 " },
	{ "25" },
	{ "24:01" },
	{ "9:60" },
	{ "9:00:60" },
	{ "9:" },
	{ ":30" },
	{ "9::1" },
	{ "123" },
	{ "9:000" },
	{ "9:00:00:00" },
	{ "9:00_" },
	{ "9:00_0" },
	{ "9:00_13" },
	{ "9:00_2/30" },
	{ "9:00_4/31" },
	{ "9:00_4/0" },
	{ "9:00_4/" },
	{ "9_2/29/26" },
	{ "9:00_1/1/" },
	{ "9:00_1/1/1"
	  "2345" },
	{ "-1" },
	{ "+" },
	{ "+x" },
	{ "9:00_1/1/26x" },
	{ "noon" },
	{ "9:00_1/1/100" },
	{ "9.5" },
};

TEST_ROWS(clock, refuse, bad, row)
{
	struct maui_err err = { .text = "" };
	int64_t moment = -7;

	cr_expect(maui_clock_parse(row->text, NOON, &moment, &err) == -1, "'%s': accepted",
		  row->text);
	cr_expect(moment == -7, "'%s': result touched", row->text);
	cr_expect(*err.text, "'%s': no reason given", row->text);
}
