/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_advres.c - handles --reservation=NAME where NAME is one of our reservations (ADVRES)
 *
 * Rules: ACL-14.
 */

#include "slurm/compat.h"

#include "controller/submit.h"
#include "controller/submit_notes.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "controller/name_list.h"
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

/* Whose reservations the names of a request mean. A request is refused from NO_INSTANCE on: an
 * instance that does not exist and is not planned, or a name that neither we nor Slurm have. */
enum named { NO_NAME, NAMES_OURS, NAMES_SLURMS, NAMES_BOTH, NO_INSTANCE, NO_RESERVATION };

/* The reservations that a request names. */
struct asked {
	struct maui_name_list list;
	bool *slurms; /* Slurm has a reservation of this name, mirrors included (xmalloc) */
};

/* Marks the names that Slurm has, in one walk over its reservations. slurmctld calls job_submit
 * with node READ. */
static void mark_slurms(struct asked *asked)
{
	struct maui_rsv_names index;
	slurmctld_resv_t *resv_ptr;
	maui_compat_iterator_t iterator;

	asked->slurms = xcalloc(asked->list.count + 1, sizeof(*asked->slurms));
	if (!resv_list || maui_rsv_names_make(&index, asked->list.names, asked->list.count))
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

static void find_asked(const char *names, struct asked *ret)
{
	maui_name_list_split(names, &ret->list);
	mark_slurms(ret);
}

static void free_asked(struct asked *asked)
{
	xfree(asked->slurms);
	maui_name_list_finish(&asked->list);
}

/* Whether the name is a reservation that scontrol made, not a mirror. */
static bool is_slurm_reservation(const struct asked *asked, size_t i)
{
	return asked->slurms[i] &&
	       strncmp(asked->list.names[i], MAUI_MIRROR_PREFIX, strlen(MAUI_MIRROR_PREFIX)) != 0;
}

/* Whether the instance with this number or day exists or is planned. *ret_day: its day; 0: the
 * reservation has no periods. */
static bool find_instance(const struct maui_rsv *rsv, int64_t number, int32_t *ret_day)
{
	*ret_day = 0;
	if (!maui_rsv_recurs(rsv))
		return number == 0;
	return maui_standing_find_window(rsv, time(NULL), number, ret_day);
}

/* Lists the reservations that the name may mean: first those of maui.cfg, then administrative
 * ones, numbered after maui.cfg's. Under the controller's lock. */
static size_t find_meant(const struct maui_controller *c, const char *name,
			 size_t ret[2 * MAUI_RSV_FORMS])
{
	size_t count = maui_rsv_names_meant(&c->config->rsv_names, name, ret), all;

	all = count + maui_rsv_names_meant(&c->rsv_names_index, name, &ret[count]);
	for (size_t i = count; i < all; i++)
		ret[i] += c->config->rsv_count;
	return all;
}

/* Finds whose reservation one name of the request means. Appends to `ret_kept` what the job keeps:
 * for a number, which means another instance tomorrow, the day. Under the controller's lock. */
static enum named find_named(const struct maui_controller *c, const struct asked *asked, size_t one,
			     char **ret_kept)
{
	const char *name = asked->list.names[one], *comma = *ret_kept ? "," : "", *rsv_name = NULL;
	size_t places[2 * MAUI_RSV_FORMS], count = find_meant(c, name, places);
	enum named named = asked->slurms[one] ? NAMES_SLURMS : NO_RESERVATION;
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
			return NAMES_OURS;
		}
		if (number == -2 || named == NAMES_OURS)
			continue;
		named = find_instance(rsv, number, &day) ? NAMES_OURS : NO_INSTANCE;
		rsv_name =
			named == NAMES_OURS && day && !maui_rsv_is_day(number) ? rsv->name : NULL;
	}
	if (named == NAMES_OURS && rsv_name)
		xstrfmtcat(*ret_kept, "%s" MAUI_MIRROR_PREFIX "%s.%d", comma, rsv_name, (int)day);
	else if (named == NAMES_OURS)
		xstrfmtcat(*ret_kept, "%s%s", comma, name);
	return named;
}

/* Whether the names fit into the comment, have none of its separators, and nothing that a terminal
 * acts on. */
static bool can_be_kept(const char *names)
{
	return strlen(names) <= MAUI_NAME_MAX && !names[strcspn(names, "; \t\n\"'=")] &&
	       !maui_utf8_has_hidden(names);
}

static bool is_bad(enum named named)
{
	return named >= NO_INSTANCE;
}

/* Finds whose reservations the list "a,b" means, and what the comment keeps of them (xmalloc) when
 * all are ours. The first bad name decides. A text that is too long for the comment is not parsed:
 * a user may send a megabyte of names, which slurmctld refuses after this call. */
static enum named find_all_named(struct maui_controller *c, const char *names, char **ret_kept)
{
	bool has[NO_RESERVATION + 1] = { false };
	enum named named = NO_NAME;
	struct asked asked;

	*ret_kept = NULL;
	if (!*names)
		return NO_NAME;
	if (!can_be_kept(names))
		return NAMES_SLURMS;
	find_asked(names, &asked);
	slurm_mutex_lock(&c->lock);
	for (size_t i = 0; i < asked.list.count && !is_bad(named) && maui_controller_schedules(c);
	     i++) {
		named = is_slurm_reservation(&asked, i) ? NAMES_SLURMS :
							  find_named(c, &asked, i, ret_kept);
		has[named] = true;
	}
	slurm_mutex_unlock(&c->lock);
	free_asked(&asked);
	if (!is_bad(named) && has[NAMES_OURS] && !has[NAMES_SLURMS] && can_be_kept(*ret_kept))
		return NAMES_OURS;
	xfree(*ret_kept);
	return is_bad(named)     ? named :
	       has[NAMES_OURS]   ? NAMES_BOTH :
	       has[NAMES_SLURMS] ? NAMES_SLURMS :
				   NO_NAME;
}

/* Why the request is refused; NULL: it is accepted. Slurm refuses an unknown name without a
 * reason. */
static const char *why_not(enum named named)
{
	switch (named) {
	case NAMES_BOTH:
		return "reservations of maui.cfg and of Slurm cannot be named together";
	case NO_INSTANCE:
		return "the reservation has no such instance, now or to come: see showres";
	case NO_RESERVATION:
		return "there is no reservation of that name: see showres and scontrol show "
		       "reservation";
	case NO_NAME:
	case NAMES_OURS:
	case NAMES_SLURMS:
		break;
	}
	return NULL;
}

/* Removes a hole of Slurm 22.05: slurmctld admits a job to every reservation when it asks for a
 * signal "before a reservation begins" at once. */
static void drop_reservation_signal(job_desc_msg_t *job_desc)
{
	if (maui_compat_signal_opens_resv() && (job_desc->warn_flags & KILL_JOB_RESV) &&
	    job_desc->warn_time == 0)
		job_desc->warn_flags &= (uint16_t)~KILL_JOB_RESV;
}

int maui_submit_advres(struct maui_controller *c, struct job_descriptor *job_desc, char **err_msg)
{
	enum named named;
	char *comment, *kept;

	drop_reservation_signal(job_desc);
	if (!job_desc->reservation || !*job_desc->reservation)
		return SLURM_SUCCESS;
	named = find_all_named(c, job_desc->reservation, &kept);
	if (why_not(named)) {
		if (err_msg)
			*err_msg = xstrdup(why_not(named));
		return ESLURM_RESERVATION_INVALID;
	}
	if (named != NAMES_OURS)
		return SLURM_SUCCESS;
	comment = maui_comment_with(job_desc->admin_comment, MAUI_COMMENT_ADVRES, kept);
	xfree(kept);
	xfree(job_desc->admin_comment);
	job_desc->admin_comment = comment;
	xfree(job_desc->reservation);
	return SLURM_SUCCESS;
}

/* Whether the job names one of our reservations: by its comment, or by its history when an operator
 * has overwritten the comment. */
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

/* Takes our names out of the request; with them the job leaves a Slurm reservation. */
static void take_out(job_desc_msg_t *job_desc, const job_record_t *job_ptr)
{
	maui_submit_note(job_desc, MAUI_NOTE_RESERVATION, job_desc->reservation);
	xfree(job_desc->reservation);
	if (job_ptr->resv_name)
		job_desc->reservation = xstrdup("");
}

static void put_back(job_desc_msg_t *job_desc)
{
	char *noted = maui_submit_noted(job_desc, MAUI_NOTE_RESERVATION);

	if (!noted)
		return;
	xfree(job_desc->reservation);
	job_desc->reservation = noted;
}

int maui_submit_modify_advres(struct maui_controller *c, struct job_descriptor *job_desc,
			      struct job_record *job_ptr, uid_t uid)
{
	enum named named;
	char *kept;

	put_back(job_desc);
	if (!job_desc->reservation)
		return SLURM_SUCCESS;
	named = find_all_named(c, job_desc->reservation, &kept);
	if (why_not(named))
		return ESLURM_RESERVATION_INVALID;
	if (named == NAMES_OURS && !IS_JOB_PENDING(job_ptr)) {
		xfree(kept);
		return ESLURM_JOB_NOT_PENDING;
	}
	if (named == NAMES_OURS) {
		maui_submit_keep(job_desc, job_ptr, uid, MAUI_COMMENT_ADVRES, kept);
		xfree(kept);
		take_out(job_desc, job_ptr);
		return SLURM_SUCCESS;
	}
	if (!has_ours(c, job_ptr) ||
	    (named == NAMES_SLURMS && !xstrchr(job_desc->reservation, ',') &&
	     !find_resv_name(job_desc->reservation)))
		return SLURM_SUCCESS; /* slurmctld refuses a name that it does not know */
	maui_submit_keep(job_desc, job_ptr, uid, MAUI_COMMENT_ADVRES, "");
	return SLURM_SUCCESS;
}
