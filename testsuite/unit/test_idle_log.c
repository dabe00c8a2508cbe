/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_idle_log.c - the idle-time log has whole lines in the file of their month
 *
 * Rules: RSV-24.
 */
#include "state/idle_log.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

static char dir[] = "/tmp/test_idle_log.XXXXXX";

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

TestSuite(idle_log, .init = begin, .fini = end);

static unsigned synced;

/* Replaces libc's fsync(). */
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

Test(idle_log, lines_of_a_local_month)
{
	/* 2026-12-01 06:59:59 UTC: still November in Denver */
	struct maui_idle_log_line line = { .from_s = 1796100000,
					   .until_s = 1796108399,
					   .rsv = "jupiter",
					   .day = 20261130,
					   .account = "jup",
					   .owner = "ACCOUNT:jup",
					   .reserved = 36000,
					   .used = 1000.4,
					   .idle = 34999.6 };
	char *text;

	cr_assert(maui_idle_log_append(dir, &line, 1, NULL) == 0);
	line.rsv = "with\ttab\n";
	line.account = line.owner = NULL;
	line.day = 0;
	cr_assert(maui_idle_log_append(dir, &line, 1, NULL) == 0);
	text = content("idle.202611");
	cr_expect(
		strcmp(text,
		       "# from\tuntil\treservation\tday\taccount\towner\treserved\tused\tidle\n"
		       "1796100000\t1796108399\tjupiter\t20261130\tjup\tACCOUNT:jup\t36000\t1000\t35000\n"
		       "1796100000\t1796108399\twith tab \t0\t-\t-\t36000\t1000\t35000\n") == 0,
		"%s", text);
	free(text);
	line.until_s++;
	cr_assert(maui_idle_log_append(dir, &line, 1, NULL) == 0);
	free(content("idle.202612"));
}

Test(idle_log, only_regular_files_are_written)
{
	struct maui_idle_log_line line = { .until_s = 1796108399, .rsv = "a" };
	struct maui_err err;
	char path[256], target[256];

	snprintf(path, sizeof(path), "%s/idle.202611", dir);
	cr_assert(mkfifo(path, 0600) == 0);
	cr_expect(maui_idle_log_append(dir, &line, 1, &err) == -1, "a pipe that nobody reads");
	cr_assert(unlink(path) == 0);
	snprintf(target, sizeof(target), "%s/target", dir);
	cr_assert(symlink(target, path) == 0);
	cr_expect(maui_idle_log_append(dir, &line, 1, &err) == -1, "a link");
	cr_expect(access(target, F_OK) != 0);
	cr_expect(maui_idle_log_append("/no/such/place", &line, 1, &err) == -1);
	cr_expect(strstr(err.text, "/no/such/place/idle.202611"), "%s", err.text);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* When the disk is full in the middle of a line, nothing of the line remains. */
Test(idle_log, a_full_disk_leaves_no_half_line)
{
	struct maui_idle_log_line line = { .until_s = 1796108399, .rsv = "a" };
	struct maui_err err;
	char *text;

	limit_files(20);
	cr_expect(maui_idle_log_append(dir, &line, 1, &err) == -1);
	cr_expect(strstr(err.text, "idle.202611"), "%s", err.text);
	cr_expect(!line.written);
	text = content("idle.202611");
	cr_expect_str_eq(text, "");
	free(text);
	limit_files(RLIM_INFINITY);
	cr_assert(maui_idle_log_append(dir, &line, 1, &err) == 0 && line.written);
	text = content("idle.202611");
	cr_expect(strncmp(text, "# from\t", 7) == 0, "%s", text);
	limit_files(strlen(text) + 5);
	cr_expect(maui_idle_log_append(dir, &line, 1, &err) == -1);
	limit_files(RLIM_INFINITY);
	free(text);
	text = content("idle.202611");
	cr_expect(strlen(text) > 0 && text[strlen(text) - 1] == '\n', "%s", text);
	free(text);
}

/* A crash in the middle of a write leaves half a line. */
Test(idle_log, a_half_line_is_ended)
{
	struct maui_idle_log_line line = { .from_s = 1796108390,
					   .until_s = 1796108399,
					   .rsv = "a" };
	char *text;

	put("idle.202611", "1796100000\t17961");
	cr_assert(maui_idle_log_append(dir, &line, 1, NULL) == 0);
	text = content("idle.202611");
	cr_expect_str_eq(text, "1796100000\t17961\n"
			       "1796108390\t1796108399\ta\t0\t-\t-\t0\t0\t0\n");
	free(text);
}

/* A month that cannot be written does not hold back another month. */
Test(idle_log, one_month_of_two_is_written)
{
	struct maui_idle_log_line lines[] = { { .until_s = 1796108399, .rsv = "a" },
					      { .until_s = 1796108400, .rsv = "a" },
					      { .until_s = 1796108399, .rsv = "b" } };
	struct maui_err err;
	char path[256];

	snprintf(path, sizeof(path), "%s/idle.202611", dir);
	cr_assert(mkdir(path, 0700) == 0);
	cr_expect(maui_idle_log_append(dir, lines, 3, &err) == -1);
	cr_expect(strstr(err.text, "idle.202611"), "%s", err.text);
	cr_expect(!lines[0].written && lines[1].written && !lines[2].written);
	free(content("idle.202612"));
}

/* As at midnight of the last day of a month: two lines of the old month, then some of the new
 * one. */
Test(idle_log, many_lines_are_written_once)
{
	struct maui_idle_log_line lines[500];
	size_t count = 0;
	char *text;

	for (size_t i = 0; i < 500; i++)
		lines[i] = (struct maui_idle_log_line){ .until_s = 1796108399 + (i >= 2),
							.rsv = "a",
							.day = 20261130 };
	cr_assert(maui_idle_log_append(dir, lines, 0, NULL) == 0);
	cr_expect(synced == 0);
	cr_assert(maui_idle_log_append(dir, lines, 50, NULL) == 0);
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
	cr_assert(maui_idle_log_append(dir, lines + 2, 498, NULL) == 0);
	cr_expect(synced == 3, "%u", synced);
}
