/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fits_private.c - what showbf and maui fits are told where PrivateData hides others, and
 * whose account counts
 *
 * Rules: CMD-9.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <criterion/criterion.h>

#include "asked_fits.h"

TestSuite(fits_private, .init = begin_fits, .fini = end_fits);

/* The limit would tell what bob's jobs use, and the account which he has. */
Test(fits_private, private_data_keeps_other_users_to_themselves)
{
	static const struct maui_document_user users[] = { { 1001, "ann", "ann" },
							   { 1002, "bob", "bob" } };
	bool *hides[] = { &p->privacy.hide_jobs, &p->privacy.hide_usage, &p->privacy.hide_users,
			  &p->privacy.hide_accounts };
	json_object *root;

	maui_document_know_users(p, users, 2);
	for (size_t i = 0; i < sizeof(hides) / sizeof(hides[0]); i++) {
		*hides[i] = true;
		REFUSED(MAUI_QUERY_DENIED, .user = "bob");
		REFUSED(MAUI_QUERY_DENIED, .user = "nobody-knows");
		ASK(&root, .user = "ann");
		cr_expect(!json_object_object_get_ex(root, "user_known", NULL));
		json_object_put(root);
		*hides[i] = false;
	}
	ASK(&root, .user = "ann");
	cr_expect(json_object_get_boolean(member(root, "user_known")));
	json_object_put(root);
}

/* The limit would tell how many jobs these have. */
Test(fits_private, private_data_hides_credentials_that_no_job_of_the_asker_has)
{
	static const struct maui_document_user users[] = { { 1001, "ann", "ann" },
							   { 1003, "carl", "carl" } };
	json_object *root, *part;

	maui_document_unref(p);
	p = fits_world_publish("GROUPCFG[staff] MAXIJOB=1\n"); /* 21, of ann, waits */
	maui_document_know_users(p, users, 2);
	p->privacy.hide_jobs = true;
	part = ASK(&root, .user = "ann", .group = "staff", .account = "physics");
	cr_expect_str_eq(json_object_get_string(member(part, "limit")),
			 "MAXIJOB GROUP staff 1/1 (hard)");
	json_object_put(root);
	asker = 1003;
	part = ASK(&root, .user = "carl", .group = "staff");
	cr_expect(!json_object_get_string(member(part, "limit")));
	cr_expect(json_object_is_type(member(root, "group"), json_type_null));
	json_object_put(root);
	REFUSED(MAUI_QUERY_DENIED, .user = "carl", .account = "physics");
	REFUSED(MAUI_QUERY_DENIED, .user = "carl", .qos = "low");
}

/* A user without a name in slurmctld could claim any name. */
Test(fits_private, private_data_counts_an_unknown_asker_by_number)
{
	json_object *root, *part;

	p->privacy.hide_users = true;
	asker = 1003;
	part = ASK(&root, .user = "bob", .partition = "batch");
	cr_expect(!json_object_get_string(member(part, "limit")));
	cr_expect(!json_object_get_string(member(root, "account")));
	cr_expect_str_eq(json_object_get_string(member(root, "user")), "bob");
	json_object_put(root);
}

/* Where names are numbers, a subordinate id must not learn the limits and the account of the user
 * who has its number for a name. */
Test(fits_private, private_data_tells_an_id_from_a_name_of_the_same_number)
{
	static const struct maui_document_user users[] = { { 1007, NULL, "+1007" } };
	static const struct maui_default_account accounts[] = { { 2000, "1007", "physics" } };
	json_object *root, *part;

	maui_document_unref(p);
	p = fits_world_publish("USERCFG[1007] MAXPROC=3\n");
	maui_document_know_users(p, users, 1);
	maui_document_default_accounts(p, accounts, 1);
	p->privacy.hide_users = true;
	asker = 1007;
	part = ASK(&root, .user = "1007", .partition = "batch");
	cr_expect(!json_object_get_string(member(part, "limit")));
	cr_expect(!json_object_get_string(member(root, "account")));
	json_object_put(root);
}

/* bob has jobs of account physics, and no default account: without -A a job has none. */
Test(fits_private, the_account_is_the_one_that_slurmctld_gives_the_job)
{
	static const struct {
		struct maui_fits_args args;
		const char *account;
		bool assumed;
	} rows[] = {
		{ { .user = "ann" }, "physics", true },
		{ { .user = "ann", .account = "bio" }, "bio", false },
		{ { .user = "bob" }, NULL, true },
	};
	static const struct maui_default_account others[] = { { 1001, "ann", "physics" },
							      { 1002, "bob", "secret" } };
	json_object *root;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *account;

		ask(&rows[i].args, &root);
		account = json_object_get_string(member(root, "account"));
		cr_expect(rows[i].account ? account && strcmp(account, rows[i].account) == 0 :
					    !account,
			  "row %zu: %s", i, account);
		cr_expect(json_object_get_boolean(member(root, "account_assumed")) ==
				  rows[i].assumed,
			  "row %zu", i);
		json_object_put(root);
	}
	/* slurmdbd knows a name that the server has not looked up yet */
	maui_document_default_accounts(p, others, 2);
	p->privacy.hide_accounts = true;
	asker = 1002;
	REFUSED(MAUI_QUERY_DENIED, .user = "ann");
	ASK(&root, .user = "bob", .account = "secret");
	cr_expect_str_eq(json_object_get_string(member(root, "account")), "secret");
	json_object_put(root);
}

/* As sbatch --test-only: what the asker names, or where a job goes that names none. */
Test(fits_private, private_partitions_are_not_listed)
{
	static const uid_t admins[] = { 1001 };
	json_object *root;

	p->privacy.hide_partitions = true;
	ASK(&root, .user = "ann");
	cr_expect(json_object_array_length(member(root, "partitions")) == 1);
	cr_expect_str_eq(json_object_get_string(member(
				 json_object_array_get_idx(member(root, "partitions"), 0), "name")),
			 "batch");
	json_object_put(root);
	cr_expect_str_eq(json_object_get_string(
				 member(ASK(&root, .user = "ann", .partition = "gpu"), "name")),
			 "gpu");
	json_object_put(root);
	maui_document_hide(p, false, false, admins, 1);
	ASK(&root, .user = "ann");
	cr_expect(json_object_array_length(member(root, "partitions")) == 2);
	json_object_put(root);
}
