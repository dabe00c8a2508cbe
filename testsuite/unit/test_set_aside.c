/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_set_aside.c - what showstate says of state files that were damaged at a start, and how long
 *
 * Rules: CMD-49.
 */
#include "state/set_aside.h"

#include <criterion/criterion.h>
#include <unistd.h>

#include "scratch.h"
#include "state/fsfile.h"
#include "state/store/store.h"

#define SOUND "{\"schema\": \"maui.state.v1\", \"saved\": 5, \"jobs\": []}\n"

static struct maui_set_aside list;

static void end(void)
{
	maui_set_aside_finish(&list);
	scratch_leave();
}

TestSuite(setaside, .init = scratch_enter, .fini = end);

static void load(void)
{
	struct maui_usage usage = { 0 };
	struct maui_store store = { 0 };
	struct maui_diags diags = { 0 };

	cr_assert(maui_fsfile_load_all(".", 3600, &usage, &diags) == 0);
	cr_assert(maui_store_load("state.json", &store, &diags) == 0);
	cr_assert(maui_set_aside_list(&diags, &list) == 0);
	maui_diags_finish(&diags);
	maui_store_finish(&store);
	maui_usage_finish(&usage);
}

static bool has(const char *text)
{
	for (size_t i = 0; i < list.count; i++)
		if (strcmp(list.texts[i], text) == 0)
			return true;
	return false;
}

Test(setaside, files_that_are_sound_or_missing_are_not_named)
{
	put("FS.100", "user amy 1\nTOTAL 10\n");
	put("state.json.old", SOUND);
	load();
	cr_expect(list.count == 0);
}

Test(setaside, what_is_lost_is_said_until_the_file_is_removed)
{
	put("FS.100", "user amy\nTOTAL 10\n");
	put("state.json", "[");
	load();
	cr_expect(list.count == 3, "%zu", list.count);
	cr_expect(has("./FS.100: damaged: set aside as ./FS.100.bad, its good lines are kept (this "
		      "line stays until that file is removed)"));
	cr_expect(has("state.json: not JSON: it is not complete at byte 1: set aside as "
		      "state.json.bad (this line stays until that file is removed)"));
	cr_expect(has("state.json: reservations of setres, releases, queue times and statistics "
		      "are lost"));
	cr_assert(unlink("state.json.bad") == 0);
	maui_set_aside_look_again(&list);
	cr_expect(list.count == 1 && strstr(list.texts[0], "FS.100"), "%zu", list.count);
	cr_assert(rename("FS.100.bad", "FS.100.seen") == 0);
	maui_set_aside_look_again(&list);
	cr_expect(list.count == 0);
}

Test(setaside, the_copy_that_was_read_is_named)
{
	put("state.json", "");
	put("state.json.old", SOUND);
	load();
	cr_expect(list.count == 2);
	cr_expect(has("state.json.old: taken in place of state.json: other changes since it was "
		      "saved are lost"));
}
