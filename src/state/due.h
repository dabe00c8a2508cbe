/* SPDX-License-Identifier: GPL-2.0-or-later */
/* due.h - what becomes of a reservation's idle time: from its record to the file for bills
 *
 * Settling a record puts what has added up into the book's list `due`, which is part of the state:
 * it leaves it when it is in the file (state/bill.h), however long that takes.
 */
#ifndef MAUI_STATE_DUE_H
#define MAUI_STATE_DUE_H

#include "base/err.h"
#include "state/store.h"

enum { MAUI_DUE_MOST = 10000 }; /* lines that are kept while they cannot be written */

/* What a record has up to its until_s is due, if anybody pays for it; it begins anew there. -1
 * without memory: nothing has changed. */
int maui_due_settle(struct maui_store *book, struct maui_store_record *record);

/* Who pays from the record's until_s on; what was before is settled. -1 without memory: as before,
 * and to be said again. */
int maui_due_payers(struct maui_store *book, struct maui_store_record *record, const char *account,
		    const char *owner);

/* Writes all that is due. -1 with err: some, or all, is still due; what is more than MAUI_DUE_MOST
 * of it, the oldest, is given up, `ret_lost` lines. */
int maui_due_write(struct maui_store *book, const char *state_dir, size_t *ret_lost,
		   struct maui_err *err);

#endif
