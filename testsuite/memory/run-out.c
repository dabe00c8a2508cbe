/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run-out.c - does everything with one allocation failing, each in turn, and says what goes wrong
 *
 *	run-out [--all | --seconds N] [--seed S] [--keep-going] [CASE [NUMBER [WORD]]]
 *
 * A call of malloc() fails: once; with all calls behind it (WORD: onwards); or with those behind it
 * that are of no arena (blocks). Then there is an error with a text,
 * or the same result as with memory; no block is left; and the next time, with memory, the result
 * is what it was. Each trial is a process of its own. Without --all the trials are drawn by a fresh
 * seed, for so many seconds.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "cases.h"

static const struct memory_case *const groups[] = {
	memory_config_cases, memory_plan_cases,  memory_late_cases,
	memory_answer_cases, memory_state_cases, memory_snapshot_cases,
};

static struct options {
	bool all, keep_going;
	enum alloc_behind behind;
	long seconds;
	uint64_t seed;
	const char *only;
	size_t number; /* 0: each */
} options = { .seconds = 15 };

static struct {
	size_t cases, trials, faults, errors, right;
} totals;

static const char *const behind_words[ALLOC_BEHIND_COUNT] = { "once", "onwards", "blocks" };

uint64_t memory_seed;

static uint64_t draw(void)
{
	uint64_t z = options.seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void memory_broken(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fputs("run-out: the case is broken: ", stderr);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	_exit(2);
}

/* ---- one trial, in a process of its own ---- */

enum { FAULT = 3, ENDED_IN_ERROR = 0, ENDED_RIGHT = 4 };

static void fault(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

static void fault(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fputs("run-out: ", stderr);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	alloc_print_failed();
	_exit(FAULT);
}

/* With memory. */
static void act_freely(const struct memory_case *c, struct maui_strbuf *ret)
{
	struct maui_err err = { .text = "" };

	if (c->act(&err))
		fault("%s: an error with memory: %s", c->name, err.text);
	c->show(ret);
	c->drop();
	if (ret->failed)
		memory_broken("no memory");
}

static void compare(const struct memory_case *c, const struct maui_strbuf *expected,
		    const struct maui_strbuf *got, const char *when)
{
	size_t at = 0;

	if (expected->length == got->length && memcmp(expected->text, got->text, got->length) == 0)
		return;
	while (at < got->length && at < expected->length && got->text[at] == expected->text[at])
		at++;
	at -= at < 60 ? at : 60;
	fault("%s: %s the result is another: '%.160s' instead of '%.160s'", c->name, when,
	      at < got->length ? got->text + at : "", expected->text + at);
}

static void try_once(const struct memory_case *c, size_t number, enum alloc_behind behind,
		     const struct maui_strbuf *expected)
{
	struct maui_strbuf got = { 0 };
	struct maui_err err = { .text = "" };
	long before = alloc_live();
	int rc;

	alloc_begin(number, behind);
	rc = c->act(&err);
	alloc_end();
	if (!alloc_has_failed())
		memory_broken("%s: call %zu is not made", c->name, number);
	if (rc == 0) {
		c->show(&got);
		compare(c, expected, &got, "without an error");
		maui_strbuf_finish(&got);
	} else if (!err.text[0]) {
		fault("%s: an error without a text", c->name);
	}
	c->drop();
	act_freely(c, &got);
	compare(c, expected, &got, "the next time");
	maui_strbuf_finish(&got);
	/* what is kept from one time to the next may be given up without memory, and made again */
	if (alloc_live() != before)
		fault("%s: %ld blocks are left", c->name, alloc_live() - before);
	_exit(rc == 0 ? ENDED_RIGHT : ENDED_IN_ERROR);
}

/* Whether the trial went well. */
static bool try_number(const struct memory_case *c, unsigned variant, size_t number,
		       enum alloc_behind behind, const struct maui_strbuf *expected)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(60);
		try_once(c, number, behind, expected);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		memory_broken("fork: %s", strerror(errno));
	totals.trials++;
	if (WIFEXITED(status) && WEXITSTATUS(status) == ENDED_IN_ERROR) {
		totals.errors++;
		return true;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == ENDED_RIGHT) {
		totals.right++;
		return true;
	}
	totals.faults++;
	if (WIFSIGNALED(status))
		fprintf(stderr, "run-out: %s: signal %d\n", c->name, WTERMSIG(status));
	fprintf(stderr, "run-out: again: testsuite/memory/run-out --seed %llu %s:%u %zu %s\n",
		(unsigned long long)memory_seed, c->name, variant, number, behind_words[behind]);
	return false;
}

/* ---- all trials of a case ---- */

static void go_through(const struct memory_case *c, unsigned variant, size_t count,
		       const struct maui_strbuf *expected, double until_s)
{
	bool go_on = true;

	if (options.number > 0) {
		try_number(c, variant, options.number, options.behind, expected);
		return;
	}
	if (options.all)
		until_s = 1e300;
	count *= ALLOC_BEHIND_COUNT;
	for (size_t i = 0; go_on && now_s() < until_s && (!options.all || i < count); i++) {
		uint64_t chosen = options.all ? i : draw() % count;

		go_on = try_number(c, variant, 1 + chosen / ALLOC_BEHIND_COUNT,
				   (enum alloc_behind)(chosen % ALLOC_BEHIND_COUNT), expected) ||
			options.keep_going;
	}
}

/* In a process of its own as well, because the input of a case may stay behind. */
static void try_case(const struct memory_case *c, unsigned variant, double share_s)
{
	struct maui_strbuf expected = { 0 }, again = { 0 };
	struct maui_err err = { .text = "" };
	size_t count;

	c->prepare(variant);
	act_freely(c, &expected); /* twice, for what the C library keeps from the first time */
	alloc_begin(0, ALLOC_NOTHING);
	if (c->act(&err))
		memory_broken("%s: %s", c->name, err.text);
	count = alloc_end();
	c->show(&again);
	c->drop();
	if (count == 0)
		memory_broken("%s: nothing is allocated", c->name);
	compare(c, &expected, &again, "the second time");
	maui_strbuf_finish(&again);
	go_through(c, variant, count, &expected, now_s() + share_s);
	maui_strbuf_finish(&expected);
	c->end();
	printf("%s:%u: %zu allocations, %zu trials, %zu of them right\n", c->name, variant, count,
	       totals.trials, totals.right);
}

static bool is_chosen(const struct memory_case *c, unsigned variant)
{
	char name[64];

	snprintf(name, sizeof(name), "%s:%u", c->name, variant);
	return !options.only || strcmp(options.only, c->name) == 0 ||
	       strcmp(options.only, name) == 0;
}

static bool fork_case(const struct memory_case *c, unsigned variant, double share_s)
{
	int status;
	pid_t pid;

	fflush(stdout);
	draw();
	pid = fork();
	if (pid == 0) {
		try_case(c, variant, share_s);
		fflush(stdout);
		_exit(totals.faults > 0 ? 1 : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		memory_broken("fork: %s", strerror(errno));
	return status == 0;
}

static size_t count_chosen(void)
{
	size_t count = 0;

	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++)
		for (const struct memory_case *c = groups[g]; c->name; c++)
			for (unsigned variant = 0; variant < c->variants; variant++)
				count += is_chosen(c, variant);
	return count;
}

static bool try_all(double share_s)
{
	bool ok = true;

	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++)
		for (const struct memory_case *c = groups[g]; c->name; c++)
			for (unsigned variant = 0; variant < c->variants; variant++)
				if (is_chosen(c, variant) && !fork_case(c, variant, share_s))
					ok = false;
	return ok;
}

static void parse(int argc, char **argv)
{
	uint32_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		memory_broken("getrandom: %s", strerror(errno));
	options.seed = seed;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--all") == 0)
			options.all = true;
		else if (strcmp(argv[i], "--keep-going") == 0)
			options.keep_going = true;
		else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
			options.seconds = atol(argv[++i]);
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			options.seed = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "onwards") == 0)
			options.behind = ALLOC_ALL;
		else if (strcmp(argv[i], "blocks") == 0)
			options.behind = ALLOC_BLOCKS;
		else if (strcmp(argv[i], "once") == 0)
			options.behind = ALLOC_NOTHING;
		else if (argv[i][0] >= '1' && argv[i][0] <= '9')
			options.number = strtoul(argv[i], NULL, 10);
		else
			options.only = argv[i];
	}
}

int main(int argc, char **argv)
{
	size_t count;
	bool ok;

	setenv("TZ", "UTC", 1);
	tzset();
	parse(argc, argv);
	memory_seed = options.seed;
	count = count_chosen();
	if (count == 0) {
		fprintf(stderr, "run-out: no case %s\n", options.only ? options.only : "");
		return 2;
	}
	printf("%zu cases from seed %llu\n", count, (unsigned long long)options.seed);
	ok = try_all((double)options.seconds / (double)count);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
