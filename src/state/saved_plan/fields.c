/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields.c - writes and reads the members of a struct by a table */

#include "state/saved_plan/fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/reason.h"
#include "model/when.h"

#define MEMBER(type, row, offset) (*(type *)((char *)(row) + (offset)))
#define VALUE(type, row, offset)  (*(const type *)((const char *)(row) + (offset)))

const char *const maui_saved_dependency_kinds[MAUI_DEPENDENCY_COUNT] = { "other", "end", "start",
									 "task_end" };

/* ---- writing ---- */

void maui_saved_put_key(struct maui_strbuf *out, const char *key)
{
	if (out->length > 0 && out->text[out->length - 1] != '{')
		maui_strbuf_add(out, ",", 1);
	maui_strbuf_add(out, "\"", 1);
	maui_strbuf_add(out, key, strlen(key));
	maui_strbuf_add(out, "\":", 2);
}

/* Whether JSON has the text as it is, without an escape. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == '"' || *text == '\\' || *text == '/')
			return false;
	return true;
}

void maui_saved_put_text(struct maui_strbuf *out, const char *text)
{
	json_object *object;
	const char *escaped;

	if (text && is_plain(text)) {
		maui_strbuf_add(out, "\"", 1);
		maui_strbuf_add(out, text, strlen(text));
		maui_strbuf_add(out, "\"", 1);
		return;
	}
	object = text ? json_object_new_string(text) : NULL;
	escaped = object ? json_object_to_json_string(object) : "null";
	out->failed |= (text && !object) || !escaped;
	maui_strbuf_add(out, escaped ? escaped : "", escaped ? strlen(escaped) : 0);
	json_object_put(object);
}

void maui_saved_put_int(struct maui_strbuf *out, int64_t value)
{
	char digits[24];

	maui_strbuf_add(out, digits, (size_t)snprintf(digits, sizeof(digits), "%" PRId64, value));
}

void maui_saved_put_real(struct maui_strbuf *out, double value)
{
	char digits[40];

	if (!isfinite(value))
		value = 0;
	maui_strbuf_add(out, digits, (size_t)snprintf(digits, sizeof(digits), "%.17g", value));
}

static void put_time(struct maui_strbuf *out, int64_t when_s)
{
	if (when_s == MAUI_NEVER)
		maui_strbuf_add(out, "null", 4);
	else
		maui_saved_put_int(out, when_s);
}

void maui_saved_put_amounts(struct maui_strbuf *out, const int64_t *amounts, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		maui_strbuf_add(out, i ? "," : "[", 1);
		maui_saved_put_int(out, amounts[i]);
	}
	maui_strbuf_add(out, "]", 1);
}

static void put_indices(struct maui_strbuf *out, const uint32_t *list, uint32_t count)
{
	maui_strbuf_add(out, "[", 1);
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0)
			maui_strbuf_add(out, ",", 1);
		maui_saved_put_int(out, list[i]);
	}
	maui_strbuf_add(out, "]", 1);
}

/* A field that is a whole number; false: it is something else. */
static bool get_number(const struct maui_field *f, const void *from, int64_t *ret)
{
	switch (f->kind) {
	case MAUI_FIELD_INT:
	case MAUI_FIELD_TIME:
		*ret = VALUE(int64_t, from, f->at);
		return true;
	case MAUI_FIELD_SMALL:
		*ret = VALUE(int32_t, from, f->at);
		return true;
	case MAUI_FIELD_COUNT:
		*ret = VALUE(uint32_t, from, f->at);
		return true;
	case MAUI_FIELD_ID:
		*ret = (int64_t)VALUE(uint64_t, from, f->at);
		return true;
	default:
		return false;
	}
}

static bool is_usual(const struct maui_field *f, const void *from)
{
	int64_t number;

	if (get_number(f, from, &number))
		return number == f->usual;
	switch (f->kind) {
	case MAUI_FIELD_REAL:
		return VALUE(double, from, f->at) == 0;
	case MAUI_FIELD_TRUE:
		return !VALUE(bool, from, f->at);
	case MAUI_FIELD_REASON:
		return VALUE(enum maui_reason, from, f->at) == MAUI_REASON_NONE;
	case MAUI_FIELD_INDICES:
		return VALUE(uint32_t, from, f->count_at) == 0;
	case MAUI_FIELD_AMOUNTS:
		return !VALUE(int64_t *, from, f->at);
	default:
		return !VALUE(char *, from, f->at);
	}
}

static void put_field(struct maui_strbuf *out, const struct maui_field *f, const void *from,
		      unsigned amount_count)
{
	int64_t number;

	maui_saved_put_key(out, f->key);
	if (f->kind == MAUI_FIELD_TIME)
		put_time(out, VALUE(int64_t, from, f->at));
	else if (get_number(f, from, &number))
		maui_saved_put_int(out, number);
	else if (f->kind == MAUI_FIELD_REAL)
		maui_saved_put_real(out, VALUE(double, from, f->at));
	else if (f->kind == MAUI_FIELD_TRUE)
		maui_strbuf_add(out, "true", 4);
	else if (f->kind == MAUI_FIELD_TEXT)
		maui_saved_put_text(out, VALUE(char *, from, f->at));
	else if (f->kind == MAUI_FIELD_REASON)
		maui_saved_put_text(out, maui_reason_text(VALUE(enum maui_reason, from, f->at)));
	else if (f->kind == MAUI_FIELD_AMOUNTS)
		maui_saved_put_amounts(out, VALUE(int64_t *, from, f->at), amount_count);
	else
		put_indices(out, VALUE(uint32_t *, from, f->at),
			    VALUE(uint32_t, from, f->count_at));
}

void maui_saved_put_members(struct maui_strbuf *out, const struct maui_fields *fields,
			    const void *from, unsigned amount_count)
{
	for (size_t i = 0; i < fields->count; i++)
		if (!is_usual(&fields->list[i], from))
			put_field(out, &fields->list[i], from, amount_count);
}

void maui_saved_put_fields(struct maui_strbuf *out, const struct maui_fields *fields,
			   const void *from, unsigned amount_count)
{
	maui_strbuf_add(out, "{", 1);
	maui_saved_put_members(out, fields, from, amount_count);
}

/* ---- reading ---- */

int maui_saved_fault(const struct maui_saved_reader *r, const char *key, const char *what)
{
	if (!r->list)
		return maui_err_set(r->err, "%s: %s", key ? key : "it", what);
	return maui_err_set(r->err, "%s[%zu]%s%s: %s", r->list, r->index, key ? ": " : "",
			    key ? key : "", what);
}

int maui_saved_no_memory(const struct maui_saved_reader *r)
{
	return maui_err_set(r->err, "no memory");
}

static int get_int(const struct maui_saved_reader *r, const char *key, json_object *value,
		   int64_t low, int64_t high, int64_t *ret)
{
	if (!json_object_is_type(value, json_type_int))
		return maui_saved_fault(r, key, "not a whole number");
	*ret = json_object_get_int64(value);
	return *ret < low || *ret > high ? maui_saved_fault(r, key, "out of range") : 0;
}

int maui_saved_get_amounts(const struct maui_saved_reader *r, const char *key, json_object *value,
			   const int64_t **ret)
{
	int64_t *amounts;

	if (!json_object_is_type(value, json_type_array) ||
	    json_object_array_length(value) != r->amount_count)
		return maui_saved_fault(r, key, "not one number for each of `amounts`");
	amounts = maui_arena_alloc(r->arena, r->amount_count * sizeof(*amounts));
	if (!amounts)
		return maui_saved_no_memory(r);
	for (unsigned i = 0; i < r->amount_count; i++)
		if (get_int(r, key, json_object_array_get_idx(value, i), 0, MAUI_SAVED_MOST,
			    &amounts[i]))
			return -1;
	*ret = amounts;
	return 0;
}

static int get_indices(const struct maui_saved_reader *r, const struct maui_field *f,
		       json_object *value, void *to)
{
	size_t count;
	uint32_t *list;
	int64_t number;

	if (!json_object_is_type(value, json_type_array))
		return maui_saved_fault(r, f->key, "not a list");
	count = json_object_array_length(value);
	list = maui_arena_alloc(r->arena, (count + 1) * sizeof(*list));
	if (!list || count > UINT32_MAX)
		return maui_saved_no_memory(r);
	for (size_t i = 0; i < count; i++) {
		if (get_int(r, f->key, json_object_array_get_idx(value, i), 0, UINT32_MAX, &number))
			return -1;
		list[i] = (uint32_t)number;
	}
	MEMBER(const uint32_t *, to, f->at) = list;
	MEMBER(uint32_t, to, f->count_at) = (uint32_t)count;
	return 0;
}

static int get_reason(const struct maui_saved_reader *r, const struct maui_field *f,
		      json_object *value, void *to)
{
	const char *text =
		json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;

	for (int i = 0; text && i < MAUI_REASON_COUNT; i++)
		if (strcmp(maui_reason_text((enum maui_reason)i), text) == 0) {
			MEMBER(enum maui_reason, to, f->at) = (enum maui_reason)i;
			return 0;
		}
	return maui_saved_fault(r, f->key, "not a reason");
}

static int get_real(const struct maui_saved_reader *r, const struct maui_field *f,
		    json_object *value, void *to)
{
	double number = json_object_get_double(value);

	if (!json_object_is_type(value, json_type_int) &&
	    !json_object_is_type(value, json_type_double))
		return maui_saved_fault(r, f->key, "not a number");
	if (!isfinite(number))
		return maui_saved_fault(r, f->key, "out of range");
	MEMBER(double, to, f->at) = number;
	return 0;
}

/* Whole numbers, absent ones too. */
static int get_whole(const struct maui_saved_reader *r, const struct maui_field *f, bool absent,
		     json_object *value, void *to)
{
	int64_t low = f->kind == MAUI_FIELD_SMALL                             ? INT32_MIN :
		      f->kind == MAUI_FIELD_COUNT || f->kind == MAUI_FIELD_ID ? 0 :
										-MAUI_SAVED_MOST;
	int64_t high = f->kind == MAUI_FIELD_SMALL ? INT32_MAX :
		       f->kind == MAUI_FIELD_COUNT ? UINT32_MAX :
						     MAUI_SAVED_MOST;
	int64_t number = f->usual;

	if (!absent && f->kind == MAUI_FIELD_TIME && !value)
		number = MAUI_NEVER;
	else if (!absent && get_int(r, f->key, value, low, high, &number))
		return -1;
	if (f->kind == MAUI_FIELD_SMALL)
		MEMBER(int32_t, to, f->at) = (int32_t)number;
	else if (f->kind == MAUI_FIELD_COUNT)
		MEMBER(uint32_t, to, f->at) = (uint32_t)number;
	else if (f->kind == MAUI_FIELD_ID)
		MEMBER(uint64_t, to, f->at) = (uint64_t)number;
	else
		MEMBER(int64_t, to, f->at) = number;
	return 0;
}

static int get_field(const struct maui_saved_reader *r, const struct maui_field *f,
		     json_object *object, void *to)
{
	json_object *value = NULL;
	bool absent = !json_object_object_get_ex(object, f->key, &value);

	if (f->kind <= MAUI_FIELD_ID)
		return get_whole(r, f, absent, value, to);
	if (absent || !value)
		return 0; /* the struct is zeroed */
	switch (f->kind) {
	case MAUI_FIELD_REAL:
		return get_real(r, f, value, to);
	case MAUI_FIELD_TRUE:
		if (!json_object_is_type(value, json_type_boolean))
			return maui_saved_fault(r, f->key, "not true or false");
		MEMBER(bool, to, f->at) = json_object_get_boolean(value);
		return 0;
	case MAUI_FIELD_REASON:
		return get_reason(r, f, value, to);
	case MAUI_FIELD_AMOUNTS:
		return maui_saved_get_amounts(r, f->key, value,
					      &MEMBER(const int64_t *, to, f->at));
	case MAUI_FIELD_INDICES:
		return get_indices(r, f, value, to);
	default:
		if (!json_object_is_type(value, json_type_string))
			return maui_saved_fault(r, f->key, "not a text");
		MEMBER(const char *, to, f->at) = json_object_get_string(value);
		return 0;
	}
}

int maui_saved_get_fields(const struct maui_saved_reader *r, const struct maui_fields *fields,
			  json_object *object, void *to)
{
	if (!json_object_is_type(object, json_type_object))
		return maui_saved_fault(r, NULL, "not an object");
	for (size_t i = 0; i < fields->count; i++)
		if (get_field(r, &fields->list[i], object, to))
			return -1;
	return 0;
}

int maui_saved_get_list(const struct maui_saved_reader *r, json_object *object, const char *key,
			json_object **ret, size_t *ret_count)
{
	*ret = NULL;
	*ret_count = 0;
	if (!json_object_object_get_ex(object, key, ret) || !*ret)
		return 0;
	if (!json_object_is_type(*ret, json_type_array))
		return maui_saved_fault(r, key, "not a list");
	*ret_count = json_object_array_length(*ret);
	return *ret_count < UINT32_MAX ? 0 : maui_saved_fault(r, key, "too long");
}

void *maui_saved_make_list(const struct maui_saved_reader *r, json_object *object, const char *key,
			   size_t size, json_object **ret, size_t *ret_count)
{
	void *list;

	if (maui_saved_get_list(r, object, key, ret, ret_count))
		return NULL;
	list = maui_arena_alloc(r->arena, (*ret_count + 1) * size);
	if (!list)
		maui_saved_no_memory(r);
	return list;
}
