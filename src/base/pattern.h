/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern.h - an extended POSIX regular expression, searched without regard to case
 *
 * Time and memory are bounded by the pattern's length: names are matched by following all
 * alternatives at once. The C library's regcomp() is not used because its cost is not bounded by
 * any simple rule: "(^|$|a)*" a few times over keeps glibc busy for minutes, thirty '+' or a row
 * of '^' take a gigabyte.
 *
 * Accepted: . [] [^] [a-z] [:class:] () | * + ? {n} {n,} {n,m} ^ $ and \ before punctuation.
 * Refused with a reason: back-references and other \letter, [.x.] and [=x=], a repetition of
 * nothing. Bytes are compared, letters of ASCII without regard to case, in any locale.
 */
#ifndef MAUI_BASE_PATTERN_H
#define MAUI_BASE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct maui_pattern;

/* -1 with what is wrong and where (bytes from 1), or which cap of limits.h is exceeded.
 * The caller owns the result. */
int maui_pattern_create(const char *text, struct maui_pattern **ret_pattern, struct maui_err *err);
void maui_pattern_destroy(struct maui_pattern *pattern); /* NULL is fine */

/* Whether some part of `name` is what the pattern says. */
bool maui_pattern_match(const struct maui_pattern *pattern, const char *name);

/* Steps of the compiled pattern: what it costs, at most MAUI_PATTERN_MAX_STEPS. */
size_t maui_pattern_steps(const struct maui_pattern *pattern);

#endif
