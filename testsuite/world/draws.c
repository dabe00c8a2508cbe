/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draws.c - what chance decides in a world: from its seed, or from a file, which a fuzzer changes
 *
 * A file of draws has each of them as the smallest of 1, 2, 4 or 8 bytes that holds all of its
 * values, so that any bytes are a world. What the file does not say, the seed does.
 */

#include "world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 8 };

static uint64_t state;
static FILE *file, *record;

void world_draws_begin(uint64_t seed, const char *from, const char *to)
{
	state = seed;
	file = from ? fopen(from, "r") : NULL;
	record = to ? fopen(to, "w") : NULL;
	if ((from && !file) || (to && !record)) {
		fprintf(stderr, "world: %s: %s\n", from && !file ? from : to, strerror(errno));
		exit(EXIT_FAILURE);
	}
}

void world_draws_end(void)
{
	if (file)
		fclose(file);
	if (record)
		fclose(record);
	file = record = NULL;
}

/* splitmix64 */
static uint64_t from_seed(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static size_t bytes_for(uint64_t below)
{
	size_t bytes = 1;

	while (bytes < MOST_BYTES && (below - 1) >> (8 * bytes) > 0)
		bytes *= 2;
	return bytes;
}

static uint64_t next(size_t bytes)
{
	unsigned char byte[MOST_BYTES];
	uint64_t value = 0;

	if (!file || fread(byte, bytes, 1, file) != 1)
		return from_seed();
	for (size_t i = 0; i < bytes; i++)
		value |= (uint64_t)byte[i] << (8 * i);
	return value;
}

uint64_t world_random(uint64_t below)
{
	size_t bytes = bytes_for(below);
	uint64_t value;

	if (below == 0)
		return 0;
	value = next(bytes) % below;
	for (size_t i = 0; record && i < bytes; i++)
		putc((int)(value >> (8 * i) & 0xff), record);
	return value;
}

bool world_chance(unsigned percent)
{
	return world_random(100) < percent;
}
