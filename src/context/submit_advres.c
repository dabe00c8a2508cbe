/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_advres.c - --reservation=NAME where NAME is a reservation of ours (ADVRES) */

#include "slurm/compat.h"

#include "context/submit.h"

#include <stdlib.h>

#include "base/limits.h"
#include "model/mirror.h"
#include "policy/standing.h"

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

/* UNKNOWN: neither is there one of ours nor of Slurm's; SEVERAL: it is not one of ours. */
enum whose { NOBODYS, OURS, OTHERS, MIXED, GONE, UNKNOWN, SEVERAL };

/* One that scontrol made has a name of its own, and keeps it; mirrors are ours. job_submit is
 * called with node READ. */
static bool is_slurms(char *name)
{
	return strncmp(name, MAUI_MIRROR_PREFIX, strlen(MAUI_MIRROR_PREFIX)) != 0 &&
	       find_resv_name(name);
}

/* Whether the number behind the name is that of an instance, now or to come; its day, 0: it has
 * none. */
static bool find_instance(const struct maui_rsv *rsv, int64_t number, int32_t *ret_day)
{
	*ret_day = 0;
	if (!maui_rsv_recurs(rsv))
		return number == 0;
	return maui_standing_find_window(rsv, time(NULL), number, ret_day);
}

/* An administrative one without its number, as setres and showres take it; NULL: none, or with
 * *ret_several more than one. Under the context's lock. */
static const char *find_plain(const struct maui_context *c, const char *name, bool *ret_several)
{
	const char *found = NULL;

	*ret_several = false;
	for (size_t i = 0; i < c->rsv_names.count && !*ret_several; i++) {
		const char *one = c->rsv_names.list[i];

		if (!maui_rsv_is_numbered(name, one, strlen(one)))
			continue;
		*ret_several = found;
		found = one;
	}
	return *ret_several ? NULL : found;
}

/* A name of no instance. */
static enum whose whose_plain(const struct maui_context *c, char *name, char **ret_kept)
{
	bool several;
	const char *found = find_plain(c, name, &several);

	if (several)
		return SEVERAL;
	if (!found) /* who gave a name of our prefix to one of Slurm's may name it */
		return find_resv_name(name) ? OTHERS : UNKNOWN;
	xstrfmtcat(*ret_kept, "%s%s", *ret_kept ? "," : "", found);
	return OURS;
}

/* One name. What is kept of it is added to `ret_kept`: for a number, which is another instance's
 * tomorrow, the day. Under the context's lock. */
static enum whose whose_is(const struct maui_context *c, char *name, char **ret_kept)
{
	const char *comma = *ret_kept ? "," : "", *rsv_name = NULL;
	enum whose whose = OTHERS;
	int32_t day = 0;

	for (size_t i = 0; i < c->config->rsv_count + c->rsv_names.count; i++) {
		size_t own = i - c->config->rsv_count;
		const struct maui_rsv made = { .name = i < c->config->rsv_count ?
							       NULL : c->rsv_names.list[own],
					       .period = MAUI_RSV_ONCE };
		const struct maui_rsv *rsv = made.name ? &made : &c->config->rsvs[i];
		int64_t number = maui_rsv_suffix(rsv, name, strlen(name));

		if (number == -1) { /* the whole of it */
			xstrfmtcat(*ret_kept, "%s%s", comma, name);
			return OURS;
		}
		if (number == -2 || whose == OURS)
			continue;
		whose = find_instance(rsv, number, &day) ? OURS : GONE;
		rsv_name = whose == OURS && day && !maui_rsv_is_day(number) ? rsv->name : NULL;
	}
	if (whose == OURS && rsv_name)
		xstrfmtcat(*ret_kept, "%s%s.%d", comma, rsv_name, (int)day);
	else if (whose == OURS)
		xstrfmtcat(*ret_kept, "%s%s", comma, name);
	return whose == OTHERS ? whose_plain(c, name, ret_kept) : whose;
}

/* Our separators cannot be part of what is kept. */
static bool can_be_kept(const char *names)
{
	return strlen(names) <= MAUI_NAME_MAX && !names[strcspn(names, "; \t\n\"'=")];
}

/* Whether a name that strtok_r() has just found in `names` was there before. */
static bool is_double(const char *names, const char *one)
{
	for (const char *at = names; at < one; at += strlen(at) + 1)
		if (strcmp(at, one) == 0)
			return true;
	return false;
}

/* Names in "a,b" of ours, and of others; what is to be kept of them (xmalloc) when they are OURS.
 * What slurmctld would refuse for its length comes here before it does: what cannot be kept is not
 * looked at, a megabyte of names is a user's to send. */
static enum whose whose_are(struct maui_context *c, const char *names, char **ret_kept)
{
	bool has[SEVERAL + 1] = { false };
	char *copy, *save = NULL;

	*ret_kept = NULL;
	if (!*names)
		return NOBODYS;
	if (!can_be_kept(names))
		return OTHERS;
	copy = xstrdup(names);
	slurm_mutex_lock(&c->lock);
	for (char *one = strtok_r(copy, ",", &save); one && maui_context_schedules(c);
	     one = strtok_r(NULL, ",", &save))
		if (!is_double(copy, one))
			has[is_slurms(one) ? OTHERS : whose_is(c, one, ret_kept)] = true;
	slurm_mutex_unlock(&c->lock);
	xfree(copy);
	for (enum whose bad = GONE; bad <= SEVERAL; bad++)
		if (has[bad]) {
			xfree(*ret_kept);
			return bad;
		}
	if (has[OURS] && !has[OTHERS] && can_be_kept(*ret_kept))
		return OURS;
	xfree(*ret_kept);
	return has[OURS] ? MIXED : has[OTHERS] ? OTHERS : NOBODYS;
}

/* Why it is refused; NULL: it is not. Slurm refuses what it does not know, without a reason. */
static const char *why_not(enum whose whose)
{
	switch (whose) {
	case MIXED:
		return "reservations of maui.cfg and of Slurm cannot be named together";
	case GONE:
		return "the reservation has no such instance, now or to come: see showres";
	case UNKNOWN:
		return "there is no reservation of that name: see showres and scontrol show "
		       "reservation";
	case SEVERAL:
		return "there are several reservations of that name: name one with its number, see "
		       "showres";
	case NOBODYS:
	case OURS:
	case OTHERS:
		break;
	}
	return NULL;
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
	char *comment, *kept;

	close_the_back_door(job_desc);
	if (!job_desc->reservation || !*job_desc->reservation)
		return SLURM_SUCCESS;
	whose = whose_are(c, job_desc->reservation, &kept);
	if (why_not(whose)) {
		if (err_msg)
			*err_msg = xstrdup(why_not(whose));
		return ESLURM_RESERVATION_INVALID;
	}
	if (whose != OURS)
		return SLURM_SUCCESS;
	comment = maui_comment_with(job_desc->admin_comment, MAUI_COMMENT_ADVRES, kept);
	xfree(kept);
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
	char *kept;

	if (!job_desc->reservation)
		return SLURM_SUCCESS;
	whose = whose_are(c, job_desc->reservation, &kept);
	if (why_not(whose))
		return ESLURM_RESERVATION_INVALID;
	if (whose == OURS && !IS_JOB_PENDING(job_ptr)) {
		xfree(kept);
		return ESLURM_JOB_NOT_PENDING;
	}
	if (whose == OURS) {
		maui_submit_keep(job_desc, job_ptr, uid, MAUI_COMMENT_ADVRES, kept);
		xfree(kept);
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
