/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_old_files.c - files of an earlier release, with all members, are read as they were meant
 *
 * state-0.1.0.json and plan-0.1.0.json are as release 0.1.0 wrote them, and stay so.
 *
 * Rules: CFG-11, CMD-34.
 */

#include <criterion/criterion.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "state/saved_plan/saved_plan.h"
#include "state/store/store.h"

/* The caller frees. */
static char *read_file(const char *name, size_t *ret_length)
{
	const char *top = getenv("top_srcdir");
	struct maui_err err = { .text = "" };
	char path[4096], *text = NULL;

	snprintf(path, sizeof(path), "%s/testsuite/unit/%s", top ? top : ".", name);
	cr_assert(maui_file_read(path, 1u << 20, &text, ret_length, &err) == 0,
		  "%s; run me by make check", err.text);
	return text;
}

/* ---- what is written again is the same, but for what is 0, false or "" ---- */

static bool is_nothing(json_object *value)
{
	return !value || json_object_is_type(value, json_type_null) ||
	       (json_object_is_type(value, json_type_int) && json_object_get_int64(value) == 0) ||
	       (json_object_is_type(value, json_type_boolean) && !json_object_get_boolean(value)) ||
	       (json_object_is_type(value, json_type_string) && !*json_object_get_string(value));
}

static bool is_number(json_object *value)
{
	return json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double);
}

static void expect_same(json_object *old, json_object *now, const char *path);

static void expect_same_members(json_object *old, json_object *now, const char *path)
{
	char inner[256];

	json_object_object_foreach(old, key, value)
	{
		json_object *other = NULL;

		snprintf(inner, sizeof(inner), "%s.%s", path, key);
		if (json_object_object_get_ex(now, key, &other) || !is_nothing(value))
			expect_same(value, other, inner);
	}
	json_object_object_foreach(now, name, added)
	{
		(void)added;
		cr_expect(json_object_object_get_ex(old, name, NULL), "%s.%s: new", path, name);
	}
}

static void expect_same(json_object *old, json_object *now, const char *path)
{
	char inner[256];

	/* they group components, and are saved as ranks */
	if (strstr(path, ".het_id") && json_object_get_int64(now) > 0)
		return;
	/* "per_job" stands in its place, and has the counts; an old plan is answered without */
	if (strstr(path, ".gres_dealt"))
		return;
	if (is_number(old) && is_number(now)) {
		double one = json_object_get_double(old), two = json_object_get_double(now);

		cr_expect(fabs(one - two) <= 1e-14 * fabs(one), "%s: %.17g, now %.17g", path, one,
			  two);
		return;
	}
	cr_assert(json_object_get_type(old) == json_object_get_type(now), "%s: %s, now %s", path,
		  json_object_to_json_string(old), json_object_to_json_string(now));
	if (json_object_is_type(old, json_type_object)) {
		expect_same_members(old, now, path);
	} else if (json_object_is_type(old, json_type_array)) {
		cr_assert(json_object_array_length(old) == json_object_array_length(now), "%s",
			  path);
		for (size_t i = 0; i < json_object_array_length(old); i++) {
			snprintf(inner, sizeof(inner), "%s[%zu]", path, i);
			expect_same(json_object_array_get_idx(old, i),
				    json_object_array_get_idx(now, i), inner);
		}
	} else {
		cr_expect(json_object_equal(old, now), "%s: %s, now %s", path,
			  json_object_to_json_string(old), json_object_to_json_string(now));
	}
}

static void expect_same_text(const char *old, const char *now, const char *what)
{
	json_object *one = json_tokener_parse(old), *two = json_tokener_parse(now);

	cr_assert(one && two);
	expect_same(one, two, what);
	json_object_put(one);
	json_object_put(two);
}

/* ---- the state ---- */

static void read_state(struct maui_store *ret)
{
	struct maui_err err = { .text = "" };
	size_t length;
	char *text = read_file("state-0.1.0.json", &length);

	cr_assert(maui_store_parse(text, length, ret, &err) == 0, "%s", err.text);
	free(text);
}

Test(old_files, the_state_is_read_whole)
{
	static struct maui_store store;
	const struct maui_rsv *rsv;

	read_state(&store);
	rsv = store.rsvs;
	cr_assert(store.skipped == 0 && store.job_rsv_count == 2 && store.count == 3);
	cr_assert(store.rsv_count == 2 && store.instance_count == 2 && store.mirror_count == 2);
	cr_assert(store.released_count == 3 && store.record_count == 2);
	cr_assert(store.pending_count == 2 && store.trigger_count == 2);
	cr_assert(store.utilisation.count == 2 && store.trial.job_count == 4);
	cr_assert(store.statistics.rows.used == 3);
	cr_expect(store.job_rsvs[0].preempting && !store.job_rsvs[1].preempting);
	cr_expect(rsv->acl.count == 9 && rsv->acl.list[6].value == MAUI_NEVER);
	cr_expect(rsv->end_s == rsv->start_s + 3600 && store.rsvs[1].end_s == MAUI_NEVER);
	cr_expect(rsv->made_uid == 1001 && rsv->made_uid_known);
	cr_expect(rsv->flags == (UINT64_C(1) << MAUI_RSV_FLAG_COUNT) - 1);
	cr_expect(store.instances[0].node_count == 10 && store.instances[1].end_s == MAUI_NEVER);
	cr_expect(store.mirrors[0].nodes == UINT64_MAX);
	cr_expect(store.records[0].job_id_count == 4 && store.records[1].end_s == MAUI_NEVER);
	cr_expect(store.triggers[1].marks[0].hash == UINT64_MAX &&
		  store.triggers[1].marks[0].fired);
	cr_expect(store.statistics.grid[6][2].value[MAUI_FIGURE_XFACTOR] == 2.75);
	cr_expect(store.trial.sums[MAUI_TRIAL_LATER].unknown == 1);
	maui_store_finish(&store);
}

/* A release is tied to what its reservation asked for: the hash must stay the same. */
Test(old_files, the_hash_of_a_reservation_has_not_changed)
{
	static struct maui_store store;

	read_state(&store);
	for (size_t i = 0; i < store.rsv_count; i++)
		cr_expect(maui_store_rsv_hash(&store.rsvs[i]) == store.released[i].hash, "%zu", i);
	maui_store_finish(&store);
}

Test(old_files, nothing_of_the_state_is_lost)
{
	static struct maui_store store;
	struct maui_strbuf out = { 0 };
	size_t length;
	char *text = read_file("state-0.1.0.json", &length);

	read_state(&store);
	maui_store_format(&store, &out);
	expect_same_text(text, out.text, "state");
	maui_strbuf_finish(&out);
	maui_store_finish(&store);
	free(text);
}

/* ---- a saved plan ---- */

Test(old_files, nothing_of_a_saved_plan_is_lost)
{
	struct maui_saved_plan plan;
	struct maui_strbuf out = { 0 };
	struct maui_err err = { .text = "" };
	size_t length;
	char *text = read_file("plan-0.1.0.json", &length);

	cr_assert(maui_saved_plan_read(text, length, &plan, &err) == 0, "%s", err.text);
	cr_expect(plan.rsvs[0]->acl.list[6].value == MAUI_NEVER);
	maui_saved_plan_write(&plan, &out);
	expect_same_text(text, out.text, "plan");
	maui_strbuf_finish(&out);
	maui_saved_plan_finish(&plan);
	free(text);
}
