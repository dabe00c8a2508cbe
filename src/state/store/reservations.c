/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - adds reservations, instances, mirrors and released instances to a store */

#include "state/store/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void maui_store_finish_instance(struct maui_store_instance *instance)
{
	for (size_t i = 0; i < instance->node_count; i++)
		free(instance->nodes[i].name);
	free(instance->nodes);
	free(instance->period.rsv);
	*instance = (struct maui_store_instance){ 0 };
}

void maui_store_finish_rsvs(struct maui_store *store)
{
	for (size_t i = 0; i < store->rsv_count; i++)
		maui_rsv_finish(&store->rsvs[i]);
	for (size_t i = 0; i < store->instance_count; i++)
		maui_store_finish_instance(&store->instances[i]);
	for (size_t i = 0; i < store->mirror_count; i++)
		free(store->mirrors[i].name);
	for (size_t i = 0; i < store->released_count; i++)
		free(store->released[i].period.rsv);
	free(store->rsvs);
	free(store->instances);
	free(store->mirrors);
	free(store->released);
	maui_store_finish_records(store);
}

int maui_store_copy_period(const struct maui_store_period *period, struct maui_store_period *ret)
{
	ret->day = period->day;
	ret->rsv = strdup(period->rsv);
	return ret->rsv ? 0 : -1;
}

int maui_store_add_rsv(struct maui_store *store, const struct maui_rsv *rsv)
{
	struct maui_rsv *grown =
		maui_array_grow(store->rsvs, store->rsv_count, &store->rsv_alloc, sizeof(*grown));

	if (!grown)
		return -1;
	store->rsvs = grown;
	if (maui_rsv_copy(rsv, &grown[store->rsv_count]))
		return -1;
	store->rsv_count++;
	return 0;
}

int maui_store_add_instance(struct maui_store *store, const struct maui_store_instance *instance)
{
	struct maui_store_instance *grown = maui_array_grow(store->instances, store->instance_count,
							    &store->instance_alloc, sizeof(*grown));
	struct maui_store_instance copy = *instance;

	copy.period.rsv = NULL;
	copy.node_alloc = instance->node_count;
	copy.nodes = calloc(instance->node_count + 1, sizeof(*copy.nodes));
	copy.node_count = 0;
	if (grown)
		store->instances = grown;
	if (!grown || !copy.nodes || maui_store_copy_period(&instance->period, &copy.period)) {
		maui_store_finish_instance(&copy);
		return -1;
	}
	for (; copy.node_count < instance->node_count; copy.node_count++) {
		struct maui_store_instance_node *node = &copy.nodes[copy.node_count];

		*node = instance->nodes[copy.node_count];
		node->name = strdup(node->name);
		if (!node->name) {
			maui_store_finish_instance(&copy);
			return -1;
		}
	}
	grown[store->instance_count++] = copy;
	return 0;
}

int maui_store_add_mirror(struct maui_store *store, const struct maui_store_mirror *mirror)
{
	struct maui_store_mirror *grown = maui_array_grow(store->mirrors, store->mirror_count,
							  &store->mirror_alloc, sizeof(*grown));
	struct maui_store_mirror copy = *mirror;

	if (!grown)
		return -1;
	store->mirrors = grown;
	copy.name = strdup(mirror->name);
	if (!copy.name)
		return -1;
	grown[store->mirror_count++] = copy;
	return 0;
}

static struct maui_store_released *find_released(const struct maui_store *store,
						 const struct maui_store_period *period)
{
	for (size_t i = 0; i < store->released_count; i++)
		if (store->released[i].period.day == period->day &&
		    strcmp(store->released[i].period.rsv, period->rsv) == 0)
			return &store->released[i];
	return NULL;
}

int maui_store_add_released(struct maui_store *store, const struct maui_store_period *period,
			    uint64_t hash)
{
	struct maui_store_released *grown = find_released(store, period);

	if (grown) {
		grown->hash = hash;
		return 0;
	}
	grown = maui_array_grow(store->released, store->released_count, &store->released_alloc,
				sizeof(*grown));
	if (!grown)
		return -1;
	store->released = grown;
	if (maui_store_copy_period(period, &grown[store->released_count].period))
		return -1;
	grown[store->released_count++].hash = hash;
	return 0;
}

size_t maui_store_drop_released(struct maui_store *store, const char *rsv, int32_t day)
{
	size_t before = store->released_count, left = 0;

	for (size_t i = 0; i < before; i++) {
		struct maui_store_period *period = &store->released[i].period;

		if ((day == INT32_MIN || period->day == day) && strcmp(period->rsv, rsv) == 0)
			free(period->rsv);
		else
			store->released[left++] = store->released[i];
	}
	store->released_count = left;
	return before - left;
}

void maui_store_drop_instances(struct maui_store *store)
{
	for (size_t i = 0; i < store->instance_count; i++)
		maui_store_finish_instance(&store->instances[i]);
	store->instance_count = 0;
}
