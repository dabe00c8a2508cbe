/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_table.h - how far starts came from their estimates: showstats and maui-sim --estimates
 *
 * Rules: CMD-67.
 */
#ifndef MAUI_TOOL_ESTIMATE_TABLE_H
#define MAUI_TOOL_ESTIMATE_TABLE_H

#include <stddef.h>

struct maui_tool_common;
struct maui_statistics_estimate;

/* Returns the exit status. */
int maui_estimate_table_print(const struct maui_tool_common *common,
			      const struct maui_statistics_estimate *list, size_t count);

#endif
