/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_names.h - which reservations a name may mean, found in a sorted list (RSV-16)
 *
 * A job may name hundreds of reservations, and slurmctld waits for the answer. A zeroed struct has
 * no names. After it is made it is only read.
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

/* A name may be that of a reservation, "biz", of an instance, "biz.1", or of a mirror,
 * "maui.biz.20261122". */
enum { MAUI_RSV_FORMS = 3 };

/* Makes the list of these names, which must all differ. The place of a name is its index in
 * `names`. -1 without memory. */
int maui_rsv_names_make(struct maui_rsv_names *ret, const char *const *names, size_t count);
void maui_rsv_names_finish(struct maui_rsv_names *names);

/* The place of a name; -1: it is not in the list. */
int64_t maui_rsv_names_place(const struct maui_rsv_names *names, const char *text);

/* The places, ascending, of all reservations that `text` may name, or of which it may name an
 * instance or a mirror: maui_rsv_suffix() decides with their periods. Returns how many. */
size_t maui_rsv_names_meant(const struct maui_rsv_names *names, const char *text,
			    size_t ret[MAUI_RSV_FORMS]);

#endif
