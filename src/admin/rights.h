/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rights.h - what a user may change (Maui manual, appendix F, and 7.1)
 *
 * Root, SlurmUser and the users of ADMIN1 may do everything. Users of ADMIN2, and Slurm's
 * operators, change jobs; users of ADMIN3 change nothing. All of them see everything. ALL in a list
 * means all users. RESCTLPOLICY ANY permits every user to make reservations and to change the
 * reservations that this user made. Every user may release reservations that this user made or owns
 * (OWNER=USER:name). A reservation that a user made or changed runs no program, preempts no job and
 * charges only this user. A former administrator who changes a reservation is a user like others.
 *
 * Rules: RSV-23, RSV-30, CMD-54.
 */
#ifndef MAUI_ADMIN_RIGHTS_H
#define MAUI_ADMIN_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/words.h"
#include "model/rsv.h"
#include "query/message.h"
#include "verbs/verb.h"

/* The user who sends the request. */
struct maui_rights {
	uid_t uid;
	const char *name; /* NULL: the uid has no user name */
	bool admin;       /* root, SlurmUser, ADMIN1 */
	bool jobs;        /* root, SlurmUser, ADMIN1, ADMIN2, Slurm's operators: change jobs */
	bool any_creates; /* RESCTLPOLICY ANY */
};

/* For the log. */
const char *maui_rights_name(const struct maui_rights *who);

/* Whether this user is root, SlurmUser or on one of the first `levels` lists, by name or by ALL. */
bool maui_rights_is_admin(uid_t uid, const char *name, uid_t slurm_user,
			  const struct maui_words *lists, size_t levels);

/* Whether one of the first `levels` lists has ALL: then every user sees everything. */
bool maui_rights_everybody_sees(const struct maui_words *lists, size_t levels);

/* Whether the user may use the verb at all. 0, or -1 with error DENIED. */
int maui_rights_use(const struct maui_rights *who, const struct maui_verb *verb,
		    struct maui_query_error *error);

/* 0, or -1 with error DENIED. `rsv` of change and release: the existing reservation. */
int maui_rights_create(const struct maui_rights *who, struct maui_query_error *error);
int maui_rights_change(const struct maui_rights *who, const struct maui_rsv *rsv,
		       struct maui_query_error *error);
int maui_rights_release(const struct maui_rights *who, const struct maui_rsv *rsv,
			struct maui_query_error *error);
/* For a job reservation: the job's user and administrators may release it. */
int maui_rights_release_job(const struct maui_rights *who, const char *name, uid_t owner,
			    struct maui_query_error *error);

/* Whether the user may give a reservation these attributes; `rsv->by_user` tells whether a user
 * made the reservation or changed it before. */
int maui_rights_content(const struct maui_rights *who, const struct maui_rsv *rsv,
			struct maui_query_error *error);

#endif
