/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rights.c - which users may make, change and release reservations
 *
 * Rules: RSV-23, RSV-30, CMD-54.
 */
#include "admin/rights.h"

#include <string.h>

#include "rows.h"

enum { SLURM = 64030, STEVE = 1000 };

struct who {
	const char *text;
	uid_t uid;
	const char *name;
	bool admin;
};

static const struct who people[] = {
	{ "root", 0, "root", true },           { "root without a name", 0, NULL, true },
	{ "SlurmUser", SLURM, "slurm", true }, { "ADMIN1", 2001, "one", true },
	{ "ADMIN2", 2002, "two", true },       { "ADMIN3", 2003, "three", true },
	{ "a user", STEVE, "steve", false },   { "no name", STEVE, NULL, false },
	{ "half a name", STEVE, "on", false }, { "another case", STEVE, "ONE", false },
};

TEST_ROWS(rights, admins, people, row)
{
	struct maui_words lists[3];
	bool admin;

	maui_words_split("root,one", ",", &lists[0]);
	maui_words_split("two", ",", &lists[1]);
	maui_words_split("nobody,three", ",", &lists[2]);
	admin = maui_rights_is_admin(row->uid, row->name, SLURM, lists, 3);
	cr_expect(admin == row->admin, "%s: %d", row->text, admin);
	for (int i = 0; i < 3; i++)
		maui_words_finish(&lists[i]);
}

/* Of the same people: on the first list, on the first two. */
TEST_ROWS(rights, levels, people, row)
{
	struct maui_words lists[3];
	bool second = row->name && strcmp(row->name, "two") == 0;
	bool third = row->name && strcmp(row->name, "three") == 0;

	maui_words_split("root,one", ",", &lists[0]);
	maui_words_split("two", ",", &lists[1]);
	maui_words_split("nobody,three", ",", &lists[2]);
	cr_expect(maui_rights_is_admin(row->uid, row->name, SLURM, lists, 1) ==
			  (row->admin && !second && !third),
		  "%s: ADMIN1", row->text);
	cr_expect(maui_rights_is_admin(row->uid, row->name, SLURM, lists, 2) ==
			  (row->admin && !third),
		  "%s: ADMIN2", row->text);
	for (int i = 0; i < 3; i++)
		maui_words_finish(&lists[i]);
}

Test(rights, all)
{
	struct maui_words lists[3];

	maui_words_split("root", ",", &lists[0]);
	maui_words_split("", ",", &lists[1]);
	maui_words_split("ALL", ",", &lists[2]);
	cr_expect(maui_rights_is_admin(STEVE, "steve", SLURM, lists, 3));
	cr_expect(maui_rights_is_admin(STEVE, NULL, SLURM, lists, 3), "no name");
	cr_expect(!maui_rights_is_admin(STEVE, "steve", SLURM, lists, 2));
	cr_expect(maui_rights_everybody_sees(lists, 3));
	cr_expect(!maui_rights_everybody_sees(lists, 2));
	maui_words_finish(&lists[2]);
	maui_words_split("amy", ",", &lists[2]);
	cr_expect(!maui_rights_everybody_sees(lists, 3));
	for (int i = 0; i < 3; i++)
		maui_words_finish(&lists[i]);
}

/* Whether steve may create, change and release. */
struct case_row {
	const char *text;
	bool any; /* RESCTLPOLICY ANY */
	const char *made_by;
	int owner_kind;
	const char *owner;
	bool creates, changes, releases;
};

static const struct case_row cases[] = {
	{ "another's", false, "root", -1, NULL, false, false, false },
	{ "another's, ANY", true, "root", -1, NULL, true, false, false },
	{ "his own", false, "steve", -1, NULL, false, false, true },
	{ "his own, ANY", true, "steve", -1, NULL, true, true, true },
	{ "he owns it", false, "root", MAUI_CRED_USER, "steve", false, false, true },
	{ "he owns it, ANY", true, "root", MAUI_CRED_USER, "steve", true, false, true },
	{ "a group of his name owns it", true, "root", MAUI_CRED_GROUP, "steve", true, false,
	  false },
	{ "amy owns it", true, "amy", MAUI_CRED_USER, "amy", true, false, false },
	{ "nobody made it", true, NULL, -1, NULL, true, false, false },
};

TEST_ROWS(rights, users, cases, row)
{
	const struct maui_rights steve = { .uid = STEVE, .name = "steve", .any_creates = row->any };
	const struct maui_rights root = { .admin = true };
	struct maui_rsv rsv = { .name = (char *)"x.1",
				.made_by = (char *)row->made_by,
				.owner = (char *)row->owner,
				.owner_kind = row->owner_kind };
	struct maui_query_error error = { 0 };

	cr_expect((maui_rights_create(&steve, &error) == 0) == row->creates, "%s: create",
		  row->text);
	cr_expect((maui_rights_change(&steve, &rsv, &error) == 0) == row->changes, "%s: change",
		  row->text);
	cr_expect((maui_rights_release(&steve, &rsv, &error) == 0) == row->releases, "%s: release",
		  row->text);
	if (!row->releases)
		cr_expect(error.code == MAUI_QUERY_DENIED, "%s: code %d", row->text,
			  (int)error.code);
	cr_expect(maui_rights_create(&root, NULL) == 0 &&
			  maui_rights_change(&root, &rsv, NULL) == 0 &&
			  maui_rights_release(&root, &rsv, NULL) == 0,
		  "%s: root", row->text);
}

Test(rights, a_user_without_a_name_owns_nothing)
{
	const struct maui_rights nobody = { .uid = STEVE, .any_creates = true };
	struct maui_rsv rsv = { .name = (char *)"x.1", .owner_kind = MAUI_CRED_USER };

	cr_expect(maui_rights_create(&nobody, NULL) == -1);
	cr_expect(maui_rights_release(&nobody, &rsv, NULL) == -1);
}

Test(rights, a_job_reservation_is_released_by_its_user)
{
	const struct maui_rights steve = { .uid = STEVE, .name = "steve" };

	cr_expect(maui_rights_release_job(&steve, "17", STEVE, NULL) == 0);
	cr_expect(maui_rights_release_job(&steve, "17", STEVE + 1, NULL) == -1);
	cr_expect(maui_rights_release_job(&steve, "17", (uid_t)-1, NULL) == -1);
}

struct content {
	const char *text;
	uint64_t flags;
	int action; /* of a trigger; -1: none */
	const char *charge;
	int owner_kind;
	const char *owner;
	bool allowed; /* of a user; an administrator may do all of this */
};

#define FLAG(f) (UINT64_C(1) << MAUI_RSV_##f)

static const struct content contents[] = {
	{ "plain", 0, -1, NULL, -1, NULL, true },
	{ "flags", FLAG(BYNAME) | FLAG(SPACEFLEX), -1, NULL, -1, NULL, true },
	{ "pushes jobs off", FLAG(OWNERPREEMPT), -1, NULL, -1, NULL, false },
	{ "ignores conflicts", FLAG(FORCE), -1, NULL, -1, NULL, false },
	{ "cancels itself", 0, MAUI_TRIGGER_CANCEL, NULL, -1, NULL, true },
	{ "runs a program", 0, MAUI_TRIGGER_EXEC, NULL, -1, NULL, false },
	{ "submits", 0, MAUI_TRIGGER_SUBMIT, NULL, -1, NULL, false },
	{ "charges", 0, -1, "physics", -1, NULL, false },
	{ "owned by himself", 0, -1, NULL, MAUI_CRED_USER, "steve", true },
	{ "owned by another", 0, -1, NULL, MAUI_CRED_USER, "amy", false },
	{ "owned by an account", 0, -1, NULL, MAUI_CRED_ACCOUNT, "steve", false },
};

TEST_ROWS(rights, content, contents, row)
{
	struct maui_trigger trigger = { .action = (enum maui_trigger_action)row->action };
	struct maui_rsv rsv = { .flags = row->flags,
				.triggers = &trigger,
				.trigger_count = row->action >= 0,
				.made_by = (char *)"steve",
				.charge_account = (char *)row->charge,
				.owner_kind = row->owner_kind,
				.owner = (char *)row->owner };

	const struct maui_rights root = { .admin = true };
	const struct maui_rights user = { .name = "steve" };

	cr_expect(maui_rights_content(&root, &rsv, NULL) == 0, "%s: refused to root", row->text);
	cr_expect((maui_rights_content(&user, &rsv, NULL) == 0) == row->allowed,
		  "%s: no administrator any more", row->text);
	rsv.by_user = true;
	cr_expect((maui_rights_content(&user, &rsv, NULL) == 0) == row->allowed, "%s", row->text);
	cr_expect((maui_rights_content(&root, &rsv, NULL) == 0) == row->allowed,
		  "%s: a user's, changed by root", row->text);
}

Test(rights, verbs_for_administrators)
{
	const struct maui_rights admin = { .admin = true }, jobs_only = { .uid = 7, .jobs = true };
	struct maui_query_error error;

	for (unsigned i = 0; i < MAUI_VERB_COUNT; i++) {
		bool for_admins = maui_verbs[i]->who == MAUI_WHO_ADMIN;

		cr_expect(maui_rights_use(&admin, maui_verbs[i], &error) == 0, "%s",
			  maui_verbs[i]->name);
		cr_expect(maui_rights_use(&jobs_only, maui_verbs[i], &error) == -for_admins, "%s",
			  maui_verbs[i]->name);
		cr_expect(!for_admins || error.code == MAUI_QUERY_DENIED);
	}
}
