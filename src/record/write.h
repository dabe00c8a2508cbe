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

/* An object with its members, for those who go on with it in json-c. NULL without memory. */
json_object *maui_record_object(const struct maui_record_type *type, const void *record);

/* The text of a record that has AMOUNTS, `amount_count` each. */
void maui_record_write_amounts(struct maui_strbuf *out, const struct maui_record_type *type,
			       const void *record, unsigned amount_count);

/* The members alone, with a comma before the first unless an object has just begun. */
void maui_record_write_members(struct maui_strbuf *out, const struct maui_record_type *type,
			       const void *record, unsigned amount_count);

/* Single values, for what no record describes. */
void maui_record_write_key(struct maui_strbuf *out, const char *key);
void maui_record_write_text(struct maui_strbuf *out, const char *text); /* NULL: null */
void maui_record_write_int(struct maui_strbuf *out, int64_t number);

#endif
