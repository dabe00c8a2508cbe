/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rights.c - which users may make, change and release reservations */
#include "admin/rights.h"

#include <string.h>

const char *maui_rights_name(const struct maui_rights *who)
{
	return who->name ? who->name : "a user without a name";
}

bool maui_rights_is_admin(uid_t uid, const char *name, uid_t slurm_user,
			  const struct maui_words *lists, size_t levels)
{
	if (uid == 0 || uid == slurm_user)
		return true;
	for (size_t i = 0; i < levels; i++)
		if ((name && maui_words_contain(&lists[i], name)) ||
		    maui_words_contain(&lists[i], "ALL"))
			return true;
	return false;
}

bool maui_rights_everybody_sees(const struct maui_words *lists, size_t levels)
{
	for (size_t i = 0; i < levels; i++)
		if (maui_words_contain(&lists[i], "ALL"))
			return true;
	return false;
}

int maui_rights_use(const struct maui_rights *who, const struct maui_verb *verb,
		    struct maui_query_error *error)
{
	return verb->who != MAUI_WHO_ADMIN || who->admin ?
		       0 :
		       maui_query_denied(error, "this needs ADMIN1 of maui.cfg");
}

static bool has_made(const struct maui_rights *who, const struct maui_rsv *rsv)
{
	return who->name && rsv->made_by && strcmp(who->name, rsv->made_by) == 0;
}

static bool owns(const struct maui_rights *who, const struct maui_rsv *rsv)
{
	return who->name && rsv->owner && rsv->owner_kind == MAUI_CRED_USER &&
	       strcmp(who->name, rsv->owner) == 0;
}

int maui_rights_create(const struct maui_rights *who, struct maui_query_error *error)
{
	if (who->admin)
		return 0;
	if (!who->any_creates)
		return maui_query_denied(error,
					 "reservations are made by administrators (RESCTLPOLICY)");
	/* no user could release a reservation whose maker has no name */
	return who->name ?
		       0 :
		       maui_query_denied(
			       error, "your uid has no user name, so you cannot make reservations");
}

int maui_rights_change(const struct maui_rights *who, const struct maui_rsv *rsv,
		       struct maui_query_error *error)
{
	if (who->admin || (who->any_creates && has_made(who, rsv)))
		return 0;
	return maui_query_denied(error, "reservation '%s' is not yours to change", rsv->name);
}

int maui_rights_release(const struct maui_rights *who, const struct maui_rsv *rsv,
			struct maui_query_error *error)
{
	if (who->admin || has_made(who, rsv) || owns(who, rsv))
		return 0;
	return maui_query_denied(error, "reservation '%s' is not yours to release", rsv->name);
}

int maui_rights_release_job(const struct maui_rights *who, const char *name, uid_t owner,
			    struct maui_query_error *error)
{
	if (who->admin || who->uid == owner)
		return 0;
	return maui_query_denied(error, "job '%s' is not yours", name);
}

static bool runs_program(const struct maui_rsv *rsv)
{
	for (size_t i = 0; i < rsv->trigger_count; i++)
		if (rsv->triggers[i].action != MAUI_TRIGGER_CANCEL)
			return true;
	return false;
}

int maui_rights_content(const struct maui_rights *who, const struct maui_rsv *rsv,
			struct maui_query_error *error)
{
	bool user = rsv->by_user || !who->admin;

	if (user && runs_program(rsv))
		return maui_query_denied(
			error,
			"a reservation made or changed by a user cannot run programs (TRIGGER exec, submit)");
	if (!user)
		return 0;
	if (maui_rsv_has(rsv, MAUI_RSV_OWNERPREEMPT) || maui_rsv_has(rsv, MAUI_RSV_FORCE))
		return maui_query_denied(
			error,
			"a reservation made or changed by a user cannot have FLAGS OWNERPREEMPT or FORCE");
	if (rsv->charge_account)
		return maui_query_denied(
			error, "a reservation made or changed by a user cannot have CHARGEACCOUNT");
	if (rsv->owner && (rsv->owner_kind != MAUI_CRED_USER || !rsv->made_by ||
			   strcmp(rsv->owner, rsv->made_by) != 0))
		return maui_query_denied(
			error, "the OWNER of a reservation made by a user must be that user");
	return 0;
}
