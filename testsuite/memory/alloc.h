/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alloc.h - the C library's malloc() and mmap() with a count of their calls, one of which fails
 *
 * In place of those of the C library, so calls of json-c and of the C library itself count as well.
 * Another arena.c (arena.c here) takes each piece of an arena by a call of its own.
 *
 * Thread safety: none; what another thread allocates between begin and end counts.
 */
#ifndef MAUI_TESTSUITE_ALLOC_H
#define MAUI_TESTSUITE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* What fails behind the call that fails first. */
enum alloc_behind {
	ALLOC_NOTHING,
	ALLOC_ALL,
	ALLOC_BLOCKS, /* all but pieces of arenas: these have room in the blocks they have */
	ALLOC_BEHIND_COUNT,
};

/* From here on calls are counted from 1, and number `fails` finds no memory; 0: none fails. */
void alloc_begin(size_t fails, enum alloc_behind behind);
/* The calls from here on are of pieces of an arena, or no longer. */
void alloc_of_arena(bool is);
/* No call fails any more. Returns how many there were. */
size_t alloc_end(void);
/* Whether a call has failed since alloc_begin(). */
bool alloc_has_failed(void);

/* Blocks and mappings that have not been freed, of the whole process. */
long alloc_live(void);

/* Prints who made the call that failed first. */
void alloc_print_failed(void);

#endif
