/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched_maui.c - SchedulerType=sched/maui: the symbols slurmctld looks for, nothing more */

#include "slurm/compat.h"

#include "maui_config.h"

#include "base/built_for.h"
#include "controller/controller.h"

static const char built_for[] __attribute__((used)) =
	MAUI_BUILT_FOR SLURM_VERSION_STRING MAUI_BUILT_FOR_SHA256 MAUI_SLURMCTLD_SHA256;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

const char plugin_name[] = "Maui scheduler plugin";
const char plugin_type[] = "sched/maui";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
int fini(void);
int sched_p_reconfig(void);

/* slurmctld calls it before its jobs are loaded, but under its locks: the agent's first look waits
 * until they are. */
int init(void)
{
	if (maui_controller_open(MAUI_ROLE_SCHED))
		return SLURM_ERROR;
	maui_controller_start();
	info("%s loaded", plugin_name);
	return SLURM_SUCCESS;
}

int fini(void)
{
	maui_controller_close(MAUI_ROLE_SCHED);
	return SLURM_SUCCESS;
}

/* Also called once right after init(). */
int sched_p_reconfig(void)
{
	maui_controller_sched_reconfigure();
	return SLURM_SUCCESS;
}
