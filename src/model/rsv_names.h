/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_names.h - which reservations a name may mean, without asking all of them
 *
 * A zeroed struct has no names. Thread safety: none, once made it is only read.
 */
#ifndef MAUI_MODEL_RSV_NAMES_H
#define MAUI_MODEL_RSV_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct maui_rsv_names {
	struct maui_rsv_name {
		const char *name; /* borrowed */
		size_t place;
	} * list; /* sorted by name */
	size_t count;
};

/* Forms of a name: without "maui." in front, without a number behind. */
enum { MAUI_RSV_FORMS = 4 };

/* Of names of which each is there once; a place is one in this list. -1 without memory. */
int maui_rsv_names_make(struct maui_rsv_names *ret, const char *const *names, size_t count);
void maui_rsv_names_finish(struct maui_rsv_names *names);

/* The place of a name as it stands; -1: it is not there. */
int64_t maui_rsv_names_place(const struct maui_rsv_names *names, const char *text);

/* The places, ascending, of all of whom maui_rsv_suffix() says that `text` means them, or one of
 * their instances; returns how many. */
size_t maui_rsv_names_meant(const struct maui_rsv_names *names, const char *text,
			    size_t ret[MAUI_RSV_FORMS]);

/* How many are `text` with a number behind it, 2 of all that are more than one; the place of one of
 * them. */
unsigned maui_rsv_names_numbered(const struct maui_rsv_names *names, const char *text,
				 size_t *ret_place);

#endif
