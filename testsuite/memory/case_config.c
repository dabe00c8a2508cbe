/* SPDX-License-Identifier: GPL-2.0-or-later */
/* case_config.c - maui.cfg and a file that it includes: read, checked, shown, changed by a line
 *
 * A configuration without memory is refused; which faults it has is not known then.
 */

#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/check/reservation.h"
#include "config/config.h"
#include "config/show.h"
#include "config/status.h"

static const char *const texts[] = {
	("RESERVATIONPOLICY CURRENTHIGHEST\nRESERVATIONDEPTH 4\nBACKFILLPOLICY BESTFIT\n"
	 "FSPOLICY DEDICATEDPS\nFSINTERVAL 12:00:00\nFSDEPTH 7\nFSDECAY 0.7\nFSWEIGHT 10\n"
	 "USERCFG[DEFAULT] FSTARGET=20 MAXJOB=4\nUSERCFG[ann] MAXPROC[CLASS]=20,30 PRIORITY=7\n"
	 "ACCOUNTCFG[bio] QLIST=high,low QDEF=low\nQOSCFG[high] QFLAGS=PREEMPTOR PRIORITY=100\n"
	 "CLASSCFG[batch] MAX.WCLIMIT=12:00:00 \nADMIN1 root slurm\nADMIN3 eve\n"
	 "NODECFG[n1] PRIORITY=4\nNODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\n"
	 "NODESETLIST big,fast\nGRESCFG[gpu:a100] WEIGHT=4\n"),
	("SRCFG[biz] TASKCOUNT=3 RESOURCES=PROCS:2;MEM:512 STARTTIME=9:00:00 ENDTIME=17:00:00\n"
	 "SRCFG[biz] USERLIST=steve,amy- ACCOUNTLIST=!guest CLASSLIST=main= TIMELIMIT=1:00:00* "
	 "PROCLIMIT=>=!1000 PERIOD=DAY DAYS=MON,TUE\n"
	 "SRCFG[biz] OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT,SPACEFLEX CHARGEACCOUNT=jupiter\n"
	 "SRCFG[biz] TRIGGER=start+5:00;exec@/usr/local/sbin/told NODEFEATURES=big,fast\n"
	 "SRCFG[night] PERIOD=INFINITY HOSTLIST=r:n[1-4]* OWNER=USER:nobody\n"
	 "SRCFG[never] HOSTLIST=n1 USERLIST=amy STARTTIME=20:00:00 ENDTIME=6:00:00\n"
	 "#INCLUDE more.cfg\nQUERYSOCKET /run/maui\nRESDEPTH 12\n"),
	("BACKFILLPOLICY \"FIRSTFIT\"\nNOSUCHPARAMETER 4\nUSERCFG[bob] MAXJOB=x\nFSDECAY 4\n"
	 "SRCFG[x] STARTTIME=25:00:00\nQOSCFG[a] QFLAGS=NONE,NIX\n"),
};

static char dir[64], path[96];
static unsigned variant;
static struct maui_config *config, *base;
static struct maui_config_status *status;
static struct maui_diags diags;

static void write_file(const char *name, const char *text)
{
	char at[128];
	FILE *file;

	snprintf(at, sizeof(at), "%s/%s", dir, name);
	file = fopen(at, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		memory_broken("%s cannot be written", at);
}

static void prepare(unsigned which)
{
	variant = which;
	snprintf(dir, sizeof(dir), "/tmp/maui-memory.XXXXXX");
	if (!mkdtemp(dir))
		memory_broken("mkdtemp");
	snprintf(path, sizeof(path), "%s/maui.cfg", dir);
	write_file("maui.cfg", texts[which]);
	write_file("more.cfg", "GROUPCFG[staff] MAXNODE=3\nSRCFG[biz] GROUPLIST=staff\n");
}

static int refuse(struct maui_err *err)
{
	char text[512];

	if (diags.seen[MAUI_ERROR] == 0)
		return maui_err_set(err, "%s", ""); /* nobody says why */
	if (diags.count == 0)
		return maui_err_no_memory(err); /* of the diagnostics, which are counted */
	maui_diag_format(&diags.list[0], text, sizeof(text));
	return maui_err_set(err, "%s", text);
}

static int act(struct maui_err *err)
{
	const struct maui_config_context context = { .scheduler_type = "sched/maui",
						     .keep_faulty = variant == 2 };

	config = maui_config_load(path, &context, &diags);
	if (!config)
		return refuse(err);
	maui_config_check_rsvs(config, &diags);
	status = maui_config_status_accepted(config, path, &diags, 1000);
	return status && !diags.no_memory ? 0 : maui_err_no_memory(err);
}

static void show_row(const struct maui_config_row *row, void *arg)
{
	maui_strbuf_addf(arg, "%s %s\n", row->name, row->value);
}

static void show(struct maui_strbuf *out)
{
	maui_config_show(config, false, show_row, out);
	maui_strbuf_addf(out, "%s%zu errors, %zu warnings\n", config->text, diags.seen[MAUI_ERROR],
			 diags.seen[MAUI_WARNING]);
}

static void drop(void)
{
	maui_config_status_unref(status);
	status = NULL;
	maui_config_unref(config);
	config = NULL;
	maui_diags_finish(&diags);
}

static void end(void)
{
	char at[128];

	unlink(path);
	snprintf(at, sizeof(at), "%s/more.cfg", dir);
	unlink(at);
	rmdir(dir);
}

/* ---- changeparam ---- */

static void prepare_change(unsigned which)
{
	struct maui_diags found = { 0 };

	prepare(which);
	base = maui_config_load(path, NULL, &found);
	if (!base)
		memory_broken("%s", path);
	maui_diags_finish(&found);
}

static int act_change(struct maui_err *err)
{
	const struct maui_config_lines lines[] = {
		{ (char *)"changeparam", (char *)"RESERVATIONDEPTH 7" },
		{ (char *)"changeparam", (char *)"USERCFG[eve] MAXJOB=3" },
	};

	config = maui_config_extend(base, lines, 2, NULL, &diags);
	return config ? 0 : refuse(err);
}

static void end_change(void)
{
	maui_config_unref(base);
	end();
}

const struct memory_case memory_config_cases[] = {
	{ "config", prepare, 3, act, show, drop, end },
	{ "changeparam", prepare_change, 2, act_change, show, drop, end_change },
	{ NULL, NULL, 0, NULL, NULL, NULL, NULL },
};
