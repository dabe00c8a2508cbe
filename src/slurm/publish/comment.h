/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comment.h - the keys that job_submit/maui leaves in a job's admin_comment
 *
 * "maui:qos=NAME" and "maui:advres=NAME,NAME", separated from other text by ';'. Operators may
 * overwrite the whole text, so the state keeps a copy of both.
 */
#ifndef MAUI_SLURM_PUBLISH_COMMENT_H
#define MAUI_SLURM_PUBLISH_COMMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum maui_comment_key {
	MAUI_COMMENT_QOS,
	MAUI_COMMENT_ADVRES, /* present without a value: withdrawn */
};

/* Finds the value of a key within the comment (NULL is fine); false: the key is missing. */
bool maui_comment_find(const char *comment, enum maui_comment_key key, const char **ret_value,
		       size_t *ret_length);

/* A copy of the value; NULL: the key is missing, or no memory. */
const char *maui_comment_copy(const char *comment, enum maui_comment_key key,
			      struct maui_arena *arena);

/* The comment with the key replaced or added: a new text (xmalloc). */
char *maui_comment_with(const char *comment, enum maui_comment_key key, const char *value);

#endif
