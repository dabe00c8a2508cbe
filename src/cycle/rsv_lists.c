/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_lists.c - lists of reservations, instances and their records, with texts of their own */

#include "cycle/rsv_lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sort.h"

static int copy_period(const struct maui_store_period *period, struct maui_store_period *ret)
{
	ret->day = period->day;
	ret->rsv = strdup(period->rsv);
	return ret->rsv ? 0 : -1;
}

/* ---- administrative reservations ---- */

static int add_rsv(struct maui_rsv_lists *lists, const struct maui_rsv *rsv)
{
	struct maui_rsv *grown =
		maui_array_grow(lists->rsvs, lists->rsv_count, &lists->rsv_alloc, sizeof(*grown));

	if (!grown)
		return -1;
	lists->rsvs = grown;
	if (maui_rsv_copy(rsv, &grown[lists->rsv_count]))
		return -1;
	lists->rsv_count++;
	return 0;
}

/* ---- instances ---- */

static void finish_instance(struct maui_store_instance *instance)
{
	for (size_t i = 0; i < instance->node_count; i++)
		free(instance->nodes[i].name);
	free(instance->nodes);
	free(instance->period.rsv);
}

int maui_rsv_lists_add_instance(struct maui_rsv_lists *lists,
				const struct maui_store_instance *instance)
{
	struct maui_store_instance *grown = maui_array_grow(lists->instances, lists->instance_count,
							    &lists->instance_alloc, sizeof(*grown));
	struct maui_store_instance copy = *instance;

	copy.period.rsv = NULL;
	copy.nodes = calloc(instance->node_count + 1, sizeof(*copy.nodes));
	copy.node_count = 0;
	if (grown)
		lists->instances = grown;
	if (!grown || !copy.nodes || copy_period(&instance->period, &copy.period)) {
		finish_instance(&copy);
		return -1;
	}
	for (; copy.node_count < instance->node_count; copy.node_count++) {
		struct maui_store_instance_node *node = &copy.nodes[copy.node_count];

		*node = instance->nodes[copy.node_count];
		node->name = strdup(node->name);
		if (!node->name) {
			finish_instance(&copy);
			return -1;
		}
	}
	grown[lists->instance_count++] = copy;
	return 0;
}

void maui_rsv_lists_drop_instances(struct maui_rsv_lists *lists)
{
	for (size_t i = 0; i < lists->instance_count; i++)
		finish_instance(&lists->instances[i]);
	lists->instance_count = 0;
}

/* ---- released instances ---- */

static struct maui_store_released *find_released(const struct maui_rsv_lists *lists,
						 const struct maui_store_period *period)
{
	for (size_t i = 0; i < lists->released_count; i++)
		if (lists->released[i].period.day == period->day &&
		    strcmp(lists->released[i].period.rsv, period->rsv) == 0)
			return &lists->released[i];
	return NULL;
}

int maui_rsv_lists_add_released(struct maui_rsv_lists *lists,
				const struct maui_store_period *period, uint64_t hash)
{
	struct maui_store_released *grown = find_released(lists, period);

	if (grown) {
		grown->hash = hash;
		return 0;
	}
	grown = maui_array_grow(lists->released, lists->released_count, &lists->released_alloc,
				sizeof(*grown));
	if (!grown)
		return -1;
	lists->released = grown;
	if (copy_period(period, &grown[lists->released_count].period))
		return -1;
	grown[lists->released_count++].hash = hash;
	return 0;
}

size_t maui_rsv_lists_drop_released(struct maui_rsv_lists *lists, const char *rsv, int32_t day)
{
	size_t before = lists->released_count, left = 0;

	for (size_t i = 0; i < before; i++) {
		struct maui_store_period *period = &lists->released[i].period;

		if ((day == INT32_MIN || period->day == day) && strcmp(period->rsv, rsv) == 0)
			free(period->rsv);
		else
			lists->released[left++] = lists->released[i];
	}
	lists->released_count = left;
	return before - left;
}

/* ---- usage records ---- */

static void finish_record(struct maui_store_record *record)
{
	free(record->period.rsv);
	free(record->account);
	free(record->owner);
	free(record->job_ids);
}

int maui_rsv_copy_payers(const char *account, const char *owner, char **ret_account,
			 char **ret_owner)
{
	char *copy = account ? strdup(account) : NULL, *other = owner ? strdup(owner) : NULL;

	if ((account && !copy) || (owner && !other)) {
		free(copy);
		free(other);
		return -1;
	}
	*ret_account = copy;
	*ret_owner = other;
	return 0;
}

int maui_rsv_lists_add_record(struct maui_rsv_lists *lists, const struct maui_store_record *record)
{
	struct maui_store_record *grown = maui_array_grow(lists->records, lists->record_count,
							  &lists->record_alloc, sizeof(*grown));
	struct maui_store_record copy = *record;

	if (!grown)
		return -1;
	lists->records = grown;
	copy.period.rsv = copy.account = copy.owner = NULL;
	copy.job_ids = NULL;
	if (copy_period(&record->period, &copy.period) ||
	    maui_rsv_copy_payers(record->account, record->owner, &copy.account, &copy.owner) ||
	    maui_rsv_record_set_job_ids(&copy, record->job_ids, record->job_id_count)) {
		finish_record(&copy);
		return -1;
	}
	grown[lists->record_count++] = copy;
	return 0;
}

void maui_rsv_lists_drop_record(struct maui_rsv_lists *lists, size_t index)
{
	finish_record(&lists->records[index]);
	lists->records[index] = lists->records[--lists->record_count];
}

int maui_rsv_record_set_job_ids(struct maui_store_record *record, const uint32_t *job_ids,
				size_t count)
{
	uint32_t *copy = NULL;

	if (count > 0) {
		copy = calloc(count, sizeof(*copy));
		if (!copy)
			return -1;
	}
	for (size_t i = 0; i < count; i++)
		copy[i] = job_ids[i];
	if (count > 1)
		qsort(copy, count, sizeof(*copy), maui_sort_by_u32);
	free(record->job_ids);
	record->job_ids = copy;
	record->job_id_count = count;
	return 0;
}

bool maui_rsv_record_has_job_id(const struct maui_store_record *record, uint32_t job)
{
	return record->job_id_count > 0 &&
	       bsearch(&job, record->job_ids, record->job_id_count, sizeof(job), maui_sort_by_u32);
}

/* ---- pending idle time ---- */

void maui_rsv_pending_finish(struct maui_store_pending *pending)
{
	free(pending->period.rsv);
	free(pending->account);
	free(pending->owner);
}

int maui_rsv_lists_add_pending(struct maui_rsv_lists *lists,
			       const struct maui_store_pending *pending)
{
	struct maui_store_pending *grown = maui_array_grow(lists->pending, lists->pending_count,
							   &lists->pending_alloc, sizeof(*grown));
	struct maui_store_pending copy = *pending;

	if (!grown)
		return -1;
	lists->pending = grown;
	if (copy_period(&pending->period, &copy.period))
		return -1;
	if (maui_rsv_copy_payers(pending->account, pending->owner, &copy.account, &copy.owner)) {
		free(copy.period.rsv);
		return -1;
	}
	grown[lists->pending_count++] = copy;
	return 0;
}

/* ---- all of them ---- */

void maui_rsv_lists_finish(struct maui_rsv_lists *lists)
{
	for (size_t i = 0; i < lists->rsv_count; i++)
		maui_rsv_finish(&lists->rsvs[i]);
	maui_rsv_lists_drop_instances(lists);
	for (size_t i = 0; i < lists->released_count; i++)
		free(lists->released[i].period.rsv);
	for (size_t i = 0; i < lists->record_count; i++)
		finish_record(&lists->records[i]);
	for (size_t i = 0; i < lists->pending_count; i++)
		maui_rsv_pending_finish(&lists->pending[i]);
	free(lists->rsvs);
	free(lists->instances);
	free(lists->released);
	free(lists->records);
	free(lists->pending);
	*lists = (struct maui_rsv_lists){ 0 };
}

void maui_rsv_lists_to_store(const struct maui_rsv_lists *lists, struct maui_store *store)
{
	store->rsvs = lists->rsvs;
	store->rsv_count = lists->rsv_count;
	store->instances = lists->instances;
	store->instance_count = lists->instance_count;
	store->released = lists->released;
	store->released_count = lists->released_count;
	store->records = lists->records;
	store->record_count = lists->record_count;
	store->pending = lists->pending;
	store->pending_count = lists->pending_count;
}

int maui_rsv_lists_from_store(struct maui_rsv_lists *lists, const struct maui_store *store)
{
	for (size_t i = 0; i < store->rsv_count; i++)
		if (add_rsv(lists, &store->rsvs[i]))
			return -1;
	for (size_t i = 0; i < store->instance_count; i++)
		if (maui_rsv_lists_add_instance(lists, &store->instances[i]))
			return -1;
	for (size_t i = 0; i < store->released_count; i++)
		if (maui_rsv_lists_add_released(lists, &store->released[i].period,
						store->released[i].hash))
			return -1;
	for (size_t i = 0; i < store->record_count; i++)
		if (maui_rsv_lists_add_record(lists, &store->records[i]))
			return -1;
	for (size_t i = 0; i < store->pending_count; i++)
		if (maui_rsv_lists_add_pending(lists, &store->pending[i]))
			return -1;
	return 0;
}
