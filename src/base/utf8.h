/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.h - texts of others made fit for JSON, which is UTF-8
 *
 * Names of accounts, features and files are bytes to Slurm, and a text that was cut to fit may end
 * within a character.
 */
#ifndef MAUI_BASE_UTF8_H
#define MAUI_BASE_UTF8_H

#include <stddef.h>

/* How many bytes the character at `text` has, within `length` (> 0); 0: it is none of RFC 3629. */
size_t maui_utf8_length(const char *text, size_t length);

/* A copy with U+FFFD for each byte that is part of no character, and a NUL behind it; the caller
 * frees. JSON stays JSON. *ret_length: bytes without the NUL; may be NULL. NULL without memory. */
char *maui_utf8_clean(const char *text, size_t length, size_t *ret_length);

#endif
