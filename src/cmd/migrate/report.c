/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - the status of each setting of Maui's maui.cfg
 *
 * Rules: CMD-20.
 */

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/hostrange.h"
#include "base/need.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/words.h"
#include "cmd/migrate/migration.h"
#include "cmd/migrate/new_config.h"
#include "cmd/query.h"
#include "config/config.h"

/* ---- what becomes lines of slurm.conf ---- */

enum maui_slurm_line_kind {
	MAUI_SLURM_LINE_CONF,    /* a line of slurm.conf: "MinJobAge=600" */
	MAUI_SLURM_LINE_PART,    /* to add to a line: "PartitionName=batch OverTimeLimit=5" */
	MAUI_SLURM_LINE_COMMAND, /* "sacctmgr ..." */
};

/* MaxJobCount counts all jobs, also those that ended within MinJobAge; Slurm's default is 10000. A
 * smaller MAXJOB was hardly meant for the whole machine: more likely the line before it lost its
 * backslash. */
enum { FEWEST_JOBS = 1000 };
enum { MAX_S = 65533 }; /* what Slurm takes: 16 bits, the last two values are special */

enum conversion {
	AS_TEXT,
	AS_SECONDS,
	AS_MINUTES, /* rounded up: no job gets less than it had */
	AS_NAMES,   /* "a:b" and "a b" as "a,b" */
	AS_JOBS,    /* of all of slurmctld: not a few */
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
	{ "MAXJOB", NULL, NULL, MAUI_SLURM_LINE_CONF, "MaxJobCount=%s", AS_JOBS },
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
		    maui_same_text(s->attr ? s->attr->name : NULL, rows[i].attr) &&
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

/* A time as Maui 3.x or Moab reads it. */
static int parse_time(const struct maui_setting *s, bool of_moab, int64_t *ret)
{
	struct maui_strbuf value = { 0 };
	int rc;

	maui_new_value(s, s->value, strlen(s->value), of_moab, &value);
	if (value.failed)
		maui_out_of_memory();
	rc = maui_duration_parse(value.text, ret, NULL);
	maui_strbuf_finish(&value);
	return rc;
}

/* The value as Slurm has it; false: Slurm has none for it. */
static bool convert(const struct maui_setting *s, enum conversion conversion, bool of_moab,
		    struct maui_strbuf *out)
{
	int64_t seconds;

	switch (conversion) {
	case AS_SECONDS:
	case AS_MINUTES:
		if (parse_time(s, of_moab, &seconds))
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
	case AS_JOBS:
		maui_strbuf_addf(out, "%s", s->value);
		return maui_number_read(s->value, NULL) >= FEWEST_JOBS && is_plain(out->text);
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

/* The same where slurmctld would keep too few jobs. */
static const char jobs_remark[] =
	"# MaxJobCount= is not written: MAXJOB is small for all jobs of slurmctld; if it is of a class "
	"or a user, write it into CLASSCFG or USERCFG";

/* The line or command, which the caller frees; a comment that says what to write if slurm.conf
 * cannot have Maui's nodes. NULL: nothing that can be written for the administrator, the schema's
 * note says where to look; or no memory. */
static char *slurm_line(const struct maui_setting *setting, bool of_moab,
			enum maui_slurm_line_kind *ret_kind)
{
	const struct row *row = find_row(setting);
	struct maui_strbuf value = { 0 }, line = { 0 };
	const char *form = row ? row->form : NULL;
	bool good;

	if (row && !convert(setting, row->conversion, of_moab, &value))
		form = row->conversion == AS_NODES ? nodes_remark :
		       row->conversion == AS_JOBS  ? jobs_remark :
						     NULL;
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

/* ---- the report ---- */

/* Lines that every site needs, for the trial as well. */
static const char *const always[] = {
	"PriorityType=priority/maui",
	"JobSubmitPlugins=maui",
};

enum { ALWAYS = sizeof(always) / sizeof(always[0]) };

static bool begins_with(const char *line, const char *word)
{
	return strncasecmp(line, word, strlen(word)) == 0;
}

static bool is_default(const char *line)
{
	return begins_with(line, "PartitionName=DEFAULT ") ||
	       begins_with(line, "NodeName=DEFAULT ");
}

/* slurmctld applies a DEFAULT line to the lines behind it. */
static size_t place_of(const struct maui_migration_lines *list, const char *line)
{
	size_t at = 0;

	if (!is_default(line))
		return list->count;
	while (at < list->count &&
	       (is_default(list->items[at]) || !(begins_with(list->items[at], "PartitionName=") ||
						 begins_with(list->items[at], "NodeName="))))
		at++;
	return at;
}

/* The bytes of a line that say what it sets: of `PartitionName=a MaxNodes=2` all before the 2. */
static size_t length_of_key(const char *line, enum maui_slurm_line_kind kind)
{
	size_t length = strlen(line);

	if (kind == MAUI_SLURM_LINE_COMMAND || line[0] == '#')
		return length + 1;
	if (kind == MAUI_SLURM_LINE_PART)
		line += strcspn(line, " ");
	return length - strlen(line) + strcspn(line, "=") + 1;
}

static void insert(struct maui_migration_lines *list, size_t at, char *line)
{
	list->items = maui_need_more(list->items, list->count, &list->alloc, sizeof(*list->items));
	memmove(list->items + at + 1, list->items + at,
		(list->count++ - at) * sizeof(*list->items));
	list->items[at] = line;
}

/* Several parameters of Maui may mean one of Slurm: the last one counts, as in Maui. Of a
 * partition's or a node's they may hold together in Maui (two lists of accounts, two limits), so
 * the administrator has to see the other one, too. Commands stand beside each other. */
static void add_line(struct maui_migration_lines *list, const char *line,
		     enum maui_slurm_line_kind kind)
{
	size_t length = length_of_key(line, kind);

	for (size_t i = 0; i < list->count; i++) {
		char *old = list->items[i];

		if (strncmp(old, line, length) != 0)
			continue;
		list->items[i] = maui_need_copy(line);
		if (kind == MAUI_SLURM_LINE_PART && strcmp(old, line) != 0)
			insert(list, i + 1,
			       maui_need_text("# Decide: another setting means %s", old));
		free(old);
		return;
	}
	insert(list, place_of(list, line), maui_need_copy(line));
}

static void name_setting(const struct maui_setting *s, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "%s", s->param->name);
	if (s->index)
		maui_strbuf_addf(out, "[%s]", s->index);
	if (s->attr)
		maui_strbuf_addf(out, " %s", s->attr->name);
	if (s->sub)
		maui_strbuf_addf(out, "[%s]", s->sub);
}

static bool is_in_value(const struct maui_diag *d, const struct maui_setting *s)
{
	return strcmp(d->file, s->file) == 0 && d->line == s->value_line &&
	       d->column >= s->value_column && d->column < s->value_column + s->value_length;
}

/* The words of its value that are ignored. */
static size_t ignored_words(const struct maui_migration *m, const struct maui_setting *s)
{
	size_t count = 0;

	for (size_t i = 0; i < m->diags.count; i++)
		count += m->diags.list[i].severity == MAUI_WARNING &&
			 is_in_value(&m->diags.list[i], s);
	return count;
}

static bool are_all_words_ignored(const struct maui_migration *m, const struct maui_setting *s)
{
	static const char *const gaps = ",:;| \t";
	size_t words = 0;

	for (const char *at = s->value + strspn(s->value, gaps); *at; words++) {
		at += strcspn(at, gaps);
		at += strspn(at, gaps);
	}
	return words > 0 && ignored_words(m, s) >= words;
}

/* Whether config check says that the setting as a whole has no effect. A warning may say so of one
 * word of a value, too. */
static bool has_no_effect(const struct maui_migration *m, const struct maui_setting *s)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	size_t length = strlen(row->name);

	for (size_t i = 0; i < m->diags.count; i++) {
		const struct maui_diag *d = &m->diags.list[i];
		const char *effect = strstr(d->text, " has no effect");

		if (effect && d->severity == MAUI_WARNING && d->line == s->line &&
		    d->column == s->column && strcmp(d->file, s->file) == 0 &&
		    (size_t)(effect - d->text) >= length &&
		    (strncmp(effect - length, row->name, length) == 0 || effect[-1] == ']'))
			return true;
	}
	return false;
}

/* What becomes of a setting that has no error and was not replaced. */
static enum maui_status status_in_force(const struct maui_migration *m,
					const struct maui_setting *s, bool rewritten)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;

	if (row->status != MAUI_HONOURED)
		return row->status;
	return maui_setting_is_ignored(&m->diags, s) || are_all_words_ignored(m, s) ?
		       MAUI_UNSUPPORTED :
	       rewritten ? MAUI_DIFFERENT :
			   MAUI_HONOURED;
}

/* The text about one setting. */
struct account {
	const struct maui_setting *s;
	const struct maui_param *row;
	struct maui_strbuf name, value, note;
	const char *status; /* "honoured", "error", "replaced by a later line", ... */
	char *line;         /* of slurm.conf, or a command; NULL: none */
	bool two_fields;    /* a time of two fields; `value` has three */
	bool rewritten;     /* the new maui.cfg has `value` */
};

/* What config check says of the setting. A time of two fields has a sentence of its own. */
static void add_warnings(struct maui_migration *m, struct account *a)
{
	bool any = false;

	for (size_t i = 0; i < m->diags.count; i++) {
		const struct maui_diag *d = &m->diags.list[i];

		if (d->severity != MAUI_WARNING || d->line != a->s->line ||
		    d->column != a->s->column || strcmp(d->file, a->s->file) != 0)
			continue;
		if (a->rewritten && strstr(d->text, "minutes and seconds"))
			continue;
		maui_strbuf_addf(&a->note, "%s%s", a->note.length ? "; " : "", d->text);
		any = true;
	}
	m->warned += any && strcmp(a->status, maui_status_name(MAUI_HONOURED)) == 0;
}

static void add_notes(struct maui_migration *m, struct account *a)
{
	const char *note = a->row->note[0] == ';' ? a->row->note + 1 : a->row->note;

	if (a->row->status != MAUI_HONOURED)
		maui_strbuf_addf(&a->note, "%s", note + strspn(note, " "));
	if (a->rewritten || (a->two_fields && a->line))
		maui_strbuf_addf(&a->note, "%s%s: %s %s", a->note.length ? "; " : "",
				 m->of_moab ? "Moab reads minutes and seconds" :
					      "Maui 3.x reads hours and minutes",
				 a->rewritten ? "the new maui.cfg has" : "this is",
				 a->value.text ? a->value.text : "");
	if (a->row->status == MAUI_HONOURED)
		add_warnings(m, a);
}

static const char *keep(struct maui_migration *m, const char *text)
{
	return maui_need(maui_arena_strdup(&m->arena, text));
}

static void report_json(struct maui_migration *m, const struct account *a)
{
	m->rows[m->row_count++] = (struct maui_migration_row){
		.file = a->s->file,
		.line = a->s->line,
		.name = keep(m, a->name.text ? a->name.text : ""),
		.value = a->s->value,
		.new_value = a->rewritten ? keep(m, a->value.text ? a->value.text : "") : NULL,
		.status = a->status,
		.note = keep(m, a->note.text ? a->note.text : a->row->note),
		.slurm = a->line ? keep(m, a->line) : NULL,
	};
}

static void report_text(const struct account *a)
{
	printf("%s:%u: %s: %s %s\n", a->s->file, a->s->line, a->status,
	       a->name.text ? a->name.text : "", a->s->value);
	if (a->line)
		printf("\t%s\n", a->line);
	if ((!a->line || a->two_fields) && a->note.length > 0)
		printf("\t%s\n", a->note.text);
}

static bool has_error(const struct maui_migration *m, const struct maui_setting *s)
{
	for (size_t i = 0; i < m->diags.count; i++) {
		const struct maui_diag *d = &m->diags.list[i];
		bool at_name = strcmp(d->file, s->file) == 0 && d->line == s->line &&
			       d->column == s->column;

		if (d->severity == MAUI_ERROR && (at_name || is_in_value(d, s)))
			return true;
	}
	return false;
}

/* Sets the status and counts it. */
static void judge(struct maui_migration *m, struct account *a)
{
	enum maui_status status = status_in_force(m, a->s, a->rewritten);
	bool in_part = ignored_words(m, a->s) > 0 && a->row->status == MAUI_HONOURED &&
		       status != MAUI_UNSUPPORTED;

	if (has_error(m, a->s) || a->s->replaced) {
		a->status = a->s->replaced && !has_error(m, a->s) ? "replaced by a later line" :
								    "error";
		a->rewritten = false;
		return;
	}
	a->rewritten &= status == MAUI_DIFFERENT;
	m->rewritten += a->rewritten;
	if (status == MAUI_HONOURED && !in_part && has_no_effect(m, a->s)) {
		a->status = "without effect";
		m->without_effect++;
		return;
	}
	a->status = in_part ? "honoured in part" : maui_status_name(status);
	m->counts[status] += ignored_words(m, a->s) == 0;
}

/* A file of Moab's has that name, or names its scheduler so. */
static bool is_of_moab(const struct maui_migration *m)
{
	const char *name = strrchr(m->path, '/');

	if (strcasecmp(name ? name + 1 : m->path, "moab.cfg") == 0)
		return true;
	for (size_t i = 0; i < m->config->setting_count; i++) {
		const struct maui_setting *s = &m->config->settings[i];

		if (strcmp(s->param->name, "SCHEDCFG") == 0 && s->index &&
		    strcasecmp(s->index, "Moab") == 0)
			return true;
	}
	return false;
}

static void report_setting(struct maui_migration *m, const struct maui_setting *s)
{
	struct account a = { .s = s, .row = s->attr ? s->attr : s->param };
	enum maui_slurm_line_kind kind = MAUI_SLURM_LINE_CONF;

	name_setting(s, &a.name);
	a.two_fields = maui_new_value(s, s->value, strlen(s->value), m->of_moab, &a.value);
	a.rewritten =
		a.two_fields && (a.row->status == MAUI_HONOURED || a.row->status == MAUI_DIFFERENT);
	judge(m, &a);
	if (a.row->status == MAUI_SLURM_CONF && !s->replaced && !has_error(m, s))
		a.line = slurm_line(s, m->of_moab, &kind);
	add_notes(m, &a);
	m->two_fields += a.rewritten || (a.two_fields && a.line);
	if (m->common->json)
		report_json(m, &a);
	else
		report_text(&a);
	if (a.line)
		add_line(kind == MAUI_SLURM_LINE_COMMAND ? &m->commands : &m->lines, a.line, kind);
	free(a.line);
	maui_strbuf_finish(&a.name);
	maui_strbuf_finish(&a.value);
	maui_strbuf_finish(&a.note);
}

void maui_migration_report(struct maui_migration *m)
{
	if (m->common->json)
		m->rows = maui_need_list(m->config->setting_count, sizeof(*m->rows));
	m->of_moab = is_of_moab(m);
	for (size_t i = 0; i < ALWAYS; i++)
		add_line(&m->lines, always[i], MAUI_SLURM_LINE_CONF);
	for (size_t i = 0; i < m->config->setting_count; i++)
		report_setting(m, &m->config->settings[i]);
}
