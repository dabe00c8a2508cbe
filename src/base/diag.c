/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diag.c - list of errors and warnings about a text file, with positions */
#include "base/diag.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/utf8.h"

/* ---- texts ---- */

/* Marks a text that was cut to `size` - 1 bytes, between characters. */
static void end_with_dots(char *text, size_t size)
{
	size_t end = size - 4;

	while (end > size - 8 && ((unsigned char)text[end] & 0xc0) == 0x80)
		end--;
	memcpy(text + end, "...", 4);
}

/* ---- the list ---- */

static void free_texts(struct maui_diag *diag)
{
	free(diag->text);
	free(diag->name);
}

void maui_diags_finish(struct maui_diags *diags)
{
	for (size_t i = 0; i < diags->count; i++)
		free_texts(&diags->list[i]);
	for (size_t i = 0; i < diags->file_count; i++)
		free(diags->files[i]);
	free(diags->list);
	free(diags->files);
	*diags = (struct maui_diags){ 0 };
}

/* The list's own copy of a file name; NULL without memory. */
static const char *intern(struct maui_diags *diags, const char *file)
{
	char **grown;

	for (size_t i = diags->file_count; i > 0; i--) {
		if (!strcmp(diags->files[i - 1], file))
			return diags->files[i - 1];
	}
	grown = reallocarray(diags->files, diags->file_count + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	diags->files = grown;
	grown[diags->file_count] = strdup(file);
	if (!grown[diags->file_count])
		return NULL;
	return grown[diags->file_count++];
}

/* Removes the latest entry of the lowest severity below `severity`. False when there is none. */
static bool give_way(struct maui_diags *diags, enum maui_severity severity)
{
	unsigned lowest = 0;
	size_t i = diags->count;

	while (lowest < severity && !diags->kept[lowest])
		lowest++;
	if (lowest == severity)
		return false;
	while (i > 0 && diags->list[i - 1].severity != lowest)
		i--;
	free_texts(&diags->list[i - 1]);
	memmove(diags->list + i - 1, diags->list + i, (diags->count - i) * sizeof(*diags->list));
	diags->count--;
	diags->kept[lowest]--;
	return true;
}

bool maui_diags_keep(const struct maui_diags *diags, enum maui_severity severity)
{
	for (unsigned lower = 0; lower < severity; lower++)
		if (diags->kept[lower] > 0)
			return true;
	return diags->count < MAUI_DIAG_MAX;
}

/* Appends an entry about `name` (NULL: about no object). The caller has reserved the room. */
static void append(struct maui_diags *diags, struct maui_diag diag, const char *name)
{
	struct maui_diag *grown;

	grown = maui_array_grow(diags->list, diags->count, &diags->alloc, sizeof(*grown));
	diag.text = strdup(diag.text);
	diag.name = name ? strdup(name) : NULL;
	if (grown)
		diags->list = grown;
	if (!grown || !diag.text || (name && !diag.name)) {
		diags->no_memory = true;
		free_texts(&diag);
		return;
	}
	grown[diags->count++] = diag;
	diags->kept[diag.severity]++;
}

static void add(struct maui_diags *diags, enum maui_severity severity,
		const struct maui_diag_place *place, const char *fmt, va_list args)
{
	char text[MAUI_DIAG_MAX_TEXT];
	struct maui_diag diag = { .severity = severity,
				  .line = place->line,
				  .column = place->column,
				  .text = text,
				  .kind = place->kind };

	diags->seen[severity]++;
	if (diags->count >= MAUI_DIAG_MAX && !give_way(diags, severity))
		return;
	if (vsnprintf(text, sizeof(text), fmt, args) >= (int)sizeof(text))
		end_with_dots(text, sizeof(text));
	maui_utf8_mask(text, strlen(text), MAUI_DISPLAY_CHARACTERS);
	diag.file = intern(diags, place->file ? place->file : "");
	if (diag.file)
		append(diags, diag, place->kind ? place->name : NULL);
	else
		diags->no_memory = true;
}

void maui_diags_add(struct maui_diags *diags, enum maui_severity severity, const char *file,
		    uint32_t line, uint32_t column, const char *fmt, ...)
{
	const struct maui_diag_place place = { .file = file, .line = line, .column = column };
	va_list args;

	va_start(args, fmt);
	add(diags, severity, &place, fmt, args);
	va_end(args);
}

void maui_diags_add_at(struct maui_diags *diags, enum maui_severity severity,
		       const struct maui_diag_place *place, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(diags, severity, place, fmt, args);
	va_end(args);
}

/* ---- order and form ---- */

static size_t file_rank(const struct maui_diags *diags, const char *file)
{
	size_t i = 0;

	while (i < diags->file_count && diags->files[i] != file)
		i++;
	return i;
}

static bool is_before(const struct maui_diags *diags, const struct maui_diag *a,
		      const struct maui_diag *b)
{
	if (a->file != b->file)
		return file_rank(diags, a->file) < file_rank(diags, b->file);
	if (a->line != b->line)
		return a->line < b->line;
	return a->column < b->column;
}

/* Insertion sort: stable, and fast for a short list that parsers leave nearly sorted. */
void maui_diags_sort(struct maui_diags *diags)
{
	struct maui_diag moved;
	size_t to;

	for (size_t i = 1; i < diags->count; i++) {
		moved = diags->list[i];
		for (to = i; to > 0 && is_before(diags, &moved, &diags->list[to - 1]); to--)
			diags->list[to] = diags->list[to - 1];
		diags->list[to] = moved;
	}
}

static void format_position(const struct maui_diag *diag, char *buf, size_t size)
{
	if (!diag->line)
		buf[0] = '\0';
	else if (!diag->column)
		snprintf(buf, size, "%u:", diag->line);
	else
		snprintf(buf, size, "%u:%u:", diag->line, diag->column);
}

static const char *name_of(enum maui_severity severity)
{
	static const char *const name[MAUI_SEVERITY_COUNT] = {
		[MAUI_NOTE] = "note",
		[MAUI_WARNING] = "warning",
		[MAUI_ERROR] = "error",
	};

	return name[severity];
}

size_t maui_diag_format(const struct maui_diag *diag, char *buf, size_t size)
{
	char position[32];
	int length;

	format_position(diag, position, sizeof(position));
	length = snprintf(buf, size, "%s%s%s%s%s: %s", diag->file, *diag->file ? ":" : "", position,
			  *diag->file || *position ? " " : "", name_of(diag->severity), diag->text);
	if (length < 0)
		length = 0;
	if (size)
		/* the text is clean already, the file name may not be */
		maui_utf8_mask(buf, strlen(buf), MAUI_DISPLAY_CHARACTERS);
	return (size_t)length;
}

size_t maui_diag_ignored(const struct maui_diag *diag)
{
	const char *end = strstr(diag->text, ", ignoring");

	return end ? (size_t)(end - diag->text) : 0;
}
