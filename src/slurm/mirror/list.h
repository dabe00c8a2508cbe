/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - the Slurm reservations that mirror our instances, by name
 *
 * A zeroed struct is an empty list. Thread safety: none.
 */
#ifndef MAUI_SLURM_MIRROR_LIST_H
#define MAUI_SLURM_MIRROR_LIST_H

#include "slurm/mirror/plan.h"
#include "state/store/store.h"

/* A name that slurm-maui cannot use, and what the log says about it. */
struct maui_mirror_note {
	char *name;
	uint32_t id;     /* number of the foreign reservation; 0: Slurm refused ours */
	int code;        /* why */
	int64_t retry_s; /* not tried again before then */
	bool seen;       /* seen in this pass; other notes are forgotten */
};

struct maui_mirrors {
	struct maui_mirror_known *list; /* by name */
	size_t count, alloc;
	void (*release)(void *copy);    /* frees `copy` of a mirror; NULL: no mirror has one */
	struct maui_mirror_note *notes; /* by name */
	size_t note_count, note_alloc;
	size_t left; /* instances without a mirror, as the log last said */
	bool looked; /* Slurm's reservations were read since the start */
};

void maui_mirrors_finish(struct maui_mirrors *mirrors);

/* NULL: not ours. The pointer is good until a mirror is added or dropped. */
struct maui_mirror_known *maui_mirrors_find(const struct maui_mirrors *mirrors, const char *name);
/* Whether Slurm's reservation of this name and number is one of these mirrors; NULL: no. */
bool maui_mirrors_have(const struct maui_mirrors *mirrors, const char *name, uint32_t id);
/* Adds a mirror, or replaces the one of this name. Copies it without `copy`. -1 without memory. */
int maui_mirrors_put(struct maui_mirrors *mirrors, const struct maui_mirror_known *mirror);
void maui_mirrors_drop(struct maui_mirrors *mirrors, const char *name);

/* Finds the note of a name; NULL: none. maui_mirrors_note() makes or changes the note; *ret_new:
 * id or code are new. The pointer is good until another note is made. */
struct maui_mirror_note *maui_mirrors_note_find(const struct maui_mirrors *mirrors,
						const char *name);
struct maui_mirror_note *maui_mirrors_note(struct maui_mirrors *mirrors, const char *name,
					   uint32_t id, int code, bool *ret_new);
/* Forgets notes that were not seen in this pass, and marks the others as not seen. */
void maui_mirrors_age_notes(struct maui_mirrors *mirrors);

/* To and from the state file. -1 without memory. The store borrows the names. */
int maui_mirrors_to_store(const struct maui_mirrors *mirrors, struct maui_store *store);
int maui_mirrors_from_store(struct maui_mirrors *mirrors, const struct maui_store *store);

#endif
