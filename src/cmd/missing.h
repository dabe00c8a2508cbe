/* SPDX-License-Identifier: GPL-2.0-or-later */
/* missing.h - what a reservation has not got */
#ifndef MAUI_CMD_MISSING_H
#define MAUI_CMD_MISSING_H

#include <stddef.h>

#include "verbs/rsv.h"

enum { MAUI_MISSING_SIZE = 64 };

/* "1 of 3 tasks missing: job 17 holds n2; ...", what a reservation has not got and why; NULL: it is
 * whole. Borrowed of the reservation, or in buf. */
const char *maui_missing(const struct maui_rsv_row *rsv, char *buf, size_t size);

#endif
