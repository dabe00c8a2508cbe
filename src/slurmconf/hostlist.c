/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostlist.c - one bracket after the other, the rest of the name by recursion */

#include "slurmconf/hostlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"

struct expansion {
	struct maui_words names;
	size_t alloc;
	const char *text; /* all of it, for messages */
	struct maui_err *err;
};

static int add_name(struct expansion *x, const char *name)
{
	char **grown;

	if (x->names.count >= MAUI_HOSTEXPR_MAX_NAMES)
		return maui_err_set(x->err, "'%s': more than %d names", x->text,
				    MAUI_HOSTEXPR_MAX_NAMES);
	grown = maui_array_grow(x->names.list, x->names.count, &x->alloc, sizeof(*grown));
	if (!grown)
		return maui_err_set(x->err, "no memory");
	x->names.list = grown;
	grown[x->names.count] = strdup(name);
	return grown[x->names.count++] ? 0 : maui_err_set(x->err, "no memory");
}

static int expand(struct expansion *x, const char *prefix, const char *rest);

/* low-high with the digits of low; each with what is before and behind it. */
static int expand_range(struct expansion *x, const char *prefix, size_t width, long from, long to,
			const char *rest)
{
	char name[MAUI_NAME_MAX];

	for (long n = from; n <= to; n++) {
		int length = snprintf(name, sizeof(name), "%s%0*ld", prefix, (int)width, n);

		if (length < 0 || (size_t)length >= sizeof(name))
			return maui_err_set(x->err, "'%s': a name is too long", x->text);
		if (expand(x, name, rest))
			return -1;
	}
	return 0;
}

static int expand_bracket(struct expansion *x, const char *prefix, const char *at, const char *rest)
{
	while (*at != ']') {
		size_t width = strspn(at, "0123456789");
		char *end;
		long from, to;

		if (width == 0 || width > 9)
			break;
		from = to = strtol(at, &end, 10);
		if (*end == '-')
			to = strtol(end + 1, &end, 10);
		if ((*end != ',' && *end != ']') || to < from)
			break;
		if (expand_range(x, prefix, width, from, to, rest))
			return -1;
		at = end + (*end == ',');
	}
	return *at == ']' ? 0 : maui_err_set(x->err, "'%s' is no node list", x->text);
}

/* `prefix` is written out, `rest` is to come. */
static int expand(struct expansion *x, const char *prefix, const char *rest)
{
	size_t plain = strcspn(rest, "[]");
	const char *close;
	char name[MAUI_NAME_MAX];
	int length = snprintf(name, sizeof(name), "%s%.*s", prefix, (int)plain, rest);

	if (length < 0 || (size_t)length >= sizeof(name))
		return maui_err_set(x->err, "'%s': a name is too long", x->text);
	rest += plain;
	if (*rest == '\0')
		return add_name(x, name);
	close = strchr(rest, ']');
	if (*rest == ']' || !close)
		return maui_err_set(x->err, "'%s' is no node list", x->text);
	return expand_bracket(x, name, rest + 1, close + 1);
}

/* Length of the part up to the next comma outside of brackets. */
static size_t part_length(const char *text)
{
	size_t length = 0;
	int depth = 0;

	for (; text[length] != '\0' && (text[length] != ',' || depth > 0); length++)
		depth += (text[length] == '[') - (text[length] == ']');
	return length;
}

int maui_hostlist_expand(const char *text, struct maui_words *ret_names, struct maui_err *err)
{
	struct expansion x = { .text = text, .err = err };

	for (const char *at = text; *at != '\0';) {
		size_t length = part_length(at);
		char *part = strndup(at, length);
		int rc = part ? 0 : maui_err_set(err, "no memory");

		if (rc == 0 && length > 0)
			rc = expand(&x, "", part);
		free(part);
		if (rc) {
			maui_words_finish(&x.names);
			return -1;
		}
		at += length + (at[length] == ',');
	}
	*ret_names = x.names;
	return 0;
}
