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

#include "answers/verbs.h"
#include "base/strbuf.h"
#include "cmd/diagnose/diagnose.h"
#include "model/cred.h"
#include "model/when.h"

static const char none[] = "[NONE]";

enum { CELL = 32 };

/* "a,b"; "[NONE]" of an empty list. */
static void join(struct maui_strbuf *out, json_object *object, const char *key)
{
	size_t count = maui_cmd_length(object, key);

	for (size_t i = 0; i < count; i++)
		maui_strbuf_addf(out, "%s%s", i ? "," : "",
				 json_object_get_string(maui_cmd_element(object, key, i)));
	if (count == 0)
		maui_strbuf_addf(out, "%s", none);
}

static void add_value(struct maui_strbuf *out, json_object *limit, const char *key)
{
	int64_t value = maui_cmd_number(limit, key, MAUI_NEVER);

	if (value == MAUI_NEVER || value == 0)
		maui_strbuf_addf(out, "-"); /* no limit */
	else
		maui_strbuf_addf(out, "%" PRId64, value);
}

/* "MAXJOB=8(1) MAXPROC=12,16(8)" */
static void add_limits(struct maui_strbuf *out, json_object *object)
{
	size_t count = maui_cmd_length(object, "limits");

	for (size_t i = 0; i < count; i++) {
		json_object *limit = maui_cmd_element(object, "limits", i), *used;

		maui_strbuf_addf(out, "%s%s=", i ? " " : "", maui_cmd_text(limit, "name"));
		if (maui_cmd_number(limit, "soft", 0) != maui_cmd_number(limit, "hard", 0)) {
			add_value(out, limit, "soft");
			maui_strbuf_addf(out, ",");
		}
		add_value(out, limit, "hard");
		if (json_object_object_get_ex(limit, "used", &used) && used)
			maui_strbuf_addf(out, "(%" PRId64 ")", json_object_get_int64(used));
	}
	if (count == 0)
		maui_strbuf_addf(out, "%s", none);
}

static const char *text_of(const struct maui_strbuf *buf)
{
	return buf->text ? buf->text : "";
}

/* The target without its name for DEFAULT: 0.00 of one that has none, as Maui. */
static const char *target_of(json_object *one)
{
	const char *target = maui_cmd_text(one, "fstarget");

	return *target ? target : "0.00";
}

static void add_credential(struct maui_table *table, json_object *one)
{
	struct maui_strbuf qlist = { 0 }, limits = { 0 };
	const char *qdef = maui_cmd_text(one, "qdef");
	char priority[CELL];

	join(&qlist, one, "qlist");
	maui_strbuf_addf(&qlist, "%s", maui_cmd_text(one, "qlist_mode"));
	add_limits(&limits, one);
	snprintf(priority, sizeof(priority), "%" PRId64, maui_cmd_number(one, "priority", 0));
	maui_table_add(table, (const char *const[]){ maui_cmd_text(one, "name"), priority, none,
						     *qdef ? qdef : none, text_of(&qlist), none,
						     target_of(one), text_of(&limits) });
	maui_strbuf_finish(&qlist);
	maui_strbuf_finish(&limits);
}

static double real(json_object *one, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(one, key, &value) ? json_object_get_double(value) : 0;
}

static void add_qos(struct maui_table *table, json_object *one)
{
	struct maui_strbuf flags = { 0 }, limits = { 0 };
	char priority[CELL], qtweight[CELL], qttarget[MAUI_CMD_TIME_SIZE], xfweight[CELL];
	char xftarget[CELL];
	int64_t target_s = maui_cmd_number(one, "qttarget", 0);

	join(&flags, one, "flags");
	add_limits(&limits, one);
	snprintf(priority, sizeof(priority), "%" PRId64, maui_cmd_number(one, "priority", 0));
	snprintf(qtweight, sizeof(qtweight), "%g", real(one, "qtweight"));
	snprintf(xfweight, sizeof(xfweight), "%g", real(one, "xfweight"));
	snprintf(xftarget, sizeof(xftarget), "%.2f", real(one, "xftarget"));
	if (target_s > 0)
		maui_cmd_span(target_s, qttarget, sizeof(qttarget));
	else
		snprintf(qttarget, sizeof(qttarget), "0");
	maui_table_add(table, (const char *const[]){ maui_cmd_text(one, "name"), priority, qtweight,
						     qttarget, xfweight, xftarget, text_of(&flags),
						     none, target_of(one), text_of(&limits) });
	maui_strbuf_finish(&flags);
	maui_strbuf_finish(&limits);
}

/* Who may use the QOS, by QLIST. */
static void print_members(json_object *one)
{
	static const struct {
		const char *title, *key;
	} kinds[] = { { "Users:", "users" },
		      { "Groups:", "groups" },
		      { "Accounts:", "accounts" },
		      { "Classes:", "classes" } };
	json_object *members = NULL;

	json_object_object_get_ex(one, "members", &members);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t count = maui_cmd_length(members, kinds[i].key);

		if (count > 0)
			printf("  %-9s", kinds[i].title);
		for (size_t k = 0; k < count; k++)
			printf(" %s",
			       json_object_get_string(maui_cmd_element(members, kinds[i].key, k)));
		if (count > 0)
			printf("\n");
	}
}

static void print_head(const char *kind, json_object *result)
{
	struct maui_strbuf qlist = { 0 }, limits = { 0 };
	json_object *system = NULL;

	if (strcmp(kind, "qos") != 0) {
		printf("evaluating %s information\n\n", kind);
		return;
	}
	json_object_object_get_ex(result, "system", &system);
	join(&qlist, system, "qlist");
	add_limits(&limits, system);
	printf("QOS Status\n\nSystem QOS Settings:  QList: %s%s (Def: %s)  Limits: %s\n\n",
	       text_of(&qlist), maui_cmd_text(system, "qlist_mode"),
	       *maui_cmd_text(system, "qdef") ? maui_cmd_text(system, "qdef") : none,
	       text_of(&limits));
	maui_strbuf_finish(&qlist);
	maui_strbuf_finish(&limits);
}

/* The table's lines; below each QOS its members. */
static void print_lines(struct maui_table *table, json_object *result)
{
	char *text = maui_table_text(table, false, maui_cmd_color()), *rest = text;
	const char *line = strsep(&rest, "\n");

	printf("%s\n\n", line ? line : "");
	for (size_t i = 0; i < maui_cmd_length(result, "credentials"); i++) {
		line = strsep(&rest, "\n");
		printf("%s\n", line ? line : "");
		print_members(maui_cmd_element(result, "credentials", i));
	}
	free(text);
}

static int print_credentials(const struct maui_cmd_common *common, const char *kind,
			     json_object *result)
{
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
		qos ? maui_cmd_table(common, of_qos, sizeof(of_qos) / sizeof(of_qos[0])) :
		      maui_cmd_table(common, of_creds, sizeof(of_creds) / sizeof(of_creds[0]));

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < maui_cmd_length(result, "credentials"); i++) {
		json_object *one = maui_cmd_element(result, "credentials", i);

		if (qos)
			add_qos(table, one);
		else
			add_credential(table, one);
	}
	if (maui_cmd_rows_only(common)) {
		maui_cmd_print_table(common, table);
		return MAUI_EXIT_OK;
	}
	print_head(kind, result);
	print_lines(table, result);
	maui_table_destroy(table);
	maui_diagnose_print_warnings(result);
	maui_diagnose_print_refused(result);
	return MAUI_EXIT_OK;
}

static int diagnose(const struct maui_cmd_common *common, enum maui_cred_kind kind,
		    const char *name)
{
	json_object *args = json_object_new_object(), *result;
	int rc;

	json_object_object_add(args, "kind", json_object_new_string(maui_cred_name(kind)));
	if (name)
		json_object_object_add(args, "name", json_object_new_string(name));
	result = maui_cmd_ask(common, MAUI_VERB_CREDENTIALS, args, &rc);
	if (!result)
		return rc;
	if (common->json) {
		maui_cmd_print_json(common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_credentials(common, maui_cred_name(kind), result);
	json_object_put(result);
	return rc;
}

int maui_diagnose_users(const struct maui_cmd_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_USER, name);
}

int maui_diagnose_groups(const struct maui_cmd_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_GROUP, name);
}

int maui_diagnose_accounts(const struct maui_cmd_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_ACCOUNT, name);
}

int maui_diagnose_classes(const struct maui_cmd_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_CLASS, name);
}

int maui_diagnose_qos(const struct maui_cmd_common *common, const char *name)
{
	return diagnose(common, MAUI_CRED_QOS, name);
}
