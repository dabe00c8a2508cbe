/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - NODECFG PRIORITY: ranks of nodes under NODEALLOCATIONPOLICY PRIORITY (BF-9) */

#include "config/build/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool is_rank(const struct maui_setting *s)
{
	return s->param->family == MAUI_FAMILY_NODE && s->attr && s->index && !s->replaced &&
	       strcmp(s->attr->name, "PRIORITY") == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct maui_node_config *)a)->name,
		      ((const struct maui_node_config *)b)->name);
}

int maui_build_nodes(struct maui_config *config)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		struct maui_node_config *grown;

		if (!is_rank(s))
			continue;
		grown = maui_array_grow(config->nodes, config->node_count, &config->node_alloc,
					sizeof(*grown));
		if (!grown)
			return -1;
		config->nodes = grown;
		grown += config->node_count;
		*grown = (struct maui_node_config){ strdup(s->index), strtod(s->value, NULL) };
		if (!grown->name)
			return -1;
		config->node_count++;
	}
	if (config->node_count > 1)
		qsort(config->nodes, config->node_count, sizeof(*config->nodes), by_name);
	return 0;
}

void maui_build_nodes_finish(struct maui_config *config)
{
	for (size_t i = 0; i < config->node_count; i++)
		free(config->nodes[i].name);
	free(config->nodes);
}

static const struct maui_node_config *find_node(const struct maui_config *config, const char *name)
{
	const struct maui_node_config key = { .name = (char *)name };

	return config->node_count ?
		       bsearch(&key, config->nodes, config->node_count, sizeof(key), by_name) :
		       NULL;
}

double maui_config_node_priority(const struct maui_config *config, const char *name)
{
	const struct maui_node_config *own = find_node(config, name);

	if (!own)
		own = find_node(config, "DEFAULT");
	return own ? own->priority : 0;
}
