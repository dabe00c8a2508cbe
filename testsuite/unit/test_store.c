/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_store.c - the state file as text: writing, reading, refusing */
#include "state/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "rows.h"

#define JOB(id, submit, stamp, start, charged, text)                                  \
	{                                                                             \
		.job_id = id, .submit_s = submit, .stamp_s = stamp, .start_s = start, \
		.charged_s = charged, .qos = text                                     \
	}

static char *formatted(const struct maui_store *store)
{
	struct maui_strbuf out = { 0 };
	char *text;

	maui_store_format(store, &out);
	text = maui_strbuf_steal(&out);
	cr_assert(text != NULL);
	return text;
}

static void expect_empty(const struct maui_store *store, const char *name)
{
	cr_expect(!store->jobs && store->count == 0 && !store->source && store->saved_s == 0 &&
			  !store->blocked,
		  "%s: something is left of what was refused", name);
}

/* ---- writing and reading ---- */

Test(store, text)
{
	static const char expected[] =
		"{\"schema\": \"maui.state.v1\", \"saved\": 1763746622, \"jobs\": [\n"
		"{\"id\": 17, \"submit\": 1763740000, \"stamp\": 1763740009, "
		"\"start\": 1763741000, \"charged\": 5622, \"qos\": \"high\"},\n"
		"{\"id\": 4294967295, \"submit\": 5, \"stamp\": 6}\n"
		"]}\n";
	struct maui_store_job jobs[] = {
		JOB(17, 1763740000, 1763740009, 1763741000, 5622, (char *)"high"),
		JOB(UINT32_MAX, 5, 6, 0, 0, NULL),
	};
	struct maui_store store = { .saved_s = 1763746622, .jobs = jobs, .count = 2 };
	char *text;

	text = formatted(&store);
	cr_expect_str_eq(text, expected, "got %s", text);
	free(text);
	maui_store_finish(&store);
	expect_empty(&store, "finish");
	text = formatted(&store);
	cr_expect_str_eq(text, "{\"schema\": \"maui.state.v1\", \"saved\": 0, \"jobs\": [\n]}\n");
	free(text);
}

struct trip {
	const char *name;
	struct maui_store_job job;
};

static const struct trip trips[] = {
	{ "nothing but its identity", JOB(1, 2, 3, 0, 0, NULL) },
	{ "never charged", JOB(1, 2, 3, 4, 0, NULL) },
	{ "the largest", JOB(UINT32_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, NULL) },
	{ "after 2038", JOB(9, 4102444800, 4102444801, 4102444802, 86400, (char *)"low") },
	{ "a QOS without a name", JOB(1, 2, 3, 0, 0, (char *)"") },
	{ "quotes", JOB(1, 2, 3, 0, 0, (char *)"a\"b'c`") },
	{ "backslashes", JOB(1, 2, 3, 0, 0, (char *)"\\a\\\\\\u0041\\") },
	{ "control characters", JOB(1, 2, 3, 0, 0, (char *)"\t\n\r\x01\x1f\x7f") },
	{ "JSON itself", JOB(1, 2, 3, 4, 5, (char *)"\"}]}{\"id\": 3") },
	{ "slashes, percents", JOB(1, 2, 3, 0, 0, (char *)"a/b//%s%n%%") },
	{ "blanks", JOB(1, 2, 3, 0, 0, (char *)"  two  words  ") },
	{ "accents, CJK, an emoji",
	  JOB(1, 2, 3, 0, 0, (char *)"\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80") },
	{ "no UTF-8 at all", JOB(1, 2, 3, 0, 0, (char *)"\xff\xfe\x80 \xc3") },
};

/* Text that was read is written again with the same bytes. */
TEST_ROWS(store, round_trip, trips, row)
{
	struct maui_store_job jobs[] = { row->job, JOB(77, 1, 1, 0, 0, NULL) };
	struct maui_store store = { .saved_s = 1763746622, .jobs = jobs, .count = 2 }, got = { 0 };
	struct maui_err err = { .text = "" };
	const struct maui_store_job *job;
	char *text, *again;

	text = formatted(&store);
	cr_assert(maui_store_parse(text, strlen(text), &got, &err) == 0, "%s: %s in %s", row->name,
		  err.text, text);
	cr_assert(got.count == 2 && got.saved_s == 1763746622, "%s: %s", row->name, text);
	job = &got.jobs[0];
	cr_expect(job->job_id == row->job.job_id && job->submit_s == row->job.submit_s &&
			  job->stamp_s == row->job.stamp_s && job->start_s == row->job.start_s &&
			  job->charged_s == row->job.charged_s,
		  "%s: %s", row->name, text);
	cr_expect(!job->qos == !row->job.qos && (!job->qos || !strcmp(job->qos, row->job.qos)),
		  "%s: qos '%s' in %s", row->name, job->qos ? job->qos : "none", text);
	cr_expect(got.jobs[1].job_id == 77 && !got.jobs[1].qos, "%s: %s", row->name, text);
	again = formatted(&got);
	cr_expect(strcmp(text, again) == 0, "%s: %s became %s", row->name, text, again);
	free(again);
	free(text);
	maui_store_finish(&got);
	maui_store_finish(&store);
}

/* ---- what sched/maui keeps ---- */

Test(store, job_reservations_and_counts)
{
	struct maui_store_place places[] = { { 3, 4, UINT64_C(0xffffffffffff) }, { 9, 1, 17 } };
	struct maui_store_job_rsv job_rsvs[] = {
		{ 18, 5, (char *)"a \"b\"", 1763750000, true, places, 2 },
		{ 18, 5, (char *)"a \"b\"", 1763750000, true, places, 1 },
	};
	struct maui_store_job job = { .job_id = 18,
				      .submit_s = 5,
				      .stamp_s = 6,
				      .bypass = 7,
				      .flags = MAUI_STORE_SUSPENDED,
				      .refusals = 1,
				      .deferrals = 2,
				      .deferred_until_s = 1763750001,
				      .system_priority = 10,
				      .system_priority_added = -5000,
				      .asked_tasks = 3,
				      .asked_procs = 12 };
	struct maui_store store = { .saved_s = 1763746622,
				    .chunk_until_s = 1763746700,
				    .jobs = &job,
				    .count = 1,
				    .job_rsvs = job_rsvs,
				    .job_rsv_count = 2 };
	struct maui_store got;
	struct maui_err err = { .text = "" };
	char *text, *again;

	text = formatted(&store);
	cr_assert(maui_store_parse(text, strlen(text), &got, &err) == 0, "%s in %s", err.text,
		  text);
	cr_expect(got.chunk_until_s == 1763746700 && got.job_rsv_count == 2 && got.count == 1);
	cr_expect(got.job_rsvs[0].job_id == 18 && got.job_rsvs[0].submit_s == 5 &&
		  got.job_rsvs[0].start_s == 1763750000 && got.job_rsvs[0].preempting);
	cr_expect_str_eq(got.job_rsvs[0].partition, "a \"b\"");
	cr_expect(got.job_rsvs[0].place_count == 2 && got.job_rsvs[1].place_count == 1);
	cr_expect(got.job_rsvs[0].places[0].node == 3 && got.job_rsvs[0].places[0].tasks == 4 &&
		  got.job_rsvs[0].places[0].name == UINT64_C(0xffffffffffff));
	cr_expect(got.jobs[0].bypass == 7 && got.jobs[0].flags == MAUI_STORE_SUSPENDED &&
		  got.jobs[0].refusals == 1 && got.jobs[0].deferrals == 2 &&
		  got.jobs[0].deferred_until_s == 1763750001 && got.jobs[0].asked_tasks == 3 &&
		  got.jobs[0].asked_procs == 12 && got.jobs[0].system_priority == 10 &&
		  got.jobs[0].system_priority_added == -5000);
	again = formatted(&got);
	cr_expect_str_eq(text, again);
	free(again);
	free(text);
	maui_store_finish(&got);
	maui_store_finish(&store);
}

static const char *const senseless_promises[] = {
	"5",
	"{}",
	"[]",
	"{\"job\": 1}",
	"{\"job\": 1, \"partition\": \"p\"}",
	"{\"job\": 1, \"partition\": \"p\", \"nodes\": []}",
	"{\"job\": 1, \"partition\": \"p\", \"nodes\": [5]}",
	"{\"job\": 1, \"partition\": \"p\", \"nodes\": [[1, 2]]}",
	"{\"job\": 1, \"partition\": \"p\", \"nodes\": [[1, 2, 3], [-1, 2, 3]]}",
	"{\"job\": 4294967296, \"partition\": \"p\", \"nodes\": [[1, 2, 3]]}",
	"{\"job\": 1, \"partition\": 7, \"nodes\": [[1, 2, 3]]}",
};

/* An invalid job reservation does not invalidate the whole state. */
TEST_ROWS(store, senseless_promise, senseless_promises, row)
{
	struct maui_store got;
	struct maui_err err = { .text = "" };
	char text[512];

	snprintf(text, sizeof(text),
		 "{\"schema\": \"maui.state.v1\", \"saved\": 7, \"promises\": [%s], \"jobs\": []}",
		 *row);
	cr_assert(maui_store_parse(text, strlen(text), &got, &err) == 0, "%s: %s", *row, err.text);
	cr_expect(got.job_rsv_count == 0, "%s", *row);
	maui_store_finish(&got);
}

Test(store, many_jobs)
{
	static struct maui_store_job jobs[20000];
	struct maui_store store = { .saved_s = 1, .jobs = jobs, .count = 20000 }, got = { 0 };
	char *text;

	for (uint32_t i = 1; i <= 20000; i++)
		jobs[i - 1] =
			(struct maui_store_job)JOB(i, i + 1, i + 2, i + 3, i + 4, (char *)"q");
	text = formatted(&store);
	cr_assert(maui_store_parse(text, strlen(text), &got, NULL) == 0);
	cr_assert(got.count == 20000);
	for (uint32_t i = 1; i <= 20000; i++)
		cr_assert(got.jobs[i - 1].job_id == i && got.jobs[i - 1].charged_s == i + 4);
	free(text);
	maui_store_finish(&got);
	maui_store_finish(&store);
}

/* ---- text of any kind ---- */

#define HEAD       "{\"schema\": \"maui.state.v1\", \"saved\": 9, \"jobs\": ["
#define GOOD       "{\"id\": 1, \"submit\": 2, \"stamp\": 3}"
#define NINE_NINES "999999999999999999999999999999"

struct refusal {
	const char *name, *text, *said;
};

static const struct refusal refusals[] = {
	{ "empty", "", "not JSON" },
	{ "blanks", " \n\t ", "not JSON" },
	{ "an FS file", "# fairshare data\nTOTAL 1.0\n", "not JSON: unexpected character" },
	{ "a word", "nonsense", "not JSON" },
	{ "text behind an escape", HEAD "{\"id\": 1, \"qos\": \"\\q\"}]}", "not JSON" },
	{ "no comma", HEAD GOOD GOOD "]}", "not JSON" },
	{ "no bracket", HEAD GOOD "}", "not JSON" },
	{ "text behind it", HEAD GOOD "]}\nmore", "something follows" },
	{ "charged below 0",
	  HEAD "{\"id\": 1, \"submit\": 2, \"stamp\": 3, \"start\": 4, \"charged\": -1}]}",
	  "job 1: a time below 0" },
	/* valid JSON of another shape */
	{ "null", "null", "" },
	{ "true", "true", "" },
	{ "a list", "[1]", "schema 'none'" },
	{ "nothing in it", "{}", "schema 'none'" },
	{ "another release's", "{\"schema\": \"maui.state.v2\", \"saved\": 9, \"jobs\": []}",
	  "schema 'maui.state.v2'" },
	{ "a newer release's", "{\"schema\": \"maui.state.v12\"}",
	  "written by a newer slurm-maui" },
	{ "no release's", "{\"schema\": \"maui.state.v2x\"}", "not a state file of this release" },
	{ "another case", "{\"schema\": \"MAUI.STATE.V1\", \"saved\": 9, \"jobs\": []}",
	  "schema 'MAUI.STATE.V1'" },
	{ "a schema that is no text", "{\"schema\": 1, \"saved\": 9, \"jobs\": []}",
	  "schema 'none'" },
	/* the time of saving */
	{ "never saved", "{\"schema\": \"maui.state.v1\", \"jobs\": []}", "no time of saving" },
	{ "saved at 0", "{\"schema\": \"maui.state.v1\", \"saved\": 0, \"jobs\": []}",
	  "no time of saving" },
	{ "saved before 1970", "{\"schema\": \"maui.state.v1\", \"saved\": -1, \"jobs\": []}",
	  "no time of saving" },
	{ "saved at a text", "{\"schema\": \"maui.state.v1\", \"saved\": \"9\", \"jobs\": []}",
	  "no time of saving" },
	{ "saved at a fraction", "{\"schema\": \"maui.state.v1\", \"saved\": 9.5, \"jobs\": []}",
	  "no time of saving" },
	/* the list */
	{ "no list", "{\"schema\": \"maui.state.v1\", \"saved\": 9}", "no list of jobs" },
	{ "a list that is null", "{\"schema\": \"maui.state.v1\", \"saved\": 9, \"jobs\": null}",
	  "no list of jobs" },
	{ "a list that is none", "{\"schema\": \"maui.state.v1\", \"saved\": 9, \"jobs\": {}}",
	  "no list of jobs" },
	{ "a job that is null", HEAD "null]}", "a job is not an object" },
	{ "a job that is a number", HEAD "1]}", "a job is not an object" },
	{ "a job that is a list", HEAD GOOD ", [1, 2]]}", "a job is not an object" },
	/* ids */
	{ "no id", HEAD "{\"submit\": 2}]}", "a job without an id" },
	{ "id 0", HEAD "{\"id\": 0}]}", "a job without an id" },
	{ "a negative id", HEAD "{\"id\": -1}]}", "a job without an id" },
	{ "an id that is a text", HEAD "{\"id\": \"17\"}]}", "a job without an id" },
	{ "an id with a fraction", HEAD "{\"id\": 17.0}]}", "a job without an id" },
	{ "an id with an exponent", HEAD "{\"id\": 1e3}]}", "a job without an id" },
	{ "an id of 33 bits", HEAD "{\"id\": 4294967296}]}", "a job without an id" },
	{ "an id that wraps to 1", HEAD "{\"id\": 4294967297}]}", "a job without an id" },
	{ "an id of 100 bits", HEAD "{\"id\": " NINE_NINES "}]}", "a job without an id" },
	{ "an id of minus 100 bits", HEAD "{\"id\": -" NINE_NINES "}]}", "a job without an id" },
	{ "after good ones", HEAD GOOD ", " GOOD ", {\"id\": 0}]}", "a job without an id" },
};

TEST_ROWS(store, refused, refusals, row)
{
	struct maui_store store = { .saved_s = 5, .count = 3 };
	struct maui_err err = { .text = "" };

	cr_expect(maui_store_parse(row->text, strlen(row->text), &store, &err) == -1, "%s",
		  row->name);
	cr_expect(strstr(err.text, row->said) != NULL, "%s: expected '%s', got '%s'", row->name,
		  row->said, err.text);
	expect_empty(&store, row->name);
	cr_expect(maui_store_parse(row->text, strlen(row->text), &store, NULL) == -1, "%s",
		  row->name);
}

struct reading {
	const char *name, *fields; /* of the job, behind its id */
	struct maui_store_job job;
};

static const struct reading readings[] = {
	{ "nothing else", "", JOB(1, 0, 0, 0, 0, NULL) },
	{ "fields of a later release", ", \"new\": {\"a\": [1, null]}, \"submit\": 2",
	  JOB(1, 2, 0, 0, 0, NULL) },
	{ "a time that is a text", ", \"submit\": \"2\", \"stamp\": 3", JOB(1, 0, 3, 0, 0, NULL) },
	{ "a time that is a list", ", \"stamp\": [3]", JOB(1, 0, 0, 0, 0, NULL) },
	{ "a time that is null", ", \"start\": null, \"charged\": 5", JOB(1, 0, 0, 0, 5, NULL) },
	{ "a time that is true", ", \"charged\": true", JOB(1, 0, 0, 0, 0, NULL) },
	{ "a time with a fraction", ", \"submit\": 2.5", JOB(1, 0, 0, 0, 0, NULL) },
	{ "not a number", ", \"submit\": NaN, \"stamp\": -Infinity", JOB(1, 0, 0, 0, 0, NULL) },
	{ "beyond 64 bits", ", \"submit\": " NINE_NINES, JOB(1, INT64_MAX, 0, 0, 0, NULL) },
	{ "beyond 63 bits", ", \"submit\": 18446744073709551615",
	  JOB(1, INT64_MAX, 0, 0, 0, NULL) },
	{ "a QOS that is a number", ", \"qos\": 7", JOB(1, 0, 0, 0, 0, NULL) },
	{ "a QOS that is null", ", \"qos\": null", JOB(1, 0, 0, 0, 0, NULL) },
	{ "a QOS that is a list", ", \"qos\": [\"a\"]", JOB(1, 0, 0, 0, 0, NULL) },
	{ "escapes", ", \"qos\": \"\\u00e9\\\"\\/\"", JOB(1, 0, 0, 0, 0, (char *)"\xc3\xa9\"/") },
};

TEST_ROWS(store, read, readings, row)
{
	struct maui_store store = { 0 };
	struct maui_err err = { .text = "" };
	const struct maui_store_job *job;
	char text[512];

	snprintf(text, sizeof(text), HEAD "{\"id\": 1%s}], \"more\": 1}", row->fields);
	cr_assert(maui_store_parse(text, strlen(text), &store, &err) == 0, "%s: %s", row->name,
		  err.text);
	cr_assert(store.count == 1 && store.saved_s == 9 && !store.blocked, "%s", row->name);
	job = &store.jobs[0];
	cr_expect(job->submit_s == row->job.submit_s && job->stamp_s == row->job.stamp_s &&
			  job->start_s == row->job.start_s && job->charged_s == row->job.charged_s,
		  "%s: got submit %lld, stamp %lld, start %lld, charged %lld", row->name,
		  (long long)job->submit_s, (long long)job->stamp_s, (long long)job->start_s,
		  (long long)job->charged_s);
	cr_expect(!job->qos == !row->job.qos && (!job->qos || !strcmp(job->qos, row->job.qos)),
		  "%s: qos '%s'", row->name, job->qos ? job->qos : "none");
	maui_store_finish(&store);
}

/* A file that was cut off is refused, never read in part. */
Test(store, cut_at_every_byte)
{
	static const char text[] =
		HEAD "\n" GOOD ",\n"
		     "{\"id\": 2, \"submit\": 2, \"stamp\": 3, \"start\": 4, \"charged\": 5, "
		     "\"qos\": \"a\\\"b\\u00e9\"}\n]}";
	struct maui_store store = { 0 };
	struct maui_err err;

	for (size_t length = 0; length < sizeof(text) - 1; length++) {
		/* separate memory, so that reading beyond its end is found */
		char *cut = malloc(length + 1);

		cr_assert(cut != NULL);
		memcpy(cut, text, length);
		cut[length] = '\0';
		err.text[0] = '\0';
		cr_expect(maui_store_parse(cut, length, &store, &err) == -1, "byte %zu", length);
		cr_expect(strstr(err.text, "not JSON") != NULL, "byte %zu: %s", length, err.text);
		expect_empty(&store, "cut");
		free(cut);
	}
	cr_assert(maui_store_parse(text, sizeof(text) - 1, &store, &err) == 0, "%s", err.text);
	cr_expect(store.count == 2);
	maui_store_finish(&store);
}

/* Each byte replaced by bytes that mean something to JSON: no crash, and never more jobs. */
Test(store, a_byte_replaced)
{
	static const char text[] = HEAD GOOD ", {\"id\": 2, \"qos\": \"a\\nb\", \"start\": 4}]}";
	static const char bytes[] = { '\0', '"', '\\', '{', '}', '[', ']',  ',',    ':',   '-',
				      '9',  'e', '.',  ' ', '/', 'u', '\n', '\x80', '\xff' };
	struct maui_store store = { 0 };
	char changed[sizeof(text)];

	for (size_t at = 0; at < sizeof(text) - 1; at++)
		for (size_t b = 0; b < sizeof(bytes); b++) {
			memcpy(changed, text, sizeof(text));
			changed[at] = bytes[b];
			if (maui_store_parse(changed, sizeof(text) - 1, &store, NULL) == 0)
				cr_expect(store.count <= 2 && store.saved_s > 0, "%s", changed);
			else
				expect_empty(&store, changed);
			maui_store_finish(&store);
		}
}

struct depth {
	int levels; /* of lists, in the file's object */
	int rc;
};

static const struct depth depths[] = {
	{ 1, 0 },
	{ MAUI_STATE_MAX_DEPTH - 2, 0 },
	{ MAUI_STATE_MAX_DEPTH, -1 },
	{ 31, -1 },
	{ 1000, -1 },
	{ 200000, -1 },
};

TEST_ROWS(store, nesting, depths, row)
{
	static const char head[] =
		"{\"schema\": \"maui.state.v1\", \"saved\": 9, \"jobs\": [], \"x\": ";
	size_t levels = (size_t)row->levels, length = sizeof(head) - 1;
	char *text = malloc(length + 2 * levels + 2);
	struct maui_store store = { 0 };
	struct maui_err err = { .text = "" };

	cr_assert(text != NULL);
	memcpy(text, head, length);
	memset(text + length, '[', levels);
	memset(text + length + levels, ']', levels);
	memcpy(text + length + 2 * levels, "}", 2);
	cr_expect(maui_store_parse(text, strlen(text), &store, &err) == row->rc, "%d levels: %s",
		  row->levels, err.text);
	cr_expect(row->rc == 0 || strstr(err.text, "nesting") != NULL, "%d levels: %s", row->levels,
		  err.text);
	maui_store_finish(&store);
	free(text);
}
