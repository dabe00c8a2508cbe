/* SPDX-License-Identifier: GPL-2.0-or-later */
/* closed.c - the sentences on what is closed to a hypothetical job */

#include "explain/closed.h"

#include "base/duration.h"
#include "explain/text.h"
#include "plan/finished.h"

/* By the names of slurm.conf, which `scontrol show partition` prints. */
static const struct {
	const char *name, *text;
} rules[] = {
	[MAUI_ADMISSION_OPEN] = { NULL, NULL },
	[MAUI_ADMISSION_ROOT_ONLY] = { "RootOnly", "the partition is for jobs of root (RootOnly)" },
	[MAUI_ADMISSION_NO_ROOT] = { "DisableRootJobs",
				     "the partition takes no jobs of root (DisableRootJobs)" },
	[MAUI_ADMISSION_NEEDS_RESERVATION] = { "ReqResv",
					       "jobs of the partition must name a reservation (ReqResv)" },
	[MAUI_ADMISSION_ALLOW_GROUPS] = { "AllowGroups",
					  "AllowGroups of the partition has no group of the user" },
	[MAUI_ADMISSION_ALLOW_ACCOUNTS] = { "AllowAccounts",
					    "AllowAccounts of the partition does not have the account" },
	[MAUI_ADMISSION_DENY_ACCOUNTS] = { "DenyAccounts",
					   "DenyAccounts of the partition has the account" },
	[MAUI_ADMISSION_ALLOW_QOS] = { "AllowQos",
				       "AllowQos of the partition does not have the QOS" },
	[MAUI_ADMISSION_DENY_QOS] = { "DenyQos", "DenyQos of the partition has the QOS" },
};

_Static_assert(sizeof(rules) / sizeof(rules[0]) == MAUI_ADMISSION_COUNT, "a rule has no text");

const char *maui_closed_rule_name(enum maui_admission_rule rule)
{
	return rules[rule].name;
}

const char *maui_closed_first(const struct maui_closed *closed)
{
	return closed->rule != MAUI_ADMISSION_OPEN ? rules[closed->rule].text :
	       closed->down                        ? "the partition starts no jobs now" :
	       closed->too_long ? "the time limit is above the partition's MaxTime" :
	       closed->qos      ? "the QOS is not open to the user" :
				  NULL;
}

int maui_closed_list(const struct maui_offer_question *question,
		     const struct maui_partition *partition, const struct maui_closed *closed,
		     const char *no_starts, const struct maui_explanation *e,
		     struct maui_strbuf *ret)
{
	static const struct maui_closed too_long = { .too_long = true }, down = { .down = true };
	char most[MAUI_DURATION_SIZE], text[MAUI_EXPLAIN_LINE_SIZE];

	if (closed->rule != MAUI_ADMISSION_OPEN) { /* what else keeps the job does not matter */
		maui_strbuf_addf(ret, "%s\n", rules[closed->rule].text);
		return ret->failed ? -1 : 0;
	}
	if (closed->too_long)
		maui_strbuf_addf(ret, "%s, %s\n", maui_closed_first(&too_long),
				 maui_duration_format(partition->max_limit_s, most, sizeof(most)));
	if (closed->down)
		maui_strbuf_addf(ret, "%s\n", maui_closed_first(&down));
	if (closed->qos)
		maui_strbuf_addf(ret, "QOS %s is not open to the user\n",
				 question->cred[MAUI_CRED_QOS]);
	if (no_starts)
		maui_strbuf_addf(ret, "%s\n",
				 maui_explain_would_start_but(no_starts, text, sizeof(text)));
	if (e->verdict->blocks && maui_explain_all(e, ret))
		return -1;
	return ret->failed ? -1 : 0;
}
