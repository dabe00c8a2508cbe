/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reason.c - a few words for each reason */

#include "model/reason.h"

#include <string.h>

const char *const maui_reason_texts[MAUI_REASON_COUNT + 1] = {
	[MAUI_REASON_NONE] = "",
	[MAUI_REASON_HELD] = "held",
	[MAUI_REASON_DEPENDENCY] = "waits for another job",
	[MAUI_REASON_BEGIN_TIME] = "begin time not reached",
	[MAUI_REASON_DEFERRED] = "deferred",
	[MAUI_REASON_PARTITION] = "partition not available",
	[MAUI_REASON_SLURM] = "refused by Slurm's own checks",
	[MAUI_REASON_HET] = "het jobs need HETJOBS ON in maui.cfg",
	[MAUI_REASON_COMPONENT] = "another component of its het job may not start",
	[MAUI_REASON_REFUSED] = "start refused",
	[MAUI_REASON_NEGATIVE] = "negative priority",
	[MAUI_REASON_LIMIT] = "limit",
	[MAUI_REASON_PRIORITY] = "jobs of higher priority come first",
	[MAUI_REASON_RESOURCES] = "resources",
	[MAUI_REASON_LICENCES] = "licences",
	[MAUI_REASON_ACCESS] = "kept out by a reservation",
	[MAUI_REASON_RESERVED] = "idle resources are reserved for others",
	[MAUI_REASON_CHUNKING] = "resources are collected for larger jobs",
	[MAUI_REASON_NOBF] = "takes no part in backfill",
	[MAUI_REASON_NEVER_FITS] = "no set of nodes can serve it",
	[MAUI_REASON_NODES_DOWN] = "nodes needed are not available",
	[MAUI_REASON_BUSY] = "no suitable nodes are free",
	[MAUI_REASON_NODE_STATE] = "state",
	[MAUI_REASON_NODE_UNANSWERED] = "not answered yet",
	[MAUI_REASON_NODE_PARTITION] = "partition",
	[MAUI_REASON_NODE_FEATURES] = "features",
	[MAUI_REASON_NODE_EXCLUDED] = "excluded",
	[MAUI_REASON_NODE_PROCS] = "procs",
	[MAUI_REASON_NODE_MEM] = "memory",
	[MAUI_REASON_NODE_DISK] = "disk",
	[MAUI_REASON_NODE_OTHER] = "gres",
	[MAUI_REASON_NODE_BUSY] = "busy",
	[MAUI_REASON_NODE_RESERVED] = "reserved for a job",
	[MAUI_REASON_NODE_CLAIMED] = "reservation",
	[MAUI_REASON_NODE_USER] = "another user's",
};

const char *maui_reason_text(enum maui_reason reason)
{
	return (unsigned)reason < MAUI_REASON_COUNT ? maui_reason_texts[reason] : "?";
}

const char *maui_reason_node_text(enum maui_reason reason)
{
	return reason == MAUI_REASON_NONE ? "free" : maui_reason_text(reason);
}

enum maui_reason maui_reason_find(const char *text)
{
	int r = 0;

	while (r < MAUI_REASON_COUNT &&
	       strcmp(maui_reason_node_text((enum maui_reason)r), text) != 0)
		r++;
	return (enum maui_reason)r;
}
