/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.c - sentences and labels of pictures */

#include "chart/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/duration.h"
#include "base/moment.h"
#include "base/words.h"

/* An item's kind, what a legend says, what a sentence says. */
static const char *const kinds[][3] = {
	{ "running", "running job", "runs" },
	{ "starting", "job that starts now", "starts now" },
	{ "suspended", "suspended job", "is suspended" },
	{ "reserved", "job reservation", "has a job reservation" },
	{ "down", "node not usable", "nodes not usable" },
	{ "system", "reservation that admits nobody", "reservation that admits nobody" },
	{ "user", "administrative reservation", "administrative reservation" },
	{ "standing", "standing reservation", "standing reservation" },
	{ "slurm", "reservation of Slurm", "reservation of Slurm" },
	{ "held", "held for larger jobs (BFCHUNKSIZE)", "held for larger jobs (BFCHUNKSIZE)" },
	{ "free", "backfill window (showbf)", "backfill window" },
};

static const char *const *find_kind(const char *kind)
{
	static const char *const unknown[] = { "unknown", "?", "?" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i][0], kind) == 0)
			return kinds[i];
	return unknown;
}

const char *maui_words_class(const char *kind)
{
	return find_kind(kind)[0];
}

const char *maui_words_kind(const char *kind)
{
	return find_kind(kind)[1];
}

/* " until 15:00"; " without end". */
static void until(int64_t end_s, int64_t now_s, char *buf, size_t size)
{
	char moment[64];

	if (end_s != MAUI_NEVER)
		maui_moment_label(end_s, MAUI_NOT_AFTER, now_s, moment, sizeof(moment));
	snprintf(buf, size, "%s%s", end_s == MAUI_NEVER ? " without end" : " until ",
		 end_s == MAUI_NEVER ? "" : moment);
}

static bool is_job(const char *kind)
{
	return strcmp(kind, "running") == 0 || strcmp(kind, "starting") == 0 ||
	       strcmp(kind, "suspended") == 0 || strcmp(kind, "reserved") == 0;
}

/* "4 nodes x 3 h 20 min": what a window offers. */
static void window_labels(const struct maui_report_item *item, int64_t now_s,
			  char words[3][MAUI_WORDS_SIZE])
{
	int64_t nodes = item->nodes;
	char span[64];

	maui_duration_in_words(item->end == MAUI_NEVER ? MAUI_NEVER : item->end - now_s, span,
			       sizeof(span));
	snprintf(words[1], MAUI_WORDS_SIZE, "%" PRId64 " node%s, %s", nodes, maui_plural(nodes),
		 span);
	snprintf(words[2], MAUI_WORDS_SIZE, "%s", span);
	if (strcmp(item->kind, "free") == 0)
		snprintf(words[0], MAUI_WORDS_SIZE, "free: %" PRId64 " node%s, %s", nodes,
			 maui_plural(nodes), span);
	else if (strcmp(item->kind, "held") == 0)
		snprintf(words[0], MAUI_WORDS_SIZE, "held: %" PRId64 " node%s, %s", nodes,
			 maui_plural(nodes), span);
	else
		for (int i = 0; i < 3; i++)
			snprintf(words[i], MAUI_WORDS_SIZE, "not usable");
}

/* "biz" of "maui.biz.20261123". */
static void short_name(const char *id, char *word)
{
	static const char prefix[] = "maui.";
	bool ours = strncmp(id, prefix, sizeof(prefix) - 1) == 0;
	size_t length;

	if (ours)
		id += sizeof(prefix) - 1;
	length = strlen(id);
	while (ours && length > 0 && id[length - 1] >= '0' && id[length - 1] <= '9')
		length--;
	if (ours && length > 1 && id[length - 1] == '.')
		length--;
	else
		length = strlen(id);
	snprintf(word, MAUI_WORDS_SIZE, "%.*s", (int)(length < 600 ? length : 600), id);
}

/* How many items it stands for; 0: it is one. */
static int64_t count_of(const struct maui_report_item *item)
{
	return item->rounded ? item->rounded->count : 0;
}

void maui_words_labels(const struct maui_report_item *item, int64_t now_s,
		       char words[3][MAUI_WORDS_SIZE])
{
	const char *kind = item->kind, *user = item->user ? item->user : "";
	char end[80];

	if (count_of(item) > 0) {
		for (int i = 0; i < 3; i++)
			snprintf(words[i], MAUI_WORDS_SIZE, "%s",
				 i == 2 ? kind : find_kind(kind)[1]);
		return;
	}
	if (strcmp(kind, "free") == 0 || strcmp(kind, "held") == 0 || strcmp(kind, "down") == 0) {
		window_labels(item, now_s, words);
		return;
	}
	until(item->end, now_s, end, sizeof(end));
	snprintf(words[0], MAUI_WORDS_SIZE, "%.600s%s%.600s, %" PRId64 " node%s%s", item->id,
		 *user ? " " : "", user, item->nodes, maui_plural(item->nodes), end);
	snprintf(words[1], MAUI_WORDS_SIZE, "%.600s%s%.600s", item->id, *user ? " " : "", user);
	short_name(item->id, words[2]);
}

void maui_words_title(const struct maui_report_item *item, int64_t now_s, bool rounded, char *text)
{
	const char *kind = item->kind, *id = item->id;
	const char *user = item->user ? item->user : "";
	const char *account = item->account ? item->account : "";
	int64_t nodes = item->nodes;
	char start[64], end[80], size[96] = "";

	maui_moment_label(item->start, MAUI_NOT_BEFORE, now_s, start, sizeof(start));
	until(item->end, now_s, end, sizeof(end));
	if (item->procs > 0)
		snprintf(size, sizeof(size), ", %" PRId64 " processor%s", item->procs,
			 maui_plural(item->procs));
	if (rounded)
		snprintf(text, MAUI_WORDS_SIZE, "%s: %" PRId64 " in all", find_kind(kind)[1],
			 count_of(item));
	else if (is_job(kind))
		snprintf(text, MAUI_WORDS_SIZE,
			 "job %.100s %s: user %.400s%s%.400s, %" PRId64 " node%s%s, from %s%s", id,
			 find_kind(kind)[2], user, *account ? ", account " : "", account, nodes,
			 maui_plural(nodes), size, start, end);
	else if (strcmp(kind, "free") == 0 || strcmp(kind, "held") == 0 ||
		 strcmp(kind, "down") == 0)
		snprintf(text, MAUI_WORDS_SIZE, "%s: %" PRId64 " node%s%s,%s", find_kind(kind)[2],
			 nodes, maui_plural(nodes), size, end);
	else
		snprintf(text, MAUI_WORDS_SIZE, "%s %.600s: %" PRId64 " node%s%s, from %s%s",
			 find_kind(kind)[2], id, nodes, maui_plural(nodes), size, start, end);
}

void maui_words_schedule(const struct maui_report_schedule *schedule, char *text)
{
	size_t rows = schedule->rows_count;
	int64_t nodes = schedule->node_count;
	char span[64], step[64];

	maui_duration_in_words(schedule->horizon, span, sizeof(span));
	maui_duration_in_words(schedule->step, step, sizeof(step));
	if (schedule->step > 0)
		snprintf(text, MAUI_WORDS_SIZE,
			 "%" PRId64 " nodes in %zu rows of nodes alike, times rounded to %s, the "
			 "next %s",
			 nodes, rows, step, span);
	else if (nodes != (int64_t)rows)
		snprintf(text, MAUI_WORDS_SIZE,
			 "%" PRId64 " nodes in %zu rows of equal nodes, the next %s", nodes, rows,
			 span);
	else
		snprintf(text, MAUI_WORDS_SIZE, "%" PRId64 " node%s, the next %s", nodes,
			 maui_plural(nodes), span);
}

/* ---- ticks ---- */

static int64_t offset_at(int64_t when_s)
{
	time_t when = (time_t)when_s;
	struct tm tm;

	return localtime_r(&when, &tm) ? tm.tm_gmtoff : 0;
}

struct maui_ticks maui_ticks_make(int64_t now_s, int64_t horizon_s)
{
	static const int64_t steps[] = { 1,      5,         15,         60,        300,
					 600,    900,       1800,       3600,      7200,
					 10800,  14400,     21600,      43200,     86400,
					 172800, 7 * 86400, 14 * 86400, 30 * 86400 };
	int64_t step_s = steps[0], local_s = now_s + offset_at(now_s);

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && horizon_s / step_s > 10; i++)
		step_s = steps[i];
	if (horizon_s / step_s > 10)
		step_s = horizon_s / 10;
	return (struct maui_ticks){ now_s + (step_s - local_s % step_s) % step_s, now_s + horizon_s,
				    step_s };
}

bool maui_ticks_next(struct maui_ticks *ticks, int64_t *ret_at, char *text, size_t size)
{
	if (ticks->next_s > ticks->until_s)
		return false;
	*ret_at = ticks->next_s;
	ticks->next_s += ticks->step_s;
	maui_moment_mark(*ret_at, ticks->step_s, text, size);
	return true;
}
