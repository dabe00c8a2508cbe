/* SPDX-License-Identifier: GPL-2.0-or-later */
/* product.c - loads the real libmaui.so and makes the calls that its plugins make, in slurmctld's
 * order
 */

#include "world.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

const char *world_library;

static void *library;
static struct {
	const struct maui_priority_calls *priority;
	int (*open)(enum maui_role role);
	void (*close)(enum maui_role role);
	void (*start)(void);
	void (*sched_reconfigure)(void);
} product;

/* A build has the program in testsuite/world and the library in .libs. */
const char *world_product_beside(void)
{
	static char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
	char *end = path;

	if (length <= 0 || (size_t)length >= sizeof(path))
		return "libmaui.so";
	path[length] = '\0';
	for (int up = 0; up < 3 && (end = strrchr(path, '/')); up++)
		*end = '\0';
	length = (ssize_t)strlen(path);
	snprintf(path + length, sizeof(path) - (size_t)length, "/.libs/libmaui.so");
	return path;
}

static void *find(const char *name)
{
	void *at = dlsym(library, name);

	if (!at)
		world_fault("%s: %s", world_library, dlerror());
	return at;
}

static int note_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *from = (const char *)info->dlpi_addr;

	(void)size, (void)arg;
	if (strcmp(info->dlpi_name, world_library) != 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
			world_memory_library(from + info->dlpi_phdr[i].p_vaddr,
					     from + info->dlpi_phdr[i].p_vaddr +
						     info->dlpi_phdr[i].p_memsz);
	return 1;
}

void world_product_load(void)
{
	library = dlopen(world_library, RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		world_fault("%s", dlerror());
	dl_iterate_phdr(note_library, NULL);
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
	world_memory_fail(0, 0);
	world_show_tables(true);
	if (product.open(MAUI_ROLE_SCHED))
		return;
	world_agent_starts(true);
	product.start();
	world_agent_starts(false);
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
	world_memory_fail(0, 0);
	product.close(MAUI_ROLE_SCHED);
	product.priority->close(MAUI_ROLE_PRIORITY);
}

bool world_product_close(void)
{
	bool closed = world_fiber_call(close_all);

	world_fibers_end();
	return closed;
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
