/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostrange.h - Slurm's node ranges: node[01-16,20], rack[1-4]n[0-9]
 *
 * A range is never written out as a whole: names are recognised in it, it knows how many it stands
 * for and can say each of them.
 */
#ifndef MAUI_BASE_HOSTRANGE_H
#define MAUI_BASE_HOSTRANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/words.h"

struct maui_hostrange;

/* 1: text is a range, *ret_range is the caller's. 0: it is something else. -1: no memory. */
int maui_hostrange_parse(const char *text, struct maui_hostrange **ret_range);
/* What is wrong with a text that is written as a range and is none: n[10-1], n[1-10:2]. NULL: it is
 * one, or is not written so, as n[10-1]$. */
const char *maui_hostrange_mistake(const char *text);
void maui_hostrange_destroy(struct maui_hostrange *range); /* NULL is fine */

/* How many names it stands for, each as often as it is named; saturates at UINT64_MAX. */
uint64_t maui_hostrange_size(const struct maui_hostrange *range);

/* Whether it names single digits only, so that it can also be meant as sets of characters. */
bool maui_hostrange_is_digits(const struct maui_hostrange *range);

/* How many of those are `name`: 0 or 1 unless the range repeats itself. */
uint64_t maui_hostrange_count(const struct maui_hostrange *range, const char *name);

/* Names as ranges, in their order: those that follow each other and differ in the number at their
 * end become one ("n[1-3,7],login"). The caller frees; NULL without memory. */
char *maui_hostrange_fold(const char *const *names, size_t count);

/* Writes the index-th of them (from 0, the last number running fastest), with its end. False when
 * `size` bytes are too few. */
bool maui_hostrange_name(const struct maui_hostrange *range, uint64_t index, char *ret_name,
			 size_t size);

/* All names of a list of ranges ("n[01-03,7],login"), in the order of the text. -1 with err: the
 * list is malformed, or has more than MAUI_HOSTEXPR_MAX_NAMES names. */
int maui_hostrange_expand(const char *text, struct maui_words *ret_names, struct maui_err *err);

#endif
