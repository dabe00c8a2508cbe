/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_acl.c - cases of the feature "acl": which reservations let a job in
 *
 * Each case is asked both ways: one reservation after the other, and by the table that a plan uses.
 *
 * Rules: ACL-1, ACL-2, ACL-3, ACL-4, ACL-5, ACL-6, ACL-7, ACL-8, ACL-9, ACL-11, ACL-13.
 */

#include "golden.h"

#include <stdlib.h>
#include <string.h>

#include "reservation/access/access.h"

/* A question, and the result. */
struct acl_case {
	struct golden_case *c;
	const struct maui_config *config;
	struct maui_access_job job;
	int64_t walltime_s, start_s; /* start -1: none, overlaps for all of its time */
	bool granted;
};

static void read_job(struct acl_case *a, json_object *job)
{
	const struct maui_cred_config *qos;

	golden_check_known(a->c, job, "inputs.job",
			   "user group account qos class start wclimit advres tasks procs "
			   "preemptee");
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		a->job.cred[k] = golden_get_text(job, maui_cred_name((enum maui_cred_kind)k));
	qos = maui_config_cred(a->config, MAUI_CRED_QOS, a->job.cred[MAUI_CRED_QOS]);
	a->job.advres = golden_get_text(job, "advres");
	a->job.tasks = golden_get_int(job, "tasks", 1);
	a->job.procs = golden_get_int(job, "procs", 1);
	a->job.preemptee = golden_get_bool(job, "preemptee", false);
	a->job.ignore_time = qos->flags >> MAUI_QOS_IGNSRMAXTIME & 1;
	a->job.use_reserved = qos->flags >> MAUI_QOS_USERESERVED & 1;
	a->job.use_only = qos->use_reserved;
	a->walltime_s = golden_get_int(job, "wclimit", 0);
	a->start_s = golden_get_int(job, "start", -1);
}

/* min(ends) - max(starts) */
static int64_t overlap(const struct acl_case *a, json_object *rsv)
{
	int64_t start = golden_get_int(rsv, "start", a->start_s);
	int64_t end = golden_get_int(rsv, "end", MAUI_NEVER), job_end;

	if (a->start_s < 0)
		return a->walltime_s;
	job_end = a->start_s + a->walltime_s;
	if (start < a->start_s)
		start = a->start_s;
	if (end > job_end)
		end = job_end;
	return end > start ? end - start : 0;
}

static int find_rsv(const struct acl_case *a, const char *name)
{
	for (size_t i = 0; name && i < a->config->rsv_count; i++)
		if (strcmp(a->config->rsvs[i].name, name) == 0)
			return (int)i;
	golden_fault(a->c, "inputs.reservations: no SRCFG[%s]", name ? name : "?");
	return -1;
}

static const char *affinity_name(int affinity)
{
	return affinity == MAUI_AFFINITY_NEGATIVE ? "negative" :
	       affinity == MAUI_AFFINITY_NEUTRAL  ? "neutral" :
						    "positive";
}

static const char *const whys[] = {
	[MAUI_ENTRY_OK] = "ok",           [MAUI_ENTRY_NOT] = "not",
	[MAUI_ENTRY_BYNAME] = "byname",   [MAUI_ENTRY_EMPTY] = "empty",
	[MAUI_ENTRY_DENY] = "deny",       [MAUI_ENTRY_REQUIRED] = "required",
	[MAUI_ENTRY_NOMATCH] = "nomatch",
};

/* The table of a job that may run anywhere contains only the reservations that admit it by
 * themselves. */
static void check_table(struct acl_case *a, const struct maui_access_table *table, int group,
			int64_t overlap_s, bool granted, enum maui_affinity affinity)
{
	const struct maui_access *access = maui_access_find(table, (uint32_t)group);

	if (table->only || overlap_s <= 0)
		return;
	if (granted != (access && overlap_s <= access->overlap_s))
		golden_fault(a->c, "%s: the table %s", a->config->rsvs[group].name,
			     granted ? "keeps it out" : "lets it in");
	else if (granted && maui_access_affinity(access, overlap_s) != (int)affinity)
		golden_fault(a->c, "%s: the affinity is %s, of the table %s",
			     a->config->rsvs[group].name, affinity_name(affinity),
			     affinity_name(maui_access_affinity(access, overlap_s)));
}

static void run_one(struct acl_case *a, const struct maui_access_table *table, int group,
		    int64_t overlap_s, json_object *expected)
{
	const struct maui_rsv *rsv = &a->config->rsvs[group];
	enum maui_affinity affinity = MAUI_AFFINITY_NEUTRAL;
	enum maui_entry entry = maui_access_check(rsv, &a->job, overlap_s, &affinity);
	bool granted = entry == MAUI_ENTRY_OK || entry == MAUI_ENTRY_NOT;

	golden_check_known(a->c, expected, "expected.per_reservation[]",
			   "reservation granted affinity reason why");
	golden_expect_text(a->c, expected, "reservation", rsv->name);
	golden_expect_bool(a->c, expected, "granted", granted);
	golden_expect_text(a->c, expected, "affinity", granted ? affinity_name(affinity) : NULL);
	golden_expect_text(a->c, expected, "why", whys[entry]); /* "reason" is informational */
	check_table(a, table, group, overlap_s, granted, affinity);
	a->granted = a->granted && granted;
}

/* shorter: {overlap, affinity} of shorter overlaps with another affinity, ascending. */
static void expect_shorter(struct acl_case *a, json_object *want, const struct maui_access *access)
{
	json_object *list = golden_get(want, "shorter");
	size_t count = list ? json_object_array_length(list) : 0;

	if (count != access->shorter_count) {
		golden_fault(a->c, "shorter: expected %zu, got %u", count, access->shorter_count);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		json_object *one = json_object_array_get_idx(list, i);

		golden_check_known(a->c, one, "expected.table[].shorter[]", "overlap affinity");
		golden_expect_int(a->c, one, "overlap", access->shorter[i].overlap_s);
		golden_expect_text(a->c, one, "affinity",
				   affinity_name(access->shorter[i].affinity));
	}
}

/* expected.table: the job's own reservations, how, for how long; null: any time. */
static void expect_table(struct acl_case *a, const struct maui_access_table *table)
{
	json_object *list = golden_get(a->c->expected, "table");
	uint32_t own_nodes = 0;

	golden_expect_bool(a->c, a->c->expected, "only", table->only);
	if (!list)
		return;
	for (uint32_t i = 0; i < table->count; i++)
		own_nodes += table->list[i].own;
	if (json_object_array_length(list) != own_nodes) {
		golden_fault(a->c, "table: expected %zu entries, got %u",
			     json_object_array_length(list), own_nodes);
		return;
	}
	own_nodes = 0;
	for (uint32_t i = 0; i < table->count; i++) {
		json_object *want = json_object_array_get_idx(list, own_nodes);
		const struct maui_access *access = &table->list[i];

		if (!access->own)
			continue;
		own_nodes++;
		golden_check_known(a->c, want, "expected.table[]",
				   "reservation affinity overlap shorter");
		golden_expect_text(a->c, want, "reservation", a->config->rsvs[access->rsv].name);
		golden_expect_text(a->c, want, "affinity", affinity_name(access->affinity));
		if (!golden_get(want, "overlap") != (access->overlap_s == MAUI_NEVER))
			golden_fault(a->c, "table[%u]: overlap is or is not limited", i);
		else if (access->overlap_s != MAUI_NEVER)
			golden_expect_int(a->c, want, "overlap", access->overlap_s);
		expect_shorter(a, want, access);
	}
}

static void run_list(struct acl_case *a, const struct maui_access_table *table)
{
	json_object *rsvs = golden_get(a->c->inputs, "reservations");
	json_object *want = golden_get(a->c->expected, "per_reservation");
	size_t named = rsvs ? json_object_array_length(rsvs) : 0;
	size_t count = named ? named : a->config->rsv_count;

	if (want && json_object_array_length(want) != count) {
		golden_fault(a->c, "expected.per_reservation: not as many");
		return;
	}
	for (size_t i = 0; i < count; i++) {
		json_object *rsv = named ? json_object_array_get_idx(rsvs, i) : NULL;
		int group = named ? find_rsv(a, golden_get_text(rsv, "name")) : (int)i;

		golden_check_known(a->c, rsv, "inputs.reservations[]", "name start end");
		if (group >= 0)
			run_one(a, table, group, overlap(a, rsv),
				want ? json_object_array_get_idx(want, i) : NULL);
	}
}

static void run_case(struct acl_case *a)
{
	const struct maui_rsv **list = calloc(a->config->rsv_count + 1, sizeof(*list));
	struct maui_access_index *index = NULL;
	const struct maui_access_table *table = NULL;
	struct maui_arena arena = { 0 };

	for (size_t i = 0; list && i < a->config->rsv_count; i++)
		list[i] = &a->config->rsvs[i];
	if (list)
		index = maui_access_index_create(list, (uint32_t)a->config->rsv_count);
	if (index)
		table = maui_access_table(index, &a->job, &arena);
	if (table) {
		a->granted = true;
		run_list(a, table);
		expect_table(a, table);
		golden_expect_bool(a->c, a->c->expected, "granted", a->granted);
	} else {
		golden_fault(a->c, "no memory");
	}
	maui_access_index_destroy(index);
	maui_arena_finish(&arena);
	free(list);
}

void golden_run_acl(struct golden_case *c)
{
	struct maui_config *config = golden_rsv_config(c);
	struct acl_case a = { .c = c, .config = config };

	if (!config)
		return;
	golden_check_known(c, c->inputs, "inputs", "job reservations");
	golden_check_known(c, c->expected, "expected", "granted per_reservation table only");
	read_job(&a, golden_get(c->inputs, "job"));
	run_case(&a);
	maui_config_unref(config);
}
