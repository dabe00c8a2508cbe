/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostexpr.c - which nodes a HOSTLIST means
 *
 * Whether an item is a node's name depends on the nodes that exist. So an item keeps its possible
 * readings: literal name, then range or regular expression. Matching tries them in this order. A
 * range of single digits without any node is a regular expression, too: node[0-9] of node01, ...
 */
#include "base/hostexpr.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/hostnames.h"
#include "base/hostrange.h"
#include "base/limits.h"
#include "base/pattern.h"
#include "base/sort.h"
#include "base/words.h"

struct item {
	char *text;
	size_t at;                    /* index in the whole text */
	bool all;                     /* ALL or [ALL] */
	struct maui_hostrange *range; /* NULL: not a range */
	struct maui_pattern *pattern; /* NULL: plain text (at most '.' in it), or a range */
	/* warning about an item hardly meant as an expression; NULL: none */
	const char *mistake;
};

struct maui_hostexpr {
	struct item *items;
	size_t count;
	size_t alloc;
	size_t steps; /* of all patterns */
	size_t max_visits;
};

/* ---- where an item ends ---- */

/* From '[' to the matching ']' or the end of the text. */
static const char *skip_set(const char *at)
{
	const char *first = at + 1 + (at[1] == '^');
	size_t letters;

	for (at = first; *at && (*at != ']' || at == first); at++) {
		if (at[0] != '[' || at[1] != ':')
			continue;
		/* [:alpha:] has a ']' of its own */
		letters = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz");
		if (at[letters + 2] == ':' && at[letters + 3] == ']')
			at += letters + 3;
	}
	return at;
}

/* The first separator outside brackets, braces and parentheses, or the end. */
static const char *find_end(const char *at)
{
	size_t open = 0;

	for (; *at; at++) {
		if (*at == '[') {
			at = skip_set(at);
			if (!*at)
				break;
		} else if (*at == '\\' && at[1]) {
			at++;
		} else if (*at == '(' || *at == '{') {
			open++;
		} else if (*at == ')' || *at == '}') {
			open -= open > 0;
		} else if (!open && strchr(", \t", *at)) {
			break;
		}
	}
	return at;
}

/* ---- parsing ---- */

static void finish_item(struct item *item)
{
	free(item->text);
	maui_hostrange_destroy(item->range);
	maui_pattern_destroy(item->pattern);
}

void maui_hostexpr_destroy(struct maui_hostexpr *expr)
{
	if (!expr)
		return;
	for (size_t i = 0; i < expr->count; i++)
		finish_item(&expr->items[i]);
	free(expr->items);
	free(expr);
}

/* Parses item->text, as a range if it has this form: not as an expression as well, which would
 * match other nodes once a node of the range is gone. */
static int parse_item(struct item *item, struct maui_err *err)
{
	struct maui_err reason;
	const char *text = item->text;
	int found;

	if (strlen(text) > MAUI_HOSTEXPR_MAX_PATTERN)
		return maui_err_set(err, "host expression '%.128s...': longer than %d bytes", text,
				    MAUI_HOSTEXPR_MAX_PATTERN);
	item->all = !strcasecmp(text, "ALL") || !strcasecmp(text, "[ALL]");
	if (item->all || !strpbrk(text, "[](){}*+?|^$\\"))
		return 0;
	item->mistake = maui_hostrange_mistake(text);
	found = maui_hostrange_parse(text, &item->range);
	if (found < 0)
		return maui_err_no_memory_for(err, "host expression");
	/* node[0-9][0-9][0-9][0-9][0-9] is sane, node[1-99999] is not */
	if (found && maui_hostrange_size(item->range) > MAUI_HOSTEXPR_MAX_NAMES &&
	    !maui_hostrange_is_digits(item->range))
		return maui_err_set(err, "host expression '%.128s': more than %d nodes", text,
				    MAUI_HOSTEXPR_MAX_NAMES);
	if (!found && maui_pattern_create(text, &item->pattern, &reason) < 0)
		return reason.no_memory ? maui_err_no_memory_for(err, "host expression") :
					  maui_err_set(err, "host expression '%.128s': %s", text,
						       item->mistake ? item->mistake : reason.text);
	return 0;
}

static int add_item(struct maui_hostexpr *expr, const char *text, size_t at, size_t length,
		    struct maui_err *err)
{
	struct item item = { .at = at }, *grown;

	if (expr->count >= MAUI_HOSTEXPR_MAX_NAMES)
		return maui_err_set(err, "host expression: more than %d items",
				    MAUI_HOSTEXPR_MAX_NAMES);
	grown = maui_array_grow(expr->items, expr->count, &expr->alloc, sizeof(*grown));
	if (grown)
		expr->items = grown;
	item.text = strndup(text + at, length);
	if (!grown || !item.text) {
		free(item.text);
		return maui_err_no_memory_for(err, "host expression");
	}
	if (parse_item(&item, err) < 0) {
		finish_item(&item);
		return -1;
	}
	expr->items[expr->count++] = item;
	expr->steps += item.pattern ? maui_pattern_steps(item.pattern) : 0;
	if (expr->steps > MAUI_HOSTEXPR_MAX_STEPS)
		return maui_err_set(err,
				    "host expression '%.128s': all patterns together are too large",
				    item.text);
	return 0;
}

static int parse_items(struct maui_hostexpr *expr, const char *text, struct maui_err *err)
{
	const char *at = text, *end;

	for (at += strspn(at, ", \t"); *at; at += strspn(at, ", \t")) {
		end = find_end(at);
		if (add_item(expr, text, (size_t)(at - text), (size_t)(end - at), err) < 0)
			return -1;
		at = end;
	}
	return expr->count ? 0 : maui_err_set(err, "host expression: no host in it");
}

int maui_hostexpr_parse(const char *text, struct maui_hostexpr **ret_expr, struct maui_err *err)
{
	struct maui_hostexpr *expr = calloc(1, sizeof(*expr));

	if (!expr)
		return maui_err_no_memory_for(err, "host expression");
	expr->max_visits = MAUI_HOSTEXPR_MAX_VISITS;
	if (parse_items(expr, text, err) < 0) {
		maui_hostexpr_destroy(expr);
		return -1;
	}
	*ret_expr = expr;
	return 0;
}

void maui_hostexpr_limit(struct maui_hostexpr *expr, size_t visits)
{
	expr->max_visits = visits < MAUI_HOSTEXPR_MAX_VISITS ? visits : MAUI_HOSTEXPR_MAX_VISITS;
}

/* ---- matching ---- */

/* The matching of one expression with all names, item after item. */
struct matching {
	const struct maui_hostnames *all;
	bool *match;
	uint32_t *list; /* matching names in the order of finding; NULL: not wanted */
	size_t found;
	size_t visits, max_visits; /* cost of all searches so far, and its limit */
};

/* Counts a match. Without `match` a name counts each time it is found. */
static void mark_node(struct matching *m, size_t index)
{
	if (m->match && m->match[index])
		return;
	if (m->match)
		m->match[index] = true;
	if (m->list)
		m->list[m->found] = (uint32_t)index;
	m->found++;
}

static bool match_literal(struct matching *m, const struct item *item)
{
	ssize_t found = maui_hostnames_find(m->all, item->text);

	if (found >= 0)
		mark_node(m, (size_t)found);
	return found >= 0;
}

/* Enough for any name of a range: a number may have more digits than the range is written with. */
#define NAME_SIZE (MAUI_HOSTEXPR_MAX_PATTERN + 128)

/* Looks up each name of the range. */
static bool match_names(struct matching *m, const struct item *item, uint64_t size)
{
	char name[NAME_SIZE];
	bool any = false;

	for (uint64_t i = 0; i < size; i++) {
		ssize_t found = maui_hostrange_name(item->range, i, name, sizeof(name)) ?
					maui_hostnames_find(m->all, name) :
					-1;

		if (found >= 0)
			mark_node(m, (size_t)found);
		any |= found >= 0;
	}
	m->visits += size * maui_hostrange_cost(item->range);
	return any;
}

/* Those nodes of the range that exist. Whichever are fewer are walked: the range's names, or all
 * nodes. */
static bool match_range(struct matching *m, const struct item *item)
{
	uint64_t size = item->range ? maui_hostrange_size(item->range) : 0;
	bool any = false;

	if (size <= m->all->count)
		return match_names(m, item, size);
	for (size_t i = 0; i < m->all->count; i++)
		if (maui_hostrange_has(item->range, m->all->names[i])) {
			mark_node(m, i);
			any = true;
		}
	m->visits += m->all->count;
	return any;
}

/* Whether the name begins with the text, in any case; '.' stands for any character, as in an
 * expression. */
static bool matches_at(const char *text, const char *name)
{
	while (*text && *name && (*text == '.' || !strncasecmp(text, name, 1))) {
		text++;
		name++;
	}
	return !*text;
}

/* Cost of a search in addition to its steps. */
#define VISITS_OF_A_SEARCH 8

static int match_pattern(struct matching *m, const struct item *item, const char *name,
			 struct maui_err *err)
{
	struct maui_err reason;
	int found = maui_pattern_match(item->pattern, name, &m->visits, &reason);

	if (found < 0)
		return reason.no_memory ? maui_err_no_memory_for(err, "host expression") :
					  maui_err_set(err, "host expression '%.128s': %.256s",
						       item->text, reason.text);
	m->visits += VISITS_OF_A_SEARCH;
	return found;
}

/* Whether the item is found in the name: 0 or 1; -1 with err when matching was given up. */
static int match_search(struct matching *m, const struct item *item, const char *name,
			struct maui_err *err)
{
	if (item->all)
		return 1;
	if (item->pattern)
		return match_pattern(m, item, name, err);
	if (item->range)
		return 0;
	/* lists of thousands of plain names are common, some of nodes that no longer exist */
	m->visits++;
	for (; *name; name++) {
		if (matches_at(item->text, name))
			return 1;
	}
	return 0;
}

static int check_visits(const struct matching *m, const struct item *item, struct maui_err *err)
{
	if (m->visits <= m->max_visits)
		return 0;
	return maui_err_set(err,
			    "host expression '%.128s': all patterns together are too costly to "
			    "search for in %zu names",
			    item->text, m->all->count);
}

/* Searches all names. Returns 1 if the item matched a name, 0 if none, -1 with err when matching
 * was given up. */
static int search_item(struct matching *m, const struct item *item, struct maui_err *err)
{
	int found, result = 0;

	for (size_t i = 0; i < m->all->count; i++) {
		found = match_search(m, item, m->all->names[i], err);
		if (found < 0)
			return -1;
		if (check_visits(m, item, err))
			return -1;
		if (found)
			mark_node(m, i);
		result |= found;
	}
	return result;
}

/* The sets of digits as an expression, which is made now: thousands of ranges need none. */
static int search_digits(struct matching *m, const struct item *item, struct maui_err *err)
{
	struct item read = { .text = item->text };
	struct maui_err reason;
	int found;

	if (maui_pattern_create(item->text, &read.pattern, &reason) < 0)
		return reason.no_memory ? maui_err_no_memory_for(err, "host expression") :
					  0; /* [1-03] is a range only */
	m->visits += maui_pattern_steps(read.pattern);
	found = search_item(m, &read, err);
	maui_pattern_destroy(read.pattern);
	return found;
}

static int match_item(struct matching *m, const struct item *item, struct maui_err *err)
{
	bool any;

	if (match_literal(m, item))
		return 1;
	if (!item->range)
		return search_item(m, item, err);
	any = match_range(m, item);
	if (check_visits(m, item, err))
		return -1;
	return any || !maui_hostrange_is_digits(item->range) ? any : search_digits(m, item, err);
}

static int match_items(struct matching *m, const struct maui_hostexpr *expr,
		       const char **ret_unmatched, struct maui_err *err)
{
	int found;

	m->max_visits = expr->max_visits;
	for (size_t i = 0; i < expr->count; i++) {
		found = match_item(m, &expr->items[i], err);
		if (found < 0)
			return -1;
		if (!found && !*ret_unmatched)
			*ret_unmatched = expr->items[i].text;
	}
	return 0;
}

/* Clears only what was found, because most expressions match few nodes. */
ssize_t maui_hostexpr_list(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
			   bool *scratch, uint32_t *ret_list, const char **ret_unmatched,
			   struct maui_err *err)
{
	struct matching m = { .all = names, .match = scratch, .list = ret_list };
	const char *unmatched = NULL;
	int result = match_items(&m, expr, &unmatched, err);
	bool sorted = true;

	for (size_t i = 0; i < m.found; i++) {
		scratch[ret_list[i]] = false;
		sorted &= i == 0 || ret_list[i - 1] < ret_list[i];
	}
	if (!sorted)
		qsort(ret_list, m.found, sizeof(*ret_list), maui_sort_by_u32);
	if (ret_unmatched)
		*ret_unmatched = result < 0 ? NULL : unmatched;
	return result < 0 ? -1 : (ssize_t)m.found;
}

ssize_t maui_hostexpr_match(const struct maui_hostexpr *expr, const char *const *names,
			    size_t count, bool *ret_match, const char **ret_unmatched,
			    struct maui_err *err)
{
	struct matching m = { .match = ret_match };
	struct maui_hostnames *all = maui_hostnames_create(names, count);
	const char *unmatched = NULL;
	int result = -1;

	for (size_t i = 0; i < count; i++)
		ret_match[i] = false;
	if (!all)
		maui_err_no_memory_for(err, "host expression");
	m.all = all;
	if (all)
		result = match_items(&m, expr, &unmatched, err);
	maui_hostnames_destroy(all);
	for (size_t i = 0; result < 0 && i < count; i++)
		ret_match[i] = false;
	if (ret_unmatched)
		*ret_unmatched = result < 0 ? NULL : unmatched;
	return result < 0 ? -1 : (ssize_t)m.found;
}

/* ---- warnings about probable mistakes ---- */

int maui_hostexpr_mistake(const struct maui_hostexpr *expr, struct maui_err *ret_text)
{
	for (size_t i = 0; i < expr->count; i++) {
		const struct item *item = &expr->items[i];

		if (!item->mistake)
			continue;
		maui_err_set(ret_text, "host expression '%.128s': %s", item->text, item->mistake);
		return 1;
	}
	return 0;
}

/* Whether the text looks like a shell pattern: '*' or '?' behind a letter or digit, and nothing
 * that only an expression has. */
static bool is_glob(const char *text)
{
	bool glob = false;

	if (strpbrk(text, "(){}+|^$\\"))
		return false;
	for (const char *at = text; *at; at++) {
		if (*at == '[')
			at = skip_set(at);
		if (!*at)
			break;
		glob |= at > text && strchr("*?", *at) && isalnum((unsigned char)at[-1]);
	}
	return glob;
}

/* Whether a text that names no node, by itself or as a range, was meant as the expression that
 * found `found` nodes. */
static int find_doubt(const struct item *item, size_t found, struct maui_err *ret_text)
{
	bool plain = !item->range && !item->pattern && !strchr(item->text, '.');
	const char *what;

	if (found == 0 || item->all || item->mistake)
		return 0;
	if (is_glob(item->text))
		what = "is a regular expression, not a shell pattern";
	else if (item->range && maui_hostrange_sets(item->range) == 1)
		what = "is a range without any node, and read as a regular expression";
	else if (plain && found > 1)
		what = "is only part of a node name";
	else
		return 0;
	maui_err_set(ret_text, "'%.128s' %s: it matches %zu node%s", item->text, what, found,
		     maui_plural(found));
	return 1;
}

int maui_hostexpr_doubt(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
			size_t *ret_at, struct maui_err *ret_text)
{
	struct matching m = { .all = names, .max_visits = expr->max_visits };
	struct maui_err ignored;

	for (size_t i = 0; i < expr->count; i++) {
		const struct item *item = &expr->items[i];

		if (match_literal(&m, item) || (item->range && match_range(&m, item)))
			continue;
		m.found = 0;
		if (match_item(&m, item, &ignored) < 0)
			return 0;
		*ret_at = item->at;
		if (find_doubt(item, m.found, ret_text))
			return 1;
	}
	return 0;
}

/* ---- nodes of ranges that do not exist ---- */

enum { MISSING_MAX = 1000 }; /* named; nobody reads more */

struct missing {
	char *names[MISSING_MAX];
	size_t count;
	size_t at;     /* of the first item with missing nodes */
	size_t visits; /* that may still be made: in the unit of MAUI_HOSTEXPR_MAX_VISITS */
};

/* Several sets of digits are seldom meant as a range, all of which must exist: node[0-9][0-9]. */
static bool must_exist(const struct item *item)
{
	return item->range &&
	       (!maui_hostrange_is_digits(item->range) || maui_hostrange_sets(item->range) == 1);
}

/* -1 without memory. */
static int add_missing(struct missing *missing, const struct maui_hostnames *all,
		       const struct item *item)
{
	uint64_t size = item->range ? maui_hostrange_size(item->range) : 0;
	size_t cost = item->range ? maui_hostrange_cost(item->range) : 1;
	char name[NAME_SIZE];

	for (uint64_t i = 0; i < size && missing->count < MISSING_MAX; i++) {
		if (missing->visits < cost)
			return 0;
		missing->visits -= cost;
		if (!maui_hostrange_name(item->range, i, name, sizeof(name)) ||
		    maui_hostnames_find(all, name) >= 0)
			continue;
		if (missing->count == 0)
			missing->at = item->at;
		missing->names[missing->count] = strdup(name);
		if (!missing->names[missing->count])
			return -1;
		missing->count++;
	}
	return 0;
}

int maui_hostexpr_missing(const struct maui_hostexpr *expr, const struct maui_hostnames *names,
			  size_t *ret_at, struct maui_err *ret_text)
{
	struct missing *missing = calloc(1, sizeof(*missing));
	char *ranges = NULL;
	int rc = missing ? 0 : -1;

	if (missing)
		missing->visits = expr->max_visits;
	for (size_t i = 0; i < expr->count && rc == 0; i++) {
		struct matching m = { .all = names };

		/* an item without any node is unmatched */
		if (!must_exist(&expr->items[i]) || missing->visits == 0)
			continue;
		if (match_range(&m, &expr->items[i]))
			rc = add_missing(missing, names, &expr->items[i]);
		missing->visits -= m.visits < missing->visits ? m.visits : missing->visits;
	}
	if (rc == 0 && missing->count > 0) {
		ranges = maui_hostrange_fold((const char *const *)missing->names, missing->count);
		rc = ranges ? 1 : -1;
		*ret_at = missing->at;
		maui_err_set(ret_text, "no node %.300s%s", ranges ? ranges : "",
			     missing->count == MISSING_MAX ? " ..." : "");
	}
	for (size_t i = 0; missing && i < missing->count; i++)
		free(missing->names[i]);
	free(missing);
	free(ranges);
	return rc;
}
