/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_carried_over.c - what one cycle leaves to the next one, and what a restart must not lose:
 * job reservations and fired triggers
 *
 * Rules: BF-3, RSV-15.
 */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cycle/fired_triggers.h"
#include "cycle/job_reservations.h"

/* ---- job reservations ---- */

static const struct maui_place places[] = { { .node = 0, .tasks = 2 }, { .node = 2, .tasks = 1 } };

/* Nodes of a partition, as many as there are names; a waiting job of one node. */
static struct maui_snapshot *make_cluster(const char *partition, const char *const *names,
					  uint32_t count)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "ann" };
	const int64_t have[] = { 4, 0, 0 };
	const struct maui_partition p = { .name = partition };
	const struct maui_request request = { .nodes_min = 1, .procs_per_task = 1 };
	const uint32_t member = 0;
	struct maui_row row = { .partition = 0 };
	struct maui_idle idle = { .id = 7, .copies = 1, .rows = &row, .row_count = 1 };

	cr_assert(s && maui_snapshot_add_partition(s, &p) == 0);
	for (uint32_t n = 0; n < count; n++) {
		const struct maui_node node = { .id = n,
						.name = names[n],
						.have = have,
						.partitions = &member,
						.partition_count = 1 };

		cr_assert(maui_snapshot_add_node(s, &node) >= 0);
	}
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	row.creds = (uint32_t)maui_snapshot_creds(s, cred);
	idle.request = (uint32_t)maui_snapshot_request(s, &request);
	cr_assert(maui_snapshot_add_idle(s, &idle) >= 0);
	return s;
}

/* The reservation of job 7 on n1 and n3 of partition main, kept in the store. */
static void keep(struct maui_store *store)
{
	static const char *const names[] = { "n1", "n2", "n3" };
	struct maui_snapshot *s = make_cluster("main", names, 3);
	struct maui_reservation r = {
		.start_s = 500, .end_s = 900, .preempting = true, .places = places, .place_count = 2
	};
	const struct maui_decisions d = { .reservations = &r, .reservation_count = 1 };
	const struct maui_waiting waiting = { .job_id = 7, .submit_s = 100 };

	maui_job_reservations_keep(&d, s, &waiting, store);
	maui_snapshot_destroy(s);
}

/* How many reservations of the store hold in this cluster; *ret: the first. */
static size_t restore(const struct maui_store *store, const char *partition,
		      const char *const *names, uint32_t count, struct maui_arena *arena,
		      struct maui_job_reservation **ret)
{
	struct maui_snapshot *s = make_cluster(partition, names, count);
	size_t restored;

	cr_assert(maui_job_reservations_restore(store, s, arena, ret, &restored) == 0);
	maui_snapshot_destroy(s);
	return restored;
}

Test(carried_over, a_job_reservation_is_restored_with_its_nodes)
{
	static const char *const names[] = { "n1", "n2", "n3", "n4" };
	struct maui_store store = { 0 };
	struct maui_arena arena = { 0 };
	struct maui_job_reservation *list;

	keep(&store);
	cr_assert(store.job_rsv_count == 1 && store.job_rsvs[0].submit_s == 100);
	cr_assert(restore(&store, "main", names, 4, &arena, &list) == 1);
	cr_expect(list->job == 7 && list->partition == 0 && list->start_s == 500 &&
		  list->preempting);
	cr_assert(list->place_count == 2);
	cr_expect(list->places[0].node == 0 && list->places[0].tasks == 2);
	cr_expect(list->places[1].node == 2 && list->places[1].tasks == 1);
	maui_arena_finish(&arena);
	maui_store_finish(&store);
}

Test(carried_over, a_job_reservation_ends_with_its_partition_or_a_node)
{
	static const char *const all[] = { "n1", "n2", "n3" }, *const fewer[] = { "n1", "n2" };
	static const char *const others[] = { "n1", "n2", "x3" };
	struct maui_store store = { 0 };
	struct maui_arena arena = { 0 };
	struct maui_job_reservation *list;

	keep(&store);
	cr_expect(restore(&store, "other", all, 3, &arena, &list) == 0, "no such partition");
	cr_expect(restore(&store, "main", fewer, 2, &arena, &list) == 0, "no such node");
	cr_expect(restore(&store, "main", others, 3, &arena, &list) == 0, "another node there");
	cr_expect(restore(&store, "main", all, 3, &arena, &list) == 1, "all as before");
	maui_arena_finish(&arena);
	maui_store_finish(&store);
}

/* ---- fired triggers ---- */

Test(carried_over, fired_triggers_survive_a_restart)
{
	struct maui_trigger_tracks before = { 0 }, after = { 0 };
	struct maui_trigger_track *track = maui_trigger_tracks_add(&before, "biz", 20261123, 2);
	struct maui_store store = { 0 };

	cr_assert(track);
	track->made_s = 1;
	track->start_s = 2;
	track->end_s = 3;
	track->gone_s = 4;
	track->done = true;
	track->marks[0] = (struct maui_trigger_mark){ 11, true, 0 };
	track->marks[1] = (struct maui_trigger_mark){ 12, false, 60 };
	cr_assert(maui_fired_triggers_to_store(&before, &store) == 0);
	cr_assert(store.trigger_count == 1 && store.triggers[0].mark_count == 2);
	cr_assert(maui_fired_triggers_from_store(&after, &store) == 0);
	cr_assert(after.count == 1);
	track = &after.list[0];
	cr_expect_str_eq(track->rsv, "biz");
	cr_expect(track->day == 20261123 && track->made_s == 1 && track->start_s == 2);
	cr_expect(track->end_s == 3 && track->gone_s == 4 && track->done);
	cr_assert(track->mark_count == 2);
	cr_expect(track->marks[0].hash == 11 && track->marks[0].fired);
	cr_expect(track->marks[1].hash == 12 && !track->marks[1].fired &&
		  track->marks[1].idle_since_s == 60);
	maui_trigger_tracks_finish(&before);
	maui_trigger_tracks_finish(&after);
	maui_store_finish(&store);
}
