/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quotes.c - what double quotes mean in a value and in an index of maui.cfg */

#include "config/quotes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "config/lexer.h"

static const char blanks[] = " \t\r\v\f";
static const char between_names[] = ",|:"; /* blanks separate, too, outside of quotes */

void maui_quotes_remove(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0'; from++)
		if (*from != '"' && (to > text || !strchr(blanks, *from)))
			*to++ = *from;
	while (to > text && strchr(blanks, to[-1]))
		to--;
	*to = '\0';
}

bool maui_quotes_pair(const char *text)
{
	bool open = false;

	for (; *text != '\0'; text++)
		open ^= *text == '"';
	return !open;
}

/* ---- lists of names ---- */

/* The end of the name: a separator of names, or a blank outside of quotes. */
static const char *find_end(const char *at, bool *quoted)
{
	for (; *at != '\0' && !strchr(between_names, *at); at++)
		if (*at == '"')
			*quoted = !*quoted;
		else if (!*quoted && strchr(blanks, *at))
			break;
	return at;
}

static int add_name(struct maui_strbuf *out, const char *text, size_t length)
{
	char *name = strndup(text, length);

	if (!name)
		return -1;
	maui_quotes_remove(name);
	maui_strbuf_addf(out, name[strcspn(name, " \t#")] ? "\"%s\"" : "%s", name);
	free(name);
	return 0;
}

/* Gives quotes to each name that needs them, and to no other. */
static char *store_names(const char *text)
{
	struct maui_strbuf out = { 0 };
	bool quoted = false;
	char *names = NULL;
	const char *end;
	int rc = 0;

	maui_strbuf_addf(&out, "%s", "");
	for (; rc == 0 && *text != '\0'; text = end) {
		end = find_end(text, &quoted);
		rc = add_name(&out, text, (size_t)(end - text));
		if (*end != '\0')
			maui_strbuf_add(&out, end++, 1);
	}
	if (rc == 0 && !out.failed)
		names = maui_strbuf_steal(&out);
	maui_strbuf_finish(&out);
	return names;
}

/* ---- values ---- */

static char *store_text(const char *text)
{
	char *copy = strdup(text);

	if (copy)
		maui_quotes_remove(copy);
	return copy;
}

/* Whether the list has nothing but separators. */
static bool has_no_name(const char *names)
{
	return names[strspn(names, ",|: \t\"")] == '\0';
}

char *maui_quotes_store(const struct maui_param *row, const char *text, size_t *ret_skipped,
			size_t *ret_known)
{
	char *stored;

	*ret_skipped = *ret_known = 0;
	if (!strchr(text, '"')) {
		*ret_known = strlen(text);
		return strdup(text);
	}
	stored = row->type == MAUI_TYPE_LIST ? store_names(text) : store_text(text);
	if (!stored)
		return NULL;
	if (row->type == MAUI_TYPE_LIST && has_no_name(stored))
		*stored = '\0';
	if (*stored != '"')
		*ret_skipped = strspn(text, "\" \t");
	while (stored[*ret_known] != '\0' && stored[*ret_known] == text[*ret_skipped + *ret_known])
		++*ret_known;
	return stored;
}

/* ---- writing ---- */

const char *maui_quotes_index(const char *index, char *buf, size_t size)
{
	int length = snprintf(buf, size, "%s]", index);
	bool whole = length > 0 && (size_t)length < size &&
		     maui_lexer_index(buf, (size_t)length) == (size_t)length - 1;

	snprintf(buf, size, whole && !strpbrk(index, " \t#") ? "%s" : "\"%s\"", index);
	return buf;
}

bool maui_quotes_needed(const struct maui_param *row, const char *value)
{
	/* the value of a parameter goes to the end of the line */
	bool attribute = row->family != 0;

	return row->type != MAUI_TYPE_LIST && row->type != MAUI_TYPE_ATTRS &&
	       value[strcspn(value, attribute ? " \t#" : "#")] != '\0';
}
