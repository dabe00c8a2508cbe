/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostnames.h - names of nodes, each found by a binary search */
#ifndef MAUI_BASE_HOSTNAMES_H
#define MAUI_BASE_HOSTNAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct maui_hostnames {
	const char *const *names;
	size_t count;
	const char *const **sorted; /* into names */
};

/* The names of all nodes, each once, sorted for many expressions. The names are borrowed. NULL
 * without memory. */
struct maui_hostnames *maui_hostnames_create(const char *const *names, size_t count);
void maui_hostnames_destroy(struct maui_hostnames *names); /* NULL is fine */
bool maui_hostnames_has(const struct maui_hostnames *names, const char *name);
/* The index of a name; -1: it is not there. */
ssize_t maui_hostnames_find(const struct maui_hostnames *names, const char *name);

#endif
