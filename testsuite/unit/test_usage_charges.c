/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_usage_charges.c - jobs as polling sees them, and what is charged for them
 *
 * Rules: FS-2, FS-10, FS-11.
 */
#include "cycle/usage_charges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parsed.h"
#include "rows.h"

#define HOUR INT64_C(3600)
/* Mon Oct 21 2024 00:00 UTC: where a window of an hour begins */
#define T      INT64_C(1729468800)

#define HOURLY "FSINTERVAL 1:00:00\nFSDEPTH 4\nFSDECAY 1\n"
static const char dedicated_ps[] = "FSPOLICY DEDICATEDPS\n" HOURLY;
static const char dedicated_pes[] = "FSPOLICY DEDICATEDPES\n" HOURLY;
static const char utilized_ps[] = "FSPOLICY UTILIZEDPS\n" HOURLY;
static const char none[] = "FSPOLICY NONE\n" HOURLY;

static const struct maui_totals totals = { .procs = 100, .mem_mb = 1000, .disk_mb = 500 };
static const char *const cred[MAUI_CRED_COUNT] = { "amy", "phys", "acc", NULL, "batch" };

/* ---- what each poll sees of a job, and what must be charged after it ---- */

enum event { POLL, FIRST, RESTART }; /* a poll, that of the very first start, after a restart */

struct look {
	enum event event;
	int64_t submit_s, start_s, ran_s, until_s; /* but ran_s: after T; start 0: none */
	int64_t charged_s;                         /* in its history, after this look */
	double total;                              /* in all windows, after this look */
	bool restarted;
	const char *conf;     /* in force from this look on; NULL: as before */
	double procs, mem_mb; /* 0: 4 and nothing */
	bool suspended;
};

struct life {
	const char *name;
	struct look looks[7]; /* up to one without until_s */
	double hours[4];      /* in the window of each hour after T, at the end */
};

static const struct life lives[] = {
	{ "waits",
	  { { POLL, 10, 0, 0, .until_s = 60 }, { POLL, 10, 0, 0, .until_s = 120 } },
	  { 0 } },
	{ "captured running from poll to poll, and its end",
	  { { POLL, 10, 0, 0, .until_s = 60 },
	    { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 80, 100, 180, 100, .total = 400 },
	    { POLL, 10, 80, 117, 197, 117, .total = 468 },
	    { POLL, 10, 80, 117, 197, 117, .total = 468 } },
	  { 468 } },
	{ "came and went between two polls",
	  { { POLL, 10, 70, 7, 77, 7, .total = 28 }, { POLL, 10, 70, 7, 77, 7, .total = 28 } },
	  { 28 } },
	{ "ended in the second in which it began",
	  { { POLL, 10, 70, 0, 70, 0, .total = 0 } },
	  { 0 } },
	{ "at the very first start: earlier running time is not charged",
	  { { FIRST, 10, 80, 1000, 1080, 1000, .total = 0 },
	    { POLL, 10, 80, 1060, 1140, 1060, .total = 240 },
	    { POLL, 10, 80, 1070, 1150, 1070, .total = 280 } },
	  { 280 } },
	{ "at the very first start: waiting, later runs",
	  { { FIRST, 10, 0, 0, .until_s = 60 }, { POLL, 10, 80, 40, 120, 40, .total = 160 } },
	  { 160 } },
	{ "at the very first start: ended already",
	  { { FIRST, 10, 80, 40, 120, 40, .total = 0 }, { POLL, 10, 80, 40, 120, 40, .total = 0 } },
	  { 0 } },
	{ "across a restart: nothing twice, nothing lost",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { RESTART, 10, 80, 140, 220, 140, .total = 560 },
	    { RESTART, 10, 80, 150, 230, 150, .total = 600 } },
	  { 600 } },
	{ "ended between polls, after a restart",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { RESTART, 10, 80, 45, 125, 45, .total = 180 } },
	  { 180 } },
	{ "requeued: a new run under the same submit time",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 0, 0, 180, 40, .total = 160 },
	    { POLL, 10, 200, 20, 220, 20, .total = 240, .restarted = true },
	    { POLL, 10, 200, 80, 280, 80, .total = 480, .restarted = true } },
	  { 480 } },
	{ "requeued: with a new submit time, as slurmctld gives it",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 130, 0, 0, 180, 0, .total = 160, .restarted = true },
	    { POLL, 130, 200, 20, 220, 20, .total = 240, .restarted = true } },
	  { 240 } },
	{ "requeued between two polls: the second run is as long as the first was",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 130, 140, 40, 180, 40, .total = 320, .restarted = true } },
	  { 320 } },
	{ "suspended: that time is not charged",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 80, 50, 130, 50, .total = 200 },
	    { POLL, 10, 80, 50, 130, 50, .total = 200 },
	    { POLL, 10, 80, 55, 305, 55, .total = 220 },
	    { POLL, 10, 80, 60, 310, 60, .total = 240 } },
	  { 240 } },
	{ "suspended over a window boundary: charged to the windows in which it ran",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 80, 50, 130, 50, .total = 200 },
	    { POLL, 10, 80, 70, HOUR + 20, 70, .total = 280 } },
	  { 200, 80 } },
	{ "the id is reused by another job",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 300, 0, 0, 360, 0, .total = 160 },
	    { POLL, 300, 310, 30, 340, 30, .total = 280 } },
	  { 280 } },
	{ "the id is reused by a job that started in the same second",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 20, 80, 40, 120, 40, .total = 320 } },
	  { 320 } },
	{ "the clock went backwards: charging resumes at the old time",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 80, 10, 90, 40, .total = 160 },
	    { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 80, 42, 122, 42, .total = 168 } },
	  { 168 } },
	{ "the clock went backwards, then suspended: charged again from its resume on",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 80, 10, 90, 40, .total = 160 },
	    { POLL, 10, 80, 15, 95, 15, .total = 160, .suspended = true },
	    { POLL, 10, 80, 15, 95, 15, .total = 160, .suspended = true },
	    { POLL, 10, 80, 22, HOUR + 7, 22, .total = 188 } },
	  { 160, 28 } },
	{ "FSPOLICY NONE, then on: earlier running time is not charged later",
	  { { POLL, 10, 80, 40, 120, 40, .total = 0, .conf = none },
	    { POLL, 10, 80, 100, 180, 100, .total = 0 },
	    { POLL, 10, 80, 110, 190, 110, .total = 40, .conf = dedicated_ps } },
	  { 40 } },
	{ "FSPOLICY off in between",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 80, 100, 180, 100, .total = 160, .conf = none },
	    { POLL, 10, 80, 110, 190, 110, .total = 200, .conf = dedicated_ps } },
	  { 200 } },
	{ "DEDICATEDPES: half of the memory is half of the cluster",
	  { { POLL, 10, 80, 40, 120, 40, .total = 2000, .conf = dedicated_pes, .procs = 4,
	      .mem_mb = 500 } },
	  { 2000 } },
	{ "DEDICATEDPES: more processors than memory",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160, .conf = dedicated_pes, .procs = 4,
	      .mem_mb = 10 } },
	  { 160 } },
	{ "DEDICATEDPS: memory does not count",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160, .conf = dedicated_ps, .procs = 4,
	      .mem_mb = 500 } },
	  { 160 } },
	{ "UTILIZEDPS: as DEDICATEDPS (FS-2)",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160, .conf = utilized_ps, .procs = 4,
	      .mem_mb = 500 } },
	  { 160 } },
	{ "grew while it ran: the rest at the new rate",
	  { { POLL, 10, 80, 40, 120, 40, .total = 160 },
	    { POLL, 10, 80, 50, 130, 50, .total = 260, .procs = 10 } },
	  { 260 } },
	{ "across a window boundary, in one look",
	  { { POLL, 10, HOUR - 30, 100, HOUR + 70, 100, .total = 400 } },
	  { 120, 280 } },
	{ "across a window boundary, captured on both sides",
	  { { POLL, 10, HOUR - 30, 20, HOUR - 10, 20, .total = 80 },
	    { POLL, 10, HOUR - 30, 40, HOUR + 10, 40, .total = 160 } },
	  { 120, 40 } },
	{ "to the very end of a window",
	  { { POLL, 10, HOUR - 30, 30, HOUR, 30, .total = 120 },
	    { POLL, 10, HOUR - 30, 31, HOUR + 1, 31, .total = 124 } },
	  { 120, 4 } },
	{ "over three windows, ended before it was captured",
	  { { POLL, 10, HOUR - 1, HOUR + 2, 2 * HOUR + 1, HOUR + 2, .total = 14408 } },
	  { 4, 14400, 4 } },
};

/* ---- the polls ---- */

struct world {
	struct maui_job_histories histories;
	struct maui_usage usage;
	struct maui_config *config;
};

/* What a restart of the daemon does to the histories: to the file's text and back. */
static void restart(struct world *w)
{
	struct maui_store store = { .saved_s = T }, read = { 0 };
	struct maui_strbuf text = { 0 };

	cr_assert(maui_job_histories_to_store(&w->histories, &store) == 0);
	maui_store_format(&store, &text);
	maui_job_histories_finish(&w->histories);
	cr_assert(maui_store_parse(text.text, text.length, &read, NULL) == 0);
	cr_assert(maui_job_histories_from_store(&w->histories, &read, T) == 0);
	maui_strbuf_finish(&text);
	maui_store_finish(&store);
	maui_store_finish(&read);
}

static struct maui_job_history *look(struct world *w, const struct look *look)
{
	struct maui_captured_job captured = {
		.job_id = 17,
		.restarted = look->restarted,
		.submit_s = T + look->submit_s,
		.state = look->start_s ? MAUI_CAPTURED_ACTIVE : MAUI_CAPTURED_PENDING,
		.start_s = look->start_s ? T + look->start_s : 0,
		.ran_s = look->ran_s,
		.until_s = T + look->until_s,
		.procs = look->procs != 0 ? look->procs : 4,
		.mem_mb = look->mem_mb,
		.suspended = look->suspended,
	};
	struct maui_job_history_key key = { .job_id = 17,
					    .submit_s = captured.submit_s,
					    .restarted = look->restarted };
	struct maui_job_history *history;

	if (look->conf) {
		maui_config_unref(w->config);
		w->config = PARSE_GOOD(look->conf);
	}
	if (look->event == RESTART)
		restart(w);
	history = maui_job_histories_get(&w->histories, &key, captured.until_s);
	cr_assert(history != NULL);
	cr_assert(maui_usage_charge_job(&w->usage, w->config, history, &captured, cred,
					MAUI_CRED_IDS, &totals, look->event == FIRST) == 0);
	return history;
}

static double charged(const struct maui_usage *usage)
{
	double total = 0;

	for (size_t i = 0; i < usage->count; i++)
		total += usage->windows[i].total;
	return total;
}

/* Checks that the windows contain this and nothing else: each credential has the same as the
 * total. */
static void expect_hours(const struct life *row, const struct maui_usage *usage)
{
	double found = 0;

	for (size_t i = 0; i < usage->count; i++) {
		const struct maui_usage_window *window = &usage->windows[i];
		int64_t hour = (window->start_s - T) / HOUR;

		cr_assert(hour >= 0 && hour < 4 && window->start_s == T + hour * HOUR, "%s",
			  row->name);
		cr_expect(window->interval_s == HOUR, "%s", row->name);
		cr_expect(window->total == row->hours[hour], "%s: hour %d has %g, not %g",
			  row->name, (int)hour, window->total, row->hours[hour]);
		for (int k = 0; k < MAUI_CRED_COUNT; k++)
			cr_expect(!cred[k] || maui_usage_get(window, (enum maui_cred_kind)k,
							     cred[k]) == window->total,
				  "%s: %s", row->name, cred[k] ? cred[k] : "");
		cr_expect(window->entries.used == MAUI_CRED_COUNT - 1, "%s: it has no QOS",
			  row->name);
		found += window->total;
	}
	for (int hour = 0; hour < 4; hour++)
		found -= row->hours[hour];
	cr_expect(fabs(found) < 1e-9, "%s: a window is missing", row->name);
}

TEST_ROWS(ledger, life, lives, row)
{
	struct world w = { .config = PARSE_GOOD(dedicated_ps) };

	for (size_t i = 0; i < 7 && row->looks[i].until_s; i++) {
		const struct maui_job_history *history = look(&w, &row->looks[i]);

		cr_expect(history->charged_s == row->looks[i].charged_s,
			  "%s: look %zu: %lld s charged, not %lld", row->name, i,
			  (long long)history->charged_s, (long long)row->looks[i].charged_s);
		cr_expect(charged(&w.usage) == row->looks[i].total,
			  "%s: look %zu: %g in the windows, not %g", row->name, i,
			  charged(&w.usage), row->looks[i].total);
		cr_expect(row->looks[i].start_s == 0 || history->run_s == T + row->looks[i].start_s,
			  "%s: look %zu", row->name, i);
	}
	expect_hours(row, &w.usage);
	maui_usage_finish(&w.usage);
	maui_job_histories_finish(&w.histories);
	maui_config_unref(w.config);
}

/* A run is charged the same however often it is looked at. */
Test(ledger, polls_do_not_matter)
{
	static const int64_t polls[] = { 1, 7, 30, 600, 3600, 10000 };

	for (size_t p = 0; p < sizeof(polls) / sizeof(polls[0]); p++) {
		struct world w = { .config = PARSE_GOOD(dedicated_ps) };
		struct look captured = { .submit_s = 1, .start_s = 1000 };

		for (int64_t now = 1000; now < 11000 + polls[p]; now += polls[p]) {
			captured.until_s = now < 11000 ? now : 11000;
			captured.ran_s = captured.until_s - captured.start_s;
			look(&w, &captured);
		}
		cr_expect(charged(&w.usage) == 4 * 10000, "a poll every %lld s: %g",
			  (long long)polls[p], charged(&w.usage));
		cr_expect(w.usage.count == 4);
		cr_expect(w.usage.windows[3].total == 4 * 2600 &&
				  w.usage.windows[2].total == 4 * 3600 &&
				  w.usage.windows[0].total == 4 * 200,
			  "a poll every %lld s", (long long)polls[p]);
		maui_usage_finish(&w.usage);
		maui_job_histories_finish(&w.histories);
		maui_config_unref(w.config);
	}
}
