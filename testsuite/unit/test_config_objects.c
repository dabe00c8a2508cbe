/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_config_objects.c - DEFAULT, partitions, reference counts (CFG-3, CFG-4, THR-4) */
#include "config/config.h"

#include <stdio.h>

#include "parsed.h"
#include "rows.h"

/* Every attribute of a user, from DEFAULT and from its own line. */
static const char inheritance[] =
	"USERCFG[DEFAULT] PRIORITY=10 FSTARGET=25 QDEF=std QLIST=std,low&\n"
	"USERCFG[own] PRIORITY=-5 FSTARGET=30+ QDEF=high QLIST=high^\n"
	"USERCFG[part] FSTARGET=40\n"
	"USERCFG[zero] PRIORITY=0 FSTARGET=0\n"
	"QOSCFG[DEFAULT] QTWEIGHT=3 XFWEIGHT=4 QTTARGET=600 XFTARGET=2.5\n"
	"QOSCFG[hi] QTWEIGHT=7\n"
	"GROUPCFG[DEFAULT] CLASSWEIGHT=6\n"
	"GROUPCFG[phys] CLASSWEIGHT=8\n";

struct user {
	const char *name;
	int64_t priority;
	double target;
	const char *qdef;
	size_t qlist;
	enum maui_qlist_mode mode;
};

static const struct user users[] = {
	{ "own", -5, 30, "high", 1, MAUI_QLIST_ONLY },
	{ "part", 0, 40, "std", 2, MAUI_QLIST_AND },
	{ "zero", 0, 25, "std", 2, MAUI_QLIST_AND }, /* an explicit 0 masks nothing (PRIO-3) */
	{ "unnamed", 0, 25, "std", 2, MAUI_QLIST_AND },
	{ "DEFAULT", 0, 25, "std", 2, MAUI_QLIST_AND }, /* a user of that name, not the template */
};

TEST_ROWS(objects, inheritance, users, row)
{
	struct maui_config *config = PARSE_GOOD(inheritance);
	const struct maui_cred_config *cred = maui_config_cred(config, MAUI_CRED_USER, row->name);

	cr_expect(cred->priority == row->priority, "%s: PRIORITY %lld", row->name,
		  (long long)cred->priority);
	cr_expect(cred->fstarget.value == row->target, "%s: FSTARGET %g", row->name,
		  cred->fstarget.value);
	cr_expect(cred->qdef && strcmp(cred->qdef, row->qdef) == 0, "%s: QDEF %s", row->name,
		  cred->qdef ? cred->qdef : "none");
	cr_expect(cred->qlist.count == row->qlist && cred->qlist_mode == row->mode,
		  "%s: QLIST of %zu, mode %d", row->name, cred->qlist.count, (int)cred->qlist_mode);
	cr_expect(config->creds[MAUI_CRED_USER].default_priority == 10);
	maui_config_unref(config);
}

Test(objects, inheritance_of_the_rest)
{
	struct maui_config *config = PARSE_GOOD(inheritance);
	const struct maui_cred_config *hi = maui_config_cred(config, MAUI_CRED_QOS, "hi");
	const struct maui_cred_config *lo = maui_config_cred(config, MAUI_CRED_QOS, "lo");

	cr_expect(hi->qtweight == 7 && hi->xfweight == 4, "%g %g", hi->qtweight, hi->xfweight);
	cr_expect(hi->qttarget_s == 600 && hi->xftarget == 2.5);
	cr_expect(lo->qtweight == 3 && lo->xfweight == 4, "%g %g", lo->qtweight, lo->xfweight);
	cr_expect(maui_config_cred(config, MAUI_CRED_GROUP, "phys")->class_weight == 8);
	cr_expect(maui_config_cred(config, MAUI_CRED_GROUP, "chem")->class_weight == 6);
	maui_config_unref(config);
}

/* DEFAULT does not apply to a job without a credential of the kind. */
Test(objects, no_credential)
{
	struct maui_config *config = PARSE_GOOD(inheritance);
	const struct maui_cred_config *none = maui_config_cred(config, MAUI_CRED_USER, NULL);

	cr_expect(none->priority == 0 && none->fstarget.kind == MAUI_FS_TARGET_NONE);
	cr_expect(!none->qdef && none->qlist.count == 0);
	cr_expect(maui_config_cred(config, MAUI_CRED_USER, "")->qdef == NULL);
	/* a kind without any line */
	cr_expect(maui_config_cred(config, MAUI_CRED_CLASS, "batch")->priority == 0);
	maui_config_unref(config);
}

/* More objects than an array's first sizes, in an unsorted order. */
Test(objects, many)
{
	enum { COUNT = 3000 };
	static char text[COUNT * 64];
	struct maui_config *config;
	size_t at = 0;

	for (int i = 0; i < COUNT; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "USERCFG[u%d] PRIORITY=%d\n",
				       i * 7919 % COUNT, 1 + i * 7919 % COUNT);
	at += (size_t)snprintf(text + at, sizeof(text) - at, "USERWEIGHT 1\n");
	config = PARSE_GOOD(text);
	cr_expect(config->creds[MAUI_CRED_USER].count == COUNT);
	for (int i = 0; i < COUNT; i++) {
		char name[32];

		snprintf(name, sizeof(name), "u%d", i);
		cr_assert(maui_config_cred(config, MAUI_CRED_USER, name)->priority == 1 + i, "%s",
			  name);
	}
	maui_config_unref(config);
}

struct partition {
	const char *name, *text, *partition;
	double queue_weight, res_cap;
	bool negative;
};

/* A partition starts as a copy of the values for all partitions, in any order of lines. */
static const struct partition partitions[] = {
	{ "without an index", "QUEUETIMEWEIGHT 4\nRESCAP 9", "batch", 4, 9, false },
	{ "0 is all", "QUEUETIMEWEIGHT[0] 4", "batch", 4, 0, false },
	{ "ALL is all", "QUEUETIMEWEIGHT[ALL] 4", "batch", 4, 0, false },
	{ "a value of the partition", "QUEUETIMEWEIGHT[batch] 5\nQUEUETIMEWEIGHT 4", "batch", 5, 0,
	  false },
	{ "a value of another partition", "QUEUETIMEWEIGHT[batch] 5\nQUEUETIMEWEIGHT 4", "debug", 4,
	  0, false },
	{ "the other values are those for all", "RESCAP[batch] 5\nQUEUETIMEWEIGHT 4", "batch", 4, 5,
	  false },
	{ "values for all on later lines", "RESCAP[batch] 5\nRESCAP 6\nQUEUETIMEWEIGHT 2", "batch",
	  2, 5, false },
	{ "last wins", "RESCAP[batch] 5\nRESCAP[batch] 7", "batch", 1, 7, false },
	{ "no partition", "QUEUETIMEWEIGHT[batch] 5\nRESCAP 3", NULL, 1, 3, false },
	{ "names are case sensitive", "QUEUETIMEWEIGHT[Batch] 5", "batch", 1, 0, false },
	{ "a boolean", "ENABLENEGJOBPRIORITY[batch] TRUE", "batch", 1, 0, true },
	{ "a boolean elsewhere", "ENABLENEGJOBPRIORITY[batch] TRUE", "debug", 1, 0, false },
};

TEST_ROWS(objects, partition, partitions, row)
{
	struct maui_config *config = PARSE_GOOD(row->text);
	const struct maui_priority_config *p = maui_config_priority(config, row->partition);

	cr_expect(p->weight[MAUI_FACTOR_QUEUETIME] == row->queue_weight, "%s: weight %g", row->name,
		  p->weight[MAUI_FACTOR_QUEUETIME]);
	cr_expect(p->component_cap[MAUI_COMP_RES] == row->res_cap, "%s: cap %g", row->name,
		  p->component_cap[MAUI_COMP_RES]);
	cr_expect(p->enable_negative == row->negative, "%s", row->name);
	maui_config_unref(config);
}

Test(objects, references)
{
	struct maui_config *config = PARSE_GOOD("FSDEPTH 4\nUSERCFG[a] QDEF=x QLIST=x,y\n");

	cr_expect(maui_config_ref(config) == config);
	maui_config_unref(config);
	cr_expect(config->fs_depth == 4);
	maui_config_unref(config);
	maui_config_unref(NULL);
}

struct blanked {
	const char *what;
	int64_t depth, priority;
	double target;
};

static const struct blanked blanked[] = {
	{ NULL, 4, 5, 25 },
	{ "FSDEPTH", 7, 5, 25 },
	{ "FSDEPT", 4, 5, 25 },
	{ "FSDEPTHS", 4, 5, 25 },
	{ "USERCFG.PRIORITY", 4, 0, 25 },
	{ "USERCFG.FSTARGET", 4, 5, 0 },
	{ "GROUPCFG.PRIORITY", 4, 5, 25 },
	{ "USERCFG", 4, 0, 0 },
	{ "USERCFG.", 4, 5, 25 },
};

/* The blank that the schema's test relies on. */
TEST_ROWS(objects, blanked, blanked, row)
{
	static const char text[] = "FSDEPTH 3\nFSDEPTH 4\nUSERCFG[amy] PRIORITY=5 FSTARGET=25\n";
	struct maui_config_context context = { .blank = row->what };
	struct parsed p = parse_bytes(text, strlen(text), &context);
	const struct maui_cred_config *amy;

	cr_assert(p.config != NULL, "%s", p.said);
	amy = maui_config_cred(p.config, MAUI_CRED_USER, "amy");
	cr_expect(p.config->fs_depth == row->depth && amy->priority == row->priority &&
			  amy->fstarget.value == row->target,
		  "%s: got %lld %lld %g", row->what ? row->what : "none",
		  (long long)p.config->fs_depth, (long long)amy->priority, amy->fstarget.value);
	parsed_finish(&p);
}

/* slurmctld writes accounts in lower case, other names unchanged. */
Test(objects, accounts_in_any_case)
{
	struct maui_config *config = PARSE_GOOD("ACCOUNTCFG[Chem] PRIORITY=7\n"
						"ACCOUNTCFG[CHEM] FSTARGET=20\n"
						"USERCFG[Amy] PRIORITY=3\n");
	const struct maui_cred_config *chem = maui_config_cred(config, MAUI_CRED_ACCOUNT, "chem");

	cr_expect(chem->priority == 7 && chem->fstarget.value == 20);
	cr_expect(maui_config_cred(config, MAUI_CRED_ACCOUNT, "CHEM") == chem);
	cr_expect(maui_config_cred(config, MAUI_CRED_USER, "amy")->priority == 0);
	maui_config_unref(config);
}
