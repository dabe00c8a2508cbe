/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.h - the lines of a text as a list */
#ifndef MAUI_ANSWERS_LINES_H
#define MAUI_ANSWERS_LINES_H

#include "answers/question.h"

/* Copies of them; NULL: none. -1 without memory, with the error. */
int maui_lines_list(const struct maui_question *q, const char *text, const char *const **ret,
		    size_t *ret_count);

#endif
