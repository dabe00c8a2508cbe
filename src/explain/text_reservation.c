/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_reservation.c - why a reservation does not admit a job, in words */

#include "explain/text_private.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/duration.h"
#include "model/acl.h"
#include "reservation/access/access.h"

static const char *kind_word(int kind)
{
	static const char *const words[MAUI_CRED_COUNT] = { "user", "group", "account", "QOS",
							    "class" };

	return words[kind];
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
		snprintf(buf, size, "only with --reservation=%s", k->name);
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
	snprintf(buf, size, "Reservation %s%s%s: %s%s%s", k->name,
		 !*when ? "" :
		 begun  ? " until " :
			  " from ",
		 when, reason, *reason && *fits ? "; " : "", fits);
	return buf;
}
