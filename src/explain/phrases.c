/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phrases.c - the parts of a line that says why a job waits: limits, nodes, reservations, moments
 *
 * Rules: THR-17.
 */

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/moment.h"
#include "explain/text.h"
#include "explain/text_private.h"
#include "model/acl.h"
#include "model/when.h"
#include "reservation/access/access.h"

/* ---- a line of bounded length, with moments in local time ---- */

void maui_text_append(struct maui_text_line *line, const char *form, ...)
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

void maui_text_shorten(struct maui_text_line *line, size_t least)
{
	while (line->length > MAUI_TEXT_PREFERRED && line->length > least) {
		size_t length = line->length - 1;

		while (length > least && line->text[length] != ',' && line->text[length] != ';')
			length--;
		line->text[line->length = length] = '\0';
	}
}

void maui_text_moment(struct maui_text_line *line, int64_t now_s, int64_t when_s)
{
	char moment[MAUI_MOMENT_SIZE];

	maui_text_append(line, "%s", maui_moment_brief(when_s, now_s, moment, sizeof(moment)));
}

void maui_text_when(struct maui_text_line *line, int64_t now_s, const char *before, int64_t when_s)
{
	size_t length = line->length;

	if (now_s <= 0 || when_s <= now_s || when_s == MAUI_NEVER)
		return;
	maui_text_append(line, "%s", before);
	maui_text_moment(line, now_s, when_s);
	if (line->length > MAUI_TEXT_PREFERRED)
		line->text[line->length = length] = '\0';
}

void maui_text_exact(struct maui_text_line *line, int64_t when_s)
{
	char moment[MAUI_MOMENT_SIZE];

	maui_text_append(line, ": %s", maui_moment_exact(when_s, moment, sizeof(moment)));
}

void maui_text_clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == '|' || *text == 0x7f)
			*text = '_';
}

void maui_text_add(struct maui_strbuf *ret, char *text)
{
	maui_text_clean(text);
	if (*text)
		maui_strbuf_addf(ret, "%s\n", text);
}

void maui_text_add_part(struct maui_strbuf *ret, const struct maui_explanation *e,
			void (*append)(struct maui_text_line *line,
				       const struct maui_explanation *e))
{
	char text[MAUI_EXPLAIN_LINE_SIZE] = "";
	struct maui_text_line line = { .text = text, .size = sizeof(text) };

	append(&line, e);
	maui_text_add(ret, text);
}

/* ---- a violated limit ---- */

/* Seconds become a time if they are below INFINITY; percentages have a fraction. */
static char *format_value(const struct maui_violation *v, double value, char *buf, size_t size)
{
	if (v->resource == MAUI_RESOURCE_COUNT)
		snprintf(buf, size, "%.4g%%", value);
	else if (v->resource == MAUI_RESOURCE_WC && value >= 0 && value < MAUI_TIME_INFINITY)
		return maui_duration_format((int64_t)value, buf, size);
	else
		snprintf(buf, size, "%.0f", value);
	return buf;
}

/* "USER" of "user" */
static void upper_case(const char *from, char *to, size_t size)
{
	size_t i = 0;

	for (; from[i] != '\0' && i + 1 < size; i++)
		to[i] = (char)toupper((unsigned char)from[i]);
	to[i] = '\0';
}

/* Whether the job alone requests more than the hard limit: it can never start. */
static bool is_never_met(const struct maui_violation *v)
{
	return v->level == MAUI_LIMIT_HARD && v->requested > v->value && !v->placed &&
	       (v->kind == MAUI_VIOLATION_ACTIVE || v->kind == MAUI_VIOLATION_IDLE);
}

/* "in use", "in use+requested" or "requested", where the other one is implied. */
static void format_use(const struct maui_violation *v, char *buf, size_t size)
{
	char used[64], asked[64];

	format_value(v, v->in_use, used, sizeof(used));
	format_value(v, v->requested, asked, sizeof(asked));
	if (v->kind == MAUI_VIOLATION_JOB || is_never_met(v))
		snprintf(buf, size, "%s", asked);
	else if (v->kind == MAUI_VIOLATION_FAIRSHARE || v->resource == MAUI_RESOURCE_JOB)
		snprintf(buf, size, "%s", used);
	else
		snprintf(buf, size, "%s+%s", used, asked);
}

char *maui_violation_limit(const struct maui_violation *v, char *buf, size_t size)
{
	char cred[16], second[16] = "";

	upper_case(maui_limited_name(v->cred), cred, sizeof(cred));
	if (v->second_name)
		upper_case(maui_limited_name(v->second), second, sizeof(second));
	snprintf(buf, size, "%s %s %s%s%s%s%s", v->limit, cred, v->name, v->second_name ? " " : "",
		 second, v->second_name ? " " : "", v->second_name ? v->second_name : "");
	return buf;
}

char *maui_violation_format(const struct maui_violation *v, char *buf, size_t size)
{
	const char *level = v->kind == MAUI_VIOLATION_FAIRSHARE ? "cap" :
			    v->level == MAUI_LIMIT_SOFT         ? "soft" :
								  "hard";
	char cred[16], second[16] = "", use[160], value[64];

	upper_case(maui_limited_name(v->cred), cred, sizeof(cred));
	if (v->second_name)
		upper_case(maui_limited_name(v->second), second, sizeof(second));
	format_use(v, use, sizeof(use));
	format_value(v, v->value, value, sizeof(value));
	snprintf(buf, size, "%s %s %s%s%s%s%s %s/%s (%s)%s", v->limit, cred, v->name,
		 v->second_name ? " " : "", second, v->second_name ? " " : "",
		 v->second_name ? v->second_name : "", use, value, level,
		 is_never_met(v) ? ": larger than the limit" : "");
	return buf;
}

/* ---- how many nodes serve a job, and why the others do not ---- */

/* The words for nodes of each reason: for one node, for several. */
static const char *const words[MAUI_REASON_COUNT][2] = {
	[MAUI_REASON_NONE] = { "has room", "have room" },
	[MAUI_REASON_NODE_STATE] = { "is down or drained", "are down or drained" },
	[MAUI_REASON_NODE_UNANSWERED] = { "has not answered yet", "have not answered yet" },
	[MAUI_REASON_NODE_PARTITION] = { "is in other partitions", "are in other partitions" },
	[MAUI_REASON_NODE_FEATURES] = { "lacks features", "lack features" },
	[MAUI_REASON_NODE_EXCLUDED] = { "is outside its request", "are outside its request" },
	[MAUI_REASON_NODE_PROCS] = { "lacks processors", "lack processors" },
	[MAUI_REASON_NODE_MEM] = { "lacks memory", "lack memory" },
	[MAUI_REASON_NODE_DISK] = { "lacks disk space", "lack disk space" },
	[MAUI_REASON_NODE_OTHER] = { "lacks gres", "lack gres" },
	[MAUI_REASON_NODE_BUSY] = { "is busy", "are busy" },
	[MAUI_REASON_NODE_RESERVED] = { "is kept for jobs ahead", "are kept for jobs ahead" },
	[MAUI_REASON_NODE_CLAIMED] = { "is reserved", "are reserved" },
	[MAUI_REASON_NODE_USER] = { "is another user's", "are another user's" },
};

uint32_t maui_text_count(const struct maui_node_reasons *nodes, enum maui_reason reason)
{
	return nodes && words[reason][0] ? nodes->counts[reason] : 0;
}

void maui_text_nodes(struct maui_text_line *line, const struct maui_node_reasons *nodes,
		     enum maui_reason reason, bool noun)
{
	uint32_t count = maui_text_count(nodes, reason);

	maui_text_append(line, "%" PRIu32 "%s ", count,
			 !noun      ? "" :
			 count == 1 ? " node" :
				      " nodes");
	if (reason == MAUI_REASON_NODE_OTHER && nodes->missing_gres)
		maui_text_append(line, "%s %s", count == 1 ? "lacks" : "lack", nodes->missing_gres);
	else
		maui_text_append(line, "%s",
				 reason == MAUI_REASON_NONE && nodes->asks_slurm ?
					 "may have room: Slurm chooses" :
					 words[reason][count != 1]);
	if (reason == MAUI_REASON_NODE_CLAIMED && nodes->reserved_by)
		maui_text_append(line, " by %s", nodes->reserved_by);
}

bool maui_text_all_nodes(struct maui_text_line *line, const struct maui_node_reasons *nodes,
			 enum maui_reason first, enum maui_reason last)
{
	uint64_t said = 0;
	bool any = false;

	for (;;) {
		int best = MAUI_REASON_COUNT;
		size_t length = line->length;

		for (int r = (int)first; r <= (int)last; r++)
			if (!(said & UINT64_C(1) << r) && r != MAUI_REASON_NODE_PARTITION &&
			    maui_text_count(nodes, (enum maui_reason)r) > 0 &&
			    (best == MAUI_REASON_COUNT || nodes->counts[r] > nodes->counts[best]))
				best = r;
		if (best == MAUI_REASON_COUNT)
			return any;
		said |= UINT64_C(1) << best;
		maui_text_append(line, "%s", any ? ", " : "");
		maui_text_nodes(line, nodes, (enum maui_reason)best, !any);
		if (any && line->length > MAUI_TEXT_PREFERRED) {
			line->text[line->length = length] = '\0';
			return any;
		}
		any = true;
	}
}

uint32_t maui_text_able_nodes(const struct maui_node_reasons *nodes)
{
	return maui_text_count(nodes, MAUI_REASON_NONE) +
	       maui_text_count(nodes, MAUI_REASON_NODE_BUSY) +
	       maui_text_count(nodes, MAUI_REASON_NODE_RESERVED) +
	       maui_text_count(nodes, MAUI_REASON_NODE_CLAIMED) +
	       maui_text_count(nodes, MAUI_REASON_NODE_USER);
}

bool maui_text_reservations_decide(const struct maui_node_reasons *nodes)
{
	return nodes && nodes->reservations_decide &&
	       maui_text_count(nodes, MAUI_REASON_NODE_CLAIMED) > 0;
}

bool maui_text_lacks_nodes(const struct maui_node_reasons *nodes)
{
	return nodes && nodes->wanted > maui_text_count(nodes, MAUI_REASON_NONE) +
						maui_text_count(nodes, MAUI_REASON_NODE_RESERVED) +
						maui_text_count(nodes, MAUI_REASON_NODE_CLAIMED);
}

bool maui_text_room(struct maui_text_line *line, const struct maui_node_reasons *nodes)
{
	if (!nodes || nodes->room >= nodes->tasks)
		return false;
	maui_text_append(line, "room for %" PRId64 " of %" PRId64 " tasks", nodes->room,
			 nodes->tasks);
	if (nodes->procs_per_task > 1)
		maui_text_append(line, " of %" PRIu32 " processors", nodes->procs_per_task);
	return true;
}

void maui_text_needs(struct maui_text_line *line, const struct maui_node_reasons *nodes, bool names)
{
	uint32_t kept = maui_text_count(nodes, MAUI_REASON_NODE_RESERVED);
	uint32_t claimed = maui_text_count(nodes, MAUI_REASON_NODE_CLAIMED);

	maui_text_append(line, "needs %" PRIu32 "%s node%s", nodes->wanted,
			 nodes->whole ? " whole" : "", nodes->wanted == 1 ? "" : "s");
	if (nodes->scarce)
		maui_text_append(line, " with %" PRId64 " %s", nodes->scarce_needed, nodes->scarce);
	if (nodes->features)
		maui_text_append(line, " with feature %s", nodes->features);
	if (nodes->contiguous)
		maui_text_append(line, " in a row");
	else if (nodes->switches_max > 0)
		maui_text_append(line, " on %" PRIu32 " leaf switch%s", nodes->switches_max,
				 nodes->switches_max == 1 ? "" : "es");
	else if (nodes->in_set)
		maui_text_append(line, " in one node set");
	else if (nodes->bound)
		maui_text_append(line, " on one network");
	maui_text_append(line, ", %" PRIu32 " free", maui_text_count(nodes, MAUI_REASON_NONE));
	if (kept > 0)
		maui_text_append(line, ", %" PRIu32 " kept for others", kept);
	if (claimed > 0)
		maui_text_append(line, ", %" PRIu32 " reserved%s%s", claimed,
				 names && nodes->reserved_by ? " by " : "",
				 names && nodes->reserved_by ? nodes->reserved_by : "");
}

/* ---- why a reservation does not admit a job ---- */

static const char *kind_word(int kind)
{
	static const char *const names[MAUI_CRED_COUNT] = { "user", "group", "account", "QOS",
							    "class" };

	return names[kind];
}

/* "class batch not admitted" */
static void format_not_admitted(const struct maui_blocking_reservation *k, const char *what,
				char *buf, size_t size)
{
	const char *order = k->order == MAUI_ACL_AT_MOST ? "" : maui_acl_order_names[k->order];
	char limit[32];

	if (k->kind >= 0 && k->kind < MAUI_CRED_COUNT && k->name_of_kind)
		snprintf(buf, size, "%s %s %s", kind_word(k->kind), k->name_of_kind, what);
	else if (k->kind >= 0 && k->kind < MAUI_CRED_COUNT)
		snprintf(buf, size, "job without %s %s", kind_word(k->kind), what);
	else if (k->kind == MAUI_ACL_TASK)
		snprintf(buf, size, "TASKLIMIT %s%" PRId64, order, k->value);
	else if (k->kind == MAUI_ACL_PROC)
		snprintf(buf, size, "PROCLIMIT %s%" PRId64, order, k->value);
	else if (k->kind == MAUI_ACL_DURATION)
		snprintf(buf, size, "TIMELIMIT %s",
			 maui_duration_format(k->value, limit, sizeof(limit)));
	else if (k->kind == MAUI_ACL_JOBATTR)
		snprintf(buf, size, "JOBATTRLIST %s", k->attribute ? k->attribute : "");
	else
		snprintf(buf, size, "not admitted");
}

/* What the reservation lacks, for a job that may not leave it. */
static void format_lack(const struct maui_blocking_reservation *k, bool begun, char *buf,
			size_t size)
{
	switch (k->lacks) {
	case MAUI_REASON_NODE_PROCS:
	case MAUI_REASON_NODE_MEM:
		snprintf(buf, size, "job needs %" PRId64 " %s of a node, it has %" PRId64, k->needs,
			 k->lacks == MAUI_REASON_NODE_MEM ? "MB" : "processors", k->has);
		break;
	case MAUI_REASON_RESOURCES:
		snprintf(buf, size, "room for %" PRId64 " of the job's %" PRId64 " tasks", k->has,
			 k->needs);
		break;
	case MAUI_REASON_NODE_STATE:
		snprintf(buf, size, "%s",
			 k->start_s == MAUI_NEVER ? "no more is planned" :
			 !begun                   ? "not begun" :
			 k->down                  ? "its nodes are down" :
			 k->unanswered            ? "its nodes have not answered yet" :
						    "has no nodes now");
		break;
	default:
		snprintf(buf, size, "no room for the job");
	}
}

static void why(const struct maui_blocking_reservation *k, bool begun, char *buf, size_t size)
{
	char limit[32];

	if (k->lacks != MAUI_REASON_NONE) {
		format_lack(k, begun, buf, size);
		return;
	}
	if (k->limit_s > 0) {
		snprintf(buf, size, "TIMELIMIT %s",
			 maui_duration_format(k->limit_s, limit, sizeof(limit)));
		return;
	}
	switch (k->why) {
	case MAUI_ENTRY_OK:
		snprintf(buf, size,
			 !begun                 ? "not begun" :
			 k->end_s != MAUI_NEVER ? "ends before the job would" :
						  "the job may run nowhere else");
		break;
	case MAUI_ENTRY_BYNAME:
		snprintf(buf, size, "only with --reservation%s%s", k->name ? "=" : "",
			 k->name ? k->name : "");
		break;
	case MAUI_ENTRY_EMPTY:
		snprintf(buf, size, "its access list admits nobody");
		break;
	case MAUI_ENTRY_GONE:
		snprintf(buf, size, "this instance does not exist and is not planned");
		break;
	case MAUI_ENTRY_UNKNOWN:
		snprintf(buf, size, "this reservation does not exist (any more)");
		break;
	case MAUI_ENTRY_FOREIGN:
		snprintf(buf, size, "a Slurm reservation covers the requested nodes");
		break;
	case MAUI_ENTRY_DENY:
		format_not_admitted(k, "denied", buf, size);
		break;
	default:
		format_not_admitted(k, "not admitted", buf, size);
	}
}

/* Rounds minutes down in steps. The longest time that fits changes every minute; in steps, the text
 * does not. */
static int64_t round_down(int64_t minutes)
{
	int64_t step = minutes >= 60 ? 15 : minutes >= 10 ? 5 : 1;

	return minutes / step * step;
}

char *maui_blocking_text(const struct maui_blocking_reservation *k, const char *when, bool begun,
			 bool exact, char *buf, size_t size)
{
	int64_t minutes = exact ? k->shorter_s / 60 : round_down(k->shorter_s / 60);
	char reason[128] = "", fits[64] = "";

	if (minutes > 0)
		snprintf(fits, sizeof(fits), "fits%s with -t %" PRId64,
			 k->limit_s > 0 || begun ? "" : " before", minutes);
	else if (k->between_s >= 60)
		snprintf(fits, sizeof(fits), "fits%s with -t %" PRId64,
			 k->gaps ? " between its instances" : "", k->between_s / 60);
	if (minutes == 0 || k->limit_s > 0)
		why(k, begun, reason, sizeof(reason));
	snprintf(buf, size, "Reservation%s%s%s%s: %s%s%s", k->name ? " " : "",
		 k->name ? k->name : "",
		 !*when ? "" :
		 begun  ? " until " :
			  " from ",
		 when, reason, *reason && *fits ? "; " : "", fits);
	return buf;
}
