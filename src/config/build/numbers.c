/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numbers.c - a number for each name: NODECFG PRIORITY (BF-9, CFG-7), GRESCFG WEIGHT (PRIO-4) */

#include "config/build/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hostrange.h"
#include "base/limits.h"

enum { NODES_MAX = 4 * MAUI_HOSTEXPR_MAX_NAMES }; /* of all lines: bounds the memory */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_named_number *)a)->name,
		      ((const struct maui_named_number *)b)->name);
}

static int by_name_and_place(const void *a, const void *b)
{
	const struct maui_named_number *one = a, *two = b;
	int order = by_name(one, two);

	return order ? order : (one->place > two->place) - (one->place < two->place);
}

static int add_number(struct maui_named_numbers *numbers, const char *name, double value)
{
	struct maui_named_number *grown =
		maui_array_grow(numbers->list, numbers->count, &numbers->alloc, sizeof(*grown));

	if (!grown)
		return -1;
	numbers->list = grown;
	grown += numbers->count;
	*grown = (struct maui_named_number){ strdup(name), value, numbers->count };
	if (!grown->name)
		return -1;
	numbers->count++;
	return 0;
}

static bool sets(const struct maui_setting *s, unsigned family, const char *attr)
{
	return s->param->family == family && s->attr && s->index && maui_setting_counts(s) &&
	       strcmp(s->attr->name, attr) == 0;
}

/* The nodes of an index: names and Slurm ranges; *full: there is no room for more. -1 only without
 * memory. */
static int add_nodes(struct maui_named_numbers *numbers, const struct maui_setting *s, bool *full,
		     struct maui_diags *diags)
{
	struct maui_words names;
	struct maui_err err;
	int rc = 0;

	if (maui_hostrange_expand(s->index, &names, &err)) {
		if (err.no_memory)
			return -1;
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "NODECFG[%.200s]: %.200s, ignoring", s->index, err.text);
		return 0;
	}
	*full = names.count > NODES_MAX - numbers->count;
	if (*full)
		maui_diags_add(diags, MAUI_WARNING, s->file, s->line, s->column,
			       "NODECFG[%.200s]: all lines together name more than %d nodes, "
			       "ignoring this one and the following ones",
			       s->index, NODES_MAX);
	for (size_t i = 0; i < names.count && !*full && rc == 0; i++)
		rc = add_number(numbers, names.list[i], strtod(s->value, NULL));
	maui_words_finish(&names);
	return rc;
}

/* Of each name the last number. */
static void sort(struct maui_named_numbers *numbers)
{
	struct maui_named_number *list = numbers->list;
	size_t kept = 0;

	if (numbers->count > 1)
		qsort(list, numbers->count, sizeof(*list), by_name_and_place);
	for (size_t i = 0; i < numbers->count; i++)
		if (kept > 0 && by_name(&list[kept - 1], &list[i]) == 0) {
			free(list[kept - 1].name);
			list[kept - 1] = list[i];
		} else {
			list[kept++] = list[i];
		}
	numbers->count = kept;
}

int maui_build_numbers(struct maui_config *config, struct maui_diags *diags)
{
	bool full = false;
	int rc = 0;

	for (size_t i = 0; i < config->setting_count && rc == 0; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (!full && sets(s, MAUI_FAMILY_NODE, "PRIORITY"))
			rc = add_nodes(&config->node_ranks, s, &full, diags);
		else if (sets(s, MAUI_FAMILY_GRES, "WEIGHT"))
			rc = add_number(&config->gres_weights, s->index, strtod(s->value, NULL));
	}
	sort(&config->node_ranks);
	sort(&config->gres_weights);
	return rc;
}

static void finish(struct maui_named_numbers *numbers)
{
	for (size_t i = 0; i < numbers->count; i++)
		free(numbers->list[i].name);
	free(numbers->list);
}

void maui_build_numbers_finish(struct maui_config *config)
{
	finish(&config->node_ranks);
	finish(&config->gres_weights);
}

static const struct maui_named_number *find(const struct maui_named_numbers *numbers,
					    const char *name)
{
	const struct maui_named_number key = { .name = (char *)name };

	return numbers->count ? bsearch(&key, numbers->list, numbers->count, sizeof(key), by_name) :
				NULL;
}

double maui_config_node_priority(const struct maui_config *config, const char *name)
{
	const struct maui_named_number *own = find(&config->node_ranks, name);

	if (!own)
		own = find(&config->node_ranks, "DEFAULT");
	return own ? own->value : 0;
}

/* An index of GRESCFG: the name, or the name and a type. */
struct gres_key {
	const char *name;
	size_t length;
	const char *type; /* NULL: none */
};

/* Compares the key with a text in the order of by_name(). */
static int by_gres(const void *a, const void *b)
{
	const struct gres_key *key = a;
	const char *name = ((const struct maui_named_number *)b)->name;
	int order = strncmp(key->name, name, key->length);

	if (order)
		return order;
	name += key->length;
	if (!key->type)
		return *name == '\0' ? 0 : -1;
	return *name == ':' ? strcmp(key->type, name + 1) : ':' - (unsigned char)*name;
}

static const struct maui_named_number *find_gres(const struct maui_named_numbers *numbers,
						 const struct gres_key *key)
{
	return numbers->count ? bsearch(key, numbers->list, numbers->count, sizeof(*numbers->list),
					by_gres) :
				NULL;
}

double maui_config_gres_weight(const struct maui_config *config, const char *name, const char *type)
{
	const struct gres_key untyped = { name, strcspn(name, ":"), NULL };
	const struct gres_key typed = { name, untyped.length, type };
	const struct maui_named_number *own = NULL;

	if (type && *type)
		own = find_gres(&config->gres_weights, &typed);
	if (!own)
		own = find_gres(&config->gres_weights, &untyped);
	if (!own)
		return untyped.length == 3 && memcmp(name, "gpu", 3) == 0 ? 1 : 0;
	return own->value;
}
