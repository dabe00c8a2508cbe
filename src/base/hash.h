/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash.h - hashes of short texts, and of several numbers */
#ifndef MAUI_BASE_HASH_H
#define MAUI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* FNV-1a with a final mix, so that the low bits serve as an index into a power of two. */
static inline uint64_t maui_hash_text(const char *text, uint64_t seed)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (seed * UINT64_C(0x9e3779b97f4a7c15));

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	hash ^= hash >> 32;
	return hash * UINT64_C(0x9e3779b97f4a7c15) >> 16;
}

/* FNV-1a of any bytes. */
static inline uint64_t maui_hash_bytes(const char *bytes, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Adds a number to a hash of several; their order matters. */
static inline uint64_t maui_hash_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* Adds a text; NULL is another one than "". */
static inline uint64_t maui_hash_mix_text(uint64_t hash, const char *text)
{
	return maui_hash_mix(hash, text ? maui_hash_text(text, 0) : 1);
}

/* Adds all bytes of a struct. Two structs that differ in no more than eight aligned bytes have
 * different hashes for certain: each step of the mix can be undone. */
static inline uint64_t maui_hash_struct(uint64_t hash, const void *bytes, size_t size)
{
	const char *at = bytes;
	uint64_t word;

	for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = maui_hash_mix(hash, word);
	}
	word = 0;
	memcpy(&word, at, size);
	return maui_hash_mix(hash, word);
}

#endif
