/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.c - the one reader of JSON */

#include "record/read.h"

#include <math.h>
#include <string.h>

#define MEMBER(type, record, offset) (*(type *)((char *)(record) + (offset)))

int maui_record_fault(const struct maui_record_reader *r, const char *key, const char *what)
{
	if (!r->err)
		return 0; /* lenient */
	if (!r->list)
		return maui_err_set(r->err, "%s: %s", key ? key : "it", what);
	return maui_err_set(r->err, "%s[%zu]%s%s: %s", r->list, r->index, key ? ": " : "",
			    key ? key : "", what);
}

int maui_record_no_memory(const struct maui_record_reader *r)
{
	return maui_err_set(r->err, "no memory");
}

static void *allocate(const struct maui_record_reader *r, size_t count, size_t size)
{
	return count < SIZE_MAX / 2 / size ? maui_arena_alloc(r->arena, (count + 1) * size) : NULL;
}

/* ---- single values ---- */

/* The bounds of a whole number. */
static void get_bounds(const struct maui_record_reader *r, enum maui_kind kind, int64_t *ret_low,
		       int64_t *ret_high)
{
	int64_t most = r->err ? MAUI_RECORD_MOST_SAVED : MAUI_RECORD_MOST;

	*ret_low = kind == MAUI_KIND_SMALL                         ? INT32_MIN :
		   kind == MAUI_KIND_COUNT || kind == MAUI_KIND_ID ? 0 :
								     -most;
	*ret_high = kind == MAUI_KIND_SMALL ? INT32_MAX :
		    kind == MAUI_KIND_COUNT ? UINT32_MAX :
					      most;
}

/* Whether it is a number; *ret stays as it is unless it is. */
static int read_whole(const struct maui_record_reader *r, const struct maui_field *f,
		      enum maui_kind kind, json_object *value, int64_t *ret)
{
	int64_t low, high, number;

	get_bounds(r, kind, &low, &high);
	if (!json_object_is_type(value, json_type_int) &&
	    (r->err || !json_object_is_type(value, json_type_double)))
		return maui_record_fault(r, f->key, "not a whole number");
	number = json_object_get_int64(value);
	if (kind == MAUI_KIND_TIME && number == MAUI_NEVER) {
		*ret = number; /* as commands of older releases wrote it */
		return 0;
	}
	if (r->err && (number < low || number > high))
		return maui_record_fault(r, f->key, "out of range");
	*ret = number < low ? low : number > high ? high : number;
	return 0;
}

static int read_real(const struct maui_record_reader *r, const struct maui_field *f,
		     json_object *value, double *ret)
{
	const double most = (double)MAUI_RECORD_MOST;
	double number;

	if (!json_object_is_type(value, json_type_int) &&
	    !json_object_is_type(value, json_type_double))
		return maui_record_fault(r, f->key, "not a number");
	number = json_object_get_double(value);
	if (r->err && !isfinite(number))
		return maui_record_fault(r, f->key, "out of range");
	*ret = isnan(number) ? 0 : r->err ? number : fmax(fmin(number, most), -most);
	return 0;
}

/* NULL: not a text, or one with a NUL in it. */
static const char *text_of(json_object *value)
{
	const char *text;

	if (!json_object_is_type(value, json_type_string))
		return NULL;
	text = json_object_get_string(value);
	return strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

static int read_word(const struct maui_record_reader *r, const struct maui_field *f,
		     json_object *value, void *record)
{
	const char *text = text_of(value);

	for (int i = 0; text && f->words[i]; i++)
		if (strcmp(f->words[i], text) == 0) {
			MEMBER(int, record, f->at) = i;
			return 0;
		}
	return maui_record_fault(r, f->key, "an unknown word");
}

/* ---- lists ---- */

static int set_list(const struct maui_field *f, const void *list, size_t count, void *record)
{
	MEMBER(const void *, record, f->at) = list;
	if (f->count_size == sizeof(uint32_t))
		MEMBER(uint32_t, record, f->count_at) = (uint32_t)count;
	else if (f->count_size)
		MEMBER(size_t, record, f->count_at) = count;
	return 0;
}

static size_t element_size(enum maui_kind kind)
{
	return kind == MAUI_KIND_TEXTS                                 ? sizeof(char *) :
	       kind == MAUI_KIND_INDICES                               ? sizeof(uint32_t) :
	       kind == MAUI_KIND_REALS || kind == MAUI_KIND_FULL_REALS ? sizeof(double) :
									 sizeof(int64_t);
}

static int read_element(const struct maui_record_reader *r, const struct maui_field *f,
			json_object *value, void *list, size_t i)
{
	int64_t number = 0;

	if (f->kind == MAUI_KIND_TEXTS) {
		const char *text = text_of(value);

		((const char **)list)[i] = text ? text : "";
		return text ? 0 : maui_record_fault(r, f->key, "not a list of texts");
	}
	if (f->kind == MAUI_KIND_REALS || f->kind == MAUI_KIND_FULL_REALS)
		return read_real(r, f, value, (double *)list + i);
	if (read_whole(r, f, f->kind == MAUI_KIND_INDICES ? MAUI_KIND_COUNT : MAUI_KIND_INT, value,
		       &number))
		return -1;
	if (f->kind == MAUI_KIND_AMOUNTS && number < 0)
		return maui_record_fault(r, f->key, "out of range");
	if (f->kind == MAUI_KIND_INDICES)
		((uint32_t *)list)[i] = (uint32_t)number;
	else
		((int64_t *)list)[i] = number;
	return 0;
}

static int read_list(const struct maui_record_reader *r, const struct maui_field *f,
		     json_object *array, void *record)
{
	size_t count = json_object_array_length(array);
	void *list = allocate(r, count, element_size(f->kind));

	if (f->kind == MAUI_KIND_AMOUNTS && count != r->amount_count)
		return maui_record_fault(r, f->key, "not one number for each of `amounts`");
	if (!list || (f->count_size == sizeof(uint32_t) && count > UINT32_MAX))
		return maui_record_no_memory(r);
	for (size_t i = 0; i < count; i++)
		if (read_element(r, f, json_object_array_get_idx(array, i), list, i))
			return -1;
	return set_list(f, list, count, record);
}

static int read_map(const struct maui_record_reader *r, const struct maui_field *f,
		    json_object *object, void *record)
{
	size_t count = (size_t)json_object_object_length(object), i = 0;
	struct maui_pair *pairs = allocate(r, count, sizeof(*pairs));

	if (!pairs)
		return maui_record_no_memory(r);
	json_object_object_foreach(object, key, value)
	{
		pairs[i].key = key;
		if (read_real(r, f, value, &pairs[i++].value))
			return -1;
	}
	return set_list(f, pairs, count, record);
}

static int read_labels(const struct maui_record_reader *r, const struct maui_field *f,
		       json_object *object, void *record)
{
	size_t count = (size_t)json_object_object_length(object), i = 0;
	struct maui_label *labels = allocate(r, count, sizeof(*labels));

	if (!labels)
		return maui_record_no_memory(r);
	json_object_object_foreach(object, key, value)
	{
		const char *text = text_of(value);

		labels[i++] = (struct maui_label){ key, text ? text : "" };
	}
	return set_list(f, labels, count, record);
}

static int read_counts(const struct maui_record_reader *r, const struct maui_field *f,
		       json_object *object, void *record)
{
	size_t count = (size_t)json_object_object_length(object), i = 0;
	struct maui_count *counts = allocate(r, count, sizeof(*counts));

	if (!counts)
		return maui_record_no_memory(r);
	json_object_object_foreach(object, key, value)
	{
		counts[i].key = key;
		if (read_whole(r, f, MAUI_KIND_INT, value, &counts[i++].value))
			return -1;
	}
	return set_list(f, counts, count, record);
}

static void set_whole(const struct maui_field *f, int64_t number, void *record)
{
	if (f->kind == MAUI_KIND_SMALL)
		MEMBER(int32_t, record, f->at) = (int32_t)number;
	else if (f->kind == MAUI_KIND_COUNT)
		MEMBER(uint32_t, record, f->at) = (uint32_t)number;
	else if (f->kind == MAUI_KIND_ID)
		MEMBER(uint64_t, record, f->at) = (uint64_t)number;
	else
		MEMBER(int64_t, record, f->at) = number;
}

/* The values of what is absent. */
static void clear_members(const struct maui_record_reader *r, const struct maui_record_type *type,
			  void *record)
{
	memset(record, 0, type->size);
	for (size_t i = 0; i < type->count; i++) {
		const struct maui_field *f = &type->fields[i];

		if (f->kind == MAUI_KIND_TEXT && !r->err && !f->maybe)
			MEMBER(const char *, record, f->at) = "";
		else if (f->kind == MAUI_KIND_TIME && !type->sparse && !f->maybe)
			MEMBER(int64_t, record, f->at) = MAUI_NEVER;
		else if (f->kind == MAUI_KIND_WORD)
			MEMBER(int, record, f->at) = (int)f->usual;
		else if (f->kind <= MAUI_KIND_ID && f->usual)
			set_whole(f, f->usual, record);
		else if (f->nullable && f->kind >= MAUI_KIND_REAL &&
			 f->kind <= MAUI_KIND_HUNDREDTHS)
			MEMBER(double, record, f->at) = NAN;
	}
}

/* ---- records ---- */

static int read_members(const struct maui_record_reader *r, const struct maui_record_type *type,
			json_object *object, void *record);
static int read_value(const struct maui_record_reader *r, const struct maui_field *f,
		      json_object *value, void *record);

static int read_one(const struct maui_record_reader *r, const struct maui_field *f,
		    json_object *object, void *record)
{
	void *one = allocate(r, 1, f->of->size);

	if (!one)
		return maui_record_no_memory(r);
	MEMBER(void *, record, f->at) = one;
	return read_members(r, f->of, object, one);
}

static int read_objects(const struct maui_record_reader *r, const struct maui_field *f,
			json_object *array, void *record)
{
	struct maui_record_reader inner = *r;
	size_t count = json_object_array_length(array);
	char *list = allocate(r, count, f->of->size);

	if (!list || (f->count_size == sizeof(uint32_t) && count > UINT32_MAX))
		return maui_record_no_memory(r);
	inner.list = f->key;
	for (inner.index = 0; inner.index < count; inner.index++)
		if (read_members(&inner, f->of, json_object_array_get_idx(array, inner.index),
				 list + inner.index * f->of->size))
			return -1;
	return set_list(f, list, count, record);
}

static int read_keyed(const struct maui_record_reader *r, const struct maui_field *f,
		      json_object *object, void *record)
{
	struct maui_record_reader inner = *r;
	size_t count = (size_t)json_object_object_length(object);
	char *list = allocate(r, count, f->of->size), *one = list;

	if (!list)
		return maui_record_no_memory(r);
	inner.list = f->key;
	inner.index = 0;
	json_object_object_foreach(object, key, value)
	{
		if (read_members(&inner, f->of, value, one))
			return -1;
		MEMBER(const char *, one, f->of->fields[0].at) = key;
		one += f->of->size;
		inner.index++;
	}
	return set_list(f, list, count, record);
}

/* NULL: the description has no such member. */
static const struct maui_field *find_field(const struct maui_record_type *type, const char *key)
{
	for (size_t i = 0; key && i < type->count; i++)
		if (strcmp(type->fields[i].key, key) == 0)
			return &type->fields[i];
	return NULL;
}

/* The keys of the rows: the list of COLUMNS of the same record. NULL: there is none, and rows have
 * each member in its order. */
static json_object *column_keys(const struct maui_record_type *type, const struct maui_field *rows,
				json_object *object)
{
	json_object *keys = NULL;

	for (size_t i = 0; i < type->count; i++)
		if (type->fields[i].kind == MAUI_KIND_COLUMNS && type->fields[i].of == rows->of)
			json_object_object_get_ex(object, type->fields[i].key, &keys);
	return json_object_is_type(keys, json_type_array) ? keys : NULL;
}

/* What each value of a row is; NULL: nothing that is described. */
static void list_columns(const struct maui_record_type *type, json_object *keys, size_t count,
			 const struct maui_field **ret)
{
	for (size_t i = 0; i < count; i++)
		ret[i] = keys ? find_field(type, text_of(json_object_array_get_idx(keys, i))) :
				&type->fields[i];
}

static int read_cells(const struct maui_record_reader *r, const struct maui_field *const *columns,
		      size_t count, json_object *row, void *record)
{
	if (!json_object_is_type(row, json_type_array))
		return maui_record_fault(r, NULL, "not a list");
	for (size_t i = 0; i < count; i++)
		if (columns[i] &&
		    read_value(r, columns[i], json_object_array_get_idx(row, i), record))
			return -1;
	return 0;
}

static int read_rows(const struct maui_record_reader *r, const struct maui_field *f,
		     json_object *array, json_object *keys, void *record)
{
	struct maui_record_reader inner = *r;
	size_t count = json_object_array_length(array);
	size_t columns = keys ? json_object_array_length(keys) : f->of->count;
	const struct maui_field **fields = allocate(r, columns, sizeof(*fields));
	char *list = allocate(r, count, f->of->size);

	if (!list || !fields)
		return maui_record_no_memory(r);
	list_columns(f->of, keys, columns, fields);
	inner.list = f->key;
	for (inner.index = 0; inner.index < count; inner.index++) {
		char *row = list + inner.index * f->of->size;

		clear_members(r, f->of, row);
		if (read_cells(&inner, fields, columns,
			       json_object_array_get_idx(array, inner.index), row))
			return -1;
	}
	return set_list(f, list, count, record);
}

/* A part is there when one of its members is. */
static int read_part(const struct maui_record_reader *r, const struct maui_field *f,
		     json_object *object, void *record)
{
	for (size_t i = 0; i < f->of->count; i++)
		if (json_object_object_get_ex(object, f->of->fields[i].key, NULL))
			return read_one(r, f, object, record);
	return 0;
}

static bool is_list(enum maui_kind kind)
{
	return kind == MAUI_KIND_TEXTS || kind == MAUI_KIND_INTS || kind == MAUI_KIND_INDICES ||
	       kind == MAUI_KIND_REALS || kind == MAUI_KIND_FULL_REALS ||
	       kind == MAUI_KIND_AMOUNTS || kind == MAUI_KIND_LIST;
}

/* What holds other values. */
static int read_other(const struct maui_record_reader *r, const struct maui_field *f,
		      json_object *value, void *record)
{
	if (f->kind == MAUI_KIND_RAW) {
		MEMBER(struct maui_raw, record, f->at).json = value;
		return 0;
	}
	if (is_list(f->kind) && !json_object_is_type(value, json_type_array))
		return maui_record_fault(r, f->key, "not a list");
	if (!is_list(f->kind) && !json_object_is_type(value, json_type_object))
		return maui_record_fault(r, f->key, "not an object");
	switch (f->kind) {
	case MAUI_KIND_ONE:
		return read_one(r, f, value, record);
	case MAUI_KIND_LIST:
		return read_objects(r, f, value, record);
	case MAUI_KIND_KEYED:
		return read_keyed(r, f, value, record);
	case MAUI_KIND_MAP:
		return read_map(r, f, value, record);
	case MAUI_KIND_LABELS:
		return read_labels(r, f, value, record);
	case MAUI_KIND_COUNTS:
		return read_counts(r, f, value, record);
	default:
		return read_list(r, f, value, record);
	}
}

static bool may_be_null(const struct maui_field *f)
{
	return f->kind == MAUI_KIND_TIME || f->maybe || f->nullable;
}

/* A value that is there; null is one. */
static int read_value(const struct maui_record_reader *r, const struct maui_field *f,
		      json_object *value, void *record)
{
	int64_t number = f->kind == MAUI_KIND_TIME ? MAUI_NEVER : f->usual;

	switch (f->kind) {
	case MAUI_KIND_TIME:
	case MAUI_KIND_INT:
	case MAUI_KIND_SMALL:
	case MAUI_KIND_COUNT:
	case MAUI_KIND_ID:
		if ((value || !may_be_null(f)) && read_whole(r, f, f->kind, value, &number))
			return -1;
		set_whole(f, number, record);
		return 0;
	default:
		break;
	}
	if (!value)
		return 0;
	switch (f->kind) {
	case MAUI_KIND_REAL:
	case MAUI_KIND_EXACT:
	case MAUI_KIND_MILLIONTHS:
	case MAUI_KIND_ROUNDED:
	case MAUI_KIND_HUNDREDTHS:
		return read_real(r, f, value, &MEMBER(double, record, f->at));
	case MAUI_KIND_BOOL:
	case MAUI_KIND_TRUE:
		if (!json_object_is_type(value, json_type_boolean))
			return maui_record_fault(r, f->key, "not true or false");
		MEMBER(bool, record, f->at) = json_object_get_boolean(value);
		return 0;
	case MAUI_KIND_TEXT:
		if (!text_of(value))
			return maui_record_fault(r, f->key, "not a text");
		MEMBER(const char *, record, f->at) = text_of(value);
		return 0;
	case MAUI_KIND_WORD:
		return read_word(r, f, value, record);
	default:
		return read_other(r, f, value, record);
	}
}

/* Of a lenient reader: a record that must be there is there, and empty. */
static bool is_missed(const struct maui_record_reader *r, const struct maui_field *f,
		      json_object *value)
{
	return !r->err && f->kind == MAUI_KIND_ONE && !f->nullable &&
	       !json_object_is_type(value, json_type_object);
}

static int read_member(const struct maui_record_reader *r, const struct maui_record_type *type,
		       const struct maui_field *f, json_object *object, void *record)
{
	json_object *value = NULL;
	bool absent = !json_object_object_get_ex(object, f->key, &value);

	if (f->kind == MAUI_KIND_PART)
		return read_part(r, f, object, record);
	if (is_missed(r, f, value))
		return read_one(r, f, NULL, record);
	if (absent || f->kind == MAUI_KIND_COLUMNS)
		return 0;
	if (f->kind == MAUI_KIND_ROWS && (value || !f->nullable))
		return json_object_is_type(value, json_type_array) ?
			       read_rows(r, f, value, column_keys(type, f, object), record) :
			       maui_record_fault(r, f->key, "not a list");
	return read_value(r, f, value, record);
}

static int read_members(const struct maui_record_reader *r, const struct maui_record_type *type,
			json_object *object, void *record)
{
	clear_members(r, type, record);
	if (r->err && !json_object_is_type(object, json_type_object))
		return maui_record_fault(r, NULL, "not an object");
	for (size_t i = 0; i < type->count; i++)
		if (read_member(r, type, &type->fields[i], object, record))
			return -1;
	return 0;
}

int maui_record_read(const struct maui_record_reader *r, const struct maui_record_type *type,
		     json_object *object, void *ret)
{
	if (object)
		return read_members(r, type, object, ret);
	clear_members(r, type, ret);
	return 0;
}
