/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name_list.c - the names of a job's request */

#include "slurm/compat.h"

#include "controller/name_list.h"

#include <string.h>

static bool is_among(const struct maui_name_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->names[i], name) == 0)
			return true;
	return false;
}

void maui_name_list_split(const char *text, struct maui_name_list *ret_list)
{
	char *save = NULL;

	*ret_list = (struct maui_name_list){ 0 };
	if (!text)
		return;
	ret_list->copy = xstrdup(text);
	ret_list->names = xcalloc(strlen(text) / 2 + 1, sizeof(*ret_list->names));
	for (char *name = strtok_r(ret_list->copy, ",", &save); name;
	     name = strtok_r(NULL, ",", &save))
		if (!is_among(ret_list, name))
			ret_list->names[ret_list->count++] = name;
}

void maui_name_list_finish(struct maui_name_list *list)
{
	xfree(list->names);
	xfree(list->copy);
}
