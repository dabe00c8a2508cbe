/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_creds.c - which credentials a user may see
 *
 * Rules: CMD-9, CMD-26.
 */

#include "answers/own_creds.h"

#include <stdlib.h>
#include <string.h>

#include "plan/finished.h"

/* Marks the credentials of the user's jobs that wait, and of those that run under the name. */
static void mark_jobs(struct maui_own_creds *own)
{
	const struct maui_document *p = own->document;
	const struct maui_snapshot *s = p->plan->snapshot;

	for (uint32_t j = 0; j < s->idle_count; j++)
		for (uint32_t r = 0; p->idle[j].uid == own->uid && r < s->idle[j].row_count; r++)
			own->of_jobs[s->idle[j].rows[r].creds] = true;
	for (uint32_t c = 0; own->user && c < s->cred_count; c++) {
		const char *user = s->creds[c].cred[MAUI_CRED_USER];

		own->of_jobs[c] |= user && strcmp(user, own->user) == 0;
	}
}

static int find_hidden(const struct maui_document *p, uid_t uid, const bool hidden[MAUI_CRED_COUNT],
		       struct maui_own_creds *ret)
{
	bool any = false;

	*ret = (struct maui_own_creds){ .document = p,
					.user = maui_document_user_name(p, uid),
					.uid = uid };
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		any |= ret->hidden[k] = hidden[k] && !maui_document_sees_all(p, uid);
	if (!any || !p->plan)
		return 0;
	ret->of_jobs = calloc(p->plan->snapshot->cred_count + 1u, sizeof(*ret->of_jobs));
	if (!ret->of_jobs)
		return -1;
	mark_jobs(ret);
	return 0;
}

int maui_own_creds_find(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret)
{
	const bool hidden[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = p->hide_users,
					       [MAUI_CRED_GROUP] = p->hide_users,
					       [MAUI_CRED_ACCOUNT] = p->hide_accounts };

	return find_hidden(p, uid, hidden, ret);
}

int maui_own_creds_find_usage(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret)
{
	bool hidden[MAUI_CRED_COUNT];

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		hidden[k] = !maui_document_shows_usage(p, uid);
	return find_hidden(p, uid, hidden, ret);
}

void maui_own_creds_finish(struct maui_own_creds *own)
{
	free(own->of_jobs);
	own->of_jobs = NULL;
}

static bool is_of_jobs(const struct maui_own_creds *own, enum maui_cred_kind kind, const char *name)
{
	const struct maui_snapshot *s = own->of_jobs ? own->document->plan->snapshot : NULL;

	for (uint32_t c = 0; s && c < s->cred_count; c++)
		if (own->of_jobs[c] && s->creds[c].cred[kind] &&
		    strcmp(s->creds[c].cred[kind], name) == 0)
			return true;
	return false;
}

bool maui_own_creds_shows(const struct maui_own_creds *own, enum maui_cred_kind kind,
			  const char *name)
{
	const struct maui_document *p = own->document;

	if (!own->hidden[kind])
		return true;
	if (kind == MAUI_CRED_USER)
		return own->user && strcmp(own->user, name) == 0;
	if (kind == MAUI_CRED_ACCOUNT && maui_document_coordinates(p, name, own->uid))
		return true;
	return is_of_jobs(own, kind, name);
}
