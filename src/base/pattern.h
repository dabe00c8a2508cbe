/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern.h - an extended POSIX regular expression, searched without regard to case
 *
 * PCRE2 compiles and searches; what POSIX means otherwise than PCRE2 is written out for it, what
 * only PCRE2 knows is refused. The cost of a pattern and of each search is bounded, which the C
 * library's cannot be: "(^|$|a)*" a few times over keeps glibc's regcomp() busy for minutes, thirty
 * '+' or a row of '^' take a gigabyte.
 *
 * Accepted: . [] [^] [a-z] [:class:] () | * + ? {n} {n,} {n,m} {,m} ^ $ and \ before punctuation.
 * Refused with a reason: back-references and other \letter, [.x.] and [=x=], a repetition of
 * nothing or right behind another. Bytes are compared, letters of ASCII without regard to case,
 * in any locale.
 */
#ifndef MAUI_BASE_PATTERN_H
#define MAUI_BASE_PATTERN_H

#include <stddef.h>

#include "base/err.h"

struct maui_pattern;

/* -1 with what is wrong and where (bytes from 1), or which cap of limits.h is exceeded.
 * The caller owns the result. */
int maui_pattern_create(const char *text, struct maui_pattern **ret_pattern, struct maui_err *err);
void maui_pattern_destroy(struct maui_pattern *pattern); /* NULL is fine */

/* 1: some part of `name` is what the pattern says. 0: none is. -1: it cannot be told, with the
 * reason: too costly, by MAUI_PATTERN_MAX_VISITS, or no memory. `*visits`, if not NULL, grows by
 * what it cost, in units of about 20 ns; the same pattern and name always cost the same. */
int maui_pattern_match(const struct maui_pattern *pattern, const char *name, size_t *visits,
		       struct maui_err *err);

/* Steps of the pattern with its repetitions written out: at most MAUI_PATTERN_MAX_STEPS. */
size_t maui_pattern_steps(const struct maui_pattern *pattern);

#endif
