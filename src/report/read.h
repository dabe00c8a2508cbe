/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.h - reads an answer: what is missing or of another type is "", 0, an empty list
 *
 * Numbers are cut to +-1e15, so that an answer of a broken server overflows nothing: sums and
 * differences of a thousand of them stay within 64 bits.
 */
#ifndef MAUI_REPORT_READ_H
#define MAUI_REPORT_READ_H

#include <json-c/json.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "model/when.h"

static inline json_object *maui_read(json_object *object, const char *key)
{
	json_object *value = NULL;

	return json_object_is_type(object, json_type_object) &&
			       json_object_object_get_ex(object, key, &value) ?
		       value :
		       NULL;
}

static inline const char *maui_read_text(json_object *object, const char *key)
{
	json_object *value = maui_read(object, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

#define MAUI_READ_MOST INT64_C(1000000000000000)

static inline int64_t maui_read_int(json_object *value)
{
	int64_t number = json_object_get_int64(value);

	return number > MAUI_READ_MOST  ? MAUI_READ_MOST :
	       number < -MAUI_READ_MOST ? -MAUI_READ_MOST :
					  number;
}

static inline int64_t maui_read_number(json_object *object, const char *key)
{
	return maui_read_int(maui_read(object, key));
}

static inline double maui_read_double(json_object *value)
{
	double number = json_object_get_double(value);

	return isnan(number) ? 0 :
			       fmax(fmin(number, (double)MAUI_READ_MOST), -(double)MAUI_READ_MOST);
}

static inline double maui_read_real(json_object *object, const char *key)
{
	return maui_read_double(maui_read(object, key));
}

/* A moment; null and absent: MAUI_NEVER. */
static inline int64_t maui_read_time(json_object *object, const char *key)
{
	json_object *value = maui_read(object, key);

	return value ? maui_read_int(value) : MAUI_NEVER;
}

static inline size_t maui_read_length(json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

static inline json_object *maui_read_element(json_object *array, size_t index)
{
	return index < maui_read_length(array) ? json_object_array_get_idx(array, index) : NULL;
}

static inline int64_t maui_read_element_number(json_object *array, size_t index)
{
	return maui_read_int(maui_read_element(array, index));
}

#endif
