/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.h - records from JSON
 *
 * Texts and keys are borrowed from the JSON object, which has to stay as long as the record; lists
 * and other records come from the reader's arena.
 *
 * A strict reader refuses what is not as described: files that slurm-maui has saved. A lenient one
 * never fails but for memory: answers, of whatever server. There what is absent, or of another
 * kind, is "", 0, MAUI_NEVER, false, an empty list, NULL; and numbers are cut to
 * +-MAUI_RECORD_MOST, so that sums and differences of a thousand of them overflow nothing.
 *
 * A forgiving reader takes as much of a file as it can: the state, of which a part must not cost
 * the whole. What is absent, of another kind or out of range has its usual value. But a record is
 * invalid when a member that is `needed` is not as described, or when a word is unknown, and an
 * invalid record is left out of its list; if that list is `needed`, what has the list is invalid.
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
