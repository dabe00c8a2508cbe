/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idle_log.c - appends lines to the idle-time log
 *
 * All lines of one month are one write(), so that readers see whole lines. When the disk is full,
 * the part of a line that was written is removed again.
 */

#include "state/idle_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"

static const char heading[] =
	"# from\tuntil\treservation\tday\taccount\towner\treserved\tused\tidle\n";

/* A name with a tab or a newline would add fields or lines, so these become blanks. */
static void add_name(struct maui_strbuf *text, const char *name)
{
	if (!name || !*name)
		name = "-";
	for (; *name; name++) {
		char c = *name == '\t' || *name == '\n' || *name == '\r' ? ' ' : *name;

		maui_strbuf_add(text, &c, 1);
	}
	maui_strbuf_add(text, "\t", 1);
}

static void format_line(const struct maui_idle_log_line *line, struct maui_strbuf *text)
{
	maui_strbuf_addf(text, "%" PRId64 "\t%" PRId64 "\t", line->from_s, line->until_s);
	add_name(text, line->rsv);
	maui_strbuf_addf(text, "%" PRId32 "\t", line->day);
	add_name(text, line->account);
	add_name(text, line->owner);
	maui_strbuf_addf(text, "%.0f\t%.0f\t%.0f\n", line->reserved, line->used, line->idle);
}

static int write_text(int fd, const char *path, const struct maui_strbuf *text,
		      struct maui_err *err)
{
	ssize_t done = write(fd, text->text, text->length);

	if (done < 0)
		return maui_err_errno(err, "%s", path);
	if ((size_t)done < text->length)
		return maui_err_set(err, "%s: no room for all lines", path);
	return fsync(fd) ? maui_err_errno(err, "%s", path) : 0;
}

/* Text before the lines: the heading of a new file, or the newline that a crash cut off. */
static void begin_file(int fd, int64_t size, struct maui_strbuf *text)
{
	char last = '\n';

	if (size == 0)
		maui_strbuf_addf(text, "%s", heading);
	else if (pread(fd, &last, 1, size - 1) == 1 && last != '\n')
		maui_strbuf_addf(text, "\n");
}

/* Appends all lines or none. */
static int append_lines(int fd, const char *path, const struct maui_idle_log_line *lines,
			size_t count, struct maui_err *err)
{
	struct maui_strbuf text = { 0 };
	struct stat seen;
	int rc = -1;

	if (fstat(fd, &seen) || !S_ISREG(seen.st_mode))
		return maui_err_set(err, "%s: not a regular file", path);
	begin_file(fd, seen.st_size, &text);
	for (size_t i = 0; i < count; i++)
		format_line(&lines[i], &text);
	if (text.failed)
		maui_err_no_memory(err);
	else
		rc = write_text(fd, path, &text, err);
	/* if this fails, too, the next append ends the broken line */
	if (rc && ftruncate(fd, seen.st_size) == 0)
		fsync(fd);
	maui_strbuf_finish(&text);
	return rc;
}

static int append_file(const char *path, const struct maui_idle_log_line *lines, size_t count,
		       struct maui_err *err)
{
	/* no symbolic link, and no device that would block us */
	int fd =
		open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	int rc;

	if (fd < 0)
		return maui_err_errno(err, "%s", path);
	rc = append_lines(fd, path, lines, count, err);
	close(fd);
	return rc;
}

/* The month of the line's end, as YYYYMM. */
static int month_of(const struct maui_idle_log_line *line)
{
	time_t until = (time_t)line->until_s;
	struct tm local = { 0 };

	localtime_r(&until, &local);
	return (local.tm_year + 1900) * 100 + local.tm_mon + 1;
}

static int append_month(const char *state_dir, int month, struct maui_idle_log_line *lines,
			size_t count, struct maui_err *err)
{
	struct maui_strbuf path = { 0 };
	int rc;

	maui_strbuf_addf(&path, "%s/idle.%06d", state_dir, month);
	rc = path.failed ? maui_err_no_memory(err) : append_file(path.text, lines, count, err);
	maui_strbuf_finish(&path);
	for (size_t i = 0; rc == 0 && i < count; i++)
		lines[i].written = true;
	return rc;
}

int maui_idle_log_append(const char *state_dir, struct maui_idle_log_line *lines, size_t count,
			 struct maui_err *err)
{
	struct maui_err ignored;
	int rc = 0;

	for (size_t i = 0, end; i < count; i = end) {
		int month = month_of(&lines[i]);

		for (end = i + 1; end < count && month_of(&lines[end]) == month;)
			end++;
		if (append_month(state_dir, month, &lines[i], end - i, rc ? &ignored : err))
			rc = -1;
	}
	return rc;
}
