/* SPDX-License-Identifier: GPL-2.0-or-later */
/* factors.c - makes sprio's list from job records and published rows */

#include "slurm/compat.h"

#include "slurm/publish/factors.h"

#include "policy/publish.h"
#include "slurm/abi.h"

struct walk {
	const maui_compat_factors_request_t *request;
	uid_t uid;
	maui_factors_row_fn row;
	void *arg;
	maui_compat_list_t list;
};

#ifdef MAUI_COMPAT_FACTORS_REQUEST
static bool list_has_id(maui_compat_list_t list, uint32_t id)
{
	maui_compat_iterator_t iterator;
	const uint32_t *entry;
	bool found = false;

	if (!list)
		return true;
	iterator = list_iterator_create(list);
	while (!found && (entry = list_next(iterator)))
		found = *entry == id;
	list_iterator_destroy(iterator);
	return found;
}

static bool wanted_job(const struct walk *walk, const job_record_t *job_ptr)
{
	return !walk->request || (list_has_id(walk->request->job_id_list, job_ptr->job_id) &&
				  list_has_id(walk->request->uid_list, job_ptr->user_id));
}

/* "a,b,c" names it. */
static bool wanted_part(const struct walk *walk, const char *name)
{
	const char *at = walk->request ? walk->request->partitions : NULL;
	size_t length = strlen(name);

	if (!at)
		return true;
	while (*at != '\0') {
		size_t word = strcspn(at, ",");

		if (word == length && strncmp(at, name, length) == 0)
			return true;
		at += word + (at[word] == ',');
	}
	return false;
}
#else
static bool wanted_job(const struct walk *walk, const job_record_t *job_ptr)
{
	(void)walk, (void)job_ptr;
	return true;
}

static bool wanted_part(const struct walk *walk, const char *name)
{
	(void)walk, (void)name;
	return true;
}
#endif

/* PrivateData=jobs: users see their own jobs, operators all, coordinators those of their
 * accounts. */
static bool may_see(uid_t uid, const job_record_t *job_ptr)
{
	if (!(slurm_conf.private_data & PRIVATE_DATA_JOBS) || job_ptr->user_id == uid ||
	    validate_operator(uid))
		return true;
	if (slurm_mcs_get_privatedata())
		return mcs_g_check_mcs_label(uid, job_ptr->mcs_label, false) == 0;
	return maui_compat_is_coordinator(uid, job_ptr);
}

static void fill_columns(priority_factors_object_t *object, const int32_t *column, int64_t site,
			 uint32_t nice)
{
#ifdef MAUI_COMPAT_FLAT_FACTORS
	priority_factors_object_t *f = object;
#else
	priority_factors_t *f = xmalloc(sizeof(*f));

	object->prio_factors = f;
#endif
	f->priority_age = column[MAUI_COMP_SERV];
	f->priority_assoc = column[MAUI_COMP_CRED];
	f->priority_fs = column[MAUI_COMP_FS];
	f->priority_js = column[MAUI_COMP_RES];
	f->priority_qos = column[MAUI_COMP_TARG];
	f->priority_part = column[MAUI_COMP_USAGE];
	/* an unsigned number around NICE_OFFSET; beyond it only clipped jobs get */
	site += NICE_OFFSET;
	f->priority_site = (uint32_t)(site < 0 ? 0 : site > UINT32_MAX ? UINT32_MAX : site);
	f->nice = nice;
}

/* Slurm's own destructor frees the partition's name only since the object was split; before, a
 * borrowed name could outlive the lock. */
static void destroy_row(void *object)
{
#ifdef MAUI_COMPAT_FLAT_FACTORS
	xfree(((priority_factors_object_t *)object)->partition);
#endif
	slurm_destroy_priority_factors_object(object);
}

static void append_row(struct walk *walk, const job_record_t *job_ptr, char *partition,
		       uint32_t priority)
{
	int32_t column[MAUI_COMP_COUNT] = { 0 };
	uint32_t nice = job_ptr->details ? job_ptr->details->nice : NICE_OFFSET;
	priority_factors_object_t *object;

	if (priority == 0 || !wanted_part(walk, partition))
		return;
	object = xmalloc(sizeof(*object));
	object->partition = xstrdup(partition);
	maui_compat_name_factors(object, job_ptr);
	object->user_id = job_ptr->user_id;
#ifndef MAUI_COMPAT_FLAT_FACTORS
	object->account = xstrdup(job_ptr->account);
	if (job_ptr->qos_ptr) {
		assoc_mgr_lock_t locks = { .qos = READ_LOCK };

		assoc_mgr_lock(&locks);
		object->qos = xstrdup(job_ptr->qos_ptr->name);
		assoc_mgr_unlock(&locks);
	}
#endif
	if (job_ptr->direct_set_prio) {
		object->direct_prio = priority;
	} else {
		walk->row(job_ptr->job_id, job_ptr->array_job_id, partition, column, walk->arg);
		fill_columns(object, column,
			     maui_publish_site(column, priority, (int64_t)nice - NICE_OFFSET),
			     nice);
	}
	if (!walk->list)
		walk->list = list_create(destroy_row);
	list_append(walk->list, object);
}

/* A pending job of several partitions: priority_array has a number for each, and for each of the
 * job's QOS the same, in the list's order. */
static void append_parts(struct walk *walk, job_record_t *job_ptr)
{
	const uint32_t *array = maui_compat_priority_array(job_ptr);
	maui_compat_iterator_t iterator = list_iterator_create(job_ptr->part_ptr_list);
	unsigned qos_count = maui_compat_qos_count(job_ptr);
	part_record_t *part_ptr;

	for (size_t i = 0; (part_ptr = list_next(iterator)); i += qos_count)
		append_row(walk, job_ptr, part_ptr->name, array ? array[i] : job_ptr->priority);
	list_iterator_destroy(iterator);
}

static void append_job(struct walk *walk, job_record_t *job_ptr)
{
	if (IS_JOB_FINISHED(job_ptr) || IS_JOB_REVOKED(job_ptr) || job_ptr->priority == 0 ||
	    !wanted_job(walk, job_ptr) || !may_see(walk->uid, job_ptr))
		return;
	if (IS_JOB_PENDING(job_ptr) && job_ptr->part_ptr_list)
		append_parts(walk, job_ptr);
	else if (job_ptr->part_ptr)
		append_row(walk, job_ptr, job_ptr->part_ptr->name, job_ptr->priority);
}

void *maui_factors_list(const void *request, uid_t uid, maui_factors_row_fn row, void *arg)
{
	struct walk walk = { .request = request, .uid = uid, .row = row, .arg = arg };
	maui_compat_iterator_t iterator;
	job_record_t *job_ptr;
#ifdef MAUI_COMPAT_FACTORS_REQUEST
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK
	};

	lock_slurmctld(locks);
#endif
	if (job_list && maui_abi_job_fits(list_peek(job_list))) {
		iterator = list_iterator_create(job_list);
		while ((job_ptr = list_next(iterator)))
			append_job(&walk, job_ptr);
		list_iterator_destroy(iterator);
	}
#ifdef MAUI_COMPAT_FACTORS_REQUEST
	unlock_slurmctld(locks);
#endif
	return walk.list;
}
