/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_lists.h - lists about reservations that survive a cycle and a restart
 *
 * The lists grow and shrink while slurmctld runs. A save lends them to the state file, and a start
 * copies them out of it. Their elements are those of the file, and each owns its texts and lists.
 *
 * A zeroed struct is empty. Thread safety: none.
 */
#ifndef MAUI_CYCLE_RSV_LISTS_H
#define MAUI_CYCLE_RSV_LISTS_H

#include "state/store/store.h"

struct maui_rsv_lists {
	struct maui_rsv *rsvs; /* of setres, in the order in which they were made */
	size_t rsv_count, rsv_alloc;
	struct maui_store_instance *instances;
	size_t instance_count, instance_alloc;
	struct maui_store_released *released;
	size_t released_count, released_alloc;
	struct maui_store_record *records;
	size_t record_count, record_alloc;
	struct maui_store_pending *pending; /* oldest first */
	size_t pending_count, pending_alloc;
};

void maui_rsv_lists_finish(struct maui_rsv_lists *lists);

/* Lends the lists to a store that is to be saved: until they change. */
void maui_rsv_lists_to_store(const struct maui_rsv_lists *lists, struct maui_store *store);
/* Adds copies of what the file has. -1 without memory. */
int maui_rsv_lists_from_store(struct maui_rsv_lists *lists, const struct maui_store *store);

/* Adds a deep copy. -1 without memory. */
int maui_rsv_lists_add_instance(struct maui_rsv_lists *lists,
				const struct maui_store_instance *instance);
void maui_rsv_lists_drop_instances(struct maui_rsv_lists *lists);

/* Sets the hash if the instance is already in the list. -1 without memory. */
int maui_rsv_lists_add_released(struct maui_rsv_lists *lists,
				const struct maui_store_period *period, uint64_t hash);
/* Removes the released instances of the day, or all of them (INT32_MIN). Returns how many there
 * were. */
size_t maui_rsv_lists_drop_released(struct maui_rsv_lists *lists, const char *rsv, int32_t day);

/* Adds a deep copy. -1 without memory. */
int maui_rsv_lists_add_record(struct maui_rsv_lists *lists, const struct maui_store_record *record);
/* Removes a record; the last record takes its place. */
void maui_rsv_lists_drop_record(struct maui_rsv_lists *lists, size_t index);
/* Replaces the job ids of a record by copies. -1 without memory: the record is unchanged. */
int maui_rsv_record_set_job_ids(struct maui_store_record *record, const uint32_t *job_ids,
				size_t count);
bool maui_rsv_record_has_job_id(const struct maui_store_record *record, uint32_t job);

/* Adds a deep copy. -1 without memory. */
int maui_rsv_lists_add_pending(struct maui_rsv_lists *lists,
			       const struct maui_store_pending *pending);
void maui_rsv_pending_finish(struct maui_store_pending *pending);

/* Copies both texts, each may be NULL. -1 without memory. */
int maui_rsv_copy_payers(const char *account, const char *owner, char **ret_account,
			 char **ret_owner);

#endif
