/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name_list.h - the names of a job's request: "a,b" of --partition, --qos or --reservation
 *
 * Memory is Slurm's (xmalloc), as that of the request.
 */
#ifndef MAUI_CONTROLLER_NAME_LIST_H
#define MAUI_CONTROLLER_NAME_LIST_H

#include <stddef.h>

/* Without duplicates, in the order of the request. */
struct maui_name_list {
	char *copy; /* memory of the names */
	const char **names;
	size_t count;
};

/* NULL: no names. Takes the square of the number of names, so callers bound the text. */
void maui_name_list_split(const char *text, struct maui_name_list *ret_list);
void maui_name_list_finish(struct maui_name_list *list);

#endif
