/* SPDX-License-Identifier: GPL-2.0-or-later */
/* privacy.h - who may see what of a document: slurmctld's PrivateData, and who is exempt
 *
 * Root and administrators see everything, everybody sees what is theirs, and the coordinators of an
 * account the jobs of the account.
 */
#ifndef MAUI_ANSWERS_PRIVACY_H
#define MAUI_ANSWERS_PRIVACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct maui_coordinator;
struct maui_document;
struct maui_document_rsv;

struct maui_document_user {
	uid_t uid;
	const char *name;   /* NULL: none */
	const char *called; /* by the user's jobs: the name, or 1007, or +1007 (rule FS-12) */
};

struct maui_privacy {
	/* PrivateData: other users see only their own */
	bool hide_jobs, hide_rsvs, hide_usage, hide_users, hide_accounts, hide_nodes,
		hide_partitions;
	const struct maui_document_user
		*users; /* whom the server knows by name, by ascending uid */
	size_t user_count;
	const uid_t *admins; /* who see everything, like root */
	size_t admin_count;
	const struct maui_coordinator *coordinators;
	size_t coordinator_count;
};

/* The user's name; NULL: the user has none, or nothing is hidden. */
const char *maui_document_user_name(const struct maui_document *p, uid_t uid);
/* What the user's jobs call the user; NULL: not looked up, or nothing is hidden. */
const char *maui_document_user_called(const struct maui_document *p, uid_t uid);
/* Whether the user can be answered: PrivateData hides nothing, or the name was looked up. */
bool maui_document_knows(const struct maui_document *p, uid_t uid);

/* Whether this user may see the row. */
bool maui_document_shows(const struct maui_document *p, const struct maui_document_rsv *row,
			 uid_t uid);
/* What holds the missing nodes of the row; NULL: nothing is missing, or PrivateData hides whose
 * jobs and reservations these are. */
const char *maui_document_held_by(const struct maui_document *p,
				  const struct maui_document_rsv *row, uid_t uid);
/* Whether the user may see a job that waits: an index of the plan's snapshot. */
bool maui_document_shows_idle(const struct maui_document *p, uint32_t index, uid_t uid);
/* Whether PrivateData hides nothing from this user. */
bool maui_document_sees_all(const struct maui_document *p, uid_t uid);
/* Whether PrivateData=reservations hides those of others from this user. */
bool maui_document_hides_rsvs(const struct maui_document *p, uid_t uid);
/* Whether the user may learn which jobs and reservations of others hold nodes. */
bool maui_document_shows_holders(const struct maui_document *p, uid_t uid);
/* Whether PrivateData=nodes hides the nodes from this user. */
bool maui_document_hides_nodes(const struct maui_document *p, uid_t uid);
/* Whether PrivateData=partitions hides the partitions from this user. */
bool maui_document_hides_partitions(const struct maui_document *p, uid_t uid);
/* Whether this user coordinates the account. */
bool maui_document_coordinates(const struct maui_document *p, const char *account, uid_t uid);
/* Whether this user may read the lines of maui.cfg, which name users, accounts and reservations; so
 * do messages about them. */
bool maui_document_shows_lines(const struct maui_document *p, uid_t uid);
/* Whether this user may see the usage of others. */
bool maui_document_shows_usage(const struct maui_document *p, uid_t uid);

/* For qsort() and bsearch(): users by uid. */
int maui_privacy_compare_users(const void *a, const void *b);

#endif
