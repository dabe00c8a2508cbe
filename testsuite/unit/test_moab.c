/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_moab.c - what a moab.cfg has that a maui.cfg has not: words, parameters, attributes
 *
 * Rules: CFG-13, CFG-16, CFG-17, CFG-18.
 */
#include "parsed.h"
#include "rows.h"

#include <strings.h>

#include "base/strbuf.h"
#include "config/schema/moab.h"
#include "config/show.h"
#include "moab_names.h"

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

/* What cannot be read replaces nothing, in no kind of line. */
Test(moab, an_unknown_word_replaces_nothing)
{
	struct parsed p = parse("BACKFILLPOLICY NONE\nBACKFILLPOLICY MANYFIT\n"
				"SRCFG[a] HOSTLIST=n1 USERLIST=ann PERIOD=WEEK FLAGS=BYNAME\n"
				"SRCFG[a] PERIOD=WEKE FLAGS=FOO\n"
				"SRCFG[DEFAULT] ACCESS=SHARED\nSRCFG[a] ACCESS=SHRED\n"
				"QOSCFG[q] QFLAGS=NOBF,USERESERVED:a\nQOSCFG[q] QFLAGS=ADVRES:b\n");
	const struct maui_cred_config *qos;

	cr_assert(p.config, "%s", p.said);
	qos = maui_config_cred(p.config, MAUI_CRED_QOS, "q");
	cr_expect(p.config->planning.backfill_policy == MAUI_BACKFILL_NONE);
	cr_expect(p.config->rsvs[0].period == MAUI_RSV_WEEK && p.config->rsvs[0].flags != 0);
	cr_expect(p.config->rsvs[0].shared, "SRCFG[DEFAULT] holds");
	cr_expect(qos->flags != 0 && qos->use_reserved && strcmp(qos->use_reserved, "a") == 0);
	cr_expect(!strstr(p.said, "sets it again"), "%s", p.said);
	cr_expect(strstr(p.said, "got 'WEKE', ignoring"), "%s", p.said);
	parsed_finish(&p);
}

/* The next line that can be read replaces the value. */
Test(moab, an_unknown_word_is_passed_over)
{
	struct parsed p = parse("BACKFILLPOLICY NONE\nBACKFILLPOLICY MANYFIT\n"
				"BACKFILLPOLICY BESTFIT\n"
				"SRCFG[a] HOSTLIST=n1 USERLIST=ann PERIOD=DAY\n"
				"SRCFG[a] PERIOD=WEKE\nSRCFG[a] PERIOD=WEEK\n");

	cr_assert(p.config, "%s", p.said);
	cr_expect(p.config->planning.backfill_policy == MAUI_BACKFILL_BESTFIT);
	cr_expect(p.config->rsvs[0].period == MAUI_RSV_WEEK);
	cr_expect(strstr(p.said, "NONE has no effect: line 3 sets it again"), "%s", p.said);
	cr_expect(strstr(p.said, "DAY has no effect: line 6 sets it again"), "%s", p.said);
	parsed_finish(&p);
}

static void list_status(const struct maui_config_row *row, void *arg)
{
	if (row->setting)
		maui_strbuf_addf(arg, "%s %s: %s%s\n", row->name, row->value, row->status,
				 row->honoured ? " (honoured)" : "");
	else if (strncmp(row->name, "RESCTLP", 7) == 0 || strcmp(row->name, "BACKFILLPOLICY") == 0)
		maui_strbuf_addf(arg, "%s %s: %s\n", row->name, row->value, row->origin);
}

Test(moab, what_is_ignored_is_not_shown_as_in_force)
{
	struct maui_config *config =
		PARSE_GOOD("RESCTLPOLICY FOO\nBACKFILLPOLICY BESTFIT\nBACKFILLPOLICY MANYFIT\n"
			   "NODEACCESSPOLICY SINGLEGROUP\nADMINCFG[5] USERS=cat\n"
			   "RESERVATIONDEPTH[x] 3\nUSERCFG[a] MAXJOB[FOO:x]=3\n"
			   "SRCFG[a] HOSTLIST=n1 USERLIST=ann PERIOD=WEKE\n");
	struct maui_strbuf out = { 0 };

	maui_config_show(config, false, list_status, &out);
	cr_expect_str_eq(out.text, "ADMINCFG[5] USERS cat: ignored\n"
				   "BACKFILLPOLICY BESTFIT: honoured (honoured)\n"
				   "BACKFILLPOLICY MANYFIT: ignored\n"
				   "NODEACCESSPOLICY SINGLEGROUP: ignored\n"
				   "RESCTLPOLICY FOO: ignored\n"
				   "RESCTLPOLICY ADMINONLY: default\n"
				   "RESERVATIONDEPTH[x] 3: ignored\n"
				   "SRCFG[a] HOSTLIST n1: honoured (honoured)\n"
				   "SRCFG[a] USERLIST ann: honoured (honoured)\n"
				   "SRCFG[a] PERIOD WEKE: ignored\n"
				   "USERCFG[a] MAXJOB[FOO:x] 3: ignored\n");
	maui_strbuf_finish(&out);
	maui_config_unref(config);
}

/* Any value that stayed could start jobs. */
Test(moab, an_unknown_server_mode_is_refused)
{
	struct parsed p = parse("SERVERMODE TSET\n");

	cr_expect(!p.config && strstr(p.said, "SERVERMODE must be one of NORMAL, TEST"), "%s",
		  p.said);
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
	{ "CLASSCFG[a] MAX.PROC=UNLIMITED MAX.NODE=infinity\n", "" },
	{ "SYSTEMMAXPROCPERJOB UNLIMITED\n", "" },
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
	{ "QOSCFG[a] QFLAGS=ADVRES:x\n", "FLAGS: ADVRES:x is Moab's word, ignoring: USERESERVED" },
	{ "RMPOLLINTERVAL 30,60\n",
	  "note: RMPOLLINTERVAL 30,60 means 60 s, the longer time: events begin cycles earlier" },
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
	config = PARSE_GOOD("RMPOLLINTERVAL 60,0\n");
	cr_expect(config->poll_interval_s == 60, "%lld", (long long)config->poll_interval_s);
	maui_config_unref(config);
}

/* The name of a reservation is no flag, and not said to be none. */
static const struct line reserved[] = {
	{ "QOSCFG[a] QFLAGS=ADVRES:NOBF\n", "ADVRES:NOBF is Moab's word" },
	{ "QOSCFG[a] QFLAGS=advres:chemistry\n", "advres:chemistry is Moab's word" },
	{ "QOSCFG[a] QFLAGS=ADVRES\n", "ADVRES is Moab's word" },
};

TEST_ROWS(moab, the_name_behind_advres, reserved, row)
{
	struct parsed p = parse(row->text);

	cr_assert(p.config, "%s: %s", row->text, p.said);
	cr_expect(p.diags.count == 1 && strstr(p.said, row->said), "%s: %s", row->text, p.said);
	cr_expect(maui_config_cred(p.config, MAUI_CRED_QOS, "a")->flags == 0, "%s", row->text);
	parsed_finish(&p);
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

/* ---- names ---- */

/* Each word of a list of names. */
static unsigned each_name(const char *list, void (*look)(const char *name, void *data), void *data)
{
	char *names = strdup(list), *rest = NULL;
	unsigned count = 0;

	cr_assert(names, "no memory");
	for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
		look(name, data);
		count++;
	}
	free(names);
	return count;
}

static void expect_parameter(const char *name, void *data)
{
	(void)data;
	cr_expect(maui_schema_find_param(name) || maui_schema_find_alias(name), "%s: no row", name);
}

Test(moab, every_parameter_has_a_row)
{
	cr_expect(each_name(moab_parameters, expect_parameter, NULL) == MOAB_PARAMETER_COUNT,
		  "names were lost");
}

static void expect_attribute(const char *name, void *data)
{
	const struct maui_param *param = maui_schema_find_param(data);

	cr_assert(param, "%s", (const char *)data);
	cr_expect(maui_schema_find_attr(param->family, name) ||
			  maui_schema_find_attr_alias(param->family, name),
		  "%s %s: no row", (const char *)data, name);
}

Test(moab, every_attribute_has_a_row)
{
	unsigned count = 0;

	for (size_t i = 0; i < sizeof(moab_attributes) / sizeof(moab_attributes[0]); i++)
		count += each_name(moab_attributes[i].attributes, expect_attribute,
				   (void *)moab_attributes[i].family);
	cr_expect(count == MOAB_ATTRIBUTE_COUNT, "%u names", count);
}

/* ---- ADMINCFG, FSTREE ---- */

Test(moab, administrators)
{
	struct parsed p =
		parse("ADMINCFG[1] USERS=root,ann NAME=all\nADMINCFG[2] USERS=bob GROUPS=g\n"
		      "ADMINCFG[5] USERS=cat\n");

	cr_assert(p.config, "%s", p.said);
	cr_expect(p.config->admins[0].count == 2 && p.config->admins[1].count == 1, "%s", p.said);
	cr_expect(strstr(p.said, "2:23: warning: ADMINCFG[2] GROUPS is not supported, ignoring: "),
		  "%s", p.said);
	cr_expect(strstr(p.said, "3:13: warning: ADMINCFG[5] USERS: levels of administrators are 1 "
				 "to 4, ignoring"),
		  "%s", p.said);
	parsed_finish(&p);
}

struct tree {
	const char *text, *said;
	double ann; /* USERCFG[ann] FSTARGET; 0: none */
};

#define FAIRSHARE "FSPOLICY DEDICATEDPS\nFSUSERWEIGHT 1\n"
#define TREE      FAIRSHARE "FSTREE[top] MEMBERLIST="

static const struct tree trees[] = {
	{ TREE "user:ann@3,user:bob@1\n",
	  "note: FSTREE[top] is read as USERCFG[ann] FSTARGET=75.0000, USERCFG[bob] "
	  "FSTARGET=25.0000",
	  75 },
	{ TREE "user:ann,user:bob\nFSTREE[user:ann] SHARES=1\nFSTREE[user:bob] SHARES=9\n",
	  "USERCFG[ann] FSTARGET=10.0000", 10 },
	{ TREE "user:ann@3,user:bob@1\nUSERCFG[ann] FSTARGET=20\n",
	  "is read as USERCFG[bob] FSTARGET=25.0000", 20 },
	{ TREE "phys,chem\nFSTREE[phys] SHARES=8 MEMBERLIST=user:ann@4\n",
	  "FSTREE[phys] and others: a tree of several nodes has several levels of shares, ignoring",
	  0 },
	{ TREE "phys@3,user:ann@1\n",
	  "phys is not user:, group:, acct:, class: or qos: with a name, ignoring", 0 },
	{ TREE "user:ann@3,acct:chem@1\n",
	  "acct:chem is of another kind than the members before it, ignoring", 0 },
	{ TREE "user:ann\n", "user:ann has no share, ignoring", 0 },
	{ TREE "user:ann@-1,user:bob@2\n", "user:ann has no share, ignoring", 0 },
	{ FAIRSHARE "FSTREE MEMBERLIST=user:ann@1\n", "USERCFG[ann] FSTARGET=100", 100 },
	{ TREE "user:ann@1\nFSTREE MEMBERLIST=user:bob@1\n", "several levels of shares", 0 },
	{ TREE "user:@1\n", "user: is not user:, group:, acct:", 0 },
	{ TREE ",\n", "3:13: warning: FSTREE[top] has no members, ignoring", 0 },
	{ TREE "\"user:ann\"@3,user:bob@1\n", "USERCFG[ann] FSTARGET=75.0000", 75 },
	{ TREE "user:\"the boss\"@1,user:ann@1\n",
	  "USERCFG[the boss] FSTARGET=50.0000, USERCFG[ann] FSTARGET=50.0000", 50 },
	{ FAIRSHARE "FSTREE[user:ann] SHARES=4\n",
	  "warning: FSTREE[user:ann] SHARES: no node of the tree has members, ignoring", 0 },
	{ TREE "user:ann@x\n", "user:ann has no share, ignoring", 0 },
};

/* slurmctld's accounts are in lower case. */
Test(moab, the_target_of_an_account_stays)
{
	struct maui_config *config =
		PARSE_GOOD("FSPOLICY DEDICATEDPS\nFSACCOUNTWEIGHT 1\nACCOUNTCFG[chem] FSTARGET=10\n"
			   "FSTREE[top] MEMBERLIST=acct:Chem@3,acct:Phys@1\n");

	cr_expect(maui_config_cred(config, MAUI_CRED_ACCOUNT, "chem")->fstarget.value == 10);
	cr_expect(maui_config_cred(config, MAUI_CRED_ACCOUNT, "phys")->fstarget.value == 25);
	maui_config_unref(config);
}

TEST_ROWS(moab, fstree, trees, row)
{
	struct parsed p = parse(row->text);

	cr_assert(p.config, "%s refused: %s", row->text, p.said);
	cr_expect(strstr(p.said, row->said), "%s: %s", row->text, p.said);
	cr_expect(maui_config_cred(p.config, MAUI_CRED_USER, "ann")->fstarget.value == row->ann,
		  "%s: %g", row->text,
		  maui_config_cred(p.config, MAUI_CRED_USER, "ann")->fstarget.value);
	parsed_finish(&p);
}

Test(moab, a_duration_is_an_end)
{
	struct maui_config *config =
		PARSE_GOOD("SRCFG[a] STARTTIME=9:00:00 DURATION=1:00:00 HOSTLIST=n1 USERLIST=ann\n"
			   "SRCFG[b] DURATION=INFINITY HOSTLIST=n1 USERLIST=ann\n");

	cr_expect(config->rsvs[0].end_s == 10 * 3600, "%lld", (long long)config->rsvs[0].end_s);
	cr_expect(config->rsvs[1].end_s == 0, "%lld", (long long)config->rsvs[1].end_s);
	maui_config_unref(config);
}
