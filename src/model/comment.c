/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comment.c - finds and removes our keys in an AdminComment
 *
 * Rules: CMD-7.
 */
#include "model/comment.h"

#include <string.h>

static const struct {
	const char *text;
	bool is_list; /* of names, separated by commas */
	bool may_be_empty;
} keys[MAUI_COMMENT_KEY_COUNT] = {
	[MAUI_COMMENT_QOS] = { "maui:qos=", false, false },
	[MAUI_COMMENT_ADVRES] = { "maui:advres=", true, true },
};

static const char separators[] = ";, ";

const char *maui_comment_key_text(enum maui_comment_key key)
{
	return keys[key].text;
}

/* A part with '=' is no name of a list: it is a site's own text. */
static size_t value_length(const char *value, bool is_list)
{
	size_t length = strcspn(value, separators);

	while (is_list && value[length] == ',') {
		size_t next = strcspn(value + length + 1, separators);

		if (memchr(value + length + 1, '=', next))
			break;
		length += 1 + next;
	}
	return length;
}

/* Where the key begins; NULL: it is missing. */
static const char *find_key(const char *comment, enum maui_comment_key key)
{
	const char *at = comment;

	while (at && (at = strstr(at, keys[key].text))) {
		if (at == comment || strchr(separators, at[-1]))
			return at;
		at += strlen(keys[key].text);
	}
	return NULL;
}

bool maui_comment_find(const char *comment, enum maui_comment_key key, const char **ret_value,
		       size_t *ret_length)
{
	const char *at = find_key(comment, key);

	if (!at)
		return false;
	*ret_value = at + strlen(keys[key].text);
	*ret_length = value_length(*ret_value, keys[key].is_list);
	return *ret_length > 0 || keys[key].may_be_empty;
}

const char *maui_comment_copy(const char *comment, enum maui_comment_key key,
			      struct maui_arena *arena)
{
	const char *value;
	size_t length;
	char *copy;

	if (!maui_comment_find(comment, key, &value, &length))
		return NULL;
	copy = maui_arena_alloc(arena, length + 1);
	if (copy)
		memcpy(copy, value, length);
	return copy;
}

bool maui_comment_remove_keys(char *comment)
{
	bool any = false;
	const char *found;

	for (int key = 0; key < MAUI_COMMENT_KEY_COUNT; key++)
		while ((found = find_key(comment, (enum maui_comment_key)key))) {
			char *begin = comment + (found - comment);
			char *end = begin + strlen(keys[key].text);

			end += value_length(end, keys[key].is_list);
			if (begin > comment)
				begin--; /* the separator before it */
			else if (*end)
				end++;
			memmove(begin, end, strlen(end) + 1);
			any = true;
		}
	return any;
}
