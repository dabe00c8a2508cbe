/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_record_files.c - records in files: kinds that only files have, and a forgiving reader */

#include "record/read.h"
#include "record/write.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct spot {
	uint32_t node;
	int64_t tasks;
	uint64_t hash;
	bool fired;
};

struct part {
	const char *name;
	int64_t size;
};

enum colour { RED, GREEN };

struct thing {
	char user[6];
	uint64_t form, flags;
	enum colour colour, shade;
	const char *const *texts;
	size_t text_count;
	const uint32_t *nodes;
	const int64_t *vectors;
	uint32_t node_count;
	double figures[3];
	struct maui_pair *usage;
	size_t usage_count;
	struct part part;
	struct spot *places, *marks;
	size_t place_count, mark_count;
	int64_t number;
	int32_t small;
	uint32_t count;
	double exact;
	struct part *parts, *whole;
	size_t part_count, whole_count;
};

static const char *const colours[] = { "red", "green", NULL };
static const char *const letters[] = { "A", "B", "C", NULL };

#define SPOT(name, member, key, kind)                                                              \
	static const struct maui_field name##_fields[] = { MAUI_MEMBER(spot, member, key, kind) }; \
	static MAUI_RECORD_TABLE(name##_type, spot, name##_fields)

SPOT(nodes, node, "nodes", COUNT);
SPOT(tasks, tasks, "tasks", INT);
SPOT(forms, hash, "forms", HEX);

static const struct maui_field marks_fields[] = {
	MAUI_MEMBER_WITH(spot, fired, "fired", BOOL, .needed = true),
	MAUI_MEMBER_WITH(spot, tasks, "since", INT, .needed = true),
};
static MAUI_RECORD_TABLE(marks_type, spot, marks_fields);

static const struct maui_field part_fields[] = {
	MAUI_MEMBER_WITH(part, name, "name", TEXT, .needed = true),
	MAUI_MEMBER_USUAL(part, size, "size", INT, 7),
};
static MAUI_RECORD_TABLE_WITH(part_type, part, part_fields, .sparse = true, .line = true);

static const struct maui_field inner_fields[] = { MAUI_MEMBER_USUAL(part, size, "size", INT, 7) };
static MAUI_RECORD_TABLE(inner_type, part, inner_fields);

static const struct maui_field thing_fields[] = {
	MAUI_MEMBER_INSIDE(thing, user, "user", CHARS, .always = true),
	MAUI_MEMBER(thing, form, "form", HEX),
	MAUI_MEMBER_WITH(thing, flags, "flags", FLAGS, .words = letters),
	MAUI_MEMBER_WITH(thing, colour, "colour", WORD, .words = colours),
	MAUI_MEMBER_WITH(thing, shade, "shade", WORD, .words = colours, .or_usual = true),
	MAUI_MEMBER_MANY_WITH(thing, texts, text_count, "texts", TEXTS, .or_null = true),
	MAUI_MEMBER_MANY(thing, nodes, node_count, "nodes", INDICES, NULL),
	MAUI_MEMBER_MANY_WITH(thing, vectors, node_count, "vectors", VECTORS, .maybe = true),
	MAUI_MEMBER_INSIDE(thing, figures, "figures", FIGURES, .always = true),
	MAUI_MEMBER_MANY(thing, usage, usage_count, "usage", EXACT_MAP, NULL),
	MAUI_MEMBER_WITH(thing, part, "part", WITHIN, .of = &inner_type),
	MAUI_MEMBER_MANY(thing, places, place_count, "places", VALUES, &nodes_type),
	MAUI_MEMBER_MANY(thing, places, place_count, "tasks", VALUES, &tasks_type),
	MAUI_MEMBER_MANY(thing, marks, mark_count, "marks", ROWS, &marks_type),
	MAUI_MEMBER_MANY(thing, marks, mark_count, "forms", VALUES, &forms_type),
	MAUI_MEMBER(thing, number, "number", INT),
	MAUI_MEMBER(thing, small, "small", SMALL),
	MAUI_MEMBER(thing, count, "count", COUNT),
	MAUI_MEMBER(thing, exact, "exact", EXACT),
	MAUI_MEMBER_MANY(thing, parts, part_count, "parts", LIST, &part_type),
	MAUI_MEMBER_MANY_WITH(thing, whole, whole_count, "whole", LIST, .of = &part_type,
			      .needed = true),
};
static MAUI_RECORD_TABLE(thing_type, thing, thing_fields);

static struct part parts[] = { { "p", 1 }, { "q/", 7 } };
static struct spot places[] = { { 1, 2, 0, false }, { 3, 4, 0, false } };
static struct spot marks[] = { { 0, 5, UINT64_MAX, true }, { 0, 0, 0, false } };
static struct maui_pair usage[] = { { "a\"b", 0.1 }, { "c", 8 } };
static const char *const texts[] = { "t", NULL };
static const uint32_t nodes[] = { 1, 3, 4 };
static const int64_t vectors[] = { 1, 2, 1, 2, 0, 2 };

static const struct thing full = {
	.user = "ann",
	.form = 0x1a2b,
	.flags = 5,
	.colour = GREEN,
	.shade = GREEN,
	.texts = texts,
	.text_count = 2,
	.nodes = nodes,
	.node_count = 3,
	.vectors = vectors,
	.figures = { 1, 0, 2.5 },
	.usage = usage,
	.usage_count = 2,
	.part = { "not there", 3 },
	.places = places,
	.place_count = 2,
	.marks = marks,
	.mark_count = 2,
	.number = -6,
	.exact = 1,
	.parts = parts,
	.part_count = 2,
	.whole = parts,
	.whole_count = 1,
};

static const char full_text[] =
	"{\"user\":\"ann\",\"form\":\"1a2b\",\"flags\":[\"A\",\"C\"],\"colour\":\"green\","
	"\"shade\":\"green\",\"texts\":[\"t\",null],\"nodes\":[1,3,4],"
	"\"vectors\":[[1,2],null,[0,2]],\"figures\":[1,0,2.5],"
	"\"usage\":{\"a\\\"b\":0.10000000000000001,\"c\":8},\"part\":{\"size\":3},"
	"\"places\":[1,3],\"tasks\":[2,4],\"marks\":[[true,5],[false,0]],"
	"\"forms\":[\"ffffffffffffffff\",\"0\"],\"number\":-6,\"exact\":1,"
	"\"parts\":[{\"name\":\"p\",\"size\":1},{\"name\":\"q\\/\"}],"
	"\"whole\":[{\"name\":\"p\",\"size\":1}]}";

static struct maui_arena arena;
static size_t left_out;

static void finish(void)
{
	maui_arena_finish(&arena);
}

TestSuite(record_files, .fini = finish);

static int read_text(const char *text, struct maui_err *err, struct thing *ret)
{
	const struct maui_record_reader r = { .arena = &arena,
					      .err = err,
					      .forgiving = !err,
					      .left_out = &left_out,
					      .amount_count = 2 };
	json_object *object = json_tokener_parse(text);

	cr_assert(object, "%s", text);
	left_out = 0;
	/* texts are borrowed from it: kept until the test's process ends */
	return maui_record_read(&r, &thing_type, object, ret);
}

static void written(const struct thing *thing, bool spaced, const char *expected)
{
	struct maui_strbuf out = { 0 };
	const struct maui_record_writer w = {
		.out = &out, .amount_count = 2, .spaced = spaced, .short_escapes = true
	};

	maui_record_write_element(&w, &thing_type, thing);
	cr_expect_str_eq(out.text, expected, "%s\n%s", out.text, expected);
	maui_strbuf_finish(&out);
}

static void expect_full(const struct thing *t)
{
	cr_expect_str_eq(t->user, "ann");
	cr_expect(t->form == 0x1a2b && t->flags == 5 && t->colour == GREEN && t->shade == GREEN);
	cr_expect(t->vectors && memcmp(t->vectors, vectors, sizeof(vectors)) == 0);
	cr_expect(memcmp(t->figures, full.figures, sizeof(full.figures)) == 0);
	cr_expect(t->usage_count == 2 && t->usage[0].value == 0.1);
	cr_expect_str_eq(t->usage[0].key, "a\"b");
	cr_expect(t->part.size == 3 && !t->part.name);
	cr_expect(t->place_count == 2 && t->places[1].node == 3 && t->places[1].tasks == 4);
	cr_expect(t->mark_count == 2 && t->marks[0].fired && t->marks[0].tasks == 5);
	cr_expect(t->marks[0].hash == UINT64_MAX && t->marks[1].hash == 0);
	cr_expect(t->part_count == 2 && t->parts[1].size == 7);
}

Test(record_files, every_kind_is_written_and_read_back)
{
	struct maui_err err = { .text = "" };
	struct thing back;

	written(&full, false, full_text);
	cr_assert(read_text(full_text, &err, &back) == 0, "%s", err.text);
	expect_full(&back);
	cr_expect(back.text_count == 2 && !back.texts[1]);
}

Test(record_files, a_spaced_writer_makes_lines_of_what_has_lines)
{
	const struct thing t = {
		.user = "\t", .flags = 3, .parts = parts, .part_count = 2, .whole = parts
	};

	written(&t, true,
		"{\"user\": \"\\t\", \"flags\": [\"A\", \"B\"], \"figures\": [0, 0, 0], "
		"\"part\": {\"size\": 0}, \"parts\": [\n{\"name\": \"p\", \"size\": 1},\n"
		"{\"name\": \"q\\/\"}\n], \"whole\": [\n]}");
}

Test(record_files, what_is_absent_has_its_usual_value)
{
	struct thing back;

	cr_assert(read_text("{\"whole\":[]}", NULL, &back) == 0);
	cr_expect(back.part.size == 7 && !*back.user && back.form == 0 && !back.vectors);
	cr_expect(back.whole && !back.parts && left_out == 0);
}

/* What is not as described is absent. */
Test(record_files, a_forgiving_reader_takes_what_it_can)
{
	static const struct {
		const char *text;
		size_t left_out;
	} rows_of[] = {
		{ "\"user\":7,\"form\":[],\"flags\":\"A\",\"number\":1.0,\"exact\":\"1\"", 0 },
		{ "\"number\":\"5\",\"count\":-1,\"texts\":[1],\"part\":[],\"usage\":4", 0 },
		{ "\"count\":4294967296,\"figures\":[1,-1],\"parts\":{},\"tasks\":0", 0 },
		{ "\"figures\":[1,\"x\"],\"nodes\":7,\"user\":null,\"shade\":\"blue\"", 0 },
		{ "\"parts\":[{},7,{\"name\":null},null]", 4 },
		{ "\"new\":{\"a\":[1]},\"figures\":[1e999]", 0 },
	};

	for (size_t i = 0; i < sizeof(rows_of) / sizeof(rows_of[0]); i++) {
		char text[256];
		struct thing back;

		snprintf(text, sizeof(text), "{\"whole\":[],%s}", rows_of[i].text);
		cr_assert(read_text(text, NULL, &back) == 0, "%s", text);
		cr_expect(left_out == rows_of[i].left_out, "%s: %zu left out", text, left_out);
		cr_expect(!*back.user && back.form == 0 && back.number == 0 && back.count == 0 &&
				  back.exact == 0 && back.figures[0] == 0 && back.shade == RED &&
				  back.part_count == 0 && back.part.size == 7,
			  "%s", text);
	}
}

Test(record_files, numbers_of_a_forgiving_reader_are_not_cut)
{
	struct thing back;

	cr_assert(read_text("{\"whole\":[],\"number\":9223372036854775807,\"exact\":1e300,"
			    "\"small\":4294967297}",
			    NULL, &back) == 0);
	cr_expect(back.number == INT64_MAX && back.exact == 1e300);
	/* never a number that looks right */
	cr_expect(back.small == INT32_MAX);
	cr_assert(read_text("{\"whole\":[],\"number\":-9223372036854775808}", NULL, &back) == 0);
	cr_expect(back.number == INT64_MIN);
}

Test(record_files, an_invalid_element_does_not_cost_the_others)
{
	struct thing back;

	cr_assert(read_text("{\"whole\":[],\"parts\":[{\"name\":\"a\"},{\"size\":1},"
			    "{\"name\":\"b\",\"size\":2}]}",
			    NULL, &back) == 0);
	cr_assert(back.part_count == 2 && left_out == 1);
	cr_expect_str_eq(back.parts[1].name, "b");
	cr_expect(back.parts[0].size == 7 && back.parts[1].size == 2);
}

Test(record_files, without_what_it_needs_a_record_is_invalid)
{
	static const char *const invalid[] = {
		"7",
		"{}",
		"{\"whole\":null}",
		"{\"whole\":{}}",
		"{\"whole\":[{\"name\":\"a\"},{\"size\":1}]}",
		"{\"whole\":[],\"colour\":\"blue\"}",
		"{\"whole\":[],\"colour\":0}",
		"{\"whole\":[],\"flags\":[\"A\",\"D\"]}",
		"{\"whole\":[],\"marks\":[[true]]}",
		"{\"whole\":[],\"marks\":[[true,\"1\"]]}",
		"{\"whole\":[],\"marks\":[7]}",
		"{\"whole\":[],\"marks\":[[null,1]]}",
	};
	struct thing back;

	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++)
		cr_expect(read_text(invalid[i], NULL, &back) == -1, "%s", invalid[i]);
}

Test(record_files, a_strict_reader_says_what_is_wrong)
{
	static const struct {
		const char *text, *error;
	} rows_of[] = {
		{ "{}", "whole: absent" },
		{ "{\"whole\":null}", "whole: absent" },
		{ "{\"whole\":[{}]}", "whole[0]: name: absent" },
		{ "{\"whole\":[],\"user\":1}", "user: not a text" },
		{ "{\"whole\":[],\"form\":1}", "form: not a text" },
		{ "{\"whole\":[],\"flags\":[\"D\"]}", "flags: an unknown word" },
		{ "{\"whole\":[],\"colour\":\"blue\"}", "colour: an unknown word" },
		{ "{\"whole\":[],\"vectors\":[[1,2]]}",
		  "vectors: not one for each of another list" },
		{ "{\"whole\":[],\"nodes\":[1],\"vectors\":[[1]]}",
		  "vectors: not one number for each of `amounts`" },
		{ "{\"whole\":[],\"nodes\":[1],\"vectors\":[null]}",
		  "vectors: not one number for each of `amounts`" },
		{ "{\"whole\":[],\"nodes\":[1],\"vectors\":[[1,-1]]}", "vectors: out of range" },
		{ "{\"whole\":[],\"figures\":[-1]}",
		  "figures: not a list of numbers that are at least 0" },
		{ "{\"whole\":[],\"usage\":{\"a\":\"b\"}}", "usage: not a number" },
		{ "{\"whole\":[],\"part\":[]}", "part: not an object" },
		{ "{\"whole\":[],\"places\":[1],\"tasks\":[]}",
		  "tasks: not one for each of another list" },
		{ "{\"whole\":[],\"tasks\":[1]}", "tasks: not one for each of another list" },
		{ "{\"whole\":[],\"places\":[1]}", "tasks: not one for each of another list" },
		{ "{\"whole\":[],\"places\":[1],\"tasks\":null}",
		  "tasks: not one for each of another list" },
		{ "{\"whole\":[],\"places\":[-1]}", "nodes: out of range" },
	};

	for (size_t i = 0; i < sizeof(rows_of) / sizeof(rows_of[0]); i++) {
		struct maui_err err = { .text = "" };
		struct thing back;

		cr_expect(read_text(rows_of[i].text, &err, &back) == -1, "%s", rows_of[i].text);
		cr_expect_str_eq(err.text, rows_of[i].error, "%s: %s", rows_of[i].text, err.text);
	}
}

/* Two lists of values of the same structs; the second one may be of another length. */
Test(record_files, values_of_a_forgiving_reader_are_as_many_as_there_are_structs)
{
	struct thing back;

	cr_assert(read_text("{\"whole\":[],\"places\":[1,2],\"tasks\":[5],\"marks\":[[true,1]],"
			    "\"forms\":[\"1a\",\"2b\"]}",
			    NULL, &back) == 0);
	cr_expect(back.place_count == 2 && back.places[0].tasks == 5 && back.places[1].tasks == 0);
	cr_expect(back.mark_count == 1 && back.marks[0].hash == 0x1a);
	cr_assert(read_text("{\"whole\":[],\"tasks\":[5,6]}", NULL, &back) == 0);
	cr_expect(back.place_count == 0);
}

Test(record_files, a_list_can_be_written_in_pieces)
{
	struct maui_strbuf out = { 0 };
	const struct maui_record_writer w = { .out = &out, .spaced = true };

	maui_strbuf_addf(&out, "{\"a\": 1");
	maui_record_begin_list(&w, "b");
	maui_record_write_element(&w, &part_type, &parts[0]);
	maui_record_write_element(&w, &part_type, &parts[1]);
	maui_record_end_list(&w, &part_type);
	maui_record_begin_list(&w, "c");
	maui_record_end_list(&w, &inner_type);
	cr_expect_str_eq(out.text, "{\"a\": 1, \"b\": [\n{\"name\": \"p\", \"size\": 1},\n"
				   "{\"name\": \"q/\"}\n], \"c\": []");
	maui_strbuf_finish(&out);
}
