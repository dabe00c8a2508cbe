/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_store_trigger.c - what waits for triggers in the state: there and back, of an earlier
 * release */
#include "state/store.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

static void there_and_back(const struct maui_store *store, struct maui_store *ret)
{
	struct maui_strbuf out = { 0 };
	struct maui_err err;
	char *text;

	maui_store_format(store, &out);
	text = maui_strbuf_steal(&out);
	cr_assert_not_null(text);
	cr_assert(maui_store_parse(text, strlen(text), ret, &err) == 0, "%s: %s", err.text, text);
	cr_expect(ret->skipped == 0, "%s", text);
	free(text);
}

/* It ends when it is released, at once when it had not begun. */
Test(store_trigger, one_released_before_it_begins)
{
	struct maui_trigger end = { .event = MAUI_TRIGGER_END, .offset_s = 15,
				    .action = MAUI_TRIGGER_EXEC, .data = (char *)"/bye" };
	struct maui_rsv rsv = { .name = (char *)"x.1", .owner_kind = -1, .period = MAUI_RSV_ONCE,
				.start_s = 1763750000, .end_s = 1763750000, .days = 0x7f,
				.depth = 1, .triggers = &end, .trigger_count = 1 };
	struct maui_store store = { .saved_s = 1 }, back;

	cr_assert(maui_store_add_rsv(&store, &rsv) == 0);
	there_and_back(&store, &back);
	cr_assert(back.rsv_count == 1 && back.rsvs[0].trigger_count == 1);
	cr_expect(back.rsvs[0].start_s == rsv.start_s && back.rsvs[0].end_s == rsv.end_s);
	maui_store_finish(&back);
	maui_store_finish(&store);
}
