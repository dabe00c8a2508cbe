/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_creds.h - which credentials a user may see
 *
 * With PrivateData of slurm.conf users see their own name, the credentials of their jobs in the
 * queue, and accounts that they coordinate; administrators see all. PrivateData=users and accounts
 * hide neither QOS nor classes; PrivateData=usage hides the usage of all kinds.
 *
 * Rules: CMD-9, CMD-26.
 */
#ifndef MAUI_ANSWERS_OWN_CREDS_H
#define MAUI_ANSWERS_OWN_CREDS_H

#include <stdbool.h>

#include "answers/document.h"

/* What one user may see; borrows from the document. */
struct maui_own_creds {
	const struct maui_document *document;
	const char *user; /* the user's name; NULL: not known */
	uid_t uid;
	/* of each hidden kind: the names that jobs of the user have, ascending */
	struct {
		const char **list;
		size_t count;
	} of_jobs[MAUI_CRED_COUNT];
	bool hidden[MAUI_CRED_COUNT]; /* kinds of which the user sees own credentials only */
};

/* What of credentials and their limits (PrivateData=users, accounts), or of their usage and
 * statistics (PrivateData=usage) the user may see. -1 without memory. */
int maui_own_creds_find(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret);
int maui_own_creds_find_usage(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret);
/* Own credentials of all kinds, also those that PrivateData hides from others. */
int maui_own_creds_find_all(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret);
void maui_own_creds_finish(struct maui_own_creds *own);

/* Whether the user may see what concerns this credential. */
bool maui_own_creds_shows(const struct maui_own_creds *own, enum maui_cred_kind kind,
			  const char *name);

#endif
