/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_lines.c - a table: parameter of Maui, parameter of Slurm, how the value changes */

#include "cmd/migrate/slurm_lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "base/duration.h"
#include "base/need.h"
#include "cmd/migrate/new_config.h"

enum { MAX_S = 65533 }; /* what Slurm takes: 16 bits, the last two values are special */

enum conversion {
	AS_TEXT,
	AS_SECONDS,
	AS_MINUTES, /* rounded up: no job gets less than it had */
	AS_NAMES,   /* "a:b" and "a b" as "a,b" */
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
	{ "ENABLEMULTINODEJOBS", NULL, "FALSE", MAUI_SLURM_LINE_PART,
	  "PartitionName=DEFAULT MaxNodes=1", AS_TEXT },
	{ "CLASSCFG", "WCOVERRUN", NULL, MAUI_SLURM_LINE_PART, "PartitionName=%n OverTimeLimit=%s",
	  AS_MINUTES },
	{ "CLASSCFG", "ALIST", NULL, MAUI_SLURM_LINE_PART, "PartitionName=%n AllowAccounts=%s",
	  AS_NAMES },
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
	default:
		maui_strbuf_addf(out, "%s", s->value);
		break;
	}
	return is_plain(out->text);
}

char *maui_slurm_line(const struct maui_setting *setting, enum maui_slurm_line_kind *ret_kind)
{
	const struct row *row = find_row(setting);
	struct maui_strbuf value = { 0 }, line = { 0 };
	bool good = row && convert(setting, row->conversion, &value) &&
		    (!strstr(row->form, "%n") || is_plain(setting->index));

	for (const char *c = good ? row->form : ""; *c; c++) {
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
