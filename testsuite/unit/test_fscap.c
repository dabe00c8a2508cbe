/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fscap.c - fairshare caps as what keeps a job from starting
 *
 * Rules: FS-7.
 */
#include "plan/fscap.h"

#include <string.h>

#include "explain/violation_text.h"
#include "parsed.h"
#include "rows.h"

#define NOW INT64_C(1729916252)

struct cap {
	const char *name, *text;
	double total;     /* amy, group g, account a, class c, qos q used 250 of it */
	const char *said; /* lines; "" : none */
};

#define ON "FSPOLICY DEDICATEDPS\n"

static const struct cap caps[] = {
	{ "none", ON "USERCFG[amy] FSTARGET=25\n", 1000, "" },
	{ "floor", ON "USERCFG[amy] FSTARGET=25+\n", 1000, "" },
	{ "share, reached", ON "USERCFG[amy] FSTARGET=25%\n", 1000,
	  "FSTARGET USER amy 25%/25% (cap)\n" },
	{ "share, exceeded", ON "USERCFG[amy] FSTARGET=20%\n", 1000,
	  "FSTARGET USER amy 25%/20% (cap)\n" },
	{ "share, not yet", ON "USERCFG[amy] FSTARGET=25.1%\n", 1000, "" },
	{ "amount, reached", ON "USERCFG[amy] FSTARGET=250^\n", 1000,
	  "FSTARGET USER amy 250/250 (cap)\n" },
	{ "amount, not yet", ON "USERCFG[amy] FSTARGET=251^\n", 1000, "" },
	{ "nothing delivered", ON "USERCFG[amy] FSTARGET=1%\nGROUPCFG[g] FSTARGET=1^\n", 0, "" },
	{ "default", ON "USERCFG[DEFAULT] FSTARGET=10%\n", 1000,
	  "FSTARGET USER amy 25%/10% (cap)\n" },
	{ "own before default", ON "USERCFG[DEFAULT] FSTARGET=10%\nUSERCFG[amy] FSTARGET=30%\n",
	  1000, "" },
	{ "policy off", "USERCFG[amy] FSTARGET=10%\n", 1000, "" },
	{ "of another", ON "USERCFG[bob] FSTARGET=10%\n", 1000, "" },
	{ "a cap beside a target", ON "USERCFG[amy] FSTARGET=50 FSCAP=20%\n", 1000,
	  "FSCAP USER amy 25%/20% (cap)\n" },
	{ "a cap beside a target, not yet", ON "USERCFG[amy] FSTARGET=10 FSCAP=30\n", 1000, "" },
	{ "two caps", ON "USERCFG[DEFAULT] FSCAP=250^\nUSERCFG[amy] FSTARGET=20%\n", 1000,
	  "FSTARGET USER amy 25%/20% (cap)\nFSCAP USER amy 250/250 (cap)\n" },
	{ "all in order",
	  ON "QOSCFG[q] FSTARGET=1%\nCLASSCFG[c] FSTARGET=2%\nACCOUNTCFG[a] FSTARGET=3^\n"
	     "GROUPCFG[g] FSTARGET=4%\nUSERCFG[amy] FSTARGET=5%\n",
	  1000,
	  "FSTARGET USER amy 25%/5% (cap)\nFSTARGET GROUP g 25%/4% (cap)\n"
	  "FSTARGET ACCOUNT a 250/3 (cap)\nFSTARGET CLASS c 25%/2% (cap)\n"
	  "FSTARGET QOS q 25%/1% (cap)\n" },
};

static const char *const creds[MAUI_CRED_COUNT] = {
	[MAUI_CRED_USER] = "amy", [MAUI_CRED_GROUP] = "g", [MAUI_CRED_ACCOUNT] = "a",
	[MAUI_CRED_QOS] = "q",    [MAUI_CRED_CLASS] = "c",
};

/* A table in which each of the five has used 250 of the total. */
static struct maui_fs_table *table_of(const struct maui_config *config, double total)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_window *window;
	struct maui_fs_table *table;

	window = maui_usage_window(&usage, maui_fairshare_window_start(NOW, config->fs_interval_s),
				   config->fs_interval_s);
	cr_assert(window, "no memory");
	for (int k = 0; k < MAUI_CRED_COUNT && total > 0; k++)
		cr_assert(maui_usage_add(window, (enum maui_cred_kind)k, creds[k], 250) == 0);
	window->total = total;
	table = maui_fs_table_create(&usage, config, NOW);
	cr_assert(table, "no memory");
	maui_usage_finish(&usage);
	return table;
}

TEST_ROWS(fscap, caps, caps, row)
{
	struct maui_config *config = PARSE_GOOD(row->text);
	struct maui_fs_table *table = table_of(config, row->total);
	struct maui_violation list[MAUI_CRED_COUNT];
	size_t count = maui_plan_fs_caps(config, table, creds, list, MAUI_CRED_COUNT);
	char said[1024] = "", line[MAUI_VIOLATION_SIZE];

	cr_assert(count <= MAUI_CRED_COUNT);
	for (size_t i = 0; i < count; i++) {
		strcat(said, maui_violation_format(&list[i], line, sizeof(line)));
		strcat(said, "\n");
	}
	EXPECT_TEXT(row->name, said, row->said);
	cr_expect(maui_plan_fs_caps(config, table, creds, NULL, 0) == count, "%s", row->name);
	cr_expect(maui_plan_fs_caps(config, NULL, creds, list, MAUI_CRED_COUNT) == 0,
		  "%s: nothing used", row->name);
	maui_fs_table_destroy(table);
	maui_config_unref(config);
}

Test(fscap, a_job_without_credentials)
{
	const char *const none[MAUI_CRED_COUNT] = { NULL };
	struct maui_config *config = PARSE_GOOD(ON "ACCOUNTCFG[DEFAULT] FSTARGET=1%\n");
	struct maui_fs_table *table = table_of(config, 1000);

	cr_expect(maui_plan_fs_caps(config, table, none, NULL, 0) == 0);
	maui_fs_table_destroy(table);
	maui_config_unref(config);
}
