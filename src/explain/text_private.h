/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_private.h - for explain.c and explain_rsv.c only */
#ifndef MAUI_EXPLAIN_TEXT_PRIVATE_H
#define MAUI_EXPLAIN_TEXT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/decision.h"

/* "Reservation biz until 17:00: class batch not admitted". `when` it ends, when it has begun, or
 * begins, as text; "": that is not told. Returns buf. */
char *maui_explain_keeper(const struct maui_keeper *keeper, const char *when, bool begun, char *buf,
			  size_t size);

#endif
