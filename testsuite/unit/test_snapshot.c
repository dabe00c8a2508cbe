/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_snapshot.c - filling a snapshot: order, copies, equal things kept once, bad references */

#include <criterion/criterion.h>
#include <string.h>

#include "model/snapshot.h"

static const uint32_t zero = 0;
static const int64_t four[] = { 4, 100, 0 };

static struct maui_snapshot *with_partitions(unsigned count)
{
	struct maui_snapshot *s = maui_snapshot_create(3);
	char name[] = "p0";

	for (unsigned p = 0; p < count; p++, name[1]++)
		cr_assert(maui_snapshot_add_partition(
				  s, &(struct maui_partition){ .name = name }) == p,
			  "partition %u", p);
	return s;
}

static int64_t add_node(struct maui_snapshot *s, uint32_t id, const char *name,
			const uint32_t *partitions, uint32_t count)
{
	return maui_snapshot_add_node(s, &(struct maui_node){ .id = id,
							      .name = name,
							      .have = four,
							      .partitions = partitions,
							      .partition_count = count });
}

Test(snapshot, nodes_are_sorted_and_found_by_id)
{
	struct maui_snapshot *s = with_partitions(1);

	add_node(s, 70, "c", &zero, 1);
	add_node(s, 5, "a", &zero, 1);
	add_node(s, 30, "b", &zero, 1);
	cr_assert(maui_snapshot_seal(s, NULL) == 0, "seal");
	cr_expect(s->nodes[0].id == 5 && s->nodes[1].id == 30 && s->nodes[2].id == 70, "order");
	cr_expect(maui_snapshot_find_node(s, 30) == 1, "30");
	cr_expect(maui_snapshot_find_node(s, 31) == -1, "31");
	cr_expect(maui_snapshot_find_node(s, 1) == -1, "1");
	cr_expect(s->class_count == 1 && s->classes[0].count == 3, "one class");
	maui_snapshot_destroy(s);
}

Test(snapshot, partitions_are_found_by_their_whole_name)
{
	struct maui_snapshot *s = with_partitions(2);

	cr_expect(maui_snapshot_find_partition(s, "p1") == 1, "p1");
	cr_expect(maui_snapshot_find_partition(s, "p") == -1, "p");
	cr_expect(maui_snapshot_find_partition(s, "p11") == -1, "p11");
	cr_expect(maui_snapshot_find_partition(s, NULL) == -1, "no name");
	maui_snapshot_destroy(s);
}

/* A node shares with the node before it only what is equal. */
Test(snapshot, nodes_keep_their_own)
{
	static const uint32_t lists[][2] = { { 0, 1 }, { 0, 1 }, { 1, 0 }, { 1, 0 }, { 1, 1 } };
	static const uint32_t counts[] = { 2, 2, 2, 1, 0 };
	static const char *const features[] = { "a", "a", NULL, "b", "b" };
	struct maui_snapshot *s = with_partitions(2);

	for (uint32_t i = 0; i < 5; i++) {
		const int64_t have[] = { 4, i / 2, 0 };

		cr_assert(maui_snapshot_add_node(
				  s, &(struct maui_node){ .id = i,
							  .name = "n",
							  .have = have,
							  .features = features[i],
							  .partitions = lists[i],
							  .partition_count = counts[i] }) == i);
	}
	cr_assert(maui_snapshot_seal(s, NULL) == 0, "seal");
	for (uint32_t i = 0; i < 5; i++) {
		const struct maui_node *n = &s->nodes[i];

		cr_expect(n->have[0] == 4 && n->have[1] == i / 2, "amounts of %u", i);
		cr_expect(n->partition_count == counts[i], "partitions of %u", i);
		for (uint32_t p = 0; counts[i] == 2 && p < 2; p++)
			cr_expect(n->partitions[p] == p, "sorted partitions of %u", i);
		cr_expect(counts[i] != 1 || n->partitions[0] == 1, "partition of %u", i);
		cr_expect(features[i] ? n->features && strcmp(n->features, features[i]) == 0 :
					!n->features,
			  "features of %u", i);
	}
	cr_expect(s->class_count == 4, "%u classes", s->class_count);
	maui_snapshot_destroy(s);
}

Test(snapshot, arguments_are_copied)
{
	struct maui_snapshot *s = with_partitions(1);
	int64_t have[] = { 4, 100, 0 };
	char name[] = "node";

	maui_snapshot_add_node(s, &(struct maui_node){ .name = name, .have = have });
	have[0] = 99;
	name[0] = 'X';
	cr_expect(s->nodes[0].have[0] == 4, "amounts");
	cr_expect_str_eq(s->nodes[0].name, "node", "name");
	cr_expect(s->nodes[0].unit == 1, "a unit of 0 is 1");
	maui_snapshot_destroy(s);
}

Test(snapshot, classes_tell_nodes_apart)
{
	static const uint32_t both[] = { 1, 0 }, other[] = { 0, 1 };
	struct maui_snapshot *s = with_partitions(2);
	const int64_t five[] = { 5, 100, 0 };

	add_node(s, 0, "a", &zero, 1);
	add_node(s, 1, "b", both, 2);
	add_node(s, 2, "c", other, 2); /* the same partitions */
	maui_snapshot_add_node(
		s, &(struct maui_node){
			   .id = 3, .have = five, .partitions = &zero, .partition_count = 1 });
	maui_snapshot_add_node(s, &(struct maui_node){ .id = 4,
						       .have = four,
						       .partitions = &zero,
						       .partition_count = 1,
						       .features = "f" });
	maui_snapshot_add_node(s, &(struct maui_node){ .id = 5,
						       .have = four,
						       .partitions = &zero,
						       .partition_count = 1,
						       .weight = 9 });
	maui_snapshot_seal(s, NULL);
	cr_expect(s->class_count == 4, "%u classes", s->class_count);
	cr_expect(s->nodes[1].class_index == s->nodes[2].class_index, "order of partitions");
	cr_expect(s->nodes[5].class_index == s->nodes[0].class_index, "weight is no matter");
	maui_snapshot_destroy(s);
}

Test(snapshot, pools_are_partitions_that_share_nodes)
{
	static const uint32_t p12[] = { 1, 2 }, p3[] = { 3 };
	struct maui_snapshot *s = with_partitions(5);

	add_node(s, 9, "a", &zero, 1);
	add_node(s, 3, "b", p12, 2);
	add_node(s, 1, "c", p3, 1);
	add_node(s, 2, "d", p3, 1);
	maui_snapshot_seal(s, NULL);
	/* by the lowest node: p3, then p1 and p2, then p0; p4 has none */
	cr_expect(s->partitions[3].pool == 0, "p3: %u", s->partitions[3].pool);
	cr_expect(s->partitions[1].pool == 1 && s->partitions[2].pool == 1, "p1, p2");
	cr_expect(s->partitions[0].pool == 2, "p0: %u", s->partitions[0].pool);
	cr_expect(s->partitions[4].pool == 3, "p4: %u", s->partitions[4].pool);
	maui_snapshot_destroy(s);
}

Test(snapshot, equal_requests_are_one)
{
	struct maui_snapshot *s = with_partitions(1);
	static const int64_t memory[] = { 0, 10, 0 }, same[] = { 0, 10, 0 },
			     nothing[] = { 0, 0, 0 };
	static const uint32_t node[] = { 0 };
	struct maui_request r = { .nodes_min = 1, .tasks = 2, .per_node = memory };
	int64_t first;

	add_node(s, 0, "a", &zero, 1);
	cr_expect(maui_snapshot_request(s, &r) == -1, "before the seal");
	maui_snapshot_seal(s, NULL);
	first = maui_snapshot_request(s, &r);
	r.per_node = same;
	cr_expect(maui_snapshot_request(s, &r) == first, "equal amounts elsewhere");
	r.per_node = nothing;
	cr_expect(maui_snapshot_request(s, &r) != first, "other amounts");
	r.per_node = memory;
	r.least = same;
	cr_expect(maui_snapshot_request(s, &r) != first, "resources that must be configured");
	cr_expect(s->requests[maui_snapshot_request(s, &r)].least != same, "a copy");
	r.least = NULL;
	r.features = "f";
	cr_expect(maui_snapshot_request(s, &r) != first, "features");
	r.features = NULL;
	r.required = node;
	r.required_count = 1;
	cr_expect(maui_snapshot_request(s, &r) != first, "required");
	r.required = NULL;
	r.required_count = 0;
	r.excluded = node;
	r.excluded_count = 1;
	cr_expect(maui_snapshot_request(s, &r) != first, "excluded");
	cr_expect(s->request_count == 6, "%u requests", s->request_count);
	maui_snapshot_destroy(s);
}

Test(snapshot, equal_credentials_are_one)
{
	const char *ann[MAUI_CRED_COUNT] = { "ann", "staff" },
		   *other[MAUI_CRED_COUNT] = { "ann", NULL };
	const char *bob[MAUI_CRED_COUNT] = { "bob", "staff" };
	struct maui_snapshot *s = with_partitions(1);
	char name[] = "ann";
	int64_t first = maui_snapshot_creds(s, ann), second;

	ann[0] = name;
	cr_expect(maui_snapshot_creds(s, ann) == first, "the same");
	second = maui_snapshot_creds(s, other);
	cr_expect(second != first, "another group");
	cr_expect(s->creds[second].user == s->creds[first].user, "the same user");
	cr_expect(s->creds[maui_snapshot_creds(s, bob)].user != s->creds[first].user, "another");
	maui_snapshot_destroy(s);
}

Test(snapshot, bad_references_are_refused)
{
	static const uint32_t seven[] = { 7 }, falling[] = { 1, 0 };
	struct maui_snapshot *s = with_partitions(1);
	const struct maui_piece piece = { .node = 7, .amounts = four };
	const struct maui_row row = { .partition = 7 };
	const char *cred[MAUI_CRED_COUNT] = { "ann" };

	cr_expect(add_node(s, 0, "a", seven, 1) == -1, "partition of a node");
	add_node(s, 0, "a", &zero, 1);
	add_node(s, 1, "b", &zero, 1);
	cr_expect(maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "late" }) == -1,
		  "a partition behind nodes");
	maui_snapshot_seal(s, NULL);
	cr_expect(maui_snapshot_seal(s, NULL) == -1, "sealed twice");
	cr_expect(add_node(s, 2, "c", &zero, 1) == -1, "a node behind the seal");
	cr_expect(maui_snapshot_creds(s, cred) == 0, "credentials");
	cr_expect(maui_snapshot_add_active(
			  s, &(struct maui_active){ .pieces = &piece, .piece_count = 1 }) == -1,
		  "node of a piece");
	cr_expect(maui_snapshot_add_active(s, &(struct maui_active){ .creds = 7 }) == -1, "creds");
	cr_expect(maui_snapshot_add_claim(
			  s, &(struct maui_claim){ .nodes = seven, .node_count = 1 }) == -1,
		  "node of a claim");
	cr_expect(maui_snapshot_request(s, &(struct maui_request){ .required = seven,
								   .required_count = 1 }) == -1,
		  "required node");
	cr_expect(maui_snapshot_request(s, &(struct maui_request){ .excluded = falling,
								   .excluded_count = 2 }) == -1,
		  "a list that does not ascend");
	maui_snapshot_request(s, &(struct maui_request){ 0 });
	cr_expect(maui_snapshot_add_idle(s, &(struct maui_idle){ .rows = &row, .row_count = 1 }) ==
			  -1,
		  "partition of a row");
	cr_expect(maui_snapshot_add_idle(s, &(struct maui_idle){ 0 }) == -1, "no row");
	cr_expect(s->active_count == 0 && s->idle_count == 0, "something was added");
	maui_snapshot_destroy(s);
}

Test(snapshot, two_nodes_of_one_id)
{
	struct maui_snapshot *s = with_partitions(1);
	struct maui_err err = { .text = "" };

	add_node(s, 3, "a", &zero, 1);
	add_node(s, 3, "b", &zero, 1);
	cr_expect(maui_snapshot_seal(s, &err) == -1 && strstr(err.text, "same id 3"), "%s",
		  err.text);
	maui_snapshot_destroy(s);
}

Test(snapshot, removed_idle_jobs_leave_the_others_in_order)
{
	struct maui_snapshot *s = with_partitions(1);
	const char *cred[MAUI_CRED_COUNT] = { "ann" };
	const struct maui_row row = { 0 };
	static const uint32_t gone[] = { 0, 2, 3, 6 };
	static const uint64_t left[] = { 1, 4, 5 };

	add_node(s, 0, "a", &zero, 1);
	maui_snapshot_seal(s, NULL);
	maui_snapshot_creds(s, cred);
	maui_snapshot_request(s, &(struct maui_request){ 0 });
	for (uint64_t id = 0; id < 7; id++)
		maui_snapshot_add_idle(
			s, &(struct maui_idle){ .id = id, .rows = &row, .row_count = 1 });
	maui_snapshot_drop_idle(s, gone, 0);
	cr_expect(s->idle_count == 7, "none");
	maui_snapshot_drop_idle(s, gone, 4);
	cr_assert(s->idle_count == 3, "%u left", s->idle_count);
	for (uint32_t i = 0; i < 3; i++)
		cr_expect(s->idle[i].id == left[i], "place %u: %d", i, (int)s->idle[i].id);
	maui_snapshot_destroy(s);
}
