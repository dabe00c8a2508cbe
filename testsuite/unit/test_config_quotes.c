/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_config_quotes.c - names and values with blanks: what quotes mean, and how they are shown
 *
 * Rules: CFG-1, CFG-6.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "config/show.h"
#include "parsed.h"
#include "rows.h"

/* A row as a line of maui.cfg. */
static void add_line(const struct maui_config_row *row, void *arg)
{
	bool attribute = row->setting->attr;

	maui_strbuf_addf(arg, "%s%s%s\n", row->name, attribute ? "=" : " ", row->value);
}

/* The settings of the text, as maui config show prints them. */
static char *show(const char *text)
{
	struct maui_config *config = PARSE_GOOD(text);
	struct maui_strbuf out = { 0 };

	maui_config_show(config, true, add_line, &out);
	maui_config_unref(config);
	return maui_strbuf_steal(&out);
}

struct shown {
	const char *name, *text, *shown;
};

static const struct shown shown[] = {
	/* an index */
	{ "a name with a blank", "GROUPCFG[\"domain users\"] MAXJOB=4",
	  "GROUPCFG[\"domain users\"] MAXJOB=4\n" },
	{ "without quotes", "GROUPCFG[domain users] MAXJOB=4",
	  "GROUPCFG[\"domain users\"] MAXJOB=4\n" },
	{ "needless quotes", "USERCFG[ \"ann\" ] MAXJOB=4", "USERCFG[ann] MAXJOB=4\n" },
	{ "a comma and a bracket", "QOSCFG[\"a, b]\"] MAXJOB=4", "QOSCFG[\"a, b]\"] MAXJOB=4\n" },
	{ "a second dimension", "CLASSCFG[a] MAXJOB[\"GROUP:domain users\"]=4",
	  "CLASSCFG[a] MAXJOB[\"GROUP:domain users\"]=4\n" },
	{ "its name in quotes", "CLASSCFG[a] MAXJOB[GROUP:\"domain users\"]=4",
	  "CLASSCFG[a] MAXJOB[\"GROUP:domain users\"]=4\n" },
	{ "number sign", "USERCFG[a#b] MAXJOB=4 # c", "USERCFG[\"a#b\"] MAXJOB=4\n" },
	{ "number sign in a dimension", "CLASSCFG[a] MAXJOB[USER:a#b]=4",
	  "CLASSCFG[a] MAXJOB[\"USER:a#b\"]=4\n" },
	{ "closing bracket", "USERCFG[a]b] MAXJOB=4", "USERCFG[a]b] MAXJOB=4\n" },
	{ "opening bracket", "USERCFG[a[b] MAXJOB=4", "USERCFG[a[b] MAXJOB=4\n" },
	{ "range", "NODECFG[n[1-3],r[0-1]n[1-2]] PRIORITY=4",
	  "NODECFG[n[1-3],r[0-1]n[1-2]] PRIORITY=4\n" },
	{ "no blank behind", "USERCFG[ann]MAXJOB[QOS:a]=4", "USERCFG[ann] MAXJOB[QOS:a]=4\n" },
	{ "bytes of names", "USERCFG[LAB\\ann] MAXJOB=4\nUSERCFG[ann@lab+$\xc3\xbc] MAXJOB=5",
	  "USERCFG[LAB\\ann] MAXJOB=4\nUSERCFG[ann@lab+$\xc3\xbc] MAXJOB=5\n" },
	{ "a backslash in quotes", "USERCFG[\"LAB\\ann b\"] MAXJOB=4",
	  "USERCFG[\"LAB\\ann b\"] MAXJOB=4\n" },
	/* names */
	{ "list", "USERCFG[a] QLIST=\"hi prio\",low", "USERCFG[a] QLIST=\"hi prio\",low\n" },
	{ "quotes around a list", "USERCFG[a] QLIST=\"hi prio, low:x\"&",
	  "USERCFG[a] QLIST=\"hi prio\",low:x&\n" },
	{ "list without blanks", "USERCFG[a] QLIST=\"hi,low\"", "USERCFG[a] QLIST=hi,low\n" },
	{ "number sign in a list", "USERCFG[a] QLIST=\"hi#1\" # x", "USERCFG[a] QLIST=\"hi#1\"\n" },
	{ "behind a blank", "USERCFG[a] QLIST=low \"hi prio\" QDEF=low",
	  "USERCFG[a] QLIST=low,\"hi prio\"\nUSERCFG[a] QDEF=low\n" },
	{ "a list of a parameter", "ADMIN2 ann \"LAB\\bob c\" \"eve\"",
	  "ADMIN2 ann \"LAB\\bob c\" eve\n" },
	{ "one name", "USERCFG[a] QDEF=\"hi prio\"", "USERCFG[a] QDEF=\"hi prio\"\n" },
	{ "blanks around =", "USERCFG[a] QDEF = \"hi prio\" MAXJOB= \"4\"",
	  "USERCFG[a] QDEF=\"hi prio\"\nUSERCFG[a] MAXJOB=4\n" },
	{ "owner", "SRCFG[s] OWNER=GROUP:\"domain users\" HOSTLIST=n1",
	  "SRCFG[s] OWNER=\"GROUP:domain users\"\nSRCFG[s] HOSTLIST=n1\n" },
	/* other values */
	{ "flags", "QOSCFG[a] QFLAGS=\"IGNALL PREEMPTOR\"",
	  "QOSCFG[a] FLAGS=\"IGNALL PREEMPTOR\"\n" },
	{ "hosts", "SRCFG[s] HOSTLIST=\"n1 n2\"", "SRCFG[s] HOSTLIST=\"n1 n2\"\n" },
	{ "a number", "USERCFG[a] MAXJOB=\" 4 \"", "USERCFG[a] MAXJOB=4\n" },
	{ "a number sign", "QUERYSOCKET \"/run/a b#c\"", "QUERYSOCKET \"/run/a b#c\"\n" },
};

TEST_ROWS(quotes, shown, shown, row)
{
	char *first = show(row->text), *again = show(first);

	cr_expect(strcmp(first, row->shown) == 0, "%s: expected\n%sgot\n%s", row->name, row->shown,
		  first);
	cr_expect(strcmp(again, first) == 0, "%s: reads again as\n%s", row->name, again);
	free(first);
	free(again);
}

struct entries {
	const char *name, *value;
	const char *entries; /* each in <> */
};

static const struct entries entries[] = {
	{ "one", "\"domain users\"", "<domain users>" },
	{ "two", "\"domain users\",staff", "<domain users><staff>" },
	{ "colons", "\"domain users:staff\"", "<domain users><staff>" },
	{ "marks", "!\"domain users\"-,\"other users-\"", "<domain users><other users>" },
	{ "no name", "\"\",staff", "<staff>" },
	{ "backslash and bytes", "\"LAB\\domain users\",dom\xc3\xa4nen-benutzer",
	  "<LAB\\domain users><dom\xc3\xa4nen-benutzer>" },
	{ "behind a blank", "staff \"domain users\"", "<staff><domain users>" },
};

TEST_ROWS(quotes, access_list, entries, row)
{
	char text[256], got[256] = "";
	struct maui_config *config;

	snprintf(text, sizeof(text), "SRCFG[s] HOSTLIST=n1 GROUPLIST=%s PERIOD=DAY", row->value);
	config = PARSE_GOOD(text);
	for (size_t i = 0; i < config->rsvs[0].acl.count; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "<%s>",
			 config->rsvs[0].acl.list[i].name);
	cr_expect(strcmp(got, row->entries) == 0, "%s: expected %s, got %s", row->name,
		  row->entries, got);
	cr_expect(config->rsvs[0].period == MAUI_RSV_DAY, "%s: the attribute behind", row->name);
	maui_config_unref(config);
}

Test(quotes, every_field_has_the_whole_name)
{
	struct maui_config *config =
		PARSE_GOOD("GROUPCFG[\"domain users\"] QDEF=\"hi prio\"\n"
			   "GROUPCFG[\"domain users\"] QLIST=\"hi prio\",low&\n"
			   "RESERVATIONQOSLIST[1] \"hi prio\" low\n"
			   "NODESETLIST \"a b\",c\n"
			   "ADMIN1 root \"svc adm\"\n"
			   "QOSCFG[\"hi prio\"] QFLAGS=\"IGNALL NOBF\"\n"
			   "SRCFG[s] HOSTLIST=n1 OWNER=GROUP:\"domain users\"\n");
	const struct maui_cred_config *group =
		maui_config_cred(config, MAUI_CRED_GROUP, "domain users");
	const struct maui_cred_config *qos = maui_config_cred(config, MAUI_CRED_QOS, "hi prio");

	cr_expect_str_eq(group->qdef, "hi prio");
	cr_expect(maui_words_contain(&group->qlist, "hi prio") && group->qlist.count == 2);
	cr_expect(group->qlist_mode == MAUI_QLIST_AND);
	cr_expect(maui_words_contain(&config->stacks[1].qos, "hi prio"));
	cr_expect(maui_words_contain(&config->node_sets.list, "a b"));
	cr_expect(maui_words_contain(&config->admins[0], "svc adm"));
	cr_expect(__builtin_popcountll(qos->flags) == 2, "both flags");
	cr_expect_str_eq(config->rsvs[0].owner, "domain users");
	maui_config_unref(config);
}

struct said {
	const char *name, *text, *said;
};

static const struct said said[] = {
	{ "a name in quotes", "GROUPCFG[\"domain users\"] MAXJOB=4\nGROUPCFG[\"a,b\"] MAXJOB=4",
	  "" },
	{ "a name without quotes", "GROUPCFG[domain users] MAXJOB=4",
	  "maui.cfg:1:24: note: GROUPCFG[domain users] names one object: "
	  "GROUPCFG[\"domain users\"] says the same\n" },
	{ "an unknown word", "USERCFG[a] MAXJOB=4 \"x y\" QDEF=b\nQOSCFG[b] MAXJOB=4",
	  "maui.cfg:1:21: warning: unknown attribute '\"x y\"', ignoring\n" },
	{ "an unknown QOS",
	  "USERCFG[a] QLIST=\"hi prio\",\"lo prio&\"\nQOSCFG[\"lo prio\"] MAXJOB=4",
	  "maui.cfg:1:12: warning: QLIST names QOS 'hi prio', for which no QOSCFG[hi prio] sets "
	  "anything\n" },
	{ "no closing quote", "USERCFG[a] QDEF=\"b c\nQOSCFG[b] MAXJOB=4",
	  "maui.cfg:1:17: warning: a quote that is not closed on its line\n"
	  "maui.cfg:1:20: warning: unknown attribute 'c', ignoring\n" },
	{ "a blank before #", "USERCFG[a # b] MAXJOB=4",
	  "maui.cfg:1:8: error: '[' without ']' behind USERCFG\n" },
	{ "an odd user", "ADMIN2 \"a b\" \"c;d\"", /* its position is lost with its quotes */
	  "maui.cfg:1:1: warning: ADMIN2: 'c;d' contains ';'; separate names by , | or :\n" },
};

TEST_ROWS(quotes, said, said, row)
{
	struct parsed p = parse(row->text);

	cr_expect(strcmp(p.said, row->said) == 0, "%s: expected\n%sgot\n%s", row->name, row->said,
		  p.said);
	parsed_finish(&p);
}
