/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hashtable.c - the hash table, by ids and by keys that the caller compares */
#include "base/hashtable.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

/* The i-th id of a run. Some ids share a slot in every small table. */
struct ids {
	const char *name;
	uint32_t first, step;
	size_t count;
};

static const struct ids runs[] = {
	{ "one", 17, 1, 1 },
	{ "from zero", 0, 1, 20000 },
	{ "up to the last and around", UINT32_MAX - 100, 1, 200 },
	{ "backwards", 20000, UINT32_MAX, 20000 },
	{ "low bits equal", 5, 1u << 16, 60000 },
	{ "high bits only", 0, 1u << 20, 4000 },
	{ "the hash's own step", 0, 2654435769u, 20000 },
	{ "its inverse: neighbours in the table", 0, 340573321u, 20000 },
};

static uint32_t nth(const struct ids *run, size_t i)
{
	return run->first + run->step * (uint32_t)i;
}

/* Each id has its own value, never NULL. */
static void *value(size_t i)
{
	static char values[70000];

	return &values[i];
}

static struct maui_hashtable filled(const struct ids *run)
{
	struct maui_hashtable map = { 0 };

	for (size_t i = 0; i < run->count; i++) {
		cr_assert(maui_hashtable_find_id(&map, nth(run, i)) == NULL, "%s: %zu", run->name,
			  i);
		cr_assert(maui_hashtable_set_id(&map, nth(run, i), value(i)) == 0);
		cr_assert(map.used == i + 1 && map.used < map.slot_count, "%s: %zu", run->name, i);
	}
	return map;
}

TEST_ROWS(hashtable, set_and_get, runs, row)
{
	struct maui_hashtable map = filled(row);
	size_t slots = map.slot_count;

	for (size_t i = 0; i < row->count; i++)
		cr_assert(maui_hashtable_find_id(&map, nth(row, i)) == value(i), "%s: %zu",
			  row->name, i);
	cr_expect(maui_hashtable_find_id(&map, nth(row, row->count)) == NULL, "%s", row->name);
	/* replaced, not added */
	for (size_t i = 0; i < row->count; i++)
		cr_assert(maui_hashtable_set_id(&map, nth(row, i), value(i + 1)) == 0);
	cr_expect(map.used == row->count && map.slot_count <= slots * 2, "%s", row->name);
	for (size_t i = 0; i < row->count; i++)
		cr_assert(maui_hashtable_find_id(&map, nth(row, i)) == value(i + 1), "%s: %zu",
			  row->name, i);
	maui_hashtable_finish(&map);
	cr_expect(map.slots == NULL && map.slot_count == 0 && map.used == 0);
}

Test(hashtable, empty)
{
	struct maui_hashtable map = { 0 };

	cr_expect(maui_hashtable_find_id(&map, 0) == NULL);
	cr_expect(maui_hashtable_find_id(&map, UINT32_MAX) == NULL);
	cr_expect(maui_hashtable_sweep(&map, NULL, NULL) == 0, "there is nobody to ask about");
	maui_hashtable_finish(&map);
}

struct sweep {
	const char *name;
	size_t nth; /* each nth value is kept; 0: none */
};

static const struct sweep sweeps[] = {
	{ "all stay", 1 },
	{ "each second", 2 },
	{ "few", 1000 },
	{ "none", 0 },
};

struct counted {
	const struct sweep *sweep;
	size_t calls;
	int *seen; /* by value */
};

static bool keep(void *at, void *arg)
{
	struct counted *counted = arg;
	size_t i = (size_t)((char *)at - (char *)value(0));

	counted->calls++;
	counted->seen[i]++;
	return counted->sweep->nth && i % counted->sweep->nth == 0;
}

/* `keep` is asked about each value once; kept values are found, dropped values are not, and can
 * be added again. */
TEST_ROWS(hashtable, sweep, sweeps, row)
{
	static const struct ids run = { "they share slots", 0, 48, 10000 };
	struct maui_hashtable map = filled(&run);
	struct counted counted = { .sweep = row, .seen = calloc(run.count, sizeof(int)) };
	size_t stay = 0;

	cr_assert(counted.seen && maui_hashtable_sweep(&map, keep, &counted) == 0);
	cr_expect(counted.calls == run.count, "%s: %zu calls", row->name, counted.calls);
	for (size_t i = 0; i < run.count; i++) {
		bool stays = row->nth && i % row->nth == 0;

		stay += stays;
		cr_assert(counted.seen[i] == 1, "%s: %zu asked %d times", row->name, i,
			  counted.seen[i]);
		cr_assert(maui_hashtable_find_id(&map, nth(&run, i)) == (stays ? value(i) : NULL),
			  "%s: %zu", row->name, i);
	}
	cr_expect(map.used == stay, "%s: %zu counted", row->name, map.used);
	for (size_t i = 0; i < run.count; i++)
		cr_assert(maui_hashtable_set_id(&map, nth(&run, i), value(i)) == 0);
	cr_expect(map.used == run.count, "%s", row->name);
	for (size_t i = 0; i < run.count; i++)
		cr_assert(maui_hashtable_find_id(&map, nth(&run, i)) == value(i));
	maui_hashtable_finish(&map);
	free(counted.seen);
}

static bool free_it(void *at, void *arg)
{
	(void)arg;
	free(at);
	return false;
}

/* `keep` may free the value: the table does not look at it afterwards. */
Test(hashtable, sweep_frees)
{
	struct maui_hashtable map = { 0 };

	for (uint32_t id = 0; id < 1000; id++)
		cr_assert(maui_hashtable_set_id(&map, id, malloc(8)) == 0);
	cr_assert(maui_hashtable_sweep(&map, free_it, NULL) == 0);
	cr_expect(map.used == 0);
	maui_hashtable_finish(&map);
}

/* Words of one length have the same hash here. */
static bool same_word(const void *value, const void *key)
{
	return strcmp(value, key) == 0;
}

Test(hashtable, keys_with_one_hash_are_told_apart)
{
	static const char *const words[] = { "node", "task", "user", "job", "qos", "class" };
	struct maui_hashtable table = { 0 };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		cr_assert(!maui_hashtable_find(&table, strlen(words[i]), same_word, words[i]));
		cr_assert(maui_hashtable_add(&table, strlen(words[i]), (void *)words[i]) == 0);
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		cr_expect(maui_hashtable_find(&table, strlen(words[i]), same_word, words[i]) ==
			  words[i]);
	cr_expect(!maui_hashtable_find(&table, strlen("disk"), same_word, "disk"));
	maui_hashtable_finish(&table);
}

Test(hashtable, next_visits_each_value_once)
{
	static const struct ids run = { "some", 3, 7, 500 };
	struct maui_hashtable table = filled(&run);
	size_t count = 0, at = 0;
	long sum = 0;

	for (const char *one; (one = maui_hashtable_next(&table, &at)); count++)
		sum += one - (char *)value(0);
	cr_expect(count == run.count && sum == 500 * 499 / 2, "%zu values", count);
	maui_hashtable_clear(&table);
	at = 0;
	cr_expect(!maui_hashtable_next(&table, &at) && table.used == 0);
	cr_expect(!maui_hashtable_find_id(&table, 3));
	maui_hashtable_finish(&table);
}
