/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rights.h - who may make, change and release reservations (Maui manual 7.1)
 *
 * Root, SlurmUser and the users of ADMIN1, ADMIN2, ADMIN3 may do everything, but programs: TRIGGER
 * exec and submit run them as SlurmUser, so a reservation that has one is made and changed by root,
 * SlurmUser and ADMIN1 only (our ruling). RESCTLPOLICY ANY lets every user make reservations and
 * change those that he made. Everybody may release what he made or owns (OWNER=USER:him). What a
 * user makes or changes runs no program, pushes nobody off and is charged to nobody but himself;
 * he who was an administrator when he made it is a user like others when he changes it.
 *
 * Rules: RSV-23, RSV-30.
 */
#ifndef MAUI_ADMIN_RIGHTS_H
#define MAUI_ADMIN_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/words.h"
#include "model/rsv.h"
#include "query/message.h"

/* Who asks. */
struct maui_rights {
	uid_t uid;
	const char *name; /* NULL: the user has none */
	bool admin;
	bool programs;    /* root, SlurmUser, ADMIN1: may let programs run as SlurmUser */
	bool any_creates; /* RESCTLPOLICY ANY */
};

/* Whether this user is an administrator by `levels` lists of names. */
bool maui_rights_is_admin(uid_t uid, const char *name, uid_t slurm_user,
			  const struct maui_words *lists, size_t levels);

/* 0, or -1 with error DENIED. `rsv` of change and release: the one that is there. */
int maui_rights_create(const struct maui_rights *who, struct maui_query_error *error);
int maui_rights_change(const struct maui_rights *who, const struct maui_rsv *rsv,
		       struct maui_query_error *error);
int maui_rights_release(const struct maui_rights *who, const struct maui_rsv *rsv,
			struct maui_query_error *error);
/* A job's reservation: the job's user may. */
int maui_rights_release_job(const struct maui_rights *who, const char *name, uid_t owner,
			    struct maui_query_error *error);

/* Whether a reservation may be as it is now meant to be by who asks; `rsv->by_user` tells whether a
 * user made it, or changed it before. */
int maui_rights_content(const struct maui_rights *who, const struct maui_rsv *rsv,
			struct maui_query_error *error);

#endif
