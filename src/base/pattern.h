/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern.h - extended POSIX regular expressions, searched without regard to case
 *
 * PCRE2 compiles and searches. Where POSIX and PCRE2 differ, the text is translated; what only
 * PCRE2 knows is refused. The cost of a pattern and of each search is bounded. The C library's cost
 * cannot be bounded: a few "(^|$|a)*" keep glibc's regcomp() busy for minutes, and thirty '+' or a
 * row of '^' take a gigabyte.
 *
 * Accepted: . [] [^] [a-z] [:class:] () | * + ? {n} {n,} {n,m} {,m} ^ $ and \ before punctuation.
 * Refused with a reason: back-references and other \letter, [.x.] and [=x=], a repetition of
 * nothing or of a repetition. Bytes are compared, ASCII letters without regard to case, in any
 * locale.
 */
#ifndef MAUI_BASE_PATTERN_H
#define MAUI_BASE_PATTERN_H

#include <stddef.h>

#include "base/err.h"

struct maui_pattern;

/* -1 with the error and its place (bytes from 1), or the exceeded cap of limits.h. The caller
 * owns the result. */
int maui_pattern_create(const char *text, struct maui_pattern **ret_pattern, struct maui_err *err);
void maui_pattern_destroy(struct maui_pattern *pattern); /* NULL is fine */

/* 1: the pattern matches a part of `name`. 0: no part. -1 with the reason: the search was given
 * up after MAUI_PATTERN_MAX_VISITS, or no memory. `*visits`, if not NULL, grows by the cost in
 * units of about 20 ns; the same pattern and name always cost the same. */
int maui_pattern_match(const struct maui_pattern *pattern, const char *name, size_t *visits,
		       struct maui_err *err);

/* The steps of the expanded pattern: at most MAUI_PATTERN_MAX_STEPS. */
size_t maui_pattern_steps(const struct maui_pattern *pattern);

#endif
