/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_credentials.c - what diagnose -u -g -a -c -Q are told, of a saved plan
 *
 * Rules: CMD-9, CMD-31.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "config/config.h"
#include "diagnosed.h"
#include "plan/finished.h"
#include "verbs/credentials.h"

TestSuite(credentials, .init = begin_diagnosed, .fini = end_diagnosed);

/* The answer; NULL with error. */
static json_object *ask_document(const struct maui_document *document, const char *kind,
				 const char *name, uid_t uid, struct maui_query_error *error)
{
	const struct maui_credentials_args args = { kind, name };

	return ask_verb(&maui_verb_credentials, maui_answer_credentials, document, uid, &args,
			error);
}

static json_object *ask(const char *kind, const char *name, uid_t uid)
{
	struct maui_query_error error = { 0 };
	json_object *result = ask_document(p, kind, name, uid, &error);

	cr_assert(result, "%s", error.err.text);
	return result;
}

static int refusal(const char *kind, const char *name, uid_t uid)
{
	struct maui_query_error error = { 0 };

	cr_assert(!ask_document(p, kind, name, uid, &error));
	return (int)error.code;
}

static size_t count(const char *kind, uid_t uid)
{
	json_object *result = ask(kind, NULL, uid);
	size_t length = json_object_array_length(member(result, "credentials"));

	json_object_put(result);
	return length;
}

/* What is in use of a limit: -1 is not known. */
static int64_t used(const char *kind, const char *name, const char *limit, uid_t uid)
{
	json_object *result = ask(kind, name, uid), *one, *list;
	int64_t found = -2;

	one = json_object_array_get_idx(member(result, "credentials"), 0);
	list = member(one, "limits");
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *l = json_object_array_get_idx(list, i), *value = member(l, "used");

		if (strcmp(json_object_get_string(member(l, "name")), limit) == 0)
			found = value ? json_object_get_int64(value) : -1;
	}
	json_object_put(result);
	return found;
}

/* The QDEF that the answer gives for the credential. */
static const char *qdef(const char *kind, const char *name)
{
	static char text[64];
	json_object *result = ask(kind, name, 0);
	json_object *one = json_object_array_get_idx(member(result, "credentials"), 0);
	const char *found = json_object_get_string(member(one, "qdef"));

	snprintf(text, sizeof(text), "%s", found ? found : "none");
	json_object_put(result);
	return text;
}

Test(credentials, the_qdef_of_syscfg_is_in_force_for_whoever_has_none)
{
	struct maui_config *config = (struct maui_config *)p->plan->config;
	struct maui_creds *users = &config->creds[MAUI_CRED_USER];

	cr_expect_str_eq(qdef("user", "ann"), "none");
	config->system.qdef = strdup("low");
	for (size_t i = 0; i < users->count; i++)
		if (strcmp(users->list[i].name, "bob") == 0)
			users->list[i].qdef = strdup("high");
	cr_expect_str_eq(qdef("user", "ann"), "low");
	cr_expect_str_eq(qdef("user", "bob"), "high");
	cr_expect_str_eq(qdef("class", "batch"), "low");
	cr_expect_str_eq(qdef("qos", "low"), "none", "a QOS has no QDEF");
}

Test(credentials, every_credential_of_maui_cfg_and_of_jobs_is_listed)
{
	cr_expect(count("user", 0) == 4); /* DEFAULT, ann, bob, eve */
	cr_expect(count("group", 0) == 2 && count("account", 0) == 2);
	cr_expect(count("class", 0) == 2 && count("qos", 0) == 2);
}

Test(credentials, limits_have_what_is_in_use)
{
	cr_expect(used("user", "ann", "MAXPROC", 0) == 8);
	cr_expect(used("user", "ann", "MAXJOB", 0) == 1); /* the value is DEFAULT's */
	cr_expect(used("user", "bob", "MAXPROC", 0) == 4);
	/* 202: limits keep 205 and 207 from being eligible, 208 has just started */
	cr_expect(used("user", "bob", "MAXIJOB", 0) == 1);
	cr_expect(used("group", "staff", "MAXNODE", 0) == 3);
	cr_expect(used("account", "physics", "MAXPS", 0) == 12 * 3600);
	cr_expect(used("qos", "high", "OMAXJOB", 0) == -1);
	cr_expect(used("user", "DEFAULT", "MAXJOB", 0) == -1);
	cr_expect(used("class", "fast", "MAXPROC[user]", 0) == -1);
}

Test(credentials, a_qos_has_flags_and_members)
{
	json_object *result = ask("qos", "low", 0);
	json_object *low = json_object_array_get_idx(member(result, "credentials"), 0);
	json_object *users = member(member(low, "members"), "users");

	cr_expect_str_eq(json_object_get_string(member(low, "fstarget")), "10.00%");
	cr_assert(json_object_array_length(users) == 1);
	cr_expect_str_eq(json_object_get_string(json_object_array_get_idx(users, 0)), "bob");
	json_object_put(result);
	result = ask("qos", "high", 0);
	users = member(json_object_array_get_idx(member(result, "credentials"), 0), "flags");
	cr_assert(json_object_array_length(users) == 2);
	cr_expect_str_eq(json_object_get_string(json_object_array_get_idx(users, 0)), "IGNUSER");
	cr_expect_str_eq(json_object_get_string(json_object_array_get_idx(users, 1)), "PREEMPTOR");
	json_object_put(result);
}

Test(credentials, private_data_hides_users_accounts_and_use)
{
	static const struct maui_document_user users[] = { { DIAGNOSE_ANN, "ann", "ann" } };

	p->privacy.hide_users = true;
	p->privacy.hide_accounts = true;
	maui_document_know_users(p, users, 1);
	cr_expect(count("user", DIAGNOSE_ANN) == 2); /* DEFAULT and ann */
	cr_expect(count("account", DIAGNOSE_ANN) == 1 && count("qos", DIAGNOSE_ANN) == 2);
	cr_expect(count("user", DIAGNOSE_ADMIN) == 4);
	cr_expect(refusal("user", "bob", DIAGNOSE_ANN) == MAUI_QUERY_NOT_FOUND);
	p->privacy.hide_jobs = true;
	cr_expect(used("user", "ann", "MAXPROC", DIAGNOSE_ANN) == -1);
	cr_expect(used("user", "ann", "MAXPROC", DIAGNOSE_ADMIN) == 8);
}

/* CMD-9: names of partitions, and the settings of their classes. */
Test(credentials, private_data_hides_partitions)
{
	static const struct maui_document_user users[] = { { DIAGNOSE_ANN, "ann", "ann" },
							   { 9999, "new", "new" } };

	p->privacy.hide_partitions = true;
	maui_document_know_users(p, users, 2);
	cr_expect(count("class", DIAGNOSE_ANN) == 1, "that of her jobs");
	cr_expect(count("class", 9999) == 0);
	cr_expect(refusal("class", "fast", 9999) == MAUI_QUERY_NOT_FOUND);
	cr_expect(count("class", DIAGNOSE_ADMIN) == 2 && count("qos", 9999) == 2);
}

/* How many warnings there are; the text is in the first. */
static size_t warnings(const char *kind, const char *text, uid_t uid)
{
	json_object *result = ask(kind, NULL, uid), *list = member(result, "warnings");
	size_t length = json_object_array_length(list);

	if (length > 0)
		cr_expect(strstr(json_object_get_string(json_object_array_get_idx(list, 0)), text));
	json_object_put(result);
	return length;
}

Test(credentials, warnings_are_those_about_lines_of_the_kind)
{
	cr_expect(warnings("user", "QLIST names QOS 'ghost'", 0) == 1);
	cr_expect(warnings("group", "GROUPCFG[staff] PRIORITY has no effect", 0) == 1);
	p->privacy.hide_users = true;
	cr_expect(warnings("group", "", DIAGNOSE_ANN) == 0);
	cr_expect(warnings("group", "", DIAGNOSE_ADMIN) == 1);
}

Test(credentials, a_wrong_kind_or_name_is_refused)
{
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };

	cr_expect(refusal("nix", NULL, 0) == MAUI_QUERY_BAD);
	cr_expect(refusal(NULL, NULL, 0) == MAUI_QUERY_BAD);
	cr_expect(refusal("user", "nix", 0) == MAUI_QUERY_NOT_FOUND);
	cr_expect(!ask_document(none, "user", NULL, 0, &error));
	cr_expect(error.code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}

Test(credentials, more_names_than_an_answer_may_have_are_refused)
{
	struct maui_creds *creds = (struct maui_creds *)&p->plan->config->creds[MAUI_CRED_GROUP];
	struct maui_creds present = *creds;
	struct maui_query_error error = { 0 };

	creds->count = MAUI_QUERY_MAX_ROWS + 1;
	creds->list = calloc(creds->count, sizeof(*creds->list));
	cr_assert(creds->list);
	for (size_t i = 0; i < creds->count; i++)
		cr_assert(asprintf(&creds->list[i].name, "g%06zu", i) > 0);
	cr_expect(!ask_document(p, "group", NULL, 0, &error) && error.code == MAUI_QUERY_ERROR);
	cr_expect_str_eq(error.err.text,
			 "more than 100000 names, the most that are listed: name one");
	for (size_t i = 0; i < creds->count; i++)
		free(creds->list[i].name);
	free(creds->list);
	*creds = present;
}
