/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conditions.h - what slurmctld knows of when a waiting job may start: model/conditions.h */
#ifndef MAUI_SLURM_CAPTURE_CONDITIONS_H
#define MAUI_SLURM_CAPTURE_CONDITIONS_H

#include "model/captured.h"

/* Sets job->conditions; the tasks of the job are set. Under job READ. -1: no memory. */
int maui_capture_conditions(const void *job_ptr, int64_t now_s, struct maui_arena *arena,
			    struct maui_captured_job *job);

#endif
