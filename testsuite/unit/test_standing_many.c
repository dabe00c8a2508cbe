/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_standing_many.c - the greatest DEPTH, and searches that find too few nodes */

#include "reservation/placement/shortage.h"

#include "limit_memory.h"
#include "rows.h"
#include "standing_world.h"

/* The sentences of the first 100 instances with missing tasks name the holders; the others only
 * have the number. */
Test(standing_many, first_hundred_shortages_name_holders)
{
	const char *first = "1 of 1 task missing: reservation a.", *last = "1 of 1 task missing";
	struct standing_world s;
	const char **texts;
	uint32_t told = 0;

	standing_make(&s, "1 procs=4", NULL, NULL,
		      "a day tasks=1 depth=64 from=10 to=12; b day tasks=1 depth=64 from=9 to=11;"
		      "c day tasks=1 depth=64 from=11 to=13",
		      0);
	free(standing_place(&s));
	cr_assert(s.count == 192, "%u", s.count);
	limit_memory(16 << 20);
	texts = maui_standing_explain_all(s.w.snapshot, &s.input, s.instances, s.count, 0, 9,
					  &s.arena);
	cr_assert(texts);
	for (uint32_t i = 0; i < s.count; i++) {
		bool full = texts[i] && strncmp(texts[i], first, strlen(first)) == 0;
		uint32_t day = i % 64;

		cr_expect((i >= 64) == (texts[i] != NULL), "%u", i);
		cr_expect(!texts[i] || full == (day < MAUI_STANDING_EXPLAINED / 2), "%u: %s", i,
			  texts[i]);
		cr_expect(!texts[i] || full || strcmp(texts[i], last) == 0, "%u: %s", i, texts[i]);
		told += full;
	}
	cr_expect(told == MAUI_STANDING_EXPLAINED, "%u", told);
	standing_finish(&s);
}

/* NULL would say that the reservation misses nothing. */
Test(standing_many, a_sentence_without_memory_is_a_failure)
{
	struct standing_world s;

	standing_make(&s, "100000 procs=4", NULL, NULL, "a tasks=1 procs=8 end=100", 0);
	free(standing_place(&s));
	cr_assert(s.count == 1 && s.instances[0].missing == 1);
	limit_memory(0);
	cr_expect(!maui_standing_explain_all(s.w.snapshot, &s.input, s.instances, s.count, 0, 9,
					     &s.arena));
	standing_finish(&s);
}

Test(standing_many, greatest_depth_is_placed_and_kept)
{
	struct standing_world s;
	int64_t missing = 0;

	standing_make(&s, "4 procs=4", NULL, NULL,
		      "a day tasks=2 procs=1 depth=64 from=1 to=4;"
		      "b day tasks=2 procs=1 depth=64 from=2 to=5;"
		      "c day tasks=2 procs=1 depth=64 from=3 to=6;"
		      "d day tasks=2 procs=1 depth=64 from=4 to=7;"
		      "e day tasks=2 procs=1 depth=64 from=5 to=8",
		      0);
	limit_memory(128 << 20);
	for (int turn = 0; turn < 2; turn++) {
		free(standing_place(&s));
		s.input.before = s.instances;
		s.input.before_count = s.count;
	}
	cr_assert(s.count == 5 * 64, "%u", s.count);
	for (uint32_t i = 0; i < s.count; i++)
		missing += s.instances[i].missing;
	cr_expect(missing == 0);
	standing_finish(&s);
}

/* Number of places and of missing tasks of each instance: "100!1 0!4". */
static char *amounts(struct standing_world *s)
{
	struct maui_strbuf out = { 0 };

	free(standing_place(s));
	for (uint32_t i = 0; i < s->count; i++)
		maui_strbuf_addf(&out, "%s%u!%d", i ? " " : "", s->instances[i].place_count,
				 (int)s->instances[i].missing);
	return maui_strbuf_steal(&out);
}

static const struct {
	const char *name, *nodes, *running, *rsvs, *amounts;
} partial[] = {
	{ "the cluster is too small for TASKCOUNT", "100 procs=4", NULL, "a tasks=101 time",
	  "100!1" },
	{ "half of the nodes are down", "50 procs=4; 50 procs=4 down", NULL,
	  "a tasks=51 time; b tasks=2 time", "50!1 0!2" },
	{ "a later, smaller reservation is placed", "100 procs=4", NULL,
	  "a tasks=101 procs=3 time; b tasks=100 procs=1 time", "100!1 100!0" },
	{ "a similar, smaller reservation is placed", "100 procs=4", NULL,
	  "a tasks=401 procs=1 hosts=n[0-99] time prio=1; b tasks=1 procs=1 time", "100!1 0!1" },
	{ "TIMEFLEX: a moment too late for one reservation serves another",
	  "50 procs=4; 50 procs=4", "j nodes=n0,n1,n2,n3,n4,n5,n6,n7,n8,n9 procs=4 end=50",
	  "a tasks=101 start=10 end=90 time; b tasks=10 start=50 end=90", "90!11 10!0" },
	{ "TIMEFLEX: a moment too late for one instance serves a later one", "100 procs=4",
	  "j nodes=n0,n1,n2,n3,n4,n5,n6,n7,n8,n9 procs=4 end=50",
	  "a tasks=101 start=10 end=90 time; b tasks=10 start=20 end=90 time", "90!11 10!0" },
};

TEST_ROWS(standing_many, nodes_left_by_a_partial_reservation, partial, row)
{
	struct standing_world s;
	char *found;

	standing_make(&s, row->nodes, NULL, row->running, row->rsvs, 0);
	found = amounts(&s);
	cr_expect_str_eq(found, row->amounts, "%s: '%s'", row->name, found);
	free(found);
	standing_finish(&s);
}

/* A TIMEFLEX instance that begins later frees its former hours for others. */
Test(standing_many, timeflex_gives_back_its_earlier_hours)
{
	struct standing_world first, s;
	char *found;

	standing_make(&first, "1 procs=4; 100 procs=4", NULL, NULL,
		      "a tasks=100 start=10 end=90 time", 0);
	free(standing_place(&first));
	cr_assert(first.count == 1 && first.instances[0].place_count == 100);
	standing_make(&s, "1 procs=4 down; 100 procs=4", NULL, "j nodes=n100 procs=4 end=50",
		      "a tasks=100 start=10 end=90 time prio=1; b tasks=2 start=10 end=50 prio=2;"
		      "c tasks=5 start=10 end=50",
		      0);
	s.input.before = first.instances;
	s.input.before_count = first.count;
	found = amounts(&s);
	cr_expect_str_eq(found, "100!0 0!2 5!0", "'%s'", found);
	cr_expect_eq(s.instances[0].start_s, 50);
	free(found);
	standing_finish(&s);
	standing_finish(&first);
}
