/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fits_names.c - what maui fits says of QOS, accounts, groups and others that do not exist
 *
 * Rules: CMD-9.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <criterion/criterion.h>

#include "asked_fits.h"
#include "base/limits.h"
#include "plan/finished.h"

TestSuite(fits_names, .init = begin_fits, .fini = end_fits);

Test(fits_names, features_have_a_bound)
{
	char features[MAUI_REQUEST_MAX_FEATURES + 2];

	memset(features, 'a', sizeof(features) - 1);
	features[sizeof(features) - 1] = '\0';
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .features = features);
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .features = "&&");
}

Test(fits_names, an_unknown_reservation_is_not_found)
{
	REFUSED(MAUI_QUERY_NOT_FOUND, .user = "ann", .reservation = "no-such");
}

static bool is_found(const struct maui_fits_args *args)
{
	struct maui_query_error error = { 0 };
	json_object *answer = ask_verb(&maui_verb_fits, maui_answer_fits, p, asker, args, &error);

	cr_expect(answer || error.code == MAUI_QUERY_NOT_FOUND, "%s", error.err.text);
	json_object_put(answer);
	return answer;
}

#define FOUND(...) \
	is_found(&(const struct maui_fits_args){ .user = "ann", .partition = "batch", __VA_ARGS__ })

/* Without slurmdbd users may name any account, but a QOS is one of maui.cfg, if it has any. */
Test(fits_names, a_qos_that_maui_cfg_does_not_have_is_not_found)
{
	static const char *const lines[] = { "QOSCFG[high] PRIORITY=1\n",
					     "USERCFG[ann] QLIST=high\n", "SYSCFG QDEF=high\n",
					     "CLASSCFG[gpu] QLIST=high&\n" };

	cr_expect(FOUND(.qos = "nosuch"), "maui.cfg names no QOS");
	cr_expect(FOUND(.account = "nosuch"));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		maui_document_unref(p);
		p = fits_world_publish(lines[i]);
		cr_expect(FOUND(.qos = "high"), "%s", lines[i]);
		cr_expect(!FOUND(.qos = "nosuch"), "%s", lines[i]);
		cr_expect(!FOUND(.qos = "nosuch", .nodes = 1), "%s", lines[i]);
	}
	maui_document_unref(p);
	p = fits_world_publish("QOSCFG[DEFAULT] PRIORITY=1\n");
	cr_expect(FOUND(.qos = "any"), "DEFAULT is no name");
}

Test(fits_names, an_account_or_qos_that_slurmdbd_does_not_have_is_not_found)
{
	static const char *accounts[] = { "root", "bio" }, *qos[] = { "normal" };
	struct maui_slurm_names *names = maui_slurm_names_create();

	*names = (struct maui_slurm_names){ .accounts = accounts,
					    .qos = qos,
					    .account_count = 2,
					    .qos_count = 1,
					    .account_needed = true,
					    .qos_needed = true,
					    .refs = 1 };

	maui_document_unref(p);
	p = fits_world_publish("QOSCFG[high] PRIORITY=1\n");
	maui_document_slurm_names(p, names);
	cr_expect(FOUND(.account = "bio", .qos = "normal"));
	cr_expect(FOUND(.account = "BIO", .qos = "Normal"));
	cr_expect(FOUND(.account = "physics"), "a job has it");
	cr_expect(!FOUND(.account = "nosuch"));
	cr_expect(!FOUND(.account = ""));
	cr_expect(!FOUND(.qos = "high"), "slurmdbd does not have it");
	cr_expect(FOUND(.qos = "high", .qos_may_be_new = true));
}

Test(fits_names, a_qos_that_maui_cfg_gives_need_not_be_in_slurmdbd)
{
	static const char *qos[] = { "normal" };
	struct maui_slurm_names *names = maui_slurm_names_create();

	names->qos = qos;
	names->qos_count = 1;

	maui_document_unref(p);
	p = fits_world_publish("USERCFG[DEFAULT] QDEF=low QLIST=low,high\n");
	maui_document_slurm_names(p, names);
	cr_expect(FOUND(.qos = "low"));
	cr_expect(FOUND(.qos = "high"));
	cr_expect(!FOUND(.qos = "nosuch"));
	names->qos_needed = true;
	cr_expect(FOUND(.qos = "low"));
	cr_expect(!FOUND(.qos = "high"), "Slurm refuses the job that asks for it");
}

Test(fits_names, slurm_gives_a_job_of_no_account_the_one_of_the_user)
{
	static const char *accounts[] = { "root", "bio" };
	static const struct maui_default_account own = { 1000, "ann", "bio" };
	struct maui_slurm_names *names = maui_slurm_names_create();
	json_object *root;

	names->accounts = accounts;
	names->account_count = 2;
	maui_document_slurm_names(p, names);
	maui_document_default_accounts(p, &own, 1);
	ASK(&root, .user = "ann", .account = "nosuch");
	cr_expect_str_eq(json_object_get_string(member(root, "account")), "bio");
	cr_expect(json_object_get_boolean(member(root, "account_assumed")));
	json_object_put(root);
	names->account_needed = true;
	cr_expect(!FOUND(.account = "nosuch"));
}

Test(fits_names, a_feature_that_no_node_has_is_not_found)
{
	p->plan->snapshot->nodes[0].features = "fast,big";
	cr_expect(FOUND(.features = "fast&big"));
	cr_expect(FOUND(.features = "[fast*2&big*44]"));
	cr_expect(!FOUND(.features = "fast&bigger"));
	cr_expect(!FOUND(.features = "!fas"));
	cr_expect(!FOUND(.features = "(fast|nix)&big", .nodes = 1));
}

Test(fits_names, whether_a_job_or_maui_cfg_has_the_group)
{
	json_object *root;

	ASK(&root, .user = "ann", .group = "staff");
	cr_expect(json_object_get_boolean(member(root, "group_known")));
	json_object_put(root);
	ASK(&root, .user = "ann", .group = "nosuch");
	cr_expect(!json_object_get_boolean(member(root, "group_known")));
	json_object_put(root);
}
