/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rsv.c - copies of reservations, and reservations found by name
 *
 * Rules: RSV-16.
 */
#include "model/rsv.h"
#include "model/rsv_names.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct maui_rsv make(void)
{
	struct maui_rsv rsv = { .name = strdup("biz"),
				.owner_kind = MAUI_CRED_USER,
				.owner = strdup("tom"),
				.hosts = strdup("n[1-3]"),
				.charge_account = strdup("jup"),
				.subtype = strdup("mine"),
				.partition = strdup("batch"),
				.made_by = strdup("root"),
				.task_count = 4,
				.depth = 7,
				.task = { .procs = 2, .mem_mb = 512 },
				.flags = 3 };

	rsv.acl.list = calloc(2, sizeof(*rsv.acl.list));
	rsv.acl.count = rsv.acl.alloc = 2;
	rsv.acl.list[0] = (struct maui_acl_entry){ .kind = MAUI_CRED_USER,
						   .name = strdup("amy"),
						   .affinity = MAUI_AFFINITY_NEGATIVE };
	rsv.acl.list[1] = (struct maui_acl_entry){ .kind = MAUI_ACL_DURATION,
						   .value = 3600,
						   .required = true };
	rsv.triggers = calloc(1, sizeof(*rsv.triggers));
	rsv.trigger_count = rsv.trigger_alloc = 1;
	rsv.triggers[0] =
		(struct maui_trigger){ .event = MAUI_TRIGGER_END, .data = strdup("/bin/true") };
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
	struct maui_rsv rsv = { .name = (char *)"biz" };
	struct maui_arena arena = { 0 };

	cr_expect_str_eq(maui_rsv_stable_name(&rsv, 20261122, "", &arena), "biz.20261122");
	cr_expect_str_eq(maui_rsv_stable_name(&rsv, 0, "maui.", &arena), "maui.biz.0");
	cr_expect_str_eq(maui_rsv_ordinal_name(&rsv, 4294967295, &arena), "biz.4294967295");
	rsv.period = MAUI_RSV_ONCE;
	cr_expect_str_eq(maui_rsv_ordinal_name(&rsv, 0, &arena), "biz");
	maui_arena_finish(&arena);
}

/* Number and day name an instance, each in one spelling (RSV-16). */
static const struct {
	const char *text;
	enum maui_rsv_period period;
	int64_t suffix;
} spellings[] = {
	{ "biz", MAUI_RSV_DAY, -1 },
	{ "biz", MAUI_RSV_ONCE, -1 },
	{ "biz.1", MAUI_RSV_DAY, 1 },
	{ "biz.12", MAUI_RSV_WEEK, 12 },
	{ "biz.0", MAUI_RSV_INFINITY, 0 },
	{ "maui.biz.20261122", MAUI_RSV_DAY, 20261122 },
	{ "maui.biz.0", MAUI_RSV_INFINITY, 0 },
	{ "maui.biz.0", MAUI_RSV_ONCE, 0 },
	{ "biz.20261122", MAUI_RSV_DAY, -2 },
	{ "maui.biz", MAUI_RSV_DAY, -2 },
	{ "maui.biz.1", MAUI_RSV_DAY, -2 },
	{ "maui.biz.0", MAUI_RSV_DAY, -2 },
	{ "maui.biz.20261122", MAUI_RSV_INFINITY, -2 },
	{ "biz.0", MAUI_RSV_ONCE, -2 },
	{ "maui.maui.biz.20261122", MAUI_RSV_DAY, -2 },
	{ "biz.", MAUI_RSV_DAY, -2 },
	{ "biz.x", MAUI_RSV_DAY, -2 },
	{ "bi", MAUI_RSV_DAY, -2 },
	{ "", MAUI_RSV_DAY, -2 },
};

Test(rsv, spellings_of_a_name)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		const struct maui_rsv rsv = { .name = (char *)"biz",
					      .period = spellings[i].period };

		cr_expect_eq(maui_rsv_suffix(&rsv, spellings[i].text, strlen(spellings[i].text)),
			     spellings[i].suffix, "%s", spellings[i].text);
	}
}

/* ---- which ones a name may mean ---- */

static const char *const names[] = { "fix.1",  "biz",   "maui.biz", "biz.1", "night", "biz-x",
				     "b",      "fix.2", "fix.x",    "one.7", "biz!",  "bi",
				     "fix.10", "fix",   "maui.fix", "m.2.3", "\377" };
enum { NAMES = sizeof(names) / sizeof(names[0]) };

static void expect_all_that_are_meant(const struct maui_rsv_names *index, const char *text)
{
	size_t places[MAUI_RSV_FORMS], k = 0;
	size_t count = maui_rsv_names_meant(index, text, places);
	int64_t whole = -1;

	for (size_t i = 0; i < NAMES; i++) {
		const struct maui_rsv rsv = { .name = (char *)names[i] };

		if (strcmp(names[i], text) == 0)
			whole = (int64_t)i;
		if (maui_rsv_suffix(&rsv, text, strlen(text)) != -2)
			cr_expect(k < count && places[k++] == i, "%s: %s", text, names[i]);
	}
	cr_expect(k == count, "%s: %zu instead of %zu", text, count, k);
	cr_expect(maui_rsv_names_place(index, text) == whole, "%s", text);
}

Test(rsv, names_are_found_as_by_asking_all)
{
	const char *const texts[] = {
		"biz",        "biz.1", "biz.20261122", "maui.biz", "maui.biz.1", "maui.maui.biz.1",
		"biz.",       "biz.x", ".1",           "maui.",    "maui.1",     "",
		".",          "b",     "bi.1",         "fix",      "fix.1",      "fix.3",
		"maui.fix.1", "one",   "m.2",          "m",        "m.2.3",      "m.2.3.4",
		"nosuch",     "zzz",   "\377.1",       "\177",     "biz-x.1",    "biz!",
		"1",          "maui"
	};
	struct maui_rsv_names index;

	cr_assert(maui_rsv_names_make(&index, names, NAMES) == 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		expect_all_that_are_meant(&index, texts[i]);
	maui_rsv_names_finish(&index);
	cr_assert(maui_rsv_names_make(&index, NULL, 0) == 0);
	cr_expect(maui_rsv_names_meant(&index, "biz", (size_t[MAUI_RSV_FORMS]){ 0 }) == 0);
	maui_rsv_names_finish(&index);
}

/* As many names as a request can have, among 5,000 reservations. */
Test(rsv, many_names_are_found)
{
	enum { MANY = 5000, ASKED = 340 };
	static char texts[MANY][16];
	static const char *list[MANY];
	size_t places[MAUI_RSV_FORMS], found = 0;
	struct maui_rsv_names index;

	for (size_t i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof(texts[i]), "sr%zu.%zu", i % 100, i);
		list[i] = texts[i];
	}
	cr_assert(maui_rsv_names_make(&index, list, MANY) == 0);
	for (size_t i = 0; i < ASKED; i++)
		found += maui_rsv_names_meant(&index, texts[i * 7], places);
	cr_expect(found == ASKED);
	maui_rsv_names_finish(&index);
}
