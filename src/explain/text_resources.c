/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_resources.c - the lines on what a job waits for: nodes, licences, jobs ahead, reservations
 *
 * A line begins with a word that users know from Slurm ("Resources", "Priority"). It says what is
 * missing before it says when that will come.
 */

#include <inttypes.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/words.h"
#include "explain/text.h"
#include "explain/text_private.h"
#include "model/acl.h"
#include "model/when.h"
#include "reservation/access/access.h"

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
	[MAUI_REASON_NODE_RESERVED] = { "is kept for other jobs", "are kept for other jobs" },
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

/* Writes the largest counts of the reasons first .. last, as many as fit. Returns whether there was
 * any. Equal counts stand in the order of reasons. */
static bool append_all_nodes(struct maui_text_line *line, const struct maui_node_reasons *nodes,
			     enum maui_reason first, enum maui_reason last)
{
	uint64_t written = 0;
	bool any = false;

	for (;;) {
		int best = MAUI_REASON_COUNT;
		size_t length = line->length;

		for (int r = (int)first; r <= (int)last; r++)
			if (!(written & UINT64_C(1) << r) && r != MAUI_REASON_NODE_PARTITION &&
			    maui_text_count(nodes, (enum maui_reason)r) > 0 &&
			    (best == MAUI_REASON_COUNT || nodes->counts[r] > nodes->counts[best]))
				best = r;
		if (best == MAUI_REASON_COUNT)
			return any;
		written |= UINT64_C(1) << best;
		maui_text_append(line, "%s", any ? ", " : "");
		maui_text_nodes(line, nodes, (enum maui_reason)best, !any);
		if (any && line->length > MAUI_TEXT_PREFERRED) {
			line->text[line->length = length] = '\0';
			return any;
		}
		any = true;
	}
}

/* The number of nodes that could serve the job, busy or not. */
static uint32_t count_able(const struct maui_node_reasons *nodes)
{
	return maui_text_count(nodes, MAUI_REASON_NONE) +
	       maui_text_count(nodes, MAUI_REASON_NODE_BUSY) +
	       maui_text_count(nodes, MAUI_REASON_NODE_RESERVED) +
	       maui_text_count(nodes, MAUI_REASON_NODE_CLAIMED) +
	       maui_text_count(nodes, MAUI_REASON_NODE_USER);
}

/* Whether reservations that do not admit the job decide when it starts. */
static bool reservations_decide(const struct maui_node_reasons *nodes)
{
	return nodes && nodes->reservations_decide &&
	       maui_text_count(nodes, MAUI_REASON_NODE_CLAIMED) > 0;
}

/* Whether the job would lack nodes even if nothing were reserved. */
static bool lacks_nodes(const struct maui_node_reasons *nodes)
{
	return nodes && nodes->wanted > maui_text_count(nodes, MAUI_REASON_NONE) +
						maui_text_count(nodes, MAUI_REASON_NODE_RESERVED) +
						maui_text_count(nodes, MAUI_REASON_NODE_CLAIMED);
}

/* "room for 1 of 2 tasks of 4 processors"; nothing if there is room for all. Returns whether it
 * wrote. */
static bool append_room(struct maui_text_line *line, const struct maui_node_reasons *nodes)
{
	if (!nodes || nodes->room >= nodes->tasks)
		return false;
	maui_text_append(line, "room for %" PRId64 " of %" PRId64 " tasks", nodes->room,
			 nodes->tasks);
	if (nodes->procs_per_task > 1)
		maui_text_append(line, " of %" PRIu32 " processors", nodes->procs_per_task);
	return true;
}

/* "needs 4 whole nodes" */
static void append_wanted(struct maui_text_line *line, const struct maui_node_reasons *nodes,
			  bool whole)
{
	maui_text_append(line, "needs %" PRIu32 "%s node%s", nodes->wanted, whole ? " whole" : "",
			 maui_plural(nodes->wanted));
}

/* "needs 4 nodes, 1 free, 2 kept for others, 1 reserved by maint", or without the names. If
 * something other than processors is scarce, the text names it. */
static void append_needs(struct maui_text_line *line, const struct maui_node_reasons *nodes,
			 bool names)
{
	uint32_t kept = maui_text_count(nodes, MAUI_REASON_NODE_RESERVED);
	uint32_t claimed = maui_text_count(nodes, MAUI_REASON_NODE_CLAIMED);

	append_wanted(line, nodes, nodes->whole);
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

/* "Reservation biz until 17:00: class batch not admitted". `when`: the moment as text at which a
 * reservation that has begun ends, or at which it begins; "": the text has no moment. `exact`:
 * time limits are not rounded. Returns buf. */
static char *blocking_text(const struct maui_blocking_reservation *k, const char *when, bool begun,
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

/* ---- the lines ---- */

/* Whether the job is behind the first jobs, for which alone the blocking reservation is looked
 * up. */
static bool is_far_behind(const struct maui_explanation *e)
{
	return !e->looked && e->ahead >= MAUI_EXPLAIN_FIRST_JOBS;
}

enum maui_reason maui_text_kind(enum maui_reason reason, const struct maui_explanation *e)
{
	const struct maui_node_reasons *nodes = e->nodes;

	if (reason == MAUI_REASON_RESERVED && !lacks_nodes(nodes)) {
		if (!nodes || maui_text_count(nodes, MAUI_REASON_NODE_RESERVED) > 0)
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

bool maui_explain_network_alone(const struct maui_explanation *e)
{
	const struct maui_node_reasons *nodes = e->nodes;

	return nodes && maui_explain_kind(e) == MAUI_REASON_RESOURCES && nodes->bound &&
	       !nodes->contiguous && !nodes->in_set &&
	       maui_text_count(nodes, MAUI_REASON_NONE) >= nodes->wanted &&
	       nodes->room >= nodes->tasks;
}

/* Writes large numbers in steps, so that the texts of a long queue do not change with each
 * start. */
static void append_ahead(struct maui_text_line *line, const struct maui_explanation *e)
{
	static const uint32_t steps[] = { 100000, 50000, 20000, 10000, 5000, 2000,
					  1000,   500,   200,   100,   50,   20 };
	size_t i = 0;

	maui_text_append(line, "Priority: ");
	while (i < sizeof(steps) / sizeof(steps[0]) && e->ahead <= steps[i])
		i++;
	if (i < sizeof(steps) / sizeof(steps[0]))
		maui_text_append(line, "more than %" PRIu32 " jobs are ahead", steps[i]);
	else if (e->ahead > 1)
		maui_text_append(line, "%" PRIu32 " jobs are ahead", e->ahead);
	else if (e->ahead == 1)
		maui_text_append(line, "1 job is ahead");
	else
		maui_text_append(line, "other jobs are ahead");
	if (e->partition)
		maui_text_append(line, " in partition %s", e->partition);
}

void maui_text_priority(struct maui_text_line *line, const struct maui_text_reason *reason)
{
	const struct maui_node_reasons *nodes = reason->e->nodes;
	size_t length;

	append_ahead(line, reason->e);
	length = line->length;
	if (nodes && nodes->wanted > maui_text_count(nodes, MAUI_REASON_NONE)) {
		maui_text_append(line, "; ");
		append_needs(line, nodes, false);
	} else if (nodes && nodes->room < nodes->tasks) {
		maui_text_append(line, "; ");
		append_room(line, nodes);
	}
	maui_text_shorten(line, length);
	maui_text_start(line, reason->e);
}

static void append_nodes(struct maui_text_line *line, const struct maui_node_reasons *nodes)
{
	if (!append_all_nodes(line, nodes, MAUI_REASON_NODE_BUSY, MAUI_REASON_NODE_USER))
		maui_text_append(line, "not enough is free");
}

void maui_text_resources(struct maui_text_line *line, const struct maui_text_reason *reason)
{
	const struct maui_node_reasons *nodes = reason->e->nodes;
	bool few =
		nodes && (nodes->wanted > maui_text_count(nodes, MAUI_REASON_NONE) || nodes->bound);
	enum maui_reason kind = maui_text_kind(MAUI_REASON_RESOURCES, reason->e);

	if (kind == MAUI_REASON_PRIORITY) {
		maui_text_priority(line, reason);
		return;
	}
	maui_text_append(line, "%s: ", kind == MAUI_REASON_RESERVED ? "Reserved" : "Resources");
	if (few)
		append_needs(line, nodes, true);
	else if (kind == MAUI_REASON_RESERVED || !append_room(line, nodes))
		append_nodes(line, nodes);
	maui_text_start(line, reason->e);
}

/* Enough processors are idle in all, but other jobs have them reserved, or they are not on the
 * nodes that the job needs. */
void maui_text_reserved(struct maui_text_line *line, const struct maui_text_reason *reason)
{
	const struct maui_node_reasons *nodes = reason->e->nodes;
	bool decides = !nodes || maui_text_count(nodes, MAUI_REASON_NODE_RESERVED) > 0 ||
		       reservations_decide(nodes);

	if (lacks_nodes(nodes) || !decides || (!nodes && reason->e->behind)) {
		maui_text_resources(line, reason);
		return;
	}
	maui_text_append(line, "Reserved: ");
	if (!append_all_nodes(line, nodes, MAUI_REASON_NODE_RESERVED, MAUI_REASON_NODE_CLAIMED))
		maui_text_append(line, "idle nodes are kept for other jobs");
	maui_text_start(line, reason->e);
}

void maui_text_never(struct maui_text_line *line, const struct maui_text_reason *reason)
{
	const struct maui_node_reasons *nodes = reason->e->nodes;

	maui_text_append(line, "never fits: ");
	if (count_able(nodes) > 0 && nodes->wanted > count_able(nodes)) {
		append_wanted(line, nodes, false);
		maui_text_append(line, ", %" PRIu32 " can serve it", count_able(nodes));
		return;
	}
	if (append_all_nodes(line, nodes, MAUI_REASON_NODE_FEATURES, MAUI_REASON_NODE_OTHER))
		return;
	maui_text_append(line, "%s",
			 count_able(nodes) > 0 ? "it asks for more than there is" :
						 maui_reason_text(MAUI_REASON_NEVER_FITS));
}

void maui_text_down(struct maui_text_line *line, const struct maui_text_reason *reason)
{
	const struct maui_node_reasons *nodes = reason->e->nodes;
	uint32_t down = maui_text_count(nodes, MAUI_REASON_NODE_STATE);
	uint32_t silent = maui_text_count(nodes, MAUI_REASON_NODE_UNANSWERED);

	maui_text_append(line, "Nodes down: ");
	if (nodes && nodes->wanted > count_able(nodes)) {
		append_wanted(line, nodes, false);
		maui_text_append(line, ", %" PRIu32 " up, ", count_able(nodes));
	} else if (down == 0) {
		maui_text_append(line, "nodes it needs are ");
	}
	if (down > 0)
		maui_text_append(line, "%" PRIu32 " ", down);
	maui_text_append(line, "down or drained");
	if (silent > 0)
		maui_text_append(line, ", %" PRIu32 " not answered yet", silent);
}

void maui_text_blocking(struct maui_text_line *line, const struct maui_text_reason *reason)
{
	const struct maui_blocking_reservation *k = reason->e->blocking;
	int64_t now_s = reason->e->now_s, when_s;
	char text[MAUI_EXPLAIN_LINE_SIZE], moment[32] = "";
	struct maui_text_line when = { .text = moment, .size = sizeof(moment) };
	bool begun;

	if (!k)
		return;
	begun = now_s <= 0 || k->start_s <= now_s;
	when_s = begun ? k->end_s : k->start_s;
	if (now_s > 0 && when_s != MAUI_NEVER && when_s > now_s)
		/* of the beginning, too: the job would have to end before it */
		maui_text_moment(&when, now_s, when_s, MAUI_NOT_AFTER);
	maui_text_append(line, "%s",
			 blocking_text(k, moment, begun, reason->e->exact, text, sizeof(text)));
}

void maui_text_licences(struct maui_text_line *line, const struct maui_text_reason *reason)
{
	const struct maui_licence_shortage *licence = reason->e->licence;

	if (is_far_behind(reason->e)) {
		maui_text_priority(line, reason);
		return;
	}
	maui_text_append(line, "Licenses: ");
	if (licence && licence->name)
		maui_text_append(line, "needs %" PRId64 " %s, %" PRId64 " free", licence->needed,
				 licence->name, licence->free);
	else
		maui_text_append(line, "not enough are free");
	if (licence && licence->reserved_by)
		maui_text_append(line, ", some are reserved");
	if (licence && licence->reserved_by && *licence->reserved_by)
		maui_text_append(line, " (%s)", licence->reserved_by);
	maui_text_start(line, reason->e);
}
