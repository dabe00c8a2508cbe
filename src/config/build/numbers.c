/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numbers.c - a number for each name: NODECFG PRIORITY (BF-9), GRESCFG WEIGHT (PRIO-4) */

#include "config/build/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_named_number *)a)->name,
		      ((const struct maui_named_number *)b)->name);
}

static int add_number(struct maui_named_numbers *numbers, const char *name, double value)
{
	struct maui_named_number *grown =
		maui_array_grow(numbers->list, numbers->count, &numbers->alloc, sizeof(*grown));

	if (!grown)
		return -1;
	numbers->list = grown;
	grown += numbers->count;
	*grown = (struct maui_named_number){ strdup(name), value };
	if (!grown->name)
		return -1;
	numbers->count++;
	return 0;
}

static int build(struct maui_config *config, unsigned family, const char *attr,
		 struct maui_named_numbers *ret)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (s->param->family == family && s->attr && s->index && !s->replaced &&
		    strcmp(s->attr->name, attr) == 0 &&
		    add_number(ret, s->index, strtod(s->value, NULL)))
			return -1;
	}
	if (ret->count > 1)
		qsort(ret->list, ret->count, sizeof(*ret->list), by_name);
	return 0;
}

int maui_build_numbers(struct maui_config *config)
{
	if (build(config, MAUI_FAMILY_NODE, "PRIORITY", &config->node_ranks))
		return -1;
	return build(config, MAUI_FAMILY_GRES, "WEIGHT", &config->gres_weights);
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

double maui_config_gres_weight(const struct maui_config *config, const char *name, const char *type)
{
	const struct maui_named_number *own = NULL;

	if (config->gres_weights.count > 0 && type && *type) {
		char typed[2 * MAUI_NAME_MAX + 2];

		if (snprintf(typed, sizeof(typed), "%s:%s", name, type) < (int)sizeof(typed))
			own = find(&config->gres_weights, typed);
	}
	if (!own)
		own = find(&config->gres_weights, name);
	if (!own)
		return strcmp(name, "gpu") == 0 ? 1 : 0;
	return own->value;
}
