/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write.c - the one writer of JSON */

#include "record/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE(type, record, offset) (*(const type *)((const char *)(record) + (offset)))

struct writer {
	struct maui_strbuf *out;
	unsigned amount_count;
};

static void add(struct maui_strbuf *out, const char *text)
{
	maui_strbuf_add(out, text, strlen(text));
}

/* Before a value of a list or an object: a comma, unless it is the first. */
static void separate(struct maui_strbuf *out)
{
	char last = out->length > 0 ? out->text[out->length - 1] : '[';

	if (last != '[' && last != '{' && last != ':')
		add(out, ",");
}

/* ---- single values ---- */

void maui_record_write_text(struct maui_strbuf *out, const char *text)
{
	size_t plain;

	if (!text) {
		add(out, "null");
		return;
	}
	add(out, "\"");
	for (; *text; text++) {
		for (plain = 0; (unsigned char)text[plain] >= 0x20 && text[plain] != '"' &&
				text[plain] != '\\' && text[plain] != 0x7f;
		     plain++)
			;
		maui_strbuf_add(out, text, plain);
		text += plain;
		if (!*text)
			break;
		maui_strbuf_addf(out, "\\u%04x", (unsigned)(unsigned char)*text);
	}
	add(out, "\"");
}

void maui_record_write_int(struct maui_strbuf *out, int64_t number)
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

void maui_record_write_key(struct maui_strbuf *out, const char *key)
{
	separate(out);
	add(out, "\"");
	add(out, key);
	add(out, "\":");
}

/* JSON has no infinity. */
static void write_real(struct maui_strbuf *out, const char *format, double number)
{
	char text[400];

	snprintf(text, sizeof(text), format, isfinite(number) ? number : 0.0);
	add(out, text);
	/* the type of a value does not change from job to job */
	if (!strpbrk(text, ".e"))
		add(out, ".0");
}

/* Most numbers of long lists are whole ones, which printf() takes its time for. */
static void write_full_real(struct maui_strbuf *out, double number)
{
	if (fabs(number) < 1e15 && number == (double)(int64_t)number) {
		maui_record_write_int(out, (int64_t)number);
		add(out, ".0");
	} else {
		write_real(out, "%.15g", number);
	}
}

static const char *real_format(enum maui_kind kind)
{
	return kind == MAUI_KIND_REAL       ? "%.15g" :
	       kind == MAUI_KIND_EXACT      ? "%.17g" :
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

static size_t get_count(const struct maui_field *f, const void *record)
{
	return f->count_size == sizeof(uint32_t) ? VALUE(uint32_t, record, f->count_at) :
						   VALUE(size_t, record, f->count_at);
}

static void write_element(struct maui_strbuf *out, enum maui_kind kind, const void *list, size_t i)
{
	separate(out);
	if (kind == MAUI_KIND_TEXTS)
		maui_record_write_text(out, ((const char *const *)list)[i]);
	else if (kind == MAUI_KIND_INDICES)
		maui_record_write_int(out, ((const uint32_t *)list)[i]);
	else if (kind == MAUI_KIND_REALS)
		write_real(out, "%.4f", ((const double *)list)[i]);
	else if (kind == MAUI_KIND_FULL_REALS)
		write_full_real(out, ((const double *)list)[i]);
	else
		maui_record_write_int(out, ((const int64_t *)list)[i]);
}

static void write_list(struct maui_strbuf *out, enum maui_kind kind, const void *list, size_t count)
{
	add(out, "[");
	for (size_t i = 0; i < count; i++)
		write_element(out, kind, list, i);
	add(out, "]");
}

static void write_map(struct maui_strbuf *out, const struct maui_pair *pairs, size_t count)
{
	add(out, "{");
	for (size_t i = 0; i < count; i++) {
		maui_record_write_key(out, pairs[i].key);
		write_real(out, "%.15g", pairs[i].value);
	}
	add(out, "}");
}

static void write_labels(struct maui_strbuf *out, const struct maui_label *labels, size_t count)
{
	add(out, "{");
	for (size_t i = 0; i < count; i++) {
		maui_record_write_key(out, labels[i].key);
		maui_record_write_text(out, labels[i].value);
	}
	add(out, "}");
}

static void write_counts(struct maui_strbuf *out, const struct maui_count *counts, size_t count)
{
	add(out, "{");
	for (size_t i = 0; i < count; i++) {
		maui_record_write_key(out, counts[i].key);
		maui_record_write_int(out, counts[i].value);
	}
	add(out, "}");
}

/* ---- records ---- */

static void write_members(const struct writer *w, const struct maui_record_type *type,
			  const void *record);
static void write_value(const struct writer *w, const struct maui_record_type *type,
			const struct maui_field *f, const void *record);

static void write_object(const struct writer *w, const struct maui_record_type *type,
			 const void *record)
{
	add(w->out, "{");
	write_members(w, type, record);
	add(w->out, "}");
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

static void write_columns(struct maui_strbuf *out, const struct maui_record_type *of, size_t count)
{
	add(out, "[");
	for (size_t i = 0; i < count; i++) {
		separate(out);
		maui_record_write_text(out, of->fields[i].key);
	}
	add(out, "]");
}

static void write_rows(const struct writer *w, const struct maui_record_type *type,
		       const struct maui_field *f, const void *record)
{
	const char *row = VALUE(char *, record, f->at);
	size_t count = get_count(f, record), columns = count_columns(type, f, record);

	add(w->out, "[");
	for (size_t i = 0; i < count; i++, row += f->of->size) {
		add(w->out, i > 0 ? ",[" : "[");
		for (size_t c = 0; c < columns; c++) {
			separate(w->out);
			write_value(w, f->of, &f->of->fields[c], row);
		}
		add(w->out, "]");
	}
	add(w->out, "]");
}

static void write_objects(const struct writer *w, const struct maui_field *f, const void *record)
{
	const char *one = VALUE(char *, record, f->at);
	size_t count = get_count(f, record);

	add(w->out, "[");
	for (size_t i = 0; i < count; i++, one += f->of->size) {
		separate(w->out);
		write_object(w, f->of, one);
	}
	add(w->out, "]");
}

static void write_keyed(const struct writer *w, const struct maui_field *f, const void *record)
{
	struct maui_record_type others = *f->of; /* all members but the key */
	const char *one = VALUE(char *, record, f->at);
	size_t count = get_count(f, record);

	others.fields++;
	others.count--;
	add(w->out, "{");
	for (size_t i = 0; i < count; i++, one += f->of->size) {
		maui_record_write_key(w->out, VALUE(char *, one, f->of->fields[0].at));
		write_object(w, &others, one);
	}
	add(w->out, "}");
}

static void write_other(const struct writer *w, const struct maui_record_type *type,
			const struct maui_field *f, const void *record)
{
	const void *pointer = f->kind == MAUI_KIND_COLUMNS ? NULL : VALUE(void *, record, f->at);

	switch (f->kind) {
	case MAUI_KIND_ONE:
		if (pointer)
			write_object(w, f->of, pointer);
		else
			maui_record_write_text(w->out, NULL);
		return;
	case MAUI_KIND_LIST:
		write_objects(w, f, record);
		return;
	case MAUI_KIND_ROWS:
		if (pointer || !f->nullable)
			write_rows(w, type, f, record);
		else
			maui_record_write_text(w->out, NULL);
		return;
	case MAUI_KIND_COLUMNS:
		write_columns(w->out, f->of, VALUE(size_t, record, f->at));
		return;
	case MAUI_KIND_KEYED:
		write_keyed(w, f, record);
		return;
	case MAUI_KIND_RAW:
		add(w->out, pointer ? pointer : "null");
		return;
	case MAUI_KIND_MAP:
		if (f->nullable && !pointer)
			maui_record_write_text(w->out, NULL);
		else
			write_map(w->out, pointer, get_count(f, record));
		return;
	case MAUI_KIND_LABELS:
		write_labels(w->out, pointer, get_count(f, record));
		return;
	case MAUI_KIND_COUNTS:
		write_counts(w->out, pointer, get_count(f, record));
		return;
	case MAUI_KIND_AMOUNTS:
		write_list(w->out, f->kind, pointer, w->amount_count);
		return;
	default:
		write_list(w->out, f->kind, pointer, get_count(f, record));
	}
}

static void write_value(const struct writer *w, const struct maui_record_type *type,
			const struct maui_field *f, const void *record)
{
	const char *format = real_format(f->kind);
	int64_t number;

	if (get_whole(f, record, &number)) {
		if ((f->kind == MAUI_KIND_TIME || f->nullable) && number == MAUI_NEVER)
			maui_record_write_text(w->out, NULL);
		else
			maui_record_write_int(w->out, number);
	} else if (format && f->nullable && isnan(VALUE(double, record, f->at))) {
		maui_record_write_text(w->out, NULL);
	} else if (format) {
		write_real(w->out, format, VALUE(double, record, f->at));
	} else if (f->kind == MAUI_KIND_BOOL || f->kind == MAUI_KIND_TRUE) {
		add(w->out, VALUE(bool, record, f->at) ? "true" : "false");
	} else if (f->kind == MAUI_KIND_TEXT) {
		maui_record_write_text(w->out, VALUE(char *, record, f->at));
	} else if (f->kind == MAUI_KIND_WORD) {
		maui_record_write_text(w->out, word(f, record));
	} else {
		write_other(w, type, f, record);
	}
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
	if (f->count_size)
		return get_count(f, record) == 0;
	return !VALUE(void *, record, f->at);
}

static bool is_absent(const struct maui_record_type *type, const struct maui_field *f,
		      const void *record)
{
	int64_t number;

	if (type->sparse && is_usual(f, record))
		return true;
	if (f->maybe && get_whole(f, record, &number))
		return number == f->usual;
	if (f->kind == MAUI_KIND_TRUE)
		return !VALUE(bool, record, f->at);
	return (f->maybe || f->kind == MAUI_KIND_AMOUNTS) && !VALUE(void *, record, f->at);
}

static void write_members(const struct writer *w, const struct maui_record_type *type,
			  const void *record)
{
	for (size_t i = 0; i < type->count; i++) {
		const struct maui_field *f = &type->fields[i];

		if (f->kind == MAUI_KIND_PART) {
			if (VALUE(void *, record, f->at))
				write_members(w, f->of, VALUE(void *, record, f->at));
		} else if (!is_absent(type, f, record)) {
			maui_record_write_key(w->out, f->key);
			write_value(w, type, f, record);
		}
	}
}

void maui_record_write_members(struct maui_strbuf *out, const struct maui_record_type *type,
			       const void *record, unsigned amount_count)
{
	const struct writer w = { out, amount_count };

	write_members(&w, type, record);
}

void maui_record_write_amounts(struct maui_strbuf *out, const struct maui_record_type *type,
			       const void *record, unsigned amount_count)
{
	const struct writer w = { out, amount_count };

	write_object(&w, type, record);
}

void maui_record_write(struct maui_strbuf *out, const struct maui_record_type *type,
		       const void *record)
{
	maui_record_write_amounts(out, type, record, 0);
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

json_object *maui_record_object(const struct maui_record_type *type, const void *record)
{
	struct maui_strbuf out = { 0 };
	json_object *object = NULL;

	maui_record_write(&out, type, record);
	if (!out.failed)
		object = json_tokener_parse(out.text);
	maui_strbuf_finish(&out);
	return object;
}
