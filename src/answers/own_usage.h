/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_usage.h - whose usage and statistics a user may see
 *
 * With PrivateData=usage of slurm.conf users see their own name, the credentials of their jobs in
 * the queue, and accounts that they coordinate; administrators see all.
 *
 * Rules: CMD-26.
 */
#ifndef MAUI_ANSWERS_OWN_USAGE_H
#define MAUI_ANSWERS_OWN_USAGE_H

#include "answers/document.h"

struct maui_usage_asker {
	const struct maui_document *p;
	const char *name; /* NULL: not known */
	uid_t uid;
	bool sees_all;
};

struct maui_usage_asker maui_usage_asker(const struct maui_document *p, uid_t uid);
bool maui_usage_asker_sees(enum maui_cred_kind kind, const char *name, void *asker);

#endif
