/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vacate.c - struct maui_vacate_order -> job_requeue(), job_suspend() */

#include "slurm/compat.h"

#include "slurm/vacate.h"

#include "slurm/resume.h"

/* As slurmctld's own requests to requeue and to suspend take them, and conf and part to look. */
static const slurmctld_lock_t vacate_locks = {
	.conf = READ_LOCK,
	.job = WRITE_LOCK,
	.node = WRITE_LOCK,
	.part = READ_LOCK,
	.fed = READ_LOCK,
};

static const char *const done_texts[] = {
	[MAUI_VACATE_REQUEUE] = "requeued",
	[MAUI_VACATE_SUSPEND] = "suspended",
	[MAUI_VACATE_RESUME] = "resumed",
	[MAUI_VACATE_CANCEL] = "cancelled",
};

bool maui_vacate_is_slurms(void)
{
	return maui_compat_slurm_preempts();
}

static bool may_requeue(const job_record_t *job_ptr)
{
	return IS_JOB_RUNNING(job_ptr) && job_ptr->batch_flag && job_ptr->details->requeue &&
	       job_ptr->part_ptr;
}

/* While nodes boot or a prolog runs there is nothing yet that could be stopped. */
static bool may_suspend(const job_record_t *job_ptr)
{
	return IS_JOB_RUNNING(job_ptr) && !IS_JOB_CONFIGURING(job_ptr) &&
	       job_ptr->state_reason != WAIT_PROLOG && !job_ptr->details->prolog_running;
}

bool maui_vacate_allowed(const void *record, enum maui_vacate_how how)
{
	const job_record_t *job_ptr = record;

	if (!job_ptr || !job_ptr->details || job_ptr->het_job_id || IS_JOB_COMPLETING(job_ptr))
		return false;
	switch (how) {
	case MAUI_VACATE_REQUEUE:
		return may_requeue(job_ptr);
	case MAUI_VACATE_SUSPEND:
		return may_suspend(job_ptr);
	case MAUI_VACATE_RESUME:
		return IS_JOB_SUSPENDED(job_ptr);
	case MAUI_VACATE_CANCEL:
		return IS_JOB_CONFIGURING(job_ptr);
	}
	return false;
}

static void tell(const struct maui_vacate_order *order, const job_record_t *job_ptr)
{
	if (!order->done)
		info("slurm-maui: %pJ not %s: %s", job_ptr, done_texts[order->how],
		     slurm_strerror(order->code));
	else if (order->for_job_id)
		info("slurm-maui: %s %pJ to make room for JobId=%u", done_texts[order->how],
		     job_ptr, order->for_job_id);
	else
		info("slurm-maui: %s %pJ", done_texts[order->how], job_ptr);
}

static int carry_out(job_record_t *job_ptr, const struct maui_vacate_order *order)
{
	switch (order->how) {
	case MAUI_VACATE_REQUEUE:
		return job_requeue(0, order->job_id, NULL, true, 0);
	case MAUI_VACATE_SUSPEND:
		return maui_compat_suspend(order->job_id, SUSPEND_JOB);
	case MAUI_VACATE_RESUME:
		return maui_compat_suspend(order->job_id, RESUME_JOB);
	case MAUI_VACATE_CANCEL:
		return job_signal(job_ptr, SIGKILL, 0, 0, false);
	}
	return ESLURM_NOT_SUPPORTED;
}

/* The log names both in one line, so it is written while the record is there. */
static void vacate_one(struct maui_vacate_order *order)
{
	job_record_t *job_ptr = find_job_record(order->job_id);

	if (!job_ptr) {
		order->code = ESLURM_INVALID_JOB_ID;
		return;
	}
	if (job_ptr->start_time != order->start_s || !maui_vacate_allowed(job_ptr, order->how)) {
		order->code = ESLURM_DISABLED;
		return;
	}
	if (order->how == MAUI_VACATE_RESUME && !maui_resume_fits(job_ptr)) {
		order->code = ESLURM_NODES_BUSY;
		return;
	}
	order->code = carry_out(job_ptr, order);
	order->done = order->code == SLURM_SUCCESS;
	tell(order, job_ptr);
}

/* Two that preempt would undo each other. What we suspended before we resume all the same. */
static bool is_ours(const struct maui_vacate_order *order)
{
	static bool told;
	bool slurms = maui_vacate_is_slurms();

	if (slurms && !told)
		error("slurm-maui: PreemptType=%s preempts by itself, so PREEMPTPOLICY of "
		      "maui.cfg does nothing",
		      slurm_conf.preempt_type);
	told = slurms;
	return !slurms || order->how == MAUI_VACATE_RESUME ||
	       order->how == MAUI_VACATE_CANCEL;
}

void maui_vacate_jobs(struct maui_vacate_order *orders, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		orders[i].done = false;
		orders[i].code = ESLURM_NOT_SUPPORTED;
		lock_slurmctld(vacate_locks);
		if (is_ours(&orders[i]))
			vacate_one(&orders[i]);
		unlock_slurmctld(vacate_locks);
		any |= orders[i].done;
	}
	if (any)
		schedule_job_save();
}
