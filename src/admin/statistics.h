/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - resetstats: resets the statistics
 *
 * Rules: CMD-28.
 */
#ifndef MAUI_ADMIN_STATISTICS_H
#define MAUI_ADMIN_STATISTICS_H

#include <stdint.h>

#include "base/arena.h"
#include "query/message.h"
#include "state/statistics.h"
#include "verbs/resetstats.h"

/* The answer, of the arena; NULL with error: no memory. */
struct maui_resetstats *maui_admin_reset_statistics(struct maui_statistics *statistics,
						    int64_t now_s, struct maui_arena *arena,
						    struct maui_query_error *error);

#endif
