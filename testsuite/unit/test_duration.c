/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_duration.c - Maui's time values
 *
 * Rules: CFG-5.
 */
#include "base/duration.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "rows.h"

#define MINUTE INT64_C(60)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

struct good {
	const char *text;
	int64_t seconds;
};

static const struct good good[] = {
	{ "0", 0 },
	{ "59", 59 },
	{ "60", 60 },
	{ "3600", HOUR },
	{ "007", 7 },
	/* two fields are MM:SS as the manual says; Maui itself read HH:MM */
	{ "10:30", 10 * MINUTE + 30 },
	{ "0:00", 0 },
	{ "72:00:00", 72 * HOUR },
	{ "20:00:00", 20 * HOUR },
	{ "24:00:00", DAY },
	{ "12:00:00", 12 * HOUR },
	{ "00:05:00", 5 * MINUTE },
	{ "8:52:30", 8 * HOUR + 52 * MINUTE + 30 },
	{ "1:02:03:04", DAY + 2 * HOUR + 3 * MINUTE + 4 },
	{ "1:08:00:00", DAY + 8 * HOUR },
	{ "0:0:0:1", 1 },
	/* no field has a modulus */
	{ "90:00", 90 * MINUTE },
	{ "0:00:60", 60 },
	{ "1:99:99", HOUR + 99 * MINUTE + 99 },
	{ "0:48:00:00", 2 * DAY },
	{ "+0", 0 },
	{ "+3:00", 3 * MINUTE },
	{ "-1", -1 },
	{ "INFINITY", MAUI_TIME_INFINITY },
	{ "infinity", MAUI_TIME_INFINITY },
	{ "Infinite", MAUI_TIME_INFINITY },
	{ "UNLIMITED", MAUI_TIME_INFINITY },
	{ "+INFINITY", MAUI_TIME_INFINITY },
	{ "2139999999", INT64_C(2139999999) },
	{ "2140000000", MAUI_TIME_INFINITY },
	{ "2140000001", MAUI_TIME_INFINITY },
	{ "24768:12:26:39", INT64_C(2139999999) },
	{ "24768:12:26:40", MAUI_TIME_INFINITY },
	/* past every integer */
	{ "99999999999999999999999999", MAUI_TIME_INFINITY },
	{ "9223372036854775807:9223372036854775807:9223372036854775807:9223372036854775807",
	  MAUI_TIME_INFINITY },
	{ "18446744073709551616", MAUI_TIME_INFINITY },
	{ "00000000000000000000000000000005", 5 },
};

TEST_ROWS(duration, parse, good, row)
{
	struct maui_err err = { .text = "untouched" };
	int64_t seconds = -77;

	cr_assert(maui_duration_parse(row->text, &seconds, &err) == 0, "%s: refused: %s", row->text,
		  err.text);
	cr_expect(seconds == row->seconds, "%s: expected %" PRId64 ", got %" PRId64, row->text,
		  row->seconds, seconds);
}

struct bad {
	const char *text;
};

static const struct bad bad[] = {
	{ "" },         { " " },         { " 5" },  { "5 " },        { ":" },          { ":5" },
	{ "5:" },       { "1::2" },      { "::" },  { "1:2:3:4:5" }, { "-2" },         { "-0" },
	{ "-1:00" },    { "-1 " },       { "-" },   { "+" },         { "++1" },        { "+-1" },
	{ "1:+2" },     { "1:-2" },      { "1.5" }, { "1e3" },       { "0x10" },       { "5m" },
	{ "1d" },       { "INFINITYX" }, { "INF" }, { "NONE" },      { "1:INFINITY" }, { "1\n" },
	{ "\xd9\xa1" }, { "10:30:" },    { "1;2" }, { "-INFINITY" }, { "1,2" },
};

TEST_ROWS(duration, refuse, bad, row)
{
	struct maui_err err = { .text = "" };
	int64_t seconds = -77;

	cr_expect(maui_duration_parse(row->text, &seconds, &err) == -1,
		  "'%s': accepted as %" PRId64, row->text, seconds);
	cr_expect(seconds == -77, "'%s': result touched", row->text);
	cr_expect(*err.text, "'%s': no reason given", row->text);
	cr_expect(maui_duration_parse(row->text, &seconds, NULL) == -1,
		  "'%s': accepted without err", row->text);
}

struct form {
	int64_t seconds;
	const char *text;
};

static const struct form forms[] = {
	{ 0, "0" },
	{ 59, "59" },
	{ 60, "1:00" },
	{ 61, "1:01" },
	{ 3599, "59:59" },
	{ 3600, "1:00:00" },
	{ 3661, "1:01:01" },
	{ DAY - 1, "23:59:59" },
	{ DAY, "1:00:00:00" },
	{ 93784, "1:02:03:04" },
	{ -1, "-1" },
	{ -90, "-1:30" },
	{ MAUI_TIME_INFINITY - 1, "24768:12:26:39" },
	{ MAUI_TIME_INFINITY, "INFINITY" },
	{ INT64_MAX, "INFINITY" },
	{ INT64_MIN, "-INFINITY" },
};

TEST_ROWS(duration, format, forms, row)
{
	char buf[MAUI_DURATION_SIZE];

	cr_expect(maui_duration_format(row->seconds, buf, sizeof(buf)) == buf, "%s: not the buffer",
		  row->text);
	cr_expect(!strcmp(buf, row->text), "%s: got %s", row->text, buf);
}

Test(duration, format_keeps_to_its_buffer)
{
	char buf[] = "xxxx";

	maui_duration_format(DAY, buf, 3);
	cr_expect(!strcmp(buf, "1:"), "got '%s'", buf);
	cr_expect(buf[3] == 'x', "wrote past the size");
}

/* Every printed duration is read back as the same: every second of two days, then leaps to the
 * end. */
Test(duration, format_and_parse_agree)
{
	char buf[MAUI_DURATION_SIZE];
	int64_t back;

	for (int64_t s = -1; s <= MAUI_TIME_INFINITY; s += s < 2 * DAY ? 1 : 7919 * 31) {
		maui_duration_format(s, buf, sizeof(buf));
		cr_assert(maui_duration_parse(buf, &back, NULL) == 0 && back == s,
			  "%" PRId64 ": printed as %s", s, buf);
	}
}

Test(duration, long_junk_fits_the_message)
{
	struct maui_err err;
	char *text = malloc(100001);
	int64_t seconds;

	cr_assert(text, "no memory");
	memset(text, 'x', 100000);
	text[100000] = '\0';
	cr_expect(maui_duration_parse(text, &seconds, &err) == -1, "junk accepted");
	cr_expect(strlen(err.text) < 200, "the whole junk is quoted");
	free(text);
}

/* ---- Slurm's ---- */

static const struct good slurm_good[] = {
	{ "30", 30 * MINUTE },
	{ "030", 30 * MINUTE },
	{ "30:10", 30 * MINUTE + 10 },
	{ "2:30:00", 2 * HOUR + 30 * MINUTE },
	{ "00:00:01", 1 },
	{ "1-12", DAY + 12 * HOUR },
	{ "1-12:30", DAY + 12 * HOUR + 30 * MINUTE },
	{ "1-12:30:15", DAY + 12 * HOUR + 30 * MINUTE + 15 },
	{ "0-1", HOUR },
	{ "90:90", 91 * MINUTE + 30 },
	{ "1000000000", 1000000000 * MINUTE },
	{ "1000000000-0:0:1", 1000000000 * DAY + 1 },
	{ "UNLIMITED", INT64_MAX },
	{ "infinite", INT64_MAX },
};

TEST_ROWS(duration, parse_slurm, slurm_good, row)
{
	int64_t seconds = -77;

	cr_assert(maui_duration_parse_slurm(row->text, &seconds) == 0, "%s: refused", row->text);
	cr_expect(seconds == row->seconds, "%s: expected %" PRId64 ", got %" PRId64, row->text,
		  row->seconds, seconds);
}

static const struct bad slurm_bad[] = {
	{ "" },
	{ "0" },
	{ "0:00" },
	{ "0-0" },
	{ "-1" },
	{ "1-" },
	{ "-" },
	{ "x" },
	{ "1-x" },
	{ "1:2:3:4" },
	{ "1-1:2:3:4" },
	{ "1:" },
	{ ":1" },
	{ "1 " },
	{ "1--1" },
	{ "1-1-1" },
	{ "1000000001" },
	{ "x-1" },
	{ "+1" },
	{ "1m" },
	{ "INFINITY" },
	{ "1:1000000001" },
	{ "99999999999999999999-1" },
};

TEST_ROWS(duration, refuse_slurm, slurm_bad, row)
{
	int64_t seconds = -77;

	cr_expect(maui_duration_parse_slurm(row->text, &seconds) == -1 && seconds == -77,
		  "'%s': accepted as %" PRId64, row->text, seconds);
}

/* ---- as users see them ---- */

struct shown {
	int64_t seconds;
	const char *maui, *squeue, *plain, *words, *difference;
};

static const struct shown shown[] = {
	{ 0, "00:00:00", "0:00", "0 s", "0 s", "+00:00:00" },
	{ 59, "00:00:59", "0:59", "59 s", "59 s", "+00:00:59" },
	{ 65, "00:01:05", "1:05", "1 m", "1 min", "+00:01:05" },
	{ HOUR - 1, "00:59:59", "59:59", "59 m", "59 min", "+00:59:59" },
	{ HOUR, "1:00:00", "1:00:00", "1 h 00 m", "1 h", "+01:00:00" },
	{ 2 * HOUR + 5 * MINUTE, "2:05:00", "2:05:00", "2 h 05 m", "2 h 5 min", "+02:05:00" },
	{ DAY - 1, "23:59:59", "23:59:59", "23 h 59 m", "23 h 59 min", "+23:59:59" },
	{ DAY, "1:00:00:00", "1-00:00:00", "24 h 00 m", "1 d", "+1:00:00:00" },
	{ 76 * HOUR, "3:04:00:00", "3-04:00:00", "3 d 4 h", "3 d 4 h", "+3:04:00:00" },
	{ -65, "-00:01:05", "0:00", "-65 s", "-65 s", "-00:01:05" },
	{ -2 * HOUR, "-2:00:00", "0:00", "-7200 s", "-7200 s", "-02:00:00" },
	{ INT64_MAX, "INFINITY", "106751991167300-15:30:07", "106751991167300 d 15 h",
	  "without end", "+106751991167300:15:30:07" },
	{ INT64_MIN, "-106751991167300:15:30:08", "0:00", "-9223372036854775808 s",
	  "-9223372036854775808 s", "-106751991167300:15:30:08" },
};

static void is_shown(const char *(*print)(int64_t seconds, char *buf, size_t size), int64_t seconds,
		     const char *expected)
{
	char buf[MAUI_DURATION_SIZE], small[4];

	cr_expect(print(seconds, buf, sizeof(buf)) == buf, "%s: not the buffer", expected);
	cr_expect(!strcmp(buf, expected), "%s: got %s", expected, buf);
	print(seconds, small, sizeof(small));
	cr_expect(!strncmp(small, expected, 3) && !small[3], "%s: got %s", expected, small);
}

TEST_ROWS(duration, forms_of_users, shown, row)
{
	is_shown(maui_duration_as_maui, row->seconds, row->maui);
	is_shown(maui_duration_as_squeue, row->seconds, row->squeue);
	is_shown(maui_duration_plain, row->seconds, row->plain);
	is_shown(maui_duration_in_words, row->seconds, row->words);
	is_shown(maui_duration_difference, row->seconds, row->difference);
}
