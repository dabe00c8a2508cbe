/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fingerprint.c - a number that tells whether a user or an operator has updated a pending job
 *
 * Only fields that users and operators set count. slurmctld writes limits of partitions, and
 * processors and memory by gres, into other fields whenever it looks at a job.
 */

#include "slurm/compat.h"

#include "slurm/capture/jobs.h"

#include "base/hash.h"
#include "model/comment.h"

/* The value, 0 when the user gave none. */
static uint64_t given(uint16_t value)
{
	return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

static uint64_t mix_counts(uint64_t hash, const maui_compat_details_t *details)
{
	const multi_core_data_t *mc = details->mc_ptr;

	hash = maui_hash_mix(hash, (uint64_t)details->orig_min_cpus << 32 | details->orig_max_cpus);
	hash = maui_hash_mix(hash, (uint64_t)details->min_nodes << 32 | details->max_nodes);
	hash = maui_hash_mix(hash, (uint64_t)details->num_tasks << 32 | details->orig_pn_min_cpus);
	hash = maui_hash_mix(hash, (uint64_t)details->orig_cpus_per_task << 32 |
					   (uint64_t)details->ntasks_per_node << 16 |
					   details->contiguous);
	hash = maui_hash_mix(hash, details->orig_pn_min_memory);
	hash = maui_hash_mix(hash, (uint64_t)details->whole_node << 8 | details->share_res);
	hash = maui_hash_mix(hash, (uint64_t)details->pn_min_tmp_disk << 32 |
					   (uint64_t)details->overcommit << 16 |
					   details->core_spec);
	hash = maui_hash_mix(hash, (uint64_t)details->task_dist << 16 | details->ntasks_per_tres);
	/* the select plugin gives each job that it tests one in which nothing is given */
	hash = maui_hash_mix(hash, given(mc ? mc->sockets_per_node : NO_VAL16) << 32 |
					   given(mc ? mc->cores_per_socket : NO_VAL16) << 16 |
					   given(mc ? mc->threads_per_core : NO_VAL16));
	hash = maui_hash_mix(hash, given(mc ? mc->ntasks_per_socket : NO_VAL16) << 32 |
					   given(mc ? mc->ntasks_per_core : NO_VAL16) << 16 |
					   given(mc ? mc->plane_size : NO_VAL16));
	return maui_hash_mix(hash, given(mc ? mc->boards_per_node : NO_VAL16) << 32 |
					   given(mc ? mc->sockets_per_board : NO_VAL16) << 16 |
					   given(mc ? mc->ntasks_per_board : NO_VAL16));
}

/* How the tasks, the GPUs and the nodes of the job lie to each other. */
static uint64_t mix_places(uint64_t hash, const job_record_t *job_ptr)
{
	static const uint64_t asked = GRES_ENFORCE_BIND | GRES_DISABLE_BIND | SPREAD_JOB |
				      USE_MIN_NODES | MAUI_COMPAT_ASKED_FLAGS;

	hash = maui_hash_mix(hash, job_ptr->bit_flags & asked);
	hash = maui_hash_mix(hash, (uint64_t)maui_compat_segment(job_ptr) << 32 |
					   (uint64_t)maui_compat_resv_ports(job_ptr) << 16 |
					   job_ptr->reboot);
	hash = maui_hash_mix(hash, (uint64_t)job_ptr->req_switch << 32 | job_ptr->wait4switch);
	hash = maui_hash_mix(hash, job_ptr->delay_boot);
	return maui_compat_hash_sizes(hash, job_ptr);
}

/* The reservation and the QOS that job_submit/maui keeps in the comment. */
static uint64_t mix_kept(uint64_t hash, const job_record_t *job_ptr, enum maui_comment_key key)
{
	const char *value;
	size_t length;

	if (!maui_comment_find(job_ptr->admin_comment, key, &value, &length))
		return hash;
	for (size_t i = 0; i < length; i++)
		hash = maui_hash_mix(hash, (unsigned char)value[i]);
	return maui_hash_mix(hash, length);
}

static uint64_t mix_texts(uint64_t hash, const job_record_t *job_ptr)
{
	const maui_compat_details_t *details = job_ptr->details;
	const char *const texts[] = {
		details->features,      details->req_nodes,         details->exc_nodes,
		details->dependency,    job_ptr->partition,         job_ptr->account,
		job_ptr->licenses,      job_ptr->tres_per_job,      job_ptr->tres_per_node,
		job_ptr->tres_per_task, job_ptr->tres_per_socket,   job_ptr->cpus_per_tres,
		job_ptr->mem_per_tres,  job_ptr->tres_bind,         job_ptr->network,
		details->prefer,        maui_compat_extra(job_ptr), job_ptr->burst_buffer,
		job_ptr->mcs_label,
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		hash = maui_hash_mix_text(hash, texts[i]);
	hash = mix_kept(hash, job_ptr, MAUI_COMMENT_ADVRES);
	hash = mix_kept(hash, job_ptr, MAUI_COMMENT_QOS);
	/* a magnetic reservation is not asked for */
	return maui_hash_mix_text(hash,
				  job_ptr->bit_flags & JOB_MAGNETIC ? NULL : job_ptr->resv_name);
}

uint64_t maui_capture_fingerprint(const struct job_record *job_ptr)
{
	uint64_t hash = maui_hash_mix(0, job_ptr->user_id);

	hash = maui_hash_mix(hash, (uint64_t)job_ptr->time_limit << 32 | job_ptr->time_min);
	hash = maui_hash_mix(hash, (uint64_t)job_ptr->deadline);
	hash = maui_hash_mix(hash, (uint64_t)maui_compat_asked_qos(job_ptr) << 1 |
					   (job_ptr->priority == 0));
	hash = maui_hash_mix(hash, job_ptr->bit_flags & (GRES_ENFORCE_BIND | GRES_DISABLE_BIND));
	if (!job_ptr->details)
		return hash;
	/* slurmctld rewrites begin times in the past: when a job became eligible, when an array
	 * met its limit */
	if (job_ptr->details->begin_time > time(NULL))
		hash = maui_hash_mix(hash, (uint64_t)job_ptr->details->begin_time);
	return mix_texts(mix_places(mix_counts(hash, job_ptr->details), job_ptr), job_ptr);
}

uint64_t maui_capture_shown(const struct job_record *job_ptr)
{
	uint64_t hash = maui_hash_mix(0, job_ptr->state_reason);

	hash = maui_hash_mix(hash, (uint64_t)job_ptr->start_time);
	return maui_hash_mix_text(maui_hash_mix_text(hash, job_ptr->state_desc),
				  job_ptr->sched_nodes) |
	       1;
}
