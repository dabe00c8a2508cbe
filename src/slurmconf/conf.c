/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.c - reads the part of slurm.conf's grammar that slurmconf.c needs */

#include "slurmconf/conf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

int maui_conf_next(struct maui_lines *lines, struct maui_err *err)
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

int64_t maui_conf_get_number(const char *line, const char *key, int64_t missing)
{
	char *text = maui_conf_get(line, key), *end = NULL;
	int64_t value = text ? strtoll(text, &end, 10) : missing;

	if (text && end == text)
		value = missing;
	free(text);
	return value;
}
