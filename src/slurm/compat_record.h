/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_record.h - the members of Slurm's job and partition records that are not compared as bytes
 *
 * Part of slurm/compat.h, which includes it. A job is kept from one cycle to the next as long as
 * its record stays the same (slurm/eligible/kept_record.c). All bytes of the record count. The rows
 * here are the exceptions, so that a member that is forgotten costs time, and hides no change:
 *
 *   TEXTS      their characters count, not where they are: Slurm's checks, requests or copies read
 *              them, and another text may come to lie at the address of the one before
 *   NONE       of these a job that is kept has none
 *   NOTES      do not count: slurmctld and slurm-maui write them while the job waits, and neither
 *              check, request nor copy of a waiting job reads them
 *   ADDRESSES  only the address counts: what is there does not change, is compared in another way,
 *              or is read by nobody
 *
 * testsuite/house/job-record finds pointers of Slurm's headers that have no row, and
 * testsuite/unit/test_kept_record changes each byte and each text.
 */
#ifndef MAUI_SLURM_COMPAT_RECORD_H
#define MAUI_SLURM_COMPAT_RECORD_H

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
#define MAUI_COMPAT_TEXTS_SINCE_2411(X)
#define MAUI_COMPAT_NONE_SINCE_2411(X)
#define MAUI_COMPAT_DETAILS_TEXTS_SINCE_2411(X) X(extra)
#define MAUI_COMPAT_DETAILS_NONE_SINCE_2411(X)
#else
#define MAUI_COMPAT_TEXTS_SINCE_2411(X)         X(extra)
#define MAUI_COMPAT_NONE_SINCE_2411(X)          X(lic_req) X(licenses_to_preempt)
#define MAUI_COMPAT_DETAILS_TEXTS_SINCE_2411(X) X(qos_req)
#define MAUI_COMPAT_DETAILS_NONE_SINCE_2411(X)  X(job_size_bitmap)
#endif

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
#define MAUI_COMPAT_DETAILS_TEXTS_SINCE_2505(X)
#else
#define MAUI_COMPAT_DETAILS_TEXTS_SINCE_2505(X) X(resv_req)
#endif

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
#define MAUI_COMPAT_NOTES_SINCE_2511(X)
#else
#define MAUI_COMPAT_NOTES_SINCE_2511(X) X(job_next_sluid)
#endif

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
#define MAUI_COMPAT_TEXTS_SINCE_2605(X)
#else
#define MAUI_COMPAT_TEXTS_SINCE_2605(X) X(exclusive) X(oversubscribe)
#endif

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
#define MAUI_COMPAT_QOS_OTHERS_SINCE_2411(X)
#define MAUI_COMPAT_ASSOC_OTHERS_SINCE_2411(X)
#else
#define MAUI_COMPAT_QOS_OTHERS_SINCE_2411(X)   X(relative_tres_cnt)
#define MAUI_COMPAT_ASSOC_OTHERS_SINCE_2411(X) X(comment) X(lineage)
#endif

/* until 24.11 the place of an association in its tree; since 26.05 the use by het jobs */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
#define MAUI_COMPAT_ASSOC_PLACES(X) X(lft) X(rgt)
#else
#define MAUI_COMPAT_ASSOC_PLACES(X)
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
#define MAUI_COMPAT_USAGE_HET(X)
#else
#define MAUI_COMPAT_USAGE_HET(X) X(usage_het)
#endif

#define MAUI_COMPAT_RECORD_TEXTS(X)     \
	X(account)                      \
	X(admin_comment)                \
	X(alloc_node)                   \
	X(cpus_per_tres)                \
	X(mcs_label)                    \
	X(mem_per_tres)                 \
	X(name)                         \
	X(network)                      \
	X(partition)                    \
	X(tres_bind)                    \
	X(tres_per_job)                 \
	X(tres_per_node)                \
	X(tres_per_socket)              \
	X(tres_per_task)                \
	X(wckey)                        \
	MAUI_COMPAT_TEXTS_SINCE_2411(X) \
	MAUI_COMPAT_TEXTS_SINCE_2605(X)

#define MAUI_COMPAT_RECORD_NONE(X) \
	X(array_recs)              \
	X(burst_buffer)            \
	X(fed_details)             \
	X(gres_list_req)           \
	X(het_details)             \
	X(het_job_list)            \
	X(license_list)            \
	X(licenses)                \
	X(part_ptr_list)           \
	X(resv_list)               \
	X(resv_name)               \
	X(resv_ptr)                \
	MAUI_COMPAT_NONE_SINCE_2411(X)

/* The chains of slurmctld's tables of jobs, estimates, reasons and what was told the database.
 * prio_factors: a QOS with a threshold of usage would read them; its jobs are not kept. */
#define MAUI_COMPAT_RECORD_NOTES(X) \
	X(job_array_next_j)         \
	X(job_array_next_t)         \
	X(job_next)                 \
	X(last_sched_eval)          \
	X(preempt_in_progress)      \
	X(prio_factors)             \
	X(sched_nodes)              \
	X(start_time)               \
	X(state_desc)               \
	X(state_reason)             \
	X(state_reason_prev_db)     \
	X(time_last_active)         \
	MAUI_COMPAT_NOTES_SINCE_2511(X)

#define MAUI_COMPAT_DETAILS_TEXTS(X)            \
	X(dependency)                           \
	MAUI_COMPAT_DETAILS_TEXTS_SINCE_2411(X) \
	MAUI_COMPAT_DETAILS_TEXTS_SINCE_2505(X)

#define MAUI_COMPAT_DETAILS_NONE(X) \
	X(depend_list)              \
	X(exc_node_bitmap)          \
	X(exc_nodes)                \
	X(feature_list)             \
	X(feature_list_use)         \
	X(features)                 \
	X(features_use)             \
	X(prefer)                   \
	X(prefer_list)              \
	X(req_node_bitmap)          \
	X(req_nodes)                \
	MAUI_COMPAT_DETAILS_NONE_SINCE_2411(X)

/* For testsuite/house/job-record alone. Of these the cache compares what is there in another way:
 * assoc_ptr, details, mc_ptr, qos_ptr, part_ptr. A job of one QOS has it in qos_ptr, whatever
 * qos_list is; step_list must be empty.
 *
 * ADDRESSES of the record: alias_list assoc_ptr batch_features batch_host burst_buffer_state
 * clusters comment container details gres_list_req_accum gres_list_alloc gres_detail_str gres_used
 * het_job_id_set job_preempt_comp job_resrcs mail_user nodes node_bitmap node_bitmap_cg
 * node_bitmap_pr nodes_completing nodes_pr origin_cluster part_ptr qos_ptr resp_host
 * selinux_context spank_job_env step_list system_comment tres_freq tres_req_cnt tres_req_str
 * tres_fmt_req_str tres_alloc_cnt tres_alloc_str tres_fmt_alloc_str user_name front_end_ptr
 * priority_array qos_blocking_ptr select_jobinfo container_id extra_constraints failed_node id
 * node_addrs node_bitmap_preempt part_prio qos_list resv_ports resv_port_array switch_jobinfo
 * alloc_tls_cert licenses_allocated prio_mult hres_select topo_jobinfo container_type
 * node_bitmap_rs nodes_rs steps_drained_subs
 * ADDRESSES of the details: acctg_freq argv cluster_features cpu_bind crontab_entry orig_dependency
 * env_hash env_sup mc_ptr mem_bind req_context script script_hash std_err std_in std_out
 * submit_line work_dir x11_magic_cookie x11_target arbitrary_tpn
 */

/* Of QOS and associations where limits are enforced (slurm/eligible/kept_limits.c):
 *
 *   COUNTS  limits against which other jobs or former use count: a job under one is not kept
 *   SUMS    the same for each TRES
 *   LIMITS  for one job, for each TRES: they count by value
 *   VALUES  limits for one job and what else the checks read, by value
 *   OTHERS  not read by the checks of a job under no COUNTS and SUMS: texts of what is above, what
 *           preemption and priorities are made of, lists of the association manager
 *
 * A member without a row must be zero, or the job is not kept. */
#define MAUI_COMPAT_QOS_COUNTS(X) \
	X(grp_jobs)               \
	X(grp_jobs_accrue)        \
	X(grp_submit_jobs)        \
	X(grp_wall)               \
	X(max_jobs_accrue_pa)     \
	X(max_jobs_accrue_pu)     \
	X(max_jobs_pa)            \
	X(max_jobs_pu)            \
	X(max_submit_jobs_pa)     \
	X(max_submit_jobs_pu)     \
	X(min_prio_thresh)
#define MAUI_COMPAT_QOS_SUMS(X)      \
	X(grp_tres_ctld)             \
	X(grp_tres_mins_ctld)        \
	X(grp_tres_run_mins_ctld)    \
	X(max_tres_pa_ctld)          \
	X(max_tres_pu_ctld)          \
	X(max_tres_run_mins_pa_ctld) \
	X(max_tres_run_mins_pu_ctld)
#define MAUI_COMPAT_QOS_LIMITS(X) \
	X(max_tres_mins_pj_ctld)  \
	X(max_tres_pj_ctld)       \
	X(max_tres_pn_ctld)       \
	X(min_tres_pj_ctld)
#define MAUI_COMPAT_QOS_VALUES(X) \
	X(flags)                  \
	X(id)                     \
	X(limit_factor)           \
	X(max_wall_pj)            \
	X(usage_factor)           \
	X(usage_thres)
#define MAUI_COMPAT_QOS_OTHERS(X)            \
	X(blocked_until)                     \
	X(description)                       \
	X(grace_time)                        \
	X(grp_tres)                          \
	X(grp_tres_mins)                     \
	X(grp_tres_run_mins)                 \
	X(max_tres_mins_pj)                  \
	X(max_tres_pa)                       \
	X(max_tres_pj)                       \
	X(max_tres_pn)                       \
	X(max_tres_pu)                       \
	X(max_tres_run_mins_pa)              \
	X(max_tres_run_mins_pu)              \
	X(min_tres_pj)                       \
	X(name)                              \
	X(preempt_bitstr)                    \
	X(preempt_exempt_time)               \
	X(preempt_list)                      \
	X(preempt_mode)                      \
	X(priority)                          \
	X(usage)                             \
	MAUI_COMPAT_QOS_OTHERS_SINCE_2411(X) \
	MAUI_COMPAT_USAGE_HET(X)
#define MAUI_COMPAT_ASSOC_COUNTS(X) \
	X(grp_jobs)                 \
	X(grp_jobs_accrue)          \
	X(grp_submit_jobs)          \
	X(grp_wall)                 \
	X(max_jobs)                 \
	X(max_jobs_accrue)          \
	X(max_submit_jobs)          \
	X(min_prio_thresh)
#define MAUI_COMPAT_ASSOC_SUMS(X) \
	X(grp_tres_ctld)          \
	X(grp_tres_mins_ctld)     \
	X(grp_tres_run_mins_ctld) \
	X(max_tres_run_mins_ctld)
#define MAUI_COMPAT_ASSOC_LIMITS(X) \
	X(max_tres_ctld)            \
	X(max_tres_mins_ctld)       \
	X(max_tres_pn_ctld)
#define MAUI_COMPAT_ASSOC_VALUES(X) \
	X(flags)                    \
	X(id)                       \
	X(max_wall_pj)              \
	X(parent_id)                \
	X(uid)
#define MAUI_COMPAT_ASSOC_OTHERS(X)            \
	X(accounting_list)                     \
	X(acct)                                \
	X(assoc_next)                          \
	X(assoc_next_id)                       \
	X(bf_usage)                            \
	X(cluster)                             \
	X(def_qos_id)                          \
	X(grp_tres)                            \
	X(grp_tres_mins)                       \
	X(grp_tres_run_mins)                   \
	X(is_def)                              \
	X(leaf_usage)                          \
	X(max_tres_mins_pj)                    \
	X(max_tres_pj)                         \
	X(max_tres_pn)                         \
	X(max_tres_run_mins)                   \
	X(parent_acct)                         \
	X(partition)                           \
	X(priority)                            \
	X(qos_list)                            \
	X(shares_raw)                          \
	X(usage)                               \
	X(user)                                \
	X(user_rec)                            \
	MAUI_COMPAT_ASSOC_OTHERS_SINCE_2411(X) \
	MAUI_COMPAT_ASSOC_PLACES(X)            \
	MAUI_COMPAT_USAGE_HET(X)

/* Of partitions: the texts that checks read of jobs that are kept, and what slurmctld's schedulers
 * note there. Lists of users and accounts: a job under one of them is not kept. */
#define MAUI_COMPAT_PART_TEXTS(X) \
	X(allow_alloc_nodes)      \
	X(allow_qos)              \
	X(deny_qos)               \
	X(name)
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
#define MAUI_COMPAT_PART_NOTES(X) X(bf_data)
enum { MAUI_COMPAT_PART_NOTED_FLAGS = 0 };
#else
#define MAUI_COMPAT_PART_NOTES(X) X(bf_data) X(num_sched_jobs)
enum { MAUI_COMPAT_PART_NOTED_FLAGS = PART_FLAG_SCHED_FAILED | PART_FLAG_SCHED_CLEARED };
#endif

#endif /* MAUI_SLURM_COMPAT_RECORD_H */
