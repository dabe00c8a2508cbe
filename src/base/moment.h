/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moment.h - moments as text, in local time: every form in which users see them
 *
 * base/clock.h reads moments, base/calendar.h computes with them. A moment that the calendar does
 * not have, hundreds of millions of years away, is the number of its seconds. All return buf, of
 * which MAUI_MOMENT_SIZE always suffices; a buffer that is too small gives a cut number.
 *
 * Thread safety: safe while TZ does not change.
 */
#ifndef MAUI_BASE_MOMENT_H
#define MAUI_BASE_MOMENT_H

#include <stddef.h>
#include <stdint.h>

#define MAUI_MOMENT_SIZE 64

/* Forms without seconds show a moment to come as a whole minute. */
enum maui_moment_minutes {
	MAUI_NOT_BEFORE, /* something begins then: rounded up */
	MAUI_NOT_AFTER   /* something ends then, or has to: rounded down */
};

/* ---- as short as it is clear at `now_s` ---- */

/* As Maui's commands: "Tue Apr 17 09:47:16"; with the year when it is half a year away or more.
 * "INFINITY": MAUI_NEVER. */
const char *maui_moment_as_maui(int64_t when_s, int64_t now_s, char *buf, size_t size);
/* For tables and lines: "14:30", "Tue 14:30" up to six days ahead, "22 Nov 14:30", of another year
 * "22 Nov 2027". A day of one digit has a blank before it. */
const char *maui_moment_plain(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			      char *buf, size_t size);
/* For reasons: "14:30", "22 Nov 14:30"; "22 Nov 2027" when it is ten months away. */
const char *maui_moment_brief(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			      char *buf, size_t size);
/* For sentences: "Thursday 14:30"; "Thursday 22 November 14:30" when it is six days away. */
const char *maui_moment_spoken(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			       char *buf, size_t size);
/* For pictures: "14:30"; "Tue 22 Nov 14:30" when it is half a day away. */
const char *maui_moment_label(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			      char *buf, size_t size);

/* ---- the same whenever it is read ---- */

/* "Tue Apr 07 09:47:16" */
const char *maui_moment_padded(int64_t when_s, char *buf, size_t size);
/* "22 Nov 14:30", rounded down; a day of one digit has a blank before it. */
const char *maui_moment_minute(int64_t when_s, char *buf, size_t size);
/* "22 Nov 2026 14:30:00" */
const char *maui_moment_exact(int64_t when_s, char *buf, size_t size);
/* "Sunday 22 November 2026, 14:30:00 CET" */
const char *maui_moment_full(int64_t when_s, char *buf, size_t size);
/* "2026-11-22" */
const char *maui_moment_date(int64_t when_s, char *buf, size_t size);
/* Of an axis with a mark each step_s seconds: "14:30:05", "14:30", at midnight "Sun 22". */
const char *maui_moment_mark(int64_t when_s, int64_t step_s, char *buf, size_t size);

#endif
