/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.h - `maui trial --keep`: what setres made under SERVERMODE TEST stays
 *
 * Rules: CMD-58.
 */
#ifndef MAUI_ADMIN_TRIAL_H
#define MAUI_ADMIN_TRIAL_H

#include <stddef.h>

#include "base/arena.h"
#include "model/rsv.h"
#include "query/message.h"
#include "verbs/keeptrial.h"

/* The answer, of the arena; NULL with error: no memory; then nothing has changed. */
struct maui_keeptrial *maui_admin_keep_trial(struct maui_rsv *rsvs, size_t count,
					     struct maui_arena *arena,
					     struct maui_query_error *error);

#endif
