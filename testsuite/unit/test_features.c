/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_features.c - constraints against the features of a node */

#include "model/features.h"
#include "rows.h"

static const struct {
	const char *name, *constraint, *features;
	bool matches;
} rows[] = {
	{ "no constraint", NULL, NULL, true },
	{ "an empty one", "", "a", true },
	{ "has it", "a", "x,a,y", true },
	{ "has none", "a", NULL, false },
	{ "a part of a name is another", "a", "ab,ba", false },
	{ "both", "a&b", "b,a", true },
	{ "both, one missing", "a&b", "a", false },
	{ "a comma is &", "a,b", "a", false },
	{ "one of them", "a|b", "b", true },
	{ "neither", "a|b", "c", false },
	{ "| binds closer", "a|b&c", "a", false },
	{ "| binds closer, both", "a|b&c", "a,c", true },
	{ "parentheses", "(a&b)|c", "c", true },
	{ "parentheses, other way", "a&(b|c)", "a,c", true },
	{ "without", "!a", "b", true },
	{ "without, but has it", "!a", "a", false },
	{ "without a group", "!(a|b)", "c", true },
	{ "alternatives for all nodes: any of them serves", "[a|b]", "b", true },
	{ "alternatives, none", "[a|b]", "c", false },
	{ "alternatives and another", "[a|b]&c", "b", false },
	{ "counts: either kind of node serves", "a*2&b*4", "b", true },
	{ "counts, neither", "a*2&b*4", "c", false },
	{ "not well formed: open", "(a", "a", false },
	{ "not well formed: close", "a)", "a", false },
	{ "not well formed: nothing between", "a&&b", "a,b", false },
	{ "not well formed: a count of nothing", "a*", "a", false },
	{ "not well formed: other bracket", "(a]", "a", false },
	{ "nested beyond all reason",
	  "((((((((((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))))))))))", "a",
	  false },
};

Test(features, valid)
{
	static const char *const good[] = { NULL, "", "a", "a&b|c", "[a|b]", "!(a|b)", "a*2&b*4" };
	static const char *const bad[] = { "&&", "a&&b", "a|", "(a", "a)", "a*", "!", "(a]" };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		cr_expect(maui_features_valid(good[i]), "%s", good[i] ? good[i] : "none");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect(!maui_features_valid(bad[i]), "%s", bad[i]);
}

TEST_ROWS(features, match, rows, row)
{
	cr_expect(maui_features_match(row->constraint, row->features) == row->matches, "%s",
		  row->name);
}
