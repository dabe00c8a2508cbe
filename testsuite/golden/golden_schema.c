/* SPDX-License-Identifier: GPL-2.0-or-later */
/* golden_schema.c - the parameters that the schema says are honoured, and the case that proves each
 *
 * Rules: CFG-10.
 */

#include "golden.h"

static bool is_honoured(const struct maui_param *row)
{
	return row->status == MAUI_HONOURED || row->status == MAUI_DIFFERENT;
}

void golden_each_honoured(void (*each)(const char *name, const char *test, void *data), void *data)
{
	char name[128];

	for (size_t i = 0; i < maui_schema_param_count; i++)
		if (is_honoured(&maui_schema_params[i]))
			each(maui_schema_params[i].name, maui_schema_params[i].test, data);
	for (size_t i = 0; i < maui_schema_attr_count; i++) {
		const struct maui_param *attr = &maui_schema_attrs[i];

		if (!is_honoured(attr))
			continue;
		snprintf(name, sizeof(name), "%s.%s",
			 maui_schema_family_name(attr->family & ~(attr->family - 1)), attr->name);
		each(name, attr->test, data);
	}
}
