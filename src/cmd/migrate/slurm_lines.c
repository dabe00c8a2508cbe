/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_lines.c - a table: parameter of Maui, parameter of Slurm, how the value changes */

#include "cmd/migrate/slurm_lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/hostrange.h"
#include "base/need.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "cmd/migrate/new_config.h"

enum { MAX_S = 65533 }; /* what Slurm takes: 16 bits, the last two values are special */

enum conversion {
	AS_TEXT,
	AS_SECONDS,
	AS_MINUTES, /* rounded up: no job gets less than it had */
	AS_NAMES,   /* "a:b" and "a b" as "a,b" */
	AS_NODES,   /* a HOSTLIST of names and ranges; slurm.conf has no expressions */
};

static const struct row {
	const char *param, *attr; /* attr NULL: a plain parameter */
	const char *only;         /* the one value for which there is a line; NULL: any */
	enum maui_slurm_line_kind kind;
	/* %s: the value, %n: the index of the setting */
	const char *form;
	enum conversion conversion;
} rows[] = {
	{ "CLIENTTIMEOUT", NULL, NULL, MAUI_SLURM_LINE_CONF, "MessageTimeout=%s", AS_SECONDS },
	{ "RMTIMEOUT", NULL, NULL, MAUI_SLURM_LINE_CONF, "MessageTimeout=%s", AS_TEXT },
	{ "JOBMAXOVERRUN", NULL, NULL, MAUI_SLURM_LINE_CONF, "OverTimeLimit=%s", AS_MINUTES },
	{ "JOBPURGETIME", NULL, NULL, MAUI_SLURM_LINE_CONF, "MinJobAge=%s", AS_SECONDS },
	{ "PURGETIME", NULL, NULL, MAUI_SLURM_LINE_CONF, "MinJobAge=%s", AS_SECONDS },
	{ "NODEDOWNSTATEDELAYTIME", NULL, NULL, MAUI_SLURM_LINE_CONF, "SlurmdTimeout=%s",
	  AS_SECONDS },
	{ "MAILPROGRAM", NULL, NULL, MAUI_SLURM_LINE_CONF, "MailProg=%s", AS_TEXT },
	{ "RMLOCALDISKFS", NULL, NULL, MAUI_SLURM_LINE_CONF, "TmpFS=%s", AS_TEXT },
	{ "TASKDISTRIBUTIONPOLICY", NULL, "LOCAL", MAUI_SLURM_LINE_CONF,
	  "SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes", AS_TEXT },
	{ "ALLOWROOTJOBS", NULL, "FALSE", MAUI_SLURM_LINE_CONF, "DisableRootJobs=YES", AS_TEXT },
	{ "JOBPREEMPTMINACTIVETIME", NULL, NULL, MAUI_SLURM_LINE_CONF, "PreemptExemptTime=%s",
	  AS_MINUTES },
	{ "MAILACTION", NULL, NULL, MAUI_SLURM_LINE_CONF, "MailProg=%s", AS_TEXT },
	{ "MAILDOMAIN", NULL, NULL, MAUI_SLURM_LINE_CONF, "MailDomain=%s", AS_TEXT },
	{ "MAXJOB", NULL, NULL, MAUI_SLURM_LINE_CONF, "MaxJobCount=%s", AS_TEXT },
	{ "NODEIDLEPOWERTHRESHOLD", NULL, NULL, MAUI_SLURM_LINE_CONF, "SuspendTime=%s",
	  AS_SECONDS },
	{ "REJECTINFEASIBLEJOBS", NULL, "TRUE", MAUI_SLURM_LINE_CONF, "EnforcePartLimits=ALL",
	  AS_TEXT },
	{ "DEFAULTSUBMITPARTITION", NULL, NULL, MAUI_SLURM_LINE_PART,
	  "PartitionName=%s Default=YES", AS_TEXT },
	{ "JOBMAXNODECOUNT", NULL, NULL, MAUI_SLURM_LINE_PART, "PartitionName=DEFAULT MaxNodes=%s",
	  AS_TEXT },
	{ "SUBMITHOSTS", NULL, NULL, MAUI_SLURM_LINE_PART, "PartitionName=DEFAULT AllocNodes=%s",
	  AS_NAMES },
	{ "ENABLEMULTINODEJOBS", NULL, "FALSE", MAUI_SLURM_LINE_PART,
	  "PartitionName=DEFAULT MaxNodes=1", AS_TEXT },
	{ "CLASSCFG", "WCOVERRUN", NULL, MAUI_SLURM_LINE_PART, "PartitionName=%n OverTimeLimit=%s",
	  AS_MINUTES },
	{ "CLASSCFG", "ALIST", NULL, MAUI_SLURM_LINE_PART, "PartitionName=%n AllowAccounts=%s",
	  AS_NAMES },
	{ "CLASSCFG", "DEFAULT.MEM", NULL, MAUI_SLURM_LINE_PART,
	  "PartitionName=%n DefMemPerNode=%s", AS_TEXT },
	{ "CLASSCFG", "EXCLUDEACCOUNTLIST", NULL, MAUI_SLURM_LINE_PART,
	  "PartitionName=%n DenyAccounts=%s", AS_NAMES },
	{ "CLASSCFG", "EXCLUDEQOSLIST", NULL, MAUI_SLURM_LINE_PART, "PartitionName=%n DenyQos=%s",
	  AS_NAMES },
	{ "CLASSCFG", "HOSTLIST", NULL, MAUI_SLURM_LINE_PART, "PartitionName=%n Nodes=%s",
	  AS_NODES },
	{ "CLASSCFG", "MAXPROCPERNODE", NULL, MAUI_SLURM_LINE_PART,
	  "PartitionName=%n MaxCPUsPerNode=%s", AS_TEXT },
	{ "CLASSCFG", "MIN.NODE", NULL, MAUI_SLURM_LINE_PART, "PartitionName=%n MinNodes=%s",
	  AS_TEXT },
	{ "CLASSCFG", "REQUIREDACCOUNTLIST", NULL, MAUI_SLURM_LINE_PART,
	  "PartitionName=%n AllowAccounts=%s", AS_NAMES },
	{ "CLASSCFG", "REQUIREDGROUPLIST", NULL, MAUI_SLURM_LINE_PART,
	  "PartitionName=%n AllowGroups=%s", AS_NAMES },
	{ "CLASSCFG", "REQUIREDQOSLIST", NULL, MAUI_SLURM_LINE_PART, "PartitionName=%n AllowQos=%s",
	  AS_NAMES },
	{ "NODECFG", "RCDISK", NULL, MAUI_SLURM_LINE_PART, "NodeName=%n TmpDisk=%s", AS_TEXT },
	{ "NODECFG", "RCMEM", NULL, MAUI_SLURM_LINE_PART, "NodeName=%n RealMemory=%s", AS_TEXT },
	{ "NODECFG", "RCPROC", NULL, MAUI_SLURM_LINE_PART, "NodeName=%n CPUs=%s", AS_TEXT },
	{ "ACCOUNTCFG", "MANAGERS", NULL, MAUI_SLURM_LINE_COMMAND,
	  "sacctmgr -i add coordinator account=%n name=%s", AS_NAMES },
	{ "ACCOUNTCFG", "MEMBERULIST", NULL, MAUI_SLURM_LINE_COMMAND,
	  "sacctmgr -i add user name=%s account=%n", AS_NAMES },
	{ "QOSCFG", "MEMBERULIST", NULL, MAUI_SLURM_LINE_COMMAND,
	  "sacctmgr -i modify user where name=%s set qos+=%n", AS_NAMES },
	{ "QOSCFG", "PREEMPTMINTIME", NULL, MAUI_SLURM_LINE_COMMAND,
	  "sacctmgr -i modify qos where name=%n set PreemptExemptTime=%s", AS_MINUTES },
	{ "USERCFG", "ADEF", NULL, MAUI_SLURM_LINE_COMMAND,
	  "sacctmgr -i modify user where name=%n set DefaultAccount=%s", AS_TEXT },
	{ "USERCFG", "ALIST", NULL, MAUI_SLURM_LINE_COMMAND,
	  "sacctmgr -i add user name=%n account=%s", AS_NAMES },
};

static const struct row *find_row(const struct maui_setting *s)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(s->param->name, rows[i].param) == 0 &&
		    (s->attr ? rows[i].attr && strcmp(s->attr->name, rows[i].attr) == 0 :
			       !rows[i].attr) &&
		    (!rows[i].only || strcasecmp(s->value, rows[i].only) == 0))
			return &rows[i];
	return NULL;
}

/* Whether a text is safe in slurm.conf and as a word of a shell's command line. */
static bool is_plain(const char *text)
{
	if (!text || !*text)
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_.-/,", *text))
			return false;
	return true;
}

/* To slurm.conf ALL is a word of its own only where it stands alone, and ANY is a node. */
static bool is_node(const char *name)
{
	return is_plain(name) && !strpbrk(name, "/,") && strcasecmp(name, "ALL") != 0 &&
	       strcasecmp(name, "ANY") != 0;
}

/* False: an expression, or another text that slurm.conf would take for other nodes. */
static bool convert_nodes(const char *text, struct maui_strbuf *out)
{
	struct maui_words names = { 0 };
	bool good, gap = false;

	if (strcasecmp(text, "ALL") == 0 || strcasecmp(text, "[ALL]") == 0) {
		maui_strbuf_addf(out, "ALL");
		return true;
	}
	good = maui_hostrange_expand(text, &names, NULL) == 0 && names.count > 0;
	for (size_t i = 0; good && i < names.count; i++)
		good = is_node(names.list[i]);
	maui_words_finish(&names);
	for (const char *c = text; good && *c; c++) {
		if (strchr(", \t", *c)) {
			gap = true;
			continue;
		}
		maui_strbuf_addf(out, "%s%c", gap && out->length ? "," : "", *c);
		gap = false;
	}
	return good;
}

/* A time as Maui 3.x reads it. */
static int parse_time(const struct maui_setting *s, int64_t *ret)
{
	struct maui_strbuf value = { 0 };
	int rc;

	maui_new_value(s, s->value, strlen(s->value), &value);
	if (value.failed)
		maui_out_of_memory();
	rc = maui_duration_parse(value.text, ret, NULL);
	maui_strbuf_finish(&value);
	return rc;
}

/* The value as Slurm has it; false: it cannot be said. */
static bool convert(const struct maui_setting *s, enum conversion conversion,
		    struct maui_strbuf *out)
{
	int64_t seconds;

	switch (conversion) {
	case AS_SECONDS:
	case AS_MINUTES:
		if (parse_time(s, &seconds))
			return false;
		if (conversion == AS_MINUTES)
			seconds = (seconds + 59) / 60;
		if (seconds < 1 || seconds > MAX_S) /* to Slurm 0 means never */
			return false;
		maui_strbuf_addf(out, "%lld", (long long)seconds);
		return true;
	case AS_NAMES:
		for (const char *c = s->value; *c; c++)
			maui_strbuf_addf(out, "%c", strchr(" :|", *c) ? ',' : *c);
		break;
	case AS_NODES:
		return convert_nodes(s->value, out);
	default:
		maui_strbuf_addf(out, "%s", s->value);
		break;
	}
	return is_plain(out->text);
}

/* What to do where Maui's nodes cannot be written; the value itself is not. */
static const char nodes_remark[] =
	"# PartitionName=%n Nodes=: name the nodes; HOSTLIST is not a list of names and ranges";

char *maui_slurm_line(const struct maui_setting *setting, enum maui_slurm_line_kind *ret_kind)
{
	const struct row *row = find_row(setting);
	struct maui_strbuf value = { 0 }, line = { 0 };
	const char *form = row ? row->form : NULL;
	bool good;

	if (row && !convert(setting, row->conversion, &value))
		form = row->conversion == AS_NODES ? nodes_remark : NULL;
	good = form && (!strstr(form, "%n") || is_plain(setting->index));
	for (const char *c = good ? form : ""; *c; c++) {
		if (*c != '%') {
			maui_strbuf_add(&line, c, 1);
			continue;
		}
		c++;
		maui_strbuf_addf(&line, "%s", *c == 'n' ? setting->index : value.text);
	}
	if (value.failed)
		maui_out_of_memory();
	maui_strbuf_finish(&value);
	if (!good)
		return NULL;
	*ret_kind = row->kind;
	return maui_need(maui_strbuf_steal(&line));
}
