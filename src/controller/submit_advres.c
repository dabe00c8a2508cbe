/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_advres.c - --reservation=NAME where NAME is a reservation of ours (ADVRES)
 *
 * Rules: ACL-14.
 */

#include "slurm/compat.h"

#include "controller/submit.h"

#include <stdlib.h>

#include "base/limits.h"
#include "model/mirror.h"
#include "reservation/windows/windows.h"

int maui_submit_set_names(struct maui_controller *c, const char *const *names, size_t count)
{
	struct maui_words words = { .list = calloc(count + 1, sizeof(*words.list)) }, old;
	struct maui_rsv_names index = { 0 }, old_index;

	for (; words.list && words.count < count; words.count++)
		if (!(words.list[words.count] = strdup(names[words.count])))
			break;
	if (!words.list || words.count < count ||
	    maui_rsv_names_make(&index, (const char *const *)words.list, count)) {
		maui_words_finish(&words);
		return -1;
	}
	slurm_mutex_lock(&c->lock);
	old = c->rsv_names;
	old_index = c->rsv_names_index;
	c->rsv_names = words;
	c->rsv_names_index = index;
	slurm_mutex_unlock(&c->lock);
	maui_words_finish(&old);
	maui_rsv_names_finish(&old_index);
	return 0;
}

/* Whose reservations a request names. From GONE on it is refused. GONE: no such instance of ours;
 * UNKNOWN: no reservation of ours or of Slurm's. */
enum whose { NOBODYS, OURS, OTHERS, MIXED, GONE, UNKNOWN };

/* The names of a request, each once, in its order. */
struct asked {
	char *copy; /* xmalloc; their memory */
	const char **names;
	bool *slurms; /* Slurm has a reservation of that name, ours among them */
	size_t count;
};

/* Which of them Slurm has, by one walk along its reservations. job_submit is called with node
 * READ. */
static void find_slurms(struct asked *asked)
{
	struct maui_rsv_names index;
	slurmctld_resv_t *resv_ptr;
	maui_compat_iterator_t iterator;

	asked->slurms = xcalloc(asked->count + 1, sizeof(*asked->slurms));
	if (!resv_list || maui_rsv_names_make(&index, asked->names, asked->count))
		return;
	iterator = list_iterator_create(resv_list);
	while ((resv_ptr = list_next(iterator))) {
		int64_t place = resv_ptr->name ? maui_rsv_names_place(&index, resv_ptr->name) : -1;

		if (place >= 0)
			asked->slurms[place] = true;
	}
	list_iterator_destroy(iterator);
	maui_rsv_names_finish(&index);
}

static bool is_among(const struct asked *asked, const char *name)
{
	for (size_t i = 0; i < asked->count; i++)
		if (strcmp(asked->names[i], name) == 0)
			return true;
	return false;
}

static void open_asked(const char *names, struct asked *ret)
{
	char *save = NULL;

	*ret = (struct asked){ .copy = xstrdup(names) };
	ret->names = xcalloc(strlen(names) / 2 + 1, sizeof(*ret->names));
	for (char *one = strtok_r(ret->copy, ",", &save); one; one = strtok_r(NULL, ",", &save))
		if (!is_among(ret, one))
			ret->names[ret->count++] = one;
	find_slurms(ret);
}

static void close_asked(struct asked *asked)
{
	xfree(asked->slurms);
	xfree(asked->names);
	xfree(asked->copy);
}

/* One that scontrol made has a name of its own, and keeps it; mirrors are ours. */
static bool is_slurms(const struct asked *asked, size_t i)
{
	return asked->slurms[i] &&
	       strncmp(asked->names[i], MAUI_MIRROR_PREFIX, strlen(MAUI_MIRROR_PREFIX)) != 0;
}

/* Whether an instance with this number or day is there, or is to come. *ret_day: its day, 0: the
 * reservation has no periods. */
static bool find_instance(const struct maui_rsv *rsv, int64_t number, int32_t *ret_day)
{
	*ret_day = 0;
	if (!maui_rsv_recurs(rsv))
		return number == 0;
	return maui_standing_find_window(rsv, time(NULL), number, ret_day);
}

/* The places of the reservations that the name may mean: those of maui.cfg, then those of setres,
 * counted from the end of maui.cfg's. Under the controller's lock. */
static size_t find_meant(const struct maui_controller *c, const char *name,
			 size_t ret[2 * MAUI_RSV_FORMS])
{
	size_t count = maui_rsv_names_meant(&c->config->rsv_names, name, ret), all;

	all = count + maui_rsv_names_meant(&c->rsv_names_index, name, &ret[count]);
	for (size_t i = count; i < all; i++)
		ret[i] += c->config->rsv_count;
	return all;
}

/* Whose reservation one name is. Adds to `ret_kept` what the job keeps of the name: of a number,
 * which belongs to another instance tomorrow, the day. Under the controller's lock. */
static enum whose whose_is(const struct maui_controller *c, const struct asked *asked, size_t one,
			   char **ret_kept)
{
	const char *name = asked->names[one], *comma = *ret_kept ? "," : "", *rsv_name = NULL;
	size_t places[2 * MAUI_RSV_FORMS], count = find_meant(c, name, places);
	enum whose whose = asked->slurms[one] ? OTHERS : UNKNOWN;
	int32_t day = 0;

	for (size_t i = 0; i < count; i++) {
		size_t own = places[i] - c->config->rsv_count;
		const struct maui_rsv made = { .name = places[i] < c->config->rsv_count ?
							       NULL :
							       c->rsv_names.list[own],
					       .period = MAUI_RSV_ONCE };
		const struct maui_rsv *rsv = made.name ? &made : &c->config->rsvs[places[i]];
		int64_t number = maui_rsv_suffix(rsv, name, strlen(name));

		if (number == -1) { /* the name of the reservation itself */
			xstrfmtcat(*ret_kept, "%s%s", comma, name);
			return OURS;
		}
		if (number == -2 || whose == OURS)
			continue;
		whose = find_instance(rsv, number, &day) ? OURS : GONE;
		rsv_name = whose == OURS && day && !maui_rsv_is_day(number) ? rsv->name : NULL;
	}
	if (whose == OURS && rsv_name)
		xstrfmtcat(*ret_kept, "%s" MAUI_MIRROR_PREFIX "%s.%d", comma, rsv_name, (int)day);
	else if (whose == OURS)
		xstrfmtcat(*ret_kept, "%s%s", comma, name);
	return whose;
}

/* Our separators cannot be part of what is kept. */
static bool can_be_kept(const char *names)
{
	return strlen(names) <= MAUI_NAME_MAX && !names[strcspn(names, "; \t\n\"'=")];
}

static bool is_bad(enum whose whose)
{
	return whose >= GONE;
}

/* Names in "a,b" of ours, and of others; what is to be kept of them (xmalloc) when they are OURS.
 * The first that is bad decides. What slurmctld would refuse for its length comes here before it
 * does: what cannot be kept is not looked at, a megabyte of names is a user's to send. */
static enum whose whose_are(struct maui_controller *c, const char *names, char **ret_kept)
{
	bool has[UNKNOWN + 1] = { false };
	enum whose whose = NOBODYS;
	struct asked asked;

	*ret_kept = NULL;
	if (!*names)
		return NOBODYS;
	if (!can_be_kept(names))
		return OTHERS;
	open_asked(names, &asked);
	slurm_mutex_lock(&c->lock);
	for (size_t i = 0; i < asked.count && !is_bad(whose) && maui_controller_schedules(c); i++) {
		whose = is_slurms(&asked, i) ? OTHERS : whose_is(c, &asked, i, ret_kept);
		has[whose] = true;
	}
	slurm_mutex_unlock(&c->lock);
	close_asked(&asked);
	if (!is_bad(whose) && has[OURS] && !has[OTHERS] && can_be_kept(*ret_kept))
		return OURS;
	xfree(*ret_kept);
	return is_bad(whose) ? whose : has[OURS] ? MIXED : has[OTHERS] ? OTHERS : NOBODYS;
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

int maui_submit_advres(struct maui_controller *c, void *desc, char **err_msg)
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
static bool has_ours(struct maui_controller *c, const job_record_t *job_ptr)
{
	const struct maui_job_history *history;
	const char *value;
	size_t length;
	bool found;

	if (maui_comment_find(job_ptr->admin_comment, MAUI_COMMENT_ADVRES, &value, &length))
		return length > 0;
	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_ptr->job_id);
	found = history && history->advres && job_ptr->details &&
		history->submit_s == job_ptr->details->submit_time;
	slurm_mutex_unlock(&c->lock);
	return found;
}

int maui_submit_modify_advres(struct maui_controller *c, void *desc, void *record, uid_t uid)
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
	if (!has_ours(c, job_ptr) || (whose == OTHERS && !xstrchr(job_desc->reservation, ',') &&
				      !find_resv_name(job_desc->reservation)))
		return SLURM_SUCCESS; /* slurmctld refuses a name that it does not know */
	maui_submit_keep(job_desc, job_ptr, uid, MAUI_COMMENT_ADVRES, "");
	return SLURM_SUCCESS;
}
