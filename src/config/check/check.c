/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.c - cross-checks over a whole configuration (CFG-8, CFG-10)
 *
 * In: a configuration that was parsed without an error. Out: diagnostics for settings that have no
 * effect, or another effect than the administrator expects: a target without a weight, a priority
 * that no weight multiplies, a limit that no scheduler enforces.
 *
 * Rules: CFG-14.
 */

#include "config/check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/words.h"
#include "config/check/private.h"
#include "config/check/reservation.h"
#include "config/check/slurm_settings.h"

#define NO_SPEED(policy)                                                                           \
	"NODEALLOCATIONPOLICY " policy " treats all nodes alike: Slurm's nodes have no speed, so " \
	"Weight= decides"
#define NO_RESET(word, now)                                                                    \
	"JOBPRIOACCRUALPOLICY " word " is treated as " now ": queue time pauses and does not " \
	"begin anew"
#define NO_SETS(attribute, why) "NODESETATTRIBUTE " attribute " makes no node sets: " why

static void add_diagnostic(struct maui_diags *diags, enum maui_severity severity,
			   const struct maui_setting *s, const char *text)
{
	maui_diags_add(diags, severity, s->file, s->line, s->column, "%s", text);
}

static const char *const status_texts[MAUI_STATUS_COUNT] = {
	[MAUI_NOT_YET] = "is not implemented in this release, ignoring",
	[MAUI_DIFFERENT] = "differs from Maui",
	[MAUI_SLURM_CONF] = "belongs to Slurm, ignoring",
	[MAUI_UNSUPPORTED] = "is not supported, ignoring",
};

/* `more`: number of further lines with the same parameter. */
static void check_status(const struct maui_setting *s, size_t more, struct maui_diags *diags)
{
	const struct maui_param *row = maui_check_row(s);
	char name[MAUI_SUBJECT_SIZE], also[64] = "";

	if (!status_texts[row->status])
		return;
	if (more > 0)
		snprintf(also, sizeof(also), " (and %zu more line%s)", more, maui_plural(more));
	maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column, "%s %s: %s%s",
		       maui_check_subject(s, name), status_texts[row->status], row->note, also);
}

static int by_row(const void *a, const void *b)
{
	const struct maui_setting *one = *(const struct maui_setting *const *)a;
	const struct maui_setting *two = *(const struct maui_setting *const *)b;
	int order = (one->param > two->param) - (one->param < two->param);

	if (order == 0)
		order = (one->attr > two->attr) - (one->attr < two->attr);
	return order ? order : (one > two) - (one < two);
}

/* Counts the lines after the first among `count` settings in the order of the files. */
static size_t count_more_lines(const struct maui_setting *const *order, size_t count)
{
	size_t more = 0;

	for (size_t i = 1; i < count; i++)
		more += order[i]->file != order[i - 1]->file ||
			order[i]->line != order[i - 1]->line;
	return more;
}

/* One warning for each parameter or attribute, at its first line: a thousand SRCFG lines need no
 * thousand warnings. */
static void check_statuses(const struct maui_config *config, struct maui_diags *diags)
{
	const struct maui_setting **order = calloc(config->setting_count + 1, sizeof(*order));

	diags->no_memory |= !order;
	if (!order)
		return;
	for (size_t i = 0; i < config->setting_count; i++)
		order[i] = &config->settings[i];
	qsort(order, config->setting_count, sizeof(*order), by_row);
	for (size_t i = 0, next; i < config->setting_count; i = next) {
		for (next = i + 1; next < config->setting_count; next++)
			if (order[next]->param != order[i]->param ||
			    order[next]->attr != order[i]->attr)
				break;
		check_status(order[i], count_more_lines(order + i, next - i), diags);
	}
	free(order);
}

/* Whether COMPWEIGHT x the factor's weight is not 0 in some partition. */
static bool weighs(const struct maui_config *config, enum maui_factor factor)
{
	enum maui_component comp = maui_factor_component(factor);

	if (config->priority.component_weight[comp] * config->priority.weight[factor] != 0)
		return true;
	for (size_t i = 0; i < config->partition_count; i++) {
		const struct maui_priority_config *p = &config->partitions[i].priority;

		if (p->component_weight[comp] * p->weight[factor] != 0)
			return true;
	}
	return false;
}

static bool any_group_class_weight(const struct maui_config *config)
{
	for (size_t i = 0; i < config->creds[MAUI_CRED_GROUP].count; i++)
		if (config->creds[MAUI_CRED_GROUP].list[i].class_weight > 0)
			return true;
	return false;
}

static void check_priority(const struct maui_config *config, const struct maui_setting *s,
			   enum maui_cred_kind kind, struct maui_diags *diags)
{
	enum maui_factor factor = (enum maui_factor)(MAUI_FACTOR_USER + (int)kind);

	if (strcmp(s->value, "0") == 0)
		return;
	if (kind == MAUI_CRED_QOS && strcmp(s->index, "DEFAULT") == 0) {
		add_diagnostic(
			diags, MAUI_WARNING, s,
			"QOSCFG[DEFAULT] PRIORITY has no effect: a QOS's priority has no default");
		return;
	}
	if (weighs(config, factor) || (kind == MAUI_CRED_CLASS && any_group_class_weight(config)))
		return;
	maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
		       "%s[%s] PRIORITY has no effect: CREDWEIGHT x %sWEIGHT is 0", s->param->name,
		       s->index, maui_factor_name(factor));
}

static void check_target(const struct maui_config *config, const struct maui_setting *s,
			 enum maui_cred_kind kind, struct maui_diags *diags)
{
	enum maui_factor factor = (enum maui_factor)(MAUI_FACTOR_FSUSER + (int)kind);
	if (config->fs_policy.metric == MAUI_FS_NONE)
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s has no effect: FSPOLICY is NONE", s->attr->name);
	else if (!maui_check_is_cap(s) && !weighs(config, factor))
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s[%s] FSTARGET has no effect: FSWEIGHT x %sWEIGHT is 0",
			       s->param->name, s->index, maui_factor_name(factor));
}

static void check_qos_target(const struct maui_config *config, const struct maui_setting *s,
			     enum maui_factor factor, struct maui_diags *diags)
{
	if (!weighs(config, factor))
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "QOSCFG[%s] %s has no effect: TARGETWEIGHT x %sWEIGHT is 0",
			       s->index, s->attr->name, maui_factor_name(factor));
}

static void check_weight(const struct maui_config *config, const struct maui_setting *s,
			 struct maui_diags *diags)
{
	enum maui_cred_kind kind = maui_check_kind(s);

	if (!s->attr || !maui_setting_counts(s) || kind == MAUI_CRED_COUNT)
		return;
	if (strcmp(s->attr->name, "PRIORITY") == 0)
		check_priority(config, s, kind, diags);
	else if (s->attr->type == MAUI_TYPE_FSTARGET)
		check_target(config, s, kind, diags);
	else if (strcmp(s->attr->name, "QTTARGET") == 0)
		check_qos_target(config, s, MAUI_FACTOR_TARGETQUEUETIME, diags);
	else if (strcmp(s->attr->name, "XFTARGET") == 0)
		check_qos_target(config, s, MAUI_FACTOR_TARGETXFACTOR, diags);
}

/* Values with a weaker meaning than in Maui (FS-2, PRE-4). */
static const struct {
	const char *name, *value, *text;
} values[] = {
	{ "FSPOLICY", "UTILIZEDPS",
	  "FSPOLICY UTILIZEDPS is charged like DEDICATEDPS: slurmctld does not see the cpu time of "
	  "a running job" },
	{ "FSPOLICY", "PSUTILIZED",
	  "FSPOLICY PSUTILIZED is charged like DEDICATEDPS: slurmctld does not see the cpu time of "
	  "a running job" },
	{ "JOBPRIOACCRUALPOLICY", "FULLPOLICYRESET", NO_RESET("FULLPOLICYRESET", "FULLPOLICY") },
	{ "JOBPRIOACCRUALPOLICY", "QUEUEPOLICYRESET", NO_RESET("QUEUEPOLICYRESET", "QUEUEPOLICY") },
	{ "JOBPRIOACCRUALPOLICY", "RESET", NO_RESET("RESET", "FULLPOLICY") },
	{ "NODEALLOCATIONPOLICY", "FAST", NO_SPEED("FAST") },
	{ "NODEALLOCATIONPOLICY", "FASTEST", NO_SPEED("FASTEST") },
	{ "NODEALLOCATIONPOLICY", "LOCAL",
	  "NODEALLOCATIONPOLICY LOCAL, a site's own code in Maui, is FIRSTAVAILABLE here" },
	{ "NODEALLOCATIONPOLICY", "MAXBALANCE", NO_SPEED("MAXBALANCE") },
	{ "NODEALLOCATIONPOLICY", "NODESPEED", NO_SPEED("NODESPEED") },
	{ "NODESETATTRIBUTE", "MEMORY",
	  NO_SETS("MEMORY", "give nodes of one size a Feature= of their own") },
	{ "NODESETATTRIBUTE", "PROCSPEED", NO_SETS("PROCSPEED", "Slurm's nodes have no speed") },
	{ "PREEMPTPOLICY", "CANCEL",
	  "PREEMPTPOLICY CANCEL is treated as REQUEUE: only jobs that may not be requeued are "
	  "cancelled" },
	{ "PREEMPTPOLICY", "CHECKPOINT",
	  "PREEMPTPOLICY CHECKPOINT is treated as REQUEUE: Slurm has no checkpoints" },
	{ "PREEMPTPOLICY", "OVERCOMMIT",
	  "PREEMPTPOLICY OVERCOMMIT is treated as REQUEUE: Slurm does not overcommit for a job" },
	{ "SERVERMODE", "INTERACTIVE",
	  "SERVERMODE INTERACTIVE is treated as TEST: slurmctld has nobody to ask" },
	{ "SERVERMODE", "SLAVE",
	  "SERVERMODE SLAVE is treated as TEST: no other scheduler starts jobs for slurmctld" },
	{ "SERVERMODE", "SIMULATION",
	  "SERVERMODE SIMULATION is treated as TEST: slurmctld does not simulate; use maui-sim" },
};

/* ON, TRUE and other second spellings, which have no meaning of their own (CFG-13). */
static void note_spelling(const struct maui_setting *s, struct maui_diags *diags)
{
	int position = maui_schema_word(s->param, s->value, strlen(s->value));
	const char *word = s->param->words;
	int length;

	for (int i = 0; i < position; i++) {
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	length = (int)strcspn(word, " =");
	if (position >= 0 && strncasecmp(word, s->value, strlen(s->value)) != 0)
		maui_diags_add(diags, MAUI_NOTE, s->file, s->line, s->column, "%s %.32s means %.*s",
			       s->param->name, s->value, length, word);
}

/* Moab's shortest and longest time between two cycles. */
static void note_longest_poll(const struct maui_config *config, const struct maui_setting *s,
			      struct maui_diags *diags)
{
	if (strcmp(s->param->name, "RMPOLLINTERVAL") == 0 && strchr(s->value, ','))
		maui_diags_add(diags, MAUI_NOTE, s->file, s->line, s->column,
			       "RMPOLLINTERVAL %.64s means %" PRId64
			       " s, the longer time: events begin cycles earlier",
			       s->value, config->poll_interval_s);
}

static void check_values(const struct maui_config *config, const struct maui_setting *s,
			 struct maui_diags *diags)
{
	size_t length = strcspn(s->value, "%");

	if (s->attr || !maui_setting_counts(s))
		return;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (strcmp(s->param->name, values[i].name) == 0 &&
		    strlen(values[i].value) == length &&
		    strncasecmp(s->value, values[i].value, length) == 0) {
			add_diagnostic(diags, MAUI_WARNING, s, values[i].text);
			return;
		}
	if (s->param->type == MAUI_TYPE_WORD && s->param->status == MAUI_HONOURED)
		note_spelling(s, diags);
	note_longest_poll(config, s, diags);
}

enum { SOCKET_PATH_MAX = 107 }; /* of sockaddr_un */

/* Each command would look for a relative path in its own working directory. */
static void check_socket(const struct maui_setting *s, struct maui_diags *diags)
{
	if (s->attr || !maui_setting_counts(s) || strcmp(s->param->name, "QUERYSOCKET") != 0 ||
	    !*s->value)
		return;
	if (*s->value != '/')
		add_diagnostic(diags, MAUI_ERROR, s,
			       "QUERYSOCKET needs a path that begins with '/'");
	else if (strlen(s->value) > SOCKET_PATH_MAX)
		add_diagnostic(diags, MAUI_ERROR, s,
			       "QUERYSOCKET: a socket's path has at most 107 bytes");
}

/* Separators of the times in one value, and the marks of a TIMELIMIT entry. */
static const char time_separators[] = ",|+-=*!^<";

enum { HOUR_S = 3600 };

static bool is_time(const struct maui_param *row)
{
	return row->type == MAUI_TYPE_TIME || row->type == MAUI_TYPE_TIMELIMIT ||
	       (row->family == MAUI_FAMILY_SR && strcmp(row->name, "TIMELIMIT") == 0);
}

/* Whether the time is of the form "24:00"; not "24", "1:24:00" or other text. `length`: up to the
 * separator. */
static bool has_two_fields(const char *text, size_t length)
{
	size_t first = strspn(text, "0123456789"), second;

	if (first == 0 || text[first] != ':')
		return false;
	second = strspn(text + first + 1, "0123456789");
	return second > 0 && first + 1 + second == length;
}

/* STARTTIME=8 is 8 seconds, though the administrator usually means 8 o'clock. */
static bool is_clock(const struct maui_param *row)
{
	static const char *const names[] = { "STARTTIME", "ENDTIME", "WSTARTTIME", "WENDTIME" };

	for (size_t i = 0; row->family == MAUI_FAMILY_SR && i < sizeof(names) / sizeof(names[0]);
	     i++)
		if (strcmp(row->name, names[i]) == 0)
			return true;
	return false;
}

static void check_bare_number(const struct maui_setting *s, const struct maui_param *row,
			      struct maui_diags *diags)
{
	char name[MAUI_SUBJECT_SIZE];
	int64_t seconds = 0;

	if (!is_clock(row) || s->value[strspn(s->value, "0123456789")] != '\0' ||
	    maui_duration_parse(s->value, &seconds, NULL) || seconds <= 0 || seconds >= HOUR_S)
		return;
	maui_check_subject(s, name);
	if (seconds <= 24)
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "%s: %s is read as seconds (0:00:%02d): for hours write %d:00:00",
			       name, s->value, (int)seconds, (int)seconds);
	else
		maui_diags_add(
			diags, MAUI_WARNING, s->file, s->line, s->column,
			"%s: %s is read as seconds (0:%02d:%02d): for a time of the day write "
			"hours:minutes:seconds, as 17:30:00",
			name, s->value, (int)seconds / 60, (int)seconds % 60);
}

bool maui_config_two_fields(const struct maui_setting *s, const char *text, size_t length,
			    size_t *ret_at, size_t *ret_length)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	size_t next;

	for (size_t at = *ret_at; is_time(row) && at < length; at = next) {
		size_t part = strcspn(text + at, time_separators);

		part = part < length - at ? part : length - at;
		if (has_two_fields(text + at, part)) {
			*ret_at = at;
			*ret_length = part;
			return true;
		}
		next = at + part + strspn(text + at + part, time_separators);
	}
	return false;
}

/* The manual reads two fields as minutes and seconds, Maui itself as hours and minutes (CFG-5). So
 * a file that worked for years gets a warning. */
static void check_two_fields(const struct maui_setting *s, struct maui_diags *diags)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	char name[MAUI_SUBJECT_SIZE];
	size_t at = 0, length;
	const char *part;

	if (!maui_setting_counts(s) || row->status == MAUI_SLURM_CONF ||
	    row->status == MAUI_UNSUPPORTED || !is_time(row))
		return;
	check_bare_number(s, row, diags);
	if (!maui_config_two_fields(s, s->value, strlen(s->value), &at, &length))
		return;
	part = s->value + at;
	maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
		       "%s: %.*s is read as minutes and seconds, as the manual says: "
		       "write 0:%s%.*s; for the hours and minutes that Maui 3.x read "
		       "write %.*s:00",
		       maui_check_subject(s, name), (int)length, part, part[1] == ':' ? "0" : "",
		       (int)length, part, (int)length, part);
}

/* Who adds a line of administrators does not expect that the earlier line loses its effect. The
 * warning is about the new line, so that changeparam shows it, too. */
static void warn_of_replaced_admins(const struct maui_setting *old, struct maui_diags *diags)
{
	const struct maui_setting *by = old->replaced;
	char line[16] = "";

	if (old->line > 0)
		snprintf(line, sizeof(line), ":%u", old->line);
	maui_diags_add(diags, MAUI_WARNING, by->file, by->line, by->column,
		       "%s replaces the list of %.200s%s (%.200s); write all names on one line",
		       by->param->name, old->file, line, old->value);
}

/* In a long line, or in several files, one easily sets a thing twice. */
static void check_replaced(const struct maui_setting *s, struct maui_diags *diags)
{
	const struct maui_param *row = maui_check_row(s);
	const struct maui_setting *by = s->replaced;
	char name[MAUI_SUBJECT_SIZE], where[32] = "the same line";

	if (!by || by->adds || strcmp(s->value, by->value) == 0 ||
	    (row->status != MAUI_HONOURED && row->status != MAUI_DIFFERENT))
		return;
	if (maui_check_names_admins(s)) {
		warn_of_replaced_admins(s, diags);
		return;
	}
	if (by->line == 0) /* changeparam: the name says it */
		*where = '\0';
	else if (by->line != s->line || by->file != s->file)
		snprintf(where, sizeof(where), "line %u", by->line);
	maui_diags_add(diags, MAUI_NOTE, s->file, s->line, s->column,
		       "%s: %.200s has no effect: %s%s%s sets it again",
		       maui_check_subject(s, name), s->value, where,
		       by->file != s->file && *where ? " of " : "",
		       by->file != s->file || !*where ? by->file : "");
}

static void check_empty(const struct maui_config *config, struct maui_diags *diags)
{
	/* a file that could not be read has an error already */
	if (config->setting_count == 0 && diags->seen[MAUI_ERROR] == 0)
		maui_diags_add(
			diags, MAUI_ERROR, config->file_count ? config->files[0] : NULL, 0, 0,
			"has no setting that slurm-maui knows; check that the file is complete");
}

void maui_config_check_attributes(const struct maui_config *config, struct maui_diags *diags)
{
	for (size_t i = 0; i < config->setting_count; i++)
		check_two_fields(&config->settings[i], diags);
	maui_config_check_rsvs(config, diags);
}

void maui_config_check(const struct maui_config *config, const struct maui_config_context *context,
		       struct maui_diags *diags)
{
	check_statuses(config, diags);
	for (size_t i = 0; i < config->setting_count; i++) {
		check_weight(config, &config->settings[i], diags);
		check_values(config, &config->settings[i], diags);
		check_two_fields(&config->settings[i], diags);
		check_socket(&config->settings[i], diags);
		check_replaced(&config->settings[i], diags);
	}
	maui_check_names(config, diags);
	maui_check_admins(config, diags);
	maui_check_weights(config, diags);
	maui_check_limits(config, diags);
	maui_check_planning(config, diags);
	maui_config_check_rsvs(config, diags);
	maui_check_scheduler(config, context ? context->scheduler_type : NULL, diags);
	if (context && context->slurm)
		maui_config_check_conflicts(config, context->slurm, diags);
	if (context && context->require_settings)
		check_empty(config, diags);
}
