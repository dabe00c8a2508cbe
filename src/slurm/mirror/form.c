/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form.c - flags, users and accounts of a mirror (doc/measurements.md, "What mirrors do to
 * accounting")
 */

#include "slurm/mirror/private.h"

#include "base/user.h"

static const uint64_t form_flags = RESERVE_FLAG_FLEX | RESERVE_FLAG_OVERLAP | RESERVE_FLAG_IGN_JOBS;
/* flags that no mirror has */
static const uint64_t foreign_flags =
	RESERVE_FLAG_MAINT | RESERVE_FLAG_HOURLY | RESERVE_FLAG_DAILY | RESERVE_FLAG_WEEKLY |
	RESERVE_FLAG_WEEKDAY | RESERVE_FLAG_WEEKEND | RESERVE_FLAG_ANY_NODES | RESERVE_FLAG_STATIC |
	RESERVE_FLAG_PART_NODES | RESERVE_FLAG_TIME_FLOAT | RESERVE_FLAG_PURGE_COMP |
	RESERVE_FLAG_MAGNETIC;

static enum maui_mirror_form_kind nobody_form(void)
{
	return maui_compat_takes_nobody() ? MAUI_MIRROR_BY_NOBODY : MAUI_MIRROR_BY_NOBODYS_ID;
}

int maui_mirror_form_nobody(void)
{
	static int known = -1; /* the agent's thread alone is here */
	const char *nobody = maui_mirror_forms[nobody_form()].users;
	bool found;

	if (known < 0 && (maui_compat_takes_nobody() ? maui_user_find(nobody, &found) :
						       maui_user_find_id(nobody, &found)) == 0)
		known = found;
	return known;
}

struct maui_mirror_form maui_mirror_form_now(int has_nobody)
{
	if (accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS)
		return maui_mirror_forms[MAUI_MIRROR_BY_ACCOUNT];
	if (has_nobody != 0)
		return maui_mirror_forms[nobody_form()];
	return maui_mirror_forms[slurm_with_slurmdbd() ? MAUI_MIRROR_BY_ACCOUNT :
							 MAUI_MIRROR_BY_ROOT];
}

static bool same_text(const char *a, const char *b)
{
	return xstrcmp(a ? a : "", b ? b : "") == 0;
}

static bool names_same_users(const slurmctld_resv_t *resv_ptr, const struct maui_mirror_form *form)
{
	return same_text(resv_ptr->users, form->users) &&
	       same_text(resv_ptr->accounts, form->accounts);
}

static bool is_set(const char *text)
{
	return text && *text;
}

/* Whether the reservation has the flags of a mirror. RESERVE_FLAG_ALL_NODES, which `scontrol
 * update nodes=ALL` leaves, is not looked at. */
static bool is_mirror(const slurmctld_resv_t *resv_ptr)
{
	return (resv_ptr->flags & form_flags) == form_flags && !(resv_ptr->flags & foreign_flags) &&
	       (resv_ptr->ctld_flags & RESV_CTLD_FULL_NODE) && !is_set(resv_ptr->groups) &&
	       !is_set(resv_ptr->licenses) && !is_set(resv_ptr->burst_buffer) &&
	       resv_ptr->max_start_delay == 0;
}

void maui_mirror_form_see(const struct maui_mirror_form *form, const slurmctld_resv_t *resv_ptr,
			  struct maui_mirror_seen *seen)
{
	bool mirror = is_mirror(resv_ptr);

	seen->form = mirror && !(resv_ptr->flags & RESERVE_FLAG_ALL_NODES) &&
		     names_same_users(resv_ptr, form);
	seen->old_form = mirror && !seen->form &&
			 maui_mirror_names_nobody(resv_ptr->users, resv_ptr->accounts);
}

void maui_mirror_form_set(const struct maui_mirror_form *form, resv_desc_msg_t *desc)
{
	desc->users = xstrdup(form->users);
	desc->accounts = xstrdup(form->accounts);
	desc->flags = form_flags;
}
