/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_submit_maui.c - JobSubmitPlugins=maui: a job's QOS at submission and update */

#include "slurm/compat.h"

#include "maui_config.h"

#include "base/built_for.h"
#include "controller/controller.h"

static const char built_for[] __attribute__((used)) =
	MAUI_BUILT_FOR SLURM_VERSION_STRING MAUI_BUILT_FOR_SHA256 MAUI_SLURMCTLD_SHA256;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

const char plugin_name[] = "Maui job submit plugin";
const char plugin_type[] = "job_submit/maui";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
int fini(void);
int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg);
int job_modify(job_desc_msg_t *job_desc, job_record_t *job_ptr, uint32_t submit_uid,
	       char **err_msg);

int init(void)
{
	return maui_controller_open(MAUI_ROLE_JOB_SUBMIT) ? SLURM_ERROR : SLURM_SUCCESS;
}

int fini(void)
{
	maui_controller_close(MAUI_ROLE_JOB_SUBMIT);
	return SLURM_SUCCESS;
}

int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg)
{
	(void)submit_uid;
	return maui_controller_submit(job_desc, err_msg);
}

int job_modify(job_desc_msg_t *job_desc, job_record_t *job_ptr, uint32_t submit_uid, char **err_msg)
{
	(void)err_msg; /* 22.05 calls with three arguments: this one is not there */
	return maui_controller_modify(job_desc, job_ptr, submit_uid);
}
