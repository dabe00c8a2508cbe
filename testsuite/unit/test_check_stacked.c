/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_check_stacked.c - reservations on the same hosts that together let nobody in */
#include "config/check/reservation.h"

#include "parsed.h"
#include "rows.h"

static const struct maui_check_node nodes[] = {
	{ "n1", 4, 4000, 0, "big", "batch" },
	{ "n2", 4, 4000, 0, NULL, "batch" },
	{ "n3", 4, 4000, 0, NULL, "batch" },
};

#define UPON(nodes, it)                                         \
	"SRCFG[b] has " nodes " at times when SRCFG[a] has " it \
	", too, and nobody is let into both\n"

static const struct {
	const char *name, *a, *b, *said;
} rows[] = {
	{ "one host", "HOSTLIST=n1 USERLIST=ann", "HOSTLIST=n1 USERLIST=bob ACCESS=DEDICATED",
	  UPON("1 node", "it") },
	{ "some of several", "HOSTLIST=n[1-3] USERLIST=ann,eve", "HOSTLIST=n2,n3 USERLIST=bob-",
	  UPON("2 nodes", "them") },
	{ "classes", "HOSTLIST=n1 CLASSLIST=batch", "HOSTLIST=n1 CLASSLIST=fast",
	  UPON("1 node", "it") },
	{ "other hosts", "HOSTLIST=n1 USERLIST=ann", "HOSTLIST=n2 USERLIST=bob", "" },
	{ "somebody is in both", "HOSTLIST=n1 USERLIST=ann,bob", "HOSTLIST=n1 USERLIST=bob", "" },
	{ "he is written otherwise", "HOSTLIST=n1 USERLIST=Bob", "HOSTLIST=n1 USERLIST=bob", "" },
	{ "of other kinds", "HOSTLIST=n1 USERLIST=ann", "HOSTLIST=n1 GROUPLIST=staff", "" },
	{ "of several kinds", "HOSTLIST=n1 USERLIST=ann GROUPLIST=a",
	  "HOSTLIST=n1 USERLIST=bob GROUPLIST=b", "" },
	{ "with a limit", "HOSTLIST=n1 USERLIST=ann TIMELIMIT=1:00:00", "HOSTLIST=n1 USERLIST=bob",
	  "" },
	{ "denied", "HOSTLIST=n1 USERLIST=!ann", "HOSTLIST=n1 USERLIST=bob", "" },
	{ "required", "HOSTLIST=n1 USERLIST=ann*", "HOSTLIST=n1 USERLIST=bob", "" },
	{ "for nobody at all", "HOSTLIST=n1 USERLIST=ann", "HOSTLIST=n1", "" },
	{ "that floats", "HOSTLIST=n1 USERLIST=ann", "HOSTLIST=n1 TASKCOUNT=1 USERLIST=bob", "" },
	{ "of a part", "HOSTLIST=n1 USERLIST=ann RESOURCES=PROCS:2",
	  "HOSTLIST=n1 USERLIST=bob RESOURCES=PROCS:2", "" },
	{ "of hosts with a feature", "HOSTLIST=n[1-2] USERLIST=ann",
	  "HOSTLIST=n[1-2] USERLIST=bob NODEFEATURES=big", UPON("1 node", "it") },
	{ "which may be left", "HOSTLIST=n1 USERLIST=ann FLAGS=SPACEFLEX",
	  "HOSTLIST=n1 USERLIST=bob", "" },
	/* when */
	{ "one after the other", "HOSTLIST=n1 USERLIST=ann ENDTIME=12:00:00",
	  "HOSTLIST=n1 USERLIST=bob STARTTIME=12:00:00", "" },
	{ "for an hour", "HOSTLIST=n1 USERLIST=ann ENDTIME=13:00:00",
	  "HOSTLIST=n1 USERLIST=bob STARTTIME=12:00:00", UPON("1 node", "it") },
	{ "on other days", "HOSTLIST=n1 USERLIST=ann DAYS=MON,TUE",
	  "HOSTLIST=n1 USERLIST=bob DAYS=WED,SUN", "" },
	{ "on one day", "HOSTLIST=n1 USERLIST=ann DAYS=MON,WED",
	  "HOSTLIST=n1 USERLIST=bob DAYS=WED,SUN", UPON("1 node", "it") },
	{ "on a day of the week",
	  "HOSTLIST=n1 USERLIST=ann PERIOD=WEEK WSTARTTIME=1:00:00:00 "
	  "WENDTIME=2:00:00:00",
	  "HOSTLIST=n1 USERLIST=bob DAYS=MON", UPON("1 node", "it") },
	{ "on another day of the week",
	  "HOSTLIST=n1 USERLIST=ann PERIOD=WEEK "
	  "WSTARTTIME=1:00:00:00 WENDTIME=2:00:00:00",
	  "HOSTLIST=n1 USERLIST=bob DAYS=TUE", "" },
	{ "for ever", "HOSTLIST=n1 USERLIST=ann PERIOD=INFINITY",
	  "HOSTLIST=n1 USERLIST=bob DAYS=TUE ENDTIME=0:10:00", UPON("1 node", "it") },
};

static void expect(const char *name, const char *text, const struct maui_check_node *table,
		   size_t count, const char *expected)
{
	struct maui_diags diags = { 0 };
	struct maui_config *config = PARSE_GOOD(text);
	char said[1024] = "";

	maui_config_check_nodes(config, table, count, false, &diags);
	for (size_t i = 0; i < diags.count; i++) {
		strcat(said, diags.list[i].text);
		strcat(said, "\n");
	}
	cr_expect(strcmp(said, expected) == 0, "%s: expected\n%sgot\n%s", name, expected, said);
	cr_expect(diags.count == 0 || diags.list[0].line == 2, "%s: where", name);
	maui_diags_finish(&diags);
	maui_config_unref(config);
}

TEST_ROWS(check_stacked, two, rows, row)
{
	char text[512];

	snprintf(text, sizeof(text), "SRCFG[a] %s\nSRCFG[b] %s\n", row->a, row->b);
	expect(row->name, text, nodes, sizeof(nodes) / sizeof(nodes[0]), row->said);
}

/* Once for each, however many others there are. */
Test(check_stacked, several)
{
	expect("three",
	       "SRCFG[a] HOSTLIST=n2 USERLIST=ann\nSRCFG[b] HOSTLIST=n[1-2] USERLIST=bob\n"
	       "SRCFG[c] HOSTLIST=n[1-3] USERLIST=eve\n",
	       nodes, 3,
	       UPON("1 node",
		    "it") "SRCFG[c] has 2 nodes at times when SRCFG[b] has them, too, and nobody is let into "
			  "both\n");
}
