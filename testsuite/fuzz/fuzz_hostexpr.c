/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_hostexpr.c - any host expression on any node names
 *
 * First line: the expression. The others: a node name each, at most 64; without any, a small
 * cluster's.
 */
#include "base/hostexpr.h"
#include "base/hostnames.h"

#include "base/limits.h"
#include "fuzz.h"

#define NAMES_MAX 64

/* Splits at newlines in place; a name that was there already is dropped, as nodes are unique. */
static size_t split_names(char *text, const char **names)
{
	static const char *const cluster[] = { "node01", "node02", "node03",
					       "gpu1",   "gpu10",  "Login" };
	size_t count = 0, i;
	char *name;

	while (text && (name = strsep(&text, "\n")) && count < NAMES_MAX) {
		for (i = 0; i < count && strcmp(names[i], name) != 0; i++)
			;
		if (*name && i == count)
			names[count++] = name;
	}
	if (!count) {
		memcpy(names, cluster, sizeof(cluster));
		count = sizeof(cluster) / sizeof(cluster[0]);
	}
	return count;
}

/* The order of the nodes means nothing. */
static void check_backwards(const struct maui_hostexpr *expr, const char *const *names,
			    size_t count, const bool *match, ssize_t matched, const char *unmatched)
{
	const char *backwards[NAMES_MAX], *unmatched_too;
	bool match_too[NAMES_MAX];

	for (size_t i = 0; i < count; i++)
		backwards[i] = names[count - 1 - i];
	FUZZ_CHECK(maui_hostexpr_match(expr, backwards, count, match_too, &unmatched_too, NULL) ==
		   matched);
	FUZZ_CHECK(unmatched == unmatched_too);
	for (size_t i = 0; i < count; i++)
		FUZZ_CHECK(match[i] == match_too[count - 1 - i]);
}

/* Too costly is an answer, with a reason and without a choice of nodes. */
static void check_match(const struct maui_hostexpr *expr, const char *text,
			const char *const *names, size_t count)
{
	const char *unmatched = NULL;
	bool match[NAMES_MAX];
	struct maui_err err = { .text = "" };
	ssize_t matched = maui_hostexpr_match(expr, names, count, match, &unmatched, &err), set = 0;

	for (size_t i = 0; i < count; i++)
		set += match[i];
	FUZZ_CHECK(matched == (matched < 0 ? -1 : set) && (matched >= 0 || !set));
	FUZZ_CHECK((matched < 0) == (strstr(err.text, "too costly") != NULL));
	FUZZ_CHECK(!unmatched || strstr(text, unmatched));
	FUZZ_CHECK(matched || unmatched);
	check_backwards(expr, names, count, match, matched, unmatched);
	/* a literal name means that node and no other */
	for (size_t i = 0; i < count && !strpbrk(text, ", \t"); i++) {
		if (!strcmp(names[i], text))
			FUZZ_CHECK(match[i] && matched == 1);
	}
}

/* A doubt is about an item that is there, and has matched something; so are missing nodes. */
static void check_doubt(const struct maui_hostexpr *expr, const char *text,
			const char *const *names, size_t count)
{
	struct maui_hostnames *all = maui_hostnames_create(names, count);
	struct maui_err said = { .text = "" };
	size_t at = SIZE_MAX;

	if (all && maui_hostexpr_doubt(expr, all, &at, &said))
		FUZZ_CHECK(at < strlen(text) && said.text[0] && !strchr(", \t", text[at]));
	at = SIZE_MAX;
	if (all && maui_hostexpr_missing(expr, all, &at, &said) > 0)
		FUZZ_CHECK(at < strlen(text) && said.text[0]);
	maui_hostnames_destroy(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text, *first = strsep(&rest, "\n");
	const char *names[NAMES_MAX];
	size_t count = split_names(rest, names);
	struct maui_hostexpr *expr = NULL;
	struct maui_err err = { .text = "" };

	if (maui_hostexpr_parse(first, &expr, &err) < 0) {
		FUZZ_CHECK(!expr && err.text[0] && !err.no_memory);
	} else {
		check_match(expr, first, names, count);
		check_doubt(expr, first, names, count);
		maui_hostexpr_destroy(expr);
	}
	free(text);
	return 0;
}
