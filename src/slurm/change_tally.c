/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_tally.c - what became of a request that changes several records */

#include "slurm/change_tally.h"

void maui_change_count(struct maui_change_tally *tally, enum maui_job_action action,
		       enum maui_change_result result)
{
	if (result == MAUI_CHANGE_DONE)
		tally->done++;
	else if (result == MAUI_CHANGE_NO_HOLD && action == MAUI_JOB_RELEASE)
		tally->unheld++;
	else if (result != MAUI_CHANGE_NO_JOB && tally->failure == MAUI_CHANGE_DONE)
		tally->failure = result;
}

enum maui_change_result maui_change_sum(const struct maui_change_tally *tally)
{
	if (tally->failure != MAUI_CHANGE_DONE)
		return tally->failure;
	if (tally->done > 0)
		return MAUI_CHANGE_DONE;
	return tally->unheld > 0 ? MAUI_CHANGE_NO_HOLD : MAUI_CHANGE_NO_JOB;
}
