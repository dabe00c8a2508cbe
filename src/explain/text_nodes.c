/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_nodes.c - how many nodes serve a job, and why the others do not, in words */

#include <inttypes.h>

#include "explain/text_private.h"

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
		maui_text_append(line, "%s", words[reason][count != 1]);
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
