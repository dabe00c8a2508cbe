/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trigger.c - when triggers of reservations fire */
#include "policy/trigger.h"

#include <stdio.h>
#include <string.h>

#include "rows.h"

enum { START = 1000, END = 2000 }; /* the instance's time */

static char story[256];

static bool note(void *data, const struct maui_rsv *rsv, int32_t day,
		 const struct maui_trigger *trigger)
{
	size_t length = strlen(story);

	(void)rsv;
	(void)day;
	snprintf(story + length, sizeof(story) - length, "%s%s@%d", length ? " " : "",
		 maui_trigger_event_names[trigger->event], *(int *)data);
	return true;
}

/* Two at once are too many. */
static bool note_one(void *data, const struct maui_rsv *rsv, int32_t day,
		     const struct maui_trigger *trigger)
{
	char at[16];

	snprintf(at, sizeof(at), "@%d", *(int *)data);
	return !strstr(story, at) && note(data, rsv, day, trigger);
}

/* Looked at every 50 s from `made` on; used processors of 10 reserved ones over time. */
static const struct {
	const char *name;
	struct maui_trigger trigger;
	int made, gone;              /* the instance is there from .. until */
	int busy_from, busy_until;   /* 8 of 10 are used then */
	const char *story;
} stories[] = {
	{ "at once when it is made", { .event = MAUI_TRIGGER_CREATE }, 500, END, 0, 0,
	  "create@500" },
	{ "an offset after it was made", { .event = MAUI_TRIGGER_CREATE, .offset_s = 120 }, 500,
	  END, 0, 0, "create@650" },
	{ "gone before the offset was over", { .event = MAUI_TRIGGER_CREATE, .offset_s = 900 },
	  500, 1200, 0, 0, "" },
	{ "at its start", { .event = MAUI_TRIGGER_START }, 500, END, 0, 0, "start@1000" },
	{ "five minutes into it", { .event = MAUI_TRIGGER_START, .offset_s = 300 }, 500, END, 0,
	  0, "start@1300" },
	{ "late: it was made in its middle", { .event = MAUI_TRIGGER_START, .offset_s = 300 },
	  1500, END, 0, 0, "start@1500" },
	{ "at its end", { .event = MAUI_TRIGGER_END }, 500, END, 0, 0, "end@2000" },
	{ "an offset after its end", { .event = MAUI_TRIGGER_END, .offset_s = 100 }, 500, END, 0,
	  0, "end@2100" },
	{ "removed before its end", { .event = MAUI_TRIGGER_END }, 500, 1200, 0, 0, "end@1200" },
	{ "idle for so long", { .event = MAUI_TRIGGER_MINLOAD, .offset_s = 200, .threshold = 0.5 },
	  500, END, 0, 1100, "minload@1300" },
	{ "idle, but not long enough",
	  { .event = MAUI_TRIGGER_MINLOAD, .offset_s = 950, .threshold = 0.5 }, 500, END, 1100,
	  1200, "" },
	{ "used as much as the threshold", { .event = MAUI_TRIGGER_MINLOAD, .threshold = 0.8 },
	  500, END, 0, END, "" },
	{ "used less than the threshold", { .event = MAUI_TRIGGER_MINLOAD, .threshold = 0.81 },
	  500, END, 0, END, "minload@1000" },
};

TEST_ROWS(trigger, story, stories, row)
{
	struct maui_trigger trigger = row->trigger;
	struct maui_rsv rsv = { .name = (char[]){ "fast" }, .triggers = &trigger,
				.trigger_count = 1 };
	const struct maui_rsv *list[] = { &rsv };
	struct maui_trigger_tracks tracks = { 0 };

	story[0] = '\0';
	for (int now = row->made; now < 3000; now += 50) {
		bool busy = now >= row->busy_from && now < row->busy_until;
		struct maui_trigger_look look = { .rsv = &rsv, .day = 20261122, .start_s = START,
						  .end_s = END, .reserved_procs = 10,
						  .used_procs = busy ? 8 : 2 };
		int64_t next = maui_trigger_run(&tracks, list, 1, &look, now < row->gone, now,
						note, &now);

		cr_expect(next > now, "%s: asks for another look later", row->name);
	}
	cr_expect(strcmp(story, row->story) == 0, "%s: \"%s\"", row->name, story);
	cr_expect(tracks.count == 0, "%s: forgotten when it is over", row->name);
	maui_trigger_tracks_finish(&tracks);
}

Test(trigger, several_of_one_reservation_know_their_own_thresholds)
{
	struct maui_trigger triggers[] = {
		{ .event = MAUI_TRIGGER_MINLOAD, .threshold = 0.9 },
		{ .event = MAUI_TRIGGER_MINLOAD, .threshold = 0.1 },
		{ .event = MAUI_TRIGGER_END },
	};
	struct maui_rsv rsv = { .name = (char[]){ "fast" }, .triggers = triggers,
				.trigger_count = 3 };
	const struct maui_rsv *list[] = { &rsv };
	struct maui_trigger_look look = { .rsv = &rsv, .start_s = START, .end_s = END,
					  .reserved_procs = 10, .used_procs = 5 };
	struct maui_trigger_tracks tracks = { 0 };
	int now = START;

	story[0] = '\0';
	maui_trigger_run(&tracks, list, 1, &look, 1, now, note, &now);
	maui_trigger_run(&tracks, list, 1, &look, 1, now + 50, note, &now);
	cr_expect(strcmp(story, "minload@1000") == 0, "once, of one of them: %s", story);
	/* a fourth one by a new maui.cfg */
	struct maui_trigger more[] = { triggers[0], triggers[1], triggers[2],
				       { .event = MAUI_TRIGGER_START } };
	rsv.triggers = more;
	rsv.trigger_count = 4;
	now = 1100;
	maui_trigger_run(&tracks, list, 1, &look, 1, now, note, &now);
	cr_expect(strcmp(story, "minload@1000 start@1100") == 0, "%s", story);
	/* the reservation is taken out of maui.cfg */
	maui_trigger_run(&tracks, list, 0, NULL, 0, 1200, note, &now);
	cr_expect(tracks.count == 0);
	maui_trigger_tracks_finish(&tracks);
}

Test(trigger, of_many_instances_each_fires_by_itself)
{
	struct maui_trigger trigger = { .event = MAUI_TRIGGER_START };
	struct maui_rsv rsv = { .name = (char[]){ "biz" }, .triggers = &trigger,
				.trigger_count = 1 };
	const struct maui_rsv *list[] = { &rsv };
	struct maui_trigger_look looks[3];
	struct maui_trigger_tracks tracks = { 0 };
	int64_t next = 0;
	int now = 500;

	for (int i = 0; i < 3; i++)
		looks[i] = (struct maui_trigger_look){ .rsv = &rsv, .day = 20261122 + i,
						       .start_s = START + i * 1000,
						       .end_s = END + i * 1000 };
	story[0] = '\0';
	next = maui_trigger_run(&tracks, list, 1, looks, 3, now, note, &now);
	cr_expect(next == START && tracks.count == 3);
	now = 2500;
	next = maui_trigger_run(&tracks, list, 1, looks + 1, 2, now, note, &now);
	cr_expect(strcmp(story, "start@2500") == 0, "the first one was over: %s", story);
	cr_expect(next == 3000);
	maui_trigger_tracks_finish(&tracks);
}

/* Three at one moment, of an instance that ends meanwhile: the end's come all the same. */
Test(trigger, what_cannot_be_done_now_is_done_later)
{
	struct maui_trigger triggers[] = { { .event = MAUI_TRIGGER_START },
					   { .event = MAUI_TRIGGER_START },
					   { .event = MAUI_TRIGGER_END },
					   { .event = MAUI_TRIGGER_END } };
	struct maui_rsv rsv = { .name = (char[]){ "fast" }, .triggers = triggers,
				.trigger_count = 4 };
	const struct maui_rsv *list[] = { &rsv };
	struct maui_trigger_look look = { .rsv = &rsv, .start_s = START, .end_s = END };
	struct maui_trigger_tracks tracks = { 0 };
	int64_t next = START;
	int now;

	story[0] = '\0';
	for (int i = 0; i < 6 && next != MAUI_NEVER; i++) {
		now = (int)next;
		next = maui_trigger_run(&tracks, list, 1, &look, now < END, now, note_one, &now);
		cr_expect(next > now && (next - now <= 60 || next >= END), "%d: %d", now,
			  (int)next);
	}
	cr_expect(strcmp(story, "start@1000 start@1060 end@2000 end@2060") == 0, "%s", story);
	cr_expect(next == MAUI_NEVER && tracks.count == 0);
	maui_trigger_tracks_finish(&tracks);
}
