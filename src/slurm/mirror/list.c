/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - the mirrors that slurm-maui has made, sorted by name, and what the log says of others */

#include "slurm/mirror/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"

static void release_copy(const struct maui_mirrors *mirrors, struct maui_mirror_known *mirror)
{
	if (mirror->copy)
		mirrors->release(mirror->copy);
	mirror->copy = NULL;
}

void maui_mirrors_finish(struct maui_mirrors *mirrors)
{
	for (size_t i = 0; i < mirrors->count; i++) {
		release_copy(mirrors, &mirrors->list[i]);
		free(mirrors->list[i].name);
	}
	for (size_t i = 0; i < mirrors->note_count; i++)
		free(mirrors->notes[i].name);
	free(mirrors->list);
	free(mirrors->notes);
	*mirrors = (struct maui_mirrors){ 0 };
}

static bool mirror_is_before(const void *mirror, const void *name)
{
	return strcmp(((const struct maui_mirror_known *)mirror)->name, name) < 0;
}

/* The place of the mirror with this name, or the place where it belongs. */
static size_t find_place(const struct maui_mirrors *mirrors, const char *name, bool *ret_found)
{
	size_t at = maui_lower_bound(mirrors->list, mirrors->count, sizeof(*mirrors->list),
				     mirror_is_before, name);

	*ret_found = at < mirrors->count && strcmp(mirrors->list[at].name, name) == 0;
	return at;
}

struct maui_mirror_known *maui_mirrors_find(const struct maui_mirrors *mirrors, const char *name)
{
	bool found;
	size_t place;

	if (!mirrors || !name)
		return NULL;
	place = find_place(mirrors, name, &found);
	return found ? &mirrors->list[place] : NULL;
}

bool maui_mirrors_have(const struct maui_mirrors *mirrors, const char *name, uint32_t id)
{
	const struct maui_mirror_known *mirror = maui_mirrors_find(mirrors, name);

	return mirror && mirror->id == id;
}

int maui_mirrors_put(struct maui_mirrors *mirrors, const struct maui_mirror_known *mirror)
{
	struct maui_mirror_known *grown, copy = *mirror;
	bool found;
	size_t place = find_place(mirrors, mirror->name, &found);

	copy.copy = NULL;
	if (found) {
		release_copy(mirrors, &mirrors->list[place]);
		copy.name = mirrors->list[place].name;
		mirrors->list[place] = copy;
		return 0;
	}
	grown = maui_array_grow(mirrors->list, mirrors->count, &mirrors->alloc, sizeof(*grown));
	copy.name = strdup(mirror->name);
	if (grown)
		mirrors->list = grown;
	if (!grown || !copy.name) {
		free(copy.name);
		return -1;
	}
	memmove(&grown[place + 1], &grown[place], (mirrors->count - place) * sizeof(*grown));
	grown[place] = copy;
	mirrors->count++;
	return 0;
}

void maui_mirrors_drop(struct maui_mirrors *mirrors, const char *name)
{
	bool found;
	size_t place = find_place(mirrors, name, &found);

	if (!found)
		return;
	release_copy(mirrors, &mirrors->list[place]);
	free(mirrors->list[place].name);
	mirrors->count--;
	memmove(&mirrors->list[place], &mirrors->list[place + 1],
		(mirrors->count - place) * sizeof(*mirrors->list));
}

static bool note_is_before(const void *note, const void *name)
{
	return strcmp(((const struct maui_mirror_note *)note)->name, name) < 0;
}

/* The place of the note with this name, or the place where it belongs. */
static size_t find_note_place(const struct maui_mirrors *mirrors, const char *name)
{
	return maui_lower_bound(mirrors->notes, mirrors->note_count, sizeof(*mirrors->notes),
				note_is_before, name);
}

struct maui_mirror_note *maui_mirrors_note_find(const struct maui_mirrors *mirrors,
						const char *name)
{
	size_t place = find_note_place(mirrors, name);

	if (place >= mirrors->note_count || strcmp(mirrors->notes[place].name, name) != 0)
		return NULL;
	return &mirrors->notes[place];
}

static struct maui_mirror_note *add_note(struct maui_mirrors *mirrors, const char *name)
{
	size_t place = find_note_place(mirrors, name);
	struct maui_mirror_note *note = maui_array_grow(mirrors->notes, mirrors->note_count,
							&mirrors->note_alloc, sizeof(*note));
	char *copy = strdup(name);

	if (note)
		mirrors->notes = note;
	if (!note || !copy) {
		free(copy);
		return NULL;
	}
	note += place;
	memmove(note + 1, note, (mirrors->note_count++ - place) * sizeof(*note));
	*note = (struct maui_mirror_note){ .name = copy };
	return note;
}

struct maui_mirror_note *maui_mirrors_note(struct maui_mirrors *mirrors, const char *name,
					   uint32_t id, int code, bool *ret_new)
{
	struct maui_mirror_note *note = maui_mirrors_note_find(mirrors, name);

	*ret_new = !note || note->id != id || note->code != code;
	if (!note)
		note = add_note(mirrors, name);
	if (!note)
		return NULL;
	note->id = id;
	note->code = code;
	note->seen = true;
	return note;
}

void maui_mirrors_age_notes(struct maui_mirrors *mirrors)
{
	size_t kept = 0;

	for (size_t i = 0; i < mirrors->note_count; i++) {
		if (!mirrors->notes[i].seen) {
			free(mirrors->notes[i].name);
			continue;
		}
		mirrors->notes[kept] = mirrors->notes[i];
		mirrors->notes[kept++].seen = false;
	}
	mirrors->note_count = kept;
}

static struct maui_store_mirror to_stored(const struct maui_mirror_known *mirror)
{
	return (struct maui_store_mirror){ .name = mirror->name,
					   .id = mirror->id,
					   .start_s = mirror->start_s,
					   .end_s = mirror->end_s,
					   .nodes = mirror->nodes,
					   .administrative = mirror->administrative,
					   .deleted_s = mirror->deleted_s };
}

static struct maui_mirror_known from_stored(const struct maui_store_mirror *kept)
{
	return (struct maui_mirror_known){ .name = kept->name,
					   .id = kept->id,
					   .start_s = kept->start_s,
					   .end_s = kept->end_s,
					   .nodes = kept->nodes,
					   .administrative = kept->administrative,
					   .deleted_s = kept->deleted_s };
}

int maui_mirrors_to_store(const struct maui_mirrors *mirrors, struct maui_store *store)
{
	store->mirrors =
		maui_arena_alloc_list(&store->arena, mirrors->count, sizeof(*store->mirrors));
	if (!store->mirrors)
		return -1;
	for (size_t i = 0; i < mirrors->count; i++)
		store->mirrors[store->mirror_count++] = to_stored(&mirrors->list[i]);
	return 0;
}

int maui_mirrors_from_store(struct maui_mirrors *mirrors, const struct maui_store *store)
{
	for (size_t i = 0; i < store->mirror_count; i++) {
		struct maui_mirror_known mirror = from_stored(&store->mirrors[i]);

		if (maui_mirrors_put(mirrors, &mirror))
			return -1;
	}
	return 0;
}
