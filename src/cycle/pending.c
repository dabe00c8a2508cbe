/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending.c - moves usage records to the pending list, and writes the list to the idle-time log */

#include "cycle/pending.h"

#include <stdlib.h>

#include "base/text.h"
#include "state/idle_log.h"

int maui_pending_add(struct maui_rsv_lists *lists, struct maui_store_record *record)
{
	const struct maui_store_pending pending = { .period = record->period,
						    .account = record->account,
						    .owner = record->owner,
						    .from_s = record->from_s,
						    .until_s = record->until_s,
						    .reserved_ps = record->reserved_ps,
						    .used_ps = record->used_ps,
						    .idle_ps = record->idle_ps };

	if ((pending.account || pending.owner) && pending.until_s > pending.from_s &&
	    maui_rsv_lists_add_pending(lists, &pending))
		return -1;
	record->from_s = record->until_s;
	record->reserved_ps = record->used_ps = record->idle_ps = 0;
	return 0;
}

int maui_pending_set_payers(struct maui_rsv_lists *lists, struct maui_store_record *record,
			    const char *account, const char *owner)
{
	char *new_account, *new_owner;

	if (maui_same_text(record->account, account) && maui_same_text(record->owner, owner))
		return 0;
	if (maui_rsv_copy_payers(account, owner, &new_account, &new_owner))
		return -1;
	if (maui_pending_add(lists, record)) {
		free(new_account);
		free(new_owner);
		return -1;
	}
	free(record->account);
	free(record->owner);
	record->account = new_account;
	record->owner = new_owner;
	return 0;
}

static struct maui_idle_log_line line_of(const struct maui_store_pending *pending)
{
	return (struct maui_idle_log_line){ .from_s = pending->from_s,
					    .until_s = pending->until_s,
					    .rsv = pending->period.rsv,
					    .day = pending->period.day,
					    .account = pending->account,
					    .owner = pending->owner,
					    .reserved = (double)pending->reserved_ps,
					    .used = (double)pending->used_ps,
					    .idle = (double)pending->idle_ps };
}

/* Removes the elements that are written, and the oldest of more than MAUI_PENDING_MAX. */
static size_t drop_written(struct maui_rsv_lists *lists, const struct maui_idle_log_line *lines)
{
	size_t unwritten = 0, kept = 0, lost = 0;

	for (size_t i = 0; i < lists->pending_count; i++)
		unwritten += !lines[i].written;
	for (size_t i = 0; i < lists->pending_count; i++) {
		bool too_many = !lines[i].written && unwritten - lost > MAUI_PENDING_MAX;

		lost += too_many;
		if (lines[i].written || too_many)
			maui_rsv_pending_finish(&lists->pending[i]);
		else
			lists->pending[kept++] = lists->pending[i];
	}
	lists->pending_count = kept;
	return lost;
}

int maui_pending_write(struct maui_rsv_lists *lists, const char *state_dir, size_t *ret_lost,
		       struct maui_err *err)
{
	struct maui_idle_log_line *lines;
	int rc;

	*ret_lost = 0;
	if (lists->pending_count == 0)
		return 0;
	lines = calloc(lists->pending_count, sizeof(*lines));
	if (!lines)
		return maui_err_no_memory(err);
	for (size_t i = 0; i < lists->pending_count; i++)
		lines[i] = line_of(&lists->pending[i]);
	rc = maui_idle_log_append(state_dir, lines, lists->pending_count, err);
	*ret_lost = drop_written(lists, lines);
	free(lines);
	return rc;
}
