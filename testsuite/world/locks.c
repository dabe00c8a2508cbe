/* SPDX-License-Identifier: GPL-2.0-or-later */
/* locks.c - slurmctld's locks: checks instead of waiting
 *
 * There is one system thread, so nobody waits. But slurm-maui sees a table only while it holds the
 * table's lock: at other times the pointers lead nowhere. Calls check the locks that slurmctld's
 * own functions need. After an unlock other threads may get their turn.
 */

#include "world.h"

#include <pthread.h>

#include "src/slurmctld/fed_mgr.h"

static int held[WORLD_LOCKS]; /* by slurm-maui: 0 none, 1 read, 2 write */
static bool is_held, is_held_assoc, save_jobs;

struct world_tables world_tables;

List job_list, part_list, resv_list;
bitstr_t *avail_node_bitmap, *up_node_bitmap, *idle_node_bitmap, *share_node_bitmap;
bitstr_t *cg_node_bitmap, *rs_node_bitmap;
time_t last_job_update, last_part_update, last_resv_update;
pthread_mutex_t check_bf_running_lock = PTHREAD_MUTEX_INITIALIZER;

/* An address that nobody may read. */
#define NOWHERE ((void *)0x10)

void world_show_tables(bool all)
{
	bool job = all || held[WORLD_JOB], node = all || held[WORLD_NODE];

	job_list = job ? world_tables.jobs : NOWHERE;
	part_list = all || held[WORLD_PART] ? world_tables.parts : NOWHERE;
	resv_list = node ? world_tables.resvs : NOWHERE;
	/* slurm-maui compares the address of the table, and may do so without the lock */
	node_record_table_ptr = world_tables.nodes;
	avail_node_bitmap = node ? world_tables.avail : NOWHERE;
	up_node_bitmap = node ? world_tables.up : NOWHERE;
	idle_node_bitmap = node ? world_tables.idle : NOWHERE;
	share_node_bitmap = node ? world_tables.share : NOWHERE;
	cg_node_bitmap = node ? world_tables.cg : NOWHERE;
	rs_node_bitmap = node ? world_tables.rs : NOWHERE;
}

void world_tables_changed(void)
{
	world_show_tables(!world_in_fiber() || !world_in_agent());
}

void world_locks_drop(void)
{
	static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	memset(held, 0, sizeof(held));
	is_held = is_held_assoc = save_jobs = false;
	check_bf_running_lock = fresh;
}

bool world_locked(void)
{
	return is_held;
}

void world_need(const char *call, int conf, int job, int node, int part)
{
	const int needed[WORLD_LOCKS] = { conf, job, node, part };
	static const char *const names[WORLD_LOCKS] = { "conf", "job", "node", "part" };

	if (!world_in_agent())
		return;
	for (int i = 0; i < WORLD_LOCKS; i++)
		if (held[i] < needed[i])
			world_fault("%s() without the lock %s for %s", call, names[i],
				    needed[i] == 2 ? "writing" : "reading");
}

static int level(lock_level_t asked)
{
	return asked == WRITE_LOCK ? 2 : asked == READ_LOCK ? 1 : 0;
}

void lock_slurmctld(slurmctld_lock_t locks)
{
	if (is_held)
		world_fault("slurmctld's locks are taken twice");
	if (is_held_assoc)
		world_fault("slurmctld's locks are taken after the association manager's");
	if (world_in_agent() && world_fiber_locks() > 0)
		world_fault("slurmctld's locks are taken under a lock of slurm-maui");
	world_mortal();
	world_gap();
	is_held = true;
	held[WORLD_CONF] = level(locks.conf);
	held[WORLD_JOB] = level(locks.job);
	held[WORLD_NODE] = level(locks.node);
	held[WORLD_PART] = level(locks.part);
	if (world_in_agent() && held[WORLD_NODE] == 1)
		world_check_nodes_read();
	world_show_tables(false);
}

void unlock_slurmctld(slurmctld_lock_t locks)
{
	const int had[WORLD_LOCKS] = { level(locks.conf), level(locks.job), level(locks.node),
				       level(locks.part) };
	struct world_outside before;

	if (!is_held || memcmp(had, held, sizeof(held)) != 0)
		world_fault("other locks of slurmctld are given back than were taken");
	world_mortal();
	memset(held, 0, sizeof(held));
	is_held = false;
	before = world_leave();
	world_show_tables(true);
	if (save_jobs && world_fibers_armed())
		world_jobs_save();
	save_jobs = false;
	world_check_event();
	world_return(before);
	world_gap();
}

/* Of Slurm's lists: there is one thread. */
int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	(void)lock;
	return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	(void)lock;
	return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	(void)lock;
	return 0;
}

void schedule_job_save(void)
{
	save_jobs = true;
}

void schedule_node_save(void)
{
}

void assoc_mgr_lock(assoc_mgr_lock_t *locks)
{
	(void)locks;
	if (is_held_assoc)
		world_fault("the association manager's locks are taken twice");
	is_held_assoc = true;
}

void assoc_mgr_unlock(assoc_mgr_lock_t *locks)
{
	(void)locks;
	if (!is_held_assoc)
		world_fault("the association manager's locks are given back untaken");
	is_held_assoc = false;
}
