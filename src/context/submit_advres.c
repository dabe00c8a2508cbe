/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_advres.c - --reservation=NAME where NAME is a reservation of ours (ADVRES) */

#include "slurm/compat.h"

#include "context/submit.h"

#include <stdlib.h>

#include "base/limits.h"
#include "policy/access.h"

int maui_submit_set_names(struct maui_context *c, const char *const *names, size_t count)
{
	struct maui_words words = { .list = calloc(count + 1, sizeof(*words.list)) }, old;

	for (; words.list && words.count < count; words.count++)
		if (!(words.list[words.count] = strdup(names[words.count])))
			break;
	if (!words.list || words.count < count) {
		maui_words_finish(&words);
		return -1;
	}
	slurm_mutex_lock(&c->lock);
	old = c->rsv_names;
	c->rsv_names = words;
	slurm_mutex_unlock(&c->lock);
	maui_words_finish(&old);
	return 0;
}

/* Under the context's lock. */
static bool is_ours(const struct maui_context *c, const char *name)
{
	for (size_t i = 0; i < c->config->rsv_count; i++)
		if (maui_rsv_is_meant(&c->config->rsvs[i], name))
			return true;
	for (size_t i = 0; i < c->rsv_names.count; i++) {
		struct maui_rsv rsv = { .name = c->rsv_names.list[i] };

		if (maui_rsv_is_meant(&rsv, name))
			return true;
	}
	return false;
}

/* Our separators cannot be part of what is kept. */
static bool can_be_kept(const char *names)
{
	return strlen(names) <= MAUI_NAME_MAX && !names[strcspn(names, "; \t\n\"'=")];
}

enum whose { NOBODYS, OURS, OTHERS, MIXED };

/* Names in "a,b" of ours, and of others. What slurmctld would refuse for its length comes here before
 * it does: what cannot be kept is not looked at, a megabyte of names is a user's to send. */
static enum whose whose_are(struct maui_context *c, const char *names)
{
	bool ours = false, others = false;
	char *copy, *save = NULL;

	if (!*names)
		return NOBODYS;
	if (!can_be_kept(names))
		return OTHERS;
	copy = xstrdup(names);
	slurm_mutex_lock(&c->lock);
	for (char *one = strtok_r(copy, ",", &save); one && maui_context_schedules(c);
	     one = strtok_r(NULL, ",", &save)) {
		if (is_ours(c, one))
			ours = true;
		else
			others = true;
	}
	slurm_mutex_unlock(&c->lock);
	xfree(copy);
	return ours ? (others ? MIXED : OURS) : others ? OTHERS : NOBODYS;
}

/* A job that wants a signal "before a reservation begins", at once, passes for one that may run in
 * any of them. */
static void close_the_back_door(job_desc_msg_t *job_desc)
{
	if (maui_compat_signal_opens_resv() && (job_desc->warn_flags & KILL_JOB_RESV) &&
	    job_desc->warn_time == 0)
		job_desc->warn_flags &= (uint16_t)~KILL_JOB_RESV;
}

int maui_submit_advres(struct maui_context *c, void *desc, char **err_msg)
{
	job_desc_msg_t *job_desc = desc;
	enum whose whose;
	char *comment;

	close_the_back_door(job_desc);
	if (!job_desc->reservation || !*job_desc->reservation)
		return SLURM_SUCCESS;
	whose = whose_are(c, job_desc->reservation);
	if (whose == MIXED) {
		if (err_msg)
			*err_msg = xstrdup("reservations of maui.cfg and of Slurm cannot be named "
					   "together");
		return ESLURM_RESERVATION_INVALID;
	}
	if (whose != OURS)
		return SLURM_SUCCESS;
	comment = maui_comment_with(job_desc->admin_comment, MAUI_COMMENT_ADVRES,
				    job_desc->reservation);
	xfree(job_desc->admin_comment);
	job_desc->admin_comment = comment;
	xfree(job_desc->reservation);
	return SLURM_SUCCESS;
}

/* The comment says so, or said so before an operator wrote over it. */
static bool has_ours(struct maui_context *c, const job_record_t *job_ptr)
{
	const struct maui_track *track;
	const char *value;
	size_t length;
	bool found;

	if (maui_comment_find(job_ptr->admin_comment, MAUI_COMMENT_ADVRES, &value, &length))
		return length > 0;
	slurm_mutex_lock(&c->lock);
	track = maui_tracks_find(&c->tracks, job_ptr->job_id);
	found = track && track->advres && job_ptr->details &&
		track->submit_s == job_ptr->details->submit_time;
	slurm_mutex_unlock(&c->lock);
	return found;
}

int maui_submit_modify_advres(struct maui_context *c, void *desc, void *record, uid_t uid)
{
	job_desc_msg_t *job_desc = desc;
	job_record_t *job_ptr = record;
	enum whose whose;

	if (!job_desc->reservation)
		return SLURM_SUCCESS;
	whose = whose_are(c, job_desc->reservation);
	if (whose == MIXED)
		return ESLURM_RESERVATION_INVALID;
	if (whose == OURS) {
		if (!IS_JOB_PENDING(job_ptr))
			return ESLURM_JOB_NOT_PENDING;
		maui_submit_keep(job_desc, job_ptr, uid, MAUI_COMMENT_ADVRES,
				 job_desc->reservation);
		xfree(job_desc->reservation);
		if (job_ptr->resv_name) /* one of Slurm's, that is left */
			job_desc->reservation = xstrdup("");
		return SLURM_SUCCESS;
	}
	if (!has_ours(c, job_ptr) ||
	    (whose == OTHERS && !xstrchr(job_desc->reservation, ',') &&
	     !find_resv_name(job_desc->reservation)))
		return SLURM_SUCCESS; /* slurmctld refuses a name that it does not know */
	maui_submit_keep(job_desc, job_ptr, uid, MAUI_COMMENT_ADVRES, "");
	return SLURM_SUCCESS;
}
