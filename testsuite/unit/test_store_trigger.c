/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_store_trigger.c - triggers in the state file: written and read, of an earlier release */
#include "state/store/store.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

static void parse(const char *text, struct maui_store *ret)
{
	struct maui_err err;

	cr_assert(maui_store_parse(text, strlen(text), ret, &err) == 0, "%s: %s", err.text, text);
	cr_expect(ret->skipped == 0, "%s", text);
}

static void there_and_back(const struct maui_store *store, struct maui_store *ret)
{
	struct maui_strbuf out = { 0 };
	char *text;

	maui_store_format(store, &out);
	text = maui_strbuf_steal(&out);
	cr_assert_not_null(text);
	parse(text, ret);
	free(text);
}

/* A reservation ends when it is released; one that has not begun ends at once. */
Test(store_trigger, one_released_before_it_begins)
{
	struct maui_trigger end = { .event = MAUI_TRIGGER_END,
				    .offset_s = 15,
				    .action = MAUI_TRIGGER_EXEC,
				    .data = (char *)"/bye" };
	struct maui_rsv rsv = { .name = (char *)"x.1",
				.owner_kind = -1,
				.period = MAUI_RSV_ONCE,
				.start_s = 1763750000,
				.end_s = 1763750000,
				.days = 0x7f,
				.depth = 1,
				.triggers = &end,
				.trigger_count = 1 };
	struct maui_store store = { .saved_s = 1 }, back;

	store.rsvs = &rsv;
	store.rsv_count = 1;
	there_and_back(&store, &back);
	cr_assert(back.rsv_count == 1 && back.rsvs[0].trigger_count == 1);
	cr_expect(back.rsvs[0].start_s == rsv.start_s && back.rsvs[0].end_s == rsv.end_s);
	maui_store_finish(&back);
	maui_store_finish(&store);
}

static void expect_marks(const struct maui_store_trigger *trigger,
			 const struct maui_store_mark *marks, size_t count)
{
	cr_assert(trigger->mark_count == count);
	for (size_t i = 0; i < count; i++)
		cr_expect(trigger->marks[i].hash == marks[i].hash &&
				  trigger->marks[i].fired == marks[i].fired &&
				  trigger->marks[i].idle_since_s == marks[i].idle_since_s,
			  "mark %zu", i);
}

Test(store_trigger, fired_triggers_are_read_back)
{
	struct maui_store_mark marks[] = { { UINT64_MAX, true, 0 },
					   { 0, true, 0 },
					   { 0x1a2b, false, 75 } };
	struct maui_store_trigger trigger = { .period = { (char *)"biz", 20261122 },
					      .made_s = 4,
					      .start_s = 5,
					      .end_s = 9,
					      .gone_s = 7,
					      .marks = marks,
					      .mark_count = 3 };

	for (int done = 0; done < 2; done++) {
		struct maui_store store = { .saved_s = 1 }, back;

		trigger.done = done;
		store.triggers = &trigger;
		store.trigger_count = 1;
		there_and_back(&store, &back);
		cr_assert(back.trigger_count == 1);
		cr_expect(back.triggers[0].gone_s == 7 && back.triggers[0].done == done);
		expect_marks(&back.triggers[0], marks, 3);
		maui_store_finish(&back);
		maui_store_finish(&store);
	}
}

/* An earlier release did not say to which triggers the marks belong, or only for some. */
Test(store_trigger, a_state_of_an_earlier_release_is_read)
{
	static const struct maui_store_mark marks[] = { { 0, true, 0 }, { 0, false, 75 } };
	static const struct maui_store_mark known[] = { { 0x1a, true, 0 }, { 0, false, 75 } };
	struct maui_store store;

	parse("{\"schema\": \"maui.state.v1\", \"saved\": 1, \"jobs\": [], \"triggers\": ["
	      "{\"rsv\": \"a\", \"made\": 4, \"marks\": [[true, 0], [false, 75]]}, "
	      "{\"rsv\": \"b\", \"marks\": [[true, 0], [false, 75]], \"forms\": [\"1a\"]}, "
	      "{\"rsv\": \"c\", \"marks\": [[true, 0], [false, 75]], \"forms\": [\"1a\", 7, 8]}]}",
	      &store);
	cr_assert(store.trigger_count == 3);
	expect_marks(&store.triggers[0], marks, 2);
	expect_marks(&store.triggers[1], known, 2);
	expect_marks(&store.triggers[2], known, 2);
	maui_store_finish(&store);
}
