/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_moab.c - what a moab.cfg has that a maui.cfg has not: words, parameters, attributes
 *
 * Rules: CFG-13, CFG-16, CFG-17.
 */
#include "parsed.h"
#include "rows.h"

#include <strings.h>

#include "config/schema/moab.h"

/* ---- words ---- */

struct value {
	const char *text;
	const char *said; /* all of it begins with "maui.cfg:1:"; "": nothing */
	int got;          /* the word's position; -1: the default stays */
};

#define NOTE(name, word, means) "1: note: " name " " word " means " means "\n"

static const struct value backfill[] = {
	{ "BACKFILLPOLICY ON\n", NOTE("BACKFILLPOLICY", "ON", "FIRSTFIT"), 0 },
	{ "BACKFILLPOLICY true\n", NOTE("BACKFILLPOLICY", "true", "FIRSTFIT"), 0 },
	{ "BACKFILLPOLICY YES\n", NOTE("BACKFILLPOLICY", "YES", "FIRSTFIT"), 0 },
	{ "BACKFILLPOLICY 1\n", NOTE("BACKFILLPOLICY", "1", "FIRSTFIT"), 0 },
	{ "BACKFILLPOLICY off\n", NOTE("BACKFILLPOLICY", "off", "NONE"), 4 },
	{ "BACKFILLPOLICY 0\n", NOTE("BACKFILLPOLICY", "0", "NONE"), 4 },
	{ "BACKFILLPOLICY bestfit\n", "", 1 },
	{ "BACKFILLPOLICY MANYFIT\n",
	  "1: warning: BACKFILLPOLICY must be one of FIRSTFIT, BESTFIT, GREEDY, PREEMPT, NONE, got "
	  "'MANYFIT', ignoring\n",
	  0 },
};

TEST_ROWS(moab, backfill_policy, backfill, row)
{
	struct parsed p = parse(row->text);

	cr_assert(p.config, "%s refused: %s", row->text, p.said);
	cr_expect((int)p.config->planning.backfill_policy == row->got, "%s: got %d", row->text,
		  (int)p.config->planning.backfill_policy);
	cr_expect(*row->said ? strstr(p.said, row->said) != NULL : *p.said == '\0', "%s: %s",
		  row->text, p.said);
	parsed_finish(&p);
}

/* An unknown word keeps what an earlier line said, as in Maui. */
Test(moab, an_unknown_word_keeps_the_former_value)
{
	struct parsed p = parse("BACKFILLPOLICY BESTFIT\nBACKFILLPOLICY MANYFIT\n");

	cr_assert(p.config, "%s", p.said);
	cr_expect(p.config->planning.backfill_policy == MAUI_BACKFILL_BESTFIT, "%s", p.said);
	parsed_finish(&p);
}

struct line {
	const char *text, *said; /* said: part of a diagnostic; "": none at all */
};

/* Right in Moab: never an error. */
static const struct line lines[] = {
	{ "HETJOBS TRUE\n", "note: HETJOBS TRUE means ON" },
	{ "HETJOBS no\n", "note: HETJOBS no means OFF" },
	{ "HETJOBS ON\n", "" },
	{ "RESERVATIONMIRROR YES\n", "note: RESERVATIONMIRROR YES means ALL" },
	{ "FSPOLICY MANYPS\n", "warning: FSPOLICY must be one of NONE, DEDICATEDPS" },
	{ "USERCFG[a] MAXJOB=UNLIMITED\n", "" },
	{ "USERCFG[a] MAXPROC=4,unlimited\n", "" },
	{ "USERCFG[a] MAXWC=UNLIMITED\n", "" },
	{ "JOBPRIOACCRUALPOLICY ACCRUE\n", "note: JOBPRIOACCRUALPOLICY ACCRUE means FULLPOLICY" },
	{ "JOBPRIOACCRUALPOLICY RESET\n",
	  "warning: JOBPRIOACCRUALPOLICY RESET is treated as FULLPOLICY" },
	{ "NODEACCESSPOLICY SINGLEACCOUNT\n",
	  "warning: NODEACCESSPOLICY: SINGLEACCOUNT is Moab's word, ignoring: the access policy "
	  "stays" },
	{ "NODEACCESSPOLICY SINGLEGROUP\n", "SINGLEGROUP is Moab's word, ignoring: " },
	{ "NODEACCESSPOLICY UNIQUEUSER\n", "UNIQUEUSER is Moab's word, ignoring: " },
	{ "NODEACCESSPOLICY SHAREDONLY\n", "note: NODEACCESSPOLICY SHAREDONLY means SHARED" },
	{ "NODEALLOCATIONPOLICY InReportedOrder\n", "InReportedOrder means FIRSTAVAILABLE" },
	{ "NODEALLOCATIONPOLICY InReverseReportedOrder\n", "means LASTAVAILABLE" },
	{ "NODEALLOCATIONPOLICY CustomPriority\n", "CustomPriority means PRIORITY" },
	{ "NODEALLOCATIONPOLICY ProcessorLoad\n", "ProcessorLoad means CPULOAD" },
	{ "NODEALLOCATIONPOLICY MinimumConfiguredResources\n", "means MINRESOURCE" },
	{ "NODEALLOCATIONPOLICY NodeSpeed\n",
	  "warning: NODEALLOCATIONPOLICY NODESPEED treats all" },
	{ "NODEALLOCATIONPOLICY PLUGIN:/opt/a.so\n",
	  "PLUGIN:/opt/a.so is Moab's word, ignoring: " },
	{ "PREEMPTPOLICY CANCEL\n", "warning: PREEMPTPOLICY CANCEL is treated as REQUEUE" },
	{ "SERVERMODE MONITOR\n", "note: SERVERMODE MONITOR means TEST" },
	{ "SERVERMODE SLAVE\n", "warning: SERVERMODE SLAVE is treated as TEST" },
	{ "SERVERMODE INTERACTIVE\n", "warning: SERVERMODE INTERACTIVE is treated as TEST" },
	{ "NODESETATTRIBUTE VARATTR\n", "VARATTR is Moab's word, ignoring: " },
	{ "NODESETPRIORITYTYPE AFFINITY\n", "AFFINITY is Moab's word, ignoring: " },
	{ "NODESETPRIORITYTYPE FIRSTFIT\n", "FIRSTFIT is Moab's word, ignoring: NODESETPOLICY" },
	{ "QOSCFG[a] QFLAGS=PROVISION,NOBF\n", "FLAGS: PROVISION is Moab's word, ignoring: " },
	{ "QOSCFG[a] QFLAGS=ADVRES:x\n", "FLAGS: ADVRES is Moab's word, ignoring: USERESERVED" },
	{ "RMPOLLINTERVAL 30,60\n",
	  "note: RMPOLLINTERVAL 30,60 means 60, the longest time: events begin cycles earlier" },
	{ "ADMINHOST head\n", "ADMINHOSTS belongs to Slurm, ignoring: AuthType" },
};

TEST_ROWS(moab, lines_without_errors, lines, row)
{
	struct parsed p = parse(row->text);

	cr_assert(p.config, "%s refused: %s", row->text, p.said);
	cr_expect(p.diags.seen[MAUI_ERROR] == 0, "%s: %s", row->text, p.said);
	cr_expect(*row->said ? strstr(p.said, row->said) != NULL : *p.said == '\0', "%s: %s",
		  row->text, p.said);
	parsed_finish(&p);
}

Test(moab, the_longest_poll_interval_counts)
{
	struct maui_config *config = PARSE_GOOD("RMPOLLINTERVAL 30,00:02:00\n");

	cr_expect(config->poll_interval_s == 120, "%lld", (long long)config->poll_interval_s);
	maui_config_unref(config);
}

Test(moab, weekdays_and_weekends)
{
	struct maui_config *config =
		PARSE_GOOD("SRCFG[a] DAYS=WEEKDAYS HOSTLIST=n1 USERLIST=ann\n"
			   "SRCFG[b] DAYS=Weekend,MON HOSTLIST=n1 USERLIST=ann\n");

	cr_expect(config->rsvs[0].days == 0x3e, "%x", config->rsvs[0].days);
	cr_expect(config->rsvs[1].days == 0x43, "%x", config->rsvs[1].days);
	maui_config_unref(config);
}

Test(moab, unlimited_is_no_limit)
{
	struct maui_config *config = PARSE_GOOD("USERCFG[a] MAXJOB=UNLIMITED MAXWC=10,INFINITY\n");
	const struct maui_cred_config *user = maui_config_cred(config, MAUI_CRED_USER, "a");

	cr_expect(user->limits[MAUI_LIMIT_ACTIVE][MAUI_RESOURCE_JOB].hard == -1, "MAXJOB");
	cr_expect(user->limits[MAUI_LIMIT_ACTIVE][MAUI_RESOURCE_WC].hard == -1, "MAXWC");
	maui_config_unref(config);
}
