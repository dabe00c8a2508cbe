/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comment.h - writes the keys of model/comment.h for slurmctld */
#ifndef MAUI_SLURM_PUBLISH_COMMENT_H
#define MAUI_SLURM_PUBLISH_COMMENT_H

#include "model/comment.h"

/* The comment with the key replaced or added: a new text (xmalloc). */
char *maui_comment_with(const char *comment, enum maui_comment_key key, const char *value);

#endif
