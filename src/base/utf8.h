/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.h - makes foreign text fit for JSON, which is UTF-8
 *
 * To Slurm the names of accounts, features and files are bytes. A text that was cut may end within
 * a character.
 */
#ifndef MAUI_BASE_UTF8_H
#define MAUI_BASE_UTF8_H

#include <stddef.h>

/* The length of the character at `text`, within `length` (> 0) bytes; 0: not UTF-8 by RFC 3629. */
size_t maui_utf8_length(const char *text, size_t length);

/* A copy with U+FFFD for each byte that is not part of a character, terminated by NUL; the
 * caller frees. *ret_length: bytes without the NUL; may be NULL. NULL without memory. */
char *maui_utf8_clean(const char *text, size_t length, size_t *ret_length);

#endif
