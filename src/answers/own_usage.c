/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_usage.c - whose usage a user may see */

#include "answers/own_usage.h"

#include <string.h>

#include "model/snapshot.h"
#include "plan/finished.h"

struct maui_usage_asker maui_usage_asker(const struct maui_document *p, uid_t uid)
{
	return (struct maui_usage_asker){ p, maui_document_user_name(p, uid), uid,
					  maui_document_shows_usage(p, uid) };
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

bool maui_usage_asker_sees(enum maui_cred_kind kind, const char *name, void *arg)
{
	const struct maui_usage_asker *asker = arg;
	const struct maui_snapshot *s = asker->p->plan->snapshot;

	if (asker->sees_all)
		return true;
	if (kind == MAUI_CRED_USER)
		return is_same(asker->name, name);
	if (kind == MAUI_CRED_ACCOUNT && maui_document_coordinates(asker->p, name, asker->uid))
		return true;
	for (uint32_t i = 0; asker->name && i < s->cred_count; i++)
		if (is_same(s->creds[i].cred[MAUI_CRED_USER], asker->name) &&
		    is_same(s->creds[i].cred[kind], name))
			return true;
	return false;
}
