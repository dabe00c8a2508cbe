/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abi.c - sizes of slurmctld's own objects against ours */

#include "slurm/compat.h"

#include "slurm/abi.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

enum { UNSEEN, FITS, DIFFERS };

static int job_verdict = UNSEEN;

static int mismatch(struct maui_err *err, const char *what, size_t theirs, size_t ours)
{
	return maui_err_set(err,
			    "built for Slurm %s, but this slurmctld (it says %s) is another build: %s "
			    "has %zu bytes here, %zu there; rebuild slurm-maui against its source",
			    SLURM_VERSION_STRING,
			    slurm_conf.version ? slurm_conf.version : "nothing", what, ours, theirs);
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

int maui_abi_check(struct maui_err *err)
{
	int first = 0;
	part_record_t *part = part_list ? list_peek(part_list) : NULL;
	node_record_t *node = node_record_table_ptr ? next_node(&first) : NULL;
	job_record_t *job = job_list ? list_peek(job_list) : NULL;

	if (check_globals(err) || check_heap(err, "part_record_t", part, sizeof(*part)) ||
	    check_heap(err, "node_record_t", node, sizeof(*node)))
		return -1;
	if (job && !maui_abi_job_fits(job, job->details))
		return mismatch(err, "job_record_t", xsize(job), sizeof(*job));
	return 0;
}

bool maui_abi_job_fits(const void *job_ptr, const void *details)
{
	int verdict = __atomic_load_n(&job_verdict, __ATOMIC_RELAXED);
	struct maui_err err;

	if (verdict != UNSEEN)
		return verdict == FITS;
	verdict = FITS;
	if (check_heap(&err, "job_record_t", (void *)job_ptr, sizeof(job_record_t)) ||
	    check_heap(&err, "job_details", (void *)details,
		       sizeof(*((job_record_t *)0)->details))) {
		error("slurm-maui: %s; it does nothing until then", err.text);
		verdict = DIFFERS;
	}
	__atomic_store_n(&job_verdict, verdict, __ATOMIC_RELAXED);
	return verdict == FITS;
}
