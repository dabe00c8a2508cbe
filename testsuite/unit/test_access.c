/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_access.c - access tables of many reservations; single decisions are golden cases
 *
 * Rules: ACL-12, ACL-14.
 */
#include "reservation/access/access.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "parsed.h"

struct world {
	struct maui_config *config;
	const struct maui_rsv **list;
	struct maui_access_index *index;
	struct maui_arena arena;
};

static struct world make(const char *text)
{
	struct world w = { .config = PARSE_GOOD(text) };

	w.list = calloc(w.config->rsv_count + 1, sizeof(*w.list));
	for (size_t i = 0; i < w.config->rsv_count; i++)
		w.list[i] = &w.config->rsvs[i];
	w.index = maui_access_index_create(w.list, (uint32_t)w.config->rsv_count);
	cr_assert(w.index != NULL);
	return w;
}

static void finish(struct world *w)
{
	maui_access_index_destroy(w->index);
	maui_arena_finish(&w->arena);
	maui_config_unref(w->config);
	free(w->list);
}

Test(access, without_reservations_the_table_is_empty)
{
	struct world w = make("FSDEPTH 3\n");
	struct maui_access_job job = { .cred[MAUI_CRED_USER] = "amy" };
	const struct maui_access_table *table = maui_access_table(w.index, &job, &w.arena);

	cr_assert(table != NULL && table->count == 0 && !table->only);
	cr_expect(maui_access_find(table, 0) == NULL);
	job.advres = "sr";
	table = maui_access_table(w.index, &job, &w.arena);
	cr_expect(table->count == 0 && table->only);
	maui_access_index_destroy(NULL);
	finish(&w);
}

Test(access, a_job_without_credentials)
{
	struct world w = make("SRCFG[a] TASKCOUNT=1 USERLIST=u\nSRCFG[b] TASKCOUNT=1 USERLIST=!u\n"
			      "SRCFG[c] TASKCOUNT=1 TIMELIMIT=60\n");
	struct maui_access_job job = { 0 };
	const struct maui_access_table *table = maui_access_table(w.index, &job, &w.arena);

	cr_assert(table->count == 2);
	cr_expect(table->list[0].rsv == 1 && table->list[0].overlap_s == MAUI_NEVER);
	cr_expect(table->list[1].rsv == 2 && table->list[1].overlap_s == 60);
	finish(&w);
}

/* Without slurmdbd no job has an account, so a NOT list of accounts admits every job. */
Test(access, a_job_without_account_satisfies_a_not_list)
{
	struct world w = make("SRCFG[not] TASKCOUNT=1 ACCOUNTLIST=!phys\n"
			      "SRCFG[xor] TASKCOUNT=1 ACCOUNTLIST=^phys\n"
			      "SRCFG[must] TASKCOUNT=1 ACCOUNTLIST=*!phys USERLIST=u\n"
			      "SRCFG[only] TASKCOUNT=1 ACCOUNTLIST=*!phys\n"
			      "SRCFG[is] TASKCOUNT=1 ACCOUNTLIST=phys\n");
	struct maui_access_job job = { .cred[MAUI_CRED_USER] = "u" };
	const struct maui_access_table *table = maui_access_table(w.index, &job, &w.arena);

	cr_assert(table->count == 4, "%u", table->count);
	for (uint32_t i = 0; i < 4; i++)
		cr_expect(table->list[i].rsv == i && table->list[i].overlap_s == MAUI_NEVER);
	job.cred[MAUI_CRED_ACCOUNT] = "phys";
	table = maui_access_table(w.index, &job, &w.arena);
	cr_expect(table->count == 1 && table->list[0].rsv == 4);
	finish(&w);
}

/* The table built by checking every reservation. */
static uint32_t count_open(const struct world *w, const struct maui_access_job *job)
{
	uint32_t open = 0;

	for (size_t i = 0; i < w->config->rsv_count; i++) {
		enum maui_affinity affinity;

		open += maui_access_check(w->list[i], job, MAUI_NEVER, &affinity) <= MAUI_ENTRY_NOT;
	}
	return open;
}

Test(access, the_index_finds_the_same_as_checking_all)
{
	static char text[200000];
	struct maui_access_job job = { .cred = { "u7", "g3", "a11", "q1", "c2" },
				       .preemptee = true };
	const struct maui_access_table *table;
	struct world w;
	size_t at = 0;

	for (int i = 0; i < 1000; i++)
		at += (size_t)snprintf(
			text + at, sizeof(text) - at,
			"SRCFG[s%d] TASKCOUNT=1 USERLIST=u%d,u%d- GROUPLIST=g%d%s ACCOUNTLIST=%sa%d\n",
			i, i % 97, i % 89, i % 31, i % 7 ? "" : "*", i % 11 ? "" : "!", i % 13);
	w = make(text);
	table = maui_access_table(w.index, &job, &w.arena);
	cr_expect(table->count == count_open(&w, &job) && table->count > 50 && table->count < 400,
		  "%u", table->count);
	for (uint32_t i = 0; i < table->count; i++) {
		cr_expect(i == 0 || table->list[i - 1].rsv < table->list[i].rsv);
		cr_expect(maui_access_find(table, table->list[i].rsv) == &table->list[i]);
	}
	finish(&w);
}

/* Sets the reservations that the job may use; it may run nowhere else. */
static uint32_t count_homes(const struct maui_access_table *table)
{
	uint32_t own_nodes = 0;

	for (uint32_t i = 0; i < table->count; i++)
		own_nodes += table->list[i].own;
	return own_nodes;
}

/* Other reservations that admit the job are in the table, because they may overlap its own. */
Test(access, named_reservations_are_home)
{
	struct world w = make("QOSCFG[q] QFLAGS=USERESERVED\n"
			      "SRCFG[own] TASKCOUNT=1 USERLIST=u FLAGS=BYNAME\n"
			      "SRCFG[open] TASKCOUNT=1 USERLIST=u- TIMELIMIT=*60\n"
			      "SRCFG[byname] TASKCOUNT=1 USERLIST=u FLAGS=BYNAME\n"
			      "SRCFG[shut] TASKCOUNT=1 USERLIST=v\n");
	struct maui_access_job job = { .cred[MAUI_CRED_USER] = "u", .advres = "own" };
	const struct maui_access_table *table = maui_access_table(w.index, &job, &w.arena);

	cr_assert(table->count == 2 && table->only, "%u", table->count);
	cr_expect(table->list[0].rsv == 0 && table->list[0].own);
	cr_expect(table->list[1].rsv == 1 && !table->list[1].own);
	cr_expect(table->list[1].overlap_s == 60);
	job = (struct maui_access_job){ .cred[MAUI_CRED_USER] = "u",
					.use_reserved = true,
					.use_only = "own" };
	table = maui_access_table(w.index, &job, &w.arena);
	cr_expect(table->count == 1 && count_homes(table) == 0 && table->only);
	job.use_only = NULL;
	table = maui_access_table(w.index, &job, &w.arena);
	cr_expect(table->count == 1 && count_homes(table) == 1 && table->only);
	job.use_reserved = false;
	table = maui_access_table(w.index, &job, &w.arena);
	cr_expect(table->count == 1 && count_homes(table) == 1 && !table->only);
	finish(&w);
}

/* A reservation of setres may have the name of an instance. */
Test(access, a_name_of_two_reservations_means_both)
{
	struct world w =
		make("SRCFG[test] TASKCOUNT=1 USERLIST=u\nSRCFG[testA1] TASKCOUNT=1 USERLIST=u\n"
		     "SRCFG[maui.x] TASKCOUNT=1 USERLIST=u\n");
	struct maui_access_job job = { .cred[MAUI_CRED_USER] = "u", .advres = "test.1" };
	const struct maui_access_table *table;

	w.config->rsvs[1].name[4] = '.';
	maui_access_index_destroy(w.index);
	w.index = maui_access_index_create(w.list, (uint32_t)w.config->rsv_count);
	table = maui_access_table(w.index, &job, &w.arena);
	cr_expect(count_homes(table) == 2 && table->only);
	job.advres = "maui.x";
	cr_expect(count_homes(maui_access_table(w.index, &job, &w.arena)) == 1);
	job.advres = "maui.maui.x.20261122";
	cr_expect(count_homes(maui_access_table(w.index, &job, &w.arena)) == 1);
	job.advres = "";
	cr_expect(count_homes(maui_access_table(w.index, &job, &w.arena)) == 0);
	finish(&w);
}

Test(access, a_day_names_one_instance)
{
	struct maui_rsv biz = { .name = (char *)"biz", .period = MAUI_RSV_DAY };
	int32_t days[2] = { 0 };

	cr_expect(maui_rsv_meant_days(&biz, "maui.biz.20261122", days, 2) == 1 &&
		  days[0] == 20261122);
	cr_expect(maui_rsv_meant_days(&biz, "maui.biz.20261123,night,maui.biz.20261125", days, 2) ==
			  2 &&
		  days[0] == 20261123 && days[1] == 20261125);
	cr_expect(maui_rsv_meant_days(&biz, "maui.biz.20261122,biz", days, 2) == -1);
	cr_expect(maui_rsv_meant_days(&biz, "biz.1", days, 2) == -1);
	cr_expect(maui_rsv_meant_days(&biz, "maui.night.20261122", days, 2) == -1);
	cr_expect(maui_rsv_meant_days(&biz, "maui.biz.99999999999999999999", days, 2) == -1);
	cr_expect(maui_rsv_meant_days(&biz, "biz.20261122", days, 2) == -1);
	biz.period = MAUI_RSV_INFINITY;
	cr_expect(maui_rsv_meant_days(&biz, "maui.biz.20261122", days, 2) == -1);
}

/* --reservation=a,b */
Test(access, one_of_several_names_suffices)
{
	struct world w =
		make("SRCFG[biz] TASKCOUNT=1 USERLIST=u\nSRCFG[night] TASKCOUNT=1 USERLIST=u\n"
		     "SRCFG[biz2] TASKCOUNT=1 USERLIST=u FLAGS=BYNAME\n");
	struct maui_access_job job = { .cred[MAUI_CRED_USER] = "u" };
	static const struct {
		const char *names;
		uint32_t count;
	} rows[] = {
		{ "biz,night", 2 },      { "night,nosuch", 1 }, { "maui.biz2.20261122,biz.3", 2 },
		{ "biz,biz.1,biz", 1 },  { ",,biz,", 1 },       { "bi,z", 0 },
		{ "biz2,maui.biz2", 1 }, { "maui.biz", 0 },     { "maui.biz.1,biz.20261122", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct maui_access_table *table;

		job.advres = rows[i].names;
		table = maui_access_table(w.index, &job, &w.arena);
		cr_expect(count_homes(table) == rows[i].count && table->only, "%s: %u",
			  rows[i].names, count_homes(table));
	}
	finish(&w);
}
