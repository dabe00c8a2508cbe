/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_resv.h - what differs in Slurm's reservations
 *
 * Part of compat.h, which includes it; include that.
 */
#ifndef MAUI_SLURM_COMPAT_RESV_H
#define MAUI_SLURM_COMPAT_RESV_H

/* Whether --reservation of the job is invalid; known since 24.11. */
static inline bool maui_compat_is_resv_invalid(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	(void)job_ptr;
	return false;
#else
	return job_ptr->state_reason == WAIT_RESV_INVALID;
#endif
}

/* Whether a reservation may name user nobody: since 25.11 only by number. */
static inline bool maui_compat_takes_nobody(void)
{
	return SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0);
}

/* Creates or updates a reservation. slurmctld logs errors. The caller frees what the message
 * allocated. */
static inline int maui_compat_create_resv(resv_desc_msg_t *desc)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	return create_resv(desc);
#else
	char *message = NULL;
	int rc = create_resv(desc, &message);

	xfree(message);
	return rc;
#endif
}
static inline int maui_compat_update_resv(resv_desc_msg_t *desc)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	return update_resv(desc);
#else
	char *message = NULL;
	int rc = update_resv(desc, &message);

	xfree(message);
	return rc;
#endif
}

/* Until 23.11 a job got past any reservation without a MaxStartDelay by --signal=R:...@0. */
static inline bool maui_compat_signal_opens_resv(void)
{
	return SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0);
}

/* Whether the job is held because its reservation was deleted. */
static inline bool maui_compat_is_reservation_hold(uint32_t reason)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	return reason == WAIT_RESV_DELETED;
#else
	return reason == WAIT_RESV_DELETED || reason == WAIT_RESV_INVALID;
#endif
}

/* Marks the nodes of maintenance reservations, and purges reservations that have ended. */
static inline void maui_compat_purge_reservations(void)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	set_node_maint_mode(false);
#else
	set_node_maint_mode();
#endif
	job_resv_check();
}

/* Slurm >= 23.11 reserves gres, too. */
static inline bool maui_compat_reserves_gres(const slurmctld_resv_t *resv_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	(void)resv_ptr;
	return false;
#else
	return resv_ptr->gres_list_alloc && list_count(resv_ptr->gres_list_alloc) > 0;
#endif
}

#endif
