/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_network.c - the switches of a network, from the addresses of its nodes */
#include "model/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { NODES = 4 };

struct row {
	const char *name;
	unsigned levels;
	const char *addresses[NODES]; /* of n0, n1, ... */
	const char *leaves[NODES];    /* from the leaf to the top: "leaf<core"; "": none */
	bool ambiguous;               /* the last address */
};

static const struct row rows[] = {
	{ "two levels", 2, { "top.s0.n0", "top.s1.n1" }, { "s0<top", "s1<top" }, false },
	{ "one level", 1, { "s0.n0", "s1.n1", "s0.n2" }, { "s0", "s1", "s0" }, false },
	{ "one level, dots in names", 1, { "r.1.n0", "r.2.n1" }, { "r.1", "r.2" }, false },
	{ "a leaf without a middle switch", 3, { "core..s0.n0" }, { "s0<core" }, false },
	{ "a network of its own", 3, { "..s7.n0" }, { "s7" }, false },
	{ "no switch reaches the node", 3, { "...n0", "c.a.s.n1" }, { "", "s<a<c" }, false },
	{ "no switch reaches the node of one level", 1, { ".n0", "s.n1" }, { "", "s" }, false },
	{ "on two leaf switches", 2, { "top.s[1-2].n0" }, { "s[1-2]<top" }, false },
	{ "one name below two parents", 2, { "a.s.n0", "b.s.n1" }, { "s<a", "s<b" }, false },
	{ "one name on two levels", 2, { "s.s.n0" }, { "s<s" }, false },
	{ "dots in leaf switches", 2, { "top.s0.n0", "top.rackA.1.n1" }, { "s0<top" }, true },
	{ "dots in upper switches", 2, { "room.1.s0.n0" }, { NULL }, true },
	{ "a dot and an empty level", 3, { "core..rackA.1.n0" }, { NULL }, true },
};

static void write_path(const struct maui_network *network, const struct maui_network_switch *leaf,
		       char *buf, size_t size)
{
	uint32_t at = leaf ? leaf->index : MAUI_NO_SWITCH;
	size_t length = 0;

	for (buf[0] = '\0'; at != MAUI_NO_SWITCH; at = network->switches[at].parent)
		length += (size_t)snprintf(buf + length, size - length, "%s%s",
					   length > 0 ? "<" : "", network->switches[at].name);
}

static void check_valid(struct maui_network *network, const char *name)
{
	struct maui_snapshot *s = maui_snapshot_create(3);

	cr_assert(maui_network_sort(network) == 0, "%s: sort", name);
	cr_expect(maui_snapshot_set_switches(s, network->switches, network->count) == 0,
		  "%s: a parent does not stand behind its switch", name);
	maui_snapshot_destroy(s);
}

TEST_ROWS(network, addresses_of_a_tree, rows, row)
{
	struct maui_network_switch *leaves[NODES] = { NULL };
	struct maui_network network = { 0 };
	unsigned count = 0;
	char got[64];

	for (; count < NODES && row->addresses[count]; count++) {
		char *address = strdup(row->addresses[count]), node[16];
		bool last = count + 1 == NODES || !row->addresses[count + 1];
		enum maui_address_result result = MAUI_ADDRESS_READ;

		snprintf(node, sizeof(node), "n%u", count);
		if (maui_network_cut_node(address, node))
			result = maui_network_add_path(&network, address, row->levels,
						       &leaves[count]);
		cr_expect(result == (last && row->ambiguous ? MAUI_ADDRESS_AMBIGUOUS :
							      MAUI_ADDRESS_READ),
			  "%s: n%u: %d", row->name, count, result);
		free(address);
	}
	check_valid(&network, row->name);
	for (unsigned i = 0; i < count; i++) {
		write_path(&network, leaves[i], got, sizeof(got));
		cr_expect_str_eq(got, row->leaves[i] ? row->leaves[i] : "", "%s: n%u", row->name,
				 i);
	}
	maui_network_finish(&network);
}

Test(network, a_block_has_all_that_stands_before_the_node)
{
	static const char *const addresses[] = { "rack1.b1.n0", "rack1.b2.n1", "b.n2" };
	static const char *const expected[] = { "rack1.b1<blocks", "rack1.b2<blocks", "b<blocks" };
	struct maui_network_switch *leaves[4];
	struct maui_network network = { 0 };
	char got[64];

	for (unsigned i = 0; i < 3; i++) {
		char *address = strdup(addresses[i]);

		cr_assert(maui_network_cut_node(address, (char[]){ 'n', (char)('0' + i), 0 }), "%s",
			  addresses[i]);
		leaves[i] = maui_network_add_block(&network, address);
		free(address);
	}
	leaves[3] = maui_network_add_block(&network, NULL);
	check_valid(&network, "blocks");
	for (unsigned i = 0; i < 3; i++) {
		write_path(&network, leaves[i], got, sizeof(got));
		cr_expect_str_eq(got, expected[i], "n%u", i);
	}
	write_path(&network, leaves[3], got, sizeof(got));
	cr_expect_str_eq(got, "no block", "nodes without a block are a network of their own");
	maui_network_finish(&network);
}

Test(network, only_the_own_name_is_cut)
{
	char other[] = "top.s0.n10", bare[] = "n1", part[] = "top.s0.xn1";

	cr_expect(!maui_network_cut_node(other, "n1"), "n10");
	cr_expect(!maui_network_cut_node(bare, "n1"), "no switch");
	cr_expect(!maui_network_cut_node(part, "n1"), "xn1");
}

/* Any text is a valid network or an ambiguous one. */
Test(network, random_addresses_make_a_valid_network)
{
	srand(7);
	for (unsigned round = 0; round < 300; round++) {
		struct maui_network network = { 0 };

		for (unsigned i = 0; i < 30; i++) {
			struct maui_network_switch *leaf;
			char path[9] = "";

			for (unsigned k = 0; k < sizeof(path) - 1; k++)
				path[k] = ".ab\0"[rand() % 4];
			cr_expect(maui_network_add_path(&network, path, 1 + (unsigned)rand() % 4,
							&leaf) != MAUI_ADDRESS_NO_MEMORY,
				  "no memory");
		}
		check_valid(&network, "random");
		maui_network_finish(&network);
	}
}
