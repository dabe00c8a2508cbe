/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - sentences for squeue and for whoever asks why
 *
 * They begin with what users know from Slurm ("Resources", "Priority") or with the name of the
 * limit, and say what is missing before when it comes.
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
	PREFERRED = 80, /* characters of a line that squeue's users like to read */
	DAYS_WITHOUT_YEAR = 300,
};

/* A line that is filled; what does not fit is cut off. */
struct line {
	char *text;
	size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void say(struct line *line, const char *form, ...)
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

/* Leaves out what is said last, part by part, until the line is one that users like to read. */
static void shorten(struct line *line, size_t least)
{
	while (line->length > PREFERRED && line->length > least) {
		size_t length = line->length - 1;

		while (length > least && line->text[length] != ',' && line->text[length] != ';')
			length--;
		line->text[line->length = length] = '\0';
	}
}

/* Words for nodes of each reason: of one, of several. */
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
static void say_count(struct line *line, const struct maui_node_reasons *nodes,
		      enum maui_reason reason, bool noun)
{
	uint32_t count = count_of(nodes, reason);

	say(line, "%" PRIu32 "%s ", count, !noun ? "" : count == 1 ? " node" : " nodes");
	if (reason == MAUI_REASON_NODE_OTHER && nodes->missing_gres)
		say(line, "%s %s", count == 1 ? "lacks" : "lack", nodes->missing_gres);
	else
		say(line, "%s", words[reason][count != 1]);
	if (reason == MAUI_REASON_NODE_CLAIMED && nodes->reserved_by)
		say(line, " by %s", nodes->reserved_by);
}

/* Those of the reasons first .. last that count most, as many as fit; returns whether any. Equal
 * counts: in the order of reasons. */
static bool say_counts(struct line *line, const struct maui_node_reasons *nodes,
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
		say(line, "%s", any ? ", " : "");
		say_count(line, nodes, (enum maui_reason)best, !any);
		if (any && line->length > PREFERRED) {
			line->text[line->length = length] = '\0';
			return any;
		}
		any = true;
	}
}

/* "14:05", "22 Nov 14:05", "22 Nov 2027" in local time. */
static void say_moment(struct line *line, int64_t now_s, int64_t when_s)
{
	static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t now = (time_t)now_s, when = (time_t)when_s;
	struct tm today, then;

	if (!localtime_r(&now, &today) || !localtime_r(&when, &then))
		return;
	if (then.tm_yday != today.tm_yday || then.tm_year != today.tm_year)
		say(line, "%d %s ", then.tm_mday, months[then.tm_mon]);
	if ((when_s - now_s) / 86400 > DAYS_WITHOUT_YEAR)
		say(line, "%d", then.tm_year + 1900);
	else
		say(line, "%02d:%02d", then.tm_hour, then.tm_min);
}

/* `before` and the moment, if it is to be told and there is room for it. */
static void say_when(struct line *line, int64_t now_s, const char *before, int64_t when_s)
{
	size_t length = line->length;

	if (now_s <= 0 || when_s <= now_s || when_s == MAUI_NEVER)
		return;
	say(line, "%s", before);
	say_moment(line, now_s, when_s);
	if (line->length > PREFERRED)
		line->text[line->length = length] = '\0';
}

static void say_start(struct line *line, const struct maui_explanation *e)
{
	say_when(line, e->now_s, "; starts about ", e->verdict->estimate_s);
}

/* Nodes that could serve it, busy or not. */
static uint32_t able(const struct maui_node_reasons *nodes)
{
	return count_of(nodes, MAUI_REASON_NONE) + count_of(nodes, MAUI_REASON_NODE_BUSY) +
	       count_of(nodes, MAUI_REASON_NODE_RESERVED) +
	       count_of(nodes, MAUI_REASON_NODE_CLAIMED) + count_of(nodes, MAUI_REASON_NODE_USER);
}

/* Reservations that it has no access to decide when it starts. */
static bool reservations_decide(const struct maui_node_reasons *nodes)
{
	return nodes && nodes->reservations_decide && count_of(nodes, MAUI_REASON_NODE_CLAIMED) > 0;
}

/* Not even with all that is kept would it have its nodes. */
static bool lacks_nodes(const struct maui_node_reasons *nodes)
{
	return nodes && nodes->wanted > count_of(nodes, MAUI_REASON_NONE) +
						count_of(nodes, MAUI_REASON_NODE_RESERVED) +
						count_of(nodes, MAUI_REASON_NODE_CLAIMED);
}

/* Whether the job is one of those behind the first, for which nothing is looked up. */
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

/* Large numbers in steps, so that the text of a long queue does not change with each start. */
static void say_ahead(struct line *line, const struct maui_explanation *e)
{
	static const uint32_t steps[] = { 100000, 50000, 20000, 10000, 5000, 2000,
					  1000,   500,   200,   100,   50,   20 };
	size_t i = 0;

	say(line, "Priority: ");
	while (i < sizeof(steps) / sizeof(steps[0]) && e->ahead <= steps[i])
		i++;
	if (i < sizeof(steps) / sizeof(steps[0]))
		say(line, "more than %" PRIu32 " jobs are ahead", steps[i]);
	else if (e->ahead > 1)
		say(line, "%" PRIu32 " jobs are ahead", e->ahead);
	else if (e->ahead == 1)
		say(line, "1 job is ahead");
	else
		say(line, "other jobs are ahead");
	if (e->partition)
		say(line, " in partition %s", e->partition);
}

/* "needs 4 nodes, 1 free, 2 kept for others, 1 reserved by maint", or without whom by; where
 * another thing than processors is scarce, it is named */
static void say_needs(struct line *line, const struct maui_node_reasons *nodes, bool names)
{
	uint32_t kept = count_of(nodes, MAUI_REASON_NODE_RESERVED);
	uint32_t claimed = count_of(nodes, MAUI_REASON_NODE_CLAIMED);

	say(line, "needs %" PRIu32 "%s node%s", nodes->wanted, nodes->whole ? " whole" : "",
	    nodes->wanted == 1 ? "" : "s");
	if (nodes->scarce)
		say(line, " with %" PRId64 " %s", nodes->scarce_needed, nodes->scarce);
	if (nodes->features)
		say(line, " with feature %s", nodes->features);
	say(line, ", %" PRIu32 " free", count_of(nodes, MAUI_REASON_NONE));
	if (kept > 0)
		say(line, ", %" PRIu32 " kept for others", kept);
	if (claimed > 0)
		say(line, ", %" PRIu32 " reserved%s%s", claimed,
		    names && nodes->reserved_by ? " by " : "",
		    names && nodes->reserved_by ? nodes->reserved_by : "");
}

/* A reason of a job, and what is known of the job besides. */
struct about {
	const struct maui_explanation *e;
	const struct maui_block *block;
};

static void say_priority(struct line *line, const struct about *about)
{
	const struct maui_node_reasons *nodes = about->e->nodes;

	size_t length;

	say_ahead(line, about->e);
	length = line->length;
	if (nodes && nodes->wanted > count_of(nodes, MAUI_REASON_NONE)) {
		say(line, "; ");
		say_needs(line, nodes, false);
		shorten(line, length);
	}
	say_start(line, about->e);
}

static void say_resources(struct line *line, const struct about *about)
{
	const struct maui_node_reasons *nodes = about->e->nodes;
	bool few = nodes && nodes->wanted > count_of(nodes, MAUI_REASON_NONE);
	enum maui_reason kind = kind_of(MAUI_REASON_RESOURCES, about->e);

	if (kind == MAUI_REASON_PRIORITY) {
		say_priority(line, about);
		return;
	}
	say(line, "%s: ", kind == MAUI_REASON_RESERVED ? "Reserved" : "Resources");
	if (few)
		say_needs(line, nodes, true);
	else if (!say_counts(line, nodes, MAUI_REASON_NODE_BUSY, MAUI_REASON_NODE_USER))
		say(line, "not enough is free");
	say_start(line, about->e);
}

/* Enough is idle in all: kept for others, or, as counts may tell, not where it is needed. */
static void say_reserved(struct line *line, const struct about *about)
{
	const struct maui_node_reasons *nodes = about->e->nodes;
	bool decides = !nodes || count_of(nodes, MAUI_REASON_NODE_RESERVED) > 0 ||
		       reservations_decide(nodes);

	if (lacks_nodes(nodes) || !decides || (!nodes && about->e->behind)) {
		say_resources(line, about);
		return;
	}
	say(line, "Reserved: ");
	if (!say_counts(line, nodes, MAUI_REASON_NODE_RESERVED, MAUI_REASON_NODE_CLAIMED))
		say(line, "idle nodes are kept for jobs ahead");
	say_start(line, about->e);
}

static void say_never(struct line *line, const struct about *about)
{
	const struct maui_node_reasons *nodes = about->e->nodes;

	say(line, "never fits: ");
	if (able(nodes) > 0 && nodes->wanted > able(nodes)) {
		say(line, "needs %" PRIu32 " node%s, %" PRIu32 " can serve it", nodes->wanted,
		    nodes->wanted == 1 ? "" : "s", able(nodes));
		return;
	}
	if (say_counts(line, nodes, MAUI_REASON_NODE_FEATURES, MAUI_REASON_NODE_OTHER))
		return;
	say(line, "%s",
	    able(nodes) > 0 ? "it asks for more than there is" : "no set of nodes can serve it");
}

static void say_down(struct line *line, const struct about *about)
{
	const struct maui_node_reasons *nodes = about->e->nodes;
	uint32_t down = count_of(nodes, MAUI_REASON_NODE_STATE);
	uint32_t silent = count_of(nodes, MAUI_REASON_NODE_UNANSWERED);

	say(line, "Nodes down: ");
	if (nodes && nodes->wanted > able(nodes))
		say(line, "needs %" PRIu32 " node%s, %" PRIu32 " up, ", nodes->wanted,
		    nodes->wanted == 1 ? "" : "s", able(nodes));
	else if (down == 0)
		say(line, "nodes it needs are ");
	if (down > 0)
		say(line, "%" PRIu32 " ", down);
	say(line, "down or drained");
	if (silent > 0)
		say(line, ", %" PRIu32 " not answered yet", silent);
}

static void say_blocking(struct line *line, const struct about *about)
{
	const struct maui_blocking_reservation *k = about->e->blocking;
	int64_t now_s = about->e->now_s, when_s;
	char text[MAUI_EXPLAIN_LINE_SIZE], moment[32] = "";
	struct line when = { .text = moment, .size = sizeof(moment) };
	bool begun;

	if (!k)
		return;
	begun = now_s <= 0 || k->start_s <= now_s;
	when_s = begun ? k->end_s : k->start_s;
	if (now_s > 0 && when_s != MAUI_NEVER && when_s > now_s)
		say_moment(&when, now_s, when_s);
	say(line, "%s", maui_blocking_text(k, moment, begun, text, sizeof(text)));
}

static void say_limit(struct line *line, const struct about *about)
{
	const struct maui_violation *violation = about->block->violation;
	char text[MAUI_VIOLATION_SIZE];

	say(line, "%s", violation ? maui_violation_format(violation, text, sizeof(text)) : "limit");
}

static void say_licences(struct line *line, const struct about *about)
{
	const struct maui_licence_shortage *licence = about->e->licence;

	if (is_far_behind(about->e)) {
		say_priority(line, about);
		return;
	}
	say(line, "Licenses: ");
	if (licence && licence->name)
		say(line, "needs %" PRId64 " %s, %" PRId64 " free", licence->needed, licence->name,
		    licence->free);
	else
		say(line, "not enough are free");
	if (licence && licence->reserved_by)
		say(line, ", some are reserved (%s)", licence->reserved_by);
	say_start(line, about->e);
}

/* What is told of a reason: `text`, or what `say` finds out; then when it may be over, behind these
 * words; then when the job starts. Of none of them: what the reason is called. */
static const struct telling {
	bool silent; /* Slurm has words for it */
	const char *text;
	void (*say)(struct line *line, const struct about *about);
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
	[MAUI_REASON_LIMIT] = { .say = say_limit },
	[MAUI_REASON_PRIORITY] = { .say = say_priority },
	[MAUI_REASON_RESOURCES] = { .say = say_resources },
	[MAUI_REASON_LICENCES] = { .say = say_licences },
	[MAUI_REASON_ACCESS] = { .say = say_blocking },
	[MAUI_REASON_RESERVED] = { .say = say_reserved },
	[MAUI_REASON_CHUNKING] = { .text = "idle nodes are collected for larger jobs",
				   .until = " until " },
	[MAUI_REASON_NOBF] = { .text = "Priority: its QOS takes no part in backfill",
			       .start = true },
	[MAUI_REASON_NEVER_FITS] = { .say = say_never },
	[MAUI_REASON_NODES_DOWN] = { .say = say_down },
};

/* One reason; "" for those that Slurm has words for. */
static void say_block(struct line *line, const struct about *about)
{
	enum maui_reason reason = about->block->reason;
	const struct telling *telling = &tellings[reason];

	if (telling->silent)
		return;
	if (telling->say)
		telling->say(line, about);
	else
		say(line, "%s", telling->text ? telling->text : maui_reason_text(reason));
	if (telling->until)
		say_when(line, about->e->now_s, telling->until, about->block->until_s);
	if (telling->start)
		say_start(line, about->e);
}

/* Names are the site's: nothing of them may break a line or a column. */
static void clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == '|' || *text == 0x7f)
			*text = '_';
}

/* Whether the job waits for resources: then the reservation that blocks it is the reason. */
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

static void say_block_of(struct line *line, const struct maui_explanation *e,
			 const struct maui_block *block)
{
	struct maui_block access = { .reason = MAUI_REASON_ACCESS, .until_s = MAUI_NEVER };

	if (e->blocking && is_about_resources(block->reason))
		block = &access;
	say_block(line, &(struct about){ e, block });
	if (line->length == 0)
		say(line, "%s",
		    tellings[block->reason].silent ? "" : maui_reason_text(block->reason));
}

char *maui_explain_first(const struct maui_explanation *e, char *buf, size_t size)
{
	struct line line = { .text = buf, .size = size };

	if (size == 0)
		return buf;
	buf[0] = '\0';
	if (e->verdict->blocks)
		say_block_of(&line, e, e->verdict->blocks);
	clean(buf);
	return buf;
}

static void add_line(struct maui_strbuf *ret, char *text)
{
	clean(text);
	if (*text)
		maui_strbuf_addf(ret, "%s\n", text);
}

static void add_outlook(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	char text[MAUI_EXPLAIN_LINE_SIZE] = "", limit[32];
	struct line line = { .text = text, .size = sizeof(text) };

	if (e->longest_s >= 60)
		maui_strbuf_addf(ret, "would start now with a time limit of %s\n",
				 maui_duration_format(e->longest_s, limit, sizeof(limit)));
	say_when(&line, e->now_s, "could start about ", e->earliest_s);
	add_line(ret, text);
}

int maui_explain_all(const struct maui_explanation *e, struct maui_strbuf *ret)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];

	for (const struct maui_block *block = e->verdict->blocks; block; block = block->next) {
		struct line line = { .text = text, .size = sizeof(text) };

		text[0] = '\0';
		say_block_of(&line, e, block);
		if (line.length == 0)
			say(&line, "%s", maui_reason_text(block->reason));
		add_line(ret, text);
	}
	for (int r = 0; e->verdict->blocks && r < MAUI_REASON_COUNT; r++) {
		struct line line = { .text = text, .size = sizeof(text) };

		if (count_of(e->nodes, (enum maui_reason)r) == 0)
			continue;
		say_count(&line, e->nodes, (enum maui_reason)r, true);
		add_line(ret, text);
	}
	if (e->verdict->blocks)
		add_outlook(e, ret);
	return ret->failed ? -1 : 0;
}
