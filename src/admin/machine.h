/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.h - changes that are of no reservation and no job: changeparam, resetstats,
 * `maui trial --keep`
 *
 * Rules: CMD-28, CMD-46, CMD-58.
 */
#ifndef MAUI_ADMIN_MACHINE_H
#define MAUI_ADMIN_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/rsv.h"
#include "query/message.h"
#include "state/statistics.h"
#include "verbs/keeptrial.h"
#include "verbs/resetstats.h"

/* Whether changeparam may change the configuration by this line. -1 with error: it is not one line
 * with a setting (NULL: none at all). */
int maui_admin_config_line(const char *line, struct maui_query_error *error);

/* Resets the statistics. The answer, of the arena; NULL with error: no memory. */
struct maui_resetstats *maui_admin_reset_statistics(struct maui_statistics *statistics,
						    int64_t now_s, struct maui_arena *arena,
						    struct maui_query_error *error);

/* Keeps what setres made under SERVERMODE TEST. The answer, of the arena; NULL with error: no
 * memory; then nothing has changed. */
struct maui_keeptrial *maui_admin_keep_trial(struct maui_rsv *rsvs, size_t count,
					     struct maui_arena *arena,
					     struct maui_query_error *error);

#endif
