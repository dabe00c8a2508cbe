/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - the nodes of an instance in short form, because an instance may have thousands */

#include "state/store/private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

enum { DIGITS_MAX = 9 };

/* ---- writing ---- */

/* The index at which the number at the end of the name begins; the name's length when there is
 * no usable number. */
static size_t number_at(const char *name, uint32_t *ret_number)
{
	size_t length = strlen(name), at = length;

	*ret_number = 0;
	while (at > 0 && length - at < DIGITS_MAX && name[at - 1] >= '0' && name[at - 1] <= '9')
		at--;
	if (at < length)
		*ret_number = (uint32_t)strtoul(name + at, NULL, 10);
	return at;
}

/* Whether b is the node after a, with as many tasks: c9 and c10, or c09 and c10, but not c9 and
 * c010. */
static bool follows(const struct maui_store_instance_node *a,
		    const struct maui_store_instance_node *b)
{
	uint32_t first, second;
	size_t at = number_at(a->name, &first), length = strlen(b->name);

	if (number_at(b->name, &second) != at || at == strlen(a->name) || at == length ||
	    strncmp(a->name, b->name, at) != 0 || second != first + 1 || a->tasks != b->tasks)
		return false;
	return strlen(a->name) == length || (b->name[at] != '0' && a->name[at] != '0');
}

/* "c[1-4]*2" of these nodes, which follow one another. NULL without memory. */
static const char *range_text(const struct maui_store_instance_node *first,
			      const struct maui_store_instance_node *last, struct maui_arena *arena)
{
	size_t size = strlen(first->name) + strlen(last->name) + 32;
	uint32_t number;
	int at = (int)number_at(first->name, &number), length;
	char *text = maui_arena_alloc(arena, size);

	if (!text)
		return NULL;
	length = first == last ? snprintf(text, size, "%s", first->name) :
				 snprintf(text, size, "%.*s[%s-%s]", at, first->name,
					  first->name + at, last->name + at);
	if (first->tasks != 1)
		snprintf(text + length, size - (size_t)length, "*%" PRId64, first->tasks);
	return text;
}

int maui_store_pack_nodes(const struct maui_store_instance *instance, struct maui_arena *arena,
			  struct maui_packed_instance *ret)
{
	const struct maui_store_instance_node *nodes = instance->nodes;

	ret->nodes = maui_arena_alloc(arena, (instance->node_count + 1) * sizeof(*ret->nodes));
	if (!ret->nodes)
		return -1;
	for (size_t i = 0, last; i < instance->node_count; i = last + 1) {
		for (last = i;
		     last + 1 < instance->node_count && follows(&nodes[last], &nodes[last + 1]);)
			last++;
		if (!(ret->nodes[ret->node_count++] = range_text(&nodes[i], &nodes[last], arena)))
			return -1;
	}
	return 0;
}

/* ---- reading ---- */

/* The nodes of an instance: first they are counted, then they are made. */
struct reader {
	struct maui_arena *arena;
	struct maui_store_instance_node *nodes; /* NULL: they are counted */
	size_t count;
};

/* Adds the node whose name is `stem`, and `number` with so many digits behind it; width 0: only
 * the stem. */
static int add_node(struct reader *r, const char *stem, size_t length, int width,
		    unsigned long number, int64_t tasks)
{
	size_t size = length + DIGITS_MAX + 16;
	char *name;

	r->count++;
	if (!r->nodes)
		return 0;
	name = maui_arena_alloc(r->arena, size);
	if (!name)
		return -1;
	if (width > 0)
		snprintf(name, size, "%.*s%0*lu", (int)length, stem, width, number);
	else
		snprintf(name, size, "%.*s", (int)length, stem);
	r->nodes[r->count - 1] = (struct maui_store_instance_node){ .name = name, .tasks = tasks };
	return 0;
}

/* Adds "c[1-4]". `length`: of the text; `prefix`: index of the bracket. */
static int add_range(struct reader *r, const char *text, size_t length, size_t prefix,
		     int64_t tasks)
{
	const char *range = text + prefix + 1;
	char *end;
	unsigned long first = strtoul(range, &end, 10), last;
	int width = (int)(end - range);

	if (*end != '-' || width == 0 || width > DIGITS_MAX)
		return 1;
	range = end + 1;
	last = strtoul(range, &end, 10);
	if (*end != ']' || end + 1 != text + length || end == range || end - range > DIGITS_MAX ||
	    last < first || last - first >= MAUI_HOSTEXPR_MAX_NAMES)
		return 1;
	for (unsigned long i = first; i <= last; i++)
		if (add_node(r, text, prefix, width, i, tasks))
			return -1;
	return 0;
}

/* Reads "c7" or "c[1-4]", with "*TASKS" behind it or one task. */
static int read_range(struct reader *r, const char *text)
{
	const char *star = strrchr(text, '*');
	size_t length = star ? (size_t)(star - text) : strlen(text);
	const char *bracket = memchr(text, '[', length);
	int64_t tasks = 1;
	char *end;

	if (star) {
		tasks = strtoll(star + 1, &end, 10);
		if (*end != '\0' || end == star + 1 || tasks < 0)
			return 1;
	}
	if (length == 0 || length > MAUI_NAME_MAX)
		return 1;
	if (bracket)
		return add_range(r, text, length, (size_t)(bracket - text), tasks);
	return add_node(r, text, length, 0, 0, tasks);
}

static int read_ranges(struct reader *r, const struct maui_packed_instance *packed)
{
	int rc = 0;

	r->count = 0;
	for (size_t i = 0; i < packed->node_count && rc == 0; i++)
		rc = read_range(r, packed->nodes[i]);
	return rc;
}

int maui_store_unpack_nodes(const struct maui_packed_instance *packed, struct maui_arena *arena,
			    struct maui_store_instance *ret)
{
	struct reader r = { .arena = arena };
	int rc = read_ranges(&r, packed);

	if (rc != 0)
		return rc;
	r.nodes = maui_arena_alloc_list(arena, r.count, sizeof(*r.nodes));
	if (!r.nodes || read_ranges(&r, packed) != 0)
		return -1;
	ret->nodes = r.nodes;
	ret->node_count = r.count;
	return 0;
}
