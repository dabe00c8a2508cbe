/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_table.h - showstats --estimates: how far starts came from their estimates
 *
 * Rules: CMD-67.
 */
#ifndef MAUI_CMD_ESTIMATE_TABLE_H
#define MAUI_CMD_ESTIMATE_TABLE_H

#include "cmd/query.h"

struct maui_statistics_answer;

/* Returns the exit status. */
int maui_estimate_table_print(const struct maui_cmd_common *common,
			      const struct maui_statistics_answer *answer);

#endif
