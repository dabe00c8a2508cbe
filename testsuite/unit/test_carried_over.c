/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_carried_over.c - what one cycle leaves to the next one, and what a restart must not lose:
 * job reservations, fired triggers, lists of reservations
 *
 * Rules: BF-3, RSV-15.
 */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cycle/fired_triggers.h"
#include "cycle/job_reservations.h"
#include "cycle/rsv_lists.h"

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

/* The reservation of job 7 on n1 and n3 of partition main, saved. */
static void keep(struct maui_saved_job_rsvs *saved)
{
	static const char *const names[] = { "n1", "n2", "n3" };
	struct maui_snapshot *s = make_cluster("main", names, 3);
	struct maui_reservation r = {
		.start_s = 500, .end_s = 900, .preempting = true, .places = places, .place_count = 2
	};
	const struct maui_decisions d = { .reservations = &r, .reservation_count = 1 };
	const struct maui_waiting waiting = { .job_id = 7, .submit_s = 100 };

	maui_job_reservations_keep(&d, s, &waiting, saved);
	maui_snapshot_destroy(s);
}

/* How many of the saved reservations hold in this cluster; *ret: the first. */
static size_t restore(const struct maui_saved_job_rsvs *saved, const char *partition,
		      const char *const *names, uint32_t count, struct maui_arena *arena,
		      struct maui_job_reservation **ret)
{
	struct maui_snapshot *s = make_cluster(partition, names, count);
	size_t restored;

	cr_assert(maui_job_reservations_restore(saved, s, arena, ret, &restored) == 0);
	maui_snapshot_destroy(s);
	return restored;
}

Test(carried_over, a_job_reservation_is_restored_with_its_nodes)
{
	static const char *const names[] = { "n1", "n2", "n3", "n4" };
	struct maui_saved_job_rsvs saved = { 0 };
	struct maui_arena arena = { 0 };
	struct maui_job_reservation *list;

	keep(&saved);
	cr_assert(saved.count == 1 && saved.list[0].submit_s == 100);
	cr_assert(restore(&saved, "main", names, 4, &arena, &list) == 1);
	cr_expect(list->job == 7 && list->partition == 0 && list->start_s == 500 &&
		  list->preempting);
	cr_assert(list->place_count == 2);
	cr_expect(list->places[0].node == 0 && list->places[0].tasks == 2);
	cr_expect(list->places[1].node == 2 && list->places[1].tasks == 1);
	maui_arena_finish(&arena);
	maui_saved_job_rsvs_finish(&saved);
}

Test(carried_over, a_job_reservation_ends_with_its_partition_or_a_node)
{
	static const char *const all[] = { "n1", "n2", "n3" }, *const fewer[] = { "n1", "n2" };
	static const char *const others[] = { "n1", "n2", "x3" };
	struct maui_saved_job_rsvs saved = { 0 };
	struct maui_arena arena = { 0 };
	struct maui_job_reservation *list;

	keep(&saved);
	cr_expect(restore(&saved, "other", all, 3, &arena, &list) == 0, "no such partition");
	cr_expect(restore(&saved, "main", fewer, 2, &arena, &list) == 0, "no such node");
	cr_expect(restore(&saved, "main", others, 3, &arena, &list) == 0, "another node there");
	cr_expect(restore(&saved, "main", all, 3, &arena, &list) == 1, "all as before");
	maui_arena_finish(&arena);
	maui_saved_job_rsvs_finish(&saved);
}

Test(carried_over, a_started_task_takes_its_job_reservation_along)
{
	static const struct maui_started_copy started[] = { { 7, 2 }, { 7, 0 }, { 8, 1 } };
	struct maui_store_job_rsv list[] = { { .job_id = 7, .start_s = 10 },
					     { .job_id = 8, .start_s = 15 },
					     { .job_id = 7, .start_s = 20 },
					     { .job_id = 7, .start_s = 30 } };
	struct maui_saved_job_rsvs saved = { .list = list, .count = 4 };

	maui_saved_job_rsvs_drop_started(&saved, NULL, 0);
	cr_assert(saved.count == 4);
	maui_saved_job_rsvs_drop_started(&saved, started, 3);
	cr_assert(saved.count == 2);
	cr_expect(saved.list[0].job_id == 8, "its second task had none");
	cr_expect(saved.list[1].job_id == 7 && saved.list[1].start_s == 20);
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

/* ---- lists of reservations ---- */

Test(carried_over, reservations_survive_a_restart)
{
	struct maui_store_instance_node node = { .name = (char *)"c1", .tasks = 2 };
	struct maui_rsv rsv = { .name = (char *)"test.1", .end_s = 9 };
	struct maui_store_instance instance = {
		.period = { (char *)"biz", 20261122 }, .end_s = 9, .nodes = &node, .node_count = 1
	};
	struct maui_store_released released[] = { { { (char *)"old", 20261121 }, 7 },
						  { { (char *)"old", 20261121 }, 8 } };
	struct maui_store_record record = { .period = { (char *)"biz", 20261122 }, .until_s = 2 };
	struct maui_store_pending pending = { .period = { (char *)"biz", 20261122 },
					      .account = (char *)"phys" };
	const struct maui_store store = { .rsvs = &rsv,
					  .rsv_count = 1,
					  .instances = &instance,
					  .instance_count = 1,
					  .released = released,
					  .released_count = 2,
					  .records = &record,
					  .record_count = 1,
					  .pending = &pending,
					  .pending_count = 1 };
	struct maui_rsv_lists lists = { 0 };
	struct maui_store again = { 0 };

	cr_assert(maui_rsv_lists_from_store(&lists, &store) == 0);
	node.name = instance.period.rsv = rsv.name = NULL; /* the lists have copies */
	maui_rsv_lists_to_store(&lists, &again);
	cr_assert(again.rsv_count == 1 && again.instance_count == 1 && again.record_count == 1 &&
		  again.pending_count == 1);
	cr_assert(again.released_count == 1 && again.released[0].hash == 8, "the last of equals");
	cr_expect_str_eq(again.rsvs[0].name, "test.1");
	cr_expect_str_eq(again.instances[0].nodes[0].name, "c1");
	cr_expect_str_eq(again.pending[0].account, "phys");
	cr_expect(again.records[0].until_s == 2);
	maui_rsv_lists_drop_record(&lists, 0);
	maui_rsv_lists_drop_instances(&lists);
	cr_expect(lists.record_count == 0 && lists.instance_count == 0);
	maui_rsv_lists_finish(&lists);
}

Test(carried_over, a_release_is_dropped_by_day_or_with_all_of_its_reservation)
{
	struct maui_rsv_lists lists = { 0 };
	struct maui_store_period periods[] = { { (char *)"biz", 3 },
					       { (char *)"night", 3 },
					       { (char *)"biz", 4 },
					       { (char *)"biz", 5 } };

	for (size_t i = 0; i < 4; i++)
		cr_assert(maui_rsv_lists_add_released(&lists, &periods[i], i) == 0);
	cr_expect(maui_rsv_lists_drop_released(&lists, "biz", 6) == 0);
	cr_expect(maui_rsv_lists_drop_released(&lists, "biz", 4) == 1 && lists.released_count == 3);
	cr_expect(maui_rsv_lists_drop_released(&lists, "biz", INT32_MIN) == 2);
	cr_assert(lists.released_count == 1);
	cr_expect_str_eq(lists.released[0].period.rsv, "night");
	cr_expect(lists.released[0].hash == 1);
	maui_rsv_lists_finish(&lists);
}
