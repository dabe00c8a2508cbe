/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending.h - what becomes of a reservation's idle time: from its record to the file for bills
 *
 * Settling a record puts what has added up into the book's list `due`, which is part of the state:
 * it leaves it when it is in the file (state/idle_log.h), however long that takes.
 */
#ifndef MAUI_STATE_PENDING_H
#define MAUI_STATE_PENDING_H

#include "base/err.h"
#include "state/store/store.h"

enum { MAUI_PENDING_MAX = 10000 }; /* lines that are kept while they cannot be written */

/* What a record has up to its until_s is due, if anybody pays for it; it begins anew there. -1
 * without memory: nothing has changed. */
int maui_pending_add(struct maui_store *saved, struct maui_store_record *record);

/* Who pays from the record's until_s on; what was before is settled. -1 without memory: as before,
 * and to be said again. */
int maui_pending_set_payers(struct maui_store *saved, struct maui_store_record *record,
			    const char *account, const char *owner);

/* Writes all pending records. -1 with err: some, or all, are still pending; of more than
 * MAUI_PENDING_MAX the oldest are given up, `ret_lost` lines. */
int maui_pending_write(struct maui_store *saved, const char *state_dir, size_t *ret_lost,
		       struct maui_err *err);

#endif
