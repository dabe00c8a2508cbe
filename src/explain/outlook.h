/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outlook.h - when a waiting job could start, in sentences
 *
 * In: an explanation. Its start time is the estimate of the cycle (estimate_s of the verdict), or
 * else the first room on the finished plan's timeline (find_start() of explain.c).
 *
 * Rules: CMD-42.
 */
#ifndef MAUI_EXPLAIN_OUTLOOK_H
#define MAUI_EXPLAIN_OUTLOOK_H

#include <stddef.h>

#include "base/strbuf.h"
#include "explain/explain.h"

/* The longest time limit with which the job would start now, as a sentence; "": there is none.
 * Returns buf, of MAUI_ADVICE_SIZE bytes. */
char *maui_explain_longest_limit(const struct maui_explanation *e, char *buf, size_t size);

/* Writes when the next task of an array may start, the longest time limit with which the job would
 * start now, the expected or the earliest start, and what its deadline means for that, one a line,
 * as far as the explanation has them. -1 without memory. */
int maui_explain_outlook(const struct maui_explanation *e, struct maui_strbuf *ret);

#endif
