/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hostexpr.c - the nodes that a HOSTLIST matches
 *
 * Rules: CFG-7.
 */
#include "base/hostexpr.h"
#include "base/hostnames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostrange.h"
#include "base/limits.h"
#include "rows.h"

/* Rows name nodes by letters: "a" is node01, ... */
static const char *const nodes[] = {
	"node01",  "node02",  "node03",  "node04",  "node10",  "node20",  /* a b c d e f */
	"gpu1",    "gpu2",    "gpu10",   "rack1n1", "rack1n2", "rack2n1", /* g h i j k l */
	"rack2n2", "login.a", "loginxa", "Big",     "bigger",  "n[1-2]",  /* m n o p q r */
};
#define NODES (sizeof(nodes) / sizeof(nodes[0]))

struct choice {
	const char *text;
	const char *expected;
	const char *unmatched; /* NULL: none */
};

static const struct choice choices[] = {
	/* literal names */
	{ "node01", "a", NULL },
	{ "node01,gpu2", "ah", NULL },
	{ "node01 gpu2\tnode01", "ah", NULL },
	{ " node01 ,, gpu2, ", "ah", NULL },
	{ "gpu1", "g", NULL }, /* only gpu1, not gpu10 */
	{ "login.a", "n", NULL },
	{ "bigger", "q", NULL },
	{ "n[1-2]", "r", NULL }, /* an odd name, but a node's name */
	/* all */
	{ "ALL", "abcdefghijklmnopqr", NULL },
	{ "[ALL]", "abcdefghijklmnopqr", NULL },
	{ "all", "abcdefghijklmnopqr", NULL },
	{ "node01,ALL", "abcdefghijklmnopqr", NULL },
	/* Slurm's ranges */
	{ "node[01-04]", "abcd", NULL },
	{ "node[01-03,10,20]", "abcef", NULL },
	{ "node[01-03,10,20],gpu1", "abcefg", NULL },
	{ "node[01]", "a", NULL },
	{ "gpu[1-2,10]", "ghi", NULL },
	{ "rack[1-2]n[1-2]", "jklm", NULL },
	{ "rack[1,2]n1", "jl", NULL },
	{ "node[02-02]", "b", NULL },
	{ "node[01,01,01-02]", "ab", NULL },
	/* not all of them exist: the others, and no other node */
	{ "node0[1-9]", "abcd", NULL },
	{ "gpu[1-3]", "gh", NULL },
	{ "gpu[5-9]", "", "gpu[5-9]" },
	/* single digits without any node: sets of an expression */
	{ "node[1-4]", "ef", NULL },
	{ "node[0-9]", "abcdef", NULL },
	{ "node[0-9][0-9]", "abcdef", NULL }, /* a range with nodes */
	{ "rack[12]n1", "", "rack[12]n1" },   /* rack 12 */
	{ "ode[0-9][1-2]", "ab", NULL },
	{ "NODE[0,1][0-2]", "abe", NULL },
	{ "ode[00-90]", "", "ode[00-90]" },
	{ "ode[1-03]", "", "ode[1-03]" }, /* no set of characters */
	{ "node[00-10]", "abcde", NULL },
	{ "node[01-05]", "abcd", NULL },
	{ "rack[0-2]n[2-4]", "km", NULL },
	/* more names than nodes */
	{ "rack[1-60]n[1-90]", "jklm", NULL },
	{ "gpu[1-90]", "ghi", NULL },
	{ "gpu[01-90]", "i", NULL }, /* numbers have two digits at least */
	{ "node[001-090]", "", "node[001-090]" },
	{ "gpu[1-3],gpu[5-7],node99", "gh", "gpu[5-7]" },
	/* regular expressions */
	{ "node0[1-4]$", "abcd", NULL },
	{ "node", "abcdef", NULL },
	{ "NODE01", "a", NULL },
	{ "gpu", "ghi", NULL },
	{ "^gpu.$", "gh", NULL },
	{ "node.*", "abcdef", NULL },
	{ "login.", "no", NULL },
	{ "Login.A", "no", NULL },
	{ "login\\.a", "n", NULL },
	{ "(node01|gpu1)$", "ag", NULL },
	{ "^node|^gpu", "abcdefghi", NULL },
	{ "gpu[[:digit:]]{2}", "i", NULL },
	{ "big", "pq", NULL }, /* no node has exactly this name, so it is searched in any case */
	{ "BIG", "pq", NULL },
	{ "^.{3}$", "p", NULL },
	{ "node(01,02|01)$", "a", NULL }, /* no separator inside parentheses */
	{ "0{1,2}[1,2]$", "ab", NULL },   /* nor in braces and brackets */
	{ "[],]$", "r", NULL },
	{ "[^],]$", "abcdefghijklmnopq", NULL },
	{ "((x,y)z,|node01)$", "a", NULL },
	{ "\\],node01", "ar", NULL },
	{ "\\,,node01", "a", "\\," },
	{ "[[:digit:],]$,Big", "abcdefghijklmp", NULL },
	/* a text with characters of expressions only, or without numbers, is not a range */
	{ "0[10-1]$", "a", NULL },
	{ "^node[10-1]", "abcde", NULL },
	{ "node0[1:-]$", "a", NULL },
	/* no such nodes */
	{ "node99", "", "node99" },
	{ "node01,node99,other", "a", "node99" },
	{ "other[1-2]", "", "other[1-2]" },
	{ "x[0-9][0-9][0-9][0-9][0-9]", "",
	  "x[0-9][0-9][0-9][0-9][0-9]" }, /* 100,000 names, but sane */
	{ "ode0", "abcd", NULL },
};

static void letters(const bool *match, char *ret_text)
{
	for (size_t i = 0; i < NODES; i++) {
		if (match[i])
			*ret_text++ = (char)('a' + i);
	}
	*ret_text = '\0';
}

TEST_ROWS(hostexpr, match, choices, row)
{
	struct maui_hostexpr *expr;
	struct maui_err err = { .text = "" };
	bool match[NODES];
	char got[NODES + 1];
	const char *unmatched = "untouched";
	ssize_t count;

	cr_assert(maui_hostexpr_parse(row->text, &expr, &err) == 0, "%s: %s", row->text, err.text);
	memset(match, 1, sizeof(match));
	count = maui_hostexpr_match(expr, nodes, NODES, match, &unmatched, &err);
	letters(match, got);
	cr_expect(!strcmp(got, row->expected), "%s: expected %s, got %s", row->text, row->expected,
		  got);
	cr_expect(count == (ssize_t)strlen(row->expected), "%s: count %zd", row->text, count);
	if (row->unmatched)
		cr_expect(unmatched && !strcmp(unmatched, row->unmatched), "%s: unmatched %s",
			  row->text, unmatched ? unmatched : "none");
	else
		cr_expect(!unmatched, "%s: unmatched %s", row->text, unmatched);
	cr_expect(maui_hostexpr_match(expr, nodes, NODES, match, NULL, NULL) == count, "%s: again",
		  row->text);
	cr_expect(maui_hostexpr_match(expr, NULL, 0, NULL, NULL, NULL) == 0, "%s: of no nodes",
		  row->text);
	maui_hostexpr_destroy(expr);
}

struct refused {
	const char *text;
	const char *reason;
};

static const struct refused refusals[] = {
	{ "", "host expression: no host in it" },
	{ " , ,\t", "host expression: no host in it" },
	{ "node[1-3", "host expression 'node[1-3': unmatched [ at byte 5" },
	{ "a,node(1,b", "host expression 'node(1,b': unmatched ( at byte 5" },
	{ "a,b[1,2", "host expression 'b[1,2': unmatched [ at byte 2" },
	{ "node[5-3]",
	  "host expression 'node[5-3]': the range descends: the smaller number comes first" },
	{ "a,*,b", "host expression '*': nothing to repeat at byte 1" },
	{ "a{1,2,b", "host expression 'a{1,2,b': invalid repetition {} at byte 2" },
	{ "(a)\\1", "host expression '(a)\\1': back-references are not supported at byte 4" },
	{ "(?i)a", "host expression '(?i)a': nothing to repeat at byte 2" },
	{ "a),b", "host expression 'a)': unmatched ) at byte 2" },
	{ "node[1-65537]", "host expression 'node[1-65537]': more than 65536 nodes" },
	{ "node[1-99999]", "host expression 'node[1-99999]': more than 65536 nodes" },
	{ "a[0-999]b[0-99]", "host expression 'a[0-999]b[0-99]': more than 65536 nodes" },
	{ "n[0-999999999999999999]",
	  "host expression 'n[0-999999999999999999]': more than 65536 nodes" },
	{ "((a{64}){64}){64}",
	  "host expression '((a{64}){64}){64}': the repetitions make it too large" },
};

TEST_ROWS(hostexpr, refused, refusals, row)
{
	struct maui_hostexpr *expr = NULL;
	struct maui_err err = { .text = "" };

	cr_expect(maui_hostexpr_parse(row->text, &expr, &err) == -1, "'%s': accepted", row->text);
	cr_expect(!strcmp(err.text, row->reason), "'%s': got '%s'", row->text, err.text);
	cr_expect(!expr, "'%s': result touched", row->text);
	cr_expect(maui_hostexpr_parse(row->text, &expr, NULL) == -1, "'%s': without err",
		  row->text);
}

/* ---- warnings about probable mistakes ---- */

/* Malformed ranges are expressions, and get a warning. */
static const struct refused mistakes[] = {
	{ "gpu1,node[10-1]",
	  "host expression 'node[10-1]': the range descends: the smaller number comes first" },
	{ "rack[1-2]n[1,20-1]",
	  "host expression 'rack[1-2]n[1,20-1]': the range descends: the smaller number comes "
	  "first" },
	{ "node[1-10:2]",
	  "host expression 'node[1-10:2]': a range of nodes has no step: write the numbers" },
	{ "node[1:2]",
	  "host expression 'node[1:2]': a range of nodes has no step: write the numbers" },
	{ "node[1-10],gpu*,n[0-9][1-2]", NULL },
};

TEST_ROWS(hostexpr, mistake, mistakes, row)
{
	struct maui_hostexpr *expr;
	struct maui_err err = { .text = "" };
	int found;

	cr_assert(maui_hostexpr_parse(row->text, &expr, &err) == 0, "%s", err.text);
	found = maui_hostexpr_mistake(expr, &err);
	maui_hostexpr_destroy(expr);
	cr_assert(found == (row->reason != NULL));
	cr_assert(!row->reason || strcmp(err.text, row->reason) == 0, "%s", err.text);
}

struct doubted {
	const char *text;
	size_t at;
	const char *said; /* NULL: nothing */
};

static const struct doubted doubts[] = {
	{ "node*", 0, "'node*' is a regular expression, not a shell pattern: it matches 6 nodes" },
	{ "gpu1,gpu1*", 5,
	  "'gpu1*' is a regular expression, not a shell pattern: it matches 3 nodes" },
	{ "rack1n[12]2?", 0,
	  "'rack1n[12]2?' is a regular expression, not a shell pattern: it matches 2 nodes" },
	{ "node0?", 0,
	  "'node0?' is a regular expression, not a shell pattern: it matches 6 nodes" },
	{ "node.*", 0, NULL },
	{ "^node0*", 0, NULL },
	{ "node0*1$", 0, NULL },
	{ "node[0-9]*", 0, NULL },
	{ "[b*]ig", 0, NULL },
	{ "zz*z*y", 0, NULL }, /* matches nothing, which is reported elsewhere */
	{ "node", 0, "'node' is only part of a node name: it matches 6 nodes" },
	{ "gpu1,node99, ode0,login", 13, "'ode0' is only part of a node name: it matches 4 nodes" },
	{ "GPU2", 0, NULL }, /* one node */
	{ "login.", 0, NULL },
	{ "^node", 0, NULL },
	{ "ALL", 0, NULL },
	{ "gpu1,node[01-04],n[1-2]", 0, NULL },
	{ "gpu[1-3]", 0, NULL }, /* a range is what it says */
	{ "node[5-6]", 0, NULL },
	{ "gpu1,node[0-9]", 5,
	  "'node[0-9]' is a range without any node, and read as a regular expression: it matches "
	  "6 nodes" },
	{ "ode[0-9][0-9]", 0, NULL }, /* meant as an expression */
	{ "node[0-9][0-9]", 0, NULL },
};

/* What one look at the expression says of the nodes. */
typedef int (*look_fn)(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
		       size_t *ret_at, struct maui_err *ret_text);

static void expect_said(const struct doubted *row, look_fn look)
{
	struct maui_hostnames *names = maui_hostnames_create(nodes, NODES);
	struct maui_hostexpr *expr = NULL;
	struct maui_err err = { .text = "" };
	size_t at = 0;
	int found;

	cr_assert(maui_hostexpr_parse(row->text, &expr, &err) == 0, "%s: %s", row->text, err.text);
	found = look(expr, names, &at, &err);
	cr_expect(found == (row->said != NULL), "%s: %d '%s'", row->text, found, err.text);
	if (found && row->said) {
		cr_expect(!strcmp(err.text, row->said), "%s: '%s'", row->text, err.text);
		cr_expect(at == row->at, "%s: at %zu", row->text, at);
	}
	maui_hostexpr_destroy(expr);
	maui_hostnames_destroy(names);
}

TEST_ROWS(hostexpr, doubt, doubts, row)
{
	expect_said(row, maui_hostexpr_doubt);
}

/* ---- nodes of ranges that do not exist ---- */

static const struct doubted missing[] = {
	{ "gpu[1-3]", 0, "no node gpu3" },
	{ "node01,node0[1-9],gpu[1-2],gpu[2-3]", 7, "no node node[05-09],gpu3" },
	{ "node[0-9][0-9],rack[1-3]n[1-2]", 0, NULL }, /* sets of digits */
	{ "node[01-04],gpu[1-2,10]", 0, NULL },
	{ "node[5-6],x[1-2]", 0, NULL }, /* without any node: unmatched */
	{ "node0[1-9]$", 0, NULL },
	{ "n[1-2]", 0, NULL }, /* a node's name */
};

TEST_ROWS(hostexpr, missing, missing, row)
{
	expect_said(row, maui_hostexpr_missing);
}

Test(hostexpr, many_missing_nodes)
{
	struct maui_hostnames *names = maui_hostnames_create(nodes, NODES);
	struct maui_hostexpr *expr = NULL;
	struct maui_err err = { .text = "" };
	size_t at;

	cr_assert(maui_hostexpr_parse("gpu[1-60000]", &expr, &err) == 0);
	cr_expect(maui_hostexpr_missing(expr, names, &at, &err) == 1);
	cr_expect_str_eq(err.text, "no node gpu[3-9,11-1003] ...");
	maui_hostexpr_destroy(expr);
	maui_hostnames_destroy(names);
}

/* ---- caps ---- */

struct bulk {
	const char *name;
	const char *item; /* with a comma */
	size_t count;
	const char *reason; /* NULL: accepted */
};

static const struct bulk bulks[] = {
	{ "as many names as may be", "node00001,", 65536, NULL },
	{ "one more", "node00001,", 65537, "host expression: more than 65536 items" },
	{ "many expressions", "rack[0-9]+n(ode)?[0-9]+$,", 500, NULL },
	{ "too many", "rack[0-9]+n(ode)?[0-9]+$,", 50000,
	  "host expression 'rack[0-9]+n(ode)?[0-9]+$': all patterns together are too large" },
	{ "large ones", "a{64}b{64}c{64},", 300, NULL },
	{ "too many large ones", "(a{30}){60},", 60,
	  "host expression '(a{30}){60}': all patterns together are too large" },
	{ "open to the end", "[[:", 100000, "longer than 1024 bytes" },
	{ "nested to the end", "(", 100000, "longer than 1024 bytes" },
};

TEST_ROWS(hostexpr, caps, bulks, row)
{
	size_t length = strlen(row->item);
	char *text = malloc(length * row->count + 1);
	struct maui_hostexpr *expr = NULL;
	struct maui_err err = { .text = "" };
	int result;

	cr_assert(text != NULL, "no memory");
	for (size_t i = 0; i < row->count; i++)
		memcpy(text + i * length, row->item, length);
	text[row->count * length] = '\0';
	result = maui_hostexpr_parse(text, &expr, &err);
	if (row->reason)
		cr_expect(result == -1 && strstr(err.text, row->reason), "%s: %d '%s'", row->name,
			  result, err.text);
	else
		cr_expect(result == 0, "%s: %s", row->name, err.text);
	maui_hostexpr_destroy(expr);
	free(text);
}

/* ---- expressions that are too costly ---- */

struct costly {
	const char *text;
	const char *reason; /* NULL: matching succeeds */
};

/* On node01, ... and a name of 256 times "a". */
static const struct costly costlies[] = {
	{ "(a|b)*c", NULL }, /* no "c" in it, which PCRE2 sees */
	{ "node01,(a*)*$,gpu", NULL },
	{ "(a*)*[bc]", "host expression '(a*)*[bc]': too costly to search for in 'aaaa" },
	{ "node01,(a|a)*[bc],gpu1,zz",
	  "host expression '(a|a)*[bc]': too costly to search for in 'aaaa" },
	/* names of nodes are not searched for */
	{ "n[1-2]", NULL },
};

TEST_ROWS(hostexpr, costly, costlies, row)
{
	const char *names[NODES + 1], *unmatched = "untouched";
	char longest[257];
	bool match[NODES + 1];
	struct maui_hostexpr *expr;
	struct maui_err err = { .text = "" };
	ssize_t count;

	memcpy(names, nodes, sizeof(nodes));
	memset(longest, 'a', 256);
	longest[256] = '\0';
	names[NODES] = longest;
	memset(match, 1, sizeof(match));
	cr_assert(maui_hostexpr_parse(row->text, &expr, &err) == 0, "%s: %s", row->text, err.text);
	count = maui_hostexpr_match(expr, names, NODES + 1, match, &unmatched, &err);
	cr_expect((count < 0) == (row->reason != NULL), "%s: %zd '%s'", row->text, count, err.text);
	if (row->reason) {
		cr_expect(!strncmp(err.text, row->reason, strlen(row->reason)), "%s: '%s'",
			  row->text, err.text);
		cr_expect(!unmatched, "%s: unmatched %s", row->text, unmatched);
		for (size_t i = 0; i < NODES + 1; i++)
			cr_expect(!match[i], "%s: node %zu", row->text, i);
		cr_expect(maui_hostexpr_match(expr, names, NODES + 1, match, NULL, NULL) == -1,
			  "%s: without err", row->text);
	}
	maui_hostexpr_destroy(expr);
}

/* Each search by itself is cheap enough, all of them together are refused. */
Test(hostexpr, costly_together)
{
	enum { COUNT = 10000 };
	static char names[COUNT][40];
	static const char *pointers[COUNT];
	static bool match[COUNT];
	struct maui_hostexpr *expr;
	struct maui_err err = { .text = "" };

	for (unsigned i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%05u", i);
		pointers[i] = names[i];
	}
	cr_assert(maui_hostexpr_parse("(a*)*[bc],a[0-9]+$", &expr, &err) == 0, "%s", err.text);
	cr_expect(maui_hostexpr_match(expr, pointers, 1000, match, NULL, &err) == 1000, "'%s'",
		  err.text);
	cr_expect(maui_hostexpr_match(expr, pointers, COUNT, match, NULL, &err) == -1, "told");
	cr_expect(!strcmp(err.text, "host expression '(a*)*[bc]': all patterns together are too "
				    "costly to search for in 10000 names"),
		  "'%s'", err.text);
	maui_hostexpr_destroy(expr);
}

/* Unknown names are compared with each node, which has a cost; the caller sets the limit. */
Test(hostexpr, plain_names_cost)
{
	enum { COUNT = 1000, ITEMS = 3000 };
	static char names[COUNT][12];
	static const char *pointers[COUNT];
	static bool match[COUNT];
	char *text = malloc(ITEMS * 12), *end = text;
	struct maui_hostexpr *expr;
	struct maui_err err = { .text = "" };

	for (unsigned i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "node%05u", i);
		pointers[i] = names[i];
	}
	for (unsigned i = 0; i < ITEMS; i++)
		end += sprintf(end, "gone%05u,", i);
	cr_assert(maui_hostexpr_parse(text, &expr, NULL) == 0, "refused");
	cr_expect(maui_hostexpr_match(expr, pointers, COUNT, match, NULL, &err) == 0);
	maui_hostexpr_limit(expr, 2500000);
	cr_expect(maui_hostexpr_match(expr, pointers, COUNT, match, NULL, &err) == -1 &&
			  strstr(err.text, "too costly"),
		  "'%s'", err.text);
	cr_expect(maui_hostexpr_match(expr, pointers, COUNT / 2, match, NULL, &err) == 0);
	maui_hostexpr_destroy(expr);
	free(text);
}

/* The names of a list are looked up, not compared with each node of a large cluster. */
Test(hostexpr, large_machine)
{
	enum { COUNT = 20000 };
	static char names[COUNT][12];
	static const char *pointers[COUNT];
	static bool match[COUNT];
	char *text = malloc(COUNT * 12 + 1), *end = text;
	struct maui_hostexpr *expr;
	const char *unmatched;

	cr_assert(text != NULL, "no memory");
	for (unsigned i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "node%05u", (i * 7919) % COUNT);
		pointers[i] = names[i];
		end += sprintf(end, "node%05u,", i);
	}
	cr_assert(maui_hostexpr_parse(text, &expr, NULL) == 0, "refused");
	cr_expect(maui_hostexpr_match(expr, pointers, COUNT, match, &unmatched, NULL) == COUNT,
		  "not all");
	cr_expect(!unmatched, "unmatched %s", unmatched);
	maui_hostexpr_destroy(expr);
	cr_assert(maui_hostexpr_parse("node[00000-19999]", &expr, NULL) == 0, "refused");
	cr_expect(maui_hostexpr_match(expr, pointers, COUNT, match, NULL, NULL) == COUNT,
		  "not all");
	maui_hostexpr_destroy(expr);
	free(text);
}

/* ---- names as ranges ---- */

static const struct {
	const char *names, *ranges;
} folds[] = {
	{ "", "" },
	{ "login", "login" },
	{ "n1", "n1" },
	{ "n1 n2", "n[1-2]" },
	{ "n1 n2 n3 n7 n9 n10 n11", "n[1-3,7,9-11]" },
	{ "n08 n09 n10 n099 n100", "n[08-10,099-100]" },
	{ "n9 n010 n011", "n[9,010-011]" },
	{ "n09 n10 n11 n99 n100 n101", "n[09-11,99-101]" },
	{ "login c1 c2 n1 n3 c3", "login,c[1-2],n[1,3],c3" },
	{ "r1n1 r1n2 r2n1 r2n2", "r1n[1-2],r2n[1-2]" },
	{ "n3 n2 n1", "n[3,2,1]" },
	{ "n n1 n2", "n,n[1-2]" },
	{ "1 2 3", "[1-3]" },
	{ "n1x n2x", "n1x,n2x" },
	{ "n0999999999999999999 n1000000000000000000",
	  "n0999999999999999999,n1000000000000000000" },
};

/* The range means the same nodes. */
Test(hostexpr, folded)
{
	for (size_t i = 0; i < sizeof(folds) / sizeof(folds[0]); i++) {
		char text[256], *rest = text, *name, *folded;
		const char *names[16];
		struct maui_hostexpr *expr;
		size_t count = 0;
		bool match[16];

		snprintf(text, sizeof(text), "%s", folds[i].names);
		while (*folds[i].names && (name = strsep(&rest, " ")))
			names[count++] = name;
		folded = maui_hostrange_fold(names, count);
		cr_assert_str_eq(folded, folds[i].ranges, "%s: %s", folds[i].names, folded);
		if (count > 0) {
			cr_assert(maui_hostexpr_parse(folded, &expr, NULL) == 0, "%s", folded);
			cr_expect(maui_hostexpr_match(expr, names, count, match, NULL, NULL) ==
					  (ssize_t)count,
				  "%s", folded);
			maui_hostexpr_destroy(expr);
		}
		free(folded);
	}
}

/* ---- ranges ---- */

struct range {
	const char *text;
	uint64_t size; /* 0: no range */
	uint64_t index;
	const char *name; /* of this index */
};

static const struct range ranges[] = {
	{ "n[1-3]", 3, 1, "n2" },
	{ "n[1-16]", 16, 15, "n16" },
	{ "n[01-16]", 16, 0, "n01" },
	{ "n[08-12]", 5, 2, "n10" },
	{ "n[001-1000]", 1000, 999, "n1000" },
	{ "n[9-11]", 3, 1, "n10" },
	{ "n[1,3,5-6]", 4, 2, "n5" },
	{ "n[1,1-2,1]", 4, 3, "n1" },
	{ "[1-3]", 3, 1, "2" },
	{ "n[1-3]x", 3, 1, "n2x" },
	{ "a[1-2]b[3-4]c", 4, 1, "a1b4c" },
	/* n1 + 11 and n11 + 1 are the same name */
	{ "n[1,11][1,11]", 4, 1, "n111" },
	{ "a.b-c_d[0-0]", 1, 0, "a.b-c_d0" },
	{ "n[0-999999999999999999]", 1000000000000000000u, 7, "n7" },
	{ "[0-999999999999999999][0-99]", UINT64_MAX, 0, "00" },
	{ "a[0-9][0-9][0-9][0-9][0-9]", 100000, 0, "a00000" },
	{ "n[0-9][0-9][0-9][0-9][0-9][0-9]", 0, 0, NULL }, /* more dimensions than Slurm has */
	{ "n", 0, 0, NULL },
	{ "", 0, 0, NULL },
	{ "n[]", 0, 0, NULL },
	{ "n[1", 0, 0, NULL },
	{ "n[1,", 0, 0, NULL },
	{ "n[1,]", 0, 0, NULL },
	{ "n[-3]", 0, 0, NULL },
	{ "n[1-]", 0, 0, NULL },
	{ "n[3-1]", 0, 0, NULL },
	{ "n[a-c]", 0, 0, NULL },
	{ "n[^1]", 0, 0, NULL },
	{ "n[1-3]$", 0, 0, NULL },
	{ "n[1-3]*", 0, 0, NULL },
	{ "n]", 0, 0, NULL },
	{ "n[1]]", 0, 0, NULL },
	{ "n[1234567890123456789]", 0, 0, NULL },
};

TEST_ROWS(hostexpr, range, ranges, row)
{
	struct maui_hostrange *range = NULL;
	int found = maui_hostrange_parse(row->text, &range);
	char name[64];

	cr_assert(found == (row->size > 0), "%s: %d", row->text, found);
	if (!found) {
		cr_expect(!range, "%s: result touched", row->text);
		return;
	}
	cr_expect(maui_hostrange_size(range) == row->size, "%s: size %zu", row->text,
		  (size_t)maui_hostrange_size(range));
	cr_expect(maui_hostrange_name(range, row->index, name, sizeof(name)), "%s", row->text);
	cr_expect(strcmp(name, row->name) == 0, "%s: %s, not %s", row->text, name, row->name);
	maui_hostrange_destroy(range);
}
