/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sdiag.c - writes the counters that sdiag reads */

#include "slurm/compat.h"

#include "slurm/publish/sdiag.h"

void maui_publish_sdiag(const struct maui_sdiag_cycle *cycle)
{
	diag_stats_t *stats = &slurmctld_diag_stats;
	uint32_t last = cycle->duration_us < UINT32_MAX ? (uint32_t)cycle->duration_us : UINT32_MAX;

	/* sdiag reads and resets these without a lock */
	stats->bf_when_last_cycle = cycle->began_s;
	stats->bf_cycle_counter++;
	stats->bf_cycle_last = last;
	stats->bf_cycle_sum += last;
	if (last > stats->bf_cycle_max)
		stats->bf_cycle_max = last;
	stats->bf_last_depth = cycle->considered;
	stats->bf_last_depth_try = cycle->tried;
	stats->bf_depth_sum += cycle->considered;
	stats->bf_depth_try_sum += cycle->tried;
	stats->bf_queue_len = cycle->queue_length;
	stats->bf_queue_len_sum += cycle->queue_length;
	stats->bf_table_size = cycle->table_size;
	stats->bf_table_size_sum += cycle->table_size;
	stats->backfilled_jobs += cycle->started_backfilled;
	stats->last_backfilled_jobs += cycle->started_backfilled;
	maui_compat_count_cycle_end();
}
