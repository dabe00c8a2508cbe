/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sort.c - sorts rows that are made from several lists */
#include "config/schema/schema.h"

#include <string.h>
#include <strings.h>

/* By insertion: most rows stand in order, and rows of one name stay as they are. */
void maui_schema_sort(struct maui_param *rows, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const struct maui_param row = rows[i];
		size_t at = i;

		while (at > 0 && strcasecmp(rows[at - 1].name, row.name) > 0)
			at--;
		memmove(&rows[at + 1], &rows[at], (i - at) * sizeof(rows[0]));
		rows[at] = row;
	}
}
