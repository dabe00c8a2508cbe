/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_backfill.c - the backfill policies alone, with a host that counts processors
 *
 * Windows as "procs x seconds", jobs as "procs x limit", in priority order; `*` means no end. Views
 * are separated by "|"; "@1" behind a job: it has the second view.
 *
 * Rules: BF-5, BF-6, BF-7, BF-8.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "config/planning.h"
#include "policy/backfill.h"
#include "rows.h"

enum { MOST = 16 };

static const struct row {
	const char *name;
	struct maui_bf_rules rules;
	const char *windows, *jobs, *refused, *started;
} rows[] = {
	{ "FIRSTFIT: priority order",
	  { .policy = MAUI_BACKFILL_FIRSTFIT },
	  "4x100",
	  "3x50 2x50 1x50",
	  "",
	  "0 2" },
	{ "widest window first",
	  { .policy = MAUI_BACKFILL_FIRSTFIT },
	  "4x10 2x*",
	  "2x100 4x10 1x10",
	  "",
	  "1" },
	{ "processors left in the narrower window",
	  { .policy = MAUI_BACKFILL_FIRSTFIT },
	  "4x10 2x*",
	  "2x100 2x10 1x10",
	  "",
	  "1 2" },
	{ "BACKFILLDEPTH counts jobs that fit",
	  { .policy = MAUI_BACKFILL_FIRSTFIT, .depth = 2 },
	  "4x100",
	  "9x10 1x10 4x200 1x10 1x10",
	  "",
	  "1 3" },
	{ "a candidate is not replaced after a start (BF-5)",
	  { .policy = MAUI_BACKFILL_FIRSTFIT, .depth = 2 },
	  "4x100",
	  "3x10 3x10 1x10",
	  "",
	  "0" },
	{ "BESTFIT by processors",
	  { .policy = MAUI_BACKFILL_BESTFIT },
	  "4x100",
	  "1x10 3x10 2x10",
	  "",
	  "1 0" },
	{ "BESTFIT: of equals the higher priority",
	  { .policy = MAUI_BACKFILL_BESTFIT },
	  "2x100",
	  "1x10 2x10 2x20",
	  "",
	  "1" },
	{ "BESTFIT by seconds",
	  { .policy = MAUI_BACKFILL_BESTFIT, .metric = MAUI_METRIC_SECONDS },
	  "2x100",
	  "2x10 1x50 1x90",
	  "",
	  "2 1" },
	{ "BESTFIT by processor-seconds",
	  { .policy = MAUI_BACKFILL_BESTFIT, .metric = MAUI_METRIC_PROCSECONDS },
	  "3x100",
	  "3x10 2x50 1x60",
	  "",
	  "1 2" },
	{ "BESTFIT by nodes: a job of four processors counts one node",
	  { .policy = MAUI_BACKFILL_BESTFIT, .metric = MAUI_METRIC_NODES },
	  "8x100",
	  "4x10 5x10 3x10",
	  "",
	  "1 2" },
	{ "BESTFIT tries the next job if no nodes suit",
	  { .policy = MAUI_BACKFILL_BESTFIT },
	  "4x100",
	  "1x10 3x10 2x10",
	  "1",
	  "2 0" },
	{ "GREEDY: the fullest set",
	  { .policy = MAUI_BACKFILL_GREEDY, .max_schedules = 10000 },
	  "5x100",
	  "4x10 3x10 2x10",
	  "",
	  "1 2" },
	{ "GREEDY: of equal sets that with the higher priority (BF-6)",
	  { .policy = MAUI_BACKFILL_GREEDY, .max_schedules = 10000 },
	  "4x100",
	  "3x10 2x10 2x10 1x10",
	  "",
	  "0 3" },
	{ "GREEDY falls back to BESTFIT when a start fails",
	  { .policy = MAUI_BACKFILL_GREEDY, .max_schedules = 10000 },
	  "5x100",
	  "1x10 3x10 2x10",
	  "1",
	  "2 0" },
	{ "GREEDY with one attempt takes the first set in priority order",
	  { .policy = MAUI_BACKFILL_GREEDY, .max_schedules = 1 },
	  "5x100",
	  "4x10 3x10 2x10",
	  "",
	  "0" },
	{ "PREEMPT in priority order",
	  { .policy = MAUI_BACKFILL_PREEMPT },
	  "2x*",
	  "1x50 1x10 1x5",
	  "",
	  "0 1" },
	{ "PREEMPT, DURATION",
	  { .policy = MAUI_BACKFILL_PREEMPT, .order = MAUI_BF_ORDER_DURATION },
	  "2x*",
	  "1x50 1x10 1x5",
	  "",
	  "2 1" },
	{ "PREEMPT, HWDURATION",
	  { .policy = MAUI_BACKFILL_PREEMPT, .order = MAUI_BF_ORDER_HWDURATION },
	  "3x*",
	  "3x10 1x20 1x25",
	  "",
	  "1 2" },
	{ "NONE", { .policy = MAUI_BACKFILL_NONE }, "4x100", "1x1", "", "" },
	{ "chunking: small jobs behind a large job wait",
	  { .policy = MAUI_BACKFILL_FIRSTFIT, .chunking = true, .chunk_size = 4 },
	  "3x*",
	  "1x10 4x10 1x10 5x10",
	  "",
	  "0" },
	{ "chunking: too long is not too large (BF-8)",
	  { .policy = MAUI_BACKFILL_FIRSTFIT, .chunking = true, .chunk_size = 2 },
	  "3x10",
	  "2x50 1x10",
	  "",
	  "1" },
	{ "chunking begins again in the next window",
	  { .policy = MAUI_BACKFILL_FIRSTFIT, .chunking = true, .chunk_size = 4 },
	  "5x10 3x*",
	  "4x5 1x5",
	  "",
	  "0 1" },
	{ "chunking is FIRSTFIT's alone",
	  { .policy = MAUI_BACKFILL_BESTFIT, .chunking = true, .chunk_size = 4 },
	  "3x*",
	  "4x10 1x10",
	  "",
	  "1" },
	{ "views: jobs keep one order and see their own windows",
	  { .policy = MAUI_BACKFILL_FIRSTFIT },
	  "2x*|2x10 1x*",
	  "1x20@1 1x20 1x10@1 1x20",
	  "",
	  "1 2 3 0" },
	{ "views: no window, no job",
	  { .policy = MAUI_BACKFILL_FIRSTFIT },
	  "|2x10",
	  "1x10 1x10@1",
	  "",
	  "1" },
	{ "views: BESTFIT over all",
	  { .policy = MAUI_BACKFILL_BESTFIT },
	  "2x*|4x*",
	  "1x10 2x10 3x10@1",
	  "",
	  "2 1" },
	{ "views: GREEDY keeps the bound of the smaller view",
	  { .policy = MAUI_BACKFILL_GREEDY, .max_schedules = 100 },
	  "2x*|4x*",
	  "3x10 2x10 2x10@1",
	  "",
	  "1 2" },
	{ "views: BACKFILLDEPTH of all together",
	  { .policy = MAUI_BACKFILL_FIRSTFIT, .depth = 2 },
	  "2x*|4x*",
	  "1x10 1x10@1 1x10@1",
	  "",
	  "0 1" },
	{ "views: a large job is in the way of all",
	  { .policy = MAUI_BACKFILL_FIRSTFIT, .chunking = true, .chunk_size = 3 },
	  "2x*|4x*",
	  "3x10 1x10@1",
	  "",
	  "" },
	{ "--time-min: as long as the window",
	  { .policy = MAUI_BACKFILL_FIRSTFIT },
	  "4x100",
	  "1x500/60 1x500/101",
	  "",
	  "0" },
};

struct host {
	const struct row *row;
	const struct maui_bf_job *jobs;
	struct maui_strbuf started;
	int64_t free[MOST];             /* of each window */
	uint32_t window[2], windows[2]; /* of each view, one view after the other */
	int64_t limit_s;
};

static int64_t enter(void *data, uint32_t view, const struct maui_window *window)
{
	struct host *h = data;

	(void)window;
	return h->free[(view ? h->windows[0] : 0) + h->window[view]++];
}

/* Processors of a wide window that no narrower one has are taken first. */
static bool start(void *data, uint32_t job, int64_t limit_s, int64_t *ret_free)
{
	struct host *h = data;
	uint32_t view = h->jobs[job].view, first = view ? h->windows[0] : 0;
	uint32_t own = first + h->window[view] - 1;
	char number[16];

	snprintf(number, sizeof(number), "%u", job);
	if (strstr(h->row->refused, number))
		return false;
	h->free[own] -= h->jobs[job].procs;
	*ret_free = h->free[own];
	for (uint32_t w = own + 1; w < first + h->windows[view]; w++)
		if (h->free[w] > h->free[own])
			h->free[w] = h->free[own];
	h->limit_s = limit_s;
	maui_strbuf_addf(&h->started, "%s%u", h->started.length ? " " : "", job);
	return true;
}

static int64_t end_of(const char *text)
{
	return *text == '*' ? MAUI_NEVER : atoll(text);
}

TEST_ROWS(backfill, algorithm, rows, row)
{
	struct maui_window windows[MOST];
	struct maui_bf_job jobs[MOST];
	struct host h = { .row = row, .jobs = jobs };
	const struct maui_bf_host host = { &h, enter, start };
	struct maui_bf_view views[2];
	uint32_t count = 0, view = 0, all = 0;

	memset(jobs, 0, sizeof(jobs));
	maui_strbuf_addf(&h.started, "%s", "");
	for (const char *at = row->windows; *at; at += strcspn(at, " |"), at += *at == ' ') {
		if (*at == '|') {
			view++;
			at++;
		}
		h.windows[view]++;
		h.free[all] = atoll(at);
		windows[all++] = (struct maui_window){ .procs = atoll(at),
						       .length_s = end_of(strchr(at, 'x') + 1) };
	}
	views[0] = (struct maui_bf_view){ windows, h.windows[0] };
	views[1] = (struct maui_bf_view){ windows + h.windows[0], h.windows[1] };
	for (const char *at = row->jobs; *at; at += strcspn(at, " "), at += *at == ' ') {
		const char *minimum = memchr(at, '/', strcspn(at, " "));

		jobs[count].procs = atoll(at);
		jobs[count].nodes = (double)((jobs[count].procs + 3) / 4);
		jobs[count].limit_s = end_of(strchr(at, 'x') + 1);
		jobs[count].limit_min_s = minimum ? atoll(minimum + 1) : 0;
		jobs[count].id = count;
		jobs[count].view = memchr(at, '@', strcspn(at, " ")) != NULL;
		count++;
	}
	cr_assert(maui_backfill_run(&row->rules, views, view + 1, jobs, count, &host) == 0,
		  "%s: memory", row->name);
	cr_expect(strcmp(h.started.text, row->started) == 0, "%s: started '%s', not '%s'",
		  row->name, h.started.text, row->started);
	if (strncmp(row->name, "--time-min", 10) == 0)
		cr_expect(h.limit_s == 100, "%s: for %d", row->name, (int)h.limit_s);
	maui_strbuf_finish(&h.started);
}

/* Another seed, another order; the same seed, the same. */
Test(backfill, random_order_depends_on_the_seed)
{
	char first[64] = "", text[64];
	unsigned others = 0;

	for (uint64_t seed = 0; seed < 20; seed++)
		for (int again = 0; again < 2; again++) {
			const struct maui_bf_rules rules = { .policy = MAUI_BACKFILL_PREEMPT,
							     .order = MAUI_BF_ORDER_RANDOM,
							     .seed = seed };
			const struct maui_window window = { MAUI_NEVER, 8, 1 };
			struct maui_bf_job jobs[8] = { { 0 } };
			struct host h = {
				.row = &rows[0], .jobs = jobs, .free = { 8 }, .windows = { 1 }
			};
			const struct maui_bf_view view = { &window, 1 };
			const struct maui_bf_host host = { &h, enter, start };

			for (uint32_t j = 0; j < 8; j++)
				jobs[j] =
					(struct maui_bf_job){ .procs = 1, .limit_s = 10, .id = j };
			maui_backfill_run(&rules, &view, 1, jobs, 8, &host);
			snprintf(text, sizeof(text), "%s", h.started.text);
			maui_strbuf_finish(&h.started);
			if (seed == 0 && again == 0)
				strcpy(first, text);
			if (again == 1 && seed == 0)
				cr_expect_str_eq(text, first, "same seed");
			others += strcmp(text, first) != 0;
		}
	cr_expect(others > 30, "%u of 38 differ", others);
}
