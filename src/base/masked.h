/* SPDX-License-Identifier: GPL-2.0-or-later */
/* masked.h - a stream that lets no control character through
 *
 * Arguments and names of files come from others: a script, a shared directory. In messages, those
 * of getopt_long() included, they must not move the cursor or forge a line.
 */
#ifndef MAUI_BASE_MASKED_H
#define MAUI_BASE_MASKED_H

#include <stdio.h>

/* From now on everything but text, newlines and tabs is '?' in this stream, which writes to fd. */
void maui_mask_stream(FILE **stream, int fd);

#endif
