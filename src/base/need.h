/* SPDX-License-Identifier: GPL-2.0-or-later */
/* need.h - memory that a program of its own cannot do without: commands, maui-sim, pictures
 *
 * Out of memory ends the program, with a message. For src/cmd, src/sim, src/chart and src/report
 * alone (testsuite/house/layers): inside slurmctld it is an error.
 */
#ifndef MAUI_BASE_NEED_H
#define MAUI_BASE_NEED_H

#include <stddef.h>

void maui_out_of_memory(void) __attribute__((noreturn));

/* Returns `memory`; NULL ends the program. */
void *maui_need(void *memory) __attribute__((returns_nonnull));
/* Zeroed elements, at least one. The caller frees what these return. */
void *maui_need_list(size_t count, size_t size) __attribute__((returns_nonnull));
/* maui_array_grow() */
void *maui_need_more(void *list, size_t count, size_t *alloc, size_t size)
	__attribute__((returns_nonnull));
char *maui_need_copy(const char *text) __attribute__((returns_nonnull));
char *maui_need_text(const char *fmt, ...) __attribute__((returns_nonnull, format(printf, 1, 2)));

#endif
