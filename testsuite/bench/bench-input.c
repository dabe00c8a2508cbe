/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-input.c - how long very large and hostile input keeps a thread of slurmctld busy
 *
 * Users and administrators send slurmctld host expressions, names of reservations and maui.cfg
 * itself. Each row is one such input at the largest size, or of the most expensive kind, that the
 * code accepts before it refuses the rest. The unit tests check what each input means; this program
 * prints its processor time beside the time that it must stay below, and exits 1 if one is above.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hostexpr.h"
#include "base/limits.h"
#include "base/pattern.h"
#include "config/check/known_names.h"
#include "config/config.h"
#include "model/rsv_names.h"
#include "reservation/windows/windows.h"

#define NOON INT64_C(1700481600) /* Monday, 2023-11-20, 12:00 UTC */

static int above;

static void stop(const char *what)
{
	fprintf(stderr, "bench-input: %s\n", what);
	exit(2);
}

static void report(const char *name, const char *input, clock_t began, double limit_ms)
{
	double ms = (double)(clock() - began) * 1000 / CLOCKS_PER_SEC;

	printf("%-20s %-34s %9.1f ms, below %.0f ms%s\n", name, input, ms, limit_ms,
	       ms < limit_ms ? "" : ": ABOVE");
	above += ms >= limit_ms;
}

/* `start`, then `unit` over and over until `size` bytes are full, then `end`. */
static char *repeat(const char *start, const char *unit, size_t size, const char *end)
{
	char *text = malloc(size + strlen(end) + 1);
	size_t at = strlen(start), length = strlen(unit);

	if (!text)
		stop("no memory");
	memcpy(text, start, at);
	for (; at + length <= size; at += length)
		memcpy(text + at, unit, length);
	strcpy(text + at, end);
	return text;
}

/* ---- base/pattern: one search in a long name ---- */

static void bench_patterns(void)
{
	static const struct {
		const char *unit, *end;
		size_t times; /* 0: as often as fits */
	} rows[] = {
		{ "^", "a", 0 },
		{ "(^|$|a)*", "[bc]", 0 },
		{ "((^|a)*($|b)*)*", "[cd]", 0 },
		{ "a?", "[bc]", 0 },
		{ ".*", "a", 0 },
		{ "(a|a)*", "[bc]", 1 },
		{ "a{0,60}", "[bc]", 8 },
		{ "((a|b){0,30}){0,10}", "[cd]", 1 },
		{ "(||||)*", "a*[bc]", 0 },
		{ "(){64}", "b", 0 },
		{ "[^b]{60}", "b", 60 },
	};
	char *name = repeat("", "a", 256, "");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t fits =
			(MAUI_HOSTEXPR_MAX_PATTERN - strlen(rows[i].end)) / strlen(rows[i].unit);
		size_t times = rows[i].times && rows[i].times < fits ? rows[i].times : fits;
		char *text = repeat("", rows[i].unit, times * strlen(rows[i].unit), rows[i].end);
		struct maui_pattern *pattern = NULL;
		clock_t began = clock();

		if (maui_pattern_create(text, &pattern, NULL) == 0)
			maui_pattern_match(pattern, name, NULL, NULL);
		report("pattern", rows[i].unit, began, 500);
		maui_pattern_destroy(pattern);
		free(text);
	}
	free(name);
}

/* ---- base/hostexpr: long expressions, and many nodes ---- */

static void bench_long_expressions(void)
{
	static const struct {
		const char *item;
		size_t count;
	} rows[] = {
		{ "node00001,", 65536 },
		{ "rack[0-9]+n(ode)?[0-9]+$,", 500 },
		{ "rack[0-9]+n(ode)?[0-9]+$,", 50000 },
		{ "a{64}b{64}c{64},", 300 },
		{ "(a{30}){60},", 60 },
		{ "[[:", 100000 },
		{ "(", 100000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = repeat("", rows[i].item, rows[i].count * strlen(rows[i].item), "");
		struct maui_hostexpr *expr = NULL;
		clock_t began = clock();

		maui_hostexpr_parse(text, &expr, NULL);
		report("host expression", rows[i].item, began, 3000);
		maui_hostexpr_destroy(expr);
		free(text);
	}
}

enum { NODES = 20000 };
static char node_texts[NODES][40];
static const char *node_names[NODES];
static bool node_match[NODES];

static struct maui_hostexpr *parse_hosts(const char *text)
{
	struct maui_hostexpr *expr;

	if (maui_hostexpr_parse(text, &expr, NULL))
		stop("a host expression is refused");
	return expr;
}

/* Each search by itself is cheap enough, all of them together are refused. */
static void bench_costly_together(void)
{
	struct maui_hostexpr *expr;
	clock_t began = clock();

	for (unsigned i = 0; i < NODES; i++) {
		snprintf(node_texts[i], sizeof(node_texts[i]),
			 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%05u", i);
		node_names[i] = node_texts[i];
	}
	expr = parse_hosts("(a*)*[bc],a[0-9]+$");
	maui_hostexpr_match(expr, node_names, 1000, node_match, NULL, NULL);
	if (maui_hostexpr_match(expr, node_names, 10000, node_match, NULL, NULL) != -1)
		stop("a costly host expression is not refused");
	report("hosts", "(a*)*[bc] on 10,000 nodes", began, 10000);
	maui_hostexpr_destroy(expr);
}

/* A list of all nodes of a large cluster, one by one. */
static void bench_all_nodes(void)
{
	char *text = malloc(NODES * 12 + 1), *end = text;
	struct maui_hostexpr *expr;
	clock_t began;

	if (!text)
		stop("no memory");
	for (unsigned i = 0; i < NODES; i++) {
		snprintf(node_texts[i], sizeof(node_texts[i]), "node%05u", (i * 7919) % NODES);
		node_names[i] = node_texts[i];
		end += sprintf(end, "node%05u,", i);
	}
	began = clock();
	expr = parse_hosts(text);
	if (maui_hostexpr_match(expr, node_names, NODES, node_match, NULL, NULL) != NODES)
		stop("a list of all nodes does not match all");
	report("hosts", "20,000 names on 20,000 nodes", began, 2000);
	maui_hostexpr_destroy(expr);
	free(text);
}

/* ---- maui.cfg ---- */

static void bench_config_files(void)
{
	static const struct {
		const char *start, *unit, *shown;
	} rows[] = {
		{ "", "A ", "A" },
		{ "", "[", "[" },
		{ "", "\\", "backslashes" },
		{ "", "\\\n", "continued lines" },
		{ "", "#INCLUDE x\n", "#INCLUDE" },
		{ "", "#INCLUDE missing\nFSDEPTH 4\n", "#INCLUDE and FSDEPTH" },
		{ "", "FSDEPTH x\n", "FSDEPTH x" },
		{ "", "USERCFG[a] PRIORITY=1\n", "USERCFG[a] PRIORITY=1" },
		{ "", "UNKNOWNTHING 1\n", "unknown parameters" },
		{ "", "SRCFG[a] QOSLIST=a\n", "SRCFG[a] QOSLIST=a" },
		{ "USERCFG[a] QLIST=", "a ", "QLIST=a a a" },
		{ "USERCFG[a] QLIST=", "a,", "QLIST=a,a,a" },
		{ "USERCFG[a] ", "PRIORITY=1 ", "attributes of one line" },
		{ "USERCFG[a] ", "nothing ", "unknown attributes" },
		{ "USERCFG[", "a", "a long index" },
		{ "FSDEPTH ", "1", "a long number" },
	};
	size_t size = 8u << 20;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = repeat(rows[i].start, rows[i].unit, size, "");
		struct maui_diags diags = { 0 };
		clock_t began = clock();

		maui_config_unref(maui_config_parse("maui.cfg", text, strlen(text), NULL, &diags));
		report("maui.cfg of 8 MiB", rows[i].shown, began, 20000);
		maui_diags_finish(&diags);
		free(text);
	}
}

static bool is_unknown(const void *context, int kind, const char *name)
{
	(void)context;
	(void)kind;
	(void)name;
	return true;
}

/* A USERLIST with 50,000 users, none of whom the machine has. */
static void bench_unknown_users(void)
{
	enum { NAMES = 50000 };
	char *text = malloc(NAMES * 12 + 64), *end = text;
	struct maui_diags diags = { 0 };
	struct maui_config *config;
	clock_t began;

	if (!text)
		stop("no memory");
	end += sprintf(end, "SRCFG[a] HOSTLIST=n USERLIST=first");
	for (int i = 0; i < NAMES; i++)
		end += sprintf(end, ",user%d", i);
	config = maui_config_parse("maui.cfg", text, strlen(text), NULL, &diags);
	if (!config)
		stop("a USERLIST is refused");
	began = clock();
	maui_config_check_known(config, is_unknown, NULL, &diags);
	report("unknown users", "50,000 names", began, 2000);
	maui_diags_finish(&diags);
	maui_config_unref(config);
	free(text);
}

/* ---- names of reservations ---- */

/* As many names as one request can have, among 5,000 reservations. */
static void bench_reservation_names(void)
{
	enum { MANY = 5000, ASKED = 340 };
	static char texts[MANY][16];
	static const char *list[MANY];
	size_t places[MAUI_RSV_FORMS], found = 0;
	struct maui_rsv_names index;
	clock_t began;

	for (size_t i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof(texts[i]), "sr%zu.%zu", i % 100, i);
		list[i] = texts[i];
	}
	if (maui_rsv_names_make(&index, list, MANY))
		stop("no memory");
	began = clock();
	for (size_t i = 0; i < ASKED; i++)
		found += maui_rsv_names_meant(&index, texts[i * 7 % MANY], places);
	if (found != ASKED)
		stop("a reservation is not found by its name");
	report("reservation names", "340 of 5,000", began, 10);
	maui_rsv_names_finish(&index);
}

/* As many instances as one request can name. */
static void bench_windows(void)
{
	const struct maui_rsv rsv = { .days = 0x7fu, .depth = 3660 };
	clock_t began = clock();
	int32_t day;

	setenv("TZ", "America/New_York", 1);
	tzset();
	for (int i = 0; i < 256; i++)
		if (!maui_standing_find_window(&rsv, NOON, i % 2 ? 3000 : 20300101, &day))
			stop("a window is not found");
	report("windows", "256 of 3,660 days", began, 100);
}

int main(void)
{
	bench_patterns();
	bench_long_expressions();
	bench_costly_together();
	bench_all_nodes();
	bench_config_files();
	bench_unknown_users();
	bench_reservation_names();
	bench_windows();
	return above ? 1 : 0;
}
