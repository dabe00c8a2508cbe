/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credentials.c - diagnose -u -g -a -c -Q: users, groups, accounts, classes and QOS
 *
 * Maui's columns. A limit is shown with what is in use of it: MAXPROC=12,16(8).
 *
 * Rules: CMD-31.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/strbuf.h"
#include "cmd/diagnose/diagnose.h"
#include "model/cred.h"
#include "model/when.h"
#include "verbs/credentials.h"

static const char none[] = "[NONE]";

enum { CELL = 32 };

/* "a,b"; "[NONE]" of an empty list. */
static void join(struct maui_strbuf *out, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		maui_strbuf_addf(out, "%s%s", i ? "," : "", texts[i]);
	if (count == 0)
		maui_strbuf_addf(out, "%s", none);
}

static void add_value(struct maui_strbuf *out, int64_t value)
{
	if (value == MAUI_NEVER || value == 0)
		maui_strbuf_addf(out, "-"); /* no limit */
	else
		maui_strbuf_addf(out, "%" PRId64, value);
}

/* "MAXJOB=8(1) MAXPROC=12,16(8)" */
static void add_limits(struct maui_strbuf *out, const struct maui_credential_limit *limits,
		       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct maui_credential_limit *limit = &limits[i];

		maui_strbuf_addf(out, "%s%s=", i ? " " : "", limit->name);
		if (limit->soft != limit->hard) {
			add_value(out, limit->soft);
			maui_strbuf_addf(out, ",");
		}
		add_value(out, limit->hard);
		if (limit->used != MAUI_NEVER)
			maui_strbuf_addf(out, "(%" PRId64 ")", limit->used);
	}
	if (count == 0)
		maui_strbuf_addf(out, "%s", none);
}

static const char *text_of(const struct maui_strbuf *buf)
{
	return buf->text ? buf->text : "";
}

/* The target without its name for DEFAULT: 0.00 of one that has none, as Maui. */
static const char *target_of(const struct maui_credential *one)
{
	return *one->fstarget ? one->fstarget : "0.00";
}

static const char *or_none(const char *text)
{
	return *text ? text : none;
}

static void add_credential(struct maui_table *table, const struct maui_credential *one)
{
	struct maui_strbuf qlist = { 0 }, limits = { 0 };
	char priority[CELL];

	join(&qlist, one->qlist, one->qlist_count);
	maui_strbuf_addf(&qlist, "%s", one->qlist_mode);
	add_limits(&limits, one->limits, one->limits_count);
	snprintf(priority, sizeof(priority), "%" PRId64, one->priority);
	maui_table_add(table, (const char *const[]){ one->name, priority, none, or_none(one->qdef),
						     text_of(&qlist), none, target_of(one),
						     text_of(&limits) });
	maui_strbuf_finish(&qlist);
	maui_strbuf_finish(&limits);
}

/* What a server left out is 0. */
static const struct maui_credential_qos *qos_of(const struct maui_credential *one)
{
	static const struct maui_credential_members nobody;
	static const struct maui_credential_qos nothing = { .members = &nobody };

	return one->qos ? one->qos : &nothing;
}

static void add_qos(struct maui_table *table, const struct maui_credential *one)
{
	const struct maui_credential_qos *qos = qos_of(one);
	struct maui_strbuf flags = { 0 }, limits = { 0 };
	char priority[CELL], qtweight[CELL], qttarget[MAUI_DURATION_SIZE], xfweight[CELL];
	char xftarget[CELL];

	join(&flags, qos->flags, qos->flags_count);
	add_limits(&limits, one->limits, one->limits_count);
	snprintf(priority, sizeof(priority), "%" PRId64, one->priority);
	snprintf(qtweight, sizeof(qtweight), "%g", qos->qtweight);
	snprintf(xfweight, sizeof(xfweight), "%g", qos->xfweight);
	snprintf(xftarget, sizeof(xftarget), "%.2f", qos->xftarget);
	if (qos->qttarget > 0)
		maui_duration_as_maui(qos->qttarget, qttarget, sizeof(qttarget));
	else
		snprintf(qttarget, sizeof(qttarget), "0");
	maui_table_add(table, (const char *const[]){ one->name, priority, qtweight, qttarget,
						     xfweight, xftarget, text_of(&flags), none,
						     target_of(one), text_of(&limits) });
	maui_strbuf_finish(&flags);
	maui_strbuf_finish(&limits);
}

static void print_names(const char *title, const char *const *names, size_t count)
{
	if (count > 0)
		printf("  %-9s", title);
	for (size_t i = 0; i < count; i++)
		printf(" %s", names[i]);
	if (count > 0)
		printf("\n");
}

/* Who may use the QOS, by QLIST. */
static void print_members(const struct maui_credential *one)
{
	const struct maui_credential_members *members = qos_of(one)->members;

	print_names("Users:", members->users, members->users_count);
	print_names("Groups:", members->groups, members->groups_count);
	print_names("Accounts:", members->accounts, members->accounts_count);
	print_names("Classes:", members->classes, members->classes_count);
}

static void print_head(const char *kind, const struct maui_credentials_system *system)
{
	struct maui_strbuf qlist = { 0 }, limits = { 0 };

	if (strcmp(kind, "qos") != 0) {
		printf("evaluating %s information\n\n", kind);
		return;
	}
	join(&qlist, system->qlist, system->qlist_count);
	add_limits(&limits, system->limits, system->limits_count);
	printf("QOS Status\n\nSystem QOS Settings:  QList: %s%s (Def: %s)  Limits: %s\n\n",
	       text_of(&qlist), system->qlist_mode, or_none(system->qdef), text_of(&limits));
	maui_strbuf_finish(&qlist);
	maui_strbuf_finish(&limits);
}

/* The table's lines; below each QOS its members. */
static void print_lines(struct maui_table *table, const struct maui_credentials_answer *answer)
{
	char *text = maui_table_text(table, false, maui_tool_color()), *rest = text;
	const char *line = strsep(&rest, "\n");

	printf("%s\n\n", line ? line : "");
	for (size_t i = 0; i < answer->credentials_count; i++) {
		line = strsep(&rest, "\n");
		printf("%s\n", line ? line : "");
		print_members(&answer->credentials[i]);
	}
	free(text);
}

static int print_credentials(const struct maui_tool_common *common, const void *options,
			     const void *record)
{
	const struct maui_credentials_answer *answer = record;
	const char *kind = options;
	static const struct maui_column of_creds[] = {
		{ "Name", false },  { "Priority", true },  { "Flags", false },
		{ "QDef", false },  { "QOSList*", false }, { "PartitionList", false },
		{ "Target", true }, { "Limits", false },
	};
	static const struct maui_column of_qos[] = {
		{ "Name", false },    { "Priority", true },  { "QTWeight", true },
		{ "QTTarget", true }, { "XFWeight", true },  { "XFTarget", true },
		{ "QFlags", false },  { "JobFlags", false }, { "Target", true },
		{ "Limits", false },
	};
	bool qos = strcmp(kind, "qos") == 0;
	struct maui_table *table =
		qos ? maui_tool_table(common, of_qos, sizeof(of_qos) / sizeof(of_qos[0])) :
		      maui_tool_table(common, of_creds, sizeof(of_creds) / sizeof(of_creds[0]));

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < answer->credentials_count; i++)
		if (qos)
			add_qos(table, &answer->credentials[i]);
		else
			add_credential(table, &answer->credentials[i]);
	if (maui_tool_rows_only(common)) {
		maui_tool_print_table(common, table);
		return MAUI_EXIT_OK;
	}
	print_head(kind, answer->system);
	print_lines(table, answer);
	maui_table_destroy(table);
	maui_diagnose_show_warnings(answer->warnings, answer->warnings_count);
	maui_diagnose_show_refused(answer->refused, answer->time);
	return MAUI_EXIT_OK;
}

static int diagnose(const struct maui_tool_common *common, enum maui_cred_kind kind,
		    const char *name)
{
	const struct maui_credentials_args args = { .kind = maui_cred_name(kind), .name = name };

	return maui_cmd_show(common, &maui_verb_credentials, &args, print_credentials, args.kind);
}

int maui_diagnose_users(const struct maui_tool_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_USER, name);
}

int maui_diagnose_groups(const struct maui_tool_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_GROUP, name);
}

int maui_diagnose_accounts(const struct maui_tool_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_ACCOUNT, name);
}

int maui_diagnose_classes(const struct maui_tool_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_CLASS, name);
}

int maui_diagnose_qos(const struct maui_tool_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_QOS, name);
}
