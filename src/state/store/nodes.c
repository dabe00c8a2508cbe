/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - reads and writes the nodes of an instance in short form, because an instance may
 * have thousands */

#include "state/store/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
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

void maui_store_format_nodes(const struct maui_store_instance *instance, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "[");
	for (size_t i = 0, last; i < instance->node_count; i = last + 1) {
		const struct maui_store_instance_node *node = &instance->nodes[i];
		struct maui_strbuf text = { 0 };
		uint32_t number;
		size_t at = number_at(node->name, &number);

		for (last = i; last + 1 < instance->node_count &&
			       follows(&instance->nodes[last], &instance->nodes[last + 1]);)
			last++;
		if (last > i)
			maui_strbuf_addf(&text, "%.*s[%s-%s]", (int)at, node->name, node->name + at,
					 instance->nodes[last].name + at);
		else
			maui_strbuf_addf(&text, "%s", node->name);
		if (node->tasks != 1)
			maui_strbuf_addf(&text, "*%lld", (long long)node->tasks);
		maui_strbuf_addf(out, i ? ", " : "");
		out->failed |= text.failed;
		maui_store_put_text(out, text.text ? text.text : "");
		maui_strbuf_finish(&text);
	}
	maui_strbuf_addf(out, "]");
}

/* ---- reading ---- */

static int add_node(struct maui_store_instance *ret, char *name, int64_t tasks)
{
	struct maui_store_instance_node *grown =
		maui_array_grow(ret->nodes, ret->node_count, &ret->node_alloc, sizeof(*grown));

	if (grown)
		ret->nodes = grown;
	if (!grown || !name) {
		free(name);
		return -1;
	}
	grown[ret->node_count++] =
		(struct maui_store_instance_node){ .name = name, .tasks = tasks };
	return 0;
}

/* Adds "c[1-4]". `length`: of the text; `prefix`: index of the bracket. */
static int add_range(struct maui_store_instance *ret, const char *text, size_t length,
		     size_t prefix, int64_t tasks)
{
	const char *range = text + prefix + 1;
	char *end, *name;
	unsigned long first = strtoul(range, &end, 10), last;
	int width = (int)(end - range);

	if (*end != '-' || width == 0 || width > DIGITS_MAX)
		return 1;
	range = end + 1;
	last = strtoul(range, &end, 10);
	if (*end != ']' || end + 1 != text + length || end == range || end - range > DIGITS_MAX ||
	    last < first || last - first >= MAUI_HOSTEXPR_MAX_NAMES)
		return 1;
	for (unsigned long i = first; i <= last; i++) {
		if (asprintf(&name, "%.*s%0*lu", (int)prefix, text, width, i) < 0)
			name = NULL;
		if (add_node(ret, name, tasks))
			return -1;
	}
	return 0;
}

/* Reads "c7" or "c[1-4]", with "*TASKS" behind it or one task. */
static int read_range(struct maui_store_instance *ret, const char *text)
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
		return add_range(ret, text, length, (size_t)(bracket - text), tasks);
	return add_node(ret, strndup(text, length), tasks);
}

int maui_store_read_nodes(json_object *list, struct maui_store_instance *ret)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);
		int rc = json_object_is_type(one, json_type_string) ?
				 read_range(ret, json_object_get_string(one)) :
				 1;

		if (rc)
			return rc;
	}
	return 0;
}
