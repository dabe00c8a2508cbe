/* SPDX-License-Identifier: GPL-2.0-or-later */
/* controller.h - the controller that all plugins of this slurmctld share
 *
 * slurmctld loads plugins one by one, in an order that differs between releases of Slurm. The
 * first plugin makes the controller, the last one ends it. The plugin files call these functions
 * only. A comment says when a function may be called under slurmctld's locks. The controller's own
 * lock comes after slurmctld's, and is never held while waiting for slurmctld's locks, a disk or
 * the name service.
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

/* Call from a plugin's init(). The first call reads maui.cfg (else the last good one) and the
 * state, and logs what is wrong. -1: the plugin must refuse to load; the log has the reason. */
MAUI_EXPORT int maui_controller_open(enum maui_role role);

/* Call from fini(): the last role joins the agent and saves. */
MAUI_EXPORT void maui_controller_close(enum maui_role role);

/* Starts the agent, once slurmctld has its jobs. Idempotent. */
MAUI_EXPORT void maui_controller_start(void);

/* For sched_p_reconfig(), under all of slurmctld's locks: slurm.conf may have changed. */
MAUI_EXPORT void maui_controller_sched_reconfigure(void);

/* The calls of priority_maui.so, which is not linked with this library. */
struct maui_priority_calls {
	int (*open)(enum maui_role role);
	void (*close)(enum maui_role role);
	void (*start)(void);
	/* Call on reconfigure, under slurmctld's locks: the agent reads maui.cfg again when
	 * `reload`, and recalculates at once. Returns immediately. */
	void (*reconfigure)(bool reload);
	/* For priority_p_set(): the job's priority now. Under job WRITE. */
	uint32_t (*set_priority)(uint32_t last_priority, struct job_record *job_ptr);
	/* priority_p_get_priority_factors_list: see slurm/publish/factors.h */
	void *(*factors)(const void *request, uid_t uid);
	/* see slurm/associations/ */
	void (*job_end)(struct job_record *job_ptr);
	void (*set_usage)(void *assoc);
};
extern MAUI_EXPORT const struct maui_priority_calls maui_priority_calls;

/* job_submit() and job_modify(): see submit.h. Slurm error codes; *err_msg by xmalloc. */
MAUI_EXPORT int maui_controller_submit(struct job_descriptor *job_desc, char **err_msg);
MAUI_EXPORT int maui_controller_modify(struct job_descriptor *job_desc, struct job_record *job_ptr,
				       uid_t uid);

#endif
