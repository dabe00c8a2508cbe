/* SPDX-License-Identifier: GPL-2.0-or-later */
/* valid_qos.c - whether an association still has the QOS of a job */

#include "slurm/compat.h"

#include "slurm/eligible/verdict.h"

bool maui_verdict_has_valid_qos(const struct job_record *job_ptr)
{
	const slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr;
	uint32_t id = job_ptr->qos_ptr ? job_ptr->qos_ptr->id : job_ptr->qos_id;

	if (id == 0 || !assoc || !(accounting_enforce & ACCOUNTING_ENFORCE_QOS) ||
	    job_ptr->limit_set.qos)
		return true;
	return id < g_qos_count && assoc->usage && assoc->usage->valid_qos &&
	       bit_test(assoc->usage->valid_qos, id);
}
