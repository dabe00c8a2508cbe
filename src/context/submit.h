/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit.h - the QOS of a job at its submission: kept, chosen by QDEF, refused by QLIST
 *
 * Without slurmdbd Slurm 22.05 drops what --qos said; the name travels in admin_comment as
 * "maui:qos=NAME", one key among others that may be there. With slurmdbd the QOS is Slurm's own,
 * and only QDEF and QLIST act here. Called under slurmctld's READ locks: no name service, no file.
 */
#ifndef MAUI_CONTEXT_SUBMIT_H
#define MAUI_CONTEXT_SUBMIT_H

#include "context/internal.h"

/* job_desc is a job_desc_msg_t. SLURM_SUCCESS, or ESLURM_INVALID_QOS with a sentence for the user
 * in *err_msg (xmalloc). */
int maui_submit_check(struct maui_context *c, void *job_desc, char **err_msg);

/* The same for an update of job_ptr (a job_record_t, under job WRITE) by `uid`. This release of
 * slurmctld shows its own sentence for the code. */
int maui_submit_modify(struct maui_context *c, void *job_desc, void *job_ptr, uid_t uid);

#endif
