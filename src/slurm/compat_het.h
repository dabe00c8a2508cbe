/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_het.h - what differs for the request of het_jobs.h, and in taking a start back
 *
 * Part of compat.h, which includes it; include that.
 */
#ifndef MAUI_SLURM_COMPAT_HET_H
#define MAUI_SLURM_COMPAT_HET_H

/* Says whose request it is: SlurmUser's. */
static inline void maui_compat_identify(slurm_msg_t *message)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	(void)message;
#else
	message->auth_uid = slurm_conf.slurm_user_id;
	message->auth_ids_set = true;
#endif
}

/* Connects the request with a socket, for the answer. */
static inline bool maui_compat_connect(slurm_msg_t *message, int socket)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	message->conn_fd = socket;
	return true;
#else
	conn_args_t args = { .input_fd = socket, .output_fd = socket, .defer_negotiation = true };

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	args.mode = TLS_CONN_CLIENT;
	message->tls_conn = conn_g_create(&args);
	return message->tls_conn;
#else
	args.mode = CONN_CLIENT;
	message->conn = conn_g_create(&args);
	return message->conn;
#endif
#endif
}

/* The socket stays open. */
static inline void maui_compat_disconnect(slurm_msg_t *message)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	message->conn_fd = -1;
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	if (message->tls_conn)
		conn_g_destroy(message->tls_conn, false);
	message->tls_conn = NULL;
#else
	if (message->conn)
		conn_g_destroy(message->conn, false);
	message->conn = NULL;
#endif
}

static inline void maui_compat_set_state(job_record_t *job_ptr, uint32_t state)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	job_ptr->job_state = state;
#else
	job_state_set(job_ptr, state);
#endif
}

/* Counts the job as begun, and as ended, in its associations and QOS. */
static inline void maui_compat_count_begin(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	acct_policy_job_begin(job_ptr);
#else
	acct_policy_job_begin(job_ptr, false);
#endif
}

static inline void maui_compat_count_end(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	acct_policy_job_fini(job_ptr);
#else
	acct_policy_job_fini(job_ptr, false);
#endif
}

/* Counts the job as submitted again, in its association and QOS. */
static inline void maui_compat_count_submit(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	acct_policy_add_job_submit(job_ptr);
#else
	acct_policy_add_job_submit(job_ptr, false);
#endif
}

#endif
