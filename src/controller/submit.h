/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit.h - what a job asks for at its submission: its QOS is kept, chosen by QDEF, refused by
 * QLIST; a reservation of ours that it names is kept, since slurmctld knows none of that name
 *
 * Without slurmdbd Slurm 22.05 drops what --qos said; the name travels in admin_comment as
 * "maui:qos=NAME", one key among others that may be there. With slurmdbd the QOS is Slurm's own,
 * and only QDEF and QLIST act here. Called under slurmctld's READ locks: no name service, no file.
 *
 * Rules: THR-16.
 */
#ifndef MAUI_CONTROLLER_SUBMIT_H
#define MAUI_CONTROLLER_SUBMIT_H

#include "controller/private.h"
#include "slurm/publish/comment.h"

/* job_desc is a job_desc_msg_t. SLURM_SUCCESS, or ESLURM_INVALID_QOS with a sentence for the user
 * in *err_msg (xmalloc). */
int maui_submit_check(struct maui_controller *c, void *job_desc, char **err_msg);

/* The same for an update of job_ptr (a job_record_t, under job WRITE) by `uid`. This release of
 * slurmctld shows its own sentence for the code. */
int maui_submit_modify(struct maui_controller *c, void *job_desc, void *job_ptr, uid_t uid);

/* ---- --reservation=NAME ---- */

/* Names of administrative reservations; those of maui.cfg's are known. Copies. -1 without
 * memory. */
int maui_submit_set_names(struct maui_controller *c, const char *const *names, size_t count);

/* Those of ours are taken out of the request: a SRCFG's or an administrative one's name, one of
 * their instances' ("sr.1"), a mirror's ("maui.sr.20261122"), or several, "a,b"; kept as
 * "maui:advres=a,b". An instance is meant alone, and kept by its day, since indices change at
 * midnight; ESLURM_RESERVATION_INVALID when there is none now or to come, or neither we nor
 * Slurm have one of that name; of several such names the first decides. An administrative one may
 * be named without its number, too, when it is the only one. Names of Slurm's are left to
 * slurmctld, both in one request are refused. Only where sched/maui is. */
int maui_submit_advres(struct maui_controller *c, void *job_desc, char **err_msg);
/* The same for an update; a name of Slurm's, or none, takes ours back. */
int maui_submit_modify_advres(struct maui_controller *c, void *job_desc, void *job_ptr, uid_t uid);

/* Puts a value into the job's admin_comment, as far as this user may update the job. */
void maui_submit_keep(void *job_desc, void *job_ptr, uid_t uid, enum maui_comment_key key,
		      const char *value);

#endif
