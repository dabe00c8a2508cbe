/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields.h - members of a struct as members of a JSON object, by one table for both directions
 *
 * A member that has its usual value is not written, and one that is absent gets the usual value.
 */
#ifndef MAUI_STATE_SAVED_PLAN_FIELDS_H
#define MAUI_STATE_SAVED_PLAN_FIELDS_H

#include <json-c/json.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/conditions.h"

enum maui_field_kind {
	MAUI_FIELD_INT,     /* int64_t; also a time that is always known */
	MAUI_FIELD_TIME,    /* int64_t; null: MAUI_NEVER */
	MAUI_FIELD_SMALL,   /* int32_t */
	MAUI_FIELD_COUNT,   /* uint32_t */
	MAUI_FIELD_ID,      /* uint64_t below 2^63 */
	MAUI_FIELD_REAL,    /* double */
	MAUI_FIELD_TRUE,    /* bool */
	MAUI_FIELD_TEXT,    /* const char * */
	MAUI_FIELD_REASON,  /* enum maui_reason, as its text */
	MAUI_FIELD_AMOUNTS, /* const int64_t *: a vector of the snapshot's dimensions, or NULL */
	MAUI_FIELD_INDICES, /* const uint32_t *, with a uint32_t at count_at */
};

struct maui_field {
	const char *key;
	enum maui_field_kind kind;
	size_t at, count_at; /* offsets in the struct */
	int64_t usual;       /* of numbers */
};

struct maui_fields {
	const struct maui_field *list;
	size_t count;
};

/* Numbers are at most this, so that sums of a few do not overflow. */
#define MAUI_SAVED_MOST (INT64_C(1) << 46)

extern const struct maui_fields maui_fields_partition, maui_fields_switch, maui_fields_node,
	maui_fields_claim, maui_fields_global_claim, maui_fields_request, maui_fields_active,
	maui_fields_idle, maui_fields_row, maui_fields_job, maui_fields_totals, maui_fields_piece,
	maui_fields_share, maui_fields_instance, maui_fields_release, maui_fields_job_rsv,
	maui_fields_waiting, maui_fields_running, maui_fields_dependency,
	maui_fields_preemption_rule;

/* "end": by enum maui_dependency_kind. */
extern const char *const maui_saved_dependency_kinds[MAUI_DEPENDENCY_COUNT];

void maui_saved_put_text(struct maui_strbuf *out, const char *text); /* NULL: null */
void maui_saved_put_int(struct maui_strbuf *out, int64_t value);
void maui_saved_put_real(struct maui_strbuf *out, double value);
void maui_saved_put_amounts(struct maui_strbuf *out, const int64_t *amounts, unsigned count);
/* `"key": `, with a comma unless it is the object's first member. */
void maui_saved_put_key(struct maui_strbuf *out, const char *key);

/* The members alone: more of an object that is open. */
void maui_saved_put_members(struct maui_strbuf *out, const struct maui_fields *fields,
			    const void *from, unsigned amount_count);
/* An object without its closing brace, so that more members can follow. */
void maui_saved_put_fields(struct maui_strbuf *out, const struct maui_fields *fields,
			   const void *from, unsigned amount_count);

/* What is being read, for messages and memory. */
struct maui_saved_reader {
	struct maui_arena *arena;
	struct maui_err *err;
	unsigned amount_count;
	const char *list; /* "idle" */
	size_t index;     /* of its element */
};

/* Sets "idle[3]: limit: not a number"; returns -1. */
int maui_saved_fault(const struct maui_saved_reader *r, const char *key, const char *what);
int maui_saved_no_memory(const struct maui_saved_reader *r);

/* Sets all members that the table names. Texts are borrowed from the object. -1 with err. */
int maui_saved_get_fields(const struct maui_saved_reader *r, const struct maui_fields *fields,
			  json_object *object, void *to);
/* A vector of amounts, each >= 0. -1 with err. */
int maui_saved_get_amounts(const struct maui_saved_reader *r, const char *key, json_object *value,
			   const int64_t **ret);
/* A member that is a list; NULL: absent. -1 with err: it is something else. */
int maui_saved_get_list(const struct maui_saved_reader *r, json_object *object, const char *key,
			json_object **ret, size_t *ret_count);
/* The same, and room in the arena for that many elements of `size` bytes each. NULL with err. */
void *maui_saved_make_list(const struct maui_saved_reader *r, json_object *object, const char *key,
			   size_t size, json_object **ret, size_t *ret_count);

#endif
