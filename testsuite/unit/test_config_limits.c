/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_config_limits.c - typed throttling limits: values, DEFAULT, pairs, old names
 *
 * Rules: THR-4, THR-14.
 */

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "parsed.h"
#include "rows.h"

static const struct maui_limit *limit_of(const struct maui_config *config, const char *name,
					 enum maui_limit_kind kind, enum maui_resource resource)
{
	return &maui_config_cred(config, MAUI_CRED_QOS, name)->limits[kind][resource];
}

/* ---- values ---- */

struct value {
	const char *text; /* of MAXJOB */
	int64_t soft, hard;
	const char *said; /* in the warning; NULL: none */
	bool refused;     /* said in an error */
};

static const struct value numbers[] = {
	{ "8", 8, 8, NULL, false },
	{ "2,4", 2, 4, NULL, false },
	{ "2:4", 2, 4, NULL, false },
	{ "4,4", 4, 4, NULL, false },
	{ "4,2", 2, 2, NULL, false }, /* soft above hard */
	{ "0,4", 4, 4, NULL, false }, /* soft not set */
	{ "-1,4", 4, 4, NULL, false },
	{ "4,-1", 4, -1, NULL, false },
	{ "0,-1", -1, -1, NULL, false },
	{ "-1", -1, -1, NULL, false },
	{ "0", 0, 0, NULL, false },
	{ "0,0", 0, 0, NULL, false },
	{ "-1,0", 0, 0, NULL, false },
	{ ",4", 4, 4, NULL, false },
	{ "4,", 4, 4, NULL, false },
	{ "9000000000000000000", 9000000000000000000, 9000000000000000000, NULL, false },
	{ "4,0", 0, 0, "a soft limit needs a hard one", false },
	{ "-2", 0, 0, "needs a limit, 0 (not set) or -1 (no limit), got '-2'", false },
	{ "-2,4", 0, 0, "needs a limit", false },
	{ "many", 0, 0, "needs a whole number, got 'many'", true },
	{ "3,many", 0, 0, "needs a whole number, got 'many'", true },
	{ "2.5", 0, 0, "needs a whole number", true },
	{ "1,2,3", 0, 0, "needs [soft,]hard", true },
	{ ",", 0, 0, "needs [soft,]hard", true },
	{ "9999999999999999999", 0, 0, "'9999999999999999999'", true },
};

/* Whether the row has a faulty value; exactly then the file is refused. */
static bool expect_refused(const struct value *row, struct parsed *p)
{
	cr_assert((p->config == NULL) == row->refused, "'%s': said %s", row->text, p->said);
	if (!row->refused)
		return false;
	cr_expect(strstr(p->said, row->said), "'%s': said %s", row->text, p->said);
	parsed_finish(p);
	return true;
}

TEST_ROWS(config_limits, number, numbers, row)
{
	char text[128];
	struct parsed p;
	const struct maui_limit *got;

	snprintf(text, sizeof(text), "QOSCFG[q] MAXJOB=%s\n", row->text);
	p = parse(text);
	if (expect_refused(row, &p))
		return;
	got = limit_of(p.config, "q", MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_JOB);
	cr_expect(got->soft == row->soft && got->hard == row->hard, "'%s': got %lld,%lld",
		  row->text, (long long)got->soft, (long long)got->hard);
	cr_expect(row->said ? strstr(p.said, row->said) && strstr(p.said, ", ignoring\n") :
			      !strstr(p.said, ", ignoring\n"),
		  "'%s': said %s", row->text, p.said);
	parsed_finish(&p);
}

static const struct value times[] = {
	{ "3600", 3600, 3600, NULL, false },
	{ "1:00:00", 3600, 3600, NULL, false },
	{ "10:30", 630, 630, NULL, false },
	{ "1:00:00,2:00:00", 3600, 7200, NULL, false },
	{ "2:00:00,1:00:00", 3600, 3600, NULL, false },
	{ "72:00:00", 259200, 259200, NULL, false },
	{ "INFINITY", -1, -1, NULL, false },
	{ "1:00:00,INFINITY", 3600, -1, NULL, false },
	{ "-1", -1, -1, NULL, false },
	{ "0", 0, 0, NULL, false },
	{ "soon", 0, 0, "is not a time", true },
	{ "1,2,3", 0, 0, "needs [soft,]hard", true },
};

TEST_ROWS(config_limits, time, times, row)
{
	char text[128];
	struct parsed p;
	const struct maui_limit *got;

	snprintf(text, sizeof(text), "QOSCFG[q] MAXWC=%s\n", row->text);
	p = parse(text);
	if (expect_refused(row, &p))
		return;
	got = limit_of(p.config, "q", MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_WC);
	cr_expect(got->soft == row->soft && got->hard == row->hard, "'%s': got %lld,%lld",
		  row->text, (long long)got->soft, (long long)got->hard);
	cr_expect(row->said ? !!strstr(p.said, row->said) : !strstr(p.said, ", ignoring\n"),
		  "'%s': said %s", row->text, p.said);
	parsed_finish(&p);
}

/* ---- places ---- */

/* Each attribute's value goes to its own field only. */
Test(config_limits, every_attribute_has_its_place)
{
	char text[128];

	for (int kind = 0; kind < MAUI_LIMIT_KIND_COUNT; kind++)
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++) {
			const char *name =
				maui_limit_name((enum maui_limit_kind)kind, (enum maui_resource)r);
			const struct maui_cred_config *q;
			struct maui_config *config;
			unsigned set = 0;

			if (kind == MAUI_LIMIT_SINGLE && r == MAUI_RESOURCE_JOB)
				continue;
			snprintf(text, sizeof(text), "QOSCFG[q] %s=7\n", name);
			config = PARSE_GOOD(text);
			q = maui_config_cred(config, MAUI_CRED_QOS, "q");
			cr_expect(q->limits[kind][r].hard == 7, "%s is not set", name);
			for (int i = 0; i < MAUI_LIMIT_KIND_COUNT * MAUI_RESOURCE_COUNT; i++)
				set += (&q->limits[0][0])[i].hard != 0;
			cr_expect(set == 1, "%s: %u are set", name, set);
			maui_config_unref(config);
		}
}

Test(config_limits, single_values)
{
	struct maui_config *config =
		PARSE_GOOD("SYSTEMMAXPROCPERJOB 128\nSYSTEMMAXPROCSECONDPERJOB 7000\n"
			   "SYSTEMMAXJOBWALLTIME 1:00:00\n"
			   "CLASSCFG[c] MAXPROCPERJOB=16 MAXNODEPERJOB=4 MAX.WCLIMIT=2:00:00 "
			   "DEFAULT.WCLIMIT=30:00 MINPROC=2\nUSERCFG[u] MINPROC=3\n"
			   "SYSCFG MAXJOB=100,200 MAXIPROC=50\n");
	const struct maui_cred_config *c = maui_config_cred(config, MAUI_CRED_CLASS, "c");

	cr_expect(config->max_job_procs == 128 && config->max_job_ps == 7000 &&
		  config->max_job_walltime_s == 3600);
	cr_expect(c->max_job_procs == 16 && c->max_job_nodes == 4 &&
		  c->max_job_walltime_s == 7200 && c->default_walltime_s == 1800 &&
		  c->min_procs == 2);
	cr_expect(maui_config_cred(config, MAUI_CRED_USER, "u")->min_procs == 3);
	cr_expect(config->system.limits[MAUI_LIMIT_ACTIVE][MAUI_RESOURCE_JOB].soft == 100 &&
		  config->system.limits[MAUI_LIMIT_ACTIVE][MAUI_RESOURCE_JOB].hard == 200);
	cr_expect(config->system.limits[MAUI_LIMIT_IDLE][MAUI_RESOURCE_PROC].hard == 50);
	maui_config_unref(config);
}

Test(config_limits, single_values_of_default)
{
	struct maui_config *config = PARSE_GOOD(
		"CLASSCFG[DEFAULT] MAXPROCPERJOB=16 MAXNODEPERJOB=4 MAX.WCLIMIT=2:00:00 "
		"DEFAULT.WCLIMIT=30:00 MINPROC=2\nCLASSCFG[c] PRIORITY=1 MAXNODEPERJOB=0\n"
		"CLASSCFG[d] MAXPROCPERJOB=1 MAXNODEPERJOB=-1 MAX.WCLIMIT=3 DEFAULT.WCLIMIT=4 "
		"MINPROC=5\n");
	const struct maui_cred_config *c = maui_config_cred(config, MAUI_CRED_CLASS, "c");
	const struct maui_cred_config *d = maui_config_cred(config, MAUI_CRED_CLASS, "d");

	cr_expect(c->max_job_procs == 16 && c->max_job_nodes == 4 &&
		  c->max_job_walltime_s == 7200 && c->default_walltime_s == 1800 &&
		  c->min_procs == 2);
	cr_expect(d->max_job_procs == 1 && d->max_job_nodes == -1 && d->max_job_walltime_s == 3 &&
		  d->default_walltime_s == 4 && d->min_procs == 5);
	maui_config_unref(config);
}

Test(config_limits, nothing_is_limited_by_default)
{
	struct maui_config *config = PARSE_GOOD("USERCFG[u] PRIORITY=1\n");
	const struct maui_cred_config *u = maui_config_cred(config, MAUI_CRED_USER, "u");

	cr_expect(config->max_job_procs == -1 && config->max_job_ps == -1 &&
		  config->max_job_walltime_s == -1);
	for (int i = 0; i < MAUI_LIMIT_KIND_COUNT * MAUI_RESOURCE_COUNT; i++)
		cr_expect((&u->limits[0][0])[i].hard == 0 && (&u->limits[0][0])[i].soft == 0);
	cr_expect(u->pair_limits.count == 0 && u->flags == 0 && u->min_procs == 0);
	maui_config_unref(config);
}

/* ---- flags ---- */

Test(config_limits, flags_are_in_the_order_of_the_words)
{
	static const struct {
		const char *word;
		enum maui_qos_flag flag;
	} flags[] = {
		{ "DEDICATED", MAUI_QOS_DEDICATED },
		{ "IGNACCOUNT", MAUI_QOS_IGNACCOUNT },
		{ "IGNALL", MAUI_QOS_IGNALL },
		{ "IGNGROUP", MAUI_QOS_IGNGROUP },
		{ "IGNHOSTLIST", MAUI_QOS_IGNHOSTLIST },
		{ "IGNJOBPERUSER", MAUI_QOS_IGNJOBPERUSER },
		{ "IGNJOBQUEUEDPERUSER", MAUI_QOS_IGNJOBQUEUEDPERUSER },
		{ "IGNNODEPERUSER", MAUI_QOS_IGNNODEPERUSER },
		{ "IGNPROCPERUSER", MAUI_QOS_IGNPROCPERUSER },
		{ "IGNPSPERUSER", MAUI_QOS_IGNPSPERUSER },
		{ "IGNSRMAXTIME", MAUI_QOS_IGNSRMAXTIME },
		{ "IGNSYSMAXPROC", MAUI_QOS_IGNSYSMAXPROC },
		{ "IGNSYSMAXPS", MAUI_QOS_IGNSYSMAXPS },
		{ "IGNSYSMAXTIME", MAUI_QOS_IGNSYSMAXTIME },
		{ "IGNSYSTEM", MAUI_QOS_IGNSYSTEM },
		{ "IGNUSER", MAUI_QOS_IGNUSER },
		{ "NOBF", MAUI_QOS_NOBF },
		{ "NORESERVATION", MAUI_QOS_NORESERVATION },
		{ "NTR", MAUI_QOS_NTR },
		{ "PREEMPTEE", MAUI_QOS_PREEMPTEE },
		{ "PREEMPTOR", MAUI_QOS_PREEMPTOR },
		{ "PREEMPT", MAUI_QOS_PREEMPTOR },
		{ "PREEMPTSPV", MAUI_QOS_PREEMPTSPV },
		{ "RESERVEALWAYS", MAUI_QOS_RESERVEALWAYS },
		{ "RESTARTPREEMPT", MAUI_QOS_RESTARTPREEMPT },
		{ "RUNNOW", MAUI_QOS_RUNNOW },
		{ "USERESERVED", MAUI_QOS_USERESERVED },
	};
	uint64_t all = 0;
	char text[128];

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct maui_config *config;
		uint64_t got;

		snprintf(text, sizeof(text), "QOSCFG[q] FLAGS=%s\n", flags[i].word);
		config = PARSE_GOOD(text);
		got = maui_config_cred(config, MAUI_CRED_QOS, "q")->flags;
		cr_expect(got == UINT64_C(1) << flags[i].flag, "%s: %llx", flags[i].word,
			  (unsigned long long)got);
		all |= got;
		maui_config_unref(config);
	}
	cr_expect(all == (UINT64_C(1) << MAUI_QOS_FLAG_COUNT) - 1, "a flag without a word");
}

#define FLAG(name) (UINT64_C(1) << MAUI_QOS_##name)

static const struct {
	const char *text;
	uint64_t flags;
	bool warned;
} flag_lists[] = {
	{ "QOSCFG[q] QFLAGS=IGNUSER:NOBF", FLAG(IGNUSER) | FLAG(NOBF), false },
	{ "QOSCFG[q] FLAGS=ignuser,IGNALL|NTR", FLAG(IGNUSER) | FLAG(IGNALL) | FLAG(NTR), false },
	{ "QOSFLAGS[q] IGNUSER NOBF", FLAG(IGNUSER) | FLAG(NOBF), false },
	{ "QOSCFG[q] FLAGS=USERESERVED:night,NOBF", FLAG(USERESERVED) | FLAG(NOBF), false },
	{ "QOSCFG[q] FLAGS=IGNUSER,NOSUCH,NOBF", FLAG(IGNUSER) | FLAG(NOBF), true },
	{ "QOSCFG[q] FLAGS=IGNUSER\nQOSCFG[q] FLAGS=NOBF", FLAG(NOBF), false },
	{ "QOSCFG[DEFAULT] FLAGS=IGNUSER", FLAG(IGNUSER), false },
	{ "QOSCFG[DEFAULT] FLAGS=IGNUSER\nQOSCFG[q] PRIORITY=1", FLAG(IGNUSER), false },
	{ "QOSCFG[DEFAULT] FLAGS=IGNUSER\nQOSCFG[q] FLAGS=NOBF", FLAG(NOBF), false },
};

TEST_ROWS(config_limits, flag_list, flag_lists, row)
{
	struct parsed p = parse(row->text);
	uint64_t got;

	cr_assert(p.config, "%s: not accepted: %s", row->text, p.said);
	got = maui_config_cred(p.config, MAUI_CRED_QOS, "q")->flags;
	cr_expect(got == row->flags, "%s: got %llx", row->text, (unsigned long long)got);
	cr_expect(!!strstr(p.said, "must be one of") == row->warned, "%s: said %s", row->text,
		  p.said);
	parsed_finish(&p);
}

/* ---- DEFAULT, repetition, old names: the limit of user u, soft,hard ---- */

struct effect {
	const char *name, *text;
	enum maui_limit_kind kind;
	enum maui_resource resource;
	int64_t soft, hard;
};

#define JOBS      MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_JOB
#define IDLE_JOBS MAUI_LIMIT_IDLE, MAUI_RESOURCE_JOB
#define PROCS     MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_PROC
#define PS        MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_PS
#define WC        MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_WC

static const struct effect effects[] = {
	{ "default", "USERCFG[DEFAULT] MAXJOB=4\n", JOBS, 4, 4 },
	{ "DEFAULT sets another attribute", "USERCFG[DEFAULT] MAXJOB=4\nUSERCFG[u] MAXPROC=9\n",
	  JOBS, 4, 4 },
	{ "own before default", "USERCFG[DEFAULT] MAXJOB=4\nUSERCFG[u] MAXJOB=8\n", JOBS, 8, 8 },
	{ "0 does not mask", "USERCFG[DEFAULT] MAXJOB=4\nUSERCFG[u] MAXJOB=0\n", JOBS, 4, 4 },
	{ "-1 masks", "USERCFG[DEFAULT] MAXJOB=4\nUSERCFG[u] MAXJOB=-1\n", JOBS, -1, -1 },
	{ "the pair as a whole", "USERCFG[DEFAULT] MAXJOB=2,4\nUSERCFG[u] MAXJOB=8\n", JOBS, 8, 8 },
	{ "DEFAULT of another kind", "GROUPCFG[DEFAULT] MAXJOB=4\n", JOBS, 0, 0 },
	{ "last wins", "USERCFG[u] MAXJOB=4\nUSERCFG[u] MAXJOB=2,3\n", JOBS, 2, 3 },
	{ "a faulty value is ignored", "USERCFG[u] MAXJOB=4\nUSERCFG[u] MAXPROC=-2\n", JOBS, 4, 4 },
	{ "count", "MAXJOBPERUSERCOUNT 3,5\n", JOBS, 3, 5 },
	{ "count, on", "MAXJOBPERUSERCOUNT 5\nMAXJOBPERUSERPOLICY ON\n", JOBS, 5, 5 },
	{ "count, off", "MAXJOBPERUSERPOLICY OFF\nMAXJOBPERUSERCOUNT 5\n", JOBS, 0, 0 },
	{ "count, off and on",
	  "MAXJOBPERUSERPOLICY OFF\nMAXJOBPERUSERCOUNT 5\n"
	  "MAXJOBPERUSERPOLICY ON\n",
	  JOBS, 5, 5 },
	{ "off concerns the count only", "USERCFG[DEFAULT] MAXJOB=5\nMAXJOBPERUSERPOLICY OFF\n",
	  JOBS, 5, 5 },
	{ "the switch of another kind does not count",
	  "MAXJOBPERUSERCOUNT 5\nMAXJOBPERGROUPPOLICY OFF\n", JOBS, 5, 5 },
	{ "idle count", "MAXJOBQUEUEDPERUSERCOUNT 6\n", IDLE_JOBS, 6, 6 },
	{ "idle count, off", "MAXJOBQUEUEDPERUSERCOUNT 6\nMAXJOBQUEUEDPERUSERPOLICY FALSE\n",
	  IDLE_JOBS, 0, 0 },
	{ "idle count, the other off", "MAXJOBQUEUEDPERUSERCOUNT 6\nMAXJOBPERUSERPOLICY OFF\n",
	  IDLE_JOBS, 6, 6 },
	{ "procs", "MAXPROCPERUSERCOUNT 64\n", PROCS, 64, 64 },
	{ "processor-seconds", "MAXPROCSECONDPERUSERCOUNT 640\n", PS, 640, 640 },
	{ "processor-seconds, shorter", "MAXPSPERUSER 640\n", PS, 640, 640 },
	{ "wall clock", "MAXWCPERUSER 1:00:00,2:00:00\n", WC, 3600, 7200 },
	{ "MAXJOBPERUSER is no limit of a user", "QOSCFG[u] MAXJOBPERUSER=3\n", JOBS, 0, 0 },
};

TEST_ROWS(config_limits, effect, effects, row)
{
	struct maui_config *config = PARSE_GOOD(row->text);
	const struct maui_limit *got =
		&maui_config_cred(config, MAUI_CRED_USER, "u")->limits[row->kind][row->resource];

	cr_expect(got->soft == row->soft && got->hard == row->hard, "%s: got %lld,%lld", row->name,
		  (long long)got->soft, (long long)got->hard);
	maui_config_unref(config);
}

/* ---- pairs: limits of the jobs of class c, by user or group ---- */

struct pair {
	const char *name, *text;
	enum maui_cred_kind second;
	const char *who;
	enum maui_limit_kind kind;
	enum maui_resource resource;
	int64_t soft, hard;
};

#define OF_USER(name) MAUI_CRED_USER, name

static const struct pair pair_rows[] = {
	{ "general", "CLASSCFG[c] MAXJOB[USER]=3\n", OF_USER("amy"), JOBS, 3, 3 },
	{ "specific", "CLASSCFG[c] MAXPROC[USER:amy]=3,5\n", OF_USER("amy"), PROCS, 3, 5 },
	{ "a pair limit of another user", "CLASSCFG[c] MAXPROC[USER:amy]=3\n", OF_USER("bob"),
	  PROCS, 0, 0 },
	{ "a pair limit of another kind", "CLASSCFG[c] MAXPROC[GROUP:amy]=3\n", OF_USER("amy"),
	  PROCS, 0, 0 },
	{ "any case of the kind", "CLASSCFG[c] MAXPROC[User:amy]=3\n", OF_USER("amy"), PROCS, 3,
	  3 },
	{ "names keep theirs", "CLASSCFG[c] MAXPROC[USER:Amy]=3\n", OF_USER("amy"), PROCS, 0, 0 },
	{ "specific before general", "CLASSCFG[c] MAXJOB[USER:amy]=3 MAXJOB[USER]=1\n",
	  OF_USER("amy"), JOBS, 3, 3 },
	{ "general for the others", "CLASSCFG[c] MAXJOB[USER:amy]=3 MAXJOB[USER]=1\n",
	  OF_USER("bob"), JOBS, 1, 1 },
	{ "the limit for a name sets another attribute",
	  "CLASSCFG[c] MAXPROC[USER:amy]=3 MAXJOB[USER]=1\n", OF_USER("amy"), JOBS, 1, 1 },
	{ "specific, unlimited", "CLASSCFG[c] MAXJOB[USER:amy]=-1 MAXJOB[USER]=1\n", OF_USER("amy"),
	  JOBS, -1, -1 },
	{ "specific, not set", "CLASSCFG[c] MAXJOB[USER:amy]=0 MAXJOB[USER]=1\n", OF_USER("amy"),
	  JOBS, 1, 1 },
	{ "default", "CLASSCFG[DEFAULT] MAXJOB[USER]=3\nCLASSCFG[c] MAXJOB=9\n", OF_USER("amy"),
	  JOBS, 3, 3 },
	{ "default of a class not named", "CLASSCFG[DEFAULT] MAXJOB[USER]=3\n", OF_USER("amy"),
	  JOBS, 3, 3 },
	{ "own before default", "CLASSCFG[DEFAULT] MAXJOB[USER]=3\nCLASSCFG[c] MAXJOB[USER]=4\n",
	  OF_USER("amy"), JOBS, 4, 4 },
	{ "default's specific before own general",
	  "CLASSCFG[DEFAULT] MAXJOB[USER:amy]=3\nCLASSCFG[c] MAXJOB[USER]=4\n", OF_USER("amy"),
	  JOBS, 3, 3 },
	{ "own specific before default's",
	  "CLASSCFG[DEFAULT] MAXJOB[USER:amy]=3\nCLASSCFG[c] MAXJOB[USER:amy]=5\n", OF_USER("amy"),
	  JOBS, 5, 5 },
	{ "shorthand", "CLASSCFG[c] MAXJOBPERUSER=2,3\n", OF_USER("amy"), JOBS, 2, 3 },
	{ "shorthand, later", "CLASSCFG[c] MAXJOB[USER]=9\nCLASSCFG[c] MAXJOBPERUSER=3\n",
	  OF_USER("amy"), JOBS, 3, 3 },
	{ "shorthand, earlier", "CLASSCFG[c] MAXJOBPERUSER=3 MAXJOB[USER]=9\n", OF_USER("amy"),
	  JOBS, 9, 9 },
	{ "last wins", "CLASSCFG[c] MAXJOB[USER]=9\nCLASSCFG[c] MAXJOB[user]=8\n", OF_USER("amy"),
	  JOBS, 8, 8 },
	{ "a later 0 removes the limit", "CLASSCFG[c] MAXJOB[USER]=9\nCLASSCFG[c] MAXJOB[user]=0\n",
	  OF_USER("amy"), JOBS, 0, 0 },
	{ "idle", "CLASSCFG[c] MAXIJOB[USER]=9\n", OF_USER("amy"), IDLE_JOBS, 9, 9 },
	{ "time", "CLASSCFG[c] MAXWC[GROUP:g]=1:00:00\n", MAUI_CRED_GROUP, "g", WC, 3600, 3600 },
	{ "acct", "CLASSCFG[c] MAXJOB[ACCT:x]=1\n", MAUI_CRED_ACCOUNT, "x", JOBS, 1, 1 },
	{ "accounts in lower case", "CLASSCFG[c] MAXJOB[ACCOUNT:Chem]=1\n", MAUI_CRED_ACCOUNT,
	  "chem", JOBS, 1, 1 },
	{ "qos", "CLASSCFG[c] MAXJOB[QOS:x]=1\n", MAUI_CRED_QOS, "x", JOBS, 1, 1 },
	{ "class", "CLASSCFG[c] MAXJOB[CLASS]=1\n", MAUI_CRED_CLASS, "c", JOBS, 1, 1 },
	{ "a name with a colon", "CLASSCFG[c] MAXJOB[ACCOUNT:x:y]=1\n", MAUI_CRED_ACCOUNT, "x:y",
	  JOBS, 1, 1 },
};

TEST_ROWS(config_limits, pair, pair_rows, row)
{
	struct maui_config *config = PARSE_GOOD(row->text);
	const struct maui_cred_config *c = maui_config_cred(config, MAUI_CRED_CLASS, "c");
	struct maui_pair_values values = { 0 };
	const struct maui_limit *got = &values.of[row->kind][row->resource];
	bool any = maui_pair_limits_find(&c->pair_limits,
					 &config->creds[MAUI_CRED_CLASS].unnamed.pair_limits,
					 row->second, row->who, &values);

	cr_expect(any || row->hard == 0, "%s: nothing", row->name);
	cr_expect(got->soft == row->soft && got->hard == row->hard, "%s: got %lld,%lld", row->name,
		  (long long)got->soft, (long long)got->hard);
	maui_config_unref(config);
}

static const struct {
	const char *text, *said;
} wrong_pairs[] = {
	{ "CLASSCFG[c] MAXJOB[USR]=3\n",
	  "maui.cfg:1:13: warning: MAXJOB[USR]: the second dimension is USER, GROUP, ACCOUNT, QOS "
	  "or CLASS, and may go on with :<name>, ignoring\n" },
	{ "CLASSCFG[c] MAXJOB[USER:]=3\n", "MAXJOB[USER:]: the second dimension" },
	{ "CLASSCFG[c] MAXJOB[]=3\n", "MAXJOB[]: the second dimension" },
	{ "CLASSCFG[c] MAXJOB[averylongwordindeed]=3\n", "the second dimension" },
	{ "CLASSCFG[c] MAXJOBPERUSER[USER]=3\n", "MAXJOBPERUSER takes no second dimension" },
	{ "QOSCFG[c] OMAXJOB[USER]=3\n", "OMAXJOB takes no second dimension, got [USER]" },
	{ "QOSCFG[c] OMAXJPROC[USER]=3\n", "OMAXJPROC takes no second dimension" },
	{ "CLASSCFG[c] MAXJOB[USER]=-2\n",
	  "MAXJOB needs a limit, 0 (not set) or -1 (no limit), got '-2', ignoring" },
};

TEST_ROWS(config_limits, wrong_pair, wrong_pairs, row)
{
	struct parsed p = parse(row->text);

	cr_assert(p.config, "%s: not accepted: %s", row->text, p.said);
	cr_expect(strstr(p.said, row->said), "%s: said %s", row->text, p.said);
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		const struct maui_cred_config *c =
			maui_config_cred(p.config, (enum maui_cred_kind)k, "c");

		cr_expect(c->pair_limits.count == 0, "%s: taken", row->text);
		for (int i = 0; i < MAUI_LIMIT_KIND_COUNT * MAUI_RESOURCE_COUNT; i++)
			cr_expect((&c->limits[0][0])[i].hard == 0, "%s: taken as a plain limit",
				  row->text);
	}
	parsed_finish(&p);
}

Test(config_limits, wrong_value_of_a_pair)
{
	struct parsed p = parse("CLASSCFG[c] MAXJOB[USER]=x\n");

	cr_expect(!p.config, "accepted");
	cr_expect(strstr(p.said, "1:13: error: MAXJOB needs a whole number, got 'x'\n"), "said %s",
		  p.said);
	parsed_finish(&p);
}

Test(config_limits, pairs_of_the_system)
{
	struct maui_config *config = PARSE_GOOD("SYSCFG MAXJOB[USER]=3 MAXJOB[USER:amy]=4\n");
	const struct maui_pair_limits *pairs = &config->system.pair_limits;
	struct maui_pair_values values;

	cr_expect(maui_pair_limits_find(pairs, pairs, MAUI_CRED_USER, "amy", &values));
	cr_expect(values.of[MAUI_LIMIT_ACTIVE][MAUI_RESOURCE_JOB].hard == 4);
	cr_expect(maui_pair_limits_find(pairs, pairs, MAUI_CRED_USER, "bob", &values));
	cr_expect(values.of[MAUI_LIMIT_ACTIVE][MAUI_RESOURCE_JOB].hard == 3);
	cr_expect(!maui_pair_limits_find(pairs, pairs, MAUI_CRED_GROUP, "amy", &values));
	maui_config_unref(config);
}
