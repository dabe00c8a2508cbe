/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rsv.c - copies of what a reservation asks for */
#include "model/rsv.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct maui_rsv make(void)
{
	struct maui_rsv rsv = { .name = strdup("biz"), .owner_kind = MAUI_CRED_USER,
				.owner = strdup("tom"), .hosts = strdup("n[1-3]"),
				.charge_account = strdup("jup"), .subtype = strdup("mine"),
				.partition = strdup("batch"),
				.made_by = strdup("root"), .task_count = 4, .depth = 7,
				.task = { .procs = 2, .mem_mb = 512 }, .flags = 3 };

	rsv.acl.list = calloc(2, sizeof(*rsv.acl.list));
	rsv.acl.count = rsv.acl.alloc = 2;
	rsv.acl.list[0] = (struct maui_acl_entry){ .kind = MAUI_CRED_USER, .name = strdup("amy"),
						   .affinity = MAUI_AFFINITY_NEGATIVE };
	rsv.acl.list[1] = (struct maui_acl_entry){ .kind = MAUI_ACL_DURATION, .value = 3600,
						   .required = true };
	rsv.triggers = calloc(1, sizeof(*rsv.triggers));
	rsv.trigger_count = rsv.trigger_alloc = 1;
	rsv.triggers[0] = (struct maui_trigger){ .event = MAUI_TRIGGER_END,
						 .data = strdup("/bin/true") };
	maui_words_split("wide,fddi", ",", &rsv.features);
	return rsv;
}

Test(rsv, a_copy_has_all_and_shares_nothing)
{
	struct maui_rsv rsv = make(), copy;

	cr_assert(maui_rsv_copy(&rsv, &copy) == 0);
	cr_expect(copy.name != rsv.name);
	maui_rsv_finish(&rsv);
	cr_expect(!rsv.name && rsv.owner_kind == -1);
	cr_expect_str_eq(copy.name, "biz");
	cr_expect_str_eq(copy.owner, "tom");
	cr_expect_str_eq(copy.hosts, "n[1-3]");
	cr_expect_str_eq(copy.charge_account, "jup");
	cr_expect_str_eq(copy.subtype, "mine");
	cr_expect_str_eq(copy.partition, "batch");
	cr_expect_str_eq(copy.made_by, "root");
	cr_expect(copy.acl.count == 2 && copy.acl.list[1].value == 3600);
	cr_expect_str_eq(copy.acl.list[0].name, "amy");
	cr_expect(copy.acl.list[1].required && !copy.acl.list[1].name);
	cr_expect_str_eq(copy.triggers[0].data, "/bin/true");
	cr_expect(copy.features.count == 2);
	cr_expect_str_eq(copy.features.list[1], "fddi");
	cr_expect(copy.task_count == 4 && copy.depth == 7 && copy.task.mem_mb == 512);
	maui_rsv_finish(&copy);
}

Test(rsv, of_nothing)
{
	struct maui_rsv rsv = { 0 }, copy;

	cr_assert(maui_rsv_copy(&rsv, &copy) == 0);
	maui_rsv_finish(&copy);
	maui_rsv_finish(&rsv);
	maui_rsv_finish(&rsv);
}

Test(rsv, names_of_instances)
{
	const struct maui_rsv rsv = { .name = (char *)"biz" };
	struct maui_arena arena = { 0 };

	cr_expect_str_eq(maui_rsv_stable_name(&rsv, 20261122, "", &arena), "biz.20261122");
	cr_expect_str_eq(maui_rsv_stable_name(&rsv, 0, "maui.", &arena), "maui.biz.0");
	cr_expect_str_eq(maui_rsv_ordinal_name(&rsv, 4294967295, &arena), "biz.4294967295");
	maui_arena_finish(&arena);
}
