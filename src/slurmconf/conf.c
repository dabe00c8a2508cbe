/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.c - the files of a slurm.conf: comments, continuations, included files */

#include "slurmconf/conf.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/lines.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "slurmconf/line.h"

/* Stops a file that includes itself. */
enum { DEPTH_MAX = 16 };

/* Cuts the text at its comment. Returns the backslash at its end, at which the next line is joined;
 * NULL: there is none. */
static char *cut_comment(char *text)
{
	size_t slashes = 0, length;
	char *at = text;

	for (; *at != '\0' && (*at != '#' || slashes % 2 == 1); at++)
		slashes = *at == '\\' ? slashes + 1 : 0;
	*at = '\0';
	length = strlen(text);
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	for (slashes = 0; slashes < length && text[length - 1 - slashes] == '\\';)
		slashes++;
	return slashes % 2 == 1 ? text + length - 1 : NULL;
}

/* A backslash only protects the character behind it. */
static void drop_backslashes(char *text)
{
	char *to = text;

	for (; *text != '\0'; text++) {
		text += *text == '\\';
		if (*text == '\0')
			break;
		*to++ = *text;
	}
	*to = '\0';
}

/* Appends the next line to the text. */
static int join_next_line(struct maui_lines *lines, struct maui_err *err)
{
	char *before = strdup(lines->text), *both;
	int rc = before ? maui_lines_next(lines, err) : -1;
	size_t length;

	if (rc <= 0) {
		if (rc == 0)
			/* fits: the buffer has held this text before */
			strcpy(lines->text, before);
		free(before);
		return rc;
	}
	length = strlen(before) + strlen(lines->text) + 1;
	if (length > MAUI_LINE_MAX_BYTES) {
		free(before);
		return maui_lines_too_long(lines, err);
	}
	both = malloc(length);
	if (both) {
		strcpy(both, before);
		strcat(both, lines->text);
		free(lines->text);
		lines->text = both;
		lines->alloc = length;
	}
	free(before);
	return both ? 1 : maui_err_no_memory_for(err, lines->path);
}

/* Reads the next line that is not empty, clean and joined. 1: a line; 0: the end; -1: error. */
static int next_line(struct maui_lines *lines, struct maui_err *err)
{
	int rc;

	while ((rc = maui_lines_next(lines, err)) > 0) {
		char *joint;

		while ((joint = cut_comment(lines->text))) {
			*joint = '\0';
			rc = join_next_line(lines, err);
			if (rc <= 0)
				break;
		}
		if (rc < 0)
			return -1;
		drop_backslashes(lines->text);
		if (lines->text[strspn(lines->text, " \t\r\v\f")] != '\0')
			return 1;
	}
	return rc;
}

/* What is kept over all files of one reading. */
struct reading {
	const char *first; /* slurm.conf itself: names are relative to its folder */
	maui_conf_fn take;
	void *data;
	struct maui_err *err;
	char *cluster; /* ClusterName in lower case; NULL: it has not come yet */
};

static int read_file(struct reading *r, const char *path, unsigned depth);

/* The name with %c replaced, which the caller frees; NULL with err. */
static char *name_of(const struct reading *r, const char *name)
{
	struct maui_strbuf text = { 0 };
	const char *at = name, *found;

	for (; (found = strstr(at, "%c")); at = found + 2) {
		if (!r->cluster) {
			maui_strbuf_finish(&text);
			maui_err_set(r->err, "%s: Include %s: ClusterName must stand before",
				     r->first, name);
			return NULL;
		}
		maui_strbuf_addf(&text, "%.*s%s", (int)(found - at), at, r->cluster);
	}
	maui_strbuf_addf(&text, "%s", at);
	if (!text.text)
		maui_err_no_memory_for(r->err, r->first);
	return text.text;
}

static int read_include(struct reading *r, const char *name, unsigned depth)
{
	const char *slash = strrchr(r->first, '/');
	char *named = depth > DEPTH_MAX ? NULL : name_of(r, name), *path = NULL;
	int rc = -1;

	if (depth > DEPTH_MAX)
		return maui_err_set(r->err, "%s: Include: more than %d levels", r->first,
				    DEPTH_MAX);
	if (!named)
		return -1;
	if (*named == '/' || !slash)
		path = strdup(named);
	else if (asprintf(&path, "%.*s%s", (int)(slash - r->first + 1), r->first, named) < 0)
		path = NULL;
	rc = path ? read_file(r, path, depth) : maui_err_no_memory_for(r->err, r->first);
	free(named);
	free(path);
	return rc;
}

/* "Include NAME", from the first column on: a copy of the name in *ret, which the caller frees. 0:
 * another line; -1: there is more than a name. */
static int find_include(const char *text, char **ret)
{
	static const char include[] = "include";
	size_t blanks, length;

	if (strncasecmp(text, include, strlen(include)) != 0)
		return 0;
	text += strlen(include);
	blanks = strspn(text, " \t");
	length = strcspn(text + blanks, " \t\r");
	if (blanks == 0 || length == 0)
		return 0;
	*ret = strndup(text + blanks, length);
	text += blanks + length;
	return *ret && text[strspn(text, " \t\r")] == '\0' ? 1 : -1;
}

static void keep_cluster(struct reading *r, const struct maui_conf_line *line)
{
	const char *value = maui_conf_value(line, "ClusterName");

	if (!value)
		return;
	free(r->cluster);
	r->cluster = strdup(value);
	for (char *at = r->cluster; at && *at; at++)
		*at = (char)tolower((unsigned char)*at);
}

static int take_pairs(struct reading *r, const struct maui_lines *lines)
{
	struct maui_conf_line line = { .path = lines->path, .number = lines->number };
	int rc = maui_conf_line_split(&line, lines->text);

	if (rc)
		rc = maui_err_no_memory_for(r->err, r->first);
	else
		rc = r->take(r->data, &line);
	keep_cluster(r, &line);
	maui_conf_line_finish(&line);
	return rc;
}

static int take_line(struct reading *r, const struct maui_lines *lines, unsigned depth)
{
	char *name = NULL;
	int rc = find_include(lines->text, &name);

	if (rc < 0)
		rc = maui_err_set(r->err, "%s:%" PRIu64 ": Include has more than a name",
				  lines->path, lines->number);
	else if (rc > 0)
		rc = read_include(r, name, depth + 1);
	else
		rc = take_pairs(r, lines);
	free(name);
	return rc;
}

static int read_file(struct reading *r, const char *path, unsigned depth)
{
	struct maui_lines lines;
	int rc;

	if (maui_lines_open(&lines, path, r->err))
		return -1;
	while ((rc = next_line(&lines, r->err)) > 0) {
		rc = take_line(r, &lines, depth);
		if (rc)
			break;
	}
	maui_lines_close(&lines);
	return rc;
}

int maui_conf_read(const char *path, maui_conf_fn take, void *data, struct maui_err *err)
{
	struct reading r = { .first = path, .take = take, .data = data, .err = err };
	int rc = read_file(&r, path, 0);

	free(r.cluster);
	return rc;
}
