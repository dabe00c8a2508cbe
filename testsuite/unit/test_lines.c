/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_lines.c - lines of any length up to a bound; a longer one is an error with its place
 *
 * Rules: CMD-13.
 */
#include "base/lines.h"

#include "base/limits.h"
#include "scratch.h"
#include "slurmconf/conf.h"

TestSuite(lines, .init = scratch_enter, .fini = scratch_leave);

/* Writes "first", then a line of so many bytes, written in parts of 1 MiB, with `between` after
 * each. */
static void put_long(const char *path, size_t length, const char *between)
{
	enum { PART = 1024 * 1024 };
	char *part = malloc(PART);
	FILE *file = fopen(path, "w");

	cr_assert(part && file);
	memset(part, 'x', PART);
	fputs("first\n", file);
	for (size_t left = length; left > 0;) {
		size_t now = left < PART ? left : PART;

		fwrite(part, 1, now, file);
		fputs(between, file);
		left -= now;
	}
	fputs("\nlast\n", file);
	fclose(file);
	free(part);
}

Test(lines, the_longest_line_is_read)
{
	struct maui_lines lines;
	struct maui_err err = { .text = "" };

	put_long("in", MAUI_LINE_MAX_BYTES - 1, "");
	cr_assert(maui_lines_open(&lines, "in", &err) == 0, "%s", err.text);
	cr_expect(maui_lines_next(&lines, &err) == 1);
	cr_expect(maui_lines_next(&lines, &err) == 1, "%s", err.text);
	cr_expect(strlen(lines.text) == MAUI_LINE_MAX_BYTES - 1);
	cr_expect(maui_lines_next(&lines, &err) == 1);
	cr_expect_str_eq(lines.text, "last");
	cr_expect(maui_lines_next(&lines, &err) == 0);
	maui_lines_close(&lines);
}

Test(lines, an_endless_line_is_an_error_with_its_place)
{
	struct maui_lines lines;
	struct maui_err err = { .text = "" };

	put_long("in", 10 * (size_t)MAUI_LINE_MAX_BYTES, "");
	cr_assert(maui_lines_open(&lines, "in", &err) == 0, "%s", err.text);
	cr_expect(maui_lines_next(&lines, &err) == 1);
	cr_assert(maui_lines_next(&lines, &err) == -1, "the line was read");
	cr_expect_str_eq(err.text, "in:2: the line is longer than 16777216 bytes", "%s", err.text);
	cr_expect(lines.alloc <= 4 * (size_t)MAUI_LINE_MAX_BYTES, "%zu bytes", lines.alloc);
	maui_lines_close(&lines);
}

static int ignore(void *data, const struct maui_conf_line *line)
{
	(void)data;
	(void)line;
	return 0;
}

Test(lines, continued_lines_are_bounded_together)
{
	struct maui_err err = { .text = "" };

	put_long("slurm.conf", 2 * (size_t)MAUI_LINE_MAX_BYTES, "\\\n");
	cr_assert(maui_conf_read("slurm.conf", ignore, NULL, &err) == -1, "the line was read");
	cr_expect(strstr(err.text, "slurm.conf:") && strstr(err.text, "longer than 16777216 bytes"),
		  "%s", err.text);
}
