/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abi.c - compares sizes of slurmctld's objects with those of our headers */

#include "slurm/compat.h"

#include "slurm/abi.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

enum { UNSEEN, FITS, DIFFERS };

static int job_verdict = UNSEEN;

/* Every plugin in this process has the version of this slurmctld, because the loader compares
 * them. slurmctld exports no version itself, so we read one of a plugin. */
static int find_running_version(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint32_t *ret_version = arg;
	const uint32_t *version;
	const char *type;
	void *object;

	(void)size;
	if (!info->dlpi_name || *info->dlpi_name == '\0')
		return 0;
	object = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	if (!object)
		return 0;
	type = dlsym(object, "plugin_type");
	version = dlsym(object, "plugin_version");
	if (type && version && !strstr(type, "/maui"))
		*ret_version = *version;
	dlclose(object);
	return *ret_version != 0;
}

static const char *running_version(char *buf, size_t size)
{
	uint32_t version = 0;

	dl_iterate_phdr(find_running_version, &version);
	if (version)
		snprintf(buf, size, "Slurm %u.%02u.%u", version >> 16 & 0xff, version >> 8 & 0xff,
			 version & 0xff);
	else
		snprintf(buf, size, "a slurmctld of unknown version");
	return buf;
}

static int mismatch(struct maui_err *err, const char *what, size_t theirs, size_t ours)
{
	char running[64];

	return maui_err_set(err,
			    "built for Slurm %s, but this is %s of another build: %s has %zu bytes "
			    "here, %zu there; rebuild slurm-maui against its source",
			    SLURM_VERSION_STRING, running_version(running, sizeof(running)), what,
			    ours, theirs);
}

/* The size the executable's symbol table gives a global; 0: unknown. */
static size_t symbol_size(const void *address)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
		return 0;
	return symbol->st_size;
}

static int check_globals(struct maui_err *err)
{
	const struct {
		const char *name;
		const void *address;
		size_t size;
	} globals[] = {
		{ "slurm_conf", &slurm_conf, sizeof(slurm_conf) },
		{ "slurmctld_config", &slurmctld_config, sizeof(slurmctld_config) },
		{ "slurmctld_diag_stats", &slurmctld_diag_stats, sizeof(slurmctld_diag_stats) },
	};

	for (size_t i = 0; i < sizeof(globals) / sizeof(globals[0]); i++) {
		size_t theirs = symbol_size(globals[i].address);

		if (theirs && theirs != globals[i].size)
			return mismatch(err, globals[i].name, theirs, globals[i].size);
	}
	return 0;
}

static int check_heap(struct maui_err *err, const char *name, void *record, size_t size)
{
	if (record && xsize(record) != size)
		return mismatch(err, name, xsize(record), size);
	return 0;
}

/* Checks the record first: in another layout its details are elsewhere. */
static int check_job(struct maui_err *err, const job_record_t *job_ptr)
{
	if (check_heap(err, "job_record_t", (void *)job_ptr, sizeof(*job_ptr)))
		return -1;
	if (!job_ptr)
		return 0;
	return check_heap(err, "job_details", job_ptr->details, sizeof(*job_ptr->details));
}

/* Since 23.02 slurmctld has no records yet when it loads priority plugins; since 24.05 it makes
 * empty ones on demand. */
static int check_empty_records(struct maui_err *err)
{
	part_record_t *part;
	job_record_t *job;
	int rc;

	maui_compat_empty_records(&part, &job);
	rc = check_heap(err, "part_record_t", part, sizeof(*part)) || check_job(err, job) ? -1 : 0;
	maui_compat_free_records(part, job);
	return rc;
}

static int check_records(struct maui_err *err, const job_record_t *job_ptr)
{
	int first = 0;
	part_record_t *part = part_list ? list_peek(part_list) : NULL;
	node_record_t *node = node_record_table_ptr ? next_node(&first) : NULL;

	if (check_heap(err, "part_record_t", part, sizeof(*part)) ||
	    check_heap(err, "node_record_t", node, sizeof(*node)))
		return -1;
	return check_job(err, job_ptr);
}

int maui_abi_check(struct maui_err *err)
{
	if (check_globals(err) || check_empty_records(err))
		return -1;
	return check_records(err, job_list ? list_peek(job_list) : NULL);
}

bool maui_abi_job_fits(const struct job_record *job_ptr)
{
	int verdict = __atomic_load_n(&job_verdict, __ATOMIC_RELAXED);
	struct maui_err err;

	if (verdict != UNSEEN || !job_ptr)
		return verdict != DIFFERS;
	verdict = FITS;
	if (check_records(&err, job_ptr)) {
		error("slurm-maui: %s; slurm-maui does nothing until then", err.text);
		verdict = DIFFERS;
	}
	__atomic_store_n(&job_verdict, verdict, __ATOMIC_RELAXED);
	return verdict == FITS;
}
