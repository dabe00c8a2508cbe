/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conditions.h - what slurmctld knows of when a waiting job may start: model/conditions.h */
#ifndef MAUI_SLURM_CAPTURE_CONDITIONS_H
#define MAUI_SLURM_CAPTURE_CONDITIONS_H

#include "model/captured.h"

struct job_record; /* of slurmctld */

/* Sets the conditions of a waiting job that is being added to `jobs`; its first and last task are
 * set. Under job READ. -1: no memory. */
int maui_capture_conditions(const struct job_record *job_ptr, struct maui_captured_jobs *jobs,
			    struct maui_captured_job *job);

#endif
