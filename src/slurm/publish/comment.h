/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comment.h - what job_submit/maui leaves of a request in the job's admin_comment
 *
 * "maui:qos=NAME" and "maui:advres=NAME,NAME": keys among others that may be there, between ';'.
 * Operators may overwrite the whole text; the state has a copy of both.
 */
#ifndef MAUI_SLURM_PUBLISH_COMMENT_H
#define MAUI_SLURM_PUBLISH_COMMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum maui_comment_key {
	MAUI_COMMENT_QOS,
	MAUI_COMMENT_ADVRES, /* present without a value: taken back */
};

/* Its value, within the comment (NULL is fine); false: not there. */
bool maui_comment_find(const char *comment, enum maui_comment_key key, const char **ret_value,
		       size_t *ret_length);

/* A copy of the value; NULL: not there, or no memory. */
const char *maui_comment_copy(const char *comment, enum maui_comment_key key,
			      struct maui_arena *arena);

/* The comment with the key replaced or added: a new text (xmalloc). */
char *maui_comment_with(const char *comment, enum maui_comment_key key, const char *value);

#endif
