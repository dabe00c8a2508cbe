/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservation.c - SRCFG lines with another effect than intended (Maui manual 7.1.5)
 *
 * A SRCFG that reserves nothing, has no valid name or has too many instances is an error. slurmctld
 * accepts all others, so each warning says what the line does.
 *
 * Rules: RSV-3, RSV-33.
 */

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/calendar.h"
#include "base/duration.h"
#include "base/hostexpr.h"
#include "base/limits.h"
#include "base/search.h"
#include "config/check/private.h"
#include "config/check/reservation.h"
#include "config/rsv_value.h"

/* The settings of reservations that are in force, sorted by reservation and attribute. */
struct places {
	const struct maui_setting **list;
	size_t count;
};

static int compare_place(const char *name, const char *attr, const struct maui_setting *s)
{
	int order = strcmp(name, s->index);

	return order ? order : strcmp(attr, s->attr->name);
}

static int by_place(const void *a, const void *b)
{
	const struct maui_setting *one = *(const struct maui_setting *const *)a;
	const struct maui_setting *two = *(const struct maui_setting *const *)b;
	int order = compare_place(one->index, one->attr->name, two);

	return order ? order : (one > two) - (one < two);
}

static int find_places(const struct maui_config *config, struct places *ret)
{
	*ret = (struct places){ .list = calloc(config->setting_count + 1, sizeof(*ret->list)) };
	if (!ret->list)
		return -1;
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		/* one that is ignored is reported already: it is not missing as well */
		if (s->param->family == MAUI_FAMILY_SR && s->attr && !s->replaced)
			ret->list[ret->count++] = s;
	}
	qsort(ret->list, ret->count, sizeof(*ret->list), by_place);
	return 0;
}

struct place_key {
	const char *name, *attr;
};

static bool is_before(const void *element, const void *key)
{
	const struct place_key *wanted = key;

	return compare_place(wanted->name, wanted->attr,
			     *(const struct maui_setting *const *)element) > 0;
}

static size_t lower_bound(const struct places *places, const char *name, const char *attr)
{
	const struct place_key key = { name, attr };

	return maui_lower_bound(places->list, places->count, sizeof(*places->list), is_before,
				&key);
}

static const struct maui_setting *find_of(const struct places *places, const char *name,
					  const char *attr)
{
	size_t i = lower_bound(places, name, attr);

	return i < places->count && compare_place(name, attr, places->list[i]) == 0 ?
		       places->list[i] :
		       NULL;
}

/* The setting of a reservation's attribute; NULL: not set. */
static const struct maui_setting *find_setting(const struct places *places,
					       const struct maui_rsv *rsv, const char *attr)
{
	return find_of(places, rsv->name, attr);
}

struct check {
	const struct maui_config *config;
	const struct maui_rsv *rsv;
	const struct places *places;
	struct maui_diags *diags;
};

static void add_diagnostic(const struct check *c, enum maui_severity severity, const char *attr,
			   const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The reservation's first setting that is in force; NULL: none. */
static const struct maui_setting *find_first(const struct check *c)
{
	const struct maui_setting *first = NULL;
	size_t i = lower_bound(c->places, c->rsv->name, "");

	for (; i < c->places->count && strcmp(c->places->list[i]->index, c->rsv->name) == 0; i++)
		if (!first || c->places->list[i] < first)
			first = c->places->list[i];
	return first;
}

/* Adds a diagnostic at the attribute, else at the reservation's first line. */
static void add_diagnostic(const struct check *c, enum maui_severity severity, const char *attr,
			   const char *fmt, ...)
{
	const struct maui_setting *s = attr ? find_setting(c->places, c->rsv, attr) : find_first(c);
	const struct maui_diag_place place = maui_check_place_of_rsv(c->rsv, s);
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	maui_diags_add_at(c->diags, severity, &place, "SRCFG[%.300s] %s", c->rsv->name, text);
}

static bool is_set(const struct check *c, const char *attr)
{
	return find_setting(c->places, c->rsv, attr) != NULL;
}

/* --reservation takes a list, so a name must not contain separators: controller/name_list.c ends a
 * name at a comma, and controller/submit_advres.c keeps none with the other bytes. */
static void check_name(const struct check *c)
{
	const char *name = c->rsv->name, *wrong = strpbrk(name, ",; \t\"'=");
	size_t length = strlen(name);

	for (const char *at = name; *at != '\0'; at++)
		if (*at == '/' || iscntrl((unsigned char)*at)) {
			add_diagnostic(c, MAUI_ERROR, NULL,
				       "is not a valid reservation name: it contains %s",
				       *at == '/' ? "'/'" : "a control character");
			return;
		}
	if (length > MAUI_ADMIN_MAX_NAME)
		add_diagnostic(c, MAUI_ERROR, NULL,
			       "is not a valid reservation name: it has %zu bytes, more than %d",
			       length, MAUI_ADMIN_MAX_NAME);
	else if (wrong)
		add_diagnostic(
			c, MAUI_WARNING, NULL,
			"cannot be asked for by name: --reservation and ADVRES take no name with '%c' "
			"in it%s",
			*wrong,
			maui_rsv_has(c->rsv, MAUI_RSV_BYNAME) ? ", so BYNAME admits no job" : "");
}

/* setres numbers its reservations (steve.1), and instances have numbers (class.1). If maui.cfg had
 * names of this form too, one name could mean two reservations. */
static void check_numbered(const struct check *c)
{
	const char *dot = strrchr(c->rsv->name, '.');

	if (dot && dot[1] && dot[1 + strspn(dot + 1, "0123456789")] == '\0')
		add_diagnostic(
			c, MAUI_ERROR, NULL,
			"is not a valid reservation name: it ends in a dot and a number, as the names of "
			"instances do");
}

/* ---- nodes and access lists ---- */

/* Whether the attribute's value, set here or in DEFAULT, was refused. The parser has reported
 * it. */
static bool is_refused(const struct check *c, const char *attr)
{
	const struct maui_setting *s = find_setting(c->places, c->rsv, attr);

	s = s ? s : find_of(c->places, "DEFAULT", attr);
	for (size_t i = 0; s && i < c->diags->count; i++) {
		const struct maui_diag *diag = &c->diags->list[i];

		if (diag->severity == MAUI_ERROR && diag->line == s->line &&
		    diag->column == s->column && diag->file && strcmp(diag->file, s->file) == 0)
			return true;
	}
	return false;
}

static bool has_trigger(const struct maui_rsv *rsv, enum maui_trigger_event event)
{
	for (size_t i = 0; i < rsv->trigger_count; i++)
		if (rsv->triggers[i].event == event)
			return true;
	return false;
}

static void check_resources(const struct check *c)
{
	const struct maui_rsv *rsv = c->rsv;

	if (!rsv->hosts && rsv->task_count <= 0 && !is_refused(c, "TASKCOUNT") &&
	    !is_refused(c, "HOSTLIST"))
		add_diagnostic(c, MAUI_ERROR, NULL,
			       "reserves nothing: it needs TASKCOUNT, HOSTLIST or both");
	if (rsv->task.procs == -1 && rsv->tasks_per_node > 1)
		add_diagnostic(c, MAUI_WARNING, "TPN",
			       "gets no nodes: a task is a whole node, and none holds TPN=%" PRId64
			       " of them; "
			       "set RESOURCES",
			       rsv->tasks_per_node);
	else if (rsv->task_count > 0 && rsv->tasks_per_node > rsv->task_count)
		add_diagnostic(c, MAUI_WARNING, "TPN",
			       "gets no nodes: TPN=%" PRId64 " is more than TASKCOUNT=%" PRId64,
			       rsv->tasks_per_node, rsv->task_count);
	if (rsv->task.swap_mb != 0)
		add_diagnostic(c, MAUI_WARNING, "RESOURCES",
			       "RESOURCES: Slurm has no swap: SWAP counts as 0");
	if (rsv->task.procs == 0 && !maui_rsv_has(rsv, MAUI_RSV_DEDICATEDNODE) &&
	    has_trigger(rsv, MAUI_TRIGGER_MINLOAD))
		add_diagnostic(
			c, MAUI_WARNING, "TRIGGER",
			"TRIGGER: minload never fires: it compares reserved processors, and RESOURCES "
			"has none");
}

static void check_hosts(const struct check *c)
{
	struct maui_hostexpr *expr = NULL;
	struct maui_err err;

	if (c->rsv->hosts && maui_hostexpr_parse(c->rsv->hosts, &expr, &err) && err.no_memory)
		c->diags->no_memory = true;
	else if (c->rsv->hosts && !expr)
		add_diagnostic(c, MAUI_ERROR, "HOSTLIST", "HOSTLIST: %s", err.text);
	else if (expr && maui_hostexpr_mistake(expr, &err))
		add_diagnostic(c, MAUI_WARNING, "HOSTLIST",
			       "HOSTLIST: %s; it is read as a regular expression", err.text);
	maui_hostexpr_destroy(expr);
}

static bool has_time_limit(const struct maui_rsv *rsv)
{
	for (size_t i = 0; i < rsv->acl.count; i++)
		if (rsv->acl.list[i].kind == MAUI_ACL_DURATION)
			return true;
	return false;
}

/* A limit of 0: no job is that short. */
static bool has_empty_time_limit(const struct maui_rsv *rsv)
{
	for (size_t i = 0; i < rsv->acl.count; i++)
		if (rsv->acl.list[i].kind == MAUI_ACL_DURATION && rsv->acl.list[i].value == 0)
			return true;
	return false;
}

/* The first attribute of the reservation that can admit jobs; NULL: none is set. */
static const char *find_list(const struct check *c)
{
	for (int kind = 0; kind < MAUI_ACL_KIND_COUNT; kind++)
		if (find_setting(c->places, c->rsv, maui_acl_attr(kind)))
			return maui_acl_attr(kind);
	return NULL;
}

static void check_access(const struct check *c)
{
	const struct maui_rsv *rsv = c->rsv;
	const char *empty = rsv->acl.count == 0 ? find_list(c) : NULL;

	if (empty && !is_refused(c, empty))
		add_diagnostic(c, MAUI_WARNING, empty, "admits no job: %s is empty", empty);
	else if (!empty && rsv->acl.count == 0)
		add_diagnostic(
			c, MAUI_WARNING, NULL,
			"admits no job: it has no USERLIST, GROUPLIST, ACCOUNTLIST, QOSLIST, "
			"CLASSLIST, JOBATTRLIST, TIMELIMIT, TASKLIMIT or PROCLIMIT");
	if (is_set(c, "TIMELOGIC") && !has_time_limit(rsv))
		add_diagnostic(c, MAUI_WARNING, "TIMELOGIC",
			       "TIMELOGIC has no effect: there is no TIMELIMIT");
	if (has_empty_time_limit(rsv))
		add_diagnostic(c, MAUI_WARNING, "TIMELIMIT",
			       "TIMELIMIT admits no job: none is as short as 0 seconds");
	if (maui_rsv_has(rsv, MAUI_RSV_OWNERPREEMPT) && rsv->owner_kind < 0)
		add_diagnostic(c, MAUI_WARNING, "FLAGS",
			       "OWNERPREEMPT has no effect: there is no OWNER");
}

/* ---- times ---- */

static const char *period_name(const struct maui_rsv *rsv)
{
	return rsv->period == MAUI_RSV_WEEK ? "week" : "day";
}

/* STARTTIME or WSTARTTIME, whichever is in force. */
static const char *start_attr(const struct check *c)
{
	return c->rsv->period == MAUI_RSV_WEEK && is_set(c, "WSTARTTIME") ? "WSTARTTIME" :
									    "STARTTIME";
}

static const char *end_attr(const struct check *c)
{
	return c->rsv->period == MAUI_RSV_WEEK && is_set(c, "WENDTIME") ? "WENDTIME" : "ENDTIME";
}

enum { MINUTE_S = 60, HOUR_S = 3600 };

/* Whether check.c has reported a time with fewer than three fields. */
static bool is_reported(const struct check *c)
{
	const char *const attrs[] = { start_attr(c), end_attr(c) };

	for (size_t i = 0; i < sizeof(attrs) / sizeof(attrs[0]); i++) {
		const struct maui_setting *s = find_setting(c->places, c->rsv, attrs[i]);
		const char *colon = s ? strchr(s->value, ':') : NULL;

		if (s && strcmp(s->value, "0") != 0 && (!colon || !strchr(colon + 1, ':')))
			return true;
	}
	return false;
}

static void check_window(const struct check *c)
{
	const struct maui_rsv *rsv = c->rsv;
	int64_t whole = rsv->period == MAUI_RSV_WEEK ? MAUI_WEEK_S : MAUI_DAY_S;
	char start[MAUI_DURATION_SIZE], end[MAUI_DURATION_SIZE];

	maui_duration_format(rsv->start_s, start, sizeof(start));
	maui_duration_format(rsv->end_s, end, sizeof(end));
	if (rsv->start_s >= whole)
		add_diagnostic(c, MAUI_WARNING, start_attr(c),
			       "never begins: %s %s is not within a %s", start_attr(c), start,
			       period_name(rsv));
	else if (rsv->end_s > 0 && rsv->start_s >= rsv->end_s)
		add_diagnostic(
			c, MAUI_WARNING, start_attr(c),
			"never begins: %s %s is not before %s %s; for a window over the end of the %s "
			"write two reservations, one until its end and one from its beginning",
			start_attr(c), start, end_attr(c), end, period_name(rsv));
	else if (rsv->end_s > 0 && rsv->end_s - rsv->start_s < MINUTE_S && !is_reported(c))
		add_diagnostic(c, MAUI_WARNING, end_attr(c),
			       "lasts %d s, from %d:%02d:%02d: for times of the day write "
			       "hours:minutes:seconds, as 17:30:00",
			       (int)(rsv->end_s - rsv->start_s), (int)rsv->start_s / HOUR_S,
			       (int)rsv->start_s / MINUTE_S % MINUTE_S,
			       (int)rsv->start_s % MINUTE_S);
	if (rsv->end_s > whole)
		add_diagnostic(
			c, MAUI_WARNING, end_attr(c),
			"ends with the %s: %s %s lies beyond; for a window over its end write two "
			"reservations",
			period_name(rsv), end_attr(c), end);
}

static void check_idle(const struct check *c, const char *attr, bool counts, const char *why)
{
	if (!counts && is_set(c, attr))
		add_diagnostic(c, MAUI_WARNING, attr, "%s has no effect: %s", attr, why);
}

enum { WEEKEND = 3 }; /* days from Friday to Monday */

/* The most days from one of DAYS to the next one, around the week; 0: DAYS names no day. */
static int longest_gap(unsigned days)
{
	int longest = 0, last = -1;

	for (int day = 0; day < 14; day++) {
		if (!(days & (1u << (day % 7))))
			continue;
		if (last >= 0 && day - last > longest)
			longest = day - last;
		last = day;
	}
	return longest;
}

/* DEPTH counts days, and not only those of DAYS. Weekends are no surprise: the manual's own
 * examples have DAYS=MON,TUE,WED,THU,FRI with the default DEPTH. */
static void check_depth(const struct check *c)
{
	int gap = longest_gap(c->rsv->days);

	if (c->rsv->period == MAUI_RSV_DAY && gap > WEEKEND && c->rsv->depth < gap)
		add_diagnostic(c, MAUI_NOTE, is_set(c, "DEPTH") ? "DEPTH" : "DAYS",
			       "DEPTH=%lld counts days, and from one of DAYS to the next are up to "
			       "%d: on some days no instance is planned yet, and jobs may run into "
			       "it; DEPTH=%d always has the next one",
			       (long long)c->rsv->depth, gap, gap + 1);
}

static void check_time(const struct check *c)
{
	bool forever = c->rsv->period == MAUI_RSV_INFINITY, week = c->rsv->period == MAUI_RSV_WEEK;
	const char *why = "PERIOD=INFINITY has no start and no end";

	if (!forever)
		check_window(c);
	check_idle(c, "STARTTIME", !forever, why);
	check_idle(c, "ENDTIME", !forever, why);
	check_idle(c, "STARTTIME", !week || !is_set(c, "WSTARTTIME"), "WSTARTTIME is set as well");
	check_idle(c, "ENDTIME", !week || !is_set(c, "WENDTIME"), "WENDTIME is set as well");
	check_idle(c, "WSTARTTIME", week, "PERIOD is not WEEK");
	check_idle(c, "WENDTIME", week, "PERIOD is not WEEK");
	check_idle(c, "DAYS", !forever && !week, "PERIOD is not DAY");
	check_depth(c);
}

/* ---- all reservations together ---- */

/* PERIOD=INFINITY has one instance with any DEPTH. */
static int64_t count_instances(const struct maui_rsv *rsv)
{
	return maui_rsv_recurs(rsv) ? rsv->depth : 1;
}

/* The error names the reservation with the greatest DEPTH, because that one saves most. */
static void check_total(const struct places *places, const struct maui_config *config,
			struct maui_diags *diags)
{
	const struct maui_rsv *deepest = &config->rsvs[0];
	const struct maui_setting *s;
	struct maui_diag_place place;
	int64_t total = 0;

	for (size_t i = 0; i < config->rsv_count; i++) {
		total += count_instances(&config->rsvs[i]);
		if (count_instances(&config->rsvs[i]) > count_instances(deepest))
			deepest = &config->rsvs[i];
	}
	if (total <= MAUI_RSV_MAX_INSTANCES)
		return;
	s = find_setting(places, deepest, "DEPTH");
	s = s ? s : find_of(places, "DEFAULT", "DEPTH");
	place = maui_check_place_of_rsv(deepest, s);
	maui_diags_add_at(
		diags, MAUI_ERROR, &place,
		"SRCFG[%.300s] DEPTH=%" PRId64 ": the %zu reservations together have %" PRId64
		" instances, and %d are the most; lower the DEPTH of this one or of others",
		deepest->name, deepest->depth, config->rsv_count, total, MAUI_RSV_MAX_INSTANCES);
}

void maui_config_check_rsvs(const struct maui_config *config, struct maui_diags *diags)
{
	struct places places;
	struct check c = { .config = config, .places = &places, .diags = diags };

	if (config->rsv_count == 0)
		return;
	if (find_places(config, &places)) {
		diags->no_memory = true;
		return;
	}
	for (size_t i = 0; i < config->rsv_count; i++) {
		c.rsv = &config->rsvs[i];
		check_name(&c);
		check_numbered(&c);
		check_resources(&c);
		check_hosts(&c);
		check_access(&c);
		check_time(&c);
	}
	check_total(&places, config, diags);
	free(places.list);
	maui_check_rsv_words(config, diags);
}
