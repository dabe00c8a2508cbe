/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit.h - checks at submission: QOS (QDEF, QLIST), and --reservation of our reservations
 *
 * Without slurmdbd, Slurm 22.05 drops --qos. job_submit/maui keeps the name in admin_comment as
 * "maui:qos=NAME", next to other keys. With slurmdbd the QOS is Slurm's own, and only QDEF and
 * QLIST apply here. slurmctld does not know the names of our reservations, so job_submit/maui
 * keeps those, too. Called under slurmctld's READ locks: no name service, no file.
 *
 * Rules: THR-16.
 */
#ifndef MAUI_CONTROLLER_SUBMIT_H
#define MAUI_CONTROLLER_SUBMIT_H

#include "controller/private.h"
#include "slurm/publish/comment.h"

/* Returns SLURM_SUCCESS, or ESLURM_INVALID_QOS with a sentence for the user in *err_msg (by
 * xmalloc). */
int maui_submit_check(struct maui_controller *c, struct job_descriptor *job_desc, char **err_msg);

/* The same for an update of `job_ptr` by `uid`, under job WRITE. slurmctld shows the user its own
 * sentence for the code. */
int maui_submit_modify(struct maui_controller *c, struct job_descriptor *job_desc,
		       struct job_record *job_ptr, uid_t uid);

/* ---- --reservation=NAME ---- */

/* Sets the names of administrative reservations; maui.cfg has the others. Copies them. -1 without
 * memory. */
int maui_submit_set_names(struct maui_controller *c, const char *const *names, size_t count);

/* Moves names of our reservations from the request to the comment ("maui:advres=a,b"): the name of
 * a SRCFG or an administrative reservation, of an instance ("sr.1"), or of a mirror
 * ("maui.sr.20261122"), or several. An instance is kept by its day, because its number changes at
 * midnight. ESLURM_RESERVATION_INVALID: the instance does not exist and is not planned, or neither
 * we nor Slurm have a reservation of this name; the first such name of a list decides. slurmctld
 * checks names of its own reservations; a request with names of both kinds is refused. Only under
 * sched/maui. */
int maui_submit_advres(struct maui_controller *c, struct job_descriptor *job_desc, char **err_msg);
/* The same for an update. A Slurm reservation, or an empty name, removes the slurm-maui one. */
int maui_submit_modify_advres(struct maui_controller *c, struct job_descriptor *job_desc,
			      struct job_record *job_ptr, uid_t uid);

/* Puts a value into the job's admin_comment, as far as this user may update the job. */
void maui_submit_keep(struct job_descriptor *job_desc, struct job_record *job_ptr, uid_t uid,
		      enum maui_comment_key key, const char *value);

#endif
