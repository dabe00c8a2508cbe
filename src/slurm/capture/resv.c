/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resv.c - times and extent of a slurmctld_resv_t */

#include "slurm/compat.h"

#include "slurm/capture/resv.h"

#include "model/when.h"
#include "slurm/capture/recur.h"

static enum maui_recur recur_of(uint64_t flags)
{
	return flags & RESERVE_FLAG_HOURLY  ? MAUI_RECUR_HOURLY :
	       flags & RESERVE_FLAG_DAILY   ? MAUI_RECUR_DAILY :
	       flags & RESERVE_FLAG_WEEKDAY ? MAUI_RECUR_WEEKDAY :
	       flags & RESERVE_FLAG_WEEKEND ? MAUI_RECUR_WEEKEND :
	       flags & RESERVE_FLAG_WEEKLY  ? MAUI_RECUR_WEEKLY :
					      MAUI_RECUR_NONE;
}

void maui_resv_times(const void *record, int64_t now_s, int64_t *ret_start_s, int64_t *ret_end_s)
{
	const slurmctld_resv_t *resv_ptr = record;

	*ret_start_s =
		resv_ptr->start_time_first ? resv_ptr->start_time_first : resv_ptr->start_time;
	*ret_end_s = resv_ptr->end_time;
	if (!(resv_ptr->flags & RESERVE_FLAG_TIME_FLOAT)) {
		maui_recur_advance(recur_of(resv_ptr->flags), now_s, ret_start_s, ret_end_s);
		return;
	}
	*ret_start_s = now_s + resv_ptr->start_time;
	if (resv_ptr->duration == INFINITE)
		*ret_end_s = *ret_start_s + MAUI_YEAR_S;
	else if (resv_ptr->duration && resv_ptr->duration != NO_VAL)
		*ret_end_s = *ret_start_s + (int64_t)resv_ptr->duration * 60;
}

bool maui_resv_is_share(const void *record)
{
	/* these keep whole nodes, or keep jobs out of partitions; gres are not known by core */
	const uint64_t others =
		RESERVE_FLAG_MAINT | RESERVE_FLAG_ALL_NODES | RESERVE_FLAG_PART_NODES;
	const slurmctld_resv_t *resv_ptr = record;

	return resv_ptr->node_bitmap && resv_ptr->core_bitmap &&
	       !(resv_ptr->ctld_flags & RESV_CTLD_FULL_NODE) && !(resv_ptr->flags & others) &&
	       !maui_compat_reserves_gres(resv_ptr) &&
	       bit_size(resv_ptr->core_bitmap) ==
		       cr_get_coremap_offset((uint32_t)node_record_count);
}

bool maui_resv_is_there(const char *name)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	bool there;

	lock_slurmctld(locks);
	there = resv_list && find_resv_name((char *)name);
	unlock_slurmctld(locks);
	return there;
}
