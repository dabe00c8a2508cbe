/* SPDX-License-Identifier: GPL-2.0-or-later */
/* controller.h - the one copy of everything, for all of our plugins in this slurmctld
 *
 * slurmctld loads plugins one by one, in an order that differs between releases of Slurm. The first
 * plugin makes the controller, the last one ends it. The plugin files call these functions only.
 * Where a function may be called under slurmctld's locks, its comment says so. The controller's own
 * lock comes after slurmctld's and is never held while waiting for slurmctld's locks, for a disk or
 * for a name.
 */
#ifndef MAUI_CONTROLLER_CONTROLLER_H
#define MAUI_CONTROLLER_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define MAUI_EXPORT __attribute__((visibility("default")))

struct job_record;
struct job_descriptor;

enum maui_role {
	MAUI_ROLE_PRIORITY,   /* ranks jobs, charges usage: has the agent */
	MAUI_ROLE_SCHED,      /* starts jobs: has the agent, too */
	MAUI_ROLE_JOB_SUBMIT, /* needs the configuration */
	MAUI_ROLE_COUNT
};

/* From a plugin's init(). The first reads maui.cfg (else the last good one) and the state, and
 * logs what is wrong. -1: must refuse to load; the reason is logged. */
MAUI_EXPORT int maui_controller_open(enum maui_role role);

/* From fini(): joins the agent and saves when the last role goes. */
MAUI_EXPORT void maui_controller_close(enum maui_role role);

/* Starts the agent, once slurmctld has its jobs. Idempotent. */
MAUI_EXPORT void maui_controller_start(void);

/* From reconfigure, under slurmctld's locks: the agent reads maui.cfg again when `reload`, and
 * recalculates at once. Returns immediately. */
MAUI_EXPORT void maui_controller_reconfigure(bool reload);

/* sched_p_reconfig, under all of slurmctld's locks: slurm.conf may be another one. */
MAUI_EXPORT void maui_controller_sched_reconfigure(void);

/* priority_p_set: the job's priority now. Under job WRITE. `job_ptr` is a job_record_t. */
MAUI_EXPORT uint32_t maui_controller_set_priority(uint32_t last_priority, void *job_ptr);

/* priority_p_get_priority_factors_list: see slurm/publish/factors.h. */
MAUI_EXPORT void *maui_controller_factors(const void *request, uid_t uid);

/* job_submit() and job_modify(): see submit.h. Slurm error codes; *err_msg by xmalloc. */
MAUI_EXPORT int maui_controller_submit(void *job_desc, char **err_msg);
MAUI_EXPORT int maui_controller_modify(void *job_desc, void *job_ptr, uid_t uid);

#endif
