/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fingerprint_members.h - members of job records that do not count as bytes in a fingerprint
 *
 * Left out are members that do not count, for one of these reasons: slurmctld makes them of those
 * that count (limits, bitmaps, what a job has been given); they are names, output, accounting and
 * signals, which change nothing of where and when a job may start; or they are of what the job is
 * and not of what it asks for (its number, its state, the parts of its priority).
 * testsuite/house/job-record finds a member of Slurm's headers that has no row here and is not in
 * fingerprint.c.
 */
#ifndef MAUI_TESTSUITE_FINGERPRINT_MEMBERS_H
#define MAUI_TESTSUITE_FINGERPRINT_MEMBERS_H

#include "slurm/compat.h"

#include "members.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
#define RECORD_OUT_2411(X)  X(cr_enabled) X(power_flags) X(priority_array)
#define DETAILS_OUT_2411(X) X(plane_size) /* the one of mc_ptr counts */
#define RECORD_TEXTS_2411(X)
#define DETAILS_TEXTS_2411(X) X(extra)
#define RECORD_OTHERS_2411(X)
#define DETAILS_OTHERS_2411(X)
#else
#define RECORD_OUT_2411(X)     \
	X(container_id)        \
	X(extra_constraints)   \
	X(failed_node)         \
	X(id)                  \
	X(lic_req)             \
	X(licenses_to_preempt) \
	X(node_addrs)          \
	X(node_bitmap_preempt) \
	X(prolog_launch_time)  \
	X(resv_port_array)     \
	X(resv_ports)          \
	X(switch_jobinfo)
#define DETAILS_OUT_2411(X)  X(arbitrary_tpn) X(oom_kill_step) X(qos_req)
#define RECORD_TEXTS_2411(X) X(extra)
#define DETAILS_TEXTS_2411(X)
#define RECORD_OTHERS_2411(X)  X(qos_list)
#define DETAILS_OTHERS_2411(X) X(job_size_bitmap)
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
#define RECORD_OUT_2505(X) X(front_end_ptr) X(select_jobinfo)
#define DETAILS_OUT_2505(X)
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
#define RECORD_OUT_2505(X) X(front_end_ptr) X(part_prio) X(select_jobinfo)
#define DETAILS_OUT_2505(X)
#else
#define RECORD_OUT_2505(X)  X(alloc_tls_cert) X(licenses_allocated) X(prio_mult)
#define DETAILS_OUT_2505(X) X(resv_req)
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
#define RECORD_OUT_2511(X)
#else
#define RECORD_OUT_2511(X) \
	X(epilog_failed) X(hres_select) X(job_next_sluid) X(step_id) X(topo_jobinfo)
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
#define RECORD_OUT_2605(X)
#define DETAILS_OUT_2605(X)
#else
#define RECORD_OUT_2605(X)     \
	X(container_type)      \
	X(exclusive)           \
	X(node_bitmap_rs)      \
	X(nodes_rs)            \
	X(oversubscribe)       \
	X(pending_async_steps) \
	X(srun_no_resp_time)   \
	X(steps_drained_subs)
#define DETAILS_OUT_2605(X) X(mem_update_delay) X(mem_update_margin) X(pn_min_memory_pre_resize)
#endif

#define RECORD_OUT(X)           \
	X(alias_list)           \
	X(alloc_node)           \
	X(alloc_resp_port)      \
	X(alloc_sid)            \
	X(array_job_id)         \
	X(array_recs)           \
	X(array_task_id)        \
	X(assoc_id)             \
	X(assoc_ptr)            \
	X(batch_features)       \
	X(batch_flag)           \
	X(batch_host)           \
	X(best_switch)          \
	X(billable_tres)        \
	X(burst_buffer_state)   \
	X(clusters)             \
	X(comment)              \
	X(container)            \
	X(cpu_cnt)              \
	X(db_flags)             \
	X(db_index)             \
	X(derived_ec)           \
	X(direct_set_prio)      \
	X(end_time)             \
	X(end_time_exp)         \
	X(epilog_running)       \
	X(exit_code)            \
	X(fed_details)          \
	X(gres_detail_cnt)      \
	X(gres_detail_str)      \
	X(gres_list_alloc)      \
	X(gres_list_req)        \
	X(gres_list_req_accum)  \
	X(gres_used)            \
	X(group_id)             \
	X(het_details)          \
	X(het_job_id)           \
	X(het_job_id_set)       \
	X(het_job_list)         \
	X(het_job_offset)       \
	X(job_array_next_j)     \
	X(job_array_next_t)     \
	X(job_id)               \
	X(job_next)             \
	X(job_preempt_comp)     \
	X(job_resrcs)           \
	X(job_state)            \
	X(kill_on_node_fail)    \
	X(last_sched_eval)      \
	X(license_list)         \
	X(limit_set)            \
	X(magic)                \
	X(mail_type)            \
	X(mail_user)            \
	X(name)                 \
	X(next_step_id)         \
	X(node_bitmap)          \
	X(node_bitmap_cg)       \
	X(node_bitmap_pr)       \
	X(node_cnt)             \
	X(node_cnt_wag)         \
	X(nodes)                \
	X(nodes_completing)     \
	X(nodes_pr)             \
	X(origin_cluster)       \
	X(other_port)           \
	X(part_nodes_missing)   \
	X(part_ptr)             \
	X(part_ptr_list)        \
	X(pre_sus_time)         \
	X(preempt_in_progress)  \
	X(preempt_time)         \
	X(prep_epilog_cnt)      \
	X(prep_prolog_cnt)      \
	X(prep_prolog_failed)   \
	X(prio_factors)         \
	X(profile)              \
	X(qos_blocking_ptr)     \
	X(qos_ptr)              \
	X(requid)               \
	X(resize_time)          \
	X(resp_host)            \
	X(restart_cnt)          \
	X(resv_id)              \
	X(resv_list)            \
	X(resv_ptr)             \
	X(sched_nodes)          \
	X(selinux_context)      \
	X(site_factor)          \
	X(spank_job_env)        \
	X(spank_job_env_size)   \
	X(start_protocol_ver)   \
	X(start_time)           \
	X(state_desc)           \
	X(state_reason)         \
	X(state_reason_prev_db) \
	X(step_list)            \
	X(suspend_time)         \
	X(system_comment)       \
	X(time_last_active)     \
	X(tot_sus_time)         \
	X(total_cpus)           \
	X(total_nodes)          \
	X(tres_alloc_cnt)       \
	X(tres_alloc_str)       \
	X(tres_fmt_alloc_str)   \
	X(tres_fmt_req_str)     \
	X(tres_freq)            \
	X(tres_req_cnt)         \
	X(tres_req_str)         \
	X(user_name)            \
	X(wait4switch_start)    \
	X(wait_all_nodes)       \
	X(warn_flags)           \
	X(warn_signal)          \
	X(warn_time)            \
	X(wckey)
#define DETAILS_OUT(X)        \
	X(accrue_time)        \
	X(acctg_freq)         \
	X(argc)               \
	X(argv)               \
	X(cluster_features)   \
	X(cpu_bind)           \
	X(cpu_bind_type)      \
	X(cpu_freq_gov)       \
	X(cpu_freq_max)       \
	X(cpu_freq_min)       \
	X(cpus_per_task)      \
	X(crontab_entry)      \
	X(depend_list)        \
	X(env_cnt)            \
	X(env_hash)           \
	X(env_sup)            \
	X(exc_node_bitmap)    \
	X(expanding_jobid)    \
	X(feature_list)       \
	X(feature_list_use)   \
	X(features_use)       \
	X(magic)              \
	X(max_cpus)           \
	X(mem_bind)           \
	X(mem_bind_type)      \
	X(min_cpus)           \
	X(min_gres_cpu)       \
	X(min_job_gres_cpu)   \
	X(nice)               \
	X(open_mode)          \
	X(orig_dependency)    \
	X(pn_min_cpus)        \
	X(pn_min_memory)      \
	X(preempt_start_time) \
	X(prefer_list)        \
	X(prolog_running)     \
	X(req_context)        \
	X(req_node_bitmap)    \
	X(requeue)            \
	X(reserved_resources) \
	X(script)             \
	X(script_hash)        \
	X(std_err)            \
	X(std_in)             \
	X(std_out)            \
	X(submit_line)        \
	X(submit_time)        \
	X(usable_nodes)       \
	X(work_dir)           \
	X(x11)                \
	X(x11_magic_cookie)   \
	X(x11_target)         \
	X(x11_target_port)

/* Texts: what is there counts, not where it is. */
#define RECORD_TEXTS(X)    \
	X(account)         \
	X(burst_buffer)    \
	X(cpus_per_tres)   \
	X(licenses)        \
	X(mcs_label)       \
	X(mem_per_tres)    \
	X(network)         \
	X(partition)       \
	X(resv_name)       \
	X(tres_bind)       \
	X(tres_per_job)    \
	X(tres_per_node)   \
	X(tres_per_socket) \
	X(tres_per_task)
#define DETAILS_TEXTS(X) X(dependency) X(exc_nodes) X(features) X(prefer) X(req_nodes)

/* Members that count in part, or lead elsewhere: each has a test of its own. A job
 * of one QOS counts by qos_id. */
#define RECORD_OTHERS(X)  X(admin_comment) X(bit_flags) X(details) X(priority)
#define DETAILS_OTHERS(X) X(begin_time) X(mc_ptr)

#define RECORD(member)    MEMBER_OF(job_record_t, member)
#define DETAILS(member)   MEMBER_OF(maui_compat_details_t, member)
#define ALL_RECORD_OUT(X) \
	RECORD_OUT(X) RECORD_OUT_2411(X) RECORD_OUT_2505(X) RECORD_OUT_2511(X) RECORD_OUT_2605(X)
#define ALL_DETAILS_OUT(X) \
	DETAILS_OUT(X) DETAILS_OUT_2411(X) DETAILS_OUT_2505(X) DETAILS_OUT_2605(X)
#define ALL_RECORD_TEXTS(X)   RECORD_TEXTS(X) RECORD_TEXTS_2411(X)
#define ALL_DETAILS_TEXTS(X)  DETAILS_TEXTS(X) DETAILS_TEXTS_2411(X)
#define ALL_RECORD_OTHERS(X)  RECORD_OTHERS(X) RECORD_OTHERS_2411(X)
#define ALL_DETAILS_OTHERS(X) DETAILS_OTHERS(X) DETAILS_OTHERS_2411(X)

static const struct member record_left_out[] = { ALL_RECORD_OUT(RECORD) };
static const struct member details_left_out[] = { ALL_DETAILS_OUT(DETAILS) };
static const struct member record_texts[] = { ALL_RECORD_TEXTS(RECORD) };
static const struct member details_texts[] = { ALL_DETAILS_TEXTS(DETAILS) };
static const struct member record_others[] = { ALL_RECORD_OTHERS(RECORD) };
static const struct member details_others[] = { ALL_DETAILS_OTHERS(DETAILS) };

#endif
