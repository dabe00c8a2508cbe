/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_creds.c - which credentials a user may see
 *
 * Rules: CMD-9, CMD-26.
 */

#include "answers/own_creds.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "plan/finished.h"

/* Marks the credentials of the user's jobs that wait, and of those that run under the name. */
static void mark_jobs(const struct maui_own_creds *own, bool *of_jobs)
{
	const struct maui_document *p = own->document;
	const struct maui_snapshot *s = p->plan->snapshot;

	for (uint32_t j = 0; j < s->idle_count; j++)
		for (uint32_t r = 0; p->idle[j].uid == own->uid && r < s->idle[j].row_count; r++)
			of_jobs[s->idle[j].rows[r].creds] = true;
	for (uint32_t c = 0; own->user && c < s->cred_count; c++) {
		const char *user = s->creds[c].cred[MAUI_CRED_USER];

		of_jobs[c] |= user && strcmp(user, own->user) == 0;
	}
}

static int list_names(struct maui_own_creds *own, int kind, const bool *of_jobs)
{
	const struct maui_snapshot *s = own->document->plan->snapshot;
	const char **list = calloc(s->cred_count + 1u, sizeof(*list));
	size_t count = 0;

	if (!list)
		return -1;
	for (uint32_t c = 0; c < s->cred_count; c++)
		if (of_jobs[c] && s->creds[c].cred[kind])
			list[count++] = s->creds[c].cred[kind];
	qsort(list, count, sizeof(*list), maui_sort_by_text);
	own->of_jobs[kind].list = list;
	own->of_jobs[kind].count = count;
	return 0;
}

static int find_hidden(const struct maui_document *p, uid_t uid, const bool hidden[MAUI_CRED_COUNT],
		       struct maui_own_creds *ret)
{
	bool any = false, *of_jobs;
	int rc = 0;

	*ret = (struct maui_own_creds){ .document = p,
					.user = maui_document_user_name(p, uid),
					.uid = uid };
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		any |= ret->hidden[k] = hidden[k] && !maui_document_sees_all(p, uid);
	if (!any || !p->plan)
		return 0;
	of_jobs = calloc(p->plan->snapshot->cred_count + 1u, sizeof(*of_jobs));
	if (!of_jobs)
		return -1;
	mark_jobs(ret, of_jobs);
	for (int k = 0; k < MAUI_CRED_COUNT && rc == 0; k++)
		rc = ret->hidden[k] ? list_names(ret, k, of_jobs) : 0;
	free(of_jobs);
	if (rc)
		maui_own_creds_finish(ret);
	return rc;
}

int maui_own_creds_find(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret)
{
	const bool hidden[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = p->privacy.hide_users,
					       [MAUI_CRED_GROUP] = p->privacy.hide_users,
					       [MAUI_CRED_ACCOUNT] = p->privacy.hide_accounts,
					       [MAUI_CRED_CLASS] = p->privacy.hide_partitions };

	return find_hidden(p, uid, hidden, ret);
}

int maui_own_creds_find_usage(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret)
{
	bool hidden[MAUI_CRED_COUNT];

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		hidden[k] = !maui_document_shows_usage(p, uid);
	return find_hidden(p, uid, hidden, ret);
}

int maui_own_creds_find_all(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret)
{
	const bool hidden[MAUI_CRED_COUNT] = { true, true, true, true, true };

	return find_hidden(p, uid, hidden, ret);
}

void maui_own_creds_finish(struct maui_own_creds *own)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		free(own->of_jobs[k].list);
		own->of_jobs[k].list = NULL;
		own->of_jobs[k].count = 0;
	}
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
	return own->of_jobs[kind].count > 0 &&
	       bsearch(&name, own->of_jobs[kind].list, own->of_jobs[kind].count, sizeof(name),
		       maui_sort_by_text);
}
