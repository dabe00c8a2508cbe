/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comment.c - finds and replaces our keys in an admin_comment */

#include "slurm/compat.h"

#include "slurm/publish/comment.h"

static const struct {
	const char *text;
	const char *ends; /* end of the value */
	bool may_be_empty;
} keys[] = {
	[MAUI_COMMENT_QOS] = { "maui:qos=", ";, ", false },
	[MAUI_COMMENT_ADVRES] = { "maui:advres=", "; ", true },
};

bool maui_comment_find(const char *comment, enum maui_comment_key key, const char **ret_value,
		       size_t *ret_length)
{
	const char *at = comment;

	while (at && (at = strstr(at, keys[key].text))) {
		const char *value = at + strlen(keys[key].text);

		if (at == comment || strchr(";, ", at[-1])) {
			*ret_value = value;
			*ret_length = strcspn(value, keys[key].ends);
			return *ret_length > 0 || keys[key].may_be_empty;
		}
		at = value;
	}
	return false;
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

char *maui_comment_with(const char *comment, enum maui_comment_key key, const char *value)
{
	const char *old;
	size_t length;
	char *out = NULL;

	if (maui_comment_find(comment, key, &old, &length))
		xstrfmtcat(out, "%.*s%s%s", (int)(old - comment), comment, value, old + length);
	else if (comment && *comment)
		xstrfmtcat(out, "%s;%s%s", comment, keys[key].text, value);
	else
		xstrfmtcat(out, "%s%s", keys[key].text, value);
	return out;
}
