/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair_limits.c - a list sorted by (second kind, name, kind of limit, resource) */

#include "config/pair_limits.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"

int maui_pair_limit_parse_second(const char *sub, enum maui_cred_kind *ret_second,
				 const char **ret_name)
{
	const char *colon = strchr(sub, ':');
	size_t length = colon ? (size_t)(colon - sub) : strlen(sub);
	char kind[16];

	if (length >= sizeof(kind) || (colon && colon[1] == '\0'))
		return -1;
	memcpy(kind, sub, length);
	kind[length] = '\0';
	if (maui_cred_parse(kind) == MAUI_CRED_COUNT)
		return -1;
	*ret_second = maui_cred_parse(kind);
	*ret_name = colon ? colon + 1 : NULL;
	return 0;
}

int maui_pair_limits_add(struct maui_pair_limits *pairs, const struct maui_pair_limit *limit)
{
	char *name = limit->name ? strdup(limit->name) : NULL;
	struct maui_pair_limit *grown =
		maui_array_grow(pairs->list, pairs->count, &pairs->alloc, sizeof(*grown));

	if (grown)
		pairs->list = grown;
	if (!grown || (limit->name && !name)) {
		free(name);
		return -1;
	}
	if (name && limit->second == MAUI_CRED_ACCOUNT)
		maui_cred_fold_account(name); /* jobs have accounts in lower case */
	grown[pairs->count] = *limit;
	grown[pairs->count++].name = name;
	return 0;
}

/* Limits for every name sort first: no credential has an empty name. */
static int compare_names(enum maui_cred_kind second, const char *name,
			 const struct maui_pair_limit *with)
{
	if (second != with->second)
		return (int)second - (int)with->second;
	return strcmp(name ? name : "", with->name ? with->name : "");
}

static int compare_subjects(const struct maui_pair_limit *a, const struct maui_pair_limit *b)
{
	int order = compare_names(a->second, a->name, b);

	if (order == 0)
		order = (int)a->kind - (int)b->kind;
	return order ? order : (int)a->resource - (int)b->resource;
}

static int by_subject(const void *a, const void *b)
{
	const struct maui_pair_limit *one = a, *two = b;
	int order = compare_subjects(one, two);

	/* origins are elements of one array in the order of the file */
	return order ? order : (one->origin > two->origin) - (one->origin < two->origin);
}

void maui_pair_limits_sort(struct maui_pair_limits *pairs)
{
	size_t kept = 0;

	if (pairs->count < 2)
		return;
	qsort(pairs->list, pairs->count, sizeof(*pairs->list), by_subject);
	for (size_t i = 1; i < pairs->count; i++) {
		if (compare_subjects(&pairs->list[kept], &pairs->list[i]) == 0)
			free(pairs->list[kept].name);
		else
			kept++;
		pairs->list[kept] = pairs->list[i];
	}
	pairs->count = kept + 1;
}

void maui_pair_limits_finish(struct maui_pair_limits *pairs)
{
	for (size_t i = 0; i < pairs->count; i++)
		free(pairs->list[i].name);
	free(pairs->list);
	*pairs = (struct maui_pair_limits){ 0 };
}

struct pair_key {
	enum maui_cred_kind second;
	const char *name;
};

static bool is_before(const void *element, const void *key)
{
	const struct pair_key *wanted = key;

	return compare_names(wanted->second, wanted->name, element) > 0;
}

/* Copies the limits for exactly this name over the values so far; returns whether there was any. */
static bool lay_over(const struct maui_pair_limits *pairs, enum maui_cred_kind second,
		     const char *name, struct maui_pair_values *values)
{
	const struct pair_key key = { second, name };
	size_t at =
		maui_lower_bound(pairs->list, pairs->count, sizeof(*pairs->list), is_before, &key);
	bool any = false;

	for (; at < pairs->count && compare_names(second, name, &pairs->list[at]) == 0; at++) {
		const struct maui_pair_limit *p = &pairs->list[at];

		if (p->limit.hard == 0)
			continue;
		values->of[p->kind][p->resource] = p->limit;
		any = true;
	}
	return any;
}

bool maui_pair_limits_find(const struct maui_pair_limits *own, const struct maui_pair_limits *def,
			   enum maui_cred_kind second, const char *name,
			   struct maui_pair_values *ret)
{
	const char *const names[] = { NULL, name };
	bool any = false;

	if (own->count + def->count == 0)
		return false;
	*ret = (struct maui_pair_values){ 0 };
	for (int i = 0; i < 2; i++) {
		any |= lay_over(def, second, names[i], ret);
		any |= own != def && lay_over(own, second, names[i], ret);
	}
	return any;
}
