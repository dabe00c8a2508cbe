/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warning.h - what a change is warned of, in one line: "first; second" */
#ifndef MAUI_ADMIN_WARNING_H
#define MAUI_ADMIN_WARNING_H

/* Appends to *warning (NULL: none so far; the caller frees it). Without memory *warning stays as it
 * is: the change is made all the same. */
__attribute__((format(printf, 2, 3))) void maui_admin_warn(char **warning, const char *format, ...);

#endif
