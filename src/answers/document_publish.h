/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document_publish.h - fills a document, before it is handed over
 *
 * For the agent, which knows where each part comes from, and for tests. When memory is short, the
 * document has `failed` set and is not published.
 */
#ifndef MAUI_ANSWERS_DOCUMENT_PUBLISH_H
#define MAUI_ANSWERS_DOCUMENT_PUBLISH_H

#include "answers/document.h"
#include "base/diag.h"

/* PrivateData, and who is exempt: SlurmUser, administrators. */
void maui_document_hide(struct maui_document *p, bool jobs, bool rsvs, const uid_t *admins,
			size_t admin_count);
/* The users whose names were looked up, for all kinds of PrivateData. The names are copied; NULL:
 * the user has none. */
void maui_document_know_users(struct maui_document *p, const struct maui_document_user *users,
			      size_t count);

/* Keeps a reference on the status of maui.cfg, and a copy of the version. */
void maui_document_set_config(struct maui_document *p, struct maui_config_status *config,
			      const char *slurm_version);

/* Copies what became of the state: texts about damaged files, why it is not saved; NULL: it is. */
void maui_document_set_state(struct maui_document *p, const char *const *damage, size_t count,
			     const char *not_saved);

/* Keeps a reference on the fairshare windows. */
void maui_document_set_usage(struct maui_document *p, struct maui_usage_view *usage);

/* Keeps a reference on the figures, and a copy of the last day. */
void maui_document_set_statistics(struct maui_document *p, struct maui_statistics_view *statistics,
				  const struct maui_utilisation *utilisation);

/* A copy of the score. */
void maui_document_set_trial(struct maui_document *p, const struct maui_trial *trial);

/* A copy of how the scheduler itself does. */
void maui_document_set_health(struct maui_document *p, const struct maui_health *health);
/* A copy of the list. */
void maui_document_coordinators(struct maui_document *p, const struct maui_coordinator *list,
				size_t count);

void maui_document_default_accounts(struct maui_document *p,
				    const struct maui_default_account *list, size_t count);

/* Takes the reference over. */
void maui_document_slurm_names(struct maui_document *p, struct maui_slurm_names *names);

/* Keeps a reference on the plan, and a copy of the list with what it leads to. */
void maui_document_set_plan(struct maui_document *p, struct maui_plan *plan,
			    const struct maui_document_idle *idle);

/* Node names of the snapshot, before the rows that use them. */
void maui_document_nodes(struct maui_document *p, const struct maui_snapshot *snapshot);

/* A row with everything it leads to copied. NULL without memory; the row may be completed until
 * the next one is added. */
struct maui_document_rsv *maui_document_add(struct maui_document *p,
					    const struct maui_document_rsv *row);

/* Rows of what was planned; see document_rows.c for what is filled in: all but mirror, held_by,
 * used_*, idle_*, uid (of those who made a reservation), which the caller knows. `standing`: from
 * maui.cfg. NULL without memory. */
struct maui_document_rsv *maui_document_add_instance(struct maui_document *p,
						     const struct maui_snapshot *snapshot,
						     const struct maui_rsv *rsv,
						     const struct maui_rsv_instance *instance,
						     bool standing);
struct maui_document_rsv *maui_document_add_active(struct maui_document *p,
						   const struct maui_snapshot *snapshot,
						   uint32_t active, uid_t uid);
struct maui_document_rsv *maui_document_add_job_rsv(struct maui_document *p,
						    const struct maui_snapshot *snapshot,
						    const struct maui_reservation *job_rsv,
						    uid_t uid);

/* Names the row of a job as squeue does: task 3 of array 17 is "17_3", and tasks 4 to 9 that wait
 * are "17_[4-9]". `task` MAUI_NO_TASK: first to last wait, if they are tasks; array 0: no array. */
void maui_document_name_task(struct maui_document *p, struct maui_document_rsv *row, uint32_t array,
			     uint32_t task, uint32_t first, uint32_t last);

/* A period (YYYYMMDD, 0 of one without) of a SRCFG that is released; not if it is over, or not
 * there yet by DEPTH. */
void maui_document_add_released(struct maui_document *p, const struct maui_rsv *rsv, int32_t day);

/* Something that is wrong with a SRCFG, or a name that this cluster does not have. `of_file`: the
 * status of maui.cfg has the warning, too. */
void maui_document_warn(struct maui_document *p, const struct maui_diag *diag, bool of_file);

#endif
