/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comment.h - the keys that job_submit/maui leaves in a job's AdminComment
 *
 * "maui:qos=NAME" and "maui:advres=NAME,NAME". slurm-maui separates a key from other text by ';'.
 * A site's own text may follow and precede a key behind ';', ',' or a blank. A name of maui:advres=
 * behind a comma has no '=': "maui:advres=biz,note=x" names biz. Operators may overwrite the whole
 * text, so the state keeps a copy of both values.
 *
 * Rules: CMD-7.
 */
#ifndef MAUI_MODEL_COMMENT_H
#define MAUI_MODEL_COMMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum maui_comment_key {
	MAUI_COMMENT_QOS,
	MAUI_COMMENT_ADVRES, /* present without a value: withdrawn */
	MAUI_COMMENT_KEY_COUNT
};

/* "maui:qos=" */
const char *maui_comment_key_text(enum maui_comment_key key);

/* Finds the value of a key within the comment (NULL is fine); false: the key is missing. */
bool maui_comment_find(const char *comment, enum maui_comment_key key, const char **ret_value,
		       size_t *ret_length);

/* A copy of the value; NULL: the key is missing, or no memory. */
const char *maui_comment_copy(const char *comment, enum maui_comment_key key,
			      struct maui_arena *arena);

/* Removes all keys with their values, and one separator of each; other text stays. Whether there
 * were any. */
bool maui_comment_remove_keys(char *comment);

#endif
