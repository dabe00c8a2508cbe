/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostrange.h - Slurm's node ranges: node[01-16,20], rack[1-4]n[0-9]
 *
 * A range is never expanded in memory: it recognises names, counts them, and writes the n-th one.
 */
#ifndef MAUI_BASE_HOSTRANGE_H
#define MAUI_BASE_HOSTRANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/words.h"

struct maui_hostrange;

/* 1: the text is a range, and the caller owns *ret_range. 0: the text is not a range. -1: no
 * memory. */
int maui_hostrange_parse(const char *text, struct maui_hostrange **ret_range);
/* The error in a text that looks like a range but is not: n[10-1], n[1-10:2]. NULL: the text is
 * a range, or does not look like one (n[10-1]$). */
const char *maui_hostrange_mistake(const char *text);
void maui_hostrange_destroy(struct maui_hostrange *range); /* NULL is fine */

/* The number of names, counting repeated names each time; at most UINT64_MAX. */
uint64_t maui_hostrange_size(const struct maui_hostrange *range);

/* Whether the range has single digits only, so that it can also be meant as sets of characters. */
bool maui_hostrange_is_digits(const struct maui_hostrange *range);
/* The number of its brackets. */
size_t maui_hostrange_sets(const struct maui_hostrange *range);

/* Whether the range has a node of this name. */
bool maui_hostrange_has(const struct maui_hostrange *range, const char *name);

/* Writes names as ranges, in the given order: consecutive names that differ in the number at
 * their end become one range ("n[1-3,7],login"). The caller frees; NULL without memory. */
char *maui_hostrange_fold(const char *const *names, size_t count);

/* What maui_hostrange_name() costs at most: the spans between the brackets, and one. */
size_t maui_hostrange_cost(const struct maui_hostrange *range);
/* Writes the index-th name (from 0, the last number changes fastest) with a NUL. False when
 * `size` bytes are too few. */
bool maui_hostrange_name(const struct maui_hostrange *range, uint64_t index, char *ret_name,
			 size_t size);

/* All names of a list of ranges ("n[01-03,7],login", or with blanks), in the order of the text.
 * -1 with err: the list is malformed, or has more than MAUI_HOSTEXPR_MAX_NAMES names. */
int maui_hostrange_expand(const char *text, struct maui_words *ret_names, struct maui_err *err);

#endif
