/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_reservation.c - finds the reservations on the nodes of a start, and admits the job to ours
 */

#include "slurm/start/start_reservation.h"

#include <stdlib.h>

#include "model/when.h"
#include "slurm/capture/resv.h"

/* The magic number of reservation records (slurmctld/reservation.c). */
enum { RESV_MARK = 0x3b82 };

/* With associations enforced slurmctld wants a list: this one denies association 0, which does not
 * exist, and requires none. */
static char nobody_denied[] = ",-0,";
/* The name of the temporary reservation, which no user can see or name. */
static char no_name[] = "";

/* The callback that slurmctld had set for jobs that begin; we replace it during a start. Under job
 * WRITE. */
static maui_compat_begun_fn next_begun;

void maui_known_reservations_open(const struct maui_mirrors *mirrors,
				  struct maui_known_reservations *ret)
{
	size_t room = resv_list ? (size_t)list_count(resv_list) : 0;
	slurmctld_resv_t *resv_ptr;
	maui_compat_iterator_t iterator;

	*ret = (struct maui_known_reservations){ 0 };
	if (room == 0)
		return;
	ret->ours = xcalloc(room, sizeof(*ret->ours));
	ret->foreign = xcalloc(room, sizeof(*ret->foreign));
	ret->shares = xcalloc(room, sizeof(*ret->shares));
	iterator = list_iterator_create(resv_list);
	while ((resv_ptr = list_next(iterator))) {
		if (!resv_ptr->node_bitmap || bit_size(resv_ptr->node_bitmap) != node_record_count)
			continue;
		if (maui_mirrors_have(mirrors, resv_ptr->name, resv_ptr->resv_id))
			ret->ours[ret->our_count++] = resv_ptr;
		else if (maui_resv_is_share(resv_ptr))
			ret->shares[ret->share_count++] = resv_ptr;
		else
			ret->foreign[ret->foreign_count++] = resv_ptr;
	}
	list_iterator_destroy(iterator);
}

void maui_known_reservations_close(struct maui_known_reservations *known)
{
	xfree(known->ours);
	xfree(known->foreign);
	xfree(known->shares);
	*known = (struct maui_known_reservations){ 0 };
}

/* The time limit with which slurmctld tests reservations. */
static int64_t limit_of(const job_record_t *job_ptr)
{
	const part_record_t *part_ptr = job_ptr->part_ptr;
	uint32_t limit = job_ptr->time_limit;
	int64_t slices = part_ptr ? part_ptr->max_share & ~SHARED_FORCE : 1;

	if (limit == NO_VAL && part_ptr)
		limit = part_ptr->max_time;
	if (limit == INFINITE || limit == NO_VAL)
		return MAUI_YEAR_S;
	if (slices > 1 && (slurm_conf.preempt_mode & PREEMPT_MODE_GANG))
		return (int64_t)limit * 60 * slices;
	return (int64_t)limit * 60;
}

/* Whether the reservation has one of these nodes while the job may run. */
static bool overlaps(const slurmctld_resv_t *resv_ptr, const bitstr_t *nodes, int64_t now_s,
		     int64_t length_s)
{
	int64_t start_s, end_s;

	maui_resv_times(resv_ptr, now_s, &start_s, &end_s);
	if (start_s >= now_s + length_s + resv_ptr->boot_time || end_s <= now_s)
		return false;
	return bit_overlap_any(resv_ptr->node_bitmap, (bitstr_t *)nodes);
}

static bool any_overlap(slurmctld_resv_t **list, uint32_t count, const slurmctld_resv_t *but,
			const job_record_t *job_ptr, const bitstr_t *nodes)
{
	int64_t now_s = time(NULL), length_s = limit_of(job_ptr);

	for (uint32_t i = 0; i < count; i++)
		if (list[i] != but && overlaps(list[i], nodes, now_s, length_s))
			return true;
	return false;
}

bitstr_t *maui_start_reservation_shares(const struct maui_known_reservations *known,
					const job_record_t *job_ptr, const bitstr_t *planned)
{
	int64_t now_s = time(NULL), length_s = limit_of(job_ptr);
	bitstr_t *cores = NULL;

	for (uint32_t i = 0; i < known->share_count; i++) {
		const slurmctld_resv_t *share = known->shares[i];

		if (!overlaps(share, planned, now_s, length_s))
			continue;
		if (cores)
			bit_or(cores, share->core_bitmap);
		else
			cores = bit_copy(share->core_bitmap);
	}
	return cores;
}

/* The cores of `seen` without those of `shares`; the caller frees it. NULL: as `seen` all cores,
 * as `shares` none. */
static bitstr_t *without_shares(bitstr_t *seen, bitstr_t *shares)
{
	bitstr_t *cores = seen ? bit_copy(seen) : shares ? bit_copy(shares) : NULL;

	if (!seen && shares)
		bit_not(cores);
	else if (shares)
		bit_and_not(cores, shares);
	return cores;
}

static void remove_reservation(job_record_t *job_ptr)
{
	xfree(job_ptr->resv_name);
	job_ptr->resv_ptr = NULL;
	job_ptr->resv_id = 0;
}

/* Takes the reservation off when Slurm has chosen the nodes: the environment of the prolog is that
 * of a job in no reservation. */
static void on_job_begun(job_record_t *job_ptr)
{
	remove_reservation(job_ptr);
	if (next_begun)
		next_begun(job_ptr);
}

static void set_begun_hook(bool on)
{
	maui_compat_begun_fn *begun = maui_compat_begun();

	if (!begun)
		return;
	if (on)
		next_begun = *begun;
	*begun = on ? on_job_begun : next_begun;
}

/* Puts the job into the temporary reservation. resv_id stays 0 in both, so that slurmctld sends
 * nothing to the database. */
static void add_reservation(job_record_t *job_ptr, bitstr_t *cores,
			    struct maui_start_reservation *resv)
{
	resv->resv.magic = RESV_MARK;
	resv->resv.name = no_name;
	resv->resv.flags = RESERVE_FLAG_OVERLAP;
	resv->resv.flags |= cores ? RESERVE_FLAG_ANY_NODES : RESERVE_FLAG_FLEX;
	resv->resv.core_bitmap = cores;
	resv->resv.ctld_flags = RESV_CTLD_FULL_NODE;
	resv->resv.start_time = resv->resv.start_time_first = time(NULL);
	resv->resv.end_time = resv->resv.start_time + MAUI_YEAR_S;
	resv->resv.assoc_list = nobody_denied;
	resv->resv.resv_id = job_ptr->resv_id;
	job_ptr->resv_name = xstrdup(no_name);
	job_ptr->resv_ptr = &resv->resv;
	set_begun_hook(true);
	resv->on = true;
}

/* The job's own reservation; NULL: it has none, or it may overlap anyway. */
static slurmctld_resv_t *own_reservation(const job_record_t *job_ptr)
{
	slurmctld_resv_t *own = job_ptr->resv_ptr;

	if (!own && !xstrchr(job_ptr->resv_name, ','))
		own = find_resv_name(job_ptr->resv_name);
	return own && !(own->flags & (RESERVE_FLAG_MAINT | RESERVE_FLAG_OVERLAP)) ? own : NULL;
}

void maui_start_reservation_enter(const struct maui_known_reservations *known,
				  job_record_t *job_ptr, const bitstr_t *planned, bitstr_t *shares,
				  bitstr_t *cores, struct maui_start_reservation *resv)
{
	slurmctld_resv_t *own = NULL;

	*resv = (struct maui_start_reservation){ 0 };
	if (known->our_count == 0 && !cores)
		return;
	if (job_ptr->resv_name && !(own = own_reservation(job_ptr)))
		return;
	if ((!any_overlap(known->ours, known->our_count, own, job_ptr, planned) &&
	     (own || !cores)) ||
	    any_overlap(known->foreign, known->foreign_count, own, job_ptr, planned))
		return;
	if (!own) {
		add_reservation(job_ptr, without_shares(cores, shares), resv);
		return;
	}
	own->flags |= RESERVE_FLAG_OVERLAP;
	resv->lent = own;
}

void maui_start_reservation_enter_any(const struct maui_known_reservations *known,
				      job_record_t *job_ptr, struct maui_start_reservation *resv)
{
	*resv = (struct maui_start_reservation){ 0 };
	if (known->our_count > 0 && !job_ptr->resv_name)
		add_reservation(job_ptr, NULL, resv);
}

void maui_start_reservation_leave(job_record_t *job_ptr, struct maui_start_reservation *resv)
{
	if (resv->on) {
		set_begun_hook(false);
		remove_reservation(job_ptr);
	}
	FREE_NULL_BITMAP(resv->resv.core_bitmap);
	if (resv->lent)
		resv->lent->flags &= ~RESERVE_FLAG_OVERLAP;
	*resv = (struct maui_start_reservation){ 0 };
}

void maui_start_reservation_mend(job_record_t *rest, const struct maui_start_reservation *resv)
{
	if (resv->on)
		remove_reservation(rest);
}
