/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - which reservations of Slurm's are ours, by name
 *
 * A zeroed struct is an empty one. Thread safety: none.
 */
#ifndef MAUI_SLURM_MIRROR_LIST_H
#define MAUI_SLURM_MIRROR_LIST_H

#include "slurm/mirror/plan.h"
#include "state/store/store.h"

/* What the log was told of a name that we cannot use. */
struct maui_mirror_note {
	char *name;
	uint32_t id;     /* whose it is; 0: nobody's, Slurm refused ours */
	int code;        /* why */
	int64_t retry_s; /* not tried before */
	bool seen;       /* in this look; others are forgotten */
};

struct maui_mirrors {
	struct maui_mirror_known *list; /* by name */
	size_t count, alloc;
	void (*release)(void *copy);    /* frees a mirror's copy; NULL: there are none */
	struct maui_mirror_note *notes; /* by name */
	size_t note_count, note_alloc;
	size_t left; /* beyond MAUI_MIRROR_MAX, when the log was last told */
	bool looked; /* at Slurm's, since the start */
};

void maui_mirrors_finish(struct maui_mirrors *mirrors);

/* NULL: not ours. Good until one is added or dropped. */
struct maui_mirror_known *maui_mirrors_find(const struct maui_mirrors *mirrors, const char *name);
/* Adds, or replaces the one of that name; a copy, without what `copy` points to. -1 without
 * memory. */
int maui_mirrors_put(struct maui_mirrors *mirrors, const struct maui_mirror_known *mirror);
void maui_mirrors_drop(struct maui_mirrors *mirrors, const char *name);

/* NULL: none. With `id` and `code` it is made, or changed to be so: *ret_new tells. Good until
 * one is made. */
struct maui_mirror_note *maui_mirrors_note_find(const struct maui_mirrors *mirrors,
						const char *name);
struct maui_mirror_note *maui_mirrors_note(struct maui_mirrors *mirrors, const char *name,
					   uint32_t id, int code, bool *ret_new);
/* Forgets those that were not seen, and marks the others as not seen. */
void maui_mirrors_age_notes(struct maui_mirrors *mirrors);

/* To and from the state. -1 without memory. */
int maui_mirrors_to_store(const struct maui_mirrors *mirrors, struct maui_store *store);
int maui_mirrors_from_store(struct maui_mirrors *mirrors, const struct maui_store *store);

#endif
