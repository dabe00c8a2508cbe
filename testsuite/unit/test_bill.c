/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_bill.c - lines that a site bills idle reservations from */
#include "state/bill.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

static char dir[] = "/tmp/test_bill.XXXXXX";

static void begin(void)
{
	setenv("TZ", "America/Denver", 1);
	tzset();
	cr_assert(mkdtemp(dir));
}

static void end(void)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	cr_expect(system(command) == 0);
}

TestSuite(bill, .init = begin, .fini = end);

static unsigned synced;

/* Before libc's. */
int fsync(int fd)
{
	(void)fd;
	synced++;
	return 0;
}

static char *content(const char *name)
{
	char path[256], *text;
	size_t length;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	cr_assert(maui_file_read(path, 4096, &text, &length, NULL) == 0, "%s", path);
	return text;
}

Test(bill, lines_of_a_local_month)
{
	/* 2026-12-01 06:59:59 UTC: still November in Denver */
	struct maui_bill_line line = { .from_s = 1796100000, .until_s = 1796108399, .rsv = "jupiter",
				       .day = 20261130, .account = "jup", .owner = "ACCOUNT:jup",
				       .reserved = 36000, .used = 1000.4, .idle = 34999.6 };
	char *text;

	cr_assert(maui_bill_append(dir, &line, 1, NULL) == 0);
	line.rsv = "with\ttab\n";
	line.account = line.owner = NULL;
	line.day = 0;
	cr_assert(maui_bill_append(dir, &line, 1, NULL) == 0);
	text = content("idle.202611");
	cr_expect(strcmp(text, "# from\tuntil\treservation\tday\taccount\towner\treserved\tused\tidle\n"
			       "1796100000\t1796108399\tjupiter\t20261130\tjup\tACCOUNT:jup\t36000\t1000\t35000\n"
			       "1796100000\t1796108399\twith tab \t0\t-\t-\t36000\t1000\t35000\n") == 0,
		  "%s", text);
	free(text);
	line.until_s++;
	cr_assert(maui_bill_append(dir, &line, 1, NULL) == 0);
	free(content("idle.202612"));
}

Test(bill, what_is_no_file_is_left_alone)
{
	struct maui_bill_line line = { .until_s = 1796108399, .rsv = "a" };
	struct maui_err err;
	char path[256], target[256];

	snprintf(path, sizeof(path), "%s/idle.202611", dir);
	cr_assert(mkfifo(path, 0600) == 0);
	cr_expect(maui_bill_append(dir, &line, 1, &err) == -1, "a pipe that nobody reads");
	cr_assert(unlink(path) == 0);
	snprintf(target, sizeof(target), "%s/target", dir);
	cr_assert(symlink(target, path) == 0);
	cr_expect(maui_bill_append(dir, &line, 1, &err) == -1, "a link");
	cr_expect(access(target, F_OK) != 0);
	cr_expect(maui_bill_append("/no/such/place", &line, 1, &err) == -1);
	cr_expect(strstr(err.text, "/no/such/place/idle.202611"), "%s", err.text);
}

/* As at midnight of a month's last day: two of the old month, then some of the new one. */
Test(bill, many_lines_are_written_once)
{
	struct maui_bill_line lines[500];
	size_t count = 0;
	char *text;

	for (size_t i = 0; i < 500; i++)
		lines[i] = (struct maui_bill_line){ .until_s = 1796108399 + (i >= 2), .rsv = "a",
						    .day = 20261130 };
	cr_assert(maui_bill_append(dir, lines, 0, NULL) == 0);
	cr_expect(synced == 0);
	cr_assert(maui_bill_append(dir, lines, 50, NULL) == 0);
	cr_expect(synced == 2, "%u", synced);
	text = content("idle.202611");
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		count++;
	cr_expect(count == 1 + 2, "%zu", count);
	free(text);
	text = content("idle.202612");
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		count++;
	cr_expect(count == 3 + 1 + 48, "%zu", count);
	free(text);
	cr_assert(maui_bill_append(dir, lines + 2, 498, NULL) == 0);
	cr_expect(synced == 3, "%u", synced);
}
