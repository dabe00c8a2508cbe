/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_shares.h - how much of each partition is in use, reserved, free and down
 *
 * Rules: CMD-38, CMD-48.
 */
#ifndef MAUI_ANSWERS_PARTITION_SHARES_H
#define MAUI_ANSWERS_PARTITION_SHARES_H

#include "answers/question.h"
#include "verbs/report.h"

/* Processors of each partition, then each generic resource of each. A node of two partitions counts
 * in both; what there is nothing of is left out. No rows when PrivateData=nodes hides them from the
 * user who asks. The document has a plan. -1 without memory. */
int maui_partition_shares(const struct maui_question *q, const struct maui_partition_share **ret,
			  size_t *ret_count);

#endif
