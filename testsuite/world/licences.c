/* SPDX-License-Identifier: GPL-2.0-or-later */
/* licences.c - licences of the cluster, and those that jobs ask for and have */

#include "world.h"

enum { KINDS = 2 };

static const char *const names[KINDS] = { "fem", "chem" };
static uint32_t totals[KINDS];

List license_list;

static void free_licence(void *x)
{
	licenses_t *licence = x;

	xfree(licence->name);
	xfree(licence);
}

static void add_licence(List list, const char *name, uint32_t total)
{
	licenses_t *licence = xmalloc(sizeof(*licence));

	licence->name = xstrdup(name);
	licence->total = total;
	list_append(list, licence);
}

void world_licences_make(void)
{
	if (!world.plan.licences)
		return;
	license_list = list_create(free_licence);
	for (int k = 0; k < KINDS; k++) {
		totals[k] = 1 + (uint32_t)world_random(4);
		add_licence(license_list, names[k], totals[k]);
	}
}

void world_licences_ask(job_record_t *job_ptr)
{
	int kind = (int)world_random(KINDS);

	if (!world.plan.licences || !world_chance(20))
		return;
	job_ptr->license_list = list_create(free_licence);
	add_licence(job_ptr->license_list, names[kind], 1 + (uint32_t)world_random(totals[kind]));
}

void world_licences_copy(job_record_t *to, const job_record_t *from)
{
	const licenses_t *licence = from->license_list ? list_peek(from->license_list) : NULL;

	to->license_list = licence ? list_create(free_licence) : NULL;
	if (licence)
		add_licence(to->license_list, licence->name, licence->total);
}

/* A job keeps its licences while it is suspended, and until its nodes are clean. */
static uint32_t in_use(const char *name)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	const job_record_t *job_ptr;
	uint32_t used = 0;

	while ((job_ptr = list_next(iterator))) {
		const licenses_t *licence =
			job_ptr->license_list ? list_peek(job_ptr->license_list) : NULL;
		bool has = IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr) ||
			   IS_JOB_COMPLETING(job_ptr);

		if (licence && has && strcmp(licence->name, name) == 0)
			used += licence->total;
	}
	list_iterator_destroy(iterator);
	return used;
}

static uint32_t total_of(const char *name)
{
	return totals[strcmp(name, names[0]) != 0];
}

int license_job_test(job_record_t *job_ptr, time_t when, bool reboot)
{
	const licenses_t *licence = job_ptr->license_list ? list_peek(job_ptr->license_list) : NULL;

	(void)when, (void)reboot;
	world_need("license_job_test", 0, 1, 0, 0);
	if (!licence)
		return SLURM_SUCCESS;
	if (licence->total > total_of(licence->name))
		return SLURM_ERROR;
	return in_use(licence->name) + licence->total > total_of(licence->name) ? EAGAIN :
										  SLURM_SUCCESS;
}

void world_licences_check(void)
{
	for (int k = 0; k < KINDS && world.plan.licences; k++)
		if (in_use(names[k]) > totals[k])
			world_fault("%u licences %s are in use, there are %u", in_use(names[k]),
				    names[k], totals[k]);
}
