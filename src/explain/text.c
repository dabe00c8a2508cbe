/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - sentences for squeue and for the log
 *
 * A sentence begins with a word that users know from Slurm ("Resources", "Priority") or with the
 * name of the limit. It says what is missing before it says when that will come.
 */

#include "explain/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/duration.h"
#include "explain/text_private.h"

enum {
	PREFERRED = 80, /* a line should not be longer than this */
	DAYS_WITHOUT_YEAR = 300,
};

/* A line being written. What does not fit is cut off. */
struct line {
	char *text;
	size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void append(struct line *line, const char *form, ...)
{
	va_list args;
	int length;

	va_start(args, form);
	length = vsnprintf(line->text + line->length, line->size - line->length, form, args);
	va_end(args);
	if (length > 0)
		line->length += (size_t)length;
	if (line->length >= line->size)
		line->length = line->size - 1;
}

/* Drops the last parts of the line, one by one, until it has at most PREFERRED characters. */
static void shorten(struct line *line, size_t least)
{
	while (line->length > PREFERRED && line->length > least) {
		size_t length = line->length - 1;

		while (length > least && line->text[length] != ',' && line->text[length] != ';')
			length--;
		line->text[line->length = length] = '\0';
	}
}

/* The words for nodes of each reason: for one node, for several. */
static const char *const words[MAUI_REASON_COUNT][2] = {
	[MAUI_REASON_NONE] = { "is free", "are free" },
	[MAUI_REASON_NODE_STATE] = { "is down or drained", "are down or drained" },
	[MAUI_REASON_NODE_UNANSWERED] = { "has not answered yet", "have not answered yet" },
	[MAUI_REASON_NODE_PARTITION] = { "is in other partitions", "are in other partitions" },
	[MAUI_REASON_NODE_FEATURES] = { "lacks features", "lack features" },
	[MAUI_REASON_NODE_EXCLUDED] = { "is left out by the job", "are left out by the job" },
	[MAUI_REASON_NODE_PROCS] = { "lacks processors", "lack processors" },
	[MAUI_REASON_NODE_MEM] = { "lacks memory", "lack memory" },
	[MAUI_REASON_NODE_DISK] = { "lacks disk space", "lack disk space" },
	[MAUI_REASON_NODE_OTHER] = { "lacks gres", "lack gres" },
	[MAUI_REASON_NODE_BUSY] = { "is busy", "are busy" },
	[MAUI_REASON_NODE_RESERVED] = { "is kept for jobs ahead", "are kept for jobs ahead" },
	[MAUI_REASON_NODE_CLAIMED] = { "is reserved", "are reserved" },
	[MAUI_REASON_NODE_USER] = { "is another user's", "are another user's" },
};

static uint32_t count_of(const struct maui_node_reasons *nodes, enum maui_reason reason)
{
	return nodes && words[reason][0] ? nodes->counts[reason] : 0;
}

/* "3 nodes lack memory", without the noun "3 lack memory". */
static void append_count(struct line *line, const struct maui_node_reasons *nodes,
			 enum maui_reason reason, bool noun)
{
	uint32_t count = count_of(nodes, reason);

	append(line, "%" PRIu32 "%s ", count, !noun ? "" : count == 1 ? " node" : " nodes");
	if (reason == MAUI_REASON_NODE_OTHER && nodes->missing_gres)
		append(line, "%s %s", count == 1 ? "lacks" : "lack", nodes->missing_gres);
	else
		append(line, "%s", words[reason][count != 1]);
	if (reason == MAUI_REASON_NODE_CLAIMED && nodes->reserved_by)
		append(line, " by %s", nodes->reserved_by);
}

/* Writes the largest counts of the reasons first .. last, as many as fit. Returns whether there was
 * any. Equal counts stand in the order of reasons. */
static bool append_counts(struct line *line, const struct maui_node_reasons *nodes,
			  enum maui_reason first, enum maui_reason last)
{
	uint64_t said = 0;
	bool any = false;

	for (;;) {
		int best = MAUI_REASON_COUNT;
		size_t length = line->length;

		for (int r = (int)first; r <= (int)last; r++)
			if (!(said & UINT64_C(1) << r) && r != MAUI_REASON_NODE_PARTITION &&
			    count_of(nodes, (enum maui_reason)r) > 0 &&
			    (best == MAUI_REASON_COUNT || nodes->counts[r] > nodes->counts[best]))
				best = r;
		if (best == MAUI_REASON_COUNT)
			return any;
		said |= UINT64_C(1) << best;
		append(line, "%s", any ? ", " : "");
		append_count(line, nodes, (enum maui_reason)best, !any);
		if (any && line->length > PREFERRED) {
			line->text[line->length = length] = '\0';
			return any;
		}
		any = true;
	}
}

/* "14:05", "22 Nov 14:05", "22 Nov 2027" in local time. */
static void append_moment(struct line *line, int64_t now_s, int64_t when_s)
{
	static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t now = (time_t)now_s, when = (time_t)when_s;
	struct tm today, then;

	if (!localtime_r(&now, &today) || !localtime_r(&when, &then))
		return;
	if (then.tm_yday != today.tm_yday || then.tm_year != today.tm_year)
		append(line, "%d %s ", then.tm_mday, months[then.tm_mon]);
	if ((when_s - now_s) / 86400 > DAYS_WITHOUT_YEAR)
		append(line, "%d", then.tm_year + 1900);
	else
		append(line, "%02d:%02d", then.tm_hour, then.tm_min);
}

/* Writes `before` and the moment, if the text gives moments and there is room. */
static void append_when(struct line *line, int64_t now_s, const char *before, int64_t when_s)
{
	size_t length = line->length;

	if (now_s <= 0 || when_s <= now_s || when_s == MAUI_NEVER)
		return;
	append(line, "%s", before);
	append_moment(line, now_s, when_s);
	if (line->length > PREFERRED)
		line->text[line->length = length] = '\0';
}

static void append_start(struct line *line, const struct maui_explanation *e)
{
	if (e->start_apart)
		return;
	append_when(line, e->now_s, "; starts about ", e->verdict->estimate_s);
}

/* The number of nodes that could serve the job, busy or not. */
static uint32_t able_nodes(const struct maui_node_reasons *nodes)
{
	return count_of(nodes, MAUI_REASON_NONE) + count_of(nodes, MAUI_REASON_NODE_BUSY) +
	       count_of(nodes, MAUI_REASON_NODE_RESERVED) +
	       count_of(nodes, MAUI_REASON_NODE_CLAIMED) + count_of(nodes, MAUI_REASON_NODE_USER);
}

/* Whether reservations that do not admit the job decide when it starts. */
static bool reservations_decide(const struct maui_node_reasons *nodes)
{
	return nodes && nodes->reservations_decide && count_of(nodes, MAUI_REASON_NODE_CLAIMED) > 0;
}

/* Whether the job would lack nodes even if nothing were reserved. */
static bool lacks_nodes(const struct maui_node_reasons *nodes)
{
	return nodes && nodes->wanted > count_of(nodes, MAUI_REASON_NONE) +
						count_of(nodes, MAUI_REASON_NODE_RESERVED) +
						count_of(nodes, MAUI_REASON_NODE_CLAIMED);
}

/* Whether the job is behind the first jobs, for which alone the blocking reservation is looked
 * up. */
static bool is_far_behind(const struct maui_explanation *e)
{
	return !e->looked && e->ahead >= MAUI_EXPLAIN_FIRST_JOBS;
}

static enum maui_reason kind_of(enum maui_reason reason, const struct maui_explanation *e)
{
	const struct maui_node_reasons *nodes = e->nodes;

	if (reason == MAUI_REASON_RESERVED && !lacks_nodes(nodes)) {
		if (!nodes || count_of(nodes, MAUI_REASON_NODE_RESERVED) > 0)
			return MAUI_REASON_PRIORITY;
		if (reservations_decide(nodes))
			return MAUI_REASON_RESERVED;
	}
	if (reason == MAUI_REASON_RESERVED)
		reason = MAUI_REASON_RESOURCES;
	if (reason == MAUI_REASON_RESOURCES && reservations_decide(nodes))
		return MAUI_REASON_RESERVED;
	if ((reason == MAUI_REASON_RESOURCES && e->behind) ||
	    (reason == MAUI_REASON_LICENCES && is_far_behind(e)))
		return MAUI_REASON_PRIORITY;
	return reason;
}

/* Writes large numbers in steps, so that the texts of a long queue do not change with each
 * start. */
static void append_ahead(struct line *line, const struct maui_explanation *e)
{
	static const uint32_t steps[] = { 100000, 50000, 20000, 10000, 5000, 2000,
					  1000,   500,   200,   100,   50,   20 };
	size_t i = 0;

	append(line, "Priority: ");
	while (i < sizeof(steps) / sizeof(steps[0]) && e->ahead <= steps[i])
		i++;
	if (i < sizeof(steps) / sizeof(steps[0]))
		append(line, "more than %" PRIu32 " jobs are ahead", steps[i]);
	else if (e->ahead > 1)
		append(line, "%" PRIu32 " jobs are ahead", e->ahead);
	else if (e->ahead == 1)
		append(line, "1 job is ahead");
	else
		append(line, "other jobs are ahead");
	if (e->partition)
		append(line, " in partition %s", e->partition);
}

/* "needs 4 nodes, 1 free, 2 kept for others, 1 reserved by maint", or without the names. If
 * something other than processors is scarce, the text names it. */
static void append_needs(struct line *line, const struct maui_node_reasons *nodes, bool names)
{
	uint32_t kept = count_of(nodes, MAUI_REASON_NODE_RESERVED);
	uint32_t claimed = count_of(nodes, MAUI_REASON_NODE_CLAIMED);

	append(line, "needs %" PRIu32 "%s node%s", nodes->wanted, nodes->whole ? " whole" : "",
	       nodes->wanted == 1 ? "" : "s");
	if (nodes->scarce)
		append(line, " with %" PRId64 " %s", nodes->scarce_needed, nodes->scarce);
	if (nodes->features)
		append(line, " with feature %s", nodes->features);
	append(line, ", %" PRIu32 " free", count_of(nodes, MAUI_REASON_NONE));
	if (kept > 0)
		append(line, ", %" PRIu32 " kept for others", kept);
	if (claimed > 0)
		append(line, ", %" PRIu32 " reserved%s%s", claimed,
		       names && nodes->reserved_by ? " by " : "",
		       names && nodes->reserved_by ? nodes->reserved_by : "");
}

/* A reason of a job, and what else is known about the job. */
struct reason_of_job {
	const struct maui_explanation *e;
	const struct maui_block *block;
};

static void append_priority(struct line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;

	size_t length;

	append_ahead(line, reason_of_job->e);
	length = line->length;
	if (nodes && nodes->wanted > count_of(nodes, MAUI_REASON_NONE)) {
		append(line, "; ");
		append_needs(line, nodes, false);
		shorten(line, length);
	}
	append_start(line, reason_of_job->e);
}

static void append_resources(struct line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;
	bool few = nodes && nodes->wanted > count_of(nodes, MAUI_REASON_NONE);
	enum maui_reason kind = kind_of(MAUI_REASON_RESOURCES, reason_of_job->e);

	if (kind == MAUI_REASON_PRIORITY) {
		append_priority(line, reason_of_job);
		return;
	}
	append(line, "%s: ", kind == MAUI_REASON_RESERVED ? "Reserved" : "Resources");
	if (few)
		append_needs(line, nodes, true);
	else if (!append_counts(line, nodes, MAUI_REASON_NODE_BUSY, MAUI_REASON_NODE_USER))
		append(line, "not enough is free");
	append_start(line, reason_of_job->e);
}

/* Enough processors are idle in all, but other jobs have them reserved, or they are not on the
 * nodes that the job needs. */
static void append_reserved(struct line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;
	bool decides = !nodes || count_of(nodes, MAUI_REASON_NODE_RESERVED) > 0 ||
		       reservations_decide(nodes);

	if (lacks_nodes(nodes) || !decides || (!nodes && reason_of_job->e->behind)) {
		append_resources(line, reason_of_job);
		return;
	}
	append(line, "Reserved: ");
	if (!append_counts(line, nodes, MAUI_REASON_NODE_RESERVED, MAUI_REASON_NODE_CLAIMED))
		append(line, "idle nodes are kept for jobs ahead");
	append_start(line, reason_of_job->e);
}

static void append_never(struct line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;

	append(line, "never fits: ");
	if (able_nodes(nodes) > 0 && nodes->wanted > able_nodes(nodes)) {
		append(line, "needs %" PRIu32 " node%s, %" PRIu32 " can serve it", nodes->wanted,
		       nodes->wanted == 1 ? "" : "s", able_nodes(nodes));
		return;
	}
	if (append_counts(line, nodes, MAUI_REASON_NODE_FEATURES, MAUI_REASON_NODE_OTHER))
		return;
	append(line, "%s",
	       able_nodes(nodes) > 0 ? "it asks for more than there is" :
				       "no set of nodes can serve it");
}

static void append_down(struct line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_node_reasons *nodes = reason_of_job->e->nodes;
	uint32_t down = count_of(nodes, MAUI_REASON_NODE_STATE);
	uint32_t silent = count_of(nodes, MAUI_REASON_NODE_UNANSWERED);

	append(line, "Nodes down: ");
	if (nodes && nodes->wanted > able_nodes(nodes))
		append(line, "needs %" PRIu32 " node%s, %" PRIu32 " up, ", nodes->wanted,
		       nodes->wanted == 1 ? "" : "s", able_nodes(nodes));
	else if (down == 0)
		append(line, "nodes it needs are ");
	if (down > 0)
		append(line, "%" PRIu32 " ", down);
	append(line, "down or drained");
	if (silent > 0)
		append(line, ", %" PRIu32 " not answered yet", silent);
}

static void append_blocking(struct line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_blocking_reservation *k = reason_of_job->e->blocking;
	int64_t now_s = reason_of_job->e->now_s, when_s;
	char text[MAUI_EXPLAIN_LINE_SIZE], moment[32] = "";
	struct line when = { .text = moment, .size = sizeof(moment) };
	bool begun;

	if (!k)
		return;
	begun = now_s <= 0 || k->start_s <= now_s;
	when_s = begun ? k->end_s : k->start_s;
	if (now_s > 0 && when_s != MAUI_NEVER && when_s > now_s)
		append_moment(&when, now_s, when_s);
	append(line, "%s", maui_blocking_text(k, moment, begun, text, sizeof(text)));
}

static void append_limit(struct line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_violation *violation = reason_of_job->block->violation;
	char text[MAUI_VIOLATION_SIZE];

	append(line, "%s",
	       violation ? maui_violation_format(violation, text, sizeof(text)) : "limit");
}

static void append_licences(struct line *line, const struct reason_of_job *reason_of_job)
{
	const struct maui_licence_shortage *licence = reason_of_job->e->licence;

	if (is_far_behind(reason_of_job->e)) {
		append_priority(line, reason_of_job);
		return;
	}
	append(line, "Licenses: ");
	if (licence && licence->name)
		append(line, "needs %" PRId64 " %s, %" PRId64 " free", licence->needed,
		       licence->name, licence->free);
	else
		append(line, "not enough are free");
	if (licence && licence->reserved_by)
		append(line, ", some are reserved (%s)", licence->reserved_by);
	append_start(line, reason_of_job->e);
}

/* What the line says about a reason: `text`, or what `append` appends; then these words and the
 * moment at which the reason may be over; then when the job starts. Without any of them: the
 * reason's name. */
static const struct reason_text {
	bool silent; /* Slurm has its own words for it */
	const char *text;
	void (*append)(struct line *line, const struct reason_of_job *reason_of_job);
	const char *until;
	bool start;
} tellings[MAUI_REASON_COUNT] = {
	[MAUI_REASON_NONE] = { .silent = true },
	[MAUI_REASON_HELD] = { .silent = true },
	[MAUI_REASON_DEPENDENCY] = { .silent = true },
	[MAUI_REASON_BEGIN_TIME] = { .silent = true },
	[MAUI_REASON_PARTITION] = { .silent = true },
	[MAUI_REASON_SLURM] = { .silent = true },
	[MAUI_REASON_DEFERRED] = { .text = "deferred after failed starts", .until = ", until " },
	[MAUI_REASON_REFUSED] = { .text = "start refused by Slurm, tried again" },
	[MAUI_REASON_NEGATIVE] = { .text = "Priority: negative, not scheduled "
					   "(REJECTNEGPRIOJOBS)" },
	[MAUI_REASON_LIMIT] = { .append = append_limit },
	[MAUI_REASON_PRIORITY] = { .append = append_priority },
	[MAUI_REASON_RESOURCES] = { .append = append_resources },
	[MAUI_REASON_LICENCES] = { .append = append_licences },
	[MAUI_REASON_ACCESS] = { .append = append_blocking },
	[MAUI_REASON_RESERVED] = { .append = append_reserved },
	[MAUI_REASON_CHUNKING] = { .text = "idle nodes are collected for larger jobs",
				   .until = " until " },
	[MAUI_REASON_NOBF] = { .text = "Priority: its QOS takes no part in backfill",
			       .start = true },
	[MAUI_REASON_NEVER_FITS] = { .append = append_never },
	[MAUI_REASON_NODES_DOWN] = { .append = append_down },
};

/* Writes one reason; "" if Slurm has its own words for it. */
static void append_block(struct line *line, const struct reason_of_job *reason_of_job)
{
	enum maui_reason reason = reason_of_job->block->reason;
	const struct reason_text *reason_text = &tellings[reason];

	if (reason_text->silent)
		return;
	if (reason_text->append)
		reason_text->append(line, reason_of_job);
	else
		append(line, "%s",
		       reason_text->text ? reason_text->text : maui_reason_text(reason));
	if (reason_text->until)
		append_when(line, reason_of_job->e->now_s, reason_text->until,
			    reason_of_job->block->until_s);
	if (reason_text->start)
		append_start(line, reason_of_job->e);
}

/* Makes names of the site harmless: no character may break a line or a column. */
static void clean_names(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == '|' || *text == 0x7f)
			*text = '_';
}

/* Whether the job waits for resources. Then the blocking reservation, if any, is the reason. */
static bool is_about_resources(enum maui_reason reason)
{
	return reason == MAUI_REASON_RESOURCES || reason == MAUI_REASON_RESERVED ||
	       reason == MAUI_REASON_LICENCES || reason == MAUI_REASON_PRIORITY ||
	       reason == MAUI_REASON_NOBF;
}

enum maui_reason maui_explain_kind(const struct maui_explanation *e)
{
	const struct maui_block *first = e->verdict->blocks;

	if (!first)
		return MAUI_REASON_NONE;
	return e->blocking && is_about_resources(first->reason) ? MAUI_REASON_ACCESS :
								  kind_of(first->reason, e);
}

static void append_block_of(struct line *line, const struct maui_explanation *e,
			    const struct maui_block *block)
{
	struct maui_block access = { .reason = MAUI_REASON_ACCESS, .until_s = MAUI_NEVER };

	if (e->blocking && is_about_resources(block->reason))
		block = &access;
	append_block(line, &(struct reason_of_job){ e, block });
	if (line->length == 0)
		append(line, "%s",
		       tellings[block->reason].silent ? "" : maui_reason_text(block->reason));
}

char *maui_explain_first(const struct maui_explanation *e, char *buf, size_t size)
{
	struct line line = { .text = buf, .size = size };

	if (size == 0)
		return buf;
	buf[0] = '\0';
	if (e->verdict->blocks)
		append_block_of(&line, e, e->verdict->blocks);
	clean_names(buf);
	return buf;
}

static void add_line(struct maui_strbuf *ret, char *text)
{
	clean_names(text);
	if (*text)
		maui_strbuf_addf(ret, "%s\n", text);
}

int maui_explain_outlook(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	char text[MAUI_EXPLAIN_LINE_SIZE] = "", limit[32];
	struct line line = { .text = text, .size = sizeof(text) };

	if (!e->verdict->blocks)
		return 0;
	if (e->longest_s >= 60)
		maui_strbuf_addf(ret, "would start now with a time limit of %s\n",
				 maui_duration_format(e->longest_s, limit, sizeof(limit)));
	append_when(&line, e->now_s,
		    e->verdict->estimate_s != MAUI_NEVER ? "expected to start about " :
							   "could start about ",
		    e->earliest_s);
	add_line(ret, text);
	return ret->failed ? -1 : 0;
}

int maui_explain_all(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation reasons = *e;

	reasons.start_apart = true;

	for (const struct maui_block *block = e->verdict->blocks; block; block = block->next) {
		struct line line = { .text = text, .size = sizeof(text) };

		text[0] = '\0';
		append_block_of(&line, &reasons, block);
		if (line.length == 0)
			append(&line, "%s", maui_reason_text(block->reason));
		add_line(ret, text);
	}
	for (int r = 0; e->verdict->blocks && r < MAUI_REASON_COUNT; r++) {
		struct line line = { .text = text, .size = sizeof(text) };

		if (count_of(e->nodes, (enum maui_reason)r) == 0)
			continue;
		append_count(&line, e->nodes, (enum maui_reason)r, true);
		add_line(ret, text);
	}
	return ret->failed ? -1 : 0;
}
