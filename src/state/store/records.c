/* SPDX-License-Identifier: GPL-2.0-or-later */
/* records.c - adds usage records, pending idle time and triggers of reservations to a store */

#include "state/store/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sort.h"

static void finish_record(struct maui_store_record *record)
{
	free(record->period.rsv);
	free(record->account);
	free(record->owner);
	free(record->job_ids);
}

void maui_store_finish_pending(struct maui_store_pending *pending)
{
	free(pending->period.rsv);
	free(pending->account);
	free(pending->owner);
}

void maui_store_finish_records(struct maui_store *store)
{
	for (size_t i = 0; i < store->record_count; i++)
		finish_record(&store->records[i]);
	for (size_t i = 0; i < store->pending_count; i++)
		maui_store_finish_pending(&store->pending[i]);
	for (size_t i = 0; i < store->trigger_count; i++) {
		free(store->triggers[i].period.rsv);
		free(store->triggers[i].marks);
	}
	free(store->records);
	free(store->pending);
	free(store->triggers);
}

int maui_store_copy_payers(const char *account, const char *owner, char **ret_account,
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

int maui_store_add_record(struct maui_store *store, const struct maui_store_record *record)
{
	struct maui_store_record *grown = maui_array_grow(store->records, store->record_count,
							  &store->record_alloc, sizeof(*grown));
	struct maui_store_record copy = *record;

	if (!grown)
		return -1;
	store->records = grown;
	copy.period.rsv = copy.account = copy.owner = NULL;
	copy.job_ids = NULL;
	if (maui_store_copy_period(&record->period, &copy.period) ||
	    maui_store_copy_payers(record->account, record->owner, &copy.account, &copy.owner) ||
	    maui_store_set_job_ids(&copy, record->job_ids, record->job_id_count)) {
		finish_record(&copy);
		return -1;
	}
	grown[store->record_count++] = copy;
	return 0;
}

int maui_store_set_job_ids(struct maui_store_record *record, const uint32_t *job_ids, size_t count)
{
	uint32_t *copy = count > 0 ? calloc(count, sizeof(*copy)) : NULL;

	if (count > 0 && !copy)
		return -1;
	for (size_t i = 0; i < count; i++)
		copy[i] = job_ids[i];
	if (count > 1)
		qsort(copy, count, sizeof(*copy), maui_sort_by_u32);
	free(record->job_ids);
	record->job_ids = copy;
	record->job_id_count = count;
	return 0;
}

int maui_store_add_pending(struct maui_store *store, const struct maui_store_pending *pending)
{
	struct maui_store_pending *grown = maui_array_grow(store->pending, store->pending_count,
							   &store->pending_alloc, sizeof(*grown));
	struct maui_store_pending copy = *pending;

	if (!grown)
		return -1;
	store->pending = grown;
	if (maui_store_copy_period(&pending->period, &copy.period))
		return -1;
	if (maui_store_copy_payers(pending->account, pending->owner, &copy.account, &copy.owner)) {
		free(copy.period.rsv);
		return -1;
	}
	grown[store->pending_count++] = copy;
	return 0;
}

void maui_store_drop_record(struct maui_store *store, size_t index)
{
	finish_record(&store->records[index]);
	store->records[index] = store->records[--store->record_count];
}

int maui_store_add_trigger(struct maui_store *store, const struct maui_store_trigger *trigger)
{
	struct maui_store_trigger *grown = maui_array_grow(store->triggers, store->trigger_count,
							   &store->trigger_alloc, sizeof(*grown));
	struct maui_store_trigger copy = *trigger;

	if (!grown)
		return -1;
	store->triggers = grown;
	copy.marks = calloc(trigger->mark_count + 1, sizeof(*copy.marks));
	if (!copy.marks || maui_store_copy_period(&trigger->period, &copy.period)) {
		free(copy.marks);
		return -1;
	}
	for (size_t i = 0; i < trigger->mark_count; i++)
		copy.marks[i] = trigger->marks[i];
	grown[store->trigger_count++] = copy;
	return 0;
}

bool maui_store_has_job_id(const struct maui_store_record *record, uint32_t job)
{
	return record->job_id_count > 0 &&
	       bsearch(&job, record->job_ids, record->job_id_count, sizeof(job), maui_sort_by_u32);
}
