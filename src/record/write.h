/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write.h - records as JSON
 *
 * A text that is not UTF-8 is written byte for byte: who sends it away makes it UTF-8
 * (base/utf8.h), who saves it reads the same bytes back.
 */
#ifndef MAUI_RECORD_WRITE_H
#define MAUI_RECORD_WRITE_H

#include <json-c/json.h>

#include "base/strbuf.h"
#include "record/record.h"

/* An object, on one line. */
void maui_record_write(struct maui_strbuf *out, const struct maui_record_type *type,
		       const void *record);

/* An object that prints itself as that text, and has no members that json-c knows of. NULL without
 * memory. */
json_object *maui_record_json(const struct maui_record_type *type, const void *record);

/* The text of such an object; NULL: another one. json-c would print it into memory of its own, and
 * not say when it had none. */
const char *maui_record_json_text(json_object *object);

/* An object with its members, for those who go on with it in json-c. NULL without memory. */
json_object *maui_record_object(const struct maui_record_type *type, const void *record);

/* ---- files ---- */

struct maui_record_writer {
	struct maui_strbuf *out;
	unsigned amount_count; /* numbers of each member of kind AMOUNTS */
	/* a blank behind commas and colons, and lines: struct maui_record_type */
	bool spaced;
	bool short_escapes; /* \n instead of \u000a: all of those that json-c writes */
};

/* The members alone, with a comma before the first unless an object has just begun. */
void maui_record_write_members(const struct maui_record_writer *w,
			       const struct maui_record_type *type, const void *record);

/* A list that is too long to be in memory as one: its key, its elements one by one, its end. */
void maui_record_begin_list(const struct maui_record_writer *w, const char *key);
void maui_record_write_element(const struct maui_record_writer *w,
			       const struct maui_record_type *type, const void *record);
void maui_record_end_list(const struct maui_record_writer *w, const struct maui_record_type *type);

/* A text, for what no record describes. */
void maui_record_write_text(struct maui_strbuf *out, const char *text);

#endif
