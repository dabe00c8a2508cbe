/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - texts that may be missing */
#ifndef MAUI_BASE_TEXT_H
#define MAUI_BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

/* Whether both are missing (NULL), or both have the same bytes. */
static inline bool maui_same_text(const char *one, const char *two)
{
	return one && two ? strcmp(one, two) == 0 : one == two;
}

#endif
