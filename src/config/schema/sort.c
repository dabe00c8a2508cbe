/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sort.c - sorts rows that are made from several lists */
#include "config/schema/schema.h"

#include <stdlib.h>
#include <strings.h>

/* Rows of one name keep their order. */
static int by_name(const void *a, const void *b)
{
	const struct maui_param *one = a, *two = b;
	int order = strcasecmp(one->name, two->name);

	return order ? order : (one->place > two->place) - (one->place < two->place);
}

void maui_schema_sort(struct maui_param *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rows[i].place = i;
	qsort(rows, count, sizeof(*rows), by_name);
}
