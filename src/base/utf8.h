/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.h - makes foreign text fit for JSON, which is UTF-8
 *
 * To Slurm the names of accounts, features and files are bytes. A text that was cut may end within
 * a character.
 */
#ifndef MAUI_BASE_UTF8_H
#define MAUI_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the character at `text`, within `length` (> 0) bytes, and the character; 0: not
 * UTF-8 by RFC 3629. */
size_t maui_utf8_decode(const char *text, size_t length, uint32_t *ret_character);

/* Whether the character must not reach a terminal or a page: control characters, those that end a
 * line or change the direction of writing, and those that nobody sees. Names may hold them. */
bool maui_utf8_is_hidden(uint32_t character);

/* Whether the text has such a character. */
bool maui_utf8_has_hidden(const char *text);

/* What shows a text: characters, or byte by byte: a terminal of 8 bits takes 0x9b for "ESC [", also
 * as part of U+00DB. */
enum maui_display { MAUI_DISPLAY_CHARACTERS, MAUI_DISPLAY_BYTES };

/* Whether a character, as maui_utf8_decode() found it, must not go there as it is. */
bool maui_utf8_must_hide(const char *text, size_t bytes, uint32_t character,
			 enum maui_display display);

/* Replaces each byte of a character that must be hidden there, and each that is not part of a
 * character, by '?'; the length stays. */
void maui_utf8_mask(char *text, size_t length, enum maui_display display);

/* Copies as many whole characters as fit; `size` > 0. */
void maui_utf8_copy(char *to, size_t size, const char *from);

/* A copy with U+FFFD for each byte that is not part of a character, terminated by NUL; the
 * caller frees. *ret_length: bytes without the NUL; may be NULL. NULL without memory. */
char *maui_utf8_clean(const char *text, size_t length, size_t *ret_length);

#endif
