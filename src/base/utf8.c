/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.c - makes foreign text fit for JSON, which is UTF-8 */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* First bytes of a character, and the range of its second byte. The range excludes long forms,
 * surrogates and characters beyond U+10FFFF (RFC 3629, 4). */
static const struct lead {
	unsigned char first, last; /* byte */
	unsigned char low, high;   /* second byte */
	unsigned char length;
} leads[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static bool follows(const struct lead *lead, const unsigned char *at, size_t length)
{
	if (length < lead->length || at[1] < lead->low || at[1] > lead->high)
		return false;
	for (size_t i = 2; i < lead->length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return false;
	return true;
}

static size_t character_length(const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *)text;

	if (*at < 0x80)
		return 1;
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++)
		if (*at >= leads[i].first && *at <= leads[i].last)
			return follows(&leads[i], at, length) ? leads[i].length : 0;
	return 0;
}

size_t maui_utf8_decode(const char *text, size_t length, uint32_t *ret_character)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t bytes = character_length(text, length);

	*ret_character = bytes > 1 ? *at & (0xffu >> (bytes + 1)) : *at;
	for (size_t i = 1; i < bytes; i++)
		*ret_character = *ret_character << 6 | (at[i] & 0x3f);
	return bytes;
}

bool maui_utf8_is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);
}

bool maui_utf8_has_hidden(const char *text)
{
	size_t left = strlen(text), bytes;
	uint32_t c;

	for (; left > 0; text += bytes, left -= bytes) {
		bytes = maui_utf8_decode(text, left, &c);
		if (bytes > 0 && maui_utf8_is_hidden(c))
			return true;
		bytes = bytes > 0 ? bytes : 1;
	}
	return false;
}

void maui_utf8_copy(char *to, size_t size, const char *from)
{
	size_t length = strlen(from), used = 0;

	while (used < length) {
		size_t bytes = character_length(from + used, length - used);

		if (bytes == 0)
			bytes = 1; /* not UTF-8: kept byte by byte */
		if (used + bytes >= size)
			break;
		used += bytes;
	}
	memcpy(to, from, used);
	to[used] = '\0';
}

bool maui_utf8_must_hide(const char *text, size_t bytes, uint32_t character,
			 enum maui_display display)
{
	if (maui_utf8_is_hidden(character))
		return true;
	for (size_t i = 0; display == MAUI_DISPLAY_BYTES && i < bytes; i++)
		if (((unsigned char)text[i] & 0xe0) == 0x80)
			return true;
	return false;
}

void maui_utf8_mask(char *text, size_t length, enum maui_display display)
{
	for (size_t i = 0, n; i < length; i += n) {
		uint32_t c;

		n = maui_utf8_decode(text + i, length - i, &c);
		if (n > 0 && !maui_utf8_must_hide(text + i, n, c, display))
			continue;
		n = n ? n : 1;
		memset(text + i, '?', n);
	}
}

static size_t count_bad(const char *text, size_t length)
{
	size_t bad = 0;

	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		n = character_length(text + i, length - i);
		bad += n == 0;
	}
	return bad;
}

char *maui_utf8_clean(const char *text, size_t length, size_t *ret_length)
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t size = length + count_bad(text, length) * (sizeof(replacement) - 2), n;
	char *clean = malloc(size + 1), *to = clean;

	if (!clean)
		return NULL;
	for (size_t i = 0; i < length; i += n) {
		n = character_length(text + i, length - i);
		if (n > 0) {
			to = mempcpy(to, text + i, n);
		} else {
			to = mempcpy(to, replacement, sizeof(replacement) - 1);
			n = 1;
		}
	}
	*to = '\0';
	if (ret_length)
		*ret_length = size;
	return clean;
}
