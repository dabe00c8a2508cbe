/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_admission.c - which jobs a partition admits, by the lists of slurm.conf
 *
 * Rules: CMD-71.
 */
#include "policy/admission.h"

#include "model/snapshot.h"

#include "rows.h"

enum { AMY = 1001, BOB, CARL, SLURM = 64 };

static const uint32_t members[] = { AMY, BOB };

static struct maui_admission_account accounts[] = {
	{ "bio", "science", "normal" },
	{ "genes", "bio", "normal" },
	{ "root", NULL, "normal" },
	{ "science", "root", "normal" },
};
static struct maui_admission_user users[] = { { AMY, "bio", "high" }, { BOB, "genes", "low" } };

struct admission_case {
	const char *name;
	struct maui_admission_rules rules;
	struct maui_admission_job job;
	enum maui_admission_rule expected;
};

#define GROUPS      .groups = "phys,chem", .users = members, .user_count = 2
#define UID(number) .uid_known = true, .uid = (number)

static const struct admission_case cases[] = {
	{ "no rule", { 0 }, { UID(AMY) }, MAUI_ADMISSION_OPEN },
	{ "member of a group", { GROUPS }, { UID(AMY) }, MAUI_ADMISSION_OPEN },
	{ "no member",
	  { GROUPS },
	  { UID(CARL), .primary_group = "bio" },
	  MAUI_ADMISSION_ALLOW_GROUPS },
	{ "first group", { GROUPS }, { UID(CARL), .primary_group = "chem" }, MAUI_ADMISSION_OPEN },
	{ "part of a name",
	  { GROUPS },
	  { UID(CARL), .primary_group = "che" },
	  MAUI_ADMISSION_ALLOW_GROUPS },
	{ "other case",
	  { GROUPS },
	  { UID(CARL), .primary_group = "Chem" },
	  MAUI_ADMISSION_ALLOW_GROUPS },
	{ "unknown user", { GROUPS }, { .uid = AMY }, MAUI_ADMISSION_ALLOW_GROUPS },
	{ "unknown user of a group", { GROUPS }, { .primary_group = "phys" }, MAUI_ADMISSION_OPEN },
	{ "root", { GROUPS }, { UID(0) }, MAUI_ADMISSION_OPEN },
	{ "SlurmUser", { GROUPS }, { UID(SLURM) }, MAUI_ADMISSION_OPEN },
	{ "groups without members",
	  { .groups = "x" },
	  { UID(AMY), .primary_group = "x" },
	  MAUI_ADMISSION_ALLOW_GROUPS },
	{ "RootOnly", { .root_only = true }, { UID(AMY) }, MAUI_ADMISSION_ROOT_ONLY },
	{ "RootOnly, root", { .root_only = true }, { UID(0) }, MAUI_ADMISSION_OPEN },
	{ "DisableRootJobs", { .no_root = true }, { UID(0) }, MAUI_ADMISSION_NO_ROOT },
	{ "DisableRootJobs, a user", { .no_root = true }, { UID(AMY) }, MAUI_ADMISSION_OPEN },
	{ "ReqResv", { .needs_reservation = true }, { UID(0) }, MAUI_ADMISSION_NEEDS_RESERVATION },
	{ "ReqResv, named",
	  { .needs_reservation = true },
	  { UID(AMY), .names_a_reservation = true },
	  MAUI_ADMISSION_OPEN },
	{ "account", { .allow_accounts = "bio" }, { .account = "bio" }, MAUI_ADMISSION_OPEN },
	{ "other account",
	  { .allow_accounts = "bio" },
	  { .account = "science" },
	  MAUI_ADMISSION_ALLOW_ACCOUNTS },
	{ "account below",
	  { .allow_accounts = "x,science" },
	  { .account = "genes" },
	  MAUI_ADMISSION_OPEN },
	{ "unknown account", { .allow_accounts = "bio" }, { 0 }, MAUI_ADMISSION_OPEN },
	{ "denied",
	  { .deny_accounts = "x,bio" },
	  { .account = "bio" },
	  MAUI_ADMISSION_DENY_ACCOUNTS },
	{ "denied below",
	  { .deny_accounts = "bio" },
	  { .account = "genes" },
	  MAUI_ADMISSION_DENY_ACCOUNTS },
	{ "another denied",
	  { .deny_accounts = "bio" },
	  { .account = "science" },
	  MAUI_ADMISSION_OPEN },
	{ "allowed before denied",
	  { .allow_accounts = "bio", .deny_accounts = "bio" },
	  { .account = "bio" },
	  MAUI_ADMISSION_OPEN },
	{ "QOS", { .allow_qos = "High,low" }, { .qos = "high" }, MAUI_ADMISSION_OPEN },
	{ "other QOS", { .allow_qos = "high" }, { .qos = "hi" }, MAUI_ADMISSION_ALLOW_QOS },
	{ "denied QOS", { .deny_qos = "high" }, { .qos = "high" }, MAUI_ADMISSION_DENY_QOS },
	{ "QOS of the account",
	  { .deny_qos = "normal" },
	  { UID(CARL), .account = "bio" },
	  MAUI_ADMISSION_DENY_QOS },
	{ "QOS of the user",
	  { .allow_qos = "high" },
	  { UID(AMY), .account = "bio" },
	  MAUI_ADMISSION_OPEN },
	{ "QOS of the user elsewhere",
	  { .allow_qos = "high" },
	  { UID(AMY), .account = "genes" },
	  MAUI_ADMISSION_ALLOW_QOS },
	{ "unknown QOS", { .allow_qos = "high" }, { UID(AMY) }, MAUI_ADMISSION_OPEN },
};

TEST_ROWS(admission, lists_of_slurm_conf, cases, row)
{
	struct maui_admission_rules rules = row->rules;
	const struct maui_admission a = { .partitions = &rules,
					  .slurm_user = SLURM,
					  .accounts = accounts,
					  .account_count = 4,
					  .users = users,
					  .user_count = 2,
					  .subaccounts = true };

	cr_expect(maui_admission_check(&a, 0, &row->job) == row->expected, "%s: %d", row->name,
		  maui_admission_check(&a, 0, &row->job));
}

Test(admission, older_releases_take_a_list_as_it_stands)
{
	struct maui_admission_rules rules = { .allow_accounts = "science" };
	const struct maui_admission a = { .partitions = &rules,
					  .accounts = accounts,
					  .account_count = 4 };

	cr_expect(maui_admission_check(&a, 0, &(struct maui_admission_job){ .account = "bio" }) ==
		  MAUI_ADMISSION_ALLOW_ACCOUNTS);
}

/* Of slurmctld without slurmdbd, of 22.05. */
Test(admission, a_list_of_accounts_admits_no_job_where_slurm_knows_no_account)
{
	struct maui_admission_rules rules[] = { { .allow_accounts = "bio" },
						{ .deny_accounts = "bio" } };
	const struct maui_admission a = { .partitions = rules, .accountless = true };
	const struct maui_admission_job job = { .account = "bio" };

	cr_expect(maui_admission_check(&a, 0, &job) == MAUI_ADMISSION_ALLOW_ACCOUNTS);
	cr_expect(maui_admission_check(&a, 1, &job) == MAUI_ADMISSION_OPEN);
}

Test(admission, a_circle_of_accounts_has_an_end)
{
	struct maui_admission_rules rules = { .allow_accounts = "science" };
	struct maui_admission_account circle[] = { { "a", "b", NULL }, { "b", "a", NULL } };
	const struct maui_admission a = {
		.partitions = &rules, .accounts = circle, .account_count = 2, .subaccounts = true
	};

	cr_expect(maui_admission_check(&a, 0, &(struct maui_admission_job){ .account = "a" }) ==
		  MAUI_ADMISSION_ALLOW_ACCOUNTS);
}

Test(admission, slurmctld_and_a_question_differ_only_where_the_primary_group_is_unknown)
{
	const struct {
		struct maui_admission_groups groups;
		const char *primary_group;
		bool strict, lenient;
	} rows[] = {
		{ { NULL, false, false }, NULL, true, true },
		{ { "chem", true, true }, NULL, true, true },
		{ { "chem", true, false }, "chem", true, true },
		{ { "chem", true, false }, "bio", false, false },
		{ { "chem", true, false }, NULL, false, true },
		{ { "chem", false, false }, NULL, false, false },
		{ { "chem", false, false }, "chem", false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect(maui_admission_by_groups(&rows[i].groups, rows[i].primary_group, false) ==
				  rows[i].strict,
			  "%zu", i);
		cr_expect(maui_admission_by_groups(&rows[i].groups, rows[i].primary_group, true) ==
				  rows[i].lenient,
			  "%zu", i);
	}
}

/* ---- the copy that snapshots share ---- */

static struct maui_snapshot *with_a_partition(void)
{
	struct maui_snapshot *s = maui_snapshot_create(1);

	cr_assert(s);
	cr_assert(maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "p" }) == 0);
	return s;
}

Test(admission, snapshots_share_one_copy)
{
	struct maui_snapshot *one = with_a_partition(), *two = with_a_partition();
	struct maui_admission *a = maui_admission_create();

	a->partitions = maui_arena_alloc(&a->arena, sizeof(*a->partitions));
	a->partitions[0].groups = "chem";
	a->partition_count = 1;
	cr_assert(maui_snapshot_set_admission(one, a) == 0);
	cr_assert(maui_snapshot_set_admission(two, a) == 0);
	cr_expect(one->admission == a && two->admission == a && a->refs == 3);
	maui_admission_unref(a);
	maui_snapshot_destroy(one);
	cr_expect(a->refs == 1);
	cr_expect_str_eq(two->admission->partitions[0].groups, "chem");
	maui_snapshot_destroy(two);
}

Test(admission, a_copy_out_of_order_or_of_other_partitions_is_refused)
{
	struct maui_admission_account lot[] = { { .name = "b" }, { .name = "a" } };
	struct maui_admission_user some[] = { { 2, "a", "q" }, { 1, "b", "q" } };
	struct maui_admission none = { .refs = 1 }, wrong;
	struct maui_snapshot *s = with_a_partition();

	cr_expect(maui_snapshot_set_admission(s, &none) == -1);
	wrong = (struct maui_admission){
		.refs = 1, .partition_count = 1, .accounts = lot, .account_count = 2
	};
	cr_expect(maui_snapshot_set_admission(s, &wrong) == -1);
	wrong = (struct maui_admission){
		.refs = 1, .partition_count = 1, .users = some, .user_count = 2
	};
	cr_expect(maui_snapshot_set_admission(s, &wrong) == -1);
	cr_expect(!s->admission);
	maui_snapshot_destroy(s);
}
