/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_record.c - records as JSON, and back */

#include "record/read.h"
#include "record/write.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INNER_FIELDS(F, R)               \
	F(R, TEXT, name, "of the thing") \
	F(R, INT, count, "")             \
	F(R, BOOL_AS, is_default, "", "default")
MAUI_RECORD(inner, INNER_FIELDS);

#define PART_FIELDS(F, R)    \
	F(R, TEXT, user, "") \
	F(R, TIME, start, "")
MAUI_RECORD(part, PART_FIELDS);

#define ROW_FIELDS(F, R)       \
	F(R, INT, id, "")      \
	F(R, TIME, end, "")    \
	F(R, TEXT, reason, "") \
	F(R, HUNDREDTHS, xfactor, "")
MAUI_RECORD(row, ROW_FIELDS);

#define SUM_FIELDS(F, R)       \
	F(R, TEXT, reason, "") \
	F(R, INT, jobs, "")    \
	F(R, INT_AS, wanted, "", "for")
MAUI_RECORD(sum, SUM_FIELDS);

#define OUTER_FIELDS(F, R)                  \
	F(R, TIME, time, "")                \
	F(R, REAL, real, "")                \
	F(R, ROUNDED, rounded, "")          \
	F(R, TRUE, yes, "")                 \
	F(R, MAYBE_TEXT, maybe, "")         \
	F(R, TEXTS, texts, "")              \
	F(R, INTS, ints, "")                \
	F(R, REALS, reals, "")              \
	F(R, FULL_REALS, full_reals, "")    \
	F(R, ONE, one, "", inner)           \
	F(R, ONE_OR_NULL, none, "", inner)  \
	F(R, PART, part, "", part)          \
	F(R, LIST, list, "", inner)         \
	F(R, MAYBE_LIST, others, "", inner) \
	F(R, COLUMNS, columns, "", row)     \
	F(R, ROWS, rows, "", row)           \
	F(R, MAP, weights, "")              \
	F(R, LABELS, labels, "")            \
	F(R, COUNTS, counts, "")            \
	F(R, MAYBE_INT, task, "", -1)       \
	F(R, MAYBE_TIME, limit, "", 0)      \
	F(R, INT_OR_NULL, rank, "")         \
	F(R, MAYBE_ROWS, moves, "", part)   \
	F(R, MAP_OR_NULL, parts, "")        \
	F(R, KEYED, sums, "", sum)          \
	F(R, RAW, raw, "")
MAUI_RECORD(outer, OUTER_FIELDS);

#define SPARE_FIELDS(F, R)           \
	F(R, TEXT_OR_NULL, user, "") \
	F(R, MAYBE_MAP, weights, "") \
	F(R, MAYBE_RAW, raw, "")     \
	F(R, VALUES, names, "", inner)
MAUI_RECORD(spare, SPARE_FIELDS);

MAUI_RECORD_TYPE(inner, INNER_FIELDS);
MAUI_RECORD_TYPE(part, PART_FIELDS);
MAUI_RECORD_TYPE(row, ROW_FIELDS);
MAUI_RECORD_TYPE(sum, SUM_FIELDS);
MAUI_RECORD_TYPE(outer, OUTER_FIELDS);
MAUI_RECORD_TYPE(spare, SPARE_FIELDS);

static const struct inner things[] = { { "a\"\\\n\x7f\xff", 1, true }, { NULL, -2, false } };
static const struct part whose = { "ann", MAUI_NEVER };
static const struct row rows[] = { { 1, MAUI_NEVER, "x", 0.125 }, { 2, 60, NULL, 2 } };
static const char *const words[] = { "one", "" };
static const int64_t ints[] = { INT64_MIN, INT64_MAX };
static const double reals[] = { 1.0 / 3, -0.5 };
static const double full_reals[] = { 2.0 / 3, -1e14, -0.0, 1e15 };
static const struct maui_pair weights[] = { { "QOS", 0.7 }, { "FS", 3 } };
static const struct maui_label labels[] = { { "le", "0.1" } };
static const struct sum sums[] = { { "a limit", 1, 2 }, { "held", 3, 4 } };

static const struct maui_count counts[] = { { "busy", 2 }, { "down", INT64_MIN } };

static const struct outer full = {
	.time = 1763740000,
	.real = 0.7,
	.rounded = 2.0 / 3,
	.yes = true,
	.maybe = "m",
	.texts = words,
	.texts_count = 2,
	.ints = ints,
	.ints_count = 2,
	.reals = reals,
	.reals_count = 2,
	.full_reals = full_reals,
	.full_reals_count = 4,
	.one = &things[0],
	.none = &things[1],
	.part = &whose,
	.list = things,
	.list_count = 2,
	.others = things,
	.others_count = 1,
	.columns = 3,
	.rows = rows,
	.rows_count = 2,
	.weights = weights,
	.weights_count = 2,
	.labels = labels,
	.labels_count = 1,
	.counts = counts,
	.counts_count = 2,
	.task = 0,
	.limit = MAUI_NEVER,
	.rank = 3,
	.moves = &whose,
	.moves_count = 1,
	.parts = weights,
	.parts_count = 1,
	.sums = sums,
	.sums_count = 2,
	.raw = { .text = "{\"any\":[1]}" },
};

static const char full_text[] =
	"{\"time\":1763740000,\"real\":0.7,\"rounded\":0.6667,\"yes\":true,\"maybe\":\"m\","
	"\"texts\":[\"one\",\"\"],\"ints\":[-9223372036854775808,9223372036854775807],"
	"\"reals\":[0.3333,-0.5000],"
	"\"full_reals\":[0.666666666666667,-100000000000000.0,0.0,1e+15],"
	"\"one\":{\"name\":\"a\\u0022\\u005c\\u000a\\u007f\xff\",\"count\":1,\"default\":true},"
	"\"none\":{\"name\":null,\"count\":-2,\"default\":false},\"user\":\"ann\",\"start\":null,"
	"\"list\":[{\"name\":\"a\\u0022\\u005c\\u000a\\u007f\xff\",\"count\":1,\"default\":true},"
	"{\"name\":null,\"count\":-2,\"default\":false}],"
	"\"others\":[{\"name\":\"a\\u0022\\u005c\\u000a\\u007f\xff\",\"count\":1,"
	"\"default\":true}],"
	"\"columns\":[\"id\",\"end\",\"reason\"],\"rows\":[[1,null,\"x\"],[2,60,null]],"
	"\"weights\":{\"QOS\":0.7,\"FS\":3.0},\"labels\":{\"le\":\"0.1\"},"
	"\"counts\":{\"busy\":2,\"down\":-9223372036854775808},\"task\":0,\"limit\":null,\"rank\":3,"
	"\"moves\":[[\"ann\",null]],\"parts\":{\"QOS\":0.7},"
	"\"sums\":{\"a limit\":{\"jobs\":1,\"for\":2},\"held\":{\"jobs\":3,\"for\":4}},"
	"\"raw\":{\"any\":[1]}}";

static struct maui_arena arena;

static void finish(void)
{
	maui_arena_finish(&arena);
}

TestSuite(record, .fini = finish);

static void written(const struct maui_record_type *type, const void *record, const char *expected)
{
	struct maui_strbuf out = { 0 };

	maui_record_write(&out, type, record);
	cr_assert(!out.failed);
	cr_expect_str_eq(out.text, expected, "%s\n%s", out.text, expected);
	maui_strbuf_finish(&out);
}

/* Reads a text, leniently without err. */
static int read_text(const struct maui_record_type *type, const char *text, void *ret,
		     struct maui_err *err)
{
	const struct maui_record_reader r = { .arena = &arena, .err = err };
	json_object *object = json_tokener_parse(text);
	int rc;

	cr_assert(object, "%s", text);
	rc = maui_record_read(&r, type, object, ret);
	/* texts are borrowed from it: kept until the test's process ends */
	return rc;
}

Test(record, every_kind_is_written)
{
	written(&outer_type, &full, full_text);
}

Test(record, an_object_has_all_members)
{
	json_object *object = maui_record_object(&sum_type, &sums[0]);

	cr_expect_str_eq(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN),
			 "{\"reason\":\"a limit\",\"jobs\":1,\"for\":2}");
	cr_expect(json_object_object_length(object) == 3);
	json_object_put(object);
}

Test(record, what_is_not_there_is_null_or_absent)
{
	const struct outer empty = {
		.time = MAUI_NEVER, .columns = 4, .task = -1, .rank = MAUI_NEVER
	};

	written(&outer_type, &empty,
		"{\"time\":null,\"real\":0.0,\"rounded\":0.0000,\"texts\":[],\"ints\":[],"
		"\"reals\":[],\"full_reals\":[],\"one\":null,\"none\":null,\"list\":[],"
		"\"columns\":[\"id\",\"end\",\"reason\",\"xfactor\"],\"rows\":[],\"weights\":{},"
		"\"labels\":{},\"counts\":{},\"rank\":null,\"parts\":null,\"sums\":{},\"raw\":null}");
}

Test(record, a_member_that_may_be_missing_is_null_or_absent)
{
	const struct maui_pair half = { "half", 0.5 };
	const struct spare none = { 0 }, some = { .user = "ann",
						  .weights = &half,
						  .weights_count = 1,
						  .raw.text = "[1]",
						  .names = things,
						  .names_count = 2 };
	struct spare back;

	written(&spare_type, &none, "{\"user\":null,\"names\":[]}");
	written(&spare_type, &some,
		"{\"user\":\"ann\",\"weights\":{\"half\":0.5},\"raw\":[1],"
		"\"names\":[\"a\\u0022\\u005c\\u000a\\u007f\xff\",null]}");
	cr_assert(read_text(&spare_type, "{\"user\":null}", &back, NULL) == 0);
	cr_expect(!back.user && !back.weights && !back.raw.json);
	cr_assert(read_text(&spare_type, "{\"user\":\"ann\"}", &back, NULL) == 0);
	cr_expect_str_eq(back.user, "ann");
}

Test(record, what_is_written_is_read_back)
{
	struct outer back;

	cr_assert(read_text(&outer_type, full_text, &back, NULL) == 0);
	cr_expect(back.columns == 0);
	back.columns = 3;
	/* null texts are empty ones to those who read answers; numbers are cut */
	cr_expect_str_eq(back.none->name, "");
	cr_expect_str_eq(back.rows[1].reason, "");
	cr_expect(back.ints[0] == -MAUI_RECORD_MOST && back.ints[1] == MAUI_RECORD_MOST);
	cr_expect(back.rows_count == 2 && back.rows[0].end == MAUI_NEVER && back.rows[1].end == 60);
	cr_expect(back.rows[1].xfactor == 0);
	cr_expect_str_eq(back.one->name, things[0].name);
	cr_expect_str_eq(back.part->user, "ann");
	cr_expect(back.part->start == MAUI_NEVER);
	cr_expect(back.full_reals_count == 4 && back.full_reals[1] == -1e14);
	cr_expect(back.weights[0].value == 0.7 && back.labels_count == 1);
	cr_expect_str_eq(back.maybe, "m");
	cr_expect_str_eq(back.counts[0].key, "busy");
	cr_expect(back.counts[0].value == 2 && back.counts[1].value == -MAUI_RECORD_MOST);
	cr_expect(back.task == 0 && back.limit == MAUI_NEVER && back.rank == 3);
	cr_expect(back.moves_count == 1 && strcmp(back.moves[0].user, "ann") == 0);
	cr_assert(back.counts_count == 2 && back.sums_count == 2 && back.parts_count == 1);
	cr_expect_str_eq(back.sums[1].reason, "held");
	cr_expect(back.sums[1].jobs == 3 && back.sums[1].wanted == 4);
	cr_expect_str_eq(json_object_to_json_string_ext(back.raw.json, JSON_C_TO_STRING_PLAIN),
			 full.raw.text);
}

Test(record, numbers_that_are_absent_or_null)
{
	struct maui_err err = { .text = "" };
	struct outer back;

	cr_assert(read_text(&outer_type, "{}", &back, &err) == 0);
	cr_expect(back.task == -1 && back.limit == 0 && back.rank == MAUI_NEVER && !back.moves);
	cr_assert(read_text(&outer_type,
			    "{\"task\":null,\"limit\":null,\"rank\":null,\"moves\":[]}", &back,
			    &err) == 0,
		  "%s", err.text);
	cr_expect(back.task == -1 && back.limit == MAUI_NEVER && back.rank == MAUI_NEVER);
	cr_assert(read_text(&outer_type, "{\"limit\":9223372036854775807,\"moves\":[]}", &back,
			    &err) == 0,
		  "%s", err.text);
	cr_expect(back.limit == MAUI_NEVER);
	cr_expect(back.moves && back.moves_count == 0);
	cr_assert(read_text(&outer_type, "{\"task\":[],\"rank\":\"1\",\"counts\":{\"a\":\"b\"}}",
			    &back, NULL) == 0);
	cr_expect(back.task == -1 && back.rank == MAUI_NEVER && back.counts[0].value == 0);
}

#define GAUGE_FIELDS(F, R)               \
	F(R, MILLIONTHS, took, "")       \
	F(R, ROUNDED_OR_NULL, share, "") \
	F(R, ROWS_OR_NULL, rows, "", part)
MAUI_RECORD(gauge, GAUGE_FIELDS);
MAUI_RECORD_TYPE(gauge, GAUGE_FIELDS);

Test(record, other_numbers_and_rows_may_be_null)
{
	const struct gauge none = { .share = NAN }, zero = { .took = 1.0 / 3, .rows = &whose };
	struct maui_err err = { .text = "" };
	struct gauge back;

	written(&gauge_type, &none, "{\"took\":0.000000,\"share\":null,\"rows\":null}");
	written(&gauge_type, &zero, "{\"took\":0.333333,\"share\":0.0000,\"rows\":[]}");
	cr_assert(read_text(&gauge_type, "{}", &back, &err) == 0);
	cr_expect(isnan(back.share) && !back.rows);
	cr_assert(read_text(&gauge_type, "{\"share\":null,\"rows\":null}", &back, &err) == 0);
	cr_expect(isnan(back.share) && !back.rows);
	cr_assert(read_text(&gauge_type, "{\"took\":0.25,\"share\":0,\"rows\":[]}", &back, &err) ==
		  0);
	cr_expect(back.took == 0.25 && back.share == 0 && back.rows && back.rows_count == 0);
	cr_assert(read_text(&gauge_type, "{\"share\":\"1\",\"rows\":1}", &back, NULL) == 0);
	cr_expect(isnan(back.share) && !back.rows);
	cr_expect(read_text(&gauge_type, "{\"rows\":1}", &back, &err));
	cr_expect_str_eq(err.text, "rows: not a list");
}

Test(record, rows_are_read_by_the_names_of_their_columns)
{
	struct outer back;

	cr_assert(read_text(&outer_type,
			    "{\"columns\":[\"reason\",\"new\",\"id\"],"
			    "\"rows\":[[\"why\",7,3],[],[\"short\"]]}",
			    &back, NULL) == 0);
	cr_assert(back.rows_count == 3);
	cr_expect_str_eq(back.rows[0].reason, "why");
	cr_expect(back.rows[0].id == 3 && back.rows[0].end == MAUI_NEVER);
	cr_expect_str_eq(back.rows[2].reason, "short");
	cr_expect_str_eq(back.rows[1].reason, "");
}

Test(record, null_in_arguments_is_absent_but_for_times)
{
	struct maui_err err = { .text = "" };
	const struct maui_record_reader r = { .arena = &arena,
					      .err = &err,
					      .null_is_absent = true };
	json_object *object = json_tokener_parse(
		"{\"task\":null,\"limit\":null,\"yes\":null,\"texts\":null,\"one\":{\"count\":null}}");
	struct outer back;

	cr_assert(maui_record_read(&r, &outer_type, object, &back) == 0, "%s", err.text);
	cr_expect(back.task == -1 && back.limit == MAUI_NEVER && !back.yes);
	cr_expect(back.texts_count == 0 && back.one->count == 0);
	json_object_put(object);
}

Test(record, a_lenient_reader_takes_whatever_there_is)
{
	static const char *const texts[] = {
		"{}",
		"[]",
		"1",
		"{\"time\":\"x\",\"texts\":[1,null],\"rows\":{},\"one\":[]}",
		"{\"rows\":[1,{},null],\"list\":[1,null,{\"count\":[]}],\"part\":1,\"user\":[]}",
		"{\"weights\":[],\"labels\":{\"a\":1},\"real\":\"1\",\"ints\":[\"a\",1e300]}",
		"{\"columns\":\"id\",\"rows\":[[1]],\"texts\":[\"a\\u0000b\"],\"one\":null}",
		"{\"counts\":{\"a\":\"x\",\"b\":null},\"sums\":{\"c\":1,\"d\":{\"reason\":[]}}}",
		"{\"counts\":[1],\"sums\":[[]],\"parts\":7,\"raw\":null}",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct outer back;

		cr_expect(read_text(&outer_type, texts[i], &back, NULL) == 0, "%s", texts[i]);
		cr_expect(back.one && back.one->name && *back.one->name == '\0', "%s", texts[i]);
		cr_expect(!back.none, "%s", texts[i]);
		for (size_t t = 0; t < back.texts_count; t++)
			cr_expect(back.texts[t], "%s", texts[i]);
		for (size_t t = 0; t < back.list_count; t++)
			cr_expect(back.list[t].name, "%s", texts[i]);
		for (size_t t = 0; t < back.sums_count; t++)
			cr_expect(back.sums[t].reason, "%s", texts[i]);
	}
}

/* maui reconfigure waits until the number changes. */
Test(record, a_lenient_reader_takes_microseconds_of_the_epoch)
{
	struct inner back;

	cr_assert(read_text(&inner_type, "{\"count\":1763740000123456}", &back, NULL) == 0);
	cr_expect(back.count == INT64_C(1763740000123456));
}

Test(record, a_strict_reader_says_what_is_wrong)
{
	static const struct {
		const char *text, *error;
	} rows_of[] = {
		{ "{\"time\":\"x\"}", "time: not a whole number" },
		{ "{\"time\":1e3}", "time: not a whole number" },
		{ "{\"time\":1000000000000000}", "time: out of range" },
		{ "{\"real\":true}", "real: not a number" },
		{ "{\"yes\":1}", "yes: not true or false" },
		{ "{\"maybe\":1}", "maybe: not a text" },
		{ "{\"maybe\":\"a\\u0000b\"}", "maybe: not a text" },
		{ "{\"texts\":[1]}", "texts: not a list of texts" },
		{ "{\"texts\":[null]}", "texts: not a list of texts" },
		{ "{\"texts\":{}}", "texts: not a list" },
		{ "{\"one\":[]}", "one: not an object" },
		{ "{\"list\":[{},{\"count\":null}]}", "list[1]: count: not a whole number" },
		{ "{\"list\":[1]}", "list[0]: not an object" },
		{ "{\"rows\":[1]}", "rows[0]: not a list" },
		{ "{\"task\":\"x\"}", "task: not a whole number" },
		{ "{\"counts\":{\"a\":0.5}}", "counts: not a whole number" },
		{ "{\"counts\":{\"a\":1.5}}", "counts: not a whole number" },
		{ "{\"counts\":[]}", "counts: not an object" },
		{ "{\"sums\":{\"a\":{},\"b\":{\"jobs\":{}}}}",
		  "sums[1]: jobs: not a whole number" },
		{ "{\"sums\":{\"a\":1}}", "sums[0]: not an object" },
		{ "[]", "it: not an object" },
	};

	for (size_t i = 0; i < sizeof(rows_of) / sizeof(rows_of[0]); i++) {
		struct maui_err err = { .text = "" };
		struct outer back;

		cr_expect(read_text(&outer_type, rows_of[i].text, &back, &err) == -1, "%s",
			  rows_of[i].text);
		cr_expect_str_eq(err.text, rows_of[i].error, "%s: %s", rows_of[i].text, err.text);
	}
}

/* ---- labels ---- */

#define LABELLED_FIELDS(F, R) F(R, LABELS, labels, "")
MAUI_RECORD(labelled, LABELLED_FIELDS);
MAUI_RECORD_TYPE(labelled, LABELLED_FIELDS);

Test(record, a_label_with_several_values_is_a_list)
{
	static const struct maui_label several[] = {
		{ "a", "1" }, { "b", "2" }, { "b", "" }, { "b", "\"" }, { "c", "3" }
	};
	static const char text[] =
		"{\"labels\":{\"a\":\"1\",\"b\":[\"2\",\"\",\"\\u0022\"],\"c\":\"3\"}}";
	const struct labelled record = { .labels = several, .labels_count = 5 };
	struct labelled back;

	written(&labelled_type, &record, text);
	cr_assert(read_text(&labelled_type, text, &back, NULL) == 0);
	cr_assert(back.labels_count == 5);
	for (size_t i = 0; i < 5; i++)
		cr_expect(!strcmp(back.labels[i].key, several[i].key) &&
			  !strcmp(back.labels[i].value, several[i].value));
}

Test(record, labels_of_other_kinds)
{
	static const struct {
		const char *text, *error;
	} rows_of[] = {
		{ "{\"labels\":{\"a\":1}}", "a: not a text" },
		{ "{\"labels\":{\"a\":null}}", "a: not a text" },
		{ "{\"labels\":{\"a\":\"b\\u0000\"}}", "a: not a text" },
		{ "{\"labels\":{\"a\":[\"b\",[]]}}", "a: not a text" },
		{ "{\"labels\":{\"a\":{}}}", "a: not a text" },
		{ "{\"labels\":[]}", "labels: not an object" },
	};
	struct maui_err err = { .text = "" };
	struct labelled back;

	for (size_t i = 0; i < sizeof(rows_of) / sizeof(rows_of[0]); i++) {
		cr_expect(read_text(&labelled_type, rows_of[i].text, &back, NULL) == 0);
		cr_expect(read_text(&labelled_type, rows_of[i].text, &back, &err) == -1);
		cr_expect_str_eq(err.text, rows_of[i].error, "%s: %s", rows_of[i].text, err.text);
	}
	cr_assert(read_text(&labelled_type, "{\"labels\":{\"a\":[]}}", &back, &err) == 0);
	cr_expect(back.labels_count == 1 && *back.labels[0].value == '\0');
}

/* ---- a struct that is declared elsewhere ---- */

enum colour { RED, GREEN };
static const char *const colours[] = { "red", "green", NULL };

struct elsewhere {
	uint32_t id, parent, count;
	int32_t day;
	uint64_t job;
	double exact;
	const char *name;
	enum colour colour;
	const uint32_t *nodes;
	uint32_t node_count;
	const int64_t *amounts;
};

static const struct maui_field elsewhere_fields[] = {
	MAUI_MEMBER(elsewhere, id, "id", COUNT),
	MAUI_MEMBER_USUAL(elsewhere, parent, "parent", COUNT, 7),
	MAUI_MEMBER(elsewhere, day, "day", SMALL),
	MAUI_MEMBER(elsewhere, job, "job", ID),
	MAUI_MEMBER(elsewhere, exact, "exact", EXACT),
	MAUI_MEMBER(elsewhere, name, "name", TEXT),
	{ .key = "colour",
	  .kind = MAUI_KIND_WORD,
	  .at = offsetof(struct elsewhere, colour),
	  .words = colours },
	MAUI_MEMBER_MANY(elsewhere, nodes, node_count, "nodes", INDICES, NULL),
	MAUI_MEMBER(elsewhere, amounts, "amounts", AMOUNTS),
};
static const struct maui_record_type elsewhere_type = {
	.name = "elsewhere",
	.fields = elsewhere_fields,
	.count = sizeof(elsewhere_fields) / sizeof(elsewhere_fields[0]),
	.size = sizeof(struct elsewhere),
	.sparse = true,
};

Test(record, members_with_their_usual_value_are_not_written)
{
	const struct elsewhere usual = { .parent = 7 };

	written(&elsewhere_type, &usual, "{}");
}

Test(record, a_table_describes_a_struct_as_well)
{
	static const uint32_t nodes[] = { 3, UINT32_MAX };
	static const int64_t amounts[] = { 4, 0 };
	const struct elsewhere e = { .id = 1,
				     .day = -5,
				     .job = 9,
				     .exact = 0.1,
				     .name = "n",
				     .colour = GREEN,
				     .nodes = nodes,
				     .node_count = 2,
				     .amounts = amounts };
	const struct maui_record_reader r = { .arena = &arena,
					      .err = &(struct maui_err){ .text = "" },
					      .amount_count = 2 };
	struct maui_strbuf out = { 0 };
	const struct maui_record_writer w = { .out = &out, .amount_count = 2 };
	json_object *object;
	struct elsewhere back;

	maui_record_write_element(&w, &elsewhere_type, &e);
	cr_expect_str_eq(out.text,
			 "{\"id\":1,\"parent\":0,\"day\":-5,\"job\":9,"
			 "\"exact\":0.10000000000000001,\"name\":\"n\",\"colour\":"
			 "\"green\",\"nodes\":[3,4294967295],\"amounts\":[4,0]}",
			 "%s", out.text);
	object = json_tokener_parse(out.text);
	cr_assert(maui_record_read(&r, &elsewhere_type, object, &back) == 0, "%s", r.err->text);
	cr_expect(back.id == 1 && back.parent == 0 && back.day == -5 && back.job == 9);
	cr_expect(back.exact == 0.1 && back.colour == GREEN && back.node_count == 2);
	cr_expect(back.nodes[1] == UINT32_MAX && back.amounts[0] == 4);
	cr_assert(maui_record_read(&r, &elsewhere_type, NULL, &back) == 0);
	cr_expect(back.parent == 7 && !back.name && back.colour == RED);
	json_object_put(object);
	maui_strbuf_finish(&out);
}
