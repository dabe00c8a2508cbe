/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.h - records from JSON
 *
 * Texts and keys are borrowed from the JSON object, which has to stay as long as the record; lists
 * and other records come from the reader's arena.
 *
 * A strict reader, for files that slurm-maui has saved, refuses what is not as described. A lenient
 * one, for answers of any server, fails only without memory: what is absent or of another kind is
 * "", 0, MAUI_NEVER, false, an empty list or NULL, and numbers are cut to +-MAUI_RECORD_MOST, so
 * that sums and differences of a thousand of them do not overflow.
 *
 * A forgiving reader, for the state, reads as much of a file as it can. What is absent, of another
 * kind or out of range has its usual value. But a record is invalid if a member that is `needed` is
 * not as described, or if a word is unknown. An invalid record is left out of its list; if that
 * list is `needed`, the record with the list is invalid.
 */
#ifndef MAUI_RECORD_READ_H
#define MAUI_RECORD_READ_H

#include <json-c/json.h>

#include "base/arena.h"
#include "base/err.h"
#include "record/record.h"

/* Above the microseconds of the epoch, 1.8e15; any whole number up to it is exact as a double. */
#define MAUI_RECORD_MOST INT64_C(9000000000000000)
/* The same of strict readers. */
#define MAUI_RECORD_MOST_SAVED (INT64_C(1) << 46)

enum { MAUI_RECORD_NO_MEMORY = -2 };

struct maui_record_reader {
	struct maui_arena *arena;
	struct maui_err *err; /* NULL: lenient or forgiving */
	bool forgiving;
	size_t *left_out;      /* counts what a forgiving reader leaves out of lists; may be NULL */
	bool null_is_absent;   /* of arguments: null is a value of times alone */
	unsigned amount_count; /* numbers of each member of kind AMOUNTS */
	/* of what is read, for messages: element 3 of "idle" */
	const char *list;
	size_t index;
};

/* Fills the record, all of which is set; object NULL: nothing is there. -1: strict and wrong, with
 * err ("idle[3]: limit: not a whole number"), or forgiving and invalid; MAUI_RECORD_NO_MEMORY. */
int maui_record_read(const struct maui_record_reader *r, const struct maui_record_type *type,
		     json_object *object, void *ret);

/* Sets "idle[3]: KEY: WHAT"; KEY may be NULL. Returns -1; of a lenient reader 0. */
int maui_record_fault(const struct maui_record_reader *r, const char *key, const char *what);
int maui_record_no_memory(const struct maui_record_reader *r); /* MAUI_RECORD_NO_MEMORY */

#endif
