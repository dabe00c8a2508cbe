/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.c - maui.cfg and the files that it includes, in reading order
 *
 * #INCLUDE appends: an included file is read after the last line of the file that names it. Each
 * file is read once; a file that includes itself, directly or not, is an error.
 *
 * Rules: CFG-2, CFG-15.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "config/lexer.h"
#include "config/parse.h"

static const char *const blanks = " \t\r\v\f";

static int keep_file_name(struct maui_config *config, const char *path, const char *text,
			  size_t length)
{
	char **grown = config->file_count < MAUI_CONFIG_MAX_FILES + MAUI_CONFIG_MAX_CHANGES ?
			       maui_array_grow(config->files, config->file_count,
					       &config->file_alloc, sizeof(*grown)) :
			       NULL;

	if (!grown)
		return -1;
	config->files = grown;
	config->file_at[config->file_count] = config->text_length;
	config->file_hash[config->file_count] = maui_hash_bytes(text, length);
	grown[config->file_count] = strdup(path);
	return grown[config->file_count] ? (config->file_count++, 0) : -1;
}

/* Whether the text ends in a continued line, which would swallow the first line of the next
 * file. */
static bool ends_continued(const char *text, size_t length)
{
	if (length > 0 && text[length - 1] == '\n')
		length--;
	while (length > 0 && strchr(blanks, text[length - 1]))
		length--;
	return length > 0 && text[length - 1] == '\\';
}

/* Appends the text to config->text, with #INCLUDE lines turned into plain comments. The
 * concatenated files mean the same as before, because an include appends to the end. */
static int keep_text(struct maui_config *config, const char *text, size_t length)
{
	size_t at = 0, name, name_length, old = config->text_length;
	char *grown = realloc(config->text, old + length + 3);

	if (!grown)
		return -1;
	config->text = grown;
	memcpy(grown + old, text, length);
	if (old > 0 && length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		/* blanks, because only the first line may begin with a byte order mark */
		memset(grown + old, ' ', 3);
	while (maui_lexer_include(text, length, &at, &name, &name_length)) {
		size_t mark = name;

		while (text[mark] != '#')
			mark--;
		memcpy(grown + old + mark, "#merged:", strlen("#INCLUDE"));
	}
	config->text_length = old + length;
	if (length > 0 && text[length - 1] != '\n')
		grown[config->text_length++] = '\n';
	if (ends_continued(text, length))
		grown[config->text_length++] = '\n';
	grown[config->text_length] = '\0';
	return 0;
}

/* Names of included files are relative to the directory of the first file. */
static char *include_path(const struct maui_config *config, const char *name, size_t length)
{
	const char *first = config->files[0], *slash = strrchr(first, '/');
	char *path;

	if (*name == '/' || !slash)
		return strndup(name, length);
	if (asprintf(&path, "%.*s%.*s", (int)(slash - first + 1), first, (int)length, name) < 0)
		return NULL;
	return path;
}

/* The files from maui.cfg down to the one whose #INCLUDE lines are being followed. */
struct chain {
	const struct chain *up;
	size_t file; /* index in config->files */
};

/* One #INCLUDE line. */
struct include {
	const char *file; /* the file that contains the line */
	uint32_t line;
	char *path;
};

static int read_one(struct maui_config *config, const struct chain *chain, const char *text,
		    size_t length, struct maui_diags *diags);

/* The index of a file that was read already; -1: it was not. */
static int find_file(const struct maui_config *config, const char *path)
{
	for (size_t i = 0; i < config->file_count; i++)
		if (strcmp(config->files[i], path) == 0)
			return (int)i;
	return -1;
}

static void add_chain(struct maui_strbuf *text, const struct maui_config *config,
		      const struct chain *chain, size_t from)
{
	if (chain->file != from)
		add_chain(text, config, chain->up, from);
	maui_strbuf_addf(text, "%s > ", config->files[chain->file]);
}

/* Reports a second #INCLUDE of a file: an error if the file includes itself, else a warning. */
static void report_repeated_include(const struct maui_config *config, const struct chain *chain,
				    size_t again, const struct include *include,
				    struct maui_diags *diags)
{
	const struct chain *link = chain;
	struct maui_strbuf loop = { 0 };

	while (link && link->file != again)
		link = link->up;
	if (link)
		add_chain(&loop, config, chain, again);
	if (link)
		maui_diags_add(diags, MAUI_ERROR, include->file, include->line, 0,
			       "#INCLUDE: a loop: %s%s", loop.text ? loop.text : "", include->path);
	else
		maui_diags_add(diags, MAUI_WARNING, include->file, include->line, 0,
			       "#INCLUDE %s: was read already, ignoring", include->path);
	maui_strbuf_finish(&loop);
}

static int read_included(struct maui_config *config, const struct chain *chain,
			 const struct include *include, struct maui_diags *diags)
{
	struct chain own = { .up = chain, .file = config->file_count };
	char *text = NULL;
	struct maui_err err;
	size_t length;
	int rc = 0;

	if (config->file_count >= MAUI_CONFIG_MAX_FILES ||
	    config->text_length > MAUI_CONFIG_MAX_TOTAL_BYTES)
		maui_diags_add(diags, MAUI_ERROR, include->file, include->line, 0,
			       "#INCLUDE %s: more than %d files or %u MiB", include->path,
			       MAUI_CONFIG_MAX_FILES, MAUI_CONFIG_MAX_TOTAL_BYTES >> 20);
	else if (maui_file_read(include->path, MAUI_CONFIG_MAX_BYTES, &text, &length, &err))
		maui_diags_add(diags, MAUI_ERROR, include->file, include->line, 0, "#INCLUDE: %s",
			       err.text);
	else
		rc = keep_file_name(config, include->path, text, length) ||
		     read_one(config, &own, text, length, diags);
	free(text);
	return rc;
}

static uint32_t count_lines(const char *text, size_t from, size_t to)
{
	uint32_t lines = 0;

	for (; from < to; from++)
		lines += text[from] == '\n';
	return lines;
}

static void warn_of_indented(const char *file, const char *text, size_t length,
			     struct maui_diags *diags)
{
	size_t at = 0, name, name_length, counted = 0;
	uint32_t line = 1;

	while (maui_lexer_indented_include(text, length, &at, &name, &name_length)) {
		line += count_lines(text, counted, name);
		counted = name;
		maui_diags_add(diags, MAUI_WARNING, file, line, 0,
			       "#INCLUDE is a comment unless it begins the line");
	}
}

static int follow_includes(struct maui_config *config, const struct chain *chain, const char *text,
			   size_t length, struct maui_diags *diags)
{
	struct include include = { .file = config->files[chain->file], .line = 1 };
	size_t at = 0, name, name_length, counted = 0;
	bool reported[MAUI_CONFIG_MAX_FILES] = { false };
	int again, rc = 0;

	while (rc == 0 && maui_lexer_include(text, length, &at, &name, &name_length)) {
		include.path = include_path(config, text + name, name_length);
		if (!include.path)
			return -1;
		include.line += count_lines(text, counted, name);
		counted = name;
		again = find_file(config, include.path);
		if (again < 0)
			rc = read_included(config, chain, &include, diags);
		else if (!reported[again])
			report_repeated_include(config, chain, (size_t)again, &include, diags);
		if (again >= 0)
			reported[again] = true;
		free(include.path);
	}
	return rc;
}

static int read_lines(struct maui_config *config, const struct chain *chain, const char *text,
		      size_t length, struct maui_diags *diags)
{
	const char *file = config->files[chain->file];

	if (keep_text(config, text, length) ||
	    maui_config_parse_text(config, file, text, length, true, diags))
		return -1;
	warn_of_indented(file, text, length, diags);
	return follow_includes(config, chain, text, length, diags);
}

static int read_one(struct maui_config *config, const struct chain *chain, const char *text,
		    size_t length, struct maui_diags *diags)
{
	char *lines;
	int rc;

	if (!maui_lexer_old_mac(text, length))
		return read_lines(config, chain, text, length, diags);
	lines = malloc(length);
	if (!lines)
		return -1;
	for (size_t i = 0; i < length; i++)
		lines[i] = text[i] == '\r' ? '\n' : text[i];
	maui_diags_add(diags, MAUI_WARNING, config->files[chain->file], 0, 0,
		       "lines end in CR, as on an old Macintosh: CR is read as the end of a line");
	rc = read_lines(config, chain, lines, length, diags);
	free(lines);
	return rc;
}

int maui_config_read_settings(struct maui_config *config, const char *path, const char *text,
			      size_t length, struct maui_diags *diags)
{
	struct chain first = { .up = NULL, .file = 0 };

	if (keep_file_name(config, path, text, length))
		return -1;
	return read_one(config, &first, text, length, diags);
}

int maui_config_add_lines(struct maui_config *config, const char *name, const char *text,
			  size_t length, bool is_file, struct maui_diags *diags)
{
	if (keep_file_name(config, name, text, length) || keep_text(config, text, length) ||
	    maui_config_parse_text(config, config->files[config->file_count - 1], text, length,
				   is_file, diags))
		return -1;
	return 0;
}

int maui_config_copy_lines(struct maui_config *config, const struct maui_config *from,
			   struct maui_diags *diags)
{
	for (size_t i = 0; i < from->file_count; i++) {
		size_t end = i + 1 < from->file_count ? from->file_at[i + 1] : from->text_length;

		if (maui_config_add_lines(config, from->files[i], from->text + from->file_at[i],
					  end - from->file_at[i], true, diags))
			return -1;
	}
	return 0;
}

bool maui_config_has_changed(const struct maui_config *config, struct maui_err *ret_how)
{
	bool changed = false;

	for (size_t i = 0; i < config->file_count && !changed; i++) {
		const char *path = config->files[i];
		size_t length;
		char *text = NULL;

		if (maui_file_read(path, MAUI_CONFIG_MAX_BYTES, &text, &length, ret_how))
			return true;
		changed = maui_hash_bytes(text, length) != config->file_hash[i];
		if (changed)
			maui_err_set(ret_how, "%s has been changed", path);
		free(text);
	}
	return changed;
}
