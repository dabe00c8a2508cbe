/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_text.h - what a reservation is, its flags and access lists, as commands show them */
#ifndef MAUI_ANSWERS_RSV_TEXT_H
#define MAUI_ANSWERS_RSV_TEXT_H

#include <stddef.h>

#include "answers/document.h"
#include "base/arena.h"
#include "model/rsv.h"

/* "Job", "User", ... */
const char *maui_rsv_text_type(enum maui_document_type type);

/* Lists of texts, NULL behind the last; memory is the arena's. NULL without memory, and for an
 * empty list.
 *   flags     "OWNERPREEMPT", in the order of enum maui_rsv_flag
 *   acl       "USER==steve+" "ACCT==!guest" "DURATION<=1:00:00*+", in the order of the file
 *   triggers  "start+5:00;exec@/path" */
const char *const *maui_rsv_text_flags(const struct maui_rsv *rsv, struct maui_arena *arena);
const char *const *maui_rsv_text_acl(const struct maui_rsv *rsv, struct maui_arena *arena);
const char *const *maui_rsv_text_triggers(const struct maui_rsv *rsv, struct maui_arena *arena);

/* "ACCOUNT:jupiter"; NULL: no owner, no memory. */
const char *maui_rsv_text_owner(const struct maui_rsv *rsv, struct maui_arena *arena);

#endif
