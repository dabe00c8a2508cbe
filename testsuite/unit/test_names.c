/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_names.c - names by id, with a name service and a clock of the test's own */
#include "controller/names.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parsed.h"
#include "rows.h"

/* ---- the name service: these stand in for those of the C library ---- */

static struct entry {
	uint32_t id;
	const char *name;
	int rc;           /* the answer when not 0; -1: there is no such entry, rc 0 */
	size_t size;      /* ERANGE for a smaller buffer */
	uint32_t primary; /* group of a user */
} users[8], groups[8];

static atomic_int asked, asked_beside; /* questions so far */
static size_t largest_buffer;          /* that was offered */
static _Atomic int64_t now_s;
static int64_t answer_takes_s;
static atomic_bool hangs; /* the name service gives no answer until that is over */
static atomic_bool stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

time_t time(time_t *ret)
{
	if (ret)
		*ret = now_s;
	return now_s;
}

/* An entry of the table, by name or by id; NULL: rc says what to answer. */
static const struct entry *question(const struct entry *table, const char *name, uint32_t id,
				    size_t size, int *ret_rc)
{
	/* the whole point: slurmctld's threads wait for this lock */
	cr_expect(pthread_mutex_trylock(&lock) == 0, "asked while the lock is held");
	pthread_mutex_unlock(&lock);
	/* whether an id without a name is the name of another is asked beside, and counted apart */
	if (name && !name[strspn(name, "0123456789")]) {
		asked_beside++;
	} else {
		asked++;
		now_s += answer_takes_s;
	}
	while (hangs)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	if (size > largest_buffer)
		largest_buffer = size;
	*ret_rc = 0;
	for (size_t i = 0; i < 8 && table[i].name; i++) {
		if (name ? strcmp(table[i].name, name) != 0 : table[i].id != id)
			continue;
		if (table[i].rc == 0 && size >= table[i].size)
			return &table[i];
		if (table[i].rc != -1)
			*ret_rc = table[i].rc ? table[i].rc : ERANGE;
	}
	return NULL;
}

static int answer_user(const char *name, uid_t uid, struct passwd *pwd, char *buffer, size_t size,
		       struct passwd **ret)
{
	int rc;
	const struct entry *entry = question(users, name, uid, size, &rc);

	*ret = NULL;
	if (entry) {
		*pwd = (struct passwd){ .pw_uid = entry->id,
					.pw_gid = entry->primary,
					.pw_name = strcpy(buffer, entry->name) };
		*ret = pwd;
	}
	return rc;
}

static int answer_group(const char *name, gid_t gid, struct group *grp, char *buffer, size_t size,
			struct group **ret)
{
	int rc;
	const struct entry *entry = question(groups, name, gid, size, &rc);

	*ret = NULL;
	if (entry) {
		*grp = (struct group){ .gr_gid = entry->id,
				       .gr_name = strcpy(buffer, entry->name) };
		*ret = grp;
	}
	return rc;
}

int getpwuid_r(uid_t uid, struct passwd *pwd, char *buffer, size_t size, struct passwd **ret)
{
	return answer_user(NULL, uid, pwd, buffer, size, ret);
}

int getpwnam_r(const char *name, struct passwd *pwd, char *buffer, size_t size, struct passwd **ret)
{
	return answer_user(name, 0, pwd, buffer, size, ret);
}

int getgrgid_r(gid_t gid, struct group *grp, char *buffer, size_t size, struct group **ret)
{
	return answer_group(NULL, gid, grp, buffer, size, ret);
}

int getgrnam_r(const char *name, struct group *grp, char *buffer, size_t size, struct group **ret)
{
	return answer_group(name, 0, grp, buffer, size, ret);
}

static void enter(void)
{
	static const struct entry amy = { .id = 1001, .name = "amy", .primary = 2001 };
	static const struct entry bob = { .id = 1002, .name = "bob" };
	static const struct entry phys = { .id = 2001, .name = "phys" };

	users[0] = amy;
	users[1] = bob;
	groups[0] = phys;
	now_s = 1763746622;
}

TestSuite(names, .init = enter);

static const struct maui_names_patience endless = { 0 };

static void refresh(struct maui_names *names, const struct maui_config *config, bool all,
		    const struct maui_names_patience *patience)
{
	cr_expect(maui_names_refresh(names, &lock, config, all, patience));
	maui_names_wait(names, &lock, patience);
}

/* What was waited for in vain ends. */
static void settle(struct maui_names *names)
{
	cr_assert(!names->errand || maui_errand_is_over(names->errand, 60000));
}

static enum maui_name_state state_of(struct maui_names *names, uint32_t uid)
{
	return maui_names_get_user(names, uid)->state;
}

/* ---- ids that turn up ---- */

Test(names, number_until_asked)
{
	struct maui_names names = { 0 };
	const char *before = maui_names_user(&names, 1001);

	cr_expect_str_eq(before, "1001");
	cr_expect_str_eq(maui_names_group(&names, 0, 2001), "2001");
	cr_expect_str_eq(maui_names_group(&names, 0, 0), "0");
	cr_expect_str_eq(maui_names_user(&names, UINT32_MAX), "4294967295");
	cr_expect(names.wanted && asked == 0, "nobody is asked while a lock is held");
	cr_expect(!maui_names_are_known(&names, 1001, 2001), "nothing is charged yet");
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(!names.wanted && asked == 4, "asked %d times", asked);
	cr_expect_str_eq(maui_names_user(&names, 1001), "amy");
	cr_expect_str_eq(maui_names_group(&names, 0, 2001), "phys");
	cr_expect_str_eq(maui_names_user(&names, UINT32_MAX), "4294967295",
			 "there is no such user");
	cr_expect_str_eq(before, "1001", "a text once given stays");
	cr_expect(!names.wanted, "those known are not wanted again");
	cr_expect(maui_names_are_known(&names, 1001, 2001));
	cr_expect(maui_names_are_known(&names, UINT32_MAX, 0),
		  "he has no name, so it is his number");
	cr_expect(!maui_names_are_known(&names, 1001, 2002), "a group never seen");
	cr_expect(!maui_names_are_known(&names, 1002, 2001), "a user never seen");
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked == 4, "who is known is not asked for again");
	maui_names_finish(&names);
	cr_expect(names.users.slots == NULL && names.groups.slots == NULL);
}

/* The same number as a user and as a group. */
Test(names, users_and_groups_are_apart)
{
	struct maui_names names = { 0 };

	groups[1] = (struct entry){ .id = 1001, .name = "amys" };
	maui_names_user(&names, 1001);
	maui_names_group(&names, 0, 1001);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect_str_eq(maui_names_user(&names, 1001), "amy");
	cr_expect_str_eq(maui_names_group(&names, 0, 1001), "amys");
	maui_names_finish(&names);
}

Test(names, the_own_group_of_a_user)
{
	struct maui_names names = { 0 };

	cr_expect(!maui_names_primary_group(&names, 1001), "the user is not known yet");
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(!maui_names_primary_group(&names, 1001), "the group is not known yet");
	cr_expect(names.wanted);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect_str_eq(maui_names_primary_group(&names, 1001), "phys");
	cr_expect(!maui_names_primary_group(&names, 1003), "no such user");
	maui_names_finish(&names);
}

/* What a user runs is kept over a change of name. */
Test(names, find_user_is_stable)
{
	struct maui_names names = { 0 };
	struct maui_name *amy = maui_names_get_user(&names, 1001);

	amy->active_procs = 12;
	for (uint32_t uid = 5000; uid < 6000; uid++)
		maui_names_user(&names, uid);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(maui_names_get_user(&names, 1001) == amy && amy->active_procs == 12);
	cr_expect(amy->id == 1001 && amy->state == MAUI_NAME_RESOLVED);
	cr_expect_str_eq(amy->text, "amy");
	maui_names_finish(&names);
}

/* ---- users who only ask ---- */

/* A machine with subordinate uids has thousands of users without a name. */
Test(names, strangers_cost_a_cycle_little_and_are_forgotten)
{
	enum { MOST = MAUI_NAMES_MAX_STRANGERS, A_CYCLE = MAUI_NAMES_STRANGERS_A_CYCLE };
	struct maui_names names = { 0 };

	for (uint32_t i = 0; i < MOST; i++)
		cr_assert(maui_names_get_asker(&names, 100000 + i));
	cr_expect(!maui_names_get_asker(&names, 1002), "bob has to wait");
	maui_names_user(&names, 1001);
	maui_names_user(&names, 100000); /* submits a job */
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked == 2 + A_CYCLE, "asked %d times", asked);
	cr_expect_str_eq(maui_names_user(&names, 1001), "amy", "jobs come first");
	cr_assert(maui_names_get_asker(&names, 200000));
	cr_expect(maui_names_get_asker(&names, 1002), "those without a name are forgotten");
	cr_expect(names.users.used == 2 + MOST - A_CYCLE + 1, "%zu", names.users.used);
	cr_expect(state_of(&names, 100000) == MAUI_NAME_UNKNOWN, "a job is not forgotten");
	cr_expect(maui_names_look_up_user(&names, 1002, &lock, &endless));
	cr_expect_str_eq(maui_names_get_asker(&names, 1002)->text, "bob");
	cr_expect(names.strangers == MOST - A_CYCLE, "bob is none");
	maui_names_finish(&names);
}

/* The name service fails for a moment. New strangers are asked about before it. */
Test(names, a_stranger_for_whom_the_name_service_failed_is_looked_up_again)
{
	enum { A_CYCLE = MAUI_NAMES_STRANGERS_A_CYCLE };
	struct maui_names names = { 0 };

	enter();
	users[0].rc = EIO;
	cr_assert(maui_names_get_asker(&names, 1001));
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(maui_names_get_asker(&names, 1001)->state == MAUI_NAME_FAILED);
	users[0].rc = 0;
	for (uint32_t i = 0; i < A_CYCLE; i++)
		cr_assert(maui_names_get_asker(&names, 100000 + i));
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(maui_names_get_asker(&names, 1001)->state == MAUI_NAME_FAILED,
		  "its turn has not come");
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(maui_names_get_asker(&names, 1001)->state == MAUI_NAME_RESOLVED);
	maui_names_finish(&names);
}

/* A request that slurmctld refuses costs its sender nothing. */
Test(names, a_request_makes_no_entry)
{
	struct maui_names names = { 0 };
	char buf[MAUI_NAME_NUMBER_SIZE];

	cr_expect_str_eq(maui_names_known_user(&names, UINT32_MAX, buf), "4294967295");
	cr_expect_str_eq(maui_names_known_group(&names, 0, 2001, buf), "2001");
	cr_expect(!names.wanted && names.users.used == 0 && names.groups.used == 0);
	maui_names_user(&names, 1001);
	maui_names_group(&names, 0, 2001);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect_str_eq(maui_names_known_user(&names, 1001, buf), "amy");
	cr_expect_str_eq(maui_names_known_group(&names, 0, 2001, buf), "phys");
	maui_names_finish(&names);
}

/* Jobs of thousands of users without a name, in the course of time. */
Test(names, few_ids_without_a_name_are_looked_up_again_in_a_cycle)
{
	enum { MOST = 1000, A_CYCLE = MAUI_NAMES_NAMELESS_A_CYCLE, CYCLES = MOST / A_CYCLE + 1 };
	struct maui_names names = { 0 };

	for (uint32_t i = 0; i < MOST; i++)
		cr_assert(maui_names_user(&names, 100000 + i));
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked == MOST && asked_beside == MOST, "new ones at once");
	now_s += 600;
	maui_names_user(&names, 1001);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked == MOST + 1 + A_CYCLE, "asked %d times", asked);
	cr_expect_str_eq(maui_names_user(&names, 1001), "amy");
	for (int cycle = 1; cycle < CYCLES; cycle++)
		maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked == 2 * MOST + 1, "each has its turn: %d", asked);
	maui_names_finish(&names);
}

/* Directories have numbers for names, and subordinate ids are numbers, too. */
Test(names, an_id_is_nobody_who_has_its_number_for_a_name)
{
	struct maui_names names = { 0 };
	char buf[MAUI_NAME_NUMBER_SIZE];

	users[2] = (struct entry){ .id = 5001, .name = "100123" };
	groups[1] = (struct entry){ .id = 5002, .name = "100124" };
	maui_names_user(&names, 100123);
	maui_names_user(&names, 100124);
	maui_names_user(&names, 5001);
	maui_names_group(&names, 0, 100124);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect_str_eq(maui_names_user(&names, 5001), "100123");
	cr_expect_str_eq(maui_names_user(&names, 100123), "+100123");
	cr_expect_str_eq(maui_names_known_user(&names, 100123, buf), "+100123");
	cr_expect_str_eq(maui_names_user(&names, 100124), "100124", "a group is no user");
	cr_expect_str_eq(maui_names_group(&names, 0, 100124), "+100124");
	cr_expect(state_of(&names, 100123) == MAUI_NAME_UNKNOWN);
	users[2].name = "ann";
	now_s += 600;
	maui_names_look_up(&names, &lock, &endless);
	cr_expect_str_eq(maui_names_user(&names, 100123), "100123", "nobody has it now");
	users[2].name = "100123";
	users[2].rc = EIO;
	maui_names_user(&names, 100125);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(state_of(&names, 100125) == MAUI_NAME_UNKNOWN);
	now_s += 600;
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(state_of(&names, 100123) == MAUI_NAME_FAILED, "it is not known whose it is");
	maui_names_finish(&names);
}

/* FS-12 */
Test(names, nobody_leaves_the_own_group_by_a_group_without_a_name)
{
	struct maui_names names = { 0 };
	char buf[MAUI_NAME_NUMBER_SIZE];
	const unsigned both = 1u << MAUI_CRED_USER | 1u << MAUI_CRED_GROUP;

	groups[1] = (struct entry){ .id = 2002, .name = "chem" };
	maui_names_user(&names, 1001);
	maui_names_user(&names, 100000);
	maui_names_group(&names, 1001, 2002);
	maui_names_group(&names, 1001, 200000);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect_str_eq(maui_names_group(&names, 1001, 200000), "phys", "in the same cycle");
	cr_expect_str_eq(maui_names_known_group(&names, 1001, 200000, buf), "phys");
	cr_expect(maui_names_with_names(&names, 1001, 200000) == both);
	cr_expect_str_eq(maui_names_group(&names, 1001, 2002), "chem", "a job's own group");
	cr_expect_str_eq(maui_names_group(&names, 100000, 200000), "200000", "nobody's");
	cr_expect(maui_names_with_names(&names, 100000, 200000) == 0);
	maui_names_finish(&names);
}

/* ---- answers ---- */

struct answer_row {
	const char *name;
	int rc;
	size_t size;
	enum maui_name_state state;
	bool settled;
	int questions;        /* in the first cycle */
	int again, after_600; /* more of them in the next cycle, and ten minutes later */
	size_t buffer;        /* the largest offered; 0: any */
};

#define R MAUI_NAME_RESOLVED
#define U MAUI_NAME_UNKNOWN
#define F MAUI_NAME_FAILED

static const struct answer_row answers[] = {
	{ "resolved", 0, 0, R, true, 1, 0, 0, 0 },
	{ "no such entry", -1, 0, U, true, 1, 0, 1, 0 },
	{ "ENOENT: no such entry", ENOENT, 0, U, true, 1, 0, 1, 0 },
	{ "ESRCH: no such entry", ESRCH, 0, U, true, 1, 0, 1, 0 },
	{ "EBADF: no such entry", EBADF, 0, U, true, 1, 0, 1, 0 },
	{ "EPERM: no such entry", EPERM, 0, U, true, 1, 0, 1, 0 },
	{ "EIO", EIO, 0, F, false, 1, 1, 1, 0 },
	{ "EAGAIN", EAGAIN, 0, F, false, 1, 1, 1, 0 },
	{ "ETIMEDOUT", ETIMEDOUT, 0, F, false, 1, 1, 1, 0 },
	{ "EMFILE", EMFILE, 0, F, false, 1, 1, 1, 0 },
	{ "EINTR", EINTR, 0, F, false, 1, 1, 1, 0 },
	{ "a long entry", 0, 5000, R, true, 2, 0, 0, 16384 },
	{ "a group of thousands", 0, 1000 * 1024, R, true, 5, 0, 0, 1024 * 1024 },
	{ "an endless entry", 0, 1 << 30, F, false, 5, 5, 5, 1024 * 1024 },
};

/* One user and one group with the same answer. */
TEST_ROWS(names, answer, answers, row)
{
	struct maui_names names = { 0 };
	int before;

	enter();
	users[0].rc = groups[0].rc = row->rc;
	users[0].size = groups[0].size = row->size;
	maui_names_user(&names, 1001);
	maui_names_group(&names, 0, 2001);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked == 2 * row->questions, "%s: %d questions", row->name, asked);
	cr_expect(state_of(&names, 1001) == row->state, "%s: state %d", row->name,
		  state_of(&names, 1001));
	cr_expect(maui_names_are_known(&names, 1001, 2001) == row->settled, "%s", row->name);
	cr_expect_str_eq(maui_names_user(&names, 1001), row->state == R ? "amy" : "1001", "%s",
			 row->name);
	cr_expect_str_eq(maui_names_group(&names, 0, 2001), row->state == R ? "phys" : "2001", "%s",
			 row->name);
	cr_expect(!row->buffer || largest_buffer == row->buffer, "%s: %zu bytes", row->name,
		  largest_buffer);
	now_s += 599;
	before = asked;
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked - before == 2 * row->again, "%s: %d questions in the next cycle", row->name,
		  asked - before);
	now_s += 1;
	before = asked;
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked - before == 2 * row->after_600, "%s: %d questions after 10 minutes",
		  row->name, asked - before);
	maui_names_finish(&names);
}

/* One unknown name is enough: both are charged, or none. */
Test(names, one_fails)
{
	struct maui_names names = { 0 };

	groups[0].rc = EIO;
	maui_names_user(&names, 1001);
	maui_names_group(&names, 0, 2001);
	maui_names_look_up(&names, &lock, &endless);
	cr_expect_str_eq(maui_names_user(&names, 1001), "amy");
	cr_expect(!maui_names_are_known(&names, 1001, 2001));
	groups[0].rc = 0;
	users[0].rc = EIO; /* not asked for again: his name is known */
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(maui_names_are_known(&names, 1001, 2001), "the service works again");
	maui_names_finish(&names);
}

/* ---- names in maui.cfg ---- */

static struct maui_config *configured(void)
{
	return PARSE_GOOD("USERCFG[amy] PRIORITY=1\nUSERCFG[bob] PRIORITY=2\n"
			  "USERCFG[nobody_here] PRIORITY=3\nUSERCFG[DEFAULT] PRIORITY=4\n"
			  "GROUPCFG[phys] PRIORITY=5\nACCOUNTCFG[chem] PRIORITY=6\n");
}

/* Users of maui.cfg are known before their first job comes; DEFAULT and accounts are no users. */
Test(names, configured)
{
	struct maui_names names = { 0 };
	struct maui_config *config = configured();

	users[2] = (struct entry){ .id = 1003, .name = "DEFAULT" };
	refresh(&names, config, false, &endless);
	cr_expect(asked == 5, "asked %d times", asked); /* once for root, ADMIN1's default */
	cr_expect(maui_names_are_known(&names, 1001, 2001) &&
		  maui_names_are_known(&names, 1002, 2001));
	cr_expect(!maui_names_are_known(&names, 1003, 2001));
	cr_expect(maui_names_lack(&names, MAUI_CRED_USER, "nobody_here") && names.news > 0);
	cr_expect(!maui_names_lack(&names, MAUI_CRED_USER, "amy") &&
		  !maui_names_lack(&names, MAUI_CRED_USER, "never_asked") &&
		  !maui_names_lack(&names, MAUI_CRED_GROUP, "nobody_here"));
	cr_expect(names.users.used == 2 && names.groups.used == 1, "who does not exist has no id");
	cr_expect_str_eq(maui_names_user(&names, 1001), "amy");
	cr_expect_str_eq(maui_names_user(&names, 1002), "bob");
	cr_expect_str_eq(maui_names_group(&names, 0, 2001), "phys");
	maui_names_finish(&names);
	maui_config_unref(config);
}

/* Administrators may see all jobs from their first question on. */
Test(names, administrators)
{
	struct maui_names names = { 0 };
	struct maui_config *config = PARSE_GOOD("ADMIN1 amy,nobody_here\nADMIN3 bob ALL\n");

	users[2] = (struct entry){ .id = 1003, .name = "ALL" };
	refresh(&names, config, false, &endless);
	cr_expect(names.users.used == 2, "%zu users", (size_t)names.users.used);
	cr_expect_str_eq(maui_names_user(&names, 1001), "amy");
	cr_expect_str_eq(maui_names_user(&names, 1002), "bob");
	maui_names_finish(&names);
	maui_config_unref(config);
}

/* While the service fails nothing is learned of them, and nothing wrong. */
Test(names, configured_but_failing)
{
	struct maui_names names = { 0 };
	struct maui_config *config = configured();

	users[0].rc = users[1].rc = groups[0].rc = EIO;
	refresh(&names, config, true, &endless);
	cr_expect(names.users.used == 0 && names.groups.used == 0);
	maui_names_finish(&names);
	maui_config_unref(config);
}

struct renamed {
	const char *name;
	bool all;
	const char *now; /* the user's name in the service now */
	int rc;
	const char *expected;
};

static const struct renamed renames[] = {
	{ "renamed", true, "anne", 0, "anne" },
	{ "renamed, not looked up again", false, "anne", 0, "amy" },
	{ "unchanged", true, "amy", 0, "amy" },
	{ "the service fails: the name stays", true, "amy", EIO, "amy" },
	{ "deleted: the name stays, the user may have jobs", true, "amy", -1, "amy" },
};

TEST_ROWS(names, refresh, renames, row)
{
	struct maui_config *config = PARSE_GOOD("USERCFG[carl] PRIORITY=1\n");
	struct maui_names names = { 0 };
	const char *before;

	enter();
	maui_names_user(&names, 1001);
	maui_names_group(&names, 0, 2001);
	maui_names_look_up(&names, &lock, &endless);
	before = maui_names_user(&names, 1001);
	users[0].name = row->now;
	users[0].rc = row->rc;
	refresh(&names, config, row->all, &endless);
	cr_expect_str_eq(maui_names_user(&names, 1001), row->expected, "%s: got %s", row->name,
			 maui_names_user(&names, 1001));
	cr_expect_str_eq(before, "amy", "%s: somebody may still read it", row->name);
	cr_expect((before == maui_names_user(&names, 1001)) == !strcmp(row->expected, "amy"), "%s",
		  row->name);
	cr_expect(maui_names_are_known(&names, 1001, 2001), "%s", row->name);
	maui_names_finish(&names);
	maui_config_unref(config);
}

/* ---- patience ---- */

struct patience {
	const char *name;
	int64_t takes_s, deadline_s; /* of an answer; after the start, 0: none */
	bool stops;                  /* the agent */
	int questions;
};

static const struct patience patiences[] = {
	{ "quick", 0, 5, false, 40 },
	{ "slow, no deadline", 10, 0, false, 40 },
	{ "a second each", 1, 5, false, 5 },
	{ "three seconds each", 3, 5, false, 2 },
	{ "a lookup of minutes", 100, 5, false, 1 },
	{ "the agent stops before the first lookup", 0, 0, true, 0 },
};

/* 20 users and 20 groups turned up. A name that was not looked up is as new as before, and comes
 * next. */
TEST_ROWS(names, patience, patiences, row)
{
	struct maui_names_patience patience = { .stop = &stop };
	struct maui_names names = { 0 };

	enter();
	stop = row->stops;
	answer_takes_s = row->takes_s;
	patience.deadline_s = row->deadline_s ? now_s + row->deadline_s : 0;
	for (uint32_t id = 1; id <= 20; id++) {
		maui_names_user(&names, id);
		maui_names_group(&names, 0, id);
	}
	maui_names_look_up(&names, &lock, &patience);
	settle(&names);
	cr_expect(asked == row->questions, "%s: %d questions", row->name, asked);
	answer_takes_s = 0;
	maui_names_look_up(&names, &lock, &endless);
	cr_expect(asked == 40, "%s: %d questions in all", row->name, asked);
	maui_names_finish(&names);
}

/* The same for names of maui.cfg: 20 users, 19 groups, and root, ADMIN1's default. */
TEST_ROWS(names, patience_configured, patiences, row)
{
	struct maui_names_patience patience = { .stop = &stop };
	struct maui_names names = { 0 };
	struct maui_config *config;
	char text[4096];
	size_t length = 0;

	enter();
	for (int i = 1; i <= 20; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "USERCFG[u%d] PRIORITY=1\n", i);
	for (int i = 1; i <= 19; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "GROUPCFG[g%d] PRIORITY=1\n", i);
	config = PARSE_GOOD(text);
	stop = row->stops;
	answer_takes_s = row->takes_s;
	patience.deadline_s = row->deadline_s ? now_s + row->deadline_s : 0;
	cr_expect(maui_names_refresh(&names, &lock, config, true, &patience) ==
			  (row->questions > 0),
		  "%s", row->name);
	maui_names_wait(&names, &lock, &patience);
	settle(&names);
	cr_expect(asked == row->questions, "%s: %d questions", row->name, asked);
	maui_names_finish(&names);
	maui_config_unref(config);
}

/* ---- a name service that hangs ---- */

/* How long the agent waits; asked twice, it waits once. */
static const struct hanging {
	const char *name;
	int64_t deadline_s;
	bool stops;
} hanging[] = {
	{ "until its patience ends", 5, false },
	{ "until slurmctld ends", 0, true },
};

static void *let_time_pass(void *arg)
{
	const struct hanging *row = arg;

	while (asked == 0)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	stop = row->stops;
	now_s += row->deadline_s;
	return NULL;
}

TEST_ROWS(names, hanging, hanging, row)
{
	struct maui_names_patience patience = { .stop = &stop };
	struct maui_names names = { 0 };
	struct maui_config *config = PARSE_GOOD("USERCFG[bob] PRIORITY=1\n");
	pthread_t time_passes;

	enter();
	hangs = true;
	patience.deadline_s = row->deadline_s ? now_s + row->deadline_s : 0;
	maui_names_user(&names, 1001);
	cr_assert(pthread_create(&time_passes, NULL, let_time_pass, (void *)row) == 0);
	maui_names_look_up(&names, &lock, &patience);
	pthread_join(time_passes, NULL);
	cr_expect(names.hangs && state_of(&names, 1001) == MAUI_NAME_NEW, "%s", row->name);
	/* the next cycles go on without waiting: these calls would never return otherwise */
	patience = endless;
	names.wanted = true; /* another new user: each submit would begin a cycle until then */
	maui_names_look_up(&names, &lock, &patience);
	cr_expect(!names.wanted, "%s", row->name);
	cr_expect(!maui_names_look_up_user(&names, 1002, &lock, &patience), "%s", row->name);
	cr_expect(!maui_names_refresh(&names, &lock, config, true, &patience), "%s", row->name);
	cr_expect(asked == 1, "%s: %d questions", row->name, asked);
	/* it answers again */
	hangs = stop = false;
	settle(&names);
	maui_names_look_up(&names, &lock, &patience);
	cr_expect(!names.hangs && state_of(&names, 1001) == MAUI_NAME_RESOLVED, "%s", row->name);
	maui_names_finish(&names);
	maui_config_unref(config);
}

/* What was not asked has no answer: the user is not one without a name. */
Test(names, without_time_nothing_is_asked)
{
	struct maui_names_patience over = { 0 };
	struct maui_names names = { 0 };
	struct maui_config *config = configured();

	enter();
	over.deadline_s = now_s;
	asked = 0;
	cr_expect(!maui_names_look_up_user(&names, 1002, &lock, &over));
	cr_expect(!maui_names_refresh(&names, &lock, config, true, &over), "to be done later");
	cr_expect(asked == 0 && !names.errand);
	maui_names_finish(&names);
	maui_config_unref(config);
}

Test(names, a_hanging_name_service_does_not_delay_the_end)
{
	struct maui_names names = { 0 };
	struct maui_config *config = configured();

	hangs = true;
	cr_expect(maui_names_refresh(&names, &lock, config, true, &endless));
	maui_names_finish(&names);
	cr_expect(!names.errand);
	maui_config_unref(config);
	hangs = false;
}

/* ---- interned texts ---- */

/* test_hashtable.c has texts that share a hash. */
Test(names, each_of_many_texts_is_interned_once)
{
	enum { COUNT = 300000 };
	static const char *texts[COUNT];
	struct maui_names names = { 0 };
	char text[16];

	for (int i = 0; i < COUNT; i++) {
		snprintf(text, sizeof(text), "p%d", i);
		texts[i] = maui_names_intern(&names, text);
		cr_assert(texts[i] != NULL && texts[i] != text);
	}
	cr_expect(names.texts.used == COUNT, "%zu texts", names.texts.used);
	for (int i = 0; i < COUNT; i++) {
		snprintf(text, sizeof(text), "p%d", i);
		cr_assert(strcmp(texts[i], text) == 0, "%s became %s", text, texts[i]);
		cr_assert(maui_names_intern(&names, text) == texts[i], "%s has two copies", text);
	}
	cr_expect_str_eq(maui_names_intern(&names, ""), "");
	maui_names_finish(&names);
}
