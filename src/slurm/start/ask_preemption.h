/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask_preemption.h - asks Slurm whether a job could start if its victims were gone
 *
 * The question is Slurm's own: could the job run on these nodes when the victims have ended and all
 * other jobs have not? Sockets, cores of GPUs, exclusive nodes and everything else that only the
 * select plugin knows count. Licences, reservations and eligibility do not: the plan has counted
 * them, and the start checks them.
 *
 * A job that will be suspended keeps its memory and GRES, but the question is as if it ended. The
 * plan counts its memory; GRES with cores of their own may still be in the way.
 *
 * Rules: PRE-8.
 */
#ifndef MAUI_SLURM_START_ASK_PREEMPTION_H
#define MAUI_SLURM_START_ASK_PREEMPTION_H

#include <stddef.h>
#include <stdint.h>

#include "slurm/start/start.h"

enum maui_preemption_answer {
	MAUI_PREEMPTION_HELPS,   /* the job could start */
	MAUI_PREEMPTION_IN_VAIN, /* it could not */
	MAUI_PREEMPTION_CHANGED, /* the job, its partition or its nodes are not what was planned */
};

/* Asks about one start order and the job ids of its victims, ascending. Changes nothing. Call
 * without any lock: takes the locks of a start once. */
enum maui_preemption_answer maui_ask_preemption(const struct maui_start_site *site,
						const struct maui_start_order *order,
						const uint32_t *victims, size_t count,
						struct maui_hold_times *holds);

#endif
