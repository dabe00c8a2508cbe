/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_hint.h - which reservations a name means without its number
 *
 * Rules: CMD-2.
 */
#ifndef MAUI_ANSWERS_RSV_HINT_H
#define MAUI_ANSWERS_RSV_HINT_H

#include <stddef.h>
#include <sys/types.h>

struct maui_document;

enum { MAUI_RSV_HINT_SIZE = 512 };

/* ": there are course.1, course.2" of `course`: administrative reservations that the user may see,
 * five of them at most; "" if there is none. p NULL: none. Returns buf. */
char *maui_rsv_hint(const struct maui_document *p, const char *name, uid_t uid, char *buf,
		    size_t size);

#endif
