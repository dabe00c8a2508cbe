/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fits_partitions.c - what showbf and maui fits are told of partitions: whom they admit, for
 * how long
 *
 * Rules: CMD-9, CMD-71.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <criterion/criterion.h>

#include "asked_fits.h"
#include "plan/finished.h"

TestSuite(fits_partitions, .init = begin_fits, .fini = end_fits);

/* No such job starts, even on idle nodes. */
Test(fits_partitions, what_is_closed_is_not_offered)
{
	static const struct maui_fits_args rows[] = {
		{ .user = "ann", .partition = "batch", .parts = 2, .horizon = 7200 },
		{ .user = "ann", .partition = "batch", .parts = 2, .horizon = 7200, .qos = "high" },
	};
	static const char *const why[] = { "the partition starts no jobs now",
					   "the QOS is not open to the user" };

	for (size_t i = 0; i < 2; i++) {
		json_object *root, *part, *free_procs;

		maui_document_unref(p);
		p = fits_world_publish("QOSCFG[high] PRIORITY=1\nUSERCFG[ann] QLIST=low\n");
		if (i == 0)
			p->plan->snapshot->partitions[0].down = true;
		part = ask(&rows[i], &root);
		cr_expect(json_object_array_length(member(part, "windows")) == 0);
		cr_expect(json_object_array_length(member(part, "whole_nodes")) == 0);
		cr_expect_str_eq(json_object_get_string(member(part, "obstacle")), why[i]);
		free_procs = member(part, "free_procs");
		cr_expect(json_object_get_int64(json_object_array_get_idx(free_procs, 0)) == 0);
		json_object_put(root);
	}
}

Test(fits_partitions, nothing_is_offered_for_longer_than_the_partition_lets_jobs_run)
{
	json_object *root, *part;

	part = ASK(&root, .user = "ann", .partition = "gpu", .least = 7200);
	cr_expect(json_object_array_length(member(part, "windows")) == 0);
	cr_expect_str_eq(json_object_get_string(member(part, "obstacle")),
			 "the time limit is above the partition's MaxTime");
	json_object_put(root);
}

static json_object *ask_gpu(const struct maui_fits_args *args, json_object **ret_root)
{
	json_object *part = ask(args, ret_root);

	cr_assert_str_eq(json_object_get_string(member(part, "name")), "gpu");
	return part;
}

#define ASK_GPU(ret_root, ...)                                                      \
	ask_gpu(                                                                    \
		&(const struct maui_fits_args){                                     \
			.partition = "gpu", .nodes = 1, .limit = 60, __VA_ARGS__ }, \
		ret_root)

static void expect_gpu(json_object *root, json_object *part, const char *rule)
{
	const char *kept_out_by = json_object_get_string(member(part, "kept_out_by"));
	json_object *shape = member(part, "shape");
	bool offers = json_object_array_length(member(part, "windows")) > 0;

	if (rule)
		cr_expect(kept_out_by && strcmp(kept_out_by, rule) == 0, "%s", kept_out_by);
	else
		cr_expect(!kept_out_by, "%s", kept_out_by);
	cr_expect(offers == !rule);
	cr_expect(json_object_get_boolean(member(shape, "starts_now")) == !rule);
	if (rule)
		cr_expect(json_object_is_type(member(shape, "earliest"), json_type_null));
	if (rule)
		cr_expect(strstr(json_object_get_string(
					 json_object_array_get_idx(member(shape, "reasons"), 0)),
				 rule));
	json_object_put(root);
}

static void admit(const struct maui_admission_rules *gpu)
{
	struct maui_admission_rules rules[] = { { 0 }, *gpu };

	maui_document_unref(p);
	p = fits_world_publish_admitting(rules);
	cr_assert(p);
}

#define ADMIT(...) admit(&(const struct maui_admission_rules){ __VA_ARGS__ })

Test(fits_partitions, a_partition_offers_nothing_to_those_whom_allow_groups_keeps_out)
{
	static const uint32_t members[] = { 1002 };
	json_object *root, *part;

	ADMIT(.groups = "chemistry", .users = members, .user_count = 1);
	part = ASK_GPU(&root, .user = "bob", .uid = 1002, .primary_group = "staff");
	expect_gpu(root, part, NULL);
	part = ASK_GPU(&root, .user = "carl", .uid = 1003, .primary_group = "chemistry");
	expect_gpu(root, part, NULL);
	part = ASK_GPU(&root, .user = "carl", .uid = 1003, .primary_group = "staff");
	expect_gpu(root, part, "AllowGroups");
	part = ASK_GPU(&root, .user = "carl", .uid = -1,
		       .primary_group = "staff"); /* nobody knows the id */
	expect_gpu(root, part, "AllowGroups");
	part = ASK_GPU(&root, .user = "root", .primary_group = "root");
	expect_gpu(root, part, NULL);
	part = ASK_GPU(&root, .user = "toor", .uid = 0); /* root by another name */
	expect_gpu(root, part, NULL);
	part = ASK_GPU(&root, .user = "root", .uid = -1);
	expect_gpu(root, part, "AllowGroups");
	/* the group of the job is not the user's first one */
	part = ASK_GPU(&root, .user = "carl", .uid = 1003, .group = "chemistry",
		       .primary_group = "staff");
	expect_gpu(root, part, "AllowGroups");
}

/* ann is known as the asker by the number, whatever the question says. */
Test(fits_partitions, the_asker_is_known_by_the_number_of_the_connection)
{
	static const uint32_t members[] = { 1001 };
	json_object *root, *part;

	ADMIT(.groups = "chemistry", .users = members, .user_count = 1);
	part = ASK_GPU(&root, .user = "ann", .uid = 1003, .primary_group = "staff");
	expect_gpu(root, part, NULL);
	asker = 1003;
	p->privacy.hide_users = true;
	part = ASK_GPU(&root, .user = "ann", .uid = 1001, .primary_group = "staff");
	expect_gpu(root, part, "AllowGroups");
}

Test(fits_partitions, a_partition_offers_nothing_to_jobs_whom_its_other_rules_keep_out)
{
	json_object *root, *part;

	ADMIT(.allow_accounts = "chemistry");
	part = ASK_GPU(&root, .user = "ann"); /* by default of physics */
	expect_gpu(root, part, "AllowAccounts");
	part = ASK_GPU(&root, .user = "ann", .account = "chemistry");
	expect_gpu(root, part, NULL);
	ADMIT(.deny_accounts = "physics");
	part = ASK_GPU(&root, .user = "ann");
	expect_gpu(root, part, "DenyAccounts");
	ADMIT(.allow_qos = "high");
	part = ASK_GPU(&root, .user = "ann", .qos = "low");
	expect_gpu(root, part, "AllowQos");
	part = ASK_GPU(&root, .user = "ann", .qos = "high");
	expect_gpu(root, part, NULL);
	ADMIT(.deny_qos = "high");
	part = ASK_GPU(&root, .user = "ann", .qos = "high");
	expect_gpu(root, part, "DenyQos");
	ADMIT(.root_only = true);
	part = ASK_GPU(&root, .user = "ann");
	expect_gpu(root, part, "RootOnly");
	ADMIT(.needs_reservation = true);
	part = ASK_GPU(&root, .user = "ann");
	expect_gpu(root, part, "ReqResv");
	ADMIT(.no_root = true);
	part = ASK_GPU(&root, .user = "root");
	expect_gpu(root, part, "DisableRootJobs");
}
