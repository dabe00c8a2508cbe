/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.c - the one reader of JSON */

#include "record/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "record/member.h"

static bool is_lenient(const struct maui_record_reader *r)
{
	return !r->err && !r->forgiving;
}

int maui_record_fault(const struct maui_record_reader *r, const char *key, const char *what)
{
	if (!r->err)
		return r->forgiving ? -1 : 0;
	if (!r->list)
		return maui_err_set(r->err, "%s: %s", key ? key : "it", what);
	return maui_err_set(r->err, "%s[%zu]%s%s: %s", r->list, r->index, key ? ": " : "",
			    key ? key : "", what);
}

int maui_record_no_memory(const struct maui_record_reader *r)
{
	maui_err_no_memory(r->err);
	return MAUI_RECORD_NO_MEMORY;
}

/* A member that is not as described; of a forgiving reader it is absent, unless it is needed. */
static int fault(const struct maui_record_reader *r, const struct maui_field *f, const char *what)
{
	return r->forgiving && !f->needed ? 0 : maui_record_fault(r, f->key, what);
}

static void *allocate(const struct maui_record_reader *r, size_t count, size_t size)
{
	return maui_arena_alloc_list(r->arena, count, size);
}

/* ---- single values ---- */

/* The bounds of a whole number. */
static void get_bounds(const struct maui_record_reader *r, enum maui_kind kind, int64_t *ret_low,
		       int64_t *ret_high)
{
	int64_t most = r->err       ? MAUI_RECORD_MOST_SAVED :
		       r->forgiving ? INT64_MAX :
				      MAUI_RECORD_MOST;

	*ret_low = kind == MAUI_KIND_SMALL                         ? INT32_MIN :
		   kind == MAUI_KIND_COUNT || kind == MAUI_KIND_ID ? 0 :
		   r->forgiving                                    ? INT64_MIN :
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
	    (!is_lenient(r) || !json_object_is_type(value, json_type_double)))
		return fault(r, f, "not a whole number");
	number = json_object_get_int64(value);
	if (kind == MAUI_KIND_TIME && number == MAUI_NEVER) {
		*ret = number; /* as commands of older releases wrote it */
		return 0;
	}
	if ((r->err || (r->forgiving && kind != MAUI_KIND_SMALL)) &&
	    (number < low || number > high))
		return fault(r, f, "out of range");
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
		return fault(r, f, "not a number");
	number = json_object_get_double(value);
	if (!is_lenient(r) && !isfinite(number))
		return fault(r, f, "out of range");
	*ret = isnan(number) ? 0 : is_lenient(r) ? fmax(fmin(number, most), -most) : number;
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

static int read_text(const struct maui_record_reader *r, const struct maui_field *f,
		     json_object *value, void *record)
{
	const char *text = text_of(value);

	if (!text)
		return fault(r, f, "not a text");
	if (f->kind == MAUI_KIND_CHARS)
		maui_utf8_copy(&MEMBER(char, record, f->at), f->room, text);
	else if (f->kind == MAUI_KIND_HEX)
		MEMBER(uint64_t, record, f->at) = strtoull(text, NULL, 16);
	else
		MEMBER(const char *, record, f->at) = text;
	return 0;
}

/* The index of the word; -1: unknown. */
static int find_word(const struct maui_field *f, json_object *value)
{
	const char *text = text_of(value);

	for (int i = 0; text && f->words[i]; i++)
		if (strcmp(f->words[i], text) == 0)
			return i;
	return -1;
}

/* An unknown word makes the record invalid for a forgiving reader, too: without it the record could
 * mean something else. */
static int read_word(const struct maui_record_reader *r, const struct maui_field *f,
		     json_object *value, void *record)
{
	int word = find_word(f, value);

	if (word < 0)
		return f->or_usual ? 0 : maui_record_fault(r, f->key, "an unknown word");
	MEMBER(int, record, f->at) = word;
	return 0;
}

static int read_flags(const struct maui_record_reader *r, const struct maui_field *f,
		      json_object *array, void *record)
{
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		int word = find_word(f, json_object_array_get_idx(array, i));

		if (word >= 0)
			MEMBER(uint64_t, record, f->at) |= UINT64_C(1) << word;
		else if (maui_record_fault(r, f->key, "an unknown word"))
			return -1;
	}
	return 0;
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
		bool good = text || (f->or_null && !value);

		((const char **)list)[i] = good ? text : "";
		return good ? 0 : fault(r, f, "not a list of texts");
	}
	if (f->kind == MAUI_KIND_REALS || f->kind == MAUI_KIND_FULL_REALS)
		return read_real(r, f, value, (double *)list + i);
	if (read_whole(r, f, f->kind == MAUI_KIND_INDICES ? MAUI_KIND_COUNT : MAUI_KIND_INT, value,
		       &number))
		return -1;
	if (f->kind == MAUI_KIND_AMOUNTS && number < 0)
		return fault(r, f, "out of range");
	if (f->kind == MAUI_KIND_INDICES)
		((uint32_t *)list)[i] = (uint32_t)number;
	else
		((int64_t *)list)[i] = number;
	return 0;
}

static const char not_amounts[] = "not one number for each of `amounts`";

static int read_list(const struct maui_record_reader *r, const struct maui_field *f,
		     json_object *array, void *record)
{
	size_t count = json_object_array_length(array);
	void *list = allocate(r, count, element_size(f->kind));

	if (f->kind == MAUI_KIND_AMOUNTS && count != r->amount_count)
		return fault(r, f, not_amounts);
	if (!list || (f->count_size == sizeof(uint32_t) && count > UINT32_MAX))
		return maui_record_no_memory(r);
	for (size_t i = 0; i < count; i++)
		if (read_element(r, f, json_object_array_get_idx(array, i), list, i))
			return -1;
	return set_list(f, list, count, record);
}

/* The one before it stands before it. */
static int read_vector(const struct maui_record_reader *r, const struct maui_field *f,
		       json_object *value, int64_t *vector, size_t index)
{
	const struct maui_field numbers = { .key = f->key, .kind = MAUI_KIND_AMOUNTS };
	unsigned width = r->amount_count;

	if (!value && index > 0) {
		memcpy(vector, vector - width, width * sizeof(*vector));
		return 0;
	}
	if (!json_object_is_type(value, json_type_array) ||
	    json_object_array_length(value) != width)
		return maui_record_fault(r, f->key, not_amounts);
	for (unsigned i = 0; i < width; i++)
		if (read_element(r, &numbers, json_object_array_get_idx(value, i), vector, i))
			return -1;
	return 0;
}

static int read_vectors(const struct maui_record_reader *r, const struct maui_field *f,
			json_object *array, void *record)
{
	size_t count = get_count(f, record), width = r->amount_count;
	int64_t *list = allocate(r, count, width * sizeof(*list));

	if (!list)
		return maui_record_no_memory(r);
	if (json_object_array_length(array) != count)
		return maui_record_fault(r, f->key, "not one for each of another list");
	for (size_t i = 0; i < count; i++)
		if (read_vector(r, f, json_object_array_get_idx(array, i), list + i * width, i))
			return -1;
	MEMBER(const int64_t *, record, f->at) = list;
	return 0;
}

static int read_figures(const struct maui_record_reader *r, const struct maui_field *f,
			json_object *array, void *record)
{
	double *figures = &MEMBER(double, record, f->at);
	size_t count = json_object_array_length(array);

	for (size_t i = 0; i < count && i < f->room / sizeof(*figures); i++) {
		json_object *value = json_object_array_get_idx(array, i);

		figures[i] = json_object_get_double(value);
		if ((!json_object_is_type(value, json_type_int) &&
		     !json_object_is_type(value, json_type_double)) ||
		    !isfinite(figures[i]) || figures[i] < 0) {
			memset(figures, 0, f->room);
			return fault(r, f, "not a list of numbers that are at least 0");
		}
	}
	return 0;
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

/* Of a label: a list of texts is so many labels; an empty one an empty text. */
static size_t count_values(json_object *value)
{
	size_t count =
		json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 1;

	return count > 0 ? count : 1;
}

static int read_label(const struct maui_record_reader *r, const char *key, json_object *value,
		      struct maui_label *ret)
{
	const char *text = text_of(value);

	*ret = (struct maui_label){ key, text ? text : "" };
	return text ? 0 : maui_record_fault(r, key, "not a text");
}

static int read_labels(const struct maui_record_reader *r, const struct maui_field *f,
		       json_object *object, void *record)
{
	size_t count = 0, at = 0;
	struct maui_label *labels;

	json_object_object_foreach(object, counted, values)
	{
		(void)counted;
		count += count_values(values);
	}
	labels = allocate(r, count, sizeof(*labels));
	if (!labels)
		return maui_record_no_memory(r);
	json_object_object_foreach(object, key, value)
	{
		bool is_list = json_object_is_type(value, json_type_array);
		size_t length = is_list ? json_object_array_length(value) : 1;

		if (length == 0)
			labels[at++] = (struct maui_label){ key, "" };
		for (size_t i = 0; i < length; i++)
			if (read_label(r, key,
				       is_list ? json_object_array_get_idx(value, i) : value,
				       &labels[at++]))
				return -1;
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

		if (f->kind == MAUI_KIND_WITHIN)
			clear_members(r, f->of, &MEMBER(char, record, f->at));
		else if (f->kind == MAUI_KIND_TEXT && is_lenient(r) && !f->maybe && !f->nullable)
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

/* Messages name the element of the outermost list. */
static void enter_element(struct maui_record_reader *inner, const struct maui_record_reader *r,
			  const struct maui_field *f, size_t index)
{
	if (r->list)
		return;
	inner->list = f->key;
	inner->index = index;
}

static int read_objects(const struct maui_record_reader *r, const struct maui_field *f,
			json_object *array, void *record)
{
	struct maui_record_reader inner = *r;
	size_t count = json_object_array_length(array), left = 0;
	char *list = allocate(r, count, f->of->size);

	if (!list || (f->count_size == sizeof(uint32_t) && count > UINT32_MAX))
		return maui_record_no_memory(r);
	for (size_t i = 0; i < count; i++) {
		int rc;

		enter_element(&inner, r, f, i);
		rc = read_members(&inner, f->of, json_object_array_get_idx(array, i),
				  list + left * f->of->size);
		if (rc == 0)
			left++;
		else if (rc == MAUI_RECORD_NO_MEMORY || !r->forgiving || f->needed)
			return rc;
		else if (r->left_out)
			++*r->left_out;
	}
	return set_list(f, list, left, record);
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
		int rc = read_members(&inner, f->of, value, one);

		if (rc)
			return rc;
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

/* The keys of the rows: the list of COLUMNS of the same record. NULL: none, and rows have
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
	int rc = 0;

	if (!json_object_is_type(row, json_type_array))
		return maui_record_fault(r, NULL, "not a list");
	for (size_t i = 0; i < count && rc == 0; i++)
		if (columns[i])
			rc = read_value(r, columns[i], json_object_array_get_idx(row, i), record);
	return rc;
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
	for (size_t i = 0; i < count; i++) {
		char *row = list + i * f->of->size;
		int rc;

		enter_element(&inner, r, f, i);
		clear_members(r, f->of, row);
		rc = read_cells(&inner, fields, columns, json_object_array_get_idx(array, i), row);
		if (rc)
			return rc;
	}
	return set_list(f, list, count, record);
}

/* The structs may be there already, from a list before this one. NULL: no values. */
static int read_values(const struct maui_record_reader *r, const struct maui_field *f,
		       json_object *array, void *record)
{
	size_t count = array ? json_object_array_length(array) : 0;
	char *list = MEMBER(char *, record, f->at);
	int rc = 0;

	if (!list && !(list = allocate(r, count, f->of->size)))
		return maui_record_no_memory(r);
	if (!MEMBER(char *, record, f->at))
		set_list(f, list, count, record);
	if (get_count(f, record) != count && r->err)
		return maui_record_fault(r, f->key, "not one for each of another list");
	for (size_t i = 0; i < count && i < get_count(f, record) && rc == 0; i++)
		rc = read_value(r, f->of->fields, json_object_array_get_idx(array, i),
				list + i * f->of->size);
	return rc;
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
	       kind == MAUI_KIND_AMOUNTS || kind == MAUI_KIND_LIST || kind == MAUI_KIND_FLAGS ||
	       kind == MAUI_KIND_VECTORS || kind == MAUI_KIND_FIGURES || kind == MAUI_KIND_VALUES;
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
		return fault(r, f, "not a list");
	if (!is_list(f->kind) && !json_object_is_type(value, json_type_object))
		return fault(r, f, "not an object");
	switch (f->kind) {
	case MAUI_KIND_ONE:
		return read_one(r, f, value, record);
	case MAUI_KIND_LIST:
		return read_objects(r, f, value, record);
	case MAUI_KIND_KEYED:
		return read_keyed(r, f, value, record);
	case MAUI_KIND_MAP:
	case MAUI_KIND_EXACT_MAP:
		return read_map(r, f, value, record);
	case MAUI_KIND_LABELS:
		return read_labels(r, f, value, record);
	case MAUI_KIND_COUNTS:
		return read_counts(r, f, value, record);
	case MAUI_KIND_WITHIN:
		return read_members(r, f->of, value, &MEMBER(char, record, f->at));
	case MAUI_KIND_FLAGS:
		return read_flags(r, f, value, record);
	case MAUI_KIND_VECTORS:
		return read_vectors(r, f, value, record);
	case MAUI_KIND_FIGURES:
		return read_figures(r, f, value, record);
	case MAUI_KIND_VALUES:
		return read_values(r, f, value, record);
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
		return f->needed ? maui_record_fault(r, f->key, "absent") : 0;
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
			return fault(r, f, "not true or false");
		MEMBER(bool, record, f->at) = json_object_get_boolean(value);
		return 0;
	case MAUI_KIND_TEXT:
	case MAUI_KIND_CHARS:
	case MAUI_KIND_HEX:
		return read_text(r, f, value, record);
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
	return is_lenient(r) && f->kind == MAUI_KIND_ONE && !f->nullable &&
	       !json_object_is_type(value, json_type_object);
}

static int read_member(const struct maui_record_reader *r, const struct maui_record_type *type,
		       const struct maui_field *f, json_object *object, void *record)
{
	json_object *value = NULL;
	bool absent = !json_object_object_get_ex(object, f->key, &value) ||
		      (!value && r->null_is_absent && f->kind != MAUI_KIND_TIME);

	if (f->kind == MAUI_KIND_PART)
		return read_part(r, f, object, record);
	if (is_missed(r, f, value))
		return read_one(r, f, NULL, record);
	if (absent && f->needed)
		return maui_record_fault(r, f->key, "absent");
	if (f->kind == MAUI_KIND_VALUES && !value)
		return read_values(r, f, NULL, record);
	if (absent || f->kind == MAUI_KIND_COLUMNS)
		return 0;
	if (f->kind == MAUI_KIND_ROWS && (value || !f->nullable))
		return json_object_is_type(value, json_type_array) ?
			       read_rows(r, f, value, column_keys(type, f, object), record) :
			       fault(r, f, "not a list");
	return read_value(r, f, value, record);
}

static int read_members(const struct maui_record_reader *r, const struct maui_record_type *type,
			json_object *object, void *record)
{
	int rc = 0;

	clear_members(r, type, record);
	if (!is_lenient(r) && !json_object_is_type(object, json_type_object))
		return maui_record_fault(r, NULL, "not an object");
	for (size_t i = 0; i < type->count && rc == 0; i++)
		rc = read_member(r, type, &type->fields[i], object, record);
	return rc;
}

int maui_record_read(const struct maui_record_reader *r, const struct maui_record_type *type,
		     json_object *object, void *ret)
{
	if (object || is_lenient(r))
		return read_members(r, type, object, ret);
	clear_members(r, type, ret);
	return 0;
}
