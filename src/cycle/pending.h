/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending.h - idle time of reservations, from the usage records to the idle-time log
 *
 * A usage record sums up the time since it was last settled. Settling moves the sum to the list
 * `pending`, which is saved with the state. An element leaves this list when the
 * idle-time log (state/idle_log.h) has its line, however long that takes.
 */
#ifndef MAUI_CYCLE_PENDING_H
#define MAUI_CYCLE_PENDING_H

#include "base/err.h"
#include "cycle/rsv_lists.h"

enum { MAUI_PENDING_MAX = 10000 }; /* the oldest are dropped when more cannot be written */

/* Closes a record at until_s: its amount becomes pending if an account or owner pays for it, and
 * the record starts again from there. -1 without memory: nothing has changed. */
int maui_pending_add(struct maui_rsv_lists *lists, struct maui_store_record *record);

/* Sets who pays from the record's until_s on, and settles what was before. -1 without memory:
 * nothing has changed, and the caller has to call again. */
int maui_pending_set_payers(struct maui_rsv_lists *lists, struct maui_store_record *record,
			    const char *account, const char *owner);

/* Writes all pending elements to the log. -1 with err: some are still pending. Of more than
 * MAUI_PENDING_MAX the oldest are dropped; *ret_lost counts them. */
int maui_pending_write(struct maui_rsv_lists *lists, const char *state_dir, size_t *ret_lost,
		       struct maui_err *err);

#endif
