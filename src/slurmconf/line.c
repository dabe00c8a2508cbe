/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line.c - the KEY=value pairs of one line */

#include "slurmconf/line.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

/* Where a key and its value are in a text. */
struct found {
	const char *key, *value;
	size_t key_length, value_length;
	const char *next; /* behind the pair */
};

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

static size_t word_length(const char *at)
{
	size_t length = 0;

	while (at[length] != '\0' && !isspace((unsigned char)at[length]))
		length++;
	return length;
}

static bool ends_word(char c)
{
	return c == '\0' || isspace((unsigned char)c);
}

/* Quotes count when a blank or the end follows; otherwise they belong to a value without blanks. */
static bool find_value(const char *at, struct found *ret)
{
	size_t quoted = *at == '"' ? strcspn(at + 1, "\"") : 0;

	if (*at == '"' && at[1 + quoted] == '"' && ends_word(at[quoted + 2])) {
		ret->value = at + 1;
		ret->value_length = quoted;
		ret->next = at + quoted + 2;
		return true;
	}
	ret->value = at;
	ret->value_length = word_length(at);
	ret->next = at + ret->value_length;
	return ret->value_length > 0;
}

static bool find_pair(const char *text, struct found *ret)
{
	const char *at;

	ret->key = skip_blanks(text);
	ret->key_length = 0;
	while (isalnum((unsigned char)ret->key[ret->key_length]) ||
	       (ret->key[ret->key_length] != '\0' && strchr("_.", ret->key[ret->key_length])))
		ret->key_length++;
	at = skip_blanks(ret->key + ret->key_length);
	at += *at != '\0' && strchr("-+*/", *at) && at[1] == '=';
	return ret->key_length > 0 && *at == '=' && find_value(skip_blanks(at + 1), ret);
}

static int add_pair(struct maui_conf_line *line, const struct found *found)
{
	struct maui_conf_pair *grown =
		maui_array_grow(line->pairs, line->count, &line->alloc, sizeof(*grown));
	struct maui_conf_pair *pair = grown ? &grown[line->count] : NULL;

	if (!pair)
		return -1;
	line->pairs = grown;
	pair->key = strndup(found->key, found->key_length);
	pair->value = strndup(found->value, found->value_length);
	line->count++;
	return pair->key && pair->value ? 0 : -1;
}

int maui_conf_line_split(struct maui_conf_line *ret, const char *text)
{
	struct found found;
	size_t length;

	while (find_pair(text, &found)) {
		if (add_pair(ret, &found))
			return -1;
		text = found.next;
	}
	text = skip_blanks(text);
	length = strlen(text);
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	if (length == 0)
		return 0;
	ret->rest = strndup(text, length);
	return ret->rest ? 0 : -1;
}

int maui_conf_line_add(struct maui_conf_line *to, const struct maui_conf_line *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct maui_conf_pair *pair = &from->pairs[i];
		const struct found found = { .key = pair->key,
					     .key_length = strlen(pair->key),
					     .value = pair->value,
					     .value_length = strlen(pair->value) };

		if (add_pair(to, &found))
			return -1;
	}
	return 0;
}

const char *maui_conf_value(const struct maui_conf_line *line, const char *key)
{
	for (size_t i = line->count; i-- > 0;)
		if (strcasecmp(line->pairs[i].key, key) == 0)
			return line->pairs[i].value;
	return NULL;
}

char *maui_conf_get(const struct maui_conf_line *line, const char *key)
{
	const char *value = maui_conf_value(line, key);

	return value ? strdup(value) : NULL;
}

void maui_conf_line_finish(struct maui_conf_line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		free(line->pairs[i].key);
		free(line->pairs[i].value);
	}
	free(line->pairs);
	free(line->rest);
	*line = (struct maui_conf_line){ 0 };
}
