/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_qos.c - which QOS a job may have, and which it gets (Maui manual 7.3)
 *
 * Rules: THR-13.
 */
#include "policy/qos.h"

#include <stdio.h>

#include "parsed.h"
#include "rows.h"

/* Every job is amy's, of group phys, account acc, class batch. */
static const char *const creds[MAUI_CRED_COUNT] = { "amy", "phys", "acc", NULL, "batch" };

struct access {
	const char *name, *text;
	const char *allowed; /* of the QOS a to f; "any": all of them */
	const char *list;    /* as a user is told */
	const char *def;     /* NULL: none */
};

static const struct access rows[] = {
	{ "nothing said", "", "abcdef", "", NULL },
	{ "lists of other credentials", "USERCFG[bob] QLIST=a\nGROUPCFG[chem] QLIST=b", "", "",
	  NULL },
	{ "lists of other credentials, and a default", "USERCFG[bob] QLIST=a\nSYSCFG QDEF=c", "c",
	  "c", "c" },
	{ "only a default", "USERCFG[amy] QDEF=a", "abcdef", "a", "a" },
	{ "user", "USERCFG[amy] QLIST=a,b", "ab", "a,b", NULL },
	{ "group", "GROUPCFG[phys] QLIST=c", "c", "c", NULL },
	{ "account", "ACCOUNTCFG[acc] QLIST=c", "c", "c", NULL },
	{ "class", "CLASSCFG[batch] QLIST=c", "c", "c", NULL },
	{ "system", "SYSCFG QLIST=c", "c", "c", NULL },
	{ "DEFAULT", "USERCFG[DEFAULT] QLIST=d QDEF=e", "de", "d,e", "e" },
	{ "own before DEFAULT", "USERCFG[DEFAULT] QLIST=d\nUSERCFG[amy] QLIST=a", "a", "a", NULL },
	{ "lists add up",
	  "USERCFG[amy] QLIST=a\nGROUPCFG[phys] QLIST=b\nACCOUNTCFG[acc] QLIST=c,a\n"
	  "CLASSCFG[batch] QLIST=d\nSYSCFG QLIST=e",
	  "abcde", "a,b,c,d,e", NULL },
	{ "a default is in its list", "USERCFG[amy] QLIST=a QDEF=b", "ab", "a,b", "b" },
	{ "the default of another credential", "USERCFG[amy] QLIST=a\nGROUPCFG[phys] QDEF=b", "ab",
	  "a,b", "b" },
	{ "AND", "USERCFG[amy] QLIST=a,b,c\nGROUPCFG[phys] QLIST=b,c,d&", "bc", "b,c", NULL },
	{ "two ANDs", "USERCFG[amy] QLIST=a,b,c\nGROUPCFG[phys] QLIST=b,c&\nSYSCFG QLIST=c,a&", "c",
	  "c", NULL },
	{ "AND alone", "GROUPCFG[phys] QLIST=b,c&", "bc", "b,c", NULL },
	{ "AND leaves nothing", "USERCFG[amy] QLIST=a\nGROUPCFG[phys] QLIST=b&", "", "", NULL },
	{ "ONLY", "USERCFG[amy] QLIST=a,b\nGROUPCFG[phys] QLIST=c^", "c", "c", NULL },
	{ "ONLY with its default", "USERCFG[amy] QLIST=a\nGROUPCFG[phys] QLIST=c^ QDEF=d", "cd",
	  "c,d", "d" },
	{ "the first ONLY", "CLASSCFG[batch] QLIST=e^\nGROUPCFG[phys] QLIST=c^", "c", "c", NULL },
	{ "ONLY beats AND", "USERCFG[amy] QLIST=a&\nGROUPCFG[phys] QLIST=c^", "c", "c", NULL },
	{ "default, user first",
	  "SYSCFG QDEF=f\nCLASSCFG[batch] QDEF=e\nACCOUNTCFG[acc] QDEF=d\nGROUPCFG[phys] QDEF=c\n"
	  "USERCFG[amy] QDEF=b",
	  "abcdef", "b,c,d,e,f", "b" },
	{ "default, account before class", "CLASSCFG[batch] QDEF=e\nACCOUNTCFG[acc] QDEF=d",
	  "abcdef", "d,e", "d" },
	{ "default of the system", "SYSCFG QDEF=f", "abcdef", "f", "f" },
	{ "QOS themselves have no lists", "QOSCFG[a] PRIORITY=0", "abcdef", "", NULL },
};

TEST_ROWS(qos, access, rows, row)
{
	struct maui_config *config = PARSE_GOOD(row->text);
	char allowed[8] = "", list[64] = "", name[2] = "a";
	const char *def = maui_qos_default(config, creds);
	struct maui_words words;

	for (; *name <= 'f'; (*name)++)
		if (maui_qos_allowed(config, creds, name))
			strcat(allowed, name);
	cr_expect(strcmp(allowed, row->allowed) == 0, "%s: allowed %s", row->name, allowed);
	cr_expect(row->def ? def && strcmp(def, row->def) == 0 : !def, "%s: default %s", row->name,
		  def ? def : "none");
	cr_assert(maui_qos_list(config, creds, &words) == 0);
	for (size_t i = 0; i < words.count; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? "," : "",
			 words.list[i]);
	cr_expect(strcmp(list, row->list) == 0, "%s: list %s", row->name, list);
	maui_words_finish(&words);
	maui_config_unref(config);
}

/* A job without an account has no list of an account, not that of DEFAULT. */
Test(qos, missing_credentials)
{
	static const char *const some[MAUI_CRED_COUNT] = { "amy", NULL, NULL, NULL, NULL };
	struct maui_config *config =
		PARSE_GOOD("ACCOUNTCFG[DEFAULT] QLIST=a QDEF=a\nUSERCFG[amy] QLIST=b\n");

	cr_expect(maui_qos_default(config, some) == NULL);
	cr_expect(!maui_qos_allowed(config, some, "a"));
	cr_expect(maui_qos_allowed(config, some, "b"));
	maui_config_unref(config);
}

/* Names are case sensitive. */
Test(qos, case_of_names)
{
	struct maui_config *config = PARSE_GOOD("USERCFG[amy] QLIST=High\n");

	cr_expect(maui_qos_allowed(config, creds, "High"));
	cr_expect(!maui_qos_allowed(config, creds, "high"));
	maui_config_unref(config);
}
