/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resv.c - Slurm's reservations: those that slurm-maui makes as mirrors, and others */

#include "world.h"

static List saved;

void world_resv_free(void *x)
{
	slurmctld_resv_t *resv = x;

	xfree(resv->name);
	xfree(resv->users);
	xfree(resv->accounts);
	xfree(resv->node_list);
	FREE_NULL_BITMAP(resv->node_bitmap);
	xfree(resv);
}

static slurmctld_resv_t *copy_resv(const slurmctld_resv_t *from)
{
	slurmctld_resv_t *to = xmalloc(sizeof(*to));

	*to = *from;
	to->name = xstrdup(from->name);
	to->users = xstrdup(from->users);
	to->accounts = xstrdup(from->accounts);
	to->node_list = xstrdup(from->node_list);
	to->node_bitmap = from->node_bitmap ? bit_copy(from->node_bitmap) : NULL;
	return to;
}

static void save_one(const slurmctld_resv_t *resv)
{
	list_append(saved, copy_resv(resv));
}

void world_resvs_save(void)
{
	ListIterator iterator = list_iterator_create(world_tables.resvs);
	slurmctld_resv_t *resv;

	FREE_NULL_LIST(saved);
	saved = list_create(world_resv_free);
	while ((resv = list_next(iterator)))
		save_one(resv);
	list_iterator_destroy(iterator);
}

void world_resvs_restore(void)
{
	FREE_NULL_LIST(world_tables.resvs);
	world_tables.resvs = saved;
	saved = NULL;
	world_tables_changed();
}

slurmctld_resv_t *find_resv_name(char *name)
{
	ListIterator iterator;
	slurmctld_resv_t *resv;

	world_need("find_resv_name", 0, 0, 1, 0);
	if (!name)
		return NULL;
	iterator = list_iterator_create(world_tables.resvs);
	while ((resv = list_next(iterator)) && xstrcmp(resv->name, name))
		;
	list_iterator_destroy(iterator);
	return resv;
}

/* The nodes of a reservation by their names. false: no such node. */
static bool set_nodes(slurmctld_resv_t *resv, const char *names)
{
	hostlist_t hosts = hostlist_create(names);
	bitstr_t *bits = bit_alloc(world.node_count);
	bool known = true;
	char *name;

	while ((name = hostlist_shift(hosts))) {
		int n = 0;

		while (n < world.node_count && strcmp(world.nodes[n].name, name) != 0)
			n++;
		known &= n < world.node_count;
		if (n < world.node_count)
			bit_set(bits, n);
		free(name);
	}
	hostlist_destroy(hosts);
	if (!known) {
		bit_free(bits);
		return false;
	}
	FREE_NULL_BITMAP(resv->node_bitmap);
	resv->node_bitmap = bits;
	resv->node_cnt = (uint32_t)bit_set_count(bits);
	xfree(resv->node_list);
	resv->node_list = bitmap2node_name(bits);
	return true;
}

int create_resv(resv_desc_msg_t *desc)
{
	struct world_outside before;
	slurmctld_resv_t *resv;

	world_need("create_resv", 1, 1, 2, 1);
	if (find_resv_name(desc->name))
		return ESLURM_RESERVATION_NAME_DUP;
	if (desc->end_time <= desc->start_time)
		return ESLURM_INVALID_TIME_VALUE;
	before = world_leave();
	resv = xmalloc(sizeof(*resv));
	resv->magic = 0x3b82;
	resv->name = xstrdup(desc->name);
	resv->users = xstrdup(desc->users);
	resv->accounts = xstrdup(desc->accounts);
	resv->flags = desc->flags & ~RESERVE_FLAG_IGN_JOBS;
	resv->flags |= desc->flags & RESERVE_FLAG_IGN_JOBS;
	resv->ctld_flags = RESV_CTLD_FULL_NODE;
	resv->start_time = resv->start_time_first = resv->start_time_prev = desc->start_time;
	resv->end_time = desc->end_time;
	resv->duration = (uint32_t)((desc->end_time - desc->start_time) / 60);
	resv->resv_id = world.next_resv++;
	if (!set_nodes(resv, desc->node_list)) {
		world_resv_free(resv);
		world_return(before);
		return ESLURM_INVALID_NODE_NAME;
	}
	list_append(world_tables.resvs, resv);
	last_resv_update = world_wall_s();
	world_note("reservation %s on %s from %lld to %lld", resv->name, resv->node_list,
		   (long long)resv->start_time, (long long)resv->end_time);
	world_return(before);
	return SLURM_SUCCESS;
}

int update_resv(resv_desc_msg_t *desc)
{
	slurmctld_resv_t *resv = find_resv_name(desc->name);
	struct world_outside before = world_leave();
	int rc = SLURM_SUCCESS;

	if (!resv) {
		world_return(before);
		return ESLURM_RESERVATION_INVALID;
	}
	if (desc->start_time != (time_t)NO_VAL && desc->start_time != 0) {
		if (resv->start_time <= world_wall_s())
			rc = ESLURM_INVALID_TIME_VALUE;
		else
			resv->start_time = resv->start_time_first = desc->start_time;
	}
	if (rc == SLURM_SUCCESS && desc->end_time != (time_t)NO_VAL && desc->end_time != 0)
		resv->end_time = desc->end_time;
	if (rc == SLURM_SUCCESS && desc->node_list && !set_nodes(resv, desc->node_list))
		rc = ESLURM_INVALID_NODE_NAME;
	if (rc == SLURM_SUCCESS)
		resv->duration = (uint32_t)((resv->end_time - resv->start_time) / 60);
	last_resv_update = world_wall_s();
	world_note("reservation %s is changed: %s until %lld, %d", resv->name, resv->node_list,
		   (long long)resv->end_time, rc);
	world_return(before);
	return rc;
}

static int has_name(void *x, void *arg)
{
	return xstrcmp(((slurmctld_resv_t *)x)->name, arg) == 0;
}

int delete_resv(reservation_name_msg_t *message)
{
	world_need("delete_resv", 1, 1, 2, 1);
	if (!list_delete_all(world_tables.resvs, has_name, message->name))
		return ESLURM_RESERVATION_INVALID;
	last_resv_update = world_wall_s();
	world_note("reservation %s is deleted", message->name);
	return SLURM_SUCCESS;
}

static int is_over(void *x, void *arg)
{
	(void)arg;
	return ((slurmctld_resv_t *)x)->end_time <= world_wall_s();
}

void job_resv_check(void)
{
	if (list_delete_all(world_tables.resvs, is_over, NULL))
		last_resv_update = world_wall_s();
}

int set_node_maint_mode(bool reset_all)
{
	(void)reset_all;
	return 0;
}

/* A reservation of an administrator, of other software than ours. */
void world_resv_make(void)
{
	slurmctld_resv_t *resv = xmalloc(sizeof(*resv));
	int first = (int)world_random((uint64_t)world.node_count);

	resv->magic = 0x3b82;
	xstrfmtcat(resv->name, "site_%u", world.next_resv);
	resv->users = xstrdup("u0");
	resv->ctld_flags = RESV_CTLD_FULL_NODE;
	resv->flags = RESERVE_FLAG_SPEC_NODES;
	resv->start_time = world_wall_s() + (time_t)world_random(36000);
	resv->start_time_first = resv->start_time_prev = resv->start_time;
	resv->end_time = resv->start_time + 600 + (time_t)world_random(14400);
	resv->duration = (uint32_t)((resv->end_time - resv->start_time) / 60);
	resv->resv_id = world.next_resv++;
	set_nodes(resv, world.nodes[first].name);
	list_append(world_tables.resvs, resv);
	last_resv_update = world_wall_s();
	world_promise_void("a reservation");
	world_note("reservation %s on %s from %lld to %lld", resv->name, resv->node_list,
		   (long long)resv->start_time, (long long)resv->end_time);
}

/* Removes the nodes of the reservation, if it keeps any of them while the job may run. */
static void take_away(const slurmctld_resv_t *resv, int64_t end_s, bitstr_t *nodes)
{
	if (resv->start_time < end_s && resv->end_time > world_wall_s() && resv->node_bitmap)
		bit_and_not(nodes, resv->node_bitmap);
}

int world_resv_filter(job_record_t *job_ptr, bitstr_t *nodes)
{
	const slurmctld_resv_t *own = job_ptr->resv_ptr;
	uint32_t limit =
		job_ptr->time_limit == NO_VAL ? job_ptr->part_ptr->max_time : job_ptr->time_limit;
	int64_t end_s = world_wall_s() + (int64_t)limit * 60;
	ListIterator iterator;
	const slurmctld_resv_t *resv;
	bool any = bit_ffs(nodes) >= 0;

	if (own && own->magic != 0x3b82)
		world_fault("job %u is in no valid reservation", job_ptr->job_id);
	if (own && !(own->flags & (RESERVE_FLAG_FLEX | RESERVE_FLAG_ANY_NODES))) {
		if (own->start_time > world_wall_s() || own->end_time <= world_wall_s())
			return ESLURM_RESERVATION_NOT_USABLE;
		bit_and(nodes, own->node_bitmap);
	}
	if (own && own->flags & (RESERVE_FLAG_OVERLAP | RESERVE_FLAG_MAINT))
		return SLURM_SUCCESS;
	iterator = list_iterator_create(world_tables.resvs);
	while ((resv = list_next(iterator)))
		if (resv != own)
			take_away(resv, end_s, nodes);
	list_iterator_destroy(iterator);
	/* where no node would serve without reservations, either, Slurm says so */
	return any && bit_ffs(nodes) < 0 ? ESLURM_RESERVATION_BUSY : SLURM_SUCCESS;
}
