/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_fsfile.c - any bytes as a fairshare file; what is read is written and read again the same */
#include "state/fsfile.h"

#include <math.h>

#include "base/limits.h"
#include "fuzz.h"

#define START    1729900800
#define INTERVAL 43200

static void check_window(const struct maui_usage_window *window)
{
	const struct maui_usage_entry *entry;
	size_t used = 0;

	FUZZ_CHECK(window->start_s == START);
	FUZZ_CHECK(window->interval_s > 0 && window->interval_s <= MAUI_TIME_INFINITY);
	FUZZ_CHECK(isfinite(window->total) && window->total >= 0);
	for (size_t at = 0; (entry = maui_hashtable_next(&window->entries, &at));) {
		used++;
		FUZZ_CHECK(*entry->name && strlen(entry->name) <= MAUI_NAME_MAX);
		FUZZ_CHECK(entry->kind < MAUI_CRED_COUNT);
		FUZZ_CHECK(isfinite(entry->value) && entry->value > 0);
		FUZZ_CHECK(maui_usage_get(window, entry->kind, entry->name) == entry->value);
	}
	FUZZ_CHECK(used == window->entries.used);
}

/* The file written from a window is read without a complaint, and is then written the same. */
static void check_again(const struct maui_usage_window *window)
{
	struct maui_usage_window second = { .start_s = START, .interval_s = 1 };
	struct maui_strbuf text = { 0 }, again = { 0 };
	struct maui_diags diags = { 0 };

	maui_fsfile_format(window, &text);
	FUZZ_CHECK(!text.failed);
	FUZZ_CHECK(maui_fsfile_parse("FS.1729900800", text.text, text.length, &second, &diags) ==
		   0);
	FUZZ_CHECK(!diags.count);
	FUZZ_CHECK(second.interval_s == window->interval_s);
	check_window(&second);
	maui_fsfile_format(&second, &again);
	FUZZ_CHECK(again.length == text.length && !memcmp(again.text, text.text, text.length));
	maui_strbuf_finish(&text);
	maui_strbuf_finish(&again);
	maui_usage_window_finish(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct maui_usage_window window = { .start_s = START, .interval_s = INTERVAL };
	struct maui_diags diags = { 0 };
	int result = maui_fsfile_parse("FS.1729900800", (const char *)data, size, &window, &diags);

	FUZZ_CHECK((result < 0) == (diags.seen[MAUI_ERROR] > 0));
	check_window(&window);
	check_again(&window);
	maui_usage_window_finish(&window);
	maui_diags_finish(&diags);
	return 0;
}
