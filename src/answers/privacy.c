/* SPDX-License-Identifier: GPL-2.0-or-later */
/* privacy.c - who may see what of a document */
#include "answers/privacy.h"

#include <stdlib.h>
#include <string.h>

#include "answers/document.h"
#include "model/snapshot.h"
#include "plan/finished.h"

int maui_privacy_compare_users(const void *a, const void *b)
{
	const struct maui_document_user *x = a, *y = b;

	return x->uid < y->uid ? -1 : x->uid > y->uid;
}

static const struct maui_document_user *find_user(const struct maui_document *p, uid_t uid)
{
	const struct maui_document_user key = { .uid = uid };

	return p->privacy.user_count > 0 ? bsearch(&key, p->privacy.users, p->privacy.user_count,
						   sizeof(key), maui_privacy_compare_users) :
					   NULL;
}

const char *maui_document_user_name(const struct maui_document *p, uid_t uid)
{
	const struct maui_document_user *found = find_user(p, uid);

	return found ? found->name : NULL;
}

const char *maui_document_user_called(const struct maui_document *p, uid_t uid)
{
	const struct maui_document_user *found = find_user(p, uid);

	return found ? found->called : NULL;
}

bool maui_document_knows(const struct maui_document *p, uid_t uid)
{
	bool hides = p->privacy.hide_jobs || p->privacy.hide_rsvs || p->privacy.hide_usage ||
		     p->privacy.hide_users || p->privacy.hide_accounts || p->privacy.hide_nodes ||
		     p->privacy.hide_partitions;

	return !hides || maui_document_sees_all(p, uid) || find_user(p, uid);
}

bool maui_document_sees_all(const struct maui_document *p, uid_t uid)
{
	if (uid == 0)
		return true;
	for (size_t i = 0; i < p->privacy.admin_count; i++)
		if (p->privacy.admins[i] == uid)
			return true;
	return false;
}

bool maui_document_hides_rsvs(const struct maui_document *p, uid_t uid)
{
	return p->privacy.hide_rsvs && !maui_document_sees_all(p, uid);
}

bool maui_document_shows_lines(const struct maui_document *p, uid_t uid)
{
	return (!p->privacy.hide_users && !p->privacy.hide_accounts && !p->privacy.hide_rsvs &&
		!p->privacy.hide_partitions) ||
	       maui_document_sees_all(p, uid);
}

bool maui_document_shows_holders(const struct maui_document *p, uid_t uid)
{
	return (!p->privacy.hide_jobs && !p->privacy.hide_rsvs) || maui_document_sees_all(p, uid);
}

bool maui_document_hides_nodes(const struct maui_document *p, uid_t uid)
{
	return p->privacy.hide_nodes && !maui_document_sees_all(p, uid);
}

bool maui_document_hides_partitions(const struct maui_document *p, uid_t uid)
{
	return p->privacy.hide_partitions && !maui_document_sees_all(p, uid);
}

bool maui_document_coordinates(const struct maui_document *p, const char *account, uid_t uid)
{
	for (size_t i = 0; account && i < p->privacy.coordinator_count; i++)
		if (p->privacy.coordinators[i].uid == uid &&
		    strcmp(p->privacy.coordinators[i].account, account) == 0)
			return true;
	return false;
}

static bool shows_job(const struct maui_document *p, uid_t owner, const char *account, uid_t uid)
{
	return !p->privacy.hide_jobs || owner == uid || maui_document_sees_all(p, uid) ||
	       maui_document_coordinates(p, account, uid);
}

bool maui_document_shows(const struct maui_document *p, const struct maui_document_rsv *row,
			 uid_t uid)
{
	if (row->type == MAUI_DOCUMENT_JOB)
		return shows_job(p, row->uid, row->cred[MAUI_CRED_ACCOUNT], uid);
	return !p->privacy.hide_rsvs || row->uid == uid || maui_document_sees_all(p, uid);
}

const char *maui_document_held_by(const struct maui_document *p,
				  const struct maui_document_rsv *row, uid_t uid)
{
	return maui_document_shows_holders(p, uid) ? row->held_by : NULL;
}

bool maui_document_shows_idle(const struct maui_document *p, uint32_t index, uid_t uid)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	const struct maui_credentials *creds = &s->creds[s->idle[index].rows[0].creds];

	return shows_job(p, p->idle[index].uid, creds->cred[MAUI_CRED_ACCOUNT], uid);
}

bool maui_document_shows_usage(const struct maui_document *p, uid_t uid)
{
	return !p->privacy.hide_usage || maui_document_sees_all(p, uid);
}
