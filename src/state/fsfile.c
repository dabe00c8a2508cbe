/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fsfile.c - FS.<epoch> files: reads Maui's text leniently, and writes it in one form */

#include "state/fsfile.h"

#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/file.h"
#include "base/limits.h"
#include "state/set_aside.h"

/* The largest usage in a file, in proc-seconds: 28 years of ten million processors. Up to there
 * a double keeps all printed digits, so a file that is read and written stays the same. */
#define USAGE_MAX 9e15

struct reader {
	const char *path;
	struct maui_usage_window *window;
	struct maui_diags *diags;
	uint32_t line;
	bool has_total;
	bool no_memory;
};

int64_t maui_fsfile_start(const char *name)
{
	char *end;
	long long start;

	if (strncmp(name, "FS.", 3) != 0 || name[3] < '0' || name[3] > '9')
		return -1;
	if (name[3] == '0' && name[4] != '\0')
		return -1; /* two spellings of one start would mean one window */
	errno = 0;
	start = strtoll(name + 3, &end, 10);
	return *end == '\0' && errno == 0 ? start : -1;
}

static void report_line(struct reader *r, const char *what, const char *text)
{
	maui_diags_add(r->diags, MAUI_ERROR, r->path, r->line, 0, "%s: '%.80s', skipping", what,
		       text);
}

static const char until_word[] = "Charged until:";

/* "# FS Data File (Duration: 43200 seconds)  Starting: ...  Charged until: 1729900800"; Maui writes
 * no moment. */
static void read_header(struct reader *r, const char *line)
{
	const char *at = strcasestr(line, "Duration:"), *until = strcasestr(line, until_word);
	long long seconds;

	if (until) {
		seconds = strtoll(until + strlen(until_word), NULL, 10);
		if (seconds > 0 && seconds <= MAUI_TIME_INFINITY)
			r->window->charged_until_s = seconds;
	}
	if (!at)
		return;
	seconds = strtoll(at + strlen("Duration:"), NULL, 10);
	if (seconds > 0 && seconds <= MAUI_TIME_INFINITY)
		r->window->interval_s = seconds;
	else
		report_line(r, "no usable duration in the header", line);
}

/* A finite, non-negative decimal: no hexadecimal, no locale. */
static bool read_value(const char *text, double *ret)
{
	double whole = 0, fraction = 0, scale = 1;
	const char *p = text;

	if (strspn(text, ".") == strlen(text))
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		whole = whole * 10 + (*p - '0');
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9' && scale < 1e9; p++) {
			fraction = fraction * 10 + (*p - '0');
			scale *= 10;
		}
	*ret = whole + fraction / scale;
	return strspn(p, "0123456789") == strlen(p) && *ret <= USAGE_MAX;
}

static void read_total(struct reader *r, const char *value)
{
	double total;

	if (!read_value(value, &total)) {
		report_line(r, "not an amount of usage", value);
		return;
	}
	r->window->total = total; /* a file may have both forms, with the same value */
	r->has_total = true;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

/* "domain%20users" -> "domain users", in place. */
static void unescape(char *name)
{
	char *to = name, byte[3] = "";

	for (const char *from = name; *from != '\0'; from++) {
		if (*from == '%' && is_hex(from[1]) && is_hex(from[2]) &&
		    (from[1] != '0' || from[2] != '0')) {
			memcpy(byte, from + 1, 2);
			*to++ = (char)strtol(byte, NULL, 16);
			from += 2;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

static void read_entry(struct reader *r, char *type, char *name, const char *value)
{
	enum maui_cred_kind kind = maui_cred_parse(type);
	bool folded = false;
	double used, before;

	unescape(name);
	if (kind == MAUI_CRED_ACCOUNT) { /* Maui told CHEM from chem, slurmctld does not */
		folded = !maui_cred_is_folded(name);
		maui_cred_fold_account(name);
	}
	if (strcasecmp(type, "sched") == 0)
		read_total(r, value);
	else if (kind == MAUI_CRED_COUNT)
		report_line(r, "unknown type", type);
	else if (strlen(name) > MAUI_NAME_MAX)
		report_line(r, "name too long", name);
	else if (!read_value(value, &used))
		report_line(r, "not an amount of usage", value);
	else if ((before = maui_usage_get(r->window, kind, name)) != 0 && !folded)
		report_line(r, "a name twice", name);
	else if ((used = fmin(used, USAGE_MAX - before)) > 0 &&
		 maui_usage_add(r->window, kind, name, used))
		r->no_memory = true;
}

static void read_line(struct reader *r, char *line)
{
	static const char *const blanks = " \t\r";
	char *save = NULL, *type, *second, *third;

	for (const char *p = line; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' && *p != '\t' && *p != '\r') {
			report_line(r, "control character", line);
			return;
		}
	if (line[strspn(line, blanks)] == '#') {
		read_header(r, line);
		return;
	}
	type = strtok_r(line, blanks, &save);
	second = strtok_r(NULL, blanks, &save);
	third = strtok_r(NULL, blanks, &save);
	if (!type)
		return;
	if (!second)
		report_line(r, "line without a value", type);
	else if (!third && strcasecmp(type, "TOTAL") == 0)
		read_total(r, second);
	else if (!third)
		report_line(r, "line without a value", second);
	else if (strtok_r(NULL, blanks, &save))
		report_line(r, "more than three words", type);
	else
		read_entry(r, type, second, third);
}

/* No kind of credential can use more than the total. A smaller or missing total means that the
 * file is incomplete. Every job has a user, so the largest kind is the best guess. */
static void check_total(struct reader *r)
{
	double count = (double)r->window->entries.used;
	double sum[MAUI_CRED_COUNT] = { 0 }, most = 0, rounding;
	const struct maui_usage_entry *entry;

	for (size_t at = 0; (entry = maui_hashtable_next(&r->window->entries, &at));)
		sum[entry->kind] += entry->value;
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		most = fmax(most, sum[k]);
	most = fmin(most, USAGE_MAX); /* as the total is: a larger sum is no sign of a loss */
	/* the digits that are printed, and those of a sum */
	rounding = 1 + count * (0.001 + most * DBL_EPSILON);
	if (r->has_total && most <= r->window->total + rounding)
		return;
	r->window->total = most;
	maui_diags_add(r->diags, MAUI_ERROR, r->path, 0, 0,
		       "%s (is the file complete?), the largest category is taken for it",
		       r->has_total ? "total less than a category's sum" : "no total");
}

int maui_fsfile_parse(const char *path, const char *text, size_t length,
		      struct maui_usage_window *window, struct maui_diags *diags)
{
	struct reader r = { .path = path, .window = window, .diags = diags };
	size_t errors = diags->seen[MAUI_ERROR];
	char *copy = malloc(length + 1), *line, *rest;

	if (!copy)
		return MAUI_FSFILE_NO_MEMORY;
	memcpy(copy, text, length);
	copy[length] = '\0';
	for (size_t i = 0; i < length; i++)
		if (copy[i] == '\0')
			copy[i] = '\x01'; /* NUL counts as a control character */
	for (rest = copy; (line = strsep(&rest, "\n")) && !r.no_memory;) {
		r.line++;
		read_line(&r, line);
	}
	free(copy);
	window->dirty = false;
	if (r.no_memory)
		return MAUI_FSFILE_NO_MEMORY;
	check_total(&r);
	return diags->seen[MAUI_ERROR] > errors ? -1 : 0;
}

static int by_kind_and_name(const void *a, const void *b)
{
	const struct maui_usage_entry *one = *(const struct maui_usage_entry *const *)a;
	const struct maui_usage_entry *two = *(const struct maui_usage_entry *const *)b;

	if (one->kind != two->kind)
		return one->kind < two->kind ? -1 : 1;
	return strcmp(one->name, two->name);
}

static const char *const kind_words[MAUI_CRED_COUNT] = {
	[MAUI_CRED_USER] = "user", [MAUI_CRED_GROUP] = "group", [MAUI_CRED_ACCOUNT] = "acct",
	[MAUI_CRED_QOS] = "qos",   [MAUI_CRED_CLASS] = "class",
};

/* A directory of users has names such as "domain users", which must stay one word. */
static void write_name(struct maui_strbuf *out, const char *name)
{
	for (; *name != '\0'; name++)
		if ((unsigned char)*name <= ' ' || *name == '%' || *name == '\x7f')
			maui_strbuf_addf(out, "%%%02X", (unsigned)(unsigned char)*name);
		else
			maui_strbuf_add(out, name, 1);
}

void maui_fsfile_format(const struct maui_usage_window *window, struct maui_strbuf *out)
{
	const struct maui_usage_entry *entry,
		**sorted = calloc(window->entries.used + 1, sizeof(entry));
	time_t start = (time_t)window->start_s;
	struct tm tm;
	char date[64] = "?";
	size_t count = 0;

	if (!sorted) {
		out->failed = true;
		return;
	}
	for (size_t at = 0; (entry = maui_hashtable_next(&window->entries, &at));)
		if (entry->value >= 0.0005) /* leave out "0.000" */
			sorted[count++] = entry;
	qsort(sorted, count, sizeof(*sorted), by_kind_and_name);
	if (gmtime_r(&start, &tm)) /* windows align to UTC, so the date is UTC */
		strftime(date, sizeof(date), "%a %b %d %H:%M:%S %Y UTC", &tm);
	maui_strbuf_addf(out, "# FS Data File (Duration: %lld seconds)  Starting: %s",
			 (long long)window->interval_s, date);
	if (window->charged_until_s > 0)
		maui_strbuf_addf(out, "  %s %lld", until_word, (long long)window->charged_until_s);
	maui_strbuf_addf(out, "\n");
	for (size_t i = 0; i < count; i++) {
		maui_strbuf_addf(out, "%s ", kind_words[sorted[i]->kind]);
		write_name(out, sorted[i]->name);
		maui_strbuf_addf(out, " %.3f\n", sorted[i]->value);
	}
	maui_strbuf_addf(out, "sched ALL %.3f\nTOTAL %.3f\n", window->total, window->total);
	free(sorted);
}

/* An unreadable file must not be overwritten by its window: it is moved away, or the window is
 * blocked. */
static int load_unreadable(const char *path, const struct maui_usage_window *read,
			   struct maui_usage *usage, const char *why, struct maui_diags *diags)
{
	struct maui_usage_window *window;
	struct maui_diag_place place;
	struct maui_err err;
	char *aside = NULL;

	if (maui_file_set_aside(path, &aside, &err) == 0) {
		place = maui_set_aside_place(path, aside);
		maui_diags_add_at(diags, MAUI_ERROR, &place, "%s: set aside as %s", why, aside);
		free(aside);
		return 0;
	}
	maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "%s: %s; it stays, this window is not saved",
		       why, err.text);
	window = maui_usage_window(usage, read->start_s, read->interval_s);
	if (!window)
		return -1;
	window->blocked = true;
	return 0;
}

/* A file with invalid lines is moved away. Its valid lines are saved again. */
static void set_damaged_aside(const char *path, struct maui_diags *diags)
{
	struct maui_diag_place place;
	struct maui_err err;
	char *aside = NULL;

	if (maui_file_set_aside(path, &aside, &err)) {
		maui_diags_add(diags, MAUI_ERROR, path, 0, 0, "%s", err.text);
		return;
	}
	place = maui_set_aside_place(path, aside);
	maui_diags_add_at(diags, MAUI_ERROR, &place,
			  "damaged: set aside as %s, its good lines are kept", aside);
	free(aside);
}

/* Loads one file. An unusable file is set aside, and its valid lines are kept. */
static int load_one(const char *directory, const char *name, int64_t interval_s,
		    struct maui_usage *usage, struct maui_diags *diags)
{
	struct maui_usage_window read = { .start_s = maui_fsfile_start(name),
					  .interval_s = interval_s },
				 *window;
	struct maui_err err;
	char *path, *text;
	size_t length;
	int damaged;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return -1;
	if (maui_file_read(path, MAUI_FS_FILE_MAX_BYTES, &text, &length, &err)) {
		int rc = errno == ENOENT ? 0 :
			 errno == ENOMEM ? -1 :
					   load_unreadable(path, &read, usage, err.text, diags);

		free(path);
		return rc;
	}
	damaged = maui_fsfile_parse(path, text, length, &read, diags);
	free(text);
	if (damaged == MAUI_FSFILE_NO_MEMORY) {
		maui_usage_window_finish(&read);
		free(path);
		return -1;
	}
	if (damaged)
		set_damaged_aside(path, diags);
	free(path);
	window = maui_usage_window(usage, read.start_s, read.interval_s);
	if (!window) {
		maui_usage_window_finish(&read);
		return -1;
	}
	maui_usage_window_finish(window);
	*window = read;
	window->dirty = damaged;
	return 0;
}

int maui_fsfile_load_all(const char *directory, int64_t default_interval_s,
			 struct maui_usage *usage, struct maui_diags *diags)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	int rc = 0;

	if (!dir) {
		if (errno == ENOMEM)
			return -1;
		if (errno != ENOENT)
			maui_diags_add(diags, MAUI_ERROR, directory, 0, 0, "%s", strerror(errno));
		return 0;
	}
	while (rc == 0 && (entry = readdir(dir)))
		if (maui_fsfile_start(entry->d_name) >= 0)
			rc = load_one(directory, entry->d_name, default_interval_s, usage, diags);
	closedir(dir);
	return rc;
}

int maui_fsfile_save(const char *directory, const struct maui_usage_window *window,
		     struct maui_err *err)
{
	struct maui_strbuf out = { 0 };
	char *path = NULL;
	int rc;

	maui_fsfile_format(window, &out);
	if (out.failed || asprintf(&path, "%s/FS.%lld", directory, (long long)window->start_s) < 0)
		rc = maui_err_no_memory_for(err, directory);
	else
		rc = maui_file_write(path, out.text, out.length, 0, err);
	free(path);
	maui_strbuf_finish(&out);
	return rc;
}
