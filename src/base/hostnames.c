/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostnames.c - names of nodes, each found by a binary search */

#include "base/hostnames.h"

#include <stdlib.h>
#include <string.h>

static int compare_entries(const void *a, const void *b)
{
	const char *const *const *one = a;
	const char *const *const *other = b;

	return strcmp(**one, **other);
}

struct maui_hostnames *maui_hostnames_create(const char *const *names, size_t count)
{
	struct maui_hostnames *all = calloc(1, sizeof(*all));

	if (!all)
		return NULL;
	all->names = names;
	all->count = count;
	all->sorted = calloc(count ? count : 1, sizeof(*all->sorted));
	if (!all->sorted) {
		free(all);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		all->sorted[i] = &names[i];
	qsort(all->sorted, count, sizeof(*all->sorted), compare_entries);
	return all;
}

void maui_hostnames_destroy(struct maui_hostnames *all)
{
	if (!all)
		return;
	free(all->sorted);
	free(all);
}

ssize_t maui_hostnames_find(const struct maui_hostnames *all, const char *wanted)
{
	const char *const *entry = (const char *const *)&wanted;
	const char *const **found =
		bsearch(&entry, all->sorted, all->count, sizeof(*all->sorted), compare_entries);

	return found ? *found - all->names : -1;
}

bool maui_hostnames_has(const struct maui_hostnames *names, const char *name)
{
	return maui_hostnames_find(names, name) >= 0;
}
