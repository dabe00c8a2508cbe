/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fsfile.c - reads and writes FS.<epoch> files in Maui's text format (Maui manual 6.3.2.3)
 *
 * Rules: FS-9, FS-10.
 */
#include "state/fsfile.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "rows.h"

#define START INT64_C(1729900800)
#define NAME  "FS.1729900800"

/* ---- names ---- */

struct name {
	const char *name;
	int64_t start;
};

static const struct name names[] = {
	{ "FS.1729900800", 1729900800 },
	{ "FS.0", 0 },
	{ "FS.", -1 },
	{ "FS.x", -1 },
	{ "FS.-5", -1 },
	{ "FS.+5", -1 },
	{ "FS. 5", -1 },
	{ "FS.5.bad", -1 },
	{ "FS.5.new", -1 },
	{ "FS.5~", -1 },
	{ "fs.5", -1 },
	{ "maui.state", -1 },
	{ "FS.007", -1 }, /* or two files would be one window */
	{ "FS.99999999999999999999", -1 },
};

TEST_ROWS(fsfile, start, names, row)
{
	int64_t got = maui_fsfile_start(row->name);

	cr_expect(got == row->start, "%s: expected %" PRId64 ", got %" PRId64, row->name,
		  row->start, got);
}

/* ---- reading ---- */

struct read {
	struct maui_usage_window window;
	struct maui_diags diags;
	char said[2048];
	int rc;
};

static struct read read_bytes(const char *text, size_t length)
{
	struct read r = { .window = { .start_s = START, .interval_s = 12345 } };
	size_t at = 0;

	r.rc = maui_fsfile_parse(NAME, text, length, &r.window, &r.diags);
	for (size_t i = 0; i < r.diags.count && at + 256 < sizeof(r.said); i++) {
		at += maui_diag_format(&r.diags.list[i], r.said + at, sizeof(r.said) - at - 1);
		at = at < sizeof(r.said) - 1 ? at : sizeof(r.said) - 2;
		r.said[at++] = '\n';
	}
	return r;
}

static void read_finish(struct read *r)
{
	maui_usage_window_finish(&r->window);
	maui_diags_finish(&r->diags);
}

/* The manual's sample, with the total in two words; then as Maui itself writes it, in three. */
static const char manual_sample[] =
	"# Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00\n\n"
	"User USERA 150000.000\nUser USERB 150000.000\nUser USERC 200000.000\n"
	"User USERD 100000.000\nGroup GROUPA 350000.000\nGroup GROUPB 250000.000\n"
	"Account ACCTA 300000.000\nAccount ACCTB 200000.000\nAccount ACCTC 100000.000\n"
	"QOS 0 50000.000\nQOS 1 450000.000\nQOS 2 100000.000\nTOTAL 600000.00\n";

static const char maui_sample[] =
	"# FS Data File (Duration:  172800 seconds)  Starting: Fri Aug 18 18:00:00\n"
	"user      USERA 150000.000\nuser USERB 150000.000\nuser USERC 200000.000\n"
	"user USERD 100000.000\ngroup GROUPA 350000.000\ngroup GROUPB 250000.000\n"
	"acct accta 300000.000\nacct acctb 200000.000\nacct acctc 100000.000\n"
	"qos 0 50000.000\nqos 1 450000.000\nqos 2 100000.000\n"
	"class batch 600000\nsched maui 600000.000\n";

Test(fsfile, samples)
{
	static const char *const samples[] = { manual_sample, maui_sample };

	for (size_t i = 0; i < 2; i++) {
		struct read r = read_bytes(samples[i], strlen(samples[i]));
		const struct maui_usage_window *w = &r.window;

		cr_expect(r.rc == 0, "%zu: %s", i, r.said);
		cr_expect(w->start_s == START && w->interval_s == 172800 && w->total == 600000);
		cr_expect(maui_usage_get(w, MAUI_CRED_USER, "USERC") == 200000);
		cr_expect(maui_usage_get(w, MAUI_CRED_GROUP, "GROUPA") == 350000);
		cr_expect(maui_usage_get(w, MAUI_CRED_ACCOUNT, "acctc") == 100000);
		cr_expect(maui_usage_get(w, MAUI_CRED_QOS, "1") == 450000);
		cr_expect(w->entries.used == 12 + i && !w->dirty);
		read_finish(&r);
	}
}

struct line {
	const char *name, *text;
	double amy, total;
	int64_t interval;
	const char *said; /* part of the diagnostic; NULL: the file is good */
};

#define TOTAL "\nTOTAL 100\n"
/* The result of reading a file with one unusual line. */
#define JUNK(line, said) 40, 100, 12345, NAME ":" line ": error: " said

static const struct line lines[] = {
	{ "plain", "user amy 40" TOTAL, 40, 100, 12345, NULL },
	{ "any case", "USER amy 40" TOTAL, 40, 100, 12345, NULL },
	{ "tabs, CR LF", "user\tamy  40 \r" TOTAL, 40, 100, 12345, NULL },
	{ "comments and blank lines", "# x\n\n  # user amy 7\nuser amy 40" TOTAL, 40, 100, 12345,
	  NULL },
	{ "both totals", "user amy 40\nsched ALL 100" TOTAL, 40, 100, 12345, NULL },
	{ "total in three words", "user amy 40\nSched x 100", 40, 100, 12345, NULL },
	{ "no newline at the end", "user amy 40\nTOTAL 100", 40, 100, 12345, NULL },
	{ "zero", "user amy 0.000" TOTAL, 0, 100, 12345, NULL },
	{ "more digits than are written", "user amy 40.00000000000000000001" TOTAL, 40, 100, 12345,
	  NULL },
	{ "duration", "# FS Data File (Duration: 3600 seconds)\nuser amy 40" TOTAL, 40, 100, 3600,
	  NULL },
	{ "charged until",
	  "# FS Data File (Duration: 3600 seconds)  Starting: x  Charged until: 5\nuser amy 40" TOTAL,
	  40, 100, 3600, NULL },
	{ "a user called TOTAL", "user TOTAL 5\nuser amy 40" TOTAL, 40, 100, 12345, NULL },
	{ "an escaped name", "user a%6Dy 40" TOTAL, 40, 100, 12345, NULL },
	/* an invalid line is reported and skipped; the valid lines count */
	{ "negative", "user bob -3\nuser amy 40" TOTAL, JUNK("1", "not an amount") },
	{ "infinite", "user amy 40\nuser bob inf" TOTAL, JUNK("2", "not an amount") },
	{ "not a number", "user bob nan\nuser amy 40" TOTAL, JUNK("1", "not an amount") },
	{ "hexadecimal", "user bob 0x10\nuser amy 40" TOTAL, JUNK("1", "not an amount") },
	{ "exponent", "user bob 1e3\nuser amy 40" TOTAL, JUNK("1", "not an amount") },
	{ "huge", "user bob 99999999999999999999\nuser amy 40" TOTAL, JUNK("1", "not an amount") },
	{ "a point alone", "user bob .\nuser amy 40" TOTAL, JUNK("1", "not an amount") },
	{ "text", "user bob many\nuser amy 40" TOTAL, JUNK("1", "not an amount") },
	{ "unknown type", "host bob 3\nuser amy 40" TOTAL, JUNK("1", "unknown type") },
	{ "two words", "user bob\nuser amy 40" TOTAL, JUNK("1", "line without a value") },
	{ "one word", "user\nuser amy 40" TOTAL, JUNK("1", "line without a value") },
	{ "four words", "user bob 3 4\nuser amy 40" TOTAL, JUNK("1", "more than three") },
	{ "a name twice", "user amy 40\nuser amy 3" TOTAL, JUNK("2", "a name twice") },
	{ "control character",
	  "user b\x1b"
	  "ob 3\nuser amy 40" TOTAL,
	  JUNK("1", "control character") },
	{ "bad total", "user amy 40\nTOTAL -5\n", 40, 40, 12345, NAME ":2: error: not an amount" },
	{ "total cut off", "user amy 40\nuser bob 50\nTOTAL 9", 40, 90, 12345,
	  NAME ": error: total less" },
	{ "total rounded down", "user amy 40\nuser bob 50.4\nTOTAL 90", 40, 90, 12345, NULL },
	{ "bad duration", "# (Duration: -5 seconds)\nuser amy 40" TOTAL,
	  JUNK("1", "no usable duration") },
	/* a file without a total was not written to its end */
	{ "no total", "user amy 40\nuser bob 5\ngroup g 44\n", 40, 45, 12345,
	  NAME ": error: no total" },
	{ "empty", "", 0, 0, 12345, NAME ": error: no total" },
	{ "header only", "# FS Data File (Duration: 3600 seconds)\n", 0, 0, 3600,
	  NAME ": error: no total" },
};

TEST_ROWS(fsfile, line, lines, row)
{
	struct read r = read_bytes(row->text, strlen(row->text));
	double amy = maui_usage_get(&r.window, MAUI_CRED_USER, "amy");

	cr_expect(amy == row->amy && r.window.total == row->total &&
			  r.window.interval_s == row->interval,
		  "%s: got %g of %g, interval %" PRId64, row->name, amy, r.window.total,
		  r.window.interval_s);
	cr_expect((r.rc == 0) == !row->said, "%s: %d, %s", row->name, r.rc, r.said);
	cr_expect(strncmp(r.said, row->said ? row->said : "", row->said ? strlen(row->said) : 1) ==
			  0,
		  "%s: said %s", row->name, r.said);
	read_finish(&r);
}

Test(fsfile, nul_and_long_names)
{
	static const char nul[] = "user b\0ob 3\nuser amy 40\nTOTAL 100\n";
	struct read r = read_bytes(nul, sizeof(nul) - 1);
	char text[4096];

	cr_expect(r.rc == -1 && strstr(r.said, NAME ":1: error: control character"), "%s", r.said);
	cr_expect(maui_usage_get(&r.window, MAUI_CRED_USER, "amy") == 40);
	read_finish(&r);
	snprintf(text, sizeof(text), "user %0*d 3\nuser %0*d 4\nTOTAL 7\n", MAUI_NAME_MAX, 1,
		 MAUI_NAME_MAX + 1, 1);
	r = read_bytes(text, strlen(text));
	cr_expect(r.rc == -1 && strstr(r.said, NAME ":2: error: name too long"), "%s", r.said);
	cr_expect(r.window.entries.used == 1);
	read_finish(&r);
}

/* Every beginning of a file: no crash, and no beginning is accepted that lacks more than the
 * last zeros. */
Test(fsfile, truncated)
{
	for (size_t length = 0; length < strlen(maui_sample); length++) {
		struct read r = read_bytes(maui_sample, length);

		cr_expect(r.rc == -1 || r.window.total == 600000, "%zu bytes are good", length);
		read_finish(&r);
	}
}

Test(fsfile, binary)
{
	uint64_t seed = 6;

	for (int round = 0; round < 500; round++) {
		char bytes[300];
		struct read r;

		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			bytes[i] = (char)(seed >> 40);
		}
		r = read_bytes(bytes, sizeof(bytes));
		cr_expect(r.rc == -1, "round %d", round);
		cr_expect(r.window.entries.used == 0 && r.window.total == 0);
		read_finish(&r);
	}
}

/* ---- writing ---- */

static const char written[] =
	"# FS Data File (Duration: 43200 seconds)  Starting: "
	"Sat Oct 26 00:00:00 2024 UTC\nuser amy 40.500\nuser bob 60.000\ngroup phys 100.500\n"
	"acct acc 100.500\nqos hi 0.001\nclass batch 100.500\n"
	"sched ALL 100.500\nTOTAL 100.500\n";

static void fill(struct maui_usage_window *w, bool backwards)
{
	static const struct {
		enum maui_cred_kind kind;
		const char *name;
		double value;
	} entries[] = {
		{ MAUI_CRED_USER, "bob", 60 },       { MAUI_CRED_CLASS, "batch", 100.5 },
		{ MAUI_CRED_USER, "amy", 40.5 },     { MAUI_CRED_QOS, "hi", 0.001 },
		{ MAUI_CRED_ACCOUNT, "acc", 100.5 }, { MAUI_CRED_GROUP, "phys", 100.5 },
		{ MAUI_CRED_USER, "idle", 0 },       { MAUI_CRED_QOS, "almost", 0.0001 },
	};
	size_t count = sizeof(entries) / sizeof(entries[0]);

	*w = (struct maui_usage_window){ .start_s = START, .interval_s = 43200, .total = 100.5 };
	for (size_t i = 0; i < count; i++) {
		size_t at = backwards ? count - 1 - i : i;

		cr_assert(maui_usage_add(w, entries[at].kind, entries[at].name,
					 entries[at].value) == 0);
	}
}

/* The order of adding does not change the bytes. */
Test(fsfile, format)
{
	for (int backwards = 0; backwards < 2; backwards++) {
		struct maui_usage_window w;
		struct maui_strbuf out = { 0 };

		fill(&w, backwards);
		maui_fsfile_format(&w, &out);
		cr_assert(!out.failed && out.text != NULL);
		cr_expect(strcmp(out.text, written) == 0, "expected\n%sgot\n%s", written, out.text);
		maui_strbuf_finish(&out);
		maui_usage_window_finish(&w);
	}
}

static const struct {
	const char *header;
	int64_t until;
} headers[] = {
	{ "# FS Data File (Duration: 3600 seconds)  Starting: x  Charged until: 1729900900",
	  1729900900 },
	{ "# charged UNTIL: 7", 7 },
	{ "# FS Data File (Duration: 3600 seconds)  Starting: x", 0 },
	{ "# Charged until: -7", 0 },
	{ "# Charged until: soon", 0 },
	{ "# Charged until: 99999999999999999999", 0 },
};

/* FS-10: until when a file is charged; what is no such moment is as in a file of Maui. */
Test(fsfile, charged_until)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		char text[256];
		struct maui_strbuf out = { 0 };
		struct read r, again;

		snprintf(text, sizeof(text), "%s\nuser amy 40\nTOTAL 100\n", headers[i].header);
		r = read_bytes(text, strlen(text));
		cr_expect(r.rc == 0 && r.window.charged_until_s == headers[i].until, "%s: %" PRId64,
			  text, r.window.charged_until_s);
		maui_fsfile_format(&r.window, &out);
		cr_expect((strstr(out.text, "Charged until") != NULL) == (headers[i].until > 0));
		again = read_bytes(out.text, out.length);
		cr_expect(again.window.charged_until_s == headers[i].until, "%s", out.text);
		maui_strbuf_finish(&out);
		read_finish(&r);
		read_finish(&again);
	}
}

/* Names from other user databases: blanks, signs, other alphabets, a name like a comment. */
static const char *const odd_names[] = {
	"domain users", "a\tb",  " lead",         "100%", "%20",  "%",    "%zz", "#hash",
	"TOTAL",        "sched", "m\xc3\xbcller", "a=b",  "x\ny", "\x7f", "\\",
};

Test(fsfile, round_trip)
{
	struct maui_usage_window w = { .start_s = START, .interval_s = 3600, .total = 1e12 + 0.5 };
	struct maui_strbuf first = { 0 }, second = { 0 };
	struct read r;

	for (size_t i = 0; i < sizeof(odd_names) / sizeof(odd_names[0]); i++)
		for (int k = 0; k < MAUI_CRED_COUNT; k++)
			if (k != MAUI_CRED_ACCOUNT || strcmp(odd_names[i], "TOTAL") != 0)
				cr_assert(maui_usage_add(&w, (enum maui_cred_kind)k, odd_names[i],
							 (double)(i + 1) * 1000.125) == 0);
	maui_fsfile_format(&w, &first);
	r = read_bytes(first.text, first.length);
	cr_expect(r.rc == 0, "%s of\n%s", r.said, first.text);
	cr_expect(r.window.total == w.total && r.window.interval_s == 3600);
	for (size_t i = 0; i < sizeof(odd_names) / sizeof(odd_names[0]); i++)
		cr_expect(maui_usage_get(&r.window, MAUI_CRED_GROUP, odd_names[i]) ==
				  (double)(i + 1) * 1000.125,
			  "%s", odd_names[i]);
	maui_fsfile_format(&r.window, &second);
	cr_expect(strcmp(first.text, second.text) == 0, "first\n%sthen\n%s", first.text,
		  second.text);
	read_finish(&r);
	maui_strbuf_finish(&first);
	maui_strbuf_finish(&second);
	maui_usage_window_finish(&w);
}
