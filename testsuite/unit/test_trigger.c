/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trigger.c - when triggers of reservations fire */
#include "reservation/triggers/trigger.h"

#include <stdio.h>
#include <string.h>

#include "base/calendar.h"
#include "rows.h"

enum { START = 1000, END = 2000 }; /* the instance's time */
enum { DAY_S = 86400 };

/* The day of the instance in the time zone of this process. */
static int32_t its_day(void)
{
	return maui_calendar_date(maui_calendar_day(START));
}

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

/* More than two triggers at once are refused. */
static bool note_one(void *data, const struct maui_rsv *rsv, int32_t day,
		     const struct maui_trigger *trigger)
{
	char at[16];

	snprintf(at, sizeof(at), "@%d", *(int *)data);
	return !strstr(story, at) && note(data, rsv, day, trigger);
}

/* Looked at every 50 s from `made` on; used processors of 10 reserved ones over time. When its day
 * is over it is forgotten. */
static const struct {
	const char *name;
	struct maui_trigger trigger;
	int made, gone;            /* the instance is there from .. until */
	int busy_from, busy_until; /* 8 of 10 are used then */
	const char *story;
} stories[] = {
	{ "create fires when the instance is made",
	  { .event = MAUI_TRIGGER_CREATE },
	  500,
	  END,
	  0,
	  0,
	  "create@500" },
	{ "create fires an offset later",
	  { .event = MAUI_TRIGGER_CREATE, .offset_s = 120 },
	  500,
	  END,
	  0,
	  0,
	  "create@650" },
	{ "create does not fire if the instance is gone before",
	  { .event = MAUI_TRIGGER_CREATE, .offset_s = 900 },
	  500,
	  1200,
	  0,
	  0,
	  "" },
	{ "start fires at the start",
	  { .event = MAUI_TRIGGER_START },
	  500,
	  END,
	  0,
	  0,
	  "start@1000" },
	{ "start fires an offset after the start",
	  { .event = MAUI_TRIGGER_START, .offset_s = 300 },
	  500,
	  END,
	  0,
	  0,
	  "start@1300" },
	{ "start fires late for an instance made after its start",
	  { .event = MAUI_TRIGGER_START, .offset_s = 300 },
	  1500,
	  END,
	  0,
	  0,
	  "start@1500" },
	{ "end fires at the end", { .event = MAUI_TRIGGER_END }, 500, END, 0, 0, "end@2000" },
	{ "end fires an offset after the end",
	  { .event = MAUI_TRIGGER_END, .offset_s = 100 },
	  500,
	  END,
	  0,
	  0,
	  "end@2100" },
	{ "end fires when the instance is removed before its end",
	  { .event = MAUI_TRIGGER_END },
	  500,
	  1200,
	  0,
	  0,
	  "end@1200" },
	{ "minload fires after OFFSET of idle time",
	  { .event = MAUI_TRIGGER_MINLOAD, .offset_s = 200, .threshold = 0.5 },
	  500,
	  END,
	  0,
	  1100,
	  "minload@1300" },
	{ "minload does not fire after less idle time",
	  { .event = MAUI_TRIGGER_MINLOAD, .offset_s = 950, .threshold = 0.5 },
	  500,
	  END,
	  1100,
	  1200,
	  "" },
	{ "minload does not fire at the threshold",
	  { .event = MAUI_TRIGGER_MINLOAD, .threshold = 0.8 },
	  500,
	  END,
	  0,
	  END,
	  "" },
	{ "minload fires below the threshold",
	  { .event = MAUI_TRIGGER_MINLOAD, .threshold = 0.81 },
	  500,
	  END,
	  0,
	  END,
	  "minload@1000" },
};

TEST_ROWS(trigger, story, stories, row)
{
	struct maui_trigger trigger = row->trigger;
	struct maui_rsv rsv = { .name = (char[]){ "fast" },
				.triggers = &trigger,
				.trigger_count = 1 };
	const struct maui_rsv *list[] = { &rsv };
	struct maui_trigger_tracks tracks = { 0 };

	story[0] = '\0';
	for (int now = row->made; now < 3000; now += 50) {
		bool busy = now >= row->busy_from && now < row->busy_until;
		struct maui_trigger_look look = { .rsv = &rsv,
						  .day = its_day(),
						  .start_s = START,
						  .end_s = END,
						  .reserved_procs = 10,
						  .used_procs = busy ? 8 : 2 };
		int64_t next =
			maui_trigger_run(&tracks, list, 1, &look, now < row->gone, now, note, &now);

		cr_expect(next > now, "%s: asks for another look later", row->name);
	}
	cr_expect(strcmp(story, row->story) == 0, "%s: \"%s\"", row->name, story);
	maui_trigger_run(&tracks, list, 1, NULL, 0, START + DAY_S, note, NULL);
	cr_expect(tracks.count == 0, "%s: forgotten when its day is over", row->name);
	maui_trigger_tracks_finish(&tracks);
}

Test(trigger, triggers_of_one_reservation_have_their_own_thresholds)
{
	struct maui_trigger triggers[] = {
		{ .event = MAUI_TRIGGER_MINLOAD, .threshold = 0.9 },
		{ .event = MAUI_TRIGGER_MINLOAD, .threshold = 0.1 },
		{ .event = MAUI_TRIGGER_END },
	};
	struct maui_rsv rsv = { .name = (char[]){ "fast" },
				.triggers = triggers,
				.trigger_count = 3 };
	const struct maui_rsv *list[] = { &rsv };
	struct maui_trigger_look look = {
		.rsv = &rsv, .start_s = START, .end_s = END, .reserved_procs = 10, .used_procs = 5
	};
	struct maui_trigger_tracks tracks = { 0 };
	int now = START;

	story[0] = '\0';
	maui_trigger_run(&tracks, list, 1, &look, 1, now, note, &now);
	maui_trigger_run(&tracks, list, 1, &look, 1, now + 50, note, &now);
	cr_expect(strcmp(story, "minload@1000") == 0, "once, of one of them: %s", story);
	/* a new maui.cfg adds a fourth trigger */
	struct maui_trigger more[] = {
		triggers[0], triggers[1], triggers[2], { .event = MAUI_TRIGGER_START }
	};
	rsv.triggers = more;
	rsv.trigger_count = 4;
	now = 1100;
	maui_trigger_run(&tracks, list, 1, &look, 1, now, note, &now);
	EXPECT_TEXT("story", story, "minload@1000 start@1100");
	/* the reservation is taken out of maui.cfg */
	maui_trigger_run(&tracks, list, 0, NULL, 0, 1200, note, &now);
	cr_expect(tracks.count == 0);
	maui_trigger_tracks_finish(&tracks);
}

Test(trigger, each_instance_fires_by_itself)
{
	struct maui_trigger trigger = { .event = MAUI_TRIGGER_START };
	struct maui_rsv rsv = { .name = (char[]){ "biz" },
				.triggers = &trigger,
				.trigger_count = 1 };
	const struct maui_rsv *list[] = { &rsv };
	struct maui_trigger_look looks[3];
	struct maui_trigger_tracks tracks = { 0 };
	int64_t next = 0;
	int now = 500;

	for (int i = 0; i < 3; i++)
		looks[i] = (struct maui_trigger_look){ .rsv = &rsv,
						       .day = 20261122 + i,
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

/* Three triggers are due at once and only some can run; those of the end still fire after the
 * instance ended. */
Test(trigger, refused_triggers_fire_later)
{
	struct maui_trigger triggers[] = { { .event = MAUI_TRIGGER_START },
					   { .event = MAUI_TRIGGER_START },
					   { .event = MAUI_TRIGGER_END },
					   { .event = MAUI_TRIGGER_END } };
	struct maui_rsv rsv = { .name = (char[]){ "fast" },
				.triggers = triggers,
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
	EXPECT_TEXT("story", story, "start@1000 start@1060 end@2000 end@2060");
	cr_expect(next == MAUI_NEVER && tracks.count == 0);
	maui_trigger_tracks_finish(&tracks);
}

/* ---- a trigger is known by its text ---- */

static bool note_data(void *data, const struct maui_rsv *rsv, int32_t day,
		      const struct maui_trigger *trigger)
{
	size_t length = strlen(story);

	(void)rsv;
	(void)day;
	snprintf(story + length, sizeof(story) - length, "%s%s@%d", length ? " " : "",
		 trigger->data ? trigger->data : "-", *(int *)data);
	return true;
}

/* One reservation with its present triggers. */
struct scene {
	struct maui_trigger triggers[4];
	struct maui_rsv rsv;
	struct maui_trigger_look look;
	struct maui_trigger_tracks tracks;
};

static void open_scene(struct scene *s, enum maui_rsv_period period)
{
	*s = (struct scene){ .rsv = { .name = (char *)"sr", .period = period } };
	s->look = (struct maui_trigger_look){
		.day = its_day(), .start_s = START, .end_s = END, .reserved_procs = 10
	};
	story[0] = '\0';
}

/* Of the four those that name a file. */
static void say(struct scene *s, const struct maui_trigger *triggers)
{
	s->rsv.trigger_count = 0;
	for (size_t i = 0; i < 4 && triggers[i].data; i++)
		s->triggers[s->rsv.trigger_count++] = triggers[i];
	s->rsv.triggers = s->triggers;
}

static int64_t see(struct scene *s, int now, bool there)
{
	const struct maui_rsv *list[] = { &s->rsv };

	s->look.rsv = &s->rsv;
	return maui_trigger_run(&s->tracks, list, 1, &s->look, there, now, note_data, &now);
}

static void see_without_rsv(struct scene *s, int now)
{
	maui_trigger_run(&s->tracks, NULL, 0, NULL, 0, now, note_data, &now);
}

#define EXEC(event_, offset, threshold_, file)                                                     \
	{                                                                                          \
		.event = MAUI_TRIGGER_##event_, .action = MAUI_TRIGGER_EXEC, .offset_s = (offset), \
		.threshold = (threshold_), .data = (char *)(file)                                  \
	}
#define A     EXEC(START, 0, 0, "a")
#define B     EXEC(START, 500, 0, "b")
#define IDLE  EXEC(MINLOAD, 300, 0.5, "i")
#define LAST  EXEC(END, 0, 0, "e")
#define LATER EXEC(END, 300, 0, "l")
#define SUBMIT_A                                                                                \
	{                                                                                       \
		.event = MAUI_TRIGGER_START, .action = MAUI_TRIGGER_SUBMIT, .data = (char *)"a" \
	}

/* What maui.cfg says from 1000, 1200 and 1400 on; looked at every 100 s until 1900. */

static const struct {
	const char *name;
	struct maui_trigger said[3][4];
	const char *story;
} changes[] = {
	{ "a trigger is added before it", { { A }, { B, A }, { B, A } }, "a@1000 b@1500" },
	{ "a trigger is added behind it", { { A }, { A, B }, { A, B } }, "a@1000 b@1500" },
	{ "another trigger replaces it", { { A }, { B }, { B } }, "a@1000 b@1500" },
	{ "removed and added again", { { A }, { { 0 } }, { A } }, "a@1000" },
	{ "removed and added again beside another",
	  { { A, B }, { B }, { B, A } },
	  "a@1000 b@1500" },
	{ "removed before its time", { { A, B }, { A }, { A } }, "a@1000" },
	{ "two triggers swap places", { { A, B }, { B, A }, { A, B } }, "a@1000 b@1500" },
	{ "two triggers with the same text", { { A, A }, { A, B, A }, { A } }, "a@1000 a@1000" },
	{ "a second trigger with the same text is added",
	  { { A }, { A, A }, { A } },
	  "a@1000 a@1200" },
	{ "idle time continues when a trigger is added before it",
	  { { IDLE }, { A, IDLE }, { IDLE } },
	  "a@1200 i@1300" },
	{ "idle time starts again after a replacement",
	  { { IDLE }, { A }, { A, IDLE } },
	  "a@1200 i@1700" },
	{ "another offset", { { A }, { EXEC(START, 1, 0, "a") }, { A } }, "a@1000 a@1200" },
	{ "another event", { { A }, { EXEC(CREATE, 0, 0, "a") }, { A } }, "a@1000 a@1200" },
	{ "another file", { { A }, { EXEC(START, 0, 0, "A") }, { A } }, "a@1000 A@1200" },
	{ "another action", { { A }, { SUBMIT_A }, { A } }, "a@1000 a@1200" },
	{ "another threshold",
	  { { EXEC(MINLOAD, 0, 0.5, "i") }, { EXEC(MINLOAD, 0, 0.25, "i") }, { IDLE } },
	  "i@1000 i@1200 i@1700" },
};

TEST_ROWS(trigger, change, changes, row)
{
	struct scene s;

	open_scene(&s, MAUI_RSV_DAY);
	for (int now = START; now < 1900; now += 100) {
		say(&s, row->said[now < 1200 ? 0 : now < 1400 ? 1 : 2]);
		see(&s, now, true);
	}
	cr_expect(strcmp(story, row->story) == 0, "%s: \"%s\"", row->name, story);
	maui_trigger_tracks_finish(&s.tracks);
}

/* Runs at these moments only. */
static const struct {
	const char *name;
	struct maui_trigger trigger;
	int looks[8]; /* negative: it is not there */
	int reserved_procs;
	const char *story;
} moments[] = {
	{ "idle, and the clock is set back",
	  EXEC(MINLOAD, 200, 0.5, "i"),
	  { 1500, 1250, 1440, 1450 },
	  10,
	  "i@1450" },
	{ "minload without reserved processors",
	  EXEC(MINLOAD, 0, 0.5, "i"),
	  { 1000, 1500 },
	  0,
	  "" },
	{ "end with an offset, noticed late",
	  EXEC(END, 100, 0, "e"),
	  { 1000, -2500, -2600 },
	  10,
	  "e@2500" },
	{ "end fires when the instance is gone", LAST, { 1000, 2000, -2010 }, 10, "e@2010" },
	{ "the same instance on the next day",
	  A,
	  { 1000, DAY_S + 1000, DAY_S + 2000 },
	  10,
	  "a@1000" },
	{ "a release is noticed at once",
	  EXEC(END, 100, 0, "e"),
	  { 1000, -1200, -1290, -1300 },
	  10,
	  "e@1300" },
	/* released and taken back */
	{ "create fires once though released and taken back",
	  EXEC(CREATE, 0, 0, "c"),
	  { 500, -600, -800, 900, 1000 },
	  10,
	  "c@500" },
	{ "start fires once though released and taken back",
	  A,
	  { 1000, -1100, -1150, 1200, 1250 },
	  10,
	  "a@1000" },
	{ "released and taken back before the start",
	  A,
	  { 500, -600, -800, 900, 1000 },
	  10,
	  "a@1000" },
	{ "end fires once though released and taken back",
	  LAST,
	  { 1000, -1200, 1300, -2000, -2100 },
	  10,
	  "e@1200" },
	{ "not gone in the end",
	  EXEC(END, 120, 0, "e"),
	  { 1000, -1200, 1250, 1320, -2000, -2120 },
	  10,
	  "e@2120" },
	{ "minload fires once though released and taken back",
	  EXEC(MINLOAD, 0, 0.5, "i"),
	  { 1000, -1100, -1150, 1200, 1250 },
	  10,
	  "i@1000" },
	{ "idle time counts from --undo",
	  IDLE,
	  { 1000, -1200, -1250, 1300, 1400, 1590, 1600 },
	  10,
	  "i@1600" },
};

TEST_ROWS(trigger, moment, moments, row)
{
	struct scene s;

	open_scene(&s, MAUI_RSV_DAY);
	say(&s, (struct maui_trigger[4]){ row->trigger });
	s.look.reserved_procs = row->reserved_procs;
	for (int i = 0; i < 8 && row->looks[i]; i++)
		see(&s, row->looks[i] < 0 ? -row->looks[i] : row->looks[i], row->looks[i] > 0);
	cr_expect(strcmp(story, row->story) == 0, "%s: \"%s\"", row->name, story);
	maui_trigger_tracks_finish(&s.tracks);
}

/* Every other reservation has no trigger; the others fire at times of their own. */
Test(trigger, many_reservations_do_not_get_mixed_up)
{
	enum { COUNT = 60 };
	struct maui_trigger triggers[COUNT];
	struct maui_rsv rsvs[COUNT];
	const struct maui_rsv *list[COUNT];
	struct maui_trigger_look looks[COUNT];
	struct maui_trigger_tracks tracks = { 0 };
	char names[COUNT][16], told[16];

	for (int i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "sr%d", i);
		triggers[i] = (struct maui_trigger)EXEC(START, i, 0, names[i]);
		rsvs[i] = (struct maui_rsv){ .name = names[i],
					     .triggers = &triggers[i],
					     .trigger_count = (size_t)i % 2 };
		list[i] = &rsvs[i];
		looks[i] = (struct maui_trigger_look){
			.rsv = &rsvs[i], .day = its_day(), .start_s = START, .end_s = END
		};
	}
	for (int now = START - 1; now < START + COUNT; now++) {
		int64_t next;

		story[0] = '\0';
		next = maui_trigger_run(&tracks, list, COUNT, looks, COUNT, now, note_data, &now);
		snprintf(told, sizeof(told), "sr%d@%d", now - START, now);
		cr_expect(strcmp(story, (now - START) % 2 == 1 ? told : "") == 0, "%d: %s", now,
			  story);
		cr_expect(next == (now >= START + COUNT - 1 ? MAUI_NEVER : (now + 1) / 2 * 2 + 1));
		cr_expect(tracks.count == COUNT / 2);
	}
	maui_trigger_tracks_finish(&tracks);
}

/* ---- how long a fired trigger is remembered ---- */

static const struct {
	const char *name;
	enum maui_rsv_period period;
	int day;           /* 0: of no day */
	int known, forgot; /* looks: the last one at which it is known, the first at which not; 0:
			      never */
} lives[] = {
	{ "PERIOD=DAY: until the end of the day", MAUI_RSV_DAY, 1, START, START + DAY_S },
	{ "PERIOD=WEEK: until the end of the week", MAUI_RSV_WEEK, 1, START, START + 7 * DAY_S },
	{ "PERIOD=INFINITY: as long as the reservation exists", MAUI_RSV_INFINITY, 0, 400 * DAY_S,
	  0 },
	{ "setres: until its end", MAUI_RSV_ONCE, 0, END - 1, END },
};

/* The instance has begun, is released at once, and stays released. */
TEST_ROWS(trigger, life, lives, row)
{
	struct scene s;

	open_scene(&s, row->period);
	say(&s, (struct maui_trigger[4]){ A });
	s.rsv.end_s = END;
	s.look.day = !row->day                    ? 0 :
		     row->period == MAUI_RSV_WEEK ? maui_calendar_date(maui_calendar_week(START)) :
						    its_day();
	see(&s, START, true);
	cr_expect(see(&s, START, false) == MAUI_NEVER);
	see(&s, row->known, false);
	cr_expect(s.tracks.count == 1, "%s: known", row->name);
	cr_expect(maui_trigger_waits(&s.tracks, "sr") == !row->day, "%s", row->name);
	cr_expect(!maui_trigger_waits(&s.tracks, "sr2"), "%s", row->name);
	if (row->forgot)
		see(&s, row->forgot, false);
	cr_expect(s.tracks.count == (row->forgot ? 0 : 1), "%s: for how long", row->name);
	EXPECT_TEXT(row->name, story, "a@1000");
	maui_trigger_tracks_finish(&s.tracks);
}

Test(trigger, a_srcfg_may_be_missing_for_a_week)
{
	struct scene s;

	open_scene(&s, MAUI_RSV_DAY);
	say(&s, (struct maui_trigger[4]){ A, LATER });
	see(&s, START, true);
	see_without_rsv(&s, 1200);
	see(&s, 1300, true);
	EXPECT_TEXT("story", story, "a@1000");
	see_without_rsv(&s, 1400);
	see_without_rsv(&s, 1400 + 7 * DAY_S - 1);
	cr_expect(s.tracks.count == 1);
	see_without_rsv(&s, 1400 + 7 * DAY_S);
	cr_expect(s.tracks.count == 0, "it is gone for good");
	/* end does not fire days after the end either */
	see(&s, START, true);
	see_without_rsv(&s, 1400);
	see(&s, 1400 + 3 * DAY_S, false);
	EXPECT_TEXT("story", story, "a@1000 a@1000");
	cr_expect(s.tracks.count == 0);
	maui_trigger_tracks_finish(&s.tracks);
}

/* Fired triggers stay known; a trigger added after the end does not fire. */
Test(trigger, an_end_that_is_added_after_it_is_too_late)
{
	struct scene s;

	open_scene(&s, MAUI_RSV_DAY);
	say(&s, (struct maui_trigger[4]){ LATER });
	see(&s, START, true);
	see(&s, END, false);
	say(&s, (struct maui_trigger[4]){ LAST, LATER });
	see(&s, END + 100, false);
	see(&s, END + 300, false);
	cr_expect(strcmp(story, "l@2300") == 0, "while another one waits: %s", story);
	say(&s, (struct maui_trigger[4]){ LAST, LATER, A });
	cr_expect(see(&s, END + 400, false) == MAUI_NEVER);
	cr_expect(strcmp(story, "l@2300") == 0, "while none does: %s", story);
	cr_expect(s.tracks.count == 1 && s.tracks.list[0].done);
	/* its time is changed: it has another end, which has not come yet */
	s.look.end_s = 2600;
	see(&s, END + 500, true);
	see(&s, 2600, false);
	EXPECT_TEXT("story", story, "l@2300 a@2500 e@2600");
	maui_trigger_tracks_finish(&s.tracks);
}

/* A state of an earlier release has marks by their places. */
Test(trigger, marks_of_an_earlier_release_count)
{
	struct maui_trigger said[4] = { B, A, IDLE, LATER };
	struct maui_trigger other[4] = { LATER, IDLE, A, B };

	for (int gone = 0; gone < 2; gone++) {
		struct scene s;
		struct maui_trigger_track *track;

		open_scene(&s, MAUI_RSV_DAY);
		track = maui_trigger_tracks_add(&s.tracks, "sr", its_day(), 5);
		track->made_s = 900;
		track->start_s = START;
		track->end_s = END;
		track->gone_s = gone ? 1300 : 0;
		track->marks[1].fired = true;
		track->marks[2].idle_since_s = 1150;
		track->marks[4].fired = true; /* of one that was taken out before */
		say(&s, said);
		see(&s, 1400, !gone);
		cr_expect(s.tracks.list[0].mark_count == (gone ? 5 : 4), "%d", gone);
		say(&s, other);
		see(&s, 1450, !gone);
		see(&s, 1600, !gone);
		see(&s, 2000, false);
		see(&s, 2300, false);
		EXPECT_TEXT("story", story, gone ? "l@1600" : "i@1450 b@1600 l@2300");
		maui_trigger_tracks_finish(&s.tracks);
	}
}
