/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write.c - the one writer of JSON */

#include "record/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/member.h"
#include "record/parse.h"

static void add(struct maui_strbuf *out, const char *text)
{
	maui_strbuf_add(out, text, strlen(text));
}

/* Before a value of a list or an object: a comma, unless it is the first. */
static void separate(const struct maui_record_writer *w)
{
	char last = w->out->length > 0 ? w->out->text[w->out->length - 1] : '[';

	if (last != '[' && last != '{' && last != ':')
		add(w->out, w->spaced ? ", " : ",");
}

/* ---- single values ---- */

static bool is_plain(const struct maui_record_writer *w, char c)
{
	return (unsigned char)c >= 0x20 && c != '"' && c != '\\' &&
	       c != (w->short_escapes ? '/' : 0x7f);
}

static void escape(const struct maui_record_writer *w, char c)
{
	static const char shorts[] = "\b\f\n\r\t\"\\/", letters[] = "bfnrt\"\\/";
	const char *at = w->short_escapes ? strchr(shorts, c) : NULL;

	if (at)
		maui_strbuf_addf(w->out, "\\%c", letters[at - shorts]);
	else
		maui_strbuf_addf(w->out, "\\u%04x", (unsigned)(unsigned char)c);
}

static void write_text(const struct maui_record_writer *w, const char *text)
{
	size_t plain;

	if (!text) {
		add(w->out, "null");
		return;
	}
	add(w->out, "\"");
	for (; *text; text++) {
		for (plain = 0; is_plain(w, text[plain]); plain++)
			;
		maui_strbuf_add(w->out, text, plain);
		text += plain;
		if (!*text)
			break;
		escape(w, *text);
	}
	add(w->out, "\"");
}

void maui_record_write_text(struct maui_strbuf *out, const char *text)
{
	write_text(&(struct maui_record_writer){ .out = out }, text);
}

static void write_int(struct maui_strbuf *out, int64_t number)
{
	char digits[24], *at = digits + sizeof(digits);
	uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	do
		*--at = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	if (number < 0)
		*--at = '-';
	maui_strbuf_add(out, at, (size_t)(digits + sizeof(digits) - at));
}

static void write_key(const struct maui_record_writer *w, const char *key)
{
	separate(w);
	write_text(w, key);
	add(w->out, w->spaced ? ": " : ":");
}

/* Most numbers of long lists are whole ones, which printf() takes its time for. */
static bool is_whole(double number)
{
	return fabs(number) < 1e15 && number == (double)(int64_t)number;
}

/* JSON has no infinity. */
static void write_number(struct maui_strbuf *out, const char *format, double number)
{
	char text[400];

	if (format[strlen(format) - 1] == 'g' && is_whole(number)) {
		write_int(out, (int64_t)number);
		return;
	}
	snprintf(text, sizeof(text), format, isfinite(number) ? number : 0.0);
	add(out, text);
}

static void write_real(struct maui_strbuf *out, const char *format, double number)
{
	size_t at = out->length;

	write_number(out, format, number);
	/* the type of a value does not change from job to job */
	if (!out->failed && !strpbrk(out->text + at, ".e"))
		add(out, ".0");
}

static const char exact[] = "%.17g";

static const char *real_format(enum maui_kind kind)
{
	return kind == MAUI_KIND_REAL       ? "%.15g" :
	       kind == MAUI_KIND_EXACT      ? exact :
	       kind == MAUI_KIND_MILLIONTHS ? "%.6f" :
	       kind == MAUI_KIND_ROUNDED    ? "%.4f" :
	       kind == MAUI_KIND_HUNDREDTHS ? "%.2f" :
					      NULL;
}

/* A field that is a whole number; false: it is something else. */
static bool get_whole(const struct maui_field *f, const void *record, int64_t *ret)
{
	switch (f->kind) {
	case MAUI_KIND_INT:
	case MAUI_KIND_TIME:
		*ret = VALUE(int64_t, record, f->at);
		return true;
	case MAUI_KIND_SMALL:
		*ret = VALUE(int32_t, record, f->at);
		return true;
	case MAUI_KIND_COUNT:
		*ret = VALUE(uint32_t, record, f->at);
		return true;
	case MAUI_KIND_ID:
		*ret = (int64_t)VALUE(uint64_t, record, f->at);
		return true;
	default:
		return false;
	}
}

static const char *word(const struct maui_field *f, const void *record)
{
	return f->words[VALUE(int, record, f->at)];
}

/* ---- lists ---- */

static void write_element(const struct maui_record_writer *w, enum maui_kind kind, const void *list,
			  size_t i)
{
	struct maui_strbuf *out = w->out;

	separate(w);
	if (kind == MAUI_KIND_TEXTS)
		write_text(w, ((const char *const *)list)[i]);
	else if (kind == MAUI_KIND_INDICES)
		write_int(out, ((const uint32_t *)list)[i]);
	else if (kind == MAUI_KIND_REALS)
		write_real(out, "%.4f", ((const double *)list)[i]);
	else if (kind == MAUI_KIND_FULL_REALS)
		write_real(out, "%.15g", ((const double *)list)[i]);
	else
		write_int(out, ((const int64_t *)list)[i]);
}

static void write_list(const struct maui_record_writer *w, enum maui_kind kind, const void *list,
		       size_t count)
{
	add(w->out, "[");
	for (size_t i = 0; i < count; i++)
		write_element(w, kind, list, i);
	add(w->out, "]");
}

/* Vectors of the same amounts as the one before are null. */
static void write_vectors(const struct maui_record_writer *w, const int64_t *list, size_t count)
{
	const size_t width = w->amount_count, size = width * sizeof(*list);

	add(w->out, "[");
	for (size_t i = 0; i < count; i++, list += width) {
		separate(w);
		if (i > 0 && memcmp(list, list - width, size) == 0)
			add(w->out, "null");
		else
			write_list(w, MAUI_KIND_AMOUNTS, list, width);
	}
	add(w->out, "]");
}

static void write_figures(const struct maui_record_writer *w, const double *figures, size_t count)
{
	add(w->out, "[");
	for (size_t i = 0; i < count; i++) {
		separate(w);
		write_number(w->out, "%.15g", figures[i]);
	}
	add(w->out, "]");
}

static void write_flags(const struct maui_record_writer *w, const char *const *words,
			uint64_t flags)
{
	add(w->out, "[");
	for (int i = 0; words[i]; i++)
		if (flags & (UINT64_C(1) << i)) {
			separate(w);
			write_text(w, words[i]);
		}
	add(w->out, "]");
}

static void write_map(const struct maui_record_writer *w, enum maui_kind kind,
		      const struct maui_pair *pairs, size_t count)
{
	add(w->out, "{");
	for (size_t i = 0; i < count; i++) {
		write_key(w, pairs[i].key);
		if (kind == MAUI_KIND_EXACT_MAP)
			write_number(w->out, exact, pairs[i].value);
		else
			write_real(w->out, "%.15g", pairs[i].value);
	}
	add(w->out, "}");
}

/* How many labels from here on have the same key. */
static size_t count_same(const struct maui_label *labels, size_t count)
{
	size_t same = 1;

	while (same < count && strcmp(labels[same].key, labels[0].key) == 0)
		same++;
	return same;
}

static void write_labels(const struct maui_record_writer *w, const struct maui_label *labels,
			 size_t count)
{
	size_t same;

	add(w->out, "{");
	for (size_t i = 0; i < count; i += same) {
		same = count_same(&labels[i], count - i);
		write_key(w, labels[i].key);
		add(w->out, same > 1 ? "[" : "");
		for (size_t n = 0; n < same; n++) {
			separate(w);
			write_text(w, labels[i + n].value);
		}
		add(w->out, same > 1 ? "]" : "");
	}
	add(w->out, "}");
}

static void write_counts(const struct maui_record_writer *w, const struct maui_count *counts,
			 size_t count)
{
	add(w->out, "{");
	for (size_t i = 0; i < count; i++) {
		write_key(w, counts[i].key);
		write_int(w->out, counts[i].value);
	}
	add(w->out, "}");
}

/* ---- records ---- */

static void write_value(const struct maui_record_writer *w, const struct maui_record_type *type,
			const struct maui_field *f, const void *record);

static void write_object(const struct maui_record_writer *w, const struct maui_record_type *type,
			 const void *record)
{
	add(w->out, "{");
	maui_record_write_members(w, type, record);
	add(w->out, "}");
}

void maui_record_begin_list(const struct maui_record_writer *w, const char *key)
{
	write_key(w, key);
	add(w->out, "[");
}

static bool has_lines(const struct maui_record_writer *w, const struct maui_record_type *type)
{
	return w->spaced && type->line;
}

void maui_record_write_element(const struct maui_record_writer *w,
			       const struct maui_record_type *type, const void *record)
{
	if (!has_lines(w, type))
		separate(w);
	else if (w->out->length > 0)
		add(w->out, w->out->text[w->out->length - 1] == '[' ? "\n" : ",\n");
	write_object(w, type, record);
}

void maui_record_end_list(const struct maui_record_writer *w, const struct maui_record_type *type)
{
	add(w->out, has_lines(w, type) ? "\n]" : "]");
}

/* How many members rows have: what the COLUMNS of these rows say. */
static size_t count_columns(const struct maui_record_type *type, const struct maui_field *rows,
			    const void *record)
{
	for (size_t i = 0; i < type->count; i++) {
		const struct maui_field *f = &type->fields[i];

		if (f->kind == MAUI_KIND_COLUMNS && f->of == rows->of)
			return VALUE(size_t, record, f->at);
	}
	return rows->of->count;
}

static void write_columns(const struct maui_record_writer *w, const struct maui_record_type *of,
			  size_t count)
{
	add(w->out, "[");
	for (size_t i = 0; i < count; i++) {
		separate(w);
		write_text(w, of->fields[i].key);
	}
	add(w->out, "]");
}

static void write_rows(const struct maui_record_writer *w, const struct maui_record_type *type,
		       const struct maui_field *f, const void *record)
{
	const char *row = VALUE(char *, record, f->at);
	size_t count = get_count(f, record), columns = count_columns(type, f, record);

	add(w->out, "[");
	for (size_t i = 0; i < count; i++, row += f->of->size) {
		separate(w);
		add(w->out, "[");
		for (size_t c = 0; c < columns; c++) {
			separate(w);
			write_value(w, f->of, &f->of->fields[c], row);
		}
		add(w->out, "]");
	}
	add(w->out, "]");
}

static void write_objects(const struct maui_record_writer *w, const struct maui_field *f,
			  const void *record)
{
	const char *one = VALUE(char *, record, f->at);
	size_t count = get_count(f, record);

	add(w->out, "[");
	for (size_t i = 0; i < count; i++, one += f->of->size)
		maui_record_write_element(w, f->of, one);
	maui_record_end_list(w, f->of);
}

static void write_values(const struct maui_record_writer *w, const struct maui_field *f,
			 const void *record)
{
	const char *one = VALUE(char *, record, f->at);
	size_t count = get_count(f, record);

	add(w->out, "[");
	for (size_t i = 0; i < count; i++, one += f->of->size) {
		separate(w);
		write_value(w, f->of, f->of->fields, one);
	}
	add(w->out, "]");
}

static void write_keyed(const struct maui_record_writer *w, const struct maui_field *f,
			const void *record)
{
	struct maui_record_type others = *f->of; /* all members but the key */
	const char *one = VALUE(char *, record, f->at);
	size_t count = get_count(f, record);

	others.fields++;
	others.count--;
	add(w->out, "{");
	for (size_t i = 0; i < count; i++, one += f->of->size) {
		write_key(w, VALUE(char *, one, f->of->fields[0].at));
		write_object(w, &others, one);
	}
	add(w->out, "}");
}

/* What the struct does not have a pointer to. false: it does. */
static bool write_inside(const struct maui_record_writer *w, const struct maui_field *f,
			 const void *record)
{
	const void *at = (const char *)record + f->at;

	switch (f->kind) {
	case MAUI_KIND_CHARS:
		write_text(w, at);
		return true;
	case MAUI_KIND_HEX:
		maui_strbuf_addf(w->out, "\"%" PRIx64 "\"", *(const uint64_t *)at);
		return true;
	case MAUI_KIND_FLAGS:
		write_flags(w, f->words, *(const uint64_t *)at);
		return true;
	case MAUI_KIND_FIGURES:
		write_figures(w, at, f->room / sizeof(double));
		return true;
	case MAUI_KIND_WITHIN:
		write_object(w, f->of, at);
		return true;
	default:
		return false;
	}
}

static void write_other(const struct maui_record_writer *w, const struct maui_record_type *type,
			const struct maui_field *f, const void *record)
{
	const void *pointer = f->kind == MAUI_KIND_COLUMNS ? NULL : VALUE(void *, record, f->at);

	switch (f->kind) {
	case MAUI_KIND_ONE:
		if (pointer)
			write_object(w, f->of, pointer);
		else
			write_text(w, NULL);
		return;
	case MAUI_KIND_LIST:
		write_objects(w, f, record);
		return;
	case MAUI_KIND_ROWS:
		if (pointer || !f->nullable)
			write_rows(w, type, f, record);
		else
			write_text(w, NULL);
		return;
	case MAUI_KIND_COLUMNS:
		write_columns(w, f->of, VALUE(size_t, record, f->at));
		return;
	case MAUI_KIND_KEYED:
		write_keyed(w, f, record);
		return;
	case MAUI_KIND_RAW:
		add(w->out, pointer ? pointer : "null");
		return;
	case MAUI_KIND_MAP:
	case MAUI_KIND_EXACT_MAP:
		if (f->nullable && !pointer)
			write_text(w, NULL);
		else
			write_map(w, f->kind, pointer, get_count(f, record));
		return;
	case MAUI_KIND_LABELS:
		write_labels(w, pointer, get_count(f, record));
		return;
	case MAUI_KIND_COUNTS:
		write_counts(w, pointer, get_count(f, record));
		return;
	case MAUI_KIND_VALUES:
		write_values(w, f, record);
		return;
	case MAUI_KIND_VECTORS:
		write_vectors(w, pointer, get_count(f, record));
		return;
	case MAUI_KIND_AMOUNTS:
		write_list(w, f->kind, pointer, w->amount_count);
		return;
	default:
		write_list(w, f->kind, pointer, get_count(f, record));
	}
}

static void write_value(const struct maui_record_writer *w, const struct maui_record_type *type,
			const struct maui_field *f, const void *record)
{
	const char *format = real_format(f->kind);
	int64_t number;

	if (get_whole(f, record, &number)) {
		if ((f->kind == MAUI_KIND_TIME || f->nullable) && number == MAUI_NEVER)
			write_text(w, NULL);
		else
			write_int(w->out, number);
	} else if (format && f->nullable && isnan(VALUE(double, record, f->at))) {
		write_text(w, NULL);
	} else if (f->kind == MAUI_KIND_EXACT) {
		write_number(w->out, format, VALUE(double, record, f->at));
	} else if (format) {
		write_real(w->out, format, VALUE(double, record, f->at));
	} else if (f->kind == MAUI_KIND_BOOL || f->kind == MAUI_KIND_TRUE) {
		add(w->out, VALUE(bool, record, f->at) ? "true" : "false");
	} else if (f->kind == MAUI_KIND_TEXT) {
		write_text(w, VALUE(char *, record, f->at));
	} else if (f->kind == MAUI_KIND_WORD) {
		write_text(w, word(f, record));
	} else if (!write_inside(w, f, record)) {
		write_other(w, type, f, record);
	}
}

static bool is_zero(const double *figures, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (figures[i] != 0)
			return false;
	return true;
}

/* Whether the field has the value that an absent one is given. */
static bool is_usual(const struct maui_field *f, const void *record)
{
	int64_t number;

	if (get_whole(f, record, &number))
		return number == f->usual;
	if (real_format(f->kind))
		return VALUE(double, record, f->at) == 0;
	if (f->kind == MAUI_KIND_BOOL || f->kind == MAUI_KIND_TRUE)
		return !VALUE(bool, record, f->at);
	if (f->kind == MAUI_KIND_WORD)
		return VALUE(int, record, f->at) == f->usual;
	if (f->kind == MAUI_KIND_CHARS)
		return VALUE(char, record, f->at) == '\0';
	if (f->kind == MAUI_KIND_HEX || f->kind == MAUI_KIND_FLAGS)
		return VALUE(uint64_t, record, f->at) == 0;
	if (f->kind == MAUI_KIND_FIGURES)
		return is_zero((const double *)((const char *)record + f->at),
			       f->room / sizeof(double));
	if (f->kind == MAUI_KIND_WITHIN)
		return false;
	if (f->count_size)
		return get_count(f, record) == 0;
	return !VALUE(void *, record, f->at);
}

static bool is_absent(const struct maui_record_type *type, const struct maui_field *f,
		      const void *record)
{
	int64_t number;

	if (type->sparse && !f->always && !f->needed && is_usual(f, record))
		return true;
	if (f->maybe && get_whole(f, record, &number))
		return number == f->usual;
	if (f->kind == MAUI_KIND_TRUE)
		return !VALUE(bool, record, f->at);
	return (f->maybe || f->kind == MAUI_KIND_AMOUNTS) && !VALUE(void *, record, f->at);
}

void maui_record_write_members(const struct maui_record_writer *w,
			       const struct maui_record_type *type, const void *record)
{
	for (size_t i = 0; i < type->count; i++) {
		const struct maui_field *f = &type->fields[i];

		if (f->kind == MAUI_KIND_PART) {
			if (VALUE(void *, record, f->at))
				maui_record_write_members(w, f->of, VALUE(void *, record, f->at));
		} else if (!is_absent(type, f, record)) {
			write_key(w, f->key);
			write_value(w, type, f, record);
		}
	}
}

void maui_record_write(struct maui_strbuf *out, const struct maui_record_type *type,
		       const void *record)
{
	write_object(&(struct maui_record_writer){ .out = out }, type, record);
}

json_object *maui_record_json(const struct maui_record_type *type, const void *record)
{
	struct maui_strbuf out = { 0 };
	json_object *object;
	char *text;

	maui_record_write(&out, type, record);
	text = maui_strbuf_steal(&out);
	object = text ? json_object_new_object() : NULL;
	if (object)
		json_object_set_serializer(object, json_object_userdata_to_json_string, text,
					   json_object_free_userdata);
	else
		free(text);
	return object;
}

const char *maui_record_json_text(json_object *object)
{
	return json_object_is_type(object, json_type_object) ? json_object_get_userdata(object) :
							       NULL;
}

json_object *maui_record_object(const struct maui_record_type *type, const void *record)
{
	static const struct maui_json_bounds bounds = { .depth = JSON_TOKENER_DEFAULT_DEPTH };
	struct maui_strbuf out = { 0 };
	json_object *object = NULL;

	maui_record_write(&out, type, record);
	if (!out.failed && maui_json_parse(out.text, out.length, &bounds, &object, NULL))
		object = NULL;
	maui_strbuf_finish(&out);
	return object;
}
