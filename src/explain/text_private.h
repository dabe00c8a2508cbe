/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_private.h - for text.c and text_reservation.c only */
#ifndef MAUI_EXPLAIN_TEXT_PRIVATE_H
#define MAUI_EXPLAIN_TEXT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "explain/blocking_reservation.h"

/* "Reservation biz until 17:00: class batch not admitted". `when`: the moment as text at which a
 * reservation that has begun ends, or at which it begins; "": the text has no moment. Returns
 * buf. */
char *maui_blocking_text(const struct maui_blocking_reservation *blocking, const char *when,
			 bool begun, char *buf, size_t size);

#endif
