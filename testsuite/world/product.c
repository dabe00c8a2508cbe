/* SPDX-License-Identifier: GPL-2.0-or-later */
/* product.c - loads the real libmaui.so and makes the calls that its plugins make, in slurmctld's
 * order
 */

#include "world.h"

#include <dlfcn.h>

const char *world_library;

static void *library;
static struct {
	const struct maui_priority_calls *priority;
	int (*open)(enum maui_role role);
	void (*close)(enum maui_role role);
	void (*start)(void);
	void (*sched_reconfigure)(void);
} product;

static void *find(const char *name)
{
	void *at = dlsym(library, name);

	if (!at)
		world_fault("%s: %s", world_library, dlerror());
	return at;
}

void world_product_load(void)
{
	library = dlopen(world_library, RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		world_fault("%s", dlerror());
	product.priority = find("maui_priority_calls");
	product.open = (int (*)(enum maui_role))find("maui_controller_open");
	product.close = (void (*)(enum maui_role))find("maui_controller_close");
	product.start = (void (*)(void))find("maui_controller_start");
	product.sched_reconfigure = (void (*)(void))find("maui_controller_sched_reconfigure");
}

void world_product_unload(void)
{
	dlclose(library);
	if (dlopen(world_library, RTLD_LAZY | RTLD_NOLOAD))
		world_fault("%s cannot be unloaded", world_library);
	library = NULL;
	product.priority = NULL;
}

static int opened;

/* Slurm 22.05: sched/maui is opened while slurm.conf is read, and told that it was. */
static void open_all(void)
{
	opened = -1;
	world_show_tables(true);
	if (product.open(MAUI_ROLE_SCHED))
		return;
	product.start();
	product.sched_reconfigure();
	if (product.priority->open(MAUI_ROLE_PRIORITY))
		return;
	product.priority->start();
	opened = 0;
}

bool world_product_open(void)
{
	if (!world_fiber_call(open_all))
		return false;
	if (opened)
		world_fault("slurm-maui refuses to start");
	return true;
}

static void close_all(void)
{
	product.close(MAUI_ROLE_SCHED);
	product.priority->close(MAUI_ROLE_PRIORITY);
}

bool world_product_close(void)
{
	return world_fiber_call(close_all);
}

void world_product_reconfigure(void)
{
	bool before = world_memory_enter();

	product.sched_reconfigure();
	product.priority->reconfigure(true);
	world_memory_leave(before);
}

uint32_t world_product_priority(job_record_t *job_ptr)
{
	bool before = world_memory_enter();
	uint32_t priority = product.priority->set_priority(0, job_ptr);

	world_memory_leave(before);
	return priority;
}
