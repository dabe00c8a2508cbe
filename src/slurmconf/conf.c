/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.c - the grammar of slurm.conf: comments, continuations, included files, KEY=value pairs */

#include "slurmconf/conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/lines.h"

/* Stops a file that includes itself. */
enum { DEPTH_MAX = 16 };

/* Removes the comment and surrounding blanks. Returns whether a backslash ends the line. */
static int clean_line(char *text)
{
	size_t length;
	char *hash = text;

	while ((hash = strchr(hash, '#')) && hash > text && hash[-1] == '\\')
		hash++;
	if (hash)
		*hash = '\0';
	length = strlen(text);
	while (length > 0 && strchr(" \t\r", text[length - 1]))
		text[--length] = '\0';
	if (length == 0 || text[length - 1] != '\\')
		return 0;
	text[length - 1] = ' ';
	return 1;
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
	both = malloc(length);
	if (both) {
		strcpy(both, before);
		strcat(both, lines->text);
		free(lines->text);
		lines->text = both;
		lines->alloc = length;
	}
	free(before);
	return both ? 1 : maui_err_set(err, "%s: no memory", lines->path);
}

/* Reads the next line that is not empty, clean and joined. 1: a line; 0: the end; -1: error. */
static int next_line(struct maui_lines *lines, struct maui_err *err)
{
	int rc;

	while ((rc = maui_lines_next(lines, err)) > 0) {
		while (clean_line(lines->text)) {
			rc = join_next_line(lines, err);
			if (rc <= 0)
				break;
		}
		if (rc < 0)
			return -1;
		if (lines->text[strspn(lines->text, " \t")] != '\0')
			return 1;
	}
	return rc;
}

/* A file and those that include it. */
struct file {
	const char *path;
	const char *first; /* slurm.conf itself: names are relative to its folder */
	unsigned depth;
};

static int read_file(const struct file *file, maui_conf_fn take, void *data, struct maui_err *err);

static int read_include(const struct file *by, const char *name, maui_conf_fn take, void *data,
			struct maui_err *err)
{
	const char *slash = strrchr(by->first, '/');
	size_t length = strcspn(name, " \t");
	struct file file = { .first = by->first, .depth = by->depth + 1 };
	char *path;
	int rc;

	if (file.depth > DEPTH_MAX)
		return maui_err_set(err, "%s: Include: more than %d levels", by->first, DEPTH_MAX);
	if (*name == '/' || !slash)
		path = strndup(name, length);
	else if (asprintf(&path, "%.*s%.*s", (int)(slash - by->first + 1), by->first, (int)length,
			  name) < 0)
		path = NULL;
	file.path = path;
	rc = path ? read_file(&file, take, data, err) :
		    maui_err_set(err, "%s: no memory", by->first);
	free(path);
	return rc;
}

/* The name in "Include NAME"; NULL: another line. */
static const char *included_name(const char *line)
{
	static const char include[] = "Include";
	const char *text = line + strspn(line, " \t");
	size_t word = strcspn(text, " \t"), name = word + strspn(text + word, " \t");

	return word == sizeof(include) - 1 && strncasecmp(text, include, word) == 0 &&
			       text[name] != '\0' && text[name] != '=' ?
		       text + name :
		       NULL;
}

static int read_file(const struct file *file, maui_conf_fn take, void *data, struct maui_err *err)
{
	struct maui_lines lines;
	int rc;

	if (maui_lines_open(&lines, file->path, err))
		return -1;
	while ((rc = next_line(&lines, err)) > 0) {
		const char *name = included_name(lines.text);

		rc = name ? read_include(file, name, take, data, err) : take(data, lines.text);
		if (rc)
			break;
	}
	maui_lines_close(&lines);
	return rc;
}

int maui_conf_read(const char *path, maui_conf_fn take, void *data, struct maui_err *err)
{
	const struct file file = { .path = path, .first = path };

	return read_file(&file, take, data, err);
}

char *maui_conf_get(const char *line, const char *key)
{
	size_t length = strlen(key);

	for (const char *at = line; *at != '\0'; at++) {
		const char *value;

		if (strncasecmp(at, key, length) != 0 || (at > line && !strchr(" \t", at[-1])))
			continue;
		value = at + length;
		value += strspn(value, " \t");
		if (*value != '=')
			continue;
		value += 1 + strspn(value + 1, " \t");
		if (*value == '"')
			return strndup(value + 1, strcspn(value + 1, "\""));
		return strndup(value, strcspn(value, " \t"));
	}
	return NULL;
}
