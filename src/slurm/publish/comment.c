/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comment.c - replaces our keys in an AdminComment */

#include "slurm/compat.h"

#include "slurm/publish/comment.h"

char *maui_comment_with(const char *comment, enum maui_comment_key key, const char *value)
{
	const char *old;
	size_t length;
	char *out = NULL;

	if (maui_comment_find(comment, key, &old, &length))
		xstrfmtcat(out, "%.*s%s%s", (int)(old - comment), comment, value, old + length);
	else if (comment && *comment)
		xstrfmtcat(out, "%s;%s%s", comment, maui_comment_key_text(key), value);
	else
		xstrfmtcat(out, "%s%s", maui_comment_key_text(key), value);
	return out;
}
