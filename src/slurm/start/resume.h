/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resume.h - whether a suspended job can resume: Slurm gives its cores to other jobs, and resumes
 * it without a check
 */
#ifndef MAUI_SLURM_START_RESUME_H
#define MAUI_SLURM_START_RESUME_H

#include <stdbool.h>

/* Whether no running job has one of its cores. Under job READ, node READ. */
bool maui_resume_fits(const void *job_ptr);

#endif
